/* The part of a tensor that an encoding lays out. Source: toLinearLayout(MemDescType) and MemDescType::verify of Triton
 * 3.7: the layout is that of the last dims of the allocation. Of a row of buffers, which has one dim more than its
 * encoding, memdesc_index selects one, and that one is laid out. */

#include "encoding/schema/schema.h"

#include <string.h>

/* The rank of an encoding of memory; -1: that of the tensor. */
static int own_rank(const struct lw_encoding *encoding)
{
    int rank = lw_schema_rank(encoding, NULL);
    if (rank >= 0)
        return rank;
    if (lw_encoding_is_set(encoding, "rank"))
        return (int)lw_encoding_integer(encoding, "rank");
    return encoding->type->family == LW_FAMILY_TENSOR_MEMORY ||
                   lw_encoding_param(encoding, "rank") >= 0
               ? 2
               : -1;
}

static bool in_memory(const struct lw_encoding *encoding)
{
    return encoding->type->family == LW_FAMILY_SHARED ||
           encoding->type->family == LW_FAMILY_TENSOR_MEMORY;
}

bool lw_encoding_is_buffers(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    return in_memory(encoding) && tensor->alloc_rank >= tensor->rank && tensor->rank > 1 &&
           tensor->rank == own_rank(encoding) + 1;
}

void lw_encoding_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_tensor *out)
{
    *out = *tensor;
    out->alloc_rank = 0;
    if (!in_memory(encoding) || tensor->rank < 0)
        return;
    if (tensor->alloc_rank >= tensor->rank)
        memcpy(out->shape, tensor->alloc + tensor->alloc_rank - tensor->rank,
               (size_t)tensor->rank * sizeof *out->shape);
    if (lw_encoding_is_buffers(encoding, tensor)) {
        out->rank--;
        memmove(out->shape, out->shape + 1, (size_t)out->rank * sizeof *out->shape);
    }
}

/* Whether the allocation is another shape than the tensor. */
static bool is_part(const struct lw_tensor *tensor)
{
    return tensor->alloc_rank != tensor->rank ||
           memcmp(tensor->alloc, tensor->shape, (size_t)tensor->rank * sizeof *tensor->shape) != 0;
}

bool lw_check_alloc(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_error *err)
{
    int skipped = tensor->alloc_rank - tensor->rank;
    if (tensor->alloc_rank == 0 || tensor->rank < 0 || !is_part(tensor))
        return true;
    if (!in_memory(encoding))
        return lw_refuse_shape(err, tensor, "only a tensor in memory may have another 'alloc'");
    if (skipped < 0)
        return lw_refuse_shape(err, tensor, "the allocation has fewer dims: %d",
                               tensor->alloc_rank);
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->shape[d] > tensor->alloc[skipped + d])
            return lw_refuse_shape(err, tensor, "only %llu are allocated in dim %d",
                                   (unsigned long long)tensor->alloc[skipped + d], d);
    return true;
}
