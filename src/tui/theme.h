#ifndef LANEWAY_THEME_H
#define LANEWAY_THEME_H

/*
 * Themes: what pens look like, as data.
 *
 * A look is written "#5fd7d7/6 on #101418 bold | reverse": a colour, maybe with its number among the
 * sixteen of old terminals, the colour behind it, attributes; and after the bar the attributes where
 * there are no colours. What is not said is the terminal's own. A user's theme is a JSON file:
 *
 *     {"base": "dark", "pens": {"cursor": "#000000 on #ffaf00"}, "inks": ["#ff8700", "#00afff"]}
 */

#include "laneway/error.h"
#include "tui/surface.h"
#include "view/palette.h"

enum lw_depth { LW_DEPTH_MONO, LW_DEPTH_16, LW_DEPTH_256, LW_DEPTH_TRUE };

enum lw_attribute { LW_BOLD = 1, LW_REVERSE = 2, LW_UNDERLINE = 4, LW_DIM = 8 };

struct lw_color {
    bool set; /* false: the terminal's own */
    uint8_t red, green, blue;
    int8_t basic; /* 0 to 15 where there are sixteen; -1: the nearest */
};

struct lw_paint {
    struct lw_color fg, bg;
    unsigned attributes, mono; /* enum lw_attribute */
};

struct lw_theme {
    char name[48];
    struct lw_paint pens[LW_PEN_COUNT];    /* not of INK, FILL and HALF */
    struct lw_color inks[LW_PALETTE_INKS]; /* neighbours contrast */
    int ink_count;
};

/* As a terminal is told: a palette number, in LW_DEPTH_TRUE 0xrrggbb; -1: the terminal's own. */
struct lw_appearance {
    int fg, bg;
    unsigned attributes;
};

struct lw_appearance lw_theme_look(const struct lw_theme *theme, enum lw_depth depth,
                                   struct lw_pen pen);

/* One of the built-in themes, or the user's file of that name; what is wrong with a file is in the
 * error with its line, and *theme is untouched then. "auto" is light on a terminal that says it is
 * (COLORFGBG), else dark. */
bool lw_theme_load(struct lw_theme *theme, const char *name, struct lw_error *err);
/* The text of a theme file. */
bool lw_theme_read(struct lw_theme *theme, const char *name, const char *text, size_t length,
                   struct lw_error *err);
/* Name number i of those that can be loaded, into `name`; false behind the last. */
bool lw_theme_name(size_t i, char name[48]);

/* ---- themes.c: the built-in ones ---- */

struct lw_theme_data {
    const char *name; /* of its palette too */
    const char *pens[LW_PEN_COUNT];
};
const struct lw_theme_data *lw_themes(size_t *count);
/* "cursor", for each kind of pen that a theme may say; NULL for the others. */
const char *lw_pen_name(size_t kind);

#endif
