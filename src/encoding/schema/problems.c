/* Problems with parameters and shapes, as messages of a report. */

#include "encoding/schema/schema.h"

#include <stdio.h>
#include <string.h>

/* A list in a message is cut after this many bytes. */
#define VALUE_SHOWN 72

static void show_value(struct lw_text *text, const struct lw_value *value)
{
    struct lw_text shown = {.limit = VALUE_SHOWN};
    lw_value_print(&shown, value);
    if (shown.length > VALUE_SHOWN)
        lw_text_format(text, "%.*s...", VALUE_SHOWN, lw_text_string(&shown));
    else
        lw_text_add(text, lw_text_string(&shown));
    lw_text_free(&shown);
}

void lw_check_add_code(struct lw_report *report, const struct lw_encoding *encoding,
                       const char *param, enum lw_code code, const char *what)
{
    struct lw_error err;
    struct lw_text head = {0};
    const struct lw_value *value = lw_encoding_value(encoding, param);
    lw_text_add(&head, param);
    if (value && value->kind != LW_VALUE_ENCODING) {
        lw_text_add(&head, " = ");
        show_value(&head, value);
    }
    lw_error_about(&err, param,
                   value && value->position.line ? value->position : encoding->position, "%s%s %s",
                   lw_text_string(&head), strncmp(what, "is ", 3) ? ":" : "", what);
    err.code = code;
    lw_text_free(&head);
    lw_report_add(report, &err);
}

void lw_check_add(struct lw_report *report, const struct lw_encoding *encoding, const char *param,
                  const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    lw_check_add_code(report, encoding, param, LW_ERROR_PARAMETER, what);
}

static bool is_outside(enum lw_triton version, enum lw_triton since, enum lw_triton until)
{
    return version && (version < since || (until && version > until));
}

/* `param` NULL: the type itself. */
static void add_version(const struct lw_encoding *encoding, const char *param, enum lw_triton since,
                        enum lw_triton until, struct lw_report *report)
{
    struct lw_error err;
    char what[64];
    bool early = encoding->triton < since;
    snprintf(what, sizeof what, "is part of Triton %s and %s, not of %s",
             lw_triton_name(early ? since : until), early ? "later" : "earlier",
             lw_triton_name(encoding->triton));
    if (param) {
        lw_check_add(report, encoding, param, "%s", what);
        return;
    }
    lw_error_at(&err, LW_ERROR_PARAMETER, encoding->position, "%s %s", encoding->type->name, what);
    lw_report_add(report, &err);
}

bool lw_encoding_check_version(const struct lw_encoding *encoding, struct lw_report *report)
{
    const struct lw_encoding_type *type = encoding->type;
    int before = report->total;
    if (is_outside(encoding->triton, type->since, LW_TRITON_UNSET))
        add_version(encoding, NULL, type->since, LW_TRITON_UNSET, report);
    for (size_t i = 0; i < type->param_count; i++) {
        const struct lw_param *param = &type->params[i];
        if (encoding->params[i].kind == LW_VALUE_NONE)
            continue;
        if (is_outside(encoding->triton, param->since, param->until))
            add_version(encoding, param->name, param->since, param->until, report);
        if (encoding->params[i].kind == LW_VALUE_ENCODING)
            lw_encoding_check_version(encoding->params[i].encoding, report);
    }
    return report->total == before;
}

void lw_check_missing(struct lw_report *report, const struct lw_encoding *encoding,
                      const char *param, const char *format, ...)
{
    struct lw_error err;
    char what[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    lw_error_about(&err, param, encoding->position, "%s needs %s: %s", encoding->type->name, param,
                   what);
    lw_report_add(report, &err);
}

void lw_print_shape(struct lw_text *text, const uint64_t *shape, int rank)
{
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%llu", i ? ", " : "[", (unsigned long long)shape[i]);
    lw_text_add(text, rank > 0 ? "]" : "[]");
}

void lw_check_shape(struct lw_report *report, const struct lw_tensor *tensor, const char *format,
                    ...)
{
    struct lw_error err;
    struct lw_text shape = {0};
    char what[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    lw_print_shape(&shape, tensor->shape, tensor->rank);
    lw_error_about(&err, "shape", (struct lw_position){0}, "shape %s: %s", lw_text_string(&shape),
                   what);
    err.code = LW_ERROR_SHAPE;
    lw_text_free(&shape);
    lw_report_add(report, &err);
}
