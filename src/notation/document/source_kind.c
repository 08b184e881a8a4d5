/* The kind of a text, recognised by its form: see the table of sources in the README. Nothing is read here. */

#include "notation/document/read.h"

#include "core/text_escape.h"

#include "laneway/calc.h"

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

static bool find_string(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);
    const char *end = text + length;
    for (const char *p = text; (p = memchr(p, *prefix, (size_t)(end - p))) != NULL; p++)
        if ((size_t)(end - p) >= n && memcmp(p, prefix, n) == 0)
            return true;
    return false;
}

/* The endings of Triton dumps. */
static const char *const dumps[] = {".ttgir", ".ttir", ".mlir"};

/* A Triton dump, perhaps with a part of it: `kernel.ttgir:#mma`. */
static bool is_dump_path(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
        char colon[8];
        snprintf(colon, sizeof colon, "%s:", dumps[i]);
        if (lw_ends(text, length, dumps[i]) ||
            (find_string(text, length, colon) && !memchr(text, '(', length)))
            return true;
    }
    return false;
}

size_t lw_source_path(const char *source)
{
    size_t length = strlen(source);
    if (lw_source_kind_of(source, length) == LW_SOURCE_DUMP)
        for (size_t end = length; end-- > 0;)
            for (size_t i = 0; source[end] == ':' && i < sizeof dumps / sizeof *dumps; i++)
                if (lw_ends(source, end, dumps[i]))
                    return end;
    return length;
}

bool lw_is_attribute_text(const char *text, size_t length)
{
    size_t i = 1;
    if (length < 2 || *text != '#' || !lw_is_name_start(text[1]))
        return false;
    while (i < length && (lw_is_name_part(text[i]) || text[i] == '.'))
        i++;
    while (i < length && (text[i] == ' ' || text[i] == '\t'))
        i++;
    return i == length || text[i] == '<';
}

/* `#name = #...`: a definition of a dump; a type that uses it may follow. */
static bool is_definition(const char *text, size_t length)
{
    size_t i = 1;
    if (length < 2 || *text != '#' || !lw_is_name_start(text[1]))
        return false;
    while (i < length && lw_is_name_part(text[i]))
        i++;
    while (i < length && (text[i] == ' ' || text[i] == '\t'))
        i++;
    if (i == length || text[i++] != '=')
        return false;
    while (i < length && strchr(" \t\r\n", text[i]) && text[i])
        i++;
    return i < length && text[i] == '#';
}

/* Whether a text is a layout as Triton prints it, recognised by its end. */
static bool is_tostring_text(const char *text, size_t length)
{
    return lw_starts(text, length, "- ") || lw_starts(text, length, "(empty layout") ||
           find_string(text, length, "where out dims are:");
}

/* Whether a text begins with the name of an operation on CuTe layouts that is not also an encoding. */
static bool calls_cute(const char *text, size_t length)
{
    char name[32];
    size_t count, i = 0;
    while (i < length && lw_is_name_part(text[i]))
        i++;
    if (i == 0 || i == length || i >= sizeof name || (text[i] != '(' && text[i] != '<'))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)i, text);
    if (lw_encoding_type_find(name))
        return false;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    for (i = 0; i < count; i++)
        if ((!strcmp(all[i].name, name) || (all[i].also && !strcmp(all[i].also, name))) &&
            all[i].params[0].kind != LW_CALC_PARAM_LAYOUT &&
            (all[i].on == LW_CALC_OF_CUTE || !strncmp(all[i].name, "make_", 5)))
            return true;
    return false;
}

/* Whether a text has a shape before a colon, as only CuTe has: `4:`, `_4 :`, `):`. */
static bool has_stride(const char *text, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        size_t before = i;
        if (text[i] != ':')
            continue;
        while (before > 1 && strchr(" \t", text[before - 1]))
            before--;
        if (text[before - 1] == ')' || (text[before - 1] >= '0' && text[before - 1] <= '9'))
            return true;
    }
    return false;
}

/* Whether a text is the name of an atom, SM80_16x8x16_F32F16F16F32_TN.C, or v_mfma_f32_32x32x8_f16 of AMD. In lower
 * case too, so that the error has the right name. */
static bool is_atom_text(const char *text, size_t length)
{
    static const char *const amd[] = {"v_mfma_",   "v_smfmac_", "v_wmma_",
                                      "v_swmmac_", "rdna3::v_", "rdna4::v_"};
    for (size_t i = 0; i < sizeof amd / sizeof *amd; i++)
        if (lw_starts(text, length, amd[i]))
            return true;
    bool small = lw_starts(text, length, "sm");
    return length > 2 && (small || lw_starts(text, length, "SM")) && text[2] >= '1' &&
           text[2] <= '9' && (!small || memchr(text, '_', length));
}

static bool is_cute_expression(const char *text, size_t length)
{
    static const char *const starts[] = {
        "Sw<",   "Swizzle<",    "S<",      "UniversalCopy",  "UniversalFMA", "AutoVectorizing",
        "GMMA_", "cute::",      "Layout<", "GMMA::",         "UMMA::",       "Layout_",
        "MMA_",  "DefaultCopy", "cute.",   "ComposedLayout<"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (lw_starts(text, length, starts[i]))
            return true;
    if (calls_cute(text, length) || is_atom_text(text, length) ||
        find_string(text, length, "make_tiled_"))
        return true;
    bool call = length && lw_is_name_start(*text) && memchr(text, '(', length);
    bool first = length && strchr("(_-0123456789", *text);
    return (call || first) && !memchr(text, '=', length) && has_stride(text, length);
}

/* The value of a name that a text assigns first, `A = (4,8):(8,1); logical_divide(A, <2:1>)`: its length, up to the
 * semicolon, and where it begins; 0 when the text does not begin so. */
static size_t assigned_value(const char *text, size_t length, const char **value)
{
    size_t i = 0;
    while (i < length && lw_is_name_part(text[i]))
        i++;
    while (i && i < length && text[i] == ' ')
        i++;
    if (!i || i + 1 >= length || text[i] != '=' || text[i + 1] == '=')
        return 0;
    for (i++; i < length && text[i] == ' ';)
        i++;
    const char *end = memchr(text + i, ';', length - i);
    *value = text + i;
    return end ? (size_t)(end - *value) : 0;
}

static bool is_cute_text(const char *text, size_t length)
{
    const char *value;
    size_t assigned = assigned_value(text, length, &value);
    return is_cute_expression(text, length) || (assigned && is_cute_expression(value, assigned));
}

bool lw_is_type_text(const char *text, size_t length)
{
    return lw_starts(text, length, "tensor<") || lw_starts(text, length, "tensor <") ||
           lw_starts(text, length, "!tt");
}

enum lw_source_kind lw_source_kind_of(const char *text, size_t length)
{
    /* A text of several lines with parentheses is a program, whatever its ending. */
    bool program = memchr(text, '\n', length) && memchr(text, '(', length);
    bool path = length && !strchr("{#!", *text) && !program;
    if (length == 1 && *text == '-')
        return LW_SOURCE_INPUT;
    if (path && lw_ends(text, length, ".json"))
        return LW_SOURCE_FILE;
    if (path && lw_ends(text, length, ".txt"))
        return LW_SOURCE_TEXT;
    if (path && is_dump_path(text, length))
        return LW_SOURCE_DUMP;
    if (length && *text == '{')
        return LW_SOURCE_JSON;
    if (lw_is_type_text(text, length))
        return LW_SOURCE_TYPE;
    if (lw_is_attribute_text(text, length))
        return LW_SOURCE_ATTRIBUTE;
    if (is_definition(text, length))
        return LW_SOURCE_DEFINITIONS;
    if (is_tostring_text(text, length))
        return LW_SOURCE_TOSTRING;
    if (is_cute_text(text, length))
        return LW_SOURCE_CUTE;
    if (memchr(text, '(', length))
        return LW_SOURCE_TILUS;
    return LW_SOURCE_NAME;
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
