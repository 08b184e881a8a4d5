/* tilus shared layouts: their maps against the definition, on random modes; messages and limits; that
 * no name of tilus is missing. What tilus prints of them is compared in golden_views_test.c. */

#include "golden.h"
#include "notation_help.h"

#include "encoding/tilus/tilus.h"

/* ---- Maps ---- */

static uint64_t random_state = 88172645463325252;

static int64_t draw(int64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)below);
}

/* Dense modes in any order, now and then apart or with a stride of 0, now and then swizzled. */
static struct lw_tilus_shared draw_layout(void)
{
    struct lw_tilus_shared made = {.swizzled = draw(2) == 1};
    int order[LW_MODES_MAX];
    int64_t step = 1;
    for (int64_t dims = 1 + draw(3); dims > 0; dims--) {
        int64_t size = 1;
        for (int64_t modes = draw(3); modes > 0; modes--) {
            lw_sizes_push(&made.mode_shape, 2 + draw(3));
            size *= made.mode_shape.at[made.mode_shape.count - 1];
        }
        lw_sizes_push(&made.shape, size);
    }
    made.mode_strides.count = made.mode_shape.count;
    for (int i = 0; i < made.mode_shape.count; i++) {
        int j = (int)draw(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < made.mode_shape.count; i++) {
        made.mode_strides.at[order[i]] = draw(30) ? step : 0;
        step = step * made.mode_shape.at[order[i]] + (draw(8) ? 0 : draw(6));
    }
    made.swizzle = (struct lw_tilus_swizzle){draw(4), draw(4), 1 + draw(4)};
    return made;
}

/* The definition: digits times strides, then bits moved down and xored. */
static uint64_t offset_of(const struct lw_tilus_shared *layout, const uint64_t *element)
{
    uint64_t offset = 0;
    int mode = layout->mode_shape.count;
    for (int dim = layout->shape.count - 1; dim >= 0; dim--) {
        uint64_t index = element[dim];
        for (int64_t left = layout->shape.at[dim]; left > 1; left /= layout->mode_shape.at[mode]) {
            uint64_t size = (uint64_t)layout->mode_shape.at[--mode];
            offset += index % size * (uint64_t)layout->mode_strides.at[mode];
            index /= size;
        }
    }
    if (!layout->swizzled)
        return offset;
    const struct lw_tilus_swizzle *s = &layout->swizzle;
    uint64_t mask = (((uint64_t)1 << s->bits) - 1) << (s->base + s->shift);
    return offset ^ (offset & mask) >> s->shift;
}

static void check_map(const struct lw_tilus_shared *layout)
{
    struct lw_map map;
    struct lw_error err = {0};
    uint64_t total, element[LW_DIMS_MAX], in, back[LW_DIMS_MAX], again;
    if (!lw_tilus_shared_to_map(layout, &map, &err))
        fail_msg("%s", err.message);
    bool alone = lw_map_check_unique(&map, NULL);
    assert_true(lw_dims_total(&map.out, &total, NULL));
    for (uint64_t i = 0; i < total; i++) {
        lw_dims_unflatten(&map.out, i, element);
        assert_int_equal(lw_map_owner_count(&map, element), 1);
        assert_true(lw_map_owner(&map, element, 0, &in));
        assert_int_equal(in, offset_of(layout, element));
        assert_true(in < map.in.dim[0].size);
        assert_true(lw_map_apply(&map, &in, back));
        assert_true(lw_map_owner(&map, back, 0, &again));
        assert_int_equal(again, in);
        if (alone)
            assert_memory_equal(back, element, (size_t)map.out.count * sizeof *back);
    }
}

static void test_maps(void **unused)
{
    (void)unused;
    for (int i = 0; i < 400; i++) {
        struct lw_tilus_shared layout = draw_layout();
        struct lw_error err = {0};
        if (!lw_tilus_shared_validate(&layout, &err))
            fail_msg("%s", err.message);
        check_map(&layout);
    }
}

/* Every offset holds one element, or none; never two of what has no twins. */
static void test_holes(void **unused)
{
    (void)unused;
    struct lw_tilus_shared layout;
    struct lw_sizes shape = {.count = 2, .at = {3, 5}};
    struct lw_map map;
    uint64_t held = 0, out[LW_DIMS_MAX];
    assert_true(lw_tilus_shared_row_major(&layout, &shape, NULL));
    layout.mode_strides.at[0] = 8;
    assert_true(lw_tilus_shared_to_map(&layout, &map, NULL));
    assert_int_equal(map.in.dim[0].size, 21);
    for (uint64_t offset = 0; offset < 21; offset++)
        held += lw_map_apply(&map, &offset, out);
    assert_int_equal(held, 15);
}

/* The bits that are xored are themselves changed: base 0, 3 bits, 1 apart. */
static void test_overlapping_swizzle(void **unused)
{
    (void)unused;
    struct lw_tilus_shared layout;
    struct lw_sizes shape = {.count = 1, .at = {48}};
    assert_true(lw_tilus_shared_row_major(&layout, &shape, NULL));
    layout.swizzled = true;
    layout.swizzle = (struct lw_tilus_swizzle){.base = 0, .bits = 5, .shift = 1};
    check_map(&layout);
}

/* ---- Text ---- */

static void test_spellings(void **unused)
{
    (void)unused;
    static const char *const same[] = {
        "shared_row_major(8, 16)",
        "shared_row_major_swizzle(shape=[8, 64], dtype_nbytes=2)",
        "shared_row_major(8, 64).apply_swizzle(Swizzle(base=3, bits=3, shift=3))",
        "SharedLayout(shape=[4], mode_shape=[4], mode_strides=[1])",
        ("SharedLayout(shape=[4], mode_shape=[4], mode_strides=[1], "
         "swizzle=Swizzle(base=0, bits=1, shift=1))"),
        "shared_permute(shared_row_major(4, 8), dims=[1, 0])",
        "shared_row_major(4, 8).prepend_dim(extent=3).transpose()",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        prints(same[i], same[i]);
    prints("shared_row_major(4, 8).permute([1, 0])",
           "shared_permute(shared_row_major(4, 8), dims=[1, 0])");
    prints("x = shared_row_major(4, 8); x.slice((0,)).unsqueeze(dims=[0])",
           "shared_unsqueeze(shared_slice(shared_row_major(4, 8), retain_dims=[0]), dims=[0])");
    prints("SharedLayout(shape=[4], mode_shape=[4], mode_strides=[1], swizzle=None)", same[3]);
    prints("SharedLayout([4], [4], [1], None)", same[3]);
    prints("SharedLayout([4], [4], [1], optional_swizzle=Swizzle(0, 1, 1))", same[4]);
}

static void fails(const char *source, enum lw_code code, const char *message)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_error err = {0};
    if (lw_document_open(&doc, source, NULL, &err)) {
        if (lw_document_build(&doc, &map, &err))
            fail_msg("%s is accepted", source);
        lw_document_free(&doc);
    }
    assert_string_equal(err.message, message);
    assert_int_equal(err.code, code);
    assert_int_equal(err.position.line, 1);
}

static void test_messages(void **unused)
{
    (void)unused;
    static const struct {
        const char *source, *message;
    } rows[] = {
        {"shared_layout([4, 4], [4, 4], [1])",
         "mode_strides = [1]: must have one entry for each mode, 2"},
        {"shared_layout([4, 4], [2, 8], [8, 1])",
         "mode_shape = [2, 8]: mode 1 of size 8 does not divide 2, what is left of dim 0 of size "
         "4"},
        {"SharedLayout([4], [4, 1], [1, 4], None)",
         "mode_shape = [4, 1]: mode 1 has size 1: shared_layout(...) drops such modes"},
        {"shared_layout([4], [4], [-1])", "mode_strides = [-1]: each entry must be at least 0"},
        {"shared_layout([4], [4], [1], Swizzle(0, 2, 0))",
         "swizzle: shift = 0, but bits are moved right, by 1 at least"},
        {"shared_layout([4], [4], [1], Swizzle(16, 8, 8))",
         "swizzle: base + bits + shift is 32, but offsets have 31 bits"},
        {"shared_layout([4], [4], [1], spatial(4))",
         "spatial is not a swizzle: Swizzle(base=3, bits=3, shift=3) is one"},
        {"Swizzle(3, 3, 3)",
         "a Swizzle alone is not a layout: shared_row_major(8, 64).apply_swizzle("
         "Swizzle(base=3, bits=3, shift=3)) is one"},
        {"shared_row_major_swizzle([8, 64], 3)", "dtype_nbytes = 3: must be 1, 2, 4, 8 or 16"},
        {"shared_row_major_swizzle([64], 2)", "shape = [64]: must have at least 2 dims"},
        {"shared_row_major_swizzle([4, 64], 2)", "shape = [4, 64]: dim 0 must be a multiple of 8"},
        {"shared_row_major_swizzle([8, 4], 2)",
         "shape = [8, 4]: dim 1 must be a multiple of 8: 16 bytes of elements of 2"},
        {"shared_compose(shared_row_major(2, 3), shared_row_major(2))",
         "rhs has 1 dims and lhs 2: they must have equally many"},
        {"shared_compose(shared_row_major(2, 3), local(2, 3))",
         "local is not a shared layout of tilus: shared_row_major(8, 64) is one"},
        {"shared_row_major(2) * shared_row_major(2)",
         "shared_row_major is a shared layout, where a register layout is needed; functions of "
         "shared layouts begin with shared_"},
        {"shared_row_major(2, 3).permute([0])", "dims = [0]: must have one entry for each dim, 2"},
        {"shared_row_major(2, 3).slice([2])", "retain_dims = [2]: each must be from 0 to 1"},
        {"shared_row_major(2, 3, 4).transpose()",
         "the layout has 3 dims, and transpose needs 2: permute(dims=...) accepts any number"},
        {"shared_reshape(shared_row_major(2, 3), [7])",
         "new_shape = [7]: the numbers of elements differ"},
        {"shared_reshape(shared_row_major(2, 3), [3, 2])",
         "new_shape = [3, 2]: a mode of the layout cannot be cut along these sizes"},
        {"shared_row_major(2, 3).unsqueeze([3])", "dims = [3]: each must be from 0 to 2"},
        {"shared_row_major_swizzle([8, 64], 2).apply_swizzle(Swizzle(0, 1, 1))",
         "the layout has a swizzle, and there can be only one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fails(rows[i].source, LW_ERROR_PARAMETER, rows[i].message);
}

static void test_limits(void **unused)
{
    (void)unused;
    const char *last = "the last offset would be over 2^62";
    fails("shared_row_major(4611686018427387904, 2)", LW_ERROR_LIMIT,
          "the layout would have more than 2^62 elements");
    fails("shared_layout([3], [3], [4611686018427387904])", LW_ERROR_LIMIT, last);
    fails("shared_layout([4], [4], [2305843009213693952])", LW_ERROR_LIMIT, last);
    fails("x = shared_layout([2], [2], [4294967296]); x = shared_compose(x, x); "
          "shared_compose(x, x)",
          LW_ERROR_LIMIT, last);
    fails("shared_row_major(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
          "1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
          LW_ERROR_LIMIT, "the layout would have more than 32 dims");
    fails("shared_row_major_swizzle([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
          "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8], 2)",
          LW_ERROR_LIMIT, "33 sizes: a layout has at most 32 dims");
}

/* A tensor of 2^62 elements is as quick as a small one. */
static void test_largest(void **unused)
{
    (void)unused;
    struct lw_tilus_shared layout;
    struct lw_sizes shape = {.count = 2, .at = {(int64_t)1 << 31, (int64_t)1 << 30}};
    struct lw_map map;
    uint64_t out[2] = {((uint64_t)1 << 31) - 1, 5}, in, back[2];
    assert_true(lw_tilus_shared_column_major(&layout, &shape, NULL));
    assert_true(lw_tilus_shared_to_map(&layout, &map, NULL));
    assert_true(lw_map_owner(&map, out, 0, &in));
    assert_int_equal(in, out[0] + (out[1] << 31));
    assert_true(lw_map_apply(&map, &in, back));
    assert_memory_equal(back, out, sizeof out);
}

/* ---- Rows and names ---- */

static void test_rows(void **unused)
{
    (void)unused;
    size_t count;
    int rows = 0;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_tilus_shared layout;
        bool shared = types[i]->family == LW_FAMILY_TILUS_SHARED;
        bool evaluates = lw_tilus_shared_eval(lw_encoding_new(&arena, types[i]), &layout, NULL);
        assert_true(shared || !evaluates);
        lw_arena_free(&arena);
        if (!shared)
            continue;
        struct lw_document doc;
        struct lw_map map;
        struct lw_error err = {0};
        if (!lw_document_open(&doc, types[i]->example, NULL, &err) ||
            !lw_document_build(&doc, &map, &err))
            fail_msg("%s: %s", types[i]->example, err.message);
        assert_non_null(strstr(types[i]->example, types[i]->name));
        lw_document_free(&doc);
        rows++;
    }
    assert_int_equal(rows, 14);
}

/* What tilus exports and is no way to make a register or a shared layout: other kinds of layouts, which
 * are not read; modules; questions, which the views and `laneway apply` answer. */
static bool is_other(const char *name)
{
    static const char *const others[] = {
        "GlobalLayout",
        "global_column_major",
        "global_compose",
        "global_layout",
        "global_row_major",
        "global_slice",
        "global_strides",
        "TMemoryLayout",
        "tmem_layout",
        "tmemory_row_major",
        "tmemory_slice",
        "LayoutOperationError",
        "MultiFunction",
        "canonicalize_multi_function",
        "mfunction",
        "multi_function",
        "spatial_mfunction",
        "cuda",
        "global_ops",
        "ops",
        "register_ops",
        "shared_ops",
        "tmemory_ops",
        "utils",
        "as_axes_mapping",
        "as_numpy_grid",
        "byte_offset",
        "count_size",
        "get_global",
        "get_local",
        "get_spatial",
        "grouped_modes",
        "local_shape",
        "local_size",
        "size",
        "spatial_shape",
        "spatial_size",
        "visualize",
        "create", /* of SharedLayout: SharedLayout(...) takes the same */
        "swizzle" /* a parameter here */};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i], name))
            return true;
    return false;
}

static void test_exports(void **unused)
{
    (void)unused;
    int found = 0;
    FILE *file = golden_open("tilus_digest.jsonl");
    cJSON *header = cJSON_Parse(golden_line(file)), *item;
    while (golden_line(file))
        continue;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(header, "exports"))
    {
        char function[80];
        const char *name = cJSON_GetStringValue(item);
        snprintf(function, sizeof function, "shared_%s", name);
        bool known = lw_encoding_type_find(name) || lw_encoding_type_find(function);
        if (!known && !is_other(name))
            fail_msg("%s of tilus is not known", name);
        found += known;
    }
    cJSON_Delete(header);
    assert_true(found > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_overlapping_swizzle),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_exports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
