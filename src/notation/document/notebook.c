/*
 * Notebooks. cJSON checks and reads the text; as it keeps no positions, the text is then walked along its tree. The
 * walk looks for brackets and quotes only and never leaves the text, as cJSON also accepts some text that is not JSON.
 *
 * Source: the nbformat 4 format of Jupyter: "cells" is a list of objects with "cell_type" and "source", a string or a
 * list of strings that are joined.
 */

#include "notation/document/notebook.h"

#include "core/text_escape.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- Walking a valid text ---- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
    int depth = 0;
    if (!*at)
        return at;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (*at && (depth || !strchr(",]} \t\r\n", *at)));
    return at;
}

/* From one item of a list or an object to the next; NULL after the last one. */
static const char *next_item(const char *after)
{
    after = skip_blanks(after);
    return *after == ',' ? skip_blanks(after + 1) : NULL;
}

static const char *first_item(const char *open)
{
    const char *at = skip_blanks(open + 1);
    return !*at || *at == ']' || *at == '}' ? NULL : at;
}

/* The value of a member of the object at `open`, where it is there once; NULL: it is not. */
static const char *member(const char *open, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (const char *key = first_item(open), *value; key; key = next_item(skip_value(value))) {
        const char *end = *key == '"' ? skip_string(key) : key, *colon = skip_blanks(end);
        if (end == key || *colon != ':')
            return NULL;
        value = skip_blanks(colon + 1);
        if ((size_t)(end - key) != length + 2 || memcmp(key + 1, name, length) != 0)
            continue;
        if (found)
            return NULL;
        found = value;
    }
    return found;
}

/* ---- Reading ---- */

/* Whether a text has the character NUL, at which a C string would end. */
static bool has_nul(const char *from, const char *to)
{
    for (; from < to; from += from[0] == '\\' ? 2 : 1)
        if (to - from >= 6 && !memcmp(from, "\\u0000", 6))
            return true;
    return false;
}

static void add_string(struct lw_notebook_cell *cell, const cJSON *node, const char *at)
{
    size_t from = cell->text.length;
    lw_text_add(&cell->text, node->valuestring);
    cell->string[cell->count++] =
        (struct lw_notebook_string){at, skip_string(at), from, cell->text.length - from};
}

/* Sets the text of a source; false: it is neither a string nor a list of strings, or memory is out. */
static bool read_source(struct lw_notebook_cell *cell, const cJSON *source)
{
    const cJSON *node;
    const char *at = *cell->source == '[' ? first_item(cell->source) : NULL;
    if (has_nul(cell->source, cell->source_end))
        return false;
    if (cJSON_IsString(source)) {
        lw_text_add(&cell->text, source->valuestring);
        return !cell->text.failed;
    }
    cell->string = calloc((size_t)cJSON_GetArraySize(source) + 1, sizeof *cell->string);
    if (!cJSON_IsArray(source) || !cell->string)
        return false;
    cJSON_ArrayForEach(node, source)
    {
        if (!cJSON_IsString(node) || !at || *at != '"')
            return false;
        add_string(cell, node, at);
        at = next_item(skip_string(at));
    }
    return !cell->text.failed;
}

static void free_cell(struct lw_notebook_cell *cell)
{
    lw_text_free(&cell->text);
    free(cell->string);
    *cell = (struct lw_notebook_cell){0};
}

/* Whether the JSON between two points is that value. */
static bool is_value(const char *from, const char *to, const cJSON *value)
{
    const char *end;
    cJSON *here = cJSON_ParseWithLengthOpts(from, (size_t)(to - from), &end, false);
    bool same = here && cJSON_Compare(here, value, true);
    cJSON_Delete(here);
    return same;
}

static bool add_cell(struct lw_notebook *notebook, const cJSON *node, const char *open,
                     size_t number, struct lw_error *err)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(node, "cell_type");
    const cJSON *source = cJSON_GetObjectItemCaseSensitive(node, "source");
    const char *at = cJSON_IsObject(node) ? member(open, "source") : NULL;
    struct lw_notebook_cell *cell = &notebook->cell[notebook->count];
    bool right = at && cJSON_IsString(type) && is_value(at, skip_value(at), source);
    if (right) {
        bool code = !strcmp(type->valuestring, "code");
        *cell = (struct lw_notebook_cell){code, number, at, skip_value(at), {0}, 0, NULL};
        right = read_source(cell, source);
    }
    if (!right) {
        free_cell(cell);
        return lw_error_set(
            err, LW_ERROR_SYNTAX,
            "cell %zu has not one cell_type and one source, a text or a list of texts", number);
    }
    if (cell->code || !strcmp(type->valuestring, "markdown"))
        notebook->count++;
    else
        free_cell(cell);
    return true;
}

static bool read_cells(struct lw_notebook *notebook, const cJSON *root, const char *open,
                       struct lw_error *err)
{
    const cJSON *cells = cJSON_GetObjectItemCaseSensitive(root, "cells"), *node;
    const char *at = cJSON_IsObject(root) ? member(open, "cells") : NULL;
    size_t number = 0;
    if (!at || !cJSON_IsArray(cells) || *at != '[')
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "this is not a notebook of nbformat 4: it has no list 'cells'");
    notebook->cell = calloc((size_t)cJSON_GetArraySize(cells) + 1, sizeof *notebook->cell);
    if (!notebook->cell)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    at = first_item(at);
    cJSON_ArrayForEach(node, cells)
    {
        if (!at || !add_cell(notebook, node, at, ++number, err))
            return at ? false : lw_error_set(err, LW_ERROR_SYNTAX, "the cells cannot be found");
        at = next_item(skip_value(at));
    }
    return true;
}

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* A control character that JSON does not allow but cJSON reads as a blank; NULL: there is none. */
static const char *find_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' && (!text[i] || !strchr("\t\r\n", text[i])))
            return text + i;
    return NULL;
}

bool lw_notebook_read(struct lw_notebook *notebook, const char *text, size_t length,
                      struct lw_error *err)
{
    const char *end = text;
    *notebook = (struct lw_notebook){.text = text};
    const char *control = find_control(text, length);
    cJSON *root = control ? NULL : cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    bool good = root != NULL;
    end = control ? control : end;
    if (!good)
        lw_error_set(err, LW_ERROR_SYNTAX, "line %zu: this is not JSON",
                     end ? line_of(text, end) : 1);
    lw_skip_order_mark(&text, &length);
    good = good && read_cells(notebook, root, skip_blanks(text), err);
    cJSON_Delete(root);
    if (!good)
        lw_notebook_free(notebook);
    return good;
}

void lw_notebook_free(struct lw_notebook *notebook)
{
    for (size_t i = 0; i < notebook->count; i++)
        free_cell(&notebook->cell[i]);
    free(notebook->cell);
    *notebook = (struct lw_notebook){0};
}

/* ---- Writing ---- */

/* A line with its end. */
static size_t line_length(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return end ? (size_t)(end - text) + 1 : length;
}

static void put_string(struct lw_text *out, const char *text, size_t length)
{
    struct lw_text line = {0};
    lw_text_bytes(&line, text, length);
    lw_text_json_string(out, lw_text_string(&line));
    lw_text_free(&line);
}

/* Whether each string of the list is a line of the text. */
static bool has_lines(const struct lw_notebook_cell *cell)
{
    const char *text = lw_text_string(&cell->text);
    for (size_t i = 0; i < cell->count; i++) {
        const struct lw_notebook_string *s = &cell->string[i];
        if (!s->length || line_length(text + s->from, cell->text.length - s->from) != s->length)
            return false;
    }
    return true;
}

/* How many strings at the beginning are the beginning of the new text. */
static size_t count_first(const struct lw_notebook_cell *cell, const char *text, size_t length)
{
    size_t count = 0;
    for (; count < cell->count; count++) {
        const struct lw_notebook_string *s = &cell->string[count];
        size_t end = s->from + s->length;
        if (end > length || memcmp(text + s->from, cell->text.data + s->from, s->length) != 0 ||
            line_length(text + s->from, length - s->from) != s->length)
            return count;
    }
    return count;
}

/* How many of the strings after the first `first` are the end of the new text, whose first `from` bytes are used
 * already. */
static size_t count_last(const struct lw_notebook_cell *cell, size_t first, size_t from,
                         const char *text, size_t length)
{
    size_t count = 0;
    while (first + count < cell->count) {
        const struct lw_notebook_string *s = &cell->string[cell->count - 1 - count];
        size_t tail = cell->text.length - s->from; /* bytes from this line to the end */
        if (tail > length - from || (length > tail && text[length - tail - 1] != '\n') ||
            memcmp(text + length - tail, cell->text.data + s->from, s->length) != 0)
            break;
        count++;
    }
    return count;
}

/* Copies what is before the first string of the list, or between two: a comma and blanks. */
static void put_before(struct lw_text *out, const struct lw_notebook_cell *cell, bool first)
{
    const struct lw_notebook_string *s = cell->string;
    if (first || cell->count < 2) {
        lw_text_add(out, first ? "" : ",");
        lw_text_bytes(out, cell->source + 1,
                      cell->count ? (size_t)(s[0].at - cell->source - 1) : 0);
    } else {
        lw_text_bytes(out, s[0].end, (size_t)(s[1].at - s[0].end));
    }
}

void lw_notebook_put(struct lw_text *out, const struct lw_notebook_cell *cell, const char *text,
                     size_t length)
{
    const struct lw_notebook_string *s = cell->string;
    if (*cell->source == '"') {
        put_string(out, text, length);
        return;
    }
    size_t first = has_lines(cell) ? count_first(cell, text, length) : 0;
    size_t from = first ? s[first - 1].from + s[first - 1].length : 0;
    size_t last = has_lines(cell) ? count_last(cell, first, from, text, length) : 0;
    size_t to = last ? length - (cell->text.length - s[cell->count - last].from) : length;
    const char *begin = first ? s[first - 1].end : cell->source + 1;
    lw_text_bytes(out, cell->source, (size_t)(begin - cell->source));
    bool none = first == 0;
    for (size_t here; from < to; from += here, none = false) {
        here = line_length(text + from, to - from);
        put_before(out, cell, none);
        put_string(out, text + from, here);
    }
    if (last)
        put_before(out, cell, none);
    const char *end = last          ? s[cell->count - last].at
                      : cell->count ? s[cell->count - 1].end
                                    : begin;
    lw_text_bytes(out, end, (size_t)(cell->source_end - end));
}

size_t lw_notebook_line(const struct lw_notebook *notebook, const struct lw_notebook_cell *cell,
                        size_t line)
{
    const char *at = cell->count ? cell->string[0].at : cell->source,
               *end = lw_text_string(&cell->text);
    for (size_t i = 0, k = 0; i < cell->text.length && line > 1 && k < cell->count; i++) {
        line -= end[i] == '\n';
        k += i + 1 == cell->string[k].from + cell->string[k].length;
        at = k < cell->count ? cell->string[k].at : at;
    }
    return line_of(notebook->text, at);
}
