/* Arranging panels. */

#include "export/figure/panel.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 24,    /* between panels */
    LEAST = 200, /* the width of a panel that has words, and of one alone */
    LEAST_ALONE = 336,
    AROUND = 24 /* the margins of the figure, left and right */
};

size_t lw_line_break(const char *words, size_t columns, size_t *skip)
{
    size_t length = 0, taken = 0, blank = 0;
    for (int bytes; words[length] && words[length] != '\n' && taken < columns;
         length += (size_t)bytes, taken++) {
        lw_text_decode(words + length, &bytes);
        if (words[length] == ' ' && taken > columns / 2)
            blank = length;
    }
    if (words[length] && !strchr(" \n", words[length]) && blank)
        length = blank;
    *skip = words[length] == ' ' || words[length] == '\n';
    return length;
}

static uint64_t height_of_words(const char *words, uint64_t width)
{
    uint64_t lines = 0;
    for (size_t skip; *words; lines++)
        words += lw_line_break(words, (size_t)width / LW_COLUMN, &skip) + skip;
    return lines * (LW_ROW - 4);
}

/* What is above the grid: the notation, the numbers of the view, the meaning of its axes and cells. */
static void put_head(struct lw_panel *panel)
{
    const struct lw_view *view = panel->view;
    struct lw_text *head = &panel->head;
    lw_fetch_head(view, &panel->options, lw_text_string(&panel->title), head);
    if (!panel->options.head || !view->type->axes)
        return;
    size_t before = head->length;
    lw_text_add(head, before ? "\n" : "");
    view->type->axes(view, head);
}

/* The ranges of the options are those of a view, where it has them. */
static bool set_ranges(struct lw_panel *panel, struct lw_error *err)
{
    struct lw_export_options *o = &panel->options;
    if (!o->row_to)
        o->row_to = panel->view->rows;
    if (!o->col_to)
        o->col_to = panel->view->cols;
    return (o->row_from < o->row_to && o->row_to <= panel->view->rows && o->col_from < o->col_to &&
            o->col_to <= panel->view->cols) ||
           lw_error_set(err, LW_ERROR_LIMIT, "a panel has %llu rows and %llu columns",
                        (unsigned long long)panel->view->rows,
                        (unsigned long long)panel->view->cols);
}

static bool make_panel(struct lw_panels *panels, size_t i, struct lw_error *err)
{
    struct lw_panel *panel = &panels->panel[i];
    const struct lw_view *view = panel->view;
    bool several = panels->count > 1;
    if (several)
        panel->options.title = NULL;
    if (panel->options.arrangement == LW_ARRANGE_PRODUCT)
        panel->options.no_fold = true; /* the columns of B are above those of C */
    if (!set_ranges(panel, err) ||
        !lw_highlight_read(&panel->highlight, view, panel->options.highlight, err) ||
        !lw_geometry_make(&panel->geometry, view, &panel->options, AROUND, err))
        return false;
    lw_text_add(&panel->title, lw_picture_title(view, &panel->options));
    put_head(panel);
    bool words = panel->title.length || panel->head.length;
    panel->width = panel->geometry.width;
    uint64_t least = several ? LEAST : LEAST_ALONE;
    if (words && panel->width < least)
        panel->width = least;
    panel->words = height_of_words(lw_text_string(&panel->title), panel->width) +
                   height_of_words(lw_text_string(&panel->head), panel->width);
    panel->words += words ? LW_PAD : 0;
    panel->height = panel->words + panel->geometry.total_height;
    lw_legend_join(&panels->legend, &panel->geometry.measure.legend);
    return true;
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

/* Side by side while there is room; their grids begin at one height. */
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
            x += p->width + GAP;
            words = p->words > words ? p->words : words;
        }
        for (size_t i = from; i < to; i++) {
            struct lw_panel *p = &panels->panel[i];
            p->y = y;
            p->height += words - p->words;
            p->words = words;
            height = p->height > height ? p->height : height;
        }
        y += height + GAP;
    }
}

/* A product: B above C, and A on the left of C, so that rows and columns continue. */
static void arrange_product(struct lw_panels *panels)
{
    struct lw_panel *a = &panels->panel[0], *b = &panels->panel[1], *c = &panels->panel[2];
    uint64_t words = a->words > c->words ? a->words : c->words;
    b->x = c->x = a->width + GAP;
    a->y = c->y = b->height + GAP;
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
                        "--arrange product: %llu x %llu times %llu x %llu is not %llu x %llu: "
                        "sizes m x k, k x n and m x n are needed",
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
                            "--arrange product is of three panels, A, B and C, not %zu",
                            panels->count);
    if (o->arrangement == LW_ARRANGE_PRODUCT && !is_product(panels, err))
        return false;
    if (o->arrangement == LW_ARRANGE_PRODUCT)
        arrange_product(panels);
    else if (o->arrangement == LW_ARRANGE_ROW)
        arrange_rows(panels, o->no_fold ? UINT64_MAX / 2 : width - AROUND);
    for (size_t i = 0; i < panels->count && o->arrangement == LW_ARRANGE_COLUMN; i++) {
        panels->panel[i].y = y;
        y += panels->panel[i].height + GAP;
    }
    take_room(panels);
    return true;
}

bool lw_panels_make(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err)
{
    *panels = (struct lw_panels){.count = count, .options = options};
    panels->panel = calloc(count, sizeof *panels->panel);
    bool good = panels->panel || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; good && i < count; i++) {
        panels->panel[i].view = views[i];
        panels->panel[i].options = *options;
        good = make_panel(panels, i, err);
    }
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

/* ---- Cells ---- */

/* Whether the cell's text is another one than that of the first panel's cell there. */
static bool differs(struct lw_panels *panels, struct lw_panel *panel, uint64_t row, uint64_t col)
{
    const struct lw_view *first = panels->panel[0].view;
    struct lw_text here = {0}, there = {0};
    if (row >= first->rows || col >= first->cols)
        return true;
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
    if (o->marked && o->marked(o->marked_context, panel->view, row, col))
        return true;
    return o->differences && panel != panels->panel && differs(panels, panel, row, col);
}

bool lw_panel_dims(struct lw_panel *panel, uint64_t row, uint64_t col)
{
    return panel->highlight.count && !lw_highlight_has(&panel->highlight, row, col);
}
