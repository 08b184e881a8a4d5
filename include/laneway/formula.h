#ifndef LANEWAY_FORMULA_H
#define LANEWAY_FORMULA_H

/*
 * INDEX ARITHMETIC: a layout as functions that a kernel can use, one for each number and direction.
 * For registers, thread being threadIdx.x of a one-dimensional block, warp * lanes + lane:
 *
 *     dim0_at(reg, thread), dim1_at(reg, thread)    the element that a thread holds in a register
 *     reg_of(dim0, dim1), thread_of(dim0, dim1)     the owner of an element; with a last argument
 *                                                   `copy` when it has several: copy 0 is the first
 *
 * For shared memory, where elements that share an offset have the last two only:
 *
 *     dim0_at(offset), dim1_at(offset)              the element at an offset
 *     offset_of(dim0, dim1), byte_of(dim0, dim1)    the offset of an element, in elements and bytes
 *
 * A layout that does not cover every element has is_held(dim0, dim1) too, one with holes
 * is_used(offset). For CUDA a kernel follows that stores by these functions, each thread what it
 * holds, or each element where it is in memory; lw_cuda_read (cuda.h) reads it back. It is left out
 * where one block has not all threads, and of elements that are not 8, 16, 32 or 64 bits.
 *
 * HOW. Over F2 an output is a xor of bits of inputs, and bits that move by the same distance are
 * one term, (thread & 12) >> 2, or without the mask where no other bit is left: the fewest terms
 * that this form has. When the result is xored with a shifted part of itself, a swizzle, bits that
 * this clears need no terms; every distance is tried, and the variant with the fewest operations is
 * taken. Layouts of other sizes are sums of digits, x / 3 % 4 * 5, with shifts and masks for powers
 * of two. A layout without such a form is a table of at most 4,096 entries, or is refused.
 *
 * CHECKED. The functions are expression trees, and one tree is both printed and evaluated. Before
 * anything is printed the trees are evaluated, with the integers of the language, and compared with
 * the map: at every point when it has at most 4,096 points, else at twice as many random points,
 * with many at the edges. A difference is an error, never output.
 */

#include "laneway/map.h"
#include "laneway/text.h"

LW_BEGIN

/* A language that formulas are printed in: a row of a table, constant. A program needs `name`,
 * `help` and `head`; the other members are for the printer. */
struct lw_formula_language {
    const char *name;       /* "c" */
    const char *help;       /* one line */
    const char *head;       /* the first lines of a file, which lw_formula_print does not print */
    const char *comment[2]; /* how a comment begins and ends */
    const char *type;       /* of 32 bits, unsigned; "" none */
    const char *wide;       /* of 64 bits, unsigned; "" none */
    const char *function;   /* before the type of a function */
    bool kernel;            /* a kernel that uses the functions follows them */
};

/* All languages, `*count` of them. */
const struct lw_formula_language *lw_formula_languages(size_t *count);
/* The language of that name, or NULL. */
const struct lw_formula_language *lw_formula_language_find(const char *name);

/* Makes, checks and appends the functions of a map. `bits` are those of an element, for byte_of,
 * which is left out unless they are whole bytes; `title` is the map's name in the comment at the
 * top. Fails, and then appends nothing, with LW_ERROR_UNSUPPORTED when the map has no such form,
 * with LW_ERROR_LIMIT when an element has too many owners to count, with LW_ERROR_SHAPE when two
 * hardware indices hold the same element and others do not, with LW_ERROR_INTERNAL and the
 * expression when the functions differ from the map, and with LW_ERROR_MEMORY. */
bool lw_formula_print(struct lw_text *text, const struct lw_formula_language *language,
                      const struct lw_map *map, int bits, const char *title, struct lw_error *err);

LW_END

#endif
