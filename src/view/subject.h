#ifndef LANEWAY_SUBJECT_H
#define LANEWAY_SUBJECT_H

/* From a document to what views draw: the program and the explorer both open layouts this way. */

#include "laneway/document.h"
#include "laneway/view.h"

struct lw_opened {
    struct lw_subject subject;
    struct lw_text notes;  /* subject.notes points into it */
    struct lw_text head;   /* what subject.head points to */
    struct lw_arena arena; /* what subject.cute, subject.encoding and subject.words point to */
};

/* Builds the document's map and makes a subject of it. `lanes` is the target's lanes a warp. On
 * failure *out needs no close. */
bool lw_subject_open(struct lw_opened *out, const struct lw_document *doc, uint64_t lanes,
                     struct lw_error *err);
/* The same of the document's second layout, which must be there (lw_document_second). */
bool lw_subject_open_second(struct lw_opened *out, const struct lw_document *doc, uint64_t lanes,
                            struct lw_error *err);
/* Whether the document, with its second layout, could be opened. */
bool lw_subject_fits(const struct lw_document *doc, struct lw_error *err);
void lw_subject_close(struct lw_opened *opened);

#endif
