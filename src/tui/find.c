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

/* Place number k of those that fit; *total is how many there are. */
static bool place_number(const struct query *q, const struct lw_subject *subject, uint64_t k,
                         uint64_t *in, uint64_t *total)
{
    const struct lw_dims *dims = &subject->map.in;
    uint64_t bits = subject->tensor.element.bits > 0 ? (uint64_t)subject->tensor.element.bits : 32;
    uint64_t a_word = bits < 32 ? 32 / bits : 1, words = bits > 32 ? bits / 32 : 1;
    *total = 1;
    for (int d = 0; d < dims->count; d++) {
        uint64_t size = dims->dim[d].size;
        if (q->bank && !strcmp(dims->dim[d].name, "offset")) {
            uint64_t a_row = 32 * a_word / words;
            uint64_t first = q->bank_number * a_word / words;
            uint64_t count = (size + a_row - 1 - first) / a_row * a_word;
            in[d] = first + k / a_word % (size / a_row + 1) * a_row + k % a_word;
            *total *= size > first ? count : 0;
            if (in[d] >= size)
                return false;
        } else if (q->fixed[d]) {
            in[d] = q->value[d];
        } else {
            in[d] = k % size;
            k /= size;
            *total = *total > UINT64_MAX / size ? UINT64_MAX : *total * size;
        }
    }
    return *total > 0;
}

static bool find_field(struct lw_explorer *ex, const char *name)
{
    for (size_t i = 0; i < ex->field_count; i++)
        if (ex->fields[i].path[0] && !strncmp(ex->fields[i].label, name, strlen(name))) {
            ex->field = i;
            ex->item = 0;
            ex->place = LW_AT_FORM;
            return true;
        }
    return false;
}

static void show(struct lw_explorer *ex, const struct query *q)
{
    struct lw_spot spot = {0};
    uint64_t total = 1;
    if (q->element) {
        spot.has_out = true;
        memcpy(spot.out, q->number, sizeof spot.out);
        for (int i = 0; i < ex->opened.subject.map.out.count; i++)
            if (spot.out[i] >= ex->opened.subject.map.out.dim[i].size) {
                lw_explorer_say(ex, true, "%s: outside the tensor", ex->found);
                return;
            }
        spot.has_in = lw_map_owner(&ex->opened.subject.map, spot.out, 0, spot.in);
    } else {
        spot.has_in = place_number(q, &ex->opened.subject, ex->found_at, spot.in, &total);
        spot.has_out = spot.has_in && lw_map_apply(&ex->opened.subject.map, spot.in, spot.out);
        if (!spot.has_out) {
            lw_explorer_say(ex, true, "%s: nothing there", ex->found);
            return;
        }
    }
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
    else if (!query[0] || !find_field(ex, query))
        lw_explorer_say(
            ex, true, "find what? 3,5 (an element)  t17  w1 l3 r0  bank 7  or a parameter's name");
}

void lw_find_again(struct lw_explorer *ex, int direction)
{
    struct query q;
    uint64_t in[LW_DIMS_MAX], total;
    if (!ex->has_opened || !ex->found[0] || !parse(&q, &ex->opened.subject, ex->found)) {
        lw_explorer_say(ex, true, "nothing was looked for yet: / finds");
        return;
    }
    place_number(&q, &ex->opened.subject, 0, in, &total);
    if (q.element || total == 0)
        total = 1;
    ex->found_at = direction > 0 ? (ex->found_at + 1) % total : (ex->found_at + total - 1) % total;
    show(ex, &q);
}
