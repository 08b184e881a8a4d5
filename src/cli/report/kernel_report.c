/* The report of a kernel: what moves, where, at what cost, the most expensive first, and its encodings; the same as one
 * object of JSON; and two kernels side by side. */

#include "cli/report/kernel_report.h"
#include "core/text_json.h"
#include "core/array_count.h"
#include "core/text_escape.h"
#include "kernel/source_lines.h"
#include "view/view_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- A table: its first `cell_count` cells are set, row after row ---- */

void lw_report_table_cell(struct lw_report_table *table, const char *text)
{
    if (table->cell_count == table->room) {
        size_t room = table->room ? 2 * table->room : 256;
        char **cells = realloc(table->cells, room * sizeof *cells);
        table->failed = table->failed || !cells;
        if (!cells)
            return;
        table->cells = cells;
        table->room = room;
    }
    char *copy = strdup(text);
    table->failed = table->failed || !copy;
    table->cells[table->cell_count++] = copy;
}

void lw_report_table_free(struct lw_report_table *table)
{
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    memset(table, 0, sizeof *table);
}

/* Rows of text are a view whose rows have the first cell as their label. */
struct state {
    struct lw_view_state shared;
    const struct lw_report_table *table;
};

static const struct lw_report_table *table_of(const struct lw_view *view)
{
    return ((const struct state *)view->state)->table;
}

static void put_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                     struct lw_cell *cell)
{
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    lw_text_add(text, table_of(view)->cells[row * table_of(view)->cols + col + 1]);
}

static void put_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_add(text, table_of(view)->cells[row * table_of(view)->cols]);
}

static void put_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, table_of(view)->heads[col + 1]);
}

bool lw_report_table_write(const struct lw_report_table *table, const struct lw_format *format,
                           const char *style, size_t fit, FILE *out, struct lw_error *err)
{
    static const struct lw_subject no_subject; /* a report has none */
    const struct lw_view_type type = {.name = "report",
                                      .title = "Report",
                                      .corner = table->heads[0],
                                      .help = "rows of a report",
                                      .cell = put_cell,
                                      .row_label = put_row_label,
                                      .col_label = put_col_label,
                                      .width = lw_widest_cell};
    struct state state = {.table = table};
    const uint64_t rows = table->cell_count / table->cols;
    const struct lw_view view = {.type = &type,
                                 .subject = &no_subject,
                                 .rows = rows,
                                 .cols = table->cols - 1,
                                 .page_rows = rows,
                                 .state = &state.shared};
    const struct lw_export_options options = {.style = style ? style : "simple",
                                              .labels = true,
                                              .bare_labels = true,
                                              .all = true,
                                              .tight = true,
                                              .fit = fit};
    if (table->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return lw_export(&view, format, &options, out, err);
}

/* ---- Fields of an operation ---- */

/* What a table has of an operation, in the order of its columns: what it costs before what it is, as a terminal shows
 * the first columns only. */
enum field {
    FIELD_LINE,
    FIELD_WAVEFRONTS,
    FIELD_IDEAL,
    FIELD_BYTES,
    FIELD_SECTORS,
    FIELD_IDEAL_SECTORS,
    FIELD_RUNS,
    FIELD_SHARE,
    FIELD_OPERATION,
    FIELD_SOURCE,
    FIELD_LOOPS,
    FIELD_TENSOR,
    FIELD_LAYOUTS,
    FIELD_WHAT,
    FIELD_CODE,
    FIELD_VALUE,
    FIELDS
};

/* The tables that have a field. Text has one column for global memory, and no column of runs beside that of the
 * loops. */
enum { CSV = 1, TEXT = 2, PAIR = 4 };
static const struct {
    const char *head;
    unsigned tables;
} columns[FIELDS] = {{"line", CSV | TEXT | PAIR},
                     {"wavefronts", CSV | TEXT | PAIR},
                     {"ideal", CSV | TEXT | PAIR},
                     {"bytes", CSV},
                     {"sectors", CSV | TEXT | PAIR},
                     {"ideal sectors", CSV},
                     {"runs", CSV},
                     {"share", CSV | TEXT},
                     {"operation", CSV | TEXT | PAIR},
                     {"source", CSV | TEXT | PAIR},
                     {"loops", CSV | TEXT | PAIR},
                     {"tensor", CSV | TEXT | PAIR},
                     {"layouts", CSV | TEXT | PAIR},
                     {"what", CSV | TEXT},
                     {"code", CSV | TEXT},
                     {"value", CSV | TEXT}};

/* Puts a number that only some operations have. */
static void put_known(struct lw_text *text, bool known, uint64_t number, const char *unknown)
{
    if (known)
        lw_text_number(text, number);
    else
        lw_text_add(text, unknown);
}

/* Sets the fields of an operation; numbers that are not known are `unknown`. */
static void put_fields(struct lw_text fields[FIELDS], const struct lw_kernel_loaded *loaded,
                       const struct lw_kernel_cost *cost, const char *unknown)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_operation *operation = &kernel->operations[cost - loaded->costs.costs];
    const bool shared = cost->known & LW_COST_SHARED, global = cost->known & LW_COST_GLOBAL;
    for (size_t field = 0; field < FIELDS; field++)
        lw_text_clear(&fields[field]);
    lw_text_number(&fields[FIELD_LINE], (uint64_t)operation->position.line);
    lw_text_add(&fields[FIELD_VALUE], operation->value);
    lw_text_add(&fields[FIELD_OPERATION], operation->name);
    lw_location_print(&fields[FIELD_SOURCE], operation->location, false);
    lw_text_number(&fields[FIELD_LOOPS], (uint64_t)cost->depth);
    lw_operation_print_tensor(&fields[FIELD_TENSOR], kernel, operation);
    lw_operation_print_layouts(&fields[FIELD_LAYOUTS], kernel, operation);
    if (operation->needs_line)
        lw_text_format(&fields[FIELD_LAYOUTS], " for %s, line %d", operation->needs,
                       operation->needs_line);
    lw_text_add(&fields[FIELD_WHAT], cost->kind);
    lw_text_add(&fields[FIELD_CODE], cost->code);
    put_known(&fields[FIELD_WAVEFRONTS], shared, cost->wavefronts, unknown);
    put_known(&fields[FIELD_IDEAL], shared, cost->ideal, unknown);
    put_known(&fields[FIELD_BYTES], shared || global, cost->bytes, unknown);
    put_known(&fields[FIELD_SECTORS], global, cost->sectors, unknown);
    put_known(&fields[FIELD_IDEAL_SECTORS], global, cost->ideal_sectors, unknown);
    lw_text_format(&fields[FIELD_RUNS], "%" PRIu64 "%s", cost->trips,
                   cost->trips_known ? "" : " or more");
    /* Of all wavefronts of a launch; in a kernel without wavefronts, of all sectors. */
    const struct lw_kernel_costs *costs = &loaded->costs;
    const uint64_t all = costs->run.wavefronts ? costs->run.wavefronts : costs->run.sectors;
    const uint64_t part = costs->run.wavefronts ? cost->run.wavefronts : cost->run.sectors;
    if (all)
        lw_text_format(&fields[FIELD_SHARE], "%.0f%%", 100.0 * (double)part / (double)all);
}

static void free_fields(struct lw_text fields[FIELDS])
{
    for (size_t field = 0; field < FIELDS; field++)
        lw_text_free(&fields[field]);
}

/* Adds the heads of the columns of a table to the `cols` that it has. */
static void add_heads(struct lw_report_table *table, const char **heads, unsigned kind)
{
    table->heads = heads;
    for (size_t field = 0; field < FIELDS; field++)
        if (columns[field].tables & kind)
            heads[table->cols++] = columns[field].head;
}

/* Adds a row of the table for each operation; its last column is the line of the source. */
static void add_operations(struct lw_report_table *table, const struct lw_kernel_loaded *loaded,
                           const struct lw_report_options *options, const char **heads)
{
    struct lw_source_lines lines = {0};
    struct lw_text fields[FIELDS] = {0};
    const unsigned kind = !strcmp(options->format->name, "csv") ? CSV : TEXT;
    add_heads(table, heads, kind);
    heads[table->cols++] = "text";
    for (size_t i = 0; i < loaded->kernel.operation_count; i++) {
        const struct lw_kernel_cost *cost = loaded->costs.order[i];
        put_fields(fields, loaded, cost, kind == CSV ? "" : "-");
        for (size_t field = 0; field < FIELDS; field++)
            if (columns[field].tables & kind) {
                lw_report_table_cell(table, lw_text_string(&fields[field]));
                table->failed = table->failed || fields[field].failed;
            }
        const struct lw_location *location =
            loaded->kernel.operations[cost - loaded->costs.costs].location;
        const char *line = lw_source_line(&lines, location, loaded->kernel.name, options->source);
        lw_report_table_cell(table, line ? line : "");
    }
    free_fields(fields);
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
    lw_text_add(text, kernel->num_warps ? ", " : "");
    if (kernel->num_warps)
        lw_put_count(text, (uint64_t)kernel->num_warps, "warp");
    if (kernel->num_ctas > 1)
        lw_text_format(text, ", %d blocks a cluster", kernel->num_ctas);
    lw_text_add(text, "\nshared memory: ");
    lw_put_count(text, costs->run.wavefronts, "wavefront");
    lw_text_format(text, ", ideal %" PRIu64 "; global memory: ", costs->run.ideal);
    lw_put_count(text, costs->run.sectors, "sector");
    lw_text_format(text, ", ideal %" PRIu64 "\n", costs->run.ideal_sectors);
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
        inside += kernel->operations[i].branch > 0;
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
        lw_text_add(text,
                    loop->spins && !loop->known ? ": it spins until an atomic succeeds: " : ": ");
        if (loop->known)
            lw_put_count(text, loop->trips, "trip");
        lw_text_add(text, loop->known ? "\n" : "trips not known\n");
    }
}

/* Bytes of notes. */
#define NOTES_MAX ((size_t)1 << 16)

/* The notes on operations, each once: "tt.load, line 67: ..."; of several that are not counted "line 67 and 2 more".
 */
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

static bool has_text_around(const struct lw_report_options *options)
{
    return lw_text_has_word("text ansi markdown", options->format->name);
}

bool lw_kernel_report(const struct lw_kernel_loaded *loaded,
                      const struct lw_report_options *options, FILE *out, struct lw_error *err)
{
    static const char *const titles[] = {"loops", "notes", "encodings"};
    struct lw_report_table table = {0};
    struct lw_text text = {0};
    const bool markdown = !strcmp(options->format->name, "markdown");
    const bool has_text = has_text_around(options);
    const char *heads[FIELDS + 1];
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
    for (size_t i = 0; ok && has_text && i < LW_COUNT(titles); i++) {
        if (i == 0)
            put_loops(&loaded->kernel, &text);
        else if (i == 1)
            put_notes(loaded, &text);
        else
            put_encodings(&loaded->kernel, markdown, &text);
        if (text.length)
            lw_output_print(out, markdown ? "\n**%s**\n\n" : "\n%s:\n", titles[i]);
        lw_output_text(out, &text);
        lw_text_clear(&text);
    }
    lw_text_free(&text);
    lw_report_table_free(&table);
    return ok;
}

/* ---- JSON ---- */

static void put_shape(struct lw_text *text, const char *key, const struct lw_tensor *tensor)
{
    lw_json_put(text, key, "[");
    for (int d = 0; d < tensor->rank; d++)
        lw_json_number(text, NULL, tensor->shape[d]);
    lw_text_char(text, ']');
}

/* Of an encoding the tensor at `at`, unless one before it has the same shape: then NULL. *element is that of values of
 * this shape; of pointers when there are only these. */
static const struct lw_tensor *new_shape(const struct lw_kernel *kernel,
                                         const struct lw_kernel_encoding *encoding, size_t at,
                                         const char **element)
{
    const struct lw_tensor *tensor = &kernel->types[encoding->types[at]].tensor;
    *element = tensor->element.name;
    for (size_t i = 0; i < encoding->type_count; i++) {
        const struct lw_tensor *other = &kernel->types[encoding->types[i]].tensor;
        if (i == at || other->rank != tensor->rank ||
            memcmp(other->shape, tensor->shape, sizeof tensor->shape) != 0)
            continue;
        if (i < at)
            return NULL;
        if (**element == '!')
            *element = other->element.name;
    }
    return tensor->rank >= 0 ? tensor : NULL;
}

/* The shapes of the encoding's tensors, and the element of each. */
static void put_encoding(struct lw_text *text, const struct lw_kernel *kernel,
                         const struct lw_kernel_encoding *encoding)
{
    const struct lw_tensor *tensor;
    const char *element;
    lw_json_put(text, NULL, "{");
    lw_json_string(text, "alias", encoding->alias);
    lw_json_string(text, "text", encoding->text);
    lw_json_put(text, "shapes", "[");
    for (size_t i = 0; i < encoding->type_count; i++)
        if ((tensor = new_shape(kernel, encoding, i, &element)))
            put_shape(text, NULL, tensor);
    lw_text_char(text, ']');
    lw_json_put(text, "elements", "[");
    for (size_t i = 0; i < encoding->type_count; i++)
        if (new_shape(kernel, encoding, i, &element))
            lw_json_string(text, NULL, element);
    lw_text_add(text, "]}");
}

/* "kernel.py:34:10", or null. */
static void put_location(struct lw_text *text, const struct lw_location *location)
{
    struct lw_text where = {0};
    lw_location_print(&where, location, false);
    lw_json_string(text, "loc", where.length ? lw_text_string(&where) : NULL);
    lw_text_free(&where);
}

/* An operation as an object. */
static void put_operation(struct lw_text *text, const char *key,
                          const struct lw_kernel_loaded *loaded, const struct lw_kernel_cost *cost)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_operation *operation = &kernel->operations[cost - loaded->costs.costs];
    const bool shared = cost->known & LW_COST_SHARED, global = cost->known & LW_COST_GLOBAL;
    const int from = operation->from, to = operation->to, branch = operation->branch;
    struct lw_tensor tensor;
    lw_operation_tensor(kernel, operation, &tensor);
    lw_json_put(text, key, "{");
    lw_json_string(text, "op", operation->name);
    lw_json_number(text, "line", (uint64_t)operation->position.line);
    put_location(text, operation->location);
    lw_json_number(text, "loop_depth", (uint64_t)cost->depth);
    lw_json_string(text, "from", from < 0 ? NULL : lw_kernel_alias(kernel, from));
    lw_json_string(text, "to", to < 0 ? NULL : lw_kernel_alias(kernel, to));
    put_shape(text, "shape", &tensor);
    lw_json_string(text, "element", tensor.element.name);
    lw_json_string(text, "kind", cost->kind);
    lw_json_known(text, "wavefronts", shared, cost->wavefronts);
    lw_json_known(text, "ideal", shared, cost->ideal);
    lw_json_known(text, "sectors", global, cost->sectors);
    lw_json_known(text, "ideal_sectors", global, cost->ideal_sectors);
    lw_json_known(text, "trips", cost->trips_known, cost->trips);
    lw_json_known(text, "branch", branch > 0, (uint64_t)branch);
    lw_json_string(text, "needed_by", operation->needs_line ? operation->needs : NULL);
    lw_json_known(text, "needed_line", operation->needs_line > 0, (uint64_t)operation->needs_line);
    lw_json_string(text, "code", cost->code);
    lw_json_string(text, "note", cost->why);
    lw_text_char(text, '}');
}

/* The sums of a kernel, each operation counted as often as it runs, as an object that is not yet closed. */
static void put_sums(struct lw_text *text, const char *key, const struct lw_kernel_costs *costs)
{
    lw_json_put(text, key, "{");
    lw_json_number(text, "wavefronts", costs->run.wavefronts);
    lw_json_number(text, "ideal", costs->run.ideal);
    lw_json_number(text, "sectors", costs->run.sectors);
    lw_json_number(text, "ideal_sectors", costs->run.ideal_sectors);
}

void lw_kernel_report_json(const struct lw_kernel_loaded *loaded, struct lw_text *text)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_kernel_costs *costs = &loaded->costs;
    bool branches = false; /* with a cost */
    for (size_t i = 0; i < kernel->operation_count; i++)
        branches = branches || (kernel->operations[i].branch > 0 &&
                                costs->costs[i].wavefronts + costs->costs[i].sectors > 0);
    lw_json_put(text, NULL, "{");
    lw_json_string(text, "target", kernel->target);
    lw_json_number(text, "num_warps", (uint64_t)kernel->num_warps);
    lw_json_put(text, "encodings", "[");
    for (size_t i = 0; i < kernel->encoding_count; i++)
        put_encoding(text, kernel, &kernel->encodings[i]);
    lw_text_char(text, ']');
    lw_json_put(text, "operations", "[");
    for (size_t i = 0; i < kernel->operation_count; i++)
        put_operation(text, NULL, loaded, costs->order[i]);
    lw_text_char(text, ']');
    lw_json_put(text, "loops", "[");
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct lw_kernel_loop *loop = &kernel->loops[i];
        lw_json_put(text, NULL, "{");
        lw_json_number(text, "line", (uint64_t)loop->position.line);
        lw_json_string(text, "op", loop->name);
        put_location(text, loop->location);
        lw_json_number(text, "depth", (uint64_t)loop->depth);
        lw_json_known(text, "trips", loop->known, loop->trips);
        lw_json_truth(text, "spins", loop->spins);
        lw_text_char(text, '}');
    }
    lw_text_char(text, ']');
    put_sums(text, "totals", costs);
    lw_json_number(text, "uncounted", costs->uncounted);
    lw_json_number(text, "uncounted_global", costs->uncounted_global);
    lw_json_truth(text, "trips_known", costs->trips_known);
    lw_json_truth(text, "branches", branches);
    lw_text_add(text, "}}");
}

/* ---- Two kernels ----
 *
 * Operations are paired by their line of the source and their kind; what is listed came, went, or changed. */

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
        const int64_t wavefronts = (int64_t)cost->run.wavefronts;
        const int64_t sectors = (int64_t)cost->run.sectors;
        const int depth = cost->open_loops < DEPTHS ? cost->open_loops : DEPTHS - 1;
        const int loop = operation->masked_loop;
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
    const struct lw_kernel_cost *first = NULL;
    for (int side = 0; side < 2; side++)
        if (sides[side].loaded->kernel.problems.total)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "which costs more is unknown: not all of %.200s can be read",
                                sides[side].loaded->kernel.name);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct lw_kernel_cost *cost = pairs->pair[i].cost[light];
        if (pairs->pair[i].change != LW_CHANGE_NONE && cost && (!first || cost < first) &&
            (lw_kernel_cost_missing(cost) & missing))
            first = cost;
    }
    if (!first)
        return true;
    const struct lw_operation *operation = &loaded->kernel.operations[first - loaded->costs.costs];
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "which costs more is unknown: %s, line %d of %.160s, is not "
                        "counted: %.200s",
                        operation->name, operation->position.line, loaded->kernel.name, first->why);
}

/* Adds a row; a cell has what the pair has before and after, "32 -> 64", or once what is the same. */
static void add_pair(struct lw_report_table *table, const struct side sides[2],
                     const struct lw_kernel_pair *pair)
{
    struct lw_text fields[2][FIELDS] = {0};
    for (int side = 0; side < 2; side++)
        if (pair->cost[side])
            put_fields(fields[side], sides[side].loaded, pair->cost[side], "-");
    lw_report_table_cell(table, lw_change_name(pair->change));
    for (size_t i = 0; i < FIELDS; i++) {
        struct lw_text *before = &fields[0][i];
        const char *after = lw_text_string(&fields[1][i]);
        if (!(columns[i].tables & PAIR))
            continue;
        if (pair->cost[0] && pair->cost[1] && strcmp(lw_text_string(before), after) != 0) {
            lw_text_format(before, "%s%s", strstr(after, "->") ? "  to  " : " -> ", after);
            after = lw_text_string(before);
        }
        lw_report_table_cell(table, pair->cost[1] ? after : lw_text_string(before));
    }
    free_fields(fields[0]);
    free_fields(fields[1]);
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
                    a->run.wavefronts, b->run.wavefronts, a->run.ideal, b->run.ideal,
                    a->run.sectors, b->run.sectors, a->run.ideal_sectors, b->run.ideal_sectors);
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
    static const char *const lists[] = {"went", "came", "changed"};
    lw_json_put(text, NULL, "{");
    for (int side = 0; side < 2; side++) {
        put_sums(text, side ? "after" : "before", &sides[side].loaded->costs);
        lw_json_number(text, "unknown", sides[side].loaded->costs.unknown);
        lw_text_char(text, '}');
    }
    for (int list = 0; list < 3; list++) {
        lw_json_put(text, lists[list], "[");
        for (size_t i = 0; i < pairs->count; i++) {
            const struct lw_kernel_pair *pair = &pairs->pair[i];
            const bool both = pair->cost[0] && pair->cost[1];
            if (pair->change == LW_CHANGE_NONE || list != (both ? 2 : pair->cost[1] != NULL))
                continue;
            if (both) {
                lw_json_put(text, NULL, "{");
                lw_json_string(text, "change", lw_change_name(pair->change));
            }
            for (int side = 0; side < 2; side++)
                if (pair->cost[side])
                    put_operation(text,
                                  !both  ? NULL
                                  : side ? "after"
                                         : "before",
                                  sides[side].loaded, pair->cost[side]);
            lw_text_add(text, both ? "}" : "");
        }
        lw_text_char(text, ']');
    }
    lw_json_put(text, "worse", worse);
    lw_text_char(text, '}');
}

static bool put_table(FILE *out, const struct side sides[2], const struct lw_kernel_pairs *pairs,
                      const struct lw_report_options *options, struct lw_error *err)
{
    const char *heads[FIELDS + 1] = {""};
    struct lw_report_table table = {.cols = 1};
    add_heads(&table, heads, PAIR);
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->pair[i].change != LW_CHANGE_NONE)
            add_pair(&table, sides, &pairs->pair[i]);
    const bool any = table.cell_count > 0, has_text = has_text_around(options);
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
