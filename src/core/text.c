/* A growing text. Invariant: data is NULL or has capacity >= length + 1 and ends in NUL; that of a text that has
 * failed is the mark, which is not its own memory. */

#include "core/text_escape.h"
#include "core/text_mark.h"

#include <stdlib.h>
#include <string.h>

/* ---- The mark of a text that has failed ---- */

/* It begins with U+FDD0, a code point that is never a character. */
static const char mark[] = "\xef\xb7\x90out_of_memory";
enum { MARK_BYTES = sizeof mark - 1 };

bool lw_text_has_mark(const char *bytes, size_t count)
{
    const char *end = bytes + count;
    for (const char *p = bytes; count && (p = memchr(p, (unsigned char)mark[0], (size_t)(end - p)));
         p++)
        if ((size_t)(end - p) >= MARK_BYTES && !memcmp(p, mark, MARK_BYTES))
            return true;
    return false;
}

bool lw_text_is_mark(const char *bytes)
{
    return bytes == mark;
}

void lw_text_fail(struct lw_text *text)
{
    if (text->data != mark)
        free(text->data);
    text->data =
        (char *)(uintptr_t)mark; /* never written to: a text that has failed refuses more */
    text->length = MARK_BYTES;
    text->capacity = 0;
    text->failed = true;
}

/* ---- Growing ---- */

void lw_text_free(struct lw_text *text)
{
    if (text->data != mark)
        free(text->data);
    memset(text, 0, sizeof *text);
}

void lw_text_clear(struct lw_text *text)
{
    if (text->data == mark)
        text->data = NULL;
    text->length = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

void lw_text_cut(struct lw_text *text, size_t length)
{
    if (text->failed || length >= text->length)
        return;
    text->length = length;
    text->data[length] = '\0';
}

static bool grow(struct lw_text *text, size_t more)
{
    size_t want = text->capacity ? text->capacity : 32;
    do
        want = want <= SIZE_MAX / 2 ? want * 2 : 0;
    while (want && want - text->length <= more);
    char *data = want ? realloc(text->data, want) : NULL;
    if (!data) {
        lw_text_fail(text);
        return false;
    }
    text->data = data;
    text->capacity = want;
    return true;
}

static inline bool reserve(struct lw_text *text, size_t more)
{
    return !text->failed && (more < text->capacity - text->length || grow(text, more));
}

void lw_text_bytes(struct lw_text *text, const char *bytes, size_t count)
{
    if (bytes == mark)
        lw_text_fail(text);
    if (!reserve(text, count))
        return;
    if (count)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void lw_text_char(struct lw_text *text, char c)
{
    if (!reserve(text, 1))
        return;
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

void lw_text_add(struct lw_text *text, const char *string)
{
    lw_text_bytes(text, string, strlen(string));
}

void lw_text_repeat(struct lw_text *text, char c, size_t count)
{
    if (!reserve(text, count))
        return;
    memset(text->data + text->length, c, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void lw_text_number(struct lw_text *text, uint64_t number)
{
    char digits[20];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + number % 10);
    while (number /= 10);
    lw_text_bytes(text, digits + n, sizeof digits - n);
}

void lw_text_format(struct lw_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0) {
        lw_text_fail(text); /* over INT_MAX bytes, or no memory for them */
    } else if (reserve(text, (size_t)n + 1)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
        if (lw_text_has_mark(text->data + text->length - n, (size_t)n))
            lw_text_fail(text);
    }
    va_end(again);
    va_end(args);
}

void lw_text_json_string(struct lw_text *text, const char *string)
{
    if (string == mark)
        lw_text_fail(text);
    lw_text_char(text, '"');
    for (int length;; string += length) {
        char escaped[LW_ESCAPE_MAX];
        size_t run = 0; /* most characters are written as they are, many at once */
        const size_t most =
            text->limit && text->limit > text->length ? text->limit - text->length : SIZE_MAX;
        while (run < most && string[run] >= ' ' && string[run] < 127 && string[run] != '"' &&
               string[run] != '\\')
            run++;
        lw_text_bytes(text, string, run);
        string += run;
        if (!*string || lw_text_full(text))
            break;
        if (lw_text_escape_next(string, &length, escaped)) {
            lw_text_add(text, escaped[1] == 'x' ? "\xef\xbf\xbd" : escaped);
        } else {
            lw_text_add(text, *string == '"' || *string == '\\' ? "\\" : "");
            lw_text_bytes(text, string, (size_t)length);
        }
    }
    lw_text_char(text, '"');
}

static void escape(struct lw_text *text, const char *bytes, size_t count)
{
    const char *end = bytes + count, *begin = bytes;
    int length;
    for (const char *p = bytes; p < end; p += length) {
        char escaped[LW_ESCAPE_MAX];
        bool is = lw_text_escape_next(p, &length, escaped);
        if (!is)
            continue;
        lw_text_bytes(text, begin, (size_t)(p - begin));
        lw_text_add(text, escaped);
        begin = p + length;
    }
    if (begin < end)
        lw_text_bytes(text, begin, (size_t)(end - begin));
}

void lw_skip_order_mark(const char **text, size_t *length)
{
    size_t skipped = *length >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3) ? 3 : 0;
    *text += skipped;
    *length -= skipped;
}

void lw_text_escape_all(struct lw_text *text)
{
    struct lw_text escaped = {.limit = text->limit};
    char room[LW_ESCAPE_MAX];
    size_t at = 0;
    for (int length; at < text->length; at += (size_t)length)
        if (lw_text_escape_next(text->data + at, &length, room))
            break;
    if (at >= text->length)
        return;
    escape(&escaped, text->data, text->length);
    lw_text_free(text);
    *text = escaped;
}

void lw_text_shown(struct lw_text *text, const char *string)
{
    escape(text, string, strlen(string));
}

bool lw_text_full(const struct lw_text *text)
{
    return text->failed || (text->limit && text->length >= text->limit);
}

const char *lw_text_string(const struct lw_text *text)
{
    return text->data ? text->data : "";
}

void lw_text_error(struct lw_text *text, const char *source, const struct lw_error *err)
{
    if (source) {
        lw_text_shown(text, source);
        lw_text_char(text, ':');
    }
    if (err->position.line > 0)
        lw_text_format(text, "%d:%d:", err->position.line, err->position.column);
    if (source || err->position.line > 0)
        lw_text_char(text, ' ');
    lw_text_add(text, err->message);
    lw_text_char(text, '\n');
    if (!err->excerpt[0])
        return;
    lw_text_format(text, "  %s\n  ", err->excerpt);
    char before[LW_EXCERPT_MAX];
    snprintf(before, sizeof before, "%.*s", err->excerpt_column - 1, err->excerpt);
    lw_text_repeat(text, ' ', lw_text_width(before));
    lw_text_char(text, '^');
    size_t rest = strlen(err->excerpt) - strlen(before);
    size_t length = err->position.length > 0 ? (size_t)err->position.length : 1;
    lw_text_repeat(text, '~', (length < rest ? length : rest ? rest : 1) - 1);
    lw_text_char(text, '\n');
}

static bool same_letter(char a, char b)
{
    return (a | 32) == (b | 32);
}

enum { NAME_LETTERS_MAX = 64 }; /* no name is near to a longer one */

/* The letters that occur, a bit each. Letters that share a bit can only make two names seem nearer than they are. */
static uint64_t letters_of(const char *name, size_t length)
{
    uint64_t letters = 0;
    for (size_t i = 0; i < length; i++)
        letters |= (uint64_t)1 << ((name[i] | 32) & 63);
    return letters;
}

/* Whether more than `max` letters of one name do not occur in the other: each of them takes an edit. */
static bool letters_differ(const char *a, size_t m, const char *b, size_t n, size_t max)
{
    uint64_t of_a = letters_of(a, m), of_b = letters_of(b, n);
    return (size_t)__builtin_popcountll(of_a & ~of_b) > max ||
           (size_t)__builtin_popcountll(of_b & ~of_a) > max;
}

/* Edit distance with letters compared without case, where two neighbours in the wrong order are one
 * edit. Any number over `max`: it is over `max`. */
static size_t distance(const char *a, size_t m, const char *b, size_t n, size_t max)
{
    size_t rows[3][NAME_LETTERS_MAX + 1], least_before = 0;
    if (n > NAME_LETTERS_MAX || m > NAME_LETTERS_MAX || (m > n ? m - n : n - m) > max ||
        letters_differ(a, m, b, n, max))
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *first = rows[(i + 1) % 3];
        size_t least_here = row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = before[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            size_t least = before[j] < row[j - 1] ? before[j] + 1 : row[j - 1] + 1;
            row[j] = change < least ? change : least;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]) && first[j - 2] + 1 < row[j])
                row[j] = first[j - 2] + 1;
            least_here = row[j] < least_here ? row[j] : least_here;
        }
        if (least_here > max && least_before > max) /* later rows depend on these two only */
            return SIZE_MAX;
        least_before = least_here;
    }
    return rows[m % 3][n];
}

/* Whether one of the words of `candidate`, which underscores separate, is within that distance of `name`. */
static bool has_near_word(const char *candidate, const char *name, size_t length, size_t max)
{
    for (const char *word = candidate; *word; word += *word == '_') {
        size_t letters = strcspn(word, "_");
        if (distance(name, length, word, letters, max) <= max)
            return true;
        word += letters;
    }
    return false;
}

const char *lw_text_nearest(const char *name, size_t count,
                            const char *(*get)(const void *context, size_t i), const void *context)
{
    const char *best = NULL;
    size_t length = strlen(name), max = length / 3 ? length / 3 : length > 1, least = max + 1;
    if (length > NAME_LETTERS_MAX)
        return NULL;
    for (size_t i = 0; length > 3 && i < count; i++)
        if (has_near_word(get(context, i), name, length, 0))
            return get(context, i);
    for (size_t i = 0; least > 0 && i < count; i++) {
        const char *candidate = get(context, i);
        size_t d = distance(name, length, candidate, strlen(candidate), least - 1);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    /* Else a name that has a near word. */
    for (size_t i = 0; !best && length > 3 && i < count; i++)
        if (has_near_word(get(context, i), name, length, max))
            best = get(context, i);
    return best;
}

const char *lw_text_hint(char hint[LW_HINT_MAX], const char *near, const char *otherwise)
{
    if (near && *near)
        snprintf(hint, LW_HINT_MAX, "; did you mean '%.100s'?", near);
    else
        snprintf(hint, LW_HINT_MAX, "%s", otherwise);
    return hint;
}

bool lw_text_has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words + strspn(words, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == length && !strncmp(p, word, n))
            return true;
        p += n;
    }
    return false;
}
