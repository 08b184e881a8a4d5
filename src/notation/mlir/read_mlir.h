#ifndef LANEWAY_READ_MLIR_H
#define LANEWAY_READ_MLIR_H

/*
 * Layouts in MLIR text: attributes, types, the aliases of a Triton dump, and one value or line of it.
 */

#include "notation/document/read.h"
#include "notation/mlir/mlir_text.h"

/* ---- read_mlir.c ---- */

/* Reads `#ttg.blocked<{...}>`, the cursor at its `#`. */
bool lw_read_attribute(struct lw_scan *scan, struct lw_encoding **encoding);
/* Reads `tensor<16x64xf16, #ttg...>` or a memdesc; *encoding is NULL when the type has none. With `encoding` NULL the
 * layout is skipped. */
bool lw_read_type(struct lw_scan *scan, struct lw_tensor *tensor, struct lw_encoding **encoding);
/* Reads the type of `-t`: also `16x64xf16`, `16x64`, and `f16` (then the rank is -1). */
bool lw_read_tensor(struct lw_scan *scan, struct lw_tensor *tensor);
/* Fills a document with the text from the cursor on, a type that has a layout or an attribute. */
bool lw_read_mlir(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan);
/* Fills a document with the layout of the alias of that name in the reading's text; NULL: with the only one. */
bool lw_read_alias_document(struct lw_reading *reading, struct lw_document *doc, const char *name);
/* Fills a document with the type after the definitions at the beginning of the reading's text, or with the only layout
 * that they define. */
bool lw_read_definitions(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan);

/* The definition of one alias. */
struct lw_alias {
    const char *name;            /* without its # */
    struct lw_position position; /* of the definition */
    struct lw_span value;        /* what follows the =, up to the next definition or operation */
    struct lw_position value_position; /* of the value */
};

/* The aliases of a text, each name once, in its order. They borrow the text and the arena that they were added with. */
struct lw_aliases {
    const char *text; /* NULL: of a kernel */
    const char *rest; /* what follows when the text begins with definitions; NULL: nothing */
    struct lw_alias *items;
    size_t count, room;
    struct lw_intern names;
    struct lw_error twice; /* the first name that is defined again */
};

/* The aliases that are being read, innermost first: none of them may be part of itself. */
struct lw_alias_expansion {
    const struct lw_alias *alias;
    const struct lw_alias_expansion *outer;
};

/* Adds the definition in an item. Fails when memory is out. */
bool lw_aliases_add(struct lw_aliases *aliases, struct lw_arena *arena,
                    const struct lw_mlir_item *item, struct lw_error *err);
/* Finds the aliases of the reading's text, in its arena. Fails on text that is not MLIR, and on a name that is defined
 * twice; brackets without a partner are ignored. */
bool lw_aliases_collect(struct lw_aliases *aliases, struct lw_reading *reading);
/* The alias of that name; NULL: none. */
const struct lw_alias *lw_aliases_find(const struct lw_aliases *aliases, struct lw_span name);
/* Whether the value of an alias looks like a layout, not like a location or a memory space. */
bool lw_alias_is_layout(const struct lw_aliases *aliases, const struct lw_alias *alias);
/* ---- kernel_file.c ---- */

/* Sets *version to that of a dump: the one that is chosen, else the one in the metadata beside it. On failure, when the
 * metadata has an unknown one, it is the nearest; another code than LW_ERROR_NAME: the metadata cannot be read. */
bool lw_metadata_triton(const char *path, struct lw_triton_choice choice, enum lw_triton *version,
                        struct lw_error *err);

/* Fills a document with a part of the dump at `path`: "%12", the type of a value, or "37", the operation on a line. */
bool lw_read_picked(struct lw_reading *reading, struct lw_document *doc, const char *path,
                    const char *picked);

#endif
