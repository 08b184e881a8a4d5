#ifndef LANEWAY_TUI_SETTINGS_H
#define LANEWAY_TUI_SETTINGS_H

/* The settings of the explorer, kept in `$XDG_CONFIG_HOME/laneway/config.json`: one row each. */

#include "notation/document/setting.h"

struct lw_settings {
    char theme[LW_CHOICE_MAX], color[LW_CHOICE_MAX], zoom[LW_CHOICE_MAX];
    bool mouse, ascii, hint_seen;
};

const struct lw_setting *lw_setting_table(size_t *count);
void lw_settings_default(struct lw_settings *settings);

#endif
