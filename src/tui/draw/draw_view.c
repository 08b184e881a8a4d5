/* A view pane: the cells that fit, and labels that stay. */

#include "tui/draw/drawing.h"

#include <string.h>

/* Whether cells and their labels are aligned right: not in lists of names and values, and not where text is cut. */
static bool reads_right(const struct lw_view_pane *pane, const struct lw_grid *grid)
{
    return pane->view.cols > 2 && (int)pane->view.type->width(&pane->view) <= grid->cell;
}

/* Column labels; if they are wider than the cells, only as many as fit. Blanks between labels have the pen of a label,
 * so that the terminal gets no other colour for them. */
static void draw_col_labels(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            struct lw_surface *surface, const struct lw_grid *grid,
                            struct lw_text *text)
{
    int end = grid->inside.col + grid->inside.width, busy = 0;
    int at = grid->inside.col + grid->label, cell = 0, sums = end;
    bool right = reads_right(pane, grid);
    for (uint64_t col = pane->left; col < pane->view.cols;
         col = lw_grid_next(grid, pane->left, col), at += cell + grid->gap) {
        cell = lw_grid_cell(grid, col);
        bool on = col == pane->col && lw_pane_has_cursor(ex, pane);
        if (col == pane->left) /* here the sums begin */
            sums = at + grid->cols * (cell + grid->gap);
        lw_text_clear(text);
        if (pane->view.type->col_label)
            pane->view.type->col_label(&pane->view, col, text);
        int width = (int)lw_text_width(lw_text_string(text));
        struct lw_pen pen = lw_pen(on ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
        bool sparse = pane->detail >= LW_DETAIL_NUMBER && grid->gap == 0 && pane->view.cols > 10;
        if (width <= cell && (!sparse || (grid->own && cell > 2))) {
            lw_put_padded(surface, grid->inside.row, at, cell, pen, lw_text_string(text), right);
            if (at + cell + grid->gap <= end)
                lw_put_padded(surface, grid->inside.row, at + cell, grid->gap, pen, "", false);
        } else if (at >= busy && at + width <= end && col % 4 == 0 &&
                   (col >= grid->after || grid->after == pane->view.cols || at + width <= sums)) {
            lw_put(surface, grid->inside.row, at, width, pen, lw_text_string(text));
            busy = at + width + 1;
        }
    }
}

/* The pen of a cell: under the cursor, selected, marked, the same element as under the cursor of the other pane, or
 * else by its class. */
static struct lw_pen pen_of(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            uint64_t row, uint64_t col, const struct lw_cell *cell)
{
    struct lw_spot spot;
    if (row == pane->row && col == pane->col && lw_pane_has_cursor(ex, pane))
        return lw_pen(pane == ex->panes.active ? LW_PEN_CURSOR : LW_PEN_LINKED);
    if (lw_is_in_range(pane, row, col))
        return lw_pen(LW_PEN_SELECT);
    struct lw_pen own = lw_pen_of_cell(pane, cell);
    if (own.kind == LW_PEN_FAINT &&
        pane->view.type->heat) /* lanes of a wavefront that is not played */
        own = (struct lw_pen){.kind = LW_PEN_DIMMED, .shade = (uint8_t)lw_palette_ink(cell->shade)};
    bool looks = ex->marks.count > 0 || ex->flash.on || ex->compare.diff[pane->shown.side].fits ||
                 (pane != ex->panes.active && pane->linked);
    if (looks && pane->view.type->spot && pane->view.type->spot(&pane->view, row, col, &spot)) {
        if (lw_flash_has(ex, pane, &spot))
            return lw_pen(LW_PEN_DIFFERS);
        if (lw_is_linked(ex, pane, &spot))
            return lw_pen(LW_PEN_LINKED);
        if (lw_is_marked(ex, pane, &pane->view, &spot))
            return lw_pen(LW_PEN_MARK);
        if (lw_differs(ex, pane, &spot))
            return lw_pen(LW_PEN_DIFFERS);
    }
    return own;
}

static struct lw_pen pen_at(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            uint64_t row, uint64_t col, struct lw_text *text)
{
    struct lw_cell cell = {0};
    lw_text_clear(text);
    if (row >= pane->view.rows)
        return lw_pen(LW_PEN_TEXT);
    pane->view.type->cell(&pane->view, row, col, text, &cell);
    return pen_of(ex, pane, row, col, &cell);
}

/* The cell before the one that is drawn. */
struct neighbour {
    struct lw_pen pen;
    char text[16]; /* its text; "": none, or a longer one */
    bool apart;    /* it is set apart from the one before it */
};

/* Whether a number would read as one with that before it, as both fill their cells without a gap, in one colour: of
 * equal ones every second is a ditto mark, of others every second is underlined. */
static bool runs_on(const struct lw_grid *grid, struct lw_pen pen, const struct neighbour *before,
                    const char *text)
{
    return grid->gap == 0 && grid->cell > 1 && pen.kind == before->pen.kind &&
           pen.shade == before->pen.shade && (int)lw_text_width(text) >= grid->cell;
}

static void ditto(struct lw_text *text)
{
    lw_text_clear(text);
    lw_text_char(text, '"');
}

static void draw_row_label(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                           struct lw_surface *surface, const struct lw_grid *grid, int r,
                           struct lw_text *text)
{
    uint64_t row = pane->top + (uint64_t)(r * grid->each);
    bool here =
        pane->row >= row && pane->row < row + (uint64_t)grid->each && lw_pane_has_cursor(ex, pane);
    struct lw_pen label = lw_pen(here ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
    lw_text_clear(text);
    if (pane->view.type->row_label)
        pane->view.type->row_label(&pane->view, row, text);
    lw_put_padded(surface, grid->inside.row + 1 + r, grid->inside.col, grid->label - 1, label,
                  lw_text_string(text), true);
    lw_put(surface, grid->inside.row + 1 + r, grid->inside.col + grid->label - 1, 1, label, " ");
}

/* One row of the screen: a row of cells, or two of them in halves of characters. */
static void draw_row(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                     struct lw_surface *surface, const struct lw_grid *grid, int r,
                     struct lw_text *text)
{
    uint64_t row = pane->top + (uint64_t)(r * grid->each);
    int at_row = grid->inside.row + 1 + r, at = grid->inside.col + grid->label, cell = 0;
    bool right = reads_right(pane, grid);
    struct neighbour before = {lw_pen(LW_PEN_TEXT), "", false};
    draw_row_label(ex, pane, surface, grid, r, text);
    for (uint64_t col = pane->left; col < pane->view.cols;
         col = lw_grid_next(grid, pane->left, col), at += cell + grid->gap) {
        struct lw_pen pen = pen_at(ex, pane, row, col, text);
        cell = lw_grid_cell(grid, col);
        if (grid->each > 1) {
            const char *half = lw_halves(pen, pen_at(ex, pane, row + 1, col, text), &pen);
            lw_put(surface, at_row, at, 1, pen, half);
            continue;
        }
        bool runs = runs_on(grid, pen, &before, lw_text_string(text));
        if (runs && !strcmp(lw_text_string(text), before.text))
            ditto(text);
        before.pen = pen;
        before.apart = runs && before.text[0] && before.text[0] != '"' && !before.apart;
        pen.line = before.apart && lw_text_string(text)[0] != '"' ? LW_LINE_APART : LW_LINE_NONE;
        snprintf(before.text, sizeof before.text, "%s",
                 text->length < sizeof before.text ? lw_text_string(text) : "");
        lw_put_padded(surface, at_row, at, cell, pen, lw_text_string(text), right);
        if (grid->gap) /* a colour of the ramp covers the gap before the cell */
            lw_put(surface, at_row, at - 1, 1, pen.kind == LW_PEN_RAMP ? pen : lw_pen(LW_PEN_TEXT),
                   " ");
    }
}

static const struct lw_error *problem_of(const struct lw_explorer *ex,
                                         const struct lw_view_pane *pane)
{
    return lw_explorer_subject(ex, pane) ? &pane->view_problem
                                         : lw_layouts_problem_at(&ex->layouts, pane->shown.side);
}

/* Draws why there is no view, or what it needs. */
static void draw_problem(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                         struct lw_surface *surface, struct lw_rect rect)
{
    const struct lw_error *err = problem_of(ex, pane);
    size_t count;
    bool access = lw_view_types(&count)[pane->view_index]->access;
    const char *undrawn = access ? lw_explorer_undrawn(ex) : "";
    struct lw_rect inside = {rect.row + 1, rect.col + 2, rect.height - 2, rect.width - 4};
    struct lw_text text = {0};
    enum lw_side side;
    bool needs = !undrawn[0] && lw_layout_pick_missing(ex, pane, &side);
    if (undrawn[0])
        lw_text_add(&text, undrawn);
    else if (needs)
        lw_layout_pick_put_missing(&text, side);
    else
        lw_text_add(&text, err->message);
    inside.row += lw_put_wrapped(surface, inside, lw_pen(LW_PEN_TEXT), lw_text_string(&text)) + 1;
    if (!needs && !undrawn[0] && err->excerpt[0] && inside.row < rect.row + rect.height)
        lw_put(surface, inside.row, inside.col, inside.width, lw_pen(LW_PEN_FAINT), err->excerpt);
    lw_text_free(&text);
}

/* Puts the ramp and the meaning of its colours on the lower border. Returns the columns used. */
static int put_ramp(const struct lw_view_pane *pane, struct lw_surface *surface,
                    struct lw_rect rect)
{
    enum { ROOMY = 100 };
    const char *meaning = pane->view.type->heat;
    if (!meaning)
        return 0;
    struct lw_text name = {0};
    lw_text_format(&name, rect.width < ROOMY ? " words" : " %s ", meaning);
    int col = rect.col + 2, row = rect.row + rect.height - 1;
    int length = (int)lw_text_width(lw_text_string(&name)), width = 3 * LW_RAMP_LEVELS + length;
    bool fits = width + 4 <= rect.width;
    if (fits)
        col += lw_put(surface, row, col, length, lw_pen(LW_PEN_FAINT), lw_text_string(&name));
    lw_text_free(&name);
    for (unsigned level = 0; fits && level < LW_RAMP_LEVELS; level++, col += 3) {
        const struct lw_pen pen = {.kind = LW_PEN_RAMP, .shade = (uint8_t)level};
        struct lw_text text = {0};
        lw_text_number(&text, (uint64_t)1 << level);
        lw_put_padded(surface, row, col, 3, pen, lw_text_string(&text), true);
        lw_text_free(&text);
    }
    return fits ? width : 0;
}

/* On the lower border: the meaning of abbreviations. */
static int put_legend(const struct lw_view_pane *pane, struct lw_surface *surface,
                      struct lw_rect rect, struct lw_text *text)
{
    lw_text_clear(text);
    lw_text_char(text, ' ');
    const struct lw_view_type *type = pane->view.type;
    if (!pane->half) /* first, as the rest may be cut */
        lw_merged_put_letters(pane, text);
    size_t letters = text->length;
    lw_text_add(text, letters > 1 ? "; " : "");
    size_t before = text->length;
    if (type->legend && !pane->groups.on) /* with groups the names are beside the cells */
        type->legend(&pane->view, text);
    if (text->length == before)
        lw_text_cut(text, letters);
    if (text->length == 1)
        return 0;
    lw_text_char(text, ' ');
    int ramp = put_ramp(pane, surface, rect);
    return 2 + ramp +
           lw_put(surface, rect.row + rect.height - 1, rect.col + 2 + ramp, rect.width - 4 - ramp,
                  lw_pen(LW_PEN_FAINT), lw_text_string(text));
}

/* Puts how many elements the last edit moved; false: the last action was no edit. */
static bool put_moved(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                      struct lw_surface *surface, struct lw_rect rect, int *used)
{
    struct lw_text text = {0}, moved = {0};
    lw_flash_put(ex, pane, rect.width - 6, &moved);
    bool has = moved.length > 0;
    lw_text_format(&text, " %s ", lw_text_string(&moved));
    if (has)
        *used = 2 + lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
                           lw_pen(LW_PEN_DIFFERS), lw_text_string(&text));
    lw_text_free(&moved);
    lw_text_free(&text);
    return has;
}

/* On the lower border: that the shown layout is not that of the form, or what is marked. Returns the columns used. */
static int draw_state(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                      struct lw_surface *surface, struct lw_rect rect)
{
    const struct lw_error *why = lw_layouts_problem(&ex->layouts);
    bool old = ex->layouts.has_opened && why;
    struct lw_text text = {0};
    int used = 0;
    if (!ex->layouts.has_other && put_moved(ex, pane, surface, rect, &used))
        return used;
    if (!old && !ex->layouts.has_other)
        used = lw_draw_owner(ex, pane, surface, rect);
    if (used)
        return used;
    bool beside = ex->layouts.has_other && pane != ex->panes.active; /* the other has the
                                                                        difference */
    if (!old && beside) {
        used = put_legend(pane, surface, rect, &text);
        lw_text_free(&text);
        return used;
    }
    if (!old) {
        lw_text_add(&text, ex->layouts.has_other ? " " : " marked ");
        if (ex->layouts.has_other)
            lw_put_comparison(ex, pane, rect.width - 6, &text);
        else
            lw_marks_put(ex, &text);
        lw_text_char(&text, ' ');
        if (ex->layouts.has_other || ex->marks.count)
            used = 2 + lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
                              lw_pen(ex->layouts.has_other ? LW_PEN_CHANGED : LW_PEN_MARK),
                              lw_text_string(&text));
        else
            used = put_legend(pane, surface, rect, &text);
        lw_text_free(&text);
        return used;
    }
    lw_put_problem(ex, why, rect.width - 4, &text);
    used = 2 + lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
                      lw_pen(LW_PEN_BAD), lw_text_string(&text));
    lw_text_free(&text);
    return used;
}

/* Puts the shown rows and columns, if not all are shown, as far as there is room. */
static void put_extent(const struct lw_view_pane *pane, const struct lw_grid *grid, int room,
                       struct lw_text *text)
{
    uint64_t size[2] = {pane->view.rows, pane->view.cols}, from[2] = {pane->top, pane->left};
    uint64_t shown[2] = {(uint64_t)grid->rows * pane->step_rows,
                         (uint64_t)grid->cols * pane->step_cols};
    static const char *const names[2] = {"rows", "columns"};
    for (int i = 0; i < 2; i++) {
        if (shown[i] >= size[i])
            continue;
        uint64_t last = size[i] - from[i] < shown[i] ? size[i] - 1 : from[i] + shown[i] - 1;
        size_t before = text->length;
        lw_text_format(text, " %s %llu-%llu of %llu ", names[i], (unsigned long long)from[i],
                       (unsigned long long)last, (unsigned long long)size[i]);
        if ((int)text->length > room)
            lw_text_cut(text, before);
    }
}

/* The same on the lower border, right of that number of columns. Returns the columns used. */
static int draw_extent(const struct lw_view_pane *pane, struct lw_surface *surface,
                       struct lw_rect rect, const struct lw_grid *grid, int taken)
{
    struct lw_text text = {0};
    put_extent(pane, grid, rect.width - taken - 2, &text);
    int width = (int)text.length;
    bool fits = width && width + taken + 2 <= rect.width;
    if (fits)
        lw_put(surface, rect.row + rect.height - 1, rect.col + rect.width - 2 - width, width,
               lw_pen(LW_PEN_LABEL), lw_text_string(&text));
    lw_text_free(&text);
    return fits ? width + 2 : 0;
}

/* Puts "Owners", and the side of an access, or the layout of a comparison. */
static void view_name(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                      struct lw_text *title)
{
    size_t count;
    lw_text_add(title, lw_view_types(&count)[pane->view_index]->title);
    bool several = lw_layouts_are_several(&ex->layouts) &&
                   (!ex->layouts.has_other || lw_layouts_compare_several(&ex->layouts));
    if (several && !lw_pane_is_of_both(pane))
        lw_text_format(title, ": %s", lw_side_name(pane->shown.side));
    if (ex->layouts.has_other)
        lw_text_format(title, "%s%s", strchr(lw_text_string(title), ':') ? ", " : ": ",
                       lw_compare_name(ex, pane->shown.other));
}

/* Puts the name and the caption; if that is too wide, the caption in short, in a comparison without units, then only
 * the caption, with a short name of a compared layout. */
static void view_title(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                       struct lw_text *title, int width)
{
    enum { AROUND = 6 };
    const struct lw_view_type *type = pane->has_view ? pane->view.type : NULL;
    view_name(ex, pane, title);
    if (type && !type->caption && type->axes) {
        struct lw_text axes = {0};
        lw_text_add(&axes, strchr(lw_text_string(title), ':') ? ", " : ": ");
        type->axes(&pane->view, &axes);
        const char *all = lw_text_string(&axes);
        int room = width - AROUND - (int)title->length, first = (int)strcspn(all, ";");
        /* The second part is for cells of one element. */
        int shown = (int)axes.length <= room && !pane->groups.on ? (int)axes.length : first;
        if (shown <= room)
            lw_text_bytes(title, all, (size_t)shown);
        lw_text_free(&axes);
    }
    if (!type || !type->caption)
        return;
    lw_text_add(title, ": ");
    type->caption(&pane->view, title);
}

/* Draws a picture with its legend; false: there is no room for the legend. */
static bool draw_picture(const struct lw_explorer *ex, struct lw_view_pane *pane,
                         struct lw_surface *surface)
{
    struct lw_grid grid;
    lw_grid(ex, pane, &grid);
    struct lw_rect below = grid.inside;
    int used = lw_draw_picture(ex, pane, surface);
    lw_draw_parts(ex, pane, surface, &grid);
    below.row += used;
    below.height -= used;
    lw_put_fill(surface, below, lw_pen(LW_PEN_TEXT), ' ');
    struct lw_rect map = lw_draw_map(ex, pane, surface, &grid);
    if (map.width)
        below.width = map.col - below.col;
    return lw_draw_legend(ex, pane, surface, below);
}

void lw_draw_view_step(struct lw_explorer *ex, struct lw_view_pane *pane,
                       struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_text text = {.limit = 256};
    const uint64_t rows[2] = {pane->drawn_row, pane->row};
    struct lw_grid grid;
    if (lw_draw_matrix(ex, pane, surface))
        return;
    if (pane->view.type->picture) { /* its legend, which names what is lit, may be on the border */
        lw_draw_view(ex, pane, surface, rect);
        return;
    }
    lw_grid(ex, pane, &grid);
    draw_col_labels(ex, pane, surface, &grid, &text);
    for (int i = 0; i < 2; i++)
        draw_row(ex, pane, surface, &grid, (int)(rows[i] - pane->top) / grid.each, &text);
    pane->drawn_row = pane->row;
    lw_text_free(&text);
}

enum { RAMP = 28 }; /* columns of a border that the ramp needs, with its shorter name */

void lw_draw_view(struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_surface *surface,
                  struct lw_rect rect)
{
    struct lw_text text = {.limit = 256};
    struct lw_grid grid;
    pane->drawn_row = pane->row;
    view_title(ex, pane, &text, rect.width);
    struct lw_rect inside = lw_put_frame(surface, rect, lw_text_string(&text),
                                         ex->focus == LW_FOCUS_VIEW && pane == ex->panes.active);
    if (lw_matrix_is_compact(ex, pane)) {
        draw_state(ex, pane, surface, rect);
        lw_draw_matrix(ex, pane, surface); /* the range of shown rows replaces the legend */
    } else if (pane->has_view && pane->view.type->picture) {
        lw_grid(ex, pane, &grid);
        bool has_legend = draw_picture(ex, pane, surface);
        lw_draw_bars(pane, surface, rect, &grid);
        int below = draw_state(ex, pane, surface, rect);
        int title = (int)lw_text_width(lw_text_string(&text)) + 4;
        struct lw_rect line = rect;
        int right = lw_draw_meaning(ex, pane, surface, rect, title, below);
        line.width -= right ? right : draw_extent(pane, surface, rect, &grid, below);
        if (!has_legend)
            lw_draw_legend_line(ex, pane, surface, line, below);
    } else if (pane->has_view) {
        lw_grid(ex, pane, &grid);
        draw_col_labels(ex, pane, surface, &grid, &text);
        for (int r = 0;
             r * grid.each < grid.rows && pane->top + (uint64_t)(r * grid.each) < pane->view.rows;
             r++)
            draw_row(ex, pane, surface, &grid, r, &text);
        /* Without room for both the legend is cut. */
        lw_text_clear(&text);
        put_extent(pane, &grid, rect.width - (pane->view.type->heat ? RAMP : 4), &text);
        struct lw_rect left = {rect.row, rect.col, rect.height, rect.width - (int)text.length};
        draw_extent(pane, surface, rect, &grid, draw_state(ex, pane, surface, left));
    } else {
        draw_problem(ex, pane, surface, inside);
    }
    lw_text_free(&text);
}
