/* The palettes. Their inks were chosen in CIELCh: eight hues, four lightnesses. In the safe palette neighbours differ
 * in lightness, or as blue and yellow, for people who do not distinguish red from green. The red of a conflict differs
 * clearly from every ink. */

#include "view/palette.h"

#include <string.h>

static const struct lw_ink_color dark_inks[LW_PALETTE_INKS] = {
    {0xf49391, 210}, {0xd8a469, 180}, {0xadb368, 143}, {0x7cbd83, 108}, {0x0cc1c3, 37},
    {0x55b7f3, 39},  {0xaca6ef, 147}, {0xe595c8, 175}, {0xcd6c6c, 167}, {0xb17f42, 137},
    {0x878e41, 100}, {0x54975d, 65},  {0x09989a, 30},  {0x0792cd, 32},  {0x8681ca, 104},
    {0xbf6ea3, 169}, {0xa4494a, 131}, {0x8a5c21, 94},  {0x626b1f, 58},  {0x2f733c, 22},
    {0x067173, 23},  {0x066c9a, 24},  {0x615ea4, 61},  {0x994a7e, 96},  {0x762c2f, 52},
    {0x603d0b, 130}, {0x414909, 238}, {0x154f23, 28},  {0x034d4e, 239}, {0x044969, 25},
    {0x3f3e76, 60},  {0x6d2d58, 89},  {0xf4a280, 216}, {0xcdb46c, 179}, {0x9dc17a, 150},
    {0x58c9aa, 79},  {0x1cc6ea, 45},  {0x8db7ff, 111}, {0xd6a4e7, 183}, {0xfb99b4, 211},
    {0xcc7c5b, 173}, {0xa68f45, 136}, {0x779b54, 107}, {0x1da384, 36},  {0x039ebc, 38},
    {0x6192da, 68},  {0xb07ec2, 140}, {0xd5728f, 168}, {0xa45939, 160}, {0x7f6b22, 101},
    {0x537732, 64},  {0x017c63, 29},  {0x04778e, 31},  {0x356eb3, 26},  {0x8a5b9c, 97},
    {0xac4d6b, 161}, {0x763b22, 88},  {0x594a0d, 240}, {0x36531b, 237}, {0x005644, 59},
    {0x045363, 241}, {0x174d84, 27},  {0x633c71, 53},  {0x7e314a, 125},
};

static const struct lw_ink_color light_inks[LW_PALETTE_INKS] = {
    {0xfecfcc, 224}, {0xffd2a3, 223}, {0xdae08e, 186}, {0xa4ebab, 157}, {0x50eff1, 87},
    {0xb8dfff, 153}, {0xdbd5ff, 189}, {0xffcbea, 225}, {0xff9f9c, 217}, {0xe7ae6c, 215},
    {0xb7bf6b, 143}, {0x80c989, 114}, {0x09cdcf, 44},  {0x64c2fe, 39},  {0xb7b0fe, 147},
    {0xf69cd5, 212}, {0xe57978, 174}, {0xc58d4a, 137}, {0x969f49, 107}, {0x5da968, 71},
    {0x05aaab, 37},  {0x05a2e4, 74},  {0x958fe1, 104}, {0xd57ab5, 175}, {0xbe5758, 131},
    {0xa06c2a, 130}, {0x737d28, 64},  {0x3a8648, 65},  {0x038586, 30},  {0x067fb3, 31},
    {0x726ebd, 98},  {0xb05893, 132}, {0xffd6c5, 181}, {0xf8dc8e, 222}, {0xc4ea9d, 193},
    {0x7df3d1, 122}, {0xa3e9fe, 117}, {0xd0deff, 146}, {0xf4d3ff, 182}, {0xfed3dd, 218},
    {0xffa883, 216}, {0xd5bb6a, 179}, {0xa1c97b, 150}, {0x51d2af, 79},  {0x05cef4, 45},
    {0x9abeff, 111}, {0xe0a9f3, 183}, {0xffa2bb, 211}, {0xdf8660, 173}, {0xb49b48, 136},
    {0x7fa859, 70},  {0x11b18f, 36},  {0x05abcb, 38},  {0x669eee, 75},  {0xc088d3, 140},
    {0xe87a9b, 204}, {0xb86441, 166}, {0x8f7927, 100}, {0x5d8639, 28},  {0x058b70, 29},
    {0x0586a0, 66},  {0x3c7cc9, 67},  {0x9c66af, 133}, {0xc25779, 168},
};

static const struct lw_ink_color safe_inks[LW_PALETTE_INKS] = {
    {0x9d7d30, 136}, {0x0787cf, 32},  {0x595c33, 58},  {0x62626f, 241}, {0xc6dbe2, 152},
    {0x818458, 101}, {0xfedcc6, 223}, {0x5f84ac, 67},  {0xa2938a, 246}, {0xe6b899, 180},
    {0x024e5f, 24},  {0x8699a0, 247}, {0xb39144, 179}, {0x723600, 88},  {0x5a5a4d, 240},
    {0xfad282, 222}, {0x79828f, 244}, {0x97a5ff, 147}, {0xb4ebff, 117}, {0x5e6915, 22},
    {0x78786a, 243}, {0xc69a1d, 178}, {0x4a7096, 25},  {0xbeb5a7, 249}, {0x294289, 61},
    {0xa9936a, 137}, {0x7499c2, 68},  {0x0f54be, 26},  {0x48515c, 239}, {0x8c6449, 95},
    {0x64dbff, 81},  {0x039df0, 39},  {0xdfd6c8, 188}, {0xaaaab9, 248}, {0x4870e0, 69},
    {0x798901, 100}, {0xff9f58, 215}, {0xd2e6ee, 254}, {0x4f532a, 238}, {0x52577f, 60},
    {0x947e56, 102}, {0x408aa1, 31},  {0xb7b98b, 144}, {0x4d463a, 237}, {0x5768b4, 62},
    {0xedd4a8, 187}, {0x8c8c7e, 245}, {0x424b00, 94},  {0x8aaed8, 110}, {0x9ea652, 143},
    {0x54666d, 59},  {0x8f9bec, 104}, {0x667401, 64},  {0x60594d, 242}, {0xbb900c, 172},
    {0x9495a3, 103}, {0x6e6e60, 65},  {0xd6dd86, 186}, {0x715604, 130}, {0xa1a476, 107},
    {0x71848b, 66},  {0xd0e4ff, 153}, {0x415359, 236}, {0xa7b1fe, 111},
};

/* From few to many words; the colours differ in lightness too. */
static const struct lw_ink_color ramp[LW_RAMP_LEVELS] = {{0x1f6f78, 23},  {0x6f8f2f, 64},
                                                         {0xe0b030, 178}, {0xf07818, 208},
                                                         {0xe02840, 197}, {0xff66b8, 205}};
static const struct lw_ink_color safe_ramp[LW_RAMP_LEVELS] = {{0x123a6b, 17},  {0x2f66a8, 25},
                                                              {0x6fa0d8, 110}, {0xd8c878, 186},
                                                              {0xf5b000, 214}, {0xfff3b0, 229}};

static const struct lw_palette palettes[] = {
    {.name = "dark",
     .looks = {[LW_INK_FAINT] = 0x808080,
               [LW_INK_HOLE] = 0x4e4e4e,
               [LW_INK_HEAD] = 0x949494,
               [LW_INK_GOOD] = 0x87d787,
               [LW_INK_BAD] = 0xff5f5f},
     .inks = dark_inks,
     .ramp = ramp,
     .paper = 0x0d1117,
     .letters = 0xe6edf3,
     .rule = 0x30363d},
    {.name = "light",
     .looks = {[LW_INK_FAINT] = 0x6c6c6c,
               [LW_INK_HOLE] = 0x8a8a8a,
               [LW_INK_HEAD] = 0x6c6c6c,
               [LW_INK_GOOD] = 0x005f00,
               [LW_INK_BAD] = 0xd70000},
     .inks = light_inks,
     .ramp = ramp,
     .paper = 0xffffff,
     .letters = 0x1f2328,
     .rule = 0xd1d9e0},
    {.name = "safe",
     .looks = {[LW_INK_FAINT] = 0x808080,
               [LW_INK_HOLE] = 0x4e4e4e,
               [LW_INK_HEAD] = 0x949494,
               [LW_INK_GOOD] = 0x5fafff,
               [LW_INK_BAD] = 0xffaf00},
     .inks = safe_inks,
     .ramp = safe_ramp,
     .paper = 0x0d1117,
     .letters = 0xe6edf3,
     .rule = 0x30363d},
    {.name = "safe-light",
     .looks = {[LW_INK_FAINT] = 0x6c6c6c,
               [LW_INK_HOLE] = 0x8a8a8a,
               [LW_INK_HEAD] = 0x6c6c6c,
               [LW_INK_GOOD] = 0x0550ae,
               [LW_INK_BAD] = 0xa33800},
     .inks = safe_inks,
     .ramp = safe_ramp,
     .paper = 0xffffff,
     .letters = 0x1f2328,
     .rule = 0xd1d9e0},
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
    return (unsigned)(shade % LW_PALETTE_INKS);
}

unsigned lw_palette_level(uint64_t count)
{
    unsigned level = 0;
    while (level + 1 < LW_RAMP_LEVELS && count >> level > 1)
        level++;
    return level;
}

unsigned lw_palette_class(const struct lw_cell *cell)
{
    if (cell->ink == LW_INK_RAMP)
        return LW_CLASS_RAMP + lw_palette_level(cell->shade);
    bool index = cell->ink == LW_INK_INDEX || cell->ink == LW_INK_DIM;
    return index ? LW_CLASS_INKS + lw_palette_ink(cell->shade) : (unsigned)cell->ink;
}

/* One of its three parts; sRGB to linear light. That is x to the power of 2.4: x^2 times the fifth root of x^2, by
 * Newton's method, as the mathematical library would be half a MiB more of the program's memory. */
static double linear(uint32_t value)
{
    enum { STEPS = 13 }; /* as many as the smallest x needs */
    const double v = value / 255.0, x = (v + 0.055) / 1.055, square = x * x;
    if (v <= 0.04045)
        return v / 12.92;
    double root = 0.1 + 0.9 * x;
    for (int i = 0; i < STEPS; i++)
        root = (4 * root + square / (root * root * root * root)) / 5;
    return square * root;
}

double lw_palette_luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

uint32_t lw_palette_letters(uint32_t rgb)
{
    double luminance = lw_palette_luminance(rgb) + 0.05; /* black is then 0.05, and white 1.05 */
    return luminance * luminance > 0.05 * 1.05 ? 0x000000 : 0xffffff;
}

/* A fill with letters on it; a class that is no index is coloured text on paper. */
struct lw_tint lw_palette_tint(const struct lw_palette *palette, unsigned class)
{
    if (class >= LW_CLASS_INKS) {
        uint32_t fill = class >= LW_CLASS_RAMP ? palette->ramp[class - LW_CLASS_RAMP].rgb
                                               : palette->inks[class - LW_CLASS_INKS].rgb;
        return (struct lw_tint){lw_palette_letters(fill), fill};
    }
    if (class == LW_INK_HOLE)
        class = LW_INK_FAINT; /* a document has no cursor to select it */
    return (struct lw_tint){palette->looks[class] ? palette->looks[class] : palette->letters,
                            palette->paper};
}
