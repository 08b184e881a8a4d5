/* Which strings look like numbers: the rules of Python's int() and float(), and of tabulate, for which "12,345" is a
 * number too. */

#include "export/table.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\v\f\r\x1c\x1d\x1e\x1f"
#define NUMBER_MAX 512 /* a longer text is not treated as a number */

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Steps over digits, with a single `_` between any two of them. */
static const char *skip_digits(const char *at)
{
    while (digit(*at)) {
        at++;
        if (*at == '_' && digit(at[1]))
            at++;
    }
    return at;
}

static const char *skip_sign(const char *at)
{
    return *at == '+' || *at == '-' ? at + 1 : at;
}

static bool ends(const char *at)
{
    return at[strspn(at, BLANKS)] == '\0';
}

static bool is_whole(const char *text)
{
    const char *at = skip_sign(text + strspn(text, BLANKS));
    return digit(*at) && ends(skip_digits(at));
}

/* The number without blanks and `_`, as strtod reads it; false when it is none. */
static bool clean_real(const char *text, char clean[NUMBER_MAX])
{
    const char *first = text + strspn(text, BLANKS), *at = skip_sign(first);
    const char *whole = at;
    at = skip_digits(at);
    bool some = at > whole;
    if (*at == '.') {
        some = some || digit(at[1]);
        at = skip_digits(at + 1);
    }
    if (some && (*at == 'e' || *at == 'E') && digit(*skip_sign(at + 1)))
        at = skip_digits(skip_sign(at + 1));
    if (!some || !ends(at) || at - first >= NUMBER_MAX)
        return false;
    size_t n = 0;
    for (const char *c = first; c < at; c++)
        if (*c != '_')
            clean[n++] = *c == '.' ? *nl_langinfo(RADIXCHAR) : *c;
    clean[n] = '\0';
    return true;
}

static bool is_keyword(const char *text, const char *keyword)
{
    size_t i = 0;
    for (; text[i] && keyword[i]; i++)
        if ((text[i] | 0x20) != (keyword[i] | 0x20))
            return false;
    return text[i] == keyword[i];
}

/* Whether tabulate reads a string as infinite or not a number; "infinity" and "+inf" are text to it. */
static bool is_special(const char *text)
{
    return is_keyword(text, "inf") || is_keyword(text, "-inf") || is_keyword(text, "nan");
}

static bool is_real(const char *text)
{
    char clean[NUMBER_MAX];
    if (is_special(text))
        return true;
    return clean_real(text, clean) && !isinf(strtod(clean, NULL));
}

/* 1 to 3 digits, then groups of 3 after commas, then maybe a point and digits; or ".5". */
static bool is_grouped(const char *text)
{
    const char *at = skip_sign(text);
    size_t digits = strspn(at, "0123456789");
    if (text[0] == '.')
        return digit(text[1]) && text[1 + strspn(text + 1, "0123456789")] == '\0';
    if (digits < 1 || digits > 3)
        return false;
    at += digits;
    while (*at == ',' && strspn(at + 1, "0123456789") >= 3)
        at += 4;
    if (*at == '.')
        at += 1 + strspn(at + 1, "0123456789");
    return *at == '\0';
}

enum lw_column_type lw_column_type_of(const char *text)
{
    if (!*text)
        return LW_COLUMN_EMPTY;
    if (!strcmp(text, "True") || !strcmp(text, "False"))
        return LW_COLUMN_BOOLEAN;
    /* Most cells begin with another character. */
    if (!strchr("+-.0123456789iInN" BLANKS, *text))
        return LW_COLUMN_TEXT;
    if (is_whole(text) || (!strchr(text, '.') && is_grouped(text)))
        return LW_COLUMN_INTEGER;
    return is_real(text) || is_grouped(text) ? LW_COLUMN_REAL : LW_COLUMN_TEXT;
}

void lw_put_real(struct lw_text *out, const char *text)
{
    char joined[NUMBER_MAX], clean[NUMBER_MAX], number[64];
    size_t n = 0;
    for (const char *c = text; *c && n + 1 < sizeof joined; c++)
        if (*c != ',')
            joined[n++] = *c;
    joined[n] = '\0';
    if (is_special(joined)) {
        for (const char *c = joined; *c; c++)
            lw_text_char(out, (char)(*c == '-' ? *c : *c | 0x20));
        return;
    }
    if (!clean_real(joined, clean)) {
        lw_text_add(out, text);
        return;
    }
    snprintf(number, sizeof number, "%g", strtod(clean, NULL));
    char *point = strchr(number, *nl_langinfo(RADIXCHAR));
    if (point)
        *point = '.';
    lw_text_add(out, number);
}

int lw_after_point(const char *text)
{
    if (is_whole(text) || !(is_real(text) || is_grouped(text)))
        return -1;
    const char *point = strrchr(text, '.');
    if (!point)
        point = strpbrk(text, "eE");
    return point ? (int)strlen(point) - 1 : -1;
}
