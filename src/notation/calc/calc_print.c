/* Results of the calculator as text and as JSON. */

#include "notation/calc/calc_table.h"

#include "encoding/tilus/tilus.h"
#include "laneway/document.h"

/* `dim0=3 dim1=5`, `()` when there are no dims, or {"dim0":3,"dim1":5}. */
static void print_point(struct lw_text *text, const struct lw_dims *dims, uint64_t flat, bool json)
{
    uint64_t point[LW_DIMS_MAX];
    lw_dims_unflatten(dims, flat, point);
    if (json || dims->count == 0)
        lw_text_add(text, json ? "{" : "()");
    for (int i = 0; i < dims->count; i++) {
        if (json)
            lw_text_format(text, "%s\"%s\":", i ? "," : "", dims->dim[i].name);
        else
            lw_text_format(text, "%s%s=", i ? " " : "", dims->dim[i].name);
        lw_text_number(text, point[i]);
    }
    if (json)
        lw_text_char(text, '}');
}

static void print_points(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    if (json || result->as.points.count == 0)
        lw_text_char(text, '[');
    for (int i = 0; i < result->as.points.count; i++) {
        if (i)
            lw_text_char(text, json ? ',' : '\n');
        print_point(text, &result->as.points.dims, result->as.points.flat[i], json);
    }
    if (json || result->as.points.count == 0)
        lw_text_char(text, ']');
}

static void print_matrix(struct lw_text *text, const struct lw_matrix *matrix, bool json)
{
    if (json || matrix->rows == 0)
        lw_text_char(text, '[');
    for (int r = 0; r < matrix->rows; r++) {
        if (r)
            lw_text_char(text, json ? ',' : '\n');
        lw_text_char(text, '[');
        for (int c = 0; c < matrix->cols; c++) {
            lw_text_add(text, c ? json ? "," : ", " : "");
            lw_text_char(text, matrix->column[c] >> r & 1 ? '1' : '0');
        }
        lw_text_char(text, ']');
    }
    if (json || matrix->rows == 0)
        lw_text_char(text, ']');
}

static void print_dims(struct lw_text *text, const struct lw_dims *dims, bool json)
{
    if (json || dims->count == 0)
        lw_text_char(text, '[');
    for (int i = 0; i < dims->count; i++) {
        const struct lw_dim *dim = &dims->dim[i];
        lw_text_add(text, i ? json ? "," : " " : "");
        lw_text_format(text, json ? "[\"%s\",%llu]" : "%s=%llu", dim->name,
                       (unsigned long long)dim->size);
    }
    if (json || dims->count == 0)
        lw_text_char(text, ']');
}

static void print_action_json(struct lw_text *text, const struct lw_action *action)
{
    lw_text_format(text, "{\"dim\":\"%s\",\"size_log2\":%d,\"action\":[", action->dim,
                   action->size_log2);
    for (int i = 0; i < action->count; i++)
        lw_text_format(text, "%s%d", i ? "," : "", action->column[i]);
    lw_text_add(text, "]}");
}

/* Triton's form without the newline that it begins with. */
static void print_layout(struct lw_text *text, const struct lw_layout *layout)
{
    struct lw_text own = {0};
    lw_layout_print(&own, layout);
    lw_text_add(text, lw_text_string(&own) + (own.length > 0 && !own.failed));
    lw_text_free(&own);
}

/* In JSON a part is an object: its layout, its start (a number, or a coordinate as a string) and its thread. A tensor
 * of coordinates is one string, with its start and without its thread. */
static void print_cute(struct lw_text *text, const struct lw_cute *part, bool json)
{
    if (!json || !part->part || part->iterator) {
        lw_calc_print_cute(text, part, json);
        return;
    }
    lw_text_add(text, "{\"layout\":");
    lw_calc_print_cute(text, part, true);
    lw_text_add(text, ",\"start\":");
    if (part->origin) {
        lw_text_char(text, '"');
        lw_cute_tuple_print(text, part->origin);
        lw_text_char(text, '"');
    } else {
        lw_text_format(text, "%lld", (long long)part->start);
    }
    if (part->of_thread)
        lw_text_format(text, ",\"thread\":%lld", (long long)part->thread);
    lw_text_char(text, '}');
}

/* Prints results of CuTe that are not layouts. */
static void print_part(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    switch (result->kind) {
    case LW_CALC_TUPLE:
    case LW_CALC_BLANK:
    case LW_CALC_ORDER:
        lw_calc_print_tuple(text, &result->as.tuple, json);
        break;
    case LW_CALC_SWIZZLE:
        lw_text_format(text, json ? "\"Sw<%d,%d,%d>\"" : "Sw<%d,%d,%d>", result->as.swizzle.bits,
                       result->as.swizzle.base, result->as.swizzle.shift);
        break;
    case LW_CALC_ATOM:
    case LW_CALC_MMA:
    case LW_CALC_COPY:
        lw_calc_print_tiling(text, &result->as.tiling, json);
        break;
    case LW_CALC_DESCRIPTOR:
        lw_calc_print_descriptor(text, &result->as.descriptor, json);
        break;
    case LW_CALC_TENSOR_MAP:
        lw_calc_print_tensor_map(text, &result->as.tensor_map, json);
        break;
    default:
        break;
    }
}

static void print(struct lw_text *text, const struct lw_calc_result *result, bool json)
{
    switch (result->kind) {
    case LW_CALC_NONE:
        lw_text_add(text, json ? "null" : "none");
        break;
    case LW_CALC_LAYOUT:
        if (json)
            lw_layout_print_json(text, &result->as.layout);
        else
            print_layout(text, &result->as.layout);
        break;
    case LW_CALC_NUMBER:
        lw_text_number(text, result->as.number);
        break;
    case LW_CALC_TRUTH:
        lw_text_add(text, result->as.truth ? "true" : "false");
        break;
    case LW_CALC_POINT:
        print_point(text, &result->as.points.dims, result->as.points.flat[0], json);
        break;
    case LW_CALC_POINTS:
        print_points(text, result, json);
        break;
    case LW_CALC_MATRIX:
        print_matrix(text, &result->as.matrix, json);
        break;
    case LW_CALC_ACTION:
        if (json)
            print_action_json(text, &result->as.action);
        else
            lw_action_print(text, &result->as.action);
        break;
    case LW_CALC_DIMS:
        print_dims(text, &result->as.dims, json);
        break;
    case LW_CALC_CUTE:
        print_cute(text, &result->as.cute, json);
        break;
    case LW_CALC_TILUS:
        lw_text_add(text, json ? "\"" : "");
        lw_tilus_head(result->as.tilus, text, NULL);
        lw_text_add(text, json ? "\"" : "");
        break;
    default:
        print_part(text, result, json);
        break;
    }
}

void lw_calc_print(struct lw_text *text, const struct lw_calc_result *result)
{
    print(text, result, false);
}

static void print_start(struct lw_text *text, const struct lw_cute *cute)
{
    lw_text_add(text, "starts at ");
    if (cute->origin)
        lw_cute_tuple_print(text, cute->origin);
    else if (cute->start_bit)
        lw_text_format(text, "%s %lld, within an element", cute->start_bit % 8 ? "bit" : "byte",
                       (long long)(cute->start_bit / (cute->start_bit % 8 ? 1 : 8)));
    else
        lw_text_format(text, "offset %lld", (long long)cute->start);
    lw_text_add(text, cute->composed ? " before the swizzle" : "");
}

void lw_calc_print_start(struct lw_text *text, const struct lw_calc_result *result)
{
    const struct lw_cute *cute = &result->as.cute;
    if (result->kind != LW_CALC_CUTE || !cute->part)
        return;
    bool start = !cute->origin || !cute->iterator;
    if (!start && !cute->of_thread)
        return;
    lw_text_add(text, "# ");
    if (start)
        print_start(text, cute);
    if (cute->of_thread)
        lw_text_format(text, "%sthe part of thread %lld", start ? ", " : "",
                       (long long)cute->thread);
}

void lw_calc_print_json(struct lw_text *text, const struct lw_calc_result *result)
{
    print(text, result, true);
}
