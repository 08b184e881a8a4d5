/*
 * The names of atoms: matches a name against the pattern of a family, with alternatives and numbers. A number
 * is stored at the index of its character in enum lw_atom_number.
 */

#include "notation/calc/cute_atoms.h"

#include <stdlib.h>
#include <string.h>

int lw_atom_number_of(char c)
{
    const char *found = c ? strchr("~@^", c) : NULL;
    return found ? (int)(found - "~@^") : -1;
}

/* Whether a name matches a pattern up to its `end`; the numbers in it are undefined when it does not. */
static bool fits_with(const char *pattern, const char *end, const char *name, int numbers[3])
{
    for (; pattern < end; pattern++) {
        int number = lw_atom_number_of(*pattern);
        if (*pattern == '*')
            return true;
        if (*pattern == '{') {
            const char *close = strchr(pattern, '}');
            for (const char *at = pattern + 1; at <= close; at += strcspn(at, "|}") + 1)
                if (!strncmp(at, name, strcspn(at, "|}")) &&
                    fits_with(close + 1, end, name + strcspn(at, "|}"), numbers))
                    return true;
            return false;
        }
        if (number < 0) {
            if (*name++ != *pattern)
                return false;
            continue;
        }
        size_t digits = strspn(name, "0123456789");
        if (digits == 0 || digits > 4 || *name == '0')
            return false;
        numbers[number] = atoi(name);
        name += digits;
    }
    return *name == '\0';
}

/* The same, but the numbers are changed only when the name matches. */
static bool fits(const char *pattern, const char *end, const char *name, int numbers[3])
{
    int tried[3] = {0};
    if (!fits_with(pattern, end, name, tried))
        return false;
    memcpy(numbers, tried, sizeof tried);
    return true;
}

struct lw_atom_range lw_atom_range_of(const struct lw_atoms *family, int i, const int numbers[3])
{
    struct lw_atom_range range = family->number[i];
    if (range.step < 0)
        range.from = range.step = numbers[LW_ATOM_M] / -range.step;
    return range;
}

static bool in_range(const struct lw_atom_range *range, int number)
{
    bool within = number >= range->from && number <= range->to;
    bool on_step = range->step ? within && (number - range->from) % range->step == 0
                               : within && (number & (number - 1)) == 0;
    return on_step || (number && (number == range->also[0] || number == range->also[1]));
}

int lw_atom_wrong_number(const struct lw_atoms *family, const int numbers[3])
{
    for (int i = 0; i < 3; i++) {
        struct lw_atom_range range = lw_atom_range_of(family, i, numbers);
        if (range.to && !in_range(&range, numbers[i]))
            return i;
    }
    return -1;
}

const struct lw_atoms *lw_atom_find(const char *name, int numbers[3])
{
    size_t families;
    const struct lw_atoms *all = lw_atoms(&families), *near = NULL;
    for (size_t i = 0; i < families; i++)
        for (const char *at = all[i].names, *end; *at; at = end + strspn(end, " ")) {
            const char *last = at;
            end = at + strcspn(at, " ");
            for (const char *c = at; c + 1 < end && *c != '{'; c++)
                if (c[0] == ':' && c[1] == ':')
                    last = c + 2;
            if (!fits(at, end, name, numbers) && !fits(last, end, name, numbers))
                continue;
            if (lw_atom_wrong_number(&all[i], numbers) < 0)
                return &all[i];
            near = &all[i];
        }
    return near;
}

size_t lw_atom_spell(const struct lw_atoms *family, const char *pattern, size_t i,
                     struct lw_text *text)
{
    size_t count = 1;
    for (; *pattern && *pattern != ' '; pattern++) {
        int number = lw_atom_number_of(*pattern);
        if (number >= 0)
            lw_text_format(text, "%d", abs(family->number[number].from));
        else if (*pattern != '{') {
            lw_text_char(text, *pattern);
            continue;
        } else {
            const char *close = strchr(pattern, '}'), *at = pattern + 1;
            size_t ways = 1;
            for (const char *c = pattern; c < close; c++)
                ways += *c == '|';
            for (size_t skip = i / count % ways; skip; skip--)
                at += strcspn(at, "|}") + 1;
            lw_text_format(text, "%.*s", (int)strcspn(at, "|}"), at);
            count *= ways;
            pattern = close;
        }
    }
    return count;
}
