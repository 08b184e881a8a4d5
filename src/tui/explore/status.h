#ifndef LANEWAY_STATUS_H
#define LANEWAY_STATUS_H

/* The line of keys at the bottom of the screen, and the message above it. */

#include "laneway/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_explorer;

struct lw_status_line {
    char message[LW_MESSAGE_MAX];
    bool is_error;
    struct { /* the hints, as last drawn: a click on one works as its key */
        int col, end;
        uint32_t key;
    } hints[32];
    size_t hint_count;
};

void lw_explorer_set_message(struct lw_explorer *ex, bool bad, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
