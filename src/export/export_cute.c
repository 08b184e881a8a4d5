/* cute: what CuTe's print_layout and print_latex print of a layout, character for character. Source:
 * include/cute/util/print_tensor.hpp and print_latex.hpp of CUTLASS 4. */

#include "export/export_parts.h"

#include <stdlib.h>
#include <string.h>

static bool whole(const struct lw_view *view, const struct lw_export_options *options)
{
    return options->row_to - options->row_from == view->rows &&
           options->col_to - options->col_from == view->cols;
}

/* The layout as CuTe draws it: its swizzle counts elements. */
static bool prepare(const struct lw_view *view, const struct lw_export_options *options,
                    struct lw_cute *cute, struct lw_error *err)
{
    const struct lw_subject *subject = view->subject;
    if (!subject->cute)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints layouts of CuTe: name one, such as (4,8):(8,1)");
    if (strcmp(view->type->name, "owners") != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "style cute prints view owners, not %s",
                            view->type->name);
    if (!whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints whole layouts: leave out the rows and columns");
    int rank = lw_cute_rank(&subject->cute->layout.shape);
    if (rank != 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "CuTe prints layouts of 2 modes, and this one has %d: see group and "
                            "select of 'laneway help operations'",
                            rank);
    return lw_cute_in_elements(subject->cute, cute, err);
}

static int64_t size_of(const struct lw_cute *cute, int mode)
{
    return lw_cute_product(lw_cute_item(&cute->layout.shape, mode));
}

static int64_t offset_at(const struct lw_cute *cute, int64_t row, int64_t col)
{
    return lw_cute_apply(cute, row + col * size_of(cute, 0));
}

static void put_layout(const struct lw_cute *cute, const char *before, FILE *stream)
{
    struct lw_text text = {0};
    lw_cute_print(&text, cute);
    fprintf(stream, "%s%s\n", before, lw_text_string(&text));
    lw_text_free(&text);
}

static void put_rule(FILE *stream, int64_t cols, int width)
{
    fputs("    ", stream);
    for (int64_t c = 0; c < cols; c++) {
        fputc('+', stream);
        for (int i = 0; i < width; i++)
            fputc('-', stream);
    }
    fputs("+\n", stream);
}

static int digits_of(int64_t number)
{
    int digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

/* ---- As TikZ ---- */

static void put_tikz_head(FILE *stream)
{
    fputs("\\documentclass[convert]{standalone}\n"
          "\\usepackage{tikz}\n\n"
          "\\begin{document}\n"
          "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, "
          "outer sep=0pt}]\n\n",
          stream);
}

/* The frame and the numbers of rows and columns. */
static void put_tikz_end(int64_t rows, int64_t cols, FILE *stream)
{
    fprintf(stream, "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (%lld,%lld);\n\n",
            (long long)rows, (long long)cols);
    for (int64_t r = 0; r < rows; r++)
        fprintf(stream, "\\node at (%lld,-1) {\\Large{\\texttt{%lld}}};\n", (long long)r,
                (long long)r);
    for (int64_t c = 0; c < cols; c++)
        fprintf(stream, "\\node at (-1,%lld) {\\Large{\\texttt{%lld}}};\n", (long long)c,
                (long long)c);
    fputs("\\end{tikzpicture}\n\\end{document}\n", stream);
}

static void put_offsets(const struct lw_cute *cute, FILE *stream)
{
    static const char *const shades[] = {"00", "40", "20", "60", "10", "50", "30", "70"};
    for (int64_t r = 0; r < size_of(cute, 0) && !ferror(stream); r++)
        for (int64_t c = 0; c < size_of(cute, 1); c++) {
            int64_t offset = offset_at(cute, r, c);
            fprintf(stream, "\\node[fill=black!%s] at (%lld,%lld) {%lld};\n", shades[offset % 8],
                    (long long)r, (long long)c, (long long)offset);
        }
}

/* The first thread and value of each element, in the order of threads: later ones are not drawn. */
static bool put_threads(const struct lw_view *view, const struct lw_cute *cute, FILE *stream,
                        struct lw_error *err)
{
    static const char *const colors[] = {
        "red,175;green,175;blue,255", "red,175;green,255;blue,175", "red,255;green,255;blue,175",
        "red,255;green,175;blue,175", "red,210;green,210;blue,255", "red,210;green,255;blue,210",
        "red,255;green,255;blue,210", "red,255;green,210;blue,210"};
    const struct lw_dims *out = &view->subject->map.out;
    uint64_t total = out->dim[0].size * out->dim[1].size;
    bool *drawn = calloc(total, sizeof *drawn);
    if (!drawn)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (int64_t t = 0; t < size_of(cute, 0) && !ferror(stream); t++)
        for (int64_t v = 0; v < size_of(cute, 1); v++) {
            uint64_t element = (uint64_t)offset_at(cute, t, v);
            if (!drawn[element])
                fprintf(stream,
                        "\\node[fill={rgb,255:%s}] at (%llu,%llu) {\\shortstack{T%lld \\\\ "
                        "V%lld}};\n",
                        colors[t % 8], (unsigned long long)(element % out->dim[0].size),
                        (unsigned long long)(element / out->dim[0].size), (long long)t,
                        (long long)v);
            drawn[element] = true;
        }
    free(drawn);
    return true;
}

/* A layout of threads and values with strides of coordinates, 1@0 and 1@1, as CuTe prints it. */
static bool put_coordinates(const struct lw_cute *cute, FILE *stream, struct lw_error *err)
{
    struct lw_text text = {0};
    bool good = lw_cute_tile_print(&text, cute, err);
    if (good)
        fprintf(stream, "%% Layout TV: %s\n", lw_text_string(&text));
    lw_text_free(&text);
    return good;
}

bool lw_write_cute_latex(const struct lw_view *view, const struct lw_export_options *options,
                         FILE *stream, struct lw_error *err)
{
    struct lw_cute cute;
    if (!prepare(view, options, &cute, err))
        return false;
    if (!cute.tile) {
        put_layout(&cute, "% Layout: ", stream);
        put_tikz_head(stream);
        put_offsets(&cute, stream);
        put_tikz_end(size_of(&cute, 0), size_of(&cute, 1), stream);
        return true;
    }
    if (lw_cute_rank(cute.tile) != 2)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "CuTe draws tiles of 2 dims, not of %d",
                            lw_cute_rank(cute.tile));
    if (!put_coordinates(&cute, stream, err))
        return false;
    put_tikz_head(stream);
    if (!put_threads(view, &cute, stream, err))
        return false;
    put_tikz_end(lw_cute_product(lw_cute_item(cute.tile, 0)),
                 lw_cute_product(lw_cute_item(cute.tile, 1)), stream);
    return true;
}

bool lw_write_cute(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream, struct lw_error *err)
{
    struct lw_cute cute;
    if (!prepare(view, options, &cute, err))
        return false;
    int64_t rows = size_of(&cute, 0), cols = size_of(&cute, 1);
    int width = digits_of(lw_cute_cosize(&cute.layout));
    put_layout(&cute, "", stream);
    fputs("    ", stream);
    for (int64_t c = 0; c < cols; c++)
        fprintf(stream, "  %*lld ", width, (long long)c);
    fputc('\n', stream);
    for (int64_t r = 0; r < rows && !ferror(stream); r++) {
        put_rule(stream, cols, width + 2);
        fprintf(stream, "%2lld  ", (long long)r);
        for (int64_t c = 0; c < cols; c++)
            fprintf(stream, "| %*lld ", width, (long long)offset_at(&cute, r, c));
        fputs("|\n", stream);
    }
    put_rule(stream, cols, width + 2);
    return true;
}
