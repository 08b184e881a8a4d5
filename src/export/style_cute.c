/* cute: the output of CuTe's print_layout and print_latex for a layout, character for character. Source:
 * include/cute/util/print_tensor.hpp and print_latex.hpp of CUTLASS 4. */

#include "export/export_parts.h"
#include "export/output.h"
#include "view/cute_grid.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

static bool is_view(const struct lw_view *view, const char *name)
{
    return !strcmp(view->type->name, name);
}

static bool prepare(const struct lw_view *view, const struct lw_export_options *options,
                    const struct lw_subject *subject, struct lw_cute_grid *grid,
                    struct lw_error *err)
{
    if (!subject->cute)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints layouts of CuTe: name one, such as (4,8):(8,1)");
    if (!lw_is_whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints whole layouts: leave out the rows and columns");
    return lw_cute_grid_open(grid, subject, err);
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
    static const char dashes[] = "----------------------"; /* for 20 digits and 2 blanks */
    fputs("    ", stream);
    for (uint64_t c = 0; c < cols; c++)
        fprintf(stream, "+%.*s", width, dashes);
    fputs("+\n", stream);
}

/* ---- As TikZ ---- */

static const char tikz_head[] =
    "\\documentclass[convert]{standalone}\n"
    "\\usepackage{tikz}\n\n"
    "\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, "
    "outer sep=0pt}]\n\n";
static const char tikz_end[] = "\\end{tikzpicture}\n\\end{document}\n";

/* The position of a grid, and of the numbers of its rows and columns; `turned`: element (i, j) is in row j. */
struct anchor {
    int64_t row, col;
    int64_t left, above;
    bool turned;
};

static const struct anchor at_origin = {0, 0, -1, -1, false};

static void put_frame(struct anchor at, uint64_t rows, uint64_t cols, FILE *stream)
{
    fprintf(stream,
            "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (%lld,%lld) grid (%lld,%lld);\n\n",
            (long long)at.row, (long long)at.col, (long long)(at.row + (int64_t)rows),
            (long long)(at.col + (int64_t)cols));
}

/* The numbers of rows, or of columns. */
static void put_numbers(struct anchor at, bool rows, uint64_t count, FILE *stream)
{
    for (uint64_t i = 0; i < count; i++)
        fprintf(stream, "\\node at (%lld,%lld) {\\Large{\\texttt{%llu}}};\n",
                (long long)(rows ? at.row + (int64_t)i : at.above),
                (long long)(rows ? at.left : at.col + (int64_t)i), (unsigned long long)i);
}

/* The first thread and value of each element, in the order of threads: later ones are not drawn. */
static bool put_threads(const struct lw_cute_grid *grid, const uint64_t tile[2], struct anchor at,
                        FILE *stream, struct lw_error *err)
{
    static const char *const colors[] = {
        "red,175;green,175;blue,255", "red,175;green,255;blue,175", "red,255;green,255;blue,175",
        "red,255;green,175;blue,175", "red,210;green,210;blue,255", "red,210;green,255;blue,210",
        "red,255;green,255;blue,210", "red,255;green,210;blue,210"};
    bool *drawn = calloc(tile[0] * tile[1], sizeof *drawn);
    if (!drawn)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (uint64_t t = 0; t < grid->rows && !ferror(stream); t++)
        for (uint64_t v = 0; v < grid->cols; v++) {
            uint64_t element = (uint64_t)lw_cute_grid_offset(grid, t, v);
            int64_t i = (int64_t)(element % tile[0]), j = (int64_t)(element / tile[0]);
            if (!drawn[element])
                fprintf(stream,
                        "\\node[fill={rgb,255:%s}] at (%lld,%lld) {\\shortstack{T%llu \\\\ "
                        "V%llu}};\n",
                        colors[t % 8], (long long)(at.row + (at.turned ? j : i)),
                        (long long)(at.col + (at.turned ? i : j)), (unsigned long long)t,
                        (unsigned long long)v);
            drawn[element] = true;
        }
    free(drawn);
    return true;
}

/* One of the layouts of a tiled MMA or copy, or a layout of threads and values alone. */
struct part {
    const char *before; /* its layout, as CuTe prints a tensor of coordinates */
    struct anchor at;
    bool numbered; /* its rows and columns */
    struct lw_cute_grid grid;
    uint64_t tile[2];
};

static bool open_part(struct part *part, const struct lw_view *view,
                      const struct lw_export_options *options, const struct lw_subject *subject,
                      char operand, struct lw_error *err)
{
    if (!subject || !lw_cute_grid_tiling(subject, operand))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute prints view mma of a tiled MMA of CuTe, such as "
                            "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).C, and view conversion "
                            "from .S of a tiled copy to its .D");
    return prepare(view, options, subject, &part->grid, err) &&
           lw_cute_grid_tile(&part->grid, part->tile, err);
}

static bool write_parts(const struct part *parts, int count, FILE *stream, struct lw_error *err)
{
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        struct lw_text text = {0};
        lw_text_add(&text, parts[i].before);
        good = lw_cute_grid_print_tile(&text, &parts[i].grid, err);
        lw_text_char(&text, '\n');
        if (good)
            lw_output_text(stream, &text);
        lw_text_free(&text);
    }
    fputs(good ? tikz_head : "", stream);
    for (int i = 0; i < count && good; i++) {
        const struct anchor at = parts[i].at;
        const uint64_t *tile = parts[i].tile;
        good = put_threads(&parts[i].grid, tile, at, stream, err);
        if (good)
            put_frame(at, tile[at.turned], tile[!at.turned], stream);
        for (int k = 0; k < 2 && good && parts[i].numbered; k++)
            put_numbers(at, k == at.turned, tile[k], stream);
    }
    fputs(good ? tikz_end : "", stream);
    return good;
}

/* C in the corner, A on its left and B above, with a blank row and column between them. */
static bool write_mma(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct part parts[] = {{"% LayoutC: ArithTuple(_0,_0) o ", at_origin, .numbered = false},
                           {"% LayoutA: ArithTuple(_0,_0) o ", .numbered = true},
                           {"% LayoutB: ArithTuple(_0,_0) o ", .numbered = true}};
    const char *name;
    if (!open_part(&parts[0], view, options, lw_view_layout(view, 3, &name), 'C', err) ||
        !open_part(&parts[1], view, options, lw_view_layout(view, 1, &name), 'A', err) ||
        !open_part(&parts[2], view, options, lw_view_layout(view, 2, &name), 'B', err))
        return false;
    const int64_t k = (int64_t)parts[1].tile[1];
    parts[1].at = (struct anchor){0, -k - 1, -k - 2, -1, false};
    parts[2].at = (struct anchor){-k - 1, 0, -1, -k - 2, true};
    return write_parts(parts, 3, stream, err);
}

/* The source, and the destination beside it. As in CuTe the numbers of its rows are on its right. */
static bool write_copy(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    enum { APART = 3 };
    struct part parts[] = {{"% Layout S TV: ArithTuple(_0,_0) o ", at_origin, .numbered = true},
                           {"% Layout D TV: ArithTuple(_0,_0) o ", .numbered = true}};
    const struct lw_subject *from = lw_subject_at(view->subject, LW_SIDE_A),
                            *to = lw_subject_at(view->subject, LW_SIDE_B);
    if (!open_part(&parts[0], view, options, from, 'S', err) ||
        !open_part(&parts[1], view, options, to, 'D', err))
        return false;
    if (strcmp(lw_cute_grid_tiling(from, 'S'), lw_cute_grid_tiling(to, 'D')) != 0)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the layouts are of two tiled copies; --style cute prints the source "
                            "and the destination of the same one");
    const int64_t n = (int64_t)parts[0].tile[1];
    parts[1].at = (struct anchor){0, n + APART, 2 * n + APART, -1, false};
    return write_parts(parts, 2, stream, err);
}

bool lw_write_cute_latex(const struct lw_view *view, const struct lw_export_options *options,
                         FILE *stream, struct lw_error *err)
{
    struct part part = {"% Layout TV: ", at_origin, .numbered = true};
    const struct lw_cute_grid *grid = &part.grid;
    if (is_view(view, "mma"))
        return write_mma(view, options, stream, err);
    if (is_view(view, "conversion"))
        return write_copy(view, options, stream, err);
    if (!is_view(view, "owners"))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "style cute draws views owners, mma and conversion, not %s",
                            view->type->name);
    if (!prepare(view, options, view->subject, &part.grid, err))
        return false;
    if (grid->has_tile)
        return lw_cute_grid_tile(grid, part.tile, err) && write_parts(&part, 1, stream, err);
    static const char *const shades[] = {"00", "40", "20", "60", "10", "50", "30", "70"};
    put_layout(grid, "% Layout: ", stream);
    fputs(tikz_head, stream);
    for (uint64_t r = 0; r < grid->rows && !ferror(stream); r++)
        for (uint64_t c = 0; c < grid->cols; c++) {
            uint64_t offset = lw_cute_grid_offset(grid, r, c);
            fprintf(stream, "\\node[fill=black!%s] at (%llu,%llu) {%llu};\n", shades[offset % 8],
                    (unsigned long long)r, (unsigned long long)c, (unsigned long long)offset);
        }
    put_frame(at_origin, grid->rows, grid->cols, stream);
    put_numbers(at_origin, true, grid->rows, stream);
    put_numbers(at_origin, false, grid->cols, stream);
    fputs(tikz_end, stream);
    return true;
}

bool lw_write_cute(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream, struct lw_error *err)
{
    struct lw_cute_grid grid;
    if (!is_view(view, "owners"))
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED, "style cute prints view owners, not %s%s", view->type->name,
            is_view(view, "mma") || is_view(view, "conversion") ? ": --format latex draws it" : "");
    if (!prepare(view, options, view->subject, &grid, err))
        return false;
    int width = (int)lw_digits(grid.cosize);
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
