#ifndef LANEWAY_TARGETS_DATA_H
#define LANEWAY_TARGETS_DATA_H

/* The documents of layouts/targets/ as tables, made at build by embed_targets.sh. */

#include "laneway/hardware.h"

#include <stddef.h>

extern const struct lw_hardware lw_targets_data[];
extern const size_t lw_targets_data_count;
extern const size_t lw_targets_default; /* the row of sm90 */

#endif
