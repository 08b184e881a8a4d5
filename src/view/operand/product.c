/* What all kinds of products share. */

#include "view/operand/product.h"

struct lw_product *lw_product_of(const struct lw_view *view)
{
    return (struct lw_product *)view->state;
}

bool lw_product_compute(struct lw_view *view, struct lw_error *err)
{
    struct lw_product *product = lw_product_of(view);
    struct lw_calc_result result;
    struct lw_calc_work work = {.arena = &product->arena, .pair = &product->pair};
    err->code = LW_OK;
    return view->subject->expression &&
           lw_calc(view->subject->expression, NULL, 0, &work, &result, err) && product->pair;
}
