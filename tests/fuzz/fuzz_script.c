/* Scripts of the explorer: the first byte chooses what is open, the rest are lines. A line does something or is refused
 * with a message; the screen is drawn at the end. */

#include "tui/command/command.h"
#include "fuzz_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const sources[] = {NULL,
                                      "start/16x16",
                                      "local(3, 4).spatial(2, 3)",
                                      "banks/transpose-row-major",
                                      "tests/fuzz/small.ttgir",
                                      "shared/nvmma-128"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *source = sources[data[0] % (sizeof sources / sizeof *sources)];
    const struct lw_tui_options options = {
        .sources = &source, .count = source != NULL, .writes_nothing = true};
    struct lw_app app;
    struct lw_surface surface = {0};
    struct lw_error err = {0};
    FILE *lines = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
    must(lines != NULL);
    if (lw_app_open(&app, &options, &err)) {
        if (!lw_script_read(&app, lines, &err))
            check_error(&err);
        if (!app.quit)
            lw_app_draw(&app, &surface);
        lw_surface_free(&surface);
    }
    lw_app_close(&app);
    fclose(lines);
    return 0;
}
