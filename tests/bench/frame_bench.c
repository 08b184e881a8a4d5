/* What one frame of the explorer costs: drawing it for small and huge tensors in each view, and a key
 * from the event to the finished drawing. */

#include "tui/draw/drawing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 240, HEIGHT = 67, FRAMES = 200, ACTIONS = 10000 };

static const struct {
    const char *elements, *source;
} cases[] = {
    {"2^8", "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], "
            "warpsPerCTA = [2, 2], order = [1, 0]}>>"},
    {"2^20", "tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, "
             "16], warpsPerCTA = [2, 2], order = [1, 0]}>>"},
    {"2^40", "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = "
             "[2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>"},
    {"2^20 shared", "!ttg.memdesc<1024x1024xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
                    "maxPhase = 8, order = [1, 0]}>, #smem>"},
    {"2^28 blocked", "tensor<16384x16384xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp "
                     "= [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>"},
    {"2^28 mma", "tensor<16384x16384xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, "
                 "warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>>"},
    {"2^20 access", "{\"shape\": [1024, 1024], \"element\": \"f16\", \"store\": "
                    "\"#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA "
                    "= [4, 1], order = [1, 0]}>\", \"shared\": \"#ttg.swizzled_shared<{vec = 8, "
                    "perPhase = 1, maxPhase = 8, order = [1, 0]}>\"}"},
    {"wgmma", "mma/wgmma-m64n64k16"},
    {"2^20 tilus", "local(32, 32).spatial(8, 4).local(4, 8)"},
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool open_explorer(struct lw_explorer *ex, const char *const *source,
                          struct lw_tui_options *options)
{
    struct lw_error err;
    struct lw_event size = {.kind = LW_EVENT_RESIZE, .row = HEIGHT, .col = WIDTH};
    *options = (struct lw_tui_options){.sources = source, .count = 1};
    if (!lw_explorer_init(ex, options, &err)) {
        printf("%s: %s\n", *source, err.message);
        return false;
    }
    lw_update(ex, &size);
    snprintf(ex->keep.settings.zoom, sizeof ex->keep.settings.zoom, "auto"); /* as for a user */
    lw_options_zoom(ex);
    lw_refresh(ex, LW_CHANGED_VIEW);
    return true;
}

/* The median time of a frame, the cursor at the last cell. */
static double frame_us(struct lw_explorer *ex, struct lw_surface *surface, double *times)
{
    for (int i = 0; i < FRAMES; i++) {
        double start = now_us();
        lw_draw(ex, surface);
        times[i] = now_us() - start;
    }
    qsort(times, FRAMES, sizeof *times, by_size);
    return times[FRAMES / 2];
}

static void bench_frames(void)
{
    static double times[FRAMES];
    size_t views;
    const struct lw_view_type *const *types = lw_view_types(&views);
    struct lw_surface surface = {0};
    printf("one %dx%d frame, median of %d, in us\n%-14s", WIDTH, HEIGHT, FRAMES, "elements");
    for (size_t v = 0; v < views; v++)
        printf("%12s", types[v]->name);
    printf("%12s\n", "one char");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lw_explorer ex;
        struct lw_tui_options options;
        if (!open_explorer(&ex, &cases[c].source, &options))
            continue;
        printf("%-14s", cases[c].elements);
        for (size_t v = 0; v <= views; v++) {
            lw_explorer_set_view(&ex, v < views ? v : 0);
            lw_refresh(&ex, 0);
            if (v == views) {
                ex.panes.active->detail = LW_DETAIL_CHAR;
                lw_refresh(&ex, LW_CHANGED_DETAIL);
            }
            ex.panes.active->row = ex.panes.active->view.rows ? ex.panes.active->view.rows - 1 : 0;
            ex.panes.active->col = ex.panes.active->view.cols ? ex.panes.active->view.cols - 1 : 0;
            lw_refresh(&ex, LW_CHANGED_CURSOR);
            if (ex.panes.active->has_view)
                printf("%12.1f", frame_us(&ex, &surface, times));
            else
                printf("%12s", "-");
        }
        printf("\n");
        lw_explorer_free(&ex);
    }
    lw_surface_free(&surface);
}

static uint32_t random_key(uint32_t *seed)
{
    static const char keys[] = "hjklhjklhjklgGnN0$123456cC+-\t\tuq\r\x04\x15\x12";
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t pick = *seed >> 8;
    if (pick % 4 == 0)
        return LW_KEY_FIRST + pick / 4 % (LW_KEY_BACK_TAB - LW_KEY_FIRST);
    return (uint32_t)keys[pick / 4 % (sizeof keys - 1)];
}

static void bench_keys(void)
{
    static double times[ACTIONS];
    struct lw_surface surface = {0};
    printf("\na key, from the event to the finished %dx%d frame, %d random keys, in us of this "
           "process\n%-14s%12s%12s"
           "%12s\n",
           WIDTH, HEIGHT, ACTIONS, "elements", "median", "99%", "worst");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lw_explorer ex;
        struct lw_tui_options options;
        uint32_t seed = 7;
        if (!open_explorer(&ex, &cases[c].source, &options))
            continue;
        lw_draw(&ex, &surface);
        for (int i = 0; i < ACTIONS; i++) {
            struct lw_event event = {.kind = LW_EVENT_KEY, .key = random_key(&seed)};
            double start = now_us();
            lw_update(&ex, &event);
            lw_draw(&ex, &surface);
            times[i] = now_us() - start;
            ex.quit = false;
        }
        qsort(times, ACTIONS, sizeof *times, by_size);
        printf("%-14s%12.1f%12.1f%12.1f\n", cases[c].elements, times[ACTIONS / 2],
               times[ACTIONS / 100 * 99], times[ACTIONS - 1]);
        lw_explorer_free(&ex);
    }
    lw_surface_free(&surface);
}

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

/* An hour of five keys a second, all over the gallery; nothing is edited, since what is edited can be undone
 * and so is kept. */
static void bench_hour(void)
{
    static const char keys[] = "hjklhjklgG12345678cC+-|wxvd  a\x7fnM\t\t\x04\x15?qio\033\033";
    enum { WARM = 3000, HOUR = 18000 };
    struct lw_explorer ex;
    struct lw_tui_options options = {.writes_nothing = true};
    struct lw_surface surface = {0};
    struct lw_event event = {.kind = LW_EVENT_RESIZE, .row = 40, .col = 120};
    uint32_t seed = 7;
    long before = 0;
    if (!lw_explorer_init(&ex, &options, NULL))
        return;
    lw_update(&ex, &event);
    for (size_t i = 0; i < ex.list.count; i++) /* what is read once stays */
        lw_explorer_show(&ex, i);
    for (int i = 0; i < WARM + HOUR; i++) {
        seed = seed * 1664525u + 1013904223u;
        event = (struct lw_event){.kind = LW_EVENT_KEY,
                                  .key = (uint32_t)keys[(seed >> 8) % (sizeof keys - 1)]};
        if (event.key == 0x7f)
            event.key = LW_KEY_BACKSPACE;
        if (ex.focus == LW_FOCUS_FORM)
            event.key = '\t';
        lw_update(&ex, &event);
        lw_draw(&ex, &surface);
        ex.quit = false;
        before = i == WARM ? resident_kib() : before;
    }
    printf("\nresident after %d actions %ld KiB, after %d more %ld KiB\n", WARM, before, HOUR,
           resident_kib());
    lw_explorer_free(&ex);
    lw_surface_free(&surface);
}

int main(void)
{
    bench_frames();
    bench_keys();
    bench_hour();
    return 0;
}
