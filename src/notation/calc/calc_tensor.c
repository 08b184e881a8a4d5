/* Tensors as CuTe prints them: a pointer, or ArithTuple and the coordinate where it starts, before a layout. What
 * they point to is not known: the value is the layout, which is printed with the pointer again. */

#include "notation/calc/calc_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Coordinates ---- */

/* Notes that the start along an axis is not static. */
static bool add_moved(struct lw_cute *cute, const struct lw_cute_axis *axis)
{
    int64_t step = 0;
    if (lw_cute_coords_stride(cute->coords, axis, 1, (struct lw_position){0}, &step, NULL))
        cute->moved |= step;
    return true;
}

/* Adds the steps of a coordinate, whose number is at `axis`, to where a part starts. */
static bool add_steps(struct lw_error *err, struct lw_cute *cute,
                      const struct lw_cute_tuple *number, struct lw_cute_axis axis, int64_t *start)
{
    int64_t steps;
    if (axis.depth > LW_CUTE_AXIS_DEPTH || number->count > LW_CUTE_AXIS_MAX + 1)
        return lw_error_at(err, LW_ERROR_LIMIT, number->position,
                           "at most %d axes of coordinates, each from 0 to %d", LW_CUTE_AXIS_DEPTH,
                           LW_CUTE_AXIS_MAX);
    for (int i = 0; i < number->count; i++) {
        struct lw_cute_axis inner = axis;
        if (inner.depth < LW_CUTE_AXIS_DEPTH)
            inner.at[inner.depth] = i;
        inner.depth++;
        if (!add_steps(err, cute, &number->items[i], inner, start))
            return false;
    }
    if (number->count >= 0 || (number->value == 0 && number->fixed))
        return true;
    for (int i = 0; i < cute->coords->count; i++)
        if (!memcmp(&cute->coords->axis[i], &axis, sizeof axis))
            return (number->fixed || add_moved(cute, &axis)) &&
                   lw_cute_coords_stride(cute->coords, &axis, number->value, number->position,
                                         &steps, err) &&
                   ((*start += steps) >= 0);
    return !number->value ||
           lw_error_at(
               err, LW_ERROR_UNSUPPORTED, number->position,
               "the tensor starts at %lld of an axis that no stride of its layout goes along",
               (long long)number->value);
}

/* A tensor of coordinates, whose first one is `start`. */
static bool set_start(const struct lw_cute_work *work, const struct lw_cute_tuple *start,
                      struct lw_cute *cute)
{
    struct lw_text text = {0};
    const struct lw_cute_axis none = {0};
    if (!add_steps(work->err, cute, start, none, &cute->start))
        return false;
    cute->part = cute->start > 0;
    lw_text_add(&text, "ArithTuple");
    lw_calc_print_tuple(&text, start, false);
    cute->iterator = lw_arena_string(work->arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    return cute->iterator || lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
}

static bool start_at(struct lw_calculation *calc, const struct lw_node *node, struct lw_cute *cute)
{
    struct lw_calc_result value;
    if (!cute->coords && node->count > 1)
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
    if (pointer && (cute->coords || (swizzled && cute->composed) || node->integer > 1024))
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

static void put_zeros(struct lw_text *text, const struct lw_cute_tuple *shape)
{
    lw_text_add(text, shape->count < 0 ? "_0" : "(");
    for (int i = 0; i < shape->count; i++) {
        lw_text_add(text, i ? "," : "");
        put_zeros(text, &shape->items[i]);
    }
    lw_text_add(text, shape->count < 0 ? "" : ")");
}

LW_CALC_RUN(lw_calc_run_make_identity_tensor)
{
    struct lw_text text = {0};
    const struct lw_cute_tuple *shape = &call->args[0].as.tuple;
    if (!lw_cute_identity(&call->work, shape, &out->as.cute))
        return false;
    lw_text_add(&text, "ArithTuple");
    put_zeros(&text, shape);
    out->as.cute.iterator = lw_arena_string(call->work.arena, lw_text_string(&text), text.length);
    lw_text_free(&text);
    return out->as.cute.iterator || lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
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
    cute->part = !cute->coords;
    if ((from || start) && !cute->coords)
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
