#ifndef LANEWAY_TUI_SETTINGS_H
#define LANEWAY_TUI_SETTINGS_H

/* The settings of the explorer, kept in `$XDG_CONFIG_HOME/laneway/config.json`. */

#include "notation/document/setting.h"

struct lw_settings {
    char theme[LW_CHOICE_MAX], color[LW_CHOICE_MAX], zoom[LW_CHOICE_MAX];
    bool mouse, ascii, hint_seen;
};

const struct lw_setting *lw_setting_table(size_t *count);
void lw_settings_default(struct lw_settings *settings);
/* Sets one from typed text: "mouse", "false". */
bool lw_settings_change(struct lw_settings *settings, const char *name, const char *value,
                        struct lw_error *err);
/* The defaults, replaced by the settings of the file; false with the problems in the report. */
bool lw_settings_load(struct lw_settings *settings, struct lw_report *report);
/* Sets one in the file; the value must be legal. */
bool lw_settings_save(const char *name, const char *value, struct lw_error *err);

#endif
