/* The table of CuTe's MMA and copy atoms, and of AMD's matrix instructions. Source: cute/atom/mma_traits_*.hpp and
 * copy_traits_*.hpp of CUTLASS 4; the sizes of SM100: cute/arch/mma_sm100_umma.hpp; AMD's Matrix Instruction
 * Calculator. After the table its names: a name is matched against the pattern of a family, with alternatives and
 * numbers, which are stored at the index of their character in enum lw_atom_number. */

#include "notation/calc/cute_atoms.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */

/* ---- Pieces ---- */

#define COMMON_C ";C=((4,8),(2,2)):((32,1),(16,8))"
#define INT8 "{S8|U8}{S8|U8}"
#define INT4 "{S4|U4}{S4|U4}"
#define FP8 "{E4M3|E5M2}{E4M3|E5M2}"
#define SATURATE "{|_SATURATE}"

/* Warpgroups: A in registers or in shared memory, of K = 8, 16, 32, 64. */
#define GMMA_A8 "A=((4,8,4),(2,2)):((64,1,16),(8,256))"
#define GMMA_A16 "A=((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"
#define GMMA_A32 "A=((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"
#define GMMA_A64 "A=((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))"
#define GMMA_S(k) "A!=(128,(64," #k ")):(0,(1,64))"
#define GMMA_BC(k) ";B!=(128,(@," #k ")):(0,(1,@));C=((4,8,4),(2,2,@/8)):((128,1,16),(64,8,512))"
#define GMMA_E16 ";E=((2,2,8,4),(8,2)):((512,0,1,16),(64,8))"
#define GMMA_E32 ";E=((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))"
#define GMMA_E64 ";E=((2,2,8,4),(32)):((8,2048,1,16),(64))"
#define GMMA "{SM90|SM90::GMMA::MMA|GMMA::MMA|MMA}_64x@x"
#define GMMA_SPARSE "SM90::GMMA::SPARSE::GMMA_64x@x"
#define HALF "{F16F16F16|F32F16F16|F32BF16BF16}"
#define EVERY_8 {[LW_ATOM_N] = {8, 256, 8, {0}}}
#define BY_16 {[LW_ATOM_N] = {16, 256, 16, {8, 24}}}

/* Tensor memory: one thread, of one or of two CTAs. */
#define UMMA_1(k)                                                                                  \
    "~ @ " #k, "A!=(1,(~," #k ")):(0,(1,~));B!=(1,(@," #k ")):(0,(1,@));C!=(1,(~,@)):(0,(1,~))"
#define UMMA_2(k)                                                                                  \
    "~ @ " #k, "A!=(2,(~/2," #k ")):(~/2,(1,~));B!=(2,(@/2," #k ")):(@/2,(1,@));"                    \
               "C!=(2,(~/2,@)):(~/2,(1,~))"
#define SIZES(m, m_to, n) {{m, m_to, m, {0}}, {n, 256, n, {0}}, {0}}
#define SIZES_BY_M {{64, 128, 64, {0}}, {-8, 256, -8, {0}}, {0}}
#define SIZES_S8 {{64, 128, 64, {0}}, {16, 256, 16, {8}}, {0}}

/* Loads of tensor memory to 32 threads: each of them has all bits. In a store the source and the destination are
 * exchanged (find_part). */
#define TMEM_LOAD(bits, registers)                                                                 \
    "Src=(32," bits "):(0,1);Dst=" registers ";Ref=(32," bits "):(0,1)"
#define REPEATED(from, to) {[LW_ATOM_R] = {from, to, 0, {0}}}

#define LAYOUTS3(a, b, c) "Src=" a ";Dst=" b ";Ref=" c
/* The reference is the source, or the destination. */
#define FROM(a, b) LAYOUTS3(a, b, a)
#define TO(a, b) LAYOUTS3(a, b, b)

/* Two of the eight groups of four lanes: those that begin at n and at n + 16. */
#define SM70_PAIRS "((4,2),4):((8,4),1)"
#define SM70_ROWS "(8,4):(1,8)"
#define SM70_C16 "(8,8):(1,8)"
#define SM70_C32 "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"
#define SM70(types, a, b, c)                                                                       \
    {.names = "SM70_8x8x4_" types, .tile = "8 8 4", .threads = "(4,2):(1,16)",                     \
     .layouts = "A=" a ";B=" b ";C=" c}

/* AMD: A of M x K and B of N x K have runs of values along K, those of C are rows. */
#define FP8_AMD "{bf8_bf8|bf8_fp8|fp8_bf8|fp8_fp8}"
#define MFMA_C32 "C=((32,2),(4,4)):((32,4),(1,8))"
#define MFMA_C16 "C=((16,4),4):((16,4),1)"
/* CDNA 4: the results are those of CDNA 3 (AMDMfmaEncodingAttr of Triton). */
#define K_ORDER                                                                                    \
    "no document gives the order of K in its registers: AMD's calculator ends at CDNA 3, and Triton, IREE and " \
    "Composable Kernel permute K of A and B alike, which the result does not show"
#define CDNA4_AB "A?=" K_ORDER ";B?=" K_ORDER ";"
#define WMMA_3 "A=((16,2),16):((1,0),16);B=((16,2),16):((1,0),16);C=((16,2),8):((16,1),2)"
#define WMMA_C "C=((16,2),8):((16,8),1)"
#define SPARSE_A "A?=which elements of A a lane has depends on the indices of a sparse operand"

static const struct lw_atoms families[] = {
    /* ---- MMA of threads and warps ---- */
    {.names = "UniversalFMA", .tile = "1 1 1", .layouts = "A=(1,1):(0,0);B=(1,1):(0,0);C=(1,1):(0,0)"},
    {.names = "SM100_1x2x1_F32F32F32F32", .tile = "1 2 1",
     .layouts = "A=(1,1):(0,0);B=(1,2):(0,1);C=(1,2):(0,1)"},
    {.names = "SM100_2x1x1_F32F32F32F32", .tile = "2 1 1",
     .layouts = "A=(1,2):(0,1);B=(1,1):(0,0);C=(1,2):(0,1)"},
    {.names = "SM61_DP2A", .tile = "1 1 2", .layouts = "A=(1,2):(0,1);B=(1,2):(0,1);C=(1,1):(0,0)"},
    {.names = "SM61_DP4A", .tile = "1 1 4", .layouts = "A=(1,4):(0,1);B=(1,4):(0,1);C=(1,1):(0,0)"},
    SM70("F16F16F16F16_NN", SM70_PAIRS, SM70_ROWS, SM70_C16),
    SM70("F16F16F16F16_NT", SM70_PAIRS, SM70_PAIRS, SM70_C16),
    SM70("F16F16F16F16_TN", SM70_ROWS, SM70_ROWS, SM70_C16),
    SM70("F16F16F16F16_TT", SM70_ROWS, SM70_PAIRS, SM70_C16),
    SM70("F32F16F16F32_NN", SM70_PAIRS, SM70_ROWS, SM70_C32),
    SM70("F32F16F16F32_NT", SM70_PAIRS, SM70_PAIRS, SM70_C32),
    SM70("F32F16F16F32_TN", SM70_ROWS, SM70_ROWS, SM70_C32),
    SM70("F32F16F16F32_TT", SM70_ROWS, SM70_PAIRS, SM70_C32),
    {.names = "{SM75|SM80}_16x8x8_{F16F16F16F16|F32F16F16F32}_TN SM80_16x8x8_F32BF16BF16F32_TN",
     .tile = "16 8 8",
     .layouts = "A=((4,8),(2,2)):((32,1),(16,8));B=((4,8),2):((16,1),8)" COMMON_C},
    {.names = "SM75_8x8x16_S32S8S8S32_TN SM80_8x8x16_S32" INT8 "S32_TN" SATURATE, .tile = "8 8 16",
     .layouts = "A=((4,8),4):((32,1),8);B=((4,8),4):((32,1),8);C=((4,8),2):((16,1),8)"},
    {.names = "SM80_16x8x16_{F16F16F16F16|F32F16F16F32|F32BF16BF16F32}_TN", .tile = "16 8 16",
     .layouts = "A=((4,8),(2,2,2)):((32,1),(16,8,128));B=((4,8),(2,2)):((16,1),(8,64))" COMMON_C},
    {.names = "SM80_16x8x16_S32" INT8 "S32_TN" SATURATE " SM89_16x8x16_F16" FP8 "F16_TN SM89_16x8x16_F32" FP8
              "F32_TN", .tile = "16 8 16",
     .layouts = "A=((4,8),(4,2)):((64,1),(16,8));B=((4,8),4):((32,1),8)" COMMON_C},
    {.names = "SM80_16x8x32_S32" INT4 "S32_TN" SATURATE, .tile = "16 8 32",
     .layouts = "A=((4,8),(8,2)):((128,1),(16,8));B=((4,8),(8)):((64,1),(8))" COMMON_C},
    {.names = "SM80_16x8x32_S32" INT8 "S32_TN" SATURATE " SM89_16x8x32_F16" FP8 "F16_TN SM89_16x8x32_F32" FP8
              "F32_TN SM120_16x8x32_TN", .tile = "16 8 32",
     .layouts = "A=((4,8),(4,2,2)):((64,1),(16,8,256));B=((4,8),(4,2)):((32,1),(8,128))" COMMON_C},
    {.names = "SM80_16x8x4_F32TF32TF32F32_TN SM90_16x8x4_{C64C64C64C64|F64F64F64F64}_TN", .tile = "16 8 4",
     .layouts = "A=((4,8),2):((16,1),8);B=((4,8),1):((8,1),0)" COMMON_C},
    {.names = "SM80_16x8x64_S32" INT4 "S32_TN" SATURATE, .tile = "16 8 64",
     .layouts = "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(8,2)):((64,1),(8,256))" COMMON_C},
    {.names = "SM80_16x8x8_F32TF32TF32F32_TN SM90_16x8x8_{C64C64C64C64|F64F64F64F64}_TN", .tile = "16 8 8",
     .layouts = "A=((4,8),(2,2)):((16,1),(8,64));B=((4,8),2):((8,1),32)" COMMON_C},
    {.names = "SM80_8x8x128_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", .tile = "8 8 128",
     .layouts = "A=((4,8),32):((256,1),8);B=((4,8),32):((256,1),8);C=((4,8),2):((16,1),8)"},
    {.names = "SM80_16x8x128_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", .tile = "16 8 128",
     .layouts = "A?=CUTLASS gives A the shape ((4,8),(32,2)) and the stride ((512,1),((16,8))), "
                "which do not go together;B=((4,8),32):((256,1),8)" COMMON_C},
    {.names = "SM80_16x8x256_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", .tile = "16 8 256",
     .layouts = "A=((4,8),(32,2,2)):((512,1),(16,8,2048));B=((4,8),(32,2)):((256,1),(8,1024))" COMMON_C},
    {.names = "SM80_8x8x32_S32" INT4 "S32_TN" SATURATE, .tile = "8 8 32",
     .layouts = "A=((4,8),(8)):((64,1),(8));B=((4,8),(8)):((64,1),(8));C=((4,8),2):((16,1),8)"},
    {.names = "SM80_8x8x4_{C64C64C64C64|F64F64F64F64|GC64C64C64GC64}_TN", .tile = "8 8 4",
     .layouts = "A=((4,8),1):((8,1),0);B=((4,8),1):((8,1),0);C=((4,8),2):((16,1),8)"},
    {.names = "SM90_16x8x16_{C64C64C64C64|F64F64F64F64}_TN", .tile = "16 8 16",
     .layouts = "A=((4,8),(2,4)):((16,1),(8,64));B=((4,8),4):((8,1),32)" COMMON_C},

    /* ---- SM120: scales of blocks, structured sparsity ---- */
    {.names = "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", .tile = "16 8 32",
     .layouts = "A=((4,8),(4,2,2)):((64,1),(16,8,256));B=((4,8),(4,2)):((32,1),(8,128))" COMMON_C
                ";SFA=((2,2,8),32):((8,0,1),16);SFB=((4,8),32):((0,1),8)"},
    {.names = "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", .tile = "16 8 64",
     .layouts = "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(8,2)):((64,1),(8,256))" COMMON_C
                ";SFA=((2,2,8),64):((8,0,1),16);SFB=((4,8),64):((0,1),8)"},
    {.names = "SM120::SPARSE::SM120_SPARSE_16x8x64_TN", .tile = "16 8 64",
     .layouts = "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(4,4)):((32,1),(8,128))" COMMON_C
                ";E=((2,2,8),32):((8,512,1),16)"},
    {.names = "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS", .tile = "16 8 64",
     .layouts = "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(4,4)):((32,1),(8,128))" COMMON_C
                ";E=((2,2,8),32):((8,512,1),16);SFA=((2,2,8),64):((8,0,1),16);SFB=((4,8),64):((0,1),8)"},
    {.names = "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS", .tile = "16 8 128",
     .layouts = "A=((4,8),(16,2,2)):((256,1),(16,8,1024));B=((4,8),(8,4)):((64,1),(8,256))" COMMON_C
                ";E=((2,2,8),(64)):((8,1024,1),(16));SFA=((2,2,8),128):((8,0,1),16);"
                "SFB=((4,8),128):((0,1),8)"},

    /* ---- SM90: MMA of warpgroups ---- */
    {GMMA "8_F32TF32TF32_SS_TN", "64 @ 8", GMMA_S(8) GMMA_BC(8), EVERY_8, 0, 0},
    {GMMA "8_F32TF32TF32_RS_TN", "64 @ 8", GMMA_A8 GMMA_BC(8), EVERY_8, 0, 0},
    {GMMA "16_" HALF "_SS", "64 @ 16", GMMA_S(16) GMMA_BC(16), EVERY_8, 0, 0},
    {GMMA "16_" HALF "_RS", "64 @ 16", GMMA_A16 GMMA_BC(16), EVERY_8, 0, 0},
    {GMMA "32_{F16|F32}" FP8 "_SS_TN", "64 @ 32", GMMA_S(32) GMMA_BC(32), EVERY_8, 0, 0},
    {GMMA "32_{F16|F32}" FP8 "_RS_TN", "64 @ 32", GMMA_A32 GMMA_BC(32), EVERY_8, 0, 0},
    {GMMA "32_S32" INT8 "_SS_TN" SATURATE, "64 @ 32", GMMA_S(32) GMMA_BC(32), BY_16, 0, 0},
    {GMMA "32_S32" INT8 "_RS_TN" SATURATE, "64 @ 32", GMMA_A32 GMMA_BC(32), BY_16, 0, 0},
    {GMMA_SPARSE "16_F32TF32TF32_SS_TN", "64 @ 16", GMMA_S(16) GMMA_BC(16) GMMA_E16, EVERY_8, 0, 0},
    {GMMA_SPARSE "16_F32TF32TF32_RS_TN", "64 @ 16", GMMA_A16 GMMA_BC(16) GMMA_E16, EVERY_8, 0, 0},
    {GMMA_SPARSE "32_" HALF "_SS", "64 @ 32", GMMA_S(32) GMMA_BC(32) GMMA_E32, EVERY_8, 0, 0},
    {GMMA_SPARSE "32_" HALF "_RS", "64 @ 32", GMMA_A32 GMMA_BC(32) GMMA_E32, EVERY_8, 0, 0},
    {GMMA_SPARSE "64_{F16|F32}" FP8 "_SS_TN", "64 @ 64", GMMA_S(64) GMMA_BC(64) GMMA_E64, EVERY_8, 0, 0},
    {GMMA_SPARSE "64_{F16|F32}" FP8 "_RS_TN", "64 @ 64", GMMA_A64 GMMA_BC(64) GMMA_E64, EVERY_8, 0, 0},
    {GMMA_SPARSE "64_S32" INT8 "_SS_TN" SATURATE, "64 @ 64", GMMA_S(64) GMMA_BC(64) GMMA_E64, BY_16, 0, 0},
    {GMMA_SPARSE "64_S32" INT8 "_RS_TN" SATURATE, "64 @ 64", GMMA_A64 GMMA_BC(64) GMMA_E64, BY_16, 0, 0},

    /* ---- SM100: MMA on tensor memory ---- */
    {"SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN_~x@", UMMA_1(4), SIZES_BY_M, 0, 0},
    {"SM100_MMA_TF32_SS{|_SCALED}_~x@", UMMA_1(8), SIZES(64, 128, 8), 0, 0},
    {"SM100_MMA_TF32_TS{|_SCALED}_~x@", UMMA_1(8), SIZES_BY_M, 0, 0},
    {"SM100_MMA_F16BF16_SS{|_SCALED}_~x@ SM100_MMA_TF32_SS_SPARSE_~x@", UMMA_1(16), SIZES(64, 128, 8), 0, 0},
    {"SM100_MMA_F16BF16_TS{|_SCALED}_~x@", UMMA_1(16), SIZES_BY_M, 0, 0},
    {"SM100_MMA_F16BF16_SS_SPARSE_~x@ SM100_MMA_F8F6F4_SS_~x@", UMMA_1(32), SIZES(64, 128, 8), 0, 0},
    {"SM100_MMA_MXF8F6F4_SS_~x@", UMMA_1(32), SIZES(128, 128, 8), 0, 0},
    {"SM100_MMA_F8F6F4_TS_~x@", UMMA_1(32), SIZES_BY_M, 0, 0},
    {"SM100_MMA_S8_{SS|TS}_~x@", UMMA_1(32), SIZES_S8, 0, 0},
    {"SM100_MMA_S8_SS_SPARSE_~x@", UMMA_1(64), SIZES_S8, 0, 0},
    {"SM100_MMA_F8F6F4_SS_SPARSE_~x@", UMMA_1(64), SIZES_BY_M, 0, 0},
    {"SM100_MMA_{MXF8F6F4_SS_SPARSE|MXF4_SS}_~x@", UMMA_1(64), SIZES(128, 128, 8), 0, 0},
    {"SM103::SM103_MXF4_ULTRA_SS_VS_~x@", UMMA_1(96), SIZES(128, 128, 16), 0, 0},
    {"SM100_MMA_MXF4NVF4_SS_SPARSE_~x@", UMMA_1(128), SIZES(128, 128, 8), 0, 0},
    {"SM100_MMA_TF32_2x1SM_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN_~x@", UMMA_2(4), SIZES(128, 256, 32), 0, 0},
    {"SM100_MMA_TF32_2x1SM_SS{|_SCALED}_~x@", UMMA_2(8), SIZES(128, 256, 16), 0, 0},
    {"SM100_MMA_TF32_2x1SM_TS{|_SCALED}_~x@", UMMA_2(8), SIZES(128, 256, 32), 0, 0},
    {"SM100_MMA_F16BF16_2x1SM_SS{|_SCALED}_~x@ SM100_MMA_TF32_2x1SM_SS_SPARSE_~x@", UMMA_2(16),
     SIZES(128, 256, 16), 0, 0},
    {"SM100_MMA_F16BF16_2x1SM_TS{|_SCALED}_~x@", UMMA_2(16), SIZES(128, 256, 32), 0, 0},
    {"SM100_MMA_F16BF16_2x1SM_SS_SPARSE_~x@ SM100_MMA_F8F6F4_2x1SM_SS_~x@", UMMA_2(32),
     SIZES(128, 256, 16), 0, 0},
    {"SM100_MMA_MXF8F6F4_2x1SM_SS_~x@", UMMA_2(32), SIZES(256, 256, 16), 0, 0},
    {"SM100_MMA_F8F6F4_2x1SM_TS_~x@ SM100_MMA_S8_2x1SM_{SS|TS}_~x@", UMMA_2(32), SIZES(128, 256, 32), 0, 0},
    {"SM100_MMA_{F8F6F4|S8}_2x1SM_SS_SPARSE_~x@", UMMA_2(64), SIZES(128, 256, 32), 0, 0},
    {"SM100_MMA_MXF8F6F4_2x1SM_SS_SPARSE_~x@", UMMA_2(64), SIZES(256, 256, 16), 0, 0},
    {"SM100_MMA_MXF4_2x1SM_SS_~x@", UMMA_2(64), SIZES(128, 256, 16), 0, 0},
    {"SM103::SM103_MXF4_ULTRA_2x1SM_SS_VS_~x@", UMMA_2(96), SIZES(128, 256, 16), 0, 0},
    {"SM100_MMA_MXF4NVF4_2x1SM_SS_SPARSE_~x@", UMMA_2(128), {{2, 256, 2, {0}}, {16, 256, 16, {0}}, {0}}, 0, 0},

    /* ---- Copies: tensor memory ---- */
    {"SM100_TMEM_{LOAD|STORE}_16dp32b^x{|_16b}", 0,
     TMEM_LOAD("1024*^", "((16,2),32*^):((64*^,32*^),1)"), REPEATED(1, 128), 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_32dp32b^x{|_16b}", 0,
     TMEM_LOAD("1024*^", "(32,32*^):(32*^,1)"), REPEATED(1, 128), 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp64b1x{|_16b}", 0,
     TMEM_LOAD("1024", "((2,2,8),32):((512,32,64),1)"), {{0}}, 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp64b^x{|_16b}", 0,
     TMEM_LOAD("1024*^", "((2,2,8),(32,^)):((512*^,32,64*^),(1,64))"), REPEATED(2, 128), 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp128b1x{|_16b}", 0,
     TMEM_LOAD("2048", "((4,8),(32,2)):((32,128),(1,1024))"), {{0}}, 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp128b^x{|_16b}", 0,
     TMEM_LOAD("2048*^", "((4,8),(32,2,^)):((32,128*^),(1,1024*^,128))"), REPEATED(2, 64), 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp256b1x{|_16b}", 0,
     TMEM_LOAD("4096", "((4,8),(64,2)):((64,256),(1,2048))"), {{0}}, 0, 0},
    {"SM100_TMEM_{LOAD|STORE}_16dp256b^x{|_16b}", 0,
     TMEM_LOAD("4096*^", "((4,8),(64,2,^)):((64,256*^),(1,2048*^,256))"), REPEATED(2, 32), 0, 0},
    {"SM100_TMEM_LOAD_STAT_32dp32b^x", 0,
     TMEM_LOAD("1024*^", "(32,32*^):(32*^,1)"), {[LW_ATOM_R] = {32, 32, 0, {128}}}, 0, 0},

    /* ---- Copies: others ---- */
    {"SM100_{LOAD|STORE}_256bit_CACHE_NOALLOCATION", 0, FROM("(1,256):(0,1)", "(1,256):(0,1)"), {{0}}, 0, 0},
    {"SM100_SU{4|6}_DU8x16_x1_LDSM_N SM75_U32x1_LDSM_N SM90_U32x1_STSM_N", 0,
     TO("((8,4),128):((128,0),1)", "(32,32):(32,1)"), {{0}}, 0, 0},
    {"SM100_SU{4|6}_DU8x16_x2_LDSM_N SM75_U32x2_LDSM_N SM90_U32x2_STSM_N", 0,
     TO("((16,2),128):((128,0),1)", "(32,(32,2)):(32,(1,1024))"), {{0}}, 0, 0},
    {"SM100_SU{4|6}_DU8x16_x4_LDSM_N SM75_U32x4_LDSM_N SM90_U32x4_STSM_N", 0,
     TO("(32,128):(128,1)", "(32,(32,4)):(32,(1,1024))"), {{0}}, 0, 0},
    {"SM100_U8x16_LDSM_T", 0,
     TO("((2,2,4,2),128):((128,1024,256,2048),1)", "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))"), {{0}}, 0, 0},
    {"SM100_U8x16_STSM_T", 0,
     TO("(32,128):(128,1)", "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))"), {{0}}, 0, 0},
    {"SM100_U8x4_STSM_T", 0,
     TO("((8,4),128):((128,0),1)", "((4,8),(8,2,2)):((256,8),(1,128,64))"), {{0}}, 0, 0},
    {"SM100_U8x8_LDSM_T", 0,
     TO("((2,2,4,2),128):((128,1024,256,0),1)", "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))"), {{0}}, 0, 0},
    {"SM100_U8x8_STSM_T", 0,
     TO("((16,2),128):((128,0),1)", "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))"), {{0}}, 0, 0},
    {"SM100_UTCCP_128dp128bit_^cta", 0,
     FROM("(^,16384):(0,1)", "(^,16384):(0,1)"), REPEATED(1, 2), 0, 0},
    {"SM100_UTCCP_128dp256bit_^cta", 0,
     FROM("(^,32768):(0,1)", "(^,32768):(0,1)"), REPEATED(1, 2), 0, 0},
    {"SM100_UTCCP_2x64dp128bitlw0123_^cta", 0,
     TO("(^,(32,128,2,2)):(0,(1,32,4096,0))", "(^,16384):(0,1)"), REPEATED(1, 2), 0, 0},
    {"SM100_UTCCP_2x64dp128bitlw0213_^cta", 0,
     TO("(^,(64,128,2)):(0,(1,64,0))", "(^,16384):(0,1)"), REPEATED(1, 2), 0, 0},
    {"SM100_UTCCP_4dp256bit_^cta", 0,
     FROM("(^,(4,256)):(0,(32,128))", "(^,(4,256)):(0,(32,128))"), REPEATED(1, 2), 0, 0},
    {"SM100_UTCCP_4x32dp128bit_^cta", 0,
     TO("(^,(32,128,4)):(0,(1,32,0))", "(^,16384):(0,1)"), REPEATED(1, 2), 0, 0},
    {"SM75_U16x2_LDSM_T SM90_U16x2_STSM_T", 0,
     TO("((8,4),128):((128,0),1)", "((4,8),(16,2)):((256,16),(1,128))"), {{0}}, 0, 0},
    {"SM75_U16x4_LDSM_T SM90_U16x4_STSM_T", 0,
     TO("((16,2),128):((128,0),1)", "((4,8),(16,2,2)):((256,16),(1,128,1024))"), {{0}}, 0, 0},
    {"SM75_U16x8_LDSM_T SM90_U16x8_STSM_T", 0,
     TO("(32,128):(128,1)", "((4,8),(16,2,4)):((256,16),(1,128,1024))"), {{0}}, 0, 0},
    /* Of the CuTe DSL alone: ldmatrix.m16n16. */
    {"LdMatrix16x16x8b_x1", 0,
     TO("((16,2),128):((128,0),1)", "((4,8),(8,4,2)):((512,8),(1,128,64))"), {{0}}, 0, 0},
    {"LdMatrix16x16x8b_x2", 0,
     TO("(32,128):(128,1)", "((4,8),(8,4,2,2)):((512,8),(1,128,64,2048))"), {{0}}, 0, 0},
    {"SM75_U32x1_MOVM_T", 0, FROM("(32,32):(32,1)", "(32,32):(32,1)"), {{0}}, 0, 0},
    {"SM50_Shuffle_U32_2x2Trans_XOR1", 0,
     FROM("(32,64):(64,1)", "((2,16),(32,2)):((32,128),(1,64))"), {{0}}, 0, 0},
    {"SM50_Shuffle_U32_2x2Trans_XOR4", 0,
     FROM("(32,64):(64,1)", "((4,2,4),(32,2)):((64,32,512),(1,256))"), {{0}}, 0, 0},
    {"UniversalCopy_^b", 0, FROM("(1,^):(0,1)", "(1,^):(0,1)"), REPEATED(4, 1024), 0, 0},
    {"SM80_CP_ASYNC_CACHEALWAYS{|_ZFILL}_^b", 0, FROM("(1,^):(0,1)", "(1,^):(0,1)"), REPEATED(32, 128), 0, 0},
    {"SM80_CP_ASYNC_CACHEGLOBAL{|_ZFILL}_^b", 0, FROM("(1,^):(0,1)", "(1,^):(0,1)"), REPEATED(128, 128), 0, 0},
    {"SM90_BULK_COPY_^b", 0, FROM("(1,^):(0,1)", "(1,^):(0,1)"), {[LW_ATOM_R] = {8, 1 << 21, 8, {0}}}, 0, 0},
    {"AutoVectorizingCopyWithAssumedAlignment AutoVectorizingCopy DefaultCopy",
     0, FROM("(1,1):(0,0)", "(1,1):(0,0)"), {{0}}, 0, 0},
    /* ---- AMD: matrix instructions of one block ---- */
    {.names = "v_mfma_f32_16x16x16{_|}f16 v_mfma_f32_16x16x16{_bf16|bf16_1k} v_mfma_i32_16x16x16i8", .tile = "16 16 16",
     .layouts = "A=((16,4),4):((1,64),16);B=((16,4),4):((1,64),16);" MFMA_C16},
    {.names = "v_mfma_i32_16x16x32_i8 v_mfma_f32_16x16x32_" FP8_AMD, .tile = "16 16 32",
     .layouts = "A=((16,4),8):((1,128),16);B=((16,4),8):((1,128),16);" MFMA_C16},
    {.names = "v_smfmac_f32_16x16x32_{f16|bf16}", .tile = "16 16 32",
     .layouts = SPARSE_A ";B=((16,4),8):((1,128),16);" MFMA_C16},
    {.names = "v_mfma_f64_16x16x4{_|}f64", .tile = "16 16 4",
     .layouts = "A=(64,1):(1,0);B=(64,1):(1,0);" "C=((16,4),4):((16,1),4)"},
    {.names = "v_mfma_f32_16x16x4{_|}f32", .tile = "16 16 4",
     .layouts = "A=(64,1):(1,0);B=(64,1):(1,0);" MFMA_C16},
    {.names = "v_smfmac_i32_16x16x64_i8 v_smfmac_f32_16x16x64_" FP8_AMD, .tile = "16 16 64",
     .layouts = SPARSE_A ";B=((16,4),16):((1,256),16);" MFMA_C16},
    {.names = "v_mfma_f32_16x16x8{bf16|_xf32}", .tile = "16 16 8",
     .layouts = "A=((16,4),2):((1,32),16);B=((16,4),2):((1,32),16);" MFMA_C16},
    {.names = "v_mfma_i32_32x32x16_i8 v_mfma_f32_32x32x16_" FP8_AMD, .tile = "32 32 16",
     .layouts = "A=((32,2),8):((1,256),32);B=((32,2),8):((1,256),32);" MFMA_C32},
    {.names = "v_smfmac_f32_32x32x16_{f16|bf16}", .tile = "32 32 16",
     .layouts = SPARSE_A ";B=((32,2),8):((1,256),32);" MFMA_C32},
    {.names = "v_mfma_f32_32x32x2{_|}f32", .tile = "32 32 2",
     .layouts = "A=(64,1):(1,0);B=(64,1):(1,0);" MFMA_C32},
    {.names = "v_smfmac_i32_32x32x32_i8 v_smfmac_f32_32x32x32_" FP8_AMD, .tile = "32 32 32",
     .layouts = SPARSE_A ";B=((32,2),16):((1,512),32);" MFMA_C32},
    {.names = "v_mfma_f32_32x32x4{bf16|_xf32}", .tile = "32 32 4",
     .layouts = "A=((32,2),2):((1,64),32);B=((32,2),2):((1,64),32);" MFMA_C32},
    {.names = "v_mfma_f32_32x32x8{_|}f16 v_mfma_f32_32x32x8{_bf16|bf16_1k} v_mfma_i32_32x32x8i8", .tile = "32 32 8",
     .layouts = "A=((32,2),4):((1,128),32);B=((32,2),4):((1,128),32);" MFMA_C32},
    {.names = "v_mfma_f32_16x16x32_{f16|bf16}", .tile = "16 16 32", .layouts = CDNA4_AB MFMA_C16},
    {.names = "v_mfma_i32_16x16x64_i8", .tile = "16 16 64", .layouts = CDNA4_AB MFMA_C16},
    {.names = "v_mfma_{|scale_}f32_16x16x128_f8f6f4", .tile = "16 16 128", .layouts = CDNA4_AB MFMA_C16},
    {.names = "v_mfma_f32_32x32x16_{f16|bf16}", .tile = "32 32 16", .layouts = CDNA4_AB MFMA_C32},
    {.names = "v_mfma_i32_32x32x32_i8", .tile = "32 32 32", .layouts = CDNA4_AB MFMA_C32},
    {.names = "v_mfma_{|scale_}f32_32x32x64_f8f6f4", .tile = "32 32 64", .layouts = CDNA4_AB MFMA_C32},
    {.names = "v_smfmac_f32_16x16x64_{f16|bf16}", .tile = "16 16 64", .layouts = SPARSE_A ";B?=" K_ORDER ";" MFMA_C16},
    {.names = "v_smfmac_i32_16x16x128_i8 v_smfmac_f32_16x16x128_" FP8_AMD, .tile = "16 16 128",
     .layouts = SPARSE_A ";B?=" K_ORDER ";" MFMA_C16},
    {.names = "v_smfmac_f32_32x32x32_{f16|bf16}", .tile = "32 32 32", .layouts = SPARSE_A ";B?=" K_ORDER ";" MFMA_C32},
    {.names = "v_smfmac_i32_32x32x64_i8 v_smfmac_f32_32x32x64_" FP8_AMD, .tile = "32 32 64",
     .layouts = SPARSE_A ";B?=" K_ORDER ";" MFMA_C32},
    /* In waves of 32 lanes. A and B of RDNA 3 are in both halves of the wave. */
    {.names = "v_wmma_* v_swmmac_*",
     .why = "RDNA 3 and RDNA 4 have instructions of the same name with other layouts: write rdna3:: or rdna4:: before "
            "it"},
    {.names = "rdna3::v_wmma_{f32|f16}_16x16x16_f16 rdna3::v_wmma_{f32|bf16}_16x16x16_bf16 "
              "rdna3::v_wmma_i32_16x16x16_{iu8|iu4}", .tile = "16 16 16", .layouts = WMMA_3},
    {.names = "rdna4::v_wmma_{f32|f16}_16x16x16_f16 rdna4::v_wmma_{f32|bf16}_16x16x16_bf16", .tile = "16 16 16",
     .layouts = "A=((16,2),(4,2)):((1,64),(16,128));B=((16,2),(4,2)):((1,64),(16,128));" WMMA_C},
    {.names = "rdna4::v_wmma_i32_16x16x16_{iu8|iu4} rdna4::v_wmma_f32_16x16x16_" FP8_AMD, .tile = "16 16 16",
     .layouts = "A=((16,2),8):((1,128),16);B=((16,2),8):((1,128),16);" WMMA_C},
    {.names = "rdna4::v_wmma_i32_16x16x32_iu4", .tile = "16 16 32",
     .layouts = "A=((16,2),16):((1,256),16);B=((16,2),16):((1,256),16);" WMMA_C},
    {.names = "rdna4::v_swmmac_{f32|f16}_16x16x32_f16 rdna4::v_swmmac_{f32|bf16}_16x16x32_bf16", .tile = "16 16 32",
     .layouts = SPARSE_A ";B=((16,2),(8,2)):((1,128),(16,256));" WMMA_C},
    {.names = "rdna4::v_swmmac_i32_16x16x32_{iu8|iu4} rdna4::v_swmmac_f32_16x16x32_" FP8_AMD, .tile = "16 16 32",
     .layouts = SPARSE_A ";B=((16,2),16):((1,256),16);" WMMA_C},
    {.names = "rdna4::v_swmmac_i32_16x16x64_iu4", .tile = "16 16 64",
     .layouts = SPARSE_A ";B=((16,2),32):((1,512),16);" WMMA_C},
    {.names = "SM80_SPARSE_*", .why = "neither CUTLASS nor the CuTe DSL 4.8.1 has a layout for sparse mma of sm_80"},
    {.names = "{SM90|SM100}_TMA_* SM90_BULK_COPY_*",
     .why = "the number of bits that one copy moves is a parameter of its traits, set for each tensor: one "
            "thread has them all"},
};
/* clang-format on */

/* ---- Names ---- */

int lw_atom_number_of(char c)
{
    const char *found = c ? strchr("~@^", c) : NULL;
    return found ? (int)(found - "~@^") : -1;
}

/* Whether a name matches a pattern up to its `end`; the numbers in it are undefined when it does not. */
static bool fits_with(const char *pattern, const char *end, const char *name, int numbers[3])
{
    for (; pattern < end; pattern++) {
        int number = lw_atom_number_of(*pattern);
        if (*pattern == '*')
            return true;
        if (*pattern == '{') {
            const char *close = strchr(pattern, '}');
            for (const char *at = pattern + 1; at <= close; at += strcspn(at, "|}") + 1)
                if (!strncmp(at, name, strcspn(at, "|}")) &&
                    fits_with(close + 1, end, name + strcspn(at, "|}"), numbers))
                    return true;
            return false;
        }
        if (number < 0) {
            if (*name++ != *pattern)
                return false;
            continue;
        }
        size_t digits = strspn(name, "0123456789");
        if (digits == 0 || digits > 7 || *name == '0')
            return false;
        numbers[number] = atoi(name);
        name += digits;
    }
    return *name == '\0';
}

/* The same, but the numbers are changed only when the name matches. */
static bool fits(const char *pattern, const char *end, const char *name, int numbers[3])
{
    int tried[3] = {0};
    if (!fits_with(pattern, end, name, tried))
        return false;
    memcpy(numbers, tried, sizeof tried);
    return true;
}

struct lw_atom_range lw_atom_range_of(const struct lw_atoms *family, int i, const int numbers[3])
{
    struct lw_atom_range range = family->number[i];
    if (range.step < 0)
        range.from = range.step = numbers[LW_ATOM_M] / -range.step;
    return range;
}

static bool in_range(const struct lw_atom_range *range, int number)
{
    bool within = number >= range->from && number <= range->to;
    bool on_step = range->step ? within && (number - range->from) % range->step == 0
                               : within && (number & (number - 1)) == 0;
    return on_step || (number && (number == range->also[0] || number == range->also[1]));
}

int lw_atom_wrong_number(const struct lw_atoms *family, const int numbers[3])
{
    for (int i = 0; i < 3; i++) {
        struct lw_atom_range range = lw_atom_range_of(family, i, numbers);
        if (range.to && !in_range(&range, numbers[i]))
            return i;
    }
    return -1;
}

const struct lw_atoms *lw_atom_find(const char *name, int numbers[3])
{
    const struct lw_atoms *near = NULL;
    for (const struct lw_atoms *family = families; family < families + LW_COUNT(families); family++)
        for (const char *at = family->names, *end; *at; at = end + strspn(end, " ")) {
            const char *last = at;
            end = at + strcspn(at, " ");
            for (const char *c = at; c + 1 < end && *c != '{'; c++)
                if (c[0] == ':' && c[1] == ':')
                    last = c + 2;
            if (!fits(at, end, name, numbers) && !fits(last, end, name, numbers))
                continue;
            if (lw_atom_wrong_number(family, numbers) < 0)
                return family;
            near = family;
        }
    return near;
}
