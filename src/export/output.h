#ifndef LANEWAY_OUTPUT_H
#define LANEWAY_OUTPUT_H

/* Where results go: the program and the explorer both write files this way. */

#include "laneway/error.h"
#include "laneway/text.h"

/* A stream to standard output or, with -o, to a file that appears whole or not at all. */
struct lw_output {
    FILE *stream;
    const char *path; /* NULL: standard output */
    char *real;       /* where the file will be */
    char *scratch;    /* where it is being written; NULL: written in place */
};

bool lw_output_open(struct lw_output *output, const char *path, struct lw_error *err);
/* Keeps what was written, or drops it (a file only). */
bool lw_output_close(struct lw_output *output, bool keep, struct lw_error *err);
/* Writes a text; what goes wrong is noticed when the output is closed. */
void lw_output_text(FILE *out, const struct lw_text *text);

#endif
