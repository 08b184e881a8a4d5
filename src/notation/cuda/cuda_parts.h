#ifndef LANEWAY_CUDA_PARTS_H
#define LANEWAY_CUDA_PARTS_H

/*
 * The reader of CUDA C++:
 *
 *     text --cuda.c--> tokens, macros replaced --cuda_run.c--> accesses
 *
 * There is no tree: the tokens are executed as they stand (cuda_run.c). What that computes and accesses are values
 * (cuda_values.c).
 */

#include "laneway/cuda.h"
#include "laneway/text.h"

/* ---- Tokens ---- */

/* Operators of numbers. */
enum lw_cuda_operator {
    LW_CUDA_NONE,
    LW_CUDA_ADD,
    LW_CUDA_SUB,
    LW_CUDA_MUL,
    LW_CUDA_DIV,
    LW_CUDA_REM,
    LW_CUDA_AND,
    LW_CUDA_OR,
    LW_CUDA_XOR,
    LW_CUDA_SHL,
    LW_CUDA_SHR,
    LW_CUDA_MIN,
    LW_CUDA_MAX,
    LW_CUDA_BREV, /* of one number */
    LW_CUDA_POPC, /* of one number; from here on the result is an int */
    LW_CUDA_LESS,
    LW_CUDA_GREATER,
    LW_CUDA_LESS_EQUAL,
    LW_CUDA_GREATER_EQUAL,
    LW_CUDA_EQUAL,
    LW_CUDA_NOT_EQUAL,
    LW_CUDA_CHOOSE /* ?:, && and ||: some operands are not always computed */
};

/* A sign. Those between two operands have an order: 0 the comma, 1 assignments, 2 ?:, and so on; others have -1. */
struct lw_cuda_sign {
    const char *text;
    int order;
    enum lw_cuda_operator op;
};

/* A type of values. */
struct lw_cuda_type {
    const char *name;
    uint8_t bytes;    /* 0: void, auto, dim3 */
    uint8_t parts;    /* of a vector type: float4 has 4; else 1 */
    bool is_integer;  /* else what it holds is not computed with */
    bool is_unsigned; /* INTEGER */
    bool is_pointer;  /* to such a value */
};

struct lw_cuda_token {
    enum {
        LW_CUDA_END,
        LW_CUDA_NAME,   /* also with ::, as one name */
        LW_CUDA_NUMBER, /* an integer */
        LW_CUDA_REAL,   /* a number that is no integer, a string, a character */
        LW_CUDA_SIGN    /* an operator or a bracket */
    } kind;
    const char *text; /* as it is written; ends in NUL */
    int64_t value;    /* NUMBER, of a `type` */
    struct lw_cuda_type type;
    const struct lw_cuda_sign *sign; /* SIGN; else NULL */
    bool is_type;                    /* a NAME of a type, or a part of one */
    bool is_qualifier;               /* a NAME beside types, as const */
    struct lw_position position;     /* where it is in the text; of a macro where that is used */
    /* What the run notes: the token after the statement that begins here, and 1 + the number of the array that a name
     * declares. */
    struct lw_cuda_token *after;
    size_t array;
};

/* Keeps a text with its options, and splits it into tokens, macros replaced: first those of what is given before it, in
 * line 0. Before the first one is an LW_CUDA_END, and after the last one are two. */
bool lw_cuda_tokens(struct lw_cuda *cuda, const char *text, size_t length,
                    const struct lw_cuda_options *options, struct lw_cuda_token **tokens,
                    struct lw_error *err);

/* ---- Types and values ---- */

#define LW_CUDA_UNKNOWN INT64_MIN /* a number that is in memory, or that is not computed */

struct lw_cuda_value {
    bool is_address; /* of a `type`, at the bytes `v` of `array`; else it is a number, or data */
    bool is_array;   /* what is there is an array of the text, or one in it, and has its lengths */
    int rank; /* of an address: the dims that are left; 0: one element is meant; a pointer has 1 */
    struct lw_cuda_type type;
    size_t array;                      /* 1 + its number; 0: registers */
    int64_t *v;                        /* of each thread, or LW_CUDA_UNKNOWN */
    struct lw_cuda_variable *variable; /* whose value it is; NULL: of none */
    struct lw_cuda_token *at;          /* where it begins */
};

/* A name with a value: a number, a pointer or an array. */
struct lw_cuda_variable {
    const char *name;
    struct lw_cuda_type type;
    struct lw_cuda_value value;
    int64_t sizes[3];               /* of a dim3 */
    struct lw_cuda_token *function; /* where a function of the device begins; NULL: it is none */
};

enum {
    LW_CUDA_NAMES_MAX = 512,
    LW_CUDA_VECTORS_MAX = 8192,
    LW_CUDA_ARRAYS_MAX = 256,
    LW_CUDA_ACCESSES_MAX = 1024,
    LW_CUDA_RUNS = 0 /* the state of a thread; else it waits at that level */
};

/* The state of a run. */
struct lw_cuda_run {
    struct lw_cuda *cuda;
    struct lw_arena *arena; /* what is not needed after the run */
    const char *kernel;     /* the function that is executed; NULL: there is none */
    struct lw_error *err;
    bool failed;                               /* the first error is in `err` */
    struct lw_cuda_token *at;                  /* the next one; after an error an end */
    struct lw_cuda_token *statement, ended[3]; /* the first one of the statement; ends */
    int depth;
    uint64_t work; /* that is left */
    /* Names without a value: from the first one on more of them are found, and no values. */
    struct lw_text missing;
    struct lw_cuda_token *first_missing;
    char thread[80]; /* the name of one */

    size_t threads;
    int64_t grid[3];                /* blocks in x, y, z; 0: not known */
    int state[LW_CUDA_THREADS_MAX]; /* LW_CUDA_RUNS, or the level at which each waits */
    int level;                      /* the highest one */
    int unsure;                     /* branches around that depend on what is in memory */
    int64_t *vectors[LW_CUDA_VECTORS_MAX];
    size_t vector_count;

    struct lw_cuda_variable names[LW_CUDA_NAMES_MAX + 1]; /* those of inner blocks last */
    int name_count;
    bool all_arrays_shared; /* an array without __shared__ is in shared memory too */
    struct lw_cuda_frame {
        int broke, continued, returned; /* the levels of the loop and of the function */
        int globals, locals;            /* names from `globals` to before `locals` are of another */
        struct lw_cuda_value *result;   /* NULL: it has none */
    } frame;                            /* of the function and the loop that run */

    uint64_t shared_used;                       /* bytes */
    const int64_t *numbers[LW_CUDA_ARRAYS_MAX]; /* of an array of constants; NULL: it is memory */
    size_t address_count;
    struct lw_text rows[LW_CUDA_ACCESSES_MAX]; /* the addresses of each access */
};

/* ---- The run ---- */

/* Reports the first error, and ends the text. Errors of values are none once a name has no value. */
void lw_cuda_fail(struct lw_cuda_run *run, enum lw_code code, const struct lw_cuda_token *at,
                  const char *format, ...) LW_PRINTF(4, 5);
/* lw_cuda_fail of the code LW_ERROR_SYNTAX. */
void lw_cuda_refuse(struct lw_cuda_run *run, const struct lw_cuda_token *at, const char *what);
/* Memory of an arena; NULL: it fails. */
void *lw_cuda_allocate(struct lw_cuda_run *run, struct lw_arena *arena, size_t size);
/* Whether a name is that of a type, and, unless `type` is NULL, which. */
bool lw_cuda_type_named(const char *name, struct lw_cuda_type *type);
/* int, unsigned or, with 8 bytes, long long. */
struct lw_cuda_type lw_cuda_integer(uint8_t bytes, bool is_unsigned);
/* The type in which two operands are computed: C's usual arithmetic conversions. */
struct lw_cuda_type lw_cuda_common_type(const struct lw_cuda_type *a, const struct lw_cuda_type *b);

/* Moves *t to the first thread from it on that runs; false: there is none. */
bool lw_cuda_running(const struct lw_cuda_run *run, size_t *t);
bool lw_cuda_any_runs(const struct lw_cuda_run *run);
/* All threads of one state have another from now on. */
void lw_cuda_set_state(struct lw_cuda_run *run, int from, int to);

/* A value with a vector of one number. */
struct lw_cuda_value lw_cuda_number(struct lw_cuda_run *run, struct lw_cuda_token *at,
                                    struct lw_cuda_type of, int64_t number);
/* What is not computed with. */
struct lw_cuda_value lw_cuda_data(struct lw_cuda_run *run, struct lw_cuda_token *at);
struct lw_cuda_value lw_cuda_copy(struct lw_cuda_run *run, const struct lw_cuda_value *a);
/* Numbers in another type. */
void lw_cuda_retype(const struct lw_cuda_run *run, struct lw_cuda_value *a,
                    const struct lw_cuda_type *to);
/* a = a op b, of numbers, or of a pointer and numbers; `at`: the operator. */
void lw_cuda_compute(struct lw_cuda_run *run, const struct lw_cuda_token *at,
                     enum lw_cuda_operator op, struct lw_cuda_value *a,
                     const struct lw_cuda_value *b);
/* a[b]. */
void lw_cuda_index(struct lw_cuda_run *run, struct lw_cuda_value *a, const struct lw_cuda_value *b);
/* The bytes of that many dims, the last ones, of the array that a lvalue is in. */
int64_t lw_cuda_size(const struct lw_cuda_run *run, const struct lw_cuda_value *lvalue, int rank);

/* Notes that the threads that run access what is in memory. */
void lw_cuda_record(struct lw_cuda_run *run, const struct lw_cuda_value *lvalue, enum lw_cuda_op op,
                    enum lw_cuda_atomic atomic);
/* Gives the accesses their addresses and their order. */
void lw_cuda_finish(struct lw_cuda_run *run);
/* The value of what an expression names: what is in memory is loaded. */
void lw_cuda_load(struct lw_cuda_run *run, struct lw_cuda_value *a);
/* Gives `to`, in the threads that run, the pointer or the number of `from`; `as`: the type of a number. */
void lw_cuda_merge(struct lw_cuda_run *run, const struct lw_cuda_token *at,
                   struct lw_cuda_value *to, const struct lw_cuda_value *from,
                   const struct lw_cuda_type *as);
/* Stores a value where `target` is; `at`: the operator. */
void lw_cuda_store(struct lw_cuda_run *run, const struct lw_cuda_token *at,
                   const struct lw_cuda_value *target, const struct lw_cuda_value *from);

#endif
