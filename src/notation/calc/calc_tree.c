/*
 * Trees of the calculator: numbers, tuples and layouts of CuTe, and the notation that they are written in.
 *
 *     4   _4   3@1   _   LayoutLeft                  leaves
 *     Int<4>{}   C<4>{}   E<0>{}                     leaves too: _4, _4, _1@0
 *     (4,(2,_3))   Shape<_4, Int<8>>{}               tuples; Stride, Tile, Coord and Step too
 *     (4,8):(8,1)   Layout<Shape<_4,_8>, Stride<_8,_1>>{}
 *     Sw<3,4,3> o layout   Swizzle<3,4,3>{}   ComposedLayout<Swizzle<3,4,3>, _0, Layout<...>>{}
 *     gmem_ptr[16b](0x0) o (4,8):(8,1)   ArithTuple(0,3) o (4,8):(_1@0,_1@1)
 *
 * `(4)` is a tuple of one, which CuTe distinguishes from 4; where a number is expected it is the number. What a printed
 * pointer points to is not known: a tensor is its layout, which is printed with the pointer again.
 */

#include "notation/calc/calculator.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values ---- */

const char *lw_calc_kind_name(const struct lw_calc_result *value)
{
    static const char *const names[] = {
        [LW_CALC_NONE] = "no layout",
        [LW_CALC_LAYOUT] = "a layout",
        [LW_CALC_TRUTH] = "true or false",
        [LW_CALC_POINT] = "a point",
        [LW_CALC_POINTS] = "a list of points",
        [LW_CALC_MATRIX] = "a matrix",
        [LW_CALC_ACTION] = "a column action",
        [LW_CALC_DIMS] = "a list of dims",
        [LW_CALC_TREE] = "a tuple",
        [LW_CALC_TILUS] = "a layout of tilus",
        [LW_CALC_SWIZZLE] = "a swizzle",
        [LW_CALC_MMA] = "a tiled MMA",
        [LW_CALC_COPY] = "a tiled copy",
        [LW_CALC_DESCRIPTOR] = "a descriptor",
        [LW_CALC_TENSOR_MAP] = "a tensor map",
    };
    static const char *const leaves[] = {[LW_CUTE_INTEGER] = "a number",
                                         [LW_CUTE_BLANK] = "a blank",
                                         [LW_CUTE_ORDER] = "an order of modes",
                                         [LW_CUTE_LAYOUT] = "a layout of CuTe"};
    bool leaf = value->kind == LW_CALC_TREE && value->as.tree.count < 0;
    if (value->kind == LW_CALC_ATOM)
        return value->as.tiling.mma_atom ? "an atom of an MMA" : "an atom of a copy";
    if (leaf && value->as.tree.axis)
        return "a stride of coordinates";
    return leaf ? leaves[value->as.tree.leaf] : names[value->kind];
}

const struct lw_cute *lw_calc_cute(const struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tree = &value->as.tree;
    bool layout = value->kind == LW_CALC_TREE && tree->count < 0 && tree->leaf == LW_CUTE_LAYOUT;
    return layout ? tree->layout : NULL;
}

bool lw_calc_set_tree(const struct lw_cute_tuple *tree, struct lw_calc_result *out)
{
    out->kind = LW_CALC_TREE;
    out->as.tree = *tree;
    return true;
}

bool lw_calc_set_number(struct lw_cute_work *work, uint64_t number, struct lw_calc_result *out)
{
    const struct lw_cute_tuple leaf = lw_cute_integer((int64_t)number, false);
    return (number <= INT64_MAX && lw_calc_set_tree(&leaf, out)) ||
           lw_error_set(work->err, LW_ERROR_LIMIT, "the number is over 2^63 - 1");
}

bool lw_calc_set_cute(struct lw_cute_work *work, const struct lw_cute *cute,
                      struct lw_calc_result *out)
{
    struct lw_cute *kept = lw_arena_alloc(work->arena, sizeof *kept);
    if (!kept)
        return lw_cute_memory(work);
    *kept = *cute;
    const struct lw_cute_tuple leaf = {.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = kept};
    return lw_calc_set_tree(&leaf, out);
}

static bool no_axis(const struct lw_cute_tuple *integer, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_cute_tuple step = *integer;
    if (!integer->axis)
        return true;
    step.fixed = false;
    lw_cute_tuple_print(&text, &step);
    lw_error_at(err, LW_ERROR_SHAPE, integer->position,
                "%s is a stride of coordinates, which may only follow the `:` of a layout",
                lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* Whether all leaves are integers, `axes`: maybe along axes; else an error. */
static bool are_integers(const struct lw_cute_tuple *tuple, bool axes, struct lw_error *err)
{
    struct lw_calc_result leaf;
    for (int i = 0; i < tuple->count; i++)
        if (!are_integers(&tuple->items[i], axes, err))
            return false;
    if (tuple->count >= 0)
        return true;
    if (tuple->leaf == LW_CUTE_INTEGER)
        return axes || no_axis(tuple, err);
    lw_calc_set_tree(tuple, &leaf);
    return lw_error_at(err, LW_ERROR_SHAPE, tuple->position, "expected a number or a tuple, not %s",
                       lw_calc_kind_name(&leaf));
}

bool lw_calc_integers(const struct lw_cute_tuple *tuple, struct lw_error *err)
{
    return are_integers(tuple, false, err);
}

bool lw_calc_is_tiler(const struct lw_cute_tuple *tiler, struct lw_error *err)
{
    struct lw_cute_work work = {.err = err};
    struct lw_cute_layout layout;
    for (int i = 0; i < tiler->count; i++)
        if (!lw_calc_is_tiler(&tiler->items[i], err))
            return false;
    if (tiler->count >= 0 || tiler->leaf == LW_CUTE_BLANK)
        return true;
    if (tiler->leaf == LW_CUTE_ORDER)
        return lw_error_at(err, LW_ERROR_SHAPE, tiler->position,
                           "an order of modes is for make_layout");
    if (tiler->leaf == LW_CUTE_INTEGER)
        return no_axis(tiler, err) && lw_cute_compact(&work, tiler, false, &layout);
    return (!tiler->layout->composed && !lw_cute_is_of_coordinates(tiler->layout)) ||
           lw_error_at(err, LW_ERROR_UNSUPPORTED, tiler->position, "a tiler has no %s",
                       tiler->layout->composed ? "swizzle" : "strides of coordinates");
}

const struct lw_cute *lw_calc_to_cute(struct lw_calculation *calc, struct lw_calc_result *value)
{
    struct lw_cute cute = {0};
    const struct lw_cute_tuple *shape = &value->as.tree;
    bool leaf = shape->count < 0 && shape->leaf != LW_CUTE_INTEGER;
    calc->err->code = LW_OK;
    if (value->kind == LW_CALC_TREE && !leaf &&
        (!lw_calc_integers(shape, calc->err) ||
         !lw_cute_compact(&calc->work, shape, false, &cute.layout) ||
         !lw_calc_set_cute(&calc->work, &cute, value)))
        return NULL;
    return lw_calc_cute(value);
}

/* ---- Parameters ---- */

struct lw_calc_param_name lw_calc_param_name(const struct lw_calc_row *row, int i)
{
    struct lw_calc_param_name name = {.optional = i > 0 && row->params[0] == LW_CALC_PARAM_REST};
    const char *usage = row->base.usage, *at = strchr(usage, '(');
    if (name.optional) { /* after any number of others it is the last one */
        at = strrchr(usage, ' ');
        i = 0;
    }
    at = at ? at + 1 : "B"; /* of an operator */
    for (size_t length;; i--, at += length) {
        size_t before = strspn(at, "[, ]");
        name.optional = name.optional || memchr(at, '[', before);
        at += before;
        length = strcspn(at, "[, ])");
        if (i == 0) {
            snprintf(name.text, sizeof name.text, "%.*s", (int)length, at);
            return name;
        }
    }
}

enum lw_calc_param lw_calc_param(const struct lw_calc_row *row, int i)
{
    if (i >= LW_CALC_PARAMS_MAX)
        return LW_CALC_PARAM_END;
    if (row->params[0] != LW_CALC_PARAM_WORDS)
        return row->params[i];
    const struct lw_calc_param_name name = lw_calc_param_name(row, i);
    return !*name.text                                                  ? LW_CALC_PARAM_END
           : lw_text_has_word("shape_mnk instruction_shape", name.text) ? LW_CALC_PARAM_TUPLE
                                                                        : LW_CALC_PARAM_WORD;
}

const char *lw_calc_word(const struct lw_calc_call *call, int i)
{
    const struct lw_node *node = call->args[i].node;
    return node && node->kind != LW_NODE_INTEGER ? lw_calc_last_word(node->name) : NULL;
}

/* ---- Tuples ---- */

bool lw_calc_items(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_cute_tuple *tuple)
{
    struct lw_calc_result value;
    size_t room = 1;
    for (const struct lw_node *node = first; node; node = node->next)
        room++;
    struct lw_cute_tuple *items = lw_arena_alloc(calc->arena, room * sizeof *items);
    if (!items)
        return lw_scan_out_of_memory(calc->scan);
    *tuple = (struct lw_cute_tuple){.items = items};
    for (const struct lw_node *node = first; node; node = node->next) {
        struct lw_cute_tuple *item = &items[tuple->count++];
        if (node->kind == LW_NODE_INTEGER) {
            *item = lw_cute_integer(node->integer, calc->fixed || node->fixed);
        } else if (node->kind == LW_NODE_LIST && node->items) { /* mode=[0, 1] of Python */
            if (!lw_calc_items(calc, node->items, item))
                return false;
        } else if (!calc->evaluate(calc, node, &value)) {
            return false;
        } else if (value.kind != LW_CALC_TREE) {
            return lw_error_at(calc->err, LW_ERROR_SHAPE, node->position,
                               "a tuple holds numbers, tuples and layouts of CuTe, not %s",
                               lw_calc_kind_name(&value));
        } else {
            *item = value.as.tree;
        }
        item->position = node->position;
    }
    return true;
}

/* ---- Leaves ---- */

/* Whether a name is `_`, `_3` or another name of a blank. */
static bool is_blank(const char *name)
{
    if (!strcmp(name, "X") || !strcmp(name, "None") || !strcmp(name, "Underscore"))
        return true; /* Step<_1,X,_1>; None of Python; Tile<Underscore,_32> */
    const char *digits = name[0] == '_' && name[1] == '-' ? name + 2 : name + 1;
    return name[0] == '_' && !digits[strspn(digits, "0123456789")];
}

bool lw_calc_leaf(const struct lw_node *name, struct lw_calc_result *value)
{
    static const char *const orders[] = {"LayoutLeft", "GenColMajor", "LayoutRight", "GenRowMajor"};
    struct lw_cute_tuple leaf = lw_cute_integer(0, false);
    int order = 0;
    while (order < 4 && strcmp(orders[order], name->name) != 0)
        order++;
    if (order == 4 && (!is_blank(name->name) || name->angles))
        return false;
    if (order < 4) {
        leaf.value = order >= 2;
        leaf.leaf = LW_CUTE_ORDER;
    } else if (name->name[0] != '_' || !name->name[1]) {
        leaf = lw_cute_blank();
    } else { /* the digits have no more than a text may: strtoll has LLONG_MAX of more */
        long long number = strtoll(name->name + 1, NULL, 10);
        leaf = lw_cute_integer(number > LW_CUTE_MAX ? LW_CUTE_MAX + 1 : number, true);
    }
    leaf.position = name->position;
    return lw_calc_set_tree(&leaf, value);
}

static bool wrong_axis(struct lw_position position, struct lw_error *err)
{
    return lw_error_at(err, LW_ERROR_LIMIT, position,
                       "at most %d axes of coordinates, each from 0 to %d", LW_CUTE_AXIS_DEPTH,
                       LW_CUTE_AXIS_MAX);
}

/* The axis of `@1@0`, in which the outermost one is the last; false: there is no such axis. */
static bool axis_of(const struct lw_node *at, unsigned short *axis)
{
    *axis = 0;
    return !at || (axis_of(at->next, axis) && at->integer <= LW_CUTE_AXIS_MAX &&
                   lw_cute_axis_inside(*axis, (int)at->integer, axis));
}

bool lw_calc_integer(const struct lw_node *node, bool fixed, struct lw_cute_tuple *item,
                     struct lw_error *err)
{
    const struct lw_node *number = node->kind == LW_NODE_AXIS ? node->items : node;
    struct lw_calc_result value;
    *item = lw_cute_integer(number->integer, fixed || number->fixed);
    if (number->kind == LW_NODE_NAME && lw_calc_leaf(number, &value))
        *item = value.as.tree;
    else if (number->kind != LW_NODE_INTEGER)
        return lw_node_unexpected(number, "a number or a tuple", err);
    item->position = node->position;
    if (node->kind != LW_NODE_AXIS)
        return true;
    if (!lw_cute_is_integer(item))
        return lw_error_at(err, LW_ERROR_SYNTAX, node->position, "`@` must follow a number: 1@0");
    return axis_of(number->next, &item->axis) || wrong_axis(node->position, err);
}

/* ---- Layouts ---- */

static bool is_layout(const struct lw_cute_tuple *tree)
{
    return tree->count < 0 && tree->leaf == LW_CUTE_LAYOUT;
}

/* The layout of a shape and strides, of integers or of coordinates. */
static bool strided(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                    const struct lw_cute_tuple *stride, struct lw_cute *out)
{
    *out = (struct lw_cute){0};
    return are_integers(shape, false, work->err) && are_integers(stride, true, work->err) &&
           lw_cute_make(work, shape, stride, &out->layout);
}

/* make_layout(A, B, ...): a mode for each. */
static bool join(struct lw_cute_work *work, const struct lw_cute_tuple *list, struct lw_cute *out)
{
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, list->count);
    for (int i = 0; modes && i < list->count; i++) {
        const struct lw_cute_tuple *item = &list->items[i];
        if (!is_layout(item) || item->layout->composed || lw_cute_is_of_coordinates(item->layout))
            return lw_error_at(work->err, LW_ERROR_SHAPE, item->position,
                               "make_layout: expected a shape and a stride, or layouts without "
                               "swizzles and coordinates");
        modes[i] = item->layout->layout;
    }
    return modes && lw_cute_join(work, modes, list->count, &out->layout);
}

bool lw_calc_make_layout(struct lw_cute_work *work, const struct lw_cute_tuple *list,
                         struct lw_cute *out)
{
    const struct lw_cute_tuple *shape = &list->items[0], *stride = &list->items[1];
    *out = (struct lw_cute){0};
    if (list->count == 0)
        return lw_error_set(work->err, LW_ERROR_SHAPE, "make_layout: expected a shape, or layouts");
    if (is_layout(shape))
        return join(work, list, out);
    if (list->count > 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, list->items[2].position,
                           "make_layout: expected a shape and a stride, and nothing after them");
    bool ordered = list->count > 1 && stride->count < 0 && stride->leaf == LW_CUTE_ORDER;
    if (list->count > 1 && !ordered)
        return strided(work, shape, stride, out);
    return lw_calc_integers(shape, work->err) &&
           lw_cute_compact(work, shape, ordered && stride->value, &out->layout);
}

bool lw_calc_stride(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *value)
{
    const struct lw_node *shape = node->items, *after = shape->next;
    struct lw_calc_result stride;
    struct lw_cute cute;
    if (!calc->evaluate(calc, shape, value) || !calc->evaluate(calc, after, &stride))
        return false;
    if (value->kind != LW_CALC_TREE || lw_calc_cute(value) || stride.kind != LW_CALC_TREE ||
        lw_calc_cute(&stride))
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, after->label_position,
                           "a layout has a shape and a stride, numbers or tuples: (4,8):(8,1)");
    return strided(&calc->work, &value->as.tree, &stride.as.tree, &cute) &&
           lw_calc_set_cute(&calc->work, &cute, value);
}

/* ---- Swizzles ---- */

/* The swizzle of `Sw<3,4,3>`, `Swizzle<3,4,3>` and `S<3,4,3>`. */
static bool read_swizzle(struct lw_calculation *calc, const struct lw_node *name,
                         struct lw_cute_swizzle *swizzle)
{
    int *const parts[] = {&swizzle->bits, &swizzle->base, &swizzle->shift};
    const struct lw_node *number = name->angles->items;
    for (int i = 0; i < 3; i++, number = number->next) {
        if (name->angles->count != 3 || number->kind != LW_NODE_INTEGER)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX,
                               (name->angles->count == 3 ? number : name->angles)->position,
                               "expected three numbers in a swizzle, as in %s<3,4,3>", name->name);
        if (number->integer > 1024 || number->integer < -1024)
            return lw_error_at(calc->err, LW_ERROR_LIMIT, number->position,
                               "%lld is too large here", (long long)number->integer);
        *parts[i] = (int)number->integer;
    }
    return lw_cute_swizzle_check(swizzle, calc->err) ||
           lw_error_locate(calc->err,
                           lw_position_join(name->name_position, name->angles->position));
}

bool lw_calc_compose(struct lw_cute_work *work, const struct lw_calc_result *inner,
                     const struct lw_cute_tuple *offset, int pointer,
                     const struct lw_calc_result *outer, struct lw_calc_result *out)
{
    const struct lw_cute *layout = lw_calc_cute(outer);
    if (inner->kind != LW_CALC_SWIZZLE)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "a composed layout must begin with a swizzle, not with %s",
                            lw_calc_kind_name(inner));
    if (!layout || layout->composed || lw_cute_is_of_coordinates(layout))
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "a swizzle must be followed by a layout without a swizzle and "
                            "coordinates, such as (8,64):(64,1), not by %s",
                            layout && layout->composed ? "another swizzle"
                                                       : lw_calc_kind_name(outer));
    if (!lw_cute_is_integer(offset) || offset->value < 0 || offset->value > LW_CUTE_MAX)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "the offset of a composed layout must be a number from 0 to 2^62");
    const struct lw_cute made = {.layout = layout->layout,
                                 .composed = true,
                                 .swizzle = inner->as.swizzle,
                                 .offset = offset->value,
                                 .fixed = offset->fixed,
                                 .pointer = pointer};
    return lw_calc_set_cute(work, &made, out);
}

/* Whether an operand is followed by an `o`. */
static bool composes(const struct lw_node *operand)
{
    return operand->next && *operand->next->label == 'o';
}

static bool swizzled(struct lw_calculation *calc, const struct lw_node **last,
                     struct lw_calc_result *value)
{
    const struct lw_node *swizzle = *last, *between = swizzle->next, *layout = between;
    struct lw_calc_result inner = {.kind = LW_CALC_SWIZZLE}, outer;
    struct lw_cute_tuple offset = lw_cute_integer(0, true);
    bool pointer = between->kind == LW_NODE_POINTER;
    int64_t bits = pointer ? between->integer : 0; /* of an element at the pointer */
    if (composes(between) && (pointer || between->kind == LW_NODE_INTEGER ||
                              (between->kind == LW_NODE_NAME && lw_calc_leaf(between, &outer))))
        layout = between->next;
    *last = layout;
    if (!calc->evaluate(calc, layout, &outer) || !read_swizzle(calc, swizzle, &inner.as.swizzle))
        return false;
    if (pointer && (bits < 1 || bits > 1024))
        return lw_error_at(calc->err, LW_ERROR_PARAMETER, between->position,
                           "an element has from 1 to 1024 bits, not %lld", (long long)bits);
    if (layout != between && !pointer && !lw_calc_integer(between, false, &offset, calc->err))
        return false;
    return lw_calc_compose(&calc->work, &inner, &offset, (int)bits, &outer, value) ||
           lw_error_locate(calc->err, (pointer ? layout : between)->position);
}

/* ---- Printed tensors ---- */

static bool is_nonzero(const struct lw_cute_tuple *start)
{
    bool nonzero = start->count < 0 && start->value != 0;
    for (int i = 0; i < start->count; i++)
        nonzero = nonzero || is_nonzero(&start->items[i]);
    return nonzero;
}

bool lw_calc_set_start(struct lw_cute_work *work, const struct lw_cute_tuple *start,
                       struct lw_cute *cute)
{
    struct lw_cute_tuple *origin = lw_arena_alloc(work->arena, sizeof *origin);
    if (!origin)
        return lw_cute_memory(work);
    *origin = *start;
    cute->origin = origin;
    cute->tensor = true;
    cute->part = is_nonzero(start);
    return true;
}

/* The swizzle of ptr<f16, smem, align<128>, S<3,4,3>>, and the bits of its elements; NULL: it has none. */
static const struct lw_node *swizzle_of(const struct lw_node *pointer, int *bits)
{
    const struct lw_node *type = pointer->angles ? pointer->angles->items : NULL, *item = type;
    struct lw_element element;
    while (item && !(item->kind == LW_NODE_NAME && lw_node_is_swizzle(item)))
        item = item->next;
    *bits = item && type->kind == LW_NODE_NAME && lw_element_find(&element, type->name, NULL)
                ? (int)element.bits
                : 0;
    return item;
}

/* A pointer and a layout, which is all that is read but for the pointer's swizzle. */
static bool pointed(struct lw_calculation *calc, const struct lw_node **last,
                    struct lw_calc_result *value)
{
    int bits;
    const struct lw_node *pointer = *last, *swizzle = swizzle_of(pointer, &bits);
    *last = pointer->next;
    if (!(lw_node_is_swizzle(*last) && composes(*last) ? swizzled(calc, last, value)
                                                       : calc->evaluate(calc, *last, value)))
        return false;
    const struct lw_cute *layout = lw_calc_to_cute(calc, value);
    if (!layout || lw_cute_is_of_coordinates(layout) || (swizzle && layout->composed))
        return calc->err->code == LW_OK &&
               lw_error_at(calc->err, LW_ERROR_SHAPE, (*last)->position,
                           "a pointer must be followed by a layout such as (4,8):(8,1)");
    struct lw_cute cute = *layout;
    lw_calc_clear_atom(&cute);
    cute.part = true;
    if (swizzle) {
        if (!read_swizzle(calc, swizzle, &cute.swizzle))
            return false;
        if (!bits)
            return lw_error_at(calc->err, LW_ERROR_NAME, pointer->angles->position,
                               "the swizzle is of bytes: expected the type of an element first");
        cute.composed = true;
        cute.pointer = bits;
    }
    return lw_calc_set_cute(&calc->work, &cute, value);
}

bool lw_calc_composed(struct lw_calculation *calc, const struct lw_node **last,
                      struct lw_calc_result *value)
{
    const struct lw_node *first = *last;
    bool pointer = first->kind == LW_NODE_POINTER ||
                   (first->kind == LW_NODE_NAME && first->angles && !strcmp(first->name, "ptr"));
    if (!composes(first) || !(pointer || lw_node_is_swizzle(first)))
        return calc->evaluate(calc, first, value);
    return (pointer ? pointed : swizzled)(calc, last, value);
}

/* ---- Names of C++ with template arguments ---- */

/* What a type makes of the tuple of its arguments. */
typedef bool finish(struct lw_calculation *calc, const struct lw_cute_tuple *items,
                    struct lw_calc_result *value);

/* The one integer of Int<4>. */
static bool one_integer(struct lw_calculation *calc, const struct lw_cute_tuple *items,
                        struct lw_calc_result *value)
{
    const struct lw_cute_tuple *item = &items->items[0];
    if (items->count != 1 || !lw_cute_is_integer(item) || item->axis)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, items->position,
                           "an integer in CuTe is written Int<4>{} or _4");
    struct lw_cute_tuple leaf = lw_cute_integer(item->value, true);
    leaf.position = items->position;
    return lw_calc_set_tree(&leaf, value);
}

static bool as_layout(struct lw_calculation *calc, const struct lw_cute_tuple *items,
                      struct lw_calc_result *value)
{
    struct lw_cute cute;
    return (lw_calc_make_layout(&calc->work, items, &cute) &&
            lw_calc_set_cute(&calc->work, &cute, value)) ||
           lw_error_locate(calc->err, items->position);
}

static bool as_tensor(struct lw_calculation *calc, const struct lw_cute_tuple *items,
                      struct lw_calc_result *value)
{
    const struct lw_cute_tuple *one = &items->items[0];
    return (items->count == 1 && is_layout(one) && (one->layout->part || one->layout->tensor) &&
            lw_calc_set_tree(one, value)) ||
           lw_error_at(calc->err, LW_ERROR_SHAPE, items->position,
                       "expected a pointer or a coordinate, `o` and a layout in <...>");
}

/* E<0,1>: one step along coordinate 1 of 0. */
static bool as_axis(struct lw_calculation *calc, const struct lw_cute_tuple *path,
                    struct lw_calc_result *value)
{
    struct lw_cute_tuple step = lw_cute_integer(1, true);
    step.position = path->position;
    for (int i = 0; i < path->count; i++) {
        const struct lw_cute_tuple *index = &path->items[i];
        bool good = lw_cute_is_integer(index) && index->value <= LW_CUTE_AXIS_MAX;
        if (!good || !lw_cute_axis_inside(step.axis, (int)index->value, &step.axis))
            return wrong_axis(path->position, calc->err);
    }
    return lw_calc_set_tree(&step, value);
}

/* The types; one without a function makes the tuple of its items. */
static const struct type {
    const char *name;
    finish *finish;
} types[] = {
    {"Int", one_integer}, {"C", one_integer},    {"Shape", NULL},       {"Stride", NULL},
    {"Tile", NULL},       {"Coord", NULL},       {"Step", NULL},        {"tuple", NULL},
    {"E", as_axis},       {"Layout", as_layout}, {"tensor", as_tensor},
};

const char *lw_calc_last_word(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static const struct type *find_type(const struct lw_node *name)
{
    for (size_t i = 0; name->angles && i < sizeof types / sizeof *types; i++)
        if (!strcmp(name->name, types[i].name))
            return &types[i];
    return NULL;
}

bool lw_calc_is_type(const struct lw_node *name)
{
    return find_type(name);
}

/* The bits of smem_ptr_flag_bits<16>, or of smem_ptr_flag; 0: it is neither. */
static int flag_bits(const struct lw_node *node)
{
    const char *word = node->kind == LW_NODE_NAME ? lw_calc_last_word(node->name) : "";
    if (!strcmp(word, "smem_ptr_flag") && !node->angles)
        return 1;
    return !strcmp(word, "smem_ptr_flag_bits") && node->angles && node->angles->count == 1 &&
                   node->angles->items->kind == LW_NODE_INTEGER &&
                   node->angles->items->integer <= 1024
               ? (int)node->angles->items->integer
               : 0;
}

/* ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<...>> */
static bool composed(struct lw_calculation *calc, const struct lw_node *name,
                     struct lw_calc_result *value)
{
    struct lw_calc_result inner, offset, outer;
    const struct lw_node *first = name->angles->items, *second = first ? first->next : NULL;
    if (name->angles->count != 3)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, name->angles->position,
                           "a composed layout has a swizzle, an offset and a layout in <...>");
    int bits = flag_bits(second);
    const struct lw_cute_tuple none = lw_cute_integer(0, true);
    lw_calc_set_tree(&none, &offset);
    if (!calc->evaluate(calc, first, &inner) || (!bits && !calc->evaluate(calc, second, &offset)) ||
        !calc->evaluate(calc, second->next, &outer))
        return false;
    if (offset.kind != LW_CALC_TREE)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, second->position,
                           "expected an offset such as _0, or smem_ptr_flag_bits<16>");
    return lw_calc_compose(&calc->work, &inner, &offset.as.tree, bits, &outer, value) ||
           lw_error_locate(calc->err, name->name_position);
}

bool lw_calc_template(struct lw_calculation *calc, const struct lw_node *name,
                      struct lw_calc_result *value)
{
    const struct type *type = find_type(name);
    struct lw_cute_tuple items;
    if (lw_node_is_swizzle(name)) {
        value->kind = LW_CALC_SWIZZLE;
        return read_swizzle(calc, name, &value->as.swizzle);
    }
    if (!strcmp(lw_calc_last_word(name->name), "ComposedLayout"))
        return composed(calc, name, value);
    if (!type)
        return lw_error_at(calc->err, LW_ERROR_NAME, name->angles->position,
                           "'%.40s' has no arguments in <...>", name->name);
    if (!name->angles->count)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, name->angles->position,
                           "expected an integer, a tuple or a layout in <...>");
    if (!lw_calc_items(calc, name->angles->items, &items))
        return false;
    items.position = lw_position_join(name->name_position, name->angles->position);
    return type->finish ? type->finish(calc, &items, value) : lw_calc_set_tree(&items, value);
}
