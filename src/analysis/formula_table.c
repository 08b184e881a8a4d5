/* Index arithmetic of what has no other form: a table of all elements and one of all places. */

#include "analysis/formula_parts.h"

#include <stdlib.h>

static void write_table(struct lw_formula *f, const char *name, const uint64_t *entries,
                        uint64_t count)
{
    const struct lw_formula_language *l = f->language;
    const char *type = f->wide ? l->wide : l->type;
    if (l->braces)
        lw_text_format(f->text, "\nstatic const %s %s[] = {", type, name);
    else
        lw_text_format(f->text, "\n%s = [", name);
    for (uint64_t i = 0; i < count; i++)
        lw_text_format(f->text, "%s%s%llu", i ? "," : "", i % 16 ? i ? " " : "" : "\n    ",
                       (unsigned long long)entries[i]);
    lw_text_add(f->text, l->braces ? "\n};\n" : "\n]\n");
}

/* name(vars): one number out of a table at the flattened point. */
static void write_lookups(struct lw_formula *f, const char *table, const char *way,
                          const struct lw_formula_vars *from, const struct lw_formula_vars *to)
{
    uint64_t unit = 1;
    for (int t = 0; t < to->count; t++) {
        struct lw_formula_expr expr = {{0}, {0}, 0};
        struct lw_formula_digit at[LW_FORMULA_VARS];
        char name[LW_NAME_MAX + 8];
        uint64_t worth = 1;
        for (int v = 0; v < from->count; v++) {
            at[v] = (struct lw_formula_digit){v, 1, from->at[v].size, worth};
            worth *= from->at[v].size;
        }
        lw_formula_sum(&expr, f, from, at, from->count, 0);
        expr.first = expr.text;
        expr.text = (struct lw_text){0};
        lw_text_format(&expr.text, unit > 1 ? "%s[raw] %s %llu" : "%s[raw]", table,
                       f->language->divide, (unsigned long long)unit);
        expr.operations += 1 + (unit > 1);
        if (t + 1 < to->count) {
            lw_text_format(&expr.text, " %% %llu", (unsigned long long)to->at[t].size);
            expr.operations++;
        }
        if (to->at[t].size == 1) {
            lw_formula_expr_free(&expr);
            lw_text_char(&expr.text, '0');
        }
        snprintf(name, sizeof name, "%s%s", to->at[t].name, way);
        lw_formula_function(f, name, from, &expr);
        unit *= to->at[t].size;
    }
}

bool lw_formula_of_table(struct lw_formula *f)
{
    const struct lw_map *map = f->map;
    uint64_t places, elements, point[LW_DIMS_MAX], other[LW_DIMS_MAX];
    struct lw_formula_vars vars;
    if (!lw_dims_total(&map->in, &places, f->err) || !lw_dims_total(&map->out, &elements, f->err))
        return false;
    if (places > LW_FORMULA_TABLE || elements > LW_FORMULA_TABLE / f->copies)
        return lw_error_set(
            f->err, LW_ERROR_UNSUPPORTED,
            "no index arithmetic: the layout is no sum of digits, and a table of it "
            "would have over %d entries",
            LW_FORMULA_TABLE);
    uint64_t *entries = calloc(LW_FORMULA_TABLE, sizeof *entries);
    if (!entries)
        return lw_error_set(f->err, LW_ERROR_MEMORY, "out of memory");
    for (uint64_t i = 0; i < places; i++) {
        lw_dims_unflatten(&map->in, i, point);
        entries[i] = lw_map_apply(map, point, other) ? lw_dims_flatten(&map->out, other) : elements;
    }
    write_table(f, "elements", entries, places);
    write_lookups(f, "elements", "_at", &f->places, &f->dims);
    for (uint64_t k = 0; k < f->copies; k++)
        for (uint64_t i = 0; i < elements; i++) {
            lw_dims_unflatten(&map->out, i, point);
            entries[k * elements + i] =
                lw_map_owner(map, point, k, other) ? lw_dims_flatten(&map->in, other) : 0;
        }
    lw_formula_backward_vars(f, &vars);
    write_table(f, "places", entries, elements * f->copies);
    write_lookups(f, "places", "_of", &vars, &f->places);
    free(entries);
    return true;
}
