/* Shapes, coordinates and indices of CuTe. Source: int_tuple.hpp, stride.hpp and tuple_algorithms.hpp of CUTLASS 4;
 * which results are static is that of integral_constant.hpp. */

#include "encoding/cute/cute_parts.h"

/* ---- Integers ---- */

static bool is_zero(const struct lw_cute_tuple *a)
{
    return a->fixed && a->value == 0;
}

bool lw_cute_plus(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                  const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple sum = lw_cute_integer(0, a->fixed && b->fixed);
    if (__builtin_add_overflow(a->value, b->value, &sum.value) || sum.value > LW_CUTE_MAX ||
        sum.value < -LW_CUTE_MAX)
        return lw_cute_too_large(work, "a sum");
    *out = sum;
    return true;
}

bool lw_cute_times(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                   const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple product =
        lw_cute_integer(0, (a->fixed && b->fixed) || is_zero(a) || is_zero(b));
    if (__builtin_mul_overflow(a->value, b->value, &product.value) || product.value > LW_CUTE_MAX ||
        product.value < -LW_CUTE_MAX)
        return lw_cute_too_large(work, "a product");
    product.axis = a->axis ? a->axis : b->axis;
    *out = product;
    return true;
}

static bool need_divisor(struct lw_cute_work *work, const struct lw_cute_tuple *b)
{
    return b->value != 0 ||
           lw_error_at(work->err, LW_ERROR_PARAMETER, b->position, "a division by 0");
}

bool lw_cute_divided(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    if (!need_divisor(work, b))
        return false;
    *out = lw_cute_integer(a->value / b->value, (a->fixed && b->fixed) || is_zero(a));
    return true;
}

bool lw_cute_modulo(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                    const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    if (!need_divisor(work, b))
        return false;
    bool one = b->fixed && (b->value == 1 || b->value == -1);
    *out = lw_cute_integer(a->value % b->value, (a->fixed && b->fixed) || is_zero(a) || one);
    return true;
}

/* ---- Trees ---- */

/* Fails: a tuple where an integer is needed, or ranks that differ. */
static bool mismatch(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                     const struct lw_cute_tuple *b)
{
    return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                       "%d items against %d: CuTe needs as many on both sides", lw_cute_rank(a),
                       lw_cute_rank(b));
}

static bool same_rank(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b)
{
    return (b->count >= 0 && a->count == b->count) || mismatch(work, a, b);
}

/* An operation on two trees, item by item. */
typedef bool pair_operation(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                            const struct lw_cute_tuple *b, struct lw_cute_tuple *out);

static bool each_pair(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, pair_operation *operation,
                      struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    struct lw_cute_tuple *items = lw_cute_new_items(work, a->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!operation(work, &a->items[i], &b->items[i], &items[i]))
            return false;
    *out = made;
    return true;
}

/* ---- Questions ---- */

bool lw_cute_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = (a->count < 0 && b->count < 0) || a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_congruent(&a->items[i], &b->items[i]);
    return same;
}

bool lw_cute_weakly_congruent(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = a->count < 0 || a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_weakly_congruent(&a->items[i], &b->items[i]);
    return same;
}

bool lw_cute_compatible(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b)
{
    bool same = a->count < 0 ? a->value == lw_cute_product(b) : a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = lw_cute_compatible(&a->items[i], &b->items[i]);
    return same;
}

/* ---- Arithmetic ---- */

bool lw_cute_product_of(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple product = lw_cute_integer(1, true), item;
    if (a->count < 0) {
        *out = lw_cute_integer(a->value, a->fixed);
        return true;
    }
    for (int i = 0; i < a->count; i++) {
        if (!lw_cute_product_of(work, &a->items[i], &item))
            return false;
        if (i == 0)
            product = item;
        else if (!lw_cute_times(work, &product, &item, &product))
            return false;
    }
    *out = product;
    return true;
}

bool lw_cute_product_each(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(a);
    struct lw_cute_tuple made, *items = lw_cute_new_items(work, rank, &made);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++)
        if (!lw_cute_product_of(work, lw_cute_item(a, i), &items[i]))
            return false;
    *out = made;
    return true;
}

bool lw_cute_divided_up(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                        const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    bool rounds = a->value > 0 && b->value > 0; /* else as in C++: (a + b - 1) / b */
    struct lw_cute_tuple sum = lw_cute_integer(a->value - 1, a->fixed && b->fixed);
    if (!rounds && !lw_cute_plus(work, &sum, b, &sum))
        return false;
    if (!lw_cute_divided(work, &sum, b, out))
        return false;
    out->value += rounds;
    return true;
}

/* Whether one of two integers divides the other, or the rules do not check it. */
static bool divides(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                    const struct lw_cute_tuple *b)
{
    if (!need_divisor(work, b))
        return false;
    if (a->value % b->value == 0 || (a->value && b->value % a->value == 0) ||
        (work->rules == LW_CUTE_UNCHECKED && !(a->fixed && b->fixed)))
        return true;
    return lw_error_at(work->err, LW_ERROR_SHAPE, b->position,
                       "shape_div: %lld and %lld: one must divide the other%s", (long long)a->value,
                       (long long)b->value,
                       a->fixed && b->fixed ? "" : "; CuTe rounds up where one is not static");
}

static bool divide_integers(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                            const struct lw_cute_tuple *b, bool exact, struct lw_cute_tuple *out)
{
    return (!exact || divides(work, a, b)) && lw_cute_divided_up(work, a, b, out);
}

/* Divides a tuple by an integer: the items from the left on, each by the part of the divisor that is left. */
static bool fold_division(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *b, bool exact, struct lw_cute_tuple *out);

static bool divide_trees(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                         const struct lw_cute_tuple *b, bool exact, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_tuple whole, made;
    if (a->count < 0)
        return lw_cute_product_of(work, b, &whole) && divide_integers(work, a, &whole, exact, out);
    if (b->count < 0)
        return fold_division(work, a, b, exact, out);
    if (b->count > a->count || (exact && b->count != a->count))
        return mismatch(work, a, b);
    struct lw_cute_tuple *items = lw_cute_new_items(work, a->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!divide_trees(work, &a->items[i], i < b->count ? &b->items[i] : &one, exact, &items[i]))
            return false;
    *out = made;
    return true;
}

static bool fold_division(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                          const struct lw_cute_tuple *b, bool exact, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, rest = lw_cute_integer(b->value, b->fixed);
    struct lw_cute_tuple *items = lw_cute_new_items(work, a->count, &made);
    if (!items)
        return false;
    rest.position = b->position;
    for (int i = 0; i < a->count; i++)
        if (!divide_trees(work, &a->items[i], &rest, exact, &items[i]) ||
            !divide_trees(work, &rest, &a->items[i], exact, &rest))
            return false;
    *out = made;
    return true;
}

bool lw_cute_ceil_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    return divide_trees(work, a, b, false, out);
}

bool lw_cute_shape_div(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                       const struct lw_cute_tuple *b, struct lw_cute_tuple *out)
{
    return divide_trees(work, a, b, true, out);
}

/* ---- Coordinates to indices ---- */

/* The index of a number in modes from `from` on. */
static bool number_to_index(struct lw_cute_work *work, const struct lw_cute_tuple *number,
                            const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                            struct lw_cute_tuple *out)
{
    struct lw_cute_tuple left = lw_cute_integer(number->value, number->fixed), sum, at, size, index;
    for (int i = 0; i < shape->count; i++) {
        bool last = i == shape->count - 1;
        at = left;
        if (!last && !is_zero(&left) &&
            (!lw_cute_product_of(work, &shape->items[i], &size) ||
             !lw_cute_modulo(work, &left, &size, &at) ||
             !lw_cute_divided(work, &left, &size, &left)))
            return false;
        if (!lw_cute_crd2idx(work, &at, &shape->items[i], &stride->items[i], &index))
            return false;
        if (i == 0)
            sum = index;
        else if (!lw_cute_plus(work, &sum, &index, &sum))
            return false;
    }
    *out = sum;
    return shape->count > 0 || mismatch(work, number, shape);
}

static bool tuple_to_index(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                           const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                           struct lw_cute_tuple *out)
{
    struct lw_cute_tuple sum, index;
    if (!same_rank(work, coordinate, shape) || coordinate->count == 0)
        return coordinate->count == 0 ? mismatch(work, coordinate, shape) : false;
    for (int i = 0; i < coordinate->count; i++) {
        if (!lw_cute_crd2idx(work, &coordinate->items[i], &shape->items[i], &stride->items[i],
                             &index))
            return false;
        if (i == 0)
            sum = index;
        else if (!lw_cute_plus(work, &sum, &index, &sum))
            return false;
    }
    *out = sum;
    return true;
}

/* The number of a coordinate of integers: i0 + s0 (i1 + s1 (...)). */
static bool horner(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                   const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple sum = coordinate->items[coordinate->count - 1];
    sum = lw_cute_integer(sum.value, sum.fixed);
    for (int i = coordinate->count - 2; i >= 0; i--)
        if (!lw_cute_times(work, &shape->items[i], &sum, &sum) ||
            !lw_cute_plus(work, &coordinate->items[i], &sum, &sum))
            return false;
    *out = sum;
    return true;
}

/* The sizes of a shape, with the profile of a coordinate. (product_like) */
static bool product_like(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                         const struct lw_cute_tuple *shape, struct lw_cute_tuple *out)
{
    if (coordinate->count < 0)
        return lw_cute_product_of(work, shape, out);
    return same_rank(work, coordinate, shape) &&
           each_pair(work, coordinate, shape, product_like, out);
}

bool lw_cute_crd2idx(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple flat, sizes;
    if (stride && !lw_cute_congruent(shape, stride))
        return mismatch(work, shape, stride);
    if (stride && shape->count < 0)
        return coordinate->count < 0 ? lw_cute_times(work, coordinate, stride, out)
                                     : mismatch(work, coordinate, shape);
    if (stride)
        return (coordinate->count < 0 ? number_to_index : tuple_to_index)(work, coordinate, shape,
                                                                          stride, out);
    if (coordinate->count < 0) {
        *out = lw_cute_integer(coordinate->value, coordinate->fixed);
        return true;
    }
    return same_rank(work, coordinate, shape) && product_like(work, coordinate, shape, &sizes) &&
           lw_cute_flatten_tuple(work, coordinate, &flat) &&
           lw_cute_flatten_tuple(work, &sizes, &sizes) && horner(work, &flat, &sizes, out);
}

/* ---- Indices to coordinates ---- */

/* Splits number *left into the coordinate in a shape, and sets *left to the quotient. The last mode of all has no
 * bound. */
static bool split(struct lw_cute_work *work, struct lw_cute_tuple *left,
                  const struct lw_cute_tuple *shape, bool last, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made, size, at;
    if (shape->count < 0) {
        if (last || is_zero(left)) {
            *out = *left;
            return true;
        }
        size = *shape;
        if (!lw_cute_modulo(work, left, &size, &at) || !lw_cute_divided(work, left, &size, left))
            return false;
        *out = at;
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    if (!items)
        return false;
    /* a mode of modes is split as a whole: its own number first */
    struct lw_cute_tuple own = *left;
    if (!last && !is_zero(left) &&
        (!lw_cute_product_of(work, shape, &size) || !lw_cute_modulo(work, left, &size, &own) ||
         !lw_cute_divided(work, left, &size, left)))
        return false;
    for (int i = 0; i < shape->count; i++)
        if (!split(work, &own, &shape->items[i], i == shape->count - 1, &items[i]))
            return false;
    *out = made;
    return true;
}

static bool with_stride(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                        const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                        struct lw_cute_tuple *out)
{
    struct lw_cute_tuple made;
    if (shape->count < 0) {
        if (index->count >= 0 || stride->count >= 0)
            return mismatch(work, index, shape);
        if (shape->fixed && shape->value == 1) {
            *out = lw_cute_integer(0, true);
            return true;
        }
        return lw_cute_divided(work, index, stride, &made) &&
               lw_cute_modulo(work, &made, shape, out);
    }
    if (!same_rank(work, shape, stride) || (index->count >= 0 && !same_rank(work, index, shape)))
        return false;
    struct lw_cute_tuple *items = lw_cute_new_items(work, shape->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < shape->count; i++)
        if (!with_stride(work, index->count < 0 ? index : &index->items[i], &shape->items[i],
                         &stride->items[i], &items[i]))
            return false;
    *out = made;
    return true;
}

bool lw_cute_idx2crd(struct lw_cute_work *work, const struct lw_cute_tuple *index,
                     const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple left = lw_cute_integer(index->value, index->fixed), made;
    if (stride)
        return with_stride(work, index, shape, stride, out);
    if (index->count < 0)
        return split(work, &left, shape, true, out);
    if (!same_rank(work, index, shape))
        return false;
    struct lw_cute_tuple *items = lw_cute_new_items(work, index->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < index->count; i++)
        if (!lw_cute_idx2crd(work, &index->items[i], &shape->items[i], NULL, &items[i]))
            return false;
    *out = made;
    return true;
}

bool lw_cute_crd2crd(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     const struct lw_cute_tuple *from, const struct lw_cute_tuple *to,
                     struct lw_cute_tuple *out)
{
    struct lw_cute_tuple index, made;
    if (coordinate->count < 0 || from->count < 0 || to->count < 0)
        return lw_cute_crd2idx(work, coordinate, from, NULL, &index) &&
               lw_cute_idx2crd(work, &index, to, NULL, out);
    if (!same_rank(work, coordinate, from) || !same_rank(work, coordinate, to))
        return false;
    struct lw_cute_tuple *items = lw_cute_new_items(work, coordinate->count, &made);
    if (!items)
        return false;
    for (int i = 0; i < coordinate->count; i++)
        if (!lw_cute_crd2crd(work, &coordinate->items[i], &from->items[i], &to->items[i],
                             &items[i]))
            return false;
    *out = made;
    return true;
}
