#ifndef LANEWAY_FORMULA_PARTS_H
#define LANEWAY_FORMULA_PARTS_H

/* What the files of index arithmetic share: variables, expressions and functions being written. */

#include "laneway/formula.h"

/* A variable, or a result. */
struct lw_formula_var {
    char name[LW_NAME_MAX];
    uint64_t size; /* it is below this */
};

#define LW_FORMULA_VARS (LW_DIMS_MAX + 1) /* the last may be the copy */
struct lw_formula_vars {
    int count;
    struct lw_formula_var at[LW_FORMULA_VARS];
};

void lw_formula_var(struct lw_formula_vars *vars, const char *name, uint64_t size);

/* An expression, and perhaps a value that it needs first, `raw`. */
struct lw_formula_expr {
    struct lw_text first; /* of `raw`; empty: none */
    struct lw_text text;
    int operations;
};

void lw_formula_expr_free(struct lw_formula_expr *expr);

struct lw_formula {
    struct lw_text *text;
    const struct lw_formula_language *language;
    const struct lw_map *map;
    int bits;
    bool wide;
    struct lw_formula_vars places; /* register, thread and so on, as functions name them */
    struct lw_formula_vars dims;
    uint64_t copies;
    struct lw_error *err;
};

/* "0x38", and small numbers in decimal. */
void lw_formula_number(struct lw_text *text, uint64_t number);
/* Writes a function that returns the expression, and frees that. */
void lw_formula_function(struct lw_formula *f, const char *name, const struct lw_formula_vars *vars,
                         struct lw_formula_expr *expr);
/* The dims, and the copy where there are several. */
void lw_formula_backward_vars(const struct lw_formula *f, struct lw_formula_vars *vars);

/* A linear function: bit i of the variables, one after the other, is worth column[i]. */
void lw_formula_linear(struct lw_formula_expr *expr, const struct lw_formula_vars *vars,
                       const uint64_t *columns);
/* Both directions of each kind. */
bool lw_formula_of_layout(struct lw_formula *f, const struct lw_layout *layout);
bool lw_formula_of_modes(struct lw_formula *f);
bool lw_formula_of_strides(struct lw_formula *f);
/* offset_of alone, of strided memory whose coordinates may share offsets. */
void lw_formula_of_offsets(struct lw_formula *f);
bool lw_formula_of_padding(struct lw_formula *f);
bool lw_formula_of_table(struct lw_formula *f);

/* Digits: (x / divide) % modulo * worth, summed. */
struct lw_formula_digit {
    int var;
    uint64_t divide, modulo, worth;
};
void lw_formula_sum(struct lw_formula_expr *expr, const struct lw_formula *f,
                    const struct lw_formula_vars *vars, struct lw_formula_digit *digits, int count,
                    uint64_t constant);

/* name(dim0, dim1) of its variables. */
void lw_formula_call(struct lw_text *text, const char *name, const struct lw_formula_vars *vars);

#endif
