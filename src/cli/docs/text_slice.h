#ifndef LANEWAY_TEXT_SLICE_H
#define LANEWAY_TEXT_SLICE_H

/* Parts of a text: what the readers of documents look at. */

#include <stdbool.h>
#include <stddef.h>

/* Not NUL-terminated. */
struct lw_slice {
    const char *at;
    size_t length;
};

/* Leaves out bytes at the beginning, of which there are as many. */
void lw_slice_skip(struct lw_slice *slice, size_t count);
/* How many bytes from the beginning are among these. */
size_t lw_slice_span(struct lw_slice slice, const char *among);
/* Whether it begins with the token, which is then left out. */
bool lw_slice_take(struct lw_slice *slice, const char *token);
/* Leaves out blanks at both ends. */
void lw_slice_trim(struct lw_slice *slice);
bool lw_slice_equal(struct lw_slice a, struct lw_slice b);

#endif
