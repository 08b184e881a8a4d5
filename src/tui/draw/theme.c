/* The look of a pen: its colours in the theme, reduced to the colours that the terminal has. */

#include "tui/draw/theme.h"

#define READABLE 2.9 /* the least contrast of text in one of the 16 colours */

static int square(int n)
{
    return n * n;
}

static int distance(const struct lw_color *a, int red, int green, int blue)
{
    return 3 * square(a->red - red) + 4 * square(a->green - green) + 2 * square(a->blue - blue);
}

static const uint8_t cube_levels[6] = {0, 95, 135, 175, 215, 255};

/* The nearest colour of the 6x6x6 cube and the 24 greys. The numbers 16 to 255 are the same on
 * all terminals. */
static int nearest_256(const struct lw_color *color)
{
    int best = 16, least = INT32_MAX;
    for (int i = 16; i < 256; i++) {
        int cube = i - 16, grey = 8 + 10 * (i - 232);
        int d = i < 232 ? distance(color, cube_levels[cube / 36 % 6], cube_levels[cube / 6 % 6],
                                   cube_levels[cube % 6])
                        : distance(color, grey, grey, grey);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

/* The colours of xterm; those of other terminals are similar. */
static const uint8_t xterm_colors[16][3] = {
    {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},  {0, 0, 238}, {205, 0, 205},
    {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},    {0, 255, 0}, {255, 255, 0},
    {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255}};

static int nearest_16(const struct lw_color *color)
{
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
    if (depth <= LW_DEPTH_16) {
        int basic = color->basic >= 0 ? color->basic : nearest_16(color);
        return depth == LW_DEPTH_16 ? basic : basic % 8;
    }
    if (depth == LW_DEPTH_256)
        return color->cube ? color->cube : nearest_256(color);
    return color->red << 16 | color->green << 8 | color->blue;
}

static struct lw_color grey(uint8_t level, int8_t basic)
{
    return (struct lw_color){true, level, level, level, basic, 0};
}

static uint32_t rgb_of(const struct lw_color *color)
{
    return (uint32_t)color->red << 16 | (uint32_t)color->green << 8 | color->blue;
}

/* The colour that a terminal of that depth shows. */
static struct lw_color shown_at(const struct lw_color *color, enum lw_depth depth)
{
    struct lw_color shown = *color;
    int number = number_of(color, depth);
    if (depth == LW_DEPTH_TRUE || number < 0)
        return shown;
    if (number >= 232)
        return grey((uint8_t)(8 + 10 * (number - 232)), -1);
    if (number < 16) {
        shown.red = xterm_colors[number][0];
        shown.green = xterm_colors[number][1];
        shown.blue = xterm_colors[number][2];
        return shown;
    }
    shown.red = cube_levels[(number - 16) / 36];
    shown.green = cube_levels[(number - 16) / 6 % 6];
    shown.blue = cube_levels[(number - 16) % 6];
    return shown;
}

/* Black or white, whichever contrasts more with a colour as shown at that depth. */
static struct lw_color letters_on(const struct lw_color *color, enum lw_depth depth)
{
    const struct lw_color shown = shown_at(color, depth);
    return lw_palette_letters(rgb_of(&shown)) ? grey(255, 15) : grey(0, 0);
}

static struct lw_appearance fill(struct lw_color color, enum lw_depth depth)
{
    struct lw_color letters = letters_on(&color, depth);
    return (struct lw_appearance){number_of(&letters, depth), number_of(&color, depth), 0};
}

static struct lw_color ink_of(const struct lw_theme *theme, unsigned shade)
{
    return theme->ink_count ? theme->inks[shade % (unsigned)theme->ink_count]
                            : (struct lw_color){0};
}

static bool is_black_or_white(int basic)
{
    return basic == 0 || basic % 8 == 7;
}

/* The ink of a value's fill. With 8 colours black and white, which may be the background, are replaced by magenta,
 * which their neighbours do not have. */
static struct lw_color fill_of(const struct lw_theme *theme, unsigned shade, enum lw_depth depth)
{
    struct lw_color color = ink_of(theme, shade);
    if (depth == LW_DEPTH_8 && color.set && is_black_or_white(number_of(&color, depth)))
        color.basic = 5;
    return color;
}

static double contrast(const struct lw_color *a, const struct lw_color *b)
{
    double x = lw_palette_luminance(rgb_of(a)) + 0.05, y = lw_palette_luminance(rgb_of(b)) + 0.05;
    return x > y ? x / y : y / x;
}

/* Whether text in a colour has enough contrast on the paper; with more than 16 colours, always. */
static bool is_readable(const struct lw_theme *theme, const struct lw_color *color,
                        enum lw_depth depth)
{
    const struct lw_color black = grey(0, 0), white = grey(255, 15);
    const struct lw_color shown = shown_at(color, depth);
    if (depth > LW_DEPTH_16)
        return true;
    return theme->paper.set
               ? contrast(&shown, &theme->paper) >= READABLE
               : contrast(&shown, &black) >= READABLE && contrast(&shown, &white) >= READABLE;
}

static struct lw_color light_text(unsigned hue)
{
    const struct lw_palette *light = lw_palette_find("light");
    const struct lw_ink_color *ink = &light->inks[light->text + hue];
    return (struct lw_color){.set = true,
                             .red = (uint8_t)(ink->rgb >> 16),
                             .green = (uint8_t)(ink->rgb >> 8),
                             .blue = (uint8_t)ink->rgb,
                             .basic = (int8_t)lw_palette_basic(light->text + hue),
                             .cube = (uint8_t)ink->cube};
}

/* Moves a colour away from the paper until it contrasts also with 256 colours. */
static void strengthen(struct lw_color *color, const struct lw_color *paper)
{
    bool darker = lw_palette_letters(rgb_of(paper)) == 0;
    for (int steps = 0; steps < 32; steps++) {
        const struct lw_color shown = shown_at(color, LW_DEPTH_256);
        if (contrast(&shown, paper) >= 4.5)
            return;
        uint8_t *parts[] = {&color->red, &color->green, &color->blue};
        for (int i = 0; i < 3; i++)
            *parts[i] = (uint8_t)(darker ? *parts[i] * 15 / 16 : 255 - (255 - *parts[i]) * 15 / 16);
        color->cube = 0;
    }
}

/* Chooses the first ink of each hue that contrasts with the paper; if the paper is unknown, the text of the light
 * theme, which is also readable on black. */
void lw_theme_choose_texts(struct lw_theme *theme)
{
    const unsigned count = (unsigned)theme->ink_count;
    for (unsigned hue = 0; hue < LW_PALETTE_GROUP && count; hue++) {
        unsigned i = hue;
        while (i + LW_PALETTE_GROUP < LW_PALETTE_INKS / 2 &&
               contrast(&theme->inks[i % count], &theme->paper) < 4.5)
            i += LW_PALETTE_GROUP;
        theme->texts[hue] = theme->paper.set ? theme->inks[i % count] : light_text(hue);
        if (theme->paper.set)
            strengthen(&theme->texts[hue], &theme->paper);
    }
}

/* Without colours, text alternates between weights. */
static unsigned weight_of(uint8_t shade, unsigned weights)
{
    static const unsigned plain[4] = {0, LW_BOLD, LW_UNDERLINE, LW_BOLD | LW_UNDERLINE};
    return plain[shade % weights];
}

/* The colour of a shade, `part` twentieths of it, mixed with another one. */
static struct lw_color mixed(const struct lw_theme *theme, uint8_t shade, int part,
                             const struct lw_color *other)
{
    struct lw_color color = ink_of(theme, shade);
    color.red = (uint8_t)((part * color.red + (20 - part) * other->red) / 20);
    color.green = (uint8_t)((part * color.green + (20 - part) * other->green) / 20);
    color.blue = (uint8_t)((part * color.blue + (20 - part) * other->blue) / 20);
    color.cube = 0;
    return color;
}

static uint8_t level_of(const struct lw_color *color)
{
    return (uint8_t)((2 * color->red + 5 * color->green + color->blue) / 8);
}

/* A grey near the paper, lighter for a lighter ink; a part of its hue would look lit. If the paper is unknown, one on
 * which letters are black for every ink. */
static struct lw_color dimmed(const struct lw_theme *theme, uint8_t shade)
{
    enum { MIDDLE = 144, BRIGHT_BLACK = 8 };
    const struct lw_color ink = ink_of(theme, shade);
    int paper = theme->paper.set ? level_of(&theme->paper) : MIDDLE;
    return grey((uint8_t)((5 * paper + level_of(&ink)) / 6), BRIGHT_BLACK);
}

/* Text in the grey with the least contrast that is readable. */
static struct lw_appearance faint_fill(struct lw_color color, enum lw_depth depth)
{
    enum { STEP = 8 };
    const struct lw_color shown = shown_at(&color, depth);
    struct lw_color letters = letters_on(&color, depth), seen = letters;
    int step = letters.red ? -STEP : STEP;
    for (int level = letters.red + step; contrast(&seen, &shown) >= 5.0; level += step) {
        const struct lw_color weaker = grey((uint8_t)level, -1);
        letters = seen;
        seen = shown_at(&weaker, depth);
    }
    return (struct lw_appearance){number_of(&letters, depth), number_of(&color, depth), 0};
}

static struct lw_color pale(const struct lw_theme *theme, uint8_t shade)
{
    const struct lw_color middle = grey(128, -1);
    return mixed(theme, shade, 10, &middle);
}

static struct lw_appearance shaded(const struct lw_theme *theme, enum lw_depth depth,
                                   struct lw_pen pen)
{
    bool has = theme->ink_count > 0 && depth != LW_DEPTH_MONO;
    const struct lw_color *text = &theme->texts[pen.shade % LW_PALETTE_GROUP];
    switch ((enum lw_pen_kind)pen.kind) {
    case LW_PEN_INK:
        return has && is_readable(theme, text, depth)
                   ? (struct lw_appearance){number_of(text, depth), -1, 0}
                   : (struct lw_appearance){-1, -1, weight_of(pen.shade, 4)};
    case LW_PEN_DIMMED:
        if (!has || depth <= LW_DEPTH_16)
            return (struct lw_appearance){-1, -1, LW_DIM};
        return faint_fill(dimmed(theme, pen.shade), depth);
    case LW_PEN_EQUAL:
        if (!has)
            return (struct lw_appearance){-1, -1, LW_DIM};
        return (struct lw_appearance){is_readable(theme, text, depth) ? number_of(text, depth) : -1,
                                      -1, 0};
    case LW_PEN_PALE:
        return has && depth > LW_DEPTH_16
                   ? fill(pale(theme, pen.shade), depth)
                   : shaded(theme, depth, (struct lw_pen){LW_PEN_FILL, pen.shade, 0, 0});
    case LW_PEN_RAMP:
        return has ? fill(theme->ramp[pen.shade % LW_RAMP_LEVELS], depth)
                   : (struct lw_appearance){-1, -1, pen.shade ? LW_BOLD | LW_UNDERLINE : 0};
    default:
        return has ? fill(fill_of(theme, pen.shade, depth), depth)
                   : (struct lw_appearance){-1, -1, weight_of(pen.shade, 2)};
    }
}

static struct lw_color half_color(const struct lw_theme *theme, enum lw_depth depth, uint8_t shade)
{
    switch (shade) {
    case LW_HALF_NONE:
        return (struct lw_color){0};
    case LW_HALF_CURSOR:
        return theme->pens[LW_PEN_CURSOR].bg;
    case LW_HALF_MARK:
        return theme->pens[LW_PEN_MARK].bg;
    case LW_HALF_LIT:
        return theme->pens[LW_PEN_LIT].bg;
    default:
        return shade >= LW_HALF_DIMMED ? dimmed(theme, (uint8_t)(shade - LW_HALF_DIMMED))
               : shade >= LW_HALF_PALE ? pale(theme, (uint8_t)(shade - LW_HALF_PALE))
                                       : fill_of(theme, shade, depth);
    }
}

/* With 16 colours or fewer, text or a ground near white or black may be invisible on the background: it has the
 * terminal's own colours, and the attributes of terminals without colours. */
static bool needs_own_color(const struct lw_theme *theme, const struct lw_paint *paint,
                            enum lw_depth depth)
{
    if (depth > LW_DEPTH_16)
        return false;
    if (paint->bg.set)
        return is_black_or_white(number_of(&paint->bg, depth));
    return paint->fg.set && !is_readable(theme, &paint->fg, depth);
}

/* Two cells in one tile: the upper one is the foreground, the lower one the background. A cursor without its own colour
 * has that of the terminal's text. */
static struct lw_appearance half(const struct lw_theme *theme, enum lw_depth depth,
                                 struct lw_pen pen)
{
    const struct lw_color upper = half_color(theme, depth, pen.shade),
                          lower = half_color(theme, depth, pen.under);
    bool above = pen.shade == LW_HALF_CURSOR, below = pen.under == LW_HALF_CURSOR;
    if (depth == LW_DEPTH_MONO) /* colours have been switched off since it was drawn */
        return (struct lw_appearance){-1, -1, above || below ? LW_REVERSE : 0};
    const struct lw_paint *cursor = &theme->pens[LW_PEN_CURSOR];
    if ((above || below) && (!cursor->bg.set || needs_own_color(theme, cursor, depth)))
        return above ? (struct lw_appearance){-1, below ? -1 : number_of(&lower, depth), 0}
                     : (struct lw_appearance){-1, number_of(&upper, depth), LW_REVERSE};
    return (struct lw_appearance){number_of(&upper, depth), number_of(&lower, depth), 0};
}

/* With 16 colours or fewer a lit cell may have the colour of another one, so it is underlined. */
static bool is_underlined(enum lw_pen_kind kind)
{
    return kind == LW_PEN_LIT || kind == LW_PEN_LINKED || kind == LW_PEN_MARK ||
           kind == LW_PEN_DIFFERS;
}

/* With few colours terminals show bold text in a brighter colour, so that black on yellow would be pale. */
static struct lw_appearance without_line(const struct lw_theme *theme, enum lw_depth depth,
                                         struct lw_pen pen)
{
    if (pen.kind == LW_PEN_INK || pen.kind == LW_PEN_FILL || pen.kind == LW_PEN_DIMMED ||
        pen.kind == LW_PEN_EQUAL || pen.kind == LW_PEN_PALE || pen.kind == LW_PEN_RAMP)
        return shaded(theme, depth, pen);
    if (pen.kind == LW_PEN_HALF)
        return half(theme, depth, pen);
    const struct lw_paint *paint = &theme->pens[pen.kind];
    if (depth == LW_DEPTH_MONO || needs_own_color(theme, paint, depth) ||
        (!paint->fg.set && !paint->bg.set && !theme->ink_count))
        return (struct lw_appearance){-1, -1, paint->mono};
    int fg = number_of(&paint->fg, depth), bg = number_of(&paint->bg, depth);
    unsigned attributes = paint->attributes;
    if (depth <= LW_DEPTH_16 && fg >= 0 && bg >= 0)
        attributes = (fg < 8 ? attributes & ~(unsigned)LW_BOLD : attributes) |
                     (is_underlined(pen.kind) ? LW_UNDERLINE : 0);
    return (struct lw_appearance){fg, bg, attributes};
}

/* With few colours the end of a tile is not underlined; without colours the underline is for lit cells, and cells that
 * differ are reversed. */
struct lw_appearance lw_theme_appearance(const void *theme, enum lw_depth depth, struct lw_pen pen)
{
    struct lw_appearance appearance = without_line(theme, depth, pen);
    if (pen.line == LW_LINE_DIFFERS)
        appearance.attributes |= depth >= LW_DEPTH_256   ? LW_UNDERLINE | LW_BOLD
                                 : depth > LW_DEPTH_MONO ? LW_UNDERLINE
                                                         : LW_REVERSE;
    else if (pen.line == LW_LINE_MARK)
        appearance.attributes |= depth >= LW_DEPTH_256    ? LW_BOLD
                                 : depth == LW_DEPTH_MONO ? LW_REVERSE
                                                          : 0;
    else if (pen.line == LW_LINE_APART || (pen.line == LW_LINE_TILE && depth >= LW_DEPTH_256))
        appearance.attributes |= LW_UNDERLINE;
    return appearance;
}
