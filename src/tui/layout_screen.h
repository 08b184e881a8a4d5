#ifndef LANEWAY_LAYOUT_SCREEN_H
#define LANEWAY_LAYOUT_SCREEN_H

/*
 * The screen of a layout: from top to bottom the source line, the verdict, the tabs, the picture, the inspector. Its
 * files, each of which calls only those before it:
 *
 *     layout_model.c   the model, its picture, undo, and what changes them: the source line, the form, the best S
 *     layout_screen.c  drawing, keys, the mouse, the table of actions
 */

#include "tui/best.h"
#include "tui/keep/edits.h"
#include "tui/input.h"
#include "tui/param_form.h"
#include "tui/picture/picture.h"
#include "tui/screen.h"

enum { LW_ROOMY = 30, LW_TABS_MAX = 6, LW_VIEWS_MAX = 12, LW_BESIDE = 180 };

/* A document that was shown before, or after, the present one. */
struct lw_past_layout {
    struct lw_document doc;
    char *text;
};

/* A text that names a layout, and the last legal layout of it. */
struct lw_named_layout {
    struct lw_model *model; /* NULL: nothing legal was typed yet */
    struct lw_input line;   /* the text while it is edited */
    bool edits;
    struct lw_error wrong; /* why the edited text is not legal; code LW_OK: it is */
};

struct lw_layout_screen {
    struct lw_screen screen;
    struct lw_named_layout own;
    struct lw_model *other; /* to compare with, or NULL */
    struct lw_picture *picture;
    const struct lw_picture_type *shown; /* the type of `picture` */
    const struct lw_picture_type *view;  /* the chosen one, for the next model too */
    enum lw_side side;                   /* whose layout views of one layout show */
    struct lw_spot spot;                 /* the element of the cursor */
    bool has_spot;
    struct lw_lit lit;
    struct lw_param_form form;
    struct lw_best best;
    struct lw_model *preview; /* with another S, while the list of the best is shown; or NULL */
    uint64_t before;          /* wavefronts before another S was chosen; 0: none was */
    struct lw_explanation about;
    struct lw_past_layout *past;
    size_t past_count, past_at; /* at: the present one */
    struct lw_edits edits;
    bool hides_answers;                                /* see lw_layout_hide_answers */
    char found[64];                                    /* what was searched for last */
    uint64_t found_at;                                 /* the number of the match */
    const struct lw_picture_type *views[LW_VIEWS_MAX]; /* the first tab_count ones have tabs */
    size_t view_count, tab_count;
    const struct lw_model *views_of; /* the model that they are of */
    struct lw_rect rect;             /* as drawn last */
};

static inline struct lw_layout_screen *lw_layout_of(const struct lw_screen *screen)
{
    return (struct lw_layout_screen *)screen;
}

/* What is shown: the preview, or the layout itself. */
const struct lw_model *lw_layout_shown_model(const struct lw_layout_screen *layout);
/* Opens the picture of a view, or of another one if it does not fit; while there is a layout to compare with, that of
 * both. */
void lw_layout_open_picture(struct lw_layout_screen *layout, const struct lw_picture_type *view);
/* Whether the model that is shown has a view, and its number. */
bool lw_layout_has_view(const struct lw_layout_screen *layout, const struct lw_picture_type *view,
                        size_t *at);
/* Shows a model, of which it takes over the memory. */
void lw_layout_replace(struct lw_layout_screen *layout, struct lw_model *model);
/* The cursor moved: what is lit, and the element that other views go to. */
void lw_layout_follow(struct lw_layout_screen *layout, bool light);
void lw_layout_drop_past(struct lw_layout_screen *layout, size_t from);
/* Keeps the present model as the last one of the past. */
void lw_layout_record(struct lw_layout_screen *layout);
void lw_layout_step_past(struct lw_screen *screen, int by);

void lw_layout_show_other(struct lw_layout_screen *layout, struct lw_model *model);
void lw_layout_try_text(struct lw_layout_screen *layout);
void lw_layout_finish_edit(struct lw_screen *screen, int keep);
bool lw_layout_on_paste(struct lw_screen *screen, const char *text);
/* Begins with the last layout before it of the same shape, else with the layout itself. */
void lw_layout_compare(struct lw_screen *screen, int argument);

void lw_layout_toggle_form(struct lw_screen *screen, int argument);
void lw_layout_next_part(struct lw_screen *screen, int argument);
/* Requests another value for the field of the cursor. */
void lw_layout_change_value(struct lw_screen *screen, int argument);
/* Previews the candidate under the cursor. */
void lw_layout_preview_best(struct lw_layout_screen *layout);
void lw_layout_show_best(struct lw_screen *screen, int argument);
void lw_layout_leave_best(struct lw_screen *screen, int argument);
/* Puts the candidate under the cursor in place of S. */
void lw_layout_use_best(struct lw_screen *screen, int argument);

/* Shows a model as an edit that can be undone; false: it is NULL. */
bool lw_layout_take(struct lw_layout_screen *layout, struct lw_model *model);
/* Flips the bit of the matrix under the cursor. */
void lw_layout_flip(struct lw_screen *screen, int argument);

#endif
