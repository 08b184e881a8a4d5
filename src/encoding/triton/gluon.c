/*
 * The classes of Gluon: one table for reading and writing them. Source:
 * triton.experimental.gluon.language of Triton 3.5 to 3.9, _layouts.py, amd/_layouts.py,
 * amd/cdna5, nvidia/blackwell and nvidia/rubin.
 */

#include "encoding/triton/gluon.h"

#include <string.h>

#define CGA                                                                                        \
    {                                                                                              \
        "cga_layout", LW_GLUON_BLOCKS, "CGALayout"                                                 \
    }

#define SPLITS                                                                                     \
    {"ctas_per_cga", LW_GLUON_SPLITS, "CTAsPerCGA"},                                               \
        {"cta_split_num", LW_GLUON_SPLITS, "CTASplitNum"},                                         \
    {                                                                                              \
        "cta_order", LW_GLUON_SPLITS, "CTAOrder"                                                   \
    }

#define ANY LW_TRITON_UNSET, LW_TRITON_UNSET
#define SINCE(version) LW_TRITON_##version, LW_TRITON_UNSET
#define UNTIL(version) LW_TRITON_UNSET, LW_TRITON_##version

#define BLOCKED_ARGUMENTS                                                                          \
    {"size_per_thread", LW_GLUON_VALUE, "sizePerThread"},                                          \
        {"threads_per_warp", LW_GLUON_VALUE, "threadsPerWarp"},                                    \
        {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},                                          \
    {                                                                                              \
        "order", LW_GLUON_VALUE, "order"                                                           \
    }
#define MMA_ARGUMENTS                                                                              \
    {"version", LW_GLUON_VERSION, "versionMajor"},                                                 \
        {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},                                          \
    {                                                                                              \
        "instr_shape", LW_GLUON_VALUE, "instrShape"                                                \
    }
#define SWIZZLED_ARGUMENTS                                                                         \
    {"vec", LW_GLUON_VALUE, "vec"}, {"per_phase", LW_GLUON_VALUE, "perPhase"},                     \
        {"max_phase", LW_GLUON_VALUE, "maxPhase"},                                                 \
    {                                                                                              \
        "order", LW_GLUON_VALUE, "order"                                                           \
    }
#define NVMMA_ARGUMENTS(RANK)                                                                      \
    {"swizzle_byte_width", LW_GLUON_VALUE, "swizzlingByteWidth"},                                  \
        {"element_bitwidth", LW_GLUON_VALUE, "elementBitWidth"}, {"rank", RANK, "rank"},           \
        {"transposed", LW_GLUON_TRUTH, "transposed"},                                              \
    {                                                                                              \
        "fp4_padded", LW_GLUON_TRUTH, "fp4Padded"                                                  \
    }
#define LINEAR_ARGUMENTS                                                                           \
    {"reg_bases", LW_GLUON_VALUE, "register"}, {"lane_bases", LW_GLUON_VALUE, "lane"},             \
        {"warp_bases", LW_GLUON_VALUE, "warp"}, {"block_bases", LW_GLUON_VALUE, "block"},          \
    {                                                                                              \
        "shape", LW_GLUON_SHAPE, NULL                                                              \
    }
#define PARTITIONED_ARGUMENTS                                                                      \
    {"num_partitions", LW_GLUON_VALUE, "numPartitions"},                                           \
        {"num_groups", LW_GLUON_VALUE, "numGroups"},                                               \
        {"partition_dim", LW_GLUON_VALUE, "partitionDim"},                                         \
    {                                                                                              \
        "partition_layout", LW_GLUON_PARENT, "partitionLayout"                                     \
    }
#define PADDED_ARGUMENTS(BLOCKS)                                                                   \
    {"interval_padding_pairs", LW_GLUON_VALUE, "intervalPads"},                                    \
        {"offset_bases", LW_GLUON_NEEDED, "offset"}, {BLOCKS, LW_GLUON_VALUE, "block"},            \
    {                                                                                              \
        "shape", LW_GLUON_SHAPE, NULL                                                              \
    }

/* Where a class has changed, its newest form is first. */
static const struct lw_gluon_class classes[] = {
    {"blocked", "gl.BlockedLayout", SINCE(3_6), {BLOCKED_ARGUMENTS, CGA}},
    {"blocked", "gl.BlockedLayout", UNTIL(3_5), {BLOCKED_ARGUMENTS, SPLITS}},
    {"linear", "gl.DistributedLinearLayout", ANY, {LINEAR_ARGUMENTS}},
    {"generic_linear", "gl.DistributedLinearLayout", SINCE(3_8), {LINEAR_ARGUMENTS}},
    {"slice",
     "gl.SliceLayout",
     ANY,
     {{"dim", LW_GLUON_VALUE, "dim"}, {"parent", LW_GLUON_PARENT, "parent"}}},
    {"dot_op",
     "gl.DotOperandLayout",
     ANY,
     {{"operand_index", LW_GLUON_VALUE, "opIdx"},
      {"parent", LW_GLUON_PARENT, "parent"},
      {"k_width", LW_GLUON_VALUE, "kWidth"}}},
    {"nvidia_mma", "gl.NVMMADistributedLayout", SINCE(3_6), {MMA_ARGUMENTS, CGA}},
    {"nvidia_mma", "gl.NVMMADistributedLayout", UNTIL(3_5), {MMA_ARGUMENTS, SPLITS}},
    {"amd_mfma",
     "gl.amd.AMDMFMALayout",
     SINCE(3_6),
     {{"version", LW_GLUON_VALUE, "version"},
      {"instr_shape", LW_GLUON_VALUE, "instrShape"},
      {"transposed", LW_GLUON_VALUE, "isTransposed"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"element_bitwidth", LW_GLUON_MAYBE, "elementBitWidth"},
      {"tiles_per_warp", LW_GLUON_MAYBE, "tilesPerWarp"},
      CGA}},
    {"amd_mfma",
     "gl.amd.AMDMFMALayout",
     UNTIL(3_5),
     {{"version", LW_GLUON_VALUE, "version"},
      {"instr_shape", LW_GLUON_VALUE, "instrShape"},
      {"transposed", LW_GLUON_VALUE, "isTransposed"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"elem_type", LW_GLUON_TYPE, "elementType"},
      {"tiles_per_warp", LW_GLUON_MAYBE, "tilesPerWarp"},
      SPLITS}},
    {"amd_wmma",
     "gl.amd.AMDWMMALayout",
     SINCE(3_7),
     {{"version", LW_GLUON_VALUE, "version"},
      {"transposed", LW_GLUON_VALUE, "isTranspose"},
      {"warp_bases", LW_GLUON_WARPS, "ctaLayout"},
      {"reg_bases", LW_GLUON_TILES, "ctaLayout"},
      {"instr_shape", LW_GLUON_MAYBE, "instrShape"},
      CGA,
      {"rank", LW_GLUON_RANK, "rank"}}},
    {"amd_wmma",
     "gl.amd.AMDWMMALayout",
     LW_TRITON_3_6,
     LW_TRITON_3_6,
     {{"version", LW_GLUON_VALUE, "version"},
      {"transposed", LW_GLUON_VALUE, "isTranspose"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"instr_shape", LW_GLUON_MAYBE, "instrShape"},
      {"tiles_per_warp", LW_GLUON_MAYBE, "tilesPerWarp"},
      CGA}},
    {"swizzled_shared", "gl.SwizzledSharedLayout", SINCE(3_6), {SWIZZLED_ARGUMENTS, CGA}},
    {"swizzled_shared", "gl.SwizzledSharedLayout", UNTIL(3_5), {SWIZZLED_ARGUMENTS, SPLITS}},
    {"nvmma_shared", "gl.NVMMASharedLayout", SINCE(3_6), {NVMMA_ARGUMENTS(LW_GLUON_RANK), CGA}},
    {"nvmma_shared", "gl.NVMMASharedLayout", UNTIL(3_5), {NVMMA_ARGUMENTS(LW_GLUON_DIMS), SPLITS}},
    {"padded_shared", "gl.PaddedSharedLayout", SINCE(3_7), {PADDED_ARGUMENTS("cga_layout")}},
    {"padded_shared",
     "gl.PaddedSharedLayout",
     LW_TRITON_3_6,
     LW_TRITON_3_6,
     {PADDED_ARGUMENTS("block_bases")}},
    {"padded_shared",
     "gl.PaddedSharedLayout",
     UNTIL(3_5),
     {{"interval_padding_pairs", LW_GLUON_VALUE, "intervalPads"},
      {"order", LW_GLUON_NEEDED, "order"},
      SPLITS}},
    {"shared_linear",
     "gl.SharedLinearLayout",
     SINCE(3_6),
     {{"offset_bases", LW_GLUON_NEEDED, "offset"},
      {"block_bases", LW_GLUON_MAYBE, "block"},
      {"alignment", LW_GLUON_MAYBE, "alignment"}}},
    {"partitioned_shared",
     "gl.amd.cdna5.PartitionedSharedLayout",
     SINCE(3_9),
     {PARTITIONED_ARGUMENTS}},
    {"partitioned_shared",
     "gl.amd.gfx1250.PartitionedSharedLayout",
     LW_TRITON_3_8,
     LW_TRITON_3_8,
     {PARTITIONED_ARGUMENTS}},
    {"tensor_memory_encoding",
     "gl.nvidia.blackwell.TensorMemoryLayout",
     SINCE(3_8),
     {{"block", LW_GLUON_PAIR, "blockM"},
      {"col_stride", LW_GLUON_NEEDED, "colStride"},
      CGA,
      {"two_ctas", LW_GLUON_TRUTH, "twoCTAs"},
      {"fp4_padded", LW_GLUON_TRUTH, "fp4Padded"}}},
    {"tensor_memory_encoding",
     "gl.nvidia.blackwell.TensorMemoryLayout",
     LW_TRITON_3_6,
     LW_TRITON_3_7,
     {{"block", LW_GLUON_PAIR, "blockM"},
      {"col_stride", LW_GLUON_NEEDED, "colStride"},
      {"cta_split_num", LW_GLUON_PAIR, "CTASplitM"},
      {"two_ctas", LW_GLUON_TRUTH, "twoCTAs"}}},
    {"tensor_memory_encoding",
     "gl.nvidia.blackwell.TensorMemoryLayout",
     UNTIL(3_5),
     {{"block", LW_GLUON_PAIR, "blockM"},
      {"unpacked", LW_GLUON_NEEDED, "unpacked"},
      {"cta_split_num", LW_GLUON_PAIR, "CTASplitM"}}},
    {"tensor_memory_scales_encoding",
     "gl.nvidia.blackwell.TensorMemoryScalesLayout",
     SINCE(3_8),
     {CGA}},
    {"tensor_memory_scales_encoding",
     "gl.nvidia.rubin.TensorMemoryScalesLayout",
     SINCE(3_8),
     {CGA, {"block_rep_order", LW_GLUON_NEEDED, "blockRepOrder"}}},
    {"tensor_memory_scales_encoding",
     "gl.nvidia.blackwell.TensorMemoryScalesLayout",
     UNTIL(3_7),
     {{"cta_split_num", LW_GLUON_PAIR, "CTASplitM"}}},
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
