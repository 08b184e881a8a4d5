/* The explorer under arbitrary events: bytes are keys, resizes, clicks and wheels, on what the first byte chooses. The
 * state is checked after each event, and what is drawn at the end. */

#include "tui/explore/explorer.h"
#include "tui/lesson/lesson_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { EVENTS_MAX = 1000 };

static const char *const sources[] = {
    NULL, /* the gallery */
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
    "lesson",
};

struct bytes {
    const uint8_t *next, *end;
};

static int take(struct bytes *bytes)
{
    return bytes->next < bytes->end ? *bytes->next++ : 0;
}

/* One event of one to three bytes: 0 to 127 is that key. */
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
        event.kind = b & 1 ? LW_EVENT_DRAG : LW_EVENT_CLICK;
        event.row = take(bytes) - 20;
        event.col = take(bytes) - 20;
    } else if (b < 248) {
        event.kind = LW_EVENT_WHEEL;
        event.row = b - 232;
        event.amount = b & 1 ? 3 : -3;
        event.col = take(bytes);
    } else { /* a character beyond ASCII, or none at all */
        event.key = (uint32_t)(take(bytes) << 8 | take(bytes)) * (b & 1 ? 1u : 17u);
    }
    return event;
}

static void check_surface(const struct lw_surface *surface)
{
    int tiles = surface->height * surface->width;
    for (int i = 0; i < tiles; i++)
        if (surface->tiles[i].pen.kind >= LW_PEN_COUNT || surface->tiles[i].code >= 0x110000)
            abort();
    if (surface->cursor_row >= surface->height || surface->cursor_col >= surface->width)
        abort();
}

static void check_state(const struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++) {
        const struct lw_view_pane *pane = &ex->panes.all[i];
        if (pane->has_view && pane->view.rows && pane->row >= pane->view.rows)
            abort();
        if (pane->has_view && pane->view.cols && pane->col >= pane->view.cols)
            abort();
    }
    if (ex->form.count && ex->form.field >= ex->form.count)
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
    struct bytes bytes = {data, data + size};
    const char *source = sources[(size_t)take(&bytes) % (sizeof sources / sizeof *sources)];
    bool lesson = source && !strcmp(source, "lesson");
    struct lw_tui_options options = {
        .sources = &source, .count = source && !lesson ? 1 : 0, .writes_nothing = true};
    struct lw_explorer ex;
    struct lw_surface surface = {.ascii = size % 2};
    if (!lw_explorer_init(&ex, &options, NULL))
        return 0;
    if (lesson && !lw_lesson_begin(&ex, "swizzling", NULL))
        abort();
    for (int i = 0; i < EVENTS_MAX && bytes.next < bytes.end && !ex.quit; i++) {
        struct lw_event event = next_event(&bytes);
        lw_update(&ex, &event);
        event_count++;
        check_state(&ex);
    }
    lw_draw(&ex, &surface);
    check_surface(&surface);
    lw_surface_free(&surface);
    lw_explorer_free(&ex);
    return 0;
}
