/* distributed: any matrix of thread numbers, laid over the tensor. Source: the general rule in the
 * description of DistributedEncoding in Triton's TritonGPUAttrDefs.td, release 3.7. */

#include "encoding/schema/schema.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    LW_ROW("layout", LW_PARAM_MATRIX,
           "the thread that holds each element; every thread from 0 on must occur equally often",
           .rules = LW_RULE_RANK, .max = LW_CELLS_MAX - 1),
    LW_ROW("threadsPerWarp", LW_PARAM_INTEGER, "lanes of a warp: thread 40 is lane 8 of warp 1",
           .min = 1, .max = LW_CELLS_MAX, .fallback = LW_DEFAULT_NUMBER, .number = 32),
};

/* Writes the numbers row by row. */
static void flatten(const struct lw_value *part, uint32_t **next)
{
    if (part->kind == LW_VALUE_INTEGER)
        *(*next)++ = (uint32_t)part->integer;
    for (size_t i = 0; i < part->count; i++)
        flatten(&part->items[i], next);
}

static bool make(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                 struct lw_map *map, struct lw_error *err)
{
    const struct lw_value *part = lw_encoding_value(encoding, "layout");
    uint64_t shape[LW_RANK_MAX];
    uint32_t ids[LW_CELLS_MAX], *next = ids;
    struct lw_dims out = {0};
    int rank = 0;
    flatten(part, &next);
    for (; part->kind == LW_VALUE_LIST; part = &part->items[0])
        shape[rank++] = part->count;
    return lw_dims_of_shape(&out, tensor->rank < 0 ? shape : tensor->shape, rank, err) &&
           lw_map_from_table(map, shape, ids, &out,
                             (uint64_t)lw_encoding_integer(encoding, "threadsPerWarp"), err);
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_map map;
    struct lw_error why;
    return make(encoding, tensor, &map, &why) ||
           lw_refuse_code(err, encoding, "layout",
                          why.code == LW_ERROR_LIMIT ? LW_ERROR_LIMIT : LW_ERROR_PARAMETER,
                          why.message);
}

/* A table that is linear becomes a linear map, so that every analysis applies. */
static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    if (!make(encoding, tensor, map, err))
        return false;
    if (lw_map_to_layout(map, &layout, NULL))
        lw_map_from_layout(map, &layout);
    return true;
}

const struct lw_encoding_type lw_encoding_distributed = {
    .name = "distributed",
    .title = "a matrix of threads",
    .about = "A matrix with the thread that holds each element, by the general rule of Triton's "
             "documentation: it is repeated over a larger tensor, and folded in a shorter one. The "
             "threads may be in any order.",
    .example =
        "{\"encoding\": \"distributed\", \"shape\": [2, 8], \"params\": {\"layout\": [[0, 1, "
        "2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
