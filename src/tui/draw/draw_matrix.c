/* The compact matrix of a layout: one to three columns for each bit, the names of the dims and the numbers of the bits
 * above, a gap between dims, and ones as filled blocks. Rows scroll if not all have room; a matrix that is too wide for
 * this is drawn as other views are. */

#include "tui/draw/drawing.h"
#include "view/view_parts.h"

#include <string.h>

enum { HEADS = 2, BITS_MAX = 64, GROUPS_MAX = 16, NAME_MAX = 16, WIDEST = 3 };

/* The bits of one dim, side by side or one below the other. */
struct group {
    char name[NAME_MAX];
    int first, count;
    int at; /* the column or row of the first on the screen, from that of the matrix */
};

struct matrix_grid {
    struct lw_rect inside;
    int label, cell; /* columns for a row's label, and for a bit */
    int rows, first; /* that have room; the first shown */
    int across_count, down_count;
    struct group across[GROUPS_MAX], down[GROUPS_MAX];
};

typedef void label_of(const struct lw_view *view, uint64_t i, struct lw_text *text);

/* Splits the labels of rows or columns, "lane.3", into groups by their names; 0: there are too many. */
static int find_groups(const struct lw_view *view, uint64_t count, label_of *label,
                       struct group groups[GROUPS_MAX])
{
    struct lw_text text = {0};
    int found = 0;
    for (uint64_t i = 0; i < count && found <= GROUPS_MAX; i++) {
        char name[NAME_MAX];
        lw_text_clear(&text);
        label(view, i, &text);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(lw_text_string(&text), "."),
                 lw_text_string(&text));
        if (found && !strcmp(groups[found - 1].name, name)) {
            groups[found - 1].count++;
        } else if (found++ < GROUPS_MAX) {
            groups[found - 1] = (struct group){.first = (int)i, .count = 1};
            memcpy(groups[found - 1].name, name, sizeof name);
        }
    }
    lw_text_free(&text);
    return found <= GROUPS_MAX ? found : 0;
}

/* Arranges the groups of columns, each at least as wide as its name. Returns their width. */
static int lay_across(struct matrix_grid *grid, int cell)
{
    int at = 0;
    grid->cell = cell;
    for (int i = 0; i < grid->across_count; i++) {
        struct group *group = &grid->across[i];
        int name = cell > 1 ? (int)strlen(group->name) : 1, bits = group->count * cell;
        group->at = at;
        at += (bits > name ? bits : name) + (i + 1 < grid->across_count ? 2 : 0);
    }
    return at;
}

static int lay_down(struct matrix_grid *grid, int gap)
{
    int at = 0;
    for (int i = 0; i < grid->down_count; i++) {
        grid->down[i].at = at;
        at += grid->down[i].count + (i + 1 < grid->down_count ? gap : 0);
    }
    return at;
}

/* Scrolls to the row of the cursor, no further than the last row. */
static void scroll(const struct lw_view_pane *pane, struct matrix_grid *grid)
{
    int count = (int)pane->view.rows, row = (int)pane->row;
    int last = count > grid->rows ? count - grid->rows : 0;
    grid->first = pane->top < (uint64_t)last ? (int)pane->top : last;
    if (row < grid->first)
        grid->first = row;
    else if (row >= grid->first + grid->rows)
        grid->first = row - grid->rows + 1;
}

/* Lays out the matrix; false: this is another view, or there is no room. */
static bool lay(const struct lw_view_pane *pane, struct lw_rect inside, struct matrix_grid *grid)
{
    const struct lw_view *view = &pane->view;
    int cell = WIDEST;
    if (!pane->has_view || strcmp(view->type->name, "matrix") != 0 || view->rows > BITS_MAX ||
        view->cols > BITS_MAX)
        return false;
    *grid = (struct matrix_grid){.inside = inside};
    grid->across_count = find_groups(view, view->cols, view->type->col_label, grid->across);
    grid->down_count = find_groups(view, view->rows, view->type->row_label, grid->down);
    for (int i = 0; i < grid->down_count; i++) {
        int width = (int)strlen(grid->down[i].name) + 5;
        grid->label = width > grid->label ? width : grid->label;
    }
    while (cell > 0 && lay_across(grid, cell) > inside.width - grid->label - 1)
        cell--;
    grid->rows = inside.height - HEADS;
    if (lay_down(grid, 1) > grid->rows && lay_down(grid, 0) > grid->rows)
        scroll(pane, grid);
    return cell && grid->across_count && grid->down_count && grid->rows > 0;
}

static struct lw_rect inside_of(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    struct lw_rect rect = panes.view[pane - ex->panes.all];
    return (struct lw_rect){rect.row + 1, rect.col + 1, rect.height - 2, rect.width - 2};
}

/* ---- Drawing ---- */

/* The name of a dim if it has room, else its letter: a name that is cut is no name. */
static const char *name_in(const char *name, int width)
{
    const char *names[2];
    for (size_t i = 0; (int)strlen(name) > width && lw_field_shorthand(i, names); i++)
        if (!strcmp(names[1], name))
            return names[0];
    return name;
}

/* The names of the dims, and below them the numbers of their bits. */
static void draw_heads(const struct lw_view_pane *pane, struct lw_surface *surface,
                       const struct matrix_grid *grid, bool cursor)
{
    struct lw_text text = {0};
    int left = grid->inside.col + grid->label, row = grid->inside.row;
    for (int i = 0; i < grid->across_count; i++) {
        const struct group *group = &grid->across[i];
        int width = group->count * grid->cell, name = (int)strlen(group->name);
        int room = grid->cell > 1 && name > width ? name : width;
        lw_put(surface, row, left + group->at, room, lw_pen(LW_PEN_LABEL),
               name_in(group->name, room));
        for (int bit = 0; bit < group->count; bit++) {
            bool on = cursor && (uint64_t)(group->first + bit) == pane->col;
            lw_text_clear(&text);
            lw_text_number(&text, (uint64_t)(grid->cell > 1 ? bit : bit % 10));
            lw_put_padded(surface, row + 1, left + group->at + bit * grid->cell, grid->cell,
                          lw_pen(on ? LW_PEN_LABEL_ON : LW_PEN_LABEL), lw_text_string(&text), true);
        }
    }
    lw_text_free(&text);
}

static void draw_bit(const struct lw_view_pane *pane, struct lw_surface *surface, int row, int col,
                     int width, uint64_t r, uint64_t c, bool cursor)
{
    struct lw_text text = {0};
    struct lw_cell cell = {0};
    pane->view.type->cell(&pane->view, r, c, &text, &cell);
    bool one = !strcmp(lw_text_string(&text), "1");
    struct lw_pen pen = {.kind = one ? LW_PEN_FILL : LW_PEN_HOLE,
                         .shade = one ? (uint8_t)lw_palette_ink(cell.shade) : 0};
    if (cursor && r == pane->row && c == pane->col)
        pen = lw_pen(LW_PEN_CURSOR);
    lw_put_padded(surface, row, col, width, pen, one ? "1" : "·", true);
    lw_text_free(&text);
}

static void draw_line(const struct lw_view_pane *pane, struct lw_surface *surface,
                      const struct matrix_grid *grid, const struct group *down, int bit,
                      bool cursor)
{
    int at = down->at + bit - grid->first;
    int row = grid->inside.row + HEADS + at, left = grid->inside.col + grid->label;
    if (at < 0 || at >= grid->rows)
        return;
    uint64_t r = (uint64_t)(down->first + bit);
    struct lw_text text = {0};
    lw_text_format(&text, "%s.%d", down->name, bit);
    lw_put_padded(surface, row, grid->inside.col, grid->label - 1,
                  lw_pen(cursor && r == pane->row ? LW_PEN_LABEL_ON : LW_PEN_LABEL),
                  lw_text_string(&text), true);
    lw_text_free(&text);
    for (int i = 0; i < grid->across_count; i++) {
        const struct group *across = &grid->across[i];
        for (int b = 0; b < across->count; b++)
            draw_bit(pane, surface, row, left + across->at + b * grid->cell, grid->cell, r,
                     (uint64_t)(across->first + b), cursor);
        if (i + 1 < grid->across_count)
            lw_put(surface, row, left + grid->across[i + 1].at - 1 - (grid->cell == 1), 1,
                   lw_pen(LW_PEN_BORDER), "│");
    }
}

/* The line between two dims of rows. */
static void draw_rule(struct lw_surface *surface, const struct matrix_grid *grid, int row)
{
    const struct group *last = &grid->across[grid->across_count - 1];
    int left = grid->inside.col + grid->label, width = last->at + last->count * grid->cell;
    for (int col = 0; col < width; col++)
        lw_put(surface, row, left + col, 1, lw_pen(LW_PEN_BORDER), "─");
}

/* On the lower border: which rows are shown, if not all. */
static void draw_extent(const struct lw_view_pane *pane, struct lw_surface *surface,
                        const struct matrix_grid *grid)
{
    struct lw_text text = {0};
    int count = (int)pane->view.rows;
    if (count <= grid->rows)
        return;
    lw_text_format(&text, " rows %d-%d of %d ", grid->first, grid->first + grid->rows - 1, count);
    int width = (int)text.length;
    if (width + 2 <= grid->inside.width)
        lw_put(surface, grid->inside.row + grid->inside.height,
               grid->inside.col + grid->inside.width - 1 - width, width, lw_pen(LW_PEN_LABEL),
               lw_text_string(&text));
    lw_text_free(&text);
}

bool lw_matrix_is_compact(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    struct matrix_grid grid;
    return lay(pane, inside_of(ex, pane), &grid);
}

bool lw_draw_matrix(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                    struct lw_surface *surface)
{
    struct matrix_grid grid;
    bool cursor = ex->focus != LW_FOCUS_GALLERY && pane == ex->panes.active;
    if (!lay(pane, inside_of(ex, pane), &grid))
        return false;
    draw_heads(pane, surface, &grid, cursor);
    for (int i = 1; i < grid.down_count; i++)
        if (grid.down[i].at > grid.down[i - 1].at + grid.down[i - 1].count)
            draw_rule(surface, &grid, grid.inside.row + HEADS + grid.down[i].at - 1);
    for (int i = 0; i < grid.down_count; i++)
        for (int bit = 0; bit < grid.down[i].count; bit++)
            draw_line(pane, surface, &grid, &grid.down[i], bit, cursor);
    draw_extent(pane, surface, &grid);
    return true;
}

bool lw_matrix_fits(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    struct matrix_grid grid;
    return !pane->has_view || strcmp(pane->view.type->name, "matrix") != 0 ||
           (lay(pane, inside_of(ex, pane), &grid) && (int)pane->view.rows <= grid.rows);
}

/* ---- The mouse ---- */

/* The bit at an offset from the first bit; -1: none. */
static int bit_at(const struct group *groups, int count, int each, int at)
{
    for (int i = 0; i < count; i++)
        if (at >= groups[i].at && at < groups[i].at + groups[i].count * each)
            return groups[i].first + (at - groups[i].at) / each;
    return -1;
}

bool lw_matrix_at(const struct lw_explorer *ex, const struct lw_view_pane *pane, int row, int col,
                  uint64_t *view_row, uint64_t *view_col)
{
    struct matrix_grid grid;
    if (!lay(pane, inside_of(ex, pane), &grid))
        return false;
    int r = bit_at(grid.down, grid.down_count, 1, row - grid.inside.row - HEADS + grid.first);
    int c = bit_at(grid.across, grid.across_count, grid.cell, col - grid.inside.col - grid.label);
    *view_row = r < 0 ? pane->row : (uint64_t)r;
    *view_col = c < 0 ? pane->col : (uint64_t)c;
    return true;
}
