/*
 * MLIR attributes and types, as Triton prints them, and the aliases of attributes: `#mma = #ttg.amd_mfma<{...}>`.
 *
 *     attribute: `#` dialect `.` name `<` [ list ] part { `,` part } `>`
 *     part:      `{` name `=` value { `,` ... } `}`  or  name `=` value
 *     type:      `tensor` `<` { size `x` } element [`,` attribute] `>`
 *     memdesc:   `!ttg.memdesc` `<` { size `x` } element `,` attribute
 *                [`,` `#` space] [`,` `mutable`] [`,` { size `x` } size] `>`
 *
 * A document is a type, an attribute, or an alias of a dump: kernel.ttgir:#mma. The items of a text (mlir_text.h) that
 * are definitions make the table of aliases; everything else is skipped. An attribute is read from its definition each
 * time that its alias is named, so one that cannot be read does not affect the others, and aliases may name each other
 * in any order.
 *
 * Source: the assembly formats of TritonGPUAttrDefs.td and TritonGPUTypes.cpp, release 3.7, and the spellings of the
 * releases before it; attribute-alias-def in the language reference of MLIR.
 */

#include "notation/mlir/read_mlir.h"
#include "encoding/schema/schema.h"
#include "notation/expression/expression.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <string.h>

/* Bytes of names in a message. */
#define NAMES_SHOWN 200
/* Aliases of aliases that are followed to find out whether a name is a layout. */
#define CHAIN_MAX 8

/* ---- Dialects ---- */

/* Those that have layouts, with the names that older releases of Triton give them. */
static const char *const dialects[] = {"ttg",  "triton_gpu", "ttng", "triton_nvidia_gpu",
                                       "amdg", "amdgpu",     "gluon"};

static bool is_dialect(const char *name, size_t length)
{
    return lw_span_is_one((struct lw_span){name, length}, dialects, LW_COUNT(dialects));
}

static bool check_dialect(const char *name, struct lw_position position, struct lw_error *err)
{
    if (is_dialect(name, strlen(name)))
        return true;
    return lw_error_at(err, LW_ERROR_UNSUPPORTED, position,
                       "unknown dialect '%s': layouts are in 'ttg' and 'ttng'", name);
}

/* ---- Names ---- */

const struct lw_alias *lw_aliases_find(const struct lw_aliases *aliases, struct lw_span name)
{
    size_t number = lw_intern_find(&aliases->names, name);
    return number == SIZE_MAX ? NULL : &aliases->items[number];
}

static void aliases_list(struct lw_text *text, const struct lw_aliases *aliases)
{
    for (size_t i = 0; i < aliases->count && text->length < NAMES_SHOWN; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]))
            lw_text_format(text, "%s#%.60s", text->length ? ", " : "", aliases->items[i].name);
}

static const struct lw_alias *aliases_get(const struct lw_aliases *aliases, const char *name,
                                          struct lw_error *err)
{
    const struct lw_alias *alias = lw_aliases_find(aliases, (struct lw_span){name, strlen(name)});
    struct lw_text names = {0};
    if (alias)
        return alias;
    aliases_list(&names, aliases);
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

static enum kind kind_of(struct lw_span value)
{
    const char *end = value.at + value.length, *dialect = value.at + 1;
    size_t length = value.length && *value.at == '#' ? lw_mlir_name(dialect, end, false) : 0;
    const char *dot = dialect + length;
    if (length == 0 || dot == end || *dot != '.' || !is_dialect(dialect, length))
        return KIND_OTHER;
    struct lw_span name = {dot + 1, lw_mlir_name(dot + 1, end, false)};
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

/* ---- Attributes ---- */

/* Parameters up to a bracket: `}`, or `>`, before which they may also be in braces. */
static bool read_pairs(struct lw_scan *scan, struct lw_encoding *encoding, char close)
{
    while (!lw_scan_accept(scan, close)) {
        bool braces = close == '>' && lw_scan_accept(scan, '{');
        struct lw_value value = {0};
        struct lw_position position;
        const char *name = braces ? NULL : lw_scan_name(scan, &position);
        if (!braces && !name)
            return lw_scan_unexpected(scan, "the name of a parameter");
        if (braces ? !read_pairs(scan, encoding, '}')
                   : !lw_scan_expect(scan, '=', "'='") || !lw_read_value(scan, &value) ||
                         !lw_read_set_param(encoding, name, position, &value, scan->err))
            return false;
        if (!lw_scan_accept(scan, ',') && lw_scan_peek(scan) != close)
            return lw_scan_unexpected(scan, close == '>' ? "',' or '>'" : "',' or '}'");
    }
    return true;
}

/* `[4:+2]`, the one parameter without a name. */
static bool read_first(struct lw_scan *scan, struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    struct lw_value value = {0};
    for (size_t i = 0; lw_scan_peek(scan) == '[' && i < type->param_count; i++)
        if (type->params[i].rules & LW_RULE_BEFORE)
            return lw_read_value(scan, &value) &&
                   lw_read_set_param(encoding, type->params[i].name, value.position, &value,
                                     scan->err);
    return true;
}

/* Reads the attribute at the definition of an alias, which was named at `position`. */
static bool expand_alias(struct lw_scan *scan, const struct lw_alias *alias,
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
    bool good = lw_scan_enter(&inner, position) && lw_read_attribute(&inner, encoding);
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

bool lw_read_attribute(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct lw_position start = lw_scan_position(scan), dialect_position, position;
    if (!lw_scan_expect(scan, '#', "an attribute"))
        return false;
    scan->attribute = lw_read_attribute;
    size_t length = scan->aliases ? lw_mlir_name(scan->at, scan->end, false) : 0;
    if (length && (scan->at + length == scan->end || scan->at[length] != '.')) {
        const char *of = lw_arena_string(scan->arena, scan->at, length);
        if (!of)
            return lw_scan_out_of_memory(scan);
        scan->at += length;
        start = lw_scan_until(scan, start);
        const struct lw_alias *alias = aliases_get(scan->aliases, of, scan->err);
        return alias ? expand_alias(scan, alias, start, encoding)
                     : lw_error_locate(scan->err, start);
    }
    const char *dialect = lw_scan_name(scan, &dialect_position);
    if (!dialect)
        return lw_scan_unexpected(scan, "'ttg'");
    start = lw_scan_until(scan, start);
    const struct lw_encoding_type *type = lw_encoding_type_find(dialect);
    if (!lw_scan_accept(scan, '.'))
        return lw_error_at(scan->err, LW_ERROR_NAME, start,
                           "'#%s' is an alias that is not defined in this text: write the "
                           "attribute itself, '#ttg.%s<{...}>'",
                           dialect, type ? type->name : "blocked");
    if (!check_dialect(dialect, dialect_position, scan->err))
        return false;
    const char *name = lw_scan_name(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an encoding");
    type = lw_encoding_type_get(name, position, scan->err);
    if (!type) {
        scan->err->code = LW_ERROR_UNSUPPORTED;
        return false;
    }
    if (type->spelling == LW_SPELLING_CALL)
        return lw_error_at(scan->err, LW_ERROR_NAME, position, "'%s' is a function: write %s(...)",
                           type->name, type->name);
    *encoding = lw_read_new(scan, type, lw_scan_until(scan, start));
    if (!*encoding || !lw_scan_enter(scan, position))
        return false;
    if (lw_scan_accept(scan, '<') &&
        (!read_first(scan, *encoding) || !read_pairs(scan, *encoding, '>')))
        return false;
    scan->depth--;
    return true;
}

/* ---- Types ---- */

/* Reads the sizes up to the element: `16x64x`, or `16x64` when no element follows. *more: the last character was an
 * `x`. */
static bool read_sizes(struct lw_scan *scan, struct lw_tensor *tensor, bool *more)
{
    tensor->rank = 0;
    *more = false;
    do {
        char c = lw_scan_peek(scan);
        struct lw_position position = lw_scan_position(scan);
        int64_t size;
        if (c == '?')
            return lw_error_at(scan->err, LW_ERROR_UNSUPPORTED, position,
                               "the size '?' is not supported: it must be a number");
        if (c < '0' || c > '9')
            return true;
        if (!lw_scan_integer(scan, &size))
            return false;
        position = lw_scan_until(scan, position);
        if (size < 1 || size > (int64_t)1 << 62)
            return lw_error_at(scan->err, LW_ERROR_SHAPE, position,
                               "size %lld: must be from 1 to 2^62", (long long)size);
        if (tensor->rank == LW_RANK_MAX)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, position, "a tensor has at most %d dims",
                               LW_RANK_MAX);
        tensor->shape[tensor->rank++] = (uint64_t)size;
        *more = scan->at < scan->end && *scan->at == 'x'; /* a name may follow it without a blank */
        scan->at += *more;
    } while (*more);
    return true;
}

/* Reads the element type: up to a `,` or `>` that is not in its brackets. `begun`: after an `x`, where it is
 * required. */
static bool read_element(struct lw_scan *scan, struct lw_tensor *tensor, bool begun)
{
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    const char *start = scan->at;
    int depth = 0;
    for (; scan->at < scan->end && *scan->at != '\n'; scan->at++) {
        depth += *scan->at == '<';
        if (depth == 0 && (*scan->at == ',' || *scan->at == '>'))
            break;
        depth -= *scan->at == '>';
    }
    const char *stop = scan->at;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
        stop--;
    if (stop == start)
        return begun ? lw_scan_unexpected(scan, "a size or an element type") : true;
    position = lw_scan_until(scan, position);
    position.length -= scan->whole.line ? 0 : (int)(scan->at - stop);
    const char *name = lw_arena_string(scan->arena, start, (size_t)(stop - start));
    if (!name)
        return lw_scan_out_of_memory(scan);
    return lw_element_find(&tensor->element, name, scan->err) ||
           lw_error_locate(scan->err, position);
}

static bool read_shape(struct lw_scan *scan, struct lw_tensor *tensor)
{
    bool more;
    if (read_sizes(scan, tensor, &more) && read_element(scan, tensor, more))
        return true;
    tensor->rank = -1;
    return false;
}

/* Reads an entry of the rest of a memdesc: its memory space, `mutable`, or the shape of its allocation. Only the last
 * affects where an element is. */
static bool read_memory(struct lw_scan *scan, struct lw_tensor *tensor)
{
    struct lw_position position;
    if (lw_scan_accept(scan, '#')) {
        do
            if (!lw_scan_name(scan, &position))
                return lw_scan_unexpected(scan, "a memory space such as '#smem'");
        while (lw_scan_accept(scan, '.'));
        return true;
    }
    if (lw_scan_keyword(scan, "mutable"))
        return true;
    struct lw_tensor whole;
    bool more;
    char c = lw_scan_peek(scan);
    if (c < '0' || c > '9')
        return lw_scan_unexpected(scan, "a memory space, 'mutable' or a shape");
    if (!read_sizes(scan, &whole, &more))
        return false;
    if (more)
        return lw_scan_unexpected(scan, "a size");
    tensor->alloc_rank = whole.rank;
    memcpy(tensor->alloc, whole.shape, sizeof tensor->alloc);
    return true;
}

/* Reads the layout of a type, or skips it. */
static bool read_layout(struct lw_scan *scan, struct lw_encoding **encoding)
{
    char c = lw_scan_peek(scan);
    if (encoding)
        return c == '#' ? lw_read_attribute(scan, encoding)
                        : lw_scan_unexpected(scan, "an encoding such as '#ttg.blocked<{...}>'");
    while (scan->at < scan->end && *scan->at != ',' && *scan->at != '>')
        scan->at += *scan->at == '<' ? lw_bracketed(scan->at, scan->end) : 1;
    return true;
}

bool lw_read_type(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding)
{
    struct lw_position position;
    if (encoding)
        *encoding = NULL;
    lw_tensor_unknown(tensor);
    bool memory = lw_scan_accept(scan, '!');
    if (memory) {
        const char *dialect = lw_scan_name(scan, &position);
        if (!dialect)
            return lw_scan_unexpected(scan, "'ttg.memdesc'");
        if (strcmp(dialect, "tt") != 0 && !check_dialect(dialect, position, scan->err))
            return false;
        if (!lw_scan_expect(scan, '.', "'.memdesc'"))
            return false;
        if (!lw_scan_keyword(scan, "memdesc"))
            return lw_scan_unexpected(scan, "'memdesc'");
    } else if (!lw_scan_keyword(scan, "tensor")) {
        position = lw_scan_position(scan);
        return lw_scan_keyword(scan, "module")
                   ? lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                                 "this is a whole kernel, not a layout: save it as a .ttgir file "
                                 "and open that")
                   : lw_scan_unexpected(scan, "'tensor<...>' or '!ttg.memdesc<...>'");
    }
    if (!lw_scan_expect(scan, '<', "'<'") || !read_shape(scan, tensor) ||
        (lw_scan_accept(scan, ',') && !read_layout(scan, encoding)))
        return false;
    if (memory) { /* the default: the allocation is the tensor */
        tensor->alloc_rank = tensor->rank;
        memcpy(tensor->alloc, tensor->shape, sizeof tensor->alloc);
    }
    while (memory && lw_scan_accept(scan, ','))
        if (!read_memory(scan, tensor))
            return false;
    return lw_scan_expect(scan, '>', encoding && !*encoding ? "',' or '>'" : "'>'");
}

bool lw_read_tensor(struct lw_scan *scan, struct lw_tensor *tensor)
{
    struct lw_encoding *encoding = NULL;
    char c = lw_scan_peek(scan);
    size_t rest = (size_t)(scan->end - scan->at);
    bool pointer = rest > 7 && memcmp(scan->at, "!tt.ptr", 7) == 0;
    if ((c == '!' && !pointer) || (rest > 6 && memcmp(scan->at, "tensor", 6) == 0)) {
        if (!lw_read_type(scan, tensor, &encoding))
            return false;
    } else {
        lw_tensor_unknown(tensor);
        if (!read_shape(scan, tensor))
            return false;
        if (tensor->rank == 0)
            tensor->rank = -1;
        if (tensor->rank < 0 && tensor->element.bits == 0)
            return lw_scan_unexpected(scan, "a type such as 'tensor<16x64xf16>'");
    }
    return lw_scan_at_end(scan) || lw_scan_unexpected(scan, "the end");
}

/* ---- Documents ---- */

bool lw_read_mlir(LW_UNUSED struct lw_reading *reading, struct lw_document *doc,
                  struct lw_scan *scan)
{
    doc->notation = LW_NOTATION_MLIR;
    scan->comment = "//";
    struct lw_position position = lw_scan_position(scan);
    if (lw_scan_peek(scan) == '#' ? !lw_read_attribute(scan, &doc->encoding)
                                  : !lw_read_type(scan, &doc->tensor, &doc->encoding))
        return false;
    if (!lw_scan_at_end(scan))
        return lw_scan_unexpected(scan, "the end");
    return doc->encoding ||
           lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                       "this type has no encoding: tensor<16x64xf16, #ttg.blocked<{...}>>");
}

/* Fills a document with the layout of the alias of that name in the reading's text; NULL: with the only one. */
static bool read_alias_document(struct lw_reading *reading, struct lw_document *doc,
                                const struct lw_aliases *aliases, const char *name)
{
    struct lw_scan scan;
    const struct lw_alias *alias = name ? aliases_get(aliases, name, reading->err) : NULL;
    if (!name) {
        struct lw_text names = {0};
        size_t layouts = 0;
        for (size_t i = 0; i < aliases->count; i++)
            if (lw_alias_is_layout(aliases, &aliases->items[i]) && !layouts++)
                alias = &aliases->items[i];
        aliases_list(&names, aliases);
        if (layouts != 1)
            lw_error_set(reading->err, LW_ERROR_NAME,
                         layouts ? "name one of the layouts %.262s, as in kernel.ttgir:#name or, "
                                   "after their definitions, tensor<16x64xf16, #name>"
                                 : "there is no definition of a layout%s",
                         lw_text_string(&names));
        lw_text_free(&names);
        alias = layouts == 1 ? alias : NULL;
    }
    if (!alias)
        return false;
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.comment = "//";
    scan.aliases = aliases;
    scan.attribute = lw_read_attribute;
    lw_tensor_unknown(&doc->tensor);
    doc->notation = LW_NOTATION_MLIR;
    doc->text = reading->text;
    if (expand_alias(&scan, alias, alias->position, &doc->encoding) &&
        lw_check_nesting(doc->encoding, alias->position, reading->err))
        return true;
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name)
{
    struct lw_aliases aliases;
    return lw_aliases_collect(&aliases, reading) &&
           read_alias_document(reading, doc, &aliases, name);
}

bool lw_read_definitions(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan)
{
    struct lw_aliases aliases;
    if (!lw_aliases_collect(&aliases, reading))
        return false;
    if (!aliases.rest)
        return read_alias_document(reading, doc, &aliases, NULL);
    lw_scan_move(scan, aliases.rest);
    scan->aliases = &aliases;
    bool ok = lw_read_mlir(reading, doc, scan);
    scan->aliases = NULL;
    return ok;
}
