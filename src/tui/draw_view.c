/* The view pane: the cells that fit, labels that stay, and the inspector below. */

#include "tui/explorer.h"

#include <string.h>

static struct lw_pen pen_of_cell(const struct lw_explorer *ex, const struct lw_cell *cell)
{
    /* Folded, so that lanes 0, 16 and 32 differ though a theme has sixteen inks. */
    uint64_t folded = cell->shade ^ cell->shade >> 4 ^ cell->shade >> 8;
    struct lw_pen pen = {.shade = (uint8_t)(folded & 15)};
    bool block = ex->detail == LW_DETAIL_CHAR;
    switch (cell->ink) {
    case LW_INK_INDEX:
    case LW_INK_DIM:
        pen.kind = block ? LW_PEN_FILL : LW_PEN_INK;
        return pen;
    case LW_INK_FAINT:
        return lw_pen(LW_PEN_FAINT);
    case LW_INK_HOLE:
        return lw_pen(LW_PEN_HOLE);
    case LW_INK_HEAD:
        return lw_pen(LW_PEN_LABEL);
    case LW_INK_GOOD:
        return lw_pen(LW_PEN_GOOD);
    case LW_INK_BAD:
        return lw_pen(LW_PEN_BAD);
    case LW_INK_PLAIN:
        break;
    }
    return lw_pen(LW_PEN_TEXT);
}

/* Column labels; where they are wider than the cells, only as many as fit. Blanks between labels have
 * the pen of a label, so that the terminal is not told of another colour for them. */
static void draw_col_labels(struct lw_explorer *ex, struct lw_surface *surface,
                            const struct lw_grid *grid, struct lw_text *text)
{
    int end = grid->inside.col + grid->inside.width, busy = 0;
    for (int c = 0; c < grid->cols && ex->left + (uint64_t)c < ex->view.cols; c++) {
        uint64_t col = ex->left + (uint64_t)c;
        int at = grid->inside.col + grid->label + c * (grid->cell + grid->gap);
        bool on = col == ex->col && ex->place != LW_AT_GALLERY;
        lw_text_clear(text);
        if (ex->view.type->col_label)
            ex->view.type->col_label(&ex->view, col, text);
        int width = (int)lw_text_width(lw_text_string(text));
        struct lw_pen pen = lw_pen(on ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
        bool sparse = ex->detail == LW_DETAIL_CHAR && ex->view.cols > 10;
        if (width <= grid->cell && !sparse) {
            lw_put_padded(surface, grid->inside.row, at, grid->cell, pen, lw_text_string(text),
                          ex->view.cols > 2);
            if (at + grid->cell + grid->gap <= end)
                lw_put_padded(surface, grid->inside.row, at + grid->cell, grid->gap, pen, "",
                              false);
        } else if (at >= busy && at + width <= end && col % 4 == 0) {
            lw_put(surface, grid->inside.row, at, width, pen, lw_text_string(text));
            busy = at + width + 1;
        }
    }
}

static void draw_row(struct lw_explorer *ex, struct lw_surface *surface, const struct lw_grid *grid,
                     int r, struct lw_text *text)
{
    uint64_t row = ex->top + (uint64_t)r;
    int at_row = grid->inside.row + 1 + r;
    bool here = row == ex->row, has_keys = ex->place != LW_AT_GALLERY;
    lw_text_clear(text);
    if (ex->view.type->row_label)
        ex->view.type->row_label(&ex->view, row, text);
    struct lw_pen label = lw_pen(here && has_keys ? LW_PEN_LABEL_ON : LW_PEN_LABEL);
    lw_put_padded(surface, at_row, grid->inside.col, grid->label - 1, label, lw_text_string(text),
                  true);
    lw_put(surface, at_row, grid->inside.col + grid->label - 1, 1, label, " ");
    for (int c = 0; c < grid->cols && ex->left + (uint64_t)c < ex->view.cols; c++) {
        uint64_t col = ex->left + (uint64_t)c;
        struct lw_cell cell = {0};
        lw_text_clear(text);
        ex->view.type->cell(&ex->view, row, col, text, &cell);
        bool cursor = here && col == ex->col && has_keys;
        struct lw_pen pen = cursor ? lw_pen(LW_PEN_CURSOR) : pen_of_cell(ex, &cell);
        bool right = ex->view.cols > 2; /* lists of names and values read from the left */
        int at = grid->inside.col + grid->label + c * (grid->cell + grid->gap);
        lw_put_padded(surface, at_row, at, grid->cell, pen, lw_text_string(text), right);
    }
}

static void draw_problem(struct lw_surface *surface, struct lw_rect rect,
                         const struct lw_error *err)
{
    struct lw_rect inside = {rect.row + 1, rect.col + 2, rect.height - 2, rect.width - 4};
    inside.row += lw_put_wrapped(surface, inside, lw_pen(LW_PEN_TEXT), err->message) + 1;
    if (err->excerpt[0] && inside.row < rect.row + rect.height)
        lw_put(surface, inside.row, inside.col, inside.width, lw_pen(LW_PEN_FAINT), err->excerpt);
}

/* On the lower border: that the layout shown is not the one in the form. Returns the columns that
 * this takes. */
static int draw_stale(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    if (!ex->has_opened || ex->problem.code == LW_OK)
        return 0;
    return 2 + lw_put(surface, rect.row + rect.height - 1, rect.col + 2, rect.width - 4,
                      lw_pen(LW_PEN_BAD), " the last legal layout ");
}

/* On the lower border: which part of the grid this is, when it is not all of it. */
static void draw_extent(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                        const struct lw_grid *grid, int taken)
{
    uint64_t size[2] = {ex->view.rows, ex->view.cols}, from[2] = {ex->top, ex->left};
    uint64_t shown[2] = {(uint64_t)grid->rows, (uint64_t)grid->cols};
    static const char *const names[2] = {"rows", "columns"};
    struct lw_text text = {0};
    for (int i = 0; i < 2; i++) {
        if (shown[i] >= size[i])
            continue;
        uint64_t last = size[i] - from[i] < shown[i] ? size[i] - 1 : from[i] + shown[i] - 1;
        lw_text_format(&text, " %s %llu-%llu of %llu ", names[i], (unsigned long long)from[i],
                       (unsigned long long)last, (unsigned long long)size[i]);
    }
    int width = (int)text.length;
    if (width && width + taken + 2 <= rect.width)
        lw_put(surface, rect.row + rect.height - 1, rect.col + rect.width - 2 - width, width,
               lw_pen(LW_PEN_LABEL), lw_text_string(&text));
    lw_text_free(&text);
}

void lw_draw_view(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    size_t count;
    const struct lw_view_type *type = lw_view_types(&count)[ex->view_index];
    struct lw_rect inside = lw_put_frame(surface, rect, type->title, ex->place == LW_AT_VIEW);
    struct lw_grid grid;
    struct lw_text text = {.limit = 256};
    if (!ex->has_view) {
        draw_problem(surface, inside, ex->has_opened ? &ex->view_problem : &ex->problem);
        return;
    }
    lw_grid(ex, &grid);
    draw_col_labels(ex, surface, &grid, &text);
    for (int r = 0; r < grid.rows && ex->top + (uint64_t)r < ex->view.rows; r++)
        draw_row(ex, surface, &grid, r, &text);
    draw_extent(ex, surface, rect, &grid, draw_stale(ex, surface, rect));
    lw_text_free(&text);
}

/* ---- The inspector ---- */

static void inspector_title(const struct lw_explorer *ex, struct lw_text *title)
{
    struct lw_spot spot;
    if (!ex->has_view || !ex->view.type->spot ||
        !ex->view.type->spot(&ex->view, ex->row, ex->col, &spot) || !spot.has_out) {
        lw_text_add(title, "Inspector");
        return;
    }
    lw_text_add(title, "Element (");
    for (int i = 0; i < ex->opened.subject.map.out.count; i++)
        lw_text_format(title, "%s%llu", i ? ", " : "", (unsigned long long)spot.out[i]);
    lw_text_char(title, ')');
}

/* The next paragraph of the inspector; what is left below it. */
static struct lw_rect put_below(struct lw_surface *surface, struct lw_rect rest,
                                enum lw_pen_kind pen, const char *text)
{
    int used = lw_put_wrapped(surface, rest, lw_pen(pen), text);
    return (struct lw_rect){rest.row + used, rest.col, rest.height - used, rest.width};
}

static void inspect_field(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside)
{
    const struct lw_field *field = &ex->fields[ex->field];
    struct lw_text legal = {0};
    if (field->param)
        lw_param_legal(&legal, field->param);
    inside = put_below(surface, inside, LW_PEN_TEXT,
                       field->param                      ? field->param->help
                       : !strcmp(field->path, "element") ? "the element type, such as f16"
                                                         : "the size of each dim of the tensor");
    inside = put_below(surface, inside, LW_PEN_FAINT, lw_text_string(&legal));
    if (ex->problem.code != LW_OK)
        inside = put_below(surface, inside, LW_PEN_BAD, ex->problem.message);
    put_below(surface, inside, LW_PEN_LABEL, lw_text_string(&field->text));
    lw_text_free(&legal);
}

/* What a document says of itself, while walking through the list. */
static void inspect_entry(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (!entry->loaded)
        return;
    lw_put_wrapped(surface, inside, lw_pen(LW_PEN_TEXT), entry->doc.about);
}

static void inspect_element(struct lw_explorer *ex, struct lw_surface *surface,
                            struct lw_rect inside)
{
    for (int i = 0; i < ex->explanation.count && i < inside.height; i++) {
        const struct lw_line *line = &ex->explanation.line[i];
        lw_put(surface, inside.row + i, inside.col, 12, lw_pen(LW_PEN_LABEL), line->label);
        lw_put(surface, inside.row + i, inside.col + 13, inside.width - 13, lw_pen(LW_PEN_TEXT),
               lw_text_string(&line->text));
    }
}

/* Whether there is more to read than the inspector has room for. */
static bool inspector_is_cut(const struct lw_explorer *ex, struct lw_rect inside, bool field)
{
    const struct lw_entry *entry = &ex->entries[ex->entry];
    if (field || !entry->loaded)
        return false;
    if (ex->place == LW_AT_GALLERY || ex->explanation.count == 0)
        return lw_text_width(entry->doc.about) > (size_t)(inside.width * inside.height * 9 / 10);
    bool wide = ex->explanation.count > inside.height;
    for (int i = 0; i < ex->explanation.count; i++)
        wide = wide || lw_text_width(lw_text_string(&ex->explanation.line[i].text)) >
                           (size_t)(inside.width - 13);
    return wide;
}

void lw_draw_inspector(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    bool list = ex->place == LW_AT_GALLERY || ex->explanation.count == 0;
    bool field =
        (ex->place == LW_AT_FORM || ex->place == LW_AT_EDIT) && ex->field < ex->field_count;
    struct lw_text title = {0};
    if (field)
        lw_text_add(&title, ex->fields[ex->field].path);
    else if (list)
        lw_text_add(&title, lw_explorer_entry(ex)->title);
    else
        inspector_title(ex, &title);
    struct lw_rect inside = lw_put_frame(surface, rect, lw_text_string(&title), false);
    inside.col++;
    inside.width -= 2;
    lw_text_free(&title);
    if (field || list) {
        (field ? inspect_field : inspect_entry)(ex, surface, inside);
    } else {
        inspect_element(ex, surface, inside);
    }
    if (inspector_is_cut(ex, inside, field))
        lw_put(surface, rect.row + rect.height - 1, rect.col + rect.width - 16, 14,
               lw_pen(LW_PEN_KEY), " i: all of it ");
}
