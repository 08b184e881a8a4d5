/* Find: an element `3,5`, a place `t17` or `w1 l3 r0`, a `bank 7`, or a parameter by its name.
 *
 * A query about places fixes some input dims; the others count up, so that `n` walks through all the
 * places that fit, in order. */

#include "tui/explorer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct query {
    bool element; /* numbers alone: an index of the tensor */
    int numbers;
    uint64_t number[LW_DIMS_MAX];
    bool fixed[LW_DIMS_MAX]; /* by input dim */
    uint64_t value[LW_DIMS_MAX];
    bool bank;
    uint64_t bank_number;
};

static const char *const shorthands[][2] = {{"t", "thread"},   {"l", "lane"},      {"w", "warp"},
                                            {"r", "register"}, {"b", "block"},     {"o", "offset"},
                                            {"i", "local"},    {"reg", "register"}};

static const char *full_name(const char *word)
{
    for (size_t i = 0; i < sizeof shorthands / sizeof *shorthands; i++)
        if (!strcmp(shorthands[i][0], word))
            return shorthands[i][1];
    return word;
}

static bool fix(struct query *q, const struct lw_dims *in, const char *name, uint64_t value)
{
    int d = lw_dims_find(in, name);
    if (d < 0 || value >= in->dim[d].size)
        return false;
    q->fixed[d] = true;
    q->value[d] = value;
    return true;
}

/* One word with its number: a dim, `thread` of a warp and lane, or a bank. */
static bool add_word(struct query *q, const struct lw_subject *subject, const char *word,
                     uint64_t n)
{
    const struct lw_dims *in = &subject->map.in;
    const char *name = full_name(word);
    if (!strcmp(name, "bank") && lw_dims_find(in, "offset") >= 0 && n < 32) {
        q->bank = true;
        q->bank_number = n;
        return true;
    }
    if (!strcmp(name, "thread") && lw_dims_find(in, "thread") < 0) {
        uint64_t lanes = lw_dims_size(in, "lane");
        return fix(q, in, "lane", n % lanes) && fix(q, in, "warp", n / lanes);
    }
    return fix(q, in, name, n);
}

static bool parse(struct query *q, const struct lw_subject *subject, const char *text)
{
    memset(q, 0, sizeof *q);
    while (*text) {
        char word[24] = "", *end;
        size_t length = 0;
        if (strchr(" ,()=:", *text)) {
            text++;
            continue;
        }
        while (isalpha((unsigned char)text[length]) && length + 1 < sizeof word)
            length++;
        memcpy(word, text, length);
        text += length + strspn(text + length, " =:");
        if (!isdigit((unsigned char)*text))
            return false;
        uint64_t n = strtoull(text, &end, 10);
        text = end;
        if (length > 0) {
            if (!add_word(q, subject, word, n))
                return false;
        } else if (q->numbers < LW_DIMS_MAX) {
            q->number[q->numbers++] = n;
            q->element = true;
        }
    }
    if (q->element && q->numbers != subject->map.out.count)
        return false;
    return true;
}

/* The offsets of a bank: a word of it in each row of 32 banks, `in_row` elements in that word. */
struct bank {
    uint64_t first, row, in_row, count;
};

static struct bank offsets_of_bank(const struct lw_subject *subject, uint64_t number, uint64_t size)
{
    uint64_t bits = subject->tensor.element.bits > 0 ? (uint64_t)subject->tensor.element.bits : 32;
    uint64_t a_word = bits < 32 ? 32 / bits : 1, words = bits > 32 ? bits / 32 : 1;
    struct bank bank = {.first = number * a_word / words, .row = 32 * a_word / words};
    if (size <= bank.first)
        return bank;
    bank.in_row = size - bank.first < a_word ? size - bank.first : a_word;
    bank.count = (size - bank.first + bank.row - 1) / bank.row * bank.in_row;
    return bank;
}

/* How many values a query leaves to an input dim, and number k of them. */
static uint64_t values_left(const struct query *q, const struct lw_subject *subject, int d,
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

/* Place number k of those that fit; returns how many there are. */
static uint64_t place_number(const struct query *q, const struct lw_subject *subject, uint64_t k,
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

/* The next field from `at` on, upward or downward, whose name begins so. */
static bool find_field(struct lw_explorer *ex, const char *name, size_t at, int direction)
{
    size_t count = ex->field_count;
    for (size_t tried = 0; tried < count; tried++) {
        size_t i = (direction > 0 ? at + tried : at + count - tried) % count;
        if (ex->fields[i].path[0] && !strncmp(ex->fields[i].label, name, strlen(name))) {
            ex->field = i;
            ex->item = 0;
            ex->place = LW_AT_FORM;
            return true;
        }
    }
    return false;
}

/* Number k of what a query names; returns how many there are, 0 after saying why. */
static uint64_t spot_number(struct lw_explorer *ex, const struct query *q, uint64_t k,
                            struct lw_spot *spot)
{
    const struct lw_map *map = &ex->opened.subject.map;
    memset(spot, 0, sizeof *spot);
    if (q->element) {
        spot->has_out = true;
        memcpy(spot->out, q->number, sizeof spot->out);
        for (int i = 0; i < map->out.count; i++)
            if (spot->out[i] >= map->out.dim[i].size) {
                lw_explorer_say(ex, true, "%s: outside the tensor", ex->found);
                return 0;
            }
        spot->has_in = lw_map_owner(map, spot->out, k, spot->in);
        uint64_t owners = lw_map_owner_count(map, spot->out);
        return owners ? owners : 1;
    }
    uint64_t total = place_number(q, &ex->opened.subject, k, spot->in);
    spot->has_in = total > 0;
    spot->has_out = spot->has_in && lw_map_apply(map, spot->in, spot->out);
    if (!spot->has_out)
        lw_explorer_say(ex, true, "%s: nothing there", ex->found);
    return spot->has_out ? total : 0;
}

static void show(struct lw_explorer *ex, const struct query *q)
{
    struct lw_spot spot;
    uint64_t total = spot_number(ex, q, ex->found_at, &spot);
    if (!total)
        return;
    lw_explorer_go(ex, &spot);
    if (total > 1)
        lw_explorer_say(ex, false, "%s: %llu of %llu, n for the next", ex->found,
                        (unsigned long long)ex->found_at + 1, (unsigned long long)total);
}

void lw_find(struct lw_explorer *ex, const char *query)
{
    struct query q;
    snprintf(ex->found, sizeof ex->found, "%s", query);
    ex->found_at = 0;
    if (ex->has_opened && query[0] && parse(&q, &ex->opened.subject, query))
        show(ex, &q);
    else if (!query[0] || !find_field(ex, query, 0, 1))
        lw_explorer_say(
            ex, true, "find what? 3,5 (an element)  t17  w1 l3 r0  bank 7  or a parameter's name");
}

void lw_find_again(struct lw_explorer *ex, int direction)
{
    struct query q;
    struct lw_spot spot;
    if (!ex->has_opened || !ex->found[0] || !parse(&q, &ex->opened.subject, ex->found)) {
        size_t count = ex->field_count,
               from = direction > 0 ? ex->field + 1 : ex->field + count - 1;
        if (!ex->found[0] || !find_field(ex, ex->found, from, direction))
            lw_explorer_say(ex, true, "nothing was looked for yet: / finds");
        return;
    }
    uint64_t total = spot_number(ex, &q, 0, &spot);
    if (!total)
        return;
    uint64_t at = ex->found_at % total; /* the layout may have changed since */
    ex->found_at = direction > 0 ? (at + 1) % total : (at + total - 1) % total;
    show(ex, &q);
}
