/* The settings: reading them at the start, changing them with a command, writing them back. A file that
 * could not be read whole is never written over. */

#include "tui/explore/explorer.h"
#include "tui/keep/files.h"

#include <string.h>

static const struct lw_setting table[] = {
    {"theme", LW_SETTING_CHOICE, offsetof(struct lw_settings, theme), NULL,
     "auto, dark, light, safe (for any eyes), mono, or a file of themes/"},
    {"color", LW_SETTING_CHOICE, offsetof(struct lw_settings, color), "auto never 16 256 truecolor",
     "how many colours the terminal is trusted with; auto: as TERM and COLORTERM say"},
    {"zoom", LW_SETTING_CHOICE, offsetof(struct lw_settings, zoom), "auto full short char",
     "how much of a cell is shown at first"},
    {"mouse", LW_SETTING_TRUTH, offsetof(struct lw_settings, mouse), NULL,
     "take clicks and the wheel; false leaves them to the terminal"},
    {"ascii", LW_SETTING_TRUTH, offsetof(struct lw_settings, ascii), NULL, "draw lines in ASCII"},
    {"hint_seen", LW_SETTING_TRUTH, offsetof(struct lw_settings, hint_seen), NULL,
     "false shows the first hint again"},
};

#define COUNT (sizeof table / sizeof *table)

const struct lw_setting *lw_setting_table(size_t *count)
{
    *count = COUNT;
    return table;
}

void lw_settings_default(struct lw_settings *settings)
{
    *settings =
        (struct lw_settings){.theme = "auto", .color = "auto", .zoom = "auto", .mouse = true};
}

/* ---- Warnings ---- */

/* Whether that has been warned of. */
static bool is_known(const struct lw_explorer *ex, const char *text)
{
    size_t length = strlen(text);
    for (const char *p = lw_text_string(&ex->keep.warnings); *p; p += strcspn(p, "\n") + 1)
        if (strcspn(p, "\n") == length && !strncmp(p, text, length))
            return true;
    return false;
}

void lw_warn(struct lw_explorer *ex, const char *text)
{
    if (is_known(ex, text))
        return;
    if (!ex->keep.warnings.length)
        lw_explorer_set_message(ex, true, "%s", text);
    lw_text_format(&ex->keep.warnings, "%s\n", text);
    ex->keep.warning_count++;
    if (ex->keep.warning_count > 1)
        lw_explorer_set_message(ex, true, "%d warnings: :warnings lists them",
                                ex->keep.warning_count);
}

static void add_warnings(struct lw_explorer *ex, const char *path, const struct lw_report *report)
{
    for (int i = 0; i < report->count; i++) {
        struct lw_text text = {0};
        lw_text_format(&text, "%s", lw_base_name(path));
        if (report->errors[i].position.line)
            lw_text_format(&text, ":%d", report->errors[i].position.line);
        lw_text_format(&text, ": %s", report->errors[i].message);
        lw_warn(ex, lw_text_string(&text));
        lw_text_free(&text);
    }
}

/* ---- The file ---- */

void lw_settings_load(struct lw_explorer *ex)
{
    struct lw_text path = {0}, text = {0};
    struct lw_error err = {0};
    struct lw_report report = {0};
    lw_settings_default(&ex->keep.settings);
    ex->keep.settings_invalid = false;
    if (lw_folder_path(&path, LW_FOLDER_CONFIG, "config.json", NULL) &&
        lw_file_read(lw_text_string(&path), &text, &err))
        ex->keep.settings_invalid = !lw_settings_read(lw_text_string(&text), text.length, table,
                                                      COUNT, &ex->keep.settings, &report);
    add_warnings(ex, "config.json", &report);
    if (err.code != LW_OK) {
        lw_warn(ex, err.message);
        ex->keep.settings_invalid = true;
    }
    lw_text_free(&path);
    lw_text_free(&text);
    lw_settings_apply(ex, ex->options->theme);
}

bool lw_settings_save(struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_text path = {0}, text = {0};
    if (!ex->keep.settings_saved)
        return true;
    bool good = lw_folder_path(&path, LW_FOLDER_CONFIG, "config.json", err);
    if (good && ex->keep.settings_invalid)
        good = lw_error_set(err, LW_ERROR_IO, "config.json cannot be read: left as it is");
    lw_settings_print(&text, table, COUNT, &ex->keep.settings);
    good = good && lw_folder_make(lw_text_string(&path), err) &&
           lw_file_write(lw_text_string(&path), lw_text_string(&text), err);
    lw_text_free(&path);
    lw_text_free(&text);
    return good;
}

/* ---- In force ---- */

void lw_settings_apply(struct lw_explorer *ex, const char *theme)
{
    struct lw_error err = {0};
    if (!lw_theme_load(&ex->keep.theme, theme ? theme : ex->keep.settings.theme, &err)) {
        lw_warn(ex, err.message);
        lw_theme_load(&ex->keep.theme, "dark", NULL);
    }
    ex->keep.appearance_changed = true;
}

static const char *const zooms[] = {"full", "short", "char"};

void lw_settings_zoom(struct lw_explorer *ex)
{
    for (int i = 0; i < 3; i++)
        if (!strcmp(ex->keep.settings.zoom, zooms[i]))
            for (int p = 0; p < LW_PANES_MAX; p++) {
                ex->panes.all[p].detail = (enum lw_detail)i;
                ex->panes.all[p].zoomed = true;
            }
    ex->changed |= LW_CHANGED_VIEW;
}

void lw_option(struct lw_explorer *ex, const char *text)
{
    char name[40];
    struct lw_error err = {0};
    struct lw_settings before = ex->keep.settings;
    size_t length = strcspn(text, "= ");
    const char *value = text + length + strspn(text + length, "= ");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!*name) {
        lw_option_page(ex);
        return;
    }
    if (!lw_settings_set(table, COUNT, &ex->keep.settings, name, value, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        return;
    }
    struct lw_theme theme;
    if (!strcmp(name, "theme") && !lw_theme_load(&theme, value, &err)) {
        ex->keep.settings = before;
        lw_explorer_set_message(ex, true, "%s", err.message);
        return;
    }
    lw_settings_apply(ex, NULL);
    if (!strcmp(name, "zoom"))
        lw_settings_zoom(ex);
    bool own = !strcmp(name, "theme") && strcmp(value, "auto") != 0;
    if (lw_settings_save(ex, &err))
        lw_explorer_set_message(ex, false, "%s is %s%s%s", name, value,
                                ex->keep.settings_saved ? ", the next time too" : "",
                                own ? "; :theme auto goes by the terminal" : "");
    else
        lw_explorer_set_message(ex, true, "%s is %s until you leave: %s", name, value, err.message);
}

void lw_option_theme(struct lw_explorer *ex, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "theme=%.60s", name);
    lw_option(ex, text);
}

void lw_option_page(struct lw_explorer *ex)
{
    struct lw_text page = {0};
    for (size_t i = 0; i < COUNT; i++) {
        struct lw_text value = {0};
        lw_setting_print(&value, &table[i], &ex->keep.settings);
        lw_text_format(&page, "%-10s %-10s %s\n", table[i].name, lw_text_string(&value),
                       table[i].help);
        if (table[i].choices)
            lw_text_format(&page, "%-21s one of: %s\n", "", table[i].choices);
        lw_text_free(&value);
    }
    lw_text_add(&page, "\n:option mouse=false changes one and keeps it; the file is\n  ");
    if (!lw_folder_path(&page, LW_FOLDER_CONFIG, "config.json", NULL))
        lw_text_add(&page, "nowhere, since HOME is not set");
    lw_text_add(&page, "\n\nThemes:\n  ");
    char name[48];
    for (size_t i = 0; lw_theme_name(i, name); i++)
        lw_text_format(&page, "%s%s", i ? ", " : "", name);
    lw_text_char(&page, '\n');
    lw_page_open(ex, "Options", lw_text_string(&page));
    lw_text_free(&page);
}
