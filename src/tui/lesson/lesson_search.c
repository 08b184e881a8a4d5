/* The search for the fewest wavefronts of a store and a load with any swizzle or padding, for the steps that
 * need it. It runs in slices between events, once for each store and load; until it ends, goals that
 * need the result are not met, and texts have "...". */

#include "tui/lesson/lesson_run.h"

#include <stdlib.h>
#include <string.h>

/* ---- The store and the load ---- */

static const char marker[] = "{best}";

static bool goals_need_search(const struct lw_goals *goals)
{
    for (int i = 0; i < goals->count; i++)
        if (lw_goal_is_searched(goals->items[i].kind) ||
            (goals->items[i].other && lw_goal_is_searched(goals->items[i].other)))
            return true;
    return false;
}

static bool step_needs_search(const struct lw_step *step)
{
    for (size_t i = 0; i < step->hints.count; i++)
        if (strstr(step->hints.lines[i], marker))
            return true;
    return strstr(step->text, marker) || strstr(step->task, marker) || strstr(step->done, marker) ||
           goals_need_search(&step->goal) || goals_need_search(&step->before) ||
           goals_need_search(&step->after);
}

/* Fills in the store and the load. False: there is no tile in shared memory with both. */
static bool make_sides(const struct lw_explorer *ex, struct lw_lesson_sides *sides)
{
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    const struct lw_subject *memory = state.sides[LW_SIDE_S];
    const struct lw_subject *store = lw_lesson_registers(&state, LW_ACCESS_STORE);
    const struct lw_subject *load = lw_lesson_registers(&state, LW_ACCESS_LOAD);
    if (!memory || !load)
        return false;
    sides->element_bits = (unsigned)memory->tensor.element.bits;
    sides->hardware = memory->hardware;
    sides->triton = lw_subject_triton(memory);
    sides->stage = lw_subject_stage(state.sides);
    return lw_map_to_layout(&store->map, &sides->store, NULL) &&
           lw_map_to_layout(&load->map, &sides->load, NULL);
}

static bool are_same(const struct lw_lesson_sides *a, const struct lw_lesson_sides *b)
{
    return a->element_bits == b->element_bits && a->stage == b->stage &&
           a->hardware == b->hardware && lw_layout_equal(&a->store, &b->store) &&
           lw_layout_equal(&a->load, &b->load);
}

/* ---- Searching ---- */

static bool search_some(struct lw_explorer *ex, struct lw_job *job)
{
    struct lw_swizzle_search *search = ex->lesson->best.search;
    bool more = lw_swizzle_step(search, 1);
    job->done = search->done;
    job->total = search->total;
    return more;
}

static void ended(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    struct lw_lesson_best *best = &ex->lesson->best;
    best->found = finished ? LW_BEST_KNOWN : job->stopped ? LW_BEST_STOPPED : LW_BEST_UNKNOWN;
    if (finished)
        best->value = lw_swizzle_wavefronts(lw_swizzle_best(best->search));
    lw_swizzle_end(best->search);
    free(best->search);
    best->search = NULL;
    lw_lesson_refill(ex);
}

static void begin(struct lw_explorer *ex, struct lw_lesson_best *best)
{
    const struct lw_job job = {
        .what = "searching for the best swizzle", .step = search_some, .end = ended};
    struct lw_map store, load; /* used only when the search begins, and when a layout is printed */
    struct lw_swizzle_request request = {.store = &store,
                                         .load = &load,
                                         .element_bits = best->sides.element_bits,
                                         .stage = best->sides.stage,
                                         .hardware = best->sides.hardware,
                                         .triton = best->sides.triton};
    lw_map_from_layout(&store, &best->sides.store);
    lw_map_from_layout(&load, &best->sides.load);
    best->search = malloc(sizeof *best->search);
    if (!best->search) {
        ex->failed = true;
    } else if (!lw_swizzle_begin(best->search, &request, NULL)) {
        free(best->search);
        best->search = NULL;
        best->found = LW_BEST_NONE;
    } else {
        best->search->request.store = best->search->request.load = NULL;
        best->found = LW_BEST_SEARCHING;
        lw_job_start(ex, &job);
        lw_job_try(ex); /* most searches end here */
    }
}

void lw_lesson_search(struct lw_explorer *ex)
{
    struct lw_lesson_best *best = &ex->lesson->best;
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    struct lw_lesson_sides sides;
    if (!step || !step_needs_search(step)) {
        if (best->search)
            lw_job_cancel(ex);
        return;
    }
    bool has = make_sides(ex, &sides);
    if (has && best->found != LW_BEST_UNKNOWN && are_same(&sides, &best->sides))
        return;
    if (best->search)
        lw_job_cancel(ex);
    best->found = has ? LW_BEST_UNKNOWN : LW_BEST_NONE;
    if (!has || (ex->job.step && !ex->job.quiet)) /* another job is running */
        return;
    best->sides = sides;
    begin(ex, best);
}
