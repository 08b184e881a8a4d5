/* What may be typed after a colon: commands, actions, the calculator; and the pages they open. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

static void command(struct drive *d, const char *text)
{
    drive_keys(d, ":");
    assert_int_equal(d->ex.focus, LW_FOCUS_COMMAND);
    drive_draw(d);
    assert_true(d->surface.cursor_row == lw_status_row(&d->ex));
    drive_type(d, text);
    drive_draw(d);
    drive_keys(d, "Enter");
    assert_int_not_equal(d->ex.focus, LW_FOCUS_COMMAND);
    drive_draw(d);
}

static void setting(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    command(&d, "set sizePerThread=[1, 2]");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_shows(&d, "T1:0");
    command(&d, "set shape = [32, 32]");
    assert_int_equal(d.ex.panes.active->view.rows, 32);
    /* A value that is not legal stands, with its reason; one that cannot be read does not. */
    command(&d, "set sizePerThread=[1, 3]");
    assert_shows(&d, "power of two");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 3]");
    assert_int_equal(d.ex.panes.active->view.rows, 32);
    command(&d, "undo");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    command(&d, "set sizePerThread=[1,");
    assert_true(d.ex.status.is_error);
    command(&d, "set nothing=3");
    assert_true(d.ex.status.is_error);
    command(&d, "set sizePerThread");
    assert_shows(&d, "set sizePerThread=VALUE: the value of sizePerThread is missing");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_int_equal(d.ex.layouts.problem.code, LW_OK);
    command(&d, "undo");
    command(&d, "undo");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    assert_int_equal(d.ex.panes.active->view.rows, 16);
    drive_close(&d);
}

static void views_colours_and_finding(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    command(&d, "view hardware");
    assert_int_equal(d.ex.panes.active->view_index, drive_view("hardware"));
    command(&d, "view nothing");
    assert_shows(&d, "unknown view");
    command(&d, "color warp");
    assert_true(d.ex.panes.active->color != 0);
    command(&d, "color nothing");
    assert_true(d.ex.status.is_error);
    command(&d, "view owners");
    command(&d, "find 3,5");
    assert_string_equal(drive_element(&d), "3,5");
    command(&d, "find t17");
    assert_string_equal(drive_element(&d), "1,4");
    command(&d, "last");
    assert_string_equal(drive_element(&d), "15,63");
    drive_close(&d);
}

static void opening(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    size_t before = d.ex.list.count;
    command(&d, "open local(3, 4)");
    assert_int_equal(d.ex.list.count, before + 1);
    assert_int_equal(d.ex.panes.active->view.rows, 3);
    command(&d, "open no/such/layout");
    assert_true(d.ex.status.is_error);
    assert_int_equal(d.ex.list.count, before + 1);
    assert_int_equal(d.ex.panes.active->view.rows, 3);
    command(&d, "open -");
    assert_true(d.ex.status.is_error);
    /* Many of them: the list moves in memory, the screen stays. */
    for (int i = 0; i < 50; i++) {
        char line[48];
        snprintf(line, sizeof line, "open local(2, %d)", i + 2);
        command(&d, line);
    }
    assert_int_equal(d.ex.list.count, before + 51);
    drive_keys(&d, "Tab Tab Home");
    assert_int_equal(d.ex.list.entry, 0);
    assert_int_equal(d.ex.panes.active->view.rows, 16);
    drive_close(&d);
}

static void calculating(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    size_t before = d.ex.list.count;
    command(&d, "it.invert()");
    assert_int_equal(d.ex.list.count, before + 1);
    assert_true(d.ex.panes.active->has_view);
    command(&d, "e mma/m16n8k16.c");
    assert_string_equal(lw_entry_name(lw_explorer_entry(&d.ex)), "mma/m16n8k16.c");
    before = d.ex.list.count - 1;
    command(&d, "let a=local(2, 2)");
    assert_shows(&d, "a is local(2, 2)");
    command(&d, "a * a");
    assert_int_equal(d.ex.list.count, before + 2);
    command(&d, "it.nonsense()");
    assert_true(d.ex.status.is_error);
    command(&d, "calc (");
    assert_true(d.ex.status.is_error);
    command(&d, "let 3=local(2, 2)");
    assert_true(d.ex.status.is_error);
    command(&d, "let averyveryverylongnameindeed=local(2, 2)");
    assert_shows(&d, "too long");
    for (int i = 0; i < 70; i++) {
        char text[40];
        snprintf(text, sizeof text, "let x%d=local(2, 2)", i);
        command(&d, text);
    }
    assert_true(d.ex.status.is_error);
    drive_close(&d);
}

/* All dims below each other are named, and those in a cell without a text of its own. */
static void axes_are_named(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(2, 1).spatial(8, 4).local(1, 2)");
    drive_resize(&d, 160, 40);
    drive_command(&d, "it.invert()");
    assert_shows(&d, "Owners: (warp, block, register) down, lane across; cells: dim0, dim1");
    drive_close(&d);
}

static void pages(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    command(&d, "help");
    assert_int_equal(d.ex.focus, LW_FOCUS_PAGE);
    assert_shows(&d, "set NAME=VALUE");
    for (int i = 0; i < 60; i++)
        drive_keys(&d, "PgDn");
    assert_hides(&d, "set NAME=VALUE");
    for (int i = 0; i < 200; i++)
        drive_keys(&d, "k");
    assert_shows(&d, "set NAME=VALUE");
    for (int height = 1; height < 30; height++) {
        drive_resize(&d, 3 * height, height);
        drive_draw(&d);
    }
    drive_keys(&d, "q");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_false(d.ex.quit);
    drive_close(&d);
}

/* The version of Triton of the layout on the screen: shown, changed, undone. */
static void versions(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "tensor<2x32xf16, #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], "
               "warpsPerCTA = [1, 1], order = [1, 0]}>>");
    drive_resize(&d, 120, 40);
    drive_command(&d, "triton");
    assert_shows(&d, "by the rules of Triton 3.9");
    assert_int_equal(d.ex.layouts.opened.subject.map.in.dim[0].size, 2);
    drive_command(&d, "triton 3.7");
    assert_shows(&d, "by the rules of Triton 3.7");
    assert_shows(&d, "blocked (Triton 3.7)");
    assert_int_equal(d.ex.layouts.opened.subject.map.in.dim[0].size, 4);
    drive_command(&d, "calc it.getInDimSize(register)");
    assert_shows(&d, "4");
    drive_command(&d, "source");
    assert_shows(&d, "\"triton\": \"3.7\"");
    drive_keys(&d, "q u");
    assert_int_equal(d.ex.layouts.opened.subject.map.in.dim[0].size, 2);
    drive_command(&d, "triton 2.9");
    assert_shows(&d, "unknown version of Triton '2.9'");
    drive_close(&d);
}

/* A command without its required word lists the legal ones; its help has more. */
static void what_may_follow(void **state)
{
    static const char *const expected[][2] = {
        {"theme", "theme: one of auto  dark  light"},
        {"color", "color: one of "},
        {"view", "view: one of owners"},
        {"target gfx942", "gfx942: AMD CDNA 3, MI300, 64 lanes per warp, 32 banks: from AMD's doc"},
        {"target sm90", "32 lanes per warp, 32 banks: measured on H200"},
        {"help wq", "wq [FILE]: save this layout, then quit"},
        {"help w", "write, w [FILE]: save this layout"},
        {"help solve", "solve, keys o: search for the best swizzle"},
        {"help no-such-thing", "no help for 'no-such-thing'"},
        {"theme light", "theme is light; :theme auto follows the terminal"},
    };
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 120, 40);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        drive_command(&d, expected[i][0]);
        assert_shows(&d, expected[i][1]);
    }
    drive_close(&d);
}

/* `it` is there also where it is not linear, and the reason is reported. */
static void computing_what_is_not_linear(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(3, 1).spatial(8, 4).local(1, 2)");
    drive_command(&d, "it.invert()");
    assert_true(d.ex.status.is_error);
    assert_shows(&d, "size 3");
    drive_keys(&d, ":");
    drive_type(&d, "it.inv");
    drive_keys(&d, "Tab");
    assert_shows(&d, "\n it.invert( ");
    assert_shows(&d, "\n it.invertAndCompose( ");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* Any command in any focus leads to a focus in which keys work. */
static void nonsense(void **state)
{
    static const char *const texts[] = {
        "",        " ",     "accept", "cancel",         "leave-help",
        "edit",    "close", "find",   "help x",         "undoo",
        "set",     "open",  "let",    "let =",          "calc",
        "((((",    "it",    "it.",    "find-next",      "step-up",
        "view",    "color", "back",   "accept-next",    "redraw",
        "it * it", "= = =", "...",    "set it=it.it()", "next-pane"};
    static const char *const ways[] = {"", "Enter", "Tab Tab"};
    (void)state;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            struct drive d;
            drive_open(&d, BLOCKED);
            drive_keys(&d, ways[w]);
            drive_keys(&d, ":");
            drive_type(&d, texts[i]);
            drive_keys(&d, "Enter");
            drive_draw(&d);
            size_t count, reachable = 0;
            const struct lw_key_action *actions = lw_key_actions(&count);
            for (size_t a = 0; a < count; a++)
                reachable += (actions[a].focus_mask & d.ex.focus) != 0;
            if (!reachable)
                fail_msg(":%s leads to focus %u, where no key works", texts[i], d.ex.focus);
            drive_keys(&d, "Esc Esc 1 G");
            drive_draw(&d);
            drive_close(&d);
        }
}

/* Tab ends a word with a blank; the one that is typed out of habit is not a second one. */
static void a_completed_word_has_one_blank(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, ": v i Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view ");
    drive_keys(&d, "Space b a");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view ba");
    drive_keys(&d, "Space");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view ba ");
    drive_keys(&d, "C-u v i Tab Left Right Space");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "view  ");
    drive_close(&d);
}

/* A second Tab puts the first candidate there, the next ones the others, and round again. */
static void tab_goes_through_the_candidates(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, ":");
    drive_type(&d, "theme ");
    drive_keys(&d, "Tab");
    assert_shows(&d, "auto  dark  light");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "theme ");
    drive_keys(&d, "Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "theme auto");
    drive_keys(&d, "Tab Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "theme light");
    for (int i = 0; i < 20 && strcmp(lw_text_string(&d.ex.prompt.line.text), "theme auto") != 0;
         i++)
        drive_keys(&d, "Tab");
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "theme auto");
    drive_keys(&d, "Backspace Tab"); /* what is there now is completed anew */
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "theme auto ");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

static void several_settings_at_once(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
               "order = [1, 0]}>, #smem>");
    drive_keys(&d, ":");
    drive_type(&d, "set vec=8 shape=[32, 64]  maxPhase=8");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "vec"), "8");
    assert_string_equal(drive_value(&d, "shape"), "[32, 64]");
    drive_keys(&d, ":");
    drive_type(&d, "set vec=4 maxPhase=4 order=[0, 1]");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "vec"), "4");
    assert_string_equal(drive_value(&d, "maxPhase"), "4");
    assert_string_equal(drive_value(&d, "order"), "[0, 1]");
    drive_keys(&d, ":");
    drive_type(&d, "set vec=2 maxPhase=");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "vec"), "4"); /* all of them or none */
    assert_shows(&d, "set maxPhase=VALUE: the value of maxPhase is missing");
    drive_command(&d, "set vec=2 noSuch=1");
    assert_string_equal(drive_value(&d, "vec"), "4");
    drive_keys(&d, "u"); /* the three are one edit */
    assert_string_equal(drive_value(&d, "vec"), "8");
    assert_string_equal(drive_value(&d, "order"), "[1, 0]");
    drive_close(&d);
}

/* Where several parts of a layout have a parameter of that name, none is changed until the command names one. */
static void which_of_one_name(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(3, 1).spatial(8, 4).local(1, 2)");
    drive_command(&d, "set shape=[4]");
    assert_true(d.ex.status.is_error);
    assert_shows(&d, "which shape? there are base.base.shape, base.shape, .shape");
    assert_false(d.ex.list.entries[0].dirty);
    drive_keys(&d, "1");
    assert_int_equal(d.ex.panes.active->view.rows, 24);
    drive_command(&d, "set base.base.shape=[2, 1]");
    assert_int_equal(d.ex.panes.active->view.rows, 16);
    drive_command(&d, "set .shape=[1, 4]");
    assert_string_equal(drive_value(&d, "shape"), "[1, 4]");
    assert_string_equal(drive_value(&d, "base.shape"), "[8, 4]");
    drive_keys(&d, ":");
    drive_type(&d, "set ");
    drive_keys(&d, "Tab");
    assert_shows(&d, "base.base.shape=");
    assert_shows(&d, "  .shape=");
    drive_keys(&d, "Esc");
    drive_close(&d);
    drive_open(&d, "spatial(8, 4).local(1, 2)"); /* of a pair the other layout may have them */
    drive_command(&d, "with local(2, 1).spatial(4, 8)");
    drive_keys(&d, "x");
    drive_command(&d, "set shape=[4]");
    assert_shows(&d, "which shape? there are load.base.shape, load.shape");
    drive_close(&d);
    drive_open(&d, BLOCKED); /* a dot does no harm where there is one alone */
    drive_command(&d, "set .shape=[32, 32]");
    assert_int_equal(d.ex.panes.active->view.rows, 32);
    drive_close(&d);
}

/* A swizzle alone is no layout: what it can be asked. */
static void a_bare_swizzle_is_explained(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "Sw<3,4,3>");
    assert_shows(&d, "Sw<3,4,3> is a swizzle: Sw<3,4,3>(17) is offset 17 swizzled");
    drive_command(&d, "Sw<3,4,3>(17)");
    assert_string_equal(d.ex.status.message, "Sw<3,4,3>(17) = 17");
    drive_command(&d, "Sw<3,4,3>(144)"); /* 1001_0000: bit 7 flips bit 4 */
    assert_string_equal(d.ex.status.message, "Sw<3,4,3>(144) = 128");
    drive_close(&d);
}

/* A command or action without an argument is not run with one. */
static void no_argument_is_taken_silently(void **state)
{
    struct drive d;
    size_t commands;
    const struct lw_prompt_command *all = lw_prompt_commands(&commands);
    (void)state;
    drive_open(&d, "start/16x16");
    const struct lw_tables *tables = &d.ex.tables;
    for (size_t i = 0; i < commands + tables->action_count; i++) {
        char line[64], message[80];
        const char *name = i < commands ? all[i].name : tables->actions[i - commands].name;
        bool takes = i < commands && *all[i].arguments;
        for (size_t c = 0; i >= commands && c < commands; c++)
            takes = takes || !strcmp(all[c].name, name); /* the command is meant */
        if (takes)
            continue;
        snprintf(line, sizeof line, "%s 3", name);
        snprintf(message, sizeof message, "%s accepts no argument; alone: ", name);
        drive_command(&d, line);
        if (!strstr(d.ex.status.message, message))
            print_error("%s: %s\n", line, d.ex.status.message);
        assert_true(d.ex.status.is_error && strstr(d.ex.status.message, message));
        assert_false(d.ex.quit);
    }
    drive_command(&d, "copy gluon");
    assert_shows(&d, "copy accepts no argument; alone: copy the grid, or the "
                     "selected cells, as text");
    drive_command(&d, "q now");
    assert_shows(&d, "quit accepts no argument");
    assert_false(d.ex.quit);
    drive_close(&d);
}

/* The name of an operation alone is no command; how it is called is said. */
static void operations_say_how_they_are_called(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "invert");
    assert_shows(&d, "invert is an operation of the calculator: :it.invert()");
    drive_command(&d, "composition");
    assert_shows(&d, "composition is an operation of the calculator: :it.composition(B)");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_swizzle_is_explained),
        cmocka_unit_test(setting),
        cmocka_unit_test(views_colours_and_finding),
        cmocka_unit_test(opening),
        cmocka_unit_test(calculating),
        cmocka_unit_test(axes_are_named),
        cmocka_unit_test(pages),
        cmocka_unit_test(versions),
        cmocka_unit_test(what_may_follow),
        cmocka_unit_test(computing_what_is_not_linear),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(a_completed_word_has_one_blank),
        cmocka_unit_test(tab_goes_through_the_candidates),
        cmocka_unit_test(several_settings_at_once),
        cmocka_unit_test(which_of_one_name),
        cmocka_unit_test(no_argument_is_taken_silently),
        cmocka_unit_test(operations_say_how_they_are_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
