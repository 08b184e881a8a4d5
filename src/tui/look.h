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
    LW_TONE_RULE, /* lines between parts */
    LW_TONE_CURSOR,
    LW_TONE_WRONG,  /* the piece of a text where an error is */
    LW_TONE_FOUND,  /* a text that was searched for */
    LW_TONE_HOLE,   /* nothing is here */
    LW_TONE_PLAIN,  /* a cell without a hue */
    LW_TONE_OWNER,  /* a cell with a hue: shade */
    LW_TONE_LIT,    /* the same, lit */
    LW_TONE_QUIET,  /* the same, dimmed */
    LW_TONE_FIELD,  /* a dimmed cell without a hue */
    LW_TONE_RAMP,   /* a level of conflicts: shade */
    LW_TONE_SERVED, /* what an earlier wavefront moved */
    LW_TONE_NOW,    /* what this wavefront moves */
    LW_TONE_HALF,   /* two cells, one above the other: shade and under, each a half below */
    LW_TONE_COUNT
};

/* Halves of LW_TONE_HALF. */
enum {
    LW_HALF_OWNER_AT = 0,  /* + the hue */
    LW_HALF_QUIET_AT = 64, /* + the hue */
    LW_HALF_RAMP_AT = 128, /* + the level */
    LW_HALF_TONE_AT = 160, /* + another tone, its background */
    LW_HALF_BLANK = 255
};

enum { LW_HUES = 32, LW_LEVELS = 6 };

static inline struct lw_pen lw_tone(enum lw_tone tone)
{
    return (struct lw_pen){.kind = (uint8_t)tone};
}

static inline struct lw_pen lw_hue(enum lw_tone tone, uint64_t number)
{
    return (struct lw_pen){.kind = (uint8_t)tone,
                           .shade = (uint8_t)(number % LW_HUES),
                           .line = (uint8_t)(number / LW_HUES % 2)};
}

/* The level of a number of words on the ramp 1 2 4 8 16 32; words is at least 1. */
unsigned lw_ramp_level(uint64_t words);

/* A theme: "dark", "light", "safe" for people who do not distinguish red from green, "mono". */
struct lw_look;
const struct lw_look *lw_look_find(const char *name);
/* The name of theme number i; NULL: there are fewer. */
const char *lw_look_name(size_t i);
/* The look of a pen; `theme` is a struct lw_look. */
struct lw_appearance lw_look_of(const void *look, enum lw_depth depth, struct lw_pen pen);

#endif
