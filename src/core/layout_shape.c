/* Linear layouts in other shapes: inferred, flattened, concatenated, resized, renamed. Source: the
 * methods of Triton's LinearLayout that the header names. */

#include "core/dims_copy.h"
#include "laneway/algebra.h"

#include <string.h>

static bool no_dim(struct lw_error *err, const char *what, const char *side, const char *dim)
{
    return lw_error_set(err, LW_ERROR_NAME, "%s: there is no %s-dim '%.40s'", what, side, dim);
}

/* ---- Making ---- */

/* The least power of two above n; 0 when that is 2^64. */
static uint64_t above(uint64_t n)
{
    return n == 0 ? 1 : n >> 63 ? 0 : (uint64_t)2 << (63 - __builtin_clzll(n));
}

bool lw_layout_infer(struct lw_layout *out, const struct lw_dims *in, const char *const *outs,
                     int out_count, const uint64_t *images, struct lw_error *err)
{
    struct lw_dims inferred;
    inferred.count = 0;
    struct lw_layout made;
    if (!lw_layout_of_dims(&made, in, &inferred, err))
        return false;
    int bits = lw_layout_in_bits(&made);
    for (int o = 0; o < out_count; o++) {
        uint64_t max = 0;
        for (int i = 0; i < bits; i++)
            max |= images[i * out_count + o];
        if (!lw_dims_add(&inferred, outs[o], above(max), err))
            return false;
    }
    if (!lw_layout_of_dims(&made, in, &inferred, err))
        return false;
    for (int i = 0; i < bits; i++)
        made.basis[i] = lw_dims_flatten(&inferred, &images[i * out_count]);
    int rank = lw_layout_rank(&made), rows = lw_layout_out_bits(&made);
    if (rank < rows)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "sizes can be inferred for a surjective layout only, and this one has "
                            "rank %d of %d: write the sizes",
                            rank, rows);
    lw_layout_copy(out, &made);
    return true;
}

void lw_layout_zeros_like(struct lw_layout *out, const struct lw_layout *layout)
{
    struct lw_layout made;
    lw_layout_start(&made, &layout->in, &layout->out);
    lw_layout_copy(out, &made);
}

bool lw_layout_equal_but_sizes(const struct lw_layout *a, const struct lw_layout *b)
{
    if (!lw_dims_equal(&a->in, &b->in) || a->out.count != b->out.count)
        return false;
    for (int o = 0; o < a->out.count; o++)
        if (strcmp(a->out.dim[o].name, b->out.dim[o].name) != 0)
            return false;
    for (int d = 0; d < a->in.count; d++)
        for (int i = 0; i < lw_layout_in_log2(a, d); i++) {
            uint64_t left[LW_DIMS_MAX], right[LW_DIMS_MAX];
            lw_layout_basis(a, d, i, left);
            lw_layout_basis(b, d, i, right);
            if (memcmp(left, right, (size_t)a->out.count * sizeof *left) != 0)
                return false;
        }
    return true;
}

/* ---- Flattening ---- */

static bool flat_dim(struct lw_dims *out, const struct lw_dims *dims, struct lw_error *err)
{
    uint64_t total;
    struct lw_dims made;
    made.count = 0;
    if (dims->count > 0 &&
        (!lw_dims_total(dims, &total, err) || !lw_dims_add(&made, dims->dim[0].name, total, err)))
        return false;
    lw_dims_copy(out, &made);
    return true;
}

bool lw_layout_flatten_ins(struct lw_layout *out, const struct lw_layout *layout,
                           struct lw_error *err)
{
    struct lw_dims flat;
    return flat_dim(&flat, &layout->in, err) && lw_layout_reshape_ins(out, layout, &flat, err);
}

bool lw_layout_flatten_outs(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err)
{
    struct lw_dims flat;
    return flat_dim(&flat, &layout->out, err) && lw_layout_reshape_outs(out, layout, &flat, err);
}

/* ---- Concatenation ---- */

static bool append_dims(struct lw_dims *dims, const struct lw_dims *more, struct lw_error *err)
{
    for (int i = 0; i < more->count; i++)
        if (!lw_dims_add(dims, more->dim[i].name, more->dim[i].size, err))
            return false;
    return true;
}

bool lw_layout_concat_ins(struct lw_layout *out, const struct lw_layout *a,
                          const struct lw_layout *b, struct lw_error *err)
{
    struct lw_dims in;
    lw_dims_copy(&in, &a->in);
    struct lw_layout made;
    if (!lw_dims_equal(&a->out, &b->out))
        return lw_error_set(
            err, LW_ERROR_SHAPE,
            "concatIns: the out-dims of the two must be the same and have the same sizes");
    if (!append_dims(&in, &b->in, err) || !lw_layout_of_dims(&made, &in, &a->out, err))
        return false;
    int bits = lw_layout_in_bits(a);
    for (int i = 0; i < bits; i++)
        made.basis[i] = a->basis[i];
    for (int i = 0; i < lw_layout_in_bits(b); i++)
        made.basis[bits + i] = b->basis[i];
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_concat_outs(struct lw_layout *out, const struct lw_layout *a,
                           const struct lw_layout *b, struct lw_error *err)
{
    struct lw_dims outs;
    lw_dims_copy(&outs, &a->out);
    struct lw_layout made;
    if (!lw_dims_equal(&a->in, &b->in))
        return lw_error_set(
            err, LW_ERROR_SHAPE,
            "concatOuts: the in-dims of the two must be the same and have the same sizes");
    if (!append_dims(&outs, &b->out, err) || !lw_layout_of_dims(&made, &a->in, &outs, err))
        return false;
    int shift = lw_layout_out_bits(a);
    for (int i = 0; i < lw_layout_in_bits(a); i++)
        made.basis[i] = a->basis[i] | (shift < 64 ? b->basis[i] << shift : 0);
    lw_layout_copy(out, &made);
    return true;
}

/* ---- One dim ---- */

/* Keeps the bases of in-dim d whose bits are set in `keep`, and all bases of the other dims. */
static void keep_bases(struct lw_layout *out, const struct lw_layout *layout, int d, uint64_t keep)
{
    struct lw_layout made;
    lw_layout_start(&made, &layout->in, &layout->out);
    int shift = lw_layout_in_shift(layout, d), bits = lw_layout_in_log2(layout, d), to = 0;
    for (int i = 0; i < lw_layout_in_bits(layout); i++)
        if (i < shift || i >= shift + bits || (keep >> (i - shift) & 1))
            made.basis[to++] = layout->basis[i];
    made.in.dim[d].size = (uint64_t)1 << __builtin_popcountll(keep);
    lw_layout_copy(out, &made);
}

static bool check_size(const struct lw_dim *dim, const char *what, uint64_t size,
                       struct lw_error *err)
{
    if (lw_log2(size) >= 0 && size <= dim->size)
        return true;
    return lw_error_set(err, LW_ERROR_SHAPE,
                        "%s: dim '%s' has size %llu: the new size must be a power of two not above "
                        "that, not %llu",
                        what, dim->name, (unsigned long long)dim->size, (unsigned long long)size);
}

bool lw_layout_resize_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                         uint64_t size, struct lw_error *err)
{
    int d = lw_dims_find(&layout->in, dim);
    if (d < 0)
        return no_dim(err, "resizeInDim", "in", dim);
    if (!check_size(&layout->in.dim[d], "resizeInDim", size, err))
        return false;
    keep_bases(out, layout, d, lw_f2_mask(lw_log2(size)));
    return true;
}

bool lw_layout_resize_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                          uint64_t size, struct lw_error *err)
{
    int d = lw_dims_find(&layout->out, dim);
    if (d < 0)
        return no_dim(err, "resizeOutDim", "out", dim);
    if (!check_size(&layout->out.dim[d], "resizeOutDim", size, err))
        return false;
    struct lw_layout made;
    lw_layout_start(&made, &layout->in, &layout->out);
    made.out.dim[d].size = size;
    for (int i = 0; i < lw_layout_in_bits(layout); i++) {
        uint64_t image[LW_DIMS_MAX];
        lw_dims_unflatten(&layout->out, layout->basis[i], image);
        if (image[d] >= size)
            image[d] = 0;
        made.basis[i] = lw_dims_flatten(&made.out, image);
    }
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_remove_zeros(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err)
{
    int d = lw_dims_find(&layout->in, dim);
    uint64_t keep = 0;
    if (d < 0)
        return no_dim(err, "removeZeroBasesAlongDim", "in", dim);
    for (int i = 0; i < lw_layout_in_log2(layout, d); i++)
        keep |= (uint64_t)(layout->basis[lw_layout_in_shift(layout, d) + i] != 0) << i;
    keep_bases(out, layout, d, keep);
    return true;
}

static bool rename_dim(struct lw_dims *dims, int d, const char *to, struct lw_error *err)
{
    struct lw_dims made;
    made.count = 0;
    for (int i = 0; i < dims->count; i++)
        if (!lw_dims_add(&made, i == d ? to : dims->dim[i].name, dims->dim[i].size, err))
            return false;
    lw_dims_copy(dims, &made);
    return true;
}

bool lw_layout_rename_in(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                         const char *to, struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    const char *names[LW_DIMS_MAX];
    int d = lw_dims_find(&layout->in, from), n = 0;
    if (d < 0)
        return no_dim(err, "renameInDim", "in", from);
    if (!rename_dim(&made.in, d, to, err))
        return false;
    for (int i = 0; i < made.in.count; i++)
        if (i != d)
            names[n++] = made.in.dim[i].name;
    names[n] = made.in.dim[d].name;
    return lw_layout_transpose_ins(out, &made, names, err);
}

bool lw_layout_rename_out(struct lw_layout *out, const struct lw_layout *layout, const char *from,
                          const char *to, struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    int d = lw_dims_find(&layout->out, from);
    if (d < 0)
        return no_dim(err, "renameOutDim", "out", from);
    if (!rename_dim(&made.out, d, to, err))
        return false;
    lw_layout_copy(out, &made);
    return true;
}

/* Takes away a dim of size 1; the bases need no change. */
static bool unsqueeze(struct lw_dims *dims, const char *what, const char *side, const char *dim,
                      struct lw_error *err)
{
    int d = lw_dims_find(dims, dim);
    if (d < 0)
        return no_dim(err, what, side, dim);
    if (dims->dim[d].size != 1)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "%s: dim '%s' has size %llu: only a dim of size 1 can be removed", what,
                            dim, (unsigned long long)dims->dim[d].size);
    dims->count--;
    for (int i = d; i < dims->count; i++)
        dims->dim[i] = dims->dim[i + 1];
    return true;
}

bool lw_layout_unsqueeze_in(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                            struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    if (!unsqueeze(&made.in, "unsqueezeIn", "in", dim, err))
        return false;
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_unsqueeze_out(struct lw_layout *out, const struct lw_layout *layout, const char *dim,
                             struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    if (!unsqueeze(&made.out, "unsqueezeOut", "out", dim, err))
        return false;
    lw_layout_copy(out, &made);
    return true;
}
