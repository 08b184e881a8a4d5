#ifndef LANEWAY_READ_H
#define LANEWAY_READ_H

/*
 * What the readers of this room share.
 *
 * A text is read in one of three ways: JSON into a value and from there into a document (read_document.c);
 * expressions through their syntax tree (expression.h, calculator.h); MLIR, and layouts as Triton prints
 * them, through a cursor (read_mlir.h, read_tostring.c). source_kind.c recognises the kind of a text, source.c has the
 * reader of each kind. A reader that meets a source inside its text calls lw_read_inner.
 */

#include "laneway/calc.h"
#include "laneway/document.h"
#include "notation/expression/expression.h"

/* Bytes of a text that names a layout, in any notation; of a file, when no other limit is set. */
#define LW_SOURCE_BYTES_MAX ((size_t)1 << 20)
#define LW_FILE_MAX ((size_t)64 << 20)
/* Sources inside sources. */
#define LW_DOCUMENTS_MAX 8

enum lw_allowed_sources {
    LW_ALLOW_NAMES = 1, /* a source may be a name in the gallery */
    LW_ALLOW_FILES = 2  /* or a file */
};

/* Sets the shape of a document that has none to that of `other` where this rule applies, and its
 * element where it has none. `access`: one of the two is in shared memory, so beside registers a
 * CuTe layout is memory. */
void lw_document_share(struct lw_document *doc, const struct lw_document *other, bool access);
/* Finds the side that a name names as a whole or before a dot ("shared" in "shared.vec"); *length
 * is that of the name, with the dot. False, with *length 0, when it names none. */
bool lw_document_find_side(const char *name, enum lw_side *side, size_t *length);
/* Sets the side of the document's own layout: S in shared memory, else A, unless another layout
 * has that side. */
void lw_document_settle(struct lw_document *doc);
/* Sets NAME=VALUE of each text. An access that is typed has its layouts itself: those were for the first text. */
bool lw_document_set_all(struct lw_document *doc, const char *const *sets, size_t count,
                         bool is_typed, struct lw_error *err);
struct lw_reading;
/* Reads a source of any kind; `doc` is all zeros. */
typedef bool lw_source_reader(struct lw_reading *reading, struct lw_document *doc,
                              const char *source, size_t length);

/* A text while it is read, and which sources it may contain. */
struct lw_reading {
    struct lw_arena *arena;
    struct lw_error *err; /* never NULL */
    unsigned allowed;     /* enum lw_allowed_sources */
    const char *file;     /* the file of the text; paths in the text are relative to it; NULL:
                                 none */
    const char *text;
    size_t length;
    size_t max; /* bytes of a file; 0: LW_FILE_MAX */
    bool dump;  /* the file is a dump: when no such file exists, the name is that of a kernel of the
                 gallery */
    int depth;  /* of sources in sources */
    struct lw_triton_choice triton;
    const struct lw_cuda_options *cuda; /* NULL: the defaults */
    size_t cuda_access;
    const char *kernel; /* of a file of CUDA C++; NULL: the only one */
    lw_source_reader *read_source;
};

/* ---- read_metadata.c ---- */

struct lw_kernel_about;
/* Sets the members that Triton's metadata of a kernel has. False when the text is not such metadata. */
bool lw_read_metadata(struct lw_kernel_about *about, const char *text, size_t length);

/* ---- document.c ---- */

/* lw_check_nesting for all layouts of a document. */
bool lw_check_document_nesting(const struct lw_document *doc, struct lw_error *err);
/* Sets the sizes of a tensor's `name`, "shape" or "alloc", from a list of integers. */
bool lw_read_sizes(const char *name, const struct lw_value *value, uint64_t *sizes, int *rank,
                   struct lw_error *err);
/* Replaces the shape and the element of a tensor by those that are set in `other`. */
void lw_tensor_override(struct lw_tensor *tensor, const struct lw_tensor *other);
/* Sets the version of Triton of the layouts of an access other than the document's own. */
void lw_document_set_triton_of_others(struct lw_document *doc, struct lw_triton_choice choice);

/* Fails when a layout cannot be at that side of an access by its type: one in registers at S, or one in shared memory
 * at A or B. */
bool lw_check_side(const struct lw_document *doc, enum lw_side side, struct lw_error *err);
/* Whether a layout is in shared memory; a plain one when it has offsets. */
bool lw_document_is_in_memory(const struct lw_document *doc);
/* The bytes up to the next NAME= of a list of settings, "vec=4 order=[1, 0]", outside all brackets. */
size_t lw_setting_length(const char *text);

/* ---- read_document.c ---- */

/* Reads a text that must be one JSON object; `example` is shown in the message. */
bool lw_read_json_object(struct lw_arena *arena, const char *text, size_t length,
                         const char *example, struct lw_value *object, struct lw_error *err);
/* Fills a document that is all zeros, of an object, or of a source in a string. */
bool lw_read_document(struct lw_reading *reading, struct lw_document *doc,
                      const struct lw_value *value);
/* ---- read_text.c ---- */

/* Fails unless a text is UTF-8 without control characters, of at most LW_SOURCE_BYTES_MAX. The text ends in a NUL
 * that `length` does not count. */
bool lw_check_text(const char *text, size_t length, struct lw_error *err);
/* lw_check_text for any length. */
bool lw_check_bytes(const char *text, size_t length, struct lw_error *err);
/* The line and column of a byte, with a length of 1. */
struct lw_position lw_position_at(const char *text, size_t offset);
/* The bytes of the longest name of the gallery with which a text begins, and that ends there; 0: none. */
size_t lw_gallery_name_length(const char *text);
/* Sets the excerpt of an error in a part of a text; the part begins at `start`. */
void lw_excerpt_of_part(struct lw_error *err, struct lw_position start, const char *part,
                        size_t length);
/* Sets the reading's text to a copy, without a byte order mark. */
bool lw_keep_text(struct lw_reading *reading, const char *text, size_t length);
/* Reads all of a stream; `name` is for messages. */
bool lw_read_stream(struct lw_reading *reading, FILE *stream, const char *name,
                    struct lw_text *text);
/* Opens a file of at most lw_reading.max bytes, with lw_open_regular. */
FILE *lw_open_file(struct lw_reading *reading, const char *path);
/* A path, `length` bytes of `name`, relative to the file of the reading; NULL: out of memory. */
const char *lw_path_relative(const struct lw_reading *reading, const char *name, size_t length);
/* Reads all of the file at such a path, which becomes reading->file. */
bool lw_open_relative(struct lw_reading *reading, const char *name, size_t length,
                      struct lw_text *text);

/* Messages of the library name what is typed in a shell: puts what is typed in the explorer instead. */
void lw_error_of_explorer(struct lw_error *err);
/* Opens a regular file of at most `max` bytes. NULL with an error otherwise, and with errno: EINVAL for a pipe,
 * a socket or a device, EFBIG for a larger file. `err` may be NULL. */
FILE *lw_open_regular(const char *path, size_t max, struct lw_error *err);

/* ---- source_kind.c ---- */

enum lw_source_kind {
    LW_SOURCE_INPUT,       /* - */
    LW_SOURCE_FILE,        /* x.json */
    LW_SOURCE_TEXT,        /* x.txt */
    LW_SOURCE_DUMP,        /* x.ttgir, x.ttgir:#mma */
    LW_SOURCE_CODE,        /* x.cu, x.cu:kernel */
    LW_SOURCE_JSON,        /* {...} */
    LW_SOURCE_TYPE,        /* tensor<...>, !ttg.memdesc<...> */
    LW_SOURCE_ATTRIBUTE,   /* #ttg.blocked<...> */
    LW_SOURCE_DEFINITIONS, /* #name = #ttg.blocked<...> tensor<16x64xf16, #name> */
    LW_SOURCE_TOSTRING,    /* - lane=1 -> (0, 1) ... where out dims are: [...] */
    LW_SOURCE_CUTE,        /* (4,8):(8,1) */
    LW_SOURCE_TILUS,       /* local(2, 1) */
    LW_SOURCE_CUDA,        /* __shared__ float t[32]; t[threadIdx.x] = v; */
    LW_SOURCE_NAME,
    LW_SOURCE_KINDS
};

/* Appends the endings of the names of files that are read: ".json, .txt, ... or .cuh". */
void lw_put_file_endings(struct lw_text *text);
/* The kind of a text, which is trimmed. */
enum lw_source_kind lw_source_kind_of(const char *text, size_t length);
bool lw_starts(const char *text, size_t length, const char *prefix);
/* Whether a text ends with a suffix and is longer than it. */
bool lw_ends(const char *text, size_t length, const char *suffix);
/* Removes a byte order mark and the white space around a text. */
void lw_trim(const char **text, size_t *length);

/* ---- inner_source.c ---- */

/* Reads a source of any kind inside the reading's text, where it is at `whole`; `quote`: 1 when it is between quotes
 * there, else 0. Positions become those in the text around it; those of a problem in a file, the position of the
 * source. */
bool lw_read_inner(struct lw_reading *reading, struct lw_document *doc, const char *source,
                   size_t length, struct lw_position whole, int quote);

/* A part of `A > S > B`, trimmed. */
struct lw_access_part {
    const char *text;
    size_t length;
};
/* Splits a text into its parts; returns how many there are, 1 when the text is one source. */
int lw_access_split(const char *text, size_t length, struct lw_access_part parts[LW_SIDES]);
/* Reads the parts, which lie in the reading's text. */
bool lw_read_access(struct lw_reading *reading, struct lw_document *doc,
                    const struct lw_access_part *parts, int count);

/* ---- cuda_source.c ---- */

/* Fills a document with an access of the reading's text in CUDA C++: registers A > shared S > registers B of one
 * array in shared memory, or the registers of an access to global memory. */
bool lw_read_cuda(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan);
/* Reads all accesses of the reading's text. */
bool lw_read_accesses(struct lw_reading *reading, struct lw_cuda *cuda);

/* ---- calc_source.c ---- */

/* Computes an expression of the calculator; sources in it are read by reading->read_source. */
bool lw_read_calc(struct lw_reading *reading, const char *expr, const struct lw_calc_binding *lets,
                  size_t count, const struct lw_calc_work *work, struct lw_calc_result *out);
/* Fills a document with the layout that the reading's text, an expression, has as its result. */
bool lw_read_cute(struct lw_reading *reading, struct lw_document *doc, struct lw_scan *scan);

/* ---- source.c ---- */

/* The document of an object, or of a source in a string, in a JSON text that was read by lw_read_json. The document
 * points into the value's arena and the text, which must outlive it. `options` may be NULL. */
bool lw_document_of_object(struct lw_document *doc, const struct lw_value *object, const char *text,
                           size_t length, const struct lw_open_options *options,
                           struct lw_error *err);

#endif
