/* The sizes of a drawn grid. */

#include "export/figure/geometry.h"

#include <string.h>

enum {
    SQUARE_ONE = 32,  /* the largest square with one line of text, except */
    SQUARE_FULL = 48, /* when the size of its text is at least FULL_LEAST */
    FULL_LEAST = 10,
    SQUARE_TWO = 60,  /* with two lines */
    ALMOST = 2,       /* how much larger a square of one line may be than one of two lines */
    FONT_LEAST = 5,   /* text of cells whose size is set */
    TEXT_LEAST = 7,   /* text of cells that are made smaller */
    HEAT_SWATCH = 4,  /* such a cell when its row ends in totals */
    TALL = 2,         /* times as high as wide: a figure that folding would make higher loses its
                         text instead, */
    TALLEST = 4,      /* or this, when no width is set */
    SQUARE_INSET = 8, /* both sides of a text in a square together */
    SMALL = 16,       /* a square whose text may be so near to its sides */
    SMALL_INSET = 2,
    NUMBERS = 3,    /* columns of a number; cells with words are no squares */
    ROW_INSET = 2,  /* above and below a row label */
    HEAT_INSET = 4, /* in cells read by their colour */
    HEAT_PADS = 2 * LW_PAD - HEAT_INSET,
    HEAT_LEAST = 20, /* the least square that is read by its colour */
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The size at which a text of that number of columns is that number of pixels wide. */
static double font_in(double pixels, size_t columns)
{
    return pixels / (double)(columns ? columns : 1) * LW_FONT / LW_COLUMN;
}

/* Sets squares of a given side, with the number of lines that allows the larger text. */
static void set_square(struct lw_geometry *g, uint64_t side)
{
    const struct lw_measure *m = &g->measure;
    double inside = (double)side - (side > SMALL ? SQUARE_INSET / 2.0 : SMALL_INSET);
    double one = font_in(inside, m->text), two = font_in(inside, m->two);
    double tall = inside * LW_FONT / (2 * LW_LINE);
    one = smaller(one, smaller(inside * .8, LW_FONT));
    two = smaller(two, smaller(tall, LW_FONT));
    bool split = two > one && one < FULL_LEAST;
    g->lines = split ? 2 : 1;
    g->font = split ? two : one;
    g->lines = g->font < FONT_LEAST ? 0 : g->lines;
    g->cell[0] = g->height = side;
}

/* Sets cells as large as the texts need. */
static void set_cells(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o)
{
    const struct lw_measure *m = &g->measure;
    g->lines = 1;
    g->font = LW_FONT;
    g->height = LW_ROW;
    for (size_t i = 0; i <= LW_TAILS_MAX; i++)
        g->cell[i] = m->cell[i] * LW_COLUMN + 2 * (i ? g->pad : LW_PAD);
    size_t head = m->cell[0] > m->text ? m->cell[0] : 0; /* of the column labels, when they are
                                                            wider */
    uint64_t one = g->cell[0], two = (head > m->two ? head : m->two) * LW_COLUMN + SQUARE_INSET;
    uint64_t text = m->text * LW_COLUMN, tall = 2 * LW_LINE + SQUARE_INSET;
    bool full = font_in(SQUARE_FULL - SQUARE_INSET / 2.0, m->text) >= FULL_LEAST;
    if (m->list)
        return;
    if (o->cell_size)
        set_square(g, o->cell_size);
    else if (view->type->heat && one <= SQUARE_ONE)
        set_square(g, one < HEAT_LEAST + HEAT_PADS ? HEAT_LEAST : one - HEAT_PADS);
    else if (one <= SQUARE_ONE)
        set_square(g, one > LW_ROW ? one : LW_ROW);
    else if (one - 2 * LW_PAD + SQUARE_INSET <= tall + ALMOST)
        set_square(g, one - 2 * LW_PAD + SQUARE_INSET);
    else if (full && head * LW_COLUMN <= SQUARE_FULL)
        set_square(g, SQUARE_FULL);
    else if (two <= SQUARE_TWO && text + 2 * LW_PAD > SQUARE_ONE)
        set_square(g, two > tall ? two : tall);
}

static void set_labels(struct lw_geometry *g, const struct lw_export_options *o)
{
    g->label = o->labels && g->measure.label ? g->measure.label * LW_COLUMN + 2 * g->pad : 0;
    g->header = o->labels ? LW_ROW : 0;
}

/* The columns of the range that have widths of their own. */
static uint64_t tails_of(const struct lw_geometry *g, const struct lw_export_options *o,
                         uint64_t *width)
{
    uint64_t from = g->measure.tail > o->col_from ? g->measure.tail : o->col_from;
    *width = 0;
    for (uint64_t col = from; col < o->col_to; col++)
        *width += lw_geometry_cell(g, col);
    return from < o->col_to ? o->col_to - from : 0;
}

/* Whether bands of that number of columns consist of whole tiles, or are a power of two wide. */
static bool is_even(const struct lw_geometry *g, uint64_t cols)
{
    return !(cols & (cols - 1)) || (g->tile_cols && cols % g->tile_cols == 0);
}

/* The most columns, 1 to `cols`, that a band of `room` pixels has with cells `cell` pixels wide. */
static uint64_t band_in(const struct lw_geometry *g, uint64_t cols, uint64_t room, uint64_t cell)
{
    uint64_t band = cell && room / cell < cols ? room / cell : cols;
    while (band > 1 && band < cols && !is_even(g, band))
        band--;
    return band ? band : 1;
}

/* Makes cells at most `side` pixels wide; false, with no change, when their texts would not be readable. */
static bool set_narrow(struct lw_geometry *g, uint64_t side)
{
    struct lw_geometry narrow = *g;
    side = side < g->cell[0] ? side : g->cell[0];
    if (side <= SQUARE_INSET / 2)
        return false;
    narrow.head =
        g->named ? smaller(LW_FONT, font_in((double)side - 2, g->measure.cell[0])) : LW_FONT;
    if (narrow.head < TEXT_LEAST)
        return false;
    set_square(&narrow, side);
    bool words = g->named && g->measure.text > NUMBERS;
    if (g->cell[0] != g->height && (words || !narrow.lines || narrow.font < TEXT_LEAST)) {
        narrow.font = smaller(LW_FONT, font_in((double)side - SQUARE_INSET, g->measure.text));
        narrow.lines = 1;
        narrow.height = LW_ROW;
    }
    if (!narrow.lines || narrow.font < TEXT_LEAST)
        return false;
    *g = narrow;
    return true;
}

static void set_swatches(struct lw_geometry *g, uint64_t side)
{
    g->lines = 0;
    g->cell[0] = g->height = side > LW_CELL_LEAST ? side : LW_CELL_LEAST;
}

/* The smallest cells that can be read, a column in each band. */
static void set_least(struct lw_geometry *g)
{
    uint64_t side = LW_CELL_LEAST;
    while (side < g->cell[0] && !set_narrow(g, side))
        side++;
}

/* Folds the grid into bands with as many columns as have readable texts. */
static void fold(struct lw_geometry *g, uint64_t cols, uint64_t room)
{
    for (uint64_t band = cols - 1; band; band--)
        if (is_even(g, band) && set_narrow(g, room / band)) {
            g->band = band;
            return;
        }
    set_least(g);
    g->band = 1;
}

/* Breaks at a blank in the second half of the line; else after a sign there; else at an earlier blank. */
size_t lw_line_break(const char *words, size_t columns, size_t *skip)
{
    size_t length = 0, taken = 0, blank = 0, sign = 0, early = 0;
    for (int bytes; words[length] && words[length] != '\n' && taken < columns;
         length += (size_t)bytes, taken++) {
        lw_text_decode(words + length, &bytes);
        bool late = taken > columns / 2;
        if (words[length] == ' ')
            *(late ? &blank : &early) = length;
        if (late && strchr("{(<,.", words[length]))
            sign = length + 1;
    }
    if (words[length] && !strchr(" \n", words[length]))
        length = blank ? blank : sign ? sign : early ? early : length;
    *skip = words[length] == ' ' || words[length] == '\n';
    return length;
}

/* Whether the text of each row of a list fits in two lines of that number of columns. */
static bool fits_two(const struct lw_view *view, const struct lw_export_options *o, size_t columns)
{
    struct lw_text text = {0};
    bool good = columns > 0;
    for (uint64_t row = o->row_from; good && row < o->row_to; row++) {
        lw_fetch_cell(view, row, o->col_from, &text, NULL);
        const char *words = lw_text_string(&text);
        size_t skip = 0, first = lw_line_break(words, columns, &skip);
        good = lw_text_width(words + first + skip) <= columns;
    }
    lw_text_free(&text);
    return good;
}

/* The largest letters with which a list of one column has at most two lines in a cell `room` pixels wide. */
static bool fit_two(struct lw_geometry *g, const struct lw_view *view,
                    const struct lw_export_options *o, double room)
{
    for (double font = LW_FONT; font >= TEXT_LEAST; font--) {
        size_t columns = room > 0 ? (size_t)(room * LW_FONT / (font * LW_COLUMN)) : 0;
        if (!fits_two(view, o, columns))
            continue;
        g->columns = columns;
        g->lines = 2;
        g->font = font;
        g->height = (uint64_t)(2 * LW_LINE * font / LW_FONT) + SQUARE_INSET;
        g->cell[lw_measure_column(&g->measure, o->col_from)] = (uint64_t)room + 2 * LW_PAD;
        return true;
    }
    return false;
}

/* Fits a list: its texts are put on two lines, or its letters are made smaller. */
static void fit_list(struct lw_geometry *g, const struct lw_view *view,
                     const struct lw_export_options *o, uint64_t margin)
{
    uint64_t pads = g->label + margin, columns = 0, width = o->width ? o->width : LW_FIGURE_WIDTH;
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        columns += lw_measure_cell(&g->measure, col);
        pads += 2 * LW_PAD;
    }
    if (o->no_fold || pads + columns * LW_COLUMN <= width)
        return;
    double room = width > pads ? (double)(width - pads) : 0;
    if (o->col_to - o->col_from == 1 && fit_two(g, view, o, room))
        return;
    double most = room / (double)columns * LW_FONT / LW_COLUMN;
    g->font = most > TEXT_LEAST ? most : TEXT_LEAST;
    for (size_t i = 0; i <= LW_TAILS_MAX; i++)
        g->cell[i] =
            2 * LW_PAD + (uint64_t)((double)g->measure.cell[i] * LW_COLUMN * g->font / LW_FONT);
}

/* Makes the grid fit. Cells are made smaller while their texts are readable; then the grid is folded, unless its
 * columns belong together; then cells that are read by their colour lose their texts. */
static void fit_width(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin)
{
    uint64_t after, cols = o->col_to - o->col_from - tails_of(g, o, &after);
    uint64_t width = o->width ? o->width : LW_FIGURE_WIDTH, rows = o->row_to - o->row_from;
    uint64_t taken = g->label + margin + after, room = width > taken ? width - taken : 0;
    bool together = view->seam_cols > 0, count = view->type->picture && view->type->counts;
    bool totals = view->type->heat && after && cols && room / cols >= HEAT_SWATCH;
    g->band = cols ? cols : 1;
    if (g->measure.list)
        fit_list(g, view, o, margin);
    if (o->no_fold || g->measure.list || !cols || g->cell[0] * cols <= room)
        return;
    if (o->cell_size) {
        g->band = together ? cols : band_in(g, cols, room, g->cell[0]);
        return;
    }
    if (set_narrow(g, room / cols) || (together && !o->width))
        return;
    struct lw_geometry folded = *g;
    fold(&folded, cols, room);
    uint64_t bands = (cols - 1) / folded.band + 1;
    bool shows = view->type->picture || view->type->heat || together;
    /* A grid in one piece is easier to read, and bands of a single column cannot be read. */
    bool whole = together || count || totals || (folded.band == 1 && cols > 1);
    if (!shows || !(whole || bands * rows * folded.height > (o->width ? TALL : TALLEST) * width)) {
        *g = folded;
        return;
    }
    set_swatches(g, room / cols);
    g->band = together ? cols : band_in(g, cols, room, g->cell[0]);
    if (after && g->height < LW_LINE)
        g->height = LW_LINE; /* the totals keep their texts */
}

/* Sets the size of row labels: as large as rows allow, when that is readable. */
static void set_side(struct lw_geometry *g)
{
    double room = (double)g->height - ROW_INSET;
    g->side = room >= TEXT_LEAST && room < LW_FONT ? room : LW_FONT;
}

static void set_size(struct lw_geometry *g, const struct lw_view *view,
                     const struct lw_export_options *o)
{
    uint64_t after, cols = o->col_to - o->col_from - tails_of(g, o, &after);
    uint64_t rows = o->row_to - o->row_from, bands = cols ? (cols - 1) / g->band + 1 : 1;
    uint64_t pages = (o->row_to - 1) / view->page_rows - o->row_from / view->page_rows + 1;
    set_side(g);
    g->width = g->label;
    for (uint64_t first = o->col_from, end; first < o->col_to; first = end) {
        end = lw_geometry_band_end(g, o, first);
        uint64_t right = lw_geometry_column(g, first, end);
        g->width = right > g->width ? right : g->width;
    }
    g->total_height = bands * (rows * g->height + pages * g->header) +
                      (bands * pages - 1) * (uint64_t)LW_GRID_GAP;
}

bool lw_geometry_make(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin, struct lw_error *err)
{
    if (!lw_measure(&g->measure, view, o, !o->cell_size, err))
        return false;
    g->pad = view->options.detail == LW_DETAIL_FULL ? LW_PAD : LW_PAD / 2;
    g->named = !view->type->picture && !view->type->heat;
    g->head = LW_FONT;
    g->columns = 0;
    set_cells(g, view, o);
    set_labels(g, o);
    lw_view_tiles(view, &g->tile_rows, &g->tile_cols);
    fit_width(g, view, o, margin);
    set_size(g, view, o);
    return true;
}

void lw_geometry_resize(struct lw_geometry *g, const struct lw_view *view,
                        const struct lw_export_options *o, uint64_t cell, uint64_t height,
                        uint64_t label)
{
    if (cell < g->cell[0]) {
        set_square(g, cell);
        g->lines = g->font < TEXT_LEAST ? 0 : g->lines;
    }
    g->cell[0] = cell;
    g->height = height;
    g->label = g->label ? label : 0;
    set_size(g, view, o);
}

uint64_t lw_geometry_cell(const struct lw_geometry *g, uint64_t col)
{
    return g->cell[lw_measure_column(&g->measure, col)];
}

uint64_t lw_geometry_band_end(const struct lw_geometry *g, const struct lw_export_options *o,
                              uint64_t first)
{
    uint64_t tail = g->measure.tail < o->col_to ? g->measure.tail : o->col_to;
    return first + g->band < tail ? first + g->band : o->col_to;
}

uint64_t lw_geometry_column(const struct lw_geometry *g, uint64_t first, uint64_t col)
{
    uint64_t from = g->label, tail = g->measure.tail;
    if (first < tail)
        from += ((col < tail ? col : tail) - first) * g->cell[0];
    for (uint64_t i = first > tail ? first : tail; i < col; i++)
        from += lw_geometry_cell(g, i);
    return from;
}

bool lw_geometry_begins_tile(uint64_t at, uint64_t seam, uint64_t tile)
{
    return at >= seam && (tile ? (at - seam) % tile == 0 : seam && at == seam);
}

bool lw_geometry_begins_warp(const struct lw_view *view, uint64_t row, uint64_t col, bool across)
{
    uint64_t at = across ? col : row % view->page_rows,
             seam = across ? view->seam_cols : view->seam_rows;
    return at && at != seam && lw_view_warp_changes(view, row, col, across);
}
