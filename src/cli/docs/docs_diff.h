#ifndef LANEWAY_DOCS_DIFF_H
#define LANEWAY_DOCS_DIFF_H

/* The changes of a document as a unified diff. */

#include "cli/docs/text_slice.h"

#include <stdio.h>

/* A change: the bytes that are replaced, whole lines of both texts. */
struct lw_docs_change {
    size_t from, to;             /* in the old text */
    size_t fresh_from, fresh_to; /* in the fresh text */
};

/* Set it to all zeros; free it with lw_docs_diff_free. */
struct lw_docs_diff {
    size_t count;
    struct lw_docs_change *change; /* in order */
};

/* Adds a block that differs: `from` and `fresh_from` are where it begins in the texts. False: out of memory. */
bool lw_docs_diff_add(struct lw_docs_diff *diff, size_t from, struct lw_slice old,
                      size_t fresh_from, struct lw_slice fresh);
/* Prints the diff of two whole texts; `cell` is that of a notebook, 0: the text is the whole file. Nothing when
 * there is no change. */
void lw_docs_diff_put(const struct lw_docs_diff *diff, FILE *out, const char *path, size_t cell,
                      struct lw_slice old, struct lw_slice fresh);
void lw_docs_diff_free(struct lw_docs_diff *diff);

#endif
