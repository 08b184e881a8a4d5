/* Exports in any format. A long export is written by a child process: it has a copy of the layout, so that later edits
 * do not change it, and it can be ended at any time. The file appears when it is complete, as every file that is
 * written through an output. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/pane/follow.h"
#include "export/output.h"
#include "tui/tui.h"
#include "tui/terminal/terminal.h"
#include "tui/prompt/prompt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The export that is being written. */
struct export
{
    char path[1024];
    struct lw_view view[LW_PANES_MAX]; /* those of all panes, or the active one's */
    struct lw_copy_format format_of[LW_PANES_MAX];
    const struct lw_view_pane *pane[LW_PANES_MAX];
    size_t count;
    char left_out[LW_PANES_LEFT_MAX]; /* the panes that are not written */
    const struct lw_explorer *ex;     /* for the marks */
    struct lw_follow lit;             /* and for what is lit while the rest is dimmed */
    const struct lw_format *format;
    struct lw_export_options options;
    struct lw_output output;
    pid_t writer;
    int result; /* a pipe from the writer: its error, or LW_OK */
};

static void free_export(struct export *export)
{
    for (size_t i = 0; i < export->count; i++)
        lw_view_close(&export->view[i]);
    free(export);
}

/* Marks on the screen that the format cannot show, and panes that it has no room for, are reported. */
static void report_written(struct lw_explorer *ex, const struct export *export,
                           const struct lw_error *err)
{
    const char *left_out = export->left_out;
    bool marks = export->options.marked && (ex->marks.count || export->lit.on) && export->format;
    marks = marks && !export->format->marks;
    ex->save.failed = ex->save.failed || err->code != LW_OK;
    if (err->code == LW_OK)
        lw_explorer_set_message(ex, false, "%s: written%s%s%s%s%s", export->path,
                                marks || *left_out ? " without " : "", marks ? "the marks" : "",
                                marks && *left_out ? " and " : "", left_out,
                                *left_out ? ": svg, html and md have both"
                                : marks   ? ": svg, html and md show them"
                                          : "");
    else
        lw_save_failed(ex, "not written: ", err->message);
}

static void list_views(const struct export *export, const struct lw_view *views[LW_PANES_MAX])
{
    for (size_t i = 0; i < export->count; i++)
        views[i] = &export->view[i];
}

static bool write_all(struct export *export, struct lw_error *err)
{
    const struct lw_view *views[LW_PANES_MAX];
    list_views(export, views);
    return lw_export_panels(views, export->count, export->format, &export->options,
                            export->output.stream, err) &&
           (!lw_memory_failed() || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}

/* Keeps the file if all of it was written. */
static void close_export(struct export *export, struct lw_error *err)
{
    bool good = err->code == LW_OK;
    lw_output_close(&export->output, good, good ? err : NULL);
}

/* ---- In a child process ---- */

/* Ends with _exit: the terminal and the recovery files belong to the explorer, and must not change. This process only
 * writes the file; the explorer keeps or removes it. */
static void run_writer(struct lw_explorer *ex, struct export *export, int result)
{
    struct lw_error err = {0};
    lw_recovery_leave(&ex->keep.recovery);
    if (write_all(export, &err) && fflush(export->output.stream) != 0)
        lw_error_set(&err, LW_ERROR_IO, "%s: %s", export->path, strerror(errno));
    _exit(write(result, &err, sizeof err) != (ssize_t)sizeof err);
}

static bool start_writer(struct lw_explorer *ex, struct export *export, struct lw_error *err)
{
    int ends[2];
    if (pipe(ends) < 0)
        return lw_error_set(err, LW_ERROR_IO, "no pipe: %s", strerror(errno));
    export->writer = lw_terminal_fork();
    if (export->writer < 0) {
        lw_error_set(err, LW_ERROR_IO, "no process to write with: %s", strerror(errno));
        close(ends[0]);
    } else if (export->writer == 0) {
        close(ends[0]);
        run_writer(ex, export, ends[1]);
    }
    export->result = ends[0];
    close(ends[1]);
    return export->writer > 0;
}

/* Waits for a short time; false when the writer has ended. */
static bool wait_for_writer(struct lw_explorer *ex, struct lw_job *job)
{
    enum { MOMENT_MS = 5 };
    const struct export *export = job->data;
    struct pollfd result = {.fd = export->result, .events = POLLIN};
    struct stat info;
    (void)ex;
    if (fstat(fileno(export->output.stream), &info) == 0)
        job->done = (uint64_t)info.st_size;
    return poll(&result, 1, MOMENT_MS) <= 0;
}

static void end_writer(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    struct export *export = job->data;
    struct lw_error err = {0};
    if (!finished)
        kill(export->writer, SIGKILL);
    waitpid(export->writer, NULL, 0);
    /* A writer that was ended after its result was written has succeeded. */
    if (read(export->result, &err, sizeof err) != (ssize_t)sizeof err)
        lw_error_set(&err, LW_ERROR_IO, "%s: %s", export->path,
                     finished ? "the process that wrote it was killed" : "stopped");
    close(export->result);
    close_export(export, &err);
    report_written(ex, export, &err);
    free_export(export);
    if (ex->save.waits && err.code == LW_OK)
        lw_quit(ex);
    ex->save.waits = false;
}

/* ---- Exporting ---- */

static bool is_long(const struct export *export)
{
    enum { SOON = 1 << 12 }; /* this number of cells is written without a noticeable delay */
    const struct lw_export_options *o = &export->options;
    bool is = false;
    for (size_t i = 0; i < export->count; i++) {
        uint64_t rows = o->row_to ? o->row_to - o->row_from : export->view[i].rows;
        uint64_t cols = o->col_to ? o->col_to - o->col_from : export->view[i].cols;
        is = is || (cols && rows > SOON / cols);
    }
    return is;
}

static bool has_mark(const void *context, const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct export *export = context;
    return lw_copy_has_mark(export->ex, &export->lit, export->pane[view - export->view], view, row,
                            col);
}

static bool open_pane(struct export *export, const struct lw_view_pane *pane, struct lw_error *err)
{
    if (!lw_copy_pane(pane, &export->view[export->count], &export->format_of[export->count],
                      &export->options, err))
        return false;
    export->pane[export->count++] = pane;
    return true;
}

/* Arranges the panes. One pane is as the command prints it. Two are not folded, and are below each other if they are so
 * on the screen, or if side by side they were much wider than a page. */
static void arrange(const struct lw_explorer *ex, struct export *export)
{
    enum { WIDE = 48 }; /* cells */
    uint64_t cols = 0;
    bool pictures = true;
    if (export->count < 2)
        return;
    for (size_t i = 0; i < export->count; i++) {
        cols += export->view[i].cols;
        pictures = pictures && export->view[i].type->picture;
    }
    export->options.any_width = pictures;
    export->options.arrangement =
        ex->panes.stacked || cols > WIDE ? LW_ARRANGE_COLUMN : LW_ARRANGE_ROW;
}

/* Whether a file can have several views: as panels, or one after the other, which in JSON would be no document. */
static bool holds_several(const struct lw_format *format)
{
    return format->write_panels || (format->between && *format->between);
}

/* Opens the views on the screen: both panes and the marks; only the active one if the format holds one view, and the
 * selected cells if there are some. */
static bool open_panes(struct lw_explorer *ex, struct export *export, struct lw_error *err)
{
    const struct lw_view_pane *active = ex->panes.active;
    bool all = holds_several(export->format) && ex->panes.count > 1 && !active->ranged;
    for (int i = 0; i < ex->panes.count && all; i++)
        all = ex->panes.all[i].has_view && !ex->panes.all[i].ranged;
    for (int i = 0; i < ex->panes.count; i++) {
        const struct lw_view_pane *pane = &ex->panes.all[i];
        if ((all || pane == active) && !open_pane(export, pane, err))
            return false;
    }
    if (!all && !active->ranged)
        lw_panes_put_others(ex, export->left_out);
    arrange(ex, export);
    export->ex = ex;
    export->options.no_about = ex->list.entries[ex->list.entry].dirty && !active->shown.other;
    lw_copy_lit(ex, &export->lit);
    if (ex->marks.count || ex->layouts.has_other || export->lit.on) {
        export->options.marked = has_mark;
        export->options.marked_context = export;
    }
    return true;
}

static bool open_export(struct lw_explorer *ex, struct export *export, struct lw_error *err)
{
    export->format = lw_format_of_path(export->path, err);
    if (!export->format)
        return false;
    return open_panes(ex, export, err) && lw_output_open(&export->output, export->path, NULL, err);
}

static void export_chosen(struct lw_explorer *ex)
{
    struct export *export = calloc(1, sizeof *export);
    struct lw_error err = {0};
    if (!export) {
        ex->failed = true;
        return;
    }
    snprintf(export->path, sizeof export->path, "%s", ex->save.path);
    if (open_export(ex, export, &err)) {
        lw_job_cancel(ex); /* the result of another export is reported first */
        if (!is_long(export)) {
            write_all(export, &err);
            close_export(export, &err);
        } else if (start_writer(ex, export, &err)) {
            const struct lw_job job = {.what = "exporting, bytes written",
                                       .step = wait_for_writer,
                                       .end = end_writer,
                                       .writes = true,
                                       .data = export};
            lw_job_start(ex, &job);
            return;
        } else {
            lw_output_close(&export->output, false, NULL);
        }
    }
    report_written(ex, export, &err);
    free_export(export);
}

static const struct lw_reply overwriting[] = {{'y', "overwrite it", export_chosen}, {0}};
static const struct lw_reply writing[] = {{'y', "write it", export_chosen}, {0}};

/* Checks whether a format can hold the views on the screen; and whether they are so much that there is a question
 * first: writes how much they are. */
static bool check_views(struct lw_explorer *ex, const struct lw_format *format,
                        char size[LW_COPY_SIZE_MAX], struct lw_error *err)
{
    const struct lw_view *views[LW_PANES_MAX];
    struct export *export = calloc(1, sizeof *export);
    if (!export) {
        ex->failed = true;
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    export->format = format;
    bool good = open_panes(ex, export, err);
    list_views(export, views);
    good = good && lw_export_check(views, export->count, format, &export->options, err);
    for (size_t i = 0; good && i < export->count && !*size; i++)
        if (!lw_copy_is_large(views[i], format, &export->options, size))
            *size = '\0';
    free_export(export);
    return good;
}

/* Writes the chosen file, after a question if it exists or will be very large. */
static void export_checked(struct lw_explorer *ex, const struct lw_format *format)
{
    char name[LW_SHORT_NAME_MAX], size[LW_COPY_SIZE_MAX] = "";
    struct lw_error err = {0};
    struct stat info;
    bool exists = stat(ex->save.path, &info) == 0 && S_ISREG(info.st_mode);
    if (!check_views(ex, format, size, &err)) {
        ex->save.failed = true;
        lw_save_failed(ex, "not written: ", err.message);
        return;
    }
    lw_question_name(name, lw_base_name(ex->save.path));
    if (exists)
        lw_question_open(ex, overwriting, "%s exists already%s%s", name,
                         *size ? "; the new one has " : "", size);
    else if (*size)
        lw_question_open(ex, writing, "%s: %s", name, size);
    else
        export_chosen(ex);
}

void lw_export_to(struct lw_explorer *ex, const char *path)
{
    const struct lw_format *format = lw_format_of_path(path, NULL);
    if (!*path)
        lw_explorer_set_message(
            ex, true,
            "export needs a file name; its extension sets the format: grid.md, grid.csv, ...");
    else if (!lw_choose_file(ex, path))
        return;
    else if (format)
        export_checked(ex, format);
    else
        export_chosen(ex);
}

void lw_export_prompt(struct lw_explorer *ex, int unused)
{
    (void)unused;
    lw_prompt_open(ex, LW_FOCUS_EXPORT);
    lw_line_set(&ex->prompt.line, lw_format_find("svg") ? "grid.svg" : "grid.md");
    ex->prompt.line.offered = true;
}
