#ifndef LANEWAY_ENTRIES_H
#define LANEWAY_ENTRIES_H

/* The list of layouts and lessons on the left, with the documents and the edits of each. */

#include "laneway/document.h"
#include "laneway/view.h"
#include "tui/pane/zoom_choice.h"

#include <time.h>

struct lw_explorer;

/* What changes when a file is written, also by another program; all zeros: there is none. */
struct lw_file_state {
    uint64_t device, inode;
    int64_t size;
    struct timespec written, changed;
};

/* Where the cursor was before an edit that also chose a view: undo returns there. */
struct lw_edit_origin {
    size_t edits; /* past_count after that edit; 0: no such edit */
    size_t view;
    uint64_t row, col;
};

/* One line of the list: a source of the command line or a gallery entry. */
struct lw_entry {
    const char *source; /* never NULL; "": there is no layout */
    char *own;          /* the source, when the entry owns it */
    const char *lesson; /* the lesson that it is, as `learn` takes it; NULL: a layout */
    const struct lw_hardware *hardware; /* the target of this layout alone; NULL: the explorer's */
    char note[28];                      /* of a lesson: "done", "2 of 4" */
    char label[48];                     /* what the list shows; "": the source */
    char title[96];                     /* see lw_entry_title */
    /* Of an operation of a kernel: the access that it is, and which other operations have its shared S too; else
     * LW_VIEW_BOTH and "". */
    enum lw_view_access access;
    char sharers[256];
    char
        undrawn[240]; /* of an operation that is no access and no conversion: what it is; else "" */
    struct lw_zooms zooms; /* as it was left */
    struct lw_edit_origin origin;
    bool loaded;
    bool broken; /* it could not be read */
    bool folded; /* of the first entry of a group: the group is one row */
    size_t
        kernel; /* of a layout of a kernel: the bytes of the source that all of that kernel have; else 0 */
    /* One after the other in memory of their own, which most entries do without: not loaded, both are lw_list.empty. */
    struct lw_document *original; /* as read */
    struct lw_document *doc;      /* as edited */
    struct lw_document
        *past; /* documents before each edit: past_count of them, then those undone */
    size_t past_count, past_total, past_room;
    bool dirty;                /* `doc` is not what was read or last saved */
    bool recovered;            /* restored, and not saved since */
    bool has_recovery;         /* there is a recovery file of it */
    char *path;                /* the file that saving writes; NULL: none yet */
    struct lw_file_state file; /* of that file, before it was last read, or after it was written */
};

#define LW_LIST_FILTER_MAX 64
/* Bytes of all documents that undo and redo keep. */
#define LW_UNDO_BYTES_MAX ((size_t)64 << 20)

struct lw_list {
    struct lw_entry *entries;
    size_t count;
    size_t entry;                    /* the one on the screen */
    size_t top;                      /* the first row shown */
    bool narrow, folded;             /* so that all of the picture fits beside it */
    size_t unfiltered;               /* the entry before the filter is typed */
    char filter[LW_LIST_FILTER_MAX]; /* rows are the entries that contain it; "": all */
    size_t undo_bytes_max;           /* 0: LW_UNDO_BYTES_MAX */
    struct lw_document empty;        /* of all entries that are not loaded; never written to */
};

/* ---- list_rows.c ---- */

/* Whether the list is on a wide screen all the time: unless the command line names one layout, or two. Beside a layout
 * of a kernel it has those of the kernel. */
bool lw_list_is_shown(const struct lw_explorer *ex);

/* Whether an entry has a row, and how many of the entries before `end` have one. */
bool lw_list_shows(struct lw_explorer *ex, size_t i);
size_t lw_list_rows(struct lw_explorer *ex, size_t end);
/* Whether the row above that of an entry is of its group. */
bool lw_list_continues(struct lw_explorer *ex, size_t i);
/* The lines of the list from list.top on, one after another: an entry's, or (*part) one that parts lessons from layouts
 * above it. Returns the entry; list.count: there are no more lines. Begin with all zeros. */
struct lw_list_walk {
    size_t next, row;
    bool begun, separated;
};
size_t lw_list_next(struct lw_explorer *ex, struct lw_list_walk *walk, bool *part);
/* How many entries are in the group of an entry, and whether it is folded. */
size_t lw_list_group(const struct lw_list *list, size_t i);
bool lw_list_is_folded(const struct lw_list *list, size_t i);
/* Rows up or down; the entry there is shown. */
void lw_list_move(struct lw_explorer *ex, int64_t by);
/* Only entries whose name or title contains the text, in upper or lower case; "": all. Another one is shown where that
 * has the text in a better position, at the beginning of its name at best. */
void lw_list_filter(struct lw_explorer *ex, const char *text);
void lw_list_unfilter(struct lw_explorer *ex); /* as it was before the filter */
bool lw_list_matches(struct lw_explorer *ex, size_t i, const char *filter);
bool lw_list_has(struct lw_explorer *ex, const char *text);
/* Folds (1) or unfolds (0) the group of the entry. */
void lw_list_fold(struct lw_explorer *ex, int fold);

/* entry.c */
/* Takes over both documents, in place of those that it has; on failure they are freed, and the entry is as it was. */
bool lw_entry_put(struct lw_entry *entry, struct lw_document *original, struct lw_document *doc,
                  struct lw_error *err);
void lw_entry_drop(struct lw_entry *entry); /* frees its documents */
/* An entry without documents has those that are empty. */
void lw_entry_clear(struct lw_list *list, struct lw_entry *entry);
/* Its name in questions: its label, the file's name, else the source. */
const char *lw_entry_name(const struct lw_entry *entry);
/* Its title, "" when it has none; of the gallery without reading the document. */
const char *lw_entry_title(struct lw_entry *entry);
/* Whether it is a kernel of the gallery, which opens as a table and not as a layout. */
bool lw_entry_is_kernel(const struct lw_entry *entry);
/* The file of a path now; all zeros: there is none, or the path is NULL. */
struct lw_file_state lw_file_state_of(const char *path);
/* When the file was last changed, so that another program's change is not overwritten unasked. */
void lw_entry_record_file_state(struct lw_entry *entry);
bool lw_entry_file_is_unchanged(const struct lw_entry *entry);
void lw_entry_free(struct lw_entry *entry);

/* entries.c */
bool lw_entries_make(struct lw_explorer *ex, struct lw_error *err);
/* Reads an entry's document, once. */
bool lw_entry_load(struct lw_explorer *ex, size_t index, struct lw_error *err);
/* Frees the documents of the gallery that were only previewed: they are read again when they are shown. */
void lw_entries_release(struct lw_explorer *ex);
/* Adds an entry at the end of the list and shows it; false, with a message, when its source cannot
 * be read. `label` is its name in the list, NULL: the source. */
bool lw_explorer_add(struct lw_explorer *ex, const char *source, const char *label);
/* The same, as a step from where the focus is: the view has it then, and Esc leads back. */
bool lw_explorer_open(struct lw_explorer *ex, const char *source, const char *label);
/* lw_explorer_add with a document, which the entry then owns (it is freed on failure); `source` names it. */
bool lw_explorer_add_document(struct lw_explorer *ex, struct lw_document *doc, const char *source,
                              const char *label);

/* history.c */
bool lw_history_push(struct lw_explorer *ex, const struct lw_document *before);
void lw_history_step(struct lw_explorer *ex, int redo);        /* undo, or redo */
void lw_history_truncate(struct lw_entry *entry, size_t from); /* steps from `from` on */

#endif
