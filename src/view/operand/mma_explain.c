/*
 * What an element of an MMA belongs to: the row of A and the column of B that an element of C is made of, or the row or
 * column of C that an element of A or B is used for, each with the lanes that hold it; and what the thread of the
 * element holds of each operand, in the order of its registers.
 */

#include "view/operand/operands.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS_MAX = 64, LANES_MAX = 64, OWNERS_MAX = 1 << 14, REGISTERS_MAX = 1 << 12 };

/* ---- Rows and columns, and the lanes that hold them ---- */

/* A row (else a column) of an operand, as it is drawn. */
struct line {
    const struct lw_operand *operand;
    bool row;
    uint64_t index;
};

/* The lanes of each warp that hold some element of a line, of which each element is in all warps of `every`: an
 * instruction reads the registers of its own warp. */
struct holders {
    uint64_t lanes[WARPS_MAX];
    uint64_t every;
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

/* Finds the holders of a line in a block; false: an element has none, or they cannot be counted. */
static bool find_holders(const struct line *line, uint64_t block, struct holders *holders)
{
    const struct lw_subject *subject = line->operand->subject;
    const struct lw_dim *along = &subject->map.out.dim[!dim_of(line->operand, line->row)];
    const uint64_t lanes = lanes_of(subject);
    uint64_t out[LW_DIMS_MAX] = {0}, in[LW_DIMS_MAX], thread, left = OWNERS_MAX;
    *holders = (struct holders){.every = UINT64_MAX};
    out[dim_of(line->operand, line->row)] = line->index;
    if (along->size > OWNERS_MAX || lanes < 1 || lanes > LANES_MAX)
        return false;
    for (uint64_t i = 0; i < along->size; i++) {
        struct lw_owners owners;
        uint64_t warps = 0;
        out[!dim_of(line->operand, line->row)] = i;
        lw_owners_of(&owners, &subject->map, out);
        if (owners.count > left)
            return false;
        left -= owners.count;
        for (uint64_t k = 0; k < owners.count; k++) {
            lw_owners_get(&owners, k, in);
            if (block_of(subject, in) != block)
                continue;
            if (!lw_subject_field(subject, "thread", in, out, &thread) ||
                thread / lanes >= WARPS_MAX)
                return false;
            holders->lanes[thread / lanes] |= (uint64_t)1 << thread % lanes;
            warps |= (uint64_t)1 << thread / lanes;
        }
        holders->every &= warps;
        if (!warps)
            return false;
    }
    return true;
}

static void put_numbers(struct lw_text *text, const char *name, uint64_t set)
{
    lw_text_format(text, "%s%s ", name, set & (set - 1) ? "s" : "");
    lw_put_set(text, set, LANES_MAX);
}

/* "lanes 0-3", "lanes 0-3 of warps 0,2"; where lanes differ from warp to warp only how many they are: "24 lanes of
 * warps 0-1". */
static void put_holders(struct lw_text *text, const struct holders *holders, bool warps)
{
    uint64_t set = 0, lanes = 0, count = 0;
    bool same = true;
    for (int w = 0; w < WARPS_MAX; w++) {
        const uint64_t own = holders->lanes[w];
        same = same && (!own || !lanes || own == lanes);
        lanes = lanes ? lanes : own;
        set |= (uint64_t)(own != 0) << w;
        count += (uint64_t)__builtin_popcountll(own);
    }
    if (same)
        put_numbers(text, "lane", lanes);
    else
        lw_text_format(text, "%llu lanes", (unsigned long long)count);
    if (warps || set != 1) {
        lw_text_add(text, " of ");
        put_numbers(text, "warp", set);
    }
}

/* "A row 8: lanes 0-3": those of the warp at `in`, where it has them all. Without the lanes where they are too many to
 * count. */
static void put_line(struct lw_text *text, const struct line *line, const struct lw_subject *user,
                     const uint64_t *in)
{
    const struct lw_operand *operand = line->operand;
    struct holders holders;
    uint64_t thread = 0;
    lw_text_format(text, "%s %s %llu", operand->name, line->row ? "row" : "column",
                   (unsigned long long)line->index);
    if (!operand->subject || operand->memory) {
        lw_text_add(text, ": in memory");
        return;
    }
    if (!lw_subject_field(user, "thread", in, NULL, &thread) || !lanes_of(user) ||
        !find_holders(line, block_of(user, in), &holders))
        return;
    const uint64_t warp = thread / lanes_of(user);
    if (warp < WARPS_MAX && holders.every >> warp & 1) {
        const uint64_t own = holders.lanes[warp];
        memset(holders.lanes, 0, sizeof holders.lanes);
        holders.lanes[warp] = own;
    }
    lw_text_add(text, ": ");
    put_holders(text, &holders, lw_dims_size(&user->map.in, "warp") > 1);
}

static void explain_parts(const struct lw_view *view, const struct lw_spot *spot,
                          struct lw_explanation *explanation)
{
    const struct lw_operands *operands = lw_operands_of(view);
    const struct lw_operand *all = operands->all, *c = &all[LW_MMA_C];
    const struct lw_operand *own = &all[spot->operand ? spot->operand - 1 : operands->own];
    for (int i = LW_MMA_A; i <= LW_MMA_C; i++)
        if (all[i].subject && !all[i].memory && all[i].subject->map.out.count != 2)
            return;
    const bool is_c = own == c;
    const struct line row = {is_c ? &all[LW_MMA_A] : c, true, spot->out[dim_of(own, true)]};
    const struct line column = {is_c ? &all[LW_MMA_B] : c, false, spot->out[dim_of(own, false)]};
    struct lw_text *text = lw_explanation_line(explanation, is_c ? "needs" : "used for");
    if (own != &all[LW_MMA_B])
        put_line(text, &row, own->subject, spot->in);
    lw_text_add(text, is_c ? "; " : "");
    if (own != &all[LW_MMA_A])
        put_line(text, &column, own->subject, spot->in);
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
