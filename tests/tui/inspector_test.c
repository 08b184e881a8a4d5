/* The explorer: the inspector, views that keep the element, and what follows the cursor. */

#include "explorer_parts.h"

#include "notation/document/lesson.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define HUGE                                                                                       \
    "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], " \
    "warpsPerCTA = [2, 2], order = [1, 0]}>>"

static void inspector_explains(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "Down Down Right Right Right");
    assert_shows(&d, "Element (2, 3)");
    assert_true(d.ex.panes.explanation.count > 1);
    for (int i = 0; i < d.ex.panes.explanation.count && i < 4; i++)
        assert_shows(&d, d.ex.panes.explanation.line[i].label);
    drive_close(&d);
}

/* Going through all the views comes back to the element that it began with. */
static void views_keep_the_element(void **state)
{
    static const char *const sources[] = {BLOCKED, SHARED, "start/16x16",
                                          "local(2, 1).spatial(8, 4).local(1, 2)"};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (int steps = 0; steps < 9; steps++) {
            struct drive d;
            char element[32];
            drive_open(&d, sources[s]);
            drive_type(&d, "1");
            for (int i = 0; i < steps; i++)
                drive_keys(&d, i % 2 ? "Right" : "Down");
            snprintf(element, sizeof element, "%s", drive_element(&d));
            assert_string_not_equal(element, "nothing");
            for (size_t v = 0; v < count; v++) {
                drive_show(&d, types[v]);
                assert_int_equal(d.ex.panes.active->view_index, v);
                drive_draw(&d);
                if (!strcmp(types[v]->name, "hardware") || !strcmp(types[v]->name, "memory"))
                    if (d.ex.panes.active->has_view)
                        assert_string_equal(drive_element(&d), element);
            }
            drive_type(&d, "1");
            assert_string_equal(drive_element(&d), element);
            drive_close(&d);
        }
}

static void zooming(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 120, 24);
    drive_keys(&d, "Down Right");
    assert_shows(&d, "T0:1");
    assert_shows(&d, "zoom full");
    size_t full = d.ex.panes.active->view.type->width(&d.ex.panes.active->view);
    drive_keys(&d, "+");
    assert_shows(&d, "zoom full");
    drive_keys(&d, "-");
    assert_shows(&d, "zoom short");
    assert_true(d.ex.panes.active->view.type->width(&d.ex.panes.active->view) <= full);
    drive_keys(&d, "-"); /* past the numbers, which look the same here */
    assert_shows(&d, "zoom two columns");
    drive_keys(&d, "-");
    assert_shows(&d, "a cell is 1x4");
    drive_keys(&d, "-");
    assert_shows(&d, "all of this view is shown");
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, "zoom one character");
    assert_int_equal(d.ex.panes.active->view.type->width(&d.ex.panes.active->view), 1);
    drive_keys(&d, "- _ -");
    assert_string_equal(drive_element(&d), "1,1");
    struct lw_grid grid;
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    assert_true(grid.cols >= 64);
    drive_keys(&d, "= + + + + + + +");
    assert_shows(&d, "T0:1");
    drive_close(&d);
}

/* What labels and letters have no room for stands on the lower border. */
static void legends_of_one_character(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 120, 24);
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, "lane: a-v = 10-31");
    drive_keys(&d, "2");
    assert_shows(&d, "zoom full"); /* each view has its own */
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, "lane: a-v = 10-31");
    drive_zoom(&d, LW_ZOOM_HALF); /* has no letters */
    assert_hides(&d, "a-v = 10");
    drive_keys(&d, "3 - -");
    assert_shows(&d, " across register.0-4 lane.0-4, down dim0.0-3 dim1.0-5 ");
    drive_keys(&d, "+ + +");
    assert_hides(&d, "across register.0-4");
    drive_close(&d);
    drive_open(&d, "shared/nvmma-128");
    drive_resize(&d, 120, 24);
    drive_keys(&d, "4");
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, "column: a-z = 10-35, A-Z = 36-61, @$ = 62-63");
    drive_close(&d);
}

/* Where there are fewer colours than values a picture opens in letters. */
static void letters_where_colours_are_few(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.start = "swizzle/16x32-plain"};
    (void)state;
    drive_open_with(&d, NULL, &options);
    d.ex.screen.few = true;
    drive_fit(&d);
    assert_shows(&d, "column: a-v = 10-31");
    assert_shows(&d, "abcdefghijklmnopqrstuv");
    drive_close(&d);
}

/* A fact is cut where there is no room for it: the inspector has all of it. */
static void facts_are_whole(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "8 Home");
    for (uint64_t row = 0; row < d.ex.panes.active->view.rows; row++) {
        struct lw_text value = {0};
        struct lw_cell cell;
        assert_int_equal(d.ex.panes.active->row, row);
        d.ex.panes.active->view.type->cell(&d.ex.panes.active->view, row, 0, &value, &cell);
        assert_int_equal(d.ex.panes.explanation.count, 2);
        assert_string_equal(lw_text_string(&d.ex.panes.explanation.line[1].text),
                            lw_text_string(&value));
        lw_text_free(&value);
        drive_keys(&d, "Down");
    }
    drive_action(&d, "first");
    for (uint64_t row = 1;
         row < d.ex.panes.active->view.rows && !drive_tile(&d, "fact         global r");)
        drive_keys(&d, "Down"), row++;
    assert_shows(&d, "fact         global rows");
    assert_shows(&d, "lines of 128 B");
    drive_close(&d);
}

/* The numbers of hardware indices are beside a long name when there is room. */
static void counts_beside_a_long_name(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(2, 1).spatial(8, 4).local(1, 2)");
    assert_shows(&d, "16x8 local  4 local x 32 threads");
    drive_close(&d);
}

/* Labels of columns stand as their cells do, at the left where these are cut. */
static void labels_stand_as_cells(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tensor<4x512xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, "
                   "1], warpsPerCTA = [4, 1], order = [1, 0]}>>");
    drive_keys(&d, "+ + +");
    struct lw_grid grid;
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    assert_true((int)d.ex.panes.active->view.type->width(&d.ex.panes.active->view) > grid.cell);
    drive_draw(&d);
    int at = grid.inside.row * d.surface.width + grid.inside.col + grid.label;
    assert_int_equal(d.surface.tiles[at].code, '0');
    drive_close(&d);
}

/* A colour key that a layout does not have is left out of the cycle, and never hides the view. */
static void colouring(void **state)
{
    static const char *const sources[] = {BLOCKED, SHARED, "local(3, 4)"};
    static const char *const own[] = {"colour lane", "colour bank", "colour local"};
    size_t keys;
    lw_color_keys(&keys);
    (void)state;
    for (int s = 0; s < 3; s++) {
        struct drive d;
        size_t seen = 0;
        drive_open(&d, sources[s]);
        drive_resize(&d, 120, 24);
        assert_shows(&d, own[s]);
        do {
            drive_keys(&d, "c");
            drive_draw(&d);
            assert_true(d.ex.panes.active->has_view);
            seen++;
        } while (d.ex.panes.active->color != 0 && seen < 100);
        assert_true(seen >= 2 && seen <= keys + 1);
        for (size_t i = 0; i < seen; i++) {
            drive_keys(&d, "C");
            assert_true(d.ex.panes.active->has_view);
        }
        assert_int_equal(d.ex.panes.active->color, 0);
        drive_close(&d);
    }
}

/* Tiles of one lane share an ink, those of its neighbour have another. */
static void inks_follow_the_colour_key(void **state)
{
    struct lw_tui_options options = {.color_by = "lane"};
    struct drive d;
    (void)state;
    drive_open_with(&d, BLOCKED, &options);
    drive_keys(&d, "H H"); /* nothing is lit */
    drive_keys(&d, "G");
    const struct lw_glyph *a = drive_tile(&d, "T16:0"), *b = drive_tile(&d, "T16:1"),
                          *c = drive_tile(&d, "T17:0");
    if (!a || !b || !c) {
        drive_keys(&d, "g");
        a = drive_tile(&d, "T0:1");
        b = drive_tile(&d, "T0:2");
        c = drive_tile(&d, "T1:0");
    }
    assert_true(a && b && c);
    assert_int_equal(a->pen.kind, LW_PEN_FILL);
    assert_int_equal(a->pen.shade, b->pen.shade);
    assert_int_not_equal(a->pen.shade, c->pen.shade);
    drive_close(&d);
}

/* A view that cannot show a layout shows the reason, and the other views still work. */
static void views_that_do_not_fit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "local(3, 4)");
    drive_action(&d, "first");
    lw_explorer_set_view(&d.ex, drive_view("matrix"));
    lw_refresh(&d.ex, 0);
    assert_false(d.ex.panes.active->has_view);
    assert_true(d.ex.panes.active->view_problem.message[0]);
    drive_draw(&d);
    drive_keys(&d, "G Down + c / 1 , 1 Enter g");
    drive_draw(&d);
    drive_type(&d, "1");
    assert_true(d.ex.panes.active->has_view);
    drive_close(&d);
}

static void mouse(void **state)
{
    struct drive d;
    struct lw_grid grid;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_draw(&d);
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    drive_click(&d, grid.inside.row + 1 + 2,
                grid.inside.col + grid.label + 3 * (grid.cell + grid.gap));
    assert_string_equal(drive_element(&d), "2,3");
    drive_wheel(&d, grid.inside.row + 2, grid.inside.col + 5, 3);
    assert_string_equal(drive_element(&d), "5,3");
    drive_wheel(&d, grid.inside.row + 2, grid.inside.col + 5, -30);
    assert_string_equal(drive_element(&d), "0,3");
    /* Outside of every pane, and far away. */
    drive_click(&d, 0, 0);
    drive_click(&d, 23, 79);
    drive_click(&d, -5, -5);
    drive_click(&d, 5000, 5000);
    assert_string_equal(drive_element(&d), "0,3");
    drive_resize(&d, 120, 30);
    struct lw_panes panes;
    lw_panes(&d.ex, &panes);
    drive_click(&d, panes.form.row + 2, panes.form.col + 4);
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_click(&d, panes.view[0].row + 2, panes.view[0].col + 4);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

static void mouse_in_the_list(void **state)
{
    struct drive d;
    struct lw_panes panes;
    (void)state;
    drive_open(&d, NULL);
    lw_panes(&d.ex, &panes);
    drive_draw(&d);
    drive_click(&d, panes.list.row + 4, 5);
    assert_int_equal(d.ex.list.entry, 3);
    drive_wheel(&d, panes.list.row + 4, 5, 3);
    assert_int_equal(d.ex.list.entry, 6);
    /* Its lower border is no line of it. */
    drive_click(&d, panes.list.row + panes.list.height - 1, 5);
    assert_int_equal(d.ex.list.entry, 6);
    drive_close(&d);
}

/* ---- Everything in the gallery ---- */

static void gallery_in_every_view(void **state)
{
    size_t count, entries, lessons, kernels;
    const struct lw_view_type *const *types = lw_view_types(&count);
    struct drive d;
    (void)state;
    lw_gallery(&entries);
    lw_gallery_kernels(&kernels);
    lw_lessons(&lessons);
    assert_true(entries >= 20);
    drive_open(&d, NULL);
    for (size_t i = 0; i < entries; i++) {
        assert_int_equal(d.ex.list.entry, i);
        if (d.ex.list.entries[i].broken || d.ex.layouts.problem.code != LW_OK)
            fail_msg("%s: %s", d.ex.list.entries[i].source, d.ex.layouts.problem.message);
        assert_true(d.ex.layouts.has_opened);
        if (!d.ex.panes.active->has_view)
            fail_msg("%s: %s", d.ex.list.entries[i].source,
                     d.ex.panes.active->view_problem.message);
        drive_draw(&d);
        drive_keys(&d, "Enter");
        for (size_t v = 0; v < count; v++) {
            drive_show(&d, types[v]);
            drive_draw(&d);
            drive_keys(&d, "G - -");
            drive_draw(&d);
            drive_keys(&d, "g + + c");
            drive_draw(&d);
            assert_true(d.ex.panes.active->has_view || d.ex.panes.active->view_problem.message[0]);
        }
        drive_keys(&d, "Tab Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        drive_keys(&d, "Down");
    }
    drive_keys(&d, "Home");
    assert_int_equal(d.ex.list.entry, 0);
    drive_keys(&d, "G");
    assert_int_equal(d.ex.list.entry, entries + kernels + lessons - 1);
    drive_close(&d);
}

/* The colour chosen for one layout does not make another one disappear. */
static void gallery_in_every_colour(void **state)
{
    size_t keys, entries;
    const struct lw_color_key *key = lw_color_keys(&keys);
    (void)state;
    lw_gallery(&entries);
    for (size_t k = 0; k <= keys; k++) {
        struct drive d;
        drive_open(&d, NULL);
        d.ex.panes.active->color = k;
        for (size_t i = 0; i < entries; i++) {
            if (!d.ex.panes.active->has_view)
                fail_msg("%s by %s: %s", d.ex.list.entries[i].source, k ? key[k - 1].name : "auto",
                         d.ex.panes.active->view_problem.message);
            drive_keys(&d, "Down");
        }
        drive_close(&d);
    }
}

/* ---- 2^40 elements ---- */

static void huge_tensors_scroll(void **state)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    struct drive d;
    struct timespec start, end;
    (void)state;
    timespec_get(&start, TIME_UTC);
    drive_open(&d, HUGE);
    drive_resize(&d, 200, 60);
    for (size_t v = 0; v < count; v++) {
        drive_show(&d, types[v]);
        for (int i = 0; i < 3; i++) {
            drive_keys(&d, "G");
            drive_draw(&d);
            drive_keys(&d, "Up PgUp C-u Home");
            drive_draw(&d);
            drive_keys(&d, "End Left G -");
            drive_draw(&d);
        }
        drive_keys(&d, "+ + +");
    }
    drive_type(&d, "1");
    drive_keys(&d, "G");
    assert_string_equal(drive_element(&d), "1048575,1048575");
    assert_shows(&d, "1048575");
    drive_keys(&d, "/");
    drive_type(&d, "77777,99999");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_element(&d), "77777,99999");
    drive_close(&d);
    timespec_get(&end, TIME_UTC);
    /* Two hundred frames: seconds would mean that something is not lazy. */
    assert_true(end.tv_sec - start.tv_sec < 20);
}

/* ---- ASCII ---- */

static void ascii_only(void **state)
{
    static const char *const ways[] = {"", "Enter", "Tab Tab", "?", "/ x", "3", "4", "5", "6"};
    struct lw_tui_options options = {.ascii = true};
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        drive_open_with(&d, BLOCKED, &options);
        drive_resize(&d, 140, 50);
        drive_keys(&d, ways[i]);
        drive_draw(&d);
        drive_close(&d);
    }
}

/* In the list: the text of a layout in two lines without a frame ends after a whole word, before the key that
 * shows all of it, and nothing is after that. */
static void a_cut_text_ends_after_a_word(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.start = "tilus/tcgen05-16x64b"};
    int seen = 0;
    (void)state;
    drive_open_with(&d, NULL, &options);
    drive_fit(&d);
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    for (int width = 60; width <= 100; width++) {
        drive_resize(&d, width, 24);
        const char *screen = drive_screen(&d), *hint = strstr(screen, " i: all");
        if (d.ex.panes.inspector != LW_INSPECTOR_LOW || !hint)
            continue;
        assert_true(hint[strlen(" i: all")] == '\n');
        const char *cut = hint;
        while (cut > screen && cut[-1] == ' ')
            cut--;
        assert_true(cut - screen > 3);
        bool marked = !memcmp(cut - strlen("…"), "…", strlen("…")); /* else a line ended there */
        seen += marked;
        const char *end = cut -= marked ? strlen("…") : 0;
        while (cut > screen && cut[-1] != ' ' && cut[-1] != '\n')
            cut--;
        char word[64];
        snprintf(word, sizeof word, " %.*s ", (int)(end - cut), cut);
        assert_true(word[1] != ' ');
        assert_non_null(strstr(lw_explorer_entry(&d.ex)->doc->about, word));
    }
    assert_true(seen > 5);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inspector_explains),
        cmocka_unit_test(views_keep_the_element),
        cmocka_unit_test(zooming),
        cmocka_unit_test(a_cut_text_ends_after_a_word),
        cmocka_unit_test(legends_of_one_character),
        cmocka_unit_test(letters_where_colours_are_few),
        cmocka_unit_test(facts_are_whole),
        cmocka_unit_test(counts_beside_a_long_name),
        cmocka_unit_test(labels_stand_as_cells),
        cmocka_unit_test(colouring),
        cmocka_unit_test(inks_follow_the_colour_key),
        cmocka_unit_test(views_that_do_not_fit),
        cmocka_unit_test(mouse),
        cmocka_unit_test(mouse_in_the_list),
        cmocka_unit_test(gallery_in_every_view),
        cmocka_unit_test(gallery_in_every_colour),
        cmocka_unit_test(huge_tensors_scroll),
        cmocka_unit_test(ascii_only),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
