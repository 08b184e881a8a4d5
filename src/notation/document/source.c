/*
 * Sources: source_kind.c recognises the kind of a text; here the reader of that kind is called. The texts of files and
 * of gallery entries are read likewise.
 */

#include "notation/calc/calc_table.h"
#include "notation/mlir/read_mlir.h"

#include <string.h>

/* ---- Texts ---- */

static bool read_json_document(struct lw_reading *reading, struct lw_document *doc)
{
    struct lw_value object;
    bool ok = lw_read_json(reading->arena, reading->text, reading->length, &object, reading->err) &&
              lw_read_document(reading, doc, &object);
    doc->notation = LW_NOTATION_JSON;
    return ok;
}

/* An atom alone is no layout; a name that is one is also that of all its layouts. */
static bool refuse_atom(struct lw_error *err, bool is_mma, const char *text)
{
    const bool plain = is_mma && strlen(text) <= 60 && !strpbrk(text, "{}<>() ");
    lw_error_set(err, LW_ERROR_SYNTAX, "expected %s after the atom",
                 is_mma ? "`.A`, `.B`, `.C` or `.ThrID`" : "`.Src`, `.Dst`, `.Ref` or `.ThrID`");
    return !plain ? false
                  : lw_error_set(err, LW_ERROR_SYNTAX,
                                 "expected `.A`, `.B`, `.C` or `.ThrID` after the atom; "
                                 "'make_tiled_mma(%s{})' with --view mma draws all three (:mma %s "
                                 "in the explorer)",
                                 text, text);
}

/* The layout of a result: for a tiled MMA that of C, for a tiled copy that of its source. */
static bool layout_of(struct lw_cute_work *work, const struct lw_calc_result *result,
                      const char *text, struct lw_cute *cute)
{
    *cute = result->as.cute;
    if (result->kind == LW_CALC_MMA)
        return lw_calc_mma_operand(work, result->as.tiling.mma, LW_CUTE_C, cute);
    if (result->kind == LW_CALC_COPY)
        return lw_calc_copy_side(work, result->as.tiling.copy, LW_CUTE_SOURCE, cute);
    if (result->kind == LW_CALC_ATOM)
        return refuse_atom(work->err, result->as.tiling.mma_atom != NULL, text);
    if (result->kind == LW_CALC_SWIZZLE && strlen(text) < 40)
        return lw_error_set(work->err, LW_ERROR_SYNTAX,
                            "this is a swizzle; a layout has a shape and a stride too: "
                            "%s o 0 o (64,64):(64,1)",
                            text);
    return result->kind == LW_CALC_CUTE ||
           lw_error_set(work->err, LW_ERROR_SYNTAX,
                        "this is %s; a CuTe layout has a shape and a stride: (4,8):(8,1)",
                        lw_calc_kind_name(result->kind));
}

/* Computes an expression of the calculator, whose result must be a CuTe layout. */
static bool read_cute(struct lw_reading *reading, struct lw_document *doc)
{
    const struct lw_calc_pair *pair;
    struct lw_calc_work work = {.arena = reading->arena, .pair = &pair};
    struct lw_calc_result result;
    doc->tensor.rank = -1;
    doc->notation = LW_NOTATION_CUTE;
    if (!lw_read_calc(reading, reading->text, NULL, 0, &work, &result))
        return false;
    struct lw_cute_work tiling = {
        .arena = reading->arena, .err = reading->err, .rules = LW_CUTE_VALUES};
    struct lw_cute made, cute;
    if (!layout_of(&tiling, &result, reading->text, &made))
        return false;
    cute = made;
    if (cute.coords && !lw_cute_coords_to_tile(&tiling, &made, &cute))
        return false;
    if (cute.element)
        lw_element_find(&doc->tensor.element, cute.element, NULL);
    doc->encoding = lw_cute_to_encoding(reading->arena, &cute);
    /* An expression with a source in quotes is not kept: that may be a file, which is not read again. */
    bool part = pair || (cute.role && !cute.tiling && !strpbrk(reading->text, "(;"));
    doc->expression = part && !strchr(reading->text, '"') ? reading->text : NULL;
    return doc->encoding || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}

/* Reads the reading's text, whose kind is known. */
static bool read_as(struct lw_reading *reading, struct lw_document *doc, enum lw_source_kind kind)
{
    struct lw_scan scan;
    bool ok = lw_check_text(reading->text, reading->length, reading->err);
    lw_scan_begin(&scan, reading->arena, reading->text, reading->length, reading->err);
    scan.triton = reading->triton.version;
    if (ok && kind == LW_SOURCE_JSON)
        ok = read_json_document(reading, doc);
    else if (ok && kind == LW_SOURCE_CUTE)
        ok = read_cute(reading, doc);
    else if (ok && kind == LW_SOURCE_DEFINITIONS)
        ok = lw_read_definitions(reading, doc, &scan);
    else if (ok)
        ok = lw_read_scanned(&scan, doc, kind);
    ok = ok && lw_check_document_nesting(doc, reading->err);
    doc->text = reading->text;
    doc->name = NULL;
    if (!ok)
        lw_error_excerpt(reading->err, reading->text, reading->length);
    return ok;
}

/* ---- Files ---- */

/* Reads a dump: the alias that is picked, or the one type or attribute that it consists of. */
static bool read_dump(struct lw_reading *reading, struct lw_document *doc, const char *picked)
{
    const char *text = reading->text;
    size_t length = reading->length;
    lw_trim(&text, &length);
    if (picked)
        return lw_read_alias_document(reading, doc, picked);
    if (lw_is_type_text(text, length))
        return read_as(reading, doc, LW_SOURCE_TYPE);
    if (lw_is_attribute_text(text, length) && memchr(text, '.', length))
        return read_as(reading, doc, LW_SOURCE_ATTRIBUTE);
    return lw_read_alias_document(reading, doc, NULL);
}

static bool not_a_source(struct lw_reading *reading, const char *source)
{
    return lw_error_set(reading->err, LW_ERROR_SYNTAX,
                        "'%.*s' is not a layout: expected a JSON document, an MLIR type or "
                        "attribute, a tilus expression or a CuTe layout",
                        lw_shown_length(source, 60), source);
}

/* Whether a text of that kind is a layout itself, and does not name one. */
static bool is_layout_text(enum lw_source_kind kind)
{
    return kind == LW_SOURCE_JSON || kind == LW_SOURCE_TYPE || kind == LW_SOURCE_ATTRIBUTE ||
           kind == LW_SOURCE_DEFINITIONS || kind == LW_SOURCE_TOSTRING || kind == LW_SOURCE_CUTE ||
           kind == LW_SOURCE_TILUS;
}

/* Reads a text file, in any notation. */
static bool read_text(struct lw_reading *reading, struct lw_document *doc)
{
    const char *text = reading->text;
    size_t length = reading->length;
    if (length > LW_SOURCE_BYTES_MAX) /* to examine all of it would take long */
        return lw_check_text(text, length, reading->err);
    lw_trim(&text, &length);
    enum lw_source_kind kind = lw_source_kind_of(text, length);
    return is_layout_text(kind) ? read_as(reading, doc, kind) : not_a_source(reading, text);
}

static bool read_file(const struct lw_reading *outer, struct lw_document *doc, const char *name,
                      enum lw_source_kind kind)
{
    struct lw_reading reading = *outer;
    reading.dump = kind == LW_SOURCE_DUMP;
    struct lw_text text = {0};
    size_t length = strlen(name), path = kind == LW_SOURCE_DUMP ? lw_source_path(name) : length;
    const char *picked = path < length ? name + path + 1 : NULL;
    if (picked && *picked != '#') {
        reading.file = lw_path_relative(&reading, name, path);
        doc->name = name;
        return reading.file ? lw_read_picked(&reading, doc, reading.file, picked)
                            : lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    }
    bool ok = lw_open_relative(&reading, name, path, &text) &&
              lw_keep_text(&reading, lw_text_string(&text), text.length);
    lw_text_free(&text);
    if (ok && kind == LW_SOURCE_DUMP)
        ok = lw_metadata_triton(reading.file, reading.triton, &reading.triton.version,
                                reading.err) &&
             read_dump(&reading, doc, picked ? picked + 1 : NULL);
    else if (ok)
        ok = kind == LW_SOURCE_TEXT ? read_text(&reading, doc)
                                    : read_as(&reading, doc, LW_SOURCE_JSON);
    if (ok)
        lw_encoding_set_triton(doc->encoding, reading.triton);
    doc->name = picked ? name : reading.file;
    return ok;
}

static bool read_gallery(const struct lw_reading *outer, struct lw_document *doc, const char *name)
{
    struct lw_reading reading = *outer;
    const struct lw_gallery_entry *entry = lw_gallery_find(name, reading.err);
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

/* Reads `A > S > B`. */
static bool read_access(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_access_part *parts, int count)
{
    if (lw_check_text(reading->text, reading->length, reading->err) &&
        lw_read_access(reading, doc, parts, count) && lw_check_document_nesting(doc, reading->err))
        return true;
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

bool lw_read_source(struct lw_reading *outer, struct lw_document *doc, const char *source,
                    size_t length)
{
    struct lw_reading reading = *outer;
    reading.read_source = lw_read_source;
    if (++reading.depth > LW_DOCUMENTS_MAX)
        return lw_error_set(reading.err, LW_ERROR_LIMIT, "sources are nested more than %d deep",
                            LW_DOCUMENTS_MAX);
    const char *inside = source;
    size_t size = length;
    lw_trim(&inside, &size);
    enum lw_source_kind kind = lw_source_kind_of(inside, size);
    if (!lw_keep_text(&reading, source, length))
        return false;
    const char *name = lw_arena_string(reading.arena, inside, size);
    if (!name)
        return lw_error_set(reading.err, LW_ERROR_MEMORY, "out of memory");
    if (size == 0)
        return lw_error_set(reading.err, LW_ERROR_SYNTAX, "the text is empty: expected a layout");
    struct lw_access_part parts[LW_SIDES];
    int part_count = lw_access_split(reading.text, reading.length, parts);
    if (part_count > 1)
        return read_access(&reading, doc, parts, part_count);
    if (is_layout_text(kind))
        return read_as(&reading, doc, kind);
    /* Checked as text unless it is the name of a file, which may have any bytes. */
    bool file = kind != LW_SOURCE_NAME && kind != LW_SOURCE_INPUT &&
                reading.allowed & LW_ALLOW_FILES && strlen(name) == size;
    if (file)
        return read_file(&reading, doc, name, kind);
    if (!lw_check_text(reading.text, reading.length, reading.err))
        return false;
    if (kind == LW_SOURCE_NAME && reading.allowed & LW_ALLOW_NAMES)
        return read_gallery(&reading, doc, name);
    return not_a_source(&reading, name);
}
