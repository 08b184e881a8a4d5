/*
 * TiledMMA and TiledCopy: an atom repeated over a layout of atoms, or of threads and values, and the parts of its
 * operands. Source: mma_atom.hpp and copy_atom.hpp of CUTLASS 4, their steps in their order; a comment after a step
 * names the modes as those files do.
 */

#include "encoding/cute/cute_parts.h"

/* ---- Tilers ---- */

static struct lw_cute_tuple size_of_mode(const struct lw_cute_layout *layout, int mode)
{
    return lw_cute_size_of(lw_cute_item(&layout->shape, mode));
}

/* The composition of the first of two modes alone. */
static bool in_first_mode(struct lw_cute_work *work, const struct lw_cute_layout *a,
                          struct lw_cute_tuple b, struct lw_cute_layout *out)
{
    const struct lw_cute_tuple both[2] = {b, lw_cute_blank()};
    const struct lw_cute_tuple tiler = lw_cute_tuple_of(both, 2);
    return lw_cute_composition(work, a, &tiler, out);
}

static bool layout_in_first_mode(struct lw_cute_work *work, const struct lw_cute_layout *a,
                                 const struct lw_cute_layout *b, struct lw_cute_layout *out)
{
    const struct lw_cute cute = {.layout = *b};
    return in_first_mode(work, a, lw_cute_tiler_of(&cute), out);
}

/* Divides by a tiler for each of two modes. */
static bool divide_two(struct lw_cute_work *work, const struct lw_cute_layout *a,
                       struct lw_cute_tuple first, struct lw_cute_tuple second,
                       enum lw_cute_form form, struct lw_cute_layout *out)
{
    const struct lw_cute_tuple both[2] = {first, second};
    const struct lw_cute_tuple tiler = lw_cute_tuple_of(both, 2);
    return lw_cute_divide(work, a, &tiler, form, out);
}

/* `count` blanks. */
static bool blanks(struct lw_cute_work *work, int count, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_items(work, count, out);
    for (int i = 0; items && i < count; i++)
        items[i] = lw_cute_blank();
    return items;
}

static bool check_number(struct lw_cute_work *work, const char *what, int number, int count)
{
    return (number >= 0 && number < count) ||
           lw_error_set(work->err, LW_ERROR_PARAMETER, "%s %d: from 0 to %d", what, number,
                        count - 1);
}

/* ---- MMA: making ---- */

/* The modes of an operand in (M,N,K). */
static const int modes_of[3][2] = {
    [LW_CUTE_A] = {0, 2}, [LW_CUTE_B] = {1, 2}, [LW_CUTE_C] = {0, 1}};

static bool make_atoms(struct lw_cute_work *work, const struct lw_cute_layout *atoms,
                       struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&atoms->shape);
    struct lw_cute_layout modes[3];
    if (rank > 3)
        return lw_error_at(work->err, LW_ERROR_SHAPE, atoms->shape.position,
                           "the layout of atoms has %d modes: M, N and K are three; CuTe does not "
                           "compile it",
                           rank);
    for (int i = 0; i < 3; i++)
        modes[i] = i < rank ? lw_cute_mode(atoms, i) : lw_cute_leaf(1, 0, true);
    return lw_cute_join(work, modes, 3, out);
}

static bool make_permutation(struct lw_cute_work *work, const struct lw_cute_tuple *permutation,
                             struct lw_cute_tuple *out)
{
    int count = permutation ? lw_cute_rank(permutation) : 0;
    struct lw_cute_tuple *items = lw_cute_new_items(work, 3, out);
    if (count > 3)
        return lw_error_at(work->err, LW_ERROR_SHAPE, permutation->position,
                           "the permutation has %d modes: M, N and K are three; CuTe does not "
                           "compile it",
                           count);
    for (int i = 0; items && i < 3; i++)
        items[i] = i < count ? *lw_cute_item(permutation, i) : lw_cute_blank();
    return items;
}

/* Fails unless a whole number of the atoms is the tile of that mode. */
static bool check_mode(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode)
{
    struct lw_cute_tuple size;
    if (!lw_cute_mma_tile_size(work, mma, mode, &size))
        return false;
    int64_t atom = mma->atom->mnk.items[mode].value, all;
    int64_t count = size_of_mode(&mma->threads, mode + 1).value;
    if (__builtin_mul_overflow(atom, count, &all))
        return lw_cute_too_large(work, "the tile");
    return size.value % all == 0 || work->rules == LW_CUTE_UNCHECKED ||
           lw_error_at(work->err, LW_ERROR_SHAPE, mma->permutation.items[mode].position,
                       "the permutation has %lld elements along %c, and the %lld atoms of %lld do "
                       "not divide them; CuTe rounds up, so that threads have elements of other "
                       "tiles (--as-cute)",
                       (long long)size.value, "MNK"[mode], (long long)count, (long long)atom);
}

bool lw_cute_tiled_mma_make(struct lw_cute_work *work, const struct lw_cute_mma_atom *atom,
                            const struct lw_cute_layout *atoms,
                            const struct lw_cute_tuple *permutation, struct lw_cute_tiled_mma *out)
{
    struct lw_cute cute = {0};
    const struct lw_cute_tuple tiler = lw_cute_tiler_of(&cute);
    out->atom = atom;
    if (!make_atoms(work, atoms, &out->atoms) ||
        !make_permutation(work, permutation, &out->permutation))
        return false;
    cute.layout = out->atoms;
    return lw_cute_multiply(work, &atom->threads, &tiler, LW_CUTE_TILED, &out->threads) &&
           check_mode(work, out, 0) && check_mode(work, out, 1) && check_mode(work, out, 2);
}

/* ---- MMA: the tile ---- */

/* The tiler of M, N or K. (permutation_mnk) */
static bool permutation_of(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                           struct lw_cute_tuple *out)
{
    struct lw_cute_tuple count;
    if (!check_number(work, "mode", mode, 3))
        return false;
    *out = mma->permutation.items[mode];
    if (!lw_cute_is_blank(out))
        return true;
    count = size_of_mode(&mma->threads, mode + 1);
    return lw_cute_times(work, &mma->atom->mnk.items[mode], &count, out);
}

bool lw_cute_mma_tile_size(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                           struct lw_cute_tuple *out)
{
    struct lw_cute_tuple tiler;
    if (!permutation_of(work, mma, mode, &tiler))
        return false;
    if (tiler.count >= 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, tiler.position,
                           "the permutation of %c is a number, a layout or _, not a tuple",
                           "MNK"[mode]);
    struct lw_cute_layout layout = lw_cute_tiler_layout(&tiler);
    *out = lw_cute_size_of(&layout.shape);
    return true;
}

bool lw_cute_mma_tile(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                      enum lw_cute_operand operand, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *size = lw_cute_new_items(work, 2, out);
    return size && check_number(work, "operand", (int)operand, LW_CUTE_C + 1) &&
           lw_cute_mma_tile_size(work, mma, modes_of[operand][0], &size[0]) &&
           lw_cute_mma_tile_size(work, mma, modes_of[operand][1], &size[1]);
}

bool lw_cute_mma_split(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                       enum lw_cute_operand operand, const struct lw_cute_layout *layout,
                       struct lw_cute_layout *out)
{
    if (!check_number(work, "operand", (int)operand, LW_CUTE_C + 1))
        return false;
    const int *modes = modes_of[operand];
    const struct lw_cute_tuple *mnk = mma->atom->mnk.items;
    struct lw_cute_tuple permutation[2], count[2];
    struct lw_cute_layout permuted, atoms, values;
    if (lw_cute_rank(&layout->shape) < 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, layout->shape.position,
                           "an operand has two modes or more, such as (128,64):(64,1); CuTe does "
                           "not compile any other");
    for (int i = 0; i < 2; i++) {
        if (!permutation_of(work, mma, modes[i], &permutation[i]))
            return false;
        count[i] = size_of_mode(&mma->threads, modes[i] + 1);
    }
    return divide_two(work, layout, permutation[0], permutation[1], LW_CUTE_LOGICAL,
                      &permuted) && /* (PermM,PermK) */
           divide_two(work, &permuted, mnk[modes[0]], mnk[modes[1]], LW_CUTE_ZIPPED,
                      &atoms) && /* ((AtomM,AtomK),(RestM,RestK)) */
           layout_in_first_mode(work, &atoms, &mma->atom->operand[operand],
                                &values) && /* ((ThrV,FrgV),(RestM,RestK)) */
           divide_two(work, &values, lw_cute_blank(), lw_cute_tuple_of(count, 2), LW_CUTE_ZIPPED,
                      out);
}

/* ---- MMA: threads and values ---- */

/* (ThrV,(ThrM,ThrK)), or other two of three, as (ThrV,(ThrM,ThrN,ThrK)): threads along the third mode have the
 * same elements. CuTe, as of CUTLASS 4.7 and the DSL 4.8.1, does not do so for C: threads along K continue past N. */
static bool project(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *layout)
{
    bool c = operand == LW_CUTE_C, second = operand == LW_CUTE_B;
    int mode =
        c ? 2 : 1; /* it and the next one become one, of which only the first or the second moves */
    if (c && (size_of_mode(&mma->threads, 3).value == 1 || work->rules == LW_CUTE_UNCHECKED))
        return true;
    const struct lw_cute_tuple shape[2] = {size_of_mode(&mma->threads, mode),
                                           size_of_mode(&mma->threads, mode + 1)};
    const struct lw_cute_tuple stride[2] = {lw_cute_integer(!second, true),
                                            lw_cute_integer(second, true)};
    const struct lw_cute one = {
        .layout = {lw_cute_tuple_of(shape, 2), lw_cute_tuple_of(stride, 2)}};
    const struct lw_cute_tuple leaf = lw_cute_tiler_of(&one), blank = lw_cute_blank();
    const struct lw_cute_tuple modes[2] = {c ? blank : leaf, c ? leaf : blank};
    const struct lw_cute_tuple both[2] = {blank, lw_cute_tuple_of(modes, 2)};
    return in_first_mode(work, layout, lw_cute_tuple_of(both, 2), layout);
}

/* From threads to (ThrV,ThrM,ThrN,ThrK). */
static bool inverse_threads(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                            struct lw_cute_layout *out)
{
    struct lw_cute_layout rest, joined, inverse;
    const struct lw_cute_tuple shape[2] = {lw_cute_size_of(&mma->threads.shape),
                                           lw_cute_integer(1, true)};
    const struct lw_cute_tuple stride[2] = {lw_cute_integer(1, true), lw_cute_integer(0, true)};
    const struct lw_cute_layout all = {lw_cute_tuple_of(shape, 2), lw_cute_tuple_of(stride, 2)};
    return lw_cute_complement(work, &mma->threads, NULL, &rest) &&
           lw_cute_pair(work, mma->threads, rest, &joined) &&
           lw_cute_right_inverse(work, &joined, &inverse) &&
           lw_cute_compose(work, &all, &inverse, out);
}

bool lw_cute_mma_tv(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *out)
{
    struct lw_cute_layout tile, threads;
    struct lw_cute_tuple shape;
    return lw_cute_mma_tile(work, mma, operand, &shape) &&
           lw_cute_compact(work, &shape, false, &tile) &&
           lw_cute_mma_split(work, mma, operand, &tile, out) && project(work, mma, operand, out) &&
           inverse_threads(work, mma, &threads) && layout_in_first_mode(work, out, &threads, out);
}

bool lw_cute_mma_tv_inside(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape;
    struct lw_cute_layout given;
    struct lw_cute_work unchecked = *work;
    unchecked.rules = LW_CUTE_UNCHECKED;
    unchecked.steps = NULL;
    if (operand == LW_CUTE_C && work->rules != LW_CUTE_UNCHECKED) {
        if (!lw_cute_mma_tile(work, mma, operand, &shape) ||
            !lw_cute_mma_tv(&unchecked, mma, operand, &given))
            return false;
        if (lw_cute_cosize(&given) > lw_cute_product(&shape))
            return lw_error_set(work->err, LW_ERROR_SHAPE,
                                "the threads along K continue past the tile of C, though they have "
                                "the same elements of it");
    }
    return lw_cute_mma_tv(work, mma, operand, out);
}

/* ---- MMA: the part of a thread ---- */

bool lw_cute_mma_thread(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                        int64_t thread, struct lw_cute_tuple vmnk[4])
{
    int64_t count = lw_cute_cosize(&mma->threads), number[4];
    if ((thread < 0 || thread >= count) && work->rules != LW_CUTE_UNCHECKED)
        return lw_error_set(
            work->err, LW_ERROR_PARAMETER,
            "thread %lld: must be from 0 to %lld; CuTe takes such a thread modulo the "
            "sizes of its coordinates (--as-cute)",
            (long long)thread, (long long)count - 1);
    if (!lw_cute_flat_coordinate(work, &mma->threads, thread, number))
        return false;
    for (int i = 0; i < 4; i++) {
        const struct lw_cute_tuple size = size_of_mode(&mma->threads, i);
        vmnk[i] = lw_cute_integer(number[i], size.fixed && size.value == 1);
    }
    return true;
}

bool lw_cute_mma_partition(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, int64_t thread,
                           const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                           struct lw_cute_tuple *start)
{
    struct lw_cute_layout split, values;
    struct lw_cute_tuple vmnk[4], rest;
    if (!lw_cute_mma_thread(work, mma, thread, vmnk) ||
        !lw_cute_mma_split(work, mma, operand, layout, &split))
        return false;
    values = lw_cute_mode(&split, 1);
    if (!blanks(work, lw_cute_rank(lw_cute_item(&values.shape, 1)), &rest))
        return false;
    const int *modes = modes_of[operand];
    const struct lw_cute_tuple own[2] = {vmnk[modes[0] + 1], vmnk[modes[1] + 1]};
    const struct lw_cute_tuple of_thread[2] = {vmnk[0], lw_cute_tuple_of(own, 2)};
    const struct lw_cute_tuple all[2] = {lw_cute_blank(), rest};
    const struct lw_cute_tuple both[2] = {lw_cute_tuple_of(of_thread, 2), lw_cute_tuple_of(all, 2)};
    const struct lw_cute_tuple coordinate = lw_cute_tuple_of(both, 2);
    return lw_cute_slice(work, &split, &coordinate, out, start);
}

bool lw_cute_mma_fragment(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                          enum lw_cute_operand operand, const struct lw_cute_layout *part,
                          struct lw_cute_layout *out)
{
    struct lw_cute_layout fixed;
    if (!check_number(work, "operand", (int)operand, LW_CUTE_C + 1))
        return false;
    int64_t values = size_of_mode(&mma->atom->operand[operand], 1).value;
    if (mma->atom->role[operand] == LW_CUTE_ROLE_MEMORY)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "%.80s reads %c from memory: CuTe makes descriptors or addresses of "
                            "it, not registers; these are not supported",
                            mma->atom->name, "ABC"[operand]);
    if (lw_cute_rank(&part->shape) < 3 || size_of_mode(part, 0).value != values)
        return lw_error_at(
            work->err, LW_ERROR_SHAPE, part->shape.position,
            "a fragment of %c is made of a result of partition_%c: at least three modes, the first "
            "with %lld values; CuTe rejects anything else",
            "ABC"[operand], "ABC"[operand], (long long)values);
    if (operand != LW_CUTE_C)
        return lw_cute_fragment_like(work, part, out);
    return lw_cute_set_fixed(work, part, true, &fixed) &&
           lw_cute_compact(work, &fixed.shape, false, out);
}

/* ---- Copy: making ---- */

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
    *out = *atom;
    out->bits = bits;
    return in_values(work, &atom->side[0], bits, &out->side[0]) &&
           in_values(work, &atom->side[1], bits, &out->side[1]) &&
           in_values(work, &atom->reference, bits, &out->reference) &&
           (size_of_mode(&out->reference, 0).value == lw_cute_size(&atom->threads) ||
            lw_error_set(work->err, LW_ERROR_SHAPE,
                         "%.80s does not copy values of %d bits; CuTe does not compile it",
                         atom->name, bits));
}

static bool need_multiple(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                          int mode, const char *what)
{
    long long own = (long long)size_of_mode(&copy->tv, mode).value;
    long long atom = (long long)size_of_mode(&copy->atom->reference, mode).value;
    return own % atom == 0 ||
           lw_error_at(
               work->err, LW_ERROR_SHAPE, copy->tv.shape.position,
               "the tiled copy has %lld %s, which is not a multiple of the %lld of %.80s; CuTe "
               "does not compile it",
               own, what, atom, copy->atom->name);
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

/* The size of each mode; of an integer the integer. (product_each) */
static bool sizes_of(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     struct lw_cute_tuple *out)
{
    *out = *shape;
    return shape->count < 0 || lw_cute_product_each(work, shape, out);
}

bool lw_cute_tiled_copy_of_threads(struct lw_cute_work *work, const struct lw_cute_copy_atom *atom,
                                   const struct lw_cute_layout *threads,
                                   const struct lw_cute_layout *values,
                                   struct lw_cute_tiled_copy *out)
{
    struct lw_cute_layout mn, inverse, tv;
    struct lw_cute_tuple tiler, sizes, *size = lw_cute_new_items(work, 2, &sizes);
    if (!size)
        return false;
    size[0] = lw_cute_size_of(&threads->shape);
    size[1] = lw_cute_size_of(&values->shape);
    return lw_cute_blocked_product(work, threads, values, true, &mn) && /* (thr_idx, val_idx) */
           lw_cute_right_inverse(work, &mn, &inverse) &&
           lw_cute_with_shape(work, &inverse, &sizes, &tv) && sizes_of(work, &mn.shape, &tiler) &&
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

/* Tilers of the elements of each mode of a shape that a layout reaches. */
static bool reached_tiler(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                          const struct lw_cute_layout *coordinates, struct lw_cute_tuple *out)
{
    int rank = lw_cute_rank(shape);
    struct lw_cute_tuple *items = lw_cute_new_items(work, rank, out), stride;
    struct lw_cute *reached = lw_arena_alloc(work->arena, (size_t)rank * sizeof *reached);
    struct lw_cute_tuple *steps = lw_cute_new_items(work, rank, &stride);
    if (!items || !reached || !steps)
        return lw_cute_memory(work);
    for (int mode = 0; mode < rank; mode++) {
        struct lw_cute_layout alone;
        for (int i = 0; i < rank; i++)
            steps[i] = lw_cute_integer(i == mode, true);
        reached[mode] = (struct lw_cute){0};
        items[mode] = lw_cute_tiler_of(&reached[mode]);
        if (!lw_cute_make(work, shape, &stride, &alone) ||
            !lw_cute_compose(work, &alone, coordinates, &reached[mode].layout) ||
            !lw_cute_filter(work, &reached[mode].layout, NULL, &reached[mode].layout))
            return false;
    }
    return true;
}

/* ---- Copy: of offsets into a layout of the data (make_cotiled_copy) ---- */

/* Fails unless the values of a thread are in the data: its offsets are equal to those of their coordinates. */
static bool check_values(struct lw_cute_work *work, const struct lw_cute_layout *tv,
                         const struct lw_cute_layout *data,
                         const struct lw_cute_layout *coordinates)
{
    struct lw_cute_layout whole, back, values = lw_cute_mode(tv, 1);
    struct lw_cute_layout own = lw_cute_mode(coordinates, 1);
    if (!lw_cute_pair(work, *data, lw_cute_leaf(1, 0, true), &whole) ||
        !lw_cute_compose(work, &whole, &own, &back) ||
        !lw_cute_coalesce(work, &back, NULL, &back) ||
        !lw_cute_coalesce(work, &values, NULL, &values))
        return false;
    return (lw_cute_tuple_equal(&back.shape, &values.shape) &&
            lw_cute_tuple_equal(&back.stride, &values.stride)) ||
           lw_error_at(work->err, LW_ERROR_SHAPE, tv->shape.position,
                       "make_cotiled_copy: values of the threads are at offsets that the data does "
                       "not have; CuTe does not compile it");
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
    return lw_cute_set_fixed(&own, tv, true, &offsets) &&
           lw_cute_set_fixed(&own, data, true, &whole) &&
           lw_cute_left_inverse(&own, &whole, &inverse) &&
           /* coordinates beyond its end have the offset 0 */
           lw_cute_pair(&own, inverse, lw_cute_leaf(1, 0, true), &inverse) &&
           lw_cute_compose(&own, &inverse, &offsets, &coordinates) &&
           check_values(&own, &offsets, &whole, &coordinates) &&
           lw_cute_product_each(&own, &whole.shape, &sizes) &&
           reached_tiler(&own, &sizes, &coordinates, &tiler) &&
           lw_cute_compact(&own, &sizes, false, &compact) &&
           lw_cute_composition(&own, &compact, &tiler, &tile) &&
           lw_cute_left_inverse(&own, &tile, &inverse) &&
           lw_cute_compose(&own, &inverse, &coordinates, &made) &&
           check_all(&own, &offsets, &whole, &tile, &made) &&
           lw_cute_tiled_copy_make(work, atom, &made, &tiler, out);
}

/* ---- Copy: the tile ---- */

static bool tiler_shape(struct lw_cute_work *work, const struct lw_cute_tuple *leaf,
                        const void *none, struct lw_cute_tuple *out)
{
    (void)work, (void)none;
    *out = lw_cute_tiler_layout(leaf).shape;
    return true;
}

/* The sizes of the tilers, as a shape. */
static bool shape_of(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                     struct lw_cute_tuple *out)
{
    return lw_cute_each_leaf(work, &copy->tiler, tiler_shape, NULL, out);
}

bool lw_cute_copy_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       struct lw_cute_tuple *out)
{
    struct lw_cute_tuple shape;
    return shape_of(work, copy, &shape) && sizes_of(work, &shape, out);
}

/* ((a,b),(c,d)) as ((a,c),(b,d)). (zip) */
static bool zip(struct lw_cute_work *work, const struct lw_cute_layout *a,
                struct lw_cute_layout *out)
{
    const struct lw_cute_layout x = lw_cute_mode(a, 0), y = lw_cute_mode(a, 1);
    struct lw_cute_layout modes[2];
    return lw_cute_pair(work, lw_cute_mode(&x, 0), lw_cute_mode(&y, 0), &modes[0]) &&
           lw_cute_pair(work, lw_cute_mode(&x, 1), lw_cute_mode(&y, 1), &modes[1]) &&
           lw_cute_join(work, modes, 2, out);
}

/* ((TileM,TileN,...),(RestM,RestN,...)) as (Thr,(FrgV,FrgX),(RestM,RestN,...)): threads and values of one side are
 * mapped to those of the reference, and those to the tile. (tile2thrfrg) */
static bool split_tile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       enum lw_cute_side side, const struct lw_cute_layout *tiled,
                       struct lw_cute_layout *out)
{
    const struct lw_cute_copy_atom *atom = copy->atom;
    const struct lw_cute_tuple one = lw_cute_integer(1, true), blank = lw_cute_blank();
    const struct lw_cute_tuple ones[2] = {one, one}, each[2] = {one, lw_cute_tuple_of(ones, 2)};
    const struct lw_cute_tuple both[2] = {blank, blank},
                               all[2] = {lw_cute_tuple_of(both, 2), blank};
    const struct lw_cute_tuple merged = lw_cute_tuple_of(each, 2);
    const struct lw_cute_tuple coordinate = lw_cute_tuple_of(all, 2);
    struct lw_cute_layout inverse, to_reference, divided, target, zipped, to_tile, values;
    struct lw_cute_tuple start;
    return check_number(work, "side", (int)side, LW_CUTE_DESTINATION + 1) &&
           lw_cute_right_inverse(work, &atom->reference, &inverse) &&
           lw_cute_compose(work, &inverse, &atom->side[side], &to_reference) &&
           divide_two(work, &copy->tv, size_of_mode(&atom->reference, 0),
                      size_of_mode(&atom->reference, 1), LW_CUTE_ZIPPED,
                      &divided) && /* ((atom_tid,atom_val),(rest_tid,rest_val)) */
           layout_in_first_mode(work, &divided, &to_reference, &target) &&
           zip(work, &target, &zipped) &&
           /* ((trg_tid,rest_tid),(trg_val,rest_val)) -> (m,n) */
           lw_cute_coalesce(work, &zipped, &merged, &to_tile) &&
           layout_in_first_mode(work, tiled, &to_tile, &values) &&
           lw_cute_slice(work, &values, &coordinate, out, &start);
}

bool lw_cute_copy_tv(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                     enum lw_cute_side side, struct lw_cute_layout *out)
{
    struct lw_cute_tuple whole, *items = lw_cute_new_items(work, 2, &whole);
    struct lw_cute_layout tile, split;
    if (!items || !shape_of(work, copy, &items[0]))
        return false;
    items[1] = lw_cute_integer(1, true);
    return lw_cute_compact(work, &whole, false, &tile) &&
           split_tile(work, copy, side, &tile, &split) &&
           lw_cute_pair(work, lw_cute_mode(&split, 0), lw_cute_mode(&split, 1), out);
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
                           "CuTe does not compile it",
                           rank, tile);
    return lw_cute_divide(work, layout, &copy->tiler, LW_CUTE_ZIPPED, &tiled) &&
           split_tile(work, copy, side, &tiled, out);
}

/* ---- Copy: the part of a thread ---- */

bool lw_cute_copy_partition(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                            enum lw_cute_side side, int64_t thread,
                            const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                            struct lw_cute_tuple *start)
{
    struct lw_cute_layout split;
    int rank = lw_cute_rank(&layout->shape);
    int64_t count = size_of_mode(&copy->tv, 0).value;
    struct lw_cute_tuple parts[3] = {lw_cute_integer(thread, false), lw_cute_blank(),
                                     lw_cute_blank()};
    const struct lw_cute_tuple coordinate = lw_cute_tuple_of(parts, 3);
    if (!lw_cute_copy_split(work, copy, side, layout, &split))
        return false;
    if ((thread < 0 || thread >= count) && work->rules != LW_CUTE_UNCHECKED)
        return lw_error_set(work->err, LW_ERROR_PARAMETER, "thread %lld: must be from 0 to %lld",
                            (long long)thread, (long long)count - 1);
    return (rank == 1 || blanks(work, rank, &parts[2])) &&
           lw_cute_slice(work, &split, &coordinate, out, start);
}

/* Where each value of a thread is in (m,n): the order of `at_once` values at a time. */
static bool order_of_values(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                            int64_t at_once, struct lw_cute_layout *out)
{
    struct lw_cute_layout inverse, shaped;
    struct lw_cute_tuple shape;
    int64_t together;
    if (__builtin_mul_overflow(size_of_mode(&copy->tv, 0).value, at_once, &together))
        return lw_cute_too_large(work, "the fragment");
    return lw_cute_right_inverse(work, &copy->tv, &inverse) && shape_of(work, copy, &shape) &&
           lw_cute_with_shape(work, &inverse, &shape, &shaped) &&
           lw_cute_upcast(work, &shaped, together, out);
}

bool lw_cute_copy_retile(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                         const struct lw_cute_layout *fragment, struct lw_cute_layout *out)
{
    struct lw_cute_layout order, values, product, atoms, tiled, retiled;
    struct lw_cute inverse = {0};
    const struct lw_cute_tuple by = lw_cute_tiler_of(&inverse), zero = lw_cute_integer(0, true);
    const struct lw_cute_tuple own = size_of_mode(fragment, 0);
    const struct lw_cute_tuple count = size_of_mode(&copy->atom->reference, 1);
    struct lw_cute_tuple tiler, rest, start;
    if (!order_of_values(work, copy, own.value, &order) ||
        !lw_cute_right_inverse(work, &order, &inverse.layout) ||
        !lw_cute_compact(work, &own, false, &values) ||
        !blanks(work, lw_cute_rank(&fragment->shape) - 1, &rest) ||
        !lw_cute_append_tuple(work, &rest, &zero, true, &rest))
        return false;
    const struct lw_cute_tuple both[2] = {lw_cute_blank(), rest};
    const struct lw_cute_tuple all = lw_cute_tuple_of(both, 2);
    return lw_cute_multiply(work, &values, &by, LW_CUTE_LOGICAL, &product) && /* (v,m,n) */
           lw_cute_divide(work, &product, &count, LW_CUTE_ZIPPED, &atoms) &&
           /* (V,m,n): V values, and the shape of their order */
           sizes_of(work, &order.shape, &tiler) &&
           lw_cute_append_tuple(work, &tiler, &own, true, &tiler) &&
           lw_cute_divide(work, fragment, &tiler, LW_CUTE_ZIPPED, &tiled) &&
           layout_in_first_mode(work, &tiled, &atoms, &retiled) &&
           lw_cute_slice(work, &retiled, &all, out, &start);
}
