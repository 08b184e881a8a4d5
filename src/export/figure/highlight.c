/* Reading "lane=9 warp=0-1,3", "t9 | bank 7" and "3,5", and comparing cells with it. */

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

/* Whether a word ends here. */
static bool ends(const char *at)
{
    return !*at || *at == ' ' || *at == '|';
}

/* "0-1,3" */
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
    return ends(*at);
}

static bool add_field(struct lw_highlight *h, const char *name, size_t length, struct lw_error *err)
{
    char full[24];
    if (h->count == LW_HIGHLIGHT_FIELDS)
        return lw_error_set(err, LW_ERROR_LIMIT, "--highlight: at most %d fields",
                            LW_HIGHLIGHT_FIELDS);
    if (length < sizeof full) { /* t is thread */
        snprintf(full, sizeof full, "%.*s", (int)length, name);
        full[0] = (char)(length == 1 ? full[0] | 32 : full[0]);
        name = lw_field_full_name(full);
        length = strlen(name);
    }
    return find_field(h, name, length, &h->wanted[h->count].field, err);
}

/* An element, "3,5": the index of each dim of the tensor. */
static bool read_element(struct lw_highlight *h, const struct lw_view *view, const char **at,
                         struct lw_error *err)
{
    const struct lw_dims *out = &view->subject->map.out;
    for (int d = 0; d < out->count; d++) {
        *at += d > 0 && **at == ',';
        if (!add_field(h, out->dim[d].name, strlen(out->dim[d].name), err))
            return false;
        uint64_t *from = h->wanted[h->count].from, *to = h->wanted[h->count].to;
        if (!read_number(at, from))
            return false;
        *to = *from;
        h->wanted[h->count++].ranges = 1;
    }
    return ends(*at);
}

/* A field and its numbers: "lane=0-3", "t9", "bank 7". */
static bool read_field(struct lw_highlight *h, const char **at, struct lw_error *err)
{
    size_t length = strcspn(*at, "= "), letters = length;
    if ((*at)[length] != '=')
        for (letters = 0; letters < length && ((*at)[letters] < '0' || (*at)[letters] > '9');)
            letters++;
    if (!add_field(h, *at, letters, err))
        return false;
    *at += letters + ((*at)[letters] == '=');
    *at += strspn(*at, " ");
    if (!read_ranges(h, at))
        return false;
    h->count++;
    return true;
}

bool lw_highlight_read(struct lw_highlight *h, const struct lw_view *view, const char *text,
                       struct lw_error *err)
{
    memset(h, 0, sizeof *h);
    lw_values_open(&h->values, view);
    struct lw_error scratch;
    size_t group = 0;
    err = err ? err : &scratch;
    if (!text)
        return true;
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        size_t first = h->count;
        if (*at == '|' && first && first > group) {
            at++;
            group = first;
            continue;
        }
        err->code = LW_OK;
        if (!(*at >= '0' && *at <= '9' ? read_element(h, view, &at, err) : read_field(h, &at, err)))
            return err->code == LW_OK &&
                   lw_error_set(err, LW_ERROR_SYNTAX,
                                "--highlight '%.40s': expected FIELD=NUMBER, such as lane=9, t9 or "
                                "'warp=0-1,3 register=0'",
                                text);
        h->wanted[first].begins = first == group;
    }
    if (group && group == h->count)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--highlight '%.40s': expected FIELD=NUMBER after the last |", text);
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
        bool all = false;
        for (size_t i = 0; i < h->count; i++) {
            if (h->wanted[i].begins && all)
                return true;
            all = (all || h->wanted[i].begins) &&
                  lw_value_at(&h->values, k, h->wanted[i].field, &number) &&
                  is_wanted(h, i, number);
        }
        if (all)
            return true;
    }
    return false;
}
