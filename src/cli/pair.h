#ifndef LANEWAY_PAIR_H
#define LANEWAY_PAIR_H

/* Commands on several layouts of one tensor: they differ in what they print. */

#include "cli/load.h"
#include "laneway/export.h"
#include "laneway/plan.h"
#include "view/view_parts.h"

struct lw_pair_request;

struct lw_pair {
    struct lw_document whole; /* the one document that holds all of them, or empty */
    size_t count;             /* 2 or 3 */
    struct lw_document doc[LW_SIDES];
    struct lw_subject subject[LW_SIDES]; /* of each document, its element that of all */
    int at[LW_SIDES];                    /* the index of the layout at each side; -1: none */
    struct lw_element element; /* of all layouts; when none sets one: 32 bits, without a name */
    bool element_is_set;
    const char *source[LW_SIDES]; /* of the documents, or of the whole one the first; NULL in a
                                     batch */
    const char *failed;           /* on failure: the SOURCE that the error is about; NULL: all */
};

/* Loads SOURCEs, or the layouts of one document; an access of one SOURCE has those of --store, --shared and --load too.
 * On failure there is nothing to free. */
bool lw_pair_load(struct lw_pair *pair, const char *const *sources, size_t count,
                  const struct lw_arguments *args, const struct lw_load_options *options,
                  struct lw_error *err);
/* Builds the documents of a pair and finds their sides; on failure they are freed. */
bool lw_pair_finish(struct lw_pair *pair, const struct lw_load_options *options, bool access,
                    struct lw_error *err);
void lw_pair_free(struct lw_pair *pair);
/* Joins the layouts at sides A and B, with `shared` at S too, to an access, with the rules of the request. The pair
 * must not move in memory after this. */
bool lw_pair_join(struct lw_pair *pair, const struct lw_pair_request *request, bool shared,
                  struct lw_error *err);
/* The map at a side; where only one of A and B is set, it is at both. NULL: there is none. */
const struct lw_map *lw_pair_map(const struct lw_pair *pair, enum lw_side side);
/* The stage of a request: the one that it names, or else that of the layouts (lw_subject_stage). */
enum lw_plan_stage lw_pair_stage(const struct lw_pair *pair, const struct lw_pair_request *request);
/* The version of Triton whose rules hold: the first that a layout of the pair sets. */
enum lw_triton lw_pair_triton(const struct lw_pair *pair);
/* Checks that registers A and B have as many warps: a kernel has one number of them. */
bool lw_pair_check_warps(const struct lw_pair *pair, uint64_t lanes, struct lw_error *err);
/* Appends the layouts and their elements, a line each. */
void lw_pair_print_head(struct lw_text *text, enum lw_head kind, const struct lw_pair *pair);
/* How the command's views are written. As text they are printed between other lines of the command; another
 * format has only one view. Without --style a table is in simple_grid where it is at most 80 columns wide, else
 * plain. */
struct lw_view_output {
    const struct lw_format *format;
    bool is_text;
    struct lw_export_options options;
};
/* Writes a view and closes it. */
bool lw_view_output_close(const struct lw_view_output *output, struct lw_view *view, FILE *out,
                          struct lw_error *err);
/* Opens the view of that name, and writes it; `options` may be NULL. */
bool lw_view_output_write(const struct lw_view_output *output, const char *name,
                          const struct lw_subject *subject, const struct lw_view_options *options,
                          FILE *out, struct lw_error *err);

/* A request: the options, or the keys of a line of a batch. */
struct lw_pair_request {
    const char *op; /* "load", "store", "both" */
    const char *as; /* "compiled", "triton", "written"; NULL: as lw_pair_stage finds */
    bool to_global;
    bool all;
    bool totals;                        /* JSON without the list of instructions */
    const struct lw_hardware *hardware; /* NULL: the default */
    FILE *out;                          /* where a long answer in JSON may go; NULL: none */
    uint64_t conflicts;                 /* of all answers; each answer adds its conflicts */
};

/* The properties of one command. */
struct lw_pair_command {
    /* The keys of the SOURCEs in a line of a batch; the last one is optional or NULL. "a" and "b" are other names of
     * the first two, `also` of the first. */
    const char *keys[LW_SIDES], *also;
    bool access; /* one layout is in shared memory, and their order is registers, shared, registers;
                    else the first two are registers, and --shared is the third */
    /* Appends one line of JSON, without its newline. */
    bool (*put_json)(struct lw_text *text, struct lw_pair *pair, struct lw_pair_request *request,
                     struct lw_error *err);
    bool (*put_text)(FILE *out, struct lw_pair *pair, struct lw_pair_request *request,
                     const struct lw_view_output *output, struct lw_error *err);
};
/* For lw_command.run and lw_command.answer: runs lw_command.pair on the layouts of the operands, or with --batch on
 * those of each line; answers one line of a batch. */
enum lw_status lw_pair_run(const struct lw_arguments *args, FILE *out);
bool lw_pair_answer(const struct lw_arguments *args, struct lw_batch_line *line,
                    struct lw_text *answer, struct lw_error *err);

#endif
