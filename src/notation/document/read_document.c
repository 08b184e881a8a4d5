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

enum key {
    VERSION,
    TITLE,
    ABOUT,
    ENCODING,
    PARAMS,
    SOURCE,
    SHAPE,
    ALLOC,
    ELEMENT,
    TYPE,
    TRITON,
    STORE, /* the sides in their order */
    SHARED,
    LOAD,
    TO_GLOBAL,
    VIEW,
    CELL,
    BASES,
    IN, /* from here on, only in the output of `bases --json` */
    OUT,
    SURJECTIVE,
    INJECTIVE,
    KEYS
};

static const struct {
    const char *name;
    unsigned where;
    enum lw_value_kind kind; /* NONE: its reader checks it */
    const char *expected;    /* of that kind */
} keys[KEYS] = {
    [VERSION] = {"laneway", IN_DOCUMENT | IN_SIDE, LW_VALUE_INTEGER,
                 "1, the version of the format"},
    [TITLE] = {"title", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [ABOUT] = {"about", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [ENCODING] = {"encoding", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_STRING, "a string"},
    [PARAMS] = {"params", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_OBJECT,
                "an object: {\"name\": value, ...}"},
    [SOURCE] = {"source", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_STRING, "a string"},
    [SHAPE] = {"shape", IN_DOCUMENT | IN_SIDE, LW_VALUE_NONE, NULL},
    [ALLOC] = {"alloc", IN_DOCUMENT | IN_SIDE, LW_VALUE_NONE, NULL},
    [ELEMENT] = {"element", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [TYPE] = {"type", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [TRITON] = {"triton", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [STORE] = {"store", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    [SHARED] = {"shared", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    [LOAD] = {"load", IN_DOCUMENT, LW_VALUE_NONE, NULL},
    [TO_GLOBAL] = {"to_global", IN_DOCUMENT, LW_VALUE_BOOLEAN, "true or false"},
    [VIEW] = {"view", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [CELL] = {"cell", IN_DOCUMENT | IN_SIDE, LW_VALUE_STRING, "a string"},
    [BASES] = {"bases", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    [IN] = {"in", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    [OUT] = {"out", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    [SURJECTIVE] = {"surjective", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
    [INJECTIVE] = {"injective", IN_DOCUMENT | IN_SIDE | IN_PARAM, LW_VALUE_NONE, NULL},
};

/* An object, and the value of each of its keys; NULL: it does not have the key. */
struct members {
    const struct lw_value *object, *of[KEYS];
};

static bool read_object(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_value *object, unsigned where);

/* ---- Keys ---- */

static const char *key_at(const void *context, size_t i)
{
    return keys[i].where & *(const unsigned *)context ? keys[i].name : "";
}

static bool unknown_key(struct lw_reading *reading, const char *name, const struct lw_value *value,
                        unsigned where)
{
    char hint[LW_HINT_MAX];
    bool with = where == IN_DOCUMENT && !strcmp(name, "with");
    const char *near = with ? NULL : lw_text_nearest(name, KEYS, key_at, &where);
    return lw_error_at(reading->err, LW_ERROR_NAME, value->name_position, "unknown key '%.*s'%s",
                       lw_shown_length(name, 60), name,
                       lw_text_hint(hint, near,
                                    with ? "; the other layouts are 'shared' and 'load'"
                                         : "; the parameters of an encoding are inside 'params'"));
}

static bool find_members(struct lw_reading *reading, const struct lw_value *object, unsigned where,
                         struct members *members)
{
    *members = (struct members){.object = object};
    for (size_t i = 0; i < object->count; i++) {
        const struct lw_value *value = &object->items[i];
        const char *name = object->names[i];
        size_t k = 0;
        while (k < KEYS && (*name != *keys[k].name || strcmp(name, keys[k].name) != 0))
            k++;
        if (k == KEYS || !(keys[k].where & where))
            return unknown_key(reading, name, value, where);
        members->of[k] = value;
        if ((keys[k].kind != LW_VALUE_NONE && value->kind != keys[k].kind) ||
            (k == VERSION && value->integer != 1))
            return lw_error_at(reading->err, k == VERSION ? LW_ERROR_UNSUPPORTED : LW_ERROR_SYNTAX,
                               value->position, "'%s' must be %s", name, keys[k].expected);
    }
    return true;
}

/* Whether the layout of an object is under a key of its own. */
static bool has_layout(const struct members *members)
{
    return members->of[ENCODING] || members->of[SOURCE] || members->of[BASES] || members->of[IN] ||
           members->of[OUT];
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
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, params->position, "'%s' must be %s", key,
                           keys[PARAMS].expected);
    for (size_t i = 0; params && i < params->count; i++)
        if (!set_param(reading, encoding, params->names[i], &params->items[i]))
            return false;
    return true;
}

static bool read_encoding(struct lw_reading *reading, struct lw_document *doc,
                          const struct members *members)
{
    const struct lw_value *name = members->of[ENCODING];
    struct lw_position position = name ? name->position : members->object->position;
    if (!has_layout(members))
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
    if (!set_params(reading, encoding, members->of[PARAMS], "params"))
        return false;
    /* `in`, `out`, `bases`, ... at the top are parameters of the encoding `bases`; of any other one, `bases` holds a
     * parameter for each dim. */
    bool bases = lw_encoding_param(encoding, "bases") >= 0;
    for (size_t k = BASES; k < KEYS; k++) {
        const struct lw_value *value = members->of[k];
        if (value && !bases && k != BASES)
            return lw_error_at(reading->err, LW_ERROR_NAME, value->name_position,
                               "'%s' is not a key of the encoding '%s'", keys[k].name, type->name);
        if (value && !(bases ? set_param(reading, encoding, keys[k].name, value)
                             : set_params(reading, encoding, value, "bases")))
            return false;
    }
    lw_fill_call(encoding);
    doc->encoding = encoding;
    return true;
}

/* ---- The tensor ---- */

static bool read_tensor(struct lw_reading *reading, struct lw_tensor *tensor,
                        const struct members *members)
{
    const struct lw_value *type = members->of[TYPE], *shape = members->of[SHAPE];
    const struct lw_value *element = members->of[ELEMENT], *alloc = members->of[ALLOC];
    if (type && (shape || element))
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, (shape ? shape : element)->name_position,
                           "'type' sets the %s too: omit one of them", shape ? "shape" : "element");
    if (type) {
        struct lw_scan scan;
        struct lw_tensor set;
        size_t length = strlen(type->string);
        lw_scan_begin(&scan, reading->arena, type->string, length, reading->err);
        scan.triton = reading->triton.version;
        scan.line = type->position.line;
        scan.shift = type->position.column + 1;
        if (type->position.length !=
            (int)length + 2) /* with escapes in it, positions are unknown */
            scan.whole = type->position;
        if (!lw_read_tensor(&scan, &set))
            return false;
        lw_tensor_override(tensor, &set);
    }
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
                       const struct members *members)
{
    bool own = doc->encoding;
    if (own && members->of[STORE])
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, members->of[STORE]->name_position,
                           "'store' is the layout that stores come from, and so is the layout of "
                           "the document: omit one of them");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_value *value = members->of[STORE + i];
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
    struct members members;
    if (object->kind != LW_VALUE_OBJECT)
        return lw_error_at(reading->err, LW_ERROR_SYNTAX, object->position,
                           "expected an object: {\"encoding\": ..., \"shape\": ...}");
    doc->tensor.rank = -1;
    if (!find_members(reading, object, where, &members))
        return false;
    bool sides = members.of[STORE] || members.of[SHARED] || members.of[LOAD];
    static const enum key others[] = {ENCODING, PARAMS, IN, OUT, BASES};
    for (size_t i = 0; members.of[SOURCE] && i < LW_COUNT(others); i++)
        if (members.of[others[i]])
            return lw_error_at(reading->err, LW_ERROR_SYNTAX, members.of[others[i]]->name_position,
                               "'source' and '%s' both set the layout: omit one of them",
                               keys[others[i]].name);
    if (members.of[SOURCE]
            ? !read_source(reading, doc, members.of[SOURCE])
            : (!sides || has_layout(&members)) && !read_encoding(reading, doc, &members))
        return false;
    const char **const strings[] = {&doc->title, &doc->about, &doc->view, &doc->cell};
    static const enum key named[] = {TITLE, ABOUT, VIEW, CELL};
    for (size_t i = 0; i < LW_COUNT(named); i++)
        if (members.of[named[i]])
            *strings[i] = members.of[named[i]]->string;
    doc->to_global = members.of[TO_GLOBAL] && members.of[TO_GLOBAL]->integer;
    if (!read_tensor(reading, &doc->tensor, &members) || !read_sides(reading, doc, &members))
        return false;
    const struct lw_value *triton = members.of[TRITON];
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
                      const struct lw_value *object)
{
    return read_object(reading, doc, object, IN_DOCUMENT);
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
