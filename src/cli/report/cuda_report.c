/* Accesses of CUDA C++ with their costs: a table for each kind of memory, the worst access first. */

#include "cli/report/cuda_report.h"
#include "core/text_json.h"
#include "core/text_rows.h"

#include <stdlib.h>
#include <string.h>

bool lw_cuda_report_make(struct lw_cuda_report *report, struct lw_cuda *cuda,
                         const struct lw_hardware *hardware, struct lw_error *err)
{
    *report = (struct lw_cuda_report){.cuda = *cuda, .hardware = hardware};
    if (!cuda->access_count) {
        lw_cuda_report_free(report);
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "nothing is accessed here: write tile[i][j] = v; or v = tile[i][j];");
    }
    report->costs =
        lw_arena_alloc(&report->cuda.arena, (cuda->access_count + 1) * sizeof *report->costs);
    bool good = report->costs || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; good && i < cuda->access_count; i++) {
        good = lw_cuda_count(&report->cuda, &report->cuda.accesses[i], hardware, &report->costs[i],
                             err);
        report->conflicts += report->costs[i].conflicts;
    }
    if (!good)
        lw_cuda_report_free(report);
    return good;
}

void lw_cuda_report_free(struct lw_cuda_report *report)
{
    lw_cuda_free(&report->cuda);
    *report = (struct lw_cuda_report){0};
}

static const char *const ops[] = {
    [LW_CUDA_LOAD] = "load", [LW_CUDA_STORE] = "store", [LW_CUDA_ATOMIC] = "atomic"};
/* Of an access to global memory, and to shared memory. */
static const char *const columns[2][4] = {{"requests", "sectors", "ideal_sectors", "lines"},
                                          {"instructions", "wavefronts", "ideal", "conflicts"}};
static const char uncounted[] = "atomics on global memory are not counted";

/* The numbers of an access, in the order of its columns. */
static void put_numbers(const struct lw_cuda_report *report, size_t i, uint64_t numbers[4])
{
    const struct lw_cuda_cost *cost = &report->costs[i];
    const bool shared = report->cuda.arrays[report->cuda.accesses[i].array].is_shared;
    numbers[0] = cost->instructions;
    numbers[1] = shared ? cost->wavefronts : cost->sectors;
    numbers[2] = shared ? cost->ideal : cost->ideal_sectors;
    numbers[3] = shared ? cost->conflicts : cost->lines;
}

/* ---- The table ---- */

/* What an access takes beyond the least: the order of the table. */
static uint64_t excess(const struct lw_cuda_cost *cost)
{
    return cost->wavefronts - cost->ideal + cost->sectors - cost->ideal_sectors;
}

/* The accesses of one kind of memory, the worst first; returns how many. */
static size_t sort(const struct lw_cuda_report *report, bool is_shared, size_t *order)
{
    const struct lw_cuda *cuda = &report->cuda;
    size_t count = 0;
    for (size_t i = 0; i < cuda->access_count; i++) {
        size_t at = count;
        if (cuda->arrays[cuda->accesses[i].array].is_shared != is_shared)
            continue;
        for (; at && excess(&report->costs[order[at - 1]]) < excess(&report->costs[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
    return count;
}

static void put_row(struct lw_text *text, const struct lw_cuda_report *report, size_t i)
{
    const struct lw_cuda_access *access = &report->cuda.accesses[i];
    uint64_t numbers[4];
    char where[32];
    snprintf(where, sizeof where, "%d:%d", access->position.line, access->position.column);
    lw_text_format(text, "%8s  %-6s  %-16.16s %5u", where, ops[access->op],
                   report->cuda.arrays[access->array].name, access->bytes);
    put_numbers(report, i, numbers);
    if (access->times)
        lw_text_format(text, " %13llu %11llu %6llu %10llu\n", (unsigned long long)numbers[0],
                       (unsigned long long)numbers[1], (unsigned long long)numbers[2],
                       (unsigned long long)numbers[3]);
    else
        lw_text_format(text, "  %s\n", uncounted);
}

/* The fixes of the next array with conflicts, or *why there are none; *array: from which on, then the one after it. */
static bool next_fixes(const struct lw_cuda_report *report, size_t *array,
                       struct lw_cuda_fixes *fixes, struct lw_error *why)
{
    const struct lw_cuda *cuda = &report->cuda;
    while (*array < cuda->array_count) {
        const size_t i = (*array)++;
        uint64_t conflicts = 0;
        for (size_t k = 0; k < cuda->access_count; k++)
            if (cuda->accesses[k].array == i)
                conflicts += report->costs[k].conflicts;
        *fixes = (struct lw_cuda_fixes){0};
        if (conflicts) {
            lw_cuda_fixes_make(fixes, cuda, i, report->hardware, why);
            return true;
        }
    }
    return false;
}

/* What would take fewer wavefronts. */
static void put_fixes(struct lw_text *text, const struct lw_cuda_report *report)
{
    struct lw_cuda_fixes fixes;
    struct lw_error why;
    uint64_t atomics = 0; /* conflicts of them */
    for (size_t i = 0; i < report->cuda.access_count; i++)
        if (report->cuda.accesses[i].op == LW_CUDA_ATOMIC &&
            report->cuda.accesses[i].atomic != LW_CUDA_COUNT)
            atomics += report->costs[i].conflicts;
    if (atomics)
        lw_text_add(text,
                    "\natomics take a wavefront for each lane of the fullest bank: copies of "
                    "the array for\nlane % 4, a pitch apart that has other banks, take fewer; "
                    "adding the constant 1, its\nresult not used, takes what a load takes\n");
    for (size_t i = 0; next_fixes(report, &i, &fixes, &why); lw_cuda_fixes_free(&fixes)) {
        if (!fixes.count)
            lw_text_format(text, "\n%s\n", why.message);
        for (size_t k = 0; k < fixes.count; k++) {
            const struct lw_cuda_fix *fix = &fixes.fix[k];
            lw_text_format(text, k ? "  %s   " : "\n%s takes ",
                           k ? fix->changed : report->cuda.arrays[i - 1].name);
            lw_put_count(text, fix->wavefronts, "wavefront");
            lw_text_format(
                text, "%s%llu bytes%s\n", k ? ", " : " in ", (unsigned long long)fix->bytes,
                k ? ""
                : fixes.count > 1
                    ? "; fewer, as C++:"
                    : "; no padding and no xor of the column with the row is known to take fewer");
        }
    }
}

void lw_cuda_report_print(struct lw_text *text, const struct lw_cuda_report *report)
{
    const struct lw_cuda *cuda = &report->cuda;
    size_t *order = calloc(cuda->access_count + 1, sizeof *order);
    lw_text_format(text, "block of %llu x %llu x %llu threads%s, ",
                   (unsigned long long)cuda->block[0], (unsigned long long)cuda->block[1],
                   (unsigned long long)cuda->block[2], cuda->block_is_assumed ? " (assumed)" : "");
    lw_put_count(text, (cuda->threads + 31) / 32, "warp");
    lw_text_char(text, '\n');
    for (int shared = 1; shared >= 0 && order; shared--) {
        const size_t count = sort(report, shared, order);
        if (count)
            lw_text_format(
                text, "\n%s memory, the worst first:\n%8s  %-6s  %-16s %5s %13s %11s %6s %10s\n",
                shared ? "shared" : "global", "line", "op", "array", "bytes", columns[shared][0],
                columns[shared][1], "ideal", columns[shared][3]);
        for (size_t i = 0; i < count; i++)
            put_row(text, report, order[i]);
    }
    if (cuda->warning.code != LW_OK)
        lw_text_format(text, "\n%d:%d: %s: legal in C++, and most often a mistake\n",
                       cuda->warning.position.line, cuda->warning.position.column,
                       cuda->warning.message);
    free(order);
    put_fixes(text, report);
}

/* ---- JSON ---- */

void lw_cuda_report_print_json(struct lw_text *text, const struct lw_cuda_report *report)
{
    const struct lw_cuda *cuda = &report->cuda;
    struct lw_cuda_fixes fixes;
    lw_text_add(text, "{\"accesses\":[");
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        const struct lw_cuda_array *array = &cuda->arrays[access->array];
        uint64_t numbers[4];
        put_numbers(report, i, numbers);
        lw_json_put(text, NULL, "{");
        lw_json_string(text, "op", ops[access->op]);
        lw_json_string(text, "space", array->is_shared ? "shared" : "global");
        lw_json_string(text, "name", array->name);
        lw_json_number(text, "bytes", access->bytes);
        lw_json_number(text, "line", (uint64_t)access->position.line);
        lw_json_number(text, "column", (uint64_t)access->position.column);
        for (int k = 0; k < 4; k++)
            lw_json_known(text, columns[array->is_shared][k], access->times, numbers[k]);
        if (!access->times)
            lw_json_string(text, "why", uncounted);
        lw_text_char(text, '}');
    }
    lw_text_add(text, "],\"fixes\":[");
    for (size_t i = 0; next_fixes(report, &i, &fixes, NULL); lw_cuda_fixes_free(&fixes))
        for (size_t k = 1; k < fixes.count; k++) {
            const struct lw_cuda_fix *fix = &fixes.fix[k];
            lw_json_put(text, NULL, "{");
            lw_json_string(text, "name", cuda->arrays[i - 1].name);
            lw_json_string(text, "kind", fix->kind == LW_CUDA_PADDED ? "padding" : "xor");
            lw_json_string(text, "changed", fix->changed);
            lw_json_number(text, "bytes", fix->bytes);
            lw_json_number(text, "wavefronts", fix->wavefronts);
            lw_json_string(text, "text", fix->text);
            lw_text_char(text, '}');
        }
    lw_text_char(text, ']');
    if (cuda->warning.code != LW_OK)
        lw_json_string(text, "warning", cuda->warning.message);
    lw_text_char(text, '}');
}
