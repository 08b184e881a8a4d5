/* Every action by each of its keys, in every focus where it works, on layouts of every kind and at three
 * sizes; and the player. */

#include "tui/drive.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const sources[] = {"start/16x16", "swizzle/16x32-xor",
                                      "local(3, 4).spatial(2, 3)", "banks/transpose-row-major"};

/* Moves the focus of the explorer, with the keys of a user. */
static void go_to(struct drive *d, unsigned focus)
{
    switch (focus) {
    case LW_FOCUS_VIEW:
        break;
    case LW_FOCUS_FORM:
        drive_keys(d, "F");
        break;
    case LW_FOCUS_GALLERY:
        drive_keys(d, "S-Tab");
        break;
    case LW_FOCUS_EDIT:
        drive_keys(d, "F Enter");
        break;
    case LW_FOCUS_FIND:
        drive_keys(d, "/");
        break;
    case LW_FOCUS_COMMAND:
        drive_keys(d, ":");
        break;
    case LW_FOCUS_MARK:
        drive_keys(d, "m");
        break;
    case LW_FOCUS_SAVE:
        drive_keys(d, "S");
        break;
    case LW_FOCUS_EXPORT:
        drive_keys(d, "e");
        break;
    case LW_FOCUS_ANSWER: /* the key of a step that asks */
        lw_prompt_open(&d->ex, LW_FOCUS_ANSWER);
        break;
    case LW_FOCUS_HELP:
        drive_keys(d, "?");
        break;
    case LW_FOCUS_VIEWS:
        drive_keys(d, "V");
        break;
    case LW_FOCUS_LAYOUTS:
        drive_keys(d, "X");
        break;
    case LW_FOCUS_SOLVE:
        drive_keys(d, "o");
        break;
    case LW_FOCUS_PAGE:
        drive_keys(d, "i");
        break;
    case LW_FOCUS_LESSON:
        assert_true(lw_lesson_begin(&d->ex, "swizzling", NULL));
        drive_keys(d, "S-Tab");
        break;
    case LW_FOCUS_QUESTION:
        drive_type(d, ":set .shape=64,64");
        drive_keys(d, "Enter q");
        break;
    case LW_FOCUS_FOLDER:
        drive_type(d, ":open tests/golden/ttgir");
        drive_keys(d, "Enter");
        break;
    case LW_FOCUS_KERNEL:
        drive_type(d, ":open tests/golden/ttgir/transpose.sm90.ttgir");
        drive_keys(d, "Enter");
        break;
    case LW_FOCUS_PICK:
        if (drive_value(d, "element")) {
            drive_field(d, "element");
            drive_keys(d, "Enter");
        }
        break;
    default:
        fail_msg("no keys lead to focus %u", focus);
    }
    if (d->ex.focus != focus &&
        !(focus & (LW_FOCUS_SOLVE | LW_FOCUS_PICK))) /* not every layout has one */
        fail_msg("%s: focus %u is %u", d->sources[0], focus, d->ex.focus);
}

static void press_everywhere(struct drive *d, const struct lw_key_action *action, unsigned focus)
{
    const char *keys = action->keys;
    while (*keys) {
        char key[16];
        size_t length = strcspn(keys, " ");
        const struct lw_tui_options options = {.writes_nothing = true};
        snprintf(key, sizeof key, "%.*s", (int)length, keys);
        keys += length + strspn(keys + length, " ");
        for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
            drive_open_with(d, sources[s], &options);
            drive_resize(d, s == 1 ? 120 : s == 2 ? 200 : 80, s == 1 ? 40 : s == 2 ? 60 : 24);
            go_to(d, focus);
            uint32_t code = lw_key_of_name(key, strlen(key));
            if (d->ex.focus == focus)
                assert_ptr_equal(lw_key_action_for(focus, code), action);
            drive_keys(d, key);
            drive_draw(d);
            if (!d->ex.quit)
                drive_keys(d, "Esc Esc Esc");
            drive_draw(d);
            drive_close(d);
        }
    }
}

static void every_action_at_every_focus(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    struct drive d;
    (void)state;
    for (size_t i = 0; i < count; i++)
        for (unsigned focus = 1; focus; focus <<= 1)
            if (actions[i].focus_mask & focus & ~(unsigned)LW_FOCUS_LESSON_ONLY)
                press_everywhere(&d, &actions[i], focus);
}

/* What a wavefront moves is lit, in the pane of registers and in that of memory, and nothing else. */
static void the_player_lights_a_wavefront(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_resize(&d, 200, 60);
    drive_keys(&d, "1 |");
    drive_keys(&d, "Space Space");
    assert_true(d.ex.panes.play.instruction == 1 && d.ex.panes.play.wavefront == 2);
    for (int p = 0; p < 2; p++) {
        const struct lw_view *view = &d.ex.panes.all[p].view;
        uint64_t lit = 0;
        for (uint64_t r = 0; r < view->rows; r++)
            for (uint64_t c = 0; c < view->cols; c++)
                lit += lw_view_served(view, r, c);
        assert_int_equal(lit, 1); /* columns of rows of 32 words: a lane a wavefront */
    }
    drive_keys(&d, "Backspace");
    assert_true(d.ex.panes.play.instruction == 1 && d.ex.panes.play.wavefront == 1);
    drive_keys(&d, "Backspace"); /* before the first wavefront all is shown */
    assert_int_equal(d.ex.panes.play.instruction, 0);
    assert_int_equal(d.ex.panes.count, 2);
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.panes.count, 1);
    drive_keys(&d, "| a");
    assert_shows(&d, "stores");
    drive_keys(&d, "Space Esc Esc");
    assert_int_equal(d.ex.panes.play.instruction, 0);
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_keys(&d, "Space");
    assert_shows(&d, "an access needs shared memory too: 5 and then X choose one, :shared SOURCE");
    drive_close(&d);
}

static void banks_stand_beside_memory(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 200, 60);
    drive_keys(&d, "5 |");
    assert_int_equal(d.ex.panes.all[0].view_index, drive_view("banks"));
    assert_int_equal(d.ex.panes.all[1].view_index, drive_view("memory"));
    drive_close(&d);
}

/* The first line of help under a title. */
static void assert_help(const char *source, const char *keys, const char *title, const char *line)
{
    struct drive d;
    drive_open(&d, source);
    drive_resize(&d, 170, 60);
    drive_keys(&d, keys);
    assert_int_equal(d.ex.focus, LW_FOCUS_HELP);
    assert_shows(&d, title);
    assert_shows(&d, line);
    assert_hides(&d, "in the form:");
    drive_keys(&d, "Esc");
    assert_int_not_equal(d.ex.focus, LW_FOCUS_HELP);
    drive_close(&d);
}

/* `?`, and F1 while typing, have what holds at that place. */
static void help_is_of_the_place(void **state)
{
    (void)state;
    assert_help("start/16x16", "?", "│ In the view ", "Enter          edit the parameters ");
    assert_help("start/16x16", "3 ?", "│ In the view ",
                "Space          flip the bit under the cursor");
    assert_help("start/16x16", "Tab ?", "│ In the form ",
                "Left           the number before, of a list");
    assert_help("start/16x16", "S-Tab ?", "│ In the list of layouts ",
                "/              show only the layouts whose name or title");
    assert_help("start/16x16", "Tab Enter F1", "│ While typing a value of a field ",
                "Enter          accept what was typed");
    assert_help("start/16x16", ": F1", "│ While typing a command ",
                "Tab            complete the word");
    assert_help("start/16x16", "V F1", "│ In the list of views ", "Enter          show this view");
    assert_help("banks/transpose-row-major", "?", "│ In the view ",
                "Enter          open the instruction under the cursor");
    assert_help("banks/transpose-row-major", "o ?", "│ In the list of swizzles ",
                "With a layout on the screen");
    assert_help("tests/golden/ttgir/matmul.sm90.ttgir", "?", "│ In the lists of a kernel ",
                "With a layout on the screen");
    assert_help("tests/golden/ttgir", "?", "│ In a folder of kernels ",
                "Enter          open the kernel ");
}

/* What would change nothing is neither on the line of keys nor among the keys of the view. */
static void keys_without_a_use_are_not_offered(void **state)
{
    static const struct {
        const char *source, *keys, *hint, *line;
    } cases[] = {
        {"start/16x16", "3", "h dim", "dim what is not lit"},
        {"banks/transpose-row-major", "5", "h dim", "dim what is not lit"},
        {"start/16x16", "1", "u undo", "undo an edit"},
        {"start/16x16", "1", "n next", "the next match"},
        {"start/16x16", "1", "w other", "go to the other view"},
        {"start/16x16", "1", "o swizzle", "search for the best swizzle"},
        {NULL, "", "p previous", "in a lesson: the previous step"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        if (cases[i].source)
            drive_open(&d, cases[i].source);
        else
            drive_lesson(&d, "1");
        drive_fit(&d);
        drive_resize(&d, 100, 200);
        drive_keys(&d, cases[i].keys);
        assert_hides(&d, cases[i].hint);
        drive_keys(&d, "?");
        const char *screen = drive_screen(&d), *line = strstr(screen, cases[i].line);
        const char *without = strstr(screen, "Not usable here and now");
        if (!line || !without || line < without) /* in one column */
            fail_msg("%s: %s", cases[i].line, screen);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_action_at_every_focus),
        cmocka_unit_test(the_player_lights_a_wavefront),
        cmocka_unit_test(banks_stand_beside_memory),
        cmocka_unit_test(help_is_of_the_place),
        cmocka_unit_test(keys_without_a_use_are_not_offered),
    };
    return cmocka_run_group_tests_name("actions", tests, NULL, NULL);
}
