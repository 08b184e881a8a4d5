/* A picture: cells filled with their colours, gaps between tiles, and the cells that are lit. */

#include "tui/draw/drawing.h"
#include "tui/pane/follow.h"

#include <string.h>

/* The pen of a cell: a cell of an index is filled with its colour, a cell with the name of a hardware dim is text. */
struct lw_pen lw_pen_of_cell(const struct lw_view_pane *pane, const struct lw_cell *cell)
{
    struct lw_pen pen = {.shade = (uint8_t)lw_palette_ink(cell->shade)};
    switch (cell->ink) {
    case LW_INK_INDEX:
        pen.kind = LW_PEN_FILL;
        return pen;
    case LW_INK_DIM:
        pen.kind = pane->detail == LW_DETAIL_CHAR ? LW_PEN_FILL : LW_PEN_INK;
        return pen;
    case LW_INK_RAMP:
        pen.kind = LW_PEN_RAMP;
        pen.shade = (uint8_t)lw_palette_level(cell->shade);
        return pen;
    case LW_INK_FAINT:
        return lw_pen(LW_PEN_FAINT);
    case LW_INK_HOLE:
        return lw_pen(LW_PEN_HOLE);
    case LW_INK_HEAD:
        return lw_pen(LW_PEN_LABEL);
    case LW_INK_GOOD:
        return lw_pen(LW_PEN_GOOD);
    case LW_INK_BAD:
        return lw_pen(LW_PEN_BAD);
    case LW_INK_PLAIN:
        break;
    }
    return lw_pen(LW_PEN_TEXT);
}

/* The active pane has a cursor, and so has the other one if it shows the same element. */
bool lw_pane_has_cursor(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    return ex->focus != LW_FOCUS_GALLERY && (pane == ex->panes.active || pane->linked);
}

/* The marks beside the text of a cell that differs from the compared layout, or is equal when most differ; and of a
 * cell of which only some elements differ. Cells that are equal have only text in their colour; without text they are
 * dimmed. */
#define DIFFERS "\u2260"
#define EQUAL "="
#define PART "~"

struct picture {
    const struct lw_explorer *ex;
    const struct lw_view_pane *pane;
    struct lw_surface *surface;
    struct lw_grid grid;
    struct lw_follow follow;
    struct lw_lit lit;
    struct lw_text text;
    bool has_cursor;
    bool writes;      /* cells have texts */
    bool right;       /* they are aligned right, unless one is cut */
    bool looks;       /* cells are compared with more spots than the cursor */
    bool compares;    /* some cells differ from the compared layout */
    bool marks_equal; /* most differ: the equal ones have the mark */
    bool in_groups;   /* the lit field is that of the texts of groups */
    const char *mark; /* of the drawn cell; NULL: it has none */
    bool mixed;       /* its elements differ in colour */
    struct lw_spot spot;
    enum { SPOT_NONE, SPOT_FOUND, SPOT_UNKNOWN } spots; /* whether the drawn cell has that spot */
    bool ends_tile; /* the drawn row is the last of a tile without a gap after it */
    char number[8]; /* of the cell before it in its tile */
    struct lw_pen number_pen;
    bool apart;     /* the drawn cell is set apart from that one */
    int rows, cols; /* of cells that are shown */
};

static uint64_t row_at(const struct picture *p, int r)
{
    return p->pane->top + (uint64_t)r * p->pane->step_rows;
}

static uint64_t col_at(const struct picture *p, int c)
{
    return p->pane->left + (uint64_t)c * p->pane->step_cols;
}

/* Whether the cursor is in the cell, which may have several elements. */
static bool is_here(const struct picture *p, uint64_t row, uint64_t col)
{
    return p->has_cursor && p->pane->row >= row && p->pane->row - row < p->pane->step_rows &&
           p->pane->col >= col && p->pane->col - col < p->pane->step_cols;
}

/* The cell that gives a block of several its colour: the first that is not empty. */
static void choose_cell(const struct lw_view_pane *pane, uint64_t *row, uint64_t *col)
{
    (void)pane;
    (void)row;
    (void)col;
}

/* Whether the cell has a spot, which is found once. */
static bool has_spot(struct picture *p, uint64_t row, uint64_t col)
{
    const struct lw_view *view = &p->pane->view;
    if (p->spots == SPOT_UNKNOWN)
        p->spots = view->type->spot && view->type->spot(view, row, col, &p->spot);
    return p->spots == SPOT_FOUND;
}

/* Sets the colour of a cell, and its text where that is drawn. */
static void look_at(struct picture *p, uint64_t row, uint64_t col, struct lw_cell *cell)
{
    const struct lw_view *view = &p->pane->view;
    p->spots = SPOT_UNKNOWN;
    lw_text_clear(&p->text);
    view->type->cell(view, row, col, &p->text, cell);
}

/* The pen of a cell under the cursor, selected, marked or lit; `at_row` and `at_col`: the cell that gives it its
 * colour. */
static struct lw_pen special_pen(struct picture *p, uint64_t row, uint64_t col, uint64_t at_row,
                                 uint64_t at_col)
{
    const struct lw_explorer *ex = p->ex;
    const struct lw_view_pane *pane = p->pane;
    if (is_here(p, row, col))
        return lw_pen(pane == ex->panes.active ? LW_PEN_CURSOR : LW_PEN_LINKED);
    if (lw_is_in_range(pane, row, col))
        return lw_pen(LW_PEN_SELECT);
    if (ex->panes.play.instruction && lw_view_served(&pane->view, row, col) &&
        (ex->panes.play.wavefront || lw_view_shows_indices(&pane->view)))
        return lw_pen(LW_PEN_MARK);
    if ((!p->looks && !p->follow.on && !ex->flash.on) || !has_spot(p, at_row, at_col))
        return lw_pen(LW_PEN_TEXT);
    if (lw_flash_has(ex, pane, &p->spot))
        return lw_pen(LW_PEN_DIFFERS);
    if (p->looks && lw_is_linked(ex, pane, &p->spot))
        return lw_pen(LW_PEN_LINKED);
    if (p->looks && (lw_marked_has(&pane->marked, pane, row, col) ||
                     (!pane->marked.whole && lw_is_marked(ex, pane, &pane->view, &p->spot))))
        return lw_pen(LW_PEN_MARK);
    bool lit = p->in_groups ? lw_groups_has(pane, row, col, p->follow.value)
                            : p->follow.on && lw_lit_has(&p->lit, pane, row, col, &p->spot);
    return lw_pen(lit ? LW_PEN_LIT : LW_PEN_TEXT);
}

/* Whether a cell differs, and its mark: when most cells differ, the equal ones have it. */
static enum lw_cell_diff compare_cell(struct picture *p, uint64_t row, uint64_t col,
                                      const struct lw_cell *cell)
{
    if (!p->compares)
        return LW_CELL_EQUAL;
    enum lw_cell_diff diff = lw_cell_compare(p->ex, p->pane, row, col);
    bool marks = p->marks_equal ? diff == LW_CELL_EQUAL && cell->ink == LW_INK_INDEX
                                : diff == LW_CELL_DIFFERS;
    p->mark = diff == LW_CELL_PART ? PART : !marks ? NULL : p->marks_equal ? EQUAL : DIFFERS;
    return diff;
}

static struct lw_pen pen_at(struct picture *p, uint64_t row, uint64_t col)
{
    struct lw_cell cell = {0};
    const struct lw_view *view = &p->pane->view;
    lw_text_clear(&p->text);
    p->mark = NULL;
    p->mixed = false;
    if (row >= view->rows || col >= view->cols)
        return lw_pen(LW_PEN_TEXT);
    uint64_t at_row = row, at_col = col;
    choose_cell(p->pane, &at_row, &at_col);
    look_at(p, at_row, at_col, &cell);
    if (p->pane->groups.on && cell.ink == LW_INK_INDEX) {
        lw_text_clear(&p->text);
        lw_groups_put(p->pane, row, col, &p->text);
    }
    enum lw_cell_diff diff = compare_cell(p, row, col, &cell);
    bool sets = lw_merged_sets(p->pane, &(uint64_t){0});
    if (sets && cell.ink == LW_INK_INDEX)
        cell.shade = lw_merged_set_of(p->pane, cell.shade);
    if (sets && cell.ink == LW_INK_INDEX && p->writes)
        lw_merged_put_letter(p->pane, cell.shade, &p->text);
    p->mixed = !p->pane->groups.on && (!sets || p->pane->merged.kind == LW_MERGED_SOME) &&
               lw_merged_is_mixed(p->pane, row, col);
    struct lw_pen pen = special_pen(p, row, col, at_row, at_col);
    if (pen.kind != LW_PEN_TEXT)
        return pen;
    pen = lw_pen_of_cell(p->pane, &cell);
    if (pen.kind == LW_PEN_FILL && p->follow.on && p->follow.dims)
        pen.kind = LW_PEN_DIMMED;
    else if (pen.kind == LW_PEN_FILL && p->compares && diff == LW_CELL_EQUAL)
        pen.kind = p->writes && p->text.length ? LW_PEN_EQUAL : LW_PEN_DIMMED;
    else if (pen.kind == LW_PEN_FILL && (p->mixed || (p->compares && diff == LW_CELL_PART)))
        pen.kind = LW_PEN_PALE;
    return pen;
}

/* ---- Cells ---- */

static void draw_halves(struct picture *p, int row, int col, struct lw_pen upper,
                        struct lw_pen lower)
{
    struct lw_pen pen;
    const char *text = lw_halves(upper, lower, &pen);
    lw_put_repeated(p->surface, row, col, p->grid.cell, pen, text);
}

/* Puts the mark directly before the text, in the colours of the cell: after a blank it would seem to belong to the cell
 * before. */
static void put_mark(struct picture *p, int row, int col, int lead, struct lw_pen own)
{
    int free = p->grid.cell - (int)lw_text_width(lw_text_string(&p->text));
    int at = p->right && p->writes && free > 0 ? col + free - 1 : col - (lead > 0);
    own.line = p->marks_equal ? LW_LINE_NONE : LW_LINE_MARK;
    lw_put(p->surface, row, at, 1, own, p->mark);
}

/* The colour covers the gap too, so that the cells of a tile touch. */
static void draw_text_cell(struct picture *p, int row, int c, struct lw_pen pen)
{
    const struct lw_grid *grid = &p->grid;
    int right = grid->gap - grid->lead, lead = lw_grid_lead(grid, c);
    int col = grid->inside.col + grid->label + lw_grid_col(grid, c);
    const char *text = p->writes ? lw_text_string(&p->text) : "";
    int free = grid->cell - (int)lw_text_width(text);
    bool bare = !*text;
    bool ends = p->ends_tile && grid->tall == 1;
    pen.line = ends ? LW_LINE_TILE : p->apart ? LW_LINE_APART : LW_LINE_NONE;
    if (p->mark && !lead && !p->ex->screen.mono && strcmp(p->mark, PART) != 0)
        p->mark = NULL; /* the colour is enough: between numbers a mark would be read as a part of
                           them */
    if (p->mark && !lead && bare)
        text = p->mark;
    else if (p->mark && !lead && free <= 0)
        pen.line = LW_LINE_DIFFERS; /* the text keeps its columns, none is left for the mark */
    else if (p->mixed && p->pane->merged.kind == LW_MERGED_SOME && lw_is_plain(p->ex))
        text = LW_MERGED_MARK;
    lw_put_padded(p->surface, row, col, grid->cell, pen, text, p->right);
    if (lead)
        lw_put_padded(p->surface, row, col - lead, lead, pen, " ", false);
    if (p->mark && (lead || (!bare && free > 0)))
        put_mark(p, row, col, lead, pen);
    if (right > 0)
        lw_put_padded(p->surface, row, col + grid->cell, right, pen, " ", false);
}

/* The lines of a tall cell that have no text. */
static void draw_other_lines(struct picture *p, int r, int c, struct lw_pen pen)
{
    const struct lw_grid *grid = &p->grid;
    const int first = grid->inside.row + 1, text = first + lw_grid_text_row(grid, r);
    int lead = lw_grid_lead(grid, c), row = first + lw_grid_row(grid, r);
    int col = grid->inside.col + grid->label + lw_grid_col(grid, c) - lead;
    for (int end = row + grid->tall; row < end; row++) {
        pen.line = p->ends_tile && row + 1 == end ? LW_LINE_TILE : LW_LINE_NONE;
        if (row != text)
            lw_put_padded(p->surface, row, col, lead + grid->cell + grid->gap - grid->lead, pen, "",
                          false);
    }
}

/* ---- Labels ---- */

static void draw_row_label(struct picture *p, int r, int row)
{
    const struct lw_grid *grid = &p->grid;
    uint64_t from = row_at(p, r), step = p->pane->step_rows * (uint64_t)grid->each;
    bool on = p->has_cursor && p->pane->row >= from && p->pane->row - from < step;
    struct lw_pen pen = lw_pen(on ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
    lw_text_clear(&p->text);
    if (p->pane->view.type->row_label)
        p->pane->view.type->row_label(&p->pane->view, from, &p->text);
    lw_put_padded(p->surface, row, grid->inside.col, grid->label - 1, pen, lw_text_string(&p->text),
                  true);
}

static int col_label_at(struct picture *p, int c)
{
    lw_text_clear(&p->text);
    if (p->pane->view.type->col_label)
        p->pane->view.type->col_label(&p->pane->view, col_at(p, c), &p->text);
    return (int)lw_text_width(lw_text_string(&p->text));
}

/* Draws every label, every second, every fourth, ..., as there is room. */
static void draw_col_labels(struct picture *p)
{
    const struct lw_grid *grid = &p->grid;
    int row = grid->inside.row, pitch = grid->cell + grid->gap, every = 1;
    int widest = 1;
    for (int c = 0; c < p->cols; c++) {
        int width = col_label_at(p, c);
        widest = width > widest ? width : widest;
    }
    while (every * pitch < widest + 1)
        every *= 2;
    lw_put_fill(p->surface, (struct lw_rect){row, grid->inside.col, 1, grid->inside.width},
                lw_pen(LW_PEN_LABEL), ' ');
    for (int c = 0; c < p->cols; c += every) {
        uint64_t from = col_at(p, c);
        bool on = p->has_cursor && p->pane->col >= from &&
                  p->pane->col - from < p->pane->step_cols * (uint64_t)every;
        int width = col_label_at(p, c), room = every > 1 || width > grid->cell ? width : grid->cell;
        int at = grid->inside.col + grid->label + lw_grid_col(grid, c);
        if (every == 1 && width > grid->cell) /* into the gap before the cell */
            at -= width - grid->cell;
        if (at + room > grid->inside.col + grid->inside.width - (grid->map ? grid->map + 1 : 0))
            break;
        lw_put_padded(p->surface, row, at, room, lw_pen(on ? LW_PEN_LABEL_ON : LW_PEN_LABEL),
                      lw_text_string(&p->text), p->right);
    }
}

/* ---- Tiles ---- */

/* The gap between two rows of tiles: a line where the warp or the block changes. */
static void draw_row_gap(struct picture *p, int r, int row)
{
    const struct lw_grid *grid = &p->grid;
    int from = grid->inside.col + grid->label - grid->lead;
    int width = lw_grid_col(grid, p->cols - 1) + grid->cell + grid->gap;
    bool line = lw_view_warp_changes(&p->pane->view, row_at(p, r), p->pane->left, false);
    if (line)
        lw_put_repeated(p->surface, row, from, width, lw_pen(LW_PEN_BORDER), "─");
}

/* Whether a cell has the line that begins a tile, in the blank before its text, as there is no room for gaps. */
static bool begins_tile(const struct picture *p, int c)
{
    const struct lw_view_pane *pane = p->pane;
    const struct lw_grid *grid = &p->grid;
    uint64_t col = col_at(p, c), seam = pane->view.seam_cols;
    bool blank = grid->lead || (grid->cell > 1 && p->right &&
                                (int)lw_text_width(lw_text_string(&p->text)) < grid->cell);
    if (!blank || grid->tile_cols || p->mark || c == 0 || col < seam)
        return false;
    if (col == seam)
        return !grid->seam_cols;
    return pane->tile_cols && (col - seam) % pane->tile_cols == 0;
}

/* Whether a row has the line that ends a tile, below its text. */
static bool ends_tile(const struct picture *p, int r)
{
    const struct lw_view_pane *pane = p->pane;
    const struct lw_grid *grid = &p->grid;
    uint64_t next = row_at(p, r) + 1, seam = pane->view.seam_rows;
    return !p->compares && grid->each == 1 && pane->step_rows == 1 && !grid->tile_rows &&
           next < pane->view.rows && next > seam && pane->tile_rows > 1 &&
           (next - seam) % pane->tile_rows == 0;
}

/* Whether a cell and the one below it are of the result: only its tiles have lines, not those of operands. */
static bool is_above_result(const struct picture *p, int r, int c)
{
    const struct lw_view *view = &p->pane->view;
    struct lw_spot spot;
    return col_at(p, c) >= view->seam_cols &&
           view->type->spot(view, row_at(p, r) + 1, col_at(p, c), &spot);
}

/* Numbers that fill their cells would read as one without a gap: of equal ones side by side only the first is written,
 * also where the cursor is; of others in one colour, such as marked ones, every second is underlined. */
static void part_numbers(struct picture *p, struct lw_pen pen)
{
    const char *text = lw_text_string(&p->text);
    bool same = !strcmp(text, p->number);
    bool alike = pen.kind == p->number_pen.kind && pen.shade == p->number_pen.shade;
    bool fills = (int)lw_text_width(text) >= p->grid.cell;
    if (!same)
        p->apart = fills && alike && p->number[0] && !p->apart;
    p->number_pen = pen;
    snprintf(p->number, sizeof p->number, "%s", p->text.length < sizeof p->number ? text : "");
    if (same)
        lw_text_clear(&p->text);
}

static void draw_row(struct picture *p, int r)
{
    const struct lw_grid *grid = &p->grid;
    bool parts = p->writes && grid->gap == 0 && grid->cell > 1 &&
                 (int)p->pane->view.type->width(&p->pane->view) >= grid->cell;
    bool beside = lw_view_is_beside_result(&p->pane->view);
    p->number[0] = '\0';
    bool ends = ends_tile(p, r);
    int row = grid->inside.row + 1 + lw_grid_text_row(grid, r);
    int left = grid->inside.col + grid->label;
    draw_row_label(p, r, row);
    if (lw_grid_has_gap(r, grid->tile_rows, grid->seam_rows))
        draw_row_gap(p, r, grid->inside.row + lw_grid_row(grid, r));
    for (int c = 0; c < p->cols; c++) {
        int col = left + lw_grid_col(grid, c);
        struct lw_pen pen = pen_at(p, row_at(p, r), col_at(p, c));
        p->ends_tile = ends && (!beside || is_above_result(p, r, c));
        if (lw_grid_has_gap(c, grid->tile_cols, grid->seam_cols))
            p->number[0] = '\0';
        if (parts && grid->each == 1 && !lw_grid_lead(grid, c))
            part_numbers(p, pen);
        else
            p->apart = false;
        if (grid->each > 1)
            draw_halves(p, row, col, pen, pen_at(p, row_at(p, r + 1), col_at(p, c)));
        else
            draw_text_cell(p, row, c, pen);
        if (grid->tall > 1)
            draw_other_lines(p, r, c, pen);
        pen.line = p->ends_tile ? LW_LINE_TILE : LW_LINE_NONE;
        if (grid->each == 1 && begins_tile(p, c))
            lw_put(p->surface, row, col - grid->lead, 1, pen, "│");
        if (lw_grid_has_gap(c, grid->tile_cols, grid->seam_cols) &&
            lw_view_warp_changes(&p->pane->view, row_at(p, r), col_at(p, c), true))
            lw_put(p->surface, row, col - grid->lead - 1, 1, lw_pen(LW_PEN_BORDER), "│");
    }
}

static int shown(uint64_t size, uint64_t from, uint64_t step, int fit)
{
    uint64_t cells = lw_grid_cells(size - from, step);
    return cells < (uint64_t)fit ? (int)cells : fit;
}

/* Whether every second cell would be lit, and its colour not be seen. */
static bool is_in_half(const struct lw_view_pane *pane, const struct lw_follow *follow)
{
    return follow->on && pane->parts_color && !strcmp(pane->parts_color, pane->view.color) &&
           lw_merged_share(pane, follow->name) <= 2;
}

int lw_draw_picture(const struct lw_explorer *ex, struct lw_view_pane *pane,
                    struct lw_surface *surface)
{
    struct picture p = {.ex = ex,
                        .pane = pane,
                        .surface = surface,
                        .text = {.limit = 256},
                        .has_cursor = lw_pane_has_cursor(ex, pane)};
    lw_grid(ex, pane, &p.grid);
    if (p.grid.inside.height < 1)
        return 0;
    lw_merged_update(pane);
    lw_follow_begin(ex, &p.follow);
    lw_lit_begin(&p.lit, &p.follow, pane);
    lw_marked_update(ex, pane);
    p.in_groups = pane->groups.on && p.follow.on && p.follow.name &&
                  !strcmp(p.follow.name, pane->groups.field);
    pane->lit_everywhere = !p.in_groups && (p.lit.everywhere || is_in_half(pane, &p.follow));
    if (pane->lit_everywhere)
        p.follow.on = p.follow.dims = false;
    pane->lit_by_first = pane->step_rows * pane->step_cols > 1 && !p.lit.whole && !p.in_groups;
    p.right = pane->zoom > LW_ZOOM_SHORT || (int)pane->view.type->width(&pane->view) <= p.grid.cell;
    p.writes =
        p.grid.each == 1 && (pane->zoom != LW_ZOOM_TWO || pane->view.type->width(&pane->view) <= 2);
    p.looks = (ex->marks.count > 0 || (pane != ex->panes.active && pane->linked)) &&
              pane->view.type->spot;
    p.compares = lw_pane_compares(ex, pane);
    p.marks_equal = lw_compare_marks_equal(ex, pane->shown.side);
    p.rows = shown(pane->view.rows, pane->top, pane->step_rows, p.grid.rows);
    p.cols = shown(pane->view.cols, pane->left, pane->step_cols, p.grid.cols);
    draw_col_labels(&p);
    for (int r = 0; r < p.rows; r += p.grid.each)
        draw_row(&p, r);
    lw_text_free(&p.text);
    return p.rows ? 1 + lw_grid_row(&p.grid, p.rows - 1) + p.grid.tall : 1;
}
