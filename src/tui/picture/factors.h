#ifndef LANEWAY_FACTORS_H
#define LANEWAY_FACTORS_H

/*
 * The factors of a product of tilus, local(2, 1).spatial(8, 4).local(1, 2), beside it: small grids, in which the
 * digits of the element under the cursor are lit. An index of the product has one digit in each factor, the last
 * factor's the fastest; thread and local are made of the digits likewise.
 */

#include "tui/picture/owner_grid.h"

enum { LW_FACTORS_MAX = 5 };

struct lw_factor {
    struct lw_opened opened;
    struct lw_owner_grid grid;
    struct lw_lit lit;
    struct lw_text name;         /* "spatial(8, 4)" */
    uint64_t size[LW_DIMS_MAX];  /* of each dim */
    uint64_t digit[LW_DIMS_MAX]; /* of the element under the cursor */
    uint64_t threads, locals;    /* how many it has */
};

struct lw_factors {
    int count; /* 0: it is not a product of that kind */
    struct lw_factor *factor;
};

/* Opens the factors of an encoding; none where it is another one. */
void lw_factors_open(struct lw_factors *factors, const struct lw_encoding *encoding);
void lw_factors_close(struct lw_factors *factors);
/* Goes to the digits of an element; `on`: they are lit. */
void lw_factors_follow(struct lw_factors *factors, const uint64_t *out, bool on);
/* The columns that they need, side by side. */
int lw_factors_width(struct lw_factors *factors);
/* Draws them in a rectangle of that width. */
void lw_factors_draw(struct lw_factors *factors, struct lw_surface *surface, struct lw_rect rect);
/* Adds the digits of the element and how thread and local are made of them. */
void lw_factors_explain(const struct lw_factors *factors, struct lw_explanation *explanation);

#endif
