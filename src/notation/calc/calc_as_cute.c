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

/* Computes the result of C++, right or wrong. Where C++ does not compile because nothing is static, it is that of
 * static integers. */
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
           (operation->result == LW_CALC_CUTE || operation->run == lw_calc_run_cute_max_common) &&
           !call->self->as.cute.coords;
}

/* Whether offsets are coordinates: a coordinate past its end would change the next one. */
static bool has_coords(const struct lw_calc_call *call)
{
    bool found = call->self && call->self->kind == LW_CALC_CUTE && call->self->as.cute.coords;
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        found = found || (is_cute(call, i) && call->args[i].as.value->as.cute.coords);
    return found && call->operation->on != LW_CALC_OF_MMA;
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
    bool coords = has_coords(call) && call->operation->coords != LW_CALC_COORDS_PART;
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

/* ---- Strides of coordinates ---- */

bool lw_calc_has_axes(const struct lw_calc_call *call)
{
    lw_calc_run *function = call->operation->run;
    return call->self && call->self->kind == LW_CALC_CUTE && call->self->as.cute.coords &&
           (function == lw_calc_run_cute_composition || function == lw_calc_run_cute_profile ||
            function == lw_calc_run_cute_tiles || function == lw_calc_run_cute_with_shape);
}

/* Whether a tiler stays within the layout: a coordinate beyond its end would change another one. */
static bool within(const struct lw_cute_layout *layout, const struct lw_cute_tuple *tiler)
{
    struct lw_cute_layout part;
    for (int i = 0; i < tiler->count && i < lw_cute_rank(&layout->shape); i++) {
        part = lw_cute_mode(layout, i);
        if (!within(&part, &tiler->items[i]))
            return false;
    }
    if (tiler->count >= 0 || tiler->leaf == LW_CUTE_BLANK)
        return true; /* too many modes are an error of the operation */
    part = lw_cute_tiler_layout(tiler);
    return lw_cute_cosize(&part) <= lw_cute_size(layout);
}

static bool goes_beyond(const struct lw_calc_call *call)
{
    return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: the tiler goes beyond the layout",
                        call->operation->name);
}

bool lw_calc_need_within(const struct lw_calc_call *call)
{
    return call->operation->params[0].kind != LW_CALC_PARAM_TILER ||
           within(&call->self->as.cute.layout, &call->args[0].as.tuple) || goes_beyond(call);
}

static bool has_zero_along(const struct lw_cute_tuple *stride)
{
    bool found = lw_cute_is_integer(stride) && stride->axis;
    for (int i = 0; i < stride->count && !found; i++)
        found = has_zero_along(&stride->items[i]);
    return found;
}

/* Makes each stride of coordinates the number of steps along an axis; without `coords` 0@1 becomes a plain 0. */
static bool set_axes(struct lw_cute_work *work, const struct lw_cute_coords *coords,
                     struct lw_cute_tuple *stride)
{
    struct lw_cute_tuple *items;
    int axis;
    if (stride->count < 0 && stride->value && coords) {
        stride->value = lw_cute_coords_steps(coords, stride->value, &axis);
        stride->axis = &coords->axis[axis];
    } else if (stride->count < 0 && !coords) {
        stride->axis = NULL;
    }
    if (stride->count < 0)
        return true;
    items = lw_arena_alloc(work->arena, (size_t)(stride->count + 1) * sizeof *items);
    if (!items)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < stride->count; i++) {
        items[i] = stride->items[i];
        if (!set_axes(work, coords, &items[i]))
            return false;
    }
    stride->items = items;
    return true;
}

/* Computes the result of C++ along axes, with static integers where `fixed` is set. */
static bool run_along(const struct lw_calc_call *call, bool fixed, struct lw_calc_result *out)
{
    const struct lw_cute_coords *coords = call->self->as.cute.coords;
    struct lw_calc_result self = *call->self, fixed_self, values[LW_CALC_PARAMS_MAX];
    struct lw_calc_call own = *call;
    own.self = &self;
    self.as.cute.coords = NULL;
    if (!set_axes(&own.work, coords, &self.as.cute.layout.stride) ||
        (fixed && !fix_call(&own, &fixed_self, values)) || !run(&own, LW_CUTE_UNCHECKED, out) ||
        (fixed && !set_result(&own.work, out, false)))
        return false;
    out->as.cute.coords = coords;
    return lw_calc_along(&own.work, coords, &out->as.cute.layout);
}

/* Computes the result where 0@1 is 0 and all integers are known. */
static bool run_known(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_calc_result self = *call->self;
    struct lw_calc_call own = *call;
    own.self = &self;
    own.work.coords = self.as.cute.coords;
    return set_axes(&own.work, NULL, &self.as.cute.layout.stride) && run(&own, LW_CUTE_VALUES, out);
}

/* Whether two results map every number to the same one. */
static bool is_same_function(const struct lw_calc_call *call, const struct lw_calc_result *a,
                             const struct lw_calc_result *b)
{
    struct lw_cute_work work = {.arena = call->work.arena};
    struct lw_cute_layout x = a->as.cute.layout, y = b->as.cute.layout;
    return set_axes(&work, NULL, &y.stride) && lw_cute_coalesce(&work, &x, NULL, &x) &&
           lw_cute_coalesce(&work, &y, NULL, &y) && lw_cute_tuple_equal(&x.shape, &y.shape) &&
           lw_cute_tuple_equal(&x.stride, &y.stride);
}

static bool another_function(const struct lw_calc_call *call, bool zero,
                             const struct lw_calc_result *known, const struct lw_calc_result *made)
{
    struct lw_text text = {.limit = 160};
    lw_calc_print(&text, known);
    lw_error_set(
        call->work.err, LW_ERROR_SHAPE,
        zero
            ? "%s: CuTe does not treat a stride such as 0@1 as 0; if it did, the result would be %s"
            : "%s: integers that are not static are unknown to the C++ compiler, and then the "
              "result is wrong; with static integers it is %s",
        call->operation->name, lw_text_string(&text));
    lw_text_free(&text);
    add_given(call->work.err, made);
    return false;
}

/* Adds to an error what CuTe does in this case. */
static bool add_along(const struct lw_calc_call *call, bool fixed)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result made;
    own.work.err = &refused;
    if (!strstr(err->message, "CuTe") &&
        (run_along(&own, false, &made) || (!fixed && run_along(&own, true, &made))))
        add_given(err, &made);
    return false;
}

/* Whether a stride is static: those of an identity tensor are, also when its shape is not. */
static bool has_fixed(const struct lw_cute_tuple *stride)
{
    bool found = stride->count < 0 && stride->fixed;
    for (int i = 0; i < stride->count && !found; i++)
        found = has_fixed(&stride->items[i]);
    return found;
}

static bool run_coordinates(struct lw_calc_call *call, bool as_cute, struct lw_calc_result *out)
{
    struct kinds kinds = kinds_of(call);
    kinds.fixed = kinds.fixed || has_fixed(&call->self->as.cute.layout.stride);
    struct lw_error refused = {0};
    struct lw_calc_result known;
    struct lw_calc_call own = *call;
    own.work.err = &refused;
    if (as_cute)
        return run_along(call, false, out) || (call->work.err->code == LW_ERROR_SHAPE &&
                                               !kinds.fixed && run_along(call, true, out));
    if (!lw_calc_need_within(call) || !run_known(call, &known))
        return add_along(call, kinds.fixed);
    bool zero = has_zero_along(&call->self->as.cute.layout.stride);
    if ((!zero && !(kinds.fixed && kinds.other)) || !run_along(&own, !kinds.fixed, out)) {
        *out = known;
        return true;
    }
    return is_same_function(call, &known, out) || another_function(call, zero, &known, out);
}

static const struct lw_calc_operation zipped_divide = {
    .name = "zipped_divide",
    .on = LW_CALC_OF_CUTE,
    .coords = LW_CALC_COORDS_TAKEN,
    .params = {{.name = "B", .kind = LW_CALC_PARAM_TILER}},
    .result = LW_CALC_CUTE,
    .run = lw_calc_run_cute_tiles,
    .core.tile = {lw_cute_divide, LW_CUTE_ZIPPED},
};

bool lw_calc_zipped_divide(const struct lw_calc_call *call, const struct lw_cute *tensor,
                           const struct lw_cute_tuple *tiler, struct lw_cute_layout *zipped)
{
    struct lw_calc_result self = {.kind = LW_CALC_CUTE}, made;
    struct lw_calc_call own = {
        .operation = &zipped_divide, .self = &self, .work = call->work, .as_cute = call->as_cute};
    if (!tensor->coords)
        return lw_cute_divide(&own.work, &tensor->layout, tiler, LW_CUTE_ZIPPED, zipped);
    self.as.cute = *tensor;
    own.args[0].given = true;
    own.args[0].as.tuple = *tiler;
    if (!own.as_cute && !within(&tensor->layout, tiler))
        return goes_beyond(call);
    if (!run_coordinates(&own, own.as_cute, &made))
        return false;
    *zipped = made.as.cute.layout;
    return true;
}

bool lw_calc_run_by_rules(struct lw_calc_call *call, bool as_cute, struct lw_calc_result *out)
{
    if (lw_calc_has_axes(call)) {
        const char *iterator = call->self->as.cute.iterator; /* a tensor keeps it */
        if (!run_coordinates(call, as_cute, out))
            return false;
        out->as.cute.iterator = iterator;
        return true;
    }
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
