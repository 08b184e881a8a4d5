/*
 * The functions of tilus as encodings: each is a row of the registry with its parameters, and a way to evaluate a call.
 * From nested calls to one layout, from there to a map; errors of the algebra get their position here.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout.
 */

#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"
#include "encoding/tilus/tilus.h"

/* A layout in registers or in shared memory; a nested layout is of the family of the call itself. */
union lw_tilus_layout {
    struct lw_tilus registers;     /* of LW_FAMILY_TILUS_REGISTER */
    struct lw_tilus_shared shared; /* of LW_FAMILY_TILUS_SHARED */
};

/* A call that is being evaluated. */
struct lw_tilus_call {
    const struct lw_encoding *encoding;
    int depth; /* of calls around it */
    struct lw_error *err;
};

/* What the functions that are evaluated alike call. */
union lw_tilus_function {
    bool (*make)(struct lw_tilus *out, const struct lw_sizes *shape, const struct lw_sizes *ranks,
                 struct lw_error *err);
    bool (*combine)(struct lw_tilus *out, const struct lw_tilus *a, const struct lw_tilus *b,
                    struct lw_error *err);
    bool (*transform)(struct lw_tilus *out, const struct lw_tilus *layout,
                      const struct lw_sizes *list, struct lw_error *err);
    bool (*shared_make)(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                        struct lw_error *err);
    bool (*shared_transform)(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *list, struct lw_error *err);
};

/* ---- Evaluation ---- */

static bool evaluate(const struct lw_encoding *encoding, enum lw_family family, int depth,
                     union lw_tilus_layout *out, struct lw_error *err)
{
    struct lw_tilus_call call = {.encoding = encoding, .depth = depth, .err = err};
    const char *name = encoding->type->name;
    if (!encoding->type->evaluate || encoding->type->family != family)
        return lw_error_at(
            err, LW_ERROR_PARAMETER, encoding->position,
            family == LW_FAMILY_TILUS_SHARED
                ? "%s is not a shared layout of tilus: shared_row_major(8, 64) is one"
            : encoding->type->family == LW_FAMILY_TILUS_SHARED
                ? "%s is a shared layout, where a register layout is needed; functions of shared "
                  "layouts begin with shared_"
                : "%s is not a tilus register layout",
            name);
    if (depth > LW_NESTING_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, encoding->position,
                           "layouts in layouts, or calls in a chain, more than %d deep",
                           LW_NESTING_MAX);
    if (encoding->type->evaluate(&call, out))
        return true;
    if (err && !err->position.line) { /* about a parameter of this call, or the call as a whole */
        const struct lw_value *value = lw_encoding_value(encoding, err->parameter);
        err->position = value && value->position.line ? value->position : encoding->position;
    }
    return false;
}

bool lw_tilus_shared_eval(const struct lw_encoding *encoding, struct lw_tilus_shared *out,
                          struct lw_error *err)
{
    union lw_tilus_layout layout;
    if (!evaluate(encoding, LW_FAMILY_TILUS_SHARED, 0, &layout, err))
        return false;
    *out = layout.shared;
    return true;
}

bool lw_tilus_head(const struct lw_encoding *encoding, struct lw_text *text, struct lw_error *err)
{
    union lw_tilus_layout layout;
    bool shared = encoding->type->family == LW_FAMILY_TILUS_SHARED;
    if (!evaluate(encoding, shared ? LW_FAMILY_TILUS_SHARED : LW_FAMILY_TILUS_REGISTER, 0, &layout,
                  err))
        return false;
    if (shared)
        lw_tilus_shared_print(text, &layout.shared, false);
    else
        lw_tilus_print(text, &layout.registers, false);
    return true;
}

/* Tensors of nested layouts: these have their own shapes. */
static bool nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err)
{
    (void)encoding, (void)err;
    lw_tensor_unknown(nested);
    nested->element = tensor->element;
    return true;
}

/* Evaluates a call whose layout must have the shape of the tensor, if that has one. */
static bool evaluate_for(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         union lw_tilus_layout *out, struct lw_error *err)
{
    bool shared = encoding->type->family == LW_FAMILY_TILUS_SHARED;
    if (!evaluate(encoding, encoding->type->family, 0, out, err))
        return false;
    const struct lw_sizes *shape = shared ? &out->shared.shape : &out->registers.shape;
    struct lw_sizes target = {0};
    struct lw_text own = {0};
    for (int i = 0; i < tensor->rank; i++)
        lw_sizes_push(&target, (int64_t)tensor->shape[i]);
    if (tensor->rank < 0 || lw_sizes_equal(&target, shape))
        return true;
    lw_sizes_print(&own, shape);
    lw_tilus_refuse(err, "shape", &target, "must be the layout's own shape, %s",
                    lw_text_string(&own));
    lw_text_free(&own);
    if (err)
        err->code = LW_ERROR_SHAPE;
    return false;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    union lw_tilus_layout layout;
    return evaluate_for(encoding, tensor, &layout, err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    union lw_tilus_layout layout;
    if (!evaluate_for(encoding, tensor, &layout, err))
        return false;
    return encoding->type->family == LW_FAMILY_TILUS_SHARED
               ? lw_tilus_shared_to_map(&layout.shared, map, err)
               : lw_tilus_to_map(&layout.registers, map, err);
}

/* ---- Arguments ---- */

/* The nested layout of that name; fails when it is not set. */
static bool take_layout(const struct lw_tilus_call *call, const char *name,
                        union lw_tilus_layout *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, name);
    if (!nested)
        return lw_error_about(call->err, name, call->encoding->position, "%s needs %s: a layout",
                              call->encoding->type->name, name);
    return evaluate(nested, call->encoding->type->family, call->depth + 1, out, call->err);
}

/* The list of that name; empty when it is not set. */
static bool take_list(const struct lw_tilus_call *call, const char *name, struct lw_sizes *out)
{
    const struct lw_value *value = lw_encoding_value(call->encoding, name);
    out->count = 0;
    if (!value)
        return true;
    if (value->kind != LW_VALUE_LIST || value->count > LW_MODES_MAX)
        return lw_error_about(call->err, name, value->position,
                              "%s: must be a list of at most %d integers", name, LW_MODES_MAX);
    for (size_t i = 0; i < value->count; i++) {
        if (value->items[i].kind != LW_VALUE_INTEGER)
            return lw_error_about(call->err, name, value->items[i].position,
                                  "%s: entry %d must be an integer", name, (int)i);
        lw_sizes_push(out, value->items[i].integer);
    }
    return true;
}

static int64_t number(const struct lw_tilus_call *call, const char *name)
{
    return lw_encoding_integer(call->encoding, name);
}

/* Fails when a mode has size 1: the classes of tilus use their lists unchanged. `function` drops such modes. */
static bool refuse_ones(const struct lw_sizes *modes, const char *function, struct lw_error *err)
{
    for (int i = 0; i < modes->count; i++)
        if (modes->at[i] == 1)
            return lw_tilus_refuse(err, "mode_shape", modes,
                                   "mode %d has size 1: %s(...) drops such modes", i, function);
    return true;
}

/* ---- Rows ---- */

/* A row: the name, what it is in a few words, an example, how a call is evaluated and what function that calls, then
 * the parameters in the order of the function. */
#define FUNCTION(FAMILY, NAME, TITLE, EXAMPLE, EVALUATE, CALLED, ...)                              \
    static const struct lw_param NAME##_params[] = {__VA_ARGS__};                                  \
    const struct lw_encoding_type lw_encoding_##NAME = {                                           \
        .name = #NAME,                                                                             \
        .title = TITLE,                                                                            \
        .about = "",                                                                               \
        .example = EXAMPLE,                                                                        \
        .family = FAMILY,                                                                          \
        .spelling = LW_SPELLING_CALL,                                                              \
        .params = NAME##_params,                                                                   \
        .param_count = LW_COUNT(NAME##_params),                                                    \
        .nested_tensor = nested_tensor,                                                            \
        .evaluate = EVALUATE,                                                                      \
        .function = CALLED,                                                                        \
        .check = check,                                                                            \
        .build = build,                                                                            \
    }
#define REGISTERS(...) FUNCTION(LW_FAMILY_TILUS_REGISTER, __VA_ARGS__)
#define SHARED(...) FUNCTION(LW_FAMILY_TILUS_SHARED, __VA_ARGS__)
#define OF(KIND, CALLED)                                                                           \
    &(const union lw_tilus_function)                                                               \
    {                                                                                              \
        .KIND = CALLED                                                                             \
    }

#define LAYOUT(NAME, HELP) LW_ROW(NAME, LW_PARAM_ENCODING, HELP, .fallback = LW_DEFAULT_REQUIRED)
/* A list of numbers that must be set. */
#define LIST(NAME, MIN, MAX, HELP) LW_ROW(NAME, LW_PARAM_INTEGERS, HELP, .min = MIN, .max = MAX)
#define NUMBER(NAME, MIN, MAX, HELP) LW_ROW(NAME, LW_PARAM_INTEGER, HELP, .min = MIN, .max = MAX)
#define SHAPE(NAME, HELP) LIST(NAME, 1, LW_TILUS_INDEX_MODES, HELP)
#define DIMS(NAME, HELP) LIST(NAME, 0, LW_RANK_MAX - 1, HELP)
/* Sizes that are arguments of their own: spatial(8, 4). There may be none. */
#define SIZES(HELP)                                                                                \
    LW_ROW("shape", LW_PARAM_INTEGERS, HELP, .min = 1, .max = LW_TILUS_INDEX_MODES,                \
           .fallback = LW_DEFAULT_EMPTY)
/* A dim of a Python slice: any number is legal. */
#define SLICE_DIM(NAME, OTHERWISE, HELP)                                                           \
    LW_ROW(NAME, LW_PARAM_INTEGER, HELP, .min = -INT32_MAX, .max = INT32_MAX,                      \
           .fallback = LW_DEFAULT_NUMBER, .number = OTHERWISE)
#define SWIZZLE(NAME, ALSO, FALLBACK)                                                              \
    LW_ROW(NAME, LW_PARAM_ENCODING, "Swizzle(base, bits, shift), which moves the offsets",         \
           .also = ALSO, .fallback = FALLBACK)

/* ---- Register layouts from numbers ---- */

/* The layout before the dot, as in x.spatial(8, 4). */
#define BASE                                                                                       \
    LW_ROW("base", LW_PARAM_ENCODING,                                                              \
           "the layout it is chained to, whose elements become tiles of this one",                 \
           .fallback = LW_DEFAULT_ABSENT)
#define RANKS                                                                                      \
    LW_ROW("ranks", LW_PARAM_INTEGERS,                                                             \
           "for each dim its rank in the order: 0 varies slowest; default row-major",              \
           .rules = LW_RULE_PERMUTATION, .fallback = LW_DEFAULT_ABSENT)
#define THREADS SIZES("threads along each dim")
#define ELEMENTS SIZES("elements along each dim that a thread holds")

/* Makes a layout of the sizes; when `base` is set that is the outer layout. `ranks` may be NULL. */
static bool make_ranked(const struct lw_tilus_call *call, const struct lw_sizes *shape,
                        const struct lw_sizes *ranks, struct lw_tilus *out)
{
    union lw_tilus_layout outer;
    if (!call->encoding->type->function->make(out, shape, ranks, call->err))
        return false;
    return !lw_encoding_is_set(call->encoding, "base") ||
           (take_layout(call, "base", &outer) &&
            lw_tilus_compose(out, &outer.registers, out, call->err));
}

static bool make(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape, ranks;
    bool ranked = lw_encoding_is_set(call->encoding, "ranks");
    return take_list(call, "shape", &shape) && take_list(call, "ranks", &ranks) &&
           make_ranked(call, &shape, ranked ? &ranks : NULL, &out->registers);
}

/* The first dim varies fastest. */
static bool make_column(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape, ranks = {0};
    if (!take_list(call, "shape", &shape))
        return false;
    for (int i = shape.count - 1; i >= 0; i--)
        lw_sizes_push(&ranks, i);
    return make_ranked(call, &shape, &ranks, &out->registers);
}

REGISTERS(spatial, "one element per thread, row-major", "spatial(8, 4)", make,
          OF(make, lw_tilus_spatial), BASE, THREADS, RANKS);
REGISTERS(column_spatial, "one element per thread, column-major", "column_spatial(2, 3)",
          make_column, OF(make, lw_tilus_spatial), BASE, THREADS);
REGISTERS(local, "elements of one thread, row-major", "local(3, 4)", make, OF(make, lw_tilus_local),
          BASE, ELEMENTS, RANKS);
REGISTERS(column_local, "elements of one thread, column-major", "column_local(2, 3)", make_column,
          OF(make, lw_tilus_local), BASE, ELEMENTS);
REGISTERS(repeat, "the older name of local", "repeat(2, 1).spatial(8, 4).repeat(1, 2)", make,
          OF(make, lw_tilus_local), BASE, ELEMENTS, RANKS);

static bool eval_replicated(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_replicated(&out->registers, &shape, number(call, "num_workers"), call->err);
}

REGISTERS(replicated, "every thread holds the whole tensor", "replicated(2, 3, num_workers=4)",
          eval_replicated, NULL, SIZES("the shape of the tensor"),
          NUMBER("num_workers", 1, LW_TILUS_INDEX_MODES, "the number of threads hold a copy"));

static bool eval_auto_local_spatial(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_auto_local_spatial(&out->registers, number(call, "num_threads"), &shape,
                                       call->err);
}

REGISTERS(auto_local_spatial, "a shape divided among threads, the last dims first",
          "auto_local_spatial(num_threads=32, shape=[16, 16])", eval_auto_local_spatial, NULL,
          NUMBER("num_threads", 1, LW_TILUS_INDEX_MODES, "the number of threads share the tensor"),
          SHAPE("shape", "the shape of the tensor"));

/* ---- Register layouts by their four lists ---- */

#define LISTS                                                                                      \
    SHAPE("shape", "the shape of the tensor"),                                                     \
        SHAPE("mode_shape", "the size of each mode: the modes of a dim multiply to its size"),     \
        LIST("spatial_modes", -LW_TILUS_INDEX_MODES, LW_MODES_MAX - 1,                             \
             "the modes that number the thread, slowest first; -r: r threads hold a copy"),        \
        LIST("local_modes", 0, LW_MODES_MAX - 1,                                                   \
             "the modes that number the elements of a thread, slowest first")

static bool take_lists(const struct lw_tilus_call *call, struct lw_tilus *made)
{
    return take_list(call, "shape", &made->shape) &&
           take_list(call, "mode_shape", &made->mode_shape) &&
           take_list(call, "spatial_modes", &made->spatial_modes) &&
           take_list(call, "local_modes", &made->local_modes);
}

static bool eval_RegisterLayout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_lists(call, &out->registers) && lw_tilus_validate(&out->registers, call->err) &&
           refuse_ones(&out->registers.mode_shape, "register_layout", call->err);
}

REGISTERS(RegisterLayout, "a register layout by its modes, as tilus prints it",
          "RegisterLayout(shape=[4, 6], mode_shape=[2, 2, 3, 2], spatial_modes=[0, 2], "
          "local_modes=[3, 1])",
          eval_RegisterLayout, NULL, LISTS);

static bool eval_register_layout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_tilus made;
    return take_lists(call, &made) && lw_tilus_make(&out->registers, &made, call->err);
}

REGISTERS(register_layout, "a register layout by its modes, in canonical form",
          "register_layout(shape=[4, 4], mode_shape=[2, 2, 4], spatial_modes=[0, 1], "
          "local_modes=[2])",
          eval_register_layout, NULL, LISTS);

/* ---- Register layouts from others ---- */

/* A function of two layouts, which are its parameters in order. */
static bool combine(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    const struct lw_param *params = call->encoding->type->params;
    union lw_tilus_layout second;
    return take_layout(call, params[0].name, out) && take_layout(call, params[1].name, &second) &&
           call->encoding->type->function->combine(&out->registers, &out->registers,
                                                   &second.registers, call->err);
}

REGISTERS(compose, "a layout of layouts, also a * b", "spatial(2, 3) * local(3, 4)", combine,
          OF(combine, lw_tilus_compose), LAYOUT("outer", "the layout of the tiles"),
          LAYOUT("inner", "the layout in a tile"));
REGISTERS(concat, "the dims of two layouts side by side", "concat(spatial(4), local(2, 2))",
          combine, OF(combine, lw_tilus_concat), LAYOUT("lhs", "the layout of the first dims"),
          LAYOUT("rhs", "the layout of the last dims, numbered fastest"));
REGISTERS(divide, "the x with compose(x, rhs) = lhs, also lhs / rhs",
          "divide(local(2, 1).spatial(8, 4), spatial(8, 4))", combine, OF(combine, lw_tilus_divide),
          LAYOUT("lhs", "the layout to divide"), LAYOUT("rhs", "the layout to divide by"));
REGISTERS(left_divide, "the x with compose(lhs_divisor, x) = layout",
          "left_divide(local(2, 1).spatial(8, 4), local(2, 1))", combine,
          OF(combine, lw_tilus_left_divide), LAYOUT("layout", "the layout to divide"),
          LAYOUT("lhs_divisor", "the layout to divide by"));

#define FROM LAYOUT("layout", "the layout to start from")

static bool eval_reduce(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes dims;
    return take_layout(call, "layout", out) && take_list(call, "dims", &dims) &&
           lw_tilus_reduce(&out->registers, &out->registers, &dims,
                           lw_encoding_boolean(call->encoding, "keepdims"), call->err);
}

REGISTERS(reduce, "the layout of a sum along dims: threads then hold copies",
          "reduce(spatial(3, 4), dims=[0])", eval_reduce, NULL, FROM,
          DIMS("dims", "the dims to reduce"),
          LW_ROW("keepdims", LW_PARAM_BOOLEAN, "whether they stay, with size 1", .max = 1,
                 .fallback = LW_DEFAULT_NUMBER));

/* A function of a layout and a list, which are its parameters in order. */
static bool transform(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    const struct lw_param *params = call->encoding->type->params;
    struct lw_sizes list;
    return take_layout(call, params[0].name, out) && take_list(call, params[1].name, &list) &&
           call->encoding->type->function->transform(&out->registers, &out->registers, &list,
                                                     call->err);
}

REGISTERS(reduce_to, "reduced to the shape of a value that is broadcast to it",
          "spatial(3, 4).reduce_to([1, 4])", transform, OF(transform, lw_tilus_reduce_to), FROM,
          SHAPE("shape", "the shape to reduce to: each size is 1 or the layout's, counted from the "
                         "last dim"));
REGISTERS(squeeze, "without some dims of size 1", "squeeze(spatial(1, 4), dims=[0])", transform,
          OF(transform, lw_tilus_squeeze), FROM, DIMS("dims", "the dims to drop, each of size 1"));
REGISTERS(unsqueeze, "with more dims of size 1", "unsqueeze(spatial(4), dims=[0])", transform,
          OF(transform, lw_tilus_unsqueeze), FROM,
          DIMS("dims", "where the new dims are, counted in the new layout"));
REGISTERS(permute, "with its dims in another order",
          "permute(local(2, 1).spatial(8, 4), dims=[1, 0])", transform,
          OF(transform, lw_tilus_permute), FROM,
          DIMS("dims", "for each new dim the old one: [1, 0] transposes"));
REGISTERS(reshape, "in another shape, by the procedure of tilus 0.2",
          "reshape(spatial(8, 4), shape=[2, 4, 4])", transform, OF(transform, lw_tilus_reshape),
          FROM, SHAPE("shape", "the new shape, with the same number of elements"));
REGISTERS(with_shape, "the same modes in another shape; no mode is cut",
          "spatial(2, 3).with_shape([6])", transform, OF(transform, lw_tilus_with_shape), FROM,
          SHAPE("shape", "the new shape: the modes must make it up as they are"));

static bool eval_flatten(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_layout(call, "layout", out) &&
           lw_tilus_flatten(&out->registers, &out->registers, number(call, "start_dim"),
                            number(call, "end_dim"), call->err);
}

REGISTERS(flatten, "several dims as one, from start_dim to before end_dim",
          "flatten(spatial(2, 3, 4), 0, 2)", eval_flatten, NULL, FROM,
          SLICE_DIM("start_dim", 0, "the first dim to flatten"),
          SLICE_DIM("end_dim", -1,
                    "the dim after the last one to flatten; negative counts from the end"));

/* ---- Swizzles of shared layouts ---- */

static bool eval_Swizzle(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    (void)out;
    return lw_error_at(call->err, LW_ERROR_PARAMETER, call->encoding->position,
                       "a Swizzle alone is not a layout: shared_row_major(8, 64).apply_swizzle("
                       "Swizzle(base=3, bits=3, shift=3)) is one");
}

static const struct lw_param Swizzle_params[] = {
    NUMBER("base", 0, LW_TILUS_SWIZZLE_BITS, "the lowest bit that is changed"),
    NUMBER("bits", 0, LW_TILUS_SWIZZLE_BITS, "how many bits are changed"),
    NUMBER("shift", 0, LW_TILUS_SWIZZLE_BITS,
           "how many bits above these the bits are that are xored into them"),
};

/* It has no `check`: its numbers are checked in the layout that it is applied to. */
const struct lw_encoding_type lw_encoding_Swizzle = {
    .name = "Swizzle",
    .title = "the swizzle of a shared layout; Swizzle<bits, base, shift> in CuTe",
    .about = "",
    .example = "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
    .family = LW_FAMILY_TILUS_SHARED,
    .spelling = LW_SPELLING_CALL,
    .params = Swizzle_params,
    .param_count = LW_COUNT(Swizzle_params),
    .evaluate = eval_Swizzle,
    .build = build,
};

/* The argument `swizzle`; the layout is not swizzled when it is not set. */
static bool take_swizzle(const struct lw_tilus_call *call, struct lw_tilus_shared *out)
{
    const struct lw_encoding *nested = lw_encoding_nested(call->encoding, "swizzle");
    out->swizzled = nested != NULL;
    if (!nested)
        return true;
    if (nested->type != &lw_encoding_Swizzle)
        return lw_error_about(call->err, "swizzle", nested->position,
                              "%s is not a swizzle: Swizzle(base=3, bits=3, shift=3) is one",
                              nested->type->name);
    out->swizzle = (struct lw_tilus_swizzle){.base = lw_encoding_integer(nested, "base"),
                                             .bits = lw_encoding_integer(nested, "bits"),
                                             .shift = lw_encoding_integer(nested, "shift")};
    return true;
}

/* ---- Shared layouts from numbers ---- */

static bool shared_make(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           call->encoding->type->function->shared_make(&out->shared, &shape, call->err);
}

SHARED(shared_row_major, "shared memory row after row", "shared_row_major(8, 16)", shared_make,
       OF(shared_make, lw_tilus_shared_row_major), SIZES("elements along each dim"));
SHARED(shared_column_major, "shared memory column after column", "shared_column_major(8, 16)",
       shared_make, OF(shared_make, lw_tilus_shared_column_major),
       SIZES("elements along each dim"));

static bool eval_shared_row_major_swizzle(const struct lw_tilus_call *call,
                                          union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return take_list(call, "shape", &shape) &&
           lw_tilus_shared_row_major_swizzle(&out->shared, &shape, number(call, "dtype_nbytes"),
                                             call->err);
}

SHARED(shared_row_major_swizzle, "rows of 128 bytes swizzled for ldmatrix",
       "shared_row_major_swizzle([8, 64], dtype_nbytes=2)", eval_shared_row_major_swizzle, NULL,
       SHAPE("shape", "elements along each dim: of the last two the first a multiple of 8, the "
                      "second of 16 bytes"),
       NUMBER("dtype_nbytes", 1, 16, "bytes of an element: 1, 2, 4, 8 or 16"));

#define SHARED_LISTS                                                                               \
    SHAPE("shape", "elements along each dim"),                                                     \
        SHAPE("mode_shape",                                                                        \
              "the sizes of the digits of each dim's index, the most significant first"),          \
        LIST("mode_strides", 0, LW_TILUS_INDEX_MODES,                                              \
             "for each mode how far a step goes, in elements")

static bool take_shared_lists(const struct lw_tilus_call *call, struct lw_tilus_shared *made)
{
    return take_list(call, "shape", &made->shape) &&
           take_list(call, "mode_shape", &made->mode_shape) &&
           take_list(call, "mode_strides", &made->mode_strides) && take_swizzle(call, made);
}

static bool eval_SharedLayout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_shared_lists(call, &out->shared) &&
           lw_tilus_shared_validate(&out->shared, call->err) &&
           refuse_ones(&out->shared.mode_shape, "shared_layout", call->err);
}

/* tilus prints `swizzle`, and its function takes `optional_swizzle`. */
SHARED(SharedLayout, "a shared layout by its modes, as tilus prints it",
       "SharedLayout(shape=[8, 8], mode_shape=[8, 2, 4], mode_strides=[4, 32, 1], swizzle=None)",
       eval_SharedLayout, NULL, SHARED_LISTS,
       SWIZZLE("swizzle", "optional_swizzle", LW_DEFAULT_ABSENT));

static bool eval_shared_layout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_tilus_shared made;
    return take_shared_lists(call, &made) && lw_tilus_shared_make(&out->shared, &made, call->err);
}

SHARED(shared_layout, "a shared layout by its modes, in canonical form",
       "shared_layout(shape=[8, 8], mode_shape=[2, 4, 8], mode_strides=[32, 8, 1])",
       eval_shared_layout, NULL, SHARED_LISTS,
       SWIZZLE("optional_swizzle", "swizzle", LW_DEFAULT_ABSENT));

/* ---- Shared layouts from others ---- */

#define FROM_SHARED LAYOUT("layout", "the shared layout to start from")

static bool eval_shared_compose(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    union lw_tilus_layout rhs;
    return take_layout(call, "lhs", out) && take_layout(call, "rhs", &rhs) &&
           lw_tilus_shared_compose(&out->shared, &out->shared, &rhs.shared, call->err);
}

SHARED(shared_compose, "a shared layout of shared layouts; swizzles are dropped",
       "shared_compose(shared_row_major(2, 2), shared_row_major(4, 8))", eval_shared_compose, NULL,
       LAYOUT("lhs", "the shared layout of the tiles"),
       LAYOUT("rhs", "the shared layout in a tile"));

/* A function of a layout and a list, which are its parameters in order. */
static bool shared_transform(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes list;
    return take_layout(call, "layout", out) &&
           take_list(call, call->encoding->type->params[1].name, &list) &&
           call->encoding->type->function->shared_transform(&out->shared, &out->shared, &list,
                                                            call->err);
}

SHARED(shared_permute, "a shared layout, its dims in another order",
       "shared_permute(shared_row_major(4, 8), dims=[1, 0])", shared_transform,
       OF(shared_transform, lw_tilus_shared_permute), FROM_SHARED,
       DIMS("dims", "for each new dim the old one: [1, 0] transposes"));
SHARED(shared_slice, "a shared layout at index 0 of some dims",
       "shared_slice(shared_row_major(2, 4, 8), retain_dims=[1, 2])", shared_transform,
       OF(shared_transform, lw_tilus_shared_slice), FROM_SHARED,
       DIMS("retain_dims", "the dims to keep, in their new order"));
SHARED(shared_reshape, "a shared layout in another shape, row-major",
       "shared_reshape(shared_row_major(4, 8), new_shape=[2, 16])", shared_transform,
       OF(shared_transform, lw_tilus_shared_reshape), FROM_SHARED,
       SHAPE("new_shape", "the new shape, with the same number of elements"));
SHARED(shared_unsqueeze, "a shared layout with more dims of size 1",
       "shared_unsqueeze(shared_row_major(4, 8), dims=[0])", shared_transform,
       OF(shared_transform, lw_tilus_shared_unsqueeze), FROM_SHARED,
       DIMS("dims", "where the new dims are; at most the number of old ones"));

static bool eval_transpose(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes dims = {.count = 2, .at = {1, 0}};
    if (!take_layout(call, "layout", out))
        return false;
    return out->shared.shape.count == 2
               ? lw_tilus_shared_permute(&out->shared, &out->shared, &dims, call->err)
               : lw_error_about(call->err, "layout", (struct lw_position){0},
                                "the layout has %d dims, and transpose needs 2: permute(dims=...) "
                                "accepts any number",
                                out->shared.shape.count);
}

SHARED(transpose, "a shared layout of 2 dims, transposed", "shared_row_major(4, 8).transpose()",
       eval_transpose, NULL, FROM_SHARED);

static bool eval_prepend_dim(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_layout(call, "layout", out) &&
           lw_tilus_shared_prepend_dim(&out->shared, &out->shared, number(call, "extent"),
                                       call->err);
}

SHARED(prepend_dim, "adds a leading dim: several buffers, which follow each other",
       "shared_row_major(4, 8).prepend_dim(extent=3)", eval_prepend_dim, NULL, FROM_SHARED,
       NUMBER("extent", 1, LW_TILUS_INDEX_MODES, "how many buffers"));

static bool eval_apply_swizzle(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    if (!take_layout(call, "layout", out))
        return false;
    if (out->shared.swizzled)
        return lw_error_about(call->err, "swizzle", call->encoding->position,
                              "the layout has a swizzle, and there can be only one");
    return take_swizzle(call, &out->shared) && lw_tilus_shared_validate(&out->shared, call->err);
}

SHARED(apply_swizzle, "a shared layout, swizzled",
       "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
       eval_apply_swizzle, NULL, FROM_SHARED, SWIZZLE("swizzle", NULL, LW_DEFAULT_REQUIRED));
