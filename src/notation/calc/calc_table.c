/* The operations of the calculator: one table. Source: LinearLayout.h and LayoutUtils.h of Triton
 * 3.7, and of those on layouts of CuTe the headers of CUTLASS 4, whose names these are. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

/* clang-format off */

/* Parameters, as the rows below have them. */
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
#define CUTE(name) {name, LW_CALC_PARAM_CUTE, LW_CALC_FREE, false}
#define TILER(name) {name, LW_CALC_PARAM_TILER, LW_CALC_FREE, false}
#define TUPLE(name) {name, LW_CALC_PARAM_TUPLE, LW_CALC_FREE, false}
#define COORDINATE(name) {name, LW_CALC_PARAM_COORDINATE, LW_CALC_FREE, false}
#define VALUE(name) {name, LW_CALC_PARAM_VALUE, LW_CALC_FREE, false}
#define MAYBE_VALUE(name) {name, LW_CALC_PARAM_VALUE, LW_CALC_FREE, true}
#define MAYBE_CUTE(name) {name, LW_CALC_PARAM_CUTE, LW_CALC_FREE, true}
#define MAYBE_TILER(name) {name, LW_CALC_PARAM_TILER, LW_CALC_FREE, true}
#define MAYBE_COORDINATE(name) {name, LW_CALC_PARAM_COORDINATE, LW_CALC_FREE, true}
#define ATOM(name) {name, LW_CALC_PARAM_ATOM, LW_CALC_FREE, false}
#define MMA(name) {name, LW_CALC_PARAM_MMA, LW_CALC_FREE, false}
#define COPY(name) {name, LW_CALC_PARAM_COPY, LW_CALC_FREE, false}
#define MAYBE_TUPLE(name) {name, LW_CALC_PARAM_TUPLE, LW_CALC_FREE, true}
#define REST(name) {name, LW_CALC_PARAM_REST, LW_CALC_FREE, false}
#define WORD(name) {name, LW_CALC_PARAM_WORD, LW_CALC_FREE, false}
#define MAYBE_WORD(name) {name, LW_CALC_PARAM_WORD, LW_CALC_FREE, true}
#define NOTHING {NULL, LW_CALC_PARAM_END, LW_CALC_FREE, false}

/* The kind of value that a row is of, and whether it computes with strides that are coordinates. */
#define OPERATOR LW_CALC_OPERATOR, LW_CALC_COORDS_NONE
#define FUNCTION LW_CALC_FUNCTION, LW_CALC_COORDS_NONE
#define OF_LAYOUT LW_CALC_OF_LAYOUT, LW_CALC_COORDS_NONE
#define OF_ACTION LW_CALC_OF_ACTION, LW_CALC_COORDS_NONE
#define OF_CUTE LW_CALC_OF_CUTE, LW_CALC_COORDS_NONE
#define OF_COORDS LW_CALC_OF_CUTE, LW_CALC_COORDS_TAKEN
#define OF_PART LW_CALC_OF_CUTE, LW_CALC_COORDS_PART
#define OF_TUPLE LW_CALC_OF_TUPLE, LW_CALC_COORDS_TAKEN
#define OF_MMA LW_CALC_OF_MMA, LW_CALC_COORDS_TAKEN
#define OF_COPY LW_CALC_OF_COPY, LW_CALC_COORDS_TAKEN

/* The function that a row computes with: one of the library, or one here that serves several rows. */
#define ONE(function) LW_CALC_LAYOUT, lw_calc_run_one, {.of_one = function}
#define TWO(function) LW_CALC_LAYOUT, lw_calc_run_two, {.of_two = function}
#define OF_DIM(function) LW_CALC_LAYOUT, lw_calc_run_of_dim, {.of_dim = function}
#define RESIZE(function) LW_CALC_LAYOUT, lw_calc_run_resize, {.resize = function}
#define RENAME(function) LW_CALC_LAYOUT, lw_calc_run_rename, {.rename = function}
#define QUESTION(function) LW_CALC_TRUTH, lw_calc_run_question, {.question = function}
#define QUESTION_OF_DIMS(function) \
    LW_CALC_TRUTH, lw_calc_run_question_of_dims, {.question_of_dims = function}
#define CUTE_NUMBER(function) LW_CALC_NUMBER, lw_calc_run_cute_number, {.cute_number = function}
#define CUTE_SHAPE(function) LW_CALC_NUMBER, lw_calc_run_cute_shape, {.cute_shape = function}
#define CUTE_ONE(function) LW_CALC_CUTE, lw_calc_run_cute_one, {.cute_one = function}
#define CUTE_TWO(function) LW_CALC_CUTE, lw_calc_run_cute_two, {.cute_two = function}
#define CUTE_PROFILE(function) LW_CALC_CUTE, lw_calc_run_cute_profile, {.cute_profile = function}
#define CUTE_INVERSE(function) LW_CALC_CUTE, lw_calc_run_cute_inverse, {.cute_one = function}
#define TILES(function, how) LW_CALC_CUTE, lw_calc_run_cute_tiles, {.tile = {function, LW_CUTE_##how}}
#define SHAPE_QUESTION(function) LW_CALC_TRUTH, lw_calc_run_compare_shapes, {.shape_question = function}
#define SHAPE_ONE(function) LW_CALC_TUPLE, lw_calc_run_shape_one, {.shape_one = function}
#define SHAPE_TWO(function) LW_CALC_TUPLE, lw_calc_run_shape_two, {.shape_two = function}
#define EITHER(kind, name, which) LW_CALC_##kind, lw_calc_run_##name, {.flag = which}
#define RUN(kind, name) LW_CALC_##kind, lw_calc_run_##name, {0}
#define WHICH(kind, name, number) LW_CALC_##kind, lw_calc_run_##name, {.which = number}

/* A row for each operand of a tiled MMA, M.partition_A(tensor), and for each side of a tiled copy, whose
 * parameter is `param`, of the kind `given`; of the kind END there is none, and it is "". */
#define OPERAND(before, x, after, also, given, param, help, kind, name) \
    {before #x after, also, "M." before #x after "(" param ")", OF_MMA, \
     {{param, LW_CALC_PARAM_##given, LW_CALC_FREE, false}}, help, WHICH(kind, name, LW_CUTE_##x)}
#define OPERANDS(before, after, given, param, help, kind, name) \
    OPERAND(before, A, after, NULL, given, param, help, kind, name), \
    OPERAND(before, B, after, NULL, given, param, "the same of B", kind, name), \
    OPERAND(before, C, after, NULL, given, param, "the same of C", kind, name)
#define SIDE(before, x, after, also, given, param, help, kind, name, side) \
    {before x after, also, "T." before x after "(" param ")", OF_COPY, \
     {{param, LW_CALC_PARAM_##given, LW_CALC_FREE, false}}, help, WHICH(kind, name, side)}
#define SIDES(before, after, also_s, also_d, given, param, help, kind, name) \
    SIDE(before, "S", after, also_s, given, param, help, kind, name, LW_CUTE_SOURCE), \
    SIDE(before, "D", after, also_d, given, param, "the same of the destination", kind, name, \
         LW_CUTE_DESTINATION)

static const struct lw_calc_operation operations[] = {
    {"*", NULL, "A * B", OPERATOR, {LAYOUT("B")},
     "the product: A has the low bits of the dims that both have", TWO(lw_layout_product)},
    {"==", NULL, "A == B", OPERATOR, {ANY("B")},
     "equal, including sizes and order of dims", EITHER(TRUTH, equal, true)},
    {"!=", NULL, "A != B", OPERATOR, {ANY("B")},
     "not equal", EITHER(TRUTH, equal, false)},

    {"identity1D", NULL, "identity1D(size, in, out)", FUNCTION,
     {NUMBER("size"), DIM("in", FREE), DIM("out", FREE)},
     "L(x) = x", RUN(LAYOUT, identity)},
    {"strided1D", NULL, "strided1D(size, stride, in, out)", FUNCTION,
     {NUMBER("size"), NUMBER("stride"), DIM("in", FREE), DIM("out", FREE)},
     "L(x) = stride x", RUN(LAYOUT, strided)},
    {"zeros1D", NULL, "zeros1D(size, in, out[, outSize])", FUNCTION,
     {NUMBER("size"), DIM("in", FREE), DIM("out", FREE), MAYBE_NUMBER("outSize")},
     "L(x) = 0", RUN(LAYOUT, zeros)},
    {"empty", NULL, "empty()", FUNCTION, {NOTHING},
     "no dims: the neutral element of the product", RUN(LAYOUT, empty)},
    {"fromBases", NULL, "fromBases(bases, outs)", FUNCTION, {BASES("bases"), OUTS("outs")},
     "a layout from its bases, {lane: [[1, 0], [0, 2]]}; the sizes of [dim0, dim1] are "
     "inferred, those of [[dim0, 2], [dim1, 4]] given",
     RUN(LAYOUT, from_bases)},
    {"columnAction", NULL, "columnAction(columns, dim, bits)", FUNCTION,
     {COLUMNS("columns"), DIM("dim", FREE), NUMBER("bits")},
     "puts the bases of a dim into that order and drops those that are not listed",
     RUN(ACTION, action)},

    {"compose", NULL, "A.compose(B)", OF_LAYOUT, {LAYOUT("B")},
     "B after A: x goes to B(A(x))", TWO(lw_layout_compose)},
    {"invert", NULL, "A.invert()", OF_LAYOUT, {NOTHING},
     "the inverse of a square layout of full rank", ONE(lw_layout_invert)},
    {"pseudoinvert", NULL, "A.pseudoinvert()", OF_LAYOUT, {NOTHING},
     "the least input of each output of a surjective layout", ONE(lw_layout_pseudoinvert)},
    {"invertAndCompose", NULL, "A.invertAndCompose(B)", OF_LAYOUT, {LAYOUT("B")},
     "C with B(C(x)) = A(x): where B holds what A holds", LW_CALC_LAYOUT, lw_calc_run_invert_and_compose, {0}},
    {"divideLeft", NULL, "A.divideLeft(B)", OF_LAYOUT, {LAYOUT("B")},
     "C with B * C = A, or none", TWO(lw_layout_divide_left)},
    {"divideRight", NULL, "A.divideRight(B)", OF_LAYOUT, {LAYOUT("B")},
     "C with C * B = A, or none", TWO(lw_layout_divide_right)},
    {"quotient", NULL, "A.quotient(dims)", OF_LAYOUT, {DIMS("dims", FREE)},
     "A without dims that it is trivial over, or none", RUN(LAYOUT, quotient)},

    {"transposeIns", NULL, "A.transposeIns(dims)", OF_LAYOUT, {DIMS("dims", IN)},
     "the in-dims in that order", EITHER(LAYOUT, transpose, false)},
    {"transposeOuts", NULL, "A.transposeOuts(dims)", OF_LAYOUT, {DIMS("dims", OUT)},
     "the out-dims in that order", EITHER(LAYOUT, transpose, true)},
    {"reshapeIns", NULL, "A.reshapeIns(sizes)", OF_LAYOUT, {SIZES("sizes")},
     "other in-dims: [[register, 4], [lane, 8]] or {register: 4, lane: 8}",
     EITHER(LAYOUT, reshape, false)},
    {"reshapeOuts", NULL, "A.reshapeOuts(sizes)", OF_LAYOUT, {SIZES("sizes")},
     "other out-dims", EITHER(LAYOUT, reshape, true)},
    {"flattenIns", NULL, "A.flattenIns()", OF_LAYOUT, {NOTHING},
     "one in-dim, of the first one's name", ONE(lw_layout_flatten_ins)},
    {"flattenOuts", NULL, "A.flattenOuts()", OF_LAYOUT, {NOTHING},
     "one out-dim, of the first one's name", ONE(lw_layout_flatten_outs)},
    {"concatIns", NULL, "A.concatIns(B)", OF_LAYOUT, {LAYOUT("B")},
     "the in-dims of A and then of B, to the out-dims of both", TWO(lw_layout_concat_ins)},
    {"concatOuts", NULL, "A.concatOuts(B)", OF_LAYOUT, {LAYOUT("B")},
     "the in-dims of both, to the out-dims of A and then of B", TWO(lw_layout_concat_outs)},
    {"sublayout", NULL, "A.sublayout(ins, outs)", OF_LAYOUT,
     {DIMS("ins", IN), DIMS("outs", OUT)},
     "only those dims; the other inputs are 0", RUN(LAYOUT, sublayout)},
    {"resizeInDim", NULL, "A.resizeInDim(dim, size)", OF_LAYOUT,
     {DIM("dim", IN), NUMBER("size")},
     "a smaller in-dim, without its last bases", RESIZE(lw_layout_resize_in)},
    {"resizeOutDim", NULL, "A.resizeOutDim(dim, size)", OF_LAYOUT,
     {DIM("dim", OUT), NUMBER("size")},
     "a smaller out-dim: bases that are too large become 0", RESIZE(lw_layout_resize_out)},
    {"renameInDim", NULL, "A.renameInDim(dim, name)", OF_LAYOUT,
     {DIM("dim", IN), DIM("name", FREE)},
     "a new name; the dim becomes the last", RENAME(lw_layout_rename_in)},
    {"renameOutDim", NULL, "A.renameOutDim(dim, name)", OF_LAYOUT,
     {DIM("dim", OUT), DIM("name", FREE)},
     "a new name; the order of dims is unchanged", RENAME(lw_layout_rename_out)},
    {"removeZeroBasesAlongDim", NULL, "A.removeZeroBasesAlongDim(dim)", OF_LAYOUT,
     {DIM("dim", IN)},
     "drops the bases of an in-dim that are 0", OF_DIM(lw_layout_remove_zeros)},
    {"unsqueezeIn", NULL, "A.unsqueezeIn(dim)", OF_LAYOUT, {DIM("dim", IN)},
     "drops an in-dim of size 1", OF_DIM(lw_layout_unsqueeze_in)},
    {"unsqueezeOut", NULL, "A.unsqueezeOut(dim)", OF_LAYOUT, {DIM("dim", OUT)},
     "drops an out-dim of size 1", OF_DIM(lw_layout_unsqueeze_out)},
    {"zerosLike", NULL, "A.zerosLike()", OF_LAYOUT, {NOTHING},
     "the same dims, every basis 0", RUN(LAYOUT, zeros_like)},
    {"permute", NULL, "A.permute(dim, columns)", OF_LAYOUT,
     {DIM("dim", IN), COLUMNS("columns")},
     "the bases of an in-dim in that order, those not listed left out", RUN(LAYOUT, permute)},
    {"drop", NULL, "A.drop(dim, columns)", OF_LAYOUT, {DIM("dim", IN), COLUMNS("columns")},
     "an in-dim without those bases", RUN(LAYOUT, drop)},

    {"apply", NULL, "A.apply(point)", OF_LAYOUT, {POINT("point")},
     "the image of a point, register=3, lane=5; other dims are 0", RUN(POINT, apply)},
    {"getBasis", NULL, "A.getBasis(dim, i)", OF_LAYOUT, {DIM("dim", IN), NUMBER("i")},
     "the image of bit i of an in-dim", RUN(POINT, basis)},
    {"getInDims", NULL, "A.getInDims()", OF_LAYOUT, {NOTHING},
     "the in-dims and their sizes", EITHER(DIMS, dims, false)},
    {"getOutDims", NULL, "A.getOutDims()", OF_LAYOUT, {NOTHING},
     "the out-dims and their sizes", EITHER(DIMS, dims, true)},
    {"getInDimSize", NULL, "A.getInDimSize(dim)", OF_LAYOUT, {DIM("dim", IN)},
     "the size of an in-dim", EITHER(NUMBER, dim_size, false)},
    {"getOutDimSize", NULL, "A.getOutDimSize(dim)", OF_LAYOUT, {DIM("dim", OUT)},
     "the size of an out-dim", EITHER(NUMBER, dim_size, true)},
    {"isSurjective", NULL, "A.isSurjective()", OF_LAYOUT, {NOTHING},
     "is every output reached?", QUESTION(lw_layout_is_surjective)},
    {"isInjective", NULL, "A.isInjective()", OF_LAYOUT, {NOTHING},
     "does every input have its own output?", QUESTION(lw_layout_is_injective)},
    {"isInvertible", NULL, "A.isInvertible()", OF_LAYOUT, {NOTHING},
     "both", QUESTION(lw_layout_is_invertible)},
    {"isTrivialOver", NULL, "A.isTrivialOver(dims)", OF_LAYOUT, {DIMS("dims", FREE)},
     "the identity on those dims, apart from all others?", QUESTION_OF_DIMS(lw_layout_is_trivial_over)},
    {"squareSublayoutIsIdentity", NULL, "A.squareSublayoutIsIdentity(dims)", OF_LAYOUT,
     {DIMS("dims", FREE)},
     "the identity from those dims to themselves?", QUESTION_OF_DIMS(lw_layout_square_is_identity)},
    {"sublayoutIsZero", NULL, "A.sublayoutIsZero(ins, outs)", OF_LAYOUT,
     {DIMS("ins", IN), DIMS("outs", OUT)},
     "are those outputs independent of those inputs?", RUN(TRUTH, sublayout_is_zero)},
    {"equalIgnoringOutDimSizes", NULL, "A.equalIgnoringOutDimSizes(B)", OF_LAYOUT,
     {LAYOUT("B")},
     "equal but for the sizes of the out-dims", RUN(TRUTH, equal_but_sizes)},
    {"getNumConsecutiveInOut", NULL, "A.getNumConsecutiveInOut()", OF_LAYOUT, {NOTHING},
     "the number of first inputs that go to consecutive outputs", RUN(NUMBER, consecutive)},
    {"getFreeVariableMasks", NULL, "A.getFreeVariableMasks()", OF_LAYOUT, {NOTHING},
     "for each in-dim the bits that can stay 0 and still reach every output",
     RUN(POINT, free_masks)},
    {"rank", NULL, "A.rank()", OF_LAYOUT, {NOTHING},
     "the rank of the matrix", RUN(NUMBER, rank)},
    {"kernel", NULL, "A.kernel()", OF_LAYOUT, {NOTHING},
     "a basis of the inputs that go to 0", EITHER(POINTS, null_space, false)},
    {"image", NULL, "A.image()", OF_LAYOUT, {NOTHING},
     "a basis of the outputs that are reached", EITHER(POINTS, null_space, true)},
    {"linear", NULL, "A.linear()", OF_LAYOUT, {NOTHING},
     "A as a linear layout, for layouts of every system", RUN(LAYOUT, itself)},
    {"getMatrix", "getMatrixView", "A.getMatrix()", OF_LAYOUT, {NOTHING},
     "the matrix over F2: a column for each input bit", RUN(MATRIX, matrix)},

    {"regPermForDivide", NULL, "A.regPermForDivide(B[, left])", OF_LAYOUT,
     {LAYOUT("B"), MAYBE_TRUTH("left")},
     "the order of registers in which divideLeft(A, B) may be possible, or divideRight with false",
     RUN(ACTION, for_divide)},
    {"actionRemoveBroadcastedRegs", NULL, "A.actionRemoveBroadcastedRegs()", OF_LAYOUT,
     {NOTHING},
     "the action that drops registers whose basis is 0", RUN(ACTION, remove_broadcast)},
    {"apply", NULL, "P.apply(A)", OF_ACTION, {LAYOUT("A")},
     "the layout with its columns permuted by the action", RUN(LAYOUT, act)},
    {"inverse", NULL, "P.inverse()", OF_ACTION, {NOTHING},
     "the action that undoes this one", RUN(ACTION, inverse)},
    {"leftCompose", NULL, "P.leftCompose(Q)", OF_ACTION, {ACTION("Q")},
     "first P, then Q", RUN(ACTION, left_compose)},
    {"isIdentity", NULL, "P.isIdentity()", OF_ACTION, {NOTHING},
     "does it change nothing?", RUN(TRUTH, is_identity)},

#include "notation/calc/calc_cute_rows.h"
};
/* clang-format on */

const struct lw_calc_operation *lw_calc_operations(size_t *count)
{
    *count = sizeof operations / sizeof *operations;
    return operations;
}
