/*
 * Matrix descriptors of wgmma and tcgen05.mma. Source: mma_sm90_desc.hpp, mma_traits_sm90_gmma.hpp,
 * mma_sm100_desc.hpp and mma_traits_sm100.hpp of CUTLASS 4. As there, a layout is counted in units
 * of 16 bytes before it is compared with the canonical one.
 */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

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

/* The first bit of each field, in both tables. */
enum { OFFSET_MAX = (1 << 14) - 1 }; /* units of 16 bytes */
enum { START = 0, LEADING = 16, STRIDE = 32, VERSION = 46, BASE = 49, MODE = 52 };

const struct lw_descriptor_field *lw_descriptor_fields(enum lw_descriptor_kind kind, int *count)
{
    bool wgmma = kind == LW_DESCRIPTOR_WGMMA;
    *count = wgmma ? (int)(sizeof wgmma_fields / sizeof *wgmma_fields)
                   : (int)(sizeof tcgen05_fields / sizeof *tcgen05_fields);
    return wgmma ? wgmma_fields : tcgen05_fields;
}

uint64_t lw_descriptor_field_value(const struct lw_matrix_descriptor *descriptor,
                                   const struct lw_descriptor_field *field)
{
    return descriptor->value >> field->first & (((uint64_t)1 << field->bits) - 1);
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

enum { LAYOUT_TYPES = sizeof layout_types / sizeof *layout_types };

static const struct layout_type *type_of_number(enum lw_descriptor_kind kind, uint64_t number)
{
    for (int i = 0; i < LAYOUT_TYPES; i++)
        if (layout_types[i].number[kind] == (int)number)
            return &layout_types[i];
    return NULL;
}

static const struct layout_type *type_of(const struct lw_matrix_descriptor *descriptor)
{
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    return type_of_number(descriptor->kind,
                          lw_descriptor_field_value(descriptor, &fields[count - 1]));
}

/* The type of a layout with that swizzle in bytes; NULL and an error. */
static const struct layout_type *type_of_swizzle(struct lw_cute_work *work,
                                                 enum lw_descriptor_kind kind, enum lw_major major,
                                                 const struct lw_cute *bytes)
{
    const struct lw_cute_swizzle *s = &bytes->swizzle;
    if (!bytes->composed || !s->bits)
        return &layout_types[0];
    for (int i = 0; i < LAYOUT_TYPES; i++) {
        const struct layout_type *type = &layout_types[i];
        if (memcmp(&type->swizzle, s, sizeof *s) != 0 || type->number[kind] < 0)
            continue;
        if (type->high == 8 || major == LW_MAJOR_MN)
            return type;
        lw_error_set(
            work->err, LW_ERROR_UNSUPPORTED,
            "not canonical: Sw<2,5,2> of bytes is for operands that are contiguous along M "
            "or N; CuTe does not compile it: \"SWIZZLE_128B_BASE32B is invalid for Major-K\"");
        return NULL;
    }
    lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                 "not canonical: the swizzle Sw<%d,%d,%d> of bytes; %s has Sw<1,4,3>, Sw<2,4,3>, "
                 "Sw<3,4,3>%s; CuTe does not compile it: \"Unsupported layout swizzle\"",
                 s->bits, s->base, s->shift, kind == LW_DESCRIPTOR_WGMMA ? "wgmma" : "tcgen05",
                 kind == LW_DESCRIPTOR_WGMMA ? "" : ", and Sw<2,5,2> along M or N");
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

/* Counts a layout of elements in units of 16 bytes; the elements of a unit are adjacent along the major mode. */
static bool count_units(struct lw_cute_work *work, const struct lw_cute_layout *layout,
                        struct operand *operand)
{
    int along = operand->major == LW_MAJOR_K;
    struct lw_cute_layout before[2], after[2];
    if (lw_cute_rank(&layout->shape) != 2)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "not canonical: the operand of an instruction has two modes, M or N "
                            "and K; this layout has %d; CuTe does not compile it: \"%s "
                            "Descriptors can only be constructed on rank-2 tensors.\"",
                            lw_cute_rank(&layout->shape),
                            operand->kind == LW_DESCRIPTOR_WGMMA ? "GMMA" : "UMMA");
    if (!lw_cute_upcast(work, layout, operand->per, &operand->units)) {
        char why[LW_MESSAGE_MAX / 2];
        snprintf(why, sizeof why, "%.200s", work->err->message);
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "not canonical: %s; 16 bytes must be %lld elements that are adjacent, "
                            "and every other stride a multiple of %lld; CuTe does not compile it: "
                            "\"Divisibility condition\"",
                            why, (long long)operand->per, (long long)operand->per);
    }
    for (int i = 0; i < 2; i++) {
        before[i] = lw_cute_mode(layout, i);
        after[i] = lw_cute_mode(&operand->units, i);
    }
    return operand->cuts ||
           (lw_cute_size(&after[along]) * operand->per == lw_cute_size(&before[along]) &&
            lw_cute_size(&after[!along]) == lw_cute_size(&before[!along])) ||
           lw_not_adjacent(work, operand->major, operand->per, layout);
}

/* Fails unless the sizes are those of an instruction. */
static bool check_sizes(struct lw_cute_work *work, const struct operand *operand)
{
    struct lw_cute_layout mn = lw_cute_mode(&operand->units, 0),
                          k = lw_cute_mode(&operand->units, 1);
    int64_t rows = lw_cute_size(&mn), size = lw_cute_size(&k), bytes;
    if (operand->major == LW_MAJOR_K && rows % 8)
        return lw_not_canonical(
            work, operand->kind, operand->major, "Expected MN-size multiple of 8.",
            "mode 0 (M or N) has %lld elements: a multiple of 8 is needed", (long long)rows);
    if (operand->kind == LW_DESCRIPTOR_TCGEN05)
        return true;
    bytes = operand->major == LW_MAJOR_K ? size * 16 : size * 16 / operand->per;
    if (bytes == 32 || bytes == 64 || (bytes == 16 && operand->major == LW_MAJOR_MN))
        return true;
    bool k_major = operand->major == LW_MAJOR_K;
    return lw_not_canonical(
        work, operand->kind, operand->major,
        k_major ? "Expected K-size 2 for dense or 4 for sparse (in units of uint128_t)."
                : "Expected K-size 256/sizeof_bits<T> for dense or (128|512)/sizeof_bits<T> for "
                  "sparse.",
        "mode 1 (K) has %lld elements: wgmma has 32 bytes of K, %lld elements here (sparse: 64 "
        "bytes)",
        (long long)(k_major ? size * operand->per : size), (long long)(2 * operand->per));
}

/* The strides of ((block, rest), (block, rest)) in units: strides[mode][of the rest]. */
static bool divide(struct lw_cute_work *work, const struct operand *operand, int64_t strides[2][2])
{
    bool k = operand->major == LW_MAJOR_K;
    int64_t block[2] = {k ? 8 : operand->type->wide, k ? 2 : operand->type->high};
    struct lw_cute_work rounding = {
        .arena = work->arena, .err = work->err, .rules = LW_CUTE_UNCHECKED};
    struct lw_cute_layout tile[2], divided, units;
    struct lw_cute_tuple tiler, modes;
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    for (int i = 0; i < 2; i++)
        tile[i] = lw_cute_leaf(block[i], 1, true);
    if (!lw_cute_pair(work, lw_cute_tiler_of(work, &tile[0]), lw_cute_tiler_of(work, &tile[1]),
                      &tiler))
        return false;
    if (!lw_cute_pair(work, one, one, &modes) ||
        !lw_cute_fix_layout(work, &operand->units, &units) ||
        (!lw_cute_fixed_layout(&operand->units) &&
         !lw_cute_coalesce(&rounding, &units, &modes, &units)) ||
        !lw_cute_divide(&rounding, &units, &tiler, LW_CUTE_LOGICAL, &divided)) {
        work->err->code = LW_ERROR_UNSUPPORTED;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const struct lw_cute_tuple *stride = lw_cute_item(&divided.stride, i);
        for (int rest = 0; rest < 2; rest++) {
            if (lw_cute_rank(stride) != 2 || lw_cute_item(stride, rest)->count >= 0)
                return lw_not_of_blocks(work, operand->kind, operand->major, i, block[i], &divided);
            strides[i][rest] = lw_cute_item(stride, rest)->value;
        }
    }
    return true;
}

static bool check_stride(struct lw_cute_work *work, const struct operand *operand, int mode,
                         int64_t stride, int64_t needed)
{
    int along = operand->major == LW_MAJOR_K;
    return stride == needed ||
           lw_not_canonical(work, operand->kind, operand->major, "Expected stride failure.",
                            "mode %d (%s) has stride %lld (%lld bytes) %s; with %s it must be %lld "
                            "(%lld bytes)",
                            mode, lw_operand_mode(mode), (long long)(stride * operand->per),
                            (long long)stride * 16,
                            mode == along ? "from 16 bytes to the next 16" : "in a block",
                            operand->type->about, (long long)(needed * operand->per),
                            (long long)needed * 16);
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
    if (k) {
        *stride = strides[0][1];
        *leading = strides[1][0];
    } else {
        *stride = strides[plain ? 0 : 1][1];
        *leading = strides[plain ? 1 : 0][1];
    }
    bool leads = *leading > *stride;
    if (operand->cuts) {
        *stride &= OFFSET_MAX;
        *leading &= OFFSET_MAX;
    }
    return (*stride <= OFFSET_MAX && *leading <= OFFSET_MAX) ||
           lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "not canonical: the %s byte offset is %lld: at most %d; CuTe keeps the low "
                        "14 bits of its units of 16 bytes",
                        leads ? "leading" : "stride", (long long)(leads ? *leading : *stride) * 16,
                        OFFSET_MAX * 16);
}

static bool start_of(struct lw_cute_work *work, const struct lw_cute *operand, int bits,
                     uint64_t address, uint64_t *start)
{
    if (address % 16 || address >= (uint64_t)1 << 18)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "address %llu: must be a multiple of 16 below 2^18",
                            (unsigned long long)address);
    if (operand->start >= (int64_t)1 << 24 || operand->start * bits % 128)
        return lw_error_set(
            work->err, LW_ERROR_UNSUPPORTED,
            "the operand starts at element %lld, which is not a multiple of 16 bytes "
            "below 2^18",
            (long long)operand->start);
    *start = (address + (uint64_t)(operand->start * bits / 8)) >> 4;
    return *start < 1 << 14 || lw_error_set(work->err, LW_ERROR_PARAMETER,
                                            "the operand starts at byte %llu: must be below 2^18",
                                            (unsigned long long)*start << 4);
}

static bool check_operand(struct lw_cute_work *work, const struct lw_cute *operand, int *bits)
{
    *bits = operand->composed && operand->pointer ? operand->pointer : *bits;
    if (operand->coords || operand->tile)
        return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                            "a descriptor describes a layout in memory, not %s",
                            operand->coords ? "coordinates" : "threads and values");
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

static bool make(struct lw_cute_work *work, enum lw_descriptor_kind kind, enum lw_major major,
                 const struct lw_cute *operand, int bits, uint64_t address,
                 struct lw_matrix_descriptor *out)
{
    struct lw_error scratch;
    struct lw_cute_work own = {
        .arena = work->arena, .err = work->err ? work->err : &scratch, .rules = LW_CUTE_VALUES};
    struct lw_cute bytes;
    struct operand it = {.kind = kind, .major = major, .cuts = work->rules == LW_CUTE_UNCHECKED};
    int64_t leading, stride;
    uint64_t start = 0;
    *out = (struct lw_matrix_descriptor){kind, 0};
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

/* Adds to an error what CuTe does in this case, unless it has that already. */
static void add_cute(const struct lw_cute_work *work, enum lw_descriptor_kind kind,
                     enum lw_major major, const struct lw_cute *operand, int bits, uint64_t address)
{
    struct lw_error refused = {0}, *err = work->err;
    struct lw_cute_work own = {.arena = work->arena, .err = &refused, .rules = LW_CUTE_UNCHECKED};
    struct lw_matrix_descriptor given;
    size_t length = strlen(err->message), room = sizeof err->message - length;
    if (err->code != LW_ERROR_UNSUPPORTED || strstr(err->message, "does not compile"))
        return;
    if (make(&own, kind, major, operand, bits, address, &given))
        snprintf(err->message + length, room, "; CuTe gives 0x%016llx (--as-cute)",
                 (unsigned long long)given.value);
    else if (strstr(refused.message, "; CuTe"))
        snprintf(err->message + length, room, "%.300s", strstr(refused.message, "; CuTe"));
}

bool lw_matrix_descriptor_make(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                               enum lw_major major, const struct lw_cute *operand, int bits,
                               uint64_t address, struct lw_matrix_descriptor *out)
{
    if (make(work, kind, major, operand, bits, address, out))
        return true;
    if (work->err && work->rules != LW_CUTE_UNCHECKED)
        add_cute(work, kind, major, operand, bits, address);
    return false;
}

/* ---- Back to a layout ---- */

static int64_t bits_at(const struct lw_matrix_descriptor *descriptor, int first)
{
    return (int64_t)(descriptor->value >> first & 0x3fff);
}

/* Modes of leaves, `count` in each: mode i has sizes[i] and strides[i]. */
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

bool lw_matrix_descriptor_layout(struct lw_cute_work *work,
                                 const struct lw_matrix_descriptor *descriptor, enum lw_major major,
                                 int bits, int64_t mn, int64_t k, struct lw_cute *out)
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
    int64_t leading = bits_at(descriptor, LEADING) * per, by = bits_at(descriptor, STRIDE) * per;
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

/* ---- As text ---- */

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

void lw_descriptor_field_explain(struct lw_text *text,
                                 const struct lw_matrix_descriptor *descriptor,
                                 const struct lw_descriptor_field *field, enum lw_major major)
{
    unsigned long long value = lw_descriptor_field_value(descriptor, field);
    const struct layout_type *type = type_of(descriptor);
    switch (field->first) {
    case START:
        lw_text_format(text, "address %llu, in units of 16 bytes", value * 16);
        break;
    case LEADING:
    case STRIDE:
        lw_text_format(text, "%s: %llu bytes, ", field->first == LEADING ? "LBO" : "SBO",
                       value * 16);
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
    if (type && (field->first == LEADING || field->first == STRIDE))
        lw_text_add(text, step_of(type, major, field->first == LEADING));
}

void lw_matrix_descriptor_print(struct lw_text *text, const struct lw_matrix_descriptor *descriptor)
{
    const struct layout_type *type = type_of(descriptor);
    bool wgmma = descriptor->kind == LW_DESCRIPTOR_WGMMA;
    int count;
    const struct lw_descriptor_field *fields = lw_descriptor_fields(descriptor->kind, &count);
    lw_text_format(text, "%s: 0x%016llx\n", wgmma ? "GmmaDescriptor" : "SmemDescriptor",
                   (unsigned long long)descriptor->value);
    lw_text_format(text, "  start_addr :  0x%04llx\n",
                   (unsigned long long)bits_at(descriptor, START));
    lw_text_format(text, "  leading_off:  0x%04llx (%lld)\n",
                   (unsigned long long)bits_at(descriptor, LEADING),
                   (long long)bits_at(descriptor, LEADING));
    lw_text_format(text, "  stride_off :  0x%04llx (%lld)\n",
                   (unsigned long long)bits_at(descriptor, STRIDE),
                   (long long)bits_at(descriptor, STRIDE));
    lw_text_format(text, "  base_offset:  0x%01llx\n",
                   (unsigned long long)(descriptor->value >> BASE & 7));
    lw_text_format(text, "  layout_type:  0x%01llx (%s)",
                   (unsigned long long)lw_descriptor_field_value(descriptor, &fields[count - 1]),
                   type ? type->name[descriptor->kind] : "none");
}
