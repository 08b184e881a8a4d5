#ifndef LANEWAY_FORMULA_PARTS_H
#define LANEWAY_FORMULA_PARTS_H

/*
 * What the files of index arithmetic share: variables, expression trees and functions.
 *
 * formula.c chooses which functions a map has. formula_linear.c, formula_strides.c, formula_sum.c,
 * formula_padding.c and formula_table.c make the expressions of one kind of map each, from the
 * nodes of formula_tree.c. formula_write.c writes finished functions, formula_value.c evaluates
 * them and formula_check.c compares them with the map.
 */

#include "laneway/arena.h"
#include "laneway/formula.h"

/* ---- Variables ---- */

struct lw_formula_var {
    char name[LW_NAME_MAX];
    uint64_t size; /* values are 0 to size - 1 */
    bool is_raw;   /* the intermediate value `raw`, not a parameter */
};

#define LW_FORMULA_VARS (LW_DIMS_MAX + 1) /* the last may be the copy */
struct lw_formula_vars {
    int count;
    struct lw_formula_var at[LW_FORMULA_VARS];
};

/* ---- Expression trees ---- */

enum lw_formula_op {
    LW_FORMULA_NUMBER,   /* number */
    LW_FORMULA_VARIABLE, /* parameter `number` */
    LW_FORMULA_RAW,      /* the last value of `raw` */
    LW_FORMULA_CALL,     /* function `number` with the arguments `left` */
    LW_FORMULA_ARGUMENT, /* the argument `left`, then those in `right` */
    LW_FORMULA_LOOKUP,   /* table `number` at `left` */
    LW_FORMULA_ADD,      /* the rest: left op right */
    LW_FORMULA_SUBTRACT,
    LW_FORMULA_MULTIPLY,
    LW_FORMULA_DIVIDE,
    LW_FORMULA_MODULO,
    LW_FORMULA_AND,
    LW_FORMULA_OR,
    LW_FORMULA_XOR,
    LW_FORMULA_LEFT,
    LW_FORMULA_RIGHT,
    LW_FORMULA_BELOW, /* at least 0 and less than */
    LW_FORMULA_EQUAL,
    LW_FORMULA_BOTH /* both conditions hold */
};

struct lw_formula_node {
    enum lw_formula_op op;
    uint64_t number;
    const struct lw_formula_node *left, *right;
};

/* The body of a function: `raw` is set to each step, one after the other. In a step `raw` has the value of the previous
 * step, in `value` that of the last one. */
#define LW_FORMULA_STEPS 10
struct lw_formula_expr {
    int steps;
    const struct lw_formula_node *step[LW_FORMULA_STEPS];
    const struct lw_formula_node *value;
};

/* What a function must return, to be compared with the map. */
enum lw_formula_role {
    LW_FORMULA_HELPER,  /* an intermediate number: not compared */
    LW_FORMULA_ELEMENT, /* index `which` of the element at a hardware index */
    LW_FORMULA_OWNER,   /* number `which` of the owner of an element */
    LW_FORMULA_BYTE,    /* the byte offset of an element */
    LW_FORMULA_HELD,    /* whether an element has an owner */
    LW_FORMULA_USED     /* whether an offset holds an element */
};

struct lw_formula_function {
    char name[LW_NAME_MAX + 8];
    enum lw_formula_role role;
    int which;
    struct lw_formula_vars vars;
    struct lw_formula_expr expr;
};

struct lw_formula_table {
    const char *name;
    int before; /* the number of the function that it is printed before */
    uint64_t count;
    const uint64_t *entries;
};

/* Two for each dim, byte_of, is_held, is_used and two helpers. */
#define LW_FORMULA_FUNCTIONS (2 * LW_DIMS_MAX + 5)
struct lw_formula {
    const struct lw_map *map;
    int bits;
    bool wide;                        /* integers have 64 bits, else 32 */
    struct lw_formula_vars variables; /* register, thread and so on, as functions name them */
    int variable_dim[LW_DIMS_MAX];    /* the map's dim of each; for a thread that of its lane */
    struct lw_formula_vars dims;
    uint64_t copies;
    bool shared; /* coordinates share offsets: there is no inverse, `why` states two of them */
    struct lw_error why;
    int function_count, table_count;
    struct lw_formula_function function[LW_FORMULA_FUNCTIONS];
    struct lw_formula_table table[2];
    struct lw_arena arena;
    bool failed; /* out of memory, or over a limit above */
};

/* A node. When memory is out f->failed is set and the node is a constant 0. */
const struct lw_formula_node *lw_formula_node(struct lw_formula *f, enum lw_formula_op op,
                                              uint64_t number, const struct lw_formula_node *left,
                                              const struct lw_formula_node *right);
const struct lw_formula_node *lw_formula_number(struct lw_formula *f, uint64_t number);
const struct lw_formula_node *lw_formula_raw(struct lw_formula *f);
const struct lw_formula_node *lw_formula_use(struct lw_formula *f,
                                             const struct lw_formula_vars *vars, int i);
/* left op number, with the cheapest operation; `left` itself where that is the result. */
const struct lw_formula_node *lw_formula_with(struct lw_formula *f, enum lw_formula_op op,
                                              const struct lw_formula_node *left, uint64_t number);
/* left op right; `right` itself where `left` is NULL. */
const struct lw_formula_node *lw_formula_join(struct lw_formula *f, enum lw_formula_op op,
                                              const struct lw_formula_node *left,
                                              const struct lw_formula_node *right);
/* A call of the function of that name. A copy number that is not among the arguments is 0. */
const struct lw_formula_node *lw_formula_call(struct lw_formula *f, const char *name,
                                              const struct lw_formula_node *const *arguments,
                                              int count);
/* The same with the variables as arguments. */
const struct lw_formula_node *lw_formula_call_same(struct lw_formula *f, const char *name,
                                                   const struct lw_formula_vars *vars);
/* Adds the step raw = value. */
void lw_formula_step(struct lw_formula *f, struct lw_formula_expr *expr,
                     const struct lw_formula_node *value);
/* Makes the value so far the next step and clears the value. */
void lw_formula_settle(struct lw_formula *f, struct lw_formula_expr *expr);

/* ---- Functions ---- */

/* Adds the function `stem` + `way`, "dim0" and "_at". */
void lw_formula_add(struct lw_formula *f, const char *stem, const char *way,
                    enum lw_formula_role role, int which, const struct lw_formula_vars *vars,
                    const struct lw_formula_expr *expr);
/* The number of the function of that name, -1: there is none. */
int lw_formula_find(const struct lw_formula *f, const char *name);
/* The dims, and the copy where there are several. */
void lw_formula_backward_vars(const struct lw_formula *f, struct lw_formula_vars *vars);

/* A function that is linear over F2: bit i of the variables, concatenated, contributes column[i].
 * */
void lw_formula_linear(struct lw_formula *f, struct lw_formula_expr *expr,
                       const struct lw_formula_vars *vars, const uint64_t *columns);

/* A digit: x / divide % modulo * weight. */
struct lw_formula_digit {
    int var;
    uint64_t divide, modulo, weight;
};
const struct lw_formula_node *lw_formula_sum(struct lw_formula *f,
                                             const struct lw_formula_vars *vars,
                                             struct lw_formula_digit *digits, int count,
                                             uint64_t constant);
/* A point as one number, the first variable fastest. */
const struct lw_formula_node *lw_formula_flat(struct lw_formula *f,
                                              const struct lw_formula_vars *vars);
/* Digit i of x, a sum of strides where each stride is greater than the maximum sum of all shorter
 * ones. */
const struct lw_formula_node *lw_formula_quotient(struct lw_formula *f,
                                                  const struct lw_formula_node *x,
                                                  const struct lw_strides *sum, int i);

/* The functions of each kind of map, in both directions. */
bool lw_formula_of_layout(struct lw_formula *f, const struct lw_layout *layout,
                          struct lw_error *err);
bool lw_formula_of_modes(struct lw_formula *f, struct lw_error *err);
bool lw_formula_of_strides(struct lw_formula *f, struct lw_error *err);
bool lw_formula_of_padding(struct lw_formula *f, struct lw_error *err);
bool lw_formula_of_table(struct lw_formula *f, struct lw_error *err);
/* Adds is_used after these functions; it looks up whether an offset holds an element. */
void lw_formula_table_used(struct lw_formula *f);
/* Whether the digits of a strided map can be found by division. */
bool lw_formula_has_digits(const struct lw_map *map);
/* offset_of alone, of strided memory whose coordinates may share offsets. */
void lw_formula_of_offsets(struct lw_formula *f);

/* ---- Of finished functions ---- */

/* Evaluates a function; false when it has no value. */
bool lw_formula_evaluate(const struct lw_formula *f, const struct lw_formula_language *language,
                         const struct lw_formula_function *function, const uint64_t *arguments,
                         uint64_t *value);
/* Appends an expression in the syntax of the language. */
void lw_formula_write_node(struct lw_text *text, const struct lw_formula *f,
                           const struct lw_formula_language *language,
                           const struct lw_formula_vars *vars, const struct lw_formula_node *node);
/* Appends all functions and tables. */
void lw_formula_write(struct lw_text *text, const struct lw_formula *f,
                      const struct lw_formula_language *language, const char *title);

#endif
