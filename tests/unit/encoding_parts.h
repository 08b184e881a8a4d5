#ifndef LANEWAY_TESTS_ENCODING_PARTS_H
#define LANEWAY_TESTS_ENCODING_PARTS_H

/* What encoding_test.c and encoding_memory_test.c share. */

#include "unit.h"

#include "laneway/document.h"

#include <ctype.h>

static inline struct lw_encoding *read_one(struct lw_document *doc, const char *source)
{
    struct lw_error err;
    if (!lw_document_read(doc, source, strlen(source), NULL, &err))
        fail_msg("%s: %s", source, err.message);
    return doc->encoding;
}

#endif
