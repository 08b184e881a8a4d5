#ifndef LANEWAY_TILUS_SHARED_H
#define LANEWAY_TILUS_SHARED_H

/*
 * tilus shared layouts, as tilus keeps them.
 *
 * A tensor of `shape` is cut into modes like those of a register layout: the digits of every index, dim after dim, the
 * most significant first. Each mode has a stride; the offset of an element is the sum of its digits times their
 * strides, which a swizzle then permutes:
 *
 *     shape=[64, 32], mode_shape=[8, 8, 16, 2], mode_strides=[256, 2, 16, 1]
 *     offset = i / 8 * 256 + i % 8 * 2 + j / 2 * 16 + j % 2
 *
 *     Swizzle(base=3, bits=2, shift=3): offset ^ (offset >> 3 & 0b11000)
 *
 * Offsets count elements. What is called a layout below has been validated: every dim is made up of
 * whole modes, none of size 1. Strides are not negative, as offsets are not.
 *
 * Source: the Python package tilus 0.2.0, modules shared_layout and ops.shared_ops of
 * tilus.ir.layout. Every function agrees with the one of that name there.
 */

#include "encoding/tilus/tilus.h"

struct lw_tilus_swizzle {
    int64_t base, bits, shift;
};

struct lw_tilus_shared {
    struct lw_sizes shape;
    struct lw_sizes mode_shape;
    struct lw_sizes mode_strides;
    bool swizzled; /* there is a swizzle, maybe of 0 bits */
    struct lw_tilus_swizzle swizzle;
};

/* base + bits + shift of a swizzle is at most that: tilus computes it in 32 bits. */
#define LW_TILUS_SWIZZLE_BITS 31

/* Errors name the parameter and have no position, as those of tilus.h. Every `out` may be the
 * input. */

/* ---- Values (tilus_shared.c) ---- */

/* Whether it is a layout. (SharedLayout.create and get_mode_groups) */
bool lw_tilus_shared_validate(const struct lw_tilus_shared *layout, struct lw_error *err);
/* Also drops modes of size 1, merges modes that continue each other, drops a swizzle of 0 bits.
 * (shared_layout) */
bool lw_tilus_shared_make(struct lw_tilus_shared *out, const struct lw_tilus_shared *made,
                          struct lw_error *err);
/* One more than the last offset before the swizzle. (count_size) */
int64_t lw_tilus_shared_size(const struct lw_tilus_shared *layout);
/* The map (offset) -> (dim0, dim1, ...), linear where it can be. */
bool lw_tilus_shared_to_map(const struct lw_tilus_shared *layout, struct lw_map *map,
                            struct lw_error *err);
/* SharedLayout(shape=[8, 32], mode_shape=[8, 32], mode_strides=[32, 1], swizzle=None) */
void lw_tilus_shared_print(struct lw_text *text, const struct lw_tilus_shared *layout);
/* Appends it as a call, "shared_layout(shape=[8, 32], ...)": tilus does not accept what it
 * prints. */
void lw_tilus_shared_print_call(struct lw_text *text, const struct lw_tilus_shared *layout);

/* ---- Making and transforming (tilus_shared_ops.c) ---- */

/* The last dim varies fastest, or the first. */
bool lw_tilus_shared_row_major(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                               struct lw_error *err);
bool lw_tilus_shared_column_major(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                                  struct lw_error *err);
bool lw_tilus_shared_row_major_swizzle(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                                       int64_t dtype_nbytes, struct lw_error *err);
/* Swizzles are dropped, as tilus does. */
bool lw_tilus_shared_compose(struct lw_tilus_shared *out, const struct lw_tilus_shared *lhs,
                             const struct lw_tilus_shared *rhs, struct lw_error *err);
bool lw_tilus_shared_permute(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *dims, struct lw_error *err);
bool lw_tilus_shared_slice(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                           const struct lw_sizes *retain_dims, struct lw_error *err);
bool lw_tilus_shared_reshape(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *new_shape, struct lw_error *err);
bool lw_tilus_shared_unsqueeze(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                               const struct lw_sizes *dims, struct lw_error *err);
bool lw_tilus_shared_prepend_dim(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                                 int64_t extent, struct lw_error *err);

/* ---- Encodings (tilus_build.c) ---- */

/* The layout that a call makes. Fails on encodings that are not shared layouts of tilus. The
 * encoding need not have been checked. */
bool lw_tilus_shared_eval(const struct lw_encoding *encoding, struct lw_tilus_shared *out,
                          struct lw_error *err);

#endif
