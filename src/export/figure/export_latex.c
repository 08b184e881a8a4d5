/* latex: a document with a drawing in TikZ, or the drawing alone. With a style that has LaTeX of its own, the output of
 * that. Lengths are in bp, of which 72 are an inch: 3/4 of a pixel. */

#include "core/text_escape.h"
#include "export/figure/canvas.h"
#include "export/output.h"

#include <string.h>

enum {
    WIDEST = 20700,   /* pixels: the longest length in TeX is 575 cm */
    CELLS_MAX = 2048, /* in all: as many as fit in the memory of TeX */
    LINE = 12         /* pt, from one line of text to the next */
};

struct latex {
    struct lw_canvas canvas;
    struct lw_text text;
};

/* Characters that pdflatex accepts only by their names. */
static const struct {
    const char *character, *name;
} named[] = {{"\xc2\xb7", "\\cdot"},      {"\xe2\x86\x92", "\\to"},   {"\xc3\x97", "\\times"},
             {"\xe2\x8a\x95", "\\oplus"}, {"\xe2\x89\xa4", "\\le"},   {"\xe2\x89\xa5", "\\ge"},
             {"\xe2\x88\x98", "\\circ"},  {"\xe2\x80\xa6", "\\ldots"}};

static size_t put_named(const char *text, FILE *stream)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strncmp(text, named[i].character, strlen(named[i].character))) {
            fprintf(stream, "$%s$", named[i].name);
            return strlen(named[i].character);
        }
    return 0;
}

/* Escapes a character that has a meaning in LaTeX, or is joined with the next one. */
static void put_byte(char byte, FILE *stream)
{
    if (strchr("&%$#_", byte))
        fprintf(stream, "\\%c", byte);
    else if (strchr("~^\\{}\"'`<>|-,?!", byte))
        fprintf(stream, "\\ch{%d}", byte);
    else
        fputc(byte, stream);
}

/* Escapes characters that are not printable as in the other formats, then for LaTeX. */
static void put_text(const char *text, FILE *stream)
{
    for (int length = 0; *text; text += length) {
        char escaped[LW_ESCAPE_MAX];
        length = (int)put_named(text, stream);
        if (length)
            continue;
        if (*text == '\n' || *text == '\t') {
            fputs("\\ch{32}", stream);
            length = 1;
        } else if (lw_text_escape_next(text, &length, escaped)) {
            for (const char *p = escaped; *p; p++)
                put_byte(*p, stream);
        } else {
            for (int i = 0; i < length; i++)
                put_byte(text[i], stream);
        }
    }
}

/* ---- Parts ---- */

static void put_length(FILE *stream, uint64_t pixels)
{
    fprintf(stream, "%llu.%02llu", (unsigned long long)(pixels * 75 / 100),
            (unsigned long long)(pixels * 75 % 100));
}

/* {x}{y} */
static void put_point(FILE *stream, uint64_t x, uint64_t y)
{
    fputc('{', stream);
    put_length(stream, x);
    fputs("}{", stream);
    put_length(stream, y);
    fputc('}', stream);
}

/* \name{x}{y}{text} */
static void put_text_at(FILE *stream, const char *name, uint64_t x, uint64_t y, const char *text)
{
    fprintf(stream, "\\%s", name);
    put_point(stream, x, y);
    fputc('{', stream);
    put_text(text, stream);
    fputs("}\n", stream);
}

static void words(struct lw_canvas *canvas, enum lw_words_kind kind, uint64_t x, uint64_t y,
                  const char *line)
{
    static const char *const names[] = {
        [LW_WORDS_TITLE] = "title", [LW_WORDS_HEAD] = "words", [LW_WORDS_CAPTION] = "below"};
    put_text_at(canvas->stream, names[kind], x, y, line);
}

static void entry(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text)
{
    put_text_at(canvas->stream, "words", x, y, text);
}

static void lettered(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class,
                     const char *text)
{
    fprintf(canvas->stream, "\\def\\class{%u}", class);
    fputs("\\def\\cellscale{1}", canvas->stream);
    put_text_at(canvas->stream, "listed", x, y, text);
}

static void swatch(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class)
{
    fprintf(canvas->stream, "\\swatch{%u}", class);
    put_point(canvas->stream, x, y);
}

static void begin_header(struct lw_canvas *canvas, const struct lw_geometry *geometry)
{
    fprintf(canvas->stream, "\\def\\cellscale{%.3f}\\let\\collabel\\%s\n", geometry->head / LW_FONT,
            geometry->measure.list ? "words" : "middle");
}

static void column_label(struct lw_canvas *canvas, uint64_t x, uint64_t y, const char *text)
{
    put_text_at(canvas->stream, "collabel", x, y, text);
}

static void end_header(struct lw_canvas *canvas)
{
    fputs("\\let\\cellscale\\gridscale\n", canvas->stream);
}

static void row_label(struct lw_canvas *canvas, const struct lw_geometry *geometry, uint64_t right,
                      uint64_t y, const char *text)
{
    fprintf(canvas->stream, "\\def\\cellscale{%.3f}", geometry->side / LW_FONT);
    put_text_at(canvas->stream, "rowlabel", right, y, text);
    fputs("\\let\\cellscale\\gridscale\n", canvas->stream);
}

/* \cell{class}{x}{y}{width}, and its text on top. */
static void put_cell(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    FILE *stream = canvas->stream;
    fprintf(stream, "\\cell{%s%u}", cell->dim ? "d" : "", cell->class);
    put_point(stream, cell->left, cell->top);
    fputc('{', stream);
    put_length(stream, cell->width);
    fputs(*cell->first ? "}" : "}\n", stream);
    if (*cell->first)
        put_text_at(stream, "put", cell->x, cell->y, cell->first);
    if (*cell->second)
        put_text_at(stream, "put", cell->x, cell->y + cell->apart, cell->second);
}

static void stroke(struct lw_canvas *canvas, enum lw_stroke_kind kind, uint64_t x, uint64_t y,
                   uint64_t width, uint64_t height)
{
    static const char *const macros[] = {[LW_STROKE_TILE] = "\\heavy",
                                         [LW_STROKE_WARP] = "\\heaviest",
                                         [LW_STROKE_MARK] = "\\framed"};
    fputs(macros[kind], canvas->stream);
    put_point(canvas->stream, x, y);
    put_point(canvas->stream, width, height);
    fputc('\n', canvas->stream);
}

static void begin_panel(struct lw_canvas *canvas, size_t i)
{
    fputs(canvas->panels.count > 1 ? "% a panel\n" : "", canvas->stream);
    (void)i;
}

/* The height of the cells of a panel, and the size of their texts. */
static void begin_cells(struct lw_canvas *canvas, size_t i)
{
    const struct lw_geometry *m = &canvas->panels.panel[i].geometry;
    FILE *stream = canvas->stream;
    fputs("\\def\\cellheight{", stream);
    put_length(stream, m->height);
    fprintf(stream,
            "bp}\\def\\gridscale{%.3f}\\let\\cellscale\\gridscale\\let\\put\\%s\\pgfsetlinewidth{%"
            "sbp}\n",
            m->lines ? m->font / LW_FONT : 1, m->measure.list ? "listed" : "centred",
            m->cell[0] < LW_FINE ? ".1" : ".4");
    fprintf(stream, "\\def\\heavy{\\stroked{%sbp}}\\def\\heaviest{\\stroked{%sbp}}\n",
            m->cell[0] < LW_FINE ? ".5" : "1.1", m->cell[0] < LW_FINE ? "1" : "2.2");
}

static const struct lw_canvas_type canvas_type = {.words = words,
                                                  .entry = entry,
                                                  .lettered = lettered,
                                                  .swatch = swatch,
                                                  .begin_panel = begin_panel,
                                                  .begin_cells = begin_cells,
                                                  .begin_header = begin_header,
                                                  .end_header = end_header,
                                                  .column_label = column_label,
                                                  .row_label = row_label,
                                                  .cell = put_cell,
                                                  .stroke = stroke};

/* ---- Around them ---- */

static void put_color(FILE *stream, const char *kind, unsigned class, uint32_t rgb)
{
    fprintf(stream, "\\definecolor{%s%u}{HTML}{%06X}", kind, class, (unsigned)rgb);
}

/* Each line of the text as a comment. */
static bool has_faint_cells(const struct lw_canvas *canvas)
{
    return canvas->options->highlight && !canvas->options->no_dim;
}

/* A mixture of a quarter of a colour and three quarters of paper. */
static uint32_t pale(uint32_t rgb, uint32_t paper)
{
    uint32_t mixed = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
        mixed |= ((rgb >> shift & 255) + 3 * (paper >> shift & 255)) / 4 << shift;
    return mixed;
}

/* Letters (t) and fills (f) of each class; pale ones for cells that are not highlighted; then rules, text and paper. */
static void put_colors(const struct latex *l)
{
    const struct lw_canvas *canvas = &l->canvas;
    const struct lw_palette *light =
        lw_palette_find(lw_find_palette(canvas->options->palette)->light);
    FILE *stream = canvas->stream;
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++)
        if (canvas->panels.legend.seen[class]) {
            struct lw_tint tint = lw_palette_tint(light, class);
            put_color(stream, "f", class, tint.fill);
            put_color(stream, "t", class, tint.letters);
            fputs("%\n", stream);
            if (!has_faint_cells(canvas))
                continue;
            put_color(stream, "fd", class, pale(tint.fill, light->paper));
            put_color(stream, "td", class, lw_palette_tint(light, LW_INK_HEAD).letters);
            fputs("%\n", stream);
        }
    put_color(stream, "r", 0, light->rule);
    put_color(stream, "l", 0, lw_palette_tint(light, LW_INK_HEAD).letters);
    put_color(stream, "w", 0, light->letters);
    put_color(stream, "p", 0, light->paper);
    fputs("%\n", stream);
}

/* The commands of a drawing; in a fragment they hold inside its braces alone. */
static void put_commands(FILE *stream)
{
    fputs("\\def\\ch#1{{\\ttfamily\\char#1}}\n"
          "% x, y, text\n"
          "\\def\\title#1#2#3{\\pgftext[left,base,at=\\pgfqpoint{#1bp}{-#2bp}]"
          "{\\normalsize\\rmfamily\\bfseries\\color{w0}#3}}\n"
          "\\def\\words#1#2#3{\\pgftext[left,base,at=\\pgfqpoint{#1bp}{-#2bp}]{\\color{l0}#3}}\n"
          "\\def\\below#1#2#3{\\pgftext[left,base,at=\\pgfqpoint{#1bp}{-#2bp}]{\\color{w0}#3}}\n"
          "\\def\\middle#1#2#3{\\pgftext[base,at=\\pgfqpoint{#1bp}{-#2bp}]"
          "{\\scalebox{\\cellscale}{\\color{l0}#3}}}\n"
          "\\def\\rowlabel#1#2#3{\\pgftext[right,base,at=\\pgfqpoint{#1bp}{-#2bp}]"
          "{\\scalebox{\\cellscale}{\\color{l0}#3}}}\n"
          "\\def\\centred#1#2#3{\\pgftext[base,at=\\pgfqpoint{#1bp}{-#2bp}]"
          "{\\scalebox{\\cellscale}{\\color{t\\class}#3}}}\n"
          "\\def\\listed#1#2#3{\\pgftext[left,base,at=\\pgfqpoint{#1bp}{-#2bp}]"
          "{\\scalebox{\\cellscale}{\\color{t\\class}#3}}}\n"
          "% class, x, y, width\n"
          "\\def\\cell#1#2#3#4{\\def\\class{#1}\\pgfsetfillcolor{f#1}\\pgfpathrectangle"
          "{\\pgfqpoint{#2bp}{-#3bp}}{\\pgfqpoint{#4bp}{-\\cellheight}}\\pgfusepath{fill,stroke}}\n"
          "\\def\\swatch#1#2#3{\\pgfsetfillcolor{f#1}\\pgfpathrectangle"
          "{\\pgfqpoint{#2bp}{-#3bp}}{\\pgfqpoint{10.5bp}{-10.5bp}}\\pgfusepath{fill,stroke}}\n"
          "% x, y, width, height\n"
          "\\def\\stroked#1#2#3#4#5{\\pgfscope\\pgfsetlinewidth{#1}\\pgfsetstrokecolor{w0}"
          "\\pgfpathmoveto{\\pgfqpoint{#2bp}{-#3bp}}\\pgfpathlineto{\\pgfqpoint"
          "{\\dimexpr#2bp+#4bp}{\\dimexpr-#3bp-#5bp}}\\pgfusepath{stroke}\\endpgfscope}\n"
          "\\def\\framed#1#2#3#4{\\pgfscope\\pgfsetlinewidth{1.9bp}\\pgfsetstrokecolor{w0}"
          "\\pgfpathrectangle{\\pgfqpoint{#1bp}{-#2bp}}{\\pgfqpoint{#3bp}{-#4bp}}"
          "\\pgfusepath{stroke}\\endpgfscope}\n",
          stream);
}

static void put_preamble(struct latex *l)
{
    struct lw_canvas *canvas = &l->canvas;
    const struct lw_export_options *o = canvas->options;
    const struct lw_view *view = canvas->panels.panel[0].view;
    FILE *stream = canvas->stream;
    lw_fetch_head(view, o, "", &l->text);
    lw_write_lines(stream, "% ", lw_text_string(&l->text));
    lw_write_lines(stream, "% ", o->fragment ? "needs \\usepackage{tikz}" : "");
    lw_write_lines(stream, "% ", lw_figure_about(view, o));
    fputs(o->fragment ? "\\begingroup%\n\\setbox0\\hbox{%\n"
                      : "\\documentclass[border=2mm]{standalone}\n\\usepackage{tikz}\n",
          stream);
    put_colors(l);
    fputs(o->fragment ? "" : "\\begin{document}\n", stream);
    fputs("\\begin{tikzpicture}\\frenchspacing\n", stream);
    put_commands(stream);
    fprintf(stream, "\\fontsize{10}{%d}\\ttfamily\\pgfsetstrokecolor{r0}\n", LINE);
}

/* Counts the cells too: TeX keeps a page in memory. */
static bool fits(const struct lw_canvas *canvas, struct lw_error *err)
{
    const struct lw_export_options *o = canvas->options;
    uint64_t cells = 0;
    for (size_t i = 0; i < canvas->panels.count; i++) {
        const struct lw_export_options *own = &canvas->panels.panel[i].options;
        cells += (own->row_to - own->row_from) * (own->col_to - own->col_from);
    }
    const char *choose = o->choose ? o->choose : "";
    if (cells > CELLS_MAX && !o->all)
        return lw_error_set(err, LW_ERROR_LIMIT, "%llu cells: TeX has room for %d%s%s",
                            (unsigned long long)cells, CELLS_MAX, *choose ? ": " : "", choose);
    return (canvas->width <= WIDEST && canvas->height <= WIDEST) ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "a figure of %llu x %llu pixels: TeX draws at most %d%s%s",
                        (unsigned long long)canvas->width, (unsigned long long)canvas->height,
                        WIDEST, *choose ? ": " : "", choose);
}

static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct latex l = {.canvas = {.type = &canvas_type, .options = options, .stream = stream}};
    if (!lw_canvas_measure(&l.canvas, views, count, err))
        return false;
    bool good = fits(&l.canvas, err);
    if (good) {
        put_preamble(&l);
        good = lw_canvas_draw(&l.canvas, err);
        fputs(options->fragment
                  ? "\\end{tikzpicture}}%\n% no wider than the column\n"
                    "\\ifvmode\\noindent\\fi\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}"
                    "{\\box0}\\else\\box0\\fi\n\\endgroup\n"
                  : "\\end{tikzpicture}\n\\end{document}\n",
              stream);
    }
    bool failed = l.text.failed;
    lw_text_free(&l.text);
    lw_panels_free(&l.canvas.panels);
    return good && (!failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}

static bool write_latex(const struct lw_view *view, const struct lw_export_options *options,
                        FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = options->style ? lw_style_find(options->style) : NULL;
    return style && style->latex ? style->latex(view, options, stream, err)
                                 : write_panels(&view, 1, options, stream, err);
}

const struct lw_format lw_format_latex = {
    .name = "latex",
    .marks = true,
    .extension = "tex",
    .help = "a document of LaTeX with a drawing in TikZ; --style cute: CuTe's print_latex",
    .cells = CELLS_MAX,
    .colors = true,
    .write = write_latex,
    .write_panels = write_panels,
};
