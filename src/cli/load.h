#ifndef LANEWAY_LOAD_H
#define LANEWAY_LOAD_H

/* Loads a layout from a SOURCE and the options, or several layouts of one tensor. */

#include "cli/arguments.h"
#include "laneway/document.h"
#include "laneway/plan.h"
#include "laneway/view.h"
#include "view/view_parts.h"

struct lw_loaded {
    struct lw_document doc;
    struct lw_opened opened;
};

struct lw_load_options {
    const char *type;    /* as -t */
    const char *element; /* as --element */
    struct lw_triton_choice triton;
    FILE *input; /* what "-" reads; NULL: refused */
    const char *const *sets;
    size_t set_count;
    struct lw_cuda_options cuda; /* as --block and --let */
    bool sides_follow; /* options add other layouts: lw_load_put_sides applies the sets of these */
    const struct lw_hardware *target; /* NULL: any */
    const struct lw_document *like;   /* a bare attribute is of its tensor; NULL: of its own */
};

/* Names the --set in an error about its parameter, whose value is not in the text of the document. */
void lw_load_attribute_error(const struct lw_load_options *options, struct lw_error *err);
/* Reads -t, --element, --set, --triton and --target. */
bool lw_load_options(struct lw_load_options *options, const struct lw_arguments *args,
                     struct lw_error *err);
/* Opens a document with the type and the sets of the options, without building it. */
bool lw_load_document(struct lw_document *doc, const char *source,
                      const struct lw_load_options *options, struct lw_error *err);
/* Opens and builds. On failure there is nothing to free. */
bool lw_load(struct lw_loaded *loaded, const char *source, const struct lw_load_options *options,
             struct lw_error *err);
void lw_unload(struct lw_loaded *loaded);
/* Adds the layouts of --store, --shared and --load to a document, with the sets of these. On failure *failed is the
 * SOURCE that the error is about. */
bool lw_load_put_sides(struct lw_document *doc, const struct lw_arguments *args,
                       const struct lw_load_options *options, const char **failed,
                       struct lw_error *err);
/* The side of --side, which the document must have; without the option that of the document. */
bool lw_load_side(const struct lw_document *doc, const struct lw_arguments *args,
                  enum lw_side *side, struct lw_error *err);
/* The linear layout of a document; threads of tilus become lanes and warps. */
bool lw_load_layout(const struct lw_document *doc, const struct lw_load_options *options,
                    struct lw_layout *layout, struct lw_error *err);

/* ---- Several layouts of one tensor ---- */

struct lw_pair {
    struct lw_document whole;            /* the one document that holds all of them, or empty */
    struct lw_document doc[LW_SIDES];    /* the layout at each side; without an encoding: none */
    struct lw_subject subject[LW_SIDES]; /* of each document, its element that of all */
    struct lw_subject *joined;           /* of lw_pair_join: one of those that are joined */
    struct lw_element element; /* of all layouts; when none sets one: 32 bits, without a name */
    bool element_is_set;
    const char *source[LW_SIDES]; /* of the documents, or of the whole one all */
    const char *failed;           /* on failure: the SOURCE that the error is about; NULL: all */
    /* The options. */
    enum lw_plan_stage stage;           /* of --as, or else that of the layouts */
    bool to_global;                     /* of --to-global, or of the document */
    const struct lw_hardware *hardware; /* NULL: the default */
    uint64_t conflicts_max;             /* of --fail-on-conflict */
};

/* Loads the SOURCEs of a command line, or the layouts of one document, builds them and puts each at its side. Of an
 * access one layout is in shared memory, and their order is registers, shared, registers; --store, --shared and --load
 * name others than the first. Else the first two are in registers, and --shared is the third. On failure there is
 * nothing to free. */
bool lw_pair_open(struct lw_pair *pair, const struct lw_arguments *args, bool access,
                  struct lw_error *err);
void lw_pair_free(struct lw_pair *pair);
/* Joins the layouts at sides A and B, with `shared` at S too, to an access, with the rules of the options. The pair
 * must not move in memory after this. */
bool lw_pair_join(struct lw_pair *pair, bool shared, struct lw_error *err);
/* The map at a side; where only one of A and B is set, it is at both. NULL: there is none. */
const struct lw_map *lw_pair_map(const struct lw_pair *pair, enum lw_side side);
/* The lanes of a warp of the target. */
uint64_t lw_pair_lanes(const struct lw_pair *pair);
/* Checks that registers A and B have as many warps: a kernel has one number of them. */
bool lw_pair_check_warps(const struct lw_pair *pair, struct lw_error *err);
/* Appends the layouts and their elements, a line each. */
void lw_pair_print_head(struct lw_text *text, enum lw_head kind, const struct lw_pair *pair);
/* The status of an answer with that many conflicts. */
enum lw_status lw_pair_status(const struct lw_pair *pair, uint64_t conflicts);

#endif
