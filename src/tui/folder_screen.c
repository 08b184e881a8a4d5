/* The screen of a folder, or of several files: a list of kernels and layouts. The first picture has the names that were
 * found in a few milliseconds; the other names, and what the kernels cost, are found in slices of work, the visible
 * ones first. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "tui/list.h"
#include "tui/screen.h"
#include "kernel/kernel_folder.h"
#include "laneway/kernel_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a file once it was read. */
struct found {
    bool is_read;
    uint64_t wavefronts, ideal, sectors, ideal_sectors; /* of all runs */
    bool is_partial; /* not all of it is counted, or trips are unknown */
    char about[160]; /* "sm90, 4 warps", a layout in short, or why it was not read */
    bool is_bad;
};

struct folder {
    struct lw_screen screen;
    struct lw_kernel_folder files;
    bool is_found; /* all files are: they keep their rows from then on */
    bool is_list;  /* of files that were named, or of the gallery */
    struct found *found;
    size_t read_count;
    struct lw_list list;
    /* The kernel that is counted, in row `counting`. */
    struct lw_kernel kernel;
    struct lw_kernel_costs costs;
    bool is_counting;
    size_t counting;
};

static struct folder *folder_of(const struct lw_screen *screen)
{
    return (struct folder *)screen;
}

/* ---- Rows ---- */

enum column { NAME, COST, IDEAL, PATH, ABOUT };
static const struct lw_column columns[] = {{"name", false, false, 12, 5},
                                           {"cost", true, false, 14, 4},
                                           {"ideal", true, false, 9, 2},
                                           {"folder", false, false, 0, 1},
                                           {"", false, true, 20, 3}};

static const struct found *found_at(const struct folder *folder, size_t row)
{
    static const struct found none;
    return folder->found ? &folder->found[row] : &none;
}

static void put_cell(void *context, size_t row, int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    const struct folder *folder = context;
    const struct found *found = found_at(folder, row);
    const struct lw_kernel_file *file = &folder->files.files[row];
    if (column == NAME) {
        const char *name = lw_base_name(file->path), *dot = strrchr(name, '.');
        lw_text_bytes(text, name,
                      dot > name && !folder->is_list ? (size_t)(dot - name) : strlen(name));
    } else if (column == COST && (found->wavefronts || found->sectors)) {
        lw_text_format(text, "%s%" PRIu64 " %s", found->is_partial ? "\xe2\x89\xa5" : "",
                       found->wavefronts ? found->wavefronts : found->sectors,
                       found->wavefronts ? "wf" : "sectors");
        if (found->wavefronts > found->ideal || found->sectors > found->ideal_sectors)
            *pen = lw_tone(LW_TONE_BAD);
    } else if (column == IDEAL && (found->wavefronts || found->sectors)) {
        lw_text_number(text, found->wavefronts ? found->ideal : found->ideal_sectors);
        *pen = lw_tone(LW_TONE_FAINT);
    } else if (column == ABOUT) {
        lw_text_add(text, found->about);
        *pen = lw_tone(found->is_bad ? LW_TONE_BAD : LW_TONE_FAINT);
    } else if (column == PATH) {
        lw_text_bytes(text, file->below, (size_t)(lw_base_name(file->below) - file->below));
        *pen = lw_tone(LW_TONE_FAINT);
    }
}

static uint64_t sort_value(void *context, size_t row, int column)
{
    const struct found *found = found_at(context, row);
    return column == IDEAL     ? found->ideal
           : found->wavefronts ? found->wavefronts | UINT64_C(1) << 63
                               : found->sectors;
}

static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL,
                                             sort_value};

/* ---- Finding files ---- */

/* Sorts what was found so far; the cursor stays on its file. */
static void arrange(struct folder *folder)
{
    struct lw_kernel_folder *files = &folder->files;
    struct lw_list *rows = &folder->list;
    char *chosen = files->count && rows->at ? strdup(files->files[rows->at].path) : NULL;
    lw_kernel_folder_arrange(files);
    for (size_t i = 0; chosen && i < files->count; i++)
        if (!strcmp(files->files[i].path, chosen))
            rows->at = i;
    free(chosen);
    lw_list_changed(rows, files->count);
}

/* Looks for files until a time; false: all were found before. A folder without kernels is one of layouts. */
static bool search_files(struct folder *folder, int64_t until)
{
    struct lw_kernel_folder *files = &folder->files, layouts;
    bool more = true;
    if (folder->is_found)
        return false;
    while (more && lw_now_ms() < until)
        more = lw_kernel_folder_step(files);
    if (!more && !files->count && !files->of_layouts &&
        lw_kernel_folder_begin(&layouts, files->path, true, NULL)) {
        lw_kernel_folder_free(files);
        *files = layouts;
        return true;
    }
    arrange(folder);
    if (more)
        return true;
    folder->is_found = true;
    folder->found = calloc(files->count + 1, sizeof *folder->found);
    if (!folder->found || files->failed)
        lw_app_message(folder->screen.app, "out of memory");
    return true;
}

/* ---- Reading files ---- */

/* The next file to read: a visible one, else the first. */
static size_t choose(const struct folder *folder)
{
    const struct lw_list *rows = &folder->list;
    for (size_t i = rows->top; i < rows->shown_count && i < rows->top + (size_t)rows->rect.height;
         i++)
        if (!folder->found[rows->shown[i]].is_read)
            return rows->shown[i];
    size_t at = 0;
    while (folder->found[at].is_read)
        at++;
    return at;
}

static void end_counting(struct folder *folder)
{
    if (folder->is_counting) {
        lw_kernel_costs_free(&folder->costs);
        lw_kernel_free(&folder->kernel);
    }
    folder->is_counting = false;
}

static void finish(struct folder *folder, const struct lw_error *problem)
{
    struct found *found = &folder->found[folder->counting];
    if (problem) {
        snprintf(found->about, sizeof found->about, "not read: %.140s", problem->message);
        found->is_bad = true;
    }
    found->is_read = true;
    folder->read_count++;
    end_counting(folder);
}

static void add_costs(struct folder *folder)
{
    struct found *found = &folder->found[folder->counting];
    const struct lw_kernel_costs *costs = &folder->costs;
    const struct lw_kernel *kernel = &folder->kernel;
    found->wavefronts = costs->run_wavefronts;
    found->ideal = costs->run_ideal;
    found->sectors = costs->run_sectors;
    found->ideal_sectors = costs->run_ideal_sectors;
    found->is_partial = costs->uncounted || costs->uncounted_global || !costs->trips_known ||
                        kernel->problems.total;
    found->is_bad = kernel->problems.total > 0;
    if (found->is_bad)
        snprintf(found->about, sizeof found->about, "%d not read: line %d: %.120s",
                 kernel->problems.total, kernel->problems.errors[0].position.line,
                 kernel->problems.errors[0].message);
    else
        snprintf(found->about, sizeof found->about, "%.60s, %d warps", costs->hardware->name,
                 kernel->num_warps);
}

static void read_layout(struct folder *folder, const char *path)
{
    const struct lw_open_options options = {.triton = folder->screen.app->options->triton};
    struct found *found = &folder->found[folder->counting];
    struct lw_document doc;
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool is_open = lw_document_open(&doc, path, &options, &err);
    if (is_open) {
        if (*doc.title)
            lw_text_add(&text, doc.title);
        else
            lw_document_print_short(&text, &doc);
        snprintf(found->about, sizeof found->about, "%s", lw_text_string(&text));
        lw_document_free(&doc);
    }
    lw_text_free(&text);
    finish(folder, is_open ? NULL : &err);
}

static bool is_interrupted(void *context)
{
    const struct lw_app *app = context;
    return app->has_terminal && lw_terminal_pending();
}

/* Opens the next file. A kernel is not read to its end while an event waits; it is begun again then. */
static void begin_file(struct folder *folder)
{
    struct lw_app *app = folder->screen.app;
    folder->counting = choose(folder);
    const char *path = folder->files.files[folder->counting].path;
    const struct lw_kernel_options options = {
        .triton = app->options->triton, .stop = is_interrupted, .stop_context = app};
    struct lw_error err = {0};
    if (!lw_kernel_is_dump(path)) {
        read_layout(folder, path);
    } else if (!lw_kernel_open(&folder->kernel, path, &options, &err)) {
        if (err.code != LW_ERROR_STOPPED)
            finish(folder, &err);
    } else {
        folder->is_counting =
            lw_kernel_costs_begin(&folder->costs, &folder->kernel, app->options->hardware, &err);
        if (!folder->is_counting) {
            lw_kernel_free(&folder->kernel);
            finish(folder, &err);
        }
    }
}

static bool work(struct lw_screen *screen)
{
    enum { SLICE_MS = 4 };
    struct folder *folder = folder_of(screen);
    const int64_t until = lw_now_ms() + SLICE_MS;
    if (search_files(folder, until))
        return true;
    if (!folder->found || folder->read_count == folder->files.count)
        return false;
    do {
        if (!folder->is_counting) {
            begin_file(folder);
        } else if (!lw_kernel_costs_step(&folder->costs)) {
            add_costs(folder);
            finish(folder, NULL);
        }
    } while (lw_now_ms() < until && folder->read_count < folder->files.count);
    if (folder->list.sort >= 0) /* in their new order */
        lw_list_changed(&folder->list, folder->files.count);
    return true;
}

/* ---- Drawing ---- */

static enum lw_tone put_verdict(const struct folder *folder, struct lw_text *text)
{
    const size_t count = folder->files.count;
    const bool is_read = folder->found && folder->read_count == count;
    const char *what = folder->is_list ? "file" : folder->files.of_layouts ? "layout" : "kernel";
    size_t over = 0, costly = 0;
    for (size_t i = 0; i < count && is_read; i++) {
        const struct found *found = &folder->found[i];
        costly += found->wavefronts || found->sectors;
        over += found->wavefronts > found->ideal || found->sectors > found->ideal_sectors;
    }
    if (folder->is_found && !count) {
        lw_text_add(text,
                    "there is neither a kernel (.ttgir, .ttir, .mlir) nor a layout (.json) here");
        return LW_TONE_BAD;
    }
    if (!folder->is_found)
        lw_text_format(text, "%zu found so far", count);
    else
        lw_text_format(text, "%zu %s%s%s", count, what, count > 1 ? "s" : "",
                       folder->files.cut ? ", and more that are not listed" : "");
    if (folder->is_found && !is_read)
        lw_text_format(text, ": %zu counted", folder->read_count);
    if (costly)
        lw_text_format(text, "; %zu over the ideal", over);
    return over ? LW_TONE_BAD : costly ? LW_TONE_GOOD : LW_TONE_TEXT;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct folder *folder = folder_of(screen);
    struct lw_text title = {0}, verdict = {0}, none = {0};
    const enum lw_tone tone = put_verdict(folder, &verdict);
    lw_text_add(&title, folder->files.path);
    lw_screen_draw_head(surface, rect, &title, &none, &verdict, tone);
    lw_text_free(&title);
    lw_text_free(&verdict);
    lw_list_draw(&folder->list, surface,
                 (struct lw_rect){rect.row + 3, rect.col, rect.height - 3, rect.width});
}

/* ---- Keys ---- */

static void open_row(struct lw_screen *screen, int argument)
{
    const struct folder *folder = folder_of(screen);
    struct lw_error err = {0};
    (void)argument;
    if (!folder->list.shown_count)
        return;
    const char *path = folder->files.files[folder->list.at].path;
    if (!lw_kernel_is_dump(path))
        lw_layout_open(screen->app, path);
    else if (!lw_kernel_open_screen(screen->app, path, &err))
        lw_app_problem(screen->app, &err);
}

static struct lw_list *list_of(struct lw_screen *screen)
{
    return &folder_of(screen)->list;
}

static void close_folder(struct lw_screen *screen)
{
    struct folder *folder = folder_of(screen);
    end_counting(folder);
    lw_kernel_folder_free(&folder->files);
    lw_list_free(&folder->list);
    free(folder->found);
    free(folder);
}

static const struct lw_screen_action folder_actions[] = {
    {"up", "Up k", "choose", "the row above", lw_screen_move, -1, 0},
    {"down", "Down j", "choose", "the row below", lw_screen_move, 1, 0},
    {"open", "Enter", "open", "open the kernel or the layout", open_row, 0, 0},
    {"sort", "S", "sort", "sort by cost, by the ideal, by name", lw_screen_sort, 0, 0},
};

const struct lw_screen_type lw_folder_screen = {
    .name = "folder",
    .actions = folder_actions,
    .action_count = LW_COUNT(folder_actions),
    .list = list_of,
    .draw = draw,
    .work = work,
    .close = close_folder,
};

static struct folder *new_folder(struct lw_app *app, struct lw_error *err)
{
    struct folder *folder = lw_screen_new(app, &lw_folder_screen, sizeof *folder);
    if (!folder) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    folder->list = (struct lw_list){.source = &source,
                                    .context = folder,
                                    .has_focus = true,
                                    .sort = -1,
                                    .sorts = 1U << COST | 1U << IDEAL};
    return folder;
}

bool lw_folder_open_screen(struct lw_app *app, const char *path, struct lw_error *err)
{
    enum { MOMENT_MS = 10 };
    const int64_t until = lw_now_ms() + MOMENT_MS;
    struct folder *folder = new_folder(app, err);
    bool good = folder && lw_kernel_folder_begin(&folder->files, path, false, err);
    while (good && lw_now_ms() < until && search_files(folder, until))
        ;
    if (good && folder->is_found && !folder->files.count)
        good = lw_error_set(
            err, LW_ERROR_NAME,
            "%.200s: there is neither a kernel nor a layout in this folder or below it: "
            "their files end in .ttgir, .ttir, .mlir or .json",
            path);
    if (good)
        lw_app_push(app, &folder->screen);
    else if (folder)
        close_folder(&folder->screen);
    return good;
}

bool lw_folder_open_list(struct lw_app *app, const char *title, const char *const *paths,
                         size_t count, struct lw_error *err)
{
    struct folder *folder = new_folder(app, err);
    if (!folder)
        return false;
    folder->is_list = folder->is_found = true;
    folder->files.path = strdup(title);
    folder->found = calloc(count + 1, sizeof *folder->found);
    bool good = folder->files.path && folder->found;
    for (size_t i = 0; i < count && good; i++)
        good = lw_kernel_folder_add(&folder->files, paths[i]);
    lw_list_changed(&folder->list, folder->files.count);
    if (good)
        lw_app_push(app, &folder->screen);
    else
        close_folder(&folder->screen);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_folder_open_gallery(struct lw_app *app)
{
    enum { KERNELS = 64 };
    size_t count;
    const struct lw_gallery_entry *kernels = lw_gallery_kernels(&count);
    const char *names[KERNELS];
    struct lw_error err = {0};
    count = count < KERNELS ? count : KERNELS;
    for (size_t i = 0; i < count; i++)
        names[i] = kernels[i].name;
    if (!lw_folder_open_list(app, "compiled kernels", names, count, &err))
        lw_app_problem(app, &err);
}
