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
    return call->args[i].node->name;
}

/* The layout that the call is of. */
static const struct lw_layout *self_of(const struct lw_calc_call *call)
{
    return &call->self->as.layout;
}

static bool unexpected(const struct lw_calc_call *call, const char *expected,
                       const struct lw_node *node)
{
    return lw_node_unexpected(node, expected, call->work.err);
}

/* The index of a dim on a side of the layout; -1 and an error. */
static int find_dim(const struct lw_calc_call *call, const struct lw_dims *side, const char *name,
                    struct lw_position position)
{
    int d = lw_dims_find(side, name);
    if (d < 0)
        lw_error_at(call->work.err, LW_ERROR_NAME, position, "%s: there is no %s-dim '%.40s'",
                    call->row->base.name, side == &self_of(call)->in ? "in" : "out", name);
    return d;
}

/* The in-dim that is the first argument. */
static int in_dim(const struct lw_calc_call *call)
{
    return find_dim(call, &self_of(call)->in, dim_of(call, 0), call->args[0].node->position);
}

static bool number_of(const struct lw_calc_call *call, const struct lw_node *node, uint64_t *number)
{
    *number = (uint64_t)node->integer;
    return (node->kind == LW_NODE_INTEGER && node->integer >= 0) ||
           unexpected(call, "an integer", node);
}

/* `[2, 0, 1]`, of at most `max` numbers. */
static bool numbers_of(const struct lw_calc_call *call, const struct lw_node *list,
                       uint64_t *numbers, int max, int *count)
{
    *count = 0;
    if (list->kind != LW_NODE_LIST)
        return unexpected(call, "a list of numbers, as [2, 0, 1]", list);
    if (list->count > max)
        return lw_error_at(call->work.err, LW_ERROR_LIMIT, list->position,
                           "at most %d numbers here", max);
    for (const struct lw_node *item = list->items; item; item = item->next)
        if (!number_of(call, item, &numbers[(*count)++]))
            return false;
    return true;
}

/* Names of dims. */
struct names {
    int count;
    const char *name[LW_DIMS_MAX];
};

/* `[register, lane]`. `side`: all must be dims of it, or NULL. */
static bool names_of(const struct lw_calc_call *call, int i, const struct lw_dims *side,
                     struct names *names)
{
    const struct lw_node *list = call->args[i].node;
    names->count = 0;
    if (list->kind != LW_NODE_LIST)
        return unexpected(call, "a list of dims, as [dim0, dim1]", list);
    for (const struct lw_node *item = list->items; item; item = item->next) {
        if (item->kind != LW_NODE_STRING && (item->kind != LW_NODE_NAME || item->angles))
            return unexpected(call, "the name of a dim", item);
        if (names->count == LW_DIMS_MAX)
            return lw_error_at(call->work.err, LW_ERROR_LIMIT, item->position,
                               "at most %d dims on a side", LW_DIMS_MAX);
        if (side && find_dim(call, side, item->name, item->position) < 0)
            return false;
        names->name[names->count++] = item->name;
    }
    return true;
}

/* The names of the in-dims, and of the out-dims, that the first two arguments list. */
static bool two_sides(const struct lw_calc_call *call, struct names *ins, struct names *outs)
{
    return names_of(call, 0, &self_of(call)->in, ins) &&
           names_of(call, 1, &self_of(call)->out, outs);
}

/* `[[register, 4], [lane, 8]]`, `{register: 4, lane: 8}`. */
static bool sizes_of(const struct lw_calc_call *call, int i, struct lw_dims *dims)
{
    const struct lw_node *list = call->args[i].node;
    bool object = list->kind == LW_NODE_OBJECT;
    dims->count = 0;
    if (!object && list->kind != LW_NODE_LIST)
        return unexpected(call, "sizes, as [[register, 4], [lane, 8]] or {register: 4, lane: 8}",
                          list);
    for (const struct lw_node *item = list->items; item; item = item->next) {
        const struct lw_node *name = item->items, *size = object ? item : name ? name->next : NULL;
        bool pair = item->kind == LW_NODE_LIST && item->count == 2 &&
                    (name->kind == LW_NODE_NAME || name->kind == LW_NODE_STRING);
        uint64_t number;
        if (!object && !pair)
            return unexpected(call, "a dim and its size, as [register, 4]", item);
        if (!number_of(call, size, &number))
            return false;
        if (!lw_dims_add(dims, object ? item->label : name->name, number, call->work.err))
            return lw_error_locate(call->work.err, item->position);
    }
    return true;
}

/* `register=3, lane=5`, or the same in braces: a number for each in-dim. */
static bool point_of(const struct lw_calc_call *call, uint64_t point[LW_DIMS_MAX])
{
    const struct lw_dims *dims = &self_of(call)->in;
    const struct lw_node *node = call->args[0].node;
    struct lw_error *err = call->work.err;
    unsigned set = 0;
    memset(point, 0, sizeof(uint64_t) * LW_DIMS_MAX);
    if (node && node->kind == LW_NODE_OBJECT && !node->label && !node->next)
        node = node->items;
    for (; node; node = node->next) {
        if (!node->label)
            return unexpected(call, "coordinates, as register=3, lane=5", node);
        int d = find_dim(call, dims, node->label, node->label_position);
        if (d < 0)
            return false;
        if (set >> d & 1)
            return lw_error_at(err, LW_ERROR_NAME, node->label_position, "duplicate '%s'",
                               node->label);
        set |= 1u << d;
        if (!number_of(call, node, &point[d]))
            return false;
        if (point[d] >= dims->dim[d].size)
            return lw_error_at(err, LW_ERROR_PARAMETER, node->position,
                               "%s = %llu: must be from 0 to %llu", node->label,
                               (unsigned long long)point[d],
                               (unsigned long long)dims->dim[d].size - 1);
    }
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

/* The encoding `bases` reads them; the sizes of out-dims that have only names are inferred. */
static LW_CALC_RUN(from_bases)
{
    const struct lw_node *object = call->args[0].node, *list = call->args[1].node;
    struct lw_evaluator evaluator = {.scan = call->calc->scan, .words = true};
    struct lw_layout *layout = &out->as.layout;
    struct lw_error *err = call->work.err;
    struct lw_value bases, outs;
    struct names names;
    struct lw_dims named = {0};
    struct lw_tensor unknown;
    struct lw_map map;
    bool sized = list->kind == LW_NODE_LIST && list->items && list->items->kind == LW_NODE_LIST;
    struct lw_encoding *encoding =
        lw_read_new(evaluator.scan, lw_encoding_type_find("bases"), object->position);
    lw_tensor_unknown(&unknown);
    if (!encoding || !lw_evaluate(&evaluator, object, &bases) ||
        !lw_read_set_param(encoding, "bases", object->position, &bases, err) ||
        (sized && (!lw_evaluate(&evaluator, list, &outs) ||
                   !lw_read_set_param(encoding, "out", list->position, &outs, err))) ||
        !lw_encoding_build(encoding, &unknown, &map, err) || !lw_map_to_layout(&map, layout, err) ||
        (!sized && !names_of(call, 1, NULL, &names)))
        return false;
    if (sized)
        return true;
    bool any = lw_layout_in_bits(layout) > 0;
    if (any && layout->out.count != names.count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "fromBases: each basis has %d numbers, but there are %d out-dims",
                            layout->out.count, names.count);
    for (int d = 0; d < names.count; d++)
        if (!lw_dims_add(&named, names.name[d], any ? layout->out.dim[d].size : 1, err))
            return false;
    layout->out = named;
    return lw_layout_is_surjective(layout) ||
           lw_error_set(err, LW_ERROR_SHAPE,
                        "sizes can be inferred for a surjective layout only: write the sizes");
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
                                        lw_triton_identity_rule(call->calc->triton),
                                        call->work.err);
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
    bool outs = call->row->core.transpose == lw_layout_transpose_outs;
    const struct lw_dims *side = outs ? &self->out : &self->in;
    struct names order;
    if (!names_of(call, 0, side, &order))
        return false;
    if (order.count != side->count)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s: all %d dims are needed, not %d",
                            call->row->base.name, side->count, order.count);
    return call->row->core.transpose(&out->as.layout, self, order.name, call->work.err);
}

static LW_CALC_RUN(reshape)
{
    struct lw_dims dims;
    return sizes_of(call, 0, &dims) &&
           call->row->core.reshape(&out->as.layout, self_of(call), &dims, call->work.err);
}

static LW_CALC_RUN(sublayout)
{
    struct names ins, outs;
    return two_sides(call, &ins, &outs) &&
           lw_layout_sublayout(&out->as.layout, self_of(call), ins.name, ins.count, outs.name,
                               outs.count, call->work.err);
}

static LW_CALC_RUN(quotient)
{
    struct names dims;
    return names_of(call, 0, NULL, &dims) &&
           lw_layout_quotient(&out->as.layout, self_of(call), dims.name, dims.count,
                              call->work.err);
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
    uint64_t point[LW_DIMS_MAX], image[LW_DIMS_MAX];
    if (!point_of(call, point))
        return false;
    lw_layout_apply(self_of(call), point, image);
    set_point(out, &self_of(call)->out, image);
    return true;
}

static LW_CALC_RUN(basis)
{
    const struct lw_layout *self = self_of(call);
    int d = in_dim(call), bits = d < 0 ? 0 : lw_layout_in_log2(self, d);
    uint64_t image[LW_DIMS_MAX], bit = lw_calc_number(call, 1, 0);
    if (d < 0)
        return false;
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
    struct names dims;
    if (!names_of(call, 0, NULL, &dims))
        return false;
    out->as.truth = call->row->core.question_of_dims(self_of(call), dims.name, dims.count);
    return true;
}

static LW_CALC_RUN(sublayout_is_zero)
{
    struct names ins, outs;
    if (!two_sides(call, &ins, &outs))
        return false;
    out->as.truth =
        lw_layout_sublayout_is_zero(self_of(call), ins.name, ins.count, outs.name, outs.count);
    return true;
}

static LW_CALC_RUN(equal_but_sizes)
{
    out->as.truth = lw_layout_equal_but_sizes(self_of(call), layout_of(call, 0));
    return true;
}

/* The rank, or the number of first inputs that go to consecutive outputs. */
static LW_CALC_RUN(number)
{
    const struct lw_layout *self = self_of(call);
    return lw_calc_set_number(
        &call->work,
        call->row->core.which ? lw_layout_consecutive(self) : (uint64_t)lw_layout_rank(self), out);
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

static LW_CALC_RUN(dims)
{
    out->as.dims = call->row->core.which ? self_of(call)->out : self_of(call)->in;
    return true;
}

/* ---- Comparing ---- */

/* Whether two results are equal; of most kinds, when they are printed the same. */
static bool same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    struct lw_text one = {0}, two = {0};
    if (a->kind == LW_CALC_LAYOUT && b->kind == LW_CALC_LAYOUT)
        return lw_layout_equal(&a->as.layout, &b->as.layout);
    if (a->kind == LW_CALC_TREE && b->kind == LW_CALC_TREE)
        return lw_cute_tuple_equal(&a->as.tree, &b->as.tree);
    lw_calc_print(&one, a);
    lw_calc_print(&two, b);
    bool equal = a->kind == b->kind && !strcmp(lw_text_string(&one), lw_text_string(&two));
    lw_text_free(&one);
    lw_text_free(&two);
    return equal;
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
    uint64_t columns[LW_BITS_MAX], bits = lw_calc_number(call, 2, 0);
    int count;
    return numbers_of(call, call->args[0].node, columns, LW_BITS_MAX, &count) &&
           lw_action_make(&out->as.action, dim_of(call, 1), bits > 65 ? 65 : (int)bits, columns,
                          count, call->work.err);
}

/* The bases of an in-dim in another order. */
static LW_CALC_RUN(permute)
{
    struct lw_action action;
    uint64_t columns[LW_BITS_MAX];
    int d = in_dim(call), count;
    return d >= 0 && numbers_of(call, call->args[1].node, columns, LW_BITS_MAX, &count) &&
           lw_action_make(&action, dim_of(call, 0), lw_layout_in_log2(self_of(call), d), columns,
                          count, call->work.err) &&
           lw_action_apply(&out->as.layout, &action, self_of(call), call->work.err);
}

static LW_CALC_RUN(apply_action)
{
    return lw_action_apply(&out->as.layout, &call->self->as.action, layout_of(call, 0),
                           call->work.err);
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
    {{"*", NULL, "A * B", OPERATOR, "the product: A has the low bits of the dims that both have"},
     {LAYOUT}, PAIRS, LW_CALC_PAIR_PRODUCT, LW_CALC_LAYOUT, run_two, {.of_two = lw_layout_product}},
    {{"==", NULL, "A == B", OPERATOR, "equal, including sizes and order of dims"}, {ANY}, WHICH(0, TRUTH, equal, 1)},
    {{"!=", NULL, "A != B", OPERATOR, "not equal"}, {ANY}, WHICH(0, TRUTH, equal, 0)},
    {FUNCTION("identity1D", "size, in, out", "L(x) = x"), {NUMBER, DIM, DIM}, RUN(0, LAYOUT, identity)},
    {FUNCTION("strided1D", "size, stride, in, out", "L(x) = stride x"),
     {NUMBER, NUMBER, DIM, DIM}, RUN(0, LAYOUT, strided)},
    {FUNCTION("zeros1D", "size, in, out[, outSize]", "L(x) = 0"), {NUMBER, DIM, DIM, NUMBER}, RUN(0, LAYOUT, zeros)},
    {FUNCTION("empty", "", "no dims: the neutral element of the product"), {NOTHING}, RUN(0, LAYOUT, empty)},
    {FUNCTION("fromBases", "bases, outs",
     "from bases: {lane: [[1, 0], [0, 2]]}; sizes of [dim0, dim1] are inferred, those of [[dim0, 2]] given"),
     {LITERAL, LITERAL}, RUN(0, LAYOUT, from_bases)},
    {FUNCTION("columnAction", "columns, dim, bits",
     "the bases of a dim in that order, without those that are not listed"),
     {LITERAL, DIM, NUMBER}, RUN(0, ACTION, make_action)},
    {OF_LAYOUT("compose", "B", "B after A: x goes to B(A(x))"), {LAYOUT}, TWO(lw_layout_compose)},
    {OF_LAYOUT("invert", "", "the inverse of a square layout of full rank"), {NOTHING}, ONE(lw_layout_invert)},
    {OF_LAYOUT("pseudoinvert", "", "the least input of each output of a surjective layout"),
     {NOTHING}, ONE(lw_layout_pseudoinvert)},
    {OF_LAYOUT("invertAndCompose", "B", "C with B(C(x)) = A(x): where B holds what A holds"),
     {LAYOUT}, RUN(0, LAYOUT, invert_and_compose)},
    {OF_LAYOUT("divideLeft", "B", "C with B * C = A, or none"), {LAYOUT}, TWO(lw_layout_divide_left)},
    {OF_LAYOUT("divideRight", "B", "C with C * B = A, or none"), {LAYOUT}, TWO(lw_layout_divide_right)},
    {OF_LAYOUT("quotient", "dims", "A without dims that it is trivial over, or none"),
     {LITERAL}, RUN(0, LAYOUT, quotient)},
    {OF_LAYOUT("transposeIns", "dims", "the in-dims in that order"),
     {LITERAL}, WITH(0, LAYOUT, transpose, transpose, lw_layout_transpose_ins)},
    {OF_LAYOUT("transposeOuts", "dims", "the out-dims in that order"),
     {LITERAL}, WITH(0, LAYOUT, transpose, transpose, lw_layout_transpose_outs)},
    {OF_LAYOUT("reshapeIns", "sizes", "other in-dims: [[register, 4], [lane, 8]] or {register: 4, lane: 8}"),
     {LITERAL}, WITH(0, LAYOUT, reshape, reshape, lw_layout_reshape_ins)},
    {OF_LAYOUT("reshapeOuts", "sizes", "other out-dims"),
     {LITERAL}, WITH(0, LAYOUT, reshape, reshape, lw_layout_reshape_outs)},
    {OF_LAYOUT("flattenIns", "", "one in-dim, of the first one's name"), {NOTHING}, ONE(lw_layout_flatten_ins)},
    {OF_LAYOUT("flattenOuts", "", "one out-dim, of the first one's name"), {NOTHING}, ONE(lw_layout_flatten_outs)},
    {OF_LAYOUT("concatIns", "B", "the in-dims of A and then of B, to the out-dims of both"),
     {LAYOUT}, TWO(lw_layout_concat_ins)},
    {OF_LAYOUT("concatOuts", "B", "the in-dims of both, to the out-dims of A and then of B"),
     {LAYOUT}, TWO(lw_layout_concat_outs)},
    {OF_LAYOUT("sublayout", "ins, outs", "only those dims; the other inputs are 0"),
     {LITERAL, LITERAL}, RUN(0, LAYOUT, sublayout)},
    {OF_LAYOUT("resizeInDim", "dim, size", "a smaller in-dim, without its last bases"),
     {DIM, NUMBER}, RESIZE(lw_layout_resize_in)},
    {OF_LAYOUT("resizeOutDim", "dim, size", "a smaller out-dim: bases that are too large become 0"),
     {DIM, NUMBER}, RESIZE(lw_layout_resize_out)},
    {OF_LAYOUT("renameInDim", "dim, name", "a new name; the dim becomes the last"),
     {DIM, DIM}, RENAME(lw_layout_rename_in)},
    {OF_LAYOUT("renameOutDim", "dim, name", "a new name; the order of dims is unchanged"),
     {DIM, DIM}, RENAME(lw_layout_rename_out)},
    {OF_LAYOUT("removeZeroBasesAlongDim", "dim", "drops the bases of an in-dim that are 0"),
     {DIM}, OF_DIM(lw_layout_remove_zeros)},
    {OF_LAYOUT("unsqueezeIn", "dim", "drops an in-dim of size 1"), {DIM}, OF_DIM(lw_layout_unsqueeze_in)},
    {OF_LAYOUT("unsqueezeOut", "dim", "drops an out-dim of size 1"), {DIM}, OF_DIM(lw_layout_unsqueeze_out)},
    {OF_LAYOUT("permute", "dim, columns", "the bases of an in-dim in that order, those not listed left out"),
     {DIM, LITERAL}, RUN(0, LAYOUT, permute)},
    {OF_LAYOUT("apply", "point", "the image of a point, register=3, lane=5; other dims are 0"),
     {POINT}, RUN(0, POINT, apply)},
    {OF_LAYOUT("getBasis", "dim, i", "the image of bit i of an in-dim"), {DIM, NUMBER}, RUN(0, POINT, basis)},
    {OF_LAYOUT("getInDims", "", "the in-dims and their sizes"), {NOTHING}, WHICH(0, DIMS, dims, 0)},
    {OF_LAYOUT("getOutDims", "", "the out-dims and their sizes"), {NOTHING}, WHICH(0, DIMS, dims, 1)},
    {OF_LAYOUT("isSurjective", "", "is every output reached?"), {NOTHING}, QUESTION(lw_layout_is_surjective)},
    {OF_LAYOUT("isInjective", "", "does every input have its own output?"),
     {NOTHING}, QUESTION(lw_layout_is_injective)},
    {OF_LAYOUT("isInvertible", "", "both"), {NOTHING}, QUESTION(lw_layout_is_invertible)},
    {OF_LAYOUT("isTrivialOver", "dims", "the identity on those dims, apart from all others?"),
     {LITERAL}, QUESTION_OF_DIMS(lw_layout_is_trivial_over)},
    {OF_LAYOUT("squareSublayoutIsIdentity", "dims", "the identity from those dims to themselves?"),
     {LITERAL}, QUESTION_OF_DIMS(lw_layout_square_is_identity)},
    {OF_LAYOUT("sublayoutIsZero", "ins, outs", "are those outputs independent of those inputs?"),
     {LITERAL, LITERAL}, RUN(0, TRUTH, sublayout_is_zero)},
    {OF_LAYOUT("equalIgnoringOutDimSizes", "B", "equal but for the sizes of the out-dims"),
     {LAYOUT}, RUN(0, TRUTH, equal_but_sizes)},
    {OF_LAYOUT("getNumConsecutiveInOut", "", "the number of first inputs that go to consecutive outputs"),
     {NOTHING}, WHICH(0, TREE, number, 1)},
    {OF_LAYOUT("getFreeVariableMasks", "", "for each in-dim the bits that can stay 0 and still reach every output"),
     {NOTHING}, RUN(0, POINT, free_masks)},
    {OF_LAYOUT("rank", "", "the rank of the matrix"), {NOTHING}, WHICH(0, TREE, number, 0)},
    {OF_LAYOUT("kernel", "", "a basis of the inputs that go to 0"), {NOTHING}, WHICH(0, POINTS, null_space, 0)},
    {OF_LAYOUT("image", "", "a basis of the outputs that are reached"), {NOTHING}, WHICH(0, POINTS, null_space, 1)},
    {OF_LAYOUT("linear", "", "A as a linear layout, for layouts of every system"), {NOTHING}, RUN(0, LAYOUT, itself)},
    {ALSO_OF_LAYOUT("getMatrix", "getMatrixView", "", "the matrix over F2: a column for each input bit"),
     {NOTHING}, RUN(0, MATRIX, matrix)},
    {OF_ACTION("apply", "A", "the layout with its columns permuted by the action"),
     {LAYOUT}, RUN(0, LAYOUT, apply_action)},
};
/* clang-format on */

const struct lw_calc_row *lw_calc_linear_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
