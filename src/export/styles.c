/* The table styles: the rules that tabulate draws around and between cells. */

#include "export/export_parts.h"
#include "export/table.h"

#include <string.h>

#define NONE                                                                                       \
    {                                                                                              \
        NULL, NULL, NULL, NULL                                                                     \
    }
#define CELLS(edge)                                                                                \
    {                                                                                              \
        edge, NULL, edge, edge                                                                     \
    }
/* Many styles have the same parts of a frame. */
#define GRID_LINE                                                                                  \
    {                                                                                              \
        "+", "-", "+", "+"                                                                         \
    }
#define GRID_HEAD                                                                                  \
    {                                                                                              \
        "+", "=", "+", "+"                                                                         \
    }
#define SIMPLE_TOP                                                                                 \
    {                                                                                              \
        "┌", "─", "┬", "┐"                                                                       \
    }
#define SIMPLE_MID                                                                                 \
    {                                                                                              \
        "├", "─", "┼", "┤"                                                                       \
    }
#define SIMPLE_END                                                                                 \
    {                                                                                              \
        "└", "─", "┴", "┘"                                                                       \
    }
#define ROUND_TOP                                                                                  \
    {                                                                                              \
        "╭", "─", "┬", "╮"                                                                       \
    }
#define ROUND_END                                                                                  \
    {                                                                                              \
        "╰", "─", "┴", "╯"                                                                       \
    }
#define HEAVY_TOP                                                                                  \
    {                                                                                              \
        "┏", "━", "┳", "┓"                                                                       \
    }
#define HEAVY_MID                                                                                  \
    {                                                                                              \
        "┣", "━", "╋", "┫"                                                                       \
    }
#define HEAVY_END                                                                                  \
    {                                                                                              \
        "┗", "━", "┻", "┛"                                                                       \
    }
#define MIXED_TOP                                                                                  \
    {                                                                                              \
        "┍", "━", "┯", "┑"                                                                       \
    }
#define MIXED_MID                                                                                  \
    {                                                                                              \
        "┝", "━", "┿", "┥"                                                                       \
    }
#define MIXED_END                                                                                  \
    {                                                                                              \
        "┕", "━", "┷", "┙"                                                                       \
    }
#define DOUBLE_TOP                                                                                 \
    {                                                                                              \
        "╔", "═", "╦", "╗"                                                                       \
    }
#define DOUBLE_MID                                                                                 \
    {                                                                                              \
        "╠", "═", "╬", "╣"                                                                       \
    }
#define DOUBLE_END                                                                                 \
    {                                                                                              \
        "╚", "═", "╩", "╝"                                                                       \
    }
#define FANCY_TOP                                                                                  \
    {                                                                                              \
        "╒", "═", "╤", "╕"                                                                       \
    }
#define FANCY_MID                                                                                  \
    {                                                                                              \
        "╞", "═", "╪", "╡"                                                                       \
    }
#define FANCY_END                                                                                  \
    {                                                                                              \
        "╘", "═", "╧", "╛"                                                                       \
    }
#define DASHES                                                                                     \
    {                                                                                              \
        "", "-", "  ", ""                                                                          \
    }

/* the lines above, under the header, between rows and below; the row; the padding */
static const struct lw_ruling plain = {NONE, NONE, NONE, NONE, {"", NULL, "  ", ""}, 0, false};
static const struct lw_ruling simple = {DASHES, DASHES, NONE, DASHES, {"", NULL, "  ", ""},
                                        0,      true};
static const struct lw_ruling grid = {GRID_LINE,  GRID_HEAD, GRID_LINE, GRID_LINE,
                                      CELLS("|"), 1,         false};
static const struct lw_ruling simple_grid = {SIMPLE_TOP, SIMPLE_MID, SIMPLE_MID, SIMPLE_END,
                                             CELLS("│"), 1,          false};
static const struct lw_ruling rounded_grid = {ROUND_TOP,  SIMPLE_MID, SIMPLE_MID, ROUND_END,
                                              CELLS("│"), 1,          false};
static const struct lw_ruling heavy_grid = {HEAVY_TOP,  HEAVY_MID, HEAVY_MID, HEAVY_END,
                                            CELLS("┃"), 1,         false};
static const struct lw_ruling mixed_grid = {MIXED_TOP,  MIXED_MID, SIMPLE_MID, MIXED_END,
                                            CELLS("│"), 1,         false};
static const struct lw_ruling double_grid = {DOUBLE_TOP, DOUBLE_MID, DOUBLE_MID, DOUBLE_END,
                                             CELLS("║"), 1,          false};
static const struct lw_ruling fancy_grid = {FANCY_TOP,  FANCY_MID, SIMPLE_MID, FANCY_END,
                                            CELLS("│"), 1,         false};
static const struct lw_ruling outline = {GRID_LINE,  GRID_HEAD, NONE, GRID_LINE,
                                         CELLS("|"), 1,         false};
static const struct lw_ruling simple_outline = {SIMPLE_TOP, SIMPLE_MID, NONE, SIMPLE_END,
                                                CELLS("│"), 1,          false};
static const struct lw_ruling rounded_outline = {ROUND_TOP,  SIMPLE_MID, NONE, ROUND_END,
                                                 CELLS("│"), 1,          false};
static const struct lw_ruling heavy_outline = {HEAVY_TOP,  HEAVY_MID, NONE, HEAVY_END,
                                               CELLS("┃"), 1,         false};
static const struct lw_ruling mixed_outline = {MIXED_TOP,  MIXED_MID, NONE, MIXED_END,
                                               CELLS("│"), 1,         false};
static const struct lw_ruling double_outline = {DOUBLE_TOP, DOUBLE_MID, NONE, DOUBLE_END,
                                                CELLS("║"), 1,          false};
static const struct lw_ruling fancy_outline = {FANCY_TOP,  FANCY_MID, NONE, FANCY_END,
                                               CELLS("│"), 1,         false};
static const struct lw_ruling presto = {
    NONE, {"", "-", "+", ""}, NONE, NONE, {"", NULL, "|", ""}, 1, false};
static const struct lw_ruling psql = {
    GRID_LINE, {"|", "-", "+", "|"}, NONE, GRID_LINE, CELLS("|"), 1, false};

const struct lw_style *lw_styles(size_t *count)
{
    static const struct lw_style styles[] = {
        {"simple_grid", "thin lines around every cell", &simple_grid, NULL, NULL},
        {"plain", "no lines at all", &plain, NULL, NULL},
        {"grid", "every cell framed, in ASCII", &grid, NULL, NULL},
        {"rounded_grid", "thin lines, round corners", &rounded_grid, NULL, NULL},
        {"mixed_grid", "thick horizontal lines outside", &mixed_grid, NULL, NULL},
        {"double_grid", "double lines", &double_grid, NULL, NULL},
        {"fancy_grid", "double horizontal lines outside", &fancy_grid, NULL, NULL},
        {"outline", "a frame in ASCII, no lines between rows", &outline, NULL, NULL},
        {"simple_outline", "a thin frame, no lines between rows", &simple_outline, NULL, NULL},
        {"mixed_outline", "a frame thick above and below", &mixed_outline, NULL, NULL},
        {"presto", "bars between columns", &presto, NULL, NULL},
        {"simple", "dashes above and below", &simple, NULL, NULL},
        {"psql", "a frame as psql draws it", &psql, NULL, NULL},
        {"heavy_grid", "thick lines around every cell", &heavy_grid, NULL, NULL},
        {"rounded_outline", "a thin frame with round corners", &rounded_outline, NULL, NULL},
        {"heavy_outline", "a thick frame", &heavy_outline, NULL, NULL},
        {"double_outline", "a double frame", &double_outline, NULL, NULL},
        {"fancy_outline", "a frame double above and below", &fancy_outline, NULL, NULL},
        {.name = "triton", .help = "the exact text of Triton's printers", .write = lw_write_triton},
        {.name = "brackets",
         .help = "[ 0 1 ; 32 33 ]: rows of blocks and warps, in Triton's documentation",
         .write = lw_write_brackets},
        {.name = "warps",
         .help = "[ 0   1 ...... 31 ] below a brace over the warp",
         .write = lw_write_brackets},
        {.name = "rows", .help = "[ 0,  1], one row a line", .write = lw_write_brackets},
        {.name = "phases",
         .help = "the same with the phases of a swizzle as comments",
         .write = lw_write_brackets},
        {.name = "spaced_rows", .help = "[ 0,  1 ], no comma after it", .write = lw_write_brackets},
        {.name = "matrix",
         .help = "[0  1 ], below each other behind the title: L = [0  1 ]",
         .write = lw_write_brackets},
        {.name = "sets",
         .help = "[ {0, 8}, {1, 9} ]: sets of owners, in one pair of brackets",
         .write = lw_write_brackets},
        {.name = "slices",
         .help = "[{0, 4, 8}, {1, 5, 9}]: the same, numbers as wide as they are",
         .write = lw_write_brackets},
        {.name = "cute",
         .help = "the exact text of CuTe's print_layout and print_latex; latex of view mma: that "
                 "of a tiled "
                 "MMA, of view conversion from S to D: that of a tiled copy",
         .write = lw_write_cute,
         .latex = lw_write_cute_latex},
    };
    *count = sizeof styles / sizeof *styles;
    return styles;
}

const struct lw_style *lw_style_find(const char *name)
{
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(styles[i].name, name))
            return &styles[i];
    return NULL;
}

static bool is_ascii(const char *string)
{
    for (; string && *string; string++)
        if (*string & 0x80)
            return false;
    return true;
}

static bool line_is_ascii(const struct lw_line_rule *line)
{
    return is_ascii(line->begin) && is_ascii(line->fill) && is_ascii(line->between) &&
           is_ascii(line->end);
}

bool lw_style_is_ascii(const struct lw_style *style)
{
    const struct lw_ruling *r = style->ruling;
    return !r ||
           (line_is_ascii(&r->above) && line_is_ascii(&r->under_header) &&
            line_is_ascii(&r->between_rows) && line_is_ascii(&r->below) && line_is_ascii(&r->row));
}
