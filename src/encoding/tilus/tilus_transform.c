/* The tilus functions that make one register layout from others: their rows of the registry. */

#include "encoding/schema/types.h"
#include "encoding/tilus/tilus_build.h"

#define ROW(TABLE, EVALUATE) LW_TILUS_ROW(LW_FAMILY_TILUS_REGISTER, TABLE, EVALUATE)

#define LAYOUT LW_TILUS_LAYOUT("layout", "the layout to start from")
#define DIMS(words) LW_TILUS_LIST("dims", 0, LW_RANK_MAX - 1, words)
#define SHAPE(words) LW_TILUS_LIST("shape", 1, LW_TILUS_INDEX_MODES, words)
/* A dim of a Python slice: any number is legal. */
#define DIM(param, otherwise, words)                                                               \
    {                                                                                              \
        .name = param, .type = LW_PARAM_INTEGER, .min = -INT32_MAX, .max = INT32_MAX,              \
        .fallback = LW_DEFAULT_NUMBER, .number = otherwise, .help = words                          \
    }

/* ---- Two layouts ---- */

/* A function of two layouts, which are its parameters in order. */
#define COMBINE(TABLE, FUNCTION) LW_TILUS_ROW_OF(ROW(TABLE, combine), combine, FUNCTION)
static bool combine(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    const struct lw_param *params = call->encoding->type->params;
    union lw_tilus_layout second;
    return lw_tilus_take_layout(call, params[0].name, out) &&
           lw_tilus_take_layout(call, params[1].name, &second) &&
           call->encoding->type->function->combine(&out->registers, &out->registers,
                                                   &second.registers, call->err);
}

static const struct lw_param compose_params[] = {
    LW_TILUS_LAYOUT("outer", "the layout of the tiles"),
    LW_TILUS_LAYOUT("inner", "the layout in a tile"),
};

const struct lw_encoding_type lw_encoding_compose = {
    .name = "compose",
    .title = "a layout of layouts",
    .about =
        "Replaces every element of the outer layout by the inner layout; the shapes multiply, dim "
        "by dim. It can also be written a * b; x.spatial(8, 4) is x * spatial(8, 4). "
        "It is associative but not commutative.",
    .example = "spatial(2, 3) * local(3, 4)",
    COMBINE(compose_params, lw_tilus_compose),
};

static const struct lw_param concat_params[] = {
    LW_TILUS_LAYOUT("lhs", "the layout of the first dims"),
    LW_TILUS_LAYOUT("rhs", "the layout of the last dims"),
};

const struct lw_encoding_type lw_encoding_concat = {
    .name = "concat",
    .title = "two layouts side by side",
    .about = "The dims of the first layout, then those of the second. Threads and elements of the "
             "second are numbered fastest.",
    .example = "concat(spatial(4), local(2, 2))",
    COMBINE(concat_params, lw_tilus_concat),
};

static const struct lw_param divide_params[] = {
    LW_TILUS_LAYOUT("lhs", "the layout to divide"),
    LW_TILUS_LAYOUT("rhs", "the layout to divide by"),
};

const struct lw_encoding_type lw_encoding_divide = {
    .name = "divide",
    .title = "the outer factor of a layout",
    .about = "The layout x with compose(x, rhs) equal to lhs, or the reason why there is none. It "
             "can also be written a / b.",
    .example = "divide(local(2, 1).spatial(8, 4), spatial(8, 4))",
    COMBINE(divide_params, lw_tilus_divide),
};

static const struct lw_param left_divide_params[] = {
    LW_TILUS_LAYOUT("layout", "the layout to divide"),
    LW_TILUS_LAYOUT("lhs_divisor", "the layout to divide by"),
};

const struct lw_encoding_type lw_encoding_left_divide = {
    .name = "left_divide",
    .title = "the inner factor of a layout",
    .about = "The layout x with compose(lhs_divisor, x) equal to layout, or the reason why there "
             "is none.",
    .example = "left_divide(local(2, 1).spatial(8, 4), local(2, 1))",
    COMBINE(left_divide_params, lw_tilus_left_divide),
};

/* ---- Fewer elements ---- */

/* A function of a layout and a list, which are its parameters in order. */
#define TRANSFORM(TABLE, FUNCTION) LW_TILUS_ROW_OF(ROW(TABLE, transform), transform, FUNCTION)
static bool transform(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    const struct lw_param *params = call->encoding->type->params;
    struct lw_sizes list;
    return lw_tilus_take_layout(call, params[0].name, out) &&
           lw_tilus_take_list(call, params[1].name, &list) &&
           call->encoding->type->function->transform(&out->registers, &out->registers, &list,
                                                     call->err);
}

static const struct lw_param reduce_params[] = {
    LAYOUT,
    DIMS("the dims to reduce"),
    {.name = "keepdims",
     .type = LW_PARAM_BOOLEAN,
     .max = 1,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "whether they stay, with size 1"},
};

static bool eval_reduce(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes dims;
    return lw_tilus_take_layout(call, "layout", out) && lw_tilus_take_list(call, "dims", &dims) &&
           lw_tilus_reduce(&out->registers, &out->registers, &dims,
                           lw_encoding_boolean(call->encoding, "keepdims"), call->err);
}

const struct lw_encoding_type lw_encoding_reduce = {
    .name = "reduce",
    .title = "the layout of a sum along dims",
    .about = "The layout of what is left when a tensor is reduced along dims. Threads that differ "
             "only along them hold the same element then: [0, 4, 8]: 0 means that threads 0, 4 and "
             "8 have it.",
    .example = "reduce(spatial(3, 4), dims=[0])",
    ROW(reduce_params, eval_reduce),
};

static const struct lw_param reduce_to_params[] = {
    LAYOUT,
    SHAPE("the shape to reduce to: each size is 1 or the layout's, counted from the last dim"),
};

const struct lw_encoding_type lw_encoding_reduce_to = {
    .name = "reduce_to",
    .title = "reduced to a shape",
    .about = "Reduces the dims in which that shape has 1, and drops the first dims that it does "
             "not have: the layout of a value that is broadcast to the layout's shape.",
    .example = "spatial(3, 4).reduce_to([1, 4])",
    TRANSFORM(reduce_to_params, lw_tilus_reduce_to),
};

/* ---- The same elements, other dims ---- */

static const struct lw_param squeeze_params[] = {LAYOUT, DIMS("the dims to drop, each of size 1")};

const struct lw_encoding_type lw_encoding_squeeze = {
    .name = "squeeze",
    .title = "without some dims of size 1",
    .about = "Drops dims of size 1. Threads and elements stay as they are.",
    .example = "squeeze(spatial(1, 4), dims=[0])",
    TRANSFORM(squeeze_params, lw_tilus_squeeze),
};

static const struct lw_param unsqueeze_params[] = {
    LAYOUT, DIMS("where the new dims are, counted in the new layout")};

const struct lw_encoding_type lw_encoding_unsqueeze = {
    .name = "unsqueeze",
    .title = "with more dims of size 1",
    .about = "Adds dims of size 1. Threads and elements stay as they are.",
    .example = "unsqueeze(spatial(4), dims=[0])",
    TRANSFORM(unsqueeze_params, lw_tilus_unsqueeze),
};

static const struct lw_param permute_params[] = {
    LAYOUT, DIMS("for each new dim the old one: [1, 0] transposes")};

const struct lw_encoding_type lw_encoding_permute = {
    .name = "permute",
    .title = "with its dims in another order",
    .about = "Dim i of the new layout is dim dims[i] of the old one. Every element stays with its "
             "thread.",
    .example = "permute(local(2, 1).spatial(8, 4), dims=[1, 0])",
    TRANSFORM(permute_params, lw_tilus_permute),
};

static const struct lw_param reshape_params[] = {
    LAYOUT, SHAPE("the new shape, with the same number of elements")};

const struct lw_encoding_type lw_encoding_reshape = {
    .name = "reshape",
    .title = "with its elements in another shape",
    .about = "Reads the elements in row-major order into a new shape. The modes are cut where the "
             "new dims end; a layout whose modes cannot be cut there cannot be reshaped. The "
             "procedure is that of tilus 0.2, which can move elements to other owners where a mode "
             "is longer than the rest of its new dim: compare the owners before and after.",
    .example = "reshape(spatial(8, 4), shape=[2, 4, 4])",
    TRANSFORM(reshape_params, lw_tilus_reshape),
};

static const struct lw_param flatten_params[] = {
    LAYOUT,
    DIM("start_dim", 0, "the first dim to flatten"),
    DIM("end_dim", -1, "the dim after the last one to flatten; negative counts from the end"),
};

static bool eval_flatten(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return lw_tilus_take_layout(call, "layout", out) &&
           lw_tilus_flatten(&out->registers, &out->registers,
                            lw_encoding_integer(call->encoding, "start_dim"),
                            lw_encoding_integer(call->encoding, "end_dim"), call->err);
}

const struct lw_encoding_type lw_encoding_flatten = {
    .name = "flatten",
    .title = "with several dims as one",
    .about = "Makes one dim of start_dim up to, but without, end_dim. The last dim is flattened "
             "only if end_dim is the number of dims, as in tilus 0.2, whose documentation calls "
             "end_dim inclusive.",
    .example = "flatten(spatial(2, 3, 4), 0, 2)",
    ROW(flatten_params, eval_flatten),
};

static const struct lw_param with_shape_params[] = {
    LAYOUT, SHAPE("the new shape: the modes must make it up as they are")};

const struct lw_encoding_type lw_encoding_with_shape = {
    .name = "with_shape",
    .title = "the same modes in another shape",
    .about = "Gives the layout another shape that the same modes make up; no mode is cut.",
    .example = "spatial(2, 3).with_shape([6])",
    TRANSFORM(with_shape_params, lw_tilus_with_shape),
};
