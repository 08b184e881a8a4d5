/* A growing text. Invariant: data is NULL or has capacity >= length + 1 and ends in NUL. */

#include "laneway/text.h"

#include <stdlib.h>
#include <string.h>

void lw_text_free(struct lw_text *text)
{
    free(text->data);
    memset(text, 0, sizeof *text);
}

void lw_text_clear(struct lw_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

static bool reserve(struct lw_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (text->length + more < text->capacity)
        return true;
    size_t want = text->capacity ? text->capacity * 2 : 64;
    while (want <= text->length + more)
        want *= 2;
    char *data = realloc(text->data, want);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = want;
    return true;
}

void lw_text_bytes(struct lw_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    if (count)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void lw_text_char(struct lw_text *text, char c)
{
    lw_text_bytes(text, &c, 1);
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
    if (n >= 0 && reserve(text, (size_t)n + 1)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

static void add_json_character(struct lw_text *text, uint32_t code)
{
    char bytes[4];
    if (code == '"' || code == '\\')
        lw_text_char(text, '\\');
    if (code == '\n' || code == '\t')
        lw_text_add(text, code == '\n' ? "\\n" : "\\t");
    else if (code < 32 || code == 127)
        lw_text_format(text, "\\u%04x", (unsigned)code);
    else
        lw_text_bytes(text, bytes, (size_t)lw_text_encode(code, bytes));
}

void lw_text_json_string(struct lw_text *text, const char *string)
{
    lw_text_char(text, '"');
    for (int length; *string && !lw_text_full(text); string += length)
        add_json_character(text, lw_text_decode(string, &length));
    lw_text_char(text, '"');
}

bool lw_text_full(const struct lw_text *text)
{
    return text->failed || (text->limit && text->length >= text->limit);
}

const char *lw_text_string(const struct lw_text *text)
{
    return text->data ? text->data : "";
}

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

int lw_text_code_width(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
                {0x20000, 0x3fffd}};
    if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || c == 0xfe0f)
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (c >= wide[i].first && c <= wide[i].last)
            return 2;
    return 1;
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

void lw_text_error(struct lw_text *text, const char *source, const struct lw_error *err)
{
    if (source)
        lw_text_format(text, "%s:", source);
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

/* Edit distance with letters compared without case, where two neighbours in the wrong order are one
 * edit; names longer than the table are not near. */
static size_t distance(const char *a, const char *b)
{
    enum { NAME_LETTERS_MAX = 64 };
    size_t rows[3][NAME_LETTERS_MAX + 1], m = strlen(a), n = strlen(b);
    if (n > NAME_LETTERS_MAX || m > NAME_LETTERS_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *first = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = before[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            size_t least = before[j] < row[j - 1] ? before[j] + 1 : row[j - 1] + 1;
            row[j] = change < least ? change : least;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]) && first[j - 2] + 1 < row[j])
                row[j] = first[j - 2] + 1;
        }
    }
    return rows[m % 3][n];
}

/* The least distance to one of the parts between underscores. */
static size_t word_distance(const char *name, const char *candidate)
{
    size_t least = SIZE_MAX;
    for (const char *word = candidate; *word; word += *word == '_') {
        char plain[64];
        size_t length = strcspn(word, "_");
        snprintf(plain, sizeof plain, "%.*s", (int)(length < 63 ? length : 63), word);
        size_t d = distance(name, plain);
        least = d < least ? d : least;
        word += length;
    }
    return least;
}

const char *lw_text_nearest(const char *name, size_t count,
                            const char *(*get)(const void *context, size_t i), const void *context)
{
    const char *best = NULL;
    size_t length = strlen(name), max = length / 3 ? length / 3 : length > 1, least = max + 1;
    for (size_t i = 0; length > 3 && i < count; i++)
        if (word_distance(name, get(context, i)) == 0)
            return get(context, i);
    for (size_t i = 0; i < count; i++) {
        const char *candidate = get(context, i);
        size_t d = distance(name, candidate);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    /* A part of a long name counts too, when it is near. */
    for (size_t i = 0; !best && length > 3 && i < count; i++)
        if (word_distance(name, get(context, i)) <= max)
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
