#ifndef LANEWAY_BROWSE_H
#define LANEWAY_BROWSE_H

/*
 * Kernels in the explorer: a folder is a list of its kernels; a kernel has a list of its operations, highest cost
 * first, and a list of its layouts with the shapes that they are used at. Enter goes into a row, down to the
 * layouts of an operation in the view panes; Esc goes back.
 *
 * The columns of a row are computed when the row is on the screen. Costs are counted for a short time before the first
 * screen, the rest by a job; until it ends the operations are in file order.
 */

#include "kernel/reduce_picture.h"
#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "kernel/kernel_folder.h"
#include "laneway/kernel_cost.h"

/* The tables: the two lists of a kernel, and the list of a folder. */
enum {
    LW_BROWSE_OPERATIONS,
    LW_BROWSE_LAYOUTS,
    LW_BROWSE_LISTS,
    LW_BROWSE_FILES = LW_BROWSE_LISTS
};
enum {
    LW_BROWSE_TABLES = LW_BROWSE_LISTS + 1,
    LW_BROWSE_FILTER_MAX = 64,
    LW_BROWSE_COLUMNS_MAX = 24
};

/* A table: its rows are items (operations, layouts, files), sorted by a column and filtered by a text. */
struct lw_browse_table {
    size_t *rows; /* `count` items, in the shown order */
    size_t count;
    size_t at, top; /* the chosen row, and the first one shown */
    int sort;       /* the column, of lw_browse_columns; LW_BROWSE_BY_DEFAULT: none */
    bool reversed;
    uint32_t unknown; /* a bit for each column of numbers that no item has, when all are counted */
    uint32_t sparse;  /* a bit for each column of numbers that few items have */
    int natural[LW_BROWSE_COLUMNS_MAX]; /* the width of the content of each column */
    size_t measured;                    /* the number of counted items at that time, + 1; 0: not
                                           measured yet */
    bool moved;                         /* the user chose a row: the cursor stays on its item */
    bool jumped;                        /* the order has changed since the last drawing */
    size_t item;                        /* with `moved` that item, also while a filter hides it */
    char filter[LW_BROWSE_FILTER_MAX];
};
#define LW_BROWSE_BY_DEFAULT (-1)

/* The cost of a launch of a kernel in a folder. */
struct lw_folder_cost {
    bool done, read;    /* counted; the file could be read */
    bool trips_unknown; /* of a loop: it counts once */
    size_t operations, uncounted;
    size_t problems; /* in its text: what is after one may be left out */
    uint64_t wavefronts, ideal, sectors, ideal_sectors; /* of all its runs */
    struct lw_text notes; /* what these leave out, and why: a line for each, at most some */
};

/* A layout at a shape; type -1: without a shape. */
struct lw_layout_row {
    int encoding, type;
};

struct lw_browse_past;

struct lw_browser {
    struct lw_browse_past *past; /* `past_count` folders and kernels that were closed */
    size_t past_count;

    bool has_folder;
    struct lw_kernel_folder folder;
    struct lw_folder_cost *folder_costs; /* one for each file */
    size_t folder_counted;               /* the first ones are counted */
    size_t folder_uncounted;             /* the operations in them that are not counted */
    size_t folder_lacking;               /* the files whose costs leave something out */
    struct lw_kernel counting;           /* of the next file, while has_counting */
    struct lw_kernel_costs counting_costs;
    bool has_counting;
    int counting_part;

    bool has_kernel;
    char *path;
    int part; /* of the file, 1 the first */
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    struct lw_source_lines lines;
    char *
        *quotes; /* for each operation the line of its source; NULL: not read yet, "": not found */
    struct lw_layout_row *layouts;
    size_t layout_count;
    bool has_source; /* an operation has a position in the source */
    int list;        /* the active one */
    struct lw_browse_table tables[LW_BROWSE_TABLES];
};

#define LW_BROWSING (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)

/* ---- browse_columns.c ---- */

/* A number of an item, to sort by and to be shown. */
struct lw_browse_number {
    bool known;
    uint64_t value, then; /* `then` is compared if two values are equal */
};

/* A column of a table. */
struct lw_browse_column {
    const char *head;
    int width;  /* 0: the rest */
    int from;   /* it is shown on screens of this width or more, */
    int below;  /* and narrower than this; 0: on all of them */
    int source; /* 1: only if a row has a position in the source, -1: only if none has; 0: always */
    /* The number of an item; NULL: a column of text. */
    struct lw_browse_number (*number)(struct lw_browser *browser, size_t item);
    bool ascending; /* the smallest number first */
    /* Appends the shown text; NULL: the number. */
    void (*put)(struct lw_browser *browser, size_t item, struct lw_text *text);
    int drop; /* where there is no room for all, the column with the largest goes first; 0: stays */
    const char *by; /* what rows are sorted by, after "by"; NULL: the head is a word for it */
};
/* The number of items of a table without its filter. */
size_t lw_browse_items(const struct lw_browser *browser, int which);
/* The columns of a table; up to one without a head. */
const struct lw_browse_column *lw_browse_columns(int which);
/* Appends the text of an item in a column. */
void lw_browse_put(struct lw_browser *browser, const struct lw_browse_column *column, size_t item,
                   struct lw_text *text);
/* Whether a column of a table is on the screen: the screen is wide enough, and at least one of its numbers is known.
 * Names and costs stay longest. */
bool lw_browse_column_shows(const struct lw_explorer *ex, int which, int column);
/* Whether it is not, only because other columns have its room. */
bool lw_browse_column_is_dropped(const struct lw_explorer *ex, int which, int column);
/* Whether the keys sort by a column: it is on the screen, or of numbers and would be on a wider one. */
bool lw_browse_column_sorts(const struct lw_explorer *ex, int which, int column);
/* The least width of a column: numbers are not cut, long texts are. */
int lw_browse_least(const struct lw_browser *browser, int which, int column);
/* The column by which rows are sorted without a chosen one; LW_BROWSE_BY_DEFAULT: there is none. */
int lw_browse_default_column(const struct lw_explorer *ex, int which);
/* The order of a table when no column is chosen: by cost, if that is known for all. */
struct lw_browse_number lw_browse_default(struct lw_browser *browser, int which, size_t item);
const char *lw_browse_default_name(const struct lw_explorer *ex, int which);
/* Appends "; 50% of the kernel's excess", if the operation has excess and all are counted. */
void lw_browse_put_share(struct lw_browser *browser, size_t item, struct lw_text *text);
const struct lw_operation *lw_browse_operation_of(const struct lw_browser *browser, size_t item);
/* The cost of an operation; NULL: not counted yet. */
const struct lw_kernel_cost *lw_browse_cost_of(const struct lw_browser *browser, size_t item);
/* The source line of an operation; "" when it is not found. */
const char *lw_browse_quote(struct lw_browser *browser, size_t operation);

/* ---- browse_widths.c ---- */

void lw_browse_measure(struct lw_browser *browser, int which);
/* The columns of the screen for a table in a frame: a blank is at both of its edges. */
int lw_browse_room(int inside);
/* The widths of all columns in that number of columns of the screen, with one blank between them; 0: it is not
 * shown. */
void lw_browse_widths(const struct lw_explorer *ex, int which, int room,
                      int widths[LW_BROWSE_COLUMNS_MAX]);

/* ---- browse.c ---- */

/* Whether an operation has a type with that layout, of kernel->encodings. */
bool lw_browse_has_layout(const struct lw_kernel *kernel, const struct lw_operation *operation,
                          int layout);
/* Notes in an entry which access its operation is, the other operations with the layout of its shared memory, and why
 * an operation that is neither access nor conversion has no strip. `cost`: NULL when it is not known. */
void lw_browse_note(struct lw_entry *entry, const struct lw_kernel *kernel,
                    const struct lw_operation *operation, const struct lw_kernel_cost *cost);

/* ---- browse_entry.c ---- */

/* Appends "kernel.ttgir:1 tensor<64x1xi32, #blocked>": the types of several kernels can have one name. Returns the
 * length of the prefix that those of one kernel have. */
size_t lw_browse_put_layout_source(const struct lw_browser *browser,
                                   const struct lw_layout_row *row, struct lw_text *source);
/* Appends the SOURCE that an operation or a layout is opened as. */
void lw_browse_source(const struct lw_browser *browser, int which, size_t item,
                      struct lw_text *text);
/* Whether a SOURCE is of that operation: "kernel.ttgir:36", or of one of its conversions, "kernel.ttgir:36, 2". */
bool lw_browse_is_of(const struct lw_browser *browser, size_t operation, const char *source);
/* Notes in the entry on the screen which conversion of a reduction it is, and shows a message with its cost. */
void lw_browse_note_conversion(struct lw_explorer *ex, const struct lw_reduce_picture *picture,
                               const struct lw_kernel_cost *cost);
/* Opens the kernel of the conversion on the screen, which stays there, if another kernel was opened since. */
bool lw_browse_reopen(struct lw_explorer *ex, struct lw_error *err);

/* ---- browse_table.c ---- */

/* Sorts and filters the rows again; a chosen row stays on its item if the table still has it. */
void lw_browse_arrange(struct lw_explorer *ex, int which);
/* From now on the cursor stays on its item, in other orders and after filters. */
void lw_browse_keep(struct lw_browser *browser, int which);
/* Ends all sorting, filtering and choosing of a table. */
void lw_browse_reset(struct lw_explorer *ex, int which);
/* Whether the text is in any column of an item, ignoring case; an empty text is in all. */
bool lw_browse_row_has(struct lw_browser *browser, int which, size_t item, const char *query);
/* Sorts the active table by a column; by the same column again: in reverse order. */
void lw_browse_sort_by(struct lw_explorer *ex, int column);
/* The active table. */
int lw_browse_active(const struct lw_explorer *ex);
/* "operation", of several "operations". */
const char *lw_browse_name(int which, size_t count);
/* Reports why the active table has no row. */
void lw_browse_report_empty(struct lw_explorer *ex);
/* The chosen item of a table; SIZE_MAX: it has no row. */
size_t lw_browse_chosen(const struct lw_browser *browser, int which);

/* ---- browse_past.c ---- */

/* Keeps the order, the filter and the chosen row of the tables of a folder (part 0), or of a kernel, before it is
 * closed. */
void lw_browse_past_keep(struct lw_browser *browser, const char *path, int part);
/* Arranges the tables of a folder or a kernel, which has just been opened, as they were kept, if they were. */
void lw_browse_past_return(struct lw_explorer *ex, const char *path, int part);
void lw_browse_past_free(struct lw_browser *browser);

/* ---- draw_browse_detail.c ---- */

/* Appends "shared: STS x1, LDS x1; 8 wavefronts, ideal 8, nothing over it". */
void lw_browse_put_cost(const struct lw_kernel_cost *cost, struct lw_text *text);
/* Appends "4 operations; wavefronts 160 (ideal 16), sectors 1024 (ideal 1024)" of a file of the folder. */
void lw_browse_put_file(const struct lw_folder_cost *cost, struct lw_text *text);
/* Draws the chosen row of the active table in full; returns the rows used. `surface` NULL: only counts them. */
int lw_draw_browse_detail(const struct lw_explorer *ex, struct lw_surface *surface,
                          struct lw_rect inside);

/* ---- browse_rows.c ---- */

/* The tables on the screen: a folder has only the first; a hidden one has height 0. */
struct lw_browse_rects {
    struct lw_rect list[LW_BROWSE_LISTS], detail;
};
void lw_browse_rects(const struct lw_explorer *ex, struct lw_browse_rects *rects);

/* ---- folder_costs.c ---- */

/* Counts the costs of the folder's kernels by a job; continues where it was stopped. */
void lw_folder_costs_start(struct lw_explorer *ex);
/* Sets the sums of *sum to those of all kernels; false: not all are counted yet. */
bool lw_folder_costs_sum(const struct lw_browser *browser, struct lw_kernel_costs *sum);
/* Appends how many files could not be read, and how many have errors: what the sums leave out; else nothing. */
void lw_folder_costs_put_unread(const struct lw_browser *browser, struct lw_text *text);
/* Whether the cost of a file leaves something out: its notes have what. */
bool lw_folder_cost_lacks(const struct lw_folder_cost *cost);
void lw_folder_costs_free(struct lw_browser *browser);

/* ---- browse_open.c ---- */

/* Opens a kernel of a file with several; the first is part 1; `path` may be the browser's own. */
bool lw_browse_open_part(struct lw_explorer *ex, const char *path, int part, struct lw_error *err);

/* browse_scan.c */
/* Whether an operation is a scan whose operand and result have one layout, which is shown once. */
bool lw_browse_is_scan(const struct lw_kernel *kernel, const struct lw_operation *operation);
/* The colours that show what shares the scanned dim: warps, lanes or registers; NULL: that is not known. */
const char *lw_browse_scan_color(const struct lw_kernel_cost *cost);
/* Shows a message with what a scan exchanges. */
void lw_browse_report_scan(struct lw_explorer *ex, const struct lw_operation *operation,
                           const struct lw_kernel_cost *cost);

#endif
