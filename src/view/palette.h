#ifndef LANEWAY_PALETTE_H
#define LANEWAY_PALETTE_H

/*
 * Palettes: the colours of the classes of cells in documents, and among the 256 of a terminal.
 *
 * A cell is filled with the colour of its class, and its text is black or white, whichever has more contrast. A class
 * is a number: that of its ink or, for an index, LW_CLASS_INKS + the ink that its shade has, or, for a level of the
 * ramp, LW_CLASS_RAMP + the level.
 *
 * The inks of indices: eight hues by position, so that neighbours differ, and four lightnesses by
 * group of eight: 32 for the lanes of a warp or for banks; 32 more, of the hues between, for the rest of a
 * wave of 64. palette_test.c measures their differences.
 */

#include "laneway/view.h"

enum {
    LW_PALETTE_INKS = 64,
    LW_PALETTE_GROUP = 8, /* inks of one lightness that follow each other */
    LW_RAMP_LEVELS = 6,   /* 1, 2, 4, 8, 16, 32 or more */
    LW_CLASS_INKS = LW_INK_RAMP + 1,
    LW_CLASS_RAMP = LW_CLASS_INKS + LW_PALETTE_INKS,
    LW_CLASS_COUNT = LW_CLASS_RAMP + LW_RAMP_LEVELS
};

struct lw_ink_color {
    uint32_t rgb; /* 0xrrggbb */
    int cube;     /* its number among 256 colours of a terminal: no two inks have the same */
};

struct lw_palette {
    const char *name;
    uint32_t looks[LW_CLASS_INKS];          /* of text, by ink; 0: `letters` */
    const struct lw_ink_color *inks, *ramp; /* of indices and of levels */
    uint32_t paper, letters, rule;          /* of a document in these colours */
};

/* "dark", "light", "safe", "safe-light"; NULL: there is none. */
const struct lw_palette *lw_palette_find(const char *name);

/* The ink of a shade, below LW_PALETTE_INKS. */
unsigned lw_palette_ink(uint64_t shade);
/* The level of a count on the ramp, below LW_RAMP_LEVELS; `count` is at least 1. */
unsigned lw_palette_level(uint64_t count);
unsigned lw_palette_class(const struct lw_cell *cell);

/* How a document in the colours of `paper` draws cells of a class: as 0xrrggbb. */
struct lw_tint {
    uint32_t letters, fill;
};
struct lw_tint lw_palette_tint(const struct lw_palette *palette, unsigned class);
/* Black or white, whichever contrasts more: at least 4.5 to 1 on every colour. */
uint32_t lw_palette_letters(uint32_t rgb);
/* The relative luminance of a colour, from 0 to 1, as WCAG 2.1 has it. */
double lw_palette_luminance(uint32_t rgb);

#endif
