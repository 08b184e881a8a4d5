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

/* Puts the file's name and the position before the message. */
static void name_file(struct lw_error *err, const char *name)
{
    struct lw_error copy = *err;
    char where[40] = "";
    if (err->position.line)
        snprintf(where, sizeof where, ":%d:%d", err->position.line, err->position.column);
    snprintf(err->message, sizeof err->message, "%s%s: %.400s", name, where, copy.message);
}

static bool load(const struct lw_keep_file *file, const char *path, void *data,
                 struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_arena arena = {0};
    struct lw_value object = {0};
    struct lw_error why = {0};
    bool good = lw_file_read(path, &text, &why) || why.code == LW_OK;
    if (good && text.length)
        good = lw_read_json_object(&arena, lw_text_string(&text), text.length, "{\"name\": ...}",
                                   &object, &why);
    for (size_t i = 0; i < object.count; i++) {
        const struct lw_value *value = &object.items[i];
        struct lw_error problem = {0};
        if (file->read(data, object.names[i], value, &problem))
            continue;
        if (good)
            lw_error_at(&why, problem.code, value->position, "%s", problem.message);
        good = false;
    }
    if (!good && text.data)
        name_file(&why, file->name);
    if (!good && err)
        *err = why;
    lw_arena_free(&arena);
    lw_text_free(&text);
    return good;
}

bool lw_keep_load(const struct lw_keep_file *file, void *data, struct lw_error *err)
{
    struct lw_text path = {0};
    bool good = lw_folder_path(&path, file->folder, file->name, err) &&
                load(file, lw_text_string(&path), data, err);
    lw_text_free(&path);
    return good;
}

bool lw_keep_change(const struct lw_keep_file *file, void *data, const char *name,
                    const struct lw_value *value, struct lw_error *err)
{
    struct lw_text path = {0}, text = {0}, member = {0};
    bool good = lw_folder_path(&path, file->folder, file->name, err) &&
                lw_folder_make(lw_text_string(&path), err) &&
                load(file, lw_text_string(&path), data, err) && file->read(data, name, value, err);
    for (size_t i = 0; good && file->print(data, i, &member); i++) {
        lw_text_format(&text, "%s\n  %s", i ? "," : "{", lw_text_string(&member));
        lw_text_clear(&member);
    }
    lw_text_add(&text, "\n}\n");
    good = good && (!text.failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory")) &&
           lw_file_write(lw_text_string(&path), lw_text_string(&text), err);
    lw_text_free(&member);
    lw_text_free(&text);
    lw_text_free(&path);
    return good;
}
