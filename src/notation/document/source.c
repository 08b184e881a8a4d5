/*
 * Sources: from a text to a document, which can then be built and changed.
 *
 * source_kind.c recognises the kind of a text; the reader of that kind is a row of the table here. Texts of files
 * and of gallery entries are read likewise. The functions that open a document begin a reading, call the reader,
 * apply the options, and leave a document that is complete or, on failure, empty.
 */

#include "notation/document/read.h"
#include "encoding/schema/schema.h"
#include "notation/mlir/read_mlir.h"
#include "notation/calc/calculator.h"
#include "core/unused.h"

#include <string.h>

/* ---- Readers ---- */

/* A reader fills a document, whose tensor is not known, from the reading's text; the cursor is at its beginning. A kind
 * without one is no layout itself but names one. */
typedef bool reader(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan);

static bool read_json(struct lw_reading *reading, struct lw_document *doc,
                      LW_UNUSED struct lw_scan *scan)
{
    struct lw_value object;
    bool ok = lw_read_json(reading->arena, reading->text, reading->length, &object, reading->err) &&
              lw_read_document(reading, doc, &object);
    doc->notation = LW_NOTATION_JSON; /* whatever that of a source in it is */
    return ok;
}

static bool read_tostring(LW_UNUSED struct lw_reading *reading, struct lw_document *doc,
                          struct lw_scan *scan)
{
    doc->notation = LW_NOTATION_TOSTRING;
    return lw_read_tostring(scan, &doc->encoding);
}

static bool read_tilus(LW_UNUSED struct lw_reading *reading, struct lw_document *doc,
                       struct lw_scan *scan)
{
    scan->comment = "#";
    doc->notation = LW_NOTATION_TILUS;
    return lw_read_program(scan, &doc->tensor, &doc->encoding);
}

static reader *const readers[LW_SOURCE_KINDS] = {
    [LW_SOURCE_JSON] = read_json,         [LW_SOURCE_TYPE] = lw_read_mlir,
    [LW_SOURCE_ATTRIBUTE] = lw_read_mlir, [LW_SOURCE_DEFINITIONS] = lw_read_definitions,
    [LW_SOURCE_TOSTRING] = read_tostring, [LW_SOURCE_CUTE] = lw_read_cute,
    [LW_SOURCE_TILUS] = read_tilus,       [LW_SOURCE_CUDA] = lw_read_cuda,
};

/* Reads the reading's text, of a kind that has a reader. */
static bool read_as(struct lw_reading *reading, struct lw_document *doc, enum lw_source_kind kind)
{
    struct lw_scan scan;
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.triton = reading->triton.version;
    doc->tensor.rank = -1;
    bool ok = lw_check_text(reading->text, reading->length, reading->err) &&
              readers[kind](reading, doc, &scan) && lw_check_document_nesting(doc, reading->err);
    doc->text = reading->text;
    doc->name = NULL;
    if (!ok)
        lw_error_excerpt(reading->err, reading->text, reading->length);
    return ok;
}

static bool not_a_source(struct lw_reading *reading, const char *source)
{
    return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                        "'%.*s' is not a layout: expected a JSON document, an MLIR type or "
                        "attribute, a tilus expression, a CuTe layout or CUDA C++",
                        lw_shown_length(source, 60), source);
}

/* ---- Files ---- */

/* Reads the text of a file: of a document, of any notation, or of a dump the alias that is picked, NULL: the one type
 * or attribute that it consists of. */
static bool read_file_text(struct lw_reading *reading, struct lw_document *doc,
                           enum lw_source_kind file, const char *alias)
{
    const char *text = reading->text;
    size_t length = reading->length;
    if (file == LW_SOURCE_FILE)
        return read_as(reading, doc, LW_SOURCE_JSON);
    if (file == LW_SOURCE_CODE)
        return read_as(reading, doc, LW_SOURCE_CUDA);
    if (alias)
        return lw_read_alias_document(reading, doc, alias);
    if (file == LW_SOURCE_TEXT && length > LW_SOURCE_BYTES_MAX)
        return lw_check_text(text, length, reading->err); /* to examine all of it would take long */
    lw_trim(&text, &length);
    enum lw_source_kind kind = lw_source_kind_of(text, length);
    if (file == LW_SOURCE_TEXT)
        return readers[kind] ? read_as(reading, doc, kind) : not_a_source(reading, text);
    bool alone = kind == LW_SOURCE_TYPE ||
                 (kind == LW_SOURCE_ATTRIBUTE && memchr(text, '.', length) != NULL);
    return alone ? read_as(reading, doc, kind) : lw_read_alias_document(reading, doc, NULL);
}

static bool read_file(const struct lw_reading *outer, struct lw_document *doc, const char *name,
                      enum lw_source_kind kind)
{
    struct lw_reading reading = *outer;
    struct lw_text text = {0};
    size_t length = strlen(name), path = lw_source_path(name);
    const char *picked = path < length ? name + path + 1 : NULL;
    reading.dump = kind == LW_SOURCE_DUMP;
    doc->name = name;
    if (kind == LW_SOURCE_CODE) {
        reading.kernel = picked;
        picked = NULL;
    }
    if (picked && *picked != '#') {
        reading.file = lw_path_relative(&reading, name, path);
        return reading.file ? lw_read_picked(&reading, doc, reading.file, picked)
                            : lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    }
    bool ok = lw_open_relative(&reading, name, path, &text) &&
              lw_keep_text(&reading, lw_text_string(&text), text.length);
    lw_text_free(&text);
    ok = ok &&
         (!reading.dump ||
          lw_metadata_triton(reading.file, reading.triton, &reading.triton.version, reading.err)) &&
         read_file_text(&reading, doc, kind, picked ? picked + 1 : NULL);
    if (ok)
        lw_encoding_set_triton(doc->encoding, reading.triton);
    doc->name = picked || reading.kernel ? name : reading.file;
    return ok;
}

/* `at`: where the name begins in the text. */
static bool read_gallery(const struct lw_reading *outer, struct lw_document *doc, const char *name,
                         size_t at)
{
    struct lw_reading reading = *outer;
    const struct lw_gallery_entry *entry = lw_gallery_find(name, reading.err);
    const size_t end = entry ? 0 : lw_gallery_name_length(name);
    if (end) { /* the error is after it */
        const char *rest = name + end + strspn(name + end, " \t\r\n");
        lw_error_at(
            reading.err, LW_ERROR_SYNTAX, lw_position_at(reading.text, at + (size_t)(rest - name)),
            "unexpected '%.*s' after a name of the gallery", lw_shown_length(rest, 20), rest);
        lw_error_excerpt(reading.err, reading.text, reading.length);
    }
    if (!entry)
        return false;
    reading.allowed = LW_ALLOW_NAMES;
    reading.file = NULL;
    reading.text = entry->text;
    reading.length = strlen(entry->text);
    bool ok = read_as(&reading, doc, LW_SOURCE_JSON);
    doc->notation = LW_NOTATION_NAME;
    doc->name = entry->name;
    return ok;
}

/* ---- Sources ---- */

/* The lw_source_reader of every reading. */
static bool read_source(struct lw_reading *outer, struct lw_document *doc, const char *source,
                        size_t length)
{
    struct lw_reading reading = *outer;
    struct lw_access_part parts[LW_SIDES];
    const char *inside = source;
    size_t size = length;
    if (reading.depth++ > LW_DOCUMENTS_MAX)
        return lw_error_set(reading.err, LW_ERROR_LIMIT, "sources are nested more than %d deep",
                            LW_DOCUMENTS_MAX);
    lw_trim(&inside, &size);
    const char *name = lw_arena_string(reading.arena, inside, size);
    if (!name)
        return lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_keep_text(&reading, source, length))
        return false;
    if (size == 0)
        return lw_error_set(reading.err, LW_ERROR_SYNTAX, "the text is empty: expected a layout");
    int count = lw_cuda_is(inside, size) ? 1 : lw_access_split(reading.text, reading.length, parts);
    if (count > 1) {
        bool ok = lw_check_text(reading.text, reading.length, reading.err) &&
                  lw_read_access(&reading, doc, parts, count) &&
                  lw_check_document_nesting(doc, reading.err);
        if (!ok)
            lw_error_excerpt(reading.err, reading.text, reading.length);
        return ok;
    }
    enum lw_source_kind kind = lw_source_kind_of(inside, size);
    if (readers[kind])
        return read_as(&reading, doc, kind);
    /* Checked as text unless it is the name of a file, which may have any bytes. */
    if (kind != LW_SOURCE_NAME && kind != LW_SOURCE_INPUT && reading.allowed & LW_ALLOW_FILES &&
        strlen(name) == size)
        return read_file(&reading, doc, name, kind);
    if (!lw_check_text(reading.text, reading.length, reading.err))
        return false;
    if (kind == LW_SOURCE_NAME && reading.allowed & LW_ALLOW_NAMES)
        return read_gallery(&reading, doc, name, (size_t)(inside - source));
    return not_a_source(&reading, name);
}

/* ---- Opening ---- */

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
    struct lw_reading reading = {.err = err ? err : &scratch, .read_source = read_source};
    if (work)
        reading.triton = work->triton;
    return lw_read_calc(&reading, expr, lets, count, work, out);
}

/* The options replace what the source sets. The element is that of all layouts: they are of one tensor. */
static bool apply_options(struct lw_reading *reading, struct lw_document *doc,
                          const struct lw_open_options *options)
{
    struct lw_tensor typed;
    struct lw_element element;
    lw_tensor_unknown(&typed);
    if (options && options->type) {
        if (!read_tensor_text(reading->arena, options->type, &typed, reading->err))
            return false;
        lw_tensor_override(&doc->tensor, &typed);
    }
    if (!options || !options->element)
        return true;
    if (!lw_element_find(&element, options->element, reading->err))
        return false;
    if (typed.element.bits && strcmp(typed.element.name, element.name) != 0)
        return lw_error_set(reading->err, LW_ERROR_SHAPE,
                            "the type has elements of %s, not %s: omit one of the two",
                            typed.element.name, element.name);
    doc->tensor.element = element;
    for (int i = 0; i < LW_SIDES; i++)
        if (doc->others[i].tensor.element.bits)
            doc->others[i].tensor.element = element;
    return true;
}

/* Completes the tensors of a document: the own layout, when nothing sets its shape, has that of another one. */
static void complete_tensors(struct lw_document *doc)
{
    struct lw_document other = *doc;
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document_layout *layout = &doc->others[i];
        if (!layout->encoding) {
            lw_tensor_unknown(&layout->tensor);
            continue;
        }
        other.encoding = layout->encoding;
        other.tensor = layout->tensor;
        if (layout->tensor.rank >= 0 && doc->tensor.rank < 0 &&
            !lw_encoding_has_shape(doc->encoding))
            lw_document_share(doc, &other, false);
    }
}

/* Completes a document; on failure makes it empty. */
static bool finish(struct lw_reading *reading, struct lw_document *doc,
                   const struct lw_open_options *options, bool ok)
{
    ok = ok && apply_options(reading, doc, options);
    if (ok) { /* Triton's own text must be of that version, unless the version is a default */
        lw_encoding_set_triton(doc->encoding, reading->triton);
        lw_document_set_triton_of_others(doc, reading->triton);
        ok = doc->notation != LW_NOTATION_MLIR || reading->triton.weak ||
             lw_encoding_check_version(doc->encoding, reading->err);
        if (!ok && doc->text)
            lw_error_excerpt(reading->err, doc->text, strlen(doc->text));
    }
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
    complete_tensors(doc);
    if (doc->encoding->type->family != LW_FAMILY_PLAIN || lw_document_is_access(doc))
        lw_document_settle(doc); /* a layout without others is settled only when one is added */
    return true;
}

static void begin(struct lw_reading *reading, struct lw_document *doc, unsigned allowed,
                  const struct lw_open_options *options, struct lw_error *err)
{
    memset(doc, 0, sizeof *doc);
    doc->tensor.rank = -1;
    *reading = (struct lw_reading){
        .arena = &doc->arena, .err = err, .allowed = allowed, .read_source = read_source};
    if (options) {
        reading->max = options->max;
        reading->triton = options->triton;
        reading->cuda = options->cuda;
        reading->cuda_access = options->cuda_access;
    }
}

static bool is_cuda(enum lw_source_kind kind)
{
    return kind == LW_SOURCE_CUDA || kind == LW_SOURCE_CODE;
}

bool lw_cuda_names(const char *source)
{
    size_t length = strlen(source);
    lw_trim(&source, &length);
    return is_cuda(lw_source_kind_of(source, length));
}

bool lw_cuda_open(struct lw_cuda *cuda, const char *source, const struct lw_open_options *options,
                  struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    struct lw_document doc;
    struct lw_text text = {0};
    const char *inside = source;
    size_t length = strlen(source);
    lw_trim(&inside, &length);
    const enum lw_source_kind kind = lw_source_kind_of(inside, length);
    begin(&reading, &doc, LW_ALLOW_NAMES | LW_ALLOW_FILES, options, err ? err : &scratch);
    bool good =
        is_cuda(kind) || lw_error_set(reading.err, LW_ERROR_UNSUPPORTED, "this is no CUDA C++");
    if (good && kind == LW_SOURCE_CODE) {
        const size_t path = lw_source_path(source);
        reading.kernel = source[path] ? source + path + 1 : NULL;
        good = lw_open_relative(&reading, source, path, &text) &&
               lw_keep_text(&reading, lw_text_string(&text), text.length);
    } else if (good) {
        good = lw_keep_text(&reading, source, strlen(source));
    }
    good = good && lw_check_text(reading.text, reading.length, reading.err) &&
           lw_read_accesses(&reading, cuda);
    lw_text_free(&text);
    lw_arena_free(&doc.arena);
    return good;
}

bool lw_document_open(struct lw_document *doc, const char *source,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, LW_ALLOW_NAMES | LW_ALLOW_FILES, options, err ? err : &scratch);
    if (strcmp(source, "-") != 0)
        return finish(&reading, doc, options, read_source(&reading, doc, source, strlen(source)));
    struct lw_text text = {0};
    bool ok =
        options && options->input
            ? lw_read_stream(&reading, options->input, "standard input", &text)
            : lw_error_set(reading.err, LW_ERROR_IO, "'-' (standard input) cannot be read here");
    ok = ok && read_source(&reading, doc, lw_text_string(&text), text.length);
    lw_text_free(&text);
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
    bool ok =
        lw_read_document(&reading, doc, object) && lw_check_document_nesting(doc, reading.err);
    return finish(&reading, doc, options, ok);
}

bool lw_document_read(struct lw_document *doc, const char *text, size_t length,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, 0, options, err ? err : &scratch);
    return finish(&reading, doc, options, read_source(&reading, doc, text, length));
}

/* A layout that is named in a document: one that sets no version of Triton gets that of *doc. */
static bool read_named_layout(struct lw_document *doc, const char *text, struct lw_document *inner,
                              struct lw_error *err)
{
    struct lw_reading reading = {.arena = &doc->arena,
                                 .err = err,
                                 .allowed = LW_ALLOW_NAMES | LW_ALLOW_FILES,
                                 .read_source = read_source,
                                 .triton = {doc->encoding->triton, true}};
    memset(inner, 0, sizeof *inner);
    lw_tensor_unknown(&inner->tensor);
    if (!read_source(&reading, inner, text, strlen(text)))
        return false;
    lw_encoding_set_triton(inner->encoding, reading.triton);
    return true;
}

/* ---- Changing: one parameter, a part of the tensor, or a whole layout is set to a value in text ---- */

/* Sets the shape or the allocation; NONE unsets it. An allocation that is equal to the shape changes with it. */
static bool set_sizes(struct lw_tensor *tensor, const char *name, const struct lw_value *value,
                      struct lw_error *err)
{
    struct lw_tensor edited = *tensor;
    bool alloc = strcmp(name, "alloc") == 0;
    size_t bytes = tensor->rank > 0 ? (size_t)tensor->rank * sizeof *tensor->shape : 0;
    bool whole = tensor->alloc_rank == tensor->rank && !memcmp(tensor->alloc, tensor->shape, bytes);
    if (value->kind == LW_VALUE_NONE) {
        edited.rank = alloc ? edited.rank : -1;
        edited.alloc_rank = 0;
    } else if (alloc && tensor->rank < 0) {
        return lw_error_set(
            err, LW_ERROR_PARAMETER,
            "'alloc', the shape of the allocation, needs 'shape', that of the tensor in it");
    } else if (!lw_read_sizes(name, value, alloc ? edited.alloc : edited.shape,
                              alloc ? &edited.alloc_rank : &edited.rank, err)) {
        return false;
    } else if (!alloc && whole) {
        edited.alloc_rank = edited.rank;
        memcpy(edited.alloc, edited.shape, sizeof edited.alloc);
    }
    *tensor = edited;
    return true;
}

/* Replaces the layout at a side, or the document's own where `own` is set; its tensor is kept where the new one sets
 * none. An empty text removes another layout. */
static bool set_layout(struct lw_document *doc, bool own, enum lw_side side, const char *text,
                       struct lw_error *err)
{
    struct lw_document inner;
    bool removes = !own && !text[strspn(text, " \t")];
    if (removes && side == doc->side)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "%s is the layout of this document, and cannot be removed",
                            lw_side_key(side));
    if (removes) {
        doc->others[side].encoding = NULL;
        lw_tensor_unknown(&doc->others[side].tensor);
        return true;
    }
    if (!read_named_layout(doc, text, &inner, err) || (!own && !lw_check_side(&inner, side, err)))
        return false;
    lw_move_encoding(inner.encoding, NULL);
    if (!own)
        lw_document_settle(doc);
    struct lw_document_layout *other = own || side == doc->side ? NULL : &doc->others[side];
    struct lw_tensor *tensor = other ? &other->tensor : &doc->tensor;
    if (other && !other->encoding)
        lw_tensor_unknown(tensor);
    *(other ? &other->encoding : &doc->encoding) = inner.encoding;
    if (!other)
        doc->expression = inner.expression;
    lw_tensor_override(tensor, &inner.tensor);
    if (own)
        lw_document_settle(doc);
    return true;
}

/* The encoding and the tensor that a name is about, and the name without its prefix. */
static bool find_layout(struct lw_document *doc, const char **name, struct lw_encoding **encoding,
                        struct lw_tensor **tensor, struct lw_error *err)
{
    enum lw_side side = doc->side;
    size_t length;
    bool own = !lw_document_find_side(*name, &side, &length) || side == doc->side;
    *encoding = own ? doc->encoding : doc->others[side].encoding;
    *tensor = own ? &doc->tensor : &doc->others[side].tensor;
    if (!*encoding)
        return lw_error_set(err, LW_ERROR_NAME, "%.60s: there is no layout at %s", *name,
                            lw_side_name(side));
    *name += length;
    return true;
}

/* Reads any value; a list of integers may be written 16x64, or as one integer. */
static bool read_list(struct lw_document *doc, const char *text, struct lw_value *value,
                      struct lw_error *err)
{
    struct lw_tensor edited = {.rank = 1};
    int64_t sizes[LW_RANK_MAX];
    const char *start = text + strspn(text, " \t");
    size_t digits = strspn(start, "0123456789");
    if (!digits || start[digits] != 'x') {
        if (!lw_value_read(&doc->arena, text, value, err))
            return false;
        if (value->kind != LW_VALUE_INTEGER)
            return true;
        sizes[0] = value->integer;
    } else {
        if (!lw_tensor_read(&edited, text, err))
            return false;
        if (edited.element.bits)
            return lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s' is not a list of integers", text);
        for (int i = 0; i < edited.rank; i++)
            sizes[i] = (int64_t)edited.shape[i];
    }
    *value = lw_value_integers(&doc->arena, sizes, (size_t)edited.rank);
    return value->kind == LW_VALUE_LIST || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* An empty text unsets the parameter; a string needs no quotes. */
static bool read_param(struct lw_document *doc, const struct lw_param *param, const char *text,
                       struct lw_value *value, struct lw_error *err)
{
    struct lw_document inner;
    size_t length = strlen(text);
    const char *trimmed = text;
    memset(value, 0, sizeof *value);
    lw_trim(&trimmed, &length);
    if (param->type == LW_PARAM_ENCODING && length) {
        if (!read_named_layout(doc, text, &inner, err))
            return false;
        *value = (struct lw_value){.kind = LW_VALUE_ENCODING, .encoding = inner.encoding};
        return true;
    }
    if (param->type == LW_PARAM_STRING && *trimmed != '"') {
        value->kind = length ? LW_VALUE_STRING : LW_VALUE_NONE;
        value->string = lw_arena_string(&doc->arena, trimmed, length);
        return value->string || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    if (param->type == LW_PARAM_INTEGERS ? read_list(doc, text, value, err)
                                         : lw_value_read(&doc->arena, text, value, err))
        return true;
    snprintf(err->parameter, sizeof err->parameter, "%s", param->name);
    return false;
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
    const struct lw_param *param = &owner->type->params[index];
    const struct lw_value before = owner->params[index];
    if (param->rules & LW_RULE_FOLLOWS && value.kind != LW_VALUE_NONE)
        return lw_value_equal(&before, &value) ||
               lw_error_about(err, param->name, (struct lw_position){0},
                              "%s: the layout follows from it: write the source of another one, as "
                              "make_tiled_mma(...).B",
                              param->name);
    owner->params[index] = value; /* with positions in `text`, not in that of the document */
    doc->text = NULL;
    lw_fill_call(owner);
    static const char *const follow[] = {"tiling", "operand"}; /* an edited layout has none */
    for (int i = 0; owner->type->spelling == LW_SPELLING_CUTE && i < 2; i++)
        owner->params[lw_encoding_param(owner, follow[i])].kind = LW_VALUE_NONE;
    if (lw_check_nesting(encoding, (struct lw_position){0}, err)) {
        doc->expression = encoding == doc->encoding ? NULL : doc->expression;
        return true;
    }
    owner->params[index] = before;
    return false;
}

/* Whether a name is that of the tensor, not of a parameter: a tilus layout has a parameter "shape". */
static bool is_of_tensor(const struct lw_encoding *encoding, const char *name)
{
    bool shape = strcmp(name, "shape") == 0;
    return (shape || strcmp(name, "element") == 0 || strcmp(name, "alloc") == 0) &&
           ((shape && encoding->type->spelling == LW_SPELLING_ATTRIBUTE) ||
            lw_encoding_param(encoding, name) < 0);
}

bool lw_document_set(struct lw_document *doc, const char *name, const char *value,
                     struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_encoding *encoding;
    struct lw_tensor *tensor;
    struct lw_value sizes;
    enum lw_side side = doc->side;
    size_t length;
    bool own = strcmp(name, "encoding") == 0;
    err = err ? err : &scratch;
    if (own || (lw_document_find_side(name, &side, &length) && !name[length]))
        return set_layout(doc, own, side, value, err);
    if (strcmp(name, "triton") == 0) { /* of an empty text the newest */
        struct lw_triton_choice choice = {.version = LW_TRITON_NEWEST};
        if (*value && !lw_triton_find(&choice.version, value, err))
            return false;
        lw_encoding_set_triton(doc->encoding, choice);
        lw_document_set_triton_of_others(doc, choice);
        return true;
    }
    if (!find_layout(doc, &name, &encoding, &tensor, err))
        return false;
    if (!is_of_tensor(encoding, name))
        return set_param(doc, encoding, name, value, err);
    if (strcmp(name, "element") == 0) {
        struct lw_element element = {0};
        if (*value && !lw_element_find(&element, value, err)) {
            err->code = LW_ERROR_PARAMETER;
            snprintf(err->parameter, sizeof err->parameter, "element");
            return false;
        }
        tensor->element = element;
        return true;
    }
    if (!read_list(doc, value, &sizes, err) || !set_sizes(tensor, name, &sizes, err))
        return false;
    /* An encoding that has the shape as a parameter too follows. */
    return strcmp(name, "shape") != 0 || !lw_encoding_is_set(encoding, "shape") ||
           set_param(doc, encoding, "shape", value, err);
}

/* ---- Building ---- */

bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err)
{
    if (lw_encoding_build(doc->encoding, &doc->tensor, map, err))
        return true;
    if (doc->text)
        lw_error_excerpt(err, doc->text, strlen(doc->text));
    return false;
}

bool lw_document_check(const struct lw_document *doc, struct lw_error *err)
{
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document side;
        struct lw_map map;
        if (!lw_document_has(doc, (enum lw_side)i))
            continue;
        lw_document_side(&side, doc, (enum lw_side)i);
        if (!lw_document_build(&side, &map, err))
            return false;
    }
    return true;
}

bool lw_document_set_all(struct lw_document *doc, const char *const *sets, size_t count,
                         bool is_typed, struct lw_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *set = sets[i], *equals = strchr(set, '=');
        char name[128];
        if (!equals || (size_t)(equals - set) >= sizeof name)
            return lw_error_set(err, LW_ERROR_SYNTAX, "--set %.60s: expected NAME=VALUE", set);
        snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
        if (is_typed && doc->notation == LW_NOTATION_ACCESS &&
            lw_text_has_word("store shared load", name))
            continue;
        if (!lw_document_set(doc, name, equals + 1, err))
            return false;
    }
    return true;
}
