/* The files that the program keeps between runs, in the folders of the XDG base directory specification. */

#include "tui/keep/keep_file.h"

#include "core/text_mark.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *variable, *below_home;
} folders[] = {
    [LW_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [LW_FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"},
};

bool lw_folder_path(struct lw_text *path, enum lw_folder folder, const char *name,
                    struct lw_error *err)
{
    const char *given = getenv(folders[folder].variable), *home = getenv("HOME");
    if (given && *given == '/')
        lw_text_format(path, "%s/laneway/%s", given, name);
    else if (home && *home == '/')
        lw_text_format(path, "%s/%s/laneway/%s", home, folders[folder].below_home, name);
    else
        return lw_error_set(err, LW_ERROR_IO, "neither HOME nor %s is set: nothing is saved",
                            folders[folder].variable);
    return !path->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_folder_make(const char *path, struct lw_error *err)
{
    char *copy = strdup(path);
    if (!copy)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int why = mkdir(copy, 0700) != 0 ? errno : 0;
        if (why && access(copy, F_OK) != 0)
            made = lw_error_set(err, LW_ERROR_IO, "%.200s: %s", copy, strerror(why));
        *slash = '/';
    }
    free(copy);
    return made;
}

bool lw_file_read(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_error why = {0};
    struct lw_reading reading = {.err = err ? err : &why, .max = 1 << 20};
    FILE *file = lw_open_regular(path, reading.max, reading.err);
    if (!file && (errno == ENOENT || errno == ENOTDIR))
        *reading.err = (struct lw_error){0};
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

bool lw_file_write(const char *path, const char *text, struct lw_error *err)
{
    struct lw_output output;
    if (!lw_output_open(&output, path, NULL, err))
        return false;
    fputs(text, output.stream);
    bool whole = !lw_memory_failed() && !lw_text_is_mark(text);
    return lw_output_close(&output, whole, err) &&
           (whole || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}

/* ---- Kept files ---- */

bool lw_keep_load(const struct lw_keep_file *file, struct lw_kept *kept, struct lw_error *err)
{
    struct lw_text path = {0}, text = {0};
    struct lw_error why = {0};
    *kept = (struct lw_kept){0};
    bool good = lw_folder_path(&path, file->folder, file->name, &why) &&
                (lw_file_read(lw_text_string(&path), &text, &why) || why.code == LW_OK);
    if (good && text.length)
        good = lw_read_json_object(&kept->arena, lw_text_string(&text), text.length,
                                   "{\"name\": ...}", &kept->object, &why);
    for (size_t i = 0; i < kept->object.count; i++) {
        struct lw_value *value = &kept->object.items[i];
        struct lw_error problem = {0};
        if (file->check(kept->object.names[i], value, &problem))
            continue;
        if (good)
            lw_error_at(&why, problem.code, value->position, "%s", problem.message);
        value->kind = LW_VALUE_NONE;
        good = false;
    }
    if (!good && err) {
        char where[40] = "";
        *err = why;
        if (why.position.line)
            snprintf(where, sizeof where, ":%d:%d", why.position.line, why.position.column);
        if (text.data) /* the file was read */
            snprintf(err->message, sizeof err->message, "%s%s: %.400s", file->name, where,
                     why.message);
    }
    lw_text_free(&text);
    lw_text_free(&path);
    return good;
}

void lw_kept_free(struct lw_kept *kept)
{
    lw_arena_free(&kept->arena);
    *kept = (struct lw_kept){0};
}

bool lw_keep_set(const struct lw_keep_file *file, const char *name, const struct lw_value *value,
                 struct lw_error *err)
{
    struct lw_text path = {0}, text = {0};
    struct lw_kept kept;
    bool good = lw_keep_load(file, &kept, err);
    for (size_t i = 0; i <= kept.object.count; i++) {
        const bool is_old = i < kept.object.count;
        if (is_old && !strcmp(kept.object.names[i], name))
            continue;
        lw_text_add(&text, text.length ? ",\n  " : "{\n  ");
        lw_text_json_string(&text, is_old ? kept.object.names[i] : name);
        lw_text_add(&text, ": ");
        lw_value_print(&text, is_old ? &kept.object.items[i] : value);
    }
    lw_text_add(&text, "\n}\n");
    good = good && lw_folder_path(&path, file->folder, file->name, err) &&
           lw_folder_make(lw_text_string(&path), err) &&
           (!text.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory")) &&
           lw_file_write(lw_text_string(&path), lw_text_string(&text), err);
    lw_kept_free(&kept);
    lw_text_free(&text);
    lw_text_free(&path);
    return good;
}

/* ---- Progress in the lessons ---- */

static bool check_progress(const char *name, const struct lw_value *value, struct lw_error *err)
{
    return (value->kind == LW_VALUE_INTEGER && value->integer >= 0) ||
           lw_error_set(err, LW_ERROR_SYNTAX, "%.40s must be the number of steps that are done",
                        name);
}

const struct lw_keep_file lw_progress_file = {LW_FOLDER_STATE, "progress.json", check_progress};

uint64_t lw_progress_of(const struct lw_kept *progress, const char *name)
{
    const struct lw_value *value = lw_value_member(&progress->object, name);
    return value && value->kind == LW_VALUE_INTEGER ? (uint64_t)value->integer : 0;
}
