#ifndef LANEWAY_COPY_H
#define LANEWAY_COPY_H

/* Copies to the clipboard, and exports into a file in any format. */

#include "laneway/export.h"
#include "tui/terminal/events.h"

struct lw_explorer;
struct lw_view_pane;

struct lw_clipboard {
    struct lw_text text; /* to be copied */
    char label[120];     /* its name in the message */
};

/* copy.c */
void lw_copy(struct lw_explorer *ex, int command); /* cells, or the command line */
/* Writes the copied text to a file, and reports where it is: in that file, or also in the clipboard. */
void lw_copied(struct lw_explorer *ex, enum lw_copied clipboard);
/* Appends the command that prints this view, as typed into a shell. */
void lw_put_command(const struct lw_explorer *ex, struct lw_text *text);
/* Opens the view of a pane with its full text, as a command prints it, and finds the selected cells. */
bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_export_options *options, struct lw_error *err);

/* export_file.c */
void lw_export_to(struct lw_explorer *ex, const char *path);
void lw_export_prompt(struct lw_explorer *ex, int unused);

#endif
