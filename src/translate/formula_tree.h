#ifndef LANEWAY_FORMULA_TREE_H
#define LANEWAY_FORMULA_TREE_H

/* Index arithmetic as values: variables, expression trees and functions. formula.c makes them, formula_text.c evaluates
 * them, compares them with the map and writes them. */

#include "laneway/arena.h"
#include "laneway/formula.h"

#define LW_FORMULA_TABLE 4096  /* entries of a table at most */
#define LW_FORMULA_POINTS 4096 /* points of a map that are all checked */

struct lw_variable {
    char name[LW_NAME_MAX];
    uint64_t size; /* values are 0 to size - 1 */
};

#define LW_VARIABLES_MAX (LW_DIMS_MAX + 1) /* the last may be the copy */
struct lw_variables {
    int count;
    struct lw_variable at[LW_VARIABLES_MAX];
};

enum lw_op {
    LW_OP_NUMBER,   /* number */
    LW_OP_VARIABLE, /* parameter `number` */
    LW_OP_RAW,      /* the last value of `raw` */
    LW_OP_CALL,     /* function `number` with the arguments `left` */
    LW_OP_ARGUMENT, /* the argument `left`, then those in `right` */
    LW_OP_LOOKUP,   /* table `number` at `left` */
    LW_OP_ADD,      /* the rest: left op right */
    LW_OP_SUBTRACT,
    LW_OP_MULTIPLY,
    LW_OP_DIVIDE,
    LW_OP_MODULO,
    LW_OP_AND,
    LW_OP_OR,
    LW_OP_XOR,
    LW_OP_LEFT,
    LW_OP_RIGHT,
    LW_OP_BELOW, /* at least 0 and less than */
    LW_OP_EQUAL,
    LW_OP_BOTH /* both conditions hold */
};

struct lw_formula_node {
    enum lw_op op;
    uint64_t number;
    const struct lw_formula_node *left, *right;
};

/* The body of a function: `raw` is set to each step, one after the other. In a step `raw` has the value of the previous
 * step, in `value` that of the last one. A value that is NULL is 0. */
#define LW_STEPS_MAX 10
struct lw_formula_body {
    int steps;
    const struct lw_formula_node *step[LW_STEPS_MAX];
    const struct lw_formula_node *value;
};

/* What a function must return, to be compared with the map. */
enum lw_returns {
    LW_RETURNS_HELPER,  /* an intermediate number: not compared */
    LW_RETURNS_ELEMENT, /* index `which` of the element at a hardware index */
    LW_RETURNS_OWNER,   /* number `which` of the owner of an element */
    LW_RETURNS_BYTE,    /* the byte offset of an element */
    LW_RETURNS_HELD,    /* whether an element has an owner */
    LW_RETURNS_USED     /* whether an offset holds an element */
};

struct lw_formula_function {
    char name[LW_NAME_MAX + 8];
    enum lw_returns role;
    int which;
    struct lw_variables vars;
    struct lw_formula_body expr;
};

struct lw_lookup {
    const char *name;
    int before; /* the number of the function that it is printed before */
    uint64_t count;
    const uint64_t *entries;
};

/* Two for each dim, byte_of, is_held, is_used and two helpers. */
#define LW_FUNCTIONS_MAX (2 * LW_DIMS_MAX + 5)
struct lw_formula {
    const struct lw_map *map;
    int bits;
    bool wide;                     /* integers have 64 bits, else 32 */
    struct lw_variables variables; /* register, thread and so on, as functions name them */
    int first_dim[LW_DIMS_MAX];    /* the map's dim of each; for a thread that of its lane */
    struct lw_variables dims;
    uint64_t copies;
    bool shared; /* coordinates share offsets: there is no inverse, `why` states two of them */
    struct lw_error why;
    struct lw_strides sum; /* of memory, as a sum of strides */
    int function_count, table_count;
    struct lw_formula_function function[LW_FUNCTIONS_MAX];
    struct lw_lookup table[2];
    struct lw_arena arena;
    bool failed; /* out of memory, or over a limit above */
};

/* Makes the functions of a map, which must outlive them; NULL fails as lw_formula_print does. */
struct lw_formula *lw_formula_make(const struct lw_map *map, int bits, struct lw_error *err);
/* NULL is allowed. */
void lw_formula_free(struct lw_formula *formula);
/* Compares the functions with a map that has the dims of the map that they were made of. Fails with
 * LW_ERROR_INTERNAL, and a message with the function and the point. */
bool lw_formula_check(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const struct lw_map *map, struct lw_error *err);

#endif
