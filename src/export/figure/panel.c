/* Arranging panels. */

#include "export/figure/panel.h"

#include <stdlib.h>
#include <string.h>

static uint64_t height_of_words(const char *words, uint64_t width)
{
    uint64_t lines = 0;
    for (size_t skip; *words; lines++)
        words += lw_line_break(words, (size_t)width / LW_COLUMN, &skip) + skip;
    return lines * (LW_ROW - 4);
}

bool lw_panels_repeat(const struct lw_panels *panels, const struct lw_panel *panel)
{
    return panel != panels->panel && panel->view->subject == panels->panel->view->subject &&
           panel->options.arrangement != LW_ARRANGE_FRAMES;
}

void lw_panel_meaning(const struct lw_panel *panel, struct lw_text *text)
{
    const struct lw_view *view = panel->view;
    struct lw_text letters = {0};
    lw_fetch_meaning(view, &panel->options, text);
    if (view == &panel->brief && view->type->letters)
        view->type->letters(view, &letters);
    if (letters.length)
        lw_text_format(text, "%s%s", text->length ? "; " : "", lw_text_string(&letters));
    if (view == &panel->brief && panel->geometry.measure.legend.shared)
        lw_text_format(text, "%sof several owners the first", text->length ? "; " : "");
    if (!panel->geometry.lines && !panel->options.cell_size)
        lw_text_format(text, "%stexts of cells left out", text->length ? "; " : "");
    text->failed = text->failed || letters.failed;
    lw_text_free(&letters);
}

/* Sets the text above the grid: the notation, the numbers of the view, the meaning of its axes and cells. */
static void put_head(const struct lw_panels *panels, struct lw_panel *panel)
{
    const struct lw_view *view = panel->view;
    struct lw_text meaning = {0};
    if (!panel->options.head)
        return;
    if (!lw_panels_repeat(panels, panel))
        lw_view_figure_head(view, &panel->head);
    if (!strcmp(lw_text_string(&panel->head), lw_text_string(&panel->title)))
        lw_text_clear(&panel->head);
    lw_text_add(&panel->head, panel->head.length && view->type->caption ? "\n" : "");
    if (view->type->caption)
        view->type->caption(view, &panel->head);
    lw_panel_meaning(panel, &meaning);
    lw_text_add(&panel->head, panel->head.length && meaning.length ? "\n" : "");
    lw_text_add(&panel->head, lw_text_string(&meaning));
    lw_text_free(&meaning);
}

/* Title i of "A|B|C"; "" where there is none. */
static void own_title(struct lw_text *text, const char *titles, size_t i)
{
    for (; titles && i; i--) {
        titles = strchr(titles, '|');
        titles += titles != NULL;
    }
    lw_text_bytes(text, titles ? titles : "", titles ? strcspn(titles, "|") : 0);
}

/* Sets the title of a panel: its own, else that of its document, or the view's name when the panel is another view of
 * the first panel's layout; the panels of a product are A, B and C. */
static void put_title(struct lw_panels *panels, size_t i)
{
    static const char *const letters[] = {"A", "B", "C"};
    struct lw_panel *panel = &panels->panel[i];
    const char *title = panel->view->subject->title;
    title = title ? title : "";
    if (panels->count > 1)
        panel->options.title = NULL;
    own_title(&panel->title, panel->options.titles, i);
    if (panel->title.length || !(panel->options.head || panel->options.title))
        return;
    if (panels->count > 1 && panel->options.arrangement == LW_ARRANGE_PRODUCT)
        lw_text_format(&panel->title, "%s%s%s", letters[i % 3], *title ? ": " : "", title);
    else if (lw_panels_repeat(panels, panel))
        lw_text_add(&panel->title, panel->view->type->title);
    else
        lw_text_add(&panel->title, lw_picture_title(panel->view, &panel->options));
}

/* Sets the texts of a panel and its size. */
static void complete_panel(struct lw_panels *panels, size_t i)
{
    struct lw_panel *panel = &panels->panel[i];
    put_title(panels, i);
    put_head(panels, panel);
    bool words = panel->title.length || panel->head.length;
    panel->width = panel->geometry.width;
    uint64_t least = lw_panels_least(panels);
    if (words && panel->width < least)
        panel->width = least;
    panel->words = height_of_words(lw_text_string(&panel->title), panel->width) +
                   height_of_words(lw_text_string(&panel->head), panel->width);
    panel->words += words ? LW_PAD : 0;
    panel->height = panel->words + panel->geometry.total_height;
    lw_legend_join(&panels->legend, &panel->geometry.measure.legend);
}

/* ---- Arranging ---- */

static void take_room(struct lw_panels *panels)
{
    panels->width = panels->height = 0;
    for (size_t i = 0; i < panels->count; i++) {
        const struct lw_panel *p = &panels->panel[i];
        if (p->x + p->width > panels->width)
            panels->width = p->x + p->width;
        if (p->y + p->height > panels->height)
            panels->height = p->y + p->height;
    }
}

/* Arranges panels side by side while there is room; their grids begin at the same height. */
static void arrange_rows(struct lw_panels *panels, uint64_t room)
{
    uint64_t y = 0;
    for (size_t from = 0, to; from < panels->count; from = to) {
        uint64_t x = 0, words = 0, height = 0;
        for (to = from; to < panels->count; to++) {
            struct lw_panel *p = &panels->panel[to];
            if (to > from && x + p->width > room)
                break;
            p->x = x;
            x += p->width + LW_PANEL_GAP;
            words = p->words > words ? p->words : words;
        }
        for (size_t i = from; i < to; i++) {
            struct lw_panel *p = &panels->panel[i];
            p->y = y;
            p->height += words - p->words;
            p->words = words;
            height = p->height > height ? p->height : height;
        }
        y += height + LW_PANEL_GAP;
    }
}

/* Arranges a product: B above C, and A on the left of C, so that rows and columns continue. */
static void arrange_product(struct lw_panels *panels)
{
    struct lw_panel *a = &panels->panel[0], *b = &panels->panel[1], *c = &panels->panel[2];
    uint64_t words = a->words > c->words ? a->words : c->words;
    b->x = c->x = a->width + LW_PANEL_GAP;
    a->y = c->y = b->height + LW_PANEL_GAP;
    a->height += words - a->words;
    c->height += words - c->words;
    a->words = c->words = words;
}

/* Whether the grids are m x k, k x n and m x n. */
static bool is_product(const struct lw_panels *panels, struct lw_error *err)
{
    const struct lw_view *a = panels->panel[0].view, *b = panels->panel[1].view;
    const struct lw_view *c = panels->panel[2].view;
    return (a->rows == c->rows && b->cols == c->cols && a->cols == b->rows) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "--arrange product: %llu x %llu times %llu x %llu is not %llu x %llu: the "
                        "sizes must be m x k, k x n and m x n",
                        (unsigned long long)a->rows, (unsigned long long)a->cols,
                        (unsigned long long)b->rows, (unsigned long long)b->cols,
                        (unsigned long long)c->rows, (unsigned long long)c->cols);
}

static bool arrange(struct lw_panels *panels, struct lw_error *err)
{
    const struct lw_export_options *o = panels->options;
    uint64_t width = o->width ? o->width : LW_FIGURE_WIDTH, y = 0;
    if (o->arrangement == LW_ARRANGE_PRODUCT && panels->count != 3)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--arrange product needs three panels, A, B and C, not %zu",
                            panels->count);
    if (o->arrangement == LW_ARRANGE_PRODUCT && !is_product(panels, err))
        return false;
    if (o->arrangement == LW_ARRANGE_PRODUCT)
        arrange_product(panels);
    else if (o->arrangement == LW_ARRANGE_AUTO || o->arrangement == LW_ARRANGE_ROW)
        arrange_rows(panels, o->no_fold || o->arrangement == LW_ARRANGE_ROW
                                 ? UINT64_MAX / 2
                                 : width - LW_PANEL_AROUND);
    for (size_t i = 0; i < panels->count && o->arrangement == LW_ARRANGE_COLUMN; i++) {
        panels->panel[i].y = y;
        y += panels->panel[i].height + LW_PANEL_GAP;
    }
    take_room(panels);
    return true;
}

/* Fails unless panels can be compared cell by cell, at the same positions. */
static bool check_differences(const struct lw_panels *panels, struct lw_error *err)
{
    const struct lw_view *first = panels->panel[0].view;
    for (size_t i = 1; panels->options->differences && i < panels->count; i++) {
        const struct lw_view *view = panels->panel[i].view;
        if (view->rows != first->rows || view->cols != first->cols)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "--differences: panel %zu is %llu x %llu, the first one %llu x "
                                "%llu: their sizes must be equal",
                                i + 1, (unsigned long long)view->rows,
                                (unsigned long long)view->cols, (unsigned long long)first->rows,
                                (unsigned long long)first->cols);
    }
    return true;
}

static bool check_titles(const struct lw_panels *panels, struct lw_error *err)
{
    const char *titles = panels->options->titles;
    size_t count = 1;
    for (const char *c = titles ? titles : ""; *c; c++)
        count += *c == '|';
    return !titles || count == panels->count ||
           lw_error_set(err, LW_ERROR_SYNTAX, "--titles '%.60s': %zu titles for %zu panel%s",
                        titles, count, panels->count, panels->count == 1 ? "" : "s");
}

bool lw_panels_make(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err)
{
    *panels = (struct lw_panels){.count = count, .options = options};
    panels->panel = calloc(count, sizeof *panels->panel);
    bool good = panels->panel || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; good && i < count; i++) {
        panels->panel[i].view = panels->panel[i].given = views[i];
        panels->panel[i].options = *options;
    }
    good = good && lw_panels_measure(panels, err);
    good = good && check_titles(panels, err) && check_differences(panels, err);
    good = good && lw_panels_match(panels, err);
    for (size_t i = 0; good && i < count; i++)
        complete_panel(panels, i);
    good = good && arrange(panels, err);
    if (!good)
        lw_panels_free(panels);
    return good;
}

void lw_panels_free(struct lw_panels *panels)
{
    for (size_t i = 0; panels->panel && i < panels->count; i++) {
        lw_text_free(&panels->panel[i].title);
        lw_text_free(&panels->panel[i].head);
    }
    free(panels->panel);
    panels->panel = NULL;
}

/* ---- Legends ---- */

static const char *legend_name(const struct lw_panel *panel)
{
    const char *name = lw_legend_title(&panel->geometry.measure.legend, panel->view);
    return name ? name : "";
}

bool lw_panels_legend(const struct lw_panels *panels, size_t i, struct lw_legend *legend)
{
    const struct lw_panel *panel = panels->panel;
    const char *name = legend_name(&panel[i]);
    for (size_t k = 0; k < i; k++)
        if (!strcmp(legend_name(&panel[k]), name))
            return false;
    *legend = panel[i].geometry.measure.legend;
    for (size_t k = i + 1; k < panels->count; k++)
        if (!strcmp(legend_name(&panel[k]), name))
            lw_legend_join(legend, &panel[k].geometry.measure.legend);
    return true;
}

/* ---- Cells ---- */

/* Whether the cell's text differs from that of the first panel's cell at the same position. */
static bool differs(struct lw_panels *panels, struct lw_panel *panel, uint64_t row, uint64_t col)
{
    const struct lw_view *first = panels->panel[0].view;
    struct lw_text here = {0}, there = {0};
    lw_fetch_cell(panel->view, row, col, &here, NULL);
    lw_fetch_cell(first, row, col, &there, NULL);
    bool other = strcmp(lw_text_string(&here), lw_text_string(&there)) != 0;
    lw_text_free(&here);
    lw_text_free(&there);
    return other;
}

bool lw_panel_marks(struct lw_panels *panels, struct lw_panel *panel, uint64_t row, uint64_t col)
{
    const struct lw_export_options *o = &panel->options;
    if (panel->highlight.count && lw_highlight_has(&panel->highlight, row, col))
        return true;
    if (o->marked && o->marked(o->marked_context, panel->given, row, col))
        return true;
    return o->differences && panel != panels->panel && differs(panels, panel, row, col);
}

bool lw_panel_dims(struct lw_panel *panel, uint64_t row, uint64_t col)
{
    return panel->highlight.count && !panel->options.no_dim &&
           !lw_highlight_has(&panel->highlight, row, col);
}
