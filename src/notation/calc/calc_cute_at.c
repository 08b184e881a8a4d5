/* What the calculator does with layouts of CuTe by coordinates: making them, asking for an offset, slicing,
 * and what holds for strides of coordinates. */

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
        if (!is_leaf(item, LW_CUTE_LAYOUT) || item->layout->composed || item->layout->coords)
            return lw_error_at(work->err, LW_ERROR_SHAPE, item->position,
                               "make_layout: either a shape and a stride, or layouts without "
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
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "make_layout: a shape is needed, or layouts");
    if (is_leaf(shape, LW_CUTE_LAYOUT))
        return join(work, list, out);
    if (list->count > 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, list->items[2].position,
                           "make_layout: a shape and a stride, and no more");
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
    return lw_cute_identity(&call->work, &call->args[0].as.tuple, &out->as.cute);
}

/* make_shape(4, 8): the tuple. */
LW_CALC_RUN(lw_calc_run_make_tuple)
{
    out->as.tuple = call->args[0].as.tuple;
    return true;
}

/* ---- Offsets ---- */

/* The index of a coordinate in a shape, leftmost fastest. */
static bool index_of(const struct lw_cute_tuple *coordinate, const struct lw_cute_tuple *shape,
                     int64_t *index, struct lw_error *err)
{
    int64_t size = lw_cute_product(shape), weight = 1;
    if (coordinate->count < 0) {
        *index = coordinate->value;
        return (*index >= 0 && *index < size) ||
               lw_error_at(err, LW_ERROR_PARAMETER, coordinate->position,
                           "the coordinate %lld: from 0 to %lld", (long long)*index,
                           (long long)size - 1);
    }
    if (coordinate->count != lw_cute_rank(shape))
        return lw_error_at(err, LW_ERROR_SHAPE, coordinate->position,
                           "a coordinate of %d modes in a shape of %d", coordinate->count,
                           lw_cute_rank(shape));
    *index = 0;
    for (int i = 0; i < coordinate->count; i++) {
        int64_t own;
        const struct lw_cute_tuple *mode = lw_cute_item(shape, i);
        if (!index_of(&coordinate->items[i], mode, &own, err))
            return false;
        *index += own * weight;
        weight *= lw_cute_product(mode);
    }
    return true;
}

/* A coordinate as CuTe prints it, (3,5) or 3@1, as a value. */
static bool answer_coordinate(const struct lw_cute_work *work, const struct lw_cute *cute,
                              int64_t offset, struct lw_calc_result *out)
{
    struct lw_text text = {0};
    lw_cute_coords_print_at(&text, cute, offset);
    out->kind = LW_CALC_TUPLE;
    bool made = lw_calc_literal_text(work->arena, &text, &out->as.tuple, work->err);
    lw_text_free(&text);
    return made;
}

static bool apply(const struct lw_cute_work *work, const struct lw_cute *cute,
                  const struct lw_cute_tuple *coordinate, struct lw_calc_result *out)
{
    int64_t index;
    if (!lw_calc_integers(coordinate, work->err) ||
        !index_of(coordinate, &cute->layout.shape, &index, work->err))
        return false;
    if (cute->coords)
        return answer_coordinate(work, cute, lw_cute_offset(&cute->layout, index), out);
    out->kind = LW_CALC_NUMBER;
    out->as.number = (uint64_t)lw_cute_apply(cute, index);
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_apply)
{
    return apply(&call->work, &call->self->as.cute, &call->args[0].as.tuple, out);
}

/* ---- Slices ---- */

static int blanks(const struct lw_cute_tuple *item)
{
    int count = is_leaf(item, LW_CUTE_BLANK);
    for (int i = 0; i < item->count; i++)
        count += blanks(&item->items[i]);
    return count;
}

/* Appends the modes at blanks. */
static bool slice_into(const struct lw_cute_tuple *coordinate, const struct lw_cute_layout *layout,
                       struct lw_cute_layout *modes, int *count, struct lw_error *err)
{
    if (is_leaf(coordinate, LW_CUTE_BLANK)) {
        modes[(*count)++] = *layout;
        return true;
    }
    if (coordinate->count < 0) {
        int64_t index;
        return lw_calc_integers(coordinate, err) &&
               index_of(coordinate, &layout->shape, &index, err);
    }
    if (coordinate->count != lw_cute_rank(&layout->shape))
        return lw_error_at(err, LW_ERROR_SHAPE, coordinate->position,
                           "a coordinate of %d modes in a shape of %d", coordinate->count,
                           lw_cute_rank(&layout->shape));
    for (int i = 0; i < coordinate->count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        if (!slice_into(&coordinate->items[i], &mode, modes, count, err))
            return false;
    }
    return true;
}

bool lw_calc_at(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                struct lw_calc_result *value)
{
    struct lw_cute *cute = &value->as.cute;
    int max = blanks(coordinate), count = 0;
    if (coordinate->count == 1)
        coordinate = &coordinate->items[0];
    if (max == 0) {
        struct lw_cute own = *cute;
        return apply(work, &own, coordinate, value);
    }
    if (is_leaf(coordinate, LW_CUTE_BLANK))
        return true; /* all of it */
    if (cute->composed)
        return lw_error_at(work->err, LW_ERROR_UNSUPPORTED, coordinate->position,
                           "a slice of a swizzled layout is no swizzle before a layout");
    struct lw_cute_layout *modes = lw_arena_alloc(work->arena, (size_t)max * sizeof *modes), made;
    if (!modes)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    if (!slice_into(coordinate, &cute->layout, modes, &count, work->err) ||
        !lw_cute_join(work, modes, count, &made))
        return false;
    cute->layout = made;
    lw_calc_forget_atom(cute);
    return true;
}

/* One tile: the modes of the tile, at a coordinate of the rest, whose blanks are modes too. */
LW_CALC_RUN(lw_calc_run_cute_local_tile)
{
    struct lw_cute_layout *zipped = &out->as.cute.layout;
    const struct lw_cute_tuple *given = &call->args[1].as.tuple;
    out->as.cute = call->self->as.cute;
    lw_calc_forget_atom(&out->as.cute);
    if (!lw_cute_divide(&call->work, &call->self->as.cute.layout, &call->args[0].as.tuple,
                        LW_CUTE_ZIPPED, zipped))
        return false;
    int rank = lw_cute_rank(lw_cute_item(&zipped->shape, 0));
    struct lw_cute_tuple *items =
        lw_arena_alloc(call->work.arena, (size_t)(rank + 2) * sizeof *items);
    if (!items)
        return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rank; i++)
        items[2 + i] = (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_BLANK};
    items[0] = (struct lw_cute_tuple){.count = rank, .items = items + 2};
    items[1] = *given;
    struct lw_cute_tuple both = {.position = given->position, .count = 2, .items = items};
    return lw_calc_at(&call->work, &both, out);
}

/* ---- What an operation is of ---- */

/* Whether a tiler stays within the layout: what is beyond its end would run into another coordinate. */
static bool within(const struct lw_cute_layout *layout, const struct lw_cute_tuple *tiler)
{
    struct lw_cute_layout part;
    for (int i = 0; i < tiler->count && i < lw_cute_rank(&layout->shape); i++) {
        part = lw_cute_mode(layout, i);
        if (!within(&part, &tiler->items[i]))
            return false;
    }
    if (tiler->count >= 0 || is_leaf(tiler, LW_CUTE_BLANK))
        return true; /* too many modes are an error of the operation */
    part = lw_cute_tiler_layout(tiler);
    return lw_cute_cosize(&part) <= lw_cute_size(layout);
}

bool lw_calc_is_possible(struct lw_calc_call *call)
{
    struct lw_error *err = call->work.err;
    if (call->self->kind == LW_CALC_SWIZZLE)
        return call->operation->run == lw_calc_run_cute_composition ||
               lw_error_set(err, LW_ERROR_SHAPE,
                            "%s is for a layout of CuTe, not for a swizzle alone",
                            call->operation->name);
    if (!call->self->as.cute.coords)
        return true;
    call->work.steps = NULL;
    if (!call->operation->coords)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "%s needs offsets that are numbers; those of this layout are "
                            "coordinates",
                            call->operation->name);
    return call->operation->params[0].kind != LW_CALC_PARAM_TILER ||
           within(&call->self->as.cute.layout, &call->args[0].as.tuple) ||
           lw_error_set(err, LW_ERROR_SHAPE, "%s: the tiler goes beyond the layout",
                        call->operation->name);
}
