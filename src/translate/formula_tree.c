/* Expression trees of index arithmetic, and the functions that are made of them. */

#include "translate/formula_parts.h"

#include <string.h>

/* ---- Nodes ---- */

static const struct lw_formula_node dummy = {LW_FORMULA_NUMBER, 0, NULL, NULL};

const struct lw_formula_node *lw_formula_node(struct lw_formula *f, enum lw_formula_op op,
                                              uint64_t number, const struct lw_formula_node *left,
                                              const struct lw_formula_node *right)
{
    struct lw_formula_node *node = lw_arena_alloc(&f->arena, sizeof *node);
    if (!node) {
        f->failed = true;
        return &dummy;
    }
    *node = (struct lw_formula_node){op, number, left, right};
    return node;
}

const struct lw_formula_node *lw_formula_number(struct lw_formula *f, uint64_t number)
{
    return lw_formula_node(f, LW_FORMULA_NUMBER, number, NULL, NULL);
}

const struct lw_formula_node *lw_formula_raw(struct lw_formula *f)
{
    return lw_formula_node(f, LW_FORMULA_RAW, 0, NULL, NULL);
}

const struct lw_formula_node *lw_formula_use(struct lw_formula *f,
                                             const struct lw_formula_vars *vars, int i)
{
    return vars->at[i].is_raw ? lw_formula_raw(f)
                              : lw_formula_node(f, LW_FORMULA_VARIABLE, (uint64_t)i, NULL, NULL);
}

/* By a power of two, a product is a left shift, a quotient a right shift and a remainder a mask. */
const struct lw_formula_node *lw_formula_with(struct lw_formula *f, enum lw_formula_op op,
                                              const struct lw_formula_node *left, uint64_t number)
{
    int log2 = lw_log2(number);
    bool scales = op == LW_FORMULA_MULTIPLY || op == LW_FORMULA_DIVIDE;
    if (scales ? number == 1 : op != LW_FORMULA_MODULO && op != LW_FORMULA_AND && number == 0)
        return left;
    if (scales && log2 > 0) {
        op = op == LW_FORMULA_DIVIDE ? LW_FORMULA_RIGHT : LW_FORMULA_LEFT;
        number = (uint64_t)log2;
    } else if (op == LW_FORMULA_MODULO && log2 >= 0) {
        op = LW_FORMULA_AND;
        number--;
    }
    return lw_formula_node(f, op, 0, left, lw_formula_number(f, number));
}

const struct lw_formula_node *lw_formula_join(struct lw_formula *f, enum lw_formula_op op,
                                              const struct lw_formula_node *left,
                                              const struct lw_formula_node *right)
{
    return left ? lw_formula_node(f, op, 0, left, right) : right;
}

/* ---- Calls ---- */

int lw_formula_find(const struct lw_formula *f, const char *name)
{
    for (int i = 0; i < f->function_count; i++)
        if (!strcmp(f->function[i].name, name))
            return i;
    return -1;
}

const struct lw_formula_node *lw_formula_call(struct lw_formula *f, const char *name,
                                              const struct lw_formula_node *const *arguments,
                                              int count)
{
    const struct lw_formula_node *list = NULL;
    int called = lw_formula_find(f, name);
    if (called < 0) {
        f->failed = true;
        return &dummy;
    }
    for (int i = f->function[called].vars.count - 1; i >= 0; i--)
        list = lw_formula_node(f, LW_FORMULA_ARGUMENT, 0,
                               i < count ? arguments[i] : lw_formula_number(f, 0), list);
    return lw_formula_node(f, LW_FORMULA_CALL, (uint64_t)called, list, NULL);
}

const struct lw_formula_node *lw_formula_call_same(struct lw_formula *f, const char *name,
                                                   const struct lw_formula_vars *vars)
{
    const struct lw_formula_node *arguments[LW_FORMULA_VARS];
    for (int i = 0; i < vars->count; i++)
        arguments[i] = lw_formula_use(f, vars, i);
    return lw_formula_call(f, name, arguments, vars->count);
}

/* ---- Functions ---- */

void lw_formula_backward_vars(const struct lw_formula *f, struct lw_formula_vars *vars)
{
    *vars = f->dims;
    if (f->copies > 1)
        vars->at[vars->count++] = (struct lw_formula_var){"copy", f->copies, false};
}

void lw_formula_step(struct lw_formula *f, struct lw_formula_expr *expr,
                     const struct lw_formula_node *value)
{
    if (expr->steps == LW_FORMULA_STEPS)
        f->failed = true;
    else
        expr->step[expr->steps++] = value;
}

void lw_formula_settle(struct lw_formula *f, struct lw_formula_expr *expr)
{
    lw_formula_step(f, expr, expr->value ? expr->value : lw_formula_number(f, 0));
    expr->value = NULL;
}

static bool uses_raw(const struct lw_formula_node *node)
{
    return node && (node->op == LW_FORMULA_RAW || uses_raw(node->left) || uses_raw(node->right));
}

void lw_formula_add(struct lw_formula *f, const char *stem, const char *way,
                    enum lw_formula_role role, int which, const struct lw_formula_vars *vars,
                    const struct lw_formula_expr *expr)
{
    if (f->function_count == LW_FORMULA_FUNCTIONS) {
        f->failed = true;
        return;
    }
    struct lw_formula_function *function = &f->function[f->function_count++];
    snprintf(function->name, sizeof function->name, "%s%s", stem, way);
    function->role = role;
    function->which = which;
    function->vars = *vars;
    function->expr = *expr;
    if (!function->expr.value)
        function->expr.value = lw_formula_number(f, 0);
    if (!uses_raw(function->expr.value)) /* then the steps have no effect */
        function->expr.steps = 0;
}
