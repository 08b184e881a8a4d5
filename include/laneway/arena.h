#ifndef LANEWAY_ARENA_H
#define LANEWAY_ARENA_H

/*
 * An arena: memory that is given back all at once.
 *
 * What a reader makes from one text (its values, encodings, strings) lives in one arena and goes
 * when that arena goes; nothing in it is freed alone. An arena set to all zeros is empty and ready.
 * Everything is aligned for any type and set to zero.
 */

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct lw_arena_block;

struct lw_arena {
    struct lw_arena_block *blocks;
    size_t used; /* bytes handed out so far */
    size_t most; /* refuses to hand out more than this; 0: LW_ARENA_MOST */
};

/* No text that a person wrote needs more; a hostile one does not get more. */
#define LW_ARENA_MOST ((size_t)256 << 20)

/* NULL when memory is out or the arena's limit is reached. */
void *lw_arena_alloc(struct lw_arena *arena, size_t size);
/* A NUL-terminated copy of `length` bytes. */
char *lw_arena_string(struct lw_arena *arena, const char *bytes, size_t length);
void lw_arena_free(struct lw_arena *arena);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
