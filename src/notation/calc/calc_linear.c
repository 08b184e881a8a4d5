/* What the rows of linear layouts in the calculator's table compute: layouts from sizes, from bases and from other
 * layouts, questions, comparisons and column actions. */

#include "notation/calc/calc_table.h"

#include <string.h>

/* ---- Arguments ---- */

static const struct lw_layout *layout_of(const struct lw_calc_call *call, int i)
{
    return &call->args[i].as.value->as.layout;
}

static const char *dim_of(const struct lw_calc_call *call, int i)
{
    return call->args[i].as.dims.name[0];
}

/* The layout that the call is of, and the bases of the in-dim of its first argument. */
static const struct lw_layout *self_of(const struct lw_calc_call *call)
{
    return &call->self->as.layout;
}

static int bits_of_dim(const struct lw_calc_call *call)
{
    const struct lw_layout *self = self_of(call);
    return lw_layout_in_log2(self, lw_dims_find(&self->in, dim_of(call, 0)));
}

/* The names and sizes of an argument. */
static bool sizes_of(struct lw_dims *dims, const struct lw_calc_argument *arg, struct lw_error *err)
{
    dims->count = 0;
    for (int i = 0; i < arg->count; i++)
        if (!lw_dims_add(dims, arg->as.dims.name[i], arg->as.dims.size[i], err))
            return false;
    return true;
}

/* ---- Making ---- */

LW_CALC_RUN(lw_calc_run_identity)
{
    return lw_layout_identity(&out->as.layout, lw_calc_number(call, 0, 0), dim_of(call, 1),
                              dim_of(call, 2), call->work.err);
}

LW_CALC_RUN(lw_calc_run_strided)
{
    return lw_layout_strided(&out->as.layout, lw_calc_number(call, 0, 0),
                             lw_calc_number(call, 1, 0), dim_of(call, 2), dim_of(call, 3),
                             call->work.err);
}

LW_CALC_RUN(lw_calc_run_zeros)
{
    return lw_layout_zeros(&out->as.layout, lw_calc_number(call, 0, 0), dim_of(call, 1),
                           dim_of(call, 2), lw_calc_number(call, 3, 1), call->work.err);
}

LW_CALC_RUN(lw_calc_run_empty)
{
    (void)call;
    lw_layout_empty(&out->as.layout);
    return true;
}

static bool from_sized_bases(struct lw_layout *out, const struct lw_calc_argument *bases,
                             const struct lw_calc_argument *outs, struct lw_error *err)
{
    struct lw_dims dims;
    if (!sizes_of(&dims, outs, err) || !lw_layout_of_dims(out, &bases->as.bases.in, &dims, err))
        return false;
    const uint64_t *image = bases->as.bases.images;
    for (int d = 0; d < out->in.count; d++)
        for (int i = 0; i < lw_layout_in_log2(out, d); i++, image += bases->count)
            if (!lw_layout_set_basis(out, d, i, image, err))
                return false;
    return true;
}

LW_CALC_RUN(lw_calc_run_from_bases)
{
    const struct lw_calc_argument *bases = &call->args[0], *outs = &call->args[1];
    if (bases->count >= 0 && bases->count != outs->count)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "fromBases: each basis has %d numbers, but there are %d out-dims",
                            bases->count, outs->count);
    if (outs->as.dims.sized)
        return from_sized_bases(&out->as.layout, bases, outs, call->work.err);
    return lw_layout_infer(&out->as.layout, &bases->as.bases.in, outs->as.dims.name, outs->count,
                           bases->as.bases.images, call->work.err);
}

LW_CALC_RUN(lw_calc_run_zeros_like)
{
    lw_layout_zeros_like(&out->as.layout, self_of(call));
    return true;
}

LW_CALC_RUN(lw_calc_run_itself)
{
    *out = *call->self;
    return true;
}

/* ---- Layouts from layouts ---- */

LW_CALC_RUN(lw_calc_run_one)
{
    return call->operation->core.of_one(&out->as.layout, self_of(call), call->work.err);
}

LW_CALC_RUN(lw_calc_run_two)
{
    return call->operation->core.of_two(&out->as.layout, self_of(call), layout_of(call, 0),
                                        call->work.err);
}

/* By the rule of the version of Triton. */
LW_CALC_RUN(lw_calc_run_invert_and_compose)
{
    return lw_layout_invert_and_compose_by(&out->as.layout, self_of(call), layout_of(call, 0),
                                           lw_triton_identity_rule(call->triton), call->work.err);
}

LW_CALC_RUN(lw_calc_run_of_dim)
{
    return call->operation->core.of_dim(&out->as.layout, self_of(call), dim_of(call, 0),
                                        call->work.err);
}

LW_CALC_RUN(lw_calc_run_resize)
{
    return call->operation->core.resize(&out->as.layout, self_of(call), dim_of(call, 0),
                                        lw_calc_number(call, 1, 0), call->work.err);
}

LW_CALC_RUN(lw_calc_run_rename)
{
    return call->operation->core.rename(&out->as.layout, self_of(call), dim_of(call, 0),
                                        dim_of(call, 1), call->work.err);
}

/* The in-dims or the out-dims in another order; all must be named. */
LW_CALC_RUN(lw_calc_run_transpose)
{
    const struct lw_layout *self = self_of(call);
    const struct lw_calc_argument *order = &call->args[0];
    bool outs = call->operation->core.flag;
    const struct lw_dims *dims = outs ? &self->out : &self->in;
    if (order->count != dims->count)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: all %d dims are needed, not %d",
                            call->operation->name, dims->count, order->count);
    return outs ? lw_layout_transpose_outs(&out->as.layout, self, order->as.dims.name,
                                           call->work.err)
                : lw_layout_transpose_ins(&out->as.layout, self, order->as.dims.name,
                                          call->work.err);
}

LW_CALC_RUN(lw_calc_run_reshape)
{
    struct lw_dims dims;
    if (!sizes_of(&dims, &call->args[0], call->work.err))
        return false;
    return call->operation->core.flag
               ? lw_layout_reshape_outs(&out->as.layout, self_of(call), &dims, call->work.err)
               : lw_layout_reshape_ins(&out->as.layout, self_of(call), &dims, call->work.err);
}

LW_CALC_RUN(lw_calc_run_sublayout)
{
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    return lw_layout_sublayout(&out->as.layout, self_of(call), ins->as.dims.name, ins->count,
                               outs->as.dims.name, outs->count, call->work.err);
}

LW_CALC_RUN(lw_calc_run_quotient)
{
    return lw_layout_quotient(&out->as.layout, self_of(call), call->args[0].as.dims.name,
                              call->args[0].count, call->work.err);
}

/* ---- Results ---- */

static void set_point(struct lw_calc_result *out, const struct lw_dims *dims,
                      const uint64_t *values)
{
    out->as.points.dims = *dims;
    out->as.points.count = 1;
    out->as.points.flat[0] = lw_dims_flatten(dims, values);
}

/* ---- Queries ---- */

LW_CALC_RUN(lw_calc_run_apply)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_apply(self_of(call), call->args[0].as.point, image);
    set_point(out, &self_of(call)->out, image);
    return true;
}

LW_CALC_RUN(lw_calc_run_basis)
{
    const struct lw_layout *self = self_of(call);
    int d = lw_dims_find(&self->in, dim_of(call, 0)), bits = lw_layout_in_log2(self, d);
    uint64_t image[LW_DIMS_MAX], bit = lw_calc_number(call, 1, 0);
    if (bit >= (uint64_t)bits)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "getBasis: '%s' has %d bases, counted from 0", self->in.dim[d].name,
                            bits);
    lw_layout_basis(self, d, (int)bit, image);
    set_point(out, &self->out, image);
    return true;
}

LW_CALC_RUN(lw_calc_run_question)
{
    out->as.truth = call->operation->core.question(self_of(call));
    return true;
}

LW_CALC_RUN(lw_calc_run_question_of_dims)
{
    const struct lw_calc_argument *dims = &call->args[0];
    out->as.truth =
        call->operation->core.question_of_dims(self_of(call), dims->as.dims.name, dims->count);
    return true;
}

LW_CALC_RUN(lw_calc_run_sublayout_is_zero)
{
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    out->as.truth = lw_layout_sublayout_is_zero(self_of(call), ins->as.dims.name, ins->count,
                                                outs->as.dims.name, outs->count);
    return true;
}

LW_CALC_RUN(lw_calc_run_equal_but_sizes)
{
    out->as.truth = lw_layout_equal_but_sizes(self_of(call), layout_of(call, 0));
    return true;
}

LW_CALC_RUN(lw_calc_run_consecutive)
{
    out->as.number = lw_layout_consecutive(self_of(call));
    return true;
}

LW_CALC_RUN(lw_calc_run_rank)
{
    out->as.number = (uint64_t)lw_layout_rank(self_of(call));
    return true;
}

LW_CALC_RUN(lw_calc_run_free_masks)
{
    uint64_t masks[LW_DIMS_MAX];
    lw_layout_free_masks(self_of(call), masks);
    set_point(out, &self_of(call)->in, masks);
    return true;
}

/* A basis of the null space, or of the image. */
LW_CALC_RUN(lw_calc_run_null_space)
{
    const struct lw_layout *self = self_of(call);
    struct lw_matrix matrix, basis;
    bool image = call->operation->core.flag;
    lw_layout_matrix(self, &matrix);
    if (image)
        lw_matrix_image(&basis, &matrix);
    else
        lw_matrix_null_space(&basis, &matrix);
    out->as.points.dims = image ? self->out : self->in;
    out->as.points.count = basis.cols;
    memcpy(out->as.points.flat, basis.column, sizeof basis.column);
    return true;
}

LW_CALC_RUN(lw_calc_run_matrix)
{
    lw_layout_matrix(self_of(call), &out->as.matrix);
    return true;
}

static const struct lw_dims *dims_of(const struct lw_calc_call *call)
{
    const struct lw_layout *self = self_of(call);
    return call->operation->core.flag ? &self->out : &self->in;
}

LW_CALC_RUN(lw_calc_run_dims)
{
    out->as.dims = *dims_of(call);
    return true;
}

/* The parameter was checked: the dim is there. */
LW_CALC_RUN(lw_calc_run_dim_size)
{
    out->as.number = lw_dims_size(dims_of(call), dim_of(call, 0));
    return true;
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
    case LW_CALC_BLANK:
    case LW_CALC_ORDER:
        return lw_cute_tuple_equal(&a->as.tuple, &b->as.tuple);
    case LW_CALC_SWIZZLE:
        return !memcmp(&a->as.swizzle, &b->as.swizzle, sizeof a->as.swizzle);
    case LW_CALC_ATOM:
    case LW_CALC_MMA:
    case LW_CALC_COPY:
        return lw_calc_same_tiling(&a->as.tiling, &b->as.tiling);
    case LW_CALC_DESCRIPTOR:
        return a->as.descriptor.kind == b->as.descriptor.kind &&
               a->as.descriptor.value == b->as.descriptor.value;
    case LW_CALC_TENSOR_MAP:
        return !memcmp(&a->as.tensor_map, &b->as.tensor_map, sizeof a->as.tensor_map);
    }
    return false;
}

/* Things of two kinds cannot be compared, but "no such layout" can with anything. */
static bool check_kinds(const struct lw_calc_call *call)
{
    enum lw_calc_kind a = call->self->kind, b = call->args[0].as.value->kind;
    if (a == b || a == LW_CALC_NONE || b == LW_CALC_NONE)
        return true;
    bool linear =
        (a == LW_CALC_LAYOUT && b == LW_CALC_CUTE) || (a == LW_CALC_CUTE && b == LW_CALC_LAYOUT);
    return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: %s cannot be compared with %s%s",
                        call->operation->name, lw_calc_kind_name(a), lw_calc_kind_name(b),
                        linear ? ": write .linear() after the layout of CuTe" : "");
}

LW_CALC_RUN(lw_calc_run_equal)
{
    out->as.truth = same(call->self, call->args[0].as.value) == call->operation->core.flag;
    return check_kinds(call);
}

/* ---- Column actions ---- */

LW_CALC_RUN(lw_calc_run_action)
{
    const struct lw_calc_argument *columns = &call->args[0];
    uint64_t bits = lw_calc_number(call, 2, 0);
    return lw_action_make(&out->as.action, dim_of(call, 1), bits > 65 ? 65 : (int)bits,
                          columns->as.columns, columns->count, call->work.err);
}

static bool act(struct lw_calc_result *out, const struct lw_calc_call *call,
                const uint64_t *columns, int count)
{
    struct lw_action action;
    struct lw_error *err = call->work.err;
    return lw_action_make(&action, dim_of(call, 0), bits_of_dim(call), columns, count, err) &&
           lw_action_apply(&out->as.layout, &action, self_of(call), err);
}

LW_CALC_RUN(lw_calc_run_permute)
{
    return act(out, call, call->args[1].as.columns, call->args[1].count);
}

LW_CALC_RUN(lw_calc_run_drop)
{
    const struct lw_calc_argument *dropped = &call->args[1];
    int bits = bits_of_dim(call), count = 0;
    uint64_t gone = 0, kept[LW_BITS_MAX];
    for (int i = 0; i < dropped->count; i++) {
        if (dropped->as.columns[i] >= (uint64_t)bits)
            return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                                "drop: '%s' has %d bases, counted from 0", dim_of(call, 0), bits);
        gone |= (uint64_t)1 << dropped->as.columns[i];
    }
    for (int i = 0; i < bits; i++)
        if (!(gone >> i & 1))
            kept[count++] = (uint64_t)i;
    return act(out, call, kept, count);
}

LW_CALC_RUN(lw_calc_run_for_divide)
{
    bool left = !call->args[1].given || call->args[1].as.value->as.truth;
    return lw_action_for_divide(&out->as.action, self_of(call), layout_of(call, 0), left,
                                call->work.err);
}

LW_CALC_RUN(lw_calc_run_remove_broadcast)
{
    return lw_action_remove_broadcast(&out->as.action, self_of(call), call->work.err);
}

LW_CALC_RUN(lw_calc_run_act)
{
    return lw_action_apply(&out->as.layout, &call->self->as.action, layout_of(call, 0),
                           call->work.err);
}

LW_CALC_RUN(lw_calc_run_inverse)
{
    return lw_action_inverse(&out->as.action, &call->self->as.action, call->work.err);
}

LW_CALC_RUN(lw_calc_run_left_compose)
{
    return lw_action_left_compose(&out->as.action, &call->self->as.action,
                                  &call->args[0].as.value->as.action, call->work.err);
}

LW_CALC_RUN(lw_calc_run_is_identity)
{
    out->as.truth = lw_action_is_identity(&call->self->as.action);
    return true;
}
