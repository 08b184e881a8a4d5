/* Reading what is highlighted, and comparing cells with it. */

#include "export/cell_values.h"

#include <stdlib.h>
#include <string.h>

/* Begins a field by its name, such as "lane". The second name is used when there is no field of the first. */
static bool add_field(struct lw_highlight *h, const char *name, const char *second,
                      struct lw_error *err)
{
    struct lw_text names = {0};
    size_t count = h->values.count, found = count;
    for (size_t i = 0; i < count; i++) {
        const char *here = h->values.names[i];
        if (!strcmp(here, name) || (found == count && !strcmp(here, second)))
            found = i;
        lw_text_format(&names, "%s%s", i ? ", " : "", here);
    }
    if (!count)
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "--highlight: this view has no fields");
    else if (found == count)
        lw_error_set(err, LW_ERROR_NAME, "--highlight: no field '%.40s' here: there are %s", name,
                     lw_text_string(&names));
    else if (h->count == LW_HIGHLIGHT_FIELDS)
        lw_error_set(err, LW_ERROR_LIMIT, "--highlight: at most %d fields", LW_HIGHLIGHT_FIELDS);
    bool good = found < count && h->count < LW_HIGHLIGHT_FIELDS;
    if (good)
        h->wanted[h->count++].field = found;
    lw_text_free(&names);
    return good;
}

static bool read_number(const char **at, uint64_t *number)
{
    size_t digits = strspn(*at, "0123456789");
    *number = digits && digits <= 19 ? strtoull(*at, NULL, 10) : 0;
    *at += digits;
    return digits && digits <= 19;
}

/* Reads the ranges of the last field: "0-1,3", or one number. */
static bool read_ranges(struct lw_highlight *h, const char **at, bool one)
{
    size_t *count = &h->wanted[h->count - 1].ranges;
    do {
        uint64_t *from = &h->wanted[h->count - 1].from[*count];
        uint64_t *to = &h->wanted[h->count - 1].to[*count];
        *at += **at == ',';
        if (++*count == LW_HIGHLIGHT_RANGES || !read_number(at, from))
            return false;
        *to = *from;
        if (!one && **at == '-' && (++*at, !read_number(at, to)))
            return false;
        if (*to < *from)
            return false;
    } while (!one && **at == ',');
    return true;
}

/* "3,5" or "(3,5)": a field for each dim of the tensor. */
static bool read_element(struct lw_highlight *h, const char **at, struct lw_error *err)
{
    const struct lw_dims *out = &h->values.view->subject->map.out;
    for (int i = 0; i < out->count; i++) {
        *at += strspn(*at, " ,()[]");
        if (!add_field(h, out->dim[i].name, "", err) || !read_ranges(h, at, true))
            return false;
    }
    return true;
}

/* "lane=0-3", "t9", "bank 7", "T9:1" */
static bool read_field(struct lw_highlight *h, const char **at, struct lw_error *err)
{
    char name[24];
    size_t letters = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if ((*at)[letters + strspn(*at + letters, "0123456789")] == '=') /* dim0=3 */
        letters = strcspn(*at, "=");
    snprintf(name, sizeof name, "%.*s", (int)letters, *at);
    name[0] = (char)(letters == 1 ? name[0] | 32 : name[0]);
    *at += letters;
    const char *full = lw_field_full_name(name);
    if (!letters || !add_field(h, full, "", err))
        return false;
    *at += strspn(*at, " =");
    if (!read_ranges(h, at, false))
        return false;
    if (strcmp(full, "thread") != 0 || **at != ':')
        return true;
    return ++*at, add_field(h, "register", "local", err) && read_ranges(h, at, false);
}

/* The number of the layout that a text names in a view of several, "B[3,2]", and *text after the name; 0: it names
 * none. */
static int operand_of(const struct lw_view *view, const char **text)
{
    enum { OPERANDS_MAX = 8 };
    for (int number = 1; view->type->layout && number <= OPERANDS_MAX; number++) {
        const char *name = "";
        lw_view_layout(view, number, &name); /* a part in memory has a name, but no layout */
        size_t length = strlen(name);
        if (length && !strncmp(*text, name, length) && (*text)[length] &&
            strchr(" [(", (*text)[length])) {
            *text += length + strspn(*text + length, " [(");
            return number;
        }
    }
    return 0;
}

/* What is between two |. */
static bool read_group(struct lw_highlight *h, const char *text, struct lw_error *err)
{
    const size_t first = h->count;
    text += strspn(text, " ");
    int operand = operand_of(h->values.view, &text);
    bool good = !operand || add_field(h, "operand", "", err);
    if (good && operand) {
        h->wanted[first].ranges = 1;
        h->wanted[first].from[0] = h->wanted[first].to[0] = (uint64_t)operand - 1;
    }
    if (good && strchr("0123456789(", *text))
        good = read_element(h, &text, err);
    while (good && *(text += strspn(text, " ])")))
        good = read_field(h, &text, err);
    h->wanted[first].begins = good;
    return good;
}

static bool read_highlight(struct lw_highlight *h, const struct lw_view *view, const char *text,
                           struct lw_error *err)
{
    struct lw_text group = {0};
    struct lw_error scratch = {0};
    bool good = true, more = true;
    memset(h, 0, sizeof *h);
    lw_values_open(&h->values, view);
    err = err ? err : &scratch;
    err->code = LW_OK;
    for (const char *at = text; good && more; at += more) {
        size_t length = strcspn(at, "|");
        lw_text_clear(&group);
        lw_text_bytes(&group, at, length);
        good = strspn(at, " ") < length && read_group(h, lw_text_string(&group), err);
        at += length;
        more = *at == '|';
    }
    lw_text_free(&group);
    if (!good && !err->code)
        lw_error_set(
            err, LW_ERROR_SYNTAX,
            "--highlight '%.40s': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
            "register=0'",
            text);
    return good;
}

bool lw_highlight_has(struct lw_highlight *h, uint64_t row, uint64_t col)
{
    uint64_t owners = lw_values_of(&h->values, row, col), number;
    for (uint64_t k = 0; k < owners; k++) {
        bool all = false;
        for (size_t i = 0; i < h->count; i++) {
            if (h->wanted[i].begins && all)
                return true;
            bool wanted = false;
            if ((all || h->wanted[i].begins) &&
                lw_value_at(&h->values, k, h->wanted[i].field, &number))
                for (size_t n = 0; n < h->wanted[i].ranges; n++)
                    wanted =
                        wanted || (number >= h->wanted[i].from[n] && number <= h->wanted[i].to[n]);
            all = wanted;
        }
        if (all)
            return true;
    }
    return false;
}

bool lw_highlight_check(const struct lw_view *const *views, size_t count,
                        const struct lw_export_options *options, struct lw_error *err)
{
    struct lw_highlight h;
    bool some = !options->highlight;
    for (size_t i = 0; options->highlight && i < count; i++) {
        if (!read_highlight(&h, views[i], options->highlight, err))
            return false;
        const uint64_t rows = options->row_to ? options->row_to : views[i]->rows;
        const uint64_t cols = options->col_to ? options->col_to : views[i]->cols;
        for (uint64_t row = options->row_from; row < rows && !some; row++)
            for (uint64_t col = options->col_from; col < cols && !some; col++)
                some = lw_highlight_has(&h, row, col);
    }
    return some || lw_error_set(err, LW_ERROR_LIMIT, "--highlight '%.60s': no cell has that",
                                options->highlight);
}

static bool is_marked(const void *context, const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_highlight *h = (struct lw_highlight *)context;
    return lw_highlight_has(h, row, col) || (h->marked && h->marked(h->context, view, row, col));
}

bool lw_highlight_mark(struct lw_highlight *h, const struct lw_view *view,
                       struct lw_export_options *options, struct lw_error *err)
{
    if (!options->highlight)
        return true;
    if (!read_highlight(h, view, options->highlight, err))
        return false;
    h->marked = options->marked;
    h->context = options->marked_context;
    options->marked = is_marked;
    options->marked_context = h;
    return true;
}
