/*
 * JSON into values, each with its position, and numbers with all their digits. The first problem ends the reading.
 *
 * Invariant: the text is UTF-8 without control characters (lw_check_text).
 */

#include "notation/document/read.h"

#include "core/text_escape.h"

#include <string.h>

/* The deepest nesting: more than any document has, and little enough for recursion. */
#define DEPTH_MAX 128
#define NAMES_MAX 1024

/* ---- Strings and numbers ---- */

/* An escape, from its backslash on: one character, or a pair of surrogates. */
static bool skip_escape(struct lw_scan *scan)
{
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at++;
    bool right = scan->at < scan->end && *scan->at != '\n' && strchr("\"\\/bfnrtu", *scan->at);
    scan->at += scan->at < scan->end && *scan->at != '\n';
    if (right && start[1] == 'u') {
        int unit = scan->end - start >= 6 ? lw_scan_code_unit(start) : -1;
        bool high = unit >= 0xd800 && unit < 0xdc00 && scan->end - start >= 12;
        int low = high ? lw_scan_code_unit(start + 6) : -1;
        bool pair = low >= 0xdc00 && low < 0xe000;
        right = unit > 0 && (unit < 0xd800 || unit >= 0xe000 || pair);
        scan->at += !right ? 0 : pair ? 10 : 4;
    }
    return right ||
           lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                       "'%.*s' is not a valid escape in a string", (int)(scan->at - start), start);
}

static bool skip_string(struct lw_scan *scan)
{
    struct lw_position position = lw_scan_position(scan);
    scan->at++;
    while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\n') {
        if (*scan->at != '\\')
            scan->at++;
        else if (!skip_escape(scan))
            return false;
    }
    if (scan->at == scan->end || *scan->at == '\n')
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                           "this string has no closing quote");
    scan->at++;
    return true;
}

/* Numbers must be integers. */
static bool read_number(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at;
    bool negative = *scan->at == '-', whole = true;
    for (scan->at += negative; scan->at < scan->end; scan->at++) {
        if (!lw_is_name_part(*scan->at) && !strchr("+-.", *scan->at))
            break;
        whole = whole && *scan->at >= '0' && *scan->at <= '9';
    }
    size_t length = (size_t)(scan->at - start);
    position = lw_scan_until(scan, position);
    if (!whole || length == negative)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, position, "%.*s is not an integer",
                           length > 40 ? 40 : (int)length, start);
    if (start[negative] == '0' && length > 1u + negative)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, position,
                           "%.*s: an integer has no leading zeros", length > 40 ? 40 : (int)length,
                           start);
    scan->at = start + negative;
    if (!lw_scan_integer(scan, &value->integer)) {
        scan->err->position = position;
        return false;
    }
    value->integer = negative ? -value->integer : value->integer;
    value->kind = LW_VALUE_INTEGER;
    value->position = position;
    return true;
}

/* ---- Values ---- */

static bool read_value(struct lw_scan *scan, struct lw_value *value);

static bool read_string(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at + 1;
    if (!skip_string(scan))
        return false;
    value->position = lw_scan_until(scan, position);
    value->kind = LW_VALUE_STRING;
    value->string = lw_scan_keep(scan, start, (size_t)(scan->at - 1 - start));
    return value->string;
}

/* Reads the name before an item of an object. */
static bool read_name(struct lw_scan *scan, const struct lw_value *object, const char **out,
                      struct lw_position *position)
{
    struct lw_value name = {0};
    if (object->count == NAMES_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, object->position,
                           "more than %d names in one object", NAMES_MAX);
    if (lw_scan_peek(scan) != '"')
        return lw_scan_unexpected(scan, "a name in double quotes");
    if (!read_string(scan, &name) || !lw_scan_expect(scan, ':', "':'"))
        return false;
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->names[i], name.string) == 0)
            return lw_error_at(scan->err, LW_ERROR_NAME, name.position, "duplicate key '%s'",
                               name.string);
    *out = name.string;
    *position = name.position;
    return true;
}

/* Appends an item to a list, or to an object with its name. */
static bool append(struct lw_scan *scan, struct lw_value *value, size_t *room, const char *name,
                   const struct lw_value *item)
{
    size_t before = *room, count = value->count;
    if (!lw_read_append(scan, value, room, item))
        return false;
    if (name && *room > before) {
        const char **names = lw_arena_alloc(scan->arena, *room * sizeof *names);
        if (!names)
            return lw_scan_out_of_memory(scan);
        for (size_t i = 0; i < count; i++)
            names[i] = value->names[i];
        value->names = names;
    }
    if (name)
        value->names[count] = name;
    return true;
}

/* The items up to the closing bracket; the position of the value is that of the opening one. */
static bool read_items(struct lw_scan *scan, struct lw_value *value, char close)
{
    size_t room = 0;
    for (bool more = !lw_scan_accept(scan, close); more;) {
        struct lw_value item = {0};
        const char *name = NULL;
        if ((close == '}' && !read_name(scan, value, &name, &item.name_position)) ||
            !read_value(scan, &item) || !append(scan, value, &room, name, &item))
            return false;
        more = lw_scan_accept(scan, ',');
        if (more || lw_scan_accept(scan, close))
            continue;
        if (lw_scan_at_end(scan))
            return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->position,
                               "this '%c' is never closed", close == '}' ? '{' : '[');
        return lw_scan_unexpected(scan, close == '}' ? "',' or '}'" : "',' or ']'");
    }
    return true;
}

static bool read_brackets(struct lw_scan *scan, struct lw_value *value)
{
    char close = *scan->at == '{' ? '}' : ']';
    value->kind = close == '}' ? LW_VALUE_OBJECT : LW_VALUE_LIST;
    value->position = lw_scan_position(scan);
    value->position.length = 1;
    if (scan->depth++ == DEPTH_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, value->position,
                           "nested too deeply: at most %d levels are read", DEPTH_MAX);
    scan->at++;
    bool good = read_items(scan, value, close);
    value->position = lw_scan_until(scan, value->position);
    scan->depth--;
    return good;
}

/* true or false. */
static bool read_literal(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_position position = lw_scan_position(scan);
    struct lw_span word = {scan->at, 0};
    while (scan->at < scan->end && lw_is_name_part(*scan->at))
        scan->at++;
    word.length = (size_t)(scan->at - word.at);
    value->position = lw_scan_until(scan, position);
    value->kind = LW_VALUE_BOOLEAN;
    value->integer = lw_span_is(word, "true");
    if (value->integer || lw_span_is(word, "false"))
        return true;
    if (word.length == 0)
        return lw_scan_unexpected(scan, "a value");
    if (lw_span_is(word, "null"))
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->position,
                           "null is not allowed: leave the key out");
    return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->position,
                       "'%.*s' is not JSON: strings are in double quotes",
                       word.length > 40 ? 40 : (int)word.length, word.at);
}

static bool read_value(struct lw_scan *scan, struct lw_value *value)
{
    char c = lw_scan_peek(scan);
    if (c == '"')
        return read_string(scan, value);
    if (c == '{' || c == '[')
        return read_brackets(scan, value);
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(scan, value);
    return c ? read_literal(scan, value) : lw_scan_unexpected(scan, "a value");
}

bool lw_read_json(struct lw_arena *arena, const char *text, size_t length, struct lw_value *value,
                  struct lw_error *err)
{
    struct lw_scan scan;
    struct lw_error ignored;
    memset(value, 0, sizeof *value);
    lw_skip_order_mark(&text, &length);
    lw_scan_begin(&scan, arena, text, length, err ? err : &ignored);
    return read_value(&scan, value) &&
           (lw_scan_at_end(&scan) || lw_scan_unexpected(&scan, "the end of the document"));
}

bool lw_read_json_object(struct lw_arena *arena, const char *text, size_t length,
                         const char *example, struct lw_value *object, struct lw_error *err)
{
    struct lw_value value;
    if (!lw_check_text(text, length, err) || !lw_read_json(arena, text, length, &value, err))
        return false;
    if (value.kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, value.position, "it must be an object, such as %s",
                           example);
    *object = value;
    return true;
}
