#ifndef LANEWAY_INPUT_H
#define LANEWAY_INPUT_H

/* A line of text that is edited. */

#include "laneway/error.h"
#include "tui/look.h"

struct lw_input {
    struct lw_text text;
    size_t caret;   /* in bytes */
    bool is_offer;  /* what is typed or pasted first replaces the text */
    bool has_lines; /* newlines are kept, and drawn as blanks */
};

const char *lw_input_text(const struct lw_input *line);
/* Replaces the text; the caret is at its end. */
void lw_input_set(struct lw_input *line, const char *text);
/* Inserts a text at the caret: its lines are joined with blanks, unless it has lines; other control characters are
 * left out. */
void lw_input_insert(struct lw_input *line, const char *text);
/* Handles a key; true: it edits or moves the caret. *changed: the text is another one. */
bool lw_input_key(struct lw_input *line, uint32_t key, bool *changed);
/* Draws the line in the first row of a rectangle, scrolled so that the caret is visible, and puts the cursor there. The
 * piece that an error is about (NULL or code LW_OK: none) is marked, and the reason is on another row; -1: nowhere. */
void lw_input_draw(const struct lw_input *line, struct lw_surface *surface, struct lw_rect rect,
                   struct lw_pen pen, const struct lw_error *wrong, int reason_row);
void lw_input_free(struct lw_input *line);

#endif
