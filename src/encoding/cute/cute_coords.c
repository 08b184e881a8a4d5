/* Layouts of CuTe whose strides are of coordinates, 2@1: two steps along dim 1. Invariant: stride v
 * along axis i is the integer v 2^(bits i), no coordinate reaches 2^bits, and so the algebra of
 * integers is that of coordinates. Source: include/cute/numeric/arithmetic_tuple.hpp of CUTLASS
 * 4. */

#include "encoding/cute/cute_parts.h"

#include <string.h>

/* ---- Axes ---- */

static bool same_axis(const struct lw_cute_axis *a, const struct lw_cute_axis *b)
{
    return a->depth == b->depth && !memcmp(a->at, b->at, (size_t)a->depth * sizeof *a->at);
}

/* Whether the axes are equal or one contains the other. */
static bool related(const struct lw_cute_axis *a, const struct lw_cute_axis *b)
{
    int depth = a->depth < b->depth ? a->depth : b->depth;
    return !memcmp(a->at, b->at, (size_t)depth * sizeof *a->at);
}

static int compare(const struct lw_cute_axis *a, const struct lw_cute_axis *b)
{
    for (int i = 0; i < a->depth && i < b->depth; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] - b->at[i];
    return 0;
}

bool lw_cute_coords_add(struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                        struct lw_position position, struct lw_error *err)
{
    int to = coords->count;
    for (int i = 0; i < coords->count; i++) {
        if (same_axis(&coords->axis[i], axis))
            return true;
        if (related(&coords->axis[i], axis)) {
            struct lw_text a = {0}, b = {0};
            lw_cute_axis_print(&a, &coords->axis[i]);
            lw_cute_axis_print(&b, axis);
            lw_error_at(err, LW_ERROR_SHAPE, position,
                        "1%s and 1%s: one coordinate is inside the other", lw_text_string(&a),
                        lw_text_string(&b));
            lw_text_free(&a);
            lw_text_free(&b);
            return false;
        }
    }
    if (to == LW_CUTE_AXES_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, position,
                           "a coordinate may have at most %d numbers", LW_CUTE_AXES_MAX);
    for (; to > 0 && compare(&coords->axis[to - 1], axis) > 0; to--)
        coords->axis[to] = coords->axis[to - 1];
    coords->axis[to] = *axis;
    coords->count++;
    coords->bits = 62 / coords->count;
    return true;
}

bool lw_cute_coords_stride(const struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                           int64_t steps, struct lw_position position, int64_t *stride,
                           struct lw_error *err)
{
    int i = 0;
    while (i < coords->count && !same_axis(&coords->axis[i], axis))
        i++;
    if (i == coords->count || steps < 0 || steps >= (int64_t)1 << (coords->bits - 1))
        return lw_error_at(err, LW_ERROR_LIMIT, position,
                           "%lld steps: must be from 0 to 2^%d - 1 in coordinates of %d numbers",
                           (long long)steps, coords->bits - 1, coords->count);
    *stride = steps << (coords->bits * i);
    return true;
}

/* ---- Checking ---- */

/* Adds to `end` how far each axis is reached; false when that does not fit its bits. */
static bool reach(const struct lw_cute_coords *coords, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, int64_t *end)
{
    for (int i = 0; i < shape->count; i++)
        if (!reach(coords, &shape->items[i], &stride->items[i], end))
            return false;
    if (shape->count >= 0 || !stride->value)
        return true;
    int64_t span, i = lw_cute_coords_axis(coords, stride->value);
    return !__builtin_mul_overflow(shape->value - 1,
                                   lw_cute_coords_part(coords, stride->value, (int)i), &span) &&
           !__builtin_add_overflow(end[i], span, &end[i]) &&
           end[i] < (int64_t)1 << (coords->bits - 1);
}

bool lw_cute_coords_make(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                         struct lw_cute_layout *layout)
{
    int64_t end[LW_CUTE_AXES_MAX] = {0};
    struct lw_cute_tuple shape = layout->shape, stride = layout->stride;
    if (!lw_cute_make(work, &shape, &stride, layout))
        return false;
    return reach(coords, &shape, &stride, end) ||
           lw_error_at(work->err, LW_ERROR_LIMIT, stride.position,
                       "coordinates of %d numbers are below 2^%d here", coords->count,
                       coords->bits - 1);
}

/* ---- Text ---- */

void lw_cute_print(struct lw_text *text, const struct lw_cute *cute)
{
    bool swizzled = cute->iterator && cute->iterator[0] == 'S'; /* Sw<3,4,3>_smem_ptr[16b](0x0) */
    if (cute->iterator)
        lw_text_format(text, "%s o ", cute->iterator);
    if (cute->composed && !swizzled) {
        lw_text_format(text, "Sw<%d,%d,%d> o ", cute->swizzle.bits, cute->swizzle.base,
                       cute->swizzle.shift);
        if (cute->pointer)
            lw_text_format(text, "smem_ptr[%db](unset) o ", cute->pointer);
        else
            lw_text_format(text, "%s%lld o ", cute->fixed ? "_" : "", (long long)cute->offset);
    }
    if (!cute->coords) {
        lw_cute_layout_print(text, &cute->layout);
        return;
    }
    lw_cute_tuple_print(text, &cute->layout.shape);
    lw_text_char(text, ':');
    lw_cute_coords_print(text, cute->coords, &cute->layout.stride);
}

static void mark_used(const struct lw_cute_coords *coords, const struct lw_cute_tuple *stride,
                      bool *used)
{
    for (int i = 0; i < stride->count; i++)
        mark_used(coords, &stride->items[i], used);
    if (stride->count < 0 && stride->value)
        used[lw_cute_coords_axis(coords, stride->value)] = true;
    for (int i = 0; stride->count < 0 && stride->axis && i < coords->count; i++)
        used[i] = used[i] || same_axis(&coords->axis[i], stride->axis);
}

/* Prints the coordinate at `prefix`: a number, or a tuple of those inside it. */
static void print_inside(struct lw_text *text, const struct lw_cute_coords *coords,
                         const bool *used, int64_t number, int64_t moved,
                         const struct lw_cute_axis *prefix)
{
    int last = -1;
    for (int i = 0; i < coords->count; i++) {
        if (!used[i] || !related(&coords->axis[i], prefix))
            continue;
        if (coords->axis[i].depth == prefix->depth) {
            lw_text_format(text, "%s%lld", lw_cute_coords_part(coords, moved, i) ? "" : "_",
                           (long long)lw_cute_coords_part(coords, number, i));
            return;
        }
        last = coords->axis[i].at[prefix->depth] > last ? coords->axis[i].at[prefix->depth] : last;
    }
    if (last < 0) {
        lw_text_add(text, "_0"); /* no stride is along this axis */
        return;
    }
    for (int i = 0; i <= last; i++) {
        struct lw_cute_axis inner = *prefix;
        inner.at[inner.depth++] = i;
        lw_text_add(text, i ? "," : "(");
        print_inside(text, coords, used, number, moved, &inner);
    }
    lw_text_char(text, ')');
}

void lw_cute_coords_print_start(struct lw_text *text, const struct lw_cute *cute)
{
    const struct lw_cute_axis none = {0};
    bool used[LW_CUTE_AXES_MAX];
    memset(used, true, sizeof used);
    if (cute->coords)
        print_inside(text, cute->coords, used, cute->start, cute->moved, &none);
}

void lw_cute_coords_print_end(struct lw_text *text, const struct lw_cute_coords *coords,
                              const struct lw_cute_tuple *stride, int64_t end, int64_t moved)
{
    const struct lw_cute_axis none = {0};
    bool used[LW_CUTE_AXES_MAX] = {false};
    mark_used(coords, stride, used);
    print_inside(text, coords, used, end, moved, &none);
}

void lw_cute_coords_print_at(struct lw_text *text, const struct lw_cute *cute, int64_t number)
{
    const struct lw_cute_coords *coords = cute->coords;
    const struct lw_cute_axis none = {0};
    bool used[LW_CUTE_AXES_MAX] = {false};
    int count = 0, only = 0;
    mark_used(coords, &cute->layout.stride, used);
    for (int i = 0; i < coords->count; i++) {
        used[i] = used[i] || cute->part; /* the start of a part has all axes */
        if (used[i]) {
            only = i;
            count++;
        }
    }
    if (count > 1 || (count && cute->part)) {
        print_inside(text, coords, used, number, INT64_MAX, &none);
        return;
    }
    bool nowhere = !count && lw_cute_all_fixed(&cute->layout.stride);
    lw_text_format(text, "%s%lld", nowhere ? "_" : "",
                   (long long)lw_cute_coords_part(coords, number, only));
    if (count)
        lw_cute_axis_print(text, &coords->axis[only]);
}

/* ---- The identity ---- */

static bool fill_identity(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                          const struct lw_cute_tuple *shape, const struct lw_cute_axis *prefix,
                          struct lw_cute_tuple *out)
{
    *out = lw_cute_integer(0, true);
    if (shape->count < 0)
        return lw_cute_coords_stride(coords, prefix, 1, shape->position, &out->value, work->err);
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, shape->count);
    if (!items)
        return false;
    for (int i = 0; i < shape->count; i++) {
        struct lw_cute_axis inner = *prefix;
        inner.at[inner.depth++] = i;
        if (!fill_identity(work, coords, &shape->items[i], &inner, &items[i]))
            return false;
    }
    out->count = shape->count;
    out->items = items;
    return true;
}

static bool add_axes(struct lw_cute_work *work, struct lw_cute_coords *coords,
                     const struct lw_cute_tuple *shape, const struct lw_cute_axis *prefix)
{
    if (shape->count < 0)
        return lw_cute_coords_add(coords, prefix, shape->position, work->err);
    if (prefix->depth == LW_CUTE_AXIS_DEPTH)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "coordinates are nested at most %d deep", LW_CUTE_AXIS_DEPTH);
    for (int i = 0; i < shape->count; i++) {
        struct lw_cute_axis inner = *prefix;
        inner.at[inner.depth++] = i;
        if (!add_axes(work, coords, &shape->items[i], &inner))
            return false;
    }
    return true;
}

bool lw_cute_identity(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      struct lw_cute *out)
{
    struct lw_cute_axis none = {0};
    struct lw_cute_coords *coords = lw_arena_alloc(work->arena, sizeof *coords);
    if (!coords)
        return lw_cute_memory(work);
    memset(coords, 0, sizeof *coords);
    memset(out, 0, sizeof *out);
    out->layout.shape = *shape;
    if (shape->count < 0) { /* the identity of an integer is 8:_1 */
        out->layout.stride = lw_cute_integer(1, true);
        return lw_cute_make(work, shape, &out->layout.stride, &out->layout);
    }
    out->coords = coords;
    return add_axes(work, coords, shape, &none) &&
           fill_identity(work, coords, shape, &none, &out->layout.stride) &&
           lw_cute_coords_make(work, coords, &out->layout);
}

/* ---- Threads and values ---- */

/* Makes strides of coordinates strides of elements of a tile; an axis counts `weight` elements. */
static bool flatten_strides(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                            const struct lw_cute_tuple *stride, const int64_t *weight,
                            struct lw_cute_tuple *out)
{
    *out = *stride;
    if (stride->count < 0) {
        int i = lw_cute_coords_axis(coords, stride->value);
        return !__builtin_mul_overflow(lw_cute_coords_part(coords, stride->value, i), weight[i],
                                       &out->value) ||
               lw_cute_too_large(work, "the tile");
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, stride->count);
    if (!items)
        return false;
    for (int i = 0; i < stride->count; i++)
        if (!flatten_strides(work, coords, &stride->items[i], weight, &items[i]))
            return false;
    out->items = items;
    return true;
}

/* The dims of the tile: as far as each axis is reached; dims that no stride is along have size
 * 1. */
static bool tile_of_axes(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                         const int64_t *end, struct lw_cute_tuple *tile, int64_t *weight)
{
    int64_t total = 1;
    bool flat = true;
    struct lw_cute_tuple *items =
        lw_arena_alloc(work->arena, (LW_CUTE_AXES_MAX + LW_CUTE_AXIS_MAX + 1) * sizeof *items);
    if (!items)
        return lw_cute_memory(work);
    *tile = (struct lw_cute_tuple){.items = items};
    for (int i = 0; i < coords->count; i++)
        flat = flat && coords->axis[i].depth == 1;
    for (int i = 0; i < coords->count; i++) {
        while (flat && tile->count < coords->axis[i].at[0])
            items[tile->count++] = lw_cute_integer(1, false);
        weight[i] = total;
        items[tile->count++] = lw_cute_integer(end[i] + 1, false);
        if (__builtin_mul_overflow(total, end[i] + 1, &total) || total > LW_CUTE_MAX)
            return lw_cute_too_large(work, "the tile");
    }
    return true;
}

/* Makes a part of a tensor the part of one thread, whose values are all of the elements. */
static bool of_one_thread(struct lw_cute_work *work, struct lw_cute *part)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, 4);
    if (!items)
        return false;
    items[0] = lw_cute_integer(1, true);
    items[1] = part->layout.shape;
    items[2] = lw_cute_integer(0, true);
    items[3] = part->layout.stride;
    part->layout.shape = (struct lw_cute_tuple){.count = 2, .items = items};
    part->layout.stride = (struct lw_cute_tuple){.count = 2, .items = items + 2};
    return true;
}

bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *given,
                            struct lw_cute *out)
{
    int64_t end[LW_CUTE_AXES_MAX] = {0}, weight[LW_CUTE_AXES_MAX], start = 0;
    struct lw_cute_tuple stride, *tile = lw_arena_alloc(work->arena, sizeof *tile);
    struct lw_cute own = *given, *cute = &own;
    if (!tile)
        return lw_cute_memory(work);
    bool one =
        cute->part || cute->start || (cute->iterator && lw_cute_rank(&cute->layout.shape) != 2);
    if (one && !of_one_thread(work, cute))
        return false;
    if (lw_cute_rank(&cute->layout.shape) != 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, cute->layout.shape.position,
                           "strides of coordinates are drawn as threads and values, 2 modes, as in "
                           "((4,8),2):((2@1,1@0),1@1); here there %s %d",
                           lw_cute_rank(&cute->layout.shape) == 1 ? "is" : "are",
                           lw_cute_rank(&cute->layout.shape));
    reach(cute->coords, &cute->layout.shape, &cute->layout.stride, end);
    for (int i = 0; i < cute->coords->count; i++)
        end[i] += lw_cute_coords_part(cute->coords, cute->start, i);
    *out = *cute;
    out->coords = NULL;
    out->iterator = NULL;
    out->tile = tile;
    if (!tile_of_axes(work, cute->coords, end, tile, weight) ||
        !flatten_strides(work, cute->coords, &cute->layout.stride, weight, &stride) ||
        !lw_cute_make(work, &cute->layout.shape, &stride, &out->layout))
        return false;
    for (int i = 0; i < cute->coords->count; i++)
        start += lw_cute_coords_part(cute->coords, cute->start, i) * weight[i];
    out->start = start;
    out->part = start > 0 || cute->of_thread;
    return lw_cute_tile_check(out, work->err);
}

/* The identity of a tile, its sizes spelled _8. */
static bool identity_of_tile(struct lw_cute_work *work, const struct lw_cute_tuple *tile,
                             struct lw_cute *out)
{
    int rank = lw_cute_rank(tile);
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, rank);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++)
        items[i] = lw_cute_integer(lw_cute_item(tile, i)->value, true);
    struct lw_cute_tuple shape = {.count = rank, .items = items};
    return lw_cute_identity(work, &shape, out);
}

/* Whether a layout of coordinates, from element `start` on, stays inside the tile. */
static bool stays_inside(const struct lw_cute_coords *coords, const struct lw_cute_layout *layout,
                         const struct lw_cute_tuple *tile, int64_t start)
{
    int64_t end[LW_CUTE_AXES_MAX] = {0};
    bool inside = reach(coords, &layout->shape, &layout->stride, end);
    for (int i = 0; i < lw_cute_rank(tile) && inside; i++) {
        int64_t size = lw_cute_item(tile, i)->value;
        inside = start % size + end[i] < size;
        start /= size;
    }
    return inside;
}

/* Prints a layout of elements of a tile, from element `start` on, with strides along its axes. */
static bool print_along(struct lw_text *text, const struct lw_cute_layout *layout,
                        const struct lw_cute_tuple *shape, int64_t start, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_error scratch;
    struct lw_cute_work work = {
        .arena = &arena, .err = err ? err : &scratch, .rules = LW_CUTE_VALUES};
    struct lw_cute tile;
    struct lw_cute_layout made;
    bool good = identity_of_tile(&work, shape, &tile) &&
                lw_cute_compose(&work, &tile.layout, layout, &made);
    good = good && (!start || stays_inside(tile.coords, &made, shape, start));
    if (good) {
        lw_cute_tuple_print(text, &made.shape);
        lw_text_char(text, ':');
        lw_cute_coords_print(text, tile.coords, &made.stride);
    }
    lw_arena_free(&arena);
    return good;
}

bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err)
{
    return print_along(text, &cute->layout, cute->tile, 0, err);
}

bool lw_cute_part_print(struct lw_text *text, const struct lw_cute *cute)
{
    const struct lw_cute_layout values = lw_cute_mode(&cute->layout, 1);
    struct lw_text along = {0};
    int64_t rest = cute->start;
    bool good = print_along(&along, &values, cute->tile, rest, NULL);
    lw_text_add(text, good ? "ArithTuple(" : "");
    for (int i = 0; i < lw_cute_rank(cute->tile) && good; i++) {
        int64_t size = lw_cute_item(cute->tile, i)->value;
        lw_text_format(text, i ? ",%lld" : "%lld", (long long)(rest % size));
        rest /= size;
    }
    if (good)
        lw_text_format(text, ") o %s", lw_text_string(&along));
    lw_text_free(&along);
    return good;
}
