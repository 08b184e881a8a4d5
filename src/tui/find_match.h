#ifndef LANEWAY_FIND_MATCH_H
#define LANEWAY_FIND_MATCH_H

/* What is searched for in a layout: an element `3,5`, a thread `t17`, a register, a bank. */

#include "tui/model.h"
#include "tui/picture/picture.h"

/* Finds match number k of a text, modulo how many there are: in a layout of the model, `first` before the others, NULL:
 * none before. Sets the spot and what is lit with it. Returns how many matches there are; 0: the reason is in *err. */
uint64_t lw_find_match(const struct lw_model *model, const struct lw_subject *first,
                       const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                       struct lw_error *err);

#endif
