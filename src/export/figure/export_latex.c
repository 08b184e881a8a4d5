/* latex: a document with a drawing in TikZ, or the drawing alone. With a style that has LaTeX of its own, the output of
 * that. Lengths are in bp, of which 72 are an inch: 3/4 of a pixel. */

#include "core/text_escape.h"
#include "export/figure/canvas.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDEST = 20700,   /* pixels: the longest length in TeX is 575 cm */
    CELLS_MAX = 2048, /* in all: as many as fit in the memory of TeX */
    LINE = 12         /* pt, from one line of text to the next */
};

struct latex {
    struct lw_canvas canvas;
    struct lw_text text;
    char foreign[8]; /* a character that pdflatex does not have; "": there is none so far */
};

static struct latex *latex_of(struct lw_canvas *canvas)
{
    return (struct latex *)canvas;
}

/* Characters that pdflatex accepts only by their names. */
static const struct {
    const char *character, *name;
} named[] = {{"\xc2\xb7", "\\cdot"},      {"\xe2\x86\x92", "\\to"},   {"\xc3\x97", "\\times"},
             {"\xe2\x8a\x95", "\\oplus"}, {"\xe2\x89\xa4", "\\le"},   {"\xe2\x89\xa5", "\\ge"},
             {"\xe2\x88\x98", "\\circ"},  {"\xe2\x80\xa6", "\\ldots"}};

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

/* Escapes characters that are not printable as in the other formats, then for LaTeX. Without a package pdflatex has the
 * letters of Western European languages in its fonts. */
static void put_escaped(struct latex *l, const char *text)
{
    FILE *stream = l->canvas.stream;
    for (int length; *text; text += length) {
        char escaped[LW_ESCAPE_MAX];
        size_t name = 0;
        while (name < sizeof named / sizeof *named &&
               strncmp(text, named[name].character, strlen(named[name].character)) != 0)
            name++;
        if (name < sizeof named / sizeof *named) {
            fprintf(stream, "$%s$", named[name].name);
            length = (int)strlen(named[name].character);
        } else if (*text == '\n' || *text == '\t') {
            fputs("\\ch{32}", stream);
            length = 1;
        } else if (lw_text_escape_next(text, &length, escaped)) {
            for (const char *p = escaped; *p; p++)
                put_byte(*p, stream);
        } else {
            const uint32_t code = lw_text_decode(text, &length);
            const bool western =
                code < 128 || (code >= 0xc0 && code <= 0xff && code != 0xd0 && code != 0xde &&
                               code != 0xf0 && code != 0xfe && code != 0xf7);
            if (!western)
                snprintf(l->foreign, sizeof l->foreign, "%.*s", length, text);
            for (int i = 0; i < length; i++)
                put_byte(text[i], stream);
        }
    }
}

/* ---- Parts ---- */

/* {x}{y} */
static void put_point(FILE *stream, uint64_t x, uint64_t y)
{
    fprintf(stream, "{%.2f}{%.2f}", (double)x * .75, (double)y * .75);
}

/* \name{x}{y}{text} */
static void put_text_at(struct latex *l, const char *name, uint64_t x, uint64_t y, const char *text)
{
    FILE *stream = l->canvas.stream;
    fprintf(stream, "\\%s", name);
    put_point(stream, x, y);
    fputc('{', stream);
    put_escaped(l, text);
    fputs("}\n", stream);
}

static void put_text(struct lw_canvas *canvas, const struct lw_drawn_text *text)
{
    static const char *const names[] = {
        [LW_DRAWN_TITLE] = "title",   [LW_DRAWN_WORDS] = "words",  [LW_DRAWN_CAPTION] = "below",
        [LW_DRAWN_COLUMN] = "middle", [LW_DRAWN_ROW] = "rowlabel", [LW_DRAWN_LETTERED] = "listed"};
    bool scaled = text->kind >= LW_DRAWN_COLUMN;
    if (text->kind == LW_DRAWN_LETTERED)
        fprintf(canvas->stream, "\\def\\class{%u}", text->class);
    if (scaled)
        fprintf(canvas->stream, "\\def\\cellscale{%.3f}", text->font / LW_FONT);
    put_text_at(latex_of(canvas), names[text->kind], text->x, text->y, text->string);
    fputs(scaled ? "\\let\\cellscale\\gridscale\n" : "", canvas->stream);
}

static void swatch(struct lw_canvas *canvas, uint64_t x, uint64_t y, unsigned class)
{
    fprintf(canvas->stream, "\\swatch{%u}", class);
    put_point(canvas->stream, x, y);
}

/* \cell{class}{x}{y}{width}, and its text on top. */
static void put_cell(struct lw_canvas *canvas, const struct lw_drawn_cell *cell)
{
    FILE *stream = canvas->stream;
    fprintf(stream, "\\cell{%s%u}", cell->dim ? "d" : "", cell->class);
    put_point(stream, cell->left, cell->top);
    fprintf(stream, *cell->first ? "{%.2f}" : "{%.2f}\n", (double)cell->width * .75);
    if (*cell->first)
        put_text_at(latex_of(canvas), "put", cell->x, cell->y, cell->first);
    if (*cell->second)
        put_text_at(latex_of(canvas), "put", cell->x, cell->y + cell->apart, cell->second);
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

/* The height of the cells of a panel, and the size of their texts. */
static void begin_grid(struct lw_canvas *canvas, const struct lw_box *box)
{
    FILE *stream = canvas->stream;
    bool fine = box->cell < LW_FINE && !box->list;
    fprintf(stream,
            "\\def\\cellheight{%.2fbp}\\def\\gridscale{%.3f}"
            "\\let\\cellscale\\gridscale\\let\\put\\%s\\pgfsetlinewidth{%"
            "sbp}\n",
            (double)box->height * .75, box->lines ? box->font / LW_FONT : 1,
            box->list ? "listed" : "centred", fine ? ".1" : ".4");
    fprintf(stream, "\\def\\heavy{\\stroked{%sbp}}\\def\\heaviest{\\stroked{%sbp}}\n",
            fine ? ".5" : "1.1", fine ? "1" : "2.2");
}

static const struct lw_canvas_type canvas_type = {.text = put_text,
                                                  .swatch = swatch,
                                                  .cell = put_cell,
                                                  .stroke = stroke,
                                                  .begin_grid = begin_grid};

/* ---- Around them ---- */

static void put_color(FILE *stream, const char *kind, unsigned class, uint32_t rgb)
{
    fprintf(stream, "\\definecolor{%s%u}{HTML}{%06X}", kind, class, (unsigned)rgb);
}

/* Letters (t) and fills (f) of each class; pale ones for cells that are not highlighted; then rules, text and paper. */
static void put_colors(const struct latex *l)
{
    const struct lw_canvas *canvas = &l->canvas;
    const struct lw_palette *light =
        lw_palette_find(lw_find_palette(canvas->options->palette)->light);
    FILE *stream = canvas->stream;
    put_color(stream, "r", 0, light->rule);
    put_color(stream, "l", 0, lw_palette_tint(light, LW_INK_HEAD).letters);
    put_color(stream, "w", 0, light->letters);
    put_color(stream, "p", 0, light->paper);
    fputs("%\n", stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++)
        if (canvas->seen[class]) {
            struct lw_tint tint = lw_palette_tint(light, class);
            put_color(stream, "f", class, tint.fill);
            put_color(stream, "t", class, tint.letters);
            fputs("%\n", stream);
            if (!canvas->options->highlight || canvas->options->no_dim) /* no faint cells */
                continue;
            fprintf(stream, "\\colorlet{fd%u}{f%u!25!p0}\\colorlet{td%u}{l0}%%\n", class, class,
                    class);
        }
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

static void put_document(struct latex *l)
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
    lw_canvas_draw(canvas);
    fputs(o->fragment ? "\\end{tikzpicture}}%\n% no wider than the column\n"
                        "\\ifvmode\\noindent\\fi\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}"
                        "{\\box0}\\else\\box0\\fi\n\\endgroup\n"
                      : "\\end{tikzpicture}\n\\end{document}\n",
          stream);
    canvas->failed = canvas->failed || l->text.failed;
}

/* Nothing is written when a character is refused, which is known only at the end. */
static bool write_panels(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct latex l = {.canvas = {.type = &canvas_type, .options = options}};
    char *document = NULL;
    size_t length = 0;
    if (!lw_canvas_open(&l.canvas, views, count, err))
        return false;
    const uint64_t cells = lw_panels_cells(&l.canvas.panels); /* TeX keeps a page in memory */
    const char *choose = options->choose ? options->choose : "";
    bool good = true;
    if (cells > CELLS_MAX && !options->all)
        good = lw_error_set(err, LW_ERROR_LIMIT, "%llu cells: TeX has room for %d%s%s",
                            (unsigned long long)cells, CELLS_MAX, *choose ? ": " : "", choose);
    else if (l.canvas.width > WIDEST || l.canvas.height > WIDEST)
        good = lw_error_set(err, LW_ERROR_LIMIT,
                            "a figure of %llu x %llu pixels: TeX draws at most %d%s%s",
                            (unsigned long long)l.canvas.width, (unsigned long long)l.canvas.height,
                            WIDEST, *choose ? ": " : "", choose);
    l.canvas.stream = good ? open_memstream(&document, &length) : NULL;
    if (l.canvas.stream)
        put_document(&l);
    l.canvas.failed = good && (!l.canvas.stream || fclose(l.canvas.stream) != 0 || l.canvas.failed);
    lw_text_free(&l.text);
    good = lw_canvas_close(&l.canvas, err) && good;
    if (good && *l.foreign)
        good = lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "'%s' is in no font that pdflatex has without further packages: write "
                            "svg, pdf or png, or choose other words with --title, --caption and "
                            "--cell",
                            l.foreign);
    if (good)
        fwrite(document, 1, length, stream);
    free(document);
    return good;
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
