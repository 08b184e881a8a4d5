#ifndef LANEWAY_PRODUCT_H
#define LANEWAY_PRODUCT_H

/*
 * The product view: two layouts, and beside them the layout that is made of them, in tiles.
 *
 *     view_product.c    the view; local(3, 4).spatial(2, 3) of tilus, A * B of linear layouts
 *     product_cute.c    blocked_product(A, B), zipped_divide(A, B), ... of CuTe
 */

#include "laneway/calc.h"
#include "view/operand/operands.h"

enum { LW_PRODUCT_FIRST, LW_PRODUCT_SECOND, LW_PRODUCT_RESULT, LW_PRODUCT_STEPS = 6 };

/* A layout that is no product itself. */
struct lw_product_step {
    struct lw_text name;
    struct lw_map map;
};

/* A digit of the index in a mode of a result of CuTe, the fastest first: of the tile, or of the rest. */
struct lw_product_digit {
    int mode;
    bool rest;
    uint64_t size;
};

struct lw_product {
    struct lw_operands operands;
    const struct lw_product_kind *kind;
    struct lw_arena arena;
    const struct lw_calc_pair *pair; /* of what was computed: its operands and its result */
    /* Of tilus and of linear layouts: the steps; 0: there are too many, or one cannot be built. */
    int count;
    struct lw_product_step steps[LW_PRODUCT_STEPS];
    /* Of CuTe. */
    int digit_count;
    struct lw_product_digit digits[2 * LW_DIMS_MAX];
    struct lw_map whole; /* of a quotient: the index in A of each element, as an offset */
};

/* A factor of a product, and its element: digits of one of the product. */
struct lw_factor {
    const struct lw_map *map;
    const char *name;
    uint64_t element[LW_DIMS_MAX];
};
/* Sets the factors of which a product is made, at most LW_PRODUCT_STEPS, with their elements in one of the product;
 * returns how many, 0: they are unknown. */
int lw_product_factors(const struct lw_view *view, const uint64_t *out, struct lw_factor *factors);

struct lw_product_kind {
    /* Sets the layouts of the operands, which have their names, and the tiles of the view. False with the code LW_OK:
     * the subject is no product of this kind. */
    bool (*open)(struct lw_view *view, struct lw_error *err);
    /* The element of an operand that an element of the result is made of. */
    void (*part_of)(const struct lw_view *view, int part, const uint64_t *out, uint64_t *element);
    /* Appends how the owners of an element are computed, step by step; false: that is unknown. */
    bool (*explain)(const struct lw_view *view, const uint64_t *out,
                    struct lw_explanation *explanation);
};

extern const struct lw_product_kind lw_product_cute;

static inline struct lw_product *lw_product_of(const struct lw_view *view)
{
    return (struct lw_product *)view->state;
}

/* Computes the expression that the subject is the result of, and sets `pair`; the result may differ. False with
 * the code LW_OK: it is no product. */
bool lw_product_compute(struct lw_view *view, struct lw_error *err);

#endif
