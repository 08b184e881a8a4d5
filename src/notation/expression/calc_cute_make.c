/* What kernels make layouts of CuTe with, beyond its algebra: orders, shapes to be filled, one mode more,
 * one tile of many. */

#include "notation/expression/calc_run.h"

static bool tuple_of(const struct lw_calc_call *call, int i, struct lw_cute_tuple *out,
                     struct lw_error *err)
{
    return lw_calc_item_tuple(&call->args[i].as.tuple, call->arena, out, err);
}

LW_CALC_RUN(lw_calc_run_make_ordered)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_tuple shape, order;
    out->kind = LW_CALC_CUTE;
    out->as.cute = (struct lw_cute){0};
    return tuple_of(call, 0, &shape, err) && tuple_of(call, 1, &order, err) &&
           lw_cute_ordered(&work, &shape, &order, &out->as.cute.layout);
}

LW_CALC_RUN(lw_calc_run_cute_tile_to_shape)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_tuple shape, order;
    struct lw_cute_layout made;
    bool ordered = call->args[1].given;
    if (!tuple_of(call, 0, &shape, err) || (ordered && !tuple_of(call, 1, &order, err)) ||
        !lw_cute_tile_to_shape(&work, &call->self->as.cute.layout, &shape, ordered ? &order : NULL,
                               &made))
        return false;
    return lw_calc_answer_cute(call, true, &made, out);
}

/* One more mode at the end, or at the front. */
LW_CALC_RUN(lw_calc_run_cute_append)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute *other = &call->args[0].as.value->as.cute;
    struct lw_cute_layout made;
    if (other->composed || other->coords)
        return lw_error_set(err, LW_ERROR_SHAPE, "%s: a mode has no swizzle and no coordinates",
                            call->operation->name);
    bool good = lw_cute_append(&work, &call->self->as.cute.layout, &other->layout,
                               call->operation->core.flag, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_take)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute_layout *layout = &call->self->as.cute.layout;
    uint64_t begin = lw_calc_number(call, 0, 0), end = lw_calc_number(call, 1, 0);
    struct lw_cute_layout made;
    if (begin >= end || end > (uint64_t)lw_cute_rank(&layout->shape))
        return lw_error_set(
            err, LW_ERROR_PARAMETER, "take: from mode %llu up to %llu, of a layout of %d",
            (unsigned long long)begin, (unsigned long long)end, lw_cute_rank(&layout->shape));
    int count = (int)(end - begin);
    int64_t *modes = lw_arena_alloc(call->arena, (size_t)count * sizeof *modes);
    if (!modes)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < count; i++)
        modes[i] = (int64_t)begin + i;
    return lw_calc_answer_cute(call, lw_cute_select(&work, layout, modes, count, &made), &made,
                               out);
}

/* One tile: the modes of the tile, at a coordinate of the rest, whose blanks are modes too. */
LW_CALC_RUN(lw_calc_run_cute_local_tile)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_layout zipped;
    const struct lw_calc_item *given = &call->args[1].as.tuple;
    if (!lw_cute_divide(&work, &call->self->as.cute.layout, &call->args[0].as.tiler, LW_CUTE_ZIPPED,
                        &zipped))
        return false;
    struct lw_cute_layout tile = lw_cute_mode(&zipped, 0);
    int rank = lw_cute_rank(&tile.shape);
    struct lw_calc_item *items = lw_arena_alloc(call->arena, (size_t)(rank + 2) * sizeof *items);
    if (!items)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rank; i++)
        items[2 + i] = (struct lw_calc_item){.kind = LW_CALC_BLANK, .position = given->position};
    items[0] = (struct lw_calc_item){
        .kind = LW_CALC_TUPLE, .position = given->position, .count = rank, .items = items + 2};
    items[1] = *given;
    struct lw_calc_item both = {
        .kind = LW_CALC_TUPLE, .position = given->position, .count = 2, .items = items};
    lw_calc_answer_cute(call, true, &zipped, out);
    return lw_calc_at(&work, &both, out);
}
