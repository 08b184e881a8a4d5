#ifndef LANEWAY_CUDA_PARTS_H
#define LANEWAY_CUDA_PARTS_H

/*
 * The reader of CUDA C++, in three steps, each a file:
 *
 *     text --cuda_tokens.c--> tokens, macros replaced --cuda_parse.c--> a tree --cuda_run.c--> accesses
 *
 * The tree is run for one thread after the other. What is short for something else in C++ is that in the tree:
 * -a is 0 - a, !a is a == 0, ++a is a += 1.
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
                    struct lw_cuda_token **tokens, struct lw_error *err);

/* ---- The tree ---- */

/* A type of values. */
struct lw_cuda_type {
    const char *name;
    uint8_t bytes;    /* 0: void, or auto */
    uint8_t parts;    /* of a vector type: float4 has 4; else 1 */
    bool is_integer;  /* else what it holds is not computed with */
    bool is_unsigned; /* INTEGER */
    uint8_t pointers; /* float *: 1 */
};

/* A name with values that the text does not have: of --let, or of an array of constants. */
struct lw_cuda_let {
    const char *name;
    const int64_t *values; /* `count` of them */
    size_t count;
    bool is_array; /* else a number: values[0] */
};

/* What an expression gives in one thread. */
struct lw_cuda_value {
    enum {
        LW_CUDA_KNOWN,   /* the number `v` */
        LW_CUDA_UNKNOWN, /* a number, or a vector, that is in memory */
        LW_CUDA_POINTER, /* to a `type`, at the bytes `v` of `array` */
        LW_CUDA_LVALUE,  /* what is there: a `type`, or, with a `rank`, an array of them */
        LW_CUDA_NAMED,   /* `variable`, which can be assigned to */
        LW_CUDA_LIST     /* the values of `variable` */
    } what;
    bool is_lost; /* POINTER, LVALUE: `v` is not known */
    uint8_t rank; /* dims that are left; 0: one element */
    struct lw_cuda_type type;
    int64_t v;
    size_t array; /* 1 + its number; 0: registers */
    struct lw_cuda_variable *variable;
};

/* A variable, an array or a pointer of the text. */
struct lw_cuda_variable {
    const char *name;
    struct lw_cuda_type type;
    /* In shared memory, in global memory; an array in neither is in registers. */
    bool is_shared, is_global, is_array;
    bool has_no_length; /* extern __shared__ T name[] */
    unsigned align;     /* bytes; 0: as its type */
    int rank;
    struct lw_cuda_node *dims[LW_CUDA_DIMS_MAX];
    struct lw_position position, last_dim;
    const struct lw_cuda_let *let; /* its values; NULL: none */
    struct lw_cuda_value value;    /* of the thread that runs */
    size_t array;                  /* 1 + its number in lw_cuda.arrays; 0: not yet */
};

/* A function of the device, which is read where it is called first. */
struct lw_cuda_routine {
    struct lw_cuda_routine *next; /* the one before it in the text */
    const char *name;
    const struct lw_cuda_token *at;         /* the bracket of its parameters */
    int names;                              /* that are declared before it */
    struct lw_cuda_node *parameters, *body; /* NULL: not read yet */
    bool is_open;                           /* it is being read */
    size_t moments;                         /* in which it has been run */
};

/* Operators of two numbers. */
enum lw_cuda_operator {
    LW_CUDA_NO_OPERATOR,
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
    LW_CUDA_LESS, /* from here on they compare: the result is an int */
    LW_CUDA_GREATER,
    LW_CUDA_LESS_EQUAL,
    LW_CUDA_GREATER_EQUAL,
    LW_CUDA_EQUAL,
    LW_CUDA_NOT_EQUAL,
    LW_CUDA_LOGICAL_AND, /* from here on the right one is not always computed */
    LW_CUDA_LOGICAL_OR,
    LW_CUDA_COMMA,
    LW_CUDA_CHOOSE
};

/* What a function does. */
enum lw_cuda_function {
    LW_CUDA_OF_DATA, /* its result is not known; its arguments may be loads */
    LW_CUDA_MIN,
    LW_CUDA_MAX,
    LW_CUDA_POPC,
    LW_CUDA_BREV,
    LW_CUDA_ATOMIC_INTEGER, /* of integers alone */
    LW_CUDA_ATOMIC_ADD,
    LW_CUDA_ATOMIC_CAS
};

enum lw_cuda_node_kind {
    /* Expressions: a, b, c are their operands. */
    LW_CUDA_CONSTANT, /* the number `value` of a `type` */
    LW_CUDA_DATA,     /* a value that is not computed with: 1.5f */
    LW_CUDA_VARIABLE,
    LW_CUDA_BUILT_IN, /* threadIdx.x: `value` is its number in lw_cuda_built_ins */
    LW_CUDA_BINARY,   /* a op b */
    LW_CUDA_ASSIGN,   /* a = b, a += b; with `value` a++: its result is the value before */
    LW_CUDA_CHOICE,   /* a ? b : c */
    LW_CUDA_DEREFERENCE,
    LW_CUDA_ADDRESS,
    LW_CUDA_INDEX, /* a[b] */
    LW_CUDA_PART,  /* a.x: `value` is its number */
    LW_CUDA_CAST,
    LW_CUDA_SIZEOF, /* of `type`, or of a */
    LW_CUDA_CALL, /* of the function `value`, or of a `routine`; a: the arguments, each the `next` */
    /* Statements, one after the other by `next`. */
    LW_CUDA_DECLARE, /* `variable` = a */
    LW_CUDA_DO,      /* the expression a */
    LW_CUDA_IF,      /* a, then b, else c */
    LW_CUDA_LOOP,    /* while a; then step b; the body is c */
    LW_CUDA_BLOCK,   /* the statements a, ... */
    LW_CUDA_RETURN,  /* a, or nothing */
    LW_CUDA_BREAK,
    LW_CUDA_CONTINUE
};

struct lw_cuda_node {
    enum lw_cuda_node_kind kind;
    enum lw_cuda_operator op;
    const char *name; /* the operator, or the function */
    struct lw_position position;
    struct lw_position inside; /* INDEX: of the index in the text; line 0: not in one line of it */
    struct lw_cuda_node *a, *b, *c, *next;
    struct lw_cuda_variable *variable;
    struct lw_cuda_routine *routine;
    struct lw_cuda_type type;
    int64_t value;
    bool is_unused;  /* a CALL whose value is not used */
    size_t sites[2]; /* 1 + the number of the load and of the store that it is; 0: not yet */
    size_t moments;  /* LOOP: in which its body has been run */
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
    LW_CUDA_WARP,
    LW_CUDA_BUILT_INS
};

/* What a text consists of. */
struct lw_cuda_program {
    struct lw_arena *arena;
    const struct lw_cuda_options *options;
    const struct lw_cuda_let *lets; /* options->let_count of them */
    struct lw_cuda_node *first;     /* statements: constants, then the body of the kernel */
    struct lw_cuda_node *block[3];  /* the block that the text sets; NULL: none */
    struct lw_cuda_node *bounds;    /* of __launch_bounds__; NULL: none */
};

/* ---- Types ---- */

/* int, unsigned or, with 8 bytes, long long. */
struct lw_cuda_type lw_cuda_integer(uint8_t bytes, bool is_unsigned);
/* Whether a name is that of a type, and, unless `type` is NULL, which. */
bool lw_cuda_type_named(const char *name, struct lw_cuda_type *type);
/* unsigned, signed, or the name of a type. */
bool lw_cuda_is_type_word(const char *word);
/* __align__ and alignas. */
bool lw_cuda_is_align(const char *word);
/* What stands before or after a type and is not part of it. */
bool lw_cuda_is_qualifier(const char *word);
/* Any of these. */
bool lw_cuda_is_type(const char *word);

/* ---- The steps ---- */

bool lw_cuda_parse(struct lw_cuda_program *program, const struct lw_cuda_token *tokens,
                   struct lw_error *err);
bool lw_cuda_run(struct lw_cuda *cuda, const struct lw_cuda_program *program, struct lw_error *err);

#endif
