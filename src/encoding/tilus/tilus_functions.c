/*
 * The functions of tilus as encodings: each is a row of the registry with its parameters, and a way to evaluate a
 * call. From nested calls to one layout, from there to a map; errors of the algebra get their position here.
 * Source: the Python package tilus 0.2.0, module tilus.ir.layout.
 */

#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"
#include "encoding/tilus/tilus.h"
#include "core/unused.h"

#include <string.h>

/* A layout in registers or in shared memory; a nested layout is of the family of the call itself. */
union lw_tilus_layout {
    struct lw_tilus registers;     /* of LW_FAMILY_TILUS_REGISTER */
    struct lw_tilus_shared shared; /* of LW_FAMILY_TILUS_SHARED */
};

/* A call that is being evaluated, with its arguments in the order of its parameters: layouts, lists, numbers. */
struct lw_tilus_call {
    const struct lw_encoding *encoding;
    int depth; /* of calls around it */
    struct lw_error *err;
    union lw_tilus_layout layout[2];
    struct lw_sizes list[4]; /* empty: it is not set */
    int64_t number[3];
};

/* ---- Evaluation ---- */

static bool take_arguments(struct lw_tilus_call *call);

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
    if (take_arguments(&call) && encoding->type->evaluate(&call, out))
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
    bool own = tensor->rank == shape->count;
    for (int i = 0; own && i < tensor->rank; i++)
        own = (int64_t)tensor->shape[i] == shape->at[i];
    if (own || tensor->rank < 0)
        return true;
    struct lw_text text = {0};
    lw_sizes_print(&text, "", shape);
    lw_refuse_shape(err, tensor, "must be the layout's own shape, %s", lw_text_string(&text));
    lw_text_free(&text);
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

/* A list; empty when it is not set. */
static bool take_list(const struct lw_tilus_call *call, const char *name,
                      const struct lw_value *value, struct lw_sizes *out)
{
    out->count = 0;
    if (value->kind == LW_VALUE_NONE)
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

/* Evaluates the layouts that are set; a swizzle is not one. */
static bool take_arguments(struct lw_tilus_call *call)
{
    const struct lw_encoding_type *type = call->encoding->type;
    int layouts = 0, lists = 0, numbers = 0;
    for (size_t i = 0; i < type->param_count; i++) {
        const struct lw_param *param = &type->params[i];
        const struct lw_value *value = &call->encoding->params[i];
        const bool is_layout = param->type == LW_PARAM_ENCODING && !strstr(param->name, "swizzle");
        if (param->type == LW_PARAM_INTEGER)
            call->number[numbers++] = lw_encoding_integer(call->encoding, param->name);
        if (param->type == LW_PARAM_INTEGERS &&
            !take_list(call, param->name, value, &call->list[lists++]))
            return false;
        if (is_layout && value->kind != LW_VALUE_ENCODING && param->fallback == LW_DEFAULT_REQUIRED)
            return lw_error_about(call->err, param->name, call->encoding->position,
                                  "%s needs %s: a layout", type->name, param->name);
        if (is_layout && value->kind == LW_VALUE_ENCODING &&
            !evaluate(value->encoding, type->family, call->depth + 1, &call->layout[layouts++],
                      call->err))
            return false;
    }
    return true;
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

/* A row: the name, what it is in a few words, an example, how the layout `out` is made of the arguments of `call`,
 * then the parameters in the order of the function. */
#define FUNCTION(FAMILY, NAME, TITLE, EXAMPLE, MADE, ...)                                          \
    static bool eval_##NAME(const struct lw_tilus_call *call, union lw_tilus_layout *out)          \
    {                                                                                              \
        return MADE;                                                                               \
    }                                                                                              \
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
        .evaluate = eval_##NAME,                                                                   \
        .check = check,                                                                            \
        .build = build,                                                                            \
    }
#define REGISTERS(...) FUNCTION(LW_FAMILY_TILUS_REGISTER, __VA_ARGS__)
#define SHARED(...) FUNCTION(LW_FAMILY_TILUS_SHARED, __VA_ARGS__)

/* What a row gives to the functions of tilus: the result, the layouts, the lists. */
#define OUT &out->registers
#define A &call->layout[0].registers
#define B &call->layout[1].registers
#define OUT_S &out->shared
#define A_S &call->layout[0].shared
#define B_S &call->layout[1].shared
#define LIST_0 &call->list[0]

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

/* Makes a layout of the sizes, the first dim fastest when it is `column`; when `base` is set that is the outer
 * layout. */
static bool chain(const struct lw_tilus_call *call, lw_tilus_of_shape *make, bool column,
                  struct lw_tilus *out)
{
    struct lw_sizes ranks = {0};
    for (int i = call->list[0].count - 1; i >= 0; i--)
        lw_sizes_push(&ranks, i);
    bool ranked = !column && lw_encoding_is_set(call->encoding, "ranks");
    return make(out, LIST_0,
                column   ? &ranks
                : ranked ? &call->list[1]
                         : NULL,
                call->err) &&
           (!lw_encoding_is_set(call->encoding, "base") ||
            lw_tilus_compose(out, A, out, call->err));
}

REGISTERS(spatial, "one element per thread, row-major", "spatial(8, 4)",
          chain(call, lw_tilus_spatial, false, OUT), BASE, THREADS, RANKS);
REGISTERS(column_spatial, "one element per thread, column-major", "column_spatial(2, 3)",
          chain(call, lw_tilus_spatial, true, OUT), BASE, THREADS);
REGISTERS(local, "elements of one thread, row-major", "local(3, 4)",
          chain(call, lw_tilus_local, false, OUT), BASE, ELEMENTS, RANKS);
REGISTERS(column_local, "elements of one thread, column-major", "column_local(2, 3)",
          chain(call, lw_tilus_local, true, OUT), BASE, ELEMENTS);
REGISTERS(repeat, "the older name of local", "repeat(2, 1).spatial(8, 4).repeat(1, 2)",
          chain(call, lw_tilus_local, false, OUT), BASE, ELEMENTS, RANKS);
REGISTERS(replicated, "every thread holds the whole tensor", "replicated(2, 3, num_workers=4)",
          lw_tilus_replicated(OUT, LIST_0, call->number[0], call->err),
          SIZES("the shape of the tensor"),
          NUMBER("num_workers", 1, LW_TILUS_INDEX_MODES, "the number of threads hold a copy"));
REGISTERS(auto_local_spatial, "a shape divided among threads, the last dims first",
          "auto_local_spatial(num_threads=32, shape=[16, 16])",
          lw_tilus_auto_local_spatial(OUT, call->number[0], LIST_0, call->err),
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

static struct lw_tilus lists_of(const struct lw_tilus_call *call)
{
    return (struct lw_tilus){call->list[0], call->list[1], call->list[2], call->list[3]};
}

/* As tilus prints it: not made canonical. */
static bool printed(const struct lw_tilus_call *call, struct lw_tilus *out)
{
    *out = lists_of(call);
    return lw_tilus_validate(out, call->err) &&
           refuse_ones(&out->mode_shape, "register_layout", call->err);
}

static bool canonical(const struct lw_tilus_call *call, struct lw_tilus *out)
{
    const struct lw_tilus made = lists_of(call);
    return lw_tilus_make(out, &made, call->err);
}

REGISTERS(RegisterLayout, "a register layout by its modes, as tilus prints it",
          "RegisterLayout(shape=[4, 6], mode_shape=[2, 2, 3, 2], spatial_modes=[0, 2], "
          "local_modes=[3, 1])",
          printed(call, OUT), LISTS);
REGISTERS(register_layout, "a register layout by its modes, in canonical form",
          "register_layout(shape=[4, 4], mode_shape=[2, 2, 4], spatial_modes=[0, 1], "
          "local_modes=[2])",
          canonical(call, OUT), LISTS);

/* ---- Register layouts from others ---- */

REGISTERS(compose, "a layout of layouts, also a * b", "spatial(2, 3) * local(3, 4)",
          lw_tilus_compose(OUT, A, B, call->err), LAYOUT("outer", "the layout of the tiles"),
          LAYOUT("inner", "the layout in a tile"));
REGISTERS(concat, "the dims of two layouts side by side", "concat(spatial(4), local(2, 2))",
          lw_tilus_concat(OUT, A, B, call->err), LAYOUT("lhs", "the layout of the first dims"),
          LAYOUT("rhs", "the layout of the last dims, numbered fastest"));
REGISTERS(divide, "the x with compose(x, rhs) = lhs, also lhs / rhs",
          "divide(local(2, 1).spatial(8, 4), spatial(8, 4))",
          lw_tilus_divide(OUT, A, B, false, call->err), LAYOUT("lhs", "the layout to divide"),
          LAYOUT("rhs", "the layout to divide by"));
REGISTERS(left_divide, "the x with compose(lhs_divisor, x) = layout",
          "left_divide(local(2, 1).spatial(8, 4), local(2, 1))",
          lw_tilus_divide(OUT, A, B, true, call->err), LAYOUT("layout", "the layout to divide"),
          LAYOUT("lhs_divisor", "the layout to divide by"));

#define FROM LAYOUT("layout", "the layout to start from")

REGISTERS(reduce, "the layout of a sum along dims: threads then hold copies",
          "reduce(spatial(3, 4), dims=[0])",
          lw_tilus_reduce(OUT, A, LIST_0, lw_encoding_boolean(call->encoding, "keepdims"),
                          call->err),
          FROM, DIMS("dims", "the dims to reduce"),
          LW_ROW("keepdims", LW_PARAM_BOOLEAN, "whether they stay, with size 1", .max = 1,
                 .fallback = LW_DEFAULT_NUMBER));

REGISTERS(reduce_to, "reduced to the shape of a value that is broadcast to it",
          "spatial(3, 4).reduce_to([1, 4])", lw_tilus_reduce_to(OUT, A, LIST_0, call->err), FROM,
          SHAPE("shape", "the shape to reduce to: each size is 1 or the layout's, counted from the "
                         "last dim"));
REGISTERS(squeeze, "without some dims of size 1", "squeeze(spatial(1, 4), dims=[0])",
          lw_tilus_squeeze(OUT, A, LIST_0, call->err), FROM,
          DIMS("dims", "the dims to drop, each of size 1"));
REGISTERS(unsqueeze, "with more dims of size 1", "unsqueeze(spatial(4), dims=[0])",
          lw_tilus_unsqueeze(OUT, A, LIST_0, call->err), FROM,
          DIMS("dims", "where the new dims are, counted in the new layout"));
REGISTERS(permute, "with its dims in another order",
          "permute(local(2, 1).spatial(8, 4), dims=[1, 0])",
          lw_tilus_permute(OUT, A, LIST_0, call->err), FROM,
          DIMS("dims", "for each new dim the old one: [1, 0] transposes"));
REGISTERS(reshape, "in another shape, by the procedure of tilus 0.2",
          "reshape(spatial(8, 4), shape=[2, 4, 4])", lw_tilus_reshape(OUT, A, LIST_0, call->err),
          FROM, SHAPE("shape", "the new shape, with the same number of elements"));
REGISTERS(with_shape, "the same modes in another shape; no mode is cut",
          "spatial(2, 3).with_shape([6])", lw_tilus_with_shape(OUT, A, LIST_0, call->err), FROM,
          SHAPE("shape", "the new shape: the modes must make it up as they are"));

REGISTERS(flatten, "several dims as one, from start_dim to before end_dim",
          "flatten(spatial(2, 3, 4), 0, 2)",
          lw_tilus_flatten(OUT, A, call->number[0], call->number[1], call->err), FROM,
          SLICE_DIM("start_dim", 0, "the first dim to flatten"),
          SLICE_DIM("end_dim", -1,
                    "the dim after the last one to flatten; negative counts from the end"));

/* ---- Swizzles of shared layouts ---- */

static bool eval_Swizzle(const struct lw_tilus_call *call, LW_UNUSED union lw_tilus_layout *out)
{
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

SHARED(shared_row_major, "shared memory row after row", "shared_row_major(8, 16)",
       lw_tilus_shared_row_major(OUT_S, LIST_0, call->err), SIZES("elements along each dim"));
SHARED(shared_column_major, "shared memory column after column", "shared_column_major(8, 16)",
       lw_tilus_shared_column_major(OUT_S, LIST_0, call->err), SIZES("elements along each dim"));

SHARED(shared_row_major_swizzle, "rows of 128 bytes swizzled for ldmatrix",
       "shared_row_major_swizzle([8, 64], dtype_nbytes=2)",
       lw_tilus_shared_row_major_swizzle(OUT_S, LIST_0, call->number[0], call->err),
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
    *made = (struct lw_tilus_shared){
        .shape = call->list[0], .mode_shape = call->list[1], .mode_strides = call->list[2]};
    return take_swizzle(call, made);
}

static bool shared_printed(const struct lw_tilus_call *call, struct lw_tilus_shared *out)
{
    return take_shared_lists(call, out) && lw_tilus_shared_validate(out, call->err) &&
           refuse_ones(&out->mode_shape, "shared_layout", call->err);
}

static bool shared_canonical(const struct lw_tilus_call *call, struct lw_tilus_shared *out)
{
    struct lw_tilus_shared made;
    return take_shared_lists(call, &made) && lw_tilus_shared_make(out, &made, call->err);
}

/* tilus prints `swizzle`, and its function takes `optional_swizzle`. */
SHARED(SharedLayout, "a shared layout by its modes, as tilus prints it",
       "SharedLayout(shape=[8, 8], mode_shape=[8, 2, 4], mode_strides=[4, 32, 1], swizzle=None)",
       shared_printed(call, OUT_S), SHARED_LISTS,
       SWIZZLE("swizzle", "optional_swizzle", LW_DEFAULT_ABSENT));

SHARED(shared_layout, "a shared layout by its modes, in canonical form",
       "shared_layout(shape=[8, 8], mode_shape=[2, 4, 8], mode_strides=[32, 8, 1])",
       shared_canonical(call, OUT_S), SHARED_LISTS,
       SWIZZLE("optional_swizzle", "swizzle", LW_DEFAULT_ABSENT));

/* ---- Shared layouts from others ---- */

#define FROM_SHARED LAYOUT("layout", "the shared layout to start from")

SHARED(shared_compose, "a shared layout of shared layouts; swizzles are dropped",
       "shared_compose(shared_row_major(2, 2), shared_row_major(4, 8))",
       lw_tilus_shared_compose(OUT_S, A_S, B_S, call->err),
       LAYOUT("lhs", "the shared layout of the tiles"),
       LAYOUT("rhs", "the shared layout in a tile"));

SHARED(shared_permute, "a shared layout, its dims in another order",
       "shared_permute(shared_row_major(4, 8), dims=[1, 0])",
       lw_tilus_shared_permute(OUT_S, A_S, LIST_0, call->err), FROM_SHARED,
       DIMS("dims", "for each new dim the old one: [1, 0] transposes"));
SHARED(shared_slice, "a shared layout at index 0 of some dims",
       "shared_slice(shared_row_major(2, 4, 8), retain_dims=[1, 2])",
       lw_tilus_shared_slice(OUT_S, A_S, LIST_0, call->err), FROM_SHARED,
       DIMS("retain_dims", "the dims to keep, in their new order"));
SHARED(shared_reshape, "a shared layout in another shape, row-major",
       "shared_reshape(shared_row_major(4, 8), new_shape=[2, 16])",
       lw_tilus_shared_reshape(OUT_S, A_S, LIST_0, call->err), FROM_SHARED,
       SHAPE("new_shape", "the new shape, with the same number of elements"));
SHARED(shared_unsqueeze, "a shared layout with more dims of size 1",
       "shared_unsqueeze(shared_row_major(4, 8), dims=[0])",
       lw_tilus_shared_unsqueeze(OUT_S, A_S, LIST_0, call->err), FROM_SHARED,
       DIMS("dims", "where the new dims are; at most the number of old ones"));

static bool transposed(const struct lw_tilus_call *call, struct lw_tilus_shared *out)
{
    const struct lw_sizes dims = {.count = 2, .at = {1, 0}};
    const int rank = call->layout[0].shared.shape.count;
    return rank == 2 ? lw_tilus_shared_permute(out, A_S, &dims, call->err)
                     : lw_error_about(call->err, "layout", (struct lw_position){0},
                                      "the layout has %d dims, and transpose needs 2: "
                                      "permute(dims=...) accepts any number",
                                      rank);
}

SHARED(transpose, "a shared layout of 2 dims, transposed", "shared_row_major(4, 8).transpose()",
       transposed(call, OUT_S), FROM_SHARED);

SHARED(prepend_dim, "adds a leading dim: several buffers, which follow each other",
       "shared_row_major(4, 8).prepend_dim(extent=3)",
       lw_tilus_shared_prepend_dim(OUT_S, A_S, call->number[0], call->err), FROM_SHARED,
       NUMBER("extent", 1, LW_TILUS_INDEX_MODES, "how many buffers"));

static bool swizzled(const struct lw_tilus_call *call, struct lw_tilus_shared *out)
{
    *out = call->layout[0].shared;
    if (out->swizzled)
        return lw_error_about(call->err, "swizzle", call->encoding->position,
                              "the layout has a swizzle, and there can be only one");
    return take_swizzle(call, out) && lw_tilus_shared_validate(out, call->err);
}

SHARED(apply_swizzle, "a shared layout, swizzled",
       "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
       swizzled(call, OUT_S), FROM_SHARED, SWIZZLE("swizzle", NULL, LW_DEFAULT_REQUIRED));
