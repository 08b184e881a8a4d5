#ifndef LANEWAY_THEME_H
#define LANEWAY_THEME_H

/*
 * Themes: the look of each pen, as data.
 *
 * A look is written "#5fd7d7/6 on #101418 bold | reverse": the colour of the text, with its number on terminals of 16
 * colours (optional), the background, attributes; after the bar the attributes for terminals without colours. A missing
 * part is the terminal's default. A user's theme is a JSON file:
 *
 *     {"base": "dark", "pens": {"cursor": "#000000 on #ffaf00"}, "inks": ["#ff8700", "#00afff"]}
 */

#include "laneway/error.h"
#include "tui/draw/surface.h"
#include "tui/terminal/terminal.h"
#include "view/palette.h"

struct lw_color {
    bool set; /* false: the terminal's default */
    uint8_t red, green, blue;
    int8_t basic; /* its number with 16 colours, 0 to 15; -1: the nearest */
    uint8_t cube; /* its number with 256 colours; 0: the nearest */
};

struct lw_paint {
    struct lw_color fg, bg;
    unsigned attributes, mono; /* enum lw_attribute */
};

struct lw_theme {
    char name[48];
    struct lw_paint pens
        [LW_PEN_COUNT]; /* INK, FILL, DIMMED, EQUAL, PALE, RAMP and HALF use those below instead */
    struct lw_color inks[LW_PALETTE_INKS]; /* neighbours contrast */
    int ink_count;
    struct lw_color texts[LW_PALETTE_GROUP]; /* of coloured text, by hue */
    struct lw_color ramp[LW_RAMP_LEVELS];
    struct lw_color paper; /* the approximate background of the explorer; not set: black or white */
};

/* `theme` is a struct lw_theme. */
struct lw_appearance lw_theme_appearance(const void *theme, enum lw_depth depth, struct lw_pen pen);

/* Chooses `texts` from the inks, so that they can be read on the paper. */
void lw_theme_choose_texts(struct lw_theme *theme);

/* Loads a built-in theme or the user's file of that name. "auto" is light or dark if COLORFGBG reports
 * the background, else neutral. False leaves *theme unchanged; the error has the line of the
 * file. */
bool lw_theme_load(struct lw_theme *theme, const char *name, struct lw_error *err);
/* Reads the text of a theme file. */
bool lw_theme_read(struct lw_theme *theme, const char *name, const char *text, size_t length,
                   struct lw_error *err);
/* Writes the name of loadable theme number i into `name`; false when there are fewer. */
bool lw_theme_name(size_t i, char name[48]);

/* ---- themes.c: the built-in themes ---- */

struct lw_theme_data {
    const char *name, *palette;
    bool any_paper;                 /* it is readable on black and on white */
    const char *pens[LW_PEN_COUNT]; /* NULL: that of the palette, else that of text */
};
const struct lw_theme_data *lw_themes(size_t *count);
/* The name of a pen in theme files, such as "cursor"; NULL for pens that a theme cannot set. */
const char *lw_pen_name(size_t kind);

#endif
