/*
 * How far elements move: in closed form for linear layouts, index by index for others.
 *
 * The hardware indices whose lanes a linear map does not change are the null space of the lane
 * bits of map ^ identity, so a rank gives their number.
 */

#include "analysis/conversion/conversion_parts.h"

#include <string.h>

/* ---- Linear ---- */

/* log2 of the indices whose dims from `from` on equal those of the index that the element comes
 * from. */
static int log2_equal(const struct lw_layout *source, int from)
{
    struct lw_matrix differ = {.rows = LW_BITS_MAX};
    uint64_t mask = 0;
    for (int d = from; d < source->out.count; d++)
        mask |= lw_f2_mask(lw_layout_out_log2(source, d)) << lw_layout_out_shift(source, d);
    for (int d = 0, i = 0; d < source->in.count; d++)
        for (int bit = 0; bit < lw_layout_in_log2(source, d); bit++, i++) {
            bool there = bit < lw_layout_out_log2(source, d);
            uint64_t same =
                there ? (uint64_t)1 << (lw_layout_out_shift(source, d) + bit) : (uint64_t)0;
            /* A bit that the other layout lacks must be 0: an index with it cannot be its own source. */
            if (there || d < from)
                differ.column[differ.cols++] = (source->basis[i] ^ same) & mask;
        }
    return differ.cols - lw_matrix_rank(&differ);
}

void lw_conversion_movement(const struct lw_conversion *conversion, struct lw_movement *movement)
{
    const struct lw_layout *source = &conversion->source;
    uint64_t nearer = 0;
    memset(movement, 0, sizeof *movement);
    movement->indices = (uint64_t)1 << lw_layout_in_bits(source);
    for (int distance = LW_DISTANCE_NONE; distance < LW_DISTANCE_COUNT; distance++) {
        uint64_t within = distance < LW_DISTANCE_BLOCK ? (uint64_t)1 << log2_equal(source, distance)
                                                       : movement->indices;
        movement->distance[distance] = within - nearer;
        nearer = within;
    }
}

/* ---- Index by index ---- */

#define OWNERS_MAX ((uint64_t)1 << 22)

/* The dims of a map in registers; -1: it lacks the dim. */
struct finder {
    int dim[LW_DISTANCE_COUNT - 1]; /* register or local, lane, warp, block */
    int thread;
    uint64_t lanes;
};

static bool find_dims(struct finder *finder, const struct lw_map *map, uint64_t lanes,
                      struct lw_error *err)
{
    static const char *const names[] = {"register", "lane", "warp", "block"};
    int found = 0;
    for (int i = 0; i < LW_DISTANCE_COUNT - 1; i++) {
        finder->dim[i] = lw_dims_find(&map->in, names[i]);
        found += finder->dim[i] >= 0;
    }
    finder->thread = lw_dims_find(&map->in, "thread");
    finder->lanes = lanes ? lanes : 1;
    if (finder->thread >= 0 && lw_dims_find(&map->in, "local") >= 0) {
        finder->dim[0] = lw_dims_find(&map->in, "local");
        found = 2;
    }
    return found == map->in.count ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "a conversion is between two layouts in registers, with the dims register, "
                        "lane, warp and block, or local and thread");
}

/* A hardware index as register, lane, warp, block. */
static void index_of(const struct finder *finder, const uint64_t *in, uint64_t *index)
{
    for (int i = 0; i < LW_DISTANCE_COUNT - 1; i++)
        index[i] = finder->dim[i] >= 0 ? in[finder->dim[i]] : 0;
    if (finder->thread >= 0) {
        index[1] = in[finder->thread] % finder->lanes;
        index[2] = in[finder->thread] / finder->lanes;
    }
}

static int distance_between(const uint64_t *a, const uint64_t *b)
{
    int distance = LW_DISTANCE_BLOCK;
    while (distance > LW_DISTANCE_NONE && a[distance - 1] == b[distance - 1])
        distance--;
    return distance;
}

/* How far the nearest owner of an element is from a hardware index; LW_DISTANCE_COUNT: none. */
static int nearest(const struct finder *finder, const struct lw_map *from, const uint64_t *element,
                   const uint64_t *index)
{
    uint64_t in[LW_DIMS_MAX], there[LW_DISTANCE_COUNT - 1];
    int best = LW_DISTANCE_COUNT;
    for (uint64_t k = 0; best > LW_DISTANCE_NONE && lw_map_owner(from, element, k, in); k++) {
        index_of(finder, in, there);
        int distance = distance_between(index, there);
        best = distance < best ? distance : best;
    }
    return best;
}

static bool count_indices(struct lw_movement *movement, const struct finder finder[2],
                          const struct lw_map *from, const struct lw_map *to, uint64_t total,
                          struct lw_error *err)
{
    uint64_t in[LW_DIMS_MAX], element[LW_DIMS_MAX], index[LW_DISTANCE_COUNT - 1];
    for (uint64_t i = 0; i < total; i++) {
        lw_dims_unflatten(&to->in, i, in);
        if (!lw_map_apply(to, in, element))
            continue;
        index_of(&finder[1], in, index);
        int distance = nearest(&finder[0], from, element, index);
        if (distance == LW_DISTANCE_COUNT)
            return lw_error_set(
                err, LW_ERROR_UNSUPPORTED,
                "layout A does not cover every element: the elements that it does not hold cannot "
                "be converted");
        movement->indices++;
        movement->distance[distance]++;
    }
    return true;
}

bool lw_movement_count(struct lw_movement *movement, const struct lw_map *from,
                       const struct lw_map *to, uint64_t lanes, struct lw_error *err)
{
    struct finder finder[2];
    uint64_t total;
    memset(movement, 0, sizeof *movement);
    if (!find_dims(&finder[0], from, lanes, err) || !find_dims(&finder[1], to, lanes, err) ||
        !lw_conversion_check_tensors(&from->out, &to->out, err) ||
        !lw_dims_total(&to->in, &total, err))
        return false;
    if (total > OWNERS_MAX || lw_map_replication(from) > OWNERS_MAX / total)
        return lw_error_set(err, LW_ERROR_LIMIT,
                            "too many hardware indices for layouts that are not linear, which are "
                            "counted one by one: the limit is 2^22");
    return count_indices(movement, finder, from, to, total, err);
}
