#ifndef LANEWAY_RECOVERY_H
#define LANEWAY_RECOVERY_H

/*
 * Unsaved changes, kept in files until they are saved or discarded.
 *
 *     recovery.c     the folders and files
 *     unsaved.c      the entries of the list that have one
 *     restore.c      the question at the next start
 */

#include "laneway/document.h"

#include <time.h>

struct lw_explorer;

/* What is between the two documents of a file: the edited one, and that of before the edits. */
#define LW_RECOVERY_BETWEEN "\n}\n{"

/* The folder of this run. */
struct lw_recovery {
    bool on;           /* unsaved changes are kept */
    bool was_reported; /* the message that they cannot be kept was shown */
    char *folder;      /* NULL: nothing has been kept yet */
    int lock;          /* descriptor of the lock file in it, locked until this run ends */
};

/* ---- recovery.c ---- */

bool lw_recovery_write(struct lw_recovery *recovery, size_t number, const char *text,
                       struct lw_error *err);
void lw_recovery_erase(const struct lw_recovery *recovery, size_t number);
/* Whether something else has removed the folder. */
bool lw_recovery_is_lost(const struct lw_recovery *recovery);
/* Ends this run; files that were not erased are offered at the next start. */
void lw_recovery_close(struct lw_recovery *recovery);
/* In a forked process: closes the files, which belong to its parent. */
void lw_recovery_leave(struct lw_recovery *recovery);

/* The files left by runs that have ended. */
struct lw_orphans {
    size_t found, taken;
    struct lw_error why; /* of the first file that could not be restored */
    char name[49];       /* the first line of the newest file, cut to fit */
    time_t written;      /* the time at which it was written */
};
/* Calls `take` for each, and removes those for which it returns true; NULL: only counts them. */
struct lw_orphans lw_recovery_each(bool (*take)(void *context, const char *path,
                                                struct lw_error *err),
                                   void *context);

/* ---- unsaved.c ---- */

/* Writes the recovery file of an entry with unsaved changes, and erases that of one without. Reports, once,
 * that it cannot be written: false. */
bool lw_recovery_update(struct lw_explorer *ex, size_t entry, struct lw_error *err);
void lw_recovery_discard(struct lw_explorer *ex); /* all unsaved changes */

/* ---- restore.c ---- */

/* Begins to keep unsaved changes. Shows the question what to do with those of runs that have ended; if another layout
 * was opened by its name, only a message. */
void lw_recovery_offer(struct lw_explorer *ex);
/* The command :unsaved: the question again. */
void lw_recovery_open(struct lw_explorer *ex, const char *unused);

#endif
