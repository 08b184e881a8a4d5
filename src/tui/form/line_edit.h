#ifndef LANEWAY_LINE_H
#define LANEWAY_LINE_H

/* A line of text that is edited, and the lines typed before it. */

#include "laneway/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_line_edit {
    struct lw_text text;
    size_t caret; /* in bytes */
    bool offered; /* a default that is not edited yet: the first key typed replaces it */
};

/* line_edit.c: handles a key; true: the text changed. */
bool lw_line_key(struct lw_line_edit *line, uint32_t key);
/* The keys of a line, for the help. */
struct lw_line_help {
    const char *keys, *help;
};
const struct lw_line_help *lw_line_help(size_t *count);
void lw_line_set(struct lw_line_edit *line, const char *text);

/* The lines typed before at a prompt (prompt_history.c). */
struct lw_recall {
    char **lines;
    size_t count, back; /* the prompt shows the line `back` lines from the end; 0: the new line */
    struct lw_text draft;
    bool saved; /* lines that are added are written to the file */
};

#endif
