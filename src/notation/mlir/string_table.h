#ifndef LANEWAY_STRING_TABLE_H
#define LANEWAY_STRING_TABLE_H

/* Lists that grow, and distinct strings that are numbered in the order that they are added. */

#include "notation/expression/scan.h"

/* Makes room in an arena for one more in a list of `count` items of `size` bytes; `list` is the address of the pointer,
 * and `room` starts at 0. False: out of memory. */
bool lw_list_reserve(struct lw_arena *arena, void *list, size_t *room, size_t count, size_t size);

/* The table borrows its strings; it grows in the arena that they are added with. */
struct lw_intern {
    struct lw_span *names;
    size_t count, room;
    uint32_t *slots; /* 0: free, else a number + 1 */
    size_t slot_count;
};

/* The number of a string, which is added if it is new; SIZE_MAX: memory is out. */
size_t lw_intern_add(struct lw_intern *intern, struct lw_arena *arena, struct lw_span name);
/* The number of a string; SIZE_MAX: it is not in the table. */
size_t lw_intern_find(const struct lw_intern *intern, struct lw_span name);
/* Removes all strings. */
void lw_intern_clear(struct lw_intern *intern);

#endif
