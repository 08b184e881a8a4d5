/*
 * The calculator: a text is parsed, its kind decided, and its value computed from the tree; layouts are bound to names.
 *
 * Statements that call a function which makes a layout of tilus from numbers are of tilus alone, and the last of them
 * may compare layouts; a layout of tilus in quotes is a linear layout. Invariant: a value that was computed is
 * complete; on failure the error is set and the value is undefined.
 */

#include "notation/calc/calculator.h"
#include "notation/calc/calc_rows.h"

#include "encoding/tilus/tilus.h"
#include "notation/expression/expression.h"

#include <string.h>

/* ---- Recognising ---- */

/* Whether statements call, outside of braces, a function that makes a layout of tilus from numbers. */
static bool makes_tilus(const struct lw_node *first)
{
    for (const struct lw_node *node = first; node; node = node->next) {
        const struct lw_encoding_type *type =
            node->kind == LW_NODE_CALL ? lw_encoding_type_find(node->name) : NULL;
        if (type && type->spelling == LW_SPELLING_CALL && type->param_count &&
            (type->params[0].type != LW_PARAM_ENCODING ||
             type->params[0].fallback != LW_DEFAULT_REQUIRED) &&
            !lw_calc_is_operation(node->name))
            return true;
        if ((node->angles && makes_tilus(node->angles->items)) ||
            (node->kind != LW_NODE_OBJECT && makes_tilus(node->items)))
            return true;
    }
    return false;
}

/* The first name of --let, or operation that tilus does not have, in statements; NULL: none. */
static const struct lw_node *find_other(const struct lw_calculation *calc,
                                        const struct lw_node *first)
{
    for (const struct lw_node *node = first, *found; node; node = node->next) {
        if ((node->kind == LW_NODE_NAME && lw_calc_find_variable(calc, node->name)) ||
            ((node->kind == LW_NODE_CALL || node->kind == LW_NODE_METHOD) &&
             lw_calc_is_operation(node->name) && !lw_encoding_type_find(node->name)))
            return node;
        if ((found = find_other(calc, node->items)) != NULL)
            return found;
    }
    return NULL;
}

/* ---- Computing ---- */

/* Makes a value a result: a layout that is legal, or `none`. */
static bool check(struct lw_calculation *calc, const struct lw_value *value,
                  struct lw_calc_result *out)
{
    struct lw_encoding *encoding;
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    if (!lw_value_layout(value, &encoding, calc->err) ||
        !lw_check_nesting(encoding, encoding->position, calc->err))
        return false;
    out->kind = LW_CALC_TILUS;
    out->as.tilus = encoding;
    if (lw_encoding_check(encoding, &tensor, calc->err))
        return true;
    if (strncmp(calc->err->message, "there is no quotient", 20) != 0)
        return false; /* that there is none is a result */
    out->kind = LW_CALC_NONE;
    snprintf(out->as.why, sizeof out->as.why, "%s", calc->err->message);
    calc->err->code = LW_OK;
    return true;
}

/* Statements of tilus alone. The last of them may compare layouts. */
static bool compute_tilus(struct lw_calculation *calc, const struct lw_node *first,
                          struct lw_calc_result *value)
{
    struct lw_evaluator evaluator = {.scan = calc->scan};
    struct lw_calc_result other;
    struct lw_value layout;
    const struct lw_node *last = first;
    while (last->next)
        last = last->next;
    bool compares = last->kind == LW_NODE_OPERATION && last->items->next->label[1] == '=';
    const struct lw_node *operand = compares ? last->items : NULL;
    if (!lw_evaluate_statements(&evaluator, first, compares ? last : NULL, &layout) ||
        (compares && !lw_evaluate(&evaluator, operand, &layout)) || !check(calc, &layout, value))
        return false;
    while (operand && (operand = operand->next))
        if (!lw_evaluate(&evaluator, operand, &layout) || !check(calc, &layout, &other) ||
            !lw_calc_call_operator(calc, operand, value, &other))
            return false;
    return true;
}

/* ---- As linear layouts ---- */

bool lw_calc_linear(const struct lw_encoding *encoding, const struct lw_map *map,
                    struct lw_calc_result *value, struct lw_error *err)
{
    value->kind = LW_CALC_LAYOUT;
    return encoding->type->family == LW_FAMILY_TILUS_REGISTER
               ? lw_map_to_hardware(map, LW_LANES_DEFAULT, &value->as.layout, err)
               : lw_map_to_layout(map, &value->as.layout, err);
}

static bool evaluate(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value);

/* ---- Names ---- */

static bool unknown_name(struct lw_calculation *calc, const char *name, struct lw_position position)
{
    char hint[LW_HINT_MAX];
    if (*name == '?')
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, position,
                           "`?` is known only when the program runs: write a number instead");
    const char *near = lw_nearest_row(name, calc->let_count, calc->lets, sizeof *calc->lets);
    return lw_error_at(
        calc->err, LW_ERROR_NAME, position, "unknown name '%.40s'%s", name,
        lw_text_hint(hint, near,
                     "; a SOURCE must be in quotes, inside those of the shell: '\"...\"'"));
}

static bool evaluate_name(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const char *name = node->name;
    const struct lw_calc_variable *variable = lw_calc_find_variable(calc, name);
    if (lw_calc_is_atom_type(name))
        return lw_calc_atom_type(calc, node, value);
    if (node->angles && !lw_calc_is_smem(name) && !lw_calc_is_atom(name))
        return lw_calc_template(calc, node, value);
    if (variable)
        *value = variable->value;
    if (variable)
        return true;
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

static bool check_size(struct lw_calculation *calc, struct lw_position position,
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
    struct lw_cute_work work = calc->work;
    work.steps = NULL;
    work.rules = calc->as_cute && layout ? LW_CUTE_UNCHECKED : LW_CUTE_VALUES;
    if (value->kind == LW_CALC_ATOM && !node->items)
        return true; /* Copy_Atom<...>(), a value of the type */
    if (!layout && value->kind != LW_CALC_SWIZZLE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, node->position,
                           "coordinates need a layout of CuTe, not %s", lw_calc_kind_name(value));
    if (!lw_calc_items(calc, node->items, &coordinate))
        return false;
    coordinate.position = node->position;
    return lw_calc_at(&work, &coordinate, value) || lw_error_locate(calc->err, coordinate.position);
}

/* ---- Calls and chains ---- */

static bool evaluate_call(struct lw_calculation *calc, const struct lw_node *node,
                          struct lw_calc_result *value)
{
    const struct lw_calc_variable *variable = lw_calc_find_variable(calc, node->name);
    bool named = variable && lw_calc_cute(&variable->value); /* a coordinate follows */
    if (node->angles ? lw_calc_is_type(node) || !lw_calc_is_operation(node->name) : named)
        return evaluate_name(calc, node, value) && evaluate_at(calc, node, value);
    return lw_calc_call_function(calc, node, value);
}

/* Evaluates a call in a module of Python, `cute.make_layout(...)`. A class is one of its module: warp.MmaTF32Op. */
static bool evaluate_in_module(struct lw_calculation *calc, const struct lw_node *module,
                               const struct lw_node **step, struct lw_calc_result *value)
{
    char name[64];
    const struct lw_node *part = module->next;
    for (; part && part->kind == LW_NODE_MEMBER && lw_calc_is_module(part->name); part = part->next)
        module = part;
    if (!part || part->kind != LW_NODE_METHOD)
        return part ? lw_node_unexpected(part, "the call of a function", calc->err)
                    : lw_error_set(calc->err, LW_ERROR_SYNTAX, "a module alone is not a layout");
    struct lw_node call = *part;
    call.kind = LW_NODE_CALL;
    if (!strcmp(call.name, "make_tiled_copy"))
        call.name = "make_tiled_copy_impl"; /* in Python the arguments are of that */
    snprintf(name, sizeof name, "%.20s.%.40s", module->name, call.name);
    if (lw_calc_find(LW_CALC_FUNCTION, name))
        call.name = name;
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
    bool named = head->kind == LW_NODE_NAME && !lw_calc_find_variable(calc, head->name);
    if (named && !head->angles && lw_calc_is_module(head->name))
        return evaluate_in_module(calc, head, step, value);
    bool atom = named && !lw_calc_is_smem(head->name) && lw_calc_is_atom(head->name) &&
                !lw_calc_is_atom_type(head->name);
    if (!atom || part->kind == LW_NODE_AT || part->kind == LW_NODE_INDEX)
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
        const struct lw_cute *cute = lw_calc_cute(value);
        struct lw_node method = *step;
        bool property = value->kind == LW_CALC_ATOM || value->kind == LW_CALC_MMA ||
                        value->kind == LW_CALC_COPY;
        /* `[1]` is the item of a tuple or the mode of a layout; `[None, 1]` the part of a tensor. */
        bool index = step->kind == LW_NODE_INDEX && value->kind == LW_CALC_TREE &&
                     !(cute && (cute->part || cute->tensor));
        bool slice = step->kind == LW_NODE_METHOD && !strcmp(step->name, "slice") && cute;
        if (index) {
            method.name = "get";
            method.name_position = step->position;
        }
        bool at = slice || step->kind == LW_NODE_AT || (step->kind == LW_NODE_INDEX && !index);
        if (at ? !evaluate_at(calc, step, value) /* A.slice(_, 1) is A(_, 1) */
               : !lw_calc_call_method(calc, &method, step->items, value))
            return false;
        if (step->kind == LW_NODE_MEMBER && !property)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, lw_node_end(step),
                               "expected '(' and the arguments of %.40s", step->name);
    }
    return true;
}

/* ---- Operators ---- */

/* An integer, in parentheses too, but not that of make_shape(7), which is a tuple; NULL: it is none. */
static const struct lw_cute_tuple *integer_of(const struct lw_node *node,
                                              const struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tree = &value->as.tree;
    for (; node && node->kind == LW_NODE_GROUP && value->kind == LW_CALC_TREE && tree->count == 1;
         node = node->items)
        tree = &tree->items[0];
    return value->kind == LW_CALC_TREE && lw_cute_is_integer(tree) && !tree->axis ? tree : NULL;
}

/* `left operator right`, which replaces *left; of two integers by the rules of CuTe. `first`: the node of the left
 * operand, NULL where it is a result. */
static bool operate(struct lw_calculation *calc, const struct lw_node *first,
                    struct lw_calc_result *left, const struct lw_node *operand,
                    const struct lw_calc_result *right)
{
    const struct lw_cute_tuple *a = integer_of(first, left), *b = integer_of(operand, right);
    struct lw_cute_tuple made, minus;
    const char symbol = operand->label[0];
    const struct lw_cute *layout = lw_calc_cute(right);
    if (symbol == 'o' && left->kind == LW_CALC_TREE && !lw_calc_cute(left)) { /* ArithTuple(0,3) */
        if (!layout || !lw_cute_is_of_coordinates(layout))
            return lw_error_at(calc->err, LW_ERROR_SHAPE, operand->position,
                               "a coordinate must be followed by a layout of coordinates, "
                               "(4,8):(_1@0,_1@1)");
        struct lw_cute tensor = *layout;
        lw_calc_clear_atom(&tensor);
        return lw_calc_integers(&left->as.tree, calc->err) &&
               lw_calc_set_start(&calc->work, &left->as.tree, &tensor) &&
               lw_calc_set_cute(&calc->work, &tensor, left);
    }
    if ((!a || !b) && strchr("+-%", symbol))
        return lw_error_at(calc->err, LW_ERROR_SHAPE, operand->label_position,
                           "'%c' is for two integers of CuTe", symbol);
    if (!a || !b || symbol == 'o')
        return lw_calc_call_operator(calc, operand, left, right);
    if (operand->label[1]) {
        left->as.truth = (a->value == b->value) == (symbol == '=');
        left->kind = LW_CALC_TRUTH;
        return true;
    }
    minus = lw_cute_integer(-b->value, b->fixed);
    if (!(symbol == '+'   ? lw_cute_plus(&calc->work, a, b, &made)
          : symbol == '-' ? lw_cute_plus(&calc->work, a, &minus, &made)
          : symbol == '*' ? lw_cute_times(&calc->work, a, b, &made)
          : symbol == '/' ? lw_cute_divided(&calc->work, a, b, &made)
                          : lw_cute_modulo(&calc->work, a, b, &made)))
        return lw_error_locate(calc->err, operand->label_position);
    made.position = a->position;
    return lw_calc_set_tree(&made, left);
}

static bool evaluate_operation(struct lw_calculation *calc, const struct lw_node *node,
                               struct lw_calc_result *value)
{
    const struct lw_node *first = node->items, *last = first;
    struct lw_calc_result right;
    if (!lw_calc_composed(calc, &last, value))
        return false;
    for (const struct lw_node *operand = last->next; operand; operand = operand->next) {
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
    if (!check_size(calc, statement->label_position, value))
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

static bool evaluate_statements(struct lw_calculation *calc, const struct lw_node *first,
                                struct lw_calc_result *value)
{
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

/* ---- Computing ---- */

/* The layouts that are given as variables; of two with one name the first one counts. */
static bool bind(struct lw_calculation *calc)
{
    for (size_t i = calc->let_count; i-- > 0;) {
        const struct lw_calc_binding *let = &calc->lets[i];
        struct lw_calc_variable *kept = lw_arena_alloc(calc->arena, sizeof *kept);
        if (!kept)
            return lw_scan_out_of_memory(calc->scan);
        *kept = (struct lw_calc_variable){.name = let->name, .before = calc->variables};
        kept->value.kind = LW_CALC_LAYOUT;
        kept->value.as.layout = let->layout;
        if (let->cute && !lw_calc_set_cute(&calc->work, let->cute, &kept->value))
            return false;
        calc->variables = kept;
    }
    return true;
}

static bool compute(struct lw_calculation *calc, size_t length, struct lw_calc_result *out)
{
    if (length > LW_CALC_MAX)
        return lw_error_set(calc->err, LW_ERROR_LIMIT,
                            "an expression has at most %zu bytes, this one %zu", LW_CALC_MAX,
                            length);
    if (lw_scan_at_end(calc->scan))
        return lw_error_set(calc->err, LW_ERROR_SYNTAX, "the expression is empty");
    const struct lw_node *first = lw_expression_parse_program(calc->scan);
    if (!first || !bind(calc))
        return false;
    bool tilus = makes_tilus(first);
    bool good = tilus ? compute_tilus(calc, first, out) : evaluate_statements(calc, first, out);
    const struct lw_node *other =
        tilus && calc->err->code == LW_ERROR_NAME ? find_other(calc, first) : NULL;
    if (other)
        return lw_error_at(calc->err, LW_ERROR_NAME, other->name_position,
                           "%.40s is not of tilus: a layout of tilus beside it must be in "
                           "quotes, inside those of the shell: '\"spatial(4, 8)\"'",
                           other->name);
    return good && check_size(calc, first->position, out);
}

/* A result of CuTe or tilus, which has a tree, outlives the text in an arena alone. */
static bool settle(const struct lw_calc_work *work, const struct lw_calc_result *out,
                   struct lw_error *err)
{
    const struct lw_cute_tuple *tree = &out->as.tree;
    bool number = out->kind == LW_CALC_TREE && lw_cute_is_integer(tree) && !tree->fixed &&
                  !tree->axis && tree->value >= 0;
    bool has_tree = out->kind == LW_CALC_TILUS || out->kind >= LW_CALC_ATOM ||
                    (out->kind == LW_CALC_TREE && !number);
    return work || !has_tree ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s is not supported here",
                        out->kind == LW_CALC_TREE ? "a layout of CuTe" : lw_calc_kind_name(out));
}

bool lw_calc_compute(const char *expr, const struct lw_calc_binding *lets, size_t count,
                     const struct lw_calc_work *work, const struct lw_calc_sources *sources,
                     struct lw_calc_result *out, struct lw_error *err)
{
    struct lw_arena own_arena = {0};
    struct lw_error own = {0};
    struct lw_scan scan;
    const char *printed = lw_calc_printed(work ? work->arena : &own_arena, expr);
    size_t length = strlen(printed ? printed : expr);
    lw_scan_begin(&scan, work ? work->arena : &own_arena, printed ? printed : expr, length, &own);
    scan.comment = "#";
    scan.cpp = true;
    scan.multiline = true;
    struct lw_calculation calc = {.scan = &scan,
                                  .arena = scan.arena,
                                  .err = scan.err,
                                  .sources = sources,
                                  .evaluate = evaluate,
                                  .lets = lets,
                                  .let_count = count,
                                  .work = {.arena = scan.arena,
                                           .err = scan.err,
                                           .steps = work ? work->steps : NULL,
                                           .rules = LW_CUTE_VALUES},
                                  .keeps_pairs = work && work->pair,
                                  .bits = work ? work->bits : 0,
                                  .as_cute = work && work->as_cute,
                                  .triton = work ? work->triton.version : LW_TRITON_UNSET};
    bool good = compute(&calc, length, out) && settle(work, out, &own);
    if (good && work && work->pair)
        *work->pair = lw_calc_pair_of(&calc, out);
    lw_arena_free(&own_arena);
    if (!good) {
        lw_error_excerpt(&own, expr, strlen(expr));
        if (err)
            *err = own;
    }
    return good;
}

/* ---- Bindings ---- */

bool lw_calc_bind_cute(struct lw_calc_binding *let, const struct lw_encoding *encoding,
                       struct lw_arena *arena, struct lw_error *err)
{
    struct lw_cute cute, *kept;
    let->cute = NULL;
    if (!lw_cute_of_encoding(arena, encoding, &cute, err))
        return false;
    kept = lw_arena_alloc(arena, sizeof *kept);
    if (!kept || !lw_cute_copy(arena, kept, &cute))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    let->cute = kept;
    return true;
}

bool lw_calc_name_check(const char *name, struct lw_error *err)
{
    const char *c = name;
    while (lw_is_name_part(*c))
        c++;
    if (lw_is_name_start(*name) && !*c && strcmp(name, "true") != 0 && strcmp(name, "false") != 0)
        return true;
    return lw_error_set(
        err, LW_ERROR_NAME,
        "'%.40s' cannot name a layout: expected letters, digits and _, with no digit first", name);
}
