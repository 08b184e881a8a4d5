/*
 * The atoms of CuTe and AMD's matrix instructions by their names: which thread and value have which element.
 *
 *     SM80_16x8x16_F32F16F16F32_TN.C      of the 16 x 8 tile of the result
 *     SM75_U32x4_LDSM_N.Dst               of bits
 *     v_mfma_f32_32x32x8_f16.A            of the 32 x 8 tile of A
 * Template arguments may follow. The sizes among them, M and N of an MMA or the bits of a copy's type, become the end
 * of the name: SM100_MMA_TF32_SS<..., 128, 256, ...> is SM100_MMA_TF32_SS_128x256.
 *
 * They are a table with a row for each family: a name is matched against its pattern, and the numbers in the name are
 * filled into its layouts, which are expressions.
 * Source: cute/atom/mma_traits_*.hpp and copy_traits_*.hpp of CUTLASS 4; the sizes of SM100:
 * cute/arch/mma_sm100_umma.hpp; AMD's Matrix Instruction Calculator.
 */

#include "notation/calc/calculator.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 160
#define THREADS "ThrID"

/* ---- The table ---- */

enum { M, N, R };

/* The legal values of a number. */
struct range {
    int from, to, step; /* step 0: powers of two; from and step -8: M / 8 */
    int also[2];        /* 0, or more of them */
};

/* In a name {a|b} matches a or b, which may be empty, * at the end matches anything, and ~, @ and ^ match the numbers
 * M, N and R; a prefix up to :: is optional. In a layout and a tile these characters are the numbers, also as 64*^ and
 * ~/2. */
struct family {
    const char *names; /* blanks between them */
    const char *tile;  /* "(16,8,16)": M, N and K; NULL of copies */
    const char *
        layouts; /* "A=...;B!=...;C=...": threads and values to elements, of copies to bits; `!`: not in
                            registers, the instruction finds it in shared or tensor memory; `?`: there is no
                            such layout, and why */
    struct range number[3];
    const char *why; /* why there are no layouts */
    /* ThrID, from the threads of the layouts to lanes; NULL: each is its own. */
    const char *threads;
};

/* clang-format off */

/* ---- Pieces ---- */

/* A family without numbers; one of copies whose number is a power of two. */
#define FIXED(names, tile, layouts) {names, tile, layouts, {{0}}, 0, 0}
#define REPEATED(names, layouts, least, most) {names, 0, layouts, {[R] = {least, most, 0, {0}}}, 0, 0}


#define COMMON_C ";C=((4,8),(2,2)):((32,1),(16,8))"
#define INT8 "{S8|U8}{S8|U8}"
#define INT4 "{S4|U4}{S4|U4}"
#define FP8 "{E4M3|E5M2}{E4M3|E5M2}"
#define SATURATE "{|_SATURATE}"

/* SM120: scales of blocks, of A and of B. */
#define SCALES(k) ";SFA=((2,2,8)," #k "):((8,0,1),16);SFB=((4,8)," #k "):((0,1),8)"
#define SM120_SPARSE_64                                                                            \
    "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(4,4)):((32,1),(8,128))" COMMON_C             \
    ";E=((2,2,8),32):((8,512,1),16)"

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
#define WARPGROUP(names, end, k, a, e, sizes) \
    {names "_SS" end, "(64,@," #k ")", GMMA_S(k) GMMA_BC(k) e, sizes, 0, 0}, \
    {names "_RS" end, "(64,@," #k ")", a GMMA_BC(k) e, sizes, 0, 0}
#define EVERY_8 {[N] = {8, 256, 8, {0}}}
#define BY_16 {[N] = {16, 256, 16, {8, 24}}}

/* Tensor memory: one thread, of one or of two CTAs. */
#define UMMA_1(k)                                                                                  \
    "(~,@," #k ")", "A!=(1,(~," #k ")):(0,(1,~));B!=(1,(@," #k ")):(0,(1,@));C!=(1,(~,@)):(0,(1,~))"
#define UMMA_2(k)                                                                                  \
    "(~,@," #k ")", "A!=(2,(~/2," #k ")):(~/2,(1,~));B!=(2,(@/2," #k ")):(@/2,(1,@));"                    \
               "C!=(2,(~/2,@)):(~/2,(1,~))"
#define SIZES(m, m_to, n) {{m, m_to, m, {0}}, {n, 256, n, {0}}, {0}}
#define SIZES_BY_M {{64, 128, 64, {0}}, {-8, 256, -8, {0}}, {0}}
#define SIZES_S8 {{64, 128, 64, {0}}, {16, 256, 16, {8}}, {0}}

/* Loads of tensor memory to 32 threads: each of them has all bits. In a store the source and the destination are
 * exchanged (find_part). */
#define TMEM_LOAD(bits, registers)                                                                 \
    "Src=(32," bits "):(0,1);Dst=" registers ";Ref=(32," bits "):(0,1)"

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
    {.names = "SM70_8x8x4_" types, .tile = "(8,8,4)", .threads = "(4,2):(1,16)",                     \
     .layouts = "A=" a ";B=" b ";C=" c}

/* AMD: A of M x K and B of N x K have runs of values along K, those of C are rows. */
#define AB(layout) "A=" layout ";B=" layout ";"
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

static const struct family families[] = {
    /* ---- MMA of threads and warps ---- */
    FIXED("UniversalFMA", "(1,1,1)", "A=(1,1):(0,0);B=(1,1):(0,0);C=(1,1):(0,0)"),
    FIXED("SM100_1x2x1_F32F32F32F32", "(1,2,1)", "A=(1,1):(0,0);B=(1,2):(0,1);C=(1,2):(0,1)"),
    FIXED("SM100_2x1x1_F32F32F32F32", "(2,1,1)", "A=(1,2):(0,1);B=(1,1):(0,0);C=(1,2):(0,1)"),
    FIXED("SM61_DP2A", "(1,1,2)", "A=(1,2):(0,1);B=(1,2):(0,1);C=(1,1):(0,0)"),
    FIXED("SM61_DP4A", "(1,1,4)", "A=(1,4):(0,1);B=(1,4):(0,1);C=(1,1):(0,0)"),
    SM70("F16F16F16F16_NN", SM70_PAIRS, SM70_ROWS, SM70_C16),
    SM70("F16F16F16F16_NT", SM70_PAIRS, SM70_PAIRS, SM70_C16),
    SM70("F16F16F16F16_TN", SM70_ROWS, SM70_ROWS, SM70_C16),
    SM70("F16F16F16F16_TT", SM70_ROWS, SM70_PAIRS, SM70_C16),
    SM70("F32F16F16F32_NN", SM70_PAIRS, SM70_ROWS, SM70_C32),
    SM70("F32F16F16F32_NT", SM70_PAIRS, SM70_PAIRS, SM70_C32),
    SM70("F32F16F16F32_TN", SM70_ROWS, SM70_ROWS, SM70_C32),
    SM70("F32F16F16F32_TT", SM70_ROWS, SM70_PAIRS, SM70_C32),
    FIXED("{SM75|SM80}_16x8x8_{F16F16F16F16|F32F16F16F32}_TN SM80_16x8x8_F32BF16BF16F32_TN", "(16,8,8)",
          "A=((4,8),(2,2)):((32,1),(16,8));B=((4,8),2):((16,1),8)" COMMON_C),
    FIXED("SM75_8x8x16_S32S8S8S32_TN SM80_8x8x16_S32" INT8 "S32_TN" SATURATE, "(8,8,16)",
          "A=((4,8),4):((32,1),8);B=((4,8),4):((32,1),8);C=((4,8),2):((16,1),8)"),
    FIXED("SM80_16x8x16_{F16F16F16F16|F32F16F16F32|F32BF16BF16F32}_TN", "(16,8,16)",
          "A=((4,8),(2,2,2)):((32,1),(16,8,128));B=((4,8),(2,2)):((16,1),(8,64))" COMMON_C),
    FIXED("SM80_16x8x16_S32" INT8 "S32_TN" SATURATE " SM89_16x8x16_F16" FP8 "F16_TN SM89_16x8x16_F32" FP8 "F32_TN",
          "(16,8,16)", "A=((4,8),(4,2)):((64,1),(16,8));B=((4,8),4):((32,1),8)" COMMON_C),
    FIXED("SM80_16x8x32_S32" INT4 "S32_TN" SATURATE, "(16,8,32)",
          "A=((4,8),(8,2)):((128,1),(16,8));B=((4,8),(8)):((64,1),(8))" COMMON_C),
    {.names = "SM80_16x8x32_S32" INT8 "S32_TN" SATURATE " SM89_16x8x32_F16" FP8 "F16_TN SM89_16x8x32_F32" FP8
              "F32_TN SM120_16x8x32_TN", .tile = "(16,8,32)",
     .layouts = "A=((4,8),(4,2,2)):((64,1),(16,8,256));B=((4,8),(4,2)):((32,1),(8,128))" COMMON_C},
    FIXED("SM80_16x8x4_F32TF32TF32F32_TN SM90_16x8x4_{C64C64C64C64|F64F64F64F64}_TN", "(16,8,4)",
          "A=((4,8),2):((16,1),8);B=((4,8),1):((8,1),0)" COMMON_C),
    FIXED("SM80_16x8x64_S32" INT4 "S32_TN" SATURATE, "(16,8,64)",
          "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(8,2)):((64,1),(8,256))" COMMON_C),
    FIXED("SM80_16x8x8_F32TF32TF32F32_TN SM90_16x8x8_{C64C64C64C64|F64F64F64F64}_TN", "(16,8,8)",
          "A=((4,8),(2,2)):((16,1),(8,64));B=((4,8),2):((8,1),32)" COMMON_C),
    FIXED("SM80_8x8x128_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", "(8,8,128)",
          "A=((4,8),32):((256,1),8);B=((4,8),32):((256,1),8);C=((4,8),2):((16,1),8)"),
    {.names = "SM80_16x8x128_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", .tile = "(16,8,128)",
     .layouts = "A?=CUTLASS gives A the shape ((4,8),(32,2)) and the stride ((512,1),((16,8))), "
                "which do not go together;B=((4,8),32):((256,1),8)" COMMON_C},
    FIXED("SM80_16x8x256_S32U1U1S32_TN_{ANDPOPC|XORPOPC}", "(16,8,256)",
          "A=((4,8),(32,2,2)):((512,1),(16,8,2048));B=((4,8),(32,2)):((256,1),(8,1024))" COMMON_C),
    FIXED("SM80_8x8x32_S32" INT4 "S32_TN" SATURATE, "(8,8,32)",
          "A=((4,8),(8)):((64,1),(8));B=((4,8),(8)):((64,1),(8));C=((4,8),2):((16,1),8)"),
    FIXED("SM80_8x8x4_{C64C64C64C64|F64F64F64F64|GC64C64C64GC64}_TN", "(8,8,4)",
          "A=((4,8),1):((8,1),0);B=((4,8),1):((8,1),0);C=((4,8),2):((16,1),8)"),
    FIXED("SM90_16x8x16_{C64C64C64C64|F64F64F64F64}_TN", "(16,8,16)",
          "A=((4,8),(2,4)):((16,1),(8,64));B=((4,8),4):((8,1),32)" COMMON_C),

    /* ---- SM120: scales of blocks, structured sparsity ---- */
    FIXED("SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", "(16,8,32)",
          "A=((4,8),(4,2,2)):((64,1),(16,8,256));B=((4,8),(4,2)):((32,1),(8,128))" COMMON_C SCALES(32)),
    FIXED("SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", "(16,8,64)",
          "A=((4,8),(8,2,2)):((128,1),(16,8,512));B=((4,8),(8,2)):((64,1),(8,256))" COMMON_C SCALES(64)),
    FIXED("SM120::SPARSE::SM120_SPARSE_16x8x64_TN", "(16,8,64)", SM120_SPARSE_64),
    FIXED("SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS", "(16,8,64)", SM120_SPARSE_64 SCALES(64)),
    FIXED("SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS", "(16,8,128)",
          "A=((4,8),(16,2,2)):((256,1),(16,8,1024));B=((4,8),(8,4)):((64,1),(8,256))" COMMON_C
          ";E=((2,2,8),(64)):((8,1024,1),(16))" SCALES(128)),

    /* ---- SM90: MMA of warpgroups ---- */
    WARPGROUP(GMMA "8_F32TF32TF32", "_TN", 8, GMMA_A8, "", EVERY_8),
    WARPGROUP(GMMA "16_" HALF, "", 16, GMMA_A16, "", EVERY_8),
    WARPGROUP(GMMA "32_{F16|F32}" FP8, "_TN", 32, GMMA_A32, "", EVERY_8),
    WARPGROUP(GMMA "32_S32" INT8, "_TN" SATURATE, 32, GMMA_A32, "", BY_16),
    WARPGROUP(GMMA_SPARSE "16_F32TF32TF32", "_TN", 16, GMMA_A16, GMMA_E16, EVERY_8),
    WARPGROUP(GMMA_SPARSE "32_" HALF, "", 32, GMMA_A32, GMMA_E32, EVERY_8),
    WARPGROUP(GMMA_SPARSE "64_{F16|F32}" FP8, "_TN", 64, GMMA_A64, GMMA_E64, EVERY_8),
    WARPGROUP(GMMA_SPARSE "64_S32" INT8, "_TN" SATURATE, 64, GMMA_A64, GMMA_E64, BY_16),

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
    REPEATED("SM100_TMEM_{LOAD|STORE}_16dp32b^x{|_16b}", TMEM_LOAD("1024*^", "((16,2),32*^):((64*^,32*^),1)"), 1, 128),
    REPEATED("SM100_TMEM_{LOAD|STORE}_32dp32b^x{|_16b}", TMEM_LOAD("1024*^", "(32,32*^):(32*^,1)"), 1, 128),
    FIXED("SM100_TMEM_{LOAD|STORE}_16dp64b1x{|_16b}", 0, TMEM_LOAD("1024", "((2,2,8),32):((512,32,64),1)")),
    REPEATED("SM100_TMEM_{LOAD|STORE}_16dp64b^x{|_16b}",
          TMEM_LOAD("1024*^", "((2,2,8),(32,^)):((512*^,32,64*^),(1,64))"), 2, 128),
    FIXED("SM100_TMEM_{LOAD|STORE}_16dp128b1x{|_16b}", 0, TMEM_LOAD("2048", "((4,8),(32,2)):((32,128),(1,1024))")),
    REPEATED("SM100_TMEM_{LOAD|STORE}_16dp128b^x{|_16b}",
          TMEM_LOAD("2048*^", "((4,8),(32,2,^)):((32,128*^),(1,1024*^,128))"), 2, 64),
    FIXED("SM100_TMEM_{LOAD|STORE}_16dp256b1x{|_16b}", 0, TMEM_LOAD("4096", "((4,8),(64,2)):((64,256),(1,2048))")),
    REPEATED("SM100_TMEM_{LOAD|STORE}_16dp256b^x{|_16b}",
          TMEM_LOAD("4096*^", "((4,8),(64,2,^)):((64,256*^),(1,2048*^,256))"), 2, 32),
    {"SM100_TMEM_LOAD_STAT_32dp32b^x", 0,
     TMEM_LOAD("1024*^", "(32,32*^):(32*^,1)"), {[R] = {32, 32, 0, {128}}}, 0, 0},

    /* ---- Copies: others ---- */
    FIXED("SM100_{LOAD|STORE}_256bit_CACHE_NOALLOCATION", 0, FROM("(1,256):(0,1)", "(1,256):(0,1)")),
    FIXED("SM100_SU{4|6}_DU8x16_x1_LDSM_N SM75_U32x1_LDSM_N SM90_U32x1_STSM_N", 0,
          TO("((8,4),128):((128,0),1)", "(32,32):(32,1)")),
    FIXED("SM100_SU{4|6}_DU8x16_x2_LDSM_N SM75_U32x2_LDSM_N SM90_U32x2_STSM_N", 0,
          TO("((16,2),128):((128,0),1)", "(32,(32,2)):(32,(1,1024))")),
    FIXED("SM100_SU{4|6}_DU8x16_x4_LDSM_N SM75_U32x4_LDSM_N SM90_U32x4_STSM_N", 0,
          TO("(32,128):(128,1)", "(32,(32,4)):(32,(1,1024))")),
    FIXED("SM100_U8x16_LDSM_T", 0,
          TO("((2,2,4,2),128):((128,1024,256,2048),1)", "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))")),
    FIXED("SM100_U8x16_STSM_T", 0, TO("(32,128):(128,1)", "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))")),
    FIXED("SM100_U8x4_STSM_T", 0, TO("((8,4),128):((128,0),1)", "((4,8),(8,2,2)):((256,8),(1,128,64))")),
    FIXED("SM100_U8x8_LDSM_T", 0,
          TO("((2,2,4,2),128):((128,1024,256,0),1)", "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))")),
    FIXED("SM100_U8x8_STSM_T", 0, TO("((16,2),128):((128,0),1)", "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))")),
    REPEATED("SM100_UTCCP_128dp128bit_^cta", FROM("(^,16384):(0,1)", "(^,16384):(0,1)"), 1, 2),
    REPEATED("SM100_UTCCP_128dp256bit_^cta", FROM("(^,32768):(0,1)", "(^,32768):(0,1)"), 1, 2),
    REPEATED("SM100_UTCCP_2x64dp128bitlw0123_^cta", TO("(^,(32,128,2,2)):(0,(1,32,4096,0))", "(^,16384):(0,1)"), 1, 2),
    REPEATED("SM100_UTCCP_2x64dp128bitlw0213_^cta", TO("(^,(64,128,2)):(0,(1,64,0))", "(^,16384):(0,1)"), 1, 2),
    REPEATED("SM100_UTCCP_4dp256bit_^cta", FROM("(^,(4,256)):(0,(32,128))", "(^,(4,256)):(0,(32,128))"), 1, 2),
    REPEATED("SM100_UTCCP_4x32dp128bit_^cta", TO("(^,(32,128,4)):(0,(1,32,0))", "(^,16384):(0,1)"), 1, 2),
    FIXED("SM75_U16x2_LDSM_T SM90_U16x2_STSM_T", 0, TO("((8,4),128):((128,0),1)", "((4,8),(16,2)):((256,16),(1,128))")),
    FIXED("SM75_U16x4_LDSM_T SM90_U16x4_STSM_T", 0,
          TO("((16,2),128):((128,0),1)", "((4,8),(16,2,2)):((256,16),(1,128,1024))")),
    FIXED("SM75_U16x8_LDSM_T SM90_U16x8_STSM_T", 0, TO("(32,128):(128,1)", "((4,8),(16,2,4)):((256,16),(1,128,1024))")),
    /* Of the CuTe DSL alone: ldmatrix.m16n16. */
    FIXED("LdMatrix16x16x8b_x1", 0, TO("((16,2),128):((128,0),1)", "((4,8),(8,4,2)):((512,8),(1,128,64))")),
    FIXED("LdMatrix16x16x8b_x2", 0, TO("(32,128):(128,1)", "((4,8),(8,4,2,2)):((512,8),(1,128,64,2048))")),
    FIXED("SM75_U32x1_MOVM_T", 0, FROM("(32,32):(32,1)", "(32,32):(32,1)")),
    FIXED("SM50_Shuffle_U32_2x2Trans_XOR1", 0, FROM("(32,64):(64,1)", "((2,16),(32,2)):((32,128),(1,64))")),
    FIXED("SM50_Shuffle_U32_2x2Trans_XOR4", 0, FROM("(32,64):(64,1)", "((4,2,4),(32,2)):((64,32,512),(1,256))")),
    REPEATED("UniversalCopy_^b", FROM("(1,^):(0,1)", "(1,^):(0,1)"), 4, 1024),
    REPEATED("SM80_CP_ASYNC_CACHEALWAYS{|_ZFILL}_^b", FROM("(1,^):(0,1)", "(1,^):(0,1)"), 32, 128),
    REPEATED("SM80_CP_ASYNC_CACHEGLOBAL{|_ZFILL}_^b", FROM("(1,^):(0,1)", "(1,^):(0,1)"), 128, 128),
    {"SM90_BULK_COPY_^b", 0, FROM("(1,^):(0,1)", "(1,^):(0,1)"), {[R] = {8, 1 << 21, 8, {0}}}, 0, 0},
    FIXED("AutoVectorizingCopyWithAssumedAlignment AutoVectorizingCopy DefaultCopy", 0,
          FROM("(1,1):(0,0)", "(1,1):(0,0)")),
    /* ---- AMD: matrix instructions of one block ---- */
    FIXED("v_mfma_f32_16x16x16{_|}f16 v_mfma_f32_16x16x16{_bf16|bf16_1k} v_mfma_i32_16x16x16i8", "(16,16,16)",
          AB("((16,4),4):((1,64),16)") MFMA_C16),
    FIXED("v_mfma_i32_16x16x32_i8 v_mfma_f32_16x16x32_" FP8_AMD, "(16,16,32)", AB("((16,4),8):((1,128),16)") MFMA_C16),
    FIXED("v_smfmac_f32_16x16x32_{f16|bf16}", "(16,16,32)", SPARSE_A ";B=((16,4),8):((1,128),16);" MFMA_C16),
    FIXED("v_mfma_f64_16x16x4{_|}f64", "(16,16,4)", AB("(64,1):(1,0)") "C=((16,4),4):((16,1),4)"),
    FIXED("v_mfma_f32_16x16x4{_|}f32", "(16,16,4)", AB("(64,1):(1,0)") MFMA_C16),
    FIXED("v_smfmac_i32_16x16x64_i8 v_smfmac_f32_16x16x64_" FP8_AMD, "(16,16,64)",
          SPARSE_A ";B=((16,4),16):((1,256),16);" MFMA_C16),
    FIXED("v_mfma_f32_16x16x8{bf16|_xf32}", "(16,16,8)", AB("((16,4),2):((1,32),16)") MFMA_C16),
    FIXED("v_mfma_i32_32x32x16_i8 v_mfma_f32_32x32x16_" FP8_AMD, "(32,32,16)", AB("((32,2),8):((1,256),32)") MFMA_C32),
    FIXED("v_smfmac_f32_32x32x16_{f16|bf16}", "(32,32,16)", SPARSE_A ";B=((32,2),8):((1,256),32);" MFMA_C32),
    FIXED("v_mfma_f32_32x32x2{_|}f32", "(32,32,2)", AB("(64,1):(1,0)") MFMA_C32),
    FIXED("v_smfmac_i32_32x32x32_i8 v_smfmac_f32_32x32x32_" FP8_AMD, "(32,32,32)",
          SPARSE_A ";B=((32,2),16):((1,512),32);" MFMA_C32),
    FIXED("v_mfma_f32_32x32x4{bf16|_xf32}", "(32,32,4)", AB("((32,2),2):((1,64),32)") MFMA_C32),
    FIXED("v_mfma_f32_32x32x8{_|}f16 v_mfma_f32_32x32x8{_bf16|bf16_1k} v_mfma_i32_32x32x8i8", "(32,32,8)",
          AB("((32,2),4):((1,128),32)") MFMA_C32),
    FIXED("v_mfma_f32_16x16x32_{f16|bf16}", "(16,16,32)", CDNA4_AB MFMA_C16),
    FIXED("v_mfma_i32_16x16x64_i8", "(16,16,64)", CDNA4_AB MFMA_C16),
    FIXED("v_mfma_{|scale_}f32_16x16x128_f8f6f4", "(16,16,128)", CDNA4_AB MFMA_C16),
    FIXED("v_mfma_f32_32x32x16_{f16|bf16}", "(32,32,16)", CDNA4_AB MFMA_C32),
    FIXED("v_mfma_i32_32x32x32_i8", "(32,32,32)", CDNA4_AB MFMA_C32),
    FIXED("v_mfma_{|scale_}f32_32x32x64_f8f6f4", "(32,32,64)", CDNA4_AB MFMA_C32),
    FIXED("v_smfmac_f32_16x16x64_{f16|bf16}", "(16,16,64)", SPARSE_A ";B?=" K_ORDER ";" MFMA_C16),
    FIXED("v_smfmac_i32_16x16x128_i8 v_smfmac_f32_16x16x128_" FP8_AMD, "(16,16,128)",
          SPARSE_A ";B?=" K_ORDER ";" MFMA_C16),
    FIXED("v_smfmac_f32_32x32x32_{f16|bf16}", "(32,32,32)", SPARSE_A ";B?=" K_ORDER ";" MFMA_C32),
    FIXED("v_smfmac_i32_32x32x64_i8 v_smfmac_f32_32x32x64_" FP8_AMD, "(32,32,64)",
          SPARSE_A ";B?=" K_ORDER ";" MFMA_C32),
    /* In waves of 32 lanes. A and B of RDNA 3 are in both halves of the wave. */
    {.names = "v_wmma_* v_swmmac_*",
     .why = "RDNA 3 and RDNA 4 have instructions of the same name with other layouts: write rdna3:: or rdna4:: before "
            "it"},
    {.names = "rdna3::v_wmma_{f32|f16}_16x16x16_f16 rdna3::v_wmma_{f32|bf16}_16x16x16_bf16 "
              "rdna3::v_wmma_i32_16x16x16_{iu8|iu4}", .tile = "(16,16,16)", .layouts = WMMA_3},
    FIXED("rdna4::v_wmma_{f32|f16}_16x16x16_f16 rdna4::v_wmma_{f32|bf16}_16x16x16_bf16", "(16,16,16)",
          AB("((16,2),(4,2)):((1,64),(16,128))") WMMA_C),
    FIXED("rdna4::v_wmma_i32_16x16x16_{iu8|iu4} rdna4::v_wmma_f32_16x16x16_" FP8_AMD, "(16,16,16)",
          AB("((16,2),8):((1,128),16)") WMMA_C),
    FIXED("rdna4::v_wmma_i32_16x16x32_iu4", "(16,16,32)", AB("((16,2),16):((1,256),16)") WMMA_C),
    FIXED("rdna4::v_swmmac_{f32|f16}_16x16x32_f16 rdna4::v_swmmac_{f32|bf16}_16x16x32_bf16", "(16,16,32)",
          SPARSE_A ";B=((16,2),(8,2)):((1,128),(16,256));" WMMA_C),
    FIXED("rdna4::v_swmmac_i32_16x16x32_{iu8|iu4} rdna4::v_swmmac_f32_16x16x32_" FP8_AMD, "(16,16,32)",
          SPARSE_A ";B=((16,2),16):((1,256),16);" WMMA_C),
    FIXED("rdna4::v_swmmac_i32_16x16x64_iu4", "(16,16,64)", SPARSE_A ";B=((16,2),32):((1,512),16);" WMMA_C),
    {.names = "SM80_SPARSE_*", .why = "neither CUTLASS nor the CuTe DSL 4.8.1 has a layout for sparse mma of sm_80"},
    {.names = "{SM90|SM100}_TMA_* SM90_BULK_COPY_*",
     .why = "the number of bits that one copy moves is a parameter of its traits, set for each tensor: one "
            "thread has them all"},
};
/* clang-format on */

/* ---- Types ---- */

/* No name in atoms is the beginning of another. */
static const struct lw_calc_type types[] = {
    {"double", "F64", "Float64", 64, "f64"},
    {"float", "F32", "Float32", 32, "f32"},
    {"tfloat32_t", "TF32", "TFloat32", 32, "tf32"},
    {"bfloat16_t __nv_bfloat16", "BF16", "BFloat16", 16, "bf16"},
    {"half_t half __half", "F16", "Float16", 16, "f16"},
    {"float_e4m3_t", "E4M3", "Float8E4M3FN", 8, "f8E4M3FN"},
    {"float_e5m2_t", "E5M2", "Float8E5M2", 8, "f8E5M2"},
    {"float_e3m2_t", "E3M2", "Float6E3M2FN", 6, NULL},
    {"float_e2m3_t", "E2M3", "Float6E2M3FN", 6, NULL},
    {"float_e2m1_t", "E2M1", "Float4E2M1FN", 4, NULL},
    {"float_ue8m0_t", NULL, "Float8E8M0FNU", 8, NULL},
    {"float_ue4m3_t", NULL, NULL, 8, NULL},
    {"uint256_t", NULL, NULL, 256, NULL},
    {"uint128_t", NULL, NULL, 128, NULL},
    {"int64_t", "S64", "Int64", 64, "i64"},
    {"uint64_t", NULL, NULL, 64, "ui64"},
    {"int32_t int", "S32", "Int32", 32, "i32"},
    {"uint32_t", "U32", "Uint32", 32, "ui32"},
    {"int16_t", "S16", "Int16", 16, "i16"},
    {"uint16_t", NULL, NULL, 16, "ui16"},
    {"int8_t", "S8", "Int8", 8, "i8"},
    {"uint8_t", "U8", "Uint8", 8, "ui8"},
    {NULL, "S4", NULL, 4, "i4"},
    {NULL, "U4", NULL, 4, "ui4"},
    {NULL, "U1", NULL, 1, "ui1"},
};

const struct lw_calc_type *lw_calc_type(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(types); i++)
        if ((types[i].cpp && lw_text_has_word(types[i].cpp, name)) ||
            (types[i].python && !strcmp(types[i].python, name)))
            return &types[i];
    return NULL;
}

const struct lw_calc_type *lw_calc_type_at(const struct lw_node *node, struct lw_error *err)
{
    bool name = node->kind == LW_NODE_NAME || node->kind == LW_NODE_MEMBER;
    const struct lw_calc_type *type = name ? lw_calc_type(lw_calc_last_word(node->name)) : NULL;
    if (!type)
        lw_error_at(err, LW_ERROR_NAME, node->position,
                    "expected the type of an element, such as half_t, float_e4m3_t or "
                    "cutlass.Float16");
    return type;
}

/* The element of a part: f16 of the A of SM80_16x8x16_F32F16F16F32_TN; NULL when the name has no types. */
static const char *element_of(const char *atom, char part)
{
    const char *name[4] = {NULL}; /* of D, A, B and C; without C it is that of D */
    const char *at = atom;
    int count = 0;
    for (int i = 0; i < 2 && at; i++) /* SM80_16x8x16_ */
        at = (at = strchr(at, '_')) ? at + 1 : NULL;
    for (size_t i = 0; at && count < 4 && i < LW_COUNT(types); i++) {
        size_t length = types[i].atom ? strlen(types[i].atom) : 0;
        if (length && !strncmp(at, types[i].atom, length)) {
            name[count++] = types[i].element;
            at += length;
            i = (size_t)-1; /* the next type, from the first one on */
        }
    }
    if (count < 3 || *at != '_')
        return NULL;
    return name[part - 'A' + 1] ? name[part - 'A' + 1] : name[0];
}

/* ---- Names ---- */

/* The index of the number that a character of a pattern matches; -1: none. */
static int number_of(char c)
{
    const char *found = c ? strchr("~@^", c) : NULL;
    return found ? (int)(found - "~@^") : -1;
}

/* Whether a name matches a pattern up to its `end`; the numbers in it are undefined when it does not. */
static bool fits(const char *pattern, const char *end, const char *name, int numbers[3])
{
    for (; pattern < end; pattern++) {
        int number = number_of(*pattern);
        if (*pattern == '*')
            return true;
        if (*pattern == '{') {
            const char *close = strchr(pattern, '}');
            for (const char *at = pattern + 1; at <= close; at += strcspn(at, "|}") + 1)
                if (!strncmp(at, name, strcspn(at, "|}")) &&
                    fits(close + 1, end, name + strcspn(at, "|}"), numbers))
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

/* The range of number `i`, with M in it. */
static struct range range_of(const struct family *family, int i, const int numbers[3])
{
    struct range range = family->number[i];
    if (range.step < 0)
        range.from = range.step = numbers[M] / -range.step;
    return range;
}

/* The index of the number in a name that the family lacks; -1: it has all of them. */
static int wrong_number(const struct family *family, const int numbers[3])
{
    for (int i = 0; i < 3; i++) {
        const struct range range = range_of(family, i, numbers);
        int n = numbers[i];
        bool on_step = range.step ? (n - range.from) % range.step == 0 : (n & (n - 1)) == 0;
        if (range.to && !(n >= range.from && n <= range.to && on_step) &&
            (!n || (n != range.also[0] && n != range.also[1])))
            return i;
    }
    return -1;
}

/* The family of a name and the numbers in it; a family without such sizes only when no other one matches. NULL: there
 * is no such name. */
static const struct family *find_family(const char *name, int numbers[3])
{
    const struct family *near = NULL;
    for (const struct family *family = families; family < families + LW_COUNT(families); family++)
        for (const char *at = family->names, *end; *at; at = end + strspn(end, " ")) {
            int found[3] = {0};
            const char *last = at;
            end = at + strcspn(at, " ");
            for (const char *c = at; c + 1 < end && *c != '{'; c++)
                if (c[0] == ':' && c[1] == ':')
                    last = c + 2;
            if (!fits(at, end, name, found) && !fits(last, end, name, found))
                continue;
            memcpy(numbers, found, sizeof found);
            if (wrong_number(family, numbers) < 0)
                return family;
            near = family;
        }
    return near;
}

/* Appends the template arguments that are used to a name: two numbers, or the bits of its types. */
static bool add_arguments(struct lw_calculation *calc, const struct lw_node *angles,
                          struct lw_text *name)
{
    int numbers[2], count = 0, names = 0, bits[2] = {0};
    for (const struct lw_node *node = angles->items; node; node = node->next) {
        const struct lw_calc_type *type =
            node->kind == LW_NODE_NAME ? lw_calc_type(lw_calc_last_word(node->name)) : NULL;
        if (node->kind != LW_NODE_INTEGER && node->kind != LW_NODE_NAME)
            return lw_node_unexpected(node, "a number or a type", calc->err);
        if (node->kind == LW_NODE_INTEGER && count < 2)
            numbers[count++] = node->integer > 9999 ? 9999 : (int)node->integer;
        else if (node->kind == LW_NODE_NAME && names++ < 2)
            bits[names - 1] = type ? type->bits : 0;
    }
    const char *text = lw_text_string(name);
    char last = text[name->length - 1];
    bool copy = strstr(text, "CP_ASYNC") || strstr(text, "UniversalCopy");
    if (count == 2 && !(last >= '0' && last <= '9'))
        lw_text_format(name, "_%dx%d", numbers[0], numbers[1]);
    else if (copy && bits[0] && (names == 1 || bits[0] == bits[1]))
        lw_text_format(name, "_%db", bits[0]);
    return true;
}

/* The whole name, SM120::BLOCKSCALED::SM120_16x8x64_TN_VS, with its arguments; NULL and an error. */
static const char *whole_name(struct lw_calculation *calc, const struct lw_node *node)
{
    struct lw_text text = {.limit = NAME_BYTES_MAX};
    const char *whole = NULL;
    lw_text_add(&text, node->name);
    if (!node->angles || add_arguments(calc, node->angles, &text)) {
        whole = lw_arena_string(calc->arena, lw_text_string(&text), text.length);
        if (!whole)
            lw_scan_out_of_memory(calc->scan);
    }
    lw_text_free(&text);
    return whole;
}

static bool no_such_size(struct lw_calculation *calc, const struct family *family, const char *name,
                         struct lw_position position, const int numbers[3])
{
    static const char *const names[] = {[M] = "M", [N] = "N", [R] = "the number"};
    int wrong = wrong_number(family, numbers);
    const struct range range = range_of(family, wrong, numbers);
    struct lw_text may = {.limit = 80};
    for (int i = 0; i < 2 && range.also[i]; i++)
        lw_text_format(&may, "%d, ", range.also[i]);
    lw_text_format(&may, "%d", range.from);
    if (range.to > range.from)
        lw_text_format(&may, range.step ? " to %d in steps of %d" : " to %d in powers of two",
                       range.to, range.step);
    lw_error_at(calc->err, LW_ERROR_PARAMETER, position, "%.60s: %s is %d: it may be %s", name,
                names[wrong], numbers[wrong], lw_text_string(&may));
    lw_text_free(&may);
    return false;
}

bool lw_calc_is_atom(const char *name)
{
    static const char begins[] =
        "GMMA MMA_ cute:: rdna3:: rdna4:: Universal v_mfma_ v_smfmac_ v_wmma_ v_swmmac_ "
        "AutoVectorizing DefaultCopy";
    bool small = !strncmp(name, "sm", 2) && strchr(name, '_');
    if ((small || !strncmp(name, "SM", 2)) && name[2] >= '1' && name[2] <= '9')
        return true;
    for (const char *at = begins; *at; at += strcspn(at, " "), at += *at == ' ')
        if (!strncmp(name, at, strcspn(at, " ")))
            return true;
    return false;
}

/* An atom that a name has: its family, and the numbers in its name. */
struct atom {
    const char *name;
    const struct family *family;
    int numbers[3];
};

static bool find_atom(struct lw_calculation *calc, const struct lw_node *name, struct atom *atom)
{
    *atom = (struct atom){.name = whole_name(calc, name)};
    if (!atom->name)
        return false;
    atom->family = find_family(atom->name, atom->numbers);
    if (!atom->family)
        return lw_error_at(calc->err, LW_ERROR_NAME, name->position,
                           "there is no atom '%.60s': such as SM80_16x8x16_F32F16F16F32_TN.C",
                           atom->name);
    if (atom->family->why)
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, name->position, "%.60s: %s", atom->name,
                           atom->family->why);
    return wrong_number(atom->family, atom->numbers) < 0 ||
           no_such_size(calc, atom->family, atom->name, name->position, atom->numbers);
}

/* ---- Layouts ---- */

/* Replaces a term that begins with a number or a symbol by its value: 64, 64*^, ~, ~/2. */
static const char *fill_number(struct lw_text *text, const char *at, const int numbers[3])
{
    char *end = (char *)at;
    long factor = number_of(*at) < 0 ? strtol(at, &end, 10) : 1;
    bool times = end > at && *end == '*';
    at = times ? end + 1 : end;
    if ((times || end == at) && number_of(*at) >= 0)
        factor *= numbers[number_of(*at++)];
    if (*at == '/')
        factor /= strtol(at + 1, &end, 10);
    lw_text_format(text, "%ld", factor);
    return *at == '/' ? end : at;
}

/* The value of a pattern up to its end or a `;`, an expression when the numbers are filled in. */
static bool evaluate(struct lw_calculation *calc, const char *pattern, const int numbers[3],
                     bool fixed, struct lw_calc_result *value)
{
    struct lw_text text = {0};
    struct lw_scan scan;
    while (*pattern && *pattern != ';')
        if (number_of(*pattern) >= 0 || (*pattern >= '0' && *pattern <= '9'))
            pattern = fill_number(&text, pattern, numbers);
        else
            lw_text_char(&text, *pattern++);
    const char *kept = lw_arena_string(calc->arena, lw_text_string(&text), text.length);
    lw_scan_begin(&scan, calc->arena, kept ? kept : "", kept ? text.length : 0, calc->err);
    lw_text_free(&text);
    if (!kept)
        return lw_scan_out_of_memory(calc->scan);
    const struct lw_node *node = lw_expression_parse(&scan);
    bool outside = calc->fixed;
    calc->fixed = fixed;
    bool good = node && calc->evaluate(calc, node, value);
    calc->fixed = outside;
    return good;
}

/* The part of that name, "A=..."; NULL: there is none. A store has the source of its load as destination. */
static const char *find_part(const struct atom *atom, const char *part)
{
    bool store = strstr(atom->name, "STSM") || strstr(atom->name, "TMEM_STORE");
    const char *name = store && !strcmp(part, "Src")   ? "Dst"
                       : store && !strcmp(part, "Dst") ? "Src"
                                                       : part;
    for (const char *at = atom->family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        if (strcspn(at, "!?=") == strlen(name) && !strncmp(at, name, strlen(name)))
            return at;
    }
    return NULL;
}

/* ThrID: the threads of a layout, as many as its first mode has, in the order of the hardware. */
static bool threads_of(struct lw_calculation *calc, const struct atom *atom, bool fixed,
                       struct lw_cute *out)
{
    const char *own = atom->family->threads, *last = strrchr(atom->family->layouts, '=') + 1;
    struct lw_calc_result value;
    if (!evaluate(calc, own ? own : last, atom->numbers, fixed, &value))
        return false;
    *out = *lw_calc_cute(&value);
    int64_t count = lw_cute_product(lw_cute_item(&out->layout.shape, 0));
    if (!own)
        out->layout = lw_cute_leaf(count, count > 1, fixed);
    return true;
}

/* The layout of a part, and what is known of it: `A!=...` is not in registers, `A?=...` has no layout. A and its
 * metadata and scales are of M x K, B of N x K, C of M x N. */
static bool layout_of(struct lw_calculation *calc, const struct atom *atom, const char *part,
                      bool fixed, struct lw_cute *out)
{
    const struct family *family = atom->family;
    const char *mark = part + strcspn(part, "!?="), *pattern = strchr(mark, '=') + 1;
    bool one = mark == part + 1 && *part >= 'A' && *part <= 'C';
    struct lw_calc_result value, mnk;
    struct lw_cute_tuple *tile = lw_arena_alloc(calc->arena, sizeof *tile), *items = NULL;
    if (!tile || !(items = lw_cute_new_items(&calc->work, 2, tile)))
        return lw_scan_out_of_memory(calc->scan);
    if (*mark == '?')
        return lw_error_set(calc->err, LW_ERROR_UNSUPPORTED, "%.60s: %.*s", atom->name,
                            (int)strcspn(pattern, ";"), pattern);
    if (!evaluate(calc, pattern, atom->numbers, fixed, &value) ||
        (family->tile && !evaluate(calc, family->tile, atom->numbers, fixed, &mnk)))
        return false;
    *out = *lw_calc_cute(&value);
    out->role = *mark == '!'      ? LW_CUTE_ROLE_MEMORY
                : !family->tile   ? LW_CUTE_ROLE_BITS
                : family->threads ? LW_CUTE_ROLE_QUAD_PAIR
                : one             ? (enum lw_cute_role)(LW_CUTE_ROLE_A + (*part - 'A'))
                                  : LW_CUTE_ROLE_NONE;
    out->element = one ? element_of(atom->name, *part) : NULL;
    if (family->tile) {
        items[0] = mnk.as.tree.items[mark[-1] == 'B'];
        items[1] = mnk.as.tree.items[mark[-1] == 'C' ? 1 : 2];
        out->tile = tile;
    }
    return true;
}

/* ---- Whole atoms ---- */

/* Sets a value to a whole atom, whose layouts CuTe has with static integers. */
static bool make_whole(struct lw_calculation *calc, const struct atom *atom,
                       struct lw_calc_result *value)
{
    static const char *const parts[2][3] = {{"Src", "Dst", "Ref"}, {"A", "B", "C"}};
    struct lw_cute_mma_atom *mma = lw_arena_alloc(calc->arena, sizeof *mma);
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    const char *tile = atom->family->tile;
    struct lw_calc_result mnk;
    struct lw_cute made[3], threads;
    if (!mma || !copy)
        return lw_scan_out_of_memory(calc->scan);
    if (!evaluate(calc, tile ? tile : "1", atom->numbers, true, &mnk) ||
        !threads_of(calc, atom, true, &threads))
        return false;
    for (int i = 0; i < 3; i++)
        if (!layout_of(calc, atom, find_part(atom, parts[tile != NULL][i]), true, &made[i]))
            return false;
    *copy = (struct lw_cute_copy_atom){.name = atom->name,
                                       .threads = threads.layout,
                                       .side = {made[0].layout, made[1].layout},
                                       .reference = made[2].layout};
    *mma = (struct lw_cute_mma_atom){
        .name = atom->name, .mnk = mnk.as.tree, .threads = threads.layout};
    for (int i = 0; i < 3; i++) {
        mma->operand[i] = made[i].layout;
        mma->role[i] = made[i].role;
        mma->element[i] = made[i].element;
    }
    value->kind = LW_CALC_ATOM;
    value->as.tiling = (struct lw_calc_tiling){
        .mma_atom = tile ? mma : NULL, .copy_atom = tile ? NULL : copy, .thread = -1};
    return true;
}

bool lw_calc_set_values(struct lw_calculation *calc, int bits, const char *type,
                        struct lw_calc_result *value)
{
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    if (!copy)
        return lw_scan_out_of_memory(calc->scan);
    if (!lw_cute_copy_atom_of(&calc->work, value->as.tiling.copy_atom, bits, copy))
        return false;
    copy->type = type;
    value->as.tiling.copy_atom = copy;
    return true;
}

bool lw_calc_is_atom_type(const char *name)
{
    return lw_text_has_word("MMA_Atom Copy_Atom MMA_Traits Copy_Traits", lw_calc_last_word(name));
}

bool lw_calc_atom_type(struct lw_calculation *calc, const struct lw_node *name,
                       struct lw_calc_result *value)
{
    const struct lw_node *first = name->angles ? name->angles->items : NULL;
    const struct lw_node *type = first ? first->next : NULL;
    if (!first || first->kind != LW_NODE_NAME)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, first ? first->position : lw_node_end(name),
                           "expected the name of an atom, as in %s<%s>", name->name,
                           strchr(name->name, 'C') ? "SM75_U32x4_LDSM_N, half_t"
                                                   : "SM80_16x8x16_F32F16F16F32_TN");
    if (lw_calc_is_atom_type(first->name) ? !lw_calc_atom_type(calc, first, value)
                                          : !lw_calc_atom(calc, first, NULL, value))
        return false;
    if (!value->as.tiling.copy_atom || !type)
        return true;
    const struct lw_calc_type *of = lw_calc_type_at(type, calc->err);
    return of && (lw_calc_set_values(calc, of->bits, lw_calc_last_word(type->name), value) ||
                  lw_error_locate(calc->err, name->position));
}

bool lw_calc_atom(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_node *step, struct lw_calc_result *value)
{
    struct atom atom;
    struct lw_cute made;
    if (!find_atom(calc, name, &atom))
        return false;
    const char *part = step ? find_part(&atom, step->name) : NULL;
    if (step && !part && strcmp(step->name, THREADS) != 0)
        return lw_error_at(calc->err, LW_ERROR_NAME, step->name_position,
                           atom.family->tile
                               ? "expected `.A`, `.B`, `.C` or `." THREADS "`, found '%.40s'"
                               : "expected `.Src`, `.Dst`, `.Ref` or `." THREADS "`, found '%.40s'",
                           step->name);
    bool good = !step   ? make_whole(calc, &atom, value)
                : !part ? threads_of(calc, &atom, false, &made)
                        : layout_of(calc, &atom, part, false, &made);
    if (!good && calc->err->position.line == 0)
        calc->err->position = name->position;
    return good && (!step || lw_calc_set_cute(&calc->work, &made, value));
}
