/* The documents of a run; walking a folder, with the names of each sorted. */

#include "cli/docs/docs_walk.h"

#include "cli/docs/markers.h"
#include "export/replace.h"
#include "laneway/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The documents of a run ---- */

bool lw_docs_list_add(struct lw_docs_list *list, const char *path, bool walked,
                      struct lw_error *err)
{
    struct stat info;
    struct lw_docs_document document = {.path = strdup(path), .walked = walked};
    struct lw_docs_document *more =
        realloc(list->document, (list->count + 1) * sizeof *list->document);
    if (more)
        list->document = more;
    if (!more || !document.path) {
        free(document.path);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    if (lw_file_info(path, &info) == LW_FILE_THERE) {
        document.device = (uint64_t)info.st_dev;
        document.inode = (uint64_t)info.st_ino;
    }
    list->document[list->count++] = document;
    return true;
}

bool lw_docs_list_find(const struct lw_docs_list *list, const char *path,
                       const struct lw_docs_document **document, struct lw_error *err)
{
    struct stat info;
    enum lw_file_there there = lw_file_info(path, &info);
    *document = NULL;
    if (there == LW_FILE_UNKNOWN)
        return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    for (size_t i = 0; there == LW_FILE_THERE && i < list->count && !*document; i++)
        if (list->document[i].device == (uint64_t)info.st_dev &&
            list->document[i].inode == (uint64_t)info.st_ino)
            *document = &list->document[i];
    return true;
}

void lw_docs_list_free(struct lw_docs_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->document[i].path);
    free(list->document);
    *list = (struct lw_docs_list){0};
}

/* ---- Walking ---- */

enum { DEPTH_MAX = 64 };

struct walk {
    void (*visit)(void *context, const char *path, bool walked);
    void *context;
    struct lw_error *err;
    int depth;
};

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool walk_folder(struct walk *walk, const char *path);

static bool walk_path(struct walk *walk, const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return lw_error_set(walk->err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return walk_folder(walk, path);
    if (S_ISREG(info.st_mode) && lw_markers_are_in(path))
        walk->visit(walk->context, path, true);
    return true;
}

static bool walk_folder(struct walk *walk, const char *path)
{
    struct dirent **entries;
    struct lw_text below = {0};
    bool good = true;
    if (++walk->depth > DEPTH_MAX)
        return lw_error_set(walk->err, LW_ERROR_LIMIT, "%s: more than %d folders deep", path,
                            DEPTH_MAX);
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0)
        return lw_error_set(walk->err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        lw_text_clear(&below);
        lw_text_format(&below, "%s/%s", path, entries[i]->d_name);
        good = good && walk_path(walk, lw_text_string(&below));
        free(entries[i]);
    }
    free(entries);
    lw_text_free(&below);
    walk->depth--;
    return good;
}

bool lw_docs_walk(const char *path, void (*visit)(void *context, const char *path, bool walked),
                  void *context, struct lw_error *err)
{
    struct walk walk = {visit, context, err, 0};
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return walk_folder(&walk, path);
    visit(context, path, false);
    return true;
}
