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

/* ---- The budget ---- */

static size_t bytes_of(const struct lw_document *doc)
{
    enum { BLOCK = 4096 }; /* the least size that an arena allocates */
    return sizeof *doc + (doc->arena.used > BLOCK ? doc->arena.used : BLOCK);
}

static size_t bytes_of_all(const struct lw_list *list)
{
    size_t sum = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->entries[i].past_total; j++)
            sum += bytes_of(&list->entries[i].past[j]);
    return sum;
}

/* Removes the oldest edit that can be undone; returns its bytes. */
static size_t drop_oldest(struct lw_entry *entry)
{
    size_t bytes = bytes_of(&entry->past[0]);
    lw_document_free(&entry->past[0]);
    entry->past_count--;
    entry->origin.edits -= entry->origin.edits > 0;
    entry->past_total--;
    memmove(entry->past, entry->past + 1, entry->past_total * sizeof *entry->past);
    return bytes;
}

/* Removes old edits, the oldest first: of this layout all but the last one, then of the others. */
static void keep_budget(struct lw_explorer *ex)
{
    struct lw_list *list = &ex->list;
    size_t max = list->undo_bytes_max ? list->undo_bytes_max : LW_UNDO_BYTES_MAX;
    size_t bytes = bytes_of_all(list), least = 1;
    bool dropped = false;
    for (size_t i = 0, at = list->entry; bytes > max && i < list->count; i++, least = 0) {
        for (; bytes > max && list->entries[at].past_count > least; dropped = true)
            bytes -= drop_oldest(&list->entries[at]);
        at = (at + 1) % list->count;
    }
    if (dropped)
        lw_warn(ex, "undo keeps 64 MiB: the oldest edits can no longer be undone");
}

bool lw_history_push(struct lw_explorer *ex, const struct lw_document *before)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    lw_history_truncate(entry, entry->past_count);
    if (entry->origin.edits > entry->past_count)
        entry->origin.edits = 0;
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
    keep_budget(ex);
    return true;
}

/* Swaps the document with one of the past, so that the step can be reversed. */
static void swap(struct lw_explorer *ex, size_t at, const char *word)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_document doc = *entry->doc;
    *entry->doc = entry->past[at];
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
