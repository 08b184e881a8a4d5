/* What the calculator does with shapes, coordinates and other tuples of CuTe, and with swizzles alone. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

/* ---- Arguments ---- */

/* A value as a tuple of integers: of a layout its shape. */
static bool tuple_of_value(const struct lw_calc_call *call, const struct lw_calc_result *value,
                           const char *name, struct lw_cute_tuple *out)
{
    switch (value->kind) {
    case LW_CALC_CUTE:
        *out = value->as.cute.layout.shape;
        return true;
    case LW_CALC_NUMBER:
        *out = lw_cute_integer((int64_t)value->as.number, false);
        return true;
    case LW_CALC_TUPLE:
        *out = value->as.tuple;
        return lw_calc_integers(out, call->work.err);
    default:
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s: '%s' is a number, a tuple or a layout, not %s",
                            call->operation->name, name, lw_calc_kind_name(value->kind));
    }
}

static bool tuple_at(const struct lw_calc_call *call, int i, struct lw_cute_tuple *out)
{
    return tuple_of_value(call, call->args[i].as.value, call->operation->params[i].name, out);
}

/* The tuple that a method is of. */
static const struct lw_cute_tuple *self_of(const struct lw_calc_call *call)
{
    return &call->self->as.tuple;
}

/* ---- Questions ---- */

LW_CALC_RUN(lw_calc_run_compare_shapes)
{
    struct lw_cute_tuple a, b;
    if (!tuple_at(call, 0, &a) || !tuple_at(call, 1, &b))
        return false;
    out->as.truth = call->operation->core.shape_question(&a, &b);
    return true;
}

/* Whether every integer is static, that of a swizzled layout's offset too. A tensor never is, for its pointer. */
LW_CALC_RUN(lw_calc_run_is_static)
{
    const struct lw_calc_result *value = call->args[0].as.value;
    struct lw_cute_tuple tuple;
    if (value->kind == LW_CALC_CUTE) {
        const struct lw_cute *cute = &value->as.cute;
        out->as.truth = lw_cute_all_fixed(&cute->layout.shape) &&
                        lw_cute_all_fixed(&cute->layout.stride) &&
                        (!cute->composed || cute->fixed) && !cute->part && !cute->iterator;
        return true;
    }
    if (!tuple_at(call, 0, &tuple))
        return false;
    out->as.truth = lw_cute_all_fixed(&tuple);
    return true;
}

/* ---- Arithmetic ---- */

LW_CALC_RUN(lw_calc_run_shape_one)
{
    struct lw_cute_tuple a;
    return tuple_at(call, 0, &a) &&
           call->operation->core.shape_one(&call->work, &a, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_shape_two)
{
    struct lw_cute_tuple a, b;
    return tuple_at(call, 0, &a) && tuple_at(call, 1, &b) &&
           call->operation->core.shape_two(&call->work, &a, &b, &out->as.tuple);
}

/* ---- Coordinates ---- */

/* crd2idx of a coordinate and a layout: its offset, swizzled. */
static bool offset_in(struct lw_calc_call *call, const struct lw_cute_tuple *coordinate,
                      const struct lw_cute *cute, struct lw_cute_tuple *out)
{
    if (!cute->composed)
        return lw_cute_crd2idx(&call->work, coordinate, &cute->layout.shape, &cute->layout.stride,
                               out);
    if (!lw_cute_at(&call->work, &cute->layout, coordinate, out))
        return false;
    *out = lw_cute_integer(lw_cute_apply_to(cute, out->value), false);
    return true;
}

LW_CALC_RUN(lw_calc_run_crd2idx)
{
    struct lw_cute_tuple coordinate, shape, stride;
    const struct lw_calc_result *second = call->args[1].as.value;
    bool strided = call->args[2].given;
    if (!tuple_at(call, 0, &coordinate))
        return false;
    if (second->kind == LW_CALC_CUTE && !strided)
        return offset_in(call, &coordinate, &second->as.cute, &out->as.tuple);
    return tuple_at(call, 1, &shape) && (!strided || tuple_at(call, 2, &stride)) &&
           lw_cute_crd2idx(&call->work, &coordinate, &shape, strided ? &stride : NULL,
                           &out->as.tuple);
}

/* A swizzled layout gets its start as an offset: Sw<2,3,3> o 17 o (8,4):(1,8). */
static bool offset_swizzled(struct lw_calc_call *call, const struct lw_cute_tuple *coordinate,
                            struct lw_cute *out)
{
    struct lw_cute_tuple offset = lw_cute_integer(out->offset, out->fixed), start;
    if (!lw_cute_crd2idx(&call->work, coordinate, &out->layout.shape, &out->layout.stride,
                         &start) ||
        !lw_cute_plus(&call->work, &offset, &start, &offset))
        return false;
    out->offset = offset.value;
    out->fixed = offset.fixed;
    return true;
}

/* The tensor that begins at a coordinate, of the same layout. */
LW_CALC_RUN(lw_calc_run_domain_offset)
{
    struct lw_cute whole = call->args[1].as.value->as.cute;
    const struct lw_cute *tensor = &whole;
    struct lw_cute_tuple coordinate = call->args[0].as.tuple;
    whole.of_thread = false; /* it has more elements than the part of its thread */
    whole.thread = 0;
    bool swizzled = tensor->composed && !tensor->pointer;
    struct lw_cute_tuple start;
    if (!lw_cute_at(&call->work, &tensor->layout, &coordinate, &start))
        return false;
    if (swizzled) {
        const struct lw_cute_tuple zero = lw_cute_integer(0, true);
        lw_calc_set_part(&call->work, tensor, &tensor->layout, &zero, &out->as.cute);
        out->as.cute.part = tensor->part; /* the offset before the swizzle is in the layout */
        return offset_swizzled(call, &coordinate, &out->as.cute);
    }
    return lw_calc_set_part(&call->work, tensor, &tensor->layout, &start, &out->as.cute);
}

LW_CALC_RUN(lw_calc_run_idx2crd)
{
    struct lw_cute_tuple index, shape, stride;
    bool strided = call->args[2].given;
    return tuple_at(call, 0, &index) && tuple_at(call, 1, &shape) &&
           (!strided || tuple_at(call, 2, &stride)) &&
           lw_cute_idx2crd(&call->work, &index, &shape, strided ? &stride : NULL, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_crd2crd)
{
    struct lw_cute_tuple coordinate, from, to;
    return tuple_at(call, 0, &coordinate) && tuple_at(call, 1, &from) && tuple_at(call, 2, &to) &&
           lw_cute_crd2crd(&call->work, &coordinate, &from, &to, &out->as.tuple);
}

/* The coordinate of a layout at a number: hierarchical, or one number for each mode. */
LW_CALC_RUN(lw_calc_run_cute_coordinate)
{
    const struct lw_cute_layout *layout = &call->self->as.cute.layout;
    const struct lw_cute_tuple number = lw_cute_integer((int64_t)lw_calc_number(call, 0, 0), false);
    struct lw_cute_tuple shape = layout->shape;
    if (number.value >= lw_cute_size(layout) || number.value < 0)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "%s: number %lld: must be from 0 to %lld", call->operation->name,
                            (long long)number.value, (long long)lw_cute_size(layout) - 1);
    return (!call->operation->core.flag || layout->shape.count < 0 ||
            lw_cute_product_each(&call->work, &layout->shape, &shape)) &&
           lw_cute_idx2crd(&call->work, &number, &shape, NULL, &out->as.tuple);
}

/* ---- Trees ---- */

LW_CALC_RUN(lw_calc_run_tuple_flatten)
{
    return lw_cute_flatten_tuple(&call->work, self_of(call), &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_tuple_group)
{
    return lw_cute_group_tuple(&call->work, self_of(call), (int64_t)lw_calc_number(call, 0, 0),
                               (int64_t)lw_calc_number(call, 1, 0), &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_tuple_select)
{
    return lw_cute_select_tuple(&call->work, self_of(call), &call->args[0].as.tuple,
                                &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_tuple_take)
{
    struct lw_cute_tuple items[LW_CUTE_LEAVES_MAX];
    uint64_t begin = lw_calc_number(call, 0, 0), end = lw_calc_number(call, 1, 0);
    if (end > (uint64_t)lw_cute_rank(self_of(call)) || begin >= end)
        return lw_error_set(
            call->work.err, LW_ERROR_PARAMETER, "take: from item %llu up to %llu, of a tuple of %d",
            (unsigned long long)begin, (unsigned long long)end, lw_cute_rank(self_of(call)));
    for (uint64_t i = begin; i < end; i++)
        items[i - begin] = lw_cute_integer((int64_t)i, false);
    const struct lw_cute_tuple numbers = lw_cute_tuple_of(items, (int)(end - begin));
    return lw_cute_select_tuple(&call->work, self_of(call), &numbers, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_tuple_get)
{
    const struct lw_cute_tuple *path = &call->args[0].as.tuple;
    out->as.tuple = *self_of(call);
    if (path->count == 1 && path->items[0].count >= 0)
        path = &path->items[0];
    for (int i = 0; i < path->count; i++) {
        const struct lw_cute_tuple *item = &path->items[i];
        int rank = lw_cute_rank(&out->as.tuple);
        if (!lw_cute_is_integer(item) || item->value < 0 || item->value >= rank)
            return lw_error_at(call->work.err, LW_ERROR_PARAMETER, item->position,
                               "get: no item %lld: must be from 0 to %d", (long long)item->value,
                               rank - 1);
        out->as.tuple = *lw_cute_item(&out->as.tuple, (int)item->value);
    }
    return true;
}

LW_CALC_RUN(lw_calc_run_tuple_append)
{
    struct lw_cute_tuple *made = &out->as.tuple;
    int more;
    *made = *self_of(call);
    if (!lw_calc_ranks(call, lw_cute_rank(made), &more))
        return false;
    for (; more > 0; more--) {
        const struct lw_cute_tuple before = *made;
        if (!lw_cute_append_tuple(&call->work, &before, &call->args[0].as.tuple,
                                  call->operation->core.flag, made))
            return false;
    }
    return true;
}

/* ---- Parts of layouts ---- */

LW_CALC_RUN(lw_calc_run_cute_shape_of)
{
    struct lw_cute_layout layout;
    if (!lw_calc_mode_of(call, &layout))
        return false;
    out->as.tuple = layout.shape;
    return true;
}

LW_CALC_RUN(lw_calc_run_cute_stride_of)
{
    struct lw_cute_layout layout;
    if (!lw_calc_mode_of(call, &layout))
        return false;
    out->as.tuple = layout.stride;
    return true;
}

/* A in another shape. */
LW_CALC_RUN(lw_calc_run_cute_with_shape)
{
    const struct lw_cute *self = &call->self->as.cute;
    out->as.cute = *self;
    lw_calc_clear_atom(&out->as.cute);
    out->as.cute.iterator = self->origin ? self->iterator : NULL;
    return lw_cute_with_shape(&call->work, &self->layout, &call->args[0].as.tuple,
                              &out->as.cute.layout);
}

/* ---- Other elements ---- */

/* Elements `n` times as wide, or as narrow. */
LW_CALC_RUN(lw_calc_run_cute_cast)
{
    uint64_t n = lw_calc_number(call, 0, 0);
    bool up = call->operation->core.flag;
    if (n < 1 || n > 1024)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "%s by %llu: must be from 1 to 1024", call->operation->name,
                            (unsigned long long)n);
    return lw_cute_recast(&call->work, &call->self->as.cute, up ? 1 : (int64_t)n,
                          up ? (int64_t)n : 1, &out->as.cute);
}

/* The bits of half_t, of f16, or a number of them. */
static bool bits_of(const struct lw_calc_call *call, int i, int64_t *bits)
{
    const char *name = call->args[i].as.word.name;
    struct lw_element element;
    *bits = call->args[i].as.word.number;
    if (!name)
        return true;
    *bits = lw_calc_cpp_bits(name);
    if (*bits)
        return true;
    if (!lw_element_find(&element, name, call->work.err))
        return false;
    *bits = element.bits;
    return true;
}

/* recast_layout<Old, New>(A); in Python recast_layout(new_bits, old_bits, A). */
LW_CALC_RUN(lw_calc_run_recast_layout)
{
    bool python = call->operation->on == LW_CALC_FUNCTION;
    const struct lw_cute *cute = python ? &call->args[2].as.value->as.cute : &call->self->as.cute;
    int64_t first, second;
    return bits_of(call, 0, &first) && bits_of(call, 1, &second) &&
           lw_cute_recast(&call->work, cute, python ? second : first, python ? first : second,
                          &out->as.cute);
}

/* ---- Swizzles ---- */

LW_CALC_RUN(lw_calc_run_make_swizzle)
{
    enum { MOST = 1024 };
    const struct lw_cute_tuple *shift = &call->args[2].as.tuple; /* below 0: the other way */
    int numbers[3];
    for (int i = 0; i < 2; i++) {
        uint64_t number = lw_calc_number(call, i, 0);
        numbers[i] = number > MOST ? MOST : (int)number;
    }
    if (!lw_cute_is_integer(shift))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "make_swizzle: 's' must be a number");
    numbers[2] = (int)(shift->value > MOST ? MOST : shift->value < -MOST ? -MOST : shift->value);
    out->as.swizzle = (struct lw_cute_swizzle){numbers[0], numbers[1], numbers[2]};
    return lw_cute_swizzle_check(&out->as.swizzle, call->work.err);
}

LW_CALC_RUN(lw_calc_run_make_composed)
{
    const struct lw_calc_result outer = *call->args[2].as.value;
    return lw_calc_compose(&call->work, call->args[0].as.value, &call->args[1].as.tuple, 0, &outer,
                           out);
}
