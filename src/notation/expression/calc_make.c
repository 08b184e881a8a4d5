/* What the calculator makes: layouts from sizes, from bases and from other layouts. Each function is
 * one row of the table in calc_table.c. */

#include "notation/expression/calc_run.h"

/* The names and sizes of an argument. */
static bool dims_of(struct lw_dims *dims, const struct lw_calc_argument *arg, struct lw_error *err)
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
    out->kind = LW_CALC_LAYOUT;
    return lw_layout_identity(&out->as.layout, lw_calc_number(call, 0, 0), lw_calc_dim(call, 1),
                              lw_calc_dim(call, 2), err);
}

LW_CALC_RUN(lw_calc_run_strided)
{
    out->kind = LW_CALC_LAYOUT;
    return lw_layout_strided(&out->as.layout, lw_calc_number(call, 0, 0),
                             lw_calc_number(call, 1, 0), lw_calc_dim(call, 2), lw_calc_dim(call, 3),
                             err);
}

LW_CALC_RUN(lw_calc_run_zeros)
{
    out->kind = LW_CALC_LAYOUT;
    return lw_layout_zeros(&out->as.layout, lw_calc_number(call, 0, 0), lw_calc_dim(call, 1),
                           lw_calc_dim(call, 2), lw_calc_number(call, 3, 1), err);
}

LW_CALC_RUN(lw_calc_run_empty)
{
    (void)call;
    (void)err;
    out->kind = LW_CALC_LAYOUT;
    lw_layout_empty(&out->as.layout);
    return true;
}

static bool from_sized_bases(struct lw_layout *out, const struct lw_calc_argument *bases,
                             const struct lw_calc_argument *outs, struct lw_error *err)
{
    struct lw_dims dims;
    if (!dims_of(&dims, outs, err) || !lw_layout_of_dims(out, &bases->as.bases.in, &dims, err))
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
    out->kind = LW_CALC_LAYOUT;
    if (bases->count >= 0 && bases->count != outs->count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "fromBases: each basis has %d numbers, but there are %d out-dims",
                            bases->count, outs->count);
    if (outs->as.dims.sized)
        return from_sized_bases(&out->as.layout, bases, outs, err);
    return lw_layout_infer(&out->as.layout, &bases->as.bases.in, outs->as.dims.name, outs->count,
                           bases->as.bases.images, err);
}

LW_CALC_RUN(lw_calc_run_zeros_like)
{
    (void)err;
    out->kind = LW_CALC_LAYOUT;
    lw_layout_zeros_like(&out->as.layout, lw_calc_self(call));
    return true;
}

LW_CALC_RUN(lw_calc_run_itself)
{
    (void)err;
    *out = *call->self;
    return true;
}

/* ---- Layouts from layouts ---- */

LW_CALC_RUN(lw_calc_run_one)
{
    out->kind = LW_CALC_LAYOUT;
    return call->operation->core.of_one(&out->as.layout, lw_calc_self(call), err);
}

LW_CALC_RUN(lw_calc_run_two)
{
    out->kind = LW_CALC_LAYOUT;
    return call->operation->core.of_two(&out->as.layout, lw_calc_self(call),
                                        lw_calc_layout(call, 0), err);
}

LW_CALC_RUN(lw_calc_run_of_dim)
{
    out->kind = LW_CALC_LAYOUT;
    return call->operation->core.of_dim(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0),
                                        err);
}

LW_CALC_RUN(lw_calc_run_resize)
{
    out->kind = LW_CALC_LAYOUT;
    return call->operation->core.resize(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0),
                                        lw_calc_number(call, 1, 0), err);
}

LW_CALC_RUN(lw_calc_run_rename)
{
    out->kind = LW_CALC_LAYOUT;
    return call->operation->core.rename(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0),
                                        lw_calc_dim(call, 1), err);
}

/* The in-dims or the out-dims in another order; all must be named. */
LW_CALC_RUN(lw_calc_run_transpose)
{
    const struct lw_layout *self = lw_calc_self(call);
    const struct lw_calc_argument *order = &call->args[0];
    bool outs = call->operation->core.flag;
    const struct lw_dims *dims = outs ? &self->out : &self->in;
    out->kind = LW_CALC_LAYOUT;
    if (order->count != dims->count)
        return lw_error_set(err, LW_ERROR_SHAPE, "%s: all %d dims are needed, not %d",
                            call->operation->name, dims->count, order->count);
    return outs ? lw_layout_transpose_outs(&out->as.layout, self, order->as.dims.name, err)
                : lw_layout_transpose_ins(&out->as.layout, self, order->as.dims.name, err);
}

LW_CALC_RUN(lw_calc_run_reshape)
{
    struct lw_dims dims;
    out->kind = LW_CALC_LAYOUT;
    if (!dims_of(&dims, &call->args[0], err))
        return false;
    return call->operation->core.flag
               ? lw_layout_reshape_outs(&out->as.layout, lw_calc_self(call), &dims, err)
               : lw_layout_reshape_ins(&out->as.layout, lw_calc_self(call), &dims, err);
}

LW_CALC_RUN(lw_calc_run_sublayout)
{
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    out->kind = LW_CALC_LAYOUT;
    return lw_layout_sublayout(&out->as.layout, lw_calc_self(call), ins->as.dims.name, ins->count,
                               outs->as.dims.name, outs->count, err);
}

LW_CALC_RUN(lw_calc_run_quotient)
{
    out->kind = LW_CALC_LAYOUT;
    return lw_layout_quotient(&out->as.layout, lw_calc_self(call), call->args[0].as.dims.name,
                              call->args[0].count, err);
}
