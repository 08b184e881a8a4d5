#ifndef LANEWAY_LEGAL_H
#define LANEWAY_LEGAL_H

/* One value against one row of a parameter table. */

#include "laneway/encoding.h"

/* A list has at most this many entries. */
#define LW_LIST_MAX 64

/* Whether a value is legal; else appends which values are. `rank` is -1 when it is unknown. `tensor_rank` is the
 * tensor's: `rank` is larger by one for each slice around the encoding. -1: `rank` is that of another list of the same
 * encoding. */
bool lw_value_legal(struct lw_text *what, enum lw_code *code, const struct lw_param *param,
                    const struct lw_value *value, int rank, int tensor_rank);

/* legal_text.c: the limits of a row, and a number or the range of a row in messages: "2^17",
 * "at least 1", "1, 2 or 4". */
void lw_param_limits(const struct lw_param *param, int64_t *min, int64_t *max);
void lw_param_put_number(struct lw_text *text, int64_t n);
void lw_param_put_range(struct lw_text *text, const struct lw_param *param);

/* A type as messages name it: "a list of integers". */
const char *lw_param_type_name(enum lw_param_type type);

#endif
