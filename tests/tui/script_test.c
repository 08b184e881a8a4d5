/* Scripts: the explorer driven by a file, and the screens it saves. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

static char script_path[] = "/tmp/laneway-script-XXXXXX";
static char screen_path[] = "/tmp/laneway-screen-XXXXXX";

static int make_files(void **state)
{
    (void)state;
    int script = mkstemp(script_path), screen = mkstemp(screen_path);
    return script < 0 || screen < 0 || close(script) || close(screen);
}

static int remove_files(void **state)
{
    (void)state;
    return remove(script_path) || remove(screen_path);
}

/* Runs a script; `%s` in it is the file of the screen. */
static bool run(struct drive *d, const char *script, struct lw_error *err)
{
    FILE *file = fopen(script_path, "w");
    assert_non_null(file);
    for (const char *p = script; *p; p++)
        if (p[0] == '%' && p[1] == 's') {
            fputs(screen_path, file);
            p++;
        } else {
            fputc(*p, file);
        }
    fclose(file);
    memset(err, 0, sizeof *err);
    return lw_script_run(&d->ex, script_path, err);
}

static char *saved(void)
{
    static char buffer[1 << 16];
    FILE *file = fopen(screen_path, "r");
    assert_non_null(file);
    buffer[fread(buffer, 1, sizeof buffer - 1, file)] = '\0';
    fclose(file);
    return buffer;
}

static void saved_screen_is_what_is_drawn(void **state)
{
    struct drive d;
    struct lw_error err;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_true(run(&d,
                    "# comments and empty lines\n\n"
                    "  resize 100x30\n"
                    "key Down Down Right\n"
                    "save-screen %s\n",
                    &err));
    assert_string_equal(saved(), drive_screen(&d));
    assert_string_equal(drive_element(&d), "2,1");
    assert_non_null(strstr(saved(), "T0:5"));
    drive_close(&d);
}

static void edits_by_script(void **state)
{
    struct drive d;
    struct lw_error err;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_true(run(&d,
                    "resize 80x24\n"
                    "find\n"
                    "type sizePer\n"
                    "accept\n"
                    "right\n"
                    "type 2\n"
                    "key Enter\n"
                    "close\n"
                    "save-screen %s\n",
                    &err));
    assert_non_null(strstr(saved(), "T1:0"));
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 2]");
    assert_true(run(&d, "undo\nsave-screen %s\n", &err));
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 4]");
    assert_true(run(&d, "redo\nundo\nredo\nclick 4 20\nzoom-out\nhelp\nsave-screen %s\n", &err));
    assert_non_null(strstr(saved(), "In the view"));
    drive_close(&d);
}

/* quit ends a script. */
static void quitting(void **state)
{
    struct drive d;
    struct lw_error err;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_true(run(&d, "quit\nthis is never reached\n", &err));
    assert_true(d.ex.quit);
    drive_close(&d);
}

/* A kernel has no layout open: actions on layouts are refused, with a prompt open over the list too. */
static void actions_on_layouts_in_the_list_of_a_kernel(void **state)
{
    static const char *const scripts[] = {"next-pane\n", "form\n",          "pick-view\n",
                                          "open\n",      "command\nopen\n", "help\nform\n"};
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char script[64];
        struct drive d;
        struct lw_error err;
        drive_open(&d, "tests/golden/ttgir/matmul.sm80.ttgir");
        snprintf(script, sizeof script, "%ssave-screen %%s\n", scripts[i]);
        assert_true(run(&d, script, &err));
        assert_non_null(
            strstr(d.ex.status.message, "needs a layout: Enter opens one of this list"));
        assert_string_equal(saved(), drive_screen(&d));
        drive_close(&d);
    }
    struct drive d;
    struct lw_error err;
    drive_open(&d, "tests/golden/ttgir/matmul.sm80.ttgir");
    assert_true(run(&d, "form\nother-list\nenter\nform\nsave-screen %s\n", &err));
    assert_string_equal(d.ex.status.message, "");
    drive_close(&d);
}

static void actions_on_the_list_below_a_prompt(void **state)
{
    static const char *const scripts[] = {"help\nhelp\n", "command\ncommand\n", "find\nhelp\n"};
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char script[64];
        struct drive d;
        struct lw_error err;
        drive_open(&d, "tests/golden/ttgir/matmul.sm80.ttgir");
        snprintf(script, sizeof script, "%ssave-screen %%s\n", scripts[i]);
        assert_true(run(&d, script, &err));
        assert_non_null(strstr(d.ex.status.message, "close what is open over it first"));
        drive_close(&d);
    }
}

static void wrong_scripts(void **state)
{
    static const struct {
        const char *script, *message;
        int line;
    } cases[] = {
        {"nonsense\n",
         "'nonsense' is neither an action nor key, type, paste, resize, click, save-screen", 1},
        {"down\n\n  key Down Sideways\n", "'Sideways' is not a key", 3},
        {"resize 80\n", "resize 80: expected WIDTHxHEIGHT", 1},
        {"resize 0x5\n", "resize 0x5: expected WIDTHxHEIGHT", 1},
        {"resize 80x24 \n", "resize 80x24 : expected WIDTHxHEIGHT", 1},
        {"click 1\n", "click 1: expected ROW COLUMN", 1},
        {"save-screen /no/such/folder/x\n", "/no/such/folder/x: No such file or directory", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        struct lw_error err;
        drive_open(&d, BLOCKED);
        assert_false(run(&d, cases[i].script, &err));
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.position.line, cases[i].line);
        drive_close(&d);
    }
    struct drive d;
    struct lw_error err = {0};
    drive_open(&d, BLOCKED);
    assert_false(lw_script_run(&d.ex, "/no/such/script", &err));
    assert_string_equal(err.message, "/no/such/script: No such file or directory");
    drive_close(&d);
}

static char *panes_of(char *screen)
{
    char *start = strchr(strchr(screen, '\n') + 1, '\n') + 1, *end = strrchr(screen, '\n');
    *end = '\0';
    strrchr(start, '\n')[1] = '\0';
    return start;
}

/* The panes, character for character: what is between the tabs and the status line. Worked out by
 * hand from the definitions of the layouts. */
static void expected_screens(void **state)
{
    static const char element[] =
        "╭ Owners: dim0 down, dim1 across ──────────────────────────────╮\n"
        "│            0         1         2         3        map        ┃\n"
        "│  0  w0 l0 r0  w0 l0 r1  w0 l1 r0  w0 l1 r1        ▀▀▀▀▀▀▀▀▀▀ ┃\n"
        "│  1  w0 l0 r2  w0 l0 r3  w0 l1 r2  w0 l1 r3        ▀▀▀▀▀▀▀▀▀▀ ┃\n"
        "│  2  w0 l8 r0  w0 l8 r1  w0 l9 r0  w0 l9 r1        ▀▀▀▀▀▀▀▀▀▀ │\n"
        "│  3  w0 l8 r2  w0 l8 r3  w0 l9 r2  w0 l9 r3        ▀▀▀▀▀▀▀▀▀▀ │\n"
        "│  4 w0 l16 r0 w0 l16 r1 w0 l17 r0 w0 l17 r1        ▀▀▀▀▀▀▀▀▀▀ │\n"
        "│  5 w0 l16 r2 w0 l16 r3 w0 l17 r2 w0 l17 r3                   │\n"
        "│  6 w0 l24 r0 w0 l24 r1 w0 l25 r0 w0 l25 r1                   │\n"
        "╰━ colours: lane ────────── rows 0-6 of 16  columns 0-3 of 16 ─╯\n"
        "╭ Element (2, 3) ──────────────────────────────────────────────╮\n"
        "│ held by      warp 0, lane 9, register 1 (thread 9)           │\n"
        "│ thread holds (2,2) (2,3) (3,2) (3,3)                         │\n"
        "╰─────────────────────────────────────────────── i: all of it ─╯\n";
    static const char illegal[] =
        "╭ Owners: dim0 down, dim1 across; T2:1 is thread 2, register 1 ────╮╭ Parameters "
        "──────────────────────╮\n"
        "│         0      1      2      3      4      5      6  map         ┃│ tensor              "
        "             │\n"
        "│  0   T0:0   T0:1   T0:2   T0:3   T1:0   T1:1   T1:2  ▀▀▀▀▀▀▀▀▀▀▀ ┃│  shape           "
        "[16, 64]        │\n"
        "│  1  T16:0  T16:1  T16:2  T16:3  T17:0  T17:1  T17:2  ▀▀▀▀▀▀▀▀▀▀▀ ┃│  element         "
        "f16             │\n"
        "│  2   T0:4   T0:5   T0:6   T0:7   T1:4   T1:5   T1:6              ┃│ blocked             "
        "             │\n"
        "│  3  T16:4  T16:5  T16:6  T16:7  T17:4  T17:5  T17:6              ││ ▸sizePerThread   "
        "[1, 3]          │\n"
        "│  4   T0:8   T0:9  T0:10  T0:11   T1:8   T1:9  T1:10              ││    sizePerThread = "
        "[1, 3]: each  │\n"
        "│  5  T16:8  T16:9 T16:10 T16:11  T17:8  T17:9 T17:10              ││    entry must be a "
        "power of two  │\n"
        "│  6  T0:12  T0:13  T0:14  T0:15  T1:12  T1:13  T1:14              ││  threadsPerWarp  "
        "[2, 16]         │\n"
        "│  7 T16:12 T16:13 T16:14 T16:15 T17:12 T17:13 T17:14              ││  warpsPerCTA     "
        "[1, 1]          │\n"
        "╰━ the last legal layout ────── rows 0-7 of 16  columns 0-6 of 64 "
        "─╯╰──────────────────────────────────╯\n"
        "╭ sizePerThread "
        "───────────────────────────────────────────────────────────────────────────────────────╮\n"
        "│ elements along each dim that a thread holds side by side                                "
        "             │\n"
        "│ a list of integers, each a power of two, one for each dim                               "
        "             │\n"
        "╰─────────────────────────────────────────────────────────────────────────────────────────"
        "─────────────╯\n";
    static const char ascii[] = "+ Owners: dim0 down, dim1 across ------+\n"
                                "|      0    1    2    3    4    5      |\n"
                                "| 0 0: 0 0: 1 1: 0 1: 1 2: 0 2: 1      |\n"
                                "| 1 3: 0 3: 1 4: 0 4: 1 5: 0 5: 1      |\n"
                                "|                                      |\n"
                                "| 2 0: 2 0: 3 1: 2 1: 3 2: 2 2: 3      |\n"
                                "| 3 3: 2 3: 3 4: 2 4: 3 5: 2 5: 3      |\n"
                                "|                                      |\n"
                                "+- t5 i1: (1,5) -----------------------+\n";
    const struct lw_tui_options plain = {.ascii = true};
    struct drive d;
    struct lw_error err;
    (void)state;
    drive_open(&d, "start/16x16");
    assert_true(run(&d, "resize 64x17\nkey Down Down Right Right Right\nsave-screen %s\n", &err));
    assert_string_equal(panes_of(saved()), element);
    drive_close(&d);
    drive_open(&d, BLOCKED);
    assert_true(
        run(&d, "resize 104x18\nkey Enter Down Down Right\ntype 3\nsave-screen %s\n", &err));
    assert_string_equal(panes_of(saved()), illegal);
    drive_close(&d);
    drive_open_with(&d, "local(2, 1).spatial(2, 3).local(1, 2)", &plain);
    assert_true(run(&d, "resize 40x12\nkey 1\nfind\ntype t5 i1\naccept\nsave-screen %s\n", &err));
    assert_string_equal(panes_of(saved()), ascii);
    drive_close(&d);
}

/* The reason of a failure is that of the script also when a key of the line cleared the message. */
static void a_reason_is_kept(void **state)
{
    struct drive d;
    struct lw_error err;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_false(run(&d, "key :\ntype write /no/such/folder/x.json\nkey Enter Esc Esc\n", &err));
    assert_non_null(strstr(err.message, "saving failed: /no/such/folder"));
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_screen_is_what_is_drawn),
        cmocka_unit_test(edits_by_script),
        cmocka_unit_test(quitting),
        cmocka_unit_test(actions_on_layouts_in_the_list_of_a_kernel),
        cmocka_unit_test(actions_on_the_list_below_a_prompt),
        cmocka_unit_test(wrong_scripts),
        cmocka_unit_test(expected_screens),
        cmocka_unit_test(a_reason_is_kept),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
