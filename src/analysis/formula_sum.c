/*
 * Layouts that are sums of digits: mixed radix, strides and padding.
 * Backward through strides the longest goes first: each is longer than all shorter ones together can
 * reach, so a digit is a quotient and what is left a remainder.
 */

#include "analysis/formula_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sums ---- */

static bool is_power(uint64_t n)
{
    return lw_log2(n) >= 0;
}

/* x / divide % modulo * worth, of which any may be missing. */
static int write_digit(struct lw_text *text, const struct lw_formula *f,
                       const struct lw_formula_var *var, const struct lw_formula_digit *d)
{
    int operations = 0;
    bool modulo = d->divide * d->modulo<var->size, shift = d->divide> 1 && is_power(d->divide);
    bool same = modulo && d->divide == d->worth && is_power(d->divide) && is_power(d->modulo);
    bool divided = d->divide > 1 && !same, worth = d->worth > 1 && !same;
    lw_text_repeat(text, '(', (size_t)divided + modulo + worth);
    lw_text_add(text, var->name);
    if (divided) {
        if (shift)
            lw_text_format(text, " >> %d)", lw_log2(d->divide));
        else
            lw_text_format(text, " %s %llu)", f->language->divide, (unsigned long long)d->divide);
        operations++;
    }
    if (modulo) {
        lw_text_add(text, is_power(d->modulo) ? " & " : " % ");
        if (is_power(d->modulo))
            lw_formula_number(text, (d->modulo - 1) * (same ? d->divide : 1));
        else
            lw_text_number(text, d->modulo);
        lw_text_char(text, ')');
        operations++;
    }
    if (worth) {
        lw_text_add(text, is_power(d->worth) ? " << " : " * ");
        lw_text_number(text, is_power(d->worth) ? (uint64_t)lw_log2(d->worth) : d->worth);
        lw_text_char(text, ')');
        operations++;
    }
    return operations;
}

/* Two digits that are one: the second goes on where the first ends, on both sides. */
static bool merge_two(struct lw_formula_digit *digits, int *count)
{
    for (int i = 0; i < *count; i++)
        for (int k = 0; k < *count; k++)
            if (i != k && digits[i].var == digits[k].var &&
                digits[k].divide == digits[i].divide * digits[i].modulo &&
                digits[k].worth == digits[i].worth * digits[i].modulo) {
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

void lw_formula_sum(struct lw_formula_expr *expr, const struct lw_formula *f,
                    const struct lw_formula_vars *vars, struct lw_formula_digit *digits, int count,
                    uint64_t constant)
{
    bool some = false;
    while (merge_two(digits, &count)) {
    }
    qsort(digits, (size_t)count, sizeof *digits, by_variable);
    for (int i = 0; i < count; i++) {
        if (digits[i].worth == 0 || digits[i].modulo == 1)
            continue;
        lw_text_add(&expr->text, some ? " + " : "");
        expr->operations +=
            some + write_digit(&expr->text, f, &vars->at[digits[i].var], &digits[i]);
        some = true;
    }
    if (constant || !some)
        lw_text_format(&expr->text, some ? " + %llu" : "%llu", (unsigned long long)constant);
    expr->operations += some && constant;
}

static void write_sum(struct lw_formula *f, const struct lw_formula_var *var, const char *way,
                      const struct lw_formula_vars *vars, struct lw_formula_digit *digits,
                      int count)
{
    char name[LW_NAME_MAX + 8];
    struct lw_formula_expr expr = {{0}, {0}, 0};
    snprintf(name, sizeof name, "%s%s", var->name, way);
    lw_formula_sum(&expr, f, vars, digits, count, 0);
    lw_formula_function(f, name, vars, &expr);
}

/* ---- Mixed radix ---- */

/* The next copies digit of the flattened input. */
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

bool lw_formula_of_modes(struct lw_formula *f)
{
    const struct lw_map *map = f->map;
    struct lw_formula_vars vars;
    struct lw_formula_digit digits[2 * LW_MODES_MAX];
    for (int d = 0; d < f->dims.count; d++) {
        int count = 0;
        for (int i = 0; i < map->as.mixed.count; i++) {
            const struct lw_mode *m = &map->as.mixed.mode[i];
            if (m->out_dim == d)
                digits[count++] =
                    (struct lw_formula_digit){m->in_dim, m->in_stride, m->size, m->out_stride};
        }
        write_sum(f, &f->dims.at[d], "_at", &f->places, digits, count);
    }
    lw_formula_backward_vars(f, &vars);
    for (int p = 0; p < f->places.count; p++) {
        int count = 0;
        uint64_t copies = 1;
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
        write_sum(f, &f->places.at[p], "_of", &vars, digits, count);
    }
    return true;
}

/* ---- Strides ---- */

static void put_swizzle(struct lw_text *text, const char *name, const struct lw_strides *sum)
{
    int left = sum->shift < 0 ? -sum->shift : 0;
    uint64_t mask = lw_f2_mask(sum->bits) << (sum->base + left);
    lw_text_format(text, "%s ^ ((%s %s %d) & ", name, name, left ? "<<" : ">>",
                   left ? left : sum->shift);
    lw_formula_number(text, mask);
    lw_text_char(text, ')');
}

/* From the point with the digits to the sum. */
static void strides_forward(struct lw_formula *f, const char *name,
                            const struct lw_formula_vars *vars)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    struct lw_formula_digit digits[LW_MODES_MAX];
    struct lw_formula_expr expr = {{0}, {0}, 0};
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        digits[i] = (struct lw_formula_digit){m->dim, m->worth, m->size, m->stride};
    }
    lw_formula_sum(&expr, f, vars, digits, sum->count, sum->constant);
    if (sum->bits) {
        expr.first = expr.text;
        expr.text = (struct lw_text){0};
        put_swizzle(&expr.text, "raw", sum);
        expr.operations += 3;
    }
    lw_formula_function(f, name, vars, &expr);
}

/* (x % number) or (x / number); of a power of two the bits of it. */
static void put_part(struct lw_text *text, const char *x, const char *of_bits, uint64_t bits,
                     const char *otherwise, uint64_t number)
{
    bool power = lw_log2(number) >= 0;
    lw_text_format(text, "(%s %s ", x, power ? of_bits : otherwise);
    if (power)
        lw_formula_number(text, bits);
    else
        lw_text_format(text, "%llu", (unsigned long long)number);
    lw_text_char(text, ')');
}

/* x % worth of every longer stride, divided by this one. */
static void put_quotient(struct lw_formula *f, struct lw_formula_expr *expr, const char *name,
                         const struct lw_strides *sum, int i)
{
    struct lw_text left = {0};
    uint64_t before = 0;
    lw_text_add(&left, name);
    for (int k = 0; k < i; k++) {
        if (sum->mode[k].size == 1 || !sum->mode[k].stride)
            continue;
        bool drops = before && before % sum->mode[k].stride == 0;
        if (drops && left.length) { /* x % 12 % 4 is x % 4 */
            lw_text_clear(&left);
            lw_text_add(&left, name);
            expr->operations -= 1;
        }
        struct lw_text now = {0};
        put_part(&now, lw_text_string(&left), "&", sum->mode[k].stride - 1, "%",
                 sum->mode[k].stride);
        lw_text_free(&left);
        left = now;
        before = sum->mode[k].stride;
        expr->operations++;
    }
    if (sum->mode[i].stride > 1) {
        put_part(&expr->text, lw_text_string(&left), ">>", (uint64_t)lw_log2(sum->mode[i].stride),
                 f->language->divide, sum->mode[i].stride);
        expr->operations++;
    } else {
        lw_text_add(&expr->text, lw_text_string(&left));
    }
    lw_text_free(&left);
}

/* The place, or the element, of a dim: the digits of it, found from the sum `name`. */
static void put_digits(struct lw_formula *f, struct lw_formula_expr *expr, const char *name,
                       int dim)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    bool some = false;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        if (m->dim != dim || m->size == 1 || !m->stride)
            continue;
        lw_text_add(&expr->text, some ? " + " : "");
        expr->operations += some;
        int shift = lw_log2(m->worth);
        lw_text_add(&expr->text, shift > 0 ? "(" : "");
        put_quotient(f, expr, name, sum, i);
        if (shift > 0)
            lw_text_format(&expr->text, " << %d)", shift);
        else if (m->worth > 1)
            lw_text_format(&expr->text, " * %llu", (unsigned long long)m->worth);
        expr->operations += m->worth > 1;
        some = true;
    }
    if (!some)
        lw_text_char(&expr->text, '0');
}

static bool is_nested(const struct lw_strides *sum)
{
    uint64_t reach = 0;
    for (int i = sum->count - 1; i >= 0; i--) {
        if (sum->mode[i].stride && sum->mode[i].size > 1 && sum->mode[i].stride <= reach)
            return false;
        reach += (sum->mode[i].size - 1) * sum->mode[i].stride;
    }
    return true;
}

/* The digits that add nothing count the copies, the fastest of the point first. */
static void put_copies(struct lw_formula *f, struct lw_formula_expr *expr, int dim)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    uint64_t copies = 1;
    for (const struct lw_stride *last = NULL, *next;; last = next) {
        next = NULL;
        for (int i = 0; i < sum->count; i++) {
            const struct lw_stride *m = &sum->mode[i];
            bool later =
                !last || m->dim > last->dim || (m->dim == last->dim && m->worth > last->worth);
            bool nearer =
                !next || m->dim < next->dim || (m->dim == next->dim && m->worth < next->worth);
            if (m->stride == 0 && m->size > 1 && later && nearer)
                next = m;
        }
        if (!next)
            return;
        if (next->dim == dim) {
            lw_text_format(&expr->text, " + copy %s %llu %% %llu * %llu", f->language->divide,
                           (unsigned long long)copies, (unsigned long long)next->size,
                           (unsigned long long)next->worth);
            expr->operations += 4;
        }
        copies *= next->size;
    }
}

/* Whether the digits of a dim are what they are of the offset itself: there are none, or every stride down
 * to theirs is a multiple of all that the swizzle moves. */
static bool is_direct(const struct lw_strides *sum, int dim)
{
    int bits = sum->bits ? sum->base + sum->bits + (sum->shift < 0 ? -sum->shift : 0) : 0;
    uint64_t all = 0, seen = 0;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        if (m->size == 1 || !m->stride)
            continue;
        all |= m->stride;
        seen = m->dim == dim ? all : seen;
    }
    return !seen || (!sum->constant && bits < 63 && seen % ((uint64_t)1 << bits) == 0);
}

static bool memory_strides(struct lw_formula *f)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    for (int d = 0; d < f->dims.count; d++) {
        struct lw_formula_expr expr = {{0}, {0}, 0};
        char name[LW_NAME_MAX + 8];
        bool direct = is_direct(sum, d);
        if (!direct && sum->bits)
            put_swizzle(&expr.first, "offset", sum);
        if (!direct && sum->bits && sum->constant) {
            struct lw_text first = {0};
            lw_text_format(&first, "(%s) - %llu", lw_text_string(&expr.first),
                           (unsigned long long)sum->constant);
            lw_text_free(&expr.first);
            expr.first = first;
        } else if (!direct && sum->constant) {
            lw_text_format(&expr.first, "offset - %llu", (unsigned long long)sum->constant);
        }
        expr.operations = direct ? 0 : (sum->bits ? 3 : 0) + (sum->constant ? 1 : 0);
        put_digits(f, &expr, expr.first.length ? "raw" : "offset", d);
        snprintf(name, sizeof name, "%s_at", f->dims.at[d].name);
        lw_formula_function(f, name, &f->places, &expr);
    }
    strides_forward(f, "offset_of", &f->dims);
    return true;
}

/* Of threads the sum is the number of the element, its first dim fastest. */
static bool thread_strides(struct lw_formula *f)
{
    struct lw_formula_vars vars, flat = {0};
    uint64_t unit = 1;
    const char *name = f->dims.count == 1 ? f->dims.at[0].name : "index";
    char way[LW_NAME_MAX + 8];
    snprintf(way, sizeof way, "%s_at", name);
    strides_forward(f, way, &f->places);
    lw_formula_var(&flat, name, UINT64_MAX);
    for (int d = 0; d < f->dims.count && f->dims.count > 1; d++) {
        struct lw_formula_expr expr = {{0}, {0}, unit > 1};
        lw_formula_call(&expr.text, "index_at", &f->places);
        if (unit > 1)
            lw_text_format(&expr.text, " %s %llu", f->language->divide, (unsigned long long)unit);
        if (d + 1 < f->dims.count) {
            lw_text_format(&expr.text, " %% %llu", (unsigned long long)f->dims.at[d].size);
            expr.operations++;
        }
        snprintf(way, sizeof way, "%s_at", f->dims.at[d].name);
        lw_formula_function(f, way, &f->places, &expr);
        unit *= f->dims.at[d].size;
    }
    lw_formula_backward_vars(f, &vars);
    for (int p = 0; p < f->places.count; p++) {
        struct lw_formula_expr expr = {{0}, {0}, 0};
        struct lw_formula_digit digits[LW_DIMS_MAX];
        uint64_t worth = 1;
        for (int d = 0; d < f->dims.count; worth *= f->dims.at[d++].size)
            digits[d] = (struct lw_formula_digit){d, 1, f->dims.at[d].size, worth};
        lw_formula_sum(&expr, f, &f->dims, digits, f->dims.count, 0);
        expr.first = expr.text;
        expr.text = (struct lw_text){0};
        put_digits(f, &expr, "raw", p);
        put_copies(f, &expr, p);
        snprintf(way, sizeof way, "%s_of", f->places.at[p].name);
        lw_formula_function(f, way, &vars, &expr);
    }
    return true;
}

bool lw_formula_of_strides(struct lw_formula *f)
{
    const struct lw_strides *sum = &f->map->as.strided.sum;
    bool same = sum->memory || (!sum->bits && !sum->constant);
    if (!is_nested(sum) || !same)
        return lw_formula_of_table(f);
    return sum->memory ? memory_strides(f) : thread_strides(f);
}

void lw_formula_of_offsets(struct lw_formula *f)
{
    strides_forward(f, "offset_of", &f->dims);
}

/* ---- Padding ---- */

/* Writes offset_of: the plain offset, and what is left free before it. */
static void padded_offset(struct lw_formula *f, const uint64_t *columns)
{
    const struct lw_map *map = f->map;
    struct lw_formula_expr expr = {{0}, {0}, 0};
    lw_formula_linear(&expr, &f->dims, columns);
    if (expr.first.length) { /* the swizzle of raw is no raw yet: in one */
        lw_formula_function(f, "plain_of", &f->dims, &expr);
        lw_formula_call(&expr.first, "plain_of", &f->dims);
    } else {
        expr.first = expr.text;
        expr.text = (struct lw_text){0};
    }
    lw_text_add(&expr.text, "raw");
    for (int i = 0; i < map->as.padded.count; i++) {
        const struct lw_padding *padding = &map->as.padded.padding[i];
        int shift = lw_log2(padding->interval), worth = lw_log2(padding->size);
        lw_text_format(&expr.text, worth ? " + ((raw >> %d)" : " + (raw >> %d)", shift);
        if (worth > 0)
            lw_text_format(&expr.text, " << %d)", worth);
        else if (worth)
            lw_text_format(&expr.text, " * %llu)", (unsigned long long)padding->size);
        expr.operations += 2 + (worth != 0);
    }
    lw_formula_function(f, "offset_of", &f->dims, &expr);
}

/* The plain offset of a padded one: quotients from the longest interval down. */
static void plain_offset(struct lw_formula *f)
{
    const struct lw_map *map = f->map;
    struct lw_formula_expr expr = {{0}, {0}, 0};
    struct lw_strides sum = {.count = 0};
    for (int bit = LW_BITS_MAX - 1; bit >= 0; bit--) {
        bool starts = bit == 0;
        for (int i = 0; i < map->as.padded.count; i++)
            starts = starts || map->as.padded.padding[i].interval == (uint64_t)1 << bit;
        uint64_t size = map->as.padded.layout.in.dim[map->as.padded.dim].size;
        if (!starts || (uint64_t)1 << bit >= size)
            continue;
        sum.mode[sum.count++] =
            (struct lw_stride){2, map->as.padded.weight[bit], (uint64_t)1 << bit, 0};
    }
    for (int i = 0; i < sum.count; i++) {
        lw_text_add(&expr.text, i ? " + " : "");
        put_quotient(f, &expr, "offset", &sum, i);
        if (sum.mode[i].worth > 1)
            lw_text_format(&expr.text, " * %llu", (unsigned long long)sum.mode[i].worth);
        expr.operations += (i > 0) + (sum.mode[i].worth > 1);
    }
    if (!sum.count)
        lw_text_char(&expr.text, '0');
    lw_formula_function(f, "plain_at", &f->places, &expr);
}

bool lw_formula_of_padding(struct lw_formula *f)
{
    const struct lw_layout *layout = &f->map->as.padded.layout;
    struct lw_layout inverse;
    if (lw_layout_in_bits(layout) != lw_layout_in_log2(layout, f->map->as.padded.dim) ||
        !lw_layout_invert(&inverse, layout, NULL))
        return lw_error_set(f->err, LW_ERROR_UNSUPPORTED,
                            "no index arithmetic: padded memory that several blocks share");
    plain_offset(f);
    uint64_t plain = layout->in.dim[f->map->as.padded.dim].size;
    for (int d = 0; d < f->dims.count; d++) {
        /* The element at a plain offset, which plain_at yields. */
        struct lw_formula_vars vars = {0};
        struct lw_formula_expr expr = {{0}, {0}, 0};
        uint64_t columns[LW_BITS_MAX];
        char name[LW_NAME_MAX + 8];
        vars.at[vars.count++] = (struct lw_formula_var){"raw", plain};
        for (int i = 0; i < lw_layout_in_bits(layout); i++)
            columns[i] = layout->basis[i] >> lw_layout_out_shift(layout, d) &
                         lw_f2_mask(lw_layout_out_log2(layout, d));
        lw_formula_linear(&expr, &vars, columns);
        if (expr.first.length)
            return lw_error_set(f->err, LW_ERROR_UNSUPPORTED,
                                "no index arithmetic: swizzled memory with padding");
        lw_formula_call(&expr.first, "plain_at", &f->places);
        snprintf(name, sizeof name, "%s_at", f->dims.at[d].name);
        lw_formula_function(f, name, &f->places, &expr);
    }
    padded_offset(f, inverse.basis);
    return true;
}
