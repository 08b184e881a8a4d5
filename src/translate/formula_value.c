/*
 * The value of index arithmetic, computed as its language does it. A value has 128 bits and is reduced to the
 * language's integer width, if it has one, after each operation. An operation that the language does not define has no
 * value: a number too large for its integers, a shift by their width or more, a division by zero, an index beyond a
 * table, and more than 127 bits in Python.
 */

#include "translate/formula_parts.h"

__extension__ typedef __int128 number;

struct frame {
    const struct lw_formula *f;
    int word; /* bits of an integer; 0: no limit */
    const number *arguments;
    number raw;
};

static number wrapped(const struct frame *frame, number value)
{
    return frame->word ? value & (((number)1 << frame->word) - 1) : value;
}

/* Rounded down, as Python does. */
static bool divide(number a, number b, number *quotient, number *rest)
{
    if (b <= 0)
        return false;
    *quotient = a / b - (a % b < 0);
    *rest = a - *quotient * b;
    return true;
}

static bool shift(const struct frame *frame, enum lw_formula_op op, number a, number b, number *out)
{
    number rest;
    if (b < 0 || b >= (frame->word ? frame->word : 64))
        return false;
    return op == LW_FORMULA_LEFT ? !__builtin_mul_overflow(a, (number)1 << b, out)
                                 : divide(a, (number)1 << b, out, &rest);
}

static bool operate(const struct frame *frame, enum lw_formula_op op, number a, number b,
                    number *out)
{
    number other;
    switch (op) {
    case LW_FORMULA_ADD:
        return !__builtin_add_overflow(a, b, out);
    case LW_FORMULA_SUBTRACT:
        return !__builtin_sub_overflow(a, b, out);
    case LW_FORMULA_MULTIPLY:
        return !__builtin_mul_overflow(a, b, out);
    case LW_FORMULA_DIVIDE:
        return divide(a, b, out, &other);
    case LW_FORMULA_MODULO:
        return divide(a, b, &other, out);
    case LW_FORMULA_AND:
        *out = a & b;
        return true;
    case LW_FORMULA_OR:
        *out = a | b;
        return true;
    case LW_FORMULA_XOR:
        *out = a ^ b;
        return true;
    case LW_FORMULA_LEFT:
    case LW_FORMULA_RIGHT:
        return shift(frame, op, a, b, out);
    case LW_FORMULA_BELOW:
        *out = a >= 0 && a < b;
        return true;
    case LW_FORMULA_EQUAL:
        *out = a == b;
        return true;
    default:
        return false;
    }
}

static bool value_of(const struct frame *frame, const struct lw_formula_node *node, number *value);

static bool result_of(const struct frame *caller, const struct lw_formula_function *function,
                      const number *arguments, number *value)
{
    struct frame frame = {caller->f, caller->word, arguments, 0};
    for (int i = 0; i < function->expr.steps; i++)
        if (!value_of(&frame, function->expr.step[i], &frame.raw))
            return false;
    return value_of(&frame, function->expr.value, value);
}

/* A function calls only functions before it, so the recursion ends. */
static bool call(const struct frame *frame, const struct lw_formula_node *node, number *value)
{
    number arguments[LW_FORMULA_VARS];
    int count = 0;
    for (const struct lw_formula_node *a = node->left; a; a = a->right)
        if (!value_of(frame, a->left, &arguments[count++]))
            return false;
    return result_of(frame, &frame->f->function[node->number], arguments, value);
}

static bool look_up(const struct frame *frame, const struct lw_formula_node *node, number *value)
{
    const struct lw_formula_table *table = &frame->f->table[node->number];
    number at;
    if (!value_of(frame, node->left, &at) || at < 0 || at >= (number)table->count)
        return false;
    *value = table->entries[(uint64_t)at];
    return true;
}

static bool value_of(const struct frame *frame, const struct lw_formula_node *node, number *value)
{
    number left, right;
    switch (node->op) {
    case LW_FORMULA_NUMBER:
        *value = node->number;
        return wrapped(frame, *value) == *value;
    case LW_FORMULA_VARIABLE:
        *value = frame->arguments[node->number];
        return true;
    case LW_FORMULA_RAW:
        *value = frame->raw;
        return true;
    case LW_FORMULA_CALL:
        return call(frame, node, value);
    case LW_FORMULA_LOOKUP:
        return look_up(frame, node, value);
    case LW_FORMULA_BOTH: /* the right is not evaluated when the left is false */
        return value_of(frame, node->left, value) &&
               (!*value || value_of(frame, node->right, value));
    default:
        if (!value_of(frame, node->left, &left) || !value_of(frame, node->right, &right) ||
            !operate(frame, node->op, left, right, value))
            return false;
        *value = wrapped(frame, *value);
        return true;
    }
}

bool lw_formula_evaluate(const struct lw_formula *f, const struct lw_formula_language *language,
                         const struct lw_formula_function *function, const uint64_t *arguments,
                         uint64_t *value)
{
    struct frame frame = {f, !*language->type ? 0 : f->wide ? 64 : 32, NULL, 0};
    number values[LW_FORMULA_VARS], result;
    for (int i = 0; i < function->vars.count; i++)
        values[i] = wrapped(&frame, arguments[i]);
    if (!result_of(&frame, function, values, &result) || result < 0 || result > UINT64_MAX)
        return false;
    *value = (uint64_t)result;
    return true;
}

bool lw_formula_value(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const char *function, const uint64_t *arguments, uint64_t *value)
{
    int found = lw_formula_find(formula, function);
    return found >= 0 &&
           lw_formula_evaluate(formula, language, &formula->function[found], arguments, value);
}
