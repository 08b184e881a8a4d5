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

#define UNARY(name, core)                                                                          \
    LW_CALC_RUN(name)                                                                              \
    {                                                                                              \
        out->kind = LW_CALC_LAYOUT;                                                                \
        return core(&out->as.layout, lw_calc_self(call), err);                                     \
    }
#define BINARY(name, core)                                                                         \
    LW_CALC_RUN(name)                                                                              \
    {                                                                                              \
        out->kind = LW_CALC_LAYOUT;                                                                \
        return core(&out->as.layout, lw_calc_self(call), lw_calc_layout(call, 0), err);            \
    }
#define OF_DIM(name, core)                                                                         \
    LW_CALC_RUN(name)                                                                              \
    {                                                                                              \
        out->kind = LW_CALC_LAYOUT;                                                                \
        return core(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0), err);               \
    }
#define RESIZE(name, core)                                                                         \
    LW_CALC_RUN(name)                                                                              \
    {                                                                                              \
        out->kind = LW_CALC_LAYOUT;                                                                \
        return core(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0),                     \
                    lw_calc_number(call, 1, 0), err);                                              \
    }
#define RENAME(name, core)                                                                         \
    LW_CALC_RUN(name)                                                                              \
    {                                                                                              \
        out->kind = LW_CALC_LAYOUT;                                                                \
        return core(&out->as.layout, lw_calc_self(call), lw_calc_dim(call, 0),                     \
                    lw_calc_dim(call, 1), err);                                                    \
    }

UNARY(lw_calc_run_invert, lw_layout_invert)
UNARY(lw_calc_run_pseudoinvert, lw_layout_pseudoinvert)
UNARY(lw_calc_run_flatten_ins, lw_layout_flatten_ins)
UNARY(lw_calc_run_flatten_outs, lw_layout_flatten_outs)
BINARY(lw_calc_run_product, lw_layout_product)
BINARY(lw_calc_run_compose, lw_layout_compose)
BINARY(lw_calc_run_invert_and_compose, lw_layout_invert_and_compose)
BINARY(lw_calc_run_divide_left, lw_layout_divide_left)
BINARY(lw_calc_run_divide_right, lw_layout_divide_right)
BINARY(lw_calc_run_concat_ins, lw_layout_concat_ins)
BINARY(lw_calc_run_concat_outs, lw_layout_concat_outs)
OF_DIM(lw_calc_run_remove_zeros, lw_layout_remove_zeros)
OF_DIM(lw_calc_run_unsqueeze_in, lw_layout_unsqueeze_in)
OF_DIM(lw_calc_run_unsqueeze_out, lw_layout_unsqueeze_out)
RESIZE(lw_calc_run_resize_in, lw_layout_resize_in)
RESIZE(lw_calc_run_resize_out, lw_layout_resize_out)
RENAME(lw_calc_run_rename_in, lw_layout_rename_in)
RENAME(lw_calc_run_rename_out, lw_layout_rename_out)

static bool all_named(const struct lw_calc_call *call, const struct lw_dims *dims,
                      struct lw_error *err)
{
    if (call->args[0].count == dims->count)
        return true;
    return lw_error_set(err, LW_ERROR_SHAPE, "%s: all %d dims are needed, not %d",
                        call->operation->name, dims->count, call->args[0].count);
}

LW_CALC_RUN(lw_calc_run_transpose_ins)
{
    out->kind = LW_CALC_LAYOUT;
    return all_named(call, &lw_calc_self(call)->in, err) &&
           lw_layout_transpose_ins(&out->as.layout, lw_calc_self(call), call->args[0].as.dims.name,
                                   err);
}

LW_CALC_RUN(lw_calc_run_transpose_outs)
{
    out->kind = LW_CALC_LAYOUT;
    return all_named(call, &lw_calc_self(call)->out, err) &&
           lw_layout_transpose_outs(&out->as.layout, lw_calc_self(call), call->args[0].as.dims.name,
                                    err);
}

LW_CALC_RUN(lw_calc_run_reshape_ins)
{
    struct lw_dims dims;
    out->kind = LW_CALC_LAYOUT;
    return dims_of(&dims, &call->args[0], err) &&
           lw_layout_reshape_ins(&out->as.layout, lw_calc_self(call), &dims, err);
}

LW_CALC_RUN(lw_calc_run_reshape_outs)
{
    struct lw_dims dims;
    out->kind = LW_CALC_LAYOUT;
    return dims_of(&dims, &call->args[0], err) &&
           lw_layout_reshape_outs(&out->as.layout, lw_calc_self(call), &dims, err);
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
