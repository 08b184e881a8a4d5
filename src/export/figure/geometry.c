/* The sizes of a drawn grid. */

#include "export/figure/geometry.h"

enum {
    SQUARE_ONE = 32,  /* the widest square with one line */
    SQUARE_TWO = 60,  /* and with two lines */
    FONT_LEAST = 5,   /* what can still be read */
    SQUARE_INSET = 8, /* both sides of a text in a square together */
};

enum { OTHERS = LW_LEADS_MAX }; /* the index of what is no leading column */

/* A square whose side is set: the lines that give the larger text. */
static void set_square(struct lw_geometry *g, uint64_t side)
{
    const struct lw_measure *m = &g->measure;
    double inside = (double)side - SQUARE_INSET / 2.0;
    double one = inside / (double)(m->cell[OTHERS] ? m->cell[OTHERS] : 1) * LW_FONT / LW_COLUMN;
    double two = inside / (double)(m->two ? m->two : 1) * LW_FONT / LW_COLUMN;
    double tall = inside * LW_FONT / (2 * LW_LINE);
    one = one > inside * .8 ? inside * .8 : one;
    two = two > tall ? tall : two;
    g->lines = two > one ? 2 : 1;
    g->font = two > one ? two : one;
    g->font = g->font > LW_FONT ? LW_FONT : g->font;
    g->lines = g->font < FONT_LEAST ? 0 : g->lines;
    g->cell[OTHERS] = g->height = side;
}

static void set_cells(struct lw_geometry *g, const struct lw_export_options *o)
{
    const struct lw_measure *m = &g->measure;
    g->lines = 1;
    g->font = LW_FONT;
    g->height = LW_ROW;
    for (size_t i = 0; i <= LW_LEADS_MAX; i++)
        g->cell[i] = m->cell[i] * LW_COLUMN + 2 * LW_PAD;
    uint64_t one = g->cell[OTHERS], two = m->two * LW_COLUMN + SQUARE_INSET;
    uint64_t tall = 2 * LW_LINE + SQUARE_INSET;
    if (m->list)
        return;
    if (o->cell_size)
        set_square(g, o->cell_size);
    else if (one <= SQUARE_ONE)
        set_square(g, one > LW_ROW ? one : LW_ROW);
    else if (two <= SQUARE_TWO)
        set_square(g, two > tall ? two : tall);
}

static void set_labels(struct lw_geometry *g, const struct lw_export_options *o)
{
    g->label = o->labels && g->measure.label ? g->measure.label * LW_COLUMN + 2 * LW_PAD : 0;
    g->header = o->labels ? LW_ROW : 0;
}

/* The leading columns of the range, and what they take. */
static uint64_t leads_of(const struct lw_geometry *g, const struct lw_export_options *o,
                         uint64_t *width)
{
    uint64_t end = g->measure.leads < o->col_to ? g->measure.leads : o->col_to;
    *width = 0;
    for (uint64_t col = o->col_from; col < end; col++)
        *width += lw_geometry_cell(g, col);
    return end > o->col_from ? end - o->col_from : 0;
}

/* The columns of a band, without leading ones, of `cols` that there are. */
static uint64_t band_of(const struct lw_geometry *g, uint64_t cols, uint64_t room)
{
    uint64_t most = room > g->cell[OTHERS] ? room / g->cell[OTHERS] : 1, power = 1;
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
        g->cell[OTHERS] * cols > room)
        set_square(g, room > cols ? room / cols : 1);
}

static void set_bands(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin)
{
    uint64_t leading, leads = leads_of(g, o, &leading), cols = o->col_to - o->col_from - leads;
    uint64_t width = o->width ? o->width : LW_FIGURE_WIDTH, rows = o->row_to - o->row_from;
    uint64_t taken = g->label + margin + leading;
    g->band =
        o->no_fold || view->seam_cols ? cols : band_of(g, cols, width > taken ? width - taken : 0);
    g->band = g->band ? g->band : 1;
    uint64_t bands = cols ? (cols - 1) / g->band + 1 : 1;
    uint64_t pages = (o->row_to - 1) / view->page_rows - o->row_from / view->page_rows + 1;
    g->width = lw_geometry_column(g, o->col_from, lw_geometry_band_end(g, o, o->col_from));
    g->total_height = bands * (rows * g->height + pages * g->header) +
                      (bands * pages - 1) * (uint64_t)LW_GRID_GAP;
}

bool lw_geometry_make(struct lw_geometry *g, const struct lw_view *view,
                      const struct lw_export_options *o, uint64_t margin, struct lw_error *err)
{
    if (!lw_measure(&g->measure, view, o, !o->cell_size, err))
        return false;
    set_cells(g, o);
    set_labels(g, o);
    lw_view_tiles(view, &g->tile_rows, &g->tile_cols);
    fit_width(g, view, o, margin);
    set_bands(g, view, o, margin);
    return true;
}

uint64_t lw_geometry_cell(const struct lw_geometry *g, uint64_t col)
{
    return g->cell[lw_measure_column(&g->measure, col)];
}

uint64_t lw_geometry_band_end(const struct lw_geometry *g, const struct lw_export_options *o,
                              uint64_t first)
{
    uint64_t leading, leads = first == o->col_from ? leads_of(g, o, &leading) : 0;
    uint64_t left = o->col_to - first;
    return first + (left < leads + g->band ? left : leads + g->band);
}

uint64_t lw_geometry_column(const struct lw_geometry *g, uint64_t first, uint64_t col)
{
    uint64_t from = g->label;
    for (; first < col && first < g->measure.leads; first++)
        from += lw_geometry_cell(g, first);
    return from + (col - first) * g->cell[OTHERS];
}
