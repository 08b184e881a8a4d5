/* The themes: a colour for each tone, reduced to the colours that the terminal has. A colour is a number of the
 * 256 that terminals share, with a number for terminals of 16. */

#include "tui/look.h"

#include "core/array_count.h"

#include <string.h>

/* A colour; cube 0: the terminal's default. */
struct color {
    uint8_t cube, basic;
};

struct paint {
    struct color fg, bg;
    unsigned attributes; /* with colours */
    unsigned mono;       /* without */
};

struct lw_look {
    const char *name;
    bool is_light;
    const uint8_t *hues, *levels;
    struct color field; /* the ground of dimmed cells */
    struct paint paints[LW_TONE_COUNT];
};

/* Neighbours, and lanes 2, 4 and 8 apart, differ clearly, also for people who do not distinguish red from green;
 * black text has a contrast of at least 8 on each. */
static const uint8_t hues[LW_HUES] = {153, 143, 182, 194, 222, 147, 224, 109, 110, 186, 219,
                                      151, 180, 189, 211, 152, 39,  144, 225, 193, 215, 146,
                                      217, 51,  81,  187, 218, 107, 223, 183, 216, 86};
static const uint8_t levels[LW_LEVELS] = {79, 148, 220, 208, 203, 199};
/* From blue to yellow. */
static const uint8_t safe_levels[LW_LEVELS] = {67, 110, 152, 187, 221, 214};

#define SHARED_PAINTS                                                                              \
    [LW_TONE_TITLE] = {.attributes = LW_BOLD, .mono = LW_BOLD},                                    \
    [LW_TONE_WRONG] = {{0, 0}, {0, 0}, LW_UNDERLINE | LW_BOLD, LW_UNDERLINE | LW_BOLD},            \
    [LW_TONE_NOW] = {{16, 0}, {199, 13}, LW_BOLD, LW_REVERSE | LW_BOLD},                           \
    [LW_TONE_FOUND] = {{16, 0}, {221, 3}, 0, LW_REVERSE}

#define DARK_PAINTS                                                                                \
    SHARED_PAINTS, [LW_TONE_FAINT] = {{245, 8}, {0, 0}, 0, LW_DIM},                                \
                   [LW_TONE_KEY] = {{117, 14}, {0, 0}, LW_BOLD, LW_BOLD},                          \
                   [LW_TONE_LABEL] = {{247, 7}, {0, 0}, 0, 0},                                     \
                   [LW_TONE_LABEL_ON] = {{117, 14}, {0, 0}, LW_BOLD, LW_BOLD},                     \
                   [LW_TONE_TAB_ON] = {{117, 14}, {0, 0}, LW_BOLD | LW_UNDERLINE, LW_REVERSE},     \
                   [LW_TONE_RULE] = {{241, 8}, {0, 0}, 0, LW_DIM},                                 \
                   [LW_TONE_CURSOR] = {{16, 0}, {231, 15}, LW_BOLD, LW_REVERSE | LW_BOLD},         \
                   [LW_TONE_HOLE] = {{240, 8}, {0, 0}, 0, LW_DIM},                                 \
                   [LW_TONE_FIELD] = {{245, 8}, {236, 0}, 0, LW_DIM},                              \
                   [LW_TONE_SERVED] = {{16, 0}, {246, 8}, 0, LW_DIM}

static const struct lw_look themes[] = {
    {.name = "dark",
     .hues = hues,
     .levels = levels,
     .field = {236, 0},
     .paints = {DARK_PAINTS, [LW_TONE_GOOD] = {{114, 10}, {0, 0}, LW_BOLD, 0},
                [LW_TONE_BAD] = {{210, 9}, {0, 0}, LW_BOLD, LW_BOLD}}},
    {.name = "light",
     .is_light = true,
     .hues = hues,
     .levels = levels,
     .field = {254, 7},
     .paints = {SHARED_PAINTS, [LW_TONE_FAINT] = {{243, 8}, {0, 0}, 0, LW_DIM},
                [LW_TONE_KEY] = {{25, 4}, {0, 0}, LW_BOLD, LW_BOLD},
                [LW_TONE_GOOD] = {{28, 2}, {0, 0}, LW_BOLD, 0},
                [LW_TONE_BAD] = {{160, 1}, {0, 0}, LW_BOLD, LW_BOLD},
                [LW_TONE_LABEL] = {{240, 8}, {0, 0}, 0, 0},
                [LW_TONE_LABEL_ON] = {{25, 4}, {0, 0}, LW_BOLD, LW_BOLD},
                [LW_TONE_TAB_ON] = {{25, 4}, {0, 0}, LW_BOLD | LW_UNDERLINE, LW_REVERSE},
                [LW_TONE_RULE] = {{247, 7}, {0, 0}, 0, LW_DIM},
                [LW_TONE_CURSOR] = {{231, 15}, {16, 0}, LW_BOLD, LW_REVERSE | LW_BOLD},
                [LW_TONE_HOLE] = {{248, 7}, {0, 0}, 0, LW_DIM},
                [LW_TONE_FIELD] = {{244, 8}, {254, 7}, 0, LW_DIM},
                [LW_TONE_SERVED] = {{16, 0}, {250, 7}, 0, LW_DIM}}},
    {.name = "safe",
     .hues = hues,
     .levels = safe_levels,
     .field = {236, 0},
     .paints = {DARK_PAINTS, [LW_TONE_GOOD] = {{75, 12}, {0, 0}, LW_BOLD, 0},
                [LW_TONE_BAD] = {{214, 11}, {0, 0}, LW_BOLD | LW_UNDERLINE, LW_BOLD}}},
    {.name = "mono",
     .paints =
         {SHARED_PAINTS, [LW_TONE_FAINT] = {.mono = LW_DIM}, [LW_TONE_KEY] = {.mono = LW_BOLD},
          [LW_TONE_BAD] = {.mono = LW_BOLD}, [LW_TONE_LABEL_ON] = {.mono = LW_BOLD},
          [LW_TONE_TAB_ON] = {.mono = LW_REVERSE}, [LW_TONE_RULE] = {.mono = LW_DIM},
          [LW_TONE_CURSOR] = {.mono = LW_REVERSE | LW_BOLD}, [LW_TONE_HOLE] = {.mono = LW_DIM},
          [LW_TONE_FIELD] = {.mono = LW_DIM}, [LW_TONE_SERVED] = {.mono = LW_DIM}}},
};

const struct lw_look *lw_look_find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(themes); i++)
        if (!strcmp(themes[i].name, name))
            return &themes[i];
    return NULL;
}

const char *lw_look_name(size_t i)
{
    return i < LW_COUNT(themes) ? themes[i].name : NULL;
}

unsigned lw_ramp_level(uint64_t words)
{
    unsigned level = 0;
    while (level + 1 < LW_LEVELS && words >= UINT64_C(2) << level)
        level++;
    return level;
}

/* ---- Colours ---- */

static const uint8_t cube_steps[6] = {0, 95, 135, 175, 215, 255};

/* Red, green and blue of a number from 16 to 255; these are the same on all terminals. */
static void rgb_of(unsigned cube, int rgb[3])
{
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)(8 + 10 * (cube - 232));
    if (cube >= 232)
        return;
    rgb[0] = cube_steps[(cube - 16) / 36];
    rgb[1] = cube_steps[(cube - 16) / 6 % 6];
    rgb[2] = cube_steps[(cube - 16) % 6];
}

static uint8_t nearest(const int rgb[3])
{
    uint8_t best = 16;
    int least = INT32_MAX;
    for (unsigned cube = 16; cube < 256; cube++) {
        int other[3];
        rgb_of(cube, other);
        int red = rgb[0] - other[0], green = rgb[1] - other[1], blue = rgb[2] - other[2];
        int distance = 3 * red * red + 4 * green * green + 2 * blue * blue;
        if (distance < least) {
            least = distance;
            best = (uint8_t)cube;
        }
    }
    return best;
}

/* The hue of a shade. With few colours six or twelve of them are shared by several hues. */
static struct color hue_of(const struct lw_look *theme, enum lw_depth depth, unsigned shade)
{
    static const uint8_t bright[12] = {14, 11, 13, 10, 12, 9, 6, 3, 5, 2, 4, 1};
    unsigned basic = depth == LW_DEPTH_16 ? bright[shade % 12] : bright[6 + shade % 6];
    return (struct color){theme->hues[shade % LW_HUES], (uint8_t)basic};
}

static struct color level_of(const struct lw_look *theme, unsigned level)
{
    static const uint8_t basic[LW_LEVELS] = {6, 2, 3, 3, 1, 5};
    return (struct color){theme->levels[level % LW_LEVELS], basic[level % LW_LEVELS]};
}

/* A hue mixed into the ground: on light one of the few tints that 256 colours have, on dark a darker hue. */
static struct color tint_of(const struct lw_look *theme, unsigned shade)
{
    int hue[3], ground[3];
    rgb_of(theme->hues[shade % LW_HUES], hue);
    rgb_of(theme->field.cube, ground);
    int least = hue[0], most = hue[0];
    for (int i = 1; i < 3; i++) {
        least = hue[i] < least ? hue[i] : least;
        most = hue[i] > most ? hue[i] : most;
    }
    for (int i = 0; i < 3; i++)
        hue[i] = !theme->is_light             ? (hue[i] + 3 * ground[i]) / 4
                 : 2 * hue[i] >= least + most ? 255
                                              : 215;
    return (struct color){nearest(hue), theme->field.basic};
}

static int number_of(struct color color, enum lw_depth depth)
{
    int rgb[3];
    if (!color.cube || depth == LW_DEPTH_MONO)
        return -1;
    if (depth <= LW_DEPTH_16) /* bright black may be the background: the terminal's own colour */
        return color.basic == 8 ? -1 : depth == LW_DEPTH_16 ? color.basic : color.basic % 8;
    if (depth == LW_DEPTH_256)
        return color.cube;
    rgb_of(color.cube, rgb);
    return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

static struct lw_appearance paired(struct color fg, struct color bg, enum lw_depth depth,
                                   unsigned attributes)
{
    return (struct lw_appearance){number_of(fg, depth), number_of(bg, depth), attributes};
}

/* ---- Cells ---- */

static const struct color black = {16, 0};

static struct lw_appearance quiet(const struct lw_look *theme, enum lw_depth depth, unsigned shade)
{
    const struct color grey = {244, 8}, none = {0, 0};
    if (depth <= LW_DEPTH_16)
        return paired(none, none, depth, LW_DIM);
    if (theme->is_light)
        return paired(grey, tint_of(theme, shade), depth, 0);
    return paired(hue_of(theme, depth, shade), theme->field, depth, 0);
}

static struct color half_color(const struct lw_look *theme, enum lw_depth depth, uint8_t half)
{
    if (half < LW_HALF_QUIET_AT)
        return hue_of(theme, depth, half);
    if (half < LW_HALF_RAMP_AT)
        return depth <= LW_DEPTH_16 ? theme->field
                                    : tint_of(theme, (unsigned)half - LW_HALF_QUIET_AT);
    if (half < LW_HALF_TONE_AT)
        return level_of(theme, (unsigned)half - LW_HALF_RAMP_AT);
    return half == LW_HALF_BLANK ? (struct color){0, 0} : theme->paints[half - LW_HALF_TONE_AT].bg;
}

static struct lw_appearance cell_look(const struct lw_look *theme, enum lw_depth depth,
                                      struct lw_pen pen)
{
    switch ((enum lw_tone)pen.kind) {
    case LW_TONE_OWNER:
        return paired(black, hue_of(theme, depth, pen.shade), depth, 0);
    case LW_TONE_LIT:
        return paired(black, hue_of(theme, depth, pen.shade), depth,
                      depth > LW_DEPTH_16 ? 0 : LW_UNDERLINE);
    case LW_TONE_QUIET:
        return quiet(theme, depth, pen.shade);
    case LW_TONE_RAMP:
        return paired(black, level_of(theme, pen.shade), depth, 0);
    default: /* LW_TONE_HALF: the upper cell is the foreground of a block, the lower one the background */
        return paired(half_color(theme, depth, pen.shade), half_color(theme, depth, pen.under),
                      depth, 0);
    }
}

static struct lw_appearance mono_look(const struct lw_look *theme, struct lw_pen pen)
{
    unsigned attributes = theme->paints[pen.kind].mono;
    if (pen.kind == LW_TONE_LIT)
        attributes = LW_BOLD | LW_UNDERLINE;
    else if (pen.kind == LW_TONE_QUIET)
        attributes = LW_DIM;
    else if (pen.kind == LW_TONE_RAMP)
        attributes = pen.shade ? LW_BOLD : 0;
    return (struct lw_appearance){-1, -1, attributes};
}

struct lw_appearance lw_look_of(const void *chosen, enum lw_depth depth, struct lw_pen pen)
{
    const struct lw_look *theme = chosen;
    struct lw_appearance appearance;
    bool is_cell = pen.kind == LW_TONE_OWNER || pen.kind == LW_TONE_LIT ||
                   pen.kind == LW_TONE_QUIET || pen.kind == LW_TONE_RAMP ||
                   pen.kind == LW_TONE_HALF;
    if (depth == LW_DEPTH_MONO || !theme->hues) {
        appearance = mono_look(theme, pen);
    } else if (is_cell) {
        appearance = cell_look(theme, depth, pen);
    } else {
        const struct paint *paint = &theme->paints[pen.kind];
        appearance = paired(paint->fg, paint->bg, depth, paint->attributes);
        if (depth <= LW_DEPTH_16 && paint->fg.basic == 8)
            appearance.attributes |= LW_DIM;
        if (depth <= LW_DEPTH_16 && paint->bg.cube) /* bold black would be grey */
            appearance.attributes &= ~(unsigned)LW_BOLD;
    }
    if (pen.line) /* lanes 32 to 63 have the hues of 0 to 31 */
        appearance.attributes |= LW_UNDERLINE;
    return appearance;
}
