/*
 * TiledCopy: a copy atom repeated over a layout of threads and values, and the parts of a tensor.
 * Source: copy_atom.hpp of CUTLASS 4; a comment after a step names the modes as that file does.
 */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

/* ---- Parts ---- */

static struct lw_cute_tuple size_of(const struct lw_cute_layout *layout)
{
    return lw_cute_integer(lw_cute_size(layout), lw_cute_all_fixed(&layout->shape));
}

static struct lw_cute_tuple size_of_mode(const struct lw_cute_layout *layout, int mode)
{
    struct lw_cute_layout own = lw_cute_mode(layout, mode);
    return size_of(&own);
}

/* The size of each mode; of an integer the integer. (product_each) */
static bool sizes_of(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     struct lw_cute_tuple *out)
{
    *out = *shape;
    if (shape->count < 0)
        return true;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, shape->count);
    if (!items)
        return false;
    out->items = items;
    for (int i = 0; i < shape->count; i++)
        items[i] =
            lw_cute_integer(lw_cute_product(&shape->items[i]), lw_cute_all_fixed(&shape->items[i]));
    return true;
}

/* A layout in another shape: composition with the compact layout of it. (with_shape) */
static bool with_shape(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       const struct lw_cute_tuple *shape, struct lw_cute_layout *out)
{
    struct lw_cute_layout compact;
    return lw_cute_compact(work, shape, false, &compact) && lw_cute_compose(work, a, &compact, out);
}

/* The sizes of the tilers, as a shape. */
static bool shape_of(struct lw_cute_work *work, const struct lw_cute_tuple *tiler,
                     struct lw_cute_tuple *out)
{
    *out = *tiler;
    if (tiler->count < 0) {
        *out = lw_cute_tiler_layout(tiler).shape;
        return true;
    }
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, tiler->count);
    if (!items)
        return false;
    out->items = items;
    for (int i = 0; i < tiler->count; i++)
        if (!shape_of(work, &tiler->items[i], &items[i]))
            return false;
    return true;
}

/* ---- Atoms ---- */

static bool in_values(struct lw_cute_work *work, const struct lw_cute_layout *bits_layout, int bits,
                      struct lw_cute_layout *out)
{
    struct lw_cute both = {.layout = *bits_layout}, made;
    if (!lw_cute_recast(work, &both, 1, bits, &made))
        return false;
    *out = made.layout;
    return true;
}

bool lw_cute_copy_atom_of(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom, int bits,
                          struct lw_cute_copy_atom *out)
{
    struct lw_cute_layout threads;
    *out = *atom;
    out->bits = bits;
    for (int i = 0; i < 2; i++)
        if (!in_values(work, &atom->side[i], bits, &out->side[i]))
            return false;
    if (!in_values(work, &atom->reference, bits, &out->reference))
        return false;
    threads = lw_cute_mode(&out->reference, 0);
    return lw_cute_size(&threads) == lw_cute_size(&atom->threads) ||
           lw_error_set(work->err, LW_ERROR_SHAPE,
                        "%.80s does not copy values of %d bits; CuTe does not compile it: "
                        "\"CopyOperation is not valid for Ref of ValType.\"",
                        atom->name, bits);
}

/* ---- Making ---- */

static bool need_multiple(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                          int mode, const char *what)
{
    long long own = (long long)size_of_mode(&copy->tv, mode).value;
    long long atom = (long long)size_of_mode(&copy->atom->reference, mode).value;
    return own % atom == 0 ||
           lw_error_at(
               work->err, LW_ERROR_SHAPE, copy->tv.shape.position,
               "the tiled copy has %lld %s, which is not a multiple of the %lld of %.80s; CuTe "
               "does not compile it: \"TiledCopy uses too few %s for selected CopyAtom\"",
               own, what, atom, copy->atom->name, mode ? "vals" : "thrs");
}

bool lw_cute_tiled_copy_make(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                             const struct lw_cute_layout *tv, const struct lw_cute_tuple *tiler,
                             struct lw_cute_tiled_copy *out)
{
    *out = (struct lw_cute_tiled_copy){atom, *tv, *tiler};
    if (!atom->bits)
        return lw_error_set(work->err, LW_ERROR_PARAMETER,
                            "%.80s copies bits: the type of a value is needed, as in "
                            "Copy_Atom<%.80s, half_t>{}",
                            atom->name, atom->name);
    if (tv->shape.count != 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, tv->shape.position,
                           "a layout of threads and values has 2 modes, this one %d",
                           lw_cute_rank(&tv->shape));
    return need_multiple(work, out, 0, "threads") && need_multiple(work, out, 1, "values");
}

bool lw_cute_tiled_copy_of_threads(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                   const struct lw_cute_layout *threads,
                                   const struct lw_cute_layout *values,
                                   struct lw_cute_tiled_copy *out)
{
    struct lw_cute_layout mn, inverse, tv;
    struct lw_cute_tuple sizes, tiler;
    return lw_cute_blocked_product(work, threads, values, true, &mn) && /* (thr_idx, val_idx) */
           lw_cute_right_inverse(work, &mn, &inverse) &&
           lw_cute_pair(work, size_of(threads), size_of(values), &sizes) &&
           with_shape(work, &inverse, &sizes, &tv) && sizes_of(work, &mn.shape, &tiler) &&
           lw_cute_tiled_copy_make(work, atom, &tv, &tiler, out);
}

bool lw_cute_tiled_copy_of_mma(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                               const struct lw_cute_tiled_mma *mma, enum lw_cute_operand operand,
                               struct lw_cute_tiled_copy *out)
{
    struct lw_cute_layout tv;
    struct lw_cute_tuple tile;
    return lw_cute_mma_tv_inside(work, mma, operand, &tv) &&
           lw_cute_mma_tile(work, mma, operand, &tile) &&
           lw_cute_tiled_copy_make(work, atom, &tv, &tile, out);
}

/* The elements of one mode of a tile that a layout reaches, as a tiler. */
static bool active(struct lw_cute_work *work, const struct lw_cute_tuple *tile, int mode,
                   const struct lw_cute_layout *tv, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple stride;
    struct lw_cute_layout one, composed, kept;
    if (!lw_cute_pair(work, lw_cute_integer(mode == 0, true), lw_cute_integer(mode == 1, true),
                      &stride) ||
        !lw_cute_make(work, tile, &stride, &one) || !lw_cute_compose(work, &one, tv, &composed) ||
        !lw_cute_filter(work, &composed, NULL, &kept))
        return false;
    *out = lw_cute_tiler_of(work, &kept);
    return true;
}

bool lw_cute_tiled_copy_of_result(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                  const struct lw_cute_tiled_mma *mma,
                                  struct lw_cute_tiled_copy *out)
{
    struct lw_cute_layout whole, part, tv, tile_layout, to_mma, inverse, own;
    struct lw_cute_tuple tile, shape, active_tiler[2], tiler;
    struct lw_cute_tuple count = size_of_mode(&atom->side[LW_CUTE_SOURCE], 1);
    if (!lw_cute_mma_tv_inside(work, mma, LW_CUTE_C, &whole) ||
        !lw_cute_mma_tile(work, mma, LW_CUTE_C, &tile))
        return false;
    if (count.value > size_of_mode(&whole, 1).value)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "%.80s copies %lld values, and the result has %lld for each thread; "
                            "CuTe does not compile it",
                            atom->name, (long long)count.value,
                            (long long)size_of_mode(&whole, 1).value);
    return lw_cute_pair(work, size_of_mode(&whole, 0), count, &shape) &&
           lw_cute_compact(work, &shape, false, &part) &&
           lw_cute_compose(work, &whole, &part, &tv) &&
           active(work, &tile, 0, &tv, &active_tiler[0]) &&
           active(work, &tile, 1, &tv, &active_tiler[1]) &&
           lw_cute_pair(work, active_tiler[0], active_tiler[1], &tiler) &&
           lw_cute_compact(work, &tile, false, &tile_layout) &&
           lw_cute_composition(work, &tile_layout, &tiler, &to_mma) && /* tile_coord -> mma_coord */
           lw_cute_left_inverse(work, &to_mma, &inverse) &&
           lw_cute_compose(work, &inverse, &tv, &own) &&
           lw_cute_tiled_copy_make(work, atom, &own, &tiler, out);
}

/* ---- The tile ---- */

bool lw_cute_copy_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       struct lw_cute_tuple *out)
{
    struct lw_cute_tuple shape;
    return shape_of(work, &copy->tiler, &shape) && sizes_of(work, &shape, out);
}

/* ((a,b),(c,d)) as ((a,c),(b,d)), of layouts. (zip) */
static bool zip(struct lw_cute_work *work, const struct lw_cute_layout *a,
                struct lw_cute_layout *out)
{
    struct lw_cute_layout pair[2], modes[2], half[2];
    for (int i = 0; i < 2; i++)
        pair[i] = lw_cute_mode(a, i);
    for (int i = 0; i < 2; i++) {
        half[0] = lw_cute_mode(&pair[0], i);
        half[1] = lw_cute_mode(&pair[1], i);
        if (!lw_cute_join(work, half, 2, &modes[i]))
            return false;
    }
    return lw_cute_join(work, modes, 2, out);
}

/* (1,(1,1)): the modes that are merged each by itself. */
static bool profile(struct lw_cute_work *work, struct lw_cute_tuple *out)
{
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_tuple inner;
    return lw_cute_pair(work, one, one, &inner) && lw_cute_pair(work, one, inner, out);
}

/* Threads and values of one side, mapped to those of the reference, and those to the tile:
 * ((trg_tid,rest_tid),(trg_val,rest_val)) -> (m,n) */
static bool side_to_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                         enum lw_cute_side side, struct lw_cute_layout *out)
{
    const struct lw_cute_copy_atom *atom = copy->atom;
    struct lw_cute_layout inverse, to_reference, divided, target, zipped;
    struct lw_cute_tuple tiler, merged;
    return lw_cute_check_number(work, "side", (int)side, LW_CUTE_DESTINATION + 1) &&
           lw_cute_right_inverse(work, &atom->reference, &inverse) &&
           lw_cute_compose(work, &inverse, &atom->side[side], &to_reference) &&
           lw_cute_pair(work, size_of_mode(&atom->reference, 0), size_of_mode(&atom->reference, 1),
                        &tiler) &&
           lw_cute_divide(work, &copy->tv, &tiler, LW_CUTE_ZIPPED, &divided) &&
           /* ((atom_tid,atom_val),(rest_tid,rest_val)) */
           lw_cute_in_first_mode(work, &divided, lw_cute_tiler_of(work, &to_reference), &target) &&
           zip(work, &target, &zipped) && profile(work, &merged) &&
           lw_cute_coalesce(work, &zipped, &merged, out);
}

/* ((TileM,TileN,...),(RestM,RestN,...)) as (Thr,(FrgV,FrgX),(RestM,RestN,...)). (tile2thrfrg) */
static bool split_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       enum lw_cute_side side, const struct lw_cute_layout *tiled,
                       struct lw_cute_layout *out)
{
    struct lw_cute_layout to_tile, values;
    struct lw_cute_tuple both, all;
    int64_t start;
    return side_to_tile(work, copy, side, &to_tile) &&
           lw_cute_in_first_mode(work, tiled, lw_cute_tiler_of(work, &to_tile), &values) &&
           lw_cute_pair(work, lw_cute_blank(), lw_cute_blank(), &both) &&
           lw_cute_pair(work, both, lw_cute_blank(), &all) &&
           lw_cute_slice(work, &values, &all, out, &start);
}

bool lw_cute_copy_tv(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                     enum lw_cute_side side, struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape, whole;
    struct lw_cute_layout tile, split, modes[2];
    if (!shape_of(work, &copy->tiler, &shape) ||
        !lw_cute_pair(work, shape, lw_cute_integer(1, true), &whole) ||
        !lw_cute_compact(work, &whole, false, &tile) ||
        !split_tile(work, copy, side, &tile, &split))
        return false;
    modes[0] = lw_cute_mode(&split, 0);
    modes[1] = lw_cute_mode(&split, 1);
    return lw_cute_join(work, modes, 2, out);
}

bool lw_cute_copy_split(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                        enum lw_cute_side side, const struct lw_cute_layout *layout,
                        struct lw_cute_layout *out)
{
    struct lw_cute_layout tiled;
    int tile = lw_cute_rank(&copy->tiler), rank = lw_cute_rank(&layout->shape);
    if (rank < tile)
        return lw_error_at(work->err, LW_ERROR_SHAPE, layout->shape.position,
                           "a layout of %d modes cannot be split: the tile of the copy has %d; "
                           "CuTe does not compile it: \"Rank of tensor to be partitioned too "
                           "small.\"",
                           rank, tile);
    return lw_cute_divide(work, layout, &copy->tiler, LW_CUTE_ZIPPED, &tiled) &&
           split_tile(work, copy, side, &tiled, out);
}

/* ---- The part of a thread ---- */

/* (first, _, _, ...) or (_, (0, _, _, ...)), of `count` items in the last tuple. */
static bool coordinate_of(struct lw_cute_work *work, struct lw_cute_tuple first, int count,
                          struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, count);
    if (!items)
        return false;
    for (int i = 0; i < count; i++)
        items[i] = i ? lw_cute_blank() : first;
    *out = (struct lw_cute_tuple){.count = count, .items = items};
    return true;
}

bool lw_cute_copy_partition(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                            enum lw_cute_side side, int64_t thread,
                            const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                            int64_t *start)
{
    struct lw_cute_layout split;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, 3), rest = lw_cute_blank();
    int rank = lw_cute_rank(&layout->shape);
    int64_t count = size_of_mode(&copy->tv, 0).value;
    if (!items || !lw_cute_copy_split(work, copy, side, layout, &split))
        return false;
    if ((thread < 0 || thread >= count) && work->rules != LW_CUTE_UNCHECKED)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "thread %lld: must be from 0 to %lld",
                            (long long)thread, (long long)count - 1);
    if (rank > 1 && !coordinate_of(work, lw_cute_blank(), rank, &rest))
        return false;
    items[0] = lw_cute_integer(thread, false);
    items[1] = lw_cute_blank();
    items[2] = rest;
    const struct lw_cute_tuple coordinate = {.count = 3, .items = items};
    return lw_cute_slice(work, &split, &coordinate, out, start);
}

/* ---- Fragments ---- */

/* Where each value of a thread is in (m,n): the order of V values at a time. */
static bool order_of_values(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                            int64_t at_once, struct lw_cute_layout *out)
{
    struct lw_cute_layout inverse, shaped;
    struct lw_cute_tuple shape;
    int64_t together;
    if (__builtin_mul_overflow(size_of_mode(&copy->tv, 0).value, at_once, &together))
        return lw_cute_too_large(work, "the fragment");
    return lw_cute_right_inverse(work, &copy->tv, &inverse) &&
           shape_of(work, &copy->tiler, &shape) && with_shape(work, &inverse, &shape, &shaped) &&
           lw_cute_upcast(work, &shaped, together, out);
}

/* (V, m, n): V values, and the shape of the order of values. */
static bool tile_of_fragment(struct lw_cute_work *work, struct lw_cute_tuple values,
                             const struct lw_cute_layout *order, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple sizes;
    if (!sizes_of(work, &order->shape, &sizes))
        return false;
    int rank = lw_cute_rank(&sizes);
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, rank + 1);
    if (!items)
        return false;
    items[0] = values;
    for (int i = 0; i < rank; i++)
        items[i + 1] = *lw_cute_item(&sizes, i);
    *out = (struct lw_cute_tuple){.count = rank + 1, .items = items};
    return true;
}

bool lw_cute_copy_retile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                         const struct lw_cute_layout *fragment, struct lw_cute_layout *out)
{
    struct lw_cute_layout order, inverse, values, product, atoms, tiled, retiled;
    struct lw_cute_tuple own = size_of_mode(fragment, 0), tiler, rest, all;
    struct lw_cute_tuple count = size_of_mode(&copy->atom->reference, 1);
    int64_t start;
    if (!order_of_values(work, copy, own.value, &order) ||
        !lw_cute_right_inverse(work, &order, &inverse) ||
        !lw_cute_compact(work, &own, false, &values))
        return false;
    const struct lw_cute_tuple by = lw_cute_tiler_of(work, &inverse);
    return lw_cute_multiply(work, &values, &by, LW_CUTE_LOGICAL, &product) && /* (v,m,n) */
           lw_cute_divide(work, &product, &count, LW_CUTE_ZIPPED, &atoms) &&
           tile_of_fragment(work, own, &order, &tiler) &&
           lw_cute_divide(work, fragment, &tiler, LW_CUTE_ZIPPED, &tiled) &&
           lw_cute_in_first_mode(work, &tiled, lw_cute_tiler_of(work, &atoms), &retiled) &&
           coordinate_of(work, lw_cute_integer(0, true), lw_cute_rank(&fragment->shape), &rest) &&
           lw_cute_pair(work, lw_cute_blank(), rest, &all) &&
           lw_cute_slice(work, &retiled, &all, out, &start);
}
