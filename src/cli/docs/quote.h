#ifndef LANEWAY_QUOTE_H
#define LANEWAY_QUOTE_H

/* The command of a marker, run, and its output as a block of the document. */

#include "cli/capture.h"
#include "cli/docs/markers.h"

/* A command that has run. */
struct lw_quote {
    char *text;      /* the command as in the marker */
    bool is_session; /* the sign $ is before it: its command line is quoted, too */
    struct lw_argv argv;
    struct lw_arguments args;
    const char *file; /* the file that the document shows, of -o FILE; NULL: none */
    struct lw_text printed, messages;
};

/* Runs the command of a block in the folder of the document at `path`. Fails when the command cannot be quoted, and
 * when it fails. To be freed in any case. */
bool lw_quote_run(struct lw_quote *q, const struct lw_program *program,
                  const struct lw_block *block, const char *path, struct lw_error *err);
/* Appends what is between the two markers of the block. */
bool lw_quote_put(struct lw_text *out, const struct lw_block *block, const struct lw_quote *q,
                  struct lw_error *err);
void lw_quote_free(struct lw_quote *q);

#endif
