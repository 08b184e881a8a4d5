/* What the layouts of matrix instructions have in common. Source: LinearLayoutConversions.cpp of
 * Triton 3.7. */

#include "encoding/triton/mma.h"

#include "laneway/algebra.h"

void lw_matrix_order(int rank, bool row_major, int64_t *order)
{
    for (int i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
    if (!row_major && rank > 1) {
        order[0] = rank - 2;
        order[1] = rank - 1;
    }
}

void lw_operand_order(int op, int rank, int64_t *order)
{
    lw_matrix_order(rank, op == 0, order);
}

int lw_operand_k(int op, int rank)
{
    return op == 0 ? rank - 1 : rank - 2;
}

bool lw_check_matrix_rank(const struct lw_encoding *encoding, int rank, struct lw_error *err)
{
    static const char what[] =
        "%s is for matrices (2 dims) and batches of them (3 dims), not %d dim%s";
    const char *name = encoding->type->name, *plural = rank == 1 ? "" : "s";
    if (rank == 2 || rank == 3)
        return true;
    if (lw_encoding_is_set(encoding, "warpsPerCTA"))
        return lw_refuse(err, encoding, "warpsPerCTA", what, name, rank, plural);
    return lw_error_at(err, LW_ERROR_SHAPE, encoding->position, what, name, rank, plural);
}

int lw_integers(const struct lw_encoding *encoding, const char *name, int64_t *out)
{
    size_t count = lw_encoding_integers(encoding, name, 0, out, LW_RANK_MAX);
    return count > LW_RANK_MAX ? LW_RANK_MAX : (int)count;
}

void lw_nvidia_tile(struct lw_tile *tile, const int64_t *shape, int64_t width, const int64_t *order,
                    const int64_t *outs, int rank)
{
    int inner = (int)order[0], outer = (int)order[1];
    for (int i = 0; i < rank; i++)
        lw_tile_identity(tile, 1, "register", (int)outs[i]);
    lw_tile_identity(tile, (uint64_t)width, "register", inner);
    lw_tile_identity(tile, 4, "lane", inner);
    lw_tile_identity(tile, 8, "lane", outer);
    lw_tile_identity(tile, (uint64_t)shape[outer] / 8, "register", outer);
    lw_tile_identity(tile, (uint64_t)(shape[inner] / (width * 4)), "register", inner);
}

void lw_tile_broadcast(struct lw_tile *tile, const char *in, const int64_t *sizes,
                       const int64_t *order, int rank, int k)
{
    for (int i = 0; i < rank; i++) {
        int dim = (int)order[i];
        if (dim == k)
            lw_tile_zeros(tile, (uint64_t)sizes[dim], in, dim);
        else
            lw_tile_identity(tile, (uint64_t)sizes[dim], in, dim);
    }
}

void lw_zero_dim(struct lw_layout *layout, int dim)
{
    struct lw_layout all = *layout;
    layout->out.dim[dim].size = 1;
    for (int i = 0; i < lw_layout_in_bits(&all); i++) {
        uint64_t image[LW_DIMS_MAX];
        lw_dims_unflatten(&all.out, all.basis[i], image);
        image[dim] = 0;
        layout->basis[i] = lw_dims_flatten(&layout->out, image);
    }
}

void lw_flatten_dim(struct lw_layout *layout, int dim)
{
    lw_zero_dim(layout, dim);
    lw_layout_remove_zeros(layout, layout, layout->in.dim[0].name, NULL);
}
