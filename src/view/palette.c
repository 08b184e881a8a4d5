/* The palettes. Inks come in an order in which neighbours contrast: in the safe palette in lightness too,
 * for eyes that do not distinguish red from green. */

#include "view/palette.h"

#include <stdlib.h>
#include <string.h>

static const struct lw_palette palettes[] = {
    {.name = "dark",
     .looks = {[LW_INK_FAINT] = "#808080/8 | dim",
               [LW_INK_HOLE] = "#4e4e4e/8 | dim",
               [LW_INK_HEAD] = "#949494/7 | dim",
               [LW_INK_GOOD] = "#87d787/2",
               [LW_INK_BAD] = "#ff5f5f/9 bold | bold underline"},
     .inks = "#5fd7d7/6 #ffaf5f/3 #87ff87/2 #ff87d7/5 #ffd787/11 #87afff/12 #ff5f5f/9 #afffd7/14 "
             "#d787ff/13 #d7af5f/7 #5fafd7/6 #afff5f/10 #d7875f/1 #af87d7/13 #ffffaf/11 #5faf87/2",
     .paper = "#0d1117",
     .letters = "#e6edf3",
     .rule = "#30363d"},
    {.name = "light",
     .looks = {[LW_INK_FAINT] = "#6c6c6c/8 | dim",
               [LW_INK_HOLE] = "#8a8a8a/8 | dim",
               [LW_INK_HEAD] = "#6c6c6c/8 | dim",
               [LW_INK_GOOD] = "#005f00/2",
               [LW_INK_BAD] = "#d70000/1 bold | bold underline"},
     .inks = "#005faf/4 #af5f00/1 #005f00/2 #af005f/5 #5f5f00/0 #5f5fd7/4 #d70000/1 #005f5f/6 "
             "#8700af/5 #875f00/0 #00005f/4 #5f8700/2 #5f00af/5 #875f5f/1 #005f87/6 #870000/1",
     .paper = "#ffffff",
     .letters = "#1f2328",
     .rule = "#d1d9e0"},
    {.name = "safe",
     .looks = {[LW_INK_FAINT] = "#808080/8 | dim",
               [LW_INK_HOLE] = "#4e4e4e/8 | dim",
               [LW_INK_HEAD] = "#949494/7 | dim",
               [LW_INK_GOOD] = "#5fafff/12",
               [LW_INK_BAD] = "#ffaf00/11 bold underline"},
     .inks =
         "#5fafff/12 #ffff5f/11 #af5f00/3 #d7d7ff/15 #5f87af/6 #ffd700/11 #875f5f/1 #afffff/14"},
    {.name = "mono",
     .looks = {[LW_INK_FAINT] = "dim",
               [LW_INK_HOLE] = "dim",
               [LW_INK_HEAD] = "dim",
               [LW_INK_BAD] = "bold underline"},
     .inks = ""},
};

const struct lw_palette *lw_palette_find(const char *name)
{
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++)
        if (!strcmp(palettes[i].name, name))
            return &palettes[i];
    return NULL;
}

unsigned lw_palette_ink(uint64_t shade)
{
    return (unsigned)((shade ^ shade >> 4 ^ shade >> 8) % LW_PALETTE_INKS);
}

unsigned lw_palette_class(const struct lw_cell *cell)
{
    bool index = cell->ink == LW_INK_INDEX || cell->ink == LW_INK_DIM;
    return index ? LW_CLASS_INKS + lw_palette_ink(cell->shade) : (unsigned)cell->ink;
}

uint32_t lw_palette_rgb(const char *color)
{
    return (uint32_t)strtoul(color + 1, NULL, 16);
}

/* `percent` hundredths of one colour, the rest of another. */
static uint32_t mix(uint32_t one, uint32_t other, unsigned percent)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8)
        mixed |=
            ((one >> shift & 255) * percent + (other >> shift & 255) * (100 - percent) + 50) / 100
            << shift;
    return mixed;
}

static const char *color_of(const struct lw_palette *palette, unsigned class)
{
    const char *ink = palette->inks;
    if (class < LW_CLASS_INKS)
        return palette->looks[class];
    for (unsigned i = LW_CLASS_INKS; i < class; i++)
        ink = strchr(ink, ' ') + 1;
    return ink;
}

/* Coloured letters on a paper tinted with the same colour: both far enough apart to be read, which a
 * test measures. */
struct lw_tint lw_palette_tint(const struct lw_palette *palette, unsigned class)
{
    enum { LETTERS = 60, FILL = 30 };
    uint32_t paper = lw_palette_rgb(palette->paper), letters = lw_palette_rgb(palette->letters);
    bool tinted = class >= LW_CLASS_INKS || class == LW_INK_GOOD || class == LW_INK_BAD;
    if (class == LW_INK_HOLE)
        class = LW_INK_FAINT; /* on paper no cursor can point at it */
    const char *color = color_of(palette, class);
    if (!color)
        return (struct lw_tint){letters, paper};
    uint32_t rgb = lw_palette_rgb(color);
    if (!tinted)
        return (struct lw_tint){rgb, paper};
    return (struct lw_tint){mix(rgb, letters, LETTERS), mix(rgb, paper, FILL)};
}

/* The hues of the 6 x 6 x 6 colour cube that can be read on dark and on light. Steps of 13 through 32 of
 * them: each comes once, and neighbours are far apart. */
int lw_palette_hue(uint64_t shade)
{
    static const unsigned char hues[32] = {196, 202, 208, 214, 178, 184, 148, 112, 76,  40, 41,
                                           42,  43,  44,  38,  39,  33,  27,  63,  69,  99, 135,
                                           141, 171, 165, 201, 200, 199, 206, 168, 204, 203};
    return hues[shade * 13 % 32];
}

int lw_palette_dim_hue(uint64_t dim)
{
    static const unsigned char hues[8] = {39, 214, 76, 201, 196, 44, 141, 184};
    return hues[dim % 8];
}
