/* The numbers in the text of a value: their positions, the one at the caret, and the next value of one. A number
 * consists of digits: a sign is not part of it. */

#include "tui/form/numbers.h"

#include <ctype.h>
#include <stdlib.h>

/* Number `item` of a value's text: its bytes from *start to *end; false when there are fewer. */
bool lw_number_find(const char *text, size_t item, size_t *start, size_t *end)
{
    for (size_t i = 0; text[i];) {
        if (!isdigit((unsigned char)text[i])) {
            i++;
            continue;
        }
        *start = i;
        while (isdigit((unsigned char)text[i]))
            i++;
        *end = i;
        if (item-- == 0)
            return true;
    }
    return false;
}

bool lw_number_at(const char *text, size_t caret, size_t *item)
{
    size_t start, end;
    for (*item = 0; lw_number_find(text, *item, &start, &end); ++*item)
        if (caret >= start && caret <= end)
            return true;
    return false;
}

/* The next value of one number: a legal choice, the next power of two, or one more or less. */
int64_t lw_number_step(const struct lw_param *param, int64_t n, int direction)
{
    for (size_t i = 0; param && i < param->choice_count; i++)
        if (param->choices[i] == n) {
            size_t next = i + (size_t)direction;
            return next < param->choice_count ? param->choices[next] : n;
        }
    bool power = !param || (param->rules & LW_RULE_POWER_OF_TWO) ||
                 (n > 2 && lw_log2((uint64_t)n) >= 0 && !(param->rules & LW_RULE_PERMUTATION));
    if (!power)
        return direction < 0 ? (n > 0 ? n - 1 : n) : n < INT64_MAX ? n + 1 : n;
    int64_t below =
        1; /* the greatest power of two up to n: the step down from a number that is none */
    while (n >= 1 && below <= n / 2)
        below *= 2;
    if (direction > 0)
        return n < 1 ? 1 : below > INT64_MAX / 2 ? n : below * 2;
    return n <= 1 ? n : below < n ? below : n / 2;
}

/* Appends the text with two of its numbers exchanged. */
static void exchange(struct lw_text *out, const char *text, size_t a, size_t b)
{
    size_t s1, e1, s2, e2;
    if (!lw_number_find(text, a, &s1, &e1) || !lw_number_find(text, b, &s2, &e2) || a == b) {
        lw_text_add(out, text);
        return;
    }
    if (s2 < s1) {
        size_t s = s1, e = e1;
        s1 = s2, e1 = e2, s2 = s, e2 = e;
    }
    lw_text_bytes(out, text, s1);
    lw_text_bytes(out, text + s2, e2 - s2);
    lw_text_bytes(out, text + e1, s2 - e1);
    lw_text_bytes(out, text + s1, e1 - s1);
    lw_text_add(out, text + e2);
}

/* A permutation steps by exchanging the chosen entry with its neighbour. */
void lw_number_exchange(struct lw_text *out, const char *text, size_t item, int direction)
{
    size_t start, end, other = item + (size_t)direction;
    if ((direction < 0 && item == 0) || !lw_number_find(text, other, &start, &end))
        other = item + (size_t)-direction;
    exchange(out, text, item, other);
}

bool lw_number_bring(struct lw_text *out, const char *text, size_t item, int64_t value)
{
    size_t start, end;
    for (size_t i = 0; lw_number_find(text, i, &start, &end); i++)
        if (strtoll(text + start, NULL, 10) == value) {
            exchange(out, text, item, i);
            return true;
        }
    return false;
}
