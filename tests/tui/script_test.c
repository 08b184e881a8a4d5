/* Scripts: the program run by a file, and the screens it saves. */

#include "session.h"

#include "tui/command/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/laneway-script-XXXXXX";
static char output[1 << 16];

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return remove(path);
}

/* Runs the program on arguments with a script; its exit status. What it prints, errors too, is in `output`. */
static int run(const char *arguments, const char *script)
{
    char command[4096];
    const char *program = getenv("LANEWAY");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(script, file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "%s %s --script %s 2>&1", program ? program : "build/laneway",
             arguments, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

static void assert_printed(const char *text)
{
    if (!strstr(output, text))
        fail_msg("\"%s\" is not in:\n%s", text, output);
}

static void a_script_does_what_a_user_does(void **state)
{
    (void)state;
    assert_int_equal(run("blocked/16x64", "# comments and empty lines\n\n"
                                          "  resize 100x30\n"
                                          "key Down Right\n"
                                          ":set sizePerThread=[1, 8]\n"
                                          "save-screen -\n"),
                     0);
    assert_printed("64 registers x 32 lanes");
    assert_printed("lane 16, register 4"); /* of element (1,4) */
    assert_int_equal(run("blocked/16x64", ":find r3\n"), 0);
    assert_string_equal(output, "");
    assert_int_equal(
        run("", "type local(3, 4)\nkeep\nwheel 3 5 5\nhover 5 5\ndrag 5 6\nsave-screen -\n"), 0);
    assert_printed("12 registers hold 3 x 4");
    assert_int_equal(run("", "paste local(2, 1)\\n.spatial(8, 4)\nsave-screen -\n"), 0);
    assert_printed("2 registers x 32 threads");
    assert_int_equal(run("banks/transpose-row-major", "click 2 22\nhelp\nsave-screen -\n"), 0);
    assert_printed("What people do most");
    assert_int_equal(run("banks/transpose-row-major", "play\nnext\nsave-screen -\n"), 0);
    assert_printed("2 of 32");
    assert_int_equal(run("blocked/16x64", "quit\nthis is never reached\n"), 0);
}

#define STORED                                                                                     \
    "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "            \
    "warpsPerCTA = [4, 1], order = [1, 0]}>>"
#define SWIZZLED(VEC, MAX)                                                                         \
    "#ttg.swizzled_shared<{vec = " VEC ", perPhase = 1, maxPhase = " MAX ", order = [1, 0]}>"
#define LOADED                                                                                     \
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "       \
    "warpsPerCTA = [4, 1], instrShape = [16, 8]}>, kWidth = 2}>"

/* The source line has the layouts that options add; what is typed then has its own. */
static void options_are_in_the_source_line(void **state)
{
    static const char *const arguments =
        "'" STORED "' --shared '" SWIZZLED("8", "8") "' --load '" LOADED "'";
    (void)state;
    assert_int_equal(run(arguments, "resize 200x60\nsave-screen -\n"), 0);
    assert_printed(" 64x64xf16  blocked [1,8] [4,8] [4,1] > swizzled_shared 8 1 8 > dot_op 0 of "
                   "nvidia_mma 2");
    assert_int_equal(run(arguments, "resize 200x60\npaste " STORED " > " SWIZZLED(
                                        "4", "2") " > " LOADED "\nkeep\nsave-screen -\n"),
                     0);
    assert_printed(" > swizzled_shared 4 1 2 > ");
}

static void an_error_names_its_line(void **state)
{
    static const struct {
        const char *script, *message;
    } cases[] = {
        {"\nkey Dwon\n", ":2:1: 'Dwon' is not a key"},
        {"resize 1000\n", ":1:1: expected WIDTHxHEIGHT"},
        {"resize 9000x9000\n", ":1:1: a screen has 1x1 to 2000x2000 characters"},
        {"click 1\n", ":1:1: expected ROW COLUMN"},
        {"wheel 1 2\n", ":1:1: expected LINES ROW COLUMN"},
        {"# a\n\n  dance\n", ":3:3: 'dance' is neither an action nor a line of scripts"},
        {"keep\n", ":1:1: 'keep' does not work here: the screen is layout"},
        {":set sizePerThread=[1, 3]\n", ":1:1: sizePerThread = [1, 3]: each entry must be"},
        {"save-screen /no/such/folder/x\n", ":1:1: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run("blocked/16x64", cases[i].script), 2);
        assert_printed(cases[i].message);
        assert_printed(path);
    }
}

/* Every name that `laneway help scripts` lists comes once, with its help. */
static void names_are_those_of_the_tables(void **state)
{
    const char *help, *name;
    size_t count = 0;
    (void)state;
    for (; (name = lw_tui_script_name(count, &help)) != NULL; count++) {
        const char *other, *unused;
        assert_true(*name && *help);
        for (size_t i = 0; i < count && (other = lw_tui_script_name(i, &unused)) != NULL; i++)
            assert_string_not_equal(name, other);
    }
    assert_true(count > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_does_what_a_user_does),
        cmocka_unit_test(options_are_in_the_source_line),
        cmocka_unit_test(an_error_names_its_line),
        cmocka_unit_test(names_are_those_of_the_tables),
    };
    return cmocka_run_group_tests_name("script", tests, make_file, remove_file);
}
