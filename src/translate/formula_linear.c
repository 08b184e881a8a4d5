/*
 * Linear functions as shifts, masks and xors. A term is the bits of one variable that move by one
 * distance. Invariant: a function has one term for each variable and distance, so no two terms
 * can be merged.
 */

#include "translate/formula_parts.h"

#include <string.h>

struct term {
    int var;
    int shift; /* to the left, below 0: to the right */
    uint64_t mask;
};

/* Terms beyond the last are left out, and the check of the function then fails. */
struct terms {
    int count;
    bool overlap; /* two of them share an output bit */
    struct term at[2 * LW_BITS_MAX * LW_BITS_MAX / 8];
};

#define TERMS_MAX (2 * LW_BITS_MAX * LW_BITS_MAX / 8)

static int bits_of(const struct lw_formula_var *var)
{
    return lw_log2(var->size);
}

static uint64_t moved(uint64_t bits, int shift)
{
    return shift >= 0 ? bits << shift : bits >> -shift;
}

/* Whether the other bits must be masked out. Bits that the shift drops need no mask. */
static bool needs_mask(const struct lw_formula_var *var, const struct term *t)
{
    return moved(lw_f2_mask(bits_of(var)), t->shift) != moved(t->mask, t->shift);
}

/* rows[j]: the input bits whose xor is output bit j. */
static void terms_of(struct terms *terms, const struct lw_formula_vars *vars, const uint64_t *rows)
{
    uint64_t used = 0;
    terms->count = 0;
    terms->overlap = false;
    for (int v = 0, at = 0; v < vars->count; at += bits_of(&vars->at[v++]))
        for (int shift = LW_BITS_MAX - 1; shift > -LW_BITS_MAX; shift--) {
            struct term t = {v, shift, 0};
            for (int i = 0; i < bits_of(&vars->at[v]); i++)
                if (i + shift >= 0 && i + shift < LW_BITS_MAX && rows[i + shift] >> (at + i) & 1)
                    t.mask |= (uint64_t)1 << i;
            if (!t.mask || terms->count == TERMS_MAX)
                continue;
            terms->overlap = terms->overlap || (used & moved(t.mask, shift));
            used |= moved(t.mask, shift);
            terms->at[terms->count++] = t;
        }
}

static int cost_of(const struct terms *terms, const struct lw_formula_vars *vars)
{
    int cost = terms->count ? terms->count - 1 : 0;
    for (int i = 0; i < terms->count; i++)
        cost += (terms->at[i].shift != 0) + needs_mask(&vars->at[terms->at[i].var], &terms->at[i]);
    return cost;
}

static const struct lw_formula_node *
term_node(struct lw_formula *f, const struct lw_formula_vars *vars, const struct term *t)
{
    const struct lw_formula_node *node = lw_formula_use(f, vars, t->var);
    bool right = t->shift < 0;
    if (right)
        node = lw_formula_with(f, LW_FORMULA_RIGHT, node, (uint64_t)-t->shift);
    if (needs_mask(&vars->at[t->var], t))
        node = lw_formula_with(f, LW_FORMULA_AND, node, right ? moved(t->mask, t->shift) : t->mask);
    return right ? node : lw_formula_with(f, LW_FORMULA_LEFT, node, (uint64_t)t->shift);
}

/* NULL when there are no terms. */
static const struct lw_formula_node *terms_node(struct lw_formula *f, const struct terms *terms,
                                                const struct lw_formula_vars *vars)
{
    const struct lw_formula_node *node = NULL;
    enum lw_formula_op op = terms->overlap ? LW_FORMULA_XOR : LW_FORMULA_OR;
    for (int i = 0; i < terms->count; i++)
        node = lw_formula_join(f, op, node, term_node(f, vars, &terms->at[i]));
    return node;
}

/* ---- Swizzles of the result ---- */

/* Computes the rows of o where y = o ^ (o >> shift & mask), with a mask of the output bits whose rows become shorter.
 * Returns the mask. */
static uint64_t unswizzle(const uint64_t *rows, int shift, uint64_t *out)
{
    uint64_t mask = 0;
    memcpy(out, rows, LW_BITS_MAX * sizeof *out);
    for (int i = 0; i < LW_BITS_MAX; i++) {
        int j = shift > 0 ? LW_BITS_MAX - 1 - i : i, from = j + shift;
        if (from < 0 || from >= LW_BITS_MAX || !out[from] ||
            __builtin_popcountll(rows[j] ^ out[from]) >= __builtin_popcountll(rows[j]))
            continue;
        out[j] = rows[j] ^ out[from];
        mask |= (uint64_t)1 << j;
    }
    return mask;
}

/* Whether the shift drops every bit that the mask would clear. */
static bool keeps_all(const uint64_t *rows, int shift, uint64_t mask)
{
    uint64_t there = 0;
    for (int j = 0; j < LW_BITS_MAX; j++)
        there |= rows[j] ? (uint64_t)1 << j : 0;
    return shift > 0 && (there >> shift) == mask;
}

struct swizzle {
    int shift; /* 0: none */
    uint64_t mask;
    bool bare; /* no mask is needed */
};

/* Chooses the cheapest form; its terms are left in `best`. */
static struct swizzle choose(const struct lw_formula_vars *vars, const uint64_t *rows,
                             struct terms *best, struct terms *scratch, int *cost)
{
    struct swizzle chosen = {0, 0, false};
    uint64_t plain[LW_BITS_MAX];
    terms_of(best, vars, rows);
    *cost = cost_of(best, vars);
    for (int shift = 1 - LW_BITS_MAX; shift < LW_BITS_MAX && best->overlap && *cost > 4; shift++) {
        uint64_t mask = shift ? unswizzle(rows, shift, plain) : 0;
        if (!mask)
            continue;
        terms_of(scratch, vars, plain);
        bool all = keeps_all(plain, shift, mask);
        int now = cost_of(scratch, vars) + 3 - all;
        if (now >= *cost)
            continue;
        *cost = now;
        chosen = (struct swizzle){shift, mask, all};
        *best = *scratch;
    }
    return chosen;
}

void lw_formula_linear(struct lw_formula *f, struct lw_formula_expr *expr,
                       const struct lw_formula_vars *vars, const uint64_t *columns)
{
    struct terms best, scratch;
    uint64_t rows[LW_BITS_MAX] = {0};
    int bits = 0, cost;
    for (int v = 0; v < vars->count; v++)
        bits += bits_of(&vars->at[v]);
    for (int i = 0; i < bits; i++)
        for (int j = 0; j < LW_BITS_MAX; j++)
            rows[j] |= (columns[i] >> j & 1) << i;
    struct swizzle swizzle = choose(vars, rows, &best, &scratch, &cost);
    expr->value = terms_node(f, &best, vars);
    if (!swizzle.shift)
        return;
    lw_formula_settle(f, expr);
    bool right = swizzle.shift > 0;
    const struct lw_formula_node *part =
        lw_formula_with(f, right ? LW_FORMULA_RIGHT : LW_FORMULA_LEFT, lw_formula_raw(f),
                        (uint64_t)(right ? swizzle.shift : -swizzle.shift));
    if (!swizzle.bare)
        part = lw_formula_with(f, LW_FORMULA_AND, part, swizzle.mask);
    expr->value = lw_formula_join(f, LW_FORMULA_XOR, lw_formula_raw(f), part);
}

/* ---- A layout ---- */

/* Adds a function for one number: its bits of each column. */
static void add_function(struct lw_formula *f, const char *way, enum lw_formula_role role,
                         int which, const struct lw_formula_vars *vars, const uint64_t *columns,
                         int shift)
{
    bool forward = role == LW_FORMULA_ELEMENT;
    const struct lw_formula_var *var = forward ? &f->dims.at[which] : &f->variables.at[which];
    uint64_t cut[LW_BITS_MAX * 2];
    struct lw_formula_expr expr = {0};
    int bits = 0;
    for (int v = 0; v < vars->count; v++)
        bits += bits_of(&vars->at[v]);
    for (int i = 0; i < bits; i++)
        cut[i] = bits_of(var) ? columns[i] >> shift & lw_f2_mask(bits_of(var)) : 0;
    lw_formula_linear(f, &expr, vars, cut);
    lw_formula_add(f, var->name, way, role, which, vars, &expr);
}

bool lw_formula_of_layout(struct lw_formula *f, const struct lw_layout *layout,
                          struct lw_error *err)
{
    struct lw_solver solver;
    struct lw_formula_vars vars;
    uint64_t columns[2 * LW_BITS_MAX] = {0};
    int rows = lw_layout_out_bits(layout);
    lw_solver_init(&solver, layout->basis, lw_layout_in_bits(layout));
    if (solver.nullity + rows > LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "an element has 2^%d copies: too many to count",
                            solver.nullity);
    for (int d = 0; d < f->dims.count; d++)
        add_function(f, "_at", LW_FORMULA_ELEMENT, d, &f->variables, layout->basis,
                     lw_layout_out_shift(layout, d));
    for (int j = 0; j < rows; j++)
        columns[j] = solver.leading >> j & 1 ? solver.combination[j] : 0;
    memcpy(columns + rows, solver.null_space, (size_t)solver.nullity * sizeof *columns);
    lw_formula_backward_vars(f, &vars);
    for (int p = 0, shift = 0; p < f->variables.count; shift += bits_of(&f->variables.at[p++]))
        add_function(f, "_of", LW_FORMULA_OWNER, p, &vars, columns, shift);
    return true;
}
