/* Scripts of the explorer: the first byte chooses what is open, the rest are lines. A line does something or is refused
 * with a message; the screen is drawn at the end. */

#include "fuzz_reading.h"
#include "tui/explore/explorer.h"
#include "tui/lesson/lesson_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const sources[] = {NULL,
                                      "start/16x16",
                                      "local(3, 4).spatial(2, 3)",
                                      "banks/transpose-row-major",
                                      "tests/fuzz/small.ttgir",
                                      "lesson"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *source = sources[data[0] % (sizeof sources / sizeof *sources)];
    bool lesson = source && !strcmp(source, "lesson");
    struct lw_tui_options options = {
        .sources = &source, .count = source && !lesson ? 1 : 0, .writes_nothing = true};
    struct lw_explorer ex;
    struct lw_surface surface = {0};
    struct lw_error err = {0};
    FILE *lines = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
    must(lines != NULL);
    if (lw_explorer_init(&ex, &options, NULL)) {
        if (lesson)
            must(lw_lesson_begin(&ex, "swizzling", NULL));
        if (!lw_script_lines(&ex, lines, &err))
            check_error(&err);
        if (!ex.quit)
            lw_draw(&ex, &surface);
        lw_surface_free(&surface);
        lw_explorer_free(&ex);
    }
    fclose(lines);
    return 0;
}
