/* The view of a pane as it is written: whole, with the texts of the screen, what is selected, and the marks. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"
#include "view/view_parts.h"

#include <string.h>

void lw_copy_lit(const struct lw_explorer *ex, struct lw_follow *lit)
{
    lw_follow_begin(ex, lit);
    lit->on = lit->on && lit->dims;
}

bool lw_copy_has_mark(const struct lw_explorer *ex, const struct lw_follow *lit,
                      const struct lw_view_pane *pane, const struct lw_view *view, uint64_t row,
                      uint64_t col)
{
    struct lw_spot spot;
    return view->type->spot && view->type->spot(view, row, col, &spot) &&
           (lw_is_marked(ex, pane, view, &spot) || lw_differs(ex, pane, &spot) ||
            (lit->on && lw_follow_has(lit, pane, &spot)));
}

/* The field that is the number of a cell: that of the colour, or in a view of hardware indices, where it has no more
 * digits, that of the element. */
static const char *number_of(const struct lw_view_pane *pane)
{
    enum { TWO_DIGITS = 2 };
    const struct lw_view *view = &pane->view;
    bool memory = !strcmp(view->type->name, "memory");
    if (!view->type->indices)
        return view->color ? lw_cell_number_name(view, view->subject) : NULL;
    return memory && view->color && lw_cell_element_width(view) > TWO_DIGITS ? view->color
                                                                             : "index";
}

/* Sets the format that the cells on the screen have, as a view with its full text reads it. For colours alone, and for
 * single characters, it is that of the full text. */
static void shown_format(const struct lw_view_pane *pane, struct lw_copy_format *format)
{
    const struct lw_view *view = &pane->view;
    const bool indices = view->type->indices;
    const char *number = pane->detail == LW_DETAIL_NUMBER ? number_of(pane) : NULL;
    format->cell = pane->opened_with.cell;
    if (!view->type->formatted || pane->detail == LW_DETAIL_FULL ||
        pane->detail == LW_DETAIL_CHAR || (indices && format->cell))
        return;
    snprintf(format->text, sizeof format->text, "{%s}", number ? number : "index");
    format->cell =
        number || indices ? format->text : lw_cell_format(view->subject, LW_DETAIL_SHORT);
    if (!lw_format_check(format->cell, view->subject, NULL))
        format->cell = NULL;
}

/* Selected cells of a view of several layouts are elsewhere in one that is written, in which each element has a cell
 * and B is above C: finds the rows and columns that have all of their elements. */
static void spread_range(const struct lw_view_pane *pane, const struct lw_view *view,
                         uint64_t from[2], uint64_t to[2])
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX}, most[2] = {0}, at[2];
    struct lw_view_part part;
    struct lw_spot spot;
    for (int i = 0; pane->view.type->part(&pane->view, i, &part); i++) {
        const uint64_t begin[2] = {from[0] > part.row ? from[0] : part.row,
                                   from[1] > part.col ? from[1] : part.col};
        const uint64_t end[2] = {to[0] < part.row + part.rows ? to[0] : part.row + part.rows,
                                 to[1] < part.col + part.cols ? to[1] : part.col + part.cols};
        const uint64_t step[2] = {1, 1};
        for (int last = 0; last < 2 && begin[0] < end[0] && begin[1] < end[1]; last++) {
            if (!pane->view.type->spot(&pane->view, last ? end[0] - 1 : begin[0],
                                       last ? end[1] - 1 : begin[1], &spot) ||
                !lw_view_find(view, &spot, &at[0], &at[1]))
                continue;
            for (int k = 0; k < 2; k++) {
                least[k] = at[k] < least[k] ? at[k] : least[k];
                most[k] = at[k] + step[k] > most[k] ? at[k] + step[k] : most[k];
            }
        }
    }
    for (int k = 0; k < 2 && most[0]; k++) {
        const uint64_t size = k ? view->cols : view->rows;
        from[k] = least[k];
        to[k] = most[k] < size ? most[k] : size;
    }
}

bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_copy_format *format, struct lw_export_options *options,
                  struct lw_error *err)
{
    struct lw_view_options view_options = pane->view.options;
    uint64_t from[2], to[2];
    *options = (struct lw_export_options){.labels = true, .head = true, .choose = "v selects some"};
    if (!pane->has_view)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no view to write");
    shown_format(pane, format);
    view_options.detail = LW_DETAIL_FULL;
    view_options.cell = format->cell;
    if (!lw_view_open(view, pane->view.type, pane->view.subject, &view_options, err))
        return false;
    if (!pane->ranged)
        return true;
    lw_range(pane, from, to);
    if (pane->view.type->part)
        spread_range(pane, view, from, to);
    options->row_from = from[0];
    options->row_to = to[0];
    options->col_from = from[1];
    options->col_to = to[1];
    return true;
}
