#ifndef LANEWAY_FORMULA_H
#define LANEWAY_FORMULA_H

/*
 * INDEX ARITHMETIC: a layout as functions that a kernel can use.
 *
 * Both directions, a function for each number. Of registers
 *
 *     dim0_at(reg, thread), dim1_at(reg, thread)    the element that a thread holds in a register
 *     reg_of(dim0, dim1), thread_of(dim0, dim1)     who holds an element; with a last argument `copy`
 *                                                   when several do: copy 0 is the first of them
 *
 * where thread is threadIdx.x of a one-dimensional block, warp * lanes + lane. Of shared memory
 *
 *     dim0_at(offset), dim1_at(offset)              the element at an offset
 *     offset_of(dim0, dim1), byte_of(dim0, dim1)    where an element is, in elements and in bytes
 *
 * Of memory where coordinates share an offset there are offset_of and byte_of alone.
 *
 * A layout that leaves elements out has is_held(dim0, dim1), one with holes is_used(offset).
 *
 * HOW. Over F2 an output is a xor of bits of inputs, and bits that move by the same distance move
 * together: they are one term, (thread & 12) >> 2, or without the mask where nothing else is left. So
 * there is a term for each distance, and no fewer are possible so. When the result is xored with a
 * shifted part of itself, a swizzle, the bits of it that this clears need no terms of their own;
 * every distance is tried, and the way with the fewest operations is taken. Layouts of other sizes
 * are sums of digits, x / 3 % 4 * 5, with shifts and masks in place of powers of two. What has no
 * such form is a table of at most LW_FORMULA_TABLE entries, or is refused.
 *
 * CHECKED. The functions are expression trees, and one tree is both printed and evaluated. Before
 * anything is printed the trees are evaluated, with the words of the language, and compared with the
 * map: everywhere when it has at most LW_FORMULA_POINTS points, else at its edges and at as many
 * random points. A difference is an error, never output.
 */

#include "laneway/map.h"
#include "laneway/text.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define LW_FORMULA_TABLE 4096
#define LW_FORMULA_POINTS 4096

struct lw_formula_language {
    const char *name; /* "c" */
    const char *help;
    const char *head;       /* what stands at the top of a file; "" nothing */
    const char *comment[2]; /* how a comment begins and ends */
    const char *type;       /* a word of 32 bits; "" none */
    const char *wide;       /* and one of 64 */
    const char *function;   /* what stands before the type of a function */
    const char *divide;     /* of natural numbers, rounding down */
    const char *both;       /* and */
    bool braces;
};

const struct lw_formula_language *lw_formula_languages(size_t *count);
const struct lw_formula_language *lw_formula_language_find(const char *name);

/* The functions of one map. */
struct lw_formula;

/* Makes the functions of a map, which must outlive them. `bits` are those of an element, for byte_of
 * (which is left out when they are no whole bytes). NULL with LW_ERROR_UNSUPPORTED when there is no
 * form, with LW_ERROR_LIMIT when an element has too many copies to count, with LW_ERROR_SHAPE when
 * two places hold the same element and others do not. Free it with lw_formula_free. */
struct lw_formula *lw_formula_make(const struct lw_map *map, int bits, struct lw_error *err);
void lw_formula_free(struct lw_formula *formula);

/* Evaluates the function of that name as the language would: words of 32 or 64 bits wrap around,
 * numbers of Python have no limit. There is an argument for each parameter. False when there is no
 * such function or it has no value: an operation that the language does not define, such as a shift
 * by the whole word. */
bool lw_formula_value(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const char *function, const uint64_t *arguments, uint64_t *value);

/* Compares the functions with a map, which has the dims of the map that they were made of. Fails with
 * LW_ERROR_INTERNAL, and says which expression differs at which point. */
bool lw_formula_check(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const struct lw_map *map, struct lw_error *err);

/* Makes, checks and appends the functions of a map. `title` is what the comment on top calls it.
 * Fails as lw_formula_make and lw_formula_check do, and then appends nothing. */
bool lw_formula_print(struct lw_text *text, const struct lw_formula_language *language,
                      const struct lw_map *map, int bits, const char *title, struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
