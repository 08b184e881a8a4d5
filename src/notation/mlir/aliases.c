/*
 * Aliases of attributes in MLIR text: `#mma = #ttg.amd_mfma<{...}>`.
 *
 * The items of a file (mlir_reader.h) that are definitions make the table. An attribute is read from its definition
 * each time that its alias is named. Invariant: by_name holds each item once, sorted by name, then by position.
 *
 * Source: attribute-alias-def in the language reference of MLIR.
 */

#include "notation/mlir/read_mlir.h"
#include "notation/mlir/string_table.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of names in a message. */
#define NAMES_SHOWN 200
/* Aliases of aliases that are followed to find out whether a name is a layout. */
#define CHAIN_MAX 8

/* ---- Names ---- */

bool lw_alias_ahead(const struct lw_scan *scan)
{
    size_t length = lw_mlir_name(scan->at, scan->end, false);
    return length && (scan->at + length == scan->end || scan->at[length] != '.');
}

static int compare_names(const void *a, const void *b)
{
    const struct lw_alias *const *left = a, *const *right = b;
    int order = strcmp((*left)->name, (*right)->name);
    return order ? order : *left < *right ? -1 : *left > *right;
}

/* The first definition of a name; NULL: none. */
static const struct lw_alias *find_alias(const struct lw_aliases *aliases, const char *name)
{
    size_t from = 0, to = aliases->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(aliases->by_name[middle]->name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < aliases->count && !strcmp(aliases->by_name[from]->name, name);
    return found ? aliases->by_name[from] : NULL;
}

static const char *name_at(const void *context, size_t i)
{
    const struct lw_aliases *aliases = context;
    return aliases->items[i].name;
}

void lw_aliases_list(struct lw_text *text, const struct lw_aliases *aliases)
{
    for (size_t i = 0; i < aliases->count && text->length < NAMES_SHOWN; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]))
            lw_text_format(text, "%s#%.60s", text->length ? ", " : "", aliases->items[i].name);
}

/* Reports an unknown name; a hint names layouts only. */
static bool no_such_alias(const struct lw_aliases *aliases, const char *name, struct lw_error *err)
{
    const char *near = lw_text_nearest(name, aliases->count, name_at, aliases);
    if (near && lw_alias_is_layout(aliases, find_alias(aliases, near)))
        return lw_error_set(err, LW_ERROR_NAME,
                            "there is no alias '#%.60s' in this text; did you mean '#%.60s'?", name,
                            near);
    struct lw_text names = {0};
    lw_aliases_list(&names, aliases);
    lw_error_set(err, LW_ERROR_NAME, "there is no alias '#%.60s' in this text%s%.*s", name,
                 names.length ? ": it has " : ", and no layout at all", NAMES_SHOWN + 62,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

const struct lw_alias *lw_aliases_find(const struct lw_aliases *aliases, const char *name,
                                       struct lw_error *err)
{
    const struct lw_alias *alias = find_alias(aliases, name);
    if (!alias && err)
        no_such_alias(aliases, name, err);
    return alias;
}

/* ---- Finding the definitions ---- */

static bool reserve(struct lw_alias_list *list, struct lw_position position, struct lw_error *err)
{
    if (list->count == LW_ALIASES_MAX)
        return lw_error_at(err, LW_ERROR_LIMIT, position, "a file may define at most %zu aliases",
                           LW_ALIASES_MAX);
    return lw_list_reserve(&list->items, &list->room, list->count, sizeof *list->items) ||
           lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_alias_list_add(struct lw_alias_list *list, struct lw_arena *arena,
                       const struct lw_mlir_item *item, struct lw_error *err)
{
    struct lw_scan scan;
    lw_scan_begin(&scan, arena, item->text, item->length, err);
    scan.comment = "//";
    scan.line = item->position.line;
    scan.shift = item->position.column;
    struct lw_alias alias = {.position = lw_scan_position(&scan)};
    const char *name = ++scan.at;
    scan.at += lw_mlir_name(name, scan.end, false);
    alias.position = lw_scan_until(&scan, alias.position);
    alias.name = lw_arena_string(arena, name, (size_t)(scan.at - name));
    if (!alias.name)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_scan_accept(&scan, '=');
    lw_scan_space(&scan);
    alias.value = scan.at;
    alias.value_length = (size_t)(scan.end - scan.at);
    alias.value_position = lw_scan_position(&scan);
    if (!reserve(list, alias.position, err))
        return false;
    list->items[list->count++] = alias;
    return true;
}

/* Sorts the names. Fails at the first definition of a name that is defined before. */
static bool sort_names(struct lw_aliases *aliases, struct lw_arena *arena, struct lw_error *err)
{
    const struct lw_alias *again = NULL, *first = NULL;
    aliases->by_name = lw_arena_alloc(arena, (aliases->count + 1) * sizeof *aliases->by_name);
    if (!aliases->by_name)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < aliases->count; i++)
        aliases->by_name[i] = &aliases->items[i];
    qsort(aliases->by_name, aliases->count, sizeof *aliases->by_name, compare_names);
    for (size_t i = 1; i < aliases->count; i++) {
        const struct lw_alias *before = aliases->by_name[i - 1], *here = aliases->by_name[i];
        if (!strcmp(before->name, here->name) && (!again || here < again)) {
            first = before;
            again = here;
        }
    }
    return !again || lw_error_at(err, LW_ERROR_NAME, again->position,
                                 "'#%.60s' is defined twice: first on line %d", again->name,
                                 first->position.line);
}

bool lw_alias_list_sort(const struct lw_alias_list *list, struct lw_aliases *aliases,
                        struct lw_arena *arena, struct lw_error *err)
{
    struct lw_alias *items = lw_arena_alloc(arena, (list->count + 1) * sizeof *items);
    if (!items)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (list->count)
        memcpy(items, list->items, list->count * sizeof *items);
    aliases->items = items;
    aliases->count = list->count;
    return sort_names(aliases, arena, err);
}

/* Adds every item of the text that is a definition; brackets without a partner are ignored. */
static bool collect(struct lw_alias_list *list, struct lw_arena *arena,
                    struct lw_mlir_reader *reader, struct lw_error *err)
{
    struct lw_mlir_item item;
    do {
        lw_mlir_reader_next(reader, &item);
        if (item.kind == LW_MLIR_PROBLEM && !reader->of_brackets) {
            *err = reader->err;
            return false;
        }
        if (item.kind == LW_MLIR_ALIAS && *item.text == '#' &&
            !lw_alias_list_add(list, arena, &item, err))
            return false;
    } while (item.kind != LW_MLIR_END);
    return true;
}

bool lw_aliases_collect(struct lw_aliases *aliases, struct lw_arena *arena, const char *text,
                        size_t length, struct lw_error *err)
{
    struct lw_mlir_reader reader;
    struct lw_alias_list list = {0};
    lw_mlir_reader_open_text(&reader, text, length);
    aliases->text = text;
    aliases->length = length;
    bool ok = collect(&list, arena, &reader, err) && lw_alias_list_sort(&list, aliases, arena, err);
    if (!ok)
        lw_error_excerpt(err, text, length);
    lw_mlir_reader_free(&reader);
    free(list.items);
    return ok;
}

/* ---- The attribute of an alias ---- */

/* What an attribute is, judged by its name alone. */
enum kind {
    KIND_OTHER, /* a location, a number, an attribute of another dialect, an alias */
    KIND_SPACE, /* a memory space: #ttg.shared_memory */
    KIND_LAYOUT
};

static size_t name_length(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && lw_is_name_part(*p))
        p++;
    return (size_t)(p - at);
}

static enum kind kind_of(const char *value, const char *end)
{
    static const char *const spaces[] = {"shared_memory", "tensor_memory"};
    const char *dialect = value + 1;
    size_t length = *value == '#' ? name_length(dialect, end) : 0;
    const char *dot = dialect + length;
    if (length == 0 || dot == end || *dot != '.' || !lw_is_dialect(dialect, length))
        return KIND_OTHER;
    length = name_length(dot + 1, end);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strlen(spaces[i]) == length && !memcmp(dot + 1, spaces[i], length))
            return KIND_SPACE;
    return length ? KIND_LAYOUT : KIND_OTHER;
}

/* The alias that an alias is defined as; NULL: it is defined otherwise. */
static const struct lw_alias *next_name(const struct lw_aliases *aliases,
                                        const struct lw_alias *alias)
{
    const char *end = alias->value + alias->value_length, *at = alias->value + 1;
    size_t length = lw_mlir_name(at, end, false);
    char name[256];
    if (length == 0 || length >= sizeof name || (at + length < end && at[length] == '.'))
        return NULL;
    memcpy(name, at, length);
    name[length] = '\0';
    return find_alias(aliases, name);
}

bool lw_alias_is_layout(const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    for (int depth = 0; alias && *alias->value == '#' && depth < CHAIN_MAX; depth++) {
        if (kind_of(alias->value, alias->value + alias->value_length) == KIND_LAYOUT)
            return true;
        alias = next_name(aliases, alias);
    }
    return false;
}

/* lw_is_foreign of the text from p, looking at `*steps` attributes at most. */
static bool is_foreign(const struct lw_aliases *aliases, const char *p, const char *end, int depth,
                       int *steps)
{
    char name[256];
    for (; (p = memchr(p, '#', (size_t)(end - p))) != NULL && --*steps > 0; p++) {
        size_t length = lw_mlir_name(p + 1, end, true);
        if (length == 0 || length >= sizeof name)
            continue;
        memcpy(name, p + 1, length);
        name[length] = '\0';
        char *dot = strchr(name, '.');
        const struct lw_alias *alias = dot ? NULL : find_alias(aliases, name);
        if (dot && (!lw_is_dialect(name, (size_t)(dot - name)) || !lw_encoding_type_find(dot + 1)))
            return true;
        if (alias && depth < CHAIN_MAX &&
            is_foreign(aliases, alias->value, alias->value + alias->value_length, depth + 1, steps))
            return true;
    }
    return false;
}

bool lw_is_foreign(const struct lw_aliases *aliases, const char *text, size_t length)
{
    int steps = 1000; /* attributes may name each other so often that all would take too long */
    return is_foreign(aliases, text, text + length, 0, &steps);
}

/* After an attribute its line must end, or something new begin. */
static bool check_after(struct lw_scan *scan)
{
    const char *p = scan->at;
    while (p < scan->end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    if (p == scan->end || !strchr("<>()[]{},:=.*|&", *p))
        return true;
    return lw_scan_unexpected(scan, "the end of the attribute");
}

bool lw_expand_alias(struct lw_scan *scan, const struct lw_alias *alias,
                     struct lw_position position, struct lw_encoding **encoding)
{
    struct lw_alias_expansion expansion = {alias, scan->expansion};
    for (const struct lw_alias_expansion *outer = scan->expansion; outer; outer = outer->outer)
        if (outer->alias == alias)
            return lw_error_at(scan->err, LW_ERROR_NAME, position, "'#%.60s' is part of itself",
                               alias->name);
    struct lw_scan inner = *scan;
    inner.at = inner.line_start = alias->value;
    inner.end = alias->value + alias->value_length;
    inner.line = alias->value_position.line;
    inner.shift = alias->value_position.column;
    inner.whole.line = 0;
    inner.expansion = &expansion;
    if (*inner.at != '#' || kind_of(inner.at, inner.end) == KIND_SPACE)
        return lw_error_at(scan->err, LW_ERROR_NAME, alias->value_position,
                           "'#%.60s' is not a layout: expected an attribute such as "
                           "'#ttg.blocked<{...}>'",
                           alias->name);
    if (!lw_scan_enter(&inner, position) || !inner.attribute(&inner, encoding) ||
        !check_after(&inner)) {
        if (!scan->aliases->text) /* only the definitions are kept */
            lw_excerpt_of_part(scan->err, alias->value_position, alias->value, alias->value_length);
        return false;
    }
    scan->nodes = inner.nodes;
    return true;
}

bool lw_read_alias(struct lw_scan *scan, struct lw_position start, struct lw_encoding **encoding)
{
    size_t length = lw_mlir_name(scan->at, scan->end, false);
    const char *name = lw_arena_string(scan->arena, scan->at, length);
    if (!name)
        return lw_scan_out_of_memory(scan);
    scan->at += length;
    start = lw_scan_until(scan, start);
    const struct lw_alias *alias = lw_aliases_find(scan->aliases, name, scan->err);
    if (alias)
        return lw_expand_alias(scan, alias, start, encoding);
    scan->err->position = start;
    return false;
}

/* ---- Tables of files and texts ---- */

bool lw_aliases_read(struct lw_aliases *aliases, const char *text, size_t length,
                     struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading = {.arena = &aliases->arena, .err = err ? err : &scratch};
    memset(aliases, 0, sizeof *aliases);
    if (lw_keep_text(&reading, text, length) &&
        lw_aliases_collect(aliases, &aliases->arena, reading.text, reading.length, reading.err))
        return true;
    lw_aliases_free(aliases);
    return false;
}

bool lw_aliases_open(struct lw_aliases *aliases, const char *path,
                     const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_arena arena = {0};
    struct lw_reading reading = {.arena = &arena,
                                 .err = err ? err : &scratch,
                                 .dump = true,
                                 .max = options ? options->max : 0};
    struct lw_text text = {0};
    FILE *input = options ? options->input : NULL;
    memset(aliases, 0, sizeof *aliases);
    bool ok = strcmp(path, "-") || !input
                  ? lw_open_relative(&reading, path, strlen(path), &text)
                  : lw_read_stream(&reading, input, "standard input", &text);
    ok = ok && lw_aliases_read(aliases, lw_text_string(&text), text.length, reading.err);
    lw_text_free(&text);
    lw_arena_free(&arena);
    return ok;
}

void lw_aliases_free(struct lw_aliases *aliases)
{
    lw_arena_free(&aliases->arena);
    memset(aliases, 0, sizeof *aliases);
}
