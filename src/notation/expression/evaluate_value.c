/*
 * Values of syntax trees: plain values, and the layouts that calls of tilus and Gluon make.
 *
 * A function may have modules before it, as in Python: tilus.spatial(2, 4). Invariant: a layout that is used twice is
 * copied, so that values are trees.
 */

#include "encoding/triton/gluon.h"
#include "notation/expression/expression.h"

#include "core/text_escape.h"

#include <string.h>

/* ---- Variables ---- */

struct lw_variable {
    struct lw_variable *next;
    const char *name;
    struct lw_value value;
};

static bool no_value(struct lw_error *err, const struct lw_node *node)
{
    return lw_node_unexpected(node, "a number, a string, a list, an object or a layout of tilus",
                              err);
}

/* ---- Lists and objects ---- */

/* Evaluates the items of a list; one item is a list too. */
static bool evaluate_items(struct lw_evaluator *evaluator, const struct lw_node *node,
                           struct lw_value *value)
{
    size_t room = 0;
    value->kind = LW_VALUE_LIST;
    for (const struct lw_node *item = node->items; item; item = item->next) {
        struct lw_value one;
        if (!lw_evaluate(evaluator, item, &one) ||
            !lw_read_append(evaluator->scan, value, &room, &one))
            return false;
    }
    return true;
}

/* Of one object. */
#define NAMES_MAX 1024

static bool evaluate_object(struct lw_evaluator *evaluator, const struct lw_node *node,
                            struct lw_value *value)
{
    struct lw_scan *scan = evaluator->scan;
    if (node->count > NAMES_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, node->position,
                           "more than %d names in one object", NAMES_MAX);
    value->names = lw_arena_alloc(scan->arena, (size_t)(node->count + 1) * sizeof *value->names);
    if (!value->names)
        return lw_scan_out_of_memory(scan);
    size_t count = 0;
    for (const struct lw_node *item = node->items; item; item = item->next) {
        for (size_t i = 0; i < count; i++)
            if (!strcmp(value->names[i], item->label))
                return lw_error_at(scan->err, LW_ERROR_NAME, item->label_position,
                                   "duplicate key '%s'", item->label);
        value->names[count++] = item->label;
    }
    if (!evaluate_items(evaluator, node, value))
        return false;
    const struct lw_node *item = node->items;
    for (size_t i = 0; i < count; i++, item = item->next)
        value->items[i].name_position = item->label_position;
    value->kind = LW_VALUE_OBJECT;
    return true;
}

/* ---- Names and calls ---- */

static bool evaluate_name(struct lw_evaluator *evaluator, const struct lw_node *node,
                          struct lw_value *value)
{
    static const char *const truths[] = {"false", "False", "true", "True"};
    struct lw_scan *scan = evaluator->scan;
    if (node->angles)
        return no_value(scan->err, node);
    for (int i = 0; i < 4; i++)
        if (!strcmp(node->name, truths[i])) {
            value->kind = LW_VALUE_BOOLEAN;
            value->integer = i / 2;
            return true;
        }
    if (!strcmp(node->name, "None")) /* the argument's default, as in Python */
        return true;
    const struct lw_variable *variable = evaluator->variables;
    while (variable && strcmp(variable->name, node->name) != 0)
        variable = variable->next;
    if (variable)
        return lw_read_copy(scan, node->position, &variable->value, value);
    value->kind = LW_VALUE_STRING;
    value->string = node->name;
    return evaluator->words || lw_error_at(scan->err, LW_ERROR_NAME, node->name_position,
                                           "unknown name '%s'", node->name);
}

/* The name of an element in an argument, gl.float16, as a string; false: the node is no such name. */
static bool read_element(const struct lw_node *node, struct lw_value *value)
{
    struct lw_element element;
    const struct lw_node *last = node->kind == LW_NODE_CHAIN ? lw_node_last(node) : node;
    bool named = (node->kind == LW_NODE_NAME && !node->angles) ||
                 (node->kind == LW_NODE_CHAIN && last->kind == LW_NODE_MEMBER);
    if (!named || !lw_element_find(&element, last->name, NULL))
        return false;
    *value = (struct lw_value){
        .kind = LW_VALUE_STRING, .string = last->name, .position = node->position};
    return true;
}

static bool evaluate_arguments(struct lw_evaluator *evaluator, const struct lw_node *call,
                               bool has_elements, struct lw_call_arguments *arguments)
{
    size_t room = (size_t)call->count + 1;
    struct lw_call_argument *items = lw_arena_alloc(evaluator->scan->arena, room * sizeof *items);
    if (!items)
        return lw_scan_out_of_memory(evaluator->scan);
    *arguments = (struct lw_call_arguments){.items = items};
    for (const struct lw_node *node = call->items; node; node = node->next) {
        struct lw_call_argument *item = &items[arguments->count++];
        item->name = node->label;
        item->name_position = node->label_position;
        bool type = has_elements || (item->name && !strcmp(item->name, "elem_type"));
        if (!(type && read_element(node, &item->value)) &&
            !lw_evaluate(evaluator, node, &item->value))
            return false;
    }
    return true;
}

/* A call that makes a layout; `receiver` is the x of x.name(...), or NULL. */
static bool evaluate_call(struct lw_evaluator *evaluator, const struct lw_node *call,
                          const struct lw_value *receiver, struct lw_value *value)
{
    struct lw_scan *scan = evaluator->scan;
    struct lw_call_arguments arguments;
    struct lw_callee callee;
    if (call->angles)
        return no_value(scan->err, call);
    if (!lw_callee_find(scan, call->name, call->name_position, receiver, &callee) ||
        !evaluate_arguments(evaluator, call, callee.chooser, &arguments))
        return false;
    lw_tensor_unknown(&evaluator->tensor);
    *value = (struct lw_value){
        .kind = LW_VALUE_ENCODING,
        .encoding = lw_call(scan, &callee, receiver, &arguments, &evaluator->tensor)};
    value->position =
        receiver ? lw_position_join(receiver->position, call->position) : call->position;
    return value->encoding;
}

/* ---- Chains ---- */

/* The call that a chain of names leads to, when these are its modules; NULL: they are not. */
static const struct lw_node *call_in_module(const struct lw_node *head)
{
    const struct lw_node *step = head->next;
    while (step && step->kind == LW_NODE_MEMBER)
        step = step->next;
    bool found = step && step->kind == LW_NODE_METHOD &&
                 (lw_gluon_find(step->name, 0) ||
                  lw_text_has_word("tilus gl ttgl gluon NVMMASharedLayout", head->name));
    return found ? step : NULL;
}

static bool evaluate_chain(struct lw_evaluator *evaluator, const struct lw_node *chain,
                           struct lw_value *value)
{
    struct lw_error *err = evaluator->scan->err;
    const struct lw_node *head = chain->items;
    const struct lw_node *call = head->kind == LW_NODE_NAME ? call_in_module(head) : NULL;
    if (call ? !evaluate_call(evaluator, call, NULL, value) : !lw_evaluate(evaluator, head, value))
        return false;
    for (const struct lw_node *step = call ? call : head; (step = step->next);) {
        struct lw_value receiver = *value;
        if (step->kind == LW_NODE_AT || step->kind == LW_NODE_INDEX)
            return lw_error_at(err, LW_ERROR_SYNTAX, step->position,
                               "expected one value, such as [2, 16]: arguments follow the name of "
                               "a function, spatial(8, 4)");
        if (receiver.kind != LW_VALUE_ENCODING)
            return lw_error_at(err, LW_ERROR_SYNTAX, step->name_position,
                               "'.%s' needs a layout before it", step->name);
        if (step->kind == LW_NODE_MEMBER)
            return lw_error_at(err, LW_ERROR_SYNTAX, step->name_position,
                               "'.%s' lacks its arguments: write .%s(...)", step->name, step->name);
        if (!evaluate_call(evaluator, step, &receiver, value))
            return false;
    }
    return true;
}

/* ---- Expressions ---- */

static bool evaluate_operation(struct lw_evaluator *evaluator, const struct lw_node *node,
                               struct lw_value *value)
{
    if (!lw_evaluate(evaluator, node->items, value))
        return false;
    for (const struct lw_node *operand = node->items->next; operand; operand = operand->next) {
        struct lw_value left = *value, right;
        if (operand->label[1] || !strchr("*/", operand->label[0]))
            return lw_error_at(evaluator->scan->err, LW_ERROR_SYNTAX, operand->label_position,
                               "'%s' is not for layouts of tilus here: 'laneway calc' evaluates it",
                               operand->label);
        if (!lw_evaluate(evaluator, operand, &right))
            return false;
        *value = (struct lw_value){.kind = LW_VALUE_ENCODING,
                                   .position = lw_position_join(left.position, right.position)};
        value->encoding = lw_tilus_operation(evaluator->scan, *operand->label,
                                             operand->label_position, &left, &right);
        if (!value->encoding)
            return false;
    }
    return true;
}

bool lw_evaluate(struct lw_evaluator *evaluator, const struct lw_node *node, struct lw_value *value)
{
    *value = (struct lw_value){.position = node->position};
    switch (node->kind) {
    case LW_NODE_INTEGER:
        value->kind = LW_VALUE_INTEGER;
        value->integer = node->integer;
        return true;
    case LW_NODE_STRING:
        value->kind = LW_VALUE_STRING;
        value->string = node->name;
        return true;
    case LW_NODE_ATTRIBUTE:
        value->kind = LW_VALUE_ENCODING;
        value->encoding = node->encoding;
        return true;
    case LW_NODE_NAME:
        return evaluate_name(evaluator, node, value);
    case LW_NODE_LIST:
    case LW_NODE_TUPLE:
        return evaluate_items(evaluator, node, value);
    case LW_NODE_GROUP:
        return lw_evaluate(evaluator, node->items, value);
    case LW_NODE_OBJECT:
        return evaluate_object(evaluator, node, value);
    case LW_NODE_CALL:
        return evaluate_call(evaluator, node, NULL, value);
    case LW_NODE_CHAIN:
        return evaluate_chain(evaluator, node, value);
    case LW_NODE_OPERATION:
        return evaluate_operation(evaluator, node, value);
    case LW_NODE_STRIDE: /* of paddings 4:+2, the list [4, 2] */
        if (evaluator->words && node->items->kind == LW_NODE_INTEGER && node->items->next->plus)
            return evaluate_items(evaluator, node, value);
        return no_value(evaluator->scan->err, node);
    default:
        return no_value(evaluator->scan->err, node);
    }
}

bool lw_evaluate_statements(struct lw_evaluator *evaluator, const struct lw_node *first,
                            const struct lw_node *end, struct lw_value *value)
{
    struct lw_scan *scan = evaluator->scan;
    for (const struct lw_node *statement = first; statement != end; statement = statement->next) {
        if (!lw_evaluate(evaluator, statement, value))
            return false;
        if (!statement->label)
            continue;
        if (evaluator->variable_count++ == LW_NESTING_MAX)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, statement->label_position,
                               "more than %d names are set in one text", LW_NESTING_MAX);
        struct lw_variable *variable = lw_arena_alloc(scan->arena, sizeof *variable);
        if (!variable)
            return lw_scan_out_of_memory(scan);
        *variable = (struct lw_variable){evaluator->variables, statement->label, *value};
        evaluator->variables = variable; /* the last of a name hides the others */
    }
    return true;
}

bool lw_value_layout(const struct lw_value *value, struct lw_encoding **encoding,
                     struct lw_error *err)
{
    bool shape = value->kind == LW_VALUE_LIST || value->kind == LW_VALUE_INTEGER;
    *encoding = value->encoding;
    return value->kind == LW_VALUE_ENCODING ||
           lw_error_at(err, LW_ERROR_SYNTAX, value->position,
                       shape ? "a shape alone is not a layout: one of CuTe has a stride too, "
                               "(4,8):(8,1)"
                             : "expected a layout, such as 'local(2, 1).spatial(8, 4)'");
}

/* ---- Texts ---- */

bool lw_read_value(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_evaluator evaluator = {.scan = scan, .words = true};
    const struct lw_node *node = lw_expression_parse(scan);
    return node && lw_evaluate(&evaluator, node, value);
}

bool lw_read_loose_value(struct lw_scan *scan, struct lw_value *value)
{
    size_t room = 0;
    memset(value, 0, sizeof *value);
    if (lw_scan_at_end(scan))
        return true;
    if (!lw_read_value(scan, value))
        return false;
    if (lw_scan_peek(scan) == ',') {
        struct lw_value first = *value, item;
        *value = (struct lw_value){.kind = LW_VALUE_LIST, .position = first.position};
        if (!lw_read_append(scan, value, &room, &first))
            return false;
        while (lw_scan_accept(scan, ',') && !lw_scan_at_end(scan)) {
            if (!lw_read_value(scan, &item) || !lw_read_append(scan, value, &room, &item))
                return false;
            value->position = lw_position_join(first.position, item.position);
        }
    }
    return lw_scan_at_end(scan) || lw_scan_unexpected(scan, "the end");
}

bool lw_read_json(struct lw_arena *arena, const char *text, size_t length, struct lw_value *value,
                  struct lw_error *err)
{
    struct lw_scan scan;
    struct lw_error ignored;
    struct lw_evaluator evaluator = {.scan = &scan};
    memset(value, 0, sizeof *value);
    lw_skip_order_mark(&text, &length);
    lw_scan_begin(&scan, arena, text, length, err ? err : &ignored);
    scan.json = true;
    const struct lw_node *node = lw_expression_parse(&scan);
    return node && lw_evaluate(&evaluator, node, value) &&
           (lw_scan_at_end(&scan) || lw_scan_unexpected(&scan, "the end of the document"));
}

bool lw_read_program(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding)
{
    struct lw_evaluator evaluator = {.scan = scan, .tensor.rank = -1};
    struct lw_value value;
    const struct lw_node *first = lw_expression_parse_program(scan);
    if (!first || !lw_evaluate_statements(&evaluator, first, NULL, &value) ||
        !lw_value_layout(&value, encoding, scan->err))
        return false;
    if (evaluator.tensor.rank > 0)
        *tensor = evaluator.tensor;
    return true;
}
