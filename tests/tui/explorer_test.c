/* The explorer without a terminal: its table of actions, its focuses, its views, any size. */

#include "notation/document/lesson.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "          \
    "order = [1, 0]}>, #smem>"
#define HUGE                                                                                       \
    "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], " \
    "warpsPerCTA = [2, 2], order = [1, 0]}>>"

/* ---- The table of actions ---- */

/* The next key name of an action's list into `name`; where the list goes on, NULL at its end. */
static const char *next_key(const char *keys, char name[16])
{
    keys += strspn(keys, " ");
    size_t length = strcspn(keys, " ");
    if (!length)
        return NULL;
    assert_true(length < 16);
    memcpy(name, keys, length);
    name[length] = '\0';
    return keys + length;
}

static void actions_have_words(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        const struct lw_key_action *a = &actions[i];
        assert_true(a->name[0] &&
                    strspn(a->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(a->name));
        assert_ptr_equal(lw_key_action_find(&d.ex, a->name), a);
        assert_true(a->keys && a->keys[0]);
        assert_true(a->help && a->help[0] && !strchr(a->help, '\n'));
        assert_true(!a->hint || strlen(a->hint) < 10);
        assert_non_null(a->run);
        assert_true(a->focus_mask != 0);
    }
    assert_null(lw_key_action_find(&d.ex, "no-such-action"));
    drive_close(&d);
}

/* Each key of each action leads to it at each focus that it has, so none is bound twice. */
static void actions_are_reachable(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    char name[16];
    (void)state;
    for (size_t i = 0; i < count; i++)
        for (const char *keys = actions[i].keys; (keys = next_key(keys, name)) != NULL;) {
            uint32_t key = lw_key_of_name(name, strlen(name));
            assert_int_not_equal(key, 0);
            for (unsigned focus = 1; focus < 1u << 16; focus <<= 1) {
                const struct lw_key_action *found = lw_key_action_for(focus, key);
                if (actions[i].focus_mask & focus)
                    assert_ptr_equal(found, &actions[i]);
                else
                    assert_ptr_not_equal(found, &actions[i]);
            }
        }
}

static void views_have_free_keys(void **state)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (!types[i]->key)
            continue;
        assert_true(types[i]->key >= '1' && types[i]->key <= '9');
        assert_null(lw_key_action_for(LW_FOCUS_VIEW, (uint32_t)types[i]->key));
        assert_null(lw_key_action_for(LW_FOCUS_GALLERY, (uint32_t)types[i]->key));
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(types[i]->key, types[j]->key);
    }
}

/* Arrows, a letter, a view's own key and the mouse choose from the list of views. */
static void views_are_listed(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "V");
    assert_shows(&d, "Views");
    assert_shows(&d, "Facts");
    drive_keys(&d, "Down Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(d.ex.panes.active->view_index, 1);
    drive_keys(&d, "V m m Enter"); /* Matrix, Memory */
    assert_int_equal(d.ex.panes.active->view_index, drive_view("memory"));
    drive_keys(&d, "V 1");
    assert_int_equal(d.ex.panes.active->view_index, 0);
    drive_keys(&d, "Tab V Up Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_int_equal(d.ex.panes.active->view_index, 0);
    drive_keys(&d, "V");
    drive_screen(&d);
    for (int row = 0; row < 24 && d.ex.focus == LW_FOCUS_VIEWS; row++)
        if (d.surface.tiles[row * 80 + 5].code == 'B') /* Banks or Bases */
            drive_click(&d, row, 20);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(d.ex.panes.active->view_index, drive_view("banks"));
    drive_resize(&d, 30, 6);
    drive_keys(&d, "V");
    drive_wheel(&d, 3, 10, 3);
    drive_screen(&d);
    drive_click(&d, 0, 0); /* elsewhere: closed */
    assert_int_not_equal(d.ex.focus, LW_FOCUS_VIEWS);
    drive_close(&d);
}

/* All tabs are there in 80 columns, long titles cut; with less room only the shown view has its title. */
static void tabs_fit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "2");
    assert_shows(&d,
                 " 1 Owners 2 Hardware 3 Matrix 4 Memory 5 Banks 6 Conv. 7 Bases 8 Facts 9 Nota.");
    assert_int_equal(lw_tab_at(&d.ex, (int)strlen("  1 Owners 2 Hardware 3")), 2);
    assert_int_equal(
        lw_tab_at(&d.ex, (int)strlen("  1 Owners 2 Hardware 3 Matrix 4 Memory 5 Banks 6 C")), 5);
    drive_keys(&d, "9");
    assert_shows(&d,
                 "  1 Owners 2 Hard. 3 Matrix 4 Memory 5 Banks 6 Conv. 7 Bases 8 Facts 9 Notation");
    drive_keys(&d, "2");
    drive_resize(&d, 70, 20);
    assert_shows(&d, " 1 Owners 2 Hardware 3 Matrix 4 5 6 7 Bases 8 Facts 9 Notation");
    drive_resize(&d, 56, 20);
    assert_shows(&d, "1 2 Hardware 3 4 5 6 7 8 9");
    assert_int_equal(lw_tab_at(&d.ex, (int)strlen("  1 2 Hardware ")), 2);
    drive_resize(&d, 10, 5);
    assert_shows(&d, "need 24x6");
    drive_close(&d);
}

/* At any width the tab of the view that is shown is whole, apart from the one before; a mark is where more follow. */
static void the_tab_shown_is_whole(void **state)
{
    static const char *const sources[] = {"mma/m16n8k16", "banks/transpose-row-major",
                                          "local(3, 4).spatial(2, 3)"};
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        struct drive d;
        drive_open(&d, sources[s]);
        for (size_t view = 0; view < count; view++) {
            lw_explorer_set_view(&d.ex, view);
            for (int width = 24; width <= 130; width += 7) {
                char tab[48], title[32];
                drive_resize(&d, width, 24);
                char *line = strdup(strchr(drive_screen(&d), '\n') + 1);
                *strchr(line, '\n') = '\0';
                snprintf(title, sizeof title, "%s", types[view]->title);
                if (types[view]->key)
                    snprintf(tab, sizeof tab, " %c %s", types[view]->key, title);
                else
                    snprintf(tab, sizeof tab, "  %s", title);
                if (!strstr(line, tab))
                    fail_msg("%s at %d columns: '%s' is not in '%s'", sources[s], width, tab, line);
                bool all = strstr(line, " 1") && strstr(line, " 9");
                assert_int_equal(strstr(line, "…") != NULL, !all);
                free(line);
            }
        }
        drive_close(&d);
    }
}

static void letters_are_free_while_typing(void **state)
{
    (void)state;
    for (uint32_t key = 32; key < 127; key++) {
        assert_null(lw_key_action_for(LW_FOCUS_EDIT, key));
        assert_null(lw_key_action_for(LW_FOCUS_FIND, key));
    }
}

static void help_lists_everything(void **state)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    struct drive d;
    char keys[32];
    (void)state;
    drive_open(&d, BLOCKED);
    drive_resize(&d, 100, 400);
    drive_keys(&d, "?");
    for (size_t i = 0; i < count; i++) {
        if (!drive_has_help_of_places(actions[i].name))
            assert_shows(&d, actions[i].help);
        snprintf(keys, sizeof keys, " %s ", actions[i].keys);
        assert_shows(&d, keys);
    }
    /* The focus it was called from comes first. */
    const char *screen = drive_screen(&d);
    assert_true(strstr(screen, "In the view") < strstr(screen, "In the form"));
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "Enter F1");
    screen = drive_screen(&d);
    assert_true(strstr(screen, "In the form") < strstr(screen, "In the view"));
    drive_keys(&d, "q");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_close(&d);
}

static void help_scrolls(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "?");
    assert_shows(&d, "In the view");
    for (int i = 0; i < 40; i++)
        drive_keys(&d, "PgDn");
    assert_shows(&d, "On this screen");
    assert_hides(&d, "In the view");
    drive_keys(&d, "k k k k");
    for (int i = 0; i < 40; i++)
        drive_keys(&d, "PgUp");
    assert_shows(&d, "In the view");
    assert_int_equal(d.ex.page.top, 0);
    drive_close(&d);
}

static void key_names(void **state)
{
    char name[16];
    (void)state;
    for (uint32_t key = 1; key < LW_KEY_END_OF_LIST; key++) {
        if (key == 0x3000)
            key = LW_KEY_FIRST;
        lw_key_name(key, name);
        if (!name[0])
            continue;
        uint32_t back = lw_key_of_name(name, strlen(name));
        if (key == '\n')
            assert_int_equal(back, '\r');
        else if (key == 127)
            assert_int_equal(back, LW_KEY_BACKSPACE);
        else
            assert_int_equal(back, key);
    }
    assert_int_equal(lw_key_of_name("", 0), 0);
    assert_int_equal(lw_key_of_name("Nonsense", 8), 0);
}

/* Every action in every focus, with everything that can be open: no failure. */
static void actions_anywhere(void **state)
{
    static const char *const sources[] = {BLOCKED, SHARED, "local(3, 4)", NULL};
    static const char *const ways[] = {"", "Enter", "Tab Tab", "Enter Enter", "/", "?"};
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    (void)state;
    for (int s = 0; s < 4; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (size_t i = 0; i < count; i++) {
                struct drive d;
                drive_open(&d, sources[s]);
                drive_keys(&d, sources[s] ? ways[w] : "Enter");
                drive_keys(&d, sources[s] ? "" : ways[w]);
                actions[i].run(&d.ex, actions[i].argument);
                lw_refresh(&d.ex, 0);
                drive_screen(&d);
                drive_keys(&d, "1 5 Enter Down +");
                drive_screen(&d);
                drive_close(&d);
            }
}

/* ---- Focus ---- */

static void tab_goes_round(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_shows(&d, "Parameters");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_shows(&d, "Layouts");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_hides(&d, "Layouts");
    drive_keys(&d, "S-Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_close(&d);
}

static void quitting(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "Enter q");
    assert_false(d.ex.quit);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "q");
    assert_true(d.ex.quit);
    drive_close(&d);
    drive_open(&d, BLOCKED);
    drive_keys(&d, "/ q q C-c");
    assert_true(d.ex.quit);
    drive_close(&d);
}

static void panes_fold(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    assert_shows(&d, "Layouts");
    drive_keys(&d, "Enter");
    assert_hides(&d, "Layouts");
    assert_hides(&d, "Parameters");
    drive_resize(&d, 100, 30);
    assert_hides(&d, "Layouts");
    assert_hides(&d, "Parameters"); /* so that each bank has two columns */
    drive_keys(&d, "P");
    assert_shows(&d, "Parameters");
    drive_keys(&d, "4");
    assert_shows(&d, "Parameters");
    drive_resize(&d, 120, 30);
    assert_shows(&d, "Layouts");
    assert_shows(&d, "Parameters");
    drive_resize(&d, 20, 30);
    assert_shows(&d, "too small");
    drive_close(&d);
}

/* Draws and looks at every size; the checks are those of the helper and of the sanitizers. */
static void every_size(void **state)
{
    static const char *const ways[] = {"", "Tab", "Tab Tab", "Enter 3", "/ x", "?"};
    (void)state;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct drive d;
        drive_open(&d, BLOCKED);
        drive_keys(&d, ways[w]);
        for (int height = 1; height <= 67; height++)
            for (int width = 1 + (int)w; width <= 200; width += 6)
                for (int again = 0; again < 2; again++) {
                    drive_resize(&d, again ? 201 - width : width, height);
                    drive_screen(&d);
                }
        drive_close(&d);
    }
}

/* The cursor stays on the screen: its cell is drawn as such wherever there is room for one. */
static void cursor_in_sight(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    drive_keys(&d, "G");
    for (int height = 6; height <= 40; height++)
        for (int width = 24; width < 130; width += 3) {
            int marked = 0;
            drive_resize(&d, width, height);
            drive_screen(&d);
            for (int i = 0; i < height * width; i++)
                marked += d.surface.tiles[i].pen.kind == LW_PEN_CURSOR;
            assert_true(marked > 0);
        }
    drive_close(&d);
}

/* ---- The view ---- */

static void moving(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, BLOCKED);
    assert_string_equal(drive_element(&d), "0,0");
    drive_keys(&d, "Down l l Right j");
    assert_string_equal(drive_element(&d), "2,3");
    drive_keys(&d, "k Left");
    assert_string_equal(drive_element(&d), "1,2");
    drive_keys(&d, "End");
    assert_string_equal(drive_element(&d), "1,63");
    drive_keys(&d, "Right G Down");
    assert_string_equal(drive_element(&d), "15,63");
    drive_keys(&d, "g Up Left");
    assert_string_equal(drive_element(&d), "0,0");
    drive_keys(&d, "PgDn PgDn PgDn");
    assert_string_equal(drive_element(&d), "15,0");
    drive_keys(&d, "C-u");
    assert_true(d.ex.panes.active->row < 15 && d.ex.panes.active->row > 0);
    drive_keys(&d, "$");
    assert_int_equal(d.ex.panes.active->col, 63);
    drive_keys(&d, "0");
    assert_int_equal(d.ex.panes.active->col, 0);
    drive_close(&d);
}

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
                drive_screen(&d);
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
    assert_shows(&d, "zoom one character");
    assert_int_equal(d.ex.panes.active->view.type->width(&d.ex.panes.active->view), 1);
    drive_keys(&d, "- _ -");
    assert_string_equal(drive_element(&d), "1,1");
    struct lw_grid grid;
    lw_grid(&d.ex, d.ex.panes.active, &grid);
    assert_true(grid.cols >= 64);
    drive_keys(&d, "= + + + + + +");
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
    drive_keys(&d, "- - -");
    assert_shows(&d, "lane: a-v = 10-31");
    drive_keys(&d, "2");
    assert_shows(&d, "zoom full"); /* each view has its own */
    drive_keys(&d, "- - -");
    assert_shows(&d, "lane: a-v = 10-31");
    drive_keys(&d, "-"); /* halves have no letters */
    assert_hides(&d, "a-v = 10");
    drive_keys(&d, "3 - -");
    assert_shows(&d, " across register.0-4 lane.0-4, down dim0.0-3 dim1.0-5 ");
    drive_keys(&d, "+ + +");
    assert_hides(&d, "across register.0-4");
    drive_close(&d);
    drive_open(&d, "shared/nvmma-128");
    drive_resize(&d, 120, 24);
    drive_keys(&d, "4 - - -");
    assert_shows(&d, "column: a-z = 10-35, A-Z = 36-61, @$ = 62-63");
    drive_close(&d);
}

/* Where there are fewer colours than values a picture opens in letters. */
static void letters_where_colours_are_few(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    d.ex.screen.few = true;
    drive_fit(&d);
    assert_shows(&d, "lane: a-v = 10-31");
    assert_shows(&d, "gggghhhhiiiijjjj");
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
    assert_shows(&d, "lines of 128 bytes");
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
    drive_screen(&d);
    int at = grid.inside.row * d.surface.width + grid.inside.col + grid.label;
    assert_int_equal(d.surface.tiles[at].code, '0');
    drive_close(&d);
}

/* A colour key that a layout does not have is left out of the cycle, and never hides the view. */
static void colouring(void **state)
{
    static const char *const sources[] = {BLOCKED, SHARED, "local(3, 4)"};
    static const char *const own[] = {"colour lane", "colour bank", "colour thread"};
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
            drive_screen(&d);
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
    drive_screen(&d);
    drive_keys(&d, "G Down + c / 1 , 1 Enter g");
    drive_screen(&d);
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
    drive_screen(&d);
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
    drive_screen(&d);
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
    size_t count, entries, lessons;
    const struct lw_view_type *const *types = lw_view_types(&count);
    struct drive d;
    (void)state;
    lw_gallery(&entries);
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
        drive_screen(&d);
        drive_keys(&d, "Enter");
        for (size_t v = 0; v < count; v++) {
            drive_show(&d, types[v]);
            drive_screen(&d);
            drive_keys(&d, "G - -");
            drive_screen(&d);
            drive_keys(&d, "g + + c");
            drive_screen(&d);
            assert_true(d.ex.panes.active->has_view || d.ex.panes.active->view_problem.message[0]);
        }
        drive_keys(&d, "Tab Tab");
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        drive_keys(&d, "Down");
    }
    drive_keys(&d, "Home");
    assert_int_equal(d.ex.list.entry, 0);
    drive_keys(&d, "G");
    assert_int_equal(d.ex.list.entry, entries + lessons - 1);
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
            drive_screen(&d);
            drive_keys(&d, "Up PgUp C-u Home");
            drive_screen(&d);
            drive_keys(&d, "End Left G -");
            drive_screen(&d);
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
        drive_screen(&d);
        drive_close(&d);
    }
}

static char folder[] = "/tmp/laneway-explorer.XXXXXX";

/* What actions save lands there. */
static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_have_words),
        cmocka_unit_test(actions_are_reachable),
        cmocka_unit_test(views_have_free_keys),
        cmocka_unit_test(letters_are_free_while_typing),
        cmocka_unit_test(views_are_listed),
        cmocka_unit_test(help_lists_everything),
        cmocka_unit_test(help_scrolls),
        cmocka_unit_test(key_names),
        cmocka_unit_test(actions_anywhere),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(quitting),
        cmocka_unit_test(panes_fold),
        cmocka_unit_test(every_size),
        cmocka_unit_test(cursor_in_sight),
        cmocka_unit_test(moving),
        cmocka_unit_test(inspector_explains),
        cmocka_unit_test(views_keep_the_element),
        cmocka_unit_test(zooming),
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
        cmocka_unit_test(tabs_fit),
        cmocka_unit_test(the_tab_shown_is_whole),
        cmocka_unit_test(ascii_only),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
