/*
 * CuTe notation in the calculator: tuples, shapes with strides, swizzles.
 *
 *     layout    shape `:` stride | swizzle [`o` offset] `o` layout
 *     shape     integer | `(` shape {`,` shape} `)`
 *     integer   3 | _3
 *     swizzle   (`Sw` | `Swizzle` | `S`) `<` bits `,` base `,` shift `>`
 *     offset    integer | `smem_ptr[16b]` [`(unset)`]
 *
 * `(4)` is a tuple of one, which CuTe keeps apart from 4; in a number's place it is the number.
 */

#include "notation/calc_table.h"

#include <string.h>

static struct lw_cute_work work_of(struct lw_calc_reader *reader)
{
    return (struct lw_cute_work){reader->scan.arena, reader->scan.err, reader->steps, false};
}

/* ---- Integers ---- */

static void set_integer(struct lw_calc_result *value, int64_t number, bool fixed,
                        struct lw_place place)
{
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = (struct lw_calc_item){
        .kind = LW_CALC_NUMBER, .place = place, .fixed = fixed, .number = number};
}

bool lw_calc_read_integer(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    lw_scan_space(scan);
    struct lw_place place = lw_scan_place(scan);
    bool negative = lw_scan_take(scan, '-');
    int64_t number;
    if (!lw_scan_integer(scan, &number))
        return false;
    set_integer(value, negative ? -number : number, false, lw_scan_until(scan, place));
    return true;
}

bool lw_calc_blank_name(const char *name, struct lw_place place, struct lw_calc_result *value)
{
    size_t digits = strspn(name + 1, "0123456789");
    int64_t number = 0;
    if (name[0] != '_' || name[1 + digits])
        return false;
    for (size_t i = 0; i < digits; i++)
        number = number > INT64_MAX / 10 - 10 ? INT64_MAX / 10 : number * 10 + (name[1 + i] - '0');
    set_integer(value, number, true, place);
    if (!digits)
        value->kind = value->as.tuple.kind = LW_CALC_BLANK;
    return true;
}

bool lw_calc_order_name(const char *name, struct lw_place place, struct lw_calc_result *value)
{
    static const char *const names[] = {"LayoutLeft", "GenColMajor", "LayoutRight", "GenRowMajor"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, names[i])) {
            set_integer(value, i >= 2, false, place);
            value->kind = value->as.tuple.kind = LW_CALC_ORDER;
            return true;
        }
    return false;
}

/* ---- Items ---- */

bool lw_calc_to_item(struct lw_calc_reader *reader, const struct lw_calc_result *value,
                     struct lw_place place, struct lw_calc_item *item)
{
    struct lw_cute *cute;
    *item = (struct lw_calc_item){.kind = value->kind, .place = place};
    switch (value->kind) {
    case LW_CALC_TUPLE:
    case LW_CALC_BLANK:
    case LW_CALC_ORDER:
        *item = value->as.tuple;
        item->place = place;
        return true;
    case LW_CALC_NUMBER:
        item->number = (int64_t)value->as.number;
        return true;
    case LW_CALC_CUTE:
        cute = lw_arena_alloc(reader->scan.arena, sizeof *cute);
        item->cute = cute;
        if (!cute)
            return lw_scan_out_of_memory(&reader->scan);
        *cute = value->as.cute;
        return true;
    default:
        return lw_error_at(reader->scan.err, LW_ERROR_SHAPE, place,
                           "a tuple holds numbers, tuples and layouts of CuTe, not %s",
                           lw_calc_kind_name(value->kind));
    }
}

static bool read_item(struct lw_calc_reader *reader, struct lw_calc_item *item)
{
    struct lw_calc_result value;
    struct lw_scan *scan = &reader->scan;
    lw_scan_space(scan);
    struct lw_place place = lw_scan_place(scan);
    return lw_calc_read_expression(reader, &value) &&
           lw_calc_to_item(reader, &value, lw_scan_until(scan, place), item);
}

/* More items after a comma, up to the parenthesis, which is left. */
static bool read_more(struct lw_calc_reader *reader, struct lw_calc_item *tuple, size_t *room)
{
    struct lw_calc_item item;
    while (lw_scan_take(&reader->scan, ',')) {
        if (lw_scan_peek(&reader->scan) == ')') /* (4,) */
            return true;
        if (!read_item(reader, &item) || !lw_calc_append(reader, tuple, room, &item))
            return false;
    }
    return true;
}

bool lw_calc_read_items(struct lw_calc_reader *reader, struct lw_calc_item *tuple)
{
    struct lw_calc_item item;
    size_t room = 0;
    *tuple = (struct lw_calc_item){.kind = LW_CALC_TUPLE};
    if (lw_scan_peek(&reader->scan) == ')')
        return true;
    return read_item(reader, &item) && lw_calc_append(reader, tuple, &room, &item) &&
           read_more(reader, tuple, &room);
}

/* Whether parentheses make a tuple of it: of what was written, not of what was computed. */
static bool is_literal(const struct lw_calc_result *value)
{
    return value->kind == LW_CALC_TUPLE || value->kind == LW_CALC_BLANK;
}

bool lw_calc_read_group(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_calc_item tuple = {.kind = LW_CALC_TUPLE}, item;
    size_t room = 0;
    struct lw_place place = lw_scan_place(scan), inside;
    lw_scan_take(scan, '(');
    if (!lw_scan_enter(scan, lw_scan_until(scan, place)))
        return false;
    lw_scan_space(scan);
    inside = lw_scan_place(scan);
    if (!lw_calc_read_expression(reader, value))
        return false;
    bool more = lw_scan_peek(scan) == ',' || is_literal(value);
    if (more &&
        (!lw_calc_to_item(reader, value, lw_scan_until(scan, inside), &item) ||
         !lw_calc_append(reader, &tuple, &room, &item) || !read_more(reader, &tuple, &room)))
        return false;
    lw_scan_leave(scan);
    if (!lw_scan_expect(scan, ')', more ? "`,` or `)`" : "`)` or an operator"))
        return false;
    if (more) {
        tuple.place = lw_scan_until(scan, place);
        value->kind = LW_CALC_TUPLE;
        value->as.tuple = tuple;
    }
    return true;
}

/* ---- As layouts ---- */

bool lw_calc_item_tuple(const struct lw_calc_item *item, struct lw_arena *arena,
                        struct lw_cute_tuple *out, struct lw_error *err)
{
    *out = lw_cute_integer(item->number, item->fixed);
    out->place = item->place;
    if (item->kind == LW_CALC_NUMBER)
        return lw_calc_no_axis(item, err);
    if (item->kind != LW_CALC_TUPLE)
        return lw_error_at(err, LW_ERROR_SHAPE, item->place, "expected a number or a tuple, not %s",
                           lw_calc_kind_name(item->kind));
    struct lw_cute_tuple *items = lw_arena_alloc(arena, (size_t)(item->count + 1) * sizeof *items);
    if (!items)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < item->count; i++)
        if (!lw_calc_item_tuple(&item->items[i], arena, &items[i], err))
            return false;
    out->count = item->count;
    out->items = items;
    return true;
}

static bool compact_of(struct lw_calc_reader *reader, const struct lw_calc_item *item,
                       struct lw_cute_layout *out)
{
    struct lw_cute_work work = work_of(reader);
    struct lw_cute_tuple shape;
    return lw_calc_item_tuple(item, reader->scan.arena, &shape, reader->scan.err) &&
           lw_cute_compact(&work, &shape, false, out);
}

bool lw_calc_to_cute(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_cute cute = {0};
    struct lw_calc_item item;
    if (value->kind == LW_CALC_CUTE)
        return true;
    reader->scan.err->code = LW_OK;
    if ((value->kind != LW_CALC_TUPLE && value->kind != LW_CALC_NUMBER) ||
        !lw_calc_to_item(reader, value, lw_scan_place(&reader->scan), &item) ||
        !compact_of(reader, &item, &cute.layout))
        return false;
    value->kind = LW_CALC_CUTE;
    value->as.cute = cute;
    return true;
}

static bool item_to_tiler(struct lw_calc_reader *reader, const struct lw_calc_item *item,
                          struct lw_cute_tiler *tiler)
{
    *tiler = (struct lw_cute_tiler){.kind = LW_CUTE_TILER_LAYOUT};
    if (item->kind == LW_CALC_ORDER)
        return lw_error_at(reader->scan.err, LW_ERROR_SHAPE, item->place,
                           "an order of modes is for make_layout");
    if (item->kind == LW_CALC_BLANK) {
        tiler->kind = LW_CUTE_TILER_NONE;
        return true;
    }
    if (item->kind == LW_CALC_CUTE) {
        tiler->layout = item->cute->layout;
        return (!item->cute->composed && !item->cute->coords) ||
               lw_error_at(reader->scan.err, LW_ERROR_UNSUPPORTED, item->place, "a tiler has no %s",
                           item->cute->composed ? "swizzle" : "strides of coordinates");
    }
    if (!lw_calc_no_axis(item, reader->scan.err))
        return false;
    if (item->kind == LW_CALC_NUMBER) {
        struct lw_cute_work work = work_of(reader);
        struct lw_cute_tuple size = lw_cute_integer(item->number, item->fixed);
        struct lw_cute_tuple step = lw_cute_integer(1, item->fixed);
        size.place = item->place;
        tiler->integer = true;
        return lw_cute_make(&work, &size, &step, &tiler->layout);
    }
    struct lw_cute_tiler *modes =
        lw_arena_alloc(reader->scan.arena, (size_t)(item->count + 1) * sizeof *modes);
    if (!modes)
        return lw_scan_out_of_memory(&reader->scan);
    for (int i = 0; i < item->count; i++)
        if (!item_to_tiler(reader, &item->items[i], &modes[i]))
            return false;
    tiler->kind = LW_CUTE_TILER_MODES;
    tiler->count = item->count;
    tiler->modes = modes;
    return true;
}

bool lw_calc_to_tiler(struct lw_calc_reader *reader, const struct lw_calc_result *value,
                      struct lw_place place, struct lw_cute_tiler *tiler)
{
    struct lw_calc_item item;
    return lw_calc_to_item(reader, value, place, &item) && item_to_tiler(reader, &item, tiler);
}

/* Whether a name follows that may be a stride: _3, Int<3>. */
static bool stride_ahead(struct lw_calc_reader *reader)
{
    struct lw_calc_reader ahead = *reader;
    struct lw_calc_result value;
    struct lw_place place;
    const char *name = lw_scan_name(&ahead.scan, &place);
    return name && (lw_calc_type_ahead(&ahead, name) ||
                    (lw_calc_blank_name(name, place, &value) && value.kind == LW_CALC_TUPLE));
}

bool lw_calc_read_stride(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_cute_work work = work_of(reader);
    struct lw_calc_result right;
    struct lw_cute_tuple shape;
    struct lw_cute cute;
    if (value->kind != LW_CALC_TUPLE || !lw_scan_take(scan, ':'))
        return true;
    struct lw_place place = lw_scan_place(scan);
    char c = lw_scan_peek(scan);
    if (c == '-' || (c >= '0' && c <= '9')) {
        if (!lw_calc_read_integer(reader, &right))
            return false;
    } else if (c != '(' && !stride_ahead(reader)) {
        return lw_scan_unexpected(scan, "a stride");
    } else if (!lw_calc_read_alone(reader, &right)) {
        return false;
    }
    if (!lw_calc_read_axis(reader, &right))
        return false;
    if (right.kind != LW_CALC_TUPLE)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, place),
                           "a stride is a number or a tuple of numbers");
    if (!lw_calc_item_tuple(&value->as.tuple, scan->arena, &shape, scan->err) ||
        !lw_calc_strided(&work, &shape, &right.as.tuple, &cute))
        return false;
    value->kind = LW_CALC_CUTE;
    value->as.cute = cute;
    return true;
}

/* ---- Swizzles ---- */

bool lw_calc_swizzle_ahead(struct lw_calc_reader *reader, const char *name)
{
    return (!strcmp(name, "Sw") || !strcmp(name, "Swizzle") || !strcmp(name, "S")) &&
           lw_scan_peek(&reader->scan) == '<';
}

/* A number of a swizzle or in brackets, within an int. */
static bool read_small(struct lw_calc_reader *reader, int *out)
{
    struct lw_scan *scan = &reader->scan;
    lw_scan_space(scan);
    struct lw_place place = lw_scan_place(scan);
    bool negative = lw_scan_take(scan, '-');
    int64_t number;
    if (!lw_scan_integer(scan, &number))
        return false;
    if (number > 1024)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, lw_scan_until(scan, place),
                           "%lld is too large here", (long long)number);
    *out = negative ? (int)-number : (int)number;
    return true;
}

static bool read_angles(struct lw_calc_reader *reader, struct lw_place place,
                        struct lw_cute_swizzle *swizzle)
{
    struct lw_scan *scan = &reader->scan;
    int *const parts[] = {&swizzle->bits, &swizzle->base, &swizzle->shift};
    for (int i = 0; i < 3; i++)
        if (!lw_scan_expect(scan, i ? ',' : '<', i ? "`,`" : "`<`") ||
            !read_small(reader, parts[i]))
            return false;
    if (!lw_scan_expect(scan, '>', "`>`"))
        return false;
    if (lw_cute_swizzle_check(swizzle, scan->err))
        return true;
    scan->err->place = lw_scan_until(scan, place);
    return false;
}

/* `smem_ptr[16b](unset)`, after its name. */
static bool read_pointer(struct lw_calc_reader *reader, int *bits)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_place place = lw_scan_place(scan);
    if (!lw_scan_expect(scan, '[', "`[`") || !read_small(reader, bits) ||
        (!lw_scan_word(scan, "b") && !lw_scan_unexpected(scan, "`b`, for bits")) ||
        !lw_scan_expect(scan, ']', "`]`"))
        return false;
    if (*bits < 1)
        return lw_error_at(scan->err, LW_ERROR_PARAMETER, lw_scan_until(scan, place),
                           "an element has from 1 to 1024 bits, not %d", *bits);
    if (!lw_scan_take(scan, '('))
        return true;
    return (lw_scan_word(scan, "unset") || lw_scan_unexpected(scan, "`unset`")) &&
           lw_scan_expect(scan, ')', "`)`");
}

static bool expect_o(struct lw_scan *scan, const char *what)
{
    return lw_scan_word(scan, "o") || lw_scan_unexpected(scan, what);
}

/* What a swizzle is before: a layout, perhaps after an offset. */
static bool read_swizzled(struct lw_calc_reader *reader, struct lw_cute *cute)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_calc_result value;
    struct lw_place place;
    lw_scan_space(scan);
    place = lw_scan_place(scan);
    bool pointer = lw_scan_word(scan, "smem_ptr");
    if (pointer && (!read_pointer(reader, &cute->pointer) || !expect_o(scan, "`o` and a layout")))
        return false;
    if (!lw_calc_read_primary(reader, &value))
        return false;
    bool offset = !pointer && value.kind == LW_CALC_TUPLE && value.as.tuple.kind == LW_CALC_NUMBER;
    if (offset) {
        cute->offset = value.as.tuple.number;
        cute->fixed = value.as.tuple.fixed;
        if (cute->offset < 0 || cute->offset > LW_CUTE_MOST)
            return lw_error_at(scan->err, LW_ERROR_PARAMETER, lw_scan_until(scan, place),
                               "an offset of %lld: from 0 to 2^62", (long long)cute->offset);
        if (!expect_o(scan, "`:` and a stride, or `o` and a layout") ||
            !lw_calc_read_primary(reader, &value))
            return false;
    } else if (!pointer) {
        cute->fixed = true;
    }
    if (value.kind == LW_CALC_CUTE && !value.as.cute.composed) {
        cute->layout = value.as.cute.layout;
        return true;
    }
    return lw_error_at(scan->err, LW_ERROR_SHAPE, lw_scan_until(scan, place),
                       "a swizzle is before a layout such as (8,64):(64,1), not %s",
                       value.kind == LW_CALC_CUTE ? "another swizzle"
                                                  : lw_calc_kind_name(value.kind));
}

bool lw_calc_read_swizzle(struct lw_calc_reader *reader, struct lw_place place,
                          struct lw_calc_result *value)
{
    struct lw_cute cute = {.composed = true};
    if (!read_angles(reader, place, &cute.swizzle))
        return false;
    value->kind = LW_CALC_SWIZZLE;
    value->as.swizzle = cute.swizzle;
    if (!lw_calc_read_braces(reader))
        return false;
    if (!lw_scan_word(&reader->scan, "o"))
        return true;
    if (!lw_scan_enter(&reader->scan, place) || !read_swizzled(reader, &cute))
        return false;
    lw_scan_leave(&reader->scan);
    value->kind = LW_CALC_CUTE;
    value->as.cute = cute;
    return true;
}
