#ifndef LANEWAY_MLIR_WINDOW_H
#define LANEWAY_MLIR_WINDOW_H

/* The window of the text that pieces are read through. */

#include "notation/mlir/mlir_reader.h"

/* The byte `ahead` of the cursor; NUL at the end. */
char lw_mlir_reader_peek(struct lw_mlir_reader *reader, size_t ahead);
bool lw_mlir_reader_at_end(struct lw_mlir_reader *reader);
/* One byte on; not at the end. */
void lw_mlir_reader_step(struct lw_mlir_reader *reader);
struct lw_position lw_mlir_reader_position(const struct lw_mlir_reader *reader);
/* Gives the error its line, when the piece that began at `first` is still there. */
void lw_mlir_reader_quote(struct lw_mlir_reader *reader, struct lw_position first);

void lw_mlir_reader_push(struct lw_mlir_reader *reader, char bracket);
/* The innermost that is open; NUL: none. */
char lw_mlir_reader_top(const struct lw_mlir_reader *reader);
/* Whether the piece itself has no bracket open. */
bool lw_mlir_reader_is_level(const struct lw_mlir_reader *reader);
/* Closes back to that bracket of this piece; false when it has none. What was open inside is forgotten. */
bool lw_mlir_reader_pop(struct lw_mlir_reader *reader, char bracket);
/* Forgets the brackets of a piece that has ended. */
void lw_mlir_reader_clear_brackets(struct lw_mlir_reader *reader);

/* Skips a string; false: its line ends before it does. */
bool lw_mlir_reader_skip_string(struct lw_mlir_reader *reader);
/* Whether a comment begins at the cursor. */
bool lw_mlir_reader_at_comment(struct lw_mlir_reader *reader);
/* Skips white space and comments; whether there was the end of a line among it. */
bool lw_mlir_reader_skip_space(struct lw_mlir_reader *reader);

#endif
