/* Characters: UTF-8, widths, and which of them are not printable. Source of the latter: the general categories Cc, Cf
 * (without those that have a glyph), Zl and Zp of Unicode 16, and the rest of the block of tags. */

#include "core/text_escape.h"

#include <string.h>

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
