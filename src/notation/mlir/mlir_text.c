/*
 * MLIR text as items, and operations in it. Invariant: `regions` of the `depth` open brackets are R, and between items
 * the only open brackets are those.
 *
 * The signature of an operation is found without the grammar of any dialect: types follow `:` and `->`; a type is
 * `!name<...>`, `word<...>`, a word that is a number type, or brackets alone, where the printer leaves out the name.
 * Invariant of the walk: at <= end.
 *
 * Source: the language reference of MLIR; Triton prints each operation on one line, but the tests of Triton wrap some
 * of them.
 */

#include "notation/mlir/mlir_text.h"
#include "notation/document/read.h"
#include "notation/mlir/read_mlir.h"

#include "core/text_escape.h"
#include "core/array_count.h"

#include <string.h>

/* ---- Lists, and strings with numbers: open addressing, at most half full ---- */

bool lw_list_reserve(struct lw_arena *arena, void *list, size_t *room, size_t count, size_t size)
{
    void *items;
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *grown = lw_arena_alloc(arena, more * size);
    if (!grown)
        return false;
    memcpy(&items, list, sizeof items);
    if (count)
        memcpy(grown, items, count * size);
    memcpy(list, &grown, sizeof grown);
    *room = more;
    return true;
}

/* The slot that has the string, or the free one where it belongs. */
static size_t slot_of(const struct lw_intern *intern, struct lw_span name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.at[i]) * 1099511628211u;
    size_t slot = (size_t)(hash ^ hash >> 29) & (intern->slot_count - 1);
    while (intern->slots[slot] && !lw_span_equal(intern->names[intern->slots[slot] - 1], name))
        slot = (slot + 1) & (intern->slot_count - 1);
    return slot;
}

size_t lw_intern_find(const struct lw_intern *intern, struct lw_span name)
{
    if (!intern->count)
        return SIZE_MAX;
    uint32_t number = intern->slots[slot_of(intern, name)];
    return number ? number - 1 : SIZE_MAX;
}

size_t lw_intern_add(struct lw_intern *intern, struct lw_arena *arena, struct lw_span name)
{
    size_t number = lw_intern_find(intern, name);
    if (number != SIZE_MAX || !lw_list_reserve(arena, &intern->names, &intern->room, intern->count,
                                               sizeof *intern->names))
        return number;
    if (intern->slot_count != 2 * intern->room) {
        uint32_t *slots = lw_arena_alloc(arena, 2 * intern->room * sizeof *slots);
        if (!slots)
            return SIZE_MAX;
        intern->slots = slots;
        intern->slot_count = 2 * intern->room;
        for (size_t i = 0; i < intern->count; i++)
            slots[slot_of(intern, intern->names[i])] = (uint32_t)(i + 1);
    }
    intern->names[intern->count] = name;
    intern->slots[slot_of(intern, name)] = (uint32_t)++intern->count;
    return intern->count - 1;
}

void lw_intern_clear(struct lw_intern *intern)
{
    if (intern->count)
        memset(intern->slots, 0, intern->slot_count * sizeof *intern->slots);
    intern->count = 0;
}

/* ---- Bytes ---- */

/* Kinds of bytes: a bracket that opens, one that closes, and both with what else may change the nesting: a quote, the
 * beginning of an arrow. */
#define OPENING "(<[{"
#define CLOSING ")>]}"
#define NESTS "\"-" OPENING CLOSING

static bool is_name(char c)
{
    return lw_is_name_part(c) || c == '$';
}

static bool is(char c, const char *bytes)
{
    return c > ' ' && !lw_is_name_part(c) && strchr(bytes, c);
}

size_t lw_mlir_name(const char *p, const char *end, bool dots)
{
    const char *from = p;
    for (;; p++) {
        while (p < end && is_name(*p))
            p++;
        if (p >= end || !((*p == '-' && p + 1 < end && p[1] != '>') || (dots && *p == '.')))
            return (size_t)(p - from);
    }
}

size_t lw_mlir_string(const char *p, const char *end)
{
    const char *from = p;
    for (p++; p < end && *p != *from; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? (size_t)(p + 1 - from) : (size_t)(end - from);
}

size_t lw_bracketed(const char *p, const char *end)
{
    const char *from = p;
    int depth = 0;
    for (; p < end; p++) {
        if (!is(*p, NESTS))
            continue;
        if (*p == '"')
            p += lw_mlir_string(p, end) - 1;
        else if (is(*p, OPENING))
            depth++;
        else if (*p == '-' && p + 1 < end && p[1] == '>')
            p++;
        else if (is(*p, CLOSING) && --depth <= 0)
            return (size_t)(p + 1 - from);
    }
    return (size_t)(end - from);
}

/* ---- The cursor ---- */

void lw_mlir_begin(struct lw_mlir_text *text, struct lw_arena *arena, const char *from,
                   size_t length, int line)
{
    memset(text, 0, sizeof *text);
    lw_skip_order_mark(&from, &length);
    lw_scan_begin(&text->scan, arena, from, length, &text->err);
    text->scan.comment = "//";
    text->scan.line = line;
}

/* The byte after the cursor. */
static char next_byte(const struct lw_scan *scan)
{
    return scan->end - scan->at > 1 ? scan->at[1] : '\0';
}

/* ---- Brackets ---- */

static void push(struct lw_mlir_text *text, char bracket)
{
    struct lw_scan *scan = &text->scan;
    if (!lw_list_reserve(scan->arena, &text->brackets, &text->room, text->depth, 1)) {
        lw_scan_out_of_memory(scan);
        text->failed = true;
        scan->at = scan->end;
        return;
    }
    text->brackets[text->depth++] = bracket;
    text->regions += bracket == 'R';
}

/* The innermost open bracket; NUL: none. */
static char top(const struct lw_mlir_text *text)
{
    return text->depth ? text->brackets[text->depth - 1] : '\0';
}

/* Whether the item has no open bracket. */
static bool is_level(const struct lw_mlir_text *text)
{
    return text->depth == 0 || top(text) == 'R';
}

/* Closes that bracket of this item and all that were opened after it; false when there is none. */
static bool pop(struct lw_mlir_text *text, char bracket)
{
    size_t depth = text->depth;
    while (depth && text->brackets[depth - 1] != 'R' && text->brackets[depth - 1] != bracket)
        depth--;
    if (depth == 0 || text->brackets[depth - 1] == 'R')
        return false;
    text->depth = depth - 1;
    return true;
}

/* Drops the open brackets of an item that has ended. */
static void clear_brackets(struct lw_mlir_text *text)
{
    while (!is_level(text))
        text->depth--;
}

/* ---- Lookahead ---- */

/* Whether the brace at the cursor begins a region, and not a dictionary of attributes. */
static bool at_region(const struct lw_mlir_text *text)
{
    struct lw_scan ahead = text->scan;
    ahead.at++;
    char c = lw_scan_peek(&ahead);
    bool line = ahead.line > text->scan.line, string = c == '"';
    if (!c || c == '%' || c == '^')
        return c || line;
    const char *name = ahead.at;
    ahead.at += string ? lw_mlir_string(name, ahead.end) : lw_mlir_name(name, ahead.end, true);
    size_t length = (size_t)(ahead.at - name);
    char next = lw_scan_peek(&ahead);
    if (string || !length)
        return length && next == '(';
    if (next == '}') /* a name alone: an operation, which ends the region or has a line */
        return memchr(name, '.', length) &&
               (line || lw_ends(name, length, "return") || lw_ends(name, length, "yield"));
    return next != '=' && next != ',';
}

/* Whether an operation continues after a line that ends in this character (`-`: an arrow), or begins with it. */
static bool goes_on(char c)
{
    return c && strchr(",:=(<[{-*", c);
}

/* `x = tt.load`, `@x = "tt.load"`: an operation whose result has a wrong name. */
static bool assigns_operation(struct lw_scan ahead)
{
    ahead.at += !lw_is_name_start(*ahead.at);
    size_t length = lw_mlir_name(ahead.at, ahead.end, true);
    ahead.at += length;
    if (!length || !lw_scan_accept(&ahead, '='))
        return false;
    lw_scan_accept(&ahead, '"');
    return lw_is_name_start(lw_scan_peek(&ahead)) &&
           memchr(ahead.at, '.', lw_mlir_name(ahead.at, ahead.end, true));
}

/* Operations whose dialect is left out. */
static const char *const builtins[] = {
    "module", "func", "return", "call", "call_indirect", "constant", "unrealized_conversion_cast"};

/* Whether the line at the cursor begins a new item, after one that ended in `last`. */
static bool begins_item(const struct lw_scan *scan, char last)
{
    const char *p = scan->at, *end = scan->end;
    if (p == end || *p == '}')
        return true;
    if (goes_on(last))
        return false;
    if (assigns_operation(*scan))
        return true;
    if (!lw_is_name_start(*p))
        return !strchr(":(,=-<{[*@>)]&|+?/", *p) && !(*p >= '0' && *p <= '9');
    struct lw_span name = {p, lw_mlir_name(p, end, true)};
    return lw_span_is_one(name, builtins, LW_COUNT(builtins)) || memchr(p, '.', name.length);
}

/* Whether `#name =` or `!name =` is at the cursor. */
static bool at_alias(struct lw_scan ahead)
{
    if (*ahead.at != '#' && *ahead.at != '!')
        return false;
    size_t length = lw_mlir_name(ahead.at + 1, ahead.end, false);
    ahead.at += 1 + length;
    return length && lw_scan_peek(&ahead) == '=' && next_byte(&ahead) != '=';
}

/* ---- Items ---- */

/* Makes an item that could not be read a problem; sets the excerpt of its error. Returns false. */
static bool end_problem(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_position line = {item->position.line, 1, 0};
    const char *from = item->text.at - (item->position.column - 1);
    lw_excerpt_of_part(&text->err, line, from, (size_t)(text->scan.end - from));
    item->kind = LW_MLIR_PROBLEM;
    return false;
}

static bool report_problem(struct lw_mlir_text *text, struct lw_mlir_item *item,
                           struct lw_position position, const char *message)
{
    if (!text->failed)
        lw_error_at(&text->err, LW_ERROR_SYNTAX, position, "%s", message);
    return end_problem(text, item);
}

/* Ends the item before `stop`; fails when its bytes are not UTF-8 text. */
static bool end_item(struct lw_mlir_text *text, struct lw_mlir_item *item, const char *stop)
{
    item->text.length = (size_t)(stop - item->text.at);
    if (text->failed)
        return report_problem(text, item, item->position, "");
    if (lw_check_bytes(item->text.at, item->text.length, &text->err))
        return true;
    if (text->err.position.line == 1)
        text->err.position.column += item->position.column - 1;
    text->err.position.line += item->position.line - 1;
    return end_problem(text, item);
}

/* Reads a bracket, or what looks like one. False: the item ends before it. *opens: the item ends after it. */
static bool read_bracket(struct lw_mlir_text *text, bool alias, bool *opens)
{
    struct lw_scan *scan = &text->scan;
    char c = *scan->at, next = next_byte(scan);
    switch (c) {
    case '-':
        scan->at += next == '>';
        break;
    case '<':
        if (next != '=')
            push(text, c);
        break;
    case '>':
        if (next != '=' && top(text) == '<')
            pop(text, '<');
        break;
    case '(':
    case '[':
        push(text, c);
        break;
    case ')':
        pop(text, '(');
        break;
    case ']':
        pop(text, '[');
        break;
    case '{':
        *opens = !alias && top(text) != '<' && at_region(text);
        push(text, *opens ? 'R' : c);
        break;
    default: /* } */
        if (!pop(text, '{') && text->regions)
            return false;
    }
    scan->at += scan->at < scan->end;
    return true;
}

/* Reads up to the end of the item, without the white space that follows; `last` is the character before the cursor. */
static bool read_rest(struct lw_mlir_text *text, struct lw_mlir_item *item, bool alias, char last)
{
    struct lw_scan *scan = &text->scan;
    const char *stop = scan->at;
    while (scan->at < scan->end && !item->opens) {
        char c = *scan->at;
        if ((c && strchr(" \t\r\n", c)) || (c == '/' && next_byte(scan) == '/')) {
            int line = scan->line;
            lw_scan_space(scan);
            bool ends = !alias ? scan->line > line && begins_item(scan, last)
                               : scan->at == scan->end || (!goes_on(last) && !goes_on(*scan->at));
            if (is_level(text) && ends)
                break;
            continue;
        }
        if (!alias && text->regions == 0 && is_level(text) && stop > item->text.at &&
            at_alias(*scan))
            break;
        if (c == '"') {
            if (!lw_scan_skip_quoted(scan)) {
                clear_brackets(text);
                return end_problem(text, item);
            }
        } else if (c == '-' || is(c, OPENING CLOSING)) {
            if (!read_bracket(text, alias, &item->opens))
                break;
        } else {
            do
                c = *scan->at++;
            while (scan->at < scan->end && (lw_is_name_part(*scan->at) || is(*scan->at, ".%,")));
        }
        last = c;
        stop = scan->at;
    }
    if (!is_level(text)) /* the text ended here */
        stop = scan->at;
    if (!item->opens)
        clear_brackets(text);
    return end_item(text, item, stop);
}

/* #name = value */
static void read_alias(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_scan *scan = &text->scan;
    item->kind = LW_MLIR_ALIAS;
    while (!lw_scan_accept(scan, '='))
        scan->at++;
    if (lw_scan_at_end(scan))
        report_problem(text, item, lw_scan_position(scan),
                       "expected an attribute, but the text ends here");
    else
        read_rest(text, item, true, '=');
}

/* ^bb0(%x: f32 loc(#loc)): */
static void read_block(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_scan *scan = &text->scan;
    item->kind = LW_MLIR_BLOCK;
    scan->at += 1 + lw_mlir_name(scan->at + 1, scan->end, true);
    if (lw_scan_peek(scan) == '(')
        lw_scan_move(scan, scan->at + lw_bracketed(scan->at, scan->end));
    lw_scan_accept(scan, ':');
    end_item(text, item, scan->at);
}

/* `}` and what follows it. */
static void read_close(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_position position = lw_scan_position(&text->scan);
    position.length = 1;
    text->scan.at++;
    if (text->regions == 0) {
        text->of_brackets = true;
        report_problem(text, item, position, "this '}' has no matching '{'");
        return;
    }
    clear_brackets(text);
    text->depth--;
    text->regions--;
    item->kind = LW_MLIR_CLOSE;
    read_rest(text, item, false, '}');
}

void lw_mlir_next(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_scan *scan = &text->scan;
    memset(item, 0, sizeof *item);
    text->of_brackets = false;
    lw_scan_space(scan);
    item->position = lw_scan_position(scan);
    item->text.at = scan->at;
    if (scan->at == scan->end) {
        item->kind = LW_MLIR_END;
        if (text->regions) {
            text->of_brackets = true;
            report_problem(text, item, item->position, "expected '}', but the text ends here");
            text->regions = text->depth = 0;
        }
    } else if (*scan->at == '}') {
        read_close(text, item);
    } else if (*scan->at == '^') {
        read_block(text, item);
    } else if (text->regions == 0 && at_alias(*scan)) {
        read_alias(text, item);
    } else {
        item->kind = LW_MLIR_OPERATION;
        read_rest(text, item, false, '\0');
    }
}

/* ---- Operations ---- */

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
    size_t letters = token.length > 2 && (lw_starts(p, 2, "bf") || lw_starts(p, 2, "si") ||
                                          lw_starts(p, 2, "ui"))
                         ? 2
                         : (size_t)(*p == 'i' || *p == 'f');
    return letters && letters < token.length && lw_is_digit(p[letters]);
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
    if (!dotted && !lw_span_is_one(op->name, builtins, LW_COUNT(builtins)))
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
