/* The arguments of the calculator's operations, as the rows of its table have them. Invariant: an argument that was
 * made has the form of its parameter, and its dims exist where they must be the layout's. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

#include <string.h>

bool lw_calc_wrong_usage(const struct lw_calc_call *call, struct lw_position position,
                         const char *what, const char *name, struct lw_error *err)
{
    return lw_error_at(err, LW_ERROR_SYNTAX, position, "%s%s: %s", name, what,
                       call->operation->usage);
}

/* ---- Parameters ---- */

bool lw_calc_accepts_all(const struct lw_calc_param *param)
{
    return param->kind == LW_CALC_PARAM_POINT || param->kind == LW_CALC_PARAM_REST;
}

/* Labels of the CuTe DSL that differ from the names of parameters here, by the end of the operation's name. Source:
 * core.py and tuple.py of nvidia-cutlass-dsl 4.8. */
static const struct {
    const char *operation, *label, *param;
} dsl_labels[] = {
    {"_divide", "tiler", "B"},
    {"_product", "tiler", "B"},
    {"composition", "rhs", "B"},
    {"coalesce", "target_profile", "profile"},
    {"complement", "cotarget", "size"},
    {"tile_to_shape", "trg_shape", "shape"},
    {"local_partition", "tiler", "tile"},
    {"append", "elem", "B"},
    {"append", "elem", "item"},
    {"prepend", "elem", "B"},
    {"prepend", "elem", "item"},
    {"shape_div", "lhs", "a"},
    {"shape_div", "rhs", "b"},
    {"ceil_div", "input", "a"},
    {"ceil_div", "tiler", "b"},
    {"congruent", "a", "A"},
    {"congruent", "b", "B"},
    {"max_common_layout", "b", "B"},
    {"max_common_vector", "b", "B"},
    {"crd2idx", "layout", "shape"},
    {"slice", "src", "A"},
    {"dice", "src", "A"},
    {"dice", "dicer", "coord"},
    {"make_cotiled_copy", "atom_layout_tv", "atom_tv_layout"},
};

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), least = strlen(end);
    return length >= least && strcmp(name + length - least, end) == 0;
}

/* Whether a label is a parameter's name, or its name in the DSL. */
static bool is_label_of(const struct lw_calc_operation *operation, const char *param,
                        const char *label)
{
    bool found = strcmp(param, label) == 0;
    for (size_t i = 0; i < sizeof dsl_labels / sizeof *dsl_labels && !found; i++)
        found = !strcmp(dsl_labels[i].label, label) && !strcmp(dsl_labels[i].param, param) &&
                ends_with(operation->name, dsl_labels[i].operation);
    return found;
}

int lw_calc_parameter_of(struct lw_calculation *calc, const struct lw_calc_call *call,
                         const struct lw_node *node, int next)
{
    const struct lw_calc_param *param = call->operation->params;
    int i = node->label ? 0 : next;
    if (next < LW_CALC_PARAMS_MAX && param[next].kind && lw_calc_accepts_all(&param[next]))
        return next;
    while (node->label && i < LW_CALC_PARAMS_MAX && param[i].kind &&
           !is_label_of(call->operation, param[i].name, node->label))
        i++;
    if (i < LW_CALC_PARAMS_MAX && param[i].kind && !call->args[i].given)
        return i;
    if (!node->label)
        lw_calc_wrong_usage(call, node->position, "too many arguments", "", calc->err);
    else
        lw_calc_wrong_usage(call, node->label_position,
                            i < LW_CALC_PARAMS_MAX && param[i].kind
                                ? " is set twice"
                                : " is not the name of an argument",
                            node->label, calc->err);
    return -1;
}

bool lw_calc_check_labels(struct lw_calculation *calc, const struct lw_calc_call *call,
                          const char *names, const struct lw_node *node)
{
    for (; node; node = node->next) {
        names += strspn(names, "[, ]");
        size_t length = strcspn(names, "[, ]");
        if (node->label && (strlen(node->label) != length || strncmp(node->label, names, length)))
            return lw_calc_wrong_usage(call, node->label_position,
                                       " is not the name of an argument here", node->label,
                                       calc->err);
        names += length;
    }
    return true;
}

/* ---- Values ---- */

/* The kind that a parameter needs; LW_CALC_NONE, which is 0: any. */
static const enum lw_calc_kind needed_kinds[LW_CALC_PARAM_VALUE + 1] = {
    [LW_CALC_PARAM_LAYOUT] = LW_CALC_LAYOUT, [LW_CALC_PARAM_ACTION] = LW_CALC_ACTION,
    [LW_CALC_PARAM_NUMBER] = LW_CALC_NUMBER, [LW_CALC_PARAM_TRUTH] = LW_CALC_TRUTH,
    [LW_CALC_PARAM_CUTE] = LW_CALC_CUTE,     [LW_CALC_PARAM_ATOM] = LW_CALC_ATOM,
    [LW_CALC_PARAM_MMA] = LW_CALC_MMA,       [LW_CALC_PARAM_COPY] = LW_CALC_COPY,
};

/* A literal number, alone or in parentheses, becomes a number; a shape may become a layout. */
static bool convert(struct lw_calculation *calc, enum lw_calc_param_kind expected_kind,
                    struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tuple = &value->as.tuple;
    if (expected_kind == LW_CALC_PARAM_VALUE)
        return true;
    if (expected_kind == LW_CALC_PARAM_CUTE)
        return lw_calc_to_cute(calc, value) || calc->err->code == LW_OK;
    if (value->kind != LW_CALC_TUPLE)
        return true;
    while (tuple->count == 1)
        tuple = &tuple->items[0];
    if (lw_cute_is_integer(tuple) && tuple->value >= 0 && !tuple->axis) {
        value->kind = LW_CALC_NUMBER;
        value->as.number = (uint64_t)tuple->value;
    }
    return true;
}

bool lw_calc_fit(struct lw_calculation *calc, const struct lw_calc_call *call,
                 const struct lw_calc_param *param, struct lw_position position,
                 struct lw_calc_result *value)
{
    enum lw_calc_kind expected_kind = needed_kinds[param->kind];
    if (!convert(calc, param->kind, value))
        return false;
    if (expected_kind == LW_CALC_NONE || expected_kind == value->kind)
        return true;
    if (value->kind == LW_CALC_NONE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%s: no such layout: %.300s",
                           call->operation->name, value->as.why);
    if (expected_kind == LW_CALC_NUMBER && value->kind == LW_CALC_TUPLE &&
        lw_cute_is_integer(&value->as.tuple) && value->as.tuple.value < 0)
        return lw_error_at(calc->err, LW_ERROR_PARAMETER, position,
                           "%s: '%s' is %lld: must be 0 or more", call->operation->name,
                           param->name, (long long)value->as.tuple.value);
    bool linear = expected_kind == LW_CALC_LAYOUT && value->kind == LW_CALC_CUTE;
    return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%s: '%s' must be %s, and this is %s%s",
                       call->operation->name, param->name, lw_calc_kind_name(expected_kind),
                       lw_calc_kind_name(value->kind), linear ? ": write .linear() after it" : "");
}

/* ---- Dims ---- */

/* An argument while it is being made. */
struct making {
    struct lw_calculation *calc;
    const struct lw_calc_call *call;
    const struct lw_calc_param *param;
    struct lw_calc_argument *arg;
};

static bool unexpected(const struct making *making, const char *expected,
                       const struct lw_node *node)
{
    return lw_node_unexpected(node, expected, making->calc->err);
}

static const char *offer_dim(const void *dims, size_t i)
{
    return ((const struct lw_dims *)dims)->dim[i].name;
}

/* Fails when the name must be a dim of the layout but is not. */
static bool check_side(const struct making *making, enum lw_calc_side side, const char *name,
                       struct lw_position position)
{
    const struct lw_calc_call *call = making->call;
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
    lw_error_at(making->calc->err, LW_ERROR_NAME, position, "%s: there is no %s-dim '%.40s'%s",
                call->operation->name, side == LW_CALC_IN ? "in" : "out", name,
                near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* The next name of the argument. */
static bool keep_name(const struct making *making, const char *name, struct lw_position position)
{
    struct lw_calc_argument *arg = making->arg;
    if (!check_side(making, making->param->side, name, position))
        return false;
    if (arg->count == LW_DIMS_MAX)
        return lw_error_at(making->calc->err, LW_ERROR_LIMIT, position, "at most %d dims on a side",
                           LW_DIMS_MAX);
    arg->as.dims.name[arg->count++] = name;
    return true;
}

/* `register`, bare or in quotes */
static bool keep_dim(const struct making *making, const struct lw_node *node)
{
    bool named = node->kind == LW_NODE_STRING || (node->kind == LW_NODE_NAME && !node->angles);
    return named ? keep_name(making, node->name, node->position)
                 : unexpected(making, "the name of a dim", node);
}

static bool keep_number(const struct making *making, const struct lw_node *node, uint64_t *number)
{
    *number = (uint64_t)node->integer;
    return (node->kind == LW_NODE_INTEGER && node->integer >= 0) ||
           unexpected(making, "an integer", node);
}

/* The size of the name that was kept last. */
static bool keep_size(const struct making *making, const struct lw_node *node)
{
    return keep_number(making, node, &making->arg->as.dims.size[making->arg->count - 1]);
}

/* `[register, 4]` */
static bool keep_pair(const struct making *making, const struct lw_node *pair)
{
    if (pair->kind != LW_NODE_LIST || pair->count != 2)
        return unexpected(making, "a dim and its size, as [register, 4]", pair);
    return keep_dim(making, pair->items) && keep_size(making, pair->items->next);
}

/* `[register, lane]`, `[[register, 4], [lane, 8]]`, `{register: 4, lane: 8}`. */
static bool keep_dims(const struct making *making, const struct lw_node *list)
{
    enum lw_calc_param_kind kind = making->param->kind;
    bool object = list->kind == LW_NODE_OBJECT && kind != LW_CALC_PARAM_DIMS;
    bool sized = kind == LW_CALC_PARAM_SIZES;
    if (list->kind != LW_NODE_LIST && !object)
        return unexpected(making,
                          sized ? "sizes, as [[register, 4], [lane, 8]] or {register: 4, lane: 8}"
                                : "a list of dims, as [dim0, dim1]",
                          list);
    if (kind == LW_CALC_PARAM_OUTS)
        sized = object || (list->items && list->items->kind == LW_NODE_LIST);
    making->arg->as.dims.sized = sized;
    if (object && !(list = lw_expression_open(making->calc->scan, list)))
        return false;
    for (const struct lw_node *item = list->items; item; item = item->next)
        if (object
                ? !keep_name(making, item->label, item->label_position) || !keep_size(making, item)
            : sized ? !keep_pair(making, item)
                    : !keep_dim(making, item))
            return false;
    return true;
}

/* ---- Points ---- */

/* The number of a dim, `name` at `position`. `set` has a bit of each dim that has one. */
static bool keep_coordinate(const struct making *making, const char *name,
                            struct lw_position position, const struct lw_node *number,
                            unsigned *set)
{
    const struct lw_dims *dims = &making->call->self->as.layout.in;
    struct lw_error *err = making->calc->err;
    if (!check_side(making, LW_CALC_IN, name, position))
        return false;
    int d = lw_dims_find(dims, name);
    uint64_t *at = &making->arg->as.point[d];
    if (*set >> d & 1)
        return lw_error_at(err, LW_ERROR_NAME, position, "duplicate '%s'", name);
    *set |= 1u << d;
    if (!keep_number(making, number, at))
        return false;
    return *at < dims->dim[d].size ||
           lw_error_at(err, LW_ERROR_PARAMETER, number->position,
                       "%s = %llu: must be from 0 to %llu", name, (unsigned long long)*at,
                       (unsigned long long)dims->dim[d].size - 1);
}

bool lw_calc_point(struct lw_calculation *calc, const struct lw_calc_call *call,
                   const struct lw_node *first, struct lw_calc_argument *arg)
{
    struct making making = {calc, call, NULL, arg};
    unsigned set = 0;
    memset(arg->as.point, 0, sizeof arg->as.point);
    if (first && first->kind == LW_NODE_OBJECT && !first->label && !first->next) {
        const struct lw_node *object = lw_expression_open(calc->scan, first);
        if (!object)
            return false;
        first = object->items;
    }
    for (const struct lw_node *node = first; node; node = node->next) {
        const struct lw_node *name = node->items;
        bool colon = node->kind == LW_NODE_STRIDE && name->kind == LW_NODE_NAME;
        if (!node->label && !colon)
            return unexpected(&making, "coordinates, as register=3, lane=5", node);
        if (node->label ? !keep_coordinate(&making, node->label, node->label_position, node, &set)
                        : !keep_coordinate(&making, name->name, name->position, name->next, &set))
            return false;
    }
    return true;
}

/* ---- Numbers ---- */

/* `[2, 0, 1]` of at most `max` numbers. */
static bool keep_numbers(const struct making *making, const struct lw_node *list, uint64_t *numbers,
                         int max, int *count)
{
    *count = 0;
    if (list->kind != LW_NODE_LIST)
        return unexpected(making, "a list of numbers, as [2, 0, 1]", list);
    if (list->count > max)
        return lw_error_at(making->calc->err, LW_ERROR_LIMIT, list->position,
                           "at most %d numbers here", max);
    for (const struct lw_node *item = list->items; item; item = item->next)
        if (!keep_number(making, item, &numbers[(*count)++]))
            return false;
    return true;
}

/* An image: `[1, 0]`, or a bare number when there is one out-dim. All have equally many numbers. */
static bool keep_image(const struct making *making, const struct lw_node *node, int bit)
{
    uint64_t image[LW_DIMS_MAX];
    struct lw_calc_argument *arg = making->arg;
    int count = 1;
    if (bit == LW_BITS_MAX)
        return lw_error_at(making->calc->err, LW_ERROR_LIMIT, node->position, "at most %d bases",
                           LW_BITS_MAX);
    if (node->kind == LW_NODE_LIST ? !keep_numbers(making, node, image, LW_DIMS_MAX, &count)
                                   : !keep_number(making, node, image))
        return false;
    if (arg->count >= 0 && arg->count != count)
        return lw_error_at(making->calc->err, LW_ERROR_SHAPE, node->position,
                           "a basis of %d numbers among bases of %d", count, arg->count);
    arg->count = count;
    memcpy(arg->as.bases.images + bit * count, image, (size_t)count * sizeof *image);
    return true;
}

/* `lane: [[1, 0], [0, 1]]` */
static bool keep_dim_bases(const struct making *making, const struct lw_node *list, int *bits)
{
    int count = 0;
    struct lw_error *err = making->calc->err;
    if (list->kind != LW_NODE_LIST)
        return unexpected(making, "a list of bases", list);
    for (const struct lw_node *image = list->items; image; image = image->next)
        if (!keep_image(making, image, *bits + count++))
            return false;
    *bits += count;
    if (count == 64)
        return lw_error_at(err, LW_ERROR_LIMIT, list->label_position,
                           "one dim has at most 63 bases");
    if (lw_dims_add(&making->arg->as.bases.in, list->label, (uint64_t)1 << count, err))
        return true;
    err->position = list->label_position;
    return false;
}

/* `{register: [[1, 0], [2, 0]], lane: []}`. The count is -1 while there is no basis. */
static bool keep_bases(const struct making *making, const struct lw_node *object)
{
    int bits = 0;
    struct lw_calc_argument *arg = making->arg;
    if (object->kind != LW_NODE_OBJECT)
        return unexpected(making, "bases, as {lane: [[1, 0], [0, 1]]}", object);
    arg->count = -1;
    arg->as.bases.in.count = 0;
    arg->as.bases.images =
        lw_arena_alloc(making->calc->arena, sizeof(uint64_t) * LW_BITS_MAX * LW_DIMS_MAX);
    if (!arg->as.bases.images)
        return lw_scan_out_of_memory(making->calc->scan);
    if (!(object = lw_expression_open(making->calc->scan, object)))
        return false;
    for (const struct lw_node *list = object->items; list; list = list->next)
        if (!keep_dim_bases(making, list, &bits))
            return false;
    return true;
}

/* ---- All of them ---- */

bool lw_calc_literal_argument(struct lw_calculation *calc, const struct lw_calc_call *call,
                              const struct lw_calc_param *param, const struct lw_node *node,
                              struct lw_calc_argument *arg)
{
    const struct making making = {calc, call, param, arg};
    switch (param->kind) {
    case LW_CALC_PARAM_DIM:
        return keep_dim(&making, node);
    case LW_CALC_PARAM_COLUMNS:
        return keep_numbers(&making, node, arg->as.columns, LW_BITS_MAX, &arg->count);
    case LW_CALC_PARAM_BASES:
        return keep_bases(&making, node);
    default:
        return keep_dims(&making, node);
    }
}

/* ---- Names of C++ ---- */

bool lw_calc_word_argument(struct lw_calculation *calc, const struct lw_calc_param *param,
                           const struct lw_node *node, struct lw_calc_argument *arg)
{
    const struct lw_node *word = node;
    arg->as.word.name = NULL;
    arg->as.word.number = node->integer;
    if (node->kind == LW_NODE_INTEGER)
        return true;
    if (node->kind == LW_NODE_CHAIN) /* cutlass.Float16, with or without a module before it */
        word = lw_node_last(node);
    if (word->kind != LW_NODE_NAME && word->kind != LW_NODE_MEMBER && word->kind != LW_NODE_STRING)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, node->position,
                           "expected a name or a number for '%s'", param->name);
    arg->as.word.name = lw_calc_last_word(word->name);
    return true;
}
