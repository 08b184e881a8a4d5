/* An access: playing its instructions, and the banks on the screen. */

#include "pair_parts.h"

#include "laneway/conversion.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "view/banks/bank_folds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void what_cannot_be_played_shows_the_reason(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shuffle");
    drive_keys(&d, "6 Space");
    assert_hides(&d, "here are registers alone");
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "Space");
    assert_shows(&d, ":shared SOURCE");
    drive_close(&d);
}

static int banks_shown(struct drive *d)
{
    struct lw_grid grid;
    lw_grid(&d->ex, d->ex.panes.active, &grid);
    return grid.cols;
}

/* All 32 banks and the three totals, beside the form where there is room for it; the title keeps what both
 * directions cost. */
static void all_banks_are_on_the_screen(void **state)
{
    static const struct {
        int width, height;
        const char *title;
    } sizes[] = {
        {80, 24, "store 1024 wavefronts (ideal 32), load 1024 (ideal 32)"},
        {120, 40,
         "Banks: store: 1024 wavefronts, ideal 32; load: 1024 wavefronts, ideal 32; NVIDIA"},
        {200, 60,
         "Banks: store: 1024 wavefronts, ideal 32; load: 1024 wavefronts, ideal 32; NVIDIA"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    /* The keys for a pair, at any width; a layout alone has none. */
    assert_shows(&d, "Space play");
    assert_shows(&d, "x layout");
    assert_shows(&d, ": command  ? help  q quit");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_resize(&d, sizes[i].width, sizes[i].height);
        assert_int_equal(banks_shown(&d), 35);
        assert_shows(&d, sizes[i].title);
        assert_shows(&d, sizes[i].width < 200 ? " wf ideal confl " : " wf  ideal  confl ");
    }
    assert_shows(&d, "Parameters");
    drive_keys(&d, "P");
    assert_hides(&d, "Parameters");
    assert_shows(&d, "32 instructions, 1024 wavefronts, ideal 32, 992 conflicts; load: 32");
    assert_int_equal(banks_shown(&d), 35);
    drive_keys(&d, "P");
    assert_shows(&d, "Parameters");
    drive_resize(&d, 80, 24);
    drive_keys(&d, "Tab"); /* beside the form: half of the banks, and their sums */
    assert_shows(&d, "store 1024 (ideal 32), load 1024 (32)");
    assert_shows(&d, " store 1 ");
    assert_shows(&d, " wf ideal confl ");
    assert_in_range(banks_shown(&d), 16, 31);
    drive_keys(&d, "P Space");
    assert_int_equal(banks_shown(&d), 32);
    assert_shows(&d, "numbers: lanes; 2+: a conflict");
    drive_close(&d);
}

/* Beside a form and long labels few banks have room: they scroll, and the sums stay. */
static void sums_stay_beside_the_form(void **state)
{
    static const int widths[] = {80, 90, 100, 120, 160, 200};
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        drive_resize(&d, widths[i], 24);
        drive_keys(&d, "Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_shows(&d, " wf ideal confl ");
        drive_keys(&d, "Esc");
    }
    drive_close(&d);
}

/* How many instructions the rows of the banks view stand for. */
static uint64_t instructions(const struct drive *d)
{
    const struct lw_bank_folds *folds =
        lw_bank_folds_of(d->ex.panes.active->view.subject->access, LW_VIEW_BOTH, NULL);
    uint64_t sum = 0;
    assert_non_null(folds);
    assert_int_equal(folds->rows, d->ex.panes.active->view.rows);
    for (uint64_t i = 0; i < folds->rows; i++)
        sum += folds->fold[i].count;
    return sum;
}

/* Of two layouts in registers the banks are those of the trip between them: what the conversion counts. */
static void banks_of_a_conversion(void **state)
{
    static const char pair[] =
        "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 16], \"element\": \"f32\", "
        "\"params\": {\"sizePerThread\": [1, 1], \"threadsPerWarp\": [1, 32], \"warpsPerCTA\": [4, "
        "1], \"order\": [1, 0]}, \"with\": {\"encoding\": \"blocked\", \"params\": "
        "{\"sizePerThread\": [1, 1], \"threadsPerWarp\": [32, 1], \"warpsPerCTA\": [1, 4], "
        "\"order\": "
        "[0, 1]}}}";
    struct drive d;
    struct lw_conversion conversion;
    char title[80];
    (void)state;
    drive_open(&d, pair);
    const struct lw_conversion_request request = {.from = &d.ex.layouts.opened.subject.map,
                                                  .to = &d.ex.layouts.sides[LW_SIDE_B].subject.map,
                                                  .element_bits = 32,
                                                  .stage = LW_PLAN_COMPILED};
    assert_true(lw_conversion_make(&conversion, &request, NULL));
    assert_int_equal(conversion.kind, LW_CONVERSION_SHARED);
    assert_int_equal(conversion.rounds, 1);
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->has_view);
    assert_int_equal(instructions(&d), conversion.store.count + conversion.load.count);
    snprintf(title, sizeof title, "store %llu wavefronts (ideal %llu), load %llu (ideal %llu)",
             (unsigned long long)conversion.store_total.wavefronts,
             (unsigned long long)conversion.store_total.ideal,
             (unsigned long long)conversion.load_total.wavefronts,
             (unsigned long long)conversion.load_total.ideal);
    assert_shows(&d, title);
    lw_conversion_free(&conversion);
    drive_keys(&d, "Space Space Space");
    assert_true(d.ex.panes.play.instruction > 0);
    drive_keys(&d, "Esc x 5");
    assert_true(d.ex.panes.active->has_view);
    drive_close(&d);
}

/* A conversion in rounds: all of its instructions are there, round after round, each element is stored once
 * and loaded once, and the wavefronts are as many as the conversion counts. */
static void banks_of_rounds(void **state)
{
    struct drive d;
    struct lw_conversion conversion;
    uint64_t total = 0;
    (void)state;
    drive_open(&d, "convert/shared");
    const struct lw_conversion_request request = {
        .from = &d.ex.layouts.opened.subject.map,
        .to = &d.ex.layouts.sides[LW_SIDE_B].subject.map,
        .element_bits = (unsigned)d.ex.layouts.opened.subject.tensor.element.bits,
        .stage = LW_PLAN_COMPILED};
    assert_true(lw_conversion_make(&conversion, &request, NULL));
    assert_int_equal(conversion.rounds, 4);
    drive_keys(&d, "5");
    assert_int_equal(instructions(&d), 4 * (conversion.store.count + conversion.load.count));
    assert_shows(&d, "store w0-3 x");
    const struct lw_map *map = &d.ex.layouts.opened.subject.map;
    uint64_t elements = map->out.dim[0].size * map->out.dim[1].size;
    unsigned *moved = calloc(elements, sizeof *moved);
    assert_non_null(moved);
    for (uint64_t i = 1; i <= instructions(&d); i++)
        total += instruction(&d, i, moved);
    for (uint64_t i = 0; i < elements; i++)
        assert_int_equal(moved[i], 2);
    free(moved);
    assert_int_equal(total, conversion.store_total.wavefronts + conversion.load_total.wavefronts);
    /* The player goes on from the loads of a round to the stores of the next one. */
    drive_keys(&d, "Space");
    assert_shows(&d, "store 1 of 16, w0, round 1 of 4");
    while (d.ex.panes.play.instruction <= conversion.store.count + conversion.load.count)
        drive_keys(&d, "Space");
    assert_shows(&d, "round 2 of 4");
    assert_shows(&d, "store");
    drive_keys(&d, "Backspace");
    assert_shows(&d, "round 1 of 4");
    assert_shows(&d, "load");
    lw_conversion_free(&conversion);
    drive_close(&d);
}

/* At each size the bars are beside the banks, which are of one width, also those of one instruction. */
static void bars_are_beside_banks_of_one_width(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {160, 50}, {200, 60}};
    static const char *const sources[] = {"convert/shared", "banks/transpose-row-major"};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct drive d;
        struct lw_grid grid;
        drive_open(&d, sources[i % 2]);
        drive_resize(&d, sizes[i / 2][0], sizes[i / 2][1]);
        drive_fit(&d);
        drive_keys(&d, "5");
        assert_shows(&d, "█");
        drive_keys(&d, "Enter");
        lw_grid(&d.ex, d.ex.panes.active, &grid);
        for (uint64_t bank = 1; bank < 32; bank++)
            assert_int_equal(lw_grid_cell(&grid, bank), lw_grid_cell(&grid, 0));
        drive_close(&d);
    }
}

static void find(struct drive *d, const char *what)
{
    drive_keys(d, "/");
    drive_type(d, what);
    drive_keys(d, "Enter");
}

/* The meaning of the player's letters and signs is shown, also that of a bank that is not accessed. */
static void the_player_explains_itself(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_keys(&d, "5");
    assert_shows(&d, "+: 10 or more; confl: conflicts");
    assert_shows(&d, " rows 0-10 of 64 "); /* its place too, and the bars end before the frame */
    assert_shows(&d, "\u2592 \u2502");
    drive_keys(&d, "Down Enter");
    assert_shows(&d, "Banks: store 2 of 32, w1: 32 wavefronts (ideal 1)");
    assert_shows(&d, " wf 1 ");
    assert_shows(&d, " wf 2+ ");
    assert_shows(&d, " rows 0-10 of 34 ");
    drive_keys(&d, "Esc Up");
    drive_keys(&d, "Space");
    drive_resize(&d, 200, 60);
    find(&d, "bank 1");
    assert_shows(&d, "no lane reads or writes a word of it");
    drive_zoom(&d, LW_ZOOM_SHORT);
    assert_shows(&d, "2+ at the left: wavefront 2, a conflict");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    assert_hides(&d, "a-v = 10");
    drive_keys(&d, "Enter Esc");
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, "lane: a-v = 10-31");
    drive_zoom(&d, LW_ZOOM_HALF); /* has no letters */
    assert_hides(&d, "a-v = 10");
    drive_close(&d);
}

/* Lanes of two digits are parted by a third column where there is room, and all of them are written; the message and
 * the inspector are about the wavefront that is shown. */
static void wavefronts_can_be_read(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5 Space Space");
    assert_shows(&d, "   0  1  2  3  4  5  6  7  8  9 10 11 12 ");
    assert_shows(&d, "store 1 of 32, wavefront 2 of 32: ←→ step, ");
    assert_shows(&d, "╭ Bank 0 ─");
    assert_shows(&d, "wavefront    2 of 32: word 32 of bank 0 for lane 1");
    assert_shows(&d, "repeat after 128"); /* in the next line of "because", before the details */
    find(&d, "bank 1"); /* no lane wants a word of this bank, but others meet in bank 0 */
    assert_shows(&d, "╭ Bank 1 ─");
    assert_shows(&d, "wavefront    2 of 32: nothing of this bank; it serves lane");
    assert_shows(&d, "because      lane bits 0-4 do not reach the bank");
    assert_shows(&d, " numbers: lanes; 2+: a conflict");
    drive_close(&d);
    drive_open(&d, "banks/transpose-row-major"); /* stored by matrices */
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5 Space");
    find(&d, "bank 4");
    assert_shows(&d, " numbers: lanes of row addresses; 2+: a conflict");
    assert_shows(&d, "word 4 of bank 4 by the row address of lane 1");
    assert_shows(&d, "(0,4): data of warp 0, lane 4");
    drive_close(&d);
}

/* The three layouts stand above the views of an access, with the costs between them; x chooses one, which comes first
 * in the form, and each can be replaced. */
static void the_strip_shows_the_access(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    assert_shows(&d, "╭ A registers ─");
    assert_shows(&d, "│ blocked, rows");
    assert_shows(&d, "│ no swizzle, rows");
    assert_shows(&d, "│ blocked, columns");
    assert_shows(&d, " store 32 wf ");
    assert_shows(&d, " load 1024 wf ");
    drive_keys(&d, "x");
    assert_int_equal(d.ex.form.side, LW_SIDE_S);
    drive_command(&d, "set maxPhase=32");
    assert_shows(&d, "│ vec 1, perPhase 1, maxPhase 32");
    assert_shows(&d, " load 32 wf ");
    drive_command(&d, "load");
    assert_shows(&d, "registers B: #ttg.blocked<");
    drive_command(&d, "load none");
    assert_shows(&d, "│ the same as A");
    drive_keys(&d, "1");
    assert_hides(&d, "╭ A registers ─");
    drive_keys(&d, "5");
    drive_resize(&d, 80, 24);
    assert_shows(&d, " A rows store 32 wf (32) ▸ S vec 1,1,32 load 32 wf (32) ▸ B the same as A");
    drive_close(&d);
}

/* x and a say what they show, a with the costs of both kinds of access. */
static void keys_of_an_access_answer(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5 a");
    assert_shows(&d, "shown: stores A to S: 32 wavefronts, ideal 32; not shown: loads S to B: 1024 "
                     "wavefronts, ideal 32");
    assert_shows(&d, "load 1024 wf"); /* the strip keeps its numbers */
    drive_keys(&d, "a");
    assert_shows(&d, "shown: loads S to B: 1024 wavefronts, ideal 32; not shown: stores A to S");
    drive_keys(&d, "a");
    assert_shows(&d, "shown: stores A to S: 32 wavefronts, ideal 32; loads S to B: 1024 ");
    drive_keys(&d, "x");
    assert_shows(&d, "chosen: shared S, no swizzle, rows: F edits, 1 draws, X replaces it");
    drive_keys(&d, "1 x");
    assert_shows(&d, "shown: registers B");
    drive_close(&d);
}

/* A view that needs a second layout names the key that chooses one; those that fit come first. */
static void what_is_missing_is_chosen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "5");
    assert_shows(&d, "This view needs shared S: X chooses a layout from a list, :shared SOURCE");
    assert_shows(&d, "X choose");
    assert_hides(&d, "--shared");
    drive_keys(&d, "X");
    assert_shows(&d, "shared S: choose a layout");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "Banks: store");
    drive_close(&d);
    drive_open(&d, "swizzle/1-1-2");
    drive_keys(&d, "6");
    assert_shows(&d, "but this one is");
    drive_close(&d);
}

/* Left and Right go from wavefront to wavefront while one is shown. Esc shows all instructions again, also from a
 * wavefront; then Backspace is a step back. */
static void the_player_is_stepped_and_left(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    find(&d, "transpose-row-major");
    drive_keys(&d, "Enter 5 Down Enter Right");
    assert_int_equal(d.ex.panes.play.wavefront, 0); /* a bank of the instruction */
    assert_int_equal(d.ex.panes.active->col, 1);
    drive_keys(&d, "Space Right l");
    assert_shows(&d, "load 1 of 32, wavefront 3 of 32: ←→ step, Space Space plays, Esc shows all");
    drive_keys(&d, "Left");
    assert_int_equal(d.ex.panes.play.wavefront, 2);
    drive_keys(&d, "Left Left"); /* before its first one: that of the store before it */
    assert_int_equal(d.ex.panes.play.instruction, 32);
    drive_keys(&d, "Right Right Esc");
    assert_int_equal(d.ex.panes.play.instruction, 0);
    assert_int_equal(d.ex.panes.active->row, 1);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_keys(
        &d,
        "Enter 5 Down Enter Backspace"); /* of an instruction that is not played it is a step back */
    assert_int_equal(d.ex.panes.play.instruction, 0);
    drive_close(&d);
}

/* One instruction closed, all of them are where they were before. */
static void a_step_back_scrolls_back(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "Down Enter Down Down Down Down Down Down Down Down Down Down Down Down Down");
    assert_true(d.ex.panes.active->top > 0);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.panes.active->row, 1);
    assert_int_equal(d.ex.panes.active->top, 0);
    drive_close(&d);
}

/* In 80 columns too the reason of a conflict and what would be better are whole; `i` has all the words. */
static void reasons_are_whole(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5 Down");
    assert_shows(&d, "because      lane bits 0-4 move the address by n x 128 bytes: the same bank");
    assert_shows(&d, "better       o finds the swizzle or padding with the fewest wavefronts");
    lw_job_finish(&d.ex);
    drive_keys(&d, "Right Left");
    assert_shows(&d, "better       o: vec 1, perPhase 1, maxPhase 32: 64 wf, now 1056; proven");
    drive_keys(&d, "i");
    assert_shows(&d, "lane bits 0-4 do not reach the bank: they move the address");
    assert_shows(&d, "proven: no linear layout takes fewer");
    drive_keys(&d, "Esc");
    assert_shows(&d, "because      lane bits 0-4 move the address");
    drive_close(&d);
}

/* After one instruction the whole access fills the screen as when the view was opened, also that of the other
 * direction. */
static void the_other_access_is_fitted(void **state)
{
    static const char *const sources[] = {"banks/transpose-row-major", COLUMNS};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (int wide = 0; wide < 2; wide++) {
            struct drive d;
            drive_open(&d, sources[i]);
            drive_resize(&d, wide ? 120 : 80, wide ? 40 : 24);
            drive_fit(&d);
            drive_keys(&d, "5 a");
            const int zoom = d.ex.panes.active->zoom;
            assert_int_equal(banks_shown(&d), 35);
            drive_keys(&d, "a a Down Enter a");
            assert_int_equal(d.ex.panes.play.instruction, 0);
            assert_int_equal(banks_shown(&d), 35);
            assert_int_equal(d.ex.panes.active->zoom, zoom);
            assert_hides(&d, " of 35");
            drive_close(&d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_played_shows_the_reason),
        cmocka_unit_test(all_banks_are_on_the_screen),
        cmocka_unit_test(sums_stay_beside_the_form),
        cmocka_unit_test(banks_of_a_conversion),
        cmocka_unit_test(banks_of_rounds),
        cmocka_unit_test(bars_are_beside_banks_of_one_width),
        cmocka_unit_test(the_player_explains_itself),
        cmocka_unit_test(wavefronts_can_be_read),
        cmocka_unit_test(the_strip_shows_the_access),
        cmocka_unit_test(keys_of_an_access_answer),
        cmocka_unit_test(what_is_missing_is_chosen),
        cmocka_unit_test(the_player_is_stepped_and_left),
        cmocka_unit_test(a_step_back_scrolls_back),
        cmocka_unit_test(reasons_are_whole),
        cmocka_unit_test(the_other_access_is_fitted),
    };
    return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
