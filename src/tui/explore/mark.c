/* Marks: cells that the user highlights, given by a query in the syntax of find. Each mark belongs to one layout; a
 * pane of another layout highlights the same elements. Also the selected range. */

#include "tui/explore/explorer.h"
#include "tui/prompt/query_match.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

struct lw_mark {
    char text[64];
    struct lw_shown shown;
    bool dead; /* the layout has changed, and the query has no meaning in it */
    struct lw_query query;
};

void lw_marks_free(struct lw_explorer *ex)
{
    free(ex->marks.all);
    ex->marks.all = NULL;
    ex->marks.count = 0;
}

void lw_marks_refresh(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->marks.count; i++) {
        struct lw_mark *mark = &ex->marks.all[i];
        const struct lw_subject *subject = lw_layouts_at(&ex->layouts, mark->shown);
        mark->dead = !subject || !lw_query_read(&mark->query, subject, mark->text) ||
                     !lw_query_can_mark(&mark->query, subject, NULL);
    }
}

/* ---- Adding and removing ---- */

static bool remove_mark(struct lw_explorer *ex, const char *text)
{
    for (size_t i = 0; i < ex->marks.count; i++)
        if (!strcmp(ex->marks.all[i].text, text)) {
            memmove(&ex->marks.all[i], &ex->marks.all[i + 1],
                    (--ex->marks.count - i) * sizeof *ex->marks.all);
            return true;
        }
    return false;
}

void lw_mark(struct lw_explorer *ex, const char *text)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    struct lw_mark mark = {.shown = ex->panes.active->shown};
    struct lw_error err;
    text += strspn(text, " ");
    snprintf(mark.text, sizeof mark.text, "%s", text);
    if (!*text || !subject) {
        lw_explorer_set_message(ex, true, "mark what? t17  w1 l3  r0  bank 7  3,5");
    } else if (remove_mark(ex, mark.text)) {
        lw_explorer_set_message(ex, false, "%s: no longer marked", mark.text);
    } else if (ex->marks.count == LW_MARKS_MAX) {
        lw_explorer_set_message(ex, true, "at most %d marks: M clears them", LW_MARKS_MAX);
    } else if (!lw_query_read(&mark.query, subject, text)) {
        bool memory = lw_dims_find(&subject->map.in, "offset") >= 0;
        lw_explorer_set_message(ex, true, "'%s' cannot be marked: %s", mark.text,
                                memory
                                    ? "bank 7  3,5, for this is shared memory, which has no threads"
                                    : "t17  w1 l3  r0  bank 7  3,5");
    } else if (!lw_query_can_mark(&mark.query, subject, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
    } else {
        struct lw_mark *marks = realloc(ex->marks.all, (ex->marks.count + 1) * sizeof *marks);
        ex->failed = ex->failed || !marks;
        if (!marks)
            return;
        marks[ex->marks.count++] = mark;
        ex->marks.all = marks;
        lw_explorer_set_message(ex, false, "%s: marked; M clears", mark.text);
    }
}

void lw_mark_clear(struct lw_explorer *ex, int unused)
{
    (void)unused;
    lw_explorer_set_message(ex, false, "%s",
                            ex->marks.count == 0   ? "nothing is marked"
                            : ex->marks.count == 1 ? "the mark is cleared"
                                                   : "all marks are cleared");
    lw_marks_free(ex);
}

/* Appends a query for the cell under the cursor: i = 0 its thread, 1 its bank, 2 the element; false: it has none. */
static bool put_here(const struct lw_explorer *ex, size_t i, struct lw_text *text)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    const struct lw_spot *spot = &ex->panes.spot;
    uint64_t value;
    if (!subject || !ex->panes.has_spot)
        return false;
    if (i == 2)
        for (int d = 0; spot->has_out && d < subject->map.out.count; d++)
            lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)spot->out[d]);
    else if (spot->has_in &&
             lw_subject_field(subject, i ? "bank" : "thread", spot->in, spot->out, &value))
        lw_text_format(text, i ? "bank %llu" : "t%llu", (unsigned long long)value);
    return text->length > 0;
}

bool lw_mark_offer(const struct lw_explorer *ex, size_t i, struct lw_text *text)
{
    for (size_t here = 0; here < 3; here++)
        if (put_here(ex, here, text)) {
            if (i-- == 0)
                return true;
            lw_text_clear(text);
        }
    if (i < ex->marks.count)
        lw_text_add(text, ex->marks.all[i].text);
    return i < ex->marks.count;
}

void lw_mark_prompt(struct lw_explorer *ex, int unused)
{
    struct lw_text here = {0};
    (void)unused;
    lw_mark_offer(ex, 0, &here);
    lw_prompt_open(ex, LW_FOCUS_MARK);
    lw_line_set(&ex->prompt.line, lw_text_string(&here));
    ex->prompt.line.offered = true;
    lw_text_free(&here);
}

void lw_marks_put(const struct lw_explorer *ex, struct lw_text *text)
{
    for (size_t i = 0; i < ex->marks.count; i++)
        lw_text_format(text, "%s%s%s", i ? ", " : "", ex->marks.all[i].text,
                       ex->marks.all[i].dead ? " (not in this layout)" : "");
}

size_t lw_marks_put_highlight(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                              struct lw_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < ex->marks.count; i++) {
        const struct lw_mark *mark = &ex->marks.all[i];
        const struct lw_subject *subject = lw_layouts_at(&ex->layouts, mark->shown);
        if (mark->dead || !subject || mark->shown.side != pane->shown.side ||
            mark->shown.other != pane->shown.other)
            continue;
        lw_text_add(text, count++ ? " | " : "");
        lw_text_add(text, mark->text);
    }
    return count;
}

/* ---- The highlighted cells ---- */

/* Whether the cells of a view are hardware indices: then a mark highlights those indices, not every copy of
 * their elements. */
bool lw_view_shows_indices(const struct lw_view *view)
{
    return strcmp(view->type->name, "owners") != 0 && !view->type->layout;
}

static bool same_names(const struct lw_dims *a, const struct lw_dims *b)
{
    for (int d = 0; d < a->count; d++)
        if (d >= b->count || strcmp(a->dim[d].name, b->dim[d].name) != 0)
            return false;
    return a->count == b->count;
}

/* Whether a mark is of another operand of the same MMA: then its hardware indices are highlighted. */
static bool marks_operand(const struct lw_mark *mark, const struct lw_view_pane *pane,
                          const struct lw_spot *spot)
{
    const char *name;
    const struct lw_subject *subject = lw_view_layout(&pane->view, spot->operand, &name);
    return subject && !mark->query.element && spot->has_out &&
           same_names(&subject->map.in, &pane->view.subject->map.in) &&
           lw_query_has_element(&mark->query, subject, spot->out);
}

/* The layout whose owners a mark highlights in a pane: that of the mark, or the one compared with it. */
static const struct lw_subject *marked_layout(const struct lw_explorer *ex,
                                              const struct lw_mark *mark,
                                              const struct lw_view_pane *pane)
{
    const struct lw_subject *subject = lw_layouts_at(&ex->layouts, mark->shown);
    bool compares = mark->shown.side == pane->shown.side && mark->shown.other != pane->shown.other;
    return subject && compares && !mark->query.element &&
                   same_names(&subject->map.in, &pane->view.subject->map.in)
               ? pane->view.subject
               : subject;
}

bool lw_is_marked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot)
{
    for (size_t i = 0; i < ex->marks.count; i++) {
        const struct lw_mark *mark = &ex->marks.all[i];
        const struct lw_subject *subject = marked_layout(ex, mark, pane);
        if (mark->dead || !subject || subject->map.out.count != pane->view.subject->map.out.count)
            continue;
        if (spot->operand) {
            if (marks_operand(mark, pane, spot))
                return true;
            continue;
        }
        bool same = mark->shown.side == pane->shown.side &&
                    (mark->shown.other == pane->shown.other || subject == pane->view.subject);
        bool shows_indices = same && !mark->query.element;
        if (shows_indices && spot->has_in && lw_view_shows_indices(&pane->view)
                ? lw_query_has_index(&mark->query, subject, spot->in)
                : spot->has_out && lw_query_has_element(&mark->query, subject, spot->out))
            return true;
    }
    return false;
}

/* ---- The range ---- */

void lw_range_begin(struct lw_explorer *ex, int unused)
{
    struct lw_view_pane *pane = ex->panes.active;
    (void)unused;
    pane->ranged = !pane->ranged && pane->has_view;
    pane->range_row = pane->row;
    pane->range_col = pane->col;
    if (pane->ranged)
        lw_explorer_set_message(ex, false,
                                "selecting: move, then y copies or e exports; v ends it");
}

void lw_range(const struct lw_view_pane *pane, uint64_t from[2], uint64_t to[2])
{
    const uint64_t a[2] = {pane->range_row, pane->range_col}, b[2] = {pane->row, pane->col};
    for (int i = 0; i < 2; i++) {
        from[i] = a[i] < b[i] ? a[i] : b[i];
        to[i] = (a[i] < b[i] ? b[i] : a[i]) + 1;
    }
}

bool lw_is_in_range(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    uint64_t from[2], to[2];
    if (!pane->ranged)
        return false;
    lw_range(pane, from, to);
    return row >= from[0] && row < to[0] && col >= from[1] && col < to[1];
}
