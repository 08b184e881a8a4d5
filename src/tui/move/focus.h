#ifndef LANEWAY_FOCUS_H
#define LANEWAY_FOCUS_H

/*
 * The focus: the part that gets the keys, the parts under it, and where a step back leads.
 *
 * A prompt, a page, the help, a question or a list of choices opens over another part, which has the focus again when
 * it closes; they may be stacked. The parts under them (view, form, list, kernel, folder) form a trail: opening a
 * layout from another one, from a kernel or from the list adds a step.
 */

#include <stdbool.h>
#include <stddef.h>

struct lw_explorer;

#define LW_OVER_MAX 4

/* The parts under the focus, the lowest first; empty unless the focus opened over another part. */
struct lw_over {
    unsigned below[LW_OVER_MAX];
    int count;
};

/* The part from which another one was opened. */
struct lw_trail_step {
    unsigned focus;
    size_t entry;                       /* its entry in the list */
    size_t view;                        /* the view of the first pane */
    bool has_second;                    /* there was a second pane that no key opened, */
    size_t second_view;                 /* with this view */
    enum lw_side second_side;           /* of this layout */
    char *kernel;                       /* for KERNEL and FOLDER the path, owned; else NULL */
    int part;                           /* the part of the kernel's file */
    const struct lw_hardware *hardware; /* the target of layouts, as a kernel sets its own */
    bool lists;                         /* a command showed the list, which leads back here */
};

struct lw_trail {
    struct lw_trail_step *steps;
    size_t count, room;
    unsigned root; /* the focus at the start, from which there is no step back */
};

/* ---- focus.c ---- */

/* Opens a part over that with the focus; one that has the focus already is unchanged. */
void lw_focus_open(struct lw_explorer *ex, unsigned focus);
/* Closes the part with the focus: the part under it gets the focus. */
void lw_focus_close(struct lw_explorer *ex);
/* The focus of the part under all others; for an edit that is the form. */
unsigned lw_focus_below(const struct lw_explorer *ex);
/* Whether a part has the focus, or is under the part that has it. */
bool lw_focus_shows(const struct lw_explorer *ex, unsigned focus);
/* The focus directly under a prompt, a page, the help or a question; without one, the focus. */
unsigned lw_focus_under(const struct lw_explorer *ex);

/* ---- trail.c ---- */

/* Adds a step: a step back from the next part leads here. To be called before list.entry changes. */
void lw_trail_push(struct lw_explorer *ex);
/* Removes the last step, if there is one. */
void lw_trail_drop(struct lw_explorer *ex);
/* Removes the steps from layouts to others, when another layout is chosen in the list, up to one that the list leads
 * back to. */
void lw_trail_drop_layouts(struct lw_explorer *ex);
/* Whether there is a second pane that no key opened: that of an operation. */
bool lw_trail_has_second(const struct lw_explorer *ex);
void lw_trail_free(struct lw_explorer *ex);

/* ---- back.c ---- */

/* Whether there is a step back from here. */
bool lw_back_leads(const struct lw_explorer *ex);
/* Whether Esc in the form undoes an edit, as the layout is not legal. */
bool lw_back_undoes(const struct lw_explorer *ex);
/* One step back; false: there is none, and nothing changed. */
bool lw_back(struct lw_explorer *ex);
/* The actions: Esc also stops a job; Backspace goes back by a wavefront while one is played; q quits if there is no
 * step back. */
void lw_back_key(struct lw_explorer *ex, int unused);
void lw_back_play(struct lw_explorer *ex, int unused);
void lw_back_quit(struct lw_explorer *ex, int unused);

#endif
