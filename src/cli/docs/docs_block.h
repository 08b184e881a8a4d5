#ifndef LANEWAY_DOCS_BLOCK_H
#define LANEWAY_DOCS_BLOCK_H

/* The text between the markers of a document. */

#include "cli/capture.h"
#include "cli/docs/markers.h"

/* How a command is quoted: its output in a block, the same below its command line, the messages of a command that
 * fails, its output unchanged, or its output below prompts of Python. */
enum lw_quote {
    LW_QUOTE_OUTPUT = 0,
    LW_QUOTE_SESSION = '$',
    LW_QUOTE_REFUSAL = '!',
    LW_QUOTE_RAW = '=',
    LW_QUOTE_PROMPT = '>'
};

enum { LW_OUTPUTS_MAX = 32 };

/* A command that has run, by its marker. */
struct lw_quoted {
    enum lw_quote quote;
    char *text, *line; /* the command as in the marker; without the sign */
    struct lw_argv argv;
    struct lw_arguments args;
    const char *file;     /* the file that the document shows, of -o FILE; NULL: none */
    struct lw_text title; /* of that file: the titles of its documents, else their SOURCEs */
    struct lw_text printed, error_text;
    size_t outputs;                    /* of LW_QUOTE_PROMPT: the number of commands; the output of
                                          each ends at */
    size_t output_end[LW_OUTPUTS_MAX]; /* this byte of `printed` */
};

/* Appends the block of a command, between two markers. */
bool lw_docs_block(struct lw_text *out, const struct lw_embedded *pair, const struct lw_quoted *q,
                   struct lw_error *err);

#endif
