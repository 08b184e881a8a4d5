#ifndef LANEWAY_COMPARE_SHARED_H
#define LANEWAY_COMPARE_SHARED_H

/* Elements of two layouts with an owner in both, whether they differ or not: only with copies are these others than the
 * equal ones. */

#include "laneway/owners.h"

bool lw_compare_shares(const struct lw_comparison *comparison, const uint64_t *out);
/* When both layouts are linear, in closed form: how many; saturates at UINT64_MAX. */
bool lw_compare_count_shared(const struct lw_comparison *comparison, uint64_t *shared);

#endif
