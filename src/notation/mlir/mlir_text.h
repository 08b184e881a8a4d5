#ifndef LANEWAY_MLIR_TEXT_H
#define LANEWAY_MLIR_TEXT_H

/*
 * MLIR text as items: the definition of an alias, an operation, the label of a block, the end of a region.
 *
 * Each dialect has its own grammar, so the end of an operation is found by brackets and lines alone: it continues while
 * a bracket is open, when the line before ended in `,` `:` `=` or an arrow, and when the next line does not begin as an
 * operation does. The content of an operation's regions are further items: the operation itself is an item up to the
 * `{`, and the text from the `}` on is the item that ends the region.
 *
 *     %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) {      OPERATION, opens
 *       scf.yield %x : f32                                                    OPERATION
 *     } loc(#loc1)                                                            CLOSE
 */

#include "laneway/error.h"
#include "notation/mlir/string_table.h"

enum lw_mlir_item_kind {
    LW_MLIR_END,       /* of the text */
    LW_MLIR_ALIAS,     /* `#name = value` outside of all regions; `!name = type` too */
    LW_MLIR_OPERATION, /* all of it, or when `opens` its text up to the brace of a region */
    LW_MLIR_BLOCK,     /* ^bb0(%x: f32): */
    LW_MLIR_CLOSE,     /* `}` and the rest of its operation; when `opens`, up to another region */
    LW_MLIR_PROBLEM    /* text->err; reading continues after it */
};

struct lw_mlir_item {
    enum lw_mlir_item_kind kind;
    struct lw_span text;
    struct lw_position position; /* of its first byte */
    bool opens;
};

/* A text while its items are read. */
struct lw_mlir_text {
    const char *at, *end;
    const char *line_start;
    int line;
    struct lw_arena *arena;
    char *brackets; /* that are open: ( [ < { and R, a region */
    size_t depth, room, regions;
    struct lw_error err;
    bool of_brackets; /* the problem is only a bracket without its partner */
    bool failed;      /* memory is out */
};

/* Begins at a text of `length` bytes, which is borrowed, as is the arena; its first line is number `line`. */
void lw_mlir_begin(struct lw_mlir_text *text, struct lw_arena *arena, const char *from,
                   size_t length, int line);
/* Reads the next item; after LW_MLIR_END the same again. */
void lw_mlir_next(struct lw_mlir_text *text, struct lw_mlir_item *item);

/* The length of the text from the bracket at p to its partner, or to `end`; strings are skipped, an arrow is not a
 * bracket. */
size_t lw_bracketed(const char *p, const char *end);
/* The length of a name of MLIR: letters, digits, `_`, `$`, `-` and, when `dots`, `.`. */
size_t lw_mlir_name(const char *p, const char *end, bool dots);
/* The length of a string, from its quote on, to `end` when it is not closed. */
size_t lw_mlir_string(const char *p, const char *end);

#endif
