/* linear and generic_linear: layouts in registers given by their bases; shared_linear: one in shared memory. Source:
 * LinearEncodingAttr, GenericLinearEncodingAttr and SharedLinearEncodingAttr of Triton 3.7 to 3.9. */

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
                        const struct lw_value *basis, struct lw_error *err)
{
    int dim = moves_in(basis);
    for (size_t i = 0; i < basis->count; i++)
        if (basis->items[i].integer && (int)i != dim)
            return lw_refuse(err, encoding, name,
                             "a basis moves in dim %d and in dim %zu, but each may move in one "
                             "only (the encoding `bases` accepts any)",
                             dim, i);
    return true;
}

/* Since Triton 3.8 each basis is one step of 1, 2, 4, ... or zero. */
static bool check_step(const struct lw_encoding *encoding, const char *name,
                       const struct lw_value *basis, struct lw_error *err)
{
    for (size_t i = 0; i < basis->count; i++)
        if (basis->items[i].integer && lw_log2((uint64_t)basis->items[i].integer) < 0)
            return lw_refuse(err, encoding, name,
                             "a basis moves by %lld, but since Triton 3.8 each moves by a power "
                             "of two; generic_linear accepts others",
                             (long long)basis->items[i].integer);
    return true;
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_layout layout;
    bool steps = lw_encoding_since(encoding, LW_TRITON_3_8);
    for (size_t p = 0; p < LW_COUNT(params); p++)
        for (size_t i = 0; i < encoding->params[p].count; i++) {
            const struct lw_value *basis = &encoding->params[p].items[i];
            if (!check_basis(encoding, params[p].name, basis, err) ||
                (steps && !check_step(encoding, params[p].name, basis, err)))
                return false;
        }
    return lw_check_bases(encoding, lw_register_dims, 4, tensor, &layout, err);
}

/* The order in which dims grow: that in which registers move. (getRepOrder) */
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
    .about = "A layout in registers, written out: for each bit of the register, lane, warp and "
             "block number, how far it moves in the tensor. Triton uses it when no other encoding "
             "fits, for example after a reshape or a join. Every other linear layout in registers "
             "can be written as one of these. On a larger tensor it repeats in more registers; on "
             "a smaller one, lanes and warps hold copies.",
    .example = "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
               "[4, 0]], warp = [[16, 0]], block = []}>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, params, check, build),
};

/* ---- generic_linear ---- */

static const struct lw_param generic_params[] = {
    LW_BASES_PARAM("register", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the register number moves in the tensor"),
    LW_BASES_PARAM("lane", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the lane number moves"),
    LW_BASES_PARAM("warp", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the warp number moves, in several dims at once if need be"),
    LW_BASES_PARAM("block", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the block number moves"),
};

enum { WARP = 2 }; /* in generic_params */

static bool check_generic(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_error *err)
{
    struct lw_layout layout;
    struct lw_error why;
    int rank = lw_schema_rank(encoding, tensor);
    for (size_t p = 0; p < LW_COUNT(generic_params); p++)
        for (size_t i = 0; p != WARP && i < encoding->params[p].count; i++)
            if (!check_basis(encoding, generic_params[p].name, &encoding->params[p].items[i], err))
                return false;
    if (!lw_encoding_since(encoding, LW_TRITON_3_8))
        return lw_refuse(err, encoding, "register",
                         "generic_linear is part of Triton 3.8 and later, not of %s",
                         lw_triton_name(encoding->triton));
    if (rank < 1)
        return lw_refuse_missing(err, encoding, "register",
                                 "at least one basis is needed to give the number of dims");
    if (!lw_read_bases(encoding, lw_register_dims, 4, rank, &layout, &why))
        return lw_refuse(err, encoding, "register", "%s", why.message);
    return lw_check_reach(encoding, lw_register_dims, &layout, err);
}

const struct lw_encoding_type lw_encoding_generic_linear = {
    .name = "generic_linear",
    .dialect = "ttg",
    .title = "any bases in registers",
    .about = "A layout in registers, written out, of Triton 3.8 and later: as linear, but bases "
             "need not be single steps of 1, 2, 4, ..., several may reach the same element, and "
             "those of warps may move in several dims at once. On a larger tensor it repeats in "
             "more registers; on a smaller one, moves that lead out of it become zero.",
    .example = "#ttg.generic_linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], "
               "[2, 0], [4, 0]], warp = [[16, 1]], block = []}>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_DISTRIBUTED, generic_params, check_generic, build),
    .since = LW_TRITON_3_8,
};

/* ---- shared_linear: bases in shared memory ---- */

static const struct lw_param shared_params[] = {
    LW_BASES_PARAM("offset", LW_RULE_RANK, LW_DEFAULT_REQUIRED,
                   "where each bit of the offset (in elements) moves in the tensor"),
    LW_BASES_PARAM("block", LW_RULE_RANK | LW_RULE_SILENT, LW_DEFAULT_ABSENT,
                   "where each bit of the block number moves"),
    {.name = "alignment",
     .type = LW_PARAM_INTEGER,
     .rules = LW_RULE_POWER_OF_TWO | LW_RULE_OUTSIDE,
     .min = 1,
     .max = INT32_MAX,
     .fallback = LW_DEFAULT_NUMBER,
     .number = 16,
     .help = "bytes that its start must be a multiple of"},
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
    .about = "A layout in shared memory, written out: for each bit of the offset, how far it moves "
             "in the tensor. Any swizzle can be written this way, also one that no other encoding "
             "has, such as the result of a search for the fewest bank conflicts.",
    .example = "!ttg.memdesc<4x4xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1], [2, "
               "2]]}, alignment = 16>, #smem>",
    LW_ATTRIBUTE_ROW(LW_FAMILY_SHARED, shared_params, check_shared, build_shared),
    .since = LW_TRITON_3_6,
};
