/* What is read beside a kernel: the other kernels of a folder, whose files are found step by step and whose metadata
 * is read on demand; lines of the source that a kernel was compiled from, of which one file is kept at a time; and
 * how often loops run, from a text. */

#include "kernel/kernel_folder.h"

#include "core/array_count.h"
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
        const char *name = lw_base_name(file->path);
        lw_kernel_about(&file->about, file->path);
        if (!*file->about.name)
            snprintf(file->about.name, sizeof file->about.name, "%.*s", (int)base_length(name),
                     name);
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

/* Reads a file of at most LW_SOURCE_LINES_BYTES_MAX as the lines of `file`, which a location names. */
static void open_source(struct lw_source_lines *lines, const char *file, const char *kernel,
                        const char *source)
{
    struct lw_error err;
    struct lw_reading reading = {.err = &err, .max = LW_SOURCE_LINES_BYTES_MAX};
    struct lw_text beside = {0};
    lw_text_bytes(&beside, kernel, (size_t)(lw_base_name(kernel) - kernel));
    lw_text_add(&beside, lw_base_name(file));
    const bool is_first = source && !strcmp(lw_base_name(source), lw_base_name(file));
    const char *const paths[] = {is_first ? source : file, file, lw_text_string(&beside), source};
    bool good = false;
    lw_source_lines_free(lines);
    lines->file = strdup(file);
    for (size_t i = 0; i < LW_COUNT(paths) && paths[i] && !good; i++) {
        FILE *stream = lw_open_regular(paths[i], LW_SOURCE_LINES_BYTES_MAX, &err);
        good = stream && lw_read_stream(&reading, stream, paths[i], &lines->text);
        if (stream)
            fclose(stream);
        if (!good)
            lw_text_clear(&lines->text);
    }
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

/* Reads an item, which ends in a NUL: "16", "73=16", "K=512", "%K=512". */
static bool read_one(char *item, struct lw_trips *trips)
{
    char *equals = strchr(item, '='), *number = equals ? equals + 1 : item;
    const size_t digits = strspn(number, "0123456789"), line_digits = strspn(item, "0123456789");
    if (equals)
        *equals = '\0';
    if (equals && line_digits)
        trips->line = item[line_digits] || line_digits > 9 ? 0 : atoi(item);
    else if (equals)
        trips->name = item + (*item == '%');
    trips->count = digits > 19 ? UINT64_MAX : strtoull(number, NULL, 10);
    return digits && !number[digits] && (!equals || trips->line || (trips->name && *trips->name)) &&
           trips->count <= (uint64_t)1 << (trips->name ? 62 : 40);
}

bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err)
{
    bool good = strlen(text) < sizeof out->text;
    *out = (struct lw_trips_text){.count = 0};
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *item = out->text, *next; good && item; item = next) {
        next = strchr(item, ',');
        if (next)
            *next++ = '\0';
        good = out->count < LW_TRIPS_MAX && read_one(item, &out->trips[out->count++]);
    }
    return good || lw_error_set(
                       err, LW_ERROR_SYNTAX,
                       "%s %.60s: expected a number up to 2^40, LINE=NUMBER for the loop on "
                       "that line of the file, or NAME=NUMBER for a value that bounds are computed "
                       "from, separated by commas: %s 73=16,K=512",
                       option, text, option);
}
