/* Which elements have different owners in two layouts, one by one. */

#include "analysis/owners.h"

#include <string.h>

/* ---- Hardware indices of both ---- */

/* Matches the in-dims by name and order; dims of size 1 may be missing. */
static bool match_dims(struct lw_comparison *c, struct lw_error *err)
{
    const struct lw_dims *a = &c->a->in, *b = &c->b->in;
    int d = 0, e = 0;
    for (; d < a->count || e < b->count; d++, e++) {
        while (d < a->count && a->dim[d].size == 1 && lw_dims_find(b, a->dim[d].name) < 0)
            d++;
        for (; e < b->count && b->dim[e].size == 1 && lw_dims_find(a, b->dim[e].name) < 0; e++)
            c->dim_of_a[e] = -1;
        if (d >= a->count && e >= b->count)
            break;
        const char *name = d < a->count ? a->dim[d].name : b->dim[e].name;
        if (d >= a->count || e >= b->count || strcmp(name, b->dim[e].name) != 0)
            return lw_error_set(
                err, LW_ERROR_SHAPE,
                "only one of the layouts has a dim %s%s: they cannot be compared", name,
                lw_dims_find(a, name) < 0 || lw_dims_find(b, name) < 0 ? "" : " at that position");
        c->dim_of_a[e] = d;
    }
    return true;
}

/* Converts a hardware index of a to one of b; false when b lacks it. */
static bool index_in_b(const struct lw_comparison *c, const uint64_t *in, uint64_t *out)
{
    for (int e = 0; e < c->b->in.count; e++) {
        out[e] = c->dim_of_a[e] < 0 ? 0 : in[c->dim_of_a[e]];
        if (out[e] >= c->b->in.dim[e].size)
            return false;
    }
    return true; /* a dim that only a has is of size 1 */
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
    return match_dims(c, err);
}

bool lw_compare_element(const struct lw_comparison *c, const uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX], there[LW_DIMS_MAX], held[LW_DIMS_MAX];
    uint64_t owners = lw_map_owner_count(c->a, out);
    if (owners != lw_map_owner_count(c->b, out))
        return true;
    for (uint64_t k = 0; k < owners; k++)
        if (!lw_map_owner(c->a, out, k, in) || !index_in_b(c, in, there) ||
            !lw_map_apply(c->b, there, held) ||
            memcmp(held, out, (size_t)c->a->out.count * sizeof *out) != 0)
            return true;
    return false;
}

bool lw_compare_count(const struct lw_comparison *c, uint64_t *differing, uint64_t *held)
{
    struct lw_dims dims = c->a->out; /* of both: of each dim the larger size */
    uint64_t all, out[LW_DIMS_MAX];
    for (int d = 0; d < dims.count; d++)
        if (c->b->out.dim[d].size > dims.dim[d].size)
            dims.dim[d].size = c->b->out.dim[d].size;
    const bool is_counted = lw_dims_total(&dims, &all, NULL);
    *differing = *held = 0;
    for (uint64_t i = 0, examined = 0; !is_counted || i < all; i++) {
        lw_dims_unflatten(&dims, i, out);
        const uint64_t owners = lw_map_owner_count(c->a, out);
        if (owners >= LW_COMPARED_MAX || (examined += 1 + owners) > LW_COMPARED_MAX)
            return false;
        *differing += lw_compare_element(c, out);
        *held += owners || lw_map_owner_count(c->b, out);
    }
    return true;
}
