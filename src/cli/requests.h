#ifndef LANEWAY_REQUESTS_H
#define LANEWAY_REQUESTS_H

/*
 * Requests: objects of JSON that are answered as command lines are, each by one line of JSON.
 *
 *     {"source": "spatial(4, 8)", "at": [3, 1]}     laneway apply 'spatial(4, 8)' --at 3,1 --json
 *
 * The keys of an object are the operands and the options of a command, so a request becomes the
 * arguments that the command answers. With --batch the command is that of the command line, whose
 * operands and options hold where the line sets none; `laneway serve` reads it from the line.
 */

#include "cli/arguments.h"
#include "laneway/arena.h"
#include "laneway/value.h"

/* Runs the command of a command line: its batch, its answer in JSON or its text. */
enum lw_status lw_command_line_run(const struct lw_arguments *args, FILE *out);
/* The same to the file of -o, which appears whole or not at all, or else to `standard`. */
enum lw_status lw_command_line_write(const struct lw_arguments *args, FILE *standard);

/* ---- Lines of standard input ---- */

/* A line, NUL-terminated, and the object in it. Everything of a request is in its arena. */
struct lw_request {
    struct lw_arena arena;
    char *text;
    size_t length;
    struct lw_value object; /* of lw_request_read */
    const char *alone; /* the first operand, where the line is no object with keys; else NULL */
};

/* Appends the answer to a line, without a newline. */
typedef void lw_line_answer(void *context, struct lw_request *request, struct lw_text *answer);
/* Answers each line, in order; each answer is written out at once. */
enum lw_status lw_answer_lines(FILE *out, lw_line_answer *answer, void *context);

/* ---- One request ---- */

/* Reads the line as an object, such as the example. */
bool lw_request_read(struct lw_request *request, const char *example, struct lw_error *err);
/* Answers a request to the command of `defaults`. Without an answer the status is that of an
 * error, and *err has the reason. */
enum lw_status lw_request_answer(const struct lw_arguments *defaults, struct lw_request *request,
                                 struct lw_text *answer, struct lw_error *err);

/* ---- Lines of a file ---- */

struct lw_lines {
    FILE *file;
    const char *name;    /* for messages */
    struct lw_text text; /* of the last line; to be freed */
    char empty[1];
    bool begun;
};

#define LW_LINE_MAX ((size_t)64 << 20)

/* The next line without its newline (the first without a byte order mark), NUL-terminated, valid until the next call;
 * NULL at the end, or with an error in *err (a line over LW_LINE_MAX, memory is out, a failed read). */
char *lw_lines_next(struct lw_lines *lines, size_t *length, struct lw_error *err);

#endif
