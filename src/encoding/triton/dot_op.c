/* dot_op: operands a and b of a matrix product. Source: DotOperandEncodingAttr of Triton 3.7. */

#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    {.name = "opIdx",
     .type = LW_PARAM_INTEGER,
     .max = 1,
     .help = "0: the left operand a (m x k), 1: the right operand b (k x n)"},
    {.name = "parent",
     .type = LW_PARAM_ENCODING,
     .help = "the layout of the result: blocked, nvidia_mma, amd_mfma or amd_wmma"},
    {.name = "kWidth",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_SILENT,
     .max = 65536,
     .fallback = LW_DEFAULT_NUMBER,
     .help = "neighbouring elements along k that a lane holds; 0 with a blocked parent"},
};

struct operand {
    const struct lw_encoding *parent;
    const struct lw_tensor *tensor;
    int rank;
    int op; /* 0: a, 1: b */
    int64_t width;
    int k, other;                /* the k dim, and m or n */
    int64_t order[LW_RANK_MAX];  /* k first */
    int64_t normal[LW_RANK_MAX]; /* the last dim first */
    int64_t warps[LW_RANK_MAX];  /* warpsPerCTA of the parent, except for wmma */
    uint64_t k_size;             /* 0 when not known */
};

typedef bool build_operand(const struct operand *operand, struct lw_tile *tile, struct lw_map *map);

/* ---- Blocked parents: products on the ordinary units ---- */

/* The blocks of a cluster that differ only along k hold copies. */
static bool operand_cga(const struct operand *operand, struct lw_layout *cga, struct lw_error *err)
{
    if (!lw_cga_layout(operand->parent, operand->rank, cga, err))
        return false;
    struct lw_layout without = *cga;
    without.out.dim[operand->k].size = 1;
    for (int i = 0; i < lw_layout_in_bits(cga); i++) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(cga, 0, i, image);
        image[operand->k] = 0;
        if (!lw_layout_set_basis(&without, 0, i, image, err))
            return false;
    }
    *cga = without;
    return true;
}

static bool finish(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    struct lw_layout cga;
    return operand_cga(operand, &cga, tile->err) &&
           lw_combine(tile, &cga, operand->tensor, operand->rank, LW_FAMILY_DISTRIBUTED, map);
}

/* A thread holds all of k. */
static bool build_blocked(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t sizes[LW_RANK_MAX], order[LW_RANK_MAX];
    int rank = operand->rank;
    lw_encoding_integers(operand->parent, "order", rank, order, LW_RANK_MAX);
    lw_integers(operand->parent, "sizePerThread", sizes);
    if (operand->k_size)
        sizes[operand->k] = (int64_t)operand->k_size;
    lw_tile_ordered(tile, "register", sizes, order, rank);
    lw_integers(operand->parent, "threadsPerWarp", sizes);
    lw_tile_broadcast(tile, "lane", sizes, order, rank, operand->k);
    lw_tile_broadcast(tile, "warp", operand->warps, order, rank, operand->k);
    return finish(operand, tile, map);
}

/* ---- NVIDIA ---- */

static bool build_nvidia(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t shape[LW_RANK_MAX], warp_order[LW_RANK_MAX];
    bool hopper = lw_encoding_integer(operand->parent, "versionMajor") == 3;
    shape[operand->k] = operand->width * 8;
    shape[operand->other] = operand->op == 0 ? 16 : 8;
    lw_matrix_order(operand->rank, !hopper, warp_order);
    lw_nvidia_tile(tile, shape, operand->width, operand->order, operand->order, operand->rank);
    lw_tile_broadcast(tile, "warp", operand->warps, warp_order, operand->rank, operand->k);
    lw_tile_outs(tile, operand->order, operand->rank);
    return finish(operand, tile, map);
}

/* ---- AMD ---- */

static bool build_mfma(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t instr[LW_RANK_MAX], tiles[LW_RANK_MAX];
    int k = operand->k, other = operand->other;
    lw_integers(operand->parent, "instrShape", instr);
    lw_amd_tiles(operand->parent, operand->rank, tiles);
    int64_t size = instr[operand->op], k_tile = 64 / size * operand->width;
    lw_tile_identity(tile, (uint64_t)operand->width, "register", k);
    lw_tile_identity(tile, (uint64_t)size, "lane", other);
    lw_tile_identity(tile, (uint64_t)(64 / size), "lane", k);
    if (size == 64) { /* the 64 x 64 operand of a 64 x 4 or 4 x 64 tile */
        lw_tile_identity(tile, 16, "register", k);
        k_tile *= 16;
    }
    if (operand->k_size > (uint64_t)k_tile)
        lw_tile_identity(tile, operand->k_size / (uint64_t)k_tile, "register", k);
    lw_tile_identity(tile, (uint64_t)tiles[other], "register", other);
    for (int i = 0; i < operand->rank; i++) /* the k dim comes first from here on */
        lw_tile_identity(tile, 1, "register", (int)operand->order[i]);
    lw_tile_outs(tile, operand->order, operand->rank);
    lw_tile_ordered(tile, "warp", operand->warps, operand->normal, operand->rank);
    return lw_combine_cga(tile, operand->parent, operand->tensor, operand->rank, map);
}

/* Since Triton 3.8: registers that fill the k of one instruction come before those of warps, and blocks hold copies
 * along k. An instruction of 32 rows is two of 16. */
static bool finish_wmma(const struct operand *operand, struct lw_tile *tile, uint64_t tile_k,
                        const int64_t mnk[3], const struct lw_layout *warps, struct lw_map *map)
{
    struct lw_layout cga;
    bool flip = lw_encoding_boolean(operand->parent, "isTranspose") && mnk[0] != mnk[1];
    uint64_t size = (uint64_t)mnk[flip ? 1 - operand->op : operand->op];
    uint64_t repeat = (uint64_t)mnk[2] / tile_k;
    lw_tile_identity(tile, repeat ? repeat : 1, "register", operand->k);
    lw_tile_identity(tile, size / 16, "register", operand->other);
    lw_tile_times(tile, warps);
    lw_tile_outs(tile, operand->order, operand->rank);
    if (!lw_cga_layout(operand->parent, operand->rank, &cga, tile->err))
        return false;
    lw_zero_dim(&cga, operand->k);
    return lw_combine(tile, &cga, operand->tensor, operand->rank, LW_FAMILY_DISTRIBUTED, map);
}

/* How much of k the registers cover before the bases of warps: all of it in Triton 3.6 only where a warp has several
 * tiles, and in earlier releases never. */
static uint64_t wmma_k(const struct operand *operand, int64_t k, int64_t tiles)
{
    bool all = lw_encoding_since(operand->parent, LW_TRITON_3_7) || tiles > 1;
    return all && operand->k_size > (uint64_t)k ? operand->k_size : (uint64_t)k;
}

static bool build_wmma(const struct operand *operand, struct lw_tile *tile, struct lw_map *map)
{
    int64_t mnk[3], tiles[LW_RANK_MAX], width = operand->width;
    struct lw_layout warps;
    int k = operand->k, other = operand->other;
    if (!lw_wmma_warps(operand->parent, operand->rank, &warps, tile->err))
        return false;
    lw_flatten_dim(&warps, k);
    lw_wmma_shape(operand->parent, mnk);
    uint64_t size = 16, depth = 32 / size;
    lw_tile_identity(tile, (uint64_t)width, "register", k);
    lw_tile_identity(tile, size, "lane", other);
    if (lw_encoding_integer(operand->parent, "version") == 1)
        lw_tile_zeros(tile, depth, "lane", k);
    else
        lw_tile_identity(tile, depth, "lane", k);
    if (lw_encoding_since(operand->parent, LW_TRITON_3_8))
        return finish_wmma(operand, tile, depth * (uint64_t)width, mnk, &warps, map);
    lw_amd_tiles(operand->parent, operand->rank, tiles);
    lw_tile_identity(tile, wmma_k(operand, mnk[2], tiles[other]) / (depth * (uint64_t)width),
                     "register", k);
    lw_tile_identity(tile, (uint64_t)tiles[other], "register", other);
    lw_tile_times(tile, &warps);
    lw_tile_outs(tile, operand->order, operand->rank);
    return lw_combine_cga(tile, operand->parent, operand->tensor, operand->rank, map);
}

/* ---- Which parents there are ---- */

static bool check_blocked(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    return !width || lw_refuse(err, encoding, "kWidth", "must be 0 when the parent is blocked");
}

static bool need_width(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    const char *parent = lw_encoding_nested(encoding, "parent")->type->name;
    if (!lw_encoding_is_set(encoding, "kWidth"))
        return lw_refuse_missing(err, encoding, "kWidth", "a power of two, since its parent is %s",
                                 parent);
    return lw_log2((uint64_t)width) >= 0 ||
           lw_refuse(err, encoding, "kWidth", "must be a power of two when the parent is %s",
                     parent);
}

static bool check_nvidia(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    if (!need_width(encoding, width, err))
        return false;
    return lw_encoding_integer(parent, "versionMajor") != 3 ||
           !lw_encoding_integer(encoding, "opIdx") ||
           lw_refuse(err, encoding, "opIdx",
                     "must be 0 when the parent is wgmma (versionMajor = 3), which reads b from "
                     "shared memory");
}

static bool check_wmma(const struct lw_encoding *encoding, int64_t width, struct lw_error *err)
{
    int64_t version = lw_encoding_integer(lw_encoding_nested(encoding, "parent"), "version");
    if (!need_width(encoding, width, err))
        return false;
    return version == 3 || width == 8 || width == 16 || (version == 2 && width == 4) ||
           lw_refuse(err, encoding, "kWidth", "must be %s with wmma version %lld",
                     version == 1 ? "8 or 16" : "4, 8 or 16", (long long)version);
}

static const struct parent {
    const struct lw_encoding_type *type;
    bool (*check)(const struct lw_encoding *encoding, int64_t width, struct lw_error *err);
    build_operand *build;
} parents[] = {
    {&lw_encoding_blocked, check_blocked, build_blocked},
    {&lw_encoding_nvidia_mma, check_nvidia, build_nvidia},
    {&lw_encoding_amd_mfma, need_width, build_mfma},
    {&lw_encoding_amd_wmma, check_wmma, build_wmma},
};

static const struct parent *parent_of(const struct lw_encoding *encoding)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    for (size_t i = 0; parent && i < LW_COUNT(parents); i++)
        if (parents[i].type == parent->type)
            return &parents[i];
    return NULL;
}

/* The parent is of the result, whose sizes differ from the operand's, so its shape is unknown here. */
static bool nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err)
{
    const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
    (void)tensor;
    lw_tensor_unknown(nested);
    if (!parent || parent_of(encoding))
        return true;
    lw_error_about(
        err, "parent", parent->position,
        "parent: %s has no operands; it may be blocked, nvidia_mma, amd_mfma or amd_wmma",
        parent->type->name);
    if (err)
        err->code = LW_ERROR_UNSUPPORTED;
    return false;
}

static int rank_of(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    int rank = tensor->rank < 0 ? lw_distributed_rank(encoding) : tensor->rank;
    return rank < 0 ? 2 : rank;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    int rank = rank_of(encoding, tensor), parent_rank = lw_distributed_rank(encoding);
    if (parent_rank >= 0 && parent_rank != rank)
        return lw_refuse(err, encoding, "parent", "it is for %d dims, but the tensor has %d",
                         parent_rank, rank);
    if (rank < 2)
        return lw_refuse(err, encoding, "parent", "an operand needs at least 2 dims");
    return parent_of(encoding)->check(encoding, lw_encoding_integer(encoding, "kWidth"), err);
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    struct operand operand = {.parent = lw_encoding_nested(encoding, "parent"),
                              .tensor = tensor,
                              .rank = rank_of(encoding, tensor),
                              .op = (int)lw_encoding_integer(encoding, "opIdx"),
                              .width = lw_encoding_integer(encoding, "kWidth")};
    operand.k = lw_operand_k(operand.op, operand.rank);
    operand.other = operand.op == 0 ? operand.rank - 2 : operand.rank - 1;
    operand.k_size = tensor->rank < 0 ? 0 : tensor->shape[operand.k];
    lw_operand_order(operand.op, operand.rank, operand.order);
    lw_matrix_order(operand.rank, true, operand.normal);
    lw_integers(operand.parent, "warpsPerCTA", operand.warps);
    lw_tile_begin(&tile, err);
    return parent_of(encoding)->build(&operand, &tile, map);
}

const struct lw_encoding_type lw_encoding_dot_op = {
    .name = "dot_op",
    .dialect = "ttg",
    .title = "matrix operands",
    .about =
        "How the operands a and b of a matrix product lie in registers so that the instruction "
        "of the parent finds them. kWidth neighbouring elements along k are in one lane: 32 "
        "bits of them for a plain mma, more when a wide load is to fill several instructions. "
        "Warps that compute other columns need the same rows of a, so they hold copies.",
    .example = "tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = "
               "2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
    .nested_tensor = nested_tensor,
};
