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

/* Makes room for one more item; false when memory is out. */
static bool has_room(struct lw_kernel_folder *folder, void **items, size_t size, size_t count,
                     size_t *room)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *larger = realloc(*items, more * size);
    folder->failed = folder->failed || !larger;
    if (!larger)
        return false;
    *items = larger;
    *room = more;
    return true;
}

bool lw_kernel_folder_add(struct lw_kernel_folder *folder, const char *path)
{
    if (folder->count == LW_FOLDER_MAX) {
        folder->cut = true;
        return true;
    }
    char *own = strdup(path);
    folder->failed = folder->failed || !own;
    if (!own || !has_room(folder, (void **)&folder->files, sizeof *folder->files, folder->count,
                          &folder->room)) {
        free(own);
        return false;
    }
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

/* Adds a folder to those that are still to be read. */
static void add_pending(struct lw_kernel_folder *folder, const char *path, int depth)
{
    struct lw_pending_folder pending = {strdup(path), depth};
    folder->failed = folder->failed || !pending.path;
    if (!pending.path || !has_room(folder, (void **)&folder->pending, sizeof *folder->pending,
                                   folder->pending_count, &folder->pending_room))
        free(pending.path);
    else
        folder->pending[folder->pending_count++] = pending;
}

static void take_item(struct lw_kernel_folder *folder, const struct dirent *item)
{
    struct lw_text inner = {0};
    struct stat info;
    lw_text_format(&inner, "%s/%s", folder->reading.path, item->d_name);
    const char *at = lw_text_string(&inner);
    if (is_wanted(folder, item->d_name) && stat(at, &info) == 0 && S_ISREG(info.st_mode))
        lw_kernel_folder_add(folder, at);
    else if (item->d_type == DT_REG || lstat(at, &info) != 0 || !S_ISDIR(info.st_mode))
        ;
    else if (folder->reading.depth < LW_FOLDER_DEPTH)
        add_pending(folder, at, folder->reading.depth + 1);
    else
        folder->cut = true;
    lw_text_free(&inner);
}

static void end_reading(struct lw_kernel_folder *folder)
{
    if (folder->dir)
        closedir(folder->dir);
    free(folder->reading.path);
    folder->dir = NULL;
    folder->reading.path = NULL;
}

bool lw_kernel_folder_begin(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                            struct lw_error *err)
{
    DIR *dir = opendir(path);
    *folder = (struct lw_kernel_folder){.of_layouts = of_layouts};
    if (!dir)
        return lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(errno));
    closedir(dir);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    folder->path = strndup(path, length);
    if (folder->path)
        add_pending(folder, folder->path, 1);
    if (folder->path && !folder->failed)
        return true;
    lw_kernel_folder_free(folder);
    return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_kernel_folder_step(struct lw_kernel_folder *folder)
{
    enum { ITEMS = 256 };
    if (folder->failed)
        return false;
    if (!folder->reading.path) {
        if (!folder->pending_count)
            return false;
        folder->reading = folder->pending[--folder->pending_count];
        folder->dir = opendir(folder->reading.path);
    }
    struct dirent *item = NULL;
    for (int i = 0; i < ITEMS && folder->dir && (item = readdir(folder->dir)); i++)
        if (item->d_name[0] != '.')
            take_item(folder, item);
    if (!item)
        end_reading(folder);
    return true;
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
    for (size_t i = 0; i < folder->pending_count; i++)
        free(folder->pending[i].path);
    end_reading(folder);
    free(folder->pending);
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
