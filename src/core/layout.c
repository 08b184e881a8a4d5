/* The linear layout as a value: making, queries, text. Invariant: every size is a power of two,
 * at most 64 bits a side, basis[i] has no bit at or above the layout's out bits. */

#include "core/dims_copy.h"

static int bits_of(const struct lw_dims *dims)
{
    int bits = 0;
    for (int i = 0; i < dims->count; i++)
        bits += lw_log2(dims->dim[i].size);
    return bits;
}

static int shift_of(const struct lw_dims *dims, int dim)
{
    int bits = 0;
    for (int i = 0; i < dim; i++)
        bits += lw_log2(dims->dim[i].size);
    return bits;
}

static bool check_dims(const struct lw_dims *dims, const char *side, struct lw_error *err)
{
    for (int i = 0; i < dims->count; i++)
        if (lw_log2(dims->dim[i].size) < 0)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "size %llu of %s dim '%s' is not a power of two: a linear layout "
                                "has only such sizes",
                                (unsigned long long)dims->dim[i].size, side, dims->dim[i].name);
    if (bits_of(dims) > LW_BITS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d bits on the %s side: at most %d",
                            bits_of(dims), side, LW_BITS_MAX);
    return true;
}

void lw_layout_empty(struct lw_layout *out)
{
    out->in.count = out->out.count = 0;
    memset(out->basis, 0, sizeof out->basis);
}

bool lw_layout_of_dims(struct lw_layout *out, const struct lw_dims *in, const struct lw_dims *outs,
                       struct lw_error *err)
{
    if (!check_dims(in, "in", err) || !check_dims(outs, "out", err))
        return false;
    lw_layout_start(out, in, outs);
    return true;
}

/* One in-dim, one out-dim, no bases yet. A size of 0 gives the empty layout, as upstream. */
static bool one_dim(struct lw_layout *out, uint64_t size, const char *in_dim, const char *out_dim,
                    uint64_t out_size, struct lw_error *err)
{
    struct lw_dims in, outs;
    in.count = outs.count = 0;
    lw_layout_empty(out);
    return lw_dims_add(&in, in_dim, size, err) && lw_dims_add(&outs, out_dim, out_size, err) &&
           lw_layout_of_dims(out, &in, &outs, err);
}

bool lw_layout_strided(struct lw_layout *out, uint64_t size, uint64_t stride, const char *in_dim,
                       const char *out_dim, struct lw_error *err)
{
    if (size == 0) {
        lw_layout_empty(out);
        return true;
    }
    uint64_t out_size;
    if (__builtin_mul_overflow(size, stride, &out_size))
        return lw_error_set(err, LW_ERROR_LIMIT, "size times stride is over 2^63");
    if (!one_dim(out, size, in_dim, out_dim, out_size, err))
        return false;
    for (int i = 0; i < lw_log2(size); i++)
        out->basis[i] = stride << i;
    return true;
}

bool lw_layout_identity(struct lw_layout *out, uint64_t size, const char *in_dim,
                        const char *out_dim, struct lw_error *err)
{
    return lw_layout_strided(out, size, 1, in_dim, out_dim, err);
}

bool lw_layout_zeros(struct lw_layout *out, uint64_t size, const char *in_dim, const char *out_dim,
                     uint64_t out_size, struct lw_error *err)
{
    if (size == 0) {
        lw_layout_empty(out);
        return true;
    }
    return one_dim(out, size, in_dim, out_dim, out_size, err);
}

bool lw_layout_set_basis(struct lw_layout *layout, int dim, int bit, const uint64_t *image,
                         struct lw_error *err)
{
    uint64_t flat = 0;
    for (int i = layout->out.count - 1; i >= 0; i--) {
        const struct lw_dim *out = &layout->out.dim[i];
        if (image[i] >= out->size)
            return lw_error_set(err, LW_ERROR_PARAMETER,
                                "basis %d of %s is %llu in %s: it must be below the size, %llu",
                                bit, layout->in.dim[dim].name, (unsigned long long)image[i],
                                out->name, (unsigned long long)out->size);
        flat = flat << lw_log2(out->size) | image[i];
    }
    layout->basis[lw_layout_in_shift(layout, dim) + bit] = flat;
    return true;
}

int lw_layout_in_bits(const struct lw_layout *layout)
{
    return bits_of(&layout->in);
}

int lw_layout_out_bits(const struct lw_layout *layout)
{
    return bits_of(&layout->out);
}

int lw_layout_in_log2(const struct lw_layout *layout, int dim)
{
    return lw_log2(layout->in.dim[dim].size);
}

int lw_layout_in_shift(const struct lw_layout *layout, int dim)
{
    return shift_of(&layout->in, dim);
}

int lw_layout_out_log2(const struct lw_layout *layout, int dim)
{
    return lw_log2(layout->out.dim[dim].size);
}

int lw_layout_out_shift(const struct lw_layout *layout, int dim)
{
    return shift_of(&layout->out, dim);
}

void lw_layout_basis(const struct lw_layout *layout, int dim, int bit, uint64_t *image)
{
    uint64_t flat = layout->basis[lw_layout_in_shift(layout, dim) + bit];
    lw_dims_unflatten(&layout->out, flat, image);
}

void lw_layout_apply(const struct lw_layout *layout, const uint64_t *in, uint64_t *out)
{
    uint64_t flat = 0;
    int shift = 0;
    for (int d = 0; d < layout->in.count; d++) {
        for (uint64_t x = in[d]; x; x &= x - 1)
            flat ^= layout->basis[shift + __builtin_ctzll(x)];
        shift += lw_log2(layout->in.dim[d].size);
    }
    for (int d = 0; d < layout->out.count; d++) {
        int bits = lw_log2(layout->out.dim[d].size);
        out[d] = flat & lw_f2_mask(bits);
        flat = bits < 64 ? flat >> bits : 0;
    }
}

uint64_t lw_layout_apply_flat(const struct lw_layout *layout, uint64_t in)
{
    uint64_t flat = 0;
    for (; in; in &= in - 1)
        flat ^= layout->basis[__builtin_ctzll(in)];
    return flat;
}

void lw_layout_matrix(const struct lw_layout *layout, struct lw_matrix *out)
{
    out->rows = lw_layout_out_bits(layout);
    out->cols = lw_layout_in_bits(layout);
    memcpy(out->column, layout->basis, sizeof out->column);
}

int lw_layout_rank(const struct lw_layout *layout)
{
    struct lw_matrix m;
    lw_layout_matrix(layout, &m);
    return lw_matrix_rank(&m);
}

bool lw_layout_is_surjective(const struct lw_layout *layout)
{
    return lw_layout_rank(layout) == lw_layout_out_bits(layout);
}

bool lw_layout_is_injective(const struct lw_layout *layout)
{
    return lw_layout_rank(layout) == lw_layout_in_bits(layout);
}

bool lw_layout_is_invertible(const struct lw_layout *layout)
{
    return lw_layout_is_surjective(layout) && lw_layout_is_injective(layout);
}

bool lw_layout_equal(const struct lw_layout *a, const struct lw_layout *b)
{
    return lw_dims_equal(&a->in, &b->in) && lw_dims_equal(&a->out, &b->out) &&
           !memcmp(a->basis, b->basis, (size_t)lw_layout_in_bits(a) * sizeof *a->basis);
}

uint64_t lw_layout_consecutive(const struct lw_layout *layout)
{
    if (layout->in.count == 0 || layout->out.count == 0)
        return 1;
    int first = lw_layout_in_log2(layout, 0), run = 0;
    while (run < first && layout->basis[run] == (uint64_t)1 << run &&
           run < lw_layout_out_log2(layout, 0))
        run++;
    uint64_t others = 0;
    for (int i = run; i < lw_layout_in_bits(layout); i++)
        others |= layout->basis[i];
    others &= lw_f2_mask(lw_layout_out_log2(layout, 0));
    int clear = others ? __builtin_ctzll(others) : 63;
    return (uint64_t)1 << (run < clear ? run : clear);
}

void lw_layout_free_masks(const struct lw_layout *layout, uint64_t *masks)
{
    struct lw_solver solver;
    lw_solver_init(&solver, layout->basis, lw_layout_in_bits(layout));
    uint64_t free_bits = 0;
    for (int i = 0; i < solver.nullity; i++)
        free_bits |= (uint64_t)1 << (63 - __builtin_clzll(solver.null_space[i]));
    lw_dims_unflatten(&layout->in, free_bits, masks);
}

void lw_layout_print(struct lw_text *text, const struct lw_layout *layout)
{
    lw_text_char(text, '\n');
    if (layout->in.count == 0 && layout->out.count == 0) {
        lw_text_add(text, "(empty layout)");
        return;
    }
    for (int d = 0; d < layout->in.count; d++) {
        const char *name = layout->in.dim[d].name;
        int bits = lw_layout_in_log2(layout, d);
        if (bits == 0)
            lw_text_format(text, " - %s is a size 1 dimension\n", name);
        for (int b = 0; b < bits; b++) {
            uint64_t image[LW_DIMS_MAX];
            lw_layout_basis(layout, d, b, image);
            lw_text_format(text, "%s%s=%llu -> (", b ? "   " : " - ", name, 1ULL << b);
            for (int i = 0; i < layout->out.count; i++) {
                lw_text_add(text, i ? ", " : "");
                lw_text_number(text, image[i]);
            }
            lw_text_add(text, ")\n");
        }
    }
    lw_text_add(text, layout->in.count ? "where out dims are: [" : "(empty layout with out-dims [");
    for (int i = 0; i < layout->out.count; i++)
        lw_text_format(text, "%s%s (size %llu)", i ? ", " : "", layout->out.dim[i].name,
                       (unsigned long long)layout->out.dim[i].size);
    lw_text_add(text, layout->in.count ? "]" : "])");
}
