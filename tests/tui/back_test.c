/* Esc and Backspace lead back one step from everywhere; q quits from the first screen only; find and g, G in pages. */

#include "tui/drive.h"
#include "tui/kernel/browse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MATMUL "tests/golden/ttgir/matmul.sm80.ttgir"
#define TRANSPOSE "tests/golden/ttgir/transpose.sm90.ttgir"

static const char *const back_keys[] = {"Esc", "Backspace"};

/* A step back from here leads to this focus, and to this entry of the list. */
static void assert_back(struct drive *d, const char *key, unsigned focus, size_t entry)
{
    drive_keys(d, key);
    assert_int_equal(d->ex.focus, focus);
    assert_int_equal(d->ex.list.entry, entry);
    assert_false(d->ex.quit);
    drive_draw(d);
}

static void a_computed_layout_leads_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        size_t count = d.ex.list.count;
        drive_keys(&d, "1 Down Right");
        drive_command(&d, "it.invert()");
        assert_int_equal(d.ex.list.count, count + 1);
        drive_command(&d, "it.invert()");
        assert_int_equal(d.ex.list.entry, count + 1);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, count);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 0);
        assert_string_equal(d.ex.panes.active->view.type->name, "owners");
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 0);
        assert_shows(&d, "this is the first screen: q quits");
        drive_close(&d);
    }
}

/* From the operation of a kernel, through the kernel and its folder, to the layout where they were opened. */
static void kernels_lead_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct drive d;
        drive_open(&d, "start/16x16");
        drive_command(&d, "open tests/golden/ttgir");
        assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
        drive_keys(&d, "/");
        drive_type(&d, "matmul.sm80");
        drive_keys(&d, "Enter Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
        lw_job_finish(&d.ex);
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_int_equal(d.ex.panes.count, 2); /* opened as two: they close at once */
        drive_keys(&d, back_keys[k]);
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
        /* Another kernel, and back to the first. */
        drive_command(&d, "open " TRANSPOSE);
        assert_shows(&d, "transpose.sm90.ttgir");
        drive_keys(&d, back_keys[k]);
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
        assert_shows(&d, "matmul.sm80.ttgir");
        drive_keys(&d, back_keys[k]);
        assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
        drive_keys(&d, back_keys[k]); /* the filter */
        assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 0);
        assert_shows(&d, "start/16x16");
        drive_close(&d);
    }
}

/* A kernel has a target of its own; the layout that it was opened from has its own again. */
static void the_target_leads_back(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "target sm75");
    drive_command(&d, "open tests/golden/ttgir/transpose.gfx942.ttgir");
    assert_string_equal(lw_explorer_hardware(&d.ex)->name, "gfx942");
    drive_keys(&d, "Esc");
    assert_string_equal(lw_explorer_hardware(&d.ex)->name, "sm75");
    assert_shows(&d, "for sm75");
    drive_close(&d);
}

static void the_list_is_the_first_screen(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct drive d;
        drive_open(&d, NULL);
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        drive_keys(&d, "Down Enter F");
        assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 1);
        drive_keys(&d, "|");
        assert_int_equal(d.ex.panes.count, 2);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 1);
        assert_int_equal(d.ex.panes.count, 1);
        drive_keys(&d, "v");
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 1);
        assert_back(&d, back_keys[k], LW_FOCUS_GALLERY, 1);
        assert_back(&d, back_keys[k], LW_FOCUS_GALLERY, 1);
        drive_keys(&d, "Enter q");
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        assert_false(d.ex.quit);
        drive_keys(&d, "q");
        assert_true(d.ex.quit);
        drive_close(&d);
    }
}

static void what_lies_over_others_closes(void **state)
{
    static const char *const over[] = {"?", "i", "V", "o", "/", ":", "m", "e", "S", "d"};
    (void)state;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
            struct drive d;
            const struct lw_tui_options options = {.writes_nothing = true};
            drive_open_with(&d, "banks/transpose-row-major", &options);
            drive_keys(&d, over[i]);
            lw_job_finish(&d.ex);             /* a search is stopped first */
            if (d.ex.prompt.line.text.length) /* a name is offered */
                drive_keys(&d, "C-u");
            drive_keys(&d, back_keys[k]);
            assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
            assert_int_equal(d.ex.panes.count, 1);
            drive_close(&d);
        }
}

static void a_question_leads_back(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct drive d;
        drive_open(&d, "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = "
                       "[8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>>");
        drive_command(&d, "set order=[0, 1]");
        drive_keys(&d, "q");
        assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
        assert_back(&d, back_keys[k], LW_FOCUS_VIEW, 0);
        drive_close(&d);
    }
}

static void pages_are_searched(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "? /");
    drive_type(&d, "no such words");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_HELP);
    assert_shows(&d, "is not on this page");
    drive_keys(&d, "/");
    drive_type(&d, "REDO an");
    drive_keys(&d, "Enter");
    assert_shows(&d, "redo an edit");
    assert_int_equal(drive_tile(&d, "redo an edit")->pen.kind, LW_PEN_MARK);
    drive_keys(&d, "g /");
    drive_type(&d, "list");
    drive_keys(&d, "Enter");
    int first = d.ex.page.found;
    drive_keys(&d, "n");
    int second = d.ex.page.found;
    assert_true(second > first);
    drive_keys(&d, "N");
    assert_int_equal(d.ex.page.found, first);
    drive_keys(&d, "G");
    drive_draw(&d);
    assert_true(d.ex.page.top > 0);
    drive_keys(&d, "g");
    drive_draw(&d);
    assert_int_equal(d.ex.page.top, 0);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_command(&d, "help");
    drive_keys(&d, "/");
    drive_type(&d, "let [NAME");
    drive_keys(&d, "Enter");
    assert_shows(&d, "let [NAME=SOURCE]");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

/* In the list an element is found in the layout that is shown. */
static void elements_are_found_from_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "/");
    drive_type(&d, "start/16x16");
    drive_keys(&d, "Enter Esc /");
    drive_type(&d, "5,7");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_string_equal(drive_element(&d), "5,7");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_close(&d);
}

/* The last line of the screen. */
static const char *key_line(struct drive *d)
{
    const char *screen = drive_screen(d), *line = screen, *end;
    while ((end = strchr(line, '\n')) && end[1])
        line = end + 1;
    return line;
}

/* At every width no two keys touch, and Enter, Tab, Esc and ? are the last to go. */
static void keys_never_overlap(void **state)
{
    static const char *const opened[] = {"", "Enter", "?", ":", "o", "V", "e"};
    (void)state;
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_keys(&d, opened[i]);
        lw_job_finish(&d.ex);
        for (int width = 24; width < 200; width++) {
            drive_resize(&d, width, 24);
            drive_draw(&d);
            const struct lw_status_line *status = &d.ex.status;
            for (size_t a = 0; a < status->hints.count; a++) {
                assert_in_range(status->hints[a].end, status->hints[a].col + 1, (uintmax_t)width);
                for (size_t b = 0; b < a; b++)
                    assert_true(status->hints[a].end < status->hints[b].col ||
                                status->hints[b].end < status->hints[a].col);
            }
        }
        drive_close(&d);
    }
}

static void keys_stay_on_small_screens(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_resize(&d, 40, 10);
    assert_non_null(strstr(key_line(&d), "Enter open"));
    assert_non_null(strstr(key_line(&d), "Tab pane"));
    assert_non_null(strstr(key_line(&d), "? help"));
    drive_keys(&d, "Enter");
    assert_non_null(
        strstr(key_line(&d), "Enter open")); /* an instruction, as this layout is of banks */
    assert_non_null(strstr(key_line(&d), "Tab pane"));
    assert_non_null(strstr(key_line(&d), "Esc back"));
    assert_non_null(strstr(key_line(&d), "? help"));
    drive_keys(&d, "/");
    assert_non_null(strstr(key_line(&d), "Enter done"));
    assert_non_null(strstr(key_line(&d), "Esc cancel"));
    drive_keys(&d, "Esc");
    drive_command(&d, "set shape=[32, 16]");
    drive_keys(&d, "q q");
    assert_int_equal(d.ex.focus, LW_FOCUS_QUESTION);
    assert_shows(&d, "has unsaved");
    assert_non_null(strstr(key_line(&d), "s save"));
    assert_non_null(strstr(key_line(&d), "Esc stay"));
    drive_close(&d);
}

/* The list of lessons leads back to the layout with its edits, also when another lesson was looked at or begun. */
static void lessons_lead_back(void **state)
{
    static const char *const keys[] = {"Esc", "Down Down Esc", "Enter Esc Esc"};
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct drive d;
        drive_open(&d, "blocked/16x64");
        drive_keys(&d, "Tab + Esc");
        drive_command(&d, "learn");
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        drive_keys(&d, keys[i]);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_shows(&d, "blocked/16x64 *");
        assert_shows(&d, "32x64xf32");
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_computed_layout_leads_back),
        cmocka_unit_test(kernels_lead_back),
        cmocka_unit_test(the_target_leads_back),
        cmocka_unit_test(the_list_is_the_first_screen),
        cmocka_unit_test(what_lies_over_others_closes),
        cmocka_unit_test(a_question_leads_back),
        cmocka_unit_test(pages_are_searched),
        cmocka_unit_test(keys_never_overlap),
        cmocka_unit_test(keys_stay_on_small_screens),
        cmocka_unit_test(lessons_lead_back),
        cmocka_unit_test(elements_are_found_from_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
