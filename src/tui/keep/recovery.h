#ifndef LANEWAY_RECOVERY_H
#define LANEWAY_RECOVERY_H

/* What is not saved, kept from one run to the next. */

#include <stdbool.h>
#include <stddef.h>

struct lw_explorer;

/* Where unsaved changes are kept. */
struct lw_recovery {
    bool on, was_reported; /* they are to be kept; it was told that they cannot be */
    char *folder;          /* of this run; NULL: nothing has been kept yet */
    int lock;              /* the file in it that says that this run goes on */
};

/* Keeps an entry that has unsaved changes, and forgets one that has none. */
void lw_recovery_update(struct lw_explorer *ex, size_t entry);
void lw_recovery_remove(struct lw_explorer *ex); /* all of them */
void lw_recovery_offer(struct lw_explorer *ex);  /* from now on unsaved changes are kept */
/* In a process that was forked: this run is over when the process that began it is. */
void lw_recovery_leave(struct lw_recovery *recovery);
void lw_recovery_close(struct lw_recovery *recovery); /* what is kept stays */

#endif
