/* Choosing a swizzle among those that were found: as an edit, or to the clipboard. */

#include "tui/access/solve.h"
#include "tui/access/verdict.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"

/* NULL: there is none, as the filter leaves no row, or it is the current one. */
static const struct lw_swizzle *choose(struct lw_explorer *ex)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    int count = ex->solve ? lw_solve_rows(ex->solve, rows) : 0;
    const struct lw_swizzle *chosen =
        count ? rows[lw_solve_chosen(ex->solve, rows, count)].swizzle : NULL;
    if (chosen && chosen != &ex->solve->current)
        return chosen;
    if (chosen)
        lw_explorer_set_message(ex, false, "this is %s",
                                ex->solve->compiled
                                    ? "what the compiler does: there is nothing to set"
                                    : "the current layout");
    else if (ex->solve)
        lw_explorer_set_message(ex, true, "no layout in the list contains '%s'", ex->solve->filter);
    return NULL;
}

void lw_solve_move(struct lw_explorer *ex, int by)
{
    struct lw_solve_row rows[LW_SOLVE_ROWS];
    struct lw_solve *solve = ex->solve;
    if (!solve)
        return;
    int count = lw_solve_rows(solve, rows), at = lw_solve_chosen(solve, rows, count) + by;
    solve->at = at >= count ? count - 1 : at;
    solve->at = solve->at < 0 ? 0 : solve->at;
    solve->moved = true;
    solve->awaited = false;
}

/* Unless a pane shows them already. */
static void show_banks(struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++)
        if (ex->panes.all[i].view_index == lw_view_index("banks"))
            return;
    lw_explorer_view(ex, "banks");
}

/* Before the search has ended its best is not known: what is best so far may be worse than what is there. */
static bool must_wait(struct lw_explorer *ex)
{
    struct lw_solve *solve = ex->solve;
    if (!solve || solve->finished || solve->moved)
        return false;
    solve->awaited = true;
    lw_explorer_set_message(ex, false,
                            "the best is used when the search has ended; an arrow chooses a row");
    return true;
}

void lw_solve_apply(struct lw_explorer *ex, int unused)
{
    struct lw_text source = {0};
    struct lw_solve *solve = ex->solve;
    const struct lw_swizzle *chosen = must_wait(ex) ? NULL : choose(ex);
    (void)unused;
    if (!chosen)
        return;
    const struct lw_swizzle *before = lw_solve_before(solve);
    const char *path = lw_explorer_entry(ex)->doc->side == LW_SIDE_S ? "encoding" : "shared";
    const char *what = solve->compiled      ? "the compiler's own"
                       : solve->has_current ? "before"
                                            : "plain rows take";
    const struct lw_swizzle now = *chosen, was = before ? *before : now;
    const bool has_before = before != NULL;
    lw_swizzle_print(&source, &solve->search, chosen);
    lw_solve_end(ex);
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_edit_origin origin = {0, pane->view_index, pane->row, pane->col};
    if (lw_form_set(ex, path, lw_text_string(&source)) && ex->layouts.problem.code == LW_OK) {
        origin.edits = lw_explorer_entry(ex)->past_count;
        lw_explorer_entry(ex)->origin = origin;
        show_banks(ex);
        lw_verdict_message(ex, LW_SIDE_S, &now, what, has_before ? &was : NULL);
    }
    lw_text_free(&source);
}

void lw_solve_copy(struct lw_explorer *ex, int unused)
{
    const struct lw_solve *solve = ex->solve;
    const struct lw_swizzle *chosen = choose(ex);
    (void)unused;
    if (!chosen)
        return;
    lw_text_clear(&ex->clipboard.text);
    lw_swizzle_print(&ex->clipboard.text, &solve->search, chosen);
    snprintf(ex->clipboard.label, sizeof ex->clipboard.label, "the attribute");
}

void lw_solve_close(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->solve && ex->solve->filter[0])
        lw_solve_filter(ex, "");
    else if (lw_job_cancel(ex))
        lw_explorer_set_message(ex, false, "stopped: there may be better ones");
    else
        lw_solve_end(ex);
}

/* Returns to the view and the cell shown before the edit that was undone. */
static void go_back(struct lw_explorer *ex, const struct lw_edit_origin *origin)
{
    struct lw_view_pane *pane = ex->panes.active;
    lw_refresh(ex, 0);
    if (pane->view_index != origin->view)
        lw_explorer_set_view(ex, origin->view);
    lw_refresh(ex, 0);
    if (!pane->has_view || origin->row >= pane->view.rows || origin->col >= pane->view.cols)
        return;
    pane->row = origin->row;
    pane->col = origin->col;
    ex->changed |= LW_CHANGED_CURSOR;
}

void lw_solve_undo(struct lw_explorer *ex, int redo)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    const size_t had = entry->past_count;
    lw_history_step(ex, redo);
    if (!redo && had == entry->origin.edits && had > entry->past_count)
        go_back(ex, &entry->origin);
}
