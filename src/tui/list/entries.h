#ifndef LANEWAY_ENTRIES_H
#define LANEWAY_ENTRIES_H

/* The list of layouts and lessons on the left, with the documents and the edits of each. */

#include "laneway/document.h"
#include "laneway/view.h"
#include "tui/pane/zoom_choice.h"

#include <time.h>

struct lw_explorer;

/* The attributes of a file that change when it is written, also by another program; all zeros: no file. */
struct lw_file_state {
    uint64_t device, inode;
    int64_t size;
    struct timespec written, changed;
};

/* The position of the cursor before an edit that also chose a view: undo returns to it. */
struct lw_edit_origin {
    size_t edits; /* past_count after that edit; 0: no such edit */
    size_t view;
    uint64_t row, col;
};

/* One line of the list: a source of the command line or a gallery entry. */
struct lw_entry {
    const char *source;                 /* never NULL; "": there is no layout */
    char *own;                          /* the source, when the entry owns it */
    const char *lesson;                 /* the name of the lesson for `learn`; NULL: a layout */
    const struct lw_hardware *hardware; /* the target of this layout alone; NULL: the explorer's */
    char note[28];                      /* for a lesson: "done", "2 of 4" */
    char label[48];                     /* the name in the list; "": the source */
    char title[96];                     /* see lw_entry_title */
    /* For an operation of a kernel: its access, and the other operations with its shared S; else LW_VIEW_BOTH and
     * "". */
    enum lw_view_access access;
    char sharers[256];
    char
        undrawn[240]; /* for an operation that is neither an access nor a conversion, its kind; else
                         "" */
    const char *color; /* the field that colours show, for a scan; NULL: the usual one */
    int part, parts;   /* for a conversion of a reduction: which one, of all operands, from 1; else
                              0 */
    int kernel_part;   /* with `parts`: the part of the file in which its kernel is */
    struct lw_zooms zooms; /* as last chosen */
    struct lw_edit_origin origin;
    bool loaded;
    bool broken; /* it could not be read */
    bool given;  /* it is in the folder of the command line, whose options are for it */
    bool folded; /* in the first entry of a group: the group is one row */
    size_t
        kernel; /* for a layout of a kernel: the length of the prefix of the source common to that
                   kernel; else 0 */
    /* Both in one allocation, which most entries do not have: when not loaded, both are lw_list.empty. */
    struct lw_document *original; /* as read */
    struct lw_document *doc;      /* as edited */
    struct lw_document
        *past; /* documents before each edit: past_count of them, then those undone */
    size_t past_count, past_total, past_room;
    bool dirty;                /* `doc` differs from the document that was read or last saved */
    bool recovered;            /* restored, and not saved since */
    bool has_recovery;         /* it has a recovery file */
    char *path;                /* the file that saving writes; NULL: none yet */
    struct lw_file_state file; /* the state of that file, before it was last read or after it was
                                  written */
};

#define LW_LIST_FILTER_MAX 64
/* The most bytes of all documents that undo and redo keep. */
#define LW_UNDO_BYTES_MAX ((size_t)64 << 20)

struct lw_list {
    struct lw_entry *entries;
    size_t count;
    size_t entry;                    /* the one on the screen */
    size_t top;                      /* the first row shown */
    bool narrow, folded;             /* for all of the picture to fit beside it */
    bool of_folder;                  /* it has only the files of a folder of the command line */
    size_t unfiltered;               /* the entry before the filter is typed */
    char filter[LW_LIST_FILTER_MAX]; /* rows are the entries that contain it; "": all */
    size_t undo_bytes_max;           /* 0: LW_UNDO_BYTES_MAX */
    struct lw_document empty;        /* of entries not loaded; constant */
};

/* ---- list_rows.c ---- */

/* Whether a wide screen always has the list: not if the command line names one layout, or two. Beside a layout of a
 * kernel it lists those of the kernel. */
bool lw_list_is_shown(const struct lw_explorer *ex);

/* Whether an entry has a row; the number of entries before `end` with a row. */
bool lw_list_shows(struct lw_explorer *ex, size_t i);
size_t lw_list_rows(struct lw_explorer *ex, size_t end);
/* Whether the row above that of an entry is of its group. */
bool lw_list_continues(struct lw_explorer *ex, size_t i);
/* The lines of the list from list.top on, one after another: that of an entry, or (*part) the line between layouts and
 * lessons. Returns the entry; list.count: there are no more lines. Begin with all zeros. */
struct lw_list_walk {
    size_t next, row;
    bool begun, separated;
};
size_t lw_list_next(struct lw_explorer *ex, struct lw_list_walk *walk, bool *part);
/* The number of entries in the group of an entry; whether that is folded. */
size_t lw_list_group(const struct lw_list *list, size_t i);
bool lw_list_is_folded(const struct lw_list *list, size_t i);
/* Moves by rows, and shows the entry there. */
void lw_list_move(struct lw_explorer *ex, int64_t by);
/* Lists only entries whose name or title contains the text, ignoring case; "": all. Shows another entry if it has the
 * text in a better position, best at the beginning of its name. */
void lw_list_filter(struct lw_explorer *ex, const char *text);
void lw_list_unfilter(struct lw_explorer *ex); /* shows all entries, and the entry of before the
                                                  filter */
bool lw_list_matches(struct lw_explorer *ex, size_t i, const char *filter);
bool lw_list_has(struct lw_explorer *ex, const char *text);
/* Folds (1) or unfolds (0) the group of the entry. */
void lw_list_fold(struct lw_explorer *ex, int fold);

/* entry.c */
/* Replaces the documents of an entry by these, which it then owns; on failure they are freed, and the entry is
 * unchanged. */
bool lw_entry_put(struct lw_entry *entry, struct lw_document *original, struct lw_document *doc,
                  struct lw_error *err);
void lw_entry_drop(struct lw_entry *entry); /* frees its documents */
/* Gives an entry without documents the empty ones. */
void lw_entry_clear(struct lw_list *list, struct lw_entry *entry);
/* Its name in questions: its label, the file's name, else the source. */
const char *lw_entry_name(const struct lw_entry *entry);
/* Its title, "" if it has none; for the gallery the document is not read. */
const char *lw_entry_title(struct lw_entry *entry);
/* Whether it is a kernel of the gallery, which opens as a table and not as a layout. */
bool lw_entry_is_kernel(const struct lw_entry *entry);
/* The present state of a file; all zeros: there is none, or the path is NULL. */
struct lw_file_state lw_file_state_of(const char *path);
/* Records the state of the file, so that another program's change is not overwritten without a question. */
void lw_entry_record_file_state(struct lw_entry *entry);
bool lw_entry_file_is_unchanged(const struct lw_entry *entry);
void lw_entry_free(struct lw_entry *entry);

/* entries.c */
bool lw_entries_make(struct lw_explorer *ex, struct lw_error *err);
/* Adds the lessons to a list without them: that of a kernel or a folder. False: it has them, or memory is out. */
bool lw_entries_add_lessons(struct lw_explorer *ex);
/* Reads an entry's document, once. */
bool lw_entry_load(struct lw_explorer *ex, size_t index, struct lw_error *err);
/* Frees the documents of the gallery that were only shown while moving through the list: they are read again when
 * needed. */
void lw_entries_release(struct lw_explorer *ex);
/* Adds an entry at the end of the list and shows it; false, with a message, when its source cannot
 * be read. `label` is its name in the list, NULL: the source. */
bool lw_explorer_add(struct lw_explorer *ex, const char *source, const char *label);
/* The same, as a step from the present focus: the view gets the focus, and Esc leads back. */
bool lw_explorer_open(struct lw_explorer *ex, const char *source, const char *label);
/* Adds an entry at the end that is not read yet; NULL: memory is out. */
struct lw_entry *lw_entry_add(struct lw_explorer *ex, const char *source, const char *label);
/* lw_explorer_add with a document, which the entry then owns (it is freed on failure); `source` names it. */
bool lw_explorer_add_document(struct lw_explorer *ex, struct lw_document *doc, const char *source,
                              const char *label);

/* entries_folder.c: the layouts and lessons in a folder and below it. They are read when they are shown. */
/* Makes the list of those of the folder that the command line names. */
bool lw_entries_of_folder(struct lw_explorer *ex, struct lw_error *err);
/* Adds those of a folder without kernels to the list, which gets the focus; `err` has the error of opening its
 * kernels. */
bool lw_entries_open_folder(struct lw_explorer *ex, const char *path, struct lw_error *err);

/* history.c */
bool lw_history_push(struct lw_explorer *ex, const struct lw_document *before);
void lw_history_step(struct lw_explorer *ex, int redo);        /* undo, or redo */
void lw_history_truncate(struct lw_entry *entry, size_t from); /* steps from `from` on */

#endif
