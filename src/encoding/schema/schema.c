/*
 * Encodings checked and built: every parameter against its row, then the whole.
 *
 * Invariant: after lw_encoding_check returned true each parameter that is set has the type and the
 * range of its row, lists have at most LW_LIST_MAX entries, and lists with LW_RULE_RANK as many as
 * the rank; so build functions read them without checks.
 */

#include "encoding/schema/schema.h"
#include "encoding/schema/legal.h"

#include <string.h>

/* ---- The shape ---- */

static uint64_t next_power_of_two(uint64_t n)
{
    uint64_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static void suggest_shape(const struct lw_tensor *tensor, int dim, struct lw_report *report)
{
    uint64_t near[LW_RANK_MAX];
    struct lw_text text = {0};
    for (int i = 0; i < tensor->rank; i++)
        near[i] = next_power_of_two(tensor->shape[i]);
    lw_print_shape(&text, near, tensor->rank);
    lw_check_shape(report, tensor, "not a power of two in dim %d; try %s", dim,
                   lw_text_string(&text));
    lw_text_free(&text);
}

static void check_shape(const struct lw_tensor *tensor, bool powers, struct lw_report *report)
{
    uint64_t total = 1;
    if (powers && tensor->rank == 0)
        lw_check_shape(report, tensor, "a tensor without dims has no layout");
    for (int i = 0; i < tensor->rank; i++)
        if (tensor->shape[i] == 0 || tensor->shape[i] > (uint64_t)LW_NUMBER_MAX) {
            lw_check_shape(report, tensor, "each dim must be from 1 to 2^62");
            return;
        }
    for (int i = 0; i < tensor->rank; i++) {
        uint64_t size = tensor->shape[i];
        if (powers && lw_log2(size) < 0) {
            suggest_shape(tensor, i, report);
            return;
        }
        if (__builtin_mul_overflow(total, size, &total) || total > (uint64_t)LW_NUMBER_MAX) {
            lw_check_shape(report, tensor, "over 2^62 elements: at most 2^62 are supported");
            return;
        }
    }
}

/* ---- Parameters ---- */

static void check_param(const struct lw_encoding *encoding, size_t index, int rank, int tensor_rank,
                        struct lw_report *report)
{
    const struct lw_param *param = &encoding->type->params[index];
    const struct lw_value *value = &encoding->params[index];
    struct lw_text what = {0};
    enum lw_code code = LW_ERROR_PARAMETER;
    if (value->kind == LW_VALUE_NONE) {
        if (param->fallback != LW_DEFAULT_REQUIRED)
            return;
        lw_param_legal(&what, param);
        lw_check_missing(report, encoding, param->name, "%s", lw_text_string(&what));
    } else if (!lw_value_legal(&what, &code, param, value, rank, tensor_rank)) {
        lw_check_add_code(report, encoding, param->name, code, lw_text_string(&what));
    }
    lw_text_free(&what);
}

/* A problem of a nested encoding is about `parent.order`, not `order`. */
static void name_by_path(struct lw_error *err, const struct lw_encoding *owner, const char *name)
{
    char text[LW_MESSAGE_MAX + LW_NAME_MAX + 2] = "";
    size_t n = strlen(err->parameter);
    if (n == 0 || !strcmp(err->parameter, "shape"))
        return;
    if (owner->type->spelling == LW_SPELLING_ATTRIBUTE &&
        !strncmp(err->message, err->parameter, n)) {
        snprintf(text, sizeof text, "%.24s.%s", name, err->message);
        memcpy(err->message, text, sizeof err->message);
        err->message[sizeof err->message - 1] = '\0';
    }
    snprintf(text, sizeof text, "%.24s.%s", name, err->parameter);
    memcpy(err->parameter, text, sizeof err->parameter);
    err->parameter[sizeof err->parameter - 1] = '\0';
}

/* The tensor that its nested encodings lay out. */
static bool nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                          struct lw_tensor *nested, struct lw_error *err)
{
    *nested = *tensor;
    return !encoding->type->nested_tensor ||
           encoding->type->nested_tensor(encoding, tensor, nested, err);
}

static void check_whole(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        int tensor_rank, int depth, struct lw_report *report);

static void check_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         int tensor_rank, int depth, bool own_legal, struct lw_report *report)
{
    struct lw_tensor nested;
    struct lw_error err = {0};
    lw_tensor_unknown(&nested);
    nested.element = tensor->element;
    if (own_legal && !nested_tensor(encoding, tensor, &nested, &err)) {
        lw_report_add(report, &err);
        lw_tensor_unknown(&nested);
        if (err.code == LW_ERROR_UNSUPPORTED) /* the nested encoding itself is wrong */
            return;
    }
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_value *value = &encoding->params[i];
        int from = report->count;
        if (value->kind != LW_VALUE_ENCODING || encoding->type->params[i].type != LW_PARAM_ENCODING)
            continue;
        check_whole(value->encoding, &nested, nested.rank < 0 ? -1 : tensor_rank, depth + 1,
                    report);
        for (int k = from; k < report->count; k++)
            name_by_path(&report->errors[k], encoding, encoding->type->params[i].name);
    }
}

static void check_whole(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        int tensor_rank, int depth, struct lw_report *report)
{
    int before = report->total;
    int rank = lw_schema_rank(encoding, tensor);
    if (depth > LW_NESTING_MAX) {
        struct lw_error err;
        lw_error_at(&err, LW_ERROR_LIMIT, encoding->position, "encodings nested more than %d deep",
                    LW_NESTING_MAX);
        lw_report_add(report, &err);
        return;
    }
    for (size_t i = 0; i < encoding->type->param_count; i++)
        check_param(encoding, i, rank, tensor_rank, report);
    check_nested(encoding, tensor, tensor_rank, depth, report->total == before, report);
    if (report->total == before && encoding->type->check)
        encoding->type->check(encoding, tensor, report);
}

static bool needs_powers(enum lw_family family)
{
    return family == LW_FAMILY_DISTRIBUTED || family == LW_FAMILY_SHARED ||
           family == LW_FAMILY_TENSOR_MEMORY;
}

bool lw_encoding_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_report *report)
{
    int before = report->total;
    struct lw_tensor laid;
    lw_encoding_tensor(encoding, tensor, &laid);
    lw_check_alloc(encoding, tensor, report);
    check_shape(&laid, needs_powers(encoding->type->family), report);
    check_whole(encoding, &laid, laid.rank, 0, report);
    return report->total == before;
}

bool lw_build_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                     struct lw_map *map, struct lw_error *err)
{
    if (encoding->type->build(encoding, tensor, map, err))
        return true;
    if (err && !err->position.line)
        err->position = encoding->position;
    return false;
}

bool lw_encoding_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_map *map, struct lw_error *err)
{
    struct lw_report report;
    struct lw_tensor laid;
    report.count = report.total = 0;
    lw_encoding_tensor(encoding, tensor, &laid);
    if (lw_encoding_check(encoding, tensor, &report))
        return lw_build_nested(encoding, &laid, map, err);
    if (err)
        *err = report.errors[0];
    return false;
}

bool lw_encoding_has_shape(const struct lw_encoding *encoding)
{
    struct lw_tensor unknown;
    struct lw_map map;
    lw_tensor_unknown(&unknown);
    switch (encoding->type->family) {
    case LW_FAMILY_TILUS_REGISTER:
    case LW_FAMILY_TILUS_SHARED:
    case LW_FAMILY_PLAIN:
        return true;
    case LW_FAMILY_SHARED:
        return lw_encoding_build(encoding, &unknown, &map, NULL);
    default:
        return false;
    }
}
