/* laneway, and the allocations of the program: one that fails is noted. */

#include "cli/command/commands.h"
#include "tui/tui.h"

#include <stdlib.h>

#ifndef __APPLE__ /* whose linker cannot do this */

/* The linker replaces the calls of malloc by __wrap_malloc, and so on (--wrap; see the Makefile). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *string);
char *__real_strndup(const char *string, size_t length);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *string);
char *__wrap_strndup(const char *string, size_t length);

static void *note(void *memory, size_t size)
{
    if (!memory && size)
        lw_memory_note_failure();
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return note(__real_malloc(size), size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return note(__real_calloc(count, size), count);
}

void *__wrap_realloc(void *old, size_t size)
{
    return note(__real_realloc(old, size), size);
}

char *__wrap_strdup(const char *string)
{
    return note(__real_strdup(string), 1);
}

char *__wrap_strndup(const char *string, size_t length)
{
    return note(__real_strndup(string, length), 1);
}

#endif

int main(int argc, char **argv)
{
    return lw_program_run(&lw_laneway, argc, argv);
}
