#ifndef LANEWAY_TENSOR_H
#define LANEWAY_TENSOR_H

/*
 * Tensors: what a layout is a layout of, a shape and an element type. Plain values.
 *
 *     tensor<16x64xf16>                      shape 16, 64; element f16 of 16 bits; in registers
 *     !ttg.memdesc<64x64xf16, ..., 3x64x64>  the same in memory, part of an allocation of 3x64x64
 *
 * Both are optional: a layout may have its own shape, and most functions do not need the element.
 */

#include "laneway/dims.h"

LW_BEGIN

#define LW_RANK_MAX 32    /* dims of a tensor */
#define LW_ELEMENT_MAX 24 /* bytes of an element type's name, with the NUL */

/* An element type. */
struct lw_element {
    char name[LW_ELEMENT_MAX]; /* in MLIR: "f16", "bf16", "i8", "f8E4M3FN", "!tt.ptr<f32>" */
    int bits;                  /* 1 to 64, or 128 */
};

/* A shape and an element type; each may be unset. */
struct lw_tensor {
    int rank;                    /* 0 to LW_RANK_MAX; -1: not set, the layout has its own shape */
    uint64_t shape[LW_RANK_MAX]; /* `rank` sizes, each from 1 to 2^62 */
    struct lw_element element;   /* bits 0: not set */
    /* The shape of the allocation that a memdesc is a part of, or `shape` itself: its last dims are
     * at least those of `shape`. Rank 0: the tensor is no memdesc. */
    int alloc_rank;
    uint64_t alloc[LW_RANK_MAX];
};

/* Sets a tensor to one whose shape and element are not set. */
void lw_tensor_unknown(struct lw_tensor *tensor);
/* The element type of that name, in MLIR's notation or as people write it (fp16, int8, half). A
 * pointer has 64 bits, an integer 1 to 64 or 128. Fails with LW_ERROR_NAME on an unknown one and
 * names the nearest. */
bool lw_element_find(struct lw_element *element, const char *name, struct lw_error *err);
/* Appends "16x64xf16"; of the shape and the element only what is set. */
void lw_tensor_print(struct lw_text *text, const struct lw_tensor *tensor);

LW_END

#endif
