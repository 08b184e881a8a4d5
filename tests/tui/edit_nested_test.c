/* Editing parameters that are nested, calls of tilus, and what else is not one plain value. */

#include "edit_parts.h"

#include "tui/draw/theme.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLICE                                                                                      \
    "tensor<64xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], "          \
    "threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>}>>"

static void nested_parameters(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, SLICE);
    drive_field(&d, "parent.sizePerThread");
    drive_keys(&d, "Right 2 Enter");
    assert_string_equal(drive_value(&d, "parent.sizePerThread"), "[1, 2]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    drive_field(&d, "dim");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "dim"), "1");
    drive_keys(&d, "u u");
    assert_string_equal(drive_value(&d, "parent.sizePerThread"), "[1, 4]");
    drive_close(&d);
}

static void tilus_calls(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(2, 1).spatial(8, 4).local(1, 2)");
    assert_true(d.ex.form.count >= 3);
    drive_keys(&d, "1 Enter");
    /* Every field can be stepped, each time into a legal layout or a reason, and undone. */
    for (size_t i = 0; i < d.ex.form.count; i++) {
        if (!d.ex.form.fields[i].path[0])
            continue;
        drive_field(&d, d.ex.form.fields[i].path);
        drive_keys(&d, "+ Right -");
        drive_draw(&d);
        while (lw_explorer_entry(&d.ex)->past_count)
            drive_keys(&d, "u");
        assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    }
    assert_int_equal(d.ex.panes.active->view.rows, 16);
    drive_close(&d);
}

/* The shape and the element: taken away, absurd, too large. */
static void hostile_shapes(void **state)
{
    static const char *const texts[] = {"[]",          "[0, 4]", "[1099511627776, 1099511627776]",
                                        "[-1, 4]",     "[3, 5]", "[9223372036854775807, 2]",
                                        "[1,1,1,1,1]", "",       "[16, 99999999999999999999]"};
    static const char *const elements[] = {"", "f", "f99", "i8", "!tt.ptr<f32>", "bf16", "tf32 "};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct drive d;
        drive_open(&d, BLOCKED);
        drive_field(&d, "shape");
        drive_keys(&d, "Enter C-u");
        drive_type(&d, texts[i]);
        drive_draw(&d);
        drive_keys(&d, "Enter Esc + -");
        drive_draw(&d);
        drive_keys(&d, "Esc 1 2 3 4 5 6 G");
        drive_draw(&d);
        drive_close(&d);
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        struct drive d;
        drive_open(&d, SHARED);
        drive_field(&d, "element");
        drive_keys(&d, "Enter C-u");
        drive_type(&d, elements[i]);
        drive_draw(&d);
        drive_keys(&d, "Enter + Esc q");
        drive_draw(&d);
        drive_close(&d);
    }
}

/* What a tensor in memory is a part of. */
static void allocated_shape(void **state)
{
    (void)state;
    struct drive d;
    drive_open(&d, SHARED);
    drive_field(&d, "alloc");
    drive_keys(&d, "Enter C-u");
    drive_type(&d, "[4, 64, 64]");
    drive_keys(&d, "Enter");
    const struct lw_tensor *tensor = &lw_explorer_entry(&d.ex)->doc->tensor;
    assert_int_equal(tensor->rank, 2);
    assert_int_equal(tensor->alloc_rank, 3);
    assert_int_equal(tensor->alloc[0], 4);
    drive_field(&d, "alloc");
    drive_keys(&d, "-");
    assert_int_equal(lw_explorer_entry(&d.ex)->doc->tensor.alloc[0], 2);
    drive_close(&d);
    drive_open(&d, BLOCKED);
    for (size_t i = 0; i < d.ex.form.count; i++)
        assert_string_not_equal(d.ex.form.fields[i].path, "alloc");
    drive_close(&d);
}

/* Edits belong to their layout: another one keeps its own, and its own history. */
static void edits_stay_with_their_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    for (size_t i = 0; i < d.ex.list.count && strncmp(d.ex.list.entries[i].source, "blocked/", 8);
         i++)
        ;
    while (strncmp(d.ex.list.entries[d.ex.list.entry].source, "blocked/", 8) != 0 &&
           d.ex.list.entry + 1 < d.ex.list.count)
        drive_keys(&d, "Down");
    drive_keys(&d, "Enter");
    size_t first = d.ex.list.entry;
    char before[64], after[64];
    snprintf(before, sizeof before, "%s", drive_value(&d, "sizePerThread"));
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "+");
    snprintf(after, sizeof after, "%s", drive_value(&d, "sizePerThread"));
    assert_string_not_equal(before, after);
    drive_keys(&d, "Tab Down u");
    assert_shows(&d, "nothing to undo");
    drive_keys(&d, "Up");
    assert_int_equal(d.ex.list.entry, first);
    assert_string_equal(drive_value(&d, "sizePerThread"), after);
    assert_shows(&d, "*");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "sizePerThread"), before);
    drive_close(&d);
}

/* Lanes per warp that no hardware has, or not the target, are reported beside the parameters. */
static void lanes_that_no_hardware_has(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.hardware = lw_hardware_find("gfx942")};
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 200, 60);
    assert_hides(&d, "lanes a warp");
    drive_type(&d, ":set threadsPerWarp=[2, 8]");
    drive_keys(&d, "Enter");
    assert_shows(&d, "threadsPerWarp multiplies to 16:");
    drive_type(&d, ":set threadsPerWarp=[4, 16]");
    drive_keys(&d, "Enter");
    assert_hides(&d, "threadsPerWarp multiplies");
    drive_type(&d, ":target sm90");
    drive_keys(&d, "Enter");
    drive_keys(&d, "Down");
    assert_shows(&d, "64 lanes a warp, but sm90 has 32");
    drive_close(&d);
    drive_open_with(&d, "blocked/16x64", &options);
    drive_resize(&d, 200, 60);
    assert_shows(&d, "32 lanes a warp, but gfx942 has 64");
    drive_close(&d);
}

/* Down behind the last field goes through the facts, up comes back. */
static void facts_scroll(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 34);
    drive_keys(&d, "Tab");
    assert_shows(&d, "more below");
    assert_hides(&d, "global col");
    for (int i = 0; i < 40; i++) {
        drive_keys(&d, "Down");
        drive_draw(&d);
    }
    assert_shows(&d, "written");
    assert_hides(&d, "more below");
    assert_shows(&d, "the end");
    for (int i = 0; i < 40; i++)
        drive_keys(&d, "Up");
    assert_int_equal(d.ex.form.facts_top, 0);
    assert_int_equal(d.ex.form.field, 1);
    drive_close(&d);
}

/* Parameters that are not set are folded into a line, for each layout of a pair, until they are shown or set. */
static void unset_parameters_are_folded(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "P"); /* beside the banks */
    assert_shows(&d, "4 not set");
    assert_shows(&d, "5 not set");
    assert_hides(&d, "CGALayout");
    drive_keys(&d, "Tab Down Down Down Down Down Down");
    assert_shows(&d, "▸4 not set");
    drive_keys(&d, "Down");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "shared.vec");
    drive_keys(&d, "Up 3");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_keys(&d, "Enter");
    assert_shows(&d, "CTAsPerCGA");
    assert_shows(&d, "Enter hides them");
    drive_keys(&d, "-");
    assert_hides(&d, "CTAsPerCGA");
    drive_keys(&d, "+ Down");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "CGALayout");
    drive_keys(&d, "Up Enter");
    assert_hides(&d, "CTAsPerCGA");
    /* One that is found comes to light; one that is set stays. */
    drive_keys(&d, "/");
    drive_type(&d, "CTASplit");
    drive_keys(&d, "Enter");
    assert_shows(&d, "▸CTASplitNum");
    drive_field(&d, "CTAOrder");
    drive_keys(&d, "[");
    drive_type(&d, "1, 0]");
    drive_keys(&d, "Enter");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "CTAOrder");
    assert_string_equal(drive_value(&d, "CTAOrder"), "[1, 0]");
    drive_field(&d, "...");
    drive_keys(&d, "Enter");
    assert_shows(&d, "3 not set");
    assert_shows(&d, "CTAOrder");
    assert_hides(&d, "CTASplitNum");
    drive_close(&d);
}

/* A problem stays under the field that it names, also while another one is typed in. */
static void problems_stay_where_they_belong(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "padded/16x32-plus-1");
    drive_resize(&d, 120, 40);
    drive_field(&d, "intervalPads");
    drive_keys(&d, "[");
    drive_type(&d, "[32, 3]]");
    drive_keys(&d, "Enter");
    assert_shows(&d, "must be a power");
    drive_field(&d, "shape");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    const char *screen = drive_screen(&d);
    assert_true(strstr(screen, "must be a power") != NULL);
    assert_null(strstr(strstr(screen, "must be a power") + 1, "must be a power")); /* once */
    assert_true(strstr(screen, "intervalPads  [[32, 3]]") < strstr(screen, "must be a power"));
    /* One of what is typed stands there. */
    drive_keys(&d, "End"); /* else it would replace the value */
    drive_type(&d, "]");
    screen = drive_screen(&d);
    assert_true(strstr(screen, "expected the end") < strstr(screen, "intervalPads  "));
    drive_close(&d);
}

/* Since Triton 3.8 `linear` takes single steps only: it becomes a type that takes the flipped bit. */
static void a_bit_of_linear_is_flipped(void **state)
{
    static const char linear[] =
        "tensor<8x16xf32, #ttg.linear<{register = [[0, 1], [0, 2]], lane = "
        "[[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]], warp = [], block = []}>>";
    struct drive d;
    (void)state;
    drive_open(&d, linear);
    drive_keys(&d, "3 Down Down Down Right Space"); /* dim1.0, register.1: a step of 3 */
    assert_shows(&d, "dim1.0, register.1 flipped: now of the type generic_linear");
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [0, 3]]");
    assert_string_equal(drive_value(&d, "element"), "f32");
    drive_keys(&d, "u g Right Right Down Space"); /* dim0.1, lane.0: a step of 3 */
    assert_string_equal(drive_value(&d, "lane"), "[[3, 0], [2, 0], [4, 0], [0, 4], [0, 8]]");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "lane"), "[[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]]");
    drive_close(&d);
    drive_open(&d, "start/16x16-matrix");
    drive_keys(&d, "3 Space"); /* x.0, register.0: it was 1 */
    assert_shows(&d, "x.0, register.0 flipped; u undoes it");
    assert_non_null(strstr(drive_value(&d, "bases"), "\"register\": [[0, 0], [0, 1]]"));
    drive_keys(&d, "u");
    assert_non_null(strstr(drive_value(&d, "bases"), "\"register\": [[1, 0], [0, 1]]"));
    drive_close(&d);
}

/* What a layout states of its bases stays stated, and true of the new ones; what it does not state stays unset. */
static void statements_follow_flipped_bits(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/4x4");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "3 Space");
    assert_shows(&d, "flipped; u undoes it");
    assert_shows(&d, "2 not set: Enter shows them");
    drive_close(&d);
    drive_open(&d,
               "{\"bases\": {\"register\": [[0, 1]], \"lane\": [[1, 0]]}, \"injective\": true}");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "3 Down Space"); /* dim1.0, register.0: the basis is 0 now */
    assert_shows(&d, "flipped; u undoes it");
    assert_string_equal(drive_value(&d, "injective"), "false");
    assert_string_equal(drive_value(&d, "surjective"), "");
    drive_keys(&d, "Space");
    assert_string_equal(drive_value(&d, "injective"), "true");
    drive_close(&d);
}

/* The matrix has its bits under the names of the dims; Space flips one of a layout that is given by its bases. */
static void a_bit_is_flipped(void **state)
{
    static const char linear[] =
        "tensor<8x16xf32, #ttg.generic_linear<{register = [[0, 1], [0, 2]], lane = "
        "[[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]], warp = [], block = []}>>";
    struct drive d;
    (void)state;
    drive_open(&d, linear);
    drive_keys(&d, "3");
    assert_shows(&d, "register  lane");
    assert_shows(&d, "           0  1      0  1  2  3  4");
    assert_shows(&d, "dim0.2   ·  ·   │  ·  ·  1  ·  ·");
    assert_shows(&d, "         ─────────────────────────");
    assert_shows(&d, "dim1.0   1  ·   │  ·  ·  ·  ·  ·");
    drive_keys(&d,
               "Down Down Down Down Right Down Up Left Right Up Space"); /* dim1.0, register.1 */
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [0, 3]]");
    assert_shows(&d, "dim1.0   1  1   │");
    assert_shows(&d, "dim1.0, register.1 flipped; u undoes it");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [0, 2]]");
    drive_keys(&d, "g Home Space"); /* a basis of generic_linear may move in one dim only */
    assert_shows(&d, "dim0.0, register.0 flipped: now of the type bases");
    assert_shows(&d, "dim0.0   1  ·   │");
    assert_hides(&d, "the last legal layout");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 1);
    drive_keys(&d, "u"); /* the type too */
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [0, 2]]");
    drive_click(&d, 9, 23); /* dim1.0, lane.1 */
    assert_int_equal(d.ex.panes.active->row, 3);
    assert_int_equal(d.ex.panes.active->col, 3);
    drive_close(&d);
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "3 Space");
    assert_shows(&d, "Space flips a bit of layouts whose parameters are bases");
    assert_shows(&d, ":linear(it) opens this one as such");
    assert_hides(&d, "Space flip ");
    drive_command(&d, "linear(it)");
    drive_keys(&d, "3 Space");
    assert_shows(&d, "dim0.0, register.0 flipped");
    assert_shows(&d, "Space flip ");
    drive_close(&d);
    drive_open(&d, COLUMNS); /* `it` is registers A */
    drive_keys(&d, "x 3 Space");
    assert_non_null(strstr(d.ex.status.message, "swizzled_shared is none; view 7 has its bases"));
    drive_close(&d);
    drive_open(&d, "swizzle/16x32-xor");
    drive_keys(&d, "3");
    assert_shows(&d, "bits that stand out are the swizzle");
    const struct lw_view *view = &d.ex.panes.active->view;
    struct lw_text text = {0};
    struct lw_cell plain, swizzle;
    view->type->cell(view, 5, 5, &text, &swizzle); /* dim1.1 of offset.5: 0 */
    view->type->cell(view, 4, 5, &text, &swizzle); /* dim1.0: xored */
    view->type->cell(view, 4, 0, &text, &plain);
    assert_string_equal(lw_text_string(&text), "011");
    assert_int_not_equal(plain.shade, swizzle.shade);
    const struct lw_pen pens[] = {{LW_PEN_FILL, (uint8_t)plain.shade, 0, 0},
                                  {LW_PEN_FILL, (uint8_t)swizzle.shade, 0, 0}};
    const struct lw_theme mono = {0};
    assert_int_not_equal(lw_theme_appearance(&mono, LW_DEPTH_MONO, pens[0]).attributes,
                         lw_theme_appearance(&mono, LW_DEPTH_MONO, pens[1]).attributes);
    lw_text_free(&text);
    drive_close(&d);
}

/* Undo has a budget: the oldest edits go, and that is reported. */
static void undo_has_a_budget(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    d.ex.list.undo_bytes_max = 20000;
    for (int i = 0; i < 12; i++) {
        drive_type(&d, i % 2 ? ":set sizePerThread=[1, 4]" : ":set sizePerThread=[1, 8]");
        drive_keys(&d, "Enter");
        if (i < 2)
            assert_hides(&d, "undo keeps");
    }
    const struct lw_entry *entry = &d.ex.list.entries[d.ex.list.entry];
    assert_true(entry->past_count >= 1 && entry->past_count < 5);
    assert_non_null(strstr(lw_text_string(&d.ex.keep.warnings), "undo keeps 64 MiB"));
    for (size_t i = entry->past_count; i > 0; i--)
        drive_keys(&d, "u");
    drive_keys(&d, "u");
    assert_shows(&d, "nothing to undo");
    drive_close(&d);
}

/* Two bases of one list or of two exchange as one edit, without a layout that is not legal on the way; a problem of
 * several parameters is about the one that was edited. */
static void bases_are_exchanged(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_field(&d, "register");
    drive_keys(&d, "x");
    assert_string_equal(drive_value(&d, "register"), "[[1, 0], [0, 1]]");
    assert_hides(&d, "the last legal layout");
    drive_keys(&d, "u");
    drive_field(&d, "register");
    drive_keys(&d, "Right Right x"); /* the last basis and the first one of the lane */
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [0, 2]]");
    assert_string_equal(drive_value(&d, "lane"), "[[1, 0], [0, 4], [0, 8], [2, 0], [4, 0]]");
    assert_hides(&d, "the last legal layout");
    drive_keys(&d, "u");
    assert_string_equal(drive_value(&d, "register"), "[[0, 1], [1, 0]]");
    drive_command(&d, "set register=[[0, 2], [1, 0]]");
    drive_draw(&d);
    assert_string_equal(d.ex.layouts.problem.parameter, "register");
    assert_non_null(strstr(d.ex.layouts.problem.message, "register = [[0, 2], [1, 0]]: all bases"));
    drive_command(&d, "set lane=[[0, 1], [0, 4], [0, 8], [2, 0], [4, 0]]");
    assert_hides(&d, "the last legal layout");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_parameters),
        cmocka_unit_test(tilus_calls),
        cmocka_unit_test(hostile_shapes),
        cmocka_unit_test(allocated_shape),
        cmocka_unit_test(edits_stay_with_their_layout),
        cmocka_unit_test(lanes_that_no_hardware_has),
        cmocka_unit_test(facts_scroll),
        cmocka_unit_test(unset_parameters_are_folded),
        cmocka_unit_test(problems_stay_where_they_belong),
        cmocka_unit_test(a_bit_of_linear_is_flipped),
        cmocka_unit_test(a_bit_is_flipped),
        cmocka_unit_test(statements_follow_flipped_bits),
        cmocka_unit_test(undo_has_a_budget),
        cmocka_unit_test(bases_are_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
