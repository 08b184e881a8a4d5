/* The names of an expression of the calculator that have values: variables, the layouts that the caller
 * bound, parts of CuTe. */

#include "notation/expression/calc_table.h"

#include <string.h>

bool lw_calc_keep(struct lw_calculation *calc, const struct lw_node *statement,
                  const struct lw_calc_result *value)
{
    struct lw_calc_variable *kept;
    if (calc->variable_count++ == LW_CALC_VARIABLES)
        return lw_error_at(calc->err, LW_ERROR_LIMIT, statement->label_position,
                           "at most %d assignments", LW_CALC_VARIABLES);
    if (!(kept = lw_arena_alloc(calc->arena, sizeof *kept)))
        return lw_scan_out_of_memory(calc->scan);
    *kept = (struct lw_calc_variable){statement->label, *value, calc->variables};
    calc->variables = kept;
    return true;
}

static bool take_let(struct lw_calculation *calc, const struct lw_calc_binding *let,
                     struct lw_position position, struct lw_calc_result *value)
{
    if (let->why)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s is %.300s", let->name,
                           let->why);
    value->kind = let->cute ? LW_CALC_CUTE : LW_CALC_LAYOUT;
    if (let->cute)
        value->as.cute = *let->cute;
    else
        value->as.layout = let->layout;
    return true;
}

static const struct lw_calc_variable *find_variable(const struct lw_calculation *calc,
                                                    const char *name)
{
    const struct lw_calc_variable *found = calc->variables;
    while (found && strcmp(found->name, name) != 0)
        found = found->before;
    return found;
}

static const struct lw_calc_binding *find_let(const struct lw_calculation *calc, const char *name)
{
    for (size_t i = 0; i < calc->let_count; i++)
        if (!strcmp(calc->lets[i].name, name))
            return &calc->lets[i];
    return NULL;
}

bool lw_calc_names_cute(const struct lw_calculation *calc, const char *name)
{
    const struct lw_calc_variable *variable = find_variable(calc, name);
    const struct lw_calc_binding *let = find_let(calc, name);
    return variable ? variable->value.kind == LW_CALC_CUTE : let && let->cute;
}

bool lw_calc_names_atom(const struct lw_calculation *calc, const struct lw_node *node)
{
    return node->kind == LW_NODE_NAME && !find_variable(calc, node->name) &&
           !find_let(calc, node->name) && !lw_calc_is_smem(node->name) &&
           lw_calc_is_atom(node->name);
}

bool lw_calc_name(struct lw_calculation *calc, const struct lw_node *node,
                  struct lw_calc_result *value)
{
    const char *name = node->name;
    const struct lw_calc_variable *variable = find_variable(calc, name);
    const struct lw_calc_binding *let = find_let(calc, name);
    if (variable) {
        *value = variable->value;
        return true;
    }
    if (let)
        return take_let(calc, let, node->position, value);
    if (lw_calc_is_smem(name))
        return lw_calc_smem(calc, node, value);
    if (lw_calc_is_atom(name))
        return lw_calc_atom(calc, node, NULL, value);
    if (lw_calc_blank(node, value) || lw_calc_order(node, value))
        return true;
    value->kind = LW_CALC_TRUTH;
    value->as.truth = !strcmp(name, "true");
    return value->as.truth || !strcmp(name, "false") ||
           lw_calc_unknown_name(calc, name, node->name_position);
}
