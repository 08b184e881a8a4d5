#ifndef LANEWAY_BACKGROUND_JOB_H
#define LANEWAY_BACKGROUND_JOB_H

/* Work that may take long: done in slices between events, or stopped by a function that it calls. */

#include <stdbool.h>
#include <stdint.h>

struct lw_explorer;

/* Whether the user stops the work: called every few milliseconds. */
struct lw_stop {
    bool (*requested)(void *context); /* NULL: there is no terminal */
    void *context;
};

struct lw_job {
    const char *what;     /* "counting what differs" */
    uint64_t done, total; /* total 0: unknown */
    int64_t began, drawn; /* in ms */
    /* Does a slice of the work; false: it is finished. */
    bool (*step)(struct lw_explorer *ex, struct lw_job *job);
    void (*end)(struct lw_explorer *ex, struct lw_job *job, bool finished);
    void *data;
    bool stopped; /* by the user, when it ends */
    bool writes;  /* it writes a file, so quitting shows a question first */
    bool quiet;   /* the user did not start it: it is not shown, and Esc does not end it */
};

int64_t lw_now_ms(void);                                             /* of the terminal */
void lw_job_start(struct lw_explorer *ex, const struct lw_job *job); /* ends the present one */
bool lw_job_cancel(struct lw_explorer *ex);                          /* false: there was none */
bool lw_job_stop(struct lw_explorer *ex); /* the same, at the user's request */
/* Whether it has run so long that the screen shows its progress. */
bool lw_job_is_shown(const struct lw_explorer *ex);
/* Runs steps for a few milliseconds; true: the screen is to be drawn. */
bool lw_job_slice(struct lw_explorer *ex);
void lw_job_try(struct lw_explorer *ex); /* runs steps for a time too short to notice */
void lw_job_finish(struct lw_explorer *ex);

#endif
