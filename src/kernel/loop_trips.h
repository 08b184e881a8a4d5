#ifndef LANEWAY_LOOP_TRIPS_H
#define LANEWAY_LOOP_TRIPS_H

/* How often loops run, as people type it: "16", "73=16,90=4", "K=512", "K=512,2". */

#include "laneway/kernel.h"

enum { LW_TRIPS_MAX = 64, LW_TRIPS_BYTES = 1024 };

/* What a text sets; do not copy it, as the trips point to their names in the text. */
struct lw_trips_text {
    struct lw_trips trips[LW_TRIPS_MAX];
    size_t count;
    char text[LW_TRIPS_BYTES];
};

/* Reads a text; `option` is what a message calls it, "--trips". Fails with LW_ERROR_SYNTAX. */
bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err);

#endif
