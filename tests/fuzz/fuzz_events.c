/* The explorer under arbitrary events: bytes are keys, pastes, resizes, the mouse, on what the first byte chooses. What
 * is drawn is checked. */

#include "tui/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { EVENTS_MAX = 1000 };

static const char *const sources[] = {
    NULL, /* the first screen */
    "start/16x16",
    "local(2, 1).spatial(8, 4).local(1, 2)",
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
    "warpsPerCTA = [1, 1], order = [1, 0]}>>",
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
    "order = [1, 0]}>, #smem>",
    "tensor<64xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], "
    "threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>}>>",
    "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>>",
    "banks/transpose-row-major",
    "tests/fuzz/small.ttgir",
    "mma/m16n8k16",
    "shared/nvmma-128",
    "banks/transpose-padded",
    "((4,8),(2,2)):((32,1),(16,8))",
    "tmem/four-tiles",
    "convert/shared",
    "local(3, 4)",
};

struct bytes {
    const uint8_t *next, *end;
};

static int take(struct bytes *bytes)
{
    return bytes->next < bytes->end ? *bytes->next++ : 0;
}

/* A text of the bytes before a zero, for a paste. */
static const char *take_text(struct bytes *bytes)
{
    static char text[64];
    size_t length = 0;
    for (int b; length + 1 < sizeof text && (b = take(bytes)) != 0;)
        text[length++] = (char)b;
    text[length] = '\0';
    return text;
}

/* One event of one byte or more: 0 to 127 is that key. */
static struct lw_event next_event(struct bytes *bytes)
{
    struct lw_event event = {.kind = LW_EVENT_KEY};
    int b = take(bytes);
    if (b < 128) {
        event.key = (uint32_t)b;
    } else if (b < 192) {
        event.key = LW_KEY_FIRST + (uint32_t)b % (LW_KEY_END_OF_LIST - LW_KEY_FIRST);
    } else if (b < 208) {
        event.kind = LW_EVENT_RESIZE;
        event.row = take(bytes) % 70;
        event.col = take(bytes) % 180;
    } else if (b < 232) {
        event.kind = b % 3 == 0 ? LW_EVENT_DRAG : b % 3 == 1 ? LW_EVENT_CLICK : LW_EVENT_HOVER;
        event.row = take(bytes) - 20;
        event.col = take(bytes) - 20;
    } else if (b < 244) {
        event.kind = LW_EVENT_WHEEL;
        event.row = b - 232;
        event.amount = b & 1 ? 3 : -3;
        event.col = take(bytes);
    } else if (b < 246) {
        event.kind = LW_EVENT_PASTE;
        event.text = take_text(bytes);
    } else if (b < 248) {
        event.kind = LW_EVENT_TICK;
    } else { /* a character beyond ASCII, or none at all */
        event.key = (uint32_t)(take(bytes) << 8 | take(bytes)) * (b & 1 ? 1u : 17u);
    }
    return event;
}

static void check(struct lw_app *app, struct lw_surface *surface)
{
    if (app->depth < 1 || app->depth > LW_SCREENS_MAX)
        abort();
    lw_app_draw(app, surface);
    for (int i = 0; i < surface->height * surface->width; i++)
        if (surface->tiles[i].pen.kind >= LW_TONE_COUNT || surface->tiles[i].code >= 0x110000)
            abort();
    if (surface->cursor_row >= surface->height || surface->cursor_col >= surface->width)
        abort();
}

static unsigned long event_count;

static void report_events(void)
{
    fprintf(stderr, "stat::number_of_events:         %lu\n", event_count);
}

/* Only the fuzzer calls it. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return atexit(report_events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { DRAWN = 16 };
    struct bytes bytes = {data, data + size};
    const char *source = sources[(size_t)take(&bytes) % (sizeof sources / sizeof *sources)];
    const struct lw_tui_options options = {
        .sources = &source, .count = source != NULL, .writes_nothing = true};
    struct lw_app app;
    struct lw_surface surface = {.ascii = size % 2};
    if (!lw_app_open(&app, &options, NULL)) {
        lw_app_close(&app);
        return 0;
    }
    for (int i = 0; i < EVENTS_MAX && bytes.next < bytes.end && !app.quit; i++) {
        struct lw_event event = next_event(&bytes);
        lw_app_event(&app, &event);
        event_count++;
        if (!app.quit && i % DRAWN == 0)
            check(&app, &surface);
    }
    if (!app.quit)
        check(&app, &surface);
    lw_surface_free(&surface);
    lw_app_close(&app);
    return 0;
}
