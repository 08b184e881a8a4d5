/* Targets, by name or file. Those of files are kept until the program ends, as layouts and plans point to them. */

#include "cli/arguments.h"

#include "notation/document/read.h"
#include "tui/tui.h"

#include <stdlib.h>
#include <string.h>

#define TARGET_BYTES_MAX 65536

struct opened {
    struct opened *next;
    char *path;
    struct lw_target target;
};

static struct opened *all;

static bool read_target(struct lw_target *target, const char *path, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_text text = {0};
    struct lw_value object;
    struct lw_error inner;
    struct lw_reading reading = {.arena = &arena, .err = err, .max = TARGET_BYTES_MAX};
    bool good = lw_open_relative(&reading, path, strlen(path), &text);
    if (good && !(lw_read_json_object(&arena, lw_text_string(&text), text.length,
                                      "{\"target\": \"toy\", ...}", &object, &inner) &&
                  lw_target_make(target, &object, &inner))) {
        good = lw_error_set(err, inner.code, "%.200s:%d:%d: %.300s", path, inner.position.line,
                            inner.position.column, inner.message);
        if (!inner.position.line)
            lw_error_set(err, inner.code, "%.200s: %.300s", path, inner.message);
    }
    lw_text_free(&text);
    lw_arena_free(&arena);
    return good;
}

static bool open_file(const char *path, const struct lw_hardware **target, struct lw_error *err)
{
    struct opened *opened = all;
    while (opened && strcmp(opened->path, path) != 0)
        opened = opened->next;
    if (!opened) {
        opened = calloc(1, sizeof *opened);
        char *kept = strdup(path);
        if (!opened || !kept || !read_target(&opened->target, path, err)) {
            if (!opened || !kept)
                lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
            free(opened);
            free(kept);
            return false;
        }
        opened->path = kept;
        opened->next = all;
        all = opened;
    }
    *target = &opened->target.hardware;
    return true;
}

bool lw_target_named(const char *name, const struct lw_hardware **target, struct lw_error *err)
{
    char hint[LW_HINT_MAX], normalized[32];
    if (lw_name_is_file(name))
        return open_file(name, target, err);
    if ((*target = lw_hardware_find(name)) != NULL)
        return true;
    lw_hardware_normalize_name(normalized, sizeof normalized, name);
    lw_text_hint(hint, lw_choices_nearest(&lw_choices_targets, normalized),
                 "; 'laneway help targets' lists them");
    return lw_error_set(err, LW_ERROR_NAME, "unknown target '%.40s'%s", name, hint);
}
