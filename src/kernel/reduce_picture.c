/* A conversion of a reduction as a document: its layouts have no notation of Triton, so they are
 * written by their bases. */

#include "kernel/reduce_picture.h"

#include "kernel/reduce_steps.h"
#include "kernel/rule_parts.h"
#include "laneway/conversion.h"

#include <stdlib.h>
#include <string.h>

/* ---- The steps ---- */

static bool layout_of(const struct lw_kernel *kernel, int row, struct lw_layout *layout,
                      struct lw_error *err)
{
    const struct lw_kernel_type *type = &kernel->types[row];
    struct lw_map map;
    if (!type->encoding || type->tensor.rank < 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "its type cannot be read");
    return lw_encoding_build(type->encoding, &type->tensor, &map, err) &&
           lw_map_to_layout(&map, layout, err);
}

static bool make_steps(struct lw_reduce_steps *steps, const struct lw_kernel *kernel,
                       const struct lw_operation *operation, struct lw_error *err)
{
    const char *at = strstr(operation->text, "axis = ");
    const bool returns = operation->type_count > operation->operand_count && operation->to >= 0;
    struct lw_layout registers, result;
    if (operation->from < 0 || !at || strstr(operation->name, "scan") ||
        !lw_triton_since(kernel->triton, LW_TRITON_3_8))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "it is not compiled as conversions");
    return layout_of(kernel, operation->from, &registers, err) &&
           (!returns || layout_of(kernel, operation->to, &result, err)) &&
           lw_reduce_steps_make(steps, &registers, atoi(at + 7), returns ? &result : NULL, err);
}

/* The number of the first operand with the most bits; all operands have one layout. */
static int widest_operand(const struct lw_kernel *kernel, const struct lw_operation *operation)
{
    int widest = 0;
    for (int i = 1; i < operation->operand_count; i++)
        if (kernel->types[operation->types[i]].tensor.element.bits >
            kernel->types[operation->types[widest]].tensor.element.bits)
            widest = i;
    return widest;
}

/* The conversions of an operand. */
struct conversions {
    const struct lw_reduce_steps *steps;
    const struct lw_kernel *kernel;
    const struct lw_hardware *hardware;
    unsigned bits;
    bool stored; /* the result goes to global memory alone */
    bool used;   /* the result is used: else the last conversion loads nothing */
};

static bool is_last(const struct conversions *of, int at)
{
    return of->steps->last_is_result && at == of->steps->count - 1;
}

/* What a step stores and loads in; 0: it uses no shared memory. */
static uint64_t cost_of(const struct conversions *of, int at)
{
    struct lw_conversion conversion;
    struct lw_map from, to;
    uint64_t wavefronts = 0;
    lw_map_from_layout(&from, &of->steps->from[at]);
    lw_map_from_layout(&to, &of->steps->to[at]);
    const struct lw_conversion_request request = {.from = &from,
                                                  .to = &to,
                                                  .element_bits = of->bits,
                                                  .to_global = of->stored && is_last(of, at),
                                                  .hardware = of->hardware,
                                                  .triton = of->kernel->triton};
    if (!lw_conversion_make(&conversion, &request, NULL))
        return 0;
    const bool loads = of->used || !is_last(of, at);
    if (conversion.kind == LW_CONVERSION_SHARED)
        wavefronts =
            conversion.store_total.wavefronts + (loads ? conversion.load_total.wavefronts : 0);
    lw_conversion_free(&conversion);
    return wavefronts;
}

/* ---- The document ---- */

/* "[["lane", 32], ["warp", 4]]" */
static void put_dims(struct lw_text *text, const struct lw_dims *dims)
{
    lw_text_char(text, '[');
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s[\"%s\", %llu]", i ? ", " : "", dims->dim[i].name,
                       (unsigned long long)dims->dim[i].size);
    lw_text_char(text, ']');
}

static void put_layout(struct lw_text *text, const struct lw_layout *layout)
{
    uint64_t image[LW_DIMS_MAX];
    lw_text_add(text, "{\"encoding\": \"bases\", \"in\": ");
    put_dims(text, &layout->in);
    lw_text_add(text, ", \"out\": ");
    put_dims(text, &layout->out);
    lw_text_add(text, ", \"bases\": {");
    for (int dim = 0; dim < layout->in.count; dim++) {
        lw_text_format(text, "%s\"%s\": [", dim ? ", " : "", layout->in.dim[dim].name);
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            lw_layout_basis(layout, dim, bit, image);
            lw_text_add(text, bit ? ", [" : "[");
            for (int d = 0; d < layout->out.count; d++)
                lw_text_format(text, "%s%llu", d ? ", " : "", (unsigned long long)image[d]);
            lw_text_char(text, ']');
        }
        lw_text_char(text, ']');
    }
    lw_text_add(text, "}}");
}

static bool make_document(struct lw_document *doc, const struct lw_reduce_steps *steps, int at,
                          const char *element, const struct lw_kernel *kernel, struct lw_error *err)
{
    const struct lw_layout *from = &steps->from[at];
    const struct lw_open_options options = {.name = "reduce"};
    struct lw_text text = {0};
    lw_text_add(&text, "{\"shape\": [");
    for (int d = 0; d < from->out.count; d++)
        lw_text_format(&text, "%s%llu", d ? ", " : "", (unsigned long long)from->out.dim[d].size);
    lw_text_format(&text, "], \"element\": \"%s\", \"triton\": \"%s\", \"store\": ", element,
                   lw_triton_name(kernel->triton));
    put_layout(&text, from);
    lw_text_add(&text, ", \"load\": ");
    put_layout(&text, &steps->to[at]);
    lw_text_char(&text, '}');
    bool read = lw_document_read(doc, lw_text_string(&text), text.length, &options, err);
    lw_text_free(&text);
    return read;
}

/* Finds what a step costs, and how many others cost as much; step 0: the first one that costs most. */
static void choose_step(struct lw_reduce_picture *picture, const struct conversions *of)
{
    uint64_t cost[LW_REDUCE_STEPS_MAX] = {0}, most = 0;
    for (int at = 0; at < of->steps->count; at++) {
        cost[at] = cost_of(of, at);
        most = cost[at] > most ? cost[at] : most;
    }
    for (int at = 0; at < of->steps->count && most && !picture->step; at++)
        picture->step = cost[at] == most ? at + 1 : 0;
    if (!picture->step)
        return;
    picture->wavefronts = cost[picture->step - 1];
    picture->most = picture->wavefronts && picture->wavefronts == most;
    for (int at = 0; at < of->steps->count; at++)
        picture->equals += picture->most && at != picture->step - 1 && cost[at] == most;
}

bool lw_reduce_picture_make(struct lw_reduce_picture *picture, const struct lw_kernel *kernel,
                            const struct lw_operation *operation,
                            const struct lw_hardware *hardware, int operand, int step,
                            struct lw_error *err)
{
    struct lw_reduce_steps steps;
    memset(picture, 0, sizeof *picture);
    if (!make_steps(&steps, kernel, operation, err))
        return false;
    const int widest = widest_operand(kernel, operation), count = operation->operand_count;
    picture->steps = steps.count;
    picture->operands = count > 1 ? count : 1;
    picture->operand = step ? operand : widest + 1;
    picture->step = step;
    if (picture->operand < 1 || picture->operand > picture->operands || step > steps.count)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "it has no such conversion");
    const int type = count ? operation->types[picture->operand - 1] : operation->from;
    const struct lw_element *element = &kernel->types[type].tensor.element;
    const struct conversions of = {
        .steps = &steps,
        .kernel = kernel,
        .hardware = hardware,
        .bits = (unsigned)element->bits,
        .stored = steps.last_is_result && lw_rule_reduce_is_stored(kernel, operation, hardware),
        .used = !operation->used || (operation->used >> (picture->operand - 1) & 1)};
    choose_step(picture, &of);
    picture->widest =
        !count || element->bits == kernel->types[operation->types[widest]].tensor.element.bits;
    if (!picture->step)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "it uses no shared memory");
    if (!make_document(&picture->document, &steps, picture->step - 1, element->name, kernel, err))
        return false;
    picture->document.to_global = of.stored && is_last(&of, picture->step - 1);
    return true;
}
