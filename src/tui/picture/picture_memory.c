/* Memory: the lines of shared memory, one word of every bank, in vectors: the units that a swizzle moves. A cell
 * is named by the row of the tensor and the vector of that row that it has. Beside it is plain memory, where
 * nothing is moved. The vector under the cursor is lit in all rows. */

#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

enum { GAP = 4, COLORS = 32 };

struct memory;

/* One of the two grids. */
struct panel {
    struct memory *memory;
    struct lw_grid grid;
    bool is_plain;
};

struct memory {
    struct lw_picture base;
    struct lw_memory_lines lines;
    struct panel own, plain;
    unsigned bits;     /* of an element */
    int minor;         /* the dim of the tensor that runs along a line */
    uint64_t row_size; /* elements along that dim */
    bool shows_plain;
    bool has_names; /* cells have names, not only numbers */
};

static struct memory *memory_of(const struct lw_picture *picture)
{
    return (struct memory *)picture;
}

/* The row and the vector of an element: its index along the minor dim, and the index of all others. */
static void name_of(const struct memory *memory, const uint64_t *out, uint64_t *row,
                    uint64_t *vector)
{
    const struct lw_dims *dims = &memory->base.subject->map.out;
    *row = 0;
    for (int d = 0; d < dims->count; d++)
        if (d != memory->minor)
            *row = *row * dims->dim[d].size + out[d];
    *vector = memory->minor < 0 ? 0 : out[memory->minor] / memory->lines.vector;
}

static bool element_at(const struct memory *memory, uint64_t offset, uint64_t *out)
{
    const struct lw_map *map = &memory->base.subject->map;
    uint64_t in[LW_DIMS_MAX] = {0};
    in[lw_dims_find(&map->in, "offset")] = offset;
    return lw_map_apply(map, in, out);
}

/* What the panel has at a row and a column of its grid; false: a hole. */
static bool content(const struct panel *panel, uint64_t row, uint64_t col, uint64_t *name,
                    uint64_t *vector)
{
    const struct memory *memory = panel->memory;
    uint64_t offset = row * memory->lines.line + col * memory->lines.vector, out[LW_DIMS_MAX];
    if (!panel->is_plain) {
        if (!element_at(memory, offset, out))
            return false;
        name_of(memory, out, name, vector);
        return true;
    }
    *name = offset / memory->row_size;
    *vector = offset % memory->row_size / memory->lines.vector;
    return true;
}

static void cell_at(void *context, uint64_t row, uint64_t col, struct lw_grid_cell *cell)
{
    const struct panel *panel = context;
    uint64_t name, vector;
    cell->kind = LW_GRID_HOLE;
    if (!content(panel, row, col, &name, &vector)) {
        snprintf(cell->text, sizeof cell->text, "\xc2\xb7");
        return;
    }
    cell->kind = LW_GRID_HUE;
    cell->number = cell->mark = vector;
    if (panel->memory->has_names)
        snprintf(cell->text, sizeof cell->text, "%llu:%llu", (unsigned long long)name,
                 (unsigned long long)vector);
    else
        snprintf(cell->text, sizeof cell->text, "%llu", (unsigned long long)vector);
}

static struct lw_pen pen_of(void *context, const struct lw_grid_cell *cell)
{
    const struct panel *panel = context;
    const struct memory *memory = panel->memory;
    const struct lw_lit *lit = memory->base.lit;
    bool many = memory->row_size / memory->lines.vector > COLORS;
    if (cell->kind != LW_GRID_HUE)
        return lw_grid_pen(cell);
    if (lit->on || many) {
        bool is_lit = cell->mark == lit->vector;
        if (lit->what == LW_LIT_BANK) {
            unsigned per_bank = 8 * lw_subject_banks(memory->base.subject)->bank_bytes;
            uint64_t from = cell->col * memory->lines.vector * memory->bits;
            uint64_t bank = lit->bank * per_bank;
            is_lit = bank + per_bank > from && bank < from + memory->lines.vector * memory->bits;
        }
        if (many && !is_lit)
            return lw_tone(!panel->grid.cell_lines ? LW_TONE_FIELD
                           : lit->on               ? LW_TONE_FAINT
                                                   : LW_TONE_PLAIN);
        return lw_hue(is_lit ? LW_TONE_LIT : LW_TONE_QUIET, cell->number);
    }
    return lw_grid_pen(cell);
}

static void row_label(void *context, uint64_t row, struct lw_text *text)
{
    (void)context;
    lw_text_number(text, row);
}

static void col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct panel *panel = context;
    const struct memory *memory = panel->memory;
    unsigned bank_bits = 8 * lw_subject_banks(memory->base.subject)->bank_bytes;
    uint64_t first = col * memory->lines.vector * memory->bits / bank_bits;
    uint64_t last = ((col + 1) * memory->lines.vector * memory->bits - 1) / bank_bits;
    lw_text_number(text, first);
    if (last > first)
        lw_text_format(text, "-%llu", (unsigned long long)last);
}

static bool row_rule(void *context, uint64_t row, struct lw_text *name)
{
    const struct panel *panel = context;
    (void)name;
    return panel->memory->lines.period > 1 && row % panel->memory->lines.period == 0;
}

static const struct lw_grid_source source = {cell_at, row_label, col_label, row_rule, NULL, pen_of};

/* ---- Opening ---- */

/* The lines of a memory. An element that fills a bank is a cell of its own. Of padded memory a vector is no longer than
 * the padding, so that cells begin where elements do. */
static bool lines_of(const struct lw_subject *subject, struct lw_memory_lines *lines)
{
    if (!subject || !lw_memory_lines_of(&subject->map, (unsigned)subject->tensor.element.bits,
                                        lw_subject_banks(subject), lines))
        return false;
    if ((unsigned)subject->tensor.element.bits >= 8 * lw_subject_banks(subject)->bank_bytes)
        lines->vector = 1;
    if (subject->map.kind == LW_MAP_PADDED)
        for (int i = 0; i < subject->map.as.padded.count; i++)
            while (lines->vector > 1 && subject->map.as.padded.padding[i].size % lines->vector)
                lines->vector /= 2;
    return true;
}

static bool fits(const struct lw_model *model)
{
    struct lw_memory_lines lines;
    return lines_of(lw_picture_memory(model, LW_SIDE_S), &lines);
}

static void open_panel(struct memory *memory, struct panel *panel, bool is_plain)
{
    panel->memory = memory;
    panel->is_plain = is_plain;
    panel->grid.source = &source;
    panel->grid.context = panel;
    panel->grid.rows = memory->lines.count;
    panel->grid.cols = memory->lines.line / memory->lines.vector;
    panel->grid.cell_lines = 1;
    panel->grid.has_cursor = !is_plain;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct memory *memory = memory_of(picture);
    const struct lw_map *map = &picture->subject->map;
    if (!lines_of(picture->subject, &memory->lines))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "an element is no part of a line of banks");
    memory->bits = (unsigned)picture->subject->tensor.element.bits;
    memory->minor = lw_minor_dim(map);
    memory->row_size = memory->minor < 0 ? 1 : map->out.dim[memory->minor].size;
    open_panel(memory, &memory->own, false);
    open_panel(memory, &memory->plain, true);
    /* The cursor begins where the swizzle shows: on line 1. */
    memory->own.grid.row = memory->lines.period > 1 && memory->lines.count > 1 ? 1 : 0;
    return true;
}

static void close(struct lw_picture *picture)
{
    lw_grid_free(&memory_of(picture)->own.grid);
    lw_grid_free(&memory_of(picture)->plain.grid);
}

/* ---- Drawing ---- */

static int digits(uint64_t number)
{
    return number < 10 ? 1 : 1 + digits(number / 10);
}

/* Sets the width of cells, with the names or only the numbers of vectors, and blanks between them; -1: blocks. Returns
 * the columns of one panel. */
static int set_width(struct memory *memory, bool has_names, int space)
{
    const struct lw_map *map = &memory->base.subject->map;
    uint64_t elements = 1, vectors = memory->row_size / memory->lines.vector;
    int tall, width;
    for (int d = 0; d < map->out.count; d++)
        elements *= map->out.dim[d].size;
    width = digits(vectors ? vectors - 1 : 0) + space;
    if (has_names)
        width += 1 + digits(elements / memory->row_size - 1);
    if (memory->has_names != has_names) {
        lw_grid_changed(&memory->own.grid);
        lw_grid_changed(&memory->plain.grid);
    }
    memory->has_names = has_names;
    memory->own.grid.cell_width = memory->plain.grid.cell_width = width;
    memory->own.grid.to_right = memory->plain.grid.to_right = !has_names;
    memory->own.grid.cell_lines = memory->plain.grid.cell_lines = space >= 0 ? 1 : 0;
    if (space < 0) /* a block */
        memory->own.grid.cell_width = memory->plain.grid.cell_width = 1;
    lw_grid_measure(&memory->own.grid, 0, 4000, &tall, &width);
    return width;
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    static const struct {
        bool has_names;
        int space, panels;
    } ways[] = {{true, 2, 2},  {true, 1, 2},  {true, 2, 1},   {true, 1, 1},  {false, 1, 2},
                {false, 1, 1}, {false, 0, 1}, {false, -1, 2}, {false, -1, 1}};
    struct memory *memory = memory_of(picture);
    int width = 0, panels = 1;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if ((picture->size < 0 && ways[i].has_names) || (picture->size < -1 && ways[i].space >= 0))
            continue;
        width = set_width(memory, ways[i].has_names, ways[i].space);
        panels = ways[i].panels;
        if (panels * width + (panels - 1) * GAP <= rect.width)
            break;
    }
    memory->shows_plain = panels == 2;
    struct lw_rect own = {rect.row + 1, rect.col, rect.height - 1,
                          width < rect.width ? width : rect.width};
    struct lw_rect plain = {own.row, own.col + width + GAP, own.height, width};
    if (!lw_grid_arrange(&memory->own.grid, own))
        return false;
    memory->plain.grid.row = memory->own.grid.row;
    memory->plain.grid.col = memory->own.grid.col;
    memory->plain.grid.top = memory->own.grid.top;
    return !memory->shows_plain || lw_grid_arrange(&memory->plain.grid, plain);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct memory *memory = memory_of(picture);
    const struct lw_grid *grid = &memory->own.grid;
    struct lw_text text = {0};
    if (picture->subject->encoding)
        lw_encoding_print_short(&text, picture->subject->encoding);
    lw_put(surface, grid->rect.row - 1, grid->rect.col + grid->label_width, grid->rect.width,
           lw_tone(LW_TONE_TITLE), lw_text_string(&text));
    lw_text_free(&text);
    lw_grid_draw(&memory->own.grid, surface);
    if (!memory->shows_plain)
        return;
    grid = &memory->plain.grid;
    lw_put(surface, grid->rect.row - 1, grid->rect.col + grid->label_width, grid->rect.width,
           lw_tone(LW_TONE_FAINT), "plain memory, for comparison");
    lw_grid_draw(&memory->plain.grid, surface);
}

/* ---- The cursor ---- */

/* The vector under the cursor is the one that is lit. */
static void follow(struct memory *memory)
{
    uint64_t name, vector;
    if (content(&memory->own, memory->own.grid.row, memory->own.grid.col, &name, &vector))
        memory->base.lit->vector = vector;
}

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    struct memory *memory = memory_of(picture);
    lw_grid_move(&memory->own.grid, rows, cols);
    follow(memory);
    picture->lit->on = true;
    picture->lit->by_pointer = false;
}

static bool mouse(struct lw_picture *picture, const struct lw_event *event)
{
    struct memory *memory = memory_of(picture);
    if (event->kind == LW_EVENT_WHEEL) {
        lw_grid_scroll(&memory->own.grid, event->amount);
        return true;
    }
    const struct lw_grid_cell *cell = lw_grid_hit(&memory->own.grid, event->row, event->col);
    if (!cell && memory->shows_plain)
        cell = lw_grid_hit(&memory->plain.grid, event->row, event->col);
    if (!cell || cell->kind != LW_GRID_HUE)
        return false;
    if (event->kind == LW_EVENT_HOVER) {
        if (picture->lit->on && !picture->lit->by_pointer)
            return true;
        picture->lit->on = picture->lit->by_pointer = true;
        picture->lit->vector = cell->mark;
        return true;
    }
    memory->own.grid.row = cell->row;
    memory->own.grid.col = cell->col;
    follow(memory);
    return true;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct memory *memory = memory_of(picture);
    uint64_t offset =
        memory->own.grid.row * memory->lines.line + memory->own.grid.col * memory->lines.vector;
    memset(spot, 0, sizeof *spot);
    spot->in[lw_dims_find(&picture->subject->map.in, "offset")] = offset;
    spot->has_in = true;
    spot->has_out = element_at(memory, offset, spot->out);
    return spot->has_out;
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    struct memory *memory = memory_of(picture);
    uint64_t in[LW_DIMS_MAX];
    if (!spot->has_out || !lw_map_owner(&picture->subject->map, spot->out, 0, in))
        return false;
    uint64_t offset = in[lw_dims_find(&picture->subject->map.in, "offset")];
    memory->own.grid.row = offset / memory->lines.line;
    memory->own.grid.col = offset % memory->lines.line / memory->lines.vector;
    follow(memory);
    return true;
}

/* ---- The inspector ---- */

/* Of a vector in several banks: the elements in the bank that is lit. */
static void explain_bank(const struct memory *memory, uint64_t line,
                         struct lw_explanation *explanation)
{
    const struct lw_subject *subject = memory->base.subject;
    const uint64_t word = 8 * lw_subject_banks(subject)->bank_bytes, bank = memory->base.lit->bank;
    const uint64_t first = bank * word / memory->bits, vector = memory->lines.vector;
    uint64_t out[LW_DIMS_MAX];
    if (memory->base.lit->what != LW_LIT_BANK || vector * memory->bits <= word ||
        first / vector != memory->own.grid.col ||
        !element_at(memory, line * memory->lines.line + first, out))
        return;
    struct lw_text *text = lw_explanation_add(explanation, "bank");
    lw_text_format(text, "%llu of this line: element ", (unsigned long long)bank);
    lw_put_element(text, subject->map.out.count, out);
    if (word / memory->bits > 1)
        lw_text_format(text, " and the next %llu", (unsigned long long)(word / memory->bits) - 1);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct memory *memory = memory_of(picture);
    const uint64_t line = memory->own.grid.row, slot = memory->own.grid.col;
    uint64_t name, vector, xor_ = 0;
    struct lw_spot here;
    struct lw_text *text = lw_explanation_add(explanation, "vector");
    uint64_t byte = (line * memory->lines.line + slot * memory->lines.vector) * memory->bits / 8;
    if (!spot(picture, &here) || !content(&memory->own, line, slot, &name, &vector)) {
        lw_text_format(text, "no element at byte %llu: padding", (unsigned long long)byte);
        return;
    }
    lw_text_format(text, "%llu of row %llu: element ", (unsigned long long)vector,
                   (unsigned long long)name);
    lw_put_element(text, picture->subject->map.out.count, here.out);
    if (memory->lines.vector > 1)
        lw_text_format(text, " and the next %llu", (unsigned long long)memory->lines.vector - 1);
    const bool is_one =
        memory->lines.vector * memory->bits <= 8 * lw_subject_banks(picture->subject)->bank_bytes;
    lw_text_format(text, "   at byte %llu: line %llu, bank%s ", (unsigned long long)byte,
                   (unsigned long long)line, is_one ? "" : "s");
    col_label((void *)(uintptr_t)&memory->own, slot, text);
    explain_bank(memory, line, explanation);
    if (memory->lines.period == 1 ||
        !lw_memory_xor(&picture->subject->map, &memory->lines, line, &xor_))
        return;
    text = lw_explanation_add(explanation, "because");
    lw_text_format(text,
                   "slot %llu = vector %llu ^ %llu: line %llu has its vectors xored with %llu",
                   (unsigned long long)slot, (unsigned long long)(slot ^ xor_),
                   (unsigned long long)xor_, (unsigned long long)line, (unsigned long long)xor_);
    text = lw_explanation_add(explanation, "so");
    lw_text_format(
        text, "one vector of %llu lines is in %llu different slots: no two need one bank",
        (unsigned long long)memory->lines.period, (unsigned long long)memory->lines.period);
}

const struct lw_picture_type lw_picture_memory_lines = {
    .name = "memory",
    .title = "Memory",
    .about = "where each element lies",
    .is_tab = true,
    .state_size = sizeof(struct memory),
    .fits = fits,
    .subject = lw_picture_memory,
    .open = open,
    .close = close,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .mouse = mouse,
    .spot = spot,
    .go = go,
    .explain = explain,
};
