/* Explaining a spot: who holds the element and why, line by line. The arithmetic of a linear map is in
 * bits and xor, that of a mixed-radix map in digits. */

#include "view/view_parts.h"

#include <string.h>

/* ---- Lines ---- */

/* The next line, empty; the last one again when there are too many. */
static struct lw_text *next_line(struct lw_explanation *e, const char *label)
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

static void number(struct lw_text *text, const char *before, uint64_t n)
{
    lw_text_add(text, before);
    lw_text_number(text, n);
}

/* ---- Who holds it ---- */

static void held_by(struct lw_explanation *e, const struct lw_subject *subject, const uint64_t *in,
                    uint64_t owners)
{
    static const char *const derived[] = {"thread", "lane", "warp"};
    const struct lw_dims *dims = &subject->map.in;
    struct lw_text *text = next_line(e, "held by");
    uint64_t value;
    lw_put_place(text, dims, in);
    for (size_t i = 0; i < 3; i++)
        if (lw_dims_find(dims, derived[i]) < 0 &&
            lw_subject_field(subject, derived[i], in, NULL, &value) &&
            (i > 0 || lw_dims_size(dims, "warp") > 1))
            lw_text_format(text, " %s %s %llu", i < 2 ? "=" : "of", derived[i],
                           (unsigned long long)value);
    if (owners > 1)
        lw_text_format(text, ", one of %llu places", (unsigned long long)owners);
}

/* Which places hold copies: those that differ by any of these. */
static void copies(struct lw_explanation *e, const struct lw_map *map)
{
    struct lw_text *text = next_line(e, "copies");
    uint64_t in[LW_DIMS_MAX];
    bool linear = map->kind == LW_MAP_LINEAR;
    lw_text_add(text, linear ? "xor the place with any of " : "add to the place any multiple of ");
    for (int i = 0; i < lw_replication_count(map); i++) {
        lw_replication_place(map, i, in);
        lw_text_add(text, i ? ", " : "");
        lw_put_bits(text, &map->in, in);
        for (int m = 0, seen = 0; !linear && m < map->as.mixed.count; m++) {
            const struct lw_mode *mode = &map->as.mixed.mode[m];
            if (mode->out_dim < 0 && mode->size > 1 && seen++ == i)
                lw_text_format(text, " (%llu of them)", (unsigned long long)mode->size);
        }
    }
}

/* ---- Linear: bits and xor ---- */

/* "lane 14 = 0b01110: (0,4) ^ (1,0) ^ (2,0)" */
static void forward_line(struct lw_text *text, const struct lw_layout *layout, int dim,
                         uint64_t index)
{
    uint64_t image[LW_DIMS_MAX];
    bool some = false;
    lw_text_add(text, layout->in.dim[dim].name);
    number(text, " ", index);
    lw_text_add(text, " = ");
    lw_put_binary(text, index, layout->in.dim[dim].size);
    lw_text_add(text, ": ");
    for (int b = 0; b < lw_layout_in_log2(layout, dim); b++)
        if (index >> b & 1) {
            lw_layout_basis(layout, dim, b, image);
            lw_text_add(text, some ? " ^ " : "");
            lw_put_element(text, layout->out.count, image);
            some = true;
        }
}

/* One line for each index that is not 0, and what they come to. */
static void explain_forward(struct lw_explanation *e, const struct lw_layout *layout,
                            const uint64_t *in, const uint64_t *out)
{
    struct lw_text *text = NULL;
    int terms = 0;
    for (int d = 0; d < layout->in.count; d++)
        if (in[d]) {
            text = next_line(e, terms++ ? "" : "because");
            forward_line(text, layout, d, in[d]);
        }
    if (terms == 0) {
        text = next_line(e, "because");
        lw_text_add(text, "every index is 0, and 0 goes to ");
    } else if (terms == 1) {
        lw_text_add(text, " = ");
    } else {
        text = next_line(e, "");
        lw_text_add(text, "all xored: ");
    }
    lw_put_element(text, layout->out.count, out);
}

/* "dim0 3 = 0b0011: register=2 ^ lane=8" */
static void backward_index(struct lw_text *text, const struct lw_map *map, int dim, uint64_t index)
{
    const struct lw_layout *layout = &map->as.linear.layout;
    uint64_t in[LW_DIMS_MAX], least = 0;
    bool some = false;
    lw_text_add(text, text->length ? "     " : "");
    lw_text_add(text, layout->out.dim[dim].name);
    number(text, " ", index);
    lw_text_add(text, " = ");
    lw_put_binary(text, index, layout->out.dim[dim].size);
    lw_text_add(text, ": ");
    for (int b = 0; b < lw_layout_out_log2(layout, dim); b++)
        if (index >> b & 1) {
            uint64_t bit = (uint64_t)1 << (lw_layout_out_shift(layout, dim) + b);
            lw_solver_solve(&map->as.linear.solver, bit, &least);
            lw_dims_unflatten(&layout->in, least, in);
            lw_text_add(text, some ? " ^ " : "");
            lw_put_bits(text, &layout->in, in);
            some = true;
        }
}

/* The bits of each index of the element and the places that they come from. */
static void explain_backward(struct lw_explanation *e, const struct lw_map *map,
                             const uint64_t *out)
{
    struct lw_text *text = NULL;
    if (!lw_map_is_surjective(map))
        return;
    for (int d = 0; d < map->out.count; d++)
        if (out[d]) {
            if (!text)
                text = next_line(e, "and back");
            backward_index(text, map, d, out[d]);
        }
}

/* ---- Mixed radix: digits ---- */

/* The next mode of a dim from the least stride up; NULL after the last. */
static const struct lw_mode *next_mode(const struct lw_map *map, int dim, bool output,
                                       const struct lw_mode *before)
{
    const struct lw_mode *next = NULL;
    uint64_t below = before ? (output ? before->out_stride : before->in_stride) : 0;
    for (int i = 0; i < map->as.mixed.count; i++) {
        const struct lw_mode *m = &map->as.mixed.mode[i];
        uint64_t stride = output ? m->out_stride : m->in_stride;
        if (m->size > 1 && (output ? m->out_dim : m->in_dim) == dim && stride > below &&
            (!next || stride < (output ? next->out_stride : next->in_stride)))
            next = m;
    }
    return next;
}

/* "i1 / 3 % 4 = 2", as short as the mode allows. */
static void put_digit(struct lw_text *text, const struct lw_map *map, const struct lw_mode *m,
                      const uint64_t *out)
{
    lw_text_format(text, "i%d", m->out_dim);
    if (m->out_stride > 1)
        number(text, "/", m->out_stride);
    if (m->out_stride * m->size < map->out.dim[m->out_dim].size)
        number(text, "%", m->size);
    number(text, "=", out[m->out_dim] / m->out_stride % m->size);
}

/* "thread 14 = 3*4 + 2, of i0%8=3, i1/2=2" */
static void explain_number(struct lw_explanation *e, const struct lw_map *map, int dim,
                           const char *label, const uint64_t *in, const uint64_t *out)
{
    struct lw_text *text = next_line(e, label);
    bool some = false;
    lw_text_add(text, map->in.dim[dim].name);
    number(text, " ", in[dim]);
    for (const struct lw_mode *m = NULL; (m = next_mode(map, dim, false, m)) != NULL;) {
        lw_text_add(text, some ? " + " : " = ");
        number(text, "", in[dim] / m->in_stride % m->size);
        if (m->in_stride > 1)
            number(text, "*", m->in_stride);
        some = true;
    }
    if (!some)
        lw_text_add(text, ": there is only one");
    some = false;
    for (const struct lw_mode *m = NULL; (m = next_mode(map, dim, false, m)) != NULL;) {
        lw_text_add(text, some ? ", " : ":  ");
        if (m->out_dim < 0)
            lw_text_format(text, "copy %llu of %llu",
                           (unsigned long long)(in[dim] / m->in_stride % m->size),
                           (unsigned long long)m->size);
        else
            put_digit(text, map, m, out);
        some = true;
    }
}

/* "i0 = 5 = 1*4 + 1": how the places' digits make up the index again. */
static void explain_index(struct lw_text *text, const struct lw_map *map, int dim,
                          const uint64_t *out)
{
    bool some = false;
    lw_text_format(text, "%si%d = ", text->length ? "     " : "", dim);
    lw_text_number(text, out[dim]);
    for (const struct lw_mode *m = NULL; (m = next_mode(map, dim, true, m)) != NULL;) {
        lw_text_add(text, some ? " + " : " = ");
        number(text, "", out[dim] / m->out_stride % m->size);
        if (m->out_stride > 1)
            number(text, "*", m->out_stride);
        lw_text_format(text, " (%s)", map->in.dim[m->in_dim].name);
        some = true;
    }
}

static void explain_mixed(struct lw_explanation *e, const struct lw_map *map, const uint64_t *in,
                          const uint64_t *out)
{
    for (int d = map->in.count - 1; d >= 0; d--)
        explain_number(e, map, d, d == map->in.count - 1 ? "because" : "", in, out);
    if (map->out.count) {
        struct lw_text *text = next_line(e, "and back");
        for (int d = 0; d < map->out.count; d++)
            explain_index(text, map, d, out);
    }
}

/* ---- Shared memory ---- */

static void in_shared(struct lw_explanation *e, const struct lw_subject *subject,
                      const uint64_t *in, uint64_t offset)
{
    static const struct {
        const char *field, *shown;
    } parts[] = {{"byte", "byte"}, {"bank", "bank"}, {"line", "row"}, {"phase", "phase"}};
    struct lw_text *text = next_line(e, "in shared");
    uint64_t value;
    number(text, "offset ", offset);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_subject_field(subject, parts[i].field, in, NULL, &value))
            lw_text_format(text, ", %s %llu", parts[i].shown, (unsigned long long)value);
}

/* The offset that the element would have without swizzle, and what the swizzle does to it. */
static void swizzle(struct lw_explanation *e, const struct lw_map *map, const uint64_t *out,
                    uint64_t offset)
{
    int minor = lw_minor_dim(map);
    uint64_t plain = 0, bits;
    struct lw_text *text;
    if (map->kind != LW_MAP_LINEAR || minor < 0 || lw_dims_size(&map->in, "block") > 1)
        return;
    for (int i = 0; i < map->out.count; i++)
        if (i != minor)
            plain = plain * map->out.dim[i].size + out[i];
    plain = plain * map->out.dim[minor].size + out[minor];
    bits = lw_dims_size(&map->in, "offset");
    text = next_line(e, "swizzle");
    number(text, "in order of rows offset ", plain);
    lw_text_add(text, " = ");
    lw_put_binary(text, plain, bits);
    if (plain == offset) {
        lw_text_add(text, ": left as it is");
        return;
    }
    lw_text_add(text, " ^ ");
    lw_put_binary(text, plain ^ offset, bits);
    lw_text_add(text, " = ");
    lw_put_binary(text, offset, bits);
    number(text, " = ", offset);
}

/* ---- All together ---- */

/* Finds the place and the element of a spot; false when there is nothing to explain. */
static bool settle(const struct lw_subject *subject, const struct lw_spot *spot, uint64_t *in,
                   uint64_t *out)
{
    const struct lw_map *map = &subject->map;
    if (spot->has_in) {
        memcpy(in, spot->in, (size_t)map->in.count * sizeof *in);
        return lw_map_apply(map, in, out);
    }
    memcpy(out, spot->out, (size_t)map->out.count * sizeof *out);
    return spot->has_out && lw_map_owner(map, out, 0, in);
}

void lw_explain(const struct lw_subject *subject, const struct lw_spot *spot,
                struct lw_explanation *explanation)
{
    const struct lw_map *map = &subject->map;
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX] = {0};
    explanation->count = 0;
    if (!settle(subject, spot, in, out)) {
        if (spot->has_out)
            lw_text_add(next_line(explanation, "held by"),
                        "nobody: no place of the hardware has this element");
        return;
    }
    int offset = lw_dims_find(&map->in, "offset");
    uint64_t owners = lw_map_owner_count(map, out);
    held_by(explanation, subject, in, owners);
    if (offset >= 0) {
        in_shared(explanation, subject, in, in[offset]);
        swizzle(explanation, map, out, in[offset]);
    }
    if (map->kind == LW_MAP_LINEAR) {
        explain_forward(explanation, &map->as.linear.layout, in, out);
        explain_backward(explanation, map, out);
    } else {
        explain_mixed(explanation, map, in, out);
    }
    if (owners > 1)
        copies(explanation, map);
}
