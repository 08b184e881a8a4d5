#ifndef LANEWAY_LEGAL_H
#define LANEWAY_LEGAL_H

/* One value against one row of a parameter table. */

#include "laneway/encoding.h"

/* A list has at most this many entries. */
#define LW_LIST_MOST 64

/* Whether a value is legal; else says in words what it may be. `rank` is -1 when nobody said it;
 * `tensor_rank` is the tensor's, to which each slice on the way here adds one; -1: `rank` is that of another
 * list of the same encoding. */
bool lw_value_legal(struct lw_text *what, enum lw_code *code, const struct lw_param *param,
                    const struct lw_value *value, int rank, int tensor_rank);

#endif
