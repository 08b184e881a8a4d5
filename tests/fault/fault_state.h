#ifndef TEST_FAULT_STATE_H
#define TEST_FAULT_STATE_H

/* What the driver and the library that it puts before the program share: a file that both have mapped. */

#include <stdint.h>

#define FAULT_PLACES 65536

struct fault_state {
    uint64_t at;     /* the allocation that fails, from 1; 0: none */
    uint64_t count;  /* allocations so far */
    int32_t lasting; /* all later ones fail too */
    int32_t trace;   /* where it failed is written to FAULT_TRACE */
    int32_t record;  /* `places` is filled in */
    /* Of each allocation, from 1, a number of the chain of calls that it is in. */
    uint64_t places[FAULT_PLACES];
};

/* close() of this descriptor marks the end of the loader's own calls. */
#define FAULT_BEGIN_FD (-77)

#endif
