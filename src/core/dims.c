/* Named dims. Invariant: names are distinct and every size is from 1 to 2^63. */

#include "laneway/dims.h"

#include <stdio.h>
#include <string.h>

/* Names are short: this is faster than strcmp. */
static bool same_name(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

int lw_dims_find(const struct lw_dims *dims, const char *name)
{
    for (int i = 0; i < dims->count; i++)
        if (same_name(dims->dim[i].name, name))
            return i;
    return -1;
}

uint64_t lw_dims_size(const struct lw_dims *dims, const char *name)
{
    int i = lw_dims_find(dims, name);
    return i < 0 ? 1 : dims->dim[i].size;
}

/* Not isalnum, which depends on the locale. */
static bool is_valid_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* 0: it is not a name. */
static size_t name_length(const char *name)
{
    size_t n = 0;
    while (n < LW_NAME_MAX && is_valid_part(name[n]))
        n++;
    return n < LW_NAME_MAX && !name[n] ? n : 0;
}

bool lw_dims_add(struct lw_dims *dims, const char *name, uint64_t size, struct lw_error *err)
{
    size_t length = name_length(name);
    if (length == 0)
        return lw_error_set(err, LW_ERROR_NAME,
                            "dim name '%.40s': expected 1 to %d letters, digits or _", name,
                            LW_NAME_MAX - 1);
    if (lw_dims_find(dims, name) >= 0)
        return lw_error_set(err, LW_ERROR_NAME, "duplicate dim '%s'", name);
    if (dims->count == LW_DIMS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "dim '%s': at most %d dims on a side", name,
                            LW_DIMS_MAX);
    if (size == 0 || size > (uint64_t)1 << 63)
        return lw_error_set(err, LW_ERROR_LIMIT, "size of dim '%s': must be from 1 to 2^63", name);
    struct lw_dim *dim = &dims->dim[dims->count++];
    memset(dim, 0, sizeof *dim);
    memcpy(dim->name, name, length);
    dim->size = size;
    return true;
}

bool lw_dims_equal(const struct lw_dims *a, const struct lw_dims *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->dim[i].size != b->dim[i].size || !same_name(a->dim[i].name, b->dim[i].name))
            return false;
    return true;
}

bool lw_dims_total(const struct lw_dims *dims, uint64_t *total, struct lw_error *err)
{
    *total = 1;
    for (int i = 0; i < dims->count; i++)
        if (__builtin_mul_overflow(*total, dims->dim[i].size, total) || *total > (uint64_t)1 << 63)
            return lw_error_set(err, LW_ERROR_LIMIT, "the index space has over 2^63 points");
    return true;
}

uint64_t lw_dims_flatten(const struct lw_dims *dims, const uint64_t *point)
{
    uint64_t flat = 0;
    for (int i = dims->count - 1; i >= 0; i--)
        flat = flat * dims->dim[i].size + point[i];
    return flat;
}

void lw_dims_unflatten(const struct lw_dims *dims, uint64_t flat, uint64_t *point)
{
    for (int i = 0; i < dims->count; i++) {
        uint64_t size = dims->dim[i].size;
        if (size & (size - 1)) {
            point[i] = flat % size;
            flat /= size;
        } else { /* most are powers of two, and division is slow */
            point[i] = flat & (size - 1);
            flat >>= __builtin_ctzll(size);
        }
    }
}

bool lw_dims_of_shape(struct lw_dims *dims, const uint64_t *shape, int rank, struct lw_error *err)
{
    dims->count = 0;
    for (int i = 0; i < rank; i++) {
        char name[LW_NAME_MAX];
        snprintf(name, sizeof name, "dim%d", i);
        if (!lw_dims_add(dims, name, shape[i], err))
            return false;
    }
    return true;
}

void lw_dims_print_names(struct lw_text *text, const struct lw_dims *dims)
{
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s%s", i ? ", " : "", dims->dim[i].name);
}

void lw_dims_print_sizes(struct lw_text *text, const struct lw_dims *dims)
{
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s%llu", i ? " x " : "", (unsigned long long)dims->dim[i].size);
    lw_text_add(text, dims->count ? "" : "1 element");
}

int lw_log2(uint64_t n)
{
    return n && !(n & (n - 1)) ? __builtin_ctzll(n) : -1;
}
