#ifndef LANEWAY_KERNEL_COST_H
#define LANEWAY_KERNEL_COST_H

/*
 * KERNEL COSTS: what each operation of a kernel costs, and all of them together.
 *
 *     ttg.local_store %x, %m : tensor<4x32xf32, #r> -> !ttg.memdesc<4x32xf32, #s, ...>
 *
 * stores 512 bytes to shared memory. By one warp, when #r gives each lane 4 consecutive elements,
 * that is one "STS.128" of 4 wavefronts: the cost of the operation. A cost is that of one execution
 * by one block, of all its warps together. It follows from the layouts in the operation's types
 * alone, by the rules of plan.h, conversion.h and wavefront.h. Where no rule states
 * what an operation becomes, its cost is unknown and `why` has the reason; an unknown cost is not
 * in the sums.
 *
 * Source: which unit executes an operation is Triton's lowering of it, release 3.7; of reductions
 * and atomics that of the kernel's own version, kernel.triton. The sums agree with the counters of
 * launches on an H200.
 */

#include "laneway/cuda.h"
#include "laneway/hardware.h"
#include "laneway/kernel.h"
#include "laneway/wavefront.h"

LW_BEGIN

/* ---- Costs ---- */

/* The memory that a number is about; shared: instructions, wavefronts, ideal, conflicts, bytes;
 * global: instructions, sectors, ideal_sectors, bytes. */
enum lw_cost_memory { LW_COST_SHARED = 1, LW_COST_GLOBAL = 2 };

/* What is added up over operations. A sum over 2^64 - 1 is 2^64 - 1. */
struct lw_kernel_sums {
    uint64_t wavefronts, ideal; /* of shared memory */
    uint64_t sectors, ideal_sectors;
};

/* The cost of one operation. Numbers that are not known are 0. */
struct lw_kernel_cost {
    /* What it uses: "none", "registers", "shuffle", "shared", "blocks" (the shared memory of other
     * blocks), "global", "tma", "tmem", "tensor-core", "unknown". A constant. */
    const char *kind;
    unsigned known;        /* which numbers are known: enum lw_cost_memory, combined with | */
    char why[320];         /* why they are unknown, or a remark on them; "" when there is none */
    char code[160];        /* instructions in the code of one warp: "STS.128 x8, LDS.64 x16" */
    uint64_t instructions; /* of all warps */
    uint64_t wavefronts, ideal, conflicts; /* as of lw_cost: those over the ideal are conflicts, and
                                              groups of lanes that take one each */
    uint64_t sectors, ideal_sectors;       /* of 32 bytes */
    uint64_t bytes;                        /* moved */
    uint64_t trips;                        /* how often it runs, as lw_operation_trips sets it */
    bool trips_known;                      /* of all loops around it */
    int depth;                             /* loops around it */
    int open_loops;            /* of them those whose trips are unknown; 0 when it costs nothing */
    struct lw_kernel_sums run; /* what it costs in all its trips */
};

/* Private: maps of the types of operations. */
struct lw_kernel_maps;

/* The costs of a kernel, which they borrow. Free them with lw_kernel_costs_free. */
struct lw_kernel_costs {
    const struct lw_kernel *kernel;
    const struct lw_hardware *hardware; /* that the costs are for */
    struct lw_kernel_cost *costs;       /* one for each row of kernel->operations */
    size_t counted;                     /* the first `counted` of them are computed */
    /* The computed costs, in the order of the file; when there are all of them: by the wavefronts
     * of all trips, then by their sectors, the most first. Of the operation `order[i] - costs`. */
    const struct lw_kernel_cost **order;
    struct lw_kernel_maps *maps;
    struct lw_kernel_sums run; /* of all computed costs */
    size_t unknown;            /* operations of which nothing is known */
    size_t uncounted;          /* of them those that use shared memory, or may: not in the sums */
    size_t uncounted_global;   /* of them those that use global memory: not in the sums */
    bool trips_known;          /* of every operation that costs something */
};

/* Begins the costs of a kernel: none is computed. `hardware` NULL is the kernel's target, or
 * lw_hardware_default when it is unknown. Fails with LW_ERROR_MEMORY; there is then nothing to
 * free. */
bool lw_kernel_costs_begin(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                           const struct lw_hardware *hardware, struct lw_error *err);
/* Computes the next cost, in the order of the file, and adds it to the sums; after the last it
 * sorts `order`. False when all are computed already. */
bool lw_kernel_costs_step(struct lw_kernel_costs *costs);
/* Begins and computes all costs. Fails as lw_kernel_costs_begin does. */
bool lw_kernel_costs_make(struct lw_kernel_costs *costs, const struct lw_kernel *kernel,
                          const struct lw_hardware *hardware, struct lw_error *err);
void lw_kernel_costs_free(struct lw_kernel_costs *costs); /* and sets them to all zeros */

/* The memory of which an operation is missing in the sums: LW_COST_SHARED when it uses shared
 * memory, or may, and its cost is unknown; LW_COST_GLOBAL likewise; else 0. */
unsigned lw_kernel_cost_missing(const struct lw_kernel_cost *cost);

/* ---- Text ---- */

/* Appends the layouts of what an operation reads and writes, "#mma -> #blocked" or the one that it
 * has; layouts without an alias are abbreviated: "slice(1, #mma)". */
void lw_operation_print_layouts(struct lw_text *text, const struct lw_kernel *kernel,
                                const struct lw_operation *operation);
/* Appends the tensor that an operation moves, "128x64xf16"; nothing when its shape is unknown. */
void lw_operation_print_tensor(struct lw_text *text, const struct lw_kernel *kernel,
                               const struct lw_operation *operation);

/* ---- Two kernels ----
 *
 * Operations of two versions of a kernel are paired by their kind and their line of the source:
 * first those whose tensor, layouts and loops are equal too. What is left is paired by its
 * tensor. */

/* What became of an operation. */
enum lw_change {
    LW_CHANGE_DEARER,  /* all its runs together: by wavefronts, then by sectors */
    LW_CHANGE_CAME,    /* it is in the second kernel alone */
    LW_CHANGE_UNKNOWN, /* its cost is not counted, and it is not the same operation */
    LW_CHANGE_OTHER,   /* other layouts, another tensor or other loops, at the same cost */
    LW_CHANGE_CHEAPER,
    LW_CHANGE_WENT, /* it is in the first kernel alone */
    LW_CHANGE_NONE,
    LW_CHANGES
};

/* An operation in both kernels. */
struct lw_kernel_pair {
    const struct lw_kernel_cost *cost[2]; /* before and after, borrowed; NULL: it is not there */
    enum lw_change change;
};

/* By the change, in the order of enum lw_change; of one change the most expensive first. */
struct lw_kernel_pairs {
    struct lw_kernel_pair *pair; /* `count` of them */
    size_t count;
};

/* Pairs the operations of two kernels, whose costs are all computed and are borrowed. Fails with
 * LW_ERROR_MEMORY; there is then nothing to free. */
bool lw_kernel_pairs_make(struct lw_kernel_pairs *pairs, const struct lw_kernel_costs *before,
                          const struct lw_kernel_costs *after, struct lw_error *err);
void lw_kernel_pairs_free(struct lw_kernel_pairs *pairs); /* and sets them to all zeros */
/* "dearer", "came", "not counted", "changed", "cheaper", "went", "equal"; "" for another number. */
const char *lw_change_name(enum lw_change change);

/* ---- CUDA C++ ----
 *
 * What the accesses of a text of CUDA C++ (cuda.h) cost on NVIDIA GPUs: wavefronts on shared
 * memory, sectors on global memory. An access is one instruction of each warp, each time it is
 * executed, exactly as it is written: nothing is merged, and no matrix instructions are chosen. An
 * atomic on shared memory serves in a wavefront one lane of each bank, equal addresses included, so
 * an integer atomic takes as many as the fullest bank has lanes; adding a constant 1 whose result
 * is not used takes what a load takes; compare-and-swap takes twice the lanes; adding float is a
 * loop of as many rounds as the fullest bank has lanes, two wavefronts each. Source: counters of an
 * H200; no document states it. */

/* Sums over all warps of the block and all executions. */
struct lw_cuda_cost {
    uint64_t instructions;                 /* with an active lane; of global memory the requests */
    uint64_t wavefronts, ideal, conflicts; /* of shared memory, as of lw_cost; else 0 */
    /* Of global memory: pieces of 32 bytes and lines of 128 that each request touches, and the
     * least that its bytes need; else 0. */
    uint64_t sectors, ideal_sectors, lines;
};

/* Counts an access. `hardware` NULL: the default. Fails as lw_access_cost does. */
bool lw_cuda_count(const struct lw_cuda *cuda, const struct lw_cuda_access *access,
                   const struct lw_hardware *hardware, struct lw_cuda_cost *cost,
                   struct lw_error *err);
/* Instruction number i of an access: those of all warps for the first execution, then those for
 * the next one. False: no lane of it is active. */
bool lw_cuda_instruction(const struct lw_cuda *cuda, const struct lw_cuda_access *access, size_t i,
                         struct lw_access *out);

/* What a fix of bank conflicts changes. */
enum lw_cuda_fix_kind { LW_CUDA_AS_WRITTEN, LW_CUDA_PADDED, LW_CUDA_XOR, LW_CUDA_FIX_KINDS };

/* A text whose accesses to an array in shared memory take fewer wavefronts. */
struct lw_cuda_fix {
    enum lw_cuda_fix_kind kind;
    const char *text;    /* all of it, changed */
    const char *changed; /* what is new: "tile[32][33]", "tile[y][x ^ y]" */
    uint64_t wavefronts; /* of all accesses to the array */
    uint64_t bytes;      /* of the array */
};

/* The fixes of one array. Free them with lw_cuda_fixes_free. */
struct lw_cuda_fixes {
    struct lw_arena arena;
    size_t count;
    struct lw_cuda_fix fix[LW_CUDA_FIX_KINDS]; /* the first is the text as it is written */
};

/* Finds the least padding of the array's rows, and a xor of its columns with its rows, that take
 * the fewest wavefronts; each is tried by reading the changed text, whose accesses must be those
 * that the fix states. Rows of an array with one length have a power of two of elements, which
 * fill all banks at least. What takes no fewer than the text as it is written is left out. Fails
 * with LW_ERROR_UNSUPPORTED when the array has no length in the text, or an access is not written
 * with its indices in brackets; there is then nothing to free. */
bool lw_cuda_fixes_make(struct lw_cuda_fixes *fixes, const struct lw_cuda *cuda, size_t array,
                        const struct lw_hardware *hardware, struct lw_error *err);
void lw_cuda_fixes_free(struct lw_cuda_fixes *fixes); /* and sets them to all zeros */

LW_END

#endif
