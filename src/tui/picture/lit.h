#ifndef LANEWAY_LIT_H
#define LANEWAY_LIT_H

/* What is lit with the cursor: the rest of a picture is dimmed. */

#include "tui/picture/cell_grid.h"

enum lw_lit_what { LW_LIT_THREAD, LW_LIT_WARP, LW_LIT_REGISTER, LW_LIT_BANK, LW_LIT_WHATS };

struct lw_lit {
    enum lw_lit_what what;
    enum lw_lit_what color; /* what cells of owners are coloured by: thread, warp or register */
    bool on;
    bool by_pointer;      /* until the pointer leaves */
    struct lw_slot owner; /* of the element */
    uint64_t bank;
    uint64_t vector; /* of the swizzle, in Memory */
    bool has_op;     /* an access was chosen in a path, a store or a load: */
    bool is_load;
};

/* The name of what is lit: "thread". */
const char *lw_lit_name(enum lw_lit_what what);
/* Lights what the pointer is on, unless that of the cursor is lit. */
void lw_lit_point(struct lw_lit *lit, const struct lw_grid_cell *cell);

#endif
