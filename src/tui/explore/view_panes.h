#ifndef LANEWAY_VIEW_PANES_H
#define LANEWAY_VIEW_PANES_H

/* One view pane or two: what each shows, how, and where its cursor is. */

#include "laneway/view.h"
#include "tui/explore/layouts.h"

struct lw_explorer;

#define LW_PANES_MAX 2

struct lw_view_pane {
    struct lw_shown shown;
    size_t view_index;
    bool has_view;
    struct lw_view view;
    struct lw_error view_problem;
    unsigned views_fit; /* bit i: view i can show this layout, or another one of the access */
    enum lw_detail detail;
    bool half;       /* with LW_DETAIL_CHAR: two rows of cells in one of the screen */
    bool zoomed;     /* the user chose the detail */
    size_t color;    /* 0: the view's own; else one of lw_color_keys */
    bool color_fits; /* this view and layout have that key */
    uint64_t row, col, top, left;
    bool ranged; /* cells from range_row, range_col to the cursor are selected */
    uint64_t range_row, range_col;
    bool linked; /* the cursor is on what the active pane's cursor is on */
    /* The widest of the labels of `rows` rows from `top` on, once it is known of this view. */
    struct {
        bool known;
        uint64_t top;
        int rows, widest;
    } labels;
    uint64_t drawn_row; /* where the cursor was drawn last */
};

struct lw_panes_state {
    struct lw_view_pane all[LW_PANES_MAX]; /* the first `count` of them are on the screen */
    int count;
    bool split_by_user;          /* a step back closes the second one */
    struct lw_view_pane *active; /* the one that has the focus */
    struct lw_explanation explanation;
    bool has_spot; /* `spot` is what the cursor was last on, also where the view cannot show it */
    struct lw_spot spot;
    size_t list_at, list_top;    /* of the list of views: the chosen one, the first one shown */
    struct lw_view_options play; /* its access, instruction and wavefront */
};

/* view_panes.c */
/* Opens a pane's view again, with the detail and colours that the pane has. */
void lw_pane_reopen(struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same with the detail that suits the room, unless the user chose one. */
void lw_pane_fit(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Which views can show the pane's layout, or another one of the access. */
void lw_pane_try_views(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Another view in the active pane. */
void lw_explorer_set_view(struct lw_explorer *ex, size_t index);
bool lw_explorer_view(struct lw_explorer *ex, const char *name); /* false: there is none */
void lw_split(struct lw_explorer *ex, int unused);               /* a second pane, or back to one */
void lw_split_other(struct lw_explorer *ex, int unused);  /* the focus goes to the other pane */
void lw_split_layout(struct lw_explorer *ex, int unused); /* the next layout of the access */
/* The cursor moved in the active pane: so it does in the other one. */
void lw_split_link(struct lw_explorer *ex);
/* Whether a spot of the other pane is what the cursor is on. */
bool lw_is_linked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
/* Shows in a pane what another one shows, once it is opened again. */
void lw_pane_copy(struct lw_view_pane *to, const struct lw_view_pane *from);
/* Keeps a pane's cursor on a cell, and that cell on screen. */
void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane);

/* view_list.c: the list of all views, to choose from. */
void lw_views_open(struct lw_explorer *ex, int unused);
void lw_views_move(struct lw_explorer *ex, int by);
void lw_views_show(struct lw_explorer *ex, int unused); /* the chosen one */
/* A view's own key shows it; a letter chooses the next view whose title begins with it. */
void lw_views_key(struct lw_explorer *ex, uint32_t key);
bool lw_views_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */

/* play.c: the wavefronts of an access, one after another. */
void lw_play(struct lw_explorer *ex, int by);            /* a wavefront on, or back */
void lw_play_access(struct lw_explorer *ex, int unused); /* stores, loads, both */
bool lw_play_stop(struct lw_explorer *ex);               /* false: nothing was played */

#endif
