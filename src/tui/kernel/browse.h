#ifndef LANEWAY_BROWSE_H
#define LANEWAY_BROWSE_H

/*
 * Kernels in the explorer: a folder is a list of its kernels; a kernel has a list of its operations, highest cost
 * first, and a list of its layouts with the shapes that they are used at. Enter goes into a row, down to the
 * layouts of an operation in the view panes; Esc goes back.
 *
 * The columns of a row are computed when the row is on the screen. Costs are counted for a moment before the
 * first screen, the rest by a job; until it ends the operations are in file order.
 */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "kernel/kernel_folder.h"
#include "laneway/kernel_cost.h"

/* Which list of a kernel. */
enum { LW_BROWSE_OPERATIONS, LW_BROWSE_LAYOUTS, LW_BROWSE_LISTS };

/* A layout at a shape; type -1: at none. */
struct lw_layout_row {
    int encoding, type;
};

struct lw_browser {
    bool has_folder;
    struct lw_kernel_folder folder;
    size_t file, file_top;

    bool has_kernel;
    char *path;
    int part; /* of the file, 1 the first */
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    struct lw_source_lines lines;
    char **
        quotes; /* for each operation the line of its source; NULL: not looked for, "": not found */
    struct lw_layout_row *layouts;
    size_t layout_count;
    int list;                                         /* the active one */
    size_t at[LW_BROWSE_LISTS], top[LW_BROWSE_LISTS]; /* rows of the lists */
};

#define LW_BROWSING (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)

/* ---- browse_rows.c ---- */

/* A column of a list. */
struct lw_browse_column {
    const char *head;
    int width; /* 0: the rest */
    int from;  /* it is shown on screens of this width or more, */
    int below; /* and narrower than this; 0: on all of them */
    bool right;
    void (*put)(struct lw_browser *browser, size_t row, struct lw_text *text);
};
/* Of LW_BROWSE_OPERATIONS, LW_BROWSE_LAYOUTS, else of a folder; up to one without a head. */
const struct lw_browse_column *lw_browse_columns(int list);
/* The number of the operation in a row, the operation, and its cost; NULL: not counted yet. */
size_t lw_browse_operation(const struct lw_browser *browser, size_t row);
const struct lw_operation *lw_browse_operation_of(const struct lw_browser *browser, size_t row);
const struct lw_kernel_cost *lw_browse_cost_of(const struct lw_browser *browser, size_t row);
/* The source line of an operation; "" when it is not found. */
const char *lw_browse_quote(struct lw_browser *browser, size_t operation);
/* How many rows the active list has, its chosen row and its first one on the screen. */
size_t lw_browse_rows(const struct lw_explorer *ex, size_t **at, size_t **top);
/* The lists on the screen: a folder has only the first; a hidden one has height 0. */
struct lw_browse_rects {
    struct lw_rect list[LW_BROWSE_LISTS], detail;
};
void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects);
/* Appends the text of all columns of a row, for searching. */
void lw_browse_put_row(struct lw_explorer *ex, size_t row, struct lw_text *text);

/* ---- browse_open.c ---- */

/* Opens a kernel of a file with several, the first is part 1; `path` may be the browser's own. */
bool lw_browse_open_part(struct lw_explorer *ex, const char *path, int part, struct lw_error *err);

#endif
