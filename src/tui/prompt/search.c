/* Find: an element `3,5`, a hardware index `t17`, `w1 l3 r0` or `T17:2`, a `bank 7`, or a parameter by its
 * name; in the list, a layout whose name or title contains the text.
 *
 * A query for hardware indices fixes some input dims; `n` goes through all values of the others, in order. */

#include "tui/explore/explorer.h"
#include "tui/access/solve.h"
#include "tui/draw/drawing.h"
#include "tui/form/form.h"
#include "tui/pane/follow.h"
#include "tui/prompt/query_match.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The next field from `at` on, upward or downward, whose name begins with the text. */
static bool find_field(struct lw_explorer *ex, const char *name, size_t at, int direction)
{
    size_t count = ex->form.count;
    for (size_t tried = 0; tried < count; tried++) {
        size_t i = (direction > 0 ? at + tried : at + count - tried) % count;
        const struct lw_field *field = &ex->form.fields[i];
        if (field->path[0] && !field->folds && !strncmp(field->label, name, strlen(name))) {
            lw_form_choose_at(ex, i);
            ex->focus = LW_FOCUS_FORM;
            return true;
        }
    }
    return false;
}

static void go_to(struct lw_explorer *ex, const struct lw_spot *spot)
{
    ex->panes.spot = *spot;
    ex->panes.has_spot = ex->panes.found = true;
    ex->changed |= LW_CHANGED_SPOT;
}

/* Shows a match for which the view has no cell: "5,7: register 3, lane 11; this view has no cell for it: 1 shows
 * it". */
static void report_unseen(struct lw_explorer *ex, const struct lw_spot *spot)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_subject *subject = lw_query_layout(ex, spot->operand);
    struct lw_text text = {0};
    uint64_t row, col;
    if (!subject || (pane->has_view && lw_view_find(&pane->view, spot, &row, &col)))
        return;
    if (spot->has_in)
        lw_put_hardware_index(&text, &subject->map.in, spot->in);
    lw_explorer_set_message(ex, false, "%s%s%s; this view has no cell for it: 1 shows it",
                            ex->prompt.found, text.length ? ": " : "", lw_text_string(&text));
    lw_text_free(&text);
}

/* Reports which match is shown, of how many, and where `n` goes. */
static void report_match(struct lw_explorer *ex, const struct lw_query *q, int operand,
                         uint64_t total, bool zoomed)
{
    struct lw_text text = {0};
    if (!lw_query_put_operand(ex, q, ex->prompt.found_at, &text) && total > 1) {
        lw_text_format(&text, "%s: %llu of %llu", ex->prompt.found,
                       (unsigned long long)ex->prompt.found_at + 1, (unsigned long long)total);
        lw_query_put_order(ex, q, operand, &text);
        if (q->named == 1 && !q->element && (!strcmp(q->name, "thread") || q->bank))
            lw_text_add(&text, "; m marks it");
    }
    if (zoomed)
        lw_text_format(&text, "%s%s Z shows all of it again", text.length ? "" : ex->prompt.found,
                       text.length ? ";" : ":");
    if (text.length)
        lw_explorer_set_message(ex, false, "%s", lw_text_string(&text));
    lw_text_free(&text);
}

/* Where there is no room for the inspector: "3,5: w0 l17 r1", or "t17: (1,4), 1 of 32". */
static void report_answer(struct lw_explorer *ex, const struct lw_query *q,
                          const struct lw_spot *spot, uint64_t total)
{
    const struct lw_subject *subject = lw_query_layout(ex, spot->operand);
    struct lw_text text = {0};
    struct lw_panes panes;
    lw_panes(ex, &panes);
    if (!subject || panes.inspector.height || !spot->has_in || !spot->has_out)
        return;
    if (q->element)
        lw_put_hardware_index_short(&text, &subject->map.in, spot->in, -1);
    else
        lw_put_element(&text, subject->map.out.count, spot->out);
    if (total > 1)
        lw_text_format(&text, ", %llu of %llu", (unsigned long long)ex->prompt.found_at + 1,
                       (unsigned long long)total);
    lw_explorer_set_message(ex, false, "%s: %s", ex->prompt.found, lw_text_string(&text));
    lw_text_free(&text);
}

static void show(struct lw_explorer *ex, const struct lw_query *q)
{
    struct lw_spot spot;
    uint64_t total = lw_query_match(ex, q, ex->prompt.found_at, &spot);
    if (!total)
        return;
    if (q->named == 1 && !q->element)
        lw_follow_choose(ex, q->name); /* lights all cells that match */
    const bool zoomed = lw_query_zoom(ex, q, &spot);
    go_to(ex, &spot);
    report_answer(ex, q, &spot, total);
    report_unseen(ex, &spot);
    if (!ex->status.message[0])
        report_match(ex, q, spot.operand, total, zoomed);
}

/* ---- In the list ---- */

static bool entry_has(const struct lw_explorer *ex, size_t i, const char *query)
{
    return lw_contains_text(ex->list.entries[i].source, query) ||
           lw_contains_text(lw_entry_title(&ex->list.entries[i]), query);
}

/* The next entry, from the one `by` further on, whose name or title contains the text. */
static bool find_entry(struct lw_explorer *ex, const char *query, int by)
{
    size_t count = ex->list.count, step = by > 0 ? 1 : count - 1;
    for (size_t i = (ex->list.entry + step) % count, tried = 0; tried < count;
         tried++, i = (i + step) % count)
        if (entry_has(ex, i, query)) {
            ex->list.entry = i;
            ex->changed |= LW_CHANGED_ENTRY;
            return true;
        }
    return false;
}

/* ---- In views that have no cell for every spot: matrix, bases, facts ---- */

/* Whether a cell is the element of a query, or its index with all other dims 0. */
static bool is_spot_of(const struct lw_query *q, const struct lw_subject *subject,
                       const struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    if (q->element)
        return spot->has_out &&
               !memcmp(spot->out, q->number, (size_t)map->out.count * sizeof *spot->out);
    for (int d = 0; d < map->in.count; d++)
        if (spot->in[d] != (q->fixed[d] ? q->value[d] : 0))
            return false;
    return spot->has_in && !q->bank;
}

static bool cell_has(const struct lw_view_pane *pane, uint64_t row, uint64_t col, const char *query,
                     struct lw_text *text)
{
    const struct lw_view *view = &pane->view;
    struct lw_cell cell;
    lw_text_clear(text);
    view->type->cell(view, row, col, text, &cell);
    if (col == 0 && view->type->row_label) {
        lw_text_char(text, '\n');
        view->type->row_label(view, row, text);
    }
    if (row == 0 && view->type->col_label) {
        lw_text_char(text, '\n');
        view->type->col_label(view, col, text);
    }
    return lw_contains_text(lw_text_string(text), query);
}

static bool stands_for(const struct lw_view *view, uint64_t row, uint64_t col,
                       const struct lw_query *q)
{
    struct lw_spot spot;
    return view->type->spot && view->type->spot(view, row, col, &spot) &&
           is_spot_of(q, view->subject, &spot);
}

/* Whether a cell is the first of neighbouring cells with the same element or index: only that one matches. */
static bool is_first_match(const struct lw_view *view, uint64_t row, uint64_t col,
                           const struct lw_query *q)
{
    return stands_for(view, row, col, q) && !(row && stands_for(view, row - 1, col, q)) &&
           !(col && stands_for(view, row, col - 1, q));
}

enum {
    WORDS_TRIED = 1 << 20, /* memory can have more holes than can be examined for a key, */
    ROWS_TRIED = 1 << 16   /* and an access more instructions: n goes on where the last key ended */
};

/* The next element of a bank, of `total` words of it, from the one that was found before; false: none is found, among
 * WORDS_TRIED. */
static bool find_in_bank(struct lw_explorer *ex, const struct lw_query *q,
                         const struct lw_subject *shared, uint64_t total, int by,
                         struct lw_spot *spot)
{
    const uint64_t step = by < 0 ? total - 1 : 1;
    uint64_t k = by && total ? (ex->prompt.found_at + step) % total : 0;
    for (uint64_t tried = 0; tried < total && tried < WORDS_TRIED;
         tried++, k = (k + step) % total) {
        lw_query_index(q, shared, k, spot->in);
        ex->prompt.found_at = k;
        if (lw_map_apply(&shared->map, spot->in, spot->out)) {
            spot->has_out = true;
            return true;
        }
    }
    return false;
}

/* Reports that no element is in a bank, or in the words that were searched. */
static void report_no_word(struct lw_explorer *ex, const char *query, uint64_t total, int by)
{
    if (total > WORDS_TRIED) {
        lw_explorer_set_message(ex, true, "%s: its %s %d of %llu words have no element; n goes on",
                                query, by ? "next" : "first", WORDS_TRIED,
                                (unsigned long long)total);
        return;
    }
    lw_explorer_set_message(ex, true, "%s: no %selement of shared S was found there", query,
                            by ? "other " : "");
    if (!by)
        ex->prompt.found[0] = '\0';
}

/* Goes to the next row of a bank with words of it; there are none where its cell is a hole. Where there are too many
 * rows it goes to the last one that was searched, and `n` goes on. */
static void next_row_of_bank(struct lw_explorer *ex, const char *query, int by)
{
    struct lw_view_pane *pane = ex->panes.active;
    const struct lw_view *view = &pane->view;
    const uint64_t rows = view->rows, step = by < 0 ? rows - 1 : 1;
    uint64_t row = pane->row;
    for (uint64_t tried = 1; tried < rows && tried <= ROWS_TRIED; tried++) {
        struct lw_text text = {0};
        struct lw_cell cell;
        row = (row + step) % rows;
        view->type->cell(view, row, pane->col, &text, &cell);
        lw_text_free(&text);
        if (cell.ink != LW_INK_HOLE) {
            pane->row = row;
            return;
        }
    }
    if (rows - 1 <= ROWS_TRIED) {
        lw_explorer_set_message(ex, false, "%s: no other row has words of it", query);
        return;
    }
    pane->row = row;
    lw_explorer_set_message(ex, false, "%s: the %s %d of %llu rows have no words of it; %c goes on",
                            query, by < 0 ? "former" : "next", ROWS_TRIED, (unsigned long long)rows,
                            by < 0 ? 'N' : 'n');
}

/* In the banks view a bank is a column, in the row where the cursor is, and the next hit is in the next row with words
 * of it; in another view of an access its elements are searched for in shared S. */
static bool find_bank(struct lw_explorer *ex, const char *query, int by)
{
    struct lw_view_pane *pane = ex->panes.active;
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    const struct lw_subject *shared = subject ? lw_subject_at(subject, LW_SIDE_S) : NULL;
    uint64_t banks = lw_explorer_hardware(ex)->banks->banks;
    struct lw_query q;
    struct lw_spot spot = {0};
    const bool heat = pane->has_view && pane->view.type->heat;
    if (!subject || !(shared || heat) || !lw_query_read(&q, shared ? shared : subject, query) ||
        !q.bank || (shared && q.why[0]))
        return false;
    if (heat && q.bank_number < banks) {
        pane->col = q.bank_number;
        ex->changed |= LW_CHANGED_CURSOR;
        if (by)
            next_row_of_bank(ex, query, by);
        return true;
    }
    if (!shared) /* the exchange of a conversion, which has no such bank */
        return false;
    uint64_t total = lw_query_index(&q, shared, 0, spot.in);
    if (!find_in_bank(ex, &q, shared, total, by, &spot)) {
        report_no_word(ex, query, total, by);
        return true;
    }
    spot.has_in = lw_map_owner(&subject->map, spot.out, 0, spot.in);
    go_to(ex, &spot);
    report_unseen(ex, &spot);
    if (!ex->status.message[0])
        lw_explorer_set_message(ex, false, "%s: %llu of %llu, n for the next", query,
                                (unsigned long long)ex->prompt.found_at + 1,
                                (unsigned long long)total);
    return true;
}

/* Goes to the next cell that matches the query, or (`q` NULL) whose text or label contains the text. */
static bool go_to_cell(struct lw_view_pane *pane, const struct lw_query *q, const char *query,
                       int by)
{
    const struct lw_view *view = &pane->view;
    struct lw_text text = {0};
    bool found = false;
    uint64_t cells = view->rows * view->cols, step = by < 0 ? cells - 1 : 1;
    uint64_t at = pane->row * view->cols + pane->col + (by ? step : 0);
    for (uint64_t tried = 0; tried < cells && !found; tried++, at += step) {
        uint64_t row = at % cells / view->cols, col = at % cells % view->cols;
        found = q ? is_first_match(view, row, col, q) : cell_has(pane, row, col, query, &text);
        if (found) {
            pane->row = row;
            pane->col = col;
        }
    }
    lw_text_free(&text);
    return found;
}

static bool find_cell(struct lw_explorer *ex, const char *query, int by)
{
    enum { CELLS_MAX = 1 << 16 };
    struct lw_view_pane *pane = ex->panes.active;
    const struct lw_view *view = &pane->view;
    struct lw_query q;
    if (!pane->has_view || view->type->find || !*query || view->rows == 0 || view->cols == 0 ||
        view->rows > CELLS_MAX / view->cols)
        return false;
    bool is_query = lw_query_read(&q, view->subject, query) && !q.why[0];
    if (!(is_query && go_to_cell(pane, &q, query, by)) && !go_to_cell(pane, NULL, query, by))
        return false;
    ex->changed |= LW_CHANGED_CURSOR;
    return true;
}

void lw_filter_typed(struct lw_explorer *ex)
{
    if (ex->focus != LW_FOCUS_FIND)
        return;
    if (lw_focus_under(ex) & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))
        lw_browse_filter(ex, lw_text_string(&ex->prompt.line.text));
    else if (lw_focus_under(ex) == LW_FOCUS_SOLVE)
        lw_solve_filter(ex, lw_text_string(&ex->prompt.line.text));
    else if (lw_focus_under(ex) == LW_FOCUS_GALLERY)
        lw_list_filter(ex, lw_text_string(&ex->prompt.line.text));
}

bool lw_filter_step(struct lw_explorer *ex, int by)
{
    const char *text = lw_text_string(&ex->prompt.line.text);
    unsigned under = lw_focus_under(ex);
    if (ex->focus != LW_FOCUS_FIND || !*text)
        return false;
    if (under & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))
        lw_browse_move(ex, by);
    else if (under == LW_FOCUS_SOLVE)
        lw_solve_move(ex, by);
    else if (under == LW_FOCUS_GALLERY && lw_list_has(ex, text))
        lw_list_move(ex, by);
    else
        return false;
    return true;
}

/* Moves the focus to the view, as the match is there and the inspector explains it. */
static void look_at_view(struct lw_explorer *ex)
{
    if (ex->focus & (LW_FOCUS_GALLERY | LW_FOCUS_FORM))
        ex->focus = LW_FOCUS_VIEW;
}

/* Reports what find can read. */
static void report_unread(struct lw_explorer *ex)
{
    struct lw_text named = {0};
    const char *name = lw_query_named_layout(ex);
    if (name)
        lw_text_format(&named, "%s 3,5 (of %s), ", name, name);
    lw_explorer_set_message(
        ex, true, "find needs 3,5 (an element), %st17, w1 l3 r0, bank 7 or the name of a parameter",
        lw_text_string(&named));
    lw_text_free(&named);
}

void lw_find(struct lw_explorer *ex, const char *query)
{
    struct lw_query q;
    snprintf(ex->prompt.found, sizeof ex->prompt.found, "%s", query);
    ex->prompt.found_at = 0;
    ex->prompt.found_entry = ex->list.entry;
    ex->compare.leads = false;
    if (ex->focus & (LW_FOCUS_HELP | LW_FOCUS_PAGE)) {
        lw_find_text(ex, query, 0);
        return;
    }
    if (ex->focus & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL)) {
        lw_browse_filter(ex, query);
        return;
    }
    if (ex->focus == LW_FOCUS_SOLVE) {
        lw_solve_filter(ex, query);
        return;
    }
    if (ex->focus == LW_FOCUS_GALLERY) {
        bool in_list = lw_list_has(ex, query);
        lw_list_filter(ex, in_list ? query : "");
        if (in_list)
            return;
    }
    if (find_bank(ex, query, 0) || find_cell(ex, query, 0)) {
        look_at_view(ex);
        return;
    }
    bool position = lw_query_find(ex, query, &q);
    if (position && !q.why[0]) {
        ex->prompt.found_operand = q.operand;
        look_at_view(ex);
        show(ex, &q);
        return;
    }
    if (!position && query[0] && find_field(ex, query, 0, 1))
        return;
    ex->prompt.found[0] = '\0'; /* there is no next one */
    if (position)
        lw_explorer_set_message(ex, true, "%s", q.why);
    else if (query[0] && ex->focus == LW_FOCUS_GALLERY)
        lw_explorer_set_message(ex, true, "no layout in the list contains '%s'", query);
    else
        report_unread(ex);
}

bool lw_find_differences(const struct lw_explorer *ex)
{
    bool covered = ex->focus & (LW_FOCUS_HELP | LW_FOCUS_PAGE | LW_FOCUS_FOLDER | LW_FOCUS_KERNEL);
    return !covered && (ex->compare.leads || !ex->prompt.found[0]) && lw_compare_finds(ex);
}

static bool list_has(const struct lw_explorer *ex, const char *query)
{
    for (size_t i = 0; i < ex->list.count; i++)
        if (entry_has(ex, i, query))
            return true;
    return false;
}

/* In another layout than the searched one only elements and indices count, as for these not every cell must be
 * examined. */
bool lw_find_leads(const struct lw_explorer *ex)
{
    const char *found = ex->prompt.found;
    bool same = ex->prompt.found_entry == ex->list.entry;
    struct lw_query q;
    if (lw_find_differences(ex))
        return true;
    if (!found[0])
        return false;
    if (ex->focus & (LW_FOCUS_HELP | LW_FOCUS_PAGE))
        return ex->page.found >= 0;
    if (ex->focus & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))
        return lw_browse_has(ex, found);
    if (ex->focus == LW_FOCUS_GALLERY && list_has(ex, found))
        return true;
    return lw_query_find(ex, found, &q) ? !q.why[0] || (same && q.bank) : same;
}

void lw_find_again(struct lw_explorer *ex, int direction)
{
    struct lw_query q;
    struct lw_spot spot;
    if (ex->focus & (LW_FOCUS_HELP | LW_FOCUS_PAGE)) {
        lw_find_text(ex, ex->prompt.found, direction);
        return;
    }
    if (ex->prompt.found[0] && (ex->focus & (LW_FOCUS_FOLDER | LW_FOCUS_KERNEL))) {
        lw_browse_find(ex, ex->prompt.found, direction);
        return;
    }
    bool leads = ex->compare.leads || !ex->prompt.found[0];
    if (leads && lw_compare_next(ex, direction))
        return;
    if (ex->prompt.found[0] && ex->focus == LW_FOCUS_GALLERY &&
        find_entry(ex, ex->prompt.found, direction))
        return;
    if (find_bank(ex, ex->prompt.found, direction) || find_cell(ex, ex->prompt.found, direction))
        return;
    if (!lw_query_find(ex, ex->prompt.found, &q) || q.why[0]) {
        size_t count = ex->form.count,
               from = direction > 0 ? ex->form.field + 1 : ex->form.field + count - 1;
        if (ex->prompt.found[0] && find_field(ex, ex->prompt.found, from, direction))
            return;
        char query[sizeof ex->prompt.found];
        snprintf(query, sizeof query, "%s", ex->prompt.found);
        if (query[0])
            lw_find(ex, query); /* it shows the reason */
        else
            lw_explorer_set_message(ex, true, "no search yet: / finds");
        return;
    }
    uint64_t total = lw_query_match(ex, &q, 0, &spot);
    if (!total)
        return;
    uint64_t at = ex->prompt.found_at % total; /* the layout may have changed since */
    ex->prompt.found_at = direction > 0 ? (at + 1) % total : (at + total - 1) % total;
    show(ex, &q);
}
