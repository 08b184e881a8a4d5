/* Reads queries, and matches them with a layout. */

#include "view/query.h"

#include "core/divide.h"
#include "view/view_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The first reason is the one that is reported. */
__attribute__((format(printf, 2, 3))) static void refuse(struct lw_query *q, const char *format,
                                                         ...)
{
    va_list args;
    va_start(args, format);
    if (!q->why[0])
        vsnprintf(q->why, sizeof q->why, format, args);
    va_end(args);
}

/* A number, and the text after it; what no dim has is too great. */
static uint64_t read_number(struct lw_query *q, const char **text)
{
    char *end;
    errno = 0;
    uint64_t n = strtoull(*text, &end, 10);
    if (errno == ERANGE)
        refuse(q, "%.*s is too great a number", (int)(end - *text), *text);
    *text = end;
    return n;
}

static bool fix_dim(struct lw_query *q, const struct lw_dims *in, const char *name, uint64_t value)
{
    int d = lw_dims_find(in, name);
    if (d < 0)
        return false;
    if (value >= in->dim[d].size)
        refuse(q, "no %s %llu: the last is %llu", name, (unsigned long long)value,
               (unsigned long long)in->dim[d].size - 1);
    if (q->fixed[d] && q->value[d] != value)
        refuse(q, "%s %llu or %llu: which one?", name, (unsigned long long)q->value[d],
               (unsigned long long)value);
    q->fixed[d] = true;
    q->value[d] = value;
    return true;
}

/* Fixes a thread of the block: a lane and a warp. If the warp is given too, the thread must be in it. */
static bool fix_thread(struct lw_query *q, const struct lw_dims *in, unsigned long long n)
{
    unsigned long long lanes = lw_dims_size(in, "lane"), warps = lw_dims_size(in, "warp");
    int lane = lw_dims_find(in, "lane"), warp = lw_dims_find(in, "warp");
    if (lane >= 0 && n >= lanes * warps) {
        refuse(q, "no thread %llu: the last is %llu", n, lanes * warps - 1);
        return true;
    }
    if (warp >= 0 && q->fixed[warp] && q->value[warp] != n / lanes)
        refuse(q, "thread %llu is in warp %llu, not %llu; l%llu is a lane", n, n / lanes,
               (unsigned long long)q->value[warp], n % lanes);
    return fix_dim(q, in, "lane", n % lanes) && fix_dim(q, in, "warp", n / lanes);
}

/* Notes the lane or the warp of a dim `thread`. */
static bool note_part(struct lw_query *q, const struct lw_subject *subject, const char *name,
                      uint64_t n)
{
    const bool is_lane = !strcmp(name, "lane");
    bool *has = is_lane ? &q->has_lane : &q->has_warp;
    uint64_t *part = is_lane ? &q->lane : &q->warp;
    if (lw_dims_find(&subject->map.in, "thread") < 0 || (!is_lane && strcmp(name, "warp") != 0))
        return false;
    if (is_lane && n >= subject->lanes)
        refuse(q, "no lane %llu: the last is %llu", (unsigned long long)n,
               (unsigned long long)subject->lanes - 1);
    if (*has && *part != n)
        refuse(q, "%s %llu or %llu: which one?", name, (unsigned long long)*part,
               (unsigned long long)n);
    *has = true;
    *part = n;
    return true;
}

/* Fixes the thread of a lane and a warp; of one of them alone, it sets only the first such thread. */
static void fix_parts(struct lw_query *q, const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    const int d = lw_dims_find(in, "thread");
    const uint64_t named = q->fixed[d] ? q->value[d] : 0; /* it has the other part */
    const uint64_t lane = q->has_lane ? q->lane : named % subject->lanes;
    const uint64_t warp = q->has_warp ? q->warp : named / subject->lanes;
    const uint64_t thread = lane + (warp < UINT32_MAX ? warp : UINT32_MAX) * subject->lanes;
    if ((q->has_lane && q->has_warp) || q->fixed[d] || thread >= in->dim[d].size)
        fix_dim(q, in, "thread", thread);
    else
        q->value[d] = thread;
}

/* A dim of other layouts: "this layout has no thread: its hardware index is offset, block"; false: it is of none. */
static bool refuse_dim(struct lw_query *q, const struct lw_dims *in, const char *name)
{
    struct lw_text dims = {0};
    bool known = false;
    const char *names[2];
    for (size_t i = 0; lw_field_shorthand(i, names); i++)
        known = known || !strcmp(names[1], name);
    for (int d = 0; d < in->count; d++)
        lw_text_format(&dims, "%s%s", d ? ", " : "", in->dim[d].name);
    if (known)
        refuse(q, "this layout has no %s: its hardware index is %s", name, lw_text_string(&dims));
    q->foreign = q->foreign || known;
    lw_text_free(&dims);
    return known;
}

/* One word with its number: a dim, `thread` of a warp and lane, or a bank. */
static bool add_word(struct lw_query *q, const struct lw_subject *subject, const char *a_token,
                     uint64_t n)
{
    const struct lw_dims *in = &subject->map.in;
    const char *name = lw_dims_find(in, a_token) < 0 ? lw_field_full_name(a_token) : a_token;
    q->named++;
    snprintf(q->name, sizeof q->name, "%s", name);
    if (!strcmp(name, "bank")) {
        q->foreign = q->foreign || lw_dims_find(in, "offset") < 0;
        if (q->foreign)
            refuse(q, "a layout in registers has no banks");
        else if (n >= lw_subject_banks(subject)->banks)
            refuse(q, "no bank %llu: the last is %u", (unsigned long long)n,
                   lw_subject_banks(subject)->banks - 1);
        q->bank = true;
        q->bank_number = n;
        return true;
    }
    if (!strcmp(name, "thread") && lw_dims_find(in, "thread") < 0 && fix_thread(q, in, n))
        return true;
    return fix_dim(q, in, name, n) || note_part(q, subject, name, n) || refuse_dim(q, in, name);
}

bool lw_query_read(struct lw_query *q, const struct lw_subject *subject, const char *text)
{
    const struct lw_map *map = &subject->map;
    memset(q, 0, sizeof *q);
    while (*text) {
        char a_token[24] = "";
        size_t length = 0;
        if (strchr(" ,()[]=:", *text)) {
            text++;
            continue;
        }
        const size_t word = strcspn(text, " ,()[]=:");
        const bool whole = text[word] == '='; /* the name of a dim, which may have digits */
        for (; length + 1 < sizeof a_token &&
               (whole ? length < word : isalpha((unsigned char)text[length]) != 0);
             length++)
            a_token[length] = (char)(whole ? text[length] : text[length] | 32);
        text += length + strspn(text + length, " =:");
        if (!is_digit(*text))
            return false;
        uint64_t n = read_number(q, &text);
        if (length > 0) {
            if (!add_word(q, subject, a_token, n))
                return false;
            if (strcmp(lw_field_full_name(a_token), "thread") || text[0] != ':' ||
                !is_digit(text[1]))
                continue;
            text++; /* T17:2 is thread 17 and register 2, as cells print it */
            n = read_number(q, &text);
            q->named++;
            if (!fix_dim(q, &map->in, "register", n) && !fix_dim(q, &map->in, "local", n))
                return false;
        } else if (q->numbers < LW_DIMS_MAX) {
            q->number[q->numbers++] = n;
            q->element = true;
        }
    }
    if (q->has_lane || q->has_warp)
        fix_parts(q, subject);
    if (q->element && q->named)
        snprintf(q->why, sizeof q->why, "find an element, such as %s, or a %s, not both",
                 map->out.count > 1 ? "3,5" : "3", q->name);
    else if (q->element && q->numbers != map->out.count)
        refuse(q, "an element of this tensor has %d number%s", map->out.count,
               map->out.count == 1 ? "" : "s");
    struct lw_text number = {0}, size = {0}, last = {0};
    bool outside = false;
    for (int i = 0; i < map->out.count && q->element; i++) {
        uint64_t extent = map->out.dim[i].size;
        outside = outside || q->number[i] >= extent;
        lw_text_format(&number, "%s%llu", i ? "," : "", (unsigned long long)q->number[i]);
        lw_text_format(&size, "%s%llu", i ? " x " : "", (unsigned long long)extent);
        lw_text_format(&last, "%s%llu", i ? "," : "", (unsigned long long)(extent - 1));
    }
    if (outside)
        refuse(q, "no element %s: the tensor is %s, the last one %s", lw_text_string(&number),
               lw_text_string(&size), lw_text_string(&last));
    lw_text_free(&number);
    lw_text_free(&size);
    lw_text_free(&last);
    return true;
}

/* The number of values of an input dim that match a query, and value number k. A bank has a word in each row across all
 * banks, and an offset in it for each element of that word. */
static uint64_t values_left(const struct lw_query *q, const struct lw_subject *subject, int d,
                            uint64_t k, uint64_t *value)
{
    const struct lw_dim *dim = &subject->map.in.dim[d];
    if (q->fixed[d]) {
        *value = q->value[d];
        return 1;
    }
    if ((q->has_lane || q->has_warp) && !strcmp(dim->name, "thread")) {
        const uint64_t first = q->value[d], lanes = subject->lanes, left = dim->size - first;
        const uint64_t count = q->has_lane    ? (left + lanes - 1) / lanes
                               : left < lanes ? left
                                              : lanes;
        *value = first + k % count * (q->has_lane ? lanes : 1);
        return count;
    }
    if (!q->bank || strcmp(dim->name, "offset") != 0) {
        *value = k % dim->size;
        return dim->size;
    }
    const struct lw_bank_model *banks = lw_subject_banks(subject);
    const uint64_t word = 8 * banks->bank_bytes;
    const uint64_t bits =
        subject->tensor.element.bits > 0 ? (uint64_t)subject->tensor.element.bits : word;
    const uint64_t in_word = bits < word ? word / bits : 1, words = bits > word ? bits / word : 1;
    const uint64_t first = q->bank_number * in_word / words;
    const uint64_t row = banks->banks * in_word / words;
    if (dim->size <= first)
        return 0;
    const uint64_t in_row = dim->size - first < in_word ? dim->size - first : in_word;
    const uint64_t count = (dim->size - first + row - 1) / row * in_row;
    k %= count;
    *value = first + k / in_row * row + k % in_row;
    return count;
}

/* Matching hardware index number k; returns how many there are. */
uint64_t lw_query_index(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                        uint64_t *in)
{
    uint64_t total = 1;
    for (int d = 0; d < subject->map.in.count; d++) {
        uint64_t count = values_left(q, subject, d, k, &in[d]);
        if (count == 0)
            return 0;
        k /= count;
        total = lw_bounded_product(total, count);
    }
    return total;
}

void lw_put_bank(struct lw_text *text, const struct lw_subject *subject, uint64_t bank)
{
    enum { EXAMINED = 1024 };
    const struct lw_query q = {.bank = true, .bank_number = bank};
    const int count = subject->map.out.count;
    uint64_t in[LW_DIMS_MAX], out[LW_DIMS_MAX], next[LW_DIMS_MAX] = {0}, held = 0;
    struct lw_text list = {0};
    size_t end = 0; /* of the first one of neighbours, without its parenthesis */
    const uint64_t offsets = lw_query_index(&q, subject, 0, in);
    for (uint64_t k = 0; k < offsets && k < EXAMINED; k++) {
        lw_query_index(&q, subject, k, in);
        if (!lw_map_apply(&subject->map, in, out))
            continue; /* it is padding */
        if (held++ && count && !memcmp(out, next, (size_t)count * sizeof *out)) {
            lw_text_cut(&list, end);
            lw_text_format(&list, "-%llu)", (unsigned long long)out[count - 1]);
        } else {
            lw_text_add(&list, held > 1 ? " " : ": ");
            lw_put_element(&list, count, out);
            end = list.length - 1;
        }
        memcpy(next, out, (size_t)count * sizeof *out);
        next[count ? count - 1 : 0]++;
    }
    lw_text_format(text, "%llu holds %s", (unsigned long long)bank,
                   offsets > EXAMINED ? "more than " : "");
    lw_put_count(text, held, "element");
    lw_text_add(text, lw_text_string(&list));
    lw_text_free(&list);
}
