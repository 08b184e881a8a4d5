/* Maps: the linear, mixed-radix and padded kinds, each one row of functions, and what all kinds have in common. Tables
 * and sums of strides have their own files. */

#include "core/dims_copy.h"
#include "core/divide.h"
#include "core/map_kinds.h"
#include "core/unused.h"

#include <string.h>

/* ---- Linear layouts: elements and owners through the matrix and its null space ---- */

void lw_map_from_layout(struct lw_map *map, const struct lw_layout *layout)
{
    map->kind = LW_MAP_LINEAR;
    lw_dims_copy(&map->in, &layout->in);
    lw_dims_copy(&map->out, &layout->out);
    lw_layout_copy(&map->as.linear.layout, layout);
    lw_solver_init(&map->as.linear.solver, layout->basis, lw_layout_in_bits(layout));
}

static bool linear_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    lw_layout_apply(&map->as.linear.layout, in, out);
    return true;
}

static bool linear_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    const struct lw_solver *solver = &map->as.linear.solver;
    uint64_t least;
    if (!lw_solver_solve(solver, lw_dims_flatten(&map->out, out), &least))
        return false;
    lw_dims_unflatten(&map->in, lw_solver_answer(solver, least, k), in);
    return true;
}

static uint64_t linear_replication(const struct lw_map *map)
{
    int nullity = map->as.linear.solver.nullity;
    return nullity < 64 ? (uint64_t)1 << nullity : UINT64_MAX;
}

static uint64_t linear_owner_count(const struct lw_map *map, const uint64_t *out)
{
    uint64_t flat = lw_dims_flatten(&map->out, out), least;
    return lw_solver_solve(&map->as.linear.solver, flat, &least) ? linear_replication(map) : 0;
}

static uint64_t linear_element_count(const struct lw_map *map)
{
    int rank = map->as.linear.solver.rank;
    return rank < 64 ? (uint64_t)1 << rank : UINT64_MAX;
}

static bool linear_to_layout(const struct lw_map *map, struct lw_layout *out,
                             LW_UNUSED struct lw_error *err)
{
    lw_layout_copy(out, &map->as.linear.layout);
    return true;
}

static const struct lw_map_ops linear = {
    .apply = linear_apply,
    .owner_count = linear_owner_count,
    .owner = linear_owner,
    .replication = linear_replication,
    .element_count = linear_element_count,
    .to_layout = linear_to_layout,
};

/* ---- Mixed radix ----
 * Invariant: the modes of each dim are its digits, so that every point of the input and of the output is written in
 * exactly one way. */

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

static bool mixed_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
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

static bool mixed_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
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

static uint64_t mixed_replication(const struct lw_map *map)
{
    uint64_t copies = 1;
    for (int i = 0; i < map->as.mixed.count; i++)
        if (map->as.mixed.mode[i].out_dim < 0)
            copies *= map->as.mixed.mode[i].size;
    return copies;
}

static bool mixed_to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
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

static const struct lw_map_ops mixed = {
    .apply = mixed_apply,
    .owner = mixed_owner,
    .replication = mixed_replication,
    .to_layout = mixed_to_layout,
};

/* ---- Padded memory ----
 * Every interval is a power of two, so each bit of an offset has a weight, and the padded offset is the sum of the
 * weights of its bits. Invariant: a weight is at least twice the one below it, so at most one set of bits has a given
 * sum, and taking the largest weight that fits finds it. */

/* The weight of a bit; false when it is over 2^62. */
static bool weigh(const struct lw_map *map, int bit, uint64_t *weight)
{
    *weight = (uint64_t)1 << bit;
    for (int i = 0; i < map->as.padded.count; i++) {
        const struct lw_padding *p = &map->as.padded.padding[i];
        uint64_t added;
        if (__builtin_mul_overflow(((uint64_t)1 << bit) / p->interval, p->size, &added) ||
            __builtin_add_overflow(*weight, added, weight))
            return false;
    }
    return *weight >> 62 == 0;
}

/* Sets the weight of each bit, and the size of memory. */
static bool spread(struct lw_map *map, struct lw_error *err)
{
    int bits = lw_layout_in_log2(&map->as.padded.layout, map->as.padded.dim);
    uint64_t last = 0, weight;
    for (int b = 0; b < bits; b++) {
        if (!weigh(map, b, &weight) || (last += weight) >> 62)
            return lw_error_set(err, LW_ERROR_LIMIT, "with its padding it has over 2^62 elements");
        map->as.padded.weight[b] = weight;
    }
    map->in.dim[map->as.padded.dim].size = last + 1;
    return true;
}

static bool check_padding(const struct lw_padding *padding, int count, struct lw_error *err)
{
    if (count > LW_PADDINGS_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d paddings: at most %d", count, LW_PADDINGS_MAX);
    for (int i = 0; i < count; i++)
        if (lw_log2(padding[i].interval) < 0)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "a padding after every %llu elements: that must be a power of two",
                                (unsigned long long)padding[i].interval);
    return true;
}

bool lw_map_from_padding(struct lw_map *map, const struct lw_layout *layout, const char *dim,
                         const struct lw_padding *padding, int count, struct lw_error *err)
{
    struct lw_map made;
    uint64_t total;
    memset(&made, 0, sizeof made);
    made.kind = LW_MAP_PADDED;
    made.in = layout->in;
    made.out = layout->out;
    made.as.padded.layout = *layout;
    made.as.padded.dim = lw_dims_find(&layout->in, dim);
    made.as.padded.count = count;
    if (!check_padding(padding, count, err))
        return false;
    if (made.as.padded.dim < 0)
        return lw_error_set(err, LW_ERROR_NAME, "there is no dim '%.24s' to pad", dim);
    if (!lw_layout_is_invertible(layout))
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "padded memory must hold each element, and once only");
    if (count)
        memcpy(made.as.padded.padding, padding, (size_t)count * sizeof *padding);
    lw_solver_init(&made.as.padded.solver, layout->basis, lw_layout_in_bits(layout));
    if (!spread(&made, err) || !lw_dims_total(&made.in, &total, err))
        return false;
    *map = made;
    return true;
}

uint64_t lw_map_pad(const struct lw_map *map, uint64_t offset)
{
    uint64_t padded = 0;
    for (; offset; offset &= offset - 1)
        padded += map->as.padded.weight[__builtin_ctzll(offset)];
    return padded;
}

bool lw_map_unpad(const struct lw_map *map, uint64_t padded, uint64_t *offset)
{
    *offset = 0;
    if (map->kind != LW_MAP_PADDED)
        return false;
    for (int b = lw_layout_in_log2(&map->as.padded.layout, map->as.padded.dim) - 1; b >= 0; b--)
        if (padded >= map->as.padded.weight[b]) {
            padded -= map->as.padded.weight[b];
            *offset |= (uint64_t)1 << b;
        }
    return padded == 0;
}

static bool padded_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    uint64_t plain[LW_DIMS_MAX];
    memcpy(plain, in, (size_t)map->in.count * sizeof *in);
    if (!lw_map_unpad(map, in[map->as.padded.dim], &plain[map->as.padded.dim]))
        return false;
    lw_layout_apply(&map->as.padded.layout, plain, out);
    return true;
}

static bool padded_owner(const struct lw_map *map, const uint64_t *out, LW_UNUSED uint64_t k,
                         uint64_t *in)
{
    uint64_t flat;
    if (!lw_solver_solve(&map->as.padded.solver, lw_dims_flatten(&map->out, out), &flat))
        return false;
    lw_dims_unflatten(&map->as.padded.layout.in, flat, in);
    in[map->as.padded.dim] = lw_map_pad(map, in[map->as.padded.dim]);
    return true;
}

static bool padded_to_layout(const struct lw_map *map, LW_UNUSED struct lw_layout *out,
                             struct lw_error *err)
{
    const char *name = map->in.dim[map->as.padded.dim].name;
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "not a linear layout: dim %s has size %llu with its padding, and some of "
                        "its indices hold no element",
                        name, (unsigned long long)map->in.dim[map->as.padded.dim].size);
}

static const struct lw_map_ops padded = {
    .apply = padded_apply,
    .owner = padded_owner,
    .to_layout = padded_to_layout,
};

/* ---- All kinds ---- */

static const struct lw_map_ops *ops_of(const struct lw_map *map)
{
    static const struct lw_map_ops *const kinds[] = {
        [LW_MAP_LINEAR] = &linear,          [LW_MAP_MIXED] = &mixed,
        [LW_MAP_PADDED] = &padded,          [LW_MAP_TABLE] = &lw_map_table,
        [LW_MAP_STRIDED] = &lw_map_strided,
    };
    return kinds[map->kind];
}

static bool in_range(const struct lw_dims *dims, const uint64_t *point)
{
    for (int i = 0; i < dims->count; i++)
        if (point[i] >= dims->dim[i].size)
            return false;
    return true;
}

bool lw_map_apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    return in_range(&map->in, in) && ops_of(map)->apply(map, in, out);
}

uint64_t lw_map_replication(const struct lw_map *map)
{
    const struct lw_map_ops *ops = ops_of(map);
    return ops->replication ? ops->replication(map) : 1;
}

uint64_t lw_map_owner_count(const struct lw_map *map, const uint64_t *out)
{
    const struct lw_map_ops *ops = ops_of(map);
    if (!in_range(&map->out, out))
        return 0;
    return ops->owner_count ? ops->owner_count(map, out) : lw_map_replication(map);
}

bool lw_map_owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    return in_range(&map->out, out) && k < lw_map_replication(map) &&
           ops_of(map)->owner(map, out, k, in);
}

/* Saturates: a linear layout may have 2^64 points. */
static uint64_t points_of(const struct lw_dims *dims)
{
    uint64_t points;
    return lw_dims_total(dims, &points, NULL) ? points : UINT64_MAX;
}

uint64_t lw_map_element_count(const struct lw_map *map)
{
    const struct lw_map_ops *ops = ops_of(map);
    return ops->element_count ? ops->element_count(map) : points_of(&map->out);
}

bool lw_map_is_surjective(const struct lw_map *map)
{
    return lw_map_element_count(map) == points_of(&map->out);
}

bool lw_map_is_even(const struct lw_map *map)
{
    return map->kind != LW_MAP_TABLE ||
           map->as.table.held == (uint64_t)map->as.table.owned * map->as.table.copies;
}

bool lw_map_is_injective(const struct lw_map *map)
{
    return lw_map_replication(map) == 1 && lw_map_check_unique(map, NULL);
}

bool lw_map_has_holes(const struct lw_map *map)
{
    if (map->kind == LW_MAP_LINEAR || map->kind == LW_MAP_MIXED)
        return false;
    if (map->kind == LW_MAP_TABLE && map->as.table.element)
        return map->as.table.held < map->as.table.count;
    return points_of(&map->in) > points_of(&map->out) * lw_map_replication(map);
}

bool lw_map_to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    return ops_of(map)->to_layout(map, out, err);
}

bool lw_map_to_hardware(const struct lw_map *map, uint64_t lanes, struct lw_layout *out,
                        struct lw_error *err)
{
    struct lw_layout made;
    if (!lw_map_to_layout(map, &made, err))
        return false;
    int thread = lw_dims_find(&made.in, "thread"), local = lw_dims_find(&made.in, "local");
    if (thread < 0 || local < 0) {
        *out = made;
        return true;
    }
    uint64_t threads = made.in.dim[thread].size, lane = threads < lanes ? threads : lanes;
    static const char *const order[] = {"local", "thread"};
    struct lw_dims dims = {0};
    if (made.in.count != 2 || !lw_layout_transpose_ins(&made, &made, order, err) ||
        !lw_dims_add(&dims, "register", made.in.dim[0].size, err) ||
        !lw_dims_add(&dims, "lane", lane, err) ||
        !lw_dims_add(&dims, "warp", threads / lane, err) || !lw_dims_add(&dims, "block", 1, err))
        return false;
    return lw_layout_reshape_ins(out, &made, &dims, err);
}

/* ---- Sums of strides, linear maps where they are linear ---- */

bool lw_stride_map(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                   const struct lw_strides *strides, struct lw_error *err)
{
    struct lw_layout layout;
    if (!lw_map_from_strides(map, in, out, strides, err))
        return false;
    if (lw_map_to_layout(map, &layout, NULL))
        lw_map_from_layout(map, &layout);
    return true;
}

/* An upper bound of the offsets. A swizzle may set bits that the last offset does not have. It may also set a bit of
 * the last offset in an offset that lacks it, and then the bits below can have any value. */
static uint64_t room_of(const struct lw_strides *strides)
{
    uint64_t last = strides->constant, xored = 0;
    for (int i = 0; i < strides->count; i++)
        last += (strides->mode[i].size - 1) * strides->mode[i].stride;
    int from = strides->shift > 0 ? strides->base + strides->shift : strides->base;
    int to = strides->shift > 0 ? strides->base : strides->base - strides->shift;
    for (int b = 0; b < strides->bits; b++)
        if (last >> (from + b)) /* some offset may have that bit */
            xored |= (uint64_t)1 << (to + b);
    uint64_t below = last & xored;
    for (int step = 1; step < 64; step *= 2)
        below |= below >> step;
    return (last | xored | below) + 1;
}

bool lw_memory_map(struct lw_map *map, const struct lw_dims *out, const struct lw_strides *strides,
                   struct lw_error *err)
{
    struct lw_dims in;
    in.count = 0;
    return lw_dims_add(&in, "offset", room_of(strides), err) &&
           lw_stride_map(map, &in, out, strides, err);
}
