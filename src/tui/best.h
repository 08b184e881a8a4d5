#ifndef LANEWAY_BEST_H
#define LANEWAY_BEST_H

/* The best layouts for shared S: a search over the memory that there is, in slices, and the list of what it found: S as
 * it is, and the best of each kind. */

#include "tui/list.h"
#include "tui/model.h"
#include "laneway/kernel_cost.h"
#include "laneway/swizzle.h"

/* A row of the list. */
struct lw_best_row {
    const char *kind; /* "padding" */
    uint64_t wavefronts;
    const struct lw_swizzle *swizzle; /* NULL: it is a fix of CUDA C++ */
    const struct lw_cuda_fix *fix;
};

struct lw_best {
    struct lw_swizzle_search search;
    bool has_search, is_running;
    struct lw_cuda_fixes fixes; /* of CUDA C++: instead of a search */
    struct lw_error why_not;    /* there is no search; code LW_OK: none was wanted */
    struct lw_swizzle given;    /* S as it is */
    struct lw_swizzle plain;    /* the same memory without its swizzle */
    bool has_plain;             /* it has one */
    bool is_shown;              /* the list is on the screen and has the keys */
    struct lw_list list;
    struct lw_best_row rows[LW_SWIZZLE_KINDS + 1]; /* the first is S as it is */
    size_t count;
    uint64_t fewest; /* wavefronts of all rows */
};

/* Starts the search for an access; one that was running ends. */
void lw_best_begin(struct lw_best *best, const struct lw_model *model);
void lw_best_end(struct lw_best *best);
/* Searches for a few milliseconds; true: something is left to do. */
bool lw_best_work(struct lw_best *best);
/* Whether S as it is takes more than the fewest wavefronts that were found. */
bool lw_best_gains(const struct lw_best *best);
/* Those of S as it is; 0: they are not known. */
uint64_t lw_best_given(const struct lw_best *best);
/* The row of the cursor; NULL: S as it is. */
const struct lw_best_row *lw_best_chosen(const struct lw_best *best);
void lw_best_draw(struct lw_best *best, struct lw_surface *surface, struct lw_rect rect);
/* Adds how the row of the cursor is written, which `shown` has as S; where there is room in the other systems, too. */
void lw_best_explain(const struct lw_best *best, const struct lw_model *shown, bool is_roomy,
                     struct lw_explanation *about);
/* A model with the chosen row as S, opened as `model` was; NULL: the reason is in *err. */
struct lw_model *lw_best_model(const struct lw_best *best, const struct lw_model *model,
                               const struct lw_model_options *options, struct lw_error *err);

#endif
