/* Matrix, hardware, and the offsets of memory: views of the library as they are. And the text
 * of a layout: its facts, its bases, all its notations. */

#include "core/array_count.h"
#include "core/text_rows.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

extern const struct lw_picture_type lw_picture_offsets;

struct seen {
    struct lw_picture base;
    struct lw_view view;
};

static struct seen *seen_of(const struct lw_picture *picture)
{
    return (struct seen *)picture;
}

/* ---- Cells ---- */

static void cell_at(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    struct seen *seen = context;
    struct lw_text text = {.limit = sizeof cell->text};
    struct lw_cell look = {0};
    seen->view.type->cell(&seen->view, row, col, &text, &look);
    snprintf(cell->text, sizeof cell->text, "%s", lw_text_string(&text));
    lw_text_free(&text);
    cell->number = look.shade;
    cell->mark = look.ink == LW_INK_FAINT;
    cell->kind = look.ink == LW_INK_INDEX || look.ink == LW_INK_DIM ? LW_GRID_HUE
                 : look.ink == LW_INK_HOLE                          ? LW_GRID_HOLE
                                                                    : LW_GRID_PLAIN;
}

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    (void)context;
    return cell->mark ? lw_tone(LW_TONE_FAINT) : lw_grid_pen(cell);
}

static void row_label(void *context, uint64_t row, struct lw_text *text)
{
    const struct seen *seen = context;
    if (seen->view.type->row_label)
        seen->view.type->row_label(&seen->view, row, text);
}

static void col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct seen *seen = context;
    if (!seen->view.type->col_label)
        return;
    seen->view.type->col_label(&seen->view, col, text);
    const char *label = lw_text_string(text), *dot = strrchr(label, '.');
    if (!dot || strlen(label) < (size_t)seen->base.grid.cell_width)
        return;
    char brief[16]; /* "r0" for register.0 */
    snprintf(brief, sizeof brief, "%c%s", *label, dot + 1);
    lw_text_clear(text);
    lw_text_add(text, brief);
}

static const struct lw_grid_source source = {cell_at, row_label, col_label, NULL, NULL, pen_of};

/* ---- Opening ---- */

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct seen *seen = seen_of(picture);
    const bool is_offsets = picture->type == &lw_picture_offsets;
    const struct lw_view_type *type =
        lw_view_type_find(is_offsets ? "owners" : picture->type->name);
    if (!lw_view_open(&seen->view, type, picture->subject, NULL, err))
        return false;
    const size_t width = type->width(&seen->view) + 1;
    picture->grid = (struct lw_grid){.source = &source,
                                     .context = seen,
                                     .rows = seen->view.rows,
                                     .cols = seen->view.cols,
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
    return view->type->spot && view->type->spot(view, picture->grid.row, picture->grid.col, spot);
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    return lw_view_find(&seen_of(picture)->view, spot, &picture->grid.row, &picture->grid.col);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    lw_view_explain(&seen_of(picture)->view, picture->grid.row, picture->grid.col, explanation);
}

static const struct lw_subject *matrix_of(const struct lw_model *model, enum lw_side side)
{
    return lw_view_fits(lw_view_type_find("matrix"), lw_model_own(model))
               ? lw_picture_any(model, side)
               : NULL;
}

/* Of a layout of memory without registers beside it. */
static const struct lw_subject *offsets_of(const struct lw_model *model, enum lw_side side)
{
    return lw_subject_is_memory(lw_model_own(model)) && !model->has_path &&
                   lw_view_fits(lw_view_type_find("owners"), lw_model_own(model))
               ? lw_picture_any(model, side)
               : NULL;
}

#define SEEN_MEMBERS                                                                               \
    .state_size = sizeof(struct seen), .open = open, .close = close, .spot = spot, .go = go,       \
    .explain = explain

const struct lw_picture_type lw_picture_matrix = {.name = "matrix",
                                                  .title = "Matrix",
                                                  .about = "the bits of the map",
                                                  .is_tab = true,
                                                  .subject = matrix_of,
                                                  SEEN_MEMBERS};
const struct lw_picture_type lw_picture_offsets = {.name = "offsets",
                                                   .title = "Offsets",
                                                   .about = "the offset of each element",
                                                   .is_tab = true,
                                                   .subject = offsets_of,
                                                   SEEN_MEMBERS};
const struct lw_picture_type lw_picture_hardware = {.name = "hardware",
                                                    .title = "Hardware",
                                                    .about = "what each thread holds",
                                                    .subject = lw_picture_registers,
                                                    SEEN_MEMBERS};
bool lw_picture_matrix_bit(const struct lw_picture *picture, uint64_t *row, uint64_t *col)
{
    if (!picture || picture->type != &lw_picture_matrix)
        return false;
    *row = picture->grid.row;
    *col = picture->grid.col;
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

/* All of a line that is cut, over several lines. */
static void explain_text(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct lw_view *view = &seen_of(picture)->view;
    struct lw_text text = {0};
    struct lw_cell look;
    view->type->cell(view, picture->list.at, 0, &text, &look);
    const char *at = look.ink == LW_INK_HEAD ? "" : lw_text_string(&text);
    for (int i = 0; *at && i < 4; i++) {
        size_t bytes = lw_text_row_bytes(at, explanation->columns);
        lw_text_bytes(lw_explanation_line(explanation, i ? "" : "whole"), at, bytes);
        at += bytes;
        at += *at == ' ';
    }
    lw_text_free(&text);
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
