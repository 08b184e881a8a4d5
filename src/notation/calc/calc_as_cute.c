/*
 * By which rules of CuTe an operation is computed (enum lw_cute_rules), and what CuTe gives where the result is
 * refused.
 *
 * Where no integer is written as static, all are known, as in Python; where some are, the others are unknown when
 * C++ compiles. With as_cute what C++ gives is the result.
 */

#include "notation/calc/calc_table.h"

#include <stdio.h>
#include <string.h>

/* ---- Which integers are static ---- */

/* What is written among operands: static integers, and others. */
struct kinds {
    bool fixed, other;
};

/* A stride that was not written is where its size is in the text: it does not count as static. */
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

/* The parameters whose integers can be static. */
static bool is_cute(const struct lw_calc_call *call, int i)
{
    return call->args[i].given && call->operation->params[i].kind == LW_CALC_PARAM_CUTE;
}

static bool is_tree(const struct lw_calc_call *call, int i)
{
    enum lw_calc_param_kind kind = call->operation->params[i].kind;
    return call->args[i].given && (kind == LW_CALC_PARAM_TILER || kind == LW_CALC_PARAM_TUPLE);
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
    struct lw_cute *layout;
    if (tuple->count < 0 && tuple->leaf == LW_CUTE_LAYOUT) {
        layout = lw_arena_alloc(work->arena, sizeof *layout);
        if (!layout)
            return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
        *layout = *tuple->layout;
        tuple->layout = layout;
        return set_tuple(work, &layout->layout.shape, fixed) &&
               set_tuple(work, &layout->layout.stride, fixed);
    }
    if (tuple->count < 0) {
        tuple->fixed = tuple->leaf == LW_CUTE_INTEGER ? fixed : tuple->fixed;
        return true;
    }
    struct lw_cute_tuple *items =
        lw_arena_alloc(work->arena, (size_t)(tuple->count + 1) * sizeof *items);
    if (!items)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < tuple->count; i++) {
        items[i] = tuple->items[i];
        if (!set_tuple(work, &items[i], fixed))
            return false;
    }
    tuple->items = items;
    return true;
}

static bool set_result(struct lw_cute_work *work, struct lw_calc_result *value, bool fixed)
{
    return value->kind != LW_CALC_CUTE || (set_tuple(work, &value->as.cute.layout.shape, fixed) &&
                                           set_tuple(work, &value->as.cute.layout.stride, fixed));
}

/* *call with static integers; `self` and `values` are filled for it. */
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

/* What C++ gives, right or not. Where it does not compile because nothing is static, what it gives of static
 * integers. */
static bool run_as_cute(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_calc_result self, values[LW_CALC_PARAMS_MAX];
    struct lw_calc_call own = *call;
    own.work.steps = NULL;
    if (run(&own, LW_CUTE_UNCHECKED, out))
        return true;
    return call->work.err->code == LW_ERROR_SHAPE && !kinds_of(call).fixed &&
           fix_call(&own, &self, values) && run(&own, LW_CUTE_UNCHECKED, out) &&
           set_result(&own.work, out, false);
}

/* Adds to a refusal the result of CuTe. */
static void add_given(struct lw_error *err, const struct lw_calc_result *given)
{
    struct lw_text text = {.limit = 160};
    size_t length = strlen(err->message);
    lw_calc_print(&text, given);
    if (given->kind == LW_CALC_CUTE && given->as.cute.part)
        lw_text_format(&text, ", which starts at offset %lld", (long long)given->as.cute.start);
    snprintf(err->message + length, sizeof err->message - length, "; CuTe gives %s (--as-cute)",
             lw_text_string(&text));
    lw_text_free(&text);
}

void lw_calc_add_past(struct lw_error *err)
{
    size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length,
             "; CuTe goes on past the end (--as-cute)");
}

/* Adds to a refusal what CuTe does there. */
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
           (operation->result == LW_CALC_CUTE || operation->run == lw_calc_run_cute_max_common) &&
           !call->self->as.cute.coords;
}

/* Whether offsets are coordinates: those past an end would run into each other. */
static bool has_coords(const struct lw_calc_call *call)
{
    bool found = call->self && call->self->kind == LW_CALC_CUTE && call->self->as.cute.coords;
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        found = found || (is_cute(call, i) && call->args[i].as.value->as.cute.coords);
    return found && call->operation->on != LW_CALC_OF_MMA;
}

/* Adds to the refusal of an operation what CuTe, which does not check there, gives. */
static void add_unchecked(const struct lw_calc_call *call)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result given;
    own.work.err = &refused;
    own.work.steps = NULL;
    if ((err->code == LW_ERROR_SHAPE || err->code == LW_ERROR_PARAMETER) &&
        !strstr(err->message, "CuTe") && run(&own, LW_CUTE_UNCHECKED, &given) &&
        given.kind < LW_CALC_ATOM)
        add_given(err, &given);
}

/* Whether a tiling is done to a tensor of which some integers are static, and others are not. */
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
    bool coords = has_coords(call);
    struct lw_error *err = call->work.err, own = {0};
    if (!as_cute && !coords && tiles_mixed(call)) {
        call->work.err = &own;
        bool done = run(call, LW_CUTE_WRITTEN, out);
        call->work.err = err;
        if (done)
            return true;
    }
    if (run(call, as_cute && !coords ? LW_CUTE_UNCHECKED : LW_CUTE_VALUES, out))
        return true;
    if (!as_cute && !coords)
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
    if (run(call, kinds.fixed && kinds.other ? LW_CUTE_WRITTEN : LW_CUTE_VALUES, out))
        return true;
    if (call->work.err->code == LW_ERROR_SHAPE || call->work.err->code == LW_ERROR_PARAMETER)
        add_cute(call);
    return false;
}
