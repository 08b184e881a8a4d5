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
    const char *name;
    uint8_t bytes;    /* 0: void */
    bool is_integer;  /* else what it holds is not computed with */
    bool is_unsigned; /* INTEGER */
    bool is_pointer;  /* to such a value */
};

/* A function that is read: its operator, or 0: it is an atomic function. */
struct lw_cuda_function {
    const char *names;
    size_t arguments;
    char op;
};

struct lw_cuda_token {
    enum {
        LW_CUDA_END,
        LW_CUDA_NAME,   /* threadIdx.x is one */
        LW_CUDA_NUMBER, /* an integer */
        LW_CUDA_REAL,   /* a number that is no integer, a string, a character */
        LW_CUDA_SIGN    /* an operator or a bracket */
    } kind;
    const char *text;                        /* as it is written; ends in NUL */
    int64_t value;                           /* NUMBER */
    struct lw_cuda_type type;                /* of a NUMBER, or that a NAME is */
    const struct lw_cuda_sign *sign;         /* SIGN; else NULL */
    const struct lw_cuda_function *function; /* a NAME of one */
    bool is_type;                            /* a NAME of a type, or a part of one */
    bool is_qualifier;                       /* a NAME beside types, as const */
    struct lw_position position; /* where it is in the text; of a macro where that is used */
    size_t array;                /* 1 + the number of the array that a name declares */
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
/* int, unsigned or, with 8 bytes, long long. */
struct lw_cuda_type lw_cuda_integer(uint8_t bytes, bool is_unsigned);
/* The type in which two operands are computed: C's usual arithmetic conversions. */
struct lw_cuda_type lw_cuda_common_type(const struct lw_cuda_type *a, const struct lw_cuda_type *b);

#define LW_CUDA_UNKNOWN INT64_MIN /* a number that is in memory, or that is not computed */
__extension__ typedef __int128 lw_cuda_wide; /* has every result of numbers of 64 bits */
/* A number in a type; UNKNOWN: the type is not computed with. */
int64_t lw_cuda_convert(const struct lw_cuda_type *of, int64_t number);
/* What the operator of a sign makes of two numbers; 'm' is min, 'M' max, 'b' __brev and 'p' __popc. A divisor is not 0,
 * and bits to shift by are in the type. */
lw_cuda_wide lw_cuda_compute(char op, lw_cuda_wide a, lw_cuda_wide b);

#endif
