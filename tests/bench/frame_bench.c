/* What one frame of the explorer costs: drawing it for small and huge tensors in each view, and a key
 * from the event to the finished drawing. */

#include "tui/picture/picture.h"
#include "tui/screen.h"

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

static bool open_explorer(struct lw_app *app, const char *const *source,
                          struct lw_tui_options *options)
{
    struct lw_error err = {0};
    const struct lw_event size = {.kind = LW_EVENT_RESIZE, .row = HEIGHT, .col = WIDTH};
    *options = (struct lw_tui_options){
        .sources = source, .count = *source != NULL, .writes_nothing = true};
    if (!lw_app_open(app, options, &err)) {
        printf("%s: %s\n", *source, err.message);
        return false;
    }
    lw_app_event(app, &size);
    return true;
}

/* The median time of a frame. */
static double frame_us(struct lw_app *app, struct lw_surface *surface, double *times)
{
    for (int i = 0; i < FRAMES; i++) {
        double start = now_us();
        lw_app_draw(app, surface);
        times[i] = now_us() - start;
    }
    qsort(times, FRAMES, sizeof *times, by_size);
    return times[FRAMES / 2];
}

static void bench_frames(void)
{
    static double times[FRAMES];
    static struct lw_app app;
    struct lw_surface surface = {0};
    printf("one %dx%d frame, median of %d, in us\n%-14s", WIDTH, HEIGHT, FRAMES, "elements");
    for (size_t v = 0; lw_pictures[v]; v++)
        printf("%12s", lw_pictures[v]->name);
    printf("\n");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lw_tui_options options;
        if (!open_explorer(&app, &cases[c].source, &options))
            continue;
        printf("%-14s", cases[c].elements);
        for (size_t v = 0; lw_pictures[v]; v++)
            if (lw_layout_set_view(lw_app_top(&app), lw_pictures[v]))
                printf("%12.1f", frame_us(&app, &surface, times));
            else
                printf("%12s", "-");
        printf("\n");
        lw_app_close(&app);
    }
    lw_surface_free(&surface);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static uint32_t random_key(uint32_t *seed)
{
    static const char keys[] = "hjklhjklhjkl123456H+-fdu\t\r\x12";
    uint32_t pick = next_random(seed);
    if (pick % 4 == 0)
        return LW_KEY_FIRST + pick / 4 % (LW_KEY_BACK_TAB - LW_KEY_FIRST);
    return (uint32_t)keys[pick / 4 % (sizeof keys - 1)];
}

static void bench_keys(void)
{
    static double times[ACTIONS];
    static struct lw_app app;
    struct lw_surface surface = {0};
    printf("\na key, from the event to the finished %dx%d frame, %d random keys, in us of this "
           "process\n%-14s%12s%12s%12s\n",
           WIDTH, HEIGHT, ACTIONS, "elements", "median", "99%", "worst");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lw_tui_options options;
        uint32_t seed = 7;
        if (!open_explorer(&app, &cases[c].source, &options))
            continue;
        lw_app_draw(&app, &surface);
        for (int i = 0; i < ACTIONS && !app.quit; i++) {
            const struct lw_event event = {.kind = LW_EVENT_KEY, .key = random_key(&seed)};
            double start = now_us();
            lw_app_event(&app, &event);
            lw_app_draw(&app, &surface);
            times[i] = now_us() - start;
        }
        qsort(times, ACTIONS, sizeof *times, by_size);
        printf("%-14s%12.1f%12.1f%12.1f\n", cases[c].elements, times[ACTIONS / 2],
               times[ACTIONS / 100 * 99], times[ACTIONS - 1]);
        lw_app_close(&app);
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

/* An hour of five keys a second, all over the gallery. */
static void bench_hour(void)
{
    enum { WARM = 3000, HOUR = 18000, STAY = 40 };
    static struct lw_app app;
    struct lw_tui_options options;
    struct lw_surface surface = {0};
    uint32_t seed = 7;
    long before = 0;
    size_t entries;
    const struct lw_gallery_entry *gallery = lw_gallery(&entries);
    const char *none = NULL;
    if (!open_explorer(&app, &none, &options))
        return;
    for (int i = 0; i < WARM + HOUR && !app.quit; i++) {
        const struct lw_event event = {.kind = LW_EVENT_KEY, .key = random_key(&seed)};
        if (i % STAY == 0) {
            while (app.depth > 1)
                lw_app_pop(&app);
            lw_app_push(&app, lw_layout_new(&app, gallery[next_random(&seed) % entries].name));
        }
        lw_app_event(&app, &event);
        lw_app_draw(&app, &surface);
        before = i == WARM ? resident_kib() : before;
    }
    printf("\nresident after %d keys %ld KiB, after %d more %ld KiB\n", WARM, before, HOUR,
           resident_kib());
    lw_app_close(&app);
    lw_surface_free(&surface);
}

int main(void)
{
    bench_frames();
    bench_keys();
    bench_hour();
    return 0;
}
