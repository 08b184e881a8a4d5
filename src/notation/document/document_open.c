/*
 * Opening documents: from a SOURCE, a text, a JSON object or an alias of a dump. Each function begins a reading, calls
 * the reader, applies the options, and leaves a document that is complete or, on failure, empty.
 */

#include "notation/expression/evaluate.h"
#include "notation/mlir/read_mlir.h"

#include <string.h>

static bool read_tensor_text(struct lw_arena *arena, const char *text, struct lw_tensor *tensor,
                             struct lw_error *err)
{
    struct lw_scan scan;
    size_t length = strlen(text);
    lw_scan_begin(&scan, arena, text, length, err);
    if (lw_check_text(text, length, err) && lw_read_tensor(&scan, tensor))
        return true;
    lw_error_excerpt(err, text, length);
    return false;
}

bool lw_tensor_read(struct lw_tensor *tensor, const char *text, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_arena arena = {0};
    bool ok = read_tensor_text(&arena, text, tensor, err ? err : &scratch);
    lw_arena_free(&arena);
    return ok;
}

bool lw_value_read(struct lw_arena *arena, const char *text, struct lw_value *value,
                   struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_scan scan;
    size_t length = strlen(text);
    err = err ? err : &scratch;
    lw_scan_begin(&scan, arena, text, length, err);
    scan.attribute = lw_read_attribute;
    if (lw_check_text(text, length, err) && lw_read_loose_value(&scan, value))
        return true;
    lw_error_excerpt(err, text, length);
    return false;
}

bool lw_calc(const char *expr, const struct lw_calc_binding *lets, size_t count,
             const struct lw_calc_work *work, struct lw_calc_result *out, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading = {.err = err ? err : &scratch, .read_source = lw_read_source};
    if (work)
        reading.triton = work->triton;
    return lw_read_calc(&reading, expr, lets, count, work, out);
}

/* Sets the element of all layouts: they are of one tensor. */
static bool apply_element(struct lw_document *doc, const struct lw_tensor *type, const char *name,
                          struct lw_error *err)
{
    struct lw_element element;
    if (!lw_element_find(&element, name, err))
        return false;
    if (type->element.bits && strcmp(type->element.name, element.name) != 0)
        return lw_error_set(err, LW_ERROR_SHAPE,
                            "the type has elements of %s, not %s: omit one of the two",
                            type->element.name, element.name);
    doc->tensor.element = element;
    for (int i = 0; i < LW_SIDES; i++)
        if (doc->others[i].tensor.element.bits)
            doc->others[i].tensor.element = element;
    return true;
}

/* The options replace what the source sets. */
static bool apply_options(struct lw_reading *reading, struct lw_document *doc,
                          const struct lw_open_options *options)
{
    struct lw_tensor typed;
    lw_tensor_unknown(&typed);
    if (options && options->type) {
        if (!read_tensor_text(reading->arena, options->type, &typed, reading->err))
            return false;
        lw_tensor_override(&doc->tensor, &typed);
    }
    return !options || !options->element ||
           apply_element(doc, &typed, options->element, reading->err);
}

static bool in_memory(const struct lw_encoding *encoding, bool memory)
{
    enum lw_family family = encoding->type->family;
    return family == LW_FAMILY_SHARED || family == LW_FAMILY_TILUS_SHARED ||
           family == LW_FAMILY_TENSOR_MEMORY || (family == LW_FAMILY_PLAIN && memory);
}

/* Sets the version of all layouts. Triton's own text must be of that version, unless the version is a default. */
static bool set_versions(struct lw_reading *reading, struct lw_document *doc)
{
    bool text = doc->notation == LW_NOTATION_MLIR && !reading->triton.weak;
    lw_encoding_set_triton(doc->encoding, reading->triton);
    bool good = !text || lw_encoding_check_version(doc->encoding, reading->err);
    lw_document_set_triton_of_others(doc, reading->triton);
    if (!good && doc->text)
        lw_error_excerpt(reading->err, doc->text, strlen(doc->text));
    return good;
}

/* The document's own layout, when nothing sets its shape, has that of another one. */
static void share_shape(struct lw_document *doc)
{
    struct lw_document other = *doc;
    for (int i = 0; i < LW_SIDES; i++)
        if (doc->others[i].encoding && doc->others[i].tensor.rank >= 0 && doc->tensor.rank < 0 &&
            !lw_encoding_has_shape(doc->encoding)) {
            other.encoding = doc->others[i].encoding;
            other.tensor = doc->others[i].tensor;
            lw_document_share(doc, &other, false);
        }
}

/* Completes a document; on failure makes it empty and sets the error. */
static bool finish(struct lw_reading *reading, struct lw_document *doc,
                   const struct lw_open_options *options, bool ok)
{
    ok = ok && set_versions(reading, doc);
    if (!ok) {
        lw_arena_free(&doc->arena);
        memset(doc, 0, sizeof *doc);
        return false;
    }
    if (options && options->name)
        doc->name = lw_arena_string(&doc->arena, options->name, strlen(options->name));
    doc->name = doc->name ? doc->name : doc->text;
    doc->title = doc->title ? doc->title : "";
    doc->about = doc->about ? doc->about : "";
    doc->view = doc->view ? doc->view : "";
    doc->cell = doc->cell ? doc->cell : "";
    doc->tensor.memory = in_memory(doc->encoding, doc->tensor.memory);
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document_layout *other = &doc->others[i];
        if (other->encoding) {
            other->tensor.memory = in_memory(other->encoding, other->tensor.memory);
        } else {
            lw_tensor_unknown(&other->tensor);
        }
    }
    share_shape(doc);
    if (doc->encoding->type->family != LW_FAMILY_PLAIN || lw_document_is_access(doc))
        lw_document_settle(doc); /* a layout without others is settled only when one is added */
    return true;
}

static void begin(struct lw_reading *reading, struct lw_document *doc, unsigned allowed,
                  const struct lw_open_options *options, struct lw_error *err)
{
    memset(doc, 0, sizeof *doc);
    memset(reading, 0, sizeof *reading);
    doc->tensor.rank = -1;
    reading->arena = &doc->arena;
    reading->err = err;
    reading->allowed = allowed;
    reading->read_source = lw_read_source;
    reading->max = options ? options->max : 0;
    if (options)
        reading->triton = options->triton;
}

static bool read_input(struct lw_reading *reading, struct lw_document *doc, FILE *input)
{
    struct lw_text text = {0};
    if (!input)
        return lw_error_set(reading->err, LW_ERROR_IO, "'-' (standard input) cannot be read here");
    bool ok = lw_read_stream(reading, input, "standard input", &text) &&
              lw_read_source(reading, doc, lw_text_string(&text), text.length);
    lw_text_free(&text);
    return ok;
}

bool lw_document_open(struct lw_document *doc, const char *source,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, LW_ALLOW_NAMES | LW_ALLOW_FILES, options, err ? err : &scratch);
    bool ok = strcmp(source, "-") == 0 ? read_input(&reading, doc, options ? options->input : NULL)
                                       : lw_read_source(&reading, doc, source, strlen(source));
    ok = ok && apply_options(&reading, doc, options);
    return finish(&reading, doc, options, ok);
}

bool lw_document_of_object(struct lw_document *doc, const struct lw_value *object, const char *text,
                           size_t length, const struct lw_open_options *options,
                           struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, LW_ALLOW_NAMES | LW_ALLOW_FILES, options, err ? err : &scratch);
    reading.text = doc->text = text;
    reading.length = length;
    reading.depth = 1;
    bool ok = lw_read_document(&reading, doc, object) &&
              lw_check_document_nesting(doc, reading.err) && apply_options(&reading, doc, options);
    return finish(&reading, doc, options, ok);
}

bool lw_document_read(struct lw_document *doc, const char *text, size_t length,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, 0, options, err ? err : &scratch);
    bool ok = lw_read_source(&reading, doc, text, length) && apply_options(&reading, doc, options);
    return finish(&reading, doc, options, ok);
}
