#include "view/held.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS_MAX = 1 << 12, RUNS_MAX = 6 };

/* Different indices along a dim, in order. */
struct indices {
    uint64_t index[REGISTERS_MAX];
    int count;
};

static bool is_of_thread(const char *dim)
{
    static const char *const names[] = {"lane", "warp", "thread", "block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(dim, names[i]))
            return true;
    return false;
}

/* Finds the registers of the thread. */
static bool find_registers(struct lw_held *held, const struct lw_map *map,
                           const struct lw_dims *dims, const uint64_t *in)
{
    *held = (struct lw_held){.map = map, .free = map->in};
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
static bool element_of(const struct lw_held *held, uint64_t i, uint64_t *out)
{
    uint64_t in[LW_DIMS_MAX];
    lw_dims_unflatten(&held->free, i, in);
    for (int d = 0; d < held->free.count; d++)
        in[d] += held->thread[d];
    return lw_map_apply(held->map, in, out);
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

/* Finds the different elements. */
static bool find_elements(struct lw_held *held)
{
    struct holder *holders = calloc(held->registers + 1, sizeof *holders);
    uint64_t out[LW_DIMS_MAX], count = 0;
    held->count = 0;
    held->first = calloc(held->registers + 1, sizeof *held->first);
    for (uint64_t i = 0; holders && held->first && i < held->registers; i++)
        if (element_of(held, i, out))
            holders[count++] = (struct holder){lw_element_index(&held->map->out, out), i};
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

bool lw_held_find(struct lw_held *held, const struct lw_map *map, const struct lw_dims *dims,
                  const uint64_t *in)
{
    if (find_registers(held, map, dims, in) && find_elements(held))
        return true;
    free(held->first);
    held->first = NULL;
    return false;
}

void lw_held_registers(struct lw_text *text, const struct lw_held *held)
{
    if (held->registers != held->count)
        lw_text_format(text, " in %llu registers", (unsigned long long)held->registers);
}

void lw_held_list(struct lw_text *text, const struct lw_held *held, size_t columns)
{
    enum { MORE = sizeof " and 4096 more" - 1 };
    const size_t begin = text->length;
    uint64_t out[LW_DIMS_MAX];
    for (uint64_t i = 0; i < held->count; i++) {
        struct lw_text one = {0};
        if (element_of(held, held->first[i], out))
            lw_put_element(&one, held->map->out.count, out);
        size_t after = text->length - begin + (i > 0) + one.length;
        bool cut = columns && after + (i + 1 < held->count ? MORE : 0) > columns;
        if (cut && i)
            lw_text_format(text, " and %llu more", (unsigned long long)(held->count - i));
        else
            lw_text_format(text, "%s%s", i ? " " : "", lw_text_string(&one));
        lw_text_free(&one);
        if (cut && i)
            return;
    }
}

/* ---- Indices of each dim ---- */

static void add_index(struct indices *all, uint64_t index)
{
    int at = all->count;
    while (at > 0 && all->index[at - 1] >= index)
        at--;
    if (at < all->count && all->index[at] == index)
        return;
    memmove(&all->index[at + 1], &all->index[at], (size_t)(all->count - at) * sizeof *all->index);
    all->index[at] = index;
    all->count++;
}

static int end_of_run(const struct indices *all, int from)
{
    int end = from + 1;
    while (end < all->count && all->index[end] == all->index[end - 1] + 1)
        end++;
    return end;
}

/* The number of runs; *regular: they are of one length, at one distance. */
static int count_runs(const struct indices *all, bool *regular)
{
    const int length = end_of_run(all, 0);
    int runs = 0;
    *regular = true;
    for (int i = 0, end; i < all->count; i = end, runs++) {
        end = end_of_run(all, i);
        if (end - i != length || (i > length && all->index[i] - all->index[i - length] !=
                                                    all->index[length] - all->index[0]))
            *regular = false;
    }
    return runs;
}

/* "2-3,10-11"; of many runs the first ones and the last, if the others follow from them; else the first ones and how
 * many indices there are. */
static void put_runs(struct lw_text *text, const struct indices *all)
{
    bool regular;
    int runs = count_runs(all, &regular), run = 0;
    const int first = regular ? RUNS_MAX / 2 : RUNS_MAX, last = regular ? 1 : 0;
    for (int i = 0, end; i < all->count; i = end, run++) {
        end = end_of_run(all, i);
        if (runs > RUNS_MAX && run >= first && run + last < runs) {
            lw_text_add(text, run == first ? ",..." : "");
            continue;
        }
        lw_text_add(text, i ? "," : "");
        lw_text_number(text, all->index[i]);
        if (end > i + 1)
            lw_text_format(text, "-%llu", (unsigned long long)all->index[end - 1]);
    }
    if (runs > RUNS_MAX && !regular)
        lw_text_format(text, " (%d in all)", all->count);
}

bool lw_held_sides(struct lw_text *text, const struct lw_held *held, const char *const *names)
{
    const int dims = held->map->out.count;
    struct indices *sides = calloc((size_t)dims + 1, sizeof *sides);
    uint64_t out[LW_DIMS_MAX], product = 1;
    for (uint64_t i = 0; sides && i < held->count; i++)
        for (int d = 0; element_of(held, held->first[i], out) && d < dims; d++)
            add_index(&sides[d], out[d]);
    for (int d = 0; sides && d < dims && product <= held->count; d++)
        product *= (uint64_t)sides[d].count;
    bool ok = sides && held->count && product == held->count;
    for (int d = 0; ok && d < dims; d++) {
        lw_text_format(text, "%s%s ", d ? " " : "", names[d]);
        put_runs(text, &sides[d]);
    }
    free(sides);
    return ok;
}

/* ---- The line ---- */

/* Appends the elements that fit in `columns`: all of them, else their indices in each dim, else the first ones. */
static void put_elements(struct lw_text *text, const struct lw_held *held, size_t columns)
{
    enum { PAGE = 400, TWO_ROWS = 40 };
    const struct lw_dims *dims = &held->map->out;
    const char *names[LW_DIMS_MAX];
    const size_t room = !columns ? PAGE : columns < TWO_ROWS ? 2 * columns : columns;
    struct lw_text listed = {0};
    for (int d = 0; d < dims->count; d++)
        names[d] = dims->dim[d].name;
    const bool few = held->count <= PAGE / sizeof "(0)";
    if (few)
        lw_held_list(&listed, held, 0);
    if (few && listed.length <= (columns ? columns : PAGE)) {
        lw_text_add(text, lw_text_string(&listed));
    } else if (!lw_held_sides(text, held, names)) {
        lw_held_list(text, held, room);
    } else if (columns >= 2 * TWO_ROWS || !columns)
        lw_text_format(text, ": %llu elements", (unsigned long long)held->count);
    lw_text_free(&listed);
}

void lw_explain_held(const struct lw_subject *subject, const struct lw_spot *spot,
                     struct lw_explanation *explanation)
{
    const struct lw_map *map = &subject->map;
    struct lw_held held = {0};
    uint64_t in[LW_DIMS_MAX];
    bool lanes = lw_dims_find(&map->in, "lane") >= 0;
    if (spot->has_in)
        memcpy(in, spot->in, sizeof in);
    else if (!spot->has_out || !lw_map_owner(map, spot->out, 0, in))
        return;
    if ((!lanes && lw_dims_find(&map->in, "thread") < 0) || !explanation->count ||
        !lw_held_find(&held, map, &map->in, in))
        return;
    bool warps = !lanes || lw_dims_size(&map->in, "warp") > 1;
    if (held.registers > 1 && held.count) {
        struct lw_text *line =
            lw_explanation_line(explanation, warps ? "thread holds" : "lane holds");
        put_elements(line, &held, explanation->columns);
        lw_held_registers(line, &held);
        lw_explanation_raise(explanation, explanation->count - 1);
    }
    free(held.first);
}
