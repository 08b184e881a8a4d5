#ifndef LANEWAY_LAYOUT_PICK_H
#define LANEWAY_LAYOUT_PICK_H

/* The list of layouts that one of an access may be replaced by: those that are open, those of the gallery, or a SOURCE
 * that is typed. */

#include "laneway/document.h"
#include "tui/draw/surface.h"
#include "tui/form/line_edit.h"

struct lw_explorer;
struct lw_view_pane;

/* A layout to choose: an entry of the list, a name of the gallery, or a SOURCE. */
struct lw_layout_choice {
    const char *name;      /* in the gallery, or of the SOURCE; NULL: an entry */
    size_t entry;          /* its number in the list */
    const char *encoding;  /* the name of its type */
    const char *source;    /* NULL: its name is one */
    const char *title;     /* NULL: that of the gallery */
    char why[240];         /* why it does not fit the other layouts; "": it does */
    bool too_small;        /* it is memory that does not hold the registers */
    bool changes;          /* it would, but with another tensor: `why` has its sizes */
    bool counted;          /* whether its cost is known: */
    const char *uncounted; /* why it is not, if the layout fits */
    uint64_t wavefronts;   /* those that the access then takes, or the conversion */
    size_t order;          /* of those with equal costs */
};

enum { LW_MADE_MAX = 8 };

struct lw_layout_pick {
    enum lw_side side; /* the layout that is to be replaced */
    bool counted;      /* whether the present cost is known: */
    uint64_t now;      /* wavefronts */
    struct lw_layout_choice *all;
    size_t count;
    char made[LW_MADE_MAX]
             [256]; /* SOURCEs of the layouts that are not in the gallery: rows, columns,
                       swizzles */
    struct lw_line_edit filter; /* typed: the list has the layouts that contain it */
    size_t at, top;             /* in the filtered list; the first row shown */
    struct lw_rect inside;      /* the lines of the list as last drawn */
};

/* Fills `all` with the layouts that can be at pick->side, those that fit first, by their cost; false: memory is out.
 * (layout_choices.c) */
bool lw_layout_choices(struct lw_explorer *ex, struct lw_layout_pick *pick);
/* Appends the SOURCE of "vec 4,1,8", as the strip names shared S, of "vec 4, perPhase 1, maxPhase 8", "4,1,8", of "xor
 * 8", which is vec 1,1,8, and of rows with gaps, "pad 1" and "[32:+1]"; its order is that of the present shared S, else
 * row-major. False: it is something else. (layout_brief.c) */
bool lw_layout_brief(struct lw_explorer *ex, const char *brief, struct lw_text *source);
/* What is right instead of a text that looks like a short form and is none; NULL: it does not look so. */
const char *lw_layout_brief_wrong(const char *text);
/* Opens the list for a side of the layouts on the screen. */
void lw_layout_pick_open(struct lw_explorer *ex, enum lw_side side);
/* Whether a pane's view is of an access that lacks a layout; *side: the side of that one. */
bool lw_layout_pick_missing(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                            enum lw_side *side);
/* Appends which layout is missing, and the keys that choose one. */
void lw_layout_pick_put_missing(struct lw_text *text, enum lw_side side);
/* Opens the list for the layout that the active pane's view lacks, else for shared S of a banks view in which the user
 * chose no other, else for the layout that the pane shows. */
void lw_layout_pick_shown(struct lw_explorer *ex, int unused);
void lw_layout_pick_move(struct lw_explorer *ex, int by);
void lw_layout_pick_key(struct lw_explorer *ex, uint32_t key); /* a key for the filter */
/* Replaces the layout, as an edit, by the chosen one, or by the typed SOURCE when the list is empty. One that does not
 * fit is refused: the list stays open, and the message has the reason. */
void lw_layout_pick_use(struct lw_explorer *ex, int unused);
bool lw_layout_pick_click(struct lw_explorer *ex, int row, int col); /* false: not on the list */
void lw_draw_layout_pick(struct lw_explorer *ex, struct lw_surface *surface);
void lw_layout_pick_free(struct lw_explorer *ex);

#endif
