/* Access plans: cases that people have asked about, maps that are not linear, blocks, what is refused. */

#include "plan_help.h"
#include "unit.h"

#include "analysis/access/reduction.h"

/* ---- Cases that people have asked about ---- */

#define V2(M, N)                                                                                   \
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [" #M ", " #N              \
    "], instrShape = [16, 8]}>"
#define SWIZZLED(vec, per, max, order)                                                             \
    "#ttg.swizzled_shared<{vec = " #vec ", perPhase = " #per ", maxPhase = " #max                  \
    ", order = " order "}>"
#define DOT(side) "#ttg.dot_op<{opIdx = " #side ", parent = " V2(1, 1) ", kWidth = 2}>"

/* Returns the conflicts of the plan. */
static uint64_t assert_load(const char *shape, const char *registers, const char *memory,
                            unsigned bits, const char *opcode, uint64_t wavefronts,
                            uint64_t conflicts)
{
    char from[512], to[512];
    snprintf(from, sizeof from, "tensor<%s, %s>", shape, registers);
    snprintf(to, sizeof to, "!ttg.memdesc<%s, %s, #ttg.shared_memory, mutable>", shape, memory);
    struct lw_map a = plan_map(from), b = plan_map(to);
    struct lw_plan plan = plan_made(&a, &b, bits, LW_ACCESS_LOAD);
    assert_int_equal(plan.opcode_count, 1);
    assert_string_equal(plan.opcodes[0].name, opcode);
    assert_int_equal(plan.total.wavefronts, wavefronts);
    assert_int_equal(plan.total.conflicts, conflicts);
    uint64_t counted = plan.total.conflicts;
    lw_plan_free(&plan);
    return counted;
}

/* half s_a[16][16] by ldmatrix.x4, half s_b[16][8] by ldmatrix.x2.trans: A is 2-way on each of its four
 * matrices; with column xor ((row / 4) mod 2) * 8 it is not. The profiler counted 2097152 conflicts in a kernel that
 * loads both in each of 64 steps of 8192 blocks. */
static void case_ldmatrix(void **state)
{
    (void)state;
    uint64_t step =
        assert_load("16x16xf16", DOT(0), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.M88.4", 8, 4);
    step +=
        assert_load("16x8xf16", DOT(1), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.MT88.2", 2, 0);
    assert_int_equal(8192 * 64 * step, 2097152);
    assert_load("16x16xf16", DOT(0), SWIZZLED(8, 4, 2, "[1, 0]"), 16, "LDSM.16.M88.4", 4, 0);
}

/* half, (128,8):(1,128), ldmatrix.x4.trans: Swizzle<3,3,4> is vec 8, perPhase 1, maxPhase 8 of columns. Without
 * it 8-way, but Triton 3.9 chooses rows that are 4-way. */
static void case_transposed(void **state)
{
    (void)state;
    struct lw_map a = plan_map("tensor<128x8xf16, " V2(1, 1) ">"),
                  b = plan_map("!ttg.memdesc<128x8xf16, " SWIZZLED(
                      1, 1, 1, "[0, 1]") ", #ttg.shared_memory>");
    for (int i = 0; i < 2; i++) {
        struct lw_plan_request request = {.registers = &a,
                                          .memory = &b,
                                          .element_bits = 16,
                                          .op = LW_ACCESS_LOAD,
                                          .triton = i ? LW_TRITON_3_9 : LW_TRITON_3_8};
        struct lw_plan plan;
        assert_true(lw_plan_make(&plan, &request, NULL));
        assert_int_equal(plan.total.wavefronts, i ? 64 : 128);
        assert_int_equal(plan.total.conflicts, i ? 48 : 112);
        lw_plan_free(&plan);
    }
    assert_load("128x8xf16", V2(1, 1), SWIZZLED(8, 1, 8, "[0, 1]"), 16, "LDSM.16.MT88.4", 16, 0);
}

/* The 8 rows of a matrix: Swizzle<3,3,3> o (8,64):(64,1), Swizzle<2,3,3> o (8,32):(32,1). */
static void case_rows(void **state)
{
    (void)state;
    assert_load("8x64xf16", V2(1, 1), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.M88.4", 64, 56);
    assert_load("8x64xf16", V2(1, 1), SWIZZLED(8, 1, 8, "[1, 0]"), 16, "LDSM.16.M88.4", 8, 0);
    assert_load("8x32xf16", V2(1, 1), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.M88.4", 16, 12);
    assert_load("8x32xf16", V2(1, 1), SWIZZLED(8, 2, 4, "[1, 0]"), 16, "LDSM.16.M88.4", 4, 0);
}

/* A row-major 32 x 32 tile of f32, read by columns, a warp each. */
static void case_transpose(void **state)
{
    const char *columns = "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], "
                          "warpsPerCTA = [1, 32], order = [0, 1]}>";
    (void)state;
    assert_load("32x32xf32", columns, SWIZZLED(1, 1, 1, "[1, 0]"), 32, "LDS", 1024, 992);
    assert_load("32x32xf32", columns, SWIZZLED(1, 1, 32, "[1, 0]"), 32, "LDS", 32, 0);
    assert_load("32x32xf32", columns,
                "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>", 32, "LDS", 32, 0);
}

static void assert_estimate(const char *shape, const char *registers, const char *memory,
                            unsigned bits, uint64_t conflicts)
{
    char from[512], to[512];
    uint64_t estimate;
    snprintf(from, sizeof from, "tensor<%s, %s>", shape, registers);
    snprintf(to, sizeof to, "!ttg.memdesc<%s, %s, #ttg.shared_memory, mutable>", shape, memory);
    struct lw_map a = plan_map(from), b = plan_map(to);
    assert_true(lw_plan_estimate(
        &(struct lw_plan_request){.registers = &a, .memory = &b, .element_bits = bits}, &estimate));
    assert_int_equal(estimate, conflicts);
}

/* Rows of Triton's own test of its estimate. */
static void case_estimates(void **state)
{
    const char *v3 = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
                     "instrShape = [16, 32, 16]}>";
    (void)state;
    assert_estimate("4x64xf16", V2(2, 4), SWIZZLED(1, 1, 1, "[1, 0]"), 16, 3);
    assert_estimate("128x64xf32", v3,
                    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
                    "elementBitWidth = 32}>",
                    32, 1);
    assert_estimate("128x128xf16", v3,
                    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
                    "elementBitWidth = 16}>",
                    16, 0);
}

/* Triton has none for registers that hold a part of the memory, in whichever notations. */
static void case_no_estimate_of_a_part(void **state)
{
    static const char *const memories[] = {
        "(128,8):(1,128)", "!ttg.memdesc<16x16xf16, " SWIZZLED(8, 1, 1, "[1, 0]") ", #smem>"};
    uint64_t estimate;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lw_map part = plan_map("SM80_16x8x8_F32F16F16F32_TN.A");
        struct lw_map memory = plan_map(memories[i]);
        assert_false(lw_plan_estimate(
            &(struct lw_plan_request){.registers = &part, .memory = &memory, .element_bits = 16},
            &estimate));
    }
}

/* ---- Maps that are not linear ---- */

/* Memory of any shape, row-major, the rows so far apart. */
static struct lw_map rows_map(uint64_t rows, uint64_t cols)
{
    struct lw_dims in = {0}, out = {0};
    struct lw_map map;
    const struct lw_mode modes[] = {{cols, 1, 1, 0, 1}, {rows, cols, 1, 0, 0}};
    assert_true(lw_dims_add(&in, "offset", rows * cols, NULL));
    assert_true(lw_dims_add(&out, "dim0", rows, NULL));
    assert_true(lw_dims_add(&out, "dim1", cols, NULL));
    assert_true(lw_map_from_modes(&map, &in, &out, modes, 2, NULL));
    return map;
}

static void check_runs(const char *source, uint64_t rows, uint64_t cols, unsigned bits,
                       const char *opcodes, uint64_t wavefronts)
{
    struct lw_map from = plan_map(source), to = rows_map(rows, cols);
    struct lw_text text = {0};
    for (int op = 0; op < 2; op++) {
        struct lw_plan plan = plan_made(&from, &to, bits, op ? LW_ACCESS_STORE : LW_ACCESS_LOAD);
        assert_int_equal(plan.rule, LW_PLAN_RUNS);
        plan_check(&plan);
        assert_int_equal(plan.total.wavefronts, wavefronts);
        for (int i = 0; op == 0 && i < plan.opcode_count; i++)
            lw_text_format(&text, "%s%s x %llu", i ? ", " : "", plan.opcodes[i].name,
                           (unsigned long long)plan.opcodes[i].count);
        lw_plan_free(&plan);
    }
    assert_string_equal(lw_text_string(&text), opcodes);
    lw_text_free(&text);
}

static void runs(void **state)
{
    (void)state;
    /* 32 lanes, 12 registers each: rows of four f32. Lane l reads 16 bytes at 64 (l / 8) * 3 ... */
    check_runs("local(3, 4)", 3, 4, 32, "LDS.128 x 3", 3);
    /* Six neighbours of 16 bits at 12 l bytes: aligned to 4 bytes alone. */
    check_runs("spatial(4, 8).local(1, 6)", 4, 48, 16, "LDS x 3", 3);
    /* Seven at 14 l bytes: to 2. */
    check_runs("spatial(1, 32).local(1, 7)", 1, 224, 16, "LDS.U16 x 7", 14);
    /* 45 threads: 13 lanes of the second warp; f32 one by one, neighbours in neighbouring lanes. */
    check_runs("spatial(3, 15)", 3, 15, 32, "LDS x 1", 2);
    /* Replicated registers are loaded once, replicated threads load again. */
    check_runs("reduce(spatial(2, 3, 8).local(2, 1, 4), dims=[0])", 3, 32, 32, "LDS.128 x 1", 6);
}

/* Elements of less than a byte: two neighbours of 4 bits are one, a single one has no address. */
static void small_elements(void **state)
{
    (void)state;
    check_runs("spatial(4, 8).local(1, 8)", 4, 64, 4, "LDS x 1", 1);
    struct lw_map from = plan_map("spatial(1, 32).local(1, 3)"), to = rows_map(1, 96);
    struct lw_plan plan;
    struct lw_error err = {0};
    struct lw_plan_request request = {.registers = &from, .memory = &to, .element_bits = 4};
    assert_false(lw_plan_make(&plan, &request, &err));
    assert_non_null(strstr(err.message, "is less than a byte"));
}

/* ---- Blocks, and what is refused ---- */

#define CGA(bases)                                                                                 \
    "tensor<128x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "           \
    "warpsPerCTA = [4, 1], order = [1, 0]" bases "}>>"
#define CGA_MEMORY(bases)                                                                          \
    "!ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = " \
    "[1, 0]" bases "}>, #ttg.shared_memory, mutable>"

/* Where each block has its part in its own memory the plan is that of one block. */
static void blocks(void **state)
{
    struct lw_map from = plan_map(CGA(", CGALayout = [[1, 0]]"));
    struct lw_map to = plan_map(CGA_MEMORY(", CGALayout = [[1, 0]]"));
    (void)state;
    struct lw_plan plan = plan_made(&from, &to, 16, LW_ACCESS_STORE);
    assert_int_equal(plan.warps, 4);
    assert_int_equal(plan.total.instructions, 16);
    assert_int_equal(plan.total.wavefronts, 64);
    assert_int_equal(plan.total.bytes, 64 * 64 * 2);
    plan_check(&plan);
    lw_plan_free(&plan);
}

static void assert_refused(const char *registers, const char *memory, unsigned bits,
                           const char *message)
{
    struct lw_map from = plan_map(registers), to = plan_map(memory);
    struct lw_plan plan;
    struct lw_error err = {0};
    struct lw_plan_request request = {.registers = &from, .memory = &to, .element_bits = bits};
    assert_false(lw_plan_make(&plan, &request, &err));
    if (!strstr(err.message, message))
        fail_msg("%s", err.message);
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(CGA(", CGALayout = [[1, 0]]"), CGA_MEMORY(""), 16,
                   "spread over blocks differently");
    assert_refused(CGA(""), CGA_MEMORY(", CGALayout = [[0, 1]]"), 16,
                   "in the memory of another block");
    assert_refused(CGA_MEMORY(""), CGA_MEMORY(""), 16, "both layouts are memory");
    assert_refused(CGA(""), CGA(""), 16, "neither layout has offsets");
    assert_refused(CGA(""), CGA_MEMORY(""), 24, "elements of 24 bits");
    assert_refused("spatial(4, 8)", CGA_MEMORY(""), 0, "elements of 0 bits");
    assert_refused("spatial(3, 80)", CGA_MEMORY(""), 16,
                   "registers of 3 x 80 do not fit into memory of 128 x 64: ");
    assert_refused("spatial(2, 2, 2)", CGA_MEMORY(""), 16,
                   "registers of 2 x 2 x 2 do not fit into memory of 128 x 64: both need");
    /* 2^40 registers, 2^30 warps. */
    const char *memory =
        "!ttg.memdesc<1048576x1048576xf16, #ttg.swizzled_shared<{vec = 1, perPhase = "
        "1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable>";
    assert_refused("local(1048576, 1048576)", memory, 16,
                   "too many instructions in the code of one warp");
    assert_refused("spatial(1048576, 32768).local(1, 32)", memory, 16, "over 2^20 warps");
    assert_refused("local(3, 2000000)", memory, 16, "do not fit into memory");
    assert_refused("local(3, 1000000)", memory, 16, "too many hardware indices, 3000000");
}

/* What a target has: stmatrix from sm90 on, transposed bytes from sm100 on, at an unknown cost. */
static void targets(void **state)
{
    static const struct {
        const char *target;
        enum lw_access_op op;
        const char *opcode; /* NULL: refused */
    } rows[] = {
        {"sm70", LW_ACCESS_LOAD, "LDS.U8"},  {"sm90", LW_ACCESS_LOAD, "LDS.U8"},
        {"sm90", LW_ACCESS_STORE, "STS.U8"}, {"sm100", LW_ACCESS_LOAD, NULL},
        {"sm100", LW_ACCESS_STORE, NULL},
    };
    struct lw_map from =
        plan_map("tensor<16x16xi8, #ttg.linear<{register = [[0, 1], [0, 2], [8, 0]], lane = "
                 "[[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>>");
    struct lw_map to =
        plan_map("!ttg.memdesc<16x16xi8, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                 "maxPhase = 1, order = [0, 1]}>, #ttg.shared_memory, mutable>");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_plan_request request = {.registers = &from,
                                          .memory = &to,
                                          .element_bits = 8,
                                          .op = rows[i].op,
                                          .hardware = lw_hardware_find(rows[i].target)};
        struct lw_plan plan;
        struct lw_error err = {0};
        assert_int_equal(lw_plan_make(&plan, &request, &err), rows[i].opcode != NULL);
        if (rows[i].opcode) {
            assert_string_equal(plan.opcodes[0].name, rows[i].opcode);
            lw_plan_free(&plan);
        } else {
            assert_non_null(strstr(err.message, "its wavefronts are unknown"));
        }
    }
}

/* The indices of maps that are not linear are tried one by one: a limit keeps that short. */
static void too_many_indices(void **state)
{
    struct lw_map from = plan_map("local(3000, 3000)"), to = rows_map(3000, 3000);
    struct lw_plan_request request = {.registers = &from, .memory = &to, .element_bits = 32};
    struct lw_plan plan;
    struct lw_error err = {0};
    (void)state;
    assert_false(lw_plan_make(&plan, &request, &err));
    assert_non_null(strstr(err.message, "too many hardware indices"));
}

/* ---- As written ---- */

/* The opcodes of a plan as written, or the error. */
static void as_written(void **state)
{
    static const struct {
        const char *registers, *memory;
        unsigned bits;
        const char *opcode;
        uint64_t count, wavefronts;
        const char *message;
    } cases[] = {
        /* x = s[tid] */
        {"spatial(32)", "32:1", 32, "LDS", 1, 1, NULL},
        {"local(4, 1).spatial(8, 32)", "(32,32):(32,1)", 32, "LDS", 4, 32, NULL},
        {"spatial(8, 4).local(1, 4)", "(8,16):(16,1)", 32, "LDS.128", 1, 4, NULL},
        /* Neighbours in memory that are not consecutive registers, and the reverse. */
        {"spatial(8, 4).column_local(2, 2)", "(16,8):(8,1)", 32, "LDS", 4, 16, NULL},
        {"spatial(8, 4).local(1, 4)", "(8,16):(1,8)", 32, "LDS", 4, 16, NULL},
        /* A vector of 3 is three registers; of 6 it is three of 2. */
        {"spatial(32, 1).local(1, 3)", "(32,3):(3,1)", 32, "LDS", 3, 3, NULL},
        {"spatial(32, 1).local(1, 6)", "(32,6):(6,1)", 32, "LDS.64", 3, 6, NULL},
        /* Rows of 33 words, in vectors of 16 bytes. */
        {"spatial(8, 4).local(1, 4)", "(8,16):(33,1)", 32, NULL, 0, 0,
         "register 0 of warp 0: lane 4: address 132 is not aligned to the 16 bytes that a lane "
         "moves: the kernel would fail at run time (misaligned address)"},
        {"spatial(8, 4).local(1, 4)",
         "!ttg.memdesc<8x16xf32, #ttg.padded_shared<[16:+1] {order = [1, 0], shape = [8, 16]}>, "
         "#smem>",
         32, NULL, 0, 0,
         "register 0 of warp 0: lane 4: address 68 is not aligned to the 16 bytes that a lane "
         "moves: the kernel would fail at run time (misaligned address); paddings of multiples of "
         "4 "
         "elements keep vectors aligned"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_map from = plan_map(cases[i].registers), to = plan_map(cases[i].memory);
        struct lw_plan_request request = {.registers = &from,
                                          .memory = &to,
                                          .element_bits = cases[i].bits,
                                          .op = LW_ACCESS_LOAD,
                                          .stage = LW_PLAN_WRITTEN};
        struct lw_plan plan;
        struct lw_error err = {0};
        if (!lw_plan_make(&plan, &request, &err)) {
            assert_non_null(cases[i].message);
            assert_string_equal(err.message, cases[i].message);
            continue;
        }
        assert_null(cases[i].message);
        plan_check(&plan);
        assert_int_equal(plan.opcode_count, 1);
        assert_string_equal(plan.opcodes[0].name, cases[i].opcode);
        assert_int_equal(plan.opcodes[0].count, cases[i].count);
        assert_int_equal(plan.total.wavefronts, cases[i].wavefronts);
        lw_plan_free(&plan);
    }
}

/* Registers that repeat another are moved again, and threads that hold nothing move nothing. */
static void copies_and_holes(void **state)
{
    struct lw_map to = plan_map("32:1"), holes;
    struct lw_map from = plan_map("tensor<32xf32, #ttg.linear<{register = [[0]], lane = [[1], [2], "
                                  "[4], [8], [16]], warp = [], block = []}>>");
    struct lw_plan_request request = {
        .registers = &from, .memory = &to, .element_bits = 32, .stage = LW_PLAN_WRITTEN};
    struct lw_dims out = {0};
    struct lw_plan plan;
    struct lw_instruction instruction;
    (void)state;
    request.op = LW_ACCESS_STORE;
    assert_true(lw_plan_make(&plan, &request, NULL));
    assert_int_equal(plan.total.instructions, 2);
    lw_plan_free(&plan);
    request.stage = LW_PLAN_COMPILED;
    assert_true(lw_plan_make(&plan, &request, NULL));
    assert_int_equal(plan.total.instructions, 1);
    lw_plan_free(&plan);
    /* 40 of 64 threads hold an element: if (tid < 40) s[tid] = v; */
    lw_dims_add(&out, "dim0", 40, NULL);
    uint32_t ids[40];
    for (uint32_t i = 0; i < 40; i++)
        ids[i] = i;
    const uint64_t shape[] = {40};
    struct lw_error err = {0};
    if (!lw_map_from_table(&holes, shape, ids, &out, 32, &err))
        fail_msg("%s", err.message);
    struct lw_map memory = plan_map("40:1");
    request = (struct lw_plan_request){.registers = &holes,
                                       .memory = &memory,
                                       .element_bits = 32,
                                       .op = LW_ACCESS_STORE,
                                       .stage = LW_PLAN_WRITTEN};
    if (!lw_plan_make(&plan, &request, &err))
        fail_msg("%s", err.message);
    lw_plan_instruction(&plan, 1, &instruction);
    assert_int_equal(plan.count, 2);
    assert_int_equal(instruction.access.active, 0xff);
    lw_plan_free(&plan);
    request.stage = LW_PLAN_COMPILED;
    assert_false(lw_plan_make(&plan, &request, &err));
    assert_string_equal(err.message, "register 0 of lane 8 of warp 1 holds nothing");
}

/* Triton's code for reductions numbers lanes and warps along each dim: the bits of one dim are neighbours. */
static void reductions(void **state)
{
    static const struct {
        const char *reg, *lane, *message;
        uint64_t stores;
    } cases[] = {
        /* Each warp stores the sums of its registers; then the first warp stores those of all. */
        {"[0, 0]", "[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]", NULL, 4 + 1},
        {"[2, 0]", "[0, 1], [0, 2], [0, 0], [0, 4], [1, 0]", NULL, 2 * 4 + 1},
        {"[0, 0]", "[0, 1], [1, 0], [0, 2], [0, 4], [2, 0]",
         "lanes or warps of its layout repeat each other, or those along a dim are not neighbours: "
         "the rule is unknown",
         0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[300];
        struct lw_reduction reduction;
        struct lw_error err;
        snprintf(source, sizeof source,
                 "tensor<4x32xf32, #ttg.linear<{register = [%s], lane = [%s], warp = [[0, 8], "
                 "[0, 16]], block = []}>>",
                 cases[i].reg, cases[i].lane);
        struct lw_map map = plan_map(source);
        struct lw_reduction_request request = {
            .registers = &map, .axis = 1, .operand_count = 1, .element_bits = {32}};
        bool good = lw_reduction_make(&reduction, &request, &err);
        if (good != !cases[i].message || (!good && strcmp(err.message, cases[i].message) != 0))
            fail_msg("%s: %s", source, good ? "not refused" : err.message);
        assert_int_equal(reduction.store.instructions, cases[i].stores);
    }
}

/* What goes straight to a global store: f16, lanes replicated twice, so that the last of two stores and
 * the load before it are of the first copy alone. */
static void tail(void **state)
{
    struct lw_map from =
        plan_map("tensor<8x16xf16, #ttg.linear<{register = [[1, 0], [2, 0]], lane = "
                 "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]], warp = [[4, 0]], block = []}>>");
    struct lw_map to =
        plan_map("!ttg.memdesc<8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                 "maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable>");
    struct lw_plan_request request = {
        .registers = &from, .memory = &to, .element_bits = 16, .to_global = true};
    struct lw_plan plan;
    struct lw_instruction last;
    (void)state;
    assert_true(lw_plan_make(&plan, &request, NULL));
    plan_check(&plan);
    lw_plan_instruction(&plan, plan.per_warp - 1, &last);
    assert_int_equal(plan.per_warp, 4);
    assert_int_equal(last.access.active, 0xffff);
    assert_int_equal(plan.total.instructions, 8);
    lw_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_ldmatrix),
        cmocka_unit_test(case_transposed),
        cmocka_unit_test(case_rows),
        cmocka_unit_test(case_transpose),
        cmocka_unit_test(case_estimates),
        cmocka_unit_test(case_no_estimate_of_a_part),
        cmocka_unit_test(runs),
        cmocka_unit_test(small_elements),
        cmocka_unit_test(blocks),
        cmocka_unit_test(refusals),
        cmocka_unit_test(too_many_indices),
        cmocka_unit_test(targets),
        cmocka_unit_test(reductions),
        cmocka_unit_test(tail),
        cmocka_unit_test(as_written),
        cmocka_unit_test(copies_and_holes),
    };
    return RUN(tests);
}
