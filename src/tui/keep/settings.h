#ifndef LANEWAY_TUI_SETTINGS_H
#define LANEWAY_TUI_SETTINGS_H

/* The settings of the explorer, kept in `$XDG_CONFIG_HOME/laneway/config.json`: one row each. */

#include "notation/document/setting.h"

struct lw_settings {
    char theme[LW_WORD_MAX], color[LW_WORD_MAX], zoom[LW_WORD_MAX];
    bool mouse, ascii, hint_seen;
};

const struct lw_setting *lw_setting_table(size_t *count);
void lw_settings_usual(struct lw_settings *settings);

#endif
