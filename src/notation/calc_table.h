#ifndef LANEWAY_CALC_TABLE_H
#define LANEWAY_CALC_TABLE_H

/*
 * The inside of the calculator: calc.c reads expressions, calc_literal.c the layouts written in them,
 * calc_arguments.c the arguments that a row of the table in calc_table.c wants. calc_make.c and
 * calc_ask.c compute what the rows say.
 */

#include "laneway/calc.h"
#include "notation/scan.h"

struct lw_calc_reader {
    struct lw_scan scan;
    const struct lw_calc_binding *lets;
    size_t let_count;
};

/* An argument, by the kind of its parameter. */
struct lw_calc_argument {
    bool given;
    int count; /* DIMS, SIZES, OUTS: names; COLUMNS: numbers; BASES: numbers in an image */
    union {
        const struct lw_calc_result *value; /* LAYOUT, ACTION, ANY, NUMBER, TRUTH */
        struct {
            const char *name[LW_DIMS_MAX]; /* DIM, DIMS, SIZES, OUTS */
            uint64_t size[LW_DIMS_MAX];    /* SIZES, OUTS */
            bool sized;                    /* OUTS: whether sizes were said */
        } dims;
        uint64_t point[LW_DIMS_MAX];   /* POINT: of the layout's in-dims */
        uint64_t columns[LW_BITS_MAX]; /* COLUMNS */
        struct {
            struct lw_dims in;
            uint64_t *images; /* in-bits rows of `count` numbers */
        } bases;              /* BASES */
    } as;
};

struct lw_calc_call {
    const struct lw_calc_operation *operation;
    const struct lw_calc_result *self; /* what it is of; NULL for a function */
    struct lw_calc_argument args[LW_CALC_PARAMS_MAX];
};

/* ---- calc.c ---- */

bool lw_calc_read_expression(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* "a layout", "a number" */
const char *lw_calc_kind_name(enum lw_calc_kind kind);

/* ---- calc_literal.c ---- */

/* Reads {...} or "SOURCE", the cursor at its first character. */
bool lw_calc_read_literal(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* Reads a quoted string, the cursor at its quote; its escapes are resolved. NULL and an error when it
 * has no end. */
const char *lw_calc_read_quoted(struct lw_calc_reader *reader, struct lw_place *place);

/* ---- calc_arguments.c ---- */

/* Reads `a, b)` into call->args, the cursor after the parenthesis. */
bool lw_calc_read_arguments(struct lw_calc_reader *reader, struct lw_calc_call *call);

#endif
