#ifndef LANEWAY_CUTE_H
#define LANEWAY_CUTE_H

/*
 * CuTe layouts: nested shapes and strides, swizzles, and their algebra.
 *
 * A layout is a shape and a stride, trees of integers of the same profile. It maps a coordinate to
 * an offset: the sum of each integer of the coordinate times its stride. A single number is a
 * coordinate too, the leftmost mode fastest:
 *
 *     ((2,4),8):((1,16),2)     (i, j) with i = i0 + 2 i1   ->   i0 + 16 i1 + 2 j
 *     (4,8):(8,1)              5 is (1, 1)                 ->   9
 *
 * A swizzle Sw<B,M,S> permutes offsets: it xors the B bits from bit M+S on into the B bits from bit
 * M on (for a negative S the other way). A composed layout adds a constant and swizzles:
 *
 *     Sw<3,3,3> o _0 o (8,64):(64,1)                 the swizzle counts elements
 *     Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)     it counts bytes, elements have 16 bits
 *
 * These two are the same function of elements; lw_cute_in_elements and lw_cute_in_bytes convert.
 *
 * An integer written _3 is static: CuTe has it at compile time. That is kept and printed, and a
 * result is static when everything that it was computed from is; nothing else depends on it, except
 * that the default stride of a _1 is _0.
 *
 * Trees live in an arena (arena.h) and are never changed, so results share them. An operation takes
 * a struct lw_cute_work, which has the arena and the error, and a layout to fill:
 *
 *     struct lw_cute_work work = {.arena = &arena, .err = &err};
 *     lw_cute_complement(&work, &a, 24, &out)          of 4:2 it is (2,3):(1,8)
 *
 * Common to all operations are the failures LW_ERROR_MEMORY and LW_ERROR_LIMIT, on numbers over
 * LW_CUTE_MAX; what is in `out` after a failure is undefined. The error's position is that of
 * the mode that causes it, if it came from text.
 *
 * Source: include/cute/layout.hpp, layout_composed.hpp and swizzle_layout.hpp of CUTLASS 4. Each
 * operation agrees with the one of that name wherever that one is right. A composition that is not
 * the function A(B(i)) is refused here, where the headers check less.
 */

#include "laneway/arena.h"
#include "laneway/map.h"
#include "laneway/text.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Trees ---- */

#define LW_CUTE_LEAVES_MAX 1024        /* integers of one shape */
#define LW_CUTE_DEPTH_MAX 64           /* levels of a tree */
#define LW_CUTE_MAX ((int64_t)1 << 62) /* sizes, strides, offsets and sums of them */

/* What a leaf of a tree is. Shapes and strides have integers only; the others are in tilers, and in
 * tuples of the calculator (calc.h): coordinates and the arguments of make_layout. */
enum lw_cute_leaf {
    LW_CUTE_INTEGER,
    LW_CUTE_BLANK, /* _ */
    LW_CUTE_ORDER, /* LayoutLeft, with the value 0; LayoutRight, with the value 1 */
    LW_CUTE_LAYOUT
};

/* A tree: a leaf, or a tuple of trees. */
struct lw_cute_tuple {
    int count;              /* -1: a leaf; else how many items */
    enum lw_cute_leaf leaf; /* what a leaf is */
    int64_t value;          /* of an integer */
    union {
        const struct lw_cute_tuple *items; /* of a tuple, `count` of them */
        const struct lw_cute_axis *axis;   /* of an integer: that of 3@1; in layouts of 0@1 alone */
        const struct lw_cute *layout;      /* of a layout */
    };
    struct lw_position position; /* in the text that it came from; line 0: none */
    bool fixed, start; /* a static integer, _3; a tuple where a tensor begins, make_inttuple_iter */
};

/* A layout. */
struct lw_cute_layout {
    struct lw_cute_tuple shape;  /* integers from 1 on */
    struct lw_cute_tuple stride; /* of the same profile; integers from 0 on */
};

/* The swizzle Sw<bits,base,shift>. */
struct lw_cute_swizzle {
    int bits, base, shift; /* 0 to 30 each; shift may be negative; |shift| >= bits */
};

#define LW_CUTE_AXIS_DEPTH 4 /* levels of a coordinate */
#define LW_CUTE_AXIS_MAX 7   /* the largest index on a level */
/* A coordinate of a shape, by its index on each level from the outermost: the 4 in ((2,4),8) is
 * at 0, 1, and written @1@0, the innermost first. */
struct lw_cute_axis {
    int depth, at[LW_CUTE_AXIS_DEPTH]; /* `depth` indices */
};

#define LW_CUTE_AXES_MAX 8 /* axes of one layout */
/* The axes of strides such as 2@1, in the order of the shape: v steps along axis i are the integer
 * v 2^(bits i). Set to all zeros it has no axes. */
struct lw_cute_coords {
    int count; /* of axes */
    int bits;  /* of each: 62 / count */
    struct lw_cute_axis axis[LW_CUTE_AXES_MAX];
};

/* What a layout is for, when it came from the name of an atom of CuTe. */
enum lw_cute_role {
    LW_CUTE_ROLE_NONE,
    LW_CUTE_ROLE_A, /* an operand of a matrix product, in registers; so are B and C */
    LW_CUTE_ROLE_B,
    LW_CUTE_ROLE_C,
    LW_CUTE_ROLE_MEMORY,   /* an operand that the instruction reads from shared or tensor memory */
    LW_CUTE_ROLE_BITS,     /* of a copy: threads and bits */
    LW_CUTE_ROLE_QUAD_PAIR /* an operand of two groups of four lanes: thread 4 is lane 16 */
};

/* A layout, maybe composed with a swizzle, and what its offsets are. */
struct lw_cute {
    struct lw_cute_layout layout;
    bool composed; /* swizzle, fixed, offset and pointer are in use */
    struct lw_cute_swizzle swizzle;
    bool fixed; /* the offset is static, written _0 */
    int64_t offset;
    /* A part of a tensor: its first element is at the offset `start`, added before the swizzle. */
    bool part;
    int64_t start; /* 0 when it is no part */
    /* Of a slice of a layout: the offset of its first element, which the layout is without. */
    int64_t left_out;
    /* Not 0: where it starts, in bits, as that is within an element; see lw_cute_recast. */
    int64_t start_bit;
    /* The part of one thread, as partition_A gives it: the number of that thread. */
    bool of_thread;
    int64_t thread; /* 0 unless of_thread */
    /* Of a tensor of coordinates: an or of strides along the axes whose start is not static. */
    int64_t moved;
    int pointer; /* smem_ptr[16b]: the swizzle counts bytes, and an element has 16 bits; 0: none */
    /* NULL: offsets are in memory. Else it is a layout of threads and values (its two modes) whose
     * offsets are elements of a tile of this shape, its first mode fastest. */
    const struct lw_cute_tuple *tile;
    /* NULL: strides are integers. Else they are along these axes; neither composed nor a tile. */
    const struct lw_cute_coords *coords;
    enum lw_cute_role role;
    const char *element; /* of an operand of an atom: "f16"; NULL: unknown */
    /* Of an operand of a tiled MMA or copy: the tiling as a SOURCE, "make_tiled_mma(...)", and
     * which operand, "A", "B", "C", "S" or "D"; NULL: it is none. */
    const char *tiling, *operand;
    /* What is before the layout of a tensor that was printed, and is printed again:
     * "gmem_ptr[16b](0x0)", "ArithTuple(_0,_0)"; NULL: nothing. */
    const char *iterator;
};

/* Which integers an operation treats as known. */
enum lw_cute_rules {
    LW_CUTE_VALUES,  /* all of them; a result is static when all that it was computed from is */
    LW_CUTE_WRITTEN, /* as C++ does: one that is not static is unknown when it is compiled, so fewer
                         modes are merged; a wrong result is refused */
    LW_CUTE_UNCHECKED /* the same, and a wrong result is returned too; LW_ERROR_SHAPE where CuTe
                         does not compile it */
};

/* What operations write to, and how they work. */
struct lw_cute_work {
    struct lw_arena *arena; /* gets the trees of results */
    struct lw_error *err;   /* gets the reason of a failure; or NULL */
    struct lw_text *steps;  /* gets the derivation, one line a step; or NULL */
    enum lw_cute_rules rules;
    const struct lw_cute_coords *coords; /* how errors write strides; NULL: as integers */
};

/* An integer, static when `fixed`. */
struct lw_cute_tuple lw_cute_integer(int64_t value, bool fixed);
/* Whether a tree is an integer, not a tuple or another leaf. */
bool lw_cute_is_integer(const struct lw_cute_tuple *tuple);
/* How many items a tuple has; 1 for an integer. */
int lw_cute_rank(const struct lw_cute_tuple *tuple);
/* Item i of a tuple, below its rank; of an integer the integer itself. */
const struct lw_cute_tuple *lw_cute_item(const struct lw_cute_tuple *tuple, int i);
/* How many integers a tree has; when over LW_CUTE_LEAVES_MAX, any number above that limit. */
int lw_cute_leaves(const struct lw_cute_tuple *tuple);
/* How many levels of tuples a tree has; 0 for an integer. */
int lw_cute_depth(const struct lw_cute_tuple *tuple);
/* The product of all integers; INT64_MAX when that is more. */
int64_t lw_cute_product(const struct lw_cute_tuple *tuple);
/* Whether all integers are static. */
bool lw_cute_all_fixed(const struct lw_cute_tuple *tuple);
/* Whether profiles and leaves are equal, integers static or not. */
bool lw_cute_tuple_equal(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
/* Whether shapes, strides, swizzles, offsets, starts and axes are equal; tile, role, element and
 * thread are ignored. */
bool lw_cute_equal(const struct lw_cute *a, const struct lw_cute *b);

/* Appends a tree: "((2,4),8)". */
void lw_cute_tuple_print(struct lw_text *text, const struct lw_cute_tuple *tuple);
/* Appends a layout: "((2,4),8):((1,16),2)". */
void lw_cute_layout_print(struct lw_text *text, const struct lw_cute_layout *layout);
/* Appends a layout with its swizzle: "Sw<3,4,3> o 0 o (8,64):(64,1)". The tile is not printed. */
void lw_cute_print(struct lw_text *text, const struct lw_cute *cute);

/* ---- Making layouts ---- */

/* A layout of a shape and a stride. Fails with LW_ERROR_SHAPE unless they have one profile, with
 * LW_ERROR_PARAMETER on a size below 1 or a stride below 0, and with LW_ERROR_LIMIT on over
 * LW_CUTE_LEAVES_MAX integers or LW_CUTE_DEPTH_MAX levels. */
bool lw_cute_make(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, struct lw_cute_layout *out);
/* The compact layout of a shape, the leftmost mode fastest (LayoutLeft), or with `right` the
 * rightmost (LayoutRight). Fails as lw_cute_make does. */
bool lw_cute_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                     struct lw_cute_layout *out);
/* A layout whose modes are `count` layouts, in order. */
bool lw_cute_join(struct lw_cute_work *work, const struct lw_cute_layout *layouts, int count,
                  struct lw_cute_layout *out);
/* Mode i of a layout, below its rank; it shares the trees. */
struct lw_cute_layout lw_cute_mode(const struct lw_cute_layout *layout, int i);
/* Whether a swizzle is in range; else fails with LW_ERROR_PARAMETER. */
bool lw_cute_swizzle_check(const struct lw_cute_swizzle *swizzle, struct lw_error *err);
/* A deep copy of a layout into another arena, with tile and coordinates. False when memory is
 * out. */
bool lw_cute_copy(struct lw_arena *arena, struct lw_cute *out, const struct lw_cute *cute);

/* ---- Coordinates: what make_identity_tensor gives, and layouts composed with it ---- */

/* Add all axes before making the first stride: another axis leaves fewer bits for each, which
 * changes the meaning of strides. Source: cute/numeric/arithmetic_tuple.hpp and
 * make_identity_layout of CUTLASS 4. */

/* Adds an axis unless it is there, and sets `bits`. Fails with LW_ERROR_SHAPE at that position
 * when one axis is inside another, and with LW_ERROR_LIMIT on over LW_CUTE_AXES_MAX axes. */
bool lw_cute_coords_add(struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                        struct lw_position position, struct lw_error *err);
/* Sets *stride to the integer of `steps` along an axis that was added. Fails with LW_ERROR_LIMIT
 * unless there are 0 to 2^(bits - 1) - 1 steps. */
bool lw_cute_coords_stride(const struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                           int64_t steps, struct lw_position position, int64_t *stride,
                           struct lw_error *err);
/* Checks a layout whose strides are such integers, as lw_cute_make does; fails with
 * LW_ERROR_LIMIT when a coordinate does not fit its bits. */
bool lw_cute_coords_make(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                         struct lw_cute_layout *layout);
/* The layout that maps each coordinate to itself: ((2,4),8):((_1@0@0,_1@1@0),_1@1); of an integer
 * 8:_1. (make_identity_layout) */
bool lw_cute_identity(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      struct lw_cute *out);
/* A layout with coordinates (`coords` is not NULL) and two modes, as threads and values over the
 * smallest tile that has all of its coordinates; a part of a tensor as the values of one thread,
 * and as values alone where its thread is known or it starts further on than the first element.
 * Fails with LW_ERROR_SHAPE on another number of modes. */
bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *cute,
                            struct lw_cute *out);
/* Appends an axis: "@1@0". */
void lw_cute_axis_print(struct lw_text *text, const struct lw_cute_axis *axis);
/* Appends a stride of coordinates: "(_1@0,2@1)". */
void lw_cute_coords_print(struct lw_text *text, const struct lw_cute_coords *coords,
                          const struct lw_cute_tuple *stride);
/* Appends the coordinate that is the offset `number`: "(3,5)", or "3@1" when there is one axis
 * only; of a part with all axes. */
void lw_cute_coords_print_at(struct lw_text *text, const struct lw_cute *cute, int64_t number);
/* Where a tensor of coordinates starts: "(17,_0)", static where it did not move; of others
 * nothing. */
void lw_cute_coords_print_start(struct lw_text *text, const struct lw_cute *cute);

/* ---- Queries ---- */

/* The number of coordinates: the product of the shape. */
int64_t lw_cute_size(const struct lw_cute_layout *layout);
/* The largest offset plus 1. */
int64_t lw_cute_cosize(const struct lw_cute_layout *layout);
/* The offset of coordinate number `index`, the leftmost mode fastest; beyond the size the last mode
 * continues. */
int64_t lw_cute_offset(const struct lw_cute_layout *layout, int64_t index);
/* The offset of the coordinate (c0, c1, ...), one number for each mode. */
int64_t lw_cute_offset_at(const struct lw_cute_layout *layout, const uint64_t *point);
/* An offset swizzled. */
int64_t lw_cute_swizzled(const struct lw_cute_swizzle *swizzle, int64_t offset);
/* The offset of coordinate number `index` of a layout that may be composed, in elements. */
int64_t lw_cute_apply(const struct lw_cute *cute, int64_t index);
/* lw_cute_apply of an offset in `layout` alone, instead of a coordinate. */
int64_t lw_cute_apply_to(const struct lw_cute *cute, int64_t offset);

/* ---- The algebra ----
 * Each operation fails with LW_ERROR_SHAPE, naming the modes that prevent it, where it has no
 * result. */

/* The same function with the fewest modes. With a `profile` (or NULL) each of its leaves is a
 * mode of A that is coalesced by itself. */
bool lw_cute_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
/* A without modes of size 1 and of stride 0, coalesced. `profile` as for lw_cute_coalesce. */
bool lw_cute_filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
/* A tiler is a tree. A leaf is a layout without a swizzle; an integer n from 1 on, which means
 * n:1; or a blank, which leaves a mode as it is. A tuple has a tiler for each mode. This is the
 * layout of a leaf that is not a blank. */
struct lw_cute_layout lw_cute_tiler_layout(const struct lw_cute_tuple *leaf);
/* A(B(i)), with the profile of B. With a tiler of modes mode by mode; modes of A beyond those are
 * dropped. */
bool lw_cute_composition(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         const struct lw_cute_tuple *b, struct lw_cute_layout *out);
/* The offsets by which A is shifted so that its copies fill `max` offsets, an integer from 1 to
 * LW_CUTE_MAX; NULL: as many as A has without its modes of stride 0. */
bool lw_cute_complement(struct lw_cute_work *work, const struct lw_cute_layout *a,
                        const struct lw_cute_tuple *max, struct lw_cute_layout *out);
/* The largest R with A(R(i)) = i for every i below its size. */
bool lw_cute_right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_layout *out);
/* L with A(L(A(i))) = A(i). Fails when a stride is not a multiple of the next smaller one, and
 * where what the headers compute does not have that property, which two i with the same offset can
 * cause; with LW_ERROR_LIMIT when there are such i among more than 2^20. */
bool lw_cute_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_layout *out);
/* Sets *out to how many elements are contiguous in memory, and in the same order, in both A and
 * B. */
bool lw_cute_max_common_vector(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, int64_t *out);
/* The same layout without nesting. */
bool lw_cute_flatten(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out);
/* The layout of `count` modes of A, by number. Fails with LW_ERROR_PARAMETER on one that A
 * lacks. */
bool lw_cute_select(struct lw_cute_work *work, const struct lw_cute_layout *a, const int64_t *modes,
                    int count, struct lw_cute_layout *out);
/* A with modes `begin` to `end` - 1 made one. Fails with LW_ERROR_PARAMETER on modes that A
 * lacks. */
bool lw_cute_group(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t begin,
                   int64_t end, struct lw_cute_layout *out);
/* A counted in elements that are n times as wide, n from 1 on. */
bool lw_cute_upcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                    struct lw_cute_layout *out);
/* A counted in elements that are n times as narrow; A needs a mode of stride 1. */
bool lw_cute_downcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                      struct lw_cute_layout *out);

/* How the two modes of a quotient or product are arranged. */
enum lw_cute_form {
    LW_CUTE_LOGICAL, /* ((tile, rest), (tile, rest), ...) */
    LW_CUTE_ZIPPED,  /* ((tile, tile, ...), (rest, rest, ...)) */
    LW_CUTE_TILED,   /* ((tile, tile, ...), rest, rest, ...) */
    LW_CUTE_FLAT     /* (tile, tile, ..., rest, rest, ...) */
};
/* A divided by a tiler: each tile, and how the tiles repeat. (logical_divide, zipped_divide,
 * ...) */
bool lw_cute_divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *b, enum lw_cute_form form,
                    struct lw_cute_layout *out);
/* A repeated by the tiler: the block A, and its copies. (logical_product, zipped_product,
 * ...) */
bool lw_cute_multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *b, enum lw_cute_form form,
                      struct lw_cute_layout *out);
/* The copies of A over B, mode by mode: block after block, or with `raked` interleaved.
 * (blocked_product, raked_product) */
bool lw_cute_blocked_product(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, bool raked,
                             struct lw_cute_layout *out);

/* ---- Orders and shapes ---- */

/* A compact layout whose modes are faster the smaller their number in the order is; the order
 * has one number for each mode, or a tuple for the modes in it. Numbers that are not static
 * count as larger than static ones. (make_ordered_layout) */
bool lw_cute_ordered(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *order, struct lw_cute_layout *out);
/* The blocked product of A that has the shape; `order` states which mode it is repeated along
 * first, or NULL. Fails with LW_ERROR_SHAPE when A does not divide the shape. (tile_to_shape) */
bool lw_cute_tile_to_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, const struct lw_cute_tuple *order,
                           struct lw_cute_layout *out);
/* The modes of A and then B as one more mode, or B first with `before`. (append, prepend) */
bool lw_cute_append(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_layout *b, bool before, struct lw_cute_layout *out);
/* A with modes of stride 0 made of size 1, or with a profile those at which it has 0, with all
 * that is in them; fails with LW_ERROR_SHAPE unless A has a tuple of as many modes where the
 * profile has a tuple. (filter_zeros) */
bool lw_cute_filter_zeros(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          const struct lw_cute_tuple *profile, struct lw_cute_layout *out);

/* ---- Units ---- */

/* The same layout with its swizzle counted in elements, without smem_ptr. Fails with
 * LW_ERROR_UNSUPPORTED when no swizzle of elements is equal. */
bool lw_cute_in_elements(const struct lw_cute *cute, struct lw_cute *out, struct lw_error *err);
/* The same layout with its swizzle counted in bytes, with smem_ptr[`bits`b]; `bits` 0: those
 * that it has. Fails with LW_ERROR_UNSUPPORTED when no swizzle of bytes is equal, with
 * LW_ERROR_SHAPE when it has other bits, and with LW_ERROR_PARAMETER unless they are 1 to 1024. */
bool lw_cute_in_bytes(const struct lw_cute *cute, int bits, struct lw_cute *out,
                      struct lw_error *err);
/* The layout of the same memory in elements of `to` bits instead of `from` bits, 1 to 1024 each.
 * With LW_CUTE_UNCHECKED a part may start within an element: `start` is 0 then. */
bool lw_cute_recast(struct lw_cute_work *work, const struct lw_cute *cute, int64_t from, int64_t to,
                    struct lw_cute *out);

/* ---- Maps ---- */

/* Whether a layout with a tile (`tile` is not NULL) is one of threads and values that stay
 * within it; else fails. */
bool lw_cute_tile_check(const struct lw_cute *cute, struct lw_error *err);
/* Appends a layout of threads and values, which has a tile, with strides along its axes, as CuTe
 * prints it composed with the tile's coordinates: ((_4,_8),_2):((_2@1,_1@0),_1@1). Fails when a
 * stride is along no axis. */
bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err);
/* The map of a layout. With a tile it is of threads and values over it, the first dim fastest:
 * (register, lane, warp, block) -> (dim0, dim1, ...) when it is linear, with warps of `lanes`; else
 * (local, thread) -> (dim0, dim1, ...). Without one as lw_cute_to_map. Fails as lw_map_from_strides
 * does. */
bool lw_cute_map(const struct lw_cute *cute, uint64_t lanes, struct lw_map *map,
                 struct lw_error *err);

/* Memory: (offset) -> (dim0, dim1, ...), one out-dim for each mode. A linear map when it is a
 * linear layout, else a strided one, in which two coordinates may share an offset (map.h). Fails
 * with LW_ERROR_LIMIT on over LW_RANK_MAX modes, and as lw_map_from_strides does. */
bool lw_cute_to_map(const struct lw_cute *cute, struct lw_map *map, struct lw_error *err);

/* ---- Shapes, coordinates and indices ----
 * Arithmetic of trees of integers: shape_div((4,5,6), 40) is (1,1,3). An integer of a result is
 * static by the rules of CuTe: a sum when both are, a product also when one is the static 0. Each
 * fails with LW_ERROR_SHAPE where ranks differ. Source: int_tuple.hpp, stride.hpp and
 * tuple_algorithms.hpp of CUTLASS 4. */

/* Whether two trees have one profile. (congruent) */
bool lw_cute_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
/* Whether the profile of B is that of A, where integers of A may be any tree of B.
 * (weakly_congruent) */
bool lw_cute_weakly_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
/* The same, with equal sizes: coordinates of A are coordinates of B. (compatible) */
bool lw_cute_compatible(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);

/* The product of all integers. (product, size) */
bool lw_cute_product_of(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        struct lw_cute_tuple *out);
/* The product of each item. (product_each) */
bool lw_cute_product_each(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          struct lw_cute_tuple *out);
/* A divided by B: by items, or by an integer from the left on; rounded up. (ceil_div) */
bool lw_cute_ceil_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
/* The same, where one number must divide the other; else it fails, unless the rules are
 * LW_CUTE_UNCHECKED and one of them is not static. (shape_div) */
bool lw_cute_shape_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       const struct lw_cute_tuple *b, struct lw_cute_tuple *out);

/* The index of a coordinate: in a shape with a stride, or, where that is NULL, its number, the
 * leftmost mode fastest. Nothing is checked against the shape, as in CuTe. (crd2idx) */
bool lw_cute_crd2idx(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out);
/* The coordinate of an index: (index / stride) % shape for each integer; without a stride that of a
 * number, whose last mode is not bounded. (idx2crd) */
bool lw_cute_idx2crd(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out);
/* The coordinate in the shape `to` that has the number of one in the shape `from`. (crd2crd) */
bool lw_cute_crd2crd(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *from, const struct lw_cute_tuple *to,
                     struct lw_cute_tuple *out);

/* No tuples in the tuple. (flatten) */
bool lw_cute_flatten_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                           struct lw_cute_tuple *out);
/* Items `begin` to `end` - 1 as one. (group) Fails with LW_ERROR_PARAMETER where A has fewer. */
bool lw_cute_group_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a, int64_t begin,
                         int64_t end, struct lw_cute_tuple *out);
/* `count` items of A by number. (select, take, get) Fails as lw_cute_group_tuple does. */
bool lw_cute_select_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const int64_t *items, int count, struct lw_cute_tuple *out);
/* A with one more item, at the front or at the end. (append, prepend) */
bool lw_cute_append_tuple(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *item, bool front, struct lw_cute_tuple *out);

/* ---- As an encoding ---- */

struct lw_encoding; /* encoding.h */

/* The encoding `cute` of a layout, in the arena; NULL when memory is out. */
struct lw_encoding *lw_cute_to_encoding(struct lw_arena *arena, const struct lw_cute *cute);
/* The layout of an encoding `cute`, in the arena. False with the code LW_OK when it is another
 * encoding; else false with the reason when its parameters are not legal. */
bool lw_cute_of_encoding(struct lw_arena *arena, const struct lw_encoding *encoding,
                         struct lw_cute *cute, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
