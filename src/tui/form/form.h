#ifndef LANEWAY_FORM_H
#define LANEWAY_FORM_H

/* The form: its fields, the numbers in them, and the edit of a field. */

#include "laneway/document.h"
#include "tui/draw/surface.h"
#include "tui/form/line_edit.h"
#include "tui/form/pick.h"

struct lw_explorer;

/* The longest path of a parameter: `parent.` for each nested encoding. */
#define LW_PATH_MAX (LW_NESTING_MAX * 8 + 64)

/* A line of the form. */
struct lw_field {
    char path[LW_PATH_MAX]; /* "" for a heading */
    char label[40];
    int depth;
    const struct lw_param *param; /* NULL: a heading, or shape or element */
    struct lw_text text;          /* the present value */
    bool is_set;
    bool hidden;  /* folded away */
    int folds;    /* for the line of a fold: the number of folded lines; 0: a field */
    bool changed; /* differs from the document as read */
    int row, col; /* of its value on the screen, as last drawn; row -1: not drawn */
};

struct lw_form_state {
    struct lw_field *fields;
    size_t count, room;
    size_t field, top;      /* the chosen field, and the first one shown */
    size_t item;            /* the number chosen in a list field */
    bool folded;            /* shown only while it has the focus, by the user's choice */
    bool kept;              /* shown beside every view, by the user's choice */
    bool gives_way;         /* folded, so that the view has room */
    bool full;              /* optional parameters that are not set are shown too */
    enum lw_side side;      /* the layout whose fields come first */
    uint64_t facts_top;     /* the first fact shown under the form */
    bool facts_more;        /* there were more facts below when it was last drawn */
    struct lw_rect stepper; /* the - and + for the mouse at the chosen field; width 0: not on the
                               screen */

    char edited[LW_PATH_MAX]; /* the path of the edited field */
    struct lw_line_edit edit;
    bool by_number;    /* a digit began the edit: Right, Tab and comma go from number to number */
    size_t first_item; /* the number chosen when the edit began, and again when it has ended */
    bool beyond;   /* a comma was refused, as the list may have no more numbers; so are digits */
    bool replaces; /* the next digit replaces the number at the caret */
    bool whole;    /* nothing was typed yet: a character replaces the whole value, an arrow edits
                       it */
    struct lw_pick_state pick; /* while a value is chosen from a list */
    bool has_before;
    struct lw_document before; /* the document when the edit began */
};

void lw_form_refresh(struct lw_explorer *ex);
void lw_form_free(struct lw_explorer *ex);
void lw_form_follow(struct lw_explorer *ex); /* after the active pane shows another layout */
/* Why the layout with the field of a path is not legal. */
struct lw_error *lw_form_problem(struct lw_explorer *ex, const char *path);
/* Whether the problem of the layout is shown at this field: it is shown at the field that it names, else at the edited
 * one. */
bool lw_form_is_bad(struct lw_explorer *ex, const struct lw_field *field);
/* Called when the form has the focus: of two panes, the one with the edited layout becomes active. */
void lw_form_show_edited(struct lw_explorer *ex);
/* The same, and chooses the field in error. */
void lw_form_enter(struct lw_explorer *ex);
/* Chooses the field in error, if there is one. */
void lw_form_choose_bad(struct lw_explorer *ex);
/* The path of a parameter of that name: in the shown layout if it has one, else in another; the name itself if none
 * has. A name that begins with a dot is the path after it. */
const char *lw_form_path(const struct lw_explorer *ex, const char *name);
/* Whether lw_form_path finds only one field; false, with a message that has the paths, if that layout has several of
 * this name. */
bool lw_form_disambiguate(struct lw_explorer *ex, const char *name);
/* Appends the path of a field as the user must type it: after a dot if several fields have its name. */
void lw_form_put_path(const struct lw_explorer *ex, struct lw_text *text, size_t field);
/* Chooses the field of that path, if there is one. */
void lw_form_choose(struct lw_explorer *ex, const char *path);
void lw_form_choose_at(struct lw_explorer *ex, size_t field); /* a folded one is shown */
void lw_form_unfold(struct lw_explorer *ex,
                    bool full); /* shows or hides optional parameters that are not set */
void lw_form_move(struct lw_explorer *ex, int by);
void lw_form_pick(struct lw_explorer *ex, int by);        /* chooses another number of a list */
void lw_form_pick_at(struct lw_explorer *ex, int column); /* chooses that number */
/* Sets the next value or the one before, unless it is not legal: then a message has the reason. (step.c) */
void lw_form_step(struct lw_explorer *ex, int direction);
void lw_form_edit(struct lw_explorer *ex, uint32_t first); /* first: the key that began it, or 0 */
/* Handles a key of an edit: if a digit began it, Right at the end of a number goes to the next one. */
void lw_form_key(struct lw_explorer *ex, uint32_t key);
/* Goes to the number after (1) or before (-1), which the next digit replaces; false: there is none, or the edit is of
 * the whole text. */
bool lw_form_turn(struct lw_explorer *ex, int by);
bool lw_form_accept(struct lw_explorer *ex);
void lw_form_cancel(struct lw_explorer *ex);
/* ---- One edit, for the other files of the form ---- */

/* Begins an edit, ends it as one step of history, tries a value on the document; false: it cannot be read,
 * lw_form_problem has the reason. */
bool lw_form_begin(struct lw_explorer *ex);
void lw_form_finish(struct lw_explorer *ex);
bool lw_form_try(struct lw_explorer *ex, const char *path, const char *text);
/* Restores the document of before the edit, at its end or during it. */
void lw_form_restore(struct lw_explorer *ex);
void lw_form_retry(struct lw_explorer *ex);

/* ---- field_choices.c: the values of fields with few of them ---- */

bool lw_field_is_element(const struct lw_field *field);
/* The number of values to choose from; 0: the field has none, or too many. */
size_t lw_field_choices(const struct lw_field *field);
/* Appends value number i; false: there are fewer. */
bool lw_field_choice(const struct lw_field *field, size_t i, struct lw_text *text);
/* Whether a value matches the typed text: a number begins with it, another value contains it, or it is another name of
 * that element type. */
bool lw_field_choice_has(const struct lw_field *field, const char *value, const char *typed);

/* Appends the value after (1) or before (-1) the field's own; nothing if there is none. */
void lw_field_step(const struct lw_field *field, int direction, struct lw_text *text);

/* swap.c: exchanges the chosen entry of a list with the next one, for the last basis with the first one of the next
 * dim; for a field without a list, in the order of its layout. */
void lw_form_swap(struct lw_explorer *ex, int unused);
/* Whether there is something to swap: entries of the chosen field, or an order. */
bool lw_form_swaps(const struct lw_explorer *ex);

/* Sets several parameters as one edit: all or, with a message, none. */
struct lw_form_value {
    const char *path, *value;
};
bool lw_form_set_all(struct lw_explorer *ex, const struct lw_form_value *settings, size_t count);
/* Flips the bit under the cursor of the matrix view, for a layout with its bases as parameters; false: another view.
 * (flip_bit.c) */
bool lw_form_flip_bit(struct lw_explorer *ex);
bool lw_form_flips(const struct lw_explorer *ex); /* whether that flips a bit */
/* Sets a parameter as if it had been typed in the form, as one step of history; false with a message
 * when it cannot be read. */
bool lw_form_set(struct lw_explorer *ex, const char *path, const char *value);

#endif
