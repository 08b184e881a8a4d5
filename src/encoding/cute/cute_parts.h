#ifndef LANEWAY_CUTE_PARTS_H
#define LANEWAY_CUTE_PARTS_H

/* What the files of the CuTe algebra share: layouts as flat lists of modes, and the derivation. */

#include "laneway/cute.h"
#include "laneway/cute_tiled.h"

/* Arrays of `count` in the arena, never NULL for 0; NULL with the error when memory is out. */
struct lw_cute_tuple *lw_cute_new_tuples(struct lw_cute_work *work, int count);
struct lw_cute_layout *lw_cute_new_layouts(struct lw_cute_work *work, int count);
/* Makes *out a tuple with new items; returns them. */
struct lw_cute_tuple *lw_cute_new_items(struct lw_cute_work *work, int count,
                                        struct lw_cute_tuple *out);
bool lw_cute_fixed_layout(const struct lw_cute_layout *layout);
/* The complement in a codomain given by its shape, factor by factor. */
bool lw_cute_complement_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, struct lw_cute_layout *out);
bool lw_cute_compose(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     const struct lw_cute_layout *b, struct lw_cute_layout *out);
struct lw_cute_layout lw_cute_leaf(int64_t size, int64_t stride, bool fixed);
/* The same layout with every integer static, or none. */
bool lw_cute_set_fixed(struct lw_cute_work *work, const struct lw_cute_layout *layout, bool fixed,
                       struct lw_cute_layout *out);

/* Fails unless `number`, of a mode, operand or side, is below `count`. */
bool lw_cute_check_number(struct lw_cute_work *work, const char *what, int number, int count);
/* Tilers: a layout as a leaf (a blank when memory is out), a blank, a tuple of two; and the
 * composition of the first of two modes alone. */
struct lw_cute_tuple lw_cute_tiler_of(struct lw_cute_work *work,
                                      const struct lw_cute_layout *layout);
struct lw_cute_tuple lw_cute_blank(void);
bool lw_cute_pair(struct lw_cute_work *work, struct lw_cute_tuple first,
                  struct lw_cute_tuple second, struct lw_cute_tuple *out);
bool lw_cute_in_first_mode(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_tuple b, struct lw_cute_layout *out);

/* Arithmetic of integers; a result is static by the rules of CuTe. The last one divides and rounds up. */
bool lw_cute_plus(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                  const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
bool lw_cute_times(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                   const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
bool lw_cute_divided(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
bool lw_cute_modulo(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                    const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
bool lw_cute_divided_up(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        const struct lw_cute_tuple *b, struct lw_cute_tuple *out);

/* The largest offset plus 1, where a negative stride counts as positive. (cosize) */
bool lw_cute_cosize_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_tuple *out);

/* ---- cute_tuple.c: strides of coordinates ---- */

/* Coordinate i of a packed number, and the axis of a stride. */
int64_t lw_cute_coords_part(const struct lw_cute_coords *coords, int64_t number, int i);
int lw_cute_coords_axis(const struct lw_cute_coords *coords, int64_t stride);
/* The steps of a stride of coordinates along its axis, and the number of that axis; 0 for a stride of 0. */
int64_t lw_cute_coords_steps(const struct lw_cute_coords *coords, int64_t stride, int *axis);

bool lw_cute_memory(struct lw_cute_work *work);
bool lw_cute_too_large(struct lw_cute_work *work, const char *what);
/* Adds a line to the derivation, when `steps` is set; the arguments are those of printf. */
void lw_cute_step(struct lw_cute_work *work, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Adds the line "name = layout". */
void lw_cute_step_layout(struct lw_cute_work *work, const char *name,
                         const struct lw_cute_layout *layout);

/* ---- cute_edit.c ---- */

/* A compact layout of the same shape, whose strides have the order of those of A; those of stride 0 keep it.
 * (make_layout_like) */
bool lw_cute_layout_like(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct lw_cute_layout *out);
/* The numbers of the coordinates that have the offset 0 because of modes of stride 0. (nullspace) */
bool lw_cute_nullspace(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_layout *out);
/* The parts of A at which a coordinate has a blank (slice), or those at which it has none (dice), in one tuple. Fails
 * with LW_ERROR_SHAPE where ranks differ, and when no part is left. */
bool lw_cute_pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                  const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *out);

/* ---- cute_algebra.c ---- */

/* The numbers of coordinates of B, in the order of offsets, that are the same elements in A. (max_common_layout) */
bool lw_cute_max_common_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, struct lw_cute_layout *out);

/* ---- cute.c ---- */

/* Fails where a stride is 0 along an axis, 0@1: CuTe keeps the axis in its result. */
bool lw_cute_check_axes(struct lw_cute_work *work, const struct lw_cute_tuple *stride);

/* ---- cute_coords.c ---- */

/* Appends the last coordinate that the strides reach, "(3,_7)", static except along the axes of `moved`. */
void lw_cute_coords_print_end(struct lw_text *text, const struct lw_cute_coords *coords,
                              const struct lw_cute_tuple *stride, int64_t end, int64_t moved);

/* Appends the values of one thread, a part that has a tile, with their coordinates: ArithTuple(17,2) o
 * ((_2,_2),_2):((_1@1,_8@0),_32@0). False: they leave the axes of the tile, and nothing is appended. */
bool lw_cute_part_print(struct lw_text *text, const struct lw_cute *cute);

/* ---- cute_slice.c ---- */

/* The offset of a coordinate, an integer or a tuple of them. With LW_CUTE_UNCHECKED it can be past
 * the end: the last mode goes on, the others are taken modulo their sizes. (crd2idx) */
bool lw_cute_offset_in(const struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                       const struct lw_cute_layout *layout, int64_t *offset);

/* ---- cute_canonical.c: why there is no matrix descriptor; all return false ---- */

/* "M or N", or "K". */
const char *lw_operand_mode(int mode);
/* `assertion` is that of the headers, which do not compile it. */
__attribute__((format(printf, 5, 6))) bool
lw_not_canonical(struct lw_cute_work *work, enum lw_descriptor_kind kind, enum lw_major major,
                 const char *assertion, const char *format, ...);
/* 16 bytes, `per` elements, are not adjacent along the major mode. */
bool lw_not_adjacent(struct lw_cute_work *work, enum lw_major major, int64_t per,
                     const struct lw_cute_layout *layout);
/* Mode i has more strides than the two of its block and of the blocks. */
bool lw_not_of_blocks(struct lw_cute_work *work, enum lw_descriptor_kind kind, enum lw_major major,
                      int i, int64_t block, const struct lw_cute_layout *divided);

#endif
