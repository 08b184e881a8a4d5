/*
 * Two kernels side by side. Operations that do the same to the same layouts, at the same loop depth, are
 * matched. The rest were added or removed.
 */

#include "cli/report/kernel_report.h"
#include "export/output.h"
#include "kernel/kernel_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Loops with unknown trips are distinguished by their depth, up to this. */
#define DEPTHS 16

struct side {
    const struct lw_kernel_loaded *loaded;
    uint64_t wavefronts[DEPTHS],
        sectors[DEPTHS]; /* by the number of loops around it whose trips are unknown */
};

struct entry {
    char *key;
    size_t index;
    int side;
};

static void add_up(struct side *side, const struct lw_kernel_loaded *loaded)
{
    memset(side, 0, sizeof *side);
    side->loaded = loaded;
    for (size_t i = 0; i < loaded->kernel.operation_count; i++) {
        const struct lw_kernel_cost *cost = &loaded->costs.costs[i];
        int depth = lw_kernel_open_loops(&loaded->kernel, &loaded->kernel.operations[i]);
        depth = depth < DEPTHS ? depth : DEPTHS - 1;
        side->wavefronts[depth] += cost->wavefronts * cost->trips;
        side->sectors[depth] += cost->sectors * cost->trips;
    }
}

/* Compares costs: those inside more loops of unknown trips outweigh all others. */
static int compare_depths(const uint64_t *a, const uint64_t *b)
{
    for (int depth = DEPTHS - 1; depth >= 0; depth--)
        if (a[depth] != b[depth])
            return a[depth] < b[depth] ? -1 : 1;
    return 0;
}

/* ---- Added and removed operations ---- */

static char *key_of(const struct lw_kernel_loaded *loaded, size_t i)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    struct lw_text key = {0};
    lw_text_add(&key, operation->kind->name);
    for (int end = 0; end < 2; end++) {
        int type = end ? operation->to : operation->from;
        lw_text_format(&key, "\n%s",
                       type < 0 ? "" : kernel->encodings[kernel->types[type].layout].text);
    }
    lw_text_char(&key, '\n');
    lw_operation_print_tensor(&key, kernel, operation);
    const struct lw_kernel_cost *cost = &loaded->costs.costs[i];
    unsigned missing = lw_kernel_cost_missing(cost);
    /* Costs that are not counted are equal when the hardware is. */
    lw_text_format(&key, "\n%d %u %s", cost->depth, missing,
                   missing ? loaded->costs.hardware->name : "");
    char *copy = key.failed ? NULL : strdup(lw_text_string(&key));
    lw_text_free(&key);
    return copy;
}

static int by_position(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    if (left->side != right->side)
        return left->side - right->side;
    return left->index < right->index ? -1 : left->index > right->index;
}

static int by_key(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    int order = strcmp(left->key, right->key);
    return order ? order : by_position(a, b);
}

/* Removes matching entries: of each key as many of one side as of the other; returns how many entries remain. */
static size_t drop_pairs(struct entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t from = 0, to; from < count; from = to) {
        size_t sides[2] = {0, 0};
        for (to = from; to < count && !strcmp(entries[to].key, entries[from].key); to++)
            sides[entries[to].side]++;
        size_t pairs = sides[0] < sides[1] ? sides[0] : sides[1], skip[2] = {pairs, pairs};
        for (size_t i = from; i < to; i++) {
            if (skip[entries[i].side]) {
                skip[entries[i].side]--;
                free(entries[i].key);
            } else {
                entries[kept++] = entries[i];
            }
        }
    }
    qsort(entries, kept, sizeof *entries, by_position);
    return kept;
}

static struct entry *differences(const struct side sides[2], size_t *count)
{
    size_t max = sides[0].loaded->kernel.operation_count + sides[1].loaded->kernel.operation_count;
    struct entry *entries = calloc(max + 1, sizeof *entries);
    *count = 0;
    for (int side = 0; entries && side < 2; side++)
        for (size_t i = 0; i < sides[side].loaded->kernel.operation_count; i++) {
            struct entry entry = {key_of(sides[side].loaded, i), i, side};
            if (entry.key)
                entries[(*count)++] = entry;
        }
    if (entries) {
        qsort(entries, *count, sizeof *entries, by_key);
        *count = drop_pairs(entries, *count);
    }
    return entries;
}

/* ---- Which costs more ---- */

static const char *first_missing(const struct lw_kernel_loaded *loaded, const struct entry *entries,
                                 size_t count, int side, unsigned missing,
                                 const struct lw_operation **operation)
{
    for (size_t i = 0; i < count; i++) {
        const struct lw_kernel_cost *cost = &loaded->costs.costs[entries[i].index];
        if (entries[i].side == side && (lw_kernel_cost_missing(cost) & missing)) {
            *operation = &loaded->kernel.operations[entries[i].index];
            return cost->why;
        }
    }
    return NULL;
}

/* Whether the verdict is the same for every value of the unknown costs: those of added or removed operations that are
 * not counted, and of text that could not be read. */
static bool verdict_holds(const struct side sides[2], const struct entry *entries, size_t count,
                          int order, bool worse, struct lw_error *err)
{
    int light = worse ? 0 : 1; /* the side that costs no more */
    for (int side = 0; side < 2; side++)
        if (sides[side].loaded->kernel.problems.total)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "which costs more is unknown: not all of %.200s can be read",
                                sides[side].loaded->kernel.name);
    const struct lw_kernel_loaded *loaded = sides[light].loaded;
    const struct lw_operation *operation;
    const char *why = first_missing(loaded, entries, count, light,
                                    LW_COST_SHARED | (order ? 0 : LW_COST_GLOBAL), &operation);
    return !why ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "which costs more is unknown: %s, line %d of %.160s, is not "
                        "counted: %.200s",
                        operation->name, operation->position.line, loaded->kernel.name, why);
}

/* ---- Printing ---- */

static const char *const heads[] = {"",        "line", "operation",  "source", "loops",  "tensor",
                                    "layouts", "what", "wavefronts", "ideal",  "sectors"};
enum { COLS = sizeof heads / sizeof *heads };

static void add_entry(struct lw_report_table *table, const struct lw_kernel_loaded *loaded,
                      const struct entry *entry)
{
    const struct lw_operation *operation = &loaded->kernel.operations[entry->index];
    const struct lw_kernel_cost *cost = &loaded->costs.costs[entry->index];
    struct lw_text text = {0};
    void (*const puts[])(struct lw_text *, const struct lw_kernel *,
                         const struct lw_operation *) = {lw_operation_print_tensor,
                                                         lw_operation_print_layouts};
    lw_report_table_cell(table, entry->side ? "came" : "went");
    lw_report_table_number(table, (uint64_t)operation->position.line);
    lw_report_table_cell(table, operation->name);
    lw_location_print(&text, operation->location, false);
    lw_report_table_cell(table, lw_text_string(&text));
    lw_report_table_number(table, (uint64_t)cost->depth);
    for (int i = 0; i < 2; i++) {
        lw_text_clear(&text);
        puts[i](&text, &loaded->kernel, operation);
        lw_report_table_cell(table, lw_text_string(&text));
    }
    lw_report_table_cell(table, cost->kind);
    lw_report_table_number(table, cost->wavefronts);
    lw_report_table_number(table, cost->ideal);
    lw_report_table_number(table, cost->sectors);
    lw_text_free(&text);
}

static void put_totals(FILE *out, const struct side sides[2])
{
    const struct lw_kernel_costs *a = &sides[0].loaded->costs, *b = &sides[1].loaded->costs;
    lw_output_name(out, sides[0].loaded->kernel.name);
    lw_output_print(out, " -> ");
    lw_output_name(out, sides[1].loaded->kernel.name);
    lw_output_print(out,
                    "\n"
                    "shared memory: %" PRIu64 " -> %" PRIu64 " wavefronts (ideal %" PRIu64
                    " -> %" PRIu64 ")\nglobal memory: %" PRIu64 " -> %" PRIu64
                    " sectors (ideal %" PRIu64 " -> %" PRIu64 ")\n",
                    a->run_wavefronts, b->run_wavefronts, a->run_ideal, b->run_ideal,
                    a->run_sectors, b->run_sectors, a->run_ideal_sectors, b->run_ideal_sectors);
    if (a->unknown || b->unknown)
        lw_output_print(out, "not counted: %zu -> %zu operations\n", a->unknown, b->unknown);
    if (!a->trips_known || !b->trips_known)
        lw_output_print(
            out,
            "a loop whose number of trips is unknown counts once; its cost is compared before the "
            "cost outside of it\n");
}

static void put_json(FILE *out, const struct side sides[2], const struct entry *entries,
                     size_t count, const char *worse)
{
    static const char *const names[] = {"went", "came"};
    struct lw_text text = {0};
    lw_text_char(&text, '{');
    for (int side = 0; side < 2; side++) {
        const struct lw_kernel_costs *costs = &sides[side].loaded->costs;
        lw_text_format(&text,
                       "\"%s\":{\"wavefronts\":%" PRIu64 ",\"ideal\":%" PRIu64
                       ",\"sectors\":%" PRIu64 ",\"ideal_sectors\":%" PRIu64 ",\"unknown\":%zu},",
                       side ? "after" : "before", costs->run_wavefronts, costs->run_ideal,
                       costs->run_sectors, costs->run_ideal_sectors, costs->unknown);
    }
    for (int side = 0; side < 2; side++) {
        bool first = true;
        lw_text_format(&text, "\"%s\":[", names[side]);
        for (size_t i = 0; i < count; i++) {
            if (entries[i].side != side)
                continue;
            const struct lw_kernel_loaded *loaded = sides[side].loaded;
            lw_text_add(&text, first ? "" : ",");
            lw_kernel_operation_json(&text, &loaded->kernel,
                                     &loaded->kernel.operations[entries[i].index],
                                     &loaded->costs.costs[entries[i].index]);
            first = false;
        }
        lw_text_add(&text, "],");
    }
    lw_text_format(&text, "\"worse\":%s}\n", worse);
    lw_output_text(out, &text);
    lw_text_free(&text);
}

static bool put_table(FILE *out, const struct side sides[2], const struct entry *entries,
                      size_t count, const struct lw_report_options *options, struct lw_error *err)
{
    struct lw_report_table table = {.heads = heads, .cols = COLS};
    for (size_t i = 0; i < count; i++)
        add_entry(&table, sides[entries[i].side].loaded, &entries[i]);
    if (options->format != LW_REPORT_TABLE_CSV) {
        put_totals(out, sides);
        lw_output_print(out, count ? "\n" : "the same operations on the same layouts\n");
    }
    bool ok = (!count && options->format != LW_REPORT_TABLE_CSV) ||
              lw_report_table_write(&table, options->format, options->style, out, err);
    lw_report_table_free(&table);
    return ok;
}

bool lw_kernel_compare(const struct lw_kernel_loaded *before, const struct lw_kernel_loaded *after,
                       const struct lw_report_options *options, bool json, bool *worse, FILE *out,
                       struct lw_error *err)
{
    struct side sides[2];
    size_t count;
    add_up(&sides[0], before);
    add_up(&sides[1], after);
    int order = compare_depths(sides[0].wavefronts, sides[1].wavefronts);
    *worse = order < 0 || (order == 0 && compare_depths(sides[0].sectors, sides[1].sectors) < 0);
    struct entry *entries = differences(sides, &count);
    if (!entries)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    struct lw_error unsure;
    bool ok = true, sure = verdict_holds(sides, entries, count, order, *worse, &unsure);
    if (json)
        put_json(out, sides, entries, count, !sure ? "null" : *worse ? "true" : "false");
    else
        ok = put_table(out, sides, entries, count, options, err);
    for (size_t i = 0; i < count; i++)
        free(entries[i].key);
    free(entries);
    if (ok && !sure && err)
        *err = unsure;
    return ok && sure;
}
