/* Matrix and hardware: views of the library as they are. And the text of a layout: its facts, its bases, all its
 * notations. */

#include "core/array_count.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

struct seen {
    struct lw_picture base;
    struct lw_view view;
};

static struct seen *seen_of(const struct lw_picture *picture)
{
    return (struct seen *)picture;
}

/* ---- Cells ---- */

static void fill_cell(void *context, struct lw_grid_cell *cell)
{
    struct seen *seen = context;
    struct lw_text text = {.limit = sizeof cell->text};
    struct lw_cell look = {0};
    seen->view.type->cell(&seen->view, cell->at[LW_ROW], cell->at[LW_COL], &text, &look);
    snprintf(cell->text, sizeof cell->text, "%s", lw_text_string(&text));
    lw_text_free(&text);
    cell->pen = look.ink == LW_INK_INDEX || look.ink == LW_INK_DIM
                    ? lw_hue(LW_TONE_OWNER, look.shade)
                    : lw_tone(look.ink == LW_INK_HOLE    ? LW_TONE_HOLE
                              : look.ink == LW_INK_FAINT ? LW_TONE_FAINT
                                                         : LW_TONE_PLAIN);
}

static void label(void *context, int axis, uint64_t i, struct lw_text *text)
{
    const struct seen *seen = context;
    const struct lw_view_type *type = seen->view.type;
    if (axis == LW_ROW && type->row_label)
        type->row_label(&seen->view, i, text);
    if (axis == LW_ROW || !type->col_label)
        return;
    type->col_label(&seen->view, i, text);
    const char *all = lw_text_string(text), *dot = strrchr(all, '.');
    if (!dot || strlen(all) < (size_t)seen->base.grid.cell_width)
        return;
    char brief[16]; /* "r0" for register.0 */
    snprintf(brief, sizeof brief, "%c%s", *all, dot + 1);
    lw_text_clear(text);
    lw_text_add(text, brief);
}

static const struct lw_grid_source source = {fill_cell, label, NULL, NULL};

/* ---- Opening ---- */

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct seen *seen = seen_of(picture);
    const struct lw_view_type *type = lw_view_type_find(picture->type->name);
    if (!lw_view_open(&seen->view, type, picture->subject, NULL, err))
        return false;
    const size_t width = type->width(&seen->view) + 1;
    picture->grid = (struct lw_grid){.source = &source,
                                     .context = seen,
                                     .count = {seen->view.rows, seen->view.cols},
                                     .cell_width = width > 30  ? 30
                                                   : width < 3 ? 3
                                                               : (int)width,
                                     .cell_lines = 1,
                                     .has_cursor = true,
                                     .to_right = true};
    return true;
}

static void close(struct lw_picture *picture)
{
    lw_view_close(&seen_of(picture)->view);
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct lw_view *view = &seen_of(picture)->view;
    const uint64_t *at = picture->grid.at;
    return view->type->spot && view->type->spot(view, at[LW_ROW], at[LW_COL], spot);
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    uint64_t *at = picture->grid.at;
    return lw_view_find(&seen_of(picture)->view, spot, &at[LW_ROW], &at[LW_COL]);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const uint64_t *at = picture->grid.at;
    lw_view_explain(&seen_of(picture)->view, at[LW_ROW], at[LW_COL], explanation);
}

static const struct lw_subject *matrix_of(const struct lw_model *model, enum lw_side side)
{
    return lw_view_fits(lw_view_type_find("matrix"), lw_model_own(model))
               ? lw_picture_any(model, side)
               : NULL;
}

#define SEEN                                                                                       \
    .state_size = sizeof(struct seen), .open = open, .close = close, .spot = spot, .go = go,       \
    .explain = explain

const struct lw_picture_type lw_picture_matrix = {
    "matrix", "Matrix", "the bits of the map", true, .subject = matrix_of, SEEN};
const struct lw_picture_type lw_picture_hardware = {
    "hardware", "Hardware", "what each thread holds", false, .subject = lw_picture_registers, SEEN};

bool lw_picture_matrix_bit(const struct lw_picture *picture, uint64_t *row, uint64_t *col)
{
    if (!picture || picture->type != &lw_picture_matrix)
        return false;
    *row = picture->grid.at[LW_ROW];
    *col = picture->grid.at[LW_COL];
    return true;
}

/* ---- Text: its facts, its bases, its notations, as a list ---- */

static void line_cell(void *context, size_t line, int column, struct lw_text *text,
                      struct lw_pen *pen)
{
    const struct lw_view *view = &((const struct seen *)context)->view;
    struct lw_text whole = {0};
    struct lw_cell look;
    view->type->cell(view, line, 0, &whole, &look);
    *pen = lw_tone(look.ink == LW_INK_HEAD ? LW_TONE_TITLE : column ? LW_TONE_TEXT : LW_TONE_FAINT);
    if (column && look.ink != LW_INK_HEAD)
        lw_text_add(text, lw_text_string(&whole));
    else if (!column)
        view->type->row_label(view, line, text);
    lw_text_free(&whole);
}

static const struct lw_column line_columns[] = {{"", false, 14}, {"", false, 8}};
static const struct lw_list_source lines = {line_columns, LW_COUNT(line_columns), line_cell, NULL,
                                            NULL};

static bool open_text(struct lw_picture *picture, struct lw_error *err)
{
    struct seen *seen = seen_of(picture);
    if (!lw_view_open(&seen->view, lw_view_type_find("text"), picture->subject, NULL, err))
        return false;
    picture->list = (struct lw_list){.source = &lines, .context = seen, .has_focus = true};
    lw_list_changed(&picture->list, (size_t)seen->view.rows);
    return true;
}

/* All of a line that is cut. */
static void explain_text(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct lw_view *view = &seen_of(picture)->view;
    struct lw_cell look;
    struct lw_text *text = lw_explanation_line(explanation, "whole");
    view->type->cell(view, picture->list.at, 0, text, &look);
    if (look.ink == LW_INK_HEAD)
        explanation->count = 0;
}

const struct lw_picture_type lw_picture_text = {.name = "text",
                                                .title = "Text",
                                                .about = "facts, bases, notations",
                                                .is_tab = true,
                                                .state_size = sizeof(struct seen),
                                                .subject = lw_picture_any,
                                                .open = open_text,
                                                .close = close,
                                                .explain = explain_text};
