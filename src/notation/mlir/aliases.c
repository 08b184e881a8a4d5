/*
 * Aliases of attributes in MLIR text: `#mma = #ttg.amd_mfma<{...}>`.
 *
 * The items of a text (mlir_text.h) that are definitions make the table; everything else is skipped. An attribute is
 * read from its definition each time that its alias is named, so one that cannot be read does not affect the others,
 * and aliases may name each other in any order.
 *
 * Source: attribute-alias-def in the language reference of MLIR.
 */

#include "notation/mlir/read_mlir.h"

#include <string.h>

/* Bytes of names in a message. */
#define NAMES_SHOWN 200
/* Aliases of aliases that are followed to find out whether a name is a layout. */
#define CHAIN_MAX 8

/* ---- Dialects ---- */

/* Those that have layouts, with the names that older releases of Triton give them. */
static const char *const dialects[] = {"ttg",  "triton_gpu", "ttng", "triton_nvidia_gpu",
                                       "amdg", "amdgpu",     "gluon"};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

/* Whether a dialect, `length` bytes of `name`, has layouts. */
static bool is_dialect(const char *name, size_t length)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (strlen(dialects[i]) == length && memcmp(dialects[i], name, length) == 0)
            return true;
    return false;
}

bool lw_check_dialect(const char *name, struct lw_position position, struct lw_error *err)
{
    if (is_dialect(name, strlen(name)))
        return true;
    const char *near = lw_nearest_row(name, DIALECTS, dialects, sizeof *dialects);
    char hint[LW_HINT_MAX];
    return lw_error_at(err, LW_ERROR_NAME, position, "unknown dialect '%s'%s", name,
                       lw_text_hint(hint, near, ": layouts are in 'ttg' and 'ttng'"));
}

/* ---- Names ---- */

const struct lw_alias *lw_aliases_find(const struct lw_aliases *aliases, struct lw_span name)
{
    size_t number = lw_intern_find(&aliases->names, name);
    return number == SIZE_MAX ? NULL : &aliases->items[number];
}

void lw_aliases_list(struct lw_text *text, const struct lw_aliases *aliases)
{
    for (size_t i = 0; i < aliases->count && text->length < NAMES_SHOWN; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]))
            lw_text_format(text, "%s#%.60s", text->length ? ", " : "", aliases->items[i].name);
}

const struct lw_alias *lw_aliases_get(const struct lw_aliases *aliases, const char *name,
                                      struct lw_error *err)
{
    const struct lw_alias *alias = lw_aliases_find(aliases, (struct lw_span){name, strlen(name)});
    struct lw_text names = {0};
    if (alias)
        return alias;
    const char *near = lw_nearest_row(name, aliases->count, aliases->items, sizeof *aliases->items);
    lw_aliases_list(&names, aliases);
    if (near &&
        lw_alias_is_layout(aliases, lw_aliases_find(aliases, (struct lw_span){near, strlen(near)})))
        lw_error_set(err, LW_ERROR_NAME,
                     "there is no alias '#%.60s' in this text; did you mean '#%.60s'?", name, near);
    else
        lw_error_set(err, LW_ERROR_NAME, "there is no alias '#%.60s' in this text%s%.*s", name,
                     names.length ? ": it has " : ", and no layout at all", NAMES_SHOWN + 62,
                     lw_text_string(&names));
    lw_text_free(&names);
    return NULL;
}

/* ---- Finding the definitions ---- */

bool lw_aliases_add(struct lw_aliases *aliases, struct lw_arena *arena,
                    const struct lw_mlir_item *item, struct lw_error *err)
{
    struct lw_scan scan;
    lw_scan_begin(&scan, arena, item->text.at, item->text.length, err);
    scan.comment = "//";
    scan.line = item->position.line;
    scan.shift = item->position.column;
    struct lw_alias alias = {.position = lw_scan_position(&scan)};
    struct lw_span name = {++scan.at, lw_mlir_name(scan.at, scan.end, false)};
    scan.at += name.length;
    alias.position = lw_scan_until(&scan, alias.position);
    const struct lw_alias *first = lw_aliases_find(aliases, name);
    if (first) {
        if (aliases->twice.code == LW_OK)
            lw_error_at(&aliases->twice, LW_ERROR_NAME, alias.position,
                        "'#%.60s' is defined twice: first on line %d", first->name,
                        first->position.line);
        return true;
    }
    alias.name = lw_arena_string(arena, name.at, name.length);
    lw_scan_accept(&scan, '=');
    lw_scan_space(&scan);
    alias.value = (struct lw_span){scan.at, (size_t)(scan.end - scan.at)};
    alias.value_position = lw_scan_position(&scan);
    if (!alias.name || lw_intern_add(&aliases->names, arena, name) == SIZE_MAX ||
        !lw_list_reserve(arena, &aliases->items, &aliases->room, aliases->count,
                         sizeof *aliases->items))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    aliases->items[aliases->count++] = alias;
    return true;
}

bool lw_aliases_collect(struct lw_aliases *aliases, struct lw_reading *reading)
{
    struct lw_mlir_text text;
    struct lw_mlir_item item;
    struct lw_error *err = reading->err;
    bool only = true, good = true;
    *aliases = (struct lw_aliases){.text = reading->text};
    lw_mlir_begin(&text, reading->arena, reading->text, reading->length, 1);
    do {
        lw_mlir_next(&text, &item);
        if (item.kind == LW_MLIR_PROBLEM && !text.of_brackets) {
            *err = text.err;
            good = false;
        } else if (item.kind == LW_MLIR_ALIAS && *item.text.at == '#') {
            good = lw_aliases_add(aliases, reading->arena, &item, err);
        }
        if (only && item.kind == LW_MLIR_OPERATION)
            aliases->rest = item.text.at;
        only = only && item.kind == LW_MLIR_ALIAS;
    } while (good && item.kind != LW_MLIR_END);
    if (good && aliases->twice.code == LW_OK)
        return true;
    if (good)
        *err = aliases->twice;
    lw_error_excerpt(err, reading->text, reading->length);
    return false;
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

static enum kind kind_of(struct lw_span value)
{
    const char *end = value.at + value.length, *dialect = value.at + 1;
    size_t length = value.length && *value.at == '#' ? name_length(dialect, end) : 0;
    const char *dot = dialect + length;
    if (length == 0 || dot == end || *dot != '.' || !is_dialect(dialect, length))
        return KIND_OTHER;
    struct lw_span name = {dot + 1, name_length(dot + 1, end)};
    return !name.length                                                             ? KIND_OTHER
           : lw_span_is(name, "shared_memory") || lw_span_is(name, "tensor_memory") ? KIND_SPACE
                                                                                    : KIND_LAYOUT;
}

bool lw_alias_is_layout(const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    for (int depth = 0; alias && *alias->value.at == '#' && depth < CHAIN_MAX; depth++) {
        if (kind_of(alias->value) == KIND_LAYOUT)
            return true;
        const char *end = alias->value.at + alias->value.length; /* perhaps another alias */
        struct lw_span next = {alias->value.at + 1, lw_mlir_name(alias->value.at + 1, end, false)};
        bool dotted = next.at + next.length < end && next.at[next.length] == '.';
        alias = dotted ? NULL : lw_aliases_find(aliases, next);
    }
    return false;
}

/* lw_is_foreign of a text, looking at `*steps` attributes at most. */
static bool is_foreign(const struct lw_aliases *aliases, struct lw_span text, int depth, int *steps)
{
    const char *end = text.at + text.length;
    char name[256];
    for (const char *p = text.at; (p = memchr(p, '#', (size_t)(end - p))) != NULL && --*steps > 0;
         p++) {
        struct lw_span found = {p + 1, lw_mlir_name(p + 1, end, true)};
        if (found.length == 0 || found.length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)found.length, found.at);
        char *dot = strchr(name, '.');
        const struct lw_alias *alias = dot ? NULL : lw_aliases_find(aliases, found);
        if (dot && (!is_dialect(name, (size_t)(dot - name)) || !lw_encoding_type_find(dot + 1)))
            return true;
        if (alias && depth < CHAIN_MAX && is_foreign(aliases, alias->value, depth + 1, steps))
            return true;
    }
    return false;
}

bool lw_is_foreign(const struct lw_aliases *aliases, const char *text)
{
    int steps = 1000; /* attributes may name each other so often that all would take too long */
    return is_foreign(aliases, (struct lw_span){text, strlen(text)}, 0, &steps);
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
    inner.at = inner.line_start = alias->value.at;
    inner.end = alias->value.at + alias->value.length;
    inner.line = alias->value_position.line;
    inner.shift = alias->value_position.column;
    inner.whole.line = 0;
    inner.expansion = &expansion;
    if (*inner.at != '#' || kind_of(alias->value) == KIND_SPACE)
        return lw_error_at(scan->err, LW_ERROR_NAME, alias->value_position,
                           "'#%.60s' is not a layout: expected an attribute such as "
                           "'#ttg.blocked<{...}>'",
                           alias->name);
    bool good = lw_scan_enter(&inner, position) && inner.attribute(&inner, encoding);
    const char *after = inner.at; /* the line must end, or something new begin */
    while (good && after < inner.end && (*after == ' ' || *after == '\t' || *after == '\r'))
        after++;
    if (good && after < inner.end && strchr("<>()[]{},:=.*|&", *after))
        good = lw_scan_unexpected(&inner, "the end of the attribute");
    if (!good) {
        if (!scan->aliases->text) /* the position is in the text of a kernel */
            lw_excerpt_of_part(scan->err, alias->value_position, alias->value.at,
                               alias->value.length);
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
    const struct lw_alias *alias = lw_aliases_get(scan->aliases, name, scan->err);
    return alias ? lw_expand_alias(scan, alias, start, encoding)
                 : lw_error_locate(scan->err, start);
}
