/*
 * The messages for wrong parameters. First the exact text for the most frequent errors; then each
 * parameter of each encoding, wrong in every way that its row knows: the message must name it, and
 * its position must be that of the value.
 */

#include "unit.h"

#include "laneway/document.h"

/* ---- To the letter ---- */

struct row {
    const char *source;
    const char *message;
};

static const struct row rows[] = {
    {"tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [3, 11], "
     "warpsPerCTA = [1, 1], order = [1, 1]}>>",
     "sizePerThread = [1, 4, 2]: 3 entries, but 2 are needed"},
    {"tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [3, 11], "
     "warpsPerCTA = [1, 1], order = [1, 1]}>>",
     "threadsPerWarp = [3, 11]: each entry must be a power of two"},
    {"tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [1, 1], order = [1, 1]}>>",
     "order = [1, 1] is not a permutation of 0..1"},
    {"#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = 4}>",
     "warpsPerCTA = 4: must be a list of integers, not an integer"},
    {"#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order "
     "= \"x\"}>",
     "order = \"x\": must be a list of integers, not a string"},
    {"tensor<16x64xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4, 1], "
     "threadsPerWarp = [2, 16, 1], warpsPerCTA = [2, 1, 1], order = [1, 1, 0]}>}>>",
     "parent.order = [1, 1, 0] is not a permutation of 0..2"},
    {"tensor<16x16xf16, #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[0, "
     "1]]}}>>",
     "amd_wmma needs instrShape: version 3 has [16, 16, k] with k = 4, 32, 64 or 128, or [32, 16, "
     "k] with k = 64 or 128"},
    {"tensor<12x20xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0]}>>",
     "shape [12, 20]: not a power of two in dim 0; try [16, 32]"},
    {"#ttg.blocked<{sizePerThread = [1, 4], warpsPerCTA = 4, order = \"x\"}>",
     "blocked needs threadsPerWarp: a list of integers, each a power of two, one for each dim"},
    {"#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4611686018427387904, 2], warpsPerCTA "
     "= [1, 1]}>",
     "threadsPerWarp = [4611686018427387904, 2]: the tile has over 2^62 elements"},
    {"#ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>",
     "sizePerThread = []: at least one dim is needed"},
    {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0], CGALayout = [[1, 1]]}>>",
     "CGALayout = [[1, 1]]: each basis may move in one dim only"},
    {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0], CGALayout = [[2, 0]]}>>",
     "CGALayout = [[2, 0]]: the bases leave tiles out: 1, 2, 4, ... of each dim must be made of "
     "them"},
    {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0], CGALayout = [[1, 0]], CTAOrder = [1, 0]}>>",
     "CTAOrder = [1, 0]: CGALayout is set too; set only one of the two"},
    {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0], CTAsPerCGA = [1, 2], CTASplitNum = [2, 1]}>>",
     "CTASplitNum = [2, 1]: 2 in dim 0 is more than the 1 of CTAsPerCGA"},
    {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
     "warpsPerCTA = [2, 1], order = [1, 0], CTASplitNum = [2, 1]}>>",
     "CTASplitNum = [2, 1]: CTAsPerCGA must be set too"},
    {"tensor<16x64xf16, #ttg.slice<{dim = 3, parent = #ttg.blocked<{sizePerThread = [1, 4, 1], "
     "threadsPerWarp = [2, 16, 1], warpsPerCTA = [2, 1, 1], order = [1, 1, 0]}>}>>",
     "dim = 3: must be from 0 to 2, a dim of the parent"},
    {"tensor<16xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [4], "
     "threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>}>>",
     "parent.sizePerThread = [4]: 1 entry, but 2 are needed"},
    {"#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], "
     "warpsPerCTA = [2], order = [0]}>}>",
     "parent: it has 1 dim, but a slice needs at least 2"},
    {"#ttg.slice<{dim = 0, parent = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
     "order = [1, 0]}>}>",
     "parent: swizzled_shared is not a layout in registers"},
    {"tensor<8x16xf16, #ttg.linear<{register = [[0, 1], [1, 1]], lane = [[0, 4]], warp = []}>>",
     "register = [[0, 1], [1, 1]]: each basis may move in one dim only"},
    {"tensor<8x16xf16, #ttg.linear<{register = [[0, 1], [0, 1]], lane = [[0, 4]], warp = []}>>",
     "register = [[0, 1], [0, 1]]: all bases together reach 2^2 elements of 2^3: 1, 2, 4, ... of "
     "each dim must be made of them"},
    {"tensor<4x4xf16, #ttg.linear<{register = [[0, 2]], lane = [[0, 2], [1, 0], [2, 0]], warp = "
     "[]}>>",
     "register = [[0, 2]]: all bases together reach 2^3 elements of 2^4: 1, 2, 4, ... of each dim "
     "must be made of them"},
    {"tensor<8xf16, #ttg.generic_linear<{register = [[1]], lane = [[4], [5]], warp = [], block = "
     "[]}>>",
     "register = [[1]]: all bases together reach 2^2 elements of 2^3: 1, 2, 4, ... of each dim "
     "must be made of them"},
    {"tensor<4x4xf16, #ttg.linear<{register = [[0, 2]], lane = [[1, 0], [2, 0]], warp = []}>>",
     "register = [[0, 2]]: all bases together reach 2^3 elements of 2^4: 1, 2, 4, ... of each dim "
     "must be made of them"},
    {"tensor<8x16xf16, #ttg.linear<{register = [[0, 1], [0, 1]], lane = [[0, 2]], warp = []}>>",
     "register = [[0, 1], [0, 1]]: 3 bases are not zero, but 2 cover each element once: one is a "
     "duplicate or a sum of others"},
    {"#ttg.linear<{register = [], lane = [], warp = [], block = []}>",
     "linear needs register: at least one basis is needed to give the number of dims"},
    {"tensor<16x16xf32, #ttg.nvidia_mma<{versionMajor = 5, warpsPerCTA = [1, 1], instrShape = [16, "
     "8]}>>",
     "versionMajor = 5: must be 2 or 3"},
    {"tensor<16x16xf32, #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [1, 1], instrShape = [16, "
     "8, 16]}>>",
     "instrShape = [16, 8, 16]: 3 entries, but the tensor has 2 dims"},
    {"tensor<16x16xf32, #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [1, 1], instrShape = [16, "
     "4]}>>",
     "instrShape = [16, 4]: m and n must be at least 8"},
    {"tensor<4x16x16xf32, #ttg.nvidia_mma<{versionMajor = 3, warpsPerCTA = [1, 4, 1], instrShape = "
     "[16, 8, 16]}>>",
     "warpsPerCTA = [1, 4, 1]: wgmma (versionMajor = 3) has no batches: 2 dims, not 3"},
    {"tensor<16xf32, #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [1], instrShape = [16]}>>",
     "warpsPerCTA = [1]: nvidia_mma is for matrices (2 dims) and batches of them (3 dims), not 1 "
     "dim"},
    {"tensor<16x16xf32, #ttg.amd_mfma<{version = 9, warpsPerCTA = [1, 1], instrShape = [32, 32], "
     "isTransposed = 1}>>",
     "version = 9: must be from 0 to 4"},
    {"tensor<16x16xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [32, 16], "
     "isTransposed = true}>>",
     "instrShape = [32, 16]: m x n must be 32 x 32, 16 x 16, 64 x 4 or 4 x 64"},
    {"tensor<64x16xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [64, 4, 4], "
     "isTransposed = false}>>",
     "isTransposed = false: a 64 x 4 tile must be transposed"},
    {"tensor<16x16xf16, #ttg.amd_wmma<{version = 3, isTranspose = false}>>",
     "amd_wmma needs ctaLayout: bases of warp and register such as {warp = [[0, 1], [1, 0]]}, or "
     "warpsPerCTA"},
    {"tensor<16x16xf16, #ttg.amd_wmma<{version = 1, ctaLayout = {wrap = [[0, 1]]}}>>",
     "ctaLayout = {\"wrap\": [[0, 1]]}: 'wrap' is not a dim of it: it has register and warp"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 3, "
     "warpsPerCTA = [4, 1], instrShape = [16, 8, 16]}>, kWidth = 2}>>",
     "opIdx = 1: must be 0 when the parent is wgmma (versionMajor = 3), which reads b from shared "
     "memory"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
     "warpsPerCTA = [4, 1], instrShape = [16, 8]}>}>>",
     "dot_op needs kWidth: a power of two, since its parent is nvidia_mma"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
     "warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 3}>>",
     "kWidth = 3: must be a power of two when the parent is nvidia_mma"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.amd_wmma<{version = 1, ctaLayout = "
     "{}}>, kWidth = 4}>>",
     "kWidth = 4: must be 8 or 16 with wmma version 1"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{sizePerThread = [1, 4], "
     "threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>, kWidth = 2}>>",
     "opIdx = 2: must be 0 or 1"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], "
     "threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>, kWidth = 2}>>",
     "kWidth = 2: must be 0 when the parent is blocked"},
    {"tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.linear<{register = [[0, 1]], lane = "
     "[], warp = []}>}>>",
     "parent: linear has no operands; it may be blocked, nvidia_mma, amd_mfma or amd_wmma"},
    {"tensor<2x16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], "
     "threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>}>>",
     "parent: it is for 2 dims, but the tensor has 3"},
    {"#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 0, order = [1, 0]}>",
     "vec = 3: must be a power of two"},
    {"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>",
     "swizzled_shared needs a shape: that of the tensor (set it with -t "
     "64x64xf16)"},
    {"!ttg.memdesc<64x64xf16, #triton_gpu.shared<{vec = 8, perPhase = 2, maxPhase = 8, order = [1, "
     "0], hasLeadingOffset = true}>>",
     "maxPhase = 8: with hasLeadingOffset, perPhase and maxPhase are 4 and 2, 2 and 4 or 1 and "
     "8"},
    {"!ttg.memdesc<8x32xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
     "elementBitWidth = 16}>, #smem>",
     "swizzlingByteWidth = 128: a block's part of the tensor needs 8 rows, with 64 elements along "
     "dim 1"},
    {"!ttg.memdesc<4x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
     "elementBitWidth = 16}>, #smem>",
     "swizzlingByteWidth = 128: a block's part of the tensor needs 8 rows, with 64 elements along "
     "dim 1"},
    {"!ttg.memdesc<64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
     "elementBitWidth = 16, rank = 1}>, #smem>",
     "swizzlingByteWidth = 128: must be 0 for a tensor of one dim: there are no rows to swizzle"},
    {"!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, "
     "elementBitWidth = 17, rank = 3}>, #smem>",
     "swizzlingByteWidth = 48: must be 0, 32, 64 or 128"},
    {"!ttg.memdesc<4x8xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}, "
     "alignment = 16>, #smem>",
     "shape [4, 8]: the bases cover 4 in dim 1"},
    {"!ttg.memdesc<4x64x64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
     "false, elementBitWidth = 16}>, #smem>",
     "nvmma_shared needs rank: the default is 2, but the tensor has 4 dims"},
    {"!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = "
     "[1, 0]}>, #smem, mutable, 3x16x32>",
     "shape [16, 64]: only 32 are allocated in dim 1"},
    {"{\"encoding\": \"blocked\", \"shape\": [4, 32], \"alloc\": [8, 32], \"params\": "
     "{\"sizePerThread\": "
     "[1, 1], \"threadsPerWarp\": [1, 32], \"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}",
     "shape [4, 32]: only a tensor in memory may have another 'alloc'"},
    {"!ttg.memdesc<4x16x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = "
     "[1, 0]}>, #smem, mutable, 16x32>",
     "shape [4, 16, 32]: the allocation has fewer dims: 2"},
    {"!ttg.memdesc<3x12x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = "
     "[1, 0]}>, #smem, mutable>",
     "shape [12, 32]: not a power of two in dim 0; try [16, 32]"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[3:+1, 8:+2, 8:+1] {order = [1, 0], shape = [16, "
     "32]}>, #smem>",
     "intervalPads = [[3, 1], [8, 2], [8, 1]]: each interval must be a power of two"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[8:+2, 8:+1] {order = [1, 0], shape = [16, 32]}>, "
     "#smem>",
     "intervalPads = [[8, 2], [8, 1]]: duplicate interval 8"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[] {order = [1, 0], shape = [16, 32]}>, #smem>",
     "intervalPads = []: 0 paddings, but there may be from 1 to 32"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[4] {order = [1, 0], shape = [16, 32]}>, #smem>",
     "intervalPads = [4]: must be a list of paddings such as [4:+2, 8:+1]"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[4:+2] {order = [1, 0], shape = [16, 64]}>, "
     "#smem>",
     "shape = [16, 64]: the tensor has 32 in dim 1"},
    {"!ttg.memdesc<16x32xf16, #ttg.padded_shared<[4:+2] {shape = [16, 32]}>, #smem>",
     "padded_shared needs order: the dims from the one that varies fastest; or offset and block, "
     "as bases"},
    {"#ttg.padded_shared<[4:+2] {order = [1, 0]}>",
     "padded_shared needs shape: or that of the tensor, set with -t 64x64xf16"},
    {"!ttg.memdesc<4xf16, #ttg.padded_shared<[4:+2] {order = [0], offset = [[2], [1]], block = "
     "[]}>, #smem>",
     "order = [0]: offset and block define the whole layout: do not set this too"},
    {"!ttg.memdesc<4xf16, #ttg.padded_shared<[4:+2] {offset = [[3], [1]], block = []}>, #smem>",
     "offset = [[3], [1]]: each basis must move by a power of two"},
    {"!ttg.memdesc<4xf16, #ttg.padded_shared<[4:+2] {offset = [[2], [2]], block = []}>, #smem>",
     "offset = [[2], [2]]: all bases together reach 2^1 elements of 2^2: 1, 2, 4, ... of each dim "
     "must be made of them"},
    {"!ttg.memdesc<8xf16, #ttg.padded_shared<[4:+2] {offset = [[2], [1]], block = []}>, #smem>",
     "shape [8]: the bases cover 4 in dim 0"},
    {"!ttg.memdesc<8x8xf16, #ttg.padded_shared<[4:+2] {order = [1, 0], CTAsPerCGA = [2, 1], "
     "CTASplitNum = [1, 1], CTAOrder = [1, 0]}>, #smem>",
     "CTAsPerCGA = [2, 1]: padded memory may not hold copies"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1], [3, 3]]}}",
     "layout = [[0, 1], [3, 3]]: thread 2 has 0 of the cells, but thread 0 has 1: each must have "
     "equally many"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1], [2, 4]]}}",
     "layout = [[0, 1], [2, 4]]: thread 4 is in the table, but there are only 4 cells: all "
     "threads "
     "from 0 on must have one"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1], [2]]}}",
     "layout = [[0, 1], [2]]: must be a matrix of integers such as [[0, 1], [2, 3]]"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1], 2]}}",
     "layout = [[0, 1], 2]: must be a matrix of integers such as [[0, 1], [2, 3]]"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[], []]}}",
     "layout = [[], []]: must be a matrix of integers such as [[0, 1], [2, 3]]"},
    {"{\"encoding\": \"distributed\", \"params\": {\"layout\": [[0, 1024]]}}",
     "layout = [[0, 1024]]: each entry must be from 0 to 1023"},
    {"{\"encoding\": \"distributed\", \"shape\": [4], \"params\": {\"layout\": [[0, 1]]}}",
     "layout = [[0, 1]]: 2 dims, but 1 is needed"},
    {"{\"encoding\": \"distributed\", \"shape\": [2], \"params\": {\"layout\": [0, 1, 2]}}",
     "layout = [0, 1, 2]: dim 0: 3 cells cannot be divided evenly among 2 elements, as some would "
     "have "
     "more owners than others"},
    {"{\"encoding\": \"mfma_scale\", \"params\": {\"dotOperandIdx\": 0, \"mfmaMDim\": 16, "
     "\"warpsPerCTA\": [1, 1]}}",
     "mfma_scale needs a shape: that of the scales, m or n by k/32 (-t 128x4xi8)"},
    {"{\"encoding\": \"mfma_scale\", \"shape\": [16, 4], \"params\": {\"dotOperandIdx\": 2, "
     "\"mfmaMDim\": 4, \"warpsPerCTA\": [1, 1]}}",
     "dotOperandIdx = 2: must be 0 or 1"},
    {"{\"encoding\": \"sm120_scale\", \"shape\": [16], \"params\": {\"opIdx\": 0, "
     "\"warpsPerCTA\": [1]}}",
     "shape [16]: sm120_scale is for matrices, of 2 dims"},
    {"{\"encoding\": \"wmma_scale\", \"shape\": [16, 2], \"triton\": \"3.7\", \"params\": "
     "{\"dotOperandIdx\": 0, \"mDim\": 32, \"ctaLayout\": {\"warp\": []}}}",
     "mDim = 32: must be 16 in Triton 3.7"},
    {"{\"encoding\": \"tensor_memory_scales_encoding\", \"shape\": [128, 8], \"triton\": \"3.7\", "
     "\"params\": {\"blockRepOrder\": \"kThenMn\"}}",
     "blockRepOrder = \"kThenMn\" is part of Triton 3.8 and later, not of 3.7"},
    {"{\"encoding\": \"tensor_memory_encoding\", \"shape\": [128, 64], \"params\": {\"blockM\": "
     "64, "
     "\"blockN\": 64, \"colStride\": 1, \"twoCTAs\": true}}",
     "twoCTAs = true: the first basis of CGALayout must be [1, 0]: the two blocks are neighbours "
     "along dim 0"},
    {"{\"encoding\": \"wmma_scale\", \"shape\": [16, 4], \"params\": {\"dotOperandIdx\": 0, "
     "\"ctaLayout\": {\"lane\": [[0, 1]]}}}",
     "ctaLayout = {\"lane\": [[0, 1]]}: 'lane' is not a dim of it: it has register and warp"},
    {"!ttg.memdesc<64x64xf32, #ttng.tensor_memory_encoding<blockM = 32, blockN = 1024, colStride = "
     "3>, #ttng.tensor_memory>",
     "blockM = 32: must be 64 or 128"},
    {"!ttg.memdesc<64x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64>, "
     "#ttng.tensor_memory>",
     "tensor_memory_encoding needs colStride: 1, 2 or 4"},
    {"!ttg.memdesc<64x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = "
     "2>, #ttng.tensor_memory>",
     "colStride = 2: a column has 32 bits, which is too few for elements of 32 bits so far "
     "apart"},
    {"!ttg.memdesc<64x64xf16, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = "
     "2, unpacked = true>, #ttng.tensor_memory>",
     "unpacked = true: colStride is set too; set only one of the two"},
    {"#ttng.tensor_memory_encoding<blockM = 64, blockN = 64, unpacked = true>",
     "unpacked = true: the bits of an element must be known (-t 128x128xf16)"},
    {"!ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = "
     "1, CTASplitM = 2>, #ttng.tensor_memory>",
     "shape [128, 64]: dim 0 needs at least 256, that is blockM times CTASplitM"},
    {"!ttg.memdesc<128x1xf16, #ttng.tensor_memory_encoding<blockM = 64, blockN = 1, colStride = 1, "
     "CTASplitM = 2, twoCTAs = true>, #ttng.tensor_memory>",
     "twoCTAs = true: two blocks of 64 rows share the columns, so there must be two or more"},
    {"!ttg.memdesc<128xf16, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, "
     "#ttng.tensor_memory>",
     "shape [128]: tensor_memory_encoding is for matrices, of 2 dims"},
    {"!ttg.memdesc<128x4xf16, #ttng.tensor_memory_scales_encoding<>, #ttng.tensor_memory>",
     "shape [128, 4]: scale factors have 8 bits, not 16"},
    {"!ttg.memdesc<128x4xi8, #ttng.tensor_memory_scales_encoding<CTASplitN = 8>, "
     "#ttng.tensor_memory>",
     "CTASplitN = 8: dim 1 has only 4 elements to share"},
    {"{\"bases\": {\"register\": [[0, 1], [1, 0, 2]], \"lane\": []}}",
     "bases = {\"register\": [[0, 1], [1, 0, 2]], \"lane\": []}: must be bases by name "
     "such as {\"lane\": [[0, 1]]}"},
    {"{\"bases\": {\"register\": [[0, 1]], \"lane\": [[1]]}}",
     "bases: each basis must have as many numbers as there are dims"},
    {"{\"in\": [[\"register\", 4]], \"bases\": {\"register\": [[0, 1]]}}",
     "bases: there are 1 of register, but its size in `in` needs 2"},
    {"{\"out\": [[\"dim0\", 4], [\"dim1\", 2]], \"bases\": {\"register\": [[0, 1]]}, "
     "\"surjective\": true}",
     "surjective = true: not true of the bases"},
    {"{\"out\": [[\"dim0\", 4], [\"dim1\", 2]], \"bases\": {\"register\": [[0, 2]]}}",
     "basis 0 of register is 2 in dim1: it must be below the size, 2"},
};

static void exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_document doc;
        struct lw_map map;
        struct lw_error err;
        if (!lw_document_read(&doc, rows[i].source, strlen(rows[i].source), NULL, &err))
            fail_msg("%s: %s", rows[i].source, err.message);
        if (lw_document_build(&doc, &map, &err))
            fail_msg("%s: legal", rows[i].source);
        assert_string_equal(err.message, rows[i].message);
        lw_document_free(&doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact),
    };
    return RUN(tests);
}
