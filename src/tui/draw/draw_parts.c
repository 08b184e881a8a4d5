/* A picture of several layouts: the name of each is above it, and the numbers of its rows and columns are beside it, if
 * the cells there are empty. */

#include "tui/draw/drawing.h"

#include <limits.h>
#include <string.h>

enum { PARTS = 4 };

struct parts {
    const struct lw_explorer *ex;
    const struct lw_view_pane *pane;
    struct lw_surface *surface;
    const struct lw_grid *grid;
    struct lw_view_part all[PARTS];
    int count;
    struct lw_text text;
};

static bool has_row(const struct lw_view_part *part, uint64_t row)
{
    return row >= part->row && row - part->row < part->rows;
}

/* The number of the part that a cell is of; -1: the cell is empty. */
static int part_at(const struct parts *p, uint64_t row, uint64_t col)
{
    for (int i = 0; i < p->count; i++)
        if (has_row(&p->all[i], row) && col >= p->all[i].col &&
            col - p->all[i].col < p->all[i].cols)
            return i;
    return -1;
}

static bool is_empty(const struct parts *p, uint64_t row, uint64_t col)
{
    return part_at(p, row, col) < 0;
}

static int screen_row(const struct parts *p, uint64_t row)
{
    return p->grid->inside.row + 1 + lw_grid_row(p->grid, (int)row);
}

/* Where the text of its cells is. */
static int text_row(const struct parts *p, uint64_t row)
{
    return p->grid->inside.row + 1 + lw_grid_text_row(p->grid, (int)row);
}

static int screen_col(const struct parts *p, uint64_t col)
{
    return p->grid->inside.col + p->grid->label + lw_grid_col(p->grid, (int)col);
}

/* The width of a part on the screen. */
static int width_of(const struct parts *p, const struct lw_view_part *part)
{
    return screen_col(p, part->col + part->cols - 1) + p->grid->cell - screen_col(p, part->col);
}

/* The first row of the screen from which all rows are free down to the part; the part's own row: none. */
static int free_above(const struct parts *p, const struct lw_view_part *part)
{
    int row = screen_row(p, part->row);
    const struct lw_grid *grid = p->grid;
    bool gap = part->row && lw_grid_has_gap((int)part->row, grid->tile_rows, grid->seam_rows);
    uint64_t empty = 0;
    while (empty < part->row && is_empty(p, part->row - empty - 1, part->col))
        empty++;
    return row - gap - (int)empty / grid->each * grid->tall;
}

static bool is_empty_left(const struct parts *p, const struct lw_view_part *part, uint64_t row)
{
    return part->col > 0 && is_empty(p, row, part->col - 1);
}

static struct lw_pen label_pen(const struct parts *p, bool on)
{
    return lw_pen(on && lw_pane_has_cursor(p->ex, p->pane) ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
}

static void put_label(struct parts *p, int i, uint64_t row)
{
    lw_text_clear(&p->text);
    p->pane->view.type->part_label(&p->pane->view, i, row - p->all[i].row, &p->text);
}

static bool is_at_seam(const struct parts *p, const struct lw_view_part *part)
{
    return p->grid->seam_labels && part->col == (uint64_t)p->grid->seam_cols;
}

/* The first column of the screen of a row's number, which is left of its part. */
static int number_col(struct parts *p, int i, uint64_t row)
{
    const struct lw_view_part *part = &p->all[i];
    put_label(p, i, row);
    return screen_col(p, part->col) - lw_grid_lead(p->grid, (int)part->col) -
           (int)lw_text_width(lw_text_string(&p->text)) - !is_at_seam(p, part);
}

/* Where the numbers of columns above a part end: before the number of a row that is there, of a part to the right. */
static int end_of_numbers(struct parts *p, const struct lw_view_part *part)
{
    const struct lw_grid *grid = p->grid;
    int end = INT_MAX;
    if (!part->row || grid->tall > 1 ||
        lw_grid_has_gap((int)part->row, grid->tile_rows, grid->seam_rows))
        return end;
    const uint64_t row = (part->row - 1) / (uint64_t)grid->each * (uint64_t)grid->each;
    for (int i = 0; i < p->count; i++)
        if (p->all[i].col >= part->col + part->cols && has_row(&p->all[i], row)) {
            int col = number_col(p, i, row);
            end = col < end ? col : end;
        }
    return end;
}

/* Numbers the columns of a part on a row of the screen, as far as there is room beside the labels of rows. */
static void number_columns(struct parts *p, const struct lw_view_part *part, int row)
{
    const struct lw_grid *grid = p->grid;
    uint64_t every = 1;
    int pitch = grid->cell + lw_grid_lead(grid, (int)part->col) + grid->gap - grid->lead, widest;
    const int end = end_of_numbers(p, part);
    lw_text_clear(&p->text);
    lw_text_format(&p->text, "%s%llu", part->col_prefix, (unsigned long long)(part->cols - 1));
    widest = (int)lw_text_width(lw_text_string(&p->text));
    while ((int)every * pitch < widest + 1)
        every *= 2;
    for (uint64_t c = 0; c < part->cols; c += every) {
        bool on = p->pane->col >= part->col + c && p->pane->col < part->col + c + every;
        lw_text_clear(&p->text);
        lw_text_format(&p->text, "%s%llu", part->col_prefix, (unsigned long long)c);
        int width = (int)lw_text_width(lw_text_string(&p->text));
        int room = every > 1 || width > grid->cell ? width : grid->cell;
        int at = screen_col(p, part->col + c);
        if (c && at + room >= end)
            break;
        lw_put_padded(p->surface, row, at - (every == 1 && width > grid->cell), room,
                      label_pen(p, on), lw_text_string(&p->text), true);
    }
    /* Above empty cells the columns are not numbered a second time. */
    if (is_empty(p, 0, part->col))
        lw_put_fill(p->surface,
                    (struct lw_rect){grid->inside.row, screen_col(p, part->col) - grid->lead, 1,
                                     width_of(p, part) + grid->lead},
                    lw_pen(LW_PEN_LABEL), ' ');
}

/* Puts the name of a part above it, or beside its first row. */
static void put_name(struct parts *p, const struct lw_view_part *part)
{
    const struct lw_grid *grid = p->grid;
    int first = free_above(p, part), row = screen_row(p, part->row), col = screen_col(p, part->col);
    int room = width_of(p, part), length = (int)strlen(part->name);
    const struct lw_pen pen = lw_pen(LW_PEN_TITLE);
    if (part->row && first < row) {
        bool numbers = first < row - 1; /* there is a row for the numbers too */
        if (numbers)
            number_columns(p, part, row - 1);
        lw_put(p->surface, row - 1 - numbers, col, room > length ? room : length, pen, part->name);
    } else if (p->pane->beside) {
        number_columns(p, part, grid->inside.row);
        lw_put(p->surface, grid->inside.row, col - lw_grid_lead(grid, (int)part->col) - 1 - length,
               length, pen, part->name);
    } else if (!part->row && grid->heading) {
        lw_put(p->surface, grid->inside.row - 1, col, room, pen, part->name);
    } else if (!part->row && is_empty_left(p, part, 0)) {
        lw_put(p->surface, text_row(p, part->row), col - grid->lead - length - grid->label, length,
               pen, part->name);
    }
}

/* The part with the cursor, if that is in this row of the screen; else -1. */
static int part_with_cursor(const struct parts *p, uint64_t row)
{
    const struct lw_view_pane *pane = p->pane;
    const uint64_t each = (uint64_t)p->grid->each;
    return pane->row / each == row / each ? part_at(p, pane->row, pane->col) : -1;
}

/* Numbers a row of the parts whose left neighbours are empty cells, in those cells. The labels at the left end are
 * those of the part beside them, unless another part has no room for its own. */
static void number_row(struct parts *p, uint64_t row)
{
    const struct lw_grid *grid = p->grid;
    const int at = text_row(p, row), cursor = part_with_cursor(p, row);
    int first = -1;
    bool shared = false, numbered = false; /* the part with the cursor has a number of its own */
    for (int i = 0; i < p->count; i++) {
        const struct lw_view_part *part = &p->all[i];
        if (!has_row(part, row))
            continue;
        bool alone = is_at_seam(p, part) || is_empty_left(p, part, row);
        first = part->col == 0 ? i : first;
        shared = shared || (part->col > 0 && !alone);
        if (!alone)
            continue;
        numbered = numbered || i == cursor;
        int col = number_col(p, i, row);
        lw_put(p->surface, at, col, (int)lw_text_width(lw_text_string(&p->text)),
               label_pen(p, i == cursor), lw_text_string(&p->text));
    }
    lw_text_clear(&p->text);
    if (shared)
        p->pane->view.type->row_label(&p->pane->view, row, &p->text);
    else if (first >= 0)
        put_label(p, first, row);
    lw_put_padded(p->surface, at, grid->inside.col, grid->label - 1,
                  label_pen(p, cursor >= 0 && !numbered), lw_text_string(&p->text), true);
}

/* Whether the row of the screen above a row of cells is empty in that column, as far as a part that begins there. */
static bool is_free_above(const struct parts *p, const struct lw_view_part *part, uint64_t at)
{
    const uint64_t each = (uint64_t)p->grid->each, above = at / each * each;
    if (above < each)
        return false;
    uint64_t row = p->pane->top + (above - each) * p->pane->step_rows;
    while (row < part->row && is_empty(p, row, part->col))
        row++;
    return row == part->row;
}

/* Puts a name left of its part or above it, where cells are empty: for a scrolled picture, and for cells of several
 * elements. */
static void name_shown(struct parts *p, const struct lw_view_part *part)
{
    const struct lw_view_pane *pane = p->pane;
    uint64_t first = part->row > pane->top ? part->row : pane->top;
    uint64_t at = (first - pane->top) / pane->step_rows;
    int length = (int)strlen(part->name), row = screen_row(p, at);
    if (part->col < pane->left || !has_row(part, first) || at >= (uint64_t)p->grid->rows)
        return;
    int col = screen_col(p, (part->col - pane->left) / pane->step_cols);
    if (part->col > pane->left && is_empty(p, first, part->col - 1))
        lw_put(p->surface, row, col - p->grid->lead - length - 1, length, lw_pen(LW_PEN_TITLE),
               part->name);
    else if (part->row > pane->top &&
             (is_free_above(p, part, at) || lw_grid_has_gap((int)at, 0, p->grid->seam_rows)))
        lw_put(p->surface, row - 1, col, length, lw_pen(LW_PEN_TITLE), part->name);
}

/* The rectangle of a part, whose first cell may be scrolled away. */
static struct lw_rect rect_of(const struct parts *p, const struct lw_view_part *part)
{
    const struct lw_view_pane *pane = p->pane;
    uint64_t row = (part->row - pane->top) / pane->step_rows;
    uint64_t col = (part->col - pane->left) / pane->step_cols;
    uint64_t rows = lw_grid_cells(part->rows, pane->step_rows);
    uint64_t cols = lw_grid_cells(part->cols, pane->step_cols);
    struct lw_rect rect = {screen_row(p, row), screen_col(p, col) - p->grid->lead, 0, 0};
    bool shown = part->row >= pane->top && part->col >= pane->left &&
                 row + rows <= (uint64_t)p->grid->rows && col + cols <= (uint64_t)p->grid->cols;
    if (!shown)
        return rect;
    rect.height = screen_row(p, row + rows - 1) + p->grid->tall - rect.row;
    rect.width = screen_col(p, col + cols - 1) + p->grid->cell - rect.col;
    return rect;
}

/* A part that an instruction reads from memory has no threads: it is drawn as a box with that text. */
static void put_memory(struct parts *p, const struct lw_view_part *part)
{
    static const char *const words[] = {": in shared memory, no thread owns it",
                                        ": in shared memory", " in memory"};
    const struct lw_rect rect = rect_of(p, part);
    const struct lw_pen pen = lw_pen(LW_PEN_FAINT);
    bool has_cursor = p->pane->row >= part->row && p->pane->row - part->row < part->rows &&
                      p->pane->col >= part->col && p->pane->col - part->col < part->cols;
    if (!rect.height || rect.width < 2 || has_cursor) /* then the inspector has its element */
        return;
    lw_put_fill(p->surface, rect, pen, ' ');
    if (rect.height > 2)
        lw_put_frame(p->surface, rect, "", false);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int width = (int)(strlen(part->name) + strlen(words[i]));
        if (width + 4 > rect.width)
            continue;
        lw_text_clear(&p->text);
        lw_text_format(&p->text, "%s%s", part->name, words[i]);
        lw_put(p->surface, rect.row + (rect.height - 1) / 2, rect.col + (rect.width - width) / 2,
               width, lw_pen(LW_PEN_TEXT), lw_text_string(&p->text));
        return;
    }
}

void lw_draw_parts(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                   struct lw_surface *surface, const struct lw_grid *grid)
{
    struct parts p = {
        .ex = ex, .pane = pane, .surface = surface, .grid = grid, .text = {.limit = 64}};
    const struct lw_view *view = &pane->view;
    bool whole = !pane->top && !pane->left && view->rows <= (uint64_t)grid->rows &&
                 view->cols <= (uint64_t)grid->cols;
    whole = whole && pane->step_rows * pane->step_cols == 1;
    if (!view->type->part)
        return;
    while (p.count < PARTS && view->type->part(view, p.count, &p.all[p.count]))
        p.count++;
    for (int i = 0; i < p.count; i++) /* no part begins in the lower half of a character */
        whole = whole && p.all[i].row % (uint64_t)grid->each == 0;
    for (uint64_t row = 0; whole && row < view->rows; row += (uint64_t)grid->each)
        number_row(&p, row);
    if (whole && pane->beside) /* each part has its own column numbers */
        lw_put_fill(surface,
                    (struct lw_rect){grid->inside.row, grid->inside.col, 1, grid->inside.width},
                    lw_pen(LW_PEN_LABEL), ' ');
    for (int i = 0; i < p.count; i++)
        (whole ? put_name : name_shown)(&p, &p.all[i]);
    for (int i = 0; i < p.count; i++)
        if (p.all[i].memory)
            put_memory(&p, &p.all[i]);
    lw_text_free(&p.text);
}
