/* Pairs of layouts: both are edited, found, played and named; the banks between them. */

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

#define PAIR                                                                                       \
    "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", "      \
    "\"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], \"warpsPerCTA\": [1, "   \
    "1], \"order\": [1, 0]}, \"with\": {\"encoding\": \"swizzled_shared\", \"params\": {\"vec\": " \
    "8, \"perPhase\": 1, \"maxPhase\": 8, \"order\": [1, 0]}}}"

/* The fields of the layout that is shown come first, the other one's after them, and both are edited. */
static void the_other_layout_is_edited(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 160, 40);
    drive_keys(&d, "5");
    assert_shows(&d, "registers A: blocked");
    assert_shows(&d, "shared S: swizzled_shared");
    drive_command(&d, "set maxPhase=1"); /* only shared S has it */
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "1");
    assert_true(lw_explorer_entry(&d.ex)->dirty);
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    assert_shows(&d, "*maxPhase");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "8");
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "x Tab");
    assert_true(d.ex.form.side == LW_SIDE_S && d.ex.focus == LW_FOCUS_FORM);
    drive_field(&d, "shared.maxPhase");
    drive_keys(&d, "-");
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "4");
    drive_command(&d, "set with.maxPhase=2");
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "2");
    /* `order` is of the layout that is shown. */
    drive_command(&d, "set order=0,1");
    assert_string_equal(drive_value(&d, "shared.order"), "[0, 1]");
    drive_keys(&d, "Tab Tab x");
    assert_int_equal(d.ex.form.side, LW_SIDE_A);
    drive_command(&d, "set order=0,1");
    assert_string_equal(drive_value(&d, "shared.order"), "[0, 1]");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    drive_close(&d);
}

/* What a view of two layouts requires and which layout of the pair lacks it, with a solution. */
static void what_is_in_the_way(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 160, 40);
    drive_keys(&d, "4 6");
    assert_shows(&d, "This view needs registers B: X chooses a layout from a list, :load SOURCE");
    drive_keys(&d, "x");
    assert_shows(&d, "This view needs registers B: X chooses a layout from a list, :load SOURCE");
    drive_keys(&d, "X");
    assert_shows(&d, "registers B: choose a layout");
    drive_keys(&d, "Esc");
    drive_close(&d);
    drive_open(&d, "tensor<16x64xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, "
                   "16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    drive_resize(&d, 160, 40);
    drive_command(&d, "with shared/nvmma-128");
    drive_keys(&d, "5");
    assert_shows(&d, "elements of 32 bits in registers A and of 16 bits in shared S");
    assert_shows(&d, ":set shared.element=f32");
    drive_command(&d, "set shared.element=f32");
    assert_hides(&d, "elements of 32 bits in registers A and of");
    drive_close(&d);
}

/* What is not legal stays in its own field, and the last legal layout on the screen. */
static void an_illegal_other_layout_is_red(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, PAIR);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    drive_field(&d, "shared.maxPhase");
    drive_keys(&d, "3");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_int_equal(d.ex.layouts.side_problems[LW_SIDE_S].code, LW_ERROR_PARAMETER);
    assert_shows(&d, "the last legal layout");
    assert_shows(&d, "power of two");
    assert_true(d.ex.panes.active->has_view && d.ex.layouts.has_side[LW_SIDE_S]);
    drive_keys(&d, "Esc");
    assert_hides(&d, "the last legal layout");
    assert_int_equal(d.ex.layouts.side_problems[LW_SIDE_S].code, LW_OK);
    assert_true(lw_form_set(&d.ex, "with", ""));
    assert_false(d.ex.layouts.has_side[LW_SIDE_S]);
    assert_null(drive_value(&d, "shared.maxPhase"));
    drive_keys(&d, "u");
    assert_true(d.ex.layouts.has_side[LW_SIDE_S]);
    drive_close(&d);
}

/* Every field of shared S that the banks depend on redraws them at once. */
static void conflicts_follow_shared_s(void **state)
{
    struct drive d;
    struct lw_text before = {0};
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    lw_text_add(&before, drive_screen(&d));
    drive_command(&d, "set maxPhase=8");
    assert_string_not_equal(lw_text_string(&before), drive_screen(&d));
    drive_keys(&d, "u");
    lw_text_free(&before);
    drive_close(&d);
}

static void another_layout_is_added(void **state)
{
#define SHARED "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
    static const char shared[] = SHARED;
    static const char *const sets[] = {"with=" SHARED};
    const struct lw_tui_options options = {.sets = sets, .set_count = 1};
    struct drive d;
    (void)state;
    drive_open_with(&d, "blocked/16x64", &options);
    assert_true(d.ex.layouts.has_side[LW_SIDE_S] && !lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->has_view);
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "with");
    assert_shows(&d, "with SOURCE");
    drive_command(&d, "with nothing-of-the-kind");
    assert_true(d.ex.status.is_error && !d.ex.layouts.has_side[LW_SIDE_S]);
    drive_type(&d, ":with ");
    drive_type(&d, shared);
    drive_keys(&d, "Enter");
    assert_shows(&d, "an access of 64 wavefronts (32 + 32): 5 shows the banks");
    assert_true(d.ex.layouts.has_side[LW_SIDE_S] && lw_explorer_entry(&d.ex)->dirty);
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->has_view);
    drive_keys(&d, "u");
    assert_false(d.ex.layouts.has_side[LW_SIDE_S]);
    drive_close(&d);
}

/* Memory that does not hold the tensor is no access: the message says so, and nothing is replaced. */
static void memory_that_is_too_small(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_command(&d, "with swizzle/2-1-4");
    assert_shows(&d, "shared S of 4 x 8 does not hold registers A of 16 x 16: nothing is replaced");
    assert_true(d.ex.status.is_error && !d.ex.layouts.has_side[LW_SIDE_S]);
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 0);
    drive_close(&d);
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5");
    drive_fit(&d);
    const unsigned zoom = d.ex.panes.active->zoom;
    assert_true(d.ex.form.gives_way);
    drive_command(&d, "shared swizzle/2-1-4");
    assert_shows(&d, "shared S of 4 x 8 does not hold registers A of 32 x 32: nothing is replaced");
    assert_true(d.ex.status.is_error);
    assert_true(d.ex.form.gives_way && d.ex.panes.active->zoom == zoom); /* the picture stays */
    assert_false(lw_explorer_entry(&d.ex)->dirty);
    drive_close(&d);
}

/* A layout that is named has the verdict of one that was found: what the access takes, and took before. */
static void a_named_swizzle_is_judged(void **state)
{
    static const char *const commands[] = {
        "shared #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        "with #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, 120, 40);
        drive_command(&d, commands[i]);
        assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes");
        drive_keys(&d, "u");
        assert_false(lw_explorer_entry(&d.ex)->dirty);
        drive_close(&d);
    }
}

/* Of a pair, a view that one layout alone has shows that one. */
static void views_of_either_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_keys(&d, "1");
    assert_int_equal(d.ex.panes.active->shown.side, LW_SIDE_A);
    drive_keys(&d, "4");
    assert_int_equal(d.ex.panes.active->shown.side, LW_SIDE_S);
    assert_true(d.ex.panes.active->has_view);
    assert_shows(&d, "Memory: shared S");
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->has_view);
    drive_keys(&d, "6");
    assert_false(d.ex.panes.active->has_view);
    drive_close(&d);
}

/* The bank under the cursor, from its label. */
static void assert_bank(struct drive *d, const char *bank)
{
    struct lw_text text = {0};
    d->ex.panes.active->view.type->col_label(&d->ex.panes.active->view, d->ex.panes.active->col,
                                             &text);
    assert_string_equal(lw_text_string(&text), bank);
    lw_text_free(&text);
}

/* A conversion is not what goes through shared S, and says so under the strip that has the costs of S. */
static void a_conversion_is_without_s(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "6");
    assert_shows(&d, "load 1024 wf");
    assert_shows(&d, "without S, A to B by the compiler: 1 round, store 32");
    drive_close(&d);
    drive_open(&d, "convert/shared");
    drive_keys(&d, "6");
    assert_hides(&d, "by the compiler");
    drive_close(&d);
}

/* The order of a swizzle is in its box; what is not set in another type of S is no edit. */
static void the_strip_has_the_order(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-swizzled");
    drive_resize(&d, 200, 60);
    drive_keys(&d, "5");
    assert_shows(&d, "vec 1, perPhase 1, maxPhase 32 ");
    drive_command(&d, "set shared.order=0,1");
    assert_shows(&d, "vec 1, perPhase 1, maxPhase 32, columns");
    drive_command(&d, "set shared=#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>");
    drive_command(&d, "form");
    drive_keys(&d, "P P");
    assert_shows(&d, "*order");
    assert_hides(&d, "*offset");
    drive_close(&d);
}

/* The player begins at the cursor's instruction, at its bank where that is served, and leaves it there. */
static void the_player_begins_at_the_cursor(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_keys(&d, "5 Home Down Down Down");
    assert_bank(&d, "0");
    drive_keys(&d, "Space");
    assert_int_equal(d.ex.panes.play.instruction, 4);
    assert_int_equal(d.ex.panes.play.wavefront, 1);
    assert_int_equal(d.ex.panes.active->row, 2);
    assert_bank(&d, "3"); /* bank 0 is not asked: to the first that is */
    drive_keys(&d, "Space");
    assert_int_equal(d.ex.panes.play.wavefront, 2);
    assert_int_equal(d.ex.panes.active->row, 3);
    drive_keys(&d, "Right Right Esc");
    assert_int_equal(d.ex.panes.active->row, 3);
    assert_bank(&d, "5");
    drive_keys(&d, "G Space");
    assert_int_equal(d.ex.panes.play.instruction, 64);
    assert_bank(&d, "31");
    drive_keys(&d, "Esc g Space");
    assert_int_equal(d.ex.panes.play.instruction, 1);
    assert_bank(&d, "0");
    drive_close(&d);
}

/* Enter opens an instruction; Space twice plays it and those after it, until a key is pressed or all were shown. */
static void the_player_goes_on_by_itself(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5 g Down Down Enter");
    assert_true(d.ex.panes.play.instruction == 34 && d.ex.panes.play.wavefront == 0);
    assert_shows(&d, "Space Space all, Esc");
    drive_keys(&d, "Space Space-Space");
    assert_true(d.ex.panes.play.instruction == 34 && d.ex.panes.play.wavefront == 2);
    assert_true(d.ex.panes.next_step > 0);
    for (int i = 0; i < 31; i++)
        drive_tick(&d);
    assert_true(d.ex.panes.play.instruction == 35 && d.ex.panes.play.wavefront == 1);
    drive_keys(&d, "Space"); /* stops, and shows no other one */
    assert_true(d.ex.panes.play.instruction == 35 && d.ex.panes.play.wavefront == 1);
    assert_true(d.ex.panes.next_step == 0);
    drive_tick(&d);
    assert_int_equal(d.ex.panes.play.wavefront, 1);
    drive_keys(&d, "Esc G Space-Space");
    assert_int_equal(d.ex.panes.play.instruction, 64);
    for (int i = 0; i < 32; i++)
        drive_tick(&d);
    assert_true(d.ex.panes.play.instruction == 0 && d.ex.panes.next_step == 0);
    assert_shows(&d, "all wavefronts were shown");
    drive_type(&d, ":a");
    drive_keys(&d, "Space-Space b"); /* a space, where text is typed */
    assert_shows(&d, ":a b");
    drive_close(&d);
}

static void another_access_begins_at_its_first_instruction(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 160, 45);
    drive_keys(&d, "5 g Down Down Down Enter");
    assert_int_equal(d.ex.panes.play.instruction, 35); /* a load, after 32 stores */
    drive_keys(&d, "a"); /* stores alone: there is no instruction 35 */
    assert_int_equal(d.ex.panes.play.access, LW_VIEW_STORE);
    assert_int_equal(d.ex.panes.play.instruction, 0);
    assert_int_equal(d.ex.panes.active->row, 0);
    assert_shows(&d, "store");
    drive_keys(&d, "a Down Enter");
    assert_int_equal(d.ex.panes.play.access, LW_VIEW_LOAD);
    assert_int_equal(d.ex.panes.play.instruction, 2);
    drive_close(&d);
}

static void a_bank_is_found(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "5 Down");
    drive_type(&d, "/bank 7");
    drive_keys(&d, "Enter");
    assert_hides(&d, "no banks");
    assert_bank(&d, "7");
    assert_int_equal(d.ex.panes.active->row, 1);
    drive_keys(&d, "Space");
    drive_type(&d, "/bank 31");
    drive_keys(&d, "Enter");
    assert_bank(&d, "31");
    drive_keys(&d, "Esc 1 g");
    drive_type(&d, "/bank 7"); /* the owners of the layout in registers: the first word of it */
    drive_keys(&d, "Enter");
    assert_string_equal(drive_element(&d), "0,7");
    drive_keys(&d, "n");
    assert_string_equal(drive_element(&d), "1,7");
    drive_close(&d);
}

/* A view that only the other layout has shows that one. */
static void memory_is_of_the_layout_that_has_it(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "1 Down Right 4");
    assert_true(d.ex.panes.active->has_view && d.ex.panes.active->shown.side == LW_SIDE_S);
    assert_int_equal(d.ex.form.side, LW_SIDE_S);
    assert_shows(&d, "x shows the next layout");
    assert_string_equal(drive_element(&d), "1,1");
    drive_keys(&d, "5 1 x 1");
    assert_int_equal(d.ex.panes.active->shown.side, LW_SIDE_B);
    drive_close(&d);
}

/* What the command line of a pair names is the pair, with its edits. */
static void the_source_of_a_pair_has_both(void **state)
{
    struct drive d;
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_error err;
    (void)state;
    drive_open(&d, PAIR);
    drive_command(&d, "set maxPhase=2");
    lw_explorer_source(&d.ex, &text);
    assert_null(strchr(lw_text_string(&text), '\n'));
    assert_true(lw_document_open(&doc, lw_text_string(&text), NULL, &err));
    assert_non_null(doc.others[LW_SIDE_S].encoding);
    assert_int_equal(
        doc.others[LW_SIDE_S]
            .encoding->params[lw_encoding_param(doc.others[LW_SIDE_S].encoding, "maxPhase")]
            .integer,
        2);
    lw_document_free(&doc);
    lw_text_free(&text);
    drive_close(&d);
}

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
        assert_shows(&d, sizes[i].width < 200 ? " wf ideal extra " : " wf  ideal  extra ");
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
    assert_shows(&d, " wf ideal extra ");
    assert_in_range(banks_shown(&d), 16, 31);
    drive_keys(&d, "P Space");
    assert_int_equal(banks_shown(&d), 32);
    assert_shows(&d, "numbers: lanes; 2+: beyond ideal");
    drive_close(&d);
}

/* How many instructions the rows of the banks view stand for. */
static uint64_t instructions(const struct drive *d)
{
    const struct lw_folds *folds =
        lw_folds_of(d->ex.panes.active->view.subject->access, LW_VIEW_BOTH, NULL);
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

/* The wavefronts of instruction `number`, and how many elements of the layout shown it moves. */
static unsigned instruction(struct drive *d, uint64_t number, unsigned *moved)
{
    struct lw_view banks, owners;
    const struct lw_subject *subject = &d->ex.layouts.opened.subject;
    const struct lw_view_options options = {.instruction = number};
    assert_true(lw_view_open(&banks, lw_view_type_find("banks"), subject, &options, NULL));
    assert_true(lw_view_open(&owners, lw_view_type_find("owners"), subject, &options, NULL));
    for (uint64_t i = 0; i < owners.rows * owners.cols; i++)
        moved[i] += lw_view_served(&owners, i / owners.cols, i % owners.cols);
    unsigned wavefronts = (unsigned)banks.rows - 2; /* words and lanes come first */
    lw_view_close(&banks);
    lw_view_close(&owners);
    return wavefronts;
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

/* The meaning of the player's letters and signs is shown, also that of a bank that is not accessed. */
static void the_player_explains_itself(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_keys(&d, "5");
    assert_shows(&d, "+: 10 or more; extra: conflicts");
    assert_shows(&d, " rows 0-10 of 64 "); /* its place too, and the bars end before the frame */
    assert_shows(&d, "\u2592 \u2502");
    drive_keys(&d, "Down Enter");
    assert_shows(&d, "Banks: store 2 of 32, w1: 32 wavefronts (ideal 1)");
    assert_shows(&d, " wf 1 ");
    assert_shows(&d, " wf 2+ ");
    assert_shows(&d, " rows 0-10 of 34 ");
    drive_keys(&d, "Esc Up");
    drive_keys(&d, "Space Left");
    drive_resize(&d, 200, 60);
    drive_keys(&d, "Right");
    assert_shows(&d, "no lane reads or writes a word of it");
    d.ex.panes.active->chosen[d.ex.panes.active->view_index] = LW_ZOOM_SHORT + 1;
    lw_refresh(&d.ex, LW_CHANGED_VIEW);
    assert_shows(&d, "2+ at the left: wavefront 2, beyond the ideal");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    assert_hides(&d, "a-v = 10");
    drive_keys(&d, "Enter Esc - - -");
    assert_shows(&d, "lane: a-v = 10-31");
    drive_keys(&d, "-"); /* of half a character there are no letters */
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
    assert_shows(&d, "store 1 of 32, wavefront 2 of 32: Space next");
    assert_shows(&d, "╭ Bank 0 ─");
    assert_shows(&d, "wavefront    2 of 32: word 32 of bank 0 for lane 1");
    assert_shows(&d,
                 "begin anew after 128"); /* in the next line of "because", before the details */
    drive_keys(&d, "Right"); /* no lane wants a word of this bank, but others meet in bank 0 */
    assert_shows(&d, "╭ Bank 1 ─");
    assert_shows(&d, "wavefront    2 of 32: nothing of this bank; it serves lane");
    assert_shows(&d, "because      lane bits 0-4 do not reach the bank");
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
    assert_shows(&d, "chosen: shared S; its parameters come first in the form, X replaces it");
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
    assert_shows(&d, "and this one is");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_the_way),
        cmocka_unit_test(the_other_layout_is_edited),
        cmocka_unit_test(the_strip_shows_the_access),
        cmocka_unit_test(an_illegal_other_layout_is_red),
        cmocka_unit_test(conflicts_follow_shared_s),
        cmocka_unit_test(another_layout_is_added),
        cmocka_unit_test(memory_that_is_too_small),
        cmocka_unit_test(a_named_swizzle_is_judged),
        cmocka_unit_test(views_of_either_layout),
        cmocka_unit_test(the_player_begins_at_the_cursor),
        cmocka_unit_test(bars_are_beside_banks_of_one_width),
        cmocka_unit_test(the_player_explains_itself),
        cmocka_unit_test(wavefronts_can_be_read),
        cmocka_unit_test(the_player_goes_on_by_itself),
        cmocka_unit_test(a_conversion_is_without_s),
        cmocka_unit_test(the_strip_has_the_order),
        cmocka_unit_test(another_access_begins_at_its_first_instruction),
        cmocka_unit_test(a_bank_is_found),
        cmocka_unit_test(memory_is_of_the_layout_that_has_it),
        cmocka_unit_test(the_source_of_a_pair_has_both),
        cmocka_unit_test(what_cannot_be_played_shows_the_reason),
        cmocka_unit_test(all_banks_are_on_the_screen),
        cmocka_unit_test(banks_of_a_conversion),
        cmocka_unit_test(banks_of_rounds),
        cmocka_unit_test(keys_of_an_access_answer),
        cmocka_unit_test(what_is_missing_is_chosen),
    };
    return cmocka_run_group_tests_name("pair", tests, NULL, NULL);
}
