/* What the rows of CuTe in the calculator's table compute. A composed layout keeps its swizzle and
 * offset, and the operation is done on the layout inside, as CuTe does. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

static const struct lw_cute *self_of(const struct lw_calc_call *call)
{
    return &call->self->as.cute;
}

static const struct lw_cute_layout *inner_of(const struct lw_calc_call *call)
{
    return &call->self->as.cute.layout;
}

static const struct lw_cute *cute_of(const struct lw_calc_call *call, int i)
{
    return &call->args[i].as.value->as.cute;
}

/* A tuple of integers, or a tiler; NULL: it is not set. */
static const struct lw_cute_tuple *tuple_of(const struct lw_calc_call *call, int i)
{
    return call->args[i].given ? &call->args[i].as.tuple : NULL;
}

/* The layout of a result, to be filled; the result keeps the swizzle of the operand. */
static struct lw_cute_layout *keep_swizzle(const struct lw_calc_call *call,
                                           struct lw_calc_result *out)
{
    const struct lw_cute *self = self_of(call);
    out->as.cute = *self;
    lw_calc_clear_atom(&out->as.cute);
    out->as.cute.iterator = self->origin ? self->iterator : NULL; /* a tensor of coordinates */
    return &out->as.cute.layout;
}

static bool clear_thread(struct lw_calc_result *out)
{
    out->as.cute.of_thread = false;
    out->as.cute.thread = 0;
    return true;
}

/* A result with elements that the part of a thread lacks is not the part of that thread. */
static bool keep_thread(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    const struct lw_cute_layout *part = inner_of(call), *made = &out->as.cute.layout;
    bool more = lw_cute_size(made) > lw_cute_size(part);
    return (!more && lw_cute_cosize(made) <= lw_cute_cosize(part)) || clear_thread(out);
}

static struct lw_cute_layout *plain(struct lw_calc_result *out)
{
    out->as.cute = (struct lw_cute){0};
    return &out->as.cute.layout;
}

static bool need_plain(const struct lw_calc_call *call, const struct lw_cute *cute)
{
    return !cute->composed ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s: there is a swizzle, and the result cannot be written as a "
                        "swizzle before a layout",
                        call->operation->name);
}

/* ---- Queries ---- */

/* The layout, or the mode that the arguments select, the outermost first: size<1,0>(A). */
bool lw_calc_mode_of(const struct lw_calc_call *call, struct lw_cute_layout *out)
{
    const struct lw_cute_tuple *path = &call->args[0].as.tuple;
    *out = *inner_of(call);
    if (path->count == 1 && path->items[0].count >= 0)
        path = &path->items[0]; /* mode=[0] of Python */
    for (int i = 0; i < path->count; i++) {
        const struct lw_cute_tuple *mode = &path->items[i];
        int rank = lw_cute_rank(&out->shape);
        if (!lw_cute_is_integer(mode) || mode->value < 0 || mode->value >= rank)
            return lw_error_at(call->work.err, LW_ERROR_PARAMETER, mode->position,
                               "%s: no mode %lld: must be from 0 to %d", call->operation->name,
                               (long long)mode->value, rank - 1);
        *out = lw_cute_mode(out, (int)mode->value);
    }
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_number)
{
    struct lw_cute_layout layout;
    if (!lw_calc_mode_of(call, &layout))
        return false;
    out->as.number = (uint64_t)call->operation->core.cute_number(&layout);
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_shape)
{
    struct lw_cute_layout layout;
    if (!lw_calc_mode_of(call, &layout))
        return false;
    out->as.number = (uint64_t)call->operation->core.cute_shape(&layout.shape);
    return true;
}

LW_CALC_RUN(lw_calc_run_coshape)
{
    struct lw_cute_layout mode;
    return lw_calc_mode_of(call, &mode) && lw_cute_coshape(&call->work, &mode, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_cute_mode)
{
    return lw_calc_mode_of(call, keep_swizzle(call, out));
}

/* The layout of a tensor, without where it starts; or a mode of it. */
LW_CALC_RUN(lw_calc_run_cute_layout)
{
    struct lw_cute_layout *layout = keep_swizzle(call, out);
    out->as.cute.part = out->as.cute.of_thread = false;
    out->as.cute.start = out->as.cute.thread = 0;
    out->as.cute.origin = NULL;
    out->as.cute.iterator = NULL;
    return lw_calc_mode_of(call, layout);
}

LW_CALC_RUN(lw_calc_run_cute_linear)
{
    struct lw_map map;
    return lw_cute_map(self_of(call), 32, &map, call->work.err) &&
           lw_map_to_layout(&map, &out->as.layout, call->work.err);
}

/* ---- Of one layout ---- */

LW_CALC_RUN(lw_calc_run_cute_one)
{
    return call->operation->core.cute_one(&call->work, inner_of(call), keep_swizzle(call, out));
}

LW_CALC_RUN(lw_calc_run_cute_profile)
{
    return call->operation->core.cute_profile(&call->work, inner_of(call), tuple_of(call, 0),
                                              keep_swizzle(call, out));
}

LW_CALC_RUN(lw_calc_run_cute_complement)
{
    const struct lw_cute_tuple *max = tuple_of(call, 0);
    if (max && !lw_cute_is_integer(max))
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, max->position,
                           "complement: expected one number, the number of offsets");
    return lw_cute_complement(&call->work, inner_of(call), max, plain(out));
}

LW_CALC_RUN(lw_calc_run_cute_inverse)
{
    return need_plain(call, self_of(call)) &&
           call->operation->core.cute_one(&call->work, inner_of(call), plain(out));
}

LW_CALC_RUN(lw_calc_run_cute_select)
{
    const struct lw_cute_tuple *list = &call->args[0].as.tuple;
    if (list->count == 1 && list->items[0].count >= 0)
        list = &list->items[0];
    if (list->count == 0)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "select: expected the numbers of modes");
    return lw_cute_select(&call->work, inner_of(call), list, keep_swizzle(call, out)) &&
           keep_thread(call, out);
}

LW_CALC_RUN(lw_calc_run_cute_group)
{
    return lw_cute_group(&call->work, inner_of(call), (int64_t)lw_calc_number(call, 0, 0),
                         (int64_t)lw_calc_number(call, 1, 0), keep_swizzle(call, out));
}

LW_CALC_RUN(lw_calc_run_cute_recast)
{
    return lw_cute_recast(&call->work, self_of(call), (int64_t)lw_calc_number(call, 0, 0),
                          (int64_t)lw_calc_number(call, 1, 0), &out->as.cute);
}

LW_CALC_RUN(lw_calc_run_cute_in_elements)
{
    return lw_cute_in_elements(self_of(call), &out->as.cute, call->work.err);
}

LW_CALC_RUN(lw_calc_run_cute_in_bytes)
{
    uint64_t bits = lw_calc_number(call, 0, (uint64_t)call->bits);
    if (!call->args[0].given && bits == 0 && !self_of(call)->pointer)
        return lw_error_set(
            call->work.err, LW_ERROR_PARAMETER,
            "inBytes: expected the bits of an element: inBytes(A, 16), or --element f16");
    return lw_cute_in_bytes(self_of(call), bits > 1024 ? 1025 : (int)bits, &out->as.cute,
                            call->work.err);
}

LW_CALC_RUN(lw_calc_run_cute_thread_value)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(call->work.arena, sizeof *tile);
    if (!tile)
        return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
    *tile = *tuple_of(call, 0);
    keep_swizzle(call, out);
    out->as.cute.tile = tile;
    return need_plain(call, self_of(call)) && lw_cute_tile_check(&out->as.cute, call->work.err);
}

/* ---- Of two ---- */

LW_CALC_RUN(lw_calc_run_cute_composition)
{
    const struct lw_cute_tuple *b = tuple_of(call, 0);
    if (call->self->kind == LW_CALC_CUTE)
        return lw_cute_composition(&call->work, inner_of(call), b, keep_swizzle(call, out)) &&
               keep_thread(call, out);
    if (b->count >= 0 || b->leaf == LW_CUTE_BLANK)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "composition: expected one layout after the swizzle");
    out->as.cute = (struct lw_cute){.layout = lw_cute_tiler_layout(b), .fixed = true};
    out->as.cute.swizzle = call->self->as.swizzle;
    out->as.cute.composed = call->self->as.swizzle.bits > 0;
    return true;
}

/* How many elements are contiguous: a swizzle does not change the bits below its base. */
static int64_t below_base(const struct lw_cute *cute, int64_t common)
{
    int64_t base = (int64_t)1 << cute->swizzle.base;
    return cute->composed && common > base ? base : common;
}

LW_CALC_RUN(lw_calc_run_cute_max_common)
{
    const struct lw_cute *a = self_of(call), *b = cute_of(call, 0);
    const struct lw_cute_swizzle *s = &a->swizzle, *t = &b->swizzle;
    int64_t common;
    if (!lw_cute_max_common_vector(&call->work, &a->layout, &b->layout, &common))
        return false;
    bool same = a->composed && b->composed && s->bits == t->bits && s->base == t->base &&
                s->shift == t->shift;
    out->as.number = (uint64_t)(same ? common : below_base(a, below_base(b, common)));
    return true;
}

/* An operation of two layouts whose result has no swizzle. */
LW_CALC_RUN(lw_calc_run_cute_two)
{
    const struct lw_cute *a = self_of(call), *b = cute_of(call, 0);
    return need_plain(call, a) && need_plain(call, b) &&
           call->operation->core.cute_two(&call->work, &a->layout, &b->layout, plain(out));
}

LW_CALC_RUN(lw_calc_run_cute_tiles)
{
    const union lw_calc_core *core = &call->operation->core;
    return core->tile.of(&call->work, inner_of(call), tuple_of(call, 0), core->tile.form,
                         keep_swizzle(call, out)) &&
           keep_thread(call, out);
}

/* Block after block, or the blocks interleaved. */
LW_CALC_RUN(lw_calc_run_cute_blocked_product)
{
    return need_plain(call, cute_of(call, 0)) &&
           lw_cute_blocked_product(&call->work, inner_of(call), &cute_of(call, 0)->layout,
                                   call->operation->core.flag, keep_swizzle(call, out)) &&
           keep_thread(call, out);
}

/* ---- Ordered layouts, layouts tiled to a shape, one more mode ---- */

LW_CALC_RUN(lw_calc_run_make_ordered)
{
    return lw_cute_ordered(&call->work, tuple_of(call, 0), tuple_of(call, 1), plain(out));
}

LW_CALC_RUN(lw_calc_run_cute_tile_to_shape)
{
    return lw_cute_tile_to_shape(&call->work, inner_of(call), tuple_of(call, 0), tuple_of(call, 1),
                                 keep_swizzle(call, out)) &&
           keep_thread(call, out);
}

bool lw_calc_ranks(const struct lw_calc_call *call, int rank, int *more)
{
    uint64_t wanted = lw_calc_number(call, 1, (uint64_t)rank + 1);
    if (wanted > LW_CUTE_LEAVES_MAX)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER, "%s: the rank %llu is more than %d",
                            call->operation->name, (unsigned long long)wanted, LW_CUTE_LEAVES_MAX);
    *more = (int)wanted - rank;
    return *more >= 0 || lw_error_set(call->work.err, LW_ERROR_SHAPE,
                                      "%s: the rank is %d already, and %llu is less",
                                      call->operation->name, rank, (unsigned long long)wanted);
}

/* One more mode at the end, or at the front. */
LW_CALC_RUN(lw_calc_run_cute_append)
{
    static const struct lw_cute unit = {
        .layout = {{.count = -1, .value = 1, .fixed = true}, {.count = -1, .fixed = true}}};
    const struct lw_cute *other = call->args[0].given ? cute_of(call, 0) : &unit;
    int more;
    if (other->composed || lw_cute_is_of_coordinates(other))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s: a mode has no swizzle and no coordinates", call->operation->name);
    struct lw_cute_layout *made = keep_swizzle(call, out);
    int rank = lw_cute_rank(&made->shape);
    if (call->work.rules == LW_CUTE_UNCHECKED &&
        lw_calc_number(call, 1, (uint64_t)rank) < (uint64_t)rank)
        return true; /* the DSL returns it as it is, C++ does not compile it */
    if (!lw_calc_ranks(call, rank, &more))
        return false;
    for (; more > 0; more--) {
        const struct lw_cute_layout before = *made;
        if (!lw_cute_append(&call->work, &before, &other->layout, call->operation->core.flag, made))
            return false;
    }
    return keep_thread(call, out);
}

LW_CALC_RUN(lw_calc_run_cute_take)
{
    struct lw_cute_tuple numbers[LW_CUTE_LEAVES_MAX];
    uint64_t begin = lw_calc_number(call, 0, 0), end = lw_calc_number(call, 1, 0);
    int rank = lw_cute_rank(&inner_of(call)->shape);
    if (begin >= end || end > (uint64_t)rank)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "take: from mode %llu up to %llu, of a layout of %d",
                            (unsigned long long)begin, (unsigned long long)end, rank);
    int count = (int)(end - begin);
    for (int i = 0; i < count; i++)
        numbers[i] = lw_cute_integer((int64_t)begin + i, false);
    const struct lw_cute_tuple modes = lw_cute_tuple_of(numbers, count);
    return lw_cute_select(&call->work, inner_of(call), &modes, keep_swizzle(call, out));
}
