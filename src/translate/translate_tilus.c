/*
 * Translation to tilus: the modes of a layout, and the shortest product of local, spatial, their
 * column_ forms and replicated that makes it.
 *
 * Each factor removes modes from the ends of the two lists, at most one of each dim and in the order of the dims. So
 * the state of the search is two counts, and all pairs of counts are tried. Every product is computed and compared.
 * Source: tilus 0.2.0, module tilus.ir.layout.
 */

#include "encoding/tilus/tilus.h"
#include "translate/translate_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- The modes ---- */

/* A digit and the number of its mode in the layout, the most significant first. */
struct numbered {
    struct lw_mode digit;
    int number;
};

static int by_divisor(const void *a, const void *b)
{
    const struct lw_mode *s = &((const struct numbered *)a)->digit;
    const struct lw_mode *t = &((const struct numbered *)b)->digit;
    if (s->out_dim != t->out_dim)
        return s->out_dim < t->out_dim ? -1 : 1;
    return s->out_stride > t->out_stride ? -1 : s->out_stride < t->out_stride;
}

static int by_position(const void *a, const void *b)
{
    uint64_t s = ((const struct numbered *)a)->digit.in_stride;
    uint64_t t = ((const struct numbered *)b)->digit.in_stride;
    return s > t ? -1 : s < t;
}

/* The digits of each dim must cover all its indices. */
static bool check_held(struct lw_translate_work *work, const struct numbered *modes, int count)
{
    const struct lw_dims *out = &work->of->map->out;
    for (int d = 0; d < out->count; d++) {
        uint64_t reached = 1;
        for (int i = count - 1; i >= 0; i--)
            if (modes[i].digit.out_dim == d && modes[i].digit.out_stride == reached)
                reached *= modes[i].digit.size;
        if (reached < out->dim[d].size)
            return lw_translate_fail(work,
                                     "no thread holds the element with %s = %llu, and a tilus "
                                     "layout covers every element",
                                     out->dim[d].name, (unsigned long long)reached);
    }
    return true;
}

static bool layout_of(struct lw_translate_work *work, const struct lw_translate_digits *digits,
                      struct lw_tilus *out)
{
    struct numbered modes[LW_MODES_MAX];
    struct lw_tilus made = {0};
    for (int i = 0; i < digits->count; i++) {
        if (digits->mode[i].out_dim < 0 && digits->mode[i].in_dim == 0)
            return lw_translate_fail(work,
                                     "register %llu holds what register 0 holds, and in tilus only "
                                     "threads hold copies",
                                     (unsigned long long)digits->mode[i].in_stride);
        modes[i].digit = digits->mode[i];
    }
    qsort(modes, (size_t)digits->count, sizeof *modes, by_divisor);
    if (!check_held(work, modes, digits->count))
        return false;
    for (int d = 0; d < work->of->map->out.count; d++)
        lw_sizes_push(&made.shape, (int64_t)work->of->map->out.dim[d].size);
    for (int i = 0; i < digits->count; i++) {
        modes[i].number = made.mode_shape.count;
        if (modes[i].digit.out_dim >= 0)
            lw_sizes_push(&made.mode_shape, (int64_t)modes[i].digit.size);
        else
            modes[i].number = -(int)modes[i].digit.size;
    }
    qsort(modes, (size_t)digits->count, sizeof *modes, by_position);
    for (int i = 0; i < digits->count; i++) {
        struct lw_sizes *list = modes[i].digit.in_dim ? &made.spatial_modes : &made.local_modes;
        int last = list->count - 1;
        if (modes[i].number < 0 && last >= 0 && list->at[last] < 0)
            list->at[last] *= -modes[i].number; /* adjacent copies are merged */
        else
            lw_sizes_push(list, modes[i].number);
    }
    return lw_tilus_make(out, &made, work->err);
}

/* ---- The chain ---- */

enum factor_kind { LOCAL, COLUMN_LOCAL, SPATIAL, COLUMN_SPATIAL, COPIES, KINDS };

static const struct {
    const char *name;
    bool spatial, column;
} kinds[KINDS] = {
    [LOCAL] = {"local", false, false},      [COLUMN_LOCAL] = {"column_local", false, true},
    [SPATIAL] = {"spatial", true, false},   [COLUMN_SPATIAL] = {"column_spatial", true, true},
    [COPIES] = {"replicated", true, false},
};

struct factor {
    enum factor_kind kind;
    int count; /* modes that are removed from the end of its list */
};

struct chain {
    const struct lw_tilus *layout;
    const struct lw_sizes *list[2]; /* its local and its spatial modes */
    int start[LW_MODES_MAX + 1];    /* the first mode of each dim */
    /* For each pair of counts: how many factors are needed, and the last one. */
    unsigned char cost[LW_MODES_MAX + 1][LW_MODES_MAX + 1];
    struct factor last[LW_MODES_MAX + 1][LW_MODES_MAX + 1];
};

#define NO_CHAIN 255

static int dim_of(const struct chain *chain, int64_t mode)
{
    int dim = 0;
    while (mode >= chain->start[dim + 1])
        dim++;
    return dim;
}

/* Whether a mode is the least significant one of its dim among the first left[0] local and left[1]
 * spatial ones. */
static bool is_last(const struct chain *chain, int64_t mode, const int *left)
{
    int64_t end = chain->start[dim_of(chain, mode) + 1];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < left[k]; i++)
            if (chain->list[k]->at[i] > mode && chain->list[k]->at[i] < end)
                return false;
    return true;
}

/* The most modes that a factor of that kind can remove. */
static int reach_of(const struct chain *chain, enum factor_kind kind, const int *left)
{
    const struct lw_sizes *list = chain->list[kinds[kind].spatial];
    int last = left[kinds[kind].spatial] - 1, count = 0, before = -1;
    if (kind == COPIES)
        return last >= 0 && list->at[last] < 0;
    for (; count <= last; count++) {
        int64_t mode = list->at[last - count];
        if (mode < 0 || !is_last(chain, mode, left))
            break;
        int dim = dim_of(chain, mode);
        if (count && (kinds[kind].column ? dim <= before : dim >= before))
            break;
        before = dim;
    }
    return kinds[kind].column && count == 1 ? 0 : count;
}

static void find_chain(struct chain *chain)
{
    for (int l = 0; l <= chain->list[0]->count; l++)
        for (int s = 0; s <= chain->list[1]->count; s++) {
            const int left[2] = {l, s};
            chain->cost[l][s] = l + s ? NO_CHAIN : 0;
            for (enum factor_kind kind = LOCAL; kind < KINDS; kind++) {
                int count = reach_of(chain, kind, left);
                unsigned rest =
                    kinds[kind].spatial ? chain->cost[l][s - count] : chain->cost[l - count][s];
                if (!count || rest == NO_CHAIN || rest + 1 >= chain->cost[l][s])
                    continue;
                chain->cost[l][s] = (unsigned char)(rest + 1);
                chain->last[l][s] = (struct factor){kind, count};
            }
        }
}

static void put_call(struct lw_text *text, const char *name, const struct lw_sizes *sizes,
                     int64_t copies)
{
    lw_text_format(text, "%s(", name);
    for (int d = 0; d < sizes->count; d++)
        lw_text_format(text, "%s%lld", d ? ", " : "", (long long)sizes->at[d]);
    if (copies)
        lw_text_format(text, "%snum_workers=%lld", sizes->count ? ", " : "", (long long)copies);
    lw_text_char(text, ')');
}

/* Writes a factor, and makes it. */
static bool make_factor(const struct chain *chain, struct factor factor, const int *left,
                        struct lw_text *text, struct lw_tilus *out)
{
    bool spatial = kinds[factor.kind].spatial;
    struct lw_sizes sizes = {.count = chain->layout->shape.count}, ranks = sizes;
    int64_t copies = 0;
    for (int d = 0; d < sizes.count; d++) {
        sizes.at[d] = 1;
        ranks.at[d] = sizes.count - 1 - d;
    }
    for (int i = 1; i <= factor.count; i++) {
        int64_t mode = chain->list[spatial]->at[left[spatial] - i];
        if (mode < 0)
            copies = -mode;
        else
            sizes.at[dim_of(chain, mode)] = chain->layout->mode_shape.at[mode];
    }
    put_call(text, kinds[factor.kind].name, &sizes, copies);
    const struct lw_sizes *order = kinds[factor.kind].column ? &ranks : NULL;
    return copies    ? lw_tilus_replicated(out, &sizes, copies, NULL)
           : spatial ? lw_tilus_spatial(out, &sizes, order, NULL)
                     : lw_tilus_local(out, &sizes, order, NULL);
}

/* Writes the factors and multiplies them. Copies have no method, so with them all factors are joined by operators. A
 * layout of one element has no modes: its factor has only sizes of 1. */
static bool write_chain(const struct chain *chain, struct lw_text *text, struct lw_tilus *product)
{
    struct factor factors[2 * LW_MODES_MAX] = {{LOCAL, 0}};
    int left[2 * LW_MODES_MAX + 1][2] = {{chain->list[0]->count, chain->list[1]->count}}, count = 0;
    const char *sign = ".";
    for (; left[count][0] + left[count][1] > 0; count++) {
        factors[count] = chain->last[left[count][0]][left[count][1]];
        memcpy(left[count + 1], left[count], sizeof *left);
        left[count + 1][kinds[factors[count].kind].spatial] -= factors[count].count;
        sign = factors[count].kind == COPIES ? " * " : sign;
    }
    count += count == 0;
    for (int i = count - 1; i >= 0; i--) {
        struct lw_tilus factor;
        lw_text_add(text, i < count - 1 ? sign : "");
        if (!make_factor(chain, factors[i], left[i], text, &factor) ||
            (i < count - 1 && !lw_tilus_compose(&factor, product, &factor, NULL)))
            return false;
        *product = factor;
    }
    return true;
}

static bool add_chain(struct lw_translate_work *work, const struct lw_tilus *layout,
                      struct lw_translations *translations)
{
    struct chain *chain = lw_arena_alloc(work->arena, sizeof *chain);
    struct lw_tilus product;
    struct lw_text text = {0};
    if (!chain)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    *chain = (struct chain){.layout = layout};
    chain->list[0] = &layout->local_modes;
    chain->list[1] = &layout->spatial_modes;
    lw_tilus_groups(layout, layout->shape.count, chain->start);
    find_chain(chain);
    if (chain->cost[layout->local_modes.count][layout->spatial_modes.count] != NO_CHAIN &&
        write_chain(chain, &text, &product) && lw_tilus_equal(&product, layout))
        return lw_translate_add(work, translations, &text);
    lw_text_free(&text);
    return true;
}

/* ---- Shared memory: a named layout if one matches, and the modes with their strides ---- */

/* Whether a tilus layout is the layout. */
static bool is_it(const struct lw_translate_work *work, const struct lw_tilus_shared *layout)
{
    struct lw_map map;
    return lw_tilus_shared_to_map(layout, &map, NULL) &&
           lw_translate_same_layout(&map, work->of->map, work->of->lanes, 1 << 16);
}

static bool add_named(struct lw_translate_work *work, const struct lw_sizes *shape,
                      struct lw_translations *translations)
{
    struct lw_tilus_shared layout;
    struct lw_text text = {0};
    int bytes = work->of->tensor->element.bits / 8;
    if (lw_tilus_shared_row_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_row_major", shape, 0);
    else if (lw_tilus_shared_column_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_column_major", shape, 0);
    else if (bytes > 0 && lw_tilus_shared_row_major_swizzle(&layout, shape, bytes, NULL) &&
             is_it(work, &layout)) {
        lw_text_add(&text, "shared_row_major_swizzle(shape=");
        lw_sizes_print(&text, "", shape);
        lw_text_format(&text, ", dtype_nbytes=%d)", bytes);
    }
    return !text.length || lw_translate_add(work, translations, &text);
}

static bool add_shared(struct lw_translate_work *work, struct lw_translations *translations)
{
    const struct lw_dims *out = &work->of->map->out;
    struct lw_translate_sums sums;
    struct lw_tilus_shared made = {0}, layout;
    struct lw_text text = {0};
    if (!lw_translate_need_block(work) || !lw_translate_sums(work, &sums))
        return false;
    if (sums.constant)
        return lw_translate_fail(work,
                                 "a constant is added to every offset, and in tilus element 0 is "
                                 "at offset 0");
    if (sums.swizzle.bits && sums.swizzle.shift < 0)
        return lw_translate_fail(work,
                                 "the swizzle xors low bits into high ones, and that of tilus "
                                 "high ones into low ones");
    for (int d = 0; d < out->count; d++) {
        lw_sizes_push(&made.shape, (int64_t)out->dim[d].size);
        for (int i = sums.dim[d].count - 1; i >= 0; i--) {
            lw_sizes_push(&made.mode_shape, sums.dim[d].size[i]);
            lw_sizes_push(&made.mode_strides, sums.dim[d].stride[i]);
        }
    }
    made.swizzled = sums.swizzle.bits > 0;
    made.swizzle =
        (struct lw_tilus_swizzle){sums.swizzle.base, sums.swizzle.bits, sums.swizzle.shift};
    if (!lw_tilus_shared_make(&layout, &made, work->err) ||
        !add_named(work, &made.shape, translations))
        return false;
    lw_tilus_shared_print(&text, &layout, true);
    return lw_translate_add(work, translations, &text);
}

/* Whether tilus 0.2.0 accepts the notation that the layout was written in: `repeat` is the old
 * name of local, and SharedLayout is printed only. */
static bool is_current(const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    bool current = strcmp(type->name, "repeat") != 0 && strcmp(type->name, "SharedLayout") != 0;
    for (size_t i = 0; i < type->param_count && current; i++)
        current = encoding->params[i].kind != LW_VALUE_ENCODING ||
                  is_current(encoding->params[i].encoding);
    return current;
}

bool lw_translate_to_tilus(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_translate_digits digits;
    struct lw_tilus layout;
    const struct lw_encoding *own = work->of->encoding;
    struct lw_text text = {0};
    if (!lw_translate_need_elements(work))
        return false;
    if (own && own->type->spelling == LW_SPELLING_CALL) {
        lw_encoding_print(&text, own);
        if (!is_current(own))
            lw_text_free(&text);
        else if (!lw_translate_add(work, translations, &text))
            return false;
    }
    if (work->space == LW_TRANSLATE_MEMORY) {
        int bits = work->of->tensor->element.bits, made = own ? lw_encoding_element_bits(own) : 0;
        if (made && bits && made != bits) { /* a swizzle for other elements than the tensor's */
            text = (struct lw_text){0};
            lw_text_format(&text, "the layout is for elements of %d bits, but these have %d", made,
                           bits);
            if (!lw_translate_set_remark(work, &text, translations))
                return false;
        }
        return add_shared(work, translations) || translations->count;
    }
    if (!lw_translate_need_block(work) || !lw_translate_digits(work, &digits) ||
        !layout_of(work, &digits, &layout))
        return false;
    text = (struct lw_text){0};
    lw_tilus_print(&text, &layout, true);
    return add_chain(work, &layout, translations) && lw_translate_add(work, translations, &text);
}
