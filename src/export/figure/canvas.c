/* Drawing a figure of panels. The texts above and below the grids are laid out twice: to measure them, and to draw
 * them. */

#include "export/figure/canvas.h"

enum {
    LEAST = 360,        /* the least width with text above the grid */
    WORDS = LW_ROW - 4, /* the height of a line of text */
    MARGIN = LW_FIGURE_MARGIN
};

struct pen {
    struct lw_canvas *canvas;
    bool draw;
    struct lw_text text;
    uint64_t y; /* the top of the next part */
};

bool lw_canvas_moves(const struct lw_canvas *canvas)
{
    return canvas->options->arrangement == LW_ARRANGE_FRAMES && canvas->panels.count > 1;
}

/* ---- Words ---- */

static void put_words(struct pen *pen, enum lw_words_kind kind, const char *words, uint64_t x,
                      uint64_t width)
{
    for (size_t skip; *words;) {
        size_t length = lw_line_break(words, (size_t)width / LW_COLUMN, &skip);
        struct lw_text line = {0};
        lw_text_bytes(&line, words, length);
        if (pen->draw)
            pen->canvas->type->words(pen->canvas, kind, x, pen->y + LW_FONT - 1,
                                     lw_text_string(&line));
        lw_text_free(&line);
        pen->y += WORDS;
        words += length + skip;
    }
}

/* The title above several panels. */
static void put_title(struct pen *pen)
{
    const struct lw_canvas *canvas = pen->canvas;
    const char *title = canvas->options->title;
    pen->y = MARGIN;
    if (canvas->panels.count < 2 || !title || !*title)
        return;
    put_words(pen, LW_WORDS_TITLE, title, MARGIN, canvas->width - 2 * (uint64_t)MARGIN);
    pen->y += LW_PAD;
}

static void put_caption(struct pen *pen)
{
    const struct lw_canvas *canvas = pen->canvas;
    if (!canvas->options->caption)
        return;
    pen->y += LW_PAD;
    put_words(pen, LW_WORDS_CAPTION, canvas->options->caption, MARGIN,
              canvas->width - 2 * (uint64_t)MARGIN);
}

/* ---- The legend ---- */

/* Writes the heading of the legend, on as many lines as it needs; returns the x of its first entry. */
static uint64_t put_heading(struct pen *pen)
{
    struct lw_canvas *canvas = pen->canvas;
    struct lw_text line = {0};
    const char *words = lw_text_string(&pen->text);
    uint64_t columns = (canvas->width - 2 * (uint64_t)MARGIN) / LW_COLUMN, taken = 0;
    for (size_t skip; *words;) {
        size_t length = lw_line_break(words, columns, &skip);
        pen->y += taken ? WORDS : 0;
        lw_text_clear(&line);
        lw_text_bytes(&line, words, length);
        if (pen->draw)
            canvas->type->entry(canvas, MARGIN, pen->y + LW_FONT + 3, lw_text_string(&line));
        taken = lw_text_width(lw_text_string(&line));
        words += length + skip;
    }
    pen->text.failed = pen->text.failed || line.failed;
    lw_text_free(&line);
    return MARGIN + taken * LW_COLUMN + LW_PAD;
}

/* Writes the entries for the colours of all panels with one title. */
static void put_entries(struct pen *pen, const struct lw_legend *legend, const struct lw_view *view)
{
    struct lw_canvas *canvas = pen->canvas;
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(legend, classes);
    uint64_t x = MARGIN;
    if (!count)
        return;
    pen->y += LW_PAD;
    if (lw_legend_heading(legend, view, &pen->text))
        x = put_heading(pen);
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(legend, view, classes[i], &pen->text);
        const char *text = lw_text_string(&pen->text);
        bool lettered = lw_legend_is_lettered(classes[i]);
        uint64_t swatch = lettered ? LW_PAD : LW_SWATCH + 6;
        uint64_t width = swatch + lw_text_width(text) * LW_COLUMN + LW_PAD;
        if (x > MARGIN && x + width > canvas->width - MARGIN) {
            x = MARGIN;
            pen->y += WORDS;
        }
        if (pen->draw && lettered) {
            canvas->type->lettered(canvas, x + swatch, pen->y + LW_FONT + 3, classes[i], text);
        } else if (pen->draw) {
            canvas->type->swatch(canvas, x, pen->y + LW_FONT + 3 - 11, classes[i]);
            canvas->type->entry(canvas, x + swatch, pen->y + LW_FONT + 3, text);
        }
        x += width;
    }
    pen->y += LW_ROW;
}

static void put_legends(struct pen *pen)
{
    const struct lw_panels *panels = &pen->canvas->panels;
    struct lw_legend legend, parts[2];
    for (size_t i = 0; i < panels->count; i++) {
        int count = lw_panels_legend(panels, i, &legend) ? lw_legend_split(&legend, parts) : 0;
        for (int k = 0; k < count; k++)
            put_entries(pen, &parts[k], panels->panel[i].view);
    }
}

/* ---- The grid of a panel ---- */

struct grid {
    struct lw_panel *panel;
    uint64_t x;     /* of the labels */
    uint64_t first; /* the first column of the band */
    uint64_t end;   /* after its last one */
};

static uint64_t column_at(const struct grid *g, uint64_t col)
{
    return g->x + lw_geometry_column(&g->panel->geometry, g->first, col);
}

/* The x of a text: the middle of a column, or the left of a list. */
static uint64_t text_at(const struct grid *g, uint64_t col)
{
    const struct lw_geometry *geometry = &g->panel->geometry;
    return column_at(g, col) +
           (geometry->measure.list ? LW_PAD : lw_geometry_cell(geometry, col) / 2);
}

/* When columns are narrow only every second one has a label, or every fourth, ... */
static uint64_t label_step(struct pen *pen, const struct grid *g)
{
    const struct lw_geometry *geometry = &g->panel->geometry;
    uint64_t widest = 0, step = 1;
    for (uint64_t col = g->first; col < g->end && col < geometry->measure.tail; col++) {
        lw_fetch_col_label(g->panel->view, col, &pen->text);
        uint64_t width = lw_text_width(lw_text_string(&pen->text)) * LW_COLUMN;
        widest = width > widest ? width : widest;
    }
    while (step * geometry->cell[0] < widest + 2 && step <= UINT32_MAX)
        step *= 2;
    return geometry->measure.list || geometry->named ? 1 : step;
}

static void put_header(struct pen *pen, const struct grid *g)
{
    const struct lw_panel *p = g->panel;
    struct lw_canvas *canvas = pen->canvas;
    uint64_t step = p->geometry.header ? label_step(pen, g) : 0;
    if (!step)
        return;
    canvas->type->begin_header(canvas, &p->geometry);
    for (uint64_t col = g->first; col < g->end; col++) {
        bool tail = col >= p->geometry.measure.tail;
        lw_fetch_col_label(p->view, col, &pen->text);
        if (pen->text.length && (tail || (col - g->first) % step == 0))
            canvas->type->column_label(canvas, text_at(g, col), pen->y + LW_FONT + 3,
                                       lw_text_string(&pen->text));
    }
    if (canvas->type->end_header)
        canvas->type->end_header(canvas);
    pen->y += p->geometry.header;
}

/* Sets the text of a cell on one line or on two. */
static void set_cell_text(struct pen *pen, const struct lw_geometry *geometry, uint64_t col,
                          struct lw_drawn_cell *cell, struct lw_text *line)
{
    const char *text = lw_text_string(&pen->text);
    uint64_t middle = pen->y + geometry->height / 2;
    uint64_t down = (uint64_t)(geometry->font * .31 + .5);
    size_t first = pen->text.length, second = first;
    cell->first = cell->second = "";
    if ((!geometry->lines && col < geometry->measure.tail) || !*text)
        return;
    if (geometry->columns) {
        first = lw_line_break(text, geometry->columns, &second);
        second += first;
    } else if (geometry->lines == 2) {
        second = lw_second_line(text, &first);
    }
    cell->y = middle + down;
    cell->first = text;
    if (second >= pen->text.length)
        return;
    cell->apart = (uint64_t)(geometry->font * LW_LINE / LW_FONT + .5);
    cell->y -= cell->apart / 2;
    lw_text_clear(line);
    lw_text_bytes(line, text, first);
    cell->first = lw_text_string(line);
    cell->second = text + second;
}

/* Whether a cell is outside of all layouts of a view of several: nothing is drawn there. */
static bool is_outside(const struct lw_view *view, uint64_t row, uint64_t col,
                       const struct lw_text *text)
{
    struct lw_spot spot;
    return view->seam_cols && !text->length && !view->type->spot(view, row, col, &spot);
}

static void put_row(struct pen *pen, const struct grid *g, uint64_t row)
{
    struct lw_canvas *canvas = pen->canvas;
    struct lw_panel *p = g->panel;
    const struct lw_geometry *geometry = &p->geometry;
    struct lw_text line = {0};
    uint64_t every = 1;
    while (every * geometry->height < LW_LINE && geometry->side >= LW_FONT)
        every *= 2;
    if (geometry->label && row % every == 0) {
        lw_fetch_row_label(p->view, row, &pen->text);
        if (pen->text.length)
            canvas->type->row_label(canvas, geometry, g->x + geometry->label - geometry->pad,
                                    pen->y + geometry->height / 2 + 4, lw_text_string(&pen->text));
    }
    for (uint64_t col = g->first; col < g->end; col++) {
        struct lw_cell cell = {0};
        lw_fetch_cell(p->view, row, col, &pen->text, &cell);
        struct lw_drawn_cell drawn = {.class = lw_palette_class(&cell),
                                      .dim = lw_panel_dims(p, row, col),
                                      .list = geometry->measure.list,
                                      .left = column_at(g, col),
                                      .top = pen->y,
                                      .width = lw_geometry_cell(geometry, col),
                                      .height = geometry->height,
                                      .x = text_at(g, col)};
        set_cell_text(pen, geometry, col, &drawn, &line);
        if (!is_outside(p->view, row, col, &pen->text))
            canvas->type->cell(canvas, &drawn);
    }
    lw_text_free(&line);
    if (canvas->type->end_row)
        canvas->type->end_row(canvas);
    pen->y += geometry->height;
}

/* A line where a column (`across`) or a row begins, and the rows or columns along it; `row` is drawn at `top`. */
struct line {
    bool across;
    uint64_t at, from, to, row, top;
};

/* Draws a line above or on the left of cells, where it is of that kind. */
static void put_line(struct pen *pen, const struct grid *g, enum lw_stroke_kind kind,
                     struct line line)
{
    const struct lw_geometry *m = &g->panel->geometry;
    uint64_t from = line.from;
    for (uint64_t i = line.from; i <= line.to; i++) {
        uint64_t row = line.across ? i : line.at, col = line.across ? line.at : i;
        bool ends =
            i == line.to || lw_geometry_begins_warp(g->panel->view, row, col, line.across) !=
                                (kind == LW_STROKE_WARP);
        if (ends && i > from && line.across)
            pen->canvas->type->stroke(pen->canvas, kind, column_at(g, line.at),
                                      line.top + (from - line.row) * m->height, 0,
                                      (i - from) * m->height);
        else if (ends && i > from)
            pen->canvas->type->stroke(pen->canvas, kind, column_at(g, from),
                                      line.top + (line.at - line.row) * m->height,
                                      column_at(g, i) - column_at(g, from), 0);
        from = ends ? i + 1 : from;
    }
}

static void put_tile_lines(struct pen *pen, const struct grid *g, enum lw_stroke_kind kind,
                           uint64_t top, uint64_t row_from, uint64_t row_to)
{
    const struct lw_view *view = g->panel->view;
    const struct lw_geometry *m = &g->panel->geometry;
    /* Left of the result there may be layouts with rows of their own. */
    bool beside = view->seam_cols && !view->seam_rows && g->first < view->seam_cols;
    for (uint64_t col = g->first + 1; col < g->end; col++)
        if (lw_geometry_begins_tile(col, view->seam_cols, m->tile_cols))
            put_line(pen, g, kind, (struct line){true, col, row_from, row_to, row_from, top});
    for (uint64_t row = row_from + 1; row < row_to; row++)
        if (lw_geometry_begins_tile(row % view->page_rows, view->seam_rows, m->tile_rows))
            put_line(pen, g, kind,
                     (struct line){false, row, beside ? view->seam_cols : g->first, g->end,
                                   row_from, top});
    if (pen->canvas->type->end_strokes)
        pen->canvas->type->end_strokes(pen->canvas, kind);
}

/* Draws frames and heavier lines over the cells of the band. */
static void put_lines(struct pen *pen, const struct grid *g, uint64_t top, uint64_t row_from,
                      uint64_t row_to)
{
    struct lw_canvas *canvas = pen->canvas;
    struct lw_panel *p = g->panel;
    const struct lw_geometry *m = &p->geometry;
    put_tile_lines(pen, g, LW_STROKE_TILE, top, row_from, row_to);
    put_tile_lines(pen, g, LW_STROKE_WARP, top, row_from, row_to);
    for (uint64_t row = row_from; row < row_to; row++)
        for (uint64_t col = g->first; col < g->end; col++)
            if (lw_panel_marks(&canvas->panels, p, row, col))
                canvas->type->stroke(canvas, LW_STROKE_MARK, column_at(g, col),
                                     top + (row - row_from) * m->height, lw_geometry_cell(m, col),
                                     m->height);
    if (canvas->type->end_strokes)
        canvas->type->end_strokes(canvas, LW_STROKE_MARK);
}

/* Writes the name of the layout that has a cell. */
static void put_layout_name(struct pen *pen, const struct lw_view *view, uint64_t row, uint64_t col,
                            uint64_t x, uint64_t y)
{
    const char *name;
    struct lw_spot spot;
    if (!view->type->spot(view, row, col, &spot))
        return;
    lw_view_layout(view, spot.operand, &name);
    pen->canvas->type->words(pen->canvas, LW_WORDS_TITLE, x, y, name);
}

/* Writes the names of two layouts that are one below the other in the gap between them. */
static void put_names_between(struct pen *pen, const struct grid *g, uint64_t top)
{
    const struct lw_view *view = g->panel->view;
    uint64_t height = g->panel->geometry.height, from = 0, to;
    struct lw_spot spot;
    while (from < view->rows && view->type->spot(view, from, 0, &spot))
        from++;
    for (to = from; to < view->rows && !view->type->spot(view, to, 0, &spot);)
        to++;
    if (!from || to == view->rows || (to - from) * height < 2 * LW_LINE)
        return;
    uint64_t x = column_at(g, 0) + LW_PAD / 2;
    put_layout_name(pen, view, 0, 0, x, top + from * height + LW_FONT);
    put_layout_name(pen, view, to, 0, x, top + to * height - LW_PAD / 2);
}

/* Writes names in the free corner at the top left: that of the layout below it, and that of the layout on its right. */
static void put_layout_names(struct pen *pen, const struct grid *g, uint64_t top)
{
    const struct lw_view *view = g->panel->view;
    const struct lw_export_options *o = &g->panel->options;
    uint64_t rows = view->seam_rows, cols = view->seam_cols, height = g->panel->geometry.height;
    bool whole = !o->row_from && !o->col_from && o->row_to == view->rows && o->col_to == view->cols;
    struct lw_spot spot;
    if (!o->head || !whole || !cols)
        return;
    if (!rows)
        put_names_between(pen, g, top);
    if (!rows || view->type->spot(view, 0, 0, &spot))
        return;
    put_layout_name(pen, view, rows, 0, column_at(g, cols / 2), top + rows * height - LW_PAD);
    put_layout_name(pen, view, 0, cols, column_at(g, cols) - 2 * (uint64_t)LW_COLUMN,
                    top + rows * height / 2);
}

static void put_band(struct pen *pen, struct grid *g)
{
    const struct lw_export_options *o = &g->panel->options;
    for (uint64_t row = o->row_from, end; row < o->row_to && !ferror(pen->canvas->stream);
         row = end) {
        end = lw_page_end(g->panel->view, o, row);
        put_header(pen, g);
        uint64_t top = pen->y;
        for (uint64_t i = row; i < end; i++)
            put_row(pen, g, i);
        put_lines(pen, g, top, row, end);
        put_layout_names(pen, g, top);
        pen->y += LW_GRID_GAP;
    }
}

static void put_panel(struct pen *pen, size_t i, uint64_t x, uint64_t y)
{
    struct lw_canvas *canvas = pen->canvas;
    struct lw_panel *p = &canvas->panels.panel[i];
    struct grid g = {.panel = p, .x = x};
    canvas->type->begin_panel(canvas, i);
    pen->y = y;
    put_words(pen, LW_WORDS_TITLE, lw_text_string(&p->title), x, p->width);
    put_words(pen, LW_WORDS_HEAD, lw_text_string(&p->head), x, p->width);
    pen->y = y + p->words;
    canvas->type->begin_cells(canvas, i);
    for (g.first = p->options.col_from; g.first < p->options.col_to; g.first = g.end) {
        g.end = lw_geometry_band_end(&p->geometry, &p->options, g.first);
        put_band(pen, &g);
    }
    if (canvas->type->end_cells)
        canvas->type->end_cells(canvas, i);
    if (canvas->type->end_panel)
        canvas->type->end_panel(canvas, i);
}

/* ---- The figure ---- */

static bool measure(struct lw_canvas *canvas, const struct lw_view *const *views, size_t count,
                    struct lw_error *err)
{
    struct pen pen = {.canvas = canvas};
    if (!lw_panels_make(&canvas->panels, views, count, canvas->options, err))
        return false;
    uint64_t wanted = canvas->options->width, least = wanted && wanted < LEAST ? wanted : LEAST;
    canvas->width = canvas->panels.width + 2 * (uint64_t)MARGIN;
    if (canvas->options->head && canvas->width < least)
        canvas->width = least;
    put_title(&pen);
    pen.y += canvas->panels.height;
    put_legends(&pen);
    put_caption(&pen);
    canvas->height = pen.y + MARGIN;
    bool failed = pen.text.failed;
    lw_text_free(&pen.text);
    if (failed)
        lw_panels_free(&canvas->panels);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* The width that the figure needs when `width` is requested; 0: memory is out. */
static uint64_t width_at(const struct lw_canvas *canvas, const struct lw_view *const *views,
                         size_t count, uint64_t width)
{
    struct lw_export_options options = *canvas->options;
    struct lw_canvas trial = {.type = canvas->type, .options = &options};
    options.width = (unsigned)width;
    if (!measure(&trial, views, count, NULL))
        return 0;
    lw_panels_free(&trial.panels);
    return trial.width;
}

/* Refuses a width in which nothing readable fits, with the least width that the figure can have. A figure that is too
 * narrow needs more width than was requested; between the two the first width is searched that is enough. */
static bool refuse_width(const struct lw_canvas *canvas, const struct lw_view *const *views,
                         size_t count, struct lw_error *err)
{
    uint64_t small = canvas->options->width, large = canvas->width, took;
    while (large <= LW_EXPORT_WIDTH_MAX && (took = width_at(canvas, views, count, large)) > large)
        large = took;
    while (large <= LW_EXPORT_WIDTH_MAX && small + 1 < large) {
        uint64_t middle = small + (large - small) / 2;
        took = width_at(canvas, views, count, middle);
        *(took && took <= middle ? &large : &small) = middle;
    }
    return lw_error_set(err, LW_ERROR_LIMIT, "width %u: this figure needs at least %llu pixels",
                        canvas->options->width, (unsigned long long)large);
}

bool lw_canvas_measure(struct lw_canvas *canvas, const struct lw_view *const *views, size_t count,
                       struct lw_error *err)
{
    if (!measure(canvas, views, count, err))
        return false;
    const struct lw_export_options *o = canvas->options;
    if (!o->width || o->no_fold || canvas->width <= o->width)
        return true;
    lw_panels_free(&canvas->panels);
    return refuse_width(canvas, views, count, err);
}

bool lw_canvas_draw(struct lw_canvas *canvas, struct lw_error *err)
{
    struct pen pen = {.canvas = canvas, .draw = true};
    put_title(&pen);
    uint64_t top = pen.y;
    for (size_t i = 0; i < canvas->panels.count; i++)
        put_panel(&pen, i, MARGIN + canvas->panels.panel[i].x, top + canvas->panels.panel[i].y);
    pen.y = top + canvas->panels.height;
    put_legends(&pen);
    put_caption(&pen);
    bool failed = pen.text.failed;
    lw_text_free(&pen.text);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}
