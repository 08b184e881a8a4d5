/*
 * Descriptors of wgmma and tcgen05.mma: of an operand in shared memory, of the parts of it that several instructions
 * read, and of what an instruction multiplies. Source: mma_sm90_desc.hpp, mma_traits_sm90_gmma.hpp, mma_sm100_desc.hpp
 * and mma_traits_sm100.hpp of CUTLASS 4. As there, a layout is counted in units of 16 bytes before it is compared with
 * the canonical one.
 */

#include "core/array_count.h"
#include "encoding/cute/cute_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Fields ---- */

static const struct lw_descriptor_field wgmma_fields[] = {
    {"start_address", 0, 14}, {"leading_byte_offset", 16, 14}, {"stride_byte_offset", 32, 14},
    {"base_offset", 49, 3},   {"layout_type", 62, 2},
};

static const struct lw_descriptor_field tcgen05_fields[] = {
    {"start_address", 0, 14}, {"leading_byte_offset", 16, 14}, {"stride_byte_offset", 32, 14},
    {"version", 46, 2},       {"base_offset", 49, 3},          {"lbo_mode", 52, 1},
    {"layout_type", 61, 3},
};

static const struct lw_descriptor_field instruction_fields[] = {
    {"sparse_id2", 0, 2}, {"sparse_flag", 2, 1}, {"saturate", 3, 1},  {"c_format", 4, 2},
    {"a_format", 7, 3},   {"b_format", 10, 3},   {"a_negate", 13, 1}, {"b_negate", 14, 1},
    {"a_major", 15, 1},   {"b_major", 16, 1},    {"n_dim", 17, 6},    {"m_dim", 24, 5},
    {"max_shift", 30, 2},
};

static const struct lw_descriptor_field scaled_fields[] = {
    {"sparse_id2", 0, 2}, {"sparse_flag", 2, 1}, {"b_sf_id", 4, 2},       {"a_format", 7, 3},
    {"b_format", 10, 3},  {"a_negate", 13, 1},   {"b_negate", 14, 1},     {"a_major", 15, 1},
    {"b_major", 16, 1},   {"n_dim", 17, 6},      {"scale_format", 23, 1}, {"m_dim", 24, 5},
    {"a_sf_id", 29, 2},   {"k_size", 31, 1},
};

/* The first bit of each field of a matrix descriptor. */
enum { OFFSET_MAX = (1 << 14) - 1 }; /* units of 16 bytes */
enum { START = 0, LEADING = 16, STRIDE = 32, VERSION = 46, BASE = 49, MODE = 52 };

const struct lw_descriptor_field *lw_descriptor_fields(enum lw_descriptor_kind kind, int *count)
{
    static const struct {
        const struct lw_descriptor_field *fields;
        int count;
    } all[] = {
        [LW_DESCRIPTOR_WGMMA] = {wgmma_fields, LW_COUNT(wgmma_fields)},
        [LW_DESCRIPTOR_TCGEN05] = {tcgen05_fields, LW_COUNT(tcgen05_fields)},
        [LW_DESCRIPTOR_INSTRUCTION] = {instruction_fields, LW_COUNT(instruction_fields)},
        [LW_DESCRIPTOR_SCALED] = {scaled_fields, LW_COUNT(scaled_fields)},
    };
    *count = (unsigned)kind < LW_COUNT(all) ? all[kind].count : 0;
    return *count ? all[kind].fields : NULL;
}

uint64_t lw_descriptor_field_value(const struct lw_descriptor *descriptor,
                                   const struct lw_descriptor_field *field)
{
    if (field->first < 0 || field->first > 63 || field->bits < 0 || field->bits > 63)
        return 0;
    return descriptor->value >> field->first & (((uint64_t)1 << field->bits) - 1);
}

static int64_t offset_at(const struct lw_descriptor *descriptor, int first)
{
    return (int64_t)(descriptor->value >> first & OFFSET_MAX);
}

/* ---- Types of layouts ---- */

/* The swizzles that instructions have; number -1: the instruction does not have this one. */
static const struct layout_type {
    struct lw_cute_swizzle swizzle;
    int wide, high; /* units in a row of the block, rows of it when contiguous along M or N */
    int number[2];  /* by enum lw_descriptor_kind */
    const char *name[2], *about;
} layout_types[] = {
    {{0, 4, 3}, 1, 8, {0, 0}, {"INTERLEAVE", "SWIZZLE_NONE"}, "no swizzle"},
    {{1, 4, 3}, 2, 8, {3, 6}, {"B32", "SWIZZLE_32B"}, "swizzle of 32 bytes"},
    {{2, 4, 3}, 4, 8, {2, 4}, {"B64", "SWIZZLE_64B"}, "swizzle of 64 bytes"},
    {{3, 4, 3}, 8, 8, {1, 2}, {"B128", "SWIZZLE_128B"}, "swizzle of 128 bytes"},
    {{2, 5, 2},
     8,
     4,
     {-1, 1},
     {NULL, "SWIZZLE_128B_BASE32B"},
     "swizzle of 128 bytes, in steps of 32 bytes"},
};

static uint64_t type_number(const struct lw_descriptor *descriptor)
{
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    return lw_descriptor_field_value(descriptor, &fields[count - 1]);
}

static const struct layout_type *type_of(const struct lw_descriptor *descriptor)
{
    int number = (int)type_number(descriptor);
    for (size_t i = 0; i < LW_COUNT(layout_types); i++)
        if (layout_types[i].number[descriptor->kind] == number)
            return &layout_types[i];
    return NULL;
}

/* The type of a layout with that swizzle in bytes; NULL and an error. */
static const struct layout_type *type_of_swizzle(struct lw_cute_work *work,
                                                 enum lw_descriptor_kind kind, enum lw_major major,
                                                 const struct lw_cute *bytes)
{
    const struct lw_cute_swizzle *s = &bytes->swizzle;
    bool wgmma = kind == LW_DESCRIPTOR_WGMMA;
    if (!bytes->composed || !s->bits)
        return &layout_types[0];
    for (size_t i = 0; i < LW_COUNT(layout_types); i++) {
        const struct layout_type *type = &layout_types[i];
        if (!memcmp(&type->swizzle, s, sizeof *s) && type->number[kind] >= 0 &&
            (type->high == 8 || major == LW_MAJOR_MN))
            return type;
    }
    lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                 "not canonical: the swizzle Sw<%d,%d,%d> of bytes; %s has Sw<1,4,3>, Sw<2,4,3>, "
                 "Sw<3,4,3>%s",
                 s->bits, s->base, s->shift, wgmma ? "wgmma" : "tcgen05",
                 wgmma ? "" : ", and Sw<2,5,2> along M or N");
    return NULL;
}

/* ---- From a layout ---- */

/* An operand whose descriptor is made. */
struct operand {
    enum lw_descriptor_kind kind;
    enum lw_major major;
    const struct layout_type *type;
    bool cuts;   /* as in CuTe: offsets are cut to the bits of their fields, and 16 adjacent bytes
                    are not checked */
    int64_t per; /* elements in 16 bytes */
    struct lw_cute_layout units; /* the layout, counted in 16 bytes */
};

static const char *mode_name(int mode)
{
    return mode ? "K" : "M or N";
}

/* Fails. */
__attribute__((format(printf, 2, 3))) static bool not_canonical(struct lw_cute_work *work,
                                                                const char *format, ...)
{
    char why[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "not canonical: %s; CuTe does not compile it", why);
}

/* Counts a layout of elements in units of 16 bytes; the elements of a unit are adjacent along the major mode. */
static bool count_units(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                        struct operand *operand)
{
    int along = operand->major == LW_MAJOR_K;
    struct lw_cute_layout before[2], after[2];
    if (lw_cute_rank(&layout->shape) != 2)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "not canonical: the operand of an instruction has two modes, M or N "
                            "and K; this layout has %d; CuTe does not compile it",
                            lw_cute_rank(&layout->shape));
    if (!lw_cute_upcast(work, layout, operand->per, &operand->units)) {
        char why[LW_MESSAGE_MAX / 2];
        snprintf(why, sizeof why, "%.200s", work->err->message);
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "not canonical: %s; 16 bytes must be %lld adjacent elements, and every "
                            "other stride a multiple of as many",
                            why, (long long)operand->per);
    }
    for (int i = 0; i < 2; i++) {
        before[i] = lw_cute_mode(layout, i);
        after[i] = lw_cute_mode(&operand->units, i);
    }
    return operand->cuts ||
           (lw_cute_size(&after[along]) * operand->per == lw_cute_size(&before[along]) &&
            lw_cute_size(&after[!along]) == lw_cute_size(&before[!along])) ||
           lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "not canonical: with Major::%s the first %lld elements of mode %d (%s), 16 "
                        "bytes, must have stride 1",
                        along ? "K" : "MN", (long long)operand->per, along, mode_name(along));
}

/* Fails unless the sizes are those of an instruction. */
static bool check_sizes(struct lw_cute_work *work, const struct operand *operand)
{
    int64_t rows = lw_cute_product(lw_cute_item(&operand->units.shape, 0));
    int64_t size = lw_cute_product(lw_cute_item(&operand->units.shape, 1));
    bool k_major = operand->major == LW_MAJOR_K;
    if (k_major && rows % 8)
        return not_canonical(work, "mode 0 (M or N) has %lld elements: a multiple of 8 is needed",
                             (long long)rows);
    int64_t bytes = k_major ? size * 16 : size * 16 / operand->per;
    if (operand->kind == LW_DESCRIPTOR_TCGEN05 || bytes == 32 || bytes == 64 ||
        (bytes == 16 && !k_major))
        return true;
    return not_canonical(
        work,
        "mode 1 (K) has %lld elements: wgmma has 32 bytes of K, %lld elements here (sparse: 64 "
        "bytes)",
        (long long)(k_major ? size * operand->per : size), (long long)(2 * operand->per));
}

/* The strides of ((block, rest), (block, rest)) in units: strides[mode][of the rest]. */
static bool divide(struct lw_cute_work *work, const struct operand *operand, int64_t strides[2][2])
{
    bool k = operand->major == LW_MAJOR_K;
    const struct lw_cute_tuple one = lw_cute_integer(1, true), ones[2] = {one, one};
    const struct lw_cute_tuple modes = lw_cute_tuple_of(ones, 2);
    const struct lw_cute_tuple block[2] = {lw_cute_integer(k ? 8 : operand->type->wide, true),
                                           lw_cute_integer(k ? 2 : operand->type->high, true)};
    const struct lw_cute_tuple tiler = lw_cute_tuple_of(block, 2);
    struct lw_cute_work rounding = {
        .arena = work->arena, .err = work->err, .rules = LW_CUTE_UNCHECKED};
    struct lw_cute_layout divided, units;
    if (!lw_cute_set_fixed(work, &operand->units, true, &units) ||
        (!lw_cute_is_fixed(&operand->units) &&
         !lw_cute_coalesce(&rounding, &units, &modes, &units)) ||
        !lw_cute_divide(&rounding, &units, &tiler, LW_CUTE_LOGICAL, &divided)) {
        work->err->code = LW_ERROR_UNSUPPORTED;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const struct lw_cute_tuple *stride = lw_cute_item(&divided.stride, i);
        bool good = lw_cute_rank(stride) == 2;
        for (int rest = 0; rest < 2 && good; rest++) {
            good = lw_cute_item(stride, rest)->count < 0;
            strides[i][rest] = lw_cute_item(stride, rest)->value;
        }
        if (!good)
            return not_canonical(work,
                                 "mode %d (%s) must have one stride in a block of %lld%s and one "
                                 "from block to block",
                                 i, mode_name(i), (long long)block[i].value,
                                 i == k ? " units of 16 bytes" : "");
    }
    return true;
}

static bool check_stride(struct lw_cute_work *work, const struct operand *operand, int mode,
                         int64_t stride, int64_t needed)
{
    int along = operand->major == LW_MAJOR_K;
    return stride == needed ||
           not_canonical(
               work,
               "mode %d (%s) has stride %lld (%lld bytes) %s; with %s it must be %lld "
               "(%lld bytes)",
               mode, mode_name(mode), (long long)(stride * operand->per), (long long)stride * 16,
               mode == along ? "from 16 bytes to the next 16" : "in a block", operand->type->about,
               (long long)(needed * operand->per), (long long)needed * 16);
}

/* LBO and SBO, in units. */
static bool find_offsets(struct lw_cute_work *work, const struct operand *operand, int64_t *leading,
                         int64_t *stride)
{
    int64_t strides[2][2];
    bool plain = operand->type->wide == 1, k = operand->major == LW_MAJOR_K;
    if (!divide(work, operand, strides) ||
        !check_stride(work, operand, !k, strides[!k][0], operand->type->wide) ||
        (!plain && !check_stride(work, operand, k, strides[k][0], 1)))
        return false;
    *stride = k ? strides[0][1] : strides[plain ? 0 : 1][1];
    *leading = k ? strides[1][0] : strides[plain ? 1 : 0][1];
    if (operand->cuts) {
        *stride &= OFFSET_MAX;
        *leading &= OFFSET_MAX;
    }
    return (*stride <= OFFSET_MAX && *leading <= OFFSET_MAX) ||
           lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "not canonical: the leading byte offset is %lld and the stride byte offset "
                        "%lld: at most %d; CuTe keeps the low 14 bits of its units of 16 bytes",
                        (long long)*leading * 16, (long long)*stride * 16, OFFSET_MAX * 16);
}

static bool start_of(struct lw_cute_work *work, const struct lw_cute *operand, int bits,
                     uint64_t address, uint64_t *start)
{
    if (address % 16 || address >= (uint64_t)1 << 18)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "address %llu: must be a multiple of 16 below 2^18",
                            (unsigned long long)address);
    const bool aligned = operand->start < (int64_t)1 << 24 && operand->start * bits % 128 == 0;
    *start = aligned ? (address + (uint64_t)(operand->start * bits / 8)) >> 4 : 0;
    return (aligned && *start < 1 << 14) ||
           lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "the operand starts at element %lld of address %llu: must be at a multiple "
                        "of 16 bytes below 2^18",
                        (long long)operand->start, (unsigned long long)address);
}

static bool check_operand(struct lw_cute_work *work, const struct lw_cute *operand, int *bits)
{
    bool coordinates = lw_cute_is_of_coordinates(operand);
    *bits = operand->composed && operand->pointer ? operand->pointer : *bits;
    if (coordinates || operand->tile)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "a descriptor describes a layout in memory, not %s",
                            coordinates ? "coordinates" : "threads and values");
    if (operand->composed && operand->offset)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "not canonical: the offset %lld before the swizzle must be 0",
                            (long long)operand->offset);
    return (*bits >= 4 && *bits <= 128 && 128 % *bits == 0) ||
           lw_error_set(work->err, LW_ERROR_PARAMETER,
                        *bits ? "elements of %d bits: must have 4, 8, 16, 32, 64 or 128"
                              : "the element is unknown: --element f16 sets it, and smem_ptr[16b] "
                                "in the layout",
                        *bits);
}

bool lw_descriptor_make(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                        enum lw_major major, const struct lw_cute *operand, int bits,
                        uint64_t address, struct lw_descriptor *out)
{
    struct lw_error scratch;
    struct lw_cute_work own = {
        .arena = work->arena, .err = work->err ? work->err : &scratch, .rules = LW_CUTE_VALUES};
    struct lw_cute bytes;
    struct operand it = {.kind = kind, .major = major, .cuts = work->rules == LW_CUTE_UNCHECKED};
    int64_t leading, stride;
    uint64_t start = 0;
    *out = (struct lw_descriptor){kind, 0};
    if ((unsigned)kind > LW_DESCRIPTOR_TCGEN05 || (unsigned)major > LW_MAJOR_MN)
        return lw_error_set(own.err, LW_ERROR_PARAMETER, "there is no such descriptor");
    if (!check_operand(&own, operand, &bits) || !start_of(&own, operand, bits, address, &start) ||
        !lw_cute_in_bytes(operand, bits, &bytes, own.err))
        return false;
    it.per = 128 / bits;
    it.type = type_of_swizzle(&own, kind, major, &bytes);
    if (!it.type || !count_units(&own, &operand->layout, &it) || !check_sizes(&own, &it) ||
        !find_offsets(&own, &it, &leading, &stride))
        return false;
    out->value = start << START | (uint64_t)leading << LEADING | (uint64_t)stride << STRIDE |
                 (uint64_t)it.type->number[kind] << (kind == LW_DESCRIPTOR_WGMMA ? 62 : 61);
    if (kind == LW_DESCRIPTOR_TCGEN05)
        out->value |= (uint64_t)1 << VERSION;
    return true;
}

/* ---- Back to a layout ---- */

/* Modes of leaves, `count0` in mode 0 and 2 in mode 1: mode i has sizes[i] and strides[i]. */
static bool make_modes(struct lw_cute_work *work, int count0, const int64_t sizes[2][3],
                       const int64_t strides[2][3], struct lw_cute_layout *out)
{
    struct lw_cute_layout both[2], leaf[3];
    for (int i = 0; i < 2; i++) {
        int count = i ? 2 : count0;
        for (int j = 0; j < count; j++)
            leaf[j] = lw_cute_leaf(sizes[i][j], strides[i][j], false);
        if (!lw_cute_join(work, leaf, count, &both[i]))
            return false;
    }
    return lw_cute_join(work, both, 2, out);
}

static bool check_blocks(struct lw_cute_work *work, const char *name, int64_t size, int64_t block)
{
    return (size > 0 && size % block == 0) ||
           lw_error_set(work->err, LW_ERROR_SHAPE,
                        "%lld elements along %s: must be a multiple of %lld", (long long)size, name,
                        (long long)block);
}

bool lw_descriptor_layout(struct lw_cute_work *work, const struct lw_descriptor *descriptor,
                          enum lw_major major, int bits, int64_t mn, int64_t k, struct lw_cute *out)
{
    if ((unsigned)descriptor->kind > LW_DESCRIPTOR_TCGEN05)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "there is no such descriptor");
    const struct layout_type *type = type_of(descriptor);
    if (!type || bits < 4 || bits > 128 || 128 % bits)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            type ? "elements of %d bits: must have 4, 8, 16, 32, 64 or 128"
                                 : "there is no such layout_type",
                            bits);
    bool plain = type->wide == 1, is_k = major == LW_MAJOR_K;
    int64_t per = 128 / bits, wide = type->wide;
    int64_t leading = offset_at(descriptor, LEADING) * per,
            by = offset_at(descriptor, STRIDE) * per;
    *out = (struct lw_cute){.composed = true, .swizzle = type->swizzle, .pointer = bits};
    if (is_k) {
        const int64_t sizes[2][3] = {{8, mn / 8, 0}, {per, k / per, 0}};
        const int64_t strides[2][3] = {{wide * per, by, 0}, {1, plain ? leading : per, 0}};
        if (!check_blocks(work, "M or N", mn, 8) || !check_blocks(work, "K", k, per))
            return false;
        return plain || k <= wide * per
                   ? make_modes(work, 2, sizes, strides, &out->layout)
                   : lw_error_set(work->err, LW_ERROR_SHAPE,
                                  "%lld along K: with %s a row has %lld elements", (long long)k,
                                  type->about, (long long)(wide * per));
    }
    const int64_t sizes[2][3] = {{per, wide, mn / (per * wide)}, {type->high, k / type->high, 0}};
    const int64_t strides[2][3] = {{1, per, plain ? by : leading},
                                   {wide * per, plain ? leading : by, 0}};
    return check_blocks(work, "M or N", mn, per * wide) && check_blocks(work, "K", k, type->high) &&
           make_modes(work, 3, sizes, strides, &out->layout);
}

/* ---- Several instructions (DescriptorIterator adds offsets without the swizzle to the start address) ---- */

/* Whether a mode has adjacent elements. */
static bool is_adjacent(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride)
{
    bool adjacent = shape->count < 0 && stride->value == 1 && shape->value > 1;
    for (int i = 0; i < shape->count && !adjacent; i++)
        adjacent = is_adjacent(&shape->items[i], &stride->items[i]);
    return adjacent;
}

/* The descriptor when an instruction reads `out->mn` x `out->k`, of an operand of ((mn, k), (rest, rest, ...)). */
static bool try_size(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                     const struct lw_cute *operand, uint64_t address,
                     struct lw_operand_descriptor *out)
{
    const struct lw_cute sides[2] = {{.layout = lw_cute_leaf(out->mn, 1, true)},
                                     {.layout = lw_cute_leaf(out->k, 1, true)}};
    const struct lw_cute_tuple both[2] = {lw_cute_tiler_of(&sides[0]), lw_cute_tiler_of(&sides[1])};
    const struct lw_cute_tuple tiler = lw_cute_tuple_of(both, 2);
    struct lw_cute_layout divided, rest;
    struct lw_cute part = *operand;
    if (!lw_cute_divide(work, &operand->layout, &tiler, LW_CUTE_ZIPPED, &divided))
        return false;
    part.layout = lw_cute_mode(&divided, 0);
    rest = lw_cute_mode(&divided, 1);
    return lw_descriptor_make(work, kind, out->major, &part, out->bits, address,
                              &out->descriptor) &&
           lw_cute_upcast(work, &rest, 128 / out->bits, &out->next) &&
           lw_descriptor_layout(work, &out->descriptor, out->major, out->bits, out->mn, out->k,
                                &out->canonical);
}

bool lw_operand_descriptor_find(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                                const struct lw_cute *operand, int bits, uint64_t address,
                                struct lw_operand_descriptor *out)
{
    static const int64_t sizes[] = {256, 128, 64, 32, 16, 8};
    struct lw_error scratch, first = {0};
    struct lw_cute_work own = {
        .arena = work->arena, .err = work->err ? work->err : &scratch, .rules = LW_CUTE_VALUES};
    if (lw_cute_rank(&operand->layout.shape) < 2)
        return lw_error_set(own.err, LW_ERROR_UNSUPPORTED,
                            "not canonical: an operand has modes M or N, and K; this layout has 1");
    struct lw_cute_layout rows = lw_cute_mode(&operand->layout, 0);
    struct lw_cute_layout columns = lw_cute_mode(&operand->layout, 1);
    int64_t mn = lw_cute_size(&rows), k = lw_cute_size(&columns);
    *out = (struct lw_operand_descriptor){.bits = operand->pointer ? operand->pointer : bits};
    if (out->bits < 4 || out->bits > 128) /* lw_descriptor_make has the message */
        return lw_descriptor_make(&own, kind, out->major, operand, bits, address, &out->descriptor);
    bool by_rows = is_adjacent(&rows.shape, &rows.stride);
    out->major =
        by_rows && !is_adjacent(&columns.shape, &columns.stride) ? LW_MAJOR_MN : LW_MAJOR_K;
    out->k = k > 256 / out->bits ? 256 / out->bits : k;
    for (size_t i = 0; i < LW_COUNT(sizes); i++) {
        out->mn = mn < sizes[0] && !i ? mn : sizes[i];
        if (out->mn > mn || (i && out->mn == mn))
            continue;
        if (try_size(&own, kind, operand, address, out))
            return true;
        if (own.err->code == LW_ERROR_MEMORY || own.err->code == LW_ERROR_PARAMETER)
            return false;
        if (!first.code)
            first = *own.err;
    }
    *own.err = first;
    if (own.err->code == LW_ERROR_SHAPE)
        own.err->code = LW_ERROR_UNSUPPORTED;
    return false;
}

/* ---- Instructions ---- */

static const struct format {
    const char *name;
    int number, bits;
} element_formats[] = {
    {"half_t", 0, 16},      {"bfloat16_t", 1, 16},  {"tfloat32_t", 2, 32},  {"uint8_t", 0, 8},
    {"int8_t", 1, 8},       {"float_e4m3_t", 0, 8}, {"float_e5m2_t", 1, 8}, {"float_e2m3_t", 3, 6},
    {"float_e3m2_t", 4, 6}, {"float_e2m1_t", 1, 4},
};

static const struct format *find_format(const char *name, const char *operand, struct lw_error *err)
{
    for (size_t i = 0; i < LW_COUNT(element_formats); i++)
        if (!strcmp(element_formats[i].name, name))
            return &element_formats[i];
    lw_error_set(err, LW_ERROR_PARAMETER,
                 "%s: tcgen05.mma has no elements of type '%.40s'; there are half_t, bfloat16_t, "
                 "tfloat32_t, int8_t, uint8_t, float_e4m3_t, float_e5m2_t, float_e2m3_t, "
                 "float_e3m2_t and float_e2m1_t",
                 operand, name);
    return NULL;
}

static bool find_word(const char *name, const char *const *words, int count, uint32_t *number,
                      struct lw_error *err)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], name)) {
            *number = (uint32_t)i;
            return true;
        }
    return lw_error_set(err, LW_ERROR_PARAMETER, "'%.40s': expected %s, %s%s%s", name, words[0],
                        words[1], count > 2 ? " or " : "", count > 2 ? words[2] : "");
}

bool lw_instruction_descriptor_make(const struct lw_instruction_operands *it,
                                    struct lw_descriptor *out, struct lw_error *err)
{
    static const char *const results[] = {"half_t", "float", "int32_t"};
    static const char *const scales[] = {"float_ue4m3_t", "float_ue8m0_t"};
    const struct format *a = find_format(it->a_type, "A", err);
    const struct format *b = a ? find_format(it->b_type, "B", err) : NULL;
    uint32_t c = 0, scale = 0;
    *out = (struct lw_descriptor){it->scale_type ? LW_DESCRIPTOR_SCALED : LW_DESCRIPTOR_INSTRUCTION,
                                  0};
    if (!b)
        return false;
    if (it->m != 32 && it->m != 64 && it->m != 128 && it->m != 256)
        return lw_error_set(err, LW_ERROR_PARAMETER, "M = %lld: 32, 64, 128 or 256",
                            (long long)it->m);
    if (it->n < 8 || it->n > 256 || it->n % 8)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "N = %lld: must be a multiple of 8 from 8 to 256", (long long)it->n);
    if (!find_word(it->c_type, results, 3, &c, err) ||
        (it->scale_type && !find_word(it->scale_type, scales, 2, &scale, err)))
        return false;
    if ((it->a_major == LW_MAJOR_MN && a->bits < 8) || (it->b_major == LW_MAJOR_MN && b->bits < 8))
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "elements below 8 bits are contiguous along K: Major::K");
    out->value = (uint32_t)a->number << 7 | (uint32_t)b->number << 10 |
                 (uint32_t)it->a_major << 15 | (uint32_t)it->b_major << 16 |
                 (uint32_t)it->n >> 3 << 17 | (uint32_t)it->m >> 4 << 24;
    out->value |= it->scale_type ? scale << 23 : c << 4;
    return true;
}

/* ---- As text ---- */

/* The format depends on the kind of the instruction, which is not in the descriptor. */
static const char *const formats[2][8] = {
    {"f16; E4M3 of kind::f8f6f4; u8 of kind::i8", "bf16; E5M2 of kind::f8f6f4; s8 of kind::i8",
     "tf32 of kind::tf32", "E2M3 of kind::f8f6f4", "E3M2 of kind::f8f6f4", "E2M1 of kind::f8f6f4",
     "none", "none"},
    {"E4M3", "E5M2 or, of kind::mxf4, E2M1", "none", "E2M3", "E3M2", "E2M1", "none", "none"}};

/* A field's meaning by its number, or that number times `times` in a format. */
static const struct meaning {
    const char *field;
    unsigned times;
    const char *of[4];
} meanings[] = {
    {"sparse_id2", 1, {"which part of the metadata of sparse A"}},
    {"sparse_flag", 0, {"dense", "sparse"}},
    {"saturate", 0, {"no saturation", "saturation, of kind::i8 only"}},
    {"c_format", 0, {"f16", "f32", "s32", "none"}},
    {"a_negate", 0, {"A as it is", "-A"}},
    {"b_negate", 0, {"B as it is", "-B"}},
    {"a_major", 0, {"A is contiguous along K", "A is contiguous along M"}},
    {"b_major", 0, {"B is contiguous along K", "B is contiguous along N"}},
    {"n_dim", 8, {"N = %u"}},
    {"m_dim", 16, {"M = %u"}},
    {"max_shift", 0, {"no shift", "at most 8", "at most 16", "at most 32"}},
    {"a_sf_id", 1, {"byte %u of the words of scales"}},
    {"b_sf_id", 1, {"byte %u of the words of scales"}},
    {"scale_format", 0, {"UE4M3", "UE8M0"}},
    {"k_size", 0, {"K of 32 bytes (of sparse A 64)", "K = 96, of kind::mxf4"}},
};

static void explain_instruction(struct lw_text *text, const struct lw_descriptor *descriptor,
                                const struct lw_descriptor_field *field)
{
    unsigned value = (unsigned)lw_descriptor_field_value(descriptor, field);
    for (size_t i = 0; i < LW_COUNT(meanings); i++)
        if (!strcmp(meanings[i].field, field->name))
            lw_text_format(text, meanings[i].of[meanings[i].times ? 0 : value & 3],
                           value * meanings[i].times);
    if (!strcmp(field->name, "a_format") || !strcmp(field->name, "b_format"))
        lw_text_add(text, formats[descriptor->kind == LW_DESCRIPTOR_SCALED][value & 7]);
}

/* What LBO, or SBO, is a step of. */
static const char *step_of(const struct layout_type *type, enum lw_major major, bool leading)
{
    bool plain = type->wide == 1;
    if (major == LW_MAJOR_K)
        return !leading ? "from 8 rows of M or N to the next 8"
               : plain  ? "from 16 bytes of K to the next 16"
                        : "not read with a swizzle";
    if (plain)
        return leading ? "from 8 of K to the next 8" : "from 16 bytes of M or N to the next 16";
    return leading           ? "from a row of M or N, as wide as the swizzle, to the next"
           : type->high == 4 ? "from 4 of K to the next 4"
                             : "from 8 of K to the next 8";
}

void lw_descriptor_field_explain(struct lw_text *text, const struct lw_descriptor *descriptor,
                                 const struct lw_descriptor_field *field, enum lw_major major)
{
    unsigned long long value = lw_descriptor_field_value(descriptor, field);
    if (descriptor->kind > LW_DESCRIPTOR_TCGEN05) {
        explain_instruction(text, descriptor, field);
        return;
    }
    const struct layout_type *type = type_of(descriptor);
    bool leads = field->first == LEADING;
    switch (field->first) {
    case START:
        lw_text_format(text, "address %llu, in units of 16 bytes", value * 16);
        break;
    case LEADING:
    case STRIDE:
        lw_text_format(text, "%s: %llu bytes, %s", leads ? "LBO" : "SBO", value * 16,
                       type ? step_of(type, major, leads) : "");
        break;
    case VERSION:
        lw_text_add(text, value == 1 ? "of sm100" : "1 is that of sm100");
        break;
    case BASE:
        lw_text_add(text, value ? "the pattern of the swizzle starts that many rows later"
                                : "the pattern of the swizzle starts at its alignment");
        break;
    case MODE:
        lw_text_add(text, value ? "LBO is an address" : "LBO is a step");
        break;
    default:
        if (type)
            lw_text_format(text, "%s: %s, Sw<%d,%d,%d> of bytes", type->name[descriptor->kind],
                           type->about, type->swizzle.bits, type->swizzle.base,
                           type->swizzle.shift);
        else
            lw_text_add(text, "there is no such type");
        break;
    }
}

void lw_descriptor_print(struct lw_text *text, const struct lw_descriptor *descriptor)
{
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    if (descriptor->kind > LW_DESCRIPTOR_TCGEN05) {
        lw_text_format(text, "0x%08x", (unsigned)descriptor->value);
        for (int i = 0; i < count; i++) {
            lw_text_format(text, "\n  %-12s %3u  ", fields[i].name,
                           (unsigned)lw_descriptor_field_value(descriptor, &fields[i]));
            explain_instruction(text, descriptor, &fields[i]);
        }
        return;
    }
    const struct layout_type *type = type_of(descriptor);
    long long leading = offset_at(descriptor, LEADING), stride = offset_at(descriptor, STRIDE);
    lw_text_format(text, "%s: 0x%016llx\n",
                   descriptor->kind == LW_DESCRIPTOR_WGMMA ? "GmmaDescriptor" : "SmemDescriptor",
                   (unsigned long long)descriptor->value);
    lw_text_format(text, "  start_addr :  0x%04llx\n",
                   (unsigned long long)offset_at(descriptor, START));
    lw_text_format(text, "  leading_off:  0x%04llx (%lld)\n", (unsigned long long)leading, leading);
    lw_text_format(text, "  stride_off :  0x%04llx (%lld)\n", (unsigned long long)stride, stride);
    lw_text_format(text, "  base_offset:  0x%01llx\n",
                   (unsigned long long)(descriptor->value >> BASE & 7));
    lw_text_format(text, "  layout_type:  0x%01llx (%s)",
                   (unsigned long long)type_number(descriptor),
                   type ? type->name[descriptor->kind] : "none");
}
