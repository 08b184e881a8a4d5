#ifndef LANEWAY_PIECES_WINDOW_H
#define LANEWAY_PIECES_WINDOW_H

/* The window of the text that pieces are read through. */

#include "notation/mlir/mlir_reader.h"

/* The byte `ahead` of the cursor; NUL at the end. */
char lw_pieces_peek(struct lw_pieces *pieces, size_t ahead);
bool lw_pieces_ended(struct lw_pieces *pieces);
/* One byte on; not at the end. */
void lw_pieces_step(struct lw_pieces *pieces);
struct lw_place lw_pieces_place(const struct lw_pieces *pieces);
/* Gives the error its line, when the piece that began at `first` is still there. */
void lw_pieces_quote(struct lw_pieces *pieces, struct lw_place first);

void lw_pieces_push(struct lw_pieces *pieces, char bracket);
/* The innermost that is open; NUL: none. */
char lw_pieces_top(const struct lw_pieces *pieces);
/* Whether the piece itself has no bracket open. */
bool lw_pieces_level(const struct lw_pieces *pieces);
/* Closes back to that bracket of this piece; false when it has none. What was open inside is forgotten. */
bool lw_pieces_pop(struct lw_pieces *pieces, char bracket);
/* Forgets the brackets of a piece that has ended. */
void lw_pieces_forget(struct lw_pieces *pieces);

/* Skips a string; false: its line ends before it does. */
bool lw_pieces_string(struct lw_pieces *pieces);
/* Whether a comment begins at the cursor. */
bool lw_pieces_comment(struct lw_pieces *pieces);
/* Skips white space and comments; whether there was the end of a line among it. */
bool lw_pieces_space(struct lw_pieces *pieces);

#endif
