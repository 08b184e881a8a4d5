/* Whether an allocation has failed in this program. */

#include "tui/memory_failed.h"

#include <signal.h>

static volatile sig_atomic_t failed;

void lw_memory_note_failure(void)
{
    failed = 1;
}

bool lw_memory_failed(void)
{
    return failed;
}

void lw_memory_failure_clear(void)
{
    failed = 0;
}
