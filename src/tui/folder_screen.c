/* The screen of a folder, or of several files: a list of kernels and layouts. The first picture has the names that were
 * found in a few milliseconds; the others are found in slices of work. What a kernel is compiled for is read when its
 * row is drawn. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/text_rows.h"
#include "core/unused.h"
#include "tui/list.h"
#include "tui/screen.h"
#include "kernel/kernel_folder.h"

#include <stdlib.h>
#include <string.h>

struct folder {
    struct lw_screen screen;
    struct lw_kernel_folder files;
    bool is_found; /* all files are */
    bool is_list;  /* of files that were named, or of the gallery */
    struct lw_list list;
};

static struct folder *folder_of(const struct lw_screen *screen)
{
    return (struct folder *)screen;
}

/* ---- Rows ---- */

enum column { NAME, PATH, ABOUT };
static const struct lw_column columns[] = {
    {"name", false, 12}, {"folder", false, 0}, {"", false, 0}};

static void put_cell(void *context, size_t row, int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    struct folder *folder = context;
    const char *path = folder->files.files[row].path, *name = lw_base_name(path);
    const char *dot = strrchr(name, '.');
    const char *below = path + (folder->is_list ? 0 : strlen(folder->files.path) + 1);
    *pen = lw_tone(column == NAME ? LW_TONE_TEXT : LW_TONE_FAINT);
    if (column == NAME) {
        lw_text_bytes(text, name,
                      dot > name && !folder->is_list ? (size_t)(dot - name) : strlen(name));
    } else if (column == PATH) {
        lw_text_bytes(text, below, (size_t)(lw_base_name(below) - below));
    } else if (lw_kernel_is_dump(path)) {
        const struct lw_kernel_about *kernel = lw_kernel_folder_about(&folder->files, row);
        lw_text_add(text, kernel->target);
        lw_text_add(text, kernel->num_warps && *kernel->target ? ", " : "");
        if (kernel->num_warps)
            lw_put_count(text, (uint64_t)kernel->num_warps, "warp");
    }
}

static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL, NULL};

/* ---- Finding files ---- */

/* Looks for files for some milliseconds; false: all were found before, and sorted. A folder without kernels is one of
 * layouts. */
static bool work(struct lw_screen *screen)
{
    enum { SLICE_MS = 4 };
    struct folder *folder = folder_of(screen);
    struct lw_kernel_folder *files = &folder->files, layouts;
    const int64_t until = lw_now_ms() + SLICE_MS;
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
    if (!more)
        lw_kernel_folder_arrange(files);
    lw_list_changed(&folder->list, files->count);
    folder->is_found = !more;
    if (files->failed)
        lw_app_message(folder->screen.app, "out of memory");
    return true;
}

/* ---- Drawing ---- */

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct folder *folder = folder_of(screen);
    const size_t count = folder->files.count;
    const char *what = folder->is_list ? "file" : folder->files.of_layouts ? "layout" : "kernel";
    const bool is_empty = folder->is_found && !count;
    struct lw_text title = {0}, verdict = {0}, none = {0};
    lw_text_add(&title, folder->files.path);
    if (is_empty)
        lw_text_add(&verdict,
                    "there is neither a kernel (.ttgir, .ttir, .mlir) nor a layout (.json) here");
    else
        lw_put_count(&verdict, count, what);
    if (!folder->is_found || folder->files.cut)
        lw_text_add(&verdict, folder->is_found ? ", and more that are not listed" : " so far");
    lw_screen_draw_head(surface, rect, &title, &none, &verdict,
                        is_empty ? LW_TONE_BAD : LW_TONE_TEXT);
    lw_list_draw(&folder->list, surface,
                 (struct lw_rect){rect.row + 3, rect.col, rect.height - 3, rect.width});
    lw_text_free(&title);
    lw_text_free(&verdict);
}

/* ---- Keys ---- */

static void open_row(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct folder *folder = folder_of(screen);
    struct lw_error err = {0};
    if (!folder->list.shown_count)
        return;
    const char *path = folder->files.files[folder->list.at].path;
    if (!screen->app->open(screen->app, &path, 1, &err))
        lw_app_problem(screen->app, &err);
}

static void close_folder(struct lw_screen *screen)
{
    struct folder *folder = folder_of(screen);
    lw_kernel_folder_free(&folder->files);
    lw_list_free(&folder->list);
    free(folder);
}

static const struct lw_screen_action folder_actions[] = {
    {"up", "Up k", LW_UP_DOWN " choose", "the row above", lw_screen_move, -1, 0},
    {"down", "Down j", NULL, "the row below", lw_screen_move, 1, 0},
    {"open", "Enter", "Enter open", "open the kernel or the layout", open_row, 0, 0},
};

const struct lw_screen_type lw_folder_screen = {
    .name = "folder",
    .actions = folder_actions,
    .action_count = LW_COUNT(folder_actions),
    .list = offsetof(struct folder, list),
    .draw = draw,
    .work = work,
    .close = close_folder,
};

/* Pushes the screen when it is good; else closes it. */
static bool push(struct folder *folder, bool is_good)
{
    lw_list_changed(&folder->list, folder->files.count);
    if (is_good)
        lw_app_push(folder->screen.app, &folder->screen);
    else
        close_folder(&folder->screen);
    return is_good;
}

static struct folder *new_folder(struct lw_app *app, struct lw_error *err)
{
    struct folder *folder = lw_screen_new(app, &lw_folder_screen, sizeof *folder);
    if (folder)
        folder->list = (struct lw_list){.source = &source, .context = folder, .has_focus = true};
    else
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return folder;
}

bool lw_folder_open_screen(struct lw_app *app, const char *path, struct lw_error *err)
{
    struct folder *folder = new_folder(app, err);
    const bool good = folder && lw_kernel_folder_begin(&folder->files, path, false, err);
    if (good && work(&folder->screen)) /* of kernels; then, if there are none, of layouts */
        work(&folder->screen);
    return folder && push(folder, good);
}

bool lw_folder_open_list(struct lw_app *app, const char *title, const char *const *paths,
                         size_t count, struct lw_error *err)
{
    struct folder *folder = new_folder(app, err);
    if (!folder)
        return false;
    folder->is_list = folder->is_found = true;
    folder->files.path = strdup(title);
    bool good = folder->files.path;
    for (size_t i = 0; i < count && good; i++)
        good = lw_kernel_folder_add(&folder->files, paths[i]);
    return push(folder, good) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
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
