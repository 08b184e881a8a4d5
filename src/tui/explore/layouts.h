#ifndef LANEWAY_LAYOUTS_H
#define LANEWAY_LAYOUTS_H

/* The layouts on the screen: the one or two of the document, and those that they are compared with. */

#include "laneway/subject.h"

struct lw_layouts {
    const struct lw_hardware *hardware; /* the target; NULL: the default */
    bool has_opened, has_second;
    struct lw_opened opened, second; /* the last legal ones */
    struct lw_error problem; /* why the document as edited is not legal; code LW_OK: it is */
    struct lw_error second_problem;
    bool has_other, has_other_second;
    struct lw_opened other, other_second; /* those to compare with */
};

#endif
