/*
 * Maps by sums of strides: CuTe layouts that are not linear. Forward it is a sum; backward the digits are found from
 * the longest stride down; each leaves a remainder that the shorter strides can reach.
 *
 * Invariant: the strides do not rise; with nested strides (each longer than all shorter ones together) one digit is
 * possible at each step; otherwise there are at most WAYS_MAX ways in all.
 */

#include "core/dims_copy.h"
#include "core/map_kinds.h"

#include <stdlib.h>
#include <string.h>

#define WAYS_MAX ((uint64_t)1 << 12)
#define STEPS_MAX ((uint64_t)1 << 20)
#define SUM_MAX ((uint64_t)1 << 62)

static uint64_t swizzled(const struct lw_strides *sum, uint64_t offset)
{
    uint64_t mask = ((uint64_t)1 << sum->bits) - 1;
    if (sum->shift >= 0)
        return offset ^ ((offset >> (sum->base + sum->shift) & mask) << sum->base);
    return offset ^ ((offset >> sum->base & mask) << (sum->base - sum->shift));
}

/* The offset whose swizzled offset is given. One step is enough when the bits that are read are not
 * written; else each step fixes at least one more bit. */
static uint64_t unswizzled(const struct lw_strides *sum, uint64_t offset)
{
    uint64_t found = offset;
    for (int i = 0; i < sum->bits; i++)
        found = offset ^ found ^ swizzled(sum, found);
    return found;
}

static uint64_t sum_of(const struct lw_strides *sum, const uint64_t *point)
{
    uint64_t total = sum->constant;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        total += point[m->dim] / m->divisor % m->size * m->stride;
    }
    return swizzled(sum, total);
}

/* The largest sum of the modes from i on. */
static uint64_t reach_of(const struct lw_strides *sum, int i)
{
    uint64_t reach = 0;
    for (; i < sum->count; i++)
        reach += (sum->mode[i].size - 1) * sum->mode[i].stride;
    return reach;
}

/* ---- Backward ---- */

/* Sets the digits from mode i on so that they add up to `left`; reach[i] is their largest sum. */
static bool solve_digits(const struct lw_strides *sum, const uint64_t *reach, int i, uint64_t left,
                         uint64_t *point)
{
    if (i == sum->count || sum->mode[i].stride == 0)
        return left == 0;
    const struct lw_stride *m = &sum->mode[i];
    uint64_t below = reach[i + 1], max = left / m->stride;
    uint64_t least = left > below ? (left - below - 1) / m->stride + 1 : 0;
    max = max < m->size ? max : m->size - 1;
    for (uint64_t d = least; d <= max && left <= reach[i]; d++) {
        point[m->dim] += d * m->divisor;
        if (solve_digits(sum, reach, i + 1, left - d * m->stride, point))
            return true;
        point[m->dim] -= d * m->divisor;
    }
    return false;
}

/* The point that makes `total`, with 0 for digits that add nothing. */
static bool point_of(const struct lw_strides *sum, uint64_t total, uint64_t *point)
{
    uint64_t reach[LW_MODES_MAX + 1];
    reach[sum->count] = 0;
    for (int i = sum->count - 1; i >= 0; i--)
        reach[i] = reach[i + 1] + (sum->mode[i].size - 1) * sum->mode[i].stride;
    memset(point, 0, LW_DIMS_MAX * sizeof *point);
    total = unswizzled(sum, total);
    return total >= sum->constant && solve_digits(sum, reach, 0, total - sum->constant, point);
}

/* Lists the modes of stride 0, which number the copies, the digit that is fastest in the number of a copy first: the
 * mode after `last`, or the first one where `last` is NULL. NULL: there is no other. */
static const struct lw_stride *next_copy(const struct lw_strides *sum, const struct lw_stride *last)
{
    const struct lw_stride *next = NULL;
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        bool later =
            !last || m->dim > last->dim || (m->dim == last->dim && m->divisor > last->divisor);
        bool nearer =
            !next || m->dim < next->dim || (m->dim == next->dim && m->divisor < next->divisor);
        if (m->stride == 0 && m->size > 1 && later && nearer)
            next = m;
    }
    return next;
}

/* Adds copy number k: the digits of stride 0, the fastest of the point first. */
static void add_copy(const struct lw_strides *sum, uint64_t k, uint64_t *point)
{
    for (const struct lw_stride *m = NULL; (m = next_copy(sum, m)); k /= m->size)
        point[m->dim] += k % m->size * m->divisor;
}

/* ---- Making one ---- */

/* A search for two points that make the same sum: by their differences, digit by digit. */
struct collision {
    const struct lw_strides *sum;
    uint64_t reach[LW_MODES_MAX + 1];
    int64_t difference[LW_MODES_MAX];
    uint64_t steps;
};

static bool find_difference(struct collision *t, int i, int64_t left, bool some)
{
    if (++t->steps > STEPS_MAX)
        return false;
    if (i == t->sum->count)
        return some && left == 0;
    const struct lw_stride *m = &t->sum->mode[i];
    int64_t max = (int64_t)m->size - 1, stride = (int64_t)m->stride;
    int64_t below = (int64_t)t->reach[i + 1];
    if (stride == 0) { /* all that follow add nothing */
        t->difference[i] = m->size > 1;
        return left == 0 && (m->size > 1 || some || find_difference(t, i + 1, left, some));
    }
    int64_t low = some ? -max : 0;
    int64_t from = (left - below) / stride, to = (left + below) / stride;
    from = from < low ? low : from;
    to = to > max ? max : to;
    for (int64_t d = to; d >= from; d--) {
        int64_t rest = left - d * stride;
        if (rest > below || rest < -below)
            continue;
        t->difference[i] = d;
        if (find_difference(t, i + 1, rest, some || d != 0))
            return true;
        t->difference[i] = 0;
    }
    return false;
}

/* Finds two points with the same sum, if there are any; false when the search was stopped. Modes of
 * stride 0 count when `all`. */
static bool find_collision(struct lw_map *map, bool all)
{
    struct lw_strides sum = map->as.strided.sum;
    struct collision t = {.sum = &sum};
    bool nested = true;
    while (!all && sum.count && sum.mode[sum.count - 1].stride == 0)
        sum.count--;
    for (int i = sum.count - 1; i >= 0; i--) {
        t.reach[i] = reach_of(&sum, i);
        nested = nested && (sum.mode[i].size == 1 || sum.mode[i].stride > t.reach[i + 1]);
    }
    if (nested)
        return true;
    map->as.strided.shared = find_difference(&t, 0, 0, false);
    for (int i = 0; i < sum.count && map->as.strided.shared; i++) {
        int64_t d = t.difference[i];
        map->as.strided.collision[d > 0][sum.mode[i].dim] +=
            (uint64_t)(d < 0 ? -d : d) * sum.mode[i].divisor;
    }
    return t.steps <= STEPS_MAX;
}

static int by_stride(const void *a, const void *b)
{
    uint64_t s = ((const struct lw_stride *)a)->stride, t = ((const struct lw_stride *)b)->stride;
    return s < t ? 1 : s > t ? -1 : 0;
}

static bool check_sums(const struct lw_map *map, uint64_t codomain, struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t last = sum->constant, step, ways = 1;
    for (int i = sum->count - 1; i >= 0; i--) {
        const struct lw_stride *m = &sum->mode[i];
        uint64_t below = last - sum->constant;
        if (__builtin_mul_overflow(m->size - 1, m->stride, &step) ||
            __builtin_add_overflow(last, step, &last) || last >= SUM_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "the last offset is greater than 2^62");
        uint64_t choices = m->stride ? below / m->stride + 1 : 1;
        ways *= choices < m->size ? choices : m->size;
        if (ways > WAYS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT,
                                "strides of %llu and less are too close to find the coordinate "
                                "of an offset",
                                (unsigned long long)m->stride);
    }
    if (last >= codomain)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the last offset is %llu, but there are %llu of them",
                            (unsigned long long)last, (unsigned long long)codomain);
    return true;
}

static void put_point(struct lw_text *text, const struct lw_dims *dims, const uint64_t *point)
{
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "(", (unsigned long long)point[i]);
    lw_text_char(text, ')');
}

/* "the elements (0,0) and (0,1) are both at offset 0" */
static bool collision_error(const struct lw_map *map, struct lw_error *err)
{
    struct lw_text text = {0};
    bool memory = map->as.strided.sum.memory;
    const struct lw_dims *dims = memory ? &map->out : &map->in;
    put_point(&text, dims, map->as.strided.collision[0]);
    lw_text_add(&text, " and ");
    put_point(&text, dims, map->as.strided.collision[1]);
    lw_error_set(err, memory ? LW_ERROR_UNSUPPORTED : LW_ERROR_SHAPE,
                 memory ? "the coordinates %s are both at offset %llu"
                        : "the indices %s hold the same element, number %llu, though not all "
                          "elements are held equally often",
                 lw_text_string(&text),
                 (unsigned long long)sum_of(&map->as.strided.sum, map->as.strided.collision[0]));
    lw_text_free(&text);
    return false;
}

bool lw_map_from_strides(struct lw_map *map, const struct lw_dims *in, const struct lw_dims *out,
                         const struct lw_strides *strides, struct lw_error *err)
{
    uint64_t indices, elements;
    if (strides->count > LW_MODES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%d modes: at most %d", strides->count,
                            LW_MODES_MAX);
    if (!lw_dims_total(in, &indices, err) || !lw_dims_total(out, &elements, err))
        return false;
    memset(&map->as.strided, 0, sizeof map->as.strided);
    map->kind = LW_MAP_STRIDED;
    lw_dims_copy(&map->in, in);
    lw_dims_copy(&map->out, out);
    map->as.strided.sum = *strides;
    map->as.strided.copies = 1;
    struct lw_strides *sum = &map->as.strided.sum;
    qsort(sum->mode, (size_t)sum->count, sizeof *sum->mode, by_stride);
    if (!check_sums(map, strides->bits ? SUM_MAX : strides->memory ? indices : elements, err))
        return false;
    if (!find_collision(map, strides->memory))
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "the strides are too close to find which coordinates share an offset");
    for (int i = 0; i < sum->count && !strides->memory; i++)
        map->as.strided.copies *= sum->mode[i].stride ? 1 : sum->mode[i].size;
    return strides->memory || !map->as.strided.shared || collision_error(map, err);
}

bool lw_map_check_unique(const struct lw_map *map, struct lw_error *err)
{
    return map->kind != LW_MAP_STRIDED || !map->as.strided.shared || collision_error(map, err);
}

/* ---- Queries ---- */

static bool apply(const struct lw_map *map, const uint64_t *in, uint64_t *out)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t point[LW_DIMS_MAX];
    if (!sum->memory) {
        lw_dims_unflatten(&map->out, sum_of(sum, in), out);
        return true;
    }
    if (!point_of(sum, in[0], point))
        return false;
    memcpy(out, point, (size_t)map->out.count * sizeof *out);
    return true;
}

static bool owner(const struct lw_map *map, const uint64_t *out, uint64_t k, uint64_t *in)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t point[LW_DIMS_MAX];
    if (sum->memory) {
        in[0] = sum_of(sum, out);
        return true;
    }
    if (!point_of(sum, lw_dims_flatten(&map->out, out), point))
        return false;
    add_copy(sum, k, point);
    memcpy(in, point, (size_t)map->in.count * sizeof *in);
    return true;
}

static uint64_t replication(const struct lw_map *map)
{
    return map->as.strided.copies;
}

static uint64_t owner_count(const struct lw_map *map, const uint64_t *out)
{
    uint64_t point[LW_DIMS_MAX];
    bool held = map->as.strided.sum.memory ||
                point_of(&map->as.strided.sum, lw_dims_flatten(&map->out, out), point);
    return held ? replication(map) : 0;
}

static uint64_t element_count(const struct lw_map *map)
{
    bool memory = map->as.strided.sum.memory;
    uint64_t points = 1;
    lw_dims_total(memory ? &map->out : &map->in, &points, NULL);
    return memory ? points : points / map->as.strided.copies;
}

/* ---- As a linear layout ---- */

static bool not_linear(struct lw_error *err, const char *why)
{
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "not a linear layout: %s", why);
}

/* Two bits whose sum carries: the points that show it. */
static bool carry_error(const struct lw_map *map, const uint64_t *a, const uint64_t *b,
                        struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    const struct lw_dims *dims = sum->memory ? &map->out : &map->in;
    struct lw_text text = {0};
    uint64_t both[LW_DIMS_MAX], one = sum_of(sum, a), two = sum_of(sum, b);
    for (int i = 0; i < dims->count; i++)
        both[i] = a[i] + b[i];
    put_point(&text, dims, a);
    lw_text_format(&text, " is at %llu and ", (unsigned long long)one);
    put_point(&text, dims, b);
    lw_text_format(&text, " at %llu, but ", (unsigned long long)two);
    put_point(&text, dims, both);
    lw_text_format(&text, " is at %llu, not at %llu ^ %llu = %llu",
                   (unsigned long long)sum_of(sum, both), (unsigned long long)one,
                   (unsigned long long)two, (unsigned long long)(one ^ two));
    not_linear(err, lw_text_string(&text));
    lw_text_free(&text);
    return false;
}

/* Bit number `bit` of mode i as a point. */
static void bit_point(const struct lw_stride *m, int bit, uint64_t *point)
{
    memset(point, 0, LW_DIMS_MAX * sizeof *point);
    point[m->dim] = m->divisor << bit;
}

/* No two bits of the point may add into the same bit of the sum. */
static bool check_carries(const struct lw_map *map, struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    for (int i = 0; i < sum->count; i++)
        for (int b = 0; b < lw_log2(sum->mode[i].size); b++)
            for (int j = 0; j <= i; j++)
                for (int c = 0; c < (j < i ? lw_log2(sum->mode[j].size) : b); c++)
                    if (sum->mode[i].stride << b & sum->mode[j].stride << c) {
                        uint64_t one[LW_DIMS_MAX], two[LW_DIMS_MAX];
                        bit_point(&sum->mode[j], c, one);
                        bit_point(&sum->mode[i], b, two);
                        return carry_error(map, one, two, err);
                    }
    return true;
}

static bool check_powers(const struct lw_map *map, struct lw_error *err)
{
    for (int i = 0; i < 2; i++) {
        const struct lw_dims *dims = i ? &map->in : &map->out;
        for (int d = 0; d < dims->count; d++)
            if (lw_log2(dims->dim[d].size) < 0 && !(i && map->as.strided.sum.memory))
                return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                    "not a linear layout: %s has size %llu, which is not a power "
                                    "of two",
                                    dims->dim[d].name, (unsigned long long)dims->dim[d].size);
    }
    for (int i = 0; i < map->as.strided.sum.count; i++)
        if (lw_log2(map->as.strided.sum.mode[i].size) < 0)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "not a linear layout: a mode has size %llu, which is not a power "
                                "of two",
                                (unsigned long long)map->as.strided.sum.mode[i].size);
    return true;
}

/* Memory is a linear layout when every offset holds an element: then each bit of an offset is a bit
 * of a coordinate. The first bit that is not gives a hole. */
static bool holes_error(const struct lw_map *map, struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    uint64_t single = 0, hole;
    for (int i = 0; i < sum->count; i++)
        for (int b = 0; b < lw_log2(sum->mode[i].size); b++)
            if (lw_log2(sum->mode[i].stride << b) >= 0)
                single |= sum->mode[i].stride << b;
    hole = swizzled(sum, ~single & (single + 1));
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "not a linear layout: no coordinate is at offset %llu, a hole",
                        (unsigned long long)hole);
}

static bool to_layout(const struct lw_map *map, struct lw_layout *out, struct lw_error *err)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    const struct lw_dims *from = sum->memory ? &map->out : &map->in;
    const struct lw_dims *to = sum->memory ? &map->in : &map->out;
    struct lw_layout made;
    uint64_t points = 1;
    if (sum->constant)
        return not_linear(err, "a constant is added to every offset, so offset 0 is not at the "
                               "coordinate 0");
    if (!lw_map_check_unique(map, err) || !check_powers(map, err) || !check_carries(map, err))
        return false;
    lw_dims_total(from, &points, NULL);
    if (sum->memory && (reach_of(sum, 0) + 1 != points || to->dim[0].size != points))
        return holes_error(map, err);
    if (!lw_layout_of_dims(&made, from, to, err))
        return false;
    for (int i = 0; i < sum->count; i++)
        for (int b = 0; b < lw_log2(sum->mode[i].size); b++) {
            const struct lw_stride *m = &sum->mode[i];
            int at = lw_layout_in_shift(&made, m->dim) + lw_log2(m->divisor) + b;
            made.basis[at] = swizzled(sum, m->stride << b);
        }
    if (!sum->memory) {
        *out = made;
        return true;
    }
    return lw_layout_invert(out, &made, err);
}

const struct lw_map_ops lw_map_strided = {
    .apply = apply,
    .owner_count = owner_count,
    .owner = owner,
    .replication = replication,
    .element_count = element_count,
    .to_layout = to_layout,
};
