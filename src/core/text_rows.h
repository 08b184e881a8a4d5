#ifndef LANEWAY_TEXT_ROWS_H
#define LANEWAY_TEXT_ROWS_H

/* Texts in columns of a terminal: characters, rows of a limited width, numbers, and the rows of help. */

#include "laneway/text.h"

/* Whether a character is not printable, so that it could hide text or change how a terminal shows
 * it: a control character (C0, DEL, C1), a character that changes the direction of a text, one of
 * no width, a separator of lines or paragraphs, a tag. False of combining characters. */
bool lw_text_is_control(uint32_t code);
int lw_text_code_width(uint32_t code); /* the columns of a code point: 0, 1 or 2 */
/* Writes one code point (at most 0x10ffff) as UTF-8, without a NUL; returns how many bytes it
 * wrote, 1 to 4. */
int lw_text_encode(uint32_t code, char bytes[4]);

/* How many bytes of a string fit on a row of `columns` columns. A row ends between words, between
 * East Asian characters and at a newline; within a word only when the word is longer than the row.
 * The row has at least one character unless the string is empty. The next row begins after the
 * blanks or the newline that follow. */
size_t lw_text_row_bytes(const char *text, size_t columns);
size_t lw_digits(uint64_t number);
/* "(3,5)" */
void lw_put_element(struct lw_text *text, int count, const uint64_t *out);
/* "0b01110", with at least as many digits as `size` points need. */
void lw_put_binary(struct lw_text *text, uint64_t number, uint64_t size);
/* The bits of a set as "0-3,8,12-15", at most `max` pieces of it. */
void lw_put_set(struct lw_text *text, uint64_t set, int max);
/* The same of bits that are counted from `first` on. */
void lw_put_set_from(struct lw_text *text, uint64_t set, uint64_t first, int max);
/* Appends a count of things, whose name is that of one: "1 round", "2 rounds". */
void lw_put_count(struct lw_text *text, uint64_t count, const char *one);
#define LW_TEXT_COLUMNS 76 /* columns of a line of help */
/* Appends words separated by blanks or newlines, in lines of LW_TEXT_COLUMNS columns: the first
 * from column `column` on, the others indented by `indent` blanks. A word longer than a line is
 * kept whole. Ends in a newline. */
void lw_text_wrap(struct lw_text *text, const char *words, size_t indent, size_t column);
/* Appends paragraphs, one a line of `about`, each wrapped to LW_TEXT_COLUMNS columns; a line
 * that begins with a blank is kept as it is. */
void lw_text_paragraphs(struct lw_text *text, const char *about);
/* Appends "  name   help", the name padded to `width` columns and the help wrapped next to it, or
 * below a longer name. */
void lw_text_row(struct lw_text *text, const char *name, size_t width, const char *help);

#endif
