/* A kernel as one object on one line: the machine form of `laneway ttgir --json`. */

#include "cli/report/json.h"
#include "cli/report/kernel_report.h"

#include <string.h>

static void put_shape(struct lw_text *text, const char *key, const struct lw_tensor *tensor)
{
    lw_json_put(text, key, "[");
    for (int d = 0; d < tensor->rank; d++)
        lw_json_number(text, NULL, tensor->shape[d]);
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

/* The shapes of the encoding's tensors, and the element of each. */
static void put_encoding(struct lw_text *text, const struct lw_kernel *kernel,
                         const struct lw_kernel_encoding *encoding)
{
    lw_json_put(text, NULL, "{");
    lw_json_string(text, "alias", encoding->alias);
    lw_json_string(text, "text", encoding->text);
    lw_json_put(text, "shapes", "[");
    for (size_t i = 0; i < encoding->type_count; i++)
        if (is_new(kernel, encoding, i))
            put_shape(text, NULL, tensor_at(kernel, encoding, i));
    lw_text_char(text, ']');
    lw_json_put(text, "elements", "[");
    for (size_t i = 0; i < encoding->type_count; i++)
        if (is_new(kernel, encoding, i))
            lw_json_string(text, NULL, element_at(kernel, encoding, i));
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

void lw_kernel_operation_json(struct lw_text *text, const char *key,
                              const struct lw_kernel_loaded *loaded, size_t i)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    const struct lw_operation *operation = &kernel->operations[i];
    const struct lw_kernel_cost *cost = &loaded->costs.costs[i];
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
    lw_json_known(text, "branch", branch >= 0,
                  branch < 0 ? 0 : (uint64_t)kernel->branches[branch].position.line);
    lw_json_string(text, "needed_by", operation->needs_line ? operation->needs : NULL);
    lw_json_known(text, "needed_line", operation->needs_line > 0, (uint64_t)operation->needs_line);
    lw_json_string(text, "code", cost->code);
    lw_json_string(text, "note", cost->why);
    lw_text_char(text, '}');
}

void lw_kernel_sums_json(struct lw_text *text, const char *key, const struct lw_kernel_costs *costs)
{
    lw_json_put(text, key, "{");
    lw_json_number(text, "wavefronts", costs->run_wavefronts);
    lw_json_number(text, "ideal", costs->run_ideal);
    lw_json_number(text, "sectors", costs->run_sectors);
    lw_json_number(text, "ideal_sectors", costs->run_ideal_sectors);
}

/* The sums of a kernel, each operation counted as often as it runs. */
static void put_totals(struct lw_text *text, const struct lw_kernel_costs *costs)
{
    const struct lw_kernel *kernel = costs->kernel;
    bool branches = false;
    for (size_t i = 0; i < kernel->operation_count; i++)
        branches = branches || (kernel->operations[i].branch >= 0 &&
                                costs->costs[i].wavefronts + costs->costs[i].sectors > 0);
    lw_kernel_sums_json(text, "totals", costs);
    lw_json_number(text, "uncounted", costs->uncounted);
    lw_json_number(text, "uncounted_global", costs->uncounted_global);
    lw_json_truth(text, "trips_known", costs->trips_known);
    lw_json_truth(text, "branches", branches);
    lw_text_char(text, '}');
}

void lw_kernel_report_json(const struct lw_kernel_loaded *loaded, struct lw_text *text)
{
    const struct lw_kernel *kernel = &loaded->kernel;
    lw_json_put(text, NULL, "{");
    lw_json_string(text, "target", kernel->target);
    lw_json_number(text, "num_warps", (uint64_t)kernel->num_warps);
    lw_json_put(text, "encodings", "[");
    for (size_t i = 0; i < kernel->encoding_count; i++)
        put_encoding(text, kernel, &kernel->encodings[i]);
    lw_text_char(text, ']');
    lw_json_put(text, "operations", "[");
    for (size_t i = 0; i < kernel->operation_count; i++)
        lw_kernel_operation_json(text, NULL, loaded, loaded->costs.order[i]);
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
    put_totals(text, &loaded->costs);
    lw_text_char(text, '}');
}
