/* Themes and settings: each file is read, or refused with every problem reported; what was read is whole. */

#include "fuzz_reading.h"
#include "tui/draw/theme.h"
#include "tui/keep/settings.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_theme(const char *text, size_t size)
{
    struct lw_theme theme;
    struct lw_error err = {0};
    must(lw_theme_load(&theme, "dark", NULL));
    if (!lw_theme_read(&theme, "x", text, size, &err)) {
        check_error(&err);
        return;
    }
    for (enum lw_depth depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++)
        for (uint8_t kind = 0; kind < LW_PEN_COUNT; kind++)
            for (uint8_t shade = 0; shade < 40; shade += 13) {
                struct lw_pen pen = {.kind = kind, .shade = shade};
                struct lw_appearance a = lw_theme_appearance(&theme, depth, pen);
                must(a.fg >= -1 && a.fg <= 0xffffff && a.bg >= -1 && a.bg <= 0xffffff);
            }
}

/* What is read prints as settings that read as the same. */
static void check_settings(const char *text, size_t size)
{
    struct lw_settings settings, again;
    struct lw_report report = {0}, none = {0};
    struct lw_text printed = {0}, twice = {0};
    size_t count;
    const struct lw_setting *table = lw_setting_table(&count);
    lw_settings_default(&settings);
    lw_settings_default(&again);
    lw_settings_read(text, size, table, count, &settings, &report);
    for (int i = 0; i < report.count; i++)
        check_error(&report.errors[i]);
    lw_settings_print(&printed, table, count, &settings);
    lw_settings_read(lw_text_string(&printed), printed.length, table, count, &again, &none);
    lw_settings_print(&twice, table, count, &again);
    must(!none.total && strcmp(lw_text_string(&printed), lw_text_string(&twice)) == 0);
    lw_text_free(&printed);
    lw_text_free(&twice);
}

/* "name=value", as after :set of the explorer. */
static void check_change(char *text)
{
    struct lw_settings settings;
    struct lw_error err = {0};
    char *equals = strchr(text, '=');
    if (!equals)
        return;
    *equals = '\0';
    lw_settings_default(&settings);
    if (!lw_settings_change(&settings, text, equals + 1, &err))
        check_error(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    must(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    check_theme(text, size);
    check_settings(text, size);
    check_change(text);
    free(text);
    return 0;
}
