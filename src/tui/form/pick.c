/* The pick list: the legal values of a field, filtered by the typed text. Each chosen value is tried on the document at
 * once; the edit ends with Enter, or with Esc, which restores the old value.
 *
 * Invariant: while it is open, form.before has the document of before. */

#include "tui/form/pick.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"

#include <ctype.h>
#include <string.h>

static const struct lw_field *field_of(const struct lw_explorer *ex)
{
    return &ex->form.fields[ex->form.field];
}

/* Appends value number `at` of the filtered list; returns its number among all values; SIZE_MAX: there are fewer. */
static size_t listed(const struct lw_explorer *ex, size_t at, struct lw_text *value)
{
    const char *filter = lw_text_string(&ex->form.pick.filter.text);
    for (size_t i = 0;; i++) {
        lw_text_clear(value);
        if (!lw_field_choice(field_of(ex), i, value))
            return SIZE_MAX;
        if (lw_field_choice_has(field_of(ex), lw_text_string(value), filter) && at-- == 0)
            return i;
    }
}

static size_t count_listed(const struct lw_explorer *ex)
{
    struct lw_text value = {0};
    size_t count = 0;
    while (listed(ex, count, &value) != SIZE_MAX)
        count++;
    lw_text_free(&value);
    return count;
}

/* The row of a value in the list; SIZE_MAX: none. */
static size_t find_listed(const struct lw_explorer *ex, const char *wanted)
{
    struct lw_text value = {0};
    size_t at = SIZE_MAX;
    for (size_t i = 0; at == SIZE_MAX && listed(ex, i, &value) != SIZE_MAX; i++)
        if (!strcmp(lw_text_string(&value), wanted))
            at = i;
    lw_text_free(&value);
    return at;
}

/* Chooses the value equal to the typed text; else the present one, if it is in the list; else the first. A typed number
 * that is not in the list chooses none, even if another number begins with it. */
static void choose(struct lw_explorer *ex)
{
    struct lw_pick_state *pick = &ex->form.pick;
    const char *typed = lw_text_string(&pick->filter.text);
    bool number = field_of(ex)->param && field_of(ex)->param->type == LW_PARAM_INTEGER;
    if (pick->at == SIZE_MAX)
        lw_form_retry(ex); /* drops the typed value */
    pick->at = find_listed(ex, typed);
    if (pick->at != SIZE_MAX)
        return;
    size_t now = find_listed(ex, lw_text_string(&field_of(ex)->text));
    pick->at = (number && *typed) || count_listed(ex) == 0 ? SIZE_MAX : now != SIZE_MAX ? now : 0;
}

/* Sets the chosen value in the document; if none is chosen, the typed text, so that the reason is shown. */
static void try_chosen(struct lw_explorer *ex)
{
    struct lw_text value = {0};
    if (listed(ex, ex->form.pick.at, &value) != SIZE_MAX)
        lw_form_try(ex, ex->form.edited, lw_text_string(&value));
    else if (!lw_form_try(ex, ex->form.edited, lw_text_string(&ex->form.pick.filter.text)))
        lw_form_retry(ex);
    lw_text_free(&value);
}

bool lw_pick_open(struct lw_explorer *ex, uint32_t first)
{
    struct lw_pick_state *pick = &ex->form.pick;
    if (ex->form.field >= ex->form.count || !lw_field_choices(field_of(ex)) || !lw_form_begin(ex))
        return false;
    snprintf(ex->form.edited, sizeof ex->form.edited, "%s", field_of(ex)->path);
    lw_line_set(&pick->filter, "");
    pick->at = pick->top = 0;
    ex->focus = LW_FOCUS_PICK;
    choose(ex);
    if (first > ' ')
        lw_pick_key(ex, first);
    return true;
}

bool lw_pick_begins(const struct lw_explorer *ex, uint32_t key)
{
    struct lw_text value = {0};
    bool begins = false;
    if (ex->focus != LW_FOCUS_FORM || ex->form.field >= ex->form.count || key == 'u' || key > 127 ||
        !isalpha((int)key))
        return false;
    const struct lw_field *field = field_of(ex);
    bool boolean = field->param && field->param->type == LW_PARAM_BOOLEAN;
    for (size_t i = 0; (boolean || lw_field_is_element(field)) && !begins; i++) {
        lw_text_clear(&value);
        if (!lw_field_choice(field, i, &value))
            break;
        begins = (uint32_t)(unsigned char)lw_text_string(&value)[0] == key;
    }
    lw_text_free(&value);
    return begins;
}

bool lw_pick_type(struct lw_explorer *ex, uint32_t key)
{
    if (ex->form.field >= ex->form.count)
        return false;
    const struct lw_field *field = field_of(ex);
    bool boolean = field->param && field->param->type == LW_PARAM_BOOLEAN;
    return (boolean || lw_field_is_element(field)) && lw_pick_open(ex, key);
}

void lw_pick_move(struct lw_explorer *ex, int by)
{
    if (ex->focus != LW_FOCUS_PICK)
        return;
    bool none = ex->form.pick.at == SIZE_MAX;
    int64_t count = (int64_t)count_listed(ex);
    int64_t at = none ? (by > 0 ? 0 : count - 1) : (int64_t)ex->form.pick.at + by;
    if (count == 0)
        return;
    ex->form.pick.at = (size_t)(at < 0 ? 0 : at >= count ? count - 1 : at);
    try_chosen(ex);
}

void lw_pick_typed(struct lw_explorer *ex)
{
    ex->form.pick.top = 0;
    choose(ex);
    try_chosen(ex);
}

/* `:` begins a command: the chosen value is accepted. */
static void leave_for_command(struct lw_explorer *ex)
{
    lw_pick_accept(ex, 0);
    if (ex->focus == LW_FOCUS_PICK)
        lw_form_cancel(ex);
    ex->status.message[0] = '\0';
    lw_prompt_open(ex, LW_FOCUS_COMMAND);
}

void lw_pick_key(struct lw_explorer *ex, uint32_t key)
{
    if (key == ':') {
        leave_for_command(ex);
        return;
    }
    bool blank = key == ' ' && !ex->form.pick.filter.text.length; /* no value begins with a blank */
    if (!blank && lw_line_key(&ex->form.pick.filter, key))
        lw_pick_typed(ex);
}

/* Refuses the typed text, with the reason in the inspector, and the legal values if they are few. */
static void refuse(struct lw_explorer *ex)
{
    enum { SHORT = 12 };
    struct lw_text text = {0}, value = {0};
    size_t count = lw_field_choices(field_of(ex));
    lw_text_add(&text, count <= SHORT ? "" : "not legal");
    for (size_t i = 0; i < count && count <= SHORT; i++, lw_text_clear(&value))
        if (lw_field_choice(field_of(ex), i, &value))
            lw_text_format(&text, "%s%s",
                           i == 0          ? "it can be "
                           : i + 1 < count ? ", "
                                           : " or ",
                           lw_text_string(&value));
    lw_explorer_set_message(ex, true, "%s; Esc restores the old value", lw_text_string(&text));
    lw_text_free(&value);
    lw_text_free(&text);
}

void lw_pick_accept(struct lw_explorer *ex, int move)
{
    if (ex->focus != LW_FOCUS_PICK)
        return;
    if (ex->form.pick.at == SIZE_MAX &&
        (!lw_form_try(ex, ex->form.edited, lw_text_string(&ex->form.pick.filter.text)) ||
         lw_form_problem(ex, ex->form.edited)->code != LW_OK)) {
        refuse(ex);
        return;
    }
    ex->focus = LW_FOCUS_FORM;
    lw_form_finish(ex);
    if (move)
        lw_form_move(ex, move);
}

/* ---- On the screen ---- */

bool lw_pick_click(struct lw_explorer *ex, int row, int col)
{
    const struct lw_rect in = ex->form.pick.inside;
    size_t at = ex->form.pick.top + (size_t)(row - in.row);
    if (row < in.row || row >= in.row + in.height || col < in.col || col >= in.col + in.width ||
        at >= count_listed(ex))
        return false;
    ex->form.pick.at = at;
    try_chosen(ex);
    lw_pick_accept(ex, 0);
    return true;
}

/* The list is below the field if there is room, else above it, else over it; not wider than its values. */
static struct lw_rect rect_of(const struct lw_explorer *ex, int count, int widest)
{
    enum { LINES_MAX = 14, AROUND = 2 };
    const struct lw_field *field = field_of(ex);
    int row = field->row < 0 ? 1 : field->row, last = ex->screen.height - 2; /* above the keys */
    int height = (count ? count : 1) + AROUND, width = widest + 4;
    height = height > LINES_MAX ? LINES_MAX : height;
    height = height > last ? last : height;
    int top = row + height <= last ? row + 1 : row - height > 0 ? row - height : last + 1 - height;
    int col = field->row < 0 ? 0 : field->col - 2;
    col = col + width > ex->screen.width ? ex->screen.width - width : col;
    return (struct lw_rect){top, col < 0 ? 0 : col, height, width};
}

static void draw_values(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect in)
{
    struct lw_pick_state *pick = &ex->form.pick;
    const struct lw_error *problem = lw_form_problem(ex, ex->form.edited);
    struct lw_text value = {0};
    for (int line = 0; line < in.height; line++) {
        size_t at = pick->top + (size_t)line;
        bool more = listed(ex, at, &value) != SIZE_MAX;
        enum lw_pen_kind pen = at != pick->at || !more  ? LW_PEN_TEXT
                               : problem->code != LW_OK ? LW_PEN_BAD
                                                        : LW_PEN_CURSOR;
        lw_put_padded(surface, in.row + line, in.col, in.width, lw_pen(pen), "", false);
        if (more)
            lw_put(surface, in.row + line, in.col + 1, in.width - 1, lw_pen(pen),
                   lw_text_string(&value));
        else if (at == 0)
            lw_put(surface, in.row, in.col, in.width, lw_pen(LW_PEN_FAINT), "not in the list");
    }
    lw_text_free(&value);
}

void lw_draw_pick(struct lw_explorer *ex, struct lw_surface *surface)
{
    enum { LEAST = 15 };
    struct lw_pick_state *pick = &ex->form.pick;
    struct lw_text value = {0}, title = {0};
    size_t count = count_listed(ex);
    int label = (int)strlen(field_of(ex)->label), widest = label > LEAST ? label : LEAST;
    for (size_t i = 0; lw_field_choice(field_of(ex), i, &value); i++, lw_text_clear(&value))
        widest = (int)value.length > widest ? (int)value.length : widest;
    struct lw_rect rect = rect_of(ex, (int)count, widest);
    if (pick->filter.text.length)
        lw_text_format(&title, "%s_", lw_text_string(&pick->filter.text));
    else
        lw_text_format(&title, "%s", field_of(ex)->label);
    struct lw_rect in = lw_put_frame(surface, rect, lw_text_string(&title), true);
    size_t shown = in.height > 0 ? (size_t)in.height : 1;
    size_t at = pick->at == SIZE_MAX ? pick->top : pick->at;
    pick->top = at < pick->top ? at : pick->top;
    pick->top = at >= pick->top + shown ? at - shown + 1 : pick->top;
    pick->inside = in;
    draw_values(ex, surface, in);
    lw_put_more(surface, rect, (int)pick->top, (int)count - (int)shown);
    lw_text_free(&value);
    lw_text_free(&title);
}
