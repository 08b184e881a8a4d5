/* Find: an element `3,5`, a place `t17`, `w1 l3 r0` or `T17:2`, a `bank 7`, or a parameter by its
 * name; in the list, a layout whose name or title has the words in it.
 *
 * A query about places fixes some input dims; the others count up, so that `n` walks through all the
 * places that fit, in order. */

#include "tui/explorer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct query {
    bool element; /* numbers alone: an index of the tensor */
    int numbers;
    uint64_t number[LW_DIMS_MAX];
    bool fixed[LW_DIMS_MAX]; /* by input dim */
    uint64_t value[LW_DIMS_MAX];
    bool bank;
    uint64_t bank_number;
    char why[96]; /* a right query that this layout has no answer to */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

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
    if (d < 0)
        return false;
    if (value >= in->dim[d].size)
        snprintf(q->why, sizeof q->why, "there is no %s %llu: the last is %llu", name,
                 (unsigned long long)value, (unsigned long long)in->dim[d].size - 1);
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
    if (!strcmp(name, "bank")) {
        if (lw_dims_find(in, "offset") < 0)
            snprintf(q->why, sizeof q->why, "a layout in registers has no banks");
        else if (n >= 32)
            snprintf(q->why, sizeof q->why, "there is no bank %llu: the last is 31",
                     (unsigned long long)n);
        q->bank = true;
        q->bank_number = n;
        return true;
    }
    if (!strcmp(name, "thread") && lw_dims_find(in, "thread") < 0) {
        uint64_t lanes = lw_dims_size(in, "lane"), warps = lw_dims_size(in, "warp");
        if (lw_dims_find(in, "lane") >= 0 && n >= lanes * warps) {
            snprintf(q->why, sizeof q->why, "there is no thread %llu: the last is %llu",
                     (unsigned long long)n, (unsigned long long)(lanes * warps - 1));
            return true;
        }
        return fix(q, in, "lane", n % lanes) && fix(q, in, "warp", n / lanes);
    }
    return fix(q, in, name, n);
}

/* `T17:2` is thread 17 and register 2, as cells say it. */
static bool add_register(struct query *q, const struct lw_subject *subject, const char **text)
{
    char *end;
    if ((*text)[0] != ':' || !is_digit((*text)[1]))
        return true;
    uint64_t n = strtoull(*text + 1, &end, 10);
    *text = end;
    return fix(q, &subject->map.in, "register", n) || fix(q, &subject->map.in, "local", n);
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
        for (; is_letter(text[length]) && length + 1 < sizeof word; length++)
            word[length] = (char)(text[length] | 32);
        text += length + strspn(text + length, " =:");
        if (!is_digit(*text))
            return false;
        uint64_t n = strtoull(text, &end, 10);
        text = end;
        if (length > 0) {
            if (!add_word(q, subject, word, n) ||
                (!strcmp(full_name(word), "thread") && !add_register(q, subject, &text)))
                return false;
        } else if (q->numbers < LW_DIMS_MAX) {
            q->number[q->numbers++] = n;
            q->element = true;
        }
    }
    if (q->element && q->numbers != subject->map.out.count)
        snprintf(q->why, sizeof q->why, "an element of this tensor has %d numbers",
                 subject->map.out.count);
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
    if (!spot->has_in)
        lw_explorer_say(ex, true, "%s: nothing there", ex->found);
    return total;
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

/* ---- In the list ---- */

static bool has_words(const char *text, const char *words)
{
    size_t length = strlen(words);
    for (; *text; text++)
        if (!strncasecmp(text, words, length))
            return true;
    return false;
}

/* The next entry, from the one `by` further on, whose name or title has the words in it. */
static bool find_entry(struct lw_explorer *ex, const char *words, int by)
{
    size_t count = ex->entry_count, step = by > 0 ? 1 : count - 1;
    for (size_t i = (ex->entry + step) % count, tried = 0; tried < count;
         tried++, i = (i + step) % count)
        if (has_words(ex->entries[i].source, words) || has_words(ex->entries[i].title, words)) {
            lw_explorer_show(ex, i);
            return true;
        }
    return false;
}

void lw_find(struct lw_explorer *ex, const char *query)
{
    struct query q;
    snprintf(ex->found, sizeof ex->found, "%s", query);
    ex->found_at = 0;
    if (query[0] && ex->place == LW_AT_GALLERY && find_entry(ex, query, 1))
        return;
    bool place = ex->has_opened && query[0] && parse(&q, &ex->opened.subject, query);
    if (place && q.why[0])
        lw_explorer_say(ex, true, "%s", q.why);
    else if (place)
        show(ex, &q);
    else if (!query[0] || !find_field(ex, query, 0, 1))
        lw_explorer_say(
            ex, true, "find what? 3,5 (an element)  t17  w1 l3 r0  bank 7  or a parameter's name");
}

void lw_find_again(struct lw_explorer *ex, int direction)
{
    struct query q;
    struct lw_spot spot;
    if (ex->found[0] && ex->place == LW_AT_GALLERY && find_entry(ex, ex->found, direction))
        return;
    if (!ex->has_opened || !ex->found[0] || !parse(&q, &ex->opened.subject, ex->found) ||
        q.why[0]) {
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
