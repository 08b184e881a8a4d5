/* The dark theme, in 256 colours, 16 and none. Inks come in an order in which neighbours contrast. */

#include "tui/theme.h"

static const struct lw_look looks[LW_PEN_COUNT][3] = {
    /*                    mono                       16                     256 */
    [LW_PEN_TEXT] = {{-1, -1, 0}, {-1, -1, 0}, {-1, -1, 0}},
    [LW_PEN_FAINT] = {{-1, -1, LW_DIM}, {-1, -1, LW_DIM}, {244, -1, 0}},
    [LW_PEN_TITLE] = {{-1, -1, LW_BOLD}, {-1, -1, LW_BOLD}, {-1, -1, LW_BOLD}},
    [LW_PEN_BORDER] = {{-1, -1, LW_DIM}, {-1, -1, LW_DIM}, {239, -1, 0}},
    [LW_PEN_FOCUS] = {{-1, -1, LW_BOLD}, {6, -1, LW_BOLD}, {80, -1, LW_BOLD}},
    [LW_PEN_LABEL] = {{-1, -1, LW_DIM}, {-1, -1, LW_DIM}, {246, -1, 0}},
    [LW_PEN_LABEL_ON] = {{-1, -1, LW_BOLD}, {6, -1, LW_BOLD}, {80, -1, 0}},
    [LW_PEN_CURSOR] = {{-1, -1, LW_REVERSE}, {0, 6, 0}, {16, 80, 0}},
    [LW_PEN_LINKED] = {{-1, -1, LW_REVERSE | LW_BOLD}, {0, 7, 0}, {16, 252, LW_BOLD}},
    [LW_PEN_SELECT] = {{-1, -1, LW_UNDERLINE}, {-1, -1, LW_BOLD}, {255, 237, 0}},
    [LW_PEN_TAB_ON] = {{-1, -1, LW_REVERSE}, {0, 7, 0}, {255, 238, LW_BOLD}},
    [LW_PEN_KEY] = {{-1, -1, LW_BOLD}, {6, -1, 0}, {80, -1, 0}},
    [LW_PEN_HEAD] = {{-1, -1, LW_BOLD}, {6, -1, LW_BOLD}, {80, -1, LW_BOLD}},
    [LW_PEN_GOOD] = {{-1, -1, 0}, {2, -1, 0}, {114, -1, 0}},
    [LW_PEN_BAD] = {{-1, -1, LW_BOLD | LW_UNDERLINE}, {1, -1, LW_BOLD}, {203, -1, LW_BOLD}},
    [LW_PEN_CHANGED] = {{-1, -1, LW_BOLD}, {3, -1, 0}, {221, -1, 0}},
    [LW_PEN_EDIT] = {{-1, -1, LW_UNDERLINE}, {-1, -1, LW_UNDERLINE}, {255, 236, 0}},
    [LW_PEN_HOLE] = {{-1, -1, LW_DIM}, {-1, -1, LW_DIM}, {238, -1, 0}},
};

static const short inks_256[16] = {80,  215, 120, 212, 228, 111, 203, 158,
                                   177, 179, 74,  210, 149, 140, 222, 117};

static struct lw_look ink(enum lw_depth depth, uint8_t shade, bool block)
{
    static const unsigned plain[4] = {0, LW_BOLD, LW_UNDERLINE, LW_BOLD | LW_UNDERLINE};
    static const short six[6] = {6, 3, 2, 5, 1, 4};
    struct lw_look look = {-1, -1, 0};
    if (depth == LW_DEPTH_MONO) {
        look.attributes = block ? (shade & 1 ? LW_REVERSE : 0) : plain[shade & 3];
    } else if (depth == LW_DEPTH_16) {
        short color = six[shade % 6];
        look.fg = block ? 0 : color;
        look.bg = block ? color : -1;
        look.attributes = !block && shade / 6 % 2 ? LW_BOLD : 0;
    } else {
        short color = inks_256[shade & 15];
        look.fg = block ? 16 : color;
        look.bg = block ? color : -1;
    }
    return look;
}

struct lw_look lw_theme_look(enum lw_depth depth, struct lw_pen pen)
{
    if (pen.kind == LW_PEN_INK || pen.kind == LW_PEN_FILL)
        return ink(depth, pen.shade, pen.kind == LW_PEN_FILL);
    return looks[pen.kind][depth];
}
