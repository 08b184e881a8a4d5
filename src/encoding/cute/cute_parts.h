#ifndef LANEWAY_CUTE_PARTS_H
#define LANEWAY_CUTE_PARTS_H

/* What the files of CuTe's algebra share, and what the calculator uses of them beside the public
 * headers. What can fail, fails as in cute.h. Names in parentheses are CuTe's. */

#include "encoding/cute/cute_tiled.h"
#include "laneway/descriptor.h"

/* What functions take and make: of a tree or two, of a coordinate or an index in a shape, of a layout or two, of a
 * layout and a tree. Many below are declared by these types. */
typedef bool lw_cute_of_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                              struct lw_cute_tuple *out);
typedef bool lw_cute_of_tuples(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                               const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
typedef bool lw_cute_in_shape(struct lw_cute_work *work, const struct lw_cute_tuple *at,
                              const struct lw_cute_tuple *shape, const struct lw_cute_tuple *by,
                              struct lw_cute_tuple *out);
typedef bool lw_cute_of_layout(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               struct lw_cute_layout *out);
typedef bool lw_cute_of_layouts(struct lw_cute_work *work, const struct lw_cute_layout *a,
                                const struct lw_cute_layout *b, struct lw_cute_layout *out);
typedef bool lw_cute_by_tuple(struct lw_cute_work *work, const struct lw_cute_layout *a,
                              const struct lw_cute_tuple *b, struct lw_cute_layout *out);

/* ---- cute_tuple.c ---- */

struct lw_cute_tuple lw_cute_blank(void);
/* Whether a tree is an integer, or a blank, and not a tuple or another leaf. */
bool lw_cute_is_integer(const struct lw_cute_tuple *tuple);
bool lw_cute_is_blank(const struct lw_cute_tuple *tuple);
/* Whether all integers are static; whether profiles and leaves are equal, static or not. */
bool lw_cute_all_fixed(const struct lw_cute_tuple *tuple);
bool lw_cute_tuple_equal(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
/* How many integers a tree has; when over LW_CUTE_LEAVES_MAX, any number above that limit. */
int lw_cute_leaves(const struct lw_cute_tuple *tuple);
/* How many levels of tuples a tree has; 0 for an integer. */
int lw_cute_depth(const struct lw_cute_tuple *tuple);
/* Whether an integer of a tree is along an axis; whether one is that and 0; whether a leaf is a blank. */
bool lw_cute_has_axes(const struct lw_cute_tuple *tuple);
bool lw_cute_has_zero_along(const struct lw_cute_tuple *tuple);
bool lw_cute_has_blank(const struct lw_cute_tuple *tuple);
/* Sets *inner to the axis that has an index inside another one; false beyond the limits. The
 * index of the outermost level, and whether there is no other. */
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

/* No tuples in the tuple; items `begin` to `end` - 1 as one; the items that numbers name; one
 * more item. The last three fail with LW_ERROR_PARAMETER on items that there are not. */
lw_cute_of_tuple lw_cute_flatten_tuple;
bool lw_cute_group_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                         int64_t end, struct lw_cute_tuple *out);
lw_cute_of_tuples lw_cute_select_tuple;
bool lw_cute_append_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *item, bool front, struct lw_cute_tuple *out);
/* The parts of A at which a coordinate has a blank (slice), or those at which it has none (dice), in one tuple. Fails
 * with LW_ERROR_SHAPE where ranks differ, and when no part is left. */
bool lw_cute_pick(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                  const struct lw_cute_tuple *a, bool blanks, struct lw_cute_tuple *out);

/* Arithmetic of integers; a result is static by the rules of CuTe. The sum of integers along
 * axes, or of coordinates, is a coordinate. The last one divides and rounds up. */
lw_cute_of_tuples lw_cute_plus, lw_cute_times, lw_cute_divided, lw_cute_modulo, lw_cute_divided_up;
/* An integer along an axis, 3@1, as the coordinate (_0,3); another tree as it is. */
lw_cute_of_tuple lw_cute_as_coordinate;
/* The product of all integers (product), and that of each item (product_each). */
lw_cute_of_tuple lw_cute_product_of, lw_cute_product_each;
/* Whether two trees have one profile (congruent); whether the profile of B is that of A, where integers of A may be
 * any tree of B (weakly_congruent); the same with equal sizes: coordinates of A are coordinates of B (compatible). */
bool lw_cute_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
bool lw_cute_weakly_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
bool lw_cute_compatible(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
/* A divided by B: by items, or by an integer from the left on; rounded up (ceil_div), or where one
 * number must divide the other, unless the rules are LW_CUTE_UNCHECKED and one is not static
 * (shape_div): (4,5,6) by 40 is (1,1,3). Both fail with LW_ERROR_SHAPE where ranks differ. */
lw_cute_of_tuples lw_cute_ceil_div, lw_cute_shape_div;
/* The index of a coordinate in a shape with a stride, unchecked as in CuTe (crd2idx), and the coordinate of an index,
 * (index / stride) % shape for each integer (idx2crd; one number is the stride of the first mode). Where the stride is
 * NULL it is the number, the leftmost mode fastest, and the last mode is not bounded. The last gives the coordinate in
 * the shape `by` that has the number of the one in `shape` (crd2crd). */
lw_cute_in_shape lw_cute_crd2idx, lw_cute_idx2crd, lw_cute_crd2crd;

/* Axes in the order of the shape. */
struct lw_cute_axes {
    int count;
    unsigned short axis[LW_CUTE_AXES_MAX];
};

/* Adds an axis, and those of strides, unless they are there. Fails with LW_ERROR_SHAPE when one
 * axis is inside another, and with LW_ERROR_LIMIT on over LW_CUTE_AXES_MAX axes. */
bool lw_cute_add_axis(struct lw_cute_work *work, unsigned short axis, struct lw_position position,
                      struct lw_cute_axes *axes);
bool lw_cute_axes_of(struct lw_cute_work *work, const struct lw_cute_tuple *stride,
                     struct lw_cute_axes *axes);

/* ---- cute_layout.c ---- */

struct lw_cute_layout lw_cute_leaf(int64_t size, int64_t stride, bool fixed);
/* An array in the arena; NULL with the error when memory is out. */
struct lw_cute_layout *lw_cute_new_layouts(struct lw_cute_work *work, int count);
/* Mode i of a layout, below its rank; it shares the trees. */
struct lw_cute_layout lw_cute_mode(const struct lw_cute_layout *layout, int i);
/* A layout whose modes are `count` layouts, in order; a layout of two modes. */
bool lw_cute_join(struct lw_cute_work *work, const struct lw_cute_layout *layouts, int count,
                  struct lw_cute_layout *out);
bool lw_cute_pair(struct lw_cute_work *work, struct lw_cute_layout first,
                  struct lw_cute_layout second, struct lw_cute_layout *out);
/* The layout of the first `count` modes, each replaced by what a function makes of mode i; *out
 * is that mode when it is called. */
typedef bool lw_cute_mode_function(struct lw_cute_work *work, const struct lw_cute_layout *mode,
                                   int i, void *context, struct lw_cute_layout *out);
bool lw_cute_each_mode(struct lw_cute_work *work, const struct lw_cute_layout *a, int count,
                       lw_cute_mode_function *function, void *context, struct lw_cute_layout *out);
bool lw_cute_is_fixed(const struct lw_cute_layout *layout);
/* The same layout with every integer static, or none. */
bool lw_cute_set_fixed(struct lw_cute_work *work, const struct lw_cute_layout *layout, bool fixed,
                       struct lw_cute_layout *out);
/* A deep copy into another arena, with tile and origin. False when memory is out. */
bool lw_cute_copy(struct lw_arena *arena, struct lw_cute *out, const struct lw_cute *cute);
/* Whether a swizzle is in range; else fails with LW_ERROR_PARAMETER. */
bool lw_cute_swizzle_check(const struct lw_cute_swizzle *swizzle, struct lw_error *err);
/* A compact layout whose modes are faster the smaller their number in the order is; the order has
 * one number for each mode, or a tuple for the modes in it. Numbers that are not static count as
 * larger than static ones. (make_ordered_layout) */
bool lw_cute_ordered(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *order, struct lw_cute_layout *out);
/* The layout that maps each coordinate to itself: ((2,4),8):((_1@0@0,_1@1@0),_1@1); of an integer
 * 8:_1. (make_identity_layout) */
bool lw_cute_identity(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      struct lw_cute_layout *out);
/* The largest offset plus 1 as a shape: of coordinates, the smallest that has all. (coshape) */
bool lw_cute_coshape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_tuple *out);
/* The offset of a coordinate, a number or a tuple of them; a blank counts as 0. Fails with
 * LW_ERROR_PARAMETER outside the shape; with LW_CUTE_UNCHECKED the last mode continues past its
 * end, and the others are taken modulo their sizes. (crd2idx) */
bool lw_cute_at(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                const struct lw_cute_tuple *coordinate, struct lw_cute_tuple *offset);
/* The modes of a layout at the blanks of a coordinate, and the offset of the rest of it. A
 * coordinate of integers only gives 1:0. (slice_and_offset) */
bool lw_cute_slice(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                   const struct lw_cute_tuple *coordinate, struct lw_cute_layout *out,
                   struct lw_cute_tuple *start);
/* lw_cute_apply of an offset in `layout` alone, instead of a coordinate. */
int64_t lw_cute_apply_to(const struct lw_cute *cute, int64_t offset);
/* The size of a shape, static when all of it is. */
struct lw_cute_tuple lw_cute_size_of(const struct lw_cute_tuple *shape);
/* A compact layout of the same shape, whose strides have the order of those of A; those of
 * stride 0 keep it. (make_layout_like) */
lw_cute_of_layout lw_cute_layout_like;
/* The numbers of the coordinates that have the offset 0 because of modes of stride 0. (nullspace) */
lw_cute_of_layout lw_cute_nullspace;
/* The coordinate that a layout has number `index` at, one number for each mode. (get_flat_coord)
 * Fails with LW_ERROR_SHAPE on a stride of 0 where the mode is not of size 1. */
bool lw_cute_flat_coordinate(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                             int64_t index, int64_t *point);
/* Adds a line to the derivation, when `steps` is set; the arguments are those of printf. And the
 * line "name = layout". */
void lw_cute_step(struct lw_cute_work *work, const char *format, ...) LW_PRINTF(2, 3);
void lw_cute_step_layout(struct lw_cute_work *work, const char *name,
                         const struct lw_cute_layout *layout);

/* ---- cute_algebra.c, cute_tile.c ---- */

/* A without modes of size 1 and of stride 0, coalesced. `profile` as for lw_cute_coalesce. */
lw_cute_by_tuple lw_cute_filter;
/* A with modes of stride 0 made of size 1, or with a profile those at which it has 0, with all that is in them; fails
 * with LW_ERROR_SHAPE unless A has a tuple of as many modes where the profile has a tuple. (filter_zeros) */
lw_cute_by_tuple lw_cute_filter_zeros;
/* A(B(i)), with the profile of B. */
lw_cute_of_layouts lw_cute_compose;
/* The layout of a leaf of a tiler that is not a blank. */
struct lw_cute_layout lw_cute_tiler_layout(const struct lw_cute_tuple *leaf);
/* How many elements are contiguous in memory, and in the same order, in both. */
bool lw_cute_max_common_vector(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, int64_t *out);
/* The blocked product of A that has the shape; `order` states which mode it is repeated along
 * first, or NULL. Fails with LW_ERROR_SHAPE when A does not divide the shape. (tile_to_shape) */
bool lw_cute_tile_to_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, const struct lw_cute_tuple *order,
                           struct lw_cute_layout *out);
/* A compact layout of that shape; the first mode is the fastest and column-major, the others keep
 * their order. (make_fragment_like) */
lw_cute_of_layout lw_cute_fragment_like;
/* The complement in a codomain given by its shape, factor by factor. */
lw_cute_by_tuple lw_cute_complement_of;
/* The numbers of coordinates of B, in the order of offsets, that are the same elements in A. (max_common_layout) */
lw_cute_of_layouts lw_cute_max_common_layout;
/* A layout as a tiler, which borrows it. */
struct lw_cute_tuple lw_cute_tiler_of(const struct lw_cute *cute);
/* A in another shape: its composition with the compact layout of the shape. (with_shape) */
lw_cute_by_tuple lw_cute_with_shape;

/* ---- cute_encoding.c ---- */

/* Whether an encoding is an operand of an atom of SM70, whose threads are those of two groups of four lanes, a quad
 * pair: thread 4 is lane 16. */
bool lw_cute_is_quad_pair(const struct lw_encoding *encoding);

/* A layout of coordinates with two modes, as threads and values over the smallest tile that has all
 * of its coordinates; a part of a tensor as the values of one thread. Fails with LW_ERROR_SHAPE on
 * another number of modes. */
bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *cute,
                            struct lw_cute *out);
/* Whether a layout with a tile is one of threads and values that stay within it; else fails. */
bool lw_cute_tile_check(const struct lw_cute *cute, struct lw_error *err);
/* Appends a layout of threads and values, which has a tile, with strides along its axes, as CuTe
 * prints it composed with the tile's coordinates: ((_4,_8),_2):((_2@1,_1@0),_1@1). Fails when a
 * stride is along no axis. */
bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err);

/* ---- cute_units.c ---- */

/* A counted in elements that are n times as wide, n from 1 on. */
bool lw_cute_upcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                    struct lw_cute_layout *out);

/* The layout of the same memory in elements of `to` bits instead of `from` bits, 1 to 1024 each.
 */
bool lw_cute_recast(struct lw_cute_work *work, const struct lw_cute *cute, int64_t from, int64_t to,
                    struct lw_cute *out);

#endif
