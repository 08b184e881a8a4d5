/* blocked: tiles of registers, lanes and warps. Source: BlockedEncodingAttr of Triton 3.5 to 3.9. */

#include "encoding/triton/cga.h"
#include "encoding/schema/types.h"

#include "laneway/algebra.h"
#include "laneway/triton.h"

#define TILE_PARAM(NAME, HELP)                                                                     \
    LW_ROW(NAME, LW_PARAM_INTEGERS, HELP, .rules = LW_RULE_RANK | LW_RULE_POWER_OF_TWO, .min = 1,  \
           .max = LW_NUMBER_MAX)

static const struct lw_param params[] = {
    TILE_PARAM("sizePerThread", "elements along each dim that a thread holds side by side"),
    TILE_PARAM("threadsPerWarp", "lanes along each dim; together those of a warp"),
    TILE_PARAM("warpsPerCTA", "warps along each dim"),
    LW_ROW("order", LW_PARAM_INTEGERS,
           "the dims from the one that varies fastest to the slowest; [1, 0] is row-major",
           .rules = LW_RULE_RANK | LW_RULE_PERMUTATION, .fallback = LW_DEFAULT_DESCENDING),
    LW_CGA_PARAMS,
};

static const char *const levels[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA"};

/* The tile must have at most 2^62 elements. */
static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    int rank = lw_schema_rank(encoding, tensor), bits = 0;
    if (rank == 0)
        return lw_refuse(err, encoding, "sizePerThread", "at least one dim is needed");
    if (!lw_cga_check(encoding, rank, err))
        return false;
    for (size_t i = 0; i < LW_COUNT(levels); i++) {
        int64_t sizes[LW_RANK_MAX];
        lw_encoding_integers(encoding, levels[i], rank, sizes, LW_RANK_MAX);
        for (int d = 0; d < rank; d++)
            bits += lw_log2((uint64_t)sizes[d]);
        if (bits > 62)
            return lw_refuse_code(err, encoding, levels[i], LW_ERROR_LIMIT,
                                  "the tile has over 2^62 elements");
    }
    return true;
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_tile tile;
    int rank = lw_schema_rank(encoding, tensor);
    int64_t sizes[LW_RANK_MAX], order[LW_RANK_MAX];
    lw_encoding_integers(encoding, "order", rank, order, LW_RANK_MAX);
    lw_tile_begin(&tile, err);
    for (size_t i = 0; i < LW_COUNT(levels); i++) {
        lw_encoding_integers(encoding, levels[i], rank, sizes, LW_RANK_MAX);
        lw_tile_ordered(&tile, lw_register_dims[i], sizes, order, rank);
    }
    if (!lw_combine_cga(&tile, encoding, tensor, rank, map))
        return false;
    if (!lw_encoding_since(encoding, LW_TRITON_3_9))
        return true;
    /* Since Triton 3.9 no two registers of a thread hold the same element. */
    struct lw_layout layout;
    if (!lw_map_to_layout(map, &layout, err) ||
        !lw_layout_remove_zeros(&layout, &layout, "register", err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_blocked = {
    .name = "blocked",
    .dialect = "ttg",
    .title = "blocked tiles",
    .about =
        "The layout of coalesced loads and stores: a thread holds a tile, a warp a grid of these, "
        "a block a grid of those; `order` lists the dims, the fastest first. A larger tensor "
        "repeats it in more registers; of a smaller one several threads hold copies.",
    .example = "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
               "warpsPerCTA = [2, 1], order = [1, 0]}>>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};

/* ---- By default ---- */

static bool is_power(int64_t number)
{
    return number > 0 && lw_log2((uint64_t)number) >= 0;
}

static bool check_request(const struct lw_blocked_request *r, struct lw_error *err)
{
    bool seen[LW_RANK_MAX] = {false};
    if (r->rank < 1 || r->rank > LW_RANK_MAX)
        return lw_error_set(err, LW_ERROR_SHAPE, "a shape of %d dims: from 1 to %d", r->rank,
                            LW_RANK_MAX);
    if (r->blocks && (!is_power(r->blocks) || r->blocks > 1024))
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "%lld blocks of a cluster: a power of two from 1 to 1024 is needed",
                            (long long)r->blocks);
    if (!is_power(r->warps) || !is_power(r->lanes) || r->warps > 1024 || r->lanes > 1024)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "%lld warps of %lld lanes: powers of two from 1 to 1024 are needed",
                            (long long)r->warps, (long long)r->lanes);
    for (int d = 0; d < r->rank; d++) {
        int64_t dim = r->order ? r->order[d] : d;
        if (!is_power(r->shape[d]) || (r->size && !is_power(r->size[d])))
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "dim %d: sizes of tensors and of threads are powers of two", d);
        if (dim < 0 || dim >= r->rank || seen[dim])
            return lw_error_set(err, LW_ERROR_PARAMETER,
                                "the order must have each dim from 0 to %d once", r->rank - 1);
        seen[dim] = true;
    }
    return true;
}

static int64_t at_most(int64_t number, int64_t most)
{
    return number < 1 ? 1 : number < most ? number : most;
}

/* The blocks along each dim, from the slowest on, and how many of them have a part of their own. */
static void share_blocks(const struct lw_blocked_request *r, const int64_t *size,
                         const int64_t *order, int64_t *blocks, int64_t *parts)
{
    int64_t left = r->blocks ? r->blocks : 1;
    for (int d = r->rank - 1; d >= 0; d--) {
        int64_t i = order[d];
        parts[i] = at_most(r->shape[i] / size[i], left);
        blocks[i] = d ? parts[i] : left;
        left /= parts[i];
    }
}

/* The threads and warps along each dim, of what one block has. */
static void share(const struct lw_blocked_request *r, const int64_t *size, const int64_t *order,
                  const int64_t *parts, int64_t *threads, int64_t *warps)
{
    int64_t lanes_left = r->lanes, warps_left = r->warps, threads_left = r->lanes * r->warps;
    int64_t lanes_used = 1, warps_used = 1;
    for (int d = 0; d + 1 < r->rank; d++) {
        int64_t i = order[d], all = at_most(r->shape[i] / parts[i] / size[i], threads_left);
        threads[i] = at_most(all, lanes_left);
        warps[i] = at_most(all / threads[i], warps_left);
        warps_left /= warps[i];
        lanes_left /= threads[i];
        threads_left /= all;
        lanes_used *= threads[i];
        warps_used *= warps[i];
    }
    threads[order[r->rank - 1]] = r->lanes / lanes_used;
    warps[order[r->rank - 1]] = r->warps / warps_used;
}

struct lw_encoding *lw_blocked_default(struct lw_arena *arena, const struct lw_blocked_request *r,
                                       struct lw_error *err)
{
    static const char *const names[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"};
    int64_t numbers[4][LW_RANK_MAX], blocks[LW_RANK_MAX], parts[LW_RANK_MAX];
    if (!check_request(r, err))
        return NULL;
    for (int d = 0; d < r->rank; d++) {
        numbers[0][d] = r->size ? r->size[d] : 1;
        numbers[3][d] = r->order ? r->order[d] : r->rank - 1 - d;
    }
    share_blocks(r, numbers[0], numbers[3], blocks, parts);
    share(r, numbers[0], numbers[3], parts, numbers[1], numbers[2]);
    struct lw_encoding *encoding = lw_encoding_new(arena, &lw_encoding_blocked);
    for (int i = 0; i < 4 && encoding; i++) {
        struct lw_value value = lw_value_integers(arena, numbers[i], (size_t)r->rank);
        if (!lw_encoding_set(encoding, names[i], &value, err))
            return NULL;
    }
    struct lw_layout cga;
    if (encoding && r->blocks > 1 &&
        (!lw_cga_of_splits(blocks, parts, numbers[3], r->rank, &cga, err) ||
         !lw_cga_set(arena, encoding, &cga)))
        return NULL;
    if (!encoding)
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return encoding;
}
