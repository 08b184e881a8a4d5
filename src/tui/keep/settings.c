/* The settings: a row of the table for each, and their file. */

#include "tui/keep/settings.h"

#include "core/array_count.h"
#include "tui/keep/keep_file.h"

static const struct lw_setting table[] = {
    {"theme", LW_SETTING_CHOICE, offsetof(struct lw_settings, theme), NULL,
     "auto, dark, light, neutral (for either), safe (for colour-blind users), mono, or a file of "
     "themes/"},
    {"color", LW_SETTING_CHOICE, offsetof(struct lw_settings, color),
     "auto never 8 16 256 truecolor",
     "how many colours the terminal shows; auto: from TERM and COLORTERM"},
    {"zoom", LW_SETTING_CHOICE, offsetof(struct lw_settings, zoom), "auto full short char",
     "how much of a cell is shown at first"},
    {"mouse", LW_SETTING_TRUTH, offsetof(struct lw_settings, mouse), NULL,
     "use clicks and the wheel; false leaves them to the terminal"},
    {"ascii", LW_SETTING_TRUTH, offsetof(struct lw_settings, ascii), NULL, "draw lines in ASCII"},
    {"hint_seen", LW_SETTING_TRUTH, offsetof(struct lw_settings, hint_seen), NULL,
     "false shows the first hint again"},
};

const struct lw_setting *lw_setting_table(size_t *count)
{
    *count = LW_COUNT(table);
    return table;
}

void lw_settings_default(struct lw_settings *settings)
{
    *settings =
        (struct lw_settings){.theme = "auto", .color = "auto", .zoom = "auto", .mouse = true};
}

bool lw_settings_change(struct lw_settings *settings, const char *name, const char *value,
                        struct lw_error *err)
{
    return lw_settings_set(table, LW_COUNT(table), settings, name, value, err);
}

/* ---- The file ---- */

static void read_text(void *data, const char *text, size_t length, struct lw_report *report)
{
    lw_settings_read(text, length, table, LW_COUNT(table), data, report);
}

static void print_text(const void *data, struct lw_text *text)
{
    lw_settings_print(text, table, LW_COUNT(table), data);
}

static const struct lw_keep_file file = {LW_FOLDER_CONFIG, "config.json", read_text, print_text};

bool lw_settings_load(struct lw_settings *settings, struct lw_report *report)
{
    lw_settings_default(settings);
    return lw_keep_load(&file, settings, report);
}

struct change {
    const char *name, *value;
};

static bool apply_change(void *data, const void *argument)
{
    const struct change *change = argument;
    return lw_settings_change(data, change->name, change->value, NULL);
}

bool lw_settings_save(const char *name, const char *value, struct lw_error *err)
{
    const struct change change = {name, value};
    struct lw_settings kept;
    lw_settings_default(&kept);
    return lw_keep_change(&file, &kept, apply_change, &change, err);
}
