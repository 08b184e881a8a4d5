/* The arguments of the calculator's operations, as the rows of its table say. Invariant: an argument that was
 * made fits its parameter; dims that must be the layout's are. */

#include "notation/expression/calc_table.h"

#include <string.h>

bool lw_calc_wrong_usage(const struct lw_calc_call *call, struct lw_position position,
                         const char *what, const char *name, struct lw_error *err)
{
    return lw_error_at(err, LW_ERROR_SYNTAX, position, "%s%s: %s", name, what,
                       call->operation->usage);
}

/* ---- Values ---- */

static bool kind_fits(enum lw_calc_param_kind expected_kind, enum lw_calc_kind kind)
{
    switch (expected_kind) {
    case LW_CALC_PARAM_LAYOUT:
        return kind == LW_CALC_LAYOUT;
    case LW_CALC_PARAM_ACTION:
        return kind == LW_CALC_ACTION;
    case LW_CALC_PARAM_NUMBER:
        return kind == LW_CALC_NUMBER;
    case LW_CALC_PARAM_TRUTH:
        return kind == LW_CALC_TRUTH;
    case LW_CALC_PARAM_CUTE:
        return kind == LW_CALC_CUTE;
    default:
        return true;
    }
}

static const char *kind_name(enum lw_calc_param_kind expected_kind)
{
    return lw_calc_kind_name(expected_kind == LW_CALC_PARAM_LAYOUT   ? LW_CALC_LAYOUT
                             : expected_kind == LW_CALC_PARAM_ACTION ? LW_CALC_ACTION
                             : expected_kind == LW_CALC_PARAM_CUTE   ? LW_CALC_CUTE
                             : expected_kind == LW_CALC_PARAM_NUMBER ? LW_CALC_NUMBER
                                                                     : LW_CALC_TRUTH);
}

/* A number that was written, alone or in parentheses, is one; a shape may stand for a layout. */
static bool convert(struct lw_calculation *calc, enum lw_calc_param_kind expected_kind,
                    struct lw_calc_result *value)
{
    const struct lw_calc_item *item = &value->as.tuple;
    if (expected_kind == LW_CALC_PARAM_CUTE)
        return lw_calc_to_cute(calc, value) || calc->err->code == LW_OK;
    if (value->kind != LW_CALC_TUPLE)
        return true;
    while (item->kind == LW_CALC_TUPLE && item->count == 1)
        item = &item->items[0];
    if (item->kind == LW_CALC_NUMBER && item->number >= 0 && !item->axis) {
        value->kind = LW_CALC_NUMBER;
        value->as.number = (uint64_t)item->number;
    }
    return true;
}

bool lw_calc_fit(struct lw_calculation *calc, const struct lw_calc_call *call,
                 const struct lw_calc_param *param, struct lw_position position,
                 struct lw_calc_result *value)
{
    if (!convert(calc, param->kind, value))
        return false;
    if (kind_fits(param->kind, value->kind))
        return true;
    if (value->kind == LW_CALC_NONE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position,
                           "%s: there is no layout here: %.300s", call->operation->name,
                           value->as.why);
    bool linear = param->kind == LW_CALC_PARAM_LAYOUT && value->kind == LW_CALC_CUTE;
    return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%s: '%s' must be %s, and this is %s%s",
                       call->operation->name, param->name, kind_name(param->kind),
                       lw_calc_kind_name(value->kind), linear ? ": write .linear() after it" : "");
}

/* ---- Dims ---- */

static const char *offer_dim(const void *dims, size_t i)
{
    return ((const struct lw_dims *)dims)->dim[i].name;
}

/* Must the name be a dim of the layout, and is it? */
static bool check_side(struct lw_calculation *calc, const struct lw_calc_call *call,
                       enum lw_calc_side side, const char *name, struct lw_position position)
{
    struct lw_text names = {0};
    if (side == LW_CALC_FREE || !call->self)
        return true;
    const struct lw_layout *layout = &call->self->as.layout;
    const struct lw_dims *dims = side == LW_CALC_IN ? &layout->in : &layout->out;
    if (lw_dims_find(dims, name) >= 0)
        return true;
    const char *near = lw_text_nearest(name, (size_t)dims->count, offer_dim, dims);
    char hint[LW_HINT_MAX];
    for (int i = 0; i < dims->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : ": it may be ", dims->dim[i].name);
    lw_error_at(calc->err, LW_ERROR_NAME, position, "%s: there is no %s-dim '%.40s'%s",
                call->operation->name, side == LW_CALC_IN ? "in" : "out", name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* An error: what was expected instead of a node. */
static bool unexpected(struct lw_calculation *calc, const char *expected,
                       const struct lw_node *node)
{
    return lw_error_at(calc->err, LW_ERROR_SYNTAX, node->position, "expected %s, found '%.*s'",
                       expected, node->length > 40 ? 40 : (int)node->length, node->text);
}

/* Keeps a name as the next of the argument. */
static bool keep_dim(struct lw_calculation *calc, const struct lw_calc_call *call,
                     const struct lw_calc_param *param, const char *name,
                     struct lw_position position, struct lw_calc_argument *arg)
{
    if (!check_side(calc, call, param->side, name, position))
        return false;
    if (arg->count == LW_DIMS_MAX)
        return lw_error_at(calc->err, LW_ERROR_LIMIT, position, "at most %d dims on a side",
                           LW_DIMS_MAX);
    arg->as.dims.name[arg->count++] = name;
    return true;
}

/* `register`, bare or in quotes */
static bool keep_named(struct lw_calculation *calc, const struct lw_calc_call *call,
                       const struct lw_calc_param *param, const struct lw_node *node,
                       struct lw_calc_argument *arg)
{
    if (node->kind != LW_NODE_STRING && (node->kind != LW_NODE_NAME || node->angles))
        return unexpected(calc, "the name of a dim", node);
    return keep_dim(calc, call, param, node->name, node->position, arg);
}

static bool keep_size(struct lw_calculation *calc, const struct lw_node *node, uint64_t *size)
{
    *size = (uint64_t)node->integer;
    return (node->kind == LW_NODE_INTEGER && node->integer >= 0) ||
           unexpected(calc, "an integer", node);
}

/* `[register, 4]` */
static bool keep_sized(struct lw_calculation *calc, const struct lw_calc_call *call,
                       const struct lw_calc_param *param, const struct lw_node *pair,
                       struct lw_calc_argument *arg)
{
    if (pair->kind != LW_NODE_LIST || pair->count != 2)
        return unexpected(calc, "a dim and its size, as [register, 4]", pair);
    return keep_named(calc, call, param, pair->items, arg) &&
           keep_size(calc, pair->items->next, &arg->as.dims.size[arg->count - 1]);
}

/* `[register, lane]`, `[[register, 4], [lane, 8]]`. */
static bool keep_list(struct lw_calculation *calc, const struct lw_calc_call *call,
                      const struct lw_calc_param *param, const struct lw_node *list,
                      struct lw_calc_argument *arg)
{
    bool sized = param->kind == LW_CALC_PARAM_SIZES;
    if (list->kind != LW_NODE_LIST)
        return unexpected(calc,
                          sized ? "sizes, as [[register, 4], [lane, 8]] or {register: 4, lane: 8}"
                                : "a list of dims, as [dim0, dim1]",
                          list);
    if (param->kind == LW_CALC_PARAM_OUTS)
        sized = list->items && list->items->kind == LW_NODE_LIST;
    arg->as.dims.sized = sized;
    for (const struct lw_node *item = list->items; item; item = item->next)
        if (sized ? !keep_sized(calc, call, param, item, arg)
                  : !keep_named(calc, call, param, item, arg))
            return false;
    return true;
}

/* `{register: 4, lane: 8}` */
static bool keep_object(struct lw_calculation *calc, const struct lw_calc_call *call,
                        const struct lw_calc_param *param, const struct lw_node *object,
                        struct lw_calc_argument *arg)
{
    arg->as.dims.sized = true;
    for (const struct lw_node *item = object->items; item; item = item->next)
        if (!keep_dim(calc, call, param, item->label, item->label_place, arg) ||
            !keep_size(calc, item, &arg->as.dims.size[arg->count - 1]))
            return false;
    return true;
}

/* ---- Points ---- */

/* The number of a dim, `name` at `position`. `set` has a bit of each dim that has one. */
static bool keep_coordinate(struct lw_calculation *calc, const struct lw_calc_call *call,
                            const char *name, struct lw_position position,
                            const struct lw_node *number, struct lw_calc_argument *arg,
                            unsigned *set)
{
    const struct lw_dims *dims = &call->self->as.layout.in;
    if (!check_side(calc, call, LW_CALC_IN, name, position))
        return false;
    int d = lw_dims_find(dims, name);
    if (*set >> d & 1)
        return lw_error_at(calc->err, LW_ERROR_NAME, position, "'%s' is said twice", name);
    *set |= 1u << d;
    if (!keep_size(calc, number, &arg->as.point[d]))
        return false;
    return arg->as.point[d] < dims->dim[d].size ||
           lw_error_at(calc->err, LW_ERROR_PARAMETER, number->position, "%s = %llu: from 0 to %llu",
                       name, (unsigned long long)arg->as.point[d],
                       (unsigned long long)dims->dim[d].size - 1);
}

bool lw_calc_point(struct lw_calculation *calc, const struct lw_calc_call *call,
                   const struct lw_node *first, struct lw_calc_argument *arg)
{
    unsigned set = 0;
    memset(arg->as.point, 0, sizeof arg->as.point);
    if (first && first->kind == LW_NODE_OBJECT && !first->label && !first->next)
        first = first->items;
    for (const struct lw_node *node = first; node; node = node->next) {
        bool colon = node->kind == LW_NODE_STRIDE && node->items->kind == LW_NODE_NAME;
        if (!node->label && !colon)
            return unexpected(calc, "coordinates, as register=3, lane=5", node);
        const char *name = node->label ? node->label : node->items->name;
        struct lw_position position = node->label ? node->label_place : node->items->position;
        if (!keep_coordinate(calc, call, name, position, node->label ? node : node->items->next,
                             arg, &set))
            return false;
    }
    return true;
}

/* ---- Numbers ---- */

/* `[2, 0, 1]` of at most `max` numbers. */
static bool keep_numbers(struct lw_calculation *calc, const struct lw_node *list, uint64_t *numbers,
                         int max, int *count)
{
    *count = 0;
    if (list->kind != LW_NODE_LIST)
        return unexpected(calc, "a list of numbers, as [2, 0, 1]", list);
    for (const struct lw_node *item = list->items; item; item = item->next) {
        if (*count == max)
            return lw_error_at(calc->err, LW_ERROR_LIMIT, item->position, "at most %d numbers here",
                               max);
        if (!keep_size(calc, item, &numbers[(*count)++]))
            return false;
    }
    return true;
}

/* An image: `[1, 0]`, or a bare number when there is one out-dim. All have equally many numbers. */
static bool keep_image(struct lw_calculation *calc, const struct lw_node *node,
                       struct lw_calc_argument *arg, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    int count = 1;
    if (bit == LW_BITS_MAX)
        return lw_error_at(calc->err, LW_ERROR_LIMIT, node->position, "at most %d bases",
                           LW_BITS_MAX);
    if (node->kind == LW_NODE_LIST ? !keep_numbers(calc, node, image, LW_DIMS_MAX, &count)
                                   : !keep_size(calc, node, image))
        return false;
    if (arg->count >= 0 && arg->count != count)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, node->position,
                           "a basis of %d numbers among bases of %d", count, arg->count);
    arg->count = count;
    memcpy(arg->as.bases.images + bit * count, image, (size_t)count * sizeof *image);
    return true;
}

/* `lane: [[1, 0], [0, 1]]` */
static bool keep_dim_bases(struct lw_calculation *calc, const struct lw_node *list,
                           struct lw_calc_argument *arg, int *bits)
{
    int count = 0;
    if (list->kind != LW_NODE_LIST)
        return unexpected(calc, "a list of bases", list);
    for (const struct lw_node *image = list->items; image; image = image->next)
        if (!keep_image(calc, image, arg, *bits + count++))
            return false;
    *bits += count;
    if (count < 64 && lw_dims_add(&arg->as.bases.in, list->label, (uint64_t)1 << count, calc->err))
        return true;
    if (count == 64)
        lw_error_set(calc->err, LW_ERROR_LIMIT, "one dim has at most 63 bases");
    calc->err->position = list->label_place;
    return false;
}

/* `{register: [[1, 0], [2, 0]], lane: []}`. The count is -1 while no basis says how long they are. */
static bool keep_bases(struct lw_calculation *calc, const struct lw_node *object,
                       struct lw_calc_argument *arg)
{
    int bits = 0;
    arg->count = -1;
    arg->as.bases.in.count = 0;
    arg->as.bases.images =
        lw_arena_alloc(calc->arena, sizeof(uint64_t) * LW_BITS_MAX * LW_DIMS_MAX);
    if (!arg->as.bases.images)
        return lw_scan_out_of_memory(calc->scan);
    if (object->kind != LW_NODE_OBJECT)
        return unexpected(calc, "bases, as {lane: [[1, 0], [0, 1]]}", object);
    for (const struct lw_node *list = object->items; list; list = list->next)
        if (!keep_dim_bases(calc, list, arg, &bits))
            return false;
    return true;
}

/* ---- All of them ---- */

bool lw_calc_literal_argument(struct lw_calculation *calc, const struct lw_calc_call *call,
                              const struct lw_calc_param *param, const struct lw_node *node,
                              struct lw_calc_argument *arg)
{
    switch (param->kind) {
    case LW_CALC_PARAM_DIM:
        return keep_named(calc, call, param, node, arg);
    case LW_CALC_PARAM_COLUMNS:
        return keep_numbers(calc, node, arg->as.columns, LW_BITS_MAX, &arg->count);
    case LW_CALC_PARAM_BASES:
        return keep_bases(calc, node, arg);
    case LW_CALC_PARAM_SIZES:
    case LW_CALC_PARAM_OUTS:
        if (node->kind == LW_NODE_OBJECT)
            return keep_object(calc, call, param, node, arg);
        return keep_list(calc, call, param, node, arg);
    default:
        return keep_list(calc, call, param, node, arg);
    }
}
