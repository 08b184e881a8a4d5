/* Compare: what differs is highlighted and counted, exactly, after any edit. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MANY "local(300, 40).spatial(3, 5)"

static void type(struct drive *d, const char *text)
{
    drive_type(d, text);
    drive_keys(d, "Enter");
}

/* The cells of the owners view whose text is another one in the other pane. */
static int differing_cells(struct drive *d)
{
    struct lw_text a = {0}, b = {0};
    struct lw_cell cell;
    struct lw_spot spot;
    int count = 0;
    const struct lw_view *x = &d->ex.panes.all[0].view, *y = &d->ex.panes.all[1].view;
    assert_true(x->rows == y->rows && x->cols == y->cols);
    for (uint64_t r = 0; r < x->rows; r++)
        for (uint64_t c = 0; c < x->cols; c++) {
            lw_text_clear(&a);
            lw_text_clear(&b);
            x->type->cell(x, r, c, &a, &cell);
            y->type->cell(y, r, c, &b, &cell);
            bool differs = strcmp(lw_text_string(&a), lw_text_string(&b)) != 0;
            assert_true(x->type->spot(x, r, c, &spot));
            assert_int_equal(lw_differs(&d->ex, &d->ex.panes.all[0], &spot), differs);
            assert_int_equal(lw_differs(&d->ex, &d->ex.panes.all[1], &spot), differs);
            count += differs;
        }
    lw_text_free(&a);
    lw_text_free(&b);
    return count;
}

/* What the screen says of so many differing elements. */
static void assert_counts(struct drive *d, int differing, int all)
{
    char count[64];
    if (differing == all)
        snprintf(count, sizeof count, " all %d elements differ", all);
    else if (differing > all / 2)
        snprintf(count, sizeof count, " %d of %d elements are equal", all - differing, all);
    else
        snprintf(count, sizeof count, " %d of %d elements differ", differing, all);
    assert_shows(d, count);
}

static void with_the_document(void **state)
{
    static const char *const edits[] = {":set sizePerThread=[1, 8]", ":set order=[0, 1]",
                                        ":set threadsPerWarp=[4, 8]", ":set sizePerThread=[2, 2]"};
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct drive d;
        drive_open(&d, "blocked/16x64");
        drive_resize(&d, 200, 40);
        drive_keys(&d, "d");
        assert_shows(&d, "nothing differs");
        assert_shows(&d, "Owners: as it was read");
        assert_shows(&d, "Owners: now");
        type(&d, edits[i]);
        int differing = differing_cells(&d);
        assert_true(differing > 0);
        assert_counts(&d, differing, 1024);
        drive_keys(&d, "u");
        assert_shows(&d, "nothing differs");
        drive_keys(&d, "d");
        assert_int_equal(d.ex.panes.count, 1);
        assert_hides(&d, "differ");
        drive_close(&d);
    }
}

static void with_another(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    type(&d, ":compare mma/m16n8k16.c");
    assert_shows(&d, "layouts of one shape are compared, and these are of 16 x 64 and 16 x 8");
    assert_shows(&d, "shape=16,8 gives this one that shape");
    assert_false(d.ex.layouts.has_other);
    type(&d, ":set shape=16,8");
    type(&d, ":compare mma/m16n8k16.c");
    assert_true(d.ex.layouts.has_other);
    drive_keys(&d, "| u");
    assert_int_equal(d.ex.panes.count, 1);
    type(&d,
         ":compare tensor<16x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, "
         "16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    assert_shows(&d, "elements are equal");
    assert_true(d.ex.panes.all[1].shown.other);
    drive_keys(&d, "|"); /* one view again */
    assert_int_equal(d.ex.panes.count, 1);
    assert_false(d.ex.layouts.has_other);
    type(&d, ":compare swizzle/16x32-xor");
    assert_shows(&d, "these are of 16 x 64 and 16 x 32");
    type(&d, ":compare no/such");
    assert_shows(&d, "no/such");
    drive_keys(&d, "Tab Tab");
    drive_close(&d);
}

/* Of an access each layout is compared with the one at the same side. */
static void sides_are_compared(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 160, 40);
    drive_keys(&d, "1");
    type(&d, ":compare banks/transpose-swizzled");
    assert_shows(&d, "shared S: 992 of 1024 elements differ");
    assert_hides(&d, "registers A: 0 of");
    drive_keys(&d, "d");
    type(&d,
         ":compare {\"shape\": [32, 32], \"shared\": \"#ttg.swizzled_shared<{vec = 1, perPhase = "
         "1, maxPhase = 32, order = [1, 0]}>\", \"load\": \"local(32, 1).spatial(1, 32)\"}");
    assert_shows(&d, "cannot be compared");
    drive_close(&d);
}

/* The document's words in the cells are those of both panes. */
static void cells_are_written_alike(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 60);
    drive_keys(&d, "d");
    assert_shows(&d, "nothing differs");
    assert_int_equal(differing_cells(&d), 0);
    drive_close(&d);
}

static void in_indices_too(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 200, 40);
    type(&d, ":view hardware");
    drive_keys(&d, "d");
    type(&d, ":set order=[0, 1]");
    const struct lw_view *x = &d.ex.panes.all[0].view, *y = &d.ex.panes.all[1].view;
    for (uint64_t r = 0; r < x->rows; r++)
        for (uint64_t c = 0; c < x->cols; c++) {
            struct lw_spot a, b;
            assert_true(x->type->spot(x, r, c, &a) && y->type->spot(y, r, c, &b));
            bool differs = memcmp(a.out, b.out, 2 * sizeof *a.out) != 0;
            assert_int_equal(lw_differs(&d.ex, &d.ex.panes.all[0], &a), differs);
            assert_int_equal(lw_differs(&d.ex, &d.ex.panes.all[1], &b), differs);
        }
    drive_close(&d);
}

/* Of an access the other layouts are compared too: its differences are counted in every view, and x shows
 * them. */
static void both_of_a_pair(void **state)
{
    struct drive d;
    char count[64];
    (void)state;
    drive_open(&d, "banks/transpose-swizzled");
    drive_resize(&d, 200, 40);
    drive_keys(&d, "5 d");
    assert_shows(&d, "nothing differs");
    drive_command(&d, "set with.maxPhase=1");
    assert_shows(&d, "shared S: 992 of 1024 elements differ"); /* all but row 0 */
    assert_true(d.ex.panes.all[1].has_view && d.ex.panes.all[1].view.subject->access);
    assert_shows(&d, "Banks: now: store 32 wavefronts (ideal 32), load 1024");
    assert_shows(&d, "Banks: as it was read: store 32 (ideal 32), load 32 (32)");
    drive_keys(&d, "d 1 x d");
    assert_int_equal(d.ex.panes.all[0].shown.side, LW_SIDE_S);
    assert_int_equal(d.ex.panes.all[1].shown.side, LW_SIDE_S);
    assert_true(d.ex.panes.all[1].shown.other);
    assert_shows(&d, "Owners: shared S, now");
    assert_shows(&d, "Owners: shared S, as it was read");
    snprintf(count, sizeof count, "shared S: %d of 1024 elements differ ", differing_cells(&d));
    assert_shows(&d, count);
    drive_keys(&d, "4");
    assert_true(d.ex.panes.all[0].has_view);
    drive_keys(&d, "x");
    assert_shows(&d, "registers B, now");
    drive_keys(&d, "4"); /* which shared S has alone */
    assert_int_equal(d.ex.panes.all[1].shown.side, LW_SIDE_S);
    drive_command(&d, "set sizePerThread=[1, 2]");
    assert_shows(&d, "registers A: ");
    drive_command(&d, "set with=");
    drive_keys(&d, "u u u");
    assert_shows(&d, "nothing differs");
    drive_keys(&d, "d");
    assert_int_equal(d.ex.panes.count, 1);
    assert_int_equal(d.ex.panes.all[0].shown.side, LW_SIDE_S);
    drive_close(&d);
}

/* A layout of tilus beside one of Triton: rows 0, 5, 10 and 15 of 16 are in the same threads and registers. */
static void two_systems_are_compared(void **state)
{
    static const char source[] =
        "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [1, 1], order = [1, 0]}>>";
    struct drive d;
    struct lw_spot spot;
    (void)state;
    drive_open(&d, source);
    drive_resize(&d, 120, 40);
    type(&d, ":compare spatial(4, 8).local(4, 2)");
    assert_counts(&d, 192, 256);
    const struct lw_view *view = &d.ex.panes.all[1].view;
    for (uint64_t r = 0; r < 16; r++)
        for (uint64_t c = 0; c < 16; c++) {
            assert_true(view->type->spot(view, r, c, &spot));
            for (int pane = 0; pane < 2; pane++)
                assert_int_equal(lw_differs(&d.ex, &d.ex.panes.all[pane], &spot), r % 5 != 0);
        }
    assert_shows(&d, "thread 0, local 0 in spatial(4, 8).local(4, 2): the same");
    drive_keys(&d, "n");
    assert_string_equal(drive_element(&d), "1,0");
    assert_shows(&d, "thread 0, local 2 in spatial(4, 8).local(4, 2)");
    drive_keys(&d, "N");
    assert_string_equal(drive_element(&d), "14,15");
    drive_keys(&d, "Esc");
    type(&d, ":compare spatial(4, 8).local(2, 2)");
    assert_shows(&d, "layouts of one shape are compared, and these are of 16 x 16 and 8 x 16");
    assert_shows(&d, "; :set shape=8,16 gives this one that shape");
    type(&d, ":compare spatial(2, 16) * local(8, 1)");
    assert_shows(&d, " of 256 elements ");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

static void others_are_counted_in_slices(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MANY);
    drive_resize(&d, 200, 40);
    type(&d, ":compare spatial(3, 5).local(300, 40)");
    assert_non_null(d.ex.job.step);
    assert_shows(&d, "so far");
    drive_keys(&d, "Right Down"); /* work goes on meanwhile */
    assert_non_null(d.ex.job.step);
    lw_job_finish(&d.ex);
    assert_counts(&d, differing_cells(&d), 180000);
    drive_close(&d);
    drive_open(&d, MANY);
    type(&d, ":compare spatial(3, 5).local(300, 40)");
    d.ex.job.began -= 1000;
    assert_shows(&d, "counting what differs: 0.0%");
    drive_keys(&d, "Esc");
    assert_null(d.ex.job.step);
    assert_shows(&d, "stopped");
    assert_shows(&d, "compared differ");
    drive_close(&d);
}

/* What cannot be compared is refused, and the screen stays as it is. */
static void another_tensor_is_refused(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, ":");
    drive_type(&d, "compare spatial(8)");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.panes.count, 1);
    assert_false(d.ex.layouts.has_other);
    assert_true(d.ex.status.message[0] && d.ex.status.is_error);
    drive_close(&d);
}

/* A comparison that was left comes back with the key. */
static void a_comparison_comes_back(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_command(&d, "compare blocked/16x64");
    assert_true(d.ex.layouts.has_other);
    drive_keys(&d, "Esc");
    assert_false(d.ex.layouts.has_other);
    drive_keys(&d, "d");
    assert_true(d.ex.layouts.has_other);
    assert_string_equal(d.ex.compare.other_name, "blocked/16x64");
    drive_keys(&d, "d");
    assert_false(d.ex.layouts.has_other);
    drive_command(&d, "compare"); /* as it was opened */
    assert_true(d.ex.layouts.has_other);
    assert_string_equal(d.ex.compare.own_name, "now");
    drive_close(&d);
}

/* An edit of the element type alone moves nothing, and is named. */
static void element_types_differ(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 200, 40);
    type(&d, ":set element=i8");
    drive_keys(&d, "d");
    assert_shows(&d, " no element moves; element f32 -> i8 ");
    assert_hides(&d, "nothing differs");
    assert_hides(&d, "next hit");
    type(&d, ":set order=[0, 1]");
    assert_shows(&d, " elements are equal; element f32 -> i8 ");
    assert_shows(&d, "n next difference");
    drive_keys(&d, "d");
    type(&d, ":compare blocked/16x64");
    assert_shows(&d, " elements are equal; element i8, there f32 ");
    drive_close(&d);
}

/* Beside each other on a usual screen too: the verdict is whole. */
static void a_verdict_fits_the_narrowest(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "mma/m16n8k16.c");
    drive_resize(&d, 80, 24);
    type(&d, ":compare mma/m16n8k8.c");
    assert_shows(&d, " no element moves; f32, there none ");
    assert_hides(&d, "…");
    drive_keys(&d, "|");
    assert_false(d.ex.layouts.has_other);
    assert_shows(&d, "the comparison has ended: | opens a second view");
    drive_keys(&d, "|");
    assert_int_equal(d.ex.panes.count, 2);
    drive_close(&d);
}

/* A comparison has `n` from a search before it, and a search after it takes `n` again. */
static void the_last_of_search_and_comparison_has_n(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    type(&d, "/5,7");
    assert_shows(&d, "n next hit");
    drive_keys(&d, "i"); /* a page about which nothing was asked */
    assert_hides(&d, "next hit");
    drive_keys(&d, "Esc");
    type(&d, ":set sizePerThread=[2, 4]");
    drive_keys(&d, "d");
    assert_shows(&d, "n next difference");
    assert_hides(&d, "next hit");
    char first[32];
    drive_keys(&d, "n");
    snprintf(first, sizeof first, "%s", drive_element(&d));
    assert_string_not_equal(first, "5,7");
    drive_keys(&d, "n");
    assert_string_not_equal(drive_element(&d), first);
    drive_keys(&d, "N");
    assert_string_equal(drive_element(&d), first);
    type(&d, "/5,7");
    assert_string_equal(drive_element(&d), "5,7");
    assert_shows(&d, "n next hit");
    drive_keys(&d, "Left n");
    assert_string_equal(drive_element(&d), "5,7");
    drive_keys(&d, "d d"); /* the same comparison anew */
    assert_shows(&d, "n next difference");
    drive_keys(&d, "Esc Left");
    assert_shows(&d, "n next hit"); /* of the search, where nothing is compared */
    drive_keys(&d, "n");
    assert_string_equal(drive_element(&d), "5,7");
    drive_command(&d, "open start/4x4"); /* without such an element */
    assert_hides(&d, "next hit");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_comes_back),
        cmocka_unit_test(with_the_document),
        cmocka_unit_test(with_another),
        cmocka_unit_test(sides_are_compared),
        cmocka_unit_test(cells_are_written_alike),
        cmocka_unit_test(in_indices_too),
        cmocka_unit_test(both_of_a_pair),
        cmocka_unit_test(another_tensor_is_refused),
        cmocka_unit_test(two_systems_are_compared),
        cmocka_unit_test(others_are_counted_in_slices),
        cmocka_unit_test(element_types_differ),
        cmocka_unit_test(the_last_of_search_and_comparison_has_n),
        cmocka_unit_test(a_verdict_fits_the_narrowest),
    };
    return cmocka_run_group_tests_name("variants", tests, NULL, NULL);
}
