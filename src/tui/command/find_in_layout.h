#ifndef LANEWAY_FIND_IN_LAYOUT_H
#define LANEWAY_FIND_IN_LAYOUT_H

/* Finding in a layout: `3,5` an element, `t17`, `w1 l3`, `r4` an owner, `bank 7` and `offset 40` in memory. */

#include "tui/picture/lit.h"
#include "tui/model.h"

/* Finds match number k of a text, modulo how many there are: in a layout of the model, `first` before the others,
 * NULL: none before. Sets the spot and what is lit with it. Returns how many matches there are; 0: the reason is in
 * *err. */
uint64_t lw_find_in_layout(const struct lw_model *model, const struct lw_subject *first,
                           const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                           struct lw_error *err);

#endif
