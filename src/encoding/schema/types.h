#ifndef LANEWAY_TYPES_H
#define LANEWAY_TYPES_H

/* The registry: every encoding type, in the order of the help screen. A line NAME is the row
 * lw_encoding_NAME, which is in the file of that encoding. */

#include "core/array_count.h"

#include "laneway/encoding.h"

/* clang-format off */
#define LW_ENCODING_TYPES(ROW) \
    ROW(blocked) \
    ROW(linear) \
    ROW(generic_linear) \
    ROW(slice) \
    ROW(nvidia_mma) \
    ROW(amd_mfma) \
    ROW(amd_wmma) \
    ROW(dot_op) \
    ROW(mfma_scale) \
    ROW(wmma_scale) \
    ROW(sm120_scale) \
    ROW(distributed) \
    ROW(swizzled_shared) \
    ROW(nvmma_shared) \
    ROW(amd_rotating_shared) \
    ROW(padded_shared) \
    ROW(shared_linear) \
    ROW(partitioned_shared) \
    ROW(tensor_memory_encoding) \
    ROW(tensor_memory_scales_encoding) \
    ROW(bases) \
    ROW(cute) \
    ROW(spatial) ROW(local) ROW(column_spatial) ROW(column_local) ROW(repeat) ROW(compose) \
    ROW(reduce) ROW(RegisterLayout) ROW(register_layout) ROW(replicated) \
    ROW(auto_local_spatial) ROW(squeeze) ROW(unsqueeze) ROW(permute) ROW(reshape) ROW(flatten) \
    ROW(reduce_to) ROW(concat) ROW(with_shape) ROW(divide) ROW(left_divide) \
    ROW(shared_row_major) ROW(shared_column_major) ROW(shared_row_major_swizzle) \
    ROW(SharedLayout) ROW(shared_layout) ROW(Swizzle) ROW(shared_compose) ROW(shared_permute) \
    ROW(shared_slice) ROW(shared_reshape) ROW(shared_unsqueeze) ROW(transpose) ROW(prepend_dim) \
    ROW(apply_swizzle)
/* clang-format on */

#define LW_DECLARE_TYPE(NAME) extern const struct lw_encoding_type lw_encoding_##NAME;
LW_ENCODING_TYPES(LW_DECLARE_TYPE)
#undef LW_DECLARE_TYPE

/* The members of a row that is printed as an attribute. */
#define LW_ATTRIBUTE_ROW(FAMILY, PARAMS, CHECK, BUILD)                                             \
    .family = FAMILY, .spelling = LW_SPELLING_ATTRIBUTE, .params = PARAMS,                         \
    .param_count = LW_COUNT(PARAMS), .check = CHECK, .build = BUILD

#endif
