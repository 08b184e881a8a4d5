/* How long the explorer works without asking whether to stop: the longest time of the processor between two
 * questions, and
 * the longest step of what is done in steps between events. Esc ends work within 0.1 s when none is longer than
 * that. */

#include "kernel/kernel_folder.h"
#include "laneway/kernel.h"
#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KERNEL_LINES = 60000, FOLDER_FILES = 3000, STEPS_MAX = 3000 };

static double ran_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct gaps {
    double last, longest;
    size_t count;
} gaps;

static bool ask(void *unused)
{
    double now = ran_ms();
    (void)unused;
    if (now - gaps.last > gaps.longest)
        gaps.longest = now - gaps.last;
    gaps.last = now;
    gaps.count++;
    return false;
}

static void begin(void)
{
    gaps = (struct gaps){.last = ran_ms()};
}

static void end(const char *what)
{
    ask(NULL);
    printf("%-44s %8zu questions, longest without one %7.1f ms%s\n", what, gaps.count, gaps.longest,
           gaps.longest > 100 ? "  TOO LONG" : "");
}

static void press(struct lw_explorer *ex, const char *text)
{
    for (; *text; text++) {
        struct lw_event event = {.kind = LW_EVENT_KEY, .key = (uint32_t)*text};
        lw_update(ex, &event);
        ask(NULL); /* the loop reads what was typed between events */
    }
}

/* Opens a source, types a line and makes all steps of what that begins. */
static void time_work(const char *what, const char *source, const char *line)
{
    const struct lw_tui_options options = {.sources = &source, .count = 1, .writes_nothing = true};
    struct lw_explorer ex;
    struct lw_surface surface = {0};
    struct lw_error err;
    const struct lw_event size = {.kind = LW_EVENT_RESIZE, .row = 60, .col = 200};
    if (!lw_explorer_init(&ex, &options, &err)) {
        printf("%-44s %s\n", what, err.message);
        return;
    }
    begin(); /* what is read before the first screen is ended by signals */
    ex.stop = (struct lw_stop){ask, NULL};
    lw_update(&ex, &size);
    press(&ex, line);
    for (int i = 0; ex.job.step && i < STEPS_MAX; i++) {
        if (!ex.job.step(&ex, &ex.job))
            lw_job_finish(&ex);
        ask(NULL);
    }
    lw_draw(&ex, &surface);
    end(what);
    lw_surface_free(&surface);
    lw_explorer_free(&ex);
}

static void time_reading(const char *what, const char *path)
{
    const struct lw_kernel_options options = {.stop = ask};
    struct lw_kernel kernel;
    struct lw_kernel_folder folder;
    struct lw_error err;
    begin();
    if (lw_is_folder(path)) {
        if (lw_kernel_folder_open(&folder, path, &options, &err))
            lw_kernel_folder_free(&folder);
    } else if (lw_kernel_open(&kernel, path, &options, &err)) {
        lw_kernel_free(&kernel);
    }
    end(what);
}

#define LAYOUT                                                                                     \
    "#ttg.blocked<{sizePerThread = [1, %d], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], "      \
    "order = [%s]}>"

static void write_kernel(const char *path, const char *layout_of_each)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(2);
    for (int i = 0; i < 4; i++)
        fprintf(file, "#b%d = " LAYOUT "\n", i, 1 << i, i % 2 ? "0, 1" : "1, 0");
    for (int i = 0; i < KERNEL_LINES; i++) {
        if (*layout_of_each)
            fprintf(file, "#c%d = " LAYOUT "\n", i, 1 << i % 4, layout_of_each);
        fprintf(file, "%%%d = ttg.convert_layout %%x : tensor<4096x%dxf16, #b%d> -> ", i,
                64 << i % 7, i % 4);
        fprintf(file, "tensor<4096x%dxf16, #b%d>\n", 64 << i % 7, (i + 1) % 4);
    }
    fclose(file);
}

static void write_folder(const char *folder)
{
    char path[256];
    for (int i = 0; i < FOLDER_FILES; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        mkdir(path, 0700);
        snprintf(path, sizeof path, "%s/%d/kernel.ttgir", folder, i);
        FILE *file = fopen(path, "w");
        if (!file)
            exit(2);
        fputs("module {\n}\n", file);
        fclose(file);
    }
}

int main(void)
{
    static const char wide[] = "spatial(4, 8).local(512, 256)";
    static const char large[] =
        "{\"source\": \"tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp "
        "= [4, 8], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>>\", \"with\": \"tensor<1024x1024xf16, "
        "#ttg.blocked<{sizePerThread = "
        "[8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>\"}";
    static const char converted[] =
        "{\"source\": \"tensor<16384x16384xf16, #ttg.blocked<{sizePerThread = [1, 8], "
        "threadsPerWarp = [4, 8], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>>\", \"with\": \"tensor<16384x16384xf16, "
        "#ttg.blocked<{sizePerThread = "
        "[8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>\"}";
    char folder[] = "/tmp/laneway-bench-XXXXXX", path[64], many[64], command[160];
    if (!mkdtemp(folder))
        return 2;
    snprintf(path, sizeof path, "%s/kernel.ttgir", folder);
    snprintf(many, sizeof many, "%s/folder", folder);
    mkdir(many, 0700);
    write_folder(many);
    write_kernel(path, "1, 0");
    time_reading("a kernel of 60,000 layouts is read", path);
    write_kernel(path, "");
    time_reading("a kernel of 60,000 operations is read", path);
    time_reading("a folder of 3,000 folders is read", many);
    time_work("the costs of 60,000 operations", path, "");
    time_work("the costs of a folder", "tests/golden/ttgir", "");
    time_work("a comparison of a million elements", wide,
              ":compare spatial(8, 4).local(256, 512)\r");
    snprintf(command, sizeof command, ":export %s/picture.svg\r", folder);
    time_work("a picture of a million cells is written", wide, command);
    time_work("the search for a swizzle", "banks/transpose-row-major", "o");
    time_work("the same of 1024 x 1024", large, "o");
    time_work("the banks of 1024 x 1024", large, "5jjll");
    time_work("a conversion of 16384 x 16384", converted, "6jjll");
    time_work("a composition of large layouts", wide,
              ":calc composition((1048576,1048576):(1,1048576), "
              "(1024,1024,1024):(1048576,1,1024))\r");
    time_work("the complement of a large layout", wide,
              ":calc complement((2,3,5,7,11,13):(2,12,60,420,4620,60060), 1073741824)\r");
    time_work("all of a view is copied", wide, "Y");
    time_work("a value is found", wide, "/1048575\r");
    time_work("a layout of 2^40 elements is opened", wide, ":set shape=[1048576, 1048576]\r");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
