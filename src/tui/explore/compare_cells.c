/*
 * Whether the elements of a cell differ, in a picture that is compared. If two linear layouts hold every element and
 * have the same null space, the xor of an element's owners in both is linear in the element, modulo the null space, and
 * the element is equal if it is 0. The elements of a cell are its first one xored with the span of the steps within it,
 * so the cell has an equal element exactly when the xor of the first is in the span of the xors of the steps. In other
 * layouts the elements are examined one by one.
 */

#include "core/subspace.h"
#include "tui/draw/drawing.h"

#include <string.h>

enum { EXAMINED = 256 }; /* elements of a cell at most */

/* A hardware index as one number, with enough bits for both layouts. */
static uint64_t packed(const struct lw_comparison *c, const uint64_t *in, bool of_b)
{
    const struct lw_dims *a = &c->a->in, *b = &c->b->in;
    uint64_t word = 0;
    int at = 0;
    for (int d = 0; d < a->count; d++) {
        int in_b = 0;
        while (in_b < b->count && c->dim_of_a[in_b] != d)
            in_b++;
        uint64_t size = a->dim[d].size;
        if (in_b < b->count && b->dim[in_b].size > size)
            size = b->dim[in_b].size;
        uint64_t value = !of_b ? in[d] : in_b < b->count ? in[in_b] : 0;
        word |= value << at;
        at += lw_log2(size);
    }
    return word;
}

/* The xor of an element's first owners in both layouts. */
static uint64_t moved_by(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t a[LW_DIMS_MAX] = {0}, b[LW_DIMS_MAX] = {0};
    lw_map_owner(c->a, out, 0, a);
    lw_map_owner(c->b, out, 0, b);
    return packed(c, a, false) ^ packed(c, b, true);
}

static void add_null_space(struct lw_space *space, const struct lw_comparison *c)
{
    const uint64_t zero[LW_DIMS_MAX] = {0};
    uint64_t in[LW_DIMS_MAX];
    for (uint64_t k = 1; k && k < lw_map_replication(c->a); k *= 2)
        if (lw_map_owner(c->a, zero, k, in))
            lw_space_add(space, packed(c, in, false));
}

static enum lw_cell_diff of_steps(const struct lw_diff *diff, const struct lw_view_pane *pane,
                                  uint64_t row, uint64_t col, const struct lw_spot *first)
{
    const struct lw_comparison *c = &diff->comparison;
    const struct lw_view *view = &pane->view;
    struct lw_space space = {.dim = 0};
    struct lw_spot spot;
    if (!c->same_null_space)
        return LW_CELL_DIFFERS;
    add_null_space(&space, c);
    int before = space.dim;
    uint64_t moved = moved_by(c, first->out);
    for (int across = 0; across < 2; across++)
        for (uint64_t i = 1; i < (across ? pane->step_cols : pane->step_rows); i *= 2)
            if (i < (across ? view->cols - col : view->rows - row) &&
                view->type->spot(view, row + (across ? 0 : i), col + (across ? i : 0), &spot))
                lw_space_add(&space, moved ^ moved_by(c, spot.out));
    return lw_space_reduce(&space, moved) ? LW_CELL_DIFFERS
           : space.dim == before          ? LW_CELL_EQUAL
                                          : LW_CELL_PART;
}

uint64_t lw_cell_count_differing(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                 uint64_t row, uint64_t col, uint64_t *all)
{
    const struct lw_view *view = &pane->view;
    struct lw_spot spot;
    uint64_t differing = 0;
    *all = 0;
    for (uint64_t r = row; r < row + pane->step_rows && r < view->rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < view->cols; c++)
            if (view->type->spot(view, r, c, &spot)) {
                ++*all;
                differing += lw_differs(ex, pane, &spot);
            }
    return differing;
}

enum lw_cell_diff lw_cell_compare(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                  uint64_t row, uint64_t col)
{
    const struct lw_diff *diff = &ex->compare.diff[pane->shown.side];
    const struct lw_view *view = &pane->view;
    uint64_t steps = pane->step_rows * pane->step_cols, all;
    struct lw_spot first;
    bool of_elements = !lw_view_shows_indices(view) && !view->type->layout;
    if (steps == 1)
        return lw_cell_differs(ex, pane, row, col) ? LW_CELL_DIFFERS : LW_CELL_EQUAL;
    if (diff->by_steps && of_elements && view->type->spot(view, row, col, &first) && first.has_out)
        return of_steps(diff, pane, row, col, &first);
    if (steps > EXAMINED || !lw_cells_compare_all(ex, pane))
        return lw_cell_differs(ex, pane, row, col) ? LW_CELL_PART : LW_CELL_EQUAL;
    uint64_t differing = lw_cell_count_differing(ex, pane, row, col, &all);
    return !differing ? LW_CELL_EQUAL : differing == all ? LW_CELL_DIFFERS : LW_CELL_PART;
}

bool lw_pane_compares(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    const struct lw_diff *diff = &ex->compare.diff[pane->shown.side];
    return lw_pane_is_picture(pane) && pane->view.type->spot && diff->fits &&
           !(diff->counted && !diff->differing);
}

/* Whether a cell on the screen, at this zoom, differs in part or (with `whole`) in all of its elements. The first one
 * ends the search: to examine all cells of every zoom that is tried would take a part of a second. */
static bool has_differing_cell(const struct lw_explorer *ex, struct lw_view_pane *pane, bool whole)
{
    const struct lw_view *view = &pane->view;
    struct lw_grid grid;
    lw_grid(ex, pane, &grid);
    uint64_t rows = (uint64_t)(grid.rows > 0 ? grid.rows : 0) * pane->step_rows;
    uint64_t cols = (uint64_t)(grid.cols > 0 ? grid.cols : 0) * pane->step_cols;
    for (uint64_t r = pane->top; r < view->rows && r - pane->top < rows; r += pane->step_rows)
        for (uint64_t c = pane->left; c < view->cols && c - pane->left < cols;
             c += pane->step_cols) {
            enum lw_cell_diff diff = lw_cell_compare(ex, pane, r, c);
            if (diff == LW_CELL_PART || (whole && diff == LW_CELL_DIFFERS))
                return true;
        }
    return false;
}

bool lw_pane_has_parts(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    return lw_zoom_is_merged(pane) && lw_pane_compares(ex, pane) &&
           has_differing_cell(ex, pane, false);
}

/* Whether the text or the colour of each cell is that of one thread. */
static bool is_of_threads(struct lw_view_pane *pane)
{
    const struct lw_groups *groups = &pane->groups;
    const struct lw_subject *subject = pane->view.subject;
    const char *field = groups->on ? groups->field : pane->view.color;
    lw_merged_update(pane);
    if (!field || (!groups->on && pane->merged.kind != LW_MERGED_PURE))
        return false;
    for (int i = 0; groups->on && i < LW_GROUP_OPERANDS; i++)
        if (groups->bits[i])
            return false;
    bool one_warp =
        lw_dims_find(&subject->map.in, "warp") < 0 || lw_dims_size(&subject->map.in, "warp") == 1;
    return !strcmp(field, "thread") || (!strcmp(field, "lane") && one_warp);
}

bool lw_pane_hides_moves(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    return lw_zoom_is_merged(pane) && lw_pane_compares(ex, pane) &&
           has_differing_cell(ex, pane, !is_of_threads(pane));
}
