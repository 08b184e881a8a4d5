#ifndef TEST_FAULT_H
#define TEST_FAULT_H

/*
 * Runs of the program in which one thing fails.
 *
 *     fault_main.c    the cases, what fails in each run, and what must hold after it
 *     fault_jobs.c    several processes that share the runs
 *     fault_run.c     one run, with its output, in a folder of its own
 *     fault_calls.c   a run in which the n-th call of the system fails, is cut short, or is its last
 *     fault_tree.c    what is in a folder
 *     interpose.c     the library that lets the n-th allocation fail
 */

#include "fault/fault_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- fault_tree.c ---- */

/* The files of a folder: path, mode and content of each. */
struct tree {
    struct tree_file {
        char *path, *content;
        size_t length;
        unsigned mode;
    } * files;
    size_t count;
};
void tree_read(struct tree *tree, const char *folder);
void tree_free(struct tree *tree);
bool tree_equal(const struct tree *a, const struct tree *b);
/* What is wrong with a folder that was `before` and should be `after`: a file that is neither, or, unless `extra`, one
 * that is in neither. NULL: nothing. */
const char *tree_problem(const struct tree *now, const struct tree *before,
                         const struct tree *after, bool extra);

/* ---- fault_run.c ---- */

/* What fails. */
enum fault_kind {
    FAULT_NONE,
    FAULT_ALLOCATION,
    FAULT_WRITE,
    FAULT_READ,
    FAULT_SYNC,
    FAULT_RENAME,
    FAULT_OPEN,
    FAULT_CLOSE,
    FAULT_OTHER, /* ftruncate, unlink, chmod, mkdir, ... */
    FAULT_KINDS
};
enum { FAULT_SHORT = -1, FAULT_KILL = -2 };

struct fault {
    enum fault_kind kind;
    unsigned long at; /* which one, from 1 */
    int how;          /* errno, FAULT_SHORT or FAULT_KILL */
    bool lasting;     /* and all later ones */
    bool records;     /* where each allocation is, in fault_state->places */
};

struct run {
    int status; /* exit status; 128 + n for a signal */
    bool hung;  /* it had to be ended */
    bool hit;   /* what was to fail has failed */
    int hit_fd; /* the descriptor that it was on; -1: none */
    char *out, *err;
    size_t out_length, err_length;
    unsigned long counts[FAULT_KINDS];
};

/* A command line of the program, without its name; for a session also the keys that are typed. */
struct fault_case {
    const char *line;
    const char *keys; /* NULL: there is no terminal */
    const char *name;
};

/* Folders: what every run begins with, and where it runs. */
extern char fault_template[], fault_work[], fault_state_path[];
extern struct fault_state *fault_state;
void run_case(struct run *run, const struct fault_case *test, const struct fault *fault);
void run_free(struct run *run);

/* ---- fault_jobs.c ---- */

struct fault_total {
    unsigned long runs, hits, problems;
};
/* Calls `work` in `jobs` processes and waits for them; a signal to end reaches them too. */
void jobs_run(int jobs, void (*work)(void));
/* Whether the next run is of this process: they take turns. */
bool jobs_is_mine(void);
/* Memory that the processes share, of `size` bytes, all 0. */
void *jobs_memory(size_t size);
/* Adds to a number that they share. */
void jobs_add(unsigned long *number, unsigned long amount);
/* An interrupt ends the runs. */
bool jobs_is_stopped(void);

/* ---- fault_calls.c ---- */

/* In the child: asks to be traced at the calls that can fail. */
void calls_begin_child(void);
/* Follows the child to its end; returns its status as waitpid does. */
int calls_follow(pid_t child, const struct fault *fault, struct run *run);

#endif
