#ifndef LANEWAY_FOLLOW_H
#define LANEWAY_FOLLOW_H

/* What is lit: the cells that have the same thread, lane, warp, register or bank as the cursor. */

#include "tui/explore/explorer.h"
#include "core/subspace.h"
#include "view/view_parts.h"

struct lw_follow {
    bool on;                          /* something is followed */
    bool dims;                        /* the rest is dimmed */
    bool parts;                       /* no field: what the element is made of, or makes */
    bool copies;                      /* an element may have several owners */
    const char *name;                 /* of the field */
    uint64_t value;                   /* that the cursor has of it */
    const struct lw_subject *subject; /* that the cursor is in; of an operand its own */
    struct lw_cell_field field;       /* of that subject */
    int operand;                      /* see lw_spot */
    const struct lw_spot *spot;       /* of the cursor */
    struct lw_shown shown;            /* the layout of its pane */
};

/* Whether a pane shows the layout that the cursor's is compared with: there its own owners count. */
bool lw_follow_compares(const struct lw_follow *follow, const struct lw_view_pane *pane);

/* Finds what is lit now. */
void lw_follow_begin(const struct lw_explorer *ex, struct lw_follow *follow);
/* Whether a spot of a pane is lit; only while follow->on. */
bool lw_follow_has(const struct lw_follow *follow, const struct lw_view_pane *pane,
                   const struct lw_spot *spot);
/* The same for cells of several elements (lit_blocks.c). */
struct lw_lit {
    const struct lw_follow *follow;
    bool whole;   /* any element of a cell counts; else its first one */
    bool indices; /* cells are hardware indices */
    /* Of a linear layout: the cursor's; what differs from it by an even number of ones in each mask is lit. */
    uint64_t target;
    uint64_t masks[LW_BITS_MAX];
    int count; /* of masks */
    /* Of another one: the cells that are lit. */
    bool listed;
    uint64_t across; /* cells in a row */
    uint8_t cells[LW_MERGED_CELLS / 8];
};
void lw_lit_begin(struct lw_lit *lit, const struct lw_follow *follow,
                  const struct lw_view_pane *pane);
/* Whether the cell at a row and column is lit, of whose first element this is the spot; only while follow->on. */
bool lw_lit_has(const struct lw_lit *lit, const struct lw_view_pane *pane, uint64_t row,
                uint64_t col, const struct lw_spot *spot);
/* Follows the field of that name: "thread", "lane", "warp", "register" or "bank"; another name changes nothing. */
void lw_follow_choose(struct lw_explorer *ex, const char *name);
/* "lane 9" */
void lw_follow_put(const struct lw_follow *follow, struct lw_text *text);

#endif
