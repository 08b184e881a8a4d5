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

unsigned lw_kernel_cost_missing(const struct lw_kernel_cost *cost)
{
    if (!strcmp(cost->kind, "global"))
        return ~cost->known & LW_COST_GLOBAL;
    const bool shared = !strcmp(cost->kind, "shared") || !strcmp(cost->kind, "blocks") ||
                        !strcmp(cost->kind, "unknown");
    return shared && !cost->known ? LW_COST_SHARED : 0;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void lw_kernel_sums_add(struct lw_kernel_sums *all, const struct lw_kernel_sums *one)
{
    all->wavefronts = plus(all->wavefronts, one->wavefronts);
    all->ideal = plus(all->ideal, one->ideal);
    all->sectors = plus(all->sectors, one->sectors);
    all->ideal_sectors = plus(all->ideal_sectors, one->ideal_sectors);
}

/* Less than, equal to or greater than 0: by the wavefronts of all runs, then by their sectors. */
static int compare(const struct lw_kernel_cost *a, const struct lw_kernel_cost *b)
{
    const struct lw_kernel_sums *left = &a->run, *right = &b->run;
    return left->wavefronts != right->wavefronts
               ? (left->wavefronts < right->wavefronts ? -1 : 1)
               : (left->sectors > right->sectors) - (left->sectors < right->sectors);
}

/* The order of lw_kernel_costs.order. */
static int by_cost(const void *a, const void *b)
{
    const struct lw_kernel_cost *const *left = a, *const *right = b;
    const int order = compare(*right, *left);
    return order ? order : (*left > *right) - (*left < *right);
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
    costs->maps = calloc(1, sizeof *costs->maps);
    if (!costs->costs || !costs->order || !costs->maps) {
        lw_kernel_costs_free(costs);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
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
    cost->run = (struct lw_kernel_sums){
        .wavefronts = lw_bounded_product(cost->wavefronts, cost->trips),
        .ideal = lw_bounded_product(cost->ideal, cost->trips),
        .sectors = lw_bounded_product(cost->sectors, cost->trips),
        .ideal_sectors = lw_bounded_product(cost->ideal_sectors, cost->trips)};
    const bool is_free = !cost->run.wavefronts && !cost->run.sectors;
    cost->open_loops = 0;
    for (int loop = operation->loop; loop >= 0 && !is_free; loop = kernel->loops[loop].parent)
        cost->open_loops += !kernel->loops[loop].known;
    const unsigned missing = lw_kernel_cost_missing(cost);
    lw_kernel_sums_add(&costs->run, &cost->run);
    costs->unknown += !cost->known;
    costs->uncounted += missing == LW_COST_SHARED;
    costs->uncounted_global += missing == LW_COST_GLOBAL;
    costs->trips_known =
        costs->trips_known && (cost->trips_known || (!cost->wavefronts && !cost->sectors));
    costs->order[at] = cost;
    if (++costs->counted == count)
        qsort(costs->order, count, sizeof *costs->order, by_cost);
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

/* An operation that has no mate so far, with its key in this round. */
struct entry {
    const char *key;
    int side;
    const struct lw_kernel_cost *cost;
};

struct pairing {
    const struct lw_kernel_costs *side[2];
    int first_line[2]; /* of the source: the least line of an operation; lines count from it */
    struct entry *entries;
    size_t count;
    struct lw_kernel_pairs *pairs;
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

static void put_key(struct lw_text *key, const struct pairing *pairing, const struct entry *entry,
                    unsigned parts)
{
    const struct lw_kernel_costs *costs = pairing->side[entry->side];
    const struct lw_kernel *kernel = costs->kernel;
    const struct lw_operation *operation = &kernel->operations[entry->cost - costs->costs];
    lw_text_add(key, operation->kind->name);
    for (const struct lw_location *at = operation->location; at && (parts & LINE); at = at->caller)
        lw_text_format(key, " %s:%d", lw_base_name(at->file),
                       at->line - (at->caller ? 0 : pairing->first_line[entry->side]));
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
    return order                       ? order
           : left->side != right->side ? left->side - right->side
                                       : (left->cost > right->cost) - (left->cost < right->cost);
}

/* Adds a pair, `is_same`: of equal operations, which the rounds with LAYOUTS leave to no other; or what has no mate,
 * NULL on the other side. */
static void add_pair(struct pairing *pairing, const struct lw_kernel_cost *before,
                     const struct lw_kernel_cost *after, bool is_same)
{
    enum lw_change change = after ? LW_CHANGE_CAME : LW_CHANGE_WENT;
    if (before && after) {
        const unsigned missing[] = {lw_kernel_cost_missing(before), lw_kernel_cost_missing(after)};
        const int loops = before->open_loops - after->open_loops; /* of unknown trips */
        const int order = loops ? loops : compare(before, after);
        if (missing[0] || missing[1]) /* what is not counted is equal when the hardware is */
            change = is_same && missing[0] == missing[1] &&
                             pairing->side[0]->hardware == pairing->side[1]->hardware
                         ? LW_CHANGE_NONE
                         : LW_CHANGE_UNKNOWN;
        else
            change = order < 0 ? LW_CHANGE_DEARER
                     : order   ? LW_CHANGE_CHEAPER
                     : is_same ? LW_CHANGE_NONE
                               : LW_CHANGE_OTHER;
    }
    pairing->pairs->pair[pairing->pairs->count++] =
        (struct lw_kernel_pair){{before, after}, change};
}

/* Pairs operations that have equal keys, and keeps the others. False when memory is out. */
static bool run_round(struct pairing *pairing, unsigned parts)
{
    struct entry *entries = pairing->entries;
    const size_t count = pairing->count;
    struct lw_arena keys = {0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        struct lw_text key = {0};
        put_key(&key, pairing, &entries[i], parts);
        entries[i].key =
            key.failed ? NULL : lw_arena_string(&keys, lw_text_string(&key), key.length);
        good = entries[i].key;
        lw_text_free(&key);
    }
    if (good) {
        qsort(entries, count, sizeof *entries, by_key);
        pairing->count = 0;
    }
    for (size_t from = 0, to; good && from < count; from = to) {
        size_t after = from;
        for (to = from; to < count && !strcmp(entries[to].key, entries[from].key); to++)
            after += !entries[to].side;
        for (size_t i = from; i < to; i++) {
            const size_t mate = i < after ? after + (i - from) : from + (i - after);
            if (mate >= (i < after ? to : after))
                entries[pairing->count++] = entries[i];
            else if (i < after)
                add_pair(pairing, entries[i].cost, entries[mate].cost, parts & LAYOUTS);
        }
    }
    lw_arena_free(&keys);
    return good;
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

static int by_change(const void *a, const void *b)
{
    const struct lw_kernel_pair *left = a, *right = b;
    const int side = left->cost[1] && left->change != LW_CHANGE_CHEAPER; /* that which costs more */
    const struct lw_kernel_cost *one = left->cost[side], *other = right->cost[side];
    return left->change != right->change ? (int)left->change - (int)right->change
                                         : by_cost(&one, &other);
}

bool lw_kernel_pairs_make(struct lw_kernel_pairs *pairs, const struct lw_kernel_costs *before,
                          const struct lw_kernel_costs *after, struct lw_error *err)
{
    struct pairing pairing = {.side = {before, after}, .pairs = pairs};
    const size_t most = before->kernel->operation_count + after->kernel->operation_count + 1;
    *pairs = (struct lw_kernel_pairs){.pair = calloc(most, sizeof *pairs->pair)};
    pairing.entries = calloc(most, sizeof *pairing.entries);
    bool good = pairs->pair && pairing.entries;
    for (int side = 0; side < 2 && good; side++) {
        const struct lw_kernel *kernel = pairing.side[side]->kernel;
        pairing.first_line[side] = first_line(kernel);
        for (size_t i = 0; i < kernel->operation_count; i++)
            pairing.entries[pairing.count++] =
                (struct entry){.side = side, .cost = &pairing.side[side]->costs[i]};
    }
    for (size_t i = 0; good && i < LW_COUNT(rounds); i++)
        good = run_round(&pairing, rounds[i]);
    for (size_t i = 0; good && i < pairing.count; i++) {
        const struct entry *left = &pairing.entries[i];
        add_pair(&pairing, left->side ? NULL : left->cost, left->side ? left->cost : NULL, false);
    }
    if (good)
        qsort(pairs->pair, pairs->count, sizeof *pairs->pair, by_change);
    else
        lw_kernel_pairs_free(pairs);
    free(pairing.entries);
    return good || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_kernel_pairs_free(struct lw_kernel_pairs *pairs)
{
    free(pairs->pair);
    memset(pairs, 0, sizeof *pairs);
}
