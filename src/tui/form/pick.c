/* The pick list: the legal values of a field, filtered by what is typed. Each value that is chosen is tried on
 * the document at once; the edit ends with Enter, or Esc, which brings the old value back.
 *
 * Invariant: while it is open the document of before is in form.before. */

#include "tui/form/pick.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"

#include <string.h>

static const struct lw_field *field_of(const struct lw_explorer *ex)
{
    return &ex->form.fields[ex->form.field];
}

/* The number among all values of value number `at` of the list; SIZE_MAX: there are fewer. The value is
 * appended. */
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

/* The value in force is chosen, where the list has it. */
static void choose_current(struct lw_explorer *ex)
{
    struct lw_text value = {0};
    const char *now = lw_text_string(&field_of(ex)->text);
    ex->form.pick.at = 0;
    for (size_t i = 0; listed(ex, i, &value) != SIZE_MAX; i++)
        if (!strcmp(lw_text_string(&value), now))
            ex->form.pick.at = i;
    lw_text_free(&value);
}

/* Sets the chosen value in the document; where the list has none, the old one. */
static void try_chosen(struct lw_explorer *ex)
{
    struct lw_text value = {0};
    if (listed(ex, ex->form.pick.at, &value) != SIZE_MAX)
        lw_form_try(ex, ex->form.edited, lw_text_string(&value));
    else
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
    pick->top = 0;
    ex->focus = LW_FOCUS_PICK;
    choose_current(ex);
    if (first > ' ')
        lw_pick_key(ex, first);
    return true;
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
    int64_t count = (int64_t)count_listed(ex), at = (int64_t)ex->form.pick.at + by;
    ex->form.pick.at = (size_t)(at >= count ? count - 1 : at);
    if (at < 0 || count == 0)
        ex->form.pick.at = 0;
    try_chosen(ex);
}

/* `:` begins a command: the chosen value is taken. */
static void leave_for_command(struct lw_explorer *ex)
{
    lw_pick_accept(ex, 0);
    if (ex->focus == LW_FOCUS_PICK)
        lw_pick_cancel(ex);
    ex->status.message[0] = '\0';
    lw_prompt_open(ex, LW_FOCUS_COMMAND);
}

void lw_pick_key(struct lw_explorer *ex, uint32_t key)
{
    if (key == ':') {
        leave_for_command(ex);
        return;
    }
    bool blank = key == ' ' && !ex->form.pick.filter.text.length; /* no value begins so */
    if (blank || !lw_line_key(&ex->form.pick.filter, key))
        return;
    ex->form.pick.top = 0;
    choose_current(ex);
    try_chosen(ex);
}

void lw_pick_accept(struct lw_explorer *ex, int move)
{
    if (ex->focus != LW_FOCUS_PICK)
        return;
    const char *typed = lw_text_string(&ex->form.pick.filter.text);
    if (count_listed(ex) == 0 && !lw_form_try(ex, ex->form.edited, typed)) {
        lw_explorer_set_message(ex, true, "%s; Esc brings the old value back",
                                lw_form_problem(ex, ex->form.edited)->message);
        return;
    }
    ex->focus = LW_FOCUS_FORM;
    lw_form_finish(ex);
    if (move)
        lw_form_move(ex, move);
}

void lw_pick_cancel(struct lw_explorer *ex)
{
    lw_form_cancel(ex);
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

/* Under the field where there is room, else above it, else over it; not wider than its values need. */
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
    pick->top = pick->at < pick->top ? pick->at : pick->top;
    pick->top = pick->at >= pick->top + shown ? pick->at - shown + 1 : pick->top;
    pick->inside = in;
    draw_values(ex, surface, in);
    lw_put_more(surface, rect, (int)pick->top, (int)count - (int)shown);
    lw_text_free(&value);
    lw_text_free(&title);
}
