#ifndef LANEWAY_TENSOR_H
#define LANEWAY_TENSOR_H

/*
 * What a layout is a layout of: a shape and an element type, as in `tensor<16x64xf16>`.
 */

#include "laneway/dims.h"
#include "laneway/text.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_RANK_MAX 8
#define LW_ELEMENT_MAX 24

/* An element type: its MLIR name ("f16", "bf16", "i8", "f8E4M3FN", "!tt.ptr<f32>") and bits. */
struct lw_element {
    char name[LW_ELEMENT_MAX];
    int bits;
};

struct lw_tensor {
    int rank;                    /* 0 to 8; -1: not said, the layout has its own shape */
    uint64_t shape[LW_RANK_MAX]; /* each from 1 to 2^62 */
    struct lw_element element;   /* bits 0: not said */
    bool memory;                 /* a memdesc: in shared or tensor memory */
    /* Of a memdesc the shape of all that was allocated, of which it may be a part: its last dims are
     * at least those of `shape`. Without any more said it is the shape itself. 0: no memdesc. */
    int alloc_rank;
    uint64_t alloc[LW_RANK_MAX];
};

/* A tensor of which nothing is said. */
void lw_tensor_unknown(struct lw_tensor *tensor);
/* The element type of that name (also fp16, fp32, int8, half, ... as people write them); fails on
 * an unknown one and names the nearest. */
bool lw_element_find(struct lw_element *element, const char *name, struct lw_error *err);
/* "16x64xf16"; only the shape when the element is not said. */
void lw_tensor_print(struct lw_text *text, const struct lw_tensor *tensor);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
