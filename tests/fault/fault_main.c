/*
 * Runs every case with every fault, and checks what must hold:
 *
 *   - exit status 0 or 1 only with the output of the run without a fault; otherwise 2 and a message;
 *   - every file is the old one or the new one, whole, and no other file is left;
 *   - after a kill, other files may be left, but not once the same command has run again.
 *
 * usage: fault [--every N] [--only WORD] [--kind KIND]    every N-th fault of each case and kind
 */

#include "fault/fault.h"

#include "cli/command/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char scratch[64];
char fault_template[96], fault_work[96], fault_state_path[96];

/* ---- What fails ---- */

static const struct fault_row {
    const char *name;
    enum fault_kind kind;
    int how[6]; /* ends with 0; a negative errno: from there on */
} rows[] = {
    {"allocation", FAULT_ALLOCATION, {ENOMEM, 0}},
    {"allocations", FAULT_ALLOCATION, {-ENOMEM, 0}},
    {"write", FAULT_WRITE, {-ENOSPC, EIO, EINTR, FAULT_SHORT * 1000, FAULT_KILL * 1000, 0}},
    {"read", FAULT_READ, {EIO, EINTR, FAULT_SHORT * 1000, 0}},
    {"fsync", FAULT_SYNC, {EIO, ENOSPC, FAULT_KILL * 1000, 0}},
    {"rename", FAULT_RENAME, {EIO, ENOSPC, FAULT_KILL * 1000, 0}},
    {"open", FAULT_OPEN, {EMFILE, EIO, ENOSPC, EINTR, FAULT_KILL * 1000, 0}},
    {"close", FAULT_CLOSE, {EIO, EINTR, FAULT_KILL * 1000, 0}},
    {"other", FAULT_OTHER, {EIO, FAULT_KILL * 1000, 0}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct fault fault_of(const struct fault_row *row, int how, unsigned long at)
{
    struct fault fault = {.kind = row->kind, .at = at};
    if (how <= -1000) {
        fault.how = how / 1000;
    } else {
        fault.how = how < 0 ? -how : how;
        fault.lasting = how < 0;
    }
    return fault;
}

static const char *name_how(const struct fault *fault)
{
    return fault->how == FAULT_SHORT  ? "cut short"
           : fault->how == FAULT_KILL ? "killed there"
           : fault->how == ENOSPC     ? "ENOSPC"
           : fault->how == EIO        ? "EIO"
           : fault->how == EINTR      ? "EINTR"
           : fault->how == EMFILE     ? "EMFILE"
                                      : "ENOMEM";
}

/* ---- Folders ---- */

static void shell(const char *command)
{
    if (system(command) != 0)
        fprintf(stderr, "fault: failed: %s\n", command);
}

static void reset_work(void)
{
    char command[600];
    snprintf(command, sizeof command,
             "chmod -R u+w '%s' 2>/dev/null; rm -rf '%s' && cp -a '%s' '%s'", fault_work,
             fault_work, fault_template, fault_work);
    shell(command);
}

static void remove_scratch(void)
{
    char command[200];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", scratch, scratch);
    shell(command);
}

static void make_folders(void)
{
    const char *root = getenv("LANEWAY_ROOT");
    char command[1024];
    strcpy(scratch, "/tmp/laneway-fault.XXXXXX");
    if (!root || !mkdtemp(scratch))
        exit(2);
    atexit(remove_scratch);
    snprintf(fault_template, sizeof fault_template, "%s/template", scratch);
    snprintf(fault_work, sizeof fault_work, "%s/work", scratch);
    snprintf(fault_state_path, sizeof fault_state_path, "%s/state", scratch);
    snprintf(command, sizeof command, "LANEWAY_ROOT='%s' sh '%s/tests/fault/fixtures.sh' '%s'",
             root, root, fault_template);
    shell(command);
    reset_work();
    int file = open(fault_state_path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *fault_state) != 0)
        exit(2);
    fault_state = mmap(NULL, sizeof *fault_state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
}

/* ---- Cases ---- */

static struct fault_case cases[512];
static size_t case_count;

static void add_case(const char *line, const char *keys, const char *name)
{
    if (case_count < sizeof cases / sizeof *cases)
        cases[case_count++] = (struct fault_case){line, keys, name};
}

static void add_examples(void)
{
    const struct lw_command *const *commands = lw_laneway.commands;
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; j < LW_EXAMPLES_MAX && commands[i]->examples[j].arguments; j++)
            if (*commands[i]->name)
                add_case(commands[i]->examples[j].arguments, NULL,
                         commands[i]->examples[j].arguments);
}

/* \r, \t, \e and \\ in keys. */
static char *unescape(const char *text)
{
    char *copy = strdup(text), *to = copy;
    for (const char *p = text; *p; p++)
        *to++ = *p != '\\' ? *p : *++p == 'r' ? '\r' : *p == 't' ? '\t' : *p == 'e' ? '\033' : *p;
    *to = '\0';
    return copy;
}

/* Lines of a file: `ARGUMENTS`, or `KEYS @ ARGUMENTS` for a session at a terminal. */
static void add_file(void)
{
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/tests/fault/cases.txt", getenv("LANEWAY_ROOT"));
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        char *at = strstr(line, " @ ");
        if (!*line || *line == '#')
            continue;
        if (at) {
            *at = '\0';
            add_case(strdup(at + 3), unescape(line), strdup(at + 3));
        } else {
            char *copy = strdup(line);
            add_case(copy, NULL, copy);
        }
    }
    if (in)
        fclose(in);
}

/* ---- Checking ---- */

static struct {
    unsigned long runs, hits, problems;
} totals[ROWS];

static bool says(const struct run *run)
{
    return run->err_length > 0;
}

static const char *problem_of(const struct run *run, const struct run *good,
                              const struct fault *fault, bool screen)
{
    if (run->hung)
        return "it hangs";
    if (fault->how == FAULT_KILL)
        return NULL;
    if (run->status > 2 && !(screen && run->status == 128 + SIGHUP))
        return "it ends with a signal or an unknown status";
    if (screen) /* the faults are reported on it */
        return NULL;
    bool same =
        run->out_length == good->out_length && !memcmp(run->out, good->out, run->out_length);
    if (run->status < 2 && run->status != good->status)
        return "another status";
    if (run->status < 2 && !same)
        return "other output";
    if (run->status == 2 && good->status != 2 && !says(run) && run->hit_fd != STDERR_FILENO)
        return "no message";
    if (run->status == 2 && good->status != 2 && fault->kind == FAULT_ALLOCATION &&
        !strstr(run->err, "memory"))
        return "another message";
    return NULL;
}

static void report(const struct fault_case *test, const struct fault_row *row,
                   const struct fault *fault, const struct run *run, const char *problem)
{
    printf("%s %lu %s%s: laneway %s: %s (status %d) %.*s\n", row->name, fault->at, name_how(fault),
           fault->lasting ? " from there on" : "", test->name, problem, run->status,
           (int)strcspn(run->err, "\n"), run->err);
    fflush(stdout);
}

/* Runs the case once with a fault; returns whether the fault was reached. */
static bool run_one(const struct fault_case *test, const struct fault_row *row,
                    const struct fault *fault, const struct run *good, const struct tree *before,
                    const struct tree *after)
{
    struct run run;
    struct tree now;
    size_t index = (size_t)(row - rows);
    run_case(&run, test, fault);
    bool hit = run.hit, killed = fault->how == FAULT_KILL;
    const char *problem = hit ? problem_of(&run, good, fault, test->keys != NULL) : NULL;
    tree_read(&now, fault_work);
    /* After a hangup in the middle of an export its new file may stay, until that file is written again. */
    bool spare = killed || run.status == 128 + SIGHUP;
    if (tree_problem(&now, before, after, spare)) {
        /* What a run leaves is cleaned at the next start: copies of files that were written in place. */
        struct run next;
        run_case(&next, &(struct fault_case){"--version", NULL, ""}, &(struct fault){.at = 0});
        run_free(&next);
        tree_free(&now);
        tree_read(&now, fault_work);
    }
    if (!problem)
        problem = tree_problem(&now, before, after, spare);
    if (!problem && killed && !test->keys && !tree_equal(&now, before) &&
        !tree_equal(&now, after)) {
        struct run again;
        run_case(&again, test, &(struct fault){.kind = FAULT_NONE});
        tree_free(&now);
        tree_read(&now, fault_work);
        problem = tree_problem(&now, before, after, false);
        run_free(&again);
    }
    totals[index].runs++;
    totals[index].hits += hit;
    if (problem) {
        totals[index].problems++;
        report(test, row, fault, &run, problem);
    }
    if (!tree_equal(&now, before))
        reset_work();
    tree_free(&now);
    run_free(&run);
    return hit;
}

static unsigned long only_at;
static volatile sig_atomic_t stopped;

/* An interrupt ends the runs; the sums so far are printed. */
static void stop(int number)
{
    stopped = number;
}

static void run_rows(const struct fault_case *test, unsigned long every, const char *kind)
{
    static unsigned long turn;
    struct run good, allocating;
    struct tree before, after;
    tree_read(&before, fault_work);
    run_case(&good, test, &(struct fault){.kind = FAULT_NONE});
    tree_read(&after, fault_work);
    if (!tree_equal(&before, &after))
        reset_work();
    run_case(&allocating, test, &(struct fault){.kind = FAULT_ALLOCATION});
    reset_work();
    if (good.status > 2 || allocating.status != good.status) {
        printf("laneway %s: status %d without a fault\n%s", test->name, good.status, good.err);
        totals[0].problems++;
    }
    for (size_t i = 0; i < ROWS && good.status <= 2; i++)
        for (const int *how = rows[i].how; *how; how++) {
            unsigned long count = rows[i].kind == FAULT_ALLOCATION
                                      ? allocating.counts[FAULT_ALLOCATION]
                                      : good.counts[rows[i].kind];
            if (kind && strcmp(kind, rows[i].name) != 0)
                continue;
            /* Of a long command a part; calls are few, so more of them. */
            enum { MANY = 4000, FEW = 20 };
            unsigned long step = rows[i].kind == FAULT_ALLOCATION ? every * (count / MANY + 1)
                                                                  : (every + FEW - 1) / FEW;
            unsigned long from = only_at ? only_at : 1 + (step > 1 ? turn++ % step : 0);
            for (unsigned long at = from; at <= (only_at ? only_at : count) && !stopped;
                 at += step) {
                struct fault fault = fault_of(&rows[i], *how, at);
                run_one(test, &rows[i], &fault, &good, &before, &after);
            }
        }
    tree_free(&before);
    tree_free(&after);
    run_free(&good);
    run_free(&allocating);
}

static int print_totals(void)
{
    unsigned long problems = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (totals[i].runs)
            printf("%-12s %8lu runs, %lu problems\n", rows[i].name, totals[i].runs,
                   totals[i].problems);
        problems += totals[i].problems;
    }
    return problems != 0;
}

int main(int argc, char **argv)
{
    unsigned long every = 1;
    const char *only = NULL, *kind = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--every"))
            every = strtoul(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--only"))
            only = argv[i + 1];
        else if (!strcmp(argv[i], "--kind"))
            kind = argv[i + 1];
        else if (!strcmp(argv[i], "--at"))
            only_at = strtoul(argv[i + 1], NULL, 10);
    }
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    make_folders();
    add_examples();
    add_file();
    for (size_t i = 0; i < case_count; i++)
        if (!stopped && (!only || strstr(cases[i].name, only)))
            run_rows(&cases[i], every ? every : 1, kind);
    return print_totals();
}
