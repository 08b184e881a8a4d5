/* svg: a picture for documents. It has its own background, light or dark by the reader's colour scheme, so that it is
 * readable on any page; programs that ignore the style for dark schemes show it light. Lines are at half pixels, so
 * that they are sharp. */

#include "export/figure/canvas.h"
#include "core/unused.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct svg {
    struct lw_canvas canvas;
    struct lw_text path;
    unsigned group; /* the class of the cells of the group that is open; UINT_MAX: none is */
    size_t panel;   /* of a moving figure, that is drawn, from 1; 0: none is */
    size_t frame;   /* whose group is open, from 1; 0: what is drawn is visible all the time */
};

typedef unsigned long long number;

static struct svg *svg_of(struct lw_canvas *canvas)
{
    return (struct svg *)canvas;
}

/* ---- What a canvas draws ---- */

/* Opens the group of a frame, whose content is visible for a second; no group of cells is open. */
static void set_frame(struct lw_canvas *canvas, size_t frame)
{
    struct svg *s = svg_of(canvas);
    if (frame == s->frame)
        return;
    fputs(s->frame ? "</g>\n" : "", canvas->stream);
    if (frame)
        fprintf(canvas->stream, "<g class=\"f%s\" style=\"animation-delay:%zus\">\n",
                frame == 1 ? " o" : "", frame - 1);
    s->frame = frame;
}

static void put_text(struct lw_canvas *canvas, const struct lw_drawn_text *text)
{
    static const char *const classes[] = {
        [LW_DRAWN_TITLE] = "t",    [LW_DRAWN_WORDS] = "l", [LW_DRAWN_CAPTION] = "w",
        [LW_DRAWN_COLUMN] = "l m", [LW_DRAWN_ROW] = "l e", [LW_DRAWN_LETTERED] = ""};
    FILE *stream = canvas->stream;
    bool lettered = text->kind == LW_DRAWN_LETTERED;
    set_frame(canvas, svg_of(canvas)->panel);
    if (lettered)
        fprintf(stream, "<g class=\"c%u\"><text", text->class);
    else
        fprintf(stream, "<text class=\"%s\"", classes[text->kind]);
    fprintf(stream, " x=\"%llu\" y=\"%llu\"", (number)text->x, (number)text->y);
    if (text->font < LW_FONT - .05)
        fprintf(stream, " font-size=\"%.1f\"", text->font);
    fputc('>', stream);
    lw_put_markup(stream, text->string);
    fputs(lettered ? "</text></g>\n" : "</text>\n", stream);
}

static void swatch(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class)
{
    fprintf(canvas->stream,
            "<rect class=\"c%u\" x=\"%llu\" y=\"%llu\" width=\"%d\" height=\"%d\"/>", class,
            (number)x, (number)y, LW_SWATCH, LW_SWATCH);
}

static void end_group(struct lw_canvas *canvas)
{
    fputs(svg_of(canvas)->group == UINT_MAX ? "" : "</g>\n", canvas->stream);
    svg_of(canvas)->group = UINT_MAX;
}

/* Neighbours of one class are one group. The cells of a first frame stay visible where others have what differs. */
static void begin_group(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    struct svg *s = svg_of(canvas);
    unsigned group = 2 * cell->class + cell->dim;
    if (group == s->group)
        return;
    end_group(canvas);
    set_frame(canvas, canvas->shares && s->panel == 1 ? 0 : s->panel);
    fprintf(canvas->stream, "<g class=\"c%u%s%s\"", cell->class, cell->list ? "" : " m",
            cell->dim ? " d" : "");
    if (lw_panels_move(&canvas->panels) && canvas->boxes->font < LW_FONT - .05)
        fprintf(canvas->stream, " font-size=\"%.1f\"", canvas->boxes->font);
    fputc('>', canvas->stream);
    s->group = group;
}

static void put_cell(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    FILE *stream = canvas->stream;
    begin_group(canvas, cell);
    fprintf(stream, "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%llu\"/>",
            (number)cell->left, (number)cell->top, (number)cell->width, (number)cell->height);
    if (!*cell->first)
        return;
    fprintf(stream, "<text x=\"%llu\" y=\"%llu\">", (number)cell->x, (number)cell->y);
    lw_put_markup(stream, cell->first);
    if (*cell->second) {
        fprintf(stream, "<tspan x=\"%llu\" dy=\"%llu\">", (number)cell->x, (number)cell->apart);
        lw_put_markup(stream, cell->second);
        fputs("</tspan>", stream);
    }
    fputs("</text>", stream);
}

static void stroke(struct lw_canvas *canvas, enum lw_stroke_kind kind, uint64_t x, uint64_t y,
                   uint64_t width, uint64_t height)
{
    struct lw_text *path = &svg_of(canvas)->path;
    if (kind == LW_STROKE_MARK)
        lw_text_format(path, "M%llu %lluh%lluv%lluh-%lluz", (number)x, (number)y, (number)width,
                       (number)height, (number)width);
    else if (width)
        lw_text_format(path, "M%llu %lluH%llu", (number)x, (number)y, (number)(x + width));
    else
        lw_text_format(path, "M%llu %lluV%llu", (number)x, (number)y, (number)(y + height));
}

static void end_strokes(struct lw_canvas *canvas, enum lw_stroke_kind kind)
{
    struct lw_text *path = &svg_of(canvas)->path;
    static const char *const classes[] = {
        [LW_STROKE_TILE] = "b", [LW_STROKE_WARP] = "b h", [LW_STROKE_MARK] = "k"};
    set_frame(canvas, svg_of(canvas)->panel);
    if (path->length)
        fprintf(canvas->stream, "<path class=\"%s\" d=\"%s\"/>\n", classes[kind],
                lw_text_string(path));
    lw_text_clear(path);
}

/* Sets the size of the texts of cells; lines between very small cells are faint, as they would cover most of it. */
static void begin_grid(struct lw_canvas *canvas, const struct lw_box *box)
{
    if (lw_panels_move(&canvas->panels)) /* all frames have the same size */
        return;
    fprintf(canvas->stream, box->cell < LW_FINE && !box->list ? "<g class=\"n\"" : "<g");
    if (box->lines && box->font < LW_FONT - .05)
        fprintf(canvas->stream, " font-size=\"%.1f\"", box->font);
    fputs(">\n", canvas->stream);
}

static void end_grid(struct lw_canvas *canvas, LW_UNUSED const struct lw_box *box)
{
    fputs(lw_panels_move(&canvas->panels) ? "" : "</g>\n", canvas->stream);
}

static void begin_panel(struct lw_canvas *canvas, size_t i)
{
    svg_of(canvas)->panel = lw_panels_move(&canvas->panels) ? i + 1 : 0;
}

static void end_panel(struct lw_canvas *canvas, LW_UNUSED size_t i)
{
    svg_of(canvas)->panel = 0;
    set_frame(canvas, 0);
}

static const struct lw_canvas_type canvas_type = {.text = put_text,
                                                  .swatch = swatch,
                                                  .cell = put_cell,
                                                  .end_row = end_group,
                                                  .stroke = stroke,
                                                  .end_strokes = end_strokes,
                                                  .begin_panel = begin_panel,
                                                  .end_panel = end_panel,
                                                  .begin_grid = begin_grid,
                                                  .end_grid = end_grid};

/* ---- Around them ---- */

/* Rules of colours are of one palette: a page may have several pictures, each with its own. Elements inside a group of
 * a class inherit its fill. */
static void put_colors(struct svg *s, const char *root, const char *name)
{
    FILE *stream = s->canvas.stream;
    const struct lw_palette *palette = lw_palette_find(name);
    fprintf(stream,
            "%s .p{fill:#%06x;stroke:#%06x}%s rect{stroke:#%06x}"
            "%s .t,%s .w{fill:#%06x}%s .b,%s .k{stroke:#%06x}",
            root, (unsigned)palette->paper, (unsigned)palette->rule, root, (unsigned)palette->rule,
            root, root, (unsigned)palette->letters, root, root, (unsigned)palette->letters);
    fprintf(stream, "%s .l,%s g.d text{fill:#%06x}\n", root, root,
            (unsigned)lw_palette_tint(palette, LW_INK_HEAD).letters);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        struct lw_tint tint = lw_palette_tint(palette, class);
        if (s->canvas.seen[class])
            fprintf(stream, "%s .c%u{fill:#%06x}%s .c%u text{fill:#%06x}\n", root, class,
                    (unsigned)tint.fill, root, class, (unsigned)tint.letters);
    }
}

void lw_put_title(struct lw_canvas *canvas)
{
    const struct lw_view *view = canvas->panels.panel->view;
    const char *title = lw_picture_title(view, canvas->options);
    struct lw_text head = {0};
    lw_put_markup(canvas->stream, *title ? title : view->type->title);
    lw_fetch_head(view, canvas->options, title, &head);
    fputs(head.length ? ": " : "", canvas->stream);
    lw_put_markup(canvas->stream, lw_text_string(&head));
    canvas->failed = canvas->failed || head.failed;
    lw_text_free(&head);
}

static void put_opening(struct svg *s)
{
    const struct lw_canvas *canvas = &s->canvas;
    const struct lw_export_palette *palette = lw_find_palette(canvas->options->palette);
    const struct lw_view *view = canvas->panels.panel->view;
    const bool moves = lw_panels_move(&canvas->panels);
    char root[32];
    const char *about = view->subject->about;
    FILE *stream = canvas->stream;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"laneway laneway-%s\" "
            "width=\"%llu\" height=\"%llu\" viewBox=\"0 0 %llu %llu\" role=\"img\" "
            "xml:space=\"preserve\">\n"
            "<title>",
            palette->name, (number)canvas->width, (number)canvas->height, (number)canvas->width,
            (number)canvas->height);
    lw_put_title(&s->canvas);
    fputs("</title>\n<desc>", stream);
    /* "4 x 8 cells: the tensor, and the owners of each element." */
    const size_t count = canvas->panels.count, described = moves ? 1 : count;
    for (size_t i = 0; i < described; i++) {
        const struct lw_panel *panel = &canvas->panels.panel[i];
        fputs(i ? " " : "", stream);
        if (described > 1 && panel->title.length) {
            lw_put_markup(stream, lw_text_string(&panel->title));
            fputs(": ", stream);
        }
        fprintf(stream,
                "%llu x %llu cells: ", (number)(panel->options.row_to - panel->options.row_from),
                (number)(panel->options.col_to - panel->options.col_from));
        lw_put_markup(stream, panel->view->type->help);
        fputc('.', stream);
    }
    about = about && !canvas->options->no_about ? about : "";
    fputs(*about ? " " : "", stream);
    lw_put_markup(stream, about);
    fputs("</desc>\n", stream);
    fputs("<style>\n"
          ".laneway{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans "
          "Mono',monospace}\n"
          ".laneway .t{font-weight:bold}.laneway .m{text-anchor:middle}"
          ".laneway .e{text-anchor:end}.laneway .d rect{fill-opacity:.25}"
          ".laneway .b{fill:none;stroke-width:1.5}.laneway .h{stroke-width:3}.laneway "
          ".k{fill:none;stroke-width:2.5}.laneway .n rect{stroke-opacity:.25}"
          ".laneway .n .b{stroke-width:.75}.laneway .n .h{stroke-width:1.5}\n",
          stream);
    snprintf(root, sizeof root, ".laneway-%s", palette->name);
    put_colors(s, root, palette->light);
    if (palette->dark) {
        fputs("@media (prefers-color-scheme:dark){\n", stream);
        put_colors(s, root, palette->dark);
        fputs("}\n", stream);
    }
    if (moves) /* each frame for one second; where the reader has turned motion off, the first */
        fprintf(stream,
                "@keyframes laneway-%zu{0%%{visibility:visible}%.4f%%{visibility:hidden}}\n"
                ".laneway .f:not(.o){visibility:hidden}\n"
                "@media (prefers-reduced-motion:no-preference){.laneway .f{"
                "visibility:hidden;animation:laneway-%zu %zus step-end infinite}}\n",
                count, 100.0 / (double)count, count, count);
    fputs("</style>\n", stream);
    fprintf(stream,
            "<g transform=\"translate(.5 .5)\" font-size=\"%d\">\n"
            "<rect class=\"p\" width=\"%llu\" height=\"%llu\" rx=\"6\"/>\n",
            LW_FONT, (number)canvas->width - 1, (number)canvas->height - 1);
}

void lw_draw_svg(struct lw_canvas *canvas)
{
    struct svg s = {.canvas = *canvas, .group = UINT_MAX};
    s.canvas.type = &canvas_type;
    put_opening(&s);
    lw_canvas_draw(&s.canvas);
    fputs("</g>\n</svg>\n", canvas->stream);
    canvas->failed = s.canvas.failed || s.path.failed;
    lw_text_free(&s.path);
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct lw_canvas canvas = {.options = options, .stream = stream};
    if (!lw_canvas_open(&canvas, views, count, err))
        return false;
    lw_draw_svg(&canvas);
    return lw_canvas_close(&canvas, err);
}

const struct lw_format lw_format_svg = {
    .name = "svg",
    .marks = true,
    .extension = "svg",
    .help = "a picture for documents, light or dark",
    .cells = (uint64_t)1 << 16,
    .moves = true,
    .colors = true,
    .write_panels = write_panels,
};
