/* Views: every cell against the map it is made of, both ways; texts and labels; refusals. */

#include "view/view_parts.h"
#include "view_help.h"

static const char *const sources[] = {
    "tensor<16x16xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], "
    "[2, 0], [4, 0]], warp = [[8, 0]], block = []}>>",
    "tensor<32x8xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [16, 2], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>>",
    "tensor<4xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], "
    "threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>}>>",
    "tensor<16x8xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
    "warpsPerCTA = [1, 1], order = [1, 0], CGALayout = [[1, 0]]}>>",
    "tensor<2x4x8xf32, #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [2, 4, 4], "
    "warpsPerCTA = [1, 1, 1], order = [2, 1, 0]}>>",
    "!ttg.memdesc<8x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, "
    "order = [1, 0]}>, #smem>",
    "!ttg.memdesc<32x8xi8, #ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, "
    "order = [0, 1]}>, #smem>",
    "!ttg.memdesc<2x8x8xf64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, "
    "order = [2, 1, 0]}>, #smem>",
    "local(3, 4).spatial(2, 3)",
    "reduce(spatial(3, 4), dims=[0])",
    "spatial(2, 1, 3, 1, 2).local(1, 1, 1, 1, 2)",
    "spatial()",
    "{\"in\":[[\"offset\",4],[\"block\",1]],\"out\":[[\"dim0\",8]],"
    "\"bases\":{\"offset\":[[2],[4]],\"block\":[]}}",
    "{\"in\":[[\"x\",4],[\"y\",4]],\"out\":[[\"p\",4],[\"q\",2]],"
    "\"bases\":{\"x\":[[1,0],[3,1]],\"y\":[[0,0],[2,0]]}}",
};

#define SOURCE_COUNT (sizeof sources / sizeof *sources)

/* ---- Every view of every source, cell by cell ---- */

static bool same(const uint64_t *a, const uint64_t *b, int count)
{
    return !memcmp(a, b, (size_t)count * sizeof *a);
}

/* A cell's spot is true, and is found again. */
static void check_spot(const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_map *map = &view->subject->map;
    struct lw_spot spot;
    uint64_t found_row, found_col, out[LW_DIMS_MAX];
    if (!view->type->spot || !view->type->spot(view, row, col, &spot))
        return;
    if (spot.has_in) {
        assert_true(lw_map_apply(map, spot.in, out));
        assert_true(spot.has_out);
        assert_true(same(out, spot.out, map->out.count));
    }
    if (!view->type->find)
        return;
    assert_true(view->type->find(view, &spot, &found_row, &found_col));
    assert_int_equal(found_row, row);
    assert_int_equal(found_col, col);
    spot.has_out = spot.has_out && !spot.has_in; /* the other language alone */
    if (spot.has_in && strcmp(view->type->name, "owners") != 0) {
        assert_true(view->type->find(view, &spot, &found_row, &found_col));
        assert_int_equal(found_row, row);
        assert_int_equal(found_col, col);
    }
}

static void check_cells(const struct lw_view *view)
{
    size_t width = view->type->width(view);
    assert_true(view->rows > 0 && view->cols > 0 && view->page_rows > 0);
    assert_int_equal(view->rows % view->page_rows, 0);
    for (uint64_t row = 0; row < view->rows; row++) {
        row_text(view, row);
        for (uint64_t col = 0; col < view->cols; col++) {
            const char *text = cell_text(view, row, col);
            if (lw_text_width(text) > width)
                fail_msg("%s %s: wider than %zu", view->type->name, text, width);
            check_spot(view, row, col);
        }
    }
    for (uint64_t col = 0; col < view->cols; col++)
        col_text(view, col);
}

static void test_all_cells(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t s = 0; s < SOURCE_COUNT; s++) {
        const struct lw_subject *subject = subject_of(sources[s]);
        for (size_t t = 0; t < count; t++)
            for (int full = 0; full < 2; full++) {
                struct lw_view_options options = {.cell = full ? NULL : "{index}"};
                struct lw_error err = {0};
                struct lw_view view;
                if (lw_view_open(&view, types[t], subject, &options, &err))
                    check_cells(&view);
                else
                    assert_true(err.code == LW_ERROR_UNSUPPORTED && err.message[0]);
                lw_view_close(&view);
            }
    }
}

/* ---- Owners against the map, the long way ---- */

static void check_owner(const struct lw_view *view, const uint64_t *in)
{
    const struct lw_map *map = &view->subject->map;
    struct lw_spot target = {.has_in = true}, spot;
    uint64_t row, col;
    memcpy(target.in, in, sizeof target.in);
    assert_true(view->type->find(view, &target, &row, &col));
    assert_true(view->type->spot(view, row, col, &spot));
    assert_true(lw_map_apply(map, in, target.out));
    assert_true(same(spot.out, target.out, map->out.count));
    assert_true(cell_class(view, row, col).owners == lw_map_replication(map));
}

static void test_owners_of_every_index(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < SOURCE_COUNT; s++) {
        const struct lw_subject *subject = subject_of(sources[s]);
        struct lw_view view;
        uint64_t total, in[LW_DIMS_MAX] = {0};
        view_open(&view, "owners", subject, NULL);
        assert_true(lw_dims_total(&subject->map.in, &total, NULL));
        for (uint64_t i = 0; i < total; i++) {
            lw_dims_unflatten(&subject->map.in, i, in);
            check_owner(&view, in);
        }
    }
}

/* ---- Shared memory, by its formulas ---- */

static void check_memory_cell(const struct lw_view *view, uint64_t banks, uint64_t row,
                              uint64_t col)
{
    const struct lw_subject *subject = view->subject;
    uint64_t bits = (uint64_t)subject->tensor.element.bits, slots = 32 * banks / bits, value;
    struct lw_spot spot;
    uint64_t offset = row * slots + col;
    if (!view->type->spot(view, row, col, &spot))
        return;
    assert_int_equal(spot.in[0], offset);
    assert_true(lw_subject_field(subject, "byte", spot.in, spot.out, &value));
    assert_int_equal(value, offset * bits / 8);
    assert_true(lw_subject_field(subject, "bank", spot.in, spot.out, &value));
    assert_int_equal(value, offset * bits / 32 % banks);
    assert_true(lw_subject_field(subject, "column", spot.in, spot.out, &value));
    assert_int_equal(cell_class(view, row, col).shade, value);
    assert_true(lw_subject_field(subject, "line", spot.in, spot.out, &value));
    assert_int_equal(value, row);
}

/* Phases as swizzled_shared defines them: (row / perPhase) % maxPhase. */
static void check_phase(uint64_t vec, uint64_t per_phase, uint64_t max_phase)
{
    char source[256];
    snprintf(source, sizeof source,
             "!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = %d, perPhase = %d, "
             "maxPhase = %d, order = [1, 0]}>, #smem>",
             (int)vec, (int)per_phase, (int)max_phase);
    const struct lw_subject *subject = subject_of(source);
    for (uint64_t i = 0; i < 16; i++)
        for (uint64_t j = 0; j < 32; j++) {
            uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX] = {i, j}, value;
            assert_true(lw_map_owner(&subject->map, out, 0, in));
            assert_true(lw_subject_field(subject, "phase", in, out, &value));
            assert_int_equal(value, i / per_phase % max_phase);
        }
}

/* Every cell of the memory view on a target with that many banks. */
static void check_memory(const char *source, const char *target, uint64_t banks)
{
    struct lw_subject subject = *subject_of(source);
    struct lw_view view;
    subject.hardware = lw_hardware_find(target);
    view_open(&view, "memory", &subject, NULL);
    for (uint64_t row = 0; row < view.rows; row++)
        for (uint64_t col = 0; col < view.cols; col++)
            check_memory_cell(&view, banks, row, col);
}

static void test_memory(void **unused)
{
    (void)unused;
    for (size_t s = 5; s < 8; s++) {
        check_memory(sources[s], "sm90", 32);
        check_memory(sources[s], "gfx950", 64);
    }
    for (uint64_t vec = 1; vec <= 8; vec *= 2)
        for (uint64_t per = 1; per <= 4; per *= 2)
            for (uint64_t max = 1; max * vec <= 32 && max <= 8; max *= 2)
                check_phase(vec, per, max);
}

static void test_memory_labels(void **unused)
{
    (void)unused;
    struct lw_view view;
    view_open(&view, "memory", subject_of(sources[5]), NULL);
    assert_int_equal(view.rows, 4);
    assert_int_equal(view.cols, 64);
    assert_string_equal(row_text(&view, 3), "384 p2-3");
    assert_string_equal(col_text(&view, 0), "0.0");
    assert_string_equal(col_text(&view, 63), "31.1");
    assert_string_equal(cell_text(&view, 0, 32), "(1,4)");
    view_open(&view, "memory", subject_of(sources[7]), NULL);
    assert_int_equal(view.cols, 16);
    assert_string_equal(col_text(&view, 3), "6");
}

/* A row holds one word of every bank: 256 bytes where there are 64 banks. */
static void test_memory_of_64_banks(void **unused)
{
    (void)unused;
    struct lw_subject subject = *subject_of(sources[5]);
    struct lw_view view;
    struct lw_cell_field bank;
    subject.hardware = lw_hardware_find("gfx950");
    view_open(&view, "memory", &subject, NULL);
    assert_int_equal(view.rows, 2);
    assert_int_equal(view.cols, 128);
    assert_string_equal(row_text(&view, 1), "256 p0-3");
    assert_string_equal(col_text(&view, 127), "63.1");
    assert_true(lw_cell_field_find(&subject, "bank", strlen("bank"), &bank));
    assert_int_equal(lw_cell_field_max(&subject, bank), 63);
    subject.hardware = NULL;
    assert_true(lw_cell_field_find(&subject, "bank", strlen("bank"), &bank));
    assert_int_equal(lw_cell_field_max(&subject, bank), 31);
}

/* ---- The matrix ---- */

static void test_matrix(void **unused)
{
    (void)unused;
    const struct lw_subject *subject = subject_of(sources[0]);
    const struct lw_layout *layout = &subject->map.as.linear.layout;
    struct lw_view view;
    view_open(&view, "matrix", subject, NULL);
    assert_int_equal(view.rows, 8);
    assert_int_equal(view.cols, 8);
    for (uint64_t row = 0; row < 8; row++)
        for (uint64_t col = 0; col < 8; col++)
            assert_string_equal(cell_text(&view, row, col),
                                layout->basis[col] >> row & 1 ? "1" : "0");
    assert_string_equal(row_text(&view, 5), "dim1.1");
    assert_string_equal(col_text(&view, 1), "register.1");
    assert_string_equal(col_text(&view, 7), "warp.0");
    assert_int_equal(cell_class(&view, 4, 0).ink, LW_INK_DIM);
    assert_int_equal(cell_class(&view, 4, 0).shade, 0);
    assert_int_equal(cell_class(&view, 3, 7).shade, 2);
    assert_int_equal(cell_class(&view, 0, 0).ink, LW_INK_FAINT);
    /* Threads of a tilus layout become lanes and warps. */
    view_open(&view, "matrix", subject_of("spatial(16, 4).local(1, 2)"), NULL);
    assert_string_equal(col_text(&view, 0), "register.0");
    assert_string_equal(col_text(&view, 6), "warp.0");
}

/* ---- Labels and texts ---- */

static void test_hardware(void **unused)
{
    (void)unused;
    struct lw_view view;
    view_open(&view, "hardware", subject_of(sources[0]), NULL);
    assert_int_equal(view.rows, 8);
    assert_int_equal(view.cols, 32);
    assert_string_equal(row_text(&view, 7), "w1 r3");
    assert_string_equal(cell_text(&view, 1, 9), "(2,3)"); /* register 1, lane 9 */
    view_open(&view, "hardware", subject_of(sources[3]), NULL);
    assert_string_equal(row_text(&view, 3), "b1 w0 r1");
    view_open(&view, "hardware", subject_of(sources[8]), NULL);
    assert_string_equal(row_text(&view, 11), "r11");
    view_open(&view, "hardware", subject_of(sources[5]), NULL);
    assert_int_equal(view.cols, 32);
    assert_string_equal(row_text(&view, 1), "32");
    struct lw_view_options options = {.cell = "{index}"};
    view_open(&view, "hardware", subject_of(sources[0]), &options);
    assert_string_equal(cell_text(&view, 1, 9), "35");
}

static void test_owners(void **unused)
{
    (void)unused;
    struct lw_view view;
    struct lw_view_options options = {.cell = "{bank}"};
    view_open(&view, "owners", subject_of(sources[4]), NULL);
    assert_int_equal(view.rows, 8);
    assert_int_equal(view.page_rows, 4);
    assert_string_equal(row_text(&view, 6), "1,2");
    view_open(&view, "owners", subject_of(sources[10]), NULL); /* 2 x 3 x 4, without the ones */
    assert_int_equal(view.rows, 6);
    assert_int_equal(view.page_rows, 3);
    assert_int_equal(view.cols, 4);
    view_open(&view, "owners", subject_of(sources[5]), &options);
    assert_string_equal(cell_text(&view, 1, 4), "16"); /* the bank */
    view_open(&view, "owners", subject_of(sources[12]), NULL);
    assert_string_equal(cell_text(&view, 0, 1), "\xc2\xb7");
    assert_int_equal(cell_class(&view, 0, 1).ink, LW_INK_HOLE);
    view_open(&view, "owners", subject_of(sources[13]), NULL);
    assert_string_equal(cell_text(&view, 3, 1), "(2,0)|(2,1)");
}

static void test_bases(void **unused)
{
    (void)unused;
    struct lw_view view;
    view_open(&view, "bases", subject_of(sources[0]), NULL);
    assert_int_equal(view.rows, 9); /* eight, and block */
    assert_string_equal(row_text(&view, 3), "lane=2");
    assert_string_equal(cell_text(&view, 3, 0), "(0,4)");
    assert_string_equal(cell_text(&view, 3, 1), "(0b0000, 0b0100)");
    assert_string_equal(row_text(&view, 8), "block");
    assert_string_equal(cell_text(&view, 8, 0), "size 1");
    view_open(&view, "bases", subject_of("reduce(spatial(3, 4), dims=[0])"), NULL);
    assert_string_equal(row_text(&view, 1), "thread/4");
    assert_string_equal(cell_text(&view, 1, 0), "replicated");
}

static const char *fact(const struct lw_view *view, const char *name)
{
    for (uint64_t row = 0; row < view->rows; row++)
        if (!strcmp(row_text(view, row), name))
            return cell_text(view, row, 0);
    return "";
}

static void test_facts(void **unused)
{
    (void)unused;
    struct lw_view view;
    view_open(&view, "facts", subject_of(sources[1]), NULL);
    assert_string_equal(fact(&view, "tensor"), "32x8xf16, elements of 16 bits");
    assert_string_equal(fact(&view, "hardware"), "register 8, lane 32, warp 4, block 1");
    assert_string_equal(fact(&view, "surjective"), "yes: covers every element");
    assert_string_equal(fact(&view, "injective"), "no: each element has 4 owners");
    assert_string_equal(fact(&view, "rank"), "8, of 8 output bits and 10 input bits");
    assert_string_equal(fact(&view, "null space"), "warp=1, warp=2");
    assert_string_equal(fact(&view, "free bits"), "warp.0, warp.1");
    assert_string_equal(fact(&view, "vector"), "4 elements along dim1 (8 bytes)");
    assert_string_equal(fact(&view, "registers"), "8 elements a thread, 4 registers of 32 bits");
    view_open(&view, "facts", subject_of(sources[5]), NULL);
    assert_string_equal(fact(&view, "shared"), "512 bytes");
    assert_string_equal(fact(&view, "vector"), "4 elements along dim1 (8 bytes)");
    view_open(&view, "facts", subject_of(sources[9]), NULL);
    assert_string_equal(fact(&view, "copies"), "thread + 4*d, d = 0..2");
    view_open(&view, "facts", subject_of(sources[12]), NULL);
    assert_string_equal(fact(&view, "surjective"), "no: 4 of 8 elements have no owner");
}

static void test_text(void **unused)
{
    (void)unused;
    struct lw_view view;
    struct lw_spot spot;
    view_open(&view, "text", subject_of(sources[0]), NULL);
    assert_string_equal(row_text(&view, 0), "Facts");
    assert_string_equal(row_text(&view, 1), "tensor");
    assert_string_equal(fact(&view, "rank"), "8, of 8 output bits and 8 input bits");
    assert_string_equal(fact(&view, "Bases"), "goes to  in binary");
    assert_string_equal(fact(&view, "lane=2"), "(0,4)  (0b0000, 0b0100)");
    for (uint64_t row = 0; row < view.rows; row++)
        if (!strcmp(row_text(&view, row), "lane=2")) {
            assert_true(view.type->spot(&view, row, 0, &spot));
            assert_int_equal(spot.out[1], 4);
        } else if (!strcmp(row_text(&view, row), "Notation")) {
            assert_int_equal(cell_class(&view, row, 0).ink, LW_INK_HEAD);
            assert_false(view.type->spot(&view, row, 0, &spot));
        }
    view_open(&view, "text", subject_of("spatial()"), NULL); /* without bases */
    assert_string_equal(fact(&view, "Facts"), "value");
    assert_string_equal(fact(&view, "Bases"), "");
    assert_string_equal(fact(&view, "Notation"), "notation");
}

/* ---- Colours ---- */

static void test_colors(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    for (size_t s = 0; s < SOURCE_COUNT; s++) {
        const struct lw_subject *subject = subject_of(sources[s]);
        for (size_t k = 0; k < count; k++) {
            struct lw_view_options options = {.color_by = keys[k].name};
            struct lw_view view;
            struct lw_spot spot;
            uint64_t value;
            if (!lw_view_open(&view, lw_view_type_find("owners"), subject, &options, NULL))
                continue;
            assert_true(view.type->spot(&view, view.rows - 1, view.cols - 1, &spot));
            struct lw_cell cell = cell_class(&view, view.rows - 1, view.cols - 1);
            lw_view_close(&view);
            if (!spot.has_in)
                continue;
            assert_true(lw_subject_field(subject, keys[k].name, spot.in, spot.out, &value));
            assert_int_equal(cell.shade, value);
            assert_int_equal(cell.ink, LW_INK_INDEX);
        }
    }
}

/* ---- Large ---- */

static void test_huge(void **unused)
{
    (void)unused;
    const struct lw_subject *subject =
        subject_of("tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [1, 8], "
                   "threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    static const char *const names[] = {"owners", "hardware", "matrix", "bases", "facts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_view view;
        struct lw_spot spot;
        uint64_t row, col;
        view_open(&view, names[i], subject, NULL);
        cell_text(&view, view.rows - 1, view.cols - 1);
        if (i > 1)
            continue;
        assert_true(view.type->spot(&view, view.rows - 1, view.cols - 1, &spot));
        assert_true(view.type->find(&view, &spot, &row, &col));
        assert_true(row == view.rows - 1 && col == view.cols - 1);
    }
}

/* ---- Refusals ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    struct lw_view_options bad_cell = {.cell = "{nobody}"}, bad_color = {.color_by = "bank"};
    view_fails("matrix", subject_of("local(3, 4)"), NULL,
               "not a linear layout: a mode of dim0 has size 3, which is not a power of two");
    view_fails("matrix", subject_of("spatial()"), NULL,
               "the matrix is empty: there is only one element");
    view_fails("memory", subject_of("local(3, 4)"), NULL,
               "this layout is not in shared memory and has no offsets: use a layout in shared "
               "memory, or view hardware");
    view_fails("owners", subject_of("local(3, 4)"), &bad_cell,
               "cell format: no field 'nobody' here: there are local, thread, lane, warp, "
               "register, row, column, index, number, vector, hardware, i0, i1");
    view_fails("owners", subject_of("local(3)"), &bad_color,
               "no field 'bank' to colour by here: there are thread, lane, warp, register, local, "
               "column, vector");
    struct lw_layout layout;
    struct lw_map map;
    assert_true(lw_layout_identity(&layout, 16, "offset", "dim0", NULL));
    lw_map_from_layout(&map, &layout);
    view_fails("memory", subject_of_map(&map, LW_FAMILY_SHARED, 24), NULL,
               "elements of 24 bits do not fill rows of 128 bytes evenly: 1, 2, 4, ..., 128 bits "
               "do");
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cells),
        cmocka_unit_test(test_owners_of_every_index),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_memory_labels),
        cmocka_unit_test(test_memory_of_64_banks),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_hardware),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
