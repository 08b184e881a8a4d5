#ifndef LANEWAY_TYPES_H
#define LANEWAY_TYPES_H

/* The encoding types of this room, for the registry. */

#include "laneway/encoding.h"

extern const struct lw_encoding_type lw_encoding_linear;
extern const struct lw_encoding_type lw_encoding_bases;
extern const struct lw_encoding_type lw_encoding_cute;
extern const struct lw_encoding_type lw_encoding_blocked;
extern const struct lw_encoding_type lw_encoding_slice;
extern const struct lw_encoding_type lw_encoding_distributed;
extern const struct lw_encoding_type lw_encoding_nvidia_mma;
extern const struct lw_encoding_type lw_encoding_amd_mfma;
extern const struct lw_encoding_type lw_encoding_dot_op;
extern const struct lw_encoding_type lw_encoding_amd_wmma;
extern const struct lw_encoding_type lw_encoding_mfma_scale;
extern const struct lw_encoding_type lw_encoding_wmma_scale;
extern const struct lw_encoding_type lw_encoding_sm120_scale;
extern const struct lw_encoding_type lw_encoding_swizzled_shared;
extern const struct lw_encoding_type lw_encoding_nvmma_shared;
extern const struct lw_encoding_type lw_encoding_amd_rotating_shared;
extern const struct lw_encoding_type lw_encoding_shared_linear;
extern const struct lw_encoding_type lw_encoding_padded_shared;
extern const struct lw_encoding_type lw_encoding_tensor_memory_encoding;
extern const struct lw_encoding_type lw_encoding_tensor_memory_scales_encoding;

#endif
