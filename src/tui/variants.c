/* Compare: the layout beside the document it came from, or beside another one. Linear layouts are counted
 * by algebra; others element by element, between events. */

#include "tui/explorer.h"

#include <string.h>

/* ---- Counting ---- */

static bool count_some(struct lw_explorer *ex, struct lw_job *job)
{
    enum { AT_ONCE = 512 };
    struct lw_diff *diff = &ex->diff;
    uint64_t out[LW_DIMS_MAX];
    for (int i = 0; i < AT_ONCE && job->done < job->total; i++, job->done++) {
        lw_dims_unflatten(&diff->box, job->done, out);
        diff->differing += lw_compare_element(&diff->comparison, out);
    }
    diff->held = job->done;
    return job->done < job->total;
}

static void counted(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    (void)job;
    ex->diff.counted = finished;
    ex->diff.counting = false;
}

/* All indices of either tensor: each dim as long as the longer one. */
static bool make_box(struct lw_diff *diff, const struct lw_map *a, const struct lw_map *b,
                     uint64_t *total)
{
    diff->box = a->out;
    for (int d = 0; d < a->out.count; d++)
        if (b->out.dim[d].size > a->out.dim[d].size)
            diff->box.dim[d].size = b->out.dim[d].size;
    return lw_dims_total(&diff->box, total, NULL);
}

void lw_compare_refresh(struct lw_explorer *ex)
{
    struct lw_diff *diff = &ex->diff;
    uint64_t total;
    if (diff->counting)
        lw_job_cancel(ex);
    memset(diff, 0, sizeof *diff);
    if (!ex->has_other || !ex->has_opened)
        return;
    const struct lw_map *a = &ex->opened.subject.map, *b = &ex->other.subject.map;
    if (!lw_compare(&diff->comparison, a, b, &diff->why) ||
        !lw_compare(&diff->turned, b, a, &diff->why))
        return;
    diff->fits = true;
    if (lw_compare_count(&diff->comparison, &diff->differing, &diff->held)) {
        diff->counted = true;
    } else if (make_box(diff, a, b, &total)) {
        const struct lw_job job = {
            .what = "counting what differs", .total = total, .step = count_some, .end = counted};
        diff->counting = true;
        lw_job_start(ex, &job);
    }
}

void lw_compare_put(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_diff *diff = &ex->diff;
    if (!diff->fits)
        lw_text_add(text, diff->why.message);
    else if (diff->counted && diff->differing == 0)
        lw_text_add(text, "nothing differs");
    else
        lw_text_format(text, "%llu of %llu %s", (unsigned long long)diff->differing,
                       (unsigned long long)diff->held,
                       diff->counting  ? "differ so far"
                       : diff->counted ? "elements differ"
                                       : "looked at differ");
}

bool lw_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                const struct lw_spot *spot)
{
    const struct lw_diff *diff = &ex->diff;
    if (!diff->fits || pane->shown == LW_SHOWN_SECOND || pane->shown == LW_SHOWN_STORE)
        return false;
    if (lw_view_shows_places(&pane->view) && spot->has_in)
        return lw_compare_place(pane->shown == LW_SHOWN_FIRST ? &diff->comparison : &diff->turned,
                                spot->in);
    return spot->has_out && lw_compare_element(&diff->comparison, spot->out);
}

/* ---- Beginning and ending ---- */

void lw_compare_end(struct lw_explorer *ex)
{
    if (ex->has_other)
        lw_subject_close(&ex->other);
    ex->has_other = false;
    lw_compare_refresh(ex);
    for (int i = 0; i < LW_PANES_MAX; i++)
        if (ex->panes[i].shown == LW_SHOWN_OTHER) {
            ex->panes[i].shown = LW_SHOWN_FIRST;
            if (ex->pane_count > 1)
                ex->pane = ex->panes;
            ex->pane_count = 1;
        }
}

static void begin(struct lw_explorer *ex, const struct lw_document *doc, const char *name)
{
    struct lw_opened made;
    struct lw_comparison trial;
    struct lw_error err;
    if (!ex->has_opened || !lw_subject_open(&made, doc, lw_explorer_hardware(ex)->lanes, &err)) {
        lw_explorer_say(ex, true, "%s", ex->has_opened ? err.message : "there is no layout here");
        return;
    }
    if (!lw_compare(&trial, &ex->opened.subject.map, &made.subject.map, &err)) {
        lw_subject_close(&made);
        lw_explorer_say(ex, true, "%s", err.message);
        return;
    }
    lw_compare_end(ex);
    ex->other = made;
    ex->other.subject.hardware = ex->hardware;
    ex->has_other = true;
    snprintf(ex->other_name, sizeof ex->other_name, "%s", name);
    ex->panes[0] = *ex->pane;
    ex->pane = ex->panes;
    ex->panes[0].shown = LW_SHOWN_FIRST;
    ex->panes[1] = ex->panes[0];
    ex->panes[1].shown = LW_SHOWN_OTHER;
    ex->pane_count = 2;
    lw_compare_refresh(ex);
    lw_explorer_reshow(ex);
    if (!ex->diff.fits)
        lw_explorer_say(ex, true, "%s", ex->diff.why.message);
}

void lw_compare_toggle(struct lw_explorer *ex, int unused)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    (void)unused;
    if (ex->has_other) {
        lw_compare_end(ex);
        lw_explorer_reshow(ex);
    } else if (entry->loaded) {
        begin(ex, &entry->original, entry->path ? lw_base_name(entry->path) : "as it was read");
    }
}

void lw_compare_with(struct lw_explorer *ex, const char *source)
{
    struct lw_document doc;
    struct lw_error err;
    if (!*source) {
        lw_compare_toggle(ex, 0);
    } else if (lw_document_open(&doc, source, NULL, &err)) {
        begin(ex, &doc, source);
        lw_document_free(&doc);
    } else {
        lw_explorer_say(ex, true, "%s", err.message);
    }
}
