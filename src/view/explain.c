/* Explaining a spot: the owners of the element and why, line by line. The arithmetic of a linear map is in
 * bits and xor, that of a mixed-radix map in digits. */

#include "view/view_parts.h"
#include "core/map_kinds.h"

#include <string.h>

/* ---- Lines ---- */

struct lw_text *lw_explanation_line(struct lw_explanation *e, const char *label)
{
    struct lw_line *line = &e->line[e->count < LW_LINES_MAX ? e->count++ : LW_LINES_MAX - 1];
    line->label = label;
    lw_text_clear(&line->text);
    return &line->text;
}

void lw_explanation_free(struct lw_explanation *explanation)
{
    for (int i = 0; i < LW_LINES_MAX; i++)
        lw_text_free(&explanation->line[i].text);
    memset(explanation, 0, sizeof *explanation);
}

/* In fewer columns than NARROW each term has its own line when two do not fit. */
enum { TERM_COLUMNS = 64, NARROW_COLUMNS = 40 };

/* Adds a term to the explanation: on the last line, when that has the same label and room. */
static void add_term(struct lw_explanation *e, const char *label, const struct lw_text *term)
{
    struct lw_line *last = e->count ? &e->line[e->count - 1] : NULL;
    bool first = !last || strcmp(last->label, label) != 0;
    const char *string = lw_text_string(term);
    bool narrow = e->columns && e->columns < NARROW_COLUMNS;
    size_t max = narrow || e->columns > TERM_COLUMNS ? e->columns : TERM_COLUMNS;
    for (int i = 0; first && i < e->count; i++)
        first = strcmp(e->line[i].label, label) != 0;
    if (last && !first && last->text.length + 5 + term->length <= max)
        lw_text_format(&last->text, "     %s", string);
    else
        lw_text_add(lw_explanation_line(e, first ? label : ""), string);
}

static void number(struct lw_text *text, const char *before, uint64_t n)
{
    lw_text_add(text, before);
    lw_text_number(text, n);
}

/* ---- Owners ---- */

static void held_by(struct lw_explanation *e, const struct lw_subject *subject, const uint64_t *in,
                    uint64_t owners)
{
    const struct lw_dims *dims = &subject->map.in;
    struct lw_text *text = lw_explanation_line(e, "held by");
    uint64_t thread, lane, warp;
    lw_put_hardware_index(text, dims, in);
    if (lw_dims_size(dims, "warp") > 1 && lw_subject_field(subject, "thread", in, NULL, &thread)) {
        number(text, " (thread ", thread);
        lw_text_char(text, ')');
    } else if (lw_dims_size(dims, "thread") > subject->lanes &&
               lw_subject_field(subject, "lane", in, NULL, &lane) &&
               lw_subject_field(subject, "warp", in, NULL, &warp)) {
        number(text, " (lane ", lane);
        number(text, " of warp ", warp);
        lw_text_char(text, ')');
    }
    if (owners > 1) {
        number(text, ", one of ", owners);
        lw_text_add(text, " owners");
    }
}

/* ---- Linear: bits and xor ---- */

/* "lane 14 = 0b01110: " */
static void begin_term(struct lw_text *text, const struct lw_dim *dim, uint64_t index)
{
    lw_text_add(text, lw_dim_title(dim));
    number(text, " ", index);
    lw_text_add(text, " = ");
    lw_put_binary(text, index, dim->size);
    lw_text_add(text, ": ");
}

/* Adds a term for each index that is not 0, "lane 14 = 0b01110: (0,4) ^ (1,0) ^ (2,0)", and their xor. */
static void explain_forward(struct lw_explanation *e, const struct lw_layout *layout,
                            const uint64_t *in, const uint64_t *out)
{
    struct lw_text term = {0};
    uint64_t image[LW_DIMS_MAX];
    bool terms = false;
    for (int d = layout->in.count - 1; d >= 0; d--) {
        if (!in[d])
            continue;
        lw_text_clear(&term);
        begin_term(&term, &layout->in.dim[d], in[d]);
        const char *between = "";
        for (int b = 0; b < lw_layout_in_log2(layout, d); b++)
            if (in[d] >> b & 1) {
                lw_layout_basis(layout, d, b, image);
                lw_text_add(&term, between);
                lw_put_element(&term, layout->out.count, image);
                between = " ^ ";
            }
        add_term(e, "because", &term);
        terms = true;
    }
    lw_text_clear(&term);
    lw_text_add(&term, "all xored: ");
    lw_put_element(&term, layout->out.count, out);
    if (terms &&
        lw_log2(lw_dims_flatten(&layout->in, in)) < 0) /* of one bit its basis explains all */
        add_term(e, "because", &term);
    lw_text_free(&term);
}

/* The bits of each index of the element and the hardware bits that they come from: "dim0 3 = 0b0011: register=2 ^
 * lane=8" */
static void explain_backward(struct lw_explanation *e, const struct lw_map *map,
                             const uint64_t *out)
{
    const struct lw_layout *layout = &map->as.linear.layout;
    struct lw_text term = {0};
    uint64_t in[LW_DIMS_MAX], least = 0;
    for (int d = 0; d < map->out.count && lw_map_is_surjective(map); d++) {
        if (!out[d])
            continue;
        lw_text_clear(&term);
        begin_term(&term, &layout->out.dim[d], out[d]);
        const char *between = "";
        for (int b = 0; b < lw_layout_out_log2(layout, d); b++)
            if (out[d] >> b & 1) {
                uint64_t bit = (uint64_t)1 << (lw_layout_out_shift(layout, d) + b);
                lw_solver_solve(&map->as.linear.solver, bit, &least);
                lw_dims_unflatten(&layout->in, least, in);
                lw_text_add(&term, between);
                lw_put_bits(&term, &layout->in, in);
                between = " ^ ";
            }
        add_term(e, "and back", &term);
    }
    lw_text_free(&term);
}

/* ---- Mixed radix: digits ---- */

/* The modes of a dim from the greatest stride down: the next after `before`, NULL after the last. */
static const struct lw_mode *next_mode(const struct lw_map *map, int dim, bool output,
                                       const struct lw_mode *before)
{
    const struct lw_mode *next = NULL;
    uint64_t below = before ? (output ? before->out_stride : before->in_stride) : UINT64_MAX;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        uint64_t stride = output ? m->out_stride : m->in_stride;
        if (m->size > 1 && (output ? m->out_dim : m->in_dim) == dim && stride < below &&
            (!next || stride > (output ? next->out_stride : next->in_stride)))
            next = m;
    }
    return next;
}

/* "3 = i0 % 8": a digit of a hardware index, computed from the element. */
static void put_digit(struct lw_text *text, const struct lw_map *map, const struct lw_mode *m,
                      uint64_t digit)
{
    lw_text_number(text, digit);
    if (m->out_dim < 0) {
        number(text, " is copy ", digit);
        number(text, " of ", m->size);
        return;
    }
    lw_text_format(text, " = i%d", m->out_dim);
    if (m->out_stride > 1)
        number(text, " / ", m->out_stride);
    if (m->out_stride * m->size < map->out.dim[m->out_dim].size)
        number(text, " % ", m->size);
}

/* Adds each hardware index as its digits, computed from the element, "thread 14 = 3*4 + 2: 3 = i0 % 8, 2 = i1 / 2", and
 * each index of the element as the digits of the hardware index, "i0 5 = 1*4 (local) + 1 (thread)". */
static void explain_mixed(struct lw_explanation *e, const struct lw_map *map, const uint64_t *in,
                          const uint64_t *out)
{
    struct lw_text term = {0};
    for (int d = map->in.count - 1; d >= 0; d--) {
        const char *before = " = ";
        lw_text_clear(&term);
        lw_text_add(&term, lw_dim_title(&map->in.dim[d]));
        number(&term, " ", in[d]);
        for (const struct lw_mode *m = NULL; (m = next_mode(map, d, false, m)) != NULL;) {
            number(&term, before, in[d] / m->in_stride % m->size);
            if (m->in_stride > 1)
                number(&term, "*", m->in_stride);
            before = " + ";
        }
        lw_text_add(&term, next_mode(map, d, false, NULL) ? "" : ": there is only one");
        before = ":  ";
        for (const struct lw_mode *m = NULL; (m = next_mode(map, d, false, m)) != NULL;) {
            lw_text_add(&term, before);
            put_digit(&term, map, m, in[d] / m->in_stride % m->size);
            before = ", ";
        }
        add_term(e, "because", &term);
    }
    for (int d = 0; d < map->out.count; d++) {
        const char *before = " = ";
        lw_text_clear(&term);
        lw_text_format(&term, "i%d", d);
        number(&term, " ", out[d]);
        for (const struct lw_mode *m = NULL; (m = next_mode(map, d, true, m)) != NULL;) {
            number(&term, before, out[d] / m->out_stride % m->size);
            if (m->out_stride > 1)
                number(&term, "*", m->out_stride);
            lw_text_format(&term, " (%s)", lw_dim_title(&map->in.dim[m->in_dim]));
            before = " + ";
        }
        add_term(e, "and back", &term);
    }
    lw_text_free(&term);
}

/* ---- Shared memory ---- */

static void in_shared(struct lw_explanation *e, const struct lw_subject *subject,
                      const uint64_t *in, uint64_t offset)
{
    static const struct {
        const char *field, *shown;
    } parts[] = {{"byte", "byte"}, {"bank", "bank"}, {"line", "row"}, {"phase", "phase"}};
    struct lw_text *text = lw_explanation_line(e, "in shared");
    uint64_t value;
    number(text, "offset ", offset);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_subject_field(subject, parts[i].field, in, NULL, &value))
            lw_text_format(text, ", %s %llu", parts[i].shown, (unsigned long long)value);
    if (!lw_subject_element_is_set(subject))
        lw_text_format(text, "; assumed: elements of %d bits", subject->tensor.element.bits);
}

/* Adds the offset without the swizzle, and the bits that the swizzle flips. */
static void swizzle(struct lw_explanation *e, const struct lw_map *map, uint64_t offset)
{
    uint64_t all, flips = lw_swizzle_flips(map, offset, &all);
    uint64_t size = lw_dims_size(&map->in, "offset");
    if (!all)
        return;
    struct lw_text *text = lw_explanation_line(e, "swizzle");
    number(text, "unswizzled offset ", offset ^ flips);
    lw_text_add(text, " = ");
    lw_put_binary(text, offset ^ flips, size);
    lw_text_add(text, " ^ ");
    lw_put_binary(text, flips, size);
    lw_text_add(text, " = ");
    lw_put_binary(text, offset, size);
    number(text, " = ", offset);
}

/* ---- Padding and tables ---- */

/* "offset 8 = 4 + 4/2*1 + 4/4*2" */
static void padding(struct lw_explanation *e, const struct lw_map *map, uint64_t padded)
{
    struct lw_text *text = lw_explanation_line(e, "padding");
    uint64_t plain;
    if (!lw_map_unpad(map, padded, &plain)) {
        lw_text_add(text, "no element is at this offset");
        return;
    }
    number(text, "offset ", padded);
    number(text, " = ", plain);
    for (int i = 0; i < map->as.padded.count; i++) {
        number(text, " + ", plain);
        number(text, "/", map->as.padded.padding[i].interval);
        number(text, "*", map->as.padded.padding[i].size);
    }
}

/* "(1,1) of the table of 2 x 4, repeated at (0,4)" */
static void explain_table(struct lw_explanation *e, const struct lw_map *map, const uint64_t *out)
{
    uint64_t cell[LW_DIMS_MAX], corner[LW_DIMS_MAX];
    if (map->as.table.element) /* nothing is repeated */
        return;
    struct lw_text *text = lw_explanation_line(e, "because");
    for (int d = 0; d < map->out.count; d++) {
        cell[d] = out[d] % map->as.table.shape[d];
        corner[d] = out[d] - cell[d];
    }
    lw_put_element(text, map->out.count, cell);
    lw_text_add(text, " of the table");
    for (int d = 0; d < map->out.count; d++)
        number(text, d ? " x " : " of ", map->as.table.shape[d]);
    lw_text_add(text, ", repeated at ");
    lw_put_element(text, map->out.count, corner);
}

/* "2 * 8 + 1 * 1 = 17": the digits that are not 0, each times its stride. */
static void explain_sum(struct lw_explanation *e, const struct lw_map *map, const uint64_t *in,
                        const uint64_t *out)
{
    const struct lw_strides *sum = &map->as.strided.sum;
    const uint64_t *point = sum->memory ? out : in;
    struct lw_text *line = lw_explanation_line(e, sum->memory ? "offset" : "element");
    uint64_t total = sum->constant;
    bool some = sum->constant > 0;
    if (some)
        lw_text_number(line, sum->constant);
    for (int i = 0; i < sum->count; i++) {
        const struct lw_stride *m = &sum->mode[i];
        uint64_t digit = point[m->dim] / m->divisor % m->size;
        if (!digit || !m->stride)
            continue;
        lw_text_format(line, "%s%llu * %llu", some ? " + " : "", (unsigned long long)digit,
                       (unsigned long long)m->stride);
        total += digit * m->stride;
        some = true;
    }
    lw_text_format(line, "%s%llu", some ? " = " : "", (unsigned long long)total);
    if (sum->bits && in[0] != total)
        lw_text_format(line, ", swizzled %llu", (unsigned long long)in[0]);
}

/* ---- All together ---- */

void lw_explain(const struct lw_subject *subject, const struct lw_spot *spot,
                struct lw_explanation *explanation)
{
    const struct lw_map *map = &subject->map;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX] = {0};
    int offset = lw_dims_find(&map->in, "offset");
    uint64_t plain[LW_DIMS_MAX] = {0};
    explanation->count = 0;
    bool held = false;
    if (spot->has_in) {
        memcpy(in, spot->in, (size_t)map->in.count * sizeof *in);
        held = lw_map_apply(map, in, out);
    } else {
        memcpy(out, spot->out, (size_t)map->out.count * sizeof *out);
        held = spot->has_out && lw_map_owner(map, out, 0, in);
    }
    bool hole = !held && spot->has_in && lw_is_hardware_index(map, in);
    uint64_t owners = held ? lw_map_owner_count(map, out) : 0;
    if (held)
        held_by(explanation, subject, in, owners);
    else if (hole)
        lw_text_add(lw_explanation_line(explanation, "holds"),
                    "nothing: this index holds no element");
    else if (!spot->has_in && spot->has_out)
        lw_text_add(lw_explanation_line(explanation, "held by"),
                    "none: no hardware index holds this element");
    if (offset >= 0 && (held || hole)) {
        in_shared(explanation, subject, in, in[offset]);
        swizzle(explanation, map, in[offset]);
    }
    if (map->kind == LW_MAP_PADDED && (held || hole))
        padding(explanation, map, in[map->as.padded.dim]);
    memcpy(plain, in, sizeof plain);
    if (held && map->kind == LW_MAP_LINEAR) {
        explain_forward(explanation, &map->as.linear.layout, in, out);
        explain_backward(explanation, map, out);
    } else if (held && map->kind == LW_MAP_MIXED) {
        explain_mixed(explanation, map, in, out);
    } else if (held && map->kind == LW_MAP_TABLE) {
        explain_table(explanation, map, out);
    } else if (held && map->kind == LW_MAP_STRIDED) {
        explain_sum(explanation, map, in, out);
    } else if (held && lw_map_unpad(map, in[map->as.padded.dim], &plain[map->as.padded.dim])) {
        explain_forward(explanation, &map->as.padded.layout, plain, out);
    }
    if (owners > 1) {
        struct lw_text *text = lw_explanation_line(explanation, "copies");
        lw_text_add(text, map->kind == LW_MAP_LINEAR  ? "xor with any of "
                          : map->kind == LW_MAP_MIXED ? "from the first owner: "
                                                      : "");
        lw_put_copies(text, map);
    }
}

void lw_view_explain(const struct lw_view *view, uint64_t row, uint64_t col,
                     struct lw_explanation *explanation)
{
    struct lw_spot spot;
    explanation->count = 0;
    if (view->type->explain)
        view->type->explain(view, row, col, explanation);
    else if (view->type->spot && view->type->spot(view, row, col, &spot))
        lw_explain(view->subject, &spot, explanation);
}
