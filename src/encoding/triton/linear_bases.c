/* Layouts whose parameters are bases. Source: LinearEncodingAttr and SharedLinearEncodingAttr of
 * Triton 3.7. */

#include "encoding/triton/linear_bases.h"

static size_t base_count(const struct lw_value *bases)
{
    return bases ? bases->count : 0;
}

static uint64_t number(const struct lw_value *bases, size_t i, int dim)
{
    return (uint64_t)bases->items[i].items[dim].integer;
}

void lw_grow_to_bases(const struct lw_value *bases, uint64_t *sizes, int rank)
{
    for (size_t i = 0; i < base_count(bases); i++)
        for (int d = 0; d < rank; d++)
            while (sizes[d] <= number(bases, i, d))
                sizes[d] *= 2;
}

bool lw_set_bases(struct lw_layout *layout, int dim, const struct lw_value *bases,
                  struct lw_error *err)
{
    uint64_t image[LW_DIMS_MAX];
    for (size_t i = 0; i < base_count(bases); i++) {
        for (int d = 0; d < layout->out.count; d++)
            image[d] = number(bases, i, d);
        if (lw_layout_set_basis(layout, dim, (int)i, image, err))
            continue;
        if (err)
            err->position = bases->items[i].position;
        return false;
    }
    return true;
}

bool lw_layout_of_bases(const char *const *names, const struct lw_value *const *lists, int count,
                        int rank, struct lw_layout *out, struct lw_error *err)
{
    struct lw_dims in = {0}, outs = {0};
    uint64_t sizes[LW_RANK_MAX];
    for (int d = 0; d < rank; d++)
        sizes[d] = 1;
    for (int p = 0; p < count; p++) {
        size_t bits = base_count(lists[p]);
        lw_grow_to_bases(lists[p], sizes, rank);
        if (!lw_dims_add(&in, names[p], bits > 62 ? 0 : (uint64_t)1 << bits, err))
            return false;
    }
    if (!lw_dims_of_shape(&outs, sizes, rank, err) || !lw_layout_of_dims(out, &in, &outs, err))
        return false;
    for (int p = 0; p < count; p++)
        if (!lw_set_bases(out, p, lists[p], err))
            return false;
    return true;
}

bool lw_read_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                   int rank, struct lw_layout *out, struct lw_error *err)
{
    const struct lw_value *lists[LW_DIMS_MAX];
    for (int p = 0; p < count; p++)
        lists[p] = lw_encoding_value(encoding, names[p]);
    return lw_layout_of_bases(names, lists, count, rank, out, err);
}

/* A basis that is the xor of bases before it. */
struct dependent {
    int dim;          /* whose basis it is; -1: all bases that are not zero are independent */
    uint64_t columns; /* these bases are zero together, the dependent one among them */
};

static struct dependent first_dependent(const struct lw_layout *layout)
{
    struct lw_matrix before = {.rows = lw_layout_out_bits(layout)}, sums;
    int at[LW_BITS_MAX];
    for (int dim = 0, i = 0; dim < layout->in.count; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++, i++) {
            if (!layout->basis[i])
                continue;
            at[before.cols] = i;
            before.column[before.cols++] = layout->basis[i];
            if (lw_matrix_rank(&before) == before.cols)
                continue;
            struct dependent found = {.dim = dim};
            lw_matrix_null_space(&sums, &before);
            for (int k = 0; k < before.cols; k++)
                found.columns |= (sums.column[0] >> k & 1) << at[k];
            return found;
        }
    return (struct dependent){.dim = -1};
}

/* "register=1 and lane=2 are the same, (0, 2)", "the xor of register=1, lane=1 and lane=2 is 0" */
static void put_dependent(struct lw_text *text, const struct lw_layout *layout,
                          const char *const *names, uint64_t columns)
{
    int count = __builtin_popcountll(columns), put = 0;
    uint64_t image[LW_DIMS_MAX] = {0};
    lw_text_add(text, count > 2 ? "the xor of " : "");
    for (int dim = 0, i = 0; dim < layout->in.count; dim++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++, i++) {
            if (!(columns >> i & 1))
                continue;
            const char *before = put == 0 ? "" : put + 1 == count ? " and " : ", ";
            lw_text_format(text, "%s%s=%llu", before, names[dim], 1ULL << bit);
            lw_layout_basis(layout, dim, bit, image);
            put++;
        }
    lw_text_add(text, count > 2 ? " is 0" : " are the same, (");
    for (int d = 0; count <= 2 && d < layout->out.count; d++)
        lw_text_format(text, "%s%llu%s", d ? ", " : "", (unsigned long long)image[d],
                       d + 1 == layout->out.count ? ")" : "");
}

bool lw_check_reach(const struct lw_encoding *encoding, const char *const *names,
                    const struct lw_layout *layout, struct lw_error *err)
{
    if (lw_layout_is_surjective(layout))
        return true;
    struct dependent found = first_dependent(layout);
    struct lw_text why = {0};
    if (found.dim >= 0)
        put_dependent(&why, layout, names, found.columns);
    else
        lw_text_add(&why, "1, 2, 4, ... of each dim must be made of them");
    lw_refuse(err, encoding, names[found.dim >= 0 ? found.dim : 0],
              "all bases together reach 2^%d elements of 2^%d: %s", lw_layout_rank(layout),
              lw_layout_out_bits(layout), lw_text_string(&why));
    lw_text_free(&why);
    return false;
}

bool lw_check_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                    const struct lw_tensor *tensor, struct lw_layout *out, struct lw_error *err)
{
    struct lw_error why;
    int moving = 0, rank = lw_schema_rank(encoding, tensor);
    if (rank < 1)
        return lw_refuse_missing(err, encoding, names[0],
                                 "at least one basis is needed to give the number of dims");
    if (!lw_read_bases(encoding, names, count, rank, out, &why))
        return lw_refuse(err, encoding, names[0], "%s", why.message);
    for (int i = 0; i < lw_layout_in_bits(out); i++)
        moving += out->basis[i] != 0;
    int bits = lw_layout_out_bits(out);
    if (!lw_check_reach(encoding, names, out, err))
        return false;
    return moving <= bits ||
           lw_refuse(err, encoding, names[first_dependent(out).dim],
                     "%d bases are not zero, but %d cover each element once: one is a "
                     "duplicate or a sum of others",
                     moving, bits);
}

bool lw_check_sizes(const struct lw_layout *layout, const struct lw_tensor *tensor,
                    struct lw_error *err)
{
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->shape[d] != layout->out.dim[d].size)
            return lw_refuse_shape(err, tensor, "the bases cover %llu in dim %d",
                                   (unsigned long long)layout->out.dim[d].size, d);
    return true;
}
