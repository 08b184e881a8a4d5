#ifndef LANEWAY_CALC_TABLE_H
#define LANEWAY_CALC_TABLE_H

/*
 * The inside of the calculator: calc.c reads expressions, calc_literal.c the layouts written in them,
 * calc_arguments.c the arguments that a row of the table in calc_table.c wants. calc_make.c and
 * calc_ask.c compute what the rows say.
 */

#include "laneway/calc.h"
#include "notation/scan.h"

#define LW_CALC_VARIABLES 256
/* What an expression assigned before: A = spatial(2, 4); the last one first. */
struct lw_calc_variable {
    const char *name;
    struct lw_calc_result value;
    const struct lw_calc_variable *before;
};

struct lw_calc_reader {
    struct lw_scan scan;
    const struct lw_calc_binding *lets;
    size_t let_count;
    const struct lw_calc_variable *variables;
    size_t variable_count;
    struct lw_text *steps; /* see lw_calc_work */
    int bits;
};

/* An argument, by the kind of its parameter. */
struct lw_calc_argument {
    bool given;
    int count; /* DIMS, SIZES, OUTS: names; COLUMNS: numbers; BASES: numbers in an image */
    union {
        const struct lw_calc_result *value; /* LAYOUT, ACTION, ANY, NUMBER, TRUTH, CUTE */
        struct {
            const char *name[LW_DIMS_MAX]; /* DIM, DIMS, SIZES, OUTS */
            uint64_t size[LW_DIMS_MAX];    /* SIZES, OUTS */
            bool sized;                    /* OUTS: whether sizes were said */
        } dims;
        uint64_t point[LW_DIMS_MAX];   /* POINT: of the layout's in-dims */
        uint64_t columns[LW_BITS_MAX]; /* COLUMNS */
        struct {
            struct lw_dims in;
            uint64_t *images;       /* in-bits rows of `count` numbers */
        } bases;                    /* BASES */
        struct lw_calc_item tuple;  /* TUPLE; REST: the items */
        struct lw_cute_tiler tiler; /* TILER */
    } as;
};

struct lw_calc_call {
    const struct lw_calc_operation *operation;
    const struct lw_calc_result *self; /* what it is of; NULL for a function */
    struct lw_calc_argument args[LW_CALC_PARAMS_MAX];
    struct lw_arena *arena; /* for what is made */
    struct lw_text *steps;
    int bits; /* of an element; 0: not known */
};

/* ---- calc.c ---- */

bool lw_calc_read_expression(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* The same without methods and operators. */
bool lw_calc_read_primary(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* Whether there is a function or a method of that name; and a method of layouts of one kind. */
bool lw_calc_is_operation(const char *name);
/* A name, a number, a parenthesis: without a stride too. */
bool lw_calc_read_alone(struct lw_calc_reader *reader, struct lw_calc_result *value);

/* ---- calc_names.c ---- */

/* "a layout", "a number" */
const char *lw_calc_kind_name(enum lw_calc_kind kind);
/* The operation of that name, whose spelling may differ in underscores and capitals; NULL: none. */
const struct lw_calc_operation *lw_calc_find(enum lw_calc_on on, const char *name);
bool lw_calc_is_method(const char *name);
/* Errors at a name: no operation, nothing at all, or no operation of such a value. */
bool lw_calc_unknown_operation(struct lw_calc_reader *reader, const char *name,
                               struct lw_place place, const enum lw_calc_on *on);
bool lw_calc_unknown_name(struct lw_calc_reader *reader, const char *name, struct lw_place place);
bool lw_calc_not_of(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                    const struct lw_calc_result *self);

/* ---- read_cute.c ---- */

/* `(a, b)`, `(a)`, from its parenthesis on. */
bool lw_calc_read_group(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* `Swizzle<B,M,S>`, `Sw<B,M,S> o 0 o LAYOUT`, after its name; and whether one begins so. */
bool lw_calc_swizzle_ahead(struct lw_calc_reader *reader, const char *name);
bool lw_calc_read_swizzle(struct lw_calc_reader *reader, struct lw_place place,
                          struct lw_calc_result *value);
/* `: STRIDE` after a shape, when it is there. */
bool lw_calc_read_stride(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* `_`, `_3`; or a NUMBER that was written, with the cursor at its first digit. */
bool lw_calc_blank_name(const char *name, struct lw_place place, struct lw_calc_result *value);
/* `LayoutLeft`, `LayoutRight` and their older names, of make_layout. */
bool lw_calc_order_name(const char *name, struct lw_place place, struct lw_calc_result *value);
bool lw_calc_read_integer(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* Makes of a shape its compact layout; false, without an error, when the value is neither. */
bool lw_calc_to_cute(struct lw_calc_reader *reader, struct lw_calc_result *value);
bool lw_calc_to_tiler(struct lw_calc_reader *reader, const struct lw_calc_result *value,
                      struct lw_place place, struct lw_cute_tiler *tiler);
/* The value as an item, in the arena; false and an error when it cannot be one. */
bool lw_calc_to_item(struct lw_calc_reader *reader, const struct lw_calc_result *value,
                     struct lw_place place, struct lw_calc_item *item);
/* Reads items up to the parenthesis, which it leaves. */
bool lw_calc_read_items(struct lw_calc_reader *reader, struct lw_calc_item *tuple);
bool lw_calc_item_tuple(const struct lw_calc_item *item, struct lw_arena *arena,
                        struct lw_cute_tuple *out, struct lw_error *err);

/* ---- read_cute_cpp.c ---- */

/* Appends to a tuple; `room` is of what was allocated. */
bool lw_calc_append(struct lw_calc_reader *reader, struct lw_calc_item *tuple, size_t *room,
                    const struct lw_calc_item *item);
/* `<3:3, 4>`, from its `<` on: a tuple. */
bool lw_calc_read_tiler(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* `Int<4>{}`, `Shape<_4,_8>`, `Layout<...>{}`, after the name; and whether one begins so. */
bool lw_calc_type_ahead(struct lw_calc_reader *reader, const char *name);
bool lw_calc_read_type(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value);
/* `{}`, when it is there. */
bool lw_calc_read_braces(struct lw_calc_reader *reader);
/* `@1@0` after a number, when it is there. */
bool lw_calc_read_axis(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* An error when a number is a stride of coordinates. */
bool lw_calc_no_axis(const struct lw_calc_item *item, struct lw_error *err);
/* The layout of a shape and strides, of integers or of coordinates. */
bool lw_calc_strided(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_calc_item *stride, struct lw_cute *out);

/* The bits of a type of CUTLASS or C++, half_t; 0: not known. */
int lw_calc_cpp_bits(const char *name);

/* ---- calc_cute_at.c ---- */

/* make_layout of a list: a shape and a stride or an order, or layouts. */
bool lw_calc_make_layout(struct lw_cute_work *work, const struct lw_calc_item *list,
                         struct lw_cute *out);
/* A layout at a coordinate: its offset, or with blanks in it the layout of these modes. */
bool lw_calc_at(struct lw_cute_work *work, const struct lw_calc_item *coordinate,
                struct lw_calc_result *value);
/* Whether an operation can be done on a layout with strides of coordinates. */
bool lw_calc_coords_before(struct lw_calc_call *call, struct lw_error *err);

/* ---- read_atom.c ---- */

/* Whether a name is that of an MMA or copy atom; and its layout, with what its name says of it, the cursor
 * after the name: `.A`. */
bool lw_calc_is_atom(const char *name);
bool lw_calc_read_atom(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value);

/* ---- read_smem.c ---- */

/* Whether GMMA::Layout_K_SW128_Atom and the like comes, the cursor after its first name; and its layout. */
bool lw_calc_smem_ahead(const struct lw_calc_reader *reader, const char *name);
bool lw_calc_read_smem(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value);

/* ---- calc_tilus.c ---- */

/* Whether the text is an expression of tilus: it calls a function that makes a layout from numbers; or
 * the names in it are layouts of tilus, and functions and operators of tilus all that is done to them. */
bool lw_calc_is_tilus(const struct lw_calc_reader *reader);
/* Whether a name is that of a function which makes a layout of tilus from numbers. */
bool lw_calc_is_maker(const char *name);
/* A function of tilus, or a method of its shared layouts. */
bool lw_calc_is_tilus_function(const char *name);
/* Reads the whole of one, the cursor at its start. */
bool lw_calc_read_tilus(struct lw_calc_reader *reader, struct lw_calc_result *value);

/* ---- calc_literal.c ---- */

/* Reads a call of tilus and those that follow it, `spatial(4, 8).local(1, 2)`, the cursor after the name. */
bool lw_calc_read_made(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value);
/* Reads {...} or "SOURCE", the cursor at its first character. */
bool lw_calc_read_literal(struct lw_calc_reader *reader, struct lw_calc_result *value);
/* Reads a quoted string, the cursor at its quote; its escapes are resolved. NULL and an error when it
 * has no end. */
const char *lw_calc_read_quoted(struct lw_calc_reader *reader, struct lw_place *place);

/* ---- calc_arguments.c ---- */

/* Reads `a, b)` into call->args, the cursor after the parenthesis; `end` is the `)`, or the `>` of a
 * template. */
bool lw_calc_read_arguments(struct lw_calc_reader *reader, struct lw_calc_call *call, char end);

#endif
