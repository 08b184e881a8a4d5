/* The keys that move: the cursor, a list, the form, a page, by one, by a page, or to the end. */

#include "tui/draw/drawing.h"
#include "tui/access/solve.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/move/moving.h"

enum {
    BROWSING = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER,
    TEXT = LW_FOCUS_HELP | LW_FOCUS_PAGE,
    FAR_DOWN = 1 << 20 /* drawing brings it back to the last line */
};

static void move_by(struct lw_explorer *ex, uint64_t *at, uint64_t size, int64_t by)
{
    uint64_t step = by < 0 ? (uint64_t)-by : (uint64_t)by;
    if (by < 0)
        *at = *at > step ? *at - step : 0;
    else
        *at = size - *at > step ? *at + step : size ? size - 1 : 0;
    ex->changed |= LW_CHANGED_CURSOR;
}

/* In a view the cursor skips the cells between several layouts; if no layout follows, it does not move. */
static void move_in_view(struct lw_explorer *ex, uint64_t *at, uint64_t size, int64_t by)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_view_type *type = pane->view.type;
    const uint64_t from = *at;
    struct lw_spot spot;
    for (uint64_t before = from;; before = *at) {
        move_by(ex, at, size, by);
        if (!type->layout || !type->spot || type->spot(&pane->view, pane->row, pane->col, &spot))
            break;
        if (*at == before) {
            *at = from;
            break;
        }
    }
    ex->panes.moved = ex->panes.moved || *at != from;
}

void lw_go_vertical(struct lw_explorer *ex, int by)
{
    if (ex->focus & TEXT)
        ex->page.top += by;
    else if (ex->focus == LW_FOCUS_GALLERY)
        lw_list_move(ex, by);
    else if (ex->focus & BROWSING)
        lw_browse_move(ex, by);
    else if (ex->focus == LW_FOCUS_FORM)
        lw_form_move(ex, by);
    else if (ex->focus == LW_FOCUS_LESSON)
        lw_lesson_scroll(ex, by);
    else if (ex->focus == LW_FOCUS_SOLVE)
        lw_solve_move(ex, by);
    else if (ex->focus == LW_FOCUS_VIEWS)
        lw_views_move(ex, by);
    else if (ex->panes.active->has_view)
        move_in_view(ex, &ex->panes.active->row, ex->panes.active->view.rows,
                     by * (int64_t)ex->panes.active->step_rows);
}

void lw_go_horizontal(struct lw_explorer *ex, int by)
{
    if (ex->focus == LW_FOCUS_FORM)
        lw_form_pick(ex, by);
    else if (ex->focus == LW_FOCUS_GALLERY)
        lw_list_fold(ex, by < 0);
    else if (ex->focus == LW_FOCUS_PAGE)
        ex->page.left += by * 8;
    else if (ex->focus == LW_FOCUS_VIEW && ex->panes.active->has_view && !lw_play_step(ex, by))
        move_in_view(ex, &ex->panes.active->col, ex->panes.active->view.cols,
                     by * (int64_t)ex->panes.active->step_cols);
}

static int page_height(const struct lw_explorer *ex)
{
    struct lw_grid grid;
    if (ex->focus == LW_FOCUS_LESSON)
        return 6;
    if ((ex->focus & TEXT) && ex->page.shown > 1)
        return ex->page.shown - 1; /* one line stays on the screen */
    if (ex->focus != LW_FOCUS_VIEW)
        return ex->screen.height > 8 ? ex->screen.height - 6 : 2;
    lw_grid(ex, ex->panes.active, &grid);
    return grid.rows > 1 ? grid.rows : 1;
}

void lw_go_page(struct lw_explorer *ex, int halves)
{
    int by = page_height(ex) * (halves < 0 ? -halves : halves) / 2;
    by = by < 1 ? 1 : by;
    if (ex->focus == LW_FOCUS_FORM)
        for (int i = 0; i < by; i++)
            lw_form_move(ex, halves);
    else
        lw_go_vertical(ex, halves < 0 ? -by : by);
}

/* Goes to the first field of the form, or the last. */
static void go_to_field(struct lw_explorer *ex, int end)
{
    size_t before;
    if (!end)
        ex->form.facts_top = 0;
    do {
        uint64_t facts_top = ex->form.facts_top;
        before = ex->form.field;
        lw_form_move(ex, end ? 1 : -1);
        ex->form.facts_top = facts_top;
    } while (ex->form.field != before);
}

/* Goes to the first row or the last, in a part with rows only; false: it also has columns. */
static bool go_to_row(struct lw_explorer *ex, int end)
{
    if (ex->focus & TEXT)
        ex->page.top = end ? FAR_DOWN : 0;
    else if (ex->focus == LW_FOCUS_GALLERY)
        lw_list_move(ex, end ? (int64_t)ex->list.count : -(int64_t)ex->list.count);
    else if (ex->focus & BROWSING)
        lw_browse_move(ex, end ? INT32_MAX : -INT32_MAX);
    else if (ex->focus == LW_FOCUS_FORM)
        go_to_field(ex, end);
    else if (ex->focus & (LW_FOCUS_LESSON | LW_FOCUS_SOLVE | LW_FOCUS_VIEWS))
        lw_go_vertical(ex, end ? FAR_DOWN : -FAR_DOWN);
    else
        return false;
    return true;
}

/* Goes to the first column of a row, or the last one; of several layouts to the first or last one that has an element
 * there. False: none has. */
static bool go_to_end(struct lw_view_pane *pane, uint64_t row, int end)
{
    const struct lw_view *view = &pane->view;
    struct lw_spot spot;
    const uint64_t last = view->cols ? view->cols - 1 : 0;
    const bool several = view->type->layout && view->type->spot;
    uint64_t col = end ? last : 0;
    for (; several && !view->type->spot(view, row, col, &spot); col = end ? col - 1 : col + 1)
        if (col == (end ? 0 : last))
            return false;
    pane->row = row;
    pane->col = col;
    return true;
}

void lw_go_edge(struct lw_explorer *ex, int end)
{
    struct lw_view_pane *pane = ex->panes.active;
    if (go_to_row(ex, end) || !pane->has_view)
        return;
    go_to_end(pane, pane->row, end);
    ex->panes.moved = true;
    ex->changed |= LW_CHANGED_CURSOR;
}

void lw_go_corner(struct lw_explorer *ex, int end)
{
    struct lw_view_pane *pane = ex->panes.active;
    if (go_to_row(ex, end) || !pane->has_view)
        return;
    const uint64_t last = pane->view.rows ? pane->view.rows - 1 : 0;
    uint64_t row = end ? last : 0;
    while (!go_to_end(pane, row, end) && row != (end ? 0 : last))
        row = end ? row - 1 : row + 1;
    ex->panes.moved = true;
    ex->changed |= LW_CHANGED_CURSOR;
}
