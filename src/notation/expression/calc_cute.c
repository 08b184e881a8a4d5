/* What the rows of CuTe in the calculator's table compute. A composed layout keeps its swizzle and
 * offset, and the operation is done on the layout inside, as CuTe does. */

#include "notation/expression/calc_run.h"

#include <string.h>

static const struct lw_cute *self_of(const struct lw_calc_call *call)
{
    return &call->self->as.cute;
}

static const struct lw_cute *cute_of(const struct lw_calc_call *call, int i)
{
    return &call->args[i].as.value->as.cute;
}

bool lw_calc_answer_cute(const struct lw_calc_call *call, bool made,
                         const struct lw_cute_layout *inner, struct lw_calc_result *out)
{
    if (!made)
        return false;
    struct lw_cute cute = *self_of(call);
    cute.layout = *inner;
    cute.tile = NULL;
    cute.role = LW_CUTE_ROLE_NONE;
    cute.element = NULL;
    out->kind = LW_CALC_CUTE;
    out->as.cute = cute;
    return true;
}

/* A tuple of integers; NULL: it is not given. */
static const struct lw_cute_tuple *tuple_of(const struct lw_calc_call *call, int i)
{
    return call->args[i].given ? &call->args[i].as.tuple : NULL;
}

static bool answer_plain(bool made, const struct lw_cute_layout *layout, struct lw_calc_result *out)
{
    out->kind = LW_CALC_CUTE;
    out->as.cute = (struct lw_cute){0};
    if (made)
        out->as.cute.layout = *layout;
    return made;
}

static bool answer_number(int64_t number, struct lw_calc_result *out)
{
    out->kind = LW_CALC_NUMBER;
    out->as.number = (uint64_t)number;
    return true;
}

static bool need_plain(const struct lw_calc_call *call, const struct lw_cute *cute,
                       struct lw_error *err)
{
    return !cute->composed ||
           lw_error_set(err, LW_ERROR_SHAPE,
                        "%s: there is a swizzle, and the result of this is no swizzle before a "
                        "layout",
                        call->operation->name);
}

/* ---- Asking ---- */

/* The layout, or the mode of it that an argument names. */
static bool mode_of(const struct lw_calc_call *call, int i, struct lw_cute_layout *out,
                    struct lw_error *err)
{
    *out = self_of(call)->layout;
    if (!call->args[i].given)
        return true;
    uint64_t mode = lw_calc_number(call, i, 0);
    int rank = lw_cute_rank(&out->shape);
    if (mode >= (uint64_t)rank)
        return lw_error_set(err, LW_ERROR_PARAMETER, "%s: there is no mode %llu: from 0 to %d",
                            call->operation->name, (unsigned long long)mode, rank - 1);
    *out = lw_cute_mode(out, (int)mode);
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_number)
{
    struct lw_cute_layout layout;
    return mode_of(call, 0, &layout, err) &&
           answer_number(call->operation->core.cute_number(&layout), out);
}

LW_CALC_RUN(lw_calc_run_cute_shape)
{
    struct lw_cute_layout layout;
    return mode_of(call, 0, &layout, err) &&
           answer_number(call->operation->core.cute_shape(&layout.shape), out);
}

LW_CALC_RUN(lw_calc_run_cute_mode)
{
    struct lw_cute_layout layout;
    return lw_calc_answer_cute(call, mode_of(call, 0, &layout, err), &layout, out);
}

LW_CALC_RUN(lw_calc_run_cute_linear)
{
    struct lw_map map;
    out->kind = LW_CALC_LAYOUT;
    return lw_cute_map(self_of(call), 32, &map, err) &&
           lw_map_to_layout(&map, &out->as.layout, err);
}

/* ---- Of one layout ---- */

LW_CALC_RUN(lw_calc_run_cute_one)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_layout made;
    bool good = call->operation->core.cute_one(&work, &self_of(call)->layout, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_profile)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute_tuple *profile = tuple_of(call, 0);
    struct lw_cute_layout made;
    bool good = call->operation->core.cute_profile(&work, &self_of(call)->layout, profile, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_complement)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute_layout *self = &self_of(call)->layout;
    struct lw_cute_layout made, kept;
    if (!lw_cute_filter(&work, self, NULL, &kept))
        return false;
    uint64_t max = lw_calc_number(call, 0, (uint64_t)lw_cute_cosize(&kept));
    int64_t codomain = max > (uint64_t)LW_CUTE_MAX ? -1 : (int64_t)max;
    return answer_plain(lw_cute_complement(&work, self, codomain, &made), &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_inverse)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute *self = self_of(call);
    struct lw_cute_layout made;
    bool good =
        need_plain(call, self, err) && call->operation->core.cute_one(&work, &self->layout, &made);
    return answer_plain(good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_select)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute_tuple *list = &call->args[0].as.tuple;
    struct lw_cute_layout made;
    if (list->count == 1 && list->items[0].count >= 0)
        list = &list->items[0];
    int64_t *modes = lw_arena_alloc(call->arena, (size_t)(list->count + 1) * sizeof *modes);
    if (!modes)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (list->count == 0)
        return lw_error_set(err, LW_ERROR_SHAPE, "select: no modes are named");
    for (int i = 0; i < list->count; i++) {
        if (!lw_cute_is_integer(&list->items[i]))
            return lw_error_at(err, LW_ERROR_SHAPE, list->items[i].position,
                               "select: modes are named by their numbers");
        modes[i] = list->items[i].value;
    }
    bool good = lw_cute_select(&work, &self_of(call)->layout, modes, list->count, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_group)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_layout made;
    bool good = lw_cute_group(&work, &self_of(call)->layout, (int64_t)lw_calc_number(call, 0, 0),
                              (int64_t)lw_calc_number(call, 1, 0), &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

LW_CALC_RUN(lw_calc_run_cute_recast)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    out->kind = LW_CALC_CUTE;
    return lw_cute_recast(&work, self_of(call), (int64_t)lw_calc_number(call, 0, 0),
                          (int64_t)lw_calc_number(call, 1, 0), &out->as.cute);
}

LW_CALC_RUN(lw_calc_run_cute_in_elements)
{
    out->kind = LW_CALC_CUTE;
    return lw_cute_in_elements(self_of(call), &out->as.cute, err);
}

LW_CALC_RUN(lw_calc_run_cute_in_bytes)
{
    uint64_t bits = lw_calc_number(call, 0, (uint64_t)call->bits);
    out->kind = LW_CALC_CUTE;
    if (!call->args[0].given && bits == 0 && !self_of(call)->pointer)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "inBytes: the bits of an element are needed: inBytes(A, 16), or "
                            "--element f16");
    return lw_cute_in_bytes(self_of(call), bits > 1024 ? 1025 : (int)bits, &out->as.cute, err);
}

LW_CALC_RUN(lw_calc_run_cute_thread_value)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(call->arena, sizeof *tile);
    if (!tile)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!need_plain(call, self_of(call), err))
        return false;
    *tile = *tuple_of(call, 0);
    lw_calc_answer_cute(call, true, &self_of(call)->layout, out);
    out->as.cute.tile = tile;
    return lw_cute_tile_check(&out->as.cute, err);
}

/* ---- Of two ---- */

LW_CALC_RUN(lw_calc_run_cute_composition)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute_tiler *b = &call->args[0].as.tiler;
    struct lw_cute_layout made;
    if (call->self->kind == LW_CALC_CUTE) {
        bool good = lw_cute_composition(&work, &self_of(call)->layout, b, &made);
        return lw_calc_answer_cute(call, good, &made, out);
    }
    if (b->kind != LW_CUTE_TILER_LAYOUT)
        return lw_error_set(err, LW_ERROR_SHAPE, "composition: a swizzle is before one layout");
    struct lw_cute cute = {.layout = b->layout, .composed = true, .fixed = true};
    cute.swizzle = call->self->as.swizzle;
    cute.composed = cute.swizzle.bits > 0;
    out->kind = LW_CALC_CUTE;
    out->as.cute = cute;
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_max_common)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const struct lw_cute *a = self_of(call), *b = cute_of(call, 0);
    const struct lw_cute_swizzle *s = &a->swizzle, *t = &b->swizzle;
    int64_t common;
    if (!lw_cute_max_common_vector(&work, &a->layout, &b->layout, &common))
        return false;
    bool same = a->composed && b->composed && s->bits == t->bits && s->base == t->base &&
                s->shift == t->shift;
    if (a->composed && !same && common > (int64_t)1 << s->base)
        common = (int64_t)1 << s->base;
    if (b->composed && !same && common > (int64_t)1 << t->base)
        common = (int64_t)1 << t->base;
    return answer_number(common, out);
}

LW_CALC_RUN(lw_calc_run_cute_tiles)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    const union lw_calc_core *core = &call->operation->core;
    struct lw_cute_layout made;
    bool good = core->tile.of(&work, &self_of(call)->layout, &call->args[0].as.tiler,
                              core->tile.form, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

/* Block after block, or the blocks interleaved. */
LW_CALC_RUN(lw_calc_run_cute_blocked_product)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_layout made;
    bool good = need_plain(call, cute_of(call, 0), err) &&
                lw_cute_blocked_product(&work, &self_of(call)->layout, &cute_of(call, 0)->layout,
                                        call->operation->core.flag, &made);
    return lw_calc_answer_cute(call, good, &made, out);
}

/* ---- As kernels make them: orders, shapes to be filled, one mode more ---- */

LW_CALC_RUN(lw_calc_run_make_ordered)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    out->kind = LW_CALC_CUTE;
    out->as.cute = (struct lw_cute){0};
    return lw_cute_ordered(&work, tuple_of(call, 0), tuple_of(call, 1), &out->as.cute.layout);
}

LW_CALC_RUN(lw_calc_run_cute_tile_to_shape)
{
    struct lw_cute_work work = lw_calc_work_of(call, err);
    struct lw_cute_layout made;
    bool good = lw_cute_tile_to_shape(&work, &self_of(call)->layout, tuple_of(call, 0),
                                      tuple_of(call, 1), &made);
    return lw_calc_answer_cute(call, good, &made, out);
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
