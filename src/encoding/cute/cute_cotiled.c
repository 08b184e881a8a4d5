/* Tiled copies of threads and values that are offsets into a layout of the data. Source: make_cotiled_copy of
 * copy_atom.hpp in CUTLASS 4, its steps in their order. */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

/* Appends 1:0 to a layout, so that coordinates beyond its end have the offset 0. */
static bool with_end(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out)
{
    const struct lw_cute_layout both[2] = {*a, lw_cute_leaf(1, 0, true)};
    return lw_cute_join(work, both, 2, out);
}

/* Fails unless the values of a thread are in the data: its offsets are equal to those of their coordinates. */
static bool check_values(struct lw_cute_work *work, const struct lw_cute_layout *tv,
                         const struct lw_cute_layout *data,
                         const struct lw_cute_layout *coordinates)
{
    struct lw_cute_layout whole, back, values = lw_cute_mode(tv, 1);
    struct lw_cute_layout own = lw_cute_mode(coordinates, 1);
    if (!with_end(work, data, &whole) || !lw_cute_compose(work, &whole, &own, &back) ||
        !lw_cute_coalesce(work, &back, NULL, &back) ||
        !lw_cute_coalesce(work, &values, NULL, &values))
        return false;
    return (lw_cute_tuple_equal(&back.shape, &values.shape) &&
            lw_cute_tuple_equal(&back.stride, &values.stride)) ||
           lw_error_at(
               work->err, LW_ERROR_SHAPE, tv->shape.position,
               "make_cotiled_copy: values of the threads are at offsets that the data does "
               "not have; CuTe does not compile it: \"The memory pointed to by AtomTVLayout "
               "does not exist in the DataLayout.\"");
}

/* Sets *out to the coordinates of one mode of the data that threads and values reach, as a tiler. */
static bool tiler_of_mode(struct lw_cute_work *work, const struct lw_cute_tuple *sizes, int mode,
                          const struct lw_cute_layout *coordinates, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *strides = lw_cute_new_tuples(work, sizes->count), stride;
    struct lw_cute_layout alone, reached;
    if (!strides)
        return false;
    for (int i = 0; i < sizes->count; i++)
        strides[i] = lw_cute_integer(i == mode, true);
    stride = (struct lw_cute_tuple){.count = sizes->count, .items = strides};
    if (!lw_cute_make(work, sizes, &stride, &alone) ||
        !lw_cute_compose(work, &alone, coordinates, &reached) ||
        !lw_cute_filter(work, &reached, NULL, &reached))
        return false;
    *out = lw_cute_tiler_of(work, &reached);
    return out->leaf == LW_CUTE_LAYOUT;
}

static bool tiler_of(struct lw_cute_work *work, const struct lw_cute_tuple *sizes,
                     const struct lw_cute_layout *coordinates, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, sizes->count);
    if (!items)
        return false;
    for (int i = 0; i < sizes->count; i++)
        if (!tiler_of_mode(work, sizes, i, coordinates, &items[i]))
            return false;
    *out = (struct lw_cute_tuple){.count = sizes->count, .items = items};
    return true;
}

/* Elements of a tile that are checked one by one at most. */
#define CHECKED_MAX ((int64_t)1 << 16)

/* Fails unless each thread and value is at its own offset. */
static bool check_all(struct lw_cute_work *work, const struct lw_cute_layout *offsets,
                      const struct lw_cute_layout *data, const struct lw_cute_layout *tile,
                      const struct lw_cute_layout *tv)
{
    int64_t size = lw_cute_size(tv);
    for (int64_t i = 0; i < size && i < CHECKED_MAX; i++) {
        int64_t at = lw_cute_offset(data, lw_cute_offset(tile, lw_cute_offset(tv, i)));
        if (at != lw_cute_offset(offsets, i))
            return lw_error_at(work->err, LW_ERROR_SHAPE, offsets->shape.position,
                               "make_cotiled_copy: thread and value number %lld are at offset "
                               "%lld, and the copy that CuTe makes has them at %lld",
                               (long long)i, (long long)lw_cute_offset(offsets, i), (long long)at);
    }
    return true;
}

bool lw_cute_tiled_copy_of_data(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                const struct lw_cute_layout *tv, const struct lw_cute_layout *data,
                                struct lw_cute_tiled_copy *out)
{
    struct lw_cute_work own = *work;
    struct lw_cute_layout offsets, whole, inverse, coordinates, compact, tile, made;
    struct lw_cute_tuple sizes, tiler;
    own.rules = LW_CUTE_UNCHECKED; /* wrong results are found below */
    own.steps = NULL;
    if (lw_cute_rank(&tv->shape) != 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, tv->shape.position,
                           "a layout of threads and values has 2 modes, this one %d; CuTe does not "
                           "compile any other",
                           lw_cute_rank(&tv->shape));
    return lw_cute_fix_layout(&own, tv, &offsets) && lw_cute_fix_layout(&own, data, &whole) &&
           lw_cute_left_inverse(&own, &whole, &inverse) && with_end(&own, &inverse, &inverse) &&
           lw_cute_compose(&own, &inverse, &offsets, &coordinates) &&
           check_values(&own, &offsets, &whole, &coordinates) &&
           lw_cute_product_each(&own, &whole.shape, &sizes) &&
           tiler_of(&own, &sizes, &coordinates, &tiler) &&
           lw_cute_compact(&own, &sizes, false, &compact) &&
           lw_cute_composition(&own, &compact, &tiler, &tile) &&
           lw_cute_left_inverse(&own, &tile, &inverse) &&
           lw_cute_compose(&own, &inverse, &coordinates, &made) &&
           check_all(&own, &offsets, &whole, &tile, &made) &&
           lw_cute_tiled_copy_make(work, atom, &made, &tiler, out);
}
