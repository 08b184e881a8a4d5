#ifndef LANEWAY_ARENA_H
#define LANEWAY_ARENA_H

/*
 * Arenas: memory that is freed all at once. What a reader makes from one text (its values,
 * encodings, strings) lives in one arena; nothing in it is freed alone. An arena set to all zeros
 * is empty and ready:
 *
 *     struct lw_arena arena = {0};
 *     char *name = lw_arena_string(&arena, "lane", 4);
 *     lw_arena_free(&arena);
 *
 * An arena is not copied while it holds memory: both copies would free the same blocks.
 */

#include "laneway/error.h"

LW_BEGIN

struct lw_arena_block; /* private */

/* An arena. Set `max` before the first allocation, or leave it 0. */
struct lw_arena {
    struct lw_arena_block *blocks;
    size_t used; /* bytes allocated so far, rounded up for alignment */
    size_t max;  /* the most bytes that it allocates; 0: LW_ARENA_MAX */
    bool full;   /* an allocation was refused because of the limit, not because memory is out */
    bool failed; /* memory ran out, here or for a text that was copied: content may be missing */
};

/* The default limit, 256 MiB: more than any text that a person wrote needs. */
#define LW_ARENA_MAX ((size_t)256 << 20)

/* `size` bytes, set to zero and aligned for any type, that live until lw_arena_free. NULL when
 * memory is out or the arena's limit would be exceeded. */
void *lw_arena_alloc(struct lw_arena *arena, size_t size);
/* A copy of `length` bytes with a NUL after them, in the arena; NULL as for lw_arena_alloc. */
char *lw_arena_string(struct lw_arena *arena, const char *bytes, size_t length);
/* Frees everything in the arena, which is then empty and ready again; its limit stays. */
void lw_arena_free(struct lw_arena *arena);
/* lw_arena_free, but keeps a block of memory for the next allocations. */
void lw_arena_clear(struct lw_arena *arena);

LW_END

#endif
