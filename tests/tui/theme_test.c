/* Themes and settings: every theme in every depth, files of users with and without mistakes. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct lw_theme built_in(size_t i)
{
    struct lw_theme theme;
    size_t count;
    assert_true(lw_theme_load(&theme, lw_themes(&count)[i].name, NULL));
    return theme;
}

static size_t theme_count(void)
{
    size_t count;
    lw_themes(&count);
    return count;
}

static struct lw_appearance appearance(const struct lw_theme *theme, int depth, int kind, int shade)
{
    const struct lw_pen pen = {.kind = (uint8_t)kind, .shade = (uint8_t)shade};
    return lw_theme_appearance(theme, (enum lw_depth)depth, pen);
}

static void appearances_fit_the_depth(void **state)
{
    static const int max[] = {-1, 7, 15, 255, 0xffffff};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++)
            for (int kind = 0; kind < LW_PEN_COUNT; kind++)
                for (int shade = 0; shade < 256; shade++) {
                    struct lw_appearance it = appearance(&theme, depth, kind, shade);
                    assert_true(it.fg >= -1 && it.fg <= max[depth]);
                    assert_true(it.bg >= -1 && it.bg <= max[depth]);
                    assert_true(it.attributes < 16);
                    if (kind != LW_PEN_HALF)
                        assert_true(it.fg < 0 || it.fg != it.bg);
                }
    }
}

static bool same_appearance(struct lw_appearance a, struct lw_appearance b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

/* Never colour alone: neighbours differ in every depth, and so does what must be noticed. */
static void neighbours_differ(void **state)
{
    static const enum lw_pen_kind loud[] = {LW_PEN_CURSOR,  LW_PEN_BAD,   LW_PEN_TAB_ON,
                                            LW_PEN_EDIT,    LW_PEN_FOCUS, LW_PEN_LINKED,
                                            LW_PEN_CHANGED, LW_PEN_MARK,  LW_PEN_DIFFERS};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++) {
            for (int kind = LW_PEN_INK; kind <= LW_PEN_FILL; kind++)
                for (int shade = 0; shade < 255; shade++)
                    assert_false(same_appearance(appearance(&theme, depth, kind, shade),
                                                 appearance(&theme, depth, kind, shade + 1)));
            for (size_t i = 0; i < sizeof loud / sizeof *loud; i++) {
                assert_false(same_appearance(appearance(&theme, depth, (int)loud[i], 0),
                                             appearance(&theme, depth, LW_PEN_TEXT, 0)));
                /* The cursor is no mark, no difference, and not where the other pane's is. */
                if (loud[i] != LW_PEN_CURSOR && loud[i] != LW_PEN_TAB_ON)
                    assert_false(same_appearance(appearance(&theme, depth, (int)loud[i], 0),
                                                 appearance(&theme, depth, LW_PEN_CURSOR, 0)));
            }
        }
    }
}

/* Relative luminance and contrast as WCAG 2.1 has them. */
static double linear(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(struct lw_color c)
{
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

static double contrast(struct lw_color a, struct lw_color b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static void inks_can_be_read(void **state)
{
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        bool light = !strcmp(theme.name, "light");
        const struct lw_color behind = light ? (struct lw_color){true, 255, 255, 255, 15, 0}
                                             : (struct lw_color){true, 24, 24, 24, 0, 0};
        for (int i = 0; i < theme.ink_count; i++) {
            int rgb = appearance(&theme, LW_DEPTH_TRUE, LW_PEN_INK, i).fg;
            const struct lw_color text = {
                true, (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, -1, 0};
            if (contrast(text, behind) < 3.0)
                fail_msg("%s: ink %d has contrast %.2f", theme.name, i, contrast(text, behind));
        }
        for (size_t kind = 0; kind < LW_PEN_COUNT; kind++)
            if (theme.pens[kind].fg.set && theme.pens[kind].bg.set &&
                contrast(theme.pens[kind].fg, theme.pens[kind].bg) < 4.5)
                fail_msg("%s: %s has contrast %.2f", theme.name, lw_pen_name(kind),
                         contrast(theme.pens[kind].fg, theme.pens[kind].bg));
    }
}

/* What an appearance looks like where white is behind black text, or black behind white text. */
static void seen(struct lw_appearance it, bool white_behind, int *text, int *behind)
{
    int fg = it.fg < 0 ? (white_behind ? 0 : 15) : it.fg;
    int bg = it.bg < 0 ? (white_behind ? 15 : 0) : it.bg;
    bool swaps = it.attributes & LW_REVERSE;
    *text = swaps ? bg : fg;
    *behind = swaps ? fg : bg;
}

static bool is_white(int basic)
{
    return basic == 7 || basic == 15;
}

/* With 16 colours the theme may not be that of the background: text is never white on white or
 * black on black, and the cursor is not of the colour around it. */
static void few_colors_suit_all_backgrounds(void **state)
{
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int which = 0; which < 4; which++) {
            const int depth = which < 2 ? LW_DEPTH_8 : LW_DEPTH_16, paper = which % 2 ? 15 : 0;
            int text, behind;
            for (int kind = 0; kind < LW_PEN_COUNT; kind++) {
                if (!lw_pen_name((size_t)kind))
                    continue;
                seen(appearance(&theme, depth, kind, 0), paper, &text, &behind);
                if (text == behind || (is_white(text) && is_white(behind)))
                    fail_msg("%s: %s is %d on %d", theme.name, lw_pen_name((size_t)kind), text,
                             behind);
            }
            static const enum lw_pen_kind cursors[] = {LW_PEN_CURSOR, LW_PEN_LINKED, LW_PEN_LIT};
            for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
                seen(appearance(&theme, depth, (int)cursors[i], 0), paper, &text, &behind);
                bool seems_paper = behind == paper || (is_white(behind) && is_white(paper));
                if (seems_paper && theme.ink_count)
                    fail_msg("%s: %s is as its surroundings", theme.name, lw_pen_name(cursors[i]));
            }
        }
    }
}

/* The cursor as the upper or the lower half of a tile has the colour of the terminal's text. */
static void half_a_cursor_suits_all_backgrounds(void **state)
{
    static const uint8_t halves[][2] = {
        {LW_HALF_CURSOR, 3}, {3, LW_HALF_CURSOR}, {LW_HALF_CURSOR, LW_HALF_NONE}};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++)
        for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
            const struct lw_theme theme = built_in(t);
            const struct lw_pen pen = {
                .kind = LW_PEN_HALF, .shade = halves[i][0], .under = halves[i][1]};
            if (!theme.ink_count)
                continue;
            for (int paper = 0; paper <= 15; paper += 15) {
                int upper, lower;
                seen(lw_theme_appearance(&theme, LW_DEPTH_16, pen), paper, &upper, &lower);
                assert_int_equal(i == 1 ? lower : upper, paper ? 0 : 15);
            }
        }
}

/* ---- Files ---- */

static void put_file(const char *name, const char *text)
{
    struct lw_text path = {0};
    assert_true(lw_folder_path(&path, LW_FOLDER_CONFIG, name, NULL));
    assert_true(lw_folder_make(lw_text_string(&path), NULL));
    assert_true(lw_file_write(lw_text_string(&path), text, NULL));
    lw_text_free(&path);
}

static bool config_has(const char *piece)
{
    struct lw_text path = {0}, text = {0};
    lw_folder_path(&path, LW_FOLDER_CONFIG, "config.json", NULL);
    bool has = lw_file_read(lw_text_string(&path), &text, NULL) &&
               strstr(lw_text_string(&text), piece) != NULL;
    lw_text_free(&path);
    lw_text_free(&text);
    return has;
}

static void remove_config(void)
{
    struct lw_text path = {0};
    lw_folder_path(&path, LW_FOLDER_CONFIG, "config.json", NULL);
    unlink(lw_text_string(&path));
    lw_text_free(&path);
}

static void users_have_themes(void **state)
{
    struct lw_theme theme;
    struct lw_error err = {0};
    char name[48];
    bool listed = false;
    (void)state;
    put_file(
        "themes/mine.json",
        "{\"base\": \"light\", \"pens\": {\"cursor\": \"#102030 on #ffaf00 bold | reverse\"},\n"
        " \"inks\": [\"#ff8700\", \"#00afff/12\"]}");
    assert_true(lw_theme_load(&theme, "mine", &err));
    assert_string_equal(theme.name, "mine");
    assert_int_equal(theme.ink_count, 2);
    assert_int_equal(appearance(&theme, LW_DEPTH_TRUE, LW_PEN_CURSOR, 0).fg, 0x102030);
    assert_int_equal(appearance(&theme, LW_DEPTH_TRUE, LW_PEN_CURSOR, 0).bg, 0xffaf00);
    assert_int_equal(appearance(&theme, LW_DEPTH_256, LW_PEN_CURSOR, 0).bg, 214);
    assert_int_equal(appearance(&theme, LW_DEPTH_16, LW_PEN_INK, 1).fg, 12);
    assert_int_equal(appearance(&theme, LW_DEPTH_MONO, LW_PEN_CURSOR, 0).attributes, LW_REVERSE);
    assert_int_equal(appearance(&theme, LW_DEPTH_MONO, LW_PEN_MARK, 0).attributes,
                     LW_REVERSE | LW_BOLD |
                         LW_UNDERLINE); /* lanes are bold, or underlined, or both */
    for (size_t i = 0; lw_theme_name(i, name); i++)
        listed = listed || !strcmp(name, "mine");
    assert_true(listed);
}

static void broken_themes_show_the_position(void **state)
{
    static const char *const cases[][2] = {
        {"{\"pens\": {\"curser\": \"#102030\"}}",
         "b.json:1: there is no pen 'curser'; did you mean "
         "'cursor'?"},
        {"{\n\"pens\": {\"cursor\": \"#10203\"}}", "b.json:2: cursor: '#10203' is no colour"},
        {"{\"pens\": {\"cursor\": \"#102030/16\"}}", "'#102030/16' is no colour"},
        {"{\"pens\": {\"cursor\": \"blod\"}}", "'blod' is no colour or attribute"},
        {"{\"pens\": {\"cursor\": 7}}", "a look is a text in quotes"},
        {"{\"pens\": 7}", "pens is an object"},
        {"{\"inks\": [\"#ff8700\"]}", "inks is a list of 2 to 64"},
        {"{\"inks\": [\"#ff8700\", \"x\"]}", "'x' is no colour"},
        {"{\"base\": \"none\"}", "base is one of dark, light, safe, mono"},
        {"{\"extra\": 1}", "'extra': a theme has base, pens and inks"},
        {"[]", "a theme is an object"},
        {"{\n\n\"pens\" {}}", "b.json:3: "},
        {"", "b.json:1: "},
    };
    struct lw_theme theme;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_error err = {0};
        put_file("themes/b.json", cases[i][0]);
        assert_false(lw_theme_load(&theme, "b", &err));
        if (!strstr(err.message, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], err.message);
    }
    struct lw_error err = {0};
    assert_false(lw_theme_load(&theme, "../b", &err) || lw_theme_load(&theme, "", &err));
    assert_false(lw_theme_load(&theme, "absent", &err));
    assert_non_null(strstr(err.message, "there is no theme 'absent'"));
}

static void settings_are_kept(void **state)
{
    struct drive d;
    (void)state;
    remove_config();
    drive_open(&d, "start/16x16");
    lw_options_load(&d.ex);
    d.ex.keep.settings_saved = true;
    drive_type(&d, ":theme light");
    drive_keys(&d, "Enter");
    assert_string_equal(d.ex.keep.theme.name, "light");
    assert_true(config_has("\"theme\": \"light\""));
    drive_type(&d, ":option mouse=false");
    drive_keys(&d, "Enter");
    assert_true(config_has("\"mouse\": false"));
    drive_type(&d, ":option zoom=short");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.panes.active->detail, LW_DETAIL_SHORT);
    drive_type(&d, ":option mouse=maybe");
    drive_keys(&d, "Enter");
    assert_shows(&d, "mouse must be true or false");
    drive_type(&d, ":option zoom=huge");
    drive_keys(&d, "Enter");
    assert_shows(&d, "it must be one of auto full short char");
    drive_type(&d, ":option mose=true");
    drive_keys(&d, "Enter");
    assert_shows(&d, "did you mean 'mouse'?");
    drive_type(&d, ":theme absent");
    drive_keys(&d, "Enter");
    assert_shows(&d, "there is no theme 'absent'");
    assert_true(config_has("\"theme\": \"light\""));
    drive_type(&d, ":option");
    drive_keys(&d, "Enter");
    assert_shows(&d, "hint_seen");
    drive_close(&d);
    drive_open(&d, "start/16x16"); /* the next time */
    lw_options_load(&d.ex);
    assert_string_equal(d.ex.keep.theme.name, "light");
    assert_false(d.ex.keep.settings.mouse);
    drive_close(&d);
}

/* Of two runs at once neither loses what the other has set. */
static void runs_share_the_settings(void **state)
{
    struct drive a, b;
    (void)state;
    remove_config();
    drive_open(&a, "start/16x16");
    drive_open(&b, "start/16x16");
    lw_options_load(&a.ex);
    lw_options_load(&b.ex);
    a.ex.keep.settings_saved = b.ex.keep.settings_saved = true;
    drive_command(&a, "option mouse=false");
    drive_command(&b, "option zoom=char");
    assert_true(config_has("\"mouse\": false"));
    assert_true(config_has("\"zoom\": \"char\""));
    drive_close(&a);
    drive_close(&b);
    remove_config();
}

static void broken_settings_warn(void **state)
{
    struct drive d;
    (void)state;
    put_file("config.json", "{\n  \"mouse\": false,\n  \"theme\": 7,\n  \"colour\": \"16\"\n}\n");
    drive_open(&d, "start/16x16");
    lw_options_load(&d.ex);
    d.ex.keep.settings_saved = true;
    assert_false(d.ex.keep.settings.mouse); /* what is right is taken */
    assert_shows(&d, "2 warnings: :warnings lists them");
    drive_type(&d, ":warnings");
    drive_keys(&d, "Enter");
    assert_shows(&d, "config.json:3:12: theme must be a name in quotes");
    assert_shows(&d, "config.json:4:13: there is no setting 'colour'; did you mean 'color'?");
    drive_keys(&d, "q");
    drive_type(&d, ":theme light");
    drive_keys(&d, "Enter");
    assert_shows(&d, "but only until you leave: config.json:3:12: theme must");
    assert_true(config_has("\"colour\"")); /* not written over */
    drive_close(&d);
    put_file("config.json", "{\"theme\": \"absent\"}");
    drive_open(&d, "start/16x16");
    lw_options_load(&d.ex);
    assert_shows(&d, "there is no theme 'absent'");
    assert_string_equal(d.ex.keep.theme.name, "dark");
    drive_close(&d);
    remove_config();
}

static void the_first_hint_goes_away(void **state)
{
    struct drive d;
    (void)state;
    remove_config();
    drive_open(&d, "start/16x16");
    lw_options_load(&d.ex);
    d.ex.keep.settings_saved = true;
    d.ex.keep.hint = !d.ex.keep.settings.hint_seen;
    assert_shows(&d, "Welcome");
    drive_keys(&d, "Right");
    assert_hides(&d, "Welcome");
    assert_true(config_has("\"hint_seen\": true"));
    drive_close(&d);
    remove_config();
}

static int make_folder(void **state)
{
    unsetenv("COLORFGBG");
    return drive_make_folder(state) == 0 ? setenv("XDG_CONFIG_HOME", drive_folder, 1) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appearances_fit_the_depth),
        cmocka_unit_test(neighbours_differ),
        cmocka_unit_test(inks_can_be_read),
        cmocka_unit_test(few_colors_suit_all_backgrounds),
        cmocka_unit_test(half_a_cursor_suits_all_backgrounds),
        cmocka_unit_test(users_have_themes),
        cmocka_unit_test(broken_themes_show_the_position),
        cmocka_unit_test(settings_are_kept),
        cmocka_unit_test(runs_share_the_settings),
        cmocka_unit_test(broken_settings_warn),
        cmocka_unit_test(the_first_hint_goes_away),
    };
    return cmocka_run_group_tests_name("theme", tests, make_folder, drive_remove_folder);
}
