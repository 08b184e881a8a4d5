#ifndef LANEWAY_NUMBERS_H
#define LANEWAY_NUMBERS_H

/* The numbers in the text of a parameter's value, counted from 0. */

#include "laneway/encoding.h"

/* Number `item` of a text: its bytes from *start to *end; false when there are fewer. */
bool lw_number_find(const char *text, size_t item, size_t *start, size_t *end);
/* The number that the caret is in or next to; false: none. */
bool lw_number_at(const char *text, size_t caret, size_t *item);
/* The next value (direction 1) or the one before (-1): a legal choice, a power of two, one more. `param` NULL: the
 * value has no parameter. */
int64_t lw_number_step(const struct lw_param *param, int64_t n, int direction);
/* A permutation with entry `item` exchanged with its neighbour. */
void lw_number_exchange(struct lw_text *out, const char *text, size_t item, int direction);
/* A permutation in which entry `item` has a value: exchanged with the one that had it; false: none had. */
bool lw_number_bring(struct lw_text *out, const char *text, size_t item, int64_t value);

#endif
