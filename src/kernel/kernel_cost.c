/* Costs of all operations of a kernel, added up and sorted; equal operations that are near share a cost. And two
 * kernels: which operation of the second one is which of the first. */

#include "laneway/arena.h"
#include "laneway/kernel_cost.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/divide.h"
#include "kernel/kernel_rules.h"

#include <stdlib.h>
#include <string.h>

/* Whether two operations have the same cost. Reductions depend on more, and are few. */
static bool same_operation(const struct lw_operation *a, const struct lw_operation *b)
{
    return a->kind == b->kind && a->kind->role != LW_ROLE_ATOMIC &&
           a->kind->role != LW_ROLE_REDUCE && a->from == b->from && a->to == b->to &&
           a->from >= 0 && a->repeats < 0 && b->repeats < 0 && a->stored == b->stored &&
           a->only_stored == b->only_stored && a->cast == b->cast && a->masked == b->masked &&
           a->selected == b->selected;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

unsigned lw_kernel_cost_missing(const struct lw_kernel_cost *cost)
{
    if (!strcmp(cost->kind, "global"))
        return ~cost->known & LW_COST_GLOBAL;
    const bool shared = !strcmp(cost->kind, "shared") || !strcmp(cost->kind, "blocks") ||
                        !strcmp(cost->kind, "unknown");
    return shared && !cost->known ? LW_COST_SHARED : 0;
}

static void add_up(struct lw_kernel_costs *all, const struct lw_kernel_cost *cost)
{
    all->wavefronts = plus(all->wavefronts, cost->wavefronts);
    all->ideal = plus(all->ideal, cost->ideal);
    all->sectors = plus(all->sectors, cost->sectors);
    all->ideal_sectors = plus(all->ideal_sectors, cost->ideal_sectors);
    all->run_wavefronts =
        plus(all->run_wavefronts, lw_bounded_product(cost->wavefronts, cost->trips));
    all->run_ideal = plus(all->run_ideal, lw_bounded_product(cost->ideal, cost->trips));
    all->run_sectors = plus(all->run_sectors, lw_bounded_product(cost->sectors, cost->trips));
    all->run_ideal_sectors =
        plus(all->run_ideal_sectors, lw_bounded_product(cost->ideal_sectors, cost->trips));
    all->unknown += !cost->known;
    unsigned missing = lw_kernel_cost_missing(cost);
    all->uncounted += missing == LW_COST_SHARED;
    all->uncounted_global += missing == LW_COST_GLOBAL;
    all->trips_known =
        all->trips_known && (cost->trips_known || !(cost->wavefronts + cost->sectors));
}

int lw_kernel_open_loops(const struct lw_kernel *kernel, const struct lw_operation *operation)
{
    int count = 0;
    for (int i = operation->loop; i >= 0; i = kernel->loops[i].parent)
        count += !kernel->loops[i].known;
    return count;
}

struct lw_kernel_rank lw_kernel_rank_of(const struct lw_kernel_costs *all, size_t i)
{
    const struct lw_kernel_cost *cost = &all->costs[i];
    struct lw_kernel_rank rank = {i, 0, lw_bounded_product(cost->wavefronts, cost->trips),
                                  lw_bounded_product(cost->sectors, cost->trips)};
    if (rank.shared || rank.global)
        rank.loops = lw_kernel_open_loops(all->kernel, &all->kernel->operations[i]);
    return rank;
}

int lw_kernel_rank_compare(const struct lw_kernel_rank *a, const struct lw_kernel_rank *b)
{
    return a->loops != b->loops     ? (a->loops < b->loops ? -1 : 1)
           : a->shared != b->shared ? (a->shared < b->shared ? -1 : 1)
                                    : (a->global > b->global) - (a->global < b->global);
}

/* The order of lw_kernel_costs.order. */
static int by_cost(const void *a, const void *b)
{
    const struct lw_kernel_rank *left = a, *right = b;
    int order = lw_kernel_rank_compare(right, left);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

bool lw_kernel_costs_begin(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                           const struct lw_hardware *hardware, struct lw_error *err)
{
    const size_t room = kernel->operation_count + 1;
    if (!hardware && *kernel->target)
        hardware = lw_hardware_find(kernel->target);
    *costs = (struct lw_kernel_costs){.kernel = kernel,
                                      .trips_known = true,
                                      .hardware = hardware ? hardware : lw_hardware_default()};
    costs->costs = calloc(room, sizeof *costs->costs);
    costs->order = calloc(room, sizeof *costs->order);
    costs->ranks = calloc(room, sizeof *costs->ranks);
    costs->maps = calloc(1, sizeof *costs->maps);
    if (!costs->costs || !costs->order || !costs->ranks || !costs->maps) {
        lw_kernel_costs_free(costs);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < kernel->operation_count; i++)
        costs->order[i] = i;
    return true;
}

bool lw_kernel_costs_step(struct lw_kernel_costs *costs)
{
    const struct lw_kernel *kernel = costs->kernel;
    const size_t count = kernel->operation_count, at = costs->counted;
    if (at == count)
        return false;
    const struct lw_operation *operation = &kernel->operations[at];
    struct lw_kernel_cost *cost = &costs->costs[at];
    for (size_t i = at; i-- > 0 && at - i < 256 && !cost->kind;)
        if (same_operation(operation, &kernel->operations[i]))
            *cost = costs->costs[i];
    if (!cost->kind)
        lw_kernel_operation_cost(kernel, operation, costs->hardware, costs->maps, cost);
    cost->depth = lw_operation_depth(kernel, operation);
    cost->trips_known = lw_operation_trips(kernel, operation, &cost->trips);
    add_up(costs, cost);
    costs->ranks[at] = lw_kernel_rank_of(costs, at);
    if (++costs->counted < count)
        return true;
    qsort(costs->ranks, count, sizeof *costs->ranks, by_cost);
    for (size_t i = 0; i < count; i++)
        costs->order[i] = costs->ranks[i].index;
    return true;
}

bool lw_kernel_costs_make(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                          const struct lw_hardware *hardware, struct lw_error *err)
{
    if (!lw_kernel_costs_begin(costs, kernel, hardware, err))
        return false;
    while (lw_kernel_costs_step(costs))
        continue;
    return true;
}

void lw_kernel_costs_free(struct lw_kernel_costs *costs)
{
    free(costs->costs);
    free(costs->order);
    free(costs->ranks);
    free(costs->maps);
    memset(costs, 0, sizeof *costs);
}

/* ---- The layouts and the tensor of an operation as short text ---- */

/* Abbreviates an attribute: #ttg.slice<{dim = 1, parent = #mma}> is slice(1, #mma). */
static void print_short(struct lw_text *text, const char *alias)
{
    static const char parts[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (size_t step; *alias; alias += step) {
        const size_t word = strspn(alias, parts);
        const bool is_name = word && !strncmp(alias + word, " = ", 3);
        step = *alias == '<' || *alias == '}' ? 2 : word ? word + (is_name ? 3 : 0) : 1;
        if (!strncmp(alias, "#ttg.", 5))
            step = 5;
        else if (step == 2 && !word)
            lw_text_char(text, *alias == '<' ? '(' : ')');
        else if (!is_name)
            lw_text_bytes(text, alias, step);
    }
}

void lw_operation_print_layouts(struct lw_text *text, const struct lw_kernel *kernel,
                                const struct lw_operation *operation)
{
    const int rows[] = {operation->from, operation->to};
    for (int i = 0; i < 2; i++) {
        const char *alias = rows[i] < 0 ? "" : lw_kernel_alias(kernel, rows[i]);
        lw_text_add(text, i && *alias && rows[0] >= 0 ? " -> " : "");
        print_short(text, alias);
    }
}

void lw_operation_print_tensor(struct lw_text *text, const struct lw_kernel *kernel,
                               const struct lw_operation *operation)
{
    struct lw_tensor tensor;
    lw_operation_tensor(kernel, operation, &tensor);
    if (tensor.rank >= 0)
        lw_tensor_print(text, &tensor);
}

/* ---- Two kernels ----
 *
 * Operations are paired in rounds, each with a key: those that have it in common are paired in the order of the files.
 * The first key is the most exact one. What no round pairs came or went. */

/* What a key of a round has, beside the kind of the operation. */
enum { LINE = 1, DEPTH = 2, TENSOR = 4, LAYOUTS = 8 };

/* The last two are for lines that moved within the kernel. */
static const unsigned rounds[] = {LINE | DEPTH | TENSOR | LAYOUTS, LINE | DEPTH, LINE,
                                  DEPTH | TENSOR | LAYOUTS, DEPTH | TENSOR};

struct entry {
    const char *key;
    size_t index;
    int side;
};

struct pairing {
    const struct lw_kernel_costs *side[2];
    int first_line[2]; /* of the source: the least line of an operation; lines count from it */
    int *mate[2];      /* of each operation; -1: none */
    struct entry *entries;
    struct lw_arena keys; /* of one round */
};

static int first_line(const struct lw_kernel *kernel)
{
    int least = 0;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        const struct lw_location *at = kernel->operations[i].location;
        while (at && at->caller)
            at = at->caller;
        if (at && at->line && (!least || at->line < least))
            least = at->line;
    }
    return least;
}

static void put_key(struct lw_text *key, const struct pairing *pairing, int side, size_t i,
                    unsigned parts)
{
    const struct lw_kernel *kernel = pairing->side[side]->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    lw_text_add(key, operation->kind->name);
    for (const struct lw_location *at = operation->location; at && (parts & LINE); at = at->caller)
        lw_text_format(key, " %s:%d", lw_base_name(at->file),
                       at->line - (at->caller ? 0 : pairing->first_line[side]));
    if (parts & DEPTH)
        lw_text_format(key, "\n%d", lw_operation_depth(kernel, operation));
    lw_text_char(key, '\n');
    if (parts & TENSOR)
        lw_operation_print_tensor(key, kernel, operation);
    for (int end = 0; end < 2 && (parts & LAYOUTS); end++) {
        const int row = end ? operation->to : operation->from;
        const struct lw_kernel_type *type = row < 0 ? NULL : &kernel->types[row];
        lw_text_char(key, '\n');
        if (type && type->encoding)
            lw_encoding_print(key, type->encoding);
        else if (type)
            lw_text_add(key, kernel->encodings[type->layout].text);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    const int order = strcmp(left->key, right->key);
    return order ? order
           : left->side != right->side
               ? left->side - right->side
               : (left->index > right->index) - (left->index < right->index);
}

/* Pairs operations without a mate that have equal keys. False when memory is out. */
static bool run_round(struct pairing *pairing, unsigned parts)
{
    struct entry *entries = pairing->entries;
    size_t count = 0;
    bool good = true;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < pairing->side[side]->kernel->operation_count; i++) {
            struct lw_text key = {0};
            if (pairing->mate[side][i] >= 0)
                continue;
            put_key(&key, pairing, side, i, parts);
            const char *kept =
                key.failed ? NULL
                           : lw_arena_string(&pairing->keys, lw_text_string(&key), key.length);
            lw_text_free(&key);
            entries[count++] = (struct entry){kept ? kept : "", i, side};
            good = good && kept;
        }
    qsort(entries, count, sizeof *entries, by_key);
    for (size_t from = 0, to; good && from < count; from = to) {
        size_t after = from;
        for (to = from; to < count && !strcmp(entries[to].key, entries[from].key); to++)
            after += !entries[to].side;
        for (size_t i = from; i < after && after + (i - from) < to; i++) {
            const size_t a = entries[i].index, b = entries[after + (i - from)].index;
            pairing->mate[0][a] = (int)b;
            pairing->mate[1][b] = (int)a;
        }
    }
    lw_arena_free(&pairing->keys);
    return good;
}

static enum lw_change change_of(const struct pairing *pairing, size_t a, size_t b)
{
    const struct lw_kernel_costs *before = pairing->side[0], *after = pairing->side[1];
    const unsigned missing = lw_kernel_cost_missing(&before->costs[a]),
                   missing_after = lw_kernel_cost_missing(&after->costs[b]);
    struct lw_text keys[2] = {0};
    put_key(&keys[0], pairing, 0, a, DEPTH | TENSOR | LAYOUTS);
    put_key(&keys[1], pairing, 1, b, DEPTH | TENSOR | LAYOUTS);
    const bool equal = !strcmp(lw_text_string(&keys[0]), lw_text_string(&keys[1]));
    lw_text_free(&keys[0]);
    lw_text_free(&keys[1]);
    if (missing || missing_after) /* costs that are not counted are equal when the hardware is */
        return equal && missing == missing_after && before->hardware == after->hardware
                   ? LW_CHANGE_NONE
                   : LW_CHANGE_UNKNOWN;
    const struct lw_kernel_rank rank = lw_kernel_rank_of(before, a),
                                rank_after = lw_kernel_rank_of(after, b);
    const int order = lw_kernel_rank_compare(&rank, &rank_after);
    return order < 0 ? LW_CHANGE_DEARER
           : order   ? LW_CHANGE_CHEAPER
           : equal   ? LW_CHANGE_NONE
                     : LW_CHANGE_OTHER;
}

const char *lw_change_name(enum lw_change change)
{
    static const char *const names[] = {
        [LW_CHANGE_DEARER] = "dearer",       [LW_CHANGE_CAME] = "came",
        [LW_CHANGE_UNKNOWN] = "not counted", [LW_CHANGE_OTHER] = "changed",
        [LW_CHANGE_CHEAPER] = "cheaper",     [LW_CHANGE_WENT] = "went",
        [LW_CHANGE_NONE] = "equal"};
    return (unsigned)change < LW_CHANGES ? names[change] : "";
}

struct ranked {
    struct lw_kernel_pair pair;
    struct lw_kernel_rank rank; /* of the two sides, that which costs more */
};

static int by_change(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    const struct lw_kernel_pair *p = &left->pair, *q = &right->pair;
    const int by_rank = lw_kernel_rank_compare(&right->rank, &left->rank);
    return p->change != q->change ? (int)p->change - (int)q->change
           : by_rank              ? by_rank
           : p->after != q->after ? p->after - q->after
                                  : p->before - q->before;
}

/* Lists the pairs, and what has none. */
static void list_rows(const struct pairing *pairing, struct ranked *rows, size_t *count)
{
    const struct lw_kernel_costs *before = pairing->side[0], *after = pairing->side[1];
    for (size_t i = 0; i < after->kernel->operation_count; i++) {
        const int mate = pairing->mate[1][i];
        struct ranked row = {{mate, (int)i, LW_CHANGE_CAME}, lw_kernel_rank_of(after, i)};
        if (mate >= 0) {
            row.pair.change = change_of(pairing, (size_t)mate, i);
            if (row.pair.change == LW_CHANGE_CHEAPER)
                row.rank = lw_kernel_rank_of(before, (size_t)mate);
        }
        rows[(*count)++] = row;
    }
    for (size_t i = 0; i < before->kernel->operation_count; i++)
        if (pairing->mate[0][i] < 0)
            rows[(*count)++] =
                (struct ranked){{(int)i, -1, LW_CHANGE_WENT}, lw_kernel_rank_of(before, i)};
    qsort(rows, *count, sizeof *rows, by_change);
}

bool lw_kernel_pairs_make(struct lw_kernel_pairs *pairs, const struct lw_kernel_costs *before,
                          const struct lw_kernel_costs *after, struct lw_error *err)
{
    struct pairing pairing = {.side = {before, after}};
    struct lw_arena arena = {0};
    size_t most = 1;
    for (int side = 0; side < 2; side++) {
        const size_t count = pairing.side[side]->kernel->operation_count;
        pairing.first_line[side] = first_line(pairing.side[side]->kernel);
        pairing.mate[side] = lw_arena_alloc(&arena, (count + 1) * sizeof(int));
        for (size_t i = 0; pairing.mate[side] && i < count; i++)
            pairing.mate[side][i] = -1;
        most += count;
    }
    struct ranked *rows = lw_arena_alloc(&arena, most * sizeof *rows);
    pairing.entries = lw_arena_alloc(&arena, most * sizeof *pairing.entries);
    *pairs = (struct lw_kernel_pairs){.pair = calloc(most, sizeof *pairs->pair)};
    bool good = pairing.mate[0] && pairing.mate[1] && rows && pairing.entries && pairs->pair;
    for (size_t i = 0; good && i < LW_COUNT(rounds); i++)
        good = run_round(&pairing, rounds[i]);
    if (good)
        list_rows(&pairing, rows, &pairs->count);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->pair[i] = rows[i].pair;
    lw_arena_free(&arena);
    if (!good)
        lw_kernel_pairs_free(pairs);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_kernel_pairs_free(struct lw_kernel_pairs *pairs)
{
    free(pairs->pair);
    memset(pairs, 0, sizeof *pairs);
}
