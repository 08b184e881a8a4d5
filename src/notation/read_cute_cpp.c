/*
 * CuTe as it is written in C++, and strides of coordinates:
 *
 *     Int<4>{}   C<4>{}   _4{}                       the integer _4
 *     Shape<_4, Int<8>>{}   Stride<_8, _1>           tuples; Tile, Coord and Step too
 *     Layout<Shape<_4,_8>, Stride<_8,_1>>{}          a layout; without strides a compact one
 *     E<0>{}   2@1   1@1@0                           steps along a coordinate, the innermost first
 *     <3:3, (2,4):(1,8)>                             a tiler for each mode
 */

#include "notation/calc_table.h"

#include <string.h>

/* ---- Items ---- */

bool lw_calc_append(struct lw_calc_reader *reader, struct lw_calc_item *tuple, size_t *room,
                    const struct lw_calc_item *item)
{
    struct lw_calc_item *items = (struct lw_calc_item *)tuple->items;
    if ((size_t)tuple->count == *room) {
        *room = *room ? 2 * *room : 4;
        items = lw_arena_alloc(reader->scan.arena, *room * sizeof *items);
        if (!items)
            return lw_scan_out_of_memory(&reader->scan);
        if (tuple->count)
            memcpy(items, tuple->items, (size_t)tuple->count * sizeof *items);
        tuple->items = items;
    }
    items[tuple->count++] = *item;
    return true;
}

/* Items after a `<`, through the `>`. */
static bool read_angles(struct lw_calc_reader *reader, struct lw_place place, const char *expected,
                        struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_calc_item tuple = {.kind = LW_CALC_TUPLE}, item;
    size_t room = 0;
    if (!lw_scan_expect(scan, '<', "`<`") || !lw_scan_enter(scan, place))
        return false;
    do {
        struct lw_calc_result inner;
        lw_scan_space(scan);
        struct lw_place start = lw_scan_place(scan);
        if (lw_scan_peek(scan) == '>' || lw_scan_peek(scan) == ',')
            return lw_scan_unexpected(scan, expected);
        if (!lw_calc_read_expression(reader, &inner) ||
            !lw_calc_to_item(reader, &inner, lw_scan_until(scan, start), &item) ||
            !lw_calc_append(reader, &tuple, &room, &item))
            return false;
    } while (lw_scan_take(scan, ','));
    lw_scan_leave(scan);
    if (!lw_scan_expect(scan, '>', "`,` or `>`"))
        return false;
    tuple.place = lw_scan_until(scan, place);
    value->kind = LW_CALC_TUPLE;
    value->as.tuple = tuple;
    return true;
}

bool lw_calc_read_tiler(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_place place = lw_scan_place(&reader->scan);
    if (!read_angles(reader, place, "a tiler, as in <3:3, (2,4):(1,8)>", value))
        return false;
    return lw_scan_peek(&reader->scan) != ':' ||
           lw_error_at(reader->scan.err, LW_ERROR_SYNTAX, lw_scan_place(&reader->scan),
                       "<...> is a tiler for each mode and has no stride; a shape is (...)");
}

/* ---- Types ---- */

typedef bool finish(struct lw_calc_reader *reader, struct lw_calc_result *value);

/* The one integer of Int<4>. */
static bool one_integer(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_calc_item item = value->as.tuple;
    if (item.count != 1 || item.items[0].kind != LW_CALC_NUMBER || item.items[0].axis)
        return lw_error_at(reader->scan.err, LW_ERROR_SHAPE, item.place,
                           "an integer in CuTe is written Int<4>{} or _4");
    if (item.items[0].number < 0)
        return lw_error_at(reader->scan.err, LW_ERROR_PARAMETER, item.items[0].place,
                           "%lld: CuTe has negative constants, as strides; here a constant is from "
                           "0 to 2^62",
                           (long long)item.items[0].number);
    value->as.tuple = item.items[0];
    value->as.tuple.fixed = true;
    value->as.tuple.place = item.place;
    return true;
}

static bool as_tuple(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    (void)reader;
    (void)value;
    return true;
}

static bool as_layout(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_cute_work work = {reader->scan.arena, reader->scan.err, reader->steps, false};
    struct lw_calc_item list = value->as.tuple;
    value->kind = LW_CALC_CUTE;
    if (lw_calc_make_layout(&work, &list, &value->as.cute))
        return true;
    if (reader->scan.err->place.line == 0)
        reader->scan.err->place = list.place;
    return false;
}

/* E<0,1>: one step along coordinate 1 of 0. */
static bool as_axis(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_calc_item path = value->as.tuple;
    struct lw_cute_axis *axis = lw_arena_alloc(reader->scan.arena, sizeof *axis);
    if (!axis)
        return lw_scan_out_of_memory(&reader->scan);
    memset(axis, 0, sizeof *axis);
    for (int i = 0; i < path.count; i++) {
        if (i == LW_CUTE_AXIS_DEPTH || path.items[i].kind != LW_CALC_NUMBER ||
            path.items[i].number < 0 || path.items[i].number > LW_CUTE_AXIS_MOST)
            return lw_error_at(reader->scan.err, LW_ERROR_PARAMETER, path.place,
                               "at most %d places of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MOST);
        axis->at[axis->depth++] = (int)path.items[i].number;
    }
    value->as.tuple = (struct lw_calc_item){
        .kind = LW_CALC_NUMBER, .place = path.place, .fixed = true, .number = 1, .axis = axis};
    return true;
}

static const struct {
    const char *name;
    finish *finish;
} types[] = {
    {"Int", one_integer},  {"C", one_integer},  {"Shape", as_tuple}, {"Stride", as_tuple},
    {"Tile", as_tuple},    {"Coord", as_tuple}, {"Step", as_tuple},  {"tuple", as_tuple},
    {"Layout", as_layout}, {"E", as_axis},
};

bool lw_calc_type_ahead(struct lw_calc_reader *reader, const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(name, types[i].name))
            return lw_scan_peek(&reader->scan) == '<';
    return false;
}

bool lw_calc_read_type(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value)
{
    size_t i = 0;
    while (strcmp(name, types[i].name) != 0)
        i++;
    return read_angles(reader, place, "an integer, a tuple or a layout", value) &&
           types[i].finish(reader, value) && lw_calc_read_braces(reader);
}

bool lw_calc_read_braces(struct lw_calc_reader *reader)
{
    return !lw_scan_take(&reader->scan, '{') ||
           lw_scan_expect(&reader->scan, '}', "`}`: types of CuTe are made without arguments");
}

/* ---- Strides of coordinates ---- */

bool lw_calc_read_axis(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_cute_axis *axis = NULL;
    struct lw_place place = lw_scan_place(scan);
    if (value->kind != LW_CALC_TUPLE || value->as.tuple.kind != LW_CALC_NUMBER ||
        value->as.tuple.axis)
        return true;
    while (lw_scan_take(scan, '@')) {
        int64_t at;
        if (!axis && !(axis = lw_arena_alloc(scan->arena, sizeof *axis)))
            return lw_scan_out_of_memory(scan);
        if (!value->as.tuple.axis)
            memset(axis, 0, sizeof *axis);
        value->as.tuple.axis = axis;
        lw_scan_space(scan);
        if (!lw_scan_integer(scan, &at))
            return false;
        if (at > LW_CUTE_AXIS_MOST || axis->depth == LW_CUTE_AXIS_DEPTH)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, lw_scan_until(scan, place),
                               "at most %d places of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MOST);
        memmove(axis->at + 1, axis->at, (size_t)axis->depth * sizeof *axis->at);
        axis->at[0] = (int)at;
        axis->depth++;
    }
    return true;
}

bool lw_calc_no_axis(const struct lw_calc_item *item, struct lw_error *err)
{
    struct lw_text text = {0};
    if (!item->axis)
        return true;
    lw_cute_axis_print(&text, item->axis);
    lw_error_at(err, LW_ERROR_SHAPE, item->place,
                "%lld%s is a stride of coordinates, and stands after the `:` of a layout only",
                (long long)item->number, lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

static bool collect(const struct lw_calc_item *item, struct lw_cute_coords *coords,
                    struct lw_error *err)
{
    for (int i = 0; item->kind == LW_CALC_TUPLE && i < item->count; i++)
        if (!collect(&item->items[i], coords, err))
            return false;
    return item->kind != LW_CALC_NUMBER || !item->axis ||
           lw_cute_coords_add(coords, item->axis, item->place, err);
}

/* The strides as integers. */
static bool pack(const struct lw_calc_item *item, const struct lw_cute_coords *coords,
                 struct lw_arena *arena, struct lw_cute_tuple *out, struct lw_error *err)
{
    struct lw_calc_item plain = *item;
    plain.axis = NULL;
    if (item->kind == LW_CALC_TUPLE) {
        struct lw_cute_tuple *items =
            lw_arena_alloc(arena, (size_t)(item->count + 1) * sizeof *items);
        if (!items)
            return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        for (int i = 0; i < item->count; i++)
            if (!pack(&item->items[i], coords, arena, &items[i], err))
                return false;
        *out = (struct lw_cute_tuple){.count = item->count, .items = items, .place = item->place};
        return true;
    }
    if (!lw_calc_item_tuple(&plain, arena, out, err))
        return false;
    if (!item->axis)
        return item->number == 0 ||
               lw_error_at(err, LW_ERROR_SHAPE, item->place,
                           "a stride of %lld among strides of coordinates: 0, or such as %lld@0",
                           (long long)item->number, (long long)item->number);
    return lw_cute_coords_stride(coords, item->axis, item->number, item->place, &out->value, err);
}

bool lw_calc_strided(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_calc_item *stride, struct lw_cute *out)
{
    struct lw_cute_coords found = {0}, *coords;
    memset(out, 0, sizeof *out);
    out->layout.shape = *shape;
    if (!collect(stride, &found, work->err))
        return false;
    if (found.count == 0)
        return lw_calc_item_tuple(stride, work->arena, &out->layout.stride, work->err) &&
               lw_cute_make(work, shape, &out->layout.stride, &out->layout);
    coords = lw_arena_alloc(work->arena, sizeof *coords);
    if (!coords)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    *coords = found;
    out->coords = coords;
    return pack(stride, coords, work->arena, &out->layout.stride, work->err) &&
           lw_cute_coords_make(work, coords, &out->layout);
}

/* ---- Elements ---- */

static const struct {
    const char *name;
    int bits;
} cpp_types[] = {
    {"int8_t", 8},       {"uint8_t", 8},       {"half_t", 16},       {"bfloat16_t", 16},
    {"int16_t", 16},     {"uint16_t", 16},     {"float", 32},        {"tfloat32_t", 32},
    {"int", 32},         {"int32_t", 32},      {"uint32_t", 32},     {"double", 64},
    {"int64_t", 64},     {"uint64_t", 64},     {"uint128_t", 128},   {"float_e4m3_t", 8},
    {"float_e5m2_t", 8}, {"float_ue8m0_t", 8}, {"float_ue4m3_t", 8},
};

int lw_calc_cpp_bits(const char *name)
{
    for (size_t i = 0; i < sizeof cpp_types / sizeof *cpp_types; i++)
        if (!strcmp(cpp_types[i].name, name))
            return cpp_types[i].bits;
    return 0;
}
