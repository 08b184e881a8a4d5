/* The actions: one row each, with its keys, the focus at which they work, and its line of help. Keys, the `?` screen,
 * the status line and scripts all read this table. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/draw/drawing.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/move/moving.h"
#include "tui/access/solve.h"
#include "tui/prompt/prompt.h"

#include <string.h>

enum {
    ANYWHERE = LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_GALLERY | LW_FOCUS_LESSON,
    PICTURE = LW_FOCUS_VIEW | LW_FOCUS_GALLERY, /* also the picture of the entry in the list */
    BROWSING = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER,
    LISTS = BROWSING | LW_FOCUS_SOLVE,
    IN_LESSON = LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_LESSON | LW_FOCUS_LESSON_ONLY,
    OVER = LW_FOCUS_HELP | LW_FOCUS_PAGE,
    PROMPT = LW_FOCUS_FIND | LW_FOCUS_COMMAND | LW_FOCUS_SAVE | LW_FOCUS_MARK | LW_FOCUS_EXPORT |
             LW_FOCUS_ANSWER
};

/* ---- Focus ---- */

/* The order of Tab: each view pane, the form, the list, the lesson. In a lesson the pane of the target is last, as
 * there one Tab leads to the parameters. */
static void cycle_focus(struct lw_explorer *ex, int by)
{
    static const unsigned ring[] = {LW_FOCUS_VIEW, LW_FOCUS_FORM, LW_FOCUS_GALLERY,
                                    LW_FOCUS_LESSON};
    bool turned = lw_lesson_is_on(ex) && ex->panes.count > 1;
    int count = ex->panes.count + (lw_lesson_is_on(ex) ? 3 : 2);
    int at = ex->focus == LW_FOCUS_VIEW      ? (int)(ex->panes.active - ex->panes.all)
             : ex->focus == LW_FOCUS_FORM    ? ex->panes.count
             : ex->focus == LW_FOCUS_GALLERY ? ex->panes.count + 1
                                             : count - 1;
    if (turned) /* of panes 0 and 1: 0, form, list, lesson, 1 */
        at = at == 0 ? 0 : at == 1 ? count - 1 : at - 1;
    at = (at + by + count) % count;
    if (turned)
        at = at == 0 ? 0 : at == count - 1 ? 1 : at + 1;
    ex->focus = ring[at < ex->panes.count ? 0 : at - ex->panes.count + 1];
    if (at < ex->panes.count)
        ex->panes.active = &ex->panes.all[at];
    if (ex->focus == LW_FOCUS_FORM)
        lw_form_enter(ex);
    ex->changed |= LW_CHANGED_CURSOR;
}

static void set_focus(struct lw_explorer *ex, int focus)
{
    ex->focus = (unsigned)focus;
    if (ex->focus == LW_FOCUS_FORM)
        lw_form_enter(ex);
    ex->changed |= LW_CHANGED_CURSOR;
}

static void open_form(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (lw_explorer_is_edited(ex))
        set_focus(ex, LW_FOCUS_FORM);
}

/* In a view of all accesses, opens the one under the cursor. */
static void enter_view(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!lw_play_open(ex))
        open_form(ex, 0);
}

/* Begins a lesson of the list, opens a kernel as a table, or shows a layout. */
static void open_entry(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (lw_entry_is_kernel(lw_explorer_entry(ex))) {
        lw_open(ex, lw_explorer_entry(ex)->source);
        return;
    }
    lw_trail_push(ex);
    if (!lw_lesson_open_chosen(ex))
        set_focus(ex, LW_FOCUS_VIEW);
    else if (ex->focus == LW_FOCUS_GALLERY)
        lw_trail_drop(ex); /* as it could not be read */
}

static void open_help(struct lw_explorer *ex, int unused)
{
    (void)unused;
    ex->page.top = 0;
    ex->page.found = -1;
    lw_focus_open(ex, LW_FOCUS_HELP);
}

/* Unsaved changes stay in their recovery files. */
static void leave(struct lw_explorer *ex, int unused)
{
    (void)unused;
    ex->save.abandoned = true;
    ex->quit = true;
}

/* Nothing else is needed: after every event but a movement of the cursor the whole screen is drawn. */
static void redraw(struct lw_explorer *ex, int unused)
{
    (void)ex;
    (void)unused;
}

/* ---- Views ---- */

static void zoom(struct lw_explorer *ex, int by)
{
    struct lw_view_pane *pane = ex->panes.active;
    if (lw_pane_zoom_step(ex, pane, by)) {
        if (ex->layouts.has_other) /* both compared views get the same zoom */
            for (int i = 0; i < ex->panes.count; i++)
                ex->panes.all[i].chosen[pane->view_index] = pane->chosen[pane->view_index];
        ex->changed |= LW_CHANGED_VIEW;
        return;
    }
    lw_pane_try_zooms(ex, pane);
    if (!pane->zooms[0] && !pane->zooms[1])
        lw_explorer_set_message(ex, false, "this view has one size");
    else
        lw_explorer_set_message(ex, false, "%s",
                                by > 0                   ? "a cell has no more text than this"
                                : lw_pane_fits(ex, pane) ? "all of this view is shown"
                                                         : "cells do not get smaller than these");
}

/* The next colour key that this view and layout have. */
static void cycle_color(struct lw_explorer *ex, int by)
{
    size_t count, start = ex->panes.active->color;
    lw_color_keys(&count);
    do {
        ex->panes.active->color = (ex->panes.active->color + count + 1 + (size_t)by) % (count + 1);
        lw_pane_reopen(ex, ex->panes.active);
    } while (!ex->panes.active->color_fits && ex->layouts.has_opened &&
             ex->panes.active->color != start);
    if (ex->layouts.has_other) /* both compared views */
        for (int i = 0; i < ex->panes.count; i++)
            ex->panes.all[i].color = ex->panes.active->color;
    if (ex->panes.active->has_view && ex->panes.active->view.color)
        lw_explorer_set_message(ex, false, "colours: %s", ex->panes.active->view.color);
    ex->changed |= ex->layouts.has_other ? LW_CHANGED_VIEW : LW_CHANGED_DETAIL;
}

/* Gives the view the room of the form, which is then shown only while it has the focus. */
static void fold(struct lw_explorer *ex, int unused)
{
    struct lw_panes rects;
    (void)unused;
    lw_panes(ex, &rects);
    bool hidden = ex->form.folded || (ex->form.gives_way && !rects.form.height);
    ex->form.folded = !hidden;
    ex->form.kept = hidden;
    if (ex->focus == LW_FOCUS_FORM)
        ex->focus = LW_FOCUS_VIEW;
    ex->changed |= LW_CHANGED_VIEW;
    if (ex->form.folded)
        lw_explorer_set_message(ex, false, "parameters hidden: P shows them, Tab edits them");
}

/* ---- Editing ---- */

static void edit_field(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!lw_pick_open(ex, 0))
        lw_form_edit(ex, 0);
}

static void accept(struct lw_explorer *ex, int move)
{
    if (ex->focus != LW_FOCUS_EDIT)
        lw_prompt_accept(ex);
    else if (lw_form_accept(ex) && move)
        lw_form_move(ex, move);
}

/* Sorts by the next column or the one before; 0: in reverse. */
static void sort_rows(struct lw_explorer *ex, int by)
{
    if (ex->focus == LW_FOCUS_SOLVE && by)
        lw_solve_sort(ex, by);
    else if (ex->focus == LW_FOCUS_SOLVE)
        lw_solve_reverse(ex);
    else if (by)
        lw_browse_sort(ex, by);
    else
        lw_browse_reverse(ex, 0);
}

static void turn(struct lw_explorer *ex, int by)
{
    if (!lw_form_turn(ex, by))
        accept(ex, by);
}

static const struct lw_key_action actions[] = {
    {"up", ANYWHERE | LISTS | OVER, "Up k", "move", "up", lw_go_vertical, -1},
    {"down", ANYWHERE | LISTS | OVER, "Down j", NULL, "down", lw_go_vertical, 1},
    {"dim", LW_FOCUS_VIEW, "h", "dim", "dim what is not lit; in an MMA light a row and a column",
     lw_follow_dim, 0},
    {"left", LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_PAGE, "Left", NULL,
     "left; in the form: the previous number; in the player: the wavefront before",
     lw_go_horizontal, -1},
    {"form-left", LW_FOCUS_FORM | LW_FOCUS_PAGE, "h", NULL, "as Left; in a view h dims",
     lw_go_horizontal, -1},
    {"right", LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_PAGE, "Right l", NULL,
     "right; in the form: the next number; in the player: the next wavefront", lw_go_horizontal, 1},
    {"page-up", ANYWHERE | LISTS | OVER | LW_FOCUS_VIEWS, "PgUp", NULL, "a page up", lw_go_page,
     -2},
    {"page-down", ANYWHERE | LISTS | OVER | LW_FOCUS_VIEWS, "PgDn", NULL, "a page down", lw_go_page,
     2},
    {"fold-group", LW_FOCUS_GALLERY, "Left h", "fold", "fold this group of the list",
     lw_go_horizontal, -1},
    {"unfold-group", LW_FOCUS_GALLERY, "Right l", NULL, "unfold this group", lw_go_horizontal, 1},
    {"half-up", ANYWHERE | LISTS | OVER, "C-u", NULL, "half a page up", lw_go_page, -1},
    {"half-down", ANYWHERE | LISTS | OVER, "C-d", NULL, "half a page down", lw_go_page, 1},
    {"home", LW_FOCUS_VIEW, "Home 0", NULL, "the first column", lw_go_edge, 0},
    {"end", LW_FOCUS_VIEW, "End $", NULL, "the last column", lw_go_edge, 1},
    {"first", LW_FOCUS_VIEW, "g", NULL, "the first cell", lw_go_corner, 0},
    {"last", LW_FOCUS_VIEW, "G", NULL, "the last cell", lw_go_corner, 1},
    {"top", (ANYWHERE & ~LW_FOCUS_VIEW) | LISTS | OVER, "g Home", NULL, "the first line",
     lw_go_corner, 0},
    {"bottom", (ANYWHERE & ~LW_FOCUS_VIEW) | LISTS | OVER, "G End", NULL, "the last line",
     lw_go_corner, 1},
    {"next-pane", ANYWHERE, "Tab", "pane", "the next pane: view, form, list", cycle_focus, 1},
    {"previous-pane", ANYWHERE, "S-Tab", NULL, "the previous pane", cycle_focus, -1},
    {"sort-next", LISTS, "Right l", "sort", "sort by the next column", sort_rows, 1},
    {"sort-previous", LISTS, "Left h", NULL, "sort by the previous column", sort_rows, -1},
    {"sort-reverse", LISTS, "r", "reverse", "reverse the order", sort_rows, 0},
    {"enter", BROWSING, "Enter", "open", "open the kernel, or the layouts of the operation",
     lw_browse_enter, 0},
    {"other-list", LW_FOCUS_KERNEL, "Tab S-Tab", "list",
     "switch between the operations and the layouts", lw_browse_turn, 0},
    {"next-part", LW_FOCUS_KERNEL, "]", NULL, "the next part of a file with several kernels",
     lw_browse_part, 1},
    {"previous-part", LW_FOCUS_KERNEL, "[", NULL, "the previous part", lw_browse_part, -1},
    {"open", LW_FOCUS_GALLERY, "Enter", "open",
     "show this layout, or begin this lesson, or open this kernel", open_entry, 0},
    {"lesson-next", LW_FOCUS_LESSON | LW_FOCUS_LESSON_ONLY, "Enter", "next step",
     "in a lesson: the next step, once the goal is met", lw_lesson_next, 0},
    {"lesson-hint", IN_LESSON, "L", "hint", "in a lesson: a hint", lw_lesson_hint, 0},
    {"lesson-again", IN_LESSON, "R", "restart", "in a lesson: begin this step again",
     lw_lesson_back, 0},
    {"lesson-back", IN_LESSON, "p", "previous", "in a lesson: the previous step", lw_lesson_back,
     1},
    {"lesson-fold", IN_LESSON, "z", NULL, "in a lesson: hide or show its text, but not the task",
     lw_lesson_fold, 0},
    {"lesson-down", IN_LESSON, ">", NULL, "in a lesson: scroll its text down", lw_lesson_scroll, 3},
    {"lesson-up", IN_LESSON, "<", NULL, "in a lesson: scroll its text up", lw_lesson_scroll, -3},
    {"follow", LW_FOCUS_VIEW, "H", "follow",
     "choose what is lit: thread, lane, warp, register, bank", lw_follow_next, 1},
    {"enter-view", LW_FOCUS_VIEW, "Enter", "edit",
     "edit the parameters; on banks: open this instruction", enter_view, 0},
    {"form", LW_FOCUS_VIEW, "F", NULL, "edit the parameters, from any view", open_form, 0},
    {"fold", ANYWHERE, "P", "fold", "hide or show the parameters beside the view", fold, 0},
    {"edit", LW_FOCUS_FORM, "Enter", "type", "edit the value (typing a digit also begins an edit)",
     edit_field, 0},
    {"swap", LW_FOCUS_FORM, "x", "swap",
     "swap the entry with the next one: of an order, bases, sizes", lw_form_swap, 0},
    {"step-up", LW_FOCUS_FORM, "+ =", "step",
     "the next value: doubled, plus one, or the other of two", lw_form_step, 1},
    {"step-down", LW_FOCUS_FORM, "- _", NULL, "the previous value", lw_form_step, -1},
    {"undo", ANYWHERE, "u", "undo", "undo an edit", lw_solve_undo, 0},
    {"redo", ANYWHERE, "C-r", NULL, "redo an edit", lw_solve_undo, 1},
    {"save", ANYWHERE, "s", NULL, "save this layout", lw_save, 0},
    {"save-as", ANYWHERE, "S", NULL, "save this layout to another file", lw_save_prompt, 0},
    {"zoom-in", PICTURE, "+ =", "zoom", "more text in each cell", zoom, 1},
    {"zoom-out", PICTURE, "- _", "zoom", "less text in each cell, more cells", zoom, -1},
    {"zoom-whole", PICTURE, "Z", "elements",
     "from the whole view to a cell for each element, and back", lw_zoom_whole, 0},
    {"color", ANYWHERE, "c", "colour", "colour by the next field: lane, warp, register, ...",
     cycle_color, 1},
    {"color-back", ANYWHERE, "C", NULL, "colour by the previous field", cycle_color, -1},
    {"find", ANYWHERE | LISTS | OVER, "/", "find",
     "find 3,5 (an element), t17, w1 l3 r0, bank 7 or a parameter", lw_prompt_open, LW_FOCUS_FIND},
    {"find-next", ANYWHERE | BROWSING | OVER, "n", "next hit", "the next match", lw_find_again, 1},
    {"find-previous", ANYWHERE | BROWSING | OVER, "N", NULL, "the previous match", lw_find_again,
     -1},
    {"command", ANYWHERE | BROWSING, ":", "command",
     "type a command or an expression; :help lists the commands", lw_prompt_open, LW_FOCUS_COMMAND},
    {"about", ANYWHERE, "i", "about",
     "about this layout: the element, the document, each parameter", lw_page_about, 0},
    {"about-row", BROWSING, "i", "about",
     "about this row: what it costs, what is not counted, and why", lw_browse_about, 0},
    {"mark", LW_FOCUS_VIEW, "m", "mark",
     "mark what is under the cursor, or type t17, r0, bank 7 or 3,5", lw_mark_prompt, 0},
    {"clear-marks", ANYWHERE, "M", NULL, "clear all marks", lw_mark_clear, 0},
    {"select", LW_FOCUS_VIEW, "v", NULL, "begin or end a selection of cells", lw_range_begin, 0},
    {"split", ANYWHERE, "|", "split", "open or close a second view", lw_split, 0},
    {"other-view", ANYWHERE, "w", NULL, "go to the other view", lw_split_other, 0},
    {"other-layout", LW_FOCUS_VIEW, "x", "layout",
     "show the next layout of the access in this view", lw_split_layout, 0},
    {"pick-layout", LW_FOCUS_VIEW, "X", "replace",
     "replace the layout shown, or shared S of banks, by one of a list", lw_layout_pick_shown, 0},
    {"layout-up", LW_FOCUS_LAYOUTS, "Up", "choose", "the layout above", lw_layout_pick_move, -1},
    {"layout-down", LW_FOCUS_LAYOUTS, "Down", NULL, "the layout below", lw_layout_pick_move, 1},
    {"layout-far-up", LW_FOCUS_LAYOUTS, "PgUp", NULL, "twelve layouts up", lw_layout_pick_move,
     -12},
    {"layout-far-down", LW_FOCUS_LAYOUTS, "PgDn", NULL, "twelve layouts down", lw_layout_pick_move,
     12},
    {"layout-use", LW_FOCUS_LAYOUTS, "Enter", "use it",
     "use this layout, or the SOURCE that was typed", lw_layout_pick_use, 0},
    {"pick-view", ANYWHERE, "V", NULL, "the list of all views, to choose one", lw_views_open, 0},
    {"pick-view-up", LW_FOCUS_VIEWS, "Up", "choose", "the view above", lw_views_move, -1},
    {"pick-view-down", LW_FOCUS_VIEWS, "Down", NULL, "the view below", lw_views_move, 1},
    {"pick-view-first", LW_FOCUS_VIEWS, "Home", NULL, "the first view", lw_go_corner, 0},
    {"pick-view-last", LW_FOCUS_VIEWS, "End", NULL, "the last view", lw_go_corner, 1},
    {"pick-view-show", LW_FOCUS_VIEWS, "Enter", "show", "show this view", lw_views_show, 0},
    {"copy", LW_FOCUS_VIEW, "y", "copy", "copy the grid, or the selected cells, as text", lw_copy,
     0},
    {"copy-command", ANYWHERE, "Y", NULL, "copy the command line that prints this view", lw_copy,
     1},
    {"export", ANYWHERE, "e", NULL, "write this view to a file; its extension sets the format",
     lw_export_prompt, 0},
    {"compare", ANYWHERE, "d", NULL,
     "compare with it as read or saved, or the last :compare; or end", lw_compare_toggle, 0},
    {"play", LW_FOCUS_VIEW, "Space", "play",
     "of an access: show its next wavefront; in a matrix: flip the bit", lw_play, 1},
    {"play-all", LW_FOCUS_VIEW, "Space-Space", NULL,
     "of an access: play all wavefronts; any key stops", lw_play_auto, 0},
    {"play-back", LW_FOCUS_VIEW, "Backspace", NULL, "the previous wavefront; else a step back",
     lw_back_play, 0},
    {"solve", ANYWHERE, "o", "best", "search for the best swizzle for this store and load",
     lw_solve, 0},
    {"access", LW_FOCUS_VIEW, "a", "access", "of an access: show stores, loads, or both",
     lw_play_access, 0},
    {"conversion-next", LW_FOCUS_VIEW, "]", "next step",
     "of a reduction: the next conversion, or operand", lw_browse_step, 1},
    {"conversion-back", LW_FOCUS_VIEW, "[", NULL, "of a reduction: the conversion before",
     lw_browse_step, -1},
    {"solve-use", LW_FOCUS_SOLVE, "Enter", "use it", "use it as the layout in shared memory",
     lw_solve_apply, 0},
    {"solve-copy", LW_FOCUS_SOLVE, "y", "copy", "copy it as an attribute", lw_solve_copy, 0},
    {"solve-close", LW_FOCUS_SOLVE, "Esc q o", "close", "stop the search, then close the list",
     lw_solve_close, 0},
    {"redraw", ANYWHERE | LISTS | OVER | LW_FOCUS_VIEWS, "C-l", NULL, "draw the screen again",
     redraw, 0},
    {"help", ANYWHERE | LISTS | LW_FOCUS_VIEWS | LW_FOCUS_PAGE, "? F1", "help",
     "the keys (this screen)", open_help, 0},
    {"help-typing", LW_FOCUS_EDIT | LW_FOCUS_PICK | LW_FOCUS_LAYOUTS | PROMPT, "F1", "help",
     "the keys (this screen)", open_help, 0},
    {"back", ANYWHERE | BROWSING | OVER | LW_FOCUS_VIEWS, "Esc", "back",
     "a step back; also stops counting, playing and selecting", lw_back_key, 0},
    {"step-back", (ANYWHERE & ~LW_FOCUS_VIEW) | LISTS | OVER | LW_FOCUS_VIEWS, "Backspace", NULL,
     "a step back", lw_back_key, 0},
    {"close", ANYWHERE | BROWSING, "q", "quit", "a step back; from the first screen: quit",
     lw_back_quit, 0},
    {"leave-views", LW_FOCUS_VIEWS, "V q", NULL, "close this list", lw_back_key, 0},
    {"leave-help", LW_FOCUS_HELP, "? F1 q Enter", NULL, "close this screen", lw_back_key, 0},
    {"leave-page", LW_FOCUS_PAGE, "i q Enter", NULL, "close this page", lw_back_key, 0},
    {"quit",
     ANYWHERE | BROWSING | OVER | LW_FOCUS_EDIT | PROMPT | LW_FOCUS_QUESTION | LW_FOCUS_SOLVE |
         LW_FOCUS_VIEWS | LW_FOCUS_PICK | LW_FOCUS_LAYOUTS,
     "C-c", NULL, "leave at once; unsaved changes are offered at the next start", leave, 0},
    {"pick-up", LW_FOCUS_PICK, "Up", "choose", "the value above", lw_pick_move, -1},
    {"pick-down", LW_FOCUS_PICK, "Down", NULL, "the value below", lw_pick_move, 1},
    {"pick-page-up", LW_FOCUS_PICK, "PgUp", NULL, "eight values up", lw_pick_move, -8},
    {"pick-page-down", LW_FOCUS_PICK, "PgDn", NULL, "eight values down", lw_pick_move, 8},
    {"pick-use", LW_FOCUS_PICK, "Enter", "use it", "use this value, or the one that was typed",
     lw_pick_accept, 0},
    {"pick-next", LW_FOCUS_PICK, "Tab", "next", "use it and go to the next field", lw_pick_accept,
     1},
    {"pick-previous", LW_FOCUS_PICK, "S-Tab", NULL, "use it and go to the previous field",
     lw_pick_accept, -1},
    {"accept", LW_FOCUS_EDIT | PROMPT, "Enter", "done", "accept what was typed", accept, 0},
    {"accept-next", LW_FOCUS_EDIT, "Down", NULL, "accept it and go to the next field", accept, 1},
    {"accept-previous", LW_FOCUS_EDIT, "Up", NULL, "accept it and go to the previous field", accept,
     -1},
    {"next-number", LW_FOCUS_EDIT, "Tab", "next", "the next number of a list, then the next field",
     turn, 1},
    {"previous-number", LW_FOCUS_EDIT, "S-Tab", NULL,
     "the previous number, then the previous field", turn, -1},
    {"complete", LW_FOCUS_COMMAND | LW_FOCUS_SAVE | LW_FOCUS_EXPORT | LW_FOCUS_MARK, "Tab",
     "complete", "complete the word, or list the candidates", lw_complete, 0},
    {"recall", PROMPT, "Up C-p", NULL, "the line typed before; filtering a list: the match above",
     lw_recall_walk, -1},
    {"recall-next", PROMPT, "Down C-n", NULL,
     "the line typed after; filtering a list: the match below", lw_recall_walk, 1},
    {"cancel", LW_FOCUS_EDIT | LW_FOCUS_PICK | LW_FOCUS_LAYOUTS | PROMPT, "Esc", "cancel",
     "discard what was typed", lw_back_key, 0},
    {"stay", LW_FOCUS_QUESTION, "Esc Backspace", NULL, "cancel and continue", lw_back_key, 0},
};

const struct lw_key_action *lw_key_actions(size_t *count)
{
    *count = sizeof actions / sizeof *actions;
    return actions;
}

const struct lw_key_action *lw_key_action_for(unsigned focus, uint32_t key)
{
    char name[16];
    lw_key_name(key, name);
    if (!name[0])
        return NULL;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if ((actions[i].focus_mask & focus) && lw_text_has_word(actions[i].keys, name))
            return &actions[i];
    return NULL;
}
