/*
 * What an element of an MMA belongs to: the row of A and the column of B that an element of C is made of, or the row or
 * column of C that an element of A or B is used for, each with the lanes that hold it; and what the thread of the
 * element holds of each operand, in the order of its registers.
 */

#include "view/operand/operands.h"

#include <stdlib.h>
#include <string.h>

enum { LANES_MAX = 64, OWNERS_MAX = 1 << 14, REGISTERS_MAX = 1 << 12 };

/* ---- Rows and columns, and the lanes that hold them ---- */

/* A row (else a column) of an operand, as it is drawn. */
struct line {
    const struct lw_operand *operand;
    bool row;
    uint64_t index;
};

static uint64_t lanes_of(const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    return lw_dims_find(in, "lane") >= 0 ? lw_dims_size(in, "lane") : subject->lanes;
}

static uint64_t block_of(const struct lw_subject *subject, const uint64_t *in)
{
    int d = lw_dims_find(&subject->map.in, "block");
    return d < 0 ? 0 : in[d];
}

/* The dim whose index is the same in all of a row, or of a column. */
static int dim_of(const struct lw_operand *operand, bool row)
{
    return operand->turned == row;
}

/* Finds the lanes of a warp that hold some element of a line in a block; 0: the warp does not have all of
 * its elements, or they cannot be counted. An instruction reads the registers of its own warp. */
static uint64_t holders_of(const struct line *line, uint64_t block, uint64_t warp)
{
    const struct lw_subject *subject = line->operand->subject;
    const struct lw_dim *along = &subject->map.out.dim[!dim_of(line->operand, line->row)];
    const uint64_t lanes = lanes_of(subject);
    uint64_t out[LW_DIMS_MAX] = {0}, in[LW_DIMS_MAX], thread, left = OWNERS_MAX, all = 0;
    out[dim_of(line->operand, line->row)] = line->index;
    if (along->size > OWNERS_MAX || lanes < 1 || lanes > LANES_MAX)
        return 0;
    for (uint64_t i = 0; i < along->size; i++) {
        struct lw_owners owners;
        bool has = false;
        out[!dim_of(line->operand, line->row)] = i;
        lw_owners_of(&owners, &subject->map, out);
        if (owners.count > left)
            return 0;
        left -= owners.count;
        for (uint64_t k = 0; k < owners.count; k++) {
            lw_owners_get(&owners, k, in);
            if (!lw_subject_field(subject, "thread", in, out, &thread))
                return 0;
            if (block_of(subject, in) != block || thread / lanes != warp)
                continue;
            all |= (uint64_t)1 << thread % lanes;
            has = true;
        }
        if (!has)
            return 0;
    }
    return all;
}

/* "A row 8: lanes 0-3 of warp 1": those of the warp at `in`; without lanes where it does not have all of the row. */
static void put_line(struct lw_text *text, const struct line *line, const struct lw_subject *user,
                     const uint64_t *in)
{
    const struct lw_operand *operand = line->operand;
    uint64_t thread = 0;
    lw_text_format(text, "%s %s %llu", operand->name, line->row ? "row" : "column",
                   (unsigned long long)line->index);
    if (!operand->subject || operand->memory) {
        lw_text_add(text, ": in memory");
        return;
    }
    if (!lw_subject_field(user, "thread", in, NULL, &thread) || !lanes_of(user))
        return;
    const uint64_t warp = thread / lanes_of(user);
    const uint64_t lanes = holders_of(line, block_of(user, in), warp);
    if (!lanes)
        return;
    lw_text_add(text, lanes & (lanes - 1) ? ": lanes " : ": lane ");
    lw_put_set(text, lanes, LANES_MAX);
    if (lw_dims_size(&user->map.in, "warp") > 1)
        lw_text_format(text, " of warp %llu", (unsigned long long)warp);
}

/* On the line before if it fits. */
static void explain_parts(const struct lw_view *view, const struct lw_spot *spot,
                          struct lw_explanation *explanation)
{
    enum { LABELS = 28 }; /* columns of both labels */
    const struct lw_operands *operands = lw_operands_of(view);
    const struct lw_operand *all = operands->all, *c = &all[LW_MMA_C];
    const struct lw_operand *own = &all[spot->operand ? spot->operand - 1 : operands->own];
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++)
        if (all[i].subject && !all[i].memory && all[i].subject->map.out.count != 2)
            return;
    const bool is_c = own == c;
    const struct line row = {is_c ? &all[LW_MMA_A] : c, true, spot->out[dim_of(own, true)]};
    const struct line column = {is_c ? &all[LW_MMA_B] : c, false, spot->out[dim_of(own, false)]};
    const char *label = is_c ? "needs" : "used for";
    struct lw_line *before = &explanation->line[explanation->count ? explanation->count - 1 : 0];
    struct lw_text text = {0};
    if (own != &all[LW_MMA_B])
        put_line(&text, &row, own->subject, spot->in);
    lw_text_add(&text, is_c ? "; " : "");
    if (own != &all[LW_MMA_A])
        put_line(&text, &column, own->subject, spot->in);
    if (explanation->count && before->text.length + text.length + LABELS <= explanation->columns)
        lw_text_format(&before->text, "   %s %s", label, lw_text_string(&text));
    else
        lw_text_add(lw_explanation_line(explanation, label), lw_text_string(&text));
    lw_text_free(&text);
}

/* ---- The elements of a thread ---- */

/* The hardware index of register number i of the thread at `in`, a hardware index of `dims`, which may be those of
 * another layout; false: there is no such thread, or register. */
static bool register_at(const struct lw_map *map, const struct lw_dims *dims, const uint64_t *in,
                        uint64_t i, uint64_t *own)
{
    static const char *const of_thread[] = {"lane", "warp", "thread", "block"};
    struct lw_dims free = map->in;
    uint64_t thread[LW_DIMS_MAX] = {0}, registers;
    for (size_t n = 0; n < sizeof of_thread / sizeof *of_thread; n++) {
        const int d = lw_dims_find(&free, of_thread[n]), same = lw_dims_find(dims, of_thread[n]);
        if (d < 0 || same < 0)
            continue;
        if (in[same] >= free.dim[d].size)
            return false;
        thread[d] = in[same];
        free.dim[d].size = 1;
    }
    if (!lw_dims_total(&free, &registers, NULL) || i >= registers || registers > REGISTERS_MAX)
        return false;
    lw_dims_unflatten(&free, i, own);
    for (int d = 0; d < free.count; d++)
        own[d] += thread[d];
    return true;
}

bool lw_mma_linked(const struct lw_view *view, const struct lw_spot *spot, int i, uint64_t *out)
{
    const char *name;
    const struct lw_subject *from = lw_operands_layout(view, spot->operand, &name);
    const struct lw_subject *to = lw_operands_layout(view, i + 1, &name);
    uint64_t own[LW_DIMS_MAX];
    return from && to && spot->has_in && register_at(&to->map, &from->map.in, spot->in, 0, own) &&
           lw_map_apply(&to->map, own, out);
}

/* "8 elements: (3,2) (3,3) ...", "4 elements in 8 registers: ...": an element in several registers is one. */
static void put_elements(struct lw_text *text, const struct lw_map *map, const struct lw_dims *dims,
                         const uint64_t *in)
{
    enum { LISTED = 16 };
    uint64_t own[LW_DIMS_MAX], out[LW_DIMS_MAX], registers = 0, count = 0;
    uint64_t *seen = calloc(REGISTERS_MAX, sizeof *seen);
    struct lw_text list = {0};
    for (; seen && register_at(map, dims, in, registers, own); registers++) {
        if (!lw_map_apply(map, own, out))
            continue;
        const uint64_t element = lw_element_index(&map->out, out);
        uint64_t at = 0;
        while (at < count && seen[at] != element)
            at++;
        if (at < count)
            continue;
        seen[count++] = element;
        if (count <= LISTED) {
            lw_text_add(&list, count > 1 ? " " : "");
            lw_put_element(&list, map->out.count, out);
        }
    }
    lw_put_count(text, count, "element");
    if (registers != count)
        lw_text_format(text, " in %llu registers", (unsigned long long)registers);
    lw_text_format(text, "%s%s", count ? ": " : "", lw_text_string(&list));
    if (count > LISTED)
        lw_text_format(text, " and %llu more", (unsigned long long)(count - LISTED));
    lw_text_free(&list);
    free(seen);
}

void lw_mma_explain_thread(const struct lw_view *view, const struct lw_spot *spot,
                           struct lw_explanation *explanation)
{
    static const char *const labels[][LW_OPERANDS_MAX] = {
        {"lane holds A", "lane holds B", "lane holds C"},
        {"thread has A", "thread has B", "thread has C"}};
    const char *name;
    const struct lw_subject *subject = lw_operands_layout(view, spot->operand, &name);
    uint64_t own[LW_DIMS_MAX];
    if (!subject || !spot->has_in || !spot->has_out)
        return;
    const struct lw_dims *dims = &subject->map.in;
    explain_parts(view, spot, explanation);
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++) {
        const struct lw_operand *operand = &lw_operands_of(view)->all[i];
        const char *label = labels[lw_dims_size(dims, "warp") > 1][i];
        if (!operand->subject || operand->memory)
            lw_text_add(lw_explanation_line(explanation, label), "in memory");
        else if (register_at(&operand->subject->map, dims, spot->in, 0, own))
            put_elements(lw_explanation_line(explanation, label), &operand->subject->map, dims,
                         spot->in);
    }
}
