#ifndef LANEWAY_ENCODING_CUTE_TILED_H
#define LANEWAY_ENCODING_CUTE_TILED_H

/*
 * Tilings of CuTe's atoms, TiledMMA and TiledCopy, with the part of a tensor that a thread has.
 *
 * An atom is one instruction: it has a number of threads (ThrID), and layouts of threads and
 * values. A tiled MMA repeats its atom over a layout of atoms (M,N,K), and its threads with it; a
 * permutation selects the elements of a mode that each atom gets:
 *
 *     make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{},
 *                    Tile<_32,_32,_16>{})
 *
 * has 128 threads and a tile of 32 x 32 x 16. A tiled copy has a layout of threads and values over
 * a tile. Either splits a tensor into what each thread has (partition), mode by mode:
 *
 *     partition_A of (M,K)    (values, repetitions along M, repetitions along K)
 *     partition_S of (M,N)    ((values of the atom, atoms), repetitions along M, along N)
 *
 * The part of one thread is a layout and `start`, the offset of its first element, which CuTe adds
 * to the pointer of the tensor. All functions fail as those of cute.h do; a mode, operand or side
 * that does not exist fails with LW_ERROR_PARAMETER. Values borrow the trees they were made of.
 *
 * Source: include/cute/atom/mma_atom.hpp and copy_atom.hpp of CUTLASS 4, whose names are in
 * parentheses. Each function agrees with the one of that name; what CuTe rounds up or does not
 * check is refused.
 */

#include "laneway/cute.h"

/* ---- MMA ---- */

enum lw_cute_operand { LW_CUTE_A, LW_CUTE_B, LW_CUTE_C }; /* A: M x K, B: N x K, C: M x N */

/* An MMA instruction. (MMA_Atom) */
struct lw_cute_mma_atom {
    const char *name;
    struct lw_cute_tuple mnk;         /* its shape, three integers */
    struct lw_cute_layout threads;    /* its threads to lanes (ThrID) */
    struct lw_cute_layout operand[3]; /* threads and values to elements, the first mode fastest */
    enum lw_cute_role role[3];        /* LW_CUTE_ROLE_MEMORY: it is not in registers */
    const char *element[3];           /* "f16"; NULL: unknown */
};

/* A tiling of an MMA. (TiledMMA) */
struct lw_cute_tiled_mma {
    const struct lw_cute_mma_atom *atom;
    struct lw_cute_layout atoms;      /* (M,N,K) (AtomLayoutMNK) */
    struct lw_cute_tuple permutation; /* three tilers, blanks too (PermutationMNK) */
    struct lw_cute_layout threads;    /* (V,M,N,K) to threads (ThrLayoutVMNK) */
};

/* Makes a tiling. Of `atoms` the modes that are missing are 1:0, and of `permutation` (NULL: all)
 * blanks. (make_tiled_mma) */
bool lw_cute_tiled_mma_make(struct lw_cute_work *work, const struct lw_cute_mma_atom *atom,
                            const struct lw_cute_layout *atoms,
                            const struct lw_cute_tuple *permutation, struct lw_cute_tiled_mma *out);
/* Of mode 0 to 2, M, N or K: the size of the tile, an integer (tile_size_mnk); the tile of an
 * operand, a tuple of two integers. */
bool lw_cute_mma_tile_size(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                           struct lw_cute_tuple *out);
bool lw_cute_mma_tile(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                      enum lw_cute_operand operand, struct lw_cute_tuple *out);
/* Threads and values over the tile of an operand (get_layoutA_TV, ...). The second fails with
 * LW_ERROR_SHAPE where CuTe's layout of C goes past the tile: CuTe numbers threads along K further,
 * though they have the same elements. */
bool lw_cute_mma_tv(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *out);
bool lw_cute_mma_tv_inside(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, struct lw_cute_layout *out);
/* A layout of an operand, of two modes or more, as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).
 * (thrfrg_A, ...) */
bool lw_cute_mma_split(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                       enum lw_cute_operand operand, const struct lw_cute_layout *layout,
                       struct lw_cute_layout *out);
/* The coordinates V, M, N, K of a thread, static where there is one alone. (get_slice) Fails with
 * LW_ERROR_PARAMETER on a thread that does not exist; with LW_CUTE_UNCHECKED its coordinates are
 * taken modulo their sizes. */
bool lw_cute_mma_thread(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                        int64_t thread, struct lw_cute_tuple vmnk[4]);
/* The part of a layout that a thread has, (FrgV,RestM,RestK,...), and where it starts.
 * (partition_A, ...) */
bool lw_cute_mma_partition(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, int64_t thread,
                           const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                           struct lw_cute_tuple *start);
/* The registers of such a part. Fails with LW_ERROR_SHAPE on an operand that the instruction reads
 * from memory. (make_fragment_A, ...) */
bool lw_cute_mma_fragment(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                          enum lw_cute_operand operand, const struct lw_cute_layout *part,
                          struct lw_cute_layout *out);

/* ---- Copy ---- */

enum lw_cute_side { LW_CUTE_SOURCE, LW_CUTE_DESTINATION };

/* A copy instruction, for values of some type. (Copy_Atom) */
struct lw_cute_copy_atom {
    const char *name;
    int bits;                        /* of a value; 0: not known, and the layouts count bits */
    const char *type;                /* of a value, as C++ has it: "half_t"; NULL: unknown */
    struct lw_cute_layout threads;   /* ThrID */
    struct lw_cute_layout side[2];   /* threads and values, of the source and the destination */
    struct lw_cute_layout reference; /* those that a tiled copy numbers values by */
};

/* A tiling of a copy. (TiledCopy) */
struct lw_cute_tiled_copy {
    const struct lw_cute_copy_atom *atom;
    struct lw_cute_layout tv;   /* threads and values to elements of the tile (TiledLayout_TV) */
    struct lw_cute_tuple tiler; /* the tile (Tiler_MN) */
};

/* The atom for values of `bits` bits, 1 to 1024. */
bool lw_cute_copy_atom_of(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom, int bits,
                          struct lw_cute_copy_atom *out);
/* Makes a tiling of a layout of threads and values and its tiler (make_tiled_copy_impl); of a
 * layout of threads, and one of the values of each (make_tiled_copy). */
bool lw_cute_tiled_copy_make(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                             const struct lw_cute_layout *tv, const struct lw_cute_tuple *tiler,
                             struct lw_cute_tiled_copy *out);
bool lw_cute_tiled_copy_of_threads(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                   const struct lw_cute_layout *threads,
                                   const struct lw_cute_layout *values,
                                   struct lw_cute_tiled_copy *out);
/* Makes one for an operand of a tiled MMA (make_tiled_copy_A, ...). */
bool lw_cute_tiled_copy_of_mma(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                               const struct lw_cute_tiled_mma *mma, enum lw_cute_operand operand,
                               struct lw_cute_tiled_copy *out);
/* Makes one of threads and values as offsets into a layout of the data, instead of its coordinates:
 * all integers count as static. Fails with LW_ERROR_SHAPE where the data has no such offset, and
 * where CuTe does not compile it. (make_cotiled_copy) */
bool lw_cute_tiled_copy_of_data(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                const struct lw_cute_layout *tv, const struct lw_cute_layout *data,
                                struct lw_cute_tiled_copy *out);
/* The tile, an integer for each mode. */
bool lw_cute_copy_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       struct lw_cute_tuple *out);
/* Threads and values over the tile (get_layoutS_TV, get_layoutD_TV); a layout as
 * (Thr,(FrgV,FrgX),(RestM,RestN,...)) (tidfrg_S, tidfrg_D). */
bool lw_cute_copy_tv(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                     enum lw_cute_side side, struct lw_cute_layout *out);
bool lw_cute_copy_split(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                        enum lw_cute_side side, const struct lw_cute_layout *layout,
                        struct lw_cute_layout *out);
/* The part of a layout that a thread has, ((FrgV,FrgX),RestM,RestN,...), and where it starts. With
 * LW_CUTE_UNCHECKED the thread may be past the last one. (partition_S, partition_D) */
bool lw_cute_copy_partition(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                            enum lw_cute_side side, int64_t thread,
                            const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                            struct lw_cute_tuple *start);
/* A fragment of a thread, (V,M,N,...), in the modes that the copy has. (retile_S, retile_D) */
bool lw_cute_copy_retile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                         const struct lw_cute_layout *fragment, struct lw_cute_layout *out);

#endif
