/* A folder of kernels: all files are found when it is opened; their metadata is read on demand. */

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

static void add_file(struct lw_kernel_folder *folder, const char *path)
{
    if (folder->count == LW_FOLDER_MAX) {
        folder->cut = true;
        return;
    }
    if (folder->count == folder->room) {
        size_t room = folder->room ? 2 * folder->room : 64;
        struct lw_kernel_file *files = realloc(folder->files, room * sizeof *files);
        folder->failed = folder->failed || !files;
        if (!files)
            return;
        folder->files = files;
        folder->room = room;
    }
    char *own = strdup(path);
    folder->failed = folder->failed || !own;
    if (own)
        folder->files[folder->count++] = (struct lw_kernel_file){.path = own};
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

static void walk(struct lw_kernel_folder *folder, const char *path, int depth,
                 const struct lw_kernel_options *options)
{
    DIR *dir = opendir(path);
    for (struct dirent *item; dir && !folder->failed && (item = readdir(dir));) {
        struct lw_text inner = {0};
        struct stat info;
        folder->stopped =
            folder->stopped || (options && options->stop && options->stop(options->stop_context));
        if (folder->stopped)
            break;
        if (item->d_name[0] == '.')
            continue;
        lw_text_format(&inner, "%s/%s", path, item->d_name);
        const char *at = lw_text_string(&inner);
        if (is_wanted(folder, item->d_name) && stat(at, &info) == 0 && S_ISREG(info.st_mode))
            add_file(folder, at);
        else if (item->d_type != DT_REG && lstat(at, &info) == 0 && S_ISDIR(info.st_mode)) {
            if (depth < LW_FOLDER_DEPTH)
                walk(folder, at, depth + 1, options);
            else
                folder->cut = true;
        }
        lw_text_free(&inner);
    }
    if (dir)
        closedir(dir);
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

/* Finds the files; on failure the folder is freed. */
static bool find_files(struct lw_kernel_folder *folder, const char *path,
                       const struct lw_kernel_options *options, struct lw_error *err)
{
    DIR *dir = opendir(path);
    if (!dir)
        return lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(errno));
    closedir(dir);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    folder->path = strndup(path, length);
    if (folder->path)
        walk(folder, folder->path, 1, options);
    bool stopped = folder->stopped, failed = !folder->path || folder->failed;
    if (!failed && !stopped && folder->count)
        return true;
    lw_kernel_folder_free(folder);
    return stopped  ? lw_error_set(err, LW_ERROR_STOPPED, "%.200s: stopped", path)
           : failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
                    : lw_error_set(err, LW_ERROR_NAME,
                                   "%.200s: there is no kernel in this folder or below it: a "
                                   "kernel is a file that ends in .ttgir, .ttir or .mlir",
                                   path);
}

/* Sorts the files, and sets the part of each path below the folder. */
static void arrange(struct lw_kernel_folder *folder, int (*order)(const void *a, const void *b))
{
    const size_t length = strlen(folder->path);
    qsort(folder->files, folder->count, sizeof *folder->files, order);
    for (size_t i = 0; i < folder->count; i++) {
        const char *below = folder->files[i].path + length;
        folder->files[i].below = below + (*below == '/');
    }
}

bool lw_kernel_folder_open(struct lw_kernel_folder *folder, const char *path,
                           const struct lw_kernel_options *options, struct lw_error *err)
{
    memset(folder, 0, sizeof *folder);
    if (!find_files(folder, path, options, err))
        return false;
    keep_last_stages(folder);
    arrange(folder, by_name);
    return true;
}

bool lw_layout_folder_open(struct lw_kernel_folder *folder, const char *path,
                           const struct lw_kernel_options *options, struct lw_error *err)
{
    *folder = (struct lw_kernel_folder){.of_layouts = true};
    if (find_files(folder, path, options, err)) {
        arrange(folder, by_path);
        return true;
    }
    return err->code != LW_ERROR_NAME
               ? false
               : lw_error_set(err, LW_ERROR_NAME,
                              "%.200s: there is neither a kernel nor a layout in this folder or "
                              "below it: their files end in .ttgir, .ttir, .mlir or .json",
                              path);
}

bool lw_kernel_folder_list(struct lw_kernel_folder *folder, const char *name,
                           const char *const *paths, size_t count, struct lw_error *err)
{
    memset(folder, 0, sizeof *folder);
    folder->path = strdup(name);
    for (size_t i = 0; i < count && folder->path && !folder->failed; i++) {
        if (!lw_kernel_is_dump(paths[i])) {
            lw_kernel_folder_free(folder);
            return lw_error_set(
                err, LW_ERROR_NAME,
                "'%.200s' is not the dump of a kernel, but all files must be when one is",
                paths[i]);
        }
        add_file(folder, paths[i]);
    }
    if (!folder->path || folder->failed) {
        lw_kernel_folder_free(folder);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < folder->count; i++)
        folder->files[i].below = folder->files[i].path;
    return true;
}

void lw_kernel_folder_free(struct lw_kernel_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->files[i].path);
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
