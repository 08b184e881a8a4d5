/*
 * TiledMMA: an MMA atom repeated over a layout of atoms, and the parts of its operands. Source:
 * mma_atom.hpp of CUTLASS 4; a comment after a step names the modes as that file does.
 */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

/* The modes of an operand in (M,N,K). */
static const int modes_of[3][2] = {
    [LW_CUTE_A] = {0, 2}, [LW_CUTE_B] = {1, 2}, [LW_CUTE_C] = {0, 1}};

/* ---- Tilers ---- */

struct lw_cute_tuple lw_cute_tiler_of(struct lw_cute_work *work,
                                      const struct lw_cute_layout *layout)
{
    struct lw_cute *cute = lw_arena_alloc(work->arena, sizeof *cute);
    struct lw_cute_tuple leaf = {.count = -1, .leaf = LW_CUTE_LAYOUT, .layout = cute};
    if (!cute) {
        lw_cute_memory(work);
        leaf.leaf = LW_CUTE_BLANK;
        return leaf;
    }
    *cute = (struct lw_cute){.layout = *layout};
    return leaf;
}

struct lw_cute_tuple lw_cute_blank(void)
{
    return (struct lw_cute_tuple){.count = -1, .leaf = LW_CUTE_BLANK};
}

bool lw_cute_pair(struct lw_cute_work *work, struct lw_cute_tuple first,
                  struct lw_cute_tuple second, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, 2);
    if (!items)
        return false;
    items[0] = first;
    items[1] = second;
    *out = (struct lw_cute_tuple){.count = 2, .items = items};
    return true;
}

bool lw_cute_in_first_mode(struct lw_cute_work *work, const struct lw_cute_layout *a,
                           struct lw_cute_tuple b, struct lw_cute_layout *out)
{
    struct lw_cute_tuple both;
    return lw_cute_pair(work, b, lw_cute_blank(), &both) &&
           lw_cute_composition(work, a, &both, out);
}

/* ---- Making ---- */

static bool make_atoms(struct lw_cute_work *work, const struct lw_cute_layout *atoms,
                       struct lw_cute_layout *out)
{
    int rank = lw_cute_rank(&atoms->shape);
    if (rank > 3)
        return lw_error_at(work->err, LW_ERROR_SHAPE, atoms->shape.position,
                           "the layout of atoms has %d modes: M, N and K are three; CuTe does not "
                           "compile it",
                           rank);
    struct lw_cute_layout *modes = lw_cute_new_layouts(work, 3);
    if (!modes)
        return false;
    for (int i = 0; i < 3; i++)
        modes[i] = i < rank ? lw_cute_mode(atoms, i) : lw_cute_leaf(1, 0, true);
    return lw_cute_join(work, modes, 3, out);
}

static bool make_permutation(struct lw_cute_work *work, const struct lw_cute_tuple *permutation,
                             struct lw_cute_tuple *out)
{
    int count = permutation ? lw_cute_rank(permutation) : 0;
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, 3);
    if (!items)
        return false;
    if (count > 3)
        return lw_error_at(work->err, LW_ERROR_SHAPE, permutation->position,
                           "the permutation has %d modes: M, N and K are three; CuTe does not "
                           "compile it: \"TiledMMA requires rank-3 PermutationMNK\"",
                           count);
    for (int i = 0; i < 3; i++)
        items[i] = i < count ? *lw_cute_item(permutation, i) : lw_cute_blank();
    *out = (struct lw_cute_tuple){.count = 3, .items = items};
    return true;
}

/* Fails unless a whole number of the atoms is the tile of that mode. */
static bool check_mode(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode)
{
    struct lw_cute_tuple size;
    struct lw_cute_layout threads = lw_cute_mode(&mma->threads, mode + 1);
    if (!lw_cute_mma_tile_size(work, mma, mode, &size))
        return false;
    int64_t atom = mma->atom->mnk.items[mode].value, count = lw_cute_size(&threads), all;
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
    out->atom = atom;
    if (!make_atoms(work, atoms, &out->atoms) ||
        !make_permutation(work, permutation, &out->permutation))
        return false;
    const struct lw_cute_tuple tiler = lw_cute_tiler_of(work, &out->atoms);
    return lw_cute_multiply(work, &atom->threads, &tiler, LW_CUTE_TILED, &out->threads) &&
           check_mode(work, out, 0) && check_mode(work, out, 1) && check_mode(work, out, 2);
}

/* ---- The tile ---- */

bool lw_cute_check_number(struct lw_cute_work *work, const char *what, int number, int count)
{
    return (number >= 0 && number < count) ||
           lw_error_set(work->err, LW_ERROR_PARAMETER, "%s %d: from 0 to %d", what, number,
                        count - 1);
}

static bool check_operand(struct lw_cute_work *work, enum lw_cute_operand operand)
{
    return lw_cute_check_number(work, "operand", (int)operand, LW_CUTE_C + 1);
}

bool lw_cute_mma_permutation(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                             int mode, struct lw_cute_tuple *out)
{
    if (!lw_cute_check_number(work, "mode", mode, 3))
        return false;
    const struct lw_cute_tuple *given = &mma->permutation.items[mode];
    const struct lw_cute_tuple *atom = &mma->atom->mnk.items[mode];
    struct lw_cute_layout threads = lw_cute_mode(&mma->threads, mode + 1);
    int64_t size;
    *out = *given;
    if (given->count >= 0 || given->leaf != LW_CUTE_BLANK)
        return true;
    if (__builtin_mul_overflow(atom->value, lw_cute_size(&threads), &size) || size > LW_CUTE_MAX)
        return lw_cute_too_large(work, "the tile");
    *out = lw_cute_integer(size, atom->fixed && lw_cute_all_fixed(&threads.shape));
    return true;
}

bool lw_cute_mma_tile_size(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                           struct lw_cute_tuple *out)
{
    struct lw_cute_tuple tiler;
    if (!lw_cute_mma_permutation(work, mma, mode, &tiler))
        return false;
    if (tiler.count >= 0)
        return lw_error_at(work->err, LW_ERROR_SHAPE, tiler.position,
                           "the permutation of %c is a number, a layout or _, not a tuple",
                           "MNK"[mode]);
    struct lw_cute_layout layout = lw_cute_tiler_layout(&tiler);
    *out = lw_cute_integer(lw_cute_size(&layout), lw_cute_all_fixed(&layout.shape));
    return true;
}

bool lw_cute_mma_tile(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                      enum lw_cute_operand operand, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple size[2];
    for (int i = 0; i < 2; i++)
        if (!check_operand(work, operand) ||
            !lw_cute_mma_tile_size(work, mma, modes_of[operand][i], &size[i]))
            return false;
    return lw_cute_pair(work, size[0], size[1], out);
}

/* ---- Splitting ---- */

/* A tiler of two numbers. */
static bool tiler_of_sizes(struct lw_cute_work *work, const struct lw_cute_tuple *first,
                           const struct lw_cute_tuple *second, struct lw_cute_tuple *out)
{
    struct lw_cute_layout tile[2];
    return lw_cute_compact(work, first, false, &tile[0]) &&
           lw_cute_compact(work, second, false, &tile[1]) &&
           lw_cute_pair(work, lw_cute_tiler_of(work, &tile[0]), lw_cute_tiler_of(work, &tile[1]),
                        out);
}

static struct lw_cute_tuple size_of(const struct lw_cute_layout *layout, int mode)
{
    struct lw_cute_layout own = lw_cute_mode(layout, mode);
    return lw_cute_integer(lw_cute_size(&own), lw_cute_all_fixed(&own.shape));
}

bool lw_cute_mma_split(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                       enum lw_cute_operand operand, const struct lw_cute_layout *layout,
                       struct lw_cute_layout *out)
{
    if (!check_operand(work, operand))
        return false;
    const int *modes = modes_of[operand];
    const struct lw_cute_tuple *mnk = mma->atom->mnk.items;
    struct lw_cute_tuple permutation[2], tile, atom, count[2], threads;
    struct lw_cute_layout permuted, atoms, values;
    if (lw_cute_rank(&layout->shape) < 2)
        return lw_error_at(work->err, LW_ERROR_SHAPE, layout->shape.position,
                           "an operand has two modes or more, such as (128,64):(64,1); CuTe does "
                           "not compile any other");
    for (int i = 0; i < 2; i++) {
        if (!lw_cute_mma_permutation(work, mma, modes[i], &permutation[i]))
            return false;
        count[i] = size_of(&mma->threads, modes[i] + 1);
    }
    return lw_cute_pair(work, permutation[0], permutation[1], &tile) &&
           lw_cute_divide(work, layout, &tile, LW_CUTE_LOGICAL, &permuted) && /* (PermM,PermK) */
           tiler_of_sizes(work, &mnk[modes[0]], &mnk[modes[1]], &atom) &&
           lw_cute_divide(work, &permuted, &atom, LW_CUTE_ZIPPED, &atoms) &&
           /* ((AtomM,AtomK),(RestM,RestK)) */
           lw_cute_in_first_mode(work, &atoms, lw_cute_tiler_of(work, &mma->atom->operand[operand]),
                                 &values) && /* ((ThrV,FrgV),(RestM,RestK)) */
           tiler_of_sizes(work, &count[0], &count[1], &threads) &&
           lw_cute_pair(work, lw_cute_blank(), threads, &tile) &&
           lw_cute_divide(work, &values, &tile, LW_CUTE_ZIPPED, out);
}

/* ---- Threads and values ---- */

/* Makes two modes of threads one mode, of which only the first (`second` false) or the second moves. */
static bool ignore_one(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma, int mode,
                       bool second, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple shape, stride;
    struct lw_cute_layout both;
    if (!lw_cute_pair(work, size_of(&mma->threads, mode), size_of(&mma->threads, mode + 1),
                      &shape) ||
        !lw_cute_pair(work, lw_cute_integer(!second, true), lw_cute_integer(second, true),
                      &stride) ||
        !lw_cute_make(work, &shape, &stride, &both))
        return false;
    *out = lw_cute_tiler_of(work, &both);
    return true;
}

/* (ThrV,(ThrM,ThrK)), or other two of three, as (ThrV,(ThrM,ThrN,ThrK)): threads along the third mode have the
 * same elements. CuTe, as of CUTLASS 4.7 and the DSL 4.8.1, does not do so for C: threads along K continue past N. */
static bool project(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *layout)
{
    struct lw_cute_tuple modes, tiler, one;
    bool c = operand == LW_CUTE_C;
    struct lw_cute_layout k = lw_cute_mode(&mma->threads, 3);
    if (c && (lw_cute_size(&k) == 1 || work->rules == LW_CUTE_UNCHECKED))
        return true;
    return ignore_one(work, mma, c ? 2 : 1, operand == LW_CUTE_B, &one) &&
           lw_cute_pair(work, c ? lw_cute_blank() : one, c ? one : lw_cute_blank(), &modes) &&
           lw_cute_pair(work, lw_cute_blank(), modes, &tiler) &&
           lw_cute_in_first_mode(work, layout, tiler, layout);
}

/* From threads to (ThrV,ThrM,ThrN,ThrK). */
static bool inverse_threads(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                            struct lw_cute_layout *out)
{
    struct lw_cute_layout both[2] = {mma->threads}, joined, inverse, all;
    struct lw_cute_tuple shape, stride;
    const struct lw_cute_layout *threads = &mma->threads;
    struct lw_cute_tuple count =
        lw_cute_integer(lw_cute_size(threads), lw_cute_all_fixed(&threads->shape));
    if (!lw_cute_complement(work, threads, NULL, &both[1]) ||
        !lw_cute_join(work, both, 2, &joined) || !lw_cute_right_inverse(work, &joined, &inverse) ||
        !lw_cute_pair(work, count, lw_cute_integer(1, true), &shape) ||
        !lw_cute_pair(work, lw_cute_integer(1, true), lw_cute_integer(0, true), &stride) ||
        !lw_cute_make(work, &shape, &stride, &all))
        return false;
    const struct lw_cute_tuple tiler = lw_cute_tiler_of(work, &inverse);
    return lw_cute_composition(work, &all, &tiler, out);
}

bool lw_cute_mma_tv(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                    enum lw_cute_operand operand, struct lw_cute_layout *out)
{
    struct lw_cute_layout tile, threads;
    struct lw_cute_tuple shape;
    return lw_cute_mma_tile(work, mma, operand, &shape) &&
           lw_cute_compact(work, &shape, false, &tile) &&
           lw_cute_mma_split(work, mma, operand, &tile, out) && project(work, mma, operand, out) &&
           inverse_threads(work, mma, &threads) &&
           lw_cute_in_first_mode(work, out, lw_cute_tiler_of(work, &threads), out);
}

bool lw_cute_mma_tv_inside(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, struct lw_cute_layout *out)
{
    struct lw_cute_tuple shape;
    struct lw_cute_layout tile, given;
    struct lw_cute_work unchecked = *work;
    unchecked.rules = LW_CUTE_UNCHECKED;
    unchecked.steps = NULL;
    if (operand == LW_CUTE_C && work->rules != LW_CUTE_UNCHECKED) {
        if (!lw_cute_mma_tile(work, mma, operand, &shape) ||
            !lw_cute_compact(work, &shape, false, &tile) ||
            !lw_cute_mma_tv(&unchecked, mma, operand, &given))
            return false;
        if (lw_cute_cosize(&given) > lw_cute_size(&tile))
            return lw_error_set(work->err, LW_ERROR_SHAPE,
                                "the threads along K continue past the tile of C, though they have "
                                "the same elements of it");
    }
    return lw_cute_mma_tv(work, mma, operand, out);
}

/* ---- The part of a thread ---- */

bool lw_cute_mma_thread(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                        int64_t thread, int64_t vmnk[4])
{
    int64_t count = lw_cute_cosize(&mma->threads);
    if ((thread < 0 || thread >= count) && work->rules != LW_CUTE_UNCHECKED)
        return lw_error_set(
            work->err, LW_ERROR_PARAMETER,
            "thread %lld: must be from 0 to %lld; CuTe takes such a thread modulo the "
            "sizes of its coordinates (--as-cute)",
            (long long)thread, (long long)count - 1);
    return lw_cute_flat_coordinate(work, &mma->threads, thread, vmnk);
}

/* (_, (_, _, ...)) */
static bool all_values(struct lw_cute_work *work, int rank, struct lw_cute_tuple *out)
{
    struct lw_cute_tuple *items = lw_cute_new_tuples(work, rank);
    if (!items)
        return false;
    for (int i = 0; i < rank; i++)
        items[i] = lw_cute_blank();
    const struct lw_cute_tuple rest = {.count = rank, .items = items};
    return lw_cute_pair(work, lw_cute_blank(), rest, out);
}

bool lw_cute_mma_partition(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                           enum lw_cute_operand operand, int64_t thread,
                           const struct lw_cute_layout *layout, struct lw_cute_layout *out,
                           int64_t *start)
{
    struct lw_cute_layout split, values, rest;
    struct lw_cute_tuple own, coordinate, all, both;
    int64_t vmnk[4];
    if (!lw_cute_mma_thread(work, mma, thread, vmnk) ||
        !lw_cute_mma_split(work, mma, operand, layout, &split))
        return false;
    const int *modes = modes_of[operand];
    values = lw_cute_mode(&split, 1);
    rest = lw_cute_mode(&values, 1);
    return lw_cute_pair(work, lw_cute_integer(vmnk[modes[0] + 1], false),
                        lw_cute_integer(vmnk[modes[1] + 1], false), &own) &&
           lw_cute_pair(work, lw_cute_integer(vmnk[0], false), own, &coordinate) &&
           all_values(work, lw_cute_rank(&rest.shape), &all) &&
           lw_cute_pair(work, coordinate, all, &both) &&
           lw_cute_slice(work, &split, &both, out, start);
}

bool lw_cute_mma_fragment(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                          enum lw_cute_operand operand, const struct lw_cute_layout *part,
                          struct lw_cute_layout *out)
{
    if (!check_operand(work, operand))
        return false;
    struct lw_cute_layout own = lw_cute_mode(part, 0);
    struct lw_cute_layout values = lw_cute_mode(&mma->atom->operand[operand], 1);
    struct lw_cute_layout fixed;
    if (mma->atom->role[operand] == LW_CUTE_ROLE_MEMORY)
        return lw_error_set(work->err, LW_ERROR_SHAPE,
                            "%.80s reads %c from memory: CuTe makes descriptors or addresses of "
                            "it, not registers; these are not supported",
                            mma->atom->name, "ABC"[operand]);
    if (lw_cute_rank(&part->shape) < 3 || lw_cute_size(&own) != lw_cute_size(&values))
        return lw_error_at(
            work->err, LW_ERROR_SHAPE, part->shape.position,
            "a fragment of %c is made of a result of partition_%c: at least three modes, the first "
            "with %lld values; CuTe rejects anything else",
            "ABC"[operand], "ABC"[operand], (long long)lw_cute_size(&values));
    if (operand != LW_CUTE_C)
        return lw_cute_fragment_like(work, part, out);
    return lw_cute_fix_layout(work, part, &fixed) &&
           lw_cute_compact(work, &fixed.shape, false, out);
}
