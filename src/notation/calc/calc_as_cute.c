/*
 * By which rules of CuTe an operation is computed (enum lw_cute_rules), and the result of CuTe where there is an error
 * instead.
 *
 * Where no integer is written as static, all are known, as in Python; where some are, the others are unknown when C++
 * compiles. With as_cute the result is that of C++.
 */

#include "notation/calc/calc_table.h"

#include "encoding/cute/cute_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- Which integers are static ---- */

/* Which integers operands have: static ones, others, or both. */
struct kinds {
    bool fixed, other;
};

/* A stride that was not written has the position of its size: it does not count as static. */
static void find_in_strides(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                            struct kinds *kinds)
{
    const struct lw_position *a = &shape->position, *b = &stride->position;
    for (int i = 0; i < shape->count; i++)
        find_in_strides(&shape->items[i], &stride->items[i], kinds);
    if (shape->count >= 0)
        return;
    bool own = b->line && (a->line != b->line || a->column != b->column);
    kinds->fixed = kinds->fixed || shape->fixed || (stride->fixed && own);
    kinds->other = kinds->other || !shape->fixed || !stride->fixed;
}

static void find_in_tuple(const struct lw_cute_tuple *tuple, struct kinds *kinds)
{
    for (int i = 0; i < tuple->count; i++)
        find_in_tuple(&tuple->items[i], kinds);
    if (tuple->count >= 0)
        return;
    if (tuple->leaf == LW_CUTE_LAYOUT)
        find_in_strides(&tuple->layout->layout.shape, &tuple->layout->layout.stride, kinds);
    else if (tuple->leaf == LW_CUTE_INTEGER && tuple->fixed)
        kinds->fixed = true;
    else if (tuple->leaf == LW_CUTE_INTEGER)
        kinds->other = true;
}

/* Whether the integers of an argument can be static. */
static bool is_cute(const struct lw_calc_call *call, int i)
{
    return call->args[i].given && call->operation->params[i].kind == LW_CALC_PARAM_CUTE;
}

static bool is_tree(const struct lw_calc_call *call, int i)
{
    enum lw_calc_param_kind kind = call->operation->params[i].kind;
    return call->args[i].given && (kind == LW_CALC_PARAM_TILER || kind == LW_CALC_PARAM_TUPLE);
}

/* Whether a stride is 0 along an axis, which to C++ is no 0. */
static bool has_zero_along(const struct lw_cute_tuple *stride)
{
    bool found = stride->count < 0 && stride->axis && !stride->value;
    for (int i = 0; i < stride->count && !found; i++)
        found = has_zero_along(&stride->items[i]);
    return found;
}

static struct kinds kinds_of(const struct lw_calc_call *call)
{
    struct kinds kinds = {0};
    const struct lw_cute_layout *own = &call->self->as.cute.layout;
    if (call->self->kind == LW_CALC_CUTE)
        find_in_strides(&own->shape, &own->stride, &kinds);
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++) {
        const struct lw_cute_layout *layout =
            is_cute(call, i) ? &call->args[i].as.value->as.cute.layout : NULL;
        if (layout)
            find_in_strides(&layout->shape, &layout->stride, &kinds);
        else if (is_tree(call, i))
            find_in_tuple(&call->args[i].as.tuple, &kinds);
    }
    return kinds;
}

/* ---- Operands with every integer static, or none ---- */

static bool set_tuple(struct lw_cute_work *work, struct lw_cute_tuple *tuple, bool fixed)
{
    const struct lw_cute_tuple whole = *tuple;
    return lw_cute_set_tuple_fixed(work, &whole, fixed, tuple);
}

static bool set_result(struct lw_cute_work *work, struct lw_calc_result *value, bool fixed)
{
    return value->kind != LW_CALC_CUTE || (set_tuple(work, &value->as.cute.layout.shape, fixed) &&
                                           set_tuple(work, &value->as.cute.layout.stride, fixed));
}

/* Makes the integers of *call static; `self` and `values` hold the operands. */
static bool fix_call(struct lw_calc_call *call, struct lw_calc_result *self,
                     struct lw_calc_result values[LW_CALC_PARAMS_MAX])
{
    *self = *call->self;
    call->self = self;
    bool good = set_result(&call->work, self, true);
    for (int i = 0; i < LW_CALC_PARAMS_MAX && good; i++)
        if (is_cute(call, i)) {
            values[i] = *call->args[i].as.value;
            call->args[i].as.value = &values[i];
            good = set_result(&call->work, &values[i], true);
        } else if (is_tree(call, i)) {
            good = set_tuple(&call->work, &call->args[i].as.tuple, true);
        }
    return good;
}

/* ---- Running ---- */

static bool run(struct lw_calc_call *call, enum lw_cute_rules rules, struct lw_calc_result *out)
{
    call->work.rules = rules;
    out->kind = call->operation->result;
    return call->operation->run(call, out);
}

/* Computes the result with every integer static, and then none. */
static bool run_fixed(const struct lw_calc_call *call, enum lw_cute_rules rules,
                      struct lw_calc_result *out)
{
    struct lw_calc_result self, values[LW_CALC_PARAMS_MAX];
    struct lw_calc_call own = *call;
    return fix_call(&own, &self, values) && run(&own, rules, out) &&
           set_result(&own.work, out, false);
}

/* Computes the result of C++, right or wrong. Where C++ does not compile because nothing is static, it is that of
 * static integers. */
static bool run_as_cute(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_calc_call own = *call;
    own.work.steps = NULL;
    return run(&own, LW_CUTE_UNCHECKED, out) ||
           (call->work.err->code == LW_ERROR_SHAPE && !kinds_of(call).fixed &&
            run_fixed(&own, LW_CUTE_UNCHECKED, out));
}

/* Adds the result of CuTe to an error. */
static void add_given(struct lw_error *err, const struct lw_calc_result *given)
{
    struct lw_text text = {.limit = 160}, start = {0};
    size_t length = strlen(err->message);
    lw_calc_print(&text, given);
    lw_calc_print_start(&start, given);
    if (start.length)
        lw_text_format(&text, strstr(lw_text_string(&start), "# starts") ? ", which %s" : ", %s",
                       lw_text_string(&start) + strlen("# "));
    lw_text_free(&start);
    snprintf(err->message + length, sizeof err->message - length, "; CuTe gives %s (--as-cute)",
             lw_text_string(&text));
    lw_text_free(&text);
}

void lw_calc_add_past(struct lw_error *err)
{
    size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length,
             "; CuTe continues past the end (--as-cute)");
}

/* Adds to an error what CuTe does in this case. */
static void add_cute(const struct lw_calc_call *call)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result given;
    size_t length = strlen(err->message);
    if (strstr(err->message, "CuTe"))
        return;
    own.work.err = &refused;
    if (run_as_cute(&own, &given)) {
        add_given(err, &given);
    } else if (!strncmp(refused.message, "CuTe does not compile", 21)) {
        snprintf(err->message + length, sizeof err->message - length, "; %.200s", refused.message);
    }
}

/* Whether an operation is on layouts whose integers can be static. */
static bool has_rules(const struct lw_calc_call *call)
{
    const struct lw_calc_operation *operation = call->operation;
    return operation->on == LW_CALC_OF_CUTE && call->self->kind == LW_CALC_CUTE &&
           (operation->result == LW_CALC_CUTE || operation->run == lw_calc_run_cute_max_common);
}

/* Adds to the error of an operation the result of CuTe, which does not check there. */
static void add_unchecked(const struct lw_calc_call *call)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result given;
    own.work.err = &refused;
    own.work.steps = NULL;
    own.as_cute = true;
    if ((err->code == LW_ERROR_SHAPE || err->code == LW_ERROR_PARAMETER) &&
        !strstr(err->message, "CuTe") && run(&own, LW_CUTE_UNCHECKED, &given) &&
        given.kind < LW_CALC_ATOM)
        add_given(err, &given);
}

/* Whether a tiling is applied to a tensor with some integers that are static and some that are not. */
static bool tiles_mixed(const struct lw_calc_call *call)
{
    struct kinds kinds = {0};
    enum lw_calc_on on = call->operation->on;
    if ((on != LW_CALC_OF_MMA && on != LW_CALC_OF_COPY) || !is_cute(call, 0))
        return false;
    const struct lw_cute_layout *tensor = &call->args[0].as.value->as.cute.layout;
    find_in_strides(&tensor->shape, &tensor->stride, &kinds);
    return kinds.fixed && kinds.other;
}

/* Runs an operation whose result does not depend on what is static, or a tiling. */
static bool run_alone(struct lw_calc_call *call, bool as_cute, struct lw_calc_result *out)
{
    struct lw_error *err = call->work.err, own = {0};
    if (!as_cute && tiles_mixed(call)) {
        call->work.err = &own;
        bool done = run(call, LW_CUTE_WRITTEN, out);
        call->work.err = err;
        if (done)
            return true;
    }
    if (run(call, as_cute ? LW_CUTE_UNCHECKED : LW_CUTE_VALUES, out))
        return true;
    if (!as_cute)
        add_unchecked(call);
    return false;
}

bool lw_calc_run_by_rules(struct lw_calc_call *call, bool as_cute, struct lw_calc_result *out)
{
    if (!has_rules(call))
        return run_alone(call, as_cute, out);
    if (as_cute)
        return run_as_cute(call, out);
    struct kinds kinds = kinds_of(call);
    bool zero = has_zero_along(&call->self->as.cute.layout.stride);
    bool mixed = (kinds.fixed && kinds.other) || zero;
    if (zero && !kinds.fixed ? run_fixed(call, LW_CUTE_WRITTEN, out)
                             : run(call, mixed ? LW_CUTE_WRITTEN : LW_CUTE_VALUES, out))
        return true;
    if (call->work.err->code == LW_ERROR_SHAPE || call->work.err->code == LW_ERROR_PARAMETER)
        add_cute(call);
    return false;
}
