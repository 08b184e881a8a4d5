#ifndef LANEWAY_MAP_H
#define LANEWAY_MAP_H

/*
 * Maps: the narrow waist.
 *
 * Everything that a user can name becomes a map: a function from named input dims to named output
 * dims. Everything that draws, analyses or exports takes a map and nothing else. Two questions
 * suffice, and both are answered in closed form, so a map over 2^40 points is as quick as a small
 * one:
 *
 *     apply:   which element is at this place?        (register, lane, warp, block) -> (dim0, dim1)
 *     owners:  which places hold this element?        (dim0, dim1) -> none, one or many
 *
 * There are five kinds. A LINEAR map is a linear layout (layout.h) made ready to be asked backward.
 * A MIXED-RADIX map has any sizes: every index is written in digits of mixed radix, and each digit
 * (a "mode") moves from one place of an input to one place of an output:
 *
 *     local(3, 4).spatial(2, 3): index (i, j) of 6 x 12 has the digits i/2, i%2, j/3, j%3,
 *     of radix 3, 2, 4, 3; local = (i/2)*4 + j/3, thread = (i%2)*3 + j%3
 *
 * A mode that has no output replicates: all its values hold the same element.
 *
 * A PADDED map is a linear layout of memory in which elements were moved apart: after every 2
 * elements 1 is left free, after every 4 elements 2 more. Its offsets count what is left free too,
 * so there are holes, places that hold nothing:
 *
 *     offset   0  1  2  3  4  5  6  7  8  9
 *     holds    e0 e1 -  e2 e3 -  -  -  e4 e5
 *
 * A TABLE map is a matrix of thread numbers laid over a tensor again and again. A tensor that is
 * longer than the matrix starts over, which takes more registers; one that is shorter folds the
 * matrix, and an element has several owners:
 *
 *     0 1    on 2 x 4:  0 1 0 1     on 1 x 2:  {0,2} {1,3}
 *     2 3               2 3 2 3
 *
 * A STRIDED map is a function by sums: each digit of a point of one side is worth its stride, and the
 * sum, plus a constant and swizzled, is the point of the other side. In memory the digits are those
 * of the element and make the offset; of threads those of the place make the element (its first dim
 * fastest). These are the layouts of CuTe that are no linear ones. Offsets that no element makes are
 * holes:
 *
 *     (3,2):(2,8)    offset   0     1  2     3  4     5  6  7  8     9  10    11 12
 *                    holds   (0,0)  - (1,0)  - (2,0)  -  -  - (0,1)  - (1,1)  - (2,1)
 *
 * Of memory two elements may make the same offset, as in (4,2):(1,0). Then owners answers for every
 * element, but what is at that place has no one answer: apply yields the first of them, and
 * lw_map_check_places fails and names two.
 *
 * The usual names: register, lane, warp, block -> dim0, dim1, ... for tensors in registers (Triton);
 * offset, block -> dim0, ... for tensors in shared memory; local, thread -> dim0, ... (tilus).
 */

#include "laneway/layout.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_map_kind { LW_MAP_LINEAR, LW_MAP_MIXED, LW_MAP_PADDED, LW_MAP_TABLE, LW_MAP_STRIDED };

#define LW_MODES_MAX 64
#define LW_PADDINGS_MAX 32
#define LW_CELLS_MAX 1024 /* a block has at most that many threads */

/* One digit: value d = (in[in_dim] / in_stride) % size, worth d * out_stride in out[out_dim]. */
struct lw_mode {
    uint64_t size;
    uint64_t in_stride;
    uint64_t out_stride;
    int in_dim;
    int out_dim; /* -1: the digit replicates */
};

/* `size` elements are left free after every `interval`, but for the last. */
struct lw_padding {
    uint64_t interval; /* a power of two */
    uint64_t size;
};

/* One digit: value d = (point[dim] / worth) % size, worth d * stride in the sum. */
struct lw_stride {
    uint64_t size;
    uint64_t stride;
    uint64_t worth;
    int dim;
};

struct lw_strides {
    bool memory; /* the digits are of the output and make the (one) input; else the other way */
    int count;
    struct lw_stride mode[LW_MODES_MAX];
    uint64_t constant;
    int bits, base, shift; /* xors `bits` bits from base + shift on into those from base on */
};

struct lw_map {
    enum lw_map_kind kind;
    struct lw_dims in;
    struct lw_dims out;
    union {
        struct {
            struct lw_layout layout;
            struct lw_solver solver;
        } linear;
        struct {
            int count;
            struct lw_mode mode[LW_MODES_MAX];
        } mixed;
        struct {
            struct lw_layout layout; /* without padding */
            struct lw_solver solver;
            int dim; /* the input dim with the padding */
            int count;
            struct lw_padding padding[LW_PADDINGS_MAX];
            uint64_t weight[LW_BITS_MAX]; /* the padded offset of each bit of the offset */
        } padded;
        struct {
            uint32_t threads;
            uint32_t each;                /* cells of one thread */
            uint32_t copies;              /* threads (or registers) that hold one element */
            uint64_t shape[LW_DIMS_MAX];  /* of the matrix, folded */
            uint16_t cell[LW_CELLS_MAX];  /* of place thread * each + register */
            uint16_t place[LW_CELLS_MAX]; /* of cell * copies + copy */
        } table;
        struct {
            struct lw_strides sum; /* the longest stride first */
            uint64_t copies;       /* places of an element */
            bool shared;           /* two elements are at one place: */
            uint64_t twins[2][LW_DIMS_MAX];
        } strided;
    } as;
};

/* A map of a linear layout. */
void lw_map_from_layout(struct lw_map *map, const struct lw_layout *layout);
/* A mixed-radix map. The modes of each dim must be exactly its digits: sorted by stride they are
 * 1, size, size * next size, ..., the dim's size. Fails otherwise, and on over LW_MODES_MAX modes
 * or over 2^63 points. */
bool lw_map_from_modes(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                       const struct lw_mode *modes, int count, struct lw_error *err);
/* A padded map: the dim `dim` of the layout, which must hold each element once, is moved apart.
 * Fails otherwise, and on over 2^62 places. */
bool lw_map_from_padding(struct lw_map *map, const struct lw_layout *layout, const char *dim,
                         const struct lw_padding *padding, int count, struct lw_error *err);
/* Of a padded map: where an offset is after padding, and back; false for what is left free. */
uint64_t lw_map_pad(const struct lw_map *map, uint64_t offset);
bool lw_map_unpad(const struct lw_map *map, uint64_t padded, uint64_t *offset);
/* A table map over the dims `out`: `ids` is row-major, of the lengths `shape`, one for each of the
 * dims. The threads are those from 0 on, each there equally often, and are split into warps of
 * `lanes`. The inputs are register, lane, warp and block. Fails otherwise, when a length that is over
 * the tensor's is no multiple of it, and on over LW_CELLS_MAX ids. */
bool lw_map_from_table(struct lw_map *map, const uint64_t *shape, const uint32_t *ids,
                       const struct lw_dims *out, uint64_t lanes, struct lw_error *err);

/* A strided map. Of memory `in` has the one dim; of places of threads every element must be held by
 * equally many. Fails otherwise, on sums over 2^62 or beyond the dims, and when strides are so alike
 * that finding a point back would take a search. */
bool lw_map_from_strides(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                         const struct lw_strides *strides, struct lw_error *err);
/* Whether there is one element at a place at most; else an error that names two. */
bool lw_map_check_places(const struct lw_map *map, struct lw_error *err);

/* The element at a place; false when the place is out of range or a hole. Arrays are in the order of the
 * dims. */
bool lw_map_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out);
/* How many places hold an element: 0 when it is in nobody's hands or out of range. */
uint64_t lw_map_owner_count(const struct lw_map *map, const uint64_t *out);
/* Place number k of those, in ascending order of the flattened input (last dim slowest); false when
 * there are not so many. */
bool lw_map_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in);

/* The number of places of every element that has any: 2^nullity (2^64 - 1 where that is 2^64), or
 * the replicated modes. */
uint64_t lw_map_replication(const struct lw_map *map);
bool lw_map_is_surjective(const struct lw_map *map);
bool lw_map_is_injective(const struct lw_map *map);
/* Whether there are places that hold nothing. */
bool lw_map_has_holes(const struct lw_map *map);

/* The linear layout of a map that is one: its sizes are powers of two, it has no holes, and its
 * threads follow from each other; else an error that names the size, the dim or the thread in the
 * way. The dims keep their names. */
bool lw_map_to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err);
/* The lanes of a warp where neither the layout nor a target says how many. */
#define LW_LANES_USUAL 32

/* The same with the names that hardware has: a dim `local` is called register, and `thread` is split
 * into lane (at most `lanes`, a power of two) and warp, with a block of size 1. */
bool lw_map_to_hardware(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                        struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
