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
    const struct lw_mode *digit;
    int number;
};

static int by_divisor(const void *a, const void *b)
{
    const struct lw_mode *s = ((const struct numbered *)a)->digit;
    const struct lw_mode *t = ((const struct numbered *)b)->digit;
    if (s->out_dim != t->out_dim)
        return s->out_dim < t->out_dim ? -1 : 1;
    return s->out_stride > t->out_stride ? -1 : s->out_stride < t->out_stride;
}

static int by_position(const void *a, const void *b)
{
    uint64_t s = ((const struct numbered *)a)->digit->in_stride;
    uint64_t t = ((const struct numbered *)b)->digit->in_stride;
    return s > t ? -1 : s < t;
}

/* The digits of each dim must cover all its indices. */
static bool check_held(struct lw_translate_work *work, const struct numbered *modes, int count)
{
    const struct lw_dims *out = &work->of->map->out;
    for (int d = 0; d < out->count; d++) {
        uint64_t reached = 1;
        for (int i = count - 1; i >= 0; i--)
            if (modes[i].digit->out_dim == d && modes[i].digit->out_stride == reached)
                reached *= modes[i].digit->size;
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
        modes[i].digit = &digits->mode[i];
    }
    qsort(modes, (size_t)digits->count, sizeof *modes, by_divisor);
    if (!check_held(work, modes, digits->count))
        return false;
    for (int d = 0; d < work->of->map->out.count; d++)
        lw_sizes_push(&made.shape, (int64_t)work->of->map->out.dim[d].size);
    for (int i = 0; i < digits->count; i++) {
        modes[i].number = made.mode_shape.count;
        if (modes[i].digit->out_dim >= 0)
            lw_sizes_push(&made.mode_shape, (int64_t)modes[i].digit->size);
        else
            modes[i].number = -(int)modes[i].digit->size;
    }
    qsort(modes, (size_t)digits->count, sizeof *modes, by_position);
    for (int i = 0; i < digits->count; i++) {
        struct lw_sizes *list = modes[i].digit->in_dim ? &made.spatial_modes : &made.local_modes;
        int last = list->count - 1;
        if (modes[i].number < 0 && last >= 0 && list->at[last] < 0)
            list->at[last] *= -modes[i].number; /* adjacent copies are merged */
        else
            lw_sizes_push(list, modes[i].number);
    }
    return lw_tilus_make(out, &made, work->err);
}

/* ---- The chain ---- */

enum link_kind { LINK_LOCAL, LINK_COLUMN_LOCAL, LINK_SPATIAL, LINK_COLUMN_SPATIAL, LINK_COPIES };

static const char *const link_names[] = {"local", "column_local", "spatial", "column_spatial",
                                         "replicated"};

struct link {
    enum link_kind kind;
    int count; /* modes that are removed from the end of its list */
};

struct chain {
    const struct lw_tilus *layout;
    int start[LW_MODES_MAX + 1]; /* the first mode of each dim */
    int locals, spatials;
    /* For each pair of counts: how many factors are needed, and the last one. */
    unsigned char cost[LW_MODES_MAX + 1][LW_MODES_MAX + 1];
    struct link last[LW_MODES_MAX + 1][LW_MODES_MAX + 1];
};

#define NO_CHAIN 255

static int dim_of(const struct chain *chain, int64_t mode)
{
    int dim = 0;
    while (mode >= chain->start[dim + 1])
        dim++;
    return dim;
}

/* Whether a mode is among the first `locals` and `spatials` ones. */
static bool is_left(const struct chain *chain, int64_t mode, int locals, int spatials)
{
    for (int i = 0; i < locals; i++)
        if (chain->layout->local_modes.at[i] == mode)
            return true;
    for (int i = 0; i < spatials; i++)
        if (chain->layout->spatial_modes.at[i] == mode)
            return true;
    return false;
}

/* Whether it is the least significant remaining mode of its dim. */
static bool is_last(const struct chain *chain, int64_t mode, int locals, int spatials)
{
    int dim = dim_of(chain, mode);
    for (int64_t next = mode + 1; next < chain->start[dim + 1]; next++)
        if (is_left(chain, next, locals, spatials))
            return false;
    return true;
}

/* The most modes that a factor of that kind can remove. */
static int reach_of(const struct chain *chain, enum link_kind kind, int locals, int spatials)
{
    bool spatial = kind >= LINK_SPATIAL;
    bool column = kind == LINK_COLUMN_LOCAL || kind == LINK_COLUMN_SPATIAL;
    const struct lw_sizes *list =
        spatial ? &chain->layout->spatial_modes : &chain->layout->local_modes;
    int left = spatial ? spatials : locals, count = 0, before = -1;
    if (kind == LINK_COPIES)
        return left > 0 && list->at[left - 1] < 0;
    for (; count < left; count++) {
        int64_t mode = list->at[left - 1 - count];
        if (mode < 0 || !is_last(chain, mode, locals, spatials))
            break;
        int dim = dim_of(chain, mode);
        if (count && (column ? dim <= before : dim >= before))
            break;
        before = dim;
    }
    return count;
}

static void consider(struct chain *chain, int locals, int spatials, enum link_kind kind)
{
    int count = reach_of(chain, kind, locals, spatials);
    bool spatial = kind >= LINK_SPATIAL;
    if (!count || (count == 1 && (kind == LINK_COLUMN_LOCAL || kind == LINK_COLUMN_SPATIAL)))
        return;
    unsigned rest =
        chain->cost[spatial ? locals : locals - count][spatial ? spatials - count : spatials];
    if (rest == NO_CHAIN || rest + 1 >= chain->cost[locals][spatials])
        return;
    chain->cost[locals][spatials] = (unsigned char)(rest + 1);
    chain->last[locals][spatials] = (struct link){kind, count};
}

static void find_chain(struct chain *chain)
{
    for (int l = 0; l <= chain->locals; l++)
        for (int s = 0; s <= chain->spatials; s++) {
            chain->cost[l][s] = l + s ? NO_CHAIN : 0;
            for (enum link_kind kind = LINK_LOCAL; kind <= LINK_COPIES; kind++)
                consider(chain, l, s, kind);
        }
}

/* The sizes of a factor, one for each dim. Returns the number of copies, 0 for other kinds. */
static int64_t sizes_of(const struct chain *chain, struct link link, int locals, int spatials,
                        struct lw_sizes *sizes)
{
    bool spatial = link.kind >= LINK_SPATIAL;
    const struct lw_sizes *list =
        spatial ? &chain->layout->spatial_modes : &chain->layout->local_modes;
    int left = spatial ? spatials : locals;
    sizes->count = chain->layout->shape.count;
    for (int d = 0; d < sizes->count; d++)
        sizes->at[d] = 1;
    if (link.kind == LINK_COPIES)
        return -list->at[left - 1];
    for (int i = 0; i < link.count; i++) {
        int64_t mode = list->at[left - 1 - i];
        sizes->at[dim_of(chain, mode)] = chain->layout->mode_shape.at[mode];
    }
    return 0;
}

static bool make_link(struct lw_tilus *out, struct link link, const struct lw_sizes *sizes,
                      int64_t copies)
{
    struct lw_sizes ranks = {.count = sizes->count};
    for (int d = 0; d < sizes->count; d++)
        ranks.at[d] = sizes->count - 1 - d;
    if (link.kind == LINK_COPIES)
        return lw_tilus_replicated(out, sizes, copies, NULL);
    if (link.kind == LINK_LOCAL || link.kind == LINK_COLUMN_LOCAL)
        return lw_tilus_local(out, sizes, link.kind == LINK_LOCAL ? NULL : &ranks, NULL);
    return lw_tilus_spatial(out, sizes, link.kind == LINK_SPATIAL ? NULL : &ranks, NULL);
}

/* Writes the factors and multiplies them. Copies have no method, so with them all factors are
 * joined by operators. */
static bool write_chain(const struct chain *chain, struct lw_text *text, struct lw_tilus *product)
{
    struct link links[2 * LW_MODES_MAX];
    int at[2 * LW_MODES_MAX][2], count = 0;
    bool operators = false;
    for (int l = chain->locals, s = chain->spatials; l + s > 0; count++) {
        struct link link = chain->last[l][s];
        links[count] = link;
        at[count][0] = l;
        at[count][1] = s;
        operators = operators || link.kind == LINK_COPIES;
        *(link.kind >= LINK_SPATIAL ? &s : &l) -= link.count;
    }
    for (int i = count - 1; i >= 0; i--) {
        struct lw_sizes sizes;
        struct lw_tilus factor;
        int64_t copies = sizes_of(chain, links[i], at[i][0], at[i][1], &sizes);
        lw_text_format(text, "%s%s(",
                       i == count - 1 ? ""
                       : operators    ? " * "
                                      : ".",
                       link_names[links[i].kind]);
        for (int d = 0; d < sizes.count; d++)
            lw_text_format(text, "%s%lld", d ? ", " : "", (long long)sizes.at[d]);
        if (copies)
            lw_text_format(text, "%snum_workers=%lld", sizes.count ? ", " : "", (long long)copies);
        lw_text_char(text, ')');
        if (!make_link(&factor, links[i], &sizes, copies) ||
            (i < count - 1 && !lw_tilus_compose(&factor, product, &factor, NULL)))
            return false;
        *product = factor;
    }
    return count > 0;
}

static bool add_chain(struct lw_translate_work *work, const struct lw_tilus *layout,
                      struct lw_translations *translations)
{
    struct chain *chain = lw_arena_alloc(work->arena, sizeof *chain);
    struct lw_tilus product;
    struct lw_text text = {0};
    if (!chain)
        return lw_error_set(work->err, LW_ERROR_MEMORY, "out of memory");
    chain->layout = layout;
    chain->locals = layout->local_modes.count;
    chain->spatials = layout->spatial_modes.count;
    lw_tilus_groups(layout, layout->shape.count, chain->start);
    find_chain(chain);
    if (chain->cost[chain->locals][chain->spatials] != NO_CHAIN &&
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

static void put_call(struct lw_text *text, const char *name, const struct lw_sizes *shape)
{
    lw_text_format(text, "%s(", name);
    for (int d = 0; d < shape->count; d++)
        lw_text_format(text, "%s%lld", d ? ", " : "", (long long)shape->at[d]);
    lw_text_char(text, ')');
}

static bool add_named(struct lw_translate_work *work, const struct lw_sizes *shape,
                      struct lw_translations *translations)
{
    struct lw_tilus_shared layout;
    struct lw_text text = {0};
    int bytes = work->of->tensor->element.bits / 8;
    if (lw_tilus_shared_row_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_row_major", shape);
    else if (lw_tilus_shared_column_major(&layout, shape, NULL) && is_it(work, &layout))
        put_call(&text, "shared_column_major", shape);
    else if (bytes > 0 && lw_tilus_shared_row_major_swizzle(&layout, shape, bytes, NULL) &&
             is_it(work, &layout)) {
        lw_text_add(&text, "shared_row_major_swizzle(shape=");
        lw_sizes_print(&text, shape);
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
    lw_tilus_shared_print_call(&text, &layout);
    return lw_translate_add(work, translations, &text);
}

/* ---- All of them ---- */

static bool add_lists(struct lw_translate_work *work, const struct lw_tilus *layout,
                      struct lw_translations *translations)
{
    struct lw_text text = {0};
    lw_text_add(&text, "register_layout(shape=");
    lw_sizes_print(&text, &layout->shape);
    lw_text_add(&text, ", mode_shape=");
    lw_sizes_print(&text, &layout->mode_shape);
    lw_text_add(&text, ", spatial_modes=");
    lw_sizes_print(&text, &layout->spatial_modes);
    lw_text_add(&text, ", local_modes=");
    lw_sizes_print(&text, &layout->local_modes);
    lw_text_char(&text, ')');
    return lw_translate_add(work, translations, &text);
}

/* Adds a layout of one element, which has no modes and so no factors. */
static bool add_single(struct lw_translate_work *work, const struct lw_tilus *layout,
                       struct lw_translations *translations)
{
    struct lw_text text = {0};
    lw_text_add(&text, "local(");
    for (int d = 0; d < layout->shape.count; d++)
        lw_text_format(&text, "%s1", d ? ", " : "");
    lw_text_char(&text, ')');
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

/* Adds a remark when a swizzle is made for another element size than the tensor's. */
static bool remark_element(struct lw_translate_work *work, struct lw_translations *translations)
{
    struct lw_text text = {0};
    int bits = work->of->tensor->element.bits;
    int own = work->of->encoding ? lw_encoding_element_bits(work->of->encoding) : 0;
    if (!own || !bits || own == bits)
        return true;
    lw_text_format(&text, "the layout is for elements of %d bits, but these have %d", own, bits);
    return lw_translate_set_remark(work, &text, translations);
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
    if (work->space == LW_TRANSLATE_MEMORY)
        return remark_element(work, translations) &&
               (add_shared(work, translations) || translations->count);
    if (work->space == LW_TRANSLATE_OTHER)
        return lw_translate_need_linear(work);
    if (!lw_translate_need_block(work) || !lw_translate_digits(work, &digits) ||
        !layout_of(work, &digits, &layout))
        return false;
    bool single = !layout.local_modes.count && !layout.spatial_modes.count;
    return (single ? add_single(work, &layout, translations)
                   : add_chain(work, &layout, translations)) &&
           add_lists(work, &layout, translations);
}
