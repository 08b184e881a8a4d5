/* Esc ends what takes long: a command of the program at the prompt, a large file that is read, a folder. The
 * explorer goes
 * on, keys that were typed meanwhile count, and no file is left. */

#include "tui/pseudo.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct pseudo p;
static const struct pseudo_options options = {.rows = 24, .cols = 100};
static char folder[] = "/tmp/laneway-stop.XXXXXX", kernel[64];

static void type_line(const char *format, const char *argument)
{
    char line[256];
    snprintf(line, sizeof line, format, argument);
    pseudo_send(&p, line);
}

/* Presses Esc while it works, and waits for the answer. */
static void press_escape(void)
{
    wait_for(&p, "Esc stops it");
    pseudo_send(&p, "\033");
    wait_for(&p, "stopped");
}

static int count_files(void)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *item; (item = readdir(dir)) != NULL;)
        count += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void leave_page(void)
{
    pseudo_send(&p, "\033");
    wait_gone(&p, "Commands");
    leave_with(&p, ":q\r");
}

static void command(void **state)
{
    (void)state;
    int files = count_files();
    pseudo_start(&p, &options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "q quit");
    type_line(
        ":show 'tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread=[1,1],threadsPerWarp=[4,8],"
        "warpsPerCTA=[1,1],order=[1,0]}>>' --all --format csv -o %s/grid.csv\r",
        folder);
    press_escape();
    pseudo_send(&p, ":help\r"); /* another command works */
    wait_for(&p, "Commands");
    leave_page();
    assert_int_equal(count_files(), files);
}

static void large_file(void **state)
{
    (void)state;
    pseudo_start(&p, &options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "q quit");
    type_line(":open %s\r", kernel);
    press_escape();
    leave_with(&p, "q");
}

static void typed_ahead(void **state)
{
    (void)state;
    pseudo_start(&p, &options, PSEUDO_BLOCKED, NULL);
    wait_for(&p, "q quit");
    type_line(":open %s\r", kernel);
    wait_for(&p, "Esc stops it");
    pseudo_send(&p, ":help\r"); /* for later */
    wait_for(&p, "Commands");
    leave_page();
}

static void in_a_folder(void **state)
{
    (void)state;
    pseudo_start(&p, &options, folder, NULL);
    press_escape();
    leave_with(&p, "q");
}

/* A kernel of many small operations; reading it takes a second or more. */
static int make_kernel(void **state)
{
    (void)state;
    enum { LINES = 600000 };
    if (!mkdtemp(folder))
        return 1;
    snprintf(kernel, sizeof kernel, "%s/large.ttgir", folder);
    FILE *file = fopen(kernel, "w");
    if (!file)
        return 1;
    fputs("#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, "
          "1], "
          "order = [1, 0]}>\n",
          file);
    for (int i = 0; i < LINES; i++)
        fprintf(file, "%%%d = arith.addf %%a, %%b : tensor<16x64xf16, #b>\n", i);
    return fclose(file);
}

static int remove_kernel(void **state)
{
    (void)state;
    return remove(kernel) != 0 || rmdir(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(command, pseudo_teardown),
        cmocka_unit_test_teardown(large_file, pseudo_teardown),
        cmocka_unit_test_teardown(typed_ahead, pseudo_teardown),
        cmocka_unit_test_teardown(in_a_folder, pseudo_teardown),
    };
    return cmocka_run_group_tests_name("stop", tests, make_kernel, remove_kernel);
}
