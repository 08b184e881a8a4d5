#ifndef LANEWAY_KEEP_H
#define LANEWAY_KEEP_H

/* What lasts from one run to the next, and what the settings file sets. */

#include "tui/draw/theme.h"
#include "tui/keep/recovery.h"
#include "tui/keep/settings.h"

struct lw_keep_state {
    struct lw_settings settings;
    bool settings_saved; /* changes are written to the file */
    struct lw_theme theme;
    bool appearance_changed; /* the terminal does not have theme, colours and mouse yet */
    struct lw_text warnings;
    int warning_count;
    bool hint; /* the first run, and no key was pressed yet */
    struct lw_recovery recovery;
};

/* warnings.c */
void lw_warn(struct lw_explorer *ex, const char *text);
void lw_warn_of_report(struct lw_explorer *ex, const struct lw_report *report);

/* apply_settings.c */
void lw_options_load(struct lw_explorer *ex);
void lw_options_zoom(struct lw_explorer *ex);
void lw_option(struct lw_explorer *ex, const char *text); /* "mouse=false"; "": all of them */
void lw_option_theme(struct lw_explorer *ex, const char *name);

#endif
