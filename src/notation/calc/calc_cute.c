/* Operations of CuTe on layouts, shapes and coordinates, and their rows. A composed layout keeps its swizzle and
 * offset, and the operation is done on the layout inside, as CuTe does. */

#include "notation/calc/calculator.h"
#include "notation/calc/calc_rows.h"

/* ---- Operands and results ---- */

static const struct lw_cute *self_of(const struct lw_calc_call *call)
{
    return lw_calc_cute(call->self);
}

static const struct lw_cute_layout *inner_of(const struct lw_calc_call *call)
{
    return &self_of(call)->layout;
}

/* What a result has of the layout that it is made of: all but that it is of an atom. */
static struct lw_cute like(const struct lw_cute *cute)
{
    struct lw_cute made = *cute;
    lw_calc_clear_atom(&made);
    return made;
}

static bool set(struct lw_calc_call *call, const struct lw_cute *made, struct lw_calc_result *out)
{
    return lw_calc_set_cute(&call->work, made, out);
}

/* The same, where a result with elements that the part of a thread lacks is not the part of that thread. */
static bool set_part_of(struct lw_calc_call *call, struct lw_cute *made, struct lw_calc_result *out)
{
    const struct lw_cute_layout *part = inner_of(call);
    if (lw_cute_size(&made->layout) > lw_cute_size(part) ||
        lw_cute_cosize(&made->layout) > lw_cute_cosize(part)) {
        made->of_thread = false;
        made->thread = 0;
    }
    return set(call, made, out);
}

static bool need_plain(const struct lw_calc_call *call, const struct lw_cute *cute)
{
    return !cute->composed ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s: there is a swizzle, and the result cannot be written as a "
                        "swizzle before a layout",
                        call->row->base.name);
}

/* The numbers of modes in an argument: size<1,0>(A), and mode=[1,0] of Python. */
static struct lw_cute_tuple path_of(const struct lw_calc_call *call)
{
    const struct lw_cute_tuple *path = lw_calc_tree(call, 0);
    return path->count == 1 && path->items[0].count >= 0 ? path->items[0] : *path;
}

/* What is done with a tuple, and with the shape and the stride of a layout. */
#define ON_TREE(name)                                                                              \
    bool name(struct lw_calc_call *call, const struct lw_cute_tuple *tree,                         \
              struct lw_cute_tuple *out)

/* The item that the arguments select, the outermost first. */
static ON_TREE(item)
{
    const struct lw_cute_tuple path = path_of(call);
    *out = *tree;
    for (int i = 0; i < path.count; i++) {
        const struct lw_cute_tuple *number = &path.items[i];
        int rank = lw_cute_rank(out);
        if (!lw_cute_is_integer(number))
            return lw_error_at(call->work.err, LW_ERROR_PARAMETER, number->position,
                               "%s: expected the number of %s", call->row->base.name,
                               self_of(call) ? "a mode" : "an item");
        if (number->value < 0 || number->value >= rank)
            return lw_error_at(call->work.err, LW_ERROR_PARAMETER, number->position,
                               "%s: no %s %lld: must be from 0 to %d", call->row->base.name,
                               self_of(call) ? "mode" : "item", (long long)number->value, rank - 1);
        *out = *lw_cute_item(out, (int)number->value);
    }
    return true;
}

/* The layout, or the mode of it that the arguments select. */
static bool mode_of(struct lw_calc_call *call, struct lw_cute_layout *out)
{
    return item(call, &inner_of(call)->shape, &out->shape) &&
           item(call, &inner_of(call)->stride, &out->stride);
}

/* ---- Making ---- */

static LW_CALC_RUN(make_layout)
{
    struct lw_cute made;
    return lw_calc_make_layout(&call->work, lw_calc_tree(call, 0), &made) && set(call, &made, out);
}

/* As a tensor it starts at the coordinate of zeros. */
static LW_CALC_RUN(make_identity)
{
    const struct lw_cute_tuple *shape = lw_calc_tree(call, 0), zero = lw_cute_integer(0, true);
    bool tensor = call->row->core.which && shape->count >= 0;
    struct lw_cute_tuple start;
    struct lw_cute made = {0};
    return lw_cute_identity(&call->work, shape, &made.layout) &&
           (!tensor || (lw_cute_at(&call->work, &made.layout, &zero, &start) &&
                        lw_calc_set_start(&call->work, &start, &made))) &&
           set(call, &made, out);
}

static LW_CALC_RUN(make_ordered)
{
    struct lw_cute made = {0};
    return lw_cute_ordered(&call->work, lw_calc_tree(call, 0), lw_calc_tree(call, 1),
                           &made.layout) &&
           set(call, &made, out);
}

/* make_shape(4, 8): the tuple. */
static LW_CALC_RUN(make_tuple)
{
    return lw_calc_set_tree(lw_calc_tree(call, 0), out);
}

/* A tensor is its layout; a part of it also has a start. */
static LW_CALC_RUN(make_tensor)
{
    const struct lw_cute_tuple *whole = lw_calc_tree(call, 0), *last;
    struct lw_cute_tuple list = *whole;
    struct lw_cute made;
    last = &whole->items[whole->count > 0 ? whole->count - 1 : 0];
    bool layout = last->count < 0 && last->leaf == LW_CUTE_LAYOUT;
    bool from = whole->count == 3 || (whole->count == 2 && layout);
    list.items += from;
    list.count -= from;
    if (list.count == 1 && layout)
        made = *last->layout;
    else if (!lw_calc_make_layout(&call->work, &list, &made))
        return false;
    lw_calc_clear_atom(&made);
    made.part = !lw_cute_is_of_coordinates(&made);
    if (from && made.part)
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, whole->items[0].position,
                           "make_tensor: a coordinate must be followed by a layout of coordinates, "
                           "(4,8):(_1@0,_1@1)");
    return (!from || (lw_calc_integers(&whole->items[0], call->work.err) &&
                      lw_calc_set_start(&call->work, &whole->items[0], &made))) &&
           set(call, &made, out);
}

static LW_CALC_RUN(make_swizzle)
{
    enum { MOST = 1024 };
    const struct lw_cute_tuple *shift = lw_calc_tree(call, 2); /* below 0: the other way */
    int numbers[3];
    if (!lw_cute_is_integer(shift))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "make_swizzle: 's' must be a number");
    for (int i = 0; i < 3; i++) {
        int64_t number = lw_calc_tree(call, i)->value;
        numbers[i] = (int)(number > MOST ? MOST : number < -MOST ? -MOST : number);
    }
    out->as.swizzle = (struct lw_cute_swizzle){numbers[0], numbers[1], numbers[2]};
    return lw_cute_swizzle_check(&out->as.swizzle, call->work.err);
}

static LW_CALC_RUN(make_composed)
{
    return lw_calc_compose(&call->work, call->args[0].value, lw_calc_tree(call, 1), 0,
                           call->args[2].value, out);
}

/* ---- Of one layout ---- */

static LW_CALC_RUN(with_profile)
{
    struct lw_cute made = like(self_of(call));
    return call->row->core.cute_profile(&call->work, inner_of(call), lw_calc_tree(call, 0),
                                        &made.layout) &&
           set(call, &made, out);
}

static LW_CALC_RUN(complement)
{
    const struct lw_cute_tuple *max = lw_calc_tree(call, 0);
    struct lw_cute made = {0};
    if (max && !lw_cute_is_integer(max))
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, max->position,
                           "complement: expected one number, the number of offsets");
    return lw_cute_complement(&call->work, inner_of(call), max, &made.layout) &&
           set(call, &made, out);
}

static LW_CALC_RUN(inverse)
{
    struct lw_cute made = {0};
    return need_plain(call, self_of(call)) &&
           call->row->core.cute_one(&call->work, inner_of(call), &made.layout) &&
           set(call, &made, out);
}

/* A compact layout: with the strides in the order of those of A, or of registers. */
static LW_CALC_RUN(compact_like)
{
    const struct lw_cute_layout *layout = inner_of(call);
    struct lw_cute made = {0};
    bool known = call->work.rules == LW_CUTE_VALUES || lw_cute_all_fixed(&layout->shape);
    return (call->row->core.which ? lw_cute_layout_like(&call->work, layout, &made.layout)
            : known               ? lw_cute_fragment_like(&call->work, layout, &made.layout)
                    : lw_cute_compact(&call->work, &layout->shape, false, &made.layout)) &&
           set(call, &made, out);
}

static LW_CALC_RUN(thread_value)
{
    struct lw_cute made = like(self_of(call));
    made.tile = lw_calc_tree(call, 0);
    return need_plain(call, self_of(call)) && lw_cute_tile_check(&made, call->work.err) &&
           set(call, &made, out);
}

static LW_CALC_RUN(to_linear)
{
    struct lw_map map;
    return lw_cute_map(self_of(call), 32, &map, call->work.err) &&
           lw_map_to_layout(&map, &out->as.layout, call->work.err);
}

/* ---- Other elements ---- */

enum { FROM_TO, UP, DOWN };

/* From one number of bits to another one; to elements `n` times as wide, or as narrow. */
static LW_CALC_RUN(recast)
{
    int which = call->row->core.which;
    int64_t n = (int64_t)lw_calc_number(call, 0, 0);
    int64_t to = which == FROM_TO ? (int64_t)lw_calc_number(call, 1, 0) : 1;
    struct lw_cute made;
    return lw_cute_recast(&call->work, self_of(call), which == UP ? 1 : n, which == UP ? n : to,
                          &made) &&
           set(call, &made, out);
}

/* The bits of half_t, of f16, or a number of them. */
static bool bits_of(const struct lw_calc_call *call, int i, int64_t *bits)
{
    const char *name = lw_calc_word(call, i);
    const struct lw_calc_type *type = name ? lw_calc_type(name) : NULL;
    struct lw_element element;
    *bits = name ? type ? type->bits : 0 : call->args[i].node->integer;
    if (!name || *bits)
        return true;
    if (!lw_element_find(&element, name, call->work.err))
        return false;
    *bits = element.bits;
    return true;
}

/* recast_layout<Old, New>(A); in Python recast_layout(new_bits, old_bits, A). */
static LW_CALC_RUN(recast_layout)
{
    bool python = !call->self;
    int64_t bits[2];
    struct lw_cute made;
    return bits_of(call, 0, &bits[python]) && bits_of(call, 1, &bits[!python]) &&
           lw_cute_recast(&call->work, python ? lw_calc_cute_at(call, 2) : self_of(call), bits[0],
                          bits[1], &made) &&
           set(call, &made, out);
}

static LW_CALC_RUN(in_elements)
{
    struct lw_cute made;
    return lw_cute_in_elements(self_of(call), &made, call->work.err) && set(call, &made, out);
}

static LW_CALC_RUN(in_bytes)
{
    uint64_t bits = lw_calc_number(call, 0, (uint64_t)call->calc->bits);
    struct lw_cute made;
    if (!call->args[0].value && bits == 0 && !self_of(call)->pointer)
        return lw_error_set(
            call->work.err, LW_ERROR_PARAMETER,
            "inBytes: expected the bits of an element: inBytes(A, 16), or --element f16");
    return lw_cute_in_bytes(self_of(call), bits > 1024 ? 1025 : (int)bits, &made, call->work.err) &&
           set(call, &made, out);
}

/* ---- Of two layouts ---- */

static LW_CALC_RUN(composition)
{
    const struct lw_cute_tuple *b = lw_calc_tree(call, 0);
    struct lw_cute made = {.fixed = true};
    if (self_of(call)) {
        made = like(self_of(call));
        return lw_cute_composition(&call->work, inner_of(call), b, &made.layout) &&
               set_part_of(call, &made, out);
    }
    if (b->count >= 0 || b->leaf == LW_CUTE_BLANK)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "composition: expected one layout after the swizzle");
    made.layout = lw_cute_tiler_layout(b);
    made.swizzle = call->self->as.swizzle;
    made.composed = made.swizzle.bits > 0;
    return set(call, &made, out);
}

static LW_CALC_RUN(tiles)
{
    struct lw_cute made = like(self_of(call));
    return call->row->core.tile.of(&call->work, inner_of(call), lw_calc_tree(call, 0),
                                   call->row->core.tile.form, &made.layout) &&
           set_part_of(call, &made, out);
}

/* Block after block, or the blocks interleaved. */
static LW_CALC_RUN(blocked_product)
{
    const struct lw_cute *b = lw_calc_cute_at(call, 0);
    struct lw_cute made = like(self_of(call));
    return need_plain(call, b) &&
           lw_cute_blocked_product(&call->work, inner_of(call), &b->layout,
                                   call->row->pair == LW_CALC_PAIR_RAKED, &made.layout) &&
           set_part_of(call, &made, out);
}

static LW_CALC_RUN(tile_to_shape)
{
    struct lw_cute made = like(self_of(call));
    return lw_cute_tile_to_shape(&call->work, inner_of(call), lw_calc_tree(call, 0),
                                 lw_calc_tree(call, 1), &made.layout) &&
           set_part_of(call, &made, out);
}

/* How many elements are contiguous: a swizzle does not change the bits below its base. */
static int64_t below_base(const struct lw_cute *cute, int64_t common)
{
    int64_t base = (int64_t)1 << cute->swizzle.base;
    return cute->composed && common > base ? base : common;
}

static LW_CALC_RUN(max_common_vector)
{
    const struct lw_cute *a = self_of(call), *b = lw_calc_cute_at(call, 0);
    const struct lw_cute_swizzle *s = &a->swizzle, *t = &b->swizzle;
    int64_t common;
    if (!lw_cute_max_common_vector(&call->work, &a->layout, &b->layout, &common))
        return false;
    bool same = a->composed && b->composed && s->bits == t->bits && s->base == t->base &&
                s->shift == t->shift;
    return lw_calc_set_number(
        &call->work, (uint64_t)(same ? common : below_base(a, below_base(b, common))), out);
}

static LW_CALC_RUN(max_common_layout)
{
    const struct lw_cute *a = self_of(call), *b = lw_calc_cute_at(call, 0);
    struct lw_cute made = {0};
    return need_plain(call, a) && need_plain(call, b) &&
           lw_cute_max_common_layout(&call->work, &a->layout, &b->layout, &made.layout) &&
           set(call, &made, out);
}

/* ---- Questions ---- */

enum { SIZE, COSIZE, RANK, DEPTH, COSHAPE, SHAPE, STRIDE };

static LW_CALC_RUN(measure)
{
    int which = call->row->core.which;
    struct lw_cute_layout mode;
    if (!mode_of(call, &mode))
        return false;
    if (which == COSHAPE)
        return lw_cute_coshape(&call->work, &mode, &out->as.tree);
    if (which == SHAPE || which == STRIDE)
        return lw_calc_set_tree(which == SHAPE ? &mode.shape : &mode.stride, out);
    int64_t number = which == SIZE     ? lw_cute_size(&mode)
                     : which == COSIZE ? lw_cute_cosize(&mode)
                     : which == RANK   ? lw_cute_rank(&mode.shape)
                                       : lw_cute_depth(&mode.shape);
    return lw_calc_set_number(&call->work, (uint64_t)number, out);
}

/* The layout of a tensor, without where it starts; or a mode of it. */
static LW_CALC_RUN(layout_of)
{
    struct lw_cute made = like(self_of(call));
    made.part = made.of_thread = false;
    made.start = made.thread = 0;
    made.origin = NULL;
    made.tensor = false;
    return mode_of(call, &made.layout) && set(call, &made, out);
}

/* ---- Of tuples, and of the shape and the stride of a layout ---- */

static LW_CALC_RUN(on_tree)
{
    const struct lw_cute *self = self_of(call);
    struct lw_cute_tuple tree, stride;
    struct lw_cute made;
    if (!self) { /* kept, for take(4, 0, 1) has a number as its item */
        struct lw_cute_tuple *kept = lw_cute_new_items(&call->work, 1, &tree);
        if (kept)
            *kept = call->self->as.tree;
        return kept && call->row->core.tree(call, kept, &out->as.tree);
    }
    made = like(self);
    return call->row->core.tree(call, &self->layout.shape, &tree) &&
           call->row->core.tree(call, &self->layout.stride, &stride) &&
           lw_cute_make(&call->work, &tree, &stride, &made.layout) && set_part_of(call, &made, out);
}

static ON_TREE(flatten)
{
    return lw_cute_flatten_tuple(&call->work, tree, out);
}

static ON_TREE(group)
{
    return lw_cute_group_tuple(&call->work, tree, (int64_t)lw_calc_number(call, 0, 0),
                               (int64_t)lw_calc_number(call, 1, 0), out);
}

static ON_TREE(pick_items)
{
    const struct lw_cute_tuple path = path_of(call);
    return path.count == 0 ? lw_error_set(call->work.err, LW_ERROR_SHAPE,
                                          "select: expected the numbers of modes")
                           : lw_cute_select_tuple(&call->work, tree, &path, out);
}

static ON_TREE(take)
{
    uint64_t begin = lw_calc_number(call, 0, 0), end = lw_calc_number(call, 1, 0);
    int rank = lw_cute_rank(tree);
    if (begin >= end || end > (uint64_t)rank)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "take: from item %llu up to %llu: there are items 0 to %d",
                            (unsigned long long)begin, (unsigned long long)end, rank - 1);
    *out = lw_cute_tuple_of(lw_cute_item(tree, (int)begin), (int)(end - begin));
    return true;
}

/* One more item at the end or at the front: a tuple, or of a layout a layout or its shape. */
static ON_TREE(append)
{
    const struct lw_cute_tuple *elem = lw_calc_tree(call, 0);
    const struct lw_cute *cute = lw_calc_cute(call->args[0].value);
    bool front = call->row->base.name[0] == 'p';
    bool strides = self_of(call) && tree == &inner_of(call)->stride;
    struct lw_cute_layout layout;
    if (call->args[0].value->kind != LW_CALC_TREE || (cute && !self_of(call)) ||
        (cute && (cute->composed || lw_cute_is_of_coordinates(cute))))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s: 'elem' must be a tuple, or for a layout one without a swizzle and "
                            "coordinates",
                            call->row->base.name);
    if (cute)
        layout = cute->layout;
    else if (!lw_calc_integers(elem, call->work.err) ||
             (strides && !lw_cute_compact(&call->work, elem, false, &layout)))
        return false;
    const struct lw_cute_tuple *added = strides ? &layout.stride : cute ? &layout.shape : elem;
    return lw_cute_append_tuple(&call->work, tree, added, front, out);
}

/* ---- Offsets ---- */

/* The offset of a coordinate, swizzled, from the start of a part; a coordinate where offsets are. */
static bool offset_of(struct lw_cute_work *work, const struct lw_cute *cute,
                      const struct lw_cute_tuple *coordinate, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple offset;
    if (!lw_calc_integers(coordinate, work->err) ||
        !lw_cute_at(work, &cute->layout, coordinate, &offset))
        return false;
    if (cute->origin)
        return lw_cute_plus(work, cute->origin, &offset, out);
    *out = offset;
    if (offset.count < 0 && !offset.axis)
        *out =
            lw_cute_integer(lw_cute_apply_to(cute, offset.value), offset.fixed && !cute->composed);
    return true;
}

static LW_CALC_RUN(apply)
{
    return offset_of(&call->work, self_of(call), lw_calc_tree(call, 0), &out->as.tree);
}

/* ---- Slices ---- */

bool lw_calc_set_part(struct lw_cute_work *work, const struct lw_cute *tensor,
                      const struct lw_cute_layout *part, const struct lw_cute_tuple *start,
                      struct lw_cute *out)
{
    const struct lw_cute_tuple zero = lw_cute_integer(0, false);
    struct lw_cute_tuple first, *origin;
    *out = like(tensor);
    out->layout = *part;
    out->part = true;
    if (!lw_cute_is_of_coordinates(tensor)) {
        out->start += start->value;
        return true;
    }
    out->origin = origin = lw_arena_alloc(work->arena, sizeof *origin);
    if (!origin)
        return lw_cute_memory(work);
    if (tensor->origin)
        return lw_cute_plus(work, tensor->origin, start, origin);
    return lw_cute_at(work, &tensor->layout, &zero, &first) &&
           lw_cute_plus(work, &first, start, origin) && lw_cute_as_coordinate(work, origin, origin);
}

bool lw_calc_at(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                struct lw_calc_result *value)
{
    const struct lw_cute *cute = lw_calc_cute(value);
    struct lw_cute made;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (coordinate->count == 1)
        coordinate = &coordinate->items[0];
    if (!cute) { /* Sw<2,3,3>(100) */
        const struct lw_cute_swizzle swizzle = value->as.swizzle;
        if (!lw_cute_is_integer(coordinate) || coordinate->value < 0 ||
            coordinate->value > LW_CUTE_MAX)
            return lw_error_at(work->err, LW_ERROR_PARAMETER, coordinate->position,
                               "a swizzle is applied to an offset, a number from 0 to 2^62");
        start = lw_cute_integer(lw_cute_swizzled(&swizzle, coordinate->value), coordinate->fixed);
        return lw_calc_set_tree(&start, value);
    }
    if (!lw_cute_has_blank(coordinate))
        return offset_of(work, cute, coordinate, &start) && lw_calc_set_tree(&start, value);
    if (lw_cute_is_blank(coordinate))
        return true; /* a blank alone selects the whole layout */
    if (cute->composed && !cute->part)
        return lw_error_at(
            work->err, LW_ERROR_UNSUPPORTED, coordinate->position,
            "a slice of a swizzled layout cannot be written as a swizzle before a layout");
    if (!lw_cute_slice(work, &cute->layout, coordinate, &part, &start))
        return false;
    if (cute->part || cute->origin)
        return lw_calc_set_part(work, cute, &part, &start, &made) &&
               lw_calc_set_cute(work, &made, value);
    made = *cute;
    lw_calc_clear_atom(&made); /* a slice of a layout has no offset */
    made.layout = part;
    made.left_out += start.count < 0 && !start.axis ? start.value : 0;
    return lw_calc_set_cute(work, &made, value);
}

/* Whether a value is a coordinate: it has a blank, or is a tuple and the other value is none. */
static bool is_coordinate(const struct lw_calc_result *value, const struct lw_calc_result *other)
{
    return value->kind == LW_CALC_TREE && !lw_calc_cute(value) &&
           (lw_cute_has_blank(&value->as.tree) || lw_calc_cute(other));
}

/* slice((1,_), A) and dice((1,_), A), of a layout or a tuple; in Python slice_(A, (1,None)). */
static LW_CALC_RUN(pick)
{
    const struct lw_calc_result *a = call->args[0].value, *b = call->args[1].value;
    bool python = !is_coordinate(a, b) && is_coordinate(b, a), blanks = call->row->core.which;
    const struct lw_calc_result *of = python ? a : b, *at = python ? b : a;
    const struct lw_cute *cute = lw_calc_cute(of);
    struct lw_cute made;
    struct lw_cute_tuple shape, stride;
    if (at->kind != LW_CALC_TREE || lw_calc_cute(at) || of->kind != LW_CALC_TREE ||
        (!cute && lw_cute_has_blank(&of->as.tree)) || (cute && cute->composed && blanks))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s: expected a coordinate, and a tuple or a layout without a swizzle",
                            call->row->base.name);
    if (!cute)
        return lw_cute_pick(&call->work, &at->as.tree, &of->as.tree, blanks, &out->as.tree);
    if (blanks && lw_cute_has_blank(&at->as.tree))
        return lw_calc_set_cute(&call->work, cute, out) &&
               lw_calc_at(&call->work, &at->as.tree, out);
    made = *cute;
    lw_calc_clear_atom(&made);
    return lw_cute_pick(&call->work, &at->as.tree, &cute->layout.shape, blanks, &shape) &&
           lw_cute_pick(&call->work, &at->as.tree, &cute->layout.stride, blanks, &stride) &&
           lw_cute_make(&call->work, &shape, &stride, &made.layout) && set(call, &made, out);
}

/* ---- Parts of tensors ---- */

/* Appends blanks to a coordinate up to a rank. */
static bool fill_up(struct lw_calc_call *call, const struct lw_cute_tuple *coordinate, int rank,
                    struct lw_cute_tuple *out)
{
    *out = *coordinate;
    if (coordinate->count < 0 || coordinate->count >= rank)
        return true;
    struct lw_cute_tuple *items = lw_cute_new_items(&call->work, rank, out);
    for (int i = 0; items && i < rank; i++)
        items[i] = i < coordinate->count ? coordinate->items[i] : lw_cute_blank();
    out->position = coordinate->position;
    return items;
}

/* The part of a tensor in zipped tiles at a coordinate of mode `mode`, with all of the other mode. */
static bool partition(struct lw_calc_call *call, const struct lw_cute_tuple *tiler,
                      const struct lw_cute_tuple *coordinate, int mode, struct lw_cute *out)
{
    const struct lw_cute *tensor = self_of(call);
    struct lw_cute_layout zipped, part;
    struct lw_cute_tuple items[2] = {{0}}, start, both = lw_cute_tuple_of(items, 2);
    const struct lw_cute_tuple none = {.position = coordinate->position};
    both.position = coordinate->position;
    return lw_cute_divide(&call->work, &tensor->layout, tiler, LW_CUTE_ZIPPED, &zipped) &&
           fill_up(call, coordinate, lw_cute_rank(lw_cute_item(&zipped.shape, mode)),
                   &items[mode]) &&
           fill_up(call, &none, lw_cute_rank(lw_cute_item(&zipped.shape, !mode)), &items[!mode]) &&
           lw_cute_slice(&call->work, &zipped, &both, &part, &start) &&
           lw_calc_set_part(&call->work, tensor, &part, &start, out);
}

/* One tile, or with blanks in the coordinate several. */
static LW_CALC_RUN(tile_at)
{
    struct lw_cute_tuple tiler = *lw_calc_tree(call, 0), coordinate = *lw_calc_tree(call, 1);
    const struct lw_cute_tuple *projection = lw_calc_tree(call, 2);
    struct lw_cute made;
    return (!projection ||
            (lw_cute_pick(&call->work, projection, &tiler, false, &tiler) &&
             lw_cute_pick(&call->work, projection, &coordinate, false, &coordinate))) &&
           partition(call, &tiler, &coordinate, 1, &made) && set(call, &made, out);
}

/* The part of thread `index` of a layout of threads: each tile at its coordinate. */
static LW_CALC_RUN(local_partition)
{
    struct lw_cute_layout threads = lw_calc_cute_at(call, 0)->layout;
    int64_t index = (int64_t)lw_calc_number(call, 1, 0), point[LW_CUTE_LEAVES_MAX];
    const struct lw_cute_tuple *projection = lw_calc_tree(call, 2);
    struct lw_cute_tuple shape, stride, tiler, coordinate;
    struct lw_cute made;
    if ((index < 0 || index >= lw_cute_cosize(&threads)) && call->work.rules != LW_CUTE_UNCHECKED)
        return lw_error_set(
            call->work.err, LW_ERROR_PARAMETER,
            "local_partition: thread %lld: must be from 0 to %lld; CuTe takes it modulo "
            "the sizes of its coordinates (--as-cute)",
            (long long)index, (long long)lw_cute_cosize(&threads) - 1);
    if (projection && (!lw_cute_pick(&call->work, projection, &threads.shape, false, &shape) ||
                       !lw_cute_pick(&call->work, projection, &threads.stride, false, &stride) ||
                       !lw_cute_make(&call->work, &shape, &stride, &threads)))
        return false;
    int rank = lw_cute_rank(&threads.shape);
    struct lw_cute_tuple *sizes = lw_cute_new_items(&call->work, rank, &tiler);
    struct lw_cute_tuple *at = sizes ? lw_cute_new_items(&call->work, rank, &coordinate) : NULL;
    if (!at || !lw_cute_flat_coordinate(&call->work, &threads, index, point))
        return false;
    for (int i = 0; i < rank; i++) {
        sizes[i] = lw_cute_size_of(lw_cute_item(&threads.shape, i));
        at[i] = lw_cute_integer(point[i], sizes[i].fixed && sizes[i].value == 1);
    }
    bool tuple = threads.shape.count >= 0;
    if (!partition(call, tuple ? &tiler : sizes, tuple ? &coordinate : at, 0, &made))
        return false;
    made.of_thread = true;
    made.thread = index;
    return set(call, &made, out);
}

/* The tensor that begins at a coordinate, of the same layout; a swizzled layout gets its start as an offset:
 * Sw<2,3,3> o 17 o (8,4):(1,8). */
static LW_CALC_RUN(domain_offset)
{
    struct lw_cute tensor = *lw_calc_cute_at(call, 1), made;
    const struct lw_cute_tuple zero = lw_cute_integer(0, true);
    struct lw_cute_tuple offset = lw_cute_integer(tensor.offset, tensor.fixed), start;
    bool swizzled = tensor.composed && !tensor.pointer;
    tensor.of_thread = false; /* it has more elements than the part of its thread */
    tensor.thread = 0;
    if (!lw_cute_at(&call->work, &tensor.layout, lw_calc_tree(call, 0), &start) ||
        !lw_calc_set_part(&call->work, &tensor, &tensor.layout, swizzled ? &zero : &start, &made) ||
        (swizzled && !lw_cute_plus(&call->work, &offset, &start, &offset)))
        return false;
    if (swizzled) {
        made.part = tensor.part;
        made.offset = offset.value;
        made.fixed = offset.fixed;
    }
    return set(call, &made, out);
}

/* ---- Shapes and coordinates ---- */

/* A tuple of integers, or of a layout its shape; NULL: it is not given. */
static const struct lw_cute_tuple *shape_at(const struct lw_calc_call *call, int i)
{
    const struct lw_calc_result *value = call->args[i].value;
    const struct lw_cute *cute = value ? lw_calc_cute(value) : NULL;
    return cute ? &cute->layout.shape : lw_calc_tree(call, i);
}

static LW_CALC_RUN(compare_shapes)
{
    out->as.truth = call->row->core.shape_question(shape_at(call, 0), shape_at(call, 1));
    return true;
}

/* Whether every integer is static, that of a swizzled layout's offset too. A tensor never is, for its pointer. */
static LW_CALC_RUN(is_static)
{
    const struct lw_cute *cute = lw_calc_cute(call->args[0].value);
    out->as.truth = cute ? lw_cute_is_fixed(&cute->layout) && (!cute->composed || cute->fixed) &&
                               !cute->part && !cute->tensor
                         : lw_cute_all_fixed(shape_at(call, 0));
    return true;
}

static LW_CALC_RUN(shape_one)
{
    return call->row->core.shape_one(&call->work, shape_at(call, 0), &out->as.tree);
}

static LW_CALC_RUN(shape_two)
{
    return call->row->core.shape_two(&call->work, shape_at(call, 0), shape_at(call, 1),
                                     &out->as.tree);
}

static LW_CALC_RUN(crd2idx)
{
    const struct lw_cute *cute = lw_calc_cute(call->args[1].value);
    const struct lw_cute_tuple *stride = shape_at(call, 2);
    if (cute && !stride && cute->composed)
        return offset_of(&call->work, cute, shape_at(call, 0), &out->as.tree);
    stride = cute && !stride ? &cute->layout.stride : stride;
    return lw_cute_crd2idx(&call->work, shape_at(call, 0), shape_at(call, 1), stride,
                           &out->as.tree);
}

static LW_CALC_RUN(idx2crd)
{
    return lw_cute_idx2crd(&call->work, shape_at(call, 0), shape_at(call, 1), shape_at(call, 2),
                           &out->as.tree);
}

static LW_CALC_RUN(crd2crd)
{
    return lw_cute_crd2crd(&call->work, shape_at(call, 0), shape_at(call, 1), shape_at(call, 2),
                           &out->as.tree);
}

/* ---- Rows ---- */

/* clang-format off */

#define PROFILE(traits, function) WITH(traits, TREE, with_profile, cute_profile, function)
#define INVERSE(function) WITH(RULES, TREE, inverse, cute_one, function)
#define DIVIDE(form) \
    RULES | COORDS | PAIRS, LW_CALC_PAIR_DIVIDED, LW_CALC_TREE, tiles, \
    {.tile = {lw_cute_divide, LW_CUTE_##form}}
#define MULTIPLY(form) \
    RULES | PAIRS, LW_CALC_PAIR_REPEATED, LW_CALC_TREE, tiles, \
    {.tile = {lw_cute_multiply, LW_CUTE_##form}}
#define BLOCKED(kind) RULES | PAIRS, LW_CALC_PAIR_##kind, LW_CALC_TREE, blocked_product, {0}

/* Source: layout.hpp, int_tuple.hpp and stride.hpp of CUTLASS 4. */
static const struct lw_calc_row rows[] = {
    {ALSO_FUNCTION("make_layout", "Layout", "shape[, stride]",
     "a layout; without strides compact, LayoutRight{}: the rightmost mode fastest; of layouts: modes"),
     {REST}, RUN(0, TREE, make_layout)},
    {FUNCTION("make_identity_layout", "shape", "each coordinate to itself, (4,8):(_1@0,_1@1)"),
     {TUPLE}, WHICH(0, TREE, make_identity, 0)},
    {FUNCTION("make_identity_tensor", "shape", "the same as a tensor, ArithTuple(_0,_0) o (4,8):(_1@0,_1@1)"),
     {TUPLE}, WHICH(0, TREE, make_identity, 1)},
    {FUNCTION("make_ordered_layout", "shape, order", "compact, the mode with the least number in order fastest"),
     {TUPLE, TUPLE}, RUN(0, TREE, make_ordered)},
    {ALSO_FUNCTION("make_shape", "make_tuple|make_stride|make_coord|make_tile|make_step|ArithTuple", "items",
     "a tuple"),
     {REST}, RUN(0, TREE, make_tuple)},
    {OF_CUTE("composition", "rhs", "A(rhs(i)), also A o rhs; by modes with a tuple of tilers; A may be a swizzle"),
     {TILER}, RUN(RULES | COORDS, TREE, composition)},
    {OF_CUTE("coalesce", "[target_profile]",
     "the same with as few modes as possible; beside static integers, _4, a 4 is unknown"),
     {TUPLE}, PROFILE(RULES | COORDS, lw_cute_coalesce)},
    {OF_CUTE("filter", "[profile]", "the same without modes of stride 0"),
     {TUPLE}, PROFILE(RULES | COORDS, lw_cute_filter)},
    {OF_CUTE("complement", "[cotarget]", "the offsets below cotarget that A does not use, as a layout"),
     {TUPLE}, RUN(RULES, TREE, complement)},
    {OF_CUTE("logical_divide", "tiler", "A as (tile, rest): composition(A, (tiler, complement(tiler, size(A))))"),
     {TILER}, DIVIDE(LOGICAL)},
    {OF_CUTE("zipped_divide", "tiler", "the same by modes, as ((tile, tile), (rest, rest))"),
     {TILER}, DIVIDE(ZIPPED)},
    {OF_CUTE("tiled_divide", "tiler", "the same as ((tile, tile), rest, rest)"), {TILER}, DIVIDE(TILED)},
    {OF_CUTE("flat_divide", "tiler", "the same as (tile, tile, rest, rest)"), {TILER}, DIVIDE(FLAT)},
    {OF_CUTE("logical_product", "tiler", "(A, composition(complement(A, size(A) cosize(tiler)), tiler))"),
     {TILER}, MULTIPLY(LOGICAL)},
    {OF_CUTE("zipped_product", "tiler", "the same by modes, as ((block, block), (copy, copy))"),
     {TILER}, MULTIPLY(ZIPPED)},
    {OF_CUTE("tiled_product", "tiler", "the same as ((block, block), copy, copy)"), {TILER}, MULTIPLY(TILED)},
    {OF_CUTE("flat_product", "tiler", "the same as (block, block, copy, copy)"), {TILER}, MULTIPLY(FLAT)},
    {OF_CUTE("blocked_product", "tiler", "copies of A over tiler, mode by mode, block after block"),
     {CUTE}, BLOCKED(BLOCKED)},
    {OF_CUTE("raked_product", "tiler", "the same, the blocks interleaved"), {CUTE}, BLOCKED(RAKED)},
    {OF_CUTE("tile_to_shape", "trg_shape[, order]",
     "A repeated up to the shape, first along the mode with the least number in order"),
     {TUPLE, TUPLE}, RUN(RULES, TREE, tile_to_shape)},
    {OF_CUTE("local_tile", "tiler, coord[, proj]",
     "the tile of zipped_divide there; _ is every tile; Step<_1,X,_1> uses modes 0 and 2"),
     {TILER, COORDINATE, COORDINATE}, RUN(RULES | COORDS, TREE, tile_at)},
    {OF_CUTE("local_partition", "tiler, index[, proj]", "the part of thread `index` when threads tile A"),
     {CUTE, NUMBER, COORDINATE}, RUN(RULES | COORDS, TREE, local_partition)},
    {OF_CUTE("make_fragment_like", "[type]", "a compact layout of registers, mode 0 the fastest"),
     {WORD}, WHICH(RULES, TREE, compact_like, 0)},
    {ALSO_OF_CUTE("make_layout_like", "make_tensor_like", "[type]",
     "compact, the strides in the order of those of A"), {WORD}, WHICH(RULES, TREE, compact_like, 1)},
    {FUNCTION("make_tensor", "ptr, layout[, type]",
     "a tensor of a layout, or a shape and strides, whose slices have a start; ptr is not read"),
     {REST, WORD}, RUN(0, TREE, make_tensor)},
    {OF_CUTE("right_inverse", "", "R with A(R(i)) = i, for as many i as possible"),
     {NOTHING}, INVERSE(lw_cute_right_inverse)},
    {OF_CUTE("left_inverse", "", "L with A(L(A(i))) = A(i)"), {NOTHING}, INVERSE(lw_cute_left_inverse)},
    {OF_CUTE("max_common_vector", "b", "the number of first offsets that hold the same elements in both"),
     {CUTE}, RUN(RULES, TREE, max_common_vector)},
    {OF_CUTE("max_common_layout", "b", "the numbers of those elements in A and b"),
     {CUTE}, RUN(RULES, TREE, max_common_layout)},
    {OF_CUTE("nullspace", "", "the numbers of coordinates at offset 0 by modes of stride 0"),
     {NOTHING}, INVERSE(lw_cute_nullspace)},
    {FUNCTION("slice", "coord, src",
     "the modes, or items of a tuple, at the blanks of a coordinate; in Python slice_(src, coord)"),
     {ANY, ANY}, WHICH(0, TREE, pick, 1)},
    {FUNCTION("dice", "dicer, src", "the modes or items where the coordinate has no blank"),
     {ANY, ANY}, WHICH(0, TREE, pick, 0)},
    {OF_TREE("select", "mode", "those modes, in that order"),
     {REST}, WITH(RULES | COORDS, TREE, on_tree, tree, pick_items)},
    {OF_TREE("take", "begin, end", "the modes from begin to end - 1"),
     {NUMBER, NUMBER}, WITH(RULES, TREE, on_tree, tree, take)},
    {OF_TREE("append", "elem", "one more mode at the end"), {ANY}, WITH(RULES, TREE, on_tree, tree, append)},
    {OF_TREE("prepend", "elem", "the same at the front"), {ANY}, WITH(RULES, TREE, on_tree, tree, append)},
    {OF_CUTE("filter_zeros", "[target_profile]", "modes of stride 0, or where the profile has 0, with size 1"),
     {TUPLE}, PROFILE(RULES | COORDS, lw_cute_filter_zeros)},
    {ALSO_OF_TREE("group", "group_modes", "begin, end", "the modes from begin to end - 1 as one"),
     {NUMBER, NUMBER}, WITH(RULES | COORDS, TREE, on_tree, tree, group)},
    {OF_TREE("flatten", "", "no modes in modes"), {NOTHING}, WITH(RULES | COORDS, TREE, on_tree, tree, flatten)},
    {ALSO_OF_TREE("mode", "get", "mode", "that mode; get<1,0>(A) is mode 0 of mode 1, also A[1]"),
     {REST}, WITH(RULES | COORDS, TREE, on_tree, tree, item)},
    {OF_CUTE("layout", "[mode]", "the layout of a tensor, or a mode of it"),
     {REST}, RUN(RULES | COORDS, TREE, layout_of)},
    {OF_CUTE("recast", "from, to", "the same memory in elements of another size, in bits"),
     {NUMBER, NUMBER}, WHICH(RULES, TREE, recast, FROM_TO)},
    {OF_CUTE("inElements", "", "Sw<3,4,3> o smem_ptr[16b] as Sw<3,3,3>: the swizzle counts elements"),
     {NOTHING}, RUN(RULES, TREE, in_elements)},
    {OF_CUTE("inBytes", "[bits]", "the inverse, with elements of `bits` bits"), {NUMBER}, RUN(RULES, TREE, in_bytes)},
    {OF_CUTE("thread_value", "tile", "A as a layout of threads and values over a tile"),
     {TUPLE}, RUN(RULES, TREE, thread_value)},
    {OF_CUTE("size", "[mode]", "the number of coordinates"),
     {REST}, WHICH(COORDS, TREE, measure, SIZE)},
    {OF_CUTE("cosize", "[mode]", "the last offset plus 1, before a swizzle"),
     {REST}, WHICH(0, TREE, measure, COSIZE)},
    {OF_CUTE("coshape", "[mode]", "the same as a shape: of coordinates, the smallest that has all of them"),
     {REST}, WHICH(COORDS, TREE, measure, COSHAPE)},
    {OF_CUTE("rank", "[mode]", "the number of modes"),
     {REST}, WHICH(COORDS, TREE, measure, RANK)},
    {OF_CUTE("depth", "[mode]", "the depth to which modes are nested"),
     {REST}, WHICH(COORDS, TREE, measure, DEPTH)},
    {OF_CUTE("apply", "coordinate",
     "the offset of (3, 5) or of number 13, also A(3, 5); A(_, 5) is the layout of that column"),
     {TUPLE}, RUN(COORDS, TREE, apply)},
    {OF_CUTE("linear", "", "A as a linear layout, as in Triton"), {NOTHING}, RUN(0, LAYOUT, to_linear)},
    {OF_CUTE("shape", "[mode]", "its shape, or that of a mode"), {REST}, WHICH(COORDS, TREE, measure, SHAPE)},
    {OF_CUTE("stride", "[mode]", "its strides"), {REST}, WHICH(COORDS, TREE, measure, STRIDE)},
    {OF_CUTE("with_shape", "shape", "the same offsets one after another, in another shape"),
     {TUPLE}, PROFILE(RULES | COORDS, lw_cute_with_shape)},
    {OF_CUTE("upcast", "n", "A counted in elements n times as wide; also upcast<2>(A)"),
     {NUMBER}, WHICH(RULES, TREE, recast, UP)},
    {OF_CUTE("downcast", "n", "in elements n times as narrow"), {NUMBER}, WHICH(RULES, TREE, recast, DOWN)},
    {OF_CUTE("recast_layout", "old, new", "the same memory in elements of another type"),
     {WORD, WORD}, RUN(RULES, TREE, recast_layout)},
    {FUNCTION("recast_layout", "new_type_bits, old_type_bits, src_layout",
     "the same memory in elements of another type"), {WORD, WORD, CUTE}, RUN(0, TREE, recast_layout)},
    {FUNCTION("make_swizzle", "b, m, s", "the swizzle Sw<b,m,s>; Sw<2,3,3>(100) is an offset swizzled"),
     {NUMBER, NUMBER, TUPLE}, RUN(0, SWIZZLE, make_swizzle)},
    {FUNCTION("make_composed_layout", "inner, offset, outer", "a swizzle before a layout"),
     {ANY, TUPLE, CUTE}, RUN(0, TREE, make_composed)},
    {ALSO_FUNCTION("compatible", "is_compatible", "a, b", "are coordinates of a coordinates of b, and as many?"),
     {INTEGERS, INTEGERS}, WITH(0, TRUTH, compare_shapes, shape_question, lw_cute_compatible)},
    {ALSO_FUNCTION("congruent", "is_congruent", "a, b", "do two tuples have one profile?"),
     {INTEGERS, INTEGERS}, WITH(0, TRUTH, compare_shapes, shape_question, lw_cute_congruent)},
    {ALSO_FUNCTION("weakly_congruent", "is_weakly_congruent", "a, b",
     "the same, where a number of a may match a tuple of b"),
     {INTEGERS, INTEGERS}, WITH(0, TRUTH, compare_shapes, shape_question, lw_cute_weakly_congruent)},
    {FUNCTION("is_static", "a", "is every integer static, written _4?"), {INTEGERS}, RUN(0, TRUTH, is_static)},
    {FUNCTION("shape_div", "lhs, rhs", "a shape divided, where one number divides the other: shape_div((4,5,6), 40)"),
     {INTEGERS, INTEGERS}, WITH(0, TREE, shape_two, shape_two, lw_cute_shape_div)},
    {FUNCTION("ceil_div", "input, tiler", "the same, rounded up"),
     {INTEGERS, INTEGERS}, WITH(0, TREE, shape_two, shape_two, lw_cute_ceil_div)},
    {FUNCTION("product", "a", "the product of all numbers"),
     {INTEGERS}, WITH(0, TREE, shape_one, shape_one, lw_cute_product_of)},
    {FUNCTION("product_each", "a", "the product of each item"),
     {INTEGERS}, WITH(0, TREE, shape_one, shape_one, lw_cute_product_each)},
    {FUNCTION("crd2idx", "coord, layout[, stride]", "the index of a coordinate; layout may be a shape"),
     {INTEGERS, INTEGERS, INTEGERS}, RUN(0, TREE, crd2idx)},
    {FUNCTION("domain_offset", "coord, tensor", "the tensor that begins at that coordinate"),
     {TUPLE, CUTE}, RUN(0, TREE, domain_offset)},
    {FUNCTION("idx2crd", "idx, shape[, stride]", "the coordinate of an index"),
     {INTEGERS, INTEGERS, INTEGERS}, RUN(0, TREE, idx2crd)},
    {FUNCTION("crd2crd", "coord, src_shape, dst_shape", "the coordinate of that number in another shape"),
     {INTEGERS, INTEGERS, INTEGERS}, RUN(0, TREE, crd2crd)},
};
/* clang-format on */

const struct lw_calc_row *lw_calc_cute_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
