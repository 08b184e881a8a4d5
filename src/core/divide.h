#ifndef LANEWAY_DIVIDE_H
#define LANEWAY_DIVIDE_H

/*
 * Products, quotients, remainders and divisors. Most sizes are powers of two, and a shift costs a tenth of a division:
 * views divide for each cell of each frame.
 */

#include <stdint.h>

/* a * b, at most UINT64_MAX. */
static inline uint64_t lw_bounded_product(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static inline uint64_t lw_quotient(uint64_t value, uint64_t by)
{
    return (by & (by - 1)) ? value / by : value >> __builtin_ctzll(by);
}

static inline uint64_t lw_remainder(uint64_t value, uint64_t by)
{
    return (by & (by - 1)) ? value % by : value & (by - 1);
}

/* The greatest common divisor of two positive numbers. */
static inline int64_t lw_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
