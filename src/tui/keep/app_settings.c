/* The settings that last: a row of the table for each, and their file. */

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

/* Sets the word of one of the settings, which is one of the table. */
static bool read_setting(const char *settings[LW_SETTINGS], const char *name,
                         const struct lw_value *value, struct lw_error *err)
{
    struct lw_text words = {0};
    size_t i = 0;
    while (i < LW_SETTINGS && strcmp(table[i].name, name) != 0)
        i++;
    if (i == LW_SETTINGS)
        return lw_error_set(err, LW_ERROR_NAME,
                            "there is no setting '%.40s': theme, color, ascii or mouse", name);
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

static bool check_setting(const char *name, const struct lw_value *value, struct lw_error *err)
{
    const char *settings[LW_SETTINGS];
    return read_setting(settings, name, value, err);
}

static const struct lw_keep_file file = {LW_FOLDER_CONFIG, "settings.json", check_setting};

void lw_app_load_settings(struct lw_app *app)
{
    struct lw_kept kept;
    struct lw_error err = {0};
    for (size_t i = 0; i < LW_SETTINGS; i++)
        app->settings[i] = table[i].words[0];
    if (!lw_keep_load(&file, &kept, &err))
        lw_app_problem(app, &err);
    for (size_t i = 0; i < kept.object.count; i++)
        read_setting(app->settings, kept.object.names[i], &kept.object.items[i], NULL);
    lw_kept_free(&kept);
}

bool lw_app_set_option(struct lw_app *app, const char *name, const char *word, struct lw_error *err)
{
    const struct lw_value value = {.kind = LW_VALUE_STRING, .string = word};
    if (!read_setting(app->settings, name, &value, err))
        return false;
    app->theme_is_chosen = app->theme_is_chosen || !strcmp(name, "theme");
    lw_app_choose_theme(app);
    return app->options->writes_nothing || lw_keep_set(&file, name, &value, err);
}
