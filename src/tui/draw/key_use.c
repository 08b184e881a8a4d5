/* Which keys do something in the view, the access or the lesson on the screen: for the line of keys and the help. */

#include "tui/draw/drawing.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/pane/follow.h"

#include <string.h>

bool lw_pane_is_matrix(const struct lw_view_pane *pane)
{
    return pane->has_view && !strcmp(pane->view.type->name, "matrix");
}

/* Keys of the current view come first: the player of an access, its other layouts. */
static bool is_relevant(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool banks = lw_layouts_are_several(&ex->layouts) && pane->has_view && pane->view.type->heat;
    if (!strcmp(action->name, "lesson-back"))
        return lw_lesson_is_on(ex) && lw_lesson_step(ex->lesson) && ex->lesson->step > 0;
    if (!strncmp(action->name, "lesson-", 7))
        return lw_lesson_is_on(ex) && lw_lesson_step(ex->lesson);
    if (!strcmp(action->name, "play"))
        return banks || lw_form_flips(ex);
    if (!strcmp(action->name, "play-all") || !strcmp(action->name, "access"))
        return banks;
    if (!strncmp(action->name, "conversion-", 11)) /* one of several conversions of a reduction */
        return ex->list.entries[ex->list.entry].parts > 1;
    bool layout = !strcmp(action->name, "other-layout") || !strcmp(action->name, "pick-layout");
    enum lw_side side;
    if (!strcmp(action->name, "pick-layout") && lw_layout_pick_missing(ex, ex->panes.active, &side))
        return true;
    return layout && lw_layouts_are_several(&ex->layouts) &&
           (!ex->layouts.has_other || lw_layouts_compare_several(&ex->layouts));
}

bool lw_key_is_contextual(const struct lw_key_action *action)
{
    static const char *const names[] = {
        "play",        "play-all",     "access",      "other-layout",    "pick-layout",
        "lesson-hint", "lesson-again", "lesson-back", "conversion-next", "conversion-back"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(action->name, names[i]))
            return true;
    return false;
}

/* ---- Keys with a condition ---- */

static bool has_cells(const struct lw_explorer *ex)
{
    return ex->panes.active->has_view && !ex->panes.active->view.type->prose;
}

static bool has_spots(const struct lw_explorer *ex)
{
    return has_cells(ex) && ex->panes.active->view.type->spot;
}

/* Only pictures have cells that are lit or dimmed. */
static bool has_lit(const struct lw_explorer *ex)
{
    bool lit = false;
    for (int i = 0; i < ex->panes.count; i++)
        lit = lit || lw_pane_is_picture(&ex->panes.all[i]);
    return lit && has_spots(ex);
}

/* Whether some cells are lit, and others are not. */
static bool has_unlit(const struct lw_explorer *ex)
{
    struct lw_follow follow;
    bool unlit = false;
    lw_follow_begin(ex, &follow);
    for (int i = 0; i < ex->panes.count; i++)
        unlit =
            unlit || (lw_pane_is_picture(&ex->panes.all[i]) && !ex->panes.all[i].lit_everywhere);
    return unlit && (follow.on || ex->focus != LW_FOCUS_VIEW) && has_spots(ex);
}

static bool has_colors(const struct lw_explorer *ex)
{
    return has_cells(ex) && ex->panes.active->view.color;
}

static bool has_richer(const struct lw_explorer *ex)
{
    return ex->panes.active->zooms[1];
}

static bool has_coarser(const struct lw_explorer *ex)
{
    return ex->panes.active->zooms[0];
}

static bool has_whole(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    return lw_zoom_is_merged(pane) ||
           (has_cells(ex) && pane->mapped && pane->chosen[pane->view_index].zoom);
}

static bool has_past(const struct lw_explorer *ex)
{
    return (ex->focus & (LW_FOCUS_KERNEL | LW_FOCUS_FOLDER)) ||
           ex->list.entries[ex->list.entry].past_count > 0;
}

static bool has_undone(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    return (ex->focus & (LW_FOCUS_KERNEL | LW_FOCUS_FOLDER)) ||
           entry->past_total > entry->past_count;
}

static bool has_marks(const struct lw_explorer *ex)
{
    return ex->marks.count > 0;
}

static bool has_second(const struct lw_explorer *ex)
{
    return ex->panes.count > 1;
}

static bool has_found(const struct lw_explorer *ex)
{
    return ex->prompt.found[0] || ex->layouts.has_other;
}

static bool has_layout(const struct lw_explorer *ex)
{
    return !(ex->focus & LW_FOCUS_GALLERY) || ex->list.entries[ex->list.entry].loaded;
}

static bool has_several(const struct lw_explorer *ex)
{
    return lw_layouts_are_several(&ex->layouts);
}

/* Whether the text of a lesson may need scrolling: always true for a pane beside the view, whose lines are shorter. */
static bool lesson_scrolls(const struct lw_explorer *ex)
{
    struct lw_panes panes;
    if (!lw_lesson_is_on(ex))
        return false;
    lw_panes(ex, &panes);
    return panes.lesson.width < ex->screen.width || panes.lesson.height < lw_lesson_height(ex);
}

static const struct {
    const char *name;
    bool (*has_use)(const struct lw_explorer *ex);
} needs[] = {
    {"dim", has_unlit},
    {"follow", has_lit},
    {"color", has_colors},
    {"mark", has_spots},
    {"color-back", has_colors},
    {"select", has_cells},
    {"zoom-in", has_richer},
    {"zoom-out", has_coarser},
    {"undo", has_past},
    {"zoom-whole", has_whole},
    {"redo", has_undone},
    {"find-next", has_found},
    {"find-previous", has_found},
    {"clear-marks", has_marks},
    {"other-view", has_second},
    {"solve", has_several},
    {"lesson-down", lesson_scrolls},
    {"lesson-up", lesson_scrolls},
    {"split", has_layout},
    {"about", has_layout},
};

bool lw_key_has_use(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    if (lw_key_is_contextual(action))
        return is_relevant(ex, action);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!strcmp(action->name, needs[i].name))
            return needs[i].has_use(ex);
    return true;
}
