/*
 * MLIR attributes and types, as Triton prints them.
 *
 *     attribute: `#` dialect `.` name `<` [ list ] part { `,` part } `>`
 *     part:      `{` name `=` value { `,` ... } `}`  or  name `=` value
 *     type:      `tensor` `<` { size `x` } element [`,` attribute] `>`
 *     memdesc:   `!ttg.memdesc` `<` { size `x` } element `,` attribute
 *                [`,` `#` space] [`,` `mutable`] [`,` { size `x` } size] `>`
 *
 * A document is a type, an attribute, or an alias of a dump: kernel.ttgir:#mma.
 *
 * Source: the assembly formats of TritonGPUAttrDefs.td and TritonGPUTypes.cpp, release 3.7, and the
 * spellings of the releases before it.
 */

#include "notation/mlir/read_mlir.h"
#include "encoding/schema/schema.h"

#include "notation/expression/evaluate.h"

#include <string.h>

/* ---- Attributes ---- */

static bool read_pair(struct lw_scan *scan, struct lw_encoding *encoding)
{
    struct lw_value value = {0};
    struct lw_position position;
    const char *name = lw_scan_name(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of a parameter");
    if (!lw_scan_expect(scan, '=', "'='") || !lw_read_value(scan, &value))
        return false;
    return lw_read_set_param(encoding, name, position, &value, scan->err);
}

/* Parameters up to a bracket: `}`, or `>`, before which they may also be in braces. */
static bool read_pairs(struct lw_scan *scan, struct lw_encoding *encoding, char close)
{
    while (!lw_scan_accept(scan, close)) {
        bool braces = close == '>' && lw_scan_accept(scan, '{');
        if (braces ? !read_pairs(scan, encoding, '}') : !read_pair(scan, encoding))
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

bool lw_read_attribute(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct lw_position start = lw_scan_position(scan), dialect_position, position;
    if (!lw_scan_expect(scan, '#', "an attribute"))
        return false;
    scan->attribute = lw_read_attribute;
    size_t alias = scan->aliases ? lw_mlir_name(scan->at, scan->end, false) : 0;
    if (alias && (scan->at + alias == scan->end || scan->at[alias] != '.'))
        return lw_read_alias(scan, start, encoding);
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
    if (!lw_check_dialect(dialect, dialect_position, scan->err))
        return false;
    const char *name = lw_scan_name(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an encoding");
    type = lw_encoding_type_get(name, position, scan->err);
    if (!type)
        return false;
    if (type->spelling == LW_SPELLING_CALL)
        return lw_error_at(scan->err, LW_ERROR_NAME, position, "'%s' is a function: write %s(...)",
                           type->name, type->name);
    *encoding = lw_read_new(scan, type, lw_scan_until(scan, start));
    if (!*encoding || !lw_scan_enter(scan, position))
        return false;
    if (lw_scan_accept(scan, '<') &&
        (!read_first(scan, *encoding) || !read_pairs(scan, *encoding, '>')))
        return false;
    lw_scan_leave(scan);
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

static bool read_type_body(struct lw_scan *scan, struct lw_tensor *tensor, bool memory,
                           struct lw_encoding **encoding)
{
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
        if (strcmp(dialect, "tt") != 0 && !lw_check_dialect(dialect, position, scan->err))
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
    return read_type_body(scan, tensor, memory, encoding);
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

bool lw_read_mlir(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan)
{
    (void)reading;
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

/* Fills a document with the layout of an alias of the reading's text. */
static bool read_document(struct lw_reading *reading, struct lw_document *doc,
                          const struct lw_aliases *aliases, const struct lw_alias *alias)
{
    struct lw_scan scan;
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.comment = "//";
    scan.aliases = aliases;
    scan.attribute = lw_read_attribute;
    lw_tensor_unknown(&doc->tensor);
    doc->notation = LW_NOTATION_MLIR;
    doc->text = reading->text;
    if (lw_expand_alias(&scan, alias, alias->position, &doc->encoding) &&
        lw_check_nesting(doc->encoding, alias->position, reading->err))
        return true;
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name)
{
    struct lw_aliases aliases;
    if (!lw_aliases_collect(&aliases, reading))
        return false;
    if (!name) {
        struct lw_text names = {0};
        lw_aliases_list(&names, &aliases);
        lw_error_set(reading->err, LW_ERROR_NAME,
                     names.length
                         ? "name a layout of this file, as in kernel.ttgir:#name: it has %.262s"
                         : "this file has no alias of a layout%s",
                     lw_text_string(&names));
        lw_text_free(&names);
        return false;
    }
    const struct lw_alias *alias = lw_aliases_get(&aliases, name, reading->err);
    return alias && read_document(reading, doc, &aliases, alias);
}

/* Reads the only layout that a text defines. Fails when it defines several: a type must then name one of them. */
static bool read_only_alias(struct lw_reading *reading, struct lw_document *doc,
                            const struct lw_aliases *aliases)
{
    const struct lw_alias *only = NULL;
    struct lw_text names = {0};
    for (size_t i = 0; i < aliases->count; i++)
        if (lw_alias_is_layout(aliases, &aliases->items[i]))
            only = &aliases->items[i];
    lw_aliases_list(&names, aliases);
    bool several = strchr(lw_text_string(&names), ',') != NULL;
    if (several)
        lw_error_set(reading->err, LW_ERROR_NAME,
                     "after the definitions a type has to name one of %.262s: "
                     "tensor<16x64xf16, #name>",
                     lw_text_string(&names));
    else if (!only)
        lw_error_set(reading->err, LW_ERROR_NAME, "none of these definitions is a layout");
    lw_text_free(&names);
    return only && !several && read_document(reading, doc, aliases, only);
}

bool lw_read_definitions(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan)
{
    struct lw_aliases aliases;
    if (!lw_aliases_collect(&aliases, reading))
        return false;
    if (!aliases.rest)
        return read_only_alias(reading, doc, &aliases);
    lw_scan_move(scan, aliases.rest);
    scan->aliases = &aliases;
    bool ok = lw_read_mlir(reading, doc, scan);
    scan->aliases = NULL;
    return ok;
}
