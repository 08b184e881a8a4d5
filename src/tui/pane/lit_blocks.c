/*
 * Cells of several elements: such a cell is lit when any element in it is. Of a linear layout that is a question of
 * subspaces. The elements of a cell are its first one, xored with the span of the steps within the cell; those that
 * are lit are the cursor's, xored with the span of the bases of all hardware bits that the field does not depend on.
 * They meet when the two elements differ by a vector of the sum of both spans.
 */

#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"

#include <string.h>

static uint64_t flat_of(const struct lw_subject *subject, bool indices, const struct lw_spot *spot)
{
    return indices ? lw_dims_flatten(&subject->map.in, spot->in)
                   : lw_dims_flatten(&subject->map.out, spot->out);
}

/* The hardware bits that the field depends on, flattened; false: not each of them by its own. */
static bool bits_of_field(const struct lw_follow *follow, uint64_t *bits)
{
    const struct lw_dims *dims = &follow->subject->map.in;
    const uint64_t out[LW_DIMS_MAX] = {0};
    uint64_t total, seen = 0, in[LW_DIMS_MAX];
    *bits = 0;
    if (!lw_dims_total(dims, &total, NULL))
        return false;
    for (uint64_t bit = 1; bit && bit < total; bit *= 2) {
        lw_dims_unflatten(dims, bit, in);
        uint64_t value = lw_cell_field_value(follow->subject, follow->field, in, out);
        if (value & seen)
            return false;
        seen |= value;
        *bits |= value ? bit : 0;
    }
    return true;
}

/* What the other bits of the hardware index add to the element, or to the index itself. */
static void add_free_bits(struct lw_space *space, const struct lw_subject *subject, bool indices,
                          uint64_t bits)
{
    uint64_t total = 1, in[LW_DIMS_MAX], out[LW_DIMS_MAX];
    lw_dims_total(&subject->map.in, &total, NULL);
    for (uint64_t bit = 1; bit && bit < total; bit *= 2) {
        lw_dims_unflatten(&subject->map.in, bit, in);
        if (!(bits & bit) && lw_map_apply(&subject->map, in, out))
            lw_space_add(space, indices ? bit : lw_dims_flatten(&subject->map.out, out));
    }
}

/* The steps within a cell: rows and columns 1, 2, 4, ... from the first. */
static bool add_steps(struct lw_space *space, const struct lw_view_pane *pane, bool indices,
                      bool across)
{
    const struct lw_view *view = &pane->view;
    uint64_t step = across ? pane->step_cols : pane->step_rows;
    uint64_t size = across ? view->cols : view->rows;
    struct lw_spot first, spot;
    if (!view->type->spot(view, 0, 0, &first))
        return false;
    for (uint64_t i = 1; i < step && i < size; i *= 2) {
        if (!view->type->spot(view, across ? 0 : i, across ? i : 0, &spot) ||
            !(indices ? spot.has_in : spot.has_out))
            return false;
        lw_space_add(space, flat_of(view->subject, indices, &spot) ^
                                flat_of(view->subject, indices, &first));
    }
    return true;
}

static int bits_of(const struct lw_dims *dims)
{
    uint64_t total = 1;
    return lw_dims_total(dims, &total, NULL) ? lw_log2(total) : LW_BITS_MAX;
}

void lw_lit_begin(struct lw_lit *lit, const struct lw_follow *follow,
                  const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    struct lw_space space = {.dim = 0};
    uint64_t bits;
    *lit = (struct lw_lit){.follow = follow, .indices = lw_view_shows_indices(view)};
    if (pane->step_rows * pane->step_cols <= 1 || !follow->on || follow->parts ||
        view->type->layout || view->subject->map.kind != LW_MAP_LINEAR ||
        follow->subject->map.kind != LW_MAP_LINEAR ||
        (lit->indices ? view->subject != follow->subject
                      : !lw_dims_equal(&view->subject->map.out, &follow->subject->map.out)) ||
        !follow->spot->has_out || !bits_of_field(follow, &bits))
        return;
    add_free_bits(&space, follow->subject, lit->indices, bits);
    lit->target = flat_of(follow->subject, lit->indices, follow->spot);
    lit->whole =
        add_steps(&space, pane, lit->indices, false) && add_steps(&space, pane, lit->indices, true);
    lit->count = lw_space_checks(
        &space, bits_of(lit->indices ? &follow->subject->map.in : &follow->subject->map.out),
        lit->masks);
}

uint64_t lw_cells_hold_all(const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    const struct lw_subject *subject = view->subject;
    struct lw_space space = {.dim = 0};
    uint64_t count, from, value;
    struct lw_spot spot;
    if (pane->step_rows * pane->step_cols <= 1 || !view->color || view->type->layout ||
        !view->type->spot || subject->map.kind != LW_MAP_LINEAR || !lw_view_shades(view, &count) ||
        count & (count - 1) || !view->type->spot(view, 0, 0, &spot) || !spot.has_in ||
        !lw_subject_field(subject, view->color, spot.in, spot.out, &from))
        return 0;
    for (int across = 0; across < 2; across++)
        for (uint64_t i = 1; i < (across ? pane->step_cols : pane->step_rows); i *= 2) {
            uint64_t row = across ? 0 : i, col = across ? i : 0;
            if (row < view->rows && col < view->cols && view->type->spot(view, row, col, &spot) &&
                spot.has_in && lw_subject_field(subject, view->color, spot.in, spot.out, &value))
                lw_space_add(&space, value ^ from);
        }
    return space.dim == lw_log2(count) && count > 1 ? count : 0;
}

bool lw_lit_has(const struct lw_lit *lit, const struct lw_view_pane *pane,
                const struct lw_spot *spot)
{
    if (!lit->whole || !(lit->indices ? spot->has_in : spot->has_out))
        return lw_follow_has(lit->follow, pane, spot);
    uint64_t apart = flat_of(pane->view.subject, lit->indices, spot) ^ lit->target;
    for (int i = 0; i < lit->count; i++)
        if (__builtin_parityll(apart & lit->masks[i]))
            return false;
    return true;
}
