#ifndef LANEWAY_CUTE_PARTS_H
#define LANEWAY_CUTE_PARTS_H

/* What the files of CuTe's algebra share, and what the calculator uses of them beside the public headers. */

#include "laneway/cute.h"
#include "laneway/cute_tiled.h"

/* ---- cute_tuple.c ---- */

struct lw_cute_tuple lw_cute_blank(void);
/* Whether a tree is an integer, or a blank, and not a tuple or another leaf. */
bool lw_cute_is_integer(const struct lw_cute_tuple *tuple);
bool lw_cute_is_blank(const struct lw_cute_tuple *tuple);
/* How many integers a tree has; when over LW_CUTE_LEAVES_MAX, any number above that limit. */
int lw_cute_leaves(const struct lw_cute_tuple *tuple);
/* How many levels of tuples a tree has; 0 for an integer. */
int lw_cute_depth(const struct lw_cute_tuple *tuple);
/* Whether an integer of a tree is along an axis. */
bool lw_cute_has_axes(const struct lw_cute_tuple *tuple);
/* Sets *inner to the axis that has an index inside another one; false beyond the limits. The index of the outermost
 * level, and whether there is no other. */
bool lw_cute_axis_inside(unsigned axis, int index, unsigned short *inner);
int lw_cute_axis_first(unsigned axis, bool *only);
/* Appends a tree; in JSON a tuple is a list, a layout a string, and integers have no underscores. */
void lw_cute_tree_print(struct lw_text *text, const struct lw_cute_tuple *tree, bool json);

/* Both return false. */
bool lw_cute_memory(struct lw_cute_work *work);
bool lw_cute_too_large(struct lw_cute_work *work, const char *what);
/* Makes *out a tuple of `count` new items, and returns these; NULL and the error when memory is out. */
struct lw_cute_tuple *lw_cute_new_items(struct lw_cute_work *work, int count,
                                        struct lw_cute_tuple *out);
/* The tree with each leaf replaced by what a function makes of it. */
typedef bool lw_cute_leaf_function(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                                   const void *context, struct lw_cute_tuple *out);
bool lw_cute_each_leaf(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       lw_cute_leaf_function *function, const void *context,
                       struct lw_cute_tuple *out);
/* The same tree with every integer static, or none, in its layouts too. */
bool lw_cute_set_tuple_fixed(struct lw_cute_work *work, const struct lw_cute_tuple *tuple,
                             bool fixed, struct lw_cute_tuple *out);

/* No tuples in the tuple; items `begin` to `end` - 1 as one; the items that numbers name; one more item. The last three
 * fail with LW_ERROR_PARAMETER on items that there are not. */
bool lw_cute_flatten_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out);
bool lw_cute_group_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                         int64_t end, struct lw_cute_tuple *out);
bool lw_cute_select_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *numbers, struct lw_cute_tuple *out);
bool lw_cute_append_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *item, bool front, struct lw_cute_tuple *out);
/* The parts of A at which a coordinate has a blank (slice), or those at which it has none (dice), in one tuple. Fails
 * with LW_ERROR_SHAPE where ranks differ, and when no part is left. */
bool lw_cute_pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                  const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *out);

/* Arithmetic of integers; a result is static by the rules of CuTe. The sum of integers along axes, or of coordinates,
 * is a coordinate. The last one divides and rounds up. */
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
/* An integer along an axis, 3@1, as the coordinate (_0,3); another tree as it is. */
bool lw_cute_as_coordinate(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out);
/* The product of all integers (product), and that of each item (product_each). */
bool lw_cute_product_of(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        struct lw_cute_tuple *out);
bool lw_cute_product_each(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          struct lw_cute_tuple *out);
/* The number of a coordinate in a shape; a blank counts as 0. Fails with LW_ERROR_PARAMETER outside the shape. */
bool lw_cute_index(const struct lw_cute_tuple *coordinate, const struct lw_cute_tuple *shape,
                   int64_t *index, struct lw_error *err);
/* The coordinate in the shape `to` that has the number of one in the shape `from`. (crd2crd) */
bool lw_cute_crd2crd(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *from, const struct lw_cute_tuple *to,
                     struct lw_cute_tuple *out);

/* Axes in the order of the shape. */
struct lw_cute_axes {
    int count;
    unsigned short axis[LW_CUTE_AXES_MAX];
};

/* Adds an axis, and those of strides, unless they are there. Fails with LW_ERROR_SHAPE when one axis is inside another,
 * and with LW_ERROR_LIMIT on over LW_CUTE_AXES_MAX axes. */
bool lw_cute_add_axis(struct lw_cute_work *work, unsigned short axis, struct lw_position position,
                      struct lw_cute_axes *axes);
bool lw_cute_axes_of(struct lw_cute_work *work, const struct lw_cute_tuple *stride,
                     struct lw_cute_axes *axes);

/* ---- cute_layout.c ---- */

struct lw_cute_layout lw_cute_leaf(int64_t size, int64_t stride, bool fixed);
/* An array in the arena; NULL with the error when memory is out. */
struct lw_cute_layout *lw_cute_new_layouts(struct lw_cute_work *work, int count);
/* A layout of two modes. */
bool lw_cute_pair(struct lw_cute_work *work, struct lw_cute_layout first,
                  struct lw_cute_layout second, struct lw_cute_layout *out);
/* The layout of the first `count` modes, each replaced by what a function makes of mode i; *out is that mode when it is
 * called. */
typedef bool lw_cute_mode_function(struct lw_cute_work *work, const struct lw_cute_layout *mode,
                                   int i, void *context, struct lw_cute_layout *out);
bool lw_cute_each_mode(struct lw_cute_work *work, const struct lw_cute_layout *a, int count,
                       lw_cute_mode_function *function, void *context, struct lw_cute_layout *out);
bool lw_cute_is_fixed(const struct lw_cute_layout *layout);
/* The size of a shape, static when all of it is. */
struct lw_cute_tuple lw_cute_size_of(const struct lw_cute_tuple *shape);
/* A compact layout of the same shape, whose strides have the order of those of A; those of stride 0 keep it.
 * (make_layout_like) */
bool lw_cute_layout_like(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         struct lw_cute_layout *out);
/* The numbers of the coordinates that have the offset 0 because of modes of stride 0. (nullspace) */
bool lw_cute_nullspace(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_layout *out);
/* The coordinate that a layout has number `index` at, one number for each mode. (get_flat_coord)
 * Fails with LW_ERROR_SHAPE on a stride of 0 where the mode is not of size 1. */
bool lw_cute_flat_coordinate(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                             int64_t index, int64_t *point);
/* Adds a line to the derivation, when `steps` is set; the arguments are those of printf. And the line "name = layout".
 * */
void lw_cute_step(struct lw_cute_work *work, const char *format, ...) LW_PRINTF(2, 3);
void lw_cute_step_layout(struct lw_cute_work *work, const char *name,
                         const struct lw_cute_layout *layout);

/* ---- cute_algebra.c, cute_tile.c ---- */

/* The complement in a codomain given by its shape, factor by factor. */
bool lw_cute_complement_of(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, struct lw_cute_layout *out);
/* The numbers of coordinates of B, in the order of offsets, that are the same elements in A. (max_common_layout) */
bool lw_cute_max_common_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, struct lw_cute_layout *out);
/* A layout as a tiler, which borrows it. */
struct lw_cute_tuple lw_cute_tiler_of(const struct lw_cute *cute);
/* A in another shape: its composition with the compact layout of the shape. (with_shape) */
bool lw_cute_with_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                        const struct lw_cute_tuple *shape, struct lw_cute_layout *out);

/* ---- cute_units.c ---- */

/* A counted in elements that are n times as wide, n from 1 on. */
bool lw_cute_upcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                    struct lw_cute_layout *out);

/* ---- cute_map.c ---- */

/* Appends the values of one thread, a part that has a tile, with their coordinates: ArithTuple(17,2) o
 * ((_2,_2),_2):((_1@1,_8@0),_32@0). False: they leave the axes of the tile, and nothing is appended. */
bool lw_cute_part_print(struct lw_text *text, const struct lw_cute *cute);

#endif
