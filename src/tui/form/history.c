/* Undo and redo: the documents before each edit. Invariant: past[0..past_count-1] can be undone,
 * past[past_count..past_total-1] can be redone, the next one first. */

#include "tui/explore/explorer.h"

#include <stdlib.h>
#include <string.h>

void lw_history_truncate(struct lw_entry *entry, size_t from)
{
    for (size_t i = from; i < entry->past_total; i++)
        lw_document_free(&entry->past[i]);
    entry->past_total = from;
}

bool lw_history_push(struct lw_explorer *ex, const struct lw_document *before)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    lw_history_truncate(entry, entry->past_count);
    if (entry->past_count == entry->past_room) {
        size_t room = entry->past_room ? entry->past_room * 2 : 8;
        struct lw_document *past = realloc(entry->past, room * sizeof *past);
        if (!past)
            return false;
        entry->past = past;
        entry->past_room = room;
    }
    if (!lw_document_copy(&entry->past[entry->past_count], before, NULL))
        return false;
    entry->past_total = ++entry->past_count;
    return true;
}

/* Swaps the document with one of the past: the other way of the same step. */
static void swap(struct lw_explorer *ex, size_t at, const char *word)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_document doc = entry->doc;
    entry->doc = entry->past[at];
    entry->past[at] = doc;
    ex->changed |= LW_CHANGED_LAYOUT | LW_CHANGED_SAVED;
    lw_explorer_set_message(ex, false, "%s: %zu to undo, %zu to redo", word, entry->past_count,
                            entry->past_total - entry->past_count);
}

void lw_history_step(struct lw_explorer *ex, int redo)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    if (entry->past_count == (redo ? entry->past_total : 0))
        lw_explorer_set_message(ex, false, "nothing to %s", redo ? "redo" : "undo");
    else if (redo)
        swap(ex, entry->past_count++, "redone");
    else
        swap(ex, --entry->past_count, "undone");
}
