/* The settings that last: a row of the table for each, one file. */

#include "core/array_count.h"
#include "explorer/screen.h"
#include "notation/document/setting.h"
#include "tui/keep/keep_file.h"

#include <string.h>

static const struct lw_setting table[] = {
    {"theme", LW_SETTING_CHOICE, offsetof(struct lw_app_settings, theme),
     "auto dark light safe mono",
     "the colours; auto: by the background, safe: for people who do not distinguish red from "
     "green"},
    {"color", LW_SETTING_CHOICE, offsetof(struct lw_app_settings, color),
     "auto never 8 16 256 truecolor", "how many colours are used; auto: those of the terminal"},
    {"ascii", LW_SETTING_TRUTH, offsetof(struct lw_app_settings, ascii), NULL,
     "draw with ASCII characters only"},
    {"mouse", LW_SETTING_TRUTH, offsetof(struct lw_app_settings, mouse), NULL,
     "use the mouse; false leaves it to the terminal"},
};

static void read_text(void *data, const char *text, size_t length, struct lw_report *report)
{
    lw_settings_read(text, length, table, LW_COUNT(table), data, report);
}

static void print_text(const void *data, struct lw_text *text)
{
    lw_settings_print(text, table, LW_COUNT(table), data);
}

static const struct lw_keep_file file = {LW_FOLDER_CONFIG, "settings.json", read_text, print_text};
static const struct lw_app_settings defaults = {.theme = "auto", .color = "auto", .mouse = true};

void lw_app_load_settings(struct lw_app *app)
{
    struct lw_report report;
    app->settings = defaults;
    if (!lw_keep_load(&file, &app->settings, &report))
        lw_app_problem(app, &report.errors[0]);
}

struct change {
    const char *name, *value;
};

static bool apply(void *data, const void *argument)
{
    const struct change *change = argument;
    return lw_settings_set(table, LW_COUNT(table), data, change->name, change->value, NULL);
}

bool lw_app_set_option(struct lw_app *app, const char *name, const char *value,
                       struct lw_error *err)
{
    const struct change change = {name, value};
    struct lw_app_settings kept = defaults;
    if (!lw_settings_set(table, LW_COUNT(table), &app->settings, name, value, err))
        return false;
    if (!strcmp(name, "theme"))
        app->theme_is_chosen = true;
    lw_app_choose_theme(app);
    if (app->options->writes_nothing)
        return true;
    return lw_keep_change(&file, &kept, apply, &change, err);
}

const char *lw_app_option(const struct lw_app *app, size_t i, struct lw_text *value,
                          const char **choices, const char **help)
{
    if (i >= LW_COUNT(table))
        return NULL;
    lw_setting_print(value, &table[i], &app->settings);
    *choices = table[i].choices ? table[i].choices : "true false";
    *help = table[i].help;
    return table[i].name;
}
