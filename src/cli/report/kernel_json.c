/* A kernel as one object on one line: the machine form of `laneway ttgir --json`. */

#include "cli/report/kernel_report.h"

#include <inttypes.h>
#include <string.h>

static void put_shape(struct lw_text *text, const struct lw_tensor *tensor)
{
    lw_text_char(text, '[');
    for (int d = 0; d < tensor->rank; d++)
        lw_text_format(text, "%s%" PRIu64, d ? "," : "", tensor->shape[d]);
    lw_text_char(text, ']');
}

static bool same_shape(const struct lw_tensor *a, const struct lw_tensor *b)
{
    return a->rank == b->rank && !memcmp(a->shape, b->shape, sizeof a->shape);
}

static const struct lw_tensor *tensor_at(const struct lw_kernel *kernel,
                                         const struct lw_kernel_encoding *encoding, size_t at)
{
    return &kernel->types[encoding->types[at]].tensor;
}

/* Whether the tensor has a shape that none before it has. */
static bool is_new(const struct lw_kernel *kernel, const struct lw_kernel_encoding *encoding,
                   size_t at)
{
    const struct lw_tensor *tensor = tensor_at(kernel, encoding, at);
    for (size_t i = 0; i < at; i++)
        if (same_shape(tensor_at(kernel, encoding, i), tensor))
            return false;
    return tensor->rank >= 0;
}

/* The element of the tensors of this shape: that of values, unless all of them are pointers. */
static const char *element_at(const struct lw_kernel *kernel,
                              const struct lw_kernel_encoding *encoding, size_t at)
{
    const struct lw_tensor *first = tensor_at(kernel, encoding, at);
    for (size_t i = at; i < encoding->type_count; i++) {
        const struct lw_tensor *tensor = tensor_at(kernel, encoding, i);
        if (same_shape(tensor, first) && *tensor->element.name != '!')
            return tensor->element.name;
    }
    return first->element.name;
}

/* Writes the shapes of the encoding's tensors, and the element of each. */
static void put_encoding(struct lw_text *text, const struct lw_kernel *kernel,
                         const struct lw_kernel_encoding *encoding)
{
    const char *comma = "";
    lw_text_add(text, "{\"alias\":");
    lw_text_json_string(text, encoding->alias);
    lw_text_add(text, ",\"text\":");
    lw_text_json_string(text, encoding->text);
    lw_text_add(text, ",\"shapes\":[");
    for (size_t i = 0; i < encoding->type_count; i++)
        if (is_new(kernel, encoding, i)) {
            lw_text_add(text, comma);
            put_shape(text, tensor_at(kernel, encoding, i));
            comma = ",";
        }
    lw_text_add(text, "],\"elements\":[");
    comma = "";
    for (size_t i = 0; i < encoding->type_count; i++)
        if (is_new(kernel, encoding, i)) {
            lw_text_add(text, comma);
            lw_text_json_string(text, element_at(kernel, encoding, i));
            comma = ",";
        }
    lw_text_add(text, "]}");
}

static void put_alias(struct lw_text *text, const char *name, const struct lw_kernel *kernel,
                      int type)
{
    lw_text_format(text, ",\"%s\":", name);
    if (type < 0)
        lw_text_add(text, "null");
    else
        lw_text_json_string(text, lw_kernel_alias(kernel, type));
}

static void put_known(struct lw_text *text, const char *name, bool known, uint64_t number)
{
    lw_text_format(text, ",\"%s\":", name);
    if (known)
        lw_text_number(text, number);
    else
        lw_text_add(text, "null");
}

void lw_kernel_operation_json(struct lw_text *text, const struct lw_kernel *kernel,
                              const struct lw_operation *operation,
                              const struct lw_kernel_cost *cost)
{
    struct lw_tensor tensor;
    struct lw_text where = {0};
    bool shared = cost->known & LW_COST_SHARED;
    lw_operation_tensor(kernel, operation, &tensor);
    lw_location_print(&where, operation->location, false);
    lw_text_add(text, "{\"op\":");
    lw_text_json_string(text, operation->name);
    lw_text_format(text, ",\"line\":%d,\"loc\":", operation->position.line);
    if (where.length)
        lw_text_json_string(text, lw_text_string(&where));
    else
        lw_text_add(text, "null");
    lw_text_format(text, ",\"loop_depth\":%d", cost->depth);
    put_alias(text, "from", kernel, operation->from);
    put_alias(text, "to", kernel, operation->to);
    lw_text_add(text, ",\"shape\":");
    put_shape(text, &tensor);
    lw_text_add(text, ",\"element\":");
    lw_text_json_string(text, tensor.element.name);
    lw_text_format(text, ",\"kind\":\"%s\"", cost->kind);
    put_known(text, "wavefronts", shared, cost->wavefronts);
    put_known(text, "ideal", shared, cost->ideal);
    put_known(text, "sectors", cost->known & LW_COST_GLOBAL, cost->sectors);
    put_known(text, "ideal_sectors", cost->known & LW_COST_GLOBAL, cost->ideal_sectors);
    put_known(text, "trips", cost->trips_known, cost->trips);
    put_known(text, "branch", operation->branch >= 0,
              operation->branch >= 0 ? (uint64_t)kernel->branches[operation->branch].position.line
                                     : 0);
    lw_text_add(text, ",\"code\":");
    lw_text_json_string(text, cost->code);
    lw_text_add(text, ",\"note\":");
    lw_text_json_string(text, cost->why);
    lw_text_char(text, '}');
    lw_text_free(&where);
}

/* Writes the sums of a kernel, each operation counted as often as it runs. */
static void put_totals(struct lw_text *text, const struct lw_kernel_costs *costs)
{
    const struct lw_kernel *kernel = costs->kernel;
    bool branches = false;
    for (size_t i = 0; i < kernel->operation_count; i++)
        branches = branches || (kernel->operations[i].branch >= 0 &&
                                costs->costs[i].wavefronts + costs->costs[i].sectors > 0);
    lw_text_format(text,
                   "{\"wavefronts\":%" PRIu64 ",\"ideal\":%" PRIu64 ",\"sectors\":%" PRIu64
                   ",\"ideal_sectors\":%" PRIu64,
                   costs->run_wavefronts, costs->run_ideal, costs->run_sectors,
                   costs->run_ideal_sectors);
    lw_text_format(text,
                   ",\"uncounted\":%zu,\"uncounted_global\":%zu,\"trips_known\":%s,"
                   "\"branches\":%s}",
                   costs->uncounted, costs->uncounted_global, costs->trips_known ? "true" : "false",
                   branches ? "true" : "false");
}

static void put_loop(struct lw_text *text, const struct lw_kernel_loop *loop)
{
    struct lw_text where = {0};
    lw_location_print(&where, loop->location, false);
    lw_text_format(text, "{\"line\":%d,\"op\":\"%s\",\"loc\":", loop->position.line, loop->name);
    if (where.length)
        lw_text_json_string(text, lw_text_string(&where));
    else
        lw_text_add(text, "null");
    lw_text_format(text, ",\"depth\":%d", loop->depth);
    put_known(text, "trips", loop->known, loop->trips);
    lw_text_format(text, ",\"spins\":%s}", loop->spins ? "true" : "false");
    lw_text_free(&where);
}

void lw_kernel_report_json(const struct lw_kernel_loaded *loaded, struct lw_text *text)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    lw_text_add(text, "{\"target\":");
    lw_text_json_string(text, kernel->target);
    lw_text_format(text, ",\"num_warps\":%d,\"encodings\":[", kernel->num_warps);
    for (size_t i = 0; i < kernel->encoding_count; i++) {
        lw_text_add(text, i ? "," : "");
        put_encoding(text, kernel, &kernel->encodings[i]);
    }
    lw_text_add(text, "],\"operations\":[");
    for (size_t i = 0; i < kernel->operation_count; i++) {
        size_t at = loaded->costs.order[i];
        lw_text_add(text, i ? "," : "");
        lw_kernel_operation_json(text, kernel, &kernel->operations[at], &loaded->costs.costs[at]);
    }
    lw_text_add(text, "],\"loops\":[");
    for (size_t i = 0; i < kernel->loop_count; i++) {
        lw_text_add(text, i ? "," : "");
        put_loop(text, &kernel->loops[i]);
    }
    lw_text_add(text, "],\"totals\":");
    put_totals(text, &loaded->costs);
    lw_text_add(text, "}");
}
