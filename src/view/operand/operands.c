/* Several layouts in one grid: cells, labels, spots and explanations, each of the operand that a cell is in. */

#include "view/operand/operands.h"

#include "core/divide.h"

#include <string.h>

struct lw_operands *lw_operands_of(const struct lw_view *view)
{
    return (struct lw_operands *)view->state;
}

/* ---- Opening ---- */

bool lw_operand_open(struct lw_view *view, int i, const struct lw_encoding *encoding,
                     const struct lw_tensor *tensor, struct lw_error *err)
{
    struct lw_operands *operands = lw_operands_of(view);
    struct lw_arena arena = {0};
    struct lw_document doc = {.notation = LW_NOTATION_MLIR,
                              .name = "",
                              .title = "",
                              .about = "",
                              .view = "",
                              .cell = "",
                              .encoding = lw_encoding_copy(&arena, encoding),
                              .tensor = *tensor};
    for (int s = 0; s < LW_SIDES; s++)
        lw_tensor_unknown(&doc.others[s].tensor);
    bool good = doc.encoding
                    ? lw_subject_open(&operands->opened[i], &doc, view->subject->lanes, err)
                    : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_arena_free(&arena);
    if (!good)
        return false;
    operands->has_opened[i] = true;
    operands->opened[i].subject.hardware = view->subject->hardware;
    operands->all[i].subject = &operands->opened[i].subject;
    return true;
}

bool lw_operand_read(struct lw_view *view, int i, const char *source, struct lw_error *err)
{
    struct lw_document doc;
    if (!lw_document_read(&doc, source, strlen(source), NULL, err))
        return false;
    bool good = lw_operand_open(view, i, doc.encoding, &doc.tensor, err);
    lw_document_free(&doc);
    return good;
}

bool lw_operand_measure(struct lw_view *view, int i, struct lw_error *err)
{
    struct lw_operand *operand = &lw_operands_of(view)->all[i];
    const struct lw_dims *out = &operand->subject->map.out;
    uint64_t all;
    if (out->count < 1)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s has no dims to draw", operand->name);
    if (!lw_dims_total(out, &all, err))
        return false;
    uint64_t cols = out->dim[out->count - 1].size, rows = all / cols;
    operand->rows = operand->turned ? cols : rows;
    operand->cols = operand->turned ? rows : cols;
    return true;
}

void lw_operands_arrange(struct lw_view *view)
{
    struct lw_operands *operands = lw_operands_of(view);
    view->rows = view->cols = 1;
    for (int i = 0; i < operands->count; i++) {
        struct lw_operand *o = &operands->all[i];
        const char *cell = view->options.cell;
        struct lw_cell_field found;
        o->color = (struct lw_cell_field){LW_FIELD_NONE, -1, -1, 1};
        if (o->subject && !o->memory) {
            if (view->color &&
                lw_cell_field_find(o->subject, view->color, strlen(view->color), &found))
                o->color = found;
            bool own = cell && lw_format_check(cell, o->subject, NULL);
            o->cell = own ? cell : lw_format_default(o->subject);
        }
        view->rows = o->row + o->rows > view->rows ? o->row + o->rows : view->rows;
        view->cols = o->col + o->cols > view->cols ? o->col + o->cols : view->cols;
    }
    view->page_rows = view->rows;
}

void lw_operands_close(struct lw_view *view)
{
    struct lw_operands *operands = lw_operands_of(view);
    lw_text_free(&operands->note);
    for (int i = 0; i < LW_OPERANDS_MAX; i++)
        if (operands->has_opened[i])
            lw_subject_close(&operands->opened[i]);
}

/* ---- Positions ---- */

static bool has_row(const struct lw_operand *o, uint64_t row)
{
    return row >= o->row && row - o->row < o->rows;
}

static bool has_col(const struct lw_operand *o, uint64_t col)
{
    return col >= o->col && col - o->col < o->cols;
}

/* The element of a cell of an operand: the last dim runs across, the one before it is the fastest of those that run
 * down. */
static void element_at(const struct lw_operand *o, uint64_t row, uint64_t col, uint64_t *out)
{
    int last = o->subject ? o->subject->map.out.count - 1 : 1;
    for (int d = 0; d <= last; d++)
        out[d] = 0;
    out[o->turned ? 0 : last] = col;
    if (o->turned)
        out[last] = row;
    for (int d = last - 1; d >= 0 && !o->turned; d--) {
        uint64_t size = o->subject ? o->subject->map.out.dim[d].size : o->rows;
        out[d] = lw_remainder(row, size);
        row = lw_quotient(row, size);
    }
}

/* The operand of a cell, and its element there; NULL: the cell is empty. */
static const struct lw_operand *operand_at(const struct lw_view *view, uint64_t row, uint64_t col,
                                           uint64_t *out)
{
    const struct lw_operands *operands = lw_operands_of(view);
    for (int i = 0; i < operands->count; i++) {
        const struct lw_operand *o = &operands->all[i];
        if (!has_row(o, row) || !has_col(o, col))
            continue;
        element_at(o, row - o->row, col - o->col, out);
        return o;
    }
    return NULL;
}

/* "T2:1 is thread 2, register 1; A below left, B above right, C below right" */
void lw_operands_legend(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_operands *operands = lw_operands_of(view);
    if (operands->all[operands->own].cell)
        lw_put_cell_meaning(text, operands->all[operands->own].cell);
    lw_text_add(text, text->length ? "; " : "");
    for (int i = 0; i < operands->count; i++) {
        const struct lw_operand *one = &operands->all[i];
        bool above = one->row + one->rows < view->rows, left = one->col + one->cols < view->cols;
        lw_text_format(text, "%s%s", i ? ", " : "", one->name);
        if (one->row || above)
            lw_text_add(text, one->row ? " below" : " above");
        if (one->col || left)
            lw_text_add(text, one->col ? " right" : " left");
    }
}

const struct lw_subject *lw_operands_layout(const struct lw_view *view, int number,
                                            const char **name)
{
    const struct lw_operands *operands = lw_operands_of(view);
    int i = number ? number - 1 : operands->own;
    if (i < 0 || i >= operands->count)
        return NULL;
    *name = operands->all[i].name;
    return operands->all[i].memory ? NULL : operands->all[i].subject;
}

/* ---- Cells ---- */

void lw_operands_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                      struct lw_cell *cell)
{
    uint64_t out[LW_DIMS_MAX], in[LW_DIMS_MAX];
    struct lw_owners owners;
    const struct lw_operands *operands = lw_operands_of(view);
    const struct lw_operand *o = operand_at(view, row, col, out);
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (!o)
        return;
    if (!o->subject || o->memory) {
        cell->ink = LW_INK_FAINT;
        lw_text_add(text, "mem");
        return;
    }
    lw_owners_of(&owners, &o->subject->map, out);
    *cell = (struct lw_cell){.ink = LW_INK_HOLE, .owners = owners.count};
    if (!owners.count) {
        lw_text_add(text, LW_HOLE);
        return;
    }
    lw_owners_get(&owners, 0, in);
    cell->ink = o->color.kind == LW_FIELD_NONE && !view->shades ? LW_INK_PLAIN : LW_INK_INDEX;
    if (view->shades)
        cell->shade = operands->shade(view, (int)(o - operands->all), out);
    else if (o->color.kind != LW_FIELD_NONE)
        cell->shade = lw_cell_field_value(o->subject, o->color, in, out);
    lw_format_index(text, o->cell, o->subject, in, out);
    lw_text_add(text, owners.count > 1 ? "+" : "");
}

size_t lw_operands_width(const struct lw_view *view)
{
    const struct lw_operands *operands = lw_operands_of(view);
    size_t widest = 1;
    for (int i = 0; i < operands->count; i++) {
        const struct lw_operand *o = &operands->all[i];
        size_t width = strlen("mem");
        if (o->cell)
            width = lw_format_index_width(o->cell, o->subject) +
                    (lw_map_replication(&o->subject->map) > 1);
        widest = width > widest ? width : widest;
    }
    return widest;
}

bool lw_operands_part(const struct lw_view *view, int i, struct lw_view_part *part)
{
    const struct lw_operands *operands = lw_operands_of(view);
    if (i < 0 || i >= operands->count)
        return false;
    const struct lw_operand *o = &operands->all[i];
    *part = (struct lw_view_part){.name = o->name,
                                  .row = o->row,
                                  .col = o->col,
                                  .rows = o->rows,
                                  .cols = o->cols,
                                  .col_prefix = o->col_prefix,
                                  .memory = o->memory,
                                  .subject = o->subject};
    return true;
}

/* When operands share a row or a column its label is the number in the last one, the result; of a layout of more dims
 * than two "1,3". */
void lw_operands_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_operands *operands = lw_operands_of(view);
    uint64_t out[LW_DIMS_MAX];
    int i = operands->count - 1;
    while (i >= 0 && !has_row(&operands->all[i], row))
        i--;
    if (i < 0)
        return;
    const struct lw_operand *o = &operands->all[i];
    int last = o->subject ? o->subject->map.out.count - 1 : 1;
    lw_text_add(text, o->row_prefix);
    if (last < 2) {
        lw_text_number(text, row - o->row);
        return;
    }
    element_at(o, row - o->row, 0, out);
    for (int d = 0; d < last; d++)
        lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)out[d]);
}

void lw_operands_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    const struct lw_operands *operands = lw_operands_of(view);
    for (int i = operands->count - 1; i >= 0; i--)
        if (has_col(&operands->all[i], col)) {
            lw_text_add(text, operands->all[i].col_prefix);
            lw_text_number(text, col - operands->all[i].col);
            return;
        }
}

/* ---- Spots ---- */

bool lw_operands_spot(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    const struct lw_operands *operands = lw_operands_of(view);
    spot->has_out = spot->has_in = false;
    spot->operand = 0;
    const struct lw_operand *o = operand_at(view, row, col, spot->out);
    if (!o || !o->subject || o->memory)
        return false;
    int number = (int)(o - operands->all);
    spot->operand = number == operands->own ? 0 : number + 1;
    spot->has_out = true;
    spot->has_in = lw_map_owner(&o->subject->map, spot->out, 0, spot->in);
    return true;
}

bool lw_operands_find(const struct lw_view *view, const struct lw_spot *spot, uint64_t *row,
                      uint64_t *col)
{
    const struct lw_operands *operands = lw_operands_of(view);
    int i = spot->operand ? spot->operand - 1 : operands->own;
    uint64_t out[LW_DIMS_MAX] = {0};
    if (i < 0 || i >= operands->count || !operands->all[i].subject || operands->all[i].memory)
        return false;
    const struct lw_operand *o = &operands->all[i];
    const struct lw_map *map = &o->subject->map;
    if (spot->has_out)
        memcpy(out, spot->out, sizeof out);
    else if (!spot->has_in || !lw_map_apply(map, spot->in, out))
        return false;
    for (int d = 0; d < map->out.count; d++)
        if (out[d] >= map->out.dim[d].size)
            return false;
    const int last = map->out.count - 1;
    uint64_t down = 0; /* the row in the operand */
    for (int d = 0; d < last && !o->turned; d++)
        down = down * map->out.dim[d].size + out[d];
    *row = o->row + (o->turned ? out[last] : down);
    *col = o->col + out[o->turned ? 0 : last];
    return true;
}

void lw_operands_explain(const struct lw_view *view, uint64_t row, uint64_t col,
                         struct lw_explanation *explanation)
{
    struct lw_spot spot;
    const char *name;
    if (!lw_operands_spot(view, row, col, &spot))
        return;
    const struct lw_subject *subject = lw_operands_layout(view, spot.operand, &name);
    lw_explain(subject, &spot, explanation);
}
