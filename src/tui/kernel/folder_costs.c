/* The cost of each kernel of a folder, counted by a job: the sums over its operations and runs. */

#include "tui/kernel/browse.h"

#include <stdlib.h>

enum { NOTES_MAX = 20 }; /* lines about one file */

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static struct lw_folder_cost *counting_cost(struct lw_browser *browser)
{
    return &browser->folder_costs[browser->folder_counted];
}

/* Opens the next part of the file that is counted; false: it cannot be read, or the user has stopped the job. */
static bool open_part(const struct lw_explorer *ex, struct lw_job *job)
{
    struct lw_browser *browser = ex->browser;
    const struct lw_kernel_options options = {.part = ++browser->counting_part,
                                              .triton = ex->options->triton,
                                              .stop = ex->stop.requested,
                                              .stop_context = ex->stop.context};
    const char *path = browser->folder.files[browser->folder_counted].path;
    struct lw_error err = {0};
    if (!lw_kernel_open(&browser->counting, path, &options, &err)) {
        job->stopped = err.code == LW_ERROR_STOPPED;
        browser->counting_part -= job->stopped;
        if (!job->stopped)
            lw_text_format(&counting_cost(browser)->notes, "cannot be read: %s\n", err.message);
        return false;
    }
    browser->has_counting = lw_kernel_costs_begin(&browser->counting_costs, &browser->counting,
                                                  ex->options->hardware, NULL);
    if (!browser->has_counting)
        lw_kernel_free(&browser->counting);
    return browser->has_counting;
}

static void close_part(struct lw_browser *browser)
{
    if (!browser->has_counting)
        return;
    lw_kernel_costs_free(&browser->counting_costs);
    lw_kernel_free(&browser->counting);
    browser->has_counting = false;
}

bool lw_folder_cost_lacks(const struct lw_folder_cost *cost)
{
    return cost->done && (!cost->read || cost->problems || cost->uncounted);
}

static void end_file(struct lw_browser *browser, bool read)
{
    struct lw_folder_cost *cost = counting_cost(browser);
    browser->folder_counted++;
    browser->folder_uncounted += cost->uncounted;
    cost->done = true;
    cost->read = read;
    browser->folder_lacking += lw_folder_cost_lacks(cost);
    browser->counting_part = 0;
}

/* Notes the errors of a part and the operations that are not counted, with the reasons. */
static void add_notes(struct lw_browser *browser)
{
    const struct lw_kernel *kernel = &browser->counting;
    const struct lw_kernel_costs *costs = &browser->counting_costs;
    struct lw_folder_cost *cost = counting_cost(browser);
    size_t lines = cost->problems + cost->uncounted;
    for (int i = 0; i < kernel->problems.count && lines < NOTES_MAX; i++, lines++)
        lw_text_format(&cost->notes, "error on line %d: %s\n",
                       kernel->problems.errors[i].position.line,
                       kernel->problems.errors[i].message);
    for (size_t i = 0; i < kernel->operation_count && lines < NOTES_MAX; i++) {
        if (!lw_kernel_cost_missing(&costs->costs[i]))
            continue;
        lines++;
        if (kernel->more || browser->counting_part > 1)
            lw_text_format(&cost->notes, "part %d, ", browser->counting_part);
        lw_text_format(&cost->notes, "line %d, %s: %s\n", kernel->operations[i].position.line,
                       kernel->operations[i].name,
                       *costs->costs[i].why ? costs->costs[i].why : "no rule states its cost");
    }
}

/* Adds up the operations of a part, when all are counted. */
static void add_part(struct lw_browser *browser)
{
    struct lw_folder_cost *cost = counting_cost(browser);
    const struct lw_kernel_costs *costs = &browser->counting_costs;
    add_notes(browser);
    cost->operations += browser->counting.operation_count;
    cost->problems += (size_t)browser->counting.problems.total;
    cost->uncounted += costs->uncounted + costs->uncounted_global;
    cost->trips_unknown = cost->trips_unknown || !costs->trips_known;
    cost->wavefronts = plus(cost->wavefronts, costs->run_wavefronts);
    cost->ideal = plus(cost->ideal, costs->run_ideal);
    cost->sectors = plus(cost->sectors, costs->run_sectors);
    cost->ideal_sectors = plus(cost->ideal_sectors, costs->run_ideal_sectors);
}

static bool step(struct lw_explorer *ex, struct lw_job *job)
{
    struct lw_browser *browser = ex->browser;
    job->done = browser->folder_counted;
    if (browser->folder_counted >= browser->folder.count)
        return false;
    if (!browser->has_counting) {
        if (!open_part(ex, job) && !job->stopped)
            end_file(browser, false);
        return !job->stopped && browser->folder_counted < browser->folder.count;
    }
    if (lw_kernel_costs_step(&browser->counting_costs))
        return true;
    add_part(browser);
    bool more = browser->counting.more;
    close_part(browser);
    if (!more)
        end_file(browser, true);
    return browser->folder_counted < browser->folder.count;
}

/* Sorts by cost when all are known: rows keep their order until then. */
static void end(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    if (finished && !job->stopped)
        lw_browse_arrange(ex, LW_BROWSE_FILES);
    else if (finished)
        lw_explorer_set_message(ex, false, "stopped");
}

void lw_folder_costs_start(struct lw_explorer *ex)
{
    struct lw_browser *browser = ex->browser;
    if (browser->folder_counted == browser->folder.count)
        return;
    const struct lw_job job = {.what = "counting the cost of each kernel",
                               .total = browser->folder.count,
                               .step = step,
                               .end = end};
    lw_job_start(ex, &job);
}

bool lw_folder_costs_sum(const struct lw_browser *browser, struct lw_kernel_costs *sum)
{
    *sum = (struct lw_kernel_costs){.trips_known = true};
    for (size_t i = 0; i < browser->folder_counted; i++) {
        const struct lw_folder_cost *cost = &browser->folder_costs[i];
        sum->run_wavefronts = plus(sum->run_wavefronts, cost->wavefronts);
        sum->run_ideal = plus(sum->run_ideal, cost->ideal);
        sum->run_sectors = plus(sum->run_sectors, cost->sectors);
        sum->run_ideal_sectors = plus(sum->run_ideal_sectors, cost->ideal_sectors);
        sum->uncounted += cost->uncounted;
        sum->trips_known = sum->trips_known && !cost->trips_unknown;
    }
    return browser->folder_counted == browser->folder.count;
}

void lw_folder_costs_put_unread(const struct lw_browser *browser, struct lw_text *text)
{
    size_t unread = 0, wrong = 0;
    for (size_t i = 0; i < browser->folder_counted; i++) {
        unread += !browser->folder_costs[i].read;
        wrong += browser->folder_costs[i].problems > 0;
    }
    if (unread)
        lw_text_format(text, "%zu file%s not read", unread, unread > 1 ? "s" : "");
    if (wrong)
        lw_text_format(text, unread ? ", %zu with errors" : "%zu file%s with errors", wrong,
                       wrong > 1 ? "s" : "");
}

void lw_folder_costs_free(struct lw_browser *browser)
{
    close_part(browser);
    for (size_t i = 0; browser->folder_costs && i < browser->folder.count; i++)
        lw_text_free(&browser->folder_costs[i].notes);
    free(browser->folder_costs);
    browser->folder_costs = NULL;
    browser->folder_counted = browser->folder_uncounted = browser->folder_lacking = 0;
    browser->counting_part = 0;
}
