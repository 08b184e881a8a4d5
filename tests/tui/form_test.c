/* The form: values from lists, orders and bases swapped as one edit, and what digits do. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Every element type of the library is in the list, and choosing one sets it. */
static void elements_are_picked(void **state)
{
    static const char *const wanted[] = {"f64",    "f32",      "tf32",       "f16",      "bf16",
                                         "f8E5M2", "f8E4M3FN", "f8E4M3FNUZ", "f4E2M1FN", "i1",
                                         "i8",     "i32",      "i64",        "ui8"};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct drive d;
        drive_open(&d, "blocked/16x64");
        drive_field(&d, "element");
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
        assert_shows(&d, "Enter use it");
        drive_type(&d, wanted[i]);
        for (int k = 0; k < 40 && strcmp(drive_value(&d, "element"), wanted[i]) != 0; k++)
            drive_keys(&d, "Down");
        assert_string_equal(drive_value(&d, "element"), wanted[i]); /* tried at once */
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_string_equal(drive_value(&d, "element"), wanted[i]);
        drive_keys(&d, "u");
        assert_string_equal(drive_value(&d, "element"), "f32");
        drive_close(&d);
    }
}

/* Types are found by the names that people give them; a blank before them is no part of one. */
static void elements_have_other_names(void **state)
{
    static const char *const cases[][2] = {
        {"fp8", "f8E5M2"}, {"fp8e4nv", "f8E4M3FN"}, {" bf", "bf16"},        {"half", "f16"},
        {"int32", "i32"},  {"uint8", "ui8"},        {"float8e5", "f8E5M2"}, {"fp16", "f16"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, "blocked/16x64");
        drive_field(&d, "element");
        drive_keys(&d, "Enter");
        drive_type(&d, cases[i][0]);
        assert_hides(&d, "not in the list");
        assert_string_equal(drive_value(&d, "element"), cases[i][1]);
        drive_close(&d);
    }
}

/* The line of keys says what they do to the field that is chosen. */
static void keys_fit_the_field(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "element");
    assert_shows(&d, "Enter pick");
    drive_field(&d, "sizePerThread");
    assert_shows(&d, "Enter type");
    assert_shows(&d, "x swap");
    assert_hides(&d, "u undo");
    drive_keys(&d, "x");
    assert_shows(&d, "u undo");
    size_t item = d.ex.form.item;
    drive_keys(&d, "h l");
    assert_int_equal(d.ex.form.item, item);
    drive_close(&d);
}

static void a_pick_can_be_left(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "element");
    drive_keys(&d, "Enter Down Down Down");
    assert_string_not_equal(drive_value(&d, "element"), "f32");
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "element"), "f32");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 0);
    drive_keys(&d, "Enter i 7 Enter"); /* not in the list, but an element type */
    assert_string_equal(drive_value(&d, "element"), "i7");
    drive_keys(&d, "Enter Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_keys(&d, "b"); /* letters are actions in the form */
    drive_keys(&d, "3"); /* a digit begins a value: the list of those that have it */
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    drive_keys(&d, "Esc + - -");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    for (int height = 6; height < 40; height += 3)
        for (int width = 24; width < 130; width += 9) {
            drive_resize(&d, width, height);
            drive_keys(&d, "Enter");
            drive_draw(&d);
            drive_keys(&d, "End G Esc");
        }
    drive_close(&d);
}

/* A typed number is that number: it is never another one that has its digits, and what is not legal is refused. */
static void typed_numbers_are_exact(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "swizzle/2-1-4");
    drive_resize(&d, 120, 40);
    drive_field(&d, "vec");
    drive_keys(&d, "Enter 3");
    assert_string_equal(drive_value(&d, "vec"), "3"); /* in red, with the reason */
    assert_int_equal(drive_tile(&d, "vec = 3: must be a power of two")->pen.kind, LW_PEN_BAD);
    assert_shows(&d, "the last legal layout");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    assert_shows(&d, "it can be 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024; Esc");
    drive_keys(&d, "2 Enter"); /* 32 is spelled out */
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "vec"), "32");
    drive_keys(&d, "Enter 1 Enter"); /* not 16, 128 or 1024 */
    assert_string_equal(drive_value(&d, "vec"), "1");
    drive_keys(&d, "Enter 3 Backspace"); /* what was typed is in force no more */
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    assert_string_equal(drive_value(&d, "vec"), "1");
    drive_keys(&d, "3 Down Enter"); /* one of the list is chosen */
    assert_string_equal(drive_value(&d, "vec"), "32");
    drive_keys(&d, "Enter 3 x Up Enter"); /* no value begins so */
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "vec"), "32");
    drive_close(&d);
}

static void booleans_and_widths_are_picked(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed "
               "= false, elementBitWidth = 16}>, #ttg.shared_memory>");
    drive_field(&d, "swizzlingByteWidth");
    drive_keys(&d, "Enter");
    assert_shows(&d, "32");
    assert_shows(&d, "╭ swizzlingByteWidth ╮"); /* its name is not cut */
    drive_type(&d, "64");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "swizzlingByteWidth"), "64");
    drive_field(&d, "transposed");
    drive_keys(&d, "Enter Down Enter");
    assert_string_equal(drive_value(&d, "transposed"), "true");
    drive_close(&d);
}

/* x swaps an order from any field of its layout; a digit brings that entry to where the cursor is. */
static void orders_stay_orders(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "sizePerThread");
    drive_field(&d, "shape");
    drive_keys(&d, "x");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "order"), "[1, 0]");
    drive_field(&d, "order");
    drive_keys(&d, "Home");
    drive_field(&d, "order");
    drive_keys(&d, "0");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_keys(&d, "5");
    assert_shows(&d, "order has no entry 5");
    drive_keys(&d, "Enter Up Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "x");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[4, 1]");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 2);
    drive_close(&d);
}

/* x carries a basis through the bits of its dim and on to the next dim: the layout is legal at every step. */
static void bases_are_swapped(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_field(&d, "register");
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [1, 0]]");
    drive_keys(&d, "x");
    assert_string_equal(drive_value(&d, "register"), "[[1, 0], [0, 1]]");
    assert_int_equal(d.ex.form.item, 2); /* the cursor goes with it */
    const char *lane = drive_value(&d, "lane");
    assert_int_equal(strncmp(lane, "[[0, 2],", 8), 0);
    drive_keys(&d, "x");
    assert_string_equal(drive_value(&d, "register"), "[[1, 0], [0, 2]]");
    lane = drive_value(&d, "lane");
    assert_int_equal(strncmp(lane, "[[0, 1],", 8), 0);
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "lane");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 2);
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "u u");
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [1, 0]]");
    drive_close(&d);
}

/* A list is typed anew after `[`, which is announced; a digit edits the number under the cursor alone. */
static void typing_replaces_nothing_silently(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "[");
    assert_shows(&d, "a new value instead of [1, 4]: Esc restores that");
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    drive_keys(&d, "2 Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 4]");
    drive_close(&d);
}

static unsigned press(struct drive *d, const char *key)
{
    const struct lw_event event = {.kind = LW_EVENT_KEY, .key = lw_key_of_name(key, strlen(key))};
    return lw_update(&d->ex, &event);
}

/* An event returns what followed from it, and nothing else. */
static void what_changed_is_returned(void **state)
{
    enum { WORK = LW_CHANGED_LAYOUT | LW_CHANGED_ENTRY | LW_CHANGED_SAVED | LW_CHANGED_DETAIL };
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    assert_int_equal(press(&d, "Right"), LW_CHANGED_CURSOR);
    assert_int_equal(press(&d, "Q"), LW_CHANGED_SCREEN); /* no key here: a message alone */
    assert_true(press(&d, "?") & LW_CHANGED_SCREEN);
    assert_int_equal(press(&d, "j") & WORK, 0);
    press(&d, "Esc");
    assert_int_equal(press(&d, "Tab") & WORK, 0);
    assert_int_equal(press(&d, "x") & WORK, LW_CHANGED_LAYOUT | LW_CHANGED_SAVED);
    assert_int_equal(press(&d, "u") & WORK, LW_CHANGED_LAYOUT | LW_CHANGED_SAVED);
    drive_close(&d);
    drive_open(&d, NULL);
    assert_int_equal(press(&d, "Down") & WORK, LW_CHANGED_ENTRY);
    drive_close(&d);
}

/* A step never leads from a legal layout to one that is not, nor to one that no hardware runs: the value stays, with
 * the reason. */
static void steps_stay_legal(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 40);
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "+ + +");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[4, 16]");
    assert_shows(&d, "threadsPerWarp stays [4, 16]; [8, 16] makes 128 lanes a warp, and hardware "
                     "has 32 or 64; try [8, 4] or [8, 8]");
    drive_keys(&d, "u u");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[2, 16]"); /* no step of history more */
    drive_command(&d, "target sm90");
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "+");
    assert_shows(&d, "[4, 16] makes 64 lanes a warp, and sm90 has 32");
    drive_field(&d, "warpsPerCTA");
    drive_keys(&d, "+ + + + + + + +");
    assert_string_equal(drive_value(&d, "warpsPerCTA"), "[32, 1]");
    assert_shows(&d, "[64, 1] makes 2048 threads, and hardware has 1024 in a block");
    drive_keys(&d, "- - - - - - -");
    assert_string_equal(drive_value(&d, "warpsPerCTA"), "[1, 1]");
    assert_shows(&d, "warpsPerCTA: no value before [1, 1]");
    drive_close(&d);
}

/* More lanes than hardware has are not legal where they are typed either: the value stays in its field, in red, with
 * legal ones, and the picture is the last legal one. A layout that was read with them is shown. */
static void typed_lanes_stay_legal(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 48);
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "5 1 2 Enter");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[512, 16]");
    assert_int_equal(drive_tile(&d, "[512, 16]")->pen.kind, LW_PEN_BAD);
    assert_string_equal(
        d.ex.layouts.problem.message,
        "[512, 16] makes 8192 lanes a warp, and hardware has 32 or 64; try [2, 16] or "
        "[4, 16]");
    assert_shows(&d, "the last legal layout");
    assert_shows(&d, "32 lanes");
    drive_keys(&d, "u");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "1 6"); /* too many on the way to [16, 2], which is legal */
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "Tab 2 Enter");
    assert_string_equal(drive_value(&d, "threadsPerWarp"), "[16, 2]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_command(&d, "set warpsPerCTA=[64,1]");
    assert_shows(&d, "[64, 1] makes 2048 threads, and");
    drive_close(&d);
    drive_open(&d, "tensor<16x64xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, "
                   "16], warpsPerCTA = [1, 1], order = [1, 0]}>>");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_field(&d, "threadsPerWarp");
    drive_keys(&d, "4 Enter u");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_close(&d);
}

/* What is not legal on its way is not passed through; where it is typed, steps go on from there. */
static void typed_values_can_be_stepped(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "3 Enter");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_keys(&d, "-");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 4]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_close(&d);
}

static const char *chosen(struct drive *d)
{
    return d->ex.form.fields[d->ex.form.field].path;
}

/* The keys go to the field in error, however the form is reached. */
static void errors_keep_their_field(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "set sizePerThread=[1,");
    drive_keys(&d, "Tab");
    assert_string_equal(chosen(&d), "sizePerThread");
    drive_field(&d, "order");
    drive_command(&d, "set threadsPerWarp=[3,16]");
    drive_keys(&d, "q");
    drive_field(&d, "shape");
    drive_keys(&d, "q Tab");
    assert_string_equal(chosen(&d), "threadsPerWarp");
    drive_close(&d);
    drive_open(&d, "banks/transpose-row-major"); /* two panes, of two layouts */
    drive_keys(&d, "1 |");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "3 Enter q Tab Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(chosen(&d), "sizePerThread");
    drive_close(&d);
}

/* Esc after a refused value leads back to it, and to the picture of the last legal layout. */
static void esc_forgets_what_was_typed(void **state)
{
    struct drive d;
    struct lw_text before = {0};
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "shape");
    drive_keys(&d, "[");
    drive_type(&d, "3,16]");
    drive_keys(&d, "Enter");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    lw_text_add(&before, drive_screen(&d));
    drive_type(&d, "1");
    assert_shows(&d, "1x16xf32");
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "shape"), "[3, 16]");
    assert_shows(&d, "16x64xf32");
    assert_string_equal(drive_screen(&d), lw_text_string(&before));
    drive_keys(&d, "u");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    lw_text_free(&before);
    drive_close(&d);
}

/* The same in a list of values, and where what the list has is chosen in vain. */
static void a_pick_forgets_what_was_tried(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "swizzle/2-1-4");
    drive_command(&d, "set vec=3");
    assert_int_not_equal(d.ex.layouts.problem.code, LW_OK);
    drive_field(&d, "vec");
    drive_keys(&d, "Enter 1 6");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    const struct lw_subject *shown = &d.ex.layouts.opened.subject;
    assert_int_equal(shown->encoding->params[lw_encoding_param(shown->encoding, "vec")].integer,
                     16);
    drive_keys(&d, "Esc");
    assert_string_equal(drive_value(&d, "vec"), "3");
    assert_int_equal(shown->encoding->params[lw_encoding_param(shown->encoding, "vec")].integer, 2);
    drive_close(&d);
}

/* What is typed into a list and is no value leaves the old one. */
static void a_list_sets_no_other_value(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "element");
    drive_keys(&d, "Enter z z z");
    assert_string_equal(drive_value(&d, "element"), "f32");
    drive_keys(&d, "Enter");
    assert_shows(&d, "unknown element type 'zzz'");
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    drive_close(&d);
}

/* A letter that begins a value opens the list with it, though it is a key elsewhere. */
static void letters_begin_a_value(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "element");
    drive_type(&d, "fp8e4nv");
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    assert_string_equal(lw_text_string(&d.ex.form.pick.filter.text), "fp8e4nv");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "element"), "f8E4M3FN");
    drive_keys(&d, "u"); /* undoes, as everywhere */
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "element"), "f32");
    drive_close(&d);
}

/* A part is that of its thread: the number alone does not change, and its field says why. */
static void the_thread_of_a_part_stays(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local_partition((8,16):(1,8), (4,4):(1,4), 5)");
    drive_resize(&d, 200, 60);
    drive_field(&d, "thread");
    assert_string_equal(drive_value(&d, "thread"), "5");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "thread"), "5");
    drive_keys(&d, "Enter");
    drive_type(&d, "6");
    assert_shows(&d, "the layout is that of thread 5");
    drive_keys(&d, "Enter");
    assert_shows(&d, "offset 9, the part of thread 5");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_have_other_names),
        cmocka_unit_test(keys_fit_the_field),
        cmocka_unit_test(elements_are_picked),
        cmocka_unit_test(a_pick_can_be_left),
        cmocka_unit_test(typed_numbers_are_exact),
        cmocka_unit_test(booleans_and_widths_are_picked),
        cmocka_unit_test(orders_stay_orders),
        cmocka_unit_test(bases_are_swapped),
        cmocka_unit_test(typing_replaces_nothing_silently),
        cmocka_unit_test(what_changed_is_returned),
        cmocka_unit_test(steps_stay_legal),
        cmocka_unit_test(typed_lanes_stay_legal),
        cmocka_unit_test(typed_values_can_be_stepped),
        cmocka_unit_test(errors_keep_their_field),
        cmocka_unit_test(esc_forgets_what_was_typed),
        cmocka_unit_test(a_pick_forgets_what_was_tried),
        cmocka_unit_test(a_list_sets_no_other_value),
        cmocka_unit_test(letters_begin_a_value),
        cmocka_unit_test(the_thread_of_a_part_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
