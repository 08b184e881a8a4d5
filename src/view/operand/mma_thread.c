/* What the thread of a cell holds of A, B and C, for the inspector: the elements in the order of its registers, or
 * where these are too many its rows and columns. An element in several of its registers is one element. */

#include "view/held.h"
#include "view/operand/operands.h"

#include <stdlib.h>
#include <string.h>

/* "m 3,11 k 2-3,10-11", else the number of elements. */
static void put_sides(struct lw_text *text, const struct lw_held *held, int i, bool turned)
{
    static const char *const names[][2] = {{"m", "k"}, {"k", "n"}, {"m", "n"}};
    const char *const own[2] = {names[i][turned], names[i][!turned]};
    if (held->map->out.count != 2 || !lw_held_sides(text, held, own))
        lw_text_format(text, "%llu elements", (unsigned long long)held->count);
}

/* "8 elements of lane 13: (3,2) (3,3) ...", "4 elements of lane 0 in 8 registers: ..."; in few columns only the rows
 * and columns. */
static void put_line(struct lw_text *text, const struct lw_held *held, int i, bool turned,
                     const char *owner, size_t columns)
{
    enum { FEW = 60 };
    struct lw_text listed = {0};
    if (columns && columns < FEW) {
        put_sides(text, held, i, turned);
        lw_held_registers(text, held);
        return;
    }
    lw_text_format(text, "%llu element%s of %s", (unsigned long long)held->count,
                   held->count == 1 ? "" : "s", owner);
    lw_held_registers(text, held);
    lw_text_add(text, ": ");
    lw_held_list(&listed, held, 0);
    if (!columns || text->length + listed.length <= columns)
        lw_text_add(text, lw_text_string(&listed));
    else
        put_sides(text, held, i, turned);
    lw_text_free(&listed);
}

/* "lane 13", with several warps "warp 1, lane 13" */
static void put_owner(struct lw_text *text, const struct lw_dims *dims, const uint64_t *in)
{
    static const char *const names[] = {"block", "warp", "lane", "thread"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int d = lw_dims_find(dims, names[i]);
        if (d >= 0 && (dims->dim[d].size > 1 || !strcmp(names[i], "lane")))
            lw_text_format(text, "%s%s %llu", text->length ? ", " : "", names[i],
                           (unsigned long long)in[d]);
    }
}

/* Adds what the thread holds of operand number i: a line, or a part of the one line `all`. */
static void add_operand(const struct lw_view *view, int i, const struct lw_dims *dims,
                        const uint64_t *in, struct lw_text *all, struct lw_explanation *explanation)
{
    static const char *const labels[][LW_OPERANDS_MAX] = {
        {"lane holds A", "lane holds B", "lane holds C"},
        {"thread has A", "thread has B", "thread has C"}};
    const struct lw_operand *operand = &lw_operands_of(view)->all[i];
    struct lw_held held = {0};
    bool owned = operand->subject && !operand->memory;
    if (owned && !lw_held_find(&held, &operand->subject->map, dims, in))
        return;
    struct lw_text *line =
        all ? all : lw_explanation_line(explanation, labels[lw_dims_size(dims, "warp") > 1][i]);
    struct lw_text owner = {0};
    if (all)
        lw_text_format(line, "%s%s ", line->length ? "  " : "", operand->name);
    put_owner(&owner, dims, in);
    if (!owned)
        lw_text_add(line, "in memory");
    else if (all)
        put_sides(line, &held, i, operand->turned);
    else
        put_line(line, &held, i, operand->turned, lw_text_string(&owner), explanation->columns);
    lw_text_free(&owner);
    free(held.first);
}

void lw_mma_explain_thread(const struct lw_view *view, const struct lw_spot *spot, bool in_short,
                           struct lw_explanation *explanation)
{
    const char *name;
    const struct lw_subject *subject = lw_operands_layout(view, spot->operand, &name);
    struct lw_text all = {0};
    if (!subject || !spot->has_in)
        return;
    const struct lw_dims *dims = &subject->map.in;
    int first = explanation->count;
    if (!in_short)
        lw_mma_explain_parts(view, spot, false, explanation);
    for (int i = 0; i < lw_operands_of(view)->count; i++)
        add_operand(view, i, dims, spot->in, in_short ? &all : NULL, explanation);
    const char *label = lw_dims_size(dims, "warp") > 1 ? "thread holds" : "lane holds";
    if (all.length)
        lw_text_add(lw_explanation_line(explanation, label), lw_text_string(&all));
    if (in_short)
        lw_mma_explain_parts(view, spot, true, explanation);
    lw_explanation_raise(explanation, first);
    lw_text_free(&all);
}
