/* The report of a kernel: what moves, where, at what cost, the most expensive first; then its encodings. */

#include "cli/report/kernel_report.h"
#include "kernel/source_lines.h"

#include "core/text_escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields of an operation ---- */

/* Puts a number that only some operations have. */
static void put_known(struct lw_text *text, bool known, uint64_t number, const char *unknown)
{
    if (known)
        lw_text_number(text, number);
    else
        lw_text_add(text, unknown);
}

void lw_kernel_fields_put(struct lw_text fields[LW_KERNEL_FIELDS],
                          const struct lw_kernel_loaded *loaded, size_t i, const char *unknown)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    const struct lw_kernel_cost *cost = &loaded->costs.costs[i];
    const bool shared = cost->known & LW_COST_SHARED, global = cost->known & LW_COST_GLOBAL;
    for (size_t field = 0; field < LW_KERNEL_FIELDS; field++)
        lw_text_clear(&fields[field]);
    lw_text_number(&fields[LW_FIELD_LINE], (uint64_t)operation->position.line);
    lw_text_add(&fields[LW_FIELD_VALUE], operation->value);
    lw_text_add(&fields[LW_FIELD_OPERATION], operation->name);
    lw_location_print(&fields[LW_FIELD_SOURCE], operation->location, false);
    lw_text_number(&fields[LW_FIELD_LOOPS], (uint64_t)cost->depth);
    lw_operation_print_tensor(&fields[LW_FIELD_TENSOR], kernel, operation);
    lw_operation_print_layouts(&fields[LW_FIELD_LAYOUTS], kernel, operation);
    if (operation->needs_line)
        lw_text_format(&fields[LW_FIELD_LAYOUTS], " for %s, line %d", operation->needs,
                       operation->needs_line);
    lw_text_add(&fields[LW_FIELD_WHAT], cost->kind);
    lw_text_add(&fields[LW_FIELD_CODE], cost->code);
    put_known(&fields[LW_FIELD_WAVEFRONTS], shared, cost->wavefronts, unknown);
    put_known(&fields[LW_FIELD_IDEAL], shared, cost->ideal, unknown);
    put_known(&fields[LW_FIELD_BYTES], shared || global, cost->bytes, unknown);
    put_known(&fields[LW_FIELD_SECTORS], global, cost->sectors, unknown);
    put_known(&fields[LW_FIELD_IDEAL_SECTORS], global, cost->ideal_sectors, unknown);
    lw_text_format(&fields[LW_FIELD_RUNS], "%" PRIu64 "%s", cost->trips,
                   cost->trips_known ? "" : " or more");
    /* Of all wavefronts of a launch; in a kernel without wavefronts, of all sectors. */
    const struct lw_kernel_costs *costs = &loaded->costs;
    const uint64_t all = costs->run_wavefronts ? costs->run_wavefronts : costs->run_sectors;
    const uint64_t part = costs->run_wavefronts ? cost->wavefronts : cost->sectors;
    if (all)
        lw_text_format(&fields[LW_FIELD_SHARE], "%.0f%%",
                       100.0 * (double)(part * cost->trips) / (double)all);
}

void lw_kernel_fields_free(struct lw_text fields[LW_KERNEL_FIELDS])
{
    for (size_t field = 0; field < LW_KERNEL_FIELDS; field++)
        lw_text_free(&fields[field]);
}

static void text_cell(struct lw_report_table *table, const struct lw_text *text)
{
    lw_report_table_cell(table, lw_text_string(text));
    table->failed = table->failed || text->failed;
}

/* ---- Rows ---- */

/* The columns. Text has one column for global memory, and no column of runs beside that of the loops. */
static const struct {
    const char *head;
    bool csv_only;
} columns[LW_KERNEL_FIELDS] = {
    {"line", false},      {"wavefronts", false},   {"ideal", false}, {"bytes", true},
    {"sectors", false},   {"ideal sectors", true}, {"runs", true},   {"share", false},
    {"operation", false}, {"source", false},       {"loops", false}, {"tensor", false},
    {"layouts", false},   {"what", false},         {"code", false},  {"value", false}};

/* `heads` has room for all columns, of which the last is the line of the source. */
static void add_operations(struct lw_report_table *table, const struct lw_kernel_loaded *loaded,
                           const struct lw_report_options *options, const char **heads)
{
    struct lw_source_lines lines = {0};
    struct lw_text fields[LW_KERNEL_FIELDS] = {0};
    bool csv = !strcmp(options->format->name, "csv");
    table->heads = heads;
    for (size_t field = 0; field < LW_KERNEL_FIELDS; field++)
        if (csv || !columns[field].csv_only)
            heads[table->cols++] = columns[field].head;
    heads[table->cols++] = "text";
    for (size_t i = 0; i < loaded->kernel.operation_count; i++) {
        const size_t at = loaded->costs.order[i];
        lw_kernel_fields_put(fields, loaded, at, csv ? "" : "-");
        for (size_t field = 0; field < LW_KERNEL_FIELDS; field++)
            if (csv || !columns[field].csv_only)
                text_cell(table, &fields[field]);
        const char *line = lw_source_line(&lines, loaded->kernel.operations[at].location,
                                          loaded->kernel.name, options->source);
        lw_report_table_cell(table, line ? line : "");
    }
    lw_kernel_fields_free(fields);
    lw_source_lines_free(&lines);
}

/* ---- Around the table ---- */

static void put_head(const struct lw_kernel_loaded *loaded, struct lw_text *text)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_kernel_costs *costs = &loaded->costs;
    lw_text_add(text, kernel->name);
    lw_text_escape_all(text); /* only the name is in the text so far */
    lw_text_char(text, ':');
    for (size_t i = 0; i < kernel->function_count && i < 3; i++)
        lw_text_format(text, "%s %s", i ? "," : "", kernel->functions[i].name);
    bool other = *kernel->target && lw_hardware_find(kernel->target) != costs->hardware;
    lw_text_format(text, "%s%s%s%s (%s)", kernel->function_count ? ", " : " ",
                   *kernel->target ? kernel->target : "no target set, counted as ",
                   other ? " counted as " : "",
                   *kernel->target && !other ? "" : costs->hardware->name, costs->hardware->title);
    if (kernel->num_warps)
        lw_text_format(text, ", %d warps", kernel->num_warps);
    if (kernel->num_ctas > 1)
        lw_text_format(text, ", %d blocks a cluster", kernel->num_ctas);
    lw_text_format(text,
                   "\nshared memory: %" PRIu64 " wavefronts, ideal %" PRIu64
                   "; global memory: %" PRIu64 " sectors, ideal %" PRIu64 "\n",
                   costs->run_wavefronts, costs->run_ideal, costs->run_sectors,
                   costs->run_ideal_sectors);
    if (*kernel->target && !lw_hardware_find(kernel->target))
        lw_text_format(text,
                       "target %s is not known: 'laneway help targets' lists those that are, and "
                       "--target sets one of them or FILE.json\n",
                       kernel->target);
    if (kernel->threads_per_warp && (unsigned)kernel->threads_per_warp != costs->hardware->lanes)
        lw_text_format(text,
                       "the kernel was compiled for warps of %d threads, and those of %s have %u: "
                       "it cannot run there\n",
                       kernel->threads_per_warp, costs->hardware->name,
                       (unsigned)costs->hardware->lanes);
    if (!kernel->operation_count)
        lw_text_add(text, kernel->total ? "no operation in it moves data\n"
                                        : "no operations are in it\n");
    for (int global = 0; global < 2; global++) {
        const size_t count = global ? costs->uncounted_global : costs->uncounted;
        if (count)
            lw_text_format(text,
                           "the cost of %zu operation%s %s memory is unknown and not counted; the "
                           "notes give the reason\n",
                           count, count > 1 ? "s" : "", global ? "on global" : "through shared");
    }
    size_t inside = 0; /* of branches */
    for (size_t i = 0; i < kernel->operation_count; i++)
        inside += kernel->operations[i].branch >= 0;
    if (inside)
        lw_text_format(text, "%zu operation%s in branches, counted as if %s ran\n", inside,
                       inside > 1 ? "s" : "", inside > 1 ? "they" : "it");
    if (!costs->trips_known)
        lw_text_add(text, "a loop whose trips are not known counts once: --trips sets them\n");
}

/* The loops whose trips can be set: "loop on line 12, scf.for of kernel.py:34:10: 16 trips". */
static void put_loops(const struct lw_kernel *kernel, struct lw_text *text)
{
    for (size_t i = 0; i < kernel->loop_count && i < 64; i++) {
        const struct lw_kernel_loop *loop = &kernel->loops[i];
        const bool placed = loop->location && *loop->location->file;
        lw_text_format(text, "loop on line %d, %s%s", loop->position.line, loop->name,
                       placed ? " of " : "");
        if (placed)
            lw_location_print(text, loop->location, false);
        if (loop->known)
            lw_text_format(text, ": %" PRIu64 " trips\n", loop->trips);
        else
            lw_text_format(text, ": %strips not known\n",
                           loop->spins ? "it spins until an atomic succeeds: " : "");
    }
}

/* Bytes of notes. */
#define NOTES_MAX ((size_t)1 << 16)

/* The notes on operations, each once: "tt.load, line 67: ..."; of several that are not counted "line 67 and 2 more". */
static void put_notes(const struct lw_kernel_loaded *loaded, struct lw_text *text)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_kernel_cost *costs = loaded->costs.costs;
    for (size_t i = 0; i < kernel->operation_count && text->length < NOTES_MAX; i++) {
        size_t before = 0, after = 0;
        for (size_t j = 0; j < kernel->operation_count; j++)
            if (j != i && !strcmp(costs[i].why, costs[j].why) &&
                !strcmp(kernel->operations[i].name, kernel->operations[j].name))
                ++*(j < i ? &before : &after);
        if (!*costs[i].why || before)
            continue;
        lw_text_format(text, "%s, line %d", kernel->operations[i].name,
                       kernel->operations[i].position.line);
        if (after && !costs[i].known)
            lw_text_format(text, " and %zu more", after);
        lw_text_format(text, ": %s%s\n", costs[i].known ? "" : "not counted: ", costs[i].why);
    }
}

static void put_encodings(const struct lw_kernel *kernel, bool markdown, struct lw_text *text)
{
    for (size_t i = 0; i < kernel->encoding_count; i++) {
        const struct lw_kernel_encoding *encoding = &kernel->encodings[i];
        struct lw_text shapes = {0};
        for (size_t j = 0; j < encoding->type_count; j++) {
            const struct lw_tensor *tensor = &kernel->types[encoding->types[j]].tensor;
            struct lw_text one = {0};
            if (tensor->rank >= 0)
                lw_tensor_print(&one, tensor);
            lw_text_format(&shapes, "%s%s", shapes.length ? " " : "", lw_text_string(&one));
            lw_text_free(&one);
        }
        lw_text_add(text, markdown ? "- `" : "");
        lw_text_add(text, encoding->alias);
        if (strcmp(encoding->alias, encoding->text) != 0 && strchr(encoding->alias, '.') == NULL)
            lw_text_format(text, " = %s", encoding->text);
        lw_text_add(text, markdown ? "`" : "");
        lw_text_format(text, "\n    %s\n", shapes.length ? lw_text_string(&shapes) : "at no shape");
        if (encoding->problem)
            lw_text_format(text, "    %s: %s\n", encoding->encoding ? "wrong" : "cannot be read",
                           encoding->problem->message);
        lw_text_free(&shapes);
    }
}

static void put_block(FILE *out, struct lw_text *text, const char *title, bool markdown)
{
    if (text->length) {
        lw_output_print(out, markdown ? "\n**%s**\n\n" : "\n%s:\n", title);
        lw_output_text(out, text);
    }
    lw_text_clear(text);
}

bool lw_kernel_report(const struct lw_kernel_loaded *loaded,
                      const struct lw_report_options *options, FILE *out, struct lw_error *err)
{
    struct lw_report_table table = {0};
    struct lw_text text = {0};
    const bool markdown = !strcmp(options->format->name, "markdown");
    const bool has_text = lw_text_has_word("text ansi markdown", options->format->name);
    const char *heads[LW_KERNEL_FIELDS + 1];
    add_operations(&table, loaded, options, heads);
    if (has_text) {
        put_head(loaded, &text);
        lw_text_char(&text, '\n');
        lw_output_text(out, &text);
        lw_text_clear(&text);
    }
    bool ok =
        (has_text && !loaded->kernel.operation_count) ||
        lw_report_table_write(&table, options->format, options->style, options->fit, out, err);
    if (ok && has_text) {
        put_loops(&loaded->kernel, &text);
        put_block(out, &text, "loops", markdown);
        put_notes(loaded, &text);
        put_block(out, &text, "notes", markdown);
        put_encodings(&loaded->kernel, markdown, &text);
        put_block(out, &text, "encodings", markdown);
    }
    lw_text_free(&text);
    lw_report_table_free(&table);
    return ok;
}
