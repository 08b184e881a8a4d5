#ifndef LANEWAY_PROGRESS_H
#define LANEWAY_PROGRESS_H

/* How many steps of each lesson are done, kept in `$XDG_STATE_HOME/laneway/progress.json`:
 * {"swizzling": 3, ...} */

#include "laneway/error.h"

#include <stdint.h>

struct lw_progress {
    struct lw_progress_row {
        char *lesson;
        uint64_t steps;
    } * rows;
    size_t count;
};

/* Reads the file; false with the problems in the report, also when there is no folder to keep it in. */
bool lw_progress_load(struct lw_progress *progress, struct lw_report *report);
uint64_t lw_progress_get(const struct lw_progress *progress, const char *lesson);
/* Raises a count, here and in the file; false when the file cannot be written. */
bool lw_progress_set(struct lw_progress *progress, const char *lesson, uint64_t steps,
                     struct lw_error *err);
void lw_progress_free(struct lw_progress *progress);

#endif
