#ifndef LANEWAY_MAP_H
#define LANEWAY_MAP_H

/*
 * Maps: the one form that every layout takes, a function from named input dims to named output
 * dims. Everything that draws, analyses or exports takes a map and nothing else. A point of the
 * input is a hardware index, a point of the output an element; the hardware indices that map to an
 * element are its owners. Two queries suffice, and both have a closed form, so a map over 2^40
 * points is as quick as a small one:
 *
 *     apply:   which element is at this index?        (register, lane, warp, block) -> (dim0, dim1)
 *     owners:  which indices hold this element?       (dim0, dim1) -> none, one or many
 *
 * There are five kinds. A LINEAR map is a linear layout (layout.h) prepared for both directions. A
 * MIXED-RADIX map has any sizes: every index is written in digits of mixed radix, and each digit (a
 * "mode") of an input becomes one digit of an output; one without an output replicates:
 *
 *     local(3, 4).spatial(2, 3): index (i, j) of 6 x 12 has the digits i/2, i%2, j/3, j%3,
 *     of radix 3, 2, 4, 3; local = (i/2)*4 + j/3, thread = (i%2)*3 + j%3
 *
 * A PADDED map is a linear layout of memory with free space between elements: after every 2
 * elements 1 offset is left free, after every 4 elements 2 more. Offsets count the free ones too,
 * so there are HOLES, offsets that hold nothing:
 *
 *     offset   0  1  2  3  4  5  6  7  8  9
 *     holds    e0 e1 -  e2 e3 -  -  -  e4 e5
 *
 * A TABLE map lists the element of each hardware index: any function. An index may hold nothing, as
 * an inactive thread does, and elements may differ in how many owners they have. Lanes that load
 * tile[lane % 3] of five elements, lanes 6 and 7 being inactive:
 *
 *     lane   0  1  2  3  4  5  6  7          e0: lanes 0, 3    e3: no owner
 *     holds  e0 e1 e2 e0 e1 e2 -  -          e1: lanes 1, 4    e4: no owner
 *
 * A table may also be a matrix of thread numbers that is repeated over a tensor. A dim that is
 * longer than the matrix repeats it, which takes more registers; one that is shorter folds it, so
 * an element has several owners:
 *
 *     0 1    on 2 x 4:  0 1 0 1     on 1 x 2:  {0,2} {1,3}
 *     2 3               2 3 2 3
 *
 * A STRIDED map is a sum: each digit of a point on one side is multiplied by its stride and the
 * products are added. The sum, plus a constant and then swizzled, is the flat point on the other
 * side. In memory the digits are those of the element and the sum is the offset; for threads the
 * digits are those of the hardware index and the sum is the element (its first dim fastest). These
 * are the layouts of CuTe that are not linear. Offsets that are the sum of no element are holes:
 *
 *     (3,2):(2,8)    offset   0     1  2     3  4     5  6  7  8     9  10    11 12
 *                    holds   (0,0)  - (1,0)  - (2,0)  -  -  - (0,1)  - (1,1)  - (2,1)
 *
 * In memory two elements may have the same offset, as in (4,2):(1,0). Then every element has its
 * owner, but an offset holds several elements: apply yields the first of them, and
 * lw_map_check_unique fails and names two.
 *
 * Common names: register, lane, warp, block -> dim0, dim1, ... in registers (Triton); offset, block
 * in shared memory; local, thread (tilus).
 */

#include "laneway/arena.h"
#include "laneway/layout.h"

LW_BEGIN

/* Which member of `as` a map has. */
enum lw_map_kind { LW_MAP_LINEAR, LW_MAP_MIXED, LW_MAP_PADDED, LW_MAP_TABLE, LW_MAP_STRIDED };

#define LW_MODES_MAX 64    /* digits of a mixed-radix or strided map */
#define LW_PADDINGS_MAX 32 /* paddings of a padded map */
#define LW_CELLS_MAX 1024  /* cells of a matrix of threads; a block has at most that many threads */
#define LW_LISTED_MAX ((uint64_t)1 << 20) /* hardware indices of a list */
#define LW_NO_ELEMENT UINT64_MAX          /* in a list: the index holds nothing */

/* One digit: its value d = (in[in_dim] / in_stride) % size adds d * out_stride to out[out_dim]. */
struct lw_mode {
    uint64_t size;       /* at least 1, as are the strides */
    uint64_t in_stride;  /* of the digit in its in-dim */
    uint64_t out_stride; /* of the digit in its out-dim; not used when it replicates */
    int in_dim;          /* number of the in-dim */
    int out_dim;         /* number of the out-dim; -1: the digit replicates */
};

/* `size` elements are left free after every `interval` elements, except after the last one. */
struct lw_padding {
    uint64_t interval; /* a power of two */
    uint64_t size;     /* 0 or more */
};

/* One digit: its value d = (point[dim] / divisor) % size adds d * stride to the sum. */
struct lw_stride {
    uint64_t size;    /* at least 1 */
    uint64_t stride;  /* 0: the digit adds nothing */
    uint64_t divisor; /* of the digit in its dim, at least 1 */
    int dim;          /* number of the dim */
};

/* A sum of digits, plus `constant`, then swizzled: the `bits` bits from base + shift on are
 * xored into those from `base` on; for a negative shift those from `base` on into those from
 * base - shift on. */
struct lw_strides {
    bool memory; /* the digits are of the output and make the (one) input; else vice versa */
    int count;   /* of modes, 0 to LW_MODES_MAX */
    struct lw_stride mode[LW_MODES_MAX];
    uint64_t constant;
    int bits, base, shift; /* bits 0: no swizzle */
};

/* An element and one of its owners, as flat numbers (dims.h). */
struct lw_owner {
    uint64_t element;
    uint64_t index;
};

/* A map: a plain value that owns no memory; the list of a table is borrowed. Make it with one of
 * the functions below, and read `kind`, `in` and `out`; the other members are private to them. */
struct lw_map {
    enum lw_map_kind kind;
    struct lw_dims in;  /* of hardware indices */
    struct lw_dims out; /* of elements */
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
            uint64_t each;               /* registers of a thread in one repeat of the table */
            uint64_t shape[LW_DIMS_MAX]; /* of the cells that are repeated */
            uint32_t count;              /* hardware indices in the table; later ones are holes */
            uint32_t held;               /* of them, those that hold a cell */
            uint32_t owned;              /* cells that have an owner */
            uint32_t copies;             /* the most owners of one */
            /* The flat cell of each index, and the owners of cells in ascending order: of a list,
             * borrowed; NULL for a matrix, which has its indices by cell in `index`. */
            const uint64_t *element;
            const struct lw_owner *owner;
            uint16_t cell[LW_CELLS_MAX];
            uint16_t index[LW_CELLS_MAX];
        } table;
        struct {
            struct lw_strides sum; /* the longest stride first */
            uint64_t copies;       /* owners of an element */
            bool shared;           /* two elements have one offset: these */
            uint64_t collision[2][LW_DIMS_MAX];
        } strided;
    } as;
};

/* The map of a linear layout. */
void lw_map_from_layout(struct lw_map *map, const struct lw_layout *layout);
/* A mixed-radix map of `count` modes. The modes of each dim must be exactly its digits: sorted
 * by stride, the strides are 1, size, size * next size, ..., and the last product is the dim's
 * size. Fails with LW_ERROR_SHAPE otherwise, and with LW_ERROR_LIMIT on over LW_MODES_MAX modes
 * or over 2^63 points on a side. */
bool lw_map_from_modes(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                       const struct lw_mode *modes, int count, struct lw_error *err);
/* A padded map: in-dim `dim` of the layout, whose size is that without padding, gets `count`
 * paddings. Fails with LW_ERROR_SHAPE unless the layout holds each element exactly once and
 * intervals are powers of two, with LW_ERROR_NAME when there is no such dim, and with
 * LW_ERROR_LIMIT on over LW_PADDINGS_MAX paddings, over 2^62 padded offsets or over 2^63 points
 * in all. */
bool lw_map_from_padding(struct lw_map *map, const struct lw_layout *layout, const char *dim,
                         const struct lw_padding *padding, int count, struct lw_error *err);
/* A table map of any function: `elements` lists for each flat index of `in` (dims.h) the flat
 * element of `out` or LW_NO_ELEMENT. It is copied into the arena, which the map and all its copies
 * borrow from. Fails with LW_ERROR_SHAPE on an element beyond `out`, with LW_ERROR_LIMIT on over
 * LW_LISTED_MAX indices or over 2^63 elements, and with LW_ERROR_MEMORY when the arena has no
 * room. */
bool lw_map_from_list(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                      const uint64_t *elements, struct lw_arena *arena, struct lw_error *err);
/* A table map over the dims `out`. `ids` is row-major, of the lengths `shape`, one for each
 * out-dim; its threads are 0, 1, ..., each equally often, and are split into warps of `lanes` (0
 * counts as 1). The in-dims are register, lane, warp and block; threads of a last warp that is not
 * full hold nothing. Fails with LW_ERROR_SHAPE when threads do not occur equally often, a length is
 * 0 or one over the out-dim's size is not a multiple of it, and with LW_ERROR_LIMIT on over
 * LW_CELLS_MAX ids. */
bool lw_map_from_table(struct lw_map *map, const uint64_t *shape, const uint32_t *ids,
                       const struct lw_dims *out, uint64_t lanes, struct lw_error *err);

/* A strided map. In memory `in` has one dim; for threads every element that is held must have
 * equally many owners, else LW_ERROR_SHAPE. It also fails with LW_ERROR_SHAPE on sums beyond the
 * dims, and with LW_ERROR_LIMIT on over LW_MODES_MAX modes, sums over 2^62, and strides so similar
 * that finding a point from its sum would take a long search. */
bool lw_map_from_strides(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                         const struct lw_strides *strides, struct lw_error *err);
/* Whether every hardware index holds one element at most; else fails with LW_ERROR_UNSUPPORTED and
 * names two elements of one offset. Only strided maps can fail. */
bool lw_map_check_unique(const struct lw_map *map, struct lw_error *err);

/* The element at a hardware index; false when the index is out of range or a hole, and `out` is
 * then undefined. `in` has one entry for each in-dim, `out` gets one for each out-dim. */
bool lw_map_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out);
/* How many owners an element has: 0 when it has none or is out of range. Saturates at 2^64 - 1. */
uint64_t lw_map_owner_count(const struct lw_map *map, const uint64_t *out);
/* Owner number k of an element, from 0, in ascending order of the flattened hardware index (last
 * dim slowest); false when there are not that many, and `in` is then undefined. */
bool lw_map_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in);

/* The number of owners of every element that has any; where elements differ, as in a list, the most
 * owners of one. 2^64 - 1 where it is 2^64. */
uint64_t lw_map_replication(const struct lw_map *map);
bool lw_map_is_surjective(const struct lw_map *map); /* every element has an owner */
/* Whether no element has two owners, so that lw_map_replication is 1, and no offset two elements,
 * as those may that lw_map_check_unique refuses. */
bool lw_map_is_injective(const struct lw_map *map);
bool lw_map_has_holes(const struct lw_map *map); /* some hardware index holds nothing */

/* The linear layout of a map that is one. Fails with LW_ERROR_UNSUPPORTED on a map that is not,
 * naming the size, the dim, the thread or the hole that prevents it, and with LW_ERROR_LIMIT on
 * over 64 bits. The dims keep their names. */
bool lw_map_to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err);
#define LW_LANES_DEFAULT 32 /* lanes of a warp when neither the layout nor a target sets them */
/* lw_map_to_layout with the dims of hardware: of a map (local, thread) -> ..., local becomes
 * register and thread is split into lane (at most `lanes`, a power of two) and warp, with a
 * block of size 1. Other maps keep their dims. */
bool lw_map_to_hardware(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                        struct lw_error *err);

LW_END

#endif
