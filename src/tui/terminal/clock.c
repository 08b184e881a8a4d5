/* The time of ticks and of long work. */

#include "tui/terminal/terminal.h"

#include <time.h>

int64_t lw_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
