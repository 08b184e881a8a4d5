/*
 * Runs every case with every fault, and checks what must hold:
 *
 *   - exit status 0 or 1 only with the output of the run without a fault; otherwise 2 and a message;
 *   - every file is the old one or the new one, whole, and no other file is left;
 *   - after a kill, other files may be left, but not once the same command has run again.
 *
 * usage: fault [--every N] [--only WORD] [--kind KIND] [--at N] [--jobs N]    every N-th fault of each case and kind
 *
 * Of a command with very many allocations, one in each chain of calls fails.
 */

#include "fault/fault.h"

#include "cli/command/commands.h"

#include <errno.h>
#include <signal.h>
#include <fcntl.h>
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

/* Examples that repeat one thing for many inputs; cases.txt has them for one. */
static bool is_repeated(const char *line)
{
    return !strcmp(line, "learn --check");
}

static void add_examples(void)
{
    const struct lw_command *const *commands = lw_laneway.commands;
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; j < LW_EXAMPLES_MAX && commands[i]->examples[j].arguments; j++)
            if (*commands[i]->name && !is_repeated(commands[i]->examples[j].arguments))
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

static struct fault_total *totals; /* of each row */

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
    jobs_add(&totals[index].runs, 1);
    jobs_add(&totals[index].hits, hit);
    if (problem) {
        jobs_add(&totals[index].problems, 1);
        report(test, row, fault, &run, problem);
    }
    if (!tree_equal(&now, before))
        reset_work();
    tree_free(&now);
    run_free(&run);
    return hit;
}

static struct {
    unsigned long every, at;
    const char *only, *kind;
} chosen = {.every = 1};

/* Marks the allocations that are to fail: all, or one of each chain of calls. */
static void choose_places(bool *is_chosen, unsigned long count)
{
    enum { MANY = 4000, SLOTS = 2 * FAULT_PLACES };
    static struct {
        uint64_t place;
        bool seen;
    } slots[SLOTS];
    memset(slots, 0, sizeof slots);
    for (unsigned long n = 1; n <= count; n++) {
        size_t i = n < FAULT_PLACES ? fault_state->places[n] % SLOTS : 0;
        while (n < FAULT_PLACES && slots[i].seen && slots[i].place != fault_state->places[n])
            i = (i + 1) % SLOTS;
        slots[i].place = n < FAULT_PLACES ? fault_state->places[n] : 0;
        is_chosen[n] = count <= MANY || !slots[i].seen;
        slots[i].seen = true;
    }
}

/* Every fault of a row of the table, or one of `every`. Calls are few, so more of them. */
static void run_row(const struct fault_case *test, const struct fault_row *row,
                    const struct run *good, const bool *is_chosen, unsigned long count,
                    const struct tree *before, const struct tree *after)
{
    static unsigned long turn;
    enum { FEW = 20 };
    bool allocates = row->kind == FAULT_ALLOCATION;
    unsigned long every = chosen.every, step = allocates ? every : (every + FEW - 1) / FEW;
    for (const int *how = row->how; *how; how++) {
        unsigned long from = chosen.at ? chosen.at : 1 + (step > 1 ? turn++ % step : 0);
        for (unsigned long at = from; at <= (chosen.at ? chosen.at : count); at += step) {
            struct fault fault = fault_of(row, *how, at);
            if (chosen.at || ((!allocates || is_chosen[at]) && jobs_is_mine()))
                run_one(test, row, &fault, good, before, after);
            if (jobs_is_stopped())
                return;
        }
    }
}

static void run_rows(const struct fault_case *test)
{
    struct run good, allocating;
    struct tree before, after;
    tree_read(&before, fault_work);
    run_case(&good, test, &(struct fault){.kind = FAULT_NONE});
    tree_read(&after, fault_work);
    if (!tree_equal(&before, &after))
        reset_work();
    run_case(&allocating, test, &(struct fault){.kind = FAULT_ALLOCATION, .records = true});
    reset_work();
    unsigned long allocations = allocating.counts[FAULT_ALLOCATION];
    bool *is_chosen = calloc(allocations + 1, sizeof *is_chosen), runs = good.status <= 2;
    if (!is_chosen)
        exit(2);
    choose_places(is_chosen, allocations);
    if (!runs || allocating.status != good.status) {
        printf("laneway %s: status %d without a fault\n%s", test->name, good.status, good.err);
        jobs_add(&totals[0].problems, 1);
    }
    for (size_t i = 0; i < ROWS && runs && !jobs_is_stopped(); i++)
        if (!chosen.kind || !strcmp(chosen.kind, rows[i].name))
            run_row(test, &rows[i], &good, is_chosen,
                    rows[i].kind == FAULT_ALLOCATION ? allocations : good.counts[rows[i].kind],
                    &before, &after);
    free(is_chosen);
    tree_free(&before);
    tree_free(&after);
    run_free(&good);
    run_free(&allocating);
}

/* What one of the processes does. */
static void run_cases(void)
{
    make_folders();
    for (size_t i = 0; i < case_count && !jobs_is_stopped(); i++)
        if (!chosen.only || strstr(cases[i].name, chosen.only) ||
            (cases[i].keys && strstr(cases[i].keys, chosen.only)))
            run_rows(&cases[i]);
}

static int print_totals(void)
{
    unsigned long problems = 0, runs = 0;
    for (size_t i = 0; i < ROWS; i++) {
        runs += totals[i].runs;
        if (totals[i].runs)
            printf("%-12s %8lu runs, %lu problems\n", rows[i].name, totals[i].runs,
                   totals[i].problems);
        problems += totals[i].problems;
    }
    if (!runs)
        puts("no runs: no case, or no kind of fault, is named so");
    return problems != 0 || !runs;
}

int main(int argc, char **argv)
{
    int jobs = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--every"))
            chosen.every = strtoul(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--only"))
            chosen.only = argv[i + 1];
        else if (!strcmp(argv[i], "--kind"))
            chosen.kind = argv[i + 1];
        else if (!strcmp(argv[i], "--at"))
            chosen.at = strtoul(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--jobs"))
            jobs = atoi(argv[i + 1]);
    }
    chosen.every = chosen.every ? chosen.every : 1;
    totals = jobs_memory(ROWS * sizeof *totals);
    add_examples();
    add_file();
    jobs_run(chosen.at ? 1 : jobs, run_cases);
    if (jobs_is_stopped())
        puts("stopped: not all runs were made");
    return print_totals() || jobs_is_stopped();
}
