#ifndef LANEWAY_MOVING_H
#define LANEWAY_MOVING_H

/* The actions that move in the part that has the focus. */

struct lw_explorer;

void lw_go_vertical(struct lw_explorer *ex, int by);   /* rows */
void lw_go_horizontal(struct lw_explorer *ex, int by); /* columns, or numbers of a field */
void lw_go_page(struct lw_explorer *ex, int halves);
/* Goes to the first column, or the last (1); in lists, forms and texts to the first or last line. */
void lw_go_edge(struct lw_explorer *ex, int end);
void lw_go_corner(struct lw_explorer *ex, int end); /* the first cell or line, or the last */

#endif
