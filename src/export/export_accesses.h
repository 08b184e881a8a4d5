#ifndef LANEWAY_EXPORT_ACCESSES_H
#define LANEWAY_EXPORT_ACCESSES_H

/* The accesses of the banks view and the moves of the conversion view as rows of data. */

#include "export/export_parts.h"

/* Whether a view is of accesses, not of elements. */
bool lw_is_accesses(const struct lw_view *view);
bool lw_write_accesses(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

/* Whether a view is of moves between registers. */
bool lw_is_moves(const struct lw_view *view);
/* The names of the numbers of a move, and those of move i, with commas between them and the quote around what is no
 * number. */
void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote);
void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote);
bool lw_write_moves(const struct lw_view *view, const struct lw_export_options *options,
                    FILE *stream, struct lw_error *err);

#endif
