/* Sums of digits, x / 3 % 4 * 5, and the functions of mixed-radix maps, which are such sums. */

#include "translate/formula_parts.h"

#include <stdlib.h>

/* x / divide % modulo * weight, without the operations that change nothing. Bits that stay at
 * their position need a mask only. */
static const struct lw_formula_node *digit_node(struct lw_formula *f,
                                                const struct lw_formula_vars *vars,
                                                const struct lw_formula_digit *d)
{
    const struct lw_formula_node *node = lw_formula_use(f, vars, d->var);
    bool modulo = d->divide * d->modulo < vars->at[d->var].size;
    if (modulo && d->divide == d->weight && lw_log2(d->divide) >= 0 && lw_log2(d->modulo) >= 0)
        return lw_formula_with(f, LW_FORMULA_AND, node, (d->modulo - 1) * d->divide);
    node = lw_formula_with(f, LW_FORMULA_DIVIDE, node, d->divide);
    if (modulo)
        node = lw_formula_with(f, LW_FORMULA_MODULO, node, d->modulo);
    return lw_formula_with(f, LW_FORMULA_MULTIPLY, node, d->weight);
}

/* Merges two digits where the second continues the first on both sides. */
static bool merge_two(struct lw_formula_digit *digits, int *count)
{
    for (int i = 0; i < *count; i++)
        for (int k = 0; k < *count; k++)
            if (i != k && digits[i].var == digits[k].var &&
                digits[k].divide == digits[i].divide * digits[i].modulo &&
                digits[k].weight == digits[i].weight * digits[i].modulo) {
                digits[i].modulo *= digits[k].modulo;
                digits[k] = digits[--*count];
                return true;
            }
    return false;
}

static int by_variable(const void *a, const void *b)
{
    const struct lw_formula_digit *s = a, *t = b;
    if (s->var != t->var)
        return s->var < t->var ? -1 : 1;
    return s->divide > t->divide ? -1 : s->divide < t->divide;
}

const struct lw_formula_node *lw_formula_sum(struct lw_formula *f,
                                             const struct lw_formula_vars *vars,
                                             struct lw_formula_digit *digits, int count,
                                             uint64_t constant)
{
    const struct lw_formula_node *sum = NULL;
    while (merge_two(digits, &count)) {
    }
    qsort(digits, (size_t)count, sizeof *digits, by_variable);
    for (int i = 0; i < count; i++)
        if (digits[i].weight && digits[i].modulo > 1)
            sum = lw_formula_join(f, LW_FORMULA_ADD, sum, digit_node(f, vars, &digits[i]));
    return sum ? lw_formula_with(f, LW_FORMULA_ADD, sum, constant) : lw_formula_number(f, constant);
}

const struct lw_formula_node *lw_formula_flat(struct lw_formula *f,
                                              const struct lw_formula_vars *vars)
{
    struct lw_formula_digit digits[LW_FORMULA_VARS];
    uint64_t weight = 1;
    for (int v = 0; v < vars->count; weight *= vars->at[v++].size)
        digits[v] = (struct lw_formula_digit){v, 1, vars->at[v].size, weight};
    return lw_formula_sum(f, vars, digits, vars->count, 0);
}

/* ---- Mixed radix ---- */

/* The next mode that selects a copy, in the order of the flat input. */
static const struct lw_mode *next_copy(const struct lw_map *map, const struct lw_mode *last)
{
    const struct lw_mode *next = NULL;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        bool later = !last || m->in_dim > last->in_dim ||
                     (m->in_dim == last->in_dim && m->in_stride > last->in_stride);
        bool nearer = !next || m->in_dim < next->in_dim ||
                      (m->in_dim == next->in_dim && m->in_stride < next->in_stride);
        if (m->out_dim < 0 && m->size > 1 && later && nearer)
            next = m;
    }
    return next;
}

static void add_element(struct lw_formula *f, int d)
{
    const struct lw_map *map = f->map;
    struct lw_formula_digit digits[LW_MODES_MAX];
    struct lw_formula_expr expr = {0};
    int count = 0;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (m->out_dim == d)
            digits[count++] =
                (struct lw_formula_digit){m->in_dim, m->in_stride, m->size, m->out_stride};
    }
    expr.value = lw_formula_sum(f, &f->variables, digits, count, 0);
    lw_formula_add(f, f->dims.at[d].name, "_at", LW_FORMULA_ELEMENT, d, &f->variables, &expr);
}

static void add_owner(struct lw_formula *f, int p)
{
    const struct lw_map *map = f->map;
    struct lw_formula_digit digits[2 * LW_MODES_MAX];
    struct lw_formula_vars vars;
    struct lw_formula_expr expr = {0};
    uint64_t copies = 1;
    int count = 0;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (m->in_dim == p && m->out_dim >= 0)
            digits[count++] =
                (struct lw_formula_digit){m->out_dim, m->out_stride, m->size, m->in_stride};
    }
    for (const struct lw_mode *m = NULL; (m = next_copy(map, m)); copies *= m->size)
        if (m->in_dim == p)
            digits[count++] =
                (struct lw_formula_digit){f->dims.count, copies, m->size, m->in_stride};
    lw_formula_backward_vars(f, &vars);
    expr.value = lw_formula_sum(f, &vars, digits, count, 0);
    lw_formula_add(f, f->variables.at[p].name, "_of", LW_FORMULA_OWNER, p, &vars, &expr);
}

bool lw_formula_of_modes(struct lw_formula *f, struct lw_error *err)
{
    (void)err;
    for (int d = 0; d < f->dims.count; d++)
        add_element(f, d);
    for (int p = 0; p < f->variables.count; p++)
        add_owner(f, p);
    return true;
}
