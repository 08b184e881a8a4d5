/*
 * Layouts that are sums of strides. In the inverse the longest stride goes first: where each
 * stride is greater than the maximum sum of all shorter ones, a digit is a quotient and the rest
 * a remainder.
 */

#include "core/map_kinds.h"
#include "translate/formula_parts.h"

/* ---- Forward ---- */

/* A swizzle: x ^ (x >> distance & mask). */
struct move {
    int distance; /* below 0: to the left */
    uint64_t mask;
};

static uint64_t moved(uint64_t x, int distance)
{
    int by = distance < 0 ? -distance : distance;
    return by >= LW_BITS_MAX ? 0 : distance < 0 ? x << by : x >> by;
}

/* A mask of the bits that sums and offsets have. */
static uint64_t bits_below(const struct lw_formula *f)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    uint64_t max = sum->constant | (f->map->in.dim[0].size - 1);
    for (int i = 0; i < sum->count; i++)
        max += (sum->mode[i].size - 1) * sum->mode[i].stride;
    return max ? ~(uint64_t)0 >> __builtin_clzll(max) : 0;
}

/* The swizzle of memory; its mask is 0 when it changes nothing. */
static struct move swizzle_of(const struct lw_formula *f)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    int left = sum->shift < 0 ? -sum->shift : 0;
    uint64_t all = moved(bits_below(f), sum->shift);
    if (!sum->bits)
        return (struct move){0, 0};
    return (struct move){sum->shift, moved(lw_f2_mask(sum->bits), -(sum->base + left)) & all};
}

static const struct lw_formula_node *swizzled(struct lw_formula *f, const struct lw_formula_node *x,
                                              struct move move)
{
    bool left = move.distance < 0;
    const struct lw_formula_node *part =
        lw_formula_with(f, left ? LW_FORMULA_LEFT : LW_FORMULA_RIGHT, x,
                        (uint64_t)(left ? -move.distance : move.distance));
    part = lw_formula_with(f, LW_FORMULA_AND, part, move.mask);
    return lw_formula_join(f, LW_FORMULA_XOR, x, part);
}

/* The sum as an expression of the variables. */
static struct lw_formula_expr sum_of(struct lw_formula *f, const struct lw_formula_vars *vars)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    struct lw_formula_digit digits[LW_MODES_MAX];
    struct lw_formula_expr expr = {0};
    struct move move = sum->memory ? swizzle_of(f) : (struct move){0, 0};
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        digits[i] = (struct lw_formula_digit){m->dim, m->divisor, m->size, m->stride};
    }
    expr.value = lw_formula_sum(f, vars, digits, sum->count, sum->constant);
    if (move.mask) {
        lw_formula_settle(f, &expr);
        expr.value = swizzled(f, lw_formula_raw(f), move);
    }
    return expr;
}

/* ---- Backward ---- */

static bool is_digit(const struct lw_stride *mode)
{
    return mode->size > 1 && mode->stride;
}

/* x % a % b for the longer strides. A remainder is left out where the next stride divides it: x %
 * 12 % 4 is x % 4, but x % 9 % 4 % 2 is x % 9 % 2. */
const struct lw_formula_node *lw_formula_quotient(struct lw_formula *f,
                                                  const struct lw_formula_node *x,
                                                  const struct lw_strides *sum, int i)
{
    uint64_t rest[LW_MODES_MAX];
    int count = 0;
    for (int k = 0; k < i; k++) {
        if (!is_digit(&sum->mode[k]))
            continue;
        while (count && rest[count - 1] % sum->mode[k].stride == 0)
            count--;
        rest[count++] = sum->mode[k].stride;
    }
    for (int k = 0; k < count; k++)
        x = lw_formula_with(f, LW_FORMULA_MODULO, x, rest[k]);
    return lw_formula_with(f, LW_FORMULA_DIVIDE, x, sum->mode[i].stride);
}

/* One index of the point from the sum x, digit by digit. NULL: it has no digits. */
static const struct lw_formula_node *digits_of(struct lw_formula *f,
                                               const struct lw_formula_node *x, int dim)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    const struct lw_formula_node *node = NULL;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        if (m->dim != dim || !is_digit(m))
            continue;
        const struct lw_formula_node *digit = lw_formula_quotient(f, x, sum, i);
        digit = lw_formula_with(f, LW_FORMULA_MULTIPLY, digit, m->divisor);
        node = lw_formula_join(f, LW_FORMULA_ADD, node, digit);
    }
    return node;
}

bool lw_formula_has_digits(const struct lw_map *map)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t reach = 0;
    for (int i = sum->count - 1; i >= 0; i--) {
        if (is_digit(&sum->mode[i]) && sum->mode[i].stride <= reach)
            return false;
        reach += (sum->mode[i].size - 1) * sum->mode[i].stride;
    }
    return sum->memory || (!sum->bits && !sum->constant);
}

/* ---- Memory ---- */

/* Whether the digits of a dim can be computed from the swizzled offset: the dim has none, or every stride down to
 * theirs is a multiple of all bits that the swizzle moves. */
static bool is_direct(const struct lw_strides *sum, int dim)
{
    int bits = sum->bits ? sum->base + sum->bits + (sum->shift < 0 ? -sum->shift : 0) : 0;
    uint64_t all = 0, seen = 0;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        if (!is_digit(m))
            continue;
        all |= m->stride;
        seen = m->dim == dim ? all : seen;
    }
    return !seen || (!sum->constant && bits < 63 && seen % ((uint64_t)1 << bits) == 0);
}

/* Undoes the swizzle and the constant. A swizzle adds N(x) to x, bit by bit without carries, so
 * its inverse is 1 + N + N^2 + ... = (1 + N)(1 + N^2)(1 + N^4)...: one step of the same form, or
 * more where it changes bits that it also reads. */
static void undo(struct lw_formula *f, struct lw_formula_expr *expr)
{
    const struct lw_formula_node *x = lw_formula_use(f, &f->variables, 0);
    uint64_t constant = f->map->as.strided.sum.constant;
    struct move move = swizzle_of(f);
    bool some = move.mask || constant;
    while (move.mask) {
        x = swizzled(f, x, move);
        move.mask &= moved(move.mask, move.distance);
        move.distance *= 2;
        if (move.mask) {
            lw_formula_step(f, expr, x);
            x = lw_formula_raw(f);
        }
    }
    if (some)
        lw_formula_step(f, expr, lw_formula_with(f, LW_FORMULA_SUBTRACT, x, constant));
}

void lw_formula_of_offsets(struct lw_formula *f)
{
    struct lw_formula_expr expr = sum_of(f, &f->dims);
    lw_formula_add(f, "offset", "_of", LW_FORMULA_OWNER, 0, &f->dims, &expr);
}

static void memory_strides(struct lw_formula *f)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    for (int d = 0; d < f->dims.count; d++) {
        struct lw_formula_expr expr = {0};
        if (!is_direct(sum, d))
            undo(f, &expr);
        expr.value =
            digits_of(f, expr.steps ? lw_formula_raw(f) : lw_formula_use(f, &f->variables, 0), d);
        lw_formula_add(f, f->dims.at[d].name, "_at", LW_FORMULA_ELEMENT, d, &f->variables, &expr);
    }
    lw_formula_of_offsets(f);
}

/* ---- Threads ---- */

/* Adds the digits that select the copy, the fastest of the point first. */
static const struct lw_formula_node *add_copies(struct lw_formula *f,
                                                const struct lw_formula_vars *vars, int dim,
                                                const struct lw_formula_node *node)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    uint64_t copies = 1;
    for (const struct lw_stride *m = NULL; (m = lw_strides_next_copy(sum, m)); copies *= m->size)
        if (m->dim == dim) {
            struct lw_formula_digit digit = {f->dims.count, copies, m->size, m->divisor};
            node = lw_formula_join(f, LW_FORMULA_ADD, node, lw_formula_sum(f, vars, &digit, 1, 0));
        }
    return node;
}

/* The sum is the flat number of the element, its first dim fastest. */
static void add_elements(struct lw_formula *f)
{
    struct lw_formula_expr expr = sum_of(f, &f->variables);
    if (f->dims.count == 1) {
        lw_formula_add(f, f->dims.at[0].name, "_at", LW_FORMULA_ELEMENT, 0, &f->variables, &expr);
        return;
    }
    lw_formula_add(f, "index", "_at", LW_FORMULA_HELPER, 0, &f->variables, &expr);
    uint64_t unit = 1;
    for (int d = 0; d < f->dims.count; unit *= f->dims.at[d++].size) {
        expr =
            (struct lw_formula_expr){.value = lw_formula_call_same(f, "index_at", &f->variables)};
        expr.value = lw_formula_with(f, LW_FORMULA_DIVIDE, expr.value, unit);
        if (d + 1 < f->dims.count)
            expr.value = lw_formula_with(f, LW_FORMULA_MODULO, expr.value, f->dims.at[d].size);
        lw_formula_add(f, f->dims.at[d].name, "_at", LW_FORMULA_ELEMENT, d, &f->variables, &expr);
    }
}

static void thread_strides(struct lw_formula *f)
{
    struct lw_formula_vars vars;
    add_elements(f);
    lw_formula_backward_vars(f, &vars);
    for (int p = 0; p < f->variables.count; p++) {
        struct lw_formula_expr expr = {.value = lw_formula_flat(f, &f->dims)};
        lw_formula_settle(f, &expr);
        expr.value = add_copies(f, &vars, p, digits_of(f, lw_formula_raw(f), p));
        lw_formula_add(f, f->variables.at[p].name, "_of", LW_FORMULA_OWNER, p, &vars, &expr);
    }
}

bool lw_formula_of_strides(struct lw_formula *f, struct lw_error *err)
{
    (void)err;
    if (f->map->as.strided.sum.memory)
        memory_strides(f);
    else
        thread_strides(f);
    return true;
}
