/* The explorer's state: opening entries, and keeping map, view, fields and inspector in step with the
 * document. Invariant: when has_view, the view is of the layout in `opened`, and the cursor is on one
 * of its cells. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/explore/solve.h"
#include "tui/prompt/prompt.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct lw_entry *lw_explorer_entry(struct lw_explorer *ex)
{
    return &ex->list.entries[ex->list.entry];
}

void lw_explorer_set_message(struct lw_explorer *ex, bool bad, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ex->status.message, sizeof ex->status.message, format, args);
    va_end(args);
    ex->status.is_error = bad;
}

/* ---- In step ---- */

const struct lw_subject *lw_explorer_subject(const struct lw_explorer *ex,
                                             const struct lw_view_pane *pane)
{
    switch (pane->shown) {
    case LW_PANE_FIRST:
        return ex->layouts.has_opened ? &ex->layouts.opened.subject : NULL;
    case LW_PANE_SECOND:
        return ex->layouts.has_second ? &ex->layouts.second.subject : NULL;
    case LW_PANE_OTHER:
        return ex->layouts.has_other ? &ex->layouts.other.subject : NULL;
    case LW_PANE_OTHER_SECOND:
        return ex->layouts.has_other_second ? &ex->layouts.other_second.subject : NULL;
    case LW_PANE_STORE:
        return lw_lesson_store(ex);
    }
    return NULL;
}

/* The first of `shown` lines such that `at` is among them, moved no further than it must be. */
static uint64_t scrolled(uint64_t from, uint64_t at, uint64_t shown, uint64_t size)
{
    if (from + shown > size)
        from = size > shown ? size - shown : 0;
    if (at < from)
        from = at;
    return at - from >= shown ? at - shown + 1 : from;
}

void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    if (!pane->has_view)
        return;
    if (pane->row >= pane->view.rows)
        pane->row = pane->view.rows ? pane->view.rows - 1 : 0;
    if (pane->col >= pane->view.cols)
        pane->col = pane->view.cols ? pane->view.cols - 1 : 0;
    lw_grid(ex, pane, &grid);
    pane->top =
        scrolled(pane->top, pane->row, grid.rows > 0 ? (uint64_t)grid.rows : 1, pane->view.rows);
    /* As far right as the last column needs, and the cursor's; no further than the cursor. */
    uint64_t max = pane->view.cols - lw_grid_fits_before(&grid, pane->view.cols);
    uint64_t least = pane->col + 1 - lw_grid_fits_before(&grid, pane->col + 1);
    pane->left = pane->left > max && pane->view.cols ? max : pane->left;
    pane->left = pane->left < least ? least : pane->left;
    pane->left = pane->left > pane->col ? pane->col : pane->left;
}

void lw_explorer_moved(struct lw_explorer *ex)
{
    struct lw_view_pane *pane = ex->panes.active;
    struct lw_spot spot;
    lw_pane_scroll(ex, pane);
    ex->panes.explanation.count = 0;
    if (pane->has_view && pane->view.type->spot &&
        pane->view.type->spot(&pane->view, pane->row, pane->col, &spot)) {
        ex->panes.spot = spot;
        ex->panes.has_spot = true;
    }
    ex->panes.explanation.columns = lw_inspector_columns(ex);
    if (pane->has_view)
        lw_view_explain(&pane->view, pane->row, pane->col, &ex->panes.explanation);
    lw_split_link(ex);
    lw_form_follow(ex);
}

/* The document's cell format is for its first layout, and for another one where it makes sense. */
static bool accepts_cell_format(const struct lw_subject *subject, const struct lw_view_pane *pane,
                                const char *cell)
{
    return pane->shown == LW_PANE_FIRST ||
           (pane->shown == LW_PANE_OTHER && lw_format_check(cell, subject, NULL));
}

/* Opens the view; a colour key chosen for another layout must not hide this one. */
static bool open_view(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    size_t count, colors;
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    pane->labels.known = false;
    lw_view_close(&pane->view);
    if (!subject)
        return false;
    const struct lw_view_type *type = lw_view_types(&count)[pane->view_index];
    const struct lw_color_key *keys = lw_color_keys(&colors);
    /* Of the document as read: that one stays, while the edited one is replaced under the view. */
    const char *cell = ex->options->cell ? ex->options->cell : lw_explorer_entry(ex)->original.cell;
    struct lw_view_options options = {
        .cell = cell && cell[0] && accepts_cell_format(subject, pane, cell) ? cell : NULL,
        .color_by = pane->color ? keys[pane->color - 1].name : ex->options->color_by,
        .detail = pane->detail,
        .access = ex->panes.play.access,
        .instruction = ex->panes.play.instruction,
        .wavefront = ex->panes.play.wavefront,
    };
    pane->color_fits = lw_view_open(&pane->view, type, subject, &options, &pane->view_problem);
    if (pane->color_fits)
        return true;
    options.color_by = NULL;
    return (pane->color || !ex->options->count) &&
           lw_view_open(&pane->view, type, subject, &options, &pane->view_problem);
}

static void reopen_pane(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    pane->view_problem.code = LW_OK;
    pane->has_view = open_view(ex, pane);
    lw_pane_scroll(ex, pane);
}

void lw_explorer_reopen(struct lw_explorer *ex)
{
    reopen_pane(ex, ex->panes.active);
    lw_explorer_moved(ex);
}

static bool fits(const struct lw_subject *subject, size_t index)
{
    size_t count;
    return subject && lw_view_fits(lw_view_types(&count)[index], subject);
}

/* The other layout of a pair; NULL: there is none, or the pane shows neither. */
static const struct lw_subject *other_of_pair(const struct lw_explorer *ex,
                                              const struct lw_view_pane *pane)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    bool turns = ex->layouts.has_second && ex->layouts.has_opened &&
                 (!ex->layouts.has_other || ex->layouts.has_other_second);
    if (pane->shown == LW_PANE_STORE) /* which goes on to the first */
        return turns ? &ex->layouts.opened.subject : NULL;
    return subject && turns ? subject->with : NULL;
}

/* Which views can show a pane's layout, or the other one of the pair. */
static void try_views(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    size_t count;
    lw_view_types(&count);
    pane->views_fit = 0;
    for (size_t i = 0; i < count; i++)
        if (fits(lw_explorer_subject(ex, pane), i) || fits(other_of_pair(ex, pane), i))
            pane->views_fit |= 1u << i;
}

const struct lw_hardware *lw_explorer_hardware(const struct lw_explorer *ex)
{
    return ex->layouts.hardware ? ex->layouts.hardware : lw_hardware_default();
}

void lw_explorer_target(struct lw_explorer *ex, const struct lw_hardware *hardware)
{
    ex->layouts.hardware = hardware;
    if (lw_explorer_entry(ex)->loaded)
        lw_explorer_rebuild(ex);
}

static void open_second(struct lw_explorer *ex)
{
    const struct lw_document *doc = &lw_explorer_entry(ex)->doc;
    struct lw_opened made;
    ex->layouts.second_problem.code = LW_OK;
    if (doc->with && !lw_subject_open_second(&made, doc, lw_explorer_hardware(ex)->lanes,
                                             &ex->layouts.second_problem))
        return;
    if (ex->layouts.has_second)
        lw_subject_close(&ex->layouts.second);
    ex->layouts.has_second = doc->with != NULL;
    if (ex->layouts.has_second) {
        ex->layouts.second = made;
        ex->layouts.second.subject.hardware = ex->layouts.hardware;
    }
    for (int i = 0; i < LW_PANES_MAX && !ex->layouts.has_second; i++)
        if (lw_shows_second(&ex->panes.all[i]))
            ex->panes.all[i].shown =
                ex->panes.all[i].shown == LW_PANE_SECOND ? LW_PANE_FIRST : LW_PANE_OTHER;
}

void lw_explorer_rebuild(struct lw_explorer *ex)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_opened made;
    struct lw_spot spot = ex->panes.spot;
    bool had = ex->panes.has_spot;
    ex->layouts.problem.code = ex->layouts.second_problem.code = LW_OK;
    lw_solve_end(ex);
    if (lw_subject_open(&made, &entry->doc, lw_explorer_hardware(ex)->lanes,
                        &ex->layouts.problem)) {
        if (ex->layouts.has_opened)
            lw_subject_close(&ex->layouts.opened);
        ex->layouts.opened = made;
        ex->layouts.opened.subject.hardware = ex->layouts.hardware;
        ex->layouts.has_opened = true;
        open_second(ex);
        if (ex->layouts.has_second) {
            ex->layouts.opened.subject.store = lw_lesson_store(ex);
            lw_subject_join(&ex->layouts.opened.subject, &ex->layouts.second.subject,
                            &ex->layouts.second_problem);
        }
        ex->panes.play.instruction = ex->panes.play.wavefront = 0; /* there may be others now */
        for (int i = 0; i < ex->panes.count; i++) {
            try_views(ex, &ex->panes.all[i]);
            reopen_pane(ex, &ex->panes.all[i]);
        }
        if (ex->panes.active->detail != LW_DETAIL_FULL && !ex->panes.active->zoomed)
            lw_explorer_fit(ex); /* there may be room for the full text again */
        lw_marks_refresh(ex);
        lw_compare_refresh(ex);
        lw_explorer_moved(ex);
        if (had)
            lw_explorer_go(ex, &spot);
    }
    lw_form_refresh(ex);
}

void lw_explorer_set_view(struct lw_explorer *ex, size_t index)
{
    size_t count;
    struct lw_spot spot = ex->panes.spot;
    bool had = ex->panes.has_spot;
    lw_view_types(&count);
    if (index >= count)
        return;
    /* Of a pair the layout that has such a view. */
    bool turned = !fits(lw_explorer_subject(ex, ex->panes.active), index) &&
                  fits(other_of_pair(ex, ex->panes.active), index) && lw_split_turn(ex);
    ex->panes.active->view_index = index;
    ex->panes.active->ranged = false;
    ex->panes.active->row = ex->panes.active->col = ex->panes.active->top = ex->panes.active->left =
        0;
    lw_explorer_fit(ex);
    if (turned) { /* the element is the same, its place is not */
        spot.has_in = false;
        lw_explorer_set_message(ex, false, "this is of the %s layout: x shows the other one",
                                lw_shows_second(ex->panes.active) ? "second" : "first");
    }
    if (had)
        lw_explorer_go(ex, &spot);
}

void lw_explorer_go(struct lw_explorer *ex, const struct lw_spot *spot)
{
    uint64_t row, col;
    bool shown = ex->panes.active->has_view && ex->panes.active->view.type->find &&
                 ex->panes.active->view.type->find(&ex->panes.active->view, spot, &row, &col);
    if (shown) {
        ex->panes.active->row = row;
        ex->panes.active->col = col;
    }
    lw_explorer_moved(ex);
    if (!shown) {
        ex->panes.spot = *spot;
        ex->panes.has_spot = true;
    }
}

/* ---- Showing an entry ---- */

size_t lw_view_index(const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(types[i]->name, name))
            return i;
    return count;
}

bool lw_explorer_view(struct lw_explorer *ex, const char *name)
{
    size_t count, index = lw_view_index(name);
    lw_view_types(&count);
    if (index < count)
        lw_explorer_set_view(ex, index);
    return index < count;
}

/* The view to open an entry with: asked for, the document's, or the subject's own. The second pane
 * keeps its view where that fits. */
static void choose_views(struct lw_explorer *ex, const struct lw_document *doc)
{
    size_t count;
    lw_view_types(&count);
    size_t view = lw_view_index(ex->options->view);
    if (view == count)
        view = lw_view_index(doc->view);
    if (view == count && ex->layouts.has_opened)
        view = lw_view_index(lw_view_default(&ex->layouts.opened.subject)->name);
    ex->panes.all[0].view_index = view < count ? view : 0;
}

void lw_explorer_source(const struct lw_explorer *ex, struct lw_text *text)
{
    struct lw_document doc = ex->list.entries[ex->list.entry].doc; /* borrows all of it */
    struct lw_text lines = {0};
    if (!doc.with) {
        lw_document_source(text, &doc);
        return;
    }
    doc.title = doc.about = doc.view = doc.cell = "";
    lw_document_print(&lines, &doc);
    for (const char *at = lw_text_string(&lines); *at;)
        if (*at == '\n')
            at += 1 + strspn(at + 1, " ");
        else
            lw_text_char(text, *at++);
    lw_text_free(&lines);
}

/* A view that is best seen with all its columns: at the most detail at which they fit. */
static void fit_all(struct lw_explorer *ex, struct lw_view_pane *pane, struct lw_grid *grid)
{
    while (pane->detail < LW_DETAIL_CHAR && pane->has_view && grid->rows > 0 &&
           ((uint64_t)grid->cols < pane->view.cols || grid->label >= grid->inside.width / 2)) {
        pane->detail++;
        reopen_pane(ex, pane);
        lw_grid(ex, pane, grid);
    }
}

/* Until the user has zoomed, cells that are so wide that few would fit are shown short. */
static void choose_detail(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    enum { FEW = 4 };
    struct lw_grid grid;
    if (!pane->zoomed)
        pane->detail = LW_DETAIL_FULL;
    reopen_pane(ex, pane);
    if (pane->zoomed)
        return;
    lw_grid(ex, pane, &grid);
    if (pane->has_view && pane->view.type->col_width) {
        fit_all(ex, pane, &grid);
        return;
    }
    if (!pane->has_view || pane->view.cols < FEW || grid.rows == 0)
        return;
    /* Labels that are cut, or that take more room than what stands below them. */
    bool cut = grid.label >= grid.inside.width / 2;
    size_t width = pane->view.type->width(&pane->view);
    bool apart = grid.cell > 2 * (int)width && (uint64_t)grid.cols < pane->view.cols;
    if (!cut && !apart && grid.cols >= FEW)
        return;
    pane->detail = LW_DETAIL_SHORT;
    reopen_pane(ex, pane);
}

/* What was scrolled away for want of room comes back where there is room. */
static void fit_pane(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    choose_detail(ex, pane);
    lw_grid(ex, pane, &grid);
    if (pane->has_view && lw_grid_fits(&grid, 0, pane->view.cols) > pane->col)
        pane->left = 0;
}

void lw_explorer_fit(struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++)
        fit_pane(ex, &ex->panes.all[i]);
    lw_explorer_moved(ex);
}

/* Nothing is open; every pane is back at its first cell. */
static void close_layouts(struct lw_explorer *ex)
{
    lw_solve_end(ex);
    if (ex->layouts.has_opened)
        lw_subject_close(&ex->layouts.opened);
    if (ex->layouts.has_second)
        lw_subject_close(&ex->layouts.second);
    ex->layouts.has_opened = ex->layouts.has_second = ex->panes.has_spot = false;
    lw_compare_end(ex);
    for (int i = 0; i < LW_PANES_MAX; i++) {
        struct lw_view_pane *pane = &ex->panes.all[i];
        lw_view_close(&pane->view);
        pane->row = pane->col = pane->top = pane->left = 0;
        pane->has_view = pane->linked = pane->ranged = false;
        pane->views_fit = 0;
    }
}

void lw_explorer_reshow(struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++)
        try_views(ex, &ex->panes.all[i]);
    lw_explorer_fit(ex);
}

void lw_explorer_show(struct lw_explorer *ex, size_t index)
{
    struct lw_entry *entry = &ex->list.entries[index];
    ex->list.entry = index;
    ex->form.field = ex->form.top = ex->form.item = 0;
    ex->form.facts_top = 0;
    close_layouts(ex);
    lw_explorer_moved(ex);
    entry->broken = !lw_entry_load(ex, index, &ex->layouts.problem);
    if (entry->broken) {
        lw_form_refresh(ex);
        return;
    }
    lw_explorer_rebuild(ex);
    choose_views(ex, &entry->doc);
    lw_explorer_fit(ex);
}

/* ---- Life ---- */

bool lw_explorer_init(struct lw_explorer *ex, const struct lw_tui_options *options,
                      struct lw_error *err)
{
    memset(ex, 0, sizeof *ex);
    ex->options = options;
    ex->layouts.hardware = options->hardware;
    ex->screen.height = 24;
    ex->screen.width = 80;
    ex->panes.active = ex->panes.all;
    ex->panes.count = 1;
    lw_settings_default(&ex->keep.settings);
    lw_theme_load(&ex->keep.theme, "dark", NULL);
    bool browses = options->count == 1 && lw_browse_accepts(options->sources[0]);
    if ((browses && !lw_browse_open(ex, options->sources[0], err)) || !lw_entries_make(ex, err)) {
        lw_browse_free(ex);
        return false;
    }
    if (browses)
        return true;
    /* What the user named must open; a gallery entry that does not is shown as such. */
    for (size_t i = 0; i < options->count; i++)
        if (!lw_entry_load(ex, i, err)) {
            lw_explorer_free(ex);
            return false;
        }
    ex->focus = ex->focus_below = options->count ? LW_FOCUS_VIEW : LW_FOCUS_GALLERY;
    size_t first = 0;
    for (size_t i = 0; options->start && i < ex->list.count && !options->count; i++)
        if (!strcmp(ex->list.entries[i].source, options->start))
            first = i;
    if (ex->list.count)
        lw_explorer_show(ex, first);
    if (options->count && !ex->layouts.has_opened) {
        if (err)
            *err = ex->layouts.problem;
        lw_explorer_free(ex);
        return false;
    }
    return true;
}

void lw_explorer_free(struct lw_explorer *ex)
{
    lw_job_cancel(ex);
    for (size_t i = 0; i < ex->list.count; i++)
        lw_entry_free(&ex->list.entries[i]);
    free(ex->list.entries);
    close_layouts(ex);
    if (ex->form.has_before)
        lw_document_free(&ex->form.before);
    lw_browse_free(ex);
    lw_explanation_free(&ex->panes.explanation);
    lw_form_free(ex);
    lw_marks_free(ex);
    lw_lesson_end(ex);
    lw_text_free(&ex->form.edit.text);
    lw_text_free(&ex->prompt.line.text);
    lw_text_free(&ex->page.text);
    lw_text_free(&ex->prompt.candidates);
    lw_recall_free(ex);
    lw_recovery_close(&ex->keep.recovery);
    lw_text_free(&ex->clipboard.text);
    lw_text_free(&ex->keep.warnings);
    free(ex->prompt.lets);
    memset(ex, 0, sizeof *ex);
}
