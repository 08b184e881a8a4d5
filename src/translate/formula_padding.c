/* Padded memory: an offset is the one without padding, which is linear, plus the padding before it. */

#include "translate/formula_parts.h"

/* Adds offset_of. */
static void padded_offset(struct lw_formula *f, const uint64_t *columns)
{
    const struct lw_map *map = f->map;
    struct lw_formula_expr expr = {0};
    lw_formula_linear(f, &expr, &f->dims, columns);
    lw_formula_settle(f, &expr);
    expr.value = lw_formula_raw(f);
    for (int i = 0; i < map->as.padded.count; i++) {
        const struct lw_padding *padding = &map->as.padded.padding[i];
        const struct lw_formula_node *gaps =
            lw_formula_with(f, LW_FORMULA_DIVIDE, lw_formula_raw(f), padding->interval);
        gaps = padding->size ? lw_formula_with(f, LW_FORMULA_MULTIPLY, gaps, padding->size)
                             : lw_formula_number(f, 0);
        expr.value = lw_formula_join(f, LW_FORMULA_ADD, expr.value, gaps);
    }
    lw_formula_add(f, "offset", "_of", LW_FORMULA_OWNER, 0, &f->dims, &expr);
}

/* Adds plain_at, the offset without padding: quotients by the intervals, the longest first. */
static void plain_offset(struct lw_formula *f)
{
    const struct lw_map *map = f->map;
    struct lw_formula_expr expr = {0};
    struct lw_strides sum = {.count = 0};
    uint64_t size = map->as.padded.layout.in.dim[map->as.padded.dim].size;
    for (int bit = LW_BITS_MAX - 1; bit >= 0; bit--) {
        bool starts = bit == 0;
        for (int i = 0; i < map->as.padded.count; i++)
            starts = starts || map->as.padded.padding[i].interval == (uint64_t)1 << bit;
        if (starts && (uint64_t)1 << bit < size)
            sum.mode[sum.count++] =
                (struct lw_stride){2, map->as.padded.weight[bit], (uint64_t)1 << bit, 0};
    }
    for (int i = 0; i < sum.count; i++) {
        const struct lw_formula_node *digit =
            lw_formula_quotient(f, lw_formula_use(f, &f->variables, 0), &sum, i);
        digit = lw_formula_with(f, LW_FORMULA_MULTIPLY, digit, sum.mode[i].divisor);
        expr.value = lw_formula_join(f, LW_FORMULA_ADD, expr.value, digit);
    }
    lw_formula_add(f, "plain", "_at", LW_FORMULA_HELPER, 0, &f->variables, &expr);
}

/* Adds index d of the element at an offset, computed from plain_at. */
static void add_element(struct lw_formula *f, int d)
{
    const struct lw_layout *layout = &f->map->as.padded.layout;
    struct lw_formula_vars vars = {
        .count = 1,
        .at = {
            {.name = "raw", .size = layout->in.dim[f->map->as.padded.dim].size, .is_raw = true}}};
    struct lw_formula_expr expr = {0};
    uint64_t columns[LW_BITS_MAX];
    for (int i = 0; i < lw_layout_in_bits(layout); i++)
        columns[i] = layout->basis[i] >> lw_layout_out_shift(layout, d) &
                     lw_f2_mask(lw_layout_out_log2(layout, d));
    lw_formula_step(f, &expr, lw_formula_call_same(f, "plain_at", &f->variables));
    lw_formula_linear(f, &expr, &vars, columns);
    lw_formula_add(f, f->dims.at[d].name, "_at", LW_FORMULA_ELEMENT, d, &f->variables, &expr);
}

bool lw_formula_of_padding(struct lw_formula *f, struct lw_error *err)
{
    const struct lw_layout *layout = &f->map->as.padded.layout;
    struct lw_layout inverse;
    if (lw_layout_in_bits(layout) != lw_layout_in_log2(layout, f->map->as.padded.dim) ||
        !lw_layout_invert(&inverse, layout, NULL))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "no index arithmetic: padded memory that several blocks share");
    plain_offset(f);
    for (int d = 0; d < f->dims.count; d++)
        add_element(f, d);
    padded_offset(f, inverse.basis);
    return true;
}
