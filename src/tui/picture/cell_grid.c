/* Grids: which rows and columns are visible, where they are, and how they are drawn. */

#include "tui/picture/cell_grid.h"

#include <stdlib.h>
#include <string.h>

/* Whether there is a line before a row: a rule, whose name is appended. */
static bool has_line_before(const struct lw_grid *grid, uint64_t row, struct lw_text *name)
{
    return row && !grid->no_rules && grid->source->row_rule &&
           grid->source->row_rule(grid->context, row, name);
}

static bool has_gap_before(const struct lw_grid *grid, uint64_t col)
{
    return col && !grid->no_rules && grid->source->col_rule &&
           grid->source->col_rule(grid->context, col);
}

/* The rows that share a line. */
static uint64_t rows_a_line(const struct lw_grid *grid)
{
    return grid->cell_lines ? 1 : 2;
}

static int lines_a_row(const struct lw_grid *grid)
{
    return grid->cell_lines > 1 ? grid->cell_lines : 1;
}

static int header_of(const struct lw_grid *grid)
{
    return grid->source->col_label ? 1 : 0;
}

static size_t width_of_label(struct lw_grid *grid,
                             void (*label)(void *context, uint64_t i, struct lw_text *text),
                             uint64_t i)
{
    struct lw_text text = {0};
    label(grid->context, i, &text);
    size_t width = lw_text_width(lw_text_string(&text));
    lw_text_free(&text);
    return width;
}

/* The labels of the last rows are the longest, or as long as any. */
static int measure_labels(struct lw_grid *grid)
{
    if (!grid->source->row_label || !grid->rows || grid->no_labels)
        return 0;
    size_t last = width_of_label(grid, grid->source->row_label, grid->rows - 1);
    size_t first = width_of_label(grid, grid->source->row_label, 0);
    return (int)(last > first ? last : first) + 1;
}

void lw_grid_measure(struct lw_grid *grid, int height_limit, int width_limit, int *height,
                     int *width)
{
    struct lw_text name = {0};
    *height = header_of(grid);
    *width = measure_labels(grid);
    for (uint64_t col = 0; col < grid->cols && *width <= width_limit; col++)
        *width += grid->cell_width + has_gap_before(grid, col);
    for (uint64_t row = 0; row < grid->rows && *height <= height_limit; row += rows_a_line(grid))
        *height += has_line_before(grid, row, &name) + lines_a_row(grid);
    lw_text_free(&name);
}

/* ---- Placing ---- */

static bool make_room(void **memory, size_t *room, size_t count, size_t size)
{
    if (count <= *room)
        return true;
    void *larger = realloc(*memory, count * size);
    if (!larger)
        return false;
    *memory = larger;
    *room = count;
    return true;
}

/* Finds the lines of the visible rows from `top` on. */
static void arrange_rows(struct lw_grid *grid)
{
    struct lw_text name = {0};
    int line = header_of(grid);
    grid->row_count = 0;
    for (uint64_t row = grid->top; row < grid->rows; row += rows_a_line(grid)) {
        line += row != grid->top && has_line_before(grid, row, &name);
        if (line + lines_a_row(grid) > grid->rect.height)
            break;
        for (uint64_t i = 0; i < rows_a_line(grid) && row + i < grid->rows; i++)
            grid->lines[grid->row_count++] = line;
        line += lines_a_row(grid);
    }
    lw_text_free(&name);
}

static void arrange_cols(struct lw_grid *grid)
{
    int column = grid->label_width;
    grid->col_count = 0;
    for (uint64_t col = grid->left; col < grid->cols; col++) {
        column += col != grid->left && has_gap_before(grid, col);
        if (column + grid->cell_width > grid->rect.width)
            break;
        grid->columns[grid->col_count++] = column;
        column += grid->cell_width;
    }
}

/* Scrolls so that the cursor is visible: as little as possible. */
static void follow(struct lw_grid *grid)
{
    struct lw_text name = {0};
    const uint64_t unit = rows_a_line(grid), most = (uint64_t)grid->rect.height * unit;
    const uint64_t fit = (uint64_t)((grid->rect.width - grid->label_width) / grid->cell_width);
    if (grid->top > grid->row)
        grid->top = grid->row;
    if (grid->row >= grid->top + most)
        grid->top = grid->row - most + 1;
    grid->top -= grid->top % unit;
    arrange_rows(grid);
    while (grid->row_count && grid->row >= grid->top + (uint64_t)grid->row_count) {
        grid->top += unit;
        arrange_rows(grid);
    }
    /* No empty lines at the end while there are rows above. */
    while (grid->row_count && grid->top && grid->top + (uint64_t)grid->row_count == grid->rows &&
           grid->lines[grid->row_count - 1] + 2 * lines_a_row(grid) +
                   has_line_before(grid, grid->top, &name) <=
               grid->rect.height) {
        grid->top -= unit;
        arrange_rows(grid);
    }
    if (grid->left > grid->col)
        grid->left = grid->col;
    if (grid->left + fit > grid->cols)
        grid->left = grid->cols > fit ? grid->cols - fit : 0;
    if (fit && grid->col >= grid->left + fit)
        grid->left = grid->col - fit + 1;
    arrange_cols(grid);
    while (grid->col_count && grid->col >= grid->left + (uint64_t)grid->col_count) {
        grid->left++;
        arrange_cols(grid);
    }
    lw_text_free(&name);
}

static bool fill_cells(struct lw_grid *grid)
{
    const size_t rows = (size_t)grid->row_count, cols = (size_t)grid->col_count;
    if (!make_room((void **)&grid->cells, &grid->room[2], rows * cols + 1, sizeof *grid->cells))
        return false;
    for (size_t i = 0; i < rows * cols; i++) {
        struct lw_grid_cell *cell = &grid->cells[i];
        *cell = (struct lw_grid_cell){.row = grid->top + i / cols, .col = grid->left + i % cols};
        grid->source->cell(grid->context, cell->row, cell->col, cell);
    }
    return true;
}

/* Whether all is as at the last time, and the cursor is within what is visible. */
static bool is_arranged(const struct lw_grid *grid, struct lw_rect rect)
{
    const uint64_t row = grid->row, col = grid->col;
    return grid->is_known && grid->known_top == grid->top && grid->known_left == grid->left &&
           !memcmp(&rect, &grid->known_rect, sizeof rect) &&
           grid->known_width == grid->cell_width && grid->known_lines == grid->cell_lines &&
           row >= grid->top && row - grid->top < (uint64_t)grid->row_count && col >= grid->left &&
           col - grid->left < (uint64_t)grid->col_count;
}

bool lw_grid_arrange(struct lw_grid *grid, struct lw_rect rect)
{
    rect.height = rect.height > 0 ? rect.height : 0;
    rect.width = rect.width > 0 ? rect.width : 0;
    if (is_arranged(grid, rect))
        return true;
    grid->is_known = false;
    grid->rect = rect;
    grid->row_count = grid->col_count = 0;
    if (!grid->rows || !grid->cols)
        return true;
    if (!make_room((void **)&grid->lines, &grid->room[0], 2 * (size_t)rect.height + 2,
                   sizeof *grid->lines) ||
        !make_room((void **)&grid->columns, &grid->room[1], (size_t)rect.width + 2,
                   sizeof *grid->columns))
        return false;
    grid->label_width = measure_labels(grid);
    if (grid->label_width + grid->cell_width > rect.width)
        grid->label_width = 0;
    if (grid->row >= grid->rows)
        grid->row = grid->rows - 1;
    if (grid->col >= grid->cols)
        grid->col = grid->cols - 1;
    follow(grid);
    if (!fill_cells(grid))
        return false;
    grid->known_rect = rect;
    grid->known_top = grid->top;
    grid->known_left = grid->left;
    grid->known_width = grid->cell_width;
    grid->known_lines = grid->cell_lines;
    return grid->is_known = true;
}

/* ---- Drawing ---- */

struct lw_pen lw_grid_pen(const struct lw_grid_cell *cell)
{
    switch (cell->kind) {
    case LW_GRID_HUE:
        return lw_hue(LW_TONE_OWNER, cell->number);
    case LW_GRID_RAMP:
        return (struct lw_pen){.kind = LW_TONE_RAMP, .shade = (uint8_t)lw_ramp_level(cell->number)};
    case LW_GRID_PLAIN:
        return lw_tone(LW_TONE_PLAIN);
    default:
        return lw_tone(LW_TONE_HOLE);
    }
}

static struct lw_pen pen_of(const struct lw_grid *grid, struct lw_grid_cell *cell)
{
    return grid->source->pen ? grid->source->pen(grid->context, cell) : lw_grid_pen(cell);
}

static bool is_cursor(const struct lw_grid *grid, const struct lw_grid_cell *cell)
{
    return grid->has_cursor && !grid->labels_only && cell->row == grid->row &&
           cell->col == grid->col;
}

static uint8_t half_of(const struct lw_grid *grid, struct lw_grid_cell *cell)
{
    const struct lw_pen pen = pen_of(grid, cell);
    const int kind = is_cursor(grid, cell) ? (int)LW_TONE_CURSOR : pen.kind;
    switch (kind) {
    case LW_TONE_OWNER:
    case LW_TONE_LIT:
        return (uint8_t)(LW_HALF_OWNER_AT + pen.shade);
    case LW_TONE_QUIET:
        return (uint8_t)(LW_HALF_QUIET_AT + pen.shade);
    case LW_TONE_RAMP:
        return (uint8_t)(LW_HALF_RAMP_AT + pen.shade);
    case LW_TONE_FIELD:
    case LW_TONE_SERVED:
    case LW_TONE_NOW:
    case LW_TONE_CURSOR:
        return (uint8_t)(LW_HALF_TONE_AT + kind);
    default:
        return LW_HALF_BLANK;
    }
}

/* Whether a half stands out of the field. */
static bool stands_out(uint8_t half)
{
    return half < LW_HALF_QUIET_AT || (half >= LW_HALF_RAMP_AT && half < LW_HALF_TONE_AT) ||
           half == LW_HALF_TONE_AT + LW_TONE_NOW || half == LW_HALF_TONE_AT + LW_TONE_CURSOR;
}

/* Two cells, one above the other; `lower` NULL: there is none. Without colours a block where a cell stands out, else a
 * dot. */
static void draw_halves(struct lw_grid *grid, struct lw_surface *surface, int row, int col,
                        struct lw_grid_cell *upper, struct lw_grid_cell *lower)
{
    static const char *const blocks[4] = {"\xc2\xb7", "\xe2\x96\x84", "\xe2\x96\x80",
                                          "\xe2\x96\x88"};
    struct lw_pen pen = {.kind = LW_TONE_HALF,
                         .shade = half_of(grid, upper),
                         .under = lower ? half_of(grid, lower) : (uint8_t)LW_HALF_BLANK};
    int which = 2;
    if (pen.shade == LW_HALF_BLANK && pen.under == LW_HALF_BLANK)
        return;
    if (surface->mono) {
        which = 2 * stands_out(pen.shade) + stands_out(pen.under);
        pen = lw_tone(which ? LW_TONE_TEXT : LW_TONE_HOLE);
    } else if (pen.shade == LW_HALF_BLANK) { /* it cannot be the foreground of a block */
        which = 1;
        pen.shade = pen.under;
        pen.under = LW_HALF_BLANK;
    }
    lw_put_repeated(surface, row, col, grid->cell_width, pen, blocks[which]);
}

static void draw_text(struct lw_grid *grid, struct lw_surface *surface, int row, int col,
                      struct lw_pen pen, const char *text)
{
    const int width = grid->cell_width;
    int length = (int)lw_text_width(text), lead = width > length + 1 && width > 4 ? 1 : 0;
    lw_put_repeated(surface, row, col, width, pen, " ");
    if (pen.kind == LW_TONE_FIELD)
        return;
    if (grid->to_right)
        lead = length < width ? width - length : 0;
    lw_put(surface, row, col + lead, width - lead, pen, text);
}

static void draw_cell(struct lw_grid *grid, struct lw_surface *surface, int row, int col,
                      struct lw_grid_cell *cell)
{
    struct lw_pen pen = is_cursor(grid, cell) ? lw_tone(LW_TONE_CURSOR) : pen_of(grid, cell);
    draw_text(grid, surface, row, col, pen, cell->text);
    if (grid->cell_lines > 1)
        draw_text(grid, surface, row + 1, col, pen, cell->below);
}

static void draw_cells(struct lw_grid *grid, struct lw_surface *surface)
{
    const int cols = grid->col_count;
    for (int r = 0; r < grid->row_count; r++) {
        int row = grid->rect.row + grid->lines[r];
        bool pair =
            !grid->cell_lines && r + 1 < grid->row_count && grid->lines[r + 1] == grid->lines[r];
        for (int c = 0; c < cols; c++) {
            struct lw_grid_cell *cell = &grid->cells[r * cols + c];
            int col = grid->rect.col + grid->columns[c];
            if (!grid->cell_lines)
                draw_halves(grid, surface, row, col, cell, pair ? cell + cols : NULL);
            else if (cell->kind != LW_GRID_BLANK)
                draw_cell(grid, surface, row, col, cell);
        }
        r += pair;
    }
}

/* Every how many columns there is room for a label: a power of two. */
static uint64_t label_step(const struct lw_grid *grid, size_t width)
{
    uint64_t step = 1;
    while (step * (uint64_t)grid->cell_width < width + 1)
        step *= 2;
    return step;
}

static void draw_col_label(struct lw_grid *grid, struct lw_surface *surface, uint64_t col,
                           struct lw_pen pen)
{
    struct lw_text text = {0};
    grid->source->col_label(grid->context, col, &text);
    int length = (int)lw_text_width(lw_text_string(&text));
    int at = grid->columns[col - grid->left], room = grid->rect.width - at;
    if (grid->cell_width > 4 && !grid->to_right)
        at++;
    else if (grid->cell_lines && length <= grid->cell_width)
        at += grid->cell_width - length;
    lw_put(surface, grid->rect.row, grid->rect.col + at, room < length ? room : length, pen,
           lw_text_string(&text));
    lw_text_free(&text);
}

static void draw_col_labels(struct lw_grid *grid, struct lw_surface *surface)
{
    if (!grid->source->col_label)
        return;
    const uint64_t end = grid->left + (uint64_t)grid->col_count;
    const size_t last = width_of_label(grid, grid->source->col_label, end - 1);
    const size_t first = width_of_label(grid, grid->source->col_label, grid->left);
    const uint64_t step = label_step(grid, last > first ? last : first), on = grid->col;
    for (uint64_t col = grid->left; col < end; col++) {
        bool near = grid->has_cursor && (col < on ? on - col : col - on) < step;
        if (col % step == 0 && !near)
            draw_col_label(grid, surface, col, lw_tone(LW_TONE_LABEL));
    }
    if (grid->has_cursor && on >= grid->left && on < end)
        draw_col_label(grid, surface, on, lw_tone(LW_TONE_LABEL_ON));
}

static void draw_row_labels(struct lw_grid *grid, struct lw_surface *surface)
{
    const uint64_t every = grid->cell_lines ? 1 : 4, cursor = grid->row;
    struct lw_text text = {0};
    for (int r = 0; grid->label_width && r < grid->row_count; r++) {
        uint64_t row = grid->top + (uint64_t)r;
        bool on = grid->has_cursor && row == cursor;
        bool covered = !grid->cell_lines && grid->has_cursor && !on && row / 2 == cursor / 2;
        if ((row % every && !on) || covered)
            continue;
        lw_text_clear(&text);
        grid->source->row_label(grid->context, row, &text);
        lw_put_padded(surface, grid->rect.row + grid->lines[r], grid->rect.col,
                      grid->label_width - 1, lw_tone(on ? LW_TONE_LABEL_ON : LW_TONE_LABEL),
                      lw_text_string(&text), true);
    }
    lw_text_free(&text);
}

static void draw_rules(struct lw_grid *grid, struct lw_surface *surface)
{
    const int from = grid->rect.col + grid->label_width;
    const int width = grid->columns[grid->col_count - 1] + grid->cell_width - grid->label_width;
    struct lw_text name = {0};
    for (int r = 1; r < grid->row_count; r++) {
        const int line = grid->rect.row + grid->lines[r] - 1;
        lw_text_clear(&name);
        /* A line that no row has is a rule. */
        if (grid->lines[r] <= grid->lines[r - 1] + lines_a_row(grid) ||
            !has_line_before(grid, grid->top + (uint64_t)r, &name))
            continue;
        lw_put_repeated(surface, line, from, width, lw_tone(LW_TONE_RULE), "\xe2\x94\x80");
        if (!name.length)
            continue;
        lw_put_repeated(surface, line, from + 2, (int)name.length + 2, lw_tone(LW_TONE_RULE), " ");
        lw_put(surface, line, from + 3, width - 4, lw_tone(LW_TONE_LABEL), lw_text_string(&name));
    }
    for (int c = 1; c < grid->col_count; c++)
        for (int r = 0; has_gap_before(grid, grid->left + (uint64_t)c) && r < grid->row_count; r++)
            lw_put(surface, grid->rect.row + grid->lines[r], grid->rect.col + grid->columns[c] - 1,
                   1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    lw_text_free(&name);
}

void lw_grid_draw(struct lw_grid *grid, struct lw_surface *surface)
{
    if (!grid->row_count || !grid->col_count)
        return;
    draw_col_labels(grid, surface);
    draw_rules(grid, surface);
    draw_row_labels(grid, surface);
    draw_cells(grid, surface);
}

/* ---- Positions ---- */

const struct lw_grid_cell *lw_grid_hit(const struct lw_grid *grid, int row, int col)
{
    int r = -1, c = -1;
    for (int i = 0; i < grid->row_count; i++)
        if (row >= grid->rect.row + grid->lines[i] &&
            row < grid->rect.row + grid->lines[i] + lines_a_row(grid)) {
            r = i;
            break;
        }
    for (int i = 0; i < grid->col_count; i++)
        if (col >= grid->rect.col + grid->columns[i] &&
            col < grid->rect.col + grid->columns[i] + grid->cell_width)
            c = i;
    if (r < 0 || c < 0 || !grid->is_known)
        return NULL;
    const struct lw_grid_cell *cell = &grid->cells[r * grid->col_count + c];
    return cell->kind == LW_GRID_BLANK ? NULL : cell;
}

uint64_t lw_step_within(uint64_t at, int64_t by, uint64_t count)
{
    if (by < 0)
        return at < (uint64_t)-by ? 0 : at - (uint64_t)-by;
    return count - 1 - at < (uint64_t)by ? count - 1 : at + (uint64_t)by;
}

void lw_grid_move(struct lw_grid *grid, int64_t rows, int64_t cols)
{
    if (!grid->rows || !grid->cols)
        return;
    grid->row = lw_step_within(grid->row, rows, grid->rows);
    grid->col = lw_step_within(grid->col, cols, grid->cols);
}

void lw_grid_scroll(struct lw_grid *grid, int64_t rows)
{
    const uint64_t shown = (uint64_t)grid->row_count;
    if (!shown || shown >= grid->rows)
        return;
    grid->top = lw_step_within(grid->top, rows, grid->rows - shown + 1);
    if (grid->row < grid->top)
        grid->row = grid->top;
    if (grid->row >= grid->top + shown)
        grid->row = grid->top + shown - 1;
}

void lw_grid_changed(struct lw_grid *grid)
{
    grid->is_known = false;
}

void lw_grid_free(struct lw_grid *grid)
{
    free(grid->lines);
    free(grid->columns);
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
}
