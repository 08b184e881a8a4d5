#ifndef LANEWAY_DOCUMENT_H
#define LANEWAY_DOCUMENT_H

/*
 * Documents: a layout as a user names it, read from any notation.
 *
 * A SOURCE is a text that names a layout. Its form shows what it is: "-" for standard input, the
 * path of a file (for a Triton dump also with an alias, a value or a line: `kernel.ttgir:#mma`,
 * `kernel.ttgir:%12`, `kernel.ttgir:37`), `{...}`, an MLIR type or attribute, a linear layout as
 * Triton prints it (lw_layout_print), CuTe notation, a tilus expression, and otherwise a name in
 * the gallery. Sources with ` > ` between them, `A > S > B`, are the layouts of an access. Each of
 * these becomes a document: an encoding with parameters, the tensor that it lays out, and
 * optionally a title, a paragraph, a view to open with, and the other layouts of an access to
 * shared memory.
 *
 *     if (lw_document_open(&doc, "local(2, 1).spatial(8, 4).local(1, 2)", NULL, &err) &&
 *         lw_document_build(&doc, &map, &err)) ...
 *     lw_document_free(&doc);
 */

#include "laneway/cuda.h"
#include "laneway/encoding.h"

LW_BEGIN

/* The notation of a source. */
enum lw_notation {
    LW_NOTATION_JSON,     /* a layout document, or what `bases --json` prints */
    LW_NOTATION_MLIR,     /* a type or an attribute */
    LW_NOTATION_TILUS,    /* an expression */
    LW_NOTATION_CUTE,     /* (4,8):(8,1), or an expression over such layouts */
    LW_NOTATION_TOSTRING, /* a linear layout as Triton prints it */
    LW_NOTATION_NAME,     /* a gallery name */
    LW_NOTATION_ACCESS,   /* A > S > B, each in a notation of its own */
    LW_NOTATION_CUDA      /* accesses in CUDA C++ (cuda.h) */
};

/* The three layouts of an access: a store takes a tensor from registers A to shared memory S, a
 * load from S to registers B. Without S, A and B are the two layouts of a conversion.
 *
 * As one text they are `A > S > B`, each a SOURCE of any notation; a `>` between them has a blank
 * before it, and none of their brackets or quotes is open there. Of `X > Y`, X is S when it is in
 * shared memory, else A; Y is S when it is in shared memory and X is not, else B. With two `>` each
 * text is at its own side, and an empty one is left out: `A > > B`. An error in one of them has its
 * position in the whole text; one in a file that is named there, the position of the name. */
enum lw_side { LW_SIDE_A, LW_SIDE_S, LW_SIDE_B, LW_SIDES };

/* An encoding with its tensor. */
struct lw_document_layout {
    struct lw_encoding *encoding; /* NULL: there is none */
    struct lw_tensor tensor;      /* rank -1: not set, see lw_document_side */
};

/* A document. It owns all that it points to, in `arena`; free it with lw_document_free, and copy
 * it with lw_document_copy only. */
struct lw_document {
    struct lw_arena arena;
    enum lw_notation notation; /* of the text it was read from */
    const char *name;          /* the file, the gallery name, or the source itself; never NULL */
    const char *title;         /* "" when there is none; so are the next three */
    const char *about;         /* a paragraph */
    const char *view;          /* the view to open with (view.h) */
    const char *cell;          /* the cell format to open with */
    const char *text;          /* that it was read from: positions of errors are in it */
    /* The expression whose result the layout is, when that is a product or a quotient (calc.h) or
     * an operand of an atom of CuTe, and nothing of it was changed; NULL: none is known. */
    const char *expression;
    struct lw_encoding *encoding; /* the layout; never NULL in a document that was read */
    struct lw_tensor tensor;      /* as far as it is set */
    enum lw_side side;            /* of `encoding` in an access */
    struct lw_document_layout others[LW_SIDES]; /* the other layouts; that at `side` is empty */
    /* Of CUDA C++: the text, NULL: another notation; what the options add as C++ before it; the
     * kernel that is meant, NULL: the only one; the access that is shown, from 1. */
    const char *cuda, *cuda_given, *cuda_kernel;
    size_t cuda_access;
    bool to_global;  /* what an access loads goes directly to a store to global memory */
    bool is_one_way; /* of an operation of a kernel, which only stores from A, or only loads to B */
};

/* How to open a source. Set to all zeros it is the default. */
struct lw_open_options {
    const char *type;    /* replaces the tensor: "tensor<16x64xf16>" or "16x64xf16"; or NULL */
    const char *element; /* replaces the element of all layouts: "f16"; or NULL */
    struct lw_triton_choice triton; /* the version of Triton of all encodings in it */
    const char *name; /* lw_document.name; NULL: the file, the gallery name or the source */
    /* Of CUDA C++: its block and names with values, NULL: the defaults; and the access to show,
     * from 1 in the order of lw_cuda.accesses, 0: the first one of shared memory. A value of its
     * lets may also be "NAME=@FILE", numbers in a file. */
    const struct lw_cuda_options *cuda;
    size_t cuda_access;
    FILE *input; /* what "-" reads; NULL: "-" is refused */
    size_t max;  /* bytes of a file at most; 0: 64 MiB */
};

/* Opens a SOURCE; files and the gallery are read. `options` may be NULL. Fails with
 * LW_ERROR_SYNTAX on text that cannot be parsed, with LW_ERROR_NAME on an unknown name, with
 * LW_ERROR_IO on a file that cannot be read, with LW_ERROR_LIMIT on too much text or nesting;
 * parameters are not checked yet. The error's position and excerpt are of the text that it is
 * about, of the file when it is in one. On failure *doc is empty and needs no free. */
bool lw_document_open(struct lw_document *doc, const char *source,
                      const struct lw_open_options *options, struct lw_error *err);
/* lw_document_open for a text of `length` bytes in memory, which is never a path or a gallery
 * name. */
bool lw_document_read(struct lw_document *doc, const char *text, size_t length,
                      const struct lw_open_options *options, struct lw_error *err);
/* Whether a SOURCE is CUDA C++: a text, or the path of a file. */
bool lw_cuda_names(const char *source);
/* Reads all accesses of a SOURCE that is CUDA C++, a text or a file, which need not fit into a
 * document. Fails as lw_document_open and lw_cuda_read do, and with LW_ERROR_UNSUPPORTED when it is
 * another notation; there is then nothing to free. */
bool lw_cuda_open(struct lw_cuda *cuda, const char *source, const struct lw_open_options *options,
                  struct lw_error *err);
/* How many bytes of a SOURCE are the path of a file: all of `x.json`, and of `kernel.ttgir:#mma`
 * those before the colon. */
size_t lw_source_path(const char *source);
void lw_document_free(struct lw_document *doc); /* and sets it to all zeros */
/* A deep copy, which is freed on its own. Fails with LW_ERROR_MEMORY; *out is then empty. */
bool lw_document_copy(struct lw_document *out, const struct lw_document *doc, struct lw_error *err);

/* Sets one thing to a value in text: a parameter by its path ("order", "parent.order"); "shape",
 * "alloc" or "element" of the tensor; the version of all layouts, "triton"; the layout itself by a
 * SOURCE, "encoding", or a layout of the access, "store" (A), "shared" (S) or "load" (B).
 * "shared." before a name makes it one of that layout. An empty value unsets a parameter and
 * removes another layout. A value that is not legal is kept, and lw_document_check reports it.
 * Fails with LW_ERROR_SYNTAX when the value cannot be parsed, with LW_ERROR_NAME when there is no
 * such name, and for a layout as lw_document_open does. */
bool lw_document_set(struct lw_document *doc, const char *name, const char *value,
                     struct lw_error *err);
/* Builds all layouts, and fails with the first problem. */
bool lw_document_check(const struct lw_document *doc, struct lw_error *err);
/* Builds the map of the document's layout, as lw_encoding_build does. A tensor without a shape
 * has that of the map (lw_document_tensor). */
bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err);
/* Sets *tensor to the document's tensor as it is laid out (lw_encoding_tensor), complete: the
 * shape of the map when it has none, and elements of the encoding's bits, else of 32 bits,
 * without a name. */
void lw_document_tensor(const struct lw_document *doc, const struct lw_map *map,
                        struct lw_tensor *tensor);

/* ---- The layouts of an access, of one tensor or of a tensor and a part of it ----
 *
 * Each layout has the shape that is set beside it (a type, -t, "shape"), else that of its notation
 * (lw_encoding_has_shape), else another one's. There is one exception: a CuTe layout without a
 * tile, beside a layout whose shape is set, is the threads and values of that shape where it can
 * be. */

/* The key of a side in documents: "store", "shared", "load"; NULL for a number that is no side. */
const char *lw_side_key(enum lw_side side);
const char *lw_side_name(enum lw_side side); /* "registers A", "shared S", "registers B", or NULL */
/* Whether a document has a layout at that side; false for a number that is no side. */
bool lw_document_has(const struct lw_document *doc, enum lw_side side);
bool lw_document_is_access(const struct lw_document *doc); /* it has more than one layout */
/* The layout of *doc at a side, which must have one, as a document with its shape by this rule. It
 * borrows all of *doc and must not be freed. */
void lw_document_side(struct lw_document *out, const struct lw_document *doc, enum lw_side side);
/* Adds a copy of the layout of `other` to *doc at a side, in place of one that is there. Fails
 * with LW_ERROR_MEMORY. */
bool lw_document_put(struct lw_document *doc, enum lw_side side, const struct lw_document *other,
                     struct lw_error *err);

/* Appends the document as JSON, indented, ending in a newline. Reading it gives an equal
 * document. */
void lw_document_print(struct lw_text *text, const struct lw_document *doc);
/* Appends the shortest SOURCE that names this layout: an MLIR type, a tilus expression, CuTe
 * notation or JSON on one line. */
void lw_document_source(struct lw_text *text, const struct lw_document *doc);
/* Appends the layouts of an access as one SOURCE on one line, `A > S > B`, each as
 * lw_document_source writes it with the shape that is set beside it; a single layout alone. Reading
 * it gives equal layouts at the same sides; the title, the paragraph and the view are not in it. */
void lw_document_print_access(struct lw_text *text, const struct lw_document *doc);
/* Appends an encoding short, names and numbers, for where there is little room: `blocked [1,8]
 * [4,8] [4,1]`, `swizzled_shared 8 1 8`, `dot_op 0 of nvidia_mma 2`. Layouts of tilus and CuTe are
 * in their own notation. Rarely needed parameters are left out, so this is no SOURCE, and
 * different encodings may look the same. */
void lw_encoding_print_short(struct lw_text *text, const struct lw_encoding *encoding);
/* Appends the tensor, two blanks, and the layouts of the document so: `64x64xf16  blocked [1,8]
 * [4,8] [4,1] > swizzled_shared 8 1 8`. A layout of another shape has that before it. */
void lw_document_print_short(struct lw_text *text, const struct lw_document *doc);
/* Appends a linear layout as JSON on one line, without a newline: what `bases --json` prints. */
void lw_layout_print_json(struct lw_text *text, const struct lw_layout *layout);

/* Reads a shape and an element: "tensor<16x64xf16>", "16x64xf16", "16x64" or "f16"; what is not
 * there is not set. Fails with LW_ERROR_SYNTAX or LW_ERROR_NAME. */
bool lw_tensor_read(struct lw_tensor *tensor, const char *text, struct lw_error *err);
/* Reads the value of a parameter as people type it: 4, true, [1, 4], 1,4, [[0, 1]], an encoding. An
 * empty text is the kind NONE. The value lives in the arena. */
bool lw_value_read(struct lw_arena *arena, const char *text, struct lw_value *value,
                   struct lw_error *err);

/* ---- The gallery: documents built into the library ---- */

/* One document of the gallery, or one of its kernels: a constant. */
struct lw_gallery_entry {
    const char *name;  /* "mma/m16n8k16.c" */
    const char *title; /* that of the JSON; of a kernel what all have */
    const char *text;  /* the JSON; of a kernel the dump */
};

/* All entries, `*count` of them, sorted by name. */
const struct lw_gallery_entry *lw_gallery(size_t *count);
/* The entry of that name; NULL fails with LW_ERROR_NAME and the nearest names. */
const struct lw_gallery_entry *lw_gallery_find(const char *name, struct lw_error *err);
/* The compiled kernels, `*count` of them: Triton dumps. Where there is no file of that name, the
 * name of one opens it as that of a file does: "kernels/transpose.gfx942.ttgir:#blocked" is a
 * SOURCE. */
const struct lw_gallery_entry *lw_gallery_kernels(size_t *count);

LW_END

#endif
