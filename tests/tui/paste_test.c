/* Pasted text, and what the terminal answers about its background: neither acts as keys. */

#include "tui/drive.h"
#include "tui/pseudo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LAYOUT                                                                                     \
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], "       \
    "order = [1, 0]}>"

static struct pseudo p;
static const struct pseudo_options default_options;

static void paste(struct drive *d, const char *text)
{
    const struct lw_event event = {.kind = LW_EVENT_PASTE, .text = text};
    lw_update(&d->ex, &event);
    drive_draw(d);
}

/* Wherever a layout can be opened it is, as a new entry with a step back. */
static void a_layout_opens(void **state)
{
    static const char *const keys[] = {"", "Tab", "Tab Tab"};
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct drive d;
        drive_open(&d, "start/16x16");
        drive_keys(&d, keys[i]);
        unsigned focus = d.ex.focus;
        size_t count = d.ex.list.count;
        paste(&d, "\n  tensor<16x64xf16, " LAYOUT ">\n");
        assert_int_equal(d.ex.list.count, count + 1);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "blocked");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.focus, focus);
        assert_int_equal(d.ex.list.entry, 0);
        drive_close(&d);
    }
}

static void text_of_several_lines_opens(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    paste(&d, "tensor<16x64xf16,\n    " LAYOUT "\n>");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "blocked");
    assert_null(strchr(lw_explorer_entry(&d.ex)->label, '\n'));
    drive_close(&d);
}

/* Lines of a dump: the definitions of its aliases, and a type that uses one of them. */
static void definitions_open(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    paste(&d, "#blocked = " LAYOUT "\n#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
              "maxPhase = 4, order = [1, 0]}>\n#smem = #ttg.shared_memory\n\n"
              "tensor<16x64xf16, #blocked>\n");
    assert_shows(&d, "tensor<16x64xf16, #blocked>");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "blocked");
    assert_int_equal(lw_explorer_entry(&d.ex)->doc->tensor.shape[1], 64);
    paste(&d, "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, "
              "0]}>\n#smem = #ttg.shared_memory\n!ttg.memdesc<16x64xf16, #shared, #smem, "
              "mutable>");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "swizzled_shared");
    paste(&d, "#parent = " LAYOUT "\n#slice = #ttg.slice<{dim = 1, parent = #parent}>\n"
              "tensor<16xf16, #slice>");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "slice");
    size_t count = d.ex.list.count;
    paste(&d, "#a = " LAYOUT "\n#b = " LAYOUT "\n");
    assert_int_equal(d.ex.list.count, count);
    assert_shows(&d, "after the definitions a type has to name one of");
    paste(&d, "#a = " LAYOUT "\ntensor<16x64xf16, #b>");
    assert_int_equal(d.ex.list.count, count);
    assert_shows(&d, "there is no alias '#b' in this text");
    drive_close(&d);
}

/* What is no layout changes nothing and does nothing; in the form it may be a value. */
static void other_text_is_no_keys(void **state)
{
    static const char *const texts[] = {"q", "qqq\nq\n:quit\n", "u", "5", " ", "", "\t\n", "/x"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct drive d;
        drive_open(&d, "start/16x16");
        paste(&d, texts[i]);
        assert_false(d.ex.quit);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_int_equal(d.ex.panes.active->view_index, drive_view("owners"));
        drive_keys(&d, "?");
        paste(&d, texts[i]);
        assert_int_equal(d.ex.focus, LW_FOCUS_HELP);
        drive_close(&d);
    }
    struct drive d;
    drive_open(&d, "blocked/16x64");
    drive_field(&d, "sizePerThread");
    paste(&d, "[2, 2]");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 2]");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_close(&d);
}

static void lines_take_the_text(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, ":");
    paste(&d, "set\n  order=[0, 1]\n");
    assert_int_equal(d.ex.focus, LW_FOCUS_COMMAND);
    assert_shows(&d, ":set order=[0, 1]");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Enter C-u");
    paste(&d, "[2, 4]");
    assert_int_equal(d.ex.focus, LW_FOCUS_EDIT);
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 4]");
    drive_field(&d, "element");
    drive_keys(&d, "Enter");
    paste(&d, "bf16");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "element"), "bf16");
    drive_close(&d);
}

/* ---- In a terminal ---- */

static void the_terminal_marks_a_paste(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "start/16x16", NULL);
    wait_for(&p, "w0 l0 r0");
    assert_true(pseudo_has_mode(&p, 2004));
    pseudo_send(&p, "\033[200~qq\rq\n\033[A:quit\r\033[201~");
    wait_for(&p, "pasted text opens as a layout");
    pseudo_send(&p, "\033[200~tensor<16x64xf16, " LAYOUT ">\r\033[201~");
    wait_for(&p, "16x64xf16");
    pseudo_send(&p, ":\033[200~set order=[0,\r1]\033[201~\r");
    wait_for(&p, "T2:0"); /* one row below the other */
    leave_with(&p, ":quit\rd");
    assert_false(pseudo_has_mode(&p, 2004));
    pseudo_stop(&p);
}

/* A paste whose end never comes ends after a second. */
static void a_paste_without_an_end(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "start/16x16", NULL);
    wait_for(&p, "w0 l0 r0");
    pseudo_send(&p, "\033[200~q");
    wait_for(&p, "pasted text opens as a layout");
    leave_with(&p, "q");
    pseudo_stop(&p);
}

/* Whether the program has asked for the background. */
static bool has_asked(void)
{
    static const char question[] = "\033]11;?";
    for (size_t i = 0; i + sizeof question <= p.raw_length; i++)
        if (!memcmp(p.raw + i, question, sizeof question - 1))
            return true;
    return false;
}

/* The question comes after the first frame. */
static void wait_question(void)
{
    bool asked = false;
    for (int tries = 0; tries < 2000 && !asked; tries++) {
        usleep(5000);
        pseudo_drain(&p);
        asked = has_asked();
    }
    assert_true(asked);
}

static VTermColor color_of(int row, int col)
{
    VTermScreenCell cell;
    VTermPos pos = {.row = row, .col = col};
    assert_true(vterm_screen_get_cell(p.screen, pos, &cell));
    vterm_screen_convert_color_to_rgb(p.screen, &cell.fg);
    return cell.fg;
}

static int brightness(VTermColor color)
{
    return color.rgb.red + color.rgb.green + color.rgb.blue;
}

/* The first frame suits any background; the answer of a white terminal makes it darker, and black brighter. */
static void the_theme_follows_the_background(void **state)
{
    static const char *const ends[] = {"\033\\", "\a"};
    static const struct pseudo_options options = {.extra = "COLORTERM=truecolor"};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char answer[64];
        int row, col;
        pseudo_start(&p, &options, "start/16x16", NULL);
        wait_for(&p, "Owners: dim0 down");
        wait_question();
        wait_for(&p, "? help");
        wait_idle(&p);
        assert_true(pseudo_find(&p, "? help", &row, &col));
        int neutral = brightness(color_of(row, col));
        snprintf(answer, sizeof answer, "\033]11;rgb:ffff/fefe/f0f0%s", ends[i]);
        pseudo_send(&p, answer);
        wait_read(&p);
        pseudo_send(&p, "l"); /* nothing of the answer was a key */
        wait_for(&p, "Element (0, 1)");
        wait_idle(&p);
        int light = brightness(color_of(row, col));
        assert_true(light < neutral);
        snprintf(answer, sizeof answer, "\033]11;rgb:0/0/0%s", ends[i]);
        pseudo_send(&p, answer);
        wait_read(&p);
        pseudo_send(&p, "l");
        wait_for(&p, "Element (0, 2)");
        wait_idle(&p);
        assert_true(brightness(color_of(row, col)) > neutral);
        leave_with(&p, "q");
        pseudo_stop(&p);
    }
}

/* A theme that was chosen stays, and the terminal is not asked. */
static void a_chosen_theme_stays(void **state)
{
    (void)state;
    pseudo_start(&p, &default_options, "start/16x16", "--theme", "dark", NULL);
    wait_for(&p, "Owners: dim0 down");
    pseudo_send(&p, "l");
    wait_for(&p, "Element (0, 1)");
    assert_false(has_asked());
    leave_with(&p, "q");
    pseudo_stop(&p);
}

/* What is cut of a long text ends in an ellipsis, in the title and in the list. */
static void long_text_is_cut_visibly(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 160, 24);
    paste(&d, "local(2, 1).spatial(4, 8)\n .local(1, 2).spatial(1, 1).local(1, 1).local(2, 2)");
    assert_shows(&d, "local(2, 1).spatial(4, 8) .local(1, 2).s…");
    paste(&d, "spatial(4, 8)\n.local(1, 2)");
    assert_shows(&d, "spatial(4, 8) .local(1, 2)");
    assert_hides(&d, ".local(1, 2)…");
    drive_close(&d);
}

/* A line of a dump. */
static void a_named_attribute_opens(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    paste(&d, "#blocked1 = " LAYOUT "\n");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "blocked");
    drive_close(&d);
}

#define ROWS                                                                                       \
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order " \
    "= [1, 0]}>"
#define COLUMNS_OF                                                                                 \
    "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order " \
    "= [0, 1]}>"
#define SHARED "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"

/* A line of a dump opens what its operation reads and writes. */
static void operations_open(void **state)
{
    static const struct {
        const char *text, *view;
        enum lw_side own, other;
    } lines[] = {{"%12 = ttg.convert_layout %11 : tensor<64x64xf32, " COLUMNS_OF
                  "> -> tensor<64x64xf32, " ROWS "> loc(#loc21)",
                  "conversion", LW_SIDE_A, LW_SIDE_B},
                 {"%8 = ttg.local_alloc %7 : (tensor<64x64xf32, " ROWS
                  ">) -> !ttg.memdesc<64x64xf32, " SHARED ", #smem>",
                  "banks", LW_SIDE_A, LW_SIDE_S},
                 {"ttg.local_store %7, %8 : tensor<64x64xf32, " ROWS
                  "> -> !ttg.memdesc<64x64xf32, " SHARED ", #smem, mutable>",
                  "banks", LW_SIDE_A, LW_SIDE_S},
                 {"%9 = ttg.local_load %8 : !ttg.memdesc<64x64xf32, " SHARED
                  ", #smem> -> tensor<64x64xf32, " COLUMNS_OF ">",
                  "banks", LW_SIDE_S, LW_SIDE_B}};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct drive d;
        drive_open(&d, "start/16x16");
        drive_resize(&d, 120, 40);
        paste(&d, lines[i].text);
        const struct lw_document *doc = lw_explorer_entry(&d.ex)->doc;
        assert_true(lw_document_has(doc, lines[i].own) && lw_document_has(doc, lines[i].other));
        assert_string_equal(d.ex.panes.active->view.type->name, lines[i].view);
        assert_int_equal(d.ex.layouts.problem.code, LW_OK);
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.list.entry, 0);
        drive_close(&d);
    }
    struct drive d;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    paste(&d, "%12 = ttg.convert_layout %11 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, "
              "#blocked>");
    assert_shows(&d, "#blocked");
    assert_int_equal(d.ex.list.entry, 0);
    assert_true(d.ex.status.is_error);
    drive_close(&d);
}

/* What the text does not have is not passed off as read. */
static void an_assumed_shape_is_mentioned(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    paste(&d, LAYOUT);
    assert_shows(&d, "assumed: the shape 2 x 64 and elements of 32 bits");
    drive_keys(&d, "9");
    assert_shows(&d, "the element, as none is set: f32");
    paste(&d, "tensor<16x64xf16, " LAYOUT ">");
    assert_hides(&d, "assumed");
    drive_keys(&d, "9");
    assert_hides(&d, "as none is set");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layout_opens),
        cmocka_unit_test(text_of_several_lines_opens),
        cmocka_unit_test(definitions_open),
        cmocka_unit_test(other_text_is_no_keys),
        cmocka_unit_test(lines_take_the_text),
        cmocka_unit_test(long_text_is_cut_visibly),
        cmocka_unit_test(a_named_attribute_opens),
        cmocka_unit_test_teardown(the_terminal_marks_a_paste, pseudo_teardown),
        cmocka_unit_test_teardown(a_paste_without_an_end, pseudo_teardown),
        cmocka_unit_test_teardown(the_theme_follows_the_background, pseudo_teardown),
        cmocka_unit_test_teardown(a_chosen_theme_stays, pseudo_teardown),
        cmocka_unit_test(operations_open),
        cmocka_unit_test(an_assumed_shape_is_mentioned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
