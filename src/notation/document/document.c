/*
 * Documents as values: freed, copied, changed, checked, built. Reading is in source.c, printing in
 * print_json.c. Everything a document points to lies in its arena or in the gallery.
 */

#include "notation/document/read.h"

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

/* ---- Changing ---- */

/* Sizes as people type them: one number will do for a list of one. `name` is shape or alloc. */
static bool read_sizes(const char *name, const struct lw_value *value, uint64_t *sizes, int *rank,
                       struct lw_error *err)
{
    const struct lw_value *items = value->kind == LW_VALUE_INTEGER ? value : value->items;
    size_t count = value->kind == LW_VALUE_INTEGER ? 1 : value->count;
    if (value->kind != LW_VALUE_LIST && value->kind != LW_VALUE_INTEGER)
        return lw_error_about(err, name, value->position,
                              "%s: must be a list of integers, such as [16, 64]", name);
    if (count > LW_RANK_MAX)
        return lw_error_about(err, name, value->position, "%s: a tensor has at most %d dims", name,
                              LW_RANK_MAX);
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != LW_VALUE_INTEGER || items[i].integer < 1 ||
            items[i].integer > (int64_t)1 << 62)
            return lw_error_about(err, name, items[i].position,
                                  "%s: each entry must be an integer from 1 to 2^62", name);
        sizes[i] = (uint64_t)items[i].integer;
    }
    *rank = (int)count;
    return true;
}

/* What is allocated grows and shrinks with the shape when it is no more than that. */
static bool set_shape(struct lw_tensor *tensor, const struct lw_value *value, struct lw_error *err)
{
    struct lw_tensor edited = *tensor;
    size_t bytes = tensor->rank > 0 ? (size_t)tensor->rank * sizeof *tensor->shape : 0;
    bool whole = tensor->alloc_rank == tensor->rank && !memcmp(tensor->alloc, tensor->shape, bytes);
    if (value->kind == LW_VALUE_NONE) {
        tensor->rank = -1;
        tensor->alloc_rank = 0;
        return true;
    }
    if (!read_sizes("shape", value, edited.shape, &edited.rank, err))
        return false;
    if (whole) {
        edited.alloc_rank = edited.rank;
        memcpy(edited.alloc, edited.shape, sizeof edited.alloc);
    }
    *tensor = edited;
    return true;
}

static bool set_alloc(struct lw_tensor *tensor, const struct lw_value *value, struct lw_error *err)
{
    struct lw_tensor edited = *tensor;
    if (value->kind == LW_VALUE_NONE)
        edited.alloc_rank = 0;
    else if (!read_sizes("alloc", value, edited.alloc, &edited.alloc_rank, err))
        return false;
    *tensor = edited;
    return true;
}

static bool set_element(struct lw_tensor *tensor, const char *value, struct lw_error *err)
{
    struct lw_element element = {0};
    if (*value && !lw_element_find(&element, value, err)) {
        err->code = LW_ERROR_PARAMETER;
        snprintf(err->parameter, sizeof err->parameter, "element");
        return false;
    }
    tensor->element = element;
    return true;
}

/* A source of any kind, with the tensor that it says. */
static bool read_layout(struct lw_document *doc, const char *text, struct lw_document *inner,
                        struct lw_error *err)
{
    struct lw_reading reading = {
        .arena = &doc->arena, .err = err, .allowed = LW_ALLOW_NAMES | LW_ALLOW_FILES};
    memset(inner, 0, sizeof *inner);
    lw_tensor_unknown(&inner->tensor);
    return lw_read_source(&reading, inner, text, strlen(text));
}

static bool read_encoding(struct lw_document *doc, const char *text, struct lw_value *value,
                          struct lw_error *err)
{
    struct lw_document inner;
    if (!read_layout(doc, text, &inner, err))
        return false;
    value->kind = LW_VALUE_ENCODING;
    value->encoding = inner.encoding;
    return true;
}

/* A whole layout in the place of the first or the second one; its tensor stays, where the new one says
 * none. */
static bool set_layout(struct lw_document *doc, bool second, const char *text, struct lw_error *err)
{
    struct lw_document inner;
    if (second && !text[strspn(text, " \t")]) {
        doc->with = NULL;
        lw_tensor_unknown(&doc->with_tensor);
        return true;
    }
    if (!read_layout(doc, text, &inner, err))
        return false;
    struct lw_value value = {.kind = LW_VALUE_ENCODING, .encoding = inner.encoding};
    struct lw_tensor *tensor = second ? &doc->with_tensor : &doc->tensor;
    lw_clear_positions(&value);
    if (second && !doc->with)
        lw_tensor_unknown(tensor);
    *(second ? &doc->with : &doc->encoding) = inner.encoding;
    lw_tensor_override(tensor, &inner.tensor);
    enum lw_family family = inner.encoding->type->family;
    tensor->memory = family == LW_FAMILY_SHARED || family == LW_FAMILY_TENSOR_MEMORY;
    return true;
}

/* 16x64, as `-t` has it. */
static bool are_sizes(const char *text)
{
    const char *at = text + strspn(text, " \t");
    size_t digits = strspn(at, "0123456789");
    return digits > 0 && at[digits] == 'x';
}

/* A list of integers, which may be written 16x64, or any other value. */
static bool read_list(struct lw_document *doc, const char *text, struct lw_value *value,
                      struct lw_error *err)
{
    struct lw_tensor edited;
    int64_t sizes[LW_RANK_MAX];
    if (!are_sizes(text))
        return lw_value_read(&doc->arena, text, value, err);
    if (!lw_tensor_read(&edited, text, err))
        return false;
    if (edited.element.bits)
        return lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s' is not a list of integers", text);
    for (int i = 0; i < edited.rank; i++)
        sizes[i] = (int64_t)edited.shape[i];
    *value = lw_value_integers(&doc->arena, sizes, (size_t)edited.rank);
    return value->kind == LW_VALUE_LIST || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* An empty text takes back what was said; one integer will do for a list of one. */
static bool read_param(struct lw_document *doc, const struct lw_param *param, const char *text,
                       struct lw_value *value, struct lw_error *err)
{
    struct lw_value edited;
    memset(value, 0, sizeof *value);
    if (param->type == LW_PARAM_ENCODING && text[strspn(text, " \t")])
        return read_encoding(doc, text, value, err);
    if (!(param->type == LW_PARAM_INTEGERS ? read_list(doc, text, &edited, err)
                                           : lw_value_read(&doc->arena, text, &edited, err))) {
        snprintf(err->parameter, sizeof err->parameter, "%s", param->name);
        return false;
    }
    *value = edited;
    if (param->type == LW_PARAM_INTEGERS && edited.kind == LW_VALUE_INTEGER)
        *value = lw_value_integers(&doc->arena, &edited.integer, 1);
    return true;
}

static bool set_param(struct lw_document *doc, struct lw_encoding *encoding, const char *path,
                      const char *text, struct lw_error *err)
{
    struct lw_encoding *owner;
    struct lw_value value;
    int index;
    if (!lw_encoding_find(encoding, path, &owner, &index, err) ||
        !read_param(doc, &owner->type->params[index], text, &value, err))
        return false;
    lw_clear_positions(&value);
    struct lw_value before = owner->params[index];
    owner->params[index] = value;
    lw_fill_call(owner);
    if (lw_check_nesting(encoding, (struct lw_position){0}, err))
        return true;
    owner->params[index] = before;
    return false;
}

/* Whether the name means the tensor: a tilus layout has a shape of its own. */
static bool is_of_tensor(const struct lw_encoding *encoding, const char *name)
{
    if (strcmp(name, "shape") != 0)
        return (strcmp(name, "element") == 0 || strcmp(name, "alloc") == 0) &&
               lw_encoding_param(encoding, name) < 0;
    return encoding->type->spelling == LW_SPELLING_ATTRIBUTE ||
           lw_encoding_param(encoding, name) < 0;
}

/* An encoding that repeats the shape follows it. */
static bool repeat_shape(struct lw_document *doc, struct lw_encoding *encoding, const char *value,
                         struct lw_error *err)
{
    return !lw_encoding_is_set(encoding, "shape") || set_param(doc, encoding, "shape", value, err);
}

bool lw_document_set(struct lw_document *doc, const char *name, const char *value,
                     struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_encoding *encoding = doc->encoding;
    struct lw_tensor *tensor = &doc->tensor;
    struct lw_value shape;
    err = err ? err : &scratch;
    if (strcmp(name, "with") == 0 || strcmp(name, "encoding") == 0)
        return set_layout(doc, *name == 'w', value, err);
    if (strncmp(name, "with.", 5) == 0) {
        if (!doc->with)
            return lw_error_set(err, LW_ERROR_NAME, "%.60s: there is no second layout", name);
        encoding = doc->with;
        tensor = &doc->with_tensor;
        name += 5;
    }
    if (!is_of_tensor(encoding, name))
        return set_param(doc, encoding, name, value, err);
    if (strcmp(name, "element") == 0)
        return set_element(tensor, value, err);
    if (!read_list(doc, value, &shape, err))
        return false;
    if (strcmp(name, "alloc") == 0)
        return set_alloc(tensor, &shape, err);
    return set_shape(tensor, &shape, err) && repeat_shape(doc, encoding, value, err);
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

/* Every parameter first; what only shows when the map is made comes after. */
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

/* The shape that a document offers to another: of a view of a part of memory the part's; false when it has none. */
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
