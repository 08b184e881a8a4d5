/*
 * Index arithmetic: a layout as functions. A function is an expression tree, made in the form that its kind of map has:
 * shifts and masks of a linear layout, sums of digits, sums of strides, or a table. The same tree is evaluated,
 * compared with the map, and written.
 */

#include "translate/formula_tree.h"
#include "core/map_kinds.h"
#include "translate/translate_parts.h"

#include <stdlib.h>
#include <string.h>

/* A node. When memory is out f->failed is set and the node is a constant 0. */
static const struct lw_formula_node *make_node(struct lw_formula *f, enum lw_op op, uint64_t number,
                                               const struct lw_formula_node *left,
                                               const struct lw_formula_node *right)
{
    static const struct lw_formula_node zero = {LW_OP_NUMBER, 0, NULL, NULL};
    struct lw_formula_node *node = lw_arena_alloc(&f->arena, sizeof *node);
    f->failed = f->failed || !node;
    if (!node)
        return &zero;
    *node = (struct lw_formula_node){op, number, left, right};
    return node;
}

static const struct lw_formula_node *number_node(struct lw_formula *f, uint64_t number)
{
    return make_node(f, LW_OP_NUMBER, number, NULL, NULL);
}

static const struct lw_formula_node *raw(struct lw_formula *f)
{
    return make_node(f, LW_OP_RAW, 0, NULL, NULL);
}

static const struct lw_formula_node *use(struct lw_formula *f, int i)
{
    return make_node(f, LW_OP_VARIABLE, (uint64_t)i, NULL, NULL);
}

/* left op number, with the cheapest operation; `left` itself where that is the result. By a power of two, a product is
 * a left shift, a quotient a right shift and a remainder a mask. */
static const struct lw_formula_node *with(struct lw_formula *f, enum lw_op op,
                                          const struct lw_formula_node *left, uint64_t number)
{
    int log2 = lw_log2(number);
    bool scales = op == LW_OP_MULTIPLY || op == LW_OP_DIVIDE;
    if (scales ? number == 1 : op != LW_OP_MODULO && op != LW_OP_AND && number == 0)
        return left;
    if (scales && log2 > 0) {
        op = op == LW_OP_DIVIDE ? LW_OP_RIGHT : LW_OP_LEFT;
        number = (uint64_t)log2;
    } else if (op == LW_OP_MODULO && log2 >= 0) {
        op = LW_OP_AND;
        number--;
    }
    return make_node(f, op, 0, left, number_node(f, number));
}

/* left op right; `right` itself where `left` is NULL. */
static const struct lw_formula_node *join(struct lw_formula *f, enum lw_op op,
                                          const struct lw_formula_node *left,
                                          const struct lw_formula_node *right)
{
    return left ? make_node(f, op, 0, left, right) : right;
}

/* A call of the function `stem` + `way`. A copy number that is not among the arguments is 0. */
static const struct lw_formula_node *call(struct lw_formula *f, const char *stem, const char *way,
                                          const struct lw_formula_node *const *arguments, int count)
{
    char name[LW_NAME_MAX + 8];
    const struct lw_formula_node *list = NULL;
    snprintf(name, sizeof name, "%s%s", stem, way);
    int called = f->function_count - 1;
    while (called >= 0 && strcmp(f->function[called].name, name) != 0)
        called--;
    f->failed = f->failed || called < 0;
    for (int i = called < 0 ? -1 : f->function[called].vars.count - 1; i >= 0; i--)
        list = make_node(f, LW_OP_ARGUMENT, 0, i < count ? arguments[i] : number_node(f, 0), list);
    return called < 0 ? number_node(f, 0) : make_node(f, LW_OP_CALL, (uint64_t)called, list, NULL);
}

/* The same with the variables as arguments. */
static const struct lw_formula_node *call_same(struct lw_formula *f, const char *stem,
                                               const char *way, const struct lw_variables *vars)
{
    const struct lw_formula_node *arguments[LW_VARIABLES_MAX];
    for (int i = 0; i < vars->count; i++)
        arguments[i] = use(f, i);
    return call(f, stem, way, arguments, vars->count);
}

/* Adds the step raw = value, which is then used as `raw`. */
static void settle(struct lw_formula *f, struct lw_formula_body *expr,
                   const struct lw_formula_node *value)
{
    f->failed = f->failed || expr->steps == LW_STEPS_MAX;
    if (expr->steps < LW_STEPS_MAX)
        expr->step[expr->steps++] = value ? value : number_node(f, 0);
    expr->value = NULL;
}

static bool uses_raw(const struct lw_formula_node *node)
{
    return node && (node->op == LW_OP_RAW || uses_raw(node->left) || uses_raw(node->right));
}

/* Adds the function `stem` + `way`: "dim0" and "_at". */
static void add(struct lw_formula *f, const char *stem, const char *way, enum lw_returns role,
                int which, const struct lw_variables *vars, const struct lw_formula_body *expr)
{
    f->failed = f->failed || f->function_count == LW_FUNCTIONS_MAX;
    if (f->function_count == LW_FUNCTIONS_MAX)
        return;
    struct lw_formula_function *function = &f->function[f->function_count++];
    snprintf(function->name, sizeof function->name, "%s%s", stem, way);
    function->role = role;
    function->which = which;
    function->vars = *vars;
    function->expr = *expr;
    if (!expr->value)
        function->expr.value = number_node(f, 0);
    if (!uses_raw(expr->value)) /* then the steps have no effect */
        function->expr.steps = 0;
}

/* The dims, and the copy where there are several. */
static struct lw_variables with_copy(const struct lw_formula *f)
{
    struct lw_variables vars = f->dims;
    if (f->copies > 1)
        vars.at[vars.count++] = (struct lw_variable){"copy", f->copies};
    return vars;
}

/* ---- Linear layouts: shifts, masks and xors ----
 * A term is the bits of one variable that move by one distance. Invariant: a function has one term for each variable
 * and distance, so no two terms can be merged. */

struct term {
    int var;
    int shift; /* to the left, below 0: to the right */
    uint64_t mask;
};

/* Terms beyond the last are left out, and the check of the function then fails. */
#define TERMS_MAX (2 * LW_BITS_MAX * LW_BITS_MAX / 8)
struct terms {
    int count;
    bool overlap; /* two of them share an output bit */
    struct term at[TERMS_MAX];
};

static int bits_of(const struct lw_variables *vars)
{
    int bits = 0;
    for (int v = 0; v < vars->count; v++)
        bits += lw_log2(vars->at[v].size);
    return bits;
}

/* To the left, and below 0 to the right. */
static uint64_t moved(uint64_t bits, int shift)
{
    int by = shift < 0 ? -shift : shift;
    return by >= LW_BITS_MAX ? 0 : shift < 0 ? bits >> by : bits << by;
}

/* Whether the other bits must be masked out. Bits that the shift drops need no mask. */
static bool needs_mask(const struct lw_variables *vars, const struct term *t)
{
    return moved(vars->at[t->var].size - 1, t->shift) != moved(t->mask, t->shift);
}

/* rows[j]: the input bits whose xor is output bit j. Returns the operations that the terms cost. */
static int terms_of(struct terms *terms, const struct lw_variables *vars, const uint64_t *rows)
{
    uint64_t used = 0;
    int cost = 0;
    terms->count = 0;
    terms->overlap = false;
    for (int v = 0, at = 0; v < vars->count; at += lw_log2(vars->at[v++].size))
        for (int shift = LW_BITS_MAX - 1; shift > -LW_BITS_MAX; shift--) {
            struct term t = {v, shift, 0};
            for (int i = 0; i < lw_log2(vars->at[v].size); i++)
                if (i + shift >= 0 && i + shift < LW_BITS_MAX && rows[i + shift] >> (at + i) & 1)
                    t.mask |= (uint64_t)1 << i;
            if (!t.mask || terms->count == TERMS_MAX)
                continue;
            terms->overlap = terms->overlap || (used & moved(t.mask, shift));
            used |= moved(t.mask, shift);
            cost += (terms->count > 0) + (shift != 0) + needs_mask(vars, &t);
            terms->at[terms->count++] = t;
        }
    return cost;
}

/* NULL when there are no terms. */
static const struct lw_formula_node *terms_node(struct lw_formula *f, const struct terms *terms,
                                                const struct lw_variables *vars)
{
    const struct lw_formula_node *sum = NULL;
    for (int i = 0; i < terms->count; i++) {
        const struct term *t = &terms->at[i];
        const struct lw_formula_node *node = use(f, t->var);
        bool right = t->shift < 0;
        if (right)
            node = with(f, LW_OP_RIGHT, node, (uint64_t)-t->shift);
        if (needs_mask(vars, t))
            node = with(f, LW_OP_AND, node, right ? moved(t->mask, t->shift) : t->mask);
        if (!right)
            node = with(f, LW_OP_LEFT, node, (uint64_t)t->shift);
        sum = join(f, terms->overlap ? LW_OP_XOR : LW_OP_OR, sum, node);
    }
    return sum;
}

/* A swizzle: x ^ (x >> distance & mask), below 0 to the left; mask 0: none. */
struct swizzle {
    int distance;
    uint64_t mask;
};

static const struct lw_formula_node *swizzled(struct lw_formula *f, const struct lw_formula_node *x,
                                              struct swizzle swizzle, bool bare)
{
    bool left = swizzle.distance < 0;
    const struct lw_formula_node *part =
        with(f, left ? LW_OP_LEFT : LW_OP_RIGHT, x,
             (uint64_t)(left ? -swizzle.distance : swizzle.distance));
    return join(f, LW_OP_XOR, x, bare ? part : with(f, LW_OP_AND, part, swizzle.mask));
}

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

/* A function that is linear over F2: bit i of the variables, concatenated, contributes column[i]. Of the terms and all
 * swizzles of fewer terms the cheapest form is taken. */
static void linear(struct lw_formula *f, struct lw_formula_body *expr,
                   const struct lw_variables *vars, const uint64_t *columns)
{
    struct terms best, other;
    uint64_t rows[LW_BITS_MAX] = {0}, plain[LW_BITS_MAX];
    struct swizzle chosen = {0, 0};
    bool bare = false;
    for (int i = 0; i < bits_of(vars); i++)
        for (int j = 0; j < LW_BITS_MAX; j++)
            rows[j] |= (columns[i] >> j & 1) << i;
    int cost = terms_of(&best, vars, rows);
    for (int shift = 1 - LW_BITS_MAX; shift < LW_BITS_MAX && best.overlap && cost > 4; shift++) {
        struct swizzle swizzle = {shift, shift ? unswizzle(rows, shift, plain) : 0};
        if (!swizzle.mask)
            continue;
        uint64_t there = 0;
        for (int j = 0; j < LW_BITS_MAX; j++)
            there |= plain[j] ? (uint64_t)1 << j : 0;
        bool all = shift > 0 && there >> shift == swizzle.mask; /* the shift drops the other bits */
        int now = terms_of(&other, vars, plain) + 3 - all;
        if (now >= cost)
            continue;
        cost = now;
        chosen = swizzle;
        bare = all;
        best = other;
    }
    expr->value = terms_node(f, &best, vars);
    if (!chosen.mask)
        return;
    settle(f, expr, expr->value);
    expr->value = swizzled(f, raw(f), chosen, bare);
}

/* Adds a function for each number of `to`: its bits of each column. */
static void add_linear(struct lw_formula *f, const char *way, enum lw_returns role,
                       const struct lw_variables *from, const struct lw_variables *to,
                       const uint64_t *columns)
{
    for (int t = 0, shift = 0; t < to->count; shift += lw_log2(to->at[t++].size)) {
        uint64_t cut[2 * LW_BITS_MAX], mask = to->at[t].size - 1;
        struct lw_formula_body expr = {0};
        for (int i = 0; i < bits_of(from); i++)
            cut[i] = mask ? columns[i] >> shift & mask : 0;
        linear(f, &expr, from, cut);
        add(f, to->at[t].name, way, role, t, from, &expr);
    }
}

static bool of_layout(struct lw_formula *f, const struct lw_layout *layout, struct lw_error *err)
{
    struct lw_solver solver;
    struct lw_variables vars = with_copy(f);
    uint64_t columns[2 * LW_BITS_MAX] = {0};
    int rows = lw_layout_out_bits(layout);
    lw_solver_init(&solver, layout->basis, lw_layout_in_bits(layout));
    if (solver.nullity + rows > LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "an element has 2^%d copies: too many to count",
                            solver.nullity);
    add_linear(f, "_at", LW_RETURNS_ELEMENT, &f->variables, &f->dims, layout->basis);
    for (int j = 0; j < rows; j++)
        columns[j] = solver.leading >> j & 1 ? solver.combination[j] : 0;
    memcpy(columns + rows, solver.null_space, (size_t)solver.nullity * sizeof *columns);
    add_linear(f, "_of", LW_RETURNS_OWNER, &vars, &f->variables, columns);
    return true;
}

/* ---- Sums of digits, x / 3 % 4 * 5 ---- */

struct digit {
    int var;
    uint64_t divide, modulo, weight;
};

/* x / divide % modulo * weight, without the operations that change nothing. Bits that stay at
 * their position need a mask only. */
static const struct lw_formula_node *
digit_node(struct lw_formula *f, const struct lw_variables *vars, const struct digit *d)
{
    const struct lw_formula_node *node = use(f, d->var);
    bool modulo = d->divide * d->modulo < vars->at[d->var].size;
    if (modulo && d->divide == d->weight && lw_log2(d->divide) >= 0 && lw_log2(d->modulo) >= 0)
        return with(f, LW_OP_AND, node, (d->modulo - 1) * d->divide);
    node = with(f, LW_OP_DIVIDE, node, d->divide);
    if (modulo)
        node = with(f, LW_OP_MODULO, node, d->modulo);
    return with(f, LW_OP_MULTIPLY, node, d->weight);
}

/* Merges two digits where the second continues the first on both sides. */
static bool merge_two(struct digit *digits, int *count)
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
    const struct digit *s = a, *t = b;
    if (s->var != t->var)
        return s->var < t->var ? -1 : 1;
    return s->divide > t->divide ? -1 : s->divide < t->divide;
}

static const struct lw_formula_node *sum_node(struct lw_formula *f, const struct lw_variables *vars,
                                              struct digit *digits, int count, uint64_t constant)
{
    const struct lw_formula_node *sum = NULL;
    while (merge_two(digits, &count)) {
    }
    qsort(digits, (size_t)count, sizeof *digits, by_variable);
    for (int i = 0; i < count; i++)
        if (digits[i].weight && digits[i].modulo > 1)
            sum = join(f, LW_OP_ADD, sum, digit_node(f, vars, &digits[i]));
    return sum ? with(f, LW_OP_ADD, sum, constant) : number_node(f, constant);
}

/* A point as one number, the first variable fastest. */
static const struct lw_formula_node *flat_node(struct lw_formula *f,
                                               const struct lw_variables *vars)
{
    struct digit digits[LW_VARIABLES_MAX];
    uint64_t weight = 1;
    for (int v = 0; v < vars->count; weight *= vars->at[v++].size)
        digits[v] = (struct digit){v, 1, vars->at[v].size, weight};
    return sum_node(f, vars, digits, vars->count, 0);
}

/* By how much the digit must be reduced in the index of its dim: the step to the next digit there, which may leave a
 * gap. 0: the digits do not divide each other. */
static uint64_t room_of(const struct lw_translate_digits *digits, const struct lw_mode *mode)
{
    uint64_t next = 0;
    for (int i = 0; i < digits->count; i++) {
        const struct lw_mode *m = &digits->mode[i];
        if (m->out_dim == mode->out_dim && m->size > 1 && m->out_stride > mode->out_stride &&
            (!next || m->out_stride < next))
            next = m->out_stride;
    }
    if (!next)
        return mode->size;
    return next % mode->out_stride || next / mode->out_stride < mode->size
               ? 0
               : next / mode->out_stride;
}

static void of_digits(struct lw_formula *f, const struct lw_translate_digits *digits)
{
    struct lw_variables vars = with_copy(f);
    for (int d = 0; d < f->dims.count; d++) {
        struct digit forward[LW_MODES_MAX];
        struct lw_formula_body expr = {0};
        int count = 0;
        for (int i = 0; i < digits->count; i++) {
            const struct lw_mode *m = &digits->mode[i];
            if (m->out_dim == d)
                forward[count++] = (struct digit){m->in_dim, m->in_stride, m->size, m->out_stride};
        }
        expr.value = sum_node(f, &f->variables, forward, count, 0);
        add(f, f->dims.at[d].name, "_at", LW_RETURNS_ELEMENT, d, &f->variables, &expr);
    }
    for (int p = 0; p < f->variables.count; p++) {
        struct digit back[LW_MODES_MAX];
        struct lw_formula_body expr = {0};
        uint64_t copies = 1;
        int count = 0;
        for (int i = 0; i < digits->count; i++) {
            const struct lw_mode *m = &digits->mode[i];
            bool copy = m->out_dim < 0;
            if (m->in_dim == p)
                back[count++] = copy ? (struct digit){f->dims.count, copies, m->size, m->in_stride}
                                     : (struct digit){m->out_dim, m->out_stride, room_of(digits, m),
                                                      m->in_stride};
            copies *= copy ? m->size : 1;
        }
        expr.value = sum_node(f, &vars, back, count, 0);
        add(f, f->variables.at[p].name, "_of", LW_RETURNS_OWNER, p, &vars, &expr);
    }
}

/* ---- Memory: sums of strides ----
 * In the inverse the longest stride goes first: where each stride is greater than the maximum sum of all shorter ones,
 * a digit is a quotient and the rest a remainder. */

/* The swizzle of memory; its mask has the bits that offsets have. */
static struct swizzle swizzle_of(const struct lw_formula *f)
{
    const struct lw_strides *sum = &f->sum;
    uint64_t max = sum->constant | (f->map->in.dim[0].size - 1);
    int left = sum->shift < 0 ? -sum->shift : 0;
    if (!sum->bits)
        return (struct swizzle){0, 0};
    for (int i = 0; i < sum->count; i++)
        max += (sum->mode[i].size - 1) * sum->mode[i].stride;
    max = max ? ~(uint64_t)0 >> __builtin_clzll(max) : 0;
    return (struct swizzle){sum->shift, moved(lw_f2_mask(sum->bits), sum->base + left) &
                                            moved(max, -sum->shift)};
}

static bool is_digit(const struct lw_stride *mode)
{
    return mode->size > 1 && mode->stride;
}

/* Whether the digits can be found by division. */
static bool has_digits(const struct lw_strides *sum)
{
    uint64_t reach = 0;
    for (int i = sum->count - 1; i >= 0; i--) {
        if (is_digit(&sum->mode[i]) && sum->mode[i].stride <= reach)
            return false;
        reach += (sum->mode[i].size - 1) * sum->mode[i].stride;
    }
    return true;
}

/* One index of the point from the sum x, digit by digit: x % a % b / stride with the longer strides a and b. A
 * remainder is left out where the next stride divides it: x % 12 % 4 is x % 4, but x % 9 % 4 % 2 is x % 9 % 2. */
static const struct lw_formula_node *index_node(struct lw_formula *f,
                                                const struct lw_formula_node *x, int dim)
{
    const struct lw_formula_node *sum = NULL;
    uint64_t rest[LW_MODES_MAX];
    int count = 0;
    for (int i = 0; i < f->sum.count; i++) {
        const struct lw_stride *m = &f->sum.mode[i];
        const struct lw_formula_node *digit = x;
        if (!is_digit(m))
            continue;
        for (int k = 0; k < count && m->dim == dim; k++)
            digit = with(f, LW_OP_MODULO, digit, rest[k]);
        if (m->dim == dim)
            sum =
                join(f, LW_OP_ADD, sum,
                     with(f, LW_OP_MULTIPLY, with(f, LW_OP_DIVIDE, digit, m->stride), m->divisor));
        while (count && rest[count - 1] % m->stride == 0)
            count--;
        rest[count++] = m->stride;
    }
    return sum;
}

/* Whether the digits of a dim can be computed from the swizzled offset: the dim has none, or every stride down to
 * theirs is a multiple of all bits that the swizzle moves. */
static bool is_direct(const struct lw_strides *sum, int dim)
{
    int bits = sum->bits ? sum->base + sum->bits + (sum->shift < 0 ? -sum->shift : 0) : 0;
    uint64_t all = 0, seen = 0;
    for (int i = 0; i < sum->count; i++)
        if (is_digit(&sum->mode[i])) {
            all |= sum->mode[i].stride;
            seen = sum->mode[i].dim == dim ? all : seen;
        }
    return !seen || (!sum->constant && bits < 63 && seen % ((uint64_t)1 << bits) == 0);
}

/* Undoes the swizzle and the constant. A swizzle adds N(x) to x, bit by bit without carries, so
 * its inverse is 1 + N + N^2 + ... = (1 + N)(1 + N^2)(1 + N^4)...: one step of the same form, or
 * more where it changes bits that it also reads. */
static void undo(struct lw_formula *f, struct lw_formula_body *expr)
{
    const struct lw_formula_node *x = use(f, 0);
    struct swizzle swizzle = swizzle_of(f);
    bool some = swizzle.mask || f->sum.constant;
    while (swizzle.mask) {
        x = swizzled(f, x, swizzle, false);
        swizzle.mask &= moved(swizzle.mask, -swizzle.distance);
        swizzle.distance *= 2;
        if (swizzle.mask) {
            settle(f, expr, x);
            x = raw(f);
        }
    }
    if (some)
        settle(f, expr, with(f, LW_OP_SUBTRACT, x, f->sum.constant));
}

/* Adds the offset of an element, and unless coordinates share offsets the element at an offset. */
static void of_memory(struct lw_formula *f)
{
    const struct lw_strides *sum = &f->sum;
    struct swizzle swizzle = swizzle_of(f);
    struct digit digits[LW_MODES_MAX];
    struct lw_formula_body offset = {0};
    for (int d = 0; d < f->dims.count && !f->shared; d++) {
        struct lw_formula_body expr = {0};
        if (!is_direct(sum, d))
            undo(f, &expr);
        expr.value = index_node(f, expr.steps ? raw(f) : use(f, 0), d);
        add(f, f->dims.at[d].name, "_at", LW_RETURNS_ELEMENT, d, &f->variables, &expr);
    }
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        digits[i] = (struct digit){m->dim, m->divisor, m->size, m->stride};
    }
    offset.value = sum_node(f, &f->dims, digits, sum->count, sum->constant);
    if (swizzle.mask) {
        settle(f, &offset, offset.value);
        offset.value = swizzled(f, raw(f), swizzle, false);
    }
    add(f, "offset", "_of", LW_RETURNS_OWNER, 0, &f->dims, &offset);
}

/* ---- Tables of all elements and of all owners, for maps without another form ---- */

static uint64_t *add_table(struct lw_formula *f, const char *name, uint64_t count)
{
    uint64_t *entries = lw_arena_alloc(&f->arena, count * sizeof *entries);
    f->table[f->table_count++] = (struct lw_lookup){name, f->function_count, count, entries};
    f->failed = f->failed || !entries;
    return entries;
}

/* Adds a function for each number, which looks the flat point up in the last table. */
static void add_lookups(struct lw_formula *f, const char *way, enum lw_returns role,
                        const struct lw_variables *from, const struct lw_variables *to)
{
    uint64_t unit = 1;
    for (int t = 0; t < to->count; unit *= to->at[t++].size) {
        struct lw_formula_body expr = {0};
        settle(f, &expr, flat_node(f, from));
        if (to->at[t].size > 1) {
            expr.value = make_node(f, LW_OP_LOOKUP, (uint64_t)f->table_count - 1, raw(f), NULL);
            expr.value = with(f, LW_OP_DIVIDE, expr.value, unit);
            if (t + 1 < to->count)
                expr.value = with(f, LW_OP_MODULO, expr.value, to->at[t].size);
        }
        add(f, to->at[t].name, way, role, t, from, &expr);
    }
}

static bool of_table(struct lw_formula *f, struct lw_error *err)
{
    const struct lw_map *map = f->map;
    uint64_t indices, elements, point[LW_DIMS_MAX], other[LW_DIMS_MAX];
    struct lw_variables vars = with_copy(f);
    if (!lw_map_is_even(map))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "no index arithmetic: elements differ in how many owners they have");
    if (!lw_dims_total(&map->in, &indices, err) || !lw_dims_total(&map->out, &elements, err))
        return false;
    if (indices > LW_FORMULA_TABLE || elements > LW_FORMULA_TABLE / f->copies)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "no index arithmetic: the layout is not a sum of digits, and its table "
                            "would have over %d entries",
                            LW_FORMULA_TABLE);
    uint64_t *entries = add_table(f, "elements", indices);
    for (uint64_t i = 0; entries && i < indices; i++) {
        lw_dims_unflatten(&map->in, i, point);
        entries[i] = lw_map_apply(map, point, other) ? lw_dims_flatten(&map->out, other) : elements;
    }
    add_lookups(f, "_at", LW_RETURNS_ELEMENT, &f->variables, &f->dims);
    entries = add_table(f, "owners", elements * f->copies);
    for (uint64_t i = 0; entries && i < elements * f->copies; i++) {
        lw_dims_unflatten(&map->out, i % elements, point);
        entries[i] =
            lw_map_owner(map, point, i / elements, other) ? lw_dims_flatten(&map->in, other) : 0;
    }
    add_lookups(f, "_of", LW_RETURNS_OWNER, &vars, &f->variables);
    return true;
}

/* ---- Which functions a map has ---- */

/* A name that is a keyword of one of the languages or used by the functions themselves gets a prefix. */
static void add_variable(struct lw_variables *vars, const char *name, uint64_t size)
{
    static const char taken[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long restrict return short signed sizeof static struct switch typedef union "
        "unsigned void volatile while and as assert async await class def del elif except finally "
        "from global import in is lambda nonlocal not or pass raise try with yield None True False "
        "bool new delete this template typename uint32_t uint64_t raw copy element memory tensor ";
    struct lw_variable *var = &vars->at[vars->count++];
    char spaced[LW_NAME_MAX + 2];
    if (!strcmp(name, "register")) /* a keyword of C */
        name = "reg";
    snprintf(spaced, sizeof spaced, " %s ", name);
    bool prefix = strstr(taken, spaced) || (*name >= '0' && *name <= '9');
    snprintf(var->name, sizeof var->name, "%s%s", prefix ? "d_" : "", name);
    var->size = size;
}

/* Names the variables. A lane and a warp together are the variable `thread`. */
static void name_variables(struct lw_formula *f)
{
    const struct lw_dims *in = &f->map->in;
    for (int d = 0; d < in->count; d++) {
        bool lane = !strcmp(in->dim[d].name, "lane") && d + 1 < in->count &&
                    !strcmp(in->dim[d + 1].name, "warp");
        f->first_dim[f->variables.count] = d;
        if (lane)
            add_variable(&f->variables, "thread", in->dim[d].size * in->dim[d + 1].size);
        else if (in->dim[d].size > 1 || strcmp(in->dim[d].name, "block") != 0)
            add_variable(&f->variables, in->dim[d].name, in->dim[d].size);
        d += lane;
    }
    for (int d = 0; d < f->map->out.count; d++)
        add_variable(&f->dims, f->map->out.dim[d].name, f->map->out.dim[d].size);
}

/* Dims can have any names, so two functions, tables or variables could get the same one. */
static bool check_names(const struct lw_formula *f, struct lw_error *err)
{
    for (int i = 0; i < f->function_count; i++)
        for (int v = -1; v < f->function[i].vars.count; v++) {
            const struct lw_variables *vars = &f->function[i].vars;
            const char *name = v < 0 ? f->function[i].name : vars->at[v].name;
            int count = 0;
            for (int k = 0; k < f->function_count; k++)
                count += !strcmp(f->function[k].name, name);
            for (int k = 0; k < f->table_count; k++)
                count += !strcmp(f->table[k].name, name);
            for (int k = 0; k < vars->count; k++)
                count += !strcmp(vars->at[k].name, name);
            if (count > 1)
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "no index arithmetic: with these names of dims, two functions "
                                    "or variables would have the name '%s'",
                                    name);
        }
    return true;
}

/* is_held and is_used: whether the function and its inverse lead back to the arguments. is_used
 * first checks that the result is an element, as the inverse is defined for elements only; so does
 * is_held of hardware indices where modes leave gaps, as the index of an element in a gap is past
 * the last one. */
static void add_round_trip(struct lw_formula *f, enum lw_returns role)
{
    bool forward = role == LW_RETURNS_USED;
    const struct lw_variables *from = forward ? &f->variables : &f->dims;
    const struct lw_variables *to = forward ? &f->dims : &f->variables;
    const struct lw_formula_node *there[LW_VARIABLES_MAX];
    struct lw_formula_body expr = {0};
    for (int k = 0; k < to->count; k++)
        there[k] = call_same(f, to->at[k].name, forward ? "_at" : "_of", from);
    for (int k = 0; k < to->count && (forward || f->map->kind == LW_MAP_STRIDED); k++)
        expr.value =
            join(f, LW_OP_BOTH, expr.value, with(f, LW_OP_BELOW, there[k], to->at[k].size));
    for (int i = 0; i < from->count; i++) {
        const struct lw_formula_node *back =
            call(f, from->at[i].name, forward ? "_of" : "_at", there, to->count);
        expr.value = join(f, LW_OP_BOTH, expr.value, join(f, LW_OP_EQUAL, back, use(f, i)));
    }
    add(f, forward ? "is_used" : "is_held", "", role, 0, from, &expr);
}

/* Makes the functions in both directions, in the form of the kind of map. */
static bool make_both(struct lw_formula *f, struct lw_error *err)
{
    const struct lw_map *map = f->map;
    struct lw_layout layout;
    struct lw_translate_digits digits;
    struct lw_error why;
    if (!f->shared && lw_map_to_layout(map, &layout, NULL))
        return of_layout(f, &layout, err);
    if (map->kind == LW_MAP_PADDED || (map->kind == LW_MAP_STRIDED && map->as.strided.sum.memory)) {
        if (!lw_strides_of_memory(map, &f->sum, &why))
            return lw_error_set(err, LW_ERROR_UNSUPPORTED, "no index arithmetic: %s", why.message);
        if (!f->shared && !has_digits(&f->sum))
            return of_table(f, err);
        of_memory(f);
        return true;
    }
    bool known = lw_digits_of_map(map, &digits, NULL);
    for (int i = 0; known && i < digits.count; i++)
        known = digits.mode[i].out_dim < 0 || digits.mode[i].size == 1 ||
                room_of(&digits, &digits.mode[i]);
    if (!known)
        return of_table(f, err);
    of_digits(f, &digits);
    return true;
}

static bool make(struct lw_formula *f, struct lw_error *err)
{
    f->shared = !lw_map_check_unique(f->map, &f->why);
    if (f->shared && !f->map->as.strided.sum.memory) {
        if (err)
            *err = f->why;
        return false;
    }
    if (!make_both(f, err))
        return false;
    const struct lw_variables vars = with_copy(f);
    for (int v = 0; v < f->variables.count && f->bits >= 8 && f->bits % 8 == 0; v++)
        if (!strcmp(f->variables.at[v].name, "offset")) {
            struct lw_formula_body expr = {.value = call_same(f, "offset", "_of", &vars)};
            expr.value = with(f, LW_OP_MULTIPLY, expr.value, (uint64_t)f->bits / 8);
            add(f, "byte", "_of", LW_RETURNS_BYTE, v, &vars, &expr);
        }
    if (!f->shared && !lw_map_is_surjective(f->map))
        add_round_trip(f, LW_RETURNS_HELD);
    if (!f->shared && lw_map_has_holes(f->map) && !f->table_count) {
        add_round_trip(f, LW_RETURNS_USED);
    } else if (!f->shared && lw_map_has_holes(f->map)) {
        /* Table 0 has the elements; the number of elements stands where there is none. */
        struct lw_formula_body expr = {0};
        uint64_t count = 0;
        lw_dims_total(&f->map->out, &count, NULL);
        settle(f, &expr, flat_node(f, &f->variables));
        expr.value = with(f, LW_OP_BELOW, make_node(f, LW_OP_LOOKUP, 0, raw(f), NULL), count);
        add(f, "is_used", "", LW_RETURNS_USED, 0, &f->variables, &expr);
    }
    if (f->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return check_names(f, err);
}

struct lw_formula *lw_formula_make(const struct lw_map *map, int bits, struct lw_error *err)
{
    struct lw_formula *f = calloc(1, sizeof *f);
    if (!f) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    f->map = map;
    f->bits = bits;
    uint64_t elements, max = f->copies = lw_map_replication(map);
    name_variables(f);
    const struct lw_variables *all[] = {&f->variables, &f->dims};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < all[i]->count; k++)
            max = all[i]->at[k].size > max ? all[i]->at[k].size : max;
    if (map->kind == LW_MAP_STRIDED && lw_dims_total(&map->out, &elements, NULL))
        max = elements > max ? elements : max;
    f->wide = max > UINT64_C(0xffffffff) / (bits > 8 ? (uint64_t)bits / 8 : 1);
    if (make(f, err))
        return f;
    lw_formula_free(f);
    return NULL;
}

void lw_formula_free(struct lw_formula *formula)
{
    if (formula)
        lw_arena_free(&formula->arena);
    free(formula);
}
