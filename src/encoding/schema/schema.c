/*
 * Encodings checked and built: every parameter against its row, then the whole. A check stops at its first problem.
 *
 * Invariant: after lw_encoding_check returned true each parameter that is set has the type and the
 * range of its row, lists have at most LW_LIST_MAX entries, and lists with LW_RULE_RANK as many as
 * the rank; so build functions read them without checks.
 */

#include "encoding/schema/schema.h"

#include <stdio.h>
#include <string.h>

/* ---- Problems ---- */

/* A list in a message is cut after this many bytes. */
#define VALUE_SHOWN 72

bool lw_refuse_code(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
                    enum lw_code code, const char *what)
{
    struct lw_text head = {0}, shown = {.limit = VALUE_SHOWN};
    const struct lw_value *value = lw_encoding_value(encoding, param);
    if (value && value->kind != LW_VALUE_ENCODING) {
        lw_value_print(&shown, value);
        lw_text_format(&head, " = %.*s%s", VALUE_SHOWN, lw_text_string(&shown),
                       shown.length > VALUE_SHOWN ? "..." : "");
    }
    lw_error_about(err, param, value && value->position.line ? value->position : encoding->position,
                   "%s%s%s %s", param, lw_text_string(&head), strncmp(what, "is ", 3) ? ":" : "",
                   what);
    if (err)
        err->code = code;
    lw_text_free(&head);
    lw_text_free(&shown);
    return false;
}

bool lw_refuse(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
               const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return lw_refuse_code(err, encoding, param, LW_ERROR_PARAMETER, what);
}

bool lw_refuse_missing(struct lw_error *err, const struct lw_encoding *encoding, const char *param,
                       const char *format, ...)
{
    char what[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return lw_error_about(err, param, encoding->position, "%s needs %s: %s", encoding->type->name,
                          param, what);
}

/* Appends "[12, 20]". */
static void put_shape(struct lw_text *text, const uint64_t *shape, int rank)
{
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "[", (unsigned long long)shape[i]);
    lw_text_add(text, rank > 0 ? "]" : "[]");
}

bool lw_refuse_shape(struct lw_error *err, const struct lw_tensor *tensor, const char *format, ...)
{
    struct lw_text shape = {0};
    char what[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    put_shape(&shape, tensor->shape, tensor->rank);
    lw_error_about(err, "shape", (struct lw_position){0}, "shape %s: %s", lw_text_string(&shape),
                   what);
    if (err)
        err->code = LW_ERROR_SHAPE;
    lw_text_free(&shape);
    return false;
}

bool lw_refuse_no_shape(struct lw_error *err, const struct lw_encoding *encoding, const char *why)
{
    lw_error_about(err, "shape", encoding->position, "%s needs a shape: %s", encoding->type->name,
                   why);
    if (err)
        err->code = LW_ERROR_SHAPE;
    return false;
}

/* ---- Versions of Triton ---- */

/* Whether the version has what came with `since` and went after `until`; `param` NULL: the type itself. */
static bool check_version(const struct lw_encoding *encoding, const char *param,
                          enum lw_triton since, enum lw_triton until, struct lw_error *err)
{
    enum lw_triton version = encoding->triton;
    bool early = version < since;
    char what[64];
    if (!version || (!early && (!until || version <= until)))
        return true;
    snprintf(what, sizeof what, "is part of Triton %s and %s, not of %s",
             lw_triton_name(early ? since : until), early ? "later" : "earlier",
             lw_triton_name(version));
    return param ? lw_refuse(err, encoding, param, "%s", what)
                 : lw_error_at(err, LW_ERROR_PARAMETER, encoding->position, "%s %s",
                               encoding->type->name, what);
}

bool lw_encoding_check_version(const struct lw_encoding *encoding, struct lw_error *err)
{
    const struct lw_encoding_type *type = encoding->type;
    if (!check_version(encoding, NULL, type->since, LW_TRITON_UNSET, err))
        return false;
    for (size_t i = 0; i < type->param_count; i++) {
        const struct lw_param *param = &type->params[i];
        const struct lw_value *value = &encoding->params[i];
        if (value->kind != LW_VALUE_NONE &&
            !check_version(encoding, param->name, param->since, param->until, err))
            return false;
        if (value->kind == LW_VALUE_ENCODING && !lw_encoding_check_version(value->encoding, err))
            return false;
    }
    return true;
}

/* ---- Parts of an allocation ----
 * Source: toLinearLayout(MemDescType) and MemDescType::verify of Triton 3.7: the layout is that of the last dims of
 * the allocation. Of a row of buffers, which has one dim more than its encoding, memdesc_index selects one, and that
 * one is laid out. */

/* The rank of an encoding of memory; -1: that of the tensor. */
static int own_rank(const struct lw_encoding *encoding)
{
    int rank = lw_schema_rank(encoding, NULL);
    if (rank >= 0)
        return rank;
    if (lw_encoding_is_set(encoding, "rank"))
        return (int)lw_encoding_integer(encoding, "rank");
    return encoding->type->family == LW_FAMILY_TENSOR_MEMORY ||
                   lw_encoding_param(encoding, "rank") >= 0
               ? 2
               : -1;
}

static bool in_memory(const struct lw_encoding *encoding)
{
    return encoding->type->family == LW_FAMILY_SHARED ||
           encoding->type->family == LW_FAMILY_TENSOR_MEMORY;
}

bool lw_encoding_is_buffers(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    return in_memory(encoding) && tensor->alloc_rank >= tensor->rank && tensor->rank > 1 &&
           tensor->rank == own_rank(encoding) + 1;
}

void lw_encoding_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_tensor *out)
{
    *out = *tensor;
    out->alloc_rank = 0;
    if (!in_memory(encoding) || tensor->rank < 0)
        return;
    if (tensor->alloc_rank >= tensor->rank)
        memcpy(out->shape, tensor->alloc + tensor->alloc_rank - tensor->rank,
               (size_t)tensor->rank * sizeof *out->shape);
    if (lw_encoding_is_buffers(encoding, tensor)) {
        out->rank--;
        memmove(out->shape, out->shape + 1, (size_t)out->rank * sizeof *out->shape);
    }
}

static bool check_alloc(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        struct lw_error *err)
{
    int skipped = tensor->alloc_rank - tensor->rank;
    if (tensor->alloc_rank == 0 || tensor->rank < 0 ||
        (skipped == 0 &&
         !memcmp(tensor->alloc, tensor->shape, (size_t)tensor->rank * sizeof *tensor->shape)))
        return true; /* no part of a larger allocation */
    if (!in_memory(encoding))
        return lw_refuse_shape(err, tensor, "only a tensor in memory may have another 'alloc'");
    if (skipped < 0)
        return lw_refuse_shape(err, tensor, "the allocation has fewer dims: %d",
                               tensor->alloc_rank);
    for (int d = 0; d < tensor->rank; d++)
        if (tensor->shape[d] > tensor->alloc[skipped + d])
            return lw_refuse_shape(err, tensor, "only %llu are allocated in dim %d",
                                   (unsigned long long)tensor->alloc[skipped + d], d);
    return true;
}

/* ---- The shape ---- */

static bool check_shape(const struct lw_tensor *tensor, bool powers, struct lw_error *err)
{
    uint64_t total = 1, near[LW_RANK_MAX];
    if (powers && tensor->rank == 0)
        return lw_refuse_shape(err, tensor, "a tensor without dims has no layout");
    for (int i = 0; i < tensor->rank; i++) {
        if (tensor->shape[i] == 0 || tensor->shape[i] > (uint64_t)LW_NUMBER_MAX)
            return lw_refuse_shape(err, tensor, "each dim must be from 1 to 2^62");
        for (near[i] = 1; near[i] < tensor->shape[i];) /* the next power of two */
            near[i] *= 2;
    }
    for (int i = 0; i < tensor->rank; i++) {
        uint64_t size = tensor->shape[i];
        if (powers && lw_log2(size) < 0) {
            struct lw_text text = {0};
            put_shape(&text, near, tensor->rank);
            lw_refuse_shape(err, tensor, "not a power of two in dim %d; try %s", i,
                            lw_text_string(&text));
            lw_text_free(&text);
            return false;
        }
        if (__builtin_mul_overflow(total, size, &total) || total > (uint64_t)LW_NUMBER_MAX)
            return lw_refuse_shape(err, tensor, "over 2^62 elements: at most 2^62 are supported");
    }
    return true;
}

/* ---- Parameters ---- */

static bool check_param(const struct lw_encoding *encoding, size_t index, int rank,
                        struct lw_error *err)
{
    const struct lw_param *param = &encoding->type->params[index];
    const struct lw_value *value = &encoding->params[index];
    struct lw_text what = {0};
    enum lw_code code = LW_ERROR_PARAMETER;
    struct lw_position position = {0};
    /* A value that is not written is the same without the parameter: Gluon of 3.5 has a rank, its text has none. */
    bool is_silent = (param->rules & LW_RULE_SILENT) && value->kind == LW_VALUE_INTEGER &&
                     value->integer == param->silent;
    bool good = true;
    if (value->kind == LW_VALUE_NONE && param->fallback == LW_DEFAULT_REQUIRED) {
        lw_param_legal(&what, param);
        good = lw_refuse_missing(err, encoding, param->name, "%s", lw_text_string(&what));
    } else if (value->kind != LW_VALUE_NONE && !is_silent &&
               !check_version(encoding, param->name, param->since, LW_TRITON_UNSET, err)) {
        good = false;
    } else if (value->kind != LW_VALUE_NONE &&
               !lw_value_legal(&what, &code, &position, param, value, rank)) {
        good = lw_refuse_code(err, encoding, param->name, code, lw_text_string(&what));
        if (err && position.line)
            err->position = position;
    }
    lw_text_free(&what);
    return good;
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

static bool check_whole(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        int depth, struct lw_error *err);

static bool check_nested(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                         int depth, struct lw_error *err)
{
    struct lw_tensor nested;
    if (!nested_tensor(encoding, tensor, &nested, err))
        return false;
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_value *value = &encoding->params[i];
        if (value->kind == LW_VALUE_ENCODING &&
            !check_whole(value->encoding, &nested, depth + 1, err)) {
            if (err)
                name_by_path(err, encoding, encoding->type->params[i].name);
            return false;
        }
    }
    return true;
}

static bool check_whole(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                        int depth, struct lw_error *err)
{
    int rank = lw_schema_rank(encoding, tensor);
    if (depth > LW_NESTING_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, encoding->position,
                           "encodings nested more than %d deep", LW_NESTING_MAX);
    if (!check_version(encoding, NULL, encoding->type->since, LW_TRITON_UNSET, err))
        return false;
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (!check_param(encoding, i, rank, err))
            return false;
    return check_nested(encoding, tensor, depth, err) &&
           (!encoding->type->check || encoding->type->check(encoding, tensor, err));
}

bool lw_encoding_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                       struct lw_error *err)
{
    enum lw_family family = encoding->type->family;
    struct lw_tensor laid;
    lw_encoding_tensor(encoding, tensor, &laid);
    return check_alloc(encoding, tensor, err) &&
           check_shape(&laid,
                       family == LW_FAMILY_DISTRIBUTED || family == LW_FAMILY_SHARED ||
                           family == LW_FAMILY_TENSOR_MEMORY,
                       err) &&
           check_whole(encoding, &laid, 0, err);
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
    struct lw_tensor laid;
    lw_encoding_tensor(encoding, tensor, &laid);
    return lw_encoding_check(encoding, tensor, err) && lw_build_nested(encoding, &laid, map, err);
}

bool lw_encoding_has_shape(const struct lw_encoding *encoding)
{
    struct lw_tensor unknown;
    struct lw_map map;
    lw_tensor_unknown(&unknown);
    const enum lw_family family = encoding->type->family;
    return family == LW_FAMILY_TILUS_REGISTER || family == LW_FAMILY_TILUS_SHARED ||
           family == LW_FAMILY_PLAIN ||
           (family == LW_FAMILY_SHARED && lw_encoding_build(encoding, &unknown, &map, NULL));
}
