/* Several processes share the runs: each makes every n-th of them, in a folder of its own. */

#define _GNU_SOURCE

#include "fault/fault.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 64 };

static pid_t children[JOBS_MAX];
static int job_count, own_number;
static volatile sig_atomic_t stopped;

static void stop(int number)
{
    stopped = number;
    for (int i = 0; i < JOBS_MAX; i++)
        if (children[i] > 0)
            kill(children[i], SIGTERM);
}

bool jobs_is_stopped(void)
{
    return stopped != 0;
}

bool jobs_is_mine(void)
{
    static unsigned long turn;
    return turn++ % (unsigned long)job_count == (unsigned long)own_number;
}

void *jobs_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

void jobs_add(unsigned long *number, unsigned long amount)
{
    __atomic_add_fetch(number, amount, __ATOMIC_RELAXED);
}

void jobs_run(int jobs, void (*work)(void))
{
    job_count = jobs < 1 ? 1 : jobs > JOBS_MAX ? JOBS_MAX : jobs;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    for (int i = 0; i < job_count; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            for (int k = 0; k < JOBS_MAX; k++)
                children[k] = 0;
            own_number = i;
            work();
            exit(0);
        }
        children[i] = child;
    }
    for (int i = 0; i < job_count; i++) {
        int status = 0;
        while (children[i] > 0 && waitpid(children[i], &status, 0) < 0 && errno == EINTR)
            ;
        if (children[i] < 0 || status != 0) {
            printf("a process that makes runs has ended with status %d\n", status);
            exit(2);
        }
        children[i] = 0;
    }
}
