#ifndef LANEWAY_MERGED_H
#define LANEWAY_MERGED_H

/* Cells of several elements: whether these have one colour. If each cell has one of a few sets of values, its colour is
 * that of the set: of warps 0 and 2, of warps 1 and 3. */

#include "core/subspace.h"
#include "laneway/text.h"

#include <stdbool.h>
#include <stdint.h>

struct lw_view_pane;

enum lw_merged_kind {
    LW_MERGED_NOT,    /* cells have one element, or no colour */
    LW_MERGED_PURE,   /* in each cell all elements have one colour */
    LW_MERGED_MIXED,  /* in no cell all elements have one colour */
    LW_MERGED_SOME,   /* in some cells all elements have one colour: those without a bit */
    LW_MERGED_UNKNOWN /* too many elements to look at */
};

#define LW_MERGED_CELLS (1 << 15) /* the most cells for which bits are kept */
#define LW_MERGED_MARK "+"        /* without pale colours */

struct lw_merged {
    bool known; /* up to date for the view, the zoom and the colours */
    enum lw_merged_kind kind;
    uint64_t each, all;   /* the number of values of a cell, 0: not the same for all; the number of
                             all values */
    uint64_t across;      /* cells in a row */
    struct lw_space span; /* with `each`: the values of a cell differ by these */
    uint64_t
        band; /* so many consecutive values, of all in a cell, have one colour; 0: each set has one */
    uint8_t bits[LW_MERGED_CELLS / 8];
};

/* The cells of several elements that have one that is marked. */
struct lw_marked {
    bool known, on;
    bool whole;       /* no mark is left out: else the first element of a cell counts */
    unsigned version; /* of the marks */
    uint64_t across;  /* cells in a row */
    uint8_t cells[LW_MERGED_CELLS / 8];
};

/* In which part of the cells of the pane a value of a field is: 1: every cell has all values, 2: in every second one,
 * ...; UINT64_MAX: it is not known. */
uint64_t lw_merged_share(const struct lw_view_pane *pane, const char *field);
/* Updates this for the cells of a pane, if something has changed. */
void lw_merged_update(struct lw_view_pane *pane);
/* Whether the elements of the cell at a row and column differ in colour. */
bool lw_merged_is_mixed(const struct lw_view_pane *pane, uint64_t row, uint64_t col);
/* Whether each cell of the pane has one of several sets of values, and their number; the set with a value; the text of
 * a set: "0,2". */
bool lw_merged_sets(const struct lw_view_pane *pane, uint64_t *count);
uint64_t lw_merged_set_of(const struct lw_view_pane *pane, uint64_t value);
/* Appends what the numbers of the sets are of: "warp", or "register/512" of 512 consecutive ones each. */
void lw_merged_put_name(const struct lw_view_pane *pane, struct lw_text *text);
void lw_merged_put_set(const struct lw_view_pane *pane, uint64_t set, struct lw_text *text);
/* Replaces the letter of a cell's first value by that of its set, if the set is of consecutive values. */
void lw_merged_put_letter(const struct lw_view_pane *pane, uint64_t set, struct lw_text *text);
/* Appends the meaning of the letters in cells: "lane: a-v = 10-31". */
void lw_merged_put_letters(const struct lw_view_pane *pane, struct lw_text *text);
/* Appends to two lines what cells with all threads, or half of them, are, "each cell holds 64x32 elements, of all 128
 * threads", and after how many elements these repeat; nothing for others. */
void lw_merged_explain(const struct lw_view_pane *pane, struct lw_text lines[2]);
/* Appends what a cell is: " a cell is 2x4, pale: several lanes ", or with marks in place of pale colours. */
void lw_merged_put(const struct lw_view_pane *pane, bool marks, struct lw_text *text);

#endif
