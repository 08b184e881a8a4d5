/* Reads queries, and matches them with a layout. */

#include "view/query.h"

#include "view/view_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
static bool fix_thread(struct lw_query *q, const struct lw_dims *in, uint64_t n)
{
    uint64_t lanes = lw_dims_size(in, "lane"), warps = lw_dims_size(in, "warp");
    int lane = lw_dims_find(in, "lane"), warp = lw_dims_find(in, "warp");
    if (lane >= 0 && n >= lanes * warps) {
        refuse(q, "no thread %llu: the last is %llu", (unsigned long long)n,
               (unsigned long long)(lanes * warps - 1));
        return true;
    }
    if (warp >= 0 && q->fixed[warp] && q->value[warp] != n / lanes)
        refuse(q, "thread %llu is in warp %llu, not %llu; l%llu is a lane", (unsigned long long)n,
               (unsigned long long)(n / lanes), (unsigned long long)q->value[warp],
               (unsigned long long)(n % lanes));
    return fix_dim(q, in, "lane", n % lanes) && fix_dim(q, in, "warp", n / lanes);
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
    const char *name = lw_field_full_name(a_token);
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
    return fix_dim(q, in, name, n) || refuse_dim(q, in, name);
}

/* `T17:2` is thread 17 and register 2, as cells print it. */
static bool add_register(struct lw_query *q, const struct lw_subject *subject, const char **text)
{
    if ((*text)[0] != ':' || !is_digit((*text)[1]))
        return true;
    ++*text;
    uint64_t n = read_number(q, text);
    q->named++;
    return fix_dim(q, &subject->map.in, "register", n) || fix_dim(q, &subject->map.in, "local", n);
}

/* Puts "there is no element 99,99: the tensor is 16 x 64, the last one 15,63" if a number is too great. */
static void check_element(struct lw_query *q, const struct lw_map *map)
{
    struct lw_text text = {0}, size = {0}, last = {0};
    bool outside = false;
    for (int i = 0; i < map->out.count; i++) {
        uint64_t extent = map->out.dim[i].size;
        outside = outside || q->number[i] >= extent;
        lw_text_format(&text, "%s%llu", i ? "," : "", (unsigned long long)q->number[i]);
        lw_text_format(&size, "%s%llu", i ? " x " : "", (unsigned long long)extent);
        lw_text_format(&last, "%s%llu", i ? "," : "", (unsigned long long)(extent - 1));
    }
    if (outside)
        refuse(q, "no element %s: the tensor is %s, the last one %s", lw_text_string(&text),
               lw_text_string(&size), lw_text_string(&last));
    lw_text_free(&text);
    lw_text_free(&size);
    lw_text_free(&last);
}

bool lw_query_read(struct lw_query *q, const struct lw_subject *subject, const char *text)
{
    memset(q, 0, sizeof *q);
    while (*text) {
        char a_token[24] = "";
        size_t length = 0;
        if (strchr(" ,()=:", *text)) {
            text++;
            continue;
        }
        for (; is_letter(text[length]) && length + 1 < sizeof a_token; length++)
            a_token[length] = (char)(text[length] | 32);
        text += length + strspn(text + length, " =:");
        if (!is_digit(*text))
            return false;
        uint64_t n = read_number(q, &text);
        if (length > 0) {
            if (!add_word(q, subject, a_token, n) ||
                (!strcmp(lw_field_full_name(a_token), "thread") &&
                 !add_register(q, subject, &text)))
                return false;
        } else if (q->numbers < LW_DIMS_MAX) {
            q->number[q->numbers++] = n;
            q->element = true;
        }
    }
    if (q->element && q->named)
        snprintf(q->why, sizeof q->why, "find an element, such as %s, or a %s, not both",
                 subject->map.out.count > 1 ? "3,5" : "3", q->name);
    else if (q->element && q->numbers != subject->map.out.count)
        refuse(q, "an element of this tensor has %d number%s", subject->map.out.count,
               subject->map.out.count == 1 ? "" : "s");
    else if (q->element)
        check_element(q, &subject->map);
    return true;
}

/* The offsets of a bank: a word of it in each row across all banks, `in_row` elements in that word. */
struct bank {
    uint64_t first, row, in_row, count;
};

static struct bank offsets_of_bank(const struct lw_subject *subject, uint64_t number, uint64_t size)
{
    const struct lw_bank_model *banks = lw_subject_banks(subject);
    uint64_t a_token = 8 * banks->bank_bytes;
    uint64_t bits =
        subject->tensor.element.bits > 0 ? (uint64_t)subject->tensor.element.bits : a_token;
    uint64_t a_word = bits < a_token ? a_token / bits : 1,
             words = bits > a_token ? bits / a_token : 1;
    struct bank bank = {.first = number * a_word / words, .row = banks->banks * a_word / words};
    if (size <= bank.first)
        return bank;
    bank.in_row = size - bank.first < a_word ? size - bank.first : a_word;
    bank.count = (size - bank.first + bank.row - 1) / bank.row * bank.in_row;
    return bank;
}

/* The number of values of an input dim that match a query, and value number k. */
static uint64_t values_left(const struct lw_query *q, const struct lw_subject *subject, int d,
                            uint64_t k, uint64_t *value)
{
    const struct lw_dim *dim = &subject->map.in.dim[d];
    if (q->fixed[d]) {
        *value = q->value[d];
        return 1;
    }
    if (!q->bank || strcmp(dim->name, "offset") != 0) {
        *value = k % dim->size;
        return dim->size;
    }
    struct bank bank = offsets_of_bank(subject, q->bank_number, dim->size);
    if (bank.count) {
        k %= bank.count;
        *value = bank.first + k / bank.in_row * bank.row + k % bank.in_row;
    }
    return bank.count;
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
        total = total > UINT64_MAX / count ? UINT64_MAX : total * count;
    }
    return total;
}
