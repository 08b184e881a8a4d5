#ifndef LANEWAY_HELD_H
#define LANEWAY_HELD_H

/* The elements that a thread holds of a layout in registers, in the order of its registers. An element in several of
 * them is one element. */

#include "view/view_parts.h"

struct lw_held {
    const struct lw_map *map;
    struct lw_dims free;          /* its hardware dims; those of the thread have size 1 */
    uint64_t thread[LW_DIMS_MAX]; /* the thread's indices in the others */
    uint64_t registers;           /* how many there are */
    uint64_t count, *first;       /* the elements in them, by the first register of each */
};

/* Finds those of the thread at `in`, a hardware index of `dims`, which may be those of another layout; free
 * held->first. False: the layout has no such thread, or too many registers. */
bool lw_held_find(struct lw_held *held, const struct lw_map *map, const struct lw_dims *dims,
                  const uint64_t *in);
/* Appends "(3,2) (3,3)": the elements, as many as fit in `columns` (0: all) with the number of the others. */
void lw_held_list(struct lw_text *text, const struct lw_held *held, size_t columns);
/* Appends "dim0 3,11 dim1 2-3", with these names of the dims, if the elements are all of some indices of each dim; else
 * returns false. */
bool lw_held_sides(struct lw_text *text, const struct lw_held *held, const char *const *names);
/* Adds, as the line after the first, what the thread of a spot holds of its layout; nothing where that is one element,
 * or no thread holds it. */
void lw_explain_held(const struct lw_subject *subject, const struct lw_spot *spot,
                     struct lw_explanation *explanation);
/* Appends " in 8 registers", where these are not as many as the elements. */
void lw_held_registers(struct lw_text *text, const struct lw_held *held);

#endif
