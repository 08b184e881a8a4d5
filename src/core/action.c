/* Column actions. Invariant: the numbers in column[0..count) are distinct and below size_log2.
 * Source: ColumnAction of Triton's LinearLayout.cpp, regPermForDivide and
 * actionRemoveBroadcastedRegs of its LayoutUtils.cpp. */

#include "laneway/algebra.h"

#include <string.h>

bool lw_action_make(struct lw_action *action, const char *dim, int size_log2,
                    const uint64_t *columns, int count, struct lw_error *err)
{
    struct lw_action made = {.size_log2 = size_log2, .count = count};
    struct lw_dims check = {.count = 0};
    uint64_t seen = 0;
    if (!lw_dims_add(&check, dim, 1, err))
        return false;
    if (size_log2 < 0 || size_log2 > LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "column action: a dim has 0 to %d bases, not %d",
                            LW_BITS_MAX, size_log2);
    for (int i = 0; i < count; i++) {
        if (columns[i] >= (uint64_t)size_log2)
            return lw_error_set(err, LW_ERROR_PARAMETER,
                                "column action: there is no basis %llu: '%s' has %d",
                                (unsigned long long)columns[i], dim, size_log2);
        if (seen >> columns[i] & 1)
            return lw_error_set(err, LW_ERROR_PARAMETER, "column action: duplicate basis %llu",
                                (unsigned long long)columns[i]);
        seen |= (uint64_t)1 << columns[i];
        made.column[i] = (unsigned char)columns[i];
    }
    memcpy(made.dim, check.dim[0].name, sizeof made.dim);
    *action = made;
    return true;
}

bool lw_action_is_identity(const struct lw_action *action)
{
    for (int i = 0; i < action->count; i++)
        if (action->column[i] != i)
            return false;
    return action->count == action->size_log2;
}

bool lw_action_apply(struct lw_layout *out, const struct lw_action *action,
                     const struct lw_layout *layout, struct lw_error *err)
{
    int d = lw_dims_find(&layout->in, action->dim);
    if (d < 0)
        return lw_error_set(err, LW_ERROR_NAME, "column action: the layout has no in-dim '%s'",
                            action->dim);
    int bits = lw_layout_in_log2(layout, d), shift = lw_layout_in_shift(layout, d);
    if (bits != action->size_log2)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "column action: it is for %d bases of '%s', the layout has %d",
                            action->size_log2, action->dim, bits);
    struct lw_layout made = {.in = layout->in, .out = layout->out};
    made.in.dim[d].size = (uint64_t)1 << action->count;
    int rest = lw_layout_in_bits(layout) - shift - bits;
    for (int i = 0; i < shift; i++)
        made.basis[i] = layout->basis[i];
    for (int i = 0; i < action->count; i++)
        made.basis[shift + i] = layout->basis[shift + action->column[i]];
    for (int i = 0; i < rest; i++)
        made.basis[shift + action->count + i] = layout->basis[shift + bits + i];
    *out = made;
    return true;
}

uint64_t lw_action_source(const struct lw_action *action, uint64_t i)
{
    uint64_t source = 0;
    for (int b = 0; b < action->count; b++)
        source |= (i >> b & 1) << action->column[b];
    return source;
}

bool lw_action_inverse(struct lw_action *out, const struct lw_action *action, struct lw_error *err)
{
    struct lw_action made = *action;
    if (action->count != action->size_log2)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "column action: it keeps %d of %d bases, which cannot be undone",
                            action->count, action->size_log2);
    for (int i = 0; i < action->count; i++)
        made.column[action->column[i]] = (unsigned char)i;
    *out = made;
    return true;
}

bool lw_action_left_compose(struct lw_action *out, const struct lw_action *action,
                            const struct lw_action *next, struct lw_error *err)
{
    struct lw_action made = *action;
    if (strcmp(action->dim, next->dim) != 0 || action->size_log2 != next->size_log2 ||
        action->count != next->count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "leftCompose: the actions must be of one dim and keep equally many "
                            "bases");
    for (int i = 0; i < action->count; i++) {
        if (next->column[i] >= action->count)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "leftCompose: the first action keeps %d bases, the second uses "
                                "number %d of them",
                                action->count, next->column[i]);
        made.column[i] = action->column[next->column[i]];
    }
    *out = made;
    return true;
}

/* ---- Actions made from layouts ---- */

static bool check_registers(const struct lw_layout *layout, const char *what, struct lw_error *err)
{
    if (layout->in.count > 0 && !strcmp(layout->in.dim[0].name, "register"))
        return true;
    return lw_error_set(err, LW_ERROR_SHAPE, "%s: the first in-dim must be 'register'", what);
}

/* Sets *out to b with the out-dims of a; fails when b has others. */
static bool widen(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                  struct lw_error *err)
{
    struct lw_layout ones = {.out = a->out};
    for (int o = 0; o < a->out.count; o++)
        ones.out.dim[o].size = 1;
    if (!lw_layout_product(out, &ones, b, err))
        return false;
    for (int o = 0; o < out->out.count; o++) {
        const struct lw_dim *dim = &out->out.dim[o];
        if (o >= a->out.count || strcmp(dim->name, a->out.dim[o].name) != 0 ||
            dim->size > a->out.dim[o].size)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "regPermForDivide: out-dim '%s' of the divisor is not in the "
                                "layout, larger than there, or in another order",
                                dim->name);
    }
    return true;
}

/* The image of register bit i of b, as it is in a product b * c or c * b that has a's sizes. */
static uint64_t expected(const struct lw_layout *a, const struct lw_layout *b, int i, bool left)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_basis(b, 0, i, image);
    for (int o = 0; o < a->out.count && !left; o++)
        image[o] *= a->out.dim[o].size / b->out.dim[o].size;
    return lw_dims_flatten(&a->out, image);
}

bool lw_action_for_divide(struct lw_action *out, const struct lw_layout *a,
                          const struct lw_layout *b, bool left, struct lw_error *err)
{
    struct lw_layout wide;
    if (!check_registers(a, "regPermForDivide", err) ||
        !check_registers(b, "regPermForDivide", err) || !widen(&wide, a, b, err))
        return false;
    int bits = lw_layout_in_log2(a, 0), tile = lw_layout_in_log2(&wide, 0);
    uint64_t used = 0, columns[LW_BITS_MAX];
    if (tile > bits)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "regPermForDivide: the divisor has more registers than the layout");
    int at = left ? 0 : bits - tile;
    for (int i = 0; i < tile; i++) {
        uint64_t image = expected(a, &wide, i, left);
        int j = 0;
        while (j < bits && ((used >> j & 1) || a->basis[j] != image))
            j++;
        if (j == bits)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "regPermForDivide: no basis of the layout's registers is the one "
                                "of register=%llu in the divisor",
                                1ULL << i);
        used |= (uint64_t)1 << j;
        columns[at + i] = (uint64_t)j;
    }
    at = left ? tile : 0;
    for (int j = 0; j < bits; j++)
        if (!(used >> j & 1))
            columns[at++] = (uint64_t)j;
    return lw_action_make(out, "register", bits, columns, bits, err);
}

bool lw_action_remove_broadcast(struct lw_action *out, const struct lw_layout *layout,
                                struct lw_error *err)
{
    uint64_t columns[LW_BITS_MAX];
    int count = 0;
    if (!check_registers(layout, "actionRemoveBroadcastedRegs", err))
        return false;
    int bits = lw_layout_in_log2(layout, 0);
    for (int i = 0; i < bits; i++)
        if (layout->basis[i])
            columns[count++] = (uint64_t)i;
    return lw_action_make(out, "register", bits, columns, count, err);
}

void lw_action_print(struct lw_text *text, const struct lw_action *action)
{
    lw_text_add(text, "ColumnAction([");
    for (int i = 0; i < action->count; i++)
        lw_text_format(text, "%s%d", i ? ", " : "", action->column[i]);
    lw_text_format(text, "], %s, %d)", action->dim, action->size_log2);
}
