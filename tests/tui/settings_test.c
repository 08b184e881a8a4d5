/* Themes of users, and settings that are kept. */

#include "theme_parts.h"

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
        {"{\n\"pens\": {\"cursor\": \"#10203\"}}",
         "b.json:2: cursor: '#10203' is neither a colour nor an attribute"},
        {"{\"pens\": {\"cursor\": \"#102030/16\"}}",
         "'#102030/16' is neither a colour nor an attribute"},
        {"{\"pens\": {\"cursor\": \"blod\"}}", "'blod' is neither a colour nor an attribute"},
        {"{\"pens\": {\"cursor\": 7}}", "a look is a text in quotes"},
        {"{\"pens\": 7}", "pens is an object"},
        {"{\"inks\": [\"#ff8700\"]}", "inks is a list of 2 to 64"},
        {"{\"inks\": [\"#ff8700\", \"x\"]}", "'x' is not a colour"},
        {"{\"base\": \"none\"}", "base is one of dark, light, neutral, safe, mono"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_have_themes),    cmocka_unit_test(broken_themes_show_the_position),
        cmocka_unit_test(settings_are_kept),    cmocka_unit_test(runs_share_the_settings),
        cmocka_unit_test(broken_settings_warn), cmocka_unit_test(the_first_hint_goes_away),
    };
    return cmocka_run_group_tests_name("settings", tests, make_folder, drive_remove_folder);
}
