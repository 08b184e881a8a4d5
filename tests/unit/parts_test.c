/* Registers that hold all of a memory, or a part of it: one layout in each notation beside one memory in each
 * notation has
 * one plan. */

#include "laneway/document.h"
#include "core/array_count.h"
#include "notation/document/read.h"
#include "plan_help.h"
#include "unit.h"

#define MMA                                                                                        \
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "                  \
    "instrShape = [16, 8]}>"
#define ROWS "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"

/* Registers of 16 x 8 in each notation. */
static const char *const registers[] = {
    "tensor<16x8xf16, " MMA ">",
    "local(2, 1).spatial(8, 4).local(1, 2)",
    "SM80_16x8x8_F32F16F16F32_TN.A",
    "thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))",
    ("{\"in\":[[\"register\",4],[\"lane\",32]],\"out\":[[\"dim0\",16],[\"dim1\",8]],\"bases\":{"
     "\"register\":[[0,1],[8,0]],\"lane\":[[0,2],[0,4],[1,0],[2,0],[4,0]]}}"),
};

/* Memory row after row in each notation: 16 x 8, of which the registers hold all, and 32 x 64. */
static const char *const memories[][2] = {
    {"!ttg.memdesc<16x8xf16, " ROWS ", #smem>", "!ttg.memdesc<32x64xf16, " ROWS ", #smem>"},
    {"shared_row_major(16, 8)", "shared_row_major(32, 64)"},
    {"(16,8):(8,1)", "(32,64):(64,1)"},
    {"#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}>",
     "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], "
     "[2, 0], [4, 0], [8, 0], [16, 0]]}>"},
    {"!ttg.memdesc<16x8xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], "
     "[4, 0], [8, 0]]}>, #smem>",
     "!ttg.memdesc<32x64xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, "
     "16], "
     "[0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}>, #smem>"},
};

/* ---- Two sources as `banks` completes them ---- */

static void open_source(struct lw_document *doc, const char *source)
{
    struct lw_error err = {0};
    if (!lw_document_open(doc, source, NULL, &err))
        fail_msg("%s: %s", source, err.message);
}

static void build(const struct lw_document *doc, const char *beside, struct lw_map *map)
{
    struct lw_error err = {0};
    if (!lw_document_build(doc, map, &err))
        fail_msg("%s beside %s: %s", doc->name, beside, err.message);
}

static void build_pair(const char *first, const char *second, struct lw_map maps[2])
{
    struct lw_document docs[2];
    open_source(&docs[0], first);
    open_source(&docs[1], second);
    lw_document_share(&docs[0], &docs[1], true);
    lw_document_share(&docs[1], &docs[0], true);
    build(&docs[0], second, &maps[0]);
    build(&docs[1], first, &maps[1]);
    lw_document_free(&docs[0]);
    lw_document_free(&docs[1]);
}

/* The same of a document that has both. */
static void build_access(const char *first, const char *second, struct lw_map maps[2])
{
    struct lw_document doc, other;
    struct lw_text access = {0};
    lw_text_format(&access, "%s > %s", first, second);
    open_source(&doc, lw_text_string(&access));
    lw_text_free(&access);
    enum lw_side side = LW_SIDE_A;
    while (side == doc.side || !lw_document_has(&doc, side))
        side++;
    lw_document_side(&other, &doc, side);
    build(&doc, second, &maps[0]);
    build(&other, first, &maps[1]);
    lw_document_free(&doc);
}

static uint64_t plan_hash(const struct lw_map *registers_map, const struct lw_map *memory_map)
{
    struct lw_plan plan = plan_made(registers_map, memory_map, 16, LW_ACCESS_STORE);
    struct lw_instruction instruction;
    uint64_t hash = plan.total.wavefronts;
    plan_check(&plan);
    for (uint64_t i = 0; i < plan.count; i++) {
        lw_plan_instruction(&plan, i, &instruction);
        for (int lane = 0; lane < 32; lane++)
            hash = hash * 1099511628211u + instruction.access.address[lane];
    }
    lw_plan_free(&plan);
    return hash;
}

/* Of each notation beside each: the plan of the first ones. */
static void check_matrix(int part,
                         void (*make)(const char *first, const char *second, struct lw_map maps[2]))
{
    uint64_t wanted = 0;
    for (size_t m = 0; m < LW_COUNT(memories); m++)
        for (size_t r = 0; r < LW_COUNT(registers); r++) {
            struct lw_map maps[2];
            make(registers[r], memories[m][part], maps);
            uint64_t hash = plan_hash(&maps[0], &maps[1]);
            wanted = m || r ? wanted : hash;
            if (hash != wanted)
                fail_msg("%s beside %s: another plan", registers[r], memories[m][part]);
        }
}

static void test_matrix(void **state)
{
    (void)state;
    for (int part = 0; part < 2; part++) {
        check_matrix(part, build_pair);
        check_matrix(part, build_access);
    }
}

/* The other way round: the memory comes first. */
static void test_memory_first(void **state)
{
    (void)state;
    for (size_t m = 0; m < LW_COUNT(memories); m++)
        for (size_t r = 0; r < LW_COUNT(registers); r++) {
            struct lw_map maps[2];
            build_pair(memories[m][1], registers[r], maps);
            plan_hash(&maps[1], &maps[0]);
            build_access(memories[m][1], registers[r], maps);
            plan_hash(&maps[1], &maps[0]);
        }
}

/* ---- Layouts without a shape of their own ---- */

static void assert_shapes(const char *first, const char *second, uint64_t rows, uint64_t cols)
{
    struct lw_map maps[2];
    build_pair(first, second, maps);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lw_dims_size(&maps[i].out, "dim0"), rows);
        assert_int_equal(lw_dims_size(&maps[i].out, "dim1"), cols);
    }
}

/* They take the other's shape, in whichever notation that is. */
static void test_attributes(void **state)
{
    (void)state;
    for (size_t r = 0; r < LW_COUNT(registers); r++)
        assert_shapes(registers[r], ROWS, 16, 8);
    for (size_t m = 0; m < LW_COUNT(memories); m++)
        assert_shapes(MMA, memories[m][1], 32, 64);
    /* Threads and values without a tile, beside memory. */
    assert_shapes("((4,8),(2,2)):((32,1),(16,8))", memories[0][0], 16, 8);
}

/* ---- Which shapes fit ---- */

static void assert_fits(const char *first, const char *second, const char *refusal)
{
    struct lw_map maps[2];
    struct lw_plan plan;
    struct lw_error err = {0};
    build_pair(first, second, maps);
    struct lw_plan_request request = {
        .registers = &maps[0], .memory = &maps[1], .element_bits = 16, .op = LW_ACCESS_STORE};
    if (lw_plan_make(&plan, &request, &err)) {
        plan_check(&plan);
        lw_plan_free(&plan);
    }
    assert_string_equal(err.message, refusal ? refusal : "");
}

static void test_shapes(void **state)
{
    (void)state;
    /* Sizes that divide nothing. */
    assert_fits("spatial(3, 8)", "shared_row_major(4, 9)", NULL);
    assert_fits("spatial(3, 8)", "(5,11):(11,1)", NULL);
    assert_fits("spatial(3, 8)", memories[0][0], NULL);
    assert_fits("spatial(16, 1)", memories[0][0], NULL);
    assert_fits("spatial(17, 1)", memories[0][0],
                "registers of 17 x 1 do not fit into memory of 16 x 8: both need the same dims "
                "by name, each of at most the memory's size");
    for (size_t m = 0; m < LW_COUNT(memories); m++)
        assert_fits("tensor<16x64xf16, " MMA ">", memories[m][0],
                    "registers of 16 x 64 do not fit into memory of 16 x 8: both need the same "
                    "dims by name, each of at most the memory\'s size");
    for (size_t r = 0; r < LW_COUNT(registers); r++) {
        assert_fits(registers[r], "(8,16):(16,1)",
                    "registers of 16 x 8 do not fit into memory of 8 x 16: both need the same "
                    "dims by name, each of at most the memory\'s size");
        assert_fits(registers[r], "(2,16,8):(128,8,1)",
                    "registers of 16 x 8 do not fit into memory of 2 x 16 x 8: both need the same "
                    "dims by name, each of at most the memory's size");
    }
    assert_fits(
        "{\"in\":[[\"register\",4]],\"out\":[[\"x\",4]],\"bases\":{\"register\":[[1],[2]]}}",
        "(4):(1)",
        "registers of 4 do not fit into memory of 4: both need the same dims by name, each of at "
        "most "
        "the memory's size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_memory_first),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_shapes),
    };
    return RUN(tests);
}
