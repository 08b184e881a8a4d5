/* The tilus functions that make shared layouts: their rows of the registry. */

#include "encoding/schema/types.h"
#include "encoding/tilus/tilus_build.h"

#define ROW(TABLE, EVALUATE) LW_TILUS_ROW(LW_FAMILY_TILUS_SHARED, TABLE, EVALUATE)
#define LAYOUT LW_TILUS_LAYOUT("layout", "the shared layout to start from")
#define SHAPE(words) LW_TILUS_LIST("shape", 1, LW_TILUS_INDEX_MODES, words)
#define DIMS(param, words) LW_TILUS_LIST(param, 0, LW_RANK_MAX - 1, words)
#define SWIZZLE(param, other, otherwise)                                                           \
    {                                                                                              \
        .name = param, .also = other, .type = LW_PARAM_ENCODING, .fallback = otherwise,            \
        .help = "Swizzle(base, bits, shift), which moves the offsets"                              \
    }

/* ---- Swizzles ---- */

static const struct lw_param Swizzle_params[] = {
    LW_TILUS_NUMBER("base", 0, LW_TILUS_SWIZZLE_BITS, "the lowest bit that is changed"),
    LW_TILUS_NUMBER("bits", 0, LW_TILUS_SWIZZLE_BITS, "how many bits are changed"),
    LW_TILUS_NUMBER("shift", 0, LW_TILUS_SWIZZLE_BITS,
                    "how many bits above these the bits are that are xored into them"),
};

static bool eval_Swizzle(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    (void)out;
    return lw_error_at(call->err, LW_ERROR_PARAMETER, call->encoding->position,
                       "a Swizzle alone is not a layout: shared_row_major(8, 64).apply_swizzle("
                       "Swizzle(base=3, bits=3, shift=3)) is one");
}

/* It has no `check`: its numbers are checked in the layout that it is applied to. */
const struct lw_encoding_type lw_encoding_Swizzle = {
    .name = "Swizzle",
    .title = "the swizzle of a shared layout",
    .about = "Xors `bits` bits of the offset, those from base + shift on, into those from base on: "
             "CuTe writes it Swizzle<bits, base, shift>, in another order. It counts elements, as "
             "the offsets do. It is not a layout by itself.",
    .example = "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
    .family = LW_FAMILY_TILUS_SHARED,
    .spelling = LW_SPELLING_CALL,
    .params = Swizzle_params,
    .param_count = LW_COUNT(Swizzle_params),
    .evaluate = eval_Swizzle,
    .build = lw_tilus_build,
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

/* ---- From numbers ---- */

static const struct lw_param major_params[] = {
    LW_TILUS_SIZES("elements along each dim"),
};

#define SHARED_MAKE(FUNCTION) LW_TILUS_ROW_OF(ROW(major_params, shared_make), shared_make, FUNCTION)
static bool shared_make(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return lw_tilus_take_list(call, "shape", &shape) &&
           call->encoding->type->function->shared_make(&out->shared, &shape, call->err);
}

const struct lw_encoding_type lw_encoding_shared_row_major = {
    .name = "shared_row_major",
    .title = "shared memory row after row",
    .about = "A tensor in shared memory, densely, the last dim fastest. Offsets count elements.",
    .example = "shared_row_major(8, 16)",
    SHARED_MAKE(lw_tilus_shared_row_major),
};

const struct lw_encoding_type lw_encoding_shared_column_major = {
    .name = "shared_column_major",
    .title = "shared memory column after column",
    .about = "A tensor in shared memory, densely, the first dim fastest. Offsets count elements.",
    .example = "shared_column_major(8, 16)",
    SHARED_MAKE(lw_tilus_shared_column_major),
};

static const struct lw_param row_major_swizzle_params[] = {
    SHAPE("elements along each dim: of the last two the first a multiple of 8, the second of 16 "
          "bytes"),
    LW_TILUS_NUMBER("dtype_nbytes", 1, 16, "bytes of an element: 1, 2, 4, 8 or 16"),
};

static bool eval_shared_row_major_swizzle(const struct lw_tilus_call *call,
                                          union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return lw_tilus_take_list(call, "shape", &shape) &&
           lw_tilus_shared_row_major_swizzle(&out->shared, &shape,
                                             lw_encoding_integer(call->encoding, "dtype_nbytes"),
                                             call->err);
}

const struct lw_encoding_type lw_encoding_shared_row_major_swizzle = {
    .name = "shared_row_major_swizzle",
    .title = "shared memory for ldmatrix",
    .about = "Rows of at most 128 bytes whose groups of 16 bytes are in another order in each "
             "row, so that ldmatrix reads 8 rows without conflicts. A wider tensor is cut into "
             "strips of columns, which follow each other.",
    .example = "shared_row_major_swizzle([8, 64], dtype_nbytes=2)",
    ROW(row_major_swizzle_params, eval_shared_row_major_swizzle),
};

#define MODES                                                                                      \
    SHAPE("elements along each dim"),                                                              \
        LW_TILUS_LIST("mode_shape", 1, LW_TILUS_INDEX_MODES,                                       \
                      "the sizes of the digits of each dim's index, the most significant first"),  \
        LW_TILUS_LIST("mode_strides", 0, LW_TILUS_INDEX_MODES,                                     \
                      "for each mode how far a step goes, in elements")

/* tilus prints `swizzle`, and its function takes `optional_swizzle`. */
static const struct lw_param SharedLayout_params[] = {
    MODES, SWIZZLE("swizzle", "optional_swizzle", LW_DEFAULT_ABSENT)};
static const struct lw_param shared_layout_params[] = {
    MODES, SWIZZLE("optional_swizzle", "swizzle", LW_DEFAULT_ABSENT)};

static bool take_lists(const struct lw_tilus_call *call, struct lw_tilus_shared *made)
{
    return lw_tilus_take_list(call, "shape", &made->shape) &&
           lw_tilus_take_list(call, "mode_shape", &made->mode_shape) &&
           lw_tilus_take_list(call, "mode_strides", &made->mode_strides) &&
           take_swizzle(call, made);
}

static bool eval_SharedLayout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_lists(call, &out->shared) && lw_tilus_shared_validate(&out->shared, call->err) &&
           lw_tilus_refuse_ones(&out->shared.mode_shape, "shared_layout", call->err);
}

const struct lw_encoding_type lw_encoding_SharedLayout = {
    .name = "SharedLayout",
    .title = "a shared layout by its modes",
    .about = "The offset of an element is the sum of the digits of its indices, each times its "
             "stride, swizzled. This is what tilus prints of every shared layout. tilus draws "
             "those of 2 dims; others are drawn here like register layouts, a grid for each "
             "index of the leading dims. Strides below 0, which no memory has, are refused.",
    .example = "SharedLayout(shape=[8, 8], mode_shape=[8, 2, 4], mode_strides=[4, 32, 1], "
               "swizzle=None)",
    ROW(SharedLayout_params, eval_SharedLayout),
};

static bool eval_shared_layout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_tilus_shared made;
    return take_lists(call, &made) && lw_tilus_shared_make(&out->shared, &made, call->err);
}

const struct lw_encoding_type lw_encoding_shared_layout = {
    .name = "shared_layout",
    .title = "a shared layout by its modes, canonical",
    .about =
        "Like SharedLayout, in canonical form: modes of size 1 are dropped, and neighbouring modes "
        "of a dim whose strides continue each other are merged. As in tilus 0.2 each is compared "
        "with the first of the merged modes, so that of three such modes only two are merged.",
    .example = "shared_layout(shape=[8, 8], mode_shape=[2, 4, 8], mode_strides=[32, 8, 1])",
    ROW(shared_layout_params, eval_shared_layout),
};

/* ---- From layouts ---- */

static const struct lw_param shared_compose_params[] = {
    LW_TILUS_LAYOUT("lhs", "the shared layout of the tiles"),
    LW_TILUS_LAYOUT("rhs", "the shared layout in a tile"),
};

static bool eval_shared_compose(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    union lw_tilus_layout rhs;
    return lw_tilus_take_layout(call, "lhs", out) && lw_tilus_take_layout(call, "rhs", &rhs) &&
           lw_tilus_shared_compose(&out->shared, &out->shared, &rhs.shared, call->err);
}

const struct lw_encoding_type lw_encoding_shared_compose = {
    .name = "shared_compose",
    .title = "a shared layout of shared layouts",
    .about =
        "Replaces every element of the first layout by the second; the shapes multiply, dim by "
        "dim. Tiles follow each other in memory. As in tilus 0.2 the swizzles of both are dropped: "
        "apply_swizzle adds one to the result.",
    .example = "shared_compose(shared_row_major(2, 2), shared_row_major(4, 8))",
    ROW(shared_compose_params, eval_shared_compose),
};

/* A function of a layout and a list, which are its parameters in order. */
#define TRANSFORM(TABLE, FUNCTION)                                                                 \
    LW_TILUS_ROW_OF(ROW(TABLE, transform), shared_transform, FUNCTION)
static bool transform(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes list;
    return lw_tilus_take_layout(call, "layout", out) &&
           lw_tilus_take_list(call, call->encoding->type->params[1].name, &list) &&
           call->encoding->type->function->shared_transform(&out->shared, &out->shared, &list,
                                                            call->err);
}

static const struct lw_param shared_permute_params[] = {
    LAYOUT, DIMS("dims", "for each new dim the old one: [1, 0] transposes")};

const struct lw_encoding_type lw_encoding_shared_permute = {
    .name = "shared_permute",
    .title = "a shared layout with its dims in another order",
    .about = "Dim i of the new layout is dim dims[i] of the old one. Every element stays where it "
             "is. Of a shared layout x it is x.permute(dims) too.",
    .example = "shared_permute(shared_row_major(4, 8), dims=[1, 0])",
    TRANSFORM(shared_permute_params, lw_tilus_shared_permute),
};

static const struct lw_param transpose_params[] = {LAYOUT};

static bool eval_transpose(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes dims = {.count = 2, .at = {1, 0}};
    if (!lw_tilus_take_layout(call, "layout", out))
        return false;
    return out->shared.shape.count == 2
               ? lw_tilus_shared_permute(&out->shared, &out->shared, &dims, call->err)
               : lw_error_about(call->err, "layout", (struct lw_position){0},
                                "the layout has %d dims, and transpose needs 2: permute(dims=...) "
                                "accepts any number",
                                out->shared.shape.count);
}

const struct lw_encoding_type lw_encoding_transpose = {
    .name = "transpose",
    .title = "a shared layout of 2 dims, transposed",
    .about = "Exchanges the two dims of a shared layout. Every element stays where it is.",
    .example = "shared_row_major(4, 8).transpose()",
    ROW(transpose_params, eval_transpose),
};

static const struct lw_param shared_slice_params[] = {
    LAYOUT, DIMS("retain_dims", "the dims to keep, in their new order")};

const struct lw_encoding_type lw_encoding_shared_slice = {
    .name = "shared_slice",
    .title = "a shared layout at one index of some dims",
    .about = "Keeps some dims: where elements are whose indices in the other dims are 0. The "
             "swizzle stays, as in tilus 0.2. Of a shared layout x it is x.slice(retain_dims) too.",
    .example = "shared_slice(shared_row_major(2, 4, 8), retain_dims=[1, 2])",
    TRANSFORM(shared_slice_params, lw_tilus_shared_slice),
};

static const struct lw_param shared_reshape_params[] = {
    LAYOUT, LW_TILUS_LIST("new_shape", 1, LW_TILUS_INDEX_MODES,
                          "the new shape, with the same number of elements")};

const struct lw_encoding_type lw_encoding_shared_reshape = {
    .name = "shared_reshape",
    .title = "a shared layout in another shape",
    .about = "Reads the elements in row-major order into a new shape. Factors are taken off the "
             "modes, in order, until they make up the new dims; where there is no common factor, "
             "the layout cannot be reshaped.",
    .example = "shared_reshape(shared_row_major(4, 8), new_shape=[2, 16])",
    TRANSFORM(shared_reshape_params, lw_tilus_shared_reshape),
};

static const struct lw_param shared_unsqueeze_params[] = {
    LAYOUT, DIMS("dims", "where the new dims are; at most the number of old ones")};

const struct lw_encoding_type lw_encoding_shared_unsqueeze = {
    .name = "shared_unsqueeze",
    .title = "a shared layout with more dims of size 1",
    .about = "Adds dims of size 1. Of a shared layout x it is x.unsqueeze(dims) too.",
    .example = "shared_unsqueeze(shared_row_major(4, 8), dims=[0])",
    TRANSFORM(shared_unsqueeze_params, lw_tilus_shared_unsqueeze),
};

static const struct lw_param prepend_dim_params[] = {
    LAYOUT, LW_TILUS_NUMBER("extent", 1, LW_TILUS_INDEX_MODES, "how many buffers")};

static bool eval_prepend_dim(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return lw_tilus_take_layout(call, "layout", out) &&
           lw_tilus_shared_prepend_dim(&out->shared, &out->shared,
                                       lw_encoding_integer(call->encoding, "extent"), call->err);
}

const struct lw_encoding_type lw_encoding_prepend_dim = {
    .name = "prepend_dim",
    .title = "adds a leading dim: several buffers",
    .about =
        "Adds a first dim: buffers that follow each other in memory, such as those of a pipeline.",
    .example = "shared_row_major(4, 8).prepend_dim(extent=3)",
    ROW(prepend_dim_params, eval_prepend_dim),
};

static const struct lw_param apply_swizzle_params[] = {
    LAYOUT, SWIZZLE("swizzle", NULL, LW_DEFAULT_REQUIRED)};

static bool eval_apply_swizzle(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    if (!lw_tilus_take_layout(call, "layout", out))
        return false;
    if (out->shared.swizzled)
        return lw_error_about(call->err, "swizzle", call->encoding->position,
                              "the layout has a swizzle, and there can be only one");
    return take_swizzle(call, &out->shared) && lw_tilus_shared_validate(&out->shared, call->err);
}

const struct lw_encoding_type lw_encoding_apply_swizzle = {
    .name = "apply_swizzle",
    .title = "a shared layout, swizzled",
    .about = "Adds a swizzle to a shared layout that has none.",
    .example = "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
    ROW(apply_swizzle_params, eval_apply_swizzle),
};
