/* latex: a drawing in TikZ. Layouts of CuTe are drawn as CuTe's print_latex draws them, other views in
 * the same manner with their own words in the cells. */

#include "export/export_parts.h"

#include <string.h>

/* Text with the characters escaped that LaTeX keeps for itself. */
static void put_text(const char *text, FILE *stream)
{
    for (; *text; text++)
        if (strchr("&%$#_{}", *text))
            fprintf(stream, "\\%c", *text);
        else if (strchr("~^\\", *text))
            fprintf(stream, "\\char%d{}", *text);
        else if (!strncmp(text, "\xc2\xb7", 2)) { /* the middle dot of a hole */
            fputs("$\\cdot$", stream);
            text++;
        } else {
            fputc(*text, stream);
        }
}

static void put_cells(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream)
{
    static const char *const shades[] = {"00", "40", "20", "60", "10", "50", "30", "70"};
    struct lw_text text = {0};
    struct lw_cell cell;
    for (uint64_t r = options->row_from; r < options->row_to && !ferror(stream); r++)
        for (uint64_t c = options->col_from; c < options->col_to; c++) {
            lw_fetch_cell(view, r, c, &text, &cell);
            fprintf(stream, "\\node[fill=black!%s] at (%llu,%llu) {\\small\\texttt{",
                    shades[cell.ink == LW_INK_INDEX ? cell.shade % 8 : 0],
                    (unsigned long long)(r - options->row_from),
                    (unsigned long long)(c - options->col_from));
            put_text(lw_text_string(&text), stream);
            fputs("}};\n", stream);
        }
    lw_text_free(&text);
}

static void put_labels(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream)
{
    struct lw_text text = {0};
    for (uint64_t r = options->row_from; r < options->row_to && options->labels; r++) {
        lw_fetch_row_label(view, r, &text);
        fprintf(stream, "\\node at (%llu,-1) {\\texttt{",
                (unsigned long long)(r - options->row_from));
        put_text(lw_text_string(&text), stream);
        fputs("}};\n", stream);
    }
    for (uint64_t c = options->col_from; c < options->col_to && options->labels; c++) {
        lw_fetch_col_label(view, c, &text);
        fprintf(stream, "\\node at (-1,%llu) {\\texttt{",
                (unsigned long long)(c - options->col_from));
        put_text(lw_text_string(&text), stream);
        fputs("}};\n", stream);
    }
    lw_text_free(&text);
}

static void put_view(const struct lw_view *view, const struct lw_export_options *options,
                     FILE *stream)
{
    fputs("\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\n\\begin{document}\n"
          "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1.6cm,0cm)},every node/.style={minimum "
          "height=1cm, minimum width=1.6cm, outer sep=0pt}]\n\n",
          stream);
    put_cells(view, options, stream);
    fprintf(stream, "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (%llu,%llu);\n\n",
            (unsigned long long)(options->row_to - options->row_from),
            (unsigned long long)(options->col_to - options->col_from));
    put_labels(view, options, stream);
    fputs("\\end{tikzpicture}\n\\end{document}\n", stream);
}

/* What CuTe itself would draw. */
static bool is_cutes(const struct lw_view *view, const struct lw_export_options *options)
{
    return view->subject->cute && !strcmp(view->type->name, "owners") &&
           options->row_to - options->row_from == view->rows &&
           options->col_to - options->col_from == view->cols &&
           lw_cute_rank(&view->subject->cute->layout.shape) == 2;
}

static bool write_latex(const struct lw_view *view, const struct lw_export_options *options,
                        FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = options->style ? lw_style_find(options->style) : NULL;
    if (style && style->latex)
        return style->latex(view, options, stream, err);
    if (!style && is_cutes(view, options))
        return lw_write_cute_latex(view, options, stream, err);
    put_view(view, options, stream);
    return true;
}

const struct lw_format lw_format_latex = {
    .name = "latex",
    .extension = "tex",
    .help = "a document of LaTeX with TikZ, for CuTe as its print_latex has it",
    .write = write_latex,
};
