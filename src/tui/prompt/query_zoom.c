/* The zoom of a match of find: that at which its cells are distinguished from the others. */

#include "tui/explore/explorer.h"
#include "tui/pane/follow.h"
#include "tui/prompt/query_match.h"

/* Whether the query is for this cell's element or index, whichever of the registers of its threads that is. */
static bool is_held_there(const struct lw_query *q, const struct lw_view *view, uint64_t row,
                          uint64_t col)
{
    struct lw_spot spot;
    if (!view->type->spot(view, row, col, &spot) || spot.operand != q->operand)
        return false;
    return lw_view_shows_indices(view)
               ? spot.has_in && lw_query_has_index(q, view->subject, spot.in)
               : spot.has_out && lw_query_has_element(q, view->subject, spot.out);
}

/* The query for the threads of another one: their registers are free. */
static struct lw_query of_threads(const struct lw_query *q, const struct lw_dims *in)
{
    static const char *const own[] = {"register", "local"};
    struct lw_query threads = *q;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (lw_dims_find(in, own[i]) >= 0)
            threads.fixed[lw_dims_find(in, own[i])] = false;
    return threads;
}

/* Whether a cell of several elements has some that the threads of the query hold, and others. In a linear layout all of
 * a cell is theirs if each power of two of its steps is; a large cell of another layout is examined so, too. */
static bool is_mixed(const struct lw_query *q, const struct lw_view_pane *pane, uint64_t row,
                     uint64_t col)
{
    enum { TRIED = 1 << 12 };
    const struct lw_view *view = &pane->view;
    const struct lw_map *map = &view->subject->map;
    const struct lw_query threads = of_threads(q, &map->in);
    const bool steps = map->kind == LW_MAP_LINEAR || pane->step_rows > TRIED / pane->step_cols;
    row = row / pane->step_rows * pane->step_rows;
    col = col / pane->step_cols * pane->step_cols;
    for (uint64_t r = 0; r < pane->step_rows; r = steps ? r ? 2 * r : 1 : r + 1)
        for (uint64_t c = 0; c < pane->step_cols; c = steps ? c ? 2 * c : 1 : c + 1) {
            if (steps && r && c)
                break;
            if (row + r < view->rows && col + c < view->cols &&
                !is_held_there(&threads, view, row + r, col + c))
                return true;
        }
    return false;
}

bool lw_query_zoom(struct lw_explorer *ex, const struct lw_query *q, const struct lw_spot *spot)
{
    struct lw_view_pane *pane = ex->panes.active;
    uint64_t row, col;
    if (q->bank || !lw_zoom_is_merged(pane) || !lw_view_find(&pane->view, spot, &row, &col) ||
        (q->element ? pane->groups.on
                    : !is_mixed(q, pane, row, col) || !lw_query_is_everywhere(pane, q)))
        return false;
    pane->row = row;
    pane->col = col;
    return lw_zoom_to_elements(ex);
}
