#ifndef LANEWAY_FORMATS_H
#define LANEWAY_FORMATS_H

/* The formats, in the order of the help screen. A line NAME is the row lw_format_NAME, which is in the file of that
 * format. */

#include "laneway/export.h"

/* clang-format off */
#define LW_FORMATS(ROW) \
    ROW(text) \
    ROW(ansi) \
    ROW(markdown) \
    ROW(rst) \
    ROW(csv) \
    ROW(json) \
    ROW(html) \
    ROW(svg) \
    ROW(png) \
    ROW(pdf) \
    ROW(latex)
/* clang-format on */

#define LW_DECLARE_FORMAT(NAME) extern const struct lw_format lw_format_##NAME;
LW_FORMATS(LW_DECLARE_FORMAT)
#undef LW_DECLARE_FORMAT

/* What to use in place of a format that there was once, by its name or its extension; NULL: there was none. */
const char *lw_format_dropped(const char *name);

#endif
