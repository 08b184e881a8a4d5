/* The player: an access between two layouts, one instruction and wavefront after the other. What a
 * wavefront moves is lit in every view; the banks view shows how it goes. */

#include "tui/explorer.h"

static bool reopen_all(struct lw_explorer *ex)
{
    struct lw_view_pane *keys = ex->pane;
    bool good = true;
    for (int i = 0; i < ex->pane_count; i++) {
        ex->pane = &ex->panes[i];
        lw_explorer_reopen(ex);
        good = good && ex->pane->has_view;
    }
    ex->pane = keys;
    lw_explorer_moved(ex);
    return good;
}

void lw_play(struct lw_explorer *ex, int by)
{
    uint64_t before = ex->play.instruction;
    if (!ex->has_second || !ex->has_opened || !lw_view_step(&ex->opened.subject, &ex->play, by)) {
        lw_explorer_say(ex, false, "%s",
                        ex->second_problem.code != LW_OK && !ex->has_second
                            ? ex->second_problem.message
                            : "there is no access to step through: that needs a second layout");
        return;
    }
    reopen_all(ex);
    if (!before != !ex->play.instruction)
        lw_explorer_fit(ex); /* the banks view draws something else */
    lw_explorer_say(ex, false, "instruction %llu, wavefront %u: Space the next, Esc all of them",
                    (unsigned long long)ex->play.instruction, ex->play.wavefront);
}

void lw_play_back(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->play.instruction || !lw_browse_back(ex))
        lw_play(ex, -1);
}

void lw_play_access(struct lw_explorer *ex, int unused)
{
    static const char *const names[] = {"stores and loads", "stores", "loads"};
    (void)unused;
    if (!ex->has_second) {
        lw_play(ex, 0);
        return;
    }
    ex->play = (struct lw_view_options){.access = (enum lw_view_access)((ex->play.access + 1) % 3)};
    reopen_all(ex);
    lw_explorer_say(ex, false, "%s", names[ex->play.access]);
}

bool lw_play_stop(struct lw_explorer *ex)
{
    if (ex->play.instruction == 0)
        return false;
    ex->play.instruction = 0;
    ex->play.wavefront = 0;
    reopen_all(ex);
    lw_explorer_fit(ex);
    return true;
}
