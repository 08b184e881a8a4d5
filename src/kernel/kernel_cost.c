/* Costs of all operations of a kernel, added up and sorted. Equal operations that are near share a cost. */

#include "laneway/kernel_cost.h"

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

static void count_cost(struct lw_kernel_costs *all, size_t i)
{
    const struct lw_kernel *kernel = all->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    struct lw_kernel_cost *cost = &all->costs[i];
    for (size_t j = i; j-- > 0 && i - j < 256;)
        if (same_operation(operation, &kernel->operations[j])) {
            *cost = all->costs[j];
            break;
        }
    if (!cost->kind)
        lw_kernel_operation_cost(kernel, operation, all->hardware, all->maps, cost);
    cost->depth = lw_operation_depth(kernel, operation);
    cost->trips_known = lw_operation_trips(kernel, operation, &cost->trips);
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
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
    all->run_wavefronts = plus(all->run_wavefronts, times(cost->wavefronts, cost->trips));
    all->run_ideal = plus(all->run_ideal, times(cost->ideal, cost->trips));
    all->run_sectors = plus(all->run_sectors, times(cost->sectors, cost->trips));
    all->run_ideal_sectors = plus(all->run_ideal_sectors, times(cost->ideal_sectors, cost->trips));
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
    struct lw_kernel_rank rank = {i, 0, times(cost->wavefronts, cost->trips),
                                  times(cost->sectors, cost->trips)};
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
    const size_t count = costs->kernel->operation_count, at = costs->counted;
    if (at == count)
        return false;
    count_cost(costs, at);
    add_up(costs, &costs->costs[at]);
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
    for (const char *p = alias; *p;) {
        size_t word = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (!strncmp(p, "#ttg.", 5) || !strncmp(p, "#triton_gpu.", 12) ||
            !strncmp(p, "#ttng.", 6)) {
            p = strchr(p, '.') + 1;
        } else if (word && !strncmp(p + word, " = ", 3)) {
            p += word + 3;
        } else if (word) {
            lw_text_bytes(text, p, word);
            p += word;
        } else if (!strncmp(p, "<{", 2) || !strncmp(p, "}>", 2)) {
            lw_text_char(text, *p == '<' ? '(' : ')');
            p += 2;
        } else {
            lw_text_char(text, *p++);
        }
    }
}

void lw_operation_print_layouts(struct lw_text *text, const struct lw_kernel *kernel,
                                const struct lw_operation *operation)
{
    if (operation->from >= 0)
        print_short(text, lw_kernel_alias(kernel, operation->from));
    if (operation->from >= 0 && operation->to >= 0)
        lw_text_add(text, " -> ");
    if (operation->to >= 0)
        print_short(text, lw_kernel_alias(kernel, operation->to));
}

void lw_operation_print_tensor(struct lw_text *text, const struct lw_kernel *kernel,
                               const struct lw_operation *operation)
{
    struct lw_tensor tensor;
    lw_operation_tensor(kernel, operation, &tensor);
    if (tensor.rank >= 0)
        lw_tensor_print(text, &tensor);
}
