#ifndef LANEWAY_EXPRESSION_H
#define LANEWAY_EXPRESSION_H

/*
 * Expressions: the syntax tree of what people write in tilus, CuTe (as Python and as C++ print it), Gluon, Python and
 * the calculator. One parser makes the tree (expression.c, which begins with the grammar), which has only the form and
 * lives in the arena of the cursor that it was parsed with.
 *
 * Values of trees: evaluate_value.c computes plain values and layouts of tilus and Gluon, whose calls are evaluated by
 * call.c; the calculator computes the others. Limits and helpers of all readers are in value_parts.c.
 */

#include "notation/expression/scan.h"

/* ---- expression.c ---- */

enum lw_node_kind {
    LW_NODE_INTEGER,   /* 4, -4 */
    LW_NODE_STRING,    /* "text" */
    LW_NODE_NAME,      /* x, _, _3, true, None, GMMA::Layout, Shape<_4, _8>{} */
    LW_NODE_ATTRIBUTE, /* #ttg.blocked<{...}> */
    LW_NODE_LIST,      /* [a, b] */
    LW_NODE_TUPLE,     /* (a, b), (a,), () */
    LW_NODE_GROUP,     /* (a) */
    LW_NODE_OBJECT,    /* {name: a, name = b}, or a document in JSON */
    LW_NODE_TILER,     /* <a, b> */
    LW_NODE_CALL,      /* name(a, name = b) */
    LW_NODE_AXIS,      /* 2@1@0: the number, then each axis */
    LW_NODE_STRIDE,    /* shape:stride; of MLIR also 4:+2 */
    LW_NODE_POINTER,   /* make_gmem_ptr(a), gmem_ptr[16b](0x0), of which only the bits are read */
    LW_NODE_OPERATION, /* a * b + c; a == b: operands, whose labels are the operators before them */
    LW_NODE_CHAIN,     /* its first part, then the steps that follow it: */
    LW_NODE_MEMBER,    /* a step .name */
    LW_NODE_METHOD,    /* a step .name(a, b) */
    LW_NODE_AT,        /* a step (a, b) after a part that is not a name: a coordinate */
    LW_NODE_INDEX      /* a step [a, b] */
};

struct lw_node {
    enum lw_node_kind kind;
    bool plus, fixed;            /* INTEGER: written with a `+`; as CuTe's static 16_c */
    int count;                   /* of items */
    struct lw_position position; /* of the whole node; of a step without the parts before it */
    const char *text;            /* the text of the node, `length` bytes */
    size_t length;
    int64_t integer;  /* INTEGER; POINTER: bits */
    const char *name; /* NAME, CALL, MEMBER, METHOD; STRING: the text between the quotes */
    struct lw_position name_position;
    const struct lw_node *angles; /* NAME, CALL: a TILER of the template arguments; NULL: none */
    struct lw_node *items; /* parts, operands or arguments, each with the next one in `next` */
    struct lw_node *next;
    /* The text before an item: the name of an argument, of an item of an object or of the variable that a statement
     * sets; the operator of an operand; NULL: none. */
    const char *label;
    struct lw_position label_position;
    struct lw_encoding *encoding; /* ATTRIBUTE */
};

/* The most nodes of one text. */
#define LW_EXPRESSION_MOST ((size_t)1 << 18)

/* Parses one expression and moves the cursor past it; NULL and an error. */
struct lw_node *lw_expression_parse(struct lw_scan *scan);
/* Parses a whole text, a list of statements, at least one, whose labels are the variables that they set. */
struct lw_node *lw_expression_parse_program(struct lw_scan *scan);

/* Whether a name is that of a swizzle: Sw<3,4,3>, Swizzle<3,4,3>, S<3,4,3>. */
bool lw_node_is_swizzle(const struct lw_node *node);
/* The last of its items. */
const struct lw_node *lw_node_last(const struct lw_node *node);
/* The position after a node, for errors about something that is missing there. */
struct lw_position lw_node_end(const struct lw_node *node);

/* An error at a node: that was expected and this was found. Returns false. */
bool lw_node_unexpected(const struct lw_node *node, const char *expected, struct lw_error *err);

/* ---- Values ---- */

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
/* Sets a parameter whose name is at `position`. */
bool lw_read_set_param(struct lw_encoding *encoding, const char *name, struct lw_position position,
                       const struct lw_value *value, struct lw_error *err);
/* Where a text is in another one. */
struct lw_origin {
    struct lw_position first; /* of its first byte */
    struct lw_position whole;
    /* Its bytes are those of the text around it; else positions in it become `whole`. */
    bool is_exact;
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
