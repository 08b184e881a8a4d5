/* An operation of a kernel on the screen: only the access that it is counts, in the advice and in the search. The
 * wavefronts of the search are compared with plans made here. */

#include "tui/access/solve.h"
#include "tui/drive.h"
#include "tui/kernel/browse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define STORE "tests/golden/ttgir/transpose_by_descriptor.sm107.ttgir"
#define CONVERSION "tests/golden/launches/transpose.ttgir"
#define LOAD "tests/golden/launches/chunk_state.ttgir"

/* Opens the operation on a line of a kernel. */
static void open_line(struct drive *d, const char *path, int line)
{
    drive_open(d, path);
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
    drive_screen(&d);
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
    drive_screen(&d);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_alone),
        cmocka_unit_test(a_load_alone),
        cmocka_unit_test(the_inspector_advises_the_same),
        cmocka_unit_test(another_side_counts_when_it_is_set),
        cmocka_unit_test(a_conversion_against_the_compiler),
        cmocka_unit_test(no_layout_is_below_the_compiler_without_a_reason),
    };
    return cmocka_run_group_tests_name("operation", tests, NULL, NULL);
}
