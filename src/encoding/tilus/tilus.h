#ifndef LANEWAY_TILUS_H
#define LANEWAY_TILUS_H

/*
 * tilus layouts, as tilus keeps them.
 *
 * REGISTER LAYOUTS
 *
 * A tensor of `shape` is cut into modes: `mode_shape` holds the digits of every index, dim after
 * dim, the most significant first. Each mode is spatial (part of the thread number) or local (part
 * of the position in the thread's registers); both are numbers in mixed radix, the first mode
 * listed the most significant. A spatial mode -r is no part of an index: r threads hold a copy.
 *
 *     local(3, 4).spatial(2, 3)
 *     shape=[6, 12], mode_shape=[3, 2, 4, 3], spatial_modes=[1, 3], local_modes=[0, 2]
 *     thread = (i % 2) * 3 + j % 3        local = (i / 2) * 4 + j / 3
 *
 * A layout below has been validated: no mode has size 1, every mode is used once.
 * The canonical form also merges neighbouring modes that stay neighbours; most functions yield it,
 * but not squeeze, unsqueeze and with_shape, as in tilus.
 *
 * Source: the Python package tilus 0.2.0, tilus.ir.layout. Every function agrees with the one of that
 * name there.
 */

#include "laneway/encoding.h"

/* Numbers; a count over LW_MODES_MAX means that more were pushed, which lw_tilus_validate refuses. */
struct lw_sizes {
    int count;
    int64_t at[LW_MODES_MAX];
};

struct lw_tilus {
    struct lw_sizes shape;
    struct lw_sizes mode_shape;
    struct lw_sizes spatial_modes;
    struct lw_sizes local_modes;
};

#define LW_TILUS_INDEX_MODES ((int64_t)1 << 62) /* elements times copies of a layout at most */

/* ---- Lists ---- */

void lw_sizes_push(struct lw_sizes *list, int64_t number);
void lw_sizes_join(struct lw_sizes *list, const struct lw_sizes *more);
bool lw_sizes_equal(const struct lw_sizes *a, const struct lw_sizes *b);
/* The product of at[from] to at[to - 1], INT64_MAX when it is over LW_TILUS_INDEX_MODES. */
int64_t lw_sizes_product(const struct lw_sizes *list, int from, int to);
/* Appends `before` and "[3, 4]". */
void lw_sizes_print(struct lw_text *text, const char *before, const struct lw_sizes *list);

/* "dims = [0, 0]: " and the rest. Errors here have no position; tilus_functions.c adds it. */
bool lw_tilus_refuse(struct lw_error *err, const char *parameter, const struct lw_sizes *value,
                     const char *format, ...) LW_PRINTF(4, 5);

/* ---- Layouts ---- */

/* Whether the four lists make a layout, modes of size 1 allowed. (validate_layout; refuses also a
 * mode that is neither spatial nor local, which tilus cannot print either) */
bool lw_tilus_validate(const struct lw_tilus *layout, struct lw_error *err);
/* The canonical form of a valid layout. (canonicalize_layout) */
void lw_tilus_canonicalize(struct lw_tilus *out, const struct lw_tilus *layout);
/* Validates, then makes the canonical form. (register_layout) */
bool lw_tilus_make(struct lw_tilus *out, const struct lw_tilus *made, struct lw_error *err);
bool lw_tilus_equal(const struct lw_tilus *a, const struct lw_tilus *b);
/* Where the modes of each dim start, and last where they end: start[0] to start[rank]. The layout
 * with `rank` dims, at least its own: new ones, of size 1, come first. (get_mode_groups) The same of
 * the lists themselves. */
void lw_tilus_groups(const struct lw_tilus *layout, int rank, int *start);
void lw_tilus_mode_groups(const struct lw_sizes *shape, const struct lw_sizes *mode_shape, int rank,
                          int *start);
/* Whether the modes make up the shape, of at most 2^62 elements; modes of size 1 allowed. */
bool lw_tilus_check_modes(const struct lw_sizes *shape, const struct lw_sizes *mode_shape,
                          struct lw_error *err);
/* The map (local, thread) -> (dim0, dim1, ...). */
bool lw_tilus_to_map(const struct lw_tilus *layout, struct lw_map *map, struct lw_error *err);
/* RegisterLayout(shape=[6, 12], mode_shape=[3, 2, 4, 3], spatial_modes=[1, 3], ...): str(layout).
 * As a call register_layout(...), as tilus does not accept what it prints. */
void lw_tilus_print(struct lw_text *text, const struct lw_tilus *layout, bool call);

/* ---- Making and combining: the functions of tilus of these names ----
 * Every `out` may be one of the inputs too. */

/* `ranks` may be NULL: the first dim is the most significant. */
typedef bool lw_tilus_of_shape(struct lw_tilus *out, const struct lw_sizes *shape,
                               const struct lw_sizes *ranks, struct lw_error *err);
lw_tilus_of_shape lw_tilus_spatial, lw_tilus_local;
bool lw_tilus_replicated(struct lw_tilus *out, const struct lw_sizes *shape, int64_t num_workers,
                         struct lw_error *err);
bool lw_tilus_auto_local_spatial(struct lw_tilus *out, int64_t num_threads,
                                 const struct lw_sizes *shape, struct lw_error *err);
/* Of an outer layout and an inner one; of the first dims and the last ones. */
typedef bool lw_tilus_of_two(struct lw_tilus *out, const struct lw_tilus *lhs,
                             const struct lw_tilus *rhs, struct lw_error *err);
lw_tilus_of_two lw_tilus_compose, lw_tilus_concat;
/* The list is a shape, or dims. */
typedef bool lw_tilus_by_list(struct lw_tilus *out, const struct lw_tilus *layout,
                              const struct lw_sizes *list, struct lw_error *err);
lw_tilus_by_list lw_tilus_with_shape, lw_tilus_reduce_to, lw_tilus_reshape;
lw_tilus_by_list lw_tilus_squeeze, lw_tilus_unsqueeze, lw_tilus_permute;
bool lw_tilus_reduce(struct lw_tilus *out, const struct lw_tilus *layout,
                     const struct lw_sizes *dims, bool keepdims, struct lw_error *err);
bool lw_tilus_flatten(struct lw_tilus *out, const struct lw_tilus *layout, int64_t start_dim,
                      int64_t end_dim, struct lw_error *err);
/* The x with x * divisor = layout, or that with divisor * x = layout when `left`. */
bool lw_tilus_divide(struct lw_tilus *out, const struct lw_tilus *layout,
                     const struct lw_tilus *divisor, bool left, struct lw_error *err);
/* The dims as a set: each below `rank` and named once. `marked` has LW_MODES_MAX entries. */
bool lw_tilus_mark_dims(const char *name, const struct lw_sizes *dims, int rank, bool *marked,
                        struct lw_error *err);

/*
 * SHARED LAYOUTS
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
 */

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

#define LW_TILUS_SWIZZLE_BITS 31 /* base + bits + shift at most: tilus computes in 32 bits */

/* Whether it is a layout. (SharedLayout.create and get_mode_groups) */
bool lw_tilus_shared_validate(const struct lw_tilus_shared *layout, struct lw_error *err);
/* Also drops modes of size 1, merges modes that continue each other, drops a swizzle of 0 bits.
 * (shared_layout) */
bool lw_tilus_shared_make(struct lw_tilus_shared *out, const struct lw_tilus_shared *made,
                          struct lw_error *err);
/* The map (offset) -> (dim0, dim1, ...), linear where it can be. */
bool lw_tilus_shared_to_map(const struct lw_tilus_shared *layout, struct lw_map *map,
                            struct lw_error *err);
/* SharedLayout(shape=[8, 32], mode_shape=[8, 32], mode_strides=[32, 1], swizzle=None), or as a call
 * shared_layout(shape=[8, 32], ...). */
void lw_tilus_shared_print(struct lw_text *text, const struct lw_tilus_shared *layout, bool call);

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
typedef bool lw_tilus_shared_by_list(struct lw_tilus_shared *out,
                                     const struct lw_tilus_shared *layout,
                                     const struct lw_sizes *list, struct lw_error *err);
lw_tilus_shared_by_list lw_tilus_shared_permute, lw_tilus_shared_slice;
lw_tilus_shared_by_list lw_tilus_shared_reshape, lw_tilus_shared_unsqueeze;
bool lw_tilus_shared_prepend_dim(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                                 int64_t extent, struct lw_error *err);

/* ---- Encodings (tilus_functions.c) ----
 * An encoding need not have been checked. */

/* Appends the layout that a call makes as tilus prints it, a register layout or a shared one: the
 * line above the printed grid. Fails on other encodings. */
bool lw_tilus_head(const struct lw_encoding *encoding, struct lw_text *text, struct lw_error *err);
/* The layout that a call makes. Fails on encodings that are not shared layouts of tilus. */
bool lw_tilus_shared_eval(const struct lw_encoding *encoding, struct lw_tilus_shared *out,
                          struct lw_error *err);

#endif
