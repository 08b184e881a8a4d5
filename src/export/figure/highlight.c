/* Reading "t9 | bank 7" and "3,5" as find does, and "lane=9 warp=0-1,3 row=4", which find does not read; and comparing
 * cells with it. */

#include "export/figure/highlight.h"

#include "view/query.h"

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
    if (h->values.count)
        lw_error_set(err, LW_ERROR_NAME, "--highlight: no field '%.*s' here: there are %s",
                     (int)(length < 40 ? length : 40), name, lw_text_string(&names));
    else
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "--highlight: this view has no fields");
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
    return !**at || **at == ' ';
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

/* A field that has one number. */
static bool add_number(struct lw_highlight *h, const char *name, uint64_t number,
                       struct lw_error *err)
{
    if (!add_field(h, name, strlen(name), err))
        return false;
    h->wanted[h->count].from[0] = h->wanted[h->count].to[0] = number;
    h->wanted[h->count++].ranges = 1;
    return true;
}

/* Reads a query of find, in the layout that it names, else in the first of the view that has an answer; else `q` has
 * the reason of the first. *named: the number of the one that it names. False: it is not a query. */
static bool read_query(const struct lw_view *view, const char *text, struct lw_query *q, int *named)
{
    struct lw_query other;
    const char *name;
    *named = lw_query_operand(view, &text);
    if (*named)
        return lw_query_read_named(q, view, *named, text);
    bool is_query = lw_query_read(q, view->subject, text);
    for (int i = 1; is_query && q->why[0] && i < LW_VALUES_LAYOUTS; i++) {
        const struct lw_subject *layout = lw_view_layout(view, i, &name);
        if (layout && lw_query_read(&other, layout, text) && !other.why[0]) {
            *q = other;
            q->operand = i;
        }
    }
    return is_query;
}

static bool add_query(struct lw_highlight *h, const struct lw_view *view, const struct lw_query *q,
                      struct lw_error *err)
{
    const char *name;
    const struct lw_map *map = &lw_view_layout(view, q->operand, &name)->map;
    bool added = true;
    for (int d = 0; added && d < q->numbers; d++)
        added = add_number(h, map->out.dim[d].name, q->number[d], err);
    for (int d = 0; added && d < map->in.count; d++)
        if (q->fixed[d])
            added = add_number(h, map->in.dim[d].name, q->value[d], err);
    return added && (!q->bank || add_number(h, "bank", q->bank_number, err));
}

/* Keeps why find refuses a number of a field, such as lane 99. */
static void check_number(struct lw_highlight *h, const struct lw_view *view, const char *field,
                         uint64_t number)
{
    struct lw_query q;
    char text[64];
    int named;
    snprintf(text, sizeof text, "%.30s %llu", field, (unsigned long long)number);
    if (!h->why[0] && read_query(view, text, &q, &named) && !q.foreign)
        snprintf(h->why, sizeof h->why, "%s", q.why);
}

/* A field and its numbers: "lane=0-3", "t9", "bank 7". */
static bool read_field(struct lw_highlight *h, const struct lw_view *view, const char **at,
                       struct lw_error *err)
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
    for (size_t k = 0; k < h->wanted[h->count].ranges; k++)
        check_number(h, view, h->values.names[h->wanted[h->count].field],
                     h->wanted[h->count].from[k]);
    h->count++;
    return true;
}

/* What is between two |: a query of find, or else fields with lists and ranges of numbers, or such as find does not
 * know. What find refuses, no cell has. */
static bool read_group(struct lw_highlight *h, const struct lw_view *view, const char *text,
                       struct lw_error *err)
{
    const size_t first = h->count;
    struct lw_query q;
    int named;
    text += strspn(text, " ");
    bool is_query = read_query(view, text, &q, &named), done = true;
    bool has_lists = q.element && q.named; /* lane=3,5 */
    if (is_query && !q.why[0]) {
        done = add_query(h, view, &q, err) &&
               (!named || add_number(h, "operand", (uint64_t)named - 1, err));
    } else if (is_query && !q.foreign && !has_lists) {
        snprintf(h->why, sizeof h->why, "%s", h->why[0] ? h->why : q.why);
        done = h->count < LW_HIGHLIGHT_FIELDS;
        h->count += done;
    } else {
        for (; done && *text; text += strspn(text, " "))
            done = read_field(h, view, &text, err);
    }
    if (done)
        h->wanted[first].begins = true;
    return done;
}

static bool refuse(const char *text, const char *expected, struct lw_error *err)
{
    return lw_error_set(err, LW_ERROR_SYNTAX, "--highlight '%.40s': expected FIELD=NUMBER%s", text,
                        expected);
}

bool lw_highlight_read(struct lw_highlight *h, const struct lw_view *view, const char *text,
                       struct lw_error *err)
{
    struct lw_text group = {0};
    struct lw_error scratch = {0};
    bool done = true, more = true;
    memset(h, 0, sizeof *h);
    lw_values_open(&h->values, view);
    err = err ? err : &scratch;
    if (!text)
        return true;
    if (!text[strspn(text, " ")])
        return lw_error_set(err, LW_ERROR_SYNTAX, "--highlight: expected FIELD=NUMBER");
    for (const char *at = text; done && more; at += more) {
        size_t length = strcspn(at, "|");
        lw_text_clear(&group);
        lw_text_bytes(&group, at, length);
        err->code = LW_OK;
        if (strspn(at, " ") >= length)
            done = refuse(text, at == text ? " before the first |" : " after each |", err);
        else
            done = read_group(h, view, lw_text_string(&group), err) ||
                   (err->code == LW_OK &&
                    refuse(text, ", such as lane=9, t9 or 'warp=0-1,3 register=0'", err));
        at += length;
        more = *at == '|';
    }
    lw_text_free(&group);
    return done;
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

/* Whether one of the rows and columns that are written has a highlighted cell. */
static bool has_any(struct lw_highlight *h, const struct lw_view *view,
                    const struct lw_export_options *options)
{
    uint64_t rows = options->row_to ? options->row_to : view->rows;
    uint64_t cols = options->col_to ? options->col_to : view->cols;
    for (uint64_t row = options->row_from; row < rows; row++)
        for (uint64_t col = options->col_from; col < cols; col++)
            if (lw_highlight_has(h, row, col))
                return true;
    return false;
}

bool lw_highlight_check(const struct lw_view *const *views, size_t count,
                        const struct lw_export_options *options, struct lw_error *err)
{
    struct lw_highlight h;
    char why[sizeof h.why] = "";
    size_t refused = 0;
    bool some = !options->highlight;
    for (size_t i = 0; options->highlight && i < count; i++) {
        if (!lw_highlight_read(&h, views[i], options->highlight, err))
            return false;
        if (h.why[0] && !refused++)
            memcpy(why, h.why, sizeof why);
        some = some || has_any(&h, views[i], options);
    }
    return (some && refused < count) ||
           lw_error_set(err, LW_ERROR_LIMIT, "--highlight '%.60s': %s", options->highlight,
                        refused == count ? why : "no cell has that");
}

static bool is_marked(const void *context, const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_highlight_marks *marks = context;
    return lw_highlight_has(marks->highlight, row, col) ||
           (marks->marked && marks->marked(marks->context, view, row, col));
}

bool lw_highlight_mark(struct lw_highlight_marks *marks, struct lw_highlight *highlight,
                       const struct lw_view *view, struct lw_export_options *options,
                       struct lw_error *err)
{
    if (!options->highlight)
        return true;
    *marks = (struct lw_highlight_marks){highlight, options->marked, options->marked_context};
    options->marked = is_marked;
    options->marked_context = marks;
    return lw_highlight_read(highlight, view, options->highlight, err);
}
