#ifndef LANEWAY_VIEW_PANES_H
#define LANEWAY_VIEW_PANES_H

/* One view pane or two: the view, the zoom and the cursor of each. */

#include "laneway/view.h"
#include "tui/draw/surface.h"
#include "tui/explore/layouts.h"
#include "tui/pane/groups.h"
#include "tui/pane/merged.h"
#include "tui/pane/zoom_choice.h"

struct lw_explorer;

/* The position of the inspector. */
enum lw_inspector {
    LW_INSPECTOR_BELOW,  /* below the views and the form */
    LW_INSPECTOR_BESIDE, /* beside the views, below the form */
    LW_INSPECTOR_LOW     /* below, two lines without a frame */
};

/* The zooms of a view: from much text in each cell to many elements in each. The last one + n has the rows or columns
 * that do not fit halved n times more. */
enum lw_zoom {
    LW_ZOOM_FULL,
    LW_ZOOM_SHORT,
    LW_ZOOM_NUMBER,
    LW_ZOOM_TWO,   /* two columns a cell, no gaps */
    LW_ZOOM_GROUP, /* several elements of one owner a cell, with its number */
    LW_ZOOM_CHAR,  /* one column */
    LW_ZOOM_HALF,  /* one column, two rows of cells in a row of the screen */
    LW_ZOOM_FEW,   /* several elements of a few threads, or of a warp, a cell, with an exact text */
    LW_ZOOM_MAX = LW_ZOOM_FEW + 126
};
#define LW_FOLD_MOST 64 /* at most this number of elements along k of an MMA in a cell */

struct lw_view_pane {
    struct lw_shown shown;
    bool side_chosen; /* chosen by the user, for the shown entry */
    size_t view_index;
    bool has_view;
    struct lw_view view;
    struct lw_error view_problem;
    struct lw_view_options opened_with; /* the options of the open view */
    bool fresh;         /* the open view is of the present layouts; else it is opened again */
    unsigned opened;    /* the version of the layouts in the open view */
    unsigned views_fit; /* see lw_pane_can_show: bit i for view i */
    unsigned tried;     /* the version of the layouts for which views_fit was computed, */
    struct lw_shown tried_shown;                 /* and the layout */
    struct lw_zoom_choice chosen[LW_PANE_VIEWS]; /* by view */
    uint8_t zoom;                                /* the shown one */
    enum lw_detail detail;                       /* of that zoom, as the members below */
    bool zooms_known;                            /* `zooms` is up to date */
    bool zooms[2];                               /* whether there is a zoom for - and for + */
    bool mapped;                   /* not all of the picture fits: there is a map of the shown
                                      part */
    bool half;                     /* two rows of cells in a row of the screen */
    uint64_t step_rows, step_cols; /* the number of elements in a cell, powers of two; the first is
                                      shown */
    const char *parts_color; /* the colours of cells of several elements; NULL: the usual ones */
    uint64_t wrap;           /* see lw_view_options */
    uint64_t across;         /* the same */
    bool beside;             /* the same */
    uint64_t fold;           /* the same */
    uint64_t tile_rows, tile_cols; /* lw_view_tiles of the open view */
    struct {
        int cell, gap, lead,
            tall; /* of a picture of which a part is covered: those without the cover; 0: none is */
    } covered;
    int least_cell;  /* the least width of a cell, so that two panes have the same; 0: any */
    size_t color;    /* 0: the view's own; else one of lw_color_keys */
    bool color_fits; /* the view and the layout have that key */
    uint64_t row, col, top, left;
    uint64_t whole_top; /* `top` of a whole access, while one instruction of it is shown */
    struct { /* the cursor of a view that has no cell for each element, when that was left */
        bool on;
        size_t view;
        uint64_t row, col;
        struct lw_spot spot;
    } left_at;
    bool ranged; /* cells from range_row, range_col to the cursor are selected */
    uint64_t range_row, range_col;
    bool linked; /* the cursor is on the element of the active pane's cursor */
    /* The width of the widest label of `rows` rows of cells from `top` on, when it has been measured. */
    struct {
        bool known;
        uint64_t top, step;
        int rows, widest;
    } labels;
    struct lw_merged merged;
    struct lw_marked marked;
    struct lw_groups groups; /* of LW_ZOOM_GROUP and LW_ZOOM_FEW */
    bool lit_by_first; /* of several elements in a cell the first determines whether it is lit */
    bool
        lit_everywhere; /* each cell, or every second one, has elements that are lit: none is drawn so */
    uint64_t drawn_row; /* where the cursor was drawn last */
};

struct lw_panes_state {
    struct lw_view_pane all[LW_PANES_MAX]; /* the first `count` of them are on the screen */
    int count;
    bool split_by_user;          /* a step back closes the second one */
    struct lw_view_pane *active; /* the pane with the focus */
    struct lw_explanation explanation;
    bool has_spot; /* `spot` is the last one under the cursor, even if the view cannot show it */
    struct lw_spot spot;
    bool moved; /* the user moved the cursor, or found something, since the entry was shown */
    struct {    /* then the view, and the cell of its cursor until that is moved */
        bool on;
        size_t view;
        uint64_t row, col;
    } hidden;
    bool found;                          /* it is what find found, and the cursor is on its cell */
    struct lw_rect fitted[LW_PANES_MAX]; /* where the views were when they were fitted */
    enum lw_inspector inspector;
    bool shows;                  /* an entry was shown, to which the chosen zooms belong: */
    size_t shown_entry;          /* its number in the list */
    bool unchosen;               /* while the room is fitted, the zooms chosen by the user are
                                    ignored */
    int spare;                   /* rows of the view given to the inspector */
    bool entered;                /* the entry shown had the focus, or its form had it */
    bool aligned;                /* B of an MMA is above C, for every size of cells */
    bool ungrouped;              /* two pictures have no groups, as these would differ in size */
    bool centres;                /* the next fit shows what is around the cursors */
    bool stacked;                /* two pictures are one above the other, else side by side */
    size_t list_at, list_top;    /* in the list of views: the chosen row, the first row shown */
    struct lw_view_options play; /* the access, instruction and wavefront of the player */
    int64_t next_step;           /* the time of the next step, of lw_now_ms; 0: at a key */
    size_t follow; /* the field lit with the cursor (follow.c); 0: the default for the layout */
    bool dims;     /* the other cells are dimmed */
};

/* view_panes.c */
/* Opens a pane's view again, with the detail and colours that the pane has. */
void lw_pane_reopen(struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same, unless the open view is up to date. */
void lw_pane_open_as_sized(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Gives cells of several elements the colours of what differs between them, if each has all warps: of the lanes, or of
 * the registers where a lane is in every second cell at least. */
void lw_pane_color_parts(struct lw_explorer *ex, struct lw_view_pane *pane);
/* The same at the zoom that fits the room, unless the user chose one. */
void lw_pane_fit(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether a view can show the pane's layout, or another one of the access. Computed for all views at the first call
 * after a change of the layouts. */
bool lw_pane_can_show(const struct lw_explorer *ex, struct lw_view_pane *pane, size_t view);
/* Shows another view in the active pane. */
void lw_explorer_set_view(struct lw_explorer *ex, size_t index);
/* Shows another layout of an access or a comparison in the active pane, with a message. */
void lw_explorer_choose_side(struct lw_explorer *ex, enum lw_side side);
bool lw_explorer_view(struct lw_explorer *ex, const char *name); /* false: there is none */
void lw_split(struct lw_explorer *ex, int unused);               /* opens or closes the second
                                                                    pane */
void lw_split_other(struct lw_explorer *ex, int unused);  /* moves the focus to the other pane */
void lw_split_layout(struct lw_explorer *ex, int unused); /* shows the next layout of the access */
/* Moves the cursor of the other pane after that of the active one moved. */
void lw_split_link(struct lw_explorer *ex);
/* Whether a spot of the other pane is the element under the cursor. */
bool lw_is_linked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
/* Whether a pane shows a picture, whose cells are elements. */
bool lw_pane_is_picture(const struct lw_view_pane *pane);
/* Gives a pane the view and the layout of another one, shown when it is opened again. */
void lw_pane_copy(struct lw_view_pane *to, const struct lw_view_pane *from);
/* zoom.c */
/* Shows the view at a zoom, one of enum lw_zoom, until the next fit. */
void lw_pane_zoom(struct lw_explorer *ex, struct lw_view_pane *pane, unsigned zoom);
/* Shows the view at the zoom that the user chose for it, else at the one with the most text that shows all of it. */
void lw_pane_zoom_to_fit(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether each cell has room for the number of its lane. */
bool lw_pane_shows_lanes(const struct lw_explorer *ex, const struct lw_view_pane *pane);
/* Whether lanes of two digits are side by side in the operands of an MMA without a blank between them. */
bool lw_pane_operands_touch(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether all cells of the view are on the screen at once. */
bool lw_pane_fits(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Whether colours, or characters beyond ASCII, are missing: then there are no halves of characters. */
bool lw_is_plain(const struct lw_explorer *ex);
/* zoom_step.c */
/* Selects more text in each cell (`by` 1), or more cells (-1), past zooms at which cells have less text than at another
 * one that shows as much. False: there is no such zoom. */
bool lw_pane_zoom_step(struct lw_explorer *ex, struct lw_view_pane *pane, int by);
/* Finds whether there is a zoom for - and for +, unless `zooms` is up to date. */
void lw_pane_try_zooms(struct lw_explorer *ex, struct lw_view_pane *pane);
/* Appends the zoom: "zoom short", "a cell is 4x2"; nothing for text. */
void lw_pane_zoom_put(const struct lw_view_pane *pane, struct lw_text *text);
/* zoom_choice.c */
/* Called when an entry is shown: restores the zooms that were chosen for it, and keeps those of the entry before. */
void lw_zooms_follow_entry(struct lw_explorer *ex);
/* Whether a cell of the pane has several elements. */
bool lw_zoom_is_merged(const struct lw_view_pane *pane);
/* Zooms in to a cell for each element, if a cell of the active pane has several; false: it has one. */
bool lw_zoom_to_elements(struct lw_explorer *ex);
/* The same; if a cell has one element, back to the zoom at which all of the view is shown. */
void lw_zoom_whole(struct lw_explorer *ex, int unused);
/* equal_panes.c */
/* Gives two pictures of one size the same cells and gaps: the zoom at which both fit, and the wider text. False: they
 * have no groups of one size. */
bool lw_panes_make_equal(struct lw_explorer *ex);
/* room.c */
/* Fits all views, and chooses the room for the list and the inspector. */
void lw_room_fit(struct lw_explorer *ex);
/* unseen.c */
/* Shows a message if there is no room for one of two views beside the list, or for the form beside them. */
void lw_split_explain(struct lw_explorer *ex);
/* follow.c */
void lw_follow_dim(struct lw_explorer *ex, int unused); /* dims the other cells, or no longer */
void lw_follow_next(struct lw_explorer *ex, int by);    /* lights another field with the cursor */
/* Keeps a pane's cursor on a cell, and that cell on the screen. */
void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane);
/* Keeps it in the middle, if it is not shown or at an edge of what is shown. */
void lw_pane_show_around(const struct lw_explorer *ex, struct lw_view_pane *pane);
/* As lw_pane_scroll, with no more cells than another pane also has room for; NULL: there is no other. */
void lw_pane_scroll_with(const struct lw_explorer *ex, struct lw_view_pane *pane,
                         struct lw_view_pane *other);

/* view_list.c: opens the list of all views. */
void lw_views_open(struct lw_explorer *ex, int unused);
void lw_views_move(struct lw_explorer *ex, int by);
void lw_views_show(struct lw_explorer *ex, int unused); /* shows the chosen view */
/* A view's own key shows it; a letter chooses the next view whose title begins with it. */
bool lw_views_key(struct lw_explorer *ex, uint32_t key);       /* false: it chooses none */
bool lw_views_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */

/* play.c: the wavefronts of an access, one after another. */
void lw_play(struct lw_explorer *ex, int by); /* one wavefront on, or back */
bool lw_play_open(
    struct lw_explorer *ex); /* plays the instruction under the cursor; false: there is none */
void lw_play_auto(struct lw_explorer *ex, int unused);   /* step by step, until a key is pressed */
void lw_play_tick(struct lw_explorer *ex);               /* its next step */
bool lw_play_pause(struct lw_explorer *ex);              /* false: it is not stepping */
void lw_play_access(struct lw_explorer *ex, int unused); /* stores, loads, both */
bool lw_play_stop(struct lw_explorer *ex);               /* false: nothing was played */
/* As lw_play, while the banks of a wavefront have the focus; false: they do not. */
bool lw_play_step(struct lw_explorer *ex, int by);

#endif
