/* Tensors as CuTe prints them: a pointer, or ArithTuple and the coordinate where it starts, before a layout. What
 * they point to is not known: the value is the layout, which is printed with the pointer again. */

#include "notation/calc/calc_table.h"

#include "encoding/cute/cute_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Coordinates ---- */

static bool is_nonzero(const struct lw_cute_tuple *start)
{
    bool nonzero = start->count < 0 && start->value != 0;
    for (int i = 0; i < start->count; i++)
        nonzero = nonzero || is_nonzero(&start->items[i]);
    return nonzero;
}

/* A tensor of coordinates, whose first one is `start`. */
static bool set_start(const struct lw_cute_work *work, const struct lw_cute_tuple *start,
                      struct lw_cute *cute)
{
    struct lw_cute_tuple *origin = lw_arena_alloc(work->arena, sizeof *origin);
    if (!origin)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    *origin = *start;
    cute->origin = origin;
    cute->iterator = "ArithTuple";
    cute->part = is_nonzero(start);
    return true;
}

static bool start_at(struct lw_calculation *calc, const struct lw_node *node, struct lw_cute *cute)
{
    struct lw_calc_result value;
    if (!lw_cute_is_of_coordinates(cute) && node->count > 1)
        return lw_error_at(
            calc->err, LW_ERROR_SHAPE, lw_node_last(node)->position,
            "ArithTuple must be followed by a layout of coordinates, (4,8):(_1@0,_1@1)");
    if (node->count == 1) { /* ArithTuple_0 */
        cute->iterator = node->name;
        return true;
    }
    if (!calc->evaluate(calc, node->items, &value))
        return false;
    if (value.kind != LW_CALC_TUPLE || !lw_calc_integers(&value.as.tuple, calc->err))
        return lw_node_unexpected(node->items, "a coordinate", calc->err);
    const struct lw_cute_work work = {.arena = calc->arena, .err = calc->err};
    return set_start(&work, &value.as.tuple, cute);
}

/* ---- Pointers ---- */

/* A swizzled pointer swizzles addresses. Offsets are swizzled alike only where the address is a multiple of the bytes
 * that the swizzle permutes. */
static bool swizzle_pointer(struct lw_calculation *calc, const struct lw_node *node,
                            struct lw_cute *cute)
{
    const char *address = strchr(node->name, '(') + 1;
    const struct lw_cute_swizzle *s = &cute->swizzle;
    if (!lw_calc_swizzle(calc, node->items, &cute->swizzle))
        return false;
    uint64_t period = (uint64_t)1 << (s->bits + s->base + abs(s->shift));
    if (strtoull(address, NULL, 16) % period)
        return lw_error_at(
            calc->err, LW_ERROR_UNSUPPORTED, node->position,
            "the pointer is not a multiple of %llu bytes, the period of the swizzle, "
            "which swizzles addresses: its offsets are not those of a layout",
            (unsigned long long)period);
    cute->composed = true;
    cute->pointer = (int)node->integer;
    return true;
}

bool lw_calc_tensor(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *value)
{
    struct lw_cute *cute = &value->as.cute;
    bool pointer = node->integer > 0, swizzled = pointer && node->count > 1;
    if (!lw_calc_to_cute(calc, value))
        return calc->err->code != LW_OK
                   ? false
                   : lw_error_at(calc->err, LW_ERROR_SHAPE, lw_node_last(node)->position,
                                 "a tensor has a layout, and this is %s",
                                 lw_calc_kind_name(value->kind));
    if (pointer &&
        (lw_cute_is_of_coordinates(cute) || (swizzled && cute->composed) || node->integer > 1024))
        return lw_error_at(calc->err, LW_ERROR_SHAPE, lw_node_last(node)->position,
                           "a pointer to elements of 1 to 1024 bits must be followed by a layout "
                           "such as (4,8):(8,1)");
    lw_calc_clear_atom(cute);
    if (!pointer)
        return start_at(calc, node, cute);
    if (swizzled && !swizzle_pointer(calc, node, cute))
        return false;
    cute->iterator = node->name;
    return true;
}

/* ---- make_identity_tensor ---- */

static bool zero_of(struct lw_cute_work *work, const struct lw_cute_tuple *leaf, const void *none,
                    struct lw_cute_tuple *out)
{
    (void)work, (void)leaf, (void)none;
    *out = lw_cute_integer(0, true);
    return true;
}

LW_CALC_RUN(lw_calc_run_make_identity_tensor)
{
    const struct lw_cute_tuple *shape = &call->args[0].as.tuple;
    struct lw_cute_tuple zero;
    out->as.cute = (struct lw_cute){0};
    return lw_cute_identity(&call->work, shape, &out->as.cute.layout) &&
           (shape->count < 0 || (lw_cute_each_leaf(&call->work, shape, zero_of, NULL, &zero) &&
                                 set_start(&call->work, &zero, &out->as.cute)));
}

/* ---- make_tensor ---- */

/* make_inttuple_iter((1,2)), of one coordinate or of its numbers. */
LW_CALC_RUN(lw_calc_run_make_start)
{
    const struct lw_cute_tuple *given = &call->args[0].as.tuple;
    out->as.tuple = given->count == 1 && given->items[0].count >= 0 ? given->items[0] : *given;
    out->as.tuple.start = true;
    return true;
}

/* A tensor is its layout; a part of it also has a start. */
LW_CALC_RUN(lw_calc_run_make_tensor)
{
    const struct lw_cute_tuple *whole = &call->args[0].as.tuple, *last;
    struct lw_cute_tuple rest = *whole, *list = &rest;
    struct lw_cute *cute = &out->as.cute;
    last = &whole->items[whole->count > 0 ? whole->count - 1 : 0];
    bool layout = last->count < 0 && last->leaf == LW_CUTE_LAYOUT;
    bool start = whole->count > 0 && whole->items[0].start;
    bool from = whole->count == 3 || (whole->count == 2 && (layout || start));
    if (from) {
        rest.items++;
        rest.count--;
    }
    if (list->count == 1 && list->items[0].count < 0 && list->items[0].leaf == LW_CUTE_LAYOUT)
        *cute = *list->items[0].layout;
    else if (!lw_calc_make_layout(&call->work, list, cute))
        return false;
    lw_calc_clear_atom(cute);
    cute->part = !lw_cute_is_of_coordinates(cute);
    if ((from || start) && !lw_cute_is_of_coordinates(cute))
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, whole->items[0].position,
                           "make_tensor: a coordinate must be followed by a layout of coordinates, "
                           "(4,8):(_1@0,_1@1)");
    return !from || (lw_calc_integers(&whole->items[0], call->work.err) &&
                     set_start(&call->work, &whole->items[0], cute));
}

LW_CALC_RUN(lw_calc_run_make_registers)
{
    out->as.cute = call->args[0].as.value->as.cute;
    lw_calc_clear_atom(&out->as.cute);
    out->as.cute.part = true;
    return true;
}
