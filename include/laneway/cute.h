#ifndef LANEWAY_CUTE_H
#define LANEWAY_CUTE_H

/*
 * CuTe layouts: nested shapes and strides, swizzles, and their algebra.
 *
 * A layout is a shape and a stride, trees of integers of the same profile. It maps a coordinate to
 * an offset: each integer of the coordinate times its stride, summed. A number stands for a
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
 * An integer may be spelled _3: CuTe knows it when compiling. The spelling is kept and printed, and
 * a result is spelled so when all that it was computed from is; nothing else depends on it, but that
 * the stride of a _1 that was not said is _0.
 *
 * Trees live in an arena (arena.h) and are never changed, so results share them freely.
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

#define LW_CUTE_LEAVES_MAX 1024
#define LW_CUTE_DEPTH_MAX 64
#define LW_CUTE_MOST ((int64_t)1 << 62) /* sizes, strides, offsets and sums of them */

struct lw_cute_tuple {
    int count;                         /* -1: an integer; else how many items */
    bool fixed;                        /* the integer is spelled _3 */
    int64_t value;                     /* of an integer */
    const struct lw_cute_tuple *items; /* of a tuple */
    struct lw_place place;             /* in the text that it came from */
};

struct lw_cute_layout {
    struct lw_cute_tuple shape;  /* integers from 1 on */
    struct lw_cute_tuple stride; /* the same profile; integers from 0 on */
};

struct lw_cute_swizzle {
    int bits, base, shift; /* 0 to 30 each, shift may be negative; |shift| >= bits */
};

/* A coordinate of a shape: of ((2,4),8) the 4 is at 0, 1 and spelled @1@0, the innermost first. */
#define LW_CUTE_AXIS_DEPTH 4
#define LW_CUTE_AXIS_MOST 7 /* the largest place */
struct lw_cute_axis {
    int depth, at[LW_CUTE_AXIS_DEPTH];
};

/* The coordinates that strides such as 2@1 are of, in the order of the shape: v steps along axis i are
 * the integer v 2^(bits i). */
#define LW_CUTE_AXES_MAX 8
struct lw_cute_coords {
    int count; /* of axes, from 1 on once one was added */
    int bits;  /* of each, 62 / count */
    struct lw_cute_axis axis[LW_CUTE_AXES_MAX];
};

/* What a layout is, where the name of an atom of CuTe told it. */
enum lw_cute_role {
    LW_CUTE_ROLE_NONE,
    LW_CUTE_ROLE_A, /* an operand of a product, in registers */
    LW_CUTE_ROLE_B,
    LW_CUTE_ROLE_C,
    LW_CUTE_ROLE_MEMORY, /* an operand that the instruction finds itself, in shared or tensor memory */
    LW_CUTE_ROLE_BITS, /* of a copy: threads and bits */
    LW_CUTE_ROLE_QUAD_PAIR /* an operand of eight lanes in two groups of four: thread 4 is lane 16 of a warp */
};
/* "A", "B", "C", "memory", "bits", "quad pair"; NULL of none. */
const char *lw_cute_role_name(enum lw_cute_role role);

struct lw_cute {
    struct lw_cute_layout layout;
    bool composed; /* there are a swizzle and an offset */
    struct lw_cute_swizzle swizzle;
    bool fixed; /* the offset is spelled _0 */
    int64_t offset;
    int pointer; /* smem_ptr[16b]: the swizzle counts bytes and an element has so many bits; 0: none */
    /* NULL: offsets in memory. Else it is a layout of threads and values (its two modes) whose offsets
     * are elements of a tile of that shape, its first mode fastest. */
    const struct lw_cute_tuple *tile;
    /* NULL: strides are integers. Else they are of these coordinates; neither composed nor a tile. */
    const struct lw_cute_coords *coords;
    enum lw_cute_role role;
    const char *element; /* of an operand of an atom: "f16"; NULL: not known */
};

/* What divides or tiles a layout: a layout, nothing (`_`: leave this mode alone), or one of these
 * for each mode. */
struct lw_cute_tiler {
    enum { LW_CUTE_TILER_NONE, LW_CUTE_TILER_LAYOUT, LW_CUTE_TILER_MODES } kind;
    struct lw_cute_layout layout;
    bool integer; /* the layout was written as a number n: n:1 */
    int count;
    const struct lw_cute_tiler *modes;
};

/* Where operations put what they make and say what is wrong. */
struct lw_cute_work {
    struct lw_arena *arena;
    struct lw_error *err;
    struct lw_text *steps; /* NULL, or the derivation, a line a step */
    bool rounds;           /* a step that does not divide is rounded up, as CuTe does */
};

struct lw_cute_tuple lw_cute_integer(int64_t value, bool fixed);
bool lw_cute_is_integer(const struct lw_cute_tuple *tuple);
/* 1 of an integer. */
int lw_cute_rank(const struct lw_cute_tuple *tuple);
/* Item i; of an integer itself. */
const struct lw_cute_tuple *lw_cute_item(const struct lw_cute_tuple *tuple, int i);
int lw_cute_leaves(const struct lw_cute_tuple *tuple);
int lw_cute_depth(const struct lw_cute_tuple *tuple);
int64_t lw_cute_product(const struct lw_cute_tuple *tuple);
bool lw_cute_all_fixed(const struct lw_cute_tuple *tuple);
/* Equal numbers in equal profiles, however spelled. */
bool lw_cute_tuple_equal(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
bool lw_cute_equal(const struct lw_cute *a, const struct lw_cute *b);

/* "((2,4),8)", "Sw<3,4,3> o 0 o (8,64):(64,1)". */
void lw_cute_tuple_print(struct lw_text *text, const struct lw_cute_tuple *tuple);
void lw_cute_layout_print(struct lw_text *text, const struct lw_cute_layout *layout);
void lw_cute_print(struct lw_text *text, const struct lw_cute *cute);

/* ---- Making layouts ---- */

/* Checks that the profiles agree, sizes are at least 1, strides not negative, nothing over
 * LW_CUTE_MOST; the error's place is that of the offending piece. */
bool lw_cute_make(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, struct lw_cute_layout *out);
/* The strides that make it compact, leftmost fastest, or `right`most (LayoutRight). */
bool lw_cute_compact(struct lw_cute_work *work, const struct lw_cute_tuple *shape, bool right,
                     struct lw_cute_layout *out);
/* Each layout one mode of the result. */
bool lw_cute_join(struct lw_cute_work *work, const struct lw_cute_layout *layouts, int count,
                  struct lw_cute_layout *out);
/* Mode i. */
struct lw_cute_layout lw_cute_mode(const struct lw_cute_layout *layout, int i);
bool lw_cute_swizzle_check(const struct lw_cute_swizzle *swizzle, struct lw_error *err);
/* A deep copy into another arena; false when memory is out. */
bool lw_cute_copy(struct lw_arena *arena, struct lw_cute *out, const struct lw_cute *cute);

/* ---- Coordinates: what make_identity_tensor gives, and layouts composed with it ---- */

/* Add all axes before the first stride is made: another axis leaves each fewer bits, and strides that were
 * made before would then mean others. LW_ERROR_SHAPE: coordinates that do not go together; LW_ERROR_LIMIT:
 * no room for them. Source: cute/numeric/arithmetic_tuple.hpp and make_identity_layout of CUTLASS 4. */

/* Adds an axis, or finds it there; refused when one holds another. Sets how many bits each has. */
bool lw_cute_coords_add(struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                        struct lw_place place, struct lw_error *err);
/* `steps` along an axis that was added, from 0 to 2^(bits - 1) - 1, as an integer. */
bool lw_cute_coords_stride(const struct lw_cute_coords *coords, const struct lw_cute_axis *axis,
                           int64_t steps, struct lw_place place, int64_t *stride,
                           struct lw_error *err);
/* lw_cute_make of strides of coordinates: they must have room in their bits. */
bool lw_cute_coords_make(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                         struct lw_cute_layout *layout);
/* ((2,4),8):((_1@0@0,_1@1@0),_1@1): each coordinate to itself; of an integer 8:_1. */
bool lw_cute_identity(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                      struct lw_cute *out);
/* Two modes as threads and values over the least tile that has all of their coordinates. */
bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *cute,
                            struct lw_cute *out);
/* "@1@0"; "(_1@0,2@1)"; the coordinate that an offset is, "(3,5)", of one axis only "3@1". */
void lw_cute_axis_print(struct lw_text *text, const struct lw_cute_axis *axis);
void lw_cute_coords_print(struct lw_text *text, const struct lw_cute_coords *coords,
                          const struct lw_cute_tuple *stride);
void lw_cute_coords_print_at(struct lw_text *text, const struct lw_cute *cute, int64_t number);

/* ---- Asking ---- */

int64_t lw_cute_size(const struct lw_cute_layout *layout);
/* The last offset plus 1. */
int64_t lw_cute_cosize(const struct lw_cute_layout *layout);
/* The offset of coordinate number `index`, leftmost fastest; past the end the last mode goes on. */
int64_t lw_cute_offset(const struct lw_cute_layout *layout, int64_t index);
/* The offset of (c0, c1, ...), one number for each mode. */
int64_t lw_cute_offset_at(const struct lw_cute_layout *layout, const uint64_t *point);
int64_t lw_cute_swizzled(const struct lw_cute_swizzle *swizzle, int64_t offset);
/* Of a composed layout with its offset and swizzle, in elements. */
int64_t lw_cute_apply(const struct lw_cute *cute, int64_t index);

/* ---- The algebra. Each fails with a message that names the modes in the way. ---- */

/* `profile`: NULL, or a tree at whose leaves it is done; so for filter. */
bool lw_cute_coalesce(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
bool lw_cute_filter(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
/* A(B(i)), of the profile of B. By modes: those of A that B does not name are dropped. */
bool lw_cute_composition(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         const struct lw_cute_tiler *b, struct lw_cute_layout *out);
/* What is left of a codomain of `most` offsets. */
bool lw_cute_complement(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t most,
                        struct lw_cute_layout *out);
bool lw_cute_right_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_layout *out);
bool lw_cute_left_inverse(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_layout *out);
bool lw_cute_max_common_vector(struct lw_cute_work *work, const struct lw_cute_layout *a,
                               const struct lw_cute_layout *b, int64_t *out);
bool lw_cute_flatten(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out);
bool lw_cute_select(struct lw_cute_work *work, const struct lw_cute_layout *a, const int64_t *modes,
                    int count, struct lw_cute_layout *out);
/* Modes from `begin` to `end` - 1 become one. */
bool lw_cute_group(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t begin,
                   int64_t end, struct lw_cute_layout *out);
/* The same offsets counted in elements n times as wide, or narrower. */
bool lw_cute_upcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                    struct lw_cute_layout *out);
bool lw_cute_downcast(struct lw_cute_work *work, const struct lw_cute_layout *a, int64_t n,
                      struct lw_cute_layout *out);

/* How the two modes of a quotient or product are arranged. */
enum lw_cute_form {
    LW_CUTE_LOGICAL, /* ((tile, rest), (tile, rest), ...) */
    LW_CUTE_ZIPPED,  /* ((tile, tile, ...), (rest, rest, ...)) */
    LW_CUTE_TILED,   /* ((tile, tile, ...), rest, rest, ...) */
    LW_CUTE_FLAT     /* (tile, tile, ..., rest, rest, ...) */
};
bool lw_cute_divide(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_tiler *b, enum lw_cute_form form,
                    struct lw_cute_layout *out);
bool lw_cute_multiply(struct lw_cute_work *work, const struct lw_cute_layout *a,
                      const struct lw_cute_tiler *b, enum lw_cute_form form,
                      struct lw_cute_layout *out);
/* The tiles of A over B, block by block, or interleaved. */
bool lw_cute_blocked_product(struct lw_cute_work *work, const struct lw_cute_layout *a,
                             const struct lw_cute_layout *b, bool raked,
                             struct lw_cute_layout *out);

/* ---- cute_order.c ---- */

/* A compact layout whose modes are the faster the less their number in the order is, a number for each mode
 * or, in a tuple, for the modes in it. Beside numbers spelled _3 plain ones count as larger. */
bool lw_cute_ordered(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *order, struct lw_cute_layout *out);
/* The blocked product of A that has the shape; `order`, or NULL: which mode it is repeated along first.
 * Fails when A does not divide the shape. */
bool lw_cute_tile_to_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           const struct lw_cute_tuple *shape, const struct lw_cute_tuple *order,
                           struct lw_cute_layout *out);
/* The modes of A, and B as one more after them, or before. */
bool lw_cute_append(struct lw_cute_work *work, const struct lw_cute_layout *a,
                    const struct lw_cute_layout *b, bool before, struct lw_cute_layout *out);
/* Modes of stride 0 get size 1. */
bool lw_cute_filter_zeros(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_layout *out);

/* ---- Units ---- */

/* The swizzle of a composed layout counted in elements (no smem_ptr), or in bytes with
 * smem_ptr[`bits`b]. Fails when no swizzle says it. `bits` 0: those of its smem_ptr. */
bool lw_cute_in_elements(const struct lw_cute *cute, struct lw_cute *out, struct lw_error *err);
bool lw_cute_in_bytes(const struct lw_cute *cute, int bits, struct lw_cute *out,
                      struct lw_error *err);
/* The same with elements of other sizes: from `from` bits to `to` bits. */
bool lw_cute_recast(struct lw_cute_work *work, const struct lw_cute *cute, int64_t from, int64_t to,
                    struct lw_cute *out);

/* ---- Maps ---- */

/* Whether the tile is one of a layout of threads and values. */
bool lw_cute_tile_check(const struct lw_cute *cute, struct lw_error *err);
/* Appends a layout of threads and values with strides in its tile, as CuTe prints it composed with
 * the tile's coordinates: ((_4,_8),_2):((_2@1,_1@0),_1@1). */
bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err);
/* Either of the two below, as it has a tile or none. */
bool lw_cute_map(const struct lw_cute *cute, uint64_t lanes, struct lw_map *map,
                 struct lw_error *err);

/* Memory: (offset) -> (dim0, dim1, ...), a dim for each mode. A linear map when it is a linear
 * layout; else a strided one. Two coordinates may share an offset (map.h says what then). */
bool lw_cute_to_map(const struct lw_cute *cute, struct lw_map *map, struct lw_error *err);
/* A (thread, value) layout of a tile, the tile's first dim fastest: (register, lane, warp, block) ->
 * (dim0, dim1, ...) when it is linear, else (local, thread) -> .... */
bool lw_cute_tv_to_map(const struct lw_cute_layout *layout, const uint64_t *tile, int rank,
                       uint64_t lanes, struct lw_map *map, struct lw_error *err);

/* ---- As an encoding ---- */

struct lw_encoding;

/* The encoding `cute` of that layout, in the arena; NULL when memory is out. */
struct lw_encoding *lw_cute_to_encoding(struct lw_arena *arena, const struct lw_cute *cute);
/* Back; false, and code LW_OK, when it is another encoding. */
bool lw_cute_of_encoding(struct lw_arena *arena, const struct lw_encoding *encoding,
                         struct lw_cute *cute, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
