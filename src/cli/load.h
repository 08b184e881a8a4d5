#ifndef LANEWAY_LOAD_H
#define LANEWAY_LOAD_H

/* Loads a layout from a SOURCE and the options. */

#include "cli/arguments.h"
#include "laneway/document.h"
#include "laneway/view.h"

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
/* Sets "name=value" of a document. */
bool lw_load_set(struct lw_document *doc, const char *set, struct lw_error *err);
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
/* The linear layout of a document, without a subject for views. */
bool lw_load_layout(const struct lw_document *doc, const struct lw_load_options *options,
                    struct lw_layout *layout, struct lw_error *err);
/* The linear layout of a loaded document; threads of tilus become lanes and warps. */
bool lw_loaded_layout(const struct lw_loaded *loaded, struct lw_layout *layout,
                      struct lw_error *err);

#endif
