/*
 * Two kernels side by side. Operations are paired by their line of the source and their kind; what is listed came,
 * went, or changed.
 */

#include "cli/report/json.h"
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
    /* By the number of loops around it whose trips are unknown. Rounds that a mask leaves out of
     * such a loop are taken off the sum of one loop less, which may become negative. */
    int64_t wavefronts[DEPTHS], sectors[DEPTHS];
};

static void add_up(struct side *side, const struct lw_kernel_loaded *loaded)
{
    memset(side, 0, sizeof *side);
    side->loaded = loaded;
    for (size_t i = 0; i < loaded->kernel.operation_count; i++) {
        const struct lw_operation *operation = &loaded->kernel.operations[i];
        const struct lw_kernel_cost *cost = &loaded->costs.costs[i];
        int64_t wavefronts = (int64_t)(cost->wavefronts * cost->trips);
        int64_t sectors = (int64_t)(cost->sectors * cost->trips);
        int depth = lw_kernel_open_loops(&loaded->kernel, operation), loop = operation->masked_loop;
        depth = depth < DEPTHS ? depth : DEPTHS - 1;
        side->wavefronts[depth] += wavefronts;
        side->sectors[depth] += sectors;
        if (depth > 0 && loop >= 0 && !loaded->kernel.loops[loop].known) {
            side->wavefronts[depth - 1] -= wavefronts * (int64_t)operation->masked_rounds;
            side->sectors[depth - 1] -= sectors * (int64_t)operation->masked_rounds;
        }
    }
}

/* Compares costs: those inside more loops of unknown trips outweigh all others. */
static int compare_depths(const int64_t *a, const int64_t *b)
{
    for (int depth = DEPTHS - 1; depth >= 0; depth--)
        if (a[depth] != b[depth])
            return a[depth] < b[depth] ? -1 : 1;
    return 0;
}

/* ---- Which costs more ---- */

/* Whether the verdict is the same for every value of the unknown costs: those of added or removed operations that are
 * not counted, and of text that could not be read. Else the error has the first such operation. */
static bool verdict_holds(const struct side sides[2], const struct lw_kernel_pairs *pairs,
                          int order, bool worse, struct lw_error *err)
{
    const int light = worse ? 0 : 1; /* the side that costs no more */
    const unsigned missing = LW_COST_SHARED | (order ? 0 : LW_COST_GLOBAL);
    const struct lw_kernel_loaded *loaded = sides[light].loaded;
    int first = -1;
    for (int side = 0; side < 2; side++)
        if (sides[side].loaded->kernel.problems.total)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "which costs more is unknown: not all of %.200s can be read",
                                sides[side].loaded->kernel.name);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct lw_kernel_pair *pair = &pairs->pair[i];
        const int at = light ? pair->after : pair->before;
        if (pair->change != LW_CHANGE_NONE && at >= 0 && (first < 0 || at < first) &&
            (lw_kernel_cost_missing(&loaded->costs.costs[at]) & missing))
            first = at;
    }
    if (first < 0)
        return true;
    const struct lw_operation *operation = &loaded->kernel.operations[first];
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "which costs more is unknown: %s, line %d of %.160s, is not "
                        "counted: %.200s",
                        operation->name, operation->position.line, loaded->kernel.name,
                        loaded->costs.costs[first].why);
}

/* ---- Printing ---- */

static const char *const heads[] = {"",          "lines",  "wavefronts", "ideal",  "sectors",
                                    "operation", "source", "loops",      "tensor", "layouts"};
enum { COLS = sizeof heads / sizeof *heads };
static const enum lw_kernel_field shown[COLS - 1] = {
    LW_FIELD_LINE,   LW_FIELD_WAVEFRONTS, LW_FIELD_IDEAL,  LW_FIELD_SECTORS, LW_FIELD_OPERATION,
    LW_FIELD_SOURCE, LW_FIELD_LOOPS,      LW_FIELD_TENSOR, LW_FIELD_LAYOUTS};

/* Adds a row; a cell has what the pair has before and after, "32 -> 64", or once what is the same. */
static void add_pair(struct lw_report_table *table, const struct side sides[2],
                     const struct lw_kernel_pair *pair)
{
    struct lw_text fields[2][LW_KERNEL_FIELDS] = {0};
    const int at[2] = {pair->before, pair->after};
    for (int side = 0; side < 2; side++)
        if (at[side] >= 0)
            lw_kernel_fields_put(fields[side], sides[side].loaded, (size_t)at[side], "-");
    lw_report_table_cell(table, lw_change_name(pair->change));
    for (size_t i = 0; i < COLS - 1; i++) {
        struct lw_text *before = &fields[0][shown[i]];
        const char *after = lw_text_string(&fields[1][shown[i]]);
        if (at[0] >= 0 && at[1] >= 0 && strcmp(lw_text_string(before), after) != 0) {
            lw_text_format(before, "%s%s", strstr(after, "->") ? "  to  " : " -> ", after);
            after = lw_text_string(before);
        }
        lw_report_table_cell(table, at[1] >= 0 ? after : lw_text_string(before));
    }
    lw_kernel_fields_free(fields[0]);
    lw_kernel_fields_free(fields[1]);
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
            "cost outside of it, less the rounds that its pipeline masks off\n");
}

static void put_json(struct lw_text *text, const struct side sides[2],
                     const struct lw_kernel_pairs *pairs, const char *worse)
{
    lw_json_put(text, NULL, "{");
    for (int side = 0; side < 2; side++) {
        lw_kernel_sums_json(text, side ? "after" : "before", &sides[side].loaded->costs);
        lw_json_number(text, "unknown", sides[side].loaded->costs.unknown);
        lw_text_char(text, '}');
    }
    for (int side = 0; side < 2; side++) {
        lw_json_put(text, side ? "came" : "went", "[");
        for (size_t i = 0; i < pairs->count; i++) {
            const struct lw_kernel_pair *pair = &pairs->pair[i];
            if (pair->change == (side ? LW_CHANGE_CAME : LW_CHANGE_WENT))
                lw_kernel_operation_json(text, NULL, sides[side].loaded,
                                         (size_t)(side ? pair->after : pair->before));
        }
        lw_text_char(text, ']');
    }
    lw_json_put(text, "changed", "[");
    for (size_t i = 0; i < pairs->count; i++) {
        const struct lw_kernel_pair *pair = &pairs->pair[i];
        if (pair->change == LW_CHANGE_NONE || pair->before < 0 || pair->after < 0)
            continue;
        lw_json_put(text, NULL, "{");
        lw_json_string(text, "change", lw_change_name(pair->change));
        lw_kernel_operation_json(text, "before", sides[0].loaded, (size_t)pair->before);
        lw_kernel_operation_json(text, "after", sides[1].loaded, (size_t)pair->after);
        lw_text_char(text, '}');
    }
    lw_text_char(text, ']');
    lw_json_put(text, "worse", worse);
    lw_text_char(text, '}');
}

static bool put_table(FILE *out, const struct side sides[2], const struct lw_kernel_pairs *pairs,
                      const struct lw_report_options *options, struct lw_error *err)
{
    struct lw_report_table table = {.heads = heads, .cols = COLS};
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->pair[i].change != LW_CHANGE_NONE)
            add_pair(&table, sides, &pairs->pair[i]);
    const bool any = table.cell_count > 0;
    const bool has_text = lw_text_has_word("text ansi markdown", options->format->name);
    if (has_text) {
        put_totals(out, sides);
        lw_output_print(out, any ? "\n" : "the same operations on the same layouts\n");
    }
    bool ok = (!any && has_text) || lw_report_table_write(&table, options->format, options->style,
                                                          options->fit, out, err);
    lw_report_table_free(&table);
    return ok;
}

bool lw_kernel_compare(const struct lw_kernel_loaded *before, const struct lw_kernel_loaded *after,
                       const struct lw_report_options *options, struct lw_text *json, bool *worse,
                       FILE *out, struct lw_error *err)
{
    struct side sides[2];
    struct lw_kernel_pairs pairs;
    struct lw_error unsure;
    bool ok = true;
    add_up(&sides[0], before);
    add_up(&sides[1], after);
    int order = compare_depths(sides[0].wavefronts, sides[1].wavefronts);
    *worse = order < 0 || (order == 0 && compare_depths(sides[0].sectors, sides[1].sectors) < 0);
    if (!lw_kernel_pairs_make(&pairs, &before->costs, &after->costs, err))
        return false;
    bool sure = verdict_holds(sides, &pairs, order, *worse, &unsure);
    if (json)
        put_json(json, sides, &pairs, !sure ? "null" : *worse ? "true" : "false");
    else
        ok = put_table(out, sides, &pairs, options, err);
    lw_kernel_pairs_free(&pairs);
    if (ok && !sure && err)
        *err = unsure;
    return ok && sure;
}
