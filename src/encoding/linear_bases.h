#ifndef LANEWAY_LINEAR_BASES_H
#define LANEWAY_LINEAR_BASES_H

/* Layouts whose parameters are bases, one parameter for each input dim. */

#include "encoding/schema.h"
#include "encoding/tile.h"

/* The layout of the parameters `names`; its sizes are the least that hold the bases. */
bool lw_read_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                   int rank, struct lw_layout *out, struct lw_error *err);
/* Whether those that are not zero hold each element once; else adds the problem. */
bool lw_check_bases(const struct lw_encoding *encoding, const char *const *names, int count,
                    const struct lw_tensor *tensor, struct lw_layout *out,
                    struct lw_report *report);

#endif
