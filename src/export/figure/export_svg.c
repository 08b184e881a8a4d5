/* svg: a picture for documents. It has its own background, light or dark by the reader's colour scheme, so that it is
 * readable on any page; programs that ignore the style for dark schemes show it light. Lines are at half pixels, so
 * that they are sharp. */

#include "export/figure/raster.h"
#include "export/figure/canvas.h"
#include "export/figure/svg_frames.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct svg {
    struct lw_canvas canvas;
    struct lw_text text, path;
    unsigned group; /* the class of the cells of the group that is open; UINT_MAX: none is */
    struct lw_svg_frames frames;
    FILE *picture; /* the stream that the frames will be written to */
    char *frame;   /* the frame that is drawn now */
    size_t frame_length;
};

typedef unsigned long long number;

static struct svg *svg_of(struct lw_canvas *canvas)
{
    return (struct svg *)canvas;
}

/* ---- Texts ---- */

/* A text without a class has no blank after its tag's name. */
static void put_text(FILE *stream, const char *class, uint64_t x, uint64_t y, const char *text)
{
    fprintf(stream, *class ? "<text class=\"%s\"" : "<text", class);
    fprintf(stream, " x=\"%llu\" y=\"%llu\">", (number)x, (number)y);
    lw_put_markup(stream, text);
    fputs("</text>", stream);
}

static void words(struct lw_canvas *canvas, enum lw_words_kind kind, uint64_t x, uint64_t y,
                  const char *line)
{
    static const char *const classes[] = {
        [LW_WORDS_TITLE] = "t", [LW_WORDS_HEAD] = "l", [LW_WORDS_CAPTION] = "w"};
    put_text(canvas->stream, classes[kind], x, y, line);
    fputc('\n', canvas->stream);
}

static void entry(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text)
{
    put_text(canvas->stream, "l", x, y, text);
    fputc('\n', canvas->stream);
}

static void lettered(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class,
                     const char *text)
{
    fprintf(canvas->stream, "<g class=\"c%u\">", class);
    put_text(canvas->stream, "", x, y, text);
    fputs("</g>\n", canvas->stream);
}

static void swatch(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class)
{
    fprintf(canvas->stream,
            "<rect class=\"c%u\" x=\"%llu\" y=\"%llu\" width=\"%d\" height=\"%d\"/>", class,
            (number)x, (number)y, LW_SWATCH, LW_SWATCH);
}

/* A size in tenths of a pixel. */
static unsigned tenths(double font)
{
    return (unsigned)(font * 10 + .5);
}

static void begin_header(struct lw_canvas *canvas, const struct lw_geometry *geometry)
{
    fputs(geometry->measure.list ? "<g class=\"l\"" : "<g class=\"l m", canvas->stream);
    if (!geometry->measure.list && geometry->head < LW_FONT - .05)
        fprintf(canvas->stream, " z%u", tenths(geometry->head));
    fputs(geometry->measure.list ? ">" : "\">", canvas->stream);
}

static void column_label(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text)
{
    put_text(canvas->stream, "", x, y, text);
}

static void end_header(struct lw_canvas *canvas)
{
    fputs("</g>\n", canvas->stream);
}

static void row_label(struct lw_canvas *canvas, const struct lw_geometry *geometry, uint64_t right,
                      uint64_t y, const char *text)
{
    char class[32];
    snprintf(class, sizeof class, geometry->side < LW_FONT - .05 ? "l e z%u" : "l e",
             tenths(geometry->side));
    put_text(canvas->stream, class, right, y, text);
}

/* ---- Cells ---- */

static void put_cell_text(FILE *stream, const struct lw_drawn_cell *cell)
{
    if (!*cell->first)
        return;
    if (!*cell->second) {
        put_text(stream, "", cell->x, cell->y, cell->first);
        return;
    }
    fprintf(stream, "<text x=\"%llu\" y=\"%llu\">", (number)cell->x, (number)cell->y);
    lw_put_markup(stream, cell->first);
    fprintf(stream, "<tspan x=\"%llu\" dy=\"%llu\">", (number)cell->x, (number)cell->apart);
    lw_put_markup(stream, cell->second);
    fputs("</tspan></text>", stream);
}

/* Neighbours of one class are one group. */
static void put_cell(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    struct svg *s = svg_of(canvas);
    unsigned group = 2 * cell->class + cell->dim;
    if (group != s->group)
        fprintf(canvas->stream, "%s<g class=\"c%u%s%s\">", s->group == UINT_MAX ? "" : "</g>",
                cell->class, cell->list ? "" : " m", cell->dim ? " d" : "");
    s->group = group;
    fprintf(canvas->stream, "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%llu\"/>",
            (number)cell->left, (number)cell->top, (number)cell->width, (number)cell->height);
    put_cell_text(canvas->stream, cell);
}

static void end_row(struct lw_canvas *canvas)
{
    fputs(svg_of(canvas)->group == UINT_MAX ? "\n" : "</g>\n", canvas->stream);
    svg_of(canvas)->group = UINT_MAX;
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
    if (path->length)
        fprintf(canvas->stream, "<path class=\"%s\" d=\"%s\"/>\n", classes[kind],
                lw_text_string(path));
    lw_text_clear(path);
}

/* ---- Panels ---- */

static void begin_panel(struct lw_canvas *canvas, size_t i)
{
    struct svg *s = svg_of(canvas);
    (void)i;
    if (!lw_canvas_moves(canvas) || s->frames.failed)
        return;
    FILE *memory = open_memstream(&s->frame, &s->frame_length);
    s->frames.failed = !memory;
    if (memory)
        canvas->stream = memory;
}

static void end_panel(struct lw_canvas *canvas, size_t i)
{
    struct svg *s = svg_of(canvas);
    if (canvas->stream == s->picture)
        return;
    s->frames.failed = fclose(canvas->stream) != 0 || s->frames.failed;
    canvas->stream = s->picture;
    if (!s->frames.failed)
        lw_svg_frames_add(&s->frames, s->frame, i);
    free(s->frame);
    s->frame = NULL;
}

/* Whether the texts of cells are smaller than others. */
static bool is_smaller(const struct lw_canvas *canvas, size_t i)
{
    const struct lw_geometry *m = &canvas->panels.panel[i].geometry;
    return m->lines && m->font < LW_FONT - .05;
}

/* Whether cells are so small that the lines between them would cover most of the figure. */
static bool is_fine(const struct lw_canvas *canvas, size_t i)
{
    return canvas->panels.panel[i].geometry.cell[0] < LW_FINE;
}

static unsigned size_class(const struct lw_canvas *canvas, size_t i)
{
    return tenths(canvas->panels.panel[i].geometry.font);
}

static void begin_cells(struct lw_canvas *canvas, size_t i)
{
    if (is_smaller(canvas, i))
        fprintf(canvas->stream, "<g class=\"s%u\">", size_class(canvas, i));
    else if (is_fine(canvas, i))
        fputs("<g class=\"n\">", canvas->stream);
}

static void end_cells(struct lw_canvas *canvas, size_t i)
{
    fputs(is_smaller(canvas, i) || is_fine(canvas, i) ? "</g>\n" : "", canvas->stream);
}

static const struct lw_canvas_type canvas_type = {.words = words,
                                                  .entry = entry,
                                                  .lettered = lettered,
                                                  .swatch = swatch,
                                                  .begin_panel = begin_panel,
                                                  .begin_cells = begin_cells,
                                                  .end_cells = end_cells,
                                                  .end_panel = end_panel,
                                                  .begin_header = begin_header,
                                                  .column_label = column_label,
                                                  .end_header = end_header,
                                                  .row_label = row_label,
                                                  .cell = put_cell,
                                                  .end_row = end_row,
                                                  .stroke = stroke,
                                                  .end_strokes = end_strokes};

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
    fprintf(stream, "%s .l,%s g.d text{fill:", root, root);
    lw_put_rgb(stream, lw_palette_tint(palette, LW_INK_HEAD).letters);
    fputs("}\n", stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        if (!s->canvas.panels.legend.seen[class])
            continue;
        struct lw_tint tint = lw_palette_tint(palette, class);
        fprintf(stream, "%s .c%u{fill:", root, class);
        lw_put_rgb(stream, tint.fill);
        fprintf(stream, "}%s .c%u text{fill:", root, class);
        lw_put_rgb(stream, tint.letters);
        fputs("}\n", stream);
    }
}

/* Labels of columns are in a group with the class, labels of rows have the class themselves. */
static void put_label_size(FILE *stream, double font)
{
    if (font < LW_FONT - .05)
        fprintf(stream, ".laneway .z%u text,.laneway text.z%u{font-size:%.1fpx}\n", tenths(font),
                tenths(font), tenths(font) / 10.0);
}

/* A size of text that several panels have is written once. */
static void put_sizes(const struct lw_canvas *canvas)
{
    for (size_t i = 0; i < canvas->panels.count; i++) {
        const struct lw_geometry *m = &canvas->panels.panel[i].geometry;
        size_t first = 0;
        put_label_size(canvas->stream, m->head);
        if (fabs(m->side - m->head) > .05)
            put_label_size(canvas->stream, m->side);
        while (first < i &&
               !(is_smaller(canvas, first) && size_class(canvas, first) == size_class(canvas, i)))
            first++;
        if (first == i && is_smaller(canvas, i))
            fprintf(canvas->stream, ".laneway .s%u g:not(.l) text{font-size:%.1fpx}\n",
                    size_class(canvas, i), size_class(canvas, i) / 10.0);
    }
}

static void put_style(struct svg *s)
{
    const struct lw_export_palette *palette = lw_find_palette(s->canvas.options->palette);
    char root[32];
    fputs("<style>\n"
          ".laneway text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans "
          "Mono',monospace}\n"
          ".laneway .t{font-weight:bold}.laneway .m{text-anchor:middle}"
          ".laneway .e{text-anchor:end}.laneway .d rect{fill-opacity:.25}"
          ".laneway .b{fill:none;stroke-width:1.5}.laneway .h{stroke-width:3}.laneway "
          ".k{fill:none;stroke-width:2.5}.laneway .n rect{stroke-opacity:.25}"
          ".laneway .n .b{stroke-width:.75}.laneway .n .h{stroke-width:1.5}\n",
          s->canvas.stream);
    put_sizes(&s->canvas);
    snprintf(root, sizeof root, ".laneway-%s", palette->name);
    put_colors(s, root, palette->light);
    if (palette->dark) {
        fputs("@media (prefers-color-scheme:dark){\n", s->canvas.stream);
        put_colors(s, root, palette->dark);
        fputs("}\n", s->canvas.stream);
    }
    fputs("</style>\n", s->canvas.stream);
}

/* "4 x 8 cells: the tensor, and the owners of each element; 32 lanes -> 4 x 8, every element once." */
static void put_description(struct svg *s, const struct lw_panel *panel)
{
    bool several = s->canvas.panels.count > 1 && !lw_canvas_moves(&s->canvas);
    FILE *stream = s->canvas.stream;
    if (several) {
        fputs(panel > s->canvas.panels.panel ? " " : "", stream);
        lw_put_markup(stream, lw_text_string(&panel->title));
        fputs(panel->title.length ? ": " : "", stream);
    }
    fprintf(stream,
            "%llu x %llu cells: ", (number)(panel->options.row_to - panel->options.row_from),
            (number)(panel->options.col_to - panel->options.col_from));
    lw_put_markup(stream, panel->view->type->help);
    lw_fetch_summary(panel->view, &s->text);
    fputs("; ", stream);
    lw_put_markup(stream, lw_text_string(&s->text));
    fputc('.', stream);
}

static void put_opening(struct svg *s)
{
    const struct lw_panel *first = s->canvas.panels.panel;
    const struct lw_view *view = first->view;
    const char *title = lw_picture_title(view, s->canvas.options), *about = view->subject->about;
    fprintf(s->canvas.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"laneway laneway-%s\" "
            "width=\"%llu\" height=\"%llu\" viewBox=\"0 0 %llu %llu\" role=\"img\" "
            "xml:space=\"preserve\">\n"
            "<title>",
            lw_find_palette(s->canvas.options->palette)->name, (number)s->canvas.width,
            (number)s->canvas.height, (number)s->canvas.width, (number)s->canvas.height);
    lw_put_markup(s->canvas.stream, *title ? title : view->type->title);
    lw_fetch_head(view, s->canvas.options, title, &s->text);
    fputs(s->text.length ? ": " : "", s->canvas.stream);
    lw_put_markup(s->canvas.stream, lw_text_string(&s->text));
    fputs("</title>\n<desc>", s->canvas.stream);
    for (size_t i = 0; i < (lw_canvas_moves(&s->canvas) ? 1 : s->canvas.panels.count); i++)
        put_description(s, &s->canvas.panels.panel[i]);
    about = about && !s->canvas.options->no_about ? about : "";
    fputs(*about ? " " : "", s->canvas.stream);
    lw_put_markup(s->canvas.stream, about);
    fputs("</desc>\n", s->canvas.stream);
    put_style(s);
    fprintf(s->canvas.stream,
            "<g transform=\"translate(.5 .5)\">\n"
            "<rect class=\"p\" width=\"%llu\" height=\"%llu\" rx=\"6\"/>\n",
            (number)s->canvas.width - 1, (number)s->canvas.height - 1);
}

bool lw_svg_size(const struct lw_view *const *views, size_t count,
                 const struct lw_export_options *options, uint64_t size[2], struct lw_error *err)
{
    struct lw_canvas canvas = {.type = &canvas_type, .options = options};
    if (!lw_canvas_measure(&canvas, views, count, err))
        return false;
    size[0] = canvas.width;
    size[1] = canvas.height;
    lw_panels_free(&canvas.panels);
    return true;
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct svg s = {.canvas = {.type = &canvas_type, .options = options, .stream = stream},
                    .group = UINT_MAX,
                    .picture = stream};
    if (!lw_canvas_measure(&s.canvas, views, count, err))
        return false;
    put_opening(&s);
    bool good = lw_canvas_draw(&s.canvas, err), failed = s.frames.failed;
    if (lw_canvas_moves(&s.canvas) && !failed)
        lw_svg_frames_put(&s.frames, count, stream);
    fputs("</g>\n</svg>\n", stream);
    failed = failed || s.text.failed || s.path.failed;
    lw_svg_frames_free(&s.frames);
    lw_text_free(&s.text);
    lw_text_free(&s.path);
    lw_panels_free(&s.canvas.panels);
    return good && (!failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
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
