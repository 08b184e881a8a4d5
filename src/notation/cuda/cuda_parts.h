#ifndef LANEWAY_CUDA_PARTS_H
#define LANEWAY_CUDA_PARTS_H

/*
 * The reader of CUDA C++, in three steps, each a file:
 *
 *     text --cuda_tokens.c--> tokens, macros replaced --cuda_parse.c--> a tree --cuda_run.c--> accesses
 *
 * The tree is run for all threads of the block at once: a value is a number for each of them.
 */

#include "laneway/cuda.h"

/* ---- Tokens ---- */

enum lw_cuda_token_kind {
    LW_CUDA_END,
    LW_CUDA_NAME,   /* also with ::, as one name */
    LW_CUDA_NUMBER, /* an integer */
    LW_CUDA_REAL,   /* a number that is no integer, a string, a character */
    LW_CUDA_SIGN    /* an operator or a bracket */
};

struct lw_cuda_token {
    enum lw_cuda_token_kind kind;
    const char *text; /* in the arena, ending in NUL */
    int64_t value;    /* NUMBER */
    bool is_unsigned, is_long;
    struct lw_position position; /* where it is in the text; of a macro where that is used */
};

/* Splits a text into tokens, with macros replaced; the last one is LW_CUDA_END. */
bool lw_cuda_tokens(struct lw_arena *arena, const char *text, size_t length,
                    struct lw_cuda_token **tokens, size_t *count, struct lw_error *err);

/* ---- Names with values ---- */

struct lw_cuda_let {
    const char *name;
    const int64_t *values; /* `count` of them */
    size_t count;
    bool is_array; /* else a number: values[0] */
};

/* ---- The tree ---- */

/* A type of values. */
struct lw_cuda_type {
    const char *name;
    uint8_t bytes;    /* 0: void, or auto */
    uint8_t parts;    /* of a vector type: float4 has 4; else 1 */
    bool is_integer;  /* else what it holds is not computed with */
    bool is_unsigned; /* INTEGER */
    int pointers;     /* float *: 1 */
};

/* A variable, an array or a pointer of the text. */
struct lw_cuda_variable {
    const char *name;
    struct lw_cuda_type type;
    bool is_shared, is_global, is_array; /* is_array and neither of the two: registers */
    bool has_no_length;                  /* extern __shared__ T name[] */
    unsigned align;                      /* bytes; 0: as its type */
    int rank;
    struct lw_cuda_node *dims[LW_CUDA_DIMS_MAX];
    struct lw_position position, last_dim;
    const struct lw_cuda_let *let; /* its values; NULL: none */
    struct lw_cuda_value *value;   /* while it runs */
    size_t array;                  /* 1 + its number in lw_cuda.arrays; 0: not yet */
};

enum lw_cuda_node_kind {
    /* Expressions: a, b, c are their operands. */
    LW_CUDA_CONSTANT,
    LW_CUDA_DATA, /* a value that is not computed with: 1.5f, sqrtf(a) */
    LW_CUDA_VARIABLE,
    LW_CUDA_BUILT_IN, /* threadIdx.x: `value` is its number in lw_cuda_built_ins */
    LW_CUDA_UNARY,    /* - + ! ~ * & and, after, ++ and -- */
    LW_CUDA_BINARY,   /* with = and += */
    LW_CUDA_CHOICE,   /* a ? b : c */
    LW_CUDA_INDEX,    /* a[b] */
    LW_CUDA_PART,     /* a.x: `value` is its number */
    LW_CUDA_CAST,
    LW_CUDA_SIZEOF, /* of `type` */
    LW_CUDA_CALL,   /* `name` with the arguments a, b, c */
    /* Statements, one after the other by `next`. */
    LW_CUDA_DECLARE, /* `variable` = a */
    LW_CUDA_DO,      /* the expression a */
    LW_CUDA_IF,      /* a, then b, else c */
    LW_CUDA_LOOP,    /* init a; while b; then step c; the body is `body` */
    LW_CUDA_BLOCK,   /* the statements a, ... */
    LW_CUDA_RETURN,
    LW_CUDA_BREAK,
    LW_CUDA_CONTINUE
};

struct lw_cuda_node {
    enum lw_cuda_node_kind kind;
    const char *name; /* the operator, or the function */
    struct lw_position position;
    struct lw_position inside; /* INDEX: of the index in the text; line 0: not in one line of it */
    struct lw_cuda_node *a, *b, *c, *body, *next;
    struct lw_cuda_variable *variable;
    struct lw_cuda_type type; /* CAST, SIZEOF */
    int64_t value;            /* CONSTANT, BUILT_IN, PART */
    bool is_unsigned, is_long;
    bool is_unused;  /* a CALL or a ++ whose value is not used */
    size_t sites[2]; /* 1 + the number of the load and of the store that it is; 0: not yet */
};

/* The names of built-in numbers: "threadIdx.x", ..., in the order of lw_cuda_built_in; ends in NULL. */
extern const char *const lw_cuda_built_ins[];
enum lw_cuda_built_in {
    LW_CUDA_THREAD_X, /* then y and z, and so for the next ones */
    LW_CUDA_BLOCK_DIM_X = 3,
    LW_CUDA_BLOCK_X = 6,
    LW_CUDA_GRID_X = 9,
    LW_CUDA_WARP_SIZE = 12,
    LW_CUDA_TID,
    LW_CUDA_LANE,
    LW_CUDA_WARP
};

/* What a text consists of. */
struct lw_cuda_program {
    struct lw_arena *arena;
    const struct lw_cuda_options *options;
    const struct lw_cuda_let *lets; /* options->let_count of them */
    struct lw_cuda_node *first;     /* statements: constants, then the body of the kernel */
    struct lw_cuda_node *block[3];  /* the block that the text sets; NULL: none */
};

/* Whether a word is part of a type, or stands before one. */
bool lw_cuda_is_type(const char *word);
bool lw_cuda_parse(struct lw_cuda_program *program, const struct lw_cuda_token *tokens,
                   struct lw_error *err);

/* ---- Numbers ---- */

/* A number as a type has it. */
int64_t lw_cuda_wrap(const struct lw_cuda_type *type, int64_t number);
bool lw_cuda_is_comparison(const char *op);
/* One operation; false: it has no result. `type`: of the operands and, but for comparisons, of the result. */
bool lw_cuda_compute(const char *op, const struct lw_cuda_type *type, int64_t a, int64_t b,
                     int64_t *out);
/* abs, __popc, __brev, __clz, __ffs. */
int64_t lw_cuda_of_bits(const char *name, int64_t number);

/* ---- Running ---- */

bool lw_cuda_run(struct lw_cuda *cuda, const struct lw_cuda_program *program, struct lw_error *err);

#endif
