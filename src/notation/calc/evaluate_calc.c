/*
 * Computes the values of the calculator's expressions from their trees.
 *
 * Invariant: a value that was computed is complete; on failure the error is set and the value is undefined.
 */

#include "notation/calc/calculator.h"

#include <string.h>

static bool evaluate(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value);

/* ---- Names ---- */

/* Whether a name is a layout of CuTe, so that a parenthesis after it is a coordinate. */
static bool names_cute(const struct lw_calculation *calc, const char *name)
{
    const struct lw_calc_variable *variable = lw_calc_find_variable(calc, name);
    const struct lw_calc_binding *let = lw_calc_find_let(calc, name);
    return variable ? lw_calc_cute(&variable->value) != NULL : let && let->cute;
}

static bool names_module(const struct lw_calculation *calc, const struct lw_node *node)
{
    return node->kind == LW_NODE_NAME && !node->angles && lw_calc_is_module(node->name) &&
           !lw_calc_is_set(calc, node->name);
}

/* Whether a name is that of an atom, so that a part of it follows. */
static bool names_atom(const struct lw_calculation *calc, const struct lw_node *node)
{
    return node->kind == LW_NODE_NAME && !lw_calc_is_set(calc, node->name) &&
           !lw_calc_is_smem(node->name) && lw_calc_is_atom(node->name) &&
           !lw_calc_is_atom_type(node->name);
}

static const char *offer_let(const void *lets, size_t i)
{
    return ((const struct lw_calc_binding *)lets)[i].name;
}

/* Short names are all near each other: for these the message lists the names that exist. */
static bool unknown_name(struct lw_calculation *calc, const char *name, struct lw_position position)
{
    char hint[LW_HINT_MAX];
    struct lw_text names = {.limit = 120};
    const char *near =
        strlen(name) < 3 ? NULL : lw_text_nearest(name, calc->let_count, offer_let, calc->lets);
    for (size_t i = 0; i < calc->let_count && !lw_text_full(&names); i++)
        lw_text_format(&names, "%s%.40s", i ? ", " : ": it may be ", calc->lets[i].name);
    if (calc->let_count == 0)
        lw_text_add(&names, "; a SOURCE must be in quotes, inside those of the shell: '\"...\"'");
    lw_error_at(calc->err, LW_ERROR_NAME, position, "unknown name '%.40s'%s", name,
                lw_text_hint(hint, near, lw_text_string(&names)));
    lw_text_free(&names);
    return false;
}

static bool take_let(struct lw_calculation *calc, const struct lw_calc_binding *let,
                     struct lw_position position, struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    if (let->why)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s is %.300s", let->name,
                           let->why);
    value->kind = LW_CALC_LAYOUT;
    if (let->cute)
        return lw_calc_set_cute(&work, let->cute, value);
    value->as.layout = let->layout;
    return true;
}

static bool evaluate_name(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const char *name = node->name;
    const struct lw_calc_variable *variable = lw_calc_find_variable(calc, name);
    const struct lw_calc_binding *let = lw_calc_find_let(calc, name);
    if (lw_calc_is_atom_type(name))
        return lw_calc_atom_type(calc, node, value);
    if (node->angles && !lw_calc_is_smem(name) && !lw_calc_is_atom(name))
        return lw_calc_template(calc, node, value);
    if (variable)
        *value = variable->value;
    if (variable)
        return true;
    if (let)
        return take_let(calc, let, node->position, value);
    if (lw_calc_is_smem(name))
        return lw_calc_smem(calc, node, value);
    if (lw_calc_is_atom(name))
        return lw_calc_atom(calc, node, NULL, value);
    if (lw_calc_leaf(node, value))
        return true;
    value->kind = LW_CALC_TRUTH;
    value->as.truth = !strcmp(name, "true");
    return value->as.truth || !strcmp(name, "false") ||
           unknown_name(calc, name, node->name_position);
}

/* ---- Tuples ---- */

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
    tuple.position = node->position;
    return lw_calc_set_tree(&tuple, value);
}

/* Parentheses around a number or a tuple make a tuple of one; around another value they do nothing. */
static bool evaluate_group(struct lw_calculation *calc, const struct lw_node *node,
                           struct lw_calc_result *value)
{
    if (!evaluate(calc, node->items, value))
        return false;
    const struct lw_cute_tuple *tree = &value->as.tree;
    if (node->items->kind == LW_NODE_OPERATION || value->kind != LW_CALC_TREE ||
        (tree->count < 0 && tree->leaf != LW_CUTE_INTEGER && tree->leaf != LW_CUTE_BLANK))
        return true;
    struct lw_cute_tuple *item = lw_arena_alloc(calc->arena, sizeof *item);
    if (!item)
        return lw_scan_out_of_memory(calc->scan);
    *item = *tree;
    item->position = node->items->position;
    const struct lw_cute_tuple one = {.position = node->position, .count = 1, .items = item};
    return lw_calc_set_tree(&one, value);
}

/* Subtracts the numbers of a tuple from *left; false: it has more. Items may be shared, so a tuple of few bytes can
 * have many numbers. */
static bool has_at_most(const struct lw_cute_tuple *tuple, size_t *left)
{
    if (tuple->count < 0)
        return *left > 0 && (*left)--;
    for (int i = 0; i < tuple->count; i++)
        if (!has_at_most(&tuple->items[i], left))
            return false;
    return true;
}

bool lw_calc_check_size(struct lw_calculation *calc, struct lw_position position,
                        const struct lw_calc_result *value)
{
    size_t left = LW_CALC_NUMBERS_MAX;
    return value->kind != LW_CALC_TREE || has_at_most(&value->as.tree, &left) ||
           lw_error_at(calc->err, LW_ERROR_LIMIT, position, "a tuple has at most %d numbers",
                       LW_CALC_NUMBERS_MAX);
}

/* ---- Coordinates ---- */

/* `(2, 3)` or `(_, 3)` after a layout of CuTe. */
static bool evaluate_at(struct lw_calculation *calc, const struct lw_node *node,
                        struct lw_calc_result *value)
{
    struct lw_cute_tuple coordinate;
    const struct lw_cute *layout = lw_calc_cute(value);
    struct lw_cute_work work = lw_calc_work_here(calc);
    work.steps = NULL;
    work.rules = calc->as_cute && layout ? LW_CUTE_UNCHECKED : LW_CUTE_VALUES;
    if (value->kind == LW_CALC_ATOM && !node->items)
        return true; /* Copy_Atom<...>(), a value of the type */
    if (!layout && value->kind != LW_CALC_SWIZZLE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, node->position,
                           "coordinates need a layout of CuTe, not %s", lw_calc_kind_name(value));
    if (layout && layout->start_bit)
        return lw_error_at(calc->err, LW_ERROR_PARAMETER, node->position,
                           "the part starts within an element: it has no offset in whole elements");
    if (!lw_calc_items(calc, node->items, &coordinate))
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
    const struct lw_cute *cute = lw_calc_cute(value);
    struct lw_node get = *node;
    get.name = "get";
    get.name_position = node->position;
    return value->kind == LW_CALC_TREE && !(cute && (cute->part || cute->iterator))
               ? lw_calc_call_method(calc, &get, node->items, value)
               : evaluate_at(calc, node, value);
}

/* ---- Calls and chains ---- */

static bool evaluate_call(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const struct lw_node *none = NULL;
    if (calc->makes_tilus && !node->angles && lw_calc_is_tilus_constructor(node->name))
        return lw_calc_made(calc, node, &none, value);
    if (lw_calc_is_python_op(node->name))
        return lw_calc_python(calc, node, value);
    bool value_of_type =
        node->angles && (lw_calc_is_type(node) || !lw_calc_is_operation(node->name));
    if (value_of_type || (!node->angles && names_cute(calc, node->name)))
        return evaluate_name(calc, node, value) && evaluate_at(calc, node, value);
    return lw_calc_call_function(calc, node, value);
}

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
    if (names_module(calc, head))
        return evaluate_in_module(calc, part, step, value);
    if (!names_atom(calc, head) || part->kind == LW_NODE_AT || part->kind == LW_NODE_INDEX)
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
        bool slice = step->kind == LW_NODE_METHOD && !strcmp(step->name, "slice") &&
                     lw_calc_cute(value); /* A.slice(_, 1) is A(_, 1) */
        if (slice || step->kind == LW_NODE_AT ? !evaluate_at(calc, step, value)
            : step->kind == LW_NODE_INDEX     ? !evaluate_index(calc, step, value)
                                          : !lw_calc_call_method(calc, step, step->items, value))
            return false;
        if (step->kind == LW_NODE_MEMBER && !property)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(step),
                               "expected '(' and the arguments of %.40s", step->name);
    }
    return true;
}

/* ---- Operators ---- */

/* An integer as C++ has it, in parentheses too. Those of make_shape(7) are a tuple. NULL: it is none. */
static const struct lw_cute_tuple *integer_of(const struct lw_node *node,
                                              const struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tree = &value->as.tree;
    if (value->kind != LW_CALC_TREE)
        return NULL;
    for (; node && node->kind == LW_NODE_GROUP && tree->count == 1; node = node->items)
        tree = &tree->items[0];
    return lw_cute_is_integer(tree) && !tree->axis ? tree : NULL;
}

/* a + b, a - b, a * b, a / b or a % b, by the rules of CuTe; a == b and a != b. */
static bool arithmetic(struct lw_calculation *calc, const char *symbol,
                       const struct lw_cute_tuple *a, const struct lw_cute_tuple *b,
                       struct lw_calc_result *out)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    const struct lw_cute_tuple minus = lw_cute_integer(-b->value, b->fixed);
    struct lw_cute_tuple made;
    bool truth = (a->value == b->value) == (symbol[0] == '=');
    if (symbol[1]) {
        out->kind = LW_CALC_TRUTH;
        out->as.truth = truth;
        return true;
    }
    if (!(symbol[0] == '+'   ? lw_cute_plus(&work, a, b, &made)
          : symbol[0] == '-' ? lw_cute_plus(&work, a, &minus, &made)
          : symbol[0] == '*' ? lw_cute_times(&work, a, b, &made)
          : symbol[0] == '/' ? lw_cute_divided(&work, a, b, &made)
                             : lw_cute_modulo(&work, a, b, &made)))
        return false;
    made.position = a->position;
    return lw_calc_set_tree(&made, out);
}

/* `left operator right`: replaces *left by the result. `first`: the node of the left operand, NULL where it is a
 * result. */
static bool operate(struct lw_calculation *calc, const struct lw_node *first,
                    struct lw_calc_result *left, const struct lw_node *operand,
                    const struct lw_calc_result *right)
{
    const char *symbol = operand->label;
    const struct lw_cute_tuple *a = integer_of(first, left), *b = integer_of(operand, right);
    if (symbol[0] == 'o' || !a || !b) {
        if (strchr("+-%", symbol[0]))
            return lw_error_at(calc->err, LW_ERROR_SHAPE, operand->label_position,
                               "'%s' is for two integers of CuTe", symbol);
        return lw_calc_call_operator(calc, operand, left, right);
    }
    if (!arithmetic(calc, symbol, a, b, left)) {
        if (calc->err->position.line == 0)
            calc->err->position = operand->label_position;
        return false;
    }
    return true;
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

/* ---- All of them ---- */

static bool evaluate(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value)
{
    switch (node->kind) {
    case LW_NODE_INTEGER:
    case LW_NODE_AXIS:
        value->kind = LW_CALC_TREE;
        return lw_calc_integer(node, calc->fixed, &value->as.tree, calc->err);
    case LW_NODE_STRING:
    case LW_NODE_OBJECT:
        return calc->sources->read(calc->sources, node, calc->arena, value, calc->err);
    case LW_NODE_NAME:
        return evaluate_name(calc, node, value);
    case LW_NODE_CALL:
        return evaluate_call(calc, node, value);
    case LW_NODE_GROUP:
        return evaluate_group(calc, node, value);
    case LW_NODE_TUPLE:
    case LW_NODE_TILER:
        return evaluate_tuple(calc, node, value);
    case LW_NODE_STRIDE:
        return lw_calc_stride(calc, node, value);
    case LW_NODE_TENSOR:
        return lw_calc_tensor(calc, node, value);
    case LW_NODE_SWIZZLED:
        return lw_calc_swizzled(calc, node, value);
    case LW_NODE_CHAIN:
        return evaluate_chain(calc, node, value);
    case LW_NODE_OPERATION:
        return evaluate_operation(calc, node, value);
    default:
        return lw_node_unexpected(node, "a layout", calc->err);
    }
}

/* Sets the variable of a statement. */
static bool keep(struct lw_calculation *calc, const struct lw_node *statement,
                 const struct lw_calc_result *value)
{
    struct lw_calc_variable *kept;
    if (!lw_calc_check_size(calc, statement->label_position, value))
        return false;
    if (calc->variable_count++ == LW_CALC_VARIABLES)
        return lw_error_at(calc->err, LW_ERROR_LIMIT, statement->label_position,
                           "at most %d assignments", LW_CALC_VARIABLES);
    if (!(kept = lw_arena_alloc(calc->arena, sizeof *kept)))
        return lw_scan_out_of_memory(calc->scan);
    *kept = (struct lw_calc_variable){statement->label, *value, calc->variables};
    calc->variables = kept;
    return true;
}

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
            (statement->label && !keep(calc, statement, value)))
            return false;
    }
    return true;
}
