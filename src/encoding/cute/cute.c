/* CuTe layouts: trees of integers, their sizes and offsets, and their text. Invariant: a layout's
 * shape and stride have one profile, sizes are at least 1, and the size, the cosize and every number,
 * without its sign, are at most LW_CUTE_MAX. */

#include "encoding/cute/cute_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Trees ---- */

struct lw_cute_tuple lw_cute_integer(int64_t value, bool fixed)
{
    return (struct lw_cute_tuple){.count = -1, .value = value, .fixed = fixed};
}

bool lw_cute_is_integer(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 && tuple->leaf == LW_CUTE_INTEGER;
}

int lw_cute_rank(const struct lw_cute_tuple *tuple)
{
    return tuple->count < 0 ? 1 : tuple->count;
}

const struct lw_cute_tuple *lw_cute_item(const struct lw_cute_tuple *tuple, int i)
{
    return tuple->count < 0 ? tuple : &tuple->items[i];
}

int lw_cute_leaves(const struct lw_cute_tuple *tuple)
{
    int leaves = tuple->count < 0;
    for (int i = 0; i < tuple->count && leaves <= LW_CUTE_LEAVES_MAX; i++)
        leaves += lw_cute_leaves(&tuple->items[i]);
    return leaves;
}

int lw_cute_depth(const struct lw_cute_tuple *tuple)
{
    int depth = 0;
    for (int i = 0; i < tuple->count; i++) {
        int inner = lw_cute_depth(&tuple->items[i]);
        depth = inner > depth ? inner : depth;
    }
    return depth + (tuple->count >= 0);
}

int64_t lw_cute_product(const struct lw_cute_tuple *tuple)
{
    int64_t product = tuple->count < 0 ? tuple->value : 1;
    for (int i = 0; i < tuple->count; i++)
        if (__builtin_mul_overflow(product, lw_cute_product(&tuple->items[i]), &product))
            return INT64_MAX;
    return product;
}

bool lw_cute_all_fixed(const struct lw_cute_tuple *tuple)
{
    bool fixed = tuple->count >= 0 || tuple->fixed;
    for (int i = 0; i < tuple->count && fixed; i++)
        fixed = lw_cute_all_fixed(&tuple->items[i]);
    return fixed;
}

bool lw_cute_fixed_layout(const struct lw_cute_layout *layout)
{
    return lw_cute_all_fixed(&layout->shape) && lw_cute_all_fixed(&layout->stride);
}

static bool equal_leaves(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    if (a->leaf != b->leaf || a->value != b->value || !a->axis != !b->axis)
        return false;
    if (a->leaf == LW_CUTE_LAYOUT)
        return lw_cute_equal(a->layout, b->layout);
    return !a->axis || !memcmp(a->axis, b->axis, sizeof *a->axis);
}

bool lw_cute_tuple_equal(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool equal = a->count == b->count && (a->count >= 0 || equal_leaves(a, b));
    for (int i = 0; i < a->count && equal; i++)
        equal = lw_cute_tuple_equal(&a->items[i], &b->items[i]);
    return equal;
}

bool lw_cute_equal(const struct lw_cute *a, const struct lw_cute *b)
{
    const struct lw_cute_swizzle *s = &a->swizzle, *t = &b->swizzle;
    return lw_cute_tuple_equal(&a->layout.shape, &b->layout.shape) &&
           lw_cute_tuple_equal(&a->layout.stride, &b->layout.stride) && a->start == b->start &&
           a->start_bit == b->start_bit && a->composed == b->composed && !a->coords == !b->coords &&
           (!a->coords || !memcmp(a->coords, b->coords, sizeof *a->coords)) &&
           (!a->composed || (s->bits == t->bits && s->base == t->base && s->shift == t->shift &&
                             a->offset == b->offset && a->pointer == b->pointer));
}

/* ---- Text ---- */

void lw_cute_tuple_print(struct lw_text *text, const struct lw_cute_tuple *tuple)
{
    if (tuple->count < 0) {
        if (tuple->fixed)
            lw_text_char(text, '_');
        if (tuple->value < 0)
            lw_text_char(text, '-');
        lw_text_number(text, (uint64_t)llabs(tuple->value));
        return;
    }
    lw_text_char(text, '(');
    for (int i = 0; i < tuple->count && !lw_text_full(text); i++) {
        if (i)
            lw_text_char(text, ',');
        lw_cute_tuple_print(text, &tuple->items[i]);
    }
    lw_text_char(text, ')');
}

void lw_cute_layout_print(struct lw_text *text, const struct lw_cute_layout *layout)
{
    lw_cute_tuple_print(text, &layout->shape);
    lw_text_char(text, ':');
    lw_cute_tuple_print(text, &layout->stride);
}

/* ---- Errors and steps ---- */

bool lw_cute_memory(struct lw_cute_work *work)
{
    return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_cute_too_large(struct lw_cute_work *work, const char *what)
{
    return lw_error_set(work->err, LW_ERROR_LIMIT, "%s is over 2^62", what);
}

static void *new_array(struct lw_cute_work *work, int count, size_t size)
{
    void *array = lw_arena_alloc(work->arena, ((size_t)count + 1) * size);
    if (!array)
        lw_cute_memory(work);
    return array;
}

struct lw_cute_tuple *lw_cute_new_tuples(struct lw_cute_work *work, int count)
{
    return new_array(work, count, sizeof(struct lw_cute_tuple));
}

struct lw_cute_tuple *lw_cute_new_items(struct lw_cute_work *work, int count,
                                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, count);
    *out = (struct lw_cute_tuple){.count = count, .items = items};
    return items;
}

struct lw_cute_layout *lw_cute_new_layouts(struct lw_cute_work *work, int count)
{
    return new_array(work, count, sizeof(struct lw_cute_layout));
}

void lw_cute_step(struct lw_cute_work *work, const char *format, ...)
{
    char line[256];
    va_list args;
    if (!work->steps)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    lw_text_add(work->steps, line);
    lw_text_char(work->steps, '\n');
}

void lw_cute_step_layout(struct lw_cute_work *work, const char *name,
                         const struct lw_cute_layout *layout)
{
    if (!work->steps)
        return;
    lw_text_format(work->steps, "%s = ", name);
    lw_cute_layout_print(work->steps, layout);
    lw_text_char(work->steps, '\n');
}

/* ---- Making ---- */

struct lw_cute_layout lw_cute_leaf(int64_t size, int64_t stride, bool fixed)
{
    return (struct lw_cute_layout){lw_cute_integer(size, fixed), lw_cute_integer(stride, fixed)};
}

static bool profile_error(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                          const struct lw_cute_tuple *stride)
{
    struct lw_text a = {.limit = 60}, b = {.limit = 60};
    lw_cute_tuple_print(&a, shape);
    lw_cute_tuple_print(&b, stride);
    lw_error_at(work->err, LW_ERROR_SHAPE, stride->position,
                "shape and stride must have one profile: %s has %s, its stride %s %s",
                lw_text_string(&a), shape->count < 0 ? "no modes" : "modes", lw_text_string(&b),
                stride->count < 0  ? "is one number"
                : shape->count < 0 ? "has"
                                   : "has another number of modes");
    lw_text_free(&a);
    lw_text_free(&b);
    return false;
}

static bool check_tree(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                       const struct lw_cute_tuple *stride, int depth)
{
    if (shape->count != stride->count)
        return profile_error(work, shape, stride);
    if (depth > LW_CUTE_DEPTH_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "nested too deeply: at most %d levels", LW_CUTE_DEPTH_MAX);
    for (int i = 0; i < shape->count; i++)
        if (!check_tree(work, &shape->items[i], &stride->items[i], depth + 1))
            return false;
    if (shape->count >= 0)
        return shape->count > 0 || lw_error_at(work->err, LW_ERROR_SHAPE, shape->position,
                                               "(): a mode without sizes maps nothing");
    if (shape->value < 1 || shape->value > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_PARAMETER, shape->position,
                           "size %lld: each size must be from 1 to 2^62", (long long)shape->value);
    if (stride->value < -LW_CUTE_MAX || stride->value > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_PARAMETER, stride->position,
                           "stride %lld: each stride must be from -2^62 to 2^62",
                           (long long)stride->value);
    return true;
}

/* The last offset, where a negative stride counts as positive; false when it is over LW_CUTE_MAX. */
static bool last_offset(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                        int64_t *last)
{
    int64_t step = 0;
    if (shape->count < 0)
        return !__builtin_mul_overflow(shape->value - 1, llabs(stride->value), &step) &&
               !__builtin_add_overflow(*last, step, last) && *last < LW_CUTE_MAX;
    for (int i = 0; i < shape->count; i++)
        if (!last_offset(&shape->items[i], &stride->items[i], last))
            return false;
    return true;
}

bool lw_cute_make(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, struct lw_cute_layout *out)
{
    int64_t last = 0;
    if (!check_tree(work, shape, stride, 0))
        return false;
    if (lw_cute_leaves(shape) > LW_CUTE_LEAVES_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "a layout has at most %d integers", LW_CUTE_LEAVES_MAX);
    if (lw_cute_product(shape) > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_LIMIT, shape->position,
                           "the size of the layout is over 2^62");
    if (!last_offset(shape, stride, &last))
        return lw_error_at(work->err, LW_ERROR_LIMIT, stride->position,
                           "the last offset of the layout is over 2^62");
    *out = (struct lw_cute_layout){*shape, *stride};
    return true;
}

/* Fills strides over a shape, from the left or from the right; *step is that of the next
 * integer. */
static bool compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                    int64_t *step, bool *fixed, struct lw_cute_tuple *out)
{
    *out = *shape;
    if (shape->count < 0) {
        bool one = shape->fixed && shape->value == 1;
        out->value = one ? 0 : *step;
        out->fixed = one || *fixed;
        *fixed = *fixed && shape->fixed;
        return !__builtin_mul_overflow(*step, shape->value, step) ||
               lw_cute_too_large(work, "the size of the layout");
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, shape->count);
    if (!items)
        return false;
    for (int i = 0; i < shape->count; i++) {
        int at = right ? shape->count - 1 - i : i;
        if (!compact(work, &shape->items[at], right, step, fixed, &items[at]))
            return false;
    }
    out->items = items;
    return true;
}

bool lw_cute_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                     struct lw_cute_layout *out)
{
    struct lw_cute_tuple stride;
    int64_t step = 1;
    bool fixed = true;
    if (lw_cute_depth(shape) > LW_CUTE_DEPTH_MAX || lw_cute_leaves(shape) > LW_CUTE_LEAVES_MAX)
        return lw_cute_make(work, shape, shape, out);
    return compact(work, shape, right, &step, &fixed, &stride) &&
           lw_cute_make(work, shape, &stride, out);
}

bool lw_cute_join(struct lw_cute_work *work, const struct lw_cute_layout *layouts, int count,
                  struct lw_cute_layout *out)
{
    struct lw_cute_tuple *shapes = lw_cute_new_tuples(work, count);
    struct lw_cute_tuple *strides = lw_cute_new_tuples(work, count);
    if (!shapes || !strides)
        return false;
    for (int i = 0; i < count; i++) {
        shapes[i] = layouts[i].shape;
        strides[i] = layouts[i].stride;
    }
    struct lw_cute_tuple shape = {.count = count, .items = shapes};
    struct lw_cute_tuple stride = {.count = count, .items = strides};
    return lw_cute_make(work, &shape, &stride, out);
}

struct lw_cute_layout lw_cute_mode(const struct lw_cute_layout *layout, int i)
{
    return (struct lw_cute_layout){*lw_cute_item(&layout->shape, i),
                                   *lw_cute_item(&layout->stride, i)};
}

static bool copy_tuple(struct lw_arena *arena, struct lw_cute_tuple *out,
                       const struct lw_cute_tuple *tuple)
{
    struct lw_cute_axis *axis;
    *out = *tuple;
    if (tuple->count < 0 && (tuple->leaf != LW_CUTE_INTEGER || !tuple->axis))
        return true;
    if (tuple->count < 0) {
        axis = lw_arena_alloc(arena, sizeof *axis);
        if (axis)
            *axis = *tuple->axis;
        out->axis = axis;
        return axis;
    }
    struct lw_cute_tuple *items = lw_arena_alloc(arena, (size_t)(tuple->count + 1) * sizeof *items);
    bool good = items;
    for (int i = 0; i < tuple->count && good; i++)
        good = copy_tuple(arena, &items[i], &tuple->items[i]);
    out->items = items;
    return good;
}

bool lw_cute_copy(struct lw_arena *arena, struct lw_cute *out, const struct lw_cute *cute)
{
    struct lw_cute_tuple *tile = cute->tile ? lw_arena_alloc(arena, sizeof *tile) : NULL;
    struct lw_cute_coords *coords = cute->coords ? lw_arena_alloc(arena, sizeof *coords) : NULL;
    *out = *cute;
    out->tile = tile;
    out->coords = coords;
    if (coords)
        *coords = *cute->coords;
    if (cute->tiling) {
        out->tiling = lw_arena_string(arena, cute->tiling, strlen(cute->tiling));
        out->operand = lw_arena_string(arena, cute->operand, strlen(cute->operand));
    }
    return !cute->tiling == !out->tiling && !cute->operand == !out->operand &&
           !coords == !cute->coords &&
           (!cute->tile || (tile && copy_tuple(arena, tile, cute->tile))) &&
           copy_tuple(arena, &out->layout.shape, &cute->layout.shape) &&
           copy_tuple(arena, &out->layout.stride, &cute->layout.stride);
}

/* ---- Queries ---- */

int64_t lw_cute_size(const struct lw_cute_layout *layout)
{
    return lw_cute_product(&layout->shape);
}

int64_t lw_cute_cosize(const struct lw_cute_layout *layout)
{
    int64_t last = 0;
    last_offset(&layout->shape, &layout->stride, &last);
    return last + 1;
}

static bool add_reach(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      struct lw_cute_tuple *sum)
{
    const struct lw_cute_tuple minus = lw_cute_integer(-1, true);
    struct lw_cute_tuple last, step;
    for (int i = 0; i < a->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(a, i);
        if (!add_reach(work, &mode, sum))
            return false;
    }
    if (a->shape.count >= 0)
        return true;
    step = lw_cute_integer(llabs(a->stride.value), a->stride.fixed);
    return lw_cute_plus(work, &a->shape, &minus, &last) &&
           lw_cute_times(work, &last, &step, &step) && lw_cute_plus(work, sum, &step, sum);
}

bool lw_cute_cosize_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_tuple *out)
{
    *out = lw_cute_integer(1, true);
    return add_reach(work, a, out);
}

/* The offset of an index; the last mode continues beyond its size. */
static int64_t offset_of(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                         int64_t index)
{
    int64_t offset = 0;
    if (shape->count < 0)
        return index * stride->value;
    for (int i = 0; i + 1 < shape->count; i++) {
        int64_t size = lw_cute_product(&shape->items[i]);
        offset += offset_of(&shape->items[i], &stride->items[i], index % size);
        index /= size;
    }
    int last = shape->count - 1;
    return offset + offset_of(&shape->items[last], &stride->items[last], index);
}

int64_t lw_cute_offset(const struct lw_cute_layout *layout, int64_t index)
{
    return offset_of(&layout->shape, &layout->stride, index);
}

int64_t lw_cute_offset_at(const struct lw_cute_layout *layout, const uint64_t *point)
{
    int64_t offset = 0;
    for (int i = 0; i < lw_cute_rank(&layout->shape); i++)
        offset += offset_of(lw_cute_item(&layout->shape, i), lw_cute_item(&layout->stride, i),
                            (int64_t)point[i]);
    return offset;
}

/* ---- Axes ---- */

bool lw_cute_check_axes(struct lw_cute_work *work, const struct lw_cute_tuple *stride)
{
    for (int i = 0; i < stride->count; i++)
        if (!lw_cute_check_axes(work, &stride->items[i]))
            return false;
    if (!lw_cute_is_integer(stride) || !stride->axis)
        return true;
    return lw_error_at(work->err, LW_ERROR_LIMIT, stride->position,
                       "a stride of 0 along an axis, such as 0@1: CuTe keeps the axis in the "
                       "result of this operation, which is not supported; write 0");
}
