/*
 * A layout of CuTe in memory, or of threads and values over a tile: as a map, and as the encoding cute. Source:
 * CUTLASS 4.
 *
 * The leaves are the digits of the map. A mode of the layout is a dim, and the divisor of its leaf number l is the
 * product of the sizes of the leaves before it.
 */

#include "core/array_count.h"
#include "core/map_kinds.h"
#include "encoding/cute/cute_parts.h"
#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"
#include "laneway/tensor.h"

#include <stdlib.h>
#include <string.h>

/* ---- As a map ---- */

/* Adds the leaves of one mode. */
static bool add_leaves(const struct lw_cute_layout *mode, int dim, struct lw_strides *out,
                       uint64_t *divisor, struct lw_error *err)
{
    for (int i = 0; i < mode->shape.count; i++) {
        struct lw_cute_layout inner = lw_cute_mode(mode, i);
        if (!add_leaves(&inner, dim, out, divisor, err))
            return false;
    }
    if (mode->shape.count >= 0 || mode->shape.value == 1)
        return true;
    if (out->count == LW_MODES_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, mode->shape.position,
                           "more than %d modes of more than one element", LW_MODES_MAX);
    if (mode->stride.value < 0)
        return lw_error_at(err, LW_ERROR_UNSUPPORTED, mode->stride.position,
                           "stride %lld: CuTe allows negative offsets, which are before the "
                           "pointer of a tensor, but the offsets of a memory start at 0",
                           (long long)mode->stride.value);
    uint64_t size = (uint64_t)mode->shape.value;
    out->mode[out->count++] = (struct lw_stride){size, (uint64_t)mode->stride.value, *divisor, dim};
    *divisor *= size;
    return true;
}

static bool strides_of(const struct lw_cute_layout *layout, struct lw_strides *out,
                       struct lw_dims *dims, struct lw_error *err)
{
    int rank = lw_cute_rank(&layout->shape);
    if (rank > LW_RANK_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, layout->shape.position,
                           "%d modes: a tensor has at most %d dims; group some", rank, LW_RANK_MAX);
    for (int i = 0; i < rank; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        uint64_t divisor = 1;
        char name[16];
        snprintf(name, sizeof name, "dim%d", i);
        if (!add_leaves(&mode, i, out, &divisor, err) || !lw_dims_add(dims, name, divisor, err))
            return false;
    }
    return true;
}

bool lw_cute_to_map(const struct lw_cute *cute, struct lw_map *map, struct lw_error *err)
{
    struct lw_strides strides = {.memory = true};
    struct lw_dims out = {0};
    struct lw_cute own;
    if (!lw_cute_in_elements(cute, &own, err) || !strides_of(&own.layout, &strides, &out, err))
        return false;
    if (own.composed) {
        strides.constant = (uint64_t)own.offset;
        strides.bits = own.swizzle.bits;
        strides.base = own.swizzle.base;
        strides.shift = own.swizzle.shift;
    }
    return lw_memory_map(map, &out, &strides, err);
}

/* ---- Threads and values, over a tile ---- */

bool lw_cute_tile_check(const struct lw_cute *cute, struct lw_error *err)
{
    uint64_t total = 1;
    int rank = lw_cute_rank(cute->tile);
    if (rank < 1 || rank > LW_RANK_MAX)
        return lw_error_at(err, LW_ERROR_SHAPE, cute->tile->position,
                           "a tile has from 1 to %d dims", LW_RANK_MAX);
    for (int i = 0; i < rank; i++) {
        const struct lw_cute_tuple *size = lw_cute_item(cute->tile, i);
        if (size->count >= 0 || size->value < 1 ||
            __builtin_mul_overflow(total, (uint64_t)size->value, &total) ||
            total > (uint64_t)LW_CUTE_MAX)
            return lw_error_at(err, LW_ERROR_SHAPE, size->position,
                               "a tile has sizes from 1 on, such as (16,8), and at most 2^62 "
                               "elements");
    }
    if (lw_cute_rank(&cute->layout.shape) != 2)
        return lw_error_at(err, LW_ERROR_SHAPE, cute->layout.shape.position,
                           "a layout of threads and values has 2 modes, this one %d",
                           lw_cute_rank(&cute->layout.shape));
    uint64_t end = (uint64_t)lw_cute_cosize(&cute->layout) + (uint64_t)cute->start;
    return end <= total ||
           lw_error_at(err, LW_ERROR_SHAPE, cute->layout.stride.position,
                       "the last thread and value are at element %llu, but the tile has %llu "
                       "elements",
                       (unsigned long long)end - 1, (unsigned long long)total);
}

/* A map of threads and values from `start` on; of a part values alone. Threads are lanes and warps where that is
 * possible. */
bool lw_cute_map(const struct lw_cute *cute, uint64_t lanes, struct lw_map *map,
                 struct lw_error *err)
{
    static const char *const names[] = {"thread", "local"};
    struct lw_strides strides = {.constant = (uint64_t)cute->start};
    struct lw_dims modes = {0}, in = {0}, out = {0};
    struct lw_layout layout;
    uint64_t tile[LW_RANK_MAX];
    if (!cute->tile)
        return lw_cute_to_map(cute, map, err);
    if (!lw_cute_tile_check(cute, err) || !strides_of(&cute->layout, &strides, &modes, err))
        return false;
    for (int i = 0; i < lw_cute_rank(cute->tile); i++)
        tile[i] = (uint64_t)lw_cute_item(cute->tile, i)->value;
    if (!lw_dims_of_shape(&out, tile, lw_cute_rank(cute->tile), err))
        return false;
    int least = cute->part && modes.dim[0].size == 1 ? 1 : 0;
    for (int i = 1; i >= least; i--) /* values come first, as registers do */
        if (!lw_dims_add(&in, names[i], modes.dim[i].size, err))
            return false;
    for (int i = 0; i < strides.count; i++)
        strides.mode[i].dim = 1 - strides.mode[i].dim;
    if (!lw_stride_map(map, &in, &out, &strides, err))
        return false;
    /* the threads of a quad pair are not consecutive lanes */
    if (lanes && cute->role != LW_CUTE_ROLE_QUAD_PAIR &&
        lw_map_to_hardware(map, lanes, &layout, NULL))
        lw_map_from_layout(map, &layout);
    return true;
}

/* ---- As threads and values ---- */

/* The dims of a tile, and the elements of it that a step along each axis is. */
struct tile {
    struct lw_cute_axes axes;
    int64_t end[LW_CUTE_AXES_MAX], weight[LW_CUTE_AXES_MAX];
};

static int find_axis(const struct lw_cute_axes *axes, unsigned axis)
{
    int i = 0;
    while (i + 1 < axes->count && axes->axis[i] != axis)
        i++;
    return i;
}

/* Adds the axes of a coordinate, whose own axis is `axis`. */
static bool add_axes(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                     unsigned short axis, struct lw_cute_axes *axes)
{
    unsigned short inner;
    for (int i = 0; i < coordinate->count; i++)
        if (!lw_cute_axis_inside(axis, i, &inner))
            return lw_error_at(work->err, LW_ERROR_LIMIT, coordinate->position,
                               "at most %d axes of coordinates, each from 0 to %d",
                               LW_CUTE_AXIS_DEPTH, LW_CUTE_AXIS_MAX);
        else if (!add_axes(work, &coordinate->items[i], inner, axes))
            return false;
    return coordinate->count >= 0 || !axis ||
           lw_cute_add_axis(work, axis, coordinate->position, axes);
}

/* The number of a coordinate along an axis. */
static int64_t along(const struct lw_cute_tuple *coordinate, unsigned axis)
{
    for (; axis && coordinate->count >= 0; axis >>= 4) {
        int i = (int)(axis & 15) - 1;
        if (i >= coordinate->count)
            return 0;
        coordinate = &coordinate->items[i];
    }
    return coordinate->count < 0 ? coordinate->value : 0;
}

/* Adds to `end` how far each axis is reached. */
static bool reach(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                  const struct lw_cute_tuple *stride, const struct lw_cute_axes *axes, int64_t *end)
{
    for (int i = 0; i < shape->count; i++)
        if (!reach(work, &shape->items[i], &stride->items[i], axes, end))
            return false;
    if (shape->count >= 0 || !stride->value)
        return true;
    int64_t *to = &end[find_axis(axes, stride->axis)];
    *to += (shape->value - 1) * stride->value; /* bounded by the cosize */
    return stride->value > 0 ||
           lw_error_at(work->err, LW_ERROR_UNSUPPORTED, stride->position,
                       "stride %lld of coordinates: the coordinates of a tile start at 0",
                       (long long)stride->value);
}

/* As far as each axis is reached; dims that no stride is along have size 1. */
static bool measure(struct lw_cute_work *work, struct tile *tile, struct lw_cute_tuple *sizes)
{
    struct lw_cute_tuple *items =
        lw_cute_new_items(work, LW_CUTE_AXES_MAX + LW_CUTE_AXIS_MAX + 1, sizes);
    int64_t total = 1;
    bool flat = true, only;
    sizes->count = 0;
    for (int i = 0; items && i < tile->axes.count; i++) {
        lw_cute_axis_first(tile->axes.axis[i], &only);
        flat = flat && only;
    }
    for (int i = 0; items && i < tile->axes.count; i++) {
        while (flat && sizes->count < lw_cute_axis_first(tile->axes.axis[i], &only))
            items[sizes->count++] = lw_cute_integer(1, false);
        tile->weight[i] = total;
        items[sizes->count++] = lw_cute_integer(tile->end[i] + 1, false);
        if (__builtin_mul_overflow(total, tile->end[i] + 1, &total) || total > LW_CUTE_MAX)
            return lw_cute_too_large(work, "the tile");
    }
    return items;
}

static bool element_stride(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                           const void *of, struct lw_cute_tuple *out)
{
    const struct tile *tile = of;
    *out = *leaf;
    out->axis = 0;
    return !leaf->value ||
           !__builtin_mul_overflow(leaf->value, tile->weight[find_axis(&tile->axes, leaf->axis)],
                                   &out->value) ||
           lw_cute_too_large(work, "the tile");
}

bool lw_cute_coords_to_tile(struct lw_cute_work *work, const struct lw_cute *cute,
                            struct lw_cute *out)
{
    struct tile tile = {{0}, {0}, {0}};
    struct lw_cute_tuple stride, *sizes = lw_arena_alloc(work->arena, sizeof *sizes);
    struct lw_cute_layout layout = cute->layout;
    int64_t start[LW_CUTE_AXES_MAX] = {0}, first = 0;
    if (!sizes)
        return lw_cute_memory(work);
    /* two modes are threads and values; of other modes, and of a part of a tensor, all elements are values of one
     * thread */
    if ((cute->part || lw_cute_rank(&layout.shape) != 2) &&
        !lw_cute_pair(work, lw_cute_leaf(1, 0, true), layout, &layout))
        return false;
    if (!lw_cute_axes_of(work, &layout.stride, &tile.axes) ||
        (cute->origin && !add_axes(work, cute->origin, 0, &tile.axes)))
        return false;
    for (int i = 0; cute->origin && i < tile.axes.count; i++)
        tile.end[i] = start[i] = along(cute->origin, tile.axes.axis[i]);
    if (!reach(work, &layout.shape, &layout.stride, &tile.axes, tile.end) ||
        !measure(work, &tile, sizes) ||
        !lw_cute_each_leaf(work, &layout.stride, element_stride, &tile, &stride))
        return false;
    for (int i = 0; i < tile.axes.count; i++)
        first += start[i] * tile.weight[i];
    *out = *cute;
    out->tensor = false;
    out->origin = NULL;
    out->tile = sizes;
    out->start = first;
    out->part = first > 0 || cute->of_thread;
    return lw_cute_make(work, &layout.shape, &stride, &out->layout) &&
           lw_cute_tile_check(out, work->err);
}

bool lw_cute_tile_print(struct lw_text *text, const struct lw_cute *cute, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_error scratch;
    struct lw_cute_work work = {
        .arena = &arena, .err = err ? err : &scratch, .rules = LW_CUTE_VALUES};
    struct lw_cute_layout tile, made;
    struct lw_cute_tuple sizes;
    bool good = lw_cute_product_each(&work, cute->tile, &sizes) &&
                lw_cute_set_tuple_fixed(&work, &sizes, true, &sizes) &&
                lw_cute_identity(&work, &sizes, &tile) &&
                lw_cute_compose(&work, &tile, &cute->layout, &made);
    if (good)
        lw_cute_layout_print(text, &made);
    lw_arena_free(&arena);
    return good;
}

/* Whether values, from element `start` of their tile on, stay inside the axes of the tile; not of over 2^16 values. */
static bool stays_inside(const struct lw_cute *values, int64_t start)
{
    int64_t size = lw_cute_size(&values->layout);
    for (int64_t i = 0; start && i < size && size <= 1 << 16; i++) {
        int64_t first = start, offset = lw_cute_offset(&values->layout, i);
        for (int d = 0; d < lw_cute_rank(values->tile); d++) {
            int64_t length = lw_cute_item(values->tile, d)->value;
            if (first % length + offset % length >= length)
                return false;
            first /= length;
            offset /= length;
        }
    }
    return !start || size <= 1 << 16;
}

/* Appends the values of one thread, a part that has a tile, with their coordinates: ArithTuple(17,2) o
 * ((_2,_2),_2):((_1@1,_8@0),_32@0). False: they leave the axes of the tile, and nothing is appended. */
static bool print_part(struct lw_text *text, const struct lw_cute *cute)
{
    const struct lw_cute values = {.layout = lw_cute_mode(&cute->layout, 1), .tile = cute->tile};
    struct lw_text along = {0};
    int64_t rest = cute->start;
    bool good = stays_inside(&values, rest) && lw_cute_tile_print(&along, &values, NULL);
    lw_text_add(text, good ? "ArithTuple(" : "");
    for (int i = 0; i < lw_cute_rank(cute->tile) && good; i++) {
        int64_t size = lw_cute_item(cute->tile, i)->value;
        lw_text_format(text, i ? ",%lld" : "%lld", (long long)(rest % size));
        rest /= size;
    }
    if (good)
        lw_text_format(text, ") o %s", lw_text_string(&along));
    lw_text_free(&along);
    return good;
}

/* ---- The encoding ---- */

static const struct lw_param params[] = {
    LW_ROW("shape", LW_PARAM_TUPLE, "the size of each mode; a mode may have modes",
           .fallback = LW_DEFAULT_REQUIRED),
    LW_ROW("stride", LW_PARAM_TUPLE, "how far a step in each mode goes, in the profile of shape",
           .fallback = LW_DEFAULT_REQUIRED),
    LW_ROW("swizzle", LW_PARAM_INTEGERS,
           "bits, base and shift: offset bits from base + shift on are xored into those from base "
           "on",
           .min = -30, .max = 30, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("offset", LW_PARAM_TUPLE,
           "added to every offset before the swizzle; with a tile, the element at which the part "
           "of one thread starts",
           .max = LW_CUTE_MAX, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("pointer", LW_PARAM_INTEGER,
           "bits of an element, 16 in smem_ptr[16b]; the swizzle then counts bytes", .min = 1,
           .max = 1024, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("tile", LW_PARAM_TUPLE,
           "the two modes are threads and values, and offsets are elements of a tile of that "
           "shape, its first dim fastest",
           .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("role", LW_PARAM_STRING,
           "the role of an operand of an atom: A, B or C in registers; memory, one in memory; "
           "bits, of a copy; quad pair, whose threads 4 to 7 are lanes 16 to 19",
           .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("tiling", LW_PARAM_STRING,
           "the tiled MMA or copy that it is an operand of, as a SOURCE: make_tiled_mma(...); when "
           "it is set, shape, stride and tile follow from it",
           .rules = LW_RULE_FOLLOWS, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("operand", LW_PARAM_STRING,
           "which operand of tiling: A, B or C of an MMA, S or D (source, destination) of a copy",
           .rules = LW_RULE_FOLLOWS, .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("thread", LW_PARAM_INTEGER,
           "the thread of a tiled MMA or copy whose part of a tensor it is; with a tile, the mode "
           "of threads has size 1",
           .rules = LW_RULE_FOLLOWS, .max = LW_CUTE_MAX, .fallback = LW_DEFAULT_ABSENT),
};

enum { SHAPE, STRIDE, SWIZZLE, OFFSET, POINTER, TILE, ROLE, TILING, OPERAND, THREAD };

static const char *const roles[] = {
    [LW_CUTE_ROLE_A] = "A",       [LW_CUTE_ROLE_B] = "B",
    [LW_CUTE_ROLE_C] = "C",       [LW_CUTE_ROLE_MEMORY] = "memory",
    [LW_CUTE_ROLE_BITS] = "bits", [LW_CUTE_ROLE_QUAD_PAIR] = "quad pair"};

/* ---- Values and trees ---- */

static struct lw_cute_tuple number_of(const struct lw_value *value)
{
    struct lw_cute_tuple number = lw_cute_integer(value->integer, lw_value_is_static(value));
    number.position = value->position;
    if (number.fixed)
        number.value = strtoll(value->string + 1, NULL, 10);
    return number;
}

/* A legal value of type LW_PARAM_TUPLE. */
static bool tuple_of(struct lw_arena *arena, const struct lw_value *value,
                     struct lw_cute_tuple *out)
{
    *out = number_of(value);
    if (value->kind != LW_VALUE_LIST)
        return true;
    struct lw_cute_tuple *items = NULL;
    bool good = arena && (items = lw_arena_alloc(arena, (value->count + 1) * sizeof *items));
    for (size_t i = 0; i < value->count && good; i++)
        good = tuple_of(arena, &value->items[i], &items[i]);
    out->count = (int)value->count;
    out->items = items;
    return good;
}

static bool value_of(struct lw_arena *arena, const struct lw_cute_tuple *tuple,
                     struct lw_value *out)
{
    *out = lw_value_integer(tuple->value);
    out->position = tuple->position;
    if (tuple->count < 0 && !tuple->fixed)
        return true;
    if (tuple->count < 0) {
        char text[24];
        int length = snprintf(text, sizeof text, "_%lld", (long long)tuple->value);
        out->kind = LW_VALUE_STRING;
        out->string = lw_arena_string(arena, text, (size_t)length);
        return out->string;
    }
    out->kind = LW_VALUE_LIST;
    out->count = (size_t)tuple->count;
    out->items = lw_arena_alloc(arena, (out->count + 1) * sizeof *out->items);
    bool good = out->items;
    for (int i = 0; i < tuple->count && good; i++)
        good = value_of(arena, &tuple->items[i], &out->items[i]);
    return good;
}

struct lw_encoding *lw_cute_to_encoding(struct lw_arena *arena, const struct lw_cute *cute)
{
    struct lw_cute whole;
    if (cute->start &&
        !cute->tile) { /* it becomes an offset before a swizzle, of 0 bits if there is none */
        if (!lw_cute_in_elements(cute, &whole, NULL))
            return NULL;
        whole.composed = true;
        whole.fixed = false;
        whole.offset += cute->start;
        whole.start = 0;
        cute = &whole;
    }
    struct lw_encoding *encoding = lw_encoding_new(arena, &lw_encoding_cute);
    struct lw_cute_tuple offset = lw_cute_integer(cute->offset, cute->fixed);
    int64_t swizzle[3] = {cute->swizzle.bits, cute->swizzle.base, cute->swizzle.shift};
    if (!encoding || !value_of(arena, &cute->layout.shape, &encoding->params[SHAPE]) ||
        !value_of(arena, &cute->layout.stride, &encoding->params[STRIDE]))
        return NULL;
    if (cute->composed)
        encoding->params[SWIZZLE] = lw_value_integers(arena, swizzle, 3);
    if (cute->composed && cute->pointer)
        encoding->params[POINTER] = lw_value_integer(cute->pointer);
    else if (cute->composed && !(cute->fixed && cute->offset == 0) &&
             !value_of(arena, &offset, &encoding->params[OFFSET]))
        return NULL;
    if (cute->tile && !value_of(arena, cute->tile, &encoding->params[TILE]))
        return NULL;
    if (cute->tile && cute->part)
        encoding->params[OFFSET] = lw_value_integer(cute->start);
    if (cute->of_thread)
        encoding->params[THREAD] = lw_value_integer(cute->thread);
    if (cute->role)
        encoding->params[ROLE] =
            (struct lw_value){.kind = LW_VALUE_STRING, .string = roles[cute->role]};
    if (cute->tiling) {
        encoding->params[TILING] =
            (struct lw_value){.kind = LW_VALUE_STRING, .string = cute->tiling};
        encoding->params[OPERAND] =
            (struct lw_value){.kind = LW_VALUE_STRING, .string = cute->operand};
    }
    encoding->position = cute->layout.shape.position;
    return encoding;
}

/* ---- Checking: the functions that make layouts check the values ---- */

static bool about(struct lw_error *err, const struct lw_encoding *encoding, int index)
{
    if (err && !err->position.line)
        err->position = encoding->params[index].position;
    if (err && !err->parameter[0])
        snprintf(err->parameter, sizeof err->parameter, "%s", params[index].name);
    return false;
}

/* The constant before a swizzle, or the element of a tile at which the part of one thread starts. */
static bool read_offset(const struct lw_encoding *encoding, struct lw_cute_tuple *constant,
                        struct lw_error *err)
{
    const struct lw_value *offset = &encoding->params[OFFSET];
    *constant = offset->kind == LW_VALUE_NONE ? lw_cute_integer(0, true) : number_of(offset);
    return (offset->kind != LW_VALUE_LIST && constant->value >= 0 &&
            constant->value <= LW_CUTE_MAX) ||
           lw_error_about(err, "offset", offset->position,
                          "offset: must be one number from 0 to 2^62");
}

static bool read_swizzle(const struct lw_encoding *encoding, struct lw_cute *cute,
                         struct lw_error *err)
{
    const struct lw_value *values = encoding->params;
    const struct lw_value *swizzle = &values[SWIZZLE], *offset = &values[OFFSET];
    struct lw_cute_tuple constant;
    cute->composed = swizzle->kind == LW_VALUE_LIST;
    if (cute->composed && swizzle->count != 3)
        return lw_error_about(err, "swizzle", swizzle->position,
                              "swizzle: %zu numbers, but bits, base and shift are 3",
                              swizzle->count);
    bool tile = values[TILE].kind != LW_VALUE_NONE;
    for (int i = tile ? POINTER : OFFSET; i <= POINTER; i++)
        if (!cute->composed && values[i].kind != LW_VALUE_NONE)
            return lw_error_about(err, params[i].name, values[i].position,
                                  "%s: only with a swizzle; swizzle = [0, 0, 0] does nothing",
                                  params[i].name);
    if (!cute->composed)
        return true;
    cute->swizzle =
        (struct lw_cute_swizzle){(int)swizzle->items[0].integer, (int)swizzle->items[1].integer,
                                 (int)swizzle->items[2].integer};
    cute->pointer = values[POINTER].kind == LW_VALUE_NONE ? 0 : (int)values[POINTER].integer;
    if (!read_offset(encoding, &constant, err))
        return false;
    if (cute->pointer && offset->kind != LW_VALUE_NONE)
        return lw_error_about(err, "offset", offset->position,
                              "offset: smem_ptr has none; set pointer or offset, not both");
    cute->offset = constant.value;
    cute->fixed = constant.fixed;
    return lw_cute_swizzle_check(&cute->swizzle, err) || about(err, encoding, SWIZZLE);
}

static bool read_role(const struct lw_encoding *encoding, struct lw_cute *cute,
                      struct lw_error *err)
{
    const struct lw_value *value = &encoding->params[ROLE];
    for (int i = 1; i < (int)LW_COUNT(roles) && value->kind == LW_VALUE_STRING; i++)
        if (!strcmp(value->string, roles[i]))
            cute->role = (enum lw_cute_role)i;
    return cute->role || value->kind == LW_VALUE_NONE ||
           lw_error_about(err, "role", value->position,
                          "role: must be A, B, C, memory, bits or quad pair");
}

static bool read_tiling(const struct lw_encoding *encoding, struct lw_cute *cute,
                        struct lw_error *err)
{
    const struct lw_value *tiling = &encoding->params[TILING];
    const struct lw_value *operand = &encoding->params[OPERAND];
    if (tiling->kind == LW_VALUE_STRING && operand->kind == LW_VALUE_STRING) {
        cute->tiling = tiling->string;
        cute->operand = operand->string;
    }
    return tiling->kind == operand->kind ||
           lw_error_about(err, tiling->kind ? "operand" : "tiling", encoding->position,
                          "tiling and operand: set both or none");
}

bool lw_cute_is_quad_pair(const struct lw_encoding *encoding)
{
    return encoding->type == &lw_encoding_cute && encoding->params[ROLE].kind == LW_VALUE_STRING &&
           !strcmp(encoding->params[ROLE].string, roles[LW_CUTE_ROLE_QUAD_PAIR]) &&
           encoding->params[TILING].kind == LW_VALUE_NONE;
}

/* The threads of a layout over a tile. */
static int64_t threads_of(const struct lw_cute *cute)
{
    return lw_cute_product(lw_cute_item(&cute->layout.shape, 0));
}

/* Checks a part of one thread over a tile: its mode of threads has size 1. */
static bool check_thread(const struct lw_encoding *encoding, const struct lw_cute *cute,
                         struct lw_error *err)
{
    return !cute->of_thread || !cute->tile || threads_of(cute) == 1 ||
           lw_error_about(err, "thread", encoding->params[THREAD].position,
                          "thread: the layout has a mode of %lld threads, and the part of one "
                          "thread has one",
                          (long long)threads_of(cute));
}

/* Reads the thread, and with a tile the element at which its part starts. */
static bool read_part(const struct lw_encoding *encoding, struct lw_cute *cute,
                      struct lw_error *err)
{
    struct lw_cute_tuple start;
    if (cute->tile && !read_offset(encoding, &start, err))
        return false;
    cute->start = cute->tile ? start.value : 0;
    cute->of_thread = encoding->params[THREAD].kind != LW_VALUE_NONE;
    cute->part = cute->start > 0 || cute->of_thread;
    cute->thread = cute->of_thread ? encoding->params[THREAD].integer : 0;
    return check_thread(encoding, cute, err);
}

static bool of_encoding(struct lw_arena *arena, const struct lw_encoding *encoding,
                        struct lw_cute *cute, struct lw_error *err)
{
    struct lw_cute_work work = {.arena = arena, .err = err, .rules = LW_CUTE_VALUES};
    struct lw_cute_tuple shape, stride, tile;
    memset(cute, 0, sizeof *cute);
    if (!tuple_of(arena, &encoding->params[SHAPE], &shape) ||
        !tuple_of(arena, &encoding->params[STRIDE], &stride))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_cute_make(&work, &shape, &stride, &cute->layout))
        return about(err, encoding, STRIDE);
    if (!read_swizzle(encoding, cute, err) || !read_role(encoding, cute, err) ||
        !read_tiling(encoding, cute, err))
        return false;
    if (encoding->params[TILE].kind == LW_VALUE_NONE)
        return read_part(encoding, cute, err);
    struct lw_cute_tuple *own = lw_arena_alloc(arena, sizeof *own);
    if (!own || !tuple_of(arena, &encoding->params[TILE], &tile))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    *own = tile;
    cute->tile = own;
    if (cute->composed)
        return lw_error_about(err, "tile", encoding->params[TILE].position,
                              "tile: a layout of threads and values has no swizzle");
    return read_part(encoding, cute, err) &&
           (lw_cute_tile_check(cute, err) || about(err, encoding, TILE));
}

bool lw_cute_of_encoding(struct lw_arena *arena, const struct lw_encoding *encoding,
                         struct lw_cute *cute, struct lw_error *err)
{
    struct lw_error scratch;
    err = err ? err : &scratch;
    err->code = LW_OK;
    err->position = (struct lw_position){0};
    err->parameter[0] = '\0';
    return encoding->type == &lw_encoding_cute && of_encoding(arena, encoding, cute, err);
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_cute cute;
    int bits = tensor->element.bits;
    bool good = lw_cute_of_encoding(&arena, encoding, &cute, err);
    if (good && cute.pointer && bits && bits != cute.pointer)
        good = lw_error_about(err, "pointer", encoding->params[POINTER].position,
                              "smem_ptr[%db] means elements of %d bits, but %s has %d: recast(%d, "
                              "%d) of calc counts the same memory in those",
                              cute.pointer, cute.pointer,
                              *tensor->element.name ? tensor->element.name : "the tensor's", bits,
                              cute.pointer, bits);
    lw_arena_free(&arena);
    return good;
}

/* ---- Building ---- */

/* Whether the tensor has the layout's own shape: its modes, or the tile. */
static bool own_shape(const struct lw_cute *cute, const struct lw_tensor *tensor)
{
    const struct lw_cute_tuple *shape = cute->tile ? cute->tile : &cute->layout.shape;
    bool own = tensor->rank == lw_cute_rank(shape);
    for (int i = 0; i < tensor->rank && own; i++)
        own = (int64_t)tensor->shape[i] == lw_cute_product(lw_cute_item(shape, i));
    return own;
}

/* A tensor of another shape is a tile. */
static bool tile_of_tensor(struct lw_arena *arena, struct lw_cute *cute,
                           const struct lw_tensor *tensor, struct lw_error *err)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(arena, sizeof *tile);
    struct lw_cute_tuple *items = lw_arena_alloc(arena, ((size_t)tensor->rank + 1) * sizeof *items);
    if (!tile || !items)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < tensor->rank; i++)
        items[i] = lw_cute_integer((int64_t)tensor->shape[i], false);
    *tile = (struct lw_cute_tuple){.count = tensor->rank, .items = items};
    bool given = cute->tile;
    cute->tile = tile;
    if (!given && !cute->composed && lw_cute_tile_check(cute, err))
        return true;
    return lw_error_about(
        err, "shape", (struct lw_position){0},
        "the tensor has neither the shape of the layout nor that of a tile of it "
        "as threads and values; make_tiled_mma repeats an atom over a larger one");
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_arena arena = {0};
    struct lw_cute cute;
    struct lw_error scratch;
    err = err ? err : &scratch;
    bool good =
        lw_cute_of_encoding(&arena, encoding, &cute, err) &&
        (tensor->rank < 0 || own_shape(&cute, tensor) ||
         (tile_of_tensor(&arena, &cute, tensor, err) && check_thread(encoding, &cute, err))) &&
        lw_cute_map(&cute, 32, map, err);
    lw_arena_free(&arena);
    return good;
}

static void print(struct lw_text *text, const struct lw_encoding *encoding)
{
    struct lw_arena arena = {0};
    struct lw_cute cute;
    if (!lw_cute_of_encoding(&arena, encoding, &cute, NULL)) {
        lw_text_add(text, "(?)"); /* it is not legal */
    } else if (cute.tiling) {
        lw_text_format(text, "%s.%s", cute.tiling, cute.operand);
    } else if (cute.tile && cute.part && threads_of(&cute) == 1 && print_part(text, &cute)) {
        ; /* CuTe has no notation for a part of several threads, or for one that leaves its tile */
    } else {
        lw_cute_print(text, &cute);
        if (cute.tile && cute.start)
            lw_text_format(text, ", which starts at element %lld", (long long)cute.start);
    }
    lw_arena_free(&arena);
}

const struct lw_encoding_type lw_encoding_cute = {
    .name = "cute",
    .title = "a layout of CuTe",
    .about =
        "Nested shapes and strides: a coordinate, leftmost fastest, goes to an offset, which "
        "Sw<B,M,S> swizzles: in elements, or after smem_ptr[16b] in bytes. With a tile, as in "
        "thread_value(LAYOUT, (16,8)), the offsets are elements of that tile, and the modes "
        "threads and values; strides of coordinates, ((4,8),2):((2@1,1@0),1@1), mean the same.",
    .example = "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    .family = LW_FAMILY_PLAIN,
    .spelling = LW_SPELLING_CUTE,
    .params = params,
    .param_count = LW_COUNT(params),
    .print = print,
    .check = check,
    .build = build,
};
