#ifndef LANEWAY_LEGAL_H
#define LANEWAY_LEGAL_H

/* One value against one row of a parameter table. */

#include "laneway/encoding.h"

/* A list has at most this many entries. */
#define LW_LIST_MOST 64

/* Whether a value is legal; else says in words what it may be. `rank` is -1 when nobody said it;
 * `rank_given` tells whether it is the tensor's, or that of another list of the same encoding. */
bool lw_value_legal(struct lw_text *what, enum lw_code *code, const struct lw_param *param,
                    const struct lw_value *value, int rank, bool rank_given);

#endif
