/* What the calculator does with layouts of CuTe by coordinates: making them, computing an offset, slicing, and the
 * rules for strides of coordinates. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

#include <string.h>

static bool is_leaf(const struct lw_cute_tuple *tuple, enum lw_cute_leaf leaf)
{
    return tuple->count < 0 && tuple->leaf == leaf;
}

/* ---- Making ---- */

/* make_layout(A, B, ...): a mode for each. */
static bool join(struct lw_cute_work *work, const struct lw_cute_tuple *list, struct lw_cute *out)
{
    struct lw_cute_layout *modes =
        lw_arena_alloc(work->arena, (size_t)(list->count + 1) * sizeof *modes);
    if (!modes)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < list->count; i++) {
        const struct lw_cute_tuple *item = &list->items[i];
        if (!is_leaf(item, LW_CUTE_LAYOUT) || item->layout->composed ||
            lw_cute_is_of_coordinates(item->layout))
            return lw_error_at(work->err, LW_ERROR_SHAPE, item->position,
                               "make_layout: expected a shape and a stride, or layouts without "
                               "swizzles and coordinates");
        modes[i] = item->layout->layout;
    }
    return lw_cute_join(work, modes, list->count, &out->layout);
}

bool lw_calc_make_layout(struct lw_cute_work *work, const struct lw_cute_tuple *list,
                         struct lw_cute *out)
{
    const struct lw_cute_tuple *shape = &list->items[0], *stride = &list->items[1];
    memset(out, 0, sizeof *out);
    if (list->count == 0)
        return lw_error_set(work->err, LW_ERROR_SHAPE, "make_layout: expected a shape, or layouts");
    if (is_leaf(shape, LW_CUTE_LAYOUT))
        return join(work, list, out);
    if (list->count > 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, list->items[2].position,
                           "make_layout: expected a shape and a stride, and nothing after them");
    bool ordered = list->count > 1 && is_leaf(stride, LW_CUTE_ORDER);
    if (list->count > 1 && !ordered)
        return lw_calc_strided(work, shape, stride, out);
    return lw_calc_integers(shape, work->err) &&
           lw_cute_compact(work, shape, ordered && stride->value, &out->layout);
}

LW_CALC_RUN(lw_calc_run_make_layout)
{
    return lw_calc_make_layout(&call->work, &call->args[0].as.tuple, &out->as.cute);
}

LW_CALC_RUN(lw_calc_run_make_identity)
{
    out->as.cute = (struct lw_cute){0};
    return lw_cute_identity(&call->work, &call->args[0].as.tuple, &out->as.cute.layout);
}

/* make_shape(4, 8): the tuple. */
LW_CALC_RUN(lw_calc_run_make_tuple)
{
    out->as.tuple = call->args[0].as.tuple;
    return true;
}

/* ---- Offsets ---- */

static bool apply(struct lw_cute_work *work, const struct lw_cute *cute,
                  const struct lw_cute_tuple *coordinate, struct lw_calc_result *out)
{
    struct lw_cute_tuple offset;
    if (!lw_calc_integers(coordinate, work->err) ||
        !lw_cute_at(work, &cute->layout, coordinate, &offset))
        return false;
    out->kind = LW_CALC_TUPLE;
    if (cute->origin)
        return lw_cute_plus(work, cute->origin, &offset, &out->as.tuple);
    out->as.tuple = offset;
    if (offset.count >= 0 || offset.axis)
        return true;
    int64_t number = lw_cute_apply_to(cute, offset.value);
    out->as.tuple = lw_cute_integer(number, offset.fixed && !cute->composed);
    lw_calc_plain_number(out);
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_apply)
{
    return apply(&call->work, &call->self->as.cute, &call->args[0].as.tuple, out);
}

/* All offsets, or coordinates, in the order of the coordinates' numbers, from the start of a part. */
LW_CALC_RUN(lw_calc_run_cute_offsets)
{
    const struct lw_cute *cute = &call->self->as.cute;
    int64_t size = lw_cute_size(&cute->layout);
    struct lw_calc_result at;
    if (size > LW_CUTE_LEAVES_MAX)
        return lw_error_set(call->work.err, LW_ERROR_LIMIT, "offsets: %lld, of at most %d",
                            (long long)size, LW_CUTE_LEAVES_MAX);
    struct lw_cute_tuple *items = lw_cute_new_items(&call->work, (int)size, &out->as.tuple);
    for (int i = 0; items && i < size; i++) {
        const struct lw_cute_tuple number = lw_cute_integer(i, false);
        if (!apply(&call->work, cute, &number, &at))
            return false;
        items[i] = at.as.tuple;
        if (at.kind == LW_CALC_NUMBER || lw_cute_is_integer(&at.as.tuple))
            items[i] = lw_cute_integer(
                at.kind == LW_CALC_NUMBER ? (int64_t)at.as.number : at.as.tuple.value, false);
    }
    return items;
}

/* ---- Slices ---- */

static bool has_blank(const struct lw_cute_tuple *item)
{
    bool found = is_leaf(item, LW_CUTE_BLANK);
    for (int i = 0; i < item->count; i++)
        found = found || has_blank(&item->items[i]);
    return found;
}

/* Sw<2,3,3>(100) */
static bool swizzled(struct lw_cute_work *work, const struct lw_cute_tuple *offset,
                     struct lw_calc_result *value)
{
    const struct lw_cute_swizzle swizzle = value->as.swizzle;
    if (!lw_cute_is_integer(offset) || offset->value < 0 || offset->value > LW_CUTE_MAX)
        return lw_error_at(work->err, LW_ERROR_PARAMETER, offset->position,
                           "a swizzle is applied to an offset, a number from 0 to 2^62");
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = lw_cute_integer(lw_cute_swizzled(&swizzle, offset->value), offset->fixed);
    return true;
}

bool lw_calc_at(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                struct lw_calc_result *value)
{
    struct lw_cute *cute = &value->as.cute;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (coordinate->count == 1)
        coordinate = &coordinate->items[0];
    if (value->kind == LW_CALC_SWIZZLE)
        return swizzled(work, coordinate, value);
    if (!has_blank(coordinate)) {
        struct lw_cute own = *cute;
        return apply(work, &own, coordinate, value);
    }
    if (is_leaf(coordinate, LW_CUTE_BLANK))
        return true; /* a blank alone selects the whole layout */
    if (cute->composed && !cute->part)
        return lw_error_at(
            work->err, LW_ERROR_UNSUPPORTED, coordinate->position,
            "a slice of a swizzled layout cannot be written as a swizzle before a layout");
    const struct lw_cute tensor = *cute;
    if (!lw_cute_slice(work, &tensor.layout, coordinate, &part, &start))
        return false;
    if (tensor.part || tensor.origin)
        return lw_calc_set_part(work, &tensor, &part, &start, cute);
    lw_calc_clear_atom(cute); /* a slice of a layout has no offset */
    cute->layout = part;
    cute->left_out += start.count < 0 && !start.axis ? start.value : 0;
    return true;
}

/* ---- Parts of tensors ---- */

/* The items of a tuple at which a projection has no blank; an integer has one item. (dice) */
static bool dice(struct lw_calc_call *call, const struct lw_cute_tuple *projection,
                 const struct lw_cute_tuple *tuple, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(tuple), count = 0;
    if (lw_cute_rank(projection) != rank)
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, projection->position,
                           "%s: the projection has %d modes, and what it projects %d",
                           call->operation->name, lw_cute_rank(projection), rank);
    struct lw_cute_tuple *items =
        lw_arena_alloc(call->work.arena, (size_t)(rank + 1) * sizeof *items);
    if (!items)
        return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rank; i++)
        if (!is_leaf(lw_cute_item(projection, i), LW_CUTE_BLANK))
            items[count++] = *lw_cute_item(tuple, i);
    *out = (struct lw_cute_tuple){.position = tuple->position, .count = count, .items = items};
    return true;
}

/* Appends blanks to a coordinate up to a rank. */
static bool fill_up(struct lw_calc_call *call, const struct lw_cute_tuple *coordinate, int rank,
                    struct lw_cute_tuple *out)
{
    *out = *coordinate;
    if (coordinate->count < 0 || coordinate->count >= rank)
        return true;
    struct lw_cute_tuple *items =
        lw_arena_alloc(call->work.arena, (size_t)(rank + 1) * sizeof *items);
    if (!items)
        return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rank; i++)
        items[i] = i < coordinate->count
                       ? coordinate->items[i]
                       : (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_BLANK};
    out->count = rank;
    out->items = items;
    return true;
}

/* The part of a tensor in zipped tiles at a coordinate of mode `mode`, with all of the other mode. */
static bool partition(struct lw_calc_call *call, const struct lw_cute_tuple *tiler,
                      const struct lw_cute_tuple *coordinate, int mode, struct lw_calc_result *out)
{
    const struct lw_cute *tensor = &call->self->as.cute;
    struct lw_cute_layout zipped, part;
    struct lw_cute_tuple items[2] = {{0}}, start, both = lw_cute_tuple_of(items, 2);
    const struct lw_cute_tuple none = {.position = coordinate->position};
    both.position = coordinate->position;
    return lw_cute_divide(&call->work, &tensor->layout, tiler, LW_CUTE_ZIPPED, &zipped) &&
           fill_up(call, coordinate, lw_cute_rank(lw_cute_item(&zipped.shape, mode)),
                   &items[mode]) &&
           fill_up(call, &none, lw_cute_rank(lw_cute_item(&zipped.shape, !mode)), &items[!mode]) &&
           lw_cute_slice(&call->work, &zipped, &both, &part, &start) &&
           lw_calc_set_part(&call->work, tensor, &part, &start, &out->as.cute);
}

/* One tile, or with blanks in the coordinate several. */
LW_CALC_RUN(lw_calc_run_cute_local_tile)
{
    struct lw_cute_tuple tiler = call->args[0].as.tuple, coordinate = call->args[1].as.tuple;
    const struct lw_calc_argument *projection = &call->args[2];
    return (!projection->given || (dice(call, &projection->as.tuple, &tiler, &tiler) &&
                                   dice(call, &projection->as.tuple, &coordinate, &coordinate))) &&
           partition(call, &tiler, &coordinate, 1, out);
}

/* The element at a coordinate of each tile. */
LW_CALC_RUN(lw_calc_run_cute_outer_partition)
{
    return partition(call, &call->args[0].as.tuple, &call->args[1].as.tuple, 0, out);
}

/* The modes of a layout that a projection keeps. */
static bool project(struct lw_calc_call *call, const struct lw_cute_tuple *projection,
                    struct lw_cute_layout *layout)
{
    struct lw_cute_tuple shape, stride;
    return dice(call, projection, &layout->shape, &shape) &&
           dice(call, projection, &layout->stride, &stride) &&
           lw_cute_make(&call->work, &shape, &stride, layout);
}

/* Whether a value is a coordinate: it has a blank, or is a tuple and the other value is none. */
static bool is_coordinate(const struct lw_calc_result *value, const struct lw_calc_result *other)
{
    return value->kind == LW_CALC_BLANK ||
           (value->kind == LW_CALC_TUPLE &&
            (has_blank(&value->as.tuple) || other->kind == LW_CALC_CUTE));
}

/* The coordinate of slice and dice. */
static bool coordinate_of(const struct lw_calc_result *value, struct lw_cute_tuple *out)
{
    bool number = value->kind == LW_CALC_NUMBER;
    *out = number ? lw_cute_integer((int64_t)value->as.number, false) : value->as.tuple;
    return number || value->kind == LW_CALC_TUPLE || value->kind == LW_CALC_BLANK;
}

/* The offset of the first element of a slice; 0 for a coordinate that is not in the layout. */
static int64_t start_of(const struct lw_cute_work *work, const struct lw_cute_tuple *at,
                        const struct lw_cute_layout *layout)
{
    struct lw_error ignored;
    struct lw_cute_work own = *work;
    struct lw_cute_tuple start;
    own.err = &ignored;
    return lw_cute_at(&own, layout, at, &start) && start.count < 0 && !start.axis ? start.value : 0;
}

/* slice((1,_), A) and dice((1,_), A), of a layout or a tuple; in Python slice_(A, (1,None)). */
LW_CALC_RUN(lw_calc_run_pick)
{
    const struct lw_calc_result *a = call->args[0].as.value, *b = call->args[1].as.value;
    bool python = !is_coordinate(a, b) && is_coordinate(b, a);
    bool blanks = call->operation->core.flag;
    const struct lw_calc_result *of = python ? a : b;
    const struct lw_cute *cute = &of->as.cute;
    struct lw_cute_tuple at, shape, stride;
    bool layout = of->kind == LW_CALC_CUTE && !(cute->composed && blanks);
    if (!coordinate_of(python ? b : a, &at) || (of->kind != LW_CALC_TUPLE && !layout))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s: expected a coordinate, and a tuple or a layout without a swizzle",
                            call->operation->name);
    if (!layout) {
        out->kind = LW_CALC_TUPLE;
        return lw_cute_pick(&call->work, &at, &of->as.tuple, blanks, &out->as.tuple);
    }
    if (blanks && (cute->part || cute->iterator)) {
        *out = *of;
        return lw_calc_at(&call->work, &at, out);
    }
    out->as.cute = *cute;
    lw_calc_clear_atom(&out->as.cute);
    out->as.cute.left_out += blanks ? start_of(&call->work, &at, &cute->layout) : 0;
    return lw_cute_pick(&call->work, &at, &cute->layout.shape, blanks, &shape) &&
           lw_cute_pick(&call->work, &at, &cute->layout.stride, blanks, &stride) &&
           lw_cute_make(&call->work, &shape, &stride, &out->as.cute.layout);
}

/* The part of thread `index` of a layout of threads: each tile at its coordinate. */
LW_CALC_RUN(lw_calc_run_cute_local_partition)
{
    struct lw_cute_layout threads = call->args[0].as.value->as.cute.layout;
    int64_t index = (int64_t)lw_calc_number(call, 1, 0), point[LW_CUTE_LEAVES_MAX];
    if ((index < 0 || index >= lw_cute_cosize(&threads)) && call->work.rules != LW_CUTE_UNCHECKED)
        return lw_error_set(
            call->work.err, LW_ERROR_PARAMETER,
            "local_partition: thread %lld: must be from 0 to %lld; CuTe takes it modulo "
            "the sizes of its coordinates (--as-cute)",
            (long long)index, (long long)lw_cute_cosize(&threads) - 1);
    if (call->args[2].given && !project(call, &call->args[2].as.tuple, &threads))
        return false;
    int rank = lw_cute_rank(&threads.shape);
    struct lw_cute_tuple *items =
        lw_arena_alloc(call->work.arena, (size_t)(rank + 1) * 2 * sizeof *items);
    if (!items)
        return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_cute_flat_coordinate(&call->work, &threads, index, point))
        return false;
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(&threads, i);
        items[i] = lw_cute_integer(lw_cute_size(&mode), lw_cute_all_fixed(&mode.shape));
        items[rank + i] = lw_cute_integer(point[i], items[i].fixed && items[i].value == 1);
    }
    struct lw_cute_tuple tiler = {.count = rank, .items = items};
    struct lw_cute_tuple coordinate = {.count = rank, .items = items + rank};
    if (threads.shape.count < 0) {
        tiler = items[0];
        coordinate = items[rank];
    }
    if (!partition(call, &tiler, &coordinate, 0, out))
        return false;
    out->as.cute.of_thread = true;
    out->as.cute.thread = index;
    return true;
}

/* ---- What an operation is of ---- */

bool lw_calc_is_possible(struct lw_calc_call *call)
{
    struct lw_error *err = call->work.err;
    if (call->self->kind == LW_CALC_SWIZZLE)
        return call->operation->run == lw_calc_run_cute_composition ||
               lw_error_set(err, LW_ERROR_SHAPE,
                            "%s is for a layout of CuTe, not for a swizzle alone",
                            call->operation->name);
    if (!lw_cute_is_of_coordinates(&call->self->as.cute))
        return true;
    call->work.steps = NULL;
    if (call->operation->coords == LW_CALC_COORDS_NONE)
        return lw_error_set(
            err, LW_ERROR_SHAPE,
            "%s needs offsets that are numbers; those of this layout are coordinates",
            call->operation->name);
    return true;
}
