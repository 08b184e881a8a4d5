/*
 * Layout documents: a JSON object whose keys are the table below.
 *
 * A document has its layout in one of three forms: `encoding` with `params` (or with `bases`), a `source` in any
 * notation, or `bases` with `in` and `out` at the top, which `bases --json` prints. The document of an access may
 * instead have all of its layouts under `store`, `shared` and `load`.
 */

#include "notation/mlir/read_mlir.h"
#include "encoding/schema/schema.h"

#include "core/array_count.h"

#include <string.h>

enum where {
    IN_DOCUMENT = 1,
    IN_SIDE = 2, /* another layout of a document: a value of `store`, `shared` or `load` */
    IN_PARAM = 4 /* a parameter that is an encoding */
};

static const struct key {
    const char *name;
    unsigned where;
    enum lw_value_kind kind; /* NONE: its reader checks it */
    const char *expected;    /* of that kind */
} keys[] = {
    {"laneway", IN_DOCUMENT | IN_SIDE, LW_VALUE_INTEGER, "1, the version of the format"},
    {"title", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"about", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"encoding", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_STRING, "a string"},
    {"params", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_OBJECT,
     "an object: {\"name\": value, ...}"},
    {"source", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_STRING, "a string"},
    {"shape", IN_DOCUMENT | IN_SIDE, LW_VALUE_NONE, NULL},
    {"alloc", IN_DOCUMENT | IN_SIDE, LW_VALUE_NONE, NULL},
    {"element", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"triton", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"store", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    {"shared", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    {"load", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    {"to_global", IN_DOCUMENT, LW_VALUE_BOOLEAN, "true or false"},
    {"view", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"cell", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    {"bases", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    {"in", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    {"out", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    {"surjective", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    {"injective", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
};

/* The keys of the layout in the output of `bases --json`: parameters of the encoding `bases`. */
static const char *const bases_keys[] = {"bases", "in", "out", "surjective", "injective"};

static bool read_object(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object, unsigned where);

/* ---- Keys ---- */

static const char *key_at(const void *where, size_t i)
{
    return keys[i].where & *(const unsigned *)where ? keys[i].name : "";
}

/* Whether every key of an object may be there, and has a value of its kind. */
static bool check_keys(struct lw_reading *reading, const struct lw_value *object, unsigned where)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct lw_value *value = &object->items[i];
        const char *name = object->names[i];
        char hint[LW_HINT_MAX];
        size_t k = 0;
        while (k < LW_COUNT(keys) && (!(keys[k].where & where) || strcmp(name, keys[k].name) != 0))
            k++;
        if (k == LW_COUNT(keys))
            return lw_error_at(reading->err, LW_ERROR_NAME, value->name_position,
                               "unknown key '%.*s'%s", lw_shown_length(name, 60), name,
                               lw_text_hint(hint,
                                            lw_text_nearest(name, LW_COUNT(keys), key_at, &where),
                                            "; the parameters of an encoding are inside 'params'"));
        bool version = k == 0 && value->integer != 1;
        if ((keys[k].kind != LW_VALUE_NONE && value->kind != keys[k].kind) || version)
            return lw_error_at(reading->err, k == 0 ? LW_ERROR_UNSUPPORTED : LW_ERROR_SYNTAX,
                               value->position, "'%s' must be %s", name, keys[k].expected);
    }
    return true;
}

/* The value of a key; NULL: the object does not have it. */
static const struct lw_value *get(const struct lw_value *object, const char *name)
{
    return lw_value_member(object, name);
}

/* Whether the layout of an object is under a key of its own. */
static bool has_layout(const struct lw_value *object)
{
    return get(object, "encoding") || get(object, "source") || get(object, "bases") ||
           get(object, "in") || get(object, "out");
}

/* ---- The encoding ---- */

/* Reads a source in a string. */
static bool read_source(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *string)
{
    return lw_read_inner(reading, doc, string->string, strlen(string->string), string->position, 1);
}

/* Reads a layout inside: a source in a string, or an object. */
static bool read_layout(struct lw_reading *reading, struct lw_document *inner,
                        const struct lw_value *value, unsigned where)
{
    memset(inner, 0, sizeof *inner);
    lw_tensor_unknown(&inner->tensor);
    return value->kind == LW_VALUE_STRING ? read_source(reading, inner, value)
                                          : read_object(reading, inner, value, where);
}

static bool set_param(struct lw_reading *reading, struct lw_encoding *encoding, const char *name,
                      const struct lw_value *value)
{
    int index = lw_encoding_param(encoding, name);
    bool good = index >= 0 && encoding->params[index].kind == LW_VALUE_NONE;
    struct lw_position position = good ? value->position : value->name_position;
    struct lw_document inner;
    struct lw_value nested = *value;
    if (index >= 0 && encoding->type->params[index].type == LW_PARAM_ENCODING &&
        (value->kind == LW_VALUE_STRING || value->kind == LW_VALUE_OBJECT)) {
        if (!read_layout(reading, &inner, value, IN_PARAM))
            return false;
        nested = (struct lw_value){
            .kind = LW_VALUE_ENCODING, .position = value->position, .encoding = inner.encoding};
    }
    return lw_read_set_param(encoding, name, position, &nested, reading->err);
}

/* Sets the parameters that an object has. */
static bool set_params(struct lw_reading *reading, struct lw_encoding *encoding,
                       const struct lw_value *params, const char *key)
{
    if (params && params->kind != LW_VALUE_OBJECT)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, params->position,
                           "'%s' must be an object: {\"name\": value, ...}", key);
    for (size_t i = 0; params && i < params->count; i++)
        if (!set_param(reading, encoding, params->names[i], &params->items[i]))
            return false;
    return true;
}

static bool read_encoding(struct lw_reading *reading, struct lw_document *doc,
                          const struct lw_value *object)
{
    const struct lw_value *name = get(object, "encoding");
    struct lw_position position = name ? name->position : object->position;
    if (!has_layout(object))
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, position,
                           "a layout needs 'encoding' with 'params', or 'source', or 'bases'");
    const struct lw_encoding_type *type =
        lw_encoding_type_get(name ? name->string : "bases", position, reading->err);
    if (!type)
        return false;
    struct lw_encoding *encoding = lw_encoding_new(reading->arena, type);
    if (!encoding)
        return lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    encoding->position = position;
    if (!set_params(reading, encoding, get(object, "params"), "params"))
        return false;
    /* of any other encoding `bases` holds a parameter for each dim */
    bool bases = lw_encoding_param(encoding, "bases") >= 0;
    for (size_t k = 0; k < LW_COUNT(bases_keys); k++) {
        const struct lw_value *value = get(object, bases_keys[k]);
        if (value && !bases && k > 0)
            return lw_error_at(reading->err, LW_ERROR_NAME, value->name_position,
                               "'%s' is not a key of the encoding '%s'", bases_keys[k], type->name);
        if (value && !(bases ? set_param(reading, encoding, bases_keys[k], value)
                             : set_params(reading, encoding, value, "bases")))
            return false;
    }
    lw_fill_call(encoding);
    doc->encoding = encoding;
    return true;
}

/* ---- The tensor ---- */

static bool read_tensor(struct lw_reading *reading, struct lw_tensor *tensor,
                        const struct lw_value *object)
{
    const struct lw_value *shape = get(object, "shape"), *alloc = get(object, "alloc");
    const struct lw_value *element = get(object, "element");
    if (shape && !lw_read_sizes("shape", shape, tensor->shape, &tensor->rank, reading->err))
        return false;
    if (alloc && tensor->rank < 0)
        return lw_error_at(
            reading->err, LW_ERROR_SYNTAX, alloc->name_position,
            "'alloc', the shape of the allocation, needs 'shape', that of the tensor in it");
    if (alloc && !lw_read_sizes("alloc", alloc, tensor->alloc, &tensor->alloc_rank, reading->err))
        return false;
    return !element || lw_element_find(&tensor->element, element->string, reading->err) ||
           lw_error_locate(reading->err, element->position);
}

/* ---- The document ---- */

/* Reads the layouts of an access, each under its key; the first of them is the document's own unless it has one. */
static bool read_sides(struct lw_reading *reading, struct lw_document *doc,
                       const struct lw_value *object)
{
    const bool own = doc->encoding;
    const enum lw_family family = own ? doc->encoding->type->family : LW_FAMILY_SHARED;
    if (get(object, "store") && family != LW_FAMILY_SHARED && family != LW_FAMILY_TILUS_SHARED)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, get(object, "store")->name_position,
                           "'store' is the layout that stores come from, and so is the layout of "
                           "the document: omit one of them");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_value *value = get(object, lw_side_key((enum lw_side)i));
        struct lw_document inner;
        if (!value)
            continue;
        if (!read_layout(reading, &inner, value, IN_SIDE) ||
            !lw_check_side(&inner, (enum lw_side)i, reading->err))
            return false;
        if (own || doc->encoding) {
            doc->others[i] = (struct lw_document_layout){inner.encoding, inner.tensor};
        } else {
            doc->side = (enum lw_side)i;
            doc->encoding = inner.encoding;
            lw_tensor_override(&doc->tensor, &inner.tensor);
        }
    }
    return true;
}

static bool read_object(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object, unsigned where)
{
    if (object->kind != LW_VALUE_OBJECT)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, object->position,
                           "expected an object: {\"encoding\": ..., \"shape\": ...}");
    doc->tensor.rank = -1;
    if (!check_keys(reading, object, where))
        return false;
    const struct lw_value *source = get(object, "source"), *triton = get(object, "triton");
    static const char *const others[] = {"encoding", "params", "in", "out", "bases"};
    for (size_t i = 0; source && i < LW_COUNT(others); i++)
        if (get(object, others[i]))
            return lw_error_at(reading->err, LW_ERROR_SYNTAX, get(object, others[i])->name_position,
                               "'source' and '%s' both set the layout: omit one of them",
                               others[i]);
    bool sides = get(object, "store") || get(object, "shared") || get(object, "load");
    if (source ? !read_source(reading, doc, source)
               : (!sides || has_layout(object)) && !read_encoding(reading, doc, object))
        return false;
    const struct {
        const char *key, **string;
    } strings[] = {
        {"title", &doc->title}, {"about", &doc->about}, {"view", &doc->view}, {"cell", &doc->cell}};
    for (size_t i = 0; i < LW_COUNT(strings); i++)
        if (get(object, strings[i].key))
            *strings[i].string = get(object, strings[i].key)->string;
    doc->to_global = get(object, "to_global") && get(object, "to_global")->integer;
    if (!read_tensor(reading, &doc->tensor, object) || !read_sides(reading, doc, object))
        return false;
    if (triton) { /* it has precedence over that of a source inside; the other layouts may have their own */
        struct lw_triton_choice choice = {0};
        if (!lw_triton_find(&choice.version, triton->string, reading->err))
            return lw_error_locate(reading->err, triton->position);
        lw_encoding_set_triton(doc->encoding, choice);
        choice.weak = true;
        lw_document_set_triton_of_others(doc, choice);
    }
    /* the allocation of a tensor in memory that sets none has the shape of the tensor */
    struct lw_tensor *tensor = &doc->tensor;
    enum lw_family family = doc->encoding ? doc->encoding->type->family : LW_FAMILY_PLAIN;
    if ((family == LW_FAMILY_SHARED || family == LW_FAMILY_TENSOR_MEMORY) && tensor->rank >= 0 &&
        tensor->alloc_rank == 0) {
        tensor->alloc_rank = tensor->rank;
        memcpy(tensor->alloc, tensor->shape, sizeof tensor->alloc);
    }
    return true;
}

bool lw_read_document(struct lw_reading *reading, struct lw_document *doc,
                      const struct lw_value *value)
{
    return value->kind == LW_VALUE_STRING ? read_source(reading, doc, value)
                                          : read_object(reading, doc, value, IN_DOCUMENT);
}

bool lw_read_json_object(struct lw_arena *arena, const char *text, size_t length,
                         const char *example, struct lw_value *object, struct lw_error *err)
{
    struct lw_value value;
    if (!lw_check_text(text, length, err) || !lw_read_json(arena, text, length, &value, err))
        return false;
    if (value.kind != LW_VALUE_OBJECT)
        return lw_error_at(err, LW_ERROR_SYNTAX, value.position, "it must be an object, such as %s",
                           example);
    *object = value;
    return true;
}
