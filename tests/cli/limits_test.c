/* Behaviour at the limits: closed pipes, full disks, files that appear whole, huge and hostile input. */

#include "cli/options.h"
#include "cli/program.h"
#include "support/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory in KiB and a time. */
#if SANITIZED
#define LIMITED "timeout 60 "
#else
#define LIMITED "ulimit -v 262144; timeout 60 "
#endif

#define HUGE_TYPE                                                                                  \
    "'tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [1, 1], "                          \
    "threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>'"

/* Runs a command and compares everything. */
static void gives(const char *command, int status, const char *out, const char *err)
{
    struct result result;
    run_command(&result, command);
    if (result.status != status || strcmp(result.out, out) != 0 || strcmp(result.err, err) != 0)
        print_message("$ %s\nstatus %d\n-- out\n%s-- err\n%s", command, result.status, result.out,
                      result.err);
    assert_int_equal(result.status, status);
    assert_string_equal(result.out, out);
    assert_string_equal(result.err, err);
    result_free(&result);
}

/* ---- Streams ---- */

static void closed_pipe(void **state)
{
    (void)state;
    gives("{ sleep 0.2; laneway show 'spatial(64, 64)'; echo $? >&2; } | :", 0, "", "0\n");
    gives("laneway show 'spatial(64, 64)' | head -n 1", 0,
          "RegisterLayout(shape=[64, 64], mode_shape=[64, 64], spatial_modes=[0, 1], "
          "local_modes=[])\n",
          "");
    gives("yes 'spatial(4, 8)' | laneway bases --batch --json | head -c 5", 0, "{\"in\"", "");
}

static void full_disk(void **state)
{
    (void)state;
    const char *full = "laneway: standard output: No space left on device\n";
    gives("laneway list >/dev/full", 2, "", full);
    gives("laneway help >/dev/full", 2, "", full);
    gives("laneway --version >/dev/full", 2, "", full);
    gives("laneway bases 'spatial(4, 8)' >/dev/full", 2, "", full);
    gives("laneway apply 'spatial(4, 8)' --at 1,1 >/dev/full", 2, "", full);
    gives("laneway show 'spatial(4, 8)' >/dev/full", 2, "", full);
    gives("yes 'spatial(4, 8)' | laneway bases --batch >/dev/full", 2, "", full);
    gives("laneway bases 'spatial(4, 8)' -o /dev/full", 2, "",
          "laneway: /dev/full: this is a device or a pipe, not a regular file\n");
}

static void full_disk_of_exports(void **state)
{
    (void)state;
    struct lw_choice format;
    for (size_t i = 0; lw_choices_formats.at(NULL, i, &format); i++) {
        struct result result;
        char command[128];
        snprintf(command, sizeof command, "laneway show 'spatial(64, 64)' --format %s >/dev/full",
                 format.name);
        run_command(&result, command);
        assert_int_equal(result.status, 2);
        assert_memory_equal(result.err, "laneway: ", 9);
        assert_ptr_equal(strchr(result.err, '\n'), result.err + result.err_length - 1);
        result_free(&result);
    }
}

static void output_file(void **state)
{
    (void)state;
    gives("cd $SCRATCH && laneway list -o l.txt && laneway list | cmp - l.txt && ls", 0,
          "bin\nl.txt\n", "");
    gives("cd $SCRATCH && echo old >f && laneway bases nothing-like-this -o f 2>/dev/null; "
          "cat f; rm f; ls",
          0, "old\nbin\nl.txt\n", "");
    gives("cd $SCRATCH && umask 027 && laneway --version >v && laneway list -o m && "
          "stat -c %a m && chmod 604 m && laneway list -o m && stat -c %a m; rm v m",
          0, "640\n604\n", "");
    gives("cd $SCRATCH && echo >real && ln -s real link && laneway list -o link && "
          "test -L link && cmp real l.txt; rm link real",
          0, "", "");
    gives("cd $SCRATCH && laneway list -o none/f", 2, "",
          "laneway: none/f: No such file or directory\n");
    gives("laneway list -o - | head -c 0", 0, "", "");
}

static void batch_answers_at_once(void **state)
{
    (void)state;
    gives("cd $SCRATCH && { echo 'spatial(4, 8)'; sleep 1; grep -c bases answer >&2; } | "
          "laneway bases --batch >answer; rm answer",
          0, "", "1\n");
}

/* ---- Size ---- */

static void huge_shapes(void **state)
{
    (void)state;
    struct result result;
    run_command(&result, LIMITED "laneway show " HUGE_TYPE);
    assert_int_equal(result.status, 2);
    assert_string_equal(result.out, "");
    assert_non_null(strstr(result.err, "--rows"));
    assert_non_null(strstr(result.err, "--all"));
    result_free(&result);
    run_command(&result, LIMITED "laneway show --rows 1048572: --cols 1048570:1048574 " HUGE_TYPE);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.err, "");
    assert_true(result.out_length > 100);
    result_free(&result);
    gives(LIMITED "laneway apply " HUGE_TYPE " --at 1048575,1048575", 0,
          "register=34359738367 lane=31 warp=0 block=0\n", "");
}

static void many_owners(void **state)
{
    (void)state;
    gives(LIMITED
          "laneway apply --triton 3.8 'tensor<1x1xf16, #ttg.blocked<{sizePerThread = [1024, 32], "
          "threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>' --at 0,0 | "
          "wc -l",
          0, "1048576\n", "");
}

static void a_million_cells(void **state)
{
    (void)state;
    gives(LIMITED "laneway show 'spatial(4, 8).local(256, 128)' --style plain | wc -l", 0, "1025\n",
          "");
}

/* A list of half a million instructions. */
static void a_long_list(void **state)
{
    (void)state;
#if SANITIZED
    const char *limited = "";
#else
    const char *limited = "ulimit -v 262144; ";
#endif
    char command[512];
    snprintf(command, sizeof command,
             "%slaneway banks '#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], "
             "warpsPerCTA = [8, 1], order = [1, 0]}>' '#ttg.swizzled_shared<{vec = 1, "
             "perPhase = 1, maxPhase = 1, order = [1, 0]}>' -t 4096x4096xf32 --json | "
             "tail -c 60",
             limited);
    gives(command, 0,
          "cts\":0}],\"wavefronts\":524288,\"ideal\":524288,"
          "\"conflicts\":0}}\n",
          "");
}

/* What cannot be read at all has another status than what was read and is wrong. */
static void unread(void **state)
{
    (void)state;
    gives("cd $SCRATCH; truncate -s 65M big.json; laneway show big.json; echo $?; rm big.json", 0,
          "2\n", "laneway: big.json has more than 67108864 bytes\n");
    gives("laneway show no-such-file.json", 2, "",
          "laneway: no-such-file.json: No such file or directory\n");
    gives(
        "echo '{' | laneway show -; echo $?", 0, "2\n",
        "laneway: standard input:2:1: expected a name in double quotes, but the text ends here\n");
    gives("laneway show 'spatial(4, 8)' --no-such-option 2>/dev/null", 2, "", "");
}

/* A picture that is too large is refused by laneway, not by what a library prints. */
static void huge_picture(void **state)
{
    (void)state;
    gives("laneway show 'spatial(8, 4).local(128, 4)' --format png 2>&1 >/dev/null | "
          "sed 's/^laneway: .*png.*/refused/'",
          0, "refused\n", "");
    gives("timeout 200 laneway show 'tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [2, 4], "
          "threadsPerWarp = [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>' --all --format png "
          "2>&1 >/dev/null | "
          "sed 's/^laneway: .*png.*/refused/'",
          0, "refused\n", "");
    gives("(exec 3<&- 4<&- 5<&- 6<&- 7<&-; ulimit -n 4; exec laneway show start/4x4 -o "
          "$SCRATCH/x.png) 2>&1 | "
          "grep -cE 'Too many open files|was built without'",
          0, "1\n", "");
}

/* A document that is too large, or prints too much, stays as it was. */
static void huge_document(void **state)
{
    (void)state;
    gives("cd $SCRATCH; truncate -s 65M big.md; timeout 60 laneway docs big.md; echo $?; rm big.md",
          0, "2\n", "laneway: big.md has more than 67108864 bytes\n");
    gives("cd $SCRATCH; printf '%s\\n' \"<!-- laneway: show 'local(1024, 1024)' --all -->\" old "
          "'<!-- /laneway -->' >much.md; cp much.md old.md; laneway docs much.md; echo $?; "
          "cmp much.md old.md && rm much.md old.md",
          0, "2\n", "laneway: much.md:1: it prints over 16777216 bytes\n");
}

/* An element of very many owners has a text as long. */
static void huge_cells(void **state)
{
    (void)state;
    gives("timeout 60 laneway show blocked/16x64 --set 'threadsPerWarp=[65536, 65536]'; echo $?", 0,
          "2\n",
          "laneway: 1024 cells with texts of up to 917503 characters are more than 2^28: choose "
          "some with --rows and --cols, or use --all\n");
}

/* ---- Hostile text ---- */

/* Refused with status 2 and a message, under the limits, whether it comes as an argument, on standard
 * input or in a batch. */
static void refused(const char *input, size_t length)
{
    struct result result;
    run_with_input(&result, LIMITED "laneway show -", input, length);
    if (result.status != 2)
        print_message("status %d for %.200s\n%s", result.status, input, result.err);
    assert_int_equal(result.status, 2);
    assert_string_equal(result.out, "");
    assert_memory_equal(result.err, "laneway: ", 9);
    result_free(&result);
    run_with_input(&result, LIMITED "laneway bases --batch", input, length);
    assert_int_equal(result.status, 0);
    assert_memory_equal(result.out, "{\"error\":", 9);
    assert_string_equal(result.err, "");
    result_free(&result);
}

static void repeated(const char *piece, size_t times)
{
    size_t length = strlen(piece);
    char *text = malloc(length * times + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, piece, length);
    refused(text, length * times);
    free(text);
}

static void deep_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"(",
                                         "[",
                                         "{",
                                         "{\"a\":",
                                         "{\"encoding\":\"slice\",\"params\":{\"parent\":",
                                         "reduce(",
                                         "local(2).",
                                         "#ttg.slice<{dim = 0, parent = ",
                                         "tensor<",
                                         "4*",
                                         "\"",
                                         "\\"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        repeated(pieces[i], 20000);
}

static void odd_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "local(2147483648, 2147483648, 2147483648)",
        "local(18446744073709551616)",
        "local(NaN)",
        "local(1e9)",
        "spatial(-1)",
        "{\"encoding\":\"blocked\",\"encoding\":\"blocked\"}",
        "{\"encoding\":NaN}",
        "{\"laneway\":1}",
        "{}",
        "[]",
        "\xff\xfe",
        "local(\xe2\x82)",
        "tensor<99999999999999999999x2xf16>",
        "tensor<16x16xf16>",
        "#ttg.blocked<{sizePerThread = [1, 4]}>",
        "..",
        "laneway",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        refused(texts[i], strlen(texts[i]));
    refused("local(2)\0x", 10);
}

static void long_batch(void **state)
{
    (void)state;
    gives("seq 1 20000 | sed 's/.*/spatial(4, 8).local(&)/' | { " LIMITED
          "laneway bases --batch --json; } | grep -c bases",
          0, "15\n", "");
}

/* The state of an explorer is not on the stack. */
static void small_stack(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* their frames are larger */
    gives("ulimit -s 192; echo quit | laneway start/16x16 --script - && "
          "echo quit | laneway learn 1 --script - && laneway learn 1 -o \"$SCRATCH/1.html\" && "
          "laneway learn --check >\"$SCRATCH/check\" && rm \"$SCRATCH/1.html\" \"$SCRATCH/check\"",
          0, "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_stack),   cmocka_unit_test(closed_pipe),
        cmocka_unit_test(full_disk),     cmocka_unit_test(full_disk_of_exports),
        cmocka_unit_test(output_file),   cmocka_unit_test(batch_answers_at_once),
        cmocka_unit_test(huge_shapes),   cmocka_unit_test(a_long_list),
        cmocka_unit_test(many_owners),   cmocka_unit_test(a_million_cells),
        cmocka_unit_test(unread),        cmocka_unit_test(huge_picture),
        cmocka_unit_test(huge_document), cmocka_unit_test(huge_cells),
        cmocka_unit_test(deep_text),     cmocka_unit_test(odd_text),
        cmocka_unit_test(long_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
