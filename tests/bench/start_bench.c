/* The program as a user meets it, on a pseudo-terminal: time from exec to the last byte of the
 * first frame, and its bytes; of one cursor step the time from the key to the last byte, its
 * bytes, and how many writes they come in; resident memory. Other ncurses programs are measured
 * in the same way when they are installed. */

#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 15, STEPS = 12, QUIET_FIRST = 150, QUIET_KEY = 40 };

static const struct program {
    const char *name;
    const char *words[8];
    const char *keys; /* one cursor step each */
} programs[] = {
    {"laneway 16x64 blocked",
     {"", "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
          "warpsPerCTA = [1, 1], order = [1, 0]}>>"},
     "jjjlllkkkhhh"},
    {"laneway 2^40 blocked",
     {"", "tensor<1048576x1048576xf16, #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = "
          "[2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>>"},
     "jjjlllkkkhhh"},
    {"laneway, banks", {"", "banks/transpose-swizzled"}, "jjjlllkkkhhh"},
    {"laneway, the gallery", {""}, "jjjkkk"},
    {"ncdu", {"ncdu", "-0", "/etc"}, "jjjkkk"},
    {"tig", {"tig"}, "jjjkkk"},
    {"htop", {"htop", "-d", "100"}, "\016\016\016\020\020\020"},
};

struct samples {
    double value[RUNS * STEPS];
    int count;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add(struct samples *samples, double value)
{
    samples->value[samples->count++] = value;
}

static double median(struct samples *samples)
{
    qsort(samples->value, (size_t)samples->count, sizeof *samples->value, by_size);
    return samples->count ? samples->value[samples->count / 2] : 0;
}

/* Of samples that are sorted. */
static double worst(const struct samples *samples)
{
    return samples->count ? samples->value[samples->count - 1] : 0;
}

/* Waits for the first byte, then reads until nothing has come for `quiet` ms; the time of the
 * last byte in *last. */
static size_t drain(int fd, int quiet, double *last)
{
    static char buffer[1 << 16];
    size_t total = 0;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    for (int patience = 1000; poll(&wait, 1, total ? quiet : patience) > 0;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got <= 0)
            break;
        *last = now_ms();
        total += (size_t)got;
    }
    return total;
}

static long resident_kib(pid_t pid)
{
    char path[64], line[128];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(line, sizeof line, file) && sscanf(line, "%*d %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static pid_t start(const struct program *program, int *fd)
{
    struct winsize size = {.ws_row = 40, .ws_col = 120};
    const char *laneway = getenv("LANEWAY");
    pid_t pid = forkpty(fd, NULL, NULL, &size);
    if (pid == 0) {
        const char *words[8];
        memcpy(words, program->words, sizeof words);
        if (!words[0][0])
            words[0] = laneway ? laneway : "build/laneway";
        setenv("TERM", "xterm-256color", 1);
        unsetenv("NO_COLOR");
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    return pid;
}

static bool installed(const char *name)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return !name[0] || system(command) == 0;
}

struct figures {
    struct samples first, first_bytes, key, key_bytes, key_writes, resident;
};

static void press(struct figures *figures, pid_t pid, int fd, const char *key)
{
    long writes = process_writes(pid);
    double begin = now_ms(), last = begin;
    size_t bytes = write(fd, key, 1) == 1 ? drain(fd, QUIET_KEY, &last) : 0;
    if (bytes == 0)
        return;
    add(&figures->key, last - begin);
    add(&figures->key_bytes, (double)bytes);
    add(&figures->key_writes, (double)(process_writes(pid) - writes));
}

static void measure(const struct program *program, struct figures *figures)
{
    int fd;
    double begin = now_ms(), last = begin;
    pid_t pid = start(program, &fd);
    if (pid < 0)
        return;
    size_t bytes = drain(fd, QUIET_FIRST, &last);
    add(&figures->first, last - begin);
    add(&figures->first_bytes, (double)bytes);
    for (const char *key = program->keys; *key; key++)
        press(figures, pid, fd, key);
    add(&figures->resident, (double)resident_kib(pid));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(fd);
}

static void bench(const struct program *program)
{
    static struct figures figures;
    memset(&figures, 0, sizeof figures);
    for (int run = 0; run < RUNS; run++)
        measure(program, &figures);
    double step = median(&figures.key), bytes = median(&figures.key_bytes);
    double writes = median(&figures.key_writes);
    printf("%-24s%9.1f%9.0f%10.2f%9.2f%9.0f%9.0f%9.0f%9.0f%11.0f\n", program->name,
           median(&figures.first), median(&figures.first_bytes), step, worst(&figures.key), bytes,
           worst(&figures.key_bytes), writes, worst(&figures.key_writes),
           median(&figures.resident));
}

int main(void)
{
    printf("on a 120x40 pseudo-terminal, medians of %d runs; steps in every direction\n"
           "%-24s%9s%9s%10s%9s%9s%9s%9s%9s%11s\n%-24s%9s%9s%10s%9s%9s%9s%9s%9s%11s\n",
           RUNS, "", "first ms", "bytes", "step ms", "worst", "bytes", "worst", "writes", "worst",
           "resident", "", "", "", "", "", "", "", "", "", "KiB");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (installed(programs[i].words[0]))
            bench(&programs[i]);
        else
            printf("%-24sis not installed\n", programs[i].name);
    return 0;
}
