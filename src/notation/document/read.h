#ifndef LANEWAY_READ_H
#define LANEWAY_READ_H

/*
 * What the readers of this room use of each other.
 *
 * Text goes three ways in: JSON through cJSON into a value and from there into a document (read_json.c,
 * read_document.c); expressions through their tree (expression.h, evaluate.h, calc_table.h); MLIR and what Triton
 * prints through a cursor (read_mlir.c, read_tostring.c). source.c decides which. A dump of Triton is a table of
 * aliases (aliases.c), each read when it is asked for.
 */

#include "laneway/calc.h"
#include "laneway/document.h"
#include "notation/mlir/mlir_reader.h"
#include "notation/expression/scan.h"

/* A text that names a layout, of any notation, has at most this many bytes. */
#define LW_SOURCE_BYTES_MAX ((size_t)1 << 20)
#define LW_FILE_MAX ((size_t)64 << 20)

/* ---- value_parts.c ---- */

/* A list grows at its end; `room` starts at 0. */
bool lw_read_append(struct lw_scan *scan, struct lw_value *list, size_t *room,
                    const struct lw_value *item);
/* A copy of a value, which is at `position` then; its encodings are counted. */
bool lw_read_copy(struct lw_scan *scan, struct lw_position position, const struct lw_value *from,
                  struct lw_value *to);
/* Says a parameter whose name is at `position`. What is wrong with the name fails, or is added to the
 * report when there is one: then the value goes to the parameter that was meant. */
bool lw_read_set_param(struct lw_encoding *encoding, const char *name, struct lw_position position,
                       const struct lw_value *value, struct lw_report *report,
                       struct lw_error *err);
/* Sets every place in a value to none: the text that it came from is gone. */
void lw_clear_positions(struct lw_value *value);
void lw_clear_encoding_positions(struct lw_encoding *encoding);
/* Whether a parameter takes arguments one by one, spatial(8, 4): there may be none, so its default is []. */
bool lw_is_spread(const struct lw_param *param);
/* A call always says the parameter that takes arguments one by one: spatial() has shape = []. */
void lw_fill_call(struct lw_encoding *encoding);
/* A new encoding that counts against LW_NODES_MAX. */
struct lw_encoding *lw_read_new(struct lw_scan *scan, const struct lw_encoding_type *type,
                                struct lw_position position);
/* Fails when an encoding holds encodings more than LW_NESTING_MAX deep. */
bool lw_check_nesting(const struct lw_encoding *encoding, struct lw_position position,
                      struct lw_error *err);

/* ---- read_mlir.c ---- */

/* `#ttg.blocked<{...}>`, the cursor at its `#`. */
bool lw_read_attribute(struct lw_scan *scan, struct lw_encoding **encoding);
/* `tensor<16x64xf16, #ttg...>` or a memdesc; *encoding is NULL when the type has none. */
bool lw_read_type(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding);
/* Whether layouts are in a dialect of that name (`length` bytes of it). */
bool lw_is_dialect(const char *name, size_t length);
/* The type of `-t`: also a bare `16x64xf16`, `16x64`, and `f16` (then rank is -1). */
bool lw_read_tensor(struct lw_scan *scan, struct lw_tensor *tensor);

/* ---- read_tostring.c ---- */

/* A whole text: a linear layout as Triton prints it. */
bool lw_read_tostring(struct lw_scan *scan, struct lw_encoding **encoding);

/* ---- read_json.c ---- */

/* The text as a value, every place known. */
bool lw_read_json(struct lw_arena *arena, const char *text, size_t length, struct lw_value *value,
                  struct lw_error *err);
/* The place of the name of an object's item, found back from the item's own. */
struct lw_position lw_json_name_position(const char *text, size_t length, struct lw_position value);

/* ---- read_document.c ---- */

enum lw_allowed_sources {
    LW_ALLOW_NAMES = 1, /* a source may be a name in the gallery */
    LW_ALLOW_FILES = 2  /* or a file */
};

/* A text that is being read, and what the texts in it may name. */
struct lw_reading {
    struct lw_arena *arena;
    struct lw_error *err;     /* never NULL */
    struct lw_report *report; /* NULL: the first problem stops the reading */
    bool broken;              /* what is in the report leaves no layout */
    unsigned allowed;         /* enum lw_allowed_sources */
    const char *file;         /* the file it came from, or NULL: files named in it lie beside it */
    const char *text;
    size_t length;
    size_t max; /* bytes of a file at most */
    int depth;  /* of documents in documents */
};

#define LW_DOCUMENTS_MAX 8

/* Fills a document that is all zeros. */
bool lw_read_document(struct lw_reading *reading, struct lw_document *doc,
                      const struct lw_value *object);

/* ---- read_file.c ---- */

/* Makes a copy the reading's text, without the mark that some editors put first. */
bool lw_keep_text(struct lw_reading *reading, const char *text, size_t length);
/* All of a stream; `name` is for messages. */
bool lw_read_stream(struct lw_reading *reading, FILE *stream, const char *name,
                    struct lw_text *text);
/* A file opened, or NULL and why. */
FILE *lw_open_file(struct lw_reading *reading, const char *path);
/* The path of a name in a file's text, which is taken from where that file lies; NULL: out of memory. */
const char *lw_path_relative(const struct lw_reading *reading, const char *name, size_t length);
/* All of the file of that name (`length` bytes of it), which becomes reading->file. A name in a
 * file's text is taken from where that file lies. */
bool lw_open_relative(struct lw_reading *reading, const char *name, size_t length,
                      struct lw_text *text);

/* ---- aliases.c ---- */

/* The aliases that are being read, innermost first: none of them may be part of itself. */
struct lw_alias_expansion {
    const struct lw_alias *alias;
    const struct lw_alias_expansion *outer;
};

/* Definitions as they come, grown with realloc; the names are in an arena, the values where they were. */
struct lw_alias_list {
    struct lw_alias *items;
    size_t count, room;
};

/* Adds the definition that a piece is. */
bool lw_alias_list_add(struct lw_alias_list *list, struct lw_arena *arena,
                       const struct lw_mlir_item *item, struct lw_error *err);
/* The items and names of `aliases`, in the arena. Fails when one name is defined twice, but then too
 * the first of them is found. */
bool lw_alias_list_sort(const struct lw_alias_list *list, struct lw_aliases *aliases,
                        struct lw_arena *arena, struct lw_error *err);

/* Whether an attribute is of a dialect or a name that is not known here, or holds such a one. */
bool lw_is_foreign(const struct lw_aliases *aliases, const char *text, size_t length);

/* Whether the cursor, after a `#`, is at the name of an alias (and not at `dialect.name`). */
bool lw_alias_ahead(const struct lw_scan *scan);
/* Reads that name, and what it stands for; `start` is the place of the `#`. */
bool lw_read_alias(struct lw_scan *scan, struct lw_position start, struct lw_encoding **encoding);
/* Fills a document with what an alias stands for; the reading's text is that of the aliases. */
bool lw_read_expanded_alias(struct lw_reading *reading, struct lw_document *doc,
                            const struct lw_aliases *aliases, const struct lw_alias *alias);
/* The same of a name in the reading's text. */
bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name);
/* Fails, with the names that there are, when the reading's text has aliases of layouts. */
bool lw_pick_alias(struct lw_reading *reading);

/* ---- kernel_query.c ---- */

/* Fills a document with what is picked of a dump: "%12", the type of a value, or "37", the operation on a
 * line. */
bool lw_read_picked(struct lw_reading *reading, struct lw_document *doc, const char *path,
                    const char *picked);

/* ---- source_kind.c ---- */

enum lw_source_kind {
    LW_SOURCE_INPUT,     /* - */
    LW_SOURCE_FILE,      /* x.json */
    LW_SOURCE_TEXT,      /* x.txt */
    LW_SOURCE_DUMP,      /* x.ttgir, x.ttgir:#mma */
    LW_SOURCE_JSON,      /* {...} */
    LW_SOURCE_TYPE,      /* tensor<...>, !ttg.memdesc<...> */
    LW_SOURCE_ATTRIBUTE, /* #ttg.blocked<...> */
    LW_SOURCE_TOSTRING,  /* - lane=1 -> (0, 1) ... where out dims are: [...] */
    LW_SOURCE_CUTE,      /* (4,8):(8,1) */
    LW_SOURCE_TILUS,     /* local(2, 1) */
    LW_SOURCE_NAME
};

/* The first row of that table that fits. The text is trimmed. */
enum lw_source_kind lw_source_kind_of(const char *text, size_t length);
bool lw_is_type_text(const char *text, size_t length);
/* `#name.name<` or `#name` and no more; else a `#` begins a comment of Python. */
bool lw_is_attribute_text(const char *text, size_t length);
bool lw_starts(const char *text, size_t length, const char *prefix);
bool lw_ends(const char *text, size_t length, const char *suffix);
/* Without the mark that some editors put first, and the white space around it. */
void lw_trim(const char **text, size_t *length);

/* ---- calc_source.c ---- */

typedef bool lw_source_reader(struct lw_reading *reading, struct lw_document *doc,
                              const char *source, size_t length);
/* Computes an expression of the calculator; sources in it are read by `read`. */
bool lw_read_calc(struct lw_reading *reading, lw_source_reader *read, const char *expr,
                  const struct lw_calc_binding *lets, size_t count, const struct lw_calc_work *work,
                  struct lw_calc_result *out);

/* ---- source.c ---- */

/* The document of an object in a JSON text that has been read (lw_read_json). The document points
 * into the object's arena and the text, which must outlive it. `options` may be NULL. */
bool lw_document_of_object(struct lw_document *doc, const struct lw_value *object, const char *text,
                           size_t length, const struct lw_open_options *options,
                           struct lw_error *err);

/* Reads a source by its look; `doc` is all zeros. */
bool lw_read_source(struct lw_reading *reading, struct lw_document *doc, const char *source,
                    size_t length);
/* The same of one in a JSON string: places are those in the document. */
bool lw_read_source_string(struct lw_reading *reading, struct lw_document *doc,
                           const struct lw_value *string);
/* Text is UTF-8 without control characters, and not endless. It ends in a NUL that `length` does not
 * count. */
bool lw_check_text(const char *text, size_t length, struct lw_error *err);
/* The same, however long. */
bool lw_check_bytes(const char *text, size_t length, struct lw_error *err);
/* A cursor over what a JSON string holds. */
void lw_scan_string(struct lw_scan *scan, const struct lw_reading *reading,
                    const struct lw_value *string);
/* What was said of one tensor replaces what was said of another. */
void lw_tensor_override(struct lw_tensor *tensor, const struct lw_tensor *other_tensor);

#endif
