/* A step back: closes what is open on top, else returns to the part from which the layout was opened. */

#include "tui/access/solve.h"
#include "tui/form/form.h"
#include "tui/kernel/browse.h"
#include "tui/lesson/lesson_run.h"

static void show_entry(struct lw_explorer *ex, const struct lw_trail_step *step)
{
    if (step->entry == ex->list.entry || step->entry >= ex->list.count)
        return;
    size_t view = step->view;
    lw_explorer_show(ex, step->entry);
    ex->panes.all[0].view_index = view;
    if (step->has_second) {
        struct lw_view_pane *pane = &ex->panes.all[1];
        lw_pane_copy(pane, ex->panes.all);
        pane->shown.side = step->second_side;
        pane->view_index = step->second_view;
        ex->panes.count = 2;
        ex->panes.split_by_user = false;
    }
    ex->changed |= LW_CHANGED_VIEW;
}

/* Returns to the last step of the trail. */
static void retrace(struct lw_explorer *ex)
{
    struct lw_trail_step step = ex->trail.steps[ex->trail.count - 1];
    struct lw_error err;
    if (lw_trail_has_second(ex)) { /* the second pane is for the operation that is closed */
        ex->panes.active = ex->panes.all;
        ex->panes.count = 1;
    }
    if (step.focus & LW_BROWSING) {
        if (!lw_browse_return(ex, step.focus, step.kernel, step.part, &err))
            lw_explorer_set_message(ex, true, "%s", err.message);
    } else {
        if ((ex->focus & LW_BROWSING) && ex->layouts.hardware != step.hardware) {
            ex->layouts.hardware = step.hardware;
            ex->changed |= LW_CHANGED_LAYOUT;
        }
        show_entry(ex, &step);
        ex->focus = step.focus;
    }
    lw_trail_drop(ex);
    ex->changed |= LW_CHANGED_CURSOR;
}

/* A step back from a view: ends playing, then a selection, then closes the pane beside the view. */
static bool leave_view(struct lw_explorer *ex)
{
    struct lw_view_pane *pane = ex->panes.active;
    if (lw_play_stop(ex))
        return true;
    if (pane->ranged) {
        pane->ranged = false;
        return true;
    }
    if (ex->layouts.has_other || (ex->panes.count > 1 && ex->panes.split_by_user)) {
        lw_split(ex, 0);
        return true;
    }
    if (ex->trail.count) {
        retrace(ex);
        lw_lesson_list_help(ex);
        return true;
    }
    if (ex->trail.root == LW_FOCUS_VIEW)
        return false;
    ex->focus = ex->trail.root;
    ex->changed |= LW_CHANGED_CURSOR;
    lw_lesson_list_help(ex);
    return true;
}

/* Returns from the list to the view, unless the view was opened from the list. */
static bool leave_list(struct lw_explorer *ex)
{
    const struct lw_trail *trail = &ex->trail;
    while (trail->count && trail->steps[trail->count - 1].focus == LW_FOCUS_GALLERY)
        lw_trail_drop(ex);
    if (trail->count && trail->steps[trail->count - 1].lists) {
        retrace(ex);
        return true;
    }
    if (!trail->count && trail->root == LW_FOCUS_GALLERY)
        return false;
    ex->focus = LW_FOCUS_VIEW;
    ex->changed |= LW_CHANGED_CURSOR;
    return true;
}

/* Whether a step back ends something in the view, before it leaves the layout. */
static bool holds_view(const struct lw_explorer *ex)
{
    return ex->panes.play.instruction || ex->panes.active->ranged || ex->layouts.has_other ||
           (ex->panes.count > 1 && ex->panes.split_by_user);
}

bool lw_back_leads(const struct lw_explorer *ex)
{
    const struct lw_trail *trail = &ex->trail;
    bool from_list = !trail->count || trail->steps[trail->count - 1].focus == LW_FOCUS_GALLERY;
    switch (ex->focus) {
    case LW_FOCUS_VIEW:
        return holds_view(ex) || trail->count || trail->root != LW_FOCUS_VIEW;
    case LW_FOCUS_GALLERY:
        return ex->list.filter[0] || !from_list || trail->root != LW_FOCUS_GALLERY;
    case LW_FOCUS_KERNEL:
    case LW_FOCUS_FOLDER:
        return trail->count > 0 || *lw_browse_filter_text(ex);
    default:
        return true;
    }
}

bool lw_back(struct lw_explorer *ex)
{
    switch (ex->focus) {
    case LW_FOCUS_VIEW:
        return leave_view(ex);
    case LW_FOCUS_GALLERY:
        if (!ex->list.filter[0])
            return leave_list(ex);
        lw_list_filter(ex, "");
        return true;
    case LW_FOCUS_FORM:
    case LW_FOCUS_LESSON:
        ex->focus = LW_FOCUS_VIEW;
        ex->changed |= LW_CHANGED_CURSOR;
        return true;
    case LW_FOCUS_KERNEL:
    case LW_FOCUS_FOLDER:
        if (*lw_browse_filter_text(ex))
            lw_browse_filter(ex, "");
        else if (ex->trail.count)
            retrace(ex);
        else
            return false;
        return true;
    case LW_FOCUS_EDIT:
    case LW_FOCUS_PICK:
        lw_form_cancel(ex);
        return true;
    case LW_FOCUS_SOLVE:
        lw_solve_close(ex, 0);
        return true;
    default: /* a part over another one */
        if (ex->focus == LW_FOCUS_FIND && lw_focus_under(ex) == LW_FOCUS_GALLERY) {
            lw_list_unfilter(ex);
        } else if (ex->focus == LW_FOCUS_FIND) {
            lw_line_set(&ex->prompt.line, "");
            lw_filter_typed(ex);
        }
        ex->save.quit_after = LW_QUIT_NOT;
        lw_focus_close(ex);
        return true;
    }
}

bool lw_back_undoes(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    return ex->focus == LW_FOCUS_FORM && entry->loaded && entry->past_count > 0 &&
           lw_layouts_problem(&ex->layouts);
}

void lw_back_key(struct lw_explorer *ex, int unused)
{
    (void)unused;
    bool counts =
        (ex->focus & (LW_FOCUS_VIEW | LW_FOCUS_GALLERY | LW_FOCUS_FORM | LW_FOCUS_LESSON)) ||
        ((ex->focus & LW_BROWSING) && lw_job_is_shown(ex));
    if (counts && lw_job_stop(ex))
        lw_explorer_set_message(ex, false, "stopped");
    else if (lw_back_undoes(ex))
        lw_solve_undo(ex, 0);
    else if (!lw_back(ex))
        lw_explorer_set_message(ex, false, "this is the first screen: q quits");
}

void lw_back_play(struct lw_explorer *ex, int unused)
{
    if (ex->panes.play.wavefront)
        lw_play(ex, -1);
    else
        lw_back_key(ex, unused);
}

void lw_back_quit(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (lw_back(ex))
        return;
    ex->save.quit_after = LW_QUIT_NOT;
    lw_quit(ex);
}
