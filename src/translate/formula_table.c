/* Index arithmetic of maps without another form: tables of all elements and of all owners. */

#include "translate/formula_parts.h"

static uint64_t *add_table(struct lw_formula *f, const char *name, uint64_t count)
{
    uint64_t *entries = lw_arena_alloc(&f->arena, count * sizeof *entries);
    f->table[f->table_count++] = (struct lw_formula_table){name, f->function_count, count, entries};
    f->failed = f->failed || !entries;
    return entries;
}

/* Adds a function for each number, which looks the flat point up in the last table. */
static void add_lookups(struct lw_formula *f, const char *way, enum lw_formula_role role,
                        const struct lw_formula_vars *from, const struct lw_formula_vars *to)
{
    uint64_t unit = 1, table = (uint64_t)f->table_count - 1;
    for (int t = 0; t < to->count; unit *= to->at[t++].size) {
        struct lw_formula_expr expr = {.value = lw_formula_flat(f, from)};
        lw_formula_settle(f, &expr);
        expr.value = lw_formula_node(f, LW_FORMULA_LOOKUP, table, lw_formula_raw(f), NULL);
        expr.value = lw_formula_with(f, LW_FORMULA_DIVIDE, expr.value, unit);
        if (t + 1 < to->count)
            expr.value = lw_formula_with(f, LW_FORMULA_MODULO, expr.value, to->at[t].size);
        if (to->at[t].size == 1)
            expr = (struct lw_formula_expr){0};
        lw_formula_add(f, to->at[t].name, way, role, t, from, &expr);
    }
}

static bool check_size(const struct lw_formula *f, uint64_t *indices, uint64_t *elements,
                       struct lw_error *err)
{
    if (!lw_dims_total(&f->map->in, indices, err) || !lw_dims_total(&f->map->out, elements, err))
        return false;
    return (*indices <= LW_FORMULA_TABLE && *elements <= LW_FORMULA_TABLE / f->copies) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "no index arithmetic: the layout is not a sum of digits, and its table "
                        "would have over %d entries",
                        LW_FORMULA_TABLE);
}

bool lw_formula_of_table(struct lw_formula *f, struct lw_error *err)
{
    const struct lw_map *map = f->map;
    uint64_t indices, elements, point[LW_DIMS_MAX], other[LW_DIMS_MAX];
    struct lw_formula_vars vars;
    if (!check_size(f, &indices, &elements, err))
        return false;
    uint64_t *entries = add_table(f, "elements", indices);
    for (uint64_t i = 0; entries && i < indices; i++) {
        lw_dims_unflatten(&map->in, i, point);
        entries[i] = lw_map_apply(map, point, other) ? lw_dims_flatten(&map->out, other) : elements;
    }
    add_lookups(f, "_at", LW_FORMULA_ELEMENT, &f->variables, &f->dims);
    entries = add_table(f, "owners", elements * f->copies);
    for (uint64_t i = 0; entries && i < elements * f->copies; i++) {
        lw_dims_unflatten(&map->out, i % elements, point);
        entries[i] =
            lw_map_owner(map, point, i / elements, other) ? lw_dims_flatten(&map->in, other) : 0;
    }
    lw_formula_backward_vars(f, &vars);
    add_lookups(f, "_of", LW_FORMULA_OWNER, &vars, &f->variables);
    return true;
}

void lw_formula_table_used(struct lw_formula *f)
{
    struct lw_formula_expr expr = {.value = lw_formula_flat(f, &f->variables)};
    uint64_t count;
    f->failed = f->failed || !lw_dims_total(&f->map->out, &count, NULL);
    if (f->failed)
        return;
    lw_formula_settle(f,
                      &expr); /* table 0 has the elements; the number of elements stands where there
                                 is none */
    expr.value = lw_formula_node(f, LW_FORMULA_LOOKUP, 0, lw_formula_raw(f), NULL);
    expr.value = lw_formula_with(f, LW_FORMULA_BELOW, expr.value, count);
    lw_formula_add(f, "is_used", "", LW_FORMULA_USED, 0, &f->variables, &expr);
}
