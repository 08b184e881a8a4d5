/* Jobs: work that may take long, done in slices between events. After 100 ms the status line shows its progress; Esc
 * ends it. */

#include "tui/draw/drawing.h"

#include <string.h>

enum { SLICE_MS = 15, SHOWN_AFTER_MS = 100, DRAWN_EVERY_MS = 100, UNNOTICED_MS = 60 };

static void end(struct lw_explorer *ex, bool finished)
{
    struct lw_job job = ex->job;
    memset(&ex->job, 0, sizeof ex->job);
    job.end(ex, &job, finished);
}

void lw_job_start(struct lw_explorer *ex, const struct lw_job *job)
{
    lw_job_cancel(ex);
    ex->job = *job;
    ex->job.began = lw_now_ms();
}

bool lw_job_cancel(struct lw_explorer *ex)
{
    if (!ex->job.step)
        return false;
    end(ex, false);
    return true;
}

bool lw_job_stop(struct lw_explorer *ex)
{
    if (ex->job.quiet)
        return false;
    ex->job.stopped = true;
    return lw_job_cancel(ex);
}

bool lw_job_slice(struct lw_explorer *ex)
{
    int64_t until = lw_now_ms() + SLICE_MS, now = 0;
    while (ex->job.step) {
        if (!ex->job.step(ex, &ex->job))
            end(ex, true);
        else if ((now = lw_now_ms()) >= until)
            break;
    }
    bool draw = !ex->job.step || (!ex->job.quiet && now - ex->job.began >= SHOWN_AFTER_MS &&
                                  now - ex->job.drawn >= DRAWN_EVERY_MS);
    if (draw)
        ex->job.drawn = now;
    return draw;
}

void lw_job_try(struct lw_explorer *ex)
{
    while (ex->job.step && lw_now_ms() - ex->job.began < UNNOTICED_MS)
        lw_job_slice(ex);
}

void lw_job_finish(struct lw_explorer *ex)
{
    while (ex->job.step)
        lw_job_slice(ex);
}

bool lw_job_is_shown(const struct lw_explorer *ex)
{
    return ex->job.step && !ex->job.quiet && lw_now_ms() - ex->job.began >= SHOWN_AFTER_MS;
}
