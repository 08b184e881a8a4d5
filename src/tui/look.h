#ifndef LANEWAY_LOOK_H
#define LANEWAY_LOOK_H

/*
 * Looks: what each pen of the explorer looks like in a theme.
 *
 * A pen names a role, its tone: a label, a cell of lane 7, a conflict of 8 words. Owners have one palette of 32 hues,
 * the same on dark and on light, with black text. Lit cells are filled with their hue; dimmed ones keep it: on dark a
 * grey field with text in the hue, on light a tint of the hue with grey text.
 */

#include "tui/terminal/terminal.h"

enum lw_tone {
    LW_TONE_TEXT,
    LW_TONE_FAINT,
    LW_TONE_TITLE,
    LW_TONE_KEY, /* the name of a key, and what is chosen */
    LW_TONE_GOOD,
    LW_TONE_BAD,
    LW_TONE_LABEL,    /* of rows and columns */
    LW_TONE_LABEL_ON, /* of the row and the column of the cursor */
    LW_TONE_TAB_ON,
    LW_TONE_RULE,   /* lines between parts */
    LW_TONE_WRONG,  /* the piece of a text where an error is */
    LW_TONE_FOUND,  /* a text that was searched for */
    LW_TONE_HOLE,   /* nothing is here */
    LW_TONE_PLAIN,  /* a cell without a hue */
    LW_TONE_QUIET,  /* a cell with a hue, its shade, dimmed; from here on cells have a ground */
    LW_TONE_EQUAL,  /* the same on a grey field, in two layouts */
    LW_TONE_FIELD,  /* a dimmed cell without a hue */
    LW_TONE_SERVED, /* what an earlier wavefront moved */
    LW_TONE_OWNER,  /* a cell with a hue; from here on cells stand out */
    LW_TONE_LIT,    /* the same, lit */
    LW_TONE_RAMP,   /* a level of conflicts, its shade */
    LW_TONE_NOW,    /* what this wavefront moves */
    LW_TONE_CURSOR,
    LW_TONE_COUNT
};

enum { LW_HUES = 32, LW_LEVELS = 6 };

static inline struct lw_pen lw_tone(enum lw_tone tone)
{
    return (struct lw_pen){.kind = (uint8_t)tone};
}

/* Those from 32 to 63 have the hues of 0 to 31, and are underlined unless they are dimmed. */
static inline struct lw_pen lw_hue(enum lw_tone tone, uint64_t number)
{
    return (struct lw_pen){.kind = (uint8_t)tone, .shade = (uint8_t)(number % (2 * LW_HUES))};
}

static inline bool lw_tone_has_ground(struct lw_pen pen)
{
    return pen.kind >= LW_TONE_QUIET;
}

/* A block of two cells, one above the other: the ground of the upper one, which has one, over that of the lower one. */
static inline struct lw_pen lw_halves(struct lw_pen upper, struct lw_pen lower)
{
    upper.under_kind = lw_tone_has_ground(lower) ? lower.kind : (uint8_t)LW_TONE_HOLE;
    upper.under = lower.shade;
    return upper;
}

/* The level of a number of words on the ramp 1 2 4 8 16 32; words is at least 1. */
unsigned lw_ramp_level(uint64_t words);

/* A theme: "dark", "light", "safe" for people who do not distinguish red from green, "mono". */
struct lw_look;
const struct lw_look *lw_look_find(const char *name);
/* The look of a pen; `theme` is a struct lw_look. */
struct lw_appearance lw_look_of(const void *look, enum lw_depth depth, struct lw_pen pen);

#endif
