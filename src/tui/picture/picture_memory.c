/* Memory: the lines of shared memory, one word of every bank, in vectors: the units that a swizzle moves. A cell
 * is named by the row of the tensor and the vector of that row that it has. Beside it is plain memory, where
 * nothing is moved. The vector under the cursor is lit in all rows. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/picture.h"
#include "view/view_parts.h"

#include <string.h>

enum { GAP = 4, COLORS = 32 };

struct memory;

/* One of the two grids. */
struct panel {
    const struct memory *memory;
    bool is_plain;
};

struct memory {
    struct lw_picture base; /* its grid is that of the memory itself */
    struct lw_grid plain;
    struct panel own_panel, plain_panel; /* their contexts */
    struct lw_memory_lines lines;
    unsigned bits, bank_bits; /* of an element, of a word */
    int minor;                /* the dim of the tensor that runs along a line */
    uint64_t row_size;        /* elements along that dim */
    bool shows_plain;
    bool has_names; /* cells have names, not only numbers */
};

static struct memory *memory_of(const struct lw_picture *picture)
{
    return (struct memory *)picture;
}

static bool element_at(const struct memory *memory, uint64_t offset, uint64_t *out)
{
    const struct lw_map *map = &memory->base.subject->map;
    uint64_t in[LW_DIMS_MAX] = {0};
    in[lw_dims_find(&map->in, "offset")] = offset;
    return lw_map_apply(map, in, out);
}

/* What a panel has at a row and a column of its grid, the row of the tensor and the vector in it: the index along the
 * minor dim, and that of all others. False: a hole. */
static bool content(const struct panel *panel, uint64_t row, uint64_t col, uint64_t *name,
                    uint64_t *vector)
{
    const struct memory *memory = panel->memory;
    const struct lw_dims *dims = &memory->base.subject->map.out;
    uint64_t offset = row * memory->lines.line + col * memory->lines.vector, out[LW_DIMS_MAX];
    *name = offset / memory->row_size;
    *vector = offset % memory->row_size / memory->lines.vector;
    if (panel->is_plain)
        return true;
    if (!element_at(memory, offset, out))
        return false;
    *name = 0;
    for (int d = 0; d < dims->count; d++)
        if (d != memory->minor)
            *name = *name * dims->dim[d].size + out[d];
    *vector = memory->minor < 0 ? 0 : out[memory->minor] / memory->lines.vector;
    return true;
}

/* ---- The grids ---- */

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

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    const struct memory *memory = ((const struct panel *)context)->memory;
    const struct lw_lit *lit = memory->base.lit;
    const uint64_t vector_bits = memory->lines.vector * memory->bits;
    const uint64_t bit = lit->bank * memory->bank_bits, from = cell->col * vector_bits;
    const bool has_many = memory->row_size / memory->lines.vector > COLORS;
    const bool is_lit = lit->what == LW_LIT_BANK
                            ? bit + memory->bank_bits > from && bit < from + vector_bits
                            : cell->mark == lit->vector;
    if (cell->kind != LW_GRID_HUE || (!lit->on && !has_many))
        return lw_grid_pen(cell);
    if (has_many && !is_lit)
        return lw_tone(memory->plain.cell_lines ? LW_TONE_FAINT : LW_TONE_FIELD);
    return lw_hue(is_lit ? LW_TONE_LIT : LW_TONE_QUIET, cell->number);
}

static void row_label(void *context, uint64_t row, struct lw_text *text)
{
    (void)context;
    lw_text_number(text, row);
}

/* The banks of a column: "4-7". */
static void col_label(void *context, uint64_t col, struct lw_text *text)
{
    const struct memory *memory = ((const struct panel *)context)->memory;
    const uint64_t vector_bits = memory->lines.vector * memory->bits;
    const uint64_t first = col * vector_bits / memory->bank_bits;
    const uint64_t last = ((col + 1) * vector_bits - 1) / memory->bank_bits;
    lw_text_number(text, first);
    if (last > first)
        lw_text_format(text, "-%llu", (unsigned long long)last);
}

static bool row_rule(void *context, uint64_t row, struct lw_text *name)
{
    const uint64_t period = ((const struct panel *)context)->memory->lines.period;
    (void)name;
    return period > 1 && row % period == 0;
}

static const struct lw_grid_source source = {cell_at, row_label, col_label, row_rule, NULL, pen_of};

/* ---- Opening ---- */

/* The lines of a memory. An element that fills a bank is a cell of its own. Of padded memory a vector is no longer than
 * the padding, so that cells begin where elements do. */
static bool lines_of(const struct lw_subject *subject, struct lw_memory_lines *lines)
{
    if (!lw_memory_lines_of(&subject->map, (unsigned)subject->tensor.element.bits,
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

static const struct lw_subject *subject_of(const struct lw_model *model,
                                           LW_UNUSED enum lw_side side)
{
    const struct lw_subject *subject = lw_model_at(model, LW_SIDE_S);
    struct lw_memory_lines lines;
    return subject && lw_subject_is_memory(subject) && lines_of(subject, &lines) ? subject : NULL;
}

static bool open(struct lw_picture *picture, struct lw_error *err)
{
    struct memory *memory = memory_of(picture);
    const struct lw_map *map = &picture->subject->map;
    if (!lines_of(picture->subject, &memory->lines))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "an element is no part of a line of banks");
    memory->bits = (unsigned)picture->subject->tensor.element.bits;
    memory->bank_bits = 8 * lw_subject_banks(picture->subject)->bank_bytes;
    memory->minor = lw_minor_dim(map);
    memory->row_size = memory->minor < 0 ? 1 : map->out.dim[memory->minor].size;
    memory->own_panel = (struct panel){memory, false};
    memory->plain_panel = (struct panel){memory, true};
    memory->plain = (struct lw_grid){.source = &source,
                                     .context = &memory->plain_panel,
                                     .rows = memory->lines.count,
                                     .cols = memory->lines.line / memory->lines.vector};
    picture->grid = memory->plain;
    picture->grid.context = &memory->own_panel;
    picture->grid.has_cursor = true;
    /* The cursor begins where the swizzle shows: on line 1. */
    picture->grid.row = memory->lines.period > 1 && memory->lines.count > 1 ? 1 : 0;
    return true;
}

static void close(struct lw_picture *picture)
{
    lw_grid_free(&memory_of(picture)->plain);
}

/* ---- Drawing ---- */

enum size { NAMES, NUMBERS, TIGHT, BLOCKS }; /* tight: without blanks between them */

/* Sets the size of cells. Returns the columns of one panel. */
static int set_size(struct memory *memory, enum size size)
{
    const struct lw_dims *dims = &memory->base.subject->map.out;
    struct lw_grid *grids[] = {&memory->base.grid, &memory->plain};
    uint64_t elements = 1, vectors = memory->row_size / memory->lines.vector;
    int tall, width = 0;
    for (int d = 0; d < dims->count; d++)
        elements *= dims->dim[d].size;
    const size_t number = lw_digits(vectors ? vectors - 1 : 0);
    const size_t name = 1 + lw_digits(elements / memory->row_size - 1);
    for (size_t i = 0; i < LW_COUNT(grids); i++) {
        grids[i]->cell_width = size == BLOCKS  ? 1
                               : size != NAMES ? (int)number + (size == NUMBERS)
                                               : (int)(name + number) + 2;
        grids[i]->cell_lines = size != BLOCKS;
        grids[i]->to_right = size == NUMBERS || size == TIGHT;
        if (memory->has_names != (size == NAMES))
            lw_grid_changed(grids[i]);
        lw_grid_measure(grids[i], 0, 4000, &tall, &width);
    }
    memory->has_names = size == NAMES;
    return width;
}

static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    struct memory *memory = memory_of(picture);
    struct lw_grid *own = &picture->grid;
    int width = 0;
    bool fits = false;
    for (int size = -picture->size < BLOCKS ? -picture->size : BLOCKS; size <= BLOCKS && !fits;
         size++) {
        width = set_size(memory, (enum size)size);
        memory->shows_plain = 2 * width + GAP <= rect.width;
        fits = width <= rect.width;
    }
    rect.row++;
    rect.height--;
    if (memory->shows_plain)
        rect.width = width;
    if (!lw_grid_arrange(own, rect))
        return false;
    memory->plain.row = own->row;
    memory->plain.col = own->col;
    memory->plain.top = own->top;
    rect.col += width + GAP;
    return !memory->shows_plain || lw_grid_arrange(&memory->plain, rect);
}

static void draw_panel(struct lw_grid *grid, struct lw_surface *surface, enum lw_tone tone,
                       const char *title)
{
    lw_put(surface, grid->rect.row - 1, grid->rect.col + grid->label_width,
           grid->rect.width - grid->label_width, lw_tone(tone), title);
    lw_grid_draw(grid, surface);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    struct memory *memory = memory_of(picture);
    struct lw_text text = {0};
    if (picture->subject->encoding)
        lw_encoding_print_short(&text, picture->subject->encoding);
    draw_panel(&picture->grid, surface, LW_TONE_TITLE, lw_text_string(&text));
    lw_text_free(&text);
    if (memory->shows_plain)
        draw_panel(&memory->plain, surface, LW_TONE_FAINT, "plain memory, for comparison");
}

/* ---- The cursor ---- */

/* The vector under the cursor is the one that is lit. */
static void follow(struct lw_picture *picture)
{
    struct memory *memory = memory_of(picture);
    uint64_t name, vector;
    if (content(&memory->own_panel, picture->grid.row, picture->grid.col, &name, &vector))
        picture->lit->vector = vector;
}

static void move(struct lw_picture *picture, int64_t rows, int64_t cols)
{
    lw_grid_move(&picture->grid, rows, cols);
    picture->lit->on = true;
    picture->lit->by_pointer = false;
}

static bool spot(const struct lw_picture *picture, struct lw_spot *spot)
{
    const struct memory *memory = memory_of(picture);
    uint64_t offset =
        picture->grid.row * memory->lines.line + picture->grid.col * memory->lines.vector;
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
    picture->grid.row = offset / memory->lines.line;
    picture->grid.col = offset % memory->lines.line / memory->lines.vector;
    follow(picture);
    return true;
}

/* ---- The inspector ---- */

/* "element (0,8) and the next 7" */
static void put_elements(const struct memory *memory, const uint64_t *out, uint64_t count,
                         struct lw_text *text)
{
    lw_text_add(text, "element ");
    lw_put_element(text, memory->base.subject->map.out.count, out);
    if (count > 1)
        lw_text_format(text, " and the next %llu", (unsigned long long)count - 1);
}

/* What is lit is a bank of several of the vector: its elements. */
static void explain_bank(const struct memory *memory, uint64_t line,
                         struct lw_explanation *explanation)
{
    const uint64_t bank = memory->base.lit->bank, vector = memory->lines.vector;
    const uint64_t first = bank * memory->bank_bits / memory->bits;
    uint64_t out[LW_DIMS_MAX];
    if (memory->base.lit->what != LW_LIT_BANK || vector * memory->bits <= memory->bank_bits ||
        first / vector != memory->base.grid.col ||
        !element_at(memory, line * memory->lines.line + first, out))
        return;
    struct lw_text *text = lw_explanation_line(explanation, "bank");
    lw_text_format(text, "%llu of this line: ", (unsigned long long)bank);
    put_elements(memory, out, memory->bank_bits / memory->bits, text);
}

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct memory *memory = memory_of(picture);
    const uint64_t line = picture->grid.row, slot = picture->grid.col,
                   period = memory->lines.period;
    const uint64_t vector_bits = memory->lines.vector * memory->bits;
    const uint64_t byte = (line * memory->lines.line * memory->bits + slot * vector_bits) / 8;
    uint64_t name, vector, xor_ = 0;
    struct lw_spot here = {0};
    struct lw_text *text = lw_explanation_line(explanation, "vector");
    if (!spot(picture, &here) || !content(&memory->own_panel, line, slot, &name, &vector)) {
        lw_text_format(text, "no element at byte %llu: padding", (unsigned long long)byte);
        return;
    }
    lw_text_format(text, "%llu of row %llu: ", (unsigned long long)vector,
                   (unsigned long long)name);
    put_elements(memory, here.out, memory->lines.vector, text);
    lw_text_format(text, "   at byte %llu: line %llu, bank%s ", (unsigned long long)byte,
                   (unsigned long long)line, vector_bits <= memory->bank_bits ? "" : "s");
    col_label(picture->grid.context, slot, text);
    explain_bank(memory, line, explanation);
    if (period == 1 || !lw_memory_xor(&picture->subject->map, &memory->lines, line, &xor_))
        return;
    lw_text_format(lw_explanation_line(explanation, "because"),
                   "slot %llu = vector %llu ^ %llu: line %llu has its vectors xored with %llu",
                   (unsigned long long)slot, (unsigned long long)(slot ^ xor_),
                   (unsigned long long)xor_, (unsigned long long)line, (unsigned long long)xor_);
    lw_text_format(lw_explanation_line(explanation, "so"),
                   "one vector of %llu lines is in %llu different slots: no two need one bank",
                   (unsigned long long)period, (unsigned long long)period);
}

const struct lw_picture_type lw_picture_memory_lines = {
    .name = "memory",
    .title = "Memory",
    .about = "where each element lies",
    .is_tab = true,
    .state_size = sizeof(struct memory),
    .subject = subject_of,
    .open = open,
    .close = close,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .follow = follow,
    .spot = spot,
    .go = go,
    .explain = explain,
};
