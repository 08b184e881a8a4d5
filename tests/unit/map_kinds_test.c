/* Maps with holes: padded memory, tables of threads and lists, against what they are by definition. */

#include "unit.h"
#include "core/map_kinds.h"
#include "seeded.h"

#include "laneway/map.h"

#include <stdlib.h>

/* ---- Padding ---- */

static uint64_t padded(uint64_t offset, const struct lw_padding *padding, int count)
{
    uint64_t to = offset;
    for (int i = 0; i < count; i++)
        to += offset / padding[i].interval * padding[i].size;
    return to;
}

/* Elements are where the definition puts them, and everything else is a hole. */
static void compare_padded(const struct lw_map *map, const struct lw_layout *layout,
                           const struct lw_padding *padding, int count)
{
    uint64_t plain = layout->in.dim[0].size, total = map->in.dim[0].size;
    uint64_t blocks = layout->in.dim[1].size;
    assert_true(total == padded(plain - 1, padding, count) + 1);
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t offset = 0;
        for (uint64_t p = 0; p < total; p++) {
            uint64_t in[2] = {p, b}, before[2] = {offset, b}, out[2], expected[2], owner[2], back;
            bool there = padded(offset, padding, count) == p;
            assert_int_equal(lw_map_apply(map, in, out), there);
            assert_int_equal(lw_map_unpad(map, p, &back), there);
            if (!there)
                continue;
            lw_layout_apply(layout, before, expected);
            assert_memory_equal(out, expected, sizeof out);
            assert_true(back == offset && lw_map_pad(map, offset) == p);
            assert_true(lw_map_owner_count(map, out) == 1 && lw_map_owner(map, out, 0, owner));
            assert_memory_equal(owner, in, sizeof in);
            assert_false(lw_map_owner(map, out, 1, owner));
            offset++;
        }
        assert_true(offset == plain);
    }
}

/* e0 e1 . e2 e3 . . . e4: the example of the header and of Triton. */
static void padded_example(void **state)
{
    (void)state;
    static const struct lw_padding padding[] = {{2, 1}, {4, 2}};
    static const uint64_t offsets[] = {0, 1, 3, 4, 8, 9, 11, 12};
    struct lw_layout layout;
    struct lw_map map;
    struct lw_error err;
    assert_true(lw_layout_identity(&layout, 8, "offset", "dim0", NULL));
    assert_true(lw_map_from_padding(&map, &layout, "offset", padding, 2, NULL));
    assert_true(map.in.dim[0].size == 13 && lw_map_has_holes(&map));
    assert_true(lw_map_is_surjective(&map) && lw_map_is_injective(&map));
    for (uint64_t e = 0; e < 8; e++) {
        uint64_t in;
        assert_true(lw_map_owner(&map, &e, 0, &in) && in == offsets[e]);
    }
    uint64_t hole = 2, out;
    assert_false(lw_map_apply(&map, &hole, &out));
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message,
                        "not a linear layout: dim offset has size 13 with its padding, "
                        "and some of its indices hold no element");
}

static void padded_random(void **state)
{
    (void)state;
    uint64_t seed = 41;
    for (int round = 0; round < 300; round++) {
        struct lw_dims in = {0}, out = {0};
        struct lw_layout layout;
        struct lw_map map;
        struct lw_padding padding[4];
        int bits = (int)seeded_below(&seed, 10), count = (int)seeded_below(&seed, 4);
        int blocks = (int)seeded_below(&seed, 3), split = (int)seeded_below(&seed, 10);
        split = split > bits + blocks ? 0 : split;
        assert_true(lw_dims_add(&in, "offset", (uint64_t)1 << bits, NULL) &&
                    lw_dims_add(&in, "block", (uint64_t)1 << blocks, NULL));
        assert_true(lw_dims_add(&out, "dim0", (uint64_t)1 << split, NULL) &&
                    lw_dims_add(&out, "dim1", (uint64_t)1 << (bits + blocks - split), NULL));
        do
            seeded_layout(&seed, &layout, &in, &out);
        while (!lw_layout_is_invertible(&layout));
        for (int i = 0; i < count; i++)
            padding[i] = (struct lw_padding){(uint64_t)1 << seeded_below(&seed, 8),
                                             1 + seeded_below(&seed, 9)};
        assert_true(lw_map_from_padding(&map, &layout, "offset", padding, count, NULL));
        compare_padded(&map, &layout, padding, count);
    }
}

static void padded_refused(void **state)
{
    (void)state;
    struct lw_layout layout, copies;
    struct lw_map map;
    struct lw_error err;
    struct lw_padding padding[33] = {{3, 1}};
    assert_true(lw_layout_identity(&layout, 8, "offset", "dim0", NULL));
    assert_false(lw_map_from_padding(&map, &layout, "offset", padding, 1, &err));
    assert_string_equal(err.message,
                        "a padding after every 3 elements: that must be a power of two");
    assert_false(lw_map_from_padding(&map, &layout, "offset", padding, 33, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_false(lw_map_from_padding(&map, &layout, "block", padding, 0, &err));
    assert_string_equal(err.message, "there is no dim 'block' to pad");
    assert_true(lw_layout_zeros(&copies, 4, "offset", "dim0", 1, NULL));
    assert_false(lw_map_from_padding(&map, &copies, "offset", padding, 0, &err));
    assert_string_equal(err.message, "padded memory must hold each element, and once only");
    padding[0] = (struct lw_padding){1, (uint64_t)1 << 61};
    assert_false(lw_map_from_padding(&map, &layout, "offset", padding, 1, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    padding[0] = (struct lw_padding){1, UINT64_MAX};
    assert_false(lw_map_from_padding(&map, &layout, "offset", padding, 1, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
}

/* 2^40 elements are as quick as few. */
static void padded_large(void **state)
{
    (void)state;
    static const struct lw_padding padding[] = {{128, 4}, {1 << 20, 32}};
    struct lw_layout layout;
    struct lw_map map;
    uint64_t seed = 7;
    assert_true(lw_layout_identity(&layout, (uint64_t)1 << 40, "offset", "dim0", NULL));
    assert_true(lw_map_from_padding(&map, &layout, "offset", padding, 2, NULL));
    for (int i = 0; i < 1000; i++) {
        uint64_t e = seeded_below(&seed, (uint64_t)1 << 40), in, back;
        assert_true(lw_map_owner(&map, &e, 0, &in) && in == padded(e, padding, 2));
        assert_true(lw_map_apply(&map, &in, &back) && back == e);
    }
}

/* ---- Tables ---- */

/* Whether the rule holds: thread ids[cell] holds the element when each index of the cell is that
 * of the element, modulo the shorter of the two lengths. */
static uint64_t holders(const uint64_t *shape, const uint32_t *ids, const struct lw_dims *out,
                        const uint64_t *at, uint16_t *times)
{
    uint64_t cells = 1, held = 0;
    for (int d = 0; d < out->count; d++)
        cells *= shape[d];
    for (uint64_t i = 0; i < cells; i++) {
        uint64_t cell = i;
        bool holds = true;
        for (int d = out->count - 1; d >= 0; d--) {
            uint64_t length = shape[d] < out->dim[d].size ? shape[d] : out->dim[d].size;
            holds = holds && cell % shape[d] % length == at[d] % length;
            cell /= shape[d];
        }
        times[ids[i]] = (uint16_t)(times[ids[i]] + holds);
        held += holds;
    }
    return held;
}

static void compare_table(const struct lw_map *map, const uint64_t *shape, const uint32_t *ids)
{
    uint64_t elements, indices, listed = 0, applied = 0, in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    assert_true(lw_dims_total(&map->out, &elements, NULL));
    assert_true(lw_dims_total(&map->in, &indices, NULL));
    for (uint64_t e = 0; e < elements; e++) {
        uint16_t times[LW_CELLS_MAX] = {0};
        uint64_t last = 0;
        lw_dims_unflatten(&map->out, e, out);
        uint64_t count = holders(shape, ids, &map->out, out, times);
        assert_true(lw_map_owner_count(map, out) == count);
        for (uint64_t k = 0; k < count; k++) {
            uint64_t back[LW_DIMS_MAX];
            assert_true(lw_map_owner(map, out, k, in));
            assert_true(lw_map_apply(map, in, back));
            assert_memory_equal(back, out, (size_t)map->out.count * sizeof *out);
            assert_true(times[in[1] + in[2] * map->in.dim[1].size]-- > 0);
            uint64_t flat = lw_dims_flatten(&map->in, in);
            assert_true(k == 0 || flat > last);
            last = flat;
        }
        assert_false(lw_map_owner(map, out, count, in));
        listed += count;
    }
    for (uint64_t p = 0; p < indices; p++) {
        lw_dims_unflatten(&map->in, p, in);
        applied += lw_map_apply(map, in, out);
    }
    assert_true(applied == listed);
    assert_int_equal(lw_map_has_holes(map), applied != indices);
}

/* A 4 x 4 of ids on 2 x 8: {0,8},{1,9},{2,10},{3,11},{0,8},... */
static void table_example(void **state)
{
    (void)state;
    struct lw_dims out = {0};
    struct lw_map map;
    struct lw_layout layout;
    uint64_t shape[2] = {4, 4};
    uint32_t ids[16];
    for (uint32_t i = 0; i < 16; i++)
        ids[i] = i;
    assert_true(lw_dims_add(&out, "dim0", 2, NULL) && lw_dims_add(&out, "dim1", 8, NULL));
    assert_true(lw_map_from_table(&map, shape, ids, &out, 32, NULL));
    compare_table(&map, shape, ids);
    for (uint64_t r = 0; r < 2; r++)
        for (uint64_t c = 0; c < 8; c++) {
            uint64_t at[2] = {r, c}, in[4];
            assert_true(lw_map_owner_count(&map, at) == 2);
            for (uint64_t k = 0; k < 2; k++) {
                assert_true(lw_map_owner(&map, at, k, in));
                assert_true(in[0] == c / 4 && in[1] == r * 4 + c % 4 + 8 * k);
            }
        }
    assert_true(lw_map_to_layout(&map, &layout, NULL));
    assert_true(layout.in.dim[1].size == 16 && lw_layout_rank(&layout) == 4);
}

static void shuffle(uint64_t *seed, uint32_t *ids, uint64_t count, uint32_t threads)
{
    for (uint64_t i = 0; i < count; i++)
        ids[i] = (uint32_t)i % threads;
    for (uint64_t i = count; i > 1; i--) {
        uint64_t j = seeded_below(seed, i);
        uint32_t id = ids[j];
        ids[j] = ids[i - 1];
        ids[i - 1] = id;
    }
}

static void table_random(void **state)
{
    (void)state;
    uint64_t seed = 42;
    int made = 0, holes = 0;
    for (int round = 0; round < 400; round++) {
        struct lw_dims out = {0};
        struct lw_map map;
        uint64_t shape[3], cells = 1;
        uint32_t ids[LW_CELLS_MAX];
        int rank = 1 + (int)seeded_below(&seed, 3);
        for (int d = 0; d < rank; d++) {
            char name[24];
            snprintf(name, sizeof name, "dim%d", d);
            shape[d] = 1 + seeded_below(&seed, 7);
            cells *= shape[d];
            uint64_t size = seeded_below(&seed, 2) ? 1 + seeded_below(&seed, 20) : shape[d];
            assert_true(lw_dims_add(&out, name, size, NULL));
        }
        uint32_t threads = (uint32_t)cells;
        for (uint32_t part = 2; part < 5; part++)
            if (cells % part == 0 && seeded_below(&seed, 3) == 0)
                threads = (uint32_t)cells / part;
        shuffle(&seed, ids, cells, threads);
        if (!lw_map_from_table(&map, shape, ids, &out, 1 + seeded_below(&seed, 9), NULL))
            continue;
        made++;
        compare_table(&map, shape, ids);
        holes += lw_map_has_holes(&map);
    }
    assert_true(made > 200 && holes > 20 && holes < made);
}

static void table_refused(void **state)
{
    (void)state;
    struct lw_dims out = {0};
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err;
    uint64_t shape[1] = {4}, large[1] = {2000};
    uint32_t missing[4] = {0, 1, 3, 3}, far[4] = {0, 1, 2, 4}, bent[4] = {0, 1, 3, 2};
    uint32_t twisted[8] = {0, 1, 2, 3, 4, 5, 7, 6};
    assert_true(lw_dims_add(&out, "dim0", 4, NULL));
    assert_false(lw_map_from_table(&map, shape, missing, &out, 32, &err));
    assert_string_equal(
        err.message,
        "thread 2 has 0 of the cells, but thread 0 has 1: each must have equally many");
    assert_false(lw_map_from_table(&map, shape, far, &out, 32, &err));
    assert_string_equal(err.message, "thread 4 is in the table, but there are only 4 cells: all "
                                     "threads from 0 on must have one");
    assert_false(lw_map_from_table(&map, large, NULL, &out, 32, &err));
    assert_int_equal(err.code, LW_ERROR_LIMIT);
    assert_true(lw_map_from_table(&map, shape, bent, &out, 32, &err));
    assert_true(lw_map_to_layout(&map, &layout, &err)); /* 1, 3, and 1 ^ 3 = 2 */
    shape[0] = out.dim[0].size = 8;
    assert_true(lw_map_from_table(&map, shape, twisted, &out, 32, &err));
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message, "not a linear layout: lane 6 has (7), where (6) would follow "
                                     "from the indices before it");
    out.dim[0].size = 3;
    assert_false(lw_map_from_table(&map, shape, twisted, &out, 32, &err));
    assert_string_equal(
        err.message, "dim 0: 8 cells cannot be divided evenly among 3 elements, as some would have "
                     "more owners than others");
    out.dim[0].size = 9;
    assert_true(lw_map_from_table(&map, shape, twisted, &out, 32, &err));
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message,
                        "not a linear layout: dim0 has size 9, which is not a power of two");
}

/* Threads of a last warp that is not full hold nothing, so this is no linear layout. */
static void table_partial_warp(void **state)
{
    (void)state;
    struct lw_dims out = {0};
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err;
    uint64_t shape[1] = {6};
    uint32_t ids[6] = {0, 1, 2, 3, 4, 5};
    assert_true(lw_dims_add(&out, "dim0", 2, NULL));
    assert_true(lw_map_from_table(&map, shape, ids, &out, 4, NULL));
    assert_true(map.in.dim[2].size == 2 && lw_map_has_holes(&map));
    compare_table(&map, shape, ids);
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message, "not a linear layout: lane 2 of warp 1 holds nothing");
}

/* ---- Lists ---- */

/* Compares every query with the list itself. */
static void compare_list(const struct lw_map *map, const uint64_t *list, uint64_t indices,
                         uint64_t elements)
{
    uint64_t owned = 0, most = 0, least = UINT64_MAX, holes = 0, in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    for (uint64_t i = 0; i < indices; i++) {
        lw_dims_unflatten(&map->in, i, in);
        holes += list[i] == LW_NO_ELEMENT;
        assert_int_equal(lw_map_apply(map, in, out), list[i] != LW_NO_ELEMENT);
        assert_true(list[i] == LW_NO_ELEMENT || lw_dims_flatten(&map->out, out) == list[i]);
    }
    for (uint64_t e = 0; e < elements; e++) {
        uint64_t count = 0;
        lw_dims_unflatten(&map->out, e, out);
        for (uint64_t i = 0; i < indices; i++)
            if (list[i] == e) {
                assert_true(lw_map_owner(map, out, count++, in));
                assert_true(lw_dims_flatten(&map->in, in) == i);
            }
        assert_false(lw_map_owner(map, out, count, in));
        assert_true(lw_map_owner_count(map, out) == count);
        owned += count > 0;
        most = count > most ? count : most;
        least = count && count < least ? count : least;
    }
    assert_true(lw_map_element_count(map) == owned);
    assert_int_equal(lw_map_is_surjective(map), owned == elements);
    assert_int_equal(lw_map_has_holes(map), holes > 0);
    assert_true(lw_map_replication(map) == (most ? most : 1));
    assert_int_equal(lw_map_is_even(map), !most || least == most);
    assert_int_equal(lw_map_is_injective(map), most <= 1);
    assert_true(lw_map_check_unique(map, NULL));
}

static bool is_power(const struct lw_dims *dims)
{
    for (int d = 0; d < dims->count; d++)
        if (lw_log2(dims->dim[d].size) < 0)
            return false;
    return true;
}

/* Whether the list is linear: L(a ^ b) = L(a) ^ L(b) for all a and b. */
static bool is_linear(const struct lw_dims *in, const struct lw_dims *out, const uint64_t *list,
                      uint64_t indices)
{
    if (!is_power(in) || !is_power(out))
        return false;
    for (uint64_t a = 0; a < indices; a++)
        for (uint64_t b = 0; b < indices; b++)
            if (list[a] == LW_NO_ELEMENT || (list[a] ^ list[b]) != list[a ^ b])
                return false;
    return true;
}

/* To the layout and to the layout of hardware, each point against the list. */
static void compare_layouts(const struct lw_map *map, const uint64_t *list, uint64_t indices)
{
    struct lw_layout layout, hardware;
    bool linear = is_linear(&map->in, &map->out, list, indices);
    assert_int_equal(lw_map_to_layout(map, &layout, NULL), linear);
    assert_int_equal(lw_map_to_hardware(map, 4, &hardware, NULL), linear);
    for (uint64_t i = 0; linear && i < indices; i++) {
        assert_true(lw_layout_apply_flat(&layout, i) == list[i]);
        assert_true(lw_layout_apply_flat(&hardware, i) == list[i]);
    }
    if (linear)
        assert_true(lw_dims_equal(&layout.in, &map->in) && lw_dims_equal(&layout.out, &map->out));
}

static const char *const hardware_dims[] = {"register", "lane", "warp", "block"};

/* Random lists: any, with inactive threads, sums of strides (as C indexes), xors of bases. */
static void list_random(void **state)
{
    (void)state;
    uint64_t seed = 43, list[512];
    int linear = 0, holes = 0, uneven = 0;
    for (int round = 0; round < 600; round++) {
        struct lw_arena arena = {0};
        struct lw_dims in = {0}, out = {0};
        struct lw_map map;
        struct lw_layout layout;
        uint64_t indices, elements;
        const int kind = round % 4;
        for (int d = 0; d < 4; d++)
            assert_true(lw_dims_add(&in, hardware_dims[d],
                                    kind == 3 ? (uint64_t)1 << seeded_below(&seed, 3)
                                              : 1 + seeded_below(&seed, 4),
                                    NULL));
        assert_true(lw_dims_add(&out, "dim0", kind == 3 ? 8 : 1 + seeded_below(&seed, 9), NULL) &&
                    lw_dims_add(&out, "dim1", kind == 3 ? 16 : 1 + seeded_below(&seed, 33), NULL));
        assert_true(lw_dims_total(&in, &indices, NULL) && lw_dims_total(&out, &elements, NULL));
        if (kind == 3) /* of powers of two */
            seeded_layout(&seed, &layout, &in, &out);
        for (uint64_t i = 0; i < indices; i++) {
            list[i] = kind == 3   ? lw_layout_apply_flat(&layout, i)
                      : kind == 2 ? i * 3 % elements
                                  : seeded_below(&seed, elements);
            if (kind == 1 && seeded_below(&seed, 3) == 0)
                list[i] = LW_NO_ELEMENT;
        }
        assert_true(lw_map_from_list(&map, &in, &out, list, &arena, NULL));
        compare_list(&map, list, indices, elements);
        compare_layouts(&map, list, indices);
        linear += lw_map_to_layout(&map, &layout, NULL);
        holes += lw_map_has_holes(&map);
        uneven += !lw_map_is_even(&map);
        lw_arena_free(&arena);
    }
    assert_true(linear >= 150 && holes > 100 && uneven > 100);
}

/* 32 warps that read 64 registers each of tile[lane][k], where the last warp has 3 active lanes. */
static void list_large(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_dims in = {0}, out = {0};
    struct lw_map map;
    uint64_t *list = malloc(65536 * sizeof *list), sizes[] = {64, 32, 32, 1};
    assert_non_null(list);
    for (int d = 0; d < 4; d++)
        assert_true(lw_dims_add(&in, hardware_dims[d], sizes[d], NULL));
    assert_true(lw_dims_add(&out, "dim0", 32, NULL) && lw_dims_add(&out, "dim1", 65, NULL));
    for (uint64_t i = 0; i < 65536; i++)
        list[i] = i / 64 >= 31 * 32 + 3 ? LW_NO_ELEMENT : i / 64 % 32 + 32 * (i % 64);
    assert_true(lw_map_from_list(&map, &in, &out, list, &arena, NULL));
    compare_list(&map, list, 65536, 32 * 65);
    list[0] = 1; /* the map has a copy */
    uint64_t zero[4] = {0}, element[2];
    assert_true(lw_map_apply(&map, zero, element) && element[0] == 0 && element[1] == 0);
    struct lw_map copy = map;
    assert_true(lw_map_owner_count(&copy, element) == 32);
    lw_arena_free(&arena);
    free(list);
}

static void list_refused(void **state)
{
    (void)state;
    struct lw_arena arena = {0}, small = {.max = 16};
    struct lw_dims in = {0}, out = {0}, none = {0};
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err;
    uint64_t list[4] = {0, 1, 3, 4};
    assert_true(lw_dims_add(&in, "lane", 4, NULL) && lw_dims_add(&out, "dim0", 4, NULL));
    assert_false(lw_map_from_list(&map, &in, &out, list, &arena, &err));
    assert_string_equal(err.message, "hardware index 3 has element 4, but there are only 4");
    list[3] = LW_NO_ELEMENT;
    assert_true(lw_map_from_list(&map, &in, &out, list, &arena, &err));
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message, "not a linear layout: lane 3 holds nothing");
    list[3] = 2;
    list[0] = 1;
    assert_true(lw_map_from_list(&map, &in, &out, list, &arena, &err));
    assert_false(lw_map_to_layout(&map, &layout, &err));
    assert_string_equal(err.message, "not a linear layout: index 0 has (1), where (0) would follow "
                                     "from the indices before it");
    assert_false(lw_map_from_list(&map, &in, &out, list, &small, &err));
    assert_int_equal(err.code, LW_ERROR_MEMORY);
    in.dim[0].size = LW_LISTED_MAX + 1;
    assert_false(lw_map_from_list(&map, &in, &out, list, &arena, &err));
    assert_string_equal(err.message, "1048577 hardware indices: at most 1048576 are listed");
    list[0] = 0;
    assert_true(lw_map_from_list(&map, &none, &none, list, &arena, &err)); /* one index */
    compare_list(&map, list, 1, 1);
    list[0] = LW_NO_ELEMENT;
    assert_true(lw_map_from_list(&map, &none, &none, list, &arena, &err));
    compare_list(&map, list, 1, 1);
    assert_false(lw_map_to_layout(&map, &layout, &err));
    lw_arena_free(&arena);
    lw_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padded_example), cmocka_unit_test(padded_random),
        cmocka_unit_test(padded_refused), cmocka_unit_test(padded_large),
        cmocka_unit_test(table_example),  cmocka_unit_test(table_random),
        cmocka_unit_test(table_refused),  cmocka_unit_test(table_partial_warp),
        cmocka_unit_test(list_random),    cmocka_unit_test(list_large),
        cmocka_unit_test(list_refused),
    };
    return RUN(tests);
}
