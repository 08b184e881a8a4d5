/* The look of a pen: its colours in the theme, reduced to the colours that the terminal has. */

#include "tui/draw/theme.h"

static int square(int n)
{
    return n * n;
}

static int distance(const struct lw_color *a, int red, int green, int blue)
{
    return 3 * square(a->red - red) + 4 * square(a->green - green) + 2 * square(a->blue - blue);
}

/* The nearest colour of the 6x6x6 cube and the 24 greys. The numbers 16 to 255 are the same on
 * all terminals. */
static int nearest_256(const struct lw_color *color)
{
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    int best = 16, least = INT32_MAX;
    for (int i = 16; i < 256; i++) {
        int cube = i - 16, grey = 8 + 10 * (i - 232);
        int d = i < 232
                    ? distance(color, levels[cube / 36 % 6], levels[cube / 6 % 6], levels[cube % 6])
                    : distance(color, grey, grey, grey);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

static int nearest_16(const struct lw_color *color)
{
    static const uint8_t xterm_colors[16][3] = {
        {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},  {0, 0, 238}, {205, 0, 205},
        {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},    {0, 255, 0}, {255, 255, 0},
        {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255}};
    int best = 0, least = INT32_MAX;
    for (int i = 0; i < 16; i++) {
        int d = distance(color, xterm_colors[i][0], xterm_colors[i][1], xterm_colors[i][2]);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

static int number_of(const struct lw_color *color, enum lw_depth depth)
{
    if (!color->set || depth == LW_DEPTH_MONO)
        return -1;
    if (depth == LW_DEPTH_16)
        return color->basic >= 0 ? color->basic : nearest_16(color);
    if (depth == LW_DEPTH_256)
        return nearest_256(color);
    return color->red << 16 | color->green << 8 | color->blue;
}

/* Black or white, whichever contrasts more with a colour. */
static struct lw_color letters_on(const struct lw_color *color)
{
    int light = 299 * color->red + 587 * color->green + 114 * color->blue;
    return light > 110000 ? (struct lw_color){true, 0, 0, 0, 0}
                          : (struct lw_color){true, 255, 255, 255, 15};
}

static struct lw_color ink_of(const struct lw_theme *theme, unsigned shade)
{
    return theme->ink_count ? theme->inks[shade % (unsigned)theme->ink_count]
                            : (struct lw_color){0};
}

/* Without colours, text alternates between weights, and blocks have letters. */
static struct lw_appearance ink(const struct lw_theme *theme, enum lw_depth depth, uint8_t shade,
                                bool block)
{
    static const unsigned plain[4] = {0, LW_BOLD, LW_UNDERLINE, LW_BOLD | LW_UNDERLINE};
    struct lw_color color = ink_of(theme, shade), letters = letters_on(&color);
    if (depth == LW_DEPTH_MONO || !color.set)
        return (struct lw_appearance){-1, -1, block ? plain[shade & 1] : plain[shade & 3]};
    if (!block)
        return (struct lw_appearance){number_of(&color, depth), -1, 0};
    return (struct lw_appearance){number_of(&letters, depth), number_of(&color, depth), 0};
}

/* Two cells in one tile: the upper one is the foreground, the lower one the background. */
static struct lw_appearance half(const struct lw_theme *theme, enum lw_depth depth,
                                 struct lw_pen pen)
{
    const struct lw_color none = {0}, *letters = &theme->pens[LW_PEN_CURSOR].fg;
    /* Contrast with the inks of this theme. */
    const struct lw_color cursor = letters->set && letters->green > 127
                                       ? (struct lw_color){true, 0, 0, 0, 0}
                                       : (struct lw_color){true, 255, 255, 255, 15};
    struct lw_color both[2];
    const uint8_t shades[2] = {pen.shade, pen.under};
    for (int i = 0; i < 2; i++)
        both[i] = shades[i] == LW_HALF_NONE     ? none
                  : shades[i] == LW_HALF_CURSOR ? cursor
                  : shades[i] == LW_HALF_MARK   ? theme->pens[LW_PEN_MARK].bg
                                                : ink_of(theme, shades[i]);
    if (depth == LW_DEPTH_MONO) /* colours were switched off meanwhile */
        return (struct lw_appearance){
            -1, -1, pen.shade == LW_HALF_CURSOR || pen.under == LW_HALF_CURSOR ? LW_REVERSE : 0};
    return (struct lw_appearance){number_of(&both[0], depth), number_of(&both[1], depth), 0};
}

struct lw_appearance lw_theme_appearance(const struct lw_theme *theme, enum lw_depth depth,
                                         struct lw_pen pen)
{
    if (pen.kind == LW_PEN_INK || pen.kind == LW_PEN_FILL)
        return ink(theme, depth, pen.shade, pen.kind == LW_PEN_FILL);
    if (pen.kind == LW_PEN_HALF)
        return half(theme, depth, pen);
    const struct lw_paint *paint = &theme->pens[pen.kind];
    if (depth == LW_DEPTH_MONO || (!paint->fg.set && !paint->bg.set && !theme->ink_count))
        return (struct lw_appearance){-1, -1, paint->mono};
    return (struct lw_appearance){number_of(&paint->fg, depth), number_of(&paint->bg, depth),
                                  paint->attributes};
}
