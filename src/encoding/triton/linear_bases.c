/*
 * Layouts whose parameters are bases: linear and generic_linear in registers, shared_linear in shared memory, and
 * `bases`, any linear layout, as `bases --json` prints it. Source: LinearLayout, LinearEncodingAttr,
 * GenericLinearEncodingAttr and SharedLinearEncodingAttr of Triton 3.7 to 3.9.
 */

#include "encoding/triton/linear_bases.h"
#include "core/array_count.h"
#include "encoding/schema/types.h"

#include <string.h>

/* ---- Reading ---- */

static size_t base_count(const struct lw_value *bases)
{
    return bases ? bases->count : 0;
}

/* The size of an input dim with these bases; 0, which no dim has, when they are too many. */
static uint64_t size_of(const struct lw_value *bases)
{
    return base_count(bases) > 62 ? 0 : (uint64_t)1 << base_count(bases);
}

static uint64_t number(const struct lw_value *bases, size_t i, int dim)
{
    return (uint64_t)bases->items[i].items[dim].integer;
}

void lw_grow_to_bases(const struct lw_value *bases, uint64_t *sizes, int rank)
{
    for (size_t i = 0; i < base_count(bases); i++)
        for (int d = 0; d < rank; d++)
            while (sizes[d] <= number(bases, i, d))
                sizes[d] *= 2;
}

static bool set_bases(struct lw_layout *layout, int dim, const struct lw_value *bases,
                      struct lw_error *err)
{
    uint64_t image[LW_DIMS_MAX];
    for (size_t i = 0; i < base_count(bases); i++) {
        for (int d = 0; d < layout->out.count; d++)
            image[d] = number(bases, i, d);
        if (lw_layout_set_basis(layout, dim, (int)i, image, err))
            continue;
        if (err)
            err->position = bases->items[i].position;
        return false;
    }
    return true;
}

struct lw_value lw_bases_value(struct lw_arena *arena, const struct lw_layout *layout, int dim)
{
    struct lw_value list = {.kind = LW_VALUE_LIST};
    int count = lw_layout_in_log2(layout, dim), rank = layout->out.count;
    list.items = lw_arena_alloc(arena, ((size_t)count + 1) * sizeof *list.items);
    for (int bit = 0; list.items && bit < count; bit++) {
        uint64_t image[LW_DIMS_MAX];
        int64_t row[LW_DIMS_MAX];
        lw_layout_basis(layout, dim, bit, image);
        for (int d = 0; d < rank; d++)
            row[d] = (int64_t)image[d];
        list.items[list.count++] = lw_value_integers(arena, row, (size_t)rank);
    }
    return list.items ? list : (struct lw_value){0};
}

bool lw_layout_of_bases(const char *const *names, const struct lw_value *const *lists, int count,
                        int rank, struct lw_layout *out, struct lw_error *err)
{
    struct lw_dims in = {0}, outs = {0};
    uint64_t sizes[LW_RANK_MAX];
    for (int d = 0; d < rank; d++)
        sizes[d] = 1;
    for (int p = 0; p < count; p++) {
        for (size_t i = 0; i < base_count(lists[p]); i++)
            if (lists[p]->items[i].count != (size_t)rank)
                return lw_error_set(err, LW_ERROR_SHAPE,
                                    "the bases of %s have %zu numbers, but there are %d dims",
                                    names[p], lists[p]->items[i].count, rank);
        lw_grow_to_bases(lists[p], sizes, rank);
        if (!lw_dims_add(&in, names[p], size_of(lists[p]), err))
            return false;
    }
    if (!lw_dims_of_shape(&outs, sizes, rank, err) || !lw_layout_of_dims(out, &in, &outs, err))
        return false;
    for (int p = 0; p < count; p++)
        if (!set_bases(out, p, lists[p], err))
            return false;
    return true;
}

bool lw_read_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                   int rank, struct lw_layout *out, struct lw_error *err)
{
    const struct lw_value *lists[LW_DIMS_MAX];
    for (int p = 0; p < count; p++)
        lists[p] = lw_encoding_value(encoding, names[p]);
    return lw_layout_of_bases(names, lists, count, rank, out, err);
}

/* ---- Checks ---- */

/* Reads the bases, which must reach each element. */
static bool check_reach(const struct lw_encoding *encoding, const char *const *names, int count,
                        const struct lw_tensor *tensor, struct lw_layout *out, struct lw_error *err)
{
    struct lw_error reading;
    int rank = lw_schema_rank(encoding, tensor);
    if (rank < 1)
        return lw_refuse_missing(err, encoding, names[0],
                                 "at least one basis is needed to give the number of dims");
    if (!lw_read_bases(encoding, names, count, rank, out, &reading))
        return lw_refuse(err, encoding, names[0], "%s", reading.message);
    if (lw_layout_is_surjective(out))
        return true;
    return lw_refuse(err, encoding, names[0],
                     "all bases together reach 2^%d elements of 2^%d: 1, 2, 4, ... of each dim "
                     "must be made of them",
                     lw_layout_rank(out), lw_layout_out_bits(out));
}

bool lw_check_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                    const struct lw_tensor *tensor, struct lw_layout *out, struct lw_error *err)
{
    int moving = 0;
    if (!check_reach(encoding, names, count, tensor, out, err))
        return false;
    for (int i = 0; i < lw_layout_in_bits(out); i++)
        moving += out->basis[i] != 0;
    int bits = lw_layout_out_bits(out);
    return moving <= bits ||
           lw_refuse(err, encoding, names[0],
                     "%d bases are not zero, but %d cover each element once: one is a "
                     "duplicate or a sum of others",
                     moving, bits);
}

bool lw_check_sizes(const struct lw_layout *layout, const struct lw_tensor *tensor,
                    struct lw_error *err)
{
    if (tensor->rank >= 0 && tensor->rank != layout->out.count)
        return lw_refuse_shape(err, tensor, "the bases have %d dims", layout->out.count);
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->shape[d] != layout->out.dim[d].size)
            return lw_refuse_shape(err, tensor, "the bases cover %llu in dim %d",
                                   (unsigned long long)layout->out.dim[d].size, d);
    return true;
}

/* ---- linear ---- */

#define REGISTER_BASES(WARPS, BLOCKS)                                                              \
    LW_BASES_PARAM("register", LW_RULE_RANK, LW_DEFAULT_REQUIRED,                                  \
                   "where each bit of the register number moves in the tensor"),                   \
        LW_BASES_PARAM("lane", LW_RULE_RANK, LW_DEFAULT_REQUIRED,                                  \
                       "where each bit of the lane number moves"),                                 \
        LW_BASES_PARAM("warp", LW_RULE_RANK, LW_DEFAULT_REQUIRED, WARPS),                          \
        LW_BASES_PARAM("block", LW_RULE_RANK, BLOCKS, "where each bit of the block number moves")

static const struct lw_param linear_params[] = {
    REGISTER_BASES("where each bit of the warp number moves", LW_DEFAULT_EMPTY)};

bool lw_check_basis(const struct lw_encoding *encoding, const char *name,
                    const struct lw_value *basis, bool steps, struct lw_error *err)
{
    int moves = 0;
    bool powers = true;
    for (size_t i = 0; i < basis->count; i++) {
        int64_t n = basis->items[i].integer;
        moves += n != 0;
        powers = powers && (!n || lw_log2((uint64_t)n) >= 0);
    }
    if (moves > 1)
        return lw_refuse(err, encoding, name, "each basis may move in one dim only");
    return !steps || powers ||
           lw_refuse(err, encoding, name, "each basis must move by a power of two%s",
                     encoding->type->family == LW_FAMILY_DISTRIBUTED
                         ? "; generic_linear accepts others"
                         : "");
}

static bool check_registers(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                            struct lw_error *err)
{
    enum { WARP = 2 };
    struct lw_layout layout;
    bool any = encoding->type == &lw_encoding_generic_linear;
    bool steps = !any && lw_encoding_since(encoding, LW_TRITON_3_8);
    for (size_t p = 0; p < LW_COUNT(linear_params); p++)
        for (size_t i = 0; i < encoding->params[p].count && !(any && p == WARP); i++) {
            const struct lw_value *basis = &encoding->params[p].items[i];
            if (!lw_check_basis(encoding, linear_params[p].name, basis, steps, err))
                return false;
        }
    return (any ? check_reach : lw_check_bases)(encoding, lw_register_dims, 4, tensor, &layout,
                                                err);
}

/* The order in which dims grow: that in which registers move. (getRepOrder) */
static void repeat_order(const struct lw_encoding *encoding, int rank, int64_t *order)
{
    const struct lw_value *registers = &encoding->params[0];
    unsigned seen = 0;
    int count = 0;
    for (size_t i = 0; i < registers->count; i++) {
        const struct lw_value *basis = &registers->items[i];
        int dim = 0;
        while (dim < (int)basis->count && !basis->items[dim].integer)
            dim++;
        if (dim < (int)basis->count && !(seen >> dim & 1)) {
            order[count++] = dim;
            seen |= 1u << dim;
        }
    }
    for (int dim = rank - 1; dim >= 0; dim--)
        if (!(seen >> dim & 1))
            order[count++] = dim;
}

static bool build_linear(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int64_t order[LW_RANK_MAX];
    int rank = lw_schema_rank(encoding, tensor);
    lw_tile_begin(&tile, err);
    if (!lw_read_bases(encoding, lw_register_dims, 4, rank, &tile.layout, err))
        return false;
    repeat_order(encoding, rank, order);
    if (tensor->rank > 0) {
        lw_tile_outs(&tile, order, rank);
        lw_tile_not_smaller(&tile, tensor->shape);
        if (encoding->type == &lw_encoding_generic_linear)
            lw_tile_clip(&tile, tensor->shape);
        else
            lw_tile_not_larger(&tile, tensor->shape, true);
    }
    return lw_tile_map(&tile, lw_register_dims, 4, rank, map);
}

const struct lw_encoding_type lw_encoding_linear = {
    .name = "linear",
    .dialect = "ttg",
    .title = "bases in registers",
    .about =
        "A layout in registers, written out: for each bit of the register, lane, warp and block "
        "number, how far it moves in the tensor. A larger tensor has more registers, a smaller "
        "one copies.",
    .example = "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
               "[4, 0]], warp = [[16, 0]], block = []}>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, linear_params, check_registers, build_linear),
};

/* ---- generic_linear ---- */

static const struct lw_param generic_params[] = {
    REGISTER_BASES("where each bit of the warp number moves, in several dims at once if need be",
                   LW_DEFAULT_REQUIRED)};

const struct lw_encoding_type lw_encoding_generic_linear = {
    .name = "generic_linear",
    .dialect = "ttg",
    .title = "any bases in registers",
    .about =
        "As linear, in Triton 3.8 and later: bases may move in several dims at once, and several "
        "may reach the same element.",
    .example = "#ttg.generic_linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], "
               "[2, 0], [4, 0]], warp = [[16, 1]], block = []}>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, generic_params, check_registers, build_linear),
    .since = LW_TRITON_3_8,
};

/* ---- shared_linear: bases in shared memory ---- */

static const struct lw_param shared_params[] = {
    LW_BASES_PARAM("offset", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the offset (in elements) moves in the tensor"),
    LW_BASES_PARAM("block", LW_RULE_RANK | LW_RULE_SILENT, LW_DEFAULT_ABSENT,
                   "where each bit of the block number moves"),
    LW_ROW("alignment", LW_PARAM_INTEGER, "bytes that its start must be a multiple of",
           .rules = LW_RULE_POWER_OF_TWO | LW_RULE_OUTSIDE, .min = 1, .max = INT32_MAX,
           .fallback = LW_DEFAULT_NUMBER, .number = 16),
};

static bool check_shared(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_error *err)
{
    struct lw_layout layout;
    return lw_check_bases(encoding, lw_shared_dims, 2, tensor, &layout, err) &&
           lw_check_sizes(&layout, tensor, err);
}

static bool build_shared(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    if (!lw_read_bases(encoding, lw_shared_dims, 2, lw_schema_rank(encoding, tensor), &layout, err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_shared_linear = {
    .name = "shared_linear",
    .dialect = "ttg",
    .title = "bases in shared memory",
    .about =
        "A layout in shared memory, written out: for each bit of the offset, how far it moves in "
        "the tensor.",
    .example = "!ttg.memdesc<4x4xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1], [2, "
               "2]]}, alignment = 16>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, shared_params, check_shared, build_shared),
    .since = LW_TRITON_3_6,
};

/* ---- bases: between dims of any names ---- */

static const struct lw_param bases_params[] = {
    LW_ROW("in", LW_PARAM_DIMS,
           "the input dims in order with their sizes; without it they follow from the bases",
           .rules = LW_RULE_POWER_OF_TWO, .min = 1, .max = LW_NUMBER_MAX,
           .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("out", LW_PARAM_DIMS,
           "the output dims in order with their sizes; without it dim0, dim1, ..., as small as "
           "the bases allow",
           .rules = LW_RULE_POWER_OF_TWO, .min = 1, .max = LW_NUMBER_MAX,
           .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("bases", LW_PARAM_NAMED_BASES, "for each input dim, the images of its bits, bit 0 first",
           .max = LW_NUMBER_MAX),
    LW_ROW("surjective", LW_PARAM_BOOLEAN,
           "states that every element is covered; refused when it is not true",
           .fallback = LW_DEFAULT_ABSENT),
    LW_ROW("injective", LW_PARAM_BOOLEAN,
           "states that no element has two owners; refused when it is not true",
           .fallback = LW_DEFAULT_ABSENT),
};

static bool read_dims(const struct lw_value *list, struct lw_dims *dims, struct lw_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct lw_value *pair = list->items[i].items;
        if (!lw_dims_add(dims, pair[0].string, (uint64_t)pair[1].integer, err))
            return false;
    }
    return true;
}

/* Sizes that are set must be those of the bases. */
static bool agree(const struct lw_value *bases, const struct lw_dims *in, struct lw_error *err)
{
    for (size_t i = 0; i < bases->count; i++)
        if (lw_dims_find(in, bases->names[i]) < 0)
            return lw_error_about(err, "bases", bases->position, "bases: `in` has no dim '%.24s'",
                                  bases->names[i]);
    for (int d = 0; d < in->count; d++) {
        const struct lw_value *list = lw_value_member(bases, in->dim[d].name);
        if (size_of(list) != in->dim[d].size)
            return lw_error_about(err, "bases", bases->position,
                                  "bases: there are %zu of %s, but its size in `in` needs %d",
                                  base_count(list), in->dim[d].name, lw_log2(in->dim[d].size));
    }
    return true;
}

static bool read_ins(const struct lw_encoding *encoding, struct lw_dims *dims, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    const struct lw_value *value = lw_encoding_value(encoding, "in");
    if (value)
        return read_dims(value, dims, err) && agree(bases, dims, err);
    for (size_t i = 0; i < bases->count; i++)
        if (!lw_dims_add(dims, bases->names[i], size_of(&bases->items[i]), err))
            return false;
    return true;
}

/* The count of numbers in each basis: -1 when there is no basis, -2 when they differ. */
static int basis_length(const struct lw_value *bases)
{
    int length = -1;
    for (size_t i = 0; i < bases->count; i++) {
        if (bases->items[i].count == 0)
            continue;
        int own = (int)bases->items[i].items[0].count;
        if (length >= 0 && own != length)
            return -2;
        length = own;
    }
    return length;
}

static bool read_outs(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_dims *dims, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    const struct lw_value *value = lw_encoding_value(encoding, "out");
    uint64_t sizes[LW_RANK_MAX];
    int length = basis_length(bases);
    if (length == -2)
        return lw_error_about(err, "bases", bases->position,
                              "bases: each basis must have as many numbers as there are dims");
    if (value) {
        if (!read_dims(value, dims, err))
            return false;
        return length < 0 || length == dims->count ||
               lw_error_about(err, "bases", bases->position,
                              "bases: each has %d numbers, but `out` has %d dims", length,
                              dims->count);
    }
    int rank = length >= 0 ? length : tensor->rank >= 0 ? tensor->rank : 0;
    for (int d = 0; d < rank; d++)
        sizes[d] = 1;
    for (size_t i = 0; i < bases->count; i++)
        lw_grow_to_bases(&bases->items[i], sizes, rank);
    for (int d = 0; d < rank && tensor->rank == rank; d++)
        sizes[d] = sizes[d] < tensor->shape[d] ? tensor->shape[d] : sizes[d];
    return lw_dims_of_shape(dims, sizes, rank, err);
}

static bool read_any(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_layout *layout, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    struct lw_dims in = {0}, out = {0};
    if (!read_ins(encoding, &in, err) || !read_outs(encoding, tensor, &out, err) ||
        !lw_layout_of_dims(layout, &in, &out, err))
        return false;
    for (int d = 0; d < in.count; d++)
        if (!set_bases(layout, d, lw_value_member(bases, in.dim[d].name), err))
            return false;
    return true;
}

/* `surjective` and `injective` must be true when they are set: of the layout when it has that rank. */
static bool check_remark(const struct lw_encoding *encoding, const char *name,
                         const struct lw_layout *layout, int rank, struct lw_error *err)
{
    return !lw_encoding_is_set(encoding, name) ||
           lw_encoding_boolean(encoding, name) == (lw_layout_rank(layout) == rank) ||
           lw_refuse(err, encoding, name, "not true of the bases");
}

static bool check_any(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_error *err)
{
    struct lw_layout layout;
    struct lw_error why = {0};
    if (!read_any(encoding, tensor, &layout, &why)) {
        if (!why.parameter[0])
            strcpy(why.parameter, "bases");
        if (!why.position.line)
            why.position = lw_encoding_value(encoding, "bases")->position;
        if (err)
            *err = why;
        return false;
    }
    return check_remark(encoding, "surjective", &layout, lw_layout_out_bits(&layout), err) &&
           check_remark(encoding, "injective", &layout, lw_layout_in_bits(&layout), err) &&
           lw_check_sizes(&layout, tensor, err);
}

static bool build_any(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    if (!read_any(encoding, tensor, &layout, err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

bool lw_bases_of_object(const struct lw_value *object, struct lw_layout *layout)
{
    struct lw_value values[LW_COUNT(bases_params)] = {0};
    struct lw_encoding encoding = {.type = &lw_encoding_bases, .params = values};
    struct lw_tensor tensor;
    struct lw_text why = {0};
    enum lw_code code;
    struct lw_position position;
    bool legal = true;
    for (size_t i = 0; i < object->count; i++) {
        int index = lw_encoding_param(&encoding, object->names[i]);
        if (index < 0)
            return false;
        values[index] = object->items[i];
    }
    for (size_t i = 0; legal && i < LW_COUNT(bases_params); i++)
        legal = values[i].kind == LW_VALUE_NONE
                    ? bases_params[i].fallback != LW_DEFAULT_REQUIRED
                    : lw_value_legal(&why, &code, &position, &bases_params[i], &values[i], -1);
    lw_text_free(&why);
    lw_tensor_unknown(&tensor);
    return legal && read_any(&encoding, &tensor, layout, NULL) &&
           check_remark(&encoding, "surjective", layout, lw_layout_out_bits(layout), NULL) &&
           check_remark(&encoding, "injective", layout, lw_layout_in_bits(layout), NULL);
}

const struct lw_encoding_type lw_encoding_bases = {
    .name = "bases",
    .title = "any linear layout",
    .about = "A linear layout between dims of any names, written out as bases: what `bases --json` "
             "prints.",
    .example = "{\"bases\": {\"register\": [[0, 1], [0, 2]], \"lane\": [[1, 1], [2, 2]]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_PLAIN, bases_params, check_any, build_any),
};
