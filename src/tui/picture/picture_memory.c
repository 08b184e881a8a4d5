/* Memory: the lines of shared memory, one word of every bank, in vectors: the units that a swizzle moves. A cell
 * is named by the row of the tensor and the vector of that row that it has. Beside it is plain memory, where
 * nothing is moved. The vector under the cursor is lit in all rows. */

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/picture/picture.h"
#include "view/query.h"
#include "view/view_parts.h"

#include <string.h>

enum { COLORS = 32 };

struct memory {
    struct lw_picture base; /* its first grid is that of the memory itself */
    struct lw_grid plain;
    struct lw_memory_lines lines;
    unsigned bits, bank_bits; /* of an element, of a word */
    int minor;                /* the dim of the tensor that runs along a line */
    uint64_t row_size;        /* elements along that dim */
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

/* What is at a row and a column of a grid, the row of the tensor and the vector in it: the index along the minor dim,
 * and that of all others. False: a hole. */
static bool content(const struct memory *memory, bool is_plain, const uint64_t at[2],
                    uint64_t *name, uint64_t *vector)
{
    const struct lw_dims *dims = &memory->base.subject->map.out;
    const uint64_t offset = at[LW_ROW] * memory->lines.line + at[LW_COL] * memory->lines.vector;
    uint64_t out[LW_DIMS_MAX];
    *name = offset / memory->row_size;
    *vector = offset % memory->row_size / memory->lines.vector;
    if (is_plain) /* a short memory does not fill its line */
        return lw_element_at(dims, offset, out);
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

static void fill_cell(const struct memory *memory, bool is_plain, struct lw_grid_cell *cell)
{
    uint64_t name, vector;
    cell->pen = lw_tone(LW_TONE_HOLE);
    if (!content(memory, is_plain, cell->at, &name, &vector))
        return;
    cell->pen = lw_hue(LW_TONE_OWNER, vector);
    cell->number = vector;
    if (!memory->base.grid.to_right) /* names begin at the left, numbers alone end at the right */
        snprintf(cell->text, sizeof cell->text, "%llu:%llu", (unsigned long long)name,
                 (unsigned long long)vector);
    else
        snprintf(cell->text, sizeof cell->text, "%llu", (unsigned long long)vector);
}

static void own_cell(void *context, struct lw_grid_cell *cell)
{
    fill_cell(context, false, cell);
}

static void plain_cell(void *context, struct lw_grid_cell *cell)
{
    fill_cell(context, true, cell);
}

static struct lw_pen pen_of(void *context, struct lw_grid_cell *cell)
{
    const struct memory *memory = context;
    const struct lw_lit *lit = memory->base.lit;
    const uint64_t bits = memory->lines.vector * memory->bits, from = cell->at[LW_COL] * bits;
    const uint64_t bit = lit->bank * memory->bank_bits;
    const bool has_many = memory->row_size / memory->lines.vector > COLORS;
    const bool is_lit = lit->what == LW_LIT_BANK
                            ? bit + memory->bank_bits > from && bit < from + bits
                            : cell->number == lit->vector;
    if (cell->pen.kind == LW_TONE_HOLE || (!lit->on && !has_many))
        return cell->pen;
    if (has_many && !is_lit)
        return lw_tone(memory->plain.cell_lines ? LW_TONE_FAINT : LW_TONE_FIELD);
    return lw_hue(is_lit ? LW_TONE_LIT : LW_TONE_QUIET, cell->number);
}

/* The line, or the banks of a column: "4-7". */
static void label(void *context, int axis, uint64_t i, struct lw_text *text)
{
    const struct memory *memory = context;
    const uint64_t bits = memory->lines.vector * memory->bits;
    const uint64_t first = axis == LW_ROW ? i : i * bits / memory->bank_bits;
    const uint64_t last = axis == LW_ROW ? i : ((i + 1) * bits - 1) / memory->bank_bits;
    lw_text_number(text, first);
    if (last > first)
        lw_text_format(text, "-%llu", (unsigned long long)last);
}

static bool rule(void *context, int axis, uint64_t i, LW_UNUSED struct lw_text *name)
{
    const uint64_t period = ((const struct memory *)context)->lines.period;
    return axis == LW_ROW && period > 1 && i % period == 0;
}

static const struct lw_grid_source own_source = {own_cell, label, rule, pen_of},
                                   plain_source = {plain_cell, label, rule, pen_of};

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
    memory->plain = picture->grid =
        (struct lw_grid){.source = &own_source,
                         .context = memory,
                         .count = {memory->lines.count, memory->lines.line / memory->lines.vector}};
    memory->plain.source = &plain_source;
    memory->plain.no_mouse = true;
    picture->grids[picture->grid_count++] = &memory->plain;
    picture->grid.has_cursor = true;
    /* The cursor begins where the swizzle shows: on line 1. */
    picture->grid.at[LW_ROW] = memory->lines.period > 1 && memory->lines.count > 1;
    return true;
}

/* ---- Drawing ---- */

/* Chooses the largest names or numbers with which plain memory fits beside it; else cells for the memory alone. */
static bool arrange(struct lw_picture *picture, struct lw_rect rect)
{
    enum { NAMES, WIDE, NUMBERS, BLOCKS };
    struct memory *memory = memory_of(picture);
    const struct lw_dims *dims = &picture->subject->map.out;
    const uint64_t vectors = memory->row_size / memory->lines.vector;
    const int number = (int)lw_digits(vectors ? vectors - 1 : 0) + 1;
    uint64_t rows = 1;
    for (int d = 0; d < dims->count; d++)
        rows *= d == memory->minor ? 1 : dims->dim[d].size;
    const int widths[] = {(int)lw_digits(rows - 1) + number + 2, number + 2, number, 1};
    int height, width, size = -1, left = -picture->size;            /* sizes to pass over */
    int count = memory->lines.period > 1 ? picture->grid_count : 1; /* a swizzle is compared */
    rect.row++;
    rect.height--;
    do {
        size++;
        if (count > 1 && size > NUMBERS && left == -picture->size) { /* none fits */
            size = NAMES;
            count = 1;
        }
        for (int i = 0; i < picture->grid_count; i++) {
            picture->grids[i]->cell_width = widths[size];
            picture->grids[i]->cell_lines = size != BLOCKS;
            picture->grids[i]->to_right = size != NAMES;
        }
        lw_grids_measure(picture->grids, count, rect, LW_GAP, &height, &width);
    } while (size < BLOCKS && (width > rect.width || left-- > 0));
    lw_grids_measure(picture->grids, picture->grid_count, rect, LW_GAP, &height, &width);
    const bool has_both = width <= rect.width;
    if (!has_both)
        lw_grid_hide(&memory->plain);
    memcpy(memory->plain.at, picture->grid.at, sizeof picture->grid.at);
    return lw_grids_arrange(picture->grids, has_both ? 2 : 1, rect, LW_GAP);
}

static void draw(struct lw_picture *picture, struct lw_surface *surface)
{
    const struct memory *memory = memory_of(picture);
    struct lw_text text = {0}, about = {0};
    if (picture->subject->encoding)
        lw_encoding_print_short(&text, picture->subject->encoding);
    if (picture->grid.cell_lines) { /* what a cell names */
        lw_text_add(&about, memory->base.grid.to_right ? "vector of " : "row:vector of ");
        lw_put_count(&about, memory->lines.vector, "element");
    }
    lw_picture_draw_title(surface, &picture->grid, LW_TONE_TITLE, lw_text_string(&text),
                          lw_text_string(&about));
    lw_text_free(&text);
    lw_text_free(&about);
    if (memory->plain.rect.height)
        lw_picture_draw_title(surface, &memory->plain, LW_TONE_FAINT,
                              "plain memory, for comparison", "");
}

/* ---- The cursor ---- */

/* The vector under the cursor is the one that is lit. */
static void follow(struct lw_picture *picture)
{
    uint64_t name, vector;
    if (content(memory_of(picture), false, picture->grid.at, &name, &vector))
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
    const uint64_t *at = picture->grid.at;
    const uint64_t offset = at[LW_ROW] * memory->lines.line + at[LW_COL] * memory->lines.vector;
    spot->in[lw_dims_find(&picture->subject->map.in, "offset")] = offset;
    spot->has_in = true;
    return spot->has_out = element_at(memory, offset, spot->out);
}

static bool go(struct lw_picture *picture, const struct lw_spot *spot)
{
    const struct memory *memory = memory_of(picture);
    uint64_t in[LW_DIMS_MAX];
    if (!spot->has_out || !lw_map_owner(&picture->subject->map, spot->out, 0, in))
        return false;
    const uint64_t offset = in[lw_dims_find(&picture->subject->map.in, "offset")];
    picture->grid.at[LW_ROW] = offset / memory->lines.line;
    picture->grid.at[LW_COL] = offset % memory->lines.line / memory->lines.vector;
    follow(picture);
    return true;
}

/* ---- The inspector ---- */

static void explain(const struct lw_picture *picture, struct lw_explanation *explanation)
{
    const struct memory *memory = memory_of(picture);
    const struct lw_memory_lines *lines = &memory->lines;
    const uint64_t line = picture->grid.at[LW_ROW], slot = picture->grid.at[LW_COL];
    const uint64_t bits = lines->vector * memory->bits;
    const uint64_t byte = (line * lines->line * memory->bits + slot * bits) / 8;
    uint64_t name, vector, xor_ = 0;
    struct lw_spot here = {0};
    if (picture->lit->what == LW_LIT_BANK) { /* it has all lines */
        lw_put_bank(lw_explanation_line(explanation, "bank"), picture->subject, picture->lit->bank);
        return;
    }
    struct lw_text *text = lw_explanation_line(explanation, "vector");
    if (!spot(picture, &here) || !content(memory, false, picture->grid.at, &name, &vector)) {
        lw_text_format(text, "no element at byte %llu: padding", (unsigned long long)byte);
        return;
    }
    lw_text_format(text, "%llu of row %llu: ", (unsigned long long)vector,
                   (unsigned long long)name);
    lw_put_element(text, picture->subject->map.out.count, here.out);
    if (lines->vector > 1)
        lw_text_format(text, " and the next %llu", (unsigned long long)lines->vector - 1);
    lw_text_format(text, ": byte %llu, line %llu, bank%s ", (unsigned long long)byte,
                   (unsigned long long)line, bits <= memory->bank_bits ? "" : "s");
    label(picture->grid.context, LW_COL, slot, text);
    if (lines->period == 1 || !lw_memory_xor(&picture->subject->map, lines, line, &xor_))
        return;
    lw_text_format(lw_explanation_line(explanation, "because"),
                   "slot %llu = vector %llu ^ %llu: line %llu has its vectors xored with %llu",
                   (unsigned long long)slot, (unsigned long long)(slot ^ xor_),
                   (unsigned long long)xor_, (unsigned long long)line, (unsigned long long)xor_);
    lw_text_format(lw_explanation_line(explanation, "so"),
                   "one vector of %llu lines is in %llu different slots: no two need one bank",
                   (unsigned long long)lines->period, (unsigned long long)lines->period);
}

const struct lw_picture_type lw_picture_memory_lines = {
    .name = "memory",
    .title = "Memory",
    .about = "where each element lies",
    .is_tab = true,
    .state_size = sizeof(struct memory),
    .subject = subject_of,
    .open = open,
    .arrange = arrange,
    .draw = draw,
    .move = move,
    .follow = follow,
    .spot = spot,
    .go = go,
    .explain = explain,
};
