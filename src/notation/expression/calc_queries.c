/* What the calculator answers: questions to layouts, comparisons, column actions. Each function is one
 * row of the table in calc_table.c. */

#include "notation/expression/calc_run.h"

#include <string.h>

static bool truth(struct lw_calc_result *out, bool value)
{
    out->kind = LW_CALC_TRUTH;
    out->as.truth = value;
    return true;
}

static bool number(struct lw_calc_result *out, uint64_t value)
{
    out->kind = LW_CALC_NUMBER;
    out->as.number = value;
    return true;
}

static bool point(struct lw_calc_result *out, const struct lw_dims *dims, const uint64_t *values)
{
    out->kind = LW_CALC_POINT;
    out->as.points.dims = *dims;
    out->as.points.count = 1;
    out->as.points.flat[0] = lw_dims_flatten(dims, values);
    return true;
}

static bool points(struct lw_calc_result *out, const struct lw_dims *dims,
                   const struct lw_matrix *columns)
{
    out->kind = LW_CALC_POINTS;
    out->as.points.dims = *dims;
    out->as.points.count = columns->cols;
    memcpy(out->as.points.flat, columns->column, sizeof columns->column);
    return true;
}

/* ---- Asking ---- */

LW_CALC_RUN(lw_calc_run_apply)
{
    (void)err;
    uint64_t image[LW_DIMS_MAX];
    lw_layout_apply(lw_calc_self(call), call->args[0].as.point, image);
    return point(out, &lw_calc_self(call)->out, image);
}

LW_CALC_RUN(lw_calc_run_basis)
{
    const struct lw_layout *self = lw_calc_self(call);
    int d = lw_dims_find(&self->in, lw_calc_dim(call, 0)), bits = lw_layout_in_log2(self, d);
    uint64_t image[LW_DIMS_MAX], bit = lw_calc_number(call, 1, 0);
    if (bit >= (uint64_t)bits)
        return lw_error_set(err, LW_ERROR_PARAMETER, "getBasis: '%s' has %d bases, counted from 0",
                            self->in.dim[d].name, bits);
    lw_layout_basis(self, d, (int)bit, image);
    return point(out, &self->out, image);
}

LW_CALC_RUN(lw_calc_run_question)
{
    (void)err;
    return truth(out, call->operation->core.question(lw_calc_self(call)));
}

LW_CALC_RUN(lw_calc_run_is_trivial)
{
    (void)err;
    return truth(out, lw_layout_is_trivial_over(lw_calc_self(call), call->args[0].as.dims.name,
                                                call->args[0].count));
}

LW_CALC_RUN(lw_calc_run_square)
{
    (void)err;
    return truth(out, lw_layout_square_is_identity(lw_calc_self(call), call->args[0].as.dims.name,
                                                   call->args[0].count));
}

LW_CALC_RUN(lw_calc_run_sublayout_is_zero)
{
    (void)err;
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    return truth(out, lw_layout_sublayout_is_zero(lw_calc_self(call), ins->as.dims.name, ins->count,
                                                  outs->as.dims.name, outs->count));
}

LW_CALC_RUN(lw_calc_run_equal_but_sizes)
{
    (void)err;
    return truth(out, lw_layout_equal_but_sizes(lw_calc_self(call), lw_calc_layout(call, 0)));
}

LW_CALC_RUN(lw_calc_run_consecutive)
{
    (void)err;
    return number(out, lw_layout_consecutive(lw_calc_self(call)));
}

LW_CALC_RUN(lw_calc_run_rank)
{
    (void)err;
    return number(out, (uint64_t)lw_layout_rank(lw_calc_self(call)));
}

LW_CALC_RUN(lw_calc_run_free_masks)
{
    (void)err;
    uint64_t masks[LW_DIMS_MAX];
    lw_layout_free_masks(lw_calc_self(call), masks);
    return point(out, &lw_calc_self(call)->in, masks);
}

/* A basis of the kernel, or of the image. */
LW_CALC_RUN(lw_calc_run_null_space)
{
    (void)err;
    const struct lw_layout *self = lw_calc_self(call);
    struct lw_matrix matrix, basis;
    bool image = call->operation->core.flag;
    lw_layout_matrix(self, &matrix);
    if (image)
        lw_matrix_image(&basis, &matrix);
    else
        lw_matrix_null_space(&basis, &matrix);
    return points(out, image ? &self->out : &self->in, &basis);
}

LW_CALC_RUN(lw_calc_run_matrix)
{
    (void)err;
    out->kind = LW_CALC_MATRIX;
    lw_layout_matrix(lw_calc_self(call), &out->as.matrix);
    return true;
}

static const struct lw_dims *dims_of(const struct lw_calc_call *call)
{
    const struct lw_layout *self = lw_calc_self(call);
    return call->operation->core.flag ? &self->out : &self->in;
}

LW_CALC_RUN(lw_calc_run_dims)
{
    (void)err;
    out->kind = LW_CALC_DIMS;
    out->as.dims = *dims_of(call);
    return true;
}

/* The parameter was checked: the dim is there. */
LW_CALC_RUN(lw_calc_run_dim_size)
{
    (void)err;
    return number(out, lw_dims_size(dims_of(call), lw_calc_dim(call, 0)));
}

/* ---- Comparing ---- */

static bool same_points(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    return lw_dims_equal(&a->as.points.dims, &b->as.points.dims) &&
           a->as.points.count == b->as.points.count &&
           !memcmp(a->as.points.flat, b->as.points.flat,
                   (size_t)a->as.points.count * sizeof *a->as.points.flat);
}

static bool same_action(const struct lw_action *a, const struct lw_action *b)
{
    return !strcmp(a->dim, b->dim) && a->size_log2 == b->size_log2 && a->count == b->count &&
           !memcmp(a->column, b->column, (size_t)a->count);
}

static bool same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case LW_CALC_NONE:
        return true;
    case LW_CALC_LAYOUT:
        return lw_layout_equal(&a->as.layout, &b->as.layout);
    case LW_CALC_NUMBER:
        return a->as.number == b->as.number;
    case LW_CALC_TRUTH:
        return a->as.truth == b->as.truth;
    case LW_CALC_POINT:
    case LW_CALC_POINTS:
        return same_points(a, b);
    case LW_CALC_MATRIX:
        return lw_matrix_equal(&a->as.matrix, &b->as.matrix);
    case LW_CALC_ACTION:
        return same_action(&a->as.action, &b->as.action);
    case LW_CALC_DIMS:
        return lw_dims_equal(&a->as.dims, &b->as.dims);
    case LW_CALC_CUTE:
        return lw_cute_equal(&a->as.cute, &b->as.cute);
    case LW_CALC_TILUS: /* compared as a whole text: calc_tilus.c */
        return a->as.tilus == b->as.tilus;
    case LW_CALC_TUPLE:
    case LW_CALC_ORDER:
        return lw_cute_tuple_equal(&a->as.tuple, &b->as.tuple);
    case LW_CALC_SWIZZLE:
        return !memcmp(&a->as.swizzle, &b->as.swizzle, sizeof a->as.swizzle);
    case LW_CALC_BLANK:
        return true;
    }
    return false;
}

/* Things of two kinds cannot be compared, but "no such layout" can with anything. */
static bool check_kinds(const struct lw_calc_call *call, struct lw_error *err)
{
    enum lw_calc_kind a = call->self->kind, b = call->args[0].as.value->kind;
    if (a == b || a == LW_CALC_NONE || b == LW_CALC_NONE)
        return true;
    bool linear =
        (a == LW_CALC_LAYOUT && b == LW_CALC_CUTE) || (a == LW_CALC_CUTE && b == LW_CALC_LAYOUT);
    return lw_error_set(err, LW_ERROR_SHAPE, "%s: %s cannot be compared with %s%s",
                        call->operation->name, lw_calc_kind_name(a), lw_calc_kind_name(b),
                        linear ? ": write .linear() after the layout of CuTe" : "");
}

LW_CALC_RUN(lw_calc_run_equal)
{
    return check_kinds(call, err) &&
           truth(out, same(call->self, call->args[0].as.value) == call->operation->core.flag);
}

/* ---- Column actions ---- */

LW_CALC_RUN(lw_calc_run_action)
{
    const struct lw_calc_argument *columns = &call->args[0];
    uint64_t bits = lw_calc_number(call, 2, 0);
    out->kind = LW_CALC_ACTION;
    return lw_action_make(&out->as.action, lw_calc_dim(call, 1), bits > 65 ? 65 : (int)bits,
                          columns->as.columns, columns->count, err);
}

static bool act(struct lw_calc_result *out, const struct lw_calc_call *call,
                const uint64_t *columns, int count, struct lw_error *err)
{
    const struct lw_layout *self = lw_calc_self(call);
    struct lw_action action;
    int bits = lw_layout_in_log2(self, lw_dims_find(&self->in, lw_calc_dim(call, 0)));
    out->kind = LW_CALC_LAYOUT;
    return lw_action_make(&action, lw_calc_dim(call, 0), bits, columns, count, err) &&
           lw_action_apply(&out->as.layout, &action, self, err);
}

LW_CALC_RUN(lw_calc_run_permute)
{
    return act(out, call, call->args[1].as.columns, call->args[1].count, err);
}

LW_CALC_RUN(lw_calc_run_drop)
{
    const struct lw_layout *self = lw_calc_self(call);
    const struct lw_calc_argument *dropped = &call->args[1];
    int bits = lw_layout_in_log2(self, lw_dims_find(&self->in, lw_calc_dim(call, 0))), count = 0;
    uint64_t gone = 0, kept[LW_BITS_MAX];
    for (int i = 0; i < dropped->count; i++) {
        if (dropped->as.columns[i] >= (uint64_t)bits)
            return lw_error_set(err, LW_ERROR_PARAMETER, "drop: '%s' has %d bases, counted from 0",
                                lw_calc_dim(call, 0), bits);
        gone |= (uint64_t)1 << dropped->as.columns[i];
    }
    for (int i = 0; i < bits; i++)
        if (!(gone >> i & 1))
            kept[count++] = (uint64_t)i;
    return act(out, call, kept, count, err);
}

LW_CALC_RUN(lw_calc_run_for_divide)
{
    bool left = !call->args[1].given || call->args[1].as.value->as.truth;
    out->kind = LW_CALC_ACTION;
    return lw_action_for_divide(&out->as.action, lw_calc_self(call), lw_calc_layout(call, 0), left,
                                err);
}

LW_CALC_RUN(lw_calc_run_remove_broadcast)
{
    out->kind = LW_CALC_ACTION;
    return lw_action_remove_broadcast(&out->as.action, lw_calc_self(call), err);
}

LW_CALC_RUN(lw_calc_run_act)
{
    out->kind = LW_CALC_LAYOUT;
    return lw_action_apply(&out->as.layout, &call->self->as.action, lw_calc_layout(call, 0), err);
}

LW_CALC_RUN(lw_calc_run_inverse)
{
    out->kind = LW_CALC_ACTION;
    return lw_action_inverse(&out->as.action, &call->self->as.action, err);
}

LW_CALC_RUN(lw_calc_run_left_compose)
{
    out->kind = LW_CALC_ACTION;
    return lw_action_left_compose(&out->as.action, &call->self->as.action,
                                  &call->args[0].as.value->as.action, err);
}

LW_CALC_RUN(lw_calc_run_is_identity)
{
    (void)err;
    return truth(out, lw_action_is_identity(&call->self->as.action));
}
