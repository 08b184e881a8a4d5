#ifndef LANEWAY_FORM_H
#define LANEWAY_FORM_H

/* The form: its fields, the numbers in them, and an edit of one. */

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
    struct lw_text text;          /* the value in force */
    bool is_set;
    bool hidden;  /* folded away */
    int folds;    /* the number of lines folded away below this one; 0: it is a field */
    bool changed; /* differs from the document as read */
    int row, col; /* of its value on the screen, when it was last drawn; row -1: not there */
};

struct lw_form_state {
    struct lw_field *fields;
    size_t count, room;
    size_t field, top;      /* the chosen one, and the first one shown */
    size_t item;            /* the number chosen in a list field */
    bool folded;            /* shown only while it has the focus, as the user set */
    bool kept;              /* shown beside every view, as the user set */
    bool gives_way;         /* folded, so that the view has room */
    bool full;              /* optional parameters that are not set are shown too */
    enum lw_side side;      /* the layout whose fields come first */
    uint64_t facts_top;     /* the first fact shown under the form */
    bool facts_more;        /* there are more below, as last drawn */
    struct lw_rect stepper; /* steps the chosen field by mouse; width 0: not on the screen */

    char edited[LW_PATH_MAX]; /* the path of the field that is being typed in */
    struct lw_line_edit edit;
    bool by_number; /* a digit began the edit: Right and Tab go from number to number */
    bool replaces;  /* and the next digit replaces the number at the caret */
    bool whole;     /* the value is as it was: a character replaces all of it, an arrow edits it */
    struct lw_pick_state pick; /* while a value is chosen from a list */
    bool has_before;
    struct lw_document before; /* the document when the edit began */
};

void lw_form_refresh(struct lw_explorer *ex);
void lw_form_free(struct lw_explorer *ex);
void lw_form_follow(struct lw_explorer *ex); /* the active pane shows another layout */
/* Why the layout that a path is of is not legal. */
struct lw_error *lw_form_problem(struct lw_explorer *ex, const char *path);
/* Whether the problem of its layout is shown at a field: at the one that it names, else at the one that is edited. */
bool lw_form_is_bad(struct lw_explorer *ex, const struct lw_field *field);
/* The form has the focus: of two layouts the view of the one that it edits is active now. */
void lw_form_show_edited(struct lw_explorer *ex);
/* The same, and the field in error is chosen. */
void lw_form_enter(struct lw_explorer *ex);
/* The field in error is chosen, if there is one. */
void lw_form_choose_bad(struct lw_explorer *ex);
/* The path of a parameter as people name it: of the layout that is shown where it has one of that name, else
 * of another one; the name itself where neither has. A dot before it: this very path. */
const char *lw_form_path(const struct lw_explorer *ex, const char *name);
/* Whether lw_form_path means one field alone; false, with a message that has the paths, where the layout that it
 * looks in has several that are called so. */
bool lw_form_disambiguate(struct lw_explorer *ex, const char *name);
/* The path of a field as the user must type it: with a dot before it where several fields have its name. */
void lw_form_put_path(const struct lw_explorer *ex, struct lw_text *text, size_t field);
/* The field of that path becomes the one that is chosen; the same stays where there is none. */
void lw_form_choose(struct lw_explorer *ex, const char *path);
void lw_form_choose_at(struct lw_explorer *ex,
                       size_t field); /* one that is folded away comes to light */
void lw_form_unfold(struct lw_explorer *ex,
                    bool full); /* optional parameters that are not set are shown, or not */
void lw_form_move(struct lw_explorer *ex, int by);
void lw_form_pick(struct lw_explorer *ex, int by);        /* another number of a list */
void lw_form_pick_at(struct lw_explorer *ex, int column); /* the number there in the value */
/* The next value or the one before; one that is not legal is not set, and a message has the reason. (step.c) */
void lw_form_step(struct lw_explorer *ex, int direction);
void lw_form_edit(struct lw_explorer *ex, uint32_t first); /* first: the key that began it, or 0 */
/* A key of an edit: of one that a digit began, Right at the end of a number goes to the next one. */
void lw_form_key(struct lw_explorer *ex, uint32_t key);
/* To the number after (1) or before (-1), which the next digit replaces; false: there is none, or the edit
 * is of the whole text. */
bool lw_form_turn(struct lw_explorer *ex, int by);
bool lw_form_accept(struct lw_explorer *ex);
void lw_form_cancel(struct lw_explorer *ex);
/* ---- One edit, for the other files of the form ---- */

/* Begins an edit, ends it as one step of history, tries a value on the document; false: it cannot be read,
 * lw_form_problem has the reason. */
bool lw_form_begin(struct lw_explorer *ex);
void lw_form_finish(struct lw_explorer *ex);
bool lw_form_try(struct lw_explorer *ex, const char *path, const char *text);
/* Brings the document of before the edit back: at its end, or while it goes on. */
void lw_form_restore(struct lw_explorer *ex);
void lw_form_retry(struct lw_explorer *ex);

/* ---- field_choices.c: the values of fields that have few ---- */

bool lw_field_is_element(const struct lw_field *field);
/* How many values a field has to choose from; 0: it has none, or too many. */
size_t lw_field_choices(const struct lw_field *field);
/* Appends number i of them; false: there are no more. */
bool lw_field_choice(const struct lw_field *field, size_t i, struct lw_text *text);
/* Whether a value is among those that are typed: a number begins with the text, another value contains it, or is an
 * element type that people call so. */
bool lw_field_choice_has(const struct lw_field *field, const char *value, const char *typed);

/* Appends the value after (1) or before (-1) the field's own; nothing where there is none. */
void lw_field_step(const struct lw_field *field, int direction, struct lw_text *text);

/* swap.c: exchanges the chosen entry of a list with the next one, of bases also with those of the next dim;
 * of a field without a list the order of its layout. */
void lw_form_swap(struct lw_explorer *ex, int unused);
/* Whether there is something to swap: entries of the chosen field, or an order. */
bool lw_form_swaps(const struct lw_explorer *ex);

/* Sets several parameters as one edit: all or, with a message, none. */
struct lw_form_value {
    const char *path, *value;
};
bool lw_form_set_all(struct lw_explorer *ex, const struct lw_form_value *settings, size_t count);
/* In the matrix view, flips the bit under the cursor, in a layout that has its bases as parameters; false: the view is
 * another one. (flip_bit.c) */
bool lw_form_flip_bit(struct lw_explorer *ex);
bool lw_form_flips(const struct lw_explorer *ex); /* whether it flips one there */
/* Sets a parameter as if it had been typed in the form, as one step of history; false with a message
 * when it cannot be read. */
bool lw_form_set(struct lw_explorer *ex, const char *path, const char *value);

#endif
