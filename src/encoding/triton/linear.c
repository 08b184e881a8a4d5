/* linear: a layout in registers given by its bases. Source: LinearEncodingAttr of Triton 3.7. */

#include "encoding/triton/linear_bases.h"
#include "encoding/schema/types.h"

static const struct lw_param params[] = {
    LW_BASES_PARAM("register", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the register number moves in the tensor"),
    LW_BASES_PARAM("lane", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the lane number moves"),
    LW_BASES_PARAM("warp", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the warp number moves"),
    LW_BASES_PARAM("block", LW_RULE_RANK, LW_DEFAULT_EMPTY,
                   "where each bit of the block number moves"),
};

/* The dim in which a checked basis moves, or -1. */
static int moves_in(const struct lw_value *basis)
{
    for (size_t i = 0; i < basis->count; i++)
        if (basis->items[i].integer)
            return (int)i;
    return -1;
}

/* Each basis must move in one dim at most. */
static bool check_basis(const struct lw_encoding *encoding, const char *name,
                        const struct lw_value *basis, struct lw_report *report)
{
    int dim = moves_in(basis);
    for (size_t i = 0; i < basis->count; i++)
        if (basis->items[i].integer && (int)i != dim) {
            lw_check_add(report, encoding, name,
                         "a basis moves in dim %d and in dim %zu, but each may move in one only "
                         "(the encoding `bases` takes any)",
                         dim, i);
            return false;
        }
    return true;
}

static void check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_report *report)
{
    struct lw_layout layout;
    for (size_t p = 0; p < LW_COUNT(params); p++)
        for (size_t i = 0; i < encoding->params[p].count; i++)
            if (!check_basis(encoding, params[p].name, &encoding->params[p].items[i], report))
                return;
    lw_check_bases(encoding, lw_register_dims, 4, tensor, &layout, report);
}

/* Dims grow in the order in which registers move: (getRepOrder) */
static void repeat_order(const struct lw_encoding *encoding, int rank, int64_t *order)
{
    const struct lw_value *registers = &encoding->params[0];
    unsigned seen = 0;
    int count = 0;
    for (size_t i = 0; i < registers->count; i++) {
        int dim = moves_in(&registers->items[i]);
        if (dim >= 0 && !(seen >> dim & 1)) {
            order[count++] = dim;
            seen |= 1u << dim;
        }
    }
    for (int dim = rank - 1; dim >= 0; dim--)
        if (!(seen >> dim & 1))
            order[count++] = dim;
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
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
        lw_tile_not_larger(&tile, tensor->shape, true);
    }
    return lw_tile_map(&tile, lw_register_dims, 4, rank, map);
}

const struct lw_encoding_type lw_encoding_linear = {
    .name = "linear",
    .dialect = "ttg",
    .title = "bases in registers",
    .about = "A layout in registers, written out: for each bit of the register, lane, warp and "
             "block number, how far it moves in the tensor. Triton falls back on it when no other "
             "name fits, for example after a reshape or a join. Every other layout in registers is "
             "shorthand for one of these. On a larger tensor it repeats in more registers; on a "
             "smaller one, lanes and warps hold copies.",
    .example = "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
               "[4, 0]], warp = [[16, 0]], block = []}>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};
