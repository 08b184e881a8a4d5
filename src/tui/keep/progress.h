#ifndef LANEWAY_PROGRESS_H
#define LANEWAY_PROGRESS_H

/* How many steps of each lesson are done, kept in `$XDG_STATE_HOME/laneway/progress.json`: {"swizzling": 3, "banks":
 * {"steps": 4, "assisted": 1}}; "assisted" counts the steps done with the last hint or a search. A lesson with random
 * cases has the seed of the last try, and as "retried" the steps with a wrong answer before the right one: {"exam":
 * {"steps": 9, "seed": 7, "retried": 2}}. */

#include "laneway/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LW_PROGRESS_STEPS, /* done */
    LW_PROGRESS_ASSISTED,
    LW_PROGRESS_RETRIED,
    LW_PROGRESS_SEED,
    LW_PROGRESS_COUNTS
};

struct lw_progress {
    struct lw_progress_row {
        char *lesson;
        uint64_t count[LW_PROGRESS_COUNTS];
        bool has_seed;
    } * rows;
    size_t count;
};

/* Reads the file; false with the first problem in *err, also when there is no folder to keep it in. */
bool lw_progress_load(struct lw_progress *progress, struct lw_error *err);
/* The row of a lesson; NULL: there is none. */
struct lw_progress_row *lw_progress_find(const struct lw_progress *progress, const char *lesson);
/* Raises the counts of a lesson in the file; in a lesson with cases another seed than before starts them again. False
 * when the file cannot be written. */
bool lw_progress_set(const struct lw_progress_row *row, struct lw_error *err);
void lw_progress_free(struct lw_progress *progress);

#endif
