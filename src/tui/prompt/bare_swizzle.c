/* `:shared Sw<3,3,3>`: a swizzle without a layout gets the row-major layout of the tensor. */

#include "tui/access/verdict.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include <string.h>

static bool is_bare(const char *source)
{
    const char *end = strchr(source, '>');
    return (!strncmp(source, "Sw<", 3) || !strncmp(source, "Swizzle<", 8)) && end &&
           !end[1 + strspn(end + 1, " ")];
}

/* Puts the row-major layout, "(64,64):(64,1)". */
static void put_rows(const struct lw_dims *dims, struct lw_text *text)
{
    uint64_t stride = 1;
    for (int i = 0; i < dims->count; i++)
        stride *= dims->dim[i].size;
    lw_text_char(text, '(');
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)dims->dim[i].size);
    lw_text_add(text, "):(");
    for (int i = 0; i < dims->count; i++) {
        stride /= dims->dim[i].size;
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)stride);
    }
    lw_text_char(text, ')');
}

/* Puts the unit of its numbers, and the same swizzle in bytes if it is exact, as CUTLASS counts before a layout is
 * recast to elements: " in elements of f16 (in bytes, as with smem_ptr[16b]: Sw<3,5,3>)". */
static void put_unit(struct lw_text *text, const char *source, const struct lw_element *element)
{
    int base = 3, bits = element->bits; /* a byte has 2 to that power bits */
    int b, m, s;
    const char *numbers = strchr(source, '<');
    lw_text_format(text, " in elements of %s", element->name[0] ? element->name : "any size");
    if (bits < 1 || (bits & (bits - 1)) || !numbers ||
        sscanf(numbers, "<%d ,%d ,%d", &b, &m, &s) != 3)
        return;
    for (; bits > 1; bits /= 2)
        base--;
    if (base <= m)
        lw_text_format(text, " (in bytes, as with smem_ptr[%db]: Sw<%d,%d,%d>)", element->bits, b,
                       m - base, s);
}

bool lw_bare_numbers(struct lw_explorer *ex, const char *source)
{
    int n[3], end = 0;
    if (sscanf(source, "%d ,%d ,%d %n", &n[0], &n[1], &n[2], &end) != 3 || !end || source[end])
        return false;
    lw_explorer_set_message(ex, true,
                            ":swizzle Sw<%d,%d,%d> is that of CuTe (bits, base, shift), "
                            ":shared vec %d,%d,%d that of Triton (vec, perPhase, maxPhase)",
                            n[0], n[1], n[2], n[0], n[1], n[2]);
    return true;
}

bool lw_bare_swizzle(struct lw_explorer *ex, const char *source)
{
    struct lw_text whole = {0};
    if (!is_bare(source) || !ex->layouts.has_opened || !ex->layouts.opened.subject.map.out.count)
        return false;
    const enum lw_side own = ex->layouts.side;
    lw_text_format(&whole, "%s o 0 o ", source);
    put_rows(&ex->layouts.opened.subject.map.out, &whole);
    if (lw_verdict_set(ex, own == LW_SIDE_S ? "encoding" : "shared", lw_text_string(&whole)) &&
        !ex->status.is_error) {
        char verdict[sizeof ex->status.message];
        snprintf(verdict, sizeof verdict, "%s", ex->status.message);
        struct lw_text unit = {0};
        put_unit(&unit, source, &ex->layouts.opened.subject.tensor.element);
        lw_explorer_set_message(ex, false, "of row-major rows, %s%s: %s", lw_text_string(&whole),
                                lw_text_string(&unit), verdict);
        lw_text_free(&unit);
    }
    lw_text_free(&whole);
    return true;
}
