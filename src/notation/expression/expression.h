#ifndef LANEWAY_EXPRESSION_H
#define LANEWAY_EXPRESSION_H

/*
 * Expressions: the syntax tree of what people write in tilus, CuTe (as Python and as C++ print it), Gluon,
 * Python and the calculator.
 *
 * One parser makes the tree (expression.c, which begins with the grammar). The tree has only the form. Its value is
 * computed by evaluate_value.c for plain values and layouts of tilus and Gluon, and by evaluate_calc.c for the
 * calculator. A tree lives in the arena of the cursor that it was parsed with.
 */

#include "notation/expression/scan.h"

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
    LW_NODE_POINTER,   /* make_gmem_ptr(a), which is not read */
    LW_NODE_SWIZZLED, /* Sw<3,4,3> o 0 o layout: the swizzle, the offset if there is one, the layout */
    LW_NODE_TENSOR, /* gmem_ptr[16b](0x0) o layout; ArithTuple(0,3) o layout: the tuple, the layout */
    LW_NODE_OPERATION, /* a * b + c; a == b: operands, whose labels are the operators before them */
    LW_NODE_CHAIN,     /* its first part, then the steps that follow it: */
    LW_NODE_MEMBER,    /* a step .name */
    LW_NODE_METHOD,    /* a step .name(a, b) */
    LW_NODE_AT,        /* a step (a, b) after a part that is not a name: a coordinate */
    LW_NODE_INDEX      /* a step [a, b] */
};

struct lw_node {
    enum lw_node_kind kind;
    bool plus;                   /* INTEGER: written with a `+` */
    int count;                   /* of items */
    struct lw_position position; /* of the whole node; of a step without the parts before it */
    const char *text;            /* the text of the node, `length` bytes */
    size_t length;
    int64_t integer;  /* INTEGER; TENSOR: bits */
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

#endif
