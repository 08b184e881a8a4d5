/*
 * Operations in text. The signature is found without the grammar of any dialect: types follow `:` and
 * `->`; a type is `!name<...>`, `word<...>`, a word that is a number type, or brackets alone, where the
 * printer leaves out the name. Invariant of the walk: at <= end.
 */

#include "notation/mlir/read_operation.h"

#include "notation/mlir/read_mlir.h"
#include "notation/mlir/string_table.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const char *at, *end;
    bool typing;          /* types are next */
    bool arrow;           /* the types are those of results */
    int arguments, lists; /* parentheses that are open: of arguments; of types */
    struct lw_span value; /* the last value that was named */
    const char *tail;     /* after the location that ends an operation; NULL: none was read */
};

bool lw_span_is(struct lw_span span, const char *string)
{
    return strlen(string) == span.length && !memcmp(span.at, string, span.length);
}

bool lw_operation_is_loop(const struct lw_operation_text *op)
{
    static const char *const names[] = {"scf.for",      "scf.while",  "scf.forall",
                                        "scf.parallel", "affine.for", "affine.parallel"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_span_is(op->name, names[i]))
            return true;
    return false;
}

void lw_operation_text_free(struct lw_operation_text *op)
{
    free(op->types);
    memset(op, 0, sizeof *op);
}

static bool add_type(struct lw_operation_text *op, const struct walk *walk, struct lw_span span)
{
    if (!lw_list_reserve(&op->types, &op->type_room, op->type_count, sizeof *op->types))
        return false;
    enum lw_type_role where = walk->arguments ? LW_TYPE_ARGUMENT
                              : walk->arrow   ? LW_TYPE_RESULT
                                              : LW_TYPE_OPERAND;
    op->types[op->type_count++] = (struct lw_type_span){span, where, walk->value};
    return true;
}

/* ---- Tokens ---- */

static size_t string_length(const char *p, const char *end)
{
    const char *from = p;
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return (size_t)(p < end ? p + 1 - from : end - from);
}

/* `%name` and perhaps `#1` or `:2`. */
static size_t value_length(const char *p, const char *end)
{
    size_t length = 1 + lw_mlir_name(p + 1, end, true);
    while (length > 1 && p[length - 1] == '.') /* not part of the name */
        length--;
    return length;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Types that are one word: i32, f8E4M3FN, bf16, index, none. */
static bool is_scalar(struct lw_span token)
{
    const char *p = token.at;
    if (lw_span_is(token, "index") || lw_span_is(token, "none"))
        return true;
    if (token.length > 2 && !memcmp(p, "bf", 2))
        return is_digit(p[2]);
    if (token.length > 2 && !memcmp(p, "si", 2))
        return is_digit(p[2]);
    return token.length > 1 && strchr("ifu", *p) &&
           (is_digit(p[1]) || (token.length > 2 && p[1] == 'i' && is_digit(p[2])));
}

/* ---- The walk ---- */

static void open_list(struct walk *walk)
{
    if (walk->typing)
        walk->lists++;
    else
        walk->arguments++;
    walk->at++;
}

static void close_list(struct walk *walk)
{
    if (walk->lists > 0) {
        walk->lists--;
    } else if (walk->arguments > 0) {
        walk->arguments--;
        walk->typing = false;
    }
    walk->at++;
}

static bool read_brackets(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span span = {walk->at, lw_bracketed(walk->at, walk->end)};
    walk->at += span.length;
    return !walk->typing || add_type(op, walk, span);
}

/* `!ttg.memdesc<...>`, `#ttg.shared_memory`, `#loc1` */
static bool read_dialect(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span span = {walk->at, 1 + lw_mlir_name(walk->at + 1, walk->end, true)};
    if (walk->at + span.length < walk->end && walk->at[span.length] == '<')
        span.length += lw_bracketed(walk->at + span.length, walk->end);
    walk->at += span.length;
    return *span.at != '!' || !walk->typing || add_type(op, walk, span);
}

static bool read_token(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span token = {walk->at, lw_mlir_name(walk->at, walk->end, true)};
    if (token.length == 0) { /* white space, or a character that is ignored */
        walk->at++;
        return true;
    }
    const char *after = token.at + token.length;
    walk->at = after;
    if (after < walk->end && *after == '(' && lw_span_is(token, "loc")) {
        size_t length = lw_bracketed(after, walk->end);
        walk->at += length;
        if (walk->arguments == 0 && length >= 2 && !walk->tail) {
            op->loc = (struct lw_span){after + 1, length - 2};
            walk->tail = walk->at;
        }
        return true;
    }
    if (after < walk->end && *after == '<') {
        token.length += lw_bracketed(after, walk->end);
        walk->at = token.at + token.length;
        return !walk->typing || add_type(op, walk, token);
    }
    if (!walk->typing)
        return true;
    if (lw_span_is(token, "to") || lw_span_is(token, "into"))
        walk->arrow = true;
    else if (lw_span_is(token, "attributes"))
        walk->typing = false;
    else if (is_scalar(token))
        return add_type(op, walk, token);
    return true;
}

static void read_symbol(struct lw_operation_text *op, struct walk *walk)
{
    const char *from = ++walk->at;
    size_t length = from < walk->end && *from == '"' ? string_length(from, walk->end)
                                                     : lw_mlir_name(from, walk->end, true);
    if (!op->symbol.length)
        op->symbol = (struct lw_span){from, length};
    walk->at += length;
}

/* `:` and `->`, which types follow. */
static void read_colon(struct walk *walk)
{
    if (walk->at + 1 < walk->end && walk->at[1] == ':') {
        walk->at += 2;
        return;
    }
    walk->typing = true;
    walk->arrow = false;
    walk->at++;
}

static bool read_arrow(struct walk *walk)
{
    if (walk->at + 1 >= walk->end || walk->at[1] != '>')
        return false;
    walk->typing = walk->arrow = true;
    walk->at += 2;
    return true;
}

static bool read_next(struct lw_operation_text *op, struct walk *walk)
{
    switch (*walk->at) {
    case '"':
        walk->at += string_length(walk->at, walk->end);
        return true;
    case '{':
        walk->at += lw_bracketed(walk->at, walk->end);
        return true;
    case '<':
        return read_brackets(op, walk);
    case '(':
        open_list(walk);
        return true;
    case ')':
        close_list(walk);
        return true;
    case ':':
        read_colon(walk);
        return true;
    case ',':
        walk->typing = walk->typing && (walk->lists || !walk->arguments);
        walk->at++;
        return true;
    case '-':
        if (!read_arrow(walk))
            walk->at++;
        return true;
    case '!':
    case '#':
        return read_dialect(op, walk);
    case '%':
        walk->value = (struct lw_span){walk->at, value_length(walk->at, walk->end)};
        walk->at += walk->value.length;
        return true;
    case '@':
        read_symbol(op, walk);
        return true;
    case '/': /* a comment */
        if (walk->at + 1 < walk->end && walk->at[1] == '/')
            while (walk->at < walk->end && *walk->at != '\n')
                walk->at++;
        else
            walk->at++;
        return true;
    default:
        return read_token(op, walk);
    }
}

/* ---- The head ---- */

/* `%a, %b:2 =` */
static bool read_results(struct lw_operation_text *op, struct lw_scan *scan)
{
    const char *from = scan->at, *stop = from;
    int64_t count;
    do {
        if (!lw_scan_expect(scan, '%', "a value such as '%0'"))
            return false;
        scan->at += lw_mlir_name(scan->at, scan->end, true);
        stop = scan->at;
        if (lw_scan_accept(scan, ':')) {
            if (!lw_scan_integer(scan, &count))
                return false;
            stop = scan->at;
        }
    } while (lw_scan_accept(scan, ','));
    op->results = (struct lw_span){from, (size_t)(stop - from)};
    return lw_scan_expect(scan, '=', "'='");
}

static bool is_builtin(struct lw_span name)
{
    static const char *const names[] = {"module",
                                        "func",
                                        "return",
                                        "call",
                                        "call_indirect",
                                        "constant",
                                        "unrealized_conversion_cast"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_span_is(name, names[i]))
            return true;
    return false;
}

/* `"tt.reduce"` or `tt.reduce` */
static bool read_name(struct lw_operation_text *op, struct lw_scan *scan)
{
    static const char expected[] = "an operation such as '%0 = tt.load %1 : ...'";
    if (lw_scan_peek(scan) == '"') {
        size_t length = string_length(scan->at, scan->end);
        op->name = (struct lw_span){scan->at + 1, length > 2 ? length - 2 : 0};
        scan->at += length;
        return true;
    }
    op->name = (struct lw_span){scan->at, lw_mlir_name(scan->at, scan->end, true)};
    bool dotted = op->name.length && lw_is_name_start(*op->name.at) &&
                  memchr(op->name.at, '.', op->name.length);
    if (!dotted && !is_builtin(op->name))
        return lw_scan_unexpected(scan, expected);
    scan->at += op->name.length;
    return true;
}

/* A location ends an operation: nothing may follow. */
static bool ends_after(struct lw_scan *scan, const char *tail)
{
    static const char expected[] = "an operation such as '%0 = tt.load %1 : ...'";
    for (; tail && scan->at < tail; scan->at++)
        if (*scan->at == '\n') { /* the scan counts lines */
            scan->line++;
            scan->line_start = scan->at + 1;
            scan->shift = 1;
        }
    return !tail || lw_scan_at_end(scan) || lw_scan_unexpected(scan, expected);
}

bool lw_operation_parse(struct lw_operation_text *op, struct lw_span text, bool block,
                        struct lw_position position, struct lw_error *err)
{
    struct lw_type_span *types = op->types;
    size_t room = op->type_room;
    struct lw_scan scan;
    struct lw_arena none = {0};
    memset(op, 0, sizeof *op);
    op->types = types;
    op->type_room = room;
    lw_scan_begin(&scan, &none, text.at, text.length, err);
    scan.comment = "//";
    scan.line = position.line;
    scan.shift = position.column;
    bool ok =
        block || ((lw_scan_peek(&scan) != '%' || read_results(op, &scan)) && read_name(op, &scan));
    struct walk walk = {.at = scan.at, .end = scan.end};
    op->body = (struct lw_span){scan.at, (size_t)(scan.end - scan.at)};
    while (walk.at < walk.end)
        if (!read_next(op, &walk))
            return lw_scan_out_of_memory(&scan);
    return ok && (block || ends_after(&scan, walk.tail));
}

struct lw_span lw_next_value(const char **at, const char *end, int64_t *number)
{
    struct lw_span value = {0};
    const char *p = *at;
    *number = -1;
    while (p < end && *p != '%')
        p += *p == '"' ? string_length(p, end) : 1;
    if (p < end) {
        value = (struct lw_span){p, value_length(p, end)};
        p += value.length;
        if (p + 1 < end && (*p == '#' || *p == ':') && is_digit(p[1])) {
            *number = 0;
            for (p++; p < end && is_digit(*p) && *number < INT32_MAX; p++)
                *number = *number * 10 + (*p - '0');
        }
    }
    *at = p;
    return value;
}
