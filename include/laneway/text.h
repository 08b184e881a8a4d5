#ifndef LANEWAY_TEXT_H
#define LANEWAY_TEXT_H

/*
 * A text that grows.
 *
 * Cells, messages and short documents are written into a `struct lw_text`. One that is set to all
 * zeros is empty and ready. Running out of memory sets `failed` and makes every later call do
 * nothing, so a writer checks once, at the end.
 *
 * A text may be told how much of it will be looked at: once `limit` bytes are in it, `lw_text_full`
 * is true and a writer with much to say (a cell with a million owners) may stop.
 */

#include "laneway/error.h"

#include <stdint.h>
#include <stdio.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct lw_text {
    char *data; /* always NUL-terminated when length > 0; NULL when nothing was ever written */
    size_t length;
    size_t capacity;
    size_t limit; /* 0: none */
    bool failed;
};

void lw_text_free(struct lw_text *text);
/* Empties the text and keeps its memory. */
void lw_text_clear(struct lw_text *text);
void lw_text_char(struct lw_text *text, char c);
void lw_text_add(struct lw_text *text, const char *string);
void lw_text_bytes(struct lw_text *text, const char *bytes, size_t count);
/* The same character so many times. */
void lw_text_repeat(struct lw_text *text, char c, size_t count);
/* In decimal. */
void lw_text_number(struct lw_text *text, uint64_t number);
/* As printf does, in any length. */
void lw_text_format(struct lw_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Appends a string as JSON has it, in quotes: with \" \\ \n \t, other control characters (DEL too) as
 * \u0001, and U+FFFD for each byte that is not UTF-8. Stops early once the text is full. */
void lw_text_json_string(struct lw_text *text, const char *string);
bool lw_text_full(const struct lw_text *text);
/* The characters so far; "" when there are none. Valid until the next change. */
const char *lw_text_string(const struct lw_text *text);

/* Columns that a UTF-8 string takes on a terminal: bytes that start a character, wide ones (East
 * Asian) counted as two, combining ones as none. */
size_t lw_text_width(const char *string);
/* Those of one character: 0, 1 or 2. */
int lw_text_code_width(uint32_t code);
/* Steps over one UTF-8 character: its code point, *length bytes (1 for a byte that is not UTF-8,
 * which yields U+FFFD). `string` must not be at its end. */
uint32_t lw_text_decode(const char *string, int *length);
/* Writes one code point as UTF-8; returns the count of bytes (1 to 4). */
int lw_text_encode(uint32_t code, char bytes[4]);

/* The bytes of the text that go on its next row, which is that many columns wide: broken between words and
 * between East Asian characters, a longer word between any two, and at a newline. At least one character,
 * when there is one; the next row begins behind the blanks or the newline that follow. */
size_t lw_text_row_bytes(const char *text, size_t columns);
/* Lines of help are at most this wide. */
#define LW_TEXT_COLUMNS 76
/* Appends words, broken between them, from column `column` on; lines after the first begin at
 * `indent`. Ends in a newline. */
void lw_text_wrap(struct lw_text *text, const char *words, size_t indent, size_t column);
/* Paragraphs parted by newlines; a line that begins with a blank is kept as it is. */
void lw_text_paragraphs(struct lw_text *text, const char *about);
/* "  name   what it is", the names `width` columns wide. */
void lw_text_row(struct lw_text *text, const char *name, size_t width, const char *help);

/* Appends an error as people read it:
 *
 *     kernel.json:3:14: threadsPerWarp = [3, 11]: each entry must be a power of two
 *       "threadsPerWarp": [3, 11],
 *                         ^~~~~~~
 *
 * `source` is the file's name or NULL. */
void lw_text_error(struct lw_text *text, const char *source, const struct lw_error *err);

/* Of `count` names, the one of whose words, parted by underscores, `name` is one; else the nearest by edit
 * distance, or NULL when none is near (more than a third of its letters off, and more than one); else one
 * of whose words it is nearly. Names are read through `get(context, i)`. */
const char *lw_text_nearest(const char *name, size_t count,
                            const char *(*get)(const void *context, size_t i), const void *context);

#define LW_HINT_MAX 160
/* How the message about an unknown name ends: "; did you mean 'near'?", or `otherwise` when `near`
 * is NULL or "". Returns `hint`, which holds it. */
const char *lw_text_hint(char hint[LW_HINT_MAX], const char *near, const char *otherwise);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
