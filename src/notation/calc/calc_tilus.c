/* Expressions of tilus in the calculator: statements that call a function which makes a layout of tilus from
 * numbers are of tilus, and the last of them may be two with == or != between them. */

#include "notation/calc/calculator.h"

#include "encoding/schema/types.h"
#include "encoding/tilus/tilus.h"
#include "notation/expression/evaluate.h"

#include <string.h>

/* ---- Recognising ---- */

/* Whether a name is that of a function which needs no layout, and of no operation of the calculator. */
bool lw_calc_is_tilus_constructor(const char *name)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    const struct lw_calc_operation *operation;
    if (!type || type->spelling != LW_SPELLING_CALL || !type->param_count ||
        (type->params[0].type == LW_PARAM_ENCODING &&
         type->params[0].fallback == LW_DEFAULT_REQUIRED))
        return false;
    for (size_t i = 0; (operation = lw_calc_operation_at(i)) != NULL; i++)
        if (!strcmp(operation->name, name))
            return false;
    return true;
}

/* A function of tilus, or a method of its shared layouts. */
static bool is_tilus_function(const char *name)
{
    static const char shared[] = "shared_";
    size_t count, length = sizeof shared - 1;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    bool found = type && type->spelling == LW_SPELLING_CALL;
    for (size_t i = 0; i < count && !found; i++)
        found = *types[i]->name == *shared && !strncmp(types[i]->name, shared, length) &&
                !strcmp(types[i]->name + length, name);
    return found;
}

/* What statements contain, outside of braces: in braces there are separate sources. */
struct found {
    const struct lw_calculation *calc;
    bool makes;        /* calls a function that needs no layout */
    bool works;        /* calls a function, has an operator or an assignment, that tilus has too */
    bool calculates;   /* calls a function that tilus lacks */
    bool operates;     /* calls an operation of the calculator that tilus lacks */
    bool either;       /* calls a function that both have */
    bool nonlinear;    /* names a layout of tilus that is not linear */
    bool named;        /* names a layout of tilus */
    bool registers;    /* names one in registers */
    const char *other; /* the name of one that is not of tilus; NULL: there is none */
};

static void look_at_call(struct found *found, const struct lw_node *call)
{
    bool tilus = is_tilus_function(call->name), own = lw_calc_is_operation(call->name);
    found->makes =
        found->makes || (call->kind == LW_NODE_CALL && lw_calc_is_tilus_constructor(call->name));
    found->works = found->works || tilus;
    found->calculates = found->calculates || !tilus;
    found->operates = found->operates || (!tilus && own);
    found->either = found->either || (tilus && own);
}

static void classify_name(struct found *found, const char *name)
{
    for (size_t i = 0; i < found->calc->let_count; i++) {
        const struct lw_calc_binding *let = &found->calc->lets[i];
        if (strcmp(let->name, name) != 0)
            continue;
        found->named = found->named || let->tilus;
        found->other = let->tilus || found->other ? found->other : name;
        found->nonlinear = found->nonlinear || let->why;
        found->registers = found->registers ||
                           (let->tilus && let->tilus->type->family == LW_FAMILY_TILUS_REGISTER);
    }
}

/* Whether a `=`, `*` or `/` is before a node. */
static bool is_set_or_operated(const struct lw_node *node)
{
    return node->label && strcmp(node->label, ":") != 0 && strcmp(node->label, "==") != 0 &&
           strcmp(node->label, "!=") != 0;
}

static void find_names(struct found *found, const struct lw_node *first)
{
    for (const struct lw_node *node = first; node; node = node->next) {
        found->works = found->works || is_set_or_operated(node);
        if (node->kind == LW_NODE_CALL || node->kind == LW_NODE_METHOD)
            look_at_call(found, node);
        else if (node->kind == LW_NODE_NAME)
            classify_name(found, node->name);
        if (node->angles)
            find_names(found, node->angles->items);
        if (node->kind != LW_NODE_OBJECT)
            find_names(found, node->items);
    }
}

bool lw_calc_makes_tilus(const struct lw_node *first)
{
    for (const struct lw_node *node = first; node; node = node->next)
        if ((node->kind == LW_NODE_CALL && lw_calc_is_tilus_constructor(node->name)) ||
            (node->kind != LW_NODE_OBJECT && node->items && lw_calc_makes_tilus(node->items)) ||
            (node->angles && lw_calc_makes_tilus(node->angles->items)))
            return true;
    return false;
}

bool lw_calc_is_tilus(const struct lw_calculation *calc, const struct lw_node *first)
{
    struct found found = {.calc = calc};
    if (calc->let_count == 0 && !calc->makes_tilus)
        return false; /* no part of it is of tilus */
    find_names(&found, first);
    bool all = found.named && !found.other && !found.calculates && (found.works || found.nonlinear);
    return (found.makes && !found.operates) || (all && !(found.either && found.registers));
}

/* ---- Computing ---- */

/* Whether a call has nested layouts and all of them are legal. */
static bool parts_are_legal(const struct lw_encoding *encoding)
{
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind == LW_VALUE_ENCODING &&
            !lw_encoding_check(encoding->params[i].encoding, &tensor, NULL))
            return false;
    return true;
}

/* Whether a division has no quotient, which is a result and no error. */
static bool is_no_quotient(const struct lw_encoding *encoding)
{
    return (encoding->type == &lw_encoding_divide || encoding->type == &lw_encoding_left_divide) &&
           parts_are_legal(encoding);
}

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
    if (!is_no_quotient(encoding))
        return false;
    out->kind = LW_CALC_NONE;
    snprintf(out->as.why, sizeof out->as.why, "%s", calc->err->message);
    calc->err->code = LW_OK;
    return true;
}

/* Layouts of tilus are equal when tilus prints the same of them. */
static bool is_same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    struct lw_text one = {0}, two = {0};
    bool same = a->kind == b->kind;
    if (same && a->kind == LW_CALC_TILUS) {
        lw_calc_print(&one, a);
        lw_calc_print(&two, b);
        same = !strcmp(lw_text_string(&one), lw_text_string(&two));
    }
    lw_text_free(&one);
    lw_text_free(&two);
    return same;
}

static bool bind_lets(const struct lw_calculation *calc, struct lw_evaluator *evaluator)
{
    for (size_t i = 0; i < calc->let_count; i++)
        if (calc->lets[i].tilus &&
            !lw_evaluator_bind(evaluator, calc->lets[i].name, calc->lets[i].tilus))
            return false;
    return true;
}

static bool compare(struct lw_calculation *calc, struct lw_evaluator *evaluator,
                    const struct lw_node *left, struct lw_calc_result *out)
{
    const struct lw_node *right = left->next;
    struct lw_calc_result other;
    struct lw_value value;
    if (right->next)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, right->next->label_position,
                           "expected two layouts of tilus: only two can be compared");
    if (!lw_evaluate(evaluator, left, &value) || !check(calc, &value, out) ||
        !lw_evaluate(evaluator, right, &value) || !check(calc, &value, &other))
        return false;
    out->as.truth = is_same(out, &other) == (*right->label == '=');
    out->kind = LW_CALC_TRUTH;
    return true;
}

/* Reports a name that is bound to a layout of another system; otherwise it would be reported as unknown. */
static bool explain_foreign(struct lw_calculation *calc, const struct lw_node *first)
{
    struct found found = {.calc = calc};
    find_names(&found, first);
    if (calc->err && calc->err->code == LW_ERROR_NAME && found.other)
        lw_error_at(calc->err, LW_ERROR_NAME, calc->err->position,
                    "'%.40s' is not a layout of tilus, but the others of this expression are",
                    found.other);
    return false;
}

bool lw_calc_tilus(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_calc_result *value)
{
    struct lw_evaluator evaluator = {.scan = calc->scan};
    struct lw_value layout;
    const struct lw_node *last = first;
    while (last->next)
        last = last->next;
    bool comparison = last->kind == LW_NODE_OPERATION && last->items->next->label[1] == '=';
    if (!bind_lets(calc, &evaluator) ||
        !lw_evaluate_statements(&evaluator, first, comparison ? last : NULL, &layout))
        return explain_foreign(calc, first);
    return comparison ? compare(calc, &evaluator, last->items, value) : check(calc, &layout, value);
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

/* Whether a step of a chain is one of tilus alone. */
static bool is_tilus_step(const struct lw_node *step)
{
    return step->kind == LW_NODE_METHOD && is_tilus_function(step->name) &&
           !lw_calc_is_operation(step->name);
}

bool lw_calc_made(struct lw_calculation *calc, const struct lw_node *node,
                  const struct lw_node **step, struct lw_calc_result *value)
{
    struct lw_evaluator evaluator = {.scan = calc->scan};
    struct lw_value layout;
    struct lw_tensor tensor;
    struct lw_map map;
    while (*step && is_tilus_step(*step))
        *step = (*step)->next;
    bool good = node->kind == LW_NODE_CHAIN ? lw_evaluate_chain(&evaluator, node, *step, &layout)
                                            : lw_evaluate(&evaluator, node, &layout);
    if (!good)
        return false;
    lw_tensor_unknown(&tensor);
    if (lw_encoding_build(layout.encoding, &tensor, &map, calc->err) &&
        lw_calc_linear(layout.encoding, &map, value, calc->err))
        return true;
    if (calc->err->position.line == 0)
        calc->err->position = layout.encoding->position;
    return false;
}
