/* Unsaved edits: their recovery file, saving, leaving; and those that earlier runs left. */

#include "tui/keep/edits.h"

#include "core/base_name.h"
#include "core/unused.h"
#include "export/replace.h"
#include "notation/document/read.h"
#include "tui/command/command.h"
#include "tui/keep/keep_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- What is unsaved ---- */

/* What is written of a model; NULL: memory is out. */
static char *print(const struct lw_model *model)
{
    struct lw_text text = {0};
    lw_document_print(&text, &model->doc);
    char *copy = text.failed ? NULL : strdup(lw_text_string(&text));
    lw_text_free(&text);
    return copy;
}

static bool are_unsaved(const struct lw_edits *edits)
{
    if (!edits->model || edits->are_discarded)
        return false;
    char *now = print(edits->model);
    bool are = !now || !edits->saved || strcmp(now, edits->saved) != 0;
    free(now);
    return are;
}

/* Whether a file of that name has CUDA C++, and no document: x.cu, x.cuh, x.cu:kernel. */
static bool is_code(const char *name)
{
    return lw_source_kind_of(name, strlen(name)) == LW_SOURCE_CODE;
}

/* What the document is called in a question. */
static void put_name(struct lw_text *name, const struct lw_edits *edits)
{
    const struct lw_model *model = edits->model;
    if (edits->path)
        lw_text_add(name, lw_base_name(edits->path));
    else if (*model->doc.title)
        lw_text_add(name, model->doc.title);
    else
        lw_document_print_short(name, &model->doc);
}

static void note_state(struct lw_edits *edits)
{
    if (!edits->path || stat(edits->path, &edits->state) != 0)
        memset(&edits->state, 0, sizeof edits->state);
}

void lw_edits_open(struct lw_edits *edits, struct lw_app *app, const struct lw_model *model,
                   const char *text)
{
    const size_t length = strlen(text);
    *edits = (struct lw_edits){.app = app, .model = model};
    edits->saved = print(model);
    if (length > 5 && !strcmp(text + length - 5, ".json") && access(text, F_OK) == 0)
        edits->path = strdup(text);
    if (model->doc.cuda && is_code(text))
        edits->code = strndup(text, lw_source_path(text));
    note_state(edits);
}

/* ---- The recovery file ---- */

/* Makes the folder of this run, unless it has one; it is locked while the program runs. */
static bool begin_recovery(struct lw_app *app, struct lw_error *err)
{
    struct lw_text path = {0};
    if (app->recovery && access(app->recovery, F_OK) == 0)
        return true;
    lw_recovery_end(app); /* the folder was removed */
    bool good = lw_folder_path(&path, LW_FOLDER_STATE, "unsaved/XXXXXX", err) &&
                lw_folder_make(lw_text_string(&path), err);
    if (good) {
        app->recovery = mkdtemp(path.data) ? strdup(path.data) : NULL;
        app->recovery_lock =
            app->recovery ? open(app->recovery, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        good = app->recovery_lock >= 0 && flock(app->recovery_lock, LOCK_EX | LOCK_NB) == 0;
        if (!good) {
            lw_replace_failed(err, path.data);
            lw_recovery_end(app);
        }
    }
    lw_text_free(&path);
    return good;
}

void lw_recovery_end(struct lw_app *app)
{
    if (!app->recovery)
        return;
    rmdir(app->recovery); /* unless there is a file in it */
    if (app->recovery_lock >= 0)
        close(app->recovery_lock);
    free(app->recovery);
    app->recovery = NULL;
}

/* The lines with which a recovery file begins: what the document is called, the text that names it, its file from the
 * root on; the rest is the document. */
enum { RECOVERY_NAME, RECOVERY_TEXT, RECOVERY_PATH, RECOVERY_LINES };

/* A line of a recovery file; `newline`: what a newline in it becomes. */
static void put_line(struct lw_text *text, const char *line, char newline)
{
    for (; *line; line++)
        lw_text_char(text, *line == '\n' ? newline : *line == '\r' ? ' ' : *line);
    lw_text_char(text, '\n');
}

static bool write_recovery(struct lw_edits *edits, struct lw_error *err)
{
    struct lw_text text = {0}, name = {0};
    char *file = edits->path ? realpath(edits->path, NULL) : NULL;
    bool good = begin_recovery(edits->app, err);
    if (good && (!edits->recovery || access(edits->recovery, F_OK) != 0)) {
        free(edits->recovery);
        lw_text_format(&name, "%s/%d", edits->app->recovery, ++edits->app->recovery_count);
        edits->recovery = name.failed ? NULL : strdup(lw_text_string(&name));
        lw_text_clear(&name);
    }
    put_name(&name, edits);
    put_line(&text, lw_text_string(&name), ' ');
    put_line(&text, lw_text_string(&edits->model->text), '\r');
    put_line(&text, file && !strpbrk(file, "\n\r") ? file : "", ' ');
    lw_document_print(&text, &edits->model->doc);
    if (good && (!edits->recovery || text.failed))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    good = good && lw_file_write(edits->recovery, lw_text_string(&text), err);
    free(file);
    lw_text_free(&name);
    lw_text_free(&text);
    return good;
}

static void update_recovery(struct lw_edits *edits)
{
    struct lw_error err = {0};
    if (!edits->are_kept)
        return;
    if (!are_unsaved(edits)) {
        if (edits->recovery)
            unlink(edits->recovery);
        free(edits->recovery);
        edits->recovery = NULL;
    } else if (!write_recovery(edits, &err) && !edits->was_reported) {
        edits->was_reported = true;
        lw_app_message(edits->app, "unsaved edits cannot be kept for recovery: %s", err.message);
    }
}

void lw_edits_record(struct lw_edits *edits, const struct lw_screen *screen,
                     const struct lw_model *model)
{
    struct lw_app *app = edits->app;
    edits->model = model;
    edits->are_discarded = false;
    for (int i = 0; i < app->depth && !app->options->writes_nothing && !app->options->script; i++)
        edits->are_kept = edits->are_kept || app->stack[i] == screen;
    update_recovery(edits);
}

void lw_edits_show(struct lw_edits *edits, const struct lw_model *model)
{
    if (edits->app)
        edits->model = model;
}

void lw_edits_close(struct lw_edits *edits)
{
    if (!edits->app)
        return;
    update_recovery(edits);
    free(edits->recovery);
    free(edits->saved);
    free(edits->path);
    free(edits->code);
}

/* ---- Saving ---- */

static void go_on(struct lw_edits *edits)
{
    if (edits->after == LW_LEAVE)
        lw_app_pop(edits->app);
    else if (edits->after == LW_QUIT)
        lw_app_quit(edits->app);
}

static void write_document(struct lw_app *app, void *context)
{
    struct lw_edits *edits = context;
    struct lw_error err = {0};
    char *text = print(edits->model), *path = strdup(app->file);
    bool good = text && path;
    good = good ? lw_file_write(path, is_code(path) ? edits->model->doc.cuda : text, &err)
                : lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
    if (!good) {
        lw_app_unwritten(app, "not saved: ", &err);
        free(text);
        free(path);
        return;
    }
    const bool is_own = edits->path && !strcmp(edits->path, path);
    lw_app_message(app, "%s: saved%s; w exports the picture", path, is_own ? " again" : "");
    free(edits->saved);
    free(edits->path);
    edits->saved = text;
    edits->path = path;
    note_state(edits);
    update_recovery(edits);
    go_on(edits);
}

static void save_as(struct lw_edits *edits, const char *text);

static bool save_typed(struct lw_app *app, const char *path, struct lw_error *err)
{
    if (*path && !is_code(path) && lw_source_kind_of(path, strlen(path)) != LW_SOURCE_FILE)
        return lw_error_set(err, LW_ERROR_NAME, "%s: the name ends in .json, or in .cu", path);
    save_as(app->saving, path);
    return true;
}

/* Requests a name: that of the file is suggested. */
static void request_name(struct lw_app *app, void *context)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "save as", .help = "the name of a file: layout.json, access.cu", .run = save_typed};
    struct lw_edits *edits = context;
    app->saving = edits;
    lw_prompt_begin(app, &prompt,
                    edits->path               ? edits->path
                    : !edits->model->doc.cuda ? "layout.json"
                    : edits->code             ? edits->code
                                              : "access.cu");
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool lw_app_file_name(struct lw_app *app, const char *text)
{
    const char *home = getenv("HOME");
    const bool is_at_home = !strncmp(text, "~/", 2) && home;
    int length =
        snprintf(app->file, sizeof app->file, "%s%s", is_at_home ? home : "", text + is_at_home);
    bool good =
        *text && length >= 0 && (size_t)length < sizeof app->file && !app->options->writes_nothing;
    if (!good)
        lw_app_message(app, app->options->writes_nothing ? "files cannot be written in this session"
                            : *text                      ? "the name is too long"
                                                         : "a file name is needed");
    return good;
}

static void save_as(struct lw_edits *edits, const char *text)
{
    static const struct lw_answer answers[] = {{"o", "overwrite it", write_document},
                                               {"n", "another name", request_name}};
    struct lw_app *app = edits->app;
    struct stat now;
    if (!lw_app_file_name(app, text))
        return;
    const char *path = app->file, *name = lw_base_name(path);
    const bool is_own = edits->path && !strcmp(edits->path, path);
    const enum lw_file_there there = lw_file_info(path, &now);
    struct lw_error err = {0};
    if (there == LW_FILE_UNKNOWN)
        lw_app_unwritten(app, "not saved: ", (lw_replace_failed(&err, path), &err));
    else if (is_code(path) && !edits->model->doc.cuda)
        lw_app_unwritten(app, "not saved: ",
                         (lw_error_set(&err, LW_ERROR_UNSUPPORTED,
                                       "%.200s: this layout is no CUDA C++, name a file that ends "
                                       "in .json",
                                       name),
                          &err));
    else if (there == LW_FILE_ABSENT || app->options->script ||
             (is_own && same_state(&now, &edits->state)))
        write_document(app, edits);
    else
        lw_dialog(app, edits, answers, 2, "cancel",
                  is_own ? "%.200s: another program has changed it since it was read"
                         : "%.200s exists already",
                  name);
}

static void save(struct lw_app *app, void *context)
{
    struct lw_edits *edits = context;
    if (edits->path)
        save_as(edits, edits->path);
    else
        request_name(app, edits);
}

void lw_edits_save_as(struct lw_edits *edits, const char *text)
{
    edits->after = LW_STAY;
    save_as(edits, text);
}

void lw_edits_save(struct lw_edits *edits)
{
    edits->after = LW_STAY;
    save(edits->app, edits);
}

/* ---- Leaving ---- */

static void discard(LW_UNUSED struct lw_app *app, void *context)
{
    struct lw_edits *edits = context;
    edits->are_discarded = true;
    go_on(edits);
}

/* Shows the question before the edits of a screen are lost; false: it has none. */
static bool hold(struct lw_screen *screen, enum lw_after after)
{
    static const struct lw_answer answers[] = {{"s", "save", save}, {"d", "discard", discard}};
    struct lw_edits *edits = screen->type->edits ? screen->type->edits(screen) : NULL;
    if (!edits || !are_unsaved(edits))
        return false;
    struct lw_text name = {0};
    put_name(&name, edits);
    edits->after = after;
    lw_dialog(screen->app, edits, answers, 2, "stay", "unsaved edits of %.200s",
              lw_text_string(&name));
    lw_text_free(&name);
    return true;
}

void lw_app_leave(struct lw_app *app)
{
    if (app->depth < 2 || !hold(lw_app_top(app), LW_LEAVE))
        lw_app_back(app);
}

void lw_app_quit(struct lw_app *app)
{
    for (int i = app->depth - 1; i >= 0; i--)
        if (hold(app->stack[i], LW_QUIT))
            return;
    app->quit = true;
}

/* ---- What earlier runs left: it is offered at the start ---- */

/* What is done with the recovery files of runs that have ended. */
struct left {
    bool restores, discards;
    int found, done;
    char name[80];       /* of one of them */
    struct lw_error why; /* of the first one that could not be restored */
};

/* Opens what was in a recovery file as a screen with unsaved edits. */
static bool restore(struct lw_app *app, char *const lines[RECOVERY_LINES], const char *json,
                    struct lw_error *err)
{
    struct lw_document doc;
    if (!lw_document_read(&doc, json, strlen(json), NULL, err))
        return false;
    struct lw_screen *screen = app->of_document(app, &doc, lines[RECOVERY_TEXT], err);
    lw_document_free(&doc);
    if (!screen)
        return false;
    struct lw_edits *edits = screen->type->edits(screen);
    lw_app_push(app, screen);
    free(edits->saved);
    free(edits->path);
    edits->saved = NULL;
    edits->state = (struct stat){0}; /* what the earlier run read is not known */
    edits->path = *lines[RECOVERY_PATH] ? strdup(lines[RECOVERY_PATH]) : NULL;
    lw_edits_record(edits, screen, edits->model);
    return edits->recovery || lw_error_set(err, LW_ERROR_IO, "it cannot be kept again");
}

static void take(struct lw_app *app, struct left *left, const char *recovery)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    char *lines[RECOVERY_LINES];
    left->found++;
    const bool is_read = lw_file_read(recovery, &text, &err);
    char *json = is_read ? text.data : NULL; /* after the first lines, which end in a NUL then */
    for (int i = 0; i < RECOVERY_LINES && json; i++) {
        lines[i] = json;
        json = strchr(json, '\n');
        if (json)
            *json++ = '\0';
    }
    if (is_read && !json)
        lw_error_set(&err, LW_ERROR_SYNTAX, "%.200s: there is no document in it", recovery);
    if (json) {
        snprintf(left->name, sizeof left->name, "%s", lines[RECOVERY_NAME]);
        for (char *at = lines[RECOVERY_TEXT]; *at; at++)
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
    lw_app_message(app, "restored: %d of %d; %s", left.done, left.found,
                   left.why.message[0] ? left.why.message : "s saves this one");
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
    static const struct lw_answer answers[] = {/* no key that begins a text loses anything */
                                               {"Del", "discard", discard_all},
                                               {"y", "restore", restore_all},
                                               {"n", "later", NULL}};
    struct left left = {.found = 0};
    if (!app->options->writes_nothing)
        take_all(app, &left);
    if (left.found)
        lw_dialog(app, NULL, answers, 3, NULL, "a run that ended has left unsaved edits of %s%s",
                  left.name[0] ? left.name : "a layout", left.found > 1 ? " and others" : "");
}
