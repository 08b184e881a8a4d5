#ifndef LANEWAY_DOCUMENT_H
#define LANEWAY_DOCUMENT_H

/*
 * Documents: a layout as a user names it, read from any notation.
 *
 * A SOURCE is recognised by its look: "-", an existing path (with an alias in a Triton dump:
 * `kernel.ttgir:#mma`), `{...}`, an MLIR type or attribute, a linear layout as Triton prints it
 * (lw_layout_print), CuTe notation, a tilus expression, and else a name in the gallery. Whatever it
 * was, it becomes a document: an
 * encoding with parameters, the tensor it lays out, and maybe a title, a paragraph, a view to open
 * with, and a second layout for the views that need two.
 *
 *     struct lw_document doc;
 *     struct lw_map map;
 *     if (lw_document_open(&doc, "local(2, 1).spatial(8, 4).local(1, 2)", NULL, &err) &&
 *         lw_document_build(&doc, &map, &err)) ...
 *     lw_document_free(&doc);
 */

#include "laneway/encoding.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_notation {
    LW_NOTATION_JSON,     /* a layout document, or what `bases --json` prints */
    LW_NOTATION_MLIR,     /* a type or an attribute */
    LW_NOTATION_TILUS,    /* an expression */
    LW_NOTATION_CUTE,     /* (4,8):(8,1), or an expression over such layouts */
    LW_NOTATION_TOSTRING, /* a linear layout as Triton prints it */
    LW_NOTATION_NAME      /* a gallery name */
};

struct lw_document {
    struct lw_arena arena;
    enum lw_notation notation; /* of the text it was read from */
    const char *name;          /* the file, the gallery name, or the source itself; never NULL */
    const char *title;         /* "" when none; so are the next three */
    const char *about;
    const char *view; /* the view to open with */
    const char *cell; /* the cell format to open with */
    const char *text; /* what it was read from; the places in it are those of errors */
    struct lw_encoding *encoding;
    struct lw_tensor tensor;
    struct lw_encoding *with;     /* the second layout, or NULL */
    struct lw_tensor with_tensor; /* rank -1: not stated, see lw_document_second */
};

struct lw_open_options {
    const char *type;    /* -t: "tensor<16x64xf16>" or "16x64xf16"; NULL: none */
    const char *element; /* --element: "f16", of both layouts; NULL: what the type says */
    const char *name;    /* what messages call the text; NULL: its own words */
    FILE *input;         /* what "-" reads; NULL: "-" is refused */
    size_t most;         /* bytes of a file at most; 0: 64 MiB */
    /* NULL, or every problem is added to it and reading goes on where it can: a document is there
     * in spite of an unknown key. On failure *err is the first of the problems. */
    struct lw_report *report;
};

/* Reads a SOURCE. On failure *doc is empty and needs no free; the error's place and excerpt are
 * those of the text it came from (a file's, when it came from a file). `options` may be NULL. */
bool lw_document_open(struct lw_document *doc, const char *source,
                      const struct lw_open_options *options, struct lw_error *err);
/* The same of text already in memory, never a path or a gallery name. */
bool lw_document_read(struct lw_document *doc, const char *text, size_t length,
                      const struct lw_open_options *options, struct lw_error *err);
/* How many bytes of a SOURCE are the path of a file: all of `x.json`, and of `kernel.ttgir:#mma` what
 * is before the colon. */
size_t lw_source_path(const char *source);
void lw_document_free(struct lw_document *doc);
bool lw_document_copy(struct lw_document *out, const struct lw_document *doc, struct lw_error *err);

/* "name=value": a parameter by its path, or `shape`, `alloc` or `element`; or a whole layout as a SOURCE: `encoding`,
 * or `with`, the second one, which an empty value takes away. The value is kept even when it is
 * not legal (lw_document_check will say so); fails when it cannot be read or there is no such
 * parameter. */
bool lw_document_set(struct lw_document *doc, const char *name, const char *value,
                     struct lw_error *err);
/* Every problem. True when there is none. */
bool lw_document_check(const struct lw_document *doc, struct lw_report *report);
/* The map of the document's layout. When the tensor's shape was not said it is the map's. */
bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err);
/* The document's tensor as it is laid out (lw_encoding_tensor), its shape and element in full: the shape from the map and f32-sized
 * elements (bits 32, name "") when nothing was said. */
void lw_document_tensor(const struct lw_document *doc, const struct lw_map *map,
                        struct lw_tensor *tensor);

/* ---- Two layouts of one tensor, or of a tensor and a part of it ----
 *
 * Each layout has the shape that is stated beside it (a type, -t, "shape"), else that of its notation
 * (lw_encoding_has_shape), else the other's. One exception: a CuTe layout without a tile, beside a layout
 * with a stated shape of which it can be the threads and values, is that. */

/* Gives a document that states no shape the shape of `other` where that is its shape by this rule, and the
 * other's element where it states none. `access`: one of the two is in shared memory, so beside registers
 * a CuTe layout is memory. */
void lw_document_share(struct lw_document *doc, const struct lw_document *other, bool access);
/* The second layout of *doc, which must have one, as a document with its shape by this rule. It borrows all of
 * *doc and is not freed. */
void lw_document_second(struct lw_document *second, const struct lw_document *doc);

/* Prints a layout document (JSON), indented, ending in a newline. Reading it gives an equal one. */
void lw_document_print(struct lw_text *text, const struct lw_document *doc);
/* Prints the shortest SOURCE that names this layout: an MLIR type, a tilus expression, or inline
 * JSON. */
void lw_document_source(struct lw_text *text, const struct lw_document *doc);
/* The machine form of a linear layout, one line, no newline: what `bases --json` prints. */
void lw_layout_print_json(struct lw_text *text, const struct lw_layout *layout);

/* Reads a shape and an element as `-t` takes them: tensor<16x64xf16>, 16x64xf16, 16x64, f16. */
bool lw_tensor_read(struct lw_tensor *tensor, const char *text, struct lw_error *err);
/* Reads one parameter's value as people type it: 4, true, [1, 4], 1,4, [[0, 1]], an encoding. */
bool lw_value_read(struct lw_arena *arena, const char *text, struct lw_value *value,
                   struct lw_error *err);

/* ---- Aliases: the attributes that a Triton dump gives names ----
 *
 *     #blocked = #ttg.blocked<{sizePerThread = [1, 4], ...}>
 *     #slice = #ttg.slice<{dim = 1, parent = #blocked}>
 *
 * Everything else in the file (operations, types, comments) is skipped. What an alias stands for is
 * read when it is asked for, so that one which cannot be read is in nobody's way. Aliases may name
 * each other in any order. */

struct lw_alias {
    const char *name;      /* without its # */
    struct lw_place place; /* where it is defined */
    const char *value;     /* what follows the =, in the text */
    size_t value_length;   /* up to where the next thing begins */
    struct lw_place value_place;
};

struct lw_aliases {
    struct lw_arena arena;
    const char *text;
    size_t length;
    size_t count;
    const struct lw_alias *items; /* in the order of the file */
    const struct lw_alias **by_name;
};

/* More in one file are refused. */
#define LW_ALIASES_MAX ((size_t)1 << 20)

/* Finds the aliases of a file ("-": options->input) or of a text, which is copied. Fails when one
 * name is defined twice. On failure there is nothing to free. `options` may be NULL. */
bool lw_aliases_open(struct lw_aliases *aliases, const char *path,
                     const struct lw_open_options *options, struct lw_error *err);
bool lw_aliases_read(struct lw_aliases *aliases, const char *text, size_t length,
                     struct lw_error *err);
void lw_aliases_free(struct lw_aliases *aliases);
/* The alias of that name, or NULL and an error that names the nearest. */
const struct lw_alias *lw_aliases_find(const struct lw_aliases *aliases, const char *name,
                                       struct lw_error *err);
/* Whether an alias stands for a layout, by its look: not a location or a memory space. */
bool lw_alias_is_layout(const struct lw_aliases *aliases, const struct lw_alias *alias);
/* The document of an alias; its tensor is not said. Its text is that of the aliases, which must
 * outlive it. */
bool lw_document_of_alias(struct lw_document *doc, const struct lw_aliases *aliases,
                          const struct lw_alias *alias, struct lw_error *err);

/* ---- The gallery: documents built into the library ---- */

struct lw_gallery_entry {
    const char *name; /* "mma/m16n8k16.c" */
    const char *text; /* the JSON */
};

/* Sorted by name. */
const struct lw_gallery_entry *lw_gallery(size_t *count);
/* The entry of that name, or an error that lists the nearest names. */
const struct lw_gallery_entry *lw_gallery_find(const char *name, struct lw_error *err);
/* The title of an entry, read from its text without building anything; into `buffer`. */
void lw_gallery_title(const struct lw_gallery_entry *entry, char *buffer, size_t room);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
