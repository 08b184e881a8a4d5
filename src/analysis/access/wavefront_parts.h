#ifndef LANEWAY_ANALYSIS_WAVEFRONT_PARTS_H
#define LANEWAY_ANALYSIS_WAVEFRONT_PARTS_H

#include "laneway/wavefront.h"

/* Two addresses, for vector instructions. */
typedef uint64_t lw_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* An access in units and groups. */
struct lw_service {
    unsigned group_count;
    uint64_t group[LW_GROUPS_MAX]; /* active lanes */
    unsigned shift;                /* log2 of the bytes of a unit */
    unsigned banks;                /* banks of a unit */
    unsigned all_banks;            /* that serve the access */
    uint64_t columns;              /* columns of units, less one: a mask */
    bool exact; /* distinct bytes are counted, as the lanes may need more than one row of the
                   banks */
};

/* The cost of an access that is ready. Fails on an address that is not aligned. */
bool lw_service_cost(const struct lw_bank_model *model, const struct lw_access *access,
                     const struct lw_service *service, struct lw_cost *cost, struct lw_error *err);
/* The same for any addresses, lane by lane; an exact ideal is in bytes. False when an address is not aligned. */
bool lw_service_count(const struct lw_access *access, const struct lw_service *service,
                      struct lw_cost *cost);

#endif
