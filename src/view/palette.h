#ifndef LANEWAY_PALETTE_H
#define LANEWAY_PALETTE_H

/*
 * Palettes: the colours of the classes of cells, for terminals and for documents.
 *
 * Colours are written as themes write them (tui/theme.h): "#5fd7d7/6 bold". A class is a number: that of
 * its ink or, for an index, LW_CLASS_INKS + the ink that its shade has.
 */

#include "laneway/view.h"

enum {
    LW_PALETTE_INKS = 16, /* at most */
    LW_CLASS_INKS = LW_INK_BAD + 1,
    LW_CLASS_COUNT = LW_CLASS_INKS + LW_PALETTE_INKS
};

struct lw_palette {
    const char *name;
    const char *looks[LW_CLASS_INKS]; /* by ink; NULL: as text is */
    const char *inks; /* of indices, separated by blanks; in this order neighbours contrast */
    const char *paper, *letters, *rule; /* of a document in these colours; NULL: there are none */
};

/* The palette of a built-in theme; NULL when no theme has that name. */
const struct lw_palette *lw_palette_find(const char *name);

/* The ink of a shade, folded, so that lanes 0, 16 and 32 differ: below LW_PALETTE_INKS. */
unsigned lw_palette_ink(uint64_t shade);
unsigned lw_palette_class(const struct lw_cell *cell);

/* How a document in the colours of `paper` draws cells of a class: as 0xrrggbb. */
struct lw_tint {
    uint32_t letters, fill;
};
struct lw_tint lw_palette_tint(const struct lw_palette *palette, unsigned class);
uint32_t lw_palette_rgb(const char *color);

/* Where it is not known what is behind the text: numbers of the 256 colours of terminals. */
int lw_palette_hue(uint64_t shade);
int lw_palette_dim_hue(uint64_t dim);

#endif
