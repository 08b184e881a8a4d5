/* Settings read from JSON and written to it. */

#include "notation/document/setting.h"

#include "notation/document/read.h"

#include <string.h>

static const char *name_at(const void *table, size_t i)
{
    return ((const struct lw_setting *)table)[i].name;
}

static const struct lw_setting *find(const struct lw_setting *table, size_t count, const char *name,
                                     struct lw_error *err)
{
    char hint[LW_HINT_MAX];
    for (size_t i = 0; i < count; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    lw_error_set(err, LW_ERROR_NAME, "there is no setting '%.40s'%s", name,
                 lw_text_hint(hint, lw_text_nearest(name, count, name_at, table), ""));
    return NULL;
}

static bool take_choice(const struct lw_setting *setting, void *settings, const char *choice,
                        struct lw_error *err)
{
    if (!*choice || strlen(choice) >= LW_CHOICE_MAX ||
        (setting->choices && lw_choice_index(setting->choices, choice) < 0))
        return lw_error_set(err, LW_ERROR_PARAMETER, "%s is \"%.40s\": it must be %s%s",
                            setting->name, choice, setting->choices ? "one of " : "",
                            setting->choices ? setting->choices : "a name of up to 47 letters");
    memcpy((char *)settings + setting->offset, choice, strlen(choice) + 1);
    return true;
}

static bool take(const struct lw_setting *setting, void *settings, const struct lw_value *value,
                 struct lw_error *err)
{
    bool is_choice = setting->kind == LW_SETTING_CHOICE;
    if (is_choice && value->kind == LW_VALUE_STRING)
        return take_choice(setting, settings, value->string, err);
    if (is_choice || value->kind != LW_VALUE_BOOLEAN)
        return lw_error_set(err, LW_ERROR_PARAMETER, "%s must be %s", setting->name,
                            is_choice ? "a name in quotes" : "true or false");
    *(bool *)((char *)settings + setting->offset) = value->integer != 0;
    return true;
}

bool lw_read_json_object(struct lw_arena *arena, const char *text, size_t length,
                         const char *example, struct lw_value *object, struct lw_error *err)
{
    struct lw_value value;
    if (!lw_check_text(text, length, err) || !lw_read_json(arena, text, length, &value, err))
        return false;
    if (value.kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, value.position, "it must be an object, such as %s",
                           example);
    *object = value;
    return true;
}

void lw_settings_read(const char *text, size_t length, const struct lw_setting *table, size_t count,
                      void *settings, struct lw_report *report)
{
    struct lw_arena arena = {0};
    struct lw_value object = {0};
    struct lw_error err;
    if (!lw_read_json_object(&arena, text, length, "{\"mouse\": false}", &object, &err))
        lw_report_add(report, &err);
    for (size_t i = 0; i < object.count; i++) {
        const struct lw_setting *setting = find(table, count, object.names[i], &err);
        if (setting && take(setting, settings, &object.items[i], &err))
            continue;
        err.position = object.items[i].position;
        lw_report_add(report, &err);
    }
    lw_arena_free(&arena);
}

bool lw_settings_set(const struct lw_setting *table, size_t count, void *settings, const char *name,
                     const char *value, struct lw_error *err)
{
    const struct lw_setting *setting = find(table, count, name, err);
    if (!setting)
        return false;
    if (setting->kind == LW_SETTING_CHOICE)
        return take_choice(setting, settings, value, err);
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return lw_error_set(err, LW_ERROR_PARAMETER, "%s must be true or false", name);
    *(bool *)((char *)settings + setting->offset) = *value == 't';
    return true;
}

void lw_setting_print(struct lw_text *text, const struct lw_setting *setting, const void *settings)
{
    const char *at = (const char *)settings + setting->offset;
    if (setting->kind == LW_SETTING_CHOICE)
        lw_text_add(text, at);
    else
        lw_text_add(text, *(const bool *)at ? "true" : "false");
}

void lw_settings_print(struct lw_text *text, const struct lw_setting *table, size_t count,
                       const void *settings)
{
    lw_text_add(text, "{\n");
    for (size_t i = 0; i < count; i++) {
        lw_text_format(text, "  \"%s\": ", table[i].name);
        if (table[i].kind == LW_SETTING_CHOICE)
            lw_text_json_string(text, (const char *)settings + table[i].offset);
        else
            lw_setting_print(text, &table[i], settings);
        lw_text_add(text, i + 1 < count ? ",\n" : "\n");
    }
    lw_text_add(text, "}\n");
}
