/* Opens the view of a pane, and keeps its cursor on the screen. */

#include "tui/draw/drawing.h"
#include "view/view_parts.h"

#include <string.h>

/* The first of `shown` lines that include `at`, as near as possible to `from`. */
static uint64_t scrolled(uint64_t from, uint64_t at, uint64_t shown, uint64_t size)
{
    if (from + shown > size)
        from = size > shown ? size - shown : 0;
    if (at < from)
        from = at;
    return at - from >= shown ? at - shown + 1 : from;
}

/* The same for cells of `step` elements. */
static uint64_t scrolled_by(uint64_t from, uint64_t at, int shown, uint64_t size, uint64_t step)
{
    uint64_t all = size ? (size - 1) / step + 1 : 0;
    return step * scrolled(from / step, at / step, shown > 0 ? (uint64_t)shown : 1, all);
}

void lw_pane_scroll_with(const struct lw_explorer *ex, struct lw_view_pane *pane,
                         struct lw_view_pane *other)
{
    struct lw_grid grid, its;
    if (!pane->has_view)
        return;
    if (pane->row >= pane->view.rows)
        pane->row = pane->view.rows ? pane->view.rows - 1 : 0;
    if (pane->col >= pane->view.cols)
        pane->col = pane->view.cols ? pane->view.cols - 1 : 0;
    lw_grid(ex, pane, &grid);
    if (other) {
        lw_grid(ex, other, &its);
        grid.rows = grid.rows < its.rows ? grid.rows : its.rows;
        grid.cols = grid.cols < its.cols ? grid.cols : its.cols;
    }
    pane->top = scrolled_by(pane->top, pane->row, grid.rows, pane->view.rows, pane->step_rows);
    if (pane->view.type->picture) {
        pane->left =
            scrolled_by(pane->left, pane->col, grid.cols, pane->view.cols, pane->step_cols);
        return;
    }
    /* Scrolls to the right as far as the cursor's column needs, and no further than for the last column. */
    uint64_t max = pane->view.cols - lw_grid_fits_before(&grid, pane->view.cols);
    uint64_t least = pane->col + 1 - lw_grid_fits_before(&grid, pane->col + 1);
    pane->left = pane->left > max && pane->view.cols ? max : pane->left;
    pane->left = pane->left < least ? least : pane->left;
    pane->left = pane->left > pane->col ? pane->col : pane->left;
}

/* The first of `shown` lines with line `at` in the middle, if it is not among them, or is the first or the last. */
static uint64_t centred(uint64_t from, uint64_t at, int shown, uint64_t step)
{
    uint64_t lines = shown > 0 ? (uint64_t)shown : 1, line = at / step, first = from / step;
    if (line > first && line + 1 < first + lines)
        return from;
    return line > lines / 2 ? step * (line - lines / 2) : 0;
}

void lw_pane_show_around(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_grid grid;
    if (!pane->has_view)
        return;
    lw_grid(ex, pane, &grid);
    pane->top = centred(pane->top, pane->row, grid.rows, pane->step_rows);
    pane->left = centred(pane->left, pane->col, grid.cols, pane->step_cols);
    lw_pane_scroll(ex, pane);
}

void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    lw_pane_scroll_with(ex, pane, NULL);
}

/* Whether a text has a field in braces. */
static bool has_field(const char *cell, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = cell; (at = strchr(at, '{')); at++)
        if (!strncmp(at + 1, name, length) && at[1 + length] == '}')
            return true;
    return false;
}

/* Whether a format has another text for each owner in a layout. */
static bool distinguishes(const char *cell, const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    for (int i = 0; i < in->count && !has_field(cell, "hardware"); i++) {
        const char *name = in->dim[i].name;
        bool of_thread = !strcmp(name, "lane") || !strcmp(name, "warp");
        bool of_register = !strcmp(name, "register") || !strcmp(name, "local");
        if (in->dim[i].size > 1 && !has_field(cell, name) &&
            !(of_thread && has_field(cell, "thread")) &&
            !(of_register && (has_field(cell, "register") || has_field(cell, "local"))))
            return false;
    }
    return true;
}

/* The layout that is compared with that of a pane; NULL: none. */
static const struct lw_subject *compared_with(const struct lw_explorer *ex,
                                              const struct lw_view_pane *pane)
{
    return ex->layouts.has_other
               ? lw_layouts_at(&ex->layouts,
                               (struct lw_shown){pane->shown.side, !pane->shown.other})
               : NULL;
}

/* Whether the document's cell format, which is for its own layout, is possible for the pane's, and in a comparison
 * shows what may differ. */
static bool accepts_cell_format(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                                const char *cell)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    const struct lw_subject *other = compared_with(ex, pane);
    return pane->shown.side == ex->layouts.side &&
           (!pane->shown.other || lw_format_check(cell, subject, NULL)) &&
           (!other || ex->options->cell ||
            (distinguishes(cell, subject) && distinguishes(cell, other)));
}

/* The colours for cells of many elements: those of the largest parts of which the layout has several. */
static const char *color_of_parts(const struct lw_subject *subject)
{
    static const char *const names[] = {"block", "warp"};
    uint64_t last[LW_DIMS_MAX] = {0}, value;
    for (int i = 0; i < subject->map.in.count; i++)
        last[i] = subject->map.in.dim[i].size - 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_subject_field(subject, names[i], last, NULL, &value) && value > 0)
            return names[i];
    return NULL;
}

void lw_pane_color_parts(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    static const char *const names[] = {"block", "warp", "thread", "register", "local"};
    enum { THREAD = 2 };
    const char *color = NULL;
    if (!pane->has_view || pane->groups.on || ex->options->color_by ||
        lw_explorer_entry(ex)->color || ex->layouts.has_other ||
        strcmp(pane->view.type->name, "owners") != 0)
        return;
    const struct lw_dims *in = &pane->view.subject->map.in;
    for (size_t i = 0; !color && i < sizeof names / sizeof *names; i++)
        if ((i <= THREAD || lw_dims_find(in, names[i]) >= 0) &&
            lw_merged_share(pane, names[i]) > (i == THREAD ? 2 : 1))
            color = names[i];
    bool of_threads = color && (!strcmp(color, "block") || !strcmp(color, "warp"));
    if (!color || of_threads || (!pane->color && !strcmp(color, pane->view.color)))
        return; /* a chosen colour may be given up later */
    if (color == names[THREAD] && lw_dims_find(in, "lane") >= 0)
        color = "lane"; /* as each cell has all warps */
    pane->parts_color = color;
    lw_pane_open_as_sized(ex, pane);
}

static struct lw_view_options options_of(struct lw_explorer *ex, const struct lw_view_pane *pane,
                                         const struct lw_view_type *type)
{
    size_t colors;
    const struct lw_color_key *keys = lw_color_keys(&colors);
    /* The format of the document as read, since the edited one may be replaced while the view is open. */
    bool own = type->formatted && !type->indices;
    const char *cell = ex->options->cell ? ex->options->cell
                       : own             ? lw_explorer_entry(ex)->original->cell
                                         : NULL;
    struct lw_view_options options = {
        .cell = cell && cell[0] && accepts_cell_format(ex, pane, cell) ? cell : NULL,
        .color_by = pane->color             ? keys[pane->color - 1].name
                    : ex->options->color_by ? ex->options->color_by
                                            : lw_explorer_entry(ex)->color,
        .detail = pane->detail,
        .wrap = pane->wrap,
        .across = pane->across,
        .access = ex->panes.play.access,
        .instruction = ex->panes.play.instruction,
        .wavefront = ex->panes.play.wavefront,
    };
    bool parts = pane->groups.on ? pane->groups.parts : pane->step_rows * pane->step_cols > 1;
    if (!options.color_by && parts)
        options.color_by =
            pane->parts_color ? pane->parts_color : color_of_parts(lw_explorer_subject(ex, pane));
    if (!options.color_by && type->picture && !type->color && !type->layout)
        options.color_by = lw_only_dim(lw_explorer_subject(ex, pane));
    return options;
}

static bool are_same(const struct lw_view_options *a, const struct lw_view_options *b)
{
    return a->cell == b->cell && a->color_by == b->color_by && a->detail == b->detail &&
           a->wrap == b->wrap && a->across == b->across && a->access == b->access &&
           a->instruction == b->instruction && a->wavefront == b->wavefront;
}

static const struct lw_view_type *type_of(const struct lw_view_pane *pane)
{
    size_t count;
    return lw_view_types(&count)[pane->view_index];
}

/* Opens the view; if a colour key chosen for another layout is not possible, with the default. */
static bool open_view(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    lw_view_close(&pane->view);
    if (!subject)
        return false;
    const struct lw_view_type *type = type_of(pane);
    struct lw_view_options options = pane->opened_with = options_of(ex, pane, type);
    pane->opened = ex->layouts.version;
    pane->color_fits = lw_view_open(&pane->view, type, subject, &options, &pane->view_problem);
    if (pane->color_fits)
        return true;
    options.color_by = NULL;
    return (pane->color || !ex->options->count) &&
           lw_view_open(&pane->view, type, subject, &options, &pane->view_problem);
}

/* Resets the values computed from the cells of the former view; a cell has at least one element. */
static void begin_cells(struct lw_view_pane *pane)
{
    pane->step_rows += pane->step_rows == 0;
    pane->step_cols += pane->step_cols == 0;
    pane->merged.known = pane->marked.known = false;
}

/* Whether the rows have the same labels, which depend on the arrangement of the view, and in a heat map on the
 * detail. */
static bool labels_stay(const struct lw_view *view, const struct lw_view_options *a,
                        const struct lw_view_options *b)
{
    return a->wrap == b->wrap && a->across == b->across &&
           (a->detail == b->detail || !view->type->heat);
}

void lw_pane_reopen(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    pane->view_problem.code = LW_OK;
    begin_cells(pane);
    pane->labels.known = false;
    pane->fresh = pane->has_view = open_view(ex, pane);
    lw_pane_scroll(ex, pane);
}

static void open_as_sized(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    begin_cells(pane);
    if (pane->fresh && pane->has_view && pane->view.type == type_of(pane) &&
        pane->view.subject == lw_explorer_subject(ex, pane)) {
        const struct lw_view_options options = options_of(ex, pane, pane->view.type);
        bool same = are_same(&options, &pane->opened_with);
        if (same) {
            pane->labels.known = pane->labels.known &&
                                 (same || labels_stay(&pane->view, &options, &pane->opened_with));
            pane->opened_with = options;
            lw_pane_scroll(ex, pane);
            return;
        }
    }
    lw_pane_reopen(ex, pane);
}

void lw_pane_open_as_sized(struct lw_explorer *ex, struct lw_view_pane *pane)
{
    const bool rewraps =
        pane->has_view &&
        (pane->wrap != pane->view.options.wrap || pane->across != pane->view.options.across) &&
        pane->view.subject == lw_explorer_subject(ex, pane) && pane->view.type == type_of(pane);
    const uint64_t cols = rewraps ? pane->view.cols : 1;
    const uint64_t at = pane->row * cols + pane->col,
                   range = pane->range_row * cols + pane->range_col;
    open_as_sized(ex, pane);
    if (!rewraps || !pane->has_view)
        return;
    pane->row = at / pane->view.cols; /* the element is in another row */
    pane->col = at % pane->view.cols;
    pane->range_row = range / pane->view.cols;
    pane->range_col = range % pane->view.cols;
    lw_pane_scroll(ex, pane);
}
