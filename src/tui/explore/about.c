/* The facts of the cell under the cursor, in lines for the inspector and for the page about the layout. */

#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "view/view_parts.h"

/* Whether the explanation of a cell is only that of its spot. */
static bool explains_spots(const struct lw_view_type *type)
{
    return !type->explain || (type->layout && !type->belongs);
}

void lw_explain_cursor(struct lw_explorer *ex, size_t columns)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_spot spot;
    const char *name;
    ex->panes.explanation.count = 0;
    (void)columns;
    if (pane->has_view && explains_spots(pane->view.type) && lw_spot_is_here(ex))
        lw_explain(lw_view_layout(&pane->view, ex->panes.spot.operand, &name), &ex->panes.spot,
                   &ex->panes.explanation);
    else if (pane->has_view)
        lw_view_explain(&pane->view, pane->row, pane->col, &ex->panes.explanation);
    if (pane->has_view && pane->view.type->explain_thread && lw_pane_spot(ex, pane, &spot))
        pane->view.type->explain_thread(&pane->view, lw_spot_is_here(ex) ? &ex->panes.spot : &spot,
                                        &ex->panes.explanation);
    if (pane->has_view && pane->view.type->spot &&
        (explains_spots(pane->view.type)
             ? lw_pane_spot(ex, pane, &spot)
             : pane->view.type->spot(&pane->view, pane->row, pane->col, &spot)))
        lw_compare_explain(ex, &spot, &ex->panes.explanation);
    lw_better_follow(ex);
}

/* The encoding of the layout of a document that is chosen in the active pane. */
static const struct lw_encoding *chosen_encoding(const struct lw_explorer *ex,
                                                 const struct lw_document *doc)
{
    const enum lw_side side = ex->panes.active->shown.side;
    struct lw_document one;
    if (!lw_document_has(doc, side))
        return doc->encoding;
    lw_document_side(&one, doc, side);
    return one.encoding;
}

void lw_page_about(struct lw_explorer *ex, int unused)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_text text = {0};
    (void)unused;
    if (!entry->loaded)
        return;
    lw_explain_cursor(ex, 0);
    for (int i = 0; i < ex->panes.explanation.count; i++)
        lw_text_row(&text, ex->panes.explanation.line[i].label, 12,
                    lw_text_string(&ex->panes.explanation.line[i].text));
    if (ex->panes.explanation.count)
        lw_text_char(&text, '\n');
    const struct lw_document *doc = lw_explorer_document(ex);
    if (doc->title[0])
        lw_text_format(&text, "%s\n\n", doc->title);
    if (doc->about[0]) {
        if (entry->dirty && doc == entry->doc)
            lw_text_add(&text, "The text describes the layout before the edits:\n");
        lw_text_paragraphs(&text, doc->about);
        lw_text_char(&text, '\n');
    }
    struct lw_text source = {0};
    lw_document_put_source(&source, doc);
    lw_text_add(&text, "Source:\n  ");
    lw_text_wrap(&text, lw_text_string(&source), 4, 2);
    lw_text_free(&source);
    lw_text_char(&text, '\n');
    lw_encoding_help(&text, chosen_encoding(ex, doc)->type);
    lw_explain_cursor(ex, lw_inspector_columns(ex));
    lw_page_open(ex, "About", lw_text_string(&text));
    lw_text_free(&text);
}
