#ifndef LANEWAY_CUTE_H
#define LANEWAY_CUTE_H

/*
 * CuTe layouts: nested shapes and strides, swizzles, and their algebra. A layout is a shape and a
 * stride, trees of integers of the same profile. It maps a coordinate to an offset: the sum of each
 * integer of the coordinate times its stride. A single number is a coordinate too, the leftmost
 * mode fastest:
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
 * Strides may be along axes, 2@1: then offsets are coordinates, (3,5), and an offset that is added
 * to another is added number by number.
 *
 * An integer written _3 is static: CuTe has it at compile time. That is kept and printed. Which
 * integers the algebra treats as known is chosen by enum lw_cute_rules.
 *
 * Trees live in an arena (arena.h) and are never changed, so results share them. An operation takes
 * a struct lw_cute_work, which has the arena and the error, and a layout to fill:
 *
 *     struct lw_cute_work work = {.arena = &arena, .err = &err};
 *     lw_cute_complement(&work, &a, &max, &out)          of 4:2 and 24 it is (2,3):(1,8)
 *
 * Common to all operations are the failures LW_ERROR_MEMORY and LW_ERROR_LIMIT, on numbers over
 * LW_CUTE_MAX; what is in `out` after a failure is undefined. The error's position is that of
 * the mode that causes it, if it came from text.
 *
 * Source: include/cute/layout.hpp, layout_composed.hpp and swizzle_layout.hpp of CUTLASS 4. Each
 * operation agrees with the one of that name wherever that one is right. A composition that is not
 * the function A(B(i)) is refused here, where the headers check less.
 */

#include "laneway/map.h"

LW_BEGIN

/* ---- Trees ---- */

#define LW_CUTE_LEAVES_MAX 1024        /* integers of one shape */
#define LW_CUTE_DEPTH_MAX 64           /* levels of a tree */
#define LW_CUTE_MAX ((int64_t)1 << 62) /* sizes, strides, offsets and sums of them */

/* What a leaf of a tree is: `_`; LayoutLeft, with the value 0, or LayoutRight, with 1. Shapes and
 * strides have integers only; the others are in tilers and in values of the calculator (calc.h). */
enum lw_cute_leaf { LW_CUTE_INTEGER, LW_CUTE_BLANK, LW_CUTE_ORDER, LW_CUTE_LAYOUT };

#define LW_CUTE_AXIS_DEPTH 4 /* levels of a coordinate */
#define LW_CUTE_AXIS_MAX 7   /* the largest index on a level */
#define LW_CUTE_AXES_MAX 8   /* axes of one layout */

/* A tree: a leaf, or a tuple of trees. */
struct lw_cute_tuple {
    int count;              /* -1: a leaf; else how many items */
    enum lw_cute_leaf leaf; /* what a leaf is */
    int64_t value;          /* of an integer */
    union {
        const struct lw_cute_tuple *items; /* of a tuple, `count` of them */
        const struct lw_cute *layout;      /* of a layout */
    };
    struct lw_position position; /* in the text that it came from; line 0: none */
    /* Of an integer along an axis, 3@1@0: the index + 1 on each level, 4 bits each, that of the
     * outermost level in the low bits; 0: it is a number. */
    unsigned short axis;
    bool fixed; /* a static integer, _3 */
};

/* A layout. */
struct lw_cute_layout {
    struct lw_cute_tuple shape;  /* integers from 1 on */
    struct lw_cute_tuple stride; /* of the same profile; integers, all along axes or none */
};

/* The swizzle Sw<bits,base,shift>. */
struct lw_cute_swizzle {
    int bits, base, shift; /* 0 to 30 each; shift may be negative; |shift| >= bits */
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
    int pointer; /* smem_ptr[16b]: the swizzle counts bytes, and an element has 16 bits; 0: none */
    bool part;   /* of a tensor: its first element is at `start`, or at `origin` */
    int64_t start; /* an offset that is added before the swizzle; 0 when it is no part */
    const struct lw_cute_tuple *origin; /* where a tensor of coordinates begins; NULL: it is none */
    int64_t left_out; /* of a slice: the offset of its first element, which `layout` is without */
    bool of_thread;   /* the part of one thread, as partition_A gives it */
    int64_t thread;   /* its number; 0 unless of_thread */
    /* NULL: offsets are in memory. Else it is a layout of threads and values (its two modes) whose
     * offsets are elements of a tile of this shape, its first mode fastest. */
    const struct lw_cute_tuple *tile;
    enum lw_cute_role role;
    const char *element; /* of an operand of an atom: "f16"; NULL: unknown */
    /* Of an operand of a tiled MMA or copy: the tiling as a SOURCE, "make_tiled_mma(...)", and
     * which operand, "A", "B", "C", "S" or "D"; NULL: it is none. */
    const char *tiling, *operand;
    bool tensor; /* of coordinates: printed with its origin, ArithTuple(0,3) o (4,8):(_1@0,_1@1) */
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
};

struct lw_cute_tuple lw_cute_integer(int64_t value, bool fixed); /* static when `fixed` */
/* A tuple of `count` items, which are borrowed. */
struct lw_cute_tuple lw_cute_tuple_of(const struct lw_cute_tuple *items, int count);
/* How many items a tuple has; 1 for an integer. */
int lw_cute_rank(const struct lw_cute_tuple *tuple);
/* Item i of a tuple, below its rank; of an integer the integer itself. */
const struct lw_cute_tuple *lw_cute_item(const struct lw_cute_tuple *tuple, int i);
/* The product of all integers; INT64_MAX when that is more. */
int64_t lw_cute_product(const struct lw_cute_tuple *tuple);
/* Whether shapes, strides, swizzles, offsets and starts are equal; tile, role, element and
 * thread are ignored. */
bool lw_cute_equal(const struct lw_cute *a, const struct lw_cute *b);
/* Whether offsets are coordinates, not numbers. */
bool lw_cute_is_of_coordinates(const struct lw_cute *cute);

/* Appends a tree: "((2,4),8)", "(_1@0,2@1)", "(_,3)". */
void lw_cute_tuple_print(struct lw_text *text, const struct lw_cute_tuple *tuple);
/* Appends a layout: "((2,4),8):((1,16),2)". */
void lw_cute_layout_print(struct lw_text *text, const struct lw_cute_layout *layout);
/* Appends a layout with its swizzle: "Sw<3,4,3> o 0 o (8,64):(64,1)", or with what it begins at:
 * "ArithTuple(17,_0) o (4,8):(_1@0,_1@1)"; with a tile "thread_value((4,2):(2,1), 8)". */
void lw_cute_print(struct lw_text *text, const struct lw_cute *cute);

/* ---- Making layouts ---- */

/* A layout of a shape and a stride. Fails with LW_ERROR_SHAPE unless they have one profile, and
 * where one axis is inside another; with LW_ERROR_PARAMETER on a size below 1; with LW_ERROR_LIMIT
 * on over LW_CUTE_LEAVES_MAX integers or LW_CUTE_DEPTH_MAX levels. */
bool lw_cute_make(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, struct lw_cute_layout *out);
/* The compact layout of a shape, the leftmost mode fastest (LayoutLeft), or with `right` the
 * rightmost (LayoutRight). Fails as lw_cute_make does. */
bool lw_cute_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                     struct lw_cute_layout *out);

/* ---- Queries ---- */

/* The number of coordinates: the product of the shape. */
int64_t lw_cute_size(const struct lw_cute_layout *layout);
/* The largest offset plus 1, of offsets that are numbers; a negative stride counts as positive. */
int64_t lw_cute_cosize(const struct lw_cute_layout *layout);
/* The offset of coordinate number `index`, the leftmost mode fastest; beyond the size the last mode
 * continues. */
int64_t lw_cute_offset(const struct lw_cute_layout *layout, int64_t index);
int64_t lw_cute_swizzled(const struct lw_cute_swizzle *swizzle, int64_t offset); /* an offset */
/* The offset of coordinate number `index` of a layout that may be composed, in elements. */
int64_t lw_cute_apply(const struct lw_cute *cute, int64_t index);

/* ---- The algebra ----
 * Each operation fails with LW_ERROR_SHAPE, naming the modes that prevent it, where it has no
 * result. */

/* The same function with the fewest modes. With a `profile` (or NULL) each of its leaves is a
 * mode of A that is coalesced by itself. */
bool lw_cute_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
/* The composition A(B(i)) by a tiler: a tree. A leaf is a layout without a swizzle; an integer n
 * from 1 on, which means n:1; or a blank, which leaves a mode as it is. A tuple has a tiler for
 * each mode; modes of A beyond those are dropped. */
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

/* How the two modes of a quotient or product are arranged. */
enum lw_cute_form {
    LW_CUTE_LOGICAL, /* ((tile, rest), (tile, rest), ...) */
    LW_CUTE_ZIPPED,  /* ((tile, tile, ...), (rest, rest, ...)) */
    LW_CUTE_TILED,   /* ((tile, tile, ...), rest, rest, ...) */
    LW_CUTE_FLAT     /* (tile, tile, ..., rest, rest, ...) */
};
/* A divided by a tiler: each tile, how tiles repeat. (logical_divide, zipped_divide, ...) */
bool lw_cute_divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *b, enum lw_cute_form form,
                    struct lw_cute_layout *out);
/* A repeated by the tiler: the block A, and its copies. (logical_product, zipped_product, ...) */
bool lw_cute_multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *b, enum lw_cute_form form,
                      struct lw_cute_layout *out);
/* The copies of A over B, mode by mode: block after block, or with `raked` interleaved.
 * (blocked_product, raked_product) */
bool lw_cute_blocked_product(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, bool raked,
                             struct lw_cute_layout *out);

/* The same layout with its swizzle counted in elements, without smem_ptr. Fails with
 * LW_ERROR_UNSUPPORTED when no swizzle of elements is equal. */
bool lw_cute_in_elements(const struct lw_cute *cute, struct lw_cute *out, struct lw_error *err);
/* The same layout with its swizzle counted in bytes, with smem_ptr[`bits`b]; `bits` 0: those
 * that it has. Fails with LW_ERROR_UNSUPPORTED when no swizzle of bytes is equal, with
 * LW_ERROR_SHAPE when it has other bits, and with LW_ERROR_PARAMETER unless they are 1 to 1024. */
bool lw_cute_in_bytes(const struct lw_cute *cute, int bits, struct lw_cute *out,
                      struct lw_error *err);

/* ---- Maps and encodings ---- */

struct lw_encoding; /* encoding.h */

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

/* The encoding `cute` of a layout, in the arena; NULL when memory is out. */
struct lw_encoding *lw_cute_to_encoding(struct lw_arena *arena, const struct lw_cute *cute);
/* The layout of an encoding `cute`, in the arena. False with the code LW_OK when it is another
 * encoding; else false with the reason when its parameters are not legal. */
bool lw_cute_of_encoding(struct lw_arena *arena, const struct lw_encoding *encoding,
                         struct lw_cute *cute, struct lw_error *err);

LW_END

#endif
