/* Operations on tiled MMA and tiled copies of CuTe, descriptors and tensor maps, and their rows. The rows of an operand
 * or a side have its number in core.which. */

#include "notation/calc/calculator.h"
#include "notation/calc/calc_rows.h"

#include <string.h>

/* ---- Operands and results ---- */

static const struct lw_cute_tiled_mma *mma_of(const struct lw_calc_call *call)
{
    return call->self->as.tiling.mma;
}

static const struct lw_cute_tiled_copy *copy_of(const struct lw_calc_call *call)
{
    return call->self->as.tiling.copy;
}

static enum lw_cute_operand operand_of(const struct lw_calc_call *call)
{
    return (enum lw_cute_operand)call->row->core.which;
}

static enum lw_cute_side side_of(const struct lw_calc_call *call)
{
    return (enum lw_cute_side)call->row->core.which;
}

/* The layout of an argument, or when it is not given _1:_0; fails where CuTe does not tile it. */
static bool layout_of(const struct lw_calc_call *call, int i, struct lw_cute_layout *out)
{
    const struct lw_cute *cute = call->args[i].value ? lw_calc_cute_at(call, i) : NULL;
    *out = cute ? cute->layout : lw_cute_leaf(1, 0, true);
    return !cute || (!cute->composed && !lw_cute_is_of_coordinates(cute)) ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s: '%s' must be a layout without a swizzle and coordinates",
                        call->row->base.name, lw_calc_param_name(call->row, i).text);
}

/* The layout of the result, which is no longer that of an atom. */
static bool set_layout(struct lw_calc_call *call, const struct lw_cute *of,
                       const struct lw_cute_layout *layout, struct lw_calc_result *out)
{
    struct lw_cute made = {0};
    if (of)
        made = *of;
    lw_calc_clear_atom(&made);
    made.layout = *layout;
    return lw_calc_set_cute(&call->work, &made, out);
}

/* ---- Making ---- */

static LW_CALC_RUN(make_tiled_mma)
{
    const struct lw_cute_mma_atom *atom = call->args[0].value->as.tiling.mma_atom;
    struct lw_cute_tiled_mma *mma = lw_arena_alloc(call->work.arena, sizeof *mma);
    struct lw_cute_layout atoms;
    out->as.tiling = (struct lw_calc_tiling){.mma = mma, .thread = -1};
    if (!mma)
        return lw_cute_memory(&call->work);
    return layout_of(call, 1, &atoms) &&
           lw_cute_tiled_mma_make(&call->work, atom, &atoms, lw_calc_tree(call, 2), mma);
}

/* What a tiled copy is made of beside its atom: layouts of threads and of the values of each, a layout of both with a
 * tiler, one of both that are offsets of the data; an operand of a tiled MMA. */
enum { OF_THREADS, OF_TV, OF_DATA, OF_OPERAND };

static LW_CALC_RUN(make_tiled_copy)
{
    const struct lw_cute_copy_atom *atom = call->args[0].value->as.tiling.copy_atom;
    struct lw_cute_tiled_copy *copy = lw_arena_alloc(call->work.arena, sizeof *copy);
    struct lw_cute_layout first, second;
    int of = call->row->core.which;
    out->as.tiling = (struct lw_calc_tiling){.copy = copy, .thread = -1};
    if (!copy)
        return lw_cute_memory(&call->work);
    if (of >= OF_OPERAND)
        return lw_cute_tiled_copy_of_mma(&call->work, atom, call->args[1].value->as.tiling.mma,
                                         (enum lw_cute_operand)(of - OF_OPERAND), copy);
    if (!layout_of(call, 1, &first))
        return false;
    if (of == OF_TV)
        return lw_cute_tiled_copy_make(&call->work, atom, &first, lw_calc_tree(call, 2), copy);
    return layout_of(call, 2, &second) &&
           (of == OF_DATA
                ? lw_cute_tiled_copy_of_data(&call->work, atom, &first, &second, copy)
                : lw_cute_tiled_copy_of_threads(&call->work, atom, &first, &second, copy));
}

/* ---- One thread ---- */

static LW_CALC_RUN(tiled_slice)
{
    struct lw_cute_tuple vmnk[4];
    int64_t thread = (int64_t)lw_calc_number(call, 0, 0);
    out->as.tiling = call->self->as.tiling;
    out->as.tiling.thread = thread;
    if (mma_of(call))
        return lw_cute_mma_thread(&call->work, mma_of(call), thread, vmnk);
    struct lw_cute_layout threads = lw_cute_mode(&copy_of(call)->tv, 0);
    int64_t count = lw_cute_size(&threads);
    return thread < count || call->work.rules == LW_CUTE_UNCHECKED ||
           lw_error_set(
               call->work.err, LW_ERROR_PARAMETER,
               "thread %lld: must be from 0 to %lld; CuTe continues past the end (--as-cute)",
               (long long)thread, (long long)count - 1);
}

/* The part of a tensor that a thread has, with its start. */
static bool part_of(struct lw_calc_call *call, int64_t thread, const struct lw_cute_layout *tensor,
                    struct lw_cute_layout *part, struct lw_cute_tuple *start)
{
    const char *name = call->row->base.name;
    if (thread < 0)
        return lw_error_set(
            call->work.err, LW_ERROR_SHAPE,
            "%s is an operation of one thread: get_slice(0).%s(...) is that of thread 0", name,
            name);
    return mma_of(call) ? lw_cute_mma_partition(&call->work, mma_of(call), operand_of(call), thread,
                                                tensor, part, start)
                        : lw_cute_copy_partition(&call->work, copy_of(call), side_of(call), thread,
                                                 tensor, part, start);
}

static LW_CALC_RUN(partition)
{
    const struct lw_cute *tensor = lw_calc_cute_at(call, 0);
    int64_t thread = call->self->as.tiling.thread;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    struct lw_cute made;
    if (!part_of(call, thread, &tensor->layout, &part, &start) ||
        !lw_calc_set_part(&call->work, tensor, &part, &start, &made))
        return false;
    made.of_thread = true;
    made.thread = thread;
    return lw_calc_set_cute(&call->work, &made, out);
}

/* ---- Fragments ---- */

/* The registers for a part; fails where offsets are coordinates, which have no order for a copy to registers. */
static bool fragment_of(struct lw_calc_call *call, const struct lw_cute *tensor,
                        const struct lw_cute_layout *part, struct lw_calc_result *out)
{
    struct lw_cute_layout made;
    if (lw_cute_is_of_coordinates(tensor) && operand_of(call) != LW_CUTE_C)
        return lw_error_set(
            call->work.err, LW_ERROR_SHAPE,
            "%s needs offsets that are numbers; those of this layout are coordinates, "
            "of which CuTe compiles no fragment",
            call->row->base.name);
    return lw_cute_mma_fragment(&call->work, mma_of(call), operand_of(call), part, &made) &&
           set_layout(call, NULL, &made, out);
}

static LW_CALC_RUN(partition_fragment)
{
    const struct lw_cute *tensor = lw_calc_cute_at(call, 0);
    int64_t thread = call->self->as.tiling.thread;
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    if (operand_of(call) == LW_CUTE_C && thread < 0)
        thread = 0; /* the result has one fragment for all threads */
    return part_of(call, thread, &tensor->layout, &part, &start) &&
           fragment_of(call, tensor, &part, out);
}

static LW_CALC_RUN(make_fragment)
{
    const struct lw_cute *part = lw_calc_cute_at(call, 0);
    return fragment_of(call, part, &part->layout, out);
}

static LW_CALC_RUN(partition_shape)
{
    struct lw_cute_layout part;
    struct lw_cute_tuple start;
    return part_of(call, 0, &lw_calc_cute_at(call, 0)->layout, &part, &start) &&
           lw_calc_set_tree(&part.shape, out);
}

static LW_CALC_RUN(retile)
{
    const struct lw_cute *fragment = lw_calc_cute_at(call, 0);
    struct lw_cute_layout made;
    return lw_cute_copy_retile(&call->work, copy_of(call), &fragment->layout, &made) &&
           set_layout(call, fragment, &made, out);
}

/* ---- Of all threads ---- */

static LW_CALC_RUN(split)
{
    const struct lw_cute *tensor = lw_calc_cute_at(call, 0);
    struct lw_cute_layout made;
    return (mma_of(call) ? lw_cute_mma_split(&call->work, mma_of(call), operand_of(call),
                                             &tensor->layout, &made)
                         : lw_cute_copy_split(&call->work, copy_of(call), side_of(call),
                                              &tensor->layout, &made)) &&
           set_layout(call, tensor, &made, out);
}

static LW_CALC_RUN(threads_and_values)
{
    struct lw_cute_layout made;
    return (mma_of(call) ? lw_cute_mma_tv_inside(&call->work, mma_of(call), operand_of(call), &made)
                         : lw_cute_copy_tv(&call->work, copy_of(call), side_of(call), &made)) &&
           set_layout(call, NULL, &made, out);
}

bool lw_calc_over_tile(struct lw_cute_work *work, const struct lw_calc_tiling *of, int which,
                       struct lw_cute *out)
{
    static const char *const names[2][3] = {{"S", "D"}, {"A", "B", "C"}};
    const struct lw_cute_tiled_mma *mma = of->mma;
    struct lw_cute_tuple *tile = lw_arena_alloc(work->arena, sizeof *tile);
    if (!tile)
        return lw_cute_memory(work);
    *out = (struct lw_cute){.tile = tile, .tiling = lw_calc_tiling_source(work->arena, of)};
    if (out->tiling)
        out->operand = names[mma != NULL][which];
    if (!mma) {
        const char *type = of->copy->atom->type;
        out->element = type ? lw_calc_type(type)->element : NULL;
        return lw_cute_copy_tile(work, of->copy, tile) &&
               lw_cute_copy_tv(work, of->copy, (enum lw_cute_side)which, &out->layout);
    }
    bool all = lw_cute_size(&mma->threads) == lw_cute_cosize(&mma->threads);
    out->element = mma->atom->element[which];
    out->role = mma->atom->role[which];
    if (out->role == LW_CUTE_ROLE_QUAD_PAIR && all)
        out->role = LW_CUTE_ROLE_NONE; /* the quad pairs together are whole warps */
    return lw_cute_mma_tile(work, mma, (enum lw_cute_operand)which, tile) &&
           lw_cute_mma_tv(work, mma, (enum lw_cute_operand)which, &out->layout);
}

static LW_CALC_RUN(over_tile)
{
    struct lw_cute made;
    return lw_calc_over_tile(&call->work, &call->self->as.tiling, call->row->core.which, &made) &&
           lw_calc_set_cute(&call->work, &made, out);
}

/* ---- Sizes ---- */

static bool is_mode(const struct lw_calc_call *call, int rank)
{
    uint64_t mode = lw_calc_number(call, 0, 0);
    return mode < (uint64_t)rank ||
           lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                        "%s: there is no mode %llu: from 0 to %d", call->row->base.name,
                        (unsigned long long)mode, rank - 1);
}

static LW_CALC_RUN(mma_tile_size)
{
    return is_mode(call, 3) &&
           lw_cute_mma_tile_size(&call->work, mma_of(call), (int)lw_calc_number(call, 0, 0),
                                 &out->as.tree);
}

static LW_CALC_RUN(mma_tile_shape)
{
    struct lw_cute_tuple *items = lw_cute_new_items(&call->work, 3, &out->as.tree);
    for (int i = 0; items && i < 3; i++)
        if (!lw_cute_mma_tile_size(&call->work, mma_of(call), i, &items[i]))
            return false;
    return items;
}

/* The number of threads; of an MMA also that of a mode V, M, N, K. */
static LW_CALC_RUN(thread_count)
{
    struct lw_cute_layout threads =
        mma_of(call) ? mma_of(call)->threads : lw_cute_mode(&copy_of(call)->tv, 0);
    if (mma_of(call) && !is_mode(call, 4))
        return false;
    if (call->args[0].value)
        threads = lw_cute_mode(&threads, (int)lw_calc_number(call, 0, 0));
    out->as.tree = lw_cute_size_of(&threads.shape);
    return true;
}

/* ---- Parts ---- */

/* What atoms and tilings are made of, beside the operands by their own numbers. */
enum part { SRC = 3, DST, THREADS, MNK, VMNK, PERMUTATION, TV, TILES };

static LW_CALC_RUN(part)
{
    const struct lw_calc_tiling *of = &call->self->as.tiling;
    const struct lw_cute_mma_atom *mma = of->mma ? of->mma->atom : of->mma_atom;
    const struct lw_cute_copy_atom *copy = of->copy ? of->copy->atom : of->copy_atom;
    int which = call->row->core.which;
    if (which != THREADS && (which == SRC || which == DST || which >= TV ? !copy : !mma))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s is not for %s",
                            call->row->base.name, mma ? mma->name : copy->name);
    if (which == MNK || which == PERMUTATION || which == TILES)
        return lw_calc_set_tree(which == MNK     ? &mma->mnk
                                : which == TILES ? &of->copy->tiler
                                                 : &of->mma->permutation,
                                out);
    return set_layout(call, NULL,
                      which <= LW_CUTE_C ? &mma->operand[which]
                      : which <= DST     ? &copy->side[which - SRC]
                      : which == VMNK    ? &of->mma->threads
                      : which == TV      ? &of->copy->tv
                      : mma              ? &mma->threads
                                         : &copy->threads,
                      out);
}

/* ---- Descriptors ---- */

static bool read_major(const struct lw_calc_call *call, int i, enum lw_major *major)
{
    const char *name = lw_calc_word(call, i);
    *major = name && !strcmp(name, "MN") ? LW_MAJOR_MN : LW_MAJOR_K;
    return (name && (!strcmp(name, "K") || !strcmp(name, "MN"))) ||
           lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                        "%s: the mode in which the operand is contiguous is Major::K or Major::MN",
                        call->row->base.name);
}

static LW_CALC_RUN(make_descriptor)
{
    enum lw_major major;
    return read_major(call, 0, &major) &&
           lw_descriptor_make(&call->work, (enum lw_descriptor_kind)call->row->core.which, major,
                              lw_calc_cute(call->self), call->calc->bits, 0, &out->as.descriptor);
}

static LW_CALC_RUN(make_instruction)
{
    int scaled = call->row->core.which;
    struct lw_instruction_operands it = {.a_type = lw_calc_word(call, 0),
                                         .b_type = lw_calc_word(call, 1),
                                         .c_type = lw_calc_word(call, 2),
                                         .scale_type = scaled ? lw_calc_word(call, 3) : NULL,
                                         .m = call->args[3 + scaled].node->integer,
                                         .n = call->args[4 + scaled].node->integer};
    if (!it.a_type || !it.b_type || !it.c_type || (scaled && !it.scale_type) ||
        lw_calc_word(call, 3 + scaled) || lw_calc_word(call, 4 + scaled))
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "%s: types are names, M and N are numbers", call->row->base.name);
    return read_major(call, 5 + scaled, &it.a_major) && read_major(call, 6 + scaled, &it.b_major) &&
           lw_instruction_descriptor_make(&it, &out->as.descriptor, call->work.err);
}

static LW_CALC_RUN(make_tensor_map)
{
    const struct lw_cute *shared = lw_calc_cute_at(call, 2);
    const struct lw_cute_tuple *tiler = lw_calc_tree(call, 3);
    const char *element = call->args[4].node ? lw_calc_word(call, 4) : shared->element;
    struct lw_cute_layout tensor;
    if (!layout_of(call, 1, &tensor))
        return false;
    if (!element)
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "make_tma_copy: the element is unknown: make_tma_copy<half_t>(...)");
    return lw_tensor_map_make(&call->work, element, &tensor, shared,
                              tiler ? tiler : &shared->layout.shape, &out->as.tensor_map);
}

/* ---- Rows ---- */

/* clang-format off */

/* A row for each operand of a tiled MMA, M.partition_A(tensor), and for each side of a tiled copy. `param`: the name of
 * its parameter, which is of the form `given`; of the form NOTHING there is none, and it is "". */
#define OPERAND(before, x, after, also, given, param, help, run) \
    {OF_MMA(before #x after, also, param, help), {given}, WHICH(0, TREE, run, LW_CUTE_##x)}
#define OPERANDS(before, after, given, param, help, run) \
    OPERAND(before, A, after, NULL, given, param, help, run), \
    OPERAND(before, B, after, NULL, given, param, "the same of B", run), \
    OPERAND(before, C, after, NULL, given, param, "the same of C", run)
#define SIDE(before, x, after, also, given, param, help, run, side) \
    {OF_COPY(before x after, also, param, help), {given}, WHICH(0, TREE, run, side)}
#define SIDES(before, after, also_s, also_d, given, param, help, run) \
    SIDE(before, "S", after, also_s, given, param, help, run, LW_CUTE_SOURCE), \
    SIDE(before, "D", after, also_d, given, param, "the same of the destination", run, LW_CUTE_DESTINATION)

#define COPY_OF(x, help) \
    {FUNCTION("make_tiled_copy_" #x, "atom, tiled_mma", help), {COPY_ATOM, MMA}, \
     WHICH(0, COPY, make_tiled_copy, OF_OPERAND + LW_CUTE_##x)}
#define PART(name, help, which) {ROW("M.", name, NULL, "", OF_ATOM, help), {NOTHING}, WHICH(0, TREE, part, which)}

/* Source: mma_atom.hpp, copy_atom.hpp, mma_traits_sm90_gmma.hpp and copy_traits_sm90_tma.hpp of CUTLASS 4. */
static const struct lw_calc_row rows[] = {
    {OF_CUTE("make_gmma_desc", "major",
     "the descriptor of wgmma for an operand of one instruction: make_gmma_desc<Major::K>(A)"),
     {WORD}, WHICH(0, DESCRIPTOR, make_descriptor, LW_DESCRIPTOR_WGMMA)},
    {OF_CUTE("make_umma_desc", "major", "the same of tcgen05.mma"),
     {WORD}, WHICH(0, DESCRIPTOR, make_descriptor, LW_DESCRIPTOR_TCGEN05)},
    {FUNCTION("make_instr_desc", "a_type, b_type, c_type, M, N, a_major, b_major",
     "the instruction descriptor of tcgen05.mma"),
     {WORD, WORD, WORD, WORD, WORD, WORD, WORD}, WHICH(0, DESCRIPTOR, make_instruction, 0)},
    {FUNCTION("make_instr_desc_block_scaled", "a, b, c, sf, M, N, a_major, b_major",
     "the same with scales of blocks"),
     {WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD}, WHICH(0, DESCRIPTOR, make_instruction, 1)},
    {FUNCTION("make_tma_copy", "copy_op, gtensor, slayout[, cta_tiler, element]",
     "a tensor map: make_tma_copy<half_t>(SM90_TMA_LOAD{}, tensor, (64,64):(64,1))"),
     {WORD, CUTE, CUTE, TILER, WORD}, RUN(0, TENSOR_MAP, make_tensor_map)},
    {FUNCTION("make_tiled_mma", "op_or_atom[, atom_layout_mnk, permutation_mnk]",
     "an atom, SM80_16x8x16_F32F16F16F32_TN{}, over a layout of atoms"),
     {MMA_ATOM, CUTE, TILER}, RUN(0, MMA, make_tiled_mma)},
    {ALSO_FUNCTION("make_tiled_copy", "make_tiled_copy_tv", "atom, thr_layout[, val_layout]",
     "of threads, each with values; atom: Copy_Atom<UniversalCopy<uint128_t>, half_t>{}"),
     {COPY_ATOM, CUTE, CUTE}, WHICH(0, COPY, make_tiled_copy, OF_THREADS)},
    {FUNCTION("make_tiled_copy_impl", "atom, layout_tv, tiler_mn",
     "of threads and values; in Python, cute.make_tiled_copy"),
     {COPY_ATOM, CUTE, TILER}, WHICH(0, COPY, make_tiled_copy, OF_TV)},
    {FUNCTION("make_cotiled_copy", "atom, atom_layout_tv, data_layout",
     "of threads and values that are offsets of the data"),
     {COPY_ATOM, CUTE, CUTE}, WHICH(0, COPY, make_tiled_copy, OF_DATA)},
    COPY_OF(A, "of the threads and values that a tiled MMA has for A"), COPY_OF(B, "the same of B"),
    COPY_OF(C, "the same of C"),
    {OF_MMA("get_slice", "get_thread_slice", "thr_idx", "a tiled MMA of one thread (ThrMMA)"),
     {NUMBER}, RUN(0, MMA, tiled_slice)},
    OPERANDS("partition_", "", CUTE, "tensor",
     "the part of A that a thread holds, (values, along M, along K), and where it starts", partition),
    OPERANDS("partition_fragment_", "", CUTE, "tensor",
     "the registers for that, as a layout", partition_fragment),
    OPERANDS("make_fragment_", "", CUTE, "part",
     "the registers for a part that partition_A gave", make_fragment),
    OPERANDS("partition_shape_", "", CUTE, "shape",
     "the shape of the part of A that a thread holds", partition_shape),
    OPERANDS("thrfrg_", "", CUTE, "layout",
     "A as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK)))", split),
    OPERAND("get_layout", A, "_TV", "tv_layout_A_tiled", NOTHING, "",
     "threads and values to the elements of the tile of A", threads_and_values),
    OPERAND("get_layout", B, "_TV", "tv_layout_B_tiled", NOTHING, "", "the same of B", threads_and_values),
    OPERAND("get_layout", C, "_TV", "tv_layout_C_tiled", NOTHING, "", "the same of C", threads_and_values),
    OPERANDS("", "", NOTHING, "", "the same over its tile, which views can show; also M.A", over_tile),
    {OF_MMA("get_thr_layout_vmnk", NULL, "", "(ThrV,ThrM,ThrN,ThrK) to threads"),
     {NOTHING}, WHICH(0, TREE, part, VMNK)},
    {OF_MMA("permutation_mnk", NULL, "", "the permutation of M, N and K"),
     {NOTHING}, WHICH(0, TREE, part, PERMUTATION)},
    {OF_MMA("tile_size", "tile_size_mnk", "mode", "the size of the tile along M, N or K; also tile_size<0>(M)"),
     {NUMBER}, RUN(0, TREE, mma_tile_size)},
    {OF_MMA("tile_shape", NULL, "", "the tile (M,N,K)"), {NOTHING}, RUN(0, TREE, mma_tile_shape)},
    {OF_MMA("size", "thr_size", "[mode]", "the number of threads, or that of modes V, M, N, K"),
     {NUMBER}, RUN(0, TREE, thread_count)},
    {OF_COPY("get_slice", "get_thread_slice", "thr_idx", "a tiled copy of one thread (ThrCopy)"),
     {NUMBER}, RUN(0, COPY, tiled_slice)},
    SIDES("partition_", "", NULL, NULL, CUTE, "tensor",
     "the part of the source that a thread holds, ((values, atoms), along M, along N), and where it starts",
     partition),
    SIDES("retile_", "", "retile", NULL, CUTE, "fragment",
     "a fragment of an MMA, (V,M,N), in the modes that this copy has", retile),
    SIDES("tidfrg_", "", NULL, NULL, CUTE, "layout",
     "a tensor as (Thr,(FrgV,FrgX),(RestM,RestN))", split),
    SIDES("get_layout", "_TV", "layout_src_tv_tiled", "layout_dst_tv_tiled", NOTHING, "",
     "threads and values of the source to the elements of the tile", threads_and_values),
    SIDES("", "", NULL, NULL, NOTHING, "", "the same over its tile, which views can show; also T.S", over_tile),
    {OF_COPY("layout_tv_tiled", NULL, "", "the layout of threads and values that the copy was made from"),
     {NOTHING}, WHICH(0, TREE, part, TV)},
    {OF_COPY("tiler_mn", NULL, "", "the tiler"), {NOTHING}, WHICH(0, TREE, part, TILES)},
    {OF_COPY("size", NULL, "", "the number of threads"), {NOTHING}, RUN(0, TREE, thread_count)},
    PART("tv_layout_A", "threads and values of A of the atom", LW_CUTE_A),
    PART("tv_layout_B", "the same of B", LW_CUTE_B), PART("tv_layout_C", "the same of C", LW_CUTE_C),
    PART("layout_src_tv", "threads and values of the source of the atom of a copy", SRC),
    PART("layout_dst_tv", "the same of its destination", DST),
    PART("thr_id", "the threads of the atom to lanes", THREADS),
    PART("shape_mnk", "the shape of the atom of an MMA", MNK),
};
/* clang-format on */

const struct lw_calc_row *lw_calc_tiled_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
