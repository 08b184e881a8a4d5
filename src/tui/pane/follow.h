#ifndef LANEWAY_FOLLOW_H
#define LANEWAY_FOLLOW_H

/* The cells that are lit: those with the same thread, lane, warp, register or bank as the cursor. */

#include "tui/explore/explorer.h"
#include "core/subspace.h"
#include "view/view_parts.h"

struct lw_query;

struct lw_follow {
    bool on;                          /* something is followed */
    bool dims;                        /* the other cells are dimmed */
    bool parts;                       /* instead of a field: the elements that this one is made of,
                                         or is part of */
    bool shares;                      /* these are the ones of other operands that have an index in
                                         common with it */
    bool copies;                      /* an element may have several owners */
    const char *name;                 /* the name of the field */
    uint64_t value;                   /* its value at the cursor */
    const struct lw_subject *subject; /* the layout of the cursor; of an operand its own */
    struct lw_cell_field field;       /* of that subject */
    int operand;                      /* see lw_spot */
    const struct lw_spot *spot;       /* of the cursor */
    struct lw_shown shown;            /* the layout of its pane */
};

/* Whether a pane shows the layout that the cursor's is compared with: it has its own owners. */
bool lw_follow_compares(const struct lw_follow *follow, const struct lw_view_pane *pane);

/* Finds the field and the value that are lit. */
void lw_follow_begin(const struct lw_explorer *ex, struct lw_follow *follow);
/* Whether a spot of a pane is lit; only while follow->on. */
bool lw_follow_has(const struct lw_follow *follow, const struct lw_view_pane *pane,
                   const struct lw_spot *spot);
/* The same for cells of several elements (lit_blocks.c). */
struct lw_lit {
    const struct lw_follow *follow;
    struct lw_spot from; /* while follow->shares: the first element of the cursor's cell */
    bool whole;          /* any element of a cell counts; else its first one */
    bool everywhere;     /* each cell has elements that are lit: then none is shown lit */
    bool indices;        /* cells are hardware indices */
    /* Of a linear layout: the cursor's; what differs from it by an even number of ones in each mask is lit. */
    uint64_t target;
    uint64_t masks[LW_BITS_MAX];
    int count; /* the number of masks */
    /* For another layout: the cells that are lit. */
    bool listed;
    uint64_t across; /* cells in a row */
    uint8_t cells[LW_MERGED_CELLS / 8];
};
void lw_lit_begin(struct lw_lit *lit, const struct lw_follow *follow,
                  const struct lw_view_pane *pane);
/* Whether the cell at a row and column, with this spot of its first element, is lit; only while follow->on. */
bool lw_lit_has(const struct lw_lit *lit, const struct lw_view_pane *pane, uint64_t row,
                uint64_t col, const struct lw_spot *spot);
/* Finds the cells of several elements that have one that is marked, unless they are known (lit_blocks.c). */
void lw_marked_update(const struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether the cell at a row and column is one of them. */
bool lw_marked_has(const struct lw_marked *marked, const struct lw_view_pane *pane, uint64_t row,
                   uint64_t col);
/* Whether each cell of a picture has an element or index of the query, so that none is distinguished from the others;
 * false also where they are too many. */
bool lw_query_is_everywhere(const struct lw_view_pane *pane, const struct lw_query *query);
/* Follows the field of that name: "thread", "lane", "warp", "register" or "bank"; another name changes nothing. */
void lw_follow_choose(struct lw_explorer *ex, const char *name);
/* Appends "lane 9". */
void lw_follow_put(const struct lw_follow *follow, struct lw_text *text);

#endif
