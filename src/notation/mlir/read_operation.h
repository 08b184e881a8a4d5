#ifndef LANEWAY_READ_OPERATION_H
#define LANEWAY_READ_OPERATION_H

/* One operation of MLIR text: its name, its results, the types in its signature, its location. */

#include "laneway/error.h"
#include "notation/mlir/string_table.h"

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
