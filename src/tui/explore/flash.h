#ifndef LANEWAY_FLASH_H
#define LANEWAY_FLASH_H

/* After an edit, an undo or a redo: the cells whose owners changed are marked for a short time, or until the next
 * key. */

#include "tui/explore/compare_layouts.h"

struct lw_flash {
    bool on;
    int64_t until; /* when the marks end, of lw_now_ms */
    bool has[LW_SIDES];
    struct lw_opened before[LW_SIDES]; /* the layouts before the edit */
    struct lw_diff diff[LW_SIDES];
};

/* Keeps a layout of the access that is replaced, or closes it if an older one of this edit is kept. */
void lw_flash_keep(struct lw_explorer *ex, enum lw_side side, struct lw_opened *before);
/* Marks the differences between the new layouts and those that were kept. */
void lw_flash_begin(struct lw_explorer *ex);
void lw_flash_end(struct lw_explorer *ex);
/* Ends the marks at a key; while a field is edited the next ones still refer to the layouts of before. */
void lw_flash_pause(struct lw_explorer *ex);
/* Ends the marks at the tick for them; false: this tick is not for them. */
bool lw_flash_tick(struct lw_explorer *ex);
/* Whether the content of a spot has just changed, and less than half of the elements have changed. */
bool lw_flash_has(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
/* "last change: 12 of 256 elements moved", or "changed, 4 keep an owner" where elements have several; shorter if there
 * is less room; nothing if they are not counted. */
void lw_flash_put(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                  struct lw_text *text);

#endif
