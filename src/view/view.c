/* What any view does: it is opened and closed, has a head, finds the cell of a spot, and has tiles. */

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Opening ---- */

bool lw_view_open(struct lw_view *view, const struct lw_view_type *type,
                  const struct lw_subject *subject, const struct lw_view_options *options,
                  struct lw_error *err)
{
    memset(view, 0, sizeof *view);
    if (options && options->cell && !lw_format_check(options->cell, subject, err))
        return false;
    size_t size = type->state_size ? type->state_size : sizeof *view->state;
    *view = (struct lw_view){.type = type, .subject = subject, .state = calloc(1, size)};
    if (!view->state)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (options)
        view->options = *options;
    if (!lw_cell_color_choose(view, err) || !type->open(view, err)) {
        lw_view_close(view);
        return false;
    }
    return true;
}

void lw_view_close(struct lw_view *view)
{
    if (view->state && view->type->close)
        view->type->close(view);
    free(view->state);
    memset(view, 0, sizeof *view);
}

/* Appends the head of a layout. For one that only JSON can write, that is the title of its document, else its notation,
 * or beside other layouts names and numbers. */
static void put_head(struct lw_text *text, const struct lw_subject *subject, bool is_side)
{
    const char *head = subject->head ? subject->head : "";
    const struct lw_encoding *encoding = subject->encoding;
    if (*head == '{' && *subject->title && !is_side) {
        lw_text_add(text, subject->title);
    } else if (*head == '{' && encoding &&
               (is_side || encoding->type->spelling != LW_SPELLING_ATTRIBUTE)) {
        lw_encoding_print_short(text, encoding);
        lw_text_add(text, ", ");
        lw_tensor_print(text, &subject->tensor);
    } else {
        lw_text_add(text, head);
    }
}

void lw_view_head(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_subject *before = NULL;
    size_t from = text->length;
    for (int i = 0; view->type->access && i < LW_SIDES; i++) {
        const struct lw_subject *subject = lw_subject_at(view->subject, (enum lw_side)i);
        if (!subject || subject == before || !subject->head || !*subject->head)
            continue;
        lw_text_format(text, "%s%s: ", text->length > from ? "\n" : "",
                       lw_side_name((enum lw_side)i));
        put_head(text, subject, true);
        before = before ? before : subject;
    }
    if (text->length == from)
        put_head(text, view->subject, false);
}

bool lw_view_fits(const struct lw_view_type *type, const struct lw_subject *subject)
{
    struct lw_view view;
    bool fits = lw_view_open(&view, type, subject, NULL, NULL);
    lw_view_close(&view);
    return fits;
}

/* ---- Views of several layouts ---- */

const struct lw_subject *lw_view_layout(const struct lw_view *view, int number, const char **name)
{
    *name = "";
    if (view->type->layout)
        return view->type->layout(view, number, name);
    return number ? NULL : view->subject;
}

bool lw_view_find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                  uint64_t *col)
{
    return view->type->find && (view->type->layout || !spot->operand) &&
           view->type->find(view, spot, row, col);
}

/* ---- Tiles ----
 * A tile ends where the warp or the block changes, or the lanes start again. Each is found along the first row and the
 * first column, since layouts repeat their tiles. */

enum { WARP, BLOCK, LANE, FIELDS };

/* The fields of the first owner of a cell, 0 where its layout has no such field; false: it has none. */
static bool values_at(const struct lw_view *view, uint64_t row, uint64_t col,
                      uint64_t values[FIELDS])
{
    static const char *const names[FIELDS] = {"warp", "block", "lane"};
    struct lw_spot spot;
    const char *name;
    memset(values, 0, FIELDS * sizeof *values);
    if (!view->type->spot(view, row, col, &spot) || !spot.has_in)
        return false;
    const struct lw_subject *subject = lw_view_layout(view, spot.operand, &name);
    for (int i = 0; i < FIELDS; i++)
        if (!lw_subject_field(subject, names[i], spot.in, spot.out, &values[i]))
            values[i] = 0;
    return true;
}

static bool same_warp(const uint64_t a[FIELDS], const uint64_t b[FIELDS])
{
    return a[WARP] == b[WARP] && a[BLOCK] == b[BLOCK];
}

/* The length of the first tile along a row or a column, from the seam on; 0: there is only one tile. */
static uint64_t tile_along(const struct lw_view *view, bool across)
{
    uint64_t row = view->seam_rows, col = view->seam_cols, first[FIELDS], before[FIELDS],
             here[FIELDS];
    uint64_t size = across ? view->cols - col : view->rows - row;
    bool moved = false;
    if (!values_at(view, row, col, first))
        return 0;
    memcpy(before, first, sizeof before);
    for (uint64_t i = 1; i < size && i <= LW_TILE_MAX; i++) {
        if (!values_at(view, across ? row : row + i, across ? col + i : col, here))
            return 0;
        moved = moved || here[LANE] != first[LANE];
        if (!same_warp(here, before) || (moved && here[LANE] == first[LANE]))
            return i;
        memcpy(before, here, sizeof before);
    }
    return 0;
}

void lw_view_tiles(const struct lw_view *view, uint64_t *rows, uint64_t *cols)
{
    *rows = view->tile_rows;
    *cols = view->tile_cols;
    if (*rows || *cols)
        return;
    if (!view->type->picture || !view->type->spot)
        return;
    *rows = tile_along(view, false);
    *cols = tile_along(view, true);
}

bool lw_view_warp_changes(const struct lw_view *view, uint64_t row, uint64_t col, bool across)
{
    uint64_t before[FIELDS], here[FIELDS];
    return values_at(view, row - !across, col - across, before) &&
           values_at(view, row, col, here) && !same_warp(before, here);
}
