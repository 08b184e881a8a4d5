/* Writes the recovery files of entries: the first line is the layout's name, then come its document and, if it is
 * known, that of before the edits. The file is written when an edit ends, also by a signal or a lost terminal, with the
 * last legal document: a crash loses at most the edit that is being typed. */

#include "tui/explore/explorer.h"
#include "tui/memory_failed.h"

#include <string.h>

/* The document, or the last legal one: only that can be opened again. */
static const struct lw_document *last_legal(const struct lw_entry *entry)
{
    const struct lw_document *doc = entry->doc;
    for (size_t i = entry->past_count; !lw_subject_fits(doc, NULL) && i-- > 0;)
        doc = &entry->past[i];
    return doc;
}

static bool write_entry(struct lw_recovery *recovery, const struct lw_entry *entry, size_t index,
                        struct lw_error *err)
{
    struct lw_text text = {0};
    const char *name = entry->label[0] ? entry->label : entry->source;
    lw_text_format(&text, "%.*s\n", (int)strcspn(name, "\n"), name);
    lw_document_print(&text, last_legal(entry));
    if (!entry->recovered)
        lw_document_print(&text, entry->original);
    bool good = lw_recovery_write(recovery, index, lw_text_string(&text), err);
    lw_text_free(&text);
    return good;
}

/* The folder was removed while the program runs: writes all files again in a new one. */
static bool write_all_again(struct lw_explorer *ex, size_t index, struct lw_error *err)
{
    if (!lw_recovery_is_lost(&ex->keep.recovery))
        return false;
    lw_recovery_close(&ex->keep.recovery);
    for (size_t i = 0; i < ex->list.count; i++)
        if (i != index && ex->list.entries[i].has_recovery)
            ex->list.entries[i].has_recovery =
                write_entry(&ex->keep.recovery, &ex->list.entries[i], i, err);
    return write_entry(&ex->keep.recovery, &ex->list.entries[index], index, err);
}

/* False after an edit that was never legal, as nothing can be restored. */
static bool is_worth_keeping(const struct lw_entry *entry)
{
    return entry->dirty &&
           (entry->recovered || !lw_documents_equal(last_legal(entry), entry->original));
}

bool lw_recovery_update(struct lw_explorer *ex, size_t index, struct lw_error *err)
{
    struct lw_entry *entry = &ex->list.entries[index];
    if (!ex->keep.recovery.on || (!entry->dirty && !entry->has_recovery))
        return true;
    bool kept = is_worth_keeping(entry);
    if (lw_memory_failed()) /* the file of before stays; the next step writes a new one */
        return true;
    if (!kept) {
        if (entry->has_recovery)
            lw_recovery_erase(&ex->keep.recovery, index);
        entry->has_recovery = false;
        return true;
    }
    bool written =
        write_entry(&ex->keep.recovery, entry, index, err) || write_all_again(ex, index, err);
    entry->has_recovery = entry->has_recovery || written; /* if it fails, an older file stays */
    bool silent = written || ex->keep.recovery.was_reported;
    ex->keep.recovery.was_reported = ex->keep.recovery.was_reported || !written;
    return silent;
}

void lw_recovery_discard(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->list.count; i++) {
        ex->list.entries[i].dirty = false;
        lw_recovery_update(ex, i, NULL);
    }
}
