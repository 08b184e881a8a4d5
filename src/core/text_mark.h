#ifndef LANEWAY_TEXT_MARK_H
#define LANEWAY_TEXT_MARK_H

/*
 * The mark: what a text holds instead of its content once memory has run out.
 *
 * A text is most often built to be put into another text, a message or an arena. So that a part of a text is never used
 * as the whole, the content of a text that has failed is the mark, and a function that gets the mark fails too: texts
 * (text.c), errors (error.c), arenas (arena.c) and streams (lw_output_text).
 */

#include "laneway/text.h"

/* Whether this is the string of a text that has failed. */
bool lw_text_is_mark(const char *bytes);
/* Whether the mark was copied into these bytes. */
bool lw_text_has_mark(const char *bytes, size_t count);

#endif
