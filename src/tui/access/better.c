/* What would be better than the shared S on the screen. Invariant: the search borrows maps of the layouts, so it ends
 * before they change. */

#include "tui/access/solve.h"

#include <stdlib.h>
#include <string.h>

/* Begins the search for the access on the screen; false: there is nothing to search, and the line is unchanged. */
static bool begin(struct lw_explorer *ex)
{
    struct lw_solve *solve = ex->better.search = calloc(1, sizeof *solve);
    if (!solve)
        return false;
    solve->has_begun = lw_solve_begin(ex, solve, NULL);
    return solve->has_begun && solve->has_current && !solve->compiled;
}

/* The search too begins here, in a step of the job: a movement of the cursor does not wait for it. */
static bool step(struct lw_explorer *ex, struct lw_job *job)
{
    (void)job;
    if (!ex->better.search)
        return begin(ex);
    return lw_swizzle_step(&ex->better.search->search, 1);
}

/* Appends why fewer wavefronts are possible than the ideal on the screen, which is for the present instructions. */
static void put_ideals(const struct lw_swizzle *best, const struct lw_swizzle *now, bool brief,
                       struct lw_text *text)
{
    const uint64_t ideal = now->store.ideal + now->load.ideal;
    if (lw_swizzle_wavefronts(best) >= ideal)
        return;
    lw_text_format(text,
                   brief
                       ? "; ideal %llu in %llu instructions, here %llu in %llu"
                       : "; its ideal is %llu, as it takes %llu instructions, here %llu with %llu",
                   (unsigned long long)(best->store.ideal + best->load.ideal),
                   (unsigned long long)(best->store.instructions + best->load.instructions),
                   (unsigned long long)ideal,
                   (unsigned long long)(now->store.instructions + now->load.instructions));
}

/* "o: vec 1, perPhase 1, maxPhase 32: 64 wavefronts, now 1056"; in brief "64 wf". */
static void put_result(const struct lw_solve *solve, const char *sharers, bool brief,
                       struct lw_text *text)
{
    const struct lw_swizzle *best = lw_solve_best(&solve->search);
    uint64_t now = lw_swizzle_wavefronts(&solve->current), then = lw_swizzle_wavefronts(best);
    if (then >= now) {
        lw_text_format(text, "no swizzle and no padding%s %s in fewer wavefronts",
                       solve->search.unknown ? " of known cost" : "",
                       !solve->has[1]   ? "stores"
                       : !solve->has[0] ? "loads"
                                        : "stores and loads");
        return;
    }
    lw_text_add(text, "o: ");
    lw_solve_label(solve, best, text);
    lw_text_format(text, ": %llu %s, now %llu", (unsigned long long)then,
                   brief       ? "wf"
                   : then == 1 ? "wavefront"
                               : "wavefronts",
                   (unsigned long long)now);
    put_ideals(best, &solve->current, brief, text);
    const bool proof = lw_swizzle_bound_is_proof(&solve->search);
    if (solve->search.bound == then && proof)
        lw_text_add(text, brief ? "; proven" : "; proven: no linear layout takes fewer");
    else if (solve->search.bound == then)
        lw_text_add(text, brief ? "; least of known costs"
                                : "; no linear layout of known cost takes fewer");
    if (sharers[0])
        lw_text_format(text, "; %s: not counted", brief ? "others that share S" : sharers);
}

static void ended(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    struct lw_solve *solve = ex->better.search;
    struct lw_text text = {0};
    (void)job;
    ex->better.search = NULL;
    ex->better.wanted = false;
    ex->better.known = finished;
    ex->better.text[0] = ex->better.brief[0] = '\0';
    if (finished && solve && solve->has_begun && solve->has_current && !solve->compiled) {
        const char *sharers = lw_explorer_entry(ex)->sharers;
        put_result(solve, sharers, false, &text);
        snprintf(ex->better.text, sizeof ex->better.text, "%s", lw_text_string(&text));
        lw_text_clear(&text);
        put_result(solve, sharers, true, &text);
        snprintf(ex->better.brief, sizeof ex->better.brief, "%s", lw_text_string(&text));
        ex->changed |= LW_CHANGED_CURSOR;
    }
    lw_text_free(&text);
    if (solve && solve->has_begun)
        lw_swizzle_end(&solve->search);
    free(solve);
}

/* The line of the explanation; NULL: the explanation has none, as there is no conflict. */
static struct lw_text *line_of(struct lw_explorer *ex)
{
    struct lw_explanation *explanation = &ex->panes.explanation;
    for (int i = 0; i < explanation->count; i++)
        if (!strcmp(explanation->line[i].label, "better"))
            return &explanation->line[i].text;
    return NULL;
}

void lw_better_follow(struct lw_explorer *ex)
{
    const struct lw_job job = {.what = "", .step = step, .end = ended, .quiet = true};
    struct lw_text *line = ex->lesson ? NULL : line_of(ex); /* not in lessons: an answer */
    if (line && ex->better.known && ex->better.text[0]) {
        lw_text_clear(line);
        lw_text_add(line, ex->better.text);
    } else if (line && !ex->better.known && !ex->job.step && !ex->solve) {
        ex->better.wanted = true;
        lw_job_start(ex, &job);
    }
}

void lw_better_end(struct lw_explorer *ex)
{
    if (ex->better.wanted)
        lw_job_cancel(ex);
    ex->better.known = false;
}
