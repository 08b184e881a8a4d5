/* How the cells of a view fit its pane: label width, cell width, how many of them. */

#include "tui/draw/drawing.h"

#include <limits.h>

static int label_width(const struct lw_view_pane *pane, uint64_t row, struct lw_text *text)
{
    lw_text_clear(text);
    if (pane->view.type->row_label && row < pane->view.rows)
        pane->view.type->row_label(&pane->view, row, text);
    return (int)lw_text_width(lw_text_string(text));
}

/* The widest label of the rows that may be on the screen and of the last one, so that the width is constant while
 * scrolling. */
static int widest_label(struct lw_view_pane *pane, int rows, struct lw_text *text)
{
    if (pane->labels.known && pane->labels.top == pane->top && pane->labels.rows == rows &&
        pane->labels.step == pane->step_rows)
        return pane->labels.widest;
    int widest = label_width(pane, pane->view.rows ? pane->view.rows - 1 : 0, text);
    for (int i = 0; i < rows; i++) {
        int width = label_width(pane, pane->top + (uint64_t)i * pane->step_rows, text);
        widest = width > widest ? width : widest;
    }
    pane->labels.known = true;
    pane->labels.top = pane->top;
    pane->labels.rows = rows;
    pane->labels.step = pane->step_rows;
    return pane->labels.widest = widest;
}

static int col_label_width(const struct lw_view_pane *pane, uint64_t col, struct lw_text *text)
{
    lw_text_clear(text);
    if (pane->view.type->col_label)
        pane->view.type->col_label(&pane->view, col, text);
    return (int)lw_text_width(lw_text_string(text));
}

/* The widths of columns, by their cells and labels: in a view of few columns each has its own, else all have the widest
 * of the first ones and the last, so that the width is constant while scrolling. */
static void fit_columns(const struct lw_view_pane *pane, struct lw_grid *grid, struct lw_text *text)
{
    enum { UNEVEN = 4 }; /* when widths differ by less, all columns have the same */
    uint64_t cols = pane->view.cols;
    const struct lw_view_type *type = pane->view.type;
    bool narrow = pane->detail == LW_DETAIL_CHAR;
    int room = grid->inside.width - grid->label, cell = (int)type->width(&pane->view);
    int widest = cell < 1 ? 1 : cell, narrowest = INT_MAX / 4;
    grid->own = cols <= LW_GRID_OWN;
    for (uint64_t i = 0; i < LW_GRID_OWN && i < cols && (!narrow || type->col_width); i++) {
        int width = narrow ? 0 : col_label_width(pane, i + 1 == LW_GRID_OWN ? cols - 1 : i, text);
        int least = type->col_width ? (int)type->col_width(&pane->view, i) : cell;
        int own = width > least ? width : least;
        grid->width[i] = (short)(own < room ? own : room);
        widest = width > widest ? width : widest;
        narrowest = own < narrowest ? own : narrowest;
    }
    bool uneven = widest >= narrowest + UNEVEN && widest * 2 >= narrowest * 3;
    grid->own = grid->own && (type->col_width || (!narrow && uneven));
    grid->cell = widest > room ? room : widest;
}

int lw_grid_cell(const struct lw_grid *grid, uint64_t col)
{
    return grid->own && col < LW_GRID_OWN ? grid->width[col] : grid->cell;
}

static int columns_of(const struct lw_grid *grid)
{
    return grid->inside.width - grid->label + grid->gap - 1; /* a blank before the frame */
}

static uint64_t fits_in(const struct lw_grid *grid, int room, uint64_t from, uint64_t cols)
{
    uint64_t count = 0;
    if (!grid->own)
        count = (uint64_t)(room / (grid->cell + grid->gap));
    for (; grid->own && from + count < cols; count++)
        if ((room -= lw_grid_cell(grid, from + count) + grid->gap) < 0)
            break;
    return count ? count : 1;
}

uint64_t lw_grid_fits(const struct lw_grid *grid, uint64_t from, uint64_t cols)
{
    uint64_t count = fits_in(grid, columns_of(grid), from, cols);
    bool beside = grid->sums.width && from + count < cols;
    return beside ? fits_in(grid, columns_of(grid) - grid->sums.width, from, cols) : count;
}

uint64_t lw_grid_next(const struct lw_grid *grid, uint64_t left, uint64_t col)
{
    return col + 1 == left + (uint64_t)grid->cols ? grid->after : col + 1;
}

/* Keeps the sums, the wider columns at the end, on the screen while banks scroll, if some banks have room beside them:
 * all of them, or the last ones. Labels are cut for them. */
static void keep_sums(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    enum { BANKS_LEAST = 4, LABEL_LEAST = 9 }; /* columns for banks, and for labels */
    uint64_t first = pane->view.cols;
    int width = 0;
    if (!grid->own || lw_grid_fits(grid, 0, pane->view.cols) >= pane->view.cols)
        return;
    for (; first > 0 && grid->width[first - 1] > grid->width[0]; first--)
        width += grid->width[first - 1] + grid->gap;
    for (; first > 0 && first < pane->view.cols; first++) {
        int missing = width + BANKS_LEAST - columns_of(grid);
        if (missing <= 0 || grid->label - missing >= LABEL_LEAST) {
            grid->label -= missing > 0 ? missing : 0;
            grid->sums.first = first;
            grid->sums.width = width;
            return;
        }
        width -= grid->width[first] + grid->gap;
    }
}

uint64_t lw_grid_fits_before(const struct lw_grid *grid, uint64_t end)
{
    bool beside = grid->sums.width && end <= grid->sums.first;
    int room = columns_of(grid) - (beside ? grid->sums.width : 0);
    uint64_t count = 0;
    if (!grid->own)
        count = lw_grid_fits(grid, 0, UINT64_MAX);
    for (; grid->own && count < end; count++)
        if ((room -= lw_grid_cell(grid, end - count - 1) + grid->gap) < 0)
            break;
    count = count ? count : 1;
    return count < end ? count : end;
}

uint64_t lw_grid_cells(uint64_t size, uint64_t step)
{
    return size ? (size - 1) / step + 1 : 0;
}

/* ---- Pictures ---- */

static void fit_text_cells(const struct lw_view_pane *pane, struct lw_grid *grid,
                           struct lw_text *text)
{
    int room = grid->inside.width - grid->label, cell = (int)pane->view.type->width(&pane->view);
    uint64_t cols = pane->view.cols;
    if (pane->groups.on) {
        cols = lw_grid_cells(cols, pane->step_cols);
        cell = pane->groups.width;
    }
    for (uint64_t i = 0; i < 2 && cols && pane->zoom < LW_ZOOM_NUMBER; i++) {
        int width = col_label_width(pane, i ? cols - 1 : 0, text);
        cell = width > cell ? width : cell;
    }
    cell = cell > pane->least_cell ? cell : pane->least_cell;
    grid->cell = cell > room ? room : cell < 1 ? 1 : cell;
    bool roomy = cols <= (uint64_t)room && (int)cols * (grid->cell + 2) <= room;
    grid->gap = roomy ? 2 : 1;
    grid->lead = 1;
}

/* Blocks of two columns or of one; or, as halves of characters, as wide as there is room for, up to a square. */
static void fit_blocks(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    enum { WIDEST = 4 };
    int room = grid->inside.width - grid->label;
    uint64_t cells = lw_grid_cells(pane->view.cols, pane->step_cols);
    grid->gap = 0;
    grid->cell = pane->zoom <= LW_ZOOM_GROUP ? 2 : 1;
    bool wraps = !strcmp(pane->view.type->name, "owners") &&
                 (pane->view.rows <= 1 || pane->view.cols <= 1); /* by as many as fit */
    if (wraps || (pane->zoom < LW_ZOOM_HALF && !(pane->beside && pane->zoom == LW_ZOOM_CHAR)))
        return;
    while (grid->cell < WIDEST && cells <= (uint64_t)room && (int)cells * (grid->cell + 1) <= room)
        grid->cell++;
}

bool lw_view_is_beside_result(const struct lw_view *view)
{
    return view->seam_cols && !view->seam_rows;
}

/* The columns for the labels of the result's rows. */
static int seam_labels(const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    struct lw_view_part part;
    struct lw_text text = {.limit = 64};
    for (int i = 0; lw_view_is_beside_result(view) && view->type->part(view, i, &part); i++)
        if (part.col == view->seam_cols && part.rows)
            view->type->part_label(view, i, part.rows - 1, &text);
    int width = (int)lw_text_width(lw_text_string(&text));
    lw_text_free(&text);
    return width;
}

/* The cell after a seam; 0: the seam is within a cell, or there is none. */
static int seam_at(uint64_t seam, uint64_t step, int each)
{
    return seam % (step * (uint64_t)each) ? 0 : (int)(seam / step);
}

/* Whether gaps between the rows of the result's tiles would be within an operand beside it. */
static bool splits_operand(const struct lw_view_pane *pane)
{
    struct lw_view_part part;
    const struct lw_view *view = &pane->view;
    for (int i = 0; lw_view_is_beside_result(view) && view->type->part(view, i, &part); i++)
        if (part.col < view->seam_cols && pane->tile_rows &&
            part.row / pane->tile_rows != (part.row + part.rows - 1) / pane->tile_rows)
            return true;
    return false;
}

/* A gap after each tile, if all of the picture has room for the gaps; in pictures with cells of several elements or
 * halves of characters only before another layout. */
static void part_tiles(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    uint64_t rows =
        (lw_grid_cells(pane->view.rows, pane->step_rows) - 1) / (uint64_t)grid->each + 1;
    uint64_t cols = lw_grid_cells(pane->view.cols, pane->step_cols);
    int room = grid->inside.width - grid->label;
    bool whole = !pane->half && pane->step_rows * pane->step_cols == 1;
    if (pane->mapped || cols > (uint64_t)room || rows > (uint64_t)grid->rows)
        return;
    int labels = seam_labels(pane);
    int across = (int)cols * (grid->cell + grid->gap) + grid->lead + labels;
    int seam_rows = seam_at(pane->view.seam_rows, pane->step_rows, grid->each);
    int seam_cols = seam_at(pane->view.seam_cols, pane->step_cols, 1);
    for (int tiled = whole; tiled >= 0; tiled--) { /* else only the seam */
        int tile = tiled ? (int)pane->tile_cols : 0;
        if (!grid->tile_cols && !grid->seam_cols &&
            across + lw_grid_gaps((int)cols - 1, tile, seam_cols) <= room) {
            grid->tile_cols = tile;
            grid->seam_cols = seam_cols;
            grid->seam_labels = labels;
        }
        tile = tiled && !splits_operand(pane) ? (int)pane->tile_rows : 0;
        if (!grid->tile_rows && !grid->seam_rows &&
            (int)rows + lw_grid_gaps((int)rows - 1, tile, seam_rows) <= grid->rows) {
            grid->tile_rows = tile;
            grid->seam_rows = seam_rows;
        }
    }
}

enum {
    MAP_MOST = 24,
    MAP_LEAST = 4,
    MAP_FROM = 40,
    MAP_PART = 6
}; /* columns: of the map, and of a pane with a map */

void lw_map_measure(const struct lw_view_pane *pane, int rows, int cols, int *blocks_down,
                    int *blocks_across)
{
    double across = (double)pane->view.cols / cols, down = (double)pane->view.rows / rows;
    double scale = across > down ? across : down;
    scale = scale < 1 ? 1 : scale;
    *blocks_across = (int)((double)pane->view.cols / scale + 0.5);
    *blocks_down = (int)((double)pane->view.rows / scale + 0.5);
    *blocks_across = *blocks_across < 1 ? 1 : *blocks_across;
    *blocks_down = *blocks_down < 1 ? 1 : *blocks_down;
}

static int map_width(const struct lw_view_pane *pane, struct lw_rect inside)
{
    int down, across;
    if (inside.width < MAP_FROM || inside.height < MAP_LEAST || !pane->view.rows ||
        !pane->view.cols)
        return 0;
    int most = inside.width / MAP_PART;
    lw_map_measure(pane, 2 * (inside.height - 1), most > MAP_MOST ? MAP_MOST : most, &down,
                   &across);
    return across < MAP_LEAST ? MAP_LEAST : across;
}

/* Leaves columns for the map of a picture that does not fit: free ones, else some of those of the cells. */
static void leave_map(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    int width = map_width(pane, grid->inside), pitch = grid->cell + grid->gap;
    uint64_t cells = lw_grid_cells(pane->view.cols, pane->step_cols);
    int room = grid->inside.width - grid->label - width - 2; /* with a blank on both sides */
    int fit = room / pitch;
    bool whole = cells <= (uint64_t)grid->cols;
    if (!width || fit < 1 || (whole && cells > (uint64_t)fit))
        return;
    grid->map = width;
    grid->cols = whole ? grid->cols : fit;
    grid->inside.width -= 1; /* the blank before the frame */
}

/* Leaves a row for the names of layouts that are side by side from the first row of cells on. */
static void leave_heading(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    struct lw_view_part first;
    const struct lw_view *view = &pane->view;
    if (!view->type->part || pane->zoom >= LW_ZOOM_HALF || pane->groups.on || pane->beside ||
        view->rows >= (uint64_t)grid->rows || !view->type->part(view, 0, &first) || first.row ||
        first.col)
        return;
    grid->heading = true;
    grid->inside.row++;
    grid->inside.height--;
    grid->rows--;
}

/* Operands side by side: B first, then A and C get a blank before their numbers of two digits, if all of them have
 * room. */
static void widen_parts(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    static const int order[LW_GRID_WIDE] = {1, 0, 2};
    struct lw_view_part part;
    const struct lw_view *view = &pane->view;
    int room = grid->inside.width - grid->label - (int)view->cols * grid->cell;
    if (!pane->beside || pane->zoom != LW_ZOOM_TWO || view->type->width(view) < 2 ||
        view->cols > (uint64_t)grid->cols)
        return;
    for (int i = 0; i < LW_GRID_WIDE; i++) {
        if (!view->type->part(view, order[i], &part) || (int)part.cols > room)
            continue;
        room -= (int)part.cols;
        grid->wide[grid->wides].from = (int)part.col;
        grid->wide[grid->wides++].end = (int)(part.col + part.cols);
    }
}

static void lay_picture(struct lw_view_pane *pane, struct lw_grid *grid, struct lw_text *text)
{
    grid->own = false;
    leave_heading(pane, grid);
    if (pane->zoom < LW_ZOOM_TWO || pane->groups.on)
        fit_text_cells(pane, grid, text);
    else
        fit_blocks(pane, grid);
    if (pane->covered.cell) {
        grid->cell = pane->covered.cell;
        grid->gap = pane->covered.gap;
        grid->lead = pane->covered.lead;
        grid->tall = pane->covered.tall;
    }
    grid->each = pane->half ? 2 : 1;
    int seam = seam_labels(pane) ? seam_labels(pane) + grid->lead + 1 : 0;
    grid->cols = (grid->inside.width - grid->label - seam) / (grid->cell + grid->gap);
    grid->cols = grid->cols < 1 ? 1 : grid->cols;
    part_tiles(pane, grid);
    widen_parts(pane, grid);
    if (!pane->covered.cell && !strcmp(pane->view.type->name, "product"))
        lw_grid_enlarge(pane, grid);
    grid->rows = grid->rows / grid->tall * grid->each;
    if (pane->mapped)
        leave_map(pane, grid);
}

bool lw_grid_at(const struct lw_view_pane *pane, const struct lw_grid *grid, int row, int col,
                uint64_t *view_row, uint64_t *view_col)
{
    int r = 0, c = 0;
    row -= grid->inside.row + 1;
    col -= grid->inside.col + grid->label;
    if (row < 0 || col < -lw_grid_lead(grid, 0))
        return false;
    while (r + grid->each < grid->rows && lw_grid_row(grid, r + grid->each) <= row)
        r += grid->each;
    while (c + 1 < grid->cols && lw_grid_col(grid, c + 1) - lw_grid_lead(grid, c + 1) <= col)
        c++;
    *view_row = pane->top + (uint64_t)r * pane->step_rows;
    *view_col = pane->left + (uint64_t)c * pane->step_cols;
    return lw_grid_row(grid, r) <= row && row < lw_grid_row(grid, r) + grid->tall &&
           col < lw_grid_col(grid, c) - grid->lead + grid->cell + grid->gap &&
           *view_row < pane->view.rows && *view_col < pane->view.cols;
}

int lw_grid_bar_room(const struct lw_view_pane *pane, const struct lw_grid *grid)
{
    (void)pane;
    (void)grid;
    return INT_MAX;
}

/* Cells of two columns get a third, to separate their numbers, if a row and its bar have room for it. */
static void widen(const struct lw_view_pane *pane, struct lw_grid *grid)
{
    int cols = (int)pane->view.cols, needed = 0;
    if (!grid->own || pane->zoom != LW_ZOOM_TWO)
        return;
    for (int i = 0; i < cols; i++)
        needed += grid->width[i] + (grid->width[i] == 2);
    for (int i = 0; i < cols && needed <= columns_of(grid); i++)
        grid->width[i] = (short)(grid->width[i] + (grid->width[i] == 2));
}

void lw_grid(const struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_grid *grid)
{
    struct lw_panes panes;
    struct lw_text text = {0};
    lw_panes(ex, &panes);
    struct lw_rect r = panes.view[pane - ex->panes.all];
    *grid = (struct lw_grid){.inside = {r.row + 1, r.col + 1, r.height - 2, r.width - 2},
                             .cell = 1,
                             .each = 1,
                             .tall = 1};
    if (r.height < 4 || r.width < 8 || !pane->has_view) {
        grid->inside.height = r.height < 4 ? 0 : grid->inside.height;
        return;
    }
    grid->rows = grid->inside.height - 1;
    bool blocks = pane->view.type->picture && pane->zoom >= LW_ZOOM_TWO && !pane->groups.on;
    int blanks = blocks ? 1 : 2;
    grid->label = widest_label(pane, grid->rows, &text) + blanks;
    if (grid->label > grid->inside.width / 2)
        grid->label = grid->inside.width / 2;
    if (pane->view.type->picture) {
        lay_picture(pane, grid, &text);
        lw_text_free(&text);
        return;
    }
    fit_columns(pane, grid, &text);
    bool narrow = pane->detail == LW_DETAIL_CHAR;
    if (narrow && grid->own) {
        grid->gap = 1;
        grid->gap = lw_grid_fits(grid, 0, pane->view.cols) >= pane->view.cols;
    } else if (grid->cell > 1 || !narrow) {
        grid->gap = 2;
        grid->inside.width -= 2; /* also with a gap after the last one */
        bool roomy = lw_grid_fits(grid, 0, pane->view.cols) >= pane->view.cols;
        grid->inside.width += 2;
        grid->gap = roomy ? 2 : 1;
    }
    if (pane->view.type->heat && pane->zoom >= LW_ZOOM_TWO) {
        grid->gap = 0;
        widen(pane, grid);
    }
    if (pane->view.type->heat)
        keep_sums(pane, grid);
    grid->cols = (int)lw_grid_fits(grid, pane->left, pane->view.cols);
    grid->after = grid->sums.width && pane->left + (uint64_t)grid->cols < grid->sums.first
                      ? grid->sums.first
                      : pane->view.cols;
    grid->each = pane->half ? 2 : 1;
    grid->rows *= grid->each;
    lw_text_free(&text);
}
