#ifndef LANEWAY_READ_MLIR_H
#define LANEWAY_READ_MLIR_H

/*
 * Layouts in MLIR text: attributes, types, the aliases of a Triton dump, and one value or line of it.
 *
 * A dump is a table of aliases (aliases.c). An attribute is read from its definition each time that an attribute
 * names its alias: aliases.c calls scan->attribute for it.
 */

#include "notation/document/read.h"
#include "notation/mlir/mlir_reader.h"

/* ---- dialects.c ---- */

/* Whether a dialect, `length` bytes of `name`, has layouts. */
bool lw_is_dialect(const char *name, size_t length);
/* Fails when it has none, with the nearest name. */
bool lw_check_dialect(const char *name, struct lw_position position, struct lw_error *err);

/* ---- aliases.c ---- */

/* The aliases that are being read, innermost first: none of them may be part of itself. */
struct lw_alias_expansion {
    const struct lw_alias *alias;
    const struct lw_alias_expansion *outer;
};

/* Definitions in the order of the text, grown with realloc. Names are in an arena, values in the text. */
struct lw_alias_list {
    struct lw_alias *items;
    size_t count, room;
};

/* Adds the definition in an item. */
bool lw_alias_list_add(struct lw_alias_list *list, struct lw_arena *arena,
                       const struct lw_mlir_item *item, struct lw_error *err);
/* Sets the items and names of `aliases`, in the arena. Fails when a name is defined twice; lw_aliases_find then still
 * finds the first definition. */
bool lw_alias_list_sort(const struct lw_alias_list *list, struct lw_aliases *aliases,
                        struct lw_arena *arena, struct lw_error *err);
/* Fills the table from a text, which is borrowed; the rest is in the arena. */
bool lw_aliases_collect(struct lw_aliases *aliases, struct lw_arena *arena, const char *text,
                        size_t length, struct lw_error *err);
/* Appends the names of the layouts, "#blocked, #mma", the first 200 bytes or a little more. */
void lw_aliases_list(struct lw_text *text, const struct lw_aliases *aliases);

/* Whether an attribute, or one inside it, is of an unknown dialect or name. */
bool lw_is_foreign(const struct lw_aliases *aliases, const char *text, size_t length);

/* Whether the cursor, after a `#`, is at the name of an alias (and not at `dialect.name`). */
bool lw_alias_ahead(const struct lw_scan *scan);
/* Reads that name and its definition; `start` is the position of the `#`. */
bool lw_read_alias(struct lw_scan *scan, struct lw_position start, struct lw_encoding **encoding);
/* Reads the attribute at the definition of an alias, which was named at `position`. */
bool lw_expand_alias(struct lw_scan *scan, const struct lw_alias *alias,
                     struct lw_position position, struct lw_encoding **encoding);

/* ---- read_mlir.c ---- */

/* Reads `#ttg.blocked<{...}>`, the cursor at its `#`. */
bool lw_read_attribute(struct lw_scan *scan, struct lw_encoding **encoding);
/* Reads `tensor<16x64xf16, #ttg...>` or a memdesc; *encoding is NULL when the type has none. */
bool lw_read_type(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding);
/* Reads the type of `-t`: also `16x64xf16`, `16x64`, and `f16` (then the rank is -1). */
bool lw_read_tensor(struct lw_scan *scan, struct lw_tensor *tensor);

/* ---- read_alias.c ---- */

/* Fills a document with the layout of an alias; the reading's text is that of the aliases. */
bool lw_read_expanded_alias(struct lw_reading *reading, struct lw_document *doc,
                            const struct lw_aliases *aliases, const struct lw_alias *alias);
/* Fills a document with the layout of the alias of that name in the reading's text. */
bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name);
/* The text after the definitions at its beginning; NULL: none. */
const char *lw_after_aliases(const char *text, size_t length);
/* Fills a document with the only layout that the reading's text defines. Fails when it defines several: a type must
 * then name one of them. */
bool lw_read_only_alias(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_aliases *aliases);
/* Fails: the reading's text is a dump, and no alias is named. The message lists those that are layouts. */
bool lw_alias_not_named(struct lw_reading *reading);

/* ---- kernel_metadata.c ---- */

/* The beginning of a file, NUL-terminated, `*length` bytes of at most `max`, to be freed; NULL: it is empty, and
 * errno 0, or cannot be read. */
char *lw_read_head(const char *path, size_t max, size_t *length);
struct lw_kernel_about;
/* Reads the metadata beside a dump; `path` may be `kernel.ttgir:#mma`. False: there is none, or, when *err is set, it
 * cannot be read. `err` may be NULL. */
bool lw_metadata_read(struct lw_kernel_about *about, const char *path, struct lw_error *err);

/* Sets *version to that of a dump: the one that is chosen, else the one in the metadata beside it. On failure, when the
 * metadata has an unknown one, it is the nearest; another code than LW_ERROR_NAME: the metadata cannot be read. */
bool lw_metadata_triton(const char *path, struct lw_triton_choice choice, enum lw_triton *version,
                        struct lw_error *err);

/* ---- kernel_query.c ---- */

/* Fills a document with a part of the dump at `path`: "%12", the type of a value, or "37", the operation on a line. */
bool lw_read_picked(struct lw_reading *reading, struct lw_document *doc, const char *path,
                    const char *picked);

#endif
