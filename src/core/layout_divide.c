/* Taking factors out of linear layouts. A candidate for the quotient is read from the bases, and
 * checked by the product. Source: divideLeft, divideRight, isTrivialOver and quotient of Triton's
 * LinearLayout.cpp, squareSublayoutIsIdentity of its LayoutUtils.cpp. */

#include "core/dims_copy.h"
#include "laneway/algebra.h"

#include <string.h>

/* ---- Division ---- */

/* The dims of a, each divided by its size in b. */
static bool divide_dims(struct lw_dims *out, const struct lw_dims *a, const struct lw_dims *b,
                        const char *what, struct lw_error *err)
{
    struct lw_dims made;
    lw_dims_copy(&made, a);
    for (int i = 0; i < b->count; i++) {
        const struct lw_dim *divisor = &b->dim[i];
        int d = lw_dims_find(a, divisor->name);
        if (d < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "%s: the layout lacks the dim '%s' of the divisor", what,
                                divisor->name);
        if (divisor->size > made.dim[d].size)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "%s: dim '%s' has size %llu, in the divisor %llu", what,
                                divisor->name, (unsigned long long)made.dim[d].size,
                                (unsigned long long)divisor->size);
        made.dim[d].size /= divisor->size;
    }
    lw_dims_copy(out, &made);
    return true;
}

/* Reports the first basis of a that differs from that of the product. */
static bool add_difference(const struct lw_layout *product, const struct lw_layout *a,
                           const char *what, struct lw_error *err)
{
    if (!lw_dims_equal(&product->in, &a->in) || !lw_dims_equal(&product->out, &a->out))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "%s: the dims of the divisor are in another order", what);
    int bit = 0;
    while (product->basis[bit] == a->basis[bit])
        bit++;
    int d = a->in.count - 1;
    while (lw_layout_in_shift(a, d) > bit)
        d--;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "%s: %s=%llu is not a product of the divisor and a rest", what,
                        a->in.dim[d].name, 1ULL << (bit - lw_layout_in_shift(a, d)));
}

static bool divide(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                   bool left, struct lw_error *err)
{
    const char *what = left ? "divideLeft" : "divideRight";
    struct lw_layout rest, product;
    struct lw_dims in, outs;
    if (!divide_dims(&in, &a->in, &b->in, what, err) ||
        !divide_dims(&outs, &a->out, &b->out, what, err))
        return false;
    lw_layout_start(&rest, &in, &outs);
    for (int d = 0, to = 0; d < a->in.count; d++) {
        int skipped = left ? lw_log2(lw_dims_size(&b->in, a->in.dim[d].name)) : 0;
        for (int i = 0; i < lw_layout_in_log2(&rest, d); i++) {
            uint64_t image[LW_DIMS_MAX];
            lw_layout_basis(a, d, skipped + i, image);
            for (int o = 0; o < a->out.count; o++) {
                if (left)
                    image[o] /= lw_dims_size(&b->out, a->out.dim[o].name);
                else
                    image[o] &= rest.out.dim[o].size - 1;
            }
            rest.basis[to++] = lw_dims_flatten(&rest.out, image);
        }
    }
    if (!lw_layout_product(&product, left ? b : &rest, left ? &rest : b, err))
        return false;
    if (!lw_layout_equal(&product, a))
        return add_difference(&product, a, what, err);
    lw_layout_copy(out, &rest);
    return true;
}

bool lw_layout_divide_left(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err)
{
    return divide(out, a, b, true, err);
}

bool lw_layout_divide_right(struct lw_layout *out, const struct lw_layout *a,
                            const struct lw_layout *b, struct lw_error *err)
{
    return divide(out, a, b, false, err);
}

/* ---- Trivial dims ---- */

static bool among(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* The names in `dims` that are (or, with `others`, are not) among the names. */
static int choose(const struct lw_dims *dims, const char *const *names, int count, bool others,
                  const char *chosen[LW_DIMS_MAX])
{
    int n = 0;
    for (int i = 0; i < dims->count; i++)
        if (among(dims->dim[i].name, names, count) != others)
            chosen[n++] = dims->dim[i].name;
    return n;
}

bool lw_layout_sublayout_is_zero(const struct lw_layout *layout, const char *const *ins,
                                 int in_count, const char *const *outs, int out_count)
{
    uint64_t seen = 0, looked = 0;
    for (int d = 0; d < layout->in.count; d++)
        for (int i = 0; i < lw_layout_in_log2(layout, d); i++)
            if (among(layout->in.dim[d].name, ins, in_count))
                seen |= layout->basis[lw_layout_in_shift(layout, d) + i];
    for (int d = 0; d < layout->out.count; d++)
        for (int i = 0; i < lw_layout_out_log2(layout, d); i++)
            if (among(layout->out.dim[d].name, outs, out_count))
                looked |= (uint64_t)1 << (lw_layout_out_shift(layout, d) + i);
    return !(seen & looked);
}

bool lw_layout_square_is_identity(const struct lw_layout *layout, const char *const *names,
                                  int count)
{
    struct lw_layout square;
    for (int i = 0; i < count; i++) {
        int in = lw_dims_find(&layout->in, names[i]), out = lw_dims_find(&layout->out, names[i]);
        if (in < 0 || out < 0 || layout->in.dim[in].size != layout->out.dim[out].size)
            return false;
    }
    if (!lw_layout_sublayout(&square, layout, names, count, names, count, NULL))
        return false;
    for (int i = 0; i < lw_layout_in_bits(&square); i++)
        if (square.basis[i] != (uint64_t)1 << i)
            return false;
    return true;
}

bool lw_layout_is_trivial_over(const struct lw_layout *layout, const char *const *names, int count)
{
    const char *ins[LW_DIMS_MAX], *outs[LW_DIMS_MAX];
    int in_count = choose(&layout->in, names, count, true, ins);
    int out_count = choose(&layout->out, names, count, true, outs);
    return lw_layout_square_is_identity(layout, names, count) &&
           lw_layout_sublayout_is_zero(layout, ins, in_count, names, count) &&
           lw_layout_sublayout_is_zero(layout, names, count, outs, out_count);
}

bool lw_layout_quotient(struct lw_layout *out, const struct lw_layout *layout,
                        const char *const *names, int count, struct lw_error *err)
{
    const char *ins[LW_DIMS_MAX], *outs[LW_DIMS_MAX];
    if (!lw_layout_is_trivial_over(layout, names, count)) {
        struct lw_text text = {0};
        for (int i = 0; i < count; i++)
            lw_text_format(&text, "%s%s", i ? ", " : "", names[i]);
        lw_error_set(err, LW_ERROR_UNSUPPORTED,
                     "quotient: the layout is not the identity over [%.80s] apart from the rest",
                     lw_text_string(&text));
        lw_text_free(&text);
        return false;
    }
    int in_count = choose(&layout->in, names, count, true, ins);
    int out_count = choose(&layout->out, names, count, true, outs);
    return lw_layout_sublayout(out, layout, ins, in_count, outs, out_count, err);
}
