/* html: a page that needs nothing else. The grid is a table in colours that follow the reader's light or
 * dark scheme, its labels stay on screen, and a cell's title explains it. The page is also well-formed XML
 * (every element is closed), so that an XML parser can check it. A fragment is the figure alone, for a page of
 * someone else. */

#include "export/legend.h"

#include <string.h>

/* Every rule is below the class of a figure, so that a fragment changes nothing else on its page. */
static const char style[] =
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
    ".laneway ul{list-style:none;margin:.4rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem}\n"
    ".laneway li{margin:0;padding:.1em .6em;border:1px solid var(--rule);border-radius:4px;"
    "font-size:13px}\n"
    ".laneway li.name{border-color:transparent;padding-left:0}\n"
    "@media print{.laneway .grid{display:block;max-height:none;overflow:visible}"
    ".laneway{print-color-adjust:exact}.laneway th,.laneway thead td{position:static}}\n";

#define REACHABLE_MAX 1024 /* cells that one moves through with the tab key */

struct html {
    const struct lw_view *view;
    const struct lw_export_options *options;
    const struct lw_export_palette *palette;
    FILE *stream;
    bool reachable; /* cells by the keyboard: the one with the focus shows its explanation */
    struct lw_text text;
    struct lw_explanation explanation;
    struct lw_legend legend;
};

static void put_variable(FILE *stream, const char *name, uint32_t rgb)
{
    fprintf(stream, "--%s:", name);
    lw_put_rgb(stream, rgb);
    fputc(';', stream);
}

static void put_colors(const struct html *h, const char *name)
{
    FILE *stream = h->stream;
    const struct lw_palette *palette = lw_palette_find(name);
    fprintf(stream, ".laneway-%s{", h->palette->name);
    put_variable(stream, "paper", palette->paper);
    put_variable(stream, "letters", palette->letters);
    put_variable(stream, "rule", palette->rule);
    put_variable(stream, "label", lw_palette_tint(palette, LW_INK_HEAD).letters);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        char variable[8];
        struct lw_tint tint = lw_palette_tint(palette, class);
        snprintf(variable, sizeof variable, "t%u", class);
        put_variable(stream, variable, tint.letters);
        snprintf(variable, sizeof variable, "f%u", class);
        put_variable(stream, variable, tint.fill);
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

static void open_figure(struct html *h)
{
    fprintf(h->stream, "<figure class=\"laneway laneway-%s\">\n", h->palette->name);
    if (h->options->fragment)
        put_style(h);
}

static void put_paragraph(struct html *h, const char *tag)
{
    if (h->text.length) {
        fprintf(h->stream, "<p>%s", *tag ? "<code>" : "");
        lw_put_markup(h->stream, lw_text_string(&h->text));
        fputs(*tag ? "</code></p>\n" : "</p>\n", h->stream);
    }
    lw_text_clear(&h->text);
}

/* The lines of the notation in code; then what the view is. */
static void put_introduction(struct html *h)
{
    const struct lw_view *view = h->view;
    const char *title = lw_picture_title(view, h->options);
    if (!h->options->head)
        return;
    if (*title) {
        fputs("<p class=\"title\">", h->stream);
        lw_put_markup(h->stream, title);
        fputs("</p>\n", h->stream);
    }
    lw_text_clear(&h->text);
    lw_view_head(view, &h->text);
    if (strcmp(lw_text_string(&h->text), title) != 0)
        put_paragraph(h, "code");
    lw_text_clear(&h->text);
    lw_summary(&h->text, view->subject);
    put_paragraph(h, "");
    if (view->type->caption)
        view->type->caption(view, &h->text);
    put_paragraph(h, "");
    lw_text_add(&h->text, view->subject->about ? view->subject->about : "");
    put_paragraph(h, "");
}

static void put_caption(struct html *h)
{
    if (!h->options->head || !h->options->caption)
        return;
    fputs("<figcaption>", h->stream);
    lw_put_markup(h->stream, h->options->caption);
    fputs("</figcaption>\n", h->stream);
}

static void put_labelled(struct html *h, const char *scope)
{
    fprintf(h->stream, "<th scope=\"%s\">", scope);
    lw_put_markup(h->stream, lw_text_string(&h->text));
    fputs("</th>", h->stream);
}

static void put_header(struct html *h)
{
    if (!h->options->labels)
        return;
    fprintf(h->stream, "<thead>\n<tr><td>%s</td>",
            h->view->type->corner ? h->view->type->corner : "");
    for (uint64_t col = h->options->col_from; col < h->options->col_to; col++) {
        lw_fetch_col_label(h->view, col, &h->text);
        put_labelled(h, "col");
    }
    fputs("</tr>\n</thead>\n", h->stream);
}

static void put_title(struct html *h, uint64_t row, uint64_t col)
{
    struct lw_explanation *e = &h->explanation;
    lw_view_explain(h->view, row, col, e);
    for (int i = 0; i < e->count; i++) {
        fputs(i ? "&#10;" : " title=\"", h->stream);
        lw_put_markup(h->stream, e->line[i].label);
        fputs(*e->line[i].label ? ": " : "", h->stream);
        lw_put_markup(h->stream, lw_text_string(&e->line[i].text));
    }
    if (e->count)
        fputs(h->reachable ? "\" tabindex=\"0\"" : "\"", h->stream);
}

static void put_row(struct html *h, uint64_t row)
{
    fputs("<tr>", h->stream);
    if (h->options->labels) {
        lw_fetch_row_label(h->view, row, &h->text);
        put_labelled(h, "row");
    }
    for (uint64_t col = h->options->col_from; col < h->options->col_to; col++) {
        struct lw_cell cell = {0};
        lw_fetch_cell(h->view, row, col, &h->text, &cell);
        lw_legend_add(&h->legend, &cell);
        fprintf(h->stream, "<td class=\"c%u\"", lw_palette_class(&cell));
        put_title(h, row, col);
        fputc('>', h->stream);
        lw_put_markup(h->stream, lw_text_string(&h->text));
        fputs("</td>", h->stream);
    }
    fputs("</tr>\n", h->stream);
}

static void put_page(struct html *h, uint64_t from, uint64_t to)
{
    fprintf(h->stream,
            "<div class=\"grid\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table%s>\n",
            h->view->type->title, h->view->cols <= 2 ? " class=\"list\"" : "");
    put_header(h);
    fputs("<tbody>\n", h->stream);
    for (uint64_t row = from; row < to && !ferror(h->stream); row++)
        put_row(h, row);
    fputs("</tbody>\n</table>\n</div>\n", h->stream);
}

static void put_legend(struct html *h)
{
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(&h->legend, classes);
    const char *title = lw_legend_title(&h->legend, h->view);
    if (!count)
        return;
    fputs("<ul aria-label=\"colours\">\n", h->stream);
    if (title)
        fprintf(h->stream, "<li class=\"name\">%s</li>\n", title);
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(&h->legend, h->view, classes[i], &h->text);
        fprintf(h->stream, "<li class=\"c%u\">", classes[i]);
        lw_put_markup(h->stream, lw_text_string(&h->text));
        fputs("</li>\n", h->stream);
    }
    fputs("</ul>\n", h->stream);
}

static bool write_html(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    struct html h = {.view = view,
                     .options = options,
                     .palette = lw_find_palette(options->palette),
                     .stream = stream};
    uint64_t rows = options->row_to - options->row_from;
    h.reachable = rows * (options->col_to - options->col_from) <= REACHABLE_MAX;
    if (!options->fragment)
        put_head(&h);
    open_figure(&h);
    put_introduction(&h);
    for (uint64_t row = options->row_from, end; row < options->row_to && !ferror(stream);
         row = end) {
        end = lw_page_end(view, options, row);
        put_page(&h, row, end);
    }
    put_legend(&h);
    put_caption(&h);
    fputs("</figure>\n", stream);
    fputs(options->fragment ? "" : "</body>\n</html>\n", stream);
    bool failed = h.text.failed;
    lw_text_free(&h.text);
    lw_explanation_free(&h.explanation);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_html = {
    .name = "html",
    .extension = "html",
    .help = "a page with a coloured table, light or dark, that explains its cells",
    .cells = (uint64_t)1 << 17,
    .write = write_html,
};
