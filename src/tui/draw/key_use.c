/* Which keys the view, the access or the lesson on the screen has a use for. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"

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
    if (!strncmp(action->name, "lesson-", 7))
        return lw_lesson_is_on(ex) && lw_lesson_step(ex->lesson);
    if (!strcmp(action->name, "play"))
        return banks || lw_pane_is_matrix(pane);
    if (!strcmp(action->name, "play-all") || !strcmp(action->name, "access"))
        return banks;
    bool layout = !strcmp(action->name, "other-layout") || !strcmp(action->name, "pick-layout");
    enum lw_side side;
    if (!strcmp(action->name, "pick-layout") && lw_layout_pick_missing(ex, ex->panes.active, &side))
        return true;
    return layout && lw_layouts_are_several(&ex->layouts) &&
           (!ex->layouts.has_other || lw_layouts_compare_several(&ex->layouts));
}

bool lw_key_is_contextual(const struct lw_key_action *action)
{
    static const char *const names[] = {"play",         "play-all",    "access",
                                        "other-layout", "pick-layout", "lesson-hint",
                                        "lesson-again", "lesson-back"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(action->name, names[i]))
            return true;
    return false;
}

bool lw_key_has_use(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool cells = pane->has_view && !pane->view.type->prose;
    if (lw_key_is_contextual(action))
        return is_relevant(ex, action);
    if (!strcmp(action->name, "dim") || !strcmp(action->name, "follow"))
        return cells && pane->view.type->spot;
    if (!strcmp(action->name, "color") || !strcmp(action->name, "color-back"))
        return cells && pane->view.color;
    return true;
}
