/*
 * Which elements have different owners in two layouts.
 *
 * For linear layouts A and B the owners of an element are a coset of the null space. When the
 * null spaces differ, no two cosets are equal, and all elements that either layout holds differ.
 * When they are equal, an element has the same owners exactly when some hardware index x of both
 * layouts has A x = B x = element. Such x are the null space of A + B over the bits that both
 * have, and each element is counted once for each x in the null space of A.
 */

#include "analysis/owners.h"
#include "core/subspace.h"

#include <string.h>

/* ---- Hardware indices of both ---- */

/* Matches the in-dims by name; dims of size 1 may be missing. */
static bool match_dims(struct lw_comparison *c, struct lw_error *err)
{
    const struct lw_dims *a = &c->a->in, *b = &c->b->in;
    int last = -1;
    for (int d = 0; d < a->count; d++)
        if (a->dim[d].size > 1 && lw_dims_find(b, a->dim[d].name) < 0)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "only one of the layouts has a dim %s: they cannot be compared",
                                a->dim[d].name);
    for (int d = 0; d < b->count; d++) {
        c->dim_of_a[d] = lw_dims_find(a, b->dim[d].name);
        if (c->dim_of_a[d] < 0 && b->dim[d].size > 1)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "only one of the layouts has a dim %s: they cannot be compared",
                                b->dim[d].name);
        if (c->dim_of_a[d] >= 0 && b->dim[d].size > 1) {
            if (c->dim_of_a[d] < last)
                return lw_error_set(
                    err, LW_ERROR_SHAPE,
                    "the layouts have their dims in different orders: they cannot be compared");
            last = c->dim_of_a[d];
        }
    }
    return true;
}

/* Converts a hardware index of a to one of b; false when b lacks it. */
static bool index_in_b(const struct lw_comparison *c, const uint64_t *in, uint64_t *out)
{
    uint64_t taken = 0;
    for (int d = 0; d < c->b->in.count; d++) {
        int from = c->dim_of_a[d];
        out[d] = from >= 0 ? in[from] : 0;
        taken |= from >= 0 ? (uint64_t)1 << from : 0;
        if (out[d] >= c->b->in.dim[d].size)
            return false;
    }
    for (int d = 0; d < c->a->in.count; d++)
        if (!(taken >> d & 1) && in[d] != 0)
            return false;
    return true;
}

static bool same_element(const struct lw_comparison *c, const uint64_t *x, const uint64_t *y)
{
    return !memcmp(x, y, (size_t)c->a->out.count * sizeof *x);
}

/* ---- Linear ---- */

/* The bits of hardware indices that both layouts have: their images in each. */
struct space {
    int count; /* columns */
    uint64_t a[LW_BITS_MAX], b[LW_BITS_MAX];
};

/* An index as one number of both layouts: each dim has the bits of the larger one. */
static uint64_t packed(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t word = 0;
    int at = 0;
    for (int d = 0; d < c->a->out.count; d++) {
        uint64_t size = c->a->out.dim[d].size > c->b->out.dim[d].size ? c->a->out.dim[d].size
                                                                      : c->b->out.dim[d].size;
        word |= out[d] << at;
        at += lw_log2(size);
    }
    return word;
}

static int packed_bits(const struct lw_comparison *c)
{
    int bits = 0;
    for (int d = 0; d < c->a->out.count; d++) {
        int x = lw_log2(c->a->out.dim[d].size), y = lw_log2(c->b->out.dim[d].size);
        bits += x > y ? x : y;
    }
    return bits;
}

static void common_bits(const struct lw_comparison *c, struct space *space)
{
    const struct lw_layout *a = &c->a->as.linear.layout, *b = &c->b->as.linear.layout;
    uint64_t image[LW_DIMS_MAX] = {0};
    space->count = 0;
    for (int d = 0; d < c->b->in.count; d++) {
        int from = c->dim_of_a[d];
        int bits = from < 0 ? 0 : lw_layout_in_log2(a, from);
        bits = bits < lw_layout_in_log2(b, d) ? bits : lw_layout_in_log2(b, d);
        for (int bit = 0; bit < bits; bit++) {
            lw_layout_basis(a, from, bit, image);
            space->a[space->count] = packed(c, image);
            lw_layout_basis(b, d, bit, image);
            space->b[space->count++] = packed(c, image);
        }
    }
}

static int rank_of(const uint64_t *vectors, int count)
{
    struct lw_space space = {.dim = 0};
    lw_space_add_all(&space, vectors, count);
    return space.dim;
}

static int image_of(const struct lw_comparison *c, const struct lw_layout *layout,
                    uint64_t *vectors)
{
    uint64_t image[LW_DIMS_MAX] = {0};
    int count = 0;
    for (int d = 0; d < layout->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(layout, d); bit++) {
            lw_layout_basis(layout, d, bit, image);
            vectors[count++] = packed(c, image);
        }
    return count;
}

/* The null spaces are equal when both are within the common bits and the null space of x -> (A x, B x) has the
 * dimension of each. */
static bool null_spaces_are_same(const struct lw_comparison *c)
{
    const struct lw_layout *a = &c->a->as.linear.layout, *b = &c->b->as.linear.layout;
    struct space space;
    struct lw_matrix both;
    common_bits(c, &space);
    /* Its dimension is that of the null space of b restricted to the null space of a. */
    struct lw_matrix over = {.rows = packed_bits(c), .cols = space.count}, null_space;
    memcpy(over.column, space.a, sizeof over.column);
    lw_matrix_null_space(&null_space, &over);
    both = (struct lw_matrix){.rows = packed_bits(c), .cols = space.count};
    memcpy(both.column, space.b, sizeof both.column);
    uint64_t images[LW_BITS_MAX];
    for (int i = 0; i < null_space.cols; i++)
        images[i] = lw_matrix_apply(&both, null_space.column[i]);
    int together = null_space.cols - rank_of(images, null_space.cols);
    return together == lw_layout_in_bits(a) - lw_layout_rank(a) &&
           together == lw_layout_in_bits(b) - lw_layout_rank(b);
}

static uint64_t power(int bits)
{
    return bits > 63 ? UINT64_MAX : (uint64_t)1 << bits;
}

bool lw_compare_count(const struct lw_comparison *c, uint64_t *differing, uint64_t *held)
{
    uint64_t vectors[2 * LW_BITS_MAX];
    struct space space;
    if (!c->linear)
        return false;
    const struct lw_layout *a = &c->a->as.linear.layout, *b = &c->b->as.linear.layout;
    int rank_a = lw_layout_rank(a), rank_b = lw_layout_rank(b);
    int count = image_of(c, a, vectors);
    count += image_of(c, b, vectors + count);
    int either = rank_of(vectors, count);
    /* |A| + |B| - |A and B|; at most 2^64, which saturates. */
    uint64_t both = power(rank_a + rank_b - either);
    *held = power(rank_a) == UINT64_MAX || power(rank_b) == UINT64_MAX
                ? UINT64_MAX
                : power(rank_a) - both + power(rank_b);
    *differing = *held;
    if (!c->same_null_space)
        return true;
    common_bits(c, &space);
    for (int i = 0; i < space.count; i++)
        vectors[i] = space.a[i] ^ space.b[i];
    int same = space.count - rank_of(vectors, space.count) - (lw_layout_in_bits(a) - rank_a);
    *differing = *held - power(same);
    return true;
}

/* They are the image of the hardware indices x with A x = B x. */
bool lw_compare_count_shared(const struct lw_comparison *c, uint64_t *shared)
{
    struct space space;
    struct lw_matrix differing, same, images;
    uint64_t elements[LW_BITS_MAX];
    if (!c->linear)
        return false;
    common_bits(c, &space);
    differing = images = (struct lw_matrix){.rows = packed_bits(c), .cols = space.count};
    for (int i = 0; i < space.count; i++) {
        differing.column[i] = space.a[i] ^ space.b[i];
        images.column[i] = space.a[i];
    }
    lw_matrix_null_space(&same, &differing);
    for (int i = 0; i < same.cols; i++)
        elements[i] = lw_matrix_apply(&images, same.column[i]);
    *shared = power(rank_of(elements, same.cols));
    return true;
}

/* ---- One by one ---- */

bool lw_compare(struct lw_comparison *c, const struct lw_map *a, const struct lw_map *b,
                struct lw_error *err)
{
    memset(c, 0, sizeof *c);
    c->a = a;
    c->b = b;
    if (a->out.count != b->out.count)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "a tensor of %d dims and one of %d cannot be compared", a->out.count,
                            b->out.count);
    if (!match_dims(c, err))
        return false;
    c->linear = a->kind == LW_MAP_LINEAR && b->kind == LW_MAP_LINEAR && packed_bits(c) <= 64;
    c->same_null_space = c->linear && null_spaces_are_same(c);
    return true;
}

bool lw_compare_element(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], there[LW_DIMS_MAX], held[LW_DIMS_MAX];
    uint64_t owners = lw_map_owner_count(c->a, out);
    if (owners != lw_map_owner_count(c->b, out))
        return true;
    if (owners > 0 && c->linear && !c->same_null_space)
        return true;
    /* With equal null spaces one owner decides for all. */
    uint64_t compared = c->linear && owners > 0 ? 1 : owners;
    for (uint64_t k = 0; k < compared; k++)
        if (!lw_map_owner(c->a, out, k, in) || !index_in_b(c, in, there) ||
            !lw_map_apply(c->b, there, held) || !same_element(c, held, out))
            return true;
    return false;
}

bool lw_compare_shares(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], there[LW_DIMS_MAX], held[LW_DIMS_MAX];
    const uint64_t owners = lw_map_owner_count(c->a, out);
    for (uint64_t k = 0; k < owners; k++)
        if (lw_map_owner(c->a, out, k, in) && index_in_b(c, in, there) &&
            lw_map_apply(c->b, there, held) && same_element(c, held, out))
            return true;
    return false;
}
