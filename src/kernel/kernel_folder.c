/* A folder of kernels: its files are found step by step; their metadata is read on demand. */

#include "kernel/kernel_folder.h"

#include "core/base_name.h"

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

bool lw_is_kernel_or_folder(const char *path)
{
    return lw_is_folder(path) || lw_kernel_is_dump(path);
}

/* The length of a dump's name without its ending, and the stage of the compiler that wrote it: 0 is the last. */
static size_t base_length(const char *name, int *stage)
{
    static const char *const endings[] = {".ttgir", ".mlir", ".ttir"};
    size_t length = strlen(name);
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(endings[i]);
        *stage = i;
        if (length > n && !strcmp(name + length - n, endings[i]))
            return length - n;
    }
    return 0;
}

bool lw_kernel_folder_add(struct lw_kernel_folder *folder, const char *path)
{
    if (folder->count == LW_FOLDER_MAX) {
        folder->cut = true;
        return true;
    }
    if (folder->count == folder->room) {
        size_t room = folder->room ? 2 * folder->room : 64;
        struct lw_kernel_file *larger = realloc(folder->files, room * sizeof *larger);
        folder->failed = folder->failed || !larger;
        if (!larger)
            return false;
        folder->files = larger;
        folder->room = room;
    }
    char *own = strdup(path);
    folder->failed = folder->failed || !own;
    if (!own)
        return false;
    folder->files[folder->count++] = (struct lw_kernel_file){.path = own, .below = own};
    return true;
}

/* Whether a file is one of those to be found, by its name. */
static bool is_wanted(const struct lw_kernel_folder *folder, const char *name)
{
    static const char ending[] = ".json";
    const size_t length = strlen(name), n = strlen(ending);
    int stage;
    return folder->of_layouts ? length > n && !strcmp(name + length - n, ending)
                              : base_length(name, &stage) > 0;
}

/* Begins to read a folder; one that cannot be opened has no files. */
static void open_folder(struct lw_kernel_folder *folder, const char *path)
{
    DIR *dir = opendir(path);
    char *own = dir ? strdup(path) : NULL;
    folder->failed = folder->failed || (dir && !own);
    if (own) {
        folder->open[folder->depth].path = own;
        folder->open[folder->depth++].dir = dir;
    } else if (dir) {
        closedir(dir);
    }
}

static void close_folder(struct lw_kernel_folder *folder)
{
    closedir(folder->open[--folder->depth].dir);
    free(folder->open[folder->depth].path);
}

static void take_item(struct lw_kernel_folder *folder, const struct dirent *item)
{
    struct lw_text inner = {0};
    struct stat info;
    lw_text_format(&inner, "%s/%s", folder->open[folder->depth - 1].path, item->d_name);
    const char *at = lw_text_string(&inner);
    if (is_wanted(folder, item->d_name) && stat(at, &info) == 0 && S_ISREG(info.st_mode))
        lw_kernel_folder_add(folder, at);
    else if (item->d_type == DT_REG || lstat(at, &info) != 0 || !S_ISDIR(info.st_mode))
        ;
    else if (folder->depth < LW_FOLDER_DEPTH)
        open_folder(folder, at);
    else
        folder->cut = true;
    lw_text_free(&inner);
}

bool lw_kernel_folder_begin(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                            struct lw_error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *folder = (struct lw_kernel_folder){.of_layouts = of_layouts, .path = strndup(path, length)};
    folder->failed = !folder->path;
    errno = 0;
    if (folder->path)
        open_folder(folder, folder->path);
    if (folder->depth)
        return true;
    const bool failed = folder->failed;
    const char *why = strerror(errno);
    lw_kernel_folder_free(folder);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
                  : lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, why);
}

bool lw_kernel_folder_step(struct lw_kernel_folder *folder)
{
    enum { ITEMS = 256 };
    for (int i = 0; i < ITEMS && folder->depth && !folder->failed; i++) {
        struct dirent *item = readdir(folder->open[folder->depth - 1].dir);
        if (!item)
            close_folder(folder);
        else if (item->d_name[0] != '.')
            take_item(folder, item);
    }
    return folder->depth && !folder->failed;
}

static int by_name(const void *a, const void *b)
{
    const struct lw_kernel_file *left = a, *right = b;
    int order = strcmp(lw_base_name(left->path), lw_base_name(right->path));
    return order ? order : strcmp(left->path, right->path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct lw_kernel_file *)a)->path,
                  ((const struct lw_kernel_file *)b)->path);
}

/* Keeps only the last stage of each kernel; the dumps of a kernel are neighbours when sorted by path. */
static void keep_last_stages(struct lw_kernel_folder *folder)
{
    size_t kept = 0;
    qsort(folder->files, folder->count, sizeof *folder->files, by_path);
    for (size_t i = 0; i < folder->count; i++) {
        struct lw_kernel_file *last = kept ? &folder->files[kept - 1] : NULL;
        int stage = 0, before = 0;
        size_t length = base_length(folder->files[i].path, &stage);
        if (!last || base_length(last->path, &before) != length ||
            strncmp(last->path, folder->files[i].path, length) != 0) {
            folder->files[kept++] = folder->files[i];
            continue;
        }
        char *dropped = stage < before ? last->path : folder->files[i].path;
        if (stage < before)
            *last = folder->files[i];
        free(dropped);
    }
    folder->count = kept;
}

void lw_kernel_folder_arrange(struct lw_kernel_folder *folder)
{
    const size_t length = strlen(folder->path);
    if (!folder->count)
        return;
    if (!folder->of_layouts)
        keep_last_stages(folder);
    qsort(folder->files, folder->count, sizeof *folder->files,
          folder->of_layouts ? by_path : by_name);
    for (size_t i = 0; i < folder->count; i++) {
        const char *below = folder->files[i].path + length;
        folder->files[i].below = below + (*below == '/');
    }
}

bool lw_kernel_folder_open(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                           struct lw_error *err)
{
    if (!lw_kernel_folder_begin(folder, path, of_layouts, err))
        return false;
    while (lw_kernel_folder_step(folder))
        continue;
    if (!folder->failed && folder->count) {
        lw_kernel_folder_arrange(folder);
        return true;
    }
    const bool failed = folder->failed;
    lw_kernel_folder_free(folder);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
                  : lw_error_set(err, LW_ERROR_NAME,
                                 "%.200s: there is no kernel in this folder or below it: a "
                                 "kernel is a file that ends in .ttgir, .ttir or .mlir",
                                 path);
}

void lw_kernel_folder_free(struct lw_kernel_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->files[i].path);
    while (folder->depth)
        close_folder(folder);
    free(folder->files);
    free(folder->path);
    memset(folder, 0, sizeof *folder);
}

const struct lw_kernel_about *lw_kernel_folder_about(struct lw_kernel_folder *folder, size_t i)
{
    struct lw_kernel_file *file = &folder->files[i];
    if (!file->about_read) {
        int stage;
        const char *name = lw_base_name(file->path);
        lw_kernel_about(&file->about, file->path);
        if (!*file->about.name)
            snprintf(file->about.name, sizeof file->about.name, "%.*s",
                     (int)base_length(name, &stage), name);
        file->about_read = true;
    }
    return &file->about;
}
