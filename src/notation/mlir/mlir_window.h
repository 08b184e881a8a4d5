#ifndef LANEWAY_MLIR_WINDOW_H
#define LANEWAY_MLIR_WINDOW_H

/* The window of the text that items are read through. */

#include "notation/mlir/mlir_reader.h"

/* The byte `ahead` of the cursor; NUL at the end. */
char lw_mlir_reader_peek(struct lw_mlir_reader *reader, size_t ahead);
bool lw_mlir_reader_at_end(struct lw_mlir_reader *reader);
/* Moves on by one byte; not at the end. */
void lw_mlir_reader_step(struct lw_mlir_reader *reader);
struct lw_position lw_mlir_reader_position(const struct lw_mlir_reader *reader);
/* Sets the excerpt of the error, when the item that began at `first` is still in the window. */
void lw_mlir_reader_quote(struct lw_mlir_reader *reader, struct lw_position first);

void lw_mlir_reader_push(struct lw_mlir_reader *reader, char bracket);
/* The innermost open bracket; NUL: none. */
char lw_mlir_reader_top(const struct lw_mlir_reader *reader);
/* Whether the item has no open bracket. */
bool lw_mlir_reader_is_level(const struct lw_mlir_reader *reader);
/* Closes back to that bracket of this item, with all that is open inside; false when it has none. */
bool lw_mlir_reader_pop(struct lw_mlir_reader *reader, char bracket);
/* Drops the open brackets of an item that has ended. */
void lw_mlir_reader_clear_brackets(struct lw_mlir_reader *reader);

/* Skips a string; false: it does not end on its line. */
bool lw_mlir_reader_skip_string(struct lw_mlir_reader *reader);
/* Whether a comment begins at the cursor. */
bool lw_mlir_reader_at_comment(struct lw_mlir_reader *reader);
/* Skips white space and comments; returns whether a line ended. */
bool lw_mlir_reader_skip_space(struct lw_mlir_reader *reader);

#endif
