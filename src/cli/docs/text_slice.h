#ifndef LANEWAY_TEXT_SLICE_H
#define LANEWAY_TEXT_SLICE_H

/* Parts of a text, for the readers of documents. */

#include <stdbool.h>
#include <stddef.h>

/* A part of a text, not NUL-terminated. */
struct lw_slice {
    const char *at;
    size_t length;
};

/* Removes `count` bytes, which it has, at the beginning. */
void lw_slice_skip(struct lw_slice *slice, size_t count);
/* How many bytes from the beginning are in `among`. */
size_t lw_slice_span(struct lw_slice slice, const char *among);
/* Removes the token at the beginning; false when it begins with something else. */
bool lw_slice_take(struct lw_slice *slice, const char *token);
/* Removes blanks at both ends. */
void lw_slice_trim(struct lw_slice *slice);
bool lw_slice_equal(struct lw_slice a, struct lw_slice b);

#endif
