/* Random events with a fixed seed: keys, words, mouse and resizes, each followed by a drawing that is
 * checked, on documents of every kind. LANEWAY_EVENTS sets how many, LANEWAY_SEED which; under the sanitizers
 * it is the test that nothing is ever read
 * or written where it should not be. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/drive.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

#define KERNEL "tests/golden/ttgir/transpose.sm90.ttgir"

static const char *const sources[] = {
    NULL,
    "start/16x16",
    "swizzle/16x32-xor",
    "local(3, 4).spatial(2, 3)",
    "tilus/reduce-spatial-3x4",
    "(3,5):(5,1)",
    "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "banks/transpose-row-major",
    "convert/shared",
    "convert/not-linear",
    "padded/16x32-plus-4",
    "tests/golden/ttgir",
    KERNEL,
    "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", "
    "\"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], \"warpsPerCTA\": [1, 1], "
    "\"order\": [1, 0]}, \"with\": {\"encoding\": \"swizzled_shared\", \"params\": {\"vec\": 8, "
    "\"perPhase\": 1, \"maxPhase\": 8, \"order\": [1, 0]}}}",
    "{\"laneway\": 1, \"title\": \"a布局与线程\", \"about\": "
    "\"每个线程持有哪些元素取决于布局的参数 a每个线程持有哪些元素取决于布"
    "局的参数，每个线程持有哪些元素取决于布局的参数\", \"encoding\": \"blocked\", \"shape\": [16, "
    "16], "
    "\"element\": \"f16\", \"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [8, 4], "
    "\"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}",
    "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], "
    "warpsPerCTA = [2, 2], order = [1, 0]}>>",
};

#define SOURCES (sizeof sources / sizeof *sources)

/* Words that commands and fields are made of, so that more than noise is typed. */
static const char *const words[] = {
    ":set shape=",
    "32,32",
    ":view ",
    "hardware",
    ":mark ",
    "t7",
    ":compare",
    "l3 r1",
    "bank 5",
    ":open ",
    "local(2)",
    "mma/m16n8k16.c",
    ":theme ",
    "light",
    ":option ",
    "zoom=short",
    ":let a=it",
    "it.invert()",
    "999999999999",
    "[1, 2]",
    "3,5",
    ":calc ",
    ":help",
    "-1",
    ":find ",
    "order",
    ":color warp",
    ":about",
    ":warnings",
    "\x1b",
    "\r",
    "\t",
    ":source",
    ":compare local(3,4).spatial(3,2)",
    ":learn 10\r",
    ":learn conversions\r",
    ":learn 6\r",
    ":open tests/golden/ttgir\r",
    ":open nothing.json\r",
    ":open tests/tui/random_test.c\r",
    ":open /dev/null\r",
    ":open {\r",
    ":with (3,5):(5,1)\r",
    "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "2^40",
    "[1048576, 1048576]",
};

/* A lesson whose title and texts are of characters two columns wide. */
static const char *wide_lesson(void)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/wide.json", drive_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(
        "{\"lesson\": \"布局与线程\", \"learnt\": \"每个线程持有哪些元素\", \"steps\": [{\"open\": "
        "\"start/16x16\", \"text\": \"a每个线程持有哪些元素取决于布局的参数 "
        "每个线程持有哪些元素取决于布局的参数，每个线程\", "
        "\"do\": \"每个线程持有哪些元素\", \"hints\": [\"a取决于布局的参数\"], \"goal\": "
        "{\"cursor\": "
        "{\"row\": 1}}, \"solution\": [\"find 1,2\"]}]}",
        file);
    fclose(file);
    return path;
}

static struct lw_event random_event(void)
{
    struct lw_event event = {.kind = LW_EVENT_KEY};
    switch (random_below(16)) {
    case 0:
        event.kind = LW_EVENT_RESIZE;
        event.row = (int)random_below(8) ? (int)random_below(70) : 1;
        event.col = (int)random_below(8) ? (int)random_below(220) : 1;
        break;
    case 1:
    case 2:
        event.kind = random_below(2) ? LW_EVENT_CLICK : LW_EVENT_DRAG;
        event.row = (int)random_below(64) - 2;
        event.col = (int)random_below(210) - 2;
        break;
    case 3:
        event.kind = LW_EVENT_WHEEL;
        event.row = (int)random_below(60);
        event.col = (int)random_below(200);
        event.amount = random_below(2) ? 3 : -3;
        break;
    case 4:
    case 5:
    case 6:
        event.key = LW_KEY_FIRST + random_below(LW_KEY_END_OF_LIST - LW_KEY_FIRST);
        break;
    case 7:
        event.key = (uint32_t) "\r\t\x1b\x7f\x15\x12 "[random_below(7)];
        break;
    default:
        event.key = 32 + random_below(95);
    }
    return event;
}

/* True when that was a step of the cursor and no more. */
static bool act(struct drive *d)
{
    bool steps = false;
    if (random_below(10) == 0) {
        drive_type(d, words[random_below(sizeof words / sizeof *words)]);
        if (random_below(2))
            drive_keys(d, "Enter");
    } else {
        struct lw_event event = random_event();
        steps = lw_update(&d->ex, &event) == LW_CHANGED_CURSOR;
    }
    if (random_below(4) == 0 && lw_job_slice(&d->ex))
        steps = false;
    if (d->ex.clipboard.text.length)
        lw_copied(&d->ex, LW_COPIED_SENT);
    return steps;
}

/* Drawing only what a step changes leaves what drawing all does. */
static void check_step(struct drive *d)
{
    size_t count = (size_t)d->surface.height * (size_t)d->surface.width;
    lw_draw_step(&d->ex, &d->surface);
    struct lw_glyph *tiles = malloc(count * sizeof *tiles);
    assert_non_null(tiles);
    memcpy(tiles, d->surface.tiles, count * sizeof *tiles);
    lw_draw(&d->ex, &d->surface);
    for (size_t i = 0; i < count; i++)
        if (memcmp(&tiles[i], &d->surface.tiles[i], sizeof *tiles) != 0)
            fail_msg("row %d, column %d is not drawn in a step\n%s", (int)i / d->surface.width,
                     (int)i % d->surface.width, drive_screen(d));
    free(tiles);
}

static void check_cursors(const struct lw_explorer *ex)
{
    assert_true(ex->panes.active >= ex->panes.all &&
                ex->panes.active < ex->panes.all + ex->panes.count);
    for (int i = 0; i < ex->panes.count; i++) {
        const struct lw_view_pane *pane = &ex->panes.all[i];
        assert_true(!pane->has_view || !pane->view.rows || pane->row < pane->view.rows);
        assert_true(!pane->has_view || !pane->view.cols || pane->col < pane->view.cols);
    }
    assert_true(!ex->form.count || ex->form.field < ex->form.count);
    assert_true(ex->list.entry < ex->list.count || (ex->browser && !ex->list.entry));
}

static void any_events_are_harmless(void **state)
{
    const char *asked = getenv("LANEWAY_EVENTS");
    const char *first = getenv("LANEWAY_SEED");
    long left = asked ? atol(asked) : 6000;
    (void)state;
    seed = first ? (uint32_t)atol(first) : 7;
    for (size_t round = 0; left > 0; round++) {
        struct drive d;
        const char *const lessons[] = {"banks", "conversions", wide_lesson()};
        size_t kind = round % (SOURCES + sizeof lessons / sizeof *lessons);
        const struct lw_tui_options options = {
            .writes_nothing = true, .lesson = kind >= SOURCES ? lessons[kind - SOURCES] : NULL};
        drive_open_with(&d, kind < SOURCES ? sources[kind] : NULL, &options);
        if (options.lesson)
            assert_true(lw_lesson_begin(&d.ex, options.lesson, NULL));
        for (int i = 0; i < 250 && left > 0 && !d.ex.quit; i++, left--) {
            if (act(&d) && i > 0)
                check_step(&d);
            drive_draw(&d);
            check_cursors(&d.ex);
        }
        drive_close(&d);
    }
}

/* Walks through every view of every source, at every zoom and some sizes. */
static void steps_draw_what_they_change(void **state)
{
    static const char *const keys[] = {"Up",    "Down", "Left", "Right",   "Down",
                                       "Right", "Home", "End",  "PageDown"};
    static const int sizes[][2] = {{80, 24}, {120, 40}, {60, 12}, {200, 60}};
    long steps = 0;
    (void)state;
    for (size_t s = 1; s < sizeof sources / sizeof *sources; s++) {
        struct drive d;
        drive_open(&d, sources[s]);
        for (int view = '1'; view <= '9'; view++) {
            const int *size = sizes[random_below(4)];
            drive_resize(&d, size[0], size[1]);
            drive_type(&d, (const char[]){(char)view, 0});
            drive_type(&d, random_below(2) ? "-" : random_below(2) ? "--c" : "m\r");
            drive_draw(&d);
            for (int i = 0; i < 40; i++) {
                const char *name = keys[random_below(sizeof keys / sizeof *keys)];
                struct lw_event event = {.kind = LW_EVENT_KEY,
                                         .key = lw_key_of_name(name, strlen(name))};
                if (lw_update(&d.ex, &event) == LW_CHANGED_CURSOR) {
                    check_step(&d);
                    steps++;
                }
                drive_draw(&d);
            }
        }
        drive_close(&d);
    }
    assert_in_range(steps, 500, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_events_are_harmless),
                                       cmocka_unit_test(steps_draw_what_they_change)};
    return cmocka_run_group_tests_name("random", tests, drive_make_folder, drive_remove_folder);
}
