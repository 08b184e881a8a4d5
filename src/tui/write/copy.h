#ifndef LANEWAY_COPY_H
#define LANEWAY_COPY_H

/* Copies to the clipboard, and exports into a file in any format. */

#include "laneway/export.h"
#include "tui/terminal/events.h"

struct lw_follow;

struct lw_explorer;
struct lw_view_pane;

struct lw_clipboard {
    struct lw_text text; /* to be copied */
    char label[240];     /* its name in the message */
};

/* copy.c */
void lw_copy(struct lw_explorer *ex, int command); /* cells, or the command line */
/* Writes the copied text to a file, and reports where it is: in that file, or also in the clipboard. */
void lw_copied(struct lw_explorer *ex, enum lw_copied clipboard);
/* Writes which panes of the screen are beside the active one, "the other pane (Owners: mma/m16n8k16.c)"; "": none. */
#define LW_PANES_LEFT_MAX 120
void lw_panes_put_others(const struct lw_explorer *ex, char others[LW_PANES_LEFT_MAX]);
/* Writes how much a format makes of a view, "4096 x 4096 cells, about 58 MB", if that is so much that there is a
 * question first; false: it is not, or the format refuses it. */
#define LW_COPY_SIZE_MAX 80
bool lw_copy_is_large(const struct lw_view *view, const struct lw_format *format,
                      const struct lw_export_options *options, char size[LW_COPY_SIZE_MAX]);

/* copy_command.c: appends the command that prints this view, as typed into a shell; returns how many marks it leaves
 * out. */
size_t lw_put_command(const struct lw_explorer *ex, struct lw_text *text);

/* copy_view.c */
/* The format of the cells that a view is opened with; it must live as long. */
struct lw_copy_format {
    const char *cell; /* NULL: the view's default */
    char text[40];
};
/* Opens the view of a pane as a command prints it, with the text that its cells have on the screen, and finds the
 * selected cells. */
bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_copy_format *format, struct lw_export_options *options,
                  struct lw_error *err);
/* Finds what is lit while the other cells are dimmed; else lit->on is false. */
void lw_copy_lit(const struct lw_explorer *ex, struct lw_follow *lit);
/* Whether a cell of a view that is written, of a pane, is marked, is lit so, or differs from the compared layout. */
bool lw_copy_has_mark(const struct lw_explorer *ex, const struct lw_follow *lit,
                      const struct lw_view_pane *pane, const struct lw_view *view, uint64_t row,
                      uint64_t col);

/* export_file.c */
void lw_export_to(struct lw_explorer *ex, const char *path);
void lw_export_prompt(struct lw_explorer *ex, int unused);

#endif
