/* The explorer without a terminal: its table of actions, its focuses, its views, any size. */

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
    drive_draw(&d);
    for (int row = 0; row < 24 && d.ex.focus == LW_FOCUS_VIEWS; row++)
        if (d.surface.tiles[row * 80 + 5].code == 'B') /* Banks or Bases */
            drive_click(&d, row, 20);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(d.ex.panes.active->view_index, drive_view("banks"));
    drive_resize(&d, 30, 6);
    drive_keys(&d, "V");
    drive_wheel(&d, 3, 10, 3);
    drive_draw(&d);
    drive_click(&d, 0, 0); /* elsewhere: closed */
    assert_int_not_equal(d.ex.focus, LW_FOCUS_VIEWS);
    drive_close(&d);
}

/* The numbers of hardware indices stay beside the mark of an edit: words of them are shortened, then the name. */
static void counts_stay_beside_an_edit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/2x2-ctas");
    assert_shows(&d, "32x32xf32   4 regs x 32 lanes x 2 warps x 4 blocks");
    drive_field(&d, "order");
    drive_keys(&d, "x");
    assert_shows(&d, " blocked/2x2-ctas *   32x32xf32");
    assert_shows(&d, "4 regs, 32 lanes, 2 warps, 4 blocks");
    drive_close(&d);
    drive_open(&d, "ttgir/matmul.gfx1100/dot-a");
    assert_shows(&d, " ttgir/matmul.gfx1100/dot-a ");
    drive_field(&d, "shape");
    drive_keys(&d, "+");
    assert_shows(&d, " matmul.gfx1100/dot-a * ");
    assert_shows(&d, " 512 regs x 32 lanes x 4 warps");
    drive_close(&d);
}

/* In 80 columns titles are whole words: those of the views of this layout, and where it has all views as many as there
 * is room for, always those beside the shown one; with less room only these have a title, then the shown one alone. */
static void tabs_fit(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_keys(&d, "2");
    assert_shows(&d, " 1 Owners 2 Hardware 3 Matrix 4 5 6 7 Bases 8 Facts 9 Notation ");
    assert_int_equal(lw_tab_at(&d.ex, (int)strlen("  1 Owners 2 Hardware 3")), 2);
    assert_int_equal(lw_tab_at(&d.ex, (int)strlen("  1 Owners 2 Hardware 3 Matrix 4 5 ")), 5);
    drive_keys(&d, "3");
    assert_shows(&d, " 1 Owners 2 Hardware 3 Matrix 4 Memory 5 6 7 Bases 8 Facts 9 Notation");
    drive_keys(&d, "5");
    assert_shows(&d, " 4 Memory 5 Banks 6 Conversion 7 Bases ");
    drive_close(&d);
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "1");
    assert_shows(&d, " 1 Owners 2 Hardware 3 Matrix 4 Memory 5 Banks 6 Conversion 7 Bases ");
    drive_keys(&d, "9");
    assert_shows(&d, "…  3 Matrix 4 Memory 5 Banks 6 Conversion 7 Bases 8 Facts 9 Notation");
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_keys(&d, "2");
    drive_resize(&d, 70, 20);
    assert_shows(&d, " 1 Owners 2 Hardware 3 Matrix 4 5 6 7 Bases 8 Facts 9 Notation");
    drive_resize(&d, 56, 20);
    assert_shows(&d, "1 Owners 2 Hardware 3 Matrix 4 5 6 7 8 9");
    drive_resize(&d, 36, 20);
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
    assert_shows(&d, "close this screen");
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
                drive_draw(&d);
                drive_keys(&d, "1 5 Enter Down +");
                drive_draw(&d);
                drive_close(&d);
            }
}

/* ---- Focus ---- */

/* In a narrow pane the dims of a matrix have their names or their letters, which are not cut. */
static void heads_of_a_matrix_are_whole(void **state)
{
    struct drive d;
    int letters = 0;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 80, 30);
    drive_keys(&d, "3 | Tab 1");
    for (int width = 50; width < 120; width++) {
        drive_resize(&d, width, 30);
        const char *frame = strstr(drive_screen(&d), "╭ Matrix"), *line;
        if (!frame || !(line = strchr(frame, '\n')))
            continue;
        const char *end = strstr(line + 1, "│"), *bar = end ? strstr(end + 1, "│") : NULL;
        const char *cut = strstr(line, "…");
        assert_true(!cut || !bar || cut > bar);
        letters += strstr(line, " r ") != NULL && strstr(line, " lane ") != NULL;
    }
    assert_true(letters > 0);
    drive_close(&d);
}

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
                    drive_draw(&d);
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
            drive_draw(&d);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_have_words),
        cmocka_unit_test(actions_are_reachable),
        cmocka_unit_test(views_have_free_keys),
        cmocka_unit_test(views_are_listed),
        cmocka_unit_test(counts_stay_beside_an_edit),
        cmocka_unit_test(tabs_fit),
        cmocka_unit_test(the_tab_shown_is_whole),
        cmocka_unit_test(letters_are_free_while_typing),
        cmocka_unit_test(help_lists_everything),
        cmocka_unit_test(help_scrolls),
        cmocka_unit_test(key_names),
        cmocka_unit_test(actions_anywhere),
        cmocka_unit_test(heads_of_a_matrix_are_whole),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(quitting),
        cmocka_unit_test(panes_fold),
        cmocka_unit_test(every_size),
        cmocka_unit_test(cursor_in_sight),
        cmocka_unit_test(moving),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
