/* One run of the program, with its output, in a folder of its own. */

#define _GNU_SOURCE

#include "fault/fault.h"

#include "cli/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that takes longer hangs: by its own time, and by the clock, as others may keep it waiting. */
enum { CPU_SECONDS = 20, SECONDS = 600 };

struct fault_state *fault_state;
static volatile pid_t running;
static volatile sig_atomic_t hung;

static void end_it(int number)
{
    (void)number;
    hung = 1;
    if (running > 0)
        kill(-running, SIGKILL); /* and its children: it leads a group */
}

/* ---- The child ---- */

/* Splits the line; `<FILE` is standard input, what follows a | is left out. */
static void start_program(const char *line)
{
    struct lw_argv argv;
    char *list[LW_ARGV_MAX + 1], home[512];
    int count = 0;
    const char *program = getenv("LANEWAY");
    if (!lw_argv_split(&argv, line))
        _exit(124);
    for (int i = 0; i < argv.count && strcmp(argv.argument[i], "|") != 0; i++) {
        char *argument = argv.argument[i];
        if (*argument == '<') {
            int in = open(argument + 1, O_RDONLY);
            if (in < 0 || dup2(in, STDIN_FILENO) < 0 || close(in) != 0)
                _exit(124);
        } else if (*argument == '~') {
            snprintf(home, sizeof home, "%s%s", fault_work, argument + 1);
            list[count++] = home;
        } else {
            list[count++] = argument;
        }
    }
    list[count] = NULL;
    execv(program, list);
    _exit(124);
}

static void set_environment(bool terminal)
{
    static char home[600], preload[1200], state[600], trace[600];
    const char *library = getenv("FAULT_LIBRARY"), *to = getenv("FAULT_TRACE");
    snprintf(home, sizeof home, "HOME=%s", fault_work);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    snprintf(state, sizeof state, "FAULT_STATE=%s", fault_state_path);
    snprintf(trace, sizeof trace, "FAULT_TRACE=%s", to ? to : "");
    static char *names[16];
    size_t n = 0;
    static char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
    static char dumb[] = "TERM=dumb", xterm[] = "TERM=xterm-256color";
    names[n++] = home;
    names[n++] = path;
    names[n++] = locale;
    names[n++] = terminal ? xterm : dumb;
    names[n++] = preload;
    names[n++] = state;
    names[n++] = trace;
    environ = names;
    setenv("LANEWAY", "", 0);
}

static void child(const struct fault_case *test, int in, int out, int err, bool traced)
{
    const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS}, core = {0, 0};
    char *program = strdup(getenv("LANEWAY"));
    setsid();
    if (test->keys && ioctl(in, TIOCSCTTY, 0) != 0)
        _exit(124);
    dup2(in, STDIN_FILENO);
    dup2(test->keys ? in : out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    set_environment(test->keys != NULL);
    setenv("LANEWAY", program, 1);
    if (chdir(fault_work) != 0)
        _exit(124);
    if (traced)
        calls_begin_child();
    start_program(test->line);
}

/* ---- The terminal ---- */

/* The state of a process as the system has it, S when it sleeps, and the time that it has run. */
static char read_state(pid_t pid, unsigned long *ran)
{
    char path[64], state = 0;
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                       &state, &user, &system) != 3)
        state = 0;
    if (file)
        fclose(file);
    *ran = user + system;
    return state;
}

static bool has_children(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *file = fopen(path, "r");
    bool has = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return has;
}

/* Whether the program waits for keys: it sleeps, now and a while later, and has not run between. A machine that does
 * much else may keep it from running, which is no reason to end it. */
static bool is_waiting(pid_t pid)
{
    enum { LOOKS = 5, LOOK_MS = 50 };
    unsigned long before, ran;
    bool waits = read_state(pid, &before) == 'S';
    for (int i = 0; i < LOOKS && waits; i++) {
        poll(NULL, 0, LOOK_MS);
        waits = read_state(pid, &ran) == 'S' && ran == before && !has_children(pid);
    }
    return waits;
}

/* Reads what is drawn until the terminal is closed, so that the program never waits. When nothing more is drawn and it
 * waits for keys, as those that were typed did not end the session, the terminal is hung up. */
static pid_t start_reader(int master, int program_end, int out, pid_t program)
{
    enum { IDLE_MS = 400 };
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char buffer[4096];
    struct pollfd drawn = {.fd = master, .events = POLLIN};
    close(program_end);
    for (;;) {
        if (poll(&drawn, 1, IDLE_MS) > 0) {
            ssize_t n = read(master, buffer, sizeof buffer);
            if (n <= 0 || write(out, buffer, (size_t)n) != n)
                break;
        } else if (is_waiting(program) && poll(&drawn, 1, 0) == 0) {
            break;
        }
    }
    _exit(0);
}

static char *read_all(int file, size_t *length)
{
    off_t size = lseek(file, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    *length = size > 0 ? (size_t)pread(file, text, (size_t)size, 0) : 0;
    text[*length] = '\0';
    close(file);
    return text;
}

static int follow(pid_t pid, const struct fault *fault, struct run *run, bool traced)
{
    int status = 0;
    if (traced)
        return calls_follow(pid, fault, run);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

void run_case(struct run *run, const struct fault_case *test, const struct fault *fault)
{
    static bool watched;
    bool traced = fault->kind != FAULT_ALLOCATION;
    int out = memfd_create("out", 0), err = memfd_create("err", 0), in, master = -1;
    pid_t reader = -1;
    if (!watched)
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_it}, NULL);
    watched = true;
    memset(run, 0, sizeof *run);
    run->hit_fd = -1;
    fault_state->at = traced ? 0 : fault->at;
    fault_state->count = 0;
    fault_state->lasting = fault->lasting;
    fault_state->record = fault->records;
    fault_state->trace = getenv("FAULT_TRACE") != NULL;
    struct winsize size = {24, 80, 0, 0};
    if (test->keys) {
        if (openpty(&master, &in, NULL, NULL, &size) != 0)
            abort();
        if (write(master, test->keys, strlen(test->keys)) < 0)
            abort();
    } else {
        in = open("/dev/null", O_RDONLY);
    }
    hung = 0;
    pid_t pid = fork();
    if (pid == 0)
        child(test, in, out, err, traced);
    if (test->keys) {
        reader = start_reader(master, in, out, pid);
        close(master); /* the reader has the only one, so that its end is a hangup */
    }
    close(in);
    running = pid;
    alarm(SECONDS);
    int status = follow(pid, fault, run, traced);
    while (reader > 0 && waitpid(reader, NULL, 0) < 0 && errno == EINTR)
        ;
    alarm(0);
    running = -1;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run->hung = hung || (run->status == 128 + SIGKILL && fault->how != FAULT_KILL);
    run->counts[FAULT_ALLOCATION] = fault_state->count;
    if (fault->kind == FAULT_ALLOCATION)
        run->hit = fault_state->count >= fault->at;
    run->out = read_all(out, &run->out_length);
    run->err = read_all(err, &run->err_length);
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->err);
}
