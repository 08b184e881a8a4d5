#ifndef LANEWAY_MODEL_H
#define LANEWAY_MODEL_H

/* A model: what a layout screen shows. It is opened from a document as a whole, and replaced as a whole: a text that
 * is not legal makes no model, and the last one stays. */

#include "laneway/kernel_cost.h"
#include "analysis/owners.h"
#include "analysis/access/path.h"
#include "laneway/subject.h"
#include "laneway/view.h"

struct lw_model {
    struct lw_document doc;
    struct lw_text text; /* the text that names it, in one line */
    bool has_own_name;   /* the text is no source, but a name that does not tell its layout */
    struct lw_opened opened[LW_SIDES];
    bool has[LW_SIDES];
    enum lw_side side; /* of the document's own layout */
    /* Of an access or of a conversion through shared memory; has_path: its plans could be made. */
    struct lw_path path;
    struct lw_folds folds;
    struct lw_subject exchange; /* of such a conversion: the memory between A and B */
    bool has_exchange;
    bool has_path;
    struct lw_error why_no_path;
    struct lw_cuda cuda; /* all accesses of CUDA C++, with their costs */
    struct lw_cuda_cost *costs;
    bool has_cuda;
    struct lw_text verdict; /* one sentence with the answer */
    bool is_bad;            /* that is conflicts, or no answer */
};

/* How texts are opened: the options of the program. */
struct lw_model_options {
    struct lw_open_options open;
    const struct lw_hardware *hardware; /* NULL: the default */
    const char *const *sets;            /* "name=value", set_count of them, for every text */
    size_t set_count;
    bool are_typed;                   /* in the explorer, where messages name its commands */
    const struct lw_document *beside; /* whose shape a text without one has; NULL: none */
    const char *as; /* the instructions of accesses: compiled, triton, written; NULL: as is usual */
};

/* Opens the layouts of a document, of which it takes a copy, and joins them; `text` names it, or NULL: its
 * layouts as they are written. NULL: the reason is in *err. */
struct lw_model *lw_model_new(const struct lw_document *doc, const char *text,
                              const struct lw_model_options *options, struct lw_error *err);
/* The same document with another layout at a side. */
struct lw_model *lw_model_with(const struct lw_model *model, enum lw_side side,
                               const struct lw_document *one,
                               const struct lw_model_options *options, struct lw_error *err);
/* The same document with one bit of the matrix of one of its layouts flipped, as bases. */
struct lw_model *lw_model_flipped(const struct lw_model *model, const struct lw_subject *subject,
                                  uint64_t row, uint64_t col,
                                  const struct lw_model_options *options, struct lw_error *err);
/* The same of a text: any SOURCE, or the layouts of an access, `A > S > B`. */
struct lw_model *lw_model_open(const char *text, const struct lw_model_options *options,
                               struct lw_error *err);
/* The same of a text of CUDA C++, with the kernel of a model and one of its accesses, from 1. */
struct lw_model *lw_model_access(const struct lw_model *model, const char *text, size_t access,
                                 const struct lw_model_options *options, struct lw_error *err);
void lw_model_free(struct lw_model *model);
/* The layout at a side; NULL: there is none. */
const struct lw_subject *lw_model_at(const struct lw_model *model, enum lw_side side);
/* The document's own layout. */
const struct lw_subject *lw_model_own(const struct lw_model *model);
/* The layouts of two models that are compared: their own, of two accesses the first that differ. */
void lw_model_pair(const struct lw_model *a, const struct lw_model *b,
                   const struct lw_subject *pair[2]);
/* The memory of its path: shared S, or that of an exchange; NULL: it has no path. */
const struct lw_subject *lw_model_memory(const struct lw_model *model);
/* Whether it has registers A and B and no shared memory. */
bool lw_model_is_conversion(const struct lw_model *model);
#endif
