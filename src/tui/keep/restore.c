/* At the start: restores or discards the unsaved changes of runs that have ended. */

#include "tui/explore/explorer.h"
#include "tui/keep/keep_file.h"
#include "tui/keep/recovery.h"

#include <errno.h>
#include <string.h>

/* Reads the layout that was changed: undo leads to it, and a comparison is with it. False: it is not known. */
static bool find_original(struct lw_explorer *ex, const char *json)
{
    struct lw_document original;
    struct lw_entry *entry = lw_explorer_entry(ex);
    const struct lw_open_options options = {.triton = ex->options->triton};
    if (!json || !lw_document_open(&original, json, &options, NULL))
        return false;
    if (!lw_history_push(ex, &original)) {
        lw_document_free(&original);
        return false;
    }
    lw_document_free(entry->original);
    *entry->original = original;
    return true;
}

/* Opens one as an entry with unsaved changes. */
static bool restore_one(void *context, const char *path, struct lw_error *err)
{
    struct lw_explorer *ex = context;
    struct lw_text text = {0};
    char label[48];
    bool good = lw_file_read(path, &text, err);
    const char *all = lw_text_string(&text), *json = strchr(all, '\n');
    char *end = json ? strstr(text.data + (json - all), LW_RECOVERY_BETWEEN) : NULL;
    if (end)
        end[2] = '\0'; /* after the brace of the first document */
    if (!good && err->code == LW_OK)
        lw_error_set(err, LW_ERROR_IO, "%.200s: %s", path, strerror(ENOENT));
    if (good && !json)
        good = lw_error_set(err, LW_ERROR_SYNTAX, "%.200s: there is no document in it", path);
    if (good) { /* with the newline, so that line numbers are those of the file */
        const char *name = all[0] == '/' ? json : all; /* for a file, its name without folders */
        while (name > all && name[-1] != '/')
            name--;
        snprintf(label, sizeof label, "%.*s", (int)(json - name), name);
        good = lw_explorer_add(ex, json, label) ||
               lw_error_set(err, LW_ERROR_SYNTAX, "%.200s:%.200s", path, ex->status.message);
    }
    if (good)
        lw_explorer_entry(ex)->recovered = !find_original(ex, end ? end + 3 : NULL);
    lw_text_free(&text);
    if (!good)
        return false;
    lw_save_update(ex);
    return lw_explorer_entry(ex)->has_recovery ||
           lw_error_set(err, LW_ERROR_IO, "%.200s", ex->status.message);
}

static bool discard_one(void *context, const char *path, struct lw_error *err)
{
    (void)context;
    (void)path;
    (void)err;
    return true;
}

static void restore(struct lw_explorer *ex)
{
    struct lw_orphans orphans = lw_recovery_each(restore_one, ex);
    ex->focus = LW_FOCUS_VIEW;
    if (orphans.taken == orphans.found)
        lw_explorer_set_message(ex, false, "%zu restored, in the list: s saves this one",
                                orphans.taken);
    else
        lw_explorer_set_message(ex, true, "%zu of %zu restored: %s", orphans.taken, orphans.found,
                                orphans.why.message);
}

static void discard(struct lw_explorer *ex)
{
    struct lw_orphans orphans = lw_recovery_each(discard_one, ex);
    lw_explorer_set_message(ex, orphans.taken < orphans.found, "%zu of %zu discarded",
                            orphans.taken, orphans.found);
}

static const struct lw_reply answers[] = {
    {'r', "restore", restore}, {'D', "discard", discard}, {0}};

/* Puts "today at 01:01", or for another day the date too. */
static void put_when(char when[32], time_t time_written)
{
    struct tm written, now;
    time_t today = time(NULL);
    *when = '\0';
    if (!localtime_r(&time_written, &written) || !localtime_r(&today, &now))
        return;
    bool is_today = written.tm_yday == now.tm_yday && written.tm_year == now.tm_year;
    strftime(when, 32, is_today ? "today at %H:%M" : "on %Y-%m-%d at %H:%M", &written);
}

static void open_question(struct lw_explorer *ex, const struct lw_orphans *orphans)
{
    char when[32], name[LW_SHORT_NAME_MAX];
    put_when(when, orphans->written);
    lw_question_name(name, orphans->name);
    if (orphans->found == 1)
        lw_question_open(ex, answers,
                         "An earlier run ended with unsaved changes of %s, kept %s. Any "
                         "other key keeps them: :unsaved shows this question again.",
                         name, when);
    else
        lw_question_open(ex, answers,
                         "Earlier runs ended with unsaved changes of %zu layouts, the last one %s, "
                         "kept %s. Any other key keeps them: :unsaved shows this question "
                         "again.",
                         orphans->found, name, when);
}

void lw_recovery_open(struct lw_explorer *ex, const char *unused)
{
    struct lw_orphans orphans = lw_recovery_each(NULL, NULL);
    (void)unused;
    if (orphans.found)
        open_question(ex, &orphans);
    else
        lw_explorer_set_message(ex, false, "earlier runs left no unsaved changes");
}

/* Whether the opened layout is the one that was changed last. */
static bool is_opened(struct lw_explorer *ex, const struct lw_orphans *orphans)
{
    return ex->list.count &&
           !strncmp(lw_entry_name(lw_explorer_entry(ex)), orphans->name, sizeof orphans->name - 1);
}

/* Opens the question at the start; keys may have been typed without looking at it: they are not swallowed. */
static void offer_question(struct lw_explorer *ex, const struct lw_orphans *orphans)
{
    open_question(ex, orphans);
    ex->question.later = "the unsaved changes are kept: :unsaved restores or discards them";
}

void lw_recovery_offer(struct lw_explorer *ex)
{
    struct lw_orphans orphans = lw_recovery_each(NULL, NULL);
    char name[LW_SHORT_NAME_MAX];
    ex->keep.recovery.on = true;
    if (orphans.found && (lw_list_is_shown(ex) || is_opened(ex, &orphans)))
        offer_question(ex, &orphans);
    else if (orphans.found)
        lw_explorer_set_message(ex, false, "unsaved changes of %s%s were kept: see :unsaved",
                                lw_question_name(name, orphans.name),
                                orphans.found == 1 ? "" : " and others");
}
