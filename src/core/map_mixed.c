/* Maps of mixed radix. Invariant: the modes of each dim are its digits, so that every point of the
 * input and of the output is written in exactly one way. */

#include "core/dims_copy.h"
#include "core/divide.h"
#include "core/map_kinds.h"

#include <string.h>

static bool check_mode(const struct lw_mode *mode, const struct lw_dims *in,
                       const struct lw_dims *out, struct lw_error *err)
{
    bool copies = mode->out_dim == -1;
    return (mode->size && mode->in_stride && mode->in_dim >= 0 && mode->in_dim < in->count &&
            (copies || (mode->out_stride && mode->out_dim >= 0 && mode->out_dim < out->count))) ||
           lw_error_set(err, LW_ERROR_SHAPE,
                        "a mode of size %llu from dim %d to dim %d: its size and strides must be "
                        "at least 1 and its dims those of the map",
                        (unsigned long long)mode->size, mode->in_dim, mode->out_dim);
}

/* Checks that the modes of one dim are its digits, by walking up the strides: all of them, each
 * once. */
static bool check_digits(const struct lw_dim *dim, int index, bool output,
                         const struct lw_mode *modes, int count, struct lw_error *err)
{
    uint64_t reached = 1;
    int left = 0;
    for (int i = 0; i < count; i++)
        left += modes[i].size > 1 && (output ? modes[i].out_dim : modes[i].in_dim) == index;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < count; i++) {
            int of = output ? modes[i].out_dim : modes[i].in_dim;
            uint64_t stride = output ? modes[i].out_stride : modes[i].in_stride;
            if (of == index && stride == reached && modes[i].size > 1) {
                if (__builtin_mul_overflow(reached, modes[i].size, &reached))
                    return lw_error_set(err, LW_ERROR_LIMIT, "dim '%s' is over 2^63", dim->name);
                moved = true;
                left--;
            }
        }
    }
    if (left)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "%d of the modes of dim '%s' are not digits of it: their strides do "
                            "not continue each other",
                            left, dim->name);
    if (reached != dim->size)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the modes of dim '%s' make up %llu, but its size is %llu", dim->name,
                            (unsigned long long)reached, (unsigned long long)dim->size);
    return true;
}

bool lw_map_from_modes(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                       const struct lw_mode *modes, int count, struct lw_error *err)
{
    uint64_t total;
    if (count > LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d modes: at most %d", count, LW_MODES_MAX);
    if (!lw_dims_total(in, &total, err) || !lw_dims_total(out, &total, err))
        return false;
    for (int i = 0; i < count; i++)
        if (!check_mode(&modes[i], in, out, err))
            return false;
    for (int i = 0; i < in->count; i++)
        if (!check_digits(&in->dim[i], i, false, modes, count, err))
            return false;
    for (int i = 0; i < out->count; i++)
        if (!check_digits(&out->dim[i], i, true, modes, count, err))
            return false;
    map->kind = LW_MAP_MIXED;
    lw_dims_copy(&map->in, in);
    lw_dims_copy(&map->out, out);
    map->as.mixed.count = count;
    memcpy(map->as.mixed.mode, modes, (size_t)count * sizeof *modes);
    return true;
}

/* A point has nearly always one dim or two, and then a call takes longer than the work. */
static inline void clear_point(uint64_t *point, int dims)
{
    point[0] = point[1] = 0;
    if (dims > 2)
        memset(point + 2, 0, (size_t)(dims - 2) * sizeof *point);
}

static inline void copy_point(uint64_t *out, const uint64_t *point, int dims)
{
    if (dims > 0)
        out[0] = point[0];
    if (dims > 1)
        out[1] = point[1];
    if (dims > 2)
        memcpy(out + 2, point + 2, (size_t)(dims - 2) * sizeof *out);
}

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    uint64_t point[LW_DIMS_MAX];
    clear_point(point, map->out.count);
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (m->out_dim >= 0)
            point[m->out_dim] +=
                lw_remainder(lw_quotient(in[m->in_dim], m->in_stride), m->size) * m->out_stride;
    }
    copy_point(out, point, map->out.count);
    return true;
}

/* Whether a digit of the flattened input varies faster than another. */
static bool is_faster(const struct lw_mode *a, const struct lw_mode *b)
{
    return a->in_dim != b->in_dim ? a->in_dim < b->in_dim : a->in_stride < b->in_stride;
}

/* The replicated digits of k, the fastest first: this lists owners in order. */
static void replicate(const struct lw_map *map, uint64_t k, uint64_t *in)
{
    for (const struct lw_mode *last = NULL, *next;; last = next) {
        next = NULL;
        for (int i = 0; i < map->as.mixed.count; i++) {
            const struct lw_mode *m = &map->as.mixed.mode[i];
            if (m->out_dim < 0 && m->size > 1 && (!last || is_faster(last, m)) &&
                (!next || is_faster(m, next)))
                next = m;
        }
        if (!next)
            return;
        in[next->in_dim] += k % next->size * next->in_stride;
        k /= next->size;
    }
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    uint64_t point[LW_DIMS_MAX];
    bool copies = false;
    clear_point(point, map->in.count);
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (m->out_dim >= 0)
            point[m->in_dim] +=
                lw_remainder(lw_quotient(out[m->out_dim], m->out_stride), m->size) * m->in_stride;
        else
            copies = true;
    }
    if (copies)
        replicate(map, k, point);
    copy_point(in, point, map->in.count);
    return true;
}

static uint64_t replication(const struct lw_map *map)
{
    uint64_t copies = 1;
    for (int i = 0; i < map->as.mixed.count; i++)
        if (map->as.mixed.mode[i].out_dim < 0)
            copies *= map->as.mixed.mode[i].size;
    return copies;
}

static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (lw_log2(m->size) < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "not a linear layout: a mode of %s has size %llu, which is not a "
                                "power of two",
                                m->out_dim < 0 ? map->in.dim[m->in_dim].name
                                               : map->out.dim[m->out_dim].name,
                                (unsigned long long)m->size);
    }
    struct lw_layout made;
    if (!lw_layout_of_dims(&made, &map->in, &map->out, err))
        return false;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        if (m->out_dim < 0)
            continue;
        int in = lw_layout_in_shift(&made, m->in_dim) + lw_log2(m->in_stride);
        int to = lw_layout_out_shift(&made, m->out_dim) + lw_log2(m->out_stride);
        for (int b = 0; b < lw_log2(m->size); b++)
            made.basis[in + b] = (uint64_t)1 << (to + b);
    }
    lw_layout_copy(out, &made);
    return true;
}

const struct lw_map_ops lw_map_mixed = {
    .apply = apply,
    .owner = owner,
    .replication = replication,
    .to_layout = to_layout,
};
