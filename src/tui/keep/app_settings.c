/* The settings that last: a row of the table for each, and their file. */

#include "core/unused.h"
#include "tui/keep/keep_file.h"
#include "tui/screen.h"

#include <string.h>

enum { WORDS = 6 };

static const struct setting {
    const char *name;
    const char *words[WORDS]; /* its values; the first is the default */
} table[LW_SETTINGS] = {
    [LW_SETTING_THEME] = {"theme", {"auto", "dark", "light", "safe", "mono"}},
    [LW_SETTING_COLOR] = {"color", {"auto", "never", "8", "16", "256"}},
    [LW_SETTING_ASCII] = {"ascii", {"false", "true"}},
    [LW_SETTING_MOUSE] = {"mouse", {"true", "false"}},
};

static const char *name_at(LW_UNUSED const void *context, size_t i)
{
    return table[i].name;
}

/* Puts a member into the settings, which are one word of the table each. */
static bool read_setting(void *data, const char *name, const struct lw_value *value,
                         struct lw_error *err)
{
    const char **settings = data;
    struct lw_text words = {0};
    char hint[LW_HINT_MAX];
    size_t i = 0;
    while (i < LW_SETTINGS && strcmp(table[i].name, name) != 0)
        i++;
    if (i == LW_SETTINGS)
        return lw_error_set(
            err, LW_ERROR_NAME, "there is no setting '%.40s'%s", name,
            lw_text_hint(hint, lw_text_nearest(name, LW_SETTINGS, name_at, NULL), ""));
    const char *word = value->kind == LW_VALUE_STRING    ? value->string
                       : value->kind != LW_VALUE_BOOLEAN ? ""
                       : value->integer                  ? "true"
                                                         : "false";
    for (size_t k = 0; k < WORDS && table[i].words[k]; k++) {
        lw_text_format(&words, " %s", table[i].words[k]);
        if (!strcmp(table[i].words[k], word)) {
            settings[i] = table[i].words[k];
            lw_text_free(&words);
            return true;
        }
    }
    lw_error_set(err, LW_ERROR_PARAMETER, "%s must be one of%s", name, lw_text_string(&words));
    lw_text_free(&words);
    return false;
}

static bool print_setting(const void *data, size_t i, struct lw_text *text)
{
    const char *const *settings = data;
    if (i < LW_SETTINGS)
        lw_text_format(text, "\"%s\": \"%s\"", table[i].name, settings[i]);
    return i < LW_SETTINGS;
}

static const struct lw_keep_file file = {LW_FOLDER_CONFIG, "settings.json", read_setting,
                                         print_setting};

static void set_defaults(const char *settings[LW_SETTINGS])
{
    for (size_t i = 0; i < LW_SETTINGS; i++)
        settings[i] = table[i].words[0];
}

void lw_app_load_settings(struct lw_app *app)
{
    struct lw_error err = {0};
    set_defaults(app->settings);
    if (!lw_keep_load(&file, app->settings, &err))
        lw_app_problem(app, &err);
}

bool lw_app_set_option(struct lw_app *app, const char *name, const char *word, struct lw_error *err)
{
    const struct lw_value value = {.kind = LW_VALUE_STRING, .string = word};
    const char *kept[LW_SETTINGS];
    set_defaults(kept);
    if (!read_setting(app->settings, name, &value, err))
        return false;
    app->theme_is_chosen = app->theme_is_chosen || !strcmp(name, "theme");
    lw_app_choose_theme(app);
    return app->options->writes_nothing || lw_keep_change(&file, kept, name, &value, err);
}

const char *lw_app_option(size_t i)
{
    return i < LW_SETTINGS ? table[i].name : NULL;
}
