#ifndef LANEWAY_MEMORY_FAILED_H
#define LANEWAY_MEMORY_FAILED_H

/*
 * Whether an allocation has failed in this program.
 *
 * The library returns an error when memory is out, but a caller may treat the error as a result: this candidate does
 * not fit, that view has no such fact. So the program's own allocations (main.c) note a failure here, and a command in
 * which one has failed never ends with status 0 nor replaces a file.
 */

#include <stdbool.h>

/* Notes that an allocation has failed. */
void lw_memory_note_failure(void);
/* Whether one has failed since the program began, or since the last lw_memory_failure_clear. */
bool lw_memory_failed(void);
/* After the failure was reported: the explorer goes on. */
void lw_memory_failure_clear(void);

#endif
