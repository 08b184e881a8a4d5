#ifndef LANEWAY_BATCH_H
#define LANEWAY_BATCH_H

/* Batches: one request per line of standard input, one answer per line of output, in order. */

#include "cli/load.h"

/* ---- Lines ---- */

/* A line, NUL-terminated, and the object in it. */
struct lw_batch_line {
    struct lw_arena arena; /* freed after the answer */
    char *text;
    size_t length;
    struct lw_value object; /* of lw_batch_object */
};

/* Answers a line with one line of JSON, without its newline. */
typedef bool lw_batch_answer(void *context, struct lw_batch_line *line, struct lw_text *answer,
                             struct lw_error *err);
/* Answers each line of standard input; a line that fails is answered {"error": "..."}. */
enum lw_status lw_batch_run(FILE *out, lw_batch_answer *answer, void *context);

/* ---- Objects ---- */

/* A key that the object of a line may have. */
struct lw_batch_key {
    const char *name;
    unsigned kinds;                   /* of its value: LW_KIND(STRING) | ... */
    const char *expected;             /* "a string", for the message about another kind */
    const struct lw_choices *choices; /* the legal strings; NULL: any */
};
#define LW_KIND(kind) (1u << LW_VALUE_##kind)

/* Reads the line as an object, such as the example, unless it was read before. */
bool lw_batch_object(struct lw_batch_line *line, const char *example, struct lw_error *err);
/* Checks the names and the values of the object. */
bool lw_batch_check_keys(const struct lw_batch_line *line, const struct lw_batch_key *keys,
                         size_t count, struct lw_error *err);
/* The value of a key; NULL: missing. */
const struct lw_value *lw_batch_value(const struct lw_batch_line *line, const char *key);
/* The same for a key whose value is a string. */
const char *lw_batch_string(const struct lw_batch_line *line, const char *key);
/* The error that a key is missing. Returns false. */
bool lw_batch_missing(const char *key, struct lw_error *err);

/* The keys of lines with sources that lw_batch_options reads. */
#define LW_BATCH_OPTION_KEYS                                                                       \
    {"type", LW_KIND(STRING), "a string: \"tensor<16x64xf16>\"", NULL},                            \
        {"element", LW_KIND(STRING), "a string: \"f16\"", NULL},                                   \
        {"triton", LW_KIND(STRING), "a string: \"3.8\"", NULL},                                    \
    {                                                                                              \
        "target", LW_KIND(STRING), "a string: \"sm90\"", NULL                                      \
    }
enum { LW_BATCH_OPTION_KEY_COUNT = 4 };
/* Replaces the options that the line sets: "type" as -t does, "element" as --element does, and so on. */
bool lw_batch_options(const struct lw_batch_line *line, struct lw_load_options *options,
                      struct lw_error *err);

/* ---- Requests about one layout ---- */

struct lw_request {
    const struct lw_loaded *loaded; /* the layout of this line */
    const struct lw_value *in;      /* apply: {"register": 3, ...}; NULL: missing */
    const struct lw_value *at;      /* apply: [2, 3]; NULL: missing */
};

/* Answers a request with one line of JSON, without its newline. */
typedef bool lw_request_answer(const struct lw_request *request, struct lw_text *answer,
                               struct lw_error *err);
/* Answers lines that have a SOURCE. With `points` each also needs "in" or "at", and a SOURCE on the command line holds
 * for the lines without one. */
enum lw_status lw_batch_requests(const struct lw_arguments *args, FILE *out,
                                 lw_request_answer *answer, bool points);
/* Answers one such line, for lw_command.answer. */
bool lw_batch_answer_request(const struct lw_arguments *args, struct lw_batch_line *line,
                             lw_request_answer *request_answer, bool points, struct lw_text *answer,
                             struct lw_error *err);
/* Fails when the command line has more than `max` operands beside --batch. */
bool lw_batch_check_operands(const struct lw_arguments *args, size_t max, struct lw_error *err);

/* ---- input_lines.c: lines of a file descriptor ---- */

struct lw_lines {
    int fd;
    char *data;
    size_t start, end, room;
    bool over, begun;
};

#define LW_LINE_MAX ((size_t)64 << 20)

/* The next line without its newline (the first without a byte order mark), NUL-terminated; NULL at the end, or with an
 * error in *err (a line over LW_LINE_MAX, memory is out, a failed read). `idle` is called before it waits for more
 * input. */
char *lw_lines_next(struct lw_lines *lines, size_t *length, void (*idle)(void *context),
                    void *context, struct lw_error *err);
void lw_lines_free(struct lw_lines *lines);

#endif
