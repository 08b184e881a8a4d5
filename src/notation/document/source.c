/*
 * Sources: what a text names is recognised by its look, in the order of the rows below; then it is
 * read as that. Files, gallery entries and standard input are texts that are read in turn.
 */

#include "notation/expression/calc_table.h"
#include "notation/expression/evaluate.h"
#include "notation/document/read.h"

#include <string.h>

/* ---- Texts ---- */

/* The place of a byte. */
static struct lw_position position_of(const char *text, size_t offset)
{
    struct lw_position position = {1, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        position.column = text[i] == '\n' ? 1 : position.column + 1;
        position.line += text[i] == '\n';
    }
    return position;
}

bool lw_check_bytes(const char *text, size_t size, struct lw_error *err)
{
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)text[i];
        int length = 1;
        if ((c < 32 && !strchr("\t\r\n", c)) || c == 0 || c == 127)
            return lw_error_at(err, LW_ERROR_SYNTAX, position_of(text, i),
                               "byte 0x%02x is not text", c);
        if (c > 127 && lw_text_decode(text + i, &length) == 0xfffd && length == 1)
            return lw_error_at(err, LW_ERROR_SYNTAX, position_of(text, i),
                               "byte 0x%02x is not UTF-8", c);
        i += (size_t)length;
    }
    return true;
}

bool lw_check_text(const char *text, size_t size, struct lw_error *err)
{
    if (size > LW_SOURCE_BYTES_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%zu bytes: the text of a layout has at most %zu",
                            size, LW_SOURCE_BYTES_MAX);
    return lw_check_bytes(text, size, err);
}

void lw_scan_string(struct lw_scan *scan, const struct lw_reading *reading,
                    const struct lw_value *string)
{
    size_t length = strlen(string->string);
    lw_scan_begin(scan, reading->arena, string->string, length, reading->err);
    scan->report = reading->report;
    scan->line = string->position.line;
    scan->shift = string->position.column + 1;
    /* With escapes in it, places inside the string are anybody's guess. */
    if (string->position.length != (int)length + 2)
        scan->whole = string->position;
}

void lw_tensor_override(struct lw_tensor *tensor, const struct lw_tensor *other_tensor)
{
    if (other_tensor->rank >= 0) {
        tensor->rank = other_tensor->rank;
        memcpy(tensor->shape, other_tensor->shape, sizeof tensor->shape);
        tensor->alloc_rank = other_tensor->alloc_rank;
        memcpy(tensor->alloc, other_tensor->alloc, sizeof tensor->alloc);
    }
    if (other_tensor->element.bits)
        tensor->element = other_tensor->element;
}

/* Everything but JSON. */
static bool read_scanned(struct lw_scan *scan, struct lw_document *doc, enum lw_source_kind kind)
{
    doc->tensor.rank = -1;
    if (kind == LW_SOURCE_TOSTRING) {
        doc->notation = LW_NOTATION_TOSTRING;
        return lw_read_tostring(scan, &doc->encoding);
    }
    doc->notation = kind == LW_SOURCE_TILUS ? LW_NOTATION_TILUS : LW_NOTATION_MLIR;
    scan->comment = kind == LW_SOURCE_TILUS ? "#" : "//";
    if (kind == LW_SOURCE_TILUS)
        return lw_read_program(scan, &doc->encoding);
    struct lw_position position = lw_scan_position(scan);
    if (kind == LW_SOURCE_TYPE ? !lw_read_type(scan, &doc->tensor, &doc->encoding)
                               : !lw_read_attribute(scan, &doc->encoding))
        return false;
    if (!lw_scan_at_end(scan))
        return lw_scan_unexpected(scan, "the end");
    return doc->encoding ||
           lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                       "this type has no encoding: tensor<16x64xf16, #ttg.blocked<{...}>>");
}

static bool read_json_document(struct lw_reading *reading, struct lw_document *doc)
{
    struct lw_value object;
    bool ok = lw_read_json(reading->arena, reading->text, reading->length, &object, reading->err) &&
              lw_read_document(reading, doc, &object);
    doc->notation = LW_NOTATION_JSON;
    return ok;
}

/* The language of the calculator; its result must be a layout of CuTe. */
static bool read_cute(struct lw_reading *reading, struct lw_document *doc)
{
    struct lw_calc_work work = {.arena = reading->arena};
    struct lw_calc_result result;
    doc->tensor.rank = -1;
    doc->notation = LW_NOTATION_CUTE;
    if (!lw_read_calc(reading, lw_read_source, reading->text, NULL, 0, &work, &result))
        return false;
    if (result.kind != LW_CALC_CUTE)
        return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                            "this is %s; a layout of CuTe has a shape and a stride: (4,8):(8,1)",
                            lw_calc_kind_name(result.kind));
    struct lw_cute_work tiling = {reading->arena, reading->err, NULL, false};
    struct lw_cute cute = result.as.cute;
    if (cute.coords && !lw_cute_coords_to_tile(&tiling, &result.as.cute, &cute))
        return false;
    if (cute.element)
        lw_element_find(&doc->tensor.element, cute.element, NULL);
    doc->encoding = lw_cute_to_encoding(reading->arena, &cute);
    return doc->encoding || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

/* Reads the reading's text, whose look is known. */
static bool read_as(struct lw_reading *reading, struct lw_document *doc, enum lw_source_kind kind)
{
    struct lw_scan scan;
    int before = reading->report ? reading->report->count : 0;
    bool ok = lw_check_text(reading->text, reading->length, reading->err);
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.report = reading->report;
    if (ok && kind == LW_SOURCE_JSON)
        ok = read_json_document(reading, doc);
    else if (ok && kind == LW_SOURCE_CUTE)
        ok = read_cute(reading, doc);
    else if (ok)
        ok = read_scanned(&scan, doc, kind);
    ok = ok && lw_check_nesting(doc->encoding, doc->encoding->position, reading->err) &&
         (!doc->with || lw_check_nesting(doc->with, doc->with->position, reading->err));
    doc->text = reading->text;
    doc->name = NULL;
    for (int i = before; reading->report && i < reading->report->count; i++)
        lw_error_excerpt(&reading->report->errors[i], reading->text, reading->length);
    if (!ok)
        lw_error_excerpt(reading->err, reading->text, reading->length);
    return ok;
}

/* ---- Files ---- */

/* A dump without a layout to choose. */
static bool nothing_in_dump(struct lw_reading *reading)
{
    return lw_error_set(reading->err, LW_ERROR_NAME,
                        "this file names no layout: it has no alias of one");
}

/* A dump: the alias that is picked, or the one type or attribute that it consists of. */
static bool read_dump(struct lw_reading *reading, struct lw_document *doc, const char *picked)
{
    const char *text = reading->text;
    size_t length = reading->length;
    lw_trim(&text, &length);
    if (picked)
        return lw_read_alias_document(reading, doc, picked);
    if (lw_is_type_text(text, length))
        return read_as(reading, doc, LW_SOURCE_TYPE);
    if (lw_is_attribute_text(text, length) && memchr(text, '.', length))
        return read_as(reading, doc, LW_SOURCE_ATTRIBUTE);
    return lw_pick_alias(reading) && nothing_in_dump(reading);
}

static bool not_a_source(struct lw_reading *reading, const char *source)
{
    return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                        "'%.*s' is no layout: expected a JSON document, an MLIR type or "
                        "attribute, a tilus expression or a layout of CuTe",
                        lw_shown_length(source, 60), source);
}

/* Whether a look is that of a text which says a layout itself, and names none. */
static bool is_layout_text(enum lw_source_kind kind)
{
    return kind == LW_SOURCE_JSON || kind == LW_SOURCE_TYPE || kind == LW_SOURCE_ATTRIBUTE ||
           kind == LW_SOURCE_TOSTRING || kind == LW_SOURCE_CUTE || kind == LW_SOURCE_TILUS;
}

/* A text file: any notation. */
static bool read_text(struct lw_reading *reading, struct lw_document *doc)
{
    const char *text = reading->text;
    size_t length = reading->length;
    lw_trim(&text, &length);
    enum lw_source_kind kind = lw_source_kind_of(text, length);
    return is_layout_text(kind) ? read_as(reading, doc, kind) : not_a_source(reading, text);
}

static bool read_file(const struct lw_reading *outer, struct lw_document *doc, const char *name,
                      enum lw_source_kind kind)
{
    struct lw_reading reading = *outer;
    struct lw_text text = {0};
    size_t length = strlen(name), path = kind == LW_SOURCE_DUMP ? lw_source_path(name) : length;
    const char *picked = path < length ? name + path + 1 : NULL;
    if (picked && *picked != '#') {
        reading.file = lw_path_relative(&reading, name, path);
        doc->name = name;
        return reading.file ? lw_read_picked(&reading, doc, reading.file, picked)
                            : lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    }
    bool ok = lw_open_relative(&reading, name, path, &text) &&
              lw_keep_text(&reading, lw_text_string(&text), text.length);
    lw_text_free(&text);
    if (ok && kind == LW_SOURCE_DUMP)
        ok = read_dump(&reading, doc, picked ? picked + 1 : NULL);
    else if (ok)
        ok = kind == LW_SOURCE_TEXT ? read_text(&reading, doc)
                                    : read_as(&reading, doc, LW_SOURCE_JSON);
    doc->name = picked ? name : reading.file;
    return ok;
}

static bool read_gallery(const struct lw_reading *outer, struct lw_document *doc, const char *name)
{
    struct lw_reading reading = *outer;
    const struct lw_gallery_entry *entry = lw_gallery_find(name, reading.err);
    if (!entry)
        return false;
    reading.allowed = LW_ALLOW_NAMES;
    reading.file = NULL;
    reading.text = entry->text;
    reading.length = strlen(entry->text);
    bool ok = read_as(&reading, doc, LW_SOURCE_JSON);
    doc->notation = LW_NOTATION_NAME;
    doc->name = entry->name;
    return ok;
}

/* ---- Sources ---- */

bool lw_read_source(struct lw_reading *outer, struct lw_document *doc, const char *source,
                    size_t length)
{
    struct lw_reading reading = *outer;
    enum lw_source_kind kind;
    if (++reading.depth > LW_DOCUMENTS_MAX)
        return lw_error_set(reading.err, LW_ERROR_LIMIT,
                            "sources name each other more than %d deep", LW_DOCUMENTS_MAX);
    const char *inside = source;
    size_t size = length;
    lw_trim(&inside, &size);
    kind = lw_source_kind_of(inside, size);
    if (!lw_keep_text(&reading, source, length))
        return false;
    const char *name = lw_arena_string(reading.arena, inside, size);
    if (!name)
        return lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    if (size == 0)
        return lw_error_set(reading.err, LW_ERROR_SYNTAX, "an empty text names no layout");
    if (!is_layout_text(kind)) {
        if (!lw_check_text(reading.text, reading.length, reading.err))
            return false;
        if (kind == LW_SOURCE_NAME && reading.allowed & LW_ALLOW_NAMES)
            return read_gallery(&reading, doc, name);
        if (kind != LW_SOURCE_NAME && kind != LW_SOURCE_INPUT && reading.allowed & LW_ALLOW_FILES)
            return read_file(&reading, doc, name, kind);
        return not_a_source(&reading, name);
    }
    return read_as(&reading, doc, kind);
}

static int shown_path(const char *source)
{
    size_t path = lw_source_path(source);
    return lw_shown_length(source, path < 100 ? (int)path : 100);
}

/* What is wrong in a source of its own text is told at the string that names it. */
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
    struct lw_report report;
    struct lw_reading inside = *reading;
    report.count = report.total = 0;
    inside.err = &inner;
    inside.report = reading->report ? &report : NULL;
    bool ok = lw_read_source(&inside, doc, string->string, strlen(string->string));
    for (int i = 0; i < report.count; i++) {
        report_foreign(reading, string, &report.errors[i]);
        lw_report_add(reading->report, reading->err);
    }
    if (!ok) {
        if (inner.code != LW_OK)
            report_foreign(reading, string, &inner);
        else
            reading->err->code = LW_OK;
        return false;
    }
    lw_clear_encoding_positions(doc->encoding);
    if (doc->with)
        lw_clear_encoding_positions(doc->with);
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
    return read_scanned(&scan, doc, kind);
}
