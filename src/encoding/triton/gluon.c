/*
 * The classes of Gluon: one table for reading and writing them. Source:
 * triton.experimental.gluon.language of Triton 3.5 to 3.9, _layouts.py, amd/_layouts.py,
 * amd/cdna5, nvidia/blackwell and nvidia/rubin.
 */

#include "encoding/triton/gluon.h"

#include <string.h>

/* One argument of a class: its name and the parameter that it is. */
#define ARGUMENT(NAME, KIND, PARAM)                                                                \
    {                                                                                              \
        NAME, LW_GLUON_##KIND, PARAM                                                               \
    }
#define VALUE(NAME, PARAM) ARGUMENT(NAME, VALUE, PARAM)
#define CGA ARGUMENT("cga_layout", BLOCKS, "CGALayout")
#define SPLITS                                                                                     \
    ARGUMENT("ctas_per_cga", SPLITS, "CTAsPerCGA"),                                                \
        ARGUMENT("cta_split_num", SPLITS, "CTASplitNum"),                                          \
        ARGUMENT("cta_order", SPLITS, "CTAOrder")

#define BLOCKED                                                                                    \
    VALUE("size_per_thread", "sizePerThread"), VALUE("threads_per_warp", "threadsPerWarp"),        \
        VALUE("warps_per_cta", "warpsPerCTA"), VALUE("order", "order")
#define LINEAR                                                                                     \
    VALUE("reg_bases", "register"), VALUE("lane_bases", "lane"), VALUE("warp_bases", "warp"),      \
        VALUE("block_bases", "block"), ARGUMENT("shape", SHAPE, NULL)
#define NVIDIA_MMA                                                                                 \
    ARGUMENT("version", VERSION, "versionMajor"), VALUE("warps_per_cta", "warpsPerCTA"),           \
        VALUE("instr_shape", "instrShape")
#define MFMA                                                                                       \
    VALUE("version", "version"), VALUE("instr_shape", "instrShape"),                               \
        VALUE("transposed", "isTransposed"), VALUE("warps_per_cta", "warpsPerCTA")
#define MFMA_TILES ARGUMENT("tiles_per_warp", MAYBE, "tilesPerWarp")
#define WMMA VALUE("version", "version"), VALUE("transposed", "isTranspose")
#define WMMA_SHAPE ARGUMENT("instr_shape", MAYBE, "instrShape")
#define SWIZZLED                                                                                   \
    VALUE("vec", "vec"), VALUE("per_phase", "perPhase"), VALUE("max_phase", "maxPhase"),           \
        VALUE("order", "order")
#define NVMMA(RANK)                                                                                \
    VALUE("swizzle_byte_width", "swizzlingByteWidth"),                                             \
        VALUE("element_bitwidth", "elementBitWidth"), ARGUMENT("rank", RANK, "rank"),              \
        ARGUMENT("transposed", TRUTH, "transposed"), ARGUMENT("fp4_padded", TRUTH, "fp4Padded")
#define PADDED(BLOCKS)                                                                             \
    VALUE("interval_padding_pairs", "intervalPads"), ARGUMENT("offset_bases", NEEDED, "offset"),   \
        VALUE(BLOCKS, "block"), ARGUMENT("shape", SHAPE, NULL)
#define PARTITIONED                                                                                \
    VALUE("num_partitions", "numPartitions"), VALUE("num_groups", "numGroups"),                    \
        VALUE("partition_dim", "partitionDim"),                                                    \
        ARGUMENT("partition_layout", PARENT, "partitionLayout")
#define TENSOR_MEMORY ARGUMENT("block", PAIR, "blockM")
#define COLUMNS ARGUMENT("col_stride", NEEDED, "colStride")
#define TWO_BLOCKS ARGUMENT("two_ctas", TRUTH, "twoCTAs")
#define SPLIT_PAIR ARGUMENT("cta_split_num", PAIR, "CTASplitM")

/* A class: the encoding, the class, the first and the last version, the arguments. */
#define CLASS(TYPE, NAME, FROM, UNTIL, ...)                                                        \
    {                                                                                              \
        TYPE, NAME, LW_TRITON_##FROM, LW_TRITON_##UNTIL,                                           \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Where a class has changed, its newest form is first. */
static const struct lw_gluon_class classes[] = {
    CLASS("blocked", "gl.BlockedLayout", 3_6, UNSET, BLOCKED, CGA),
    CLASS("blocked", "gl.BlockedLayout", UNSET, 3_5, BLOCKED, SPLITS),
    CLASS("linear", "gl.DistributedLinearLayout", UNSET, UNSET, LINEAR),
    CLASS("generic_linear", "gl.DistributedLinearLayout", 3_8, UNSET, LINEAR),
    CLASS("slice", "gl.SliceLayout", UNSET, UNSET, VALUE("dim", "dim"),
          ARGUMENT("parent", PARENT, "parent")),
    CLASS("dot_op", "gl.DotOperandLayout", UNSET, UNSET, VALUE("operand_index", "opIdx"),
          ARGUMENT("parent", PARENT, "parent"), VALUE("k_width", "kWidth")),
    CLASS("nvidia_mma", "gl.NVMMADistributedLayout", 3_6, UNSET, NVIDIA_MMA, CGA),
    CLASS("nvidia_mma", "gl.NVMMADistributedLayout", UNSET, 3_5, NVIDIA_MMA, SPLITS),
    CLASS("amd_mfma", "gl.amd.AMDMFMALayout", 3_6, UNSET, MFMA,
          ARGUMENT("element_bitwidth", MAYBE, "elementBitWidth"), MFMA_TILES, CGA),
    CLASS("amd_mfma", "gl.amd.AMDMFMALayout", UNSET, 3_5, MFMA,
          ARGUMENT("elem_type", TYPE, "elementType"), MFMA_TILES, SPLITS),
    CLASS("amd_wmma", "gl.amd.AMDWMMALayout", 3_7, UNSET, WMMA,
          ARGUMENT("warp_bases", WARPS, "ctaLayout"), ARGUMENT("reg_bases", TILES, "ctaLayout"),
          WMMA_SHAPE, CGA, ARGUMENT("rank", RANK, "rank")),
    CLASS("amd_wmma", "gl.amd.AMDWMMALayout", 3_6, 3_6, WMMA, VALUE("warps_per_cta", "warpsPerCTA"),
          WMMA_SHAPE, MFMA_TILES, CGA),
    CLASS("swizzled_shared", "gl.SwizzledSharedLayout", 3_6, UNSET, SWIZZLED, CGA),
    CLASS("swizzled_shared", "gl.SwizzledSharedLayout", UNSET, 3_5, SWIZZLED, SPLITS),
    CLASS("nvmma_shared", "gl.NVMMASharedLayout", 3_6, UNSET, NVMMA(RANK), CGA),
    CLASS("nvmma_shared", "gl.NVMMASharedLayout", UNSET, 3_5, NVMMA(DIMS), SPLITS),
    CLASS("padded_shared", "gl.PaddedSharedLayout", 3_7, UNSET, PADDED("cga_layout")),
    CLASS("padded_shared", "gl.PaddedSharedLayout", 3_6, 3_6, PADDED("block_bases")),
    CLASS("padded_shared", "gl.PaddedSharedLayout", UNSET, 3_5,
          VALUE("interval_padding_pairs", "intervalPads"), ARGUMENT("order", NEEDED, "order"),
          SPLITS),
    CLASS("shared_linear", "gl.SharedLinearLayout", 3_6, UNSET,
          ARGUMENT("offset_bases", NEEDED, "offset"), ARGUMENT("block_bases", MAYBE, "block"),
          ARGUMENT("alignment", MAYBE, "alignment")),
    CLASS("partitioned_shared", "gl.amd.cdna5.PartitionedSharedLayout", 3_9, UNSET, PARTITIONED),
    CLASS("partitioned_shared", "gl.amd.gfx1250.PartitionedSharedLayout", 3_8, 3_8, PARTITIONED),
    CLASS("tensor_memory_encoding", "gl.nvidia.blackwell.TensorMemoryLayout", 3_8, UNSET,
          TENSOR_MEMORY, COLUMNS, CGA, TWO_BLOCKS, ARGUMENT("fp4_padded", TRUTH, "fp4Padded")),
    CLASS("tensor_memory_encoding", "gl.nvidia.blackwell.TensorMemoryLayout", 3_6, 3_7,
          TENSOR_MEMORY, COLUMNS, SPLIT_PAIR, TWO_BLOCKS),
    CLASS("tensor_memory_encoding", "gl.nvidia.blackwell.TensorMemoryLayout", UNSET, 3_5,
          TENSOR_MEMORY, ARGUMENT("unpacked", NEEDED, "unpacked"), SPLIT_PAIR),
    CLASS("tensor_memory_scales_encoding", "gl.nvidia.blackwell.TensorMemoryScalesLayout", 3_8,
          UNSET, CGA),
    CLASS("tensor_memory_scales_encoding", "gl.nvidia.rubin.TensorMemoryScalesLayout", 3_8, UNSET,
          CGA, ARGUMENT("block_rep_order", NEEDED, "blockRepOrder")),
    CLASS("tensor_memory_scales_encoding", "gl.nvidia.blackwell.TensorMemoryScalesLayout", UNSET,
          3_7, SPLIT_PAIR),
};

const struct lw_gluon_class *lw_gluon_of(const char *type, enum lw_triton triton, int number)
{
    for (size_t i = 0; i < LW_COUNT(classes); i++)
        if (!strcmp(classes[i].type, type) && lw_triton_since(triton, classes[i].from) &&
            (!classes[i].until || (triton && triton <= classes[i].until)) && number-- == 0)
            return &classes[i];
    return NULL;
}

bool lw_gluon_has(const struct lw_gluon_class *class, const char *param)
{
    for (int i = 0; i < LW_GLUON_ARGUMENTS_MAX && class->arguments[i].name; i++)
        if (class->arguments[i].param && !strcmp(class->arguments[i].param, param))
            return true;
    return false;
}

const char *lw_gluon_name(const struct lw_gluon_class *class)
{
    return strrchr(class->name, '.') + 1;
}

const struct lw_gluon_class *lw_gluon_find(const char *name, int number)
{
    for (size_t i = 0; i < LW_COUNT(classes); i++)
        if (!strcmp(lw_gluon_name(&classes[i]), name) && number-- == 0)
            return &classes[i];
    return NULL;
}
