/* The notation view: the layout in the notation of each system, a line for each way to write it, or why there
 * is none. */

#include "view/view_parts.h"

#include <string.h>

struct notation {
    struct lw_view_state shared;
    struct lw_translation_table own; /* used when the subject keeps none */
    size_t widest;
};

static struct notation *notation_of(const struct lw_view *view)
{
    return (struct notation *)view->state;
}

static struct lw_translation_table *table_of(const struct lw_view *view)
{
    struct lw_translation_table *kept = view->subject->translations;
    return kept ? kept : &notation_of(view)->own;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_subject *subject = view->subject;
    struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                           subject->encoding};
    if (!lw_translation_table_fill(table_of(view), &request, err))
        return false;
    view->rows = view->page_rows = (uint64_t)table_of(view)->count;
    view->cols = 1;
    notation_of(view)->widest = lw_widest_cell(view);
    return true;
}

static void close_view(struct lw_view *view)
{
    lw_translation_table_free(&notation_of(view)->own);
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    (void)col;
    *cell = (struct lw_cell){.ink = table_of(view)->row[row].remark ? LW_INK_FAINT : LW_INK_PLAIN};
    lw_text_add(text, table_of(view)->row[row].text);
}

static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    if (table_of(view)->row[row].first)
        lw_text_add(text, table_of(view)->row[row].system->name);
}

static size_t width(const struct lw_view *view)
{
    return notation_of(view)->widest;
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    bool remark = table_of(view)->row[row].remark;
    (void)col;
    lw_text_add(lw_explanation_line(explanation, "notation of"),
                table_of(view)->row[row].system->title);
    lw_text_add(lw_explanation_line(explanation, remark ? "remark" : "text"),
                table_of(view)->row[row].text);
    if (!view->subject->tensor.element.name[0] && strstr(table_of(view)->row[row].text, "xf32"))
        lw_text_add(lw_explanation_line(explanation, "assumed"),
                    "the element, as none is set: f32");
}

const struct lw_view_type lw_view_notation = {
    .name = "notation",
    .old_name = "words",
    .title = "Notation",
    .key = '9',
    .help = "the layout in the notation of each system",
    .fits_all = true,
    .state_size = sizeof(struct notation),
    .prose = true,
    .open = open_view,
    .arrange = lw_view_stays,
    .close = close_view,
    .cell = cell_of,
    .row_label = row_label,
    .columns = (const char *const[]){"notation"},
    .col_label = lw_view_put_column,
    .width = width,
    .explain = explain,
};
