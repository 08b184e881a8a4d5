/* Numbers with the types of C: what an operator makes of two of them. */

#include "notation/cuda/cuda_parts.h"

#include <string.h>

int64_t lw_cuda_wrap(const struct lw_cuda_type *type, int64_t number)
{
    const uint64_t bits = (uint64_t)number;
    switch (type->bytes) {
    case 1:
        return type->is_unsigned ? (int64_t)(uint8_t)bits : (int8_t)bits;
    case 2:
        return type->is_unsigned ? (int64_t)(uint16_t)bits : (int16_t)bits;
    case 4:
        return type->is_unsigned ? (int64_t)(uint32_t)bits : (int32_t)bits;
    default:
        return number;
    }
}

bool lw_cuda_compute(const char *op, const struct lw_cuda_type *type, int64_t a, int64_t b,
                     int64_t *out)
{
    const bool is_unsigned = type->is_unsigned;
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    const int bits = 8 * type->bytes;
    bool overflows = false;
    switch (op[0]) {
    case '+':
        overflows = __builtin_add_overflow(a, b, out);
        break;
    case '-':
        overflows = __builtin_sub_overflow(a, b, out);
        break;
    case '*':
        overflows = __builtin_mul_overflow(a, b, out);
        break;
    case '/':
    case '%':
        if (!b || (!is_unsigned && a == INT64_MIN && b == -1))
            return false;
        if (op[0] == '/')
            *out = is_unsigned ? (int64_t)(x / y) : a / b;
        else
            *out = is_unsigned ? (int64_t)(x % y) : a % b;
        return true;
    case '&':
        *out = a & b;
        return true;
    case '|':
        *out = a | b;
        return true;
    case '^':
        *out = a ^ b;
        return true;
    case '=':
        *out = a == b;
        return true;
    case '!':
        *out = a != b;
        return true;
    default: /* < <= << > >= >> */
        if (op[1] == op[0]) {
            if (b < 0 || b >= bits)
                return false;
            *out = op[0] == '<'  ? lw_cuda_wrap(type, (int64_t)(x << b))
                   : is_unsigned ? (int64_t)(x >> b)
                                 : a >> b;
            return true;
        }
        if (op[1] == '=')
            *out = op[0] == '<' ? (is_unsigned ? x <= y : a <= b) : (is_unsigned ? x >= y : a >= b);
        else
            *out = op[0] == '<' ? (is_unsigned ? x < y : a < b) : (is_unsigned ? x > y : a > b);
        return true;
    }
    if (is_unsigned) {
        *out = lw_cuda_wrap(type, (int64_t)(op[0] == '+' ? x + y : op[0] == '-' ? x - y : x * y));
        return true;
    }
    return !overflows && (type->bytes == 8 || *out == (int32_t)*out);
}

bool lw_cuda_is_comparison(const char *op)
{
    return !strcmp(op, "==") || !strcmp(op, "!=") ||
           ((op[0] == '<' || op[0] == '>') && op[1] != op[0]);
}

int64_t lw_cuda_of_bits(const char *name, int64_t number)
{
    uint32_t bits = (uint32_t)number, reversed = 0;
    if (!strcmp(name, "__popc"))
        return __builtin_popcount(bits);
    if (!strcmp(name, "__clz"))
        return bits ? __builtin_clz(bits) : 32;
    if (!strcmp(name, "__ffs"))
        return __builtin_ffs((int)bits);
    if (!strcmp(name, "abs"))
        return number < 0 ? -number : number;
    for (int i = 0; i < 32; i++)
        reversed |= (bits >> i & 1) << (31 - i);
    return reversed;
}
