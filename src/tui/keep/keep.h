#ifndef LANEWAY_KEEP_H
#define LANEWAY_KEEP_H

/* The state that is kept from one run to the next, and the settings. */

#include "tui/draw/theme.h"
#include "tui/keep/recovery.h"
#include "tui/keep/settings.h"

/* The background that the terminal reports. */
enum lw_background { LW_BACKGROUND_UNKNOWN, LW_BACKGROUND_DARK, LW_BACKGROUND_LIGHT };

struct lw_keep_state {
    struct lw_settings settings;
    bool settings_saved; /* changes are written to the file */
    struct lw_theme theme;
    const char *theme_option; /* the theme of the command line, until another one is set; NULL:
                                 none */
    enum lw_background background;
    bool appearance_changed; /* theme, colours or mouse have changed since the terminal was set */
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
void lw_options_theme(struct lw_explorer *ex); /* loads the one of the command line, or warns */
void lw_options_zoom(struct lw_explorer *ex);
/* The names of zooms: name i, NULL: there are fewer. */
const char *lw_zoom_name(size_t i);
struct lw_view_pane;
void lw_zoom_set(struct lw_explorer *ex, struct lw_view_pane *pane, const char *name);
/* Whether the theme is auto, which is dark or light by the background of the terminal. */
bool lw_options_follow_background(const struct lw_explorer *ex);
/* Sets the terminal's background, 0xrrggbb. */
void lw_options_background(struct lw_explorer *ex, uint32_t rgb);
void lw_option(struct lw_explorer *ex, const char *text); /* "mouse=false"; "": shows all of them */
void lw_option_theme(struct lw_explorer *ex, const char *name);

#endif
