/*
 * Values as people type them, and the expressions that MLIR attributes and tilus calls are made of.
 *
 *     expression: term { (`*` | `/`) term }
 *     term:       atom { `.` name `(` arguments `)` }
 *     atom:       integer, true, "string", [list], (list), (expression), {object}, #attribute,
 *                 name `(` arguments `)`, variable
 */

#include "encoding/gluon.h"
#include "encoding/schema.h"
#include "notation/read.h"

#include <stdlib.h>
#include <string.h>

bool lw_read_append(struct lw_scan *scan, struct lw_value *list, size_t *room,
                    const struct lw_value *item)
{
    if (item->kind == LW_VALUE_NONE)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, item->place,
                           "None says nothing: leave it out");
    if (list->count == *room) {
        size_t more = *room ? *room * 2 : 4;
        struct lw_value *items = lw_arena_alloc(scan->arena, more * sizeof *items);
        if (!items)
            return lw_scan_out_of_memory(scan);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        *room = more;
    }
    list->items[list->count++] = *item;
    return true;
}

/* The digits of `0x1f`, the cursor after the x; as many as fit are read, none is an error. */
static bool read_hexadecimal(struct lw_scan *scan, struct lw_place place, int64_t *integer)
{
    static const char all[] = "0123456789abcdefABCDEF";
    uint64_t n = 0;
    const char *start = scan->at, *digit;
    for (; scan->at < scan->end && (digit = memchr(all, *scan->at, sizeof all - 1)); scan->at++) {
        if (n >> 59)
            return lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, place),
                               "0x%.*s...: integers must be below 2^63", (int)(scan->at - start),
                               start);
        n = n * 16 + (uint64_t)(digit - all < 16 ? digit - all : digit - all - 6);
    }
    *integer = (int64_t)n;
    return scan->at > start || lw_scan_unexpected(scan, "a hexadecimal digit");
}

static bool read_magnitude(struct lw_scan *scan, struct lw_place place, int64_t *integer)
{
    if (scan->end - scan->at < 2 || scan->at[0] != '0' || scan->at[1] != 'x')
        return lw_scan_integer(scan, integer);
    scan->at += 2;
    return read_hexadecimal(scan, place, integer);
}

/* `4`, `-4`, `0x10`. */
static bool read_integer(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place = lw_scan_place(scan);
    const char *start = scan->at;
    bool negative = *scan->at == '-';
    if (negative || *scan->at == '+')
        scan->at++;
    if (scan->at == scan->end || *scan->at < '0' || *scan->at > '9')
        return lw_scan_unexpected(scan, "an integer");
    if (!read_magnitude(scan, place, &value->integer))
        return false;
    const char *digits_end = scan->at;
    while (scan->at < scan->end &&
           (lw_is_name_part(*scan->at) ||
            (*scan->at == '.' && scan->at + 1 < scan->end && !lw_is_name_start(scan->at[1]))))
        scan->at++;
    value->kind = LW_VALUE_INTEGER;
    value->place = lw_scan_until(scan, place);
    if (scan->at != digits_end)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->place, "%.*s is not an integer",
                           scan->at - start > 40 ? 40 : (int)(scan->at - start), start);
    value->integer = negative ? -value->integer : value->integer;
    return true;
}

/* The bits of `i32`, `si8` or `ui16`; 0: it is none of these. */
static int integer_bits(const char *type)
{
    size_t letters = strspn(type, "isu"), digits = strspn(type + letters, "0123456789");
    bool named = !strncmp(type, "i", letters) || !strncmp(type, "si", letters) ||
                 !strncmp(type, "ui", letters);
    return named && letters && digits && digits < 5 && !type[letters + digits]
               ? atoi(type + letters)
               : 0;
}

/* The type of a number, its colon taken: the number must be one of its. That of i1 is a truth. */
static bool read_integer_type(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place;
    const char *type = lw_scan_name(scan, &place);
    int bits = type ? integer_bits(type) : 0;
    if (!type)
        return lw_scan_unexpected(scan, "the type of an integer such as 'i32'");
    if (bits == 0)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, place,
                           "'%.40s' is no type of an integer: it may be i32, si32 or ui32", type);
    bool truth = !strcmp(type, "i1");
    int64_t half = (int64_t)1 << (bits < 63 ? bits - 1 : 62);
    int64_t most = bits > 62 ? INT64_MAX : *type == 'u' || truth ? half - 1 + half : half - 1;
    int64_t least = *type == 'u' ? 0 : bits > 62 ? -INT64_MAX : -half;
    value->place = lw_place_join(value->place, place);
    if (value->integer < least || value->integer > most)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, value->place, "%lld does not fit into %s",
                           (long long)value->integer, type);
    value->kind = truth ? LW_VALUE_BOOLEAN : LW_VALUE_INTEGER;
    value->integer = truth ? value->integer != 0 : value->integer;
    return true;
}

/* `4`; of MLIR also `4 : i32`, and of paddings `4:+2`, which is the list [4, 2]. */
static bool read_number(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_value pair[2] = {{0}};
    size_t room = 0;
    if (!read_integer(scan, value))
        return false;
    if (!scan->words || !lw_scan_take(scan, ':'))
        return true;
    if (!lw_scan_take(scan, '+'))
        return read_integer_type(scan, value);
    lw_scan_space(scan);
    pair[0] = *value;
    if (!read_integer(scan, &pair[1]))
        return false;
    memset(value, 0, sizeof *value);
    value->kind = LW_VALUE_LIST;
    value->place = lw_place_join(pair[0].place, pair[1].place);
    return lw_read_append(scan, value, &room, &pair[0]) &&
           lw_read_append(scan, value, &room, &pair[1]);
}

/* Strings of MLIR and Python. An escape is never shorter than what it stands for. */
static bool read_string(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place = lw_scan_place(scan);
    const char *start = scan->at;
    char quote = *scan->at++;
    while (scan->at < scan->end && *scan->at != quote && *scan->at != '\n')
        scan->at += *scan->at == '\\' && scan->at + 1 < scan->end && scan->at[1] != '\n' ? 2 : 1;
    if (scan->at >= scan->end || *scan->at != quote)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, place),
                           "this string has no closing %c", quote);
    char *string = lw_arena_string(scan->arena, start + 1, (size_t)(scan->at - start - 1));
    scan->at++;
    if (!string)
        return lw_scan_out_of_memory(scan);
    char *to = string;
    for (const char *from = string; *from;) {
        char bytes[4];
        int count;
        from += lw_scan_escape(from, bytes, &count);
        memcpy(to, bytes, (size_t)count);
        to += count;
    }
    *to = '\0';
    value->kind = LW_VALUE_STRING;
    value->place = lw_scan_until(scan, place);
    value->string = string;
    return true;
}

/* The rest of a list, its first bracket taken; `comma` says whether one was written. */
static bool read_items(struct lw_scan *scan, char close, struct lw_value *list, bool *comma)
{
    size_t room = 0;
    *comma = false;
    while (!lw_scan_take(scan, close)) {
        struct lw_value item = {0};
        if (!lw_read_expression(scan, &item) || !lw_read_append(scan, list, &room, &item))
            return false;
        if (lw_scan_take(scan, ','))
            *comma = true;
        else if (lw_scan_peek(scan) != close)
            return lw_scan_unexpected(scan, close == ']' ? "',' or ']'" : "',' or ')'");
    }
    return true;
}

/* `[...]`, `(...)`; one thing in parentheses is that thing. */
static bool read_list(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place = lw_scan_place(scan);
    char close = *scan->at == '[' ? ']' : ')';
    bool comma;
    place.length = scan->whole.line ? place.length : 1;
    if (!lw_scan_enter(scan, place))
        return false;
    scan->at++;
    value->kind = LW_VALUE_LIST;
    if (!read_items(scan, close, value, &comma))
        return false;
    lw_scan_leave(scan);
    if (close == ')' && value->count == 1 && !comma)
        *value = value->items[0];
    else
        value->place = lw_scan_until(scan, place);
    return true;
}

static bool read_item_name(struct lw_scan *scan, const char **name, struct lw_place *place)
{
    char c = lw_scan_peek(scan);
    if (c == '"' || c == '\'') {
        struct lw_value string = {0};
        if (!read_string(scan, &string))
            return false;
        *name = string.string;
        *place = string.place;
        return true;
    }
    *name = lw_scan_name(scan, place);
    return *name || lw_scan_unexpected(scan, "a name");
}

/* Appends a name beside the items, which must not have it yet. */
static bool append_name(struct lw_scan *scan, struct lw_value *object, size_t room,
                        const char *name, struct lw_place place)
{
    if (object->count == room) {
        const char **names = lw_arena_alloc(scan->arena, (room ? room * 2 : 4) * sizeof *names);
        if (!names)
            return lw_scan_out_of_memory(scan);
        if (object->count)
            memcpy(names, object->names, object->count * sizeof *names);
        object->names = names;
    }
    if (object->count >= LW_NESTING_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, place, "more than %d names in one object",
                           LW_NESTING_MAX);
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->names[i], name) == 0)
            return lw_error_at(scan->err, LW_ERROR_NAME, place, "'%s' is said twice", name);
    object->names[object->count] = name;
    return true;
}

bool lw_read_object(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place = lw_scan_place(scan);
    size_t room = 0;
    place.length = scan->whole.line ? place.length : 1;
    if (!lw_scan_enter(scan, place))
        return false;
    scan->at++;
    value->kind = LW_VALUE_OBJECT;
    while (!lw_scan_take(scan, '}')) {
        struct lw_value item = {0};
        struct lw_place name_place;
        const char *name;
        if (!read_item_name(scan, &name, &name_place) ||
            !append_name(scan, value, room, name, name_place))
            return false;
        if (!lw_scan_take(scan, ':') && !lw_scan_expect(scan, '=', "'='"))
            return false;
        if (!lw_read_expression(scan, &item) || !lw_read_append(scan, value, &room, &item))
            return false;
        if (!lw_scan_take(scan, ',') && lw_scan_peek(scan) != '}')
            return lw_scan_unexpected(scan, "',' or '}'");
    }
    lw_scan_leave(scan);
    value->place = lw_scan_until(scan, place);
    return true;
}

static bool read_word(struct lw_scan *scan, struct lw_value *value)
{
    struct lw_place place;
    const char *name = lw_scan_name(scan, &place);
    if (!name)
        return lw_scan_out_of_memory(scan);
    value->place = place;
    bool truth = strcmp(name, "true") == 0 || strcmp(name, "True") == 0;
    if (truth || strcmp(name, "false") == 0 || strcmp(name, "False") == 0) {
        value->kind = LW_VALUE_BOOLEAN;
        value->integer = truth;
        return true;
    }
    if (strcmp(name, "None") == 0) /* the argument's default, as in Python */
        return true;
    if (!scan->words)
        name = lw_read_path(scan, name, &place);
    if (lw_scan_peek(scan) == '(' && lw_gluon_find(name))
        return lw_read_gluon(scan, name, place, value);
    if (lw_scan_peek(scan) == '(')
        return lw_read_call(scan, name, place, NULL, value);
    if (!scan->words)
        return lw_read_variable(scan, name, place, value);
    value->kind = LW_VALUE_STRING;
    value->string = name;
    return true;
}

static bool read_atom(struct lw_scan *scan, struct lw_value *value)
{
    char c = lw_scan_peek(scan);
    if (c == '[' || c == '(')
        return read_list(scan, value);
    if (c == '{')
        return lw_read_object(scan, value);
    if ((c >= '0' && c <= '9') || c == '-' || c == '+')
        return read_number(scan, value);
    if (c == '"' || c == '\'')
        return read_string(scan, value);
    if (c == '#') {
        struct lw_place place = lw_scan_place(scan);
        value->kind = LW_VALUE_ENCODING;
        if (!lw_read_attribute(scan, &value->encoding))
            return false;
        value->place = lw_scan_until(scan, place);
        return true;
    }
    if (lw_is_name_start(c))
        return read_word(scan, value);
    return lw_scan_unexpected(scan, "a value");
}

static bool read_term(struct lw_scan *scan, struct lw_value *value)
{
    if (!read_atom(scan, value))
        return false;
    while (lw_scan_take(scan, '.')) {
        struct lw_value receiver = *value;
        struct lw_place place;
        const char *name = lw_scan_name(scan, &place);
        if (!name)
            return lw_scan_unexpected(scan, "the name of a function");
        if (receiver.kind != LW_VALUE_ENCODING)
            return lw_error_at(scan->err, LW_ERROR_SYNTAX, place, "'.%s' needs a layout before it",
                               name);
        memset(value, 0, sizeof *value);
        if (!lw_read_call(scan, name, place, &receiver, value))
            return false;
    }
    return true;
}

bool lw_read_expression(struct lw_scan *scan, struct lw_value *value)
{
    if (!read_term(scan, value))
        return false;
    for (char c; (c = lw_scan_peek(scan)) == '*' || c == '/';) {
        struct lw_place place = lw_scan_place(scan);
        scan->at++;
        place = lw_scan_until(scan, place);
        struct lw_value left = *value, right = {0};
        memset(value, 0, sizeof *value);
        if (!read_term(scan, &right) || !lw_read_operator(scan, c, place, &left, &right, value))
            return false;
    }
    return true;
}

bool lw_read_say(struct lw_encoding *encoding, const char *name, struct lw_place place,
                 const struct lw_value *value, struct lw_report *report, struct lw_error *err)
{
    if (lw_encoding_say(encoding, name, value, err))
        return true;
    err->place = place;
    if (!report)
        return false;
    lw_report_add(report, err);
    bool unknown = lw_encoding_param(encoding, name) < 0;
    int near = unknown ? lw_encoding_nearest(encoding, name) : -1;
    if (near >= 0 && encoding->params[near].kind == LW_VALUE_NONE)
        encoding->params[near] = *value;
    return true;
}

void lw_forget_places(struct lw_value *value)
{
    value->place = (struct lw_place){0};
    for (size_t i = 0; i < value->count; i++)
        lw_forget_places(&value->items[i]);
    if (value->kind == LW_VALUE_ENCODING)
        lw_forget_encoding_places(value->encoding);
}

void lw_forget_encoding_places(struct lw_encoding *encoding)
{
    encoding->place = (struct lw_place){0};
    for (size_t i = 0; i < encoding->type->param_count; i++)
        lw_forget_places(&encoding->params[i]);
}

/* `1, 4` without brackets is a list too. */
static bool read_loose(struct lw_scan *scan, struct lw_value *value)
{
    if (lw_scan_ended(scan))
        return true;
    if (!lw_read_expression(scan, value))
        return false;
    if (lw_scan_peek(scan) == ',') {
        struct lw_value first = *value;
        size_t room = 0;
        memset(value, 0, sizeof *value);
        value->kind = LW_VALUE_LIST;
        value->place = first.place;
        if (!lw_read_append(scan, value, &room, &first))
            return false;
        while (lw_scan_take(scan, ',') && !lw_scan_ended(scan)) {
            struct lw_value item = {0};
            if (!lw_read_expression(scan, &item) || !lw_read_append(scan, value, &room, &item))
                return false;
            value->place = lw_place_join(first.place, item.place);
        }
    }
    return lw_scan_ended(scan) || lw_scan_unexpected(scan, "the end");
}

bool lw_value_read(struct lw_arena *arena, const char *text, struct lw_value *value,
                   struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_scan scan;
    size_t length = strlen(text);
    err = err ? err : &scratch;
    memset(value, 0, sizeof *value);
    lw_scan_begin(&scan, arena, text, length, err);
    scan.words = true;
    if (lw_check_text(text, length, err) && read_loose(&scan, value))
        return true;
    lw_error_excerpt(err, text, length);
    return false;
}
