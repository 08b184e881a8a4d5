#ifndef LANEWAY_VALUE_H
#define LANEWAY_VALUE_H

/*
 * Values: what readers make of text in any notation. JSON, MLIR attributes and tilus calls become
 * the same trees of integers, booleans, strings, lists, objects and encodings:
 *
 *     order = [1, 0]        a LIST of two INTEGERs, at the position of the bracket
 *     parent = #ttg.mma     an ENCODING
 *
 * Each value has its position in the text, so that a later check can report it. A tree lives in an
 * arena (arena.h) and is freed with it; strings, items and encodings in it are borrowed from there.
 */

#include "laneway/arena.h"
#include "laneway/text.h"

LW_BEGIN

struct lw_encoding; /* encoding.h */

/* Which members of a value are set. */
enum lw_value_kind {
    LW_VALUE_NONE, /* not set */
    LW_VALUE_INTEGER,
    LW_VALUE_BOOLEAN,
    LW_VALUE_STRING,
    LW_VALUE_LIST,
    LW_VALUE_OBJECT,
    LW_VALUE_ENCODING
};

/* A value set to all zeros has the kind NONE. */
struct lw_value {
    enum lw_value_kind kind;
    struct lw_position position; /* in the text that it was read from; line 0: from no text */
    int64_t integer;             /* INTEGER; BOOLEAN: 0 or 1 */
    const char *string;          /* STRING */
    size_t count;                /* LIST, OBJECT: how many items */
    struct lw_value *items;      /* LIST, OBJECT */
    const char **names;          /* OBJECT: the name of each item */
    struct lw_encoding *encoding;
    /* An item of an OBJECT that was read from JSON: of its name. */
    struct lw_position name_position;
};

struct lw_value lw_value_integer(int64_t integer); /* an INTEGER that is from no text */
struct lw_value lw_value_boolean(bool truth);      /* a BOOLEAN that is from no text */
/* A LIST of `count` integers, copied into the arena; of kind NONE when memory is out. */
struct lw_value lw_value_integers(struct lw_arena *arena, const int64_t *items, size_t count);

/* Whether kinds and contents are equal, at any depth; positions are ignored. Items of objects
 * must be in the same order. */
bool lw_value_equal(const struct lw_value *a, const struct lw_value *b);
/* The item of that name; NULL: `object`, which may be NULL, has none, or is no object. */
struct lw_value *lw_value_member(const struct lw_value *object, const char *name);
/* A deep copy into an arena, encodings included. False when memory is out; *out is then
 * unchanged. */
bool lw_value_copy(struct lw_arena *arena, struct lw_value *out, const struct lw_value *value);
/* Appends the value as people write it: 4, true, "x", [1, 4], [[0, 1], [1, 0]], {"dim0": 4}; an
 * encoding in its own notation; nothing for NONE. */
void lw_value_print(struct lw_text *text, const struct lw_value *value);

LW_END

#endif
