/* Changes the state by an event. A key runs its action; without one it is typed into the open prompt or field, or
 * begins an edit in the form (a digit or `[`). Also events of the mouse. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/access/solve.h"
#include "tui/prompt/prompt.h"

/* Shows the view of a digit. */
static bool show_view(struct lw_explorer *ex, uint32_t key)
{
    size_t index;
    if (!(ex->focus & (LW_FOCUS_VIEW | LW_FOCUS_GALLERY)) || !lw_view_of_key(key, &index))
        return false;
    ex->focus = LW_FOCUS_VIEW;
    lw_explorer_set_view(ex, index);
    return true;
}

/* Hides the hint for new users after the first key, also in later runs. */
static void hide_hint(struct lw_explorer *ex)
{
    ex->keep.hint = false;
    ex->keep.settings.hint_seen = true;
    if (ex->keep.settings_saved) /* if that fails, the hint is shown again at the next start */
        lw_settings_save("hint_seen", "true", NULL);
}

static bool erases(uint32_t key)
{
    return key == LW_KEY_BACKSPACE || key == 8 || key == 127;
}

/* A key without an action is typed, or chooses from a list; false: it has no use here, which is reported where a
 * message can be seen. */
static bool on_other_key(struct lw_explorer *ex, uint32_t key)
{
    bool begins_value = (key >= '0' && key <= '9') || key == '[';
    bool has_blank = ex->prompt.tabbing.blank; /* and the key is a blank */
    ex->prompt.tabbing.blank = false;
    if (ex->focus == LW_FOCUS_VIEWS)
        return lw_views_key(ex, key) || lw_key_report_unused(ex, key);
    if (lw_lesson_type(ex, key) || show_view(ex, key))
        return true;
    else if (ex->focus == LW_FOCUS_EDIT)
        lw_form_key(ex, key);
    else if (lw_prompt_at(ex->focus) && !ex->prompt.line.text.length && erases(key))
        lw_back(ex);
    else if (lw_prompt_at(ex->focus) && has_blank)
        return false;
    else if (lw_prompt_at(ex->focus) && lw_line_key(&ex->prompt.line, key))
        lw_filter_typed(ex);
    else if (ex->focus == LW_FOCUS_PICK && !ex->form.pick.filter.text.length && erases(key))
        lw_back(ex);
    else if (ex->focus == LW_FOCUS_LAYOUTS && !ex->layout_pick.filter.text.length && erases(key))
        lw_back(ex);
    else if (ex->focus == LW_FOCUS_LAYOUTS)
        lw_layout_pick_key(ex, key);
    else if (ex->focus == LW_FOCUS_PICK)
        lw_pick_key(ex, key);
    else if (ex->focus == LW_FOCUS_FORM && begins_value && !lw_pick_type(ex, key))
        lw_form_edit(ex, key);
    else if (!lw_prompt_at(ex->focus) && !(ex->focus == LW_FOCUS_FORM && begins_value))
        return lw_key_report_unused(ex, key);
    return true;
}

/* False: nothing changed. */
static bool on_key(struct lw_explorer *ex, uint32_t key)
{
    if (key == LW_KEY_SPACE_TWICE && !lw_key_action_for(ex->focus, key))
        key = ' ';
    bool paused = lw_play_pause(ex), clears = ex->status.message[0] ||
                                              ex->prompt.candidates.length || ex->keep.hint ||
                                              ex->flash.on;
    lw_flash_pause(ex);
    ex->status.message[0] = '\0';
    lw_text_clear(&ex->prompt.candidates);
    ex->prompt.tabbing.on = ex->prompt.tabbing.on && key == '\t';
    ex->prompt.tabbing.blank = ex->prompt.tabbing.blank && key == ' ';
    if (ex->keep.hint)
        hide_hint(ex);
    if (paused && (key == ' ' || key == LW_KEY_SPACE_TWICE)) {
        lw_explorer_set_message(ex, false, "stopped: Space shows the next, Esc shows all");
        return true;
    }
    if (ex->focus == LW_FOCUS_QUESTION && lw_question_key(ex, key))
        return true;
    const struct lw_key_action *action = lw_key_action_for(ex->focus, key);
    if (key == '\r' && lw_lesson_enter(ex))
        return true;
    if (key == '0' && lw_lesson_type(ex, key)) /* also an action, for which there is Home */
        return true;
    if (lw_pick_begins(ex, key) && lw_pick_type(ex, key))
        return true;
    if (!action)
        return on_other_key(ex, key) || clears;
    action->run(ex, action->argument);
    lw_lesson_use(ex, action->name);
    return true;
}

static bool inside(struct lw_rect rect, int row, int col)
{
    return row >= rect.row && row < rect.row + rect.height && col >= rect.col &&
           col < rect.col + rect.width;
}

/* Accepts the typed text before a click elsewhere. */
static bool settle(struct lw_explorer *ex)
{
    if (ex->focus == LW_FOCUS_QUESTION)
        return false;
    if (ex->focus == LW_FOCUS_EDIT)
        return lw_form_accept(ex);
    if (ex->focus == LW_FOCUS_PICK) {
        lw_pick_accept(ex, 0);
        return ex->focus != LW_FOCUS_PICK;
    }
    lw_solve_end(ex);
    for (unsigned before = 0; before != ex->focus;) {
        before = ex->focus;
        lw_focus_close(ex);
    }
    return true;
}

/* The column of cells `c` columns of the screen from the first; beside the cells of a heat map that of the cursor. */
static uint64_t column_at(const struct lw_view_pane *pane, const struct lw_grid *grid, int c)
{
    uint64_t col = pane->left;
    for (int i = c; col < pane->view.cols && i >= lw_grid_cell(grid, col) + grid->gap;) {
        i -= lw_grid_cell(grid, col) + grid->gap;
        col = lw_grid_next(grid, pane->left, col);
    }
    return pane->view.type->heat && (c < 0 || col >= pane->view.cols) ? pane->col : col;
}

/* Moves the cursor to the cell at a position; false: there is none. */
static bool click_view(struct lw_explorer *ex, struct lw_view_pane *pane, int row, int col,
                       bool drag)
{
    struct lw_grid grid;
    lw_grid(ex, pane, &grid);
    int r = (row - grid.inside.row - 1) * grid.each, c = col - grid.inside.col - grid.label;
    uint64_t at_row = pane->top + (uint64_t)(r > 0 ? r : 0), at_col = pane->left;
    ex->panes.active = pane;
    ex->focus = LW_FOCUS_VIEW;
    if (!pane->has_view || r < 0)
        return false;
    bool matrix = lw_matrix_at(ex, pane, row, col, &at_row, &at_col);
    bool picture = !matrix && pane->view.type->picture;
    bool cells = !matrix && !picture;
    if (picture ? !lw_grid_at(pane, &grid, row, col, &at_row, &at_col)
                : cells && c < 0 && !pane->view.type->heat)
        return false;
    at_col = cells ? column_at(pane, &grid, c) : at_col;
    if ((cells && r >= grid.rows) || at_row >= pane->view.rows || at_col >= pane->view.cols)
        return false;
    if (drag && !pane->ranged) {
        pane->range_row = pane->row;
        pane->range_col = pane->col;
    }
    pane->ranged = drag;
    pane->row = at_row;
    pane->col = at_col;
    ex->panes.moved = true;
    ex->changed |= LW_CHANGED_CURSOR;
    return true;
}

/* A click on a field, a number of it, or its - and +. */
static void click_form(struct lw_explorer *ex, int row, int col)
{
    const struct lw_rect stepper = ex->form.stepper;
    ex->focus = LW_FOCUS_FORM;
    lw_form_show_edited(ex);
    if (inside(stepper, row, col)) {
        lw_form_step(ex, col < stepper.col + stepper.width / 2 ? -1 : 1);
        return;
    }
    for (size_t i = 0; i < ex->form.count; i++)
        if (ex->form.fields[i].path[0] && ex->form.fields[i].row == row) {
            ex->form.item = ex->form.field == i ? ex->form.item : 0;
            ex->form.field = i;
            if (ex->form.fields[i].folds)
                lw_form_unfold(ex, !ex->form.full);
            else
                lw_form_pick_at(ex, col - ex->form.fields[i].col);
            return;
        }
}

/* Shows a layout of the access; a click on the shown one, or on a missing one, opens the list of layouts. */
static void click_strip(struct lw_explorer *ex, struct lw_rect strip, int row, int col)
{
    int side = lw_strip_at(ex, strip, row, col);
    if (side < 0)
        return;
    struct lw_view_pane *pane = ex->panes.active;
    bool there = lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)side, false});
    ex->focus = LW_FOCUS_VIEW;
    if (!there || (int)pane->shown.side == side) {
        lw_layout_pick_open(ex, (enum lw_side)side);
        return;
    }
    lw_explorer_choose_side(ex, (enum lw_side)side);
}

/* A click on the hint of a key works as the key. */
static bool click_hint(struct lw_explorer *ex, int row, int col)
{
    for (size_t i = 0; row == ex->screen.height - 1 && i < ex->status.hint_count; i++)
        if (col >= ex->status.hints[i].col && col < ex->status.hints[i].end) {
            on_key(ex, ex->status.hints[i].key);
            return true;
        }
    return false;
}

/* A click on an answer works as its key, also while a command is typed that is no answer. False: the click closed the
 * question, and is for the part under it. */
static bool click_question(struct lw_explorer *ex, int row, int col)
{
    uint32_t key = lw_question_key_at(ex, row, col);
    if (!key)
        return !lw_question_give_way(ex);
    ex->question.in_line = false;
    on_key(ex, key);
    return true;
}

/* A click on a line of the list, which has `lines` lines; on the chosen one it works as Enter, as in a folder. */
static void click_list(struct lw_explorer *ex, int line, int lines)
{
    struct lw_list_walk walk = {0};
    size_t entry = ex->list.count;
    const bool there = ex->focus == LW_FOCUS_GALLERY;
    bool part = false;
    ex->focus = LW_FOCUS_GALLERY;
    for (int i = 0; i <= line && line < lines; i++)
        entry = lw_list_next(ex, &walk, &part);
    if (entry == ex->list.count || part)
        return;
    if (entry == ex->list.entry) {
        const struct lw_key_action *open = lw_key_action_find(ex, "open");
        if (there && open)
            open->run(ex, open->argument);
        return;
    }
    ex->list.entry = entry;
    ex->changed |= LW_CHANGED_ENTRY;
}

/* `twice`: there was a click at the same position before; on a row of a heat map that works as Enter. */
static void on_click(struct lw_explorer *ex, int row, int col, bool twice)
{
    struct lw_panes panes;
    if (click_hint(ex, row, col))
        return;
    if (ex->focus == LW_FOCUS_QUESTION && click_question(ex, row, col))
        return;
    if (ex->focus == LW_FOCUS_SOLVE && lw_solve_click(ex, row, col))
        return;
    if (ex->focus == LW_FOCUS_LAYOUTS && lw_layout_pick_click(ex, row, col))
        return;
    if (ex->focus == LW_FOCUS_VIEWS && lw_views_click(ex, row, col))
        return;
    if (ex->focus == LW_FOCUS_PICK && lw_pick_click(ex, row, col))
        return;
    if (!settle(ex))
        return;
    lw_refresh(ex, 0);
    if (ex->focus & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)) {
        lw_browse_click(ex, row, col);
        return;
    }
    lw_panes(ex, &panes);
    if (row == 1 && ex->screen.height >= 8 && lw_tab_at(ex, col) >= 0) {
        ex->focus = LW_FOCUS_VIEW;
        lw_explorer_set_view(ex, (size_t)lw_tab_at(ex, col));
    } else if (inside(panes.list, row, col)) {
        click_list(ex, row - panes.list.row - 1, panes.list.height - 2);
    } else if (inside(panes.strip, row, col)) {
        click_strip(ex, panes.strip, row, col);
    } else if (inside(panes.form, row, col)) {
        click_form(ex, row, col);
    } else if (inside(panes.lesson, row, col)) {
        ex->focus = LW_FOCUS_LESSON;
    }
    for (int i = 0; i < ex->panes.count; i++)
        if (inside(panes.view[i], row, col) && click_view(ex, &ex->panes.all[i], row, col, false) &&
            twice)
            lw_play_open(ex);
}

/* Selects from the position of the last click to this one, within that pane. */
static void on_drag(struct lw_explorer *ex, int row, int col)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    if (ex->focus == LW_FOCUS_VIEW &&
        inside(panes.view[ex->panes.active - ex->panes.all], row, col))
        click_view(ex, ex->panes.active, row, col, true);
}

static void on_wheel(struct lw_explorer *ex, int row, int col, int amount)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    if (ex->focus == LW_FOCUS_QUESTION)
        lw_question_give_way(ex);
    const struct lw_key_action *action = lw_key_action_find(ex, amount < 0 ? "up" : "down");
    unsigned focus = ex->focus;
    if (focus == LW_FOCUS_EDIT || focus == LW_FOCUS_QUESTION || lw_prompt_at(focus))
        return;
    if (focus == LW_FOCUS_VIEWS) {
        lw_views_move(ex, amount < 0 ? -1 : 1);
        return;
    }
    if (focus == LW_FOCUS_PICK) {
        lw_pick_move(ex, amount < 0 ? -1 : 1);
        return;
    }
    if (focus == LW_FOCUS_LAYOUTS) {
        lw_layout_pick_move(ex, amount < 0 ? -1 : 1);
        return;
    }
    if (focus == LW_FOCUS_SOLVE) {
        lw_solve_move(ex, amount < 0 ? -1 : 1);
        return;
    }
    if (!(focus & (LW_FOCUS_HELP | LW_FOCUS_PAGE | LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)))
        ex->focus = inside(panes.list, row, col)     ? LW_FOCUS_GALLERY
                    : inside(panes.form, row, col)   ? LW_FOCUS_FORM
                    : inside(panes.lesson, row, col) ? LW_FOCUS_LESSON
                                                     : LW_FOCUS_VIEW;
    for (int i = 0; ex->focus == LW_FOCUS_VIEW && i < ex->panes.count; i++)
        if (inside(panes.view[i], row, col))
            ex->panes.active = &ex->panes.all[i];
    for (int i = 0; i < (amount < 0 ? -amount : amount); i++)
        action->run(ex, action->argument);
    ex->focus = focus;
}

/* Whether a step of the cursor changes only its own pane and the inspector. */
static bool is_cursor_only(const struct lw_explorer *ex)
{
    return ex->focus == LW_FOCUS_VIEW && ex->panes.count == 1 && ex->panes.active->has_view &&
           !ex->panes.active->ranged && !ex->flash.on && !ex->status.message[0] && !ex->keep.hint &&
           !(ex->job.step && !ex->job.quiet) && !ex->lesson && !ex->prompt.candidates.length &&
           ex->screen.height >= 8;
}

/* What a key changed, as lw_update returns it. */
static unsigned on_step(struct lw_explorer *ex, uint32_t key)
{
    const struct lw_view_pane before = *ex->panes.active;
    bool calm = is_cursor_only(ex);
    enum lw_side side = ex->form.side;
    if (!on_key(ex, key))
        return 0;
    lw_refresh(ex, 0);
    calm = calm && ex->refreshed == LW_CHANGED_CURSOR && is_cursor_only(ex) &&
           ex->panes.active->top == before.top && ex->panes.active->left == before.left &&
           ex->form.side == side;
    return calm ? LW_CHANGED_CURSOR : LW_CHANGED_SCREEN;
}

unsigned lw_update(struct lw_explorer *ex, const struct lw_event *event)
{
    unsigned changed = LW_CHANGED_SCREEN;
    const bool twice =
        ex->clicked.on && ex->clicked.row == event->row && ex->clicked.col == event->col;
    ex->refreshed = 0;
    if (event->kind != LW_EVENT_TICK)
        ex->clicked.on = event->kind == LW_EVENT_CLICK;
    switch (event->kind) {
    case LW_EVENT_KEY:
        changed = on_step(ex, event->key);
        break;
    case LW_EVENT_RESIZE:
        ex->screen.height = event->row < 1 ? 1 : event->row;
        ex->screen.width = event->col < 1 ? 1 : event->col;
        ex->changed |= LW_CHANGED_VIEW;
        break;
    case LW_EVENT_CLICK:
        lw_play_pause(ex);
        lw_flash_pause(ex);
        ex->status.message[0] = '\0';
        on_click(ex, event->row, event->col, twice);
        ex->clicked.row = event->row;
        ex->clicked.col = event->col;
        break;
    case LW_EVENT_DRAG:
        on_drag(ex, event->row, event->col);
        break;
    case LW_EVENT_PASTE:
        ex->status.message[0] = '\0';
        lw_play_pause(ex);
        if (ex->focus == LW_FOCUS_QUESTION)
            lw_question_give_way(ex);
        lw_paste(ex, event->text);
        break;
    case LW_EVENT_BACKGROUND:
        lw_options_background(ex, event->key);
        break;
    case LW_EVENT_HOVER:
        break;
    case LW_EVENT_TICK:
        if (!lw_flash_tick(ex))
            lw_play_tick(ex);
        break;
    case LW_EVENT_WHEEL:
        on_wheel(ex, event->row, event->col, event->amount);
        break;
    }
    lw_refresh(ex, 0);
    return changed | ex->refreshed;
}
