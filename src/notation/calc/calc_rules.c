/*
 * Running an operation: by which rules of CuTe it is computed (enum lw_cute_rules), the result of CuTe where there is
 * an error instead, and what a result has of its operands.
 *
 * Where no integer is written as static, all are known, as in Python; where some are, the others are unknown when C++
 * compiles. With as_cute the result is that of C++.
 */

#include "notation/calc/calculator.h"

#include <stdio.h>
#include <string.h>

/* ---- Which integers are static ---- */

/* Which integers operands have: static ones, others, and static steps along axes, as of make_identity_tensor. */
struct kinds {
    bool fixed, other, along;
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
    kinds->along = kinds->along || (stride->fixed && stride->axis);
    kinds->other = kinds->other || !shape->fixed || !stride->fixed;
}

static void find_in_tree(const struct lw_cute_tuple *tree, struct kinds *kinds)
{
    for (int i = 0; i < tree->count; i++)
        find_in_tree(&tree->items[i], kinds);
    if (tree->count >= 0)
        return;
    if (tree->leaf == LW_CUTE_LAYOUT)
        find_in_strides(&tree->layout->layout.shape, &tree->layout->layout.stride, kinds);
    kinds->fixed = kinds->fixed || (tree->leaf == LW_CUTE_INTEGER && tree->fixed);
    kinds->other = kinds->other || (tree->leaf == LW_CUTE_INTEGER && !tree->fixed);
}

/* Whether an argument is a layout, a shape or a tiler. */
static bool is_operand(const struct lw_calc_call *call, int i)
{
    enum lw_calc_param param = call->row->params[i];
    return (param == LW_CALC_PARAM_CUTE || param == LW_CALC_PARAM_TILER ||
            param == LW_CALC_PARAM_TUPLE || param == LW_CALC_PARAM_ANY) &&
           call->args[i].value && call->args[i].value->kind == LW_CALC_TREE;
}

static struct kinds kinds_of(const struct lw_calc_call *call)
{
    struct kinds kinds = {0};
    if (call->self && call->self->kind == LW_CALC_TREE)
        find_in_tree(&call->self->as.tree, &kinds);
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        if (is_operand(call, i))
            find_in_tree(&call->args[i].value->as.tree, &kinds);
    return kinds;
}

/* ---- Running ---- */

static bool run(struct lw_calc_call *call, enum lw_cute_rules rules, struct lw_calc_result *out)
{
    call->work.rules = rules;
    out->kind = call->row->result;
    return call->row->run(call, out);
}

/* The same value with every integer static, or none. */
static bool set_fixed(struct lw_cute_work *work, const struct lw_calc_result *value, bool fixed,
                      struct lw_calc_result *out)
{
    struct lw_cute_tuple tree;
    if (value->kind != LW_CALC_TREE) {
        *out = *value;
        return true;
    }
    return lw_cute_set_tuple_fixed(work, &value->as.tree, fixed, &tree) &&
           lw_calc_set_tree(&tree, out);
}

/* Computes the result with every integer static, and then none. */
static bool run_fixed(const struct lw_calc_call *call, enum lw_cute_rules rules,
                      struct lw_calc_result *out)
{
    struct lw_calc_result self, values[LW_CALC_PARAMS_MAX], made;
    struct lw_calc_call own = *call;
    own.self = &self;
    if (!set_fixed(&own.work, call->self, true, &self))
        return false;
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        if (is_operand(call, i)) {
            own.args[i].value = &values[i];
            if (!set_fixed(&own.work, call->args[i].value, true, &values[i]))
                return false;
        }
    return run(&own, rules, &made) && set_fixed(&own.work, &made, false, out);
}

/* Whether the result depends on which integers are static. */
static bool has_rules(const struct lw_calc_call *call)
{
    return call->row->traits & LW_CALC_RULES && lw_calc_cute(call->self);
}

/* Computes the result of C++, right or wrong. Where C++ does not compile because nothing is static, it is that of
 * static integers. */
static bool run_as_cute(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_calc_call own = *call;
    if (has_rules(call))
        own.work.steps = NULL;
    return run(&own, LW_CUTE_UNCHECKED, out) ||
           (has_rules(call) && call->work.err->code == LW_ERROR_SHAPE && !kinds_of(call).fixed &&
            run_fixed(&own, LW_CUTE_UNCHECKED, out));
}

/* Adds to an error what CuTe does in this case. */
static void add_cute(const struct lw_calc_call *call)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result given;
    struct lw_text text = {.limit = 160};
    size_t length = strlen(err->message);
    if ((err->code != LW_ERROR_SHAPE && err->code != LW_ERROR_PARAMETER) ||
        strstr(err->message, "CuTe"))
        return;
    own.work.err = &refused;
    own.work.steps = NULL;
    if (run_as_cute(&own, &given) && given.kind < LW_CALC_ATOM) {
        lw_calc_print(&text, &given);
        snprintf(err->message + length, sizeof err->message - length, "; CuTe gives %s (--as-cute)",
                 lw_text_string(&text));
    } else if (has_rules(call) && !strncmp(refused.message, "CuTe does not compile", 21)) {
        snprintf(err->message + length, sizeof err->message - length, "; %.200s", refused.message);
    }
    lw_text_free(&text);
}

static bool run_by_rules(struct lw_calc_call *call, struct lw_calc_result *out)
{
    bool done = false;
    if (call->calc->as_cute)
        return run_as_cute(call, out);
    struct lw_error *err = call->work.err, ignored = {0};
    struct kinds kinds = kinds_of(call);
    bool tiling = call->row->base.on == LW_CALC_OF_MMA || call->row->base.on == LW_CALC_OF_COPY;
    if (has_rules(call)) {
        bool zero = lw_cute_has_zero_along(&lw_calc_cute(call->self)->layout.stride);
        bool mixed = ((kinds.fixed || kinds.along) && kinds.other) || zero;
        done = zero && !kinds.fixed ? run_fixed(call, LW_CUTE_WRITTEN, out)
                                    : run(call, mixed ? LW_CUTE_WRITTEN : LW_CUTE_VALUES, out);
    } else {
        /* A tiling of a tensor with some integers that are static and some that are not is computed as C++ does, if
         * that is right. */
        call->work.err = &ignored;
        done = tiling && kinds.fixed && kinds.other && run(call, LW_CUTE_WRITTEN, out);
        call->work.err = err;
        done = done || run(call, LW_CUTE_VALUES, out);
    }
    if (!done)
        add_cute(call);
    return done;
}

/* ---- Pairs ---- */

static bool is_same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    const struct lw_cute *x = lw_calc_cute(a), *y = lw_calc_cute(b);
    if (a->kind == LW_CALC_LAYOUT && b->kind == LW_CALC_LAYOUT)
        return lw_layout_equal(&a->as.layout, &b->as.layout);
    return x && y && lw_cute_equal(x, y);
}

/* Keeps a product or a quotient with its operands; does nothing for other operations. */
static bool keep_pair(struct lw_calculation *calc, const struct lw_calc_call *call,
                      const struct lw_calc_result *result)
{
    const struct lw_calc_row *row = call->row;
    if (!calc->keeps_pairs || !(row->traits & LW_CALC_PAIRS))
        return true;
    struct lw_calc_pair *pair = lw_arena_alloc(calc->arena, sizeof *pair);
    if (!pair)
        return lw_scan_out_of_memory(calc->scan);
    bool tiles = row->pair == LW_CALC_PAIR_REPEATED || row->pair == LW_CALC_PAIR_DIVIDED;
    *pair = (struct lw_calc_pair){.kind = row->pair,
                                  .name = row->base.name,
                                  .form = tiles ? row->core.tile.form : LW_CUTE_LOGICAL,
                                  .a = *call->self,
                                  .b = *call->args[0].value,
                                  .result = *result,
                                  .before = lw_calc_pair_of(calc, call->self)};
    calc->pair = pair;
    return true;
}

const struct lw_calc_pair *lw_calc_pair_of(const struct lw_calculation *calc,
                                           const struct lw_calc_result *result)
{
    return calc->pair && is_same(&calc->pair->result, result) ? calc->pair : NULL;
}

/* ---- Calls ---- */

/* Whether an operation of CuTe supports its operands: not all support a swizzle alone, or a layout with strides of
 * coordinates. */
static bool is_possible(struct lw_calc_call *call)
{
    const struct lw_calc_row *row = call->row;
    const struct lw_cute *self = call->self ? lw_calc_cute(call->self) : NULL;
    if (call->self && call->self->kind == LW_CALC_SWIZZLE && row->base.on == LW_CALC_OF_CUTE &&
        strcmp(row->base.name, "composition") != 0)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s is for a layout of CuTe, not for a swizzle alone", row->base.name);
    if (!self || !lw_cute_is_of_coordinates(self) || row->base.on == LW_CALC_OPERATOR)
        return true;
    call->work.steps = NULL;
    return row->traits & LW_CALC_COORDS ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s needs offsets that are numbers; those of this layout are coordinates",
                        row->base.name);
}

bool lw_calc_run_call(struct lw_calculation *calc, struct lw_calc_call *call,
                      struct lw_position position, struct lw_calc_result *value)
{
    struct lw_calc_result made;
    struct lw_error *err = calc->err;
    if (is_possible(call) && run_by_rules(call, &made)) {
        if (!keep_pair(calc, call, &made))
            return false;
        if (made.kind == LW_CALC_TREE)
            return lw_calc_set_tree(&made.as.tree, value);
        *value = made;
        return true;
    }
    if (err->code == LW_ERROR_UNSUPPORTED) {
        value->kind = LW_CALC_NONE;
        memcpy(value->as.why, err->message, sizeof value->as.why);
        return true;
    }
    return lw_error_locate(err, position);
}
