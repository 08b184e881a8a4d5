/* latex: a document with a drawing in TikZ, as wide as its texts need. With a style that has LaTeX of its
 * own, what that prints. */

#include "export/legend.h"
#include "export/output.h"

#include <string.h>

/* Hundredths of a centimetre. */
enum { COLUMN = 18, PAD = 20, ROW = 60, GAP = 40, SWATCH = 40, WIDEST = 55000 };

struct latex {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
    struct lw_measure measure;
    uint64_t y;
};

/* Characters that pdflatex knows only by their names. */
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

/* Text with the characters escaped that LaTeX keeps for itself, or joins into one. */
static void put_text(const char *text, FILE *stream)
{
    while (*text) {
        size_t length = put_named(text, stream);
        if (!length && strchr("&%$#_{}", *text))
            fprintf(stream, "\\%c", *text);
        else if (!length && (strchr("~^\\\"'`<>|-,?!", *text) || (unsigned char)*text < ' '))
            fprintf(stream, "\\char%d{}", (unsigned char)*text < ' ' ? ' ' : *text);
        else if (!length)
            fputc(*text, stream);
        text += length ? length : 1;
    }
}

static uint64_t cell_width(const struct latex *l, uint64_t col)
{
    return lw_measure_cell(&l->measure, col) * COLUMN + 2 * PAD;
}

static uint64_t column_at(const struct latex *l, uint64_t col)
{
    uint64_t from = l->options->col_from, first = cell_width(l, from);
    return l->measure.list && col - from == 2 ? first + cell_width(l, from + 1)
                                              : (col - from) * first;
}

static void put_number(FILE *stream, uint64_t hundredths)
{
    fprintf(stream, "%llu.%02llu", (unsigned long long)hundredths / 100,
            (unsigned long long)hundredths % 100);
}

/* {x}{y}{ */
static void put_hardware_index(struct latex *l, uint64_t x)
{
    fputc('{', l->stream);
    put_number(l->stream, x);
    fputs("}{", l->stream);
    put_number(l->stream, l->y);
    fputs("}{", l->stream);
}

static void put_cell(struct latex *l, uint64_t row, uint64_t col)
{
    struct lw_cell cell = {0};
    lw_fetch_cell(l->view, row, col, &l->text, &cell);
    fprintf(l->stream, "\\cell{%u}", lw_palette_class(&cell));
    put_hardware_index(l, column_at(l, col) + cell_width(l, col) / 2);
    put_number(l->stream, cell_width(l, col));
    fputs("}{", l->stream);
    put_text(lw_text_string(&l->text), l->stream);
    fputs("}\n", l->stream);
}

static void put_row(struct latex *l, uint64_t row)
{
    const struct lw_export_options *o = l->options;
    if (o->labels) {
        lw_fetch_row_label(l->view, row, &l->text);
        fputs("\\rowlabel{-", l->stream);
        put_number(l->stream, PAD);
        fputs("}{", l->stream);
        put_number(l->stream, l->y);
        fputs("}{", l->stream);
        put_text(lw_text_string(&l->text), l->stream);
        fputs("}\n", l->stream);
    }
    for (uint64_t col = o->col_from; col < o->col_to; col++)
        put_cell(l, row, col);
    l->y += ROW;
}

static void put_header(struct latex *l)
{
    const struct lw_export_options *o = l->options;
    for (uint64_t col = o->col_from; o->labels && col < o->col_to; col++) {
        lw_fetch_col_label(l->view, col, &l->text);
        fputs("\\collabel", l->stream);
        put_hardware_index(l, column_at(l, col) + cell_width(l, col) / 2);
        put_text(lw_text_string(&l->text), l->stream);
        fputs("}\n", l->stream);
    }
    l->y += o->labels ? ROW : 0;
}

/* Entries side by side, as many as the grid is wide. */
static void put_legend(struct latex *l)
{
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(&l->measure.legend, classes);
    const char *title = lw_legend_title(&l->measure.legend, l->view);
    uint64_t x = 0, right = column_at(l, l->options->col_to);
    l->y += GAP / 2;
    if (count && title) {
        fputs("\\entry", l->stream);
        put_hardware_index(l, 0);
        put_text(title, l->stream);
        fputs("}\n", l->stream);
        x = lw_text_width(title) * COLUMN + PAD;
    }
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(&l->measure.legend, l->view, classes[i], &l->text);
        uint64_t width = SWATCH + 5 + lw_text_width(lw_text_string(&l->text)) * COLUMN + PAD;
        if (x && x + width > right) {
            x = 0;
            l->y += SWATCH;
        }
        fprintf(l->stream, "\\swatch{%u}", classes[i]);
        put_hardware_index(l, x + SWATCH / 2);
        fputs("}\\entry", l->stream);
        put_hardware_index(l, x + SWATCH + 5);
        put_text(lw_text_string(&l->text), l->stream);
        fputs("}\n", l->stream);
        x += width;
    }
}

static void put_color(FILE *stream, char kind, unsigned class, uint32_t rgb)
{
    fprintf(stream, "\\definecolor{%c%u}{HTML}{%06X}", kind, class, (unsigned)rgb);
}

/* Each line of the text as a comment. */
static void put_comment(struct latex *l, const char *lines)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_output_print(l->stream, "%% %.*s\n", (int)length, lines);
    }
}

/* The colours and commands of a drawing; in a fragment they hold inside its braces alone. */
static void put_preamble(struct latex *l)
{
    const struct lw_palette *light = lw_palette_find(lw_find_palette(l->options->palette)->light);
    lw_fetch_head(l->view, l->options, "", &l->text);
    put_comment(l, lw_text_string(&l->text));
    put_comment(l, l->options->fragment ? "needs \\usepackage{tikz}" : "");
    if (l->options->head && l->view->subject->about)
        put_comment(l, l->view->subject->about);
    fputs(l->options->fragment ? "\\begingroup\n"
                               : "\\documentclass[border=2mm]{standalone}\n\\usepackage{tikz}\n",
          l->stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++)
        if (l->measure.legend.seen[class]) {
            struct lw_tint tint = lw_palette_tint(light, class);
            put_color(l->stream, 'f', class, tint.fill);
            put_color(l->stream, 't', class, tint.letters);
            fputc('\n', l->stream);
        }
    put_color(l->stream, 'r', 0, light->rule);
    put_color(l->stream, 'l', 0, lw_palette_tint(light, LW_INK_HEAD).letters);
    fputs("\n% class, x, y, width, text\n"
          "\\def\\cell#1#2#3#4#5{\\pgfsetfillcolor{f#1}\\pgfpathrectangle"
          "{\\pgfqpoint{\\dimexpr#2cm-#4cm/2\\relax}{\\dimexpr-#3cm-0.3cm\\relax}}"
          "{\\pgfqpoint{#4cm}{0.6cm}}\\pgfusepath{fill,stroke}"
          "\\pgftext[",
          l->stream);
    fputs(l->measure.list ? "left,at=\\pgfqpoint{\\dimexpr#2cm-#4cm/2+0.2cm\\relax}"
                          : "at=\\pgfqpoint{#2cm}",
          l->stream);
    fputs("{-#3cm}]{\\color{t#1}#5}}\n"
          "\\def\\rowlabel#1#2#3{\\node[text=l0,anchor=east] at (#1,-#2) {#3};}\n"
          "\\def\\collabel#1#2#3{\\node[text=l0] at (#1,-#2) {#3};}\n"
          "\\def\\entry#1#2#3{\\node[anchor=west] at (#1,-#2) {#3};}\n"
          "\\def\\swatch#1#2#3#4{\\node[fill=f#1,draw=r0,minimum size=0.3cm] at (#2,-#3) {#4};}\n",
          l->stream);
    fputs(l->options->fragment ? "" : "\\begin{document}\n", l->stream);
    fputs("\\begin{tikzpicture}[every node/.style={inner sep=0pt,outer sep=0pt,"
          "font=\\small\\ttfamily}]\n\\small\\ttfamily\\pgfsetstrokecolor{r0}\n",
          l->stream);
}

/* Lines of words as wide as the grid, or a little wider: above what is drawn they end at its top. */
static void put_words(struct latex *l, bool above, const char *title, const char *lines)
{
    enum { LEAST = 800 };
    uint64_t width = column_at(l, l->options->col_to);
    if (!*title && !*lines)
        return;
    fprintf(l->stream, "\\node[anchor=%s west,align=left,text width=", above ? "south" : "north");
    put_number(l->stream, width < LEAST ? LEAST : width);
    fputs(above ? "cm] at (0,0.5) {\\raggedright " : "cm] at (0,-", l->stream);
    if (!above) {
        put_number(l->stream, l->y);
        fputs(") {\\raggedright ", l->stream);
    }
    if (*title) {
        fputs("\\normalsize\\rmfamily\\bfseries ", l->stream);
        put_text(title, l->stream);
        fputs(*lines ? "\\\\ \\normalfont\\small\\ttfamily " : "", l->stream);
    }
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, lines, length);
        put_text(lw_text_string(&line), l->stream);
        lw_text_free(&line);
        fputs(lines[length] ? "\\\\ " : "", l->stream);
    }
    fputs("};\n", l->stream);
}

static void put_introduction(struct latex *l)
{
    const char *title = lw_picture_title(l->view, l->options);
    lw_fetch_head(l->view, l->options, title, &l->text);
    if (l->options->head)
        put_words(l, true, title, lw_text_string(&l->text));
}

static void put_caption(struct latex *l)
{
    l->y += ROW;
    if (l->options->head && l->options->caption)
        put_words(l, false, "", l->options->caption);
}

static bool fits(const struct latex *l, struct lw_error *err)
{
    uint64_t width = column_at(l, l->options->col_to);
    uint64_t rows = l->options->row_to - l->options->row_from;
    if (width <= WIDEST && rows <= WIDEST / ROW)
        return true;
    return lw_error_set(err, LW_ERROR_LIMIT,
                        "%llu rows, columns %llu cm wide in all: TeX draws at most %d rows and %d "
                        "cm%s%s",
                        (unsigned long long)rows, (unsigned long long)width / 100, WIDEST / ROW,
                        WIDEST / 100, l->options->choose ? ": " : "",
                        l->options->choose ? l->options->choose : "");
}

static bool write_view(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    struct latex l = {.view = view, .options = options, .stream = stream};
    if (!lw_measure(&l.measure, view, options, true, err) || !fits(&l, err))
        return false;
    put_preamble(&l);
    put_introduction(&l);
    for (uint64_t row = options->row_from; row < options->row_to && !ferror(stream); row++) {
        if (row == options->row_from || row % view->page_rows == 0) {
            l.y += row == options->row_from ? 0 : GAP;
            put_header(&l);
        }
        put_row(&l, row);
    }
    put_legend(&l);
    put_caption(&l);
    fputs("\\end{tikzpicture}\n", stream);
    fputs(options->fragment ? "\\endgroup\n" : "\\end{document}\n", stream);
    bool failed = l.text.failed;
    lw_text_free(&l.text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

static bool write_latex(const struct lw_view *view, const struct lw_export_options *options,
                        FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = options->style ? lw_style_find(options->style) : NULL;
    return style && style->latex ? style->latex(view, options, stream, err)
                                 : write_view(view, options, stream, err);
}

const struct lw_format lw_format_latex = {
    .name = "latex",
    .extension = "tex",
    .help = "a document of LaTeX with a drawing in TikZ; --style cute: CuTe's print_latex",
    .cells = (uint64_t)1 << 12, /* what the memory of TeX has room for */
    .write = write_latex,
};
