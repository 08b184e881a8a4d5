#ifndef LANEWAY_BROWSE_H
#define LANEWAY_BROWSE_H

/*
 * Kernels in the explorer: a folder is the list of the kernels in it, a kernel the list of its operations, the costliest
 * first, and of its layouts at the shapes that they are used at. Enter goes in, down to the layouts of an
 * operation in the view panes; Backspace goes back out.
 *
 * What is shown of a row is computed when the row is on the screen. Costs are asked for a moment before the first
 * screen, and the rest by a job; until it is done the operations stand as in the file.
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
    int list;                                         /* the one that has the keys */
    size_t at[LW_BROWSE_LISTS], top[LW_BROWSE_LISTS]; /* rows of the lists */
};

#define LW_BROWSING (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)

/* The operation in that row. */
size_t lw_browse_operation(const struct lw_browser *browser, size_t row);
/* The line of the source that an operation comes from; "" when it is not found. */
const char *lw_browse_quote(struct lw_browser *browser, size_t operation);
/* The rows of the list that has the keys, its chosen one and its first one on the screen. */
size_t lw_browse_rows(const struct lw_explorer *ex, size_t **at, size_t **top);
/* Where the lists are on the screen: of a folder the first alone; one that is folded away has height 0. */
struct lw_browse_rects {
    struct lw_rect list[LW_BROWSE_LISTS], detail;
};
void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects);
/* Appends what can be found of a row: all that is shown of it. */
void lw_browse_put_row(struct lw_explorer *ex, size_t row, struct lw_text *text);

#endif
