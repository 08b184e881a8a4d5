/* The linear layout as a value, and its algebra: product, composition, inversion, reshaping. Invariant: every size is
 * a power of two, at most 64 bits a side, basis[i] has no bit at or above the layout's out bits. Source: the methods of
 * Triton's LinearLayout that the header names. */

#include "core/dims_copy.h"
#include "core/subspace.h"

#include <limits.h>
#include <string.h>

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
        flat ^= lw_f2_combine(&layout->basis[shift], in[d]);
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
    return lw_f2_combine(layout->basis, in);
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
    int rank = lw_layout_rank(layout);
    return rank == lw_layout_out_bits(layout) && rank == lw_layout_in_bits(layout);
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

static bool same_names(const struct lw_dims *a, const struct lw_dims *b)
{
    for (int i = 0; i < a->count; i++)
        if (lw_dims_find(b, a->dim[i].name) < 0)
            return false;
    return a->count == b->count;
}

static bool dims_differ(struct lw_error *err, const char *what, const struct lw_dims *a,
                        const struct lw_dims *b)
{
    struct lw_text text = {0};
    for (int side = 0; side < 2; side++) {
        lw_text_add(&text, side ? "] and [" : "[");
        lw_dims_print_names(&text, side ? b : a);
    }
    lw_error_set(err, LW_ERROR_SHAPE, "%s: the dims are not the same: %s]", what,
                 lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* ---- Product ---- */

/* Merges two lists of dims; the sizes of common ones are multiplied. Both orders are kept, a's dims
 * coming as early as they can; where the orders contradict each other, the dim that comes sooner in
 * the other list goes first, a's on a tie (as upstream's supremum). */
static bool merge_dims(struct lw_dims *out, const struct lw_dims *a, const struct lw_dims *b,
                       struct lw_error *err)
{
    const struct lw_dims *side[2] = {a, b};
    int other[2][LW_DIMS_MAX], at[2] = {0, 0}; /* of each dim, its index in the other list */
    bool is_merged[2][LW_DIMS_MAX] = {{false}};
    struct lw_dims merged;
    merged.count = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < side[k]->count; i++)
            other[k][i] = lw_dims_find(side[!k], side[k]->dim[i].name);
    for (;;) {
        for (int k = 0; k < 2; k++)
            while (at[k] < side[k]->count && is_merged[k][at[k]])
                at[k]++;
        if (at[0] == a->count && at[1] == b->count)
            break;
        int in_b = at[0] < a->count ? other[0][at[0]] : INT_MAX;
        int in_a = at[1] < b->count ? other[1][at[1]] : INT_MAX;
        int k = !(in_b < 0 || (in_a >= 0 && in_b <= in_a)), i = at[k]++, same = other[k][i];
        const char *name = side[k]->dim[i].name;
        uint64_t size = side[k]->dim[i].size;
        if (same >= 0 && __builtin_mul_overflow(size, side[!k]->dim[same].size, &size))
            return lw_error_set(err, LW_ERROR_LIMIT, "product: dim '%s' grows over 2^63", name);
        if (same >= 0)
            is_merged[!k][same] = true;
        if (!lw_dims_add(&merged, name, size, err))
            return false;
    }
    lw_dims_copy(out, &merged);
    return true;
}

/* How bits move when a flat image in the dims `from` becomes one in the dims `to`, a run of bits for each dim. */
struct bit_moves {
    int count;
    struct {
        int from, to;
        uint64_t mask;
    } of[LW_DIMS_MAX];
};

/* All sizes are powers of two. Each dim is shifted up by the bits that the dim of its name has in `below` (or NULL). */
static void find_moves(struct bit_moves *moves, const struct lw_dims *from,
                       const struct lw_dims *to, const struct lw_dims *below)
{
    int shift[LW_DIMS_MAX], bits = 0;
    for (int i = 0; i < to->count; bits += lw_log2(to->dim[i++].size))
        shift[i] = bits;
    moves->count = bits = 0;
    for (int i = 0; i < from->count; bits += lw_log2(from->dim[i++].size)) {
        const struct lw_dim *dim = &from->dim[i];
        if (dim->size == 1)
            continue;
        int at = moves->count++;
        moves->of[at].from = bits;
        moves->of[at].mask = dim->size - 1;
        moves->of[at].to = shift[lw_dims_find(to, dim->name)] +
                           (below ? lw_log2(lw_dims_size(below, dim->name)) : 0);
    }
}

static uint64_t moved_image(uint64_t flat, const struct bit_moves *moves)
{
    uint64_t image = 0;
    for (int i = 0; i < moves->count; i++)
        image |= (flat >> moves->of[i].from & moves->of[i].mask) << moves->of[i].to;
    return image;
}

bool lw_layout_product(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                       struct lw_error *err)
{
    struct lw_dims in, outs;
    struct lw_layout product;
    if (!merge_dims(&in, &a->in, &b->in, err) || !merge_dims(&outs, &a->out, &b->out, err) ||
        !lw_layout_of_dims(&product, &in, &outs, err))
        return false;
    for (int side = 0; side < 2; side++) {
        const struct lw_layout *part = side ? b : a;
        struct bit_moves inputs, images;
        find_moves(&inputs, &part->in, &in, side ? &a->in : NULL);
        find_moves(&images, &part->out, &outs, side ? &a->out : NULL);
        for (int d = 0; d < inputs.count; d++)
            for (int i = 0; inputs.of[d].mask >> i; i++)
                product.basis[inputs.of[d].to + i] =
                    moved_image(part->basis[inputs.of[d].from + i], &images);
    }
    lw_layout_copy(out, &product);
    return true;
}

/* ---- Composition and inversion ---- */

bool lw_layout_compose(struct lw_layout *out, const struct lw_layout *inner,
                       const struct lw_layout *outer, struct lw_error *err)
{
    if (!same_names(&inner->out, &outer->in))
        return dims_differ(err, "compose", &inner->out, &outer->in);
    for (int i = 0; i < inner->out.count; i++) {
        const struct lw_dim *dim = &inner->out.dim[i];
        uint64_t room = lw_dims_size(&outer->in, dim->name);
        if (dim->size > room)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "compose: dim '%s' has size %llu on the inside and only %llu on the "
                "outside",
                dim->name, (unsigned long long)dim->size, (unsigned long long)room);
    }
    struct lw_layout made;
    struct bit_moves moves;
    find_moves(&moves, &inner->out, &outer->in, NULL);
    lw_layout_start(&made, &inner->in, &outer->out);
    for (int i = 0; i < lw_layout_in_bits(inner); i++)
        made.basis[i] = lw_layout_apply_flat(outer, moved_image(inner->basis[i], &moves));
    lw_layout_copy(out, &made);
    return true;
}

/* `outer` with its out-dims in the order of `layout`'s; fails when they do not fit. */
static bool align_outs(struct lw_layout *out, const struct lw_layout *layout,
                       const struct lw_layout *outer, struct lw_error *err)
{
    if (lw_dims_equal(&layout->out, &outer->out)) {
        lw_layout_copy(out, outer);
        return true;
    }
    if (!same_names(&layout->out, &outer->out))
        return dims_differ(err, "invertAndCompose", &layout->out, &outer->out);
    const char *names[LW_DIMS_MAX];
    for (int i = 0; i < layout->out.count; i++) {
        const struct lw_dim *dim = &layout->out.dim[i];
        uint64_t room = lw_dims_size(&outer->out, dim->name);
        names[i] = dim->name;
        if (dim->size > room)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "invertAndCompose: dim '%s' has size %llu, but only %llu in the "
                                "layout to be inverted",
                                dim->name, (unsigned long long)dim->size, (unsigned long long)room);
    }
    return lw_layout_transpose_outs(out, outer, names, err);
}

/* The equations outer(C(x)) = layout(x). */
struct equations {
    const struct lw_layout *layout;
    struct lw_layout outer;  /* its out-dims in the order of those of the layout */
    bool sized;              /* the out-dims of both have the same sizes */
    struct bit_moves moves;  /* from the images of the layout to those of `outer` */
    bool same[LW_DIMS_MAX];  /* the in-dims of `outer` that map to themselves */
    struct lw_solver solver; /* of the others */
    int from[LW_BITS_MAX];   /* unknown i is bit from[i] of the inputs of `outer` */
};

/* The basis of the layout as an image in `outer`. */
static uint64_t image_of(const struct equations *all, int basis)
{
    uint64_t own = all->layout->basis[basis];
    return all->sized ? own : moved_image(own, &all->moves);
}

/* Whether in-dim d of `outer` has the same bases in the layout. */
static bool same_bases(const struct equations *all, int d)
{
    const struct lw_layout *outer = &all->outer, *layout = all->layout;
    int twin = lw_dims_find(&layout->in, outer->in.dim[d].name);
    if (twin < 0 || outer->in.dim[d].size != layout->in.dim[twin].size)
        return false;
    int to = lw_layout_in_shift(outer, d), from = lw_layout_in_shift(layout, twin);
    for (int i = 0; i < lw_layout_in_log2(outer, d); i++)
        if (outer->basis[to + i] != image_of(all, from + i))
            return false;
    return true;
}

/* Whether in-dim d of `outer` touches no bit of the tensor that another one touches. */
static bool is_apart(const struct equations *all, int d)
{
    const struct lw_layout *outer = &all->outer;
    int shift = lw_layout_in_shift(outer, d), end = shift + lw_layout_in_log2(outer, d);
    uint64_t own = 0, others = 0;
    for (int i = 0; i < lw_layout_in_bits(outer); i++)
        *(i >= shift && i < end ? &own : &others) |= outer->basis[i];
    return (own & others) == 0;
}

/* Makes the solver of all in-dims that do not map to themselves. */
static void prepare(struct equations *all)
{
    uint64_t column[LW_BITS_MAX];
    int cols = 0;
    for (int d = 0; d < all->outer.in.count; d++) {
        int shift = lw_layout_in_shift(&all->outer, d);
        for (int i = 0; !all->same[d] && i < lw_layout_in_log2(&all->outer, d); i++) {
            all->from[cols] = shift + i;
            column[cols++] = all->outer.basis[shift + i];
        }
    }
    lw_solver_init(&all->solver, column, cols);
}

/* Solves the equations for one in-dim of the layout; `basis` gets its bases, or is NULL. False when there is no
 * solution for bit *bit. */
static bool solve_dim(const struct equations *all, int d, uint64_t *basis, int *bit)
{
    const struct lw_layout *layout = all->layout;
    int twin = lw_dims_find(&all->outer.in, layout->in.dim[d].name);
    int shift = lw_layout_in_shift(layout, d);
    for (*bit = 0; *bit < lw_layout_in_log2(layout, d); ++*bit) {
        uint64_t x = 0, moved = 0;
        if (twin >= 0 && all->same[twin])
            moved = (uint64_t)1 << (lw_layout_in_shift(&all->outer, twin) + *bit);
        else if (!lw_solver_solve(&all->solver, image_of(all, shift + *bit), &x))
            return false;
        for (; x; x &= x - 1)
            moved |= (uint64_t)1 << all->from[__builtin_ctzll(x)];
        if (basis)
            basis[shift + *bit] = moved;
    }
    return true;
}

/* Whether all equations have a solution when in-dim d of `outer`, and no other, maps to itself. */
static bool is_dispensable(struct equations *all, int d)
{
    int bit;
    bool good = true;
    memset(all->same, 0, sizeof all->same);
    all->same[d] = true;
    prepare(all);
    for (int i = 0; good && i < all->layout->in.count; i++)
        good = solve_dim(all, i, NULL, &bit);
    return good;
}

static void find_same(struct equations *all, enum lw_identity_rule rule)
{
    bool same[LW_DIMS_MAX] = {false};
    for (int d = 0; d < all->outer.in.count; d++) {
        same[d] = same_bases(all, d) && (rule != LW_IDENTITY_SIZED || all->sized);
        if (rule == LW_IDENTITY_APART)
            same[d] = same[d] && is_apart(all, d) && is_dispensable(all, d);
    }
    memcpy(all->same, same, sizeof same);
}

bool lw_layout_invert_and_compose(struct lw_layout *out, const struct lw_layout *layout,
                                  const struct lw_layout *outer, enum lw_identity_rule rule,
                                  struct lw_error *err)
{
    struct lw_layout made;
    struct equations all;
    int bit;
    if (!align_outs(&all.outer, layout, outer, err))
        return false;
    all.layout = layout;
    all.sized = lw_dims_equal(&all.outer.out, &layout->out);
    find_moves(&all.moves, &layout->out, &all.outer.out, NULL);
    find_same(&all, rule);
    prepare(&all);
    lw_layout_start(&made, &layout->in, &outer->in);
    for (int d = 0; d < layout->in.count; d++)
        if (!solve_dim(&all, d, made.basis, &bit))
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "invertAndCompose: the element of %s=%llu is not in the layout to be inverted",
                layout->in.dim[d].name, 1ULL << bit);
    lw_layout_copy(out, &made);
    return true;
}

/* Sets *out to the least input of each output, and returns the rank; *out is complete when that is the number of
 * output bits: each of them is then one reduced vector of the solver. */
static int least_inputs(struct lw_layout *out, const struct lw_layout *layout)
{
    struct lw_solver solver;
    lw_solver_init(&solver, layout->basis, lw_layout_in_bits(layout));
    lw_layout_start(out, &layout->out, &layout->in);
    memcpy(out->basis, solver.combination, sizeof out->basis);
    return solver.rank;
}

bool lw_layout_pseudoinvert(struct lw_layout *out, const struct lw_layout *layout,
                            struct lw_error *err)
{
    struct lw_layout made;
    int rank = least_inputs(&made, layout), rows = lw_layout_out_bits(layout);
    bool shared = false; /* in-dims with the name of an out-dim may map to themselves */
    if (rank < rows)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "not surjective: rank %d of %d, so it has no right inverse", rank,
                            rows);
    for (int d = 0; d < layout->in.count; d++)
        shared = shared || lw_dims_find(&layout->out, layout->in.dim[d].name) >= 0;
    if (shared) {
        struct lw_layout identity;
        lw_layout_start(&identity, &layout->out, &layout->out);
        for (int i = 0; i < rows; i++)
            identity.basis[i] = (uint64_t)1 << i;
        return lw_layout_invert_and_compose(out, &identity, layout, LW_IDENTITY_SIZED, err);
    }
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_invert(struct lw_layout *out, const struct lw_layout *layout, struct lw_error *err)
{
    struct lw_layout made;
    int ins = lw_layout_in_bits(layout), outs = lw_layout_out_bits(layout);
    int rank = least_inputs(&made, layout);
    if (ins != outs || rank != ins)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "not invertible: %d input bits, %d output bits, rank %d", ins, outs,
                            rank);
    lw_layout_copy(out, &made);
    return true;
}

/* ---- Reshaping ---- */

static bool reorder(struct lw_dims *out, const struct lw_dims *dims, const char *const *names,
                    const char *what, struct lw_error *err)
{
    struct lw_dims made;
    made.count = 0;
    for (int i = 0; i < dims->count; i++) {
        int d = lw_dims_find(dims, names[i]);
        if (d < 0)
            return lw_error_set(err, LW_ERROR_NAME, "%s: there is no dim '%.40s'", what, names[i]);
        if (!lw_dims_add(&made, names[i], dims->dim[d].size, err))
            return false;
    }
    lw_dims_copy(out, &made);
    return true;
}

bool lw_layout_transpose_ins(struct lw_layout *out, const struct lw_layout *layout,
                             const char *const *names, struct lw_error *err)
{
    struct lw_layout made;
    struct lw_dims in;
    if (!reorder(&in, &layout->in, names, "transposeIns", err))
        return false;
    lw_layout_start(&made, &in, &layout->out);
    for (int d = 0, to = 0; d < made.in.count; d++) {
        int old = lw_dims_find(&layout->in, names[d]), from = lw_layout_in_shift(layout, old);
        for (int i = 0; i < lw_layout_in_log2(layout, old); i++)
            made.basis[to++] = layout->basis[from + i];
    }
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_transpose_outs(struct lw_layout *out, const struct lw_layout *layout,
                              const char *const *names, struct lw_error *err)
{
    struct lw_layout made;
    struct lw_dims outs;
    if (!reorder(&outs, &layout->out, names, "transposeOuts", err))
        return false;
    lw_layout_start(&made, &layout->in, &outs);
    struct bit_moves moves;
    find_moves(&moves, &layout->out, &outs, NULL);
    for (int i = 0; i < lw_layout_in_bits(layout); i++)
        made.basis[i] = moved_image(layout->basis[i], &moves);
    lw_layout_copy(out, &made);
    return true;
}

static bool reshape(struct lw_dims *target, const struct lw_dims *dims, const char *what,
                    struct lw_error *err)
{
    int before = 0, after = 0;
    for (int i = 0; i < target->count; i++)
        before += lw_log2(target->dim[i].size);
    for (int i = 0; i < dims->count; i++) {
        int bits = lw_log2(dims->dim[i].size);
        if (bits < 0)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "%s: size %llu of dim '%s' is not a power of two", what,
                                (unsigned long long)dims->dim[i].size, dims->dim[i].name);
        after += bits;
    }
    if (before != after)
        return lw_error_set(err, LW_ERROR_SHAPE, "%s: from 2^%d points to 2^%d", what, before,
                            after);
    lw_dims_copy(target, dims);
    return true;
}

bool lw_layout_reshape_ins(struct lw_layout *out, const struct lw_layout *layout,
                           const struct lw_dims *dims, struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    if (!reshape(&made.in, dims, "reshapeIns", err))
        return false;
    lw_layout_copy(out, &made);
    return true;
}

bool lw_layout_reshape_outs(struct lw_layout *out, const struct lw_layout *layout,
                            const struct lw_dims *dims, struct lw_error *err)
{
    struct lw_layout made;
    lw_layout_copy(&made, layout);
    if (!reshape(&made.out, dims, "reshapeOuts", err))
        return false;
    lw_layout_copy(out, &made);
    return true;
}

/* The dims of `dims` that are in `names`, in the order of `dims`. */
static bool select_dims(struct lw_dims *out, const struct lw_dims *dims, const char *const *names,
                        int count, struct lw_error *err)
{
    struct lw_dims made;
    bool keep[LW_DIMS_MAX] = {false};
    for (int i = 0; i < count; i++) {
        int d = lw_dims_find(dims, names[i]);
        if (d < 0)
            return lw_error_set(err, LW_ERROR_NAME, "sublayout: there is no dim '%.40s'", names[i]);
        keep[d] = true;
    }
    made.count = 0;
    for (int d = 0; d < dims->count; d++)
        if (keep[d])
            made.dim[made.count++] = dims->dim[d];
    lw_dims_copy(out, &made);
    return true;
}

bool lw_layout_sublayout(struct lw_layout *out, const struct lw_layout *layout,
                         const char *const *ins, int in_count, const char *const *outs,
                         int out_count, struct lw_error *err)
{
    struct lw_layout made;
    struct lw_dims some_ins, some_outs;
    if (!select_dims(&some_ins, &layout->in, ins, in_count, err) ||
        !select_dims(&some_outs, &layout->out, outs, out_count, err))
        return false;
    lw_layout_start(&made, &some_ins, &some_outs);
    for (int d = 0, to = 0; d < made.in.count; d++) {
        int old = lw_dims_find(&layout->in, made.in.dim[d].name);
        int from = lw_layout_in_shift(layout, old);
        for (int i = 0; i < lw_layout_in_log2(layout, old); i++) {
            uint64_t point[LW_DIMS_MAX], kept[LW_DIMS_MAX];
            lw_dims_unflatten(&layout->out, layout->basis[from + i], point);
            for (int o = 0; o < made.out.count; o++)
                kept[o] = point[lw_dims_find(&layout->out, made.out.dim[o].name)];
            made.basis[to++] = lw_dims_flatten(&made.out, kept);
        }
    }
    lw_layout_copy(out, &made);
    return true;
}
