#ifndef LANEWAY_VIEWS_H
#define LANEWAY_VIEWS_H

/* The views. A line NAME is the row lw_view_NAME, which is in the file of that view. */

#include "laneway/view.h"

/* clang-format off */
#define LW_VIEW_TYPES(ROW) \
    ROW(owners) \
    ROW(hardware) \
    ROW(matrix) \
    ROW(memory) \
    ROW(banks) \
    ROW(conversion) \
    ROW(bases) \
    ROW(facts) \
    ROW(notation) \
    ROW(mma) \
    ROW(product) \
    ROW(text)
/* clang-format on */

#define LW_DECLARE_VIEW(NAME) extern const struct lw_view_type lw_view_##NAME;
LW_VIEW_TYPES(LW_DECLARE_VIEW)
#undef LW_DECLARE_VIEW

/* What to use in place of a view that there was once, by its name; NULL: there was none. */
const char *lw_view_dropped(const char *name);

#endif
