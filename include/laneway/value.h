#ifndef LANEWAY_VALUE_H
#define LANEWAY_VALUE_H

/*
 * Values: what readers make of text, whatever its notation.
 *
 * JSON, MLIR attributes and tilus calls all come down to the same trees of numbers, truths, strings,
 * lists, objects and encodings. Each value remembers its place in the text, so that a check long
 * after can still point at it. A tree lives in an arena (arena.h) and is freed with it.
 */

#include "laneway/arena.h"
#include "laneway/error.h"
#include "laneway/text.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct lw_encoding;

enum lw_value_kind {
    LW_VALUE_NONE, /* nothing was said */
    LW_VALUE_INTEGER,
    LW_VALUE_BOOLEAN,
    LW_VALUE_STRING,
    LW_VALUE_LIST,
    LW_VALUE_OBJECT,
    LW_VALUE_ENCODING
};

struct lw_value {
    enum lw_value_kind kind;
    struct lw_place place;
    int64_t integer;        /* INTEGER; BOOLEAN: 0 or 1 */
    const char *string;     /* STRING */
    size_t count;           /* LIST, OBJECT: how many items */
    struct lw_value *items; /* LIST, OBJECT */
    const char **names;     /* OBJECT: the name of each item */
    struct lw_encoding *encoding;
};

struct lw_value lw_value_integer(int64_t integer);
struct lw_value lw_value_boolean(bool truth);
/* A list of integers in the arena; kind LW_VALUE_NONE when memory is out. */
struct lw_value lw_value_integers(struct lw_arena *arena, const int64_t *items, size_t count);

bool lw_value_equal(const struct lw_value *a, const struct lw_value *b);
/* A deep copy into another arena; false when memory is out. */
bool lw_value_copy(struct lw_arena *arena, struct lw_value *out, const struct lw_value *value);
/* As people write it: 4, true, "x", [1, 4], [[0, 1], [1, 0]], {"dim0": 4}. An encoding prints in
 * its own notation. */
void lw_value_print(struct lw_text *text, const struct lw_value *value);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
