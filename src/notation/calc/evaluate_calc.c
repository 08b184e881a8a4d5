/*
 * Computes the values of the calculator's expressions from their trees.
 *
 * Invariant: a value that was computed is complete; on failure the error is set and the value is undefined.
 */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

#include <string.h>

static bool evaluate(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value);

/* ---- Operations ---- */

/* Copies a result; of the kinds that are small only the member in use. */
static void move_result(struct lw_calc_result *to, const struct lw_calc_result *from)
{
    to->kind = from->kind;
    if (from->kind == LW_CALC_CUTE)
        to->as.cute = from->as.cute;
    else if (from->kind == LW_CALC_NUMBER)
        to->as.number = from->as.number;
    else if (from->kind == LW_CALC_TUPLE)
        to->as.tuple = from->as.tuple;
    else
        *to = *from;
}

/* Fails for a part that starts within an element: it has no whole offset. */
static bool is_whole(struct lw_calculation *calc, struct lw_position position,
                     const struct lw_calc_result *value)
{
    bool within = value && value->kind == LW_CALC_CUTE && value->as.cute.start_bit;
    return !within ||
           lw_error_at(calc->err, LW_ERROR_PARAMETER, position,
                       "the part starts within an element: it has no offset in whole elements");
}

static bool are_whole(struct lw_calculation *calc, const struct lw_calc_call *call,
                      struct lw_position position)
{
    bool whole = is_whole(calc, position, call->self);
    for (int i = 0; i < LW_CALC_PARAMS_MAX && whole; i++) {
        const enum lw_calc_param_kind kind = call->operation->params[i].kind;
        if (call->args[i].given && (kind == LW_CALC_PARAM_CUTE || kind == LW_CALC_PARAM_VALUE ||
                                    kind == LW_CALC_PARAM_ANY))
            whole = is_whole(calc, position, call->args[i].as.value);
    }
    return whole;
}

/* Runs an operation. LW_ERROR_UNSUPPORTED of it means that there is no such layout, which is a result. */
static bool run(struct lw_calculation *calc, struct lw_calc_call *call, struct lw_position position,
                struct lw_calc_result *value)
{
    struct lw_calc_result made;
    struct lw_error *err = calc->err;
    if (!are_whole(calc, call, position))
        return false;
    bool fit = call->operation->on != LW_CALC_OF_CUTE || lw_calc_is_possible(call);
    if (fit && lw_calc_run_by_rules(call, calc->as_cute, &made)) {
        if (!lw_calc_keep_pair(calc, call, &made))
            return false;
        calc->recounts |= lw_calc_recounts(call->operation);
        move_result(value, &made);
        return true;
    }
    if (err->code == LW_ERROR_UNSUPPORTED) {
        value->kind = LW_CALC_NONE;
        memcpy(value->as.why, err->message, sizeof value->as.why);
        return true;
    }
    if (err->position.line == 0)
        err->position = position;
    return false;
}

/* The bracket that closes a call. */
static struct lw_position closing(const struct lw_node *call)
{
    struct lw_position position = lw_node_end(call);
    position.column--;
    position.length = 1;
    return position;
}

/* ---- Methods and functions ---- */

/* The owner of a value's methods in messages. A shape is read as its compact layout. */
static enum lw_calc_on owner_of(enum lw_calc_kind kind)
{
    switch (kind) {
    case LW_CALC_ACTION:
        return LW_CALC_OF_ACTION;
    case LW_CALC_MMA:
        return LW_CALC_OF_MMA;
    case LW_CALC_COPY:
        return LW_CALC_OF_COPY;
    case LW_CALC_TUPLE:
        return LW_CALC_OF_TUPLE;
    case LW_CALC_CUTE:
    case LW_CALC_SWIZZLE:
    case LW_CALC_NUMBER:
        return LW_CALC_OF_CUTE;
    default:
        return LW_CALC_OF_LAYOUT;
    }
}

/* Converts the value to the kind that the operation is of. */
static bool fit_self(struct lw_calculation *calc, const struct lw_calc_operation *operation,
                     const struct lw_node *call, struct lw_calc_result *value)
{
    if (operation->on != LW_CALC_OF_CUTE || value->kind == LW_CALC_SWIZZLE)
        return true;
    if (lw_calc_to_cute(calc, value))
        return true;
    return calc->err->code == LW_OK ? lw_calc_not_of(calc, call->name, call->name_position, value)
                                    : false;
}

/* Begins a call without arguments. */
static void begin_call(const struct lw_calculation *calc, struct lw_calc_call *call,
                       const struct lw_calc_operation *operation, const struct lw_calc_result *self)
{
    call->operation = operation;
    call->self = self;
    call->work = lw_calc_work_here(calc);
    call->bits = calc->bits;
    call->triton = calc->triton;
    call->as_cute = calc->as_cute;
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++) {
        call->args[i].given = false;
        call->args[i].count = 0;
        call->args[i].as.tuple = (struct lw_cute_tuple){0};
    }
}

/* Calls a method of *value, and replaces *value by its result. */
static bool call_method(struct lw_calculation *calc, const struct lw_node *node,
                        const struct lw_node *arguments, struct lw_calc_result *value)
{
    enum lw_calc_on on = owner_of(value->kind);
    const struct lw_calc_operation *operation = lw_calc_find(on, node->name);
    struct lw_calc_call call;
    if (!operation && on == LW_CALC_OF_TUPLE) { /* a shape is its compact layout */
        on = LW_CALC_OF_CUTE;
        operation = lw_calc_find(on, node->name);
    }
    bool other =
        on == LW_CALC_OF_LAYOUT && value->kind != LW_CALC_LAYOUT; /* a truth, a point, `_` */
    if ((other || !operation) && lw_calc_is_method(node->name))
        return lw_calc_not_of(calc, node->name, node->name_position, value);
    if (!operation)
        return lw_calc_unknown_operation(calc, node->name, node->name_position, &on);
    begin_call(calc, &call, operation, value);
    return fit_self(calc, operation, node, value) &&
           lw_calc_make_arguments(calc, &call, arguments, closing(node)) &&
           run(calc, &call, node->position, value);
}

/* A method whose layout is the first argument; those in angles come after it: size<0>(A). */
static bool call_of_first(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const struct lw_node *self = node->items;
    if (!self)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, closing(node), "%s: its layout is missing",
                           node->name);
    const struct lw_node *arguments = self->next;
    return lw_calc_put_angles(calc, node, &arguments) && evaluate(calc, self, value) &&
           call_method(calc, node, arguments, value);
}

static bool call_function(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const struct lw_calc_operation *operation = lw_calc_find(LW_CALC_FUNCTION, node->name);
    if (!operation)
        return lw_calc_is_method(node->name)
                   ? call_of_first(calc, node, value)
                   : lw_calc_unknown_operation(calc, node->name, node->name_position, NULL);
    struct lw_calc_call call;
    begin_call(calc, &call, operation, NULL);
    return lw_calc_angle_arguments(calc, &call, node) &&
           lw_calc_make_arguments(calc, &call, node->items, closing(node)) &&
           run(calc, &call, node->position, value);
}

/* ---- Names ---- */

/* A name of CuTe with template arguments. */
static bool evaluate_template(struct lw_calculation *calc, const struct lw_node *node,
                              struct lw_calc_result *value)
{
    struct lw_cute_tuple items;
    if (lw_node_is_swizzle(node)) {
        value->kind = LW_CALC_SWIZZLE;
        return lw_calc_swizzle(calc, node, &value->as.swizzle);
    }
    if (lw_calc_is_composed(node))
        return lw_calc_composed(calc, node, value);
    if (!lw_calc_is_type(node))
        return lw_error_at(calc->err, LW_ERROR_NAME, node->angles->position,
                           "'%.40s' has no arguments in <...>", node->name);
    if (!node->angles->count)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, node->angles->position,
                           "expected an integer, a tuple or a layout in <...>");
    return lw_calc_items(calc, node->angles->items, &items) &&
           lw_calc_type(calc, node, &items, value);
}

static bool evaluate_name(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    if (lw_calc_is_atom_type(node->name))
        return lw_calc_atom_type(calc, node, value);
    if (node->angles && !lw_calc_is_smem(node->name) && !lw_calc_is_atom(node->name))
        return evaluate_template(calc, node, value);
    return lw_calc_name(calc, node, value);
}

/* `(2, 3)` or `(_, 3)` after a layout of CuTe. */
static bool evaluate_at(struct lw_calculation *calc, const struct lw_node *node,
                        struct lw_calc_result *value)
{
    struct lw_cute_tuple coordinate;
    bool layout = value->kind == LW_CALC_CUTE;
    struct lw_cute_work work = {.arena = calc->arena,
                                .err = calc->err,
                                .rules =
                                    calc->as_cute && layout ? LW_CUTE_UNCHECKED : LW_CUTE_VALUES};
    if (value->kind == LW_CALC_ATOM && !node->items)
        return true; /* Copy_Atom<...>(), a value of the type */
    if (!layout && value->kind != LW_CALC_SWIZZLE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, node->position,
                           "coordinates need a layout of CuTe, not %s",
                           lw_calc_kind_name(value->kind));
    if (!is_whole(calc, node->position, value) || !lw_calc_items(calc, node->items, &coordinate))
        return false;
    coordinate.position = node->position;
    if (lw_calc_at(&work, &coordinate, value))
        return true;
    if (calc->err->code == LW_ERROR_PARAMETER && layout && !calc->as_cute)
        lw_calc_add_past(calc->err);
    if (calc->err->position.line == 0)
        calc->err->position = coordinate.position;
    return false;
}

/* `[1]` after a tuple or a layout, its item or mode; `[None, 1]` after a tensor, its part there. */
static bool evaluate_index(struct lw_calculation *calc, const struct lw_node *node,
                           struct lw_calc_result *value)
{
    const struct lw_cute *cute = &value->as.cute;
    struct lw_node get = *node;
    bool layout = value->kind == LW_CALC_CUTE;
    bool tensor = layout && (cute->part || cute->iterator);
    get.name = "get";
    get.name_position = node->position;
    return !tensor && (layout || value->kind == LW_CALC_TUPLE)
               ? call_method(calc, &get, node->items, value)
               : evaluate_at(calc, node, value);
}

static bool evaluate_call(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const struct lw_node *none = NULL;
    if (calc->makes_tilus && !node->angles && lw_calc_is_tilus_constructor(node->name))
        return lw_calc_made(calc, node, &none, value);
    if (lw_calc_is_python_op(node->name))
        return lw_calc_python(calc, node, value);
    if (node->angles && lw_calc_is_method(node->name))
        return call_of_first(calc, node, value);
    if (node->angles && lw_calc_find(LW_CALC_FUNCTION, node->name) && !lw_calc_is_type(node))
        return call_function(calc, node, value);
    if (node->angles || lw_calc_names_cute(calc, node->name))
        return evaluate_name(calc, node, value) && evaluate_at(calc, node, value);
    return call_function(calc, node, value);
}

static bool evaluate_tuple(struct lw_calculation *calc, const struct lw_node *node,
                           struct lw_calc_result *value)
{
    struct lw_cute_tuple tuple;
    if (!node->items)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, node->position, "%s, as in %s",
                           node->kind == LW_NODE_TILER ? "expected tilers"
                                                       : "expected at least one item in a tuple",
                           node->kind == LW_NODE_TILER ? "<3:3, (2,4):(1,8)>" : "(4,8)");
    if (!lw_calc_items(calc, node->items, &tuple))
        return false;
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = tuple;
    value->as.tuple.position = node->position;
    return true;
}

static bool evaluate_stride(struct lw_calculation *calc, const struct lw_node *node,
                            struct lw_calc_result *value)
{
    const struct lw_node *shape = node->items;
    struct lw_calc_result stride;
    return lw_calc_check_stride(calc, node) && evaluate(calc, shape, value) &&
           evaluate(calc, shape->next, &stride) && lw_calc_stride(calc, node, value, &stride);
}

/* ---- Chains and operators ---- */

/* Evaluates a call in a module of Python, `cute.make_layout(...)`; `part` is the step after the module's name. */
static bool evaluate_in_module(struct lw_calculation *calc, const struct lw_node *part,
                               const struct lw_node **step, struct lw_calc_result *value)
{
    while (part && part->kind == LW_NODE_MEMBER && lw_calc_is_module(part->name))
        part = part->next;
    if (!part || part->kind != LW_NODE_METHOD)
        return part ? lw_node_unexpected(part, "the call of a function", calc->err)
                    : lw_error_set(calc->err, LW_ERROR_SYNTAX, "a module alone is not a layout");
    struct lw_node call = *part;
    call.kind = LW_NODE_CALL;
    call.next = NULL;
    if (!strcmp(call.name, "make_tiled_copy"))
        call.name = "make_tiled_copy_impl"; /* in Python the arguments are of that */
    *step = part->next;
    bool outside = calc->fixed; /* whether this call is an argument of another one */
    calc->fixed = true;
    bool good = evaluate(calc, &call, value);
    calc->fixed = outside;
    return good;
}

/* The first part of a chain; *step: the first step that is left. */
static bool evaluate_head(struct lw_calculation *calc, const struct lw_node *chain,
                          const struct lw_node **step, struct lw_calc_result *value)
{
    const struct lw_node *head = chain->items, *part = head->next;
    *step = part;
    if (calc->makes_tilus && head->kind == LW_NODE_CALL && !head->angles &&
        lw_calc_is_tilus_constructor(head->name))
        return lw_calc_made(calc, chain, step, value);
    if (lw_calc_names_module(calc, head))
        return evaluate_in_module(calc, part, step, value);
    if (!lw_calc_names_atom(calc, head) || part->kind == LW_NODE_AT || part->kind == LW_NODE_INDEX)
        return evaluate(calc, head, value);
    *step = part->next;
    return lw_calc_atom(calc, head, part, value) &&
           (part->kind == LW_NODE_MEMBER || evaluate_at(calc, part, value));
}

static bool evaluate_chain(struct lw_calculation *calc, const struct lw_node *chain,
                           struct lw_calc_result *value)
{
    const struct lw_node *step;
    if (!evaluate_head(calc, chain, &step, value))
        return false;
    for (; step; step = step->next) {
        bool property = value->kind == LW_CALC_MMA || value->kind == LW_CALC_COPY;
        bool at = step->kind == LW_NODE_AT || lw_calc_is_slice(step, value);
        if (at                            ? !evaluate_at(calc, step, value)
            : step->kind == LW_NODE_INDEX ? !evaluate_index(calc, step, value)
                                          : !call_method(calc, step, step->items, value))
            return false;
        if (step->kind == LW_NODE_MEMBER && !property)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(step),
                               "expected '(' and the arguments of %.40s", step->name);
    }
    return true;
}

/* `A o B`, as papers write composition(A, B): replaces *left by it. */
static bool compose(struct lw_calculation *calc, const struct lw_node *operand,
                    struct lw_calc_result *left, const struct lw_calc_result *right)
{
    const struct lw_calc_operation *operation = lw_calc_find(LW_CALC_OF_CUTE, "composition");
    struct lw_calc_call call;
    if (left->kind != LW_CALC_SWIZZLE && !lw_calc_to_cute(calc, left))
        return calc->err->code == LW_OK ? lw_calc_not_of(calc, "o", operand->label_position, left)
                                        : false;
    begin_call(calc, &call, operation, left);
    call.args[0].given = true;
    return lw_calc_to_item(calc, right, operand->position, &call.args[0].as.tuple) &&
           lw_calc_is_tiler(&call.args[0].as.tuple, calc->err) &&
           run(calc, &call, operand->label_position, left);
}

/* `left operator right`: replaces *left by the result. `first`: the node of the left operand, NULL where it is a
 * result. */
static bool operate(struct lw_calculation *calc, const struct lw_node *first,
                    struct lw_calc_result *left, const struct lw_node *operand,
                    struct lw_calc_result *right)
{
    const char *symbol = operand->label;
    struct lw_position position = operand->label_position;
    struct lw_calc_call call;
    if (symbol[0] == 'o')
        return compose(calc, operand, left, right);
    if (lw_calc_are_integers(first, left, operand, right))
        return lw_calc_of_integers(calc, operand, left, right);
    if (strchr("+-%", symbol[0]))
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "'%s' is for two integers of CuTe",
                           symbol);
    begin_call(calc, &call, lw_calc_find(LW_CALC_OPERATOR, symbol), left);
    lw_calc_plain_number(left);
    lw_calc_plain_number(right);
    if (!call.operation)
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, position,
                           "'%s' is for layouts of tilus; of others there are divideLeft, "
                           "divideRight and logical_divide",
                           symbol);
    call.work.steps = NULL;
    call.args[0].given = true;
    call.args[0].as.value = right;
    if (call.operation->params[0].kind == LW_CALC_PARAM_LAYOUT) {
        if (left->kind != LW_CALC_LAYOUT)
            return lw_calc_not_of(calc, symbol, position, left);
        if (right->kind != LW_CALC_LAYOUT)
            return lw_calc_not_of(calc, symbol, position, right);
    }
    return run(calc, &call, position, left);
}

static bool evaluate_operation(struct lw_calculation *calc, const struct lw_node *node,
                               struct lw_calc_result *value)
{
    struct lw_calc_result right;
    const struct lw_node *first = node->items;
    if (!evaluate(calc, first, value))
        return false;
    for (const struct lw_node *operand = first->next; operand; operand = operand->next) {
        if (!evaluate(calc, operand, &right) || !operate(calc, first, value, operand, &right))
            return false;
        first = NULL;
    }
    return true;
}

static bool evaluate(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value)
{
    switch (node->kind) {
    case LW_NODE_INTEGER:
    case LW_NODE_AXIS:
        value->kind = LW_CALC_TUPLE;
        if (!lw_calc_literal(calc->arena, node, &value->as.tuple, calc->err))
            return false;
        value->as.tuple.fixed = value->as.tuple.fixed || calc->fixed;
        return true;
    case LW_NODE_STRING:
    case LW_NODE_OBJECT:
        return calc->sources->read(calc->sources, node, calc->arena, value, calc->err);
    case LW_NODE_NAME:
        return evaluate_name(calc, node, value);
    case LW_NODE_CALL:
        return evaluate_call(calc, node, value);
    case LW_NODE_GROUP:
        return evaluate(calc, node->items, value) &&
               (node->items->kind == LW_NODE_OPERATION || lw_calc_group(calc, node, value));
    case LW_NODE_TUPLE:
    case LW_NODE_TILER:
        return evaluate_tuple(calc, node, value);
    case LW_NODE_STRIDE:
        return evaluate_stride(calc, node, value);
    case LW_NODE_TENSOR:
        return evaluate(calc, lw_node_last(node), value) && lw_calc_tensor(calc, node, value);
    case LW_NODE_SWIZZLED:
        return evaluate(calc, lw_node_last(node), value) && lw_calc_swizzled(calc, node, value);
    case LW_NODE_CHAIN:
        return evaluate_chain(calc, node, value);
    case LW_NODE_OPERATION:
        return evaluate_operation(calc, node, value);
    default:
        return lw_node_unexpected(node, "a layout", calc->err);
    }
}

/* ---- Statements ---- */

bool lw_calc_evaluate(struct lw_calculation *calc, const struct lw_node *first,
                      struct lw_calc_result *value)
{
    calc->evaluate = evaluate;
    for (const struct lw_node *statement = first; statement; statement = statement->next) {
        if (statement->next && !statement->label)
            return lw_error_at(
                calc->err, LW_ERROR_SYNTAX, statement->position,
                "only the last expression is the result: assign the others to names");
        if (statement->kind == LW_NODE_INTEGER && statement->integer < 0)
            return lw_node_unexpected(statement, "a layout or a number from 0 on", calc->err);
        if (!evaluate(calc, statement, value) ||
            (statement->label && !lw_calc_keep(calc, statement, value)))
            return false;
    }
    return true;
}
