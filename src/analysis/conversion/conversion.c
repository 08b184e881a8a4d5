/*
 * Conversions: what moves, and by which instructions.
 *
 * Data moves in a dim unless the conversion is the identity on it and no other dim maps into it or out of it. Blocks
 * are checked first, then warps, lanes and registers: the first dim in which data moves gives the kind.
 *
 * Source: Triton's minimalCvtLayout and convert_layout (releases 3.6 to 3.9).
 */

#include "analysis/conversion/conversion_parts.h"
#include "core/tile.h"
#include "laneway/algebra.h"

#include <string.h>

#define INDEX_DIMS 4

const char *lw_conversion_kind_name(enum lw_conversion_kind kind)
{
    static const char *const names[] = {"none", "registers", "shuffle", "shared", "blocks"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ---- Layouts in registers ---- */

static bool check_dims(const struct lw_dims *in, const char *which, struct lw_error *err)
{
    if (lw_dims_find(in, "offset") >= 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "layout %s is in shared memory: a conversion is between two "
                            "layouts in registers",
                            which);
    for (int i = 0; i < in->count; i++) {
        int known = 0;
        while (known < INDEX_DIMS && strcmp(in->dim[i].name, lw_register_dims[known]) != 0)
            known++;
        if (known == INDEX_DIMS)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "layout %s has a dim '%s': a conversion is between two layouts "
                                "in registers, with the dims register, lane, warp and block",
                                which, in->dim[i].name);
    }
    return true;
}

/* The layout of a map with all of the four dims, in order. `name`: "A" or "B", for messages. */
static bool in_registers(struct lw_layout *out, const struct lw_map *map, uint64_t lanes,
                         const char *which, struct lw_error *err)
{
    struct lw_layout made;
    if (!lw_map_to_hardware(map, lanes, &made, err) || !check_dims(&made.in, which, err))
        return false;
    if (lw_layout_in_bits(&made) >= LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "layout %s has 2^64 hardware indices: at most 2^63 are converted",
                            which);
    if (!lw_layout_with_ins(out, &made, lw_register_dims, INDEX_DIMS, err))
        return false;
    return lw_layout_is_surjective(out) ||
           lw_error_set(
               err, LW_ERROR_UNSUPPORTED,
               "layout %s does not cover every element: the elements that it does not hold cannot "
               "be converted",
               which);
}

bool lw_conversion_check_tensors(const struct lw_dims *from, const struct lw_dims *to,
                                 struct lw_error *err)
{
    struct lw_text text = {0};
    if (lw_dims_equal(from, to))
        return true;
    for (int side = 0; side < 2; side++) {
        const struct lw_dims *dims = side ? to : from;
        lw_text_add(&text, side ? ", layout B for one of " : "");
        for (int i = 0; i < dims->count; i++)
            lw_text_format(&text, "%s%llu", i ? "x" : "", (unsigned long long)dims->dim[i].size);
    }
    lw_error_set(err, LW_ERROR_SHAPE, "layout A is for a tensor of %s: the shapes must be the same",
                 lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* The side of a layout with the dims register, lane, warp and block. */
static bool make_side(struct lw_conversion_side *side, const struct lw_layout *layout,
                      struct lw_error *err)
{
    const char *outs[LW_DIMS_MAX];
    memset(side, 0, sizeof *side);
    for (int i = 0; i < layout->out.count; i++)
        outs[i] = layout->out.dim[i].name;
    if (!lw_layout_sublayout(&side->layout, layout, lw_register_dims, LW_BY_COUNT, outs,
                             layout->out.count, err) ||
        !lw_layout_remove_zeros(&side->layout, &side->layout, lw_register_dims[0], err))
        return false;
    for (int by = 0; by < LW_BY_COUNT; by++)
        for (int i = 0; i < lw_layout_in_log2(&side->layout, by); i++)
            lw_points_add(&side->by[by],
                          side->layout.basis[lw_layout_in_shift(&side->layout, by) + i]);
    return true;
}

/* The index in `other` of the element of each index in `layout`. The compiler removes dims that are equal in both,
 * which can fail; then it is the least index that holds the element. */
static bool find_source(struct lw_layout *out, const struct lw_layout *layout,
                        const struct lw_layout *other, enum lw_triton triton, struct lw_error *err)
{
    struct lw_layout inverse;
    enum lw_identity_rule rule = lw_triton_identity_rule(triton);
    return lw_layout_invert_and_compose(out, layout, other, rule, NULL) ||
           (lw_layout_pseudoinvert(&inverse, other, err) &&
            lw_layout_compose(out, layout, &inverse, err));
}

/* ---- The kind ---- */

/* How many of the four dims are left when the slowest ones that the conversion does not change
 * are removed. */
static int dims_left(const struct lw_layout *source)
{
    struct lw_layout left = *source;
    int count = INDEX_DIMS;
    while (count > 0 && lw_layout_quotient(&left, &left, &lw_register_dims[count - 1], 1, NULL))
        count--;
    return count;
}

/* Sets *lane to the lane bit of `from` that selects, within a warp, the part that bit `warp` of the warp's number
 * selects in `to`; 0 when both layouts have the same basis there. False when there is no such bit. */
static bool lane_of_warp(const struct lw_conversion *conversion, int warp, uint64_t *lane)
{
    const struct lw_layout *from = &conversion->from, *to = &conversion->to;
    int shift = lw_layout_in_shift(from, LW_BY_LANE), i = 0;
    uint64_t moved = from->basis[lw_layout_in_shift(from, LW_BY_WARP) + warp] ^
                     to->basis[lw_layout_in_shift(to, LW_BY_WARP) + warp];
    while (moved && i < lw_layout_in_log2(from, LW_BY_LANE) && from->basis[shift + i] != moved)
        i++;
    *lane = moved ? (uint64_t)1 << i : 0;
    return !moved || i < lw_layout_in_log2(from, LW_BY_LANE);
}

/* Whether registers and lanes of `to` have their elements in registers and lanes of `from`, in the
 * same warp. */
static bool others_stay(const struct lw_conversion *conversion, const struct lw_layout *source)
{
    int warps = lw_layout_out_shift(source, LW_BY_WARP),
        from = lw_layout_in_shift(source, LW_BY_WARP),
        to = from + lw_layout_in_log2(source, LW_BY_WARP);
    for (int i = 0; i < lw_layout_in_bits(&conversion->to); i++)
        if ((i < from || i >= to) &&
            source->basis[i] >> warps & lw_f2_mask(lw_layout_out_log2(source, LW_BY_WARP)))
            return false;
    return true;
}

/* Since Triton 3.9, when every warp of `from` holds all that the warps of `to` divide, each warp gets its part from its
 * own lanes. Changes `source` to this where it is possible. */
static bool keep_warps(struct lw_conversion *conversion)
{
    struct lw_layout kept = conversion->source;
    int bits = lw_layout_in_log2(&kept, LW_BY_WARP), shift = lw_layout_in_shift(&kept, LW_BY_WARP);
    uint64_t lanes[LW_BITS_MAX] = {0};
    if (!lw_triton_since(conversion->request.triton, LW_TRITON_3_9) ||
        bits != lw_layout_in_log2(&conversion->from, LW_BY_WARP) || !others_stay(conversion, &kept))
        return false;
    for (int i = 0; i < bits; i++) {
        if (!lane_of_warp(conversion, i, &lanes[i]))
            return false;
        kept.basis[shift + i] = lanes[i] << lw_layout_out_shift(&kept, LW_BY_LANE) |
                                (uint64_t)1 << (lw_layout_out_shift(&kept, LW_BY_WARP) + i);
    }
    conversion->source = kept;
    memcpy(conversion->shuffle.warp_lanes, lanes, sizeof lanes);
    return true;
}

/* Whether each of `count` bases of a layout, from the first on, is 0 or a single bit of the tensor. */
static bool has_single_bits(const struct lw_layout *layout, int count)
{
    for (int i = 0; i < count; i++)
        if (layout->basis[i] & (layout->basis[i] - 1))
            return false;
    return true;
}

/* Whether Triton can convert a layout through shared memory: before 3.9 it fails when a basis is a sum of bits, since
 * then only when that is a basis of a register. `which`: "A" or "B", for messages. */
static bool check_single_bits(const struct lw_layout *layout, const char *which,
                              enum lw_triton triton, struct lw_error *err)
{
    bool since = lw_triton_since(triton, LW_TRITON_3_9);
    if (has_single_bits(layout, since ? lw_layout_in_log2(layout, LW_BY_REGISTER)
                                      : lw_layout_in_bits(layout)))
        return true;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "Triton %s does not compile this: %s of layout %s are sums of bits",
                        lw_triton_name(triton), since ? "bases of registers" : "bases", which);
}

/* Sets the number of shuffles. False: it goes through shared memory, as it does where a basis is a sum of bits. */
static bool find_shuffle(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                         const struct lw_conversion_side *to)
{
    struct lw_shuffle *shuffle = &conversion->shuffle;
    if (!has_single_bits(&conversion->from, lw_layout_in_bits(&conversion->from)) ||
        !has_single_bits(&conversion->to, lw_layout_in_bits(&conversion->to)) ||
        !lw_shuffle_find(shuffle, from, to, conversion->request.element_bits) || shuffle->swaps > 1)
        return false;
    uint64_t values = (uint64_t)1 << (shuffle->register_bits - shuffle->pack);
    conversion->rounds = shuffle->lanes_permuted ? values : shuffle->swaps ? values / 2 : 0;
    conversion->shuffles = conversion->rounds * shuffle->words;
    return true;
}

static bool find_exchange(struct lw_conversion *conversion, const struct lw_conversion_side *from,
                          const struct lw_conversion_side *to, struct lw_error *err)
{
    unsigned bits = conversion->request.element_bits;
    bits = bits < 8 ? 8 : bits; /* smaller elements are stored as bytes */
    if (bits > 128 || lw_log2(bits) < 0)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "elements of %u bits cannot go through shared memory: they must have 1, 2, 4, ..., 128",
            bits);
    enum lw_triton triton = conversion->request.triton;
    if (!check_single_bits(&conversion->from, "A", triton, err) ||
        !check_single_bits(&conversion->to, "B", triton, err))
        return false;
    if (!lw_exchange_find(&conversion->exchange, &conversion->memory, from, to, bits,
                          &conversion->request, err))
        return false;
    conversion->rounds = (uint64_t)1 << conversion->exchange.rounds;
    conversion->shared_bytes = conversion->memory.in.dim[0].size * (bits / 8);
    return lw_exchange_lower(conversion, from, to, err);
}

static bool find_cost(struct lw_conversion *conversion, struct lw_error *err)
{
    struct lw_conversion_side from, to;
    if (!make_side(&from, &conversion->from, err) || !make_side(&to, &conversion->to, err))
        return false;
    if (conversion->kind == LW_CONVERSION_SHUFFLE && !find_shuffle(conversion, &from, &to)) {
        conversion->kind = LW_CONVERSION_SHARED;
        conversion->within_warps = true;
    }
    return conversion->kind != LW_CONVERSION_SHARED || find_exchange(conversion, &from, &to, err);
}

bool lw_conversion_trace(struct lw_conversion *conversion,
                         const struct lw_conversion_request *request, struct lw_error *err)
{
    static const enum lw_conversion_kind kinds[] = {LW_CONVERSION_NONE, LW_CONVERSION_REGISTERS,
                                                    LW_CONVERSION_SHUFFLE, LW_CONVERSION_SHARED,
                                                    LW_CONVERSION_BLOCKS};
    memset(conversion, 0, sizeof *conversion);
    conversion->request = *request;
    if (!request->hardware)
        conversion->request.hardware = lw_hardware_default();
    uint64_t lanes = conversion->request.hardware->lanes;
    if (!in_registers(&conversion->from, request->from, lanes, "A", err) ||
        !in_registers(&conversion->to, request->to, lanes, "B", err) ||
        !lw_conversion_check_tensors(&conversion->from.out, &conversion->to.out, err) ||
        !find_source(&conversion->map, &conversion->from, &conversion->to, request->triton, err) ||
        !find_source(&conversion->source, &conversion->to, &conversion->from, request->triton, err))
        return false;
    conversion->kind = kinds[dims_left(&conversion->source)];
    if (conversion->kind == LW_CONVERSION_SHARED && keep_warps(conversion))
        conversion->kind = LW_CONVERSION_SHUFFLE;
    return true;
}

bool lw_conversion_make(struct lw_conversion *conversion,
                        const struct lw_conversion_request *request, struct lw_error *err)
{
    if (lw_conversion_trace(conversion, request, err) && find_cost(conversion, err))
        return true;
    lw_conversion_free(conversion);
    return false;
}

void lw_conversion_free(struct lw_conversion *conversion)
{
    lw_plan_free(&conversion->store);
    lw_plan_free(&conversion->load);
    lw_plan_free(&conversion->last_load);
}
