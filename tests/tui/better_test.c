/* What is better than the shared S on the screen, and under which conditions that holds. */

#include "tui/drive.h"
#include "tui/access/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Registers of columns loaded from rows whose swizzle keeps instructions narrow. */
#define NARROW                                                                                     \
    "{\"shape\": [64, 64], \"element\": \"f16\", \"view\": \"banks\", \"store\": "                 \
    "\"#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], "      \
    "order = [1, 0]}>\", \"shared\": \"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = "   \
    "4, "                                                                                          \
    "order = [1, 0]}>\", \"load\": \"#ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, "  \
    "4], "                                                                                         \
    "warpsPerCTA = [1, 4], order = [0, 1]}>\"}"

/* Where a better layout takes fewer wavefronts than the ideal on the screen, the inspector has its own: it takes
 * fewer instructions. That a layout is shared with other operations is there at any width. */
static void what_is_better_has_its_conditions(void **state)
{
    struct drive d;
    (void)state;
    for (int width = 80; width <= 220; width += 140) {
        drive_open(&d, NARROW);
        drive_resize(&d, width, 40);
        snprintf(lw_explorer_entry(&d.ex)->sharers, sizeof lw_explorer_entry(&d.ex)->sharers, "%s",
                 "#shared is also the layout of 41 local_load");
        drive_keys(&d, "5 Down Down");
        lw_job_finish(&d.ex);
        drive_keys(&d, "Right Left");
        assert_shows(&d, width == 80
                             ? "o: linear: 128 wf, now 1280; ideal 128 in 32 instructions, "
                             : "o: linear: 128 wavefronts, now 1280; its ideal is 128, as it "
                               "takes 32 instructions, here 256 with 256; proven");
        assert_shows(&d, width == 80 ? "others that share S: not counted"
                                     : "#shared is also the layout of 41 local_load: not counted");
        drive_close(&d);
    }
    drive_open(
        &d, "banks/transpose-row-major"); /* of the same instructions there is nothing to explain */
    drive_keys(&d, "5 Down");
    lw_job_finish(&d.ex);
    drive_keys(&d, "Right Left");
    assert_shows(&d, "64 wf, now 1056; proven");
    drive_close(&d);
}

/* A swizzle of CuTe that counts elements conflicts where the same numbers in bytes do not, and the reverse: what is
 * judged has the unit. */
static void a_swizzle_in_another_unit(void **state)
{
    static const struct {
        const char *shared, *unit;
    } cases[] = {
        {"Sw<3,4,3> o 0 o (64,64):(64,1)",
         "Sw<3,4,3> counts elements; in bytes, with smem_ptr[16b], the loads take 64 wavefronts "
         "without conflicts, now 128"},
        {"Sw<3,3,3> o smem_ptr[16b](unset) o (64,64):(64,1)",
         "Sw<3,3,3> counts bytes; in elements, without smem_ptr[16b], the stores take 64 "
         "wavefronts without conflicts, now 128"},
        {"Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)", NULL},
        {"Sw<3,0,3> o 0 o (64,64):(64,1)", NULL}, /* in bytes it would part the elements */
        {"(64,64):(64,1)", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, "{\"shape\": [64, 64], \"element\": \"f16\", \"store\": "
                       "\"#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
                       "warpsPerCTA = [4, 1], order = [1, 0]}>\", \"load\": "
                       "\"#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 1], "
                       "warpsPerCTA = [1, 4], order = [0, 1]}>\"}");
        drive_resize(&d, 160, 40);
        drive_type(&d, ":shared ");
        drive_type(&d, cases[i].shared);
        drive_keys(&d, "Enter 5 Down");
        if (cases[i].unit)
            assert_shows(&d, cases[i].unit);
        assert_true(cases[i].unit || !strstr(drive_screen(&d), " unit  "));
        drive_close(&d);
    }
}

/* Where plain rows need stores that no document describes, the others are ranked, and what is left out is written. */
static void unknown_costs_are_left_out(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/outer3.gfx950.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "Enter o");
    lw_job_finish(&d.ex);
    assert_non_null(d.ex.solve);
    assert_false(d.ex.solve->search.has_plain);
    assert_shows(&d, "compiler");
    assert_hides(&d, "plain");
    assert_shows(&d, "no linear layout of known cost takes fewer than 1280 wavefronts");
    assert_shows(&d, "layouts left out");
    drive_keys(&d, "Down Enter");
    assert_shows(&d, "shared S: ");
    drive_close(&d);
}

/* Enter before the search has ended waits for its best: what is best so far can be worse than what is there. */
static void enter_waits_for_the_best(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o Enter");
    assert_non_null(d.ex.solve);
    assert_shows(&d, "the best is used when the search has ended");
    lw_job_finish(&d.ex);
    assert_null(d.ex.solve);
    assert_shows(&d, "shared S: 64 wavefronts (32 + 32), before 1056 (32 + 1024); u undoes it");
    drive_keys(&d, "u");
    drive_keys(&d, "o Enter Esc"); /* stopped: nothing is used */
    lw_job_finish(&d.ex);
    drive_keys(&d, "Esc");
    assert_shows(&d, "load 1024 wf");
    drive_close(&d);
    drive_open(&d, "convert/shared"); /* the compiler's own is the best: there is nothing to set */
    drive_resize(&d, 120, 40);
    drive_keys(&d, "o Enter");
    lw_job_finish(&d.ex);
    assert_shows(&d, "this is what the compiler does: there is nothing to set");
    drive_close(&d);
}

/* What is over the ideal without conflicts, as lanes are served in groups, is called that where the operation is and
 * where its swizzles are: none of them has fewer wavefronts, so none is promised. */
static void excess_without_conflicts_is_explained(void **state)
{
    static const struct {
        const char *file, *row, *box, *swizzles;
    } cases[] = {
        {"tests/golden/ttgir/softmax.sm90.ttgir", "reduce", "32 wavefronts, ideal 8, 24 over it",
         "none takes fewer: 24 over the ideal 8"},
        {"tests/golden/ttgir/matmul.gfx950.ttgir", "local_store",
         "256 wavefronts, ideal 128, 128 over it", "none takes fewer: 128 over the ideal 128"},
    };
    static const char reason[] = ": groups of lanes, not conflicts";
    struct lw_text text = {0};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open(&d, cases[i].file);
        lw_job_finish(&d.ex);
        drive_resize(&d, 160, 50);
        drive_keys(&d, "/");
        drive_type(&d, cases[i].row);
        drive_keys(&d, "Enter");
        lw_text_format(&text, "%s%s", cases[i].box, reason);
        assert_shows(&d, lw_text_string(&text));
        assert_hides(&d, "then o:");
        drive_keys(&d, "Enter o");
        lw_job_finish(&d.ex);
        lw_text_clear(&text);
        lw_text_format(&text, "%s%s", cases[i].swizzles, reason);
        assert_shows(&d, lw_text_string(&text));
        assert_shows(&d, ": no conflicts ");
        assert_hides(&d, "nothing to gain");
        lw_text_clear(&text);
        drive_close(&d);
    }
    lw_text_free(&text);
    drive_open(&d, "tests/golden/ttgir/transpose.gfx950.ttgir"); /* some of both */
    lw_job_finish(&d.ex);
    drive_resize(&d, 160, 50);
    assert_shows(&d, "448 over it: 320 conflicts, 128 groups of lanes");
    assert_shows(&d, "Enter, then o: a shared S of your own against the compiler's");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_better_has_its_conditions),
        cmocka_unit_test(a_swizzle_in_another_unit),
        cmocka_unit_test(unknown_costs_are_left_out),
        cmocka_unit_test(enter_waits_for_the_best),
        cmocka_unit_test(excess_without_conflicts_is_explained),
    };
    return cmocka_run_group_tests_name("better", tests, NULL, NULL);
}
