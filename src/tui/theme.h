#ifndef LANEWAY_THEME_H
#define LANEWAY_THEME_H

/* What pens look like in a terminal of so many colours. */

#include "tui/surface.h"

enum lw_depth { LW_DEPTH_MONO, LW_DEPTH_16, LW_DEPTH_256 };

enum lw_attribute { LW_BOLD = 1, LW_REVERSE = 2, LW_UNDERLINE = 4, LW_DIM = 8 };

struct lw_look {
    short fg, bg;        /* a palette number; -1: the terminal's own */
    unsigned attributes; /* enum lw_attribute */
};

struct lw_look lw_theme_look(enum lw_depth depth, struct lw_pen pen);

#endif
