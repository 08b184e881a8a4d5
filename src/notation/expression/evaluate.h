#ifndef LANEWAY_EVALUATE_H
#define LANEWAY_EVALUATE_H

/*
 * Values of syntax trees: numbers, booleans, strings, lists, objects, and the layouts of tilus and Gluon; and what all
 * readers of values share.
 *
 * evaluate_value.c walks the tree. Calls are evaluated by call.c, which gets the arguments as values; limits and
 * helpers are in value_parts.c.
 */

#include "notation/expression/expression.h"

struct lw_variable;

/* A computation over the trees of one text. */
struct lw_evaluator {
    struct lw_scan *scan; /* the arena, the errors and the limits of the text; nothing is parsed */
    bool words;           /* a name that is no variable is a string, as in MLIR */
    struct lw_variable *variables;
    int variable_count;
    struct lw_tensor tensor; /* of the layout that was made last; rank below 1: it has none */
};

/* ---- value_parts.c ---- */

/* Appends to a list; `room` starts at 0. */
bool lw_read_append(struct lw_scan *scan, struct lw_value *list, size_t *room,
                    const struct lw_value *item);
/* Copies a value and sets its position; its encodings count against LW_NODES_MAX. */
bool lw_read_copy(struct lw_scan *scan, struct lw_position position, const struct lw_value *from,
                  struct lw_value *to);
/* The member of an object of that name, `length` bytes; NULL: it has none, or is no object. */
struct lw_value *lw_value_member(const struct lw_value *object, const char *name, size_t length);
/* Sets a parameter whose name is at `position`. */
bool lw_read_set_param(struct lw_encoding *encoding, const char *name, struct lw_position position,
                       const struct lw_value *value, struct lw_error *err);
/* Where a text is in another one. */
struct lw_origin {
    struct lw_position first; /* of its first byte */
    struct lw_position whole;
    bool
        is_exact; /* its bytes are those of the text around it; else positions in it become `whole` */
};
/* Move the positions in a text to those in the text around it; NULL: remove them, as the text will be freed. */
void lw_move_position(struct lw_position *position, const struct lw_origin *origin);
void lw_move_value(struct lw_value *value, const struct lw_origin *origin);
void lw_move_encoding(struct lw_encoding *encoding, const struct lw_origin *origin);
/* Whether the arguments of a call are the entries of a parameter, spatial(8, 4): there may be none, so its default is
 * []. */
bool lw_is_spread(const struct lw_param *param);
/* Sets such a parameter when it is not set: spatial() has shape = []. */
void lw_fill_call(struct lw_encoding *encoding);
/* A new encoding that counts against LW_NODES_MAX. */
struct lw_encoding *lw_read_new(struct lw_scan *scan, const struct lw_encoding_type *type,
                                struct lw_position position);
/* Fails when encodings are nested more than LW_NESTING_MAX deep. */
bool lw_check_nesting(const struct lw_encoding *encoding, struct lw_position position,
                      struct lw_error *err);

/* ---- read_tostring.c ---- */

/* Reads a whole text: a linear layout as Triton prints it. */
bool lw_read_tostring(struct lw_scan *scan, struct lw_encoding **encoding);

/* ---- evaluate_value.c ---- */

bool lw_evaluate(struct lw_evaluator *evaluator, const struct lw_node *node,
                 struct lw_value *value);
/* Statements up to `end`; NULL: all of them. The value is that of the last. */
bool lw_evaluate_statements(struct lw_evaluator *evaluator, const struct lw_node *first,
                            const struct lw_node *end, struct lw_value *value);
/* The layout of a value; an error when it is none. */
bool lw_value_layout(const struct lw_value *value, struct lw_encoding **encoding,
                     struct lw_error *err);

/* Parses a value at the cursor, whose bare words are strings. */
bool lw_read_value(struct lw_scan *scan, struct lw_value *value);
/* The same of a whole text: `1, 4` without brackets is a list too, and nothing is NONE. */
bool lw_read_loose_value(struct lw_scan *scan, struct lw_value *value);
/* Reads a text of JSON, whose numbers are integers, without null; every value has its position. `err` may be NULL. */
bool lw_read_json(struct lw_arena *arena, const char *text, size_t length, struct lw_value *value,
                  struct lw_error *err);
/* Parses a whole text of statements; the last is the layout. Sets the tensor, where the layout was made
 * for one. */
bool lw_read_program(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding);

/* ---- call.c ---- */

/* An argument of a call, whose value is known. */
struct lw_call_argument {
    const char *name; /* NULL: it has none */
    struct lw_position name_position;
    struct lw_value value;
};

struct lw_call_arguments {
    size_t count;
    const struct lw_call_argument *items;
};

struct lw_gluon_class;
struct lw_chooser;

/* What is called: one of the three. */
struct lw_callee {
    const char *name; /* as it was written, at `position` */
    struct lw_position position;
    const struct lw_encoding_type *type; /* a function or a method of tilus */
    const struct lw_gluon_class *class;  /* of Gluon */
    const struct lw_chooser *chooser;    /* a function that chooses a layout: names of elements are
                                            arguments of it */
};

/* Finds what a name calls; `receiver` is the x of x.name(...), or NULL. */
bool lw_callee_find(struct lw_scan *scan, const char *name, struct lw_position position,
                    const struct lw_value *receiver, struct lw_callee *callee);
/* The layout that a call makes; NULL and an error. Sets the tensor when the layout is chosen for one. */
struct lw_encoding *lw_call(struct lw_scan *scan, const struct lw_callee *found,
                            const struct lw_value *receiver,
                            const struct lw_call_arguments *arguments, struct lw_tensor *tensor);
/* `left * right` or `left / right`, the operator at `position`. */
struct lw_encoding *lw_tilus_operation(struct lw_scan *scan, char symbol,
                                       struct lw_position position, const struct lw_value *left,
                                       const struct lw_value *right);

#endif
