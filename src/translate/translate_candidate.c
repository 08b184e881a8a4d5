/* Triton encodings that may be the layout: they are made, built and compared. */

#include "encoding/triton/cga.h"
#include "translate/translate_parts.h"
#include "core/tile.h"

/* ---- Making candidates ---- */

struct lw_encoding *lw_translate_new_encoding(struct lw_translate_work *work, const char *type)
{
    struct lw_encoding *encoding = lw_encoding_new(work->arena, lw_encoding_type_find(type));
    if (encoding && work->of->encoding)
        encoding->triton = work->of->encoding->triton;
    return encoding;
}

void lw_translate_set(struct lw_encoding *encoding, const char *name, struct lw_value value)
{
    if (encoding)
        lw_encoding_set(encoding, name, &value, NULL);
}

void lw_translate_set_list(struct lw_translate_work *work, struct lw_encoding *encoding,
                           const char *name, const int64_t *numbers, int count)
{
    lw_translate_set(encoding, name, lw_value_integers(work->arena, numbers, (size_t)count));
}

/* A list of lists of one number for each dim. */
static struct lw_value bases_value(struct lw_translate_work *work,
                                   const int64_t (*rows)[LW_DIMS_MAX], int count, int rank)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = (size_t)count};
    list.items = lw_arena_alloc(work->arena, ((size_t)count + 1) * sizeof *list.items);
    for (int i = 0; i < count && list.items; i++)
        list.items[i] = lw_value_integers(work->arena, rows[i], (size_t)rank);
    return list.items ? list : (struct lw_value){0};
}

struct lw_value lw_translate_bases(struct lw_translate_work *work, const struct lw_layout *layout,
                                   int dim)
{
    int64_t rows[LW_BITS_MAX][LW_DIMS_MAX];
    int count = lw_layout_in_log2(layout, dim);
    for (int bit = 0; bit < count; bit++) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(layout, dim, bit, image);
        for (int d = 0; d < layout->out.count; d++)
            rows[bit][d] = (int64_t)image[d];
    }
    return bases_value(work, (const int64_t(*)[LW_DIMS_MAX])rows, count, layout->out.count);
}

void lw_translate_set_bases(struct lw_translate_work *work, struct lw_encoding *encoding,
                            const char *name, int dim)
{
    lw_translate_set(encoding, name, lw_translate_bases(work, &work->layout, dim));
}

/* The in-dim `block` is the last one. */
static int blocks_of(const struct lw_translate_work *work)
{
    return work->layout.in.count - 1;
}

bool lw_translate_block_shape(struct lw_translate_work *work, uint64_t *part)
{
    const struct lw_layout *layout = &work->layout;
    int blocks = blocks_of(work);
    uint64_t seen = 0;
    for (int d = 0; d < layout->out.count; d++)
        part[d] = layout->out.dim[d].size;
    for (int bit = 0; bit < lw_layout_in_log2(layout, blocks); bit++) {
        uint64_t image[LW_DIMS_MAX];
        uint64_t basis = layout->basis[lw_layout_in_shift(layout, blocks) + bit];
        lw_layout_basis(layout, blocks, bit, image);
        for (int d = 0; d < layout->out.count; d++)
            if (image[d] && !(basis & seen))
                part[d] /= 2;
        seen |= basis;
    }
    for (int d = 0; d < layout->out.count; d++)
        if (!part[d])
            return false;
    return true;
}

bool lw_translate_set_blocks(struct lw_translate_work *work, struct lw_encoding *encoding)
{
    const struct lw_layout *layout = &work->layout;
    int blocks = blocks_of(work), count = lw_layout_in_log2(layout, blocks);
    uint64_t part[LW_DIMS_MAX];
    if (count == 0)
        return true;
    if (!lw_translate_block_shape(work, part))
        return false;
    struct lw_dims in = {0}, out = layout->out;
    struct lw_layout cga;
    for (int d = 0; d < out.count; d++)
        out.dim[d].size /= part[d];
    if (!lw_dims_add(&in, "block", (uint64_t)1 << count, NULL) ||
        !lw_layout_of_dims(&cga, &in, &out, NULL))
        return false;
    for (int bit = 0; bit < count; bit++) {
        uint64_t image[LW_DIMS_MAX];
        lw_layout_basis(layout, blocks, bit, image);
        for (int d = 0; d < layout->out.count; d++)
            image[d] /= part[d];
        if (!lw_layout_set_basis(&cga, 0, bit, image, NULL))
            return false;
    }
    return lw_cga_set(work->arena, encoding, &cga);
}

/* ---- Accepting ---- */

bool lw_translate_is_original(const struct lw_translate_work *work,
                              const struct lw_encoding *encoding)
{
    return work->of->encoding && encoding && work->of->encoding->type == encoding->type;
}

bool lw_translate_accept(struct lw_translate_work *work, const struct lw_encoding *encoding,
                         struct lw_translate_encodings *found)
{
    struct lw_map map;
    struct lw_layout layout;
    enum lw_translate_space space;
    struct lw_tensor tensor = *work->of->tensor;
    if (!encoding || found->count == LW_TRANSLATIONS_MAX)
        return false;
    tensor.rank = work->of->map->out.count;
    for (int d = 0; d < tensor.rank; d++)
        tensor.shape[d] = work->of->map->out.dim[d].size;
    tensor.alloc_rank = 0;
    if (!lw_encoding_check_version(encoding, NULL) ||
        !lw_encoding_build(encoding, &tensor, &map, NULL))
        return false;
    if (work->linear ? !lw_translate_normalize(&map, work->of->lanes, &layout, &space, NULL) ||
                           !lw_layout_equal(&layout, &work->layout)
                     : !lw_translate_same_layout(&map, work->of->map, work->of->lanes, 1 << 16))
        return false;
    for (int i = 0; i < found->count; i++)
        if (lw_encoding_equal(found->at[i], encoding))
            return true;
    found->at[found->count++] = encoding;
    return true;
}
