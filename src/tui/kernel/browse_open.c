/* Opening folders and kernels, and going back to them. */

#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

/* ---- A kernel ---- */

static void close_kernel(struct lw_explorer *ex)
{
    struct lw_browser *browser = ex->browser;
    if (!browser->has_kernel)
        return;
    if (!ex->job.writes)
        lw_job_cancel(ex);
    lw_browse_past_keep(browser, browser->path, browser->part);
    for (size_t i = 0; browser->quotes && i < browser->kernel.operation_count; i++)
        free(browser->quotes[i]);
    free(browser->quotes);
    free(browser->layouts);
    free(browser->path);
    lw_source_lines_free(&browser->lines);
    lw_kernel_costs_free(&browser->costs);
    lw_kernel_free(&browser->kernel);
    browser->quotes = NULL;
    browser->layouts = NULL;
    browser->path = NULL;
    browser->has_kernel = false;
}

/* Lists each layout at each shape, in the order of the file. */
static bool list_layouts(struct lw_browser *browser)
{
    const struct lw_kernel *kernel = &browser->kernel;
    size_t count = 0;
    for (size_t i = 0; i < kernel->encoding_count; i++)
        count += kernel->encodings[i].type_count ? kernel->encodings[i].type_count : 1;
    browser->layouts = calloc(count + 1, sizeof *browser->layouts);
    browser->layout_count = 0;
    for (size_t i = 0; browser->layouts && i < kernel->encoding_count; i++) {
        const struct lw_kernel_encoding *encoding = &kernel->encodings[i];
        for (size_t j = 0; j < encoding->type_count; j++)
            browser->layouts[browser->layout_count++] =
                (struct lw_layout_row){(int)i, encoding->types[j]};
        if (!encoding->type_count)
            browser->layouts[browser->layout_count++] = (struct lw_layout_row){(int)i, -1};
    }
    return browser->layouts != NULL;
}

static bool step_costs(struct lw_explorer *ex, struct lw_job *job)
{
    struct lw_kernel_costs *costs = &ex->browser->costs;
    bool more = lw_kernel_costs_step(costs);
    job->done = costs->counted;
    return more;
}

static void end_costs(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    (void)job;
    if (finished)
        lw_browse_arrange(ex, LW_BROWSE_OPERATIONS);
}

/* Counts for a short time, and starts a job for the rest. */
static void count_costs(struct lw_explorer *ex)
{
    enum { MOMENT_MS = 8 };
    struct lw_kernel_costs *costs = &ex->browser->costs;
    const int64_t until = lw_now_ms() + MOMENT_MS;
    while (lw_kernel_costs_step(costs))
        if (lw_now_ms() >= until && costs->counted < costs->kernel->operation_count) {
            struct lw_job job = {.what = "counting the cost of each operation",
                                 .total = costs->kernel->operation_count,
                                 .step = step_costs,
                                 .end = end_costs};
            lw_job_start(ex, &job);
            return;
        }
    lw_browse_arrange(ex, LW_BROWSE_OPERATIONS);
}

bool lw_browse_open_part(struct lw_explorer *ex, const char *path, int part, struct lw_error *err)
{
    struct lw_browser *browser = ex->browser;
    struct lw_kernel kernel;
    const struct lw_kernel_options options = {.part = part,
                                              .triton = ex->options->triton,
                                              .stop = ex->stop.requested,
                                              .stop_context = ex->stop.context};
    char *own = strdup(path);
    if (!own || !lw_kernel_open(&kernel, path, &options, err)) {
        bool memory = !own;
        free(own);
        return memory ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : false;
    }
    if (part > 1 && !kernel.total && !kernel.encoding_count) {
        lw_kernel_free(&kernel);
        free(own);
        return lw_error_set(err, LW_ERROR_NAME, "part %d is the last one of this file", part - 1);
    }
    close_kernel(ex);
    browser->kernel = kernel;
    browser->part = part;
    browser->has_kernel = true;
    browser->list = LW_BROWSE_OPERATIONS;
    browser->path = own;
    browser->quotes = calloc(kernel.operation_count + 1, sizeof *browser->quotes);
    if (!browser->quotes || !list_layouts(browser) ||
        !lw_kernel_costs_begin(&browser->costs, &browser->kernel, ex->options->hardware, err)) {
        close_kernel(ex);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    browser->has_source = false;
    for (size_t i = 0; i < kernel.operation_count; i++)
        browser->has_source = browser->has_source || kernel.operations[i].location;
    if (!kernel.operation_count)
        browser->list = LW_BROWSE_LAYOUTS;
    ex->layouts.hardware = browser->costs.hardware;
    ex->focus = LW_FOCUS_KERNEL;
    lw_browse_reset(ex, LW_BROWSE_OPERATIONS);
    lw_browse_reset(ex, LW_BROWSE_LAYOUTS);
    lw_browse_past_return(ex, browser->path, part);
    count_costs(ex);
    if (kernel.more || part > 1)
        lw_explorer_set_message(ex, false, "part %d of this file%s%s", part,
                                kernel.more ? "; ] the next one" : ", the last one",
                                part > 1 ? "; [ the one before" : "");
    return true;
}

static void close_folder(struct lw_explorer *ex)
{
    struct lw_browser *browser = ex->browser;
    if (!browser->has_folder)
        return;
    if (!ex->job.writes)
        lw_job_cancel(ex);
    lw_browse_past_keep(browser, browser->folder.path, 0);
    lw_folder_costs_free(browser);
    lw_kernel_folder_free(&browser->folder);
    browser->has_folder = false;
}

/* Shows a folder, and owns it; on failure it is freed. */
static bool show_folder(struct lw_explorer *ex, struct lw_kernel_folder *folder,
                        struct lw_error *err)
{
    struct lw_folder_cost *costs = calloc(folder->count, sizeof *costs);
    if (!costs) {
        lw_kernel_folder_free(folder);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    close_folder(ex);
    close_kernel(ex);
    ex->browser->folder = *folder;
    ex->browser->folder_costs = costs;
    ex->browser->has_folder = true;
    ex->focus = LW_FOCUS_FOLDER;
    lw_browse_reset(ex, LW_BROWSE_FILES);
    lw_browse_past_return(ex, folder->path, 0);
    lw_folder_costs_start(ex);
    return true;
}

static bool has_browser(struct lw_explorer *ex, struct lw_error *err)
{
    return ex->browser || (ex->browser = calloc(1, sizeof *ex->browser)) ||
           lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

#define NAMED "the kernels of the command line"

bool lw_browse_open_named(struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_kernel_folder folder;
    return has_browser(ex, err) &&
           lw_kernel_folder_list(&folder, NAMED, ex->options->sources, ex->options->count, err) &&
           show_folder(ex, &folder, err);
}

bool lw_browse_open(struct lw_explorer *ex, const char *path, struct lw_error *err)
{
    struct lw_kernel_folder folder;
    const struct lw_kernel_options options = {.stop = ex->stop.requested,
                                              .stop_context = ex->stop.context};
    if (!has_browser(ex, err))
        return false;
    bool is_folder = lw_is_folder(path);
    if (is_folder ? !lw_kernel_folder_open(&folder, path, &options, err)
                  : !lw_browse_open_part(ex, path, 1, err))
        return false;
    return !is_folder || show_folder(ex, &folder, err);
}

void lw_browse_free(struct lw_explorer *ex)
{
    if (!ex->browser)
        return;
    close_kernel(ex);
    close_folder(ex);
    lw_browse_past_free(ex->browser);
    for (int i = 0; i < LW_BROWSE_TABLES; i++)
        free(ex->browser->tables[i].rows);
    free(ex->browser);
    ex->browser = NULL;
}

bool lw_browse_return(struct lw_explorer *ex, unsigned focus, const char *path, int part,
                      struct lw_error *err)
{
    const struct lw_browser *browser = ex->browser;
    if (focus == LW_FOCUS_FOLDER) {
        if (!browser->has_folder || strcmp(browser->folder.path, path) != 0)
            return strcmp(path, NAMED) ? lw_browse_open(ex, path, err)
                                       : lw_browse_open_named(ex, err);
        if (!ex->job.writes)
            lw_job_cancel(ex);
        ex->focus = focus;
        lw_folder_costs_start(ex);
        return true;
    } else if (!browser->has_kernel || browser->part != part || strcmp(browser->path, path) != 0) {
        return lw_browse_open_part(ex, path, part, err);
    }
    ex->focus = focus;
    count_costs(ex);
    return true;
}
