/* Unsaved edits that earlier runs left: they are offered at the start. */

#include "core/unused.h"
#include "tui/command/command.h"
#include "tui/keep/edits.h"
#include "tui/keep/keep_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What is done with the recovery files of runs that have ended. */
struct left {
    bool restores, discards;
    int found, done;
    char name[80];       /* of one of them */
    struct lw_error why; /* of the first one that could not be restored */
};

/* Opens what was in a recovery file as a screen with unsaved edits. */
static bool restore(struct lw_app *app, char *const lines[LW_RECOVERY_LINES], const char *json,
                    struct lw_error *err)
{
    struct lw_document doc;
    if (!lw_document_read(&doc, json, strlen(json), NULL, err))
        return false;
    struct lw_screen *screen = lw_layout_of_document(app, &doc, lines[LW_RECOVERY_TEXT], err);
    lw_document_free(&doc);
    if (!screen)
        return false;
    struct lw_edits *edits = screen->type->edits(screen);
    lw_app_push(app, screen);
    free(edits->saved);
    free(edits->path);
    edits->saved = NULL;
    edits->state = (struct stat){0}; /* what the earlier run read is not known */
    edits->path = *lines[LW_RECOVERY_PATH] ? strdup(lines[LW_RECOVERY_PATH]) : NULL;
    lw_edits_record(edits, screen, edits->model);
    return edits->recovery || lw_error_set(err, LW_ERROR_IO, "it cannot be kept again");
}

static void take(struct lw_app *app, struct left *left, const char *recovery)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    char *lines[LW_RECOVERY_LINES];
    left->found++;
    const bool is_read = lw_file_read(recovery, &text, &err);
    char *json = is_read ? text.data : NULL; /* after the first lines, which end in a NUL then */
    for (int i = 0; i < LW_RECOVERY_LINES && json; i++) {
        lines[i] = json;
        json = strchr(json, '\n');
        if (json)
            *json++ = '\0';
    }
    if (is_read && !json)
        lw_error_set(&err, LW_ERROR_SYNTAX, "%.200s: there is no document in it", recovery);
    if (json) {
        snprintf(left->name, sizeof left->name, "%s", lines[LW_RECOVERY_NAME]);
        for (char *at = lines[LW_RECOVERY_TEXT]; *at; at++)
            if (*at == '\r')
                *at = '\n';
    }
    if (left->discards || (left->restores && json && app->depth < LW_SCREENS_MAX - 2 &&
                           restore(app, lines, json, &err))) {
        unlink(recovery);
        left->done++;
    } else if (left->why.code == LW_OK) {
        left->why = err;
    }
    lw_text_free(&text);
}

/* Takes the files in the folder of a run, if that has ended; other runs cannot take them meanwhile. */
static void take_run(struct lw_app *app, struct left *left, const char *run)
{
    struct lw_text path = {0};
    DIR *dir = opendir(run);
    const bool is_left = dir && flock(dirfd(dir), LOCK_EX | LOCK_NB) == 0;
    for (struct dirent *item; is_left && (item = readdir(dir));) {
        lw_text_clear(&path);
        lw_text_format(&path, "%s/%s", run, item->d_name);
        if (path.failed)
            continue;
        if (item->d_name[0] == '.') /* one that was not complete */
            unlink(lw_text_string(&path));
        else
            take(app, left, lw_text_string(&path));
    }
    if (is_left)
        rmdir(run);
    if (dir)
        closedir(dir);
    lw_text_free(&path);
}

static void take_all(struct lw_app *app, struct left *left)
{
    struct lw_text path = {0};
    const bool has_path = lw_folder_path(&path, LW_FOLDER_STATE, "unsaved/", NULL);
    const size_t length = path.length;
    DIR *dir = has_path ? opendir(lw_text_string(&path)) : NULL;
    for (struct dirent *item; dir && (item = readdir(dir));) {
        lw_text_cut(&path, length);
        lw_text_add(&path, item->d_name);
        if (item->d_name[0] != '.' && !path.failed)
            take_run(app, left, lw_text_string(&path));
    }
    if (dir)
        closedir(dir);
    lw_text_free(&path);
}

static void restore_all(struct lw_app *app, LW_UNUSED void *context)
{
    struct left left = {.restores = true};
    take_all(app, &left);
    if (left.done == left.found)
        lw_app_message(app, "restored: %d; s saves this one", left.done);
    else
        lw_app_message(app, "restored: %d of %d%s%s", left.done, left.found,
                       left.why.message[0] ? ": " : "; the next start offers the others",
                       left.why.message);
    app->message_is_bad = left.done < left.found;
}

static void discard_all(struct lw_app *app, LW_UNUSED void *context)
{
    struct left left = {.discards = true};
    take_all(app, &left);
    lw_app_message(app, "discarded: %d", left.done);
}

void lw_edits_offer(struct lw_app *app)
{
    static const struct lw_answer answers[] = {{"r", "restore", restore_all},
                                               {"D", "discard", discard_all}};
    struct left left = {.found = 0};
    if (!app->options->writes_nothing)
        take_all(app, &left);
    if (left.found)
        lw_dialog(app, NULL, answers, 2, "later", "a run that ended has left unsaved edits of %s%s",
                  left.name[0] ? left.name : "a layout", left.found > 1 ? " and others" : "");
}
