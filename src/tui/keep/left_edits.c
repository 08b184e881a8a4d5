/* Unsaved edits that earlier runs left: they are offered at the start. */

#include "tui/command/choice_screen.h"
#include "tui/keep/edits.h"
#include "tui/keep/keep_file.h"
#include "core/unused.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Ends the first lines of a recovery file and returns what follows; NULL: it has another form. */
enum { LINE_NAME, LINE_TEXT, LINE_PATH, LINES };
static char *split(char *text, char *lines[LINES])
{
    for (int i = 0; i < LINES && text; i++) {
        char *end = strchr(text, '\n');
        lines[i] = text;
        if (end)
            *end = '\0';
        text = end ? end + 1 : NULL;
    }
    return text;
}

/* Opens a recovery file as a screen with unsaved edits. */
static bool restore_file(struct lw_app *app, const char *recovery, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_screen *screen = NULL;
    char *lines[LINES], *json = NULL;
    bool good = lw_file_read(recovery, &text, err);
    if (good && !(json = split(text.data, lines)))
        good = lw_error_set(err, LW_ERROR_SYNTAX, "%.200s: there is no document in it", recovery);
    if (good && lw_document_read(&doc, json, strlen(json), NULL, err)) {
        screen = lw_layout_of_document(app, &doc, lines[LINE_TEXT], err);
        lw_document_free(&doc);
    }
    if (screen) {
        struct lw_edits *edits = screen->type->edits(screen);
        lw_app_push(app, screen);
        free(edits->saved);
        free(edits->path);
        edits->saved = NULL;
        edits->state = (struct stat){0}; /* what the earlier run read is not known */
        edits->path = *lines[LINE_PATH] ? strdup(lines[LINE_PATH]) : NULL;
        lw_edits_record(edits, screen, edits->model);
        good = edits->recovery || lw_error_set(err, LW_ERROR_IO, "it cannot be kept again");
    }
    lw_text_free(&text);
    return good && screen;
}

/* What is done with the recovery files of runs that have ended. */
struct left {
    bool restores, discards;
    int found, done;
    char name[80]; /* of the newest */
    time_t written;
    struct lw_error why; /* of the first one that could not be restored */
};

static void note_name(struct left *left, const char *recovery)
{
    struct lw_text text = {0};
    struct stat info;
    char *lines[LINES];
    if (stat(recovery, &info) == 0 && info.st_mtime >= left->written &&
        lw_file_read(recovery, &text, NULL) && split(text.data, lines)) {
        snprintf(left->name, sizeof left->name, "%s", lines[LINE_NAME]);
        left->written = info.st_mtime;
    }
    lw_text_free(&text);
}

static void take(struct lw_app *app, struct left *left, const char *recovery)
{
    struct lw_error err = {0};
    left->found++;
    note_name(left, recovery);
    bool is_full = app->depth >= LW_SCREENS_MAX - 2;
    if (left->discards || (left->restores && !is_full && restore_file(app, recovery, &err))) {
        unlink(recovery);
        left->done++;
    } else if (left->why.code == LW_OK) {
        left->why = err;
    }
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

static void each_left(struct lw_app *app, struct left *left)
{
    struct lw_text folder = {0}, path = {0};
    DIR *dir = lw_recovery_folder(&folder, NULL) ? opendir(lw_text_string(&folder)) : NULL;
    for (struct dirent *item; dir && (item = readdir(dir));) {
        lw_text_clear(&path);
        lw_text_format(&path, "%s%s", lw_text_string(&folder), item->d_name);
        if (item->d_name[0] != '.' && !path.failed)
            take_run(app, left, lw_text_string(&path));
    }
    if (dir)
        closedir(dir);
    lw_text_free(&folder);
    lw_text_free(&path);
}

static void restore_all(struct lw_app *app, LW_UNUSED void *context)
{
    struct left left = {.restores = true};
    each_left(app, &left);
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
    each_left(app, &left);
    lw_app_message(app, "discarded: %d", left.done);
}

void lw_edits_offer(struct lw_app *app)
{
    static const struct lw_answer answers[] = {{"r", "restore", restore_all},
                                               {"D", "discard", discard_all}};
    struct left left = {.found = 0};
    if (!app->options->writes_nothing)
        each_left(app, &left);
    if (left.found)
        lw_dialog(app, NULL, answers, 2, "later", "a run that ended has left unsaved edits of %s%s",
                  left.name[0] ? left.name : "a layout", left.found > 1 ? " and others" : "");
}
