/* Lists that grow, and numbered strings: open addressing, at most half full. */

#include "notation/mlir/string_table.h"

#include <string.h>

bool lw_list_reserve(struct lw_arena *arena, void *list, size_t *room, size_t count, size_t size)
{
    void *items;
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *grown = lw_arena_alloc(arena, more * size);
    if (!grown)
        return false;
    memcpy(&items, list, sizeof items);
    if (count)
        memcpy(grown, items, count * size);
    memcpy(list, &grown, sizeof grown);
    *room = more;
    return true;
}

/* The slot that has the string, or the free one where it belongs. */
static size_t slot_of(const struct lw_intern *intern, struct lw_span name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.at[i]) * 1099511628211u;
    size_t slot = (size_t)(hash ^ hash >> 29) & (intern->slot_count - 1);
    while (intern->slots[slot] && !lw_span_equal(intern->names[intern->slots[slot] - 1], name))
        slot = (slot + 1) & (intern->slot_count - 1);
    return slot;
}

static bool grow(struct lw_intern *intern, struct lw_arena *arena)
{
    if (!lw_list_reserve(arena, &intern->names, &intern->room, intern->count,
                         sizeof *intern->names))
        return false;
    if (intern->slot_count == 2 * intern->room)
        return true;
    uint32_t *slots = lw_arena_alloc(arena, 2 * intern->room * sizeof *slots);
    if (!slots)
        return false;
    intern->slots = slots;
    intern->slot_count = 2 * intern->room;
    for (size_t i = 0; i < intern->count; i++)
        slots[slot_of(intern, intern->names[i])] = (uint32_t)(i + 1);
    return true;
}

size_t lw_intern_find(const struct lw_intern *intern, struct lw_span name)
{
    if (!intern->count)
        return SIZE_MAX;
    uint32_t number = intern->slots[slot_of(intern, name)];
    return number ? number - 1 : SIZE_MAX;
}

size_t lw_intern_add(struct lw_intern *intern, struct lw_arena *arena, struct lw_span name)
{
    size_t number = lw_intern_find(intern, name);
    if (number != SIZE_MAX || !grow(intern, arena))
        return number;
    intern->names[intern->count] = name;
    intern->slots[slot_of(intern, name)] = (uint32_t)++intern->count;
    return intern->count - 1;
}

void lw_intern_clear(struct lw_intern *intern)
{
    if (intern->count)
        memset(intern->slots, 0, intern->slot_count * sizeof *intern->slots);
    intern->count = 0;
}
