/* The operations of the calculator: one table. Source: LinearLayout.h and LayoutUtils.h of Triton
 * 3.7, and of those on layouts of CuTe the headers of CUTLASS 4, whose names these are. */

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
#define MAYBE_CUTE(name) {name, LW_CALC_PARAM_CUTE, LW_CALC_FREE, true}
#define MAYBE_TILER(name) {name, LW_CALC_PARAM_TILER, LW_CALC_FREE, true}
#define MAYBE_COORDINATE(name) {name, LW_CALC_PARAM_COORDINATE, LW_CALC_FREE, true}
#define ATOM(name) {name, LW_CALC_PARAM_ATOM, LW_CALC_FREE, false}
#define MMA(name) {name, LW_CALC_PARAM_MMA, LW_CALC_FREE, false}
#define COPY(name) {name, LW_CALC_PARAM_COPY, LW_CALC_FREE, false}
#define MAYBE_TUPLE(name) {name, LW_CALC_PARAM_TUPLE, LW_CALC_FREE, true}
#define REST(name) {name, LW_CALC_PARAM_REST, LW_CALC_FREE, false}
#define NOTHING {NULL, LW_CALC_PARAM_END, LW_CALC_FREE, false}

/* What a row is of, and whether it computes with strides that are coordinates. */
#define OPERATOR LW_CALC_OPERATOR, false
#define FUNCTION LW_CALC_FUNCTION, false
#define OF_LAYOUT LW_CALC_OF_LAYOUT, false
#define OF_ACTION LW_CALC_OF_ACTION, false
#define OF_CUTE LW_CALC_OF_CUTE, false
#define OF_COORDS LW_CALC_OF_CUTE, true
#define OF_MMA LW_CALC_OF_MMA, true
#define OF_COPY LW_CALC_OF_COPY, true

/* What a row computes with: one function of the library, or a separate function that does two things. */
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
#define CUTE_PROFILE(function) LW_CALC_CUTE, lw_calc_run_cute_profile, {.cute_profile = function}
#define CUTE_INVERSE(function) LW_CALC_CUTE, lw_calc_run_cute_inverse, {.cute_one = function}
#define TILES(function, how) LW_CALC_CUTE, lw_calc_run_cute_tiles, {.tile = {function, LW_CUTE_##how}}
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
     "equal, sizes and order of dims too", EITHER(TRUTH, equal, true)},
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
     "takes the bases of a dim in that order, leaving out those that are not listed",
     RUN(ACTION, action)},

    {"compose", NULL, "A.compose(B)", OF_LAYOUT, {LAYOUT("B")},
     "B after A: x goes to B(A(x))", TWO(lw_layout_compose)},
    {"invert", NULL, "A.invert()", OF_LAYOUT, {NOTHING},
     "the inverse of a square layout of full rank", ONE(lw_layout_invert)},
    {"pseudoinvert", NULL, "A.pseudoinvert()", OF_LAYOUT, {NOTHING},
     "the least input of each output of a surjective layout", ONE(lw_layout_pseudoinvert)},
    {"invertAndCompose", NULL, "A.invertAndCompose(B)", OF_LAYOUT, {LAYOUT("B")},
     "C with B(C(x)) = A(x): where B keeps what A holds", LW_CALC_LAYOUT, lw_calc_run_invert_and_compose, {0}},
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
     "a smaller in-dim: its last bases go", RESIZE(lw_layout_resize_in)},
    {"resizeOutDim", NULL, "A.resizeOutDim(dim, size)", OF_LAYOUT,
     {DIM("dim", OUT), NUMBER("size")},
     "a smaller out-dim: numbers too large become 0", RESIZE(lw_layout_resize_out)},
    {"renameInDim", NULL, "A.renameInDim(dim, name)", OF_LAYOUT,
     {DIM("dim", IN), DIM("name", FREE)},
     "a new name; the dim becomes the last", RENAME(lw_layout_rename_in)},
    {"renameOutDim", NULL, "A.renameOutDim(dim, name)", OF_LAYOUT,
     {DIM("dim", OUT), DIM("name", FREE)},
     "a new name; the order of dims is unchanged", RENAME(lw_layout_rename_out)},
    {"removeZeroBasesAlongDim", NULL, "A.removeZeroBasesAlongDim(dim)", OF_LAYOUT,
     {DIM("dim", IN)},
     "drops the bases of an in-dim that are 0", OF_DIM(lw_layout_remove_zeros)},
    {"unsqueezeIn", "squeezeIn", "A.unsqueezeIn(dim)", OF_LAYOUT, {DIM("dim", IN)},
     "drops an in-dim of size 1 (also squeezeIn)", OF_DIM(lw_layout_unsqueeze_in)},
    {"unsqueezeOut", "squeezeOut", "A.unsqueezeOut(dim)", OF_LAYOUT, {DIM("dim", OUT)},
     "drops an out-dim of size 1 (also squeezeOut)", OF_DIM(lw_layout_unsqueeze_out)},
    {"zerosLike", NULL, "A.zerosLike()", OF_LAYOUT, {NOTHING},
     "the same dims, every basis 0", RUN(LAYOUT, zeros_like)},
    {"permute", NULL, "A.permute(dim, columns)", OF_LAYOUT,
     {DIM("dim", IN), COLUMNS("columns")},
     "the bases of an in-dim in that order, those not listed left out", RUN(LAYOUT, permute)},
    {"drop", NULL, "A.drop(dim, columns)", OF_LAYOUT, {DIM("dim", IN), COLUMNS("columns")},
     "an in-dim without those bases", RUN(LAYOUT, drop)},

    {"apply", NULL, "A.apply(point)", OF_LAYOUT, {POINT("point")},
     "the image of a point, register=3, lane=5; what is not given is 0", RUN(POINT, apply)},
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
     "do those inputs leave those outputs alone?", RUN(TRUTH, sublayout_is_zero)},
    {"equalIgnoringOutDimSizes", NULL, "A.equalIgnoringOutDimSizes(B)", OF_LAYOUT,
     {LAYOUT("B")},
     "equal but for the sizes of the out-dims", RUN(TRUTH, equal_but_sizes)},
    {"getNumConsecutiveInOut", NULL, "A.getNumConsecutiveInOut()", OF_LAYOUT, {NOTHING},
     "how many first inputs go to consecutive outputs", RUN(NUMBER, consecutive)},
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
     "the layout with its columns so", RUN(LAYOUT, act)},
    {"inverse", NULL, "P.inverse()", OF_ACTION, {NOTHING},
     "the action that undoes this one", RUN(ACTION, inverse)},
    {"leftCompose", NULL, "P.leftCompose(Q)", OF_ACTION, {ACTION("Q")},
     "first P, then Q", RUN(ACTION, left_compose)},
    {"isIdentity", NULL, "P.isIdentity()", OF_ACTION, {NOTHING},
     "does it change nothing?", RUN(TRUTH, is_identity)},

    {"make_layout", "Layout", "make_layout(shape[, stride])", FUNCTION,
     {REST("shape[, stride]")},
     "a layout of CuTe; without strides a compact one, with LayoutRight{} the other way; of "
     "layouts, each one mode",
     RUN(CUTE, make_layout)},
    {"make_identity_layout", "make_identity_tensor", "make_identity_layout(shape)",
     FUNCTION, {TUPLE("shape")},
     "each coordinate to itself, (4,8):(_1@0,_1@1): composed with a layout of threads and values "
     "it gives their coordinates",
     RUN(CUTE, make_identity)},
    {"make_ordered_layout", NULL, "make_ordered_layout(shape, order)", FUNCTION,
     {TUPLE("shape"), TUPLE("order")},
     "a compact layout, the mode of the least number the fastest", RUN(CUTE, make_ordered)},
    {"make_shape", "make_tuple", "make_shape(sizes)", FUNCTION, {REST("sizes")},
     "a tuple, also make_tuple", RUN(TUPLE, make_tuple)},
    {"make_stride", "make_coord", "make_stride(steps)", FUNCTION, {REST("steps")},
     "a tuple, also make_coord", RUN(TUPLE, make_tuple)},
    {"make_tile", "make_step", "make_tile(tilers)", FUNCTION, {REST("tilers")},
     "a tuple, also make_step; <3:3, 8> is one too", RUN(TUPLE, make_tuple)},
    {"composition", NULL, "A.composition(B)", OF_COORDS, {TILER("B")},
     "A(B(i)); by modes with a tuple of tilers; A may be a swizzle", RUN(CUTE, cute_composition)},
    {"coalesce", NULL, "A.coalesce([profile])", OF_COORDS, {MAYBE_TUPLE("profile")},
     "as few modes as possible, the same function of numbers", CUTE_PROFILE(lw_cute_coalesce)},
    {"filter", NULL, "A.filter([profile])", OF_COORDS, {MAYBE_TUPLE("profile")},
     "the same without modes of stride 0", CUTE_PROFILE(lw_cute_filter)},
    {"complement", NULL, "A.complement([size])", OF_CUTE, {MAYBE_NUMBER("size")},
     "the offsets below size that A leaves free, as a layout", RUN(CUTE, cute_complement)},
    {"logical_divide", NULL, "A.logical_divide(B)", OF_COORDS, {TILER("B")},
     "A as (tile, rest): composition(A, (B, complement(B, size(A))))",
     TILES(lw_cute_divide, LOGICAL)},
    {"zipped_divide", NULL, "A.zipped_divide(B)", OF_COORDS, {TILER("B")},
     "the same by modes, as ((tile, tile), (rest, rest))", TILES(lw_cute_divide, ZIPPED)},
    {"tiled_divide", NULL, "A.tiled_divide(B)", OF_COORDS, {TILER("B")},
     "the same as ((tile, tile), rest, rest)", TILES(lw_cute_divide, TILED)},
    {"flat_divide", NULL, "A.flat_divide(B)", OF_COORDS, {TILER("B")},
     "the same as (tile, tile, rest, rest)", TILES(lw_cute_divide, FLAT)},
    {"logical_product", NULL, "A.logical_product(B)", OF_CUTE, {TILER("B")},
     "A and its copies: (A, composition(complement(A, size(A) cosize(B)), B))",
     TILES(lw_cute_multiply, LOGICAL)},
    {"zipped_product", NULL, "A.zipped_product(B)", OF_CUTE, {TILER("B")},
     "the same by modes, as ((block, block), (copy, copy))", TILES(lw_cute_multiply, ZIPPED)},
    {"tiled_product", NULL, "A.tiled_product(B)", OF_CUTE, {TILER("B")},
     "the same as ((block, block), copy, copy)", TILES(lw_cute_multiply, TILED)},
    {"flat_product", NULL, "A.flat_product(B)", OF_CUTE, {TILER("B")},
     "the same as (block, block, copy, copy)", TILES(lw_cute_multiply, FLAT)},
    {"blocked_product", NULL, "A.blocked_product(B)", OF_CUTE, {CUTE("B")},
     "copies of A over B, mode by mode, block after block", EITHER(CUTE, cute_blocked_product, false)},
    {"raked_product", NULL, "A.raked_product(B)", OF_CUTE, {CUTE("B")},
     "the same, the blocks interleaved", EITHER(CUTE, cute_blocked_product, true)},
    {"tile_to_shape", NULL, "A.tile_to_shape(shape[, order])", OF_CUTE,
     {TUPLE("shape"), MAYBE_TUPLE("order")},
     "A repeated until it has the shape, along the mode of the least number in order first",
     RUN(CUTE, cute_tile_to_shape)},
    {"local_tile", NULL, "A.local_tile(tiler, coord[, proj])", OF_COORDS,
     {TILER("tiler"), COORDINATE("coord"), MAYBE_COORDINATE("proj")},
     "that tile of zipped_divide; of _ every tile; Step<_1,X,_1> takes modes 0 and 2 of both",
     RUN(CUTE, cute_local_tile)},
    {"local_partition", NULL, "A.local_partition(tile, index[, proj])", OF_COORDS,
     {CUTE("tile"), NUMBER("index"), MAYBE_COORDINATE("proj")},
     "what thread number index of a layout of threads has of A, which is tiled by it",
     RUN(CUTE, cute_local_partition)},
    {"make_fragment_like", NULL, "A.make_fragment_like()", OF_CUTE, {NOTHING},
     "a compact layout of registers, mode 0 the fastest, the others in their order",
     RUN(CUTE, fragment_like)},
    {"right_inverse", NULL, "A.right_inverse()", OF_CUTE, {NOTHING},
     "R with A(R(i)) = i, as long as it goes", CUTE_INVERSE(lw_cute_right_inverse)},
    {"left_inverse", NULL, "A.left_inverse()", OF_CUTE, {NOTHING},
     "L with A(L(A(i))) = A(i)", CUTE_INVERSE(lw_cute_left_inverse)},
    {"max_common_vector", NULL, "A.max_common_vector(B)", OF_CUTE, {CUTE("B")},
     "how many first offsets are the same elements in both; the last mode of A may go on past its end", RUN(NUMBER, cute_max_common)},
    {"select", NULL, "A.select(modes)", OF_COORDS, {REST("modes")},
     "those modes, in that order", RUN(CUTE, cute_select)},
    {"take", NULL, "A.take(begin, end)", OF_CUTE, {NUMBER("begin"), NUMBER("end")},
     "the modes from begin to end - 1", RUN(CUTE, cute_take)},
    {"append", NULL, "A.append(B)", OF_CUTE, {CUTE("B")},
     "B as one more mode at the end", EITHER(CUTE, cute_append, false)},
    {"prepend", NULL, "A.prepend(B)", OF_CUTE, {CUTE("B")},
     "B as one more mode at the front", EITHER(CUTE, cute_append, true)},
    {"filter_zeros", NULL, "A.filter_zeros()", OF_CUTE, {NOTHING},
     "modes of stride 0 with size 1", CUTE_ONE(lw_cute_filter_zeros)},
    {"group", "group_modes", "A.group(begin, end)", OF_COORDS, {NUMBER("begin"), NUMBER("end")},
     "the modes from begin to end - 1 as one", RUN(CUTE, cute_group)},
    {"flatten", NULL, "A.flatten()", OF_COORDS, {NOTHING},
     "no modes in modes", CUTE_ONE(lw_cute_flatten)},
    {"mode", "get", "A.mode(i)", OF_COORDS, {NUMBER("i")},
     "mode i", RUN(CUTE, cute_mode)},
    {"recast", NULL, "A.recast(from, to)", OF_CUTE, {NUMBER("from"), NUMBER("to")},
     "the same memory in elements of other bits", RUN(CUTE, cute_recast)},
    {"inElements", NULL, "A.inElements()", OF_CUTE, {NOTHING},
     "Sw<3,4,3> o smem_ptr[16b] as Sw<3,3,3>: the swizzle counts elements",
     RUN(CUTE, cute_in_elements)},
    {"inBytes", NULL, "A.inBytes([bits])", OF_CUTE, {MAYBE_NUMBER("bits")},
     "the inverse, with elements of `bits` bits", RUN(CUTE, cute_in_bytes)},
    {"thread_value", NULL, "A.thread_value(tile)", OF_CUTE, {TUPLE("tile")},
     "A as a layout of threads and values over a tile", RUN(CUTE, cute_thread_value)},
    {"size", NULL, "A.size([mode])", OF_COORDS, {MAYBE_NUMBER("mode")},
     "how many coordinates", CUTE_NUMBER(lw_cute_size)},
    {"cosize", NULL, "A.cosize([mode])", OF_CUTE, {MAYBE_NUMBER("mode")},
     "the last offset plus 1, before a swizzle", CUTE_NUMBER(lw_cute_cosize)},
    {"rank", NULL, "A.rank([mode])", OF_COORDS, {MAYBE_NUMBER("mode")},
     "how many modes", CUTE_SHAPE(lw_cute_rank)},
    {"depth", NULL, "A.depth([mode])", OF_COORDS, {MAYBE_NUMBER("mode")},
     "how deep modes are in modes", CUTE_SHAPE(lw_cute_depth)},
    {"apply", NULL, "A.apply(coordinate)", OF_COORDS, {TUPLE("coordinate")},
     "the offset of (3, 5), of ((1, 2), 5) or of number 13; also A(3, 5); A(_, 5) is the layout of "
     "that column, without its offset", RUN(NUMBER, cute_apply)},
    {"linear", NULL, "A.linear()", OF_CUTE, {NOTHING},
     "the linear layout that it is", RUN(LAYOUT, cute_linear)},

    {"make_tiled_mma", NULL, "make_tiled_mma(op_or_atom[, atom_layout_mnk][, permutation_mnk])", FUNCTION,
     {ATOM("op_or_atom"), MAYBE_CUTE("atom_layout_mnk"), MAYBE_TILER("permutation_mnk")},
     "an MMA of CuTe repeated over a layout of atoms: make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, "
     "Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{})",
     RUN(MMA, make_tiled_mma)},
    {"make_tiled_copy", "make_tiled_copy_tv", "make_tiled_copy(atom, thr_layout[, val_layout])", FUNCTION,
     {ATOM("atom"), CUTE("thr_layout"), MAYBE_CUTE("val_layout")},
     "a copy of CuTe of a layout of threads, each with a layout of values: "
     "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>>{}, "
     "Layout<Shape<_1,_8>>{})",
     RUN(COPY, make_tiled_copy)},
    {"make_tiled_copy_impl", NULL, "make_tiled_copy_impl(atom, layout_tv, tiler_mn)", FUNCTION,
     {ATOM("atom"), CUTE("layout_tv"), TILER("tiler_mn")},
     "of a layout of threads and values; in Python, cute.make_tiled_copy", RUN(COPY, make_tiled_copy_tv)},
    {"make_tiled_copy_A", NULL, "make_tiled_copy_A(atom, tiled_mma)", FUNCTION,
     {ATOM("atom"), MMA("tiled_mma")},
     "of the threads and values that a tiled MMA has of A", WHICH(COPY, make_tiled_copy_of, LW_CUTE_A)},
    {"make_tiled_copy_B", NULL, "make_tiled_copy_B(atom, tiled_mma)", FUNCTION,
     {ATOM("atom"), MMA("tiled_mma")}, "the same of B", WHICH(COPY, make_tiled_copy_of, LW_CUTE_B)},
    {"make_tiled_copy_C", NULL, "make_tiled_copy_C(atom, tiled_mma)", FUNCTION,
     {ATOM("atom"), MMA("tiled_mma")}, "the same of C", WHICH(COPY, make_tiled_copy_of, LW_CUTE_C)},
    {"make_tiled_copy_C_atom", NULL, "make_tiled_copy_C_atom(atom, tiled_mma)", FUNCTION,
     {ATOM("atom"), MMA("tiled_mma")}, "the same of C, as small as the atom allows",
     WHICH(COPY, make_tiled_copy_of, LW_CUTE_C + 1)},
    {"make_tiled_copy_S", NULL, "make_tiled_copy_S(atom, tiled_copy)", FUNCTION,
     {ATOM("atom"), COPY("tiled_copy")}, "of the source of a tiled copy",
     WHICH(COPY, make_tiled_copy_like, LW_CUTE_SOURCE)},
    {"make_tiled_copy_D", NULL, "make_tiled_copy_D(atom, tiled_copy)", FUNCTION,
     {ATOM("atom"), COPY("tiled_copy")}, "of its destination",
     WHICH(COPY, make_tiled_copy_like, LW_CUTE_DESTINATION)},

    {"get_slice", "get_thread_slice", "M.get_slice(thr_idx)", OF_MMA, {NUMBER("thr_idx")},
     "a tiled MMA of one thread (ThrMMA)", RUN(MMA, tiled_slice)},
    OPERANDS("partition_", "", CUTE, "tensor",
             "what a thread has of A, (values, along M, along K), and where it starts", CUTE, mma_partition),
    OPERANDS("partition_fragment_", "", CUTE, "tensor",
             "the registers for that, as a layout", CUTE, mma_partition_fragment),
    OPERANDS("make_fragment_", "", CUTE, "part",
             "the registers for a part that partition_A gave", CUTE, mma_make_fragment),
    OPERANDS("partition_shape_", "", CUTE, "shape",
             "the shape of what a thread has of A", TUPLE, mma_partition_shape),
    OPERANDS("thrfrg_", "", CUTE, "layout",
             "A as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK)))", CUTE, mma_split),
    OPERAND("get_layout", A, "_TV", "tv_layout_A_tiled", END, "",
            "threads and values to the elements of the tile of A", CUTE, mma_tv),
    OPERAND("get_layout", B, "_TV", "tv_layout_B_tiled", END, "", "the same of B", CUTE, mma_tv),
    OPERAND("get_layout", C, "_TV", "tv_layout_C_tiled", END, "", "the same of C", CUTE, mma_tv),
    OPERANDS("", "", END, "", "the same over its tile, to be shown; also M.A", CUTE, mma_operand),
    {"get_thr_layout_vmnk", NULL, "M.get_thr_layout_vmnk()", OF_MMA, {NOTHING},
     "(ThrV,ThrM,ThrN,ThrK) to threads", RUN(CUTE, mma_threads)},
    {"permutation_mnk", NULL, "M.permutation_mnk(mode)", OF_MMA, {NUMBER("mode")},
     "the tiler of M, N or K", RUN(TUPLE, mma_permutation)},
    {"tile_size", "tile_size_mnk", "M.tile_size(mode)", OF_MMA, {NUMBER("mode")},
     "how many elements the tile has along M, N or K; also tile_size<0>(M)", RUN(TUPLE, mma_tile_size)},
    {"tile_shape", NULL, "M.tile_shape()", OF_MMA, {NOTHING}, "the tile (M,N,K)", RUN(TUPLE, mma_tile_shape)},
    {"shape_mnk", NULL, "M.shape_mnk()", OF_MMA, {NOTHING}, "the shape of its atom", RUN(TUPLE, mma_shape)},
    {"size", "thr_size", "M.size([mode])", OF_MMA, {MAYBE_NUMBER("mode")},
     "how many threads; of modes V, M, N, K", RUN(TUPLE, mma_size)},

    {"get_slice", "get_thread_slice", "T.get_slice(thr_idx)", OF_COPY, {NUMBER("thr_idx")},
     "a tiled copy of one thread (ThrCopy)", RUN(COPY, tiled_slice)},
    SIDES("partition_", "", NULL, NULL, CUTE, "tensor",
          "what a thread has of the source, ((values, atoms), along M, along N), and where it starts", CUTE,
          copy_partition),
    SIDES("retile_", "", "retile", NULL, CUTE, "fragment",
          "a fragment of an MMA, (V,M,N), in the modes that this copy has", CUTE, copy_retile),
    SIDES("tidfrg_", "", NULL, NULL, CUTE, "layout",
          "a tensor as (Thr,(FrgV,FrgX),(RestM,RestN))", CUTE, copy_split),
    SIDES("get_layout", "_TV", "layout_src_tv_tiled", "layout_dst_tv_tiled", END, "",
          "threads and values of the source to the elements of the tile", CUTE, copy_tv),
    SIDES("", "", "Src", "Dst", END, "", "the same over its tile, to be shown; also T.S", CUTE, copy_side),
    {"layout_tv_tiled", NULL, "T.layout_tv_tiled()", OF_COPY, {NOTHING},
     "the threads and values that the copy was made of", RUN(CUTE, copy_tiled_tv)},
    {"tiler_mn", NULL, "T.tiler_mn()", OF_COPY, {NOTHING}, "the tiler", RUN(TUPLE, copy_tiler)},
    {"size", NULL, "T.size()", OF_COPY, {NOTHING}, "how many threads", RUN(TUPLE, copy_size)},
};
/* clang-format on */

const struct lw_calc_operation *lw_calc_operations(size_t *count)
{
    *count = sizeof operations / sizeof *operations;
    return operations;
}
