/* Grids: which rows and columns are visible, where they are, and how they are drawn. */

#include "tui/picture/cell_grid.h"

#include <stdlib.h>
#include <string.h>

static bool has_rule(const struct lw_grid *grid, int axis, uint64_t i, struct lw_text *name)
{
    return i && !grid->no_rules && grid->source->rule &&
           grid->source->rule(grid->context, axis, i, name);
}

static bool has_labels(const struct lw_grid *grid, int axis)
{
    return grid->source->label && !grid->no_labels[axis] && grid->count[axis];
}

/* Half rows share a line, two by two. */
static uint64_t unit_of(const struct lw_grid *grid, int axis)
{
    return axis == LW_ROW && !grid->cell_lines ? 2 : 1;
}

static int size_of(const struct lw_grid *grid, int axis)
{
    return axis == LW_COL ? grid->cell_width : grid->cell_lines > 1 ? grid->cell_lines : 1;
}

static size_t label_width(const struct lw_grid *grid, int axis, uint64_t i)
{
    struct lw_text text = {0};
    grid->source->label(grid->context, axis, i, &text);
    size_t width = lw_text_width(lw_text_string(&text));
    lw_text_free(&text);
    return width;
}

/* The labels of the last ones are the longest, or as long as any. */
static size_t widest_label(const struct lw_grid *grid, int axis, uint64_t first, uint64_t end)
{
    size_t a = label_width(grid, axis, first), b = label_width(grid, axis, end - 1);
    return a > b ? a : b;
}

static int measure_labels(const struct lw_grid *grid)
{
    size_t widest = 0;
    for (int i = 0; i < 2 && grid; i++, grid = grid->twin) {
        const size_t width =
            has_labels(grid, LW_ROW) ? widest_label(grid, LW_ROW, 0, grid->count[LW_ROW]) + 1 : 0;
        widest = width > widest ? width : widest;
    }
    return (int)widest;
}

/* Where a row or column begins, the one before it at `before`. */
static int position_after(const struct lw_grid *grid, int axis, uint64_t i, int before)
{
    if (i % unit_of(grid, axis))
        return before;
    return before + size_of(grid, axis) + has_rule(grid, axis, i, NULL);
}

/* How many fit without rules. */
static uint64_t most_shown(const struct lw_grid *grid, int axis, int from, int end)
{
    return end > from ? (uint64_t)((end - from) / size_of(grid, axis)) * unit_of(grid, axis) : 0;
}

/* Counts the rows or columns from `first` on, which begin at `from`, that end before `end`. Sets *used to the end of
 * the last one. */
static int count_shown(const struct lw_grid *grid, int axis, uint64_t first, int from, int end,
                       int *used)
{
    const uint64_t unit = unit_of(grid, axis), all = grid->count[axis];
    const int size = size_of(grid, axis);
    uint64_t i = first;
    *used = from;
    for (int at = from; i < all; i += unit) {
        at = i == first ? from : position_after(grid, axis, i, at);
        if (at + size > end)
            break;
        *used = at + size;
    }
    return (int)((i < all ? i : all) - first);
}

void lw_grid_measure(struct lw_grid *grid, int height_limit, int width_limit, int *height,
                     int *width)
{
    const int limits[2] = {height_limit, width_limit};
    const int from[2] = {has_labels(grid, LW_COL), measure_labels(grid)};
    int *const used[2] = {height, width};
    for (int axis = 0; axis < 2; axis++)
        if (grid->count[axis] > most_shown(grid, axis, from[axis], limits[axis]) ||
            (uint64_t)count_shown(grid, axis, 0, from[axis], limits[axis], used[axis]) <
                grid->count[axis])
            *used[axis] = limits[axis] + 1;
}

/* Scrolls along an axis, as little as possible, so that the cursor is visible and no room is left at the end. */
static void scroll(struct lw_grid *grid, int axis, int from, int end)
{
    const uint64_t unit = unit_of(grid, axis), all = grid->count[axis];
    const uint64_t at = grid->at[axis] = grid->at[axis] < all ? grid->at[axis] : all - 1;
    const uint64_t most = most_shown(grid, axis, from, end);
    uint64_t *first = &grid->first[axis];
    int used, shown;
    if (*first > at)
        *first = at;
    if (at >= *first + most)
        *first = at - most + (most > 0);
    *first -= *first % unit;
    while ((shown = count_shown(grid, axis, *first, from, end, &used)) &&
           at >= *first + (uint64_t)shown)
        *first += unit;
    while (*first &&
           *first - unit + (uint64_t)count_shown(grid, axis, *first - unit, from, end, &used) >=
               all)
        *first -= unit;
    grid->shown[axis] = count_shown(grid, axis, *first, from, end, &used);
}

static bool fill_cells(struct lw_grid *grid)
{
    const size_t cols = (size_t)grid->shown[LW_COL], count = (size_t)grid->shown[LW_ROW] * cols;
    struct lw_grid_cell *cells =
        count > grid->room ? realloc(grid->cells, count * sizeof *cells) : grid->cells;
    if (count && !cells)
        return false;
    grid->cells = cells;
    grid->room = count > grid->room ? count : grid->room;
    for (size_t i = 0; i < count; i++) {
        struct lw_grid_cell *cell = &cells[i];
        const struct lw_grid_cell *above = i < cols ? NULL : cell - cols;
        const struct lw_grid_cell *before = i % cols ? cell - 1 : NULL;
        *cell = (struct lw_grid_cell){
            .at = {grid->first[LW_ROW] + i / cols, grid->first[LW_COL] + i % cols}};
        cell->row = before  ? before->row
                    : above ? position_after(grid, LW_ROW, cell->at[LW_ROW], above->row)
                            : has_labels(grid, LW_COL);
        cell->col = above    ? above->col
                    : before ? position_after(grid, LW_COL, cell->at[LW_COL], before->col)
                             : grid->label_width;
        grid->source->cell(grid->context, cell);
    }
    return true;
}

static struct lw_grid_key key_of(const struct lw_grid *grid, struct lw_rect rect)
{
    return (struct lw_grid_key){
        rect, {grid->first[0], grid->first[1]}, grid->cell_width, grid->cell_lines};
}

bool lw_grid_arrange(struct lw_grid *grid, struct lw_rect rect)
{
    rect.height = rect.height > 0 ? rect.height : 0;
    rect.width = rect.width > 0 ? rect.width : 0;
    struct lw_grid_key key = key_of(grid, rect);
    if (grid->is_known && !memcmp(&key, &grid->known, sizeof key) &&
        grid->at[0] - grid->first[0] < (uint64_t)grid->shown[0] &&
        grid->at[1] - grid->first[1] < (uint64_t)grid->shown[1])
        return true;
    grid->is_known = false;
    grid->rect = rect;
    grid->shown[0] = grid->shown[1] = 0;
    if (!grid->count[0] || !grid->count[1])
        return true;
    grid->label_width = measure_labels(grid);
    if (grid->label_width + grid->cell_width > rect.width)
        grid->label_width = 0;
    scroll(grid, LW_ROW, has_labels(grid, LW_COL), rect.height);
    scroll(grid, LW_COL, grid->label_width, rect.width);
    grid->known = key_of(grid, rect);
    return grid->is_known = fill_cells(grid);
}

void lw_grids_measure(struct lw_grid *const *grids, int count, struct lw_rect limit, int gap,
                      int *height, int *width)
{
    *height = 0;
    *width = -gap;
    for (int i = 0; i < count; i++) {
        int tall, wide;
        lw_grid_measure(grids[i], limit.height, limit.width, &tall, &wide);
        *height = tall > *height ? tall : *height;
        *width += wide + gap;
    }
}

bool lw_grids_arrange(struct lw_grid *const *grids, int count, struct lw_rect rect, int gap)
{
    for (int i = 0; i < count; i++) {
        struct lw_grid *grid = grids[i];
        if (!lw_grid_arrange(grid, rect))
            return false;
        const int shown = grid->shown[LW_ROW] * grid->shown[LW_COL];
        const struct lw_grid_cell *last = shown ? &grid->cells[shown - 1] : NULL;
        grid->rect.height = last ? last->row + size_of(grid, LW_ROW) : 0;
        grid->rect.width = last ? last->col + size_of(grid, LW_COL) : 0;
        rect.col += grid->rect.width + gap;
        rect.width -= grid->rect.width + gap;
    }
    return true;
}

void lw_grid_hide(struct lw_grid *grid)
{
    grid->is_known = false;
    grid->rect.height = 0;
}

/* ---- Cells ---- */

static struct lw_pen pen_of(const struct lw_grid *grid, struct lw_grid_cell *cell)
{
    const bool is_cursor = grid->has_cursor && !grid->labels_only && cell->at[0] == grid->at[0] &&
                           cell->at[1] == grid->at[1];
    return is_cursor           ? lw_tone(LW_TONE_CURSOR)
           : grid->source->pen ? grid->source->pen(grid->context, cell)
                               : cell->pen;
}

/* Two cells, one above the other. Without colours a block where a cell stands out, else a dot. */
static void draw_halves(const struct lw_grid *grid, struct lw_surface *surface, int row, int col,
                        struct lw_pen upper, struct lw_pen lower)
{
    static const char *const blocks[4] = {"\xc2\xb7", "\xe2\x96\x84", "\xe2\x96\x80",
                                          "\xe2\x96\x88"};
    int which = 2;
    if (!lw_tone_has_ground(upper) && !lw_tone_has_ground(lower))
        return;
    if (surface->mono) {
        which = 2 * (upper.kind >= LW_TONE_OWNER) + (lower.kind >= LW_TONE_OWNER);
        upper = lw_tone(which ? LW_TONE_TEXT : LW_TONE_HOLE);
    } else if (!lw_tone_has_ground(upper) ||
               (upper.kind < LW_TONE_OWNER && lower.kind >= LW_TONE_OWNER)) {
        which = 1; /* what stands out is the foreground, which covers all of its half */
        upper = lw_halves(lower, upper);
    } else {
        upper = lw_halves(upper, lower);
    }
    lw_put_repeated(surface, row, col, grid->cell_width, upper, blocks[which]);
}

/* In one column a longer text is its colour alone, or without colours a mark. */
static void draw_text(const struct lw_grid *grid, struct lw_surface *surface, int row, int col,
                      struct lw_pen pen, const char *text)
{
    const int width = grid->cell_width, length = (int)lw_text_width(text);
    int lead = width > length + 1 && width > 4 ? 1 : 0;
    lw_put_repeated(surface, row, col, width, pen, " ");
    if (pen.kind == LW_TONE_FIELD)
        return;
    if (width == 1 && length > 1)
        text = surface->mono ? "#" : "";
    if (grid->to_right)
        lead = length < width ? width - length : 0;
    lw_put(surface, row, col + lead, width - lead, pen, text);
}

static void draw_cells(struct lw_grid *grid, struct lw_surface *surface)
{
    const int rows = grid->shown[LW_ROW], cols = grid->shown[LW_COL];
    const bool halves = !grid->cell_lines;
    for (int r = 0; r < rows; r += halves ? 2 : 1)
        for (int c = 0; c < cols; c++) {
            struct lw_grid_cell *cell = &grid->cells[r * cols + c];
            const int row = grid->rect.row + cell->row, col = grid->rect.col + cell->col;
            const struct lw_pen pen = pen_of(grid, cell);
            if (halves) {
                draw_halves(grid, surface, row, col, pen,
                            r + 1 < rows ? pen_of(grid, cell + cols) : lw_tone(LW_TONE_HOLE));
                continue;
            }
            if (cell->pen.kind == LW_TONE_TEXT)
                continue;
            draw_text(grid, surface, row, col, pen,
                      cell->pen.kind == LW_TONE_HOLE && !*cell->text ? "\xc2\xb7" : cell->text);
            if (grid->cell_lines > 1)
                draw_text(grid, surface, row + 1, col, pen, cell->below);
        }
}

/* ---- Labels and rules ---- */

static void draw_label(const struct lw_grid *grid, struct lw_surface *surface, int axis, int i)
{
    const uint64_t number = grid->first[axis] + (uint64_t)i;
    const bool on = grid->has_cursor && number == grid->at[axis];
    const struct lw_pen pen = lw_tone(on ? LW_TONE_LABEL_ON : LW_TONE_LABEL);
    const int row = grid->rect.row, col = grid->rect.col, room = grid->cell_width;
    int at = axis == LW_ROW ? grid->cells[i * grid->shown[LW_COL]].row : grid->cells[i].col;
    struct lw_text text = {0};
    grid->source->label(grid->context, axis, number, &text);
    const char *label = lw_text_string(&text);
    const int length = (int)lw_text_width(label), rest = grid->rect.width - at;
    if (axis == LW_ROW) {
        lw_put_padded(surface, row + at, col, grid->label_width - 1, pen, label, true);
    } else {
        if (room > 4 && !grid->to_right)
            at++;
        else if (grid->cell_lines && length <= room)
            at += room - length;
        lw_put(surface, row, col + at, length < rest ? length : rest, pen, label);
    }
    lw_text_free(&text);
}

/* The labels of an axis, or where they need more room, of every second one, every fourth, ... and that of the
 * cursor. */
static void draw_labels(const struct lw_grid *grid, struct lw_surface *surface, int axis)
{
    const uint64_t first = grid->first[axis], count = (uint64_t)grid->shown[axis];
    const uint64_t on = grid->at[axis];
    uint64_t step = unit_of(grid, axis) * unit_of(grid, axis);
    if (!has_labels(grid, axis) || (axis == LW_ROW && !grid->label_width))
        return;
    while (axis == LW_COL &&
           step * (uint64_t)grid->cell_width < widest_label(grid, axis, first, first + count) + 1)
        step *= 2;
    for (uint64_t i = first; i < first + count; i++) {
        const bool is_near = grid->has_cursor && (i < on ? on - i : i - on) < step;
        if (is_near ? i == on : i % step == 0)
            draw_label(grid, surface, axis, (int)(i - first));
    }
}

static void draw_rules(const struct lw_grid *grid, struct lw_surface *surface)
{
    const int rows = grid->shown[LW_ROW], cols = grid->shown[LW_COL];
    const struct lw_grid_cell *cells = grid->cells;
    const int from = grid->rect.col + grid->label_width;
    const int width = cells[cols - 1].col + grid->cell_width - grid->label_width;
    const struct lw_pen pen = lw_tone(LW_TONE_RULE);
    struct lw_text name = {0};
    for (int r = 1; r < rows; r++) {
        const int at = cells[r * cols].row, line = grid->rect.row + at - 1;
        lw_text_clear(&name);
        /* A line that no row has is a rule. */
        if (at <= cells[(r - 1) * cols].row + size_of(grid, LW_ROW) ||
            !has_rule(grid, LW_ROW, grid->first[LW_ROW] + (uint64_t)r, &name))
            continue;
        lw_put_repeated(surface, line, from, width, pen, "\xe2\x94\x80");
        if (!name.length)
            continue;
        lw_put_repeated(surface, line, from + 2, (int)name.length + 2, pen, " ");
        lw_put(surface, line, from + 3, width - 4, lw_tone(LW_TONE_LABEL), lw_text_string(&name));
    }
    for (int c = 1; c < cols; c++)
        for (int r = 0; cells[c].col > cells[c - 1].col + grid->cell_width && r < rows; r++)
            lw_put(surface, grid->rect.row + cells[r * cols].row, grid->rect.col + cells[c].col - 1,
                   1, pen, "\xe2\x94\x82");
    lw_text_free(&name);
}

/* Writes over the last line how many rows are from there on, unless the cursor is on it. */
static void draw_more(const struct lw_grid *grid, struct lw_surface *surface)
{
    const uint64_t unit = unit_of(grid, LW_ROW), shown = (uint64_t)grid->shown[LW_ROW];
    const uint64_t end = grid->first[LW_ROW] + shown, all = grid->count[LW_ROW];
    const struct lw_grid_cell *last = &grid->cells[grid->shown[LW_ROW] * grid->shown[LW_COL] - 1];
    struct lw_text text = {0};
    if (end >= all || shown < 4 * unit || grid->at[LW_ROW] >= end - unit)
        return;
    lw_text_format(&text, "\xe2\x80\xa6 %llu more rows", (unsigned long long)(all - end + unit));
    for (int i = size_of(grid, LW_ROW) - 1; i >= 0; i--)
        lw_put_padded(surface, grid->rect.row + last->row + i, grid->rect.col,
                      last->col + grid->cell_width, lw_tone(LW_TONE_FAINT),
                      i ? "" : lw_text_string(&text), false);
    lw_text_free(&text);
}

void lw_grid_draw(struct lw_grid *grid, struct lw_surface *surface)
{
    if (!grid->rect.height || !grid->shown[LW_ROW] || !grid->shown[LW_COL])
        return;
    draw_labels(grid, surface, LW_ROW);
    draw_labels(grid, surface, LW_COL);
    draw_rules(grid, surface);
    draw_cells(grid, surface);
    draw_more(grid, surface);
}

/* ---- Positions ---- */

struct lw_grid_cell *lw_grid_cell(const struct lw_grid *grid, uint64_t row, uint64_t col)
{
    const uint64_t rows = (uint64_t)grid->shown[LW_ROW], cols = (uint64_t)grid->shown[LW_COL];
    row -= grid->first[LW_ROW];
    col -= grid->first[LW_COL];
    return grid->is_known && row < rows && col < cols ? &grid->cells[row * cols + col] : NULL;
}

const struct lw_grid_cell *lw_grid_hit(const struct lw_grid *grid, int row, int col)
{
    const int count = grid->shown[LW_ROW] * grid->shown[LW_COL];
    row -= grid->rect.row;
    col -= grid->rect.col;
    for (int i = 0; i < count && grid->is_known && grid->rect.height && !grid->no_mouse; i++) {
        const struct lw_grid_cell *cell = &grid->cells[i];
        if (row >= cell->row && row < cell->row + size_of(grid, LW_ROW) && col >= cell->col &&
            col < cell->col + grid->cell_width)
            return cell->pen.kind != LW_TONE_TEXT ? cell : NULL;
    }
    return NULL;
}

uint64_t lw_step_within(uint64_t at, int64_t by, uint64_t count)
{
    if (by < 0)
        return at < (uint64_t)-by ? 0 : at - (uint64_t)-by;
    return count - 1 - at < (uint64_t)by ? count - 1 : at + (uint64_t)by;
}

void lw_grid_move(struct lw_grid *grid, int64_t rows, int64_t cols)
{
    if (!grid->count[0] || !grid->count[1])
        return;
    grid->at[LW_ROW] = lw_step_within(grid->at[LW_ROW], rows, grid->count[LW_ROW]);
    grid->at[LW_COL] = lw_step_within(grid->at[LW_COL], cols, grid->count[LW_COL]);
}

void lw_grid_scroll(struct lw_grid *grid, int64_t rows)
{
    const uint64_t shown = (uint64_t)grid->shown[LW_ROW];
    uint64_t *top = &grid->first[LW_ROW], *at = &grid->at[LW_ROW];
    if (!shown || shown >= grid->count[LW_ROW])
        return;
    *top = lw_step_within(*top, rows, grid->count[LW_ROW] - shown + 1);
    *at = *at < *top ? *top : *at >= *top + shown ? *top + shown - 1 : *at;
}

void lw_grid_free(struct lw_grid *grid)
{
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
}
