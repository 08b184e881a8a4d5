#ifndef LANEWAY_FOCUS_H
#define LANEWAY_FOCUS_H

/*
 * The focus: which part takes the keys, what lies under it, and where a step back leads.
 *
 * A prompt, a page, the help, a question or a list of choices opens over another part and closes to it
 * again; they may lie over each other. The parts under them (view, form, list, kernel, folder) form a trail:
 * what opens a layout from another one, from a kernel or from the list leaves a step there.
 */

#include <stdbool.h>
#include <stddef.h>

struct lw_explorer;

#define LW_OVER_MAX 4

/* What lies under the focus, the lowest first; empty unless the focus is something that opens over others. */
struct lw_over {
    unsigned below[LW_OVER_MAX];
    int count;
};

/* Where something was opened from. */
struct lw_trail_step {
    unsigned focus;
    size_t entry;                       /* of the list */
    size_t view;                        /* that the first pane showed */
    bool has_second;                    /* there was a second pane that no key opened, */
    size_t second_view;                 /* with this view */
    enum lw_side second_side;           /* of this layout */
    char *kernel;                       /* of KERNEL and FOLDER: the path, owned; else NULL */
    int part;                           /* of the kernel's file */
    const struct lw_hardware *hardware; /* that layouts had, as a kernel sets its own */
};

struct lw_trail {
    struct lw_trail_step *steps;
    size_t count, room;
    unsigned root; /* the focus at the start, where there is no step back */
};

/* ---- focus.c ---- */

/* Puts something over what has the focus; what has it already stays. */
void lw_focus_open(struct lw_explorer *ex, unsigned focus);
/* Closes what has the focus: what is under it has it again. */
void lw_focus_close(struct lw_explorer *ex);
/* The focus of the part that lies under everything else; of an edit that is the form. */
unsigned lw_focus_below(const struct lw_explorer *ex);
/* Whether it has the focus, or lies under what has it. */
bool lw_focus_shows(const struct lw_explorer *ex, unsigned focus);
/* The focus directly under a prompt, a page, the help or a question; without one, the focus. */
unsigned lw_focus_under(const struct lw_explorer *ex);

/* ---- trail.c ---- */

/* Leaves a step: what is opened next leads back here. To be called before list.entry changes. */
void lw_trail_push(struct lw_explorer *ex);
/* Takes the last step away; nothing where there is none. */
void lw_trail_drop(struct lw_explorer *ex);
/* Another layout was chosen in the list: steps from layouts to others lead nowhere now. */
void lw_trail_forget_layouts(struct lw_explorer *ex);
/* Whether there is a second pane that no key opened: that of an operation. */
bool lw_trail_has_second(const struct lw_explorer *ex);
void lw_trail_free(struct lw_explorer *ex);

/* ---- back.c ---- */

/* Whether there is a step back from here. */
bool lw_back_leads(const struct lw_explorer *ex);
/* One step back; false with nothing changed where there is none. */
bool lw_back(struct lw_explorer *ex);
/* The actions: Esc also stops what is being counted; Backspace goes back a wavefront while one is played; q
 * quits where there is no step back. */
void lw_back_key(struct lw_explorer *ex, int unused);
void lw_back_play(struct lw_explorer *ex, int unused);
void lw_back_quit(struct lw_explorer *ex, int unused);

#endif
