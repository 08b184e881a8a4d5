#ifndef LANEWAY_CUDA_PARTS_H
#define LANEWAY_CUDA_PARTS_H

/*
 * The reader of CUDA C++:
 *
 *     text --cuda.c--> tokens, macros replaced --cuda_run.c--> accesses
 *
 * There is no tree: the tokens are executed as they stand.
 */

#include "laneway/cuda.h"

/* A sign. Those between two operands have an order: 0 the comma, 1 assignments, 2 ?:, and so on; others have -1. What
 * it makes of numbers is its first character, or of those with two 'L' <<, 'R' >>, 'l' <=, 'g' >=, '=' and '!';
 * '?': some operands are not always computed; 0: nothing. */
struct lw_cuda_sign {
    const char *text;
    int order;
    char op;
};

/* A type of values. */
struct lw_cuda_type {
    const char *name; /* NULL: it is none */
    uint8_t bytes;    /* 0: void */
    bool is_integer;  /* else what it holds is not computed with */
    bool is_unsigned; /* an integer */
    bool is_pointer;  /* to such a value */
};

struct lw_cuda_token {
    enum {
        LW_CUDA_END,
        LW_CUDA_NAME,   /* threadIdx.x is one */
        LW_CUDA_NUMBER, /* an integer */
        LW_CUDA_REAL,   /* a number that is no integer, a string, a character */
        LW_CUDA_SIGN    /* an operator or a bracket */
    } kind;
    const char *text;                /* as it is written; ends in NUL */
    int64_t value;                   /* NUMBER */
    struct lw_cuda_type type;        /* of a NUMBER, or that a NAME is, or is a part of */
    const struct lw_cuda_sign *sign; /* SIGN; else NULL */
    bool starts_type;                /* a NAME of a type, or beside types, as const */
    struct lw_position position;     /* where it is in the text; of a macro where that is used */
    size_t array;                    /* 1 + the number of the array that a name declares */
};

/* A text as it is run. */
struct lw_cuda_program {
    struct lw_cuda_token *first; /* before it is an LW_CUDA_END */
    struct lw_cuda_token *end;   /* the first of two */
    const char *kernel;          /* the function that is run; NULL: there is none */
    bool has_memory_space;       /* `__shared__` or `__global__`: other arrays are in registers */
};

/* Keeps a text with its options, and splits it into tokens, macros replaced: first those of what is given before it, in
 * line 0. Finds the kernel and the threads of the block. */
bool lw_cuda_tokens(struct lw_cuda *cuda, const char *text, size_t length,
                    const struct lw_cuda_options *options, struct lw_cuda_program *program,
                    struct lw_error *err);
/* The bracket of the parameters of the function that is declared at a token: the last one before its body, or of a
 * declaration alone before a semicolon; NULL: there is none. */
struct lw_cuda_token *lw_cuda_parameters(struct lw_cuda_token *at);

#endif
