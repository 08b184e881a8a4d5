/* html: a page that needs nothing else: the drawing of svg, and over each cell a spot that explains it, to the mouse
 * and to the keyboard. The page is also well-formed XML (every element is closed), so that an XML parser can check it.
 * A fragment is the figure alone, to be put into another page. */

#include "export/figure/canvas.h"

#include <string.h>

/* Every rule is below the class of a figure, so that a fragment changes nothing else on its page. */
static const char style[] =
    ".laneway-figure{margin:0;max-width:100%;overflow:auto;"
    "font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    ".laneway-figure p{margin:.4rem 12px;max-width:60rem}\n"
    ".laneway-figure .drawing{position:relative;width:max-content}\n"
    ".laneway-figure svg{display:block;max-width:none}\n"
    ".laneway-figure .spot{position:absolute}\n"
    ".laneway-figure .spot:hover,.laneway-figure .spot:focus{outline:2px solid;"
    "outline-offset:-2px}\n"
    ".laneway-figure .spot:focus::after{content:attr(title);position:fixed;left:1rem;bottom:1rem;"
    "z-index:1;max-width:90vw;padding:.5em 1em;white-space:pre-wrap;border:1px solid;"
    "border-radius:6px}\n";

#define REACHABLE_MAX 1024 /* cells that the tab key moves through */

struct html {
    struct lw_canvas canvas;
    const struct lw_view *view; /* of the panel that is drawn; NULL: its cells are not explained */
    bool reachable; /* cells can have the keyboard's focus, and then show their explanation */
    struct lw_explanation explanation;
};

/* ---- Spots ---- */

/* A panel that is visible for a second is not read. */
static void begin_panel(struct lw_canvas *canvas, size_t i)
{
    ((struct html *)canvas)->view =
        i && lw_panels_move(&canvas->panels) ? NULL : canvas->panels.panel[i].view;
}

static void put_spot(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    struct html *h = (struct html *)canvas;
    struct lw_explanation *e = &h->explanation;
    FILE *stream = canvas->stream;
    e->count = 0;
    if (h->view)
        lw_view_explain(h->view, cell->row, cell->col, e);
    if (!e->count)
        return;
    fprintf(stream,
            "<div class=\"spot\" role=\"note\" style=\"left:%llupx;top:%llupx;width:%llupx;"
            "height:%llupx\"%s title=\"",
            (unsigned long long)cell->left, (unsigned long long)cell->top,
            (unsigned long long)cell->width, (unsigned long long)cell->height,
            h->reachable ? " tabindex=\"0\"" : "");
    for (int i = 0; i < e->count; i++) {
        if (!strcmp(e->line[i].label, "better")) /* that line names a key of the explorer */
            continue;
        fputs(i ? "&#10;" : "", stream);
        lw_put_markup(stream, e->line[i].label);
        fputs(*e->line[i].label ? ": " : "", stream);
        lw_put_markup(stream, lw_text_string(&e->line[i].text));
    }
    fputs("\"></div>\n", stream);
}

static const struct lw_canvas_type spots = {.cell = put_spot, .begin_panel = begin_panel};

/* ---- Around the drawing ---- */

static void put_colors(const struct html *h, const char *name, const char *palette_name)
{
    const struct lw_palette *palette = lw_palette_find(palette_name);
    fprintf(h->canvas.stream,
            "%sfigure.laneway-%s,figure.laneway-%s .spot:focus::after{color:#%06x;"
            "background:#%06x}\n",
            h->canvas.options->fragment ? "" : "body,", name, name, (unsigned)palette->letters,
            (unsigned)palette->paper);
}

static void put_style(const struct html *h, const struct lw_export_palette *palette)
{
    FILE *stream = h->canvas.stream;
    fputs("<style>\n", stream);
    fputs(style, stream);
    put_colors(h, palette->name, palette->light);
    if (palette->dark) {
        fputs("@media (prefers-color-scheme:dark){\n", stream);
        put_colors(h, palette->name, palette->dark);
        fputs("}\n", stream);
    }
    fputs("</style>\n", stream);
}

static void put_head(struct html *h)
{
    FILE *stream = h->canvas.stream;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"laneway\"/>\n<title>",
          stream);
    lw_put_title(&h->canvas);
    fputs("</title>\n</head>\n<body>\n", stream);
}

/* Writes what the document of each layout is about. */
static void put_about(const struct html *h)
{
    for (size_t i = 0; i < h->canvas.panels.count; i++) {
        const struct lw_panel *panel = &h->canvas.panels.panel[i];
        const char *about = panel->repeats ? "" : lw_figure_about(panel->view, &panel->options);
        fputs(*about ? "<p>" : "", h->canvas.stream);
        lw_put_markup(h->canvas.stream, about);
        fputs(*about ? "</p>\n" : "", h->canvas.stream);
        if (lw_panels_move(&h->canvas.panels))
            break;
    }
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    const struct lw_export_palette *palette = lw_find_palette(options->palette);
    struct lw_export_options wide = *options; /* a figure that is wider than the page is scrolled */
    struct html h = {.canvas = {.type = &spots, .options = &wide, .stream = stream}};
    wide.any_width = wide.any_width || (!wide.width && count == 1);
    if (!lw_canvas_open(&h.canvas, views, count, err))
        return false;
    h.reachable = lw_panels_cells(&h.canvas.panels) <= REACHABLE_MAX;
    if (!options->fragment)
        put_head(&h);
    fprintf(stream, "<figure class=\"laneway-figure laneway-%s\" tabindex=\"0\">\n", palette->name);
    put_style(&h, palette);
    fputs("<div class=\"drawing\">\n", stream);
    lw_draw_svg(&h.canvas);
    lw_canvas_draw(&h.canvas);
    fputs("</div>\n", stream);
    put_about(&h);
    fputs("</figure>\n", stream);
    fputs(options->fragment ? "" : "</body>\n</html>\n", stream);
    lw_explanation_free(&h.explanation);
    return lw_canvas_close(&h.canvas, err);
}

const struct lw_format lw_format_html = {
    .name = "html",
    .marks = true,
    .extension = "html",
    .help = "a page with the picture of svg, whose cells are explained",
    .cells = (uint64_t)1 << 17,
    .moves = true,
    .colors = true,
    .write_panels = write_panels,
};
