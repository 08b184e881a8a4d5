/* What the thread of a cell holds of A, B and C, for the inspector: the elements in the order of its registers, or
 * where these are too many its rows and columns. An element in several of its registers is one element. */

#include "view/operand/operands.h"

#include <stdlib.h>
#include <string.h>

enum { SOME = 128, REGISTERS_MAX = 1 << 12, RUNS_MAX = 6 };

/* Different indices along a dim, in order. */
struct indices {
    uint64_t index[SOME];
    int count;
};

/* The elements of a thread in one operand. */
struct held {
    const struct lw_operand *operand;
    struct lw_dims free;          /* its hardware dims; those of the thread have size 1 */
    uint64_t thread[LW_DIMS_MAX]; /* the thread's indices in the others */
    uint64_t registers;           /* how many there are */
    uint64_t count, *first;       /* the elements in them, by the first register of each */
};

static bool is_of_thread(const char *dim)
{
    static const char *const names[] = {"lane", "warp", "thread", "block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(dim, names[i]))
            return true;
    return false;
}

/* Finds the registers of the thread at `in`, a hardware index of `dims`; false: they are too many. */
static bool find_held(struct held *held, const struct lw_operand *operand,
                      const struct lw_dims *dims, const uint64_t *in)
{
    *held = (struct held){.operand = operand, .free = operand->subject->map.in};
    for (int d = 0; d < held->free.count; d++) {
        struct lw_dim *dim = &held->free.dim[d];
        int same = is_of_thread(dim->name) ? lw_dims_find(dims, dim->name) : -1;
        if (same < 0)
            continue;
        if (in[same] >= dim->size)
            return false;
        held->thread[d] = in[same];
        dim->size = 1;
    }
    return lw_dims_total(&held->free, &held->registers, NULL) && held->registers <= REGISTERS_MAX;
}

/* The element in register number i; false: it has none. */
static bool element_of(const struct held *held, uint64_t i, uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX];
    lw_dims_unflatten(&held->free, i, in);
    for (int d = 0; d < held->free.count; d++)
        in[d] += held->thread[d];
    return lw_map_apply(&held->operand->subject->map, in, out);
}

/* An element and a register that holds it. */
struct holder {
    uint64_t element, number;
};

static int by_element(const void *a, const void *b)
{
    const struct holder *x = a, *y = b;
    if (x->element != y->element)
        return x->element < y->element ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Finds the different elements; free held->first. */
static bool find_elements(struct held *held)
{
    struct holder *holders = calloc(held->registers + 1, sizeof *holders);
    uint64_t out[LW_DIMS_MAX], count = 0;
    held->count = 0;
    held->first = calloc(held->registers + 1, sizeof *held->first);
    for (uint64_t i = 0; holders && held->first && i < held->registers; i++)
        if (element_of(held, i, out))
            holders[count++] =
                (struct holder){lw_element_index(&held->operand->subject->map.out, out), i};
    if (count)
        qsort(holders, count, sizeof *holders, by_element);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || holders[i].element != holders[i - 1].element)
            held->first[held->count++] = holders[i].number;
    if (held->count)
        qsort(held->first, held->count, sizeof *held->first, by_number);
    bool ok = holders && held->first;
    free(holders);
    return ok;
}

static void put_listed(struct lw_text *text, const struct held *held)
{
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t i = 0; i < held->count; i++) {
        lw_text_add(text, i ? " " : "");
        if (element_of(held, held->first[i], out))
            lw_put_element(text, held->operand->subject->map.out.count, out);
    }
}

/* " in 8 registers", where these are not as many as the elements. */
static void put_registers(struct lw_text *text, const struct held *held)
{
    if (held->registers != held->count)
        lw_text_format(text, " in %llu registers", (unsigned long long)held->registers);
}

/* ---- Rows and columns ---- */

static int position_of(const struct indices *all, uint64_t index)
{
    int at = 0;
    while (at < all->count && all->index[at] < index)
        at++;
    return at;
}

/* False: there is no room for another index. */
static bool add_index(struct indices *all, uint64_t index)
{
    int at = position_of(all, index);
    if (at < all->count && all->index[at] == index)
        return true;
    if (all->count == SOME)
        return false;
    memmove(&all->index[at + 1], &all->index[at], (size_t)(all->count - at) * sizeof *all->index);
    all->index[at] = index;
    all->count++;
    return true;
}

static int end_of_run(const struct indices *all, int from)
{
    int end = from + 1;
    while (end < all->count && all->index[end] == all->index[end - 1] + 1)
        end++;
    return end;
}

/* "2-3,10-11"; of many runs the first ones and the last. */
static void put_runs(struct lw_text *text, const struct indices *all)
{
    int runs = 0, run = 0;
    for (int i = 0; i < all->count; i = end_of_run(all, i))
        runs++;
    for (int i = 0, end; i < all->count; i = end, run++) {
        end = end_of_run(all, i);
        if (runs > RUNS_MAX && run >= RUNS_MAX / 2 && run + 1 < runs) {
            lw_text_add(text, run == RUNS_MAX / 2 ? ",..." : "");
            continue;
        }
        lw_text_add(text, i ? "," : "");
        lw_text_number(text, all->index[i]);
        if (end > i + 1)
            lw_text_format(text, "-%llu", (unsigned long long)all->index[end - 1]);
    }
}

/* Whether the elements are all that are in some rows and some columns; then finds these. */
static bool find_sides(const struct held *held, struct indices sides[2])
{
    uint8_t seen[SOME][SOME] = {{0}};
    uint64_t out[LW_DIMS_MAX];
    int different = 0;
    sides[0].count = sides[1].count = 0;
    if (held->operand->subject->map.out.count != 2)
        return false;
    for (uint64_t i = 0; i < held->count; i++)
        if (!element_of(held, held->first[i], out) || !add_index(&sides[0], out[0]) ||
            !add_index(&sides[1], out[1]))
            return false;
    for (uint64_t i = 0; i < held->count; i++) {
        element_of(held, held->first[i], out);
        uint8_t *one = &seen[position_of(&sides[0], out[0])][position_of(&sides[1], out[1])];
        different += !*one;
        *one = 1;
    }
    return different == sides[0].count * sides[1].count;
}

/* "m 3,11 k 2-3,10-11", else the number of elements. */
static void put_sides(struct lw_text *text, const struct held *held, int i)
{
    static const char *const names[][2] = {{"m", "k"}, {"k", "n"}, {"m", "n"}};
    struct indices *sides = malloc(2 * sizeof *sides);
    if (!sides || !find_sides(held, sides)) {
        lw_text_format(text, "%llu elements", (unsigned long long)held->count);
        free(sides);
        return;
    }
    for (int side = 0; side < 2; side++) {
        lw_text_format(text, "%s%s ", side ? " " : "", names[i][held->operand->turned ^ side]);
        put_runs(text, &sides[side]);
    }
    free(sides);
}

/* ---- The lines ---- */

/* "8 elements of lane 13: (3,2) (3,3) ...", "4 elements of lane 0 in 8 registers: ..."; in few columns only the rows
 * and columns. */
static void put_line(struct lw_text *text, const struct held *held, int i, const char *owner,
                     size_t columns)
{
    enum { FEW = 60 };
    struct lw_text listed = {0};
    if (columns && columns < FEW) {
        put_sides(text, held, i);
        put_registers(text, held);
        return;
    }
    lw_text_format(text, "%llu element%s of %s", (unsigned long long)held->count,
                   held->count == 1 ? "" : "s", owner);
    put_registers(text, held);
    lw_text_add(text, ": ");
    put_listed(&listed, held);
    if (!columns || text->length + listed.length <= columns)
        lw_text_add(text, lw_text_string(&listed));
    else
        put_sides(text, held, i);
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

void lw_mma_explain_thread(const struct lw_view *view, const struct lw_spot *spot, bool in_short,
                           struct lw_explanation *explanation)
{
    const struct lw_operands *operands = lw_operands_of(view);
    const char *name;
    const struct lw_subject *subject = lw_operands_layout(view, spot->operand, &name);
    struct lw_text owner = {0}, all = {0};
    if (!subject || !spot->has_in)
        return;
    put_owner(&owner, &subject->map.in, spot->in);
    int first = explanation->count;
    for (int i = 0; i < operands->count; i++) {
        const struct lw_operand *operand = &operands->all[i];
        struct held held = {0};
        bool owned = operand->subject && !operand->memory;
        if (owned &&
            (!find_held(&held, operand, &subject->map.in, spot->in) || !find_elements(&held))) {
            free(held.first);
            continue;
        }
        struct lw_text *line = in_short ? &all : lw_explanation_line(explanation, operand->name);
        if (in_short)
            lw_text_format(line, "%s%s ", line->length ? "  " : "", operand->name);
        if (!owned)
            lw_text_add(line, "in memory");
        else if (in_short)
            put_sides(line, &held, i);
        else
            put_line(line, &held, i, lw_text_string(&owner), explanation->columns);
        free(held.first);
    }
    const char *label = lw_dims_size(&subject->map.in, "warp") > 1 ? "thread holds" : "lane holds";
    if (all.length)
        lw_text_add(lw_explanation_line(explanation, label), lw_text_string(&all));
    lw_explanation_raise(explanation, first);
    lw_text_free(&owner);
    lw_text_free(&all);
}
