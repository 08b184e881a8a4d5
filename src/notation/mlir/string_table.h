#ifndef LANEWAY_INTERN_H
#define LANEWAY_INTERN_H

/* Strings numbered in the order that they come, each once. */

#include "laneway/arena.h"

#include <stdint.h>

struct lw_intern {
    char **names; /* each its own */
    size_t count, room;
    uint32_t *slots; /* 0: free, else a number + 1 */
    size_t slot_count;
    size_t max; /* refuses more than this */
};

/* The number of a string, new ones included; SIZE_MAX: there are `max`, or memory is out. */
size_t lw_intern_add(struct lw_intern *intern, const char *name, size_t length);
/* The number of a string that is there; else SIZE_MAX. */
size_t lw_intern_find(const struct lw_intern *intern, const char *name, size_t length);
/* Forgets all of them. */
void lw_intern_clear(struct lw_intern *intern);
void lw_intern_free(struct lw_intern *intern);

#endif
