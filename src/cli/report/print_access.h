#ifndef LANEWAY_PRINT_ACCESS_H
#define LANEWAY_PRINT_ACCESS_H

/* Accesses to shared memory as text and as JSON, for the commands on several layouts. */

#include "cli/load.h"
#include "laneway/conversion.h"
#include "laneway/export.h"

/* The instructions of a plan, or of all rounds of a conversion, and their sums. */
struct lw_instructions {
    const struct lw_plan *plan;
    const struct lw_plan_total *total;
    const struct lw_conversion *conversion; /* that the plan is of; NULL: none */
    bool unlisted;
};
/* Fails on over 2^20 instructions, too many for a list; call it before any part is written. */
bool lw_instructions_check(const struct lw_plan_total *total, struct lw_error *err);
/* {"instructions":[...],"wavefronts":...,"ideal":...,"conflicts":...}; instructions that no lane executes are left
 * out, and costs that are unknown are null. */
void lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all);

/* How the command's views are written. As text they are printed between other lines of the command; another
 * format has only one view. Without --style a table is in style plain. */
struct lw_view_output {
    const struct lw_format *format;
    bool is_text;
    struct lw_export_options options;
};
/* Reads --format, -o and --style. */
bool lw_view_output_read(struct lw_view_output *output, const struct lw_arguments *args,
                         struct lw_error *err);
/* Writes a view and closes it. */
bool lw_view_output_close(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err);
/* Opens the view of that name, and writes it; `options` may be NULL. */
bool lw_view_output_write(const struct lw_view_output *output, const char *name,
                          const struct lw_subject *subject, const struct lw_view_options *options,
                          FILE *out, struct lw_error *err);

/* Prints the plan of the stores or of the loads of a joined subject, which must have one: its title, its banks and its
 * cost. */
bool lw_access_print(FILE *out, const struct lw_subject *subject, enum lw_access_op op,
                     const struct lw_view_output *output, struct lw_error *err);
/* Writes the instructions of a plan whose cost is unknown, and the reason; `rounds`: of a conversion, else 1. */
void lw_uncounted_print(struct lw_text *text, const struct lw_plan *plan,
                        const struct lw_plan_total *total, uint64_t rounds);
/* Prints the lines of an explanation, each wrapped beside its label, and empties it. Labels with their colon and a
 * blank are padded to `label` columns; 0: they are not padded, and lines that are a little too long are not wrapped. */
void lw_explanation_print(struct lw_text *text, struct lw_explanation *explanation, size_t label);

#endif
