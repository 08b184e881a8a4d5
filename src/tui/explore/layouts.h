#ifndef LANEWAY_LAYOUTS_H
#define LANEWAY_LAYOUTS_H

/* The layouts on the screen: those of the document by side, and those that they are compared with. */

#include "laneway/subject.h"

struct lw_layouts {
    unsigned version; /* changes with any of them */
    const struct lw_hardware
        *hardware; /* the target of all entries without their own; NULL: the default */
    bool has_opened;
    struct lw_opened opened; /* the document's own layout, the last legal one */
    enum lw_side side;       /* its side */
    struct lw_error problem; /* why the edited document is not legal; code LW_OK: it is */
    /* The other layouts of an access, by side. */
    bool has_side[LW_SIDES];
    struct lw_opened sides[LW_SIDES];
    struct lw_error side_problems[LW_SIDES];
    /* The layouts to compare with: the same members for another document. */
    bool has_other;
    struct lw_opened other;
    enum lw_side other_side;
    bool has_other_side[LW_SIDES];
    struct lw_opened other_sides[LW_SIDES];
};

/* The layout that a pane shows. */
struct lw_shown {
    enum lw_side side;
    bool other; /* of the layouts to compare with */
};

/* The layout at a side; NULL: there is none. */
const struct lw_subject *lw_layouts_at(const struct lw_layouts *layouts, struct lw_shown shown);
/* Whether there are several: an access, or a conversion. */
bool lw_layouts_are_several(const struct lw_layouts *layouts);
/* Whether the layouts of two accesses or conversions are compared. */
bool lw_layouts_compare_several(const struct lw_layouts *layouts);
/* The next side after `side` that has a layout, in the order A, S, B. */
enum lw_side lw_layouts_next(const struct lw_layouts *layouts, enum lw_side side);
/* Why an edited layout is not legal; NULL: all are. */
const struct lw_error *lw_layouts_problem(const struct lw_layouts *layouts);
/* The same for the layout at a side. */
const struct lw_error *lw_layouts_problem_at(const struct lw_layouts *layouts, enum lw_side side);
/* Joins a layout in registers and the one that it is compared with, if that is in registers too and of one shape: views
 * of a conversion then have one from the first to the second. */
bool lw_layouts_join_compared(struct lw_layouts *layouts, struct lw_error *err);
/* Joins the open layouts of an access, or with `other` those that they are compared with. */
bool lw_layouts_join(struct lw_layouts *layouts, bool other, struct lw_error *err);
/* Closes all layouts of the document, or with `other` all that it is compared with. */
void lw_layouts_close_all(struct lw_layouts *layouts, bool other);

#endif
