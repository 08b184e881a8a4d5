/* A folder as the list of the kernels in it: its files are found step by step, their metadata is read on demand. */

#include "kernel/kernel_folder.h"

#include "core/base_name.h"
#include "notation/document/read.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool lw_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The length of a dump's path without its ending; 0: it is none. */
static size_t base_length(const char *path)
{
    const size_t length = strlen(path);
    const bool is_last = lw_ends(path, length, ".ttgir"); /* of the stages of the compiler */
    const bool is_dump = lw_ends(path, length, ".mlir") || lw_ends(path, length, ".ttir");
    return is_last ? length - 6 : is_dump ? length - 5 : 0;
}

bool lw_kernel_folder_add(struct lw_kernel_folder *folder, const char *path)
{
    folder->cut = folder->cut || folder->count == LW_FOLDER_MAX;
    if (folder->count == LW_FOLDER_MAX)
        return true;
    if (!(folder->count & (folder->count - 1))) { /* full: room for twice as many */
        const size_t room = folder->count ? 2 * folder->count : 1;
        struct lw_kernel_file *larger = realloc(folder->files, room * sizeof *larger);
        folder->failed = folder->failed || !larger;
        if (!larger)
            return false;
        folder->files = larger;
    }
    char *own = strdup(path);
    folder->failed = folder->failed || !own;
    if (!own)
        return false;
    folder->files[folder->count++] = (struct lw_kernel_file){.path = own};
    return true;
}

/* Begins to read the folder at folder->at; one that cannot be opened has no files. */
static void open_folder(struct lw_kernel_folder *folder)
{
    DIR *dir = opendir(lw_text_string(&folder->at));
    if (!dir)
        return;
    folder->open[folder->depth].dir = dir;
    folder->open[folder->depth++].length = folder->at.length;
}

static void take_item(struct lw_kernel_folder *folder, const struct dirent *item)
{
    struct stat info;
    const bool wanted = folder->of_layouts ? lw_ends(item->d_name, strlen(item->d_name), ".json")
                                           : base_length(item->d_name) > 0;
    lw_text_cut(&folder->at, folder->open[folder->depth - 1].length);
    lw_text_format(&folder->at, "/%s", item->d_name);
    folder->failed = folder->failed || folder->at.failed;
    const char *at = lw_text_string(&folder->at);
    if (wanted && stat(at, &info) == 0 && S_ISREG(info.st_mode))
        lw_kernel_folder_add(folder, at);
    else if (item->d_type != DT_REG && lstat(at, &info) == 0 && S_ISDIR(info.st_mode)) {
        folder->cut = folder->cut || folder->depth == LW_FOLDER_DEPTH;
        if (folder->depth < LW_FOLDER_DEPTH)
            open_folder(folder);
    }
}

bool lw_kernel_folder_begin(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                            struct lw_error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *folder = (struct lw_kernel_folder){.of_layouts = of_layouts, .path = strndup(path, length)};
    lw_text_bytes(&folder->at, path, length);
    errno = 0;
    open_folder(folder);
    const int number = errno;
    folder->failed = !folder->path || folder->at.failed;
    const bool failed = folder->failed;
    if (folder->depth && !failed)
        return true;
    lw_kernel_folder_free(folder);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
                  : lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(number));
}

bool lw_kernel_folder_step(struct lw_kernel_folder *folder)
{
    enum { ITEMS = 256 };
    for (int i = 0; i < ITEMS && folder->depth && !folder->failed; i++) {
        struct dirent *item = readdir(folder->open[folder->depth - 1].dir);
        if (!item)
            closedir(folder->open[--folder->depth].dir);
        else if (item->d_name[0] != '.')
            take_item(folder, item);
    }
    return folder->depth && !folder->failed;
}

static int by_path(const void *a, const void *b)
{
    const struct lw_kernel_file *left = a, *right = b;
    return strcmp(left->path, right->path);
}

static int by_name(const void *a, const void *b)
{
    const struct lw_kernel_file *left = a, *right = b;
    int order = strcmp(lw_base_name(left->path), lw_base_name(right->path));
    return order ? order : by_path(a, b);
}

/* The dumps of a kernel are neighbours when sorted by path: only that of the last stage is kept. */
void lw_kernel_folder_arrange(struct lw_kernel_folder *folder)
{
    struct lw_kernel_file *files = folder->files;
    size_t kept = 0;
    if (folder->count)
        qsort(files, folder->count, sizeof *files, by_path);
    if (folder->of_layouts || !folder->count)
        return;
    for (size_t i = 0; i < folder->count; i++) {
        struct lw_kernel_file *last = kept ? &files[kept - 1] : NULL;
        const size_t length = base_length(files[i].path);
        const bool is_better = !strcmp(files[i].path + length, ".ttgir");
        if (!last || base_length(last->path) != length ||
            strncmp(last->path, files[i].path, length) != 0) {
            files[kept++] = files[i];
            continue;
        }
        free(is_better ? last->path : files[i].path);
        *last = is_better ? files[i] : *last;
    }
    folder->count = kept;
    qsort(files, kept, sizeof *files, by_name);
}

bool lw_kernel_folder_open(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                           struct lw_error *err)
{
    if (!lw_kernel_folder_begin(folder, path, of_layouts, err))
        return false;
    while (lw_kernel_folder_step(folder))
        continue;
    if (!folder->failed && !folder->cut && folder->count) {
        lw_kernel_folder_arrange(folder);
        return true;
    }
    const bool failed = folder->failed, cut = folder->cut;
    lw_kernel_folder_free(folder);
    if (failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (cut)
        return lw_error_set(err, LW_ERROR_LIMIT, "%.200s: over %zu files, or over %d folders deep",
                            path, LW_FOLDER_MAX, LW_FOLDER_DEPTH);
    return lw_error_set(err, LW_ERROR_NAME, "%.200s: there is no %s file in it or below it", path,
                        of_layouts ? ".json" : ".ttgir, .ttir or .mlir");
}

void lw_kernel_folder_free(struct lw_kernel_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->files[i].path);
    while (folder->depth)
        closedir(folder->open[--folder->depth].dir);
    lw_text_free(&folder->at);
    free(folder->files);
    free(folder->path);
    memset(folder, 0, sizeof *folder);
}

const struct lw_kernel_about *lw_kernel_folder_about(struct lw_kernel_folder *folder, size_t i)
{
    struct lw_kernel_file *file = &folder->files[i];
    if (!file->about_read) {
        const char *name = lw_base_name(file->path);
        lw_kernel_about(&file->about, file->path);
        if (!*file->about.name)
            snprintf(file->about.name, sizeof file->about.name, "%.*s", (int)base_length(name),
                     name);
        file->about_read = true;
    }
    return &file->about;
}
