/* Put before the program with LD_PRELOAD: the n-th allocation fails. What it counts and which one fails is in a file
 * that it shares with the driver (fault_state.h). */

#define _GNU_SOURCE

#include "fault/fault_state.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
char *strdup(const char *string);
char *strndup(const char *string, size_t length);
#pragma GCC visibility pop

static struct fault_state *state;
static int tracing;

static void trace(void)
{
    void *frames[40];
    const char *path = getenv("FAULT_TRACE");
    tracing = 1;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (file >= 0) {
        backtrace_symbols_fd(frames, backtrace(frames, 40), file);
        close(file);
    }
    tracing = 0;
}

/* Notes which chain of calls allocation number n is in. */
static void record_place(uint64_t n)
{
    enum { FRAMES = 64 };
    void *frames[FRAMES];
    uint64_t place = UINT64_C(14695981039346656037);
    tracing = 1;
    for (int i = backtrace(frames, FRAMES); i-- > 0;)
        place = (place ^ (uintptr_t)frames[i]) * UINT64_C(1099511628211);
    state->places[n] = place;
    tracing = 0;
}

/* The code of ncurses, which does not check all of its own allocations: those do not fail. */
static struct range {
    uintptr_t from, to;
} spared[8];
static size_t spared_count;

static int add_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "libncurses") && !strstr(info->dlpi_name, "libtinfo"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && spared_count < 8; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            spared[spared_count++] = (struct range){from, from + info->dlpi_phdr[i].p_memsz};
        }
    return 0;
}

static int fails(void *caller)
{
    if (!state || tracing)
        return 0;
    for (size_t i = 0; i < spared_count; i++)
        if ((uintptr_t)caller >= spared[i].from && (uintptr_t)caller < spared[i].to)
            return 0;
    uint64_t n = __atomic_add_fetch(&state->count, 1, __ATOMIC_RELAXED);
    int is_it = state->at && (n == state->at || (state->lasting && n > state->at));
    if (state->record && n < FAULT_PLACES)
        record_place(n);
    if (is_it && state->trace)
        trace();
    if (is_it)
        errno = ENOMEM;
    return is_it;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

/* Those of ncurses call these too. */
static char *copy(const char *string, size_t length)
{
    char *made = __libc_malloc(length + 1);
    if (made) {
        memcpy(made, string, length);
        made[length] = '\0';
    }
    return made;
}

char *strdup(const char *string)
{
    return fails(__builtin_return_address(0)) ? NULL : copy(string, strlen(string));
}

char *strndup(const char *string, size_t length)
{
    return fails(__builtin_return_address(0)) ? NULL : copy(string, strnlen(string, length));
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULT_STATE");
    int file = path ? open(path, O_RDWR) : -1;
    if (file >= 0) {
        void *map = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        dl_iterate_phdr(add_range, NULL);
        if (map != MAP_FAILED)
            state = map;
    }
    close(FAULT_BEGIN_FD);
}
