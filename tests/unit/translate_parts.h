#ifndef LANEWAY_TESTS_TRANSLATE_PARTS_H
#define LANEWAY_TESTS_TRANSLATE_PARTS_H

/* What translate_test.c and translate_cases_test.c share. */

#include "golden.h"
#include "notation_help.h"

#include "laneway/cute.h"
#include "laneway/translate.h"

static inline uint64_t lanes_of(const struct lw_map *map)
{
    uint64_t lanes = lw_dims_size(&map->in, "lane");
    return lw_dims_find(&map->in, "lane") >= 0 ? lanes : LW_LANES_DEFAULT;
}

#endif
