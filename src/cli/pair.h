#ifndef LANEWAY_PAIR_H
#define LANEWAY_PAIR_H

/* Commands that take two layouts of one tensor: they differ in what they print of the two. */

#include "cli/load.h"
#include "laneway/export.h"
#include "laneway/plan.h"

struct lw_pair {
    struct lw_document doc[2];
    struct lw_map map[2];
    struct lw_element element; /* that both hold; when neither sets one: 32 bits, without a name */
    bool element_is_set;
    int failed_source; /* on failure: the index of the SOURCE that the error is about; -1: both */
};

/* Checks that both, in registers, have as many warps: a kernel has one number of them. */
bool lw_pair_check_warps(const struct lw_pair *pair, uint64_t lanes, struct lw_error *err);
/* Appends a line with a label, "store:     ", and the summary of a layout. */
void lw_pair_print_layout(struct lw_text *text, const char *label, const struct lw_pair *pair,
                          int which);
/* Appends "elements:  f16, 16 bits", as a line. */
void lw_pair_print_element(struct lw_text *text, const struct lw_pair *pair);
/* How the command's views are written. As text they are printed between other lines of the command; another
 * format has only one view. Without --style a table is in simple_grid where it is at most 80 columns wide, else plain. */
struct lw_view_output {
    const struct lw_format *format;
    bool is_text;
    struct lw_export_options options;
};
bool lw_view_output_read(struct lw_view_output *output, const struct lw_arguments *args,
                         struct lw_error *err);
/* Writes a view and closes it. */
bool lw_view_output_write(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err);

/* What the options, or the keys of a line of a batch, set. */
struct lw_pair_request {
    const char *op; /* "load", "store", "both" */
    enum lw_plan_stage stage;
    bool to_global;
    bool all;
    bool one_document;                  /* one document holds both layouts */
    const struct lw_hardware *hardware; /* NULL: the default */
    uint64_t conflicts;                 /* of all answers; the command adds its own */
};

/* What is particular to a command. */
struct lw_pair_command {
    const char *keys[2]; /* of the two SOURCEs in a line of a batch; "a" and "b" are other names */
    bool access;         /* one of the two is in shared memory: of lw_document_share */
    /* Appends one line of JSON, without its newline. */
    bool (*put_json)(struct lw_text *text, const struct lw_pair *pair,
                     struct lw_pair_request *request, struct lw_error *err);
    bool (*put_text)(FILE *out, const struct lw_pair *pair, struct lw_pair_request *request,
                     const struct lw_view_output *output, struct lw_error *err);
};
/* Runs a command on the two layouts of its operands, or with --batch on those of each line. */
enum lw_status lw_pair_run(const struct lw_arguments *args, FILE *out,
                           const struct lw_pair_command *command);

#endif
