/* An arena as a list of blocks, newest first; the newest has the free room. */

#include "laneway/arena.h"

#include "core/text_mark.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the first block, and the most that a later one has: each is twice as large as the one before it. A larger
 * block is made for one allocation that needs it, and lw_arena_clear does not keep it. */
#ifndef LW_ARENA_BLOCK
#define LW_ARENA_BLOCK 4096
#endif
#ifndef LW_ARENA_KEPT
#define LW_ARENA_KEPT 65536
#endif

struct lw_arena_block {
    struct lw_arena_block *next;
    size_t size, used;
    max_align_t data[];
};

void *lw_arena_alloc(struct lw_arena *arena, size_t size)
{
    size_t max = arena->max ? arena->max : LW_ARENA_MAX;
    size_t rounded = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (rounded < size || rounded > max - arena->used) {
        arena->full = true;
        return NULL;
    }
    struct lw_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < rounded) {
        size_t room = block ? 2 * block->size : LW_ARENA_BLOCK;
        room = room > LW_ARENA_KEPT ? LW_ARENA_KEPT : room;
        room = rounded > room ? rounded : room;
        block = malloc(sizeof *block + room);
        if (!block) {
            arena->failed = true;
            return NULL;
        }
        block->size = room;
        block->used = 0;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *p = (char *)block->data + block->used;
    block->used += rounded;
    arena->used += rounded;
    return memset(p, 0, rounded);
}

char *lw_arena_string(struct lw_arena *arena, const char *bytes, size_t length)
{
    bool is_mark = lw_text_is_mark(bytes);
    char *copy = is_mark ? NULL : lw_arena_alloc(arena, length + 1);
    arena->failed = arena->failed || is_mark;
    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}

void lw_arena_clear(struct lw_arena *arena)
{
    struct lw_arena_block *kept = arena->blocks;
    if (!kept || kept->size > LW_ARENA_KEPT) {
        lw_arena_free(arena);
        return;
    }
    arena->blocks = kept->next;
    lw_arena_free(arena);
    kept->used = 0;
    kept->next = NULL;
    arena->blocks = kept;
}

void lw_arena_free(struct lw_arena *arena)
{
    for (struct lw_arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena->blocks = NULL;
    arena->used = 0;
    arena->full = arena->failed = false;
}
