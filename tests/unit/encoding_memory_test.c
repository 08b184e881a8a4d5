/* Encodings of shared memory, fragments, and what older versions wrote. */

#include "encoding_parts.h"

#include "unit.h"

#include "laneway/document.h"

#include <ctype.h>

/* toLinearLayout(MemDescType) of Triton: the layout of the last dims of the allocation; of a row of
 * buffers, that of one. */
static void allocations(void **state)
{
    (void)state;
#define SWIZZLED                                                                                   \
    "#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [1, 0]}>, #smem"
    static const char *const same[][2] = {
        {"!ttg.memdesc<16x8xf16, " SWIZZLED ", mutable, 3x16x32>",
         "!ttg.memdesc<16x32xf16, " SWIZZLED ", mutable>"},
        {"!ttg.memdesc<16x32xf16, " SWIZZLED ", 3x16x32>", "!ttg.memdesc<16x32xf16, " SWIZZLED ">"},
        {"!ttg.memdesc<3x16x32xf16, " SWIZZLED ", mutable>",
         "!ttg.memdesc<16x32xf16, " SWIZZLED ", mutable>"},
        {"!ttg.memdesc<1x4x32xf16, " SWIZZLED ", mutable, 3x16x32>",
         "!ttg.memdesc<16x32xf16, " SWIZZLED ", mutable>"},
        {"{\"encoding\": \"swizzled_shared\", \"shape\": [4, 4], \"alloc\": [2, 16, 32], "
         "\"params\": {\"vec\": 4, \"perPhase\": 2, \"maxPhase\": 4}}",
         "!ttg.memdesc<16x32xf16, " SWIZZLED ">"},
        {"!ttg.memdesc<2x128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, "
         "colStride = 1>, #ttng.tensor_memory>",
         "!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, "
         "colStride = 1>, #ttng.tensor_memory>"},
        {"!ttg.memdesc<3x64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
         "false, "
         "elementBitWidth = 16}>, #smem>",
         "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
         "elementBitWidth = 16}>, #smem>"},
    };
#undef SWIZZLED
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct lw_document doc[2];
        struct lw_map map[2];
        struct lw_layout layout[2];
        struct lw_tensor tensor;
        for (int k = 0; k < 2; k++) {
            read_one(&doc[k], same[i][k]);
            assert_true(lw_document_build(&doc[k], &map[k], NULL));
            assert_true(lw_map_to_layout(&map[k], &layout[k], NULL));
            lw_document_tensor(&doc[k], &map[k], &tensor);
            assert_int_equal(tensor.rank, 2);
            for (int d = 0; d < 2; d++)
                assert_true(tensor.shape[d] == layout[k].out.dim[d].size);
            lw_document_free(&doc[k]);
        }
        assert_true(lw_layout_equal(&layout[0], &layout[1]));
    }
}

/* What releases before 3.6 print of tensor memory and of padding. */
static void older_memory(void **state)
{
    (void)state;
    struct lw_document old, new;
    struct lw_map a, b;
    struct lw_layout x, y;
    read_one(&old, "!ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = "
                   "64, unpacked = true>, #ttng.tensor_memory, mutable>");
    read_one(&new, "!ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = "
                   "64, colStride = 2, CTASplitM = 1>, #ttng.tensor_memory, mutable>");
    assert_true(lw_document_build(&old, &a, NULL) && lw_map_to_layout(&a, &x, NULL));
    assert_true(lw_document_build(&new, &b, NULL) && lw_map_to_layout(&b, &y, NULL));
    assert_true(lw_layout_equal(&x, &y));
    lw_document_free(&old);
    lw_document_free(&new);
    read_one(&old, "!ttg.memdesc<8x8xf16, #ttg.padded_shared<[4:+2] {order = [1, 0], CTAsPerCGA = "
                   "[2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>, #ttg.shared_memory>");
    read_one(&new, "!ttg.memdesc<8x8xf16, #ttg.padded_shared<[4:+2] {offset = [[0, 1], [0, 2], [0, "
                   "4], [1, 0], [2, 0]], block = [[4, 0]]}>, #ttg.shared_memory>");
    assert_true(lw_document_build(&old, &a, NULL) && lw_document_build(&new, &b, NULL));
    assert_true(a.kind == LW_MAP_PADDED && b.kind == LW_MAP_PADDED);
    assert_true(lw_layout_equal(&a.as.padded.layout, &b.as.padded.layout));
    assert_true(a.in.dim[0].size == 32 + 7 * 2 && lw_dims_equal(&a.in, &b.in));
    lw_document_free(&old);
    lw_document_free(&new);
}

/* Before Triton 3.3, nvmma_shared was called shared with hasLeadingOffset; both are one layout. */
static void leading_offset(void **state)
{
    (void)state;
    static const struct {
        int width, per_phase, max_phase;
    } rows[] = {{32, 4, 2}, {64, 2, 4}, {128, 1, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char old[256], now[256];
        struct lw_document a, b;
        struct lw_map map_a, map_b;
        snprintf(old, sizeof old,
                 "!tt.memdesc<64x128xf16, #triton_gpu.shared<{vec = 8, perPhase = %d, maxPhase = "
                 "%d, order = [1, 0], hasLeadingOffset = true}>>",
                 rows[i].per_phase, rows[i].max_phase);
        snprintf(
            now, sizeof now,
            "!ttg.memdesc<64x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = "
            "false, elementBitWidth = 16}>, #smem>",
            rows[i].width);
        read_one(&a, old);
        read_one(&b, now);
        assert_true(lw_document_build(&a, &map_a, NULL) && lw_document_build(&b, &map_b, NULL));
        assert_true(lw_layout_equal(&map_a.as.linear.layout, &map_b.as.linear.layout));
        lw_document_free(&a);
        lw_document_free(&b);
    }
}

/* The same cluster in its two notations, and the words of old releases for one layout. */
static void two_notations(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"tensor<64x64xf16, #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
         "warpsPerCTA = [2, 1], order = [1, 0], CTAsPerCGA = [2, 4], CTASplitNum = [2, 2], "
         "CTAOrder = [1, 0]}>>",
         "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
         "warpsPerCTA = [2, 1], order = [1, 0], CGALayout = [[0, 1], [0, 0], [1, 0]]}>>"},
        {"tensor<64x64xf64, #ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, "
         "2], instrShape = [16, 16], isTransposed = true, elementType = f64}>>",
         "tensor<64x64xf64, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, "
         "16, "
         "4], isTransposed = true, elementBitWidth = 64}>>"},
        {"tensor<64x64xf32, #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, "
         "2]}>>",
         "tensor<64x64xf32, #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = "
         "[[0, 1], [1, 0]]}}>>"},
        {"tensor<32x32xf32, #triton_gpu.mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, "
         "2], CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0], instrShape = [16, "
         "8]}>>",
         "tensor<32x32xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, "
         "2], instrShape = [16, 8]}>>"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct lw_map maps[2];
        for (int k = 0; k < 2; k++) {
            struct lw_document doc;
            struct lw_error err;
            read_one(&doc, pairs[i][k]);
            if (!lw_document_build(&doc, &maps[k], &err))
                fail_msg("%s: %s", pairs[i][k], err.message);
            lw_document_free(&doc);
        }
        assert_true(lw_layout_equal(&maps[0].as.linear.layout, &maps[1].as.linear.layout));
    }
}

/* A warp of m16n8: the C fragment by the words of the PTX manual: row = lane / 4 (+ 8), column =
 * lane % 4 * 2 + register % 2. */
static void mma_fragment(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_map map;
    read_one(&doc, "tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                   "warpsPerCTA = [1, 1], instrShape = [16, 8]}>>");
    assert_true(lw_document_build(&doc, &map, NULL));
    for (uint64_t lane = 0; lane < 32; lane++)
        for (uint64_t r = 0; r < 4; r++) {
            const uint64_t in[4] = {r, lane, 0, 0};
            uint64_t out[2];
            assert_true(lw_map_apply(&map, in, out));
            assert_true(out[0] == lane / 4 + r / 2 * 8);
            assert_true(out[1] == lane % 4 * 2 + r % 2);
        }
    lw_document_free(&doc);
}

/* mfma 32x32: lane l holds column l % 32, and rows 8 (r / 4) + 4 (l / 32) + r % 4. */
static void mfma_fragment(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_map map;
    read_one(&doc, "tensor<32x32xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape "
                   "= [32, 32, 8], isTransposed = false}>>");
    assert_true(lw_document_build(&doc, &map, NULL));
    for (uint64_t lane = 0; lane < 64; lane++)
        for (uint64_t r = 0; r < 16; r++) {
            const uint64_t in[4] = {r, lane, 0, 0};
            uint64_t out[2];
            assert_true(lw_map_apply(&map, in, out));
            assert_true(out[0] == r / 4 * 8 + lane / 32 * 4 + r % 4);
            assert_true(out[1] == lane % 32);
        }
    lw_document_free(&doc);
}

/* The rotating swizzle as upstream documents it: phase xor the number of the group of rows. */
static void rotating(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_map map;
    read_one(&doc, "!ttg.memdesc<16x8xf16, #ttg.amd_rotating_shared<{vec = 2, perPhase = 1, "
                   "maxPhase = 4, order = [1, 0]}>, #smem>");
    assert_true(lw_document_build(&doc, &map, NULL));
    for (uint64_t r = 0; r < 16; r++)
        for (uint64_t c = 0; c < 8; c++) {
            uint64_t at[2] = {r, c}, position[2];
            assert_true(lw_map_owner(&map, at, 0, position));
            assert_true(position[0] == r * 8 + (c ^ ((r % 4 ^ r / 4 % 4) * 2)));
        }
    lw_document_free(&doc);
}

static void elements(void **state)
{
    (void)state;
    static const struct {
        const char *name, *canonical;
        int bits;
    } rows[] = {{"f16", "f16", 16},
                {"half", "f16", 16},
                {"fp32", "f32", 32},
                {"float", "f32", 32},
                {"bfloat16", "bf16", 16},
                {"fp8e5", "f8E5M2", 8},
                {"float8_e4m3", "f8E4M3FN", 8},
                {"f4E2M1FN", "f4E2M1FN", 4},
                {"e3m2", "f6E3M2FN", 6},
                {"int8", "i8", 8},
                {"i1", "i1", 1},
                {"bool", "i1", 1},
                {"i37", "i37", 37},
                {"uint16", "ui16", 16},
                {"index", "index", 64},
                {"!tt.ptr<f32>", "!tt.ptr<f32>", 64},
                {"!tt.ptr<f8E4M3B11FNUZ, 3>", "!tt.ptr<...>", 64}};
    static const char *const bad[] = {"",     " ", "f17",      "i0",        "i65",
                                      "i099", "x", "!tt.ptr<", "!tt.ptr<>", "f16 "};
    struct lw_element element;
    struct lw_error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(lw_element_find(&element, rows[i].name, NULL));
        assert_string_equal(element.name, rows[i].canonical);
        assert_int_equal(element.bits, rows[i].bits);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (lw_element_find(&element, bad[i], &err))
            fail_msg("'%s' was taken for %s", bad[i], element.name);
    assert_false(lw_element_find(&element, "bf17", &err));
    assert_string_equal(err.message, "unknown element type 'bf17'; did you mean 'bf16'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations),    cmocka_unit_test(older_memory),
        cmocka_unit_test(leading_offset), cmocka_unit_test(two_notations),
        cmocka_unit_test(mma_fragment),   cmocka_unit_test(mfma_fragment),
        cmocka_unit_test(rotating),       cmocka_unit_test(elements),
    };
    return RUN(tests);
}
