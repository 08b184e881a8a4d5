/*
 * Documents, values and linear layouts as JSON. Layouts of tilus and CuTe are printed as a `source` in their own
 * notation, all others as an encoding with its parameters.
 *
 * A layout is shown short, names and numbers, where its source is too long to read: `blocked [1,8] [4,8] [4,1]`. What
 * is shown of an encoding is a row of a table; layouts of tilus and CuTe are shown in their own notation.
 */

#include "notation/document/read.h"
#include "encoding/schema/schema.h"

#include <string.h>

/* ---- Notation ---- */

static void print_encoding(struct lw_text *text, const struct lw_encoding *encoding);

/* Whether an encoding can be written in its own notation, with all encodings in it. In a call there can be only
 * calls: a `#` begins a comment there. */
static bool is_call_text(const struct lw_encoding *encoding, bool in_call)
{
    bool call = encoding->type->spelling == LW_SPELLING_CALL;
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    if (encoding->type->spelling == LW_SPELLING_CUTE) /* not of a shape and a stride that differ */
        return !in_call && lw_encoding_check(encoding, &tensor, NULL);
    if (!call && (in_call || !encoding->type->dialect))
        return false;
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind == LW_VALUE_ENCODING &&
            !is_call_text(encoding->params[i].encoding, call))
            return false;
    return true;
}

static bool is_call(const struct lw_encoding *encoding)
{
    enum lw_spelling spelling = encoding->type->spelling;
    return spelling != LW_SPELLING_ATTRIBUTE &&
           is_call_text(encoding, spelling == LW_SPELLING_CALL);
}

/* ---- Objects ---- */

/* An object while it is printed, key by key. */
struct object {
    struct lw_text *text;
    size_t indent; /* of its keys; 0: all on one line */
    bool begun;
    const char *expression; /* printed as the source; NULL: there is none */
};

static void begin_key(struct object *object, const char *name)
{
    lw_text_char(object->text, object->begun ? ',' : '{');
    if (object->indent) {
        lw_text_char(object->text, '\n');
        lw_text_repeat(object->text, ' ', object->indent);
    } else if (object->begun) {
        lw_text_char(object->text, ' ');
    }
    object->begun = true;
    lw_text_json_string(object->text, name);
    lw_text_add(object->text, ": ");
}

static void end_object(struct object *object)
{
    if (!object->begun) {
        lw_text_char(object->text, '{');
    } else if (object->indent) {
        lw_text_char(object->text, '\n');
        lw_text_repeat(object->text, ' ', object->indent - 2);
    }
    lw_text_char(object->text, '}');
}

/* Begins an object that is the value of a key, which has been printed. */
static struct object begin_inner(const struct object *outer)
{
    return (struct object){.text = outer->text, .indent = outer->indent ? outer->indent + 2 : 0};
}

/* Prints a key and a string, unless that is empty. */
static void print_string(struct object *object, const char *name, const char *string)
{
    if (!string || !*string)
        return;
    begin_key(object, name);
    lw_text_json_string(object->text, string);
}

/* ---- Encodings ---- */

static void print_params(struct object *object, const struct lw_encoding *encoding)
{
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind != LW_VALUE_NONE) {
            begin_key(object, encoding->type->params[i].name);
            lw_value_print_with(object->text, &encoding->params[i], print_encoding);
        }
}

/* Whether an encoding is printed as a source. An indented document prints all that the source cannot express: the role
 * of a layout of CuTe, unless it follows from a tiled MMA, and that it is the part of one thread. */
static bool is_source(const struct object *object, const struct lw_encoding *encoding)
{
    bool more = encoding->type->spelling == LW_SPELLING_CUTE &&
                !lw_encoding_is_set(encoding, "tiling") &&
                (lw_encoding_is_set(encoding, "role") || lw_encoding_is_set(encoding, "thread"));
    return is_call(encoding) && !(object->indent && more);
}

/* ---- Documents ---- */

/* Whether the tensor is a part of its allocation. */
static bool is_part(const struct lw_tensor *tensor)
{
    if (tensor->alloc_rank && tensor->alloc_rank != tensor->rank)
        return true;
    for (int i = 0; i < tensor->alloc_rank; i++)
        if (tensor->alloc[i] != tensor->shape[i])
            return true;
    return false;
}

static void print_sizes(struct object *object, const char *name, const uint64_t *sizes, int rank)
{
    begin_key(object, name);
    lw_text_char(object->text, '[');
    for (int i = 0; i < rank; i++) {
        lw_text_add(object->text, i ? ", " : "");
        lw_text_number(object->text, sizes[i]);
    }
    lw_text_char(object->text, ']');
}

/* `around`: the version that is set in the document around the layout. Parameters are an object `params`; those of
 * `bases` are keys of their own, as `bases --json` prints them. */
static void print_layout(struct object *object, const struct lw_encoding *encoding,
                         const struct lw_tensor *tensor, enum lw_triton around)
{
    bool source = is_source(object, encoding), flat = !strcmp(encoding->type->name, "bases");
    struct lw_text own = {0};
    if (encoding->triton != around)
        print_string(object, "triton", lw_triton_name(encoding->triton));
    if (source && !object->expression)
        lw_encoding_print(&own, encoding);
    if (source)
        print_string(object, "source", own.length ? lw_text_string(&own) : object->expression);
    else
        print_string(object, "encoding", encoding->type->name);
    lw_text_free(&own);
    if (!source && flat)
        print_params(object, encoding);
    if (tensor->rank >= 0)
        print_sizes(object, "shape", tensor->shape, tensor->rank);
    if (is_part(tensor))
        print_sizes(object, "alloc", tensor->alloc, tensor->alloc_rank);
    if (tensor->element.bits)
        print_string(object, "element", tensor->element.name);
    if (source || flat)
        return;
    begin_key(object, "params");
    struct object params = begin_inner(object);
    print_params(&params, encoding);
    end_object(&params);
}

static void print_encoding(struct lw_text *text, const struct lw_encoding *encoding)
{
    struct object object = {.text = text};
    struct lw_tensor none;
    lw_tensor_unknown(&none);
    print_layout(&object, encoding, &none, encoding->triton);
    end_object(&object);
}

/* The expression that is a SOURCE of the layout, in CuTe: "zipped_divide((8,8):(8,1), <2:1>)"; NULL: there is none. */
static const char *expression_of(const struct lw_document *doc)
{
    return doc->encoding->type->spelling == LW_SPELLING_CUTE ? doc->expression : NULL;
}

/* The layouts of an access under their keys; the shape, the element and the version of the document's own layout hold
 * for all. */
static void print_access(struct object *object, const struct lw_document *doc)
{
    struct lw_tensor own = doc->tensor;
    enum lw_triton triton = doc->encoding->triton;
    if (triton != LW_TRITON_UNSET)
        print_string(object, "triton", lw_triton_name(triton));
    if (own.rank >= 0 && !is_part(&own)) {
        print_sizes(object, "shape", own.shape, own.rank);
        own.rank = -1;
        own.alloc_rank = 0;
    }
    if (own.element.bits && own.rank < 0)
        print_string(object, "element", own.element.name);
    if (own.rank < 0)
        own.element = (struct lw_element){0};
    if (doc->to_global) {
        begin_key(object, "to_global");
        lw_text_add(object->text, "true");
    }
    for (int i = 0; i < LW_SIDES; i++) {
        enum lw_side side = (enum lw_side)i;
        if (!lw_document_has(doc, side))
            continue;
        begin_key(object, lw_side_key(side));
        struct object inner = begin_inner(object);
        inner.expression = side == doc->side ? expression_of(doc) : NULL;
        if (side == doc->side)
            print_layout(&inner, doc->encoding, &own, triton);
        else
            print_layout(&inner, doc->others[i].encoding, &doc->others[i].tensor, triton);
        end_object(&inner);
    }
}

void lw_document_print(struct lw_text *text, const struct lw_document *doc)
{
    struct object object = {.text = text, .indent = 2};
    if (!lw_document_is_access(doc))
        object.expression = expression_of(doc);
    begin_key(&object, "laneway");
    lw_text_char(text, '1');
    print_string(&object, "title", doc->title);
    print_string(&object, "about", doc->about);
    if (doc->cuda) {
        struct lw_text source = {0};
        lw_text_format(&source, "%s%s", doc->cuda_given, doc->cuda);
        print_string(&object, "source", lw_text_string(&source));
        lw_text_free(&source);
    } else if (lw_document_is_access(doc))
        print_access(&object, doc);
    else
        print_layout(&object, doc->encoding, &doc->tensor, LW_TRITON_UNSET);
    print_string(&object, "view", doc->view);
    print_string(&object, "cell", doc->cell);
    end_object(&object);
    lw_text_char(text, '\n');
}

/* ---- Sources ---- */

/* Prints the type of a document that has a shape. */
static void print_type(struct lw_text *text, const struct lw_document *doc)
{
    enum lw_family family = doc->encoding->type->family;
    bool shared = family == LW_FAMILY_SHARED, memory = shared || family == LW_FAMILY_TENSOR_MEMORY;
    lw_text_add(text, memory ? "!ttg.memdesc<" : "tensor<");
    lw_tensor_print(text, &doc->tensor);
    lw_text_add(text, ", ");
    lw_encoding_print(text, doc->encoding);
    if (memory)
        lw_text_add(text,
                    shared ? ", #ttg.shared_memory, mutable" : ", #ttng.tensor_memory, mutable");
    for (int i = 0; is_part(&doc->tensor) && i < doc->tensor.alloc_rank; i++) {
        lw_text_add(text, i ? "x" : ", ");
        lw_text_number(text, doc->tensor.alloc[i]);
    }
    lw_text_char(text, '>');
}

void lw_document_source(struct lw_text *text, const struct lw_document *doc)
{
    bool tensor_is_set = doc->tensor.rank >= 0 || doc->tensor.element.bits != 0;
    bool newest = lw_encoding_since(doc->encoding, LW_TRITON_NEWEST);
    bool attribute = newest && !is_call(doc->encoding) && is_call_text(doc->encoding, false);
    if (attribute && doc->tensor.rank >= 0) {
        print_type(text, doc);
    } else if (!tensor_is_set && (attribute || is_call(doc->encoding))) {
        lw_encoding_print(text, doc->encoding);
    } else {
        struct object object = {.text = text, .expression = expression_of(doc)};
        print_layout(&object, doc->encoding, &doc->tensor, LW_TRITON_UNSET);
        end_object(&object);
    }
}

/* ---- Linear layouts ---- */

/* Names of dims need no escapes. */
static void print_dims(struct lw_text *text, const char *name, const struct lw_dims *dims)
{
    lw_text_format(text, "\"%s\":[", name);
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s[\"%s\",%llu]", i ? "," : "", dims->dim[i].name,
                       (unsigned long long)dims->dim[i].size);
    lw_text_char(text, ']');
}

void lw_layout_print_json(struct lw_text *text, const struct lw_layout *layout)
{
    uint64_t image[LW_DIMS_MAX];
    lw_text_char(text, '{');
    print_dims(text, "in", &layout->in);
    lw_text_char(text, ',');
    print_dims(text, "out", &layout->out);
    lw_text_add(text, ",\"bases\":{");
    for (int dim = 0; dim < layout->in.count; dim++) {
        lw_text_format(text, "%s\"%s\":[", dim ? "," : "", layout->in.dim[dim].name);
        for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
            lw_layout_basis(layout, dim, bit, image);
            lw_text_add(text, bit ? ",[" : "[");
            for (int i = 0; i < layout->out.count; i++)
                lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)image[i]);
            lw_text_char(text, ']');
        }
        lw_text_char(text, ']');
    }
    int rank = lw_layout_rank(layout);
    lw_text_add(text, "},\"surjective\":");
    lw_text_add(text, rank == lw_layout_out_bits(layout) ? "true" : "false");
    lw_text_add(text, ",\"injective\":");
    lw_text_add(text, rank == lw_layout_in_bits(layout) ? "true}" : "false}");
}

/* ---- Short ---- */

/* The parameters that are shown, in this order. */
struct shown {
    const char *type, *name, *params;
};

static const struct shown table[] = {
    {"blocked", "blocked", "sizePerThread threadsPerWarp warpsPerCTA order"},
    {"linear", "linear", "register lane warp"},
    {"generic_linear", "generic_linear", "register lane warp"},
    {"slice", "slice", "dim parent"},
    {"nvidia_mma", "nvidia_mma", "versionMajor"},
    {"amd_mfma", "amd_mfma", "version instrShape isTransposed"},
    {"amd_wmma", "amd_wmma", "version isTranspose"},
    {"dot_op", "dot_op", "opIdx parent"},
    {"distributed", "distributed", "threadsPerWarp"},
    {"swizzled_shared", "swizzled_shared", "vec perPhase maxPhase order"},
    {"amd_rotating_shared", "rotating_shared", "vec perPhase maxPhase order"},
    {"nvmma_shared", "nvmma", "swizzlingByteWidth transposed fp4Padded"},
    {"padded_shared", "padded", "intervalPads order"},
    {"shared_linear", "shared_linear", "offset"},
    {"partitioned_shared", "partitioned", "numPartitions numGroups partitionDim partitionLayout"},
    {"tensor_memory_encoding", "tensor_memory", "blockM blockN twoCTAs fp4Padded"},
    {"tensor_memory_scales_encoding", "tensor_memory_scales", ""},
};

/* Shows one parameter, a word of a row: a truth by its name, where it holds, and an order by its name, where it is not
 * from the last dim to the first; of bases their number as a size, 2^n; else the value without blanks. */
static void show_param(struct lw_text *text, struct lw_arena *arena,
                       const struct lw_encoding *encoding, const char *name)
{
    int index = lw_encoding_param(encoding, name);
    enum lw_param_type type = encoding->type->params[index].type;
    struct lw_value value =
        lw_encoding_effective(arena, encoding, index, lw_schema_rank(encoding, NULL));
    struct lw_text all = {0};
    bool order = !strcmp(name, "order"), descends = order;
    for (size_t i = 0; i < value.count && descends; i++)
        descends = value.items[i].integer == (int64_t)(value.count - 1 - i);
    if (value.kind == LW_VALUE_NONE || descends ||
        (value.kind == LW_VALUE_BOOLEAN && !value.integer))
        return;
    if (value.kind == LW_VALUE_ENCODING) {
        lw_text_add(text, " of ");
        lw_encoding_print_short(text, value.encoding);
        return;
    }
    if (order || value.kind == LW_VALUE_BOOLEAN)
        lw_text_format(text, " %s", name);
    bool pads = type == LW_PARAM_PADDINGS;
    if (type == LW_PARAM_BASES)
        lw_text_format(&all, "%llu", 1ULL << (value.count < 63 ? value.count : 63));
    else if (value.kind != LW_VALUE_BOOLEAN)
        lw_value_print(&all, &value);
    lw_text_add(text, all.length ? " " : "");
    int depth = 0;
    for (const char *c = lw_text_string(&all); *c && !lw_text_full(text); c++) {
        depth += *c == '[';
        if (pads && depth > 1 && strchr("[,]", *c)) /* [32:+4] */
            lw_text_add(text, *c == ',' ? ":+" : "");
        else if (*c != ' ')
            lw_text_char(text, *c);
        depth -= *c == ']';
    }
    lw_text_free(&all);
}

void lw_encoding_print_short(struct lw_text *text, const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    const struct shown *row = NULL;
    struct lw_arena arena = {0};
    if (lw_text_full(text))
        return;
    if (type->spelling != LW_SPELLING_ATTRIBUTE && strcmp(type->name, "bases") != 0) {
        lw_encoding_print(text, encoding);
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].type, type->name))
            row = &table[i];
    lw_text_add(text, row ? row->name : type->name);
    for (const char *word = row ? row->params : ""; *word; word += strspn(word, " ")) {
        char name[40];
        int length = (int)strcspn(word, " ");
        snprintf(name, sizeof name, "%.*s", length, word);
        show_param(text, &arena, encoding, name);
        word += length;
    }
    lw_arena_free(&arena);
}

void lw_document_print_short(struct lw_text *text, const struct lw_document *doc)
{
    const char *arrow = "";
    lw_tensor_print(text, &doc->tensor);
    if (doc->tensor.rank >= 0 || doc->tensor.element.bits)
        lw_text_add(text, "  ");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_document_layout *other = &doc->others[i];
        bool own = i == (int)doc->side;
        if (!own && !other->encoding)
            continue;
        lw_text_add(text, arrow);
        arrow = " > ";
        int rank = own ? -1 : other->tensor.rank;
        if (rank >= 0 &&
            (rank != doc->tensor.rank || memcmp(other->tensor.shape, doc->tensor.shape,
                                                (size_t)rank * sizeof *doc->tensor.shape) != 0)) {
            lw_tensor_print(text, &other->tensor);
            lw_text_char(text, ' ');
        }
        lw_encoding_print_short(text, own ? doc->encoding : other->encoding);
    }
}
