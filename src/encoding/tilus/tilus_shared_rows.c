/* The tilus functions that make shared layouts: their rows of the registry. */

#include "encoding/tilus/tilus_shared.h"

/* What the rows share. A table of parameters makes a row with ROW(table). */
#define ROW(table)                                                                                 \
    .family = LW_FAMILY_TILUS_SHARED, .spelling = LW_SPELLING_CALL, .params = table,               \
    .param_count = sizeof table / sizeof *table, .nested_tensor = lw_tilus_nested_tensor,          \
    .check = lw_tilus_shared_check, .build = lw_tilus_shared_build
#define LAYOUT LW_TILUS_LAYOUT("layout", "the shared layout to start from")
#define SHAPE(words) LW_TILUS_LIST("shape", 1, LW_TILUS_INDEX_MODES, words)
#define DIMS(param, words) LW_TILUS_LIST(param, 0, LW_RANK_MAX - 1, words)
#define NUMBER(param, least, most, words)                                                          \
    {                                                                                              \
        .name = param, .type = LW_PARAM_INTEGER, .min = least, .max = most, .help = words          \
    }
#define SWIZZLE(param, other, otherwise)                                                           \
    {                                                                                              \
        .name = param, .also = other, .type = LW_PARAM_ENCODING, .fallback = otherwise,            \
        .help = "Swizzle(base, bits, shift), which moves the offsets"                              \
    }

/* ---- From numbers ---- */

static const struct lw_param major_params[] = {
    {.name = "shape",
     .type = LW_PARAM_INTEGERS,
     .min = 1,
     .max = LW_TILUS_INDEX_MODES,
     .fallback = LW_DEFAULT_EMPTY,
     .help = "elements along each dim"},
};

const struct lw_encoding_type lw_encoding_shared_row_major = {
    .name = "shared_row_major",
    .title = "shared memory row after row",
    .about = "A tensor in shared memory, densely, the last dim fastest. Offsets count elements.",
    .example = "shared_row_major(8, 16)",
    ROW(major_params),
};

const struct lw_encoding_type lw_encoding_shared_column_major = {
    .name = "shared_column_major",
    .title = "shared memory column after column",
    .about = "A tensor in shared memory, densely, the first dim fastest. Offsets count elements.",
    .example = "shared_column_major(8, 16)",
    ROW(major_params),
};

static const struct lw_param row_major_swizzle_params[] = {
    SHAPE("elements along each dim: of the last two the first a multiple of 8, the second of 16 "
          "bytes"),
    NUMBER("dtype_nbytes", 1, 16, "bytes of an element: 1, 2, 4, 8 or 16"),
};

const struct lw_encoding_type lw_encoding_shared_row_major_swizzle = {
    .name = "shared_row_major_swizzle",
    .title = "shared memory for ldmatrix",
    .about = "Rows of at most 128 bytes whose groups of 16 bytes are in another order in each "
             "row, so that ldmatrix reads 8 rows without conflicts. A wider tensor is cut into "
             "strips of columns, which lie one after another.",
    .example = "shared_row_major_swizzle([8, 64], dtype_nbytes=2)",
    ROW(row_major_swizzle_params),
};

#define MODES                                                                                      \
    SHAPE("elements along each dim"),                                                              \
        LW_TILUS_LIST("mode_shape", 1, LW_TILUS_INDEX_MODES,                                       \
                      "the digits of each dim's index, the most significant first"),               \
        LW_TILUS_LIST("mode_strides", 0, LW_TILUS_INDEX_MODES,                                     \
                      "for each mode how far a step goes, in elements")

/* tilus prints `swizzle`, and its function takes `optional_swizzle`. */
static const struct lw_param SharedLayout_params[] = {
    MODES, SWIZZLE("swizzle", "optional_swizzle", LW_DEFAULT_ABSENT)};
static const struct lw_param shared_layout_params[] = {
    MODES, SWIZZLE("optional_swizzle", "swizzle", LW_DEFAULT_ABSENT)};

const struct lw_encoding_type lw_encoding_SharedLayout = {
    .name = "SharedLayout",
    .title = "a shared layout by its modes",
    .about = "The offset of an element is the sum of the digits of its indices, each times its "
             "stride, swizzled. This is what tilus prints of every shared layout. tilus draws "
             "those of 2 dims; others are drawn here like register layouts, a grid for each "
             "index of the leading dims. Strides below 0, which no memory has, are refused.",
    .example = "SharedLayout(shape=[8, 8], mode_shape=[8, 2, 4], mode_strides=[4, 32, 1], "
               "swizzle=None)",
    ROW(SharedLayout_params),
};

const struct lw_encoding_type lw_encoding_shared_layout = {
    .name = "shared_layout",
    .title = "a shared layout by its modes, canonical",
    .about = "Like SharedLayout, in canonical form: modes of size 1 are dropped, and a mode is "
             "merged with the next of its dim when it counts on from it. As in tilus 0.2 that is "
             "found by comparing with the first of those merged, so that of three such modes two "
             "are merged.",
    .example = "shared_layout(shape=[8, 8], mode_shape=[2, 4, 8], mode_strides=[32, 8, 1])",
    ROW(shared_layout_params),
};

static const struct lw_param Swizzle_params[] = {
    NUMBER("base", 0, LW_TILUS_SWIZZLE_BITS, "the lowest bit that is changed"),
    NUMBER("bits", 0, LW_TILUS_SWIZZLE_BITS, "how many bits are changed"),
    NUMBER("shift", 0, LW_TILUS_SWIZZLE_BITS,
           "how far above these are the bits that are xored into them"),
};

const struct lw_encoding_type lw_encoding_Swizzle = {
    .name = "Swizzle",
    .title = "the swizzle of a shared layout",
    .about = "Xors `bits` bits of the offset, those from base + shift on, into those from base on: "
             "CuTe's Swizzle<bits, base, shift>, whose order of numbers is another. It counts "
             "elements, as the offsets do. It is no layout by itself.",
    .example = "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
    ROW(Swizzle_params),
};

/* ---- From layouts ---- */

static const struct lw_param shared_compose_params[] = {
    LW_TILUS_LAYOUT("lhs", "the shared layout of the tiles"),
    LW_TILUS_LAYOUT("rhs", "the shared layout in a tile"),
};

const struct lw_encoding_type lw_encoding_shared_compose = {
    .name = "shared_compose",
    .title = "a shared layout of shared layouts",
    .about = "Puts the second layout in the place of every element of the first; the shapes "
             "multiply, dim by dim. Tiles lie one after another. As in tilus 0.2 the swizzles of "
             "both are dropped: apply_swizzle gives the result one.",
    .example = "shared_compose(shared_row_major(2, 2), shared_row_major(4, 8))",
    ROW(shared_compose_params),
};

static const struct lw_param shared_permute_params[] = {
    LAYOUT, DIMS("dims", "for each new dim the old one: [1, 0] transposes")};

const struct lw_encoding_type lw_encoding_shared_permute = {
    .name = "shared_permute",
    .title = "a shared layout with its dims in another order",
    .about = "Dim i of the new layout is dim dims[i] of the old one. Every element stays where it "
             "is. Of a shared layout x it is x.permute(dims) too.",
    .example = "shared_permute(shared_row_major(4, 8), dims=[1, 0])",
    ROW(shared_permute_params),
};

static const struct lw_param transpose_params[] = {LAYOUT};

const struct lw_encoding_type lw_encoding_transpose = {
    .name = "transpose",
    .title = "a shared layout of 2 dims, transposed",
    .about = "Exchanges the two dims of a shared layout. Every element stays where it is.",
    .example = "shared_row_major(4, 8).transpose()",
    ROW(transpose_params),
};

static const struct lw_param shared_slice_params[] = {
    LAYOUT, DIMS("retain_dims", "the dims to keep, in their new order")};

const struct lw_encoding_type lw_encoding_shared_slice = {
    .name = "shared_slice",
    .title = "a shared layout at one index of some dims",
    .about = "Keeps some dims: where elements are whose indices in the other dims are 0. The "
             "swizzle stays, as in tilus 0.2. Of a shared layout x it is x.slice(retain_dims) too.",
    .example = "shared_slice(shared_row_major(2, 4, 8), retain_dims=[1, 2])",
    ROW(shared_slice_params),
};

static const struct lw_param shared_reshape_params[] = {
    LAYOUT,
    LW_TILUS_LIST("new_shape", 1, LW_TILUS_INDEX_MODES, "the new shape, of as many elements")};

const struct lw_encoding_type lw_encoding_shared_reshape = {
    .name = "shared_reshape",
    .title = "a shared layout in another shape",
    .about = "Reads the elements in row-major order into a new shape. Factors are taken off the "
             "modes, in order, until they make up the new dims; where there is no common factor "
             "there is no such shape.",
    .example = "shared_reshape(shared_row_major(4, 8), new_shape=[2, 16])",
    ROW(shared_reshape_params),
};

static const struct lw_param shared_unsqueeze_params[] = {
    LAYOUT, DIMS("dims", "where the new dims are; at most the number of old ones")};

const struct lw_encoding_type lw_encoding_shared_unsqueeze = {
    .name = "shared_unsqueeze",
    .title = "a shared layout with more dims of size 1",
    .about = "Adds dims of size 1. Of a shared layout x it is x.unsqueeze(dims) too.",
    .example = "shared_unsqueeze(shared_row_major(4, 8), dims=[0])",
    ROW(shared_unsqueeze_params),
};

static const struct lw_param prepend_dim_params[] = {
    LAYOUT, NUMBER("extent", 1, LW_TILUS_INDEX_MODES, "how many buffers")};

const struct lw_encoding_type lw_encoding_prepend_dim = {
    .name = "prepend_dim",
    .title = "buffers of a shared layout",
    .about = "Adds a first dim: buffers that lie one after another, as those of a pipeline.",
    .example = "shared_row_major(4, 8).prepend_dim(extent=3)",
    ROW(prepend_dim_params),
};

static const struct lw_param apply_swizzle_params[] = {
    LAYOUT, SWIZZLE("swizzle", NULL, LW_DEFAULT_REQUIRED)};

const struct lw_encoding_type lw_encoding_apply_swizzle = {
    .name = "apply_swizzle",
    .title = "a shared layout, swizzled",
    .about = "Gives a shared layout that has none a swizzle.",
    .example = "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
    ROW(apply_swizzle_params),
};
