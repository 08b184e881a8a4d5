/*
 * Finds the cells of several elements whose colours differ. In a linear layout that holds every element all cells have
 * the same number of values, which follows from the span of the steps within a cell. In another layout the elements are
 * examined, once for each zoom, unless they are too many: then it is unknown.
 */

#include "tui/pane/merged.h"
#include "core/subspace.h"
#include "tui/draw/drawing.h"

#include <string.h>

enum { LOOKED_AT = 1 << 18 }; /* elements at most */

/* The value that the colour of an element shows; UINT64_MAX: the element has none. */
static uint64_t value_at(const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_spot spot;
    uint64_t value;
    bool has = view->type->spot(view, row, col, &spot) && spot.has_in &&
               lw_subject_field(view->subject, view->color, spot.in, spot.out, &value);
    return has ? value : UINT64_MAX;
}

static struct lw_space span_of_cell(const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    struct lw_space space = {.dim = 0};
    uint64_t first = value_at(view, 0, 0);
    for (int across = 0; across < 2; across++)
        for (uint64_t i = 1; i < (across ? pane->step_cols : pane->step_rows); i *= 2)
            if (i < (across ? view->cols : view->rows))
                lw_space_add(&space, value_at(view, across ? 0 : i, across ? i : 0) ^ first);
    return space;
}

static bool cell_is_mixed(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    const struct lw_view *view = &pane->view;
    uint64_t first = value_at(view, row, col);
    for (uint64_t r = row; r < row + pane->step_rows && r < view->rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < view->cols; c++)
            if (value_at(view, r, c) != first)
                return true;
    return false;
}

static void look_at_all(struct lw_merged *merged, const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    uint64_t cells = 0, mixed = 0;
    merged->across = lw_grid_cells(view->cols, pane->step_cols);
    for (uint64_t row = 0; row < view->rows; row += pane->step_rows)
        for (uint64_t col = 0; col < view->cols; col += pane->step_cols, cells++)
            if (cell_is_mixed(pane, row, col)) {
                merged->bits[cells / 8] |= (uint8_t)(1 << cells % 8);
                mixed++;
            }
    merged->kind = !mixed ? LW_MERGED_PURE : mixed == cells ? LW_MERGED_MIXED : LW_MERGED_SOME;
}

void lw_merged_update(struct lw_view_pane *pane)
{
    struct lw_merged *merged = &pane->merged;
    const struct lw_view *view = &pane->view;
    const struct lw_subject *subject = view->subject;
    uint64_t steps = pane->step_rows * pane->step_cols;
    if (merged->known)
        return;
    memset(merged, 0, sizeof *merged);
    merged->known = true;
    if (steps <= 1 || !pane->has_view || !view->color || view->type->layout || view->type->first ||
        !view->type->spot || !lw_view_shades(view, &merged->all) || merged->all < 2)
        return;
    uint64_t cells =
        lw_grid_cells(view->rows, pane->step_rows) * lw_grid_cells(view->cols, pane->step_cols);
    bool whole = lw_view_shows_indices(view) || lw_map_is_surjective(&subject->map);
    if (subject->map.kind == LW_MAP_LINEAR && whole && value_at(view, 0, 0) != UINT64_MAX) {
        merged->span = span_of_cell(pane);
        merged->each = (uint64_t)1 << merged->span.dim;
        merged->kind = merged->each > 1 ? LW_MERGED_MIXED : LW_MERGED_PURE;
    } else if (view->rows <= LOOKED_AT / view->cols && cells <= LW_MERGED_CELLS) {
        look_at_all(merged, pane);
    } else {
        merged->kind = LW_MERGED_UNKNOWN;
    }
}

bool lw_merged_is_mixed(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    const struct lw_merged *merged = &pane->merged;
    if (merged->kind != LW_MERGED_SOME)
        return merged->kind == LW_MERGED_MIXED;
    uint64_t cell = row / pane->step_rows * merged->across + col / pane->step_cols;
    return merged->bits[cell / 8] >> cell % 8 & 1;
}

bool lw_merged_sets(const struct lw_view_pane *pane, uint64_t *count)
{
    const struct lw_merged *merged = &pane->merged;
    enum { LISTED = 512 }; /* the most values for which those of a set are searched one by one */
    if (pane->groups.on || merged->kind != LW_MERGED_MIXED || !merged->each ||
        merged->all > LISTED || merged->all % merged->each)
        return false;
    *count = merged->all / merged->each;
    return true;
}

/* The lowest bit of each basis vector. A set is numbered by the other bits of its reduced value. */
static uint64_t lowest_bits(const struct lw_space *span)
{
    uint64_t bits = 0;
    for (int i = 0; i < span->dim; i++)
        bits |= span->basis[i] & (~span->basis[i] + 1);
    return bits;
}

uint64_t lw_merged_set_of(const struct lw_view_pane *pane, uint64_t value)
{
    const struct lw_space *span = &pane->merged.span;
    uint64_t least = lw_space_reduce(span, value), skipped = lowest_bits(span), set = 0;
    for (int bit = 0, to = 0; bit < LW_BITS_MAX && least >> bit; bit++)
        if (!(skipped >> bit & 1))
            set |= (least >> bit & 1) << to++;
    return set;
}

/* The value of the set in which those bits are 0, which need not be its least. */
static uint64_t reduced_of_set(const struct lw_space *span, uint64_t set)
{
    uint64_t skipped = lowest_bits(span), value = 0;
    for (int bit = 0; bit < LW_BITS_MAX; bit++)
        if (!(skipped >> bit & 1)) {
            value |= (set & 1) << bit;
            set >>= 1;
        }
    return value;
}

/* Whether the values of each set are consecutive. */
static bool has_runs(const struct lw_merged *merged)
{
    for (int i = 0; i < merged->span.dim; i++)
        if (merged->span.basis[i] >= merged->each)
            return false;
    return true;
}

/* Appends "0-3", "0,2", or the first values of many. */
void lw_merged_put_set(const struct lw_view_pane *pane, uint64_t set, struct lw_text *text)
{
    enum { SHOWN = 4 };
    const struct lw_merged *merged = &pane->merged;
    const uint64_t reduced = reduced_of_set(&merged->span, set);
    int shown = 0;
    if (has_runs(merged) && merged->each > 1) {
        lw_text_format(text, "%llu-%llu", (unsigned long long)reduced,
                       (unsigned long long)(reduced + merged->each - 1));
        return;
    }
    for (uint64_t value = 0; value < merged->all && shown <= SHOWN; value++) {
        if (lw_space_reduce(&merged->span, value) != reduced)
            continue;
        if (shown++ == SHOWN)
            lw_text_add(text, ",…");
        else
            lw_text_format(text, "%s%llu", shown > 1 ? "," : "", (unsigned long long)value);
    }
}

void lw_merged_put(const struct lw_view_pane *pane, bool marks, struct lw_text *text)
{
    const struct lw_merged *merged = &pane->merged;
    const char *what = pane->view.color;
    lw_text_format(text, " a cell is %llux%llu", (unsigned long long)pane->step_rows,
                   (unsigned long long)pane->step_cols);
    switch (merged->kind) {
    case LW_MERGED_PURE:
        lw_text_format(text, ", of one %s ", what);
        return;
    case LW_MERGED_MIXED:
        if (merged->each)
            lw_text_format(text, ", with %s%llu %ss", merged->each == merged->all ? "all " : "",
                           (unsigned long long)merged->each, what);
        else
            lw_text_format(text, ", with several %ss", what);
        lw_text_add(text, marks ? ": the first is shown " : " ");
        return;
    case LW_MERGED_SOME:
        lw_text_format(text, "; %s: several %ss ", marks ? LW_MERGED_MARK : "pale", what);
        return;
    case LW_MERGED_UNKNOWN:
        lw_text_format(text, ", its first is shown; its %ss are not counted ", what);
        return;
    case LW_MERGED_NOT:
        lw_text_add(text, pane->view.type->first ? ", the first that is not empty is shown "
                                                 : ", its first is shown ");
    }
}
