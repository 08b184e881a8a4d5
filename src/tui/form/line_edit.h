#ifndef LANEWAY_LINE_H
#define LANEWAY_LINE_H

/* A line of text that is being edited, and the lines that were typed before it. */

#include "laneway/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_line_edit {
    struct lw_text text;
    size_t caret; /* in bytes */
    bool offered; /* a default that is not edited yet: the first key typed replaces it */
};

/* line_edit.c; true when the text changed. */
bool lw_line_key(struct lw_line_edit *line, uint32_t key);
/* Its keys, for the help. */
struct lw_line_help {
    const char *keys, *help;
};
const struct lw_line_help *lw_line_help(size_t *count);
void lw_line_set(struct lw_line_edit *line, const char *text);

/* What was typed before at a prompt (prompt_history.c). */
struct lw_recall {
    char **lines;
    size_t count, back; /* `back` lines from the end is what the prompt shows; 0: what was typed */
    struct lw_text draft;
    bool saved; /* lines that are added are written to the file */
};

#endif
