/* Walking a folder, with the names of each sorted. */

#include "cli/docs/docs_walk.h"

#include "cli/docs/markers.h"
#include "laneway/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
