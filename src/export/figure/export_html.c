/* html: a page that needs nothing else. The grid is a table in colours that follow the reader's light or dark scheme,
 * its labels stay on screen, and a cell's title explains it. The page is also well-formed XML (every element is
 * closed), so that an XML parser can check it. A fragment is the figure alone, to be put into another page. */

#include "export/figure/panel.h"

#include <string.h>

/* Every rule is below the class of a figure, so that a fragment changes nothing else on its page; and the page's styles
 * of tables, lists and so on are reset, so that the figure looks as on a page of its own. */
static const char style[] =
    "figure.laneway *{all:revert}.laneway tr:nth-child(n){background:none}\n"
    ".laneway{font:15px/1.5 system-ui,sans-serif;color:var(--letters);background:var(--paper)}\n"
    ".laneway .title{margin:0;font-size:1.4rem;font-weight:bold}\n"
    ".laneway p{margin:.4rem 0;max-width:60rem}\n"
    ".laneway code,.laneway table{font:13px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu "
    "Sans Mono',monospace;color:inherit;background:none;padding:0;border:0}\n"
    ".laneway code{overflow-wrap:anywhere}\n"
    ".laneway .grid{display:inline-block;box-sizing:border-box;max-width:100%;max-height:90vh;"
    "overflow:auto;margin:.6rem 0;border:1px solid var(--rule);border-radius:6px}\n"
    ".laneway table{border-collapse:separate;border-spacing:0;white-space:pre;margin:0;"
    "width:auto;display:table}\n"
    ".laneway th,.laneway td{padding:.3em .7em;border:0 solid var(--rule);"
    "border-width:0 1px 1px 0}\n"
    ".laneway tr>:last-child{border-right-width:0}\n"
    ".laneway tbody tr:last-child>*{border-bottom-width:0}\n"
    ".laneway th,.laneway thead td{font-weight:normal;position:sticky;background:var(--paper);"
    "color:var(--label)}\n"
    ".laneway thead>tr>*{top:0;z-index:1}\n"
    ".laneway tbody th{left:0;text-align:right}\n"
    ".laneway thead td{left:0;z-index:2}\n"
    ".laneway tbody td{text-align:center}\n"
    ".laneway .list td,.laneway .list thead th{text-align:left}\n"
    ".laneway tbody td:hover,.laneway tbody td:focus{outline:2px solid var(--letters);"
    "outline-offset:-2px}\n"
    ".laneway tbody td:focus::after{content:attr(title);position:fixed;left:1rem;bottom:1rem;"
    "z-index:3;max-width:90vw;padding:.5em 1em;text-align:left;white-space:pre-wrap;"
    "color:var(--letters);background:var(--paper);border:1px solid var(--label);"
    "border-radius:6px}\n"
    ".laneway .grid:focus-visible{outline:2px solid var(--label);outline-offset:2px}\n"
    ".laneway .square td{height:var(--side,2.3em);min-width:var(--side,2.3em);padding:0 2px;"
    "line-height:1.15;white-space:nowrap}\n"
    ".laneway td.d{color:var(--label);--pale:color-mix(in srgb,var(--paper) 75%,transparent);"
    "background-image:linear-gradient(var(--pale),var(--pale))}.laneway "
    ".outside{border-color:transparent}\n"
    ".laneway .x{--left:1.5px}.laneway .y{--top:1.5px}.laneway .xw{--left:3px}"
    ".laneway .yw{--top:3px}.laneway .x,.laneway .y{box-shadow:"
    "inset var(--left,0) 0 var(--letters),inset 0 var(--top,0) var(--letters)}\n"
    ".laneway td.k{outline:2.5px solid var(--letters);outline-offset:-2px}\n"
    ".laneway .panels{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:flex-end}"
    ".laneway .panel{min-width:0}.laneway .panel p{max-width:26rem}\n"
    ".laneway .row{flex-wrap:nowrap}.laneway "
    ".column{flex-direction:column;align-items:flex-start}\n"
    ".laneway .product,.laneway .frames{display:grid;justify-content:start}"
    ".laneway .product{justify-items:end}"
    ".laneway .product>.panel{grid-area:2/2}.laneway .product>:nth-child(1){grid-area:2/1}"
    ".laneway .product>:nth-child(2){grid-area:1/2}.laneway .frames>.panel{grid-area:1/1}\n"
    ".laneway ul{list-style:none;margin:.4rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}\n"
    ".laneway li{margin:0;padding:.1em .6em;border:1px solid var(--rule);border-radius:4px;"
    "font-size:13px}\n"
    ".laneway li.name{border-color:transparent;padding-left:0}\n"
    /* overrides rules for all lists and code below a class, as Jupyter and Sphinx have */
    ".laneway.laneway code{background:none;padding:0}.laneway.laneway ul{margin:.4rem 0;padding:0}"
    ".laneway.laneway ul li{margin:0}\n"
    "@media print{.laneway .grid{display:block;max-height:none;overflow:visible}"
    ".laneway{print-color-adjust:exact}.laneway th,.laneway thead td{position:static}}\n";

#define REACHABLE_MAX 1024 /* cells that the tab key moves through */

struct html {
    const struct lw_export_options *options;
    const struct lw_export_palette *palette;
    FILE *stream;
    struct lw_panels panels;
    struct lw_panel *panel; /* the current one, */
    const struct lw_view *view;
    uint64_t tile_rows, tile_cols;
    bool list, two; /* it is a list; its cells have two lines */
    bool reachable; /* cells can have the keyboard's focus, and then show their explanation */
    struct lw_text text;
    struct lw_explanation explanation;
};

/* An element with a text; nothing when the text is empty. */
static void put_element(const struct html *h, const char *open, const char *text, const char *close)
{
    if (!*text)
        return;
    fputs(open, h->stream);
    lw_put_markup(h->stream, text);
    fputs(close, h->stream);
}

static void put_colors(const struct html *h, const char *name)
{
    FILE *stream = h->stream;
    const struct lw_palette *palette = lw_palette_find(name);
    fprintf(stream, ".laneway-%s{--paper:#%06x;--letters:#%06x;--rule:#%06x;--label:#%06x;",
            h->palette->name, (unsigned)palette->paper, (unsigned)palette->letters,
            (unsigned)palette->rule, (unsigned)lw_palette_tint(palette, LW_INK_HEAD).letters);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        struct lw_tint tint = lw_palette_tint(palette, class);
        fprintf(stream, "--t%u:#%06x;--f%u:#%06x;", class, (unsigned)tint.letters, class,
                (unsigned)tint.fill);
    }
    fputs("}\n", stream);
}

static void put_style(const struct html *h)
{
    FILE *stream = h->stream;
    fputs("<style>\n", stream);
    if (!h->options->fragment)
        fprintf(stream,
                ":root{color-scheme:%s}body{margin:0;padding:1.5rem}"
                "figure{margin:0;min-height:90vh}\n"
                "body{background:#%06x}\n",
                h->palette->dark ? "light dark" : "normal",
                (unsigned)lw_palette_find(h->palette->light)->paper);
    put_colors(h, h->palette->light);
    if (h->palette->dark) {
        fputs("@media (prefers-color-scheme:dark){", stream);
        if (!h->options->fragment)
            fprintf(stream, "body{background:#%06x}",
                    (unsigned)lw_palette_find(h->palette->dark)->paper);
        put_colors(h, h->palette->dark);
        fputs("}\n", stream);
    }
    fputs(style, stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++)
        fprintf(stream, ".laneway .c%u{color:var(--t%u);background:var(--f%u)}\n", class, class,
                class);
    if (lw_panels_move(&h->panels))
        lw_put_motion(stream, ".laneway .frames>.panel",
                      ".laneway .frames>.panel:not(:first-child)", h->panels.count);
    fputs("</style>\n", stream);
}

static void put_head(struct html *h)
{
    const char *title = lw_picture_title(h->view, h->options);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"laneway\"/>\n<title>",
          h->stream);
    lw_put_markup(h->stream, *title ? title : h->view->type->title);
    lw_fetch_head(h->view, h->options, title, &h->text);
    fputs(h->text.length ? ": " : "", h->stream);
    lw_put_markup(h->stream, lw_text_string(&h->text));
    fputs("</title>\n", h->stream);
    put_style(h);
    fputs("</head>\n<body>\n", h->stream);
}

static void put_paragraph(struct html *h)
{
    put_element(h, "<p>", lw_text_string(&h->text), "</p>\n");
    lw_text_clear(&h->text);
}

/* Writes the head: the notation as code, then the summary, the numbers, what the document is about and the meaning of
 * cells. */
static void put_introduction(struct html *h)
{
    const struct lw_view *view = h->view;
    const struct lw_export_options *o = &h->panel->options;
    const char *title = lw_text_string(&h->panel->title);
    put_element(h, "<p class=\"title\">", title, "</p>\n");
    if (!o->head)
        return;
    lw_text_clear(&h->text);
    if (!h->panel->repeats) {
        lw_view_head(view, &h->text);
        if (strcmp(lw_text_string(&h->text), title) != 0)
            put_element(h, "<p><code>", lw_text_string(&h->text), "</code></p>\n");
        lw_fetch_summary(view, &h->text);
        put_paragraph(h);
    }
    if (view->type->caption)
        view->type->caption(view, &h->text);
    put_paragraph(h);
    lw_text_add(&h->text, h->panel->repeats ? "" : lw_figure_about(view, o));
    put_paragraph(h);
    lw_fetch_meaning(view, o, &h->text);
    put_paragraph(h);
}

/* Writes the label of a row or a column. */
static void put_label(struct html *h, const char *open)
{
    fputs(open, h->stream);
    lw_put_markup(h->stream, lw_text_string(&h->text));
    fputs("</th>", h->stream);
}

/* Writes a cell: its colour, whether it is highlighted and the lines of tiles before it; what explains it, except in a
 * panel that is visible for a second, which is not read aloud; and its text on one line or on two, where a list is
 * wrapped by the browser. */
static void put_cell(struct html *h, uint64_t row, uint64_t col)
{
    static const char *const left[] = {"", " x", " x xw"}, *const above[] = {"", " y", " y yw"};
    struct lw_cell cell = {0};
    lw_fetch_cell(h->view, row, col, &h->text, &cell);
    if (lw_panel_is_outside(h->panel, row, col, &h->text))
        fputs("<td class=\"outside\"", h->stream);
    else
        fprintf(h->stream, "<td class=\"c%u%s%s%s%s\"", lw_palette_class(&cell),
                left[lw_panel_line(h->panel, row, col, true, h->tile_cols)],
                above[lw_panel_line(h->panel, row, col, false, h->tile_rows)],
                lw_panel_marks(&h->panels, h->panel, row, col) ? " k" : "",
                lw_panel_dims(h->panel, row, col) ? " d" : "");
    struct lw_explanation *e = &h->explanation;
    e->count = 0;
    if (h->panel == h->panels.panel || !lw_panels_move(&h->panels))
        lw_view_explain(h->view, row, col, e);
    for (int i = 0; i < e->count; i++) {
        if (!strcmp(e->line[i].label, "better")) /* that line names a key of the explorer */
            continue;
        fputs(i ? "&#10;" : " title=\"", h->stream);
        lw_put_markup(h->stream, e->line[i].label);
        fputs(*e->line[i].label ? ": " : "", h->stream);
        lw_put_markup(h->stream, lw_text_string(&e->line[i].text));
    }
    if (e->count)
        fputs(h->reachable ? "\" tabindex=\"0\"" : "\"", h->stream);
    fputc('>', h->stream);
    const char *text = lw_text_string(&h->text);
    size_t second = h->text.length, first = h->two ? lw_two_lines(text, &second) : second;
    struct lw_text line = {0};
    lw_text_bytes(&line, text, second < h->text.length ? second : first);
    lw_put_markup(h->stream, lw_text_string(&line));
    fputs(second < h->text.length ? "<br/>" : "", h->stream);
    lw_put_markup(h->stream, text + second);
    lw_text_free(&line);
    fputs("</td>", h->stream);
}

/* The rows of a grid of a stack. Short texts are in squares, on one line or on two. */
static void put_page(struct html *h, uint64_t from, uint64_t to)
{
    enum { ONE_LINE = 6, TWO_LINES = 14 };
    const struct lw_export_options *o = &h->panel->options;
    size_t width = 0;
    for (uint64_t row = o->row_from; row < o->row_to; row++)
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            lw_fetch_cell(h->view, row, col, &h->text, NULL);
            size_t here = lw_text_width(lw_text_string(&h->text));
            width = here > width ? here : width;
        }
    h->list = h->view->cols <= 2 && !h->view->type->picture;
    h->two = !h->list && width > ONE_LINE && width <= TWO_LINES;
    lw_view_tiles(h->view, &h->tile_rows, &h->tile_cols);
    fprintf(h->stream,
            "<div class=\"grid\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table%s",
            h->view->type->title,
            h->list              ? " class=\"list\""
            : width <= TWO_LINES ? " class=\"square\""
                                 : "");
    if (h->options->cell_size)
        fprintf(h->stream, " style=\"--side:%upx\"", h->options->cell_size);
    fputs(">\n", h->stream);
    if (o->labels) {
        lw_fetch_row_label(h->view, LW_LABEL_CORNER, &h->text);
        fputs("<thead>\n<tr><td>", h->stream);
        lw_put_markup(h->stream, lw_text_string(&h->text));
        fputs("</td>", h->stream);
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            lw_fetch_col_label(h->view, col, &h->text);
            put_label(h, "<th scope=\"col\">");
        }
        fputs("</tr>\n</thead>\n", h->stream);
    }
    fputs("<tbody>\n", h->stream);
    for (uint64_t row = from; row < to && !ferror(h->stream); row++) {
        fputs("<tr>", h->stream);
        if (o->labels) {
            lw_fetch_row_label(h->view, row, &h->text);
            put_label(h, "<th scope=\"row\">");
        }
        for (uint64_t col = o->col_from; col < o->col_to; col++)
            put_cell(h, row, col);
        fputs("</tr>\n", h->stream);
    }
    fputs("</tbody>\n</table>\n</div>\n", h->stream);
}

/* Writes all panels below the title of the figure, or its only one. */
static void put_panels(struct html *h)
{
    static const char *const classes[] = {[LW_ARRANGE_AUTO] = "auto",
                                          [LW_ARRANGE_ROW] = "row",
                                          [LW_ARRANGE_COLUMN] = "column",
                                          [LW_ARRANGE_PRODUCT] = "product",
                                          [LW_ARRANGE_FRAMES] = "frames"};
    const bool several = h->panels.count > 1, moves = lw_panels_move(&h->panels);
    if (several) {
        put_element(h, "<p class=\"title\">", h->options->title ? h->options->title : "", "</p>\n");
        fprintf(h->stream, "<div class=\"panels %s\">\n", classes[h->options->arrangement]);
    }
    for (size_t i = 0; i < h->panels.count; i++) {
        h->panel = &h->panels.panel[i];
        h->view = h->panel->view;
        const struct lw_export_options *o = &h->panel->options;
        if (moves)
            fprintf(h->stream, "<div class=\"panel\" style=\"animation-delay:%zus\">\n", i);
        else
            fputs(several ? "<div class=\"panel\">\n" : "", h->stream);
        put_introduction(h);
        for (uint64_t row = o->row_from, to; row < o->row_to && !ferror(h->stream); row = to) {
            to = lw_page_end(h->view, o, row);
            put_page(h, row, to);
        }
        fputs(several ? "</div>\n" : "", h->stream);
    }
    fputs(several ? "</div>\n" : "", h->stream);
}

static void put_legend(struct html *h, const struct lw_legend *legend)
{
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(legend, classes);
    if (!count)
        return;
    fputs("<ul aria-label=\"colours\">\n", h->stream);
    if (lw_legend_heading(legend, h->view, &h->text))
        put_element(h, "<li class=\"name\">", lw_text_string(&h->text), "</li>\n");
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(legend, h->view, classes[i], &h->text);
        fprintf(h->stream, "<li class=\"c%u\">", classes[i]);
        put_element(h, "", lw_text_string(&h->text), "</li>\n");
    }
    fputs("</ul>\n", h->stream);
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct html h = {.options = options,
                     .palette = lw_find_palette(options->palette),
                     .stream = stream,
                     .view = views[0]};
    struct lw_legend legend;
    if (!lw_panels_open(&h.panels, views, count, options, err))
        return false;
    h.reachable = lw_panels_cells(&h.panels) <= REACHABLE_MAX;
    if (!options->fragment)
        put_head(&h);
    fprintf(stream, "<figure class=\"laneway laneway-%s\"", h.palette->name);
    if (options->width) /* a grid that is wider is scrolled */
        fprintf(stream, " style=\"max-width:%upx\"", options->width);
    fputs(">\n", stream);
    if (options->fragment)
        put_style(&h);
    put_panels(&h);
    for (size_t i = 0; lw_panels_legend(&h.panels, i, &legend, &h.view); i++)
        put_legend(&h, &legend);
    put_element(&h, "<figcaption>", options->caption ? options->caption : "", "</figcaption>\n");
    fputs("</figure>\n", stream);
    fputs(options->fragment ? "" : "</body>\n</html>\n", stream);
    bool failed = h.text.failed;
    lw_text_free(&h.text);
    lw_explanation_free(&h.explanation);
    lw_panels_free(&h.panels);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_html = {
    .name = "html",
    .marks = true,
    .extension = "html",
    .help = "a page with coloured tables, light or dark, that explain their cells",
    .cells = (uint64_t)1 << 17,
    .moves = true,
    .colors = true,
    .write_panels = write_panels,
};
