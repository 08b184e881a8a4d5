#ifndef LANEWAY_FIGURE_OPTIONS_H
#define LANEWAY_FIGURE_OPTIONS_H

/* The options of figures: in which format and how a view is written. */

#include "cli/arguments.h"
#include "laneway/export.h"

/* The format of --format or --json, else of the extension of -o FILE; NULL: none is set. False on an extension
 * that no format has. */
bool lw_figure_format(const struct lw_arguments *args, const struct lw_format **format,
                      struct lw_error *err);
/* Whether the output is a terminal and no option sets how it is drawn: then it is drawn to fit the terminal, */
bool lw_figure_is_for_terminal(const struct lw_arguments *args);
/* and the columns of that terminal; 0: unknown, or it is not. */
size_t lw_figure_columns(const struct lw_arguments *args);
/* Sets the options of LW_OPTIONS_FIGURE; fails when one does not apply to the format. */
bool lw_figure_options(struct lw_export_options *options, const struct lw_arguments *args,
                       const struct lw_format *format, struct lw_error *err);

#endif
