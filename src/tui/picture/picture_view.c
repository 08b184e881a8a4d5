/* Matrix, hardware, and the offsets of memory: views of the library as they are. And the text
 * of a layout: its facts, its bases, all its notations. */

#include "core/array_count.h"
#include "core/text_rows.h"
#include "tui/list.h"
#include "tui/picture/picture.h"

#include <string.h>

extern const struct lw_picture_type lw_picture_offsets;

struct seen {
    struct lw_picture base;
    struct lw_view view;
    bool is_open;
    struct lw_grid grid;
};

static struct seen *seen_of(const struct lw_picture *picture)
{
    return (struct seen *)picture;
}

static const struct lw_view_type *view_type(const struct lw_picture_type *type)
{
    return lw_view_type_find(type == &lw_picture_offsets ? "owners" : type->name);
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
    cell->mark = look.ink;
    switch (look.ink) {
    case LW_INK_INDEX:
    case LW_INK_DIM:
        cell->kind = LW_GRID_HUE;
        break;
    case LW_INK_RAMP:
        cell->kind = LW_GRID_RAMP;
        break;
    case LW_INK_HOLE:
        cell->kind = LW_GRID_HOLE;
        break;
    default:
        cell->kind = LW_GRID_PLAIN;
        break;
    }
}

static struct lw_pen pen_of(void *context, const struct lw_grid_cell *cell)
{
    (void)context;
    if (cell->kind != LW_GRID_PLAIN)
        return lw_grid_pen(cell);
    switch ((enum lw_ink)cell->mark) {
    case LW_INK_FAINT:
        return lw_tone(LW_TONE_FAINT);
    case LW_INK_GOOD:
        return lw_tone(LW_TONE_GOOD);
    case LW_INK_BAD:
        return lw_tone(LW_TONE_BAD);
    case LW_INK_HEAD:
        return lw_tone(LW_TONE_TITLE);
    default:
        return lw_tone(LW_TONE_PLAIN);
    }
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
    if (!dot || strlen(label) < (size_t)seen->grid.cell_width)
        return;
    char brief[16]; /* "r0" for register.0 */
    snprintf(brief, sizeof brief, "%c%s", *label, dot + 1);
    lw_text_clear(text);
    lw_text_add(text, brief);
}

static const struct lw_grid_source source = {cell_at, row_label, col_label, NULL, NULL, pen_of};

/* ---- Opening ---- */

static bool open_view(struct seen *seen, struct lw_error *err)
{
    seen->is_open =
        lw_view_open(&seen->view, view_type(seen->base.type), seen->base.subject, NULL, err);
    if (!seen->is_open)
        return false;
    seen->grid.rows = seen->view.rows;
    seen->grid.cols = seen->view.cols;
    size_t width = seen->view.type->width(&seen->view) + 1;
    seen->grid.cell_width = width > 30 ? 30 : width < 3 ? 3 : (int)width;
    lw_grid_changed(&seen->grid);
    return true;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct seen *seen = seen_of(picture);
    seen->grid.source = &source;
    seen->grid.context = seen;
    seen->grid.has_cursor = seen->grid.to_right = true;
    seen->grid.cell_lines = 1;
    return open_view(seen, err);
}

static void close(struct lw_picture *picture)
{
    struct seen *seen = seen_of(picture);
    lw_grid_free(&seen->grid);
    if (seen->is_open)
        lw_view_close(&seen->view);
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct seen *seen = seen_of(picture);
    return lw_grid_arrange(&seen->grid, rect);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    lw_grid_draw(&seen_of(picture)->grid, surface);
}

/* ---- The cursor ---- */

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    lw_grid_move(&seen_of(picture)->grid, rows, cols);
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    struct lw_grid *grid = &seen_of(picture)->grid;
    if (event->kind == LW_EVENT_WHEEL) {
        lw_grid_scroll(grid, event->amount);
        return true;
    }
    const struct lw_grid_cell *cell = lw_grid_hit(grid, event->row, event->col);
    if (!cell || event->kind == LW_EVENT_HOVER)
        return false;
    grid->row = cell->row;
    grid->col = cell->col;
    return true;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct seen *seen = seen_of(picture);
    memset(spot, 0, sizeof *spot);
    return seen->view.type->spot &&
           seen->view.type->spot(&seen->view, seen->grid.row, seen->grid.col, spot);
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct seen *seen = seen_of(picture);
    return lw_view_find(&seen->view, spot, &seen->grid.row, &seen->grid.col);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct seen *seen = seen_of(picture);
    lw_view_explain(&seen->view, seen->grid.row, seen->grid.col, explanation);
}

static bool fits_registers(const struct lw_model *model)
{
    return lw_picture_registers(model, LW_SIDE_A) != NULL;
}

static bool fits_matrix(const struct lw_model *model)
{
    return lw_view_fits(lw_view_type_find("matrix"), lw_model_own(model));
}

/* Of a layout of memory without registers beside it. */
static bool fits_offsets(const struct lw_model *model)
{
    return lw_subject_is_memory(lw_model_own(model)) && !model->has_path &&
           lw_view_fits(lw_view_type_find("owners"), lw_model_own(model));
}

#define SEEN_MEMBERS                                                                               \
    .state_size = sizeof(struct seen), .open = open, .close = close, .arrange = arrange,           \
    .draw = draw, .move = move, .mouse = mouse, .spot = spot, .go = go, .explain = explain

const struct lw_picture_type lw_picture_matrix = {.name = "matrix",
                                                  .title = "Matrix",
                                                  .about = "the bits of the map",
                                                  .is_tab = true,
                                                  .fits = fits_matrix,
                                                  SEEN_MEMBERS};
const struct lw_picture_type lw_picture_offsets = {.name = "offsets",
                                                   .title = "Offsets",
                                                   .about = "the offset of each element",
                                                   .is_tab = true,
                                                   .fits = fits_offsets,
                                                   SEEN_MEMBERS};
const struct lw_picture_type lw_picture_hardware = {.name = "hardware",
                                                    .title = "Hardware",
                                                    .about = "what each thread holds",
                                                    .fits = fits_registers,
                                                    .subject = lw_picture_registers,
                                                    SEEN_MEMBERS};
bool lw_picture_matrix_bit(const struct lw_picture *picture, uint64_t *row, uint64_t *col)
{
    if (!picture || picture->type != &lw_picture_matrix)
        return false;
    *row = seen_of(picture)->grid.row;
    *col = seen_of(picture)->grid.col;
    return true;
}

/* ---- Text ---- */

/* The lines of the views of a layout that are text, one below the other: a list, in which titles are apart. */
enum { PROSE = 3 };
static const char *const prose_names[PROSE] = {"bases", "facts", "notation"};
static const char *const prose_titles[PROSE] = {"bases", "facts", "the same in every system"};

struct prose {
    struct lw_picture base;
    struct lw_view views[PROSE];
    size_t first[PROSE]; /* the line at which each begins */
    struct lw_list list;
    struct lw_rect rect;
};

static struct prose *prose_of(const struct lw_picture *picture)
{
    return (struct prose *)picture;
}

static bool fits_always(const struct lw_model *model)
{
    (void)model;
    return true;
}

/* The view and the row of a line; NULL: it is a title or empty. *title: the title, or NULL. */
static const struct lw_view *line_of(const struct prose *prose, size_t line, uint64_t *row,
                                     const char **title)
{
    *title = NULL;
    for (int i = 0; i < PROSE; i++) {
        if (!prose->views[i].type)
            continue;
        if (line + 1 == prose->first[i])
            *title = prose_titles[i];
        if (line >= prose->first[i] && line - prose->first[i] < prose->views[i].rows) {
            *row = line - prose->first[i];
            return &prose->views[i];
        }
    }
    return NULL;
}

static void put_line(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    struct lw_cell look;
    view->type->cell(view, row, 0, text, &look);
}

static void prose_cell(void *context, size_t line, int column, struct lw_text *text,
                       struct lw_pen *pen)
{
    uint64_t row = 0;
    const char *title;
    const struct lw_view *view = line_of(context, line, &row, &title);
    if (!view && column && title) {
        lw_text_add(text, title);
        *pen = lw_tone(LW_TONE_TITLE);
    } else if (view && column) {
        put_line(view, row, text);
    } else if (view) {
        *pen = lw_tone(LW_TONE_FAINT);
        if (view->type->row_label)
            view->type->row_label(view, row, text);
    }
}

static bool is_title(void *context, size_t line)
{
    uint64_t row;
    const char *title;
    return !line_of(context, line, &row, &title);
}

static const struct lw_column prose_columns[] = {{"", false, false, 14, 2},
                                                 {"", false, true, 8, 1}};
static const struct lw_list_source prose_lines = {prose_columns, LW_COUNT(prose_columns),
                                                  prose_cell, is_title, NULL};

static bool open_prose(struct lw_picture *picture, struct lw_error *err)
{
    struct prose *prose = prose_of(picture);
    size_t lines = 0;
    (void)err;
    for (int i = 0; i < PROSE; i++) {
        const struct lw_view_type *type = lw_view_type_find(prose_names[i]);
        if (!type || !lw_view_open(&prose->views[i], type, picture->subject, NULL, NULL))
            continue;
        prose->first[i] = lines + (lines > 0) + 1;
        lines = prose->first[i] + (size_t)prose->views[i].rows;
    }
    prose->list =
        (struct lw_list){.source = &prose_lines, .context = prose, .has_focus = true, .sort = -1};
    lw_list_changed(&prose->list, lines);
    return true;
}

static void close_prose(struct lw_picture *picture)
{
    for (int i = 0; i < PROSE; i++)
        lw_view_close(&prose_of(picture)->views[i]);
    lw_list_free(&prose_of(picture)->list);
}

static bool arrange_prose(struct lw_picture *picture, struct lw_rect rect)
{
    prose_of(picture)->rect = rect;
    return true;
}

static void draw_prose(struct lw_picture *picture, struct lw_surface *surface)
{
    lw_list_draw(&prose_of(picture)->list, surface, prose_of(picture)->rect);
}

static void move_prose(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    (void)cols;
    lw_list_move(&prose_of(picture)->list, rows);
}

static bool prose_mouse(struct lw_picture *picture, const struct lw_event *event)
{
    bool opened;
    return lw_list_mouse(&prose_of(picture)->list, event, &opened);
}

/* All of a line that is cut, over several lines. */
static void explain_prose(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct prose *prose = prose_of(picture);
    uint64_t row = 0;
    const char *title;
    const struct lw_view *view = line_of(prose, prose->list.at, &row, &title);
    struct lw_text text = {0};
    if (!view)
        return;
    put_line(view, row, &text);
    const size_t columns = prose->rect.width > 20 ? (size_t)prose->rect.width - 12 : 20;
    const char *at = lw_text_string(&text);
    for (int i = 0; *at && i < 4; i++) {
        size_t bytes = lw_text_row_bytes(at, columns);
        lw_text_bytes(lw_explanation_add(explanation, i ? "" : "whole"), at, bytes);
        at += bytes;
        at += *at == ' ';
    }
    lw_text_free(&text);
}

const struct lw_picture_type lw_picture_text = {
    .name = "text",
    .title = "Text",
    .about = "facts, bases, notations",
    .is_tab = true,
    .state_size = sizeof(struct prose),
    .fits = fits_always,
    .open = open_prose,
    .close = close_prose,
    .arrange = arrange_prose,
    .draw = draw_prose,
    .move = move_prose,
    .mouse = prose_mouse,
    .explain = explain_prose,
};
