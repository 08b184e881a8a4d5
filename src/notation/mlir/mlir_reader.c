/*
 * MLIR text as items. Invariant: between items the only open brackets are those of regions.
 *
 * Source: the language reference of MLIR; Triton prints each operation on one line, but the tests of Triton wrap some
 * of them.
 */

#include "notation/mlir/mlir_reader.h"
#include "notation/document/read.h"

#include <string.h>

/* Bytes of lookahead that decide what a brace or a line begins. */
#define AHEAD 512

/* ---- Lookahead ---- */

/* The next bytes, at most AHEAD; *end is after them. */
static const char *ahead(struct lw_mlir_reader *reader, const char **end)
{
    lw_mlir_reader_peek(reader, AHEAD);
    size_t left = reader->end - reader->at;
    *end = reader->data + reader->at + (left < AHEAD ? left : AHEAD);
    return reader->data + reader->at;
}

static const char *blanks(const char *p, const char *end, bool *line)
{
    for (;; p++) {
        if (end - p > 1 && *p == '/' && p[1] == '/')
            while (p < end && *p != '\n')
                p++;
        if (p >= end || !strchr(" \t\r\n", *p) || !*p)
            return p;
        *line = *line || *p == '\n';
    }
}

/* Whether a name is that of an operation that ends a region. */
static bool ends_region(const char *name, size_t length)
{
    return lw_ends(name, length, "return") || lw_ends(name, length, "yield");
}

/* Whether the brace at the cursor begins a region, and not a dictionary of attributes. */
static bool at_region(struct lw_mlir_reader *reader)
{
    const char *end, *p = ahead(reader, &end);
    bool line = false, ignored = false;
    p = blanks(p + 1, end, &line);
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
    p = blanks(p, end, &ignored);
    if (string)
        return p < end && *p == '(';
    if (p < end && *p == '}')
        return memchr(name, '.', length) && (line || ends_region(name, length));
    return p == end || (*p != '=' && *p != ',');
}

/* Whether an operation continues after a line that ends in this character (`-`: an arrow), or begins with it. */
static bool goes_on(char c)
{
    return c && strchr(",:=(<[{-*", c);
}

/* Whether a word without a dot is an operation. */
static bool begins_builtin(const char *p, size_t length)
{
    static const char *const names[] = {"module", "func", "return", "call"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], p, length))
            return true;
    return false;
}

/* `x = tt.load`, `@x = "tt.load"`: an operation whose result has a wrong name. */
static bool assigns_operation(const char *p, const char *end)
{
    bool ignored = false;
    p += !lw_is_name_start(*p);
    size_t length = lw_mlir_name(p, end, true);
    p = blanks(p + length, end, &ignored);
    if (!length || p >= end || *p != '=')
        return false;
    p = blanks(p + 1, end, &ignored);
    p += p < end && *p == '"';
    return p < end && lw_is_name_start(*p) && memchr(p, '.', lw_mlir_name(p, end, true));
}

/* Whether the line at the cursor begins a new item, after one that ended in `last`. */
static bool begins_item(struct lw_mlir_reader *reader, char last)
{
    const char *end, *p = ahead(reader, &end);
    if (p == end || *p == '}')
        return true;
    if (goes_on(last))
        return false;
    if (strchr("%^\"#!", *p) || assigns_operation(p, end))
        return true;
    if (!lw_is_name_start(*p))
        return !strchr(":(,=-<{[*@>)]&|+?/", *p) && !(*p >= '0' && *p <= '9');
    size_t length = lw_mlir_name(p, end, true);
    return memchr(p, '.', length) || begins_builtin(p, length);
}

/* ---- Items ---- */

static void take_item(struct lw_mlir_reader *reader, struct lw_mlir_item *item, size_t stop)
{
    item->text = reader->data + reader->start;
    item->length = stop - reader->start;
    item->cut = reader->cut;
}

/* Fails when the bytes of an item are not UTF-8 text. */
static bool check_item(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    if (lw_check_bytes(item->text, item->length, &reader->err))
        return true;
    if (reader->err.position.line == 1)
        reader->err.position.column += item->position.column - 1;
    reader->err.position.line += item->position.line - 1;
    lw_mlir_reader_quote(reader, item->position);
    item->kind = LW_MLIR_PROBLEM;
    return false;
}

static bool report_problem(struct lw_mlir_reader *reader, struct lw_mlir_item *item,
                           struct lw_position position, const char *message)
{
    lw_error_at(&reader->err, LW_ERROR_SYNTAX, position, "%s", message);
    lw_mlir_reader_quote(reader, item->position);
    item->kind = LW_MLIR_PROBLEM;
    return false;
}

/* Skips a string; one that does not end on its line is a problem, and ends the item. */
static bool skip_string(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    struct lw_position position = lw_mlir_reader_position(reader);
    if (lw_mlir_reader_skip_string(reader))
        return true;
    int length = lw_mlir_reader_position(reader).column - position.column;
    position.length = length > 0 ? length : 1;
    lw_mlir_reader_clear_brackets(reader);
    return report_problem(reader, item, position, "this string has no closing \"");
}

/* Reads a bracket, or what looks like one. False: the item ends before it. *opens: the item ends after it. */
static bool read_bracket(struct lw_mlir_reader *reader, char c, bool alias, bool *opens)
{
    char next = lw_mlir_reader_peek(reader, 1);
    switch (c) {
    case '-':
        if (next == '>')
            lw_mlir_reader_step(reader);
        break;
    case '<':
        if (next != '=')
            lw_mlir_reader_push(reader, c);
        break;
    case '>':
        if (next != '=' && lw_mlir_reader_top(reader) == '<')
            lw_mlir_reader_pop(reader, '<');
        break;
    case '(':
    case '[':
        lw_mlir_reader_push(reader, c);
        break;
    case ')':
        lw_mlir_reader_pop(reader, '(');
        break;
    case ']':
        lw_mlir_reader_pop(reader, '[');
        break;
    case '{':
        *opens =
            !alias && lw_mlir_reader_top(reader) != '<' && !reader->beyond && at_region(reader);
        lw_mlir_reader_push(reader, *opens ? 'R' : c);
        break;
    default: /* } */
        if (!lw_mlir_reader_pop(reader, '{') && reader->regions)
            return false;
    }
    lw_mlir_reader_step(reader);
    return true;
}

/* Whether the definition of an alias ends, after white space outside of all brackets. */
static bool alias_over(struct lw_mlir_reader *reader, char last)
{
    return lw_mlir_reader_at_end(reader) || (!goes_on(last) && !goes_on(reader->data[reader->at]));
}

/* The length of `#name =` or `!name =` at the cursor; 0: there is none. */
static size_t alias_ahead(struct lw_mlir_reader *reader)
{
    const char *end, *from = ahead(reader, &end), *p = from;
    bool line = false;
    if (p == end || (*p != '#' && *p != '!'))
        return 0;
    size_t length = lw_mlir_name(++p, end, false);
    p = blanks(p + length, end, &line);
    return length && p < end && *p == '=' && !(p + 1 < end && p[1] == '=') ? (size_t)(p + 1 - from)
                                                                           : 0;
}

/* Reads up to the end of the item, without the white space that follows. */
static bool read_rest(struct lw_mlir_reader *reader, struct lw_mlir_item *item, bool alias,
                      char last)
{
    size_t length = reader->at - reader->start; /* `start` and `at` move together */
    while (!lw_mlir_reader_at_end(reader)) {
        char c = reader->data[reader->at];
        bool opens = false;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' ||
            (c == '/' && lw_mlir_reader_at_comment(reader))) {
            bool line = lw_mlir_reader_skip_space(reader);
            if (lw_mlir_reader_is_level(reader) &&
                (alias ? alias_over(reader, last) : line && begins_item(reader, last)))
                break;
            continue;
        }
        if ((c == '#' || c == '!') && !alias && lw_mlir_reader_is_level(reader) &&
            reader->regions == 0 && alias_ahead(reader) && length)
            break;
        if (c == '"') {
            if (!skip_string(reader, item))
                return false;
        } else if (c == '-' || lw_mlir_opens(c) || lw_mlir_closes(c)) {
            if (!read_bracket(reader, c, alias, &opens))
                break;
        } else {
            lw_mlir_reader_step(reader);
            size_t at = reader->at;
            while (at < reader->end && lw_mlir_is(reader->data[at], LW_MLIR_PLAIN))
                at++;
            c = reader->data[at - 1];
            reader->at = at;
        }
        last = c == '-' && reader->data[reader->at - 1] == '>' ? '-' : c;
        length = reader->at - reader->start;
        if (opens) {
            item->opens = true;
            break;
        }
    }
    if (!lw_mlir_reader_is_level(reader)) /* the text ended here */
        length = reader->at - reader->start;
    if (!item->opens)
        lw_mlir_reader_clear_brackets(reader);
    size_t max = reader->at - reader->start;
    take_item(reader, item, reader->start + (length < max ? length : max));
    return check_item(reader, item);
}

static void read_alias(struct lw_mlir_reader *reader, struct lw_mlir_item *item, size_t head)
{
    item->kind = LW_MLIR_ALIAS;
    while (head--)
        lw_mlir_reader_step(reader);
    lw_mlir_reader_skip_space(reader);
    if (lw_mlir_reader_at_end(reader))
        report_problem(reader, item, lw_mlir_reader_position(reader),
                       "expected an attribute, but the text ends here");
    else
        read_rest(reader, item, true, '=');
}

/* ^bb0(%x: f32 loc(#loc)): */
static void read_block(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    bool opens = false;
    item->kind = LW_MLIR_BLOCK;
    while (!lw_mlir_reader_at_end(reader)) {
        char c = reader->data[reader->at];
        if (c == '"') {
            if (!skip_string(reader, item))
                return;
            continue;
        }
        if (lw_mlir_reader_is_level(reader) && (c == ':' || c == '\n' || c == '}')) {
            if (c == ':')
                lw_mlir_reader_step(reader);
            break;
        }
        if (c != '-' && !lw_mlir_opens(c) && !lw_mlir_closes(c))
            lw_mlir_reader_step(reader);
        else if (!read_bracket(reader, c, true, &opens))
            break;
    }
    lw_mlir_reader_clear_brackets(reader);
    take_item(reader, item, reader->at);
    check_item(reader, item);
}

static void read_end(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    item->kind = LW_MLIR_END;
    take_item(reader, item, reader->at);
    if (reader->failed) {
        item->kind = LW_MLIR_PROBLEM;
    } else if (reader->regions) {
        reader->of_brackets = true;
        report_problem(reader, item, lw_mlir_reader_position(reader),
                       "expected '}', but the text ends here");
        reader->regions = reader->depth = 0;
    }
}

static void read_close(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    if (reader->regions == 0) {
        struct lw_position position = lw_mlir_reader_position(reader);
        position.length = 1;
        reader->of_brackets = true;
        report_problem(reader, item, position, "this '}' has no matching '{'");
        lw_mlir_reader_step(reader);
        return;
    }
    lw_mlir_reader_clear_brackets(reader);
    reader->depth--;
    reader->regions--;
    item->kind = LW_MLIR_CLOSE;
    lw_mlir_reader_step(reader);
    read_rest(reader, item, false, '}');
}

void lw_mlir_reader_next(struct lw_mlir_reader *reader, struct lw_mlir_item *item)
{
    size_t head;
    memset(item, 0, sizeof *item);
    reader->cut = reader->of_brackets = false;
    reader->start = reader->at;
    if (reader->base == 0 && reader->at == 0 && lw_mlir_reader_peek(reader, 0) == '\xef' &&
        lw_mlir_reader_peek(reader, 1) == '\xbb' && lw_mlir_reader_peek(reader, 2) == '\xbf') {
        reader->at = 3;
        reader->line_start = 3;
    }
    do { /* white space is not part of an item */
        reader->start = reader->at;
        lw_mlir_reader_skip_space(reader);
    } while (reader->start != reader->at);
    item->position = lw_mlir_reader_position(reader);
    if (lw_mlir_reader_at_end(reader))
        read_end(reader, item);
    else if (reader->data[reader->at] == '}')
        read_close(reader, item);
    else if (reader->data[reader->at] == '^')
        read_block(reader, item);
    else if (reader->regions == 0 && (head = alias_ahead(reader)) > 0)
        read_alias(reader, item, head);
    else {
        item->kind = LW_MLIR_OPERATION;
        read_rest(reader, item, false, '\0');
    }
}
