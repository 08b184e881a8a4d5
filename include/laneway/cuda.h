#ifndef LANEWAY_CUDA_H
#define LANEWAY_CUDA_H

/*
 * Accesses to memory as they are written in CUDA C++.
 *
 *     __shared__ float tile[32][33];
 *     tile[threadIdx.y][threadIdx.x] = v;
 *     v = tile[threadIdx.x][threadIdx.y];
 *
 * The text is executed by all threads of a block at once, with C's types and C's order of
 * operators: which addresses a thread accesses is known, the values in memory are not. Threads of a
 * warp that access in the same round of the loops around an access execute one instruction. What is
 * read of C++: declarations of arrays and pointers, constants and variables, expressions, `if`,
 * `for`, `return`, atomic functions, macros without arguments that use those before them, and one
 * function `__global__`; other functions are passed over, and calls are refused. An array with
 * `__shared__` is in shared memory; so is any array in a text that has neither `__shared__` nor a
 * function `__global__`. A pointer is to global memory. Source of the rules: the CUDA C++
 * Programming Guide; they are tested with addresses counted on an H200.
 *
 *     struct lw_cuda cuda;
 *     if (lw_cuda_read(&cuda, text, strlen(text), &options, &err)) {
 *         for (size_t i = 0; i < cuda.access_count; i++) ...
 *         lw_cuda_free(&cuda);
 *     }
 */

#include "laneway/arena.h"
#include "laneway/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LW_BEGIN

#define LW_CUDA_THREADS_MAX 1024             /* of a block */
#define LW_CUDA_DIMS_MAX 8                   /* dims of an array */
#define LW_CUDA_INACTIVE UINT64_MAX          /* the address of a thread that does not access */
#define LW_CUDA_TOKENS_MAX ((size_t)1 << 18) /* of a text, with macros replaced */
#define LW_CUDA_WORK_MAX ((uint64_t)1 << 26) /* operations that all threads execute */

/* Set to all zeros it is the default. */
struct lw_cuda_options {
    uint64_t block[3]; /* threads in x, y, z; 0: 1, and all 0: the first of the text, else 32 */
    /* Values of names that the text does not declare, `let_count` of them: "N=1024", "gridDim.x=4";
     * of an array whose elements are then known, and are no accesses: "bins=[3, 1, 4]". */
    const char *const *lets;
    size_t let_count;
    const char *given;  /* C++ before the text, without a position in it; NULL: none */
    const char *kernel; /* which function __global__ is meant; NULL: the only one */
    uint64_t work;      /* operations that all threads may execute; 0: LW_CUDA_WORK_MAX */
};

/* An array of the text. */
struct lw_cuda_array {
    const char *name;
    const char *type; /* of an element: "float" */
    unsigned bytes;   /* of an element */
    bool is_shared;   /* else in global memory, or constants, which are not accessed */
    int rank;         /* dims; 0: a pointer, or an array without a length */
    uint64_t dims[LW_CUDA_DIMS_MAX];
    uint64_t base; /* the first byte: of shared memory from 0 on; of global memory 0 */
    uint64_t size; /* bytes; without a length: as far as it is accessed */
    struct lw_position position; /* of its name in the declaration */
};

/* What an access does. */
enum lw_cuda_op { LW_CUDA_LOAD, LW_CUDA_STORE, LW_CUDA_ATOMIC };

/* What an atomic function makes of a word, as far as its cost depends on it. */
enum lw_cuda_atomic {
    LW_CUDA_INTEGER, /* add, max, min, or, and, xor, exchange of integers */
    LW_CUDA_COUNT,   /* a constant 1 is added, and the result is not used */
    LW_CUDA_FLOAT,   /* float is added */
    LW_CUDA_CAS      /* compare and swap */
};

/* An access of the text: one instruction of each warp, each time that it is executed. */
struct lw_cuda_access {
    enum lw_cuda_op op;
    enum lw_cuda_atomic atomic;  /* of an atomic */
    size_t array;                /* index in `arrays` */
    unsigned bytes;              /* that a thread accesses: 1, 2, 4, 8 or 16 */
    struct lw_position position; /* in the text; of a macro where that is used */
    size_t times; /* how often it is executed: rounds of loops; of an atomic on global memory,
                     which is not counted, 0 */
    /* times * threads of them: the byte in the array where a thread accesses, or
     * LW_CUDA_INACTIVE. Rounds are in the order in which they are executed. */
    uint64_t *addresses;
};

/* What was read. It owns `arena`; free it with lw_cuda_free, and do not copy it. */
struct lw_cuda {
    struct lw_arena arena;
    const char *text; /* that was read, `length` bytes and a NUL */
    size_t length;
    struct lw_cuda_options options; /* to read it again: `given` has the block and the lets */
    uint64_t block[3];              /* threads in x, y, z */
    bool block_is_assumed;          /* neither the text nor the options set it: 32 */
    size_t threads;                 /* x first; 32 in a row are a warp */
    size_t array_count, access_count;
    struct lw_cuda_array *arrays;
    struct lw_cuda_access *accesses; /* in the order of the text */
    struct lw_error warning;         /* an index beyond its dim; code LW_OK: none */
};

/* Reads a text of `length` bytes. `options` may be NULL. Fails with LW_ERROR_SYNTAX on what is
 * not read of C++; with LW_ERROR_NAME on names without a value, all of which the message lists;
 * with LW_ERROR_PARAMETER, with the first thread that does it, on an access beyond an array, one
 * that is not aligned to its bytes, a division by zero, a shift that is negative or too long, and
 * on int arithmetic beyond 32 bits; with LW_ERROR_UNSUPPORTED on an address, or on threads that run
 * or access, that depend on what is in memory; with LW_ERROR_LIMIT on more than 2^18 tokens of text
 * with macros replaced, 1,024 threads or options->work operations. The position and the excerpt are
 * in the text. On failure there is nothing to free. */
bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err);
/* Frees what it owns and sets it to all zeros. */
void lw_cuda_free(struct lw_cuda *cuda);
/* Whether a text is CUDA C++ and no other notation: it has a statement. */
bool lw_cuda_is(const char *text, size_t length);

LW_END

#endif
