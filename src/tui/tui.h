#ifndef LANEWAY_TUI_H
#define LANEWAY_TUI_H

/*
 * The explorer: state, update, draw.
 *
 * lw_tui_run opens a terminal and runs the explorer until the user leaves, or runs a script of
 * actions with no terminal at all. It returns the exit status of the program: 0, or 2 with a
 * message in *err.
 */

#include "laneway/document.h"
#include "laneway/view.h"

enum lw_color_mode { LW_COLOR_AUTO, LW_COLOR_ALWAYS, LW_COLOR_NEVER };

/* The program's own command line, for the explorer's: the same words, the same reader. */
struct lw_tui_shell {
    const void *context; /* the first argument of the functions */
    /* Runs a line; `it` is the layout on the screen. False: it is none of the program's commands. What
     * is printed and what is complained of are appended. */
    bool (*run)(const void *context, const char *line, const char *it, struct lw_text *printed,
                struct lw_text *error_text);
    /* Appends word number i of those that may stand where the last word of `line` begins; false:
     * there are no more. */
    bool (*complete)(const void *context, const char *line, size_t i, struct lw_text *word);
};

struct lw_tui_options {
    const struct lw_tui_shell *shell; /* NULL: none */
    const char *const *sources;       /* `count` of them; none: the gallery */
    size_t count;
    const char *lesson; /* the lesson to begin with, by number, name or file; NULL: none */
    bool lessons;       /* begin in the list, at the lessons */
    const char *start;  /* the gallery entry to begin at; NULL: the first */
    const char *with; /* the second layout of every source, as a SOURCE; NULL: the document's own */
    const char *type; /* -t, or NULL */
    const char *element;     /* --element, or NULL */
    const char *const *sets; /* "name=value", `set_count` of them, applied to every source */
    size_t set_count;
    const struct lw_hardware
        *hardware;    /* the target that was asked for; NULL: the kernel's, or the usual one */
    const char *view; /* the view to open with; NULL: the document's */
    const char *cell; /* a cell format; NULL: the document's */
    const char *color_by;
    const char *theme; /* its name; NULL: the settings' */
    enum lw_color_mode color;
    bool ascii;
    bool no_mouse;
    bool writes_nothing; /* neither saves nor exports: for tests */
    const char *script;  /* a file of actions; NULL: a terminal */
};

int lw_tui_run(const struct lw_tui_options *options, struct lw_error *err);

#endif
