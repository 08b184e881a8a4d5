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

#include "notation/expression/scan.h"

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
    struct lw_scan scan;
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
/* The length of a string, from its quote on, of any kind, to `end` when it is not closed. */
size_t lw_mlir_string(const char *p, const char *end);

/* ---- Lists, and distinct strings that are numbered in the order that they are added ---- */

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

/* ---- One operation: its name, its results, the types in its signature, its location ---- */

enum lw_type_role {
    LW_TYPE_OPERAND,
    LW_TYPE_RESULT,  /* after an arrow, or `to` */
    LW_TYPE_ARGUMENT /* in `(%x: type)`: of a function, a block */
};

struct lw_type_span {
    struct lw_span span;
    enum lw_type_role where;
    struct lw_span value; /* LW_TYPE_ARGUMENT: its name */
};

struct lw_operation_text {
    struct lw_span name;
    struct lw_span results;     /* `%a, %b:2`; empty when there are none */
    struct lw_span body;        /* after the name */
    struct lw_span loc;         /* inside of loc(...) */
    struct lw_span symbol;      /* the first @name, without its @ */
    struct lw_type_span *types; /* in the arena, which the next operation uses again */
    size_t type_count, type_room;
};

/* Reads the text of an operation, or with `block` that of a block's label. Regions are `{}`. Fails on text that is not
 * an operation, with the types that were found before it failed, and with LW_ERROR_MEMORY. Positions count from
 * `position`. */
bool lw_operation_parse(struct lw_operation_text *op, struct lw_arena *arena, struct lw_span text,
                        bool block, struct lw_position position, struct lw_error *err);

/* The next name of a value in a text, `%acc_50`, from *at on; empty: none. *number is the number after a `#`, or the
 * count after a `:`; else -1. */
struct lw_span lw_next_value(const char **at, const char *end, int64_t *number);
/* Whether an operation is a loop. */
bool lw_operation_is_loop(const struct lw_operation_text *op);

#endif
