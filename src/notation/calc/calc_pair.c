/* What a result has of its operands: products and quotients, A * B of linear layouts and those of CuTe; the elements.
 */

#include "notation/calc/calc_table.h"

/* Whether an operation makes a layout of two layouts, and how. */
static bool find_kind(const struct lw_calc_operation *operation, enum lw_calc_pair_kind *kind)
{
    if (operation->run == lw_calc_run_cute_blocked_product)
        *kind = operation->core.flag ? LW_CALC_PAIR_RAKED : LW_CALC_PAIR_BLOCKED;
    else if (operation->run == lw_calc_run_cute_tiles)
        *kind = operation->core.tile.of == lw_cute_divide ? LW_CALC_PAIR_DIVIDED
                                                          : LW_CALC_PAIR_REPEATED;
    else if (operation->on == LW_CALC_OPERATOR && operation->result == LW_CALC_LAYOUT)
        *kind = LW_CALC_PAIR_PRODUCT;
    else
        return false;
    return true;
}

static bool is_same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == LW_CALC_LAYOUT
               ? lw_layout_equal(&a->as.layout, &b->as.layout)
               : a->kind == LW_CALC_CUTE && lw_cute_equal(&a->as.cute, &b->as.cute);
}

bool lw_calc_keep_pair(struct lw_calculation *calc, const struct lw_calc_call *call,
                       const struct lw_calc_result *result)
{
    enum lw_calc_pair_kind kind;
    if (!calc->keeps_pairs || !find_kind(call->operation, &kind))
        return true;
    struct lw_calc_pair *pair = lw_arena_alloc(calc->arena, sizeof *pair);
    if (!pair)
        return lw_scan_out_of_memory(calc->scan);
    const struct lw_calc_argument *b = &call->args[0];
    bool tiles = call->operation->run == lw_calc_run_cute_tiles;
    *pair = (struct lw_calc_pair){.kind = kind,
                                  .name = call->operation->name,
                                  .form = tiles ? call->operation->core.tile.form : LW_CUTE_LOGICAL,
                                  .a = *call->self,
                                  .result = *result,
                                  .before = lw_calc_pair_of(calc, call->self)};
    pair->b.kind = LW_CALC_TUPLE;
    if (tiles)
        pair->b.as.tuple = b->as.tuple;
    else
        pair->b = *b->as.value;
    calc->pair = pair;
    return true;
}

const struct lw_calc_pair *lw_calc_pair_of(const struct lw_calculation *calc,
                                           const struct lw_calc_result *result)
{
    return calc->pair && is_same(&calc->pair->result, result) ? calc->pair : NULL;
}

bool lw_calc_recounts(const struct lw_calc_operation *operation)
{
    return operation->run == lw_calc_run_cute_inverse ||
           operation->run == lw_calc_run_cute_recast || operation->run == lw_calc_run_cute_cast ||
           operation->run == lw_calc_run_recast_layout ||
           operation->run == lw_calc_run_cute_in_bytes ||
           operation->run == lw_calc_run_cute_in_elements;
}
