#ifndef LANEWAY_KERNEL_H
#define LANEWAY_KERNEL_H

/*
 * Kernels: the layouts, types, operations and loops in the TTGIR of a compiled kernel.
 *
 * Triton keeps the TTGIR of each kernel that it compiles. In it every tensor has its layout in its
 * type:
 *
 *     #mma = #ttg.nvidia_mma<{versionMajor = 3, ...}>
 *     %8 = ttg.convert_layout %7 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
 *
 * A kernel is read into four lists: its encodings, each with the types that it is used in; the
 * types that have one; the operations that move data, each with its source line and the loops
 * around it; and those loops. Everything else is skipped: operations, attributes and dialects that
 * are unknown do no harm, and the types in them count. Rows of a list are named by their index; -1
 * is none.
 *
 * Text that is not MLIR does not stop the reading: it is reported, with its position, in
 * `problems`, and what is before and after it is read. The text is in memory while it is read,
 * 64 MiB of it at most.
 *
 * Source: the language reference of MLIR; the operations and their printed forms of Triton 2.1 to
 * 3.9.
 */

#include "laneway/document.h"

LW_BEGIN

/* ---- What is in a kernel ---- */

/* A position in the source of the kernel, from `loc("pa"(callsite("k.py":8:4 at "k.py":30:9)))`. */
struct lw_location {
    const char *name;                 /* of the value, "pa"; "" when it has none */
    const char *file;                 /* "" when it is unknown */
    int line, column;                 /* line 0: unknown; Triton counts columns from 0 */
    const struct lw_location *caller; /* where the function around it was inlined; or NULL */
};

/* A type that has a layout: tensor<128x64xf16, #blocked>, a memdesc, a tensor descriptor. */
struct lw_kernel_type {
    const char *text; /* as in the file, but a memdesc always begins with `!ttg.memdesc<` */
    struct lw_position position;        /* of the operation where it is first used */
    struct lw_tensor tensor;            /* rank -1 when it cannot be parsed */
    int layout;                         /* row of `encodings` */
    const struct lw_encoding *encoding; /* NULL: it cannot be parsed */
    const struct lw_error *problem;     /* why it, or its shape, cannot be parsed; else NULL */
};

/* A layout that types of the kernel have. */
struct lw_kernel_encoding {
    const char *alias; /* as types name it: "#mma", or "#ttg.slice<{dim = 0, parent = #mma}>" */
    const char *text;  /* in full: "#ttg.nvidia_mma<{...}>"; else the alias */
    struct lw_position position;        /* of its definition, else of its first use */
    const struct lw_encoding *encoding; /* NULL: it cannot be parsed */
    const struct lw_error *problem;     /* why not; else NULL */
    size_t type_count;
    const int *types; /* rows of `types`: the types that have it */
    uint64_t uses;    /* how often a type with it is in the text of operations */
};

/* What an operation does with data. */
enum lw_role {
    LW_ROLE_CONVERT,           /* registers to registers of another layout */
    LW_ROLE_LOCAL_STORE,       /* registers to shared memory */
    LW_ROLE_LOCAL_LOAD,        /* shared memory to registers */
    LW_ROLE_LOCAL_LOAD_PACKED, /* the same, transposing packed fp4: the shapes differ */
    LW_ROLE_ASYNC_STORE,       /* registers to shared memory of the cluster, asynchronously */
    LW_ROLE_GLOBAL_LOAD,       /* global memory to registers, through pointers */
    LW_ROLE_GLOBAL_STORE,      /* registers to global memory, through pointers */
    LW_ROLE_ATOMIC,            /* on global memory */
    LW_ROLE_POLL,              /* reads global memory until it has a value */
    LW_ROLE_ASYNC_COPY,        /* global to shared memory by the threads, not through registers */
    LW_ROLE_TMA,               /* global memory to shared memory or back, by a copy engine */
    LW_ROLE_TMEM,              /* tensor memory to registers or back */
    LW_ROLE_RELABEL,           /* nothing moves: the same bits with another type */
    LW_ROLE_ELEMENTWISE,       /* each thread computes on its own registers */
    LW_ROLE_REDUCE,            /* along a dim: reduce and scan */
    LW_ROLE_DOT,               /* a product of matrices that are in registers */
    LW_ROLE_DOT_SHARED, /* the same of matrices that the tensor core reads from shared memory */
    LW_ROLE_INDEXED,    /* through shared memory at indices that are data: gather, histogram */
    LW_ROLE_DESCRIPTOR, /* makes a descriptor (TMA) in shared memory */
    LW_ROLE_PARTITIONS  /* groups of warps run different code */
};

/* A kind of operation: a row of a table, constant. */
struct lw_operation_kind {
    const char *name; /* in Triton 3.9: "ttg.convert_layout" */
    enum lw_role role;
    const char *about; /* what it does, a few words */
};

/* An operation that moves data. */
struct lw_operation {
    const struct lw_operation_kind *kind;
    const char *name;  /* as in the file */
    const char *value; /* its first result, "%acc_50", else "" */
    const char *text;  /* all of it, its regions as {} */
    struct lw_position position;
    int function;      /* row of `functions`; -1: outside of all */
    int loop;          /* row of `loops`, the innermost; -1: none */
    int branch;        /* line of the innermost branch around it: it may not run; 0: none */
    int operand_count; /* how many of `types` are of operands: these come first */
    int type_count;
    const int *types; /* its types that have a layout, rows of `types` */
    /* The types of the data before and after, rows of `types`; -1: in global memory. */
    int from, to;
    /* The first result, perhaps with other dims of one element or as another type, is stored to
     * global memory by the next and last store of the function, outside of loops, and has no other
     * use; nothing between them needs all threads: the back end moves its loads there. */
    bool stored;
    bool cast; /* as another type */
    /* As `stored`, but by any stores, values that are computed from it element by element may be
     * stored instead, and conversions may be between: it may move the loads, or not. */
    bool only_stored;
    bool masked;   /* that store has a mask */
    bool selected; /* the first result, or what is computed from it element by element or with
                       another shape, is of an `arith.select`, which may drop it */
    int converted; /* row of the conversion that is the only use of it, or of what is computed
                      from it element by element; -1: none */
    int repeats;   /* row of a load that loads from the same memory, just before: between them no
                    operation of this list but other loads, no barrier, no region; -1: none */
    bool computed; /* other values are computed from it element by element */
    /* Of a conversion: the first operation that uses its result, or what is computed from it
     * element by element or with another shape, and does neither: it needs the layout. "tt.dot";
     * "" and 0: none. */
    const char *needs;
    int needs_line;
    uint32_t used; /* bit k < 32: result k is used; 0: unknown */
    /* Of an access to global memory: the mask is false for all elements in the last rounds of a
     * loop, as a pipeline loads ahead. Without a loop (-1) and not 0: it is false always. Other
     * masks are not examined. */
    int masked_loop; /* row of `loops` */
    uint64_t masked_rounds;
    const struct lw_location *location; /* NULL: unknown */
};

/* A loop around an operation that moves data. */
struct lw_kernel_loop {
    const char *name; /* "scf.for" */
    struct lw_position position;
    int parent;     /* row of `loops`, -1: none */
    int depth;      /* 1 for the outermost */
    int function;   /* row of `functions`; -1: outside of all */
    uint64_t trips; /* how often it runs, when that is known */
    bool known;     /* its bounds are constants, or options set the trips */
    bool set;       /* by the options, not by a value that they name */
    bool spins;     /* an atomic ends it: other blocks decide how often it runs */
    const struct lw_location *location; /* NULL: unknown */
};

struct lw_kernel_function { /* of the kernel */
    const char *name;
    struct lw_position position;
};

/* A kernel. It owns all that it points to, in `arena`; free it with lw_kernel_free, and do not
 * copy it. */
struct lw_kernel {
    struct lw_arena arena;
    const char *name;                          /* the path; "standard input"; "" of a text */
    const char *target;                        /* "cuda:90"; "" when the file has none */
    int num_warps, num_ctas, threads_per_warp; /* 0: the file has none */
    enum lw_triton triton; /* of its layouts: options.triton, else that of the metadata beside it */

    size_t encoding_count, type_count, operation_count, loop_count, function_count;
    /* In the order of their definitions, then of first use. */
    const struct lw_kernel_encoding *encodings;
    const struct lw_kernel_type *types;
    const struct lw_operation *operations; /* in the order of the file */
    const struct lw_kernel_loop *loops;
    const struct lw_kernel_function *functions;

    size_t alias_count; /* definitions of attributes: layouts, locations, memory spaces */
    /* Of the text, of encodings in it that are not legal, and of operations of Triton's dialects
     * that no release has (their types are read anyway). A layout that is valid MLIR but not
     * supported (of another dialect, of more than LW_RANK_MAX dims) is reported in its row only. */
    struct lw_report problems;
    uint64_t total; /* operations of all kinds */
    uint64_t bytes; /* of the text, or of its part */
    int lines;      /* up to its end */
    bool more;      /* with options.part: there is another part after it */

    int picked;            /* row of the type that options.value selects; or -1 */
    uint64_t values_found; /* bit i < 64: the value that options.trips[i] names is in the text */
    uint64_t values_used;  /* bit i < 64: bounds of a loop are computed from it */
};

#define LW_KERNEL_DEPTH_MAX 256 /* of operations with regions inside each other; more are refused */

/* ---- Reading ---- */

/* Sets how often loops run: the loop that begins on a line of the file, all whose bounds are not
 * known, or those whose bounds are computed from a value, such as an argument of the kernel. */
struct lw_trips {
    int line;         /* from 1; 0: every loop whose bounds are not known; not used with a name */
    uint64_t count;   /* trips; with a name the value, up to 2^62 */
    const char *name; /* of the value, "K" for %K; NULL: none */
};

/* How to read a kernel. Set to all zeros it is the default. */
struct lw_kernel_options {
    FILE *input; /* what "-" reads; NULL: "-" is refused */
    struct lw_triton_choice triton;
    uint64_t max;                 /* bytes of a file at most; 0: 64 MiB */
    const struct lw_trips *trips; /* `trips_count` of them; borrowed during the call */
    size_t trips_count;
    /* Lines `// -----` split a file into parts: the number of the one to read, from 1; 0: all. */
    int part;
    const char *value; /* "%12", "%12#1": selects its type as kernel.picked; NULL: none */
    /* Called for each 64 KiB of a text, with stop_context: true stops. NULL: nothing does. */
    bool (*stop)(void *stop_context);
    void *stop_context;
};

/* Reads a file; "-" is options->input. `options` may be NULL. Fails with LW_ERROR_IO on a file
 * that cannot be read, or whose metadata cannot, with LW_ERROR_LIMIT on over options->max bytes,
 * with LW_ERROR_NAME on a part that there is not, with LW_ERROR_STOPPED when options->stop returns
 * true, and with LW_ERROR_MEMORY; then there is nothing to free. Problems in the text do not fail:
 * they are in kernel->problems. */
bool lw_kernel_open(struct lw_kernel *kernel, const char *path,
                    const struct lw_kernel_options *options, struct lw_error *err);
/* lw_kernel_open for a text of `length` bytes in memory. */
bool lw_kernel_read(struct lw_kernel *kernel, const char *text, size_t length,
                    const struct lw_kernel_options *options, struct lw_error *err);
void lw_kernel_free(struct lw_kernel *kernel); /* and sets it to all zeros */

/* A part of a dump: `length` bytes from `offset` on; its first line. */
struct lw_dump_part {
    size_t offset, length;
    int line;
};

/* The text of a dump, from which the kernels of its parts are read one after the other. Free it
 * with lw_dump_free. */
struct lw_dump {
    const char *name; /* borrowed: the path; "standard input"; "" of a text */
    struct lw_text text;
    struct lw_arena arena; /* of the parts */
    size_t part_count;     /* 1 or more */
    const struct lw_dump_part *parts;
    enum lw_triton triton;   /* options.triton, else that of the metadata beside it */
    struct lw_error problem; /* the metadata has an unknown version; else the code is LW_OK */
};

/* Reads a file as lw_kernel_open does, of whose options `input`, `max` and `triton` are used. On
 * failure there is nothing to free. */
bool lw_dump_open(struct lw_dump *dump, const char *path, const struct lw_kernel_options *options,
                  struct lw_error *err);
/* lw_dump_open for a text of `length` bytes in memory, which is copied. */
bool lw_dump_read(struct lw_dump *dump, const char *text, size_t length,
                  const struct lw_kernel_options *options, struct lw_error *err);
/* Reads the kernel of a dump, with the other options, as lw_kernel_open does: of options->part, or
 * with 0 of all the text. */
bool lw_dump_kernel(struct lw_kernel *kernel, const struct lw_dump *dump,
                    const struct lw_kernel_options *options, struct lw_error *err);
void lw_dump_free(struct lw_dump *dump); /* and sets it to all zeros */

/* ---- Before reading ---- */

/* Whether a path is a dump of a kernel: a file whose name ends in .ttgir, .ttir or .mlir. A file
 * that holds only one type or attribute is not a dump but a layout (document.h). Reads only the
 * beginning of the file. */
bool lw_kernel_is_dump(const char *path);

/* The name of a kernel and what it was compiled for; "" and 0 where unknown. */
struct lw_kernel_about {
    char name[96];
    char target[32]; /* "cuda:90", "hip:gfx942" */
    char triton[24]; /* the version of Triton that compiled it: "3.7.1" */
    int num_warps;
    int64_t shared; /* bytes of shared memory; -1: unknown */
};

/* Reads these from the metadata that Triton writes beside a kernel (matmul.json beside
 * matmul.ttgir), else from the beginning of the file. Never fails: what cannot be read is
 * unknown. */
void lw_kernel_about(struct lw_kernel_about *about, const char *path);

/* ---- Queries ---- */

/* Makes a document of what an operation reads, with what it writes as another layout of the access;
 * of an operation with only one of the two, of that one. Fails with a type's problem when its
 * layout or shape cannot be parsed; then there is nothing to free. */
bool lw_document_of_operation(struct lw_document *doc, const struct lw_kernel *kernel,
                              const struct lw_operation *operation, struct lw_error *err);
/* Sets *tensor to the type of the data that an operation moves; where it accesses global memory,
 * the element of a pointer is the one that it points to. Without a type that has a layout it has
 * no shape and no element. */
void lw_operation_tensor(const struct lw_kernel *kernel, const struct lw_operation *operation,
                         struct lw_tensor *tensor);
/* How many loops are around an operation: 0 or more. */
int lw_operation_depth(const struct lw_kernel *kernel, const struct lw_operation *operation);
/* Sets *trips to how often an operation runs: the product of the trips of the loops around it,
 * less the rounds that its mask leaves out, at most 2^63. False when the trips of one of them are
 * unknown; that loop counts as 1. */
bool lw_operation_trips(const struct lw_kernel *kernel, const struct lw_operation *operation,
                        uint64_t *trips);
/* Appends "kernels.py:26:12", and with `callers` " < kernels.py:40:8" for each position that it was
 * inlined at; nothing when `location` is NULL or its file is unknown. */
void lw_location_print(struct lw_text *text, const struct lw_location *location, bool callers);
/* The alias of the layout of a row of `types`, "#mma"; "" for row -1. */
const char *lw_kernel_alias(const struct lw_kernel *kernel, int type);

LW_END

#endif
