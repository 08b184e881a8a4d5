/*
 * MLIR text as items. Invariant: at <= end, `regions` of the `depth` open brackets are R, and between items the only
 * open brackets are those.
 *
 * Source: the language reference of MLIR; Triton prints each operation on one line, but the tests of Triton wrap some
 * of them.
 */

#include "notation/mlir/mlir_text.h"

#include "core/text_escape.h"
#include "notation/document/read.h"

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

static bool grow(struct lw_intern *intern, struct lw_arena *arena)
{
    if (!lw_list_reserve(arena, &intern->names, &intern->room, intern->count,
                         sizeof *intern->names))
        return false;
    if (intern->slot_count == 2 * intern->room)
        return true;
    uint32_t *slots = lw_arena_alloc(arena, 2 * intern->room * sizeof *slots);
    if (!slots)
        return false;
    intern->slots = slots;
    intern->slot_count = 2 * intern->room;
    for (size_t i = 0; i < intern->count; i++)
        slots[slot_of(intern, intern->names[i])] = (uint32_t)(i + 1);
    return true;
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
    if (number != SIZE_MAX || !grow(intern, arena))
        return number;
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

/* Classes of bytes: a bracket that opens, one that closes, a part of a name, a byte that has no effect inside an item,
 * and one that may change the nesting: a bracket, a quote, the beginning of an arrow. */
enum { OPENING = 1, CLOSING = 2, NAME = 4, PLAIN = 8, NESTS = 16 };

#define OPENS (OPENING | NESTS)
#define CLOSES (CLOSING | NESTS)
#define LETTER (NAME | PLAIN)
#define EIGHT(c, n)                                                                                \
    [c] = (n), [c + 1] = (n), [c + 2] = (n), [c + 3] = (n), [c + 4] = (n), [c + 5] = (n),          \
    [c + 6] = (n), [c + 7] = (n)
#define LETTERS(c)                                                                                 \
    EIGHT(c, LETTER), EIGHT(c + 8, LETTER), EIGHT(c + 16, LETTER), [c + 24] = LETTER,              \
                                                                        [c + 25] = LETTER

static const unsigned char classes[256] = {
    LETTERS('a'),   LETTERS('A'),   EIGHT('0', LETTER), ['8'] = LETTER, ['9'] = LETTER,
    ['_'] = LETTER, ['$'] = NAME,   ['.'] = PLAIN,      ['%'] = PLAIN,  [','] = PLAIN,
    ['('] = OPENS,  ['<'] = OPENS,  ['['] = OPENS,      ['{'] = OPENS,  [')'] = CLOSES,
    ['>'] = CLOSES, [']'] = CLOSES, ['}'] = CLOSES,     ['"'] = NESTS,  ['-'] = NESTS,
};

static bool is(char c, int what)
{
    return (classes[(unsigned char)c] & what) != 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t lw_mlir_name(const char *p, const char *end, bool dots)
{
    const char *from = p;
    for (;; p++) {
        while (p < end && is(*p, NAME))
            p++;
        if (p >= end || !((*p == '-' && p + 1 < end && p[1] != '>') || (dots && *p == '.')))
            return (size_t)(p - from);
    }
}

size_t lw_mlir_string(const char *p, const char *end)
{
    const char *from = p;
    for (p++; p < end && *p != '"'; p++)
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
    text->at = text->line_start = from;
    text->end = from + length;
    text->line = line;
    text->arena = arena;
}

/* The byte after the cursor. */
static char next_byte(const struct lw_mlir_text *text)
{
    return text->end - text->at > 1 ? text->at[1] : '\0';
}

static struct lw_position position_of(const struct lw_mlir_text *text)
{
    return (struct lw_position){text->line, (int)(text->at - text->line_start) + 1, 0};
}

static bool at_comment(const struct lw_mlir_text *text)
{
    return *text->at == '/' && next_byte(text) == '/';
}

/* Skips white space and comments; returns whether a line ended. */
static bool skip_space(struct lw_mlir_text *text)
{
    int line = text->line;
    for (; text->at < text->end; text->at++) {
        if (at_comment(text)) {
            const char *stop = memchr(text->at, '\n', (size_t)(text->end - text->at));
            text->at = stop ? stop : text->end;
            if (!stop)
                break;
        }
        if (!is_blank(*text->at))
            break;
        if (*text->at == '\n') {
            text->line++;
            text->line_start = text->at + 1;
        }
    }
    return text->line > line;
}

/* ---- Brackets ---- */

static void push(struct lw_mlir_text *text, char bracket)
{
    if (!lw_list_reserve(text->arena, &text->brackets, &text->room, text->depth, 1)) {
        lw_error_set(&text->err, LW_ERROR_MEMORY, "out of memory");
        text->failed = true;
        text->at = text->end;
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

static const char *skip_blanks(const char *p, const char *end, bool *line)
{
    for (;; p++) {
        if (end - p > 1 && *p == '/' && p[1] == '/')
            while (p < end && *p != '\n')
                p++;
        if (p >= end || !is_blank(*p))
            return p;
        *line = *line || *p == '\n';
    }
}

/* Whether the brace at the cursor begins a region, and not a dictionary of attributes. */
static bool at_region(const struct lw_mlir_text *text)
{
    const char *end = text->end;
    bool line = false, ignored = false;
    const char *p = skip_blanks(text->at + 1, end, &line);
    if (p == end)
        return line;
    if (*p == '%' || *p == '^')
        return true;
    bool string = *p == '"';
    const char *name = p;
    if (string) {
        for (p++; p < end && *p != '"' && *p != '\n'; p++)
            ;
        p += p < end;
    } else {
        p += lw_mlir_name(p, end, true);
    }
    if (p == name)
        return false;
    size_t length = (size_t)(p - name);
    p = skip_blanks(p, end, &ignored);
    if (string)
        return p < end && *p == '(';
    if (p < end && *p == '}') /* a name alone: an operation, which ends the region or has a line */
        return memchr(name, '.', length) &&
               (line || lw_ends(name, length, "return") || lw_ends(name, length, "yield"));
    return p == end || (*p != '=' && *p != ',');
}

/* Whether an operation continues after a line that ends in this character (`-`: an arrow), or begins with it. */
static bool goes_on(char c)
{
    return c && strchr(",:=(<[{-*", c);
}

/* `x = tt.load`, `@x = "tt.load"`: an operation whose result has a wrong name. */
static bool assigns_operation(const char *p, const char *end)
{
    bool ignored = false;
    p += !lw_is_name_start(*p);
    size_t length = lw_mlir_name(p, end, true);
    p = skip_blanks(p + length, end, &ignored);
    if (!length || p >= end || *p != '=')
        return false;
    p = skip_blanks(p + 1, end, &ignored);
    p += p < end && *p == '"';
    return p < end && lw_is_name_start(*p) && memchr(p, '.', lw_mlir_name(p, end, true));
}

/* Whether the line at the cursor begins a new item, after one that ended in `last`. */
static bool begins_item(const struct lw_mlir_text *text, char last)
{
    static const char *const builtins[] = {"module", "func", "return", "call"};
    const char *p = text->at, *end = text->end;
    if (p == end || *p == '}')
        return true;
    if (goes_on(last))
        return false;
    if (strchr("%^\"#!", *p) || assigns_operation(p, end))
        return true;
    if (!lw_is_name_start(*p))
        return !strchr(":(,=-<{[*@>)]&|+?/", *p) && !(*p >= '0' && *p <= '9');
    struct lw_span name = {p, lw_mlir_name(p, end, true)};
    return lw_span_is_one(name, builtins, sizeof builtins / sizeof *builtins) ||
           memchr(p, '.', name.length);
}

/* Whether `#name =` or `!name =` is at the cursor. */
static bool at_alias(const struct lw_mlir_text *text)
{
    const char *p = text->at, *end = text->end;
    bool line = false;
    if (*p != '#' && *p != '!')
        return false;
    size_t length = lw_mlir_name(++p, end, false);
    p = skip_blanks(p + length, end, &line);
    return length && p < end && *p == '=' && !(p + 1 < end && p[1] == '=');
}

/* ---- Items ---- */

/* Sets the excerpt of the error of an item. */
static void quote(struct lw_mlir_text *text, const struct lw_mlir_item *item)
{
    struct lw_position line = {item->position.line, 1, 0};
    const char *from = item->text.at - (item->position.column - 1);
    lw_excerpt_of_part(&text->err, line, from, (size_t)(text->end - from));
}

static bool report_problem(struct lw_mlir_text *text, struct lw_mlir_item *item,
                           struct lw_position position, const char *message)
{
    if (!text->failed)
        lw_error_at(&text->err, LW_ERROR_SYNTAX, position, "%s", message);
    quote(text, item);
    item->kind = LW_MLIR_PROBLEM;
    return false;
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
    quote(text, item);
    item->kind = LW_MLIR_PROBLEM;
    return false;
}

/* Skips a string; one that does not end on its line is a problem, and ends the item. */
static bool skip_string(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_position position = position_of(text);
    const char *from = text->at;
    for (text->at++; text->at < text->end && *text->at != '\n'; text->at++) {
        if (*text->at == '"') {
            text->at++;
            return true;
        }
        if (*text->at == '\\' && next_byte(text) && next_byte(text) != '\n')
            text->at++;
    }
    position.length = (int)(text->at - from);
    clear_brackets(text);
    return report_problem(text, item, position, "this string has no closing \"");
}

/* Reads a bracket, or what looks like one. False: the item ends before it. *opens: the item ends after it. */
static bool read_bracket(struct lw_mlir_text *text, bool alias, bool *opens)
{
    char c = *text->at, next = next_byte(text);
    switch (c) {
    case '-':
        text->at += next == '>';
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
    text->at += text->at < text->end;
    return true;
}

/* Reads up to the end of the item, without the white space that follows; `last` is the character before the cursor. */
static bool read_rest(struct lw_mlir_text *text, struct lw_mlir_item *item, bool alias, char last)
{
    const char *stop = text->at;
    while (text->at < text->end && !item->opens) {
        char c = *text->at;
        if (is_blank(c) || at_comment(text)) {
            bool line = skip_space(text);
            bool ends = !alias ? line && begins_item(text, last)
                               : text->at == text->end || (!goes_on(last) && !goes_on(*text->at));
            if (is_level(text) && ends)
                break;
            continue;
        }
        if (!alias && text->regions == 0 && is_level(text) && stop > item->text.at &&
            at_alias(text))
            break;
        if (c == '"') {
            if (!skip_string(text, item))
                return false;
        } else if (c == '-' || is(c, OPENING | CLOSING)) {
            if (!read_bracket(text, alias, &item->opens))
                break;
        } else {
            do
                c = *text->at++;
            while (text->at < text->end && is(*text->at, PLAIN));
        }
        last = c;
        stop = text->at;
    }
    if (!is_level(text)) /* the text ended here */
        stop = text->at;
    if (!item->opens)
        clear_brackets(text);
    return end_item(text, item, stop);
}

/* #name = value */
static void read_alias(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    item->kind = LW_MLIR_ALIAS;
    while (*text->at != '=') {
        skip_space(text);
        text->at += *text->at != '=';
    }
    text->at++;
    skip_space(text);
    if (text->at == text->end)
        report_problem(text, item, position_of(text),
                       "expected an attribute, but the text ends here");
    else
        read_rest(text, item, true, '=');
}

/* ^bb0(%x: f32 loc(#loc)): */
static void read_block(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    bool ignored = false;
    const char *end = text->end, *stop = text->at + 1;
    item->kind = LW_MLIR_BLOCK;
    stop = skip_blanks(stop + lw_mlir_name(stop, end, true), end, &ignored);
    if (stop < end && *stop == '(')
        stop = skip_blanks(stop + lw_bracketed(stop, end), end, &ignored);
    stop += stop < end && *stop == ':';
    for (; text->at < stop; text->at++)
        if (*text->at == '\n') {
            text->line++;
            text->line_start = text->at + 1;
        }
    end_item(text, item, stop);
}

/* `}` and what follows it. */
static void read_close(struct lw_mlir_text *text, struct lw_mlir_item *item)
{
    struct lw_position position = position_of(text);
    position.length = 1;
    text->at++;
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
    memset(item, 0, sizeof *item);
    text->of_brackets = false;
    skip_space(text);
    item->position = position_of(text);
    item->text.at = text->at;
    if (text->at == text->end) {
        item->kind = LW_MLIR_END;
        if (text->regions) {
            text->of_brackets = true;
            report_problem(text, item, position_of(text), "expected '}', but the text ends here");
            text->regions = text->depth = 0;
        }
    } else if (*text->at == '}') {
        read_close(text, item);
    } else if (*text->at == '^') {
        read_block(text, item);
    } else if (text->regions == 0 && at_alias(text)) {
        read_alias(text, item);
    } else {
        item->kind = LW_MLIR_OPERATION;
        read_rest(text, item, false, '\0');
    }
}
