#ifndef LANEWAY_COPY_H
#define LANEWAY_COPY_H

/* What goes out of the explorer: to the clipboard, or into a file in any format. */

#include "laneway/export.h"
#include "tui/terminal/events.h"

struct lw_explorer;
struct lw_view_pane;

struct lw_clipboard {
    struct lw_text text; /* to be copied */
    char label[80];      /* what it is, for the message */
};

/* copy.c */
void lw_copy(struct lw_explorer *ex, int command); /* cells, or the command line */
/* `clipboard` has gone to the clipboard, or has to go to a file. */
void lw_copied(struct lw_explorer *ex, enum lw_copied clipboard);
/* Appends the command that prints this view, as typed into a shell. */
void lw_put_command(const struct lw_explorer *ex, struct lw_text *text);
/* The view of a pane with its full text, as a command prints it, and what of it is selected. */
bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_export_options *options, struct lw_error *err);

/* export_file.c */
void lw_export_to(struct lw_explorer *ex, const char *path);
void lw_export_prompt(struct lw_explorer *ex, int unused);

#endif
