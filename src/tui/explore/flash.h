#ifndef LANEWAY_FLASH_H
#define LANEWAY_FLASH_H

/* After an edit, an undo or a redo: the cells whose owners changed are marked for a moment, until the next key. */

#include "tui/explore/compare_layouts.h"

struct lw_flash {
    bool on;
    int64_t until; /* of lw_now_ms */
    bool has[LW_SIDES];
    struct lw_opened before[LW_SIDES]; /* the layouts as they were */
    struct lw_diff diff[LW_SIDES];
};

/* Keeps a layout of the access that is about to be replaced, instead of closing it. */
void lw_flash_keep(struct lw_explorer *ex, enum lw_side side, struct lw_opened *before);
/* The new layouts are there: marks what differs from those that were kept. */
void lw_flash_begin(struct lw_explorer *ex);
void lw_flash_end(struct lw_explorer *ex);
/* A tick came; false: it is not for this. */
bool lw_flash_tick(struct lw_explorer *ex);
/* Whether what a spot shows has just changed, and less than half of the elements have. */
bool lw_flash_has(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
/* "last change: 12 of 256 elements moved", shorter where there is less room; nothing where they are not counted. */
void lw_flash_put(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                  struct lw_text *text);

#endif
