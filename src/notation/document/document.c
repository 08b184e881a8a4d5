/*
 * Documents as values: freed, copied, with their sides. Reading, building and changing are in source.c,
 * printing in print_document.c. Everything a document points to lies in its arena or in the gallery.
 */

#include "notation/document/read.h"

#include <string.h>

void lw_document_free(struct lw_document *doc)
{
    lw_arena_free(&doc->arena);
    memset(doc, 0, sizeof *doc);
}

bool lw_document_copy(struct lw_document *out, const struct lw_document *doc, struct lw_error *err)
{
    struct lw_document copy = *doc;
    memset(&copy.arena, 0, sizeof copy.arena);
    copy.arena.max = doc->arena.max;
    struct lw_arena *arena = &copy.arena;
    const char **const strings[] = {
        &copy.name, &copy.title,      &copy.about, &copy.view,       &copy.cell,
        &copy.text, &copy.expression, &copy.cuda,  &copy.cuda_given, &copy.cuda_kernel};
    bool ok = true;
    for (size_t i = 0; i < sizeof strings / sizeof *strings && ok; i++)
        if (*strings[i])
            ok = (*strings[i] = lw_arena_string(arena, *strings[i], strlen(*strings[i])));
    if (ok && doc->encoding)
        ok = (copy.encoding = lw_encoding_copy(arena, doc->encoding)) != NULL;
    for (int i = 0; ok && i < LW_SIDES; i++)
        if (doc->others[i].encoding)
            ok = (copy.others[i].encoding = lw_encoding_copy(arena, doc->others[i].encoding));
    if (!ok) {
        lw_arena_free(arena);
        memset(out, 0, sizeof *out);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    *out = copy;
    return true;
}

/* ---- Parts ---- */

void lw_tensor_override(struct lw_tensor *tensor, const struct lw_tensor *other)
{
    if (other->rank >= 0) {
        tensor->rank = other->rank;
        memcpy(tensor->shape, other->shape, sizeof tensor->shape);
        tensor->alloc_rank = other->alloc_rank;
        memcpy(tensor->alloc, other->alloc, sizeof tensor->alloc);
    }
    if (other->element.bits)
        tensor->element = other->element;
}

bool lw_read_sizes(const char *name, const struct lw_value *value, uint64_t *sizes, int *rank,
                   struct lw_error *err)
{
    if (value->kind != LW_VALUE_LIST)
        return lw_error_about(err, name, value->position,
                              "'%s' must be a list of integers, such as [16, 64]", name);
    if (value->count > LW_RANK_MAX)
        return lw_error_about(err, name, value->position,
                              "'%s' has %zu entries: a tensor has at most %d dims", name,
                              value->count, LW_RANK_MAX);
    for (size_t i = 0; i < value->count; i++) {
        const struct lw_value *size = &value->items[i];
        if (size->kind != LW_VALUE_INTEGER || size->integer < 1 || size->integer > (int64_t)1 << 62)
            return lw_error_about(err, name, size->position,
                                  "'%s': each entry must be an integer from 1 to 2^62", name);
        sizes[i] = (uint64_t)size->integer;
    }
    *rank = (int)value->count;
    return true;
}

bool lw_check_document_nesting(const struct lw_document *doc, struct lw_error *err)
{
    if (!lw_check_nesting(doc->encoding, doc->encoding->position, err))
        return false;
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_encoding *encoding = doc->others[i].encoding;
        if (encoding && !lw_check_nesting(encoding, encoding->position, err))
            return false;
    }
    return true;
}

/* ---- Building ---- */

void lw_document_tensor(const struct lw_document *doc, const struct lw_map *map,
                        struct lw_tensor *tensor)
{
    lw_encoding_tensor(doc->encoding, &doc->tensor, tensor);
    if (tensor->rank < 0) {
        tensor->rank = map->out.count;
        for (int i = 0; i < map->out.count; i++)
            tensor->shape[i] = map->out.dim[i].size;
    }
    if (tensor->element.bits == 0)
        tensor->element.bits = lw_encoding_element_bits(doc->encoding);
    if (tensor->element.bits == 0)
        tensor->element.bits = 32;
}

/* ---- The layouts of an access ---- */

/* The shape that a document offers to another one; a part of an allocation offers that of the part. */
static bool offered_shape(const struct lw_document *doc, struct lw_tensor *offered)
{
    struct lw_map map;
    const struct lw_tensor *stated = &doc->tensor;
    if (stated->rank < 0) {
        if (!lw_encoding_has_shape(doc->encoding) ||
            !lw_encoding_build(doc->encoding, stated, &map, NULL))
            return false;
        lw_document_tensor(doc, &map, offered);
        return true;
    }
    lw_encoding_tensor(doc->encoding, stated, offered);
    memcpy(offered->shape, stated->shape + stated->rank - offered->rank,
           (size_t)offered->rank * sizeof *offered->shape);
    return true;
}

void lw_document_share(struct lw_document *doc, const struct lw_document *other, bool access)
{
    struct lw_tensor offered, tensor = doc->tensor;
    struct lw_map map, others;
    bool own = lw_encoding_has_shape(doc->encoding);
    if (doc->tensor.rank >= 0 || !offered_shape(other, &offered) || (own && other->tensor.rank < 0))
        return;
    if (!tensor.element.bits)
        tensor.element = other->tensor.element;
    doc->tensor = tensor;
    tensor.rank = offered.rank;
    memcpy(tensor.shape, offered.shape, sizeof offered.shape);
    tensor.alloc_rank = 0;
    bool memory = access && lw_encoding_build(other->encoding, &other->tensor, &others, NULL) &&
                  lw_dims_find(&others.in, "offset") < 0; /* beside registers it is memory */
    if (!own || (!memory && lw_encoding_build(doc->encoding, &tensor, &map, NULL)))
        doc->tensor = tensor;
}

const char *lw_side_key(enum lw_side side)
{
    static const char *const keys[LW_SIDES] = {"store", "shared", "load"};
    return (size_t)side < LW_SIDES ? keys[side] : NULL;
}

const char *lw_side_name(enum lw_side side)
{
    static const char *const names[LW_SIDES] = {"registers A", "shared S", "registers B"};
    return (size_t)side < LW_SIDES ? names[side] : NULL;
}

bool lw_document_has(const struct lw_document *doc, enum lw_side side)
{
    return side == doc->side || ((size_t)side < LW_SIDES && doc->others[side].encoding);
}

bool lw_document_is_access(const struct lw_document *doc)
{
    int count = 0;
    for (int i = 0; i < LW_SIDES; i++)
        count += lw_document_has(doc, (enum lw_side)i);
    return count > 1;
}

bool lw_check_side(const struct lw_document *doc, enum lw_side side, struct lw_error *err)
{
    enum lw_family family = doc->encoding->type->family;
    bool memory = family == LW_FAMILY_SHARED || family == LW_FAMILY_TILUS_SHARED;
    bool registers = family == LW_FAMILY_DISTRIBUTED || family == LW_FAMILY_TILUS_REGISTER;
    if (!(side == LW_SIDE_S ? registers : memory))
        return true;
    return lw_error_at(err, LW_ERROR_UNSUPPORTED, doc->encoding->position,
                       "'%s' must be a layout in %s, and %s is in %s", lw_side_key(side),
                       memory ? "registers" : "shared memory", doc->encoding->type->name,
                       memory ? "shared memory" : "registers");
}

bool lw_document_find_side(const char *name, enum lw_side *side, size_t *length)
{
    size_t word = strcspn(name, ".");
    *length = word + (name[word] != '\0');
    for (int i = 0; i < LW_SIDES; i++) {
        const char *key = lw_side_key((enum lw_side)i);
        if (strlen(key) != word || strncmp(key, name, word) != 0)
            continue;
        *side = (enum lw_side)i;
        return true;
    }
    *length = 0;
    return false;
}

void lw_document_set_triton_of_others(struct lw_document *doc, struct lw_triton_choice choice)
{
    for (int i = 0; i < LW_SIDES; i++)
        if (doc->others[i].encoding)
            lw_encoding_set_triton(doc->others[i].encoding, choice);
}

void lw_document_side(struct lw_document *out, const struct lw_document *doc, enum lw_side side)
{
    *out = *doc;
    memset(&out->arena, 0, sizeof out->arena);
    memset(out->others, 0, sizeof out->others);
    out->cuda = NULL;
    if (side == doc->side)
        return;
    out->side = side;
    out->title = out->about = ""; /* these are of the document's own layout */
    out->expression = NULL;
    out->encoding = doc->others[side].encoding;
    out->tensor = doc->others[side].tensor;
    if (!out->tensor.element.bits)
        out->tensor.element = doc->tensor.element;
    lw_document_share(out, doc, side == LW_SIDE_S);
}

bool lw_document_put(struct lw_document *doc, enum lw_side side, const struct lw_document *other,
                     struct lw_error *err)
{
    struct lw_encoding *copy = lw_encoding_copy(&doc->arena, other->encoding);
    if (!copy)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    doc->cuda = NULL;
    if (side == doc->side) {
        doc->expression = other->expression ? lw_arena_string(&doc->arena, other->expression,
                                                              strlen(other->expression))
                                            : NULL;
        doc->encoding = copy;
        doc->tensor = other->tensor;
    } else {
        doc->others[side] = (struct lw_document_layout){copy, other->tensor};
    }
    return true;
}

bool lw_document_is_in_memory(const struct lw_document *doc)
{
    struct lw_map map;
    enum lw_family family = doc->encoding->type->family;
    if (family == LW_FAMILY_PLAIN)
        return lw_encoding_build(doc->encoding, &doc->tensor, &map, NULL) &&
               lw_dims_find(&map.in, "offset") >= 0;
    return family == LW_FAMILY_SHARED || family == LW_FAMILY_TILUS_SHARED;
}

void lw_document_settle(struct lw_document *doc)
{
    bool memory = lw_document_is_in_memory(doc);
    enum lw_side side = memory ? LW_SIDE_S : LW_SIDE_A;
    if (memory != (doc->side == LW_SIDE_S) && !doc->others[side].encoding)
        doc->side = side;
}

size_t lw_setting_length(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.";
    int depth = 0;
    size_t i = 0;
    for (; text[i]; i++) {
        depth += strchr("([{<", text[i]) ? 1 : strchr(")]}>", text[i]) ? -1 : 0;
        size_t name = depth == 0 && text[i] == ' ' ? strspn(text + i + 1, letters) : 0;
        if (name && text[i + 1 + name] == '=')
            break;
    }
    return i;
}
