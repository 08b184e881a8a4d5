/*
 * Integers that are known while a kernel is read: constants, values that the options set, and results computed from
 * these, for the bounds of loops. Invariant: the first `set_count` names are those of the options; they keep their
 * values. A name may be defined again in another region, so a definition whose value is unknown removes the earlier
 * value.
 */

#include "notation/mlir/kernel_parts.h"

#include <string.h>

#define UNKNOWN INT64_MIN
#define VALUE_MAX ((int64_t)1 << 62)

static bool keep(struct lw_kernel_builder *builder, struct lw_span name, int64_t value,
                 uint64_t from)
{
    size_t number = lw_intern_add(&builder->constants, name.at, name.length);
    if (number == SIZE_MAX || number < builder->set_count)
        return true;
    if (!lw_builder_reserve(builder, &builder->constant_values, &builder->constant_room, number,
                            sizeof *builder->constant_values))
        return false;
    builder->constant_values[number] = (struct lw_known){value, from};
    return true;
}

/* Notes that a value which the options set is in the text. */
static void found(struct lw_kernel_builder *builder, size_t number)
{
    const struct lw_kernel_options *options = builder->options;
    for (size_t i = 0; options && i < options->trips_count && i < 64; i++)
        if (options->trips[i].name &&
            !strcmp(builder->constants.names[number] + 1, options->trips[i].name))
            builder->kernel->values_found |= (uint64_t)1 << i;
}

static void set_unknown(struct lw_kernel_builder *builder, struct lw_span name)
{
    size_t number = lw_intern_find(&builder->constants, name.at, name.length);
    if (number == SIZE_MAX)
        return;
    if (number < builder->set_count)
        found(builder, number);
    else
        builder->constant_values[number].value = UNKNOWN;
}

bool lw_builder_begin_constants(struct lw_kernel_builder *builder)
{
    const struct lw_kernel_options *options = builder->options;
    const char *p = builder->op.body.at, *end = p + builder->op.body.length;
    int64_t ignored;
    builder->set_count = 0;
    lw_intern_clear(&builder->constants);
    for (size_t i = 0; options && i < options->trips_count; i++) {
        char name[128];
        if (!options->trips[i].name)
            continue;
        int length = snprintf(name, sizeof name, "%%%s", options->trips[i].name);
        if (length < (int)sizeof name &&
            !keep(builder, (struct lw_span){name, (size_t)length}, (int64_t)options->trips[i].count,
                  i < 64 ? (uint64_t)1 << i : 0))
            return false;
    }
    builder->set_count = builder->constants.count;
    for (struct lw_span name; (name = lw_next_value(&p, end, &ignored)).length > 0;)
        set_unknown(builder, name);
    return true;
}

/* The value of the name that comes next in a text; false: it is not known. Adds to *from the options that it is
 * computed from. */
static bool next_known(struct lw_kernel_builder *builder, const char **at, const char *end,
                       int64_t *value, uint64_t *from)
{
    int64_t ignored;
    struct lw_span name = lw_next_value(at, end, &ignored);
    size_t number =
        name.length ? lw_intern_find(&builder->constants, name.at, name.length) : SIZE_MAX;
    if (number == SIZE_MAX || builder->constant_values[number].value == UNKNOWN)
        return false;
    *value = builder->constant_values[number].value;
    *from |= builder->constant_values[number].from;
    return true;
}

/* `64 : i32`; false: no integer. */
static bool read_integer(struct lw_span body, int64_t *value)
{
    const char *p = body.at, *end = p + body.length;
    while (p < end && *p == ' ')
        p++;
    bool negative = p < end && *p == '-';
    p += negative;
    if (p >= end || *p < '0' || *p > '9')
        return false;
    for (*value = 0; p < end && *p >= '0' && *p <= '9'; p++) {
        if (*value > (INT64_MAX - 9) / 10)
            return false;
        *value = *value * 10 + (*p - '0');
    }
    *value = negative ? -*value : *value;
    return p >= end || (*p != '.' && *p != 'e' && *p != 'x');
}

static int64_t ceil_of(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/* The result of an operation. Division is of a number that is not negative by a positive one. */
static int64_t compute(struct lw_span name, int64_t a, int64_t b)
{
    int64_t result;
    bool divides = a >= 0 && b > 0, shifts = a >= 0 && b >= 0 && b < 62;
    const char *op = name.at + sizeof "arith." - 1;
    struct lw_span tail = {op, name.length - (sizeof "arith." - 1)};
    if (lw_span_is(tail, "addi"))
        return __builtin_add_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "subi"))
        return __builtin_sub_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "muli"))
        return __builtin_mul_overflow(a, b, &result) ? UNKNOWN : result;
    if (lw_span_is(tail, "divsi") || lw_span_is(tail, "divui") || lw_span_is(tail, "floordivsi"))
        return divides ? a / b : UNKNOWN;
    if (lw_span_is(tail, "remsi") || lw_span_is(tail, "remui"))
        return divides ? a % b : UNKNOWN;
    if (lw_span_is(tail, "ceildivsi") || lw_span_is(tail, "ceildivui"))
        return divides ? ceil_of(a, b) : UNKNOWN;
    if (lw_span_is(tail, "maxsi"))
        return a > b ? a : b;
    if (lw_span_is(tail, "minsi"))
        return a < b ? a : b;
    if (lw_span_is(tail, "shli"))
        return shifts && a <= VALUE_MAX >> b ? a << b : UNKNOWN;
    if (lw_span_is(tail, "shrsi") || lw_span_is(tail, "shrui"))
        return shifts ? a >> b : UNKNOWN;
    if (lw_span_is(tail, "andi"))
        return a & b;
    return UNKNOWN;
}

static bool is_cast(struct lw_span name)
{
    return lw_span_is(name, "arith.extsi") || lw_span_is(name, "arith.extui") ||
           lw_span_is(name, "arith.trunci") || lw_span_is(name, "arith.index_cast");
}

bool lw_builder_fold(struct lw_kernel_builder *builder)
{
    const struct lw_operation_text *op = &builder->op;
    int64_t a, b, value = UNKNOWN, ignored;
    uint64_t from = 0;
    if (!op->results.length)
        return true;
    const char *p = op->body.at, *end = p ? p + op->body.length : p;
    const char *q = op->results.at, *last = q + op->results.length;
    struct lw_span result = lw_next_value(&q, last, &ignored);
    if (lw_span_is(op->name, "arith.constant")) {
        if (!read_integer(op->body, &value))
            value = UNKNOWN;
    } else if (lw_starts(op->name.at, op->name.length, "arith.") &&
               next_known(builder, &p, end, &a, &from)) {
        if (is_cast(op->name))
            value = a;
        else if (next_known(builder, &p, end, &b, &from))
            value = compute(op->name, a, b);
    }
    set_unknown(builder, result);
    for (struct lw_span other; (other = lw_next_value(&q, last, &ignored)).length > 0;)
        set_unknown(builder, other);
    if (value == UNKNOWN || value > VALUE_MAX || value < -VALUE_MAX)
        return true;
    return keep(builder, result, value, from);
}

bool lw_builder_known_trips(struct lw_kernel_builder *builder, uint64_t *trips)
{
    const char *p = builder->op.body.at, *end = p + builder->op.body.length;
    int64_t from, to, by, ignored;
    uint64_t used = 0;
    struct lw_span index = lw_next_value(&p, end, &ignored);
    if (!lw_span_is(builder->op.name, "scf.for") || index.length == 0)
        return false;
    set_unknown(builder, index);
    bool known = next_known(builder, &p, end, &from, &used);
    known = next_known(builder, &p, end, &to, &used) && known;
    known = next_known(builder, &p, end, &by, &used) && known && by > 0;
    if (known)
        builder->kernel->values_used |= used;
    if (known)
        *trips = to > from ? ((uint64_t)to - (uint64_t)from - 1) / (uint64_t)by + 1 : 0;
    for (struct lw_span name; (name = lw_next_value(&p, end, &ignored)).length > 0;)
        if (end - p > 2 && !memcmp(p, " = ", 3)) /* an argument of its region */
            set_unknown(builder, name);
    return known;
}
