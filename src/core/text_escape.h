#ifndef LANEWAY_TEXT_ESCAPE_H
#define LANEWAY_TEXT_ESCAPE_H

/*
 * Characters that are not printable are escaped as in JSON: \u001b, \n; a byte that is not UTF-8 as \x9b. These are
 * control characters (C0, DEL, C1), which a terminal may execute, the characters that change the direction of a text,
 * and other characters without a glyph (zero width, line separators, tags).
 */

#include "laneway/text.h"

enum { LW_ESCAPE_MAX = 16 }; /* bytes of what replaces a character, with the NUL */

/* Whether the character at the start of a string must be escaped; then `escaped` is what replaces it. Its bytes are
 * counted in *length. */
bool lw_text_escape_next(const char *string, int *length, char escaped[LW_ESCAPE_MAX]);

/* How many bytes from the start are printable ASCII; it may return a few less. */
size_t lw_text_plain_length(const char *bytes, size_t length);

/* Skips the byte order mark at the start of a text. Positions in the text are counted from what follows it. */
void lw_skip_order_mark(const char **text, size_t *length);

/* Escapes all of a text, line ends and tabs too. */
void lw_text_escape_all(struct lw_text *text);

#endif
