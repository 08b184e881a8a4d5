/*
 * Layout documents: a JSON object whose keys are the table below.
 *
 * A document has its layout in one of three forms: `encoding` with `params` (or with `bases`), a
 * `source` in any notation, or `bases` with `in` and `out` at the top, which `bases --json` prints. The document of an
 * access may instead have all of its layouts under `store`, `shared` and `load`.
 */

#include "notation/mlir/read_mlir.h"

#include <string.h>

enum where {
    IN_DOCUMENT = 1,
    IN_SIDE = 2, /* another layout of a document: a value of `with`, `store`, `shared` or `load` */
    IN_PARAM = 4 /* a parameter that is an encoding */
};

struct key {
    const char *name;
    unsigned where;
    bool machine; /* only in the output of `bases --json` */
};

static const struct key keys[] = {
    {"laneway", IN_DOCUMENT | IN_SIDE, false},
    {"title", IN_DOCUMENT | IN_SIDE, false},
    {"about", IN_DOCUMENT | IN_SIDE, false},
    {"encoding", IN_DOCUMENT | IN_SIDE | IN_PARAM, false},
    {"params", IN_DOCUMENT | IN_SIDE | IN_PARAM, false},
    {"source", IN_DOCUMENT | IN_SIDE | IN_PARAM, false},
    {"shape", IN_DOCUMENT | IN_SIDE, false},
    {"alloc", IN_DOCUMENT | IN_SIDE, false},
    {"element", IN_DOCUMENT | IN_SIDE, false},
    {"type", IN_DOCUMENT | IN_SIDE, false},
    {"triton", IN_DOCUMENT | IN_SIDE, false},
    {"with", IN_DOCUMENT, false},
    {"store", IN_DOCUMENT, false},
    {"shared", IN_DOCUMENT, false},
    {"load", IN_DOCUMENT, false},
    {"to_global", IN_DOCUMENT, false},
    {"view", IN_DOCUMENT | IN_SIDE, false},
    {"cell", IN_DOCUMENT | IN_SIDE, false},
    {"in", IN_DOCUMENT | IN_SIDE | IN_PARAM, true},
    {"out", IN_DOCUMENT | IN_SIDE | IN_PARAM, true},
    {"bases", IN_DOCUMENT | IN_SIDE | IN_PARAM, false},
    {"surjective", IN_DOCUMENT | IN_SIDE | IN_PARAM, true},
    {"injective", IN_DOCUMENT | IN_SIDE | IN_PARAM, true},
};
#define KEYS (sizeof keys / sizeof *keys)

static bool read_object(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object, unsigned where);

static const char *key_at(const void *context, size_t i)
{
    return keys[i].where & *(const unsigned *)context ? keys[i].name : "";
}

static bool same(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0; /* most names differ in their first letter */
}

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < KEYS; i++)
        if (same(keys[i].name, name))
            return &keys[i];
    return NULL;
}

static const struct lw_value *get(const struct lw_value *object, const char *name)
{
    for (size_t i = 0; i < object->count; i++)
        if (same(object->names[i], name))
            return &object->items[i];
    return NULL;
}

static struct lw_position name_position(const struct lw_reading *reading,
                                        const struct lw_value *value)
{
    return lw_json_name_position(reading->text, reading->length, value->position);
}

static bool check_key(struct lw_reading *reading, const char *name, const struct lw_value *value,
                      unsigned where)
{
    const struct key *key = find_key(name);
    if (key && key->where & where)
        return true;
    const char *near = lw_text_nearest(name, KEYS, key_at, &where);
    char hint[LW_HINT_MAX];
    return lw_error_at(
        reading->err, LW_ERROR_NAME, name_position(reading, value), "unknown key '%.*s'%s",
        lw_shown_length(name, 60), name,
        lw_text_hint(hint, near, "; the parameters of an encoding are inside 'params'"));
}

static bool check_keys(struct lw_reading *reading, const struct lw_value *object, unsigned where)
{
    for (size_t i = 0; i < object->count; i++)
        if (!check_key(reading, object->names[i], &object->items[i], where))
            return false;
    const struct lw_value *version = get(object, "laneway");
    if (version && (version->kind != LW_VALUE_INTEGER || version->integer != 1))
        return lw_error_at(reading->err, LW_ERROR_UNSUPPORTED, version->position,
                           "'laneway' is the version of the format and must be 1");
    return true;
}

static bool check_string(struct lw_reading *reading, const struct lw_value *value, const char *name)
{
    return value->kind == LW_VALUE_STRING ||
           lw_error_at(reading->err, LW_ERROR_SYNTAX, value->position, "'%s' must be a string",
                       name);
}

static bool read_string(struct lw_reading *reading, const struct lw_value *object, const char *name,
                        const char **out)
{
    const struct lw_value *value = get(object, name);
    if (value && check_string(reading, value, name))
        *out = value->string;
    return !value || value->kind == LW_VALUE_STRING;
}

/* ---- The encoding ---- */

/* Reads a source in a string. */
static bool read_source(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *string)
{
    return lw_read_inner(reading, doc, string->string, strlen(string->string), string->position, 1);
}

/* Reads a parameter that is an encoding: a source in a string, or an object. */
static bool read_nested(struct lw_reading *reading, const struct lw_value *value,
                        struct lw_value *out)
{
    struct lw_document inner = {0};
    inner.tensor.rank = -1;
    if (!(value->kind == LW_VALUE_STRING ? read_source(reading, &inner, value)
                                         : read_object(reading, &inner, value, IN_PARAM)))
        return false;
    *out = (struct lw_value){
        .kind = LW_VALUE_ENCODING, .position = value->position, .encoding = inner.encoding};
    return true;
}

static bool set_param(struct lw_reading *reading, struct lw_encoding *encoding, const char *name,
                      const struct lw_value *value)
{
    int index = lw_encoding_param(encoding, name);
    struct lw_value nested;
    if (index >= 0 && encoding->type->params[index].type == LW_PARAM_ENCODING &&
        (value->kind == LW_VALUE_STRING || value->kind == LW_VALUE_OBJECT)) {
        if (!read_nested(reading, value, &nested))
            return false;
        value = &nested;
    }
    bool good = index >= 0 && encoding->params[index].kind == LW_VALUE_NONE;
    struct lw_position position =
        good ? value->position : name_position(reading, value); /* the position of the error */
    return lw_read_set_param(encoding, name, position, value, reading->err);
}

static bool set_params(struct lw_reading *reading, struct lw_encoding *encoding,
                       const struct lw_value *params, const char *key)
{
    if (!params)
        return true;
    if (params->kind != LW_VALUE_OBJECT)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, params->position,
                           "'%s' must be an object: {\"name\": value, ...}", key);
    for (size_t i = 0; i < params->count; i++)
        if (!set_param(reading, encoding, params->names[i], &params->items[i]))
            return false;
    return true;
}

/* `in`, `out`, `bases`, ... at the top are parameters of the encoding `bases`; of any other one,
 * `bases` holds a parameter for each dim. */
static bool set_bases(struct lw_reading *reading, struct lw_encoding *encoding,
                      const struct lw_value *object)
{
    if (lw_encoding_param(encoding, "bases") < 0)
        return set_params(reading, encoding, get(object, "bases"), "bases");
    for (size_t i = 0; i < KEYS; i++) {
        bool mine = keys[i].machine || strcmp(keys[i].name, "bases") == 0;
        const struct lw_value *value = mine ? get(object, keys[i].name) : NULL;
        if (value && !set_param(reading, encoding, keys[i].name, value))
            return false;
    }
    return true;
}

/* The type of the encoding, and the position of its name. */
static const struct lw_encoding_type *
find_type(struct lw_reading *reading, const struct lw_value *object, struct lw_position *position)
{
    const struct lw_value *name = get(object, "encoding");
    *position = name ? name->position : object->position;
    if (name && !check_string(reading, name, "encoding"))
        return NULL;
    if (name)
        return lw_encoding_type_get(name->string, *position, reading->err);
    if (get(object, "bases") || get(object, "in") || get(object, "out"))
        return lw_encoding_type_get("bases", *position, reading->err);
    lw_error_at(reading->err, LW_ERROR_SYNTAX, *position,
                "a layout needs 'encoding' with 'params', or 'source', or 'bases'");
    return NULL;
}

static bool read_encoding(struct lw_reading *reading, struct lw_document *doc,
                          const struct lw_value *object)
{
    struct lw_position position;
    const struct lw_encoding_type *type = find_type(reading, object, &position);
    if (!type)
        return false;
    doc->encoding = lw_encoding_new(reading->arena, type);
    if (!doc->encoding)
        return lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    doc->encoding->position = position;
    for (size_t i = 0; i < object->count; i++) {
        const struct key *key = find_key(object->names[i]);
        if (key && key->machine && lw_encoding_param(doc->encoding, "bases") < 0 &&
            !lw_error_at(reading->err, LW_ERROR_NAME, name_position(reading, &object->items[i]),
                         "'%s' is not a key of the encoding '%s'", key->name, type->name))
            return false;
    }
    if (!set_params(reading, doc->encoding, get(object, "params"), "params") ||
        !set_bases(reading, doc->encoding, object))
        return false;
    lw_fill_call(doc->encoding);
    return true;
}

static bool read_source_key(struct lw_reading *reading, struct lw_document *doc,
                            const struct lw_value *object)
{
    static const char *const others[] = {"encoding", "params", "in", "out", "bases"};
    const struct lw_value *source = get(object, "source");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct lw_value *other = get(object, others[i]);
        if (other)
            return lw_error_at(reading->err, LW_ERROR_SYNTAX, name_position(reading, other),
                               "'source' and '%s' both set the layout: omit one of them",
                               others[i]);
    }
    return check_string(reading, source, "source") && read_source(reading, doc, source);
}

/* ---- The tensor ---- */

static bool read_alloc(struct lw_reading *reading, struct lw_tensor *tensor,
                       const struct lw_value *value)
{
    if (tensor->rank < 0)
        return lw_error_at(
            reading->err, LW_ERROR_SYNTAX, name_position(reading, value),
            "'alloc', the shape of the allocation, needs 'shape', that of the tensor in it");
    return lw_read_sizes("alloc", value, tensor->alloc, &tensor->alloc_rank, reading->err);
}

static bool read_type_key(struct lw_reading *reading, struct lw_tensor *tensor,
                          const struct lw_value *object)
{
    const struct lw_value *type = get(object, "type");
    const struct lw_value *shape = get(object, "shape");
    const struct lw_value *element = get(object, "element");
    if (!type)
        return true;
    if (shape || element)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX,
                           name_position(reading, shape ? shape : element),
                           "'type' sets the %s too: omit one of them", shape ? "shape" : "element");
    if (!check_string(reading, type, "type"))
        return false;
    struct lw_scan scan;
    struct lw_tensor set;
    lw_scan_string(&scan, reading, type);
    if (!lw_read_tensor(&scan, &set))
        return false;
    lw_tensor_override(tensor, &set);
    return true;
}

static bool read_tensor(struct lw_reading *reading, struct lw_tensor *tensor,
                        const struct lw_value *object)
{
    const struct lw_value *shape = get(object, "shape");
    const struct lw_value *element = get(object, "element"), *alloc = get(object, "alloc");
    const char *name = NULL;
    if (!read_type_key(reading, tensor, object) ||
        !(!shape || lw_read_sizes("shape", shape, tensor->shape, &tensor->rank, reading->err)) ||
        !(!alloc || read_alloc(reading, tensor, alloc)) ||
        !(read_string(reading, object, "element", &name)))
        return false;
    if (!name || lw_element_find(&tensor->element, name, reading->err))
        return true;
    reading->err->position = element->position;
    return false;
}

/* ---- The document ---- */

/* Reads the value of `with`, `store`, `shared` or `load`; without an encoding on failure. */
static bool read_side(struct lw_reading *reading, struct lw_document *inner,
                      const struct lw_value *value)
{
    memset(inner, 0, sizeof *inner);
    inner->tensor.rank = -1;
    return value->kind == LW_VALUE_STRING ? read_source(reading, inner, value)
                                          : read_object(reading, inner, value, IN_SIDE);
}

static bool read_with(struct lw_reading *reading, struct lw_document *doc,
                      const struct lw_value *value)
{
    struct lw_document inner;
    if (!read_side(reading, &inner, value))
        return false;
    if (!inner.encoding || !doc->encoding)
        return true;
    lw_document_settle(doc);
    doc->others[lw_document_side_for(doc, &inner)] =
        (struct lw_document_layout){inner.encoding, inner.tensor};
    return true;
}

/* Whether the layout of an object is under a key of its own. */
static bool has_layout(const struct lw_value *object)
{
    static const char *const names[] = {"encoding", "source", "bases", "in", "out"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (get(object, names[i]))
            return true;
    return false;
}

/* Fails when two keys set the same layout. */
static bool check_sides(struct lw_reading *reading, const struct lw_value *object)
{
    const struct lw_value *with = get(object, "with"), *store = get(object, "store");
    const struct lw_value *shared = get(object, "shared"), *load = get(object, "load");
    if (with && (store || shared || load))
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, name_position(reading, with),
                           "'with' is an older name of 'shared' and 'load': use one of them");
    if (store && has_layout(object))
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, name_position(reading, store),
                           "'store' is the layout that stores come from, and so is the layout of "
                           "the document: omit one of them");
    return true;
}

/* Reads the layouts of an access, each under its key; the first of them is the document's own unless it has one. */
static bool read_sides(struct lw_reading *reading, struct lw_document *doc,
                       const struct lw_value *object)
{
    bool own = has_layout(object);
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_value *value = get(object, lw_side_key((enum lw_side)i));
        struct lw_document inner;
        if (!value)
            continue;
        if (!read_side(reading, &inner, value) ||
            !lw_check_side(&inner, (enum lw_side)i, reading->err))
            return false;
        if (own || doc->encoding) {
            doc->others[i] = (struct lw_document_layout){inner.encoding, inner.tensor};
        } else {
            doc->side = (enum lw_side)i;
            doc->encoding = inner.encoding;
            doc->tensor.memory = inner.tensor.memory;
            lw_tensor_override(&doc->tensor, &inner.tensor);
        }
    }
    return true;
}

/* Reads the version, which has precedence over that of a source inside; the other layouts may have their own. */
static bool read_triton(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object)
{
    const struct lw_value *value = get(object, "triton");
    struct lw_triton_choice choice = {0};
    if (!value)
        return true;
    if (!check_string(reading, value, "triton"))
        return false;
    if (!lw_triton_find(&choice.version, value->string, reading->err)) {
        reading->err->position = value->position;
        return false;
    }
    if (doc->encoding)
        lw_encoding_set_triton(doc->encoding, choice);
    choice.weak = true;
    lw_document_set_triton_of_others(doc, choice);
    return true;
}

/* Reads whether what the access loads is stored. */
static bool read_to_global(struct lw_reading *reading, struct lw_document *doc,
                           const struct lw_value *object)
{
    const struct lw_value *value = get(object, "to_global");
    if (value && value->kind != LW_VALUE_BOOLEAN)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, value->position,
                           "to_global: expected true or false");
    doc->to_global = value && value->integer;
    return true;
}

static bool read_object(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object, unsigned where)
{
    if (object->kind != LW_VALUE_OBJECT)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, object->position,
                           "expected an object: {\"encoding\": ..., \"shape\": ...}");
    bool has_sides = get(object, "store") || get(object, "shared") || get(object, "load");
    const struct lw_value *with = get(object, "with");
    doc->tensor.rank = -1;
    if (!check_keys(reading, object, where) || !check_sides(reading, object))
        return false;
    if ((!has_sides || has_layout(object)) &&
        !(get(object, "source") ? read_source_key(reading, doc, object)
                                : read_encoding(reading, doc, object)))
        return false;
    bool good = read_string(reading, object, "title", &doc->title) &&
                read_string(reading, object, "about", &doc->about) &&
                read_string(reading, object, "view", &doc->view) &&
                read_string(reading, object, "cell", &doc->cell) &&
                read_tensor(reading, &doc->tensor, object) &&
                (!with || read_with(reading, doc, with)) &&
                (!has_sides || read_sides(reading, doc, object)) &&
                read_to_global(reading, doc, object) && read_triton(reading, doc, object);
    if (good)
        lw_document_allocate(doc);
    return good;
}

bool lw_read_document(struct lw_reading *reading, struct lw_document *doc,
                      const struct lw_value *object)
{
    return read_object(reading, doc, object, IN_DOCUMENT);
}
