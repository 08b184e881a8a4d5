#ifndef LANEWAY_CAPTURE_H
#define LANEWAY_CAPTURE_H

/* Command lines inside the program: those that documents quote and those of the explorer's prompt. */

#include "cli/arguments.h"
#include "laneway/arena.h"
#include "laneway/text.h"

enum { LW_ARGV_MAX = 64 };

/* A line, split as a shell would split it: argument[0] is "laneway", quotes are removed. */
struct lw_argv {
    struct lw_arena arena;
    int count;
    char *argument[LW_ARGV_MAX + 1];
    bool open;  /* the last argument may continue: no blank follows it */
    char quote; /* the quote that is not closed; 0: none */
};
/* Splits a line. False when there are too many arguments; free them in any case. */
bool lw_argv_split(struct lw_argv *argv, const char *line);
void lw_argv_free(struct lw_argv *argv);

/* A stream whose bytes are appended to a text, up to its limit; NULL: it cannot be opened. */
FILE *lw_text_stream(struct lw_text *text);
/* Closes it. When the stream has failed so does the text, unless it is only full. */
bool lw_text_stream_close(FILE *stream, struct lw_text *text);

/* Runs a function that prints to `out` and writes messages to lw_messages(), without standard input. Its output and
 * messages are appended, up to the limits of the texts: a stream fails when its text is full. Returns what it returns;
 * LW_STATUS_ERROR when a stream has failed, or when it could not be run: then *err has the reason. */
enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text,
                          struct lw_error *err);

#endif
