#ifndef LANEWAY_DIVIDE_H
#define LANEWAY_DIVIDE_H

/*
 * Quotients and remainders of indices. Most sizes are powers of two, and a shift costs a tenth of a division:
 * views divide for each cell of each frame.
 */

#include <stdint.h>

static inline uint64_t lw_quotient(uint64_t value, uint64_t by)
{
    return (by & (by - 1)) ? value / by : value >> __builtin_ctzll(by);
}

static inline uint64_t lw_remainder(uint64_t value, uint64_t by)
{
    return (by & (by - 1)) ? value % by : value & (by - 1);
}

#endif
