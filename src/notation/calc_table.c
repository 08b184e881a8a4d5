/* The operations of the calculator: one table. Source: LinearLayout.h and LayoutUtils.h of Triton
 * 3.7, whose names these are. */

#include "notation/calc_run.h"

/* clang-format off */

/* Parameters, as the rows below say them. */
#define LAYOUT(name) {name, LW_CALC_PARAM_LAYOUT, LW_CALC_FREE, false}
#define ACTION(name) {name, LW_CALC_PARAM_ACTION, LW_CALC_FREE, false}
#define ANY(name) {name, LW_CALC_PARAM_ANY, LW_CALC_FREE, false}
#define NUMBER(name) {name, LW_CALC_PARAM_NUMBER, LW_CALC_FREE, false}
#define MAYBE_NUMBER(name) {name, LW_CALC_PARAM_NUMBER, LW_CALC_FREE, true}
#define MAYBE_TRUTH(name) {name, LW_CALC_PARAM_TRUTH, LW_CALC_FREE, true}
#define DIM(name, side) {name, LW_CALC_PARAM_DIM, LW_CALC_##side, false}
#define DIMS(name, side) {name, LW_CALC_PARAM_DIMS, LW_CALC_##side, false}
#define SIZES(name) {name, LW_CALC_PARAM_SIZES, LW_CALC_FREE, false}
#define OUTS(name) {name, LW_CALC_PARAM_OUTS, LW_CALC_FREE, false}
#define POINT(name) {name, LW_CALC_PARAM_POINT, LW_CALC_IN, false}
#define COLUMNS(name) {name, LW_CALC_PARAM_COLUMNS, LW_CALC_FREE, false}
#define BASES(name) {name, LW_CALC_PARAM_BASES, LW_CALC_FREE, false}
#define NOTHING {NULL, LW_CALC_PARAM_END, LW_CALC_FREE, false}

static const struct lw_calc_operation operations[] = {
    {"*", NULL, "A * B", LW_CALC_OPERATOR, {LAYOUT("B")},
     "the product: A has the low bits of the dims that both have", lw_calc_run_product},
    {"==", NULL, "A == B", LW_CALC_OPERATOR, {ANY("B")},
     "equal, sizes and order of dims too", lw_calc_run_equal},
    {"!=", NULL, "A != B", LW_CALC_OPERATOR, {ANY("B")},
     "not equal", lw_calc_run_different},

    {"identity1D", NULL, "identity1D(size, in, out)", LW_CALC_FUNCTION,
     {NUMBER("size"), DIM("in", FREE), DIM("out", FREE)},
     "L(x) = x", lw_calc_run_identity},
    {"strided1D", NULL, "strided1D(size, stride, in, out)", LW_CALC_FUNCTION,
     {NUMBER("size"), NUMBER("stride"), DIM("in", FREE), DIM("out", FREE)},
     "L(x) = stride x", lw_calc_run_strided},
    {"zeros1D", NULL, "zeros1D(size, in, out[, outSize])", LW_CALC_FUNCTION,
     {NUMBER("size"), DIM("in", FREE), DIM("out", FREE), MAYBE_NUMBER("outSize")},
     "L(x) = 0", lw_calc_run_zeros},
    {"empty", NULL, "empty()", LW_CALC_FUNCTION, {NOTHING},
     "no dims: the neutral element of the product", lw_calc_run_empty},
    {"fromBases", NULL, "fromBases(bases, outs)", LW_CALC_FUNCTION, {BASES("bases"), OUTS("outs")},
     "a layout from its bases, {lane: [[1, 0], [0, 2]]}; the sizes of [dim0, dim1] are "
     "inferred, those of [[dim0, 2], [dim1, 4]] said",
     lw_calc_run_from_bases},
    {"columnAction", NULL, "columnAction(columns, dim, bits)", LW_CALC_FUNCTION,
     {COLUMNS("columns"), DIM("dim", FREE), NUMBER("bits")},
     "takes the bases of a dim in that order, leaving out those that are not listed",
     lw_calc_run_action},

    {"compose", NULL, "A.compose(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "B after A: x goes to B(A(x))", lw_calc_run_compose},
    {"invert", NULL, "A.invert()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the inverse of a square layout of full rank", lw_calc_run_invert},
    {"pseudoinvert", NULL, "A.pseudoinvert()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the least input of each output of a surjective layout", lw_calc_run_pseudoinvert},
    {"invertAndCompose", NULL, "A.invertAndCompose(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "C with B(C(x)) = A(x): where B keeps what A holds", lw_calc_run_invert_and_compose},
    {"divideLeft", NULL, "A.divideLeft(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "C with B * C = A, or none", lw_calc_run_divide_left},
    {"divideRight", NULL, "A.divideRight(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "C with C * B = A, or none", lw_calc_run_divide_right},
    {"quotient", NULL, "A.quotient(dims)", LW_CALC_OF_LAYOUT, {DIMS("dims", FREE)},
     "A without dims that it is trivial over, or none", lw_calc_run_quotient},

    {"transposeIns", NULL, "A.transposeIns(dims)", LW_CALC_OF_LAYOUT, {DIMS("dims", IN)},
     "the in-dims in that order", lw_calc_run_transpose_ins},
    {"transposeOuts", NULL, "A.transposeOuts(dims)", LW_CALC_OF_LAYOUT, {DIMS("dims", OUT)},
     "the out-dims in that order", lw_calc_run_transpose_outs},
    {"reshapeIns", NULL, "A.reshapeIns(sizes)", LW_CALC_OF_LAYOUT, {SIZES("sizes")},
     "other in-dims: [[register, 4], [lane, 8]] or {register: 4, lane: 8}",
     lw_calc_run_reshape_ins},
    {"reshapeOuts", NULL, "A.reshapeOuts(sizes)", LW_CALC_OF_LAYOUT, {SIZES("sizes")},
     "other out-dims", lw_calc_run_reshape_outs},
    {"flattenIns", NULL, "A.flattenIns()", LW_CALC_OF_LAYOUT, {NOTHING},
     "one in-dim, of the first one's name", lw_calc_run_flatten_ins},
    {"flattenOuts", NULL, "A.flattenOuts()", LW_CALC_OF_LAYOUT, {NOTHING},
     "one out-dim, of the first one's name", lw_calc_run_flatten_outs},
    {"concatIns", NULL, "A.concatIns(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "the in-dims of A and then of B, to the out-dims of both", lw_calc_run_concat_ins},
    {"concatOuts", NULL, "A.concatOuts(B)", LW_CALC_OF_LAYOUT, {LAYOUT("B")},
     "the in-dims of both, to the out-dims of A and then of B", lw_calc_run_concat_outs},
    {"sublayout", NULL, "A.sublayout(ins, outs)", LW_CALC_OF_LAYOUT,
     {DIMS("ins", IN), DIMS("outs", OUT)},
     "only those dims; the other inputs are 0", lw_calc_run_sublayout},
    {"resizeInDim", NULL, "A.resizeInDim(dim, size)", LW_CALC_OF_LAYOUT,
     {DIM("dim", IN), NUMBER("size")},
     "a smaller in-dim: its last bases go", lw_calc_run_resize_in},
    {"resizeOutDim", NULL, "A.resizeOutDim(dim, size)", LW_CALC_OF_LAYOUT,
     {DIM("dim", OUT), NUMBER("size")},
     "a smaller out-dim: numbers too large become 0", lw_calc_run_resize_out},
    {"renameInDim", NULL, "A.renameInDim(dim, name)", LW_CALC_OF_LAYOUT,
     {DIM("dim", IN), DIM("name", FREE)},
     "a new name; the dim becomes the last", lw_calc_run_rename_in},
    {"renameOutDim", NULL, "A.renameOutDim(dim, name)", LW_CALC_OF_LAYOUT,
     {DIM("dim", OUT), DIM("name", FREE)},
     "a new name; the dim keeps its place", lw_calc_run_rename_out},
    {"removeZeroBasesAlongDim", NULL, "A.removeZeroBasesAlongDim(dim)", LW_CALC_OF_LAYOUT,
     {DIM("dim", IN)},
     "drops the bases of an in-dim that are 0", lw_calc_run_remove_zeros},
    {"unsqueezeIn", "squeezeIn", "A.unsqueezeIn(dim)", LW_CALC_OF_LAYOUT, {DIM("dim", IN)},
     "drops an in-dim of size 1 (also squeezeIn)", lw_calc_run_unsqueeze_in},
    {"unsqueezeOut", "squeezeOut", "A.unsqueezeOut(dim)", LW_CALC_OF_LAYOUT, {DIM("dim", OUT)},
     "drops an out-dim of size 1 (also squeezeOut)", lw_calc_run_unsqueeze_out},
    {"zerosLike", NULL, "A.zerosLike()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the same dims, every basis 0", lw_calc_run_zeros_like},
    {"permute", NULL, "A.permute(dim, columns)", LW_CALC_OF_LAYOUT,
     {DIM("dim", IN), COLUMNS("columns")},
     "the bases of an in-dim in that order, those not listed left out", lw_calc_run_permute},
    {"drop", NULL, "A.drop(dim, columns)", LW_CALC_OF_LAYOUT, {DIM("dim", IN), COLUMNS("columns")},
     "an in-dim without those bases", lw_calc_run_drop},

    {"apply", NULL, "A.apply(point)", LW_CALC_OF_LAYOUT, {POINT("point")},
     "the image of a point, register=3, lane=5; what is not said is 0", lw_calc_run_apply},
    {"getBasis", NULL, "A.getBasis(dim, i)", LW_CALC_OF_LAYOUT, {DIM("dim", IN), NUMBER("i")},
     "the image of bit i of an in-dim", lw_calc_run_basis},
    {"getInDims", NULL, "A.getInDims()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the in-dims and their sizes", lw_calc_run_in_dims},
    {"getOutDims", NULL, "A.getOutDims()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the out-dims and their sizes", lw_calc_run_out_dims},
    {"getInDimSize", NULL, "A.getInDimSize(dim)", LW_CALC_OF_LAYOUT, {DIM("dim", IN)},
     "the size of an in-dim", lw_calc_run_in_size},
    {"getOutDimSize", NULL, "A.getOutDimSize(dim)", LW_CALC_OF_LAYOUT, {DIM("dim", OUT)},
     "the size of an out-dim", lw_calc_run_out_size},
    {"isSurjective", NULL, "A.isSurjective()", LW_CALC_OF_LAYOUT, {NOTHING},
     "is every output reached?", lw_calc_run_is_surjective},
    {"isInjective", NULL, "A.isInjective()", LW_CALC_OF_LAYOUT, {NOTHING},
     "does every input have its own output?", lw_calc_run_is_injective},
    {"isInvertible", NULL, "A.isInvertible()", LW_CALC_OF_LAYOUT, {NOTHING},
     "both", lw_calc_run_is_invertible},
    {"isTrivialOver", NULL, "A.isTrivialOver(dims)", LW_CALC_OF_LAYOUT, {DIMS("dims", FREE)},
     "the identity on those dims, apart from all others?", lw_calc_run_is_trivial},
    {"squareSublayoutIsIdentity", NULL, "A.squareSublayoutIsIdentity(dims)", LW_CALC_OF_LAYOUT,
     {DIMS("dims", FREE)},
     "the identity from those dims to themselves?", lw_calc_run_square},
    {"sublayoutIsZero", NULL, "A.sublayoutIsZero(ins, outs)", LW_CALC_OF_LAYOUT,
     {DIMS("ins", IN), DIMS("outs", OUT)},
     "do those inputs leave those outputs alone?", lw_calc_run_sublayout_is_zero},
    {"equalIgnoringOutDimSizes", NULL, "A.equalIgnoringOutDimSizes(B)", LW_CALC_OF_LAYOUT,
     {LAYOUT("B")},
     "equal but for the sizes of the out-dims", lw_calc_run_equal_but_sizes},
    {"getNumConsecutiveInOut", NULL, "A.getNumConsecutiveInOut()", LW_CALC_OF_LAYOUT, {NOTHING},
     "how many first inputs go to consecutive outputs", lw_calc_run_consecutive},
    {"getFreeVariableMasks", NULL, "A.getFreeVariableMasks()", LW_CALC_OF_LAYOUT, {NOTHING},
     "for each in-dim the bits that can stay 0 and still reach every output",
     lw_calc_run_free_masks},
    {"rank", NULL, "A.rank()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the rank of the matrix", lw_calc_run_rank},
    {"kernel", NULL, "A.kernel()", LW_CALC_OF_LAYOUT, {NOTHING},
     "a basis of the inputs that go to 0", lw_calc_run_kernel},
    {"image", NULL, "A.image()", LW_CALC_OF_LAYOUT, {NOTHING},
     "a basis of the outputs that are reached", lw_calc_run_image},
    {"getMatrix", "getMatrixView", "A.getMatrix()", LW_CALC_OF_LAYOUT, {NOTHING},
     "the matrix over F2: a column for each input bit", lw_calc_run_matrix},

    {"regPermForDivide", NULL, "A.regPermForDivide(B[, left])", LW_CALC_OF_LAYOUT,
     {LAYOUT("B"), MAYBE_TRUTH("left")},
     "the order of registers in which divideLeft(A, B) may be possible, or divideRight with false",
     lw_calc_run_for_divide},
    {"actionRemoveBroadcastedRegs", NULL, "A.actionRemoveBroadcastedRegs()", LW_CALC_OF_LAYOUT,
     {NOTHING},
     "the action that drops registers whose basis is 0", lw_calc_run_remove_broadcast},
    {"apply", NULL, "P.apply(A)", LW_CALC_OF_ACTION, {LAYOUT("A")},
     "the layout with its columns so", lw_calc_run_act},
    {"inverse", NULL, "P.inverse()", LW_CALC_OF_ACTION, {NOTHING},
     "the action that undoes this one", lw_calc_run_inverse},
    {"leftCompose", NULL, "P.leftCompose(Q)", LW_CALC_OF_ACTION, {ACTION("Q")},
     "first P, then Q", lw_calc_run_left_compose},
    {"isIdentity", NULL, "P.isIdentity()", LW_CALC_OF_ACTION, {NOTHING},
     "does it change nothing?", lw_calc_run_is_identity},
};
/* clang-format on */

const struct lw_calc_operation *lw_calc_operations(size_t *count)
{
    *count = sizeof operations / sizeof *operations;
    return operations;
}
