/* The sizes of a drawn grid. */

#include "export/figure/geometry.h"

#include <math.h>

enum {
    SQUARE_ONE = 32,  /* the widest square with one line */
    SQUARE_TWO = 60,  /* and with two lines */
    ALMOST = 2,       /* a square of one line that is so much larger than one of two is as good */
    FONT_LEAST = 5,   /* what can still be read */
    SQUARE_INSET = 8, /* both sides of a text in a square together */
    HEAT_INSET = 4,   /* where the colour shows more than the text */
    HEAT_PADS = 2 * LW_PAD - HEAT_INSET,
    HEAT_LEAST = 20, /* such a square */
};

/* A square whose side is set: the lines that give the larger text. */
static void set_square(struct lw_geometry *g, uint64_t side)
{
    const struct lw_measure *m = &g->measure;
    double inside = (double)side - SQUARE_INSET / 2.0;
    double one = inside / (double)(m->cell[0] ? m->cell[0] : 1) * LW_FONT / LW_COLUMN;
    double two = inside / (double)(m->two ? m->two : 1) * LW_FONT / LW_COLUMN;
    double tall = inside * LW_FONT / (2 * LW_LINE);
    one = fmin(one, fmin(inside * .8, LW_FONT));
    two = fmin(two, fmin(tall, LW_FONT));
    g->lines = two > one ? 2 : 1;
    g->font = two > one ? two : one;
    g->lines = g->font < FONT_LEAST ? 0 : g->lines;
    g->cell[0] = g->height = side;
}

static void set_cells(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o)
{
    const struct lw_measure *m = &g->measure;
    g->lines = 1;
    g->font = LW_FONT;
    g->height = LW_ROW;
    for (size_t i = 0; i <= LW_TAILS_MAX; i++)
        g->cell[i] = m->cell[i] * LW_COLUMN + 2 * LW_PAD;
    uint64_t one = g->cell[0], two = m->two * LW_COLUMN + SQUARE_INSET;
    uint64_t text = m->text * LW_COLUMN, tall = 2 * LW_LINE + SQUARE_INSET;
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
    else if (two <= SQUARE_TWO && text + 2 * LW_PAD > SQUARE_ONE)
        set_square(g, two > tall ? two : tall);
}

static void set_labels(struct lw_geometry *g, const struct lw_export_options *o)
{
    g->label = o->labels && g->measure.label ? g->measure.label * LW_COLUMN + 2 * LW_PAD : 0;
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

/* The columns of a band, without those of their own width, of `cols` that there are. */
static uint64_t band_of(const struct lw_geometry *g, uint64_t cols, uint64_t room)
{
    uint64_t most = room > g->cell[0] ? room / g->cell[0] : 1, power = 1;
    if (g->measure.list || cols <= most)
        return cols ? cols : 1;
    if (g->tile_cols && g->tile_cols <= most)
        return most - most % g->tile_cols;
    while (2 * power <= most)
        power *= 2;
    return power;
}

/* The columns of several layouts belong together, so the view is not folded: its cells become smaller when the
 * figure's width is set. */
static void fit_width(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin)
{
    uint64_t cols = o->col_to - o->col_from, taken = g->label + margin;
    uint64_t room = o->width > taken ? o->width - taken : 0;
    if (view->seam_cols && o->width && !o->cell_size && !g->measure.list &&
        g->cell[0] * cols > room)
        set_square(g, room > cols ? room / cols : 1);
}

static void set_bands(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin)
{
    uint64_t after, cols = o->col_to - o->col_from - tails_of(g, o, &after);
    uint64_t width = o->width ? o->width : LW_FIGURE_WIDTH, rows = o->row_to - o->row_from;
    uint64_t taken = g->label + margin + after;
    g->band =
        o->no_fold || view->seam_cols ? cols : band_of(g, cols, width > taken ? width - taken : 0);
    g->band = g->band ? g->band : 1;
    uint64_t bands = cols ? (cols - 1) / g->band + 1 : 1;
    uint64_t pages = (o->row_to - 1) / view->page_rows - o->row_from / view->page_rows + 1;
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
    set_cells(g, view, o);
    set_labels(g, o);
    lw_view_tiles(view, &g->tile_rows, &g->tile_cols);
    fit_width(g, view, o, margin);
    set_bands(g, view, o, margin);
    return true;
}

void lw_geometry_enlarge(struct lw_geometry *g, const struct lw_view *view,
                         const struct lw_export_options *o, uint64_t margin, uint64_t cell,
                         uint64_t height, uint64_t label)
{
    g->cell[0] = cell;
    g->height = height;
    g->label = g->label ? label : 0;
    set_bands(g, view, o, margin);
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
