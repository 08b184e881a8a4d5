/* Text broken into rows, for help, messages and the screen. */

#include "laneway/text.h"

#include <string.h>

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

/* The words of a text, separated by one blank each. */
static void join(struct lw_text *text, const char *words)
{
    for (words += strspn(words, " \n"); *words; words += strspn(words, " \n")) {
        size_t length = strcspn(words, " \n");
        if (text->length)
            lw_text_char(text, ' ');
        lw_text_bytes(text, words, length);
        words += length;
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
    lw_text_format(text, "  %s", name);
    if (used > width) {
        lw_text_char(text, '\n');
        lw_text_repeat(text, ' ', column);
    } else if (*help) {
        lw_text_repeat(text, ' ', column - 2 - used);
    }
    lw_text_wrap(text, help, column, column);
}
