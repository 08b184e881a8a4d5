/* An operation of a kernel on the screen: only the access that it is counts, in the advice and in the search. The
 * wavefronts of the search are compared with plans made here. */

#include "tui/access/solve.h"
#include "tui/drive.h"
#include "tui/kernel/browse.h"
#include "view/view_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define STORE "tests/golden/ttgir/transpose_by_descriptor.sm107.ttgir"
#define CONVERSION "tests/golden/launches/transpose.ttgir"
#define REDUCTION "tests/golden/launches/softmax.ttgir"
#define LOAD "tests/golden/launches/chunk_state.ttgir"

/* Opens the operation on a line of a kernel. */
static void open_line_of(struct drive *d, const char *path, int line, enum lw_triton triton)
{
    const struct lw_tui_options options = {.triton = {.version = triton}, .writes_nothing = true};
    drive_open_with(d, path, &options);
    drive_resize(d, 120, 40);
    lw_job_finish(&d->ex);
    const struct lw_browser *browser = d->ex.browser;
    drive_keys(d, "Home");
    for (size_t i = 0; i < browser->kernel.operation_count; i++, drive_keys(d, "Down"))
        if (lw_browse_operation_of(browser, lw_browse_chosen(browser, LW_BROWSE_OPERATIONS))
                ->position.line == line) {
            drive_keys(d, "Enter");
            return;
        }
    fail_msg("%s has no operation on line %d", path, line);
}

static void open_line(struct drive *d, const char *path, int line)
{
    open_line_of(d, path, line, LW_TRITON_UNSET);
}

/* The fewest wavefronts of all swizzles with names, for that access alone. */
static uint64_t least_of(const struct drive *d, enum lw_access_op op)
{
    const struct lw_swizzle_search *search = &d->ex.solve->search;
    uint64_t least = UINT64_MAX;
    for (uint64_t i = 0; i < search->ranked_count; i++) {
        const struct lw_subject *registers = &d->ex.layouts.opened.subject;
        if (registers->side == LW_SIDE_S)
            registers = lw_subject_at(registers, op == LW_ACCESS_STORE ? LW_SIDE_A : LW_SIDE_B);
        struct lw_map memory;
        struct lw_plan plan;
        assert_true(lw_swizzle_map(search, &search->ranked[i], &memory, NULL));
        const struct lw_plan_request request = {.registers = &registers->map,
                                                .memory = &memory,
                                                .element_bits =
                                                    (unsigned)registers->tensor.element.bits,
                                                .op = op,
                                                .stage = LW_PLAN_COMPILED,
                                                .hardware = lw_explorer_target(&d->ex),
                                                .triton = lw_subject_triton(registers)};
        assert_true(lw_plan_make(&plan, &request, NULL));
        least = plan.total.wavefronts < least ? plan.total.wavefronts : least;
        lw_plan_free(&plan);
    }
    return least;
}

/* What the strip counts is what the search begins from. */
static void a_store_alone(void **state)
{
    struct drive d;
    struct lw_text line = {0};
    (void)state;
    open_line(&d, STORE, 43);
    lw_job_finish(&d.ex);
    assert_shows(&d, "store 1024 wf");
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    assert_shows(&d, "Best swizzle, store A;");
    assert_int_equal(d.ex.solve->current.store.wavefronts, 1024);
    assert_int_equal(lw_swizzle_wavefronts(&d.ex.solve->current), 1024);
    uint64_t least = least_of(&d, LW_ACCESS_STORE);
    assert_int_equal(lw_swizzle_wavefronts(lw_solve_best(&d.ex.solve->search)), least);
    assert_shows(&d, "#shared is also the layout of 38 async_tma_copy_global_to_local, 41 "
                     "local_load, 45 async_tma");
    assert_hides(&d, "load 0 wf");
    assert_hides(&d, "load  0 wf");
    drive_keys(&d, "Enter");
    lw_text_format(&line, "shared S: %llu wavefronts, before 1024; u undoes it",
                   (unsigned long long)least);
    assert_shows(&d, lw_text_string(&line));
    lw_text_free(&line);
    drive_close(&d);
}

static void a_load_alone(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, LOAD, 175);
    assert_shows(&d, "load 128 wf");
    drive_keys(&d, "a");
    assert_shows(&d, "this operation only loads: it has no other access");
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    assert_shows(&d, "Best swizzle, load B;");
    assert_int_equal(lw_swizzle_wavefronts(&d.ex.solve->current), 128);
    assert_int_equal(lw_swizzle_wavefronts(lw_solve_best(&d.ex.solve->search)),
                     least_of(&d, LW_ACCESS_LOAD));
    drive_close(&d);
}

/* The inspector's advice is of the same access. */
static void the_inspector_advises_the_same(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, STORE, 43);
    drive_keys(&d, "Down Up");
    lw_job_finish(&d.ex);
    drive_draw(&d);
    assert_true(d.ex.better.known);
    assert_non_null(strstr(d.ex.better.text, "wavefronts, now 1024"));
    assert_non_null(strstr(d.ex.better.text, "#shared is also the layout of"));
    drive_close(&d);
}

/* Registers at the other side make it an access of two again. */
static void another_side_counts_when_it_is_set(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, STORE, 43);
    drive_command(&d, "load #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
                      "warpsPerCTA = [4, 1], order = [1, 0]}>");
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    assert_shows(&d, "Best swizzle, store A, load B;");
    assert_true(d.ex.solve->current.load.wavefronts > 0);
    drive_close(&d);
}

/* A conversion: what the compiler does is the first row, and compared with what was found. */
static void a_conversion_against_the_compiler(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, CONVERSION, 45);
    assert_shows(&d, "store 128 wf");
    assert_shows(&d, "load 128 wf");
    drive_keys(&d, "o");
    lw_job_finish(&d.ex);
    assert_shows(&d, "Best swizzle, store A, load B, no shared S yet;");
    assert_shows(&d, "compiler     the compiler's own: nothing to gain");
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = lw_solve_rows(d.ex.solve, rows);
    assert_int_equal(lw_solve_chosen(d.ex.solve, rows, count), 0);
    assert_int_equal(lw_swizzle_wavefronts(rows[0].swizzle), 256);
    assert_int_equal(d.ex.solve->search.bound, 256);
    assert_shows(&d, "store 128 wf, ideal 128, 128 instr █");
    drive_keys(&d, "Enter");
    assert_shows(&d, "this is what the compiler does");
    assert_int_equal(d.ex.focus, LW_FOCUS_SOLVE);
    assert_false(d.ex.layouts.has_side[LW_SIDE_S]);
    drive_keys(&d, "End Home Down Down");
    drive_draw(&d);
    drive_keys(&d, "Enter");
    assert_shows(&d, "the compiler's own 256 (128 + 128)");
    drive_close(&d);
}

/* Of all conversions of the kernels here, none that is searched has a row below the compiler's own without a reason. */
static void no_layout_is_below_the_compiler_without_a_reason(void **state)
{
    static const char *const kernels[] = {CONVERSION, "tests/golden/launches/transpose_f16.ttgir",
                                          "tests/golden/launches/transpose_i8.ttgir",
                                          "tests/golden/launches/loop_transpose.ttgir"};
    size_t searched = 0;
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct drive d;
        drive_open(&d, kernels[k]);
        lw_job_finish(&d.ex);
        const struct lw_kernel *kernel = &d.ex.browser->kernel;
        int lines[64], count = 0;
        for (size_t i = 0; i < kernel->operation_count && count < 64; i++)
            if (kernel->operations[i].kind->role == LW_ROLE_CONVERT)
                lines[count++] = kernel->operations[i].position.line;
        drive_close(&d);
        for (int i = 0; i < count; i++) {
            open_line(&d, kernels[k], lines[i]);
            drive_keys(&d, "o");
            lw_job_finish(&d.ex);
            const struct lw_solve *solve = d.ex.solve;
            if (solve && solve->compiled) {
                uint64_t least = lw_swizzle_wavefronts(lw_solve_best(&solve->search));
                searched++;
                assert_true(solve->rounds > 1 || solve->by != LW_CONVERSION_SHARED ||
                            lw_swizzle_wavefronts(&solve->current) >= least);
            }
            drive_close(&d);
        }
    }
    assert_true(searched > 2);
}

/* Since Triton 3.8 a reduction is conversions: the one that costs most is drawn, with what the table has. */
static void a_reduction_is_drawn_as_its_conversions(void **state)
{
    static const struct {
        const char *path;
        int line, steps;
    } cases[] = {{"tests/golden/ttgir/softmax.sm90.ttgir", 36, 1},
                 {"tests/golden/ttgir/softmax.gfx950.ttgir", 36, 1},
                 {"tests/golden/launches/kl_div.ttgir", 24, 1},
                 {"tests/golden/launches/colsum.ttgir", 34, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_text text = {0};
        open_line_of(&d, cases[i].path, cases[i].line, LW_TRITON_3_9);
        const struct lw_kernel *kernel = &d.ex.browser->kernel;
        uint64_t total = 0;
        for (size_t o = 0; o < kernel->operation_count; o++)
            if (kernel->operations[o].position.line == cases[i].line)
                total = lw_browse_cost_of(d.ex.browser, o)->wavefronts;
        struct lw_subject_access *access = d.ex.layouts.opened.subject.access;
        assert_non_null(access);
        const struct lw_plan_total *store = lw_subject_access_total(access, LW_ACCESS_STORE, NULL);
        const struct lw_plan_total *load = lw_subject_access_total(access, LW_ACCESS_LOAD, NULL);
        uint64_t drawn = store->wavefronts + load->wavefronts;
        assert_true(cases[i].steps == 1 ? drawn == total : drawn < total && 2 * drawn >= total);
        lw_text_format(&text, "%llu of its %llu wavefronts", (unsigned long long)drawn,
                       (unsigned long long)total);
        assert_shows(&d, lw_text_string(&text));
        lw_text_free(&text);
        assert_shows(&d, "A registers");
        assert_shows(&d, "Banks: store");
        drive_keys(&d, "Backspace");
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
        drive_close(&d);
    }
}

/* The exchange of a reduction has no layout: a sentence instead of a conversion that there is not. */
static void a_reduction_is_no_conversion(void **state)
{
    struct drive d;
    (void)state;
    open_line_of(&d, REDUCTION, 36, LW_TRITON_3_7);
    assert_shows(&d, "reduce: its 34 wavefronts (ideal 34) exchange partial results");
    assert_shows(&d, "at addresses that no layout gives before");
    drive_keys(&d, "5");
    assert_shows(&d, "before Triton 3.8: they cannot be");
    assert_hides(&d, "shapes must be the same");
    assert_hides(&d, "S shared");
    assert_hides(&d, "the compiler's own");
    drive_keys(&d, "6");
    assert_shows(&d, "before Triton 3.8: they cannot be");
    drive_keys(&d, "o");
    assert_null(d.ex.solve);
    assert_shows(&d, "they cannot be drawn");
    drive_close(&d);
}

/* The table shows which operations were edited, and the question names what is not saved. */
static void the_table_marks_edits(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, STORE, 43);
    drive_command(
        &d, "shared #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [1, 0]}>");
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "*  43 ");
    assert_hides(&d, "*  41 ");
    drive_keys(&d, "q");
    assert_shows(&d, "43 local_alloc has unsaved changes");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* By whichever column the table is sorted, its head has the arrow. */
static void the_sorted_head_has_an_arrow(void **state)
{
    struct drive d;
    static const int widths[] = {80, 120, 200};
    (void)state;
    for (int w = 0; w < 3; w++) {
        drive_open(&d, STORE);
        drive_resize(&d, widths[w], 40);
        lw_job_finish(&d.ex);
        const struct lw_browse_table *table = &d.ex.browser->tables[LW_BROWSE_OPERATIONS];
        const struct lw_browse_column *columns = lw_browse_columns(LW_BROWSE_OPERATIONS);
        for (drive_keys(&d, "Right"); table->sort != LW_BROWSE_BY_DEFAULT;
             drive_keys(&d, "Right")) {
            struct lw_text head = {0};
            lw_text_format(&head, "%s%s", columns[table->sort].ascending ? "↑" : "↓",
                           columns[table->sort].head);
            assert_shows(&d, lw_text_string(&head));
            lw_text_free(&head);
        }
        drive_close(&d);
    }
}

/* How often a layout is used is a number of the layout: only its first row has it. */
static void uses_are_of_a_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, LOAD);
    drive_resize(&d, 120, 60);
    lw_job_finish(&d.ex);
    drive_keys(&d, "Tab");
    const struct lw_browser *browser = d.ex.browser;
    size_t several = 0;
    for (size_t i = 0; i < browser->kernel.encoding_count; i++)
        several += browser->kernel.encodings[i].type_count > 1;
    assert_true(several > 0);
    const char *at = strstr(drive_screen(&d), " layout ");
    assert_non_null(at);
    size_t names = (size_t)(strstr(at, " uses ") + 6 - at); /* and uses */
    for (int line = 0; line < 10; line++) {
        at = strchr(at, '\n') + 1;
        const char *bar = strchr(at, '\xe2'); /* the frame */
        assert_non_null(bar);
        if (bar[4] == ' ') /* no name */
            assert_true(strspn(bar + 3, " ") >= names);
    }
    drive_close(&d);
}

/* A column that would be empty in every row has no place; what is left is the layouts'. */
static void an_empty_source_column_is_left_out(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, LOAD);
    drive_resize(&d, 120, 40);
    lw_job_finish(&d.ex);
    assert_hides(&d, " source ");
    assert_shows(&d, "layouts");
    drive_close(&d);
    drive_open(&d, STORE);
    drive_resize(&d, 120, 40);
    lw_job_finish(&d.ex);
    assert_shows(&d, "source");
    drive_close(&d);
}

/* The box below names the chosen operation and says what can be gained. */
static void the_box_says_what_can_be_gained(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, STORE, 43);
    drive_keys(&d, "Backspace");
    assert_shows(&d, "line 43: local_alloc");
    assert_shows(&d, "1024 wavefronts, ideal 128, 896 over it");
    assert_shows(&d, "Enter, then o: the shared S with the fewest wavefronts");
    drive_close(&d);
    open_line(&d, CONVERSION, 45);
    drive_keys(&d, "Backspace");
    assert_shows(&d, "line 45: convert_layout");
    assert_shows(&d, "256 wavefronts, ideal 256, nothing over it");
    drive_close(&d);
}

/* The second view of an operation is not that of what :mma opens; a step back shows it again. */
static void mma_ends_the_second_view(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/matmul.sm80.ttgir");
    lw_job_finish(&d.ex);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.panes.count, 2);
    drive_command(&d, "mma m16n8k16");
    assert_int_equal(d.ex.panes.count, 1);
    assert_string_equal(d.ex.panes.active->view.type->name, "mma");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.panes.count, 2);
    assert_string_equal(d.ex.panes.all[0].view.type->name, "conversion");
    assert_string_equal(d.ex.panes.all[1].view.type->name, "banks");
    drive_command(&d, "mma");
    assert_int_equal(d.ex.panes.count, 1);
    assert_string_equal(d.ex.panes.active->view.type->name, "mma");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_close(&d);
}

/* A part of a name finds it. */
static void a_part_of_a_name_is_named(void **state)
{
    static const char *const parts[] = {"wgmma", "m64n64k16", "wgmma-m64n64"};
    struct drive d;
    (void)state;
    drive_open(&d, "start/4x4");
    drive_resize(&d, 160, 40);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char line[40];
        snprintf(line, sizeof line, "mma %s", parts[i]);
        drive_command(&d, line);
        assert_shows(&d, "did you mean 'wgmma-m64n64k16'?");
    }
    drive_command(&d, "mma m16n8k17");
    assert_shows(&d, "did you mean 'm16n8k16'?");
    drive_command(&d, "mma qqqqqqqqqqqq");
    assert_hides(&d, "did you mean");
    drive_close(&d);
}

/* Every layout that was computed is shown in the line of messages; one that was typed is not repeated. */
static void computed_layouts_are_told(void **state)
{
    static const char *const rows[][2] = {
        {"composition((2,8):(16,1), 4:1)", "(2,2):(16,1)"},
        {"complement(4:2, 16)", "(2,2):(1,8)"},
        {"coalesce((2,4):(1,2))", "8:1"},
        {"logical_divide(16:1, 4:1)", "(4,4):(1,4)"},
        {"logical_product(4:1, 2:1)", "(4,2):(1,4)"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, "start/4x4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[100];
        snprintf(message, sizeof message, "%s = %s", rows[i][0], rows[i][1]);
        drive_command(&d, rows[i][0]);
        assert_string_equal(d.ex.status.message, message);
    }
    static const char *const typed[] = {"(4,8):(8,1)", "( 4,8 ):(8,1)", "local(2, 2)"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        drive_command(&d, typed[i]);
        assert_string_equal(d.ex.status.message, "");
    }
    drive_close(&d);
}

/* The line above the views of an operation says what each of the three is, in the room that 80 columns have. */
static void each_layout_has_a_name(void **state)
{
    struct drive d;
    (void)state;
    open_line(&d, CONVERSION, 45);
    assert_shows(&d, "none: the compiler's own");
    drive_resize(&d, 80, 24);
    assert_shows(&d, " S compiler's load ");
    drive_keys(&d, "x");
    assert_shows(&d, "chosen: registers B, blocked, rows: F edits, 1 draws, X replaces it");
    drive_keys(&d, "1");
    assert_int_equal(d.ex.panes.active->shown.side, LW_SIDE_B);
    assert_true(d.ex.panes.active->has_view);
    drive_close(&d);
    open_line(&d, LOAD, 168);
    drive_resize(&d, 80, 24);
    assert_shows(&d, " A none ▸ S ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layout_has_a_name),
        cmocka_unit_test(mma_ends_the_second_view),
        cmocka_unit_test(a_store_alone),
        cmocka_unit_test(a_load_alone),
        cmocka_unit_test(the_inspector_advises_the_same),
        cmocka_unit_test(another_side_counts_when_it_is_set),
        cmocka_unit_test(a_reduction_is_no_conversion),
        cmocka_unit_test(a_reduction_is_drawn_as_its_conversions),
        cmocka_unit_test(the_table_marks_edits),
        cmocka_unit_test(the_sorted_head_has_an_arrow),
        cmocka_unit_test(uses_are_of_a_layout),
        cmocka_unit_test(an_empty_source_column_is_left_out),
        cmocka_unit_test(the_box_says_what_can_be_gained),
        cmocka_unit_test(a_conversion_against_the_compiler),
        cmocka_unit_test(no_layout_is_below_the_compiler_without_a_reason),
        cmocka_unit_test(a_part_of_a_name_is_named),
        cmocka_unit_test(computed_layouts_are_told),
    };
    return cmocka_run_group_tests_name("operation", tests, NULL, NULL);
}
