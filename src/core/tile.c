/* A layout put together factor by factor. Invariant: `layout` is legal; `failed` is sticky. */

#include "core/tile.h"
#include "core/dims_copy.h"

#include <stdlib.h>
#include <string.h>

const char *const lw_dim_names[LW_DIMS_MAX] = {
    "dim0",  "dim1",  "dim2",  "dim3",  "dim4",  "dim5",  "dim6",  "dim7",
    "dim8",  "dim9",  "dim10", "dim11", "dim12", "dim13", "dim14", "dim15",
    "dim16", "dim17", "dim18", "dim19", "dim20", "dim21", "dim22", "dim23",
    "dim24", "dim25", "dim26", "dim27", "dim28", "dim29", "dim30", "dim31"};
const char *const lw_register_dims[4] = {"register", "lane", "warp", "block"};
const char *const lw_shared_dims[2] = {"offset", "block"};

void lw_tile_begin(struct lw_tile *tile, struct lw_error *err)
{
    lw_layout_empty(&tile->layout);
    tile->err = err;
    tile->failed = false;
}

void lw_tile_times(struct lw_tile *tile, const struct lw_layout *layout)
{
    if (!tile->failed)
        tile->failed = !lw_layout_product(&tile->layout, &tile->layout, layout, tile->err);
}

/* A factor of one point changes nothing when its dims are there. */
static bool has_dims(const struct lw_layout *layout, const char *in, const char *out)
{
    return lw_dims_find(&layout->in, in) >= 0 && lw_dims_find(&layout->out, out) >= 0;
}

void lw_tile_identity(struct lw_tile *tile, uint64_t size, const char *in, int dim)
{
    struct lw_layout factor;
    if (tile->failed || (size == 1 && has_dims(&tile->layout, in, lw_dim_names[dim])))
        return;
    tile->failed = !lw_layout_identity(&factor, size, in, lw_dim_names[dim], tile->err);
    lw_tile_times(tile, &factor);
}

void lw_tile_zeros(struct lw_tile *tile, uint64_t size, const char *in, int dim)
{
    struct lw_layout factor;
    if (tile->failed || (size == 1 && has_dims(&tile->layout, in, lw_dim_names[dim])))
        return;
    tile->failed = !lw_layout_zeros(&factor, size, in, lw_dim_names[dim], 1, tile->err);
    lw_tile_times(tile, &factor);
}

void lw_tile_bases(struct lw_tile *tile, const char *in, int dim_a, int dim_b,
                   const uint64_t (*bases)[2], int count)
{
    struct lw_dims ins, outs;
    struct lw_layout factor;
    uint64_t all_a = 0, all_b = 0;
    if (tile->failed)
        return;
    ins.count = outs.count = 0;
    for (int i = 0; i < count; i++) {
        all_a |= bases[i][0];
        all_b |= bases[i][1];
    }
    uint64_t size_a = 1, size_b = 1;
    while (size_a <= all_a)
        size_a *= 2;
    while (size_b <= all_b)
        size_b *= 2;
    tile->failed = !lw_dims_add(&ins, in, count > 62 ? 0 : (uint64_t)1 << count, tile->err) ||
                   !lw_dims_add(&outs, lw_dim_names[dim_a], size_a, tile->err) ||
                   !lw_dims_add(&outs, lw_dim_names[dim_b], size_b, tile->err) ||
                   !lw_layout_of_dims(&factor, &ins, &outs, tile->err);
    for (int i = 0; i < count && !tile->failed; i++)
        tile->failed = !lw_layout_set_basis(&factor, 0, i, bases[i], tile->err);
    if (!tile->failed)
        lw_tile_times(tile, &factor);
}

void lw_tile_ordered(struct lw_tile *tile, const char *in, const int64_t *sizes,
                     const int64_t *order, int rank)
{
    struct lw_tile factor;
    lw_tile_begin(&factor, tile->err);
    for (int i = 0; i < rank; i++)
        lw_tile_identity(&factor, (uint64_t)sizes[order[i]], in, (int)order[i]);
    if (factor.failed)
        tile->failed = true;
    lw_tile_times(tile, &factor.layout);
}

void lw_tile_outs(struct lw_tile *tile, const int64_t *order, int rank)
{
    const char *names[LW_DIMS_MAX];
    if (tile->failed)
        return;
    for (int i = 0; i < rank; i++)
        names[i] = lw_dim_names[order[i]];
    tile->failed = !lw_layout_transpose_outs(&tile->layout, &tile->layout, names, tile->err);
}

void lw_tile_standard_outs(struct lw_tile *tile, int rank)
{
    int64_t order[LW_DIMS_MAX];
    for (int i = 0; i < rank; i++)
        order[i] = i;
    lw_tile_outs(tile, order, rank);
}

static void name_outs(struct lw_tile *tile, int rank)
{
    for (int i = 0; i < rank && !tile->failed; i++)
        memcpy(tile->layout.out.dim[i].name, lw_dim_names[i], strlen(lw_dim_names[i]) + 1);
}

void lw_tile_permute(struct lw_tile *tile, const int64_t *order, int rank)
{
    lw_tile_outs(tile, order, rank);
    name_outs(tile, rank);
}

/* Row-major is last dim fastest: the flat number is cut with the dims in reverse. */
void lw_tile_reshape(struct lw_tile *tile, const uint64_t *shape, int rank)
{
    static const int64_t reverse2[2] = {1, 0};
    struct lw_dims dims;
    dims.count = 0;
    lw_tile_outs(tile, reverse2, 2);
    for (int i = rank - 1; i >= 0 && !tile->failed; i--)
        tile->failed = !lw_dims_add(&dims, lw_dim_names[i], shape[i], tile->err);
    if (!tile->failed)
        tile->failed = !lw_layout_reshape_outs(&tile->layout, &tile->layout, &dims, tile->err);
    lw_tile_standard_outs(tile, rank);
}

/* The number in the name of out-dim i: "dim1" is 1. */
static int dim_number(const struct lw_layout *layout, int i)
{
    return (int)strtol(layout->out.dim[i].name + 3, NULL, 10);
}

void lw_tile_not_smaller(struct lw_tile *tile, const uint64_t *shape)
{
    char first[LW_NAME_MAX];
    if (tile->failed || tile->layout.in.count == 0)
        return;
    memcpy(first, tile->layout.in.dim[0].name, sizeof first);
    for (int i = 0; i < tile->layout.out.count; i++) {
        int dim = dim_number(&tile->layout, i);
        uint64_t size = tile->layout.out.dim[i].size;
        if (shape[dim] > size)
            lw_tile_identity(tile, shape[dim] / size, first, dim);
    }
}

struct column {
    int index;      /* of the basis */
    uint64_t moves; /* how far in the out-dim that shrinks */
};

static int by_move(const void *a, const void *b)
{
    const struct column *x = a, *y = b;
    if (x->moves != y->moves)
        return x->moves < y->moves ? 1 : -1;
    return x->index - y->index;
}

/* Sets to 0 the bases of out-dim `o` that lead out of the requested size, or marks them in *drop. */
static bool shrink(struct lw_layout *layout, int o, uint64_t target, uint64_t *drop, int registers,
                   struct lw_error *err)
{
    struct column columns[LW_BITS_MAX];
    int count = 0, shift = lw_layout_out_shift(layout, o);
    uint64_t size = layout->out.dim[o].size, mask = (size - 1) << shift;
    for (int i = 0; i < lw_layout_in_bits(layout) && size > target; i++) {
        uint64_t moves = (layout->basis[i] & mask) >> shift;
        if (moves && lw_log2(moves) < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "%s has size %llu and would have to shrink to %llu, which needs "
                                "bases that are powers of two there, not %llu",
                                layout->out.dim[o].name, (unsigned long long)size,
                                (unsigned long long)target, (unsigned long long)moves);
        if (moves)
            columns[count++] = (struct column){i, moves};
    }
    qsort(columns, (size_t)count, sizeof *columns, by_move);
    for (int i = 0; i < count && columns[i].moves >= target; i++) {
        if (columns[i].index < registers)
            *drop |= (uint64_t)1 << columns[i].index;
        else
            layout->basis[columns[i].index] &= ~mask;
    }
    return true;
}

/* Removes the marked bases of the first in-dim. */
static void remove_bases(struct lw_layout *layout, uint64_t marked)
{
    int to = 0, bits = lw_layout_in_bits(layout);
    for (int i = 0; i < bits; i++)
        if (!(marked >> i & 1))
            layout->basis[to++] = layout->basis[i];
    for (; marked; marked &= marked - 1)
        layout->in.dim[0].size /= 2;
    while (to < bits)
        layout->basis[to++] = 0;
}

void lw_tile_not_larger(struct lw_tile *tile, const uint64_t *shape, bool drop)
{
    struct lw_layout *layout = &tile->layout;
    struct lw_layout smaller;
    uint64_t marked = 0;
    if (tile->failed || layout->in.count == 0)
        return;
    lw_layout_copy(&smaller, layout);
    int registers = drop ? lw_layout_in_log2(layout, 0) : 0;
    for (int o = 0; o < layout->out.count; o++)
        if (!shrink(layout, o, shape[dim_number(layout, o)], &marked, registers, tile->err)) {
            tile->failed = true;
            return;
        }
    remove_bases(layout, marked);
    lw_dims_copy(&smaller.in, &layout->in);
    for (int o = 0; o < layout->out.count; o++) {
        uint64_t target = shape[dim_number(layout, o)];
        if (smaller.out.dim[o].size > target)
            smaller.out.dim[o].size = target;
    }
    /* The bits of an image move down where an out-dim became smaller. */
    for (int i = 0; i < lw_layout_in_bits(layout); i++) {
        uint64_t point[LW_DIMS_MAX];
        lw_dims_unflatten(&layout->out, layout->basis[i], point);
        smaller.basis[i] = lw_dims_flatten(&smaller.out, point);
    }
    lw_layout_copy(layout, &smaller);
}

void lw_tile_clip(struct lw_tile *tile, const uint64_t *shape)
{
    const struct lw_layout *layout = &tile->layout;
    struct lw_layout smaller = *layout;
    uint64_t marked = 0;
    if (tile->failed || layout->in.count == 0)
        return;
    for (int o = 0; o < layout->out.count; o++)
        if (smaller.out.dim[o].size > shape[dim_number(layout, o)])
            smaller.out.dim[o].size = shape[dim_number(layout, o)];
    for (int i = 0; i < lw_layout_in_bits(layout); i++) {
        uint64_t point[LW_DIMS_MAX];
        lw_dims_unflatten(&layout->out, layout->basis[i], point);
        for (int o = 0; o < layout->out.count; o++)
            if (point[o] >= smaller.out.dim[o].size)
                point[o] = 0;
        smaller.basis[i] = lw_dims_flatten(&smaller.out, point);
        if (i < lw_layout_in_log2(layout, 0) && layout->basis[i] && !smaller.basis[i])
            marked |= (uint64_t)1 << i;
    }
    remove_bases(&smaller, marked);
    tile->layout = smaller;
}

uint64_t lw_tile_size(const struct lw_tile *tile, int dim)
{
    return lw_dims_size(&tile->layout.out, lw_dim_names[dim]);
}

bool lw_layout_with_ins(struct lw_layout *out, const struct lw_layout *layout,
                        const char *const *ins, int count, struct lw_error *err)
{
    struct lw_layout all;
    lw_layout_copy(&all, layout);
    for (int i = 0; i < count; i++)
        if (lw_dims_find(&all.in, ins[i]) < 0 && !lw_dims_add(&all.in, ins[i], 1, err))
            return false;
    if (all.in.count != count)
        return lw_error_set(err, LW_ERROR_NAME, "the layout has %d dims of its input, not %d",
                            all.in.count, count);
    return lw_layout_transpose_ins(out, &all, ins, err);
}

bool lw_tile_map(struct lw_tile *tile, const char *const *ins, int in_count, int rank,
                 struct lw_map *map)
{
    struct lw_tile all;
    lw_tile_begin(&all, tile->err);
    for (int i = 0; i < in_count && rank > 0; i++)
        all.failed = all.failed || !lw_dims_add(&all.layout.in, ins[i], 1, tile->err);
    for (int i = 0; i < rank; i++)
        all.failed = all.failed || !lw_dims_add(&all.layout.out, lw_dim_names[i], 1, tile->err);
    lw_tile_times(&all, &tile->layout);
    all.failed = all.failed || tile->failed ||
                 !lw_layout_transpose_ins(&all.layout, &all.layout, ins, tile->err);
    lw_tile_standard_outs(&all, rank);
    if (all.failed)
        return false;
    lw_map_from_layout(map, &all.layout);
    return true;
}
