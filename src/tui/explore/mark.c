/* Marks: cells that the user highlights, given by a query in the syntax of find. Each mark belongs to one layout; a
 * pane of another layout highlights the same elements. Also the selected range. */

#include "tui/explore/explorer.h"
#include "tui/prompt/query_match.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

struct lw_mark {
    char text[64];
    char layout
        [24]; /* the one that it is of in a view of several, with which its text begins; "": any of them */
    bool own; /* and that is the layout of the pane */
    struct lw_shown shown;
    bool dead; /* the layout has changed, and the query has no meaning in it */
    struct lw_query query;
};

void lw_marks_free(struct lw_explorer *ex)
{
    free(ex->marks.all);
    ex->marks.all = NULL;
    ex->marks.count = 0;
    ex->marks.version++;
}

/* A view of several layouts that a pane with the mark's layout shows; NULL: none. */
static const struct lw_view *view_of_several(const struct lw_explorer *ex, struct lw_shown shown)
{
    for (int i = 0; i < ex->panes.count; i++) {
        const struct lw_view_pane *pane = &ex->panes.all[i];
        if (pane->has_view && pane->view.type->layout && pane->shown.side == shown.side &&
            pane->shown.other == shown.other)
            return &pane->view;
    }
    return NULL;
}

/* The text after the name of a layout. */
static const char *query_of(const struct lw_mark *mark)
{
    size_t name = strlen(mark->layout);
    return mark->text + name + (name > 0);
}

/* Reads the query of a mark again; without the name of a layout, in the first of the view that has an answer. */
static bool read_again(const struct lw_explorer *ex, struct lw_mark *mark)
{
    const struct lw_subject *subject = lw_layouts_at(&ex->layouts, mark->shown);
    const struct lw_view *view = view_of_several(ex, mark->shown);
    const char *text = mark->text, *name;
    int named = view && mark->layout[0] ? lw_query_operand(view, &text) : 0;
    if (named)
        return lw_query_read_named(&mark->query, view, named, text) && !mark->query.why[0];
    if (!subject || (mark->layout[0] && !mark->own) ||
        !lw_query_read(&mark->query, subject, query_of(mark)))
        return false;
    for (int i = 1; view && mark->query.why[0] && i <= LW_QUERY_OPERANDS; i++) {
        const struct lw_subject *layout = lw_view_layout(view, i, &name);
        if (layout)
            lw_query_read(&mark->query, layout, mark->text);
    }
    return lw_query_can_mark(&mark->query, subject, NULL);
}

void lw_marks_refresh(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->marks.count; i++) {
        struct lw_mark *mark = &ex->marks.all[i];
        const struct lw_mark before = *mark;
        mark->dead = !read_again(ex, mark);
        if (mark->dead != before.dead || memcmp(&mark->query, &before.query, sizeof mark->query))
            ex->marks.version++;
    }
}

/* ---- Adding and removing ---- */

static bool remove_mark(struct lw_explorer *ex, const char *text)
{
    for (size_t i = 0; i < ex->marks.count; i++)
        if (!strcmp(ex->marks.all[i].text, text)) {
            ex->marks.version++;
            memmove(&ex->marks.all[i], &ex->marks.all[i + 1],
                    (--ex->marks.count - i) * sizeof *ex->marks.all);
            return true;
        }
    return false;
}

/* Begins the mark's text with the layout that the query is of, in a view of several: with the name in the query, or
 * that of an element's. */
static void name_layout(const struct lw_explorer *ex, struct lw_mark *mark, const char *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const char *name = "";
    if (!pane->has_view || !pane->view.type->layout)
        return;
    int named = lw_query_operand(&pane->view, &text);
    if (!named && !mark->query.element)
        return;
    const struct lw_subject *layout = lw_view_layout(&pane->view, mark->query.operand, &name);
    mark->own = layout == pane->view.subject;
    snprintf(mark->layout, sizeof mark->layout, "%s", name);
    snprintf(mark->text, sizeof mark->text, "%s %.*s", name, (int)strcspn(text, "])"), text);
}

static void add_mark(struct lw_explorer *ex, const struct lw_mark *mark)
{
    struct lw_mark *marks = realloc(ex->marks.all, (ex->marks.count + 1) * sizeof *marks);
    ex->failed = ex->failed || !marks;
    if (!marks)
        return;
    marks[ex->marks.count++] = *mark;
    ex->marks.version++;
    ex->marks.all = marks;
    lw_explorer_set_message(ex, false, "%s: marked; M clears", mark->text);
}

static void refuse_text(struct lw_explorer *ex, const struct lw_subject *subject, const char *text)
{
    bool memory = lw_dims_find(&subject->map.in, "offset") >= 0;
    lw_explorer_set_message(ex, true, "'%s' cannot be marked: %s", text,
                            memory ? "bank 7  3,5, for this is shared memory, which has no threads"
                                   : "t17  w1 l3  r0  bank 7  3,5");
}

void lw_mark(struct lw_explorer *ex, const char *text)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, ex->panes.active);
    struct lw_mark mark = {.shown = ex->panes.active->shown};
    struct lw_error err;
    text += strspn(text, " ");
    snprintf(mark.text, sizeof mark.text, "%s", text);
    bool is_query = subject && strlen(text) < sizeof mark.text - sizeof mark.layout &&
                    lw_query_find(ex, text, &mark.query);
    if (is_query && !mark.query.why[0])
        name_layout(ex, &mark, text);
    if (!*text || !subject)
        lw_explorer_set_message(ex, true, "mark what? t17  w1 l3  r0  bank 7  3,5");
    else if (remove_mark(ex, mark.text))
        lw_explorer_set_message(ex, false, "%s: no longer marked", mark.text);
    else if (ex->marks.count == LW_MARKS_MAX)
        lw_explorer_set_message(ex, true, "at most %d marks: M clears them", LW_MARKS_MAX);
    else if (!is_query)
        refuse_text(ex, subject, mark.text);
    else if (!lw_query_can_mark(&mark.query, subject, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
    else
        add_mark(ex, &mark);
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

/* Appends the elements that a query has in its layout, "3,5 | 3,6"; false: they are none, or too many. */
static bool put_elements(const struct lw_query *query, const struct lw_subject *subject,
                         struct lw_text *text)
{
    enum { TRIED_MAX = 1 << 16, ELEMENTS_MAX = 48 };
    const struct lw_dims *dims = &subject->map.out;
    uint64_t out[LW_DIMS_MAX] = {0}, total = 1;
    int count = 0;
    for (int d = 0; d < dims->count && total <= TRIED_MAX; d++)
        total = dims->dim[d].size > TRIED_MAX ? TRIED_MAX + 1 : total * dims->dim[d].size;
    if (total > TRIED_MAX)
        return false;
    for (uint64_t i = 0; i < total && count <= ELEMENTS_MAX; i++) {
        uint64_t rest = i;
        for (int d = dims->count - 1; d >= 0; rest /= dims->dim[d--].size)
            out[d] = rest % dims->dim[d].size;
        if (!lw_query_has_element(query, subject, out))
            continue;
        lw_text_add(text, count++ ? " | " : "");
        for (int d = 0; d < dims->count; d++)
            lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
    }
    return count && count <= ELEMENTS_MAX;
}

bool lw_mark_put_highlight(const struct lw_explorer *ex, size_t i, const struct lw_view_pane *pane,
                           struct lw_text *text)
{
    const struct lw_mark *mark = &ex->marks.all[i];
    const struct lw_subject *subject;
    bool same = mark->shown.side == pane->shown.side && mark->shown.other == pane->shown.other;
    bool indices;
    if (pane->view.type->layout &&
        (mark->dead || !same || !lw_layouts_at(&ex->layouts, mark->shown)))
        return false;
    if (pane->view.type->layout) {
        lw_text_add(text, mark->text);
        return true;
    }
    const struct lw_query *query = lw_mark_in_pane(ex, i, pane, &subject, &indices);
    if (query && !query->element && subject != pane->view.subject)
        return put_elements(query, subject, text);
    if (query)
        lw_text_add(text, query_of(mark));
    return query != NULL;
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

/* Whether a mark is of a layout of a view of several: of the one that it names, or of those with the same hardware
 * indices. */
static bool is_of_layout(const struct lw_mark *mark, const struct lw_view *view,
                         const struct lw_spot *spot, const struct lw_subject *subject)
{
    const char *name = "";
    lw_view_layout(view, spot->operand, &name);
    if (mark->layout[0])
        return !strcmp(name, mark->layout);
    return mark->query.element ? subject == view->subject
                               : same_names(&subject->map.in, &view->subject->map.in);
}

/* Whether a cell of a view of several layouts has an element that is marked: a cell may have several along one dim. */
static bool marks_operand(const struct lw_mark *mark, const struct lw_view *view,
                          const struct lw_spot *spot)
{
    const char *name;
    const struct lw_subject *subject = lw_view_layout(view, spot->operand, &name);
    uint64_t row, col, at_row, at_col;
    if (!subject || !spot->has_out || !is_of_layout(mark, view, spot, subject))
        return false;
    if (lw_query_has_element(&mark->query, subject, spot->out))
        return true;
    if (!lw_view_find(view, spot, &row, &col))
        return false;
    for (int d = 0; d < subject->map.out.count; d++) {
        struct lw_spot next = *spot;
        while (++next.out[d] < subject->map.out.dim[d].size &&
               lw_view_find(view, &next, &at_row, &at_col) && at_row == row && at_col == col)
            if (lw_query_has_element(&mark->query, subject, next.out))
                return true;
    }
    return false;
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

const struct lw_query *lw_mark_in_pane(const struct lw_explorer *ex, size_t i,
                                       const struct lw_view_pane *pane,
                                       const struct lw_subject **subject, bool *indices)
{
    const struct lw_mark *mark = &ex->marks.all[i];
    *subject = marked_layout(ex, mark, pane);
    bool of_other = mark->layout[0] && !mark->own && !pane->view.type->layout;
    if (mark->dead || of_other || !*subject ||
        (*subject)->map.out.count != pane->view.subject->map.out.count)
        return NULL;
    bool same = mark->shown.side == pane->shown.side &&
                (mark->shown.other == pane->shown.other || *subject == pane->view.subject);
    *indices = same && !mark->query.element && lw_view_shows_indices(&pane->view);
    return &mark->query;
}

bool lw_is_marked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_view *view, const struct lw_spot *spot)
{
    for (size_t i = 0; i < ex->marks.count; i++) {
        const struct lw_subject *subject;
        bool indices;
        const struct lw_query *query = lw_mark_in_pane(ex, i, pane, &subject, &indices);
        if (!query)
            continue;
        if (spot->operand || (view->type->layout && subject == view->subject)) {
            if (marks_operand(&ex->marks.all[i], view, spot))
                return true;
            continue;
        }
        if (indices && spot->has_in
                ? lw_query_has_index(query, subject, spot->in)
                : spot->has_out && lw_query_has_element(query, subject, spot->out))
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
    const uint64_t step[2] = {pane->step_rows, pane->step_cols};
    const uint64_t end[2] = {pane->view.rows, pane->view.cols};
    for (int i = 0; i < 2; i++) {
        uint64_t first = a[i] < b[i] ? a[i] : b[i], last = a[i] < b[i] ? b[i] : a[i];
        from[i] = first - first % step[i];
        to[i] = last - last % step[i] + step[i];
        to[i] = to[i] < end[i] ? to[i] : end[i];
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
