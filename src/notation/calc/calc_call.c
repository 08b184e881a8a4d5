/* The arguments of a call of the calculator, computed from their nodes. */

#include "notation/calc/calc_table.h"

#include <string.h>

/* Nodes as the items of a tuple. */
bool lw_calc_items(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_cute_tuple *tuple)
{
    struct lw_calc_result value;
    size_t room = 1;
    for (const struct lw_node *node = first; node; node = node->next)
        room++;
    struct lw_cute_tuple *items = lw_arena_alloc(calc->arena, room * sizeof *items);
    if (!items)
        return lw_scan_out_of_memory(calc->scan);
    *tuple = (struct lw_cute_tuple){.items = items};
    for (const struct lw_node *node = first; node; node = node->next) {
        struct lw_cute_tuple *item = &items[tuple->count++];
        if (node->kind == LW_NODE_INTEGER) {
            *item = lw_cute_integer(node->integer, calc->fixed);
            item->position = node->position;
        } else if (node->kind == LW_NODE_LIST && node->items) { /* mode=[0, 1] of Python */
            if (!lw_calc_items(calc, node->items, item))
                return false;
            item->position = node->position;
        } else if (!calc->evaluate(calc, node, &value) ||
                   !lw_calc_to_item(calc, &value, node->position, item)) {
            return false;
        }
    }
    return true;
}

/* An argument that is a value, kept in the arena. */
static bool value_argument(struct lw_calculation *calc, const struct lw_calc_call *call,
                           const struct lw_calc_param *param, const struct lw_node *node,
                           struct lw_calc_argument *arg)
{
    struct lw_calc_result *value = lw_arena_alloc(calc->arena, sizeof *value);
    if (!value)
        return lw_scan_out_of_memory(calc->scan);
    arg->as.value = value;
    return calc->evaluate(calc, node, value) &&
           lw_calc_fit(calc, call, param, node->position, value);
}

static bool tuple_argument(struct lw_calculation *calc, const struct lw_calc_param *param,
                           const struct lw_node *node, struct lw_calc_argument *arg)
{
    struct lw_calc_result value;
    struct lw_position position = node->position;
    if (!calc->evaluate(calc, node, &value))
        return false;
    if (!lw_calc_to_item(calc, &value, position, &arg->as.tuple))
        return false;
    if (param->kind == LW_CALC_PARAM_TILER)
        return lw_calc_is_tiler(&arg->as.tuple, calc->err);
    if (arg->as.tuple.count < 0 && arg->as.tuple.leaf != LW_CUTE_INTEGER)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position,
                           "'%s' is a number or a tuple, not %s", param->name,
                           lw_calc_kind_name(value.kind));
    return param->kind == LW_CALC_PARAM_COORDINATE || lw_calc_integers(&arg->as.tuple, calc->err);
}

static bool one_argument(struct lw_calculation *calc, const struct lw_calc_call *call,
                         const struct lw_calc_param *param, const struct lw_node *node,
                         struct lw_calc_argument *arg)
{
    switch (param->kind) {
    case LW_CALC_PARAM_LAYOUT:
    case LW_CALC_PARAM_ACTION:
    case LW_CALC_PARAM_ANY:
    case LW_CALC_PARAM_VALUE:
    case LW_CALC_PARAM_NUMBER:
    case LW_CALC_PARAM_TRUTH:
    case LW_CALC_PARAM_CUTE:
    case LW_CALC_PARAM_ATOM:
    case LW_CALC_PARAM_MMA:
    case LW_CALC_PARAM_COPY:
        return value_argument(calc, call, param, node, arg);
    case LW_CALC_PARAM_WORD:
        return lw_calc_word_argument(calc, param, node, arg);
    case LW_CALC_PARAM_TILER:
    case LW_CALC_PARAM_TUPLE:
    case LW_CALC_PARAM_COORDINATE:
        return tuple_argument(calc, param, node, arg);
    default:
        memset(&arg->as, 0, sizeof arg->as);
        return lw_calc_literal_argument(calc, call, param, node, arg);
    }
}

/* The first argument of make_tensor that is not the pointer, which is not read. */
static const struct lw_node *after_pointer(const struct lw_calculation *calc,
                                           const struct lw_calc_call *call,
                                           const struct lw_node *node)
{
    bool tensor = call->operation->run == lw_calc_run_make_tensor;
    return tensor && node && lw_calc_is_pointer(calc, node) ? node->next : node;
}

/* The arguments from `node` on, converted to the operation's parameters. `end`: the position of errors about a missing
 * one. */
bool lw_calc_make_arguments(struct lw_calculation *calc, struct lw_calc_call *call,
                            const struct lw_node *node, struct lw_position end)
{
    const struct lw_calc_param *param = call->operation->params;
    const struct lw_node *first = node;
    bool more = param[0].kind && lw_calc_accepts_all(&param[0]); /* also when there are no nodes */
    node = after_pointer(calc, call, node);
    for (int next = 0; node || more; next++) {
        int i = node ? lw_calc_parameter_of(calc, call, node, next) : next;
        if (i < 0)
            return false;
        struct lw_calc_argument *arg = &call->args[i];
        bool all = lw_calc_accepts_all(&param[i]);
        if (param[i].kind == LW_CALC_PARAM_POINT)
            memset(&arg->as, 0, sizeof arg->as);
        if (param[i].kind == LW_CALC_PARAM_POINT ? !lw_calc_point(calc, call, node, arg)
            : param[i].kind == LW_CALC_PARAM_REST
                ? !lw_calc_check_labels(calc, call, param[i].name, first) ||
                      !lw_calc_items(calc, node, &arg->as.tuple)
                : !one_argument(calc, call, &param[i], node, arg))
            return false;
        arg->given = true;
        node = all ? NULL : node->next;
        more = false;
    }
    for (int i = 0; i < LW_CALC_PARAMS_MAX && param[i].kind; i++)
        if (!call->args[i].given && !param[i].optional && !lw_calc_accepts_all(&param[i]))
            return lw_calc_wrong_usage(call, end, " is missing", param[i].name, calc->err);
    return true;
}

bool lw_calc_angle_arguments(struct lw_calculation *calc, struct lw_calc_call *call,
                             const struct lw_node *node)
{
    const struct lw_calc_param *param = call->operation->params;
    int i = 0;
    if (!node->angles)
        return true;
    while (i < LW_CALC_PARAMS_MAX && param[i].kind)
        i++;
    i -= node->angles->count;
    if (i < 0 || param[i].kind != LW_CALC_PARAM_WORD)
        return lw_error_at(calc->err, LW_ERROR_NAME, node->angles->position,
                           "'%.40s' has no arguments in <...>", node->name);
    for (const struct lw_node *item = node->angles->items; item; item = item->next, i++) {
        if (!one_argument(calc, call, &param[i], item, &call->args[i]))
            return false;
        call->args[i].given = true;
    }
    return true;
}

/* ---- Arguments in angles of a method ---- */

/* In angles there is the number of a mode, or a word where the method has parameters that are words:
 * recast_layout<half_t, int>. */
static bool check_angles(struct lw_calculation *calc, const struct lw_node *node)
{
    const struct lw_calc_operation *cute = lw_calc_find(LW_CALC_OF_CUTE, node->name);
    bool words = cute && cute->params[0].kind == LW_CALC_PARAM_WORD;
    for (const struct lw_node *mode = node->angles->items; mode && !words; mode = mode->next)
        if (mode->kind != LW_NODE_INTEGER)
            return lw_node_unexpected(mode, "the number of a mode", calc->err);
    return true;
}

/* The arguments in angles, and then those after the layout: replace<1>(A, B). */
static bool put_angles_first(struct lw_calculation *calc, const struct lw_node *angles,
                             const struct lw_node **arguments)
{
    const struct lw_node *first = angles->items;
    struct lw_node *copies, *copy;
    if (!*arguments || !first) {
        *arguments = first ? first : *arguments;
        return true;
    }
    copy = copies = lw_arena_alloc(calc->arena, (size_t)angles->count * sizeof *copies);
    if (!copies)
        return lw_scan_out_of_memory(calc->scan);
    for (; first; first = first->next, copy++) {
        *copy = *first;
        copy->next = first->next ? copy + 1 : (struct lw_node *)*arguments;
    }
    *arguments = copies;
    return true;
}

/* The arguments, and the rank in angles after them: append<4>(A, B) is append(A, B, up_to_rank=4). */
static bool put_rank_last(struct lw_calculation *calc, const struct lw_node *angles,
                          const struct lw_node **arguments)
{
    const struct lw_node *node = *arguments;
    size_t count = 0;
    for (const struct lw_node *at = node; at; at = at->next)
        count++;
    struct lw_node *copies = lw_arena_alloc(calc->arena, (count + 1) * sizeof *copies);
    if (!copies)
        return lw_scan_out_of_memory(calc->scan);
    if (angles->count != 1)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, angles->position, "expected one rank");
    for (size_t i = 0; i < count; i++, node = node->next) {
        copies[i] = *node;
        copies[i].next = &copies[i + 1];
    }
    copies[count] = *angles->items;
    copies[count].label = "up_to_rank";
    copies[count].label_position = angles->position;
    copies[count].next = NULL;
    *arguments = copies;
    return true;
}

bool lw_calc_put_angles(struct lw_calculation *calc, const struct lw_node *node,
                        const struct lw_node **arguments)
{
    bool rank = !strcmp(node->name, "append") || !strcmp(node->name, "prepend");
    if (!node->angles)
        return true;
    return check_angles(calc, node) && (rank ? put_rank_last(calc, node->angles, arguments)
                                             : put_angles_first(calc, node->angles, arguments));
}
