/* Layouts whose parameters are bases. Source: LinearEncodingAttr and SharedLinearEncodingAttr of
 * Triton 3.7. */

#include "encoding/linear_bases.h"

static size_t base_count(const struct lw_value *bases)
{
    return bases ? bases->count : 0;
}

static uint64_t number(const struct lw_value *bases, size_t i, int dim)
{
    return (uint64_t)bases->items[i].items[dim].integer;
}

bool lw_read_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                   int rank, struct lw_layout *out, struct lw_error *err)
{
    struct lw_dims in = {0}, outs = {0};
    uint64_t sizes[LW_RANK_MAX] = {1, 1, 1, 1, 1, 1, 1, 1}, image[LW_RANK_MAX];
    for (int p = 0; p < count; p++) {
        const struct lw_value *bases = lw_encoding_value(encoding, names[p]);
        size_t n = base_count(bases);
        for (size_t i = 0; i < n; i++)
            for (int d = 0; d < rank; d++)
                while (sizes[d] <= number(bases, i, d))
                    sizes[d] *= 2;
        if (!lw_dims_add(&in, names[p], n > 62 ? 0 : (uint64_t)1 << n, err))
            return false;
    }
    if (!lw_dims_of_shape(&outs, sizes, rank, err) || !lw_layout_of_dims(out, &in, &outs, err))
        return false;
    for (int p = 0; p < count; p++) {
        const struct lw_value *bases = lw_encoding_value(encoding, names[p]);
        for (size_t i = 0; i < base_count(bases); i++) {
            for (int d = 0; d < rank; d++)
                image[d] = number(bases, i, d);
            if (!lw_layout_set_basis(out, p, (int)i, image, err))
                return false;
        }
    }
    return true;
}

bool lw_check_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                    const struct lw_tensor *tensor, struct lw_layout *out, struct lw_report *report)
{
    struct lw_error err;
    int moving = 0, rank = lw_schema_rank(encoding, tensor), before = report->total;
    if (rank < 1) {
        lw_check_missing(report, encoding, names[0],
                         "at least one basis must tell how many dims there are");
        return false;
    }
    if (!lw_read_bases(encoding, names, count, rank, out, &err)) {
        lw_check_add(report, encoding, names[0], "%s", err.message);
        return false;
    }
    for (int i = 0; i < lw_layout_in_bits(out); i++)
        moving += out->basis[i] != 0;
    int reached = lw_layout_rank(out), bits = lw_layout_out_bits(out);
    if (reached < bits)
        lw_check_add(report, encoding, names[0],
                     "all bases together reach 2^%d elements of 2^%d: 1, 2, 4, ... of each dim "
                     "must be made of them",
                     reached, bits);
    else if (moving > bits)
        lw_check_add(report, encoding, names[0],
                     "%d bases of all are not zero, but %d make each element once: one is there "
                     "twice or is made of others",
                     moving, bits);
    return report->total == before;
}
