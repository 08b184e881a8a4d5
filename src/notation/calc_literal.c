/* Layouts written into an expression of the calculator: {...} and "SOURCE". */

#include "notation/calc_table.h"

#include "laneway/document.h"
#include "notation/read.h"

#include <string.h>

/* Moves over n bytes that are not blank. */
static void skip(struct lw_scan *scan, size_t n)
{
    for (; n > 0; n--, scan->at++)
        if (*scan->at == '\n') {
            scan->line++;
            scan->line_start = scan->at + 1;
            scan->shift = 1;
        }
}

/* The bytes from the quote at `at` to its twin, both counted; 0: it has none. */
static size_t quoted_length(const char *at, const char *end)
{
    for (const char *p = at + 1; p < end; p++) {
        if (*p == *at)
            return (size_t)(p + 1 - at);
        if (*p == '\\' && p + 1 < end)
            p++;
    }
    return 0;
}

const char *lw_calc_read_quoted(struct lw_calc_reader *reader, struct lw_place *place)
{
    struct lw_scan *scan = &reader->scan;
    *place = lw_scan_place(scan);
    size_t length = quoted_length(scan->at, scan->end);
    if (!length) {
        place->length = 1;
        lw_error_at(scan->err, LW_ERROR_SYNTAX, *place, "this quote is never closed");
        return NULL;
    }
    char *text = lw_arena_alloc(scan->arena, length);
    if (!text) {
        lw_scan_out_of_memory(scan);
        return NULL;
    }
    size_t n = 0;
    for (const char *p = scan->at + 1, *stop = scan->at + length - 1; p < stop; p++) {
        if (*p == '\\')
            p++;
        text[n++] = *p;
    }
    skip(scan, length);
    *place = lw_scan_until(scan, *place);
    return text;
}

/* The bytes from the brace at `at` to the one that closes it; 0: there is none. */
static size_t braced_length(const char *at, const char *end)
{
    size_t depth = 0;
    for (const char *p = at; p < end; p++) {
        if (*p == '"') {
            size_t quoted = quoted_length(p, end);
            if (!quoted)
                return 0;
            p += quoted - 1;
        } else if (*p == '{') {
            depth++;
        } else if (*p == '}' && --depth == 0) {
            return (size_t)(p + 1 - at);
        }
    }
    return 0;
}

static bool build(struct lw_calc_reader *reader, struct lw_document *doc,
                  struct lw_calc_result *value)
{
    struct lw_map map;
    struct lw_error *err = reader->scan.err;
    struct lw_layout *layout = &value->as.layout;
    struct lw_cute cute;
    value->kind = LW_CALC_LAYOUT;
    if (lw_cute_of_encoding(reader->scan.arena, doc->encoding, &cute, err)) {
        bool kept = lw_cute_copy(reader->scan.arena, &value->as.cute, &cute);
        value->kind = LW_CALC_CUTE;
        lw_document_free(doc);
        return kept || lw_scan_out_of_memory(&reader->scan);
    }
    bool good = err->code == LW_OK && lw_document_build(doc, &map, err);
    if (good && doc->encoding->type->family == LW_FAMILY_TILUS_REGISTER)
        good = lw_map_to_hardware(&map, LW_LANES_USUAL, layout, err);
    else if (good)
        good = lw_map_to_layout(&map, layout, err);
    lw_document_free(doc);
    return good;
}

/* Moves an error in a text that stands at `place` of the expression, or leaves it to the whole. */
static bool blame(struct lw_error *err, struct lw_place place, bool whole)
{
    if (!whole && err->place.line > 0) {
        if (err->place.line == 1)
            err->place.column += place.column - 1;
        err->place.line += place.line - 1;
    } else {
        err->place = place;
    }
    err->excerpt[0] = '\0';
    return false;
}

static bool read_object(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan;
    struct lw_place place = lw_scan_place(scan);
    struct lw_document doc;
    const char *text = scan->at;
    size_t length = braced_length(text, scan->end);
    place.length = 1;
    if (!length)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place, "this brace is never closed");
    skip(scan, length);
    if (lw_document_read(&doc, text, length, NULL, scan->err) && build(reader, &doc, value))
        return true;
    return blame(scan->err, place, false);
}

/* The same of a quoted source. What was wrong is in the quotes, or in the file that they name. */
static bool blame_source(struct lw_error *err, const char *source, struct lw_place place)
{
    char message[LW_MESSAGE_MAX];
    bool here = place.length == (int)strlen(source) + 2 && err->excerpt[0] &&
                !strncmp(source, err->excerpt, strlen(err->excerpt));
    if (!here && err->place.line > 0) {
        snprintf(message, sizeof message, "%.60s:%d:%d: %.400s", source, err->place.line,
                 err->place.column, err->message);
        memcpy(err->message, message, sizeof message);
    }
    place.column += here;
    return blame(err, place, !here);
}

static bool read_source(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    struct lw_place place;
    struct lw_document doc;
    const char *source = lw_calc_read_quoted(reader, &place);
    if (!source)
        return false;
    if (lw_document_open(&doc, source, NULL, reader->scan.err) && build(reader, &doc, value))
        return true;
    return blame_source(reader->scan.err, source, place);
}

bool lw_calc_read_made(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value)
{
    struct lw_scan *scan = &reader->scan, part = *scan, next;
    struct lw_value made = {0}, receiver;
    struct lw_document doc;
    const char *text = scan->at - strlen(name);
    if (!lw_read_call(&part, name, place, NULL, &made))
        return false;
    for (next = part; lw_scan_take(&next, '.'); next = part) {
        struct lw_place at;
        const char *method = lw_scan_name(&next, &at);
        if (!method || !lw_calc_is_tilus_function(method) || lw_calc_is_operation(method))
            break;
        receiver = made;
        memset(&made, 0, sizeof made);
        if (!lw_read_call(&next, method, at, &receiver, &made))
            return false;
        part = next;
    }
    size_t length = (size_t)(part.at - text);
    skip(scan, length - strlen(name));
    if (lw_document_read(&doc, text, length, NULL, scan->err) && build(reader, &doc, value))
        return true;
    return blame(scan->err, place, false);
}

bool lw_calc_read_literal(struct lw_calc_reader *reader, struct lw_calc_result *value)
{
    return *reader->scan.at == '{' ? read_object(reader, value) : read_source(reader, value);
}
