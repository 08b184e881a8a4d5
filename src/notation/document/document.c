/*
 * Documents as values: freed, copied, checked, built. Reading is in document_open.c, changing in document_set.c,
 * printing in print_json.c. Everything a document points to lies in its arena or in the gallery.
 */

#include "laneway/document.h"

#include <string.h>

void lw_document_free(struct lw_document *doc)
{
    lw_arena_free(&doc->arena);
    memset(doc, 0, sizeof *doc);
}

static bool copy_string(struct lw_arena *arena, const char **out, const char *string)
{
    *out = string ? lw_arena_string(arena, string, strlen(string)) : NULL;
    return *out || !string;
}

bool lw_document_copy(struct lw_document *out, const struct lw_document *doc, struct lw_error *err)
{
    struct lw_document copy = *doc;
    memset(&copy.arena, 0, sizeof copy.arena);
    copy.arena.max = doc->arena.max;
    struct lw_arena *arena = &copy.arena;
    bool ok =
        copy_string(arena, &copy.name, doc->name) && copy_string(arena, &copy.title, doc->title) &&
        copy_string(arena, &copy.about, doc->about) && copy_string(arena, &copy.view, doc->view) &&
        copy_string(arena, &copy.cell, doc->cell) && copy_string(arena, &copy.text, doc->text);
    if (ok && doc->encoding)
        ok = (copy.encoding = lw_encoding_copy(arena, doc->encoding)) != NULL;
    if (ok && doc->with)
        ok = (copy.with = lw_encoding_copy(arena, doc->with)) != NULL;
    if (!ok) {
        lw_arena_free(arena);
        memset(out, 0, sizeof *out);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    *out = copy;
    return true;
}

/* ---- Building ---- */

static void add_excerpt(const struct lw_document *doc, struct lw_error *err)
{
    if (doc->text)
        lw_error_excerpt(err, doc->text, strlen(doc->text));
}

bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err)
{
    if (lw_encoding_build(doc->encoding, &doc->tensor, map, err))
        return true;
    add_excerpt(doc, err);
    return false;
}

/* Checks every parameter; when all are legal, also builds the map, which can fail too. */
static bool check_one(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_report *report)
{
    struct lw_map map;
    struct lw_error err = {0};
    if (!lw_encoding_check(encoding, tensor, report))
        return false;
    if (lw_encoding_build(encoding, tensor, &map, &err))
        return true;
    lw_report_add(report, &err);
    return false;
}

bool lw_document_check(const struct lw_document *doc, struct lw_report *report)
{
    int before = report->count;
    struct lw_document second;
    bool ok = check_one(doc->encoding, &doc->tensor, report);
    if (doc->with) {
        lw_document_second(&second, doc);
        ok = check_one(second.encoding, &second.tensor, report) && ok;
    }
    for (int i = before; i < report->count; i++)
        add_excerpt(doc, &report->errors[i]);
    return ok;
}

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

/* ---- Two layouts ---- */

/* The shape that a document has for another; of a part of a memory allocation that of the part. */
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

static bool is_in_registers(const struct lw_document *doc)
{
    struct lw_map map;
    return lw_encoding_build(doc->encoding, &doc->tensor, &map, NULL) &&
           lw_dims_find(&map.in, "offset") < 0;
}

void lw_document_share(struct lw_document *doc, const struct lw_document *other, bool access)
{
    struct lw_tensor offered, tensor = doc->tensor;
    struct lw_map map;
    bool own = lw_encoding_has_shape(doc->encoding);
    if (doc->tensor.rank >= 0 || !offered_shape(other, &offered) || (own && other->tensor.rank < 0))
        return;
    if (!tensor.element.bits)
        tensor.element = other->tensor.element;
    doc->tensor = tensor;
    tensor.rank = offered.rank;
    memcpy(tensor.shape, offered.shape, sizeof offered.shape);
    tensor.alloc_rank = 0;
    if (!own || (!(access && is_in_registers(other)) &&
                 lw_encoding_build(doc->encoding, &tensor, &map, NULL)))
        doc->tensor = tensor;
}

void lw_document_second(struct lw_document *second, const struct lw_document *doc)
{
    *second = *doc;
    second->encoding = doc->with;
    second->tensor = doc->with_tensor;
    second->with = NULL;
    memset(&second->arena, 0, sizeof second->arena);
    if (!second->tensor.element.bits)
        second->tensor.element = doc->tensor.element;
    lw_document_share(second, doc, false);
}
