#ifndef LANEWAY_VIEW_PANES_H
#define LANEWAY_VIEW_PANES_H

/* One view pane or two: what each shows, how, and where its cursor is. */

#include "laneway/view.h"
#include "tui/draw/surface.h"
#include "tui/explore/layouts.h"
#include "tui/pane/groups.h"
#include "tui/pane/merged.h"
#include "tui/pane/zoom_choice.h"

struct lw_explorer;

/* Where the inspector is. */
enum lw_inspector {
    LW_INSPECTOR_BELOW,  /* the views and the form */
    LW_INSPECTOR_BESIDE, /* the views, below the form */
    LW_INSPECTOR_LOW     /* below, two lines without a frame */
};

/* The ladder of sizes of a view: from much text in each cell to many elements in each. After the last one
 * follow, with 1, 2, ... added, as many halvings of the rows or columns that do not fit. */
enum lw_zoom {
    LW_ZOOM_FULL,
    LW_ZOOM_SHORT,
    LW_ZOOM_NUMBER,
    LW_ZOOM_TWO,   /* two columns a cell, no gaps */
    LW_ZOOM_GROUP, /* several elements of one owner a cell, with its number */
    LW_ZOOM_CHAR,  /* one column */
    LW_ZOOM_HALF,  /* one column, two rows of cells in one of the screen */
    LW_ZOOM_FEW,   /* several elements of a few threads, or of a warp, a cell, with an exact text */
    LW_ZOOM_MAX = LW_ZOOM_FEW + 126
};
#define LW_FOLD_MOST 64 /* elements along k of an MMA that are one cell */

struct lw_view_pane {
    struct lw_shown shown;
    bool side_chosen; /* by the user, for the entry that is shown */
    size_t view_index;
    bool has_view;
    struct lw_view view;
    struct lw_error view_problem;
    struct lw_view_options opened_with; /* what the open view was opened with */
    bool fresh;         /* of the layouts as they are; else it is opened again in any case */
    unsigned opened;    /* the version of the layouts that the open view is of */
    unsigned views_fit; /* see lw_pane_can_show: bit i of view i */
    unsigned tried;     /* the version of the layouts that views_fit is of, */
    struct lw_shown tried_shown;                 /* and which of them */
    struct lw_zoom_choice chosen[LW_PANE_VIEWS]; /* by view */
    uint8_t zoom;                                /* the one that is shown */
    enum lw_detail detail;                       /* of the zoom; so below */
    bool knows_zooms;                            /* `zooms` is of what is shown */
    bool zooms[2];                               /* whether - and + have a zoom to go to */
    bool mapped;                   /* not all of the picture fits: a map shows where it is */
    bool half;                     /* two rows of cells in one of the screen */
    uint64_t step_rows, step_cols; /* of elements in a cell, powers of two; the first is shown */
    uint64_t wrap;                 /* see lw_view_options */
    bool beside;                   /* the same */
    uint64_t fold;                 /* the same */
    uint64_t tile_rows, tile_cols; /* lw_view_tiles of the open view */
    int least_cell;  /* columns of a cell at least, so that two panes have the same; 0: any */
    size_t color;    /* 0: the view's own; else one of lw_color_keys */
    bool color_fits; /* this view and layout have that key */
    uint64_t row, col, top, left;
    bool ranged; /* cells from range_row, range_col to the cursor are selected */
    uint64_t range_row, range_col;
    bool linked; /* the cursor is on what the active pane's cursor is on */
    /* The widest of the labels of `rows` rows of cells from `top` on, once it is known of this view. */
    struct {
        bool known;
        uint64_t top, step;
        int rows, widest;
    } labels;
    struct lw_merged merged;
    struct lw_groups groups; /* of LW_ZOOM_GROUP and LW_ZOOM_FEW */
    bool lit_by_first;  /* of several elements in a cell the first determines whether it is lit */
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
    struct lw_rect fitted[LW_PANES_MAX]; /* where the views were when they were fitted */
    enum lw_inspector inspector;
    bool shows;                  /* an entry was shown, of which the zooms chosen are: */
    size_t shown_entry;          /* of the list */
    bool unchosen;               /* while the room is fitted: as if the user had chosen no zoom */
    int spare;                   /* rows of the view that the inspector has */
    bool aligned;                /* B of an MMA stays above C, whatever the size of cells */
    bool ungrouped;              /* two pictures have no groups of one size */
    bool stacked;                /* two pictures are one above the other, else beside each other */
    size_t list_at, list_top;    /* of the list of views: the chosen one, the first one shown */
    struct lw_view_options play; /* its access, instruction and wavefront */
    int64_t next_step; /* when it goes on by itself, of lw_now_ms; 0: when the user selects it */
    size_t follow;     /* what is lit with the cursor (follow.c); 0: what suits the layout */
    bool dims;         /* the rest is dimmed */
};

/* view_panes.c */
/* Opens a pane's view again, with the detail and colours that the pane has. */
void lw_pane_reopen(struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same, where the open view is not as the pane has it already. */
void lw_pane_open_as_sized(struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same at the zoom that suits the room, unless the user chose one. */
void lw_pane_fit(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether a view can show the pane's layout, or another one of the access. It is computed for all
 * views when it is first needed after the layouts changed. */
bool lw_pane_can_show(const struct lw_explorer *ex, struct lw_view_pane *pane, size_t view);
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
/* Whether a pane shows a picture, whose cells are elements. */
bool lw_pane_is_picture(const struct lw_view_pane *pane);
/* Shows in a pane what another one shows, once it is opened again. */
void lw_pane_copy(struct lw_view_pane *to, const struct lw_view_pane *from);
/* zoom.c */
/* Shows the view at a zoom, one of enum lw_zoom, until the next fit. */
void lw_pane_zoom(struct lw_explorer *ex, struct lw_view_pane *pane, unsigned zoom);
/* At the zoom that the user chose for the view, or else that shows all of it with the most text. */
void lw_pane_zoom_to_fit(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether each cell has room for the number of its lane. */
bool lw_pane_shows_lanes(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* Whether lanes of two digits are side by side in the operands of an MMA without a blank between them. */
bool lw_pane_operands_touch(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Selects more text in each cell (`by` 1), or more cells (-1). False: there is no such zoom. */
bool lw_pane_zoom_step(struct lw_explorer *ex, struct lw_view_pane *pane, int by);
/* Whether all cells of the view are on the screen at once. */
bool lw_pane_fits(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Finds out which of - and + have a zoom to go to, unless that is known. */
void lw_pane_try_zooms(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Appends what a cell is: "zoom short", "a cell is 4x2"; nothing for text. */
void lw_pane_zoom_put(const struct lw_view_pane *pane, struct lw_text *text);
/* Whether colours, or characters beyond ASCII, are missing: no halves of characters. */
bool lw_is_plain(const struct lw_explorer *ex);
/* zoom_choice.c */
/* An entry is shown: with the zooms that were chosen for it, those of another one stay with that one. */
void lw_zooms_follow_entry(struct lw_explorer *ex);
/* Whether cells of the pane are several elements. */
bool lw_zoom_is_merged(const struct lw_view_pane *pane);
/* To a cell for each element, where the cells of the active pane are several; false: they are not. */
bool lw_zoom_to_elements(struct lw_explorer *ex);
/* The same, or back to the zoom at which all of the view is shown. */
void lw_zoom_whole(struct lw_explorer *ex, int unused);
/* room.c */
/* Fits all views, with more or less room for the list and the inspector. */
void lw_room_fit(struct lw_explorer *ex);
/* unseen.c */
/* In the list, a message when it leaves room for one of two views. */
void lw_split_explain(struct lw_explorer *ex);
/* follow.c */
void lw_follow_dim(struct lw_explorer *ex, int unused); /* the rest is dimmed, or no longer */
void lw_follow_next(struct lw_explorer *ex, int by);    /* follows another field */
/* Keeps a pane's cursor on a cell, and that cell on screen. */
void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same with no more cells than another pane has room for, too; NULL: there is none. */
void lw_pane_scroll_with(const struct lw_explorer *ex, struct lw_view_pane *pane,
                         struct lw_view_pane *other);

/* view_list.c: the list of all views, to choose from. */
void lw_views_open(struct lw_explorer *ex, int unused);
void lw_views_move(struct lw_explorer *ex, int by);
void lw_views_show(struct lw_explorer *ex, int unused); /* the chosen one */
/* A view's own key shows it; a letter chooses the next view whose title begins with it. */
void lw_views_key(struct lw_explorer *ex, uint32_t key);
bool lw_views_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */

/* play.c: the wavefronts of an access, one after another. */
void lw_play(struct lw_explorer *ex, int by); /* a wavefront on, or back */
bool lw_play_open(
    struct lw_explorer *ex); /* the instruction under the cursor; false: there is none */
void lw_play_auto(struct lw_explorer *ex, int unused);   /* on and on, until a key is pressed */
void lw_play_tick(struct lw_explorer *ex);               /* the next step of this */
bool lw_play_pause(struct lw_explorer *ex);              /* false: it does not go on by itself */
void lw_play_access(struct lw_explorer *ex, int unused); /* stores, loads, both */
bool lw_play_stop(struct lw_explorer *ex);               /* false: nothing was played */
/* The same as lw_play while the banks of a wavefront have the focus; false: they do not. */
bool lw_play_step(struct lw_explorer *ex, int by);

#endif
