#ifndef LANEWAY_QUERY_H
#define LANEWAY_QUERY_H

/* Queries of find. An element `3,5`, a hardware index `t17`, `w1 l3 r0`, `T17:2`, or a `bank 7`.
 * A query for hardware indices fixes some input dims; the others are free. */

#include "laneway/view.h"

struct lw_query {
    bool element; /* only numbers: an index of the tensor */
    int numbers;
    uint64_t number[LW_DIMS_MAX];
    int named;               /* numbers with the name of a dim, such as w1 */
    char name[24];           /* the full name of the last one: "warp" */
    bool fixed[LW_DIMS_MAX]; /* by input dim */
    uint64_t value[LW_DIMS_MAX];
    /* Of a dim `thread`, unless it is fixed: its lane and warp; its value is that of the first such thread. */
    bool has_lane, has_warp;
    uint64_t lane, warp;
    bool bank;
    uint64_t bank_number;
    char why[192]; /* why this layout has no answer to a correct query */
    bool foreign;  /* it names a number that this layout's hardware index does not have */
};

/* False: the text is not a query. */
bool lw_query_read(struct lw_query *q, const struct lw_subject *subject, const char *text);
/* Matching hardware index number k, counting the free dims in order; returns how many match. */
uint64_t lw_query_index(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                        uint64_t *in);

/* Appends what a bank of a memory holds, its neighbours in a row as one: "7 holds 32 elements: (0,14-15) (1,6-7) ...".
 * Of more than 1024 offsets these are examined: "7 holds more than 1024". */
void lw_put_bank(struct lw_text *text, const struct lw_subject *subject, uint64_t bank);

#endif
