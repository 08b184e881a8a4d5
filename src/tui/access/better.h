#ifndef LANEWAY_BETTER_H
#define LANEWAY_BETTER_H

/* What would be better than the shared S on the screen, for the inspector. The search runs while there is no event,
 * once a conflict is under the cursor; its result is kept until the layouts change. */

#include <stdbool.h>

struct lw_explorer;
struct lw_solve;

struct lw_better {
    bool wanted;             /* the job exists, begun or not */
    struct lw_solve *search; /* while it runs */
    bool known;              /* it has ended */
    char text[480];          /* what it found; "": no line */
    char brief[256];         /* the same for a narrow inspector */
};

/* The cursor moved: fills the line "better" of the explanation, or begins the search that it
 * reports. */
void lw_better_follow(struct lw_explorer *ex);
void lw_better_end(struct lw_explorer *ex); /* before the layouts change */

#endif
