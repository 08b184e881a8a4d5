/* A cursor over text. Invariant: line_start <= at <= end, and `shift` is line_start's column. */

#include "notation/expression/scan.h"
#include "core/text_rows.h"

#include <stdlib.h>
#include <string.h>

bool lw_is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool lw_is_name_part(char c)
{
    return lw_is_name_start(c) || (c >= '0' && c <= '9');
}

bool lw_span_is(struct lw_span span, const char *string)
{
    return strlen(string) == span.length && !memcmp(span.at, string, span.length);
}

bool lw_span_is_one(struct lw_span span, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (lw_span_is(span, strings[i]))
            return true;
    return false;
}

bool lw_span_equal(struct lw_span a, struct lw_span b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

void lw_scan_begin(struct lw_scan *scan, struct lw_arena *arena, const char *text, size_t length,
                   struct lw_error *err)
{
    memset(scan, 0, sizeof *scan);
    scan->arena = arena;
    scan->err = err;
    scan->at = scan->line_start = text;
    scan->end = text + length;
    scan->line = scan->shift = 1;
}

struct lw_position lw_position_join(struct lw_position from, struct lw_position to)
{
    if (from.line == to.line && to.column >= from.column)
        from.length = to.column - from.column + to.length;
    return from;
}

/* Comments begin with one character or two. */
static bool is_at(const struct lw_scan *scan, const char *mark)
{
    return *scan->at == mark[0] &&
           (!mark[1] || (scan->end - scan->at > 1 && scan->at[1] == mark[1]));
}

/* Begins the next line: the cursor is at the end of one. */
static void begin_line(struct lw_scan *scan)
{
    scan->line++;
    scan->line_start = scan->at + 1;
    scan->shift = 1;
}

void lw_scan_space(struct lw_scan *scan)
{
    if (scan->at < scan->end && lw_scan_is_mark(*scan->at))
        return;
    for (; scan->at < scan->end; scan->at++) {
        char c = *scan->at;
        if ((scan->comment && is_at(scan, scan->comment)) || (scan->cpp && is_at(scan, "//"))) {
            const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
            scan->at = stop ? stop : scan->end;
            c = '\n';
        } else if (scan->cpp && is_at(scan, "/*")) {
            const char *close = scan->at + 2;
            while (scan->end - close >= 2 && (close[0] != '*' || close[1] != '/'))
                close++;
            if (scan->end - close < 2) /* it has no end */
                return;
            lw_scan_move(scan, close + 1);
            c = ' ';
        }
        if (scan->at == scan->end)
            return;
        if (c == '\n')
            begin_line(scan);
        else if (c != ' ' && c != '\t' && c != '\r')
            return;
    }
}

void lw_scan_move(struct lw_scan *scan, const char *to)
{
    for (; scan->at < to; scan->at++)
        if (*scan->at == '\n')
            begin_line(scan);
}

static size_t name_length(const struct lw_scan *scan)
{
    const char *p = scan->at;
    while (p < scan->end && lw_is_name_part(*p))
        p++;
    return (size_t)(p - scan->at);
}

bool lw_scan_keyword(struct lw_scan *scan, const char *keyword)
{
    if (lw_scan_peek(scan) != *keyword)
        return false;
    size_t length = strlen(keyword);
    if (name_length(scan) != length || memcmp(scan->at, keyword, length) != 0)
        return false;
    scan->at += length;
    return true;
}

const char *lw_scan_dim(struct lw_scan *scan, struct lw_position *position)
{
    lw_scan_space(scan);
    size_t length = name_length(scan);
    *position = lw_scan_position(scan);
    if (length == 0)
        return NULL;
    const char *name = lw_arena_string(scan->arena, scan->at, length);
    scan->at += length;
    *position = lw_scan_until(scan, *position);
    return name;
}

const char *lw_scan_name(struct lw_scan *scan, struct lw_position *position)
{
    lw_scan_space(scan);
    *position = lw_scan_position(scan);
    return scan->at < scan->end && lw_is_name_start(*scan->at) ? lw_scan_dim(scan, position) : NULL;
}

/* How many bytes at the cursor a message underlines: a word or a number, or one character. */
static int shown_length(const struct lw_scan *scan)
{
    const char *p = scan->at;
    while (p < scan->end && lw_is_name_part(*p) && p - scan->at < 32)
        p++;
    if (p > scan->at)
        return (int)(p - scan->at);
    char bytes[5] = {0};
    size_t rest = (size_t)(scan->end - p);
    memcpy(bytes, p, rest < 4 ? rest : 4);
    int length;
    lw_text_decode(bytes, &length);
    return length;
}

bool lw_scan_unexpected(struct lw_scan *scan, const char *expected)
{
    bool ended = lw_scan_at_end(scan);
    struct lw_position position = lw_scan_position(scan);
    if (ended)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, position,
                           "expected %s, but the text ends here", expected);
    int length = shown_length(scan);
    if (scan->whole.line == 0)
        position.length = length;
    return lw_error_at(scan->err, LW_ERROR_SYNTAX, position, "expected %s, found '%.*s'", expected,
                       length, scan->at);
}

bool lw_scan_expect(struct lw_scan *scan, char c, const char *expected)
{
    return lw_scan_accept(scan, c) || lw_scan_unexpected(scan, expected);
}

bool lw_scan_integer(struct lw_scan *scan, int64_t *integer)
{
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at;
    uint64_t n = 0;
    bool big = false;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++) {
        uint64_t digit = (uint64_t)(*scan->at - '0');
        big = big || n > ((uint64_t)INT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (scan->at == start)
        return lw_scan_unexpected(scan, "an integer");
    position = lw_scan_until(scan, position);
    int length = scan->at - start > 40 ? 40 : (int)(scan->at - start);
    if (big)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, position,
                           "%.*s%s: integers must be below 2^63", length, start,
                           scan->at - start > 40 ? "..." : "");
    *integer = (int64_t)n;
    return true;
}

bool lw_scan_number(struct lw_scan *scan, int64_t *number)
{
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at;
    bool negative = lw_scan_accept(scan, '-');
    if (!negative)
        lw_scan_accept(scan, '+');
    if (!lw_scan_integer(scan, number))
        return false;
    const char *end = scan->at;
    while (scan->at < scan->end && /* 2.5, 4x are other tokens */
           (lw_is_name_part(*scan->at) ||
            (*scan->at == '.' && scan->at + 1 < scan->end && !lw_is_name_start(scan->at[1]))))
        scan->at++;
    *number = negative ? -*number : *number;
    return scan->at == end ||
           lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                       "%.*s is not an integer",
                       scan->at - start > 40 ? 40 : (int)(scan->at - start), start);
}

bool lw_scan_skip_quoted(struct lw_scan *scan)
{
    struct lw_position position = lw_scan_position(scan);
    char quote = *scan->at++;
    for (; scan->at < scan->end && *scan->at != quote; scan->at++) {
        if (*scan->at == '\\' && scan->at + 1 < scan->end && scan->at[1] != '\n')
            scan->at++;
        else if (*scan->at == '\n' && !scan->multiline)
            break;
        else if (*scan->at == '\n')
            begin_line(scan);
    }
    if (scan->at < scan->end && *scan->at == quote) {
        scan->at++;
        return true;
    }
    return lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                       "this string has no closing %c", quote);
}

/* The code unit of `\uXXXX` at the start of a text that ends in NUL, or -1. */
static int code_unit(const char *p)
{
    char digits[5];
    if (p[0] != '\\' || p[1] != 'u')
        return -1;
    snprintf(digits, sizeof digits, "%.4s", p + 2);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int)strtol(digits, NULL, 16) : -1;
}

/* Decodes one character of a quoted string, with the escapes of JSON, to UTF-8; returns how many bytes of the text it
 * took. The text ends in NUL. */
static size_t decode_escape(const char *p, char bytes[4], int *count)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    int unit = code_unit(p);
    *count = 1;
    bytes[0] = *p;
    if (*p != '\\' || !p[1])
        return 1;
    if (unit < 0) {
        const char *simple = strchr(from, p[1]);
        bytes[0] = simple ? to[simple - from] : p[1];
        return 2;
    }
    int low = unit >= 0xd800 && unit < 0xdc00 ? code_unit(p + 6) : -1;
    bool pair = low >= 0xdc00 && low < 0xe000;
    uint32_t code = pair ? 0x10000u + (uint32_t)((unit - 0xd800) << 10 | (low - 0xdc00))
                    : unit == 0 || (unit >= 0xd800 && unit < 0xe000) ? 0xfffdu
                                                                     : (uint32_t)unit;
    *count = lw_text_encode(code, bytes);
    return pair ? 12 : 6;
}

const char *lw_scan_quoted(struct lw_scan *scan)
{
    const char *start = scan->at + 1;
    if (!lw_scan_skip_quoted(scan))
        return NULL;
    size_t length = (size_t)(scan->at - 1 - start);
    char *string = lw_arena_string(scan->arena, start, length), *to = string;
    if (!string)
        lw_scan_out_of_memory(scan);
    if (!string || !memchr(start, '\\', length))
        return string;
    for (const char *from = string; *from;) { /* an escape is never shorter than its character */
        char bytes[4];
        int count;
        from += decode_escape(from, bytes, &count);
        memcpy(to, bytes, (size_t)count);
        to += count;
    }
    *to = '\0';
    return string;
}

bool lw_scan_enter(struct lw_scan *scan, struct lw_position position)
{
    int most =
        scan->json ? 2 * LW_NESTING_MAX : LW_NESTING_MAX; /* an encoding in another has two */
    if (scan->depth >= most)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, position,
                           "nested too deeply: at most %d levels are read", most);
    scan->depth++;
    return true;
}

bool lw_scan_out_of_memory(struct lw_scan *scan)
{
    return lw_error_set(scan->err, LW_ERROR_MEMORY, "out of memory");
}

int lw_shown_length(const char *string, int max)
{
    int shown = 0, length;
    for (const char *p = string; *p; p += length, shown += length) {
        lw_text_decode(p, &length);
        if (shown + length > max)
            break;
    }
    return shown;
}

const char *lw_scan_words(struct lw_scan *scan, struct lw_position *position)
{
    const char *start = scan->at, *p = start;
    do {
        p += p > start ? 2 : 0;
        while (p < scan->end && lw_is_name_part(*p))
            p++;
    } while (scan->end - p > 2 && p[0] == ':' && p[1] == ':' && lw_is_name_start(p[2]));
    if (p - start == 1 && *start == '_' && scan->end - p > 1 && *p == '-' && lw_is_digit(p[1]))
        for (p++; p < scan->end && lw_is_digit(*p);) /* _-4, as CuTe prints it */
            p++;
    *position = lw_scan_position(scan);
    scan->at = p;
    *position = lw_scan_until(scan, *position);
    if (scan->end - p > 1 && p[0] == ':' && p[1] == ':') {
        scan->at += 2;
        lw_scan_unexpected(scan, "a name");
        return NULL;
    }
    if (p - start > 6 && !strncmp(start, "cute::", 6))
        start += 6; /* the namespace `cute::` */
    const char *words = lw_arena_string(scan->arena, start, (size_t)(p - start));
    if (!words)
        lw_scan_out_of_memory(scan);
    return words;
}

struct rows {
    const char *first;
    size_t size;
};

static const char *row_name(const void *context, size_t i)
{
    const struct rows *rows = context;
    const char *name;
    memcpy(&name, rows->first + i * rows->size, sizeof name);
    return name;
}

const char *lw_nearest_row(const char *name, size_t count, const void *first, size_t size)
{
    const struct rows rows = {first, size};
    return lw_text_nearest(name, count, row_name, &rows);
}
