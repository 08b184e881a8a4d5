#ifndef LANEWAY_TEXT_H
#define LANEWAY_TEXT_H

/*
 * Texts: strings that grow, and what messages need: widths, errors, the nearest name.
 *
 * A `struct lw_text` set to all zeros is empty and ready. Running out of memory sets `failed` and
 * makes every later call do nothing, so a writer checks once, at the end. The content of such a
 * text is a mark: a text, an error or an arena that gets it fails too, so that no part of a text is
 * taken for the whole.
 *
 *     struct lw_text text = {0};
 *     lw_layout_print(&text, &layout);
 *     if (!text.failed) fputs(lw_text_string(&text), stdout);
 *     lw_text_free(&text);
 *
 * Functions that take a text append to it, here and in all other headers. `limit` states how much
 * of a text is needed: once it has that many bytes a writer with a long output (a cell with a
 * million owners) may stop. Strings are UTF-8; bytes that are not are allowed and count as the
 * character U+FFFD.
 */

#include "laneway/error.h"

#include <stdint.h>
#include <stdio.h>

LW_BEGIN

/* A text. It owns `data`; free it with lw_text_free, and do not copy it while it holds memory. */
struct lw_text {
    char *data;      /* `length` bytes and a NUL; NULL when nothing was ever written */
    size_t length;   /* in bytes */
    size_t capacity; /* bytes that `data` has room for; 0: it cannot be written to */
    size_t limit;    /* bytes at which the text counts as full; 0: none */
    bool failed;     /* memory ran out: the content is lost, and stays so until it is cleared */
};

/* Frees the memory and sets the text to all zeros, limit included. */
void lw_text_free(struct lw_text *text);
/* Empties the text and resets `failed`; the memory and the limit stay. */
void lw_text_clear(struct lw_text *text);
void lw_text_fail(struct lw_text *text); /* as if memory had run out */
/* Drops what follows the first `length` bytes. */
void lw_text_cut(struct lw_text *text, size_t length);
void lw_text_char(struct lw_text *text, char c);            /* appends one byte */
void lw_text_add(struct lw_text *text, const char *string); /* a string that ends in NUL */
void lw_text_number(struct lw_text *text, uint64_t number); /* a number in decimal */
/* Appends `count` bytes. */
void lw_text_bytes(struct lw_text *text, const char *bytes, size_t count);
/* Appends one byte `count` times. */
void lw_text_repeat(struct lw_text *text, char c, size_t count);
/* Appends what printf would print, of any length. */
void lw_text_format(struct lw_text *text, const char *format, ...) LW_PRINTF(2, 3);
/* Appends a string in quotes as JSON writes it: \" \\ \n \t, other characters that are not
 * printable as \u0001, and U+FFFD for each byte that is not UTF-8. Stops once the text is full. */
void lw_text_json_string(struct lw_text *text, const char *string);
/* Appends a string of any origin, such as the name of a file, for people to read on a terminal: a
 * character that is not printable as in JSON (\u001b, \n), a byte that is not UTF-8 as \x9b. */
void lw_text_shown(struct lw_text *text, const char *string);
/* Whether a writer may stop: the text has `limit` bytes or has failed. */
bool lw_text_full(const struct lw_text *text);
/* The string so far, ending in NUL; "" when nothing was added, the mark when the text has failed.
 * Valid until the text changes. */
const char *lw_text_string(const struct lw_text *text);

/* Columns that a string needs on a terminal: one for each character, two for wide ones (East Asian,
 * emoji), none for combining ones. */
size_t lw_text_width(const char *string);
/* The code point at the start of a string, and in *length how many bytes it takes. A byte that
 * is not UTF-8 is U+FFFD of length 1. The string must not be empty. */
uint32_t lw_text_decode(const char *string, int *length);

/* Appends an error in lines for people. `source` is the name of the file, or NULL; without a
 * position in the text there is the message alone.
 *
 *     kernel.json:3:14: threadsPerWarp = [3, 11]: each entry must be a power of two
 *       "threadsPerWarp": [3, 11],
 *                         ^~~~~~~
 */
void lw_text_error(struct lw_text *text, const char *source, const struct lw_error *err);

/* Whether a word is one of those in a list, "f16 f32", with blanks between them. */
bool lw_text_has_word(const char *words, const char *word);

/* The name that a misspelt `name` probably means, of the names get(context, 0), ...: one of which a
 * word is `name` (underscores separate words), else the nearest by edit distance without case, else
 * one with a word so near. The distance is at most a third of the letters of `name`, or 1. NULL:
 * there is none. */
const char *lw_text_nearest(const char *name, size_t count,
                            const char *(*get)(const void *context, size_t i), const void *context);

#define LW_HINT_MAX 160 /* bytes of a hint, with the NUL */
/* The end of a message about an unknown name: "; did you mean 'near'?", or `otherwise` when
 * `near` is NULL or "". Writes it into `hint`, cut to fit, and returns `hint`. */
const char *lw_text_hint(char hint[LW_HINT_MAX], const char *near, const char *otherwise);

LW_END

#endif
