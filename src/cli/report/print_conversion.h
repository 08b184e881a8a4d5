#ifndef LANEWAY_PRINT_CONVERSION_H
#define LANEWAY_PRINT_CONVERSION_H

/* Conversions as text and as JSON. */

#include "cli/pair.h"
#include "cli/report/print_plan.h"
#include "export/output.h"
#include "laneway/conversion.h"

/* Prints all about a conversion, as text with tables. */
bool lw_conversion_print(FILE *out, const struct lw_pair *pair,
                         const struct lw_conversion *conversion,
                         const struct lw_view_output *output, struct lw_error *err);
/* Appends one line of JSON without a newline. For a conversion between blocks the costs are null. */
bool lw_conversion_print_json(struct lw_text *text, const struct lw_conversion *conversion,
                              struct lw_error *err);
/* Prints two layouts and their movement when they are not linear; `why` names the size that is no power of two. */
void lw_movement_print(FILE *out, const struct lw_pair *pair, const struct lw_movement *movement,
                       const struct lw_error *why);
/* Prints a movement in which no element leaves its lane in the form of a conversion; false, and nothing, for others. */
bool lw_movement_print_json(struct lw_text *text, const struct lw_movement *movement);

#endif
