/* Lists that grow, and numbered strings: open addressing, at most half full. */

#include "notation/mlir/string_table.h"

#include <stdlib.h>
#include <string.h>

bool lw_list_reserve(void *list, size_t *room, size_t count, size_t size)
{
    void *items;
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    memcpy(&items, list, sizeof items);
    void *grown = realloc(items, more * size);
    if (!grown)
        return false;
    memcpy(list, &grown, sizeof grown);
    *room = more;
    /* cppcheck-suppress memleak ; *list owns it now */
    return true;
}

static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    return hash ^ hash >> 29;
}

/* The slot that has the string, or the free one where it belongs. */
static size_t slot_of(const struct lw_intern *intern, const char *name, size_t length)
{
    size_t slot = (size_t)hash_of(name, length) & (intern->slot_count - 1);
    for (; intern->slots[slot]; slot = (slot + 1) & (intern->slot_count - 1)) {
        const char *there = intern->names[intern->slots[slot] - 1];
        if (!strncmp(there, name, length) && !there[length])
            break;
    }
    return slot;
}

static bool grow(struct lw_intern *intern)
{
    size_t room = intern->room ? 2 * intern->room : 32;
    char **names = realloc(intern->names, room * sizeof *names);
    if (!names)
        return false;
    intern->names = names;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots)
        return false;
    free(intern->slots);
    intern->room = room;
    intern->slots = slots;
    intern->slot_count = 2 * room;
    for (size_t i = 0; i < intern->count; i++)
        slots[slot_of(intern, names[i], strlen(names[i]))] = (uint32_t)(i + 1);
    return true;
}

size_t lw_intern_find(const struct lw_intern *intern, const char *name, size_t length)
{
    if (!intern->count)
        return SIZE_MAX;
    uint32_t number = intern->slots[slot_of(intern, name, length)];
    return number ? number - 1 : SIZE_MAX;
}

size_t lw_intern_add(struct lw_intern *intern, const char *name, size_t length)
{
    size_t number = lw_intern_find(intern, name, length);
    if (number != SIZE_MAX)
        return number;
    if (intern->count == intern->max)
        return SIZE_MAX;
    bool has_room = intern->count < intern->room || grow(intern);
    char *copy = has_room ? malloc(length + 1) : NULL;
    if (!copy) {
        intern->failed = true;
        return SIZE_MAX;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    intern->names[intern->count] = copy;
    intern->slots[slot_of(intern, name, length)] = (uint32_t)++intern->count;
    return intern->count - 1;
}

void lw_intern_clear(struct lw_intern *intern)
{
    for (size_t i = 0; i < intern->count; i++)
        free(intern->names[i]);
    if (intern->count)
        memset(intern->slots, 0, intern->slot_count * sizeof *intern->slots);
    intern->count = 0;
}

void lw_intern_free(struct lw_intern *intern)
{
    lw_intern_clear(intern);
    free(intern->names);
    free(intern->slots);
    intern->names = NULL;
    intern->slots = NULL;
    intern->room = intern->slot_count = 0;
}
