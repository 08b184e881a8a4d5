#ifndef NOTATION_HELP_H
#define NOTATION_HELP_H

/* What the tests of the readers share: errors to the letter, golden lines, random encodings. */

#include "laneway/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A source that is refused: the error printed in full is `expected`. */
void refused(const char *source, const char *expected);
/* The same of a source whose reading goes well and whose building does not. */
void not_built(const char *source, const char *expected);
/* Opens a source, which must go well. */
void open_source(struct lw_document *doc, const char *source);
/* Opens it; the source that it prints must be `expected`. */
void prints(const char *source, const char *expected);
/* Opens it; its layout as JSON must be `expected`. */
void builds(const char *source, const char *expected);
/* Prints a document in all its ways and reads that: the same must come back. */
void round_trip(const struct lw_document *doc);

/* Calls `visit` with the string `source` of every line of a golden file that has one. */
void each_source(const char *file, void (*visit)(const char *source, void *context), void *context);

/* xorshift64*: the same numbers everywhere. */
uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t n);
/* An encoding of that type with random values for its parameters. */
struct lw_encoding *random_encoding(struct lw_arena *arena, const struct lw_encoding_type *type,
                                    uint64_t *state, int depth);

#endif
