#ifndef LANEWAY_COMPARE_LAYOUTS_H
#define LANEWAY_COMPARE_LAYOUTS_H

/* The comparison of the layouts with others. */

#include "laneway/owners.h"
#include "laneway/document.h"
#include "tui/explore/view_panes.h"

struct lw_diff {
    struct lw_comparison comparison, turned; /* of the layout with the other, and of the other with
                                                the layout */
    bool converts;           /* only one of the two is of tilus: `converted` is that one */
    struct lw_map converted; /* in registers, lanes and warps */
    bool by_steps;           /* both are linear and hold every element */
    bool fits;               /* else `why` */
    struct lw_error why;
    bool counted, counting;
    uint64_t differing, held; /* the number of elements that differ, of `held`; until counting ends,
                                 of those counted */
    uint64_t shared;          /* of the differing ones those that have an owner in both */
    uint64_t total;           /* the number of elements to be compared, when they are counted */
    struct lw_dims box;
};

struct lw_compare_state {
    struct lw_diff diff[LW_SIDES]; /* of the layouts at each side */
    char other_name[512],
        own_name[512]; /* the name of the document to compare with, and of that on the screen */
    /* The document to compare with, and its SOURCE, "" if it has none; the target of a lesson is not kept. */
    bool has_doc;
    struct lw_document doc;
    char source[512];
    bool edited;       /* the layout is compared with itself before its edits */
    bool leads;        /* it began after the last search: `n` goes to cells that differ */
    char last[512];    /* the SOURCE of the last comparison; "": none, or it is longer */
    size_t last_entry; /* the entry of the list in the last comparison */
    bool last_any;     /* it is shown even if the two cannot be compared */
    struct { /* the cursor in a view of several layouts, which a comparison does not have */
        bool kept, has_spot;
        size_t view;
        uint64_t row, col;
        struct lw_spot spot;
    } before;
};

/* Begins the comparison of two maps. The maps must live longer, and *diff must not be moved. */
void lw_diff_make(struct lw_diff *diff, const struct lw_map *a, const struct lw_map *b,
                  uint64_t lanes);

/* Compares with the last document, else with the document as it was read; ends a comparison. */
void lw_compare_toggle(struct lw_explorer *ex, int unused);
void lw_compare_with(struct lw_explorer *ex, const char *source);
/* Shows a document beside the one on the screen, also if their elements cannot be compared. Without a SOURCE it is the
 * target of a lesson, which is only drawn. */
void lw_compare_show(struct lw_explorer *ex, const struct lw_document *doc, const char *name,
                     const char *source);
void lw_compare_refresh(struct lw_explorer *ex); /* a layout has changed */
/* Whether an entry of the list is one of the two that are compared. */
bool lw_compare_has_entry(const struct lw_explorer *ex, size_t entry);
void lw_compare_end(struct lw_explorer *ex);
/* The name of one of the two in a title: two long ones begin at the first parameter that differs. */
const char *lw_compare_name(const struct lw_explorer *ex, bool other);
/* The name of the layout of before the edits. */
#define LW_COMPARE_AS_READ "as it was read"

/* "2 of 4 elements differ", or with `equal` "2 of 4 elements are equal". */
void lw_compare_put(const struct lw_explorer *ex, bool equal, struct lw_text *text);
/* state.c: the view that the first pane has after the comparison, if that ends now. */
size_t lw_compare_view_after(const struct lw_explorer *ex);
/* The next cell that differs, or the one before; false: nothing is compared. */
bool lw_compare_next(struct lw_explorer *ex, int by);
bool lw_compare_finds(const struct lw_explorer *ex); /* there may be such a cell in the view */
/* Adds the owners in the other layout of the element of a spot, which is the one that is explained. */
void lw_compare_explain(const struct lw_explorer *ex, const struct lw_spot *spot,
                        struct lw_explanation *explanation);
bool lw_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                const struct lw_spot *spot);
/* Whether pictures of a side mark the elements that are equal: most of them differ, and marks of these would hide the
 * owners. */
bool lw_compare_marks_equal(const struct lw_explorer *ex, enum lw_side side);
/* The same for the cell at a row and column, which may have several elements: whether any of them differs, or if they
 * are too many, the first. */
bool lw_cell_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane, uint64_t row,
                     uint64_t col);
bool lw_cells_compare_all(const struct lw_explorer *ex, const struct lw_view_pane *pane);

/* compare_cells.c: the cells of a picture, which may have several elements. */
enum lw_cell_diff {
    LW_CELL_EQUAL,  /* no element of the cell differs */
    LW_CELL_PART,   /* some differ, others do not, or are too many to be examined */
    LW_CELL_DIFFERS /* all differ */
};
enum lw_cell_diff lw_cell_compare(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                  uint64_t row, uint64_t col);
/* The number of elements of a cell that differ, and of all. */
uint64_t lw_cell_count_differing(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                 uint64_t row, uint64_t col, uint64_t *all);
/* Whether the pane's picture marks differences: there are some, or may be. */
bool lw_pane_compares(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* Whether a cell on the screen differs in part; whether a cell that differs may look the same in both layouts, as its
 * look is not that of one thread. */
bool lw_pane_has_parts(const struct lw_explorer *ex, struct lw_view_pane *pane);
bool lw_pane_hides_moves(const struct lw_explorer *ex, struct lw_view_pane *pane);

#endif
