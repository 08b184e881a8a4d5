/* What is read beside a kernel: the other kernels of a folder, whose files are found step by step and whose metadata
 * is read on demand; lines of the source that a kernel was compiled from, of which one file is kept at a time; and
 * how often loops run, from a text. */

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
    int stage;
    const size_t length = strlen(item->d_name);
    const bool wanted = folder->of_layouts
                            ? length > 5 && !strcmp(item->d_name + length - 5, ".json")
                            : base_length(item->d_name, &stage) > 0;
    lw_text_cut(&folder->at, folder->open[folder->depth - 1].length);
    lw_text_format(&folder->at, "/%s", item->d_name);
    folder->failed = folder->failed || folder->at.failed;
    const char *at = lw_text_string(&folder->at);
    if (wanted && stat(at, &info) == 0 && S_ISREG(info.st_mode))
        lw_kernel_folder_add(folder, at);
    else if (item->d_type == DT_REG || lstat(at, &info) != 0 || !S_ISDIR(info.st_mode))
        ;
    else if (folder->depth < LW_FOLDER_DEPTH)
        open_folder(folder);
    else
        folder->cut = true;
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
        int stage, before;
        const size_t length = base_length(files[i].path, &stage);
        if (!kept || base_length(files[kept - 1].path, &before) != length ||
            strncmp(files[kept - 1].path, files[i].path, length) != 0) {
            files[kept++] = files[i];
            continue;
        }
        struct lw_kernel_file dropped = files[i];
        if (stage < before) {
            dropped = files[kept - 1];
            files[kept - 1] = files[i];
        }
        free(dropped.path);
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
    if (!folder->failed && folder->count) {
        lw_kernel_folder_arrange(folder);
        return true;
    }
    const bool failed = folder->failed;
    lw_kernel_folder_free(folder);
    if (failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
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

/* ---- Lines of source ---- */

void lw_source_lines_free(struct lw_source_lines *lines)
{
    free(lines->file);
    lw_text_free(&lines->text);
    lw_text_free(&lines->line);
    memset(lines, 0, sizeof *lines);
}

/* Reads all of a file of at most LW_SOURCE_LINES_BYTES_MAX. */
static bool read_file(struct lw_source_lines *lines, const char *path)
{
    struct lw_error err;
    struct lw_reading reading = {.err = &err, .max = LW_SOURCE_LINES_BYTES_MAX};
    FILE *file = lw_open_regular(path, LW_SOURCE_LINES_BYTES_MAX, &err);
    const bool good = file && lw_read_stream(&reading, file, path, &lines->text);
    if (file)
        fclose(file);
    if (!good)
        lw_text_clear(&lines->text);
    return good;
}

static void open_source(struct lw_source_lines *lines, const char *file, const char *kernel,
                        const char *source)
{
    const char *name = lw_base_name(file);
    struct lw_text beside = {0};
    lw_source_lines_free(lines);
    lines->file = strdup(file);
    lw_text_bytes(&beside, kernel, (size_t)(lw_base_name(kernel) - kernel));
    lw_text_add(&beside, name);
    if (source && !strcmp(lw_base_name(source), name))
        read_file(lines, source);
    else if (!read_file(lines, file) && !read_file(lines, lw_text_string(&beside)) && source)
        read_file(lines, source);
    lw_text_free(&beside);
}

const char *lw_source_line(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source)
{
    for (; location; location = location->caller) {
        if (!*location->file || location->line < 1)
            continue;
        if (!lines->file || strcmp(lines->file, location->file) != 0)
            open_source(lines, location->file, kernel, source);
        const char *at = lw_text_string(&lines->text);
        for (int line = 1; at && line < location->line; line++) {
            at = strchr(at, '\n');
            at += at != NULL;
        }
        if (!lines->text.length || !at)
            continue;
        at += strspn(at, " \t");
        lw_text_clear(&lines->line);
        lw_text_bytes(&lines->line, at, strcspn(at, "\r\n"));
        if (!lines->line.failed &&
            lw_check_bytes(lw_text_string(&lines->line), lines->line.length, NULL))
            return lw_text_string(&lines->line);
    }
    return NULL;
}

/* ---- How often loops run ---- */

static bool read_count(const char **text, uint64_t max, uint64_t *number)
{
    const char *from = *text;
    for (*number = 0; **text >= '0' && **text <= '9' && *number <= max; ++*text)
        *number = *number * 10 + (uint64_t)(**text - '0');
    return *text > from && *number <= max;
}

/* Reads one of the items that are separated by commas; a name is copied to *names, which is moved past it. */
static bool read_one(const char **text, struct lw_trips *trips, char **names, const char *end)
{
    const bool has_line = **text >= '0' && **text <= '9';
    const char *from = **text == '%' ? *text + 1 : *text;
    const size_t length = strcspn(from, "=,");
    const bool is_named = from[length] == '=' && !has_line;
    uint64_t line = 0;
    *trips = (struct lw_trips){0};
    if (is_named) {
        if (length == 0 || (size_t)(end - *names) <= length)
            return false;
        trips->name = *names;
        memcpy(*names, from, length);
        *names += length;
        *(*names)++ = '\0';
    } else if (from[length] == '=') {
        if (!read_count(text, INT32_MAX, &line) || line < 1 || **text != '=')
            return false;
        trips->line = (int)line;
    }
    if (from[length] == '=')
        *text = from + length + 1;
    return read_count(text, (uint64_t)1 << (is_named ? 62 : 40), &trips->count);
}

bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err)
{
    char *names = out->names;
    const char *p = text, *end = names + sizeof out->names;
    bool good = true;
    out->count = 0;
    do
        good = out->count < LW_TRIPS_MAX && read_one(&p, &out->trips[out->count++], &names, end);
    while (good && *p++ == ',');
    return (good && p[-1] == '\0') ||
           lw_error_set(
               err, LW_ERROR_SYNTAX,
               "%s %.60s: expected a number up to 2^40, LINE=NUMBER for the loop on "
               "that line of the file, or NAME=NUMBER for a value that bounds are computed "
               "from, separated by commas: %s 73=16,K=512",
               option, text, option);
}
