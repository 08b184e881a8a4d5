/* Access plans: what each instruction moves, totals against a count of every instruction, cases that people
 * have asked about, maps that are not linear, what is refused. */

#include "golden.h"

#include "laneway/document.h"
#include "laneway/plan.h"

static struct lw_map map_of(const char *source)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    if (!lw_document_read(&doc, source, strlen(source), NULL, &err) ||
        !lw_document_build(&doc, &map, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_free(&doc);
    return map;
}

static struct lw_plan plan_of(const struct lw_map *registers, const struct lw_map *memory,
                              unsigned bits, enum lw_access_op op)
{
    struct lw_plan_request request = {
        .registers = registers, .memory = memory, .element_bits = bits, .op = op};
    struct lw_plan plan;
    struct lw_error err = {0};
    if (!lw_plan_make(&plan, &request, &err))
        fail_msg("%s", err.message);
    return plan;
}

/* ---- Every value goes where it belongs ---- */

/* The byte address of the element that a register holds. */
static uint64_t address_of(const struct lw_plan *plan, uint64_t reg, uint64_t lane, uint64_t warp)
{
    const struct lw_map *registers = plan->request.registers, *memory = plan->request.memory;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX], place[LW_DIMS_MAX];
    for (int i = 0; i < registers->in.count; i++) {
        const char *name = registers->in.dim[i].name;
        uint64_t thread = warp * plan->request.hardware->lanes + lane;
        in[i] = !strcmp(name, "register") || !strcmp(name, "local") ? reg
                : !strcmp(name, "lane")                             ? lane
                : !strcmp(name, "warp")                             ? warp
                : !strcmp(name, "thread")                           ? thread
                                                                    : 0;
    }
    assert_true(lw_map_apply(registers, in, out));
    assert_true(lw_map_owner(memory, out, 0, place));
    return place[0] * plan->request.element_bits / 8;
}

/* By the definition of ldmatrix: lane l holds 4 bytes of row l / 4 of each matrix; transposed, of rows
 * 2 (l mod 4) and the next, in column l / 4. */
static uint64_t matrix_address(const struct lw_instruction *i, unsigned k, unsigned each,
                               unsigned lane, unsigned bytes)
{
    unsigned matrix = k / each, element = k % each;
    if (i->transposed)
        return i->access.address[8 * matrix + 2 * (lane % 4) + element] + 2 * (lane / 4);
    return i->access.address[8 * matrix + lane / 4] + 4 * (lane % 4) + element * bytes;
}

static void check_instruction(const struct lw_plan *plan, const struct lw_instruction *i)
{
    unsigned bits = plan->request.element_bits, each = bits < 32 ? 32 / bits : 1;
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned k = 0; (i->access.active >> lane & 1) && k < i->register_count; k++) {
            uint64_t address = i->access.matrices
                                   ? matrix_address(i, k, each, lane, bits / 8)
                                   : i->access.address[lane] + (uint64_t)k * bits / 8;
            assert_int_equal(address, address_of(plan, i->registers[k], lane, i->warp));
        }
}

/* Looks at every instruction: what it moves, and that the totals are theirs. */
static void check_plan(const struct lw_plan *plan)
{
    struct lw_plan_total total = {0};
    uint64_t kinds = 0;
    assert_int_equal(plan->count, plan->per_warp * plan->warps);
    for (uint64_t n = 0; n < plan->count; n++) {
        struct lw_instruction i;
        struct lw_cost cost;
        lw_plan_instruction(plan, n, &i);
        assert_true(lw_access_cost(plan->request.hardware->banks, &i.access, &cost, NULL));
        check_instruction(plan, &i);
        total.instructions += i.access.active != 0;
        total.matrix += i.access.matrices != 0;
        total.wavefronts += cost.wavefronts;
        total.conflicts += cost.conflicts;
        total.ideal += cost.ideal;
    }
    assert_int_equal(plan->total.instructions, total.instructions);
    assert_int_equal(plan->total.matrix, total.matrix);
    assert_int_equal(plan->total.wavefronts, total.wavefronts);
    assert_int_equal(plan->total.conflicts, total.conflicts);
    assert_int_equal(plan->total.ideal, total.ideal);
    for (int k = 0; k < plan->kind_count; k++)
        kinds += plan->kinds[k].count;
    if (plan->kind_count < LW_PLAN_KINDS_MAX)
        assert_int_equal(kinds, total.instructions);
}

static int plans, refused, matrices, tails;

static void check_request(const struct lw_plan_request *request)
{
    struct lw_plan plan;
    struct lw_error err = {0};
    if (!lw_plan_make(&plan, request, &err)) {
        refused++;
        return;
    }
    plans++;
    matrices += plan.total.matrix != 0;
    tails += plan.total.instructions < plan.count;
    if (plan.count <= 512)
        check_plan(&plan);
    lw_plan_free(&plan);
}

static void check_pair(const char *registers, const char *memory, unsigned bits)
{
    struct lw_map from = map_of(registers), to = map_of(memory);
    for (int n = 0; n < 6; n++)
        check_request(
            &(struct lw_plan_request){.registers = &from,
                                      .memory = &to,
                                      .element_bits = bits,
                                      .op = n % 2 ? LW_ACCESS_LOAD : LW_ACCESS_STORE,
                                      .stage = n / 2 == 1 ? LW_PLAN_TRITON : LW_PLAN_COMPILED,
                                      .to_global = n == 5,
                                      .plain_only = n == 4});
}

static void check_conflict_row(const cJSON *row, const char *line)
{
    (void)line;
    check_pair(cJSON_GetObjectItem(row, "source")->valuestring,
               cJSON_GetObjectItem(row, "shared")->valuestring,
               (unsigned)cJSON_GetObjectItem(row, "bits")->valueint);
}

static void check_kernel_row(const cJSON *row, const char *line)
{
    const cJSON *memory = cJSON_GetObjectItem(row, "memory"), *registers;
    (void)line;
    cJSON_ArrayForEach(registers, cJSON_GetObjectItem(row, "registers"))
    {
        if (memory)
            check_pair(registers->valuestring, memory->valuestring,
                       (unsigned)cJSON_GetObjectItem(row, "bits")->valueint);
    }
}

static void moves(void **state)
{
    (void)state;
    golden_each("triton37_conflicts.jsonl", check_conflict_row);
    golden_each("kernels_h200.jsonl", check_kernel_row);
    assert_true(plans > 3000);
    assert_true(matrices > 300);
    assert_true(tails > 5);
}

/* ---- Cases that people have asked about ---- */

#define V2(M, N)                                                                                   \
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [" #M ", " #N              \
    "], instrShape = [16, 8]}>"
#define SWIZZLED(vec, per, max, order)                                                             \
    "#ttg.swizzled_shared<{vec = " #vec ", perPhase = " #per ", maxPhase = " #max                  \
    ", order = " order "}>"
#define DOT(side) "#ttg.dot_op<{opIdx = " #side ", parent = " V2(1, 1) ", kWidth = 2}>"

static void assert_load(const char *shape, const char *registers, const char *memory, unsigned bits,
                        const char *opcode, uint64_t wavefronts, uint64_t conflicts)
{
    char from[512], to[512];
    snprintf(from, sizeof from, "tensor<%s, %s>", shape, registers);
    snprintf(to, sizeof to, "!ttg.memdesc<%s, %s, #ttg.shared_memory, mutable>", shape, memory);
    struct lw_map a = map_of(from), b = map_of(to);
    struct lw_plan plan = plan_of(&a, &b, bits, LW_ACCESS_LOAD);
    assert_int_equal(plan.opcode_count, 1);
    assert_string_equal(plan.opcodes[0].name, opcode);
    assert_int_equal(plan.total.wavefronts, wavefronts);
    assert_int_equal(plan.total.conflicts, conflicts);
    lw_plan_free(&plan);
}

/* half s_a[16][16] by ldmatrix.x4, half s_b[16][8] by ldmatrix.x2.trans: A is 2-way on each of its four
 * matrices; with column xor ((row / 4) mod 2) * 8 it is not. */
static void case_ldmatrix(void **state)
{
    (void)state;
    assert_load("16x16xf16", DOT(0), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.M88.4", 8, 4);
    assert_load("16x8xf16", DOT(1), SWIZZLED(1, 1, 1, "[1, 0]"), 16, "LDSM.16.MT88.2", 2, 0);
    assert_int_equal(8192 * 64 * 4, 2097152);
    assert_load("16x16xf16", DOT(0), SWIZZLED(8, 4, 2, "[1, 0]"), 16, "LDSM.16.M88.4", 4, 0);
}

/* half, (128,8):(1,128), ldmatrix.x4.trans: Swizzle<3,3,4> is vec 8, perPhase 1, maxPhase 8 of columns. */
static void case_transposed(void **state)
{
    (void)state;
    assert_load("128x8xf16", V2(1, 1), SWIZZLED(1, 1, 1, "[0, 1]"), 16, "LDSM.16.MT88.4", 128, 112);
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
    struct lw_map a = map_of(from), b = map_of(to);
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
    struct lw_map from = map_of(source), to = rows_map(rows, cols);
    struct lw_text text = {0};
    for (int op = 0; op < 2; op++) {
        struct lw_plan plan = plan_of(&from, &to, bits, op ? LW_ACCESS_STORE : LW_ACCESS_LOAD);
        assert_int_equal(plan.rule, LW_PLAN_RUNS);
        check_plan(&plan);
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
    struct lw_map from = map_of("spatial(1, 32).local(1, 3)"), to = rows_map(1, 96);
    struct lw_plan plan;
    struct lw_error err = {0};
    struct lw_plan_request request = {.registers = &from, .memory = &to, .element_bits = 4};
    assert_false(lw_plan_make(&plan, &request, &err));
    assert_non_null(strstr(err.message, "has no byte of its own"));
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
    struct lw_map from = map_of(CGA(", CGALayout = [[1, 0]]"));
    struct lw_map to = map_of(CGA_MEMORY(", CGALayout = [[1, 0]]"));
    (void)state;
    struct lw_plan plan = plan_of(&from, &to, 16, LW_ACCESS_STORE);
    assert_int_equal(plan.warps, 4);
    assert_int_equal(plan.total.instructions, 16);
    assert_int_equal(plan.total.wavefronts, 64);
    assert_int_equal(plan.total.bytes, 64 * 64 * 2);
    check_plan(&plan);
    lw_plan_free(&plan);
}

static void assert_refused(const char *registers, const char *memory, unsigned bits,
                           const char *message)
{
    struct lw_map from = map_of(registers), to = map_of(memory);
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
    assert_refused(CGA_MEMORY(""), CGA_MEMORY(""), 16, "both of these are memory");
    assert_refused(CGA(""), CGA(""), 16, "neither of these has offsets");
    assert_refused(CGA(""), CGA_MEMORY(""), 24, "elements of 24 bits");
    assert_refused("spatial(4, 8)", CGA_MEMORY(""), 0, "elements of 0 bits");
    assert_refused("spatial(3, 8)", CGA_MEMORY(""), 16, "different tensors: 3 x 8 and 128 x 64");
    assert_refused("spatial(2, 2, 2)", CGA_MEMORY(""), 16, "different tensors");
    /* 2^40 registers, 2^30 warps. */
    const char *memory =
        "!ttg.memdesc<1048576x1048576xf16, #ttg.swizzled_shared<{vec = 1, perPhase = "
        "1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable>";
    assert_refused("local(1048576, 1048576)", memory, 16, "over 2^16 instructions");
    assert_refused("spatial(1048576, 32768).local(1, 32)", memory, 16, "over 2^20 warps");
    assert_refused("local(3, 1000000)", memory, 16, "different tensors");
}

/* Places of maps that are not linear are looked at one by one: a limit keeps that short. */
static void too_many_places(void **state)
{
    struct lw_map from = map_of("local(3000, 3000)"), to = rows_map(3000, 3000);
    struct lw_plan_request request = {.registers = &from, .memory = &to, .element_bits = 32};
    struct lw_plan plan;
    struct lw_error err = {0};
    (void)state;
    assert_false(lw_plan_make(&plan, &request, &err));
    assert_non_null(strstr(err.message, "over 2^22 places"));
}

/* What goes straight to a global store: f16, lanes replicated twice, so that the last of two stores and
 * the load before it are of the first copy alone. */
static void tail(void **state)
{
    struct lw_map from =
        map_of("tensor<8x16xf16, #ttg.linear<{register = [[1, 0], [2, 0]], lane = "
               "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]], warp = [[4, 0]], block = []}>>");
    struct lw_map to = map_of("!ttg.memdesc<8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                              "maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory, mutable>");
    struct lw_plan_request request = {
        .registers = &from, .memory = &to, .element_bits = 16, .to_global = true};
    struct lw_plan plan;
    struct lw_instruction last;
    (void)state;
    assert_true(lw_plan_make(&plan, &request, NULL));
    check_plan(&plan);
    lw_plan_instruction(&plan, plan.per_warp - 1, &last);
    assert_int_equal(plan.per_warp, 4);
    assert_int_equal(last.access.active, 0xffff);
    assert_int_equal(plan.total.instructions, 8);
    lw_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves),
        cmocka_unit_test(case_ldmatrix),
        cmocka_unit_test(case_transposed),
        cmocka_unit_test(case_rows),
        cmocka_unit_test(case_transpose),
        cmocka_unit_test(case_estimates),
        cmocka_unit_test(runs),
        cmocka_unit_test(small_elements),
        cmocka_unit_test(blocks),
        cmocka_unit_test(refusals),
        cmocka_unit_test(too_many_places),
        cmocka_unit_test(tail),
    };
    return RUN(tests);
}
