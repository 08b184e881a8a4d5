/*
 * Sources: what a text names is recognised by its look, in the order of the rows below; then it is
 * read as that. Files, gallery entries and standard input are texts that are read in turn.
 */

#include "notation/read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Texts ---- */

/* The place of a byte. */
static struct lw_place place_of(const char *text, size_t offset)
{
    struct lw_place place = {1, 1, 1};
    for (size_t i = 0; i < offset; i++) {
        place.column = text[i] == '\n' ? 1 : place.column + 1;
        place.line += text[i] == '\n';
    }
    return place;
}

bool lw_check_text(const char *text, size_t size, struct lw_error *err)
{
    if (size > LW_SOURCE_MOST)
        return lw_error_set(err, LW_ERROR_LIMIT, "%zu bytes: the text of a layout has at most %zu",
                            size, LW_SOURCE_MOST);
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)text[i];
        int length;
        if ((c < 32 && !strchr("\t\r\n", c)) || c == 0 || c == 127)
            return lw_error_at(err, LW_ERROR_SYNTAX, place_of(text, i), "byte 0x%02x is not text",
                               c);
        if (lw_text_decode(text + i, &length) == 0xfffd && length == 1)
            return lw_error_at(err, LW_ERROR_SYNTAX, place_of(text, i), "byte 0x%02x is not UTF-8",
                               c);
        i += (size_t)length;
    }
    return true;
}

void lw_scan_string(struct lw_scan *scan, const struct lw_reading *reading,
                    const struct lw_value *string)
{
    size_t length = strlen(string->string);
    lw_scan_begin(scan, reading->arena, string->string, length, reading->err);
    scan->line = string->place.line;
    scan->shift = string->place.column + 1;
    /* With escapes in it, places inside the string are anybody's guess. */
    if (string->place.length != (int)length + 2)
        scan->whole = string->place;
}

void lw_tensor_override(struct lw_tensor *tensor, const struct lw_tensor *said)
{
    if (said->rank >= 0) {
        tensor->rank = said->rank;
        memcpy(tensor->shape, said->shape, sizeof tensor->shape);
    }
    if (said->element.bits)
        tensor->element = said->element;
}

/* Everything but JSON. */
static bool read_scanned(struct lw_scan *scan, struct lw_document *doc, enum lw_look look)
{
    doc->tensor.rank = -1;
    doc->notation = look == LW_LOOK_TILUS ? LW_NOTATION_TILUS : LW_NOTATION_MLIR;
    scan->comments = look == LW_LOOK_TILUS;
    scan->words = look != LW_LOOK_TILUS;
    if (look == LW_LOOK_TILUS)
        return lw_read_program(scan, &doc->encoding);
    struct lw_place place = lw_scan_place(scan);
    if (look == LW_LOOK_TYPE ? !lw_read_type(scan, &doc->tensor, &doc->encoding)
                             : !lw_read_attribute(scan, &doc->encoding))
        return false;
    if (!lw_scan_ended(scan))
        return lw_scan_unexpected(scan, "the end");
    return doc->encoding ||
           lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, place),
                       "this type has no encoding: tensor<16x64xf16, #ttg.blocked<{...}>>");
}

static bool read_json_document(struct lw_reading *reading, struct lw_document *doc)
{
    struct lw_value object;
    bool ok = lw_read_json(reading->arena, reading->text, reading->length, &object, reading->err) &&
              lw_read_document(reading, doc, &object);
    doc->notation = LW_NOTATION_JSON;
    return ok;
}

static bool cute_is_later(struct lw_reading *reading)
{
    return lw_error_set(reading->err, LW_ERROR_UNSUPPORTED,
                        "'%.*s' is CuTe notation, which this release does not read; say the "
                        "layout as a tilus expression, an MLIR attribute or bases",
                        lw_shown(reading->text, 60), reading->text);
}

/* Reads the reading's text, whose look is known. */
static bool read_as(struct lw_reading *reading, struct lw_document *doc, enum lw_look look)
{
    struct lw_scan scan;
    bool ok = lw_check_text(reading->text, reading->length, reading->err);
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    if (ok && look == LW_LOOK_JSON)
        ok = read_json_document(reading, doc);
    else if (ok && look == LW_LOOK_CUTE)
        ok = cute_is_later(reading);
    else if (ok)
        ok = read_scanned(&scan, doc, look);
    ok = ok && lw_check_nesting(doc->encoding, doc->encoding->place, reading->err) &&
         (!doc->with || lw_check_nesting(doc->with, doc->with->place, reading->err));
    doc->text = reading->text;
    doc->name = NULL;
    if (!ok)
        lw_error_excerpt(reading->err, reading->text, reading->length);
    return ok;
}

/* ---- Files ---- */

/* The reading's own copy, without the mark that some editors put first. */
static bool set_text(struct lw_reading *reading, const char *text, size_t length)
{
    size_t mark = lw_starts(text, length, "\xef\xbb\xbf") ? 3 : 0;
    reading->text = lw_arena_string(reading->arena, text + mark, length - mark);
    reading->length = length - mark;
    return reading->text || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

static bool read_stream(struct lw_reading *reading, FILE *stream, const char *name,
                        struct lw_text *text)
{
    char buffer[4096];
    size_t most = reading->most ? reading->most : LW_FILE_MOST;
    errno = 0;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, stream)) > 0;) {
        lw_text_bytes(text, buffer, got);
        if (text->length > most)
            return lw_error_set(reading->err, LW_ERROR_LIMIT, "%.200s has more than %zu bytes",
                                name, most);
    }
    if (ferror(stream))
        return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", name,
                            strerror(errno ? errno : EIO));
    return !text->failed || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

/* A name in a file's text is taken from where that file lies. */
static const char *path_beside(const struct lw_reading *reading, const char *name)
{
    const char *slash = reading->file ? strrchr(reading->file, '/') : NULL;
    if (!slash || *name == '/')
        return name;
    struct lw_text path = {0};
    lw_text_bytes(&path, reading->file, (size_t)(slash - reading->file) + 1);
    lw_text_add(&path, name);
    const char *copy = lw_arena_string(reading->arena, lw_text_string(&path), path.length);
    lw_text_free(&path);
    return copy;
}

/* That a file is not there; names of the gallery have no ending. */
static bool no_such_file(struct lw_reading *reading, const char *path, int reason)
{
    char name[128];
    snprintf(name, sizeof name, "%s", path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    if (lw_gallery_find(name, NULL))
        return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s; '%s' is in the gallery", path,
                            strerror(reason), name);
    return lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", path, strerror(reason));
}

static FILE *open_file(struct lw_reading *reading, const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file) {
        no_such_file(reading, path, errno);
    } else if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        lw_error_set(reading->err, LW_ERROR_IO, "%.200s: %s", path, strerror(EISDIR));
        fclose(file);
        file = NULL;
    }
    return file;
}

static bool dump_is_later(struct lw_reading *reading, const char *path)
{
    return lw_error_set(reading->err, LW_ERROR_UNSUPPORTED,
                        "%.200s: Triton dumps are not read by this release; paste a type from it, "
                        "tensor<16x64xf16, #ttg.blocked<{...}>>, with the attribute in full",
                        path);
}

/* A file of one type or attribute is read; a whole module is not, yet. */
static bool read_file_text(struct lw_reading *reading, struct lw_document *doc, enum lw_look look)
{
    const char *text = reading->text;
    size_t length = reading->length;
    lw_trim(&text, &length);
    if (look == LW_LOOK_FILE)
        return read_as(reading, doc, LW_LOOK_JSON);
    if (lw_looks_type(text, length) ||
        (lw_looks_attribute(text, length) && memchr(text, '.', length)))
        return read_as(reading, doc,
                       lw_looks_type(text, length) ? LW_LOOK_TYPE : LW_LOOK_ATTRIBUTE);
    return dump_is_later(reading, reading->file);
}

static bool read_file(const struct lw_reading *outer, struct lw_document *doc, const char *name,
                      enum lw_look look)
{
    struct lw_reading reading = *outer;
    struct lw_text text = {0};
    reading.file = path_beside(outer, name);
    if (!reading.file)
        return lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    if (look == LW_LOOK_DUMP && strrchr(name, ':'))
        return dump_is_later(&reading, name);
    FILE *file = open_file(&reading, reading.file);
    if (!file)
        return false;
    bool ok = read_stream(&reading, file, reading.file, &text);
    fclose(file);
    ok = ok && set_text(&reading, lw_text_string(&text), text.length) &&
         read_file_text(&reading, doc, look);
    lw_text_free(&text);
    doc->name = reading.file;
    return ok;
}

static bool read_gallery(const struct lw_reading *outer, struct lw_document *doc, const char *name)
{
    struct lw_reading reading = *outer;
    const struct lw_gallery_entry *entry = lw_gallery_find(name, reading.err);
    if (!entry)
        return false;
    reading.may = LW_MAY_NAMES;
    reading.file = NULL;
    reading.text = entry->text;
    reading.length = strlen(entry->text);
    bool ok = read_as(&reading, doc, LW_LOOK_JSON);
    doc->notation = LW_NOTATION_NAME;
    doc->name = entry->name;
    return ok;
}

/* ---- Sources ---- */

static bool not_a_source(struct lw_reading *reading, const char *source)
{
    return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                        "'%.*s' is no layout: expected a JSON document, an MLIR type or "
                        "attribute, or a tilus expression",
                        lw_shown(source, 60), source);
}

bool lw_read_source(struct lw_reading *outer, struct lw_document *doc, const char *source,
                    size_t length)
{
    struct lw_reading reading = *outer;
    enum lw_look look;
    if (++reading.depth > LW_DOCUMENTS_MAX)
        return lw_error_set(reading.err, LW_ERROR_LIMIT,
                            "sources name each other more than %d deep", LW_DOCUMENTS_MAX);
    const char *inside = source;
    size_t size = length;
    lw_trim(&inside, &size);
    look = lw_recognise(inside, size);
    if (!set_text(&reading, source, length))
        return false;
    const char *name = lw_arena_string(reading.arena, inside, size);
    if (!name)
        return lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    if (size == 0)
        return lw_error_set(reading.err, LW_ERROR_SYNTAX, "an empty text names no layout");
    if (look == LW_LOOK_FILE || look == LW_LOOK_DUMP || look == LW_LOOK_NAME ||
        look == LW_LOOK_INPUT) {
        if (!lw_check_text(reading.text, reading.length, reading.err))
            return false;
        if (look == LW_LOOK_NAME && reading.may & LW_MAY_NAMES)
            return read_gallery(&reading, doc, name);
        if ((look == LW_LOOK_FILE || look == LW_LOOK_DUMP) && reading.may & LW_MAY_FILES)
            return read_file(&reading, doc, name, look);
        return not_a_source(&reading, name);
    }
    return read_as(&reading, doc, look);
}

/* A source of its own text: what is wrong in it is told at the string that names it. */
static bool read_foreign(struct lw_reading *reading, struct lw_document *doc,
                         const struct lw_value *string)
{
    struct lw_error inner = {0};
    struct lw_reading inside = *reading;
    inside.err = &inner;
    if (lw_read_source(&inside, doc, string->string, strlen(string->string))) {
        lw_forget_encoding_places(doc->encoding);
        if (doc->with)
            lw_forget_encoding_places(doc->with);
        return true;
    }
    bool file = inner.place.line > 0 && lw_ends(string->string, strlen(string->string), ".json");
    if (file)
        lw_error_at(reading->err, inner.code, string->place, "%.100s:%d:%d: %.380s", string->string,
                    inner.place.line, inner.place.column, inner.message);
    else
        lw_error_at(reading->err, inner.code, string->place, "%s", inner.message);
    return false;
}

bool lw_read_source_string(struct lw_reading *reading, struct lw_document *doc,
                           const struct lw_value *string)
{
    struct lw_scan scan;
    const char *text = string->string;
    size_t length = strlen(text);
    lw_trim(&text, &length);
    enum lw_look look = lw_recognise(text, length);
    if (length == 0 || (look != LW_LOOK_TYPE && look != LW_LOOK_ATTRIBUTE && look != LW_LOOK_TILUS))
        return read_foreign(reading, doc, string);
    lw_scan_string(&scan, reading, string);
    return read_scanned(&scan, doc, look);
}

/* ---- The public ways in ---- */

/* `-t` says more, or otherwise, than the source. Messages quote it. */
static bool apply_type(struct lw_reading *reading, struct lw_document *doc, const char *type)
{
    struct lw_scan scan;
    struct lw_tensor said;
    size_t length = strlen(type);
    lw_scan_begin(&scan, reading->arena, type, length, reading->err);
    if (lw_check_text(type, length, reading->err) && lw_read_tensor(&scan, &said)) {
        lw_tensor_override(&doc->tensor, &said);
        return true;
    }
    lw_error_excerpt(reading->err, type, length);
    return false;
}

static bool in_memory(const struct lw_encoding *encoding, bool memory)
{
    enum lw_family family = encoding->type->family;
    return family == LW_FAMILY_SHARED || family == LW_FAMILY_TENSOR_MEMORY ||
           (family == LW_FAMILY_PLAIN && memory);
}

/* The last touches, or on failure none at all. */
static bool finish(struct lw_document *doc, const struct lw_open_options *options, bool ok)
{
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
    if (doc->with)
        doc->with_tensor.memory = in_memory(doc->with, doc->with_tensor.memory);
    else
        lw_tensor_unknown(&doc->with_tensor);
    return true;
}

static void begin(struct lw_reading *reading, struct lw_document *doc, unsigned may,
                  const struct lw_open_options *options, struct lw_error *err)
{
    memset(doc, 0, sizeof *doc);
    memset(reading, 0, sizeof *reading);
    doc->tensor.rank = -1;
    reading->arena = &doc->arena;
    reading->err = err;
    reading->may = may;
    reading->most = options ? options->most : 0;
}

static bool read_input(struct lw_reading *reading, struct lw_document *doc, FILE *input)
{
    struct lw_text text = {0};
    if (!input)
        return lw_error_set(reading->err, LW_ERROR_IO, "'-': there is no standard input here");
    bool ok = read_stream(reading, input, "standard input", &text) &&
              lw_read_source(reading, doc, lw_text_string(&text), text.length);
    lw_text_free(&text);
    return ok;
}

bool lw_document_open(struct lw_document *doc, const char *source,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, LW_MAY_NAMES | LW_MAY_FILES, options, err ? err : &scratch);
    bool ok = strcmp(source, "-") == 0 ? read_input(&reading, doc, options ? options->input : NULL)
                                       : lw_read_source(&reading, doc, source, strlen(source));
    ok = ok && (!options || !options->type || apply_type(&reading, doc, options->type));
    return finish(doc, options, ok);
}

bool lw_document_read(struct lw_document *doc, const char *text, size_t length,
                      const struct lw_open_options *options, struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading;
    begin(&reading, doc, 0, options, err ? err : &scratch);
    bool ok = lw_read_source(&reading, doc, text, length) &&
              (!options || !options->type || apply_type(&reading, doc, options->type));
    return finish(doc, options, ok);
}
