/*
 * A layout in one string: an MLIR type or attribute, a tilus expression, a linear layout as Triton prints it. In a JSON
 * string those have positions in the document; every other source is read as a separate text, and its
 * problems are reported at the string.
 */

#include "notation/expression/evaluate.h"
#include "notation/mlir/read_mlir.h"

#include <string.h>

bool lw_read_scanned(struct lw_scan *scan, struct lw_document *doc, enum lw_source_kind kind)
{
    doc->tensor.rank = -1;
    if (kind == LW_SOURCE_TYPE || kind == LW_SOURCE_ATTRIBUTE)
        return lw_read_mlir(scan, doc);
    doc->notation = kind == LW_SOURCE_TILUS ? LW_NOTATION_TILUS : LW_NOTATION_TOSTRING;
    scan->comment = kind == LW_SOURCE_TILUS ? "#" : NULL;
    return kind == LW_SOURCE_TILUS ? lw_read_program(scan, &doc->tensor, &doc->encoding)
                                   : lw_read_tostring(scan, &doc->encoding);
}

static int shown_path(const char *source)
{
    size_t path = lw_source_path(source);
    return lw_shown_length(source, path < 100 ? (int)path : 100);
}

/* Reports a problem in a source at the string that holds it. */
static void report_foreign(struct lw_reading *reading, const struct lw_value *string,
                           const struct lw_error *inner)
{
    enum lw_source_kind kind = lw_source_kind_of(string->string, strlen(string->string));
    if (inner->position.line > 0 &&
        (kind == LW_SOURCE_FILE || kind == LW_SOURCE_TEXT || kind == LW_SOURCE_DUMP))
        lw_error_at(reading->err, inner->code, string->position, "%.*s:%d:%d: %.380s",
                    shown_path(string->string), string->string, inner->position.line,
                    inner->position.column, inner->message);
    else
        lw_error_at(reading->err, inner->code, string->position, "%s", inner->message);
}

static bool read_foreign(struct lw_reading *reading, struct lw_document *doc,
                         const struct lw_value *string)
{
    struct lw_error inner = {0};
    struct lw_reading inside = *reading;
    inside.err = &inner;
    if (!reading->read_source(&inside, doc, string->string, strlen(string->string))) {
        report_foreign(reading, string, &inner);
        return false;
    }
    lw_clear_encoding_positions(doc->encoding);
    for (int i = 0; i < LW_SIDES; i++)
        if (doc->others[i].encoding)
            lw_clear_encoding_positions(doc->others[i].encoding);
    return true;
}

bool lw_read_source_string(struct lw_reading *reading, struct lw_document *doc,
                           const struct lw_value *string)
{
    struct lw_scan scan;
    const char *text = string->string;
    size_t length = strlen(text);
    lw_trim(&text, &length);
    enum lw_source_kind kind = lw_source_kind_of(text, length);
    if (length == 0 ||
        (kind != LW_SOURCE_TYPE && kind != LW_SOURCE_ATTRIBUTE && kind != LW_SOURCE_TILUS))
        return read_foreign(reading, doc, string);
    lw_scan_string(&scan, reading, string);
    return lw_read_scanned(&scan, doc, kind);
}
