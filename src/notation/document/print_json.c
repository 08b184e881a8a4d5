/*
 * Documents, values and linear layouts as JSON. Layouts of tilus and CuTe are printed as a `source` in their own
 * notation, all others as an encoding with its parameters.
 */

#include "notation/document/read.h"

#include <string.h>

/* ---- Encodings ---- */

static void print_value(struct lw_text *text, const struct lw_value *value);

/* CuTe notation cannot express a shape and a stride of different profiles. */
static bool is_legal(const struct lw_encoding *encoding)
{
    struct lw_report report;
    struct lw_tensor tensor;
    report.count = report.total = 0;
    lw_tensor_unknown(&tensor);
    return lw_encoding_check(encoding, &tensor, &report);
}

/* Whether an encoding can be written in its own notation, with all encodings in it. In a call there can be only calls:
 * a `#` begins a comment there. */
static bool is_call_text(const struct lw_encoding *encoding, bool in_call)
{
    bool call = encoding->type->spelling == LW_SPELLING_CALL;
    if (encoding->type->spelling == LW_SPELLING_CUTE)
        return !in_call && is_legal(encoding);
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
    return (encoding->type->spelling == LW_SPELLING_CUTE && is_legal(encoding)) ||
           (encoding->type->spelling == LW_SPELLING_CALL && is_call_text(encoding, true));
}

/* What is printed between keys, and before the first and after the last. */
struct style {
    const char *open, *comma, *close;
    int indent;
};

static void begin_key(struct lw_text *text, const struct style *style, bool *first,
                      const char *name)
{
    lw_text_add(text, *first ? style->open : style->comma);
    if (style->indent)
        lw_text_repeat(text, ' ', (size_t)style->indent);
    *first = false;
    lw_text_json_string(text, name);
    lw_text_add(text, ": ");
}

static void print_params(struct lw_text *text, const struct lw_encoding *encoding,
                         const struct style *style, bool *first)
{
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->params[i].kind != LW_VALUE_NONE) {
            begin_key(text, style, first, encoding->type->params[i].name);
            print_value(text, &encoding->params[i]);
        }
}

/* Whether an encoding is printed as a source. CuTe notation has no role, which a whole document keeps. */
static bool is_source(const struct lw_encoding *encoding, const struct style *style)
{
    bool more = style->indent && encoding->type->spelling == LW_SPELLING_CUTE &&
                lw_encoding_is_set(encoding, "role");
    return is_call(encoding) && !more;
}

/* Whether the parameters are in an object `params`; what `bases --json` prints has them at the top. */
static bool has_params_key(const struct lw_encoding *encoding, const struct style *style)
{
    return !is_source(encoding, style) && strcmp(encoding->type->name, "bases") != 0;
}

/* Prints the keys of an encoding except `params`. */
static void print_keys(struct lw_text *text, const struct lw_encoding *encoding,
                       const struct style *style, bool *first)
{
    if (is_source(encoding, style)) {
        struct lw_text source = {0};
        lw_encoding_print(&source, encoding);
        text->failed = text->failed || source.failed;
        begin_key(text, style, first, "source");
        lw_text_json_string(text, lw_text_string(&source));
        lw_text_free(&source);
        return;
    }
    begin_key(text, style, first, "encoding");
    lw_text_json_string(text, encoding->type->name);
    if (!has_params_key(encoding, style))
        print_params(text, encoding, style, first);
}

/* Prints the object `params`, indented one step more than its key. */
static void print_params_object(struct lw_text *text, const struct lw_encoding *encoding,
                                const struct style *style)
{
    struct style inner = *style;
    bool first = true;
    if (style->indent)
        inner.indent += 2;
    print_params(text, encoding, &inner, &first);
    if (first)
        lw_text_char(text, '{');
    else if (style->indent) {
        lw_text_char(text, '\n');
        lw_text_repeat(text, ' ', (size_t)style->indent);
    }
    lw_text_char(text, '}');
}

static const struct style on_one_line = {"{", ", ", "}", 0};

static void print_encoding(struct lw_text *text, const struct lw_encoding *encoding)
{
    bool first = true;
    print_keys(text, encoding, &on_one_line, &first);
    if (has_params_key(encoding, &on_one_line)) {
        begin_key(text, &on_one_line, &first, "params");
        print_params_object(text, encoding, &on_one_line);
    }
    lw_text_add(text, first ? "{}" : "}");
}

static void print_items(struct lw_text *text, const struct lw_value *value)
{
    bool object = value->kind == LW_VALUE_OBJECT;
    lw_text_char(text, object ? '{' : '[');
    for (size_t i = 0; i < value->count; i++) {
        lw_text_add(text, i ? ", " : "");
        if (object) {
            lw_text_json_string(text, value->names[i]);
            lw_text_add(text, ": ");
        }
        print_value(text, &value->items[i]);
    }
    lw_text_char(text, object ? '}' : ']');
}

static void print_value(struct lw_text *text, const struct lw_value *value)
{
    switch (value->kind) {
    case LW_VALUE_LIST:
    case LW_VALUE_OBJECT:
        print_items(text, value);
        break;
    case LW_VALUE_STRING:
        lw_text_json_string(text, value->string);
        break;
    case LW_VALUE_ENCODING:
        print_encoding(text, value->encoding);
        break;
    default:
        lw_value_print(text, value);
    }
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

static void print_sizes(struct lw_text *text, const char *name, const uint64_t *sizes, int rank,
                        const struct style *style, bool *first)
{
    begin_key(text, style, first, name);
    for (int i = 0; i < rank; i++) {
        lw_text_add(text, i ? ", " : "[");
        lw_text_number(text, sizes[i]);
    }
    lw_text_add(text, rank ? "]" : "[]");
}

static void print_tensor(struct lw_text *text, const struct lw_tensor *tensor,
                         const struct style *style, bool *first)
{
    if (tensor->rank >= 0)
        print_sizes(text, "shape", tensor->shape, tensor->rank, style, first);
    if (is_part(tensor))
        print_sizes(text, "alloc", tensor->alloc, tensor->alloc_rank, style, first);
    if (tensor->element.bits) {
        begin_key(text, style, first, "element");
        lw_text_json_string(text, tensor->element.name);
    }
}

static void print_layout(struct lw_text *text, const struct lw_encoding *encoding,
                         const struct lw_tensor *tensor, const struct style *style, bool *first)
{
    print_keys(text, encoding, style, first);
    print_tensor(text, tensor, style, first);
    if (has_params_key(encoding, style)) {
        begin_key(text, style, first, "params");
        print_params_object(text, encoding, style);
    }
}

static void print_string(struct lw_text *text, const char *name, const char *string,
                         const struct style *style, bool *first)
{
    if (!string || !*string)
        return;
    begin_key(text, style, first, name);
    lw_text_json_string(text, string);
}

static void print_document(struct lw_text *text, const struct lw_document *doc,
                           const struct style *style)
{
    bool first = true;
    begin_key(text, style, &first, "laneway");
    lw_text_char(text, '1');
    print_string(text, "title", doc->title, style, &first);
    print_string(text, "about", doc->about, style, &first);
    print_layout(text, doc->encoding, &doc->tensor, style, &first);
    if (doc->with) {
        struct style inner = *style;
        bool none = true;
        inner.indent += style->indent ? 2 : 0;
        inner.close = style->indent ? "\n  }" : "}";
        begin_key(text, style, &first, "with");
        print_layout(text, doc->with, &doc->with_tensor, &inner, &none);
        lw_text_add(text, inner.close);
    }
    print_string(text, "view", doc->view, style, &first);
    print_string(text, "cell", doc->cell, style, &first);
    lw_text_add(text, style->close);
}

void lw_document_print(struct lw_text *text, const struct lw_document *doc)
{
    static const struct style indented = {"{\n", ",\n", "\n}\n", 2};
    print_document(text, doc, &indented);
}

/* ---- Sources ---- */

static void print_inline(struct lw_text *text, const struct lw_document *doc)
{
    bool first = true;
    print_layout(text, doc->encoding, &doc->tensor, &on_one_line, &first);
    lw_text_char(text, '}');
}

/* Prints the type of a document that has a shape. */
static void print_type(struct lw_text *text, const struct lw_document *doc)
{
    lw_text_add(text, doc->tensor.memory ? "!ttg.memdesc<" : "tensor<");
    lw_tensor_print(text, &doc->tensor);
    lw_text_add(text, ", ");
    lw_encoding_print(text, doc->encoding);
    if (doc->tensor.memory)
        lw_text_add(text, doc->encoding->type->family == LW_FAMILY_SHARED
                              ? ", #ttg.shared_memory, mutable"
                              : ", #ttng.tensor_memory, mutable");
    for (int i = 0; is_part(&doc->tensor) && i < doc->tensor.alloc_rank; i++) {
        lw_text_add(text, i ? "x" : ", ");
        lw_text_number(text, doc->tensor.alloc[i]);
    }
    lw_text_char(text, '>');
}

void lw_document_source(struct lw_text *text, const struct lw_document *doc)
{
    bool tensor_is_set = doc->tensor.rank >= 0 || doc->tensor.element.bits != 0;
    bool attribute = !is_call(doc->encoding) && is_call_text(doc->encoding, false);
    if (attribute && doc->tensor.rank >= 0)
        print_type(text, doc);
    else if (!tensor_is_set && (attribute || is_call(doc->encoding)))
        lw_encoding_print(text, doc->encoding);
    else
        print_inline(text, doc);
}

/* ---- Linear layouts ---- */

/* Names of dims need no escapes. */
static void print_dims(struct lw_text *text, const char *name, const struct lw_dims *dims)
{
    lw_text_char(text, '"');
    lw_text_add(text, name);
    lw_text_add(text, "\":[");
    for (int i = 0; i < dims->count; i++) {
        lw_text_add(text, i ? ",[\"" : "[\"");
        lw_text_add(text, dims->dim[i].name);
        lw_text_add(text, "\",");
        lw_text_number(text, dims->dim[i].size);
        lw_text_char(text, ']');
    }
    lw_text_char(text, ']');
}

static void print_dim_bases(struct lw_text *text, const struct lw_layout *layout, int dim)
{
    uint64_t image[LW_DIMS_MAX];
    for (int bit = 0; bit < lw_layout_in_log2(layout, dim); bit++) {
        lw_layout_basis(layout, dim, bit, image);
        lw_text_add(text, bit ? ",[" : "[");
        for (int i = 0; i < layout->out.count; i++) {
            lw_text_add(text, i ? "," : "");
            lw_text_number(text, image[i]);
        }
        lw_text_char(text, ']');
    }
}

void lw_layout_print_json(struct lw_text *text, const struct lw_layout *layout)
{
    lw_text_char(text, '{');
    print_dims(text, "in", &layout->in);
    lw_text_char(text, ',');
    print_dims(text, "out", &layout->out);
    lw_text_add(text, ",\"bases\":{");
    for (int dim = 0; dim < layout->in.count; dim++) {
        lw_text_add(text, dim ? ",\"" : "\"");
        lw_text_add(text, layout->in.dim[dim].name);
        lw_text_add(text, "\":[");
        print_dim_bases(text, layout, dim);
        lw_text_char(text, ']');
    }
    int rank = lw_layout_rank(layout);
    lw_text_format(text, "},\"surjective\":%s,\"injective\":%s}",
                   rank == lw_layout_out_bits(layout) ? "true" : "false",
                   rank == lw_layout_in_bits(layout) ? "true" : "false");
}
