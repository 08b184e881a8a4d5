/* The player: the accesses of a document, one instruction and wavefront after the other. The elements that a wavefront
 * moves are highlighted in every view; the banks view shows its wavefronts. */

#include "tui/explore/explorer.h"
#include "view/banks/bank_folds.h"

#include <limits.h>

enum { STEP_MS = 400 };
enum { ROWS_BEFORE = 2 }; /* those of words and lanes, before the wavefronts of an instruction */

static bool is_banks(const struct lw_view_pane *pane)
{
    return pane->has_view && pane->view.type == lw_view_type_find("banks");
}

/* The folds of the rows of the banks view of the whole access; NULL: another view. */
static const struct lw_bank_folds *folds_of(const struct lw_view *view)
{
    return lw_bank_folds_of(view->subject->access, view->options.access, NULL);
}

/* Moves the cursor to the row of the shown instruction or wavefront; it keeps its bank if that is served. */
static void follow(struct lw_view_pane *pane, uint64_t instruction,
                   const struct lw_view_options *play)
{
    const struct lw_view *view = &pane->view;
    uint64_t count = 0;
    uint64_t col = pane->col = pane->col < pane->view.cols ? pane->col : pane->view.cols - 1;
    const struct lw_bank_folds *folds = play->instruction ? NULL : folds_of(&pane->view);
    struct lw_spot spot;
    if (folds && lw_subject_access_count(view->subject->access, view->options.access, &count, NULL))
        pane->row =
            instruction && instruction <= count ? lw_bank_folds_row(folds, instruction - 1) : 0;
    else if (play->wavefront)
        pane->row = ROWS_BEFORE + play->wavefront - 1;
    if (!play->wavefront || pane->view.type->spot(&pane->view, pane->row, col, &spot))
        return;
    for (col = 0; col < pane->view.cols; col++) /* the first bank that is served */
        if (pane->view.type->spot(&pane->view, pane->row, col, &spot)) {
            pane->col = col;
            return;
        }
}

static bool reopen_all(struct lw_explorer *ex, const struct lw_view_options *before)
{
    struct lw_view_pane *keys = ex->panes.active;
    bool good = true;
    for (int i = 0; i < ex->panes.count; i++) {
        struct lw_view_pane *pane = ex->panes.active = &ex->panes.all[i];
        bool banks = is_banks(pane);
        uint64_t col = pane->col, top = pane->top;
        lw_pane_reopen(ex, pane);
        good = good && pane->has_view;
        if (banks && pane->has_view) {
            pane->col = col;
            follow(pane, before->instruction, &ex->panes.play);
            if (!before->instruction)
                pane->whole_top = top;
            else if (!ex->panes.play.instruction)
                pane->top = pane->whole_top;
        }
    }
    ex->panes.active = keys;
    ex->changed |= LW_CHANGED_CURSOR;
    return good;
}

/* Shows why there is nothing to play: the reason of the banks view. */
static void show_reason(struct lw_explorer *ex)
{
    struct lw_view view;
    struct lw_error err = ex->layouts.problem;
    const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
    bool memory =
        ex->layouts.has_opened && lw_dims_find(&ex->layouts.opened.subject.map.in, "offset") >= 0;
    if (problem)
        err = *problem;
    else if (ex->layouts.has_opened && lw_view_open(&view, lw_view_type_find("banks"),
                                                    &ex->layouts.opened.subject, NULL, &err)) {
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "there is no access of this kind to step through");
        lw_view_close(&view);
    }
    if (!problem && ex->layouts.has_opened && !lw_layouts_are_several(&ex->layouts))
        lw_explorer_set_message(ex, false,
                                "an access needs %s too: 5 and then X choose one, :%s SOURCE names "
                                "one",
                                memory ? "registers" : "shared memory",
                                lw_side_key(memory ? LW_SIDE_B : LW_SIDE_S));
    else
        lw_explorer_set_message(ex, false, "%s", err.message);
}

/* The number of instructions before those of the row under the cursor, of the whole access. */
static uint64_t first_of_row(const struct lw_view_pane *pane)
{
    const struct lw_bank_folds *folds = folds_of(&pane->view);
    return folds ? lw_bank_folds_first(folds, pane->row) : 0;
}

/* Puts "load 1 of 32", or for a wavefront "load 1 of 32, wavefront 3 of 4". */
static void put_step(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_options *play = &ex->panes.play;
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    struct lw_subject_access *access = subject ? subject->access : NULL;
    const struct lw_served *served =
        access ? lw_subject_access_served(access, play->access, play->instruction - 1) : NULL;
    if (!served)
        return;
    lw_text_format(text, "%s %llu of %llu",
                   served->plan->request.op == LW_ACCESS_STORE ? "store" : "load",
                   (unsigned long long)served->number + 1, (unsigned long long)served->count);
    if (play->wavefront)
        lw_text_format(text, ", wavefront %u of %u", play->wavefront, served->wavefronts.count);
    lw_text_add(text, ": ");
}

/* Shows the present step and the keys that continue; "now " is before it when another instruction begins. */
static void set_message(struct lw_explorer *ex, bool begins, const char *keys)
{
    struct lw_text step = {0};
    put_step(ex, &step);
    lw_explorer_set_message(ex, false, "%s%s%s", begins && step.length ? "now " : "",
                            lw_text_string(&step), keys);
    lw_text_free(&step);
}

bool lw_play_open(struct lw_explorer *ex)
{
    const struct lw_view_options before = ex->panes.play;
    struct lw_view_pane *pane = ex->panes.active;
    if (before.instruction || !is_banks(pane))
        return false;
    ex->panes.play.instruction = first_of_row(pane) + 1;
    ex->panes.play.wavefront = 0;
    reopen_all(ex, &before);
    ex->changed |= LW_CHANGED_VIEW;
    set_message(ex, false, "Space plays its wavefronts, Space Space all, Esc shows all");
    return true;
}

void lw_play(struct lw_explorer *ex, int by)
{
    const struct lw_view_options before = ex->panes.play;
    if (by > 0 && lw_form_flip_bit(ex))
        return;
    /* Starts at the instruction under the cursor. */
    if (!before.instruction && is_banks(ex->panes.active) && by > 0)
        ex->panes.play.instruction = first_of_row(ex->panes.active);
    if (ex->panes.play.instruction && !before.instruction)
        ex->panes.play.wavefront = UINT_MAX; /* after the last one of the instruction above */
    if (!lw_layouts_are_several(&ex->layouts) || !ex->layouts.has_opened ||
        !lw_view_step(&ex->layouts.opened.subject, &ex->panes.play, by)) {
        ex->panes.play = before;
        show_reason(ex);
        return;
    }
    const struct lw_view_options *now = &ex->panes.play;
    bool wrapped = now->instruction > before.instruction ||
                   (now->instruction == before.instruction && now->wavefront >= before.wavefront);
    if (by < 0 && wrapped) { /* before the first one the whole access is shown */
        ex->panes.play = before;
        lw_play_stop(ex);
        return;
    }
    reopen_all(ex, &before);
    if (!before.instruction)
        ex->changed |= LW_CHANGED_VIEW; /* the banks view has other rows */
    bool begins = before.instruction && now->instruction != before.instruction;
    set_message(ex, begins,
                ex->panes.next_step ? "any key stops"
                                    : "←→ step, Space Space plays, Esc shows all");
}

bool lw_play_step(struct lw_explorer *ex, int by)
{
    if (!ex->panes.play.wavefront || !is_banks(ex->panes.active))
        return false;
    lw_play(ex, by);
    return true;
}

void lw_play_auto(struct lw_explorer *ex, int unused)
{
    (void)unused;
    lw_play(ex, 1);
    if (ex->panes.play.instruction)
        ex->panes.next_step = lw_now_ms() + STEP_MS;
}

/* Ends after the last wavefront of the last instruction. */
void lw_play_tick(struct lw_explorer *ex)
{
    const struct lw_view_options before = ex->panes.play;
    if (!ex->panes.next_step)
        return;
    lw_play(ex, 1);
    const struct lw_view_options *now = &ex->panes.play;
    bool ended = now->instruction < before.instruction ||
                 (now->instruction == before.instruction && now->wavefront <= before.wavefront);
    ex->panes.next_step = ended ? 0 : lw_now_ms() + STEP_MS;
    if (ended && before.instruction) {
        lw_play_stop(ex);
        lw_explorer_set_message(ex, false, "all wavefronts were shown");
    }
}

bool lw_play_pause(struct lw_explorer *ex)
{
    bool went_on = ex->panes.next_step != 0;
    ex->panes.next_step = 0;
    return went_on;
}

/* "stores A to S: 32 wavefronts, ideal 32" */
static void put_total(const struct lw_explorer *ex, enum lw_access_op op, struct lw_text *text)
{
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    const struct lw_plan_total *total = NULL;
    if (subject->access && lw_subject_access_check(subject, NULL))
        total = lw_subject_access_total(subject->access, op, NULL);
    lw_text_add(text, op == LW_ACCESS_STORE ? "stores A to S" : "loads S to B");
    if (total)
        lw_text_format(text, ": %llu wavefronts, ideal %llu", (unsigned long long)total->wavefronts,
                       (unsigned long long)total->ideal);
}

void lw_play_access(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (!lw_layouts_are_several(&ex->layouts)) {
        lw_play(ex, 0);
        return;
    }
    bool stores = lw_explorer_has_access(ex, LW_ACCESS_STORE);
    if (!stores || !lw_explorer_has_access(ex, LW_ACCESS_LOAD)) {
        lw_explorer_set_message(ex, false, "this operation only %s: it has no other access",
                                stores ? "stores" : "loads");
        return;
    }
    ex->panes.play =
        (struct lw_view_options){.access = (enum lw_view_access)((ex->panes.play.access + 1) % 3)};
    reopen_all(ex, &ex->panes.play); /* the instructions are numbered in another way */
    ex->changed |= LW_CHANGED_VIEW;  /* the banks view has other rows */
    struct lw_text text = {0};
    enum lw_view_access access = ex->panes.play.access;
    enum lw_access_op first = access == LW_VIEW_LOAD ? LW_ACCESS_LOAD : LW_ACCESS_STORE;
    lw_text_add(&text, "shown: ");
    put_total(ex, first, &text);
    lw_text_add(&text, access == LW_VIEW_BOTH ? "; " : "; not shown: ");
    put_total(ex, first == LW_ACCESS_STORE ? LW_ACCESS_LOAD : LW_ACCESS_STORE, &text);
    lw_explorer_set_message(ex, false, "%s", lw_text_string(&text));
    lw_text_free(&text);
}

bool lw_play_stop(struct lw_explorer *ex)
{
    if (ex->panes.play.instruction == 0)
        return false;
    const struct lw_view_options before = ex->panes.play;
    ex->panes.play.instruction = 0;
    ex->panes.play.wavefront = 0;
    reopen_all(ex, &before);
    ex->changed |= LW_CHANGED_VIEW;
    return true;
}
