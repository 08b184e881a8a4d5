/* Saving documents, and the question before unsaved edits are lost.
 *
 * An entry is dirty when its document differs from the one that was read or last saved. */

#include "tui/explore/explorer.h"
#include "export/replace.h"
#include "tui/keep/keep_file.h"
#include "tui/prompt/prompt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Saving ---- */

static bool write_entry(struct lw_explorer *ex, const char *path)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_document original, before = *entry->original;
    struct lw_text text = {0};
    struct lw_error err = {0};
    char *copy = strdup(path);
    lw_document_print(&text, entry->doc);
    bool good = copy || lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
    good = good && lw_document_copy(&original, entry->doc, &err);
    if (good && !lw_file_write(path, lw_text_string(&text), &err)) {
        lw_document_free(&original);
        good = false;
    }
    lw_text_free(&text);
    if (!good) {
        free(copy);
        ex->save.quit_after = LW_QUIT_NOT;
        lw_save_failed(ex, "saving failed: ", err.message);
        return false;
    }
    *entry->original = original;
    free(entry->path);
    entry->path = copy;
    entry->recovered = false;
    lw_entry_record_file_state(entry);
    lw_refresh(ex, LW_CHANGED_LAYOUT | LW_CHANGED_SAVED);
    lw_document_free(&before); /* only now, as the views used its cell format */
    lw_explorer_set_message(ex, false, "%s: saved", path);
    return true;
}

static void saved(struct lw_explorer *ex, const char *path)
{
    if (!write_entry(ex, path) || ex->save.quit_after == LW_QUIT_NOT)
        return;
    if (ex->save.quit_after == LW_QUIT_ENTRY_SAVED)
        ex->save.quit_after = LW_QUIT_NOT;
    lw_quit(ex);
}

static void overwrite(struct lw_explorer *ex)
{
    saved(ex, ex->save.path);
}

static const struct lw_reply overwriting[] = {{'y', "overwrite it", overwrite}, {0}};
static const struct lw_reply writing_anew[] = {{'y', "write it again", overwrite}, {0}};

/* Saves to the chosen file; shows a question first if another program's file or change would be lost. */
static void save_checked(struct lw_explorer *ex, const struct lw_entry *entry)
{
    const char *path = ex->save.path, *name = lw_base_name(path);
    char shown[LW_SHORT_NAME_MAX];
    struct stat info;
    enum lw_file_there there = lw_file_info(path, &info);
    bool own = entry->path && !strcmp(entry->path, path);
    if (there == LW_FILE_UNKNOWN || (own && there == LW_FILE_THERE && !S_ISREG(info.st_mode))) {
        ex->save.quit_after = LW_QUIT_NOT;
        lw_explorer_set_message(ex, true, "not saved: %s %s", name,
                                there == LW_FILE_UNKNOWN ? strerror(errno)
                                : S_ISDIR(info.st_mode)  ? "is a folder now"
                                                         : "is not a regular file now");
    } else if (own && there == LW_FILE_ABSENT) {
        lw_question_open(ex, writing_anew, "%s was deleted since it was read",
                         lw_question_name(shown, name));
    } else if (there == LW_FILE_ABSENT || (own && lw_entry_file_is_unchanged(entry))) {
        saved(ex, path);
    } else {
        lw_question_open(ex, overwriting,
                         own ? "%s has changed since it was read" : "%s exists already",
                         lw_question_name(shown, name));
    }
}

/* Whether a text begins with a command of the prompt, or its short name, and a blank. */
static bool begins_with_command(const struct lw_explorer *ex, const char *text)
{
    const size_t length = strcspn(text, " ");
    for (size_t i = 0; text[length] && i < ex->tables.command_count; i++) {
        const char *const names[] = {ex->tables.commands[i].name, ex->tables.commands[i].also};
        for (int k = 0; k < 2; k++)
            if (names[k] && strlen(names[k]) == length && !strncmp(names[k], text, length))
                return true;
    }
    return false;
}

/* The command that was typed where a file name belongs, without its colon: all of it, as in `:write :export b.png`, or
 * what is after a name; NULL: there is none. */
static const char *command_in(const struct lw_explorer *ex, const char *path)
{
    static const char *const folders[] = {"/", "./", "../", "~/"};
    const char *colon = strstr(path, " :");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return NULL;
    if (*path == ':')
        return path + 1;
    return begins_with_command(ex, path) ? path : colon ? colon + 2 : NULL;
}

bool lw_choose_file(struct lw_explorer *ex, const char *path)
{
    const char *command = command_in(ex, path);
    if (command) {
        ex->save.quit_after = LW_QUIT_NOT;
        lw_explorer_set_message(ex, true,
                                "'%s' is no file name: the command is typed alone, :%s; a file of "
                                "that name is ./%s",
                                path, command, path);
        return false;
    }
    const char *home = getenv("HOME");
    bool tilde = !strncmp(path, "~/", 2) && home;
    int length =
        snprintf(ex->save.path, sizeof ex->save.path, "%s%s", tilde ? home : "", path + tilde);
    if (length < (int)sizeof ex->save.path && !ex->options->writes_nothing)
        return true;
    ex->save.quit_after = LW_QUIT_NOT;
    lw_explorer_set_message(ex, true,
                            ex->options->writes_nothing ? "files cannot be written in this session"
                                                        : "the name is too long");
    return false;
}

void lw_save_as(struct lw_explorer *ex, const char *path)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_error err = {0};
    if (!entry->loaded || !*path) {
        ex->save.quit_after = LW_QUIT_NOT;
        lw_explorer_set_message(ex, true,
                                entry->loaded ? "save needs a file name" : "nothing to save");
        return;
    }
    if (!lw_subject_fits(entry->doc, &err)) { /* it could not be opened again */
        ex->save.quit_after = LW_QUIT_NOT;
        lw_explorer_set_message(ex, true, "not saved: %s; u undoes the edit", err.message);
        return;
    }
    if (!lw_choose_file(ex, path))
        return;
    save_checked(ex, entry);
}

/* Suggests a name: the last part of that in the gallery, or the file's. */
static void suggest(const struct lw_entry *entry, struct lw_text *name)
{
    const char *last = lw_base_name(entry->source);
    size_t length = strcspn(last, ":");
    if (entry->path)
        lw_text_add(name, entry->path);
    else if (length && length < 60 &&
             strspn(last, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == length)
        lw_text_format(name, "%.*s.json", (int)length, last);
    else
        lw_text_add(name, "layout.json");
}

void lw_save_prompt(struct lw_explorer *ex, int unused)
{
    struct lw_text name = {0};
    (void)unused;
    if (!lw_explorer_entry(ex)->loaded) {
        lw_explorer_set_message(ex, true, "nothing to save");
        return;
    }
    suggest(lw_explorer_entry(ex), &name);
    lw_prompt_open(ex, LW_FOCUS_SAVE);
    lw_line_set(&ex->prompt.line, lw_text_string(&name));
    ex->prompt.line.offered = true;
    lw_text_free(&name);
}

void lw_save(struct lw_explorer *ex, int unused)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (entry->loaded && entry->path)
        lw_save_as(ex, entry->path);
    else
        lw_save_prompt(ex, unused);
}

/* ---- Leaving ---- */

static void discard(struct lw_explorer *ex)
{
    ex->quit = true;
}

/* Saves the unsaved layouts one by one; this is called again after each. */
static void save_and_quit(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->list.count; i++)
        if (ex->list.entries[i].dirty) {
            ex->save.quit_after = LW_QUIT_ALL_SAVED;
            if (i != ex->list.entry)
                lw_explorer_show(ex, i);
            lw_save(ex, 0);
            return;
        }
    ex->quit = true;
}

static const struct lw_reply quitting[] = {
    {'s', "save", save_and_quit}, {'d', "discard and quit", discard}, {0}};

static void wait_and_quit(struct lw_explorer *ex)
{
    ex->save.waits = ex->job.writes;
    if (ex->save.waits)
        ex->job.what = "exporting before quitting, bytes written";
    else /* the job has ended while the question was open */
        lw_quit(ex);
}

static void stop_and_quit(struct lw_explorer *ex)
{
    if (ex->job.writes)
        lw_job_cancel(ex);
    lw_quit(ex);
}

static const struct lw_reply writing[] = {
    {'w', "wait for it, then quit", wait_and_quit}, {'s', "stop it and quit", stop_and_quit}, {0}};

void lw_quit(struct lw_explorer *ex)
{
    char shown[LW_SHORT_NAME_MAX];
    size_t count = 0;
    const char *name = "";
    if (ex->job.writes) {
        ex->save.quit_after = LW_QUIT_NOT;
        lw_question_open(ex, writing, "a file is still being written");
        return;
    }
    for (size_t i = 0; i < ex->list.count; i++)
        if (ex->list.entries[i].dirty && count++ == 0)
            name = lw_entry_name(&ex->list.entries[i]);
    if (count == 0)
        ex->quit = true;
    else if (ex->save.quit_after)
        save_and_quit(ex);
    else if (count == 1)
        lw_question_open(ex, quitting, "%s has unsaved changes", lw_question_name(shown, name));
    else
        lw_question_open(ex, quitting, "%zu layouts have unsaved changes: %s, ...", count,
                         lw_question_name(shown, name));
}
