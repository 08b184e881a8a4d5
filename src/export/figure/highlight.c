/* Reading "lane=9 warp=0-1,3", and comparing cells with it. */

#include "export/figure/highlight.h"

#include <stdlib.h>
#include <string.h>

static bool find_field(struct lw_highlight *h, const char *name, size_t length, size_t *field,
                       struct lw_error *err)
{
    struct lw_text names = {0};
    for (*field = 0; *field < h->values.count; ++*field) {
        const char *here = h->values.names[*field];
        if (strlen(here) == length && !strncmp(here, name, length)) {
            lw_text_free(&names);
            return true;
        }
        lw_text_format(&names, "%s%s", *field ? ", " : "", here);
    }
    lw_error_set(err, LW_ERROR_NAME, "--highlight: no field '%.*s' here: there are %s",
                 (int)(length < 40 ? length : 40), name, lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static bool read_number(const char **at, uint64_t *number)
{
    size_t digits = strspn(*at, "0123456789");
    if (!digits || digits > 19)
        return false;
    *number = strtoull(*at, NULL, 10);
    *at += digits;
    return true;
}

/* "0-1,3", up to a blank. */
static bool read_ranges(struct lw_highlight *h, const char **at)
{
    do {
        size_t i = h->wanted[h->count].ranges;
        uint64_t *from = h->wanted[h->count].from, *to = h->wanted[h->count].to;
        *at += i > 0;
        if (i == LW_HIGHLIGHT_RANGES || !read_number(at, &from[i]))
            return false;
        to[i] = from[i];
        if (**at == '-' && (++*at, !read_number(at, &to[i]) || to[i] < from[i]))
            return false;
        h->wanted[h->count].ranges++;
    } while (**at == ',');
    return !**at || **at == ' ';
}

bool lw_highlight_read(struct lw_highlight *h, const struct lw_view *view, const char *text,
                       struct lw_error *err)
{
    memset(h, 0, sizeof *h);
    lw_values_open(&h->values, view);
    if (!text)
        return true;
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, "= ");
        if (h->count == LW_HIGHLIGHT_FIELDS)
            return lw_error_set(err, LW_ERROR_LIMIT, "--highlight: at most %d fields",
                                LW_HIGHLIGHT_FIELDS);
        if (!find_field(h, at, length, &h->wanted[h->count].field, err))
            return false;
        at += length + (at[length] == '=');
        if (!read_ranges(h, &at))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "--highlight '%.40s': expected FIELD=NUMBER, such as lane=9 or "
                                "'warp=0-1,3 register=0'",
                                text);
        h->count++;
    }
    return h->count > 0 || lw_error_set(err, LW_ERROR_SYNTAX, "--highlight: expected FIELD=NUMBER");
}

static bool is_wanted(const struct lw_highlight *h, size_t i, uint64_t number)
{
    for (size_t k = 0; k < h->wanted[i].ranges; k++)
        if (number >= h->wanted[i].from[k] && number <= h->wanted[i].to[k])
            return true;
    return false;
}

bool lw_highlight_has(struct lw_highlight *h, uint64_t row, uint64_t col)
{
    uint64_t owners = lw_values_of(&h->values, row, col), number;
    for (uint64_t k = 0; k < owners; k++) {
        size_t i = 0;
        while (i < h->count && lw_value_at(&h->values, k, h->wanted[i].field, &number) &&
               is_wanted(h, i, number))
            i++;
        if (i == h->count)
            return true;
    }
    return false;
}
