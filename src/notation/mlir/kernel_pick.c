/* The type of one value or of one line: `kernel.ttgir:%12`, `kernel.ttgir:37`. */

#include "notation/mlir/kernel_parts.h"

#include <string.h>

/* Type number k among those of that role in the signature; empty: there are fewer. */
static struct lw_span type_at(const struct lw_operation_text *op, enum lw_type_role where,
                              int64_t k)
{
    for (size_t i = 0; i < op->type_count; i++)
        if (op->types[i].where == where && k-- == 0)
            return op->types[i].span;
    return (struct lw_span){"", 0};
}

static size_t types_at(const struct lw_operation_text *op, enum lw_type_role where)
{
    size_t count = 0;
    for (size_t i = 0; i < op->type_count; i++)
        count += op->types[i].where == where;
    return count;
}

/* The type of result k; of operations that print no type of results, that of an operand. */
static struct lw_span result_type(const struct lw_operation_text *op, int64_t k)
{
    if (types_at(op, LW_TYPE_RESULT))
        return type_at(op, LW_TYPE_RESULT, k);
    if (k == 0 && lw_span_is(op->name, "arith.select"))
        return type_at(op, LW_TYPE_OPERAND, (int64_t)types_at(op, LW_TYPE_OPERAND) - 1);
    return type_at(op, LW_TYPE_OPERAND, k);
}

/* The value to find: `%r#1` is number 1 of `%r:2`. */
struct picked_value {
    struct lw_span name;
    int64_t number;
};

static bool is_picked(const struct picked_value *picked_value, struct lw_span name)
{
    return name.length && name.length == picked_value->name.length &&
           !memcmp(name.at, picked_value->name.at, name.length);
}

static bool find_picked(const struct lw_kernel_builder *builder, struct picked_value *picked_value)
{
    const struct lw_kernel_options *options = builder->options;
    if (!options || !options->value || builder->kernel->picked >= 0)
        return false;
    const char *p = options->value;
    picked_value->name = lw_next_value(&p, p + strlen(p), &picked_value->number);
    picked_value->number = picked_value->number < 0 ? 0 : picked_value->number;
    return picked_value->name.length;
}

static void pick(struct lw_kernel_builder *builder, struct lw_span type,
                 struct lw_position position)
{
    builder->kernel->picked_plain = true;
    if (type.length)
        builder->kernel->picked = lw_builder_type(builder, type, position);
}

/* Searches the results. */
static void pick_result(struct lw_kernel_builder *builder, const struct picked_value *picked_value,
                        struct lw_position position)
{
    const struct lw_operation_text *op = &builder->op;
    const char *p = op->results.at, *end = op->results.length ? p + op->results.length : p;
    for (int64_t first = 0, count; p && p < end;) {
        struct lw_span name = lw_next_value(&p, end, &count);
        count = count < 0 ? 1 : count;
        if (is_picked(picked_value, name) && picked_value->number < count)
            pick(builder, result_type(op, first + picked_value->number), position);
        first += count;
    }
}

/* Searches the values that a loop carries: `iter_args(%a = %b) -> (type)`, `scf.while (%a = %b) : (type)`. */
static void pick_carried(struct lw_kernel_builder *builder, const struct picked_value *picked_value,
                         struct lw_position position)
{
    const struct lw_operation_text *op = &builder->op;
    bool one = lw_span_is(op->name, "scf.for");
    const char *p = op->body.at, *end = p + op->body.length;
    int64_t ignored, k = 0;
    if (!lw_operation_is_loop(op))
        return;
    while (p < end && *p != '(')
        p++;
    const char *stop = p + lw_bracketed(p, end);
    while (p < stop) {
        struct lw_span name = lw_next_value(&p, stop, &ignored);
        const char *after = p;
        while (after < stop && *after == ' ')
            after++;
        if (after >= stop || *after != '=')
            continue;
        if (is_picked(picked_value, name))
            pick(builder, type_at(op, one ? LW_TYPE_RESULT : LW_TYPE_OPERAND, k), position);
        k++;
    }
}

void lw_builder_pick_value(struct lw_kernel_builder *builder, struct lw_position position)
{
    struct picked_value picked_value;
    if (!find_picked(builder, &picked_value))
        return;
    const struct lw_operation_text *op = &builder->op;
    pick_result(builder, &picked_value, position);
    for (size_t i = 0; i < op->type_count; i++)
        if (op->types[i].where == LW_TYPE_ARGUMENT && is_picked(&picked_value, op->types[i].value))
            pick(builder, op->types[i].span, position);
    pick_carried(builder, &picked_value, position);
}

void lw_builder_pick_line(struct lw_kernel_builder *builder, struct lw_position position)
{
    struct lw_kernel *kernel = builder->kernel;
    if (!builder->options || builder->options->line != position.line || kernel->picked >= 0)
        return;
    int result = -1, first = -1, second = -1;
    for (size_t i = 0; i < builder->op.type_count; i++) {
        const struct lw_type_span *span = &builder->op.types[i];
        int type =
            span->where == LW_TYPE_ARGUMENT ? -1 : lw_builder_type(builder, span->span, position);
        if (type < 0)
            continue;
        if (span->where == LW_TYPE_RESULT && result < 0)
            result = type;
        else if (first < 0)
            first = type;
        else if (second < 0 && type != first)
            second = type;
    }
    kernel->picked = first >= 0 ? first : result;
    kernel->picked_with = first < 0 ? -1 : result >= 0 ? result : second;
}
