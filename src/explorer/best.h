#ifndef LANEWAY_BEST_H
#define LANEWAY_BEST_H

/*
 * The best layouts for shared S: a search over the memory that there is, in slices, and the list of what it found:
 * S as it is, and the best of each kind.
 */

#include "explorer/list.h"
#include "explorer/model.h"
#include "laneway/swizzle.h"

struct lw_best {
    struct lw_swizzle_search search;
    bool has_search, is_running;
    struct lw_error why_not; /* there is no search; code LW_OK: none was wanted */
    struct lw_swizzle given; /* S as it is */
    bool has_given;
    bool is_shown; /* the list is on the screen and has the keys */
    struct lw_rows list;
    int kinds[LW_SWIZZLE_KINDS + 1]; /* of the rows */
    size_t count;
};

/* Starts the search for an access; one that was running ends. */
void lw_best_begin(struct lw_best *best, const struct lw_model *model);
void lw_best_end(struct lw_best *best);
/* Searches for a few milliseconds; true: something is left to do. */
bool lw_best_work(struct lw_best *best);
/* Searches to the end. */
void lw_best_finish(struct lw_best *best);
/* The best that was found, if it takes fewer wavefronts than S as it is; else NULL. */
const struct lw_swizzle *lw_best_gain(const struct lw_best *best);
/* The candidate of the row of the cursor; NULL: S as it is. */
const struct lw_swizzle *lw_best_chosen(const struct lw_best *best);
/* The columns that the list needs, and its lines. */
enum { LW_BEST_WIDTH = 74 };
int lw_best_lines(const struct lw_best *best);
void lw_best_draw(struct lw_best *best, struct lw_surface *surface, struct lw_rect rect);
/* Sets *doc to a copy of the model's document with the chosen candidate as S. */
bool lw_best_document(const struct lw_best *best, const struct lw_model *model,
                      struct lw_document *doc, struct lw_error *err);

#endif
