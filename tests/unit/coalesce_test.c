/* Coalescing: against a count that looks at every byte of every instruction. */

#include "laneway/wavefront.h"
#include "laneway/document.h"
#include "laneway/hardware.h"
#include "support/seeded.h"
#include "support/unit.h"

#include <stdlib.h>

#define INDICES 4096

/* What the map gives for each hardware index. */
struct table {
    uint64_t registers, threads, lanes, bytes;
    uint64_t at[INDICES]; /* [register * threads + thread]: the element's number in memory */
};

static uint64_t size_of(const struct lw_dims *dims, const char *name)
{
    return lw_dims_size(dims, name);
}

static void fill(struct table *table, const struct lw_map *map, unsigned lanes, unsigned bits,
                 const int *order)
{
    const struct lw_dims *in = &map->in;
    static const char *const parts[] = {"lane", "warp", "block", "thread"};
    table->registers = size_of(in, "register") * size_of(in, "local");
    table->threads =
        size_of(in, "thread") * size_of(in, "lane") * size_of(in, "warp") * size_of(in, "block");
    table->lanes = lw_dims_find(in, "lane") >= 0 ? size_of(in, "lane") : lanes;
    table->bytes = bits / 8;
    assert_true(table->registers * table->threads <= INDICES);
    for (uint64_t r = 0; r < table->registers; r++)
        for (uint64_t t = 0; t < table->threads; t++) {
            uint64_t index[LW_DIMS_MAX] = {0}, element[LW_DIMS_MAX], rest = t, stride = 1, at = 0;
            for (int d = 0; d < in->count; d++)
                if (!strcmp(in->dim[d].name, "register") || !strcmp(in->dim[d].name, "local"))
                    index[d] = r;
            for (int p = 0; p < 4; p++)
                if (lw_dims_find(in, parts[p]) >= 0) {
                    index[lw_dims_find(in, parts[p])] = rest % size_of(in, parts[p]);
                    rest /= size_of(in, parts[p]);
                }
            if (!lw_map_apply(map, index, element)) {
                table->at[r * table->threads + t] = UINT64_MAX;
                continue;
            }
            for (int i = 0; i < map->out.count; i++) {
                at += element[order[i]] * stride;
                stride *= map->out.dim[order[i]].size;
            }
            table->at[r * table->threads + t] = at;
        }
}

static bool is_after(const struct table *table, uint64_t a, uint64_t b, uint64_t step)
{
    for (uint64_t t = 0; t < table->threads; t++)
        if (table->at[a * table->threads + t] != table->at[b * table->threads + t] + step)
            return false;
    return true;
}

/* The registers that do not repeat another. */
static uint64_t kept(const struct table *table, uint64_t *keep)
{
    uint64_t count = 0;
    for (uint64_t r = 0; r < table->registers; r++) {
        bool repeats = false;
        for (uint64_t k = 0; k < count; k++)
            repeats = repeats || is_after(table, r, keep[k], 0);
        if (!repeats)
            keep[count++] = r;
    }
    return count;
}

/* Which registers begin a vector; 0 when some register is in none. */
static uint64_t starts(const struct table *table, const uint64_t *keep, uint64_t count,
                       uint64_t vector, uint64_t *start)
{
    uint64_t found = 0;
    for (uint64_t k = 0; k < count; k++) {
        bool good = true;
        for (uint64_t t = 0; t < table->threads; t++)
            good = good && (vector == 1 || table->at[keep[k] * table->threads + t] + 1) &&
                   table->at[keep[k] * table->threads + t] % vector == 0;
        for (uint64_t step = 1; good && step < vector; step++) {
            bool next = false;
            for (uint64_t j = 0; j < count; j++)
                next = next || is_after(table, keep[j], keep[k], step);
            good = next;
        }
        if (good)
            start[found++] = keep[k];
    }
    return found * vector == count ? found : 0;
}

static struct lw_coalescing by_hand(const struct table *table)
{
    static uint64_t keep[INDICES], start[INDICES];
    static uint8_t byte[INDICES * 16 + 128];
    struct lw_coalescing out = {.vector = 1};
    uint64_t count = kept(table, keep);
    while (2 * out.vector * table->bytes <= 16)
        out.vector *= 2;
    while (!(out.instructions = starts(table, keep, count, out.vector, start)))
        out.vector /= 2;
    out.vector_bytes = out.vector * table->bytes;
    out.warps = (table->threads + table->lanes - 1) / table->lanes;
    for (uint64_t first = 0; first < table->threads; first += table->lanes)
        for (uint64_t i = 0; i < out.instructions; i++) {
            uint64_t sectors = 0, lines = 0, bytes = 0;
            memset(byte, 0, sizeof byte);
            for (uint64_t t = first; t < first + table->lanes && t < table->threads; t++)
                if (table->at[start[i] * table->threads + t] != UINT64_MAX)
                    memset(byte + table->at[start[i] * table->threads + t] * table->bytes, 1,
                           out.vector_bytes);
            for (size_t b = 0; b < sizeof byte; b++)
                bytes += byte[b];
            for (size_t b = 0; b + 32 <= sizeof byte; b += 32)
                sectors += memchr(byte + b, 1, 32) != NULL;
            for (size_t b = 0; b + 128 <= sizeof byte; b += 128)
                lines += memchr(byte + b, 1, 128) != NULL;
            out.sectors += sectors;
            out.lines += lines;
            out.bytes += bytes;
            out.ideal_sectors += (bytes + 31) / 32;
            out.max_sectors = sectors > out.max_sectors ? sectors : out.max_sectors;
        }
    return out;
}

static void compare(const struct lw_map *map, unsigned lanes, unsigned bits, const int *order)
{
    static struct table table;
    struct lw_coalescing got, expected;
    struct lw_error err;
    fill(&table, map, lanes, bits, order);
    expected = by_hand(&table);
    if (!lw_coalesce(&got, map, lanes, bits, order, &err))
        fail_msg("%s", err.message);
    assert_int_equal(got.vector, expected.vector);
    assert_int_equal(got.instructions, expected.instructions);
    assert_int_equal(got.warps, expected.warps);
    assert_int_equal(got.sectors, expected.sectors);
    assert_int_equal(got.lines, expected.lines);
    assert_int_equal(got.bytes, expected.bytes);
    assert_memory_equal(&got, &expected, sizeof got);
}

/* ---- Linear maps ---- */

static void test_linear(void **state)
{
    uint64_t seed = 4;
    (void)state;
    for (int round = 0; round < 400; round++) {
        struct lw_dims in = {0}, out = {0};
        int reg = (int)seeded_below(&seed, 5), lane = (int)seeded_below(&seed, 6);
        int warp = (int)seeded_below(&seed, 2), rank = 1 + (int)seeded_below(&seed, 3);
        int order[3] = {0, 1, 2}, left = 10;
        assert_true(lw_dims_add(&in, "register", (uint64_t)1 << reg, NULL));
        assert_true(lw_dims_add(&in, "lane", (uint64_t)1 << lane, NULL));
        assert_true(lw_dims_add(&in, "warp", (uint64_t)1 << warp, NULL));
        assert_true(lw_dims_add(&in, "block", 1 + seeded_below(&seed, 2), NULL));
        for (int i = 0; i < rank; i++) {
            char name[16];
            int bits = i + 1 < rank ? (int)seeded_below(&seed, (uint64_t)left / 2) : left / 2;
            snprintf(name, sizeof name, "dim%d", i);
            assert_true(lw_dims_add(&out, name, (uint64_t)1 << bits, NULL));
            left -= bits;
        }
        if (rank == 3 && seeded_below(&seed, 2))
            order[0] = 2, order[2] = 0;
        else if (rank >= 2 && seeded_below(&seed, 2))
            order[0] = 1, order[1] = 0;
        struct lw_layout layout;
        struct lw_map map;
        seeded_layout(&seed, &layout, &in, &out);
        for (int b = 0; b < reg && seeded_below(&seed, 4); b++) /* often a vector */
            layout.basis[b] = (uint64_t)1 << b;
        lw_map_from_layout(&map, &layout);
        compare(&map, 32, 8u << seeded_below(&seed, 5), order);
    }
}

/* ---- Any map ---- */

static void compare_source(const char *source, unsigned lanes)
{
    static const unsigned bits[] = {8, 16, 24, 32, 64, 128};
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err) || !lw_document_build(&doc, &map, &err))
        fail_msg("%s: %s", source, err.message);
    int rows[LW_DIMS_MAX], columns[LW_DIMS_MAX];
    for (int i = 0; i < map.out.count; i++) {
        columns[i] = i;
        rows[i] = map.out.count - 1 - i;
    }
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        compare(&map, lanes, bits[i], rows);
        compare(&map, lanes, bits[i], columns);
    }
    lw_document_free(&doc);
}

static void test_any(void **state)
{
    (void)state;
    compare_source("local(3, 4).spatial(2, 3)", 32);
    compare_source("spatial(4, 12).local(1, 4)", 32);
    compare_source("local(2, 1).spatial(8, 4).local(1, 2)", 32);
    compare_source("spatial(6, 8).local(2, 6)", 64);
    compare_source("reduce(spatial(3, 4).local(4, 4), dims=[0])", 32);
    compare_source("column_spatial(5, 7).local(3, 2)", 32);
    compare_source("spatial(2, 3, 4).local(1, 2, 2)", 32);
    compare_source("tensor<16x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, "
                   "8], warpsPerCTA = [2, 1], order = [1, 0]}>>",
                   32);
    compare_source(
        "{\"laneway\": 1, \"encoding\": \"distributed\", \"shape\": [8, 2], \"element\": "
        "\"f32\", \"params\": {\"layout\": [[0, 1], [2, 3], [4, 5]]}}",
        32);
    compare_source("tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                   "warpsPerCTA = [1, 1], instrShape = [16, 8]}>>",
                   32);
}

/* 128 x f16 a row, 4 elements a lane: 8 bytes, 8 sectors, 2 lines; down a column a sector a lane. */
static void test_example(void **state)
{
    static const int rows[] = {1, 0}, columns[] = {0, 1};
    struct lw_document doc;
    struct lw_map map;
    struct lw_coalescing out;
    (void)state;
    assert_true(lw_document_open(&doc, "spatial(1, 32).local(1, 4)", NULL, NULL));
    assert_true(lw_document_build(&doc, &map, NULL));
    assert_true(lw_coalesce(&out, &map, 32, 16, rows, NULL));
    assert_true(out.vector == 4 && out.vector_bytes == 8 && out.instructions == 1);
    assert_true(out.sectors == 8 && out.lines == 2 && out.ideal_sectors == 8 && out.bytes == 256);
    lw_document_free(&doc);
    assert_true(lw_document_open(&doc, "spatial(32, 1).local(1, 64)", NULL, NULL));
    assert_true(lw_document_build(&doc, &map, NULL));
    assert_true(lw_coalesce(&out, &map, 32, 16, rows, NULL));
    assert_true(out.vector == 8 && out.instructions == 8);
    assert_true(out.max_sectors == 32 && out.sectors == 256 && out.ideal_sectors == 128);
    assert_true(lw_coalesce(&out, &map, 32, 16, columns, NULL));
    assert_true(out.vector == 1 && out.instructions == 64 && out.sectors == out.ideal_sectors);
    lw_document_free(&doc);
}

static void refuses(const char *source, unsigned bits, const int *order, const char *message)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_coalescing out;
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err) || !lw_document_build(&doc, &map, &err))
        fail_msg("%s: %s", source, err.message);
    assert_false(lw_coalesce(&out, &map, 32, bits, order, &err));
    assert_string_equal(err.message, message);
    lw_document_free(&doc);
}

static void test_refused(void **state)
{
    static const int rows[] = {1, 0}, twice[] = {1, 1};
    (void)state;
    refuses("spatial(4, 8)", 4, rows,
            "elements of 4 bits are not supported here: they must have 1 to 16 whole bytes");
    refuses("spatial(4, 8)", 256, rows,
            "elements of 256 bits are not supported here: they must have 1 to 16 whole bytes");
    refuses("spatial(4, 8)", 16, twice, "the order must name each of 2 dims once");
    refuses("swizzle/1-1-4", 16, rows,
            "'offset' is not a dim of registers: use register, lane, warp and block, or local and "
            "thread");
    refuses(
        "spatial(4, 8).local(65536, 65536)", 16, rows,
        "too many hardware indices, 137438953472, which are counted one by one: the limit is 2^20");
    refuses("spatial(1, 1).local(4, 32768)", 128, rows,
            "too many instructions in the code of one warp: the limit is 2^16");
    refuses("{\"in\":[[\"lane\",128]],\"out\":[[\"dim0\",8],[\"dim1\",16]],\"bases\":{\"lane\":[[1,"
            "0],[2,0]"
            ",[4,0],[0,1],[0,2],[0,4],[0,8]]}}",
            16, rows, "128 lanes per warp: at most 64 are supported");
    refuses("spatial(4, 8).local(3, 65536)", 16, rows,
            "too many hardware indices, 6291456, which are counted one by one: the limit is 2^20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_refused),
    };
    return RUN(tests);
}
