/* The settings in use: loads them at the start, changes them with `:option`, and lists them on a page. */

#include "core/array_count.h"
#include "tui/explore/explorer.h"
#include "tui/keep/keep_file.h"

#include <string.h>

/* The chosen theme: of an option of the command line, else of the settings. */
static const char *theme_set(const struct lw_explorer *ex)
{
    return ex->keep.theme_option ? ex->keep.theme_option : ex->keep.settings.theme;
}

bool lw_options_follow_background(const struct lw_explorer *ex)
{
    return !strcmp(theme_set(ex), "auto");
}

/* Loads the chosen theme; auto depends on the background, if the terminal has reported it. */
static void apply_theme(struct lw_explorer *ex)
{
    struct lw_error err = {0};
    const char *theme = theme_set(ex);
    if (lw_options_follow_background(ex) && ex->keep.background != LW_BACKGROUND_UNKNOWN)
        theme = ex->keep.background == LW_BACKGROUND_LIGHT ? "light" : "dark";
    if (!lw_theme_load(&ex->keep.theme, theme, &err)) {
        lw_warn(ex, err.message);
        lw_theme_load(&ex->keep.theme, "dark", NULL);
    }
    ex->keep.appearance_changed = true;
}

void lw_options_theme(struct lw_explorer *ex)
{
    ex->keep.theme_option = ex->options->theme;
    apply_theme(ex);
}

void lw_options_load(struct lw_explorer *ex)
{
    struct lw_report report;
    if (!lw_settings_load(&ex->keep.settings, &report))
        lw_warn_of_report(ex, &report);
    lw_options_theme(ex);
}

/* Dark or light by its luminance, with the weights of ITU-R BT.601. */
void lw_options_background(struct lw_explorer *ex, uint32_t rgb)
{
    uint32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    ex->keep.background =
        299 * red + 587 * green + 114 * blue > 127500 ? LW_BACKGROUND_LIGHT : LW_BACKGROUND_DARK;
    if (lw_options_follow_background(ex))
        apply_theme(ex);
}

static const struct {
    const char *name;
    enum lw_zoom zoom;
} zooms[] = {{"full", LW_ZOOM_FULL}, {"short", LW_ZOOM_SHORT}, {"char", LW_ZOOM_CHAR}};

const char *lw_zoom_name(size_t i)
{
    return i < LW_COUNT(zooms) ? zooms[i].name : NULL;
}

void lw_zoom_set(struct lw_explorer *ex, struct lw_view_pane *pane, const char *name)
{
    for (size_t i = 0; i < LW_COUNT(zooms); i++)
        if (!strcmp(name, zooms[i].name))
            pane->chosen[pane->view_index] =
                (struct lw_zoom_choice){.zoom = (uint8_t)(zooms[i].zoom + 1)};
    ex->changed |= LW_CHANGED_VIEW;
}

/* Only for pictures: tables and text have their own size. */
void lw_options_zoom(struct lw_explorer *ex)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (int p = 0; p < LW_PANES_MAX; p++)
        memset(ex->panes.all[p].chosen, 0, sizeof ex->panes.all[p].chosen);
    for (size_t i = 0; i < LW_COUNT(zooms); i++)
        for (size_t v = 0; v < count && !strcmp(ex->keep.settings.zoom, zooms[i].name); v++)
            for (int p = 0; p < LW_PANES_MAX && types[v]->picture; p++)
                ex->panes.all[p].chosen[v].zoom = (uint8_t)(zooms[i].zoom + 1);
    ex->changed |= LW_CHANGED_VIEW;
}

/* The option is for all layouts: it replaces the zooms chosen for one. */
static void zoom_all(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->list.count; i++)
        ex->list.entries[i].zooms.kept = false;
    lw_options_zoom(ex);
}

/* Sets an option for this run; a theme must exist. */
static bool set(struct lw_explorer *ex, const char *name, const char *value, struct lw_error *err)
{
    struct lw_settings changed = ex->keep.settings;
    struct lw_theme theme;
    if (!lw_settings_change(&changed, name, value, err) ||
        (!strcmp(name, "theme") && !lw_theme_load(&theme, value, err)))
        return false;
    ex->keep.settings = changed;
    if (!strcmp(name, "theme"))
        ex->keep.theme_option = NULL;
    apply_theme(ex);
    if (!strcmp(name, "zoom"))
        zoom_all(ex);
    return true;
}

static void open_page(struct lw_explorer *ex)
{
    size_t count;
    const struct lw_setting *table = lw_setting_table(&count);
    struct lw_text page = {0};
    for (size_t i = 0; i < count; i++) {
        struct lw_text value = {0};
        lw_setting_print(&value, &table[i], &ex->keep.settings);
        lw_text_format(&page, "%-10s %-10s %s\n", table[i].name, lw_text_string(&value),
                       table[i].help);
        if (table[i].choices)
            lw_text_format(&page, "%-21s one of: %s\n", "", table[i].choices);
        lw_text_free(&value);
    }
    lw_text_add(&page, "\n:option mouse=false changes one and keeps it, in the file\n  ");
    if (!lw_folder_path(&page, LW_FOLDER_CONFIG, "config.json", NULL))
        lw_text_add(&page, "(none: HOME is not set)");
    lw_text_add(&page, "\n\nThemes:\n  ");
    char name[48];
    for (size_t i = 0; lw_theme_name(i, name); i++)
        lw_text_format(&page, "%s%s", i ? ", " : "", name);
    lw_text_add(&page, "\n  ':help themes' explains how to write one\n");
    lw_page_open(ex, "Options", lw_text_string(&page));
    lw_text_free(&page);
}

void lw_option(struct lw_explorer *ex, const char *text)
{
    char name[40];
    struct lw_error err = {0};
    size_t length = strcspn(text, "= ");
    const char *value = text + length + strspn(text + length, "= ");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (!*name) {
        open_page(ex);
        return;
    }
    if (!set(ex, name, value, &err)) {
        lw_explorer_set_message(
            ex, true, "%s%s", err.message,
            err.code == LW_ERROR_NAME && strcmp(name, "theme") != 0 ? "; :option lists them" : "");
        return;
    }
    bool fixed = !strcmp(name, "theme") && strcmp(value, "auto") != 0;
    if (ex->keep.settings_saved && !lw_settings_save(name, value, &err))
        lw_explorer_set_message(ex, true, "%s is %s, but only until you leave: %s", name, value,
                                err.message);
    else
        lw_explorer_set_message(ex, false, "%s is %s%s%s", name, value,
                                ex->keep.settings_saved ? ", and kept for the next start" : "",
                                fixed ? "; :theme auto follows the terminal" : "");
}

void lw_option_theme(struct lw_explorer *ex, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "theme=%.60s", name);
    lw_option(ex, text);
}
