/* What an element of an MMA belongs to, for the inspector: the row of A and the column of B that an element of C is
 * made of, or the row or column of C that an element of A or B is used for, each with the lanes that hold it. */

#include "view/operand/operands.h"

#include <string.h>

/* The lanes of each warp that hold some element of a row or column, of which each element is in all warps of `every`:
 * an instruction reads the registers of its own warp. */
enum { WARPS_MAX = 64, LANES_MAX = 64, OWNERS_MAX = 1 << 14 };
struct holders {
    uint64_t lanes[WARPS_MAX];
    uint64_t every;
};

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

/* Adds the owners of an element in a block; false: there are none, or they cannot be counted. */
static bool add_element(struct holders *holders, const struct lw_subject *subject,
                        const uint64_t *out, uint64_t block, uint64_t *left)
{
    struct lw_owners owners;
    uint64_t in[LW_DIMS_MAX], thread, warps = 0;
    const uint64_t lanes = lanes_of(subject);
    lw_owners_of(&owners, &subject->map, out);
    if (owners.count > *left || lanes < 1 || lanes > LANES_MAX)
        return false;
    *left -= owners.count;
    for (uint64_t k = 0; k < owners.count; k++) {
        lw_owners_get(&owners, k, in);
        if (block_of(subject, in) != block)
            continue;
        if (!lw_subject_field(subject, "thread", in, out, &thread) || thread / lanes >= WARPS_MAX)
            return false;
        holders->lanes[thread / lanes] |= (uint64_t)1 << thread % lanes;
        warps |= (uint64_t)1 << thread / lanes;
    }
    holders->every &= warps;
    return warps != 0;
}

static bool find_holders(const struct line *line, uint64_t block, struct holders *holders)
{
    const struct lw_subject *subject = line->operand->subject;
    int dim = dim_of(line->operand, line->row);
    uint64_t out[LW_DIMS_MAX] = {0}, left = OWNERS_MAX;
    memset(holders, 0, sizeof *holders);
    holders->every = UINT64_MAX;
    out[dim] = line->index;
    if (subject->map.out.dim[!dim].size > OWNERS_MAX)
        return false;
    for (; out[!dim] < subject->map.out.dim[!dim].size; out[!dim]++)
        if (!add_element(holders, subject, out, block, &left))
            return false;
    return true;
}

static void put_names(struct lw_text *text, uint64_t set, const char *name, bool in_short)
{
    bool several = set & (set - 1);
    if (in_short)
        lw_text_char(text, *name);
    else
        lw_text_format(text, "%s%s ", name, several ? "s" : "");
    lw_put_set(text, set, LANES_MAX);
}

/* "lanes 0-3", "lanes 0-3 of warps 0,2", "l0-3", "w0,2 l0-3"; where lanes differ from warp to warp only how many they
 * are: "24 lanes of warps 0-1". */
static void put_holders(struct lw_text *text, const struct holders *holders, bool in_short,
                        bool warps)
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
    warps = warps || set != 1;
    if (!same)
        lw_text_format(text, "%llu lanes", (unsigned long long)count);
    if (in_short && same && warps) {
        put_names(text, set, "warp", true);
        lw_text_char(text, ' ');
    }
    if (same)
        put_names(text, lanes, "lane", in_short);
    if (warps && (!in_short || !same)) {
        lw_text_add(text, " of ");
        put_names(text, set, "warp", false);
    }
}

/* "A row 8: lanes 0-3", "A row 8 l0-3"; without the lanes where they are too many to count. */
static void put_line(struct lw_text *text, const struct line *line, const struct lw_subject *user,
                     const uint64_t *in, bool in_short)
{
    const struct lw_operand *operand = line->operand;
    struct holders holders;
    uint64_t thread = 0, warp;
    lw_text_format(text, "%s %s %llu", operand->name, line->row ? "row" : "column",
                   (unsigned long long)line->index);
    if (!operand->subject || operand->memory) {
        lw_text_add(text, in_short ? " in memory" : ": in memory");
        return;
    }
    if (!lw_subject_field(user, "thread", in, NULL, &thread) || !lanes_of(user) ||
        !find_holders(line, block_of(user, in), &holders))
        return;
    warp = thread / lanes_of(user);
    for (int w = 0; w < WARPS_MAX && warp < WARPS_MAX && holders.every >> warp & 1; w++)
        if ((uint64_t)w != warp)
            holders.lanes[w] = 0;
    lw_text_add(text, in_short ? " " : ": ");
    put_holders(text, &holders, in_short, lw_dims_size(&user->map.in, "warp") > 1);
}

static bool has_rows(const struct lw_operand *operand)
{
    return !operand->subject || operand->memory || operand->subject->map.out.count == 2;
}

/* Appends all lines that belong to the element; false: they are unknown. */
static bool put_parts(struct lw_text *text, const struct lw_view *view, const struct lw_spot *spot,
                      bool in_short)
{
    const struct lw_operands *operands = lw_operands_of(view);
    const struct lw_operand *all = operands->all;
    const struct lw_operand *own = &all[spot->operand ? spot->operand - 1 : operands->own];
    const uint64_t *out = spot->out;
    if (!has_rows(&all[LW_MMA_A]) || !has_rows(&all[LW_MMA_B]) || !has_rows(&all[LW_MMA_C]))
        return false;
    const struct line row = {&all[own == &all[LW_MMA_C] ? LW_MMA_A : LW_MMA_C], true,
                             out[dim_of(own, true)]};
    const struct line column = {&all[own == &all[LW_MMA_C] ? LW_MMA_B : LW_MMA_C], false,
                                out[dim_of(own, false)]};
    if (own != &all[LW_MMA_B])
        put_line(text, &row, own->subject, spot->in, in_short);
    if (own == &all[LW_MMA_C])
        lw_text_add(text, in_short ? ", " : "; ");
    if (own != &all[LW_MMA_A])
        put_line(text, &column, own->subject, spot->in, in_short);
    return true;
}

/* The first line, with the hardware index in short: "w0 l13 r0, one of 2 owners". */
static void put_first(struct lw_text *text, const struct lw_subject *subject,
                      const struct lw_spot *spot, bool owners)
{
    uint64_t count = lw_map_owner_count(&subject->map, spot->out);
    lw_put_hardware_index_short(text, &subject->map.in, spot->in, -1);
    if (owners && count > 1)
        lw_text_format(text, ", one of %llu owners", (unsigned long long)count);
}

/* Adds a text to the first line, the longest of both for which there is room; false: there is none. */
static bool add_to_first(struct lw_explanation *explanation, const struct lw_subject *subject,
                         const struct lw_spot *spot, const char *label,
                         const struct lw_text parts[2])
{
    static const struct {
        int first, part;
    } ways[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}};
    const size_t room = explanation->columns + 2; /* there is no frame */
    struct lw_text first[3] = {{0}};
    size_t way = 0, count = sizeof ways / sizeof *ways;
    lw_text_add(&first[0], lw_text_string(&explanation->line[0].text));
    put_first(&first[1], subject, spot, true);
    put_first(&first[2], subject, spot, false);
    while (way < count && first[ways[way].first].length + strlen("; ") + strlen(label) + 1 +
                                  parts[ways[way].part].length >
                              room)
        way++;
    if (way < count) {
        lw_text_clear(&explanation->line[0].text);
        lw_text_format(&explanation->line[0].text, "%s; %s %s",
                       lw_text_string(&first[ways[way].first]), label,
                       lw_text_string(&parts[ways[way].part]));
    }
    for (int i = 0; i < 3; i++)
        lw_text_free(&first[i]);
    return way < count;
}

void lw_mma_explain_parts(const struct lw_view *view, const struct lw_spot *spot, bool in_short,
                          struct lw_explanation *explanation)
{
    const char *name, *label;
    const struct lw_subject *subject = lw_operands_layout(view, spot->operand, &name);
    struct lw_text parts[2] = {{0}};
    if (!spot->has_in || !spot->has_out || !explanation->count ||
        !put_parts(&parts[0], view, spot, false))
        return;
    put_parts(&parts[1], view, spot, true);
    label = subject == lw_operands_of(view)->all[LW_MMA_C].subject ? "needs" : "used for";
    if (!in_short || !add_to_first(explanation, subject, spot, label, parts))
        lw_text_add(lw_explanation_line(explanation, label), lw_text_string(&parts[0]));
    lw_text_free(&parts[0]);
    lw_text_free(&parts[1]);
}

bool lw_mma_shares(const struct lw_view *view, const struct lw_spot *cell,
                   const struct lw_spot *other)
{
    const struct lw_operands *operands = lw_operands_of(view);
    const struct lw_spot *const spots[2] = {cell, other};
    const struct lw_operand *first = operands->all;
    uint64_t index[LW_MMA_C + 1][2] = {{0}}; /* the row and the column of an element, as drawn */
    bool has[LW_MMA_C + 1] = {false};
    for (int i = 0; i < 2; i++) {
        int number = spots[i]->operand ? spots[i]->operand - 1 : operands->own;
        if (!spots[i]->has_out || !has_rows(&first[number]))
            return false;
        has[number] = true;
        for (int column = 0; column < 2; column++)
            index[number][column] = spots[i]->out[dim_of(&first[number], !column)];
    }
    return (has[LW_MMA_A] && has[LW_MMA_C] && index[LW_MMA_A][0] == index[LW_MMA_C][0]) ||
           (has[LW_MMA_B] && has[LW_MMA_C] && index[LW_MMA_B][1] == index[LW_MMA_C][1]) ||
           (has[LW_MMA_A] && has[LW_MMA_B] && index[LW_MMA_A][1] == index[LW_MMA_B][0]);
}
