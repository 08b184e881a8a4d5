/*
 * Operations in text. The signature is found without the grammar of any dialect: types follow `:` and
 * `->`; a type is `!name<...>`, `word<...>`, a word that is a number type, or brackets alone, where the
 * printer leaves out the name. Invariant of the walk: at <= end.
 */

#include "notation/mlir/read_mlir.h"

#include "core/array_count.h"

#include <string.h>

struct walk {
    const char *at, *end;
    bool typing;          /* types are next */
    bool arrow;           /* the types are those of results */
    int arguments, lists; /* parentheses that are open: of arguments; of types */
    struct lw_span value; /* the last value that was named */
    struct lw_arena *arena;
    const char *tail; /* after the location that ends an operation; NULL: none was read */
};

bool lw_operation_is_loop(const struct lw_operation_text *op)
{
    static const char *const names[] = {"scf.for",      "scf.while",  "scf.forall",
                                        "scf.parallel", "affine.for", "affine.parallel"};
    return lw_span_is_one(op->name, names, LW_COUNT(names));
}

static bool add_type(struct lw_operation_text *op, const struct walk *walk, struct lw_span span)
{
    if (!lw_list_reserve(walk->arena, &op->types, &op->type_room, op->type_count,
                         sizeof *op->types))
        return false;
    enum lw_type_role where = walk->arguments ? LW_TYPE_ARGUMENT
                              : walk->arrow   ? LW_TYPE_RESULT
                                              : LW_TYPE_OPERAND;
    op->types[op->type_count++] = (struct lw_type_span){span, where, walk->value};
    return true;
}

/* ---- Tokens ---- */

/* `%name` and perhaps `#1` or `:2`. */
static size_t value_length(const char *p, const char *end)
{
    size_t length = 1 + lw_mlir_name(p + 1, end, true);
    while (length > 1 && p[length - 1] == '.') /* not part of the name */
        length--;
    return length;
}

/* Types that are one word: i32, f8E4M3FN, bf16, index, none. */
static bool is_scalar(struct lw_span token)
{
    const char *p = token.at;
    if (lw_span_is(token, "index") || lw_span_is(token, "none"))
        return true;
    if (token.length > 2 && !memcmp(p, "bf", 2))
        return lw_is_digit(p[2]);
    if (token.length > 2 && !memcmp(p, "si", 2))
        return lw_is_digit(p[2]);
    return token.length > 1 && strchr("ifu", *p) &&
           (lw_is_digit(p[1]) || (token.length > 2 && p[1] == 'i' && lw_is_digit(p[2])));
}

/* ---- The walk ---- */

/* `!ttg.memdesc<...>`, `#ttg.shared_memory`, `#loc1` */
static bool read_dialect(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span span = {walk->at, 1 + lw_mlir_name(walk->at + 1, walk->end, true)};
    if (walk->at + span.length < walk->end && walk->at[span.length] == '<')
        span.length += lw_bracketed(walk->at + span.length, walk->end);
    walk->at += span.length;
    return *span.at != '!' || !walk->typing || add_type(op, walk, span);
}

/* A word: a location, a type, or what has no effect. */
static bool read_word(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span word = {walk->at, lw_mlir_name(walk->at, walk->end, true)};
    walk->at +=
        word.length ? word.length : 1; /* else white space, or a character that is ignored */
    char next = word.length && walk->at < walk->end ? *walk->at : '\0';
    if (next == '(' && lw_span_is(word, "loc")) {
        struct lw_span inside = {walk->at + 1, lw_bracketed(walk->at, walk->end)};
        walk->at += inside.length;
        if (walk->arguments == 0 && inside.length >= 2 && !walk->tail) {
            op->loc = (struct lw_span){inside.at, inside.length - 2};
            walk->tail = walk->at;
        }
        return true;
    }
    if (next == '<') {
        word.length += lw_bracketed(walk->at, walk->end);
        walk->at = word.at + word.length;
        return !walk->typing || add_type(op, walk, word);
    }
    if (walk->typing && (lw_span_is(word, "to") || lw_span_is(word, "into")))
        walk->arrow = true;
    else if (lw_span_is(word, "attributes"))
        walk->typing = false;
    return !walk->typing || !word.length || !is_scalar(word) || add_type(op, walk, word);
}

static bool read_next(struct lw_operation_text *op, struct walk *walk)
{
    struct lw_span here = {walk->at, 1};
    char next = walk->end - walk->at > 1 ? walk->at[1] : '\0';
    switch (*walk->at) {
    case '"':
        here.length = lw_mlir_string(walk->at, walk->end);
        break;
    case '{':
        here.length = lw_bracketed(walk->at, walk->end);
        break;
    case '<':
        here.length = lw_bracketed(walk->at, walk->end);
        walk->at += here.length;
        return !walk->typing || add_type(op, walk, here);
    case '(':
        ++*(walk->typing ? &walk->lists : &walk->arguments);
        break;
    case ')':
        if (walk->lists > 0) {
            walk->lists--;
        } else if (walk->arguments > 0) {
            walk->arguments--;
            walk->typing = false;
        }
        break;
    case ':':
        if (next == ':') {
            here.length = 2;
        } else {
            walk->typing = true;
            walk->arrow = false;
        }
        break;
    case ',':
        walk->typing = walk->typing && (walk->lists || !walk->arguments);
        break;
    case '-':
        if (next == '>') {
            walk->typing = walk->arrow = true;
            here.length = 2;
        }
        break;
    case '!':
    case '#':
        return read_dialect(op, walk);
    case '%':
        here.length = value_length(walk->at, walk->end);
        walk->value = here;
        break;
    case '@': {
        struct lw_span name = {walk->at + 1, 0};
        name.length = next == '"' ? lw_mlir_string(name.at, walk->end)
                                  : lw_mlir_name(name.at, walk->end, true);
        op->symbol = op->symbol.length ? op->symbol : name;
        here.length += name.length;
        break;
    }
    case '/':
        if (next == '/') {
            const char *stop = memchr(walk->at, '\n', (size_t)(walk->end - walk->at));
            here.length = (size_t)((stop ? stop : walk->end) - walk->at);
        }
        break;
    default:
        return read_word(op, walk);
    }
    walk->at += here.length;
    return true;
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

/* `"tt.reduce"` or `tt.reduce` */
static bool read_name(struct lw_operation_text *op, struct lw_scan *scan)
{
    if (lw_scan_peek(scan) == '"') {
        size_t length = lw_mlir_string(scan->at, scan->end);
        op->name = (struct lw_span){scan->at + 1, length > 2 ? length - 2 : 0};
        scan->at += length;
        return true;
    }
    op->name = (struct lw_span){scan->at, lw_mlir_name(scan->at, scan->end, true)};
    bool dotted = op->name.length && lw_is_name_start(*op->name.at) &&
                  memchr(op->name.at, '.', op->name.length);
    static const char *const builtin[] = {"module",
                                          "func",
                                          "return",
                                          "call",
                                          "call_indirect",
                                          "constant",
                                          "unrealized_conversion_cast"};
    if (!dotted && !lw_span_is_one(op->name, builtin, LW_COUNT(builtin)))
        return lw_scan_unexpected(scan, "an operation such as '%0 = tt.load %1 : ...'");
    scan->at += op->name.length;
    return true;
}

bool lw_operation_parse(struct lw_operation_text *op, struct lw_arena *arena, struct lw_span text,
                        bool block, struct lw_position position, struct lw_error *err)
{
    struct lw_type_span *types = op->types;
    size_t room = op->type_room;
    struct lw_scan scan;
    memset(op, 0, sizeof *op);
    op->types = types;
    op->type_room = room;
    lw_scan_begin(&scan, arena, text.at, text.length, err);
    scan.comment = "//";
    scan.line = position.line;
    scan.shift = position.column;
    bool ok =
        block || ((lw_scan_peek(&scan) != '%' || read_results(op, &scan)) && read_name(op, &scan));
    struct walk walk = {.at = scan.at, .end = scan.end, .arena = arena};
    op->body = (struct lw_span){scan.at, (size_t)(scan.end - scan.at)};
    while (walk.at < walk.end)
        if (!read_next(op, &walk))
            return lw_scan_out_of_memory(&scan);
    if (!ok || block || !walk.tail)
        return ok;
    lw_scan_move(&scan, walk.tail); /* a location ends an operation: nothing may follow */
    return lw_scan_at_end(&scan) ||
           lw_scan_unexpected(&scan, "an operation such as '%0 = tt.load %1 : ...'");
}

struct lw_span lw_next_value(const char **at, const char *end, int64_t *number)
{
    struct lw_span value = {0};
    const char *p = *at;
    *number = -1;
    while (p < end && *p != '%')
        p += *p == '"' ? lw_mlir_string(p, end) : 1;
    if (p < end) {
        value = (struct lw_span){p, value_length(p, end)};
        p += value.length;
        if (p + 1 < end && (*p == '#' || *p == ':') && lw_is_digit(p[1])) {
            *number = 0;
            for (p++; p < end && lw_is_digit(*p) && *number < INT32_MAX; p++)
                *number = *number * 10 + (*p - '0');
        }
    }
    *at = p;
    return value;
}
