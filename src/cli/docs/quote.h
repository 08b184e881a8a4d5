#ifndef LANEWAY_QUOTE_H
#define LANEWAY_QUOTE_H

/* The command of a marker, run, and its output as a block of the document. */

#include "cli/capture.h"
#include "cli/docs/markers.h"

/* How a command is quoted: its output in a block, the same below its command line, the messages of a command that
 * fails, its output unchanged, or its output below prompts of Python. */
enum lw_quote_sign {
    LW_QUOTE_OUTPUT = 0,
    LW_QUOTE_SESSION = '$',
    LW_QUOTE_REFUSAL = '!',
    LW_QUOTE_RAW = '=',
    LW_QUOTE_PROMPT = '>'
};

enum { LW_OUTPUTS_MAX = 32 };

/* A command that has run. */
struct lw_quote {
    enum lw_quote_sign sign;
    char *text;          /* the command as in the marker, of prompts all of them */
    const char *line;    /* without the sign */
    struct lw_argv argv; /* the last command */
    struct lw_arguments args;
    const char *file;     /* the file that the document shows, of -o FILE; NULL: none */
    struct lw_text title; /* of that file: the titles of its documents, else their SOURCEs */
    struct lw_text printed, error_text;
    size_t
        outputs; /* the number of commands, 1 but for LW_QUOTE_PROMPT; the output of each ends at */
    size_t output_end[LW_OUTPUTS_MAX]; /* this byte of `printed` */
};

/* Runs the command of a block in the folder of the document at `path`. Fails when the command cannot be quoted, and
 * when it fails although it should succeed, or the reverse. To be freed in any case. */
bool lw_quote_run(struct lw_quote *q, const struct lw_program *program,
                  const struct lw_block *block, const char *path, struct lw_error *err);
/* Appends what is between the two markers of the block. */
bool lw_quote_put(struct lw_text *out, const struct lw_block *block, const struct lw_quote *q,
                  struct lw_error *err);
void lw_quote_free(struct lw_quote *q);

#endif
