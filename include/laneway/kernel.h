#ifndef LANEWAY_KERNEL_H
#define LANEWAY_KERNEL_H

/*
 * Kernels: what the TTGIR of a compiled kernel says of its data.
 *
 * Triton keeps the TTGIR of each kernel that it compiles. In it every tensor has its layout in its type:
 *
 *     #mma = #ttg.nvidia_mma<{versionMajor = 3, ...}>
 *     %8 = ttg.convert_layout %7 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1> loc(#loc30)
 *
 * A kernel is read into four lists: its encodings, each with the shapes that it is used at; the types
 * that have one; the operations that move data, each with its source line and the loops around it; and those
 * loops. Everything else is read past: operations, attributes and dialects that are not known are in nobody's way,
 * and the types in them count.
 *
 *     struct lw_kernel kernel;
 *     if (lw_kernel_open(&kernel, "matmul.ttgir", NULL, &err))
 *         for (size_t i = 0; i < kernel.operation_count; i++)
 *             puts(kernel.operations[i].name);
 *     lw_kernel_free(&kernel);
 *
 * Text that is no MLIR does not stop the reading: it is told, with its place, in `problems`, and what goes
 * before and after it is there.
 *
 * A file is read as a stream, operation by operation. What is kept: the definitions of aliases and locations
 * (their text), each distinct type once, the operations that move data, the loops; and while they are open
 * the text of operations with regions and the integer constants of a function. All of it has limits
 * (below, and that of the arena), so that the memory is bounded however long the text is; what goes beyond one is
 * left out and told in `problems`.
 *
 * Source: the language reference of MLIR; the operations and their printed forms of Triton 2.1 to 3.7.
 */

#include "laneway/document.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is in a kernel ---- */

/* A place in the source of the kernel, from `loc("pa"(callsite("k.py":8:4 at "k.py":30:9)))`. */
struct lw_location {
    const char *name;                 /* of the value, "pa"; "" when none is said */
    const char *file;                 /* "" when it is not known */
    int line, column;                 /* 0: not known; columns as Triton counts them, from 0 */
    const struct lw_location *caller; /* where the function that this is in was inlined; or NULL */
};

/* A type that has a layout: tensor<128x64xf16, #blocked>, a memdesc, a tensor descriptor. */
struct lw_kernel_type {
    const char *text;        /* as the file has it; a memdesc always begins `!ttg.memdesc<` */
    struct lw_place place;   /* of the operation where it is first used */
    struct lw_tensor tensor; /* rank -1 when it could not be read */
    int layout;              /* its row of `encodings` */
    const struct lw_encoding *encoding; /* NULL: it cannot be read */
    const struct lw_error *problem;     /* why it, or its shape, cannot be read; else NULL */
};

struct lw_kernel_encoding {
    const char *alias;     /* as types name it: "#mma", or "#ttg.slice<{dim = 0, parent = #mma}>" */
    const char *text;      /* in full: "#ttg.nvidia_mma<{...}>"; the alias when it cannot be read */
    struct lw_place place; /* of its definition, else of its first use */
    const struct lw_encoding *encoding; /* NULL: it cannot be read */
    const struct lw_error *problem;     /* why; else NULL */
    size_t type_count;
    const int *types; /* rows of `types`: the shapes and elements that it is used at */
    /* How often a type with it stands in the text of operations. */
    uint64_t uses;
};

/* What an operation does with data. */
enum lw_role {
    LW_ROLE_CONVERT,      /* registers to registers of another layout */
    LW_ROLE_LOCAL_STORE,  /* registers to shared memory */
    LW_ROLE_LOCAL_LOAD,   /* shared memory to registers */
    LW_ROLE_GLOBAL_LOAD,  /* global memory to registers, through pointers */
    LW_ROLE_GLOBAL_STORE, /* and back */
    LW_ROLE_ATOMIC,       /* on global memory */
    LW_ROLE_ASYNC_COPY,   /* global memory to shared memory by the threads, past registers */
    LW_ROLE_TMA,          /* global memory to shared memory or back, by a copy engine */
    LW_ROLE_TMEM,         /* tensor memory to registers or back */
    LW_ROLE_RELABEL,      /* nothing moves: the same bits under another shape */
    LW_ROLE_REDUCE,       /* along a dim: reduce and scan */
    LW_ROLE_DOT,          /* a product of matrices that are in registers */
    LW_ROLE_DOT_SHARED,   /* the same of matrices that the tensor core reads from shared memory */
    LW_ROLE_INDEXED /* through shared memory at places that the data says: gather, histogram */
};

struct lw_operation_kind {
    const char *name; /* in the spelling of 3.7, "ttg.convert_layout" */
    enum lw_role role;
    const char *about; /* what is known of it, a few words */
};

/* Every operation that moves data. */
const struct lw_operation_kind *lw_operation_kinds(size_t *count);
/* By its name, in any release's spelling ("triton_gpu.convert_layout"); NULL: it moves none. */
const struct lw_operation_kind *lw_operation_kind_find(const char *name, size_t length);

struct lw_operation {
    const struct lw_operation_kind *kind;
    const char *name;  /* as the file spells it */
    const char *value; /* its first result, "%acc_50", else "" */
    const char *text;  /* all of it, its regions as {} */
    struct lw_place place;
    int function;      /* row of `functions`, -1: outside of all */
    int loop;          /* row of `loops`, the innermost; -1: none */
    int operand_count; /* types with a layout, rows of `types`: those of operands first */
    int type_count;
    const int *types;
    int from,
        to; /* the types that the data has before and after, rows of `types`; -1: none (in global memory) */
    /* Its first result is stored to global memory, and nothing else is done with it. */
    bool stored;
    /* The same, but other values may be computed from it element by element, and those are stored. */
    bool only_stored;
    int converted; /* row of the conversion that alone uses it, or what is computed from it; -1: none does */
    bool computed;                      /* other values are computed from it element by element */
    uint32_t used;                      /* bit k < 32: result k is used; 0: nobody knows */
    const struct lw_location *location; /* NULL: not known */
};

struct lw_kernel_loop {
    const char *name; /* "scf.for" */
    struct lw_place place;
    int parent; /* row of `loops`, -1: none */
    int depth;  /* 1 for the outermost */
    int function;
    uint64_t trips; /* when its bounds are constants in the text, or options say; `known` */
    bool known;
    const struct lw_location *location;
};

struct lw_kernel_function {
    const char *name;
    struct lw_place place;
};

struct lw_kernel {
    struct lw_arena arena;
    const char *name;                          /* the file */
    const char *target;                        /* "cuda:90"; "" when it is not said */
    int num_warps, num_ctas, threads_per_warp; /* 0: not said */

    size_t encoding_count, type_count, operation_count, loop_count, function_count;
    const struct lw_kernel_encoding
        *encodings; /* in the order of their definitions, then of first use */
    const struct lw_kernel_type *types;
    const struct lw_operation *operations; /* in the order of the file */
    const struct lw_kernel_loop *loops;
    const struct lw_kernel_function *functions;

    struct lw_aliases aliases; /* its memory is the kernel's; the text is not kept */
    /* Of the text, and of encodings in it that are wrong. A layout that is right and not known here (of a dialect
     * of somebody's own, of more than LW_RANK_MAX dims) is no problem of the text: it has its own. */
    struct lw_report problems;
    uint64_t total;    /* operations of all kinds */
    uint64_t left_out; /* operations that move data, beyond the limit */
    uint64_t bytes;    /* of the text */
    int lines;
    bool more; /* of a file that was read in parts: there is another part */

    int picked;      /* what options asked for: row of `types`, -1: none */
    int picked_with; /* a second type of that operation, -1: none */
    bool
        picked_plain; /* the value that options asked for is there; with `picked` -1 its type has no layout */
};

#define LW_KERNEL_OPERATIONS_MAX ((size_t)1 << 16)
#define LW_KERNEL_PARTS_MAX 256 /* of a file are looked at by those who read it in parts */
#define LW_KERNEL_TYPES_MAX ((size_t)1 << 16)
#define LW_KERNEL_LOOPS_MAX ((size_t)1 << 16)
#define LW_KERNEL_ENCODINGS_MAX ((size_t)1 << 16) /* and those beyond it that types name */
/* Operations with regions inside each other; those deeper are read past. */
#define LW_KERNEL_DEPTH_MAX 256

/* ---- Reading ---- */

/* How often a loop runs: that of the line in the file, or, with line 0, each whose bounds do not say. */
struct lw_trips {
    int line;
    uint64_t count;
};

struct lw_kernel_options {
    FILE *input;   /* what "-" reads; NULL: "-" is refused */
    uint64_t most; /* bytes of a text at most; 0: any */
    const struct lw_trips *trips;
    size_t trips_count;
    /* Lines `// -----` part a file into files: this one of them alone is read, 1 the first; 0: all together. */
    int part;
    const char
        *value; /* "%12", "%12#1": kernel.picked is the type of it; NULL: none is asked for */
    int line;   /* kernel.picked is of the operation that begins there; 0: none is asked for */
};

/* Reads a file, or a text. Fails when there is none to read, and when memory is out: then there is nothing
 * to free. What is wrong in the text is in kernel->problems. `options` may be NULL. */
bool lw_kernel_open(struct lw_kernel *kernel, const char *path,
                    const struct lw_kernel_options *options, struct lw_error *err);
bool lw_kernel_read(struct lw_kernel *kernel, const char *text, size_t length,
                    const struct lw_kernel_options *options, struct lw_error *err);
void lw_kernel_free(struct lw_kernel *kernel);

/* ---- Before reading ---- */

/* Whether a path is a file that ends as dumps do (.ttgir, .ttir, .mlir) and holds more than one type or one attribute,
 * which are layouts themselves. Reads its beginning alone. */
bool lw_kernel_is(const char *path);

/* What a kernel is called and compiled for; "" and 0 where nobody says. */
struct lw_kernel_about {
    char name[96];
    char target[32]; /* "cuda:90", "hip:gfx942" */
    int num_warps;
    int64_t shared; /* bytes of shared memory; -1: not said */
};

/* From the metadata that Triton writes beside a kernel (matmul.json beside matmul.ttgir), else from the beginning
 * of the file. Never fails: what cannot be read is not said. */
void lw_kernel_about(struct lw_kernel_about *about, const char *path);

/* ---- Asking ---- */

/* The type of that row with its layout as a document. */
bool lw_document_of_type(struct lw_document *doc, const struct lw_kernel *kernel, int type,
                         struct lw_error *err);
/* What an operation reads, and as the second layout what it writes (of one alone, that one). */
bool lw_document_of_operation(struct lw_document *doc, const struct lw_kernel *kernel,
                              const struct lw_operation *operation, struct lw_error *err);
/* The shape that data has in an operation, with its element: of a pointer what it points to. */
void lw_operation_tensor(const struct lw_kernel *kernel, const struct lw_operation *operation,
                         struct lw_tensor *tensor);
/* How many loops are around an operation. */
int lw_operation_depth(const struct lw_kernel *kernel, const struct lw_operation *operation);
/* How often it runs: the product of the trips of the loops around it (at most 2^63). False: the trips of one of them
 * are not known, and count as 1. */
bool lw_operation_trips(const struct lw_kernel *kernel, const struct lw_operation *operation,
                        uint64_t *trips);
/* "kernels.py:26:12", and with `callers` " < kernels.py:40:8" for each place that it was inlined at; nothing
 * when it is not known. */
void lw_location_print(struct lw_text *text, const struct lw_location *location, bool callers);
/* The alias that a type names its layout by, "#mma"; "" for row -1. */
const char *lw_kernel_alias(const struct lw_kernel *kernel, int type);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
