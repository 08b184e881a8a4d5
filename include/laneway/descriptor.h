#ifndef LANEWAY_DESCRIPTOR_H
#define LANEWAY_DESCRIPTOR_H

/*
 * DESCRIPTORS: what wgmma, tcgen05.mma and TMA read of a layout in memory.
 *
 * A matrix descriptor is 64 bits: where an operand of one instruction starts in shared memory, its
 * swizzle, and two strides, LBO and SBO. It can only express canonical layouts, of blocks of 8 rows
 * of 16 bytes. The modes of the operand are M or N, and K:
 *
 *     Sw<3,4,3> o smem_ptr[16b](unset) o ((8,8),16):((64,512),1)     64 x 16, contiguous along K
 *     lw_descriptor_make(&work, LW_DESCRIPTOR_WGMMA, LW_MAJOR_K, &it, 16, 0, &out)
 *
 * gives 0x4000004000010000: SBO is 64 units of 16 bytes, the step from 8 rows to the next 8, and
 * the swizzle is of 128 bytes. An instruction descriptor is 32 bits: what a tcgen05.mma multiplies.
 * A tensor map (CUtensorMap) has a tensor in global memory and the box of it that one TMA
 * instruction copies to shared memory.
 *
 * All functions fail as those of cute.h do; the message of a layout that is not canonical has the
 * mode that is not, and what it must be. Source, in parentheses the names there: make_gmma_desc of
 * CUTLASS 4 (mma_traits_sm90_gmma.hpp), make_umma_desc (mma_traits_sm100.hpp), make_tma_copy_desc
 * and construct_tma_gbasis (copy_traits_sm90_tma.hpp), and the rules of cuTensorMapEncodeTiled in
 * the manual of the CUDA driver.
 */

#include "laneway/cute.h"

LW_BEGIN

enum lw_descriptor_kind {                      /* of a descriptor */
                          LW_DESCRIPTOR_WGMMA, /* of a matrix, for sm90 */
                          LW_DESCRIPTOR_TCGEN05,
                          LW_DESCRIPTOR_INSTRUCTION, /* of what a tcgen05.mma multiplies */
                          LW_DESCRIPTOR_SCALED /* of one whose operands have scales in blocks */
};

enum lw_major { LW_MAJOR_K, LW_MAJOR_MN }; /* the mode in which an operand is contiguous */

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
/* The inverse: the canonical layout that a matrix descriptor has for `mn` x `k` elements of `bits`
 * bits, with its swizzle in bytes. Fails with LW_ERROR_PARAMETER on an unknown type of layout, and
 * with LW_ERROR_SHAPE on sizes that are not of whole blocks. */
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
 * bytes of K, and of M or N all up to 256, else 128 or 64, as the layout allows. `bits`, `address`
 * and failures: as of lw_descriptor_make. */
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

#define LW_TENSOR_MAP_RANK 5 /* dims of a tensor map at most */

/* The arguments of cuTensorMapEncodeTiled, apart from the address, the promotion in L2 and the fill
 * outside the tensor, which do not follow from layouts. The first dim is contiguous. */
struct lw_tensor_map {
    const char *type; /* "FLOAT16", of CU_TENSOR_MAP_DATA_TYPE_FLOAT16 */
    int type_number;  /* of that enumerator */
    int bits;         /* of an element */
    int rank;
    uint64_t dims[LW_TENSOR_MAP_RANK];    /* globalDim, in elements */
    uint64_t strides[LW_TENSOR_MAP_RANK]; /* globalStrides, in bytes; the first, that of an element,
                                             is not passed */
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
