/* The bottom of the screen: the line of keys and, above it, a message or the line that is being typed.
 *
 * The line of keys has those of the focus. If there is no room for all, those of the lowest rank are left out. */

#include "tui/draw/drawing.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/prompt/prompt.h"
#include "tui/prompt/query_match.h"

#include <string.h>

enum { HINTS_MAX = 40, GAP = 2 };
enum {
    ROWS_ONLY = LW_FOCUS_GALLERY | LW_FOCUS_KERNEL | LW_FOCUS_FOLDER | LW_FOCUS_SOLVE |
                LW_FOCUS_VIEWS | LW_FOCUS_PICK | LW_FOCUS_HELP | LW_FOCUS_LAYOUTS
};

/* How long a key stays on the line when the screen gets narrower. */
enum rank { RANK_FIRST, RANK_HERE, RANK_CLOSE, RANK_COMMAND, RANK_OTHER, RANK_LAST };

struct hint {
    char key[16];
    const char *shown; /* the name of the key on the line */
    const char *text;
    enum rank rank;
    bool right; /* at the right end of the line */
    bool fits;
};

struct hints {
    struct hint hint[HINTS_MAX];
    int count;
};

/* ---- The keys ---- */

static const struct lw_field *chosen_field(const struct lw_explorer *ex)
{
    return ex->form.field < ex->form.count ? &ex->form.fields[ex->form.field] : NULL;
}

/* The hint of a key here: Enter opens an instruction, or the pick list of a field. */
static const char *hint_text(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_field *field = chosen_field(ex);
    if (!strcmp(action->name, "enter-view") && pane->has_view && pane->view.type->heat &&
        !ex->panes.play.instruction)
        return "open";
    if (!strcmp(action->name, "play") && lw_pane_is_matrix(pane))
        return "flip";
    if (!strcmp(action->name, "find-next") && lw_find_differences(ex))
        return "next difference";
    if (!strcmp(action->name, "zoom-whole") && !lw_zoom_is_merged(pane))
        return "whole";
    if (!strcmp(action->name, "pick-layout") && !lw_layouts_are_several(&ex->layouts))
        return "choose";
    if (!strcmp(action->name, "back") && lw_back_undoes(ex))
        return "undo";
    if (!strcmp(action->name, "edit") && field && field->folds)
        return ex->form.full ? "hide" : "show";
    if (!strcmp(action->name, "edit") && field && lw_field_choices(field))
        return "pick";
    return action->hint;
}

/* Whether an action of this focus is not on the line: it does nothing now, or another pane has its hint. */
static bool is_idle(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    if (!lw_key_has_use(ex, action))
        return true;
    if (!strcmp(action->name, "swap"))
        return !lw_form_swaps(ex);
    if (!strcmp(action->name, "find-next"))
        return !lw_find_leads(ex);
    if (!strcmp(action->name, "copy")) /* code is what is copied most, and what is selected */
        return !ex->panes.active->has_view ||
               (!ex->panes.active->view.type->prose && !ex->panes.active->ranged);
    if (!strcmp(action->name, "zoom-out")) /* where both are there, they have one hint */
        return ex->panes.active->zooms[1];
    if (!strcmp(action->name, "fold")) /* in the list it is for groups */
        return ex->focus == LW_FOCUS_GALLERY;
    if (!strcmp(action->name, "solve")) /* elsewhere there is no cost to look at */
        return ex->focus != LW_FOCUS_VIEW || !ex->panes.active->has_view ||
               !ex->panes.active->view.type->heat || ex->panes.play.instruction;
    if (!strcmp(action->name, "fold-group"))
        return lw_list_group(&ex->list, ex->list.entry) < 2;
    if (!strcmp(action->name, "back"))
        return !lw_back_leads(ex);
    if (!strcmp(action->name, "close"))
        return lw_back_leads(ex);
    return !strcmp(action->keys, "Enter") && lw_lesson_uses_enter(ex);
}

/* Enter, Tab, Esc and ? are left out last. */
static enum rank rank_of(const struct lw_explorer *ex, const struct lw_key_action *action,
                         const char *key)
{
    enum { TABLES = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER | LW_FOCUS_SOLVE };
    bool pair = lw_layouts_are_several(&ex->layouts);
    static const char *const first[] = {"Enter", "Tab", "Esc", "?"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (!strcmp(key, first[i]))
            return RANK_FIRST;
    if ((!strcmp(action->name, "pick-layout") && pair) || !strcmp(action->name, "access"))
        return RANK_OTHER; /* `x` leads to the layout that it replaces */
    if ((ex->focus & TABLES) && !strcmp(action->name, "up"))
        return RANK_LAST; /* that arrows move needs no hint */
    if (lw_key_is_contextual(action) || !strncmp(action->name, "sort-", 5) ||
        !strcmp(action->name, "solve") || !strcmp(action->name, "undo") ||
        !strcmp(action->name, "swap") || !strcmp(action->name, "copy") ||
        !strcmp(action->name, "find-next"))
        return RANK_HERE;
    return !strcmp(action->name, "close")     ? RANK_CLOSE
           : !strcmp(action->name, "command") ? RANK_COMMAND
                                              : RANK_OTHER;
}

static bool is_right(const struct lw_key_action *action)
{
    static const char *const names[] = {"help", "help-typing", "back", "close", "command"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(action->name, names[i]))
            return true;
    return false;
}

static struct hint *add(struct hints *hints, const char *text)
{
    if (hints->count == HINTS_MAX)
        return NULL;
    struct hint *hint = &hints->hint[hints->count++];
    *hint = (struct hint){.text = text, .shown = hint->key};
    return hint;
}

static void collect(const struct lw_explorer *ex, struct hints *hints)
{
    for (int pass = 0; pass < 2; pass++) /* first those of this view */
        for (size_t i = 0; i < ex->tables.action_count; i++) {
            const struct lw_key_action *action = &ex->tables.actions[i];
            if (!(action->focus_mask & ex->focus) || !action->hint || is_idle(ex, action) ||
                lw_key_is_contextual(action) != (pass == 0))
                continue;
            struct hint *hint = add(hints, hint_text(ex, action));
            if (!hint)
                return;
            snprintf(hint->key, sizeof hint->key, "%.*s", (int)strcspn(action->keys, " "),
                     action->keys);
            if (!strcmp(hint->key, "Up"))
                hint->shown = ex->focus & ROWS_ONLY ? "↑↓" : "←↓↑→";
            if (!strcmp(hint->key, "Right") || !strcmp(hint->key, "Left"))
                hint->shown = "←→";
            if (!strcmp(action->name, "zoom-in") && ex->panes.active->zooms[0])
                hint->shown = "+-";
            hint->rank = rank_of(ex, action, hint->key);
            hint->right = is_right(action);
        }
}

static void collect_answers(const struct lw_explorer *ex, struct hints *hints)
{
    struct hint *hint;
    for (const struct lw_reply *answer = ex->question.answers; answer->key; answer++)
        if ((hint = add(hints, answer->label)))
            lw_key_name(answer->key, hint->key);
    if ((hint = add(hints, "stay")))
        snprintf(hint->key, sizeof hint->key, "Esc");
}

/* ---- Fitting ---- */

static int hint_width(const struct hint *hint)
{
    int text = (int)lw_text_width(hint->text);
    return (int)lw_text_width(hint->shown) + (text ? 1 + text : 0) + GAP;
}

/* Without its text only the key is left. */
static int key_width(const struct hint *hint)
{
    return (int)lw_text_width(hint->shown) + GAP;
}

/* Takes as many as fit, by rank; a hint that does not fit does not keep narrower ones out. The first ones lose their
 * texts before they are left out. Returns the width of those at the right. */
static int choose(struct hints *hints, int room)
{
    int right = 0;
    room += GAP; /* there is none after the last one */
    for (int i = 0; i < hints->count; i++) {
        struct hint *hint = &hints->hint[i];
        hint->fits = hint->rank == RANK_FIRST && key_width(hint) <= room;
        room -= hint->fits ? key_width(hint) : 0;
    }
    for (enum rank rank = RANK_FIRST; rank <= RANK_LAST; rank++)
        for (int i = 0; i < hints->count; i++) {
            struct hint *hint = &hints->hint[i];
            int more = hint_width(hint) - (hint->fits ? key_width(hint) : 0);
            if (hint->rank != rank)
                continue;
            if (more > room && hint->fits)
                hint->text = "";
            if (more > room)
                continue;
            hint->fits = true;
            room -= more;
        }
    for (int i = 0; i < hints->count; i++)
        right += hints->hint[i].fits && hints->hint[i].right ? hint_width(&hints->hint[i]) : 0;
    return right;
}

/* Writes a hint; returns the column of the next one. A click on it works as its key. */
static int put_hint(struct lw_explorer *ex, struct lw_surface *surface, int col,
                    const struct hint *hint)
{
    const int row = ex->screen.height - 1, width = hint_width(hint) - GAP;
    struct lw_status_line *status = &ex->status;
    bool one = hint->shown == hint->key; /* a click on the four arrows has no meaning */
    if (one && status->hint_count < sizeof status->hints / sizeof *status->hints) {
        status->hints[status->hint_count].col = col;
        status->hints[status->hint_count].end = col + width;
        status->hints[status->hint_count++].key = lw_key_of_name(hint->key, strlen(hint->key));
    }
    int used = 1 + lw_put(surface, row, col, width, lw_pen(LW_PEN_KEY), hint->shown);
    lw_put(surface, row, col + used, width - used, lw_pen(LW_PEN_FAINT), hint->text);
    return col + width + GAP;
}

static void draw_keys(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct hints hints = {.count = 0};
    int row = ex->screen.height - 1, col = 1;
    lw_put_padded(surface, row, 0, ex->screen.width, lw_pen(LW_PEN_TEXT), "", false);
    (ex->focus == LW_FOCUS_QUESTION ? collect_answers : collect)(ex, &hints);
    int right = choose(&hints, ex->screen.width - 1);
    for (int i = 0; i < hints.count; i++)
        if (hints.hint[i].fits && !hints.hint[i].right)
            col = put_hint(ex, surface, col, &hints.hint[i]);
    col = right ? ex->screen.width - (right - GAP) : col;
    for (int i = 0; i < hints.count; i++)
        if (hints.hint[i].fits && hints.hint[i].right)
            col = put_hint(ex, surface, col, &hints.hint[i]);
}

/* ---- Above it ---- */

/* Whether a row is the lower border of a pane, with a corner at its left end. */
static bool is_border(const struct lw_surface *surface, int row)
{
    const struct lw_glyph *first = &surface->tiles[row * surface->width];
    return first->code == (surface->ascii ? '+' : 0x2570);
}

/* The columns at the right end of a border that a message up to a column leaves: those of the mark for more text. */
static int rest_of_border(const struct lw_surface *surface, int row, int from)
{
    enum { ENDS = 2 }; /* the corner and the line before it */
    const struct lw_glyph *line = &surface->tiles[row * surface->width];
    int last = surface->width - 1 - ENDS, at = last;
    while (at > from && (line[at].pen.kind == LW_PEN_KEY))
        at--;
    return at > from && at < last ? surface->width - 2 - at : 0;
}

/* Draws as many lines as needed, up to the row `end`; a single line is on the lower border of a pane. */
static void draw_message(const struct lw_explorer *ex, struct lw_surface *surface, int end,
                         struct lw_pen pen, const char *message)
{
    enum { HEIGHT_MAX = 8 };
    int max = end < HEIGHT_MAX ? end : HEIGHT_MAX;
    if (max < 1)
        return;
    int length = (int)lw_text_width(message);
    int edge = is_border(surface, end - 1) && length <= ex->screen.width - 6;
    int col = edge ? 3 : 1, right = ex->screen.width - col;
    const int rest = edge ? rest_of_border(surface, end - 1, col + length + 1) : 0;
    const struct lw_pen border = surface->tiles[(end - 1) * surface->width].pen;
    struct lw_rect lines = {ex->screen.height, col, max, right - col}; /* outside: only counted */
    lines.height = lw_put_wrapped(surface, lines, pen, message);
    lines.row = end - lines.height;
    struct lw_rect whole = {lines.row, edge, lines.height, ex->screen.width - 2 * edge - rest};
    lw_put_fill(surface, whole, pen, ' ');
    lw_put_wrapped(surface, lines, pen, message);
    if (!edge)
        return;
    lw_put(surface, lines.row, 1, 1, border, "─");
    for (int c = col + length + 1; c < ex->screen.width - 1 - rest; c++)
        lw_put(surface, lines.row, c, 1, border, "─");
}

static void put_candidates_row(struct lw_surface *surface, int row, const char *text)
{
    lw_put_padded(surface, row, 0, surface->width, lw_pen(LW_PEN_EDIT), " ", false);
    lw_put(surface, row, 1, surface->width - 2, lw_pen(LW_PEN_EDIT), text);
}

/* Names, in as many rows as they need, up to a third of the screen; `row` is the last. */
static void draw_names(const struct lw_explorer *ex, struct lw_surface *surface, int row,
                       const char *text)
{
    int width = surface->width - 2, rows = lw_wrapped_rows(text, width);
    int most = ex->screen.height < 6 ? 1 : ex->screen.height / 3;
    int shown = rows < most ? rows : most;
    struct lw_text line = {0};
    for (int i = 1; i <= shown; i++) {
        bool cut = i == shown && rows > shown;
        size_t room = (size_t)(width > 2 ? width - 2 * cut : 1);
        size_t bytes = lw_text_row_bytes(text, room);
        lw_text_clear(&line);
        lw_text_format(&line, "%.*s%s", (int)bytes, text, cut ? " …" : "");
        put_candidates_row(surface, row - shown + i, lw_text_string(&line));
        text += bytes + strspn(text + bytes, " ");
    }
    lw_text_free(&line);
}

/* Above the prompt: names, or up to half a screen of lines, each with its help; `row` is the last. */
static void draw_candidates(const struct lw_explorer *ex, struct lw_surface *surface, int row)
{
    const char *text = lw_text_string(&ex->prompt.candidates), *next;
    int count = 0, max = ex->screen.height / 2;
    for (next = text; (next = strchr(next, '\n')); next++)
        count++;
    if (count == 0 && *text)
        draw_names(ex, surface, row, text);
    int shown = count > max ? max - 1 : count;
    struct lw_text line = {0};
    for (int i = 0; i < shown; i++, text = next + 1) {
        next = strchr(text, '\n');
        int name = (int)strcspn(text, "\t");
        lw_text_clear(&line);
        lw_text_format(&line, "%-24.*s %.*s", name, text, (int)(next - text) - name - 1,
                       text + name + 1);
        put_candidates_row(surface, row - (count > shown) - shown + 1 + i, lw_text_string(&line));
    }
    lw_text_clear(&line);
    lw_text_format(&line, "%d more: Tab", count - shown);
    if (count > shown)
        put_candidates_row(surface, row, lw_text_string(&line));
    lw_text_free(&line);
}

/* Puts what may be typed: for find, by what is under the prompt. */
static void put_prompt_hint(const struct lw_explorer *ex, struct lw_text *text,
                            const struct lw_prompt *prompt)
{
    unsigned under = ex->focus == LW_FOCUS_FIND ? lw_focus_under(ex) : 0;
    const char *name = lw_query_named_layout(ex);
    if (under & (LW_FOCUS_HELP | LW_FOCUS_PAGE))
        lw_text_add(text, "a word or part of a line of this page");
    else if (under & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))
        lw_text_format(text, "part of any column of the %s", lw_browse_what(ex));
    else if (under == LW_FOCUS_SOLVE)
        lw_text_add(text, "part of a row: only the swizzles of this list are searched");
    else if (under == LW_FOCUS_GALLERY)
        lw_text_add(text, "part of a name or a title in the list, or 3,5 of the layout shown");
    else if (under && !(under & (LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_LESSON)))
        lw_text_add(text, "part of a name or a title in the list");
    else if (under && name)
        lw_text_format(text, "3,5 an element   %s 3,5 of %s   t17 a thread   w1 l3 r0", name, name);
    else
        lw_text_add(text, prompt->hint);
}

static void draw_prompt(const struct lw_explorer *ex, struct lw_surface *surface,
                        const struct lw_prompt *prompt)
{
    const int row = lw_status_row(ex), width = ex->screen.width;
    const char *typed = lw_text_string(&ex->prompt.line.text);
    draw_candidates(ex, surface, row - 1);
    lw_put_padded(surface, row, 0, width, lw_pen(LW_PEN_TEXT), "", false);
    int col = lw_put(surface, row, 0, width, lw_pen(LW_PEN_KEY), prompt->prefix);
    lw_put_line(surface, (struct lw_rect){row, col, 1, width - col},
                lw_pen(ex->prompt.line.offered ? LW_PEN_SELECT : LW_PEN_EDIT), typed,
                ex->prompt.line.caret);
    if (ex->prompt.line.offered && typed[0]) {
        int at = col + (int)strlen(typed) + 3;
        lw_put(surface, row, at, width - at, lw_pen(LW_PEN_FAINT),
               "Enter accepts it, typing replaces it, an arrow edits it");
    }
    struct lw_text hint = {0};
    put_prompt_hint(ex, &hint, prompt);
    if (!typed[0])
        lw_put(surface, row, col + 2, width - col - 2, lw_pen(LW_PEN_FAINT), lw_text_string(&hint));
    lw_text_free(&hint);
}

static bool lesson_is_hidden(const struct lw_explorer *ex)
{
    struct lw_panes panes;
    lw_panes(ex, &panes);
    return lw_lesson_is_on(ex) && ex->focus != LW_FOCUS_GALLERY && !panes.lesson.height;
}

/* Draws the job that runs and its progress; false: there is none, or it has just begun. */
static bool draw_job(const struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_text text = {0};
    int row = lw_status_row(ex);
    if (!lw_job_is_shown(ex))
        return false;
    lw_text_format(&text, "%s: ", ex->job.what);
    if (ex->job.total)
        lw_text_format(&text, "%.1f%%", 100.0 * (double)ex->job.done / (double)ex->job.total);
    else
        lw_text_format(&text, "%llu", (unsigned long long)ex->job.done);
    lw_put_padded(surface, row, 0, ex->screen.width, lw_pen(LW_PEN_TEXT), "", false);
    int col = 1 + lw_put(surface, row, 1, ex->screen.width - 2, lw_pen(LW_PEN_TEXT),
                         lw_text_string(&text));
    col += 2 + lw_put(surface, row, col + 2, ex->screen.width - col - 2, lw_pen(LW_PEN_KEY), "Esc");
    lw_put(surface, row, col + 1, ex->screen.width - col - 1, lw_pen(LW_PEN_FAINT), "stops it");
    lw_text_free(&text);
    return true;
}

/* The first message, short enough for one line of a narrow screen. */
static const char *welcome(const struct lw_explorer *ex)
{
    static const char all[] =
        "Welcome: arrows move, Enter opens, Tab: panes, :learn: lessons, ?: all keys";
    return ex->screen.width >= (int)sizeof all + 1 ? all : "Welcome: ? all keys";
}

/* The row after that of a message. In a view of several layouts the message leaves both lines of a low inspector, what
 * a thread holds of each, and is on the border above them. */
static int message_end(const struct lw_explorer *ex, const struct lw_surface *surface)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_panes panes;
    lw_panes(ex, &panes);
    int above = panes.inspector.row, end = lw_status_row(ex) + 1;
    bool low = ex->panes.inspector == LW_INSPECTOR_LOW && panes.inspector.height &&
               ex->panes.explanation.count > 1 && pane->has_view && pane->view.type->layout;
    return low && is_border(surface, above - 1) &&
                   (int)lw_text_width(ex->status.message) <= ex->screen.width - 6
               ? above
               : end;
}

void lw_draw_status(struct lw_explorer *ex, struct lw_surface *surface)
{
    const struct lw_prompt *prompt = lw_prompt_at(ex->focus);
    const struct lw_pen pen = lw_pen(ex->status.is_error ? LW_PEN_BAD : LW_PEN_TEXT);
    int end = lw_status_row(ex) + 1;
    ex->status.hint_count = 0;
    draw_keys(ex, surface);
    if (prompt) {
        if (ex->status.message[0] && !ex->prompt.candidates.length)
            draw_message(ex, surface, end - 1, pen, ex->status.message);
        draw_prompt(ex, surface, prompt);
    } else if (ex->focus == LW_FOCUS_QUESTION || draw_job(ex, surface)) {
        return;
    } else if (ex->status.message[0]) {
        draw_message(ex, surface, message_end(ex, surface), pen, ex->status.message);
    } else if (ex->keep.hint && !lw_lesson_is_on(ex) && !ex->layouts.has_other) {
        draw_message(ex, surface, end, lw_pen(LW_PEN_CHANGED), welcome(ex));
    } else if (lesson_is_hidden(ex)) {
        draw_message(ex, surface, end, lw_pen(LW_PEN_CHANGED),
                     "the lesson's text needs 12 rows: L hint");
    }
}
