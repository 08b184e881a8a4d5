/* bases: any linear layout, as `bases --json` prints it. Source: LinearLayout of Triton 3.7. */

#include "encoding/triton/linear_bases.h"
#include "encoding/schema/schema.h"
#include "core/array_count.h"
#include "core/tile.h"
#include "encoding/schema/types.h"

#include <string.h>

static const struct lw_param params[] = {
    {.name = "in",
     .type = LW_PARAM_DIMS,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = LW_NUMBER_MAX,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "the input dims in order with their sizes; without it they follow from the bases"},
    {.name = "out",
     .type = LW_PARAM_DIMS,
     .rules = LW_RULE_POWER_OF_TWO,
     .min = 1,
     .max = LW_NUMBER_MAX,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "the output dims in order with their sizes; without it dim0, dim1, ..., as small as "
             "the bases allow"},
    {.name = "bases",
     .type = LW_PARAM_NAMED_BASES,
     .max = LW_NUMBER_MAX,
     .help = "for each input dim, the images of its bits, bit 0 first"},
    {.name = "surjective",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "states that every element is covered; refused when it is not true"},
    {.name = "injective",
     .type = LW_PARAM_BOOLEAN,
     .fallback = LW_DEFAULT_ABSENT,
     .help = "states that no element has two owners; refused when it is not true"},
};

/* The bases of an input dim, NULL when no dim has that name. */
static const struct lw_value *bases_of(const struct lw_value *bases, const char *name)
{
    for (size_t i = 0; i < bases->count; i++)
        if (!strcmp(bases->names[i], name))
            return &bases->items[i];
    return NULL;
}

static bool read_dims(const struct lw_value *list, struct lw_dims *dims, struct lw_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct lw_value *pair = list->items[i].items;
        if (!lw_dims_add(dims, pair[0].string, (uint64_t)pair[1].integer, err))
            return false;
    }
    return true;
}

static uint64_t size_of(const struct lw_value *list)
{
    return list->count > 62 ? 0 : (uint64_t)1 << list->count;
}

/* Sizes that are set must be those of the bases. */
static bool agree(const struct lw_value *bases, const struct lw_dims *in, struct lw_error *err)
{
    for (size_t i = 0; i < bases->count; i++)
        if (lw_dims_find(in, bases->names[i]) < 0)
            return lw_error_about(err, "bases", bases->position, "bases: `in` has no dim '%.24s'",
                                  bases->names[i]);
    for (int d = 0; d < in->count; d++) {
        const struct lw_value *list = bases_of(bases, in->dim[d].name);
        if ((list ? size_of(list) : 1) != in->dim[d].size)
            return lw_error_about(err, "bases", bases->position,
                                  "bases: there are %zu of %s, but its size in `in` needs %d",
                                  list ? list->count : 0, in->dim[d].name,
                                  lw_log2(in->dim[d].size));
    }
    return true;
}

static bool read_ins(const struct lw_encoding *encoding, struct lw_dims *dims, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    const struct lw_value *value = lw_encoding_value(encoding, "in");
    if (value)
        return read_dims(value, dims, err) && agree(bases, dims, err);
    for (size_t i = 0; i < bases->count; i++)
        if (!lw_dims_add(dims, bases->names[i], size_of(&bases->items[i]), err))
            return false;
    return true;
}

/* The count of numbers in each basis: -1 when there is no basis, -2 when they differ. */
static int basis_length(const struct lw_value *bases)
{
    int length = -1;
    for (size_t i = 0; i < bases->count; i++) {
        if (bases->items[i].count == 0)
            continue;
        int own = (int)bases->items[i].items[0].count;
        if (length >= 0 && own != length)
            return -2;
        length = own;
    }
    return length;
}

static bool read_outs(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_dims *dims, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    const struct lw_value *value = lw_encoding_value(encoding, "out");
    uint64_t sizes[LW_RANK_MAX];
    int length = basis_length(bases);
    if (length == -2)
        return lw_error_about(err, "bases", bases->position,
                              "bases: each basis must have as many numbers as there are dims");
    if (value) {
        if (!read_dims(value, dims, err))
            return false;
        return length < 0 || length == dims->count ||
               lw_error_about(err, "bases", bases->position,
                              "bases: each has %d numbers, but `out` has %d dims", length,
                              dims->count);
    }
    int rank = length >= 0 ? length : tensor->rank >= 0 ? tensor->rank : 0;
    for (int d = 0; d < rank; d++)
        sizes[d] = 1;
    for (size_t i = 0; i < bases->count; i++)
        lw_grow_to_bases(&bases->items[i], sizes, rank);
    for (int d = 0; d < rank && tensor->rank == rank; d++)
        sizes[d] = sizes[d] < tensor->shape[d] ? tensor->shape[d] : sizes[d];
    return lw_dims_of_shape(dims, sizes, rank, err);
}

static bool read_layout(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_layout *layout, struct lw_error *err)
{
    const struct lw_value *bases = lw_encoding_value(encoding, "bases");
    struct lw_dims in = {0}, out = {0};
    if (!read_ins(encoding, &in, err) || !read_outs(encoding, tensor, &out, err) ||
        !lw_layout_of_dims(layout, &in, &out, err))
        return false;
    for (int d = 0; d < in.count; d++)
        if (!lw_set_bases(layout, d, bases_of(bases, in.dim[d].name), err))
            return false;
    return true;
}

/* `surjective` and `injective` must be true when they are set: of the layout when it has that rank. */
static bool check_remark(const struct lw_encoding *encoding, const char *name,
                         const struct lw_layout *layout, int rank, struct lw_error *err)
{
    return !lw_encoding_is_set(encoding, name) ||
           lw_encoding_boolean(encoding, name) == (lw_layout_rank(layout) == rank) ||
           lw_refuse(err, encoding, name, "not true of the bases");
}

static bool check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_error *err)
{
    struct lw_layout layout;
    struct lw_error why = {0};
    if (!read_layout(encoding, tensor, &layout, &why)) {
        if (!why.parameter[0])
            strcpy(why.parameter, "bases");
        if (!why.position.line)
            why.position = lw_encoding_value(encoding, "bases")->position;
        if (err)
            *err = why;
        return false;
    }
    if (!check_remark(encoding, "surjective", &layout, lw_layout_out_bits(&layout), err) ||
        !check_remark(encoding, "injective", &layout, lw_layout_in_bits(&layout), err))
        return false;
    bool fits = tensor->rank < 0 || tensor->rank == layout.out.count;
    for (int d = 0; fits && d < tensor->rank; d++)
        fits = tensor->shape[d] == layout.out.dim[d].size;
    if (fits)
        return true;
    uint64_t own[LW_DIMS_MAX];
    struct lw_text sizes = {0};
    for (int d = 0; d < layout.out.count; d++)
        own[d] = layout.out.dim[d].size;
    lw_print_shape(&sizes, own, layout.out.count);
    lw_refuse_shape(err, tensor, "the bases are of %s", lw_text_string(&sizes));
    lw_text_free(&sizes);
    return false;
}

static bool build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                  struct lw_map *map, struct lw_error *err)
{
    struct lw_layout layout;
    if (!read_layout(encoding, tensor, &layout, err))
        return false;
    lw_map_from_layout(map, &layout);
    return true;
}

bool lw_bases_of_object(const struct lw_value *object, struct lw_layout *layout)
{
    struct lw_value values[LW_COUNT(params)] = {0};
    struct lw_encoding encoding = {.type = &lw_encoding_bases, .params = values};
    struct lw_tensor tensor;
    struct lw_text why = {0};
    enum lw_code code;
    bool legal = true;
    for (size_t i = 0; i < object->count; i++) {
        int index = lw_encoding_param(&encoding, object->names[i]);
        if (index < 0)
            return false;
        values[index] = object->items[i];
    }
    for (size_t i = 0; legal && i < LW_COUNT(params); i++)
        legal = values[i].kind == LW_VALUE_NONE
                    ? params[i].fallback != LW_DEFAULT_REQUIRED
                    : lw_value_legal(&why, &code, &params[i], &values[i], -1, -1);
    lw_text_free(&why);
    lw_tensor_unknown(&tensor);
    return legal && read_layout(&encoding, &tensor, layout, NULL) &&
           check_remark(&encoding, "surjective", layout, lw_layout_out_bits(layout), NULL) &&
           check_remark(&encoding, "injective", layout, lw_layout_in_bits(layout), NULL);
}

const struct lw_encoding_type lw_encoding_bases = {
    .name = "bases",
    .title = "any linear layout",
    .about = "A linear layout between dims of any names, written out as bases: what `bases --json` "
             "prints and the calculator works with. Any bases are legal: elements may be "
             "held several times or not at all.",
    .example = "{\"bases\": {\"register\": [[0, 1], [0, 2]], \"lane\": [[1, 1], [2, 2]]}}",
    LW_ATTRIBUTE_ROW(LW_FAMILY_PLAIN, params, check, build),
};
