/* padded_shared: shared memory with gaps. Source: PaddedSharedEncodingAttr of Triton 3.7 (its
 * parser, verifier and getPaddedSize). */

#include "encoding/triton/cga.h"
#include "encoding/triton/linear_bases.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    {.name = "intervalPads",
     .type = LW_PARAM_PADDINGS,
     .rules = LW_RULE_BEFORE | LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = INT32_MAX,
     .help = "the gap after each interval, in elements: 2 after every 4 is 4:+2; several add up"},
    {.name = "order",
     .type = LW_PARAM_INTEGERS,
     .rules = LW_RULE_RANK | LW_RULE_PERMUTATION,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "the dims from the one that varies fastest; or set offset and block"},
    {.name = "shape",
     .type = LW_PARAM_INTEGERS,
     .rules = LW_RULE_RANK | LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = LW_NUMBER_MAX,
     .fallback = LW_DEFAULT_ABSENT,
     .since = LW_TRITON_3_6,
     .help = "the tensor's own, which goes with order"},
    LW_BASES_PARAM_SINCE("offset", LW_RULE_RANK, LW_DEFAULT_ABSENT, LW_TRITON_3_6,
                         "where each bit of the offset, before padding, moves in the tensor"),
    LW_BASES_PARAM_SINCE("block", LW_RULE_RANK, LW_DEFAULT_ABSENT, LW_TRITON_3_6,
                         "where each bit of the block number moves"),
    LW_CGA_PARAMS,
};

static bool has_bases(const struct lw_encoding *encoding)
{
    return lw_encoding_is_set(encoding, "offset") || lw_encoding_is_set(encoding, "block");
}

/* The shape that goes with the order: its own, or the tensor's. */
static bool own_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_tensor *own)
{
    int64_t shape[LW_RANK_MAX];
    size_t rank = lw_encoding_integers(encoding, "shape", 0, shape, LW_RANK_MAX);
    *own = *tensor;
    if (!lw_encoding_is_set(encoding, "shape"))
        return tensor->rank >= 0;
    own->rank = (int)rank;
    for (size_t d = 0; d < rank; d++)
        own->shape[d] = (uint64_t)shape[d];
    return true;
}

/* The layout before padding. */
static bool read_layout(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_layout *layout, struct lw_error *err)
{
    struct lw_tile tile;
    struct lw_tensor own;
    struct lw_map map;
    struct lw_layout cga;
    uint64_t part[LW_RANK_MAX];
    int64_t order[LW_RANK_MAX];
    if (has_bases(encoding))
        return lw_read_bases(encoding, lw_shared_dims, 2, lw_schema_rank(encoding, tensor), layout,
                             err);
    own_tensor(encoding, tensor, &own);
    lw_encoding_integers(encoding, "order", own.rank, order, LW_RANK_MAX);
    if (!lw_cga_layout(encoding, own.rank, &cga, err))
        return false;
    lw_shape_per_block(&cga, &own, part);
    lw_tile_begin(&tile, err);
    for (int i = 0; i < own.rank; i++)
        lw_tile_identity(&tile, part[order[i]], "offset", (int)order[i]);
    return lw_combine(&tile, &cga, &own, own.rank, LW_FAMILY_SHARED, &map) &&
           lw_map_to_layout(&map, layout, err);
}

/* ---- Checks ---- */

static bool is_step(const struct lw_value *basis)
{
    int moves = 0;
    for (size_t d = 0; d < basis->count; d++) {
        int64_t n = basis->items[d].integer;
        if (n && lw_log2((uint64_t)n) < 0)
            return false;
        moves += n != 0;
    }
    return moves == 1;
}

static bool check_bases(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    static const char *const others[] = {"order", "shape", "CGALayout", "CTAsPerCGA"};
    struct lw_layout layout;
    for (size_t i = 0; i < LW_COUNT(others); i++)
        if (lw_encoding_is_set(encoding, others[i]))
            return lw_refuse(err, encoding, others[i],
                             "offset and block define the whole layout: do not set this too");
    for (int p = 0; p < 2; p++) {
        const struct lw_value *bases = lw_encoding_value(encoding, lw_shared_dims[p]);
        for (size_t i = 0; bases && i < bases->count; i++)
            if (!is_step(&bases->items[i]))
                return lw_refuse(err, encoding, lw_shared_dims[p],
                                 "each basis must move in one dim, by a power of two");
    }
    return lw_check_bases(encoding, lw_shared_dims, 2, tensor, &layout, err);
}

static bool check_order(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    struct lw_tensor own;
    if (!lw_encoding_is_set(encoding, "order"))
        return lw_refuse_missing(
            err, encoding, "order",
            "the dims from the one that varies fastest; or offset and block, as bases");
    if (!own_tensor(encoding, tensor, &own))
        return lw_refuse_missing(err, encoding, "shape",
                                 "or that of the tensor, set with -t 64x64xf16");
    if (!lw_cga_check(encoding, own.rank, err))
        return false;
    for (int d = 0; d < own.rank && tensor->rank >= 0; d++)
        if (own.shape[d] != tensor->shape[d])
            return lw_refuse(err, encoding, "shape", "the tensor has %llu in dim %d",
                             (unsigned long long)tensor->shape[d], d);
    return true;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_layout layout;
    bool bases = has_bases(encoding);
    if (!(bases ? check_bases(encoding, tensor, err) : check_order(encoding, tensor, err)) ||
        !read_layout(encoding, tensor, &layout, err))
        return false;
    if (!lw_layout_is_invertible(&layout))
        return lw_refuse(err, encoding,
                         lw_encoding_is_set(encoding, "CGALayout") ? "CGALayout" : "CTAsPerCGA",
                         "blocks of padded memory may not hold copies of each other");
    return lw_check_sizes(&layout, tensor, err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    struct lw_padding padding[LW_PADDINGS_MAX];
    const struct lw_value *pairs = lw_encoding_value(encoding, "intervalPads");
    for (size_t i = 0; i < pairs->count; i++)
        padding[i] = (struct lw_padding){(uint64_t)pairs->items[i].items[0].integer,
                                         (uint64_t)pairs->items[i].items[1].integer};
    return read_layout(encoding, tensor, &layout, err) &&
           lw_map_from_padding(map, &layout, "offset", padding, (int)pairs->count, err);
}

const struct lw_encoding_type lw_encoding_padded_shared = {
    .name = "padded_shared",
    .dialect = "ttg",
    .title = "rows with gaps",
    .about = "A tensor in shared memory with a gap of a few elements after each interval, such as "
             "a row, so that rows start in different banks: a simple way to avoid bank conflicts. "
             "It costs some memory; a swizzle costs none. Several paddings add up: [2:+1, 4:+2] "
             "leaves 1 free after every 2 elements and 2 more after every 4. Before padding, the "
             "elements may be in another order, in which each basis moves along one dim. An "
             "address is the offset with its padding; gaps are drawn as holes.",
    .example = "!ttg.memdesc<16x32xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [16, "
               "32]}>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, params, check, build),
};
