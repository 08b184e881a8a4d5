/* The trail: the parts from which each layout, kernel and folder on the screen was opened. */

#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

/* The path of the browsed kernel or folder; NULL: memory is out. */
static char *browsed(const struct lw_explorer *ex, unsigned focus)
{
    const struct lw_browser *browser = ex->browser;
    return strdup(focus == LW_FOCUS_FOLDER ? browser->folder.path : browser->path);
}

bool lw_trail_has_second(const struct lw_explorer *ex)
{
    return ex->panes.count > 1 && !ex->panes.split_by_user && !ex->layouts.has_other;
}

void lw_trail_push(struct lw_explorer *ex)
{
    struct lw_trail *trail = &ex->trail;
    if (trail->count == trail->room) {
        size_t room = trail->room ? 2 * trail->room : 8;
        struct lw_trail_step *steps = realloc(trail->steps, room * sizeof *steps);
        if (!steps) {
            ex->failed = true;
            return;
        }
        trail->steps = steps;
        trail->room = room;
    }
    struct lw_trail_step step = {.focus = lw_focus_below(ex),
                                 .entry = ex->list.entry,
                                 .view = lw_compare_view_after(ex),
                                 .hardware = ex->layouts.hardware};
    if (lw_trail_has_second(ex)) {
        step.has_second = true;
        step.second_view = ex->panes.all[1].view_index;
        step.second_side = ex->panes.all[1].shown.side;
    }
    if (step.focus & LW_BROWSING) {
        step.kernel = browsed(ex, step.focus);
        step.part = ex->browser->part;
        ex->failed = ex->failed || !step.kernel;
    }
    trail->steps[trail->count++] = step;
}

void lw_trail_drop(struct lw_explorer *ex)
{
    if (ex->trail.count)
        free(ex->trail.steps[--ex->trail.count].kernel);
}

void lw_trail_drop_layouts(struct lw_explorer *ex)
{
    const struct lw_trail *trail = &ex->trail;
    while (trail->count && !(trail->steps[trail->count - 1].focus & LW_BROWSING) &&
           !trail->steps[trail->count - 1].lists)
        lw_trail_drop(ex);
}

void lw_trail_free(struct lw_explorer *ex)
{
    while (ex->trail.count)
        lw_trail_drop(ex);
    free(ex->trail.steps);
    ex->trail = (struct lw_trail){0};
}
