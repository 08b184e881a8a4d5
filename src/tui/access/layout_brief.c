/* Shared S in short, as the strip names it: "vec 4,1,8", "xor 8", "[32:+1]". */

#include "core/array_count.h"
#include "tui/access/layout_pick.h"
#include "tui/explore/explorer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends the order, "[1, 0]": that of the memory of the access, else row-major. */
static void put_order(struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    const struct lw_value *order = NULL;
    int rank = ex->layouts.opened.subject.map.out.count;
    if (lw_document_has(doc, LW_SIDE_S)) {
        struct lw_document memory;
        lw_document_side(&memory, doc, LW_SIDE_S);
        if (lw_encoding_param(memory.encoding, "order") >= 0)
            order = lw_encoding_value(memory.encoding, "order");
    }
    bool has = order && order->kind == LW_VALUE_LIST && order->count == (size_t)rank;
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%lld", i ? ", " : "[",
                       has ? (long long)order->items[i].integer : rank - 1LL - i);
    lw_text_char(text, ']');
}

/* The size of the dim that varies fastest, in the order of put_order. */
static unsigned long long row_size(struct lw_explorer *ex)
{
    const struct lw_dims *dims = &ex->layouts.opened.subject.map.out;
    struct lw_text order = {0};
    put_order(ex, &order);
    unsigned long long fastest = strtoull(lw_text_string(&order) + 1, NULL, 10);
    lw_text_free(&order);
    return fastest < (unsigned long long)dims->count ? dims->dim[fastest].size : 1;
}

/* Appends the attribute of rows with a gap after each interval; `pads` are the paddings, "32:+1". */
static void put_padded(struct lw_explorer *ex, const char *pads, int length, struct lw_text *source)
{
    const struct lw_dims *dims = &ex->layouts.opened.subject.map.out;
    lw_text_format(source, "#ttg.padded_shared<[%.*s] {order = ", length, pads);
    put_order(ex, source);
    lw_text_add(source, ", shape = ");
    for (int i = 0; i < dims->count; i++)
        lw_text_format(source, "%s%llu", i ? ", " : "[", (unsigned long long)dims->dim[i].size);
    lw_text_add(source, "]}>");
}

/* The length of a number of at most 9 digits; 0: there is none, or a longer one. */
static size_t number_length(const char *text)
{
    const size_t length = strspn(text, "0123456789");
    return length <= 9 ? length : 0;
}

/* The length of paddings, "32:+1, 64:+2"; 0: it is something else. */
static size_t pads_length(const char *text)
{
    const char *at = text;
    do {
        at += strspn(at, ", ");
        const size_t interval = number_length(at);
        if (!interval || strncmp(at + interval, ":+", 2) != 0)
            return 0;
        at += interval + 2;
        const size_t gap = number_length(at);
        if (!gap)
            return 0;
        at += gap;
    } while (*at == ',' && at[1 + strspn(at + 1, " ")]);
    return (size_t)(at - text);
}

/* Reads "pad 1", a gap after each row, "pad 32:+1" and "[32:+1, 64:+2]". */
static bool read_padding(struct lw_explorer *ex, const char *text, struct lw_text *source)
{
    static const char *const words[] = {"padding", "padded", "pad"};
    size_t word = 0;
    for (size_t i = 0; i < LW_COUNT(words) && !word; i++)
        word = strncmp(text, words[i], strlen(words[i])) ? 0 : strlen(words[i]);
    text += word;
    text += strspn(text, " =");
    const bool bracket = *text == '[';
    text += bracket;
    if (!word && !bracket)
        return false;
    const size_t sign = bracket ? 0 : strspn(text, "+ ");
    const size_t pads = pads_length(text), gap = pads || bracket ? 0 : number_length(text + sign);
    const char *end = text + (pads ? pads : gap ? sign + gap : 0);
    if (end == text || (bracket && *end != ']'))
        return false;
    end += bracket;
    if (end[strspn(end, pads ? ", " : " ")])
        return false;
    struct lw_text row = {0};
    if (gap)
        lw_text_format(&row, "%llu:+%.*s", row_size(ex), (int)gap, text + sign);
    put_padded(ex, gap ? lw_text_string(&row) : text, gap ? (int)row.length : (int)pads, source);
    lw_text_free(&row);
    return true;
}

/* Copies a text with a blank for each comma and equals sign; false: it is too long for a short form, or has a minus. */
static bool blank_signs(const char *text, char *copy, size_t size)
{
    size_t length = strlen(text);
    for (size_t i = 0; i <= length && length < size; i++)
        copy[i] = (char)(text[i] == ',' || text[i] == '=' ? ' ' : text[i]);
    return length < size && !strchr(text, '-');
}

bool lw_layout_brief(struct lw_explorer *ex, const char *brief, struct lw_text *source)
{
    static const char *const forms[] = {"vec %9u %9u %9u %n",
                                        "vec %9u perPhase %9u maxPhase %9u %n", "%9u %9u %9u %n"};
    char text[80];
    unsigned vec = 0, per = 0, max = 0;
    int end = 0;
    if (!ex->layouts.has_opened || !blank_signs(brief, text, sizeof text))
        return false;
    if (read_padding(ex, brief, source))
        return true;
    if (sscanf(text, "xor %9u %n", &max, &end) == 1 && end && !text[end])
        vec = per = 1;
    for (size_t i = 0; i < LW_COUNT(forms) && !(end && !text[end]); i++) {
        end = 0;
        if (sscanf(text, forms[i], &vec, &per, &max, &end) != 3)
            end = 0;
    }
    if (!end || text[end])
        return false;
    lw_text_format(source,
                   "#ttg.swizzled_shared<{vec = %u, perPhase = %u, maxPhase = %u, order = ", vec,
                   per, max);
    put_order(ex, source);
    lw_text_add(source, "}>");
    return true;
}

const char *lw_layout_brief_wrong(const char *text)
{
    static const struct {
        const char *begins, *why;
    } forms[] = {
        {"vec", "vec needs three numbers: vec, perPhase, maxPhase, as in vec 4,1,8"},
        {"xor", "xor needs one number, as in xor 8: the column ^ row % 8"},
        {"pad", "pad needs the gap after each row, as in pad 1, or after each interval, as in "
                "pad 32:+1; in elements"},
        {"[", "paddings are an interval and the gap after it, in elements, as in [32:+1]"},
    };
    for (size_t i = 0; i < LW_COUNT(forms); i++)
        if (!strncmp(text, forms[i].begins, strlen(forms[i].begins)) &&
            !isalpha((unsigned char)text[3 * (*text != '[')]))
            return forms[i].why;
    if (*text && !text[strspn(text, "0123456789, ")])
        return "a swizzle has three numbers: vec 4,1,8 is one of Triton (vec, perPhase, maxPhase), "
               "Sw<3,3,3> one of CuTe (bits, base, shift)";
    if (!strncmp(text, "padd", 4) && !strpbrk(text, "/<"))
        return forms[2].why;
    return strchr(text, ' ') && !strpbrk(text, "<({[/.:#")
               ? "shared S is a SOURCE, vec 4,1,8, xor 8, pad 1 or Sw<3,3,3>"
               : NULL;
}
