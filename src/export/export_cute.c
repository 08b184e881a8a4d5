/* cute: what CuTe's print_layout and print_latex print of a layout, character for character. Source:
 * include/cute/util/print_tensor.hpp and print_latex.hpp of CUTLASS 4. */

#include "export/export_parts.h"
#include "export/output.h"
#include "view/cute_grid.h"

#include <stdlib.h>
#include <string.h>

static bool whole(const struct lw_view *view, const struct lw_export_options *options)
{
    return options->row_to - options->row_from == view->rows &&
           options->col_to - options->col_from == view->cols;
}

static bool prepare(const struct lw_view *view, const struct lw_export_options *options,
                    struct lw_cute_grid *grid, struct lw_error *err)
{
    if (!view->subject->cute)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints layouts of CuTe: name one, such as (4,8):(8,1)");
    if (strcmp(view->type->name, "owners") != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "style cute prints view owners, not %s",
                            view->type->name);
    if (!whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints whole layouts: leave out the rows and columns");
    return lw_cute_grid_open(grid, view->subject, err);
}

static void put_layout(const struct lw_cute_grid *grid, const char *before, FILE *stream)
{
    struct lw_text text = {0};
    lw_text_add(&text, before);
    lw_cute_grid_print(&text, grid);
    lw_text_char(&text, '\n');
    lw_output_text(stream, &text);
    lw_text_free(&text);
}

static void put_rule(FILE *stream, uint64_t cols, int width)
{
    fputs("    ", stream);
    for (uint64_t c = 0; c < cols; c++) {
        fputc('+', stream);
        for (int i = 0; i < width; i++)
            fputc('-', stream);
    }
    fputs("+\n", stream);
}

static int digits_of(uint64_t number)
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
static void put_tikz_end(uint64_t rows, uint64_t cols, FILE *stream)
{
    fprintf(stream, "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (%llu,%llu);\n\n",
            (unsigned long long)rows, (unsigned long long)cols);
    for (uint64_t r = 0; r < rows; r++)
        fprintf(stream, "\\node at (%llu,-1) {\\Large{\\texttt{%llu}}};\n", (unsigned long long)r,
                (unsigned long long)r);
    for (uint64_t c = 0; c < cols; c++)
        fprintf(stream, "\\node at (-1,%llu) {\\Large{\\texttt{%llu}}};\n", (unsigned long long)c,
                (unsigned long long)c);
    fputs("\\end{tikzpicture}\n\\end{document}\n", stream);
}

static void put_offsets(const struct lw_cute_grid *grid, FILE *stream)
{
    static const char *const shades[] = {"00", "40", "20", "60", "10", "50", "30", "70"};
    for (uint64_t r = 0; r < grid->rows && !ferror(stream); r++)
        for (uint64_t c = 0; c < grid->cols; c++) {
            uint64_t offset = lw_cute_grid_offset(grid, r, c);
            fprintf(stream, "\\node[fill=black!%s] at (%llu,%llu) {%llu};\n", shades[offset % 8],
                    (unsigned long long)r, (unsigned long long)c, (unsigned long long)offset);
        }
}

/* The first thread and value of each element, in the order of threads: later ones are not drawn. */
static bool put_threads(const struct lw_view *view, const struct lw_cute_grid *grid, FILE *stream,
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
    for (uint64_t t = 0; t < grid->rows && !ferror(stream); t++)
        for (uint64_t v = 0; v < grid->cols; v++) {
            uint64_t element = (uint64_t)lw_cute_grid_offset(grid, t, v);
            if (!drawn[element])
                fprintf(stream,
                        "\\node[fill={rgb,255:%s}] at (%llu,%llu) {\\shortstack{T%llu \\\\ "
                        "V%llu}};\n",
                        colors[t % 8], (unsigned long long)(element % out->dim[0].size),
                        (unsigned long long)(element / out->dim[0].size), (unsigned long long)t,
                        (unsigned long long)v);
            drawn[element] = true;
        }
    free(drawn);
    return true;
}

static bool put_coordinates(const struct lw_cute_grid *grid, FILE *stream, struct lw_error *err)
{
    struct lw_text text = {0};
    lw_text_add(&text, "% Layout TV: ");
    bool good = lw_cute_grid_print_tile(&text, grid, err);
    lw_text_char(&text, '\n');
    if (good)
        lw_output_text(stream, &text);
    lw_text_free(&text);
    return good;
}

bool lw_write_cute_latex(const struct lw_view *view, const struct lw_export_options *options,
                         FILE *stream, struct lw_error *err)
{
    struct lw_cute_grid grid;
    uint64_t tile[2];
    if (!prepare(view, options, &grid, err))
        return false;
    if (!grid.has_tile) {
        put_layout(&grid, "% Layout: ", stream);
        put_tikz_head(stream);
        put_offsets(&grid, stream);
        put_tikz_end(grid.rows, grid.cols, stream);
        return true;
    }
    if (!lw_cute_grid_tile(&grid, tile, err) || !put_coordinates(&grid, stream, err))
        return false;
    put_tikz_head(stream);
    if (!put_threads(view, &grid, stream, err))
        return false;
    put_tikz_end(tile[0], tile[1], stream);
    return true;
}

bool lw_write_cute(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream, struct lw_error *err)
{
    struct lw_cute_grid grid;
    if (!prepare(view, options, &grid, err))
        return false;
    int width = digits_of(grid.cosize);
    put_layout(&grid, "", stream);
    fputs("    ", stream);
    for (uint64_t c = 0; c < grid.cols; c++)
        fprintf(stream, "  %*llu ", width, (unsigned long long)c);
    fputc('\n', stream);
    for (uint64_t r = 0; r < grid.rows && !ferror(stream); r++) {
        put_rule(stream, grid.cols, width + 2);
        fprintf(stream, "%2llu  ", (unsigned long long)r);
        for (uint64_t c = 0; c < grid.cols; c++)
            fprintf(stream, "| %*llu ", width,
                    (unsigned long long)lw_cute_grid_offset(&grid, r, c));
        fputs("|\n", stream);
    }
    put_rule(stream, grid.cols, width + 2);
    return true;
}
