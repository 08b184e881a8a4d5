/* A growing text. Invariant: data is NULL or has capacity >= length + 1 and ends in NUL; that of a text that has
 * failed is the mark, which is not its own memory. */

#include "core/text_escape.h"
#include "core/text_mark.h"
#include "core/text_rows.h"

#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- Characters: UTF-8, widths, and which of them are not printable ----
 * Source of the latter: the general categories Cc, Cf (without those that have a glyph), Zl and Zp of Unicode 16, and
 * the rest of the block of tags. */

uint32_t lw_text_decode(const char *string, int *length)
{
    const unsigned char *s = (const unsigned char *)string;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    *length = 1;
    if (n == 0 || s[0] > 0xf4)
        return 0xfffd;
    uint32_t code = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0xfffd;
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0xfffd;
    *length = n;
    return code;
}

int lw_text_encode(uint32_t code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    int n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)((0xf00u >> n & 0xff) | code);
    return n;
}

/* Ranges of codes, in order. */
struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    size_t i = 0;
    while (i < count && code > ranges[i].last)
        i++;
    return i < count && code >= ranges[i].first;
}

int lw_text_code_width(uint32_t c)
{
    static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                        {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                        {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                        {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
                                        {0x20000, 0x3fffd}};
    if (c < 0x300)
        return 1;
    if (c <= 0x36f || (c >= 0x200b && c <= 0x200f) || c == 0xfe0f)
        return 0;
    return is_in(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t lw_text_width(const char *string)
{
    size_t width = 0;
    for (int n; *string; string += n) {
        n = 1;
        width += *string & 0x80 ? (size_t)lw_text_code_width(lw_text_decode(string, &n)) : 1;
    }
    return width;
}

/* ---- Escapes ---- */

bool lw_text_is_control(uint32_t code)
{
    static const struct range controls[] = {
        {0x0, 0x1f},        {0x7f, 0x9f},      {0xad, 0xad},       {0x61c, 0x61c},
        {0x180e, 0x180e},   {0x200b, 0x200f},  {0x2028, 0x202e},   {0x2060, 0x206f},
        {0xfeff, 0xfeff},   {0xfff9, 0xfffb},  {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    return is_in(code, controls, sizeof controls / sizeof *controls);
}

static void write_unit(char escaped[LW_ESCAPE_MAX], uint32_t unit)
{
    snprintf(escaped + strlen(escaped), 7, "\\u%04x", (unsigned)unit & 0xffff);
}

/* Eight bytes at a time. The top bit of a byte is set when the byte is 128 or more; subtracting a blank borrows it for
 * a smaller byte, and adding 1 carries to it for DEL. */
size_t lw_text_plain_length(const char *bytes, size_t length)
{
    const uint64_t ones = 0x0101010101010101;
    size_t n = 0;
    for (uint64_t eight; n + sizeof eight <= length; n += sizeof eight) {
        memcpy(&eight, bytes + n, sizeof eight);
        if ((eight | (eight - ' ' * ones) | (eight + ones)) & (128 * ones))
            break;
    }
    return n;
}

/* As JSON does: what is beyond U+FFFF is two units of UTF-16. */
static void write_code(char escaped[LW_ESCAPE_MAX], uint32_t code)
{
    if (code == '\n' || code == '\t')
        snprintf(escaped, LW_ESCAPE_MAX, "\\%c", code == '\n' ? 'n' : 't');
    else if (code > 0xffff)
        write_unit(escaped, 0xd800 + ((code - 0x10000) >> 10));
    else
        write_unit(escaped, code);
    if (code > 0xffff)
        write_unit(escaped, 0xdc00 + (code & 0x3ff));
}

bool lw_text_escape_next(const char *string, int *length, char escaped[LW_ESCAPE_MAX])
{
    unsigned char byte = (unsigned char)*string;
    *length = 1;
    if (byte >= ' ' && byte < 127)
        return false;
    uint32_t code = byte < 128 ? byte : lw_text_decode(string, length);
    escaped[0] = '\0';
    if (code == 0xfffd && *length == 1)
        snprintf(escaped, LW_ESCAPE_MAX, "\\x%02x", byte);
    else if (lw_text_is_control(code))
        write_code(escaped, code);
    return escaped[0];
}

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

void lw_put_count(struct lw_text *text, uint64_t count, const char *one)
{
    lw_text_format(text, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

/* ---- Rows, for help, messages and the screen ---- */

/* Punctuation that may not begin a row, and punctuation that may not end one. */
static const uint32_t closing[] = {0x3001, 0x3002, 0x3009, 0x300b, 0x300d, 0x300f, 0x3011, 0xff01,
                                   0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f, 0};
static const uint32_t opening[] = {0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0xff08, 0};

static bool is_one_of(const uint32_t *codes, uint32_t code)
{
    while (*codes && *codes != code)
        codes++;
    return *codes != 0;
}

/* Whether a row may end between two characters. */
static bool may_part(uint32_t a, uint32_t b)
{
    bool wide = lw_text_code_width(a) == 2 || lw_text_code_width(b) == 2;
    return b == ' ' ||
           (wide && lw_text_code_width(b) > 0 && !is_one_of(opening, a) && !is_one_of(closing, b));
}

size_t lw_text_row_bytes(const char *text, size_t columns)
{
    size_t lead = strspn(text, " "), at = 0, end = 0, used = 0;
    uint32_t before = 0;
    for (int n; text[at] && text[at] != '\n'; at += (size_t)n) {
        uint32_t code = lw_text_decode(text + at, &n);
        used += (size_t)lw_text_code_width(code);
        if (at > lead && may_part(before, code))
            end = at;
        if (used > columns)
            return end ? end : at ? at : (size_t)n;
        before = code;
    }
    return at;
}

/* The columns up to the first position where a row may end. */
static size_t first_width(const char *text)
{
    size_t width = 0;
    uint32_t before = 0;
    for (int n; *text; text += n) {
        uint32_t code = lw_text_decode(text, &n);
        if (before && may_part(before, code))
            break;
        width += (size_t)lw_text_code_width(code);
        before = code;
    }
    return width;
}

/* The words of a text, separated by the blanks between them; a newline is one. */
static void join(struct lw_text *text, const char *words)
{
    for (words += strspn(words, " \n"); *words;) {
        const size_t length = strcspn(words, " \n"), gap = strspn(words + length, " \n");
        const bool is_line = memchr(words + length, '\n', gap);
        lw_text_bytes(text, words, length);
        words += length + gap;
        lw_text_repeat(text, ' ', !*words ? 0 : is_line ? 1 : gap);
    }
}

void lw_text_wrap(struct lw_text *text, const char *words, size_t indent, size_t column)
{
    struct lw_text joined = {0};
    join(&joined, words);
    const char *rest = lw_text_string(&joined);
    for (bool first = true; *rest; first = false, column = indent) {
        size_t room = column < LW_TEXT_COLUMNS ? LW_TEXT_COLUMNS - column : 0;
        size_t least = first_width(rest); /* a word is kept whole */
        size_t length = lw_text_row_bytes(rest, room > least ? room : least);
        if (!first) {
            lw_text_char(text, '\n');
            lw_text_repeat(text, ' ', indent);
        }
        lw_text_bytes(text, rest, length);
        rest += length;
        rest += strspn(rest, " ");
    }
    lw_text_char(text, '\n');
    if (joined.failed)
        lw_text_fail(text);
    lw_text_free(&joined);
}

void lw_text_paragraphs(struct lw_text *text, const char *about)
{
    while (*about) {
        size_t length = strcspn(about, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, about, length);
        if (length == 0 || *about == ' ')
            lw_text_format(text, "%s\n", lw_text_string(&line));
        else
            lw_text_wrap(text, lw_text_string(&line), 0, 0);
        lw_text_free(&line);
        about += length + (about[length] == '\n');
    }
}

void lw_text_row(struct lw_text *text, const char *name, size_t width, const char *help)
{
    size_t used = lw_text_width(name), column = width + 4;
    lw_text_add(text, "  ");
    if (used > width) {
        lw_text_wrap(text, name, 6, 2);
        lw_text_repeat(text, ' ', column);
    } else {
        lw_text_add(text, name);
        lw_text_repeat(text, ' ', *help ? column - 2 - used : 0);
    }
    lw_text_wrap(text, help, column, column);
}

/* ---- Numbers ---- */

size_t lw_digits(uint64_t number)
{
    size_t digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

void lw_put_element(struct lw_text *text, int count, const uint64_t *out)
{
    lw_text_char(text, '(');
    for (int i = 0; i < count; i++) {
        if (i)
            lw_text_char(text, ',');
        lw_text_number(text, out[i]);
    }
    lw_text_char(text, ')');
}

void lw_put_binary(struct lw_text *text, uint64_t number, uint64_t size)
{
    int bits = 1;
    while (bits < 64 && ((size - 1) >> bits || number >> bits))
        bits++;
    lw_text_add(text, "0b");
    while (bits-- > 0)
        lw_text_char(text, number >> bits & 1 ? '1' : '0');
}

void lw_put_set_from(struct lw_text *text, uint64_t set, uint64_t first, int max)
{
    int ranges = 0;
    while (set) {
        int from = __builtin_ctzll(set);
        uint64_t rest = ~(set >> from);
        int count = rest ? __builtin_ctzll(rest) : 64;
        lw_text_add(text, ranges ? "," : "");
        if (ranges++ == max) {
            lw_text_add(text, "...");
            return;
        }
        lw_text_number(text, first + (uint64_t)from);
        if (count > 1) {
            lw_text_char(text, count > 2 ? '-' : ',');
            lw_text_number(text, first + (uint64_t)from + (uint64_t)count - 1);
        }
        if (from + count >= 64)
            return;
        set = set >> (from + count) << (from + count);
    }
}

void lw_put_set(struct lw_text *text, uint64_t set, int max)
{
    lw_put_set_from(text, set, 0, max);
}
