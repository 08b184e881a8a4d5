/* Panels: what is drawn of each view. */

#include "export/figure/panel.h"

#include <stdlib.h>
#include <string.h>

/* ---- Opening ---- */

/* Sets the title of a panel: its own, of "A|B|C", else that of its document, or the view's name when the panel is
 * another view of the first panel's layout; the panels of a product are A, B and C. */
static void put_title(struct lw_panels *panels, size_t i)
{
    static const char *const letters[] = {"A", "B", "C"};
    struct lw_panel *panel = &panels->panel[i];
    const char *title = panel->view->subject->title, *own = panel->options.titles;
    title = title ? title : "";
    if (panels->count > 1)
        panel->options.title = NULL;
    for (size_t k = i; own && k; k--) {
        own = strchr(own, '|');
        own += own != NULL;
    }
    lw_text_bytes(&panel->title, own ? own : "", own ? strcspn(own, "|") : 0);
    if (panel->title.length || !(panel->options.head || panel->options.title))
        return;
    if (panels->count > 1 && panel->options.arrangement == LW_ARRANGE_PRODUCT)
        lw_text_format(&panel->title, "%s%s%s", letters[i % 3], *title ? ": " : "", title);
    else
        lw_text_add(&panel->title, panel->repeats ? panel->view->type->title
                                                  : lw_picture_title(panel->view, &panel->options));
}

/* The legend of that title, "" of one without. */
static struct lw_panel_legend *legend_of(struct lw_panels *panels, const struct lw_view *view,
                                         const char *title)
{
    struct lw_panel_legend *one = panels->legend;
    while (one < panels->legend + panels->legend_count && strcmp(one->title, title) != 0)
        one++;
    if (one == panels->legend + panels->legend_count) {
        *one = (struct lw_panel_legend){.title = title, .view = view};
        panels->legend_count++;
    }
    return one;
}

/* Sets the ranges of a panel, those of the options, its title, its highlight and its legend. */
static bool open_panel(struct lw_panels *panels, size_t i, const struct lw_view *view,
                       struct lw_error *err)
{
    struct lw_panel *panel = &panels->panel[i];
    struct lw_export_options *o = &panel->options;
    struct lw_text text = {0};
    panel->view = view;
    *o = *panels->options;
    panel->repeats =
        i && view->subject == panels->panel->view->subject && o->arrangement != LW_ARRANGE_FRAMES;
    put_title(panels, i);
    o->row_to = o->row_to ? o->row_to : view->rows;
    o->col_to = o->col_to ? o->col_to : view->cols;
    if (!lw_highlight_mark(&panel->highlight, view, o, err))
        return false;
    struct lw_panel_legend *first = NULL;
    struct lw_legend plain = {0}; /* colours that are no index and no level: in the first legend */
    for (uint64_t row = o->row_from; row < o->row_to; row++)
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            struct lw_cell cell = {0};
            lw_text_clear(&text);
            view->type->cell(view, row, col, &text, &cell);
            if (lw_palette_class(&cell) < LW_CLASS_INKS) {
                lw_legend_add(&plain, &cell);
                continue;
            }
            const char *field = lw_palette_class(&cell) >= LW_CLASS_RAMP ? view->type->heat
                                : cell.ink == LW_INK_DIM                 ? "bits of"
                                                                         : view->color;
            struct lw_panel_legend *own = legend_of(panels, view, field ? field : "");
            lw_legend_add(&own->legend, &cell);
            first = first ? first : own;
        }
    first = first ? first : legend_of(panels, view, "");
    for (unsigned class = 0; class < LW_CLASS_INKS; class ++)
        first->legend.seen[class] = first->legend.seen[class] || plain.seen[class];
    bool failed = text.failed;
    lw_text_free(&text);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* Fails unless there is a title for each panel, panels whose differences are marked can be compared cell by cell, and
 * the grids of a product are m x k, k x n and m x n. */
static bool check(const struct lw_panels *panels, struct lw_error *err)
{
    const char *titles = panels->options->titles;
    const struct lw_view *first = panels->panel->view;
    size_t count = 1;
    for (const char *c = titles ? titles : ""; *c; c++)
        count += *c == '|';
    if (titles && count != panels->count)
        return lw_error_set(err, LW_ERROR_SYNTAX, "--titles '%.60s': %zu titles for %zu panel%s",
                            titles, count, panels->count, panels->count == 1 ? "" : "s");
    for (size_t i = 1; panels->options->differences && i < panels->count; i++) {
        const struct lw_view *view = panels->panel[i].view;
        if (view->rows != first->rows || view->cols != first->cols)
            return lw_error_set(err, LW_ERROR_SHAPE,
                                "--differences: panel %zu has another size than the first one",
                                i + 1);
    }
    if (panels->options->arrangement != LW_ARRANGE_PRODUCT)
        return true;
    if (panels->count != 3)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--arrange product needs three panels, A, B and C, not %zu",
                            panels->count);
    const struct lw_view *a = first, *b = panels->panel[1].view, *c = panels->panel[2].view;
    return (a->rows == c->rows && b->cols == c->cols && a->cols == b->rows) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "--arrange product: the sizes of panels must be m x k, k x n and m x n");
}

bool lw_panels_open(struct lw_panels *panels, const struct lw_view *const *views, size_t count,
                    const struct lw_export_options *options, struct lw_error *err)
{
    *panels = (struct lw_panels){.count = count, .options = options};
    panels->panel = calloc(count, sizeof *panels->panel);
    panels->legend = calloc(3 * count, sizeof *panels->legend);
    bool good =
        (panels->panel && panels->legend) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; good && i < count; i++)
        good = open_panel(panels, i, views[i], err);
    good = good && check(panels, err);
    if (!good)
        lw_panels_free(panels);
    return good;
}

void lw_panels_free(struct lw_panels *panels)
{
    for (size_t i = 0; panels->panel && i < panels->count; i++)
        lw_text_free(&panels->panel[i].title);
    free(panels->panel);
    free(panels->legend);
    panels->panel = NULL;
    panels->legend = NULL;
}

bool lw_panels_move(const struct lw_panels *panels)
{
    return panels->options->arrangement == LW_ARRANGE_FRAMES && panels->count > 1;
}

uint64_t lw_panels_cells(const struct lw_panels *panels)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < panels->count; i++) {
        const struct lw_export_options *o = &panels->panel[i].options;
        cells += (o->row_to - o->row_from) * (o->col_to - o->col_from);
    }
    return cells;
}

/* ---- Cells ---- */

bool lw_panel_marks(const struct lw_panels *panels, struct lw_panel *panel, uint64_t row,
                    uint64_t col)
{
    const struct lw_export_options *o = &panel->options;
    struct lw_text here = {0}, there = {0};
    bool marked = o->marked && o->marked(o->marked_context, panel->view, row, col);
    if (!marked && o->differences && panel != panels->panel) {
        lw_fetch_cell(panel->view, row, col, &here, NULL);
        lw_fetch_cell(panels->panel->view, row, col, &there, NULL);
        marked = strcmp(lw_text_string(&here), lw_text_string(&there)) != 0;
    }
    lw_text_free(&here);
    lw_text_free(&there);
    return marked;
}

bool lw_panel_is_outside(const struct lw_panel *panel, uint64_t row, uint64_t col,
                         const struct lw_text *text)
{
    struct lw_spot spot;
    return panel->view->seam_cols && !text->length &&
           !panel->view->type->spot(panel->view, row, col, &spot);
}

enum lw_tile_line lw_panel_line(const struct lw_panel *panel, uint64_t row, uint64_t col,
                                bool across, uint64_t tile)
{
    const struct lw_view *view = panel->view;
    uint64_t at = across ? col : row % view->page_rows;
    uint64_t seam = across ? view->seam_cols : view->seam_rows;
    /* Left of the result there may be layouts with rows of their own. */
    bool beside = !across && view->seam_cols && !view->seam_rows && col < view->seam_cols;
    bool begins = at >= seam && (tile ? (at - seam) % tile == 0 : seam && at == seam);
    if (!at || beside || !begins)
        return LW_LINE_NONE;
    return at != seam && lw_view_warp_changes(view, row, col, across) ? LW_LINE_WARP : LW_LINE_TILE;
}

size_t lw_two_lines(const char *text, size_t *second, size_t *width)
{
    size_t first = strlen(text), all = lw_text_width(text);
    *width = all;
    int depth = 0; /* of parentheses */
    *second = first;
    for (size_t i = 1, length = first; i < length; i++) {
        depth += (text[i - 1] == '(') - (text[i - 1] == ')');
        /* at a blank, or after a sign between owners or the items of a list; an element such as (3,12) is not broken,
         * nor is a line before or after a colon */
        if (depth || text[i - 1] == ':' ||
            !(text[i] == ' ' || text[i - 1] == '|' || (text[i - 1] == ',' && text[i] != ' ')))
            continue;
        size_t next = i + (text[i] == ' '), after = lw_text_width(text + next);
        size_t before = all - after - (text[i] == ' ');
        if ((before > after ? before : after) < *width) {
            *width = before > after ? before : after;
            first = i;
            *second = next;
        }
    }
    return first;
}
