/*
 * The kind of a text, recognised by its first tokens: `laneway help sources` lists them. Nothing is read here.
 *
 * A new notation is a kind, a row here for each way that its texts begin, and a reader in source.c.
 */

#include "notation/document/read.h"

#include "core/array_count.h"
#include "core/text_escape.h"

#include "notation/calc/calculator.h"

#include <string.h>

bool lw_starts(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);
    return length >= n && memcmp(text, prefix, n) == 0;
}

bool lw_ends(const char *text, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length > n && memcmp(text + length - n, suffix, n) == 0;
}

static bool find_string(const char *text, size_t length, const char *string)
{
    size_t n = strlen(string);
    const char *end = text + length;
    for (const char *p = text; (p = memchr(p, *string, (size_t)(end - p))) != NULL; p++)
        if ((size_t)(end - p) >= n && memcmp(p, string, n) == 0)
            return true;
    return false;
}

void lw_trim(const char **text, size_t *length)
{
    lw_skip_order_mark(text, length);
    const char *p = *text, *end = p + *length;
    while (end > p && strchr(" \t\r\n", end[-1]) && end[-1])
        end--;
    while (p < end && strchr(" \t\r\n", *p) && *p)
        p++;
    *text = p;
    *length = (size_t)(end - p);
}

/* ---- Files ---- */

static const struct {
    const char *ending;
    enum lw_source_kind kind;
} files[] = {{".json", LW_SOURCE_FILE}, {".txt", LW_SOURCE_TEXT},  {".ttgir", LW_SOURCE_DUMP},
             {".ttir", LW_SOURCE_DUMP}, {".mlir", LW_SOURCE_DUMP}, {".cu", LW_SOURCE_CODE},
             {".cuh", LW_SOURCE_CODE}};

void lw_put_file_endings(struct lw_text *text)
{
    for (size_t i = 0; i < LW_COUNT(files); i++)
        lw_text_format(text, "%s%s",
                       i == 0                    ? ""
                       : i + 1 < LW_COUNT(files) ? ", "
                                                 : " or ",
                       files[i].ending);
}

/* Whether the name of a part may follow the path after a colon. */
static bool has_parts(enum lw_source_kind kind)
{
    return kind == LW_SOURCE_DUMP || kind == LW_SOURCE_CODE;
}

/* The kind of a path; of a dump perhaps with a part of it, `kernel.ttgir:#mma`. Else LW_SOURCE_NAME. */
static enum lw_source_kind kind_of_path(const char *text, size_t length)
{
    for (size_t i = 0; i < LW_COUNT(files); i++) {
        char colon[8];
        snprintf(colon, sizeof colon, "%s:", files[i].ending);
        if (lw_ends(text, length, files[i].ending) ||
            (has_parts(files[i].kind) && !memchr(text, '(', length) &&
             find_string(text, length, colon)))
            return files[i].kind;
    }
    return LW_SOURCE_NAME;
}

size_t lw_source_path(const char *source)
{
    size_t length = strlen(source);
    if (has_parts(lw_source_kind_of(source, length)))
        for (size_t end = length; end-- > 0;)
            for (size_t i = 0; source[end] == ':' && i < LW_COUNT(files); i++)
                if (has_parts(files[i].kind) && lw_ends(source, end, files[i].ending))
                    return end;
    return length;
}

/* ---- First tokens ---- */

/* What texts begin with. */
static const struct {
    const char *begin;
    enum lw_source_kind kind;
} beginnings[] = {
    {"{", LW_SOURCE_JSON},
    {"tensor<ptr<", LW_SOURCE_CUTE},
    {"tensor<(", LW_SOURCE_CUTE},
    {"tensor<", LW_SOURCE_TYPE},
    {"tensor <", LW_SOURCE_TYPE},
    {"!tt", LW_SOURCE_TYPE},
    {"- ", LW_SOURCE_TOSTRING},
    {"(empty layout", LW_SOURCE_TOSTRING},
    {"Sw<", LW_SOURCE_CUTE},
    {"S<", LW_SOURCE_CUTE},
    {"Swizzle<", LW_SOURCE_CUTE},
    {"Layout<", LW_SOURCE_CUTE},
    {"Layout_", LW_SOURCE_CUTE},
    {"ComposedLayout<", LW_SOURCE_CUTE},
    {"cute.", LW_SOURCE_CUTE},
    {"Tiled MMA\n", LW_SOURCE_CUTE},
    {"Tiled Copy\n", LW_SOURCE_CUTE},
    {"TiledMMA\n", LW_SOURCE_CUTE},
    {"UMMA::", LW_SOURCE_CUTE},
};

/* The kind of a text that begins with `#`: `#name = #...`, a definition of a dump, which a type may follow;
 * `#name.name<` or only `#name`; any other one begins with a comment of Python, and is LW_SOURCE_NAME. */
static enum lw_source_kind kind_of_hash(const char *text, size_t length)
{
    size_t i = 1, name;
    if (length < 2 || !lw_is_name_start(text[1]))
        return LW_SOURCE_NAME;
    while (i < length && lw_is_name_part(text[i]))
        i++;
    for (name = i; i < length && (lw_is_name_part(text[i]) || text[i] == '.');)
        i++;
    bool dotted = i > name;
    while (i < length && (text[i] == ' ' || text[i] == '\t'))
        i++;
    if (i == length || text[i] == '<')
        return LW_SOURCE_ATTRIBUTE;
    if (dotted || text[i++] != '=')
        return LW_SOURCE_NAME;
    while (i < length && strchr(" \t\r\n", text[i]) && text[i])
        i++;
    return i < length && text[i] == '#' ? LW_SOURCE_DEFINITIONS : LW_SOURCE_NAME;
}

/* Whether a word, `length` bytes before a bracket, is an operation on CuTe layouts that is not also an encoding. */
static bool names_cute(const char *word, size_t length)
{
    char name[32];
    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (lw_encoding_type_find(name))
        return false;
    const struct lw_calc_row *row = lw_calc_find(LW_CALC_FUNCTION, name);
    return lw_calc_find(LW_CALC_OF_CUTE, name) || lw_calc_find(LW_CALC_OF_TREE, name) ||
           (row && !strncmp(row->base.name, "make_", 5));
}

/* Whether a text has a shape before a colon, as only CuTe has: `4:`, `_4 :`, `):`. */
static bool has_stride(const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *p = text; (p = memchr(p, ':', (size_t)(end - p))) != NULL; p++) {
        const char *before = p;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before > text && (before[-1] == ')' || (before[-1] >= '0' && before[-1] <= '9')))
            return true;
    }
    return false;
}

/* The kind of an expression, or of a name. */
static enum lw_source_kind kind_of_expression(const char *text, size_t length)
{
    size_t word = 0;
    while (word < length && lw_is_name_part(text[word]))
        word++;
    char next = word && word < length ? text[word] : '\0';
    bool calls = memchr(text, '(', length);
    char begin[24];
    snprintf(begin, sizeof begin, "%.*s",
             length < sizeof begin ? (int)length : (int)sizeof begin - 1, text);
    if (lw_calc_is_atom(begin))
        return LW_SOURCE_CUTE;
    if ((next == '(' || next == '<') && names_cute(text, word))
        return LW_SOURCE_CUTE;
    if (find_string(text, length, "make_tiled_"))
        return LW_SOURCE_CUTE;
    /* Names of functions that several systems have: their arguments decide. */
    if ((strchr("(_-0123456789", *text) || (calls && lw_is_name_start(*text))) &&
        !memchr(text, '=', length) && has_stride(text, length))
        return LW_SOURCE_CUTE;
    return calls ? LW_SOURCE_TILUS : LW_SOURCE_NAME;
}

enum lw_source_kind lw_source_kind_of(const char *text, size_t length)
{
    if (length == 0)
        return LW_SOURCE_NAME;
    if (length == 1 && *text == '-')
        return LW_SOURCE_INPUT;
    /* A text of several lines with parentheses is a program, whatever its ending. */
    enum lw_source_kind kind = LW_SOURCE_NAME;
    if (lw_cuda_is(text, length))
        return LW_SOURCE_CUDA;
    if (!strchr("{#!", *text) && !(memchr(text, '\n', length) && memchr(text, '(', length)))
        kind = kind_of_path(text, length);
    if (kind == LW_SOURCE_NAME && *text == '#')
        kind = kind_of_hash(text, length);
    for (size_t i = 0; i < LW_COUNT(beginnings) && kind == LW_SOURCE_NAME; i++)
        if (lw_starts(text, length, beginnings[i].begin))
            kind = beginnings[i].kind;
    if (kind == LW_SOURCE_NAME && find_string(text, length, "where out dims are:"))
        kind = LW_SOURCE_TOSTRING; /* perhaps without its beginning */
    return kind != LW_SOURCE_NAME ? kind : kind_of_expression(text, length);
}
