/* The settings that last: a row of the table for each, and their file, with a line for each: `theme dark`. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/screen.h"
#include "tui/keep/keep_file.h"

#include <string.h>

#define TRUTH "true false" /* the values of a setting that is a bool */

static const struct setting {
    const char *name, *choices;
    size_t offset; /* in the struct: of a bool, or of a text of LW_SETTING_MAX bytes */
    const char *help;
} table[] = {
    {"theme", "auto dark light safe mono", offsetof(struct lw_app_settings, theme),
     "the colours; auto: by the background, safe: for people who do not distinguish red from "
     "green"},
    {"color", "auto never 8 16 256", offsetof(struct lw_app_settings, color),
     "how many colours are used; auto: those of the terminal"},
    {"ascii", TRUTH, offsetof(struct lw_app_settings, ascii), "draw with ASCII characters only"},
    {"mouse", TRUTH, offsetof(struct lw_app_settings, mouse),
     "use the mouse; false leaves it to the terminal"},
};
static const struct lw_app_settings defaults = {.theme = "auto", .color = "auto", .mouse = true};

static const char *name_at(LW_UNUSED const void *unused, size_t i)
{
    return table[i].name;
}

static void put_value(struct lw_text *text, const struct setting *setting,
                      const struct lw_app_settings *settings)
{
    const char *at = (const char *)settings + setting->offset;
    if (!strcmp(setting->choices, TRUTH))
        at = *(const bool *)at ? "true" : "false";
    lw_text_add(text, at);
}

/* Whether a word is in a list with blanks between its words. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return !strchr(word, ' ');
    return false;
}

static bool set(struct lw_app_settings *settings, const char *name, const char *value,
                struct lw_error *err)
{
    char hint[LW_HINT_MAX];
    size_t i = 0;
    while (i < LW_COUNT(table) && strcmp(table[i].name, name) != 0)
        i++;
    if (i == LW_COUNT(table))
        return lw_error_set(
            err, LW_ERROR_NAME, "there is no setting '%.40s'%s", name,
            lw_text_hint(hint, lw_text_nearest(name, LW_COUNT(table), name_at, NULL), ""));
    if (!has_word(table[i].choices, value))
        return lw_error_set(err, LW_ERROR_PARAMETER, "%s is '%.40s': it must be one of %s", name,
                            value, table[i].choices);
    char *at = (char *)settings + table[i].offset;
    if (!strcmp(table[i].choices, TRUTH))
        *(bool *)at = *value == 't';
    else
        memcpy(at, value, strlen(value) + 1);
    return true;
}

/* ---- The file ---- */

/* Sets what each line sets; false with the first problem. */
static bool read_text(void *data, char *text, struct lw_error *err)
{
    bool good = true;
    int number = 1;
    for (char *line = text, *next; *line; line = next, number++) {
        struct lw_error problem = {0};
        char *end = line + strcspn(line, "\n"), *value = line + strcspn(line, " \n");
        next = *end ? end + 1 : end;
        *end = '\0';
        if (*value)
            *value++ = '\0';
        if (!*line || set(data, line, value, &problem))
            continue;
        if (good)
            lw_error_at(err, problem.code, (struct lw_position){.line = number}, "%s",
                        problem.message);
        good = false;
    }
    return good;
}

static void print_text(const void *data, struct lw_text *text)
{
    for (size_t i = 0; i < LW_COUNT(table); i++) {
        lw_text_format(text, "%s ", table[i].name);
        put_value(text, &table[i], data);
        lw_text_char(text, '\n');
    }
}

static const struct lw_keep_file file = {LW_FOLDER_CONFIG, "settings", read_text, print_text};

void lw_app_load_settings(struct lw_app *app)
{
    struct lw_error err = {0};
    app->settings = defaults;
    if (!lw_keep_load(&file, &app->settings, &err))
        lw_app_problem(app, &err);
}

struct change {
    const char *name, *value;
};

static bool apply(void *data, const void *argument)
{
    const struct change *change = argument;
    return set(data, change->name, change->value, NULL);
}

bool lw_app_set_option(struct lw_app *app, const char *name, const char *value,
                       struct lw_error *err)
{
    const struct change change = {name, value};
    struct lw_app_settings kept = defaults;
    if (!set(&app->settings, name, value, err))
        return false;
    if (!strcmp(name, "theme"))
        app->theme_is_chosen = true;
    lw_app_choose_theme(app);
    return app->options->writes_nothing || lw_keep_change(&file, &kept, apply, &change, err);
}

const char *lw_app_option(size_t i)
{
    return i < LW_COUNT(table) ? table[i].name : NULL;
}
