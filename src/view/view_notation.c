/* The words view: the layout as each system writes it, a line for each way, or why there are none. */

#include "view/view_parts.h"

#include <string.h>

/* What has been found; where the subject keeps none, it is found in `own`, which is then to be freed. */
static const struct lw_words_sheet *sheet_of(const struct lw_subject *subject,
                                             struct lw_words_sheet *own, struct lw_error *err)
{
    struct lw_wording wording = {&subject->map, &subject->tensor, subject->lanes,
                                 subject->encoding};
    struct lw_words_sheet *sheet = subject->words ? subject->words : own;
    memset(own, 0, sizeof *own);
    return lw_words_sheet_fill(sheet, &wording, err) ? sheet : NULL;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    struct lw_words_sheet own;
    const struct lw_words_sheet *sheet = sheet_of(view->subject, &own, err);
    size_t widest = 1;
    for (int i = 0; sheet && i < sheet->count; i++) {
        size_t width = lw_text_width(sheet->row[i].text);
        widest = width > widest ? width : widest;
    }
    view->rows = sheet ? (uint64_t)sheet->count : 0;
    view->cols = 1;
    view->page_rows = view->rows;
    view->work[0] = widest;
    lw_words_sheet_free(&own);
    return sheet;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    struct lw_words_sheet own;
    const struct lw_words_sheet *sheet = sheet_of(view->subject, &own, NULL);
    (void)col;
    *cell = (struct lw_cell){.ink = LW_INK_FAINT};
    if (sheet && row < (uint64_t)sheet->count) {
        cell->ink = sheet->row[row].remark ? LW_INK_FAINT : LW_INK_PLAIN;
        lw_text_add(text, sheet->row[row].text);
    }
    lw_words_sheet_free(&own);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    struct lw_words_sheet own;
    const struct lw_words_sheet *sheet = sheet_of(view->subject, &own, NULL);
    if (sheet && row < (uint64_t)sheet->count && sheet->row[row].first)
        lw_text_add(text, sheet->row[row].system->name);
    lw_words_sheet_free(&own);
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    (void)view;
    (void)col;
    lw_text_add(text, "words");
}

static size_t width(const struct lw_view *view)
{
    return (size_t)view->work[0];
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    struct lw_words_sheet own;
    const struct lw_words_sheet *sheet = sheet_of(view->subject, &own, NULL);
    (void)col;
    if (sheet && row < (uint64_t)sheet->count) {
        lw_text_add(lw_explanation_line(explanation, "in words of"), sheet->row[row].system->title);
        lw_text_add(
            lw_explanation_line(explanation, sheet->row[row].remark ? "remark" : "they are"),
            sheet->row[row].text);
    }
    lw_words_sheet_free(&own);
}

const struct lw_view_type lw_view_words = {
    .name = "words",
    .title = "Words",
    .key = '9',
    .help = "the layout as each system writes it",
    .of_all = true,
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .explain = explain,
};
