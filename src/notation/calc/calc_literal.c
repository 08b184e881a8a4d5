/* Arguments of the calculator's operations that are no expressions: names of dims, sizes, points, numbers, bases and
 * words. Invariant: an argument that was made has the form of its parameter, and its dims exist where they must be the
 * layout's. */

#include "notation/calc/calculator.h"

#include <string.h>

const char *lw_calc_param_name(const struct lw_calc_row *row, int i, int *length)
{
    const char *usage = row->base.usage, *at = strchr(usage, '(');
    if (i > 0 && row->params[0] == LW_CALC_PARAM_REST) {
        at = strrchr(usage, ' '); /* after any number of others it is the last one */
        i = 0;
    }
    at = at ? at + 1 : "B"; /* of an operator */
    for (;; i--) {
        at += strspn(at, "[, ]");
        *length = (int)strcspn(at, "[, ])");
        if (i == 0)
            return at;
        at += *length;
    }
}

/* An argument while it is being made. */
struct making {
    struct lw_calculation *calc;
    const struct lw_calc_call *call;
    enum lw_calc_param param;
    struct lw_calc_argument *arg;
};

static bool unexpected(const struct making *making, const char *expected,
                       const struct lw_node *node)
{
    return lw_node_unexpected(node, expected, making->calc->err);
}

static bool keep_number(const struct making *making, const struct lw_node *node, uint64_t *number)
{
    *number = (uint64_t)node->integer;
    return (node->kind == LW_NODE_INTEGER && node->integer >= 0) ||
           unexpected(making, "an integer", node);
}

/* ---- Dims ---- */

static const char *offer_dim(const void *dims, size_t i)
{
    return ((const struct lw_dims *)dims)->dim[i].name;
}

/* Fails when a name is not that of a dim on a side of the layout. */
static bool is_dim(const struct making *making, const struct lw_dims *dims, const char *name,
                   struct lw_position position)
{
    const struct lw_calc_call *call = making->call;
    struct lw_text names = {0};
    char hint[LW_HINT_MAX];
    if (lw_dims_find(dims, name) >= 0)
        return true;
    const char *near = lw_text_nearest(name, (size_t)dims->count, offer_dim, dims);
    for (int i = 0; i < dims->count; i++)
        lw_text_format(&names, "%s%s", i ? ", " : ": it may be ", dims->dim[i].name);
    lw_error_at(making->calc->err, LW_ERROR_NAME, position, "%s: there is no %s-dim '%.40s'%s",
                call->row->base.name, dims == &call->self->as.layout.in ? "in" : "out", name,
                lw_text_hint(hint, near, lw_text_string(&names)));
    lw_text_free(&names);
    return false;
}

/* The next name of the argument. */
static bool keep_name(const struct making *making, const char *name, struct lw_position position)
{
    struct lw_calc_argument *arg = making->arg;
    enum lw_calc_param param = making->param;
    bool in = param == LW_CALC_PARAM_DIM_IN || param == LW_CALC_PARAM_DIMS_IN;
    bool out = param == LW_CALC_PARAM_DIM_OUT || param == LW_CALC_PARAM_DIMS_OUT;
    const struct lw_layout *self = in || out ? &making->call->self->as.layout : NULL;
    if (self && !is_dim(making, in ? &self->in : &self->out, name, position))
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
    bool sized = making->param == LW_CALC_PARAM_SIZES, outs = making->param == LW_CALC_PARAM_OUTS;
    bool object = list->kind == LW_NODE_OBJECT && (sized || outs);
    if (list->kind != LW_NODE_LIST && !object)
        return unexpected(making,
                          sized ? "sizes, as [[register, 4], [lane, 8]] or {register: 4, lane: 8}"
                                : "a list of dims, as [dim0, dim1]",
                          list);
    sized = sized || object || (outs && list->items && list->items->kind == LW_NODE_LIST);
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
    if (!is_dim(making, dims, name, position))
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

/* `register=3, lane=5` from `first` on, or the same in braces. */
static bool keep_point(const struct making *making, const struct lw_node *first)
{
    unsigned set = 0;
    if (first && first->kind == LW_NODE_OBJECT && !first->label && !first->next) {
        const struct lw_node *object = lw_expression_open(making->calc->scan, first);
        if (!object)
            return false;
        first = object->items;
    }
    for (const struct lw_node *node = first; node; node = node->next) {
        const struct lw_node *name = node->items;
        bool colon = node->kind == LW_NODE_STRIDE && name->kind == LW_NODE_NAME;
        if (!node->label && !colon)
            return unexpected(making, "coordinates, as register=3, lane=5", node);
        if (node->label ? !keep_coordinate(making, node->label, node->label_position, node, &set)
                        : !keep_coordinate(making, name->name, name->position, name->next, &set))
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

/* `{register: [[1, 0], [2, 0]], lane: []}`. The count is -1 while there is no basis. */
static bool keep_bases(const struct making *making, const struct lw_node *object)
{
    int bits = 0;
    struct lw_calc_argument *arg = making->arg;
    struct lw_error *err = making->calc->err;
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
    for (const struct lw_node *list = object->items; list; list = list->next) {
        if (list->kind != LW_NODE_LIST)
            return unexpected(making, "a list of bases", list);
        for (const struct lw_node *image = list->items; image; image = image->next)
            if (!keep_image(making, image, bits++))
                return false;
        if (list->count >= 64)
            return lw_error_at(err, LW_ERROR_LIMIT, list->label_position,
                               "one dim has at most 63 bases");
        if (!lw_dims_add(&arg->as.bases.in, list->label, (uint64_t)1 << list->count, err)) {
            err->position = list->label_position;
            return false;
        }
    }
    return true;
}

/* A name of C++, without its namespaces, or a number. */
static bool keep_word(const struct making *making, int i, const struct lw_node *node)
{
    const struct lw_node *word = node;
    struct lw_calc_argument *arg = making->arg;
    int length;
    const char *name = lw_calc_param_name(making->call->row, i, &length);
    arg->as.word.name = NULL;
    arg->as.word.number = node->integer;
    if (node->kind == LW_NODE_INTEGER)
        return true;
    if (node->kind == LW_NODE_CHAIN) /* cutlass.Float16, with or without a module before it */
        word = lw_node_last(node);
    if (word->kind != LW_NODE_NAME && word->kind != LW_NODE_MEMBER && word->kind != LW_NODE_STRING)
        return lw_error_at(making->calc->err, LW_ERROR_SYNTAX, node->position,
                           "expected a name or a number for '%.*s'", length, name);
    arg->as.word.name = lw_calc_last_word(word->name);
    return true;
}

/* ---- All of them ---- */

bool lw_calc_literal_argument(struct lw_calculation *calc, const struct lw_calc_call *call, int i,
                              const struct lw_node *node, struct lw_calc_argument *arg)
{
    const struct making making = {calc, call, call->row->params[i], arg};
    memset(&arg->as, 0, sizeof arg->as);
    arg->count = 0;
    switch (making.param) {
    case LW_CALC_PARAM_DIM:
    case LW_CALC_PARAM_DIM_IN:
    case LW_CALC_PARAM_DIM_OUT:
        return keep_dim(&making, node);
    case LW_CALC_PARAM_POINT:
        return keep_point(&making, node);
    case LW_CALC_PARAM_COLUMNS:
        return keep_numbers(&making, node, arg->as.columns, LW_BITS_MAX, &arg->count);
    case LW_CALC_PARAM_BASES:
        return keep_bases(&making, node);
    case LW_CALC_PARAM_WORD:
        return keep_word(&making, i, node);
    default:
        return keep_dims(&making, node);
    }
}
