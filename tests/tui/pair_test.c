/* Pairs of layouts: both are edited, found, played and named; the banks between them. */

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

/* Shared S is typed as the strip names it, in short or not; its order is that of the memory before it. */
static void shared_is_typed_as_it_is_named(void **state)
{
    static const char *const typed[] = {"vec 4,1,8", "vec 4, perPhase 1, maxPhase 8", "4,1,8"};
    struct drive d;
    (void)state;
    for (int i = 0; i < 12; i++) {
        drive_open(&d, "banks/transpose-swizzled");
        drive_resize(&d, 160, 40);
        if (i % 2)
            drive_command(&d, "set shared.order=0,1");
        drive_keys(&d, i < 6 ? "X" : ":");
        drive_type(&d, i < 6 ? "" : "shared ");
        drive_type(&d, typed[i / 2 % 3]);
        drive_keys(&d, "Enter");
        assert_string_equal(drive_value(&d, "shared.vec"), "4");
        assert_string_equal(drive_value(&d, "shared.perPhase"), "1");
        assert_string_equal(drive_value(&d, "shared.maxPhase"), "8");
        assert_string_equal(drive_value(&d, "shared.order"), i % 2 ? "[0, 1]" : "[1, 0]");
        drive_close(&d);
    }
    drive_open(&d, "banks/transpose-swizzled");
    drive_keys(&d, "X");
    drive_type(&d, "vec 4,1,8,2");
    drive_keys(&d, "Enter");
    assert_shows(&d, "neither a layout nor a name");
    drive_keys(&d, "Esc");
    drive_command(&d, "shared vec 4,1");
    assert_shows(&d, "vec needs three numbers: vec, perPhase, maxPhase");
    drive_command(&d, "shared swizzle 8");
    assert_shows(&d, "a SOURCE, vec 4,1,8, xor 8, pad 1 or Sw<3,3,3>");
    drive_command(&d, "shared xor 8");
    assert_string_equal(drive_value(&d, "shared.vec"), "1");
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "8");
    drive_keys(&d, "u x X");
    drive_type(&d, "xor 8 of");
    drive_keys(&d, "Enter");
    assert_shows(&d, "S vec 4,1,8");
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
    assert_shows(&d, "without S, A to B by the compiler: store 32");
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
    drive_keys(&d, "Right Right");
    assert_true(d.ex.panes.play.instruction == 4 && d.ex.panes.play.wavefront == 4);
    drive_keys(&d, "Esc");
    assert_true(d.ex.panes.play.instruction == 0 && d.ex.panes.active->row == 3);
    assert_bank(&d, "3");
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
    assert_shows(&d, "now load 3 of 32, wavefront 1 of 32: any key stops");
    drive_keys(&d, "Space"); /* stops, and shows no other one */
    assert_true(d.ex.panes.play.instruction == 35 && d.ex.panes.play.wavefront == 1);
    assert_true(d.ex.panes.next_step == 0);
    drive_tick(&d);
    assert_int_equal(d.ex.panes.play.wavefront, 1);
    drive_keys(&d, "Esc Esc G Space-Space");
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
    drive_keys(&d, "5 1 x x 5 1");
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

/* In cells of two columns both owners stay: a mark is beside a number of one digit, and in place of a repeated one. */
static void marks_leave_the_owners(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_fit(&d);
    drive_keys(&d, "d");
    drive_command(&d, "set lane=[[0, 4], [0, 2], [0, 8], [2, 0], [4, 0]]");
    drive_zoom(&d, LW_ZOOM_TWO);
    assert_hides(&d, "\u22602");
    d.ex.screen.mono = true; /* without colours that are dimmed */
    assert_shows(&d, "\u22602 \u2260\u22601 \u2260 3");
    assert_shows(&d, "\u22601 \u2260\u22602 \u2260 3");
    assert_shows(&d, " 8  10 \u2260");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_layout_is_edited),
        cmocka_unit_test(what_is_in_the_way),
        cmocka_unit_test(shared_is_typed_as_it_is_named),
        cmocka_unit_test(an_illegal_other_layout_is_red),
        cmocka_unit_test(conflicts_follow_shared_s),
        cmocka_unit_test(another_layout_is_added),
        cmocka_unit_test(memory_that_is_too_small),
        cmocka_unit_test(a_named_swizzle_is_judged),
        cmocka_unit_test(views_of_either_layout),
        cmocka_unit_test(a_conversion_is_without_s),
        cmocka_unit_test(the_strip_has_the_order),
        cmocka_unit_test(the_player_begins_at_the_cursor),
        cmocka_unit_test(the_player_goes_on_by_itself),
        cmocka_unit_test(another_access_begins_at_its_first_instruction),
        cmocka_unit_test(a_bank_is_found),
        cmocka_unit_test(memory_is_of_the_layout_that_has_it),
        cmocka_unit_test(the_source_of_a_pair_has_both),
        cmocka_unit_test(marks_leave_the_owners),
    };
    return cmocka_run_group_tests_name("pair", tests, NULL, NULL);
}
