#ifndef LANEWAY_CAPTURE_H
#define LANEWAY_CAPTURE_H

/* Command lines inside the program: those that documents quote and those of the explorer's prompt. */

#include "cli/arguments.h"
#include "laneway/arena.h"
#include "laneway/text.h"

enum { LW_ARGV_MAX = 64 };

/* What a shell would make of a line: word[0] is "laneway", quotes are taken away. */
struct lw_argv {
    struct lw_arena arena;
    int count;
    char *argument[LW_ARGV_MAX + 1];
    bool open;  /* the last word has no end yet: there is no blank behind it */
    char quote; /* and this quote is not closed */
};
/* False when there are too many words; free them all the same. */
bool lw_argv_split(struct lw_argv *operands, const char *line);
void lw_argv_free(struct lw_argv *operands);

/* Runs something that prints to `out` and complains on standard error; it has no standard input. What it
 * prints and complains of is appended. Returns what it returns. */
enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text);

#endif
