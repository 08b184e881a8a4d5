/*
 * The classes of Gluon: one table for reading and writing them. Source:
 * triton.experimental.gluon.language of Triton 3.7, _layouts.py, amd/_layouts.py and
 * nvidia/blackwell.
 */

#include "encoding/triton/gluon.h"

#include <string.h>

#define CGA                                                                                        \
    {                                                                                              \
        "cga_layout", LW_GLUON_BLOCKS, "CGALayout"                                                 \
    }

static const struct lw_gluon_class classes[] = {
    {"blocked",
     "gl.BlockedLayout",
     {{"size_per_thread", LW_GLUON_VALUE, "sizePerThread"},
      {"threads_per_warp", LW_GLUON_VALUE, "threadsPerWarp"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"order", LW_GLUON_VALUE, "order"},
      CGA}},
    {"linear",
     "gl.DistributedLinearLayout",
     {{"reg_bases", LW_GLUON_VALUE, "register"},
      {"lane_bases", LW_GLUON_VALUE, "lane"},
      {"warp_bases", LW_GLUON_VALUE, "warp"},
      {"block_bases", LW_GLUON_VALUE, "block"},
      {"shape", LW_GLUON_SHAPE, NULL}}},
    {"slice",
     "gl.SliceLayout",
     {{"dim", LW_GLUON_VALUE, "dim"}, {"parent", LW_GLUON_PARENT, "parent"}}},
    {"dot_op",
     "gl.DotOperandLayout",
     {{"operand_index", LW_GLUON_VALUE, "opIdx"},
      {"parent", LW_GLUON_PARENT, "parent"},
      {"k_width", LW_GLUON_VALUE, "kWidth"}}},
    {"nvidia_mma",
     "gl.NVMMADistributedLayout",
     {{"version", LW_GLUON_VERSION, "versionMajor"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"instr_shape", LW_GLUON_VALUE, "instrShape"},
      CGA}},
    {"amd_mfma",
     "gl.amd.AMDMFMALayout",
     {{"version", LW_GLUON_VALUE, "version"},
      {"instr_shape", LW_GLUON_VALUE, "instrShape"},
      {"transposed", LW_GLUON_TRUTH, "isTransposed"},
      {"warps_per_cta", LW_GLUON_VALUE, "warpsPerCTA"},
      {"element_bitwidth", LW_GLUON_MAYBE, "elementBitWidth"},
      {"tiles_per_warp", LW_GLUON_MAYBE, "tilesPerWarp"},
      CGA}},
    {"amd_wmma",
     "gl.amd.AMDWMMALayout",
     {{"version", LW_GLUON_VALUE, "version"},
      {"transposed", LW_GLUON_TRUTH, "isTranspose"},
      {"warp_bases", LW_GLUON_WARPS, "ctaLayout"},
      {"reg_bases", LW_GLUON_TILES, "ctaLayout"},
      {"instr_shape", LW_GLUON_MAYBE, "instrShape"},
      CGA,
      {"rank", LW_GLUON_MAYBE, "rank"}}},
    {"swizzled_shared",
     "gl.SwizzledSharedLayout",
     {{"vec", LW_GLUON_VALUE, "vec"},
      {"per_phase", LW_GLUON_VALUE, "perPhase"},
      {"max_phase", LW_GLUON_VALUE, "maxPhase"},
      {"order", LW_GLUON_VALUE, "order"},
      CGA}},
    {"nvmma_shared",
     "gl.NVMMASharedLayout",
     {{"swizzle_byte_width", LW_GLUON_VALUE, "swizzlingByteWidth"},
      {"element_bitwidth", LW_GLUON_VALUE, "elementBitWidth"},
      {"rank", LW_GLUON_RANK, "rank"},
      {"transposed", LW_GLUON_TRUTH, "transposed"},
      {"fp4_padded", LW_GLUON_TRUTH, "fp4Padded"},
      CGA}},
    {"padded_shared",
     "gl.PaddedSharedLayout",
     {{"interval_padding_pairs", LW_GLUON_VALUE, "intervalPads"},
      {"offset_bases", LW_GLUON_NEEDED, "offset"},
      {"cga_layout", LW_GLUON_VALUE, "block"},
      {"shape", LW_GLUON_SHAPE, NULL}}},
    {"shared_linear",
     "gl.SharedLinearLayout",
     {{"offset_bases", LW_GLUON_NEEDED, "offset"},
      {"block_bases", LW_GLUON_MAYBE, "block"},
      {"alignment", LW_GLUON_MAYBE, "alignment"}}},
    {"tensor_memory_encoding",
     "gl.nvidia.blackwell.TensorMemoryLayout",
     {{"block", LW_GLUON_PAIR, "blockM"},
      {"col_stride", LW_GLUON_NEEDED, "colStride"},
      {"cta_split_num", LW_GLUON_PAIR, "CTASplitM"},
      {"two_ctas", LW_GLUON_TRUTH, "twoCTAs"}}},
    {"tensor_memory_scales_encoding",
     "gl.nvidia.blackwell.TensorMemoryScalesLayout",
     {{"cta_split_num", LW_GLUON_PAIR, "CTASplitM"}}},
};

const struct lw_gluon_class *lw_gluon_of(const char *type)
{
    for (size_t i = 0; i < LW_COUNT(classes); i++)
        if (!strcmp(classes[i].type, type))
            return &classes[i];
    return NULL;
}

const char *lw_gluon_name(const struct lw_gluon_class *class)
{
    return strrchr(class->name, '.') + 1;
}

const struct lw_gluon_class *lw_gluon_find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(classes); i++)
        if (!strcmp(lw_gluon_name(&classes[i]), name))
            return &classes[i];
    return NULL;
}
