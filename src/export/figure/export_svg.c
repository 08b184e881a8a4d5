/* svg: a picture for documents. It has its own background, light or dark as the reader's scheme is, so that
 * it can be read on any page; in programs that ignore the style for dark schemes, it is light. Lines are at
 * half pixels, which makes them sharp. */

#include "export/figure/panel.h"

#include <limits.h>
#include <string.h>

enum {
    MARGIN = 12,
    LEAST = 360, /* wide, when there are words above the grid */
    SWATCH = 14,
    WORDS = LW_ROW - 4 /* the height of a line of words */
};

struct svg {
    struct lw_panels panels;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
    uint64_t width, height; /* of all */
    uint64_t y;             /* where the next thing goes */
};

typedef unsigned long long number;

/* ---- Words, which are drawn or only counted ---- */

static void put_words(struct svg *s, bool draw, const char *class, const char *words, uint64_t x,
                      uint64_t width)
{
    for (size_t skip; *words;) {
        size_t length = lw_line_break(words, (size_t)width / LW_COLUMN, &skip);
        struct lw_text line = {0};
        lw_text_bytes(&line, words, length);
        if (draw) {
            fprintf(s->stream, "<text class=\"%s\" x=\"%llu\" y=\"%llu\">", class, (number)x,
                    (number)s->y + LW_FONT - 1);
            lw_put_markup(s->stream, lw_text_string(&line));
            fputs("</text>\n", s->stream);
        }
        lw_text_free(&line);
        s->y += WORDS;
        words += length + skip;
    }
}

/* The title above several panels. */
static void put_title(struct svg *s, bool draw)
{
    const char *title = s->options->title;
    s->y = MARGIN;
    if (s->panels.count < 2 || !s->options->head || !title || !*title)
        return;
    put_words(s, draw, "t", title, MARGIN, s->width - 2 * (uint64_t)MARGIN);
    s->y += LW_PAD;
}

static void put_caption(struct svg *s, bool draw)
{
    if (!s->options->head || !s->options->caption)
        return;
    s->y += LW_PAD;
    put_words(s, draw, "w", s->options->caption, MARGIN, s->width - 2 * (uint64_t)MARGIN);
}

/* ---- The legend ---- */

static void put_entry(struct svg *s, uint64_t x, unsigned class)
{
    fprintf(s->stream, "<rect class=\"c%u\" x=\"%llu\" y=\"%llu\" width=\"%d\" height=\"%d\"/>",
            class, (number)x, (number)s->y + LW_FONT + 3 - 11, SWATCH, SWATCH);
    fprintf(s->stream, "<text class=\"l\" x=\"%llu\" y=\"%llu\">", (number)x + SWATCH + 6,
            (number)s->y + LW_FONT + 3);
    lw_put_markup(s->stream, lw_text_string(&s->text));
    fputs("</text>\n", s->stream);
}

/* What the colours of the panels with one title mean. */
static void put_entries(struct svg *s, bool draw, const struct lw_legend *legend,
                        const struct lw_view *view)
{
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(legend, classes);
    const char *title = lw_legend_title(legend, view);
    uint64_t x = MARGIN;
    if (!count)
        return;
    s->y += LW_PAD;
    if (title) {
        if (draw)
            fprintf(s->stream, "<text class=\"l\" x=\"%llu\" y=\"%llu\">%s</text>\n", (number)x,
                    (number)s->y + LW_FONT + 3, title);
        x += lw_text_width(title) * LW_COLUMN + LW_PAD;
    }
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(legend, view, classes[i], &s->text);
        uint64_t width = SWATCH + 6 + lw_text_width(lw_text_string(&s->text)) * LW_COLUMN + LW_PAD;
        if (x > MARGIN && x + width > s->width - MARGIN) {
            x = MARGIN;
            s->y += WORDS;
        }
        if (draw)
            put_entry(s, x, classes[i]);
        x += width;
    }
    s->y += LW_ROW;
}

static const char *legend_name(const struct lw_panel *panel)
{
    const char *name = lw_legend_title(&panel->geometry.measure.legend, panel->view);
    return name ? name : "";
}

/* One for all panels that colour by the same field. */
static void put_legends(struct svg *s, bool draw)
{
    const struct lw_panel *panel = s->panels.panel;
    for (size_t i = 0; i < s->panels.count; i++) {
        struct lw_legend legend = panel[i].geometry.measure.legend;
        size_t k = 0;
        while (k < i && strcmp(legend_name(&panel[k]), legend_name(&panel[i])) != 0)
            k++;
        if (k < i)
            continue;
        for (k = i + 1; k < s->panels.count; k++)
            if (!strcmp(legend_name(&panel[k]), legend_name(&panel[i])))
                lw_legend_join(&legend, &panel[k].geometry.measure.legend);
        put_entries(s, draw, &legend, panel[i].view);
    }
}

/* ---- The grid of a panel ---- */

struct grid {
    struct lw_panel *panel;
    uint64_t x;     /* of the labels */
    uint64_t first; /* the first column of the band */
    uint64_t end;   /* after its last one */
};

static uint64_t column_at(const struct grid *g, uint64_t col)
{
    return g->x + lw_geometry_column(&g->panel->geometry, g->first, col);
}

static void put_text_at(struct svg *s, const char *anchor, uint64_t x, uint64_t y)
{
    if (!s->text.length)
        return;
    fprintf(s->stream, "<text%s x=\"%llu\" y=\"%llu\">", anchor, (number)x, (number)y);
    lw_put_markup(s->stream, lw_text_string(&s->text));
    fputs("</text>", s->stream);
}

/* The middle of a column, or where the words of a list begin. */
static uint64_t text_at(const struct grid *g, uint64_t col)
{
    const struct lw_geometry *geometry = &g->panel->geometry;
    return column_at(g, col) +
           (geometry->measure.list ? LW_PAD : lw_geometry_cell(geometry, col) / 2);
}

/* Labels of narrow columns and low rows are written where the one before leaves room. */
static void put_header(struct svg *s, const struct grid *g)
{
    const struct lw_panel *p = g->panel;
    uint64_t free_from = 0;
    if (!p->geometry.header)
        return;
    fprintf(s->stream, "<g class=\"%s\">", p->geometry.measure.list ? "l" : "l m");
    for (uint64_t col = g->first; col < g->end; col++) {
        uint64_t x = text_at(g, col);
        if (x < free_from)
            continue;
        lw_fetch_col_label(p->view, col, &s->text);
        put_text_at(s, "", x, s->y + LW_FONT + 3);
        free_from = x + lw_text_width(lw_text_string(&s->text)) * LW_COLUMN + 4;
    }
    fputs("</g>\n", s->stream);
    s->y += p->geometry.header;
}

/* The text of a cell on one line or on two. */
static void put_cell_text(struct svg *s, const struct grid *g, uint64_t col)
{
    const struct lw_geometry *geometry = &g->panel->geometry;
    const char *text = lw_text_string(&s->text);
    uint64_t x = text_at(g, col), middle = s->y + geometry->height / 2;
    uint64_t down = (uint64_t)(geometry->font * .31 + .5);
    size_t first = s->text.length, second = first;
    if (!geometry->lines || !*text)
        return;
    if (geometry->lines == 2)
        second = lw_second_line(text, &first);
    if (second >= s->text.length) {
        put_text_at(s, "", x, middle + down);
        return;
    }
    uint64_t apart = (uint64_t)(geometry->font * LW_LINE / LW_FONT + .5);
    struct lw_text line = {0};
    lw_text_bytes(&line, text, first);
    fprintf(s->stream, "<text x=\"%llu\" y=\"%llu\">", (number)x,
            (number)(middle + down - apart / 2));
    lw_put_markup(s->stream, lw_text_string(&line));
    fprintf(s->stream, "<tspan x=\"%llu\" dy=\"%llu\">", (number)x, (number)apart);
    lw_put_markup(s->stream, text + second);
    fputs("</tspan></text>", s->stream);
    lw_text_free(&line);
}

static void put_cell(struct svg *s, const struct grid *g, uint64_t col)
{
    const struct lw_geometry *geometry = &g->panel->geometry;
    fprintf(s->stream, "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%llu\"/>",
            (number)column_at(g, col), (number)s->y, (number)lw_geometry_cell(geometry, col),
            (number)geometry->height);
    put_cell_text(s, g, col);
}

/* Neighbours of one class are one group. */
static void put_row(struct svg *s, const struct grid *g, uint64_t row)
{
    struct lw_panel *p = g->panel;
    unsigned before = UINT_MAX;
    uint64_t every = LW_LINE / p->geometry.height + 1;
    if (p->geometry.label && row % every == 0) {
        lw_fetch_row_label(p->view, row, &s->text);
        put_text_at(s, " class=\"l e\"", g->x + p->geometry.label - LW_PAD,
                    s->y + p->geometry.height / 2 + 4);
    }
    for (uint64_t col = g->first; col < g->end; col++) {
        struct lw_cell cell = {0};
        lw_fetch_cell(p->view, row, col, &s->text, &cell);
        bool dim = lw_panel_dims(p, row, col);
        unsigned class = lw_palette_class(&cell), group = 2 * class + dim;
        if (group != before)
            fprintf(s->stream, "%s<g class=\"c%u%s%s\">", before == UINT_MAX ? "" : "</g>", class,
                    p->geometry.measure.list ? "" : " m", dim ? " d" : "");
        before = group;
        put_cell(s, g, col);
    }
    fputs("</g>\n", s->stream);
    s->y += p->geometry.height;
}

/* Whether a tile begins at a row or a column, counted from the seam on, which is itself such a line. */
static bool begins_tile(uint64_t at, uint64_t seam, uint64_t tile)
{
    return at >= seam && (tile ? (at - seam) % tile == 0 : seam && at == seam);
}

/* Frames and heavier lines lie above all cells of the band. */
static void put_lines(struct svg *s, const struct grid *g, uint64_t top, uint64_t row_from,
                      uint64_t row_to)
{
    struct lw_panel *p = g->panel;
    const struct lw_geometry *m = &p->geometry;
    uint64_t left = column_at(g, g->first), right = column_at(g, g->end);
    uint64_t bottom = top + (row_to - row_from) * m->height;
    struct lw_text tiles = {0};
    for (uint64_t col = g->first + 1; col < g->end; col++)
        if (begins_tile(col, p->view->seam_cols, m->tile_cols))
            lw_text_format(&tiles, "M%llu %lluV%llu", (number)column_at(g, col), (number)top,
                           (number)bottom);
    for (uint64_t row = row_from + 1; row < row_to; row++)
        if (begins_tile(row % p->view->page_rows, p->view->seam_rows, m->tile_rows))
            lw_text_format(&tiles, "M%llu %lluH%llu", (number)left,
                           (number)(top + (row - row_from) * m->height), (number)right);
    if (tiles.length)
        fprintf(s->stream, "<path class=\"b\" d=\"%s\"/>\n", lw_text_string(&tiles));
    lw_text_clear(&tiles);
    for (uint64_t row = row_from; row < row_to; row++)
        for (uint64_t col = g->first; col < g->end; col++)
            if (lw_panel_marks(&s->panels, p, row, col))
                lw_text_format(&tiles, "M%llu %lluh%lluv%lluh-%lluz", (number)column_at(g, col),
                               (number)(top + (row - row_from) * m->height),
                               (number)lw_geometry_cell(m, col), (number)m->height,
                               (number)lw_geometry_cell(m, col));
    if (tiles.length)
        fprintf(s->stream, "<path class=\"k\" d=\"%s\"/>\n", lw_text_string(&tiles));
    lw_text_free(&tiles);
}

static void put_band(struct svg *s, struct grid *g)
{
    const struct lw_export_options *o = &g->panel->options;
    for (uint64_t row = o->row_from, end; row < o->row_to && !ferror(s->stream); row = end) {
        end = lw_page_end(g->panel->view, o, row);
        put_header(s, g);
        uint64_t top = s->y;
        for (uint64_t i = row; i < end; i++)
            put_row(s, g, i);
        put_lines(s, g, top, row, end);
        s->y += LW_GRID_GAP;
    }
}

static void put_panel(struct svg *s, struct lw_panel *p, uint64_t x, uint64_t y)
{
    const struct lw_geometry *m = &p->geometry;
    struct grid g = {.panel = p, .x = x};
    s->y = y;
    put_words(s, true, "t", lw_text_string(&p->title), x, p->width);
    put_words(s, true, "l", lw_text_string(&p->head), x, p->width);
    s->y = y + p->words;
    bool smaller = m->font < LW_FONT - .05 && m->lines;
    if (smaller)
        fprintf(s->stream, "<g class=\"s%zu\">", (size_t)(p - s->panels.panel));
    for (g.first = p->options.col_from; g.first < p->options.col_to; g.first = g.end) {
        g.end = lw_geometry_band_end(m, &p->options, g.first);
        put_band(s, &g);
    }
    fputs(smaller ? "</g>\n" : "", s->stream);
}

/* ---- Around them ---- */

static void put_colors(FILE *stream, const bool *seen, const char *name)
{
    const struct lw_palette *palette = lw_palette_find(name);
    fprintf(stream,
            ".laneway .p{fill:#%06x;stroke:#%06x}.laneway rect{stroke:#%06x}"
            ".laneway .t,.laneway .w{fill:#%06x}.laneway .b,.laneway .k{stroke:#%06x}",
            (unsigned)palette->paper, (unsigned)palette->rule, (unsigned)palette->rule,
            (unsigned)palette->letters, (unsigned)palette->letters);
    fputs(".laneway .l{fill:", stream);
    lw_put_rgb(stream, lw_palette_tint(palette, LW_INK_HEAD).letters);
    fputs("}\n", stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        if (!seen[class])
            continue;
        struct lw_tint tint = lw_palette_tint(palette, class);
        fprintf(stream, ".laneway rect.c%u,.laneway .c%u rect{fill:", class, class);
        lw_put_rgb(stream, tint.fill);
        fprintf(stream, "}.laneway .c%u text{fill:", class);
        lw_put_rgb(stream, tint.letters);
        fputs("}\n", stream);
    }
}

static bool is_motion(const struct svg *s)
{
    return s->options->arrangement == LW_ARRANGE_FRAMES && s->panels.count > 1;
}

/* Each frame is seen for a second of as many as there are; where motion is unwanted, the first one. */
static void put_motion(const struct svg *s)
{
    size_t count = s->panels.count;
    fprintf(s->stream,
            "@keyframes laneway-%zu{0%%{visibility:visible}%.4f%%{visibility:hidden}}\n"
            ".laneway .f{visibility:hidden}.laneway .f:first-of-type{visibility:visible}\n"
            "@media (prefers-reduced-motion:no-preference){.laneway .f,.laneway .f:first-of-type{"
            "visibility:hidden;animation:laneway-%zu %zus step-end infinite}}\n",
            count, 100.0 / (double)count, count, count);
}

static void put_style(struct svg *s)
{
    const struct lw_export_palette *palette = lw_find_palette(s->options->palette);
    fputs("<style>\n"
          ".laneway text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans "
          "Mono',monospace}\n"
          ".laneway .t{font-weight:bold}.laneway .m{text-anchor:middle}"
          ".laneway .e{text-anchor:end}.laneway .d{opacity:.25}"
          ".laneway .b{fill:none;stroke-width:1.5}.laneway .k{fill:none;stroke-width:2.5}\n",
          s->stream);
    for (size_t i = 0; i < s->panels.count; i++) {
        const struct lw_geometry *m = &s->panels.panel[i].geometry;
        if (m->lines && m->font < LW_FONT - .05)
            fprintf(s->stream, ".laneway .s%zu .m:not(.l) text{font-size:%.1fpx}\n", i, m->font);
    }
    if (is_motion(s))
        put_motion(s);
    put_colors(s->stream, s->panels.legend.seen, palette->light);
    if (palette->dark) {
        fputs("@media (prefers-color-scheme:dark){\n", s->stream);
        put_colors(s->stream, s->panels.legend.seen, palette->dark);
        fputs("}\n", s->stream);
    }
    fputs("</style>\n", s->stream);
}

static void put_opening(struct svg *s)
{
    const struct lw_panel *first = s->panels.panel;
    const struct lw_view *view = first->view;
    const char *title = lw_picture_title(view, s->options), *about = view->subject->about;
    fprintf(s->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"laneway\" width=\"%llu\" "
            "height=\"%llu\" viewBox=\"0 0 %llu %llu\" role=\"img\" xml:space=\"preserve\">\n"
            "<title>",
            (number)s->width, (number)s->height, (number)s->width, (number)s->height);
    lw_put_markup(s->stream, *title ? title : view->type->title);
    lw_fetch_head(view, s->options, title, &s->text);
    fputs(s->text.length ? ": " : "", s->stream);
    lw_put_markup(s->stream, lw_text_string(&s->text));
    fprintf(s->stream, "</title>\n<desc>%llu x %llu cells: ",
            (number)(first->options.row_to - first->options.row_from),
            (number)(first->options.col_to - first->options.col_from));
    lw_put_markup(s->stream, view->type->help);
    fputs(about && *about ? ". " : "", s->stream);
    lw_put_markup(s->stream, about ? about : "");
    fputs("</desc>\n", s->stream);
    put_style(s);
    fprintf(s->stream,
            "<g transform=\"translate(.5 .5)\">\n"
            "<rect class=\"p\" width=\"%llu\" height=\"%llu\" rx=\"6\"/>\n",
            (number)s->width - 1, (number)s->height - 1);
}

static void measure_all(struct svg *s)
{
    s->width = s->panels.width + 2 * (uint64_t)MARGIN;
    if (s->options->head && s->width < LEAST)
        s->width = LEAST;
    put_title(s, false);
    s->y += s->panels.height;
    put_legends(s, false);
    put_caption(s, false);
    s->height = s->y + MARGIN;
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct svg s = {.options = options, .stream = stream};
    if (!lw_panels_make(&s.panels, views, count, options, err))
        return false;
    measure_all(&s);
    put_opening(&s);
    put_title(&s, true);
    uint64_t top = s.y;
    for (size_t i = 0; i < count; i++) {
        if (is_motion(&s))
            fprintf(stream, "<g class=\"f\" style=\"animation-delay:%zus\">\n", i);
        put_panel(&s, &s.panels.panel[i], MARGIN + s.panels.panel[i].x, top + s.panels.panel[i].y);
        fputs(is_motion(&s) ? "</g>\n" : "", stream);
    }
    s.y = top + s.panels.height;
    put_legends(&s, true);
    put_caption(&s, true);
    fputs("</g>\n</svg>\n", stream);
    bool failed = s.text.failed;
    lw_text_free(&s.text);
    lw_panels_free(&s.panels);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

static bool write_svg(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    return write_panels(&view, 1, options, stream, err);
}

const struct lw_format lw_format_svg = {
    .name = "svg",
    .extension = "svg",
    .help = "a picture for documents, light or dark",
    .cells = (uint64_t)1 << 16,
    .write = write_svg,
    .write_panels = write_panels,
};
