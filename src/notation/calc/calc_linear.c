/* What the rows of linear layouts in the calculator's table compute: layouts from sizes, from bases and from other
 * layouts, questions, comparisons and column actions. */

#include "notation/calc/calculator.h"
#include "core/action.h"
#include "notation/calc/calc_rows.h"

#include <string.h>

/* ---- Arguments ---- */

static const struct lw_layout *layout_of(const struct lw_calc_call *call, int i)
{
    return &call->args[i].value->as.layout;
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

static LW_CALC_RUN(identity)
{
    return lw_layout_identity(&out->as.layout, lw_calc_number(call, 0, 0), dim_of(call, 1),
                              dim_of(call, 2), call->work.err);
}

static LW_CALC_RUN(strided)
{
    return lw_layout_strided(&out->as.layout, lw_calc_number(call, 0, 0),
                             lw_calc_number(call, 1, 0), dim_of(call, 2), dim_of(call, 3),
                             call->work.err);
}

static LW_CALC_RUN(zeros)
{
    return lw_layout_zeros(&out->as.layout, lw_calc_number(call, 0, 0), dim_of(call, 1),
                           dim_of(call, 2), lw_calc_number(call, 3, 1), call->work.err);
}

static LW_CALC_RUN(empty)
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

static LW_CALC_RUN(from_bases)
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

static LW_CALC_RUN(zeros_like)
{
    lw_layout_zeros_like(&out->as.layout, self_of(call));
    return true;
}

static LW_CALC_RUN(itself)
{
    *out = *call->self;
    return true;
}

/* ---- Layouts from layouts ---- */

static LW_CALC_RUN(run_one)
{
    return call->row->core.of_one(&out->as.layout, self_of(call), call->work.err);
}

static LW_CALC_RUN(run_two)
{
    return call->row->core.of_two(&out->as.layout, self_of(call), layout_of(call, 0),
                                  call->work.err);
}

/* By the rule of the version of Triton. */
static LW_CALC_RUN(invert_and_compose)
{
    return lw_layout_invert_and_compose(&out->as.layout, self_of(call), layout_of(call, 0),
                                        lw_triton_identity_rule(call->triton), call->work.err);
}

static LW_CALC_RUN(run_of_dim)
{
    return call->row->core.of_dim(&out->as.layout, self_of(call), dim_of(call, 0), call->work.err);
}

static LW_CALC_RUN(run_resize)
{
    return call->row->core.resize(&out->as.layout, self_of(call), dim_of(call, 0),
                                  lw_calc_number(call, 1, 0), call->work.err);
}

static LW_CALC_RUN(run_rename)
{
    return call->row->core.rename(&out->as.layout, self_of(call), dim_of(call, 0), dim_of(call, 1),
                                  call->work.err);
}

/* The in-dims or the out-dims in another order; all must be named. */
static LW_CALC_RUN(transpose)
{
    const struct lw_layout *self = self_of(call);
    const struct lw_calc_argument *order = &call->args[0];
    bool outs = call->row->params[0] == LW_CALC_PARAM_DIMS_OUT;
    int count = outs ? self->out.count : self->in.count;
    if (order->count != count)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: all %d dims are needed, not %d",
                            call->row->base.name, count, order->count);
    return call->row->core.transpose(&out->as.layout, self, order->as.dims.name, call->work.err);
}

static LW_CALC_RUN(reshape)
{
    struct lw_dims dims;
    return sizes_of(&dims, &call->args[0], call->work.err) &&
           call->row->core.reshape(&out->as.layout, self_of(call), &dims, call->work.err);
}

static LW_CALC_RUN(sublayout)
{
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    return lw_layout_sublayout(&out->as.layout, self_of(call), ins->as.dims.name, ins->count,
                               outs->as.dims.name, outs->count, call->work.err);
}

static LW_CALC_RUN(quotient)
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

static LW_CALC_RUN(apply)
{
    uint64_t image[LW_DIMS_MAX];
    lw_layout_apply(self_of(call), call->args[0].as.point, image);
    set_point(out, &self_of(call)->out, image);
    return true;
}

static LW_CALC_RUN(basis)
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

static LW_CALC_RUN(run_question)
{
    out->as.truth = call->row->core.question(self_of(call));
    return true;
}

static LW_CALC_RUN(run_question_of_dims)
{
    const struct lw_calc_argument *dims = &call->args[0];
    out->as.truth =
        call->row->core.question_of_dims(self_of(call), dims->as.dims.name, dims->count);
    return true;
}

static LW_CALC_RUN(sublayout_is_zero)
{
    const struct lw_calc_argument *ins = &call->args[0], *outs = &call->args[1];
    out->as.truth = lw_layout_sublayout_is_zero(self_of(call), ins->as.dims.name, ins->count,
                                                outs->as.dims.name, outs->count);
    return true;
}

static LW_CALC_RUN(equal_but_sizes)
{
    out->as.truth = lw_layout_equal_but_sizes(self_of(call), layout_of(call, 0));
    return true;
}

static LW_CALC_RUN(consecutive)
{
    return lw_calc_set_number(&call->work, lw_layout_consecutive(self_of(call)), out);
}

static LW_CALC_RUN(rank)
{
    return lw_calc_set_number(&call->work, (uint64_t)lw_layout_rank(self_of(call)), out);
}

static LW_CALC_RUN(free_masks)
{
    uint64_t masks[LW_DIMS_MAX];
    lw_layout_free_masks(self_of(call), masks);
    set_point(out, &self_of(call)->in, masks);
    return true;
}

/* A basis of the null space, or of the image. */
static LW_CALC_RUN(null_space)
{
    const struct lw_layout *self = self_of(call);
    struct lw_matrix matrix, basis;
    bool image = call->row->core.which;
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

static LW_CALC_RUN(matrix)
{
    lw_layout_matrix(self_of(call), &out->as.matrix);
    return true;
}

static const struct lw_dims *dims_of(const struct lw_calc_call *call)
{
    const struct lw_layout *self = self_of(call);
    return call->row->core.which ? &self->out : &self->in;
}

static LW_CALC_RUN(dims)
{
    out->as.dims = *dims_of(call);
    return true;
}

/* The parameter was checked: the dim is there. */
static LW_CALC_RUN(dim_size)
{
    return lw_calc_set_number(&call->work, lw_dims_size(dims_of(call), dim_of(call, 0)), out);
}

/* ---- Comparing ---- */

static bool same_points(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    return lw_dims_equal(&a->as.points.dims, &b->as.points.dims) &&
           a->as.points.count == b->as.points.count &&
           !memcmp(a->as.points.flat, b->as.points.flat,
                   (size_t)a->as.points.count * sizeof *a->as.points.flat);
}

static bool same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    const struct lw_action *p = &a->as.action, *q = &b->as.action;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case LW_CALC_NONE:
        return true;
    case LW_CALC_LAYOUT:
        return lw_layout_equal(&a->as.layout, &b->as.layout);
    case LW_CALC_TRUTH:
        return a->as.truth == b->as.truth;
    case LW_CALC_POINT:
    case LW_CALC_POINTS:
        return same_points(a, b);
    case LW_CALC_MATRIX:
        return lw_matrix_equal(&a->as.matrix, &b->as.matrix);
    case LW_CALC_ACTION:
        return !strcmp(p->dim, q->dim) && p->size_log2 == q->size_log2 && p->count == q->count &&
               !memcmp(p->column, q->column, (size_t)p->count);
    case LW_CALC_DIMS:
        return lw_dims_equal(&a->as.dims, &b->as.dims);
    case LW_CALC_TREE:
        return lw_cute_tuple_equal(&a->as.tree, &b->as.tree);
    case LW_CALC_SWIZZLE:
        return !memcmp(&a->as.swizzle, &b->as.swizzle, sizeof a->as.swizzle);
    case LW_CALC_TILUS:
    case LW_CALC_ATOM:
    case LW_CALC_MMA:
    case LW_CALC_COPY:
        return lw_calc_same_text(a, b);
    case LW_CALC_DESCRIPTOR:
        return a->as.descriptor.kind == b->as.descriptor.kind &&
               a->as.descriptor.value == b->as.descriptor.value;
    case LW_CALC_TENSOR_MAP:
        return !memcmp(&a->as.tensor_map, &b->as.tensor_map, sizeof a->as.tensor_map);
    }
    return false;
}

/* Things of two kinds cannot be compared, but "no such layout" can with anything. A layout of CuTe and a number are of
 * two kinds. */
static LW_CALC_RUN(equal)
{
    const struct lw_calc_result *a = call->self, *b = call->args[0].value;
    const struct lw_cute *x = lw_calc_cute(a), *y = lw_calc_cute(b);
    bool linear = (x && b->kind == LW_CALC_LAYOUT) || (y && a->kind == LW_CALC_LAYOUT);
    out->as.truth = same(a, b) == call->row->core.which;
    if ((a->kind == b->kind && !x == !y) || a->kind == LW_CALC_NONE || b->kind == LW_CALC_NONE)
        return true;
    return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: %s cannot be compared with %s%s",
                        call->row->base.name, lw_calc_kind_name(a), lw_calc_kind_name(b),
                        linear ? ": write .linear() after the layout of CuTe" : "");
}

/* ---- Column actions ---- */

static LW_CALC_RUN(make_action)
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

static LW_CALC_RUN(permute)
{
    return act(out, call, call->args[1].as.columns, call->args[1].count);
}

static LW_CALC_RUN(drop)
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

static LW_CALC_RUN(for_divide)
{
    bool left = !call->args[1].given || call->args[1].value->as.truth;
    return lw_action_for_divide(&out->as.action, self_of(call), layout_of(call, 0), left,
                                call->work.err);
}

static LW_CALC_RUN(remove_broadcast)
{
    return lw_action_remove_broadcast(&out->as.action, self_of(call), call->work.err);
}

static LW_CALC_RUN(apply_action)
{
    return lw_action_apply(&out->as.layout, &call->self->as.action, layout_of(call, 0),
                           call->work.err);
}

static LW_CALC_RUN(inverse)
{
    return lw_action_inverse(&out->as.action, &call->self->as.action, call->work.err);
}

static LW_CALC_RUN(left_compose)
{
    return lw_action_left_compose(&out->as.action, &call->self->as.action,
                                  &call->args[0].value->as.action, call->work.err);
}

static LW_CALC_RUN(is_identity)
{
    out->as.truth = lw_action_is_identity(&call->self->as.action);
    return true;
}

/* ---- Rows ---- */

/* clang-format off */

#define ONE(function) WITH(0, LAYOUT, run_one, of_one, function)
#define TWO(function) WITH(0, LAYOUT, run_two, of_two, function)
#define OF_DIM(function) WITH(0, LAYOUT, run_of_dim, of_dim, function)
#define RESIZE(function) WITH(0, LAYOUT, run_resize, resize, function)
#define RENAME(function) WITH(0, LAYOUT, run_rename, rename, function)
#define QUESTION(function) WITH(0, TRUTH, run_question, question, function)
#define QUESTION_OF_DIMS(function) WITH(0, TRUTH, run_question_of_dims, question_of_dims, function)

/* Source: LinearLayout.h and LayoutUtils.h of Triton 3.7. */
static const struct lw_calc_row rows[] = {
    {{"*", NULL, "A * B", OPERATOR,
     "the product: A has the low bits of the dims that both have"}, {LAYOUT},
     PAIRS, LW_CALC_PAIR_PRODUCT, LW_CALC_LAYOUT, run_two, {.of_two = lw_layout_product}},
    {{"==", NULL, "A == B", OPERATOR,
     "equal, including sizes and order of dims"}, {ANY}, WHICH(0, TRUTH, equal, 1)},
    {{"!=", NULL, "A != B", OPERATOR, "not equal"}, {ANY}, WHICH(0, TRUTH, equal, 0)},
    {{"identity1D", NULL, "identity1D(size, in, out)", FUNCTION,
     "L(x) = x"}, {NUMBER, DIM, DIM}, RUN(0, LAYOUT, identity)},
    {{"strided1D", NULL, "strided1D(size, stride, in, out)", FUNCTION,
     "L(x) = stride x"}, {NUMBER, NUMBER, DIM, DIM}, RUN(0, LAYOUT, strided)},
    {{"zeros1D", NULL, "zeros1D(size, in, out[, outSize])", FUNCTION,
     "L(x) = 0"}, {NUMBER, DIM, DIM, NUMBER}, RUN(0, LAYOUT, zeros)},
    {{"empty", NULL, "empty()", FUNCTION,
     "no dims: the neutral element of the product"}, {NOTHING}, RUN(0, LAYOUT, empty)},
    {{"fromBases", NULL, "fromBases(bases, outs)", FUNCTION,
     "a layout from its bases, {lane: [[1, 0], [0, 2]]}; the sizes of [dim0, dim1] are inferred, those of "
     "[[dim0, 2], [dim1, 4]] given"},
     {BASES, OUTS}, RUN(0, LAYOUT, from_bases)},
    {{"columnAction", NULL, "columnAction(columns, dim, bits)", FUNCTION,
     "puts the bases of a dim into that order and drops those that are not listed"},
     {COLUMNS, DIM, NUMBER}, RUN(0, ACTION, make_action)},
    {{"compose", NULL, "A.compose(B)", OF_LAYOUT,
     "B after A: x goes to B(A(x))"}, {LAYOUT}, TWO(lw_layout_compose)},
    {{"invert", NULL, "A.invert()", OF_LAYOUT,
     "the inverse of a square layout of full rank"}, {NOTHING}, ONE(lw_layout_invert)},
    {{"pseudoinvert", NULL, "A.pseudoinvert()", OF_LAYOUT,
     "the least input of each output of a surjective layout"}, {NOTHING}, ONE(lw_layout_pseudoinvert)},
    {{"invertAndCompose", NULL, "A.invertAndCompose(B)", OF_LAYOUT,
     "C with B(C(x)) = A(x): where B holds what A holds"},
     {LAYOUT}, RUN(0, LAYOUT, invert_and_compose)},
    {{"divideLeft", NULL, "A.divideLeft(B)", OF_LAYOUT,
     "C with B * C = A, or none"}, {LAYOUT}, TWO(lw_layout_divide_left)},
    {{"divideRight", NULL, "A.divideRight(B)", OF_LAYOUT,
     "C with C * B = A, or none"}, {LAYOUT}, TWO(lw_layout_divide_right)},
    {{"quotient", NULL, "A.quotient(dims)", OF_LAYOUT,
     "A without dims that it is trivial over, or none"}, {DIMS}, RUN(0, LAYOUT, quotient)},
    {{"transposeIns", NULL, "A.transposeIns(dims)", OF_LAYOUT,
     "the in-dims in that order"}, {DIMS_IN}, WITH(0, LAYOUT, transpose, transpose, lw_layout_transpose_ins)},
    {{"transposeOuts", NULL, "A.transposeOuts(dims)", OF_LAYOUT,
     "the out-dims in that order"}, {DIMS_OUT}, WITH(0, LAYOUT, transpose, transpose, lw_layout_transpose_outs)},
    {{"reshapeIns", NULL, "A.reshapeIns(sizes)", OF_LAYOUT,
     "other in-dims: [[register, 4], [lane, 8]] or {register: 4, lane: 8}"}, 
     {SIZES}, WITH(0, LAYOUT, reshape, reshape, lw_layout_reshape_ins)},
    {{"reshapeOuts", NULL, "A.reshapeOuts(sizes)", OF_LAYOUT,
     "other out-dims"}, {SIZES}, WITH(0, LAYOUT, reshape, reshape, lw_layout_reshape_outs)},
    {{"flattenIns", NULL, "A.flattenIns()", OF_LAYOUT,
     "one in-dim, of the first one's name"}, {NOTHING}, ONE(lw_layout_flatten_ins)},
    {{"flattenOuts", NULL, "A.flattenOuts()", OF_LAYOUT,
     "one out-dim, of the first one's name"}, {NOTHING}, ONE(lw_layout_flatten_outs)},
    {{"concatIns", NULL, "A.concatIns(B)", OF_LAYOUT,
     "the in-dims of A and then of B, to the out-dims of both"}, {LAYOUT}, TWO(lw_layout_concat_ins)},
    {{"concatOuts", NULL, "A.concatOuts(B)", OF_LAYOUT,
     "the in-dims of both, to the out-dims of A and then of B"}, {LAYOUT}, TWO(lw_layout_concat_outs)},
    {{"sublayout", NULL, "A.sublayout(ins, outs)", OF_LAYOUT,
     "only those dims; the other inputs are 0"}, {DIMS_IN, DIMS_OUT}, RUN(0, LAYOUT, sublayout)},
    {{"resizeInDim", NULL, "A.resizeInDim(dim, size)", OF_LAYOUT,
     "a smaller in-dim, without its last bases"}, {DIM_IN, NUMBER}, RESIZE(lw_layout_resize_in)},
    {{"resizeOutDim", NULL, "A.resizeOutDim(dim, size)", OF_LAYOUT,
     "a smaller out-dim: bases that are too large become 0"}, {DIM_OUT, NUMBER}, RESIZE(lw_layout_resize_out)},
    {{"renameInDim", NULL, "A.renameInDim(dim, name)", OF_LAYOUT,
     "a new name; the dim becomes the last"}, {DIM_IN, DIM}, RENAME(lw_layout_rename_in)},
    {{"renameOutDim", NULL, "A.renameOutDim(dim, name)", OF_LAYOUT,
     "a new name; the order of dims is unchanged"}, {DIM_OUT, DIM}, RENAME(lw_layout_rename_out)},
    {{"removeZeroBasesAlongDim", NULL, "A.removeZeroBasesAlongDim(dim)", OF_LAYOUT,
     "drops the bases of an in-dim that are 0"}, {DIM_IN}, OF_DIM(lw_layout_remove_zeros)},
    {{"unsqueezeIn", NULL, "A.unsqueezeIn(dim)", OF_LAYOUT,
     "drops an in-dim of size 1"}, {DIM_IN}, OF_DIM(lw_layout_unsqueeze_in)},
    {{"unsqueezeOut", NULL, "A.unsqueezeOut(dim)", OF_LAYOUT,
     "drops an out-dim of size 1"}, {DIM_OUT}, OF_DIM(lw_layout_unsqueeze_out)},
    {{"zerosLike", NULL, "A.zerosLike()", OF_LAYOUT,
     "the same dims, every basis 0"}, {NOTHING}, RUN(0, LAYOUT, zeros_like)},
    {{"permute", NULL, "A.permute(dim, columns)", OF_LAYOUT,
     "the bases of an in-dim in that order, those not listed left out"}, {DIM_IN, COLUMNS}, RUN(0, LAYOUT, permute)},
    {{"drop", NULL, "A.drop(dim, columns)", OF_LAYOUT,
     "an in-dim without those bases"}, {DIM_IN, COLUMNS}, RUN(0, LAYOUT, drop)},
    {{"apply", NULL, "A.apply(point)", OF_LAYOUT,
     "the image of a point, register=3, lane=5; other dims are 0"}, {POINT}, RUN(0, POINT, apply)},
    {{"getBasis", NULL, "A.getBasis(dim, i)", OF_LAYOUT,
     "the image of bit i of an in-dim"}, {DIM_IN, NUMBER}, RUN(0, POINT, basis)},
    {{"getInDims", NULL, "A.getInDims()", OF_LAYOUT,
     "the in-dims and their sizes"}, {NOTHING}, WHICH(0, DIMS, dims, 0)},
    {{"getOutDims", NULL, "A.getOutDims()", OF_LAYOUT,
     "the out-dims and their sizes"}, {NOTHING}, WHICH(0, DIMS, dims, 1)},
    {{"getInDimSize", NULL, "A.getInDimSize(dim)", OF_LAYOUT,
     "the size of an in-dim"}, {DIM_IN}, WHICH(0, TREE, dim_size, 0)},
    {{"getOutDimSize", NULL, "A.getOutDimSize(dim)", OF_LAYOUT,
     "the size of an out-dim"}, {DIM_OUT}, WHICH(0, TREE, dim_size, 1)},
    {{"isSurjective", NULL, "A.isSurjective()", OF_LAYOUT,
     "is every output reached?"}, {NOTHING}, QUESTION(lw_layout_is_surjective)},
    {{"isInjective", NULL, "A.isInjective()", OF_LAYOUT,
     "does every input have its own output?"}, {NOTHING}, QUESTION(lw_layout_is_injective)},
    {{"isInvertible", NULL, "A.isInvertible()", OF_LAYOUT,
     "both"}, {NOTHING}, QUESTION(lw_layout_is_invertible)},
    {{"isTrivialOver", NULL, "A.isTrivialOver(dims)", OF_LAYOUT,
     "the identity on those dims, apart from all others?"}, {DIMS}, QUESTION_OF_DIMS(lw_layout_is_trivial_over)},
    {{"squareSublayoutIsIdentity", NULL, "A.squareSublayoutIsIdentity(dims)", OF_LAYOUT,
     "the identity from those dims to themselves?"}, {DIMS}, QUESTION_OF_DIMS(lw_layout_square_is_identity)},
    {{"sublayoutIsZero", NULL, "A.sublayoutIsZero(ins, outs)", OF_LAYOUT,
     "are those outputs independent of those inputs?"}, {DIMS_IN, DIMS_OUT}, RUN(0, TRUTH, sublayout_is_zero)},
    {{"equalIgnoringOutDimSizes", NULL, "A.equalIgnoringOutDimSizes(B)", OF_LAYOUT,
     "equal but for the sizes of the out-dims"}, {LAYOUT}, RUN(0, TRUTH, equal_but_sizes)},
    {{"getNumConsecutiveInOut", NULL, "A.getNumConsecutiveInOut()", OF_LAYOUT,
     "the number of first inputs that go to consecutive outputs"}, {NOTHING}, RUN(0, TREE, consecutive)},
    {{"getFreeVariableMasks", NULL, "A.getFreeVariableMasks()", OF_LAYOUT,
     "for each in-dim the bits that can stay 0 and still reach every output"}, {NOTHING}, RUN(0, POINT, free_masks)},
    {{"rank", NULL, "A.rank()", OF_LAYOUT, "the rank of the matrix"}, {NOTHING}, RUN(0, TREE, rank)},
    {{"kernel", NULL, "A.kernel()", OF_LAYOUT,
     "a basis of the inputs that go to 0"}, {NOTHING}, WHICH(0, POINTS, null_space, 0)},
    {{"image", NULL, "A.image()", OF_LAYOUT,
     "a basis of the outputs that are reached"}, {NOTHING}, WHICH(0, POINTS, null_space, 1)},
    {{"linear", NULL, "A.linear()", OF_LAYOUT,
     "A as a linear layout, for layouts of every system"}, {NOTHING}, RUN(0, LAYOUT, itself)},
    {{"getMatrix", "getMatrixView", "A.getMatrix()", OF_LAYOUT,
     "the matrix over F2: a column for each input bit"}, {NOTHING}, RUN(0, MATRIX, matrix)},
    {{"regPermForDivide", NULL, "A.regPermForDivide(B[, left])", OF_LAYOUT,
     "the order of registers in which divideLeft(A, B) may be possible, or divideRight with false"},
     {LAYOUT, TRUTH}, RUN(0, ACTION, for_divide)},
    {{"actionRemoveBroadcastedRegs", NULL, "A.actionRemoveBroadcastedRegs()", OF_LAYOUT,
     "the action that drops registers whose basis is 0"}, {NOTHING}, RUN(0, ACTION, remove_broadcast)},
    {{"apply", NULL, "P.apply(A)", OF_ACTION,
     "the layout with its columns permuted by the action"}, {LAYOUT}, RUN(0, LAYOUT, apply_action)},
    {{"inverse", NULL, "P.inverse()", OF_ACTION,
     "the action that undoes this one"}, {NOTHING}, RUN(0, ACTION, inverse)},
    {{"leftCompose", NULL, "P.leftCompose(Q)", OF_ACTION,
     "first P, then Q"}, {ACTION}, RUN(0, ACTION, left_compose)},
    {{"isIdentity", NULL, "P.isIdentity()", OF_ACTION,
     "does it change nothing?"}, {NOTHING}, RUN(0, TRUTH, is_identity)},
};
/* clang-format on */

const struct lw_calc_row *lw_calc_linear_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
