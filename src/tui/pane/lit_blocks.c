/*
 * Lights cells of several elements: a cell is lit if any element in it is. In a linear layout the elements of a cell
 * are its first one, xored with the span of the steps within the cell; the elements that are lit are the cursor's,
 * xored with the span of the bases of all hardware bits that the field does not depend on. A cell is lit if these two
 * elements differ by a vector in the sum of both spans.
 *
 * In another layout, and in the layouts of an MMA, the elements that are lit are listed, unless they are too many, and
 * each lights its cell.
 */

#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"
#include "view/query.h"

#include <string.h>

static uint64_t flat_of(const struct lw_subject *subject, bool indices, const struct lw_spot *spot)
{
    return indices ? lw_dims_flatten(&subject->map.in, spot->in)
                   : lw_dims_flatten(&subject->map.out, spot->out);
}

/* The hardware bits that the field depends on, flattened; false: it is not made of separate bits. */
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

/* Adds the vectors by which the other bits of the hardware index change the element, or the index itself. */
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

/* Adds the steps within a cell: rows and columns 1, 2, 4, ... from the first. */
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

static uint64_t cell_of(uint64_t across, const struct lw_view_pane *pane, uint64_t row,
                        uint64_t col)
{
    return row / pane->step_rows * across + col / pane->step_cols;
}

/* Sets the bit of the cell of a spot. */
static void set_cell(uint8_t *cells, uint64_t across, const struct lw_view_pane *pane,
                     const struct lw_spot *spot)
{
    uint64_t row, col;
    if ((!spot->has_in && !spot->has_out) || !lw_view_find(&pane->view, spot, &row, &col))
        return;
    uint64_t cell = cell_of(across, pane, row, col);
    cells[cell / 8] |= (uint8_t)(1 << cell % 8);
}

/* The spot of a hardware index: of the index itself, or of its element. */
static struct lw_spot spot_of(const struct lw_subject *subject, bool indices, const uint64_t *in)
{
    struct lw_spot spot = {.has_in = indices};
    memcpy(spot.in, in, sizeof spot.in);
    spot.has_out = lw_map_apply(&subject->map, in, spot.out) && !indices;
    return spot;
}

static void light(struct lw_lit *lit, const struct lw_view_pane *pane,
                  const struct lw_subject *subject, int operand, const uint64_t *in)
{
    struct lw_spot spot = spot_of(subject, lit->indices, in);
    spot.operand = operand;
    set_cell(lit->cells, lit->across, pane, &spot);
}

/* Cells in a row; 0: they are too many. */
static uint64_t cells_across(const struct lw_view_pane *pane)
{
    uint64_t across = lw_grid_cells(pane->view.cols, pane->step_cols);
    return lw_grid_cells(pane->view.rows, pane->step_rows) > LW_MERGED_CELLS / across ? 0 : across;
}

/* Fixes the dims of the field: sets in `in` the value of each; false: the layout has no such value. */
static bool fix_dims(const struct lw_follow *follow, struct lw_dims *dims, uint64_t *in)
{
    const bool thread = !strcmp(follow->name, "thread") && lw_dims_find(dims, "thread") < 0;
    const char *const names[] = {thread ? "lane" : follow->name, "warp"};
    uint64_t value = follow->value;
    const int last = thread ? 1 : 0;
    for (int i = 0; i <= last; i++) {
        int d = lw_dims_find(dims, names[i]);
        if (d < 0)
            continue;
        if (i == last && value >= dims->dim[d].size)
            return false;
        in[d] = value % dims->dim[d].size;
        value /= dims->dim[d].size;
        dims->dim[d].size = 1;
    }
    return true;
}

enum { LISTED_MAX = 1 << 12 }; /* hardware indices that are listed */

/* The hardware indices of a layout that may have the cursor's value. */
struct candidates {
    struct lw_dims dims; /* those of the field have size 1 */
    uint64_t fixed[LW_DIMS_MAX], total;
    struct lw_cell_field field;
};

/* Finds them: none where the layout has no such value; false: they are too many. */
static bool find_candidates(const struct lw_lit *lit, const struct lw_subject *subject,
                            struct candidates *c)
{
    const struct lw_follow *follow = lit->follow;
    *c = (struct candidates){.dims = subject->map.in};
    if (!lw_cell_field_find(subject, follow->name, strlen(follow->name), &c->field) ||
        !fix_dims(follow, &c->dims, c->fixed))
        return true;
    return lw_dims_total(&c->dims, &c->total, NULL) && c->total <= LISTED_MAX;
}

/* Lights the cells of all hardware indices of a layout with the cursor's value. */
static void list_layout(struct lw_lit *lit, const struct lw_view_pane *pane,
                        const struct lw_subject *subject, int operand)
{
    const uint64_t none[LW_DIMS_MAX] = {0};
    uint64_t in[LW_DIMS_MAX];
    struct candidates c;
    find_candidates(lit, subject, &c);
    for (uint64_t i = 0; i < c.total; i++) {
        lw_dims_unflatten(&c.dims, i, in);
        for (int d = 0; d < c.dims.count; d++)
            in[d] += c.fixed[d];
        if (lw_cell_field_value(subject, c.field, in, none) == lit->follow->value)
            light(lit, pane, subject, operand, in);
    }
}

/* Layout number i of the view, as a spot numbers it; NULL: there is none, or no thread owns it. *more: it is not the
 * last one. */
static const struct lw_subject *listed_layout(const struct lw_lit *lit, const struct lw_view *view,
                                              int i, bool *more)
{
    struct lw_view_part part;
    const char *name;
    if (!view->type->layout) {
        *more = i < 1;
        return i ? NULL : lit->follow->subject;
    }
    *more = !i || view->type->part(view, i - 1, &part);
    return i && *more ? lw_view_layout(view, i, &name) : NULL;
}

/* The same for each layout of the view, unless one has too many. */
static void list_cells(struct lw_lit *lit, const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    bool more = true;
    lit->across = cells_across(pane);
    if (!lit->across)
        return;
    for (int i = 0; more; i++) {
        struct candidates c;
        const struct lw_subject *subject = listed_layout(lit, view, i, &more);
        if (subject && !find_candidates(lit, subject, &c))
            return;
    }
    more = lit->whole = lit->listed = true;
    for (int i = 0; more; i++) {
        const struct lw_subject *subject = listed_layout(lit, view, i, &more);
        if (subject)
            list_layout(lit, pane, subject, i);
    }
}

/* Whether cells have several elements: in an MMA also without a step, along k. */
static bool holds_several(const struct lw_view_pane *pane)
{
    return pane->step_rows * pane->step_cols > 1;
}

static bool is_linear(const struct lw_subject *subject)
{
    return subject->map.kind == LW_MAP_LINEAR;
}

/* Whether the followed field has one value, and each cell an owner with it. */
static bool is_only_value(const struct lw_follow *follow, const struct lw_view_pane *pane)
{
    const struct lw_subject *subject = pane->view.subject;
    return !pane->view.type->layout && subject == follow->subject &&
           !lw_cell_field_max(subject, follow->field) &&
           (lw_view_shows_indices(&pane->view) || lw_map_is_surjective(&subject->map));
}

/* The first element of the cell that has a spot, which the cells of several elements are lit by. */
static struct lw_spot first_of_cell(const struct lw_view_pane *pane, const struct lw_spot *spot)
{
    const struct lw_view *view = &pane->view;
    struct lw_spot first = *spot;
    uint64_t row, col;
    if (lw_view_find(view, spot, &row, &col) &&
        view->type->spot(view, row - row % pane->step_rows, col - col % pane->step_cols, &first) &&
        first.operand == spot->operand)
        return first;
    return *spot;
}

void lw_lit_begin(struct lw_lit *lit, const struct lw_follow *follow,
                  const struct lw_view_pane *pane)
{
    const struct lw_view *view = &pane->view;
    struct lw_space space = {.dim = 0};
    uint64_t bits;
    *lit = (struct lw_lit){.follow = follow, .indices = lw_view_shows_indices(view)};
    lit->from = *follow->spot;
    if (follow->on && follow->parts && follow->shares)
        lit->from = first_of_cell(pane, follow->spot);
    if (!follow->on || follow->parts || view->type->belongs || lw_follow_compares(follow, pane) ||
        !follow->spot->has_out)
        return;
    lit->everywhere = is_only_value(follow, pane);
    if (lit->everywhere || !holds_several(pane))
        return;
    if (view->type->layout) {
        list_cells(lit, pane);
        return;
    }
    if (lit->indices ? view->subject != follow->subject
                     : !lw_dims_equal(&view->subject->map.out, &follow->subject->map.out))
        return;
    if (!is_linear(view->subject) || !is_linear(follow->subject) || !bits_of_field(follow, &bits)) {
        list_cells(lit, pane);
        return;
    }
    add_free_bits(&space, follow->subject, lit->indices, bits);
    lit->target = flat_of(follow->subject, lit->indices, follow->spot);
    lit->whole =
        add_steps(&space, pane, lit->indices, false) && add_steps(&space, pane, lit->indices, true);
    lit->count = lw_space_checks(
        &space, bits_of(lit->indices ? &follow->subject->map.in : &follow->subject->map.out),
        lit->masks);
    lit->everywhere = lit->whole && !lit->count;
}

bool lw_lit_has(const struct lw_lit *lit, const struct lw_view_pane *pane, uint64_t row,
                uint64_t col, const struct lw_spot *spot)
{
    if (lit->follow->parts && lit->follow->shares) {
        struct lw_follow follow = *lit->follow;
        follow.spot = &lit->from;
        return lw_follow_has(&follow, pane, spot);
    }
    if (lit->listed) {
        uint64_t cell = cell_of(lit->across, pane, row, col);
        return lit->cells[cell / 8] >> cell % 8 & 1;
    }
    if (!lit->whole || !(lit->indices ? spot->has_in : spot->has_out))
        return lw_follow_has(lit->follow, pane, spot);
    uint64_t apart = flat_of(pane->view.subject, lit->indices, spot) ^ lit->target;
    for (int i = 0; i < lit->count; i++)
        if (__builtin_parityll(apart & lit->masks[i]))
            return false;
    return true;
}

/* ---- Marks ---- */

static uint64_t bits_of_query(const struct lw_query *query, const struct lw_dims *dims)
{
    uint64_t in[LW_DIMS_MAX] = {0};
    for (int d = 0; d < dims->count; d++)
        in[d] = query->fixed[d] ? dims->dim[d].size - 1 : 0;
    return lw_dims_flatten(dims, in);
}

/* Marks the cells of a linear layout: those that a vector of the sum of both spans takes to an element of the query. */
static bool mark_linear(struct lw_marked *marked, const struct lw_view_pane *pane,
                        const struct lw_subject *subject, const struct lw_query *query,
                        bool indices)
{
    const struct lw_view *view = &pane->view;
    const struct lw_dims *dims = indices ? &subject->map.in : &subject->map.out;
    struct lw_space space = {.dim = 0};
    uint64_t in[LW_DIMS_MAX] = {0}, masks[LW_BITS_MAX];
    lw_query_index(query, subject, 0, in);
    struct lw_spot target = spot_of(subject, indices, in), spot;
    add_free_bits(&space, subject, indices, bits_of_query(query, &subject->map.in));
    if (!lw_dims_equal(dims, indices ? &view->subject->map.in : &view->subject->map.out) ||
        !add_steps(&space, pane, indices, false) || !add_steps(&space, pane, indices, true))
        return false;
    int count = lw_space_checks(&space, bits_of(dims), masks);
    for (uint64_t row = 0; row < view->rows; row += pane->step_rows)
        for (uint64_t col = 0; col < view->cols; col += pane->step_cols) {
            if (!view->type->spot(view, row, col, &spot) || !(indices ? spot.has_in : spot.has_out))
                continue;
            uint64_t apart = flat_of(subject, indices, &spot) ^ flat_of(subject, indices, &target);
            int i = 0;
            while (i < count && !__builtin_parityll(apart & masks[i]))
                i++;
            uint64_t cell = cell_of(marked->across, pane, row, col);
            marked->cells[cell / 8] |= (uint8_t)((i == count) << cell % 8);
        }
    return true;
}

/* Marks the cells of a query; false: they are too many. */
static bool mark_cells(struct lw_marked *marked, const struct lw_view_pane *pane,
                       const struct lw_subject *subject, const struct lw_query *query, bool indices)
{
    uint64_t in[LW_DIMS_MAX] = {0};
    struct lw_spot spot = {.has_out = query->element};
    if (query->element) {
        memcpy(spot.out, query->number, sizeof spot.out);
        set_cell(marked->cells, marked->across, pane, &spot);
        return !lw_view_shows_indices(&pane->view); /* there an element may have several cells */
    }
    uint64_t total = lw_query_index(query, subject, 0, in);
    if (total > LISTED_MAX)
        return is_linear(subject) && !query->bank &&
               mark_linear(marked, pane, subject, query, indices);
    for (uint64_t k = 0; k < total; k++) {
        lw_query_index(query, subject, k, in);
        spot = spot_of(subject, indices, in);
        set_cell(marked->cells, marked->across, pane, &spot);
    }
    return indices || !lw_view_shows_indices(&pane->view);
}

void lw_marked_update(const struct lw_explorer *ex, struct lw_view_pane *pane)
{
    struct lw_marked *marked = &pane->marked;
    const struct lw_subject *subject;
    bool indices;
    if (marked->known && marked->version == ex->marks.version)
        return;
    marked->known = true;
    marked->version = ex->marks.version;
    marked->on = marked->whole = pane->has_view && ex->marks.count &&
                                 pane->step_rows * pane->step_cols > 1 && pane->view.type->spot &&
                                 !pane->view.type->layout && (marked->across = cells_across(pane));
    if (!marked->on)
        return;
    memset(marked->cells, 0, sizeof marked->cells);
    for (size_t i = 0; i < ex->marks.count; i++) {
        const struct lw_query *query = lw_mark_in_pane(ex, i, pane, &subject, &indices);
        if (query)
            marked->whole = mark_cells(marked, pane, subject, query, indices) && marked->whole;
    }
}

bool lw_query_is_everywhere(const struct lw_view_pane *pane, const struct lw_query *query)
{
    struct lw_marked marked = {.on = true, .across = cells_across(pane)};
    const struct lw_view *view = &pane->view;
    if (!marked.across || view->type->layout)
        return false;
    mark_cells(&marked, pane, view->subject, query, lw_view_shows_indices(view));
    for (uint64_t row = 0; row < view->rows; row += pane->step_rows)
        for (uint64_t col = 0; col < view->cols; col += pane->step_cols)
            if (!lw_marked_has(&marked, pane, row, col))
                return false;
    return true;
}

bool lw_marked_has(const struct lw_marked *marked, const struct lw_view_pane *pane, uint64_t row,
                   uint64_t col)
{
    uint64_t cell = marked->on ? cell_of(marked->across, pane, row, col) : 0;
    return marked->on && marked->cells[cell / 8] >> cell % 8 & 1;
}
