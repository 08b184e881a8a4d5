#ifndef LANEWAY_TESTS_CONVERSION_PARTS_H
#define LANEWAY_TESTS_CONVERSION_PARTS_H

/* What conversion_test.c and conversion_view_test.c share. */

#include "plan_help.h"
#include "unit.h"
#include "view_help.h"

#include "laneway/conversion.h"
#include "seeded.h"

#define BLOCKED(spt, tpw, wpc, order)                                                              \
    "#ttg.blocked<{sizePerThread = " spt ", threadsPerWarp = " tpw ", warpsPerCTA = " wpc          \
    ", order = " order "}>"
#define SPLIT(spt, tpw, order, bases)                                                              \
    "tensor<64x64xf16, #ttg.blocked<{sizePerThread = " spt ", threadsPerWarp = " tpw               \
    ", warpsPerCTA = [1, 1], order = " order ", CGALayout = [" bases "]}>>"

static inline void convert(struct lw_conversion *c, const struct lw_map *from,
                           const struct lw_map *to, unsigned bits)
{
    struct lw_error err = {0};
    struct lw_conversion_request request = {.from = from, .to = to, .element_bits = bits};
    if (!lw_conversion_make(c, &request, &err))
        fail_msg("%s", err.message);
}

#endif
