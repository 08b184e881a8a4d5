/* Fills in the texts of a step: when it begins, when a search has found the best swizzle, when its goal is met. */

#include "tui/lesson/lesson_run.h"

#include "core/array_count.h"

void lw_lesson_state(const struct lw_explorer *ex, struct lw_lesson_state *state)
{
    *state = (struct lw_lesson_state){
        .own = ex->layouts.has_opened ? &ex->layouts.opened.subject : NULL,
        .pointed = lw_explorer_subject(ex, ex->panes.active),
        .tables = &ex->tables,
        .kernel = ex->lesson ? ex->lesson->lesson.kernel : NULL,
        .lanes = lw_explorer_hardware(ex)->lanes,
        .spot = ex->panes.has_spot && !ex->panes.spot.operand ? &ex->panes.spot : NULL,
    };
    for (int i = 0; i < LW_SIDES; i++)
        state->sides[i] = lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
    const struct lw_lesson_best *best = ex->lesson ? &ex->lesson->best : NULL;
    if (best && best->found == LW_BEST_KNOWN)
        state->best = &best->value;
    else if (best && best->found != LW_BEST_NONE)
        state->best_waits = best->found == LW_BEST_STOPPED ? "is unknown: R starts the search again"
                                                           : "is being searched for";
}

void lw_lesson_fill_done(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    lw_text_clear(&run->done);
    lw_lesson_fill(&run->done, *step->done ? step->done : "Done.", &state, &run->was);
}

void lw_lesson_refill(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_text *const shown[LW_COUNT(run->drafts)] = {&run->text, &run->task, &run->hint_lines};
    const struct lw_step *step = lw_lesson_step(run);
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++) {
        lw_text_clear(shown[i]);
        lw_lesson_fill(shown[i], lw_text_string(&run->drafts[i]), &state, &run->was);
    }
    if (step && lw_lesson_is_on(ex) && (run->met || !run->reached))
        lw_lesson_fill_done(ex, step);
}

void lw_lesson_draft(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_text *drafts = run->drafts;
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    state.drafts = true;
    lw_measures_fill(&run->was, &state);
    for (size_t i = 0; i < LW_COUNT(run->drafts); i++)
        lw_text_clear(&drafts[i]);
    lw_lesson_fill(&drafts[0], step->text, &state, &run->was);
    lw_lesson_fill(&drafts[1], step->task, &state, &run->was);
    for (size_t i = 0; i < step->hints.count; i++) {
        lw_lesson_fill(&drafts[2], step->hints.lines[i], &state, &run->was);
        lw_text_char(&drafts[2], '\n');
    }
}
