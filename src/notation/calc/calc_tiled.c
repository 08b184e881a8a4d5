/* What the rows of tiled MMA and tiled copies in the calculator's table compute: the rows of an
 * operand or a side have its number in core.which. */

#include "encoding/cute/cute_parts.h"
#include "notation/calc/calc_table.h"

/* ---- Values ---- */

static bool no_memory(const struct lw_calc_call *call)
{
    return lw_error_set(call->work.err, LW_ERROR_MEMORY, "out of memory");
}

static const struct lw_cute_tiled_mma *mma_of(const struct lw_calc_call *call)
{
    return call->self->as.tiling.mma;
}

static const struct lw_cute_tiled_copy *copy_of(const struct lw_calc_call *call)
{
    return call->self->as.tiling.copy;
}

/* The layout of an argument; fails where CuTe does not tile it. */
static bool layout_of(const struct lw_calc_call *call, int i, struct lw_cute_layout *out)
{
    const struct lw_cute *cute = &call->args[i].as.value->as.cute;
    *out = cute->layout;
    return (!cute->composed && !lw_cute_is_of_coordinates(cute)) ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s: '%s' must be a layout without a swizzle and coordinates",
                        call->operation->name, call->operation->params[i].name);
}

/* An argument that is an atom of MMA, or one of a copy; NULL and an error. */
static const struct lw_cute_mma_atom *mma_atom_of(const struct lw_calc_call *call)
{
    const struct lw_calc_tiling *tiling = &call->args[0].as.value->as.tiling;
    if (!tiling->mma_atom)
        lw_error_set(call->work.err, LW_ERROR_SHAPE,
                     "%s: %.80s is a copy; expected an atom of an MMA, such as "
                     "SM80_16x8x16_F32F16F16F32_TN{}",
                     call->operation->name, tiling->copy_atom->name);
    return tiling->mma_atom;
}

static const struct lw_cute_copy_atom *copy_atom_of(const struct lw_calc_call *call)
{
    const struct lw_calc_tiling *tiling = &call->args[0].as.value->as.tiling;
    if (!tiling->copy_atom)
        lw_error_set(call->work.err, LW_ERROR_SHAPE,
                     "%s: %.80s is an MMA; expected an atom of a copy, such as "
                     "Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}",
                     call->operation->name, tiling->mma_atom->name);
    return tiling->copy_atom;
}

/* Makes the result a new layout, to be filled. */
static struct lw_cute_layout *plain(struct lw_calc_result *out)
{
    out->as.cute = (struct lw_cute){0};
    return &out->as.cute.layout;
}

/* ---- Making ---- */

LW_CALC_RUN(lw_calc_run_make_tiled_mma)
{
    const struct lw_cute_mma_atom *atom = mma_atom_of(call);
    struct lw_cute_tiled_mma *mma = lw_arena_alloc(call->work.arena, sizeof *mma);
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_layout atoms;
    out->as.tiling = (struct lw_calc_tiling){.mma = mma, .thread = -1};
    if (!atom || !mma)
        return atom ? no_memory(call) : false;
    if (call->args[1].given ? !layout_of(call, 1, &atoms)
                            : !lw_cute_compact(&call->work, &one, false, &atoms))
        return false;
    return lw_cute_tiled_mma_make(&call->work, atom, &atoms,
                                  call->args[2].given ? &call->args[2].as.tuple : NULL, mma);
}

/* Room for the copy that a row makes; NULL and an error. */
static struct lw_cute_tiled_copy *new_copy(struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_cute_tiled_copy *copy = lw_arena_alloc(call->work.arena, sizeof *copy);
    out->as.tiling = (struct lw_calc_tiling){.copy = copy, .thread = -1};
    if (!copy)
        no_memory(call);
    return copy;
}

/* make_tiled_copy(atom, threads, values) */
LW_CALC_RUN(lw_calc_run_make_tiled_copy)
{
    const struct lw_cute_copy_atom *atom = copy_atom_of(call);
    struct lw_cute_tiled_copy *copy = new_copy(call, out);
    const struct lw_cute_tuple one = lw_cute_integer(1, true);
    struct lw_cute_layout threads, values;
    return atom && copy && layout_of(call, 1, &threads) &&
           (call->args[2].given ? layout_of(call, 2, &values)
                                : lw_cute_compact(&call->work, &one, false, &values)) &&
           lw_cute_tiled_copy_of_threads(&call->work, atom, &threads, &values, copy);
}

/* make_tiled_copy_impl(atom, layout_tv, tiler) */
LW_CALC_RUN(lw_calc_run_make_tiled_copy_tv)
{
    const struct lw_cute_copy_atom *atom = copy_atom_of(call);
    struct lw_cute_tiled_copy *copy = new_copy(call, out);
    struct lw_cute_layout tv;
    return atom && copy && layout_of(call, 1, &tv) &&
           lw_cute_tiled_copy_make(&call->work, atom, &tv, &call->args[2].as.tuple, copy);
}

/* make_cotiled_copy(atom, atom_tv_layout, data_layout) */
LW_CALC_RUN(lw_calc_run_make_cotiled_copy)
{
    const struct lw_cute_copy_atom *atom = copy_atom_of(call);
    struct lw_cute_tiled_copy *copy = new_copy(call, out);
    struct lw_cute_layout tv, data;
    return atom && copy && layout_of(call, 1, &tv) && layout_of(call, 2, &data) &&
           lw_cute_tiled_copy_of_data(&call->work, atom, &tv, &data, copy);
}

/* make_tiled_copy_A(atom, mma), and of the result also as small as it can be */
LW_CALC_RUN(lw_calc_run_make_tiled_copy_of)
{
    const struct lw_cute_copy_atom *atom = copy_atom_of(call);
    struct lw_cute_tiled_copy *copy = new_copy(call, out);
    const struct lw_cute_tiled_mma *mma = call->args[1].as.value->as.tiling.mma;
    int which = call->operation->core.which;
    if (!atom || !copy)
        return false;
    return which > LW_CUTE_C ? lw_cute_tiled_copy_of_result(&call->work, atom, mma, copy)
                             : lw_cute_tiled_copy_of_mma(&call->work, atom, mma,
                                                         (enum lw_cute_operand)which, copy);
}

/* make_tiled_copy_S(atom, copy) */
LW_CALC_RUN(lw_calc_run_make_tiled_copy_like)
{
    const struct lw_cute_copy_atom *atom = copy_atom_of(call);
    const struct lw_cute_tiled_copy *like = call->args[1].as.value->as.tiling.copy;
    struct lw_cute_tiled_copy *copy = new_copy(call, out);
    struct lw_cute_layout tv;
    return atom && copy &&
           lw_cute_copy_tv(&call->work, like, (enum lw_cute_side)call->operation->core.which,
                           &tv) &&
           lw_cute_tiled_copy_make(&call->work, atom, &tv, &like->tiler, copy);
}

/* ---- One thread ---- */

LW_CALC_RUN(lw_calc_run_tiled_slice)
{
    struct lw_cute_tuple vmnk[4];
    int64_t thread = (int64_t)lw_calc_number(call, 0, 0);
    out->as.tiling = call->self->as.tiling;
    out->as.tiling.thread = thread;
    if (mma_of(call))
        return lw_cute_mma_thread(&call->work, mma_of(call), thread, vmnk);
    struct lw_cute_layout threads = lw_cute_mode(&copy_of(call)->tv, 0);
    int64_t count = lw_cute_size(&threads);
    return (thread >= 0 && thread < count) || call->work.rules == LW_CUTE_UNCHECKED ||
           lw_error_set(
               call->work.err, LW_ERROR_PARAMETER,
               "thread %lld: must be from 0 to %lld; CuTe continues past the end (--as-cute)",
               (long long)thread, (long long)count - 1);
}

static bool need_thread(const struct lw_calc_call *call)
{
    return call->self->as.tiling.thread >= 0 ||
           lw_error_set(
               call->work.err, LW_ERROR_SHAPE,
               "%s is an operation of one thread: get_slice(0).%s(...) is that of thread 0",
               call->operation->name, call->operation->name);
}

/* A part of a tensor: the same tensor with another layout and another start. */
bool lw_calc_set_part(struct lw_cute_work *work, const struct lw_cute *tensor,
                      const struct lw_cute_layout *part, const struct lw_cute_tuple *start,
                      struct lw_cute *out)
{
    const char *iterator = tensor->origin ? tensor->iterator : NULL;
    const struct lw_cute whole = *tensor;
    *out = whole;
    out->layout = *part;
    lw_calc_clear_atom(out);
    out->part = true;
    out->iterator = iterator;
    if (!lw_cute_is_of_coordinates(&whole)) {
        out->start += start->value;
        return true;
    }
    struct lw_cute_tuple first, *origin = lw_arena_alloc(work->arena, sizeof *origin);
    const struct lw_cute_tuple zero = lw_cute_integer(0, false);
    out->origin = origin;
    if (!origin)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    if (whole.origin)
        return lw_cute_plus(work, whole.origin, start, origin);
    return lw_cute_at(work, &whole.layout, &zero, &first) &&
           lw_cute_plus(work, &first, start, origin) && lw_cute_as_coordinate(work, origin, origin);
}

/* The part that the thread of a slice has. */
static bool set_own_part(struct lw_calc_call *call, const struct lw_cute *tensor,
                         const struct lw_cute_layout *part, const struct lw_cute_tuple *start,
                         struct lw_calc_result *out)
{
    out->as.cute.of_thread = false;
    if (!lw_calc_set_part(&call->work, tensor, part, start, &out->as.cute))
        return false;
    out->as.cute.of_thread = true;
    out->as.cute.thread = call->self->as.tiling.thread;
    return true;
}

static bool partition_mma(struct lw_calc_call *call, const struct lw_cute *tensor,
                          struct lw_cute_layout *part, struct lw_cute_tuple *start)
{
    return need_thread(call) &&
           lw_cute_mma_partition(&call->work, mma_of(call),
                                 (enum lw_cute_operand)call->operation->core.which,
                                 call->self->as.tiling.thread, &tensor->layout, part, start);
}

LW_CALC_RUN(lw_calc_run_mma_partition)
{
    const struct lw_cute *tensor = &call->args[0].as.value->as.cute;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (!partition_mma(call, tensor, &part, &start))
        return false;
    return set_own_part(call, tensor, &part, &start, out);
}

LW_CALC_RUN(lw_calc_run_copy_partition)
{
    const struct lw_cute *tensor = &call->args[0].as.value->as.cute;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (!need_thread(call) ||
        !lw_cute_copy_partition(&call->work, copy_of(call),
                                (enum lw_cute_side)call->operation->core.which,
                                call->self->as.tiling.thread, &tensor->layout, &part, &start))
        return false;
    return set_own_part(call, tensor, &part, &start, out);
}

/* ---- Fragments ---- */

/* Fails where offsets are coordinates: these have no order for a copy to registers. */
static bool need_numbers(const struct lw_calc_call *call, const struct lw_cute *tensor)
{
    return !lw_cute_is_of_coordinates(tensor) || call->operation->core.which == LW_CUTE_C ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s needs offsets that are numbers; those of this layout are coordinates, "
                        "of which CuTe compiles no fragment",
                        call->operation->name);
}

LW_CALC_RUN(lw_calc_run_mma_partition_fragment)
{
    enum lw_cute_operand operand = (enum lw_cute_operand)call->operation->core.which;
    const struct lw_cute *tensor = &call->args[0].as.value->as.cute;
    struct lw_calc_result whole = *call->self;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (operand == LW_CUTE_C && whole.as.tiling.thread < 0)
        whole.as.tiling.thread = 0; /* the result has one fragment for all threads */
    const struct lw_calc_result *self = call->self;
    call->self = &whole;
    bool done = need_numbers(call, tensor) && partition_mma(call, tensor, &part, &start) &&
                lw_cute_mma_fragment(&call->work, mma_of(call), operand, &part, plain(out));
    call->self = self;
    return done;
}

LW_CALC_RUN(lw_calc_run_mma_make_fragment)
{
    const struct lw_cute *part = &call->args[0].as.value->as.cute;
    return need_numbers(call, part) &&
           lw_cute_mma_fragment(&call->work, mma_of(call),
                                (enum lw_cute_operand)call->operation->core.which, &part->layout,
                                plain(out));
}

LW_CALC_RUN(lw_calc_run_mma_partition_shape)
{
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (!lw_cute_mma_partition(&call->work, mma_of(call),
                               (enum lw_cute_operand)call->operation->core.which, 0,
                               &call->args[0].as.value->as.cute.layout, &part, &start))
        return false;
    out->as.tuple = part.shape;
    return true;
}

LW_CALC_RUN(lw_calc_run_copy_retile)
{
    const struct lw_cute *fragment = &call->args[0].as.value->as.cute;
    struct lw_cute_layout retiled;
    if (!lw_cute_copy_retile(&call->work, copy_of(call), &fragment->layout, &retiled))
        return false;
    out->as.cute = *fragment;
    lw_calc_clear_atom(&out->as.cute);
    out->as.cute.layout = retiled;
    return true;
}

LW_CALC_RUN(lw_calc_run_layout_like)
{
    return lw_cute_layout_like(&call->work, &call->self->as.cute.layout, plain(out));
}

LW_CALC_RUN(lw_calc_run_fragment_like)
{
    const struct lw_cute *layout = &call->self->as.cute;
    if (call->work.rules != LW_CUTE_VALUES && !lw_cute_all_fixed(&layout->layout.shape))
        return lw_cute_compact(&call->work, &layout->layout.shape, false, plain(out));
    return lw_cute_fragment_like(&call->work, &layout->layout, plain(out));
}

/* ---- Of all threads ---- */

LW_CALC_RUN(lw_calc_run_mma_split)
{
    const struct lw_cute *tensor = &call->args[0].as.value->as.cute;
    out->as.cute = *tensor;
    lw_calc_clear_atom(&out->as.cute);
    return lw_cute_mma_split(&call->work, mma_of(call),
                             (enum lw_cute_operand)call->operation->core.which, &tensor->layout,
                             &out->as.cute.layout);
}

LW_CALC_RUN(lw_calc_run_copy_split)
{
    const struct lw_cute *tensor = &call->args[0].as.value->as.cute;
    out->as.cute = *tensor;
    lw_calc_clear_atom(&out->as.cute);
    return lw_cute_copy_split(&call->work, copy_of(call),
                              (enum lw_cute_side)call->operation->core.which, &tensor->layout,
                              &out->as.cute.layout);
}

LW_CALC_RUN(lw_calc_run_mma_tv)
{
    return lw_cute_mma_tv_inside(&call->work, mma_of(call),
                                 (enum lw_cute_operand)call->operation->core.which, plain(out));
}

LW_CALC_RUN(lw_calc_run_copy_tv)
{
    return lw_cute_copy_tv(&call->work, copy_of(call),
                           (enum lw_cute_side)call->operation->core.which, plain(out));
}

/* The names of operands and of sides. */
static const char *const operands[] = {[LW_CUTE_A] = "A", [LW_CUTE_B] = "B", [LW_CUTE_C] = "C"};
static const char *const sides[] = {[LW_CUTE_SOURCE] = "S", [LW_CUTE_DESTINATION] = "D"};

bool lw_calc_mma_operand(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                         enum lw_cute_operand operand, struct lw_cute *out)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(work->arena, sizeof *tile);
    if (!tile)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    const struct lw_calc_tiling tiling = {.mma = mma, .thread = -1};
    bool all = lw_cute_size(&mma->threads) == lw_cute_cosize(&mma->threads);
    *out = (struct lw_cute){
        .tile = tile, .role = mma->atom->role[operand], .element = mma->atom->element[operand]};
    out->tiling = lw_calc_tiling_source(work->arena, &tiling);
    out->operand = operands[operand];
    if (out->role == LW_CUTE_ROLE_QUAD_PAIR && all)
        out->role = LW_CUTE_ROLE_NONE; /* the quad pairs together are whole warps */
    return lw_cute_mma_tile(work, mma, operand, tile) &&
           lw_cute_mma_tv(work, mma, operand, &out->layout);
}

LW_CALC_RUN(lw_calc_run_mma_operand)
{
    return lw_calc_mma_operand(&call->work, mma_of(call),
                               (enum lw_cute_operand)call->operation->core.which, &out->as.cute);
}

bool lw_calc_copy_side(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       enum lw_cute_side side, struct lw_cute *out)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(work->arena, sizeof *tile);
    if (!tile)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    const struct lw_calc_tiling tiling = {.copy = copy, .thread = -1};
    *out = (struct lw_cute){.tile = tile};
    if (copy->atom->type)
        out->element = lw_calc_cpp_element(copy->atom->type);
    out->tiling = lw_calc_tiling_source(work->arena, &tiling);
    out->operand = out->tiling ? sides[side] : NULL;
    return lw_cute_copy_tile(work, copy, tile) && lw_cute_copy_tv(work, copy, side, &out->layout);
}

LW_CALC_RUN(lw_calc_run_copy_side)
{
    return lw_calc_copy_side(&call->work, copy_of(call),
                             (enum lw_cute_side)call->operation->core.which, &out->as.cute);
}

/* ---- Sizes ---- */

static bool is_mode(const struct lw_calc_call *call, uint64_t mode, int rank)
{
    return mode < (uint64_t)rank ||
           lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                        "%s: there is no mode %llu: from 0 to %d", call->operation->name,
                        (unsigned long long)mode, rank - 1);
}

LW_CALC_RUN(lw_calc_run_mma_tile_size)
{
    uint64_t mode = lw_calc_number(call, 0, 0);
    return is_mode(call, mode, 3) &&
           lw_cute_mma_tile_size(&call->work, mma_of(call), (int)mode, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_mma_permutation)
{
    uint64_t mode = lw_calc_number(call, 0, 0);
    return is_mode(call, mode, 3) &&
           lw_cute_mma_permutation(&call->work, mma_of(call), (int)mode, &out->as.tuple);
}

LW_CALC_RUN(lw_calc_run_mma_tile_shape)
{
    struct lw_cute_tuple *items = lw_arena_alloc(call->work.arena, 3 * sizeof *items);
    if (!items)
        return no_memory(call);
    for (int i = 0; i < 3; i++)
        if (!lw_cute_mma_tile_size(&call->work, mma_of(call), i, &items[i]))
            return false;
    out->as.tuple = (struct lw_cute_tuple){.count = 3, .items = items};
    return true;
}

LW_CALC_RUN(lw_calc_run_mma_threads)
{
    *plain(out) = mma_of(call)->threads;
    return true;
}

LW_CALC_RUN(lw_calc_run_mma_size)
{
    struct lw_cute_layout threads = mma_of(call)->threads;
    uint64_t mode = lw_calc_number(call, 0, 0);
    if (!is_mode(call, mode, 4))
        return false;
    if (call->args[0].given)
        threads = lw_cute_mode(&threads, (int)mode);
    out->as.tuple = lw_cute_integer(lw_cute_size(&threads), lw_cute_all_fixed(&threads.shape));
    return true;
}

LW_CALC_RUN(lw_calc_run_mma_shape)
{
    out->as.tuple = mma_of(call)->atom->mnk;
    return true;
}

LW_CALC_RUN(lw_calc_run_copy_size)
{
    struct lw_cute_layout threads = lw_cute_mode(&copy_of(call)->tv, 0);
    out->as.tuple = lw_cute_integer(lw_cute_size(&threads), lw_cute_all_fixed(&threads.shape));
    return true;
}

LW_CALC_RUN(lw_calc_run_copy_tiler)
{
    out->as.tuple = copy_of(call)->tiler;
    return true;
}

LW_CALC_RUN(lw_calc_run_copy_tiled_tv)
{
    *plain(out) = copy_of(call)->tv;
    return true;
}
