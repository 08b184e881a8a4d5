/* Compares a layout with the document that it was read from, or with another one. Linear layouts are counted by
 * algebra; others element by element, between events. */

#include "analysis/compare_shared.h"
#include "tui/explore/explorer.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- Counting ---- */

static bool count_some(struct lw_explorer *ex, struct lw_job *job)
{
    enum { AT_ONCE = 512 };
    uint64_t out[LW_DIMS_MAX];
    for (int i = 0; i < AT_ONCE && job->done < job->total; i++, job->done++) {
        struct lw_diff *diff = ex->compare.diff;
        while (!diff->counting || diff->held == diff->total)
            diff++;
        lw_dims_unflatten(&diff->box, diff->held++, out);
        if (!lw_compare_element(&diff->comparison, out))
            continue;
        diff->differing++;
        diff->shared += lw_compare_shares(&diff->comparison, out);
    }
    return job->done < job->total;
}

static void counted(struct lw_explorer *ex, struct lw_job *job, bool finished)
{
    (void)job;
    for (int i = 0; i < LW_SIDES; i++) {
        ex->compare.diff[i].counted =
            ex->compare.diff[i].counted || (ex->compare.diff[i].counting && finished);
        ex->compare.diff[i].counting = false;
    }
}

/* Elements are compared only between layouts of the same shape. */
static bool check_shapes(const struct lw_map *a, const struct lw_map *b, struct lw_error *err)
{
    struct lw_text x = {0}, y = {0};
    bool same = a->out.count == b->out.count;
    for (int d = 0; d < a->out.count; d++)
        lw_text_format(&x, "%s%llu", d ? " x " : "", (unsigned long long)a->out.dim[d].size);
    for (int d = 0; d < b->out.count; d++) {
        lw_text_format(&y, "%s%llu", d ? " x " : "", (unsigned long long)b->out.dim[d].size);
        same = same && a->out.dim[d].size == b->out.dim[d].size;
    }
    if (!same)
        lw_error_set(err, LW_ERROR_SHAPE,
                     "layouts of one shape are compared, and these are of %.60s and %.60s",
                     lw_text_string(&x), lw_text_string(&y));
    lw_text_free(&x);
    lw_text_free(&y);
    return same;
}

static bool has_threads(const struct lw_map *map)
{
    return lw_dims_find(&map->in, "thread") >= 0 && lw_dims_find(&map->in, "local") >= 0;
}

/* Converts threads and locals of tilus to registers, lanes and warps, if the other layout has those. */
static bool convert(struct lw_diff *diff, const struct lw_map **a, const struct lw_map **b,
                    uint64_t lanes)
{
    const struct lw_map **which = has_threads(*a) ? a : b;
    struct lw_layout layout;
    diff->converts = has_threads(*a) != has_threads(*b) &&
                     (lw_dims_find(&(*a)->in, "lane") >= 0 || lw_dims_find(&(*b)->in, "lane") >= 0);
    if (!diff->converts)
        return true;
    if (!lw_map_to_hardware(*which, lanes, &layout, &diff->why))
        return false;
    lw_map_from_layout(&diff->converted, &layout);
    *which = &diff->converted;
    return true;
}

/* Prepares a comparison of two layouts; the diff must not move after this. */
static bool prepare(struct lw_diff *diff, const struct lw_map *a, const struct lw_map *b,
                    uint64_t lanes)
{
    return check_shapes(a, b, &diff->why) && convert(diff, &a, &b, lanes) &&
           lw_compare(&diff->comparison, a, b, &diff->why) &&
           lw_compare(&diff->turned, b, a, &diff->why);
}

void lw_diff_make(struct lw_diff *diff, const struct lw_map *a, const struct lw_map *b,
                  uint64_t lanes)
{
    diff->fits = prepare(diff, a, b, lanes);
    if (!diff->fits)
        return;
    diff->by_steps = diff->comparison.linear && lw_map_is_surjective(diff->comparison.a) &&
                     lw_map_is_surjective(diff->comparison.b);
    diff->counted = lw_compare_count(&diff->comparison, &diff->differing, &diff->held);
    if (diff->counted && lw_compare_count_shared(&diff->comparison, &diff->shared))
        diff->shared -= diff->held - diff->differing; /* the equal ones */
    diff->box = a->out;
    diff->counting = !diff->counted && lw_dims_total(&diff->box, &diff->total, NULL);
    if (diff->counting)
        diff->differing = diff->held = 0;
}

void lw_compare_refresh(struct lw_explorer *ex)
{
    struct lw_job job = {.what = "counting what differs", .step = count_some, .end = counted};
    for (int i = 0; i < LW_SIDES; i++)
        if (ex->compare.diff[i].counting) {
            lw_job_cancel(ex);
            break;
        }
    memset(ex->compare.diff, 0, sizeof ex->compare.diff);
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_subject *now =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
        const struct lw_subject *other =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, true});
        if (now && other)
            lw_diff_make(&ex->compare.diff[i], &now->map, &other->map, now->lanes);
        job.total += ex->compare.diff[i].counting ? ex->compare.diff[i].total : 0;
    }
    if (job.total)
        lw_job_start(ex, &job);
}

bool lw_compare_marks_equal(const struct lw_explorer *ex, enum lw_side side)
{
    const struct lw_diff *diff = &ex->compare.diff[side];
    return diff->fits && diff->counted && !lw_layouts_compare_several(&ex->layouts) &&
           diff->differing > diff->held / 2;
}

bool lw_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                const struct lw_spot *spot)
{
    const struct lw_diff *diff = &ex->compare.diff[pane->shown.side];
    if (!diff->fits || spot->operand)
        return false;
    if (lw_view_shows_indices(&pane->view) && spot->has_in && !diff->converts)
        return lw_compare_index(pane->shown.other ? &diff->turned : &diff->comparison, spot->in);
    return spot->has_out && lw_compare_element(&diff->comparison, spot->out);
}

static bool differs_at(const struct lw_explorer *ex, const struct lw_view_pane *pane, uint64_t row,
                       uint64_t col)
{
    const struct lw_view *view = &pane->view;
    struct lw_spot spot;
    return row < view->rows && col < view->cols && view->type->spot(view, row, col, &spot) &&
           lw_differs(ex, pane, &spot);
}

/* The elements at which linear layouts that hold every element agree are an affine subspace, or none: they agree in a
 * cell if they do at its first element and at one step of each power of two from it. Otherwise all elements are
 * compared. */
bool lw_cell_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane, uint64_t row,
                     uint64_t col)
{
    bool linear = ex->compare.diff[pane->shown.side].by_steps, all = lw_cells_compare_all(ex, pane);
    if (differs_at(ex, pane, row, col))
        return true;
    for (uint64_t i = 1; linear && i < pane->step_rows; i *= 2)
        if (differs_at(ex, pane, row + i, col))
            return true;
    for (uint64_t i = 1; linear && i < pane->step_cols; i *= 2)
        if (differs_at(ex, pane, row, col + i))
            return true;
    for (uint64_t r = 0; !linear && all && r < pane->step_rows; r++)
        for (uint64_t c = 0; c < pane->step_cols; c++)
            if (differs_at(ex, pane, row + r, col + c))
                return true;
    return false;
}

bool lw_cells_compare_all(const struct lw_explorer *ex, const struct lw_view_pane *pane)
{
    enum { LOOKED_AT = 1 << 16 };
    return ex->compare.diff[pane->shown.side].by_steps ||
           pane->view.rows <= LOOKED_AT / pane->view.cols;
}

bool lw_compare_next(struct lw_explorer *ex, int by)
{
    enum { CELLS_MAX = 1 << 18 };
    struct lw_view_pane *pane = ex->panes.active;
    const struct lw_view *view = &pane->view;
    struct lw_spot spot;
    if (!ex->layouts.has_other || !pane->has_view || !view->type->spot ||
        view->rows > CELLS_MAX / view->cols)
        return false;
    uint64_t cells = view->rows * view->cols, step = by < 0 ? cells - 1 : 1;
    uint64_t at = pane->row * view->cols + pane->col;
    for (uint64_t tried = 0; tried < cells; tried++) {
        at = (at + step) % cells;
        if (!view->type->spot(view, at / view->cols, at % view->cols, &spot) ||
            !lw_differs(ex, pane, &spot))
            continue;
        pane->row = at / view->cols;
        pane->col = at % view->cols;
        ex->changed |= LW_CHANGED_CURSOR;
        return true;
    }
    lw_explorer_set_message(ex, false, "no cell differs");
    return true;
}

bool lw_compare_finds(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool looks = ex->layouts.has_other && pane->has_view && pane->view.type->spot;
    for (int i = 0; looks && i < LW_SIDES; i++) {
        const struct lw_diff *diff = &ex->compare.diff[i];
        if (diff->fits && (diff->differing || !diff->counted))
            return true;
    }
    return false;
}

bool lw_compare_has_entry(const struct lw_explorer *ex, size_t entry)
{
    return ex->layouts.has_other &&
           (entry == ex->list.entry ||
            !strcmp(ex->list.entries[entry].source, ex->compare.other_name));
}

/* ---- Beginning and ending ---- */

/* Shows the layout alone, instead of a view with others; the end of the comparison shows that again. */
static void leave_operands(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    size_t count;
    if (!lw_view_types(&count)[pane->view_index]->layout)
        return;
    ex->compare.before.kept = true;
    ex->compare.before.view = pane->view_index;
    ex->compare.before.row = pane->row;
    ex->compare.before.col = pane->col;
    ex->compare.before.has_spot = ex->panes.has_spot;
    ex->compare.before.spot = ex->panes.spot;
    pane->view_index = lw_view_index("owners");
    pane->row = pane->col = pane->top = pane->left = 0;
}

/* Returns to the view that leave_operands() left, unless another one was chosen since. */
static void return_to_operands(struct lw_explorer *ex)
{
    struct lw_view_pane *pane = ex->panes.all;
    if (pane->view_index != lw_compare_view_after(ex)) {
        pane->view_index = lw_compare_view_after(ex);
        pane->row = ex->compare.before.row;
        pane->col = ex->compare.before.col;
        ex->panes.has_spot = ex->compare.before.has_spot;
        ex->panes.spot = ex->compare.before.spot;
        ex->changed |= ex->panes.has_spot ? LW_CHANGED_SPOT : 0;
    }
    ex->compare.before.kept = false;
}

void lw_compare_end(struct lw_explorer *ex)
{
    lw_layouts_close_all(&ex->layouts, true);
    if (ex->compare.has_doc)
        lw_document_free(&ex->compare.doc);
    ex->compare.has_doc = false;
    lw_compare_refresh(ex);
    for (int i = 0; i < LW_PANES_MAX; i++)
        if (ex->panes.all[i].shown.other) {
            ex->panes.all[i].shown.other = false;
            if (ex->panes.count > 1)
                ex->panes.active = ex->panes.all;
            ex->panes.count = 1;
        }
    return_to_operands(ex);
}

/* Opens the other layouts of the document to compare with, at the sides that this one also has. */
static void begin_sides(struct lw_explorer *ex, const struct lw_document *doc)
{
    struct lw_layouts *layouts = &ex->layouts;
    struct lw_error err;
    for (int i = 0; i < LW_SIDES; i++) {
        enum lw_side side = (enum lw_side)i;
        if (side == layouts->side || !lw_document_has(doc, side) || !layouts->has_side[i])
            continue;
        layouts->has_other_side[i] = lw_subject_open_side(&layouts->other_sides[i], doc, side,
                                                          lw_explorer_hardware(ex)->lanes, &err);
        if (layouts->has_other_side[i])
            layouts->other_sides[i].subject.hardware = lw_explorer_target(ex);
    }
    if (lw_layouts_compare_several(layouts))
        lw_layouts_join(layouts, true, &err);
}

/* Whether a document could have the shape of a map; puts the command that sets it: ":set shape=16,16". Some layouts
 * have their own shape, whatever that of the tensor is. */
static bool put_set_shape(struct lw_text *text, const struct lw_document *doc,
                          const struct lw_map *map)
{
    struct lw_document copy;
    struct lw_error err;
    struct lw_map now;
    struct lw_text shape = {0};
    if (!lw_document_copy(&copy, doc, &err))
        return false;
    for (int d = 0; d < map->out.count; d++)
        lw_text_format(&shape, "%s%llu", d ? "," : "", (unsigned long long)map->out.dim[d].size);
    bool fits = lw_document_set(&copy, "shape", lw_text_string(&shape), &err) &&
                lw_document_build(&copy, &now, &err) && lw_subject_fits(&copy, &err) &&
                check_shapes(&now, map, &err);
    lw_document_free(&copy);
    if (fits)
        lw_text_format(text, ":set shape=%s", lw_text_string(&shape));
    lw_text_free(&shape);
    return fits;
}

/* Shows why a layout cannot be compared, and of other shapes what would make them one. */
static void refuse(struct lw_explorer *ex, const struct lw_document *doc, const struct lw_map *map,
                   const struct lw_error *why)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    const struct lw_map *own = &ex->layouts.opened.subject.map;
    struct lw_text text = {0};
    lw_text_format(&text, "%s; ", why->message);
    if (why->code != LW_ERROR_SHAPE)
        lw_text_cut(&text, text.length - 2);
    else if (entry->loaded && put_set_shape(&text, entry->doc, map))
        lw_text_add(&text, " gives this one that shape");
    else if (put_set_shape(&text, doc, own))
        lw_text_add(&text, " in the other one, after :open, gives it this shape");
    else
        lw_text_add(&text, "neither can have the other's shape");
    lw_explorer_set_message(ex, true, "%s", lw_text_string(&text));
    lw_text_free(&text);
}

/* Opens the document's layout at the side of that on the screen, if it has one; false: it cannot be opened, or (unless
 * `any`) it cannot be compared. */
static bool open_other(struct lw_explorer *ex, const struct lw_document *doc, bool any,
                       struct lw_opened *made)
{
    struct lw_diff trial = {.fits = false};
    struct lw_error err;
    uint64_t lanes = lw_explorer_hardware(ex)->lanes;
    enum lw_side side = ex->layouts.side; /* of its layouts that at the same side, if any */
    side = lw_document_has(doc, side) ? side : doc->side;
    if (!ex->layouts.has_opened || !lw_subject_open_side(made, doc, side, lanes, &err)) {
        lw_explorer_set_message(ex, true, "%s",
                                ex->layouts.has_opened ? err.message : "there is no layout here");
        return false;
    }
    if (any || prepare(&trial, &ex->layouts.opened.subject.map, &made->subject.map, lanes))
        return true;
    refuse(ex, doc, &made->subject.map, &trial.why);
    lw_subject_close(made);
    return false;
}

/* Keeps the document to compare with, as it is copied and shown later. */
static void keep_document(struct lw_explorer *ex, const struct lw_document *doc, const char *source)
{
    struct lw_compare_state *compare = &ex->compare;
    bool fits = strlen(source) < sizeof compare->source;
    snprintf(compare->source, sizeof compare->source, "%s", fits ? source : "");
    compare->has_doc = lw_document_copy(&compare->doc, doc, NULL);
    ex->failed = ex->failed || !compare->has_doc;
}

static bool begin(struct lw_explorer *ex, const struct lw_document *doc, const char *own_name,
                  const char *name, const char *source, bool any)
{
    struct lw_opened made;
    if (!open_other(ex, doc, any, &made))
        return false;
    lw_compare_end(ex); /* this changes the version of the layouts */
    ex->compare.edited = false;
    if (source)
        keep_document(ex, doc, source);
    ex->layouts.version++;
    ex->layouts.other = made;
    ex->layouts.other.subject.hardware = lw_explorer_target(ex);
    ex->layouts.has_other = ex->compare.leads = true;
    ex->layouts.other_side = ex->layouts.side;
    snprintf(ex->compare.other_name, sizeof ex->compare.other_name, "%s", name);
    snprintf(ex->compare.own_name, sizeof ex->compare.own_name, "%s", own_name);
    lw_pane_copy(ex->panes.all, ex->panes.active);
    ex->panes.active = ex->panes.all;
    leave_operands(ex, ex->panes.all);
    begin_sides(ex, doc);
    struct lw_error err;
    if (!lw_layouts_join_compared(&ex->layouts, &err))
        ex->failed = true;
    if (!lw_layouts_compare_several(&ex->layouts))
        ex->panes.all[0].shown = (struct lw_shown){ex->layouts.side, false};
    lw_pane_copy(&ex->panes.all[1], ex->panes.all);
    ex->panes.all[1].shown.other = true;
    ex->panes.count = 2;
    lw_compare_refresh(ex);
    if (ex->focus == LW_FOCUS_GALLERY) /* there may be no room for the list beside both */
        ex->focus = LW_FOCUS_VIEW;
    ex->changed |= LW_CHANGED_VIEW | (ex->panes.has_spot ? LW_CHANGED_SPOT : 0);
    lw_split_explain(ex);
    return true;
}

/* False, with a message: it cannot be compared, and the present comparison continues. */
static bool compare_source(struct lw_explorer *ex, const char *source, bool any)
{
    struct lw_document doc;
    struct lw_error err;
    const struct lw_open_options options = {.triton = ex->options->triton};
    if (!lw_document_open(&doc, source, &options, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        return false;
    }
    bool begun = begin(ex, &doc, lw_entry_name(lw_explorer_entry(ex)), source, source, any);
    lw_document_free(&doc);
    return begun;
}

/* Keeps the SOURCE of a comparison, which the key begins again. */
static void keep_last(struct lw_explorer *ex, const char *source, bool any)
{
    struct lw_compare_state *compare = &ex->compare;
    snprintf(compare->last, sizeof compare->last, "%s",
             strlen(source) < sizeof compare->last ? source : "");
    compare->last_entry = ex->list.entry;
    compare->last_any = any;
}

/* Two layouts that are side by side although they cannot be compared. */
static void report_unlike(struct lw_explorer *ex)
{
    const struct lw_diff *diff = &ex->compare.diff[ex->layouts.side];
    if (ex->layouts.has_other && !diff->fits)
        lw_explorer_set_message(ex, false, "not compared: %s", diff->why.message);
}

void lw_compare_toggle(struct lw_explorer *ex, int unused)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    (void)unused;
    if (ex->layouts.has_other) {
        lw_compare_end(ex);
        ex->changed |= LW_CHANGED_VIEW | (ex->panes.has_spot ? LW_CHANGED_SPOT : 0);
    } else if (entry->loaded && ex->compare.last[0] && ex->compare.last_entry == ex->list.entry) {
        compare_source(ex, ex->compare.last, ex->compare.last_any);
        report_unlike(ex);
    } else if (entry->recovered) {
        lw_explorer_set_message(ex, true,
                                "the layout before these restored changes is not known: :compare "
                                "SOURCE compares with one that is named");
    } else if (entry->loaded) {
        begin(ex, entry->original, "now",
              entry->path ? lw_base_name(entry->path) : LW_COMPARE_AS_READ,
              !entry->own && lw_options_keep_sources(ex) ? entry->source : "", false);
        ex->compare.edited = ex->layouts.has_other;
    }
}

void lw_compare_show(struct lw_explorer *ex, const struct lw_document *doc, const char *name,
                     const char *source)
{
    if (begin(ex, doc, lw_entry_name(lw_explorer_entry(ex)), name, source, true) && source)
        keep_last(ex, source, true);
    report_unlike(ex);
}

void lw_compare_with(struct lw_explorer *ex, const char *source)
{
    if (!*source) {
        ex->compare.last[0] = '\0';
        lw_compare_toggle(ex, 0);
        return;
    }
    if (compare_source(ex, source, false))
        keep_last(ex, source, false);
}
