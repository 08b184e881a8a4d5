/* The words view: the layout as each system writes it, a line for each way, or why there are none. */

#include "view/view_parts.h"

#include <string.h>

/* What has been found; where the subject keeps none, it is found in `own`, which is then to be freed. */
static const struct lw_translation_table *translations_of(const struct lw_subject *subject,
                                                          struct lw_translation_table *own,
                                                          struct lw_error *err)
{
    struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                           subject->encoding};
    struct lw_translation_table *translations = subject->translations ? subject->translations : own;
    memset(own, 0, sizeof *own);
    return lw_translation_table_fill(translations, &request, err) ? translations : NULL;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    struct lw_translation_table own;
    const struct lw_translation_table *translations = translations_of(view->subject, &own, err);
    size_t widest = 1;
    for (int i = 0; translations && i < translations->count; i++) {
        size_t width = lw_text_width(translations->row[i].text);
        widest = width > widest ? width : widest;
    }
    view->rows = translations ? (uint64_t)translations->count : 0;
    view->cols = 1;
    view->page_rows = view->rows;
    view->work[0] = widest;
    lw_translation_table_free(&own);
    return translations;
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    struct lw_translation_table own;
    const struct lw_translation_table *translations = translations_of(view->subject, &own, NULL);
    (void)col;
    *cell = (struct lw_cell){.ink = LW_INK_FAINT};
    if (translations && row < (uint64_t)translations->count) {
        cell->ink = translations->row[row].remark ? LW_INK_FAINT : LW_INK_PLAIN;
        lw_text_add(text, translations->row[row].text);
    }
    lw_translation_table_free(&own);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    struct lw_translation_table own;
    const struct lw_translation_table *translations = translations_of(view->subject, &own, NULL);
    if (translations && row < (uint64_t)translations->count && translations->row[row].first)
        lw_text_add(text, translations->row[row].system->name);
    lw_translation_table_free(&own);
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
    struct lw_translation_table own;
    const struct lw_translation_table *translations = translations_of(view->subject, &own, NULL);
    (void)col;
    if (translations && row < (uint64_t)translations->count) {
        lw_text_add(lw_explanation_line(explanation, "in words of"),
                    translations->row[row].system->title);
        lw_text_add(
            lw_explanation_line(explanation, translations->row[row].remark ? "remark" : "they are"),
            translations->row[row].text);
    }
    lw_translation_table_free(&own);
}

const struct lw_view_type lw_view_notation = {
    .name = "words",
    .title = "Words",
    .key = '9',
    .help = "the layout as each system writes it",
    .fits_all = true,
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .explain = explain,
};
