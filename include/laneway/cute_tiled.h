#ifndef LANEWAY_CUTE_TILED_H
#define LANEWAY_CUTE_TILED_H

/*
 * What instructions need of layouts: tilings of CuTe's atoms (TiledMMA, TiledCopy), with the part
 * of a tensor that a thread has, and descriptors.
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
 * to the pointer of the tensor.
 *
 * Descriptors are what wgmma, tcgen05.mma and TMA read of a layout in memory. A matrix descriptor
 * is 64 bits: where an operand of one instruction starts in shared memory, its swizzle, and two
 * strides, LBO and SBO. It can only express canonical layouts, of blocks of 8 rows of 16 bytes. The
 * modes of the operand are M or N, and K:
 *
 *     Sw<3,4,3> o smem_ptr[16b](unset) o ((8,8),16):((64,512),1)     64 x 16, contiguous along K
 *     lw_descriptor_make(&work, LW_DESCRIPTOR_WGMMA, LW_MAJOR_K, &it, 16, 0, &out)
 *
 * gives 0x4000004000010000: SBO is 64 units of 16 bytes, the step from 8 rows to the next 8, and
 * the swizzle is of 128 bytes. lw_descriptor_layout is the inverse. A tensor map
 * (CUtensorMap) has a tensor in global memory and the box of it that one TMA instruction copies to
 * shared memory; lw_tensor_map_make finds both from the two layouts.
 *
 * All functions fail as those of cute.h do; the message of a layout that is not canonical has the
 * mode that is not, and what it must be. A mode, operand or side that does not exist fails with
 * LW_ERROR_PARAMETER. Values borrow the trees that they were made of.
 *
 * Source: include/cute/atom/mma_atom.hpp and copy_atom.hpp of CUTLASS 4, whose names are in
 * parentheses. Each function agrees with the one of that name; what CuTe rounds up or does not
 * check is refused. Of descriptors: make_gmma_desc of mma_traits_sm90_gmma.hpp, make_umma_desc of
 * mma_traits_sm100.hpp, make_tma_copy_desc and construct_tma_gbasis of copy_traits_sm90_tma.hpp,
 * and the rules of cuTensorMapEncodeTiled in the manual of the CUDA driver.
 */

#include "laneway/cute.h"

LW_BEGIN

/* ---- MMA ---- */

/* The operands: A is M x K, B is N x K, C is M x N. */
enum lw_cute_operand { LW_CUTE_A, LW_CUTE_B, LW_CUTE_C };

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
/* The tiler of mode 0 to 2, M, N or K. (permutation_mnk) */
bool lw_cute_mma_permutation(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                             int mode, struct lw_cute_tuple *out);
/* The size of the tile along that mode, an integer. (tile_size_mnk) */
bool lw_cute_mma_tile_size(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                           struct lw_cute_tuple *out);
/* The tile of an operand, a tuple of two integers. */
bool lw_cute_mma_tile(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                      enum lw_cute_operand operand, struct lw_cute_tuple *out);
/* Threads and values over the tile of an operand. (get_layoutA_TV, ...) */
bool lw_cute_mma_tv(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *out);
/* The same, but fails with LW_ERROR_SHAPE where CuTe's layout of C goes past the tile: CuTe numbers
 * threads along K further, though they have the same elements. */
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
/* The registers of a part that partition_A, ... gives. (make_fragment_A, ...) Fails with
 * LW_ERROR_SHAPE on an operand that the instruction reads from memory. */
bool lw_cute_mma_fragment(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                          enum lw_cute_operand operand, const struct lw_cute_layout *part,
                          struct lw_cute_layout *out);

/* ---- Copy ---- */

/* The sides of a copy. */
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
/* Makes a tiling of a layout of threads and values and its tiler. (make_tiled_copy_impl) */
bool lw_cute_tiled_copy_make(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                             const struct lw_cute_layout *tv, const struct lw_cute_tuple *tiler,
                             struct lw_cute_tiled_copy *out);
/* The same of a layout of threads, and one of the values of each. (make_tiled_copy) */
bool lw_cute_tiled_copy_of_threads(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                   const struct lw_cute_layout *threads,
                                   const struct lw_cute_layout *values,
                                   struct lw_cute_tiled_copy *out);
/* The same for an operand of a tiled MMA. (make_tiled_copy_A, ...) */
bool lw_cute_tiled_copy_of_mma(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                               const struct lw_cute_tiled_mma *mma, enum lw_cute_operand operand,
                               struct lw_cute_tiled_copy *out);
/* The smallest one that has the values of one atom, of the result of a tiled MMA.
 * (make_tiled_copy_C_atom) */
bool lw_cute_tiled_copy_of_result(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                  const struct lw_cute_tiled_mma *mma,
                                  struct lw_cute_tiled_copy *out);
/* The same of threads and values as offsets into a layout of the data, instead of its coordinates:
 * all integers count as static. Fails with LW_ERROR_SHAPE where the data has no such offset, and
 * where CuTe does not compile it. (make_cotiled_copy) */
bool lw_cute_tiled_copy_of_data(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                const struct lw_cute_layout *tv, const struct lw_cute_layout *data,
                                struct lw_cute_tiled_copy *out);
/* The tile, an integer for each mode. */
bool lw_cute_copy_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       struct lw_cute_tuple *out);
/* Threads and values over the tile. (get_layoutS_TV, get_layoutD_TV) */
bool lw_cute_copy_tv(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                     enum lw_cute_side side, struct lw_cute_layout *out);
/* A layout as (Thr,(FrgV,FrgX),(RestM,RestN,...)). (tidfrg_S, tidfrg_D) */
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

/* ---- Descriptors ---- */

/* Of an operand, for the instructions of sm90 and sm100 that read it: 64 bits. Of what a
 * tcgen05.mma multiplies, and not where that is, also of one whose operands have scales in blocks:
 * 32 bits. */
enum lw_descriptor_kind {
    LW_DESCRIPTOR_WGMMA,
    LW_DESCRIPTOR_TCGEN05,
    LW_DESCRIPTOR_INSTRUCTION,
    LW_DESCRIPTOR_SCALED
};

/* The mode in which the operand is contiguous. */
enum lw_major { LW_MAJOR_K, LW_MAJOR_MN };

/* A descriptor. */
struct lw_descriptor {
    enum lw_descriptor_kind kind;
    uint64_t value;
};

/* A field of a descriptor: `bits` bits from bit `first` on. */
struct lw_descriptor_field {
    const char *name; /* as CUTLASS names it: "leading_byte_offset" */
    int first, bits;
};

/* The fields, `*count` of them, from bit 0 on; of an unknown kind NULL and 0. */
const struct lw_descriptor_field *lw_descriptor_fields(enum lw_descriptor_kind kind, int *count);
/* The number in a field; 0 when it has bits beyond 64. */
uint64_t lw_descriptor_field_value(const struct lw_descriptor *descriptor,
                                   const struct lw_descriptor_field *field);
/* Appends what that number means: "1024 bytes: from 8 rows to the next 8 rows", "N = 256".
 * `major`: of a matrix descriptor. */
void lw_descriptor_field_explain(struct lw_text *text, const struct lw_descriptor *descriptor,
                                 const struct lw_descriptor_field *field, enum lw_major major);
/* Appends a descriptor as CuTe prints it, "GmmaDescriptor: 0x...", and a line for each field; one
 * of an instruction with what each field means. */
void lw_descriptor_print(struct lw_text *text, const struct lw_descriptor *descriptor);

/* Makes the matrix descriptor of an operand of one instruction, two modes, (M or N, K), of elements
 * of `bits` bits, 0: those of smem_ptr. `address`: where its memory begins, in bytes, below 2^18
 * and a multiple of 16; a part (cute.h) begins `start` elements after it. Fails with
 * LW_ERROR_UNSUPPORTED on a layout that is not canonical. (make_gmma_desc, make_umma_desc) */
bool lw_descriptor_make(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                        enum lw_major major, const struct lw_cute *operand, int bits,
                        uint64_t address, struct lw_descriptor *out);
/* The canonical layout that a matrix descriptor has for `mn` x `k` elements of `bits` bits, with
 * its swizzle in bytes. Fails with LW_ERROR_PARAMETER on an unknown type of layout, and with
 * LW_ERROR_SHAPE on sizes that are not of whole blocks. */
bool lw_descriptor_layout(struct lw_cute_work *work, const struct lw_descriptor *descriptor,
                          enum lw_major major, int bits, int64_t mn, int64_t k,
                          struct lw_cute *out);

/* The descriptors of an operand that several instructions read. */
struct lw_operand_descriptor {
    struct lw_descriptor descriptor; /* of the first instruction */
    enum lw_major major;
    int bits;                   /* of an element */
    int64_t mn, k;              /* elements of one instruction, along M or N and along K */
    struct lw_cute canonical;   /* what the descriptor has for those */
    struct lw_cute_layout next; /* (along M or N, along K, ...) to what is added to start_address */
};

/* Finds the descriptor of an operand of two modes or more, (M or N, K, ...): an instruction has 32
 * bytes of K, and of M or N all up to 256, else 128 or 64, as the layout allows. `bits` and
 * `address` as for lw_descriptor_make, whose failures these are. */
bool lw_operand_descriptor_find(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                                const struct lw_cute *operand, int bits, uint64_t address,
                                struct lw_operand_descriptor *out);

/* What an instruction multiplies. */
struct lw_instruction_operands {
    const char *a_type, *b_type, *c_type; /* as C++ has them: "half_t", "float" */
    const char *scale_type;               /* "float_ue8m0_t"; NULL: there are no scales */
    int64_t m, n;
    enum lw_major a_major, b_major;
};

/* Makes its descriptor. Fails with LW_ERROR_PARAMETER on types and sizes that are not supported.
 * (make_instr_desc, make_instr_desc_block_scaled) */
bool lw_instruction_descriptor_make(const struct lw_instruction_operands *operands,
                                    struct lw_descriptor *out, struct lw_error *err);

/* ---- Tensor maps ---- */

#define LW_TENSOR_MAP_RANK 5 /* dims of a tensor map at most */

/* The arguments of cuTensorMapEncodeTiled, apart from the address, the promotion in L2 and the fill
 * outside the tensor, which do not follow from layouts. The first dim is contiguous. */
struct lw_tensor_map {
    const char *type; /* "FLOAT16", of CU_TENSOR_MAP_DATA_TYPE_FLOAT16 */
    int type_number;  /* of that enumerator */
    int bits;         /* of an element */
    int rank;
    uint64_t dims[LW_TENSOR_MAP_RANK];    /* globalDim, in elements */
    uint64_t strides[LW_TENSOR_MAP_RANK]; /* globalStrides, in bytes; that of the first dim is that
                                             of an element and is not passed */
    uint64_t box[LW_TENSOR_MAP_RANK];     /* boxDim, in elements */
    const char *swizzle;                  /* "128B", of CU_TENSOR_MAP_SWIZZLE_128B */
    int swizzle_number;
};

/* Makes the tensor map that copies tiles of a tensor in global memory to a layout in shared memory.
 * `tiler`: the tile, of the modes of the tensor; `element`: a type of C++ or MLIR, "half_t", "f16".
 * Fails with LW_ERROR_UNSUPPORTED where no box is the tile, or cuTensorMapEncodeTiled refuses it.
 * (make_tma_copy) */
bool lw_tensor_map_make(struct lw_cute_work *work, const char *element,
                        const struct lw_cute_layout *tensor, const struct lw_cute *shared,
                        const struct lw_cute_tuple *tiler, struct lw_tensor_map *out);
/* Whether cuTensorMapEncodeTiled accepts the arguments; else fails with LW_ERROR_UNSUPPORTED, or
 * with LW_ERROR_PARAMETER on a rank or bits that do not exist. */
bool lw_tensor_map_check(const struct lw_tensor_map *map, struct lw_error *err);

LW_END

#endif
