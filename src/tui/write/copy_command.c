/* The command line that prints the active view: its SOURCE, what is chosen of the view, and the marks. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"
#include "export/figure/highlight.h"
#include "view/view_parts.h"

#include <string.h>

/* Appends a word, in quotes if the shell needs them. */
static void put_quoted(struct lw_text *text, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
    if (*word && strspn(word, plain) == strlen(word)) {
        lw_text_add(text, word);
        return;
    }
    lw_text_char(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            lw_text_add(text, "'\\''");
        else
            lw_text_char(text, *word);
    lw_text_char(text, '\'');
}

/* Appends the layout of the active pane, as a SOURCE. */
static void put_source(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                       struct lw_text *text)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    const struct lw_document *doc = lw_explorer_document(ex);
    bool other = pane->shown.other;
    const bool named = !entry->dirty && (!entry->own || lw_gallery_find(entry->source, NULL));
    struct lw_document one;
    enum lw_side side = pane->shown.side;
    if (side != doc->side && lw_document_has(doc, side) && !lw_pane_is_of_both(pane)) {
        lw_document_side(&one, doc, side);
        one.notation = LW_NOTATION_MLIR;
        lw_document_source(text, &one);
    } else if (other && ex->compare.source[0]) {
        lw_text_add(text, ex->compare.source);
    } else if (!other && named && lw_options_keep_sources(ex)) {
        lw_text_add(text, entry->source);
    } else if (lw_document_expression(doc) && !doc->tensor.element.name[0]) {
        lw_text_add(text, lw_document_expression(doc)); /* with the operands */
    } else {
        lw_document_put_source(text, doc);
    }
}

static void put_range(struct lw_text *text, const char *option, uint64_t from, uint64_t to)
{
    lw_text_format(text, " --%s %llu:%llu", option, (unsigned long long)from,
                   (unsigned long long)to);
}

/* Whether the selected cells, or all, have a cell of a query. Of very many all have one, as the mark is not dead, and
 * selected ones are taken to have none. */
static bool shows_query(const struct lw_view *view, const struct lw_export_options *options,
                        const char *query)
{
    enum { CELLS_MAX = 1 << 16 };
    struct lw_error ignored = {0};
    struct lw_export_options only = {.highlight = query,
                                     .row_from = options->row_from,
                                     .row_to = options->row_to,
                                     .col_from = options->col_from,
                                     .col_to = options->col_to};
    struct lw_highlight highlight;
    uint64_t rows = (only.row_to ? only.row_to : view->rows) - only.row_from;
    uint64_t cols = (only.col_to ? only.col_to : view->cols) - only.col_from;
    if (cols && rows > CELLS_MAX / cols)
        return !only.row_to && lw_highlight_read(&highlight, view, query, NULL) &&
               !highlight.why[0];
    return lw_highlight_check(&view, 1, &only, &ignored);
}

/* Appends the marks as --highlight reads them, "t17 | 3,5", if they are of cells that the command writes and it can
 * read so many; returns how many they are. */
static size_t put_marks(const struct lw_explorer *ex, const struct lw_view *view,
                        const struct lw_export_options *options, struct lw_text *text)
{
    struct lw_text mark = {0};
    size_t count = 0;
    for (size_t i = 0; i < ex->marks.count && lw_pane_is_picture(ex->panes.active); i++) {
        lw_text_clear(&mark);
        if (!lw_mark_put_highlight(ex, i, ex->panes.active, &mark) ||
            !shows_query(view, options, lw_text_string(&mark)))
            continue;
        const size_t before = text->length;
        lw_text_format(text, "%s%s", count ? " | " : "", lw_text_string(&mark));
        count++;
        if (shows_query(view, options, lw_text_string(text)))
            continue;
        lw_text_cut(text, before);
        count--;
    }
    text->failed = text->failed || mark.failed;
    lw_text_free(&mark);
    return count;
}

/* Appends what is lit while the rest is dimmed, if it is a number of a field: "lane=9". */
static bool put_lit(const struct lw_explorer *ex, const struct lw_view *view,
                    const struct lw_export_options *options, struct lw_text *text)
{
    struct lw_follow lit;
    lw_copy_lit(ex, &lit);
    if (!lit.on || lit.parts)
        return false;
    const size_t before = text->length;
    lw_text_format(text, "%s%s=%llu", before ? " | " : "", lit.name, (unsigned long long)lit.value);
    if (shows_query(view, options, lw_text_string(text)))
        return true;
    lw_text_cut(text, before);
    return false;
}

/* Appends the instruction and the wavefront of a player, or the accesses that are shown. */
static void put_access(const struct lw_view_options *options, struct lw_text *text)
{
    if (options->access != LW_VIEW_BOTH)
        lw_text_format(text, " --op %s", options->access == LW_VIEW_LOAD ? "load" : "store");
    if (options->instruction)
        lw_text_format(text, " --instruction %llu", (unsigned long long)options->instruction);
    if (options->instruction && options->wavefront)
        lw_text_format(text, " --wavefront %u", options->wavefront);
}

/* Appends what is of the view that the command writes; returns how many marks it has. */
static size_t put_view(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_copy_format format;
    struct lw_export_options options;
    struct lw_view view = {0};
    struct lw_text marks = {0};
    size_t count = 0;
    bool opened = lw_copy_pane(pane, &view, &format, &options, NULL);
    if (opened && format.cell && (pane->view.type->formatted || pane->view.type->spots)) {
        lw_text_add(text, " --cell ");
        put_quoted(text, format.cell);
    }
    if (pane->view.options.wrap &&
        pane->view.options.wrap < pane->view.subject->map.out.dim[0].size)
        lw_text_format(text, " --wrap %llu", (unsigned long long)pane->view.options.wrap);
    if (pane->view.options.across > 1)
        lw_text_format(text, " --across %llu", (unsigned long long)pane->view.options.across);
    if (pane->view.type->heat)
        put_access(&pane->view.options, text);
    if (opened && pane->ranged) {
        put_range(text, "rows", options.row_from, options.row_to);
        put_range(text, "cols", options.col_from, options.col_to);
    }
    count = opened ? put_marks(ex, &view, &options, &marks) : 0;
    bool lit = opened && put_lit(ex, &view, &options, &marks);
    if (count || lit) {
        lw_text_add(text, " --highlight ");
        put_quoted(text, lw_text_string(&marks));
        lw_text_add(text, lit ? "" : " --no-dim");
    }
    text->failed = text->failed || marks.failed;
    lw_text_free(&marks);
    if (opened)
        lw_view_close(&view);
    return count;
}

size_t lw_put_command(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_text source = {0};
    put_source(ex, pane, &source);
    lw_text_add(text, "laneway show ");
    put_quoted(text, lw_text_string(&source));
    lw_text_format(text, " --view %s", pane->view.type->name);
    if (pane->view.options.color_by)
        lw_text_format(text, " --color-by %s", pane->view.options.color_by);
    const struct lw_hardware *target = lw_explorer_target(ex);
    const char *name = target ? lw_target_path(target) : NULL;
    if (!name && target && lw_hardware_find(target->name) == target)
        name = target->name;
    if (name) {
        lw_text_add(text, " --target ");
        put_quoted(text, name);
    }
    lw_text_free(&source);
    return ex->marks.count - put_view(ex, text);
}
