/* The descriptors of a whole operand in shared memory: which part of it one instruction reads, and where the
 * parts of the others are. Source: DescriptorIterator of mma_traits_sm90_gmma.hpp in CUTLASS 4, which adds offsets
 * without the swizzle to the start address. */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

/* Whether a mode has adjacent elements. */
static bool is_adjacent(const struct lw_cute_layout *layout)
{
    for (int i = 0; i < layout->shape.count; i++) {
        struct lw_cute_layout mode = lw_cute_mode(layout, i);
        if (is_adjacent(&mode))
            return true;
    }
    return layout->shape.count < 0 && layout->stride.value == 1 && layout->shape.value > 1;
}

/* The operand as ((mn, k), (rest, rest, ...)). */
static bool cut(struct lw_cute_work *work, const struct lw_cute *operand, int64_t mn, int64_t k,
                struct lw_cute_layout *tile, struct lw_cute_layout *rest)
{
    struct lw_cute_layout divided, sides[2] = {lw_cute_leaf(mn, 1, true), lw_cute_leaf(k, 1, true)};
    struct lw_cute_tuple tiler;
    if (!lw_cute_pair(work, lw_cute_tiler_of(work, &sides[0]), lw_cute_tiler_of(work, &sides[1]),
                      &tiler) ||
        !lw_cute_divide(work, &operand->layout, &tiler, LW_CUTE_ZIPPED, &divided))
        return false;
    *tile = lw_cute_mode(&divided, 0);
    *rest = lw_cute_mode(&divided, 1);
    return true;
}

/* The descriptor when an instruction reads `out->mn` x `out->k`. */
static bool try_size(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                     const struct lw_cute *operand, uint64_t address,
                     struct lw_operand_descriptor *out)
{
    struct lw_cute part = *operand;
    struct lw_cute_layout rest;
    return cut(work, operand, out->mn, out->k, &part.layout, &rest) &&
           lw_matrix_descriptor_make(work, kind, out->major, &part, out->bits, address,
                                     &out->descriptor) &&
           lw_cute_upcast(work, &rest, 128 / out->bits, &out->next) &&
           lw_matrix_descriptor_layout(work, &out->descriptor, out->major, out->bits, out->mn,
                                       out->k, &out->canonical);
}

bool lw_operand_descriptor_find(struct lw_cute_work *work, enum lw_descriptor_kind kind,
                                const struct lw_cute *operand, int bits, uint64_t address,
                                struct lw_operand_descriptor *out)
{
    static const int64_t sizes[] = {256, 128, 64, 32, 16, 8};
    struct lw_error scratch, first = {0};
    struct lw_cute_work own = {
        .arena = work->arena, .err = work->err ? work->err : &scratch, .rules = LW_CUTE_VALUES};
    int rank = lw_cute_rank(&operand->layout.shape);
    if (rank < 2)
        return lw_error_set(own.err, LW_ERROR_UNSUPPORTED,
                            "not canonical: an operand has modes M or N, and K; this layout has 1");
    struct lw_cute_layout rows = lw_cute_mode(&operand->layout, 0);
    struct lw_cute_layout columns = lw_cute_mode(&operand->layout, 1);
    int64_t mn = lw_cute_size(&rows), k = lw_cute_size(&columns);
    *out = (struct lw_operand_descriptor){.bits = operand->pointer ? operand->pointer : bits};
    if (out->bits < 4 || out->bits > 128) /* lw_matrix_descriptor_make has the message */
        return lw_matrix_descriptor_make(&own, kind, out->major, operand, bits, address,
                                         &out->descriptor);
    out->major = is_adjacent(&rows) && !is_adjacent(&columns) ? LW_MAJOR_MN : LW_MAJOR_K;
    out->k = k > 256 / out->bits ? 256 / out->bits : k;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        out->mn = mn < sizes[0] && !i ? mn : sizes[i];
        if (out->mn > mn || (i && out->mn == mn))
            continue;
        if (try_size(&own, kind, operand, address, out))
            return true;
        if (own.err->code == LW_ERROR_MEMORY || own.err->code == LW_ERROR_PARAMETER)
            return false;
        if (!first.code)
            first = *own.err;
    }
    *own.err = first;
    if (own.err->code == LW_ERROR_SHAPE)
        own.err->code = LW_ERROR_UNSUPPORTED;
    return false;
}
