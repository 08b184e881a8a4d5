/* The themes: a colour for each tone, reduced to the colours that the terminal has. A colour is a number of the
 * 256 that terminals share, with a number for terminals of 16. */

#include "tui/look.h"

#include "core/array_count.h"

#include <string.h>

/* A colour; cube 0: the terminal's default. */
struct color {
    uint8_t cube, basic;
};

struct lw_look {
    const char *name;
    bool is_light;
    const uint8_t *levels; /* NULL: it has no colours */
    struct color good, bad;
};

/* Neighbours, and lanes 2, 4 and 8 apart, differ clearly, also for people who do not distinguish red from green;
 * black text has a contrast of at least 8 on each. */
static const uint8_t hues[LW_HUES] = {153, 143, 182, 194, 222, 147, 224, 109, 110, 186, 219,
                                      151, 180, 189, 211, 152, 39,  144, 225, 193, 215, 146,
                                      217, 51,  81,  187, 218, 107, 223, 183, 216, 86};
static const uint8_t levels[LW_LEVELS] = {79, 148, 220, 208, 203, 199};
/* The hues as tints, of the few that 256 colours have; that of a hue as pale as its tint is grey. */
static const uint8_t tints[LW_HUES] = {195, 230, 225, 254, 230, 189, 255, 195, 195, 230, 225,
                                       194, 230, 255, 224, 195, 195, 230, 255, 254, 230, 189,
                                       224, 195, 195, 230, 225, 230, 230, 225, 224, 195};
/* From blue to yellow. */
static const uint8_t safe_levels[LW_LEVELS] = {67, 110, 152, 187, 221, 214};

static const struct lw_look themes[] = {
    {"dark", false, levels, {114, 10}, {210, 9}},
    {"light", true, levels, {28, 2}, {160, 1}},
    {"safe", false, safe_levels, {75, 12}, {214, 11}},
    {.name = "mono"},
};

/* The tones: on dark, and on light. */
static const struct paint {
    struct color fg[2], bg[2];
    unsigned attributes; /* with colours */
    unsigned mono;       /* without */
} paints[LW_TONE_COUNT] = {
    [LW_TONE_FAINT] = {{{245, 8}, {243, 8}}, .mono = LW_DIM},
    [LW_TONE_TITLE] = {.attributes = LW_BOLD, .mono = LW_BOLD},
    [LW_TONE_KEY] = {{{117, 14}, {25, 4}}, .attributes = LW_BOLD, .mono = LW_BOLD},
    [LW_TONE_GOOD] = {.attributes = LW_BOLD},
    [LW_TONE_BAD] = {.attributes = LW_BOLD, .mono = LW_BOLD},
    [LW_TONE_LABEL] = {.fg = {{247, 7}, {240, 8}}},
    [LW_TONE_LABEL_ON] = {{{117, 14}, {25, 4}}, .attributes = LW_BOLD, .mono = LW_BOLD},
    [LW_TONE_TAB_ON] = {{{117, 14}, {25, 4}}, {{0}}, LW_BOLD | LW_UNDERLINE, LW_REVERSE},
    [LW_TONE_RULE] = {{{241, 8}, {247, 7}}, .mono = LW_DIM},
    [LW_TONE_WRONG] = {.attributes = LW_UNDERLINE | LW_BOLD, .mono = LW_UNDERLINE | LW_BOLD},
    [LW_TONE_FOUND] = {{{16, 0}, {16, 0}}, {{221, 3}, {221, 3}}, 0, LW_REVERSE},
    [LW_TONE_HOLE] = {{{240, 8}, {248, 7}}, .mono = LW_DIM},
    [LW_TONE_QUIET] = {{{0}, {247, 8}}, .mono = LW_DIM},
    [LW_TONE_EQUAL] = {{{0}, {240, 8}}, {{236, 0}, {250, 7}}, 0, LW_DIM},
    [LW_TONE_FIELD] = {{{245, 8}, {244, 8}}, {{236, 0}, {250, 7}}, 0, LW_DIM},
    [LW_TONE_SERVED] = {{{16, 0}, {16, 0}}, {{246, 8}, {245, 8}}, 0, LW_DIM},
    [LW_TONE_LIT] = {.attributes = LW_BOLD, .mono = LW_BOLD | LW_UNDERLINE},
    [LW_TONE_NOW] = {{{16, 0}, {16, 0}}, {{199, 13}, {199, 13}}, LW_BOLD, LW_REVERSE | LW_BOLD},
    [LW_TONE_CURSOR] = {{{16, 0}, {231, 15}}, {{231, 15}, {16, 0}}, LW_BOLD, LW_REVERSE | LW_BOLD},
};

const struct lw_look *lw_look_find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(themes); i++)
        if (!strcmp(themes[i].name, name))
            return &themes[i];
    return NULL;
}

unsigned lw_ramp_level(uint64_t words)
{
    unsigned level = 0;
    while (level + 1 < LW_LEVELS && words >= UINT64_C(2) << level)
        level++;
    return level;
}

/* ---- Colours ---- */

static int number_of(struct color color, enum lw_depth depth)
{
    if (!color.cube || depth == LW_DEPTH_MONO)
        return -1;
    if (depth <= LW_DEPTH_16) /* bright black may be the background: the terminal's own colour */
        return color.basic == 8 ? -1 : depth == LW_DEPTH_16 ? color.basic : color.basic % 8;
    return color.cube;
}

static struct lw_appearance paired(struct color fg, struct color bg, enum lw_depth depth,
                                   unsigned attributes)
{
    return (struct lw_appearance){number_of(fg, depth), number_of(bg, depth), attributes};
}

/* The background of a tone. With few colours six or twelve of them are shared by several hues. */
static struct color ground_of(const struct lw_look *theme, enum lw_depth depth, unsigned kind,
                              unsigned shade)
{
    static const uint8_t bright[12] = {14, 11, 13, 10, 12, 9, 6, 3, 5, 2, 4, 1};
    static const uint8_t basic_levels[LW_LEVELS] = {6, 2, 3, 3, 1, 5};
    const struct color field = paints[LW_TONE_FIELD].bg[theme->is_light];
    const unsigned hue = shade % LW_HUES;
    switch (kind) {
    case LW_TONE_OWNER:
    case LW_TONE_LIT:
        return (struct color){hues[hue],
                              depth == LW_DEPTH_16 ? bright[hue % 12] : bright[6 + hue % 6]};
    case LW_TONE_QUIET:
        return theme->is_light && depth > LW_DEPTH_16 ? (struct color){tints[hue], 7} : field;
    case LW_TONE_RAMP:
        return (struct color){theme->levels[shade % LW_LEVELS], basic_levels[shade % LW_LEVELS]};
    default:
        return paints[kind].bg[theme->is_light];
    }
}

static struct lw_appearance colored(const struct lw_look *theme, enum lw_depth depth,
                                    struct lw_pen pen)
{
    static const struct color black = {16, 0}, none = {0, 0};
    /* Halves of a block, which have no text: what is dimmed is a field on light too. */
    const unsigned under = pen.under_kind == LW_TONE_QUIET ? LW_TONE_FIELD : pen.under_kind;
    const bool is_field = under && pen.kind == LW_TONE_QUIET;
    const struct color ground =
        ground_of(theme, depth, is_field ? LW_TONE_FIELD : pen.kind, pen.shade);
    const struct paint *paint = &paints[pen.kind];
    const bool has_few = depth <= LW_DEPTH_16;
    struct color fg = paint->fg[theme->is_light];
    unsigned attributes = paint->attributes;
    if (under) /* the upper cell is the foreground of a block */
        return paired(ground, ground_of(theme, depth, under, pen.under), depth, 0);
    switch (pen.kind) {
    case LW_TONE_QUIET:
    case LW_TONE_EQUAL:
        if (has_few)
            return paired(none, none, depth, LW_DIM);
        fg = theme->is_light ? fg : ground_of(theme, depth, LW_TONE_OWNER, pen.shade);
        return paired(fg, ground, depth, 0);
    case LW_TONE_OWNER:
    case LW_TONE_LIT:
    case LW_TONE_RAMP:
        return paired(black, ground, depth,
                      has_few && pen.kind == LW_TONE_LIT ? LW_UNDERLINE : attributes);
    case LW_TONE_GOOD:
    case LW_TONE_BAD:
        fg = pen.kind == LW_TONE_GOOD ? theme->good : theme->bad;
        break;
    }
    if (has_few && fg.basic == 8)
        attributes |= LW_DIM;
    if (has_few && ground.cube) /* bold black would be grey */
        attributes &= ~(unsigned)LW_BOLD;
    return paired(fg, ground, depth, attributes);
}

struct lw_appearance lw_look_of(const void *chosen, enum lw_depth depth, struct lw_pen pen)
{
    const struct lw_look *theme = chosen;
    const bool is_hue = pen.kind == LW_TONE_OWNER || pen.kind == LW_TONE_LIT;
    struct lw_appearance look = {-1, -1, paints[pen.kind].mono};
    if (depth != LW_DEPTH_MONO && theme->levels)
        look = colored(theme, depth, pen);
    else if (pen.kind == LW_TONE_RAMP && pen.shade)
        look.attributes = LW_BOLD;
    if (is_hue && !pen.under_kind && pen.shade / LW_HUES % 2)
        look.attributes |= LW_UNDERLINE;
    return look;
}
