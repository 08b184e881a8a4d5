/* What the formats share: the texts of a view, and the words around them. */

#include "export/export_parts.h"
#include "core/text_rows.h"

#include "core/text_escape.h"
#include "export/output.h"
#include "view/view_parts.h"

#include <string.h>

/* ---- Cells and labels ---- */

void lw_fetch_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                   struct lw_cell *cell)
{
    struct lw_cell ignored;
    lw_text_clear(text);
    view->type->cell(view, row, col, text, cell ? cell : &ignored);
    lw_text_escape_all(text);
}

void lw_fetch_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_clear(text);
    if (row == LW_LABEL_CORNER)
        lw_text_add(text, view->type->corner ? view->type->corner : "");
    else if (view->type->row_label)
        view->type->row_label(view, row, text);
    lw_text_escape_all(text);
}

void lw_fetch_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_clear(text);
    if (view->type->col_label)
        view->type->col_label(view, col, text);
    lw_text_escape_all(text);
}

bool lw_is_whole(const struct lw_view *view, const struct lw_export_options *options)
{
    return options->row_to - options->row_from == view->rows &&
           options->col_to - options->col_from == view->cols;
}

uint64_t lw_page_end(const struct lw_view *view, const struct lw_export_options *options,
                     uint64_t row)
{
    uint64_t left = view->page_rows - row % view->page_rows;
    return options->row_to - row < left ? options->row_to : row + left;
}

/* ---- Words ---- */

const char *lw_figure_title(const struct lw_view *view, const struct lw_export_options *options)
{
    if (options->title)
        return options->title;
    return options->head && view->subject->title ? view->subject->title : "";
}

const char *lw_picture_title(const struct lw_view *view, const struct lw_export_options *options)
{
    const char *title = lw_figure_title(view, options);
    if (*title || !options->head || options->title)
        return title;
    bool memory = lw_dims_find(&view->subject->map.in, "offset") >= 0;
    return memory && !strcmp(view->type->name, "owners") ? "Offsets" : view->type->title;
}

void lw_fetch_head(const struct lw_view *view, const struct lw_export_options *options,
                   const char *title, struct lw_text *text)
{
    lw_text_clear(text);
    if (!options->head)
        return;
    lw_view_head(view, text);
    if (!strcmp(title, lw_text_string(text)))
        lw_text_clear(text);
    lw_text_add(text, text->length && view->type->caption ? "\n" : "");
    if (view->type->caption)
        view->type->caption(view, text);
}

void lw_fetch_sense(const struct lw_view *view, struct lw_text *text)
{
    const char *format = view->options.cell;
    lw_text_clear(text);
    if (view->type->legend)
        view->type->legend(view, text);
    if (!view->type->formatted || !format || !strcmp(format, lw_format_default(view->subject)) ||
        !strcmp(format, "{offset}"))
        return;
    lw_text_format(text, "%scells: %s", text->length ? "; " : "", format);
}

/* "every 8 rows": where tiles begin between two of the rows or columns of a range, in grids of `size` of them. */
static void put_tiles(uint64_t from, uint64_t to, uint64_t seam, uint64_t size, uint64_t tile,
                      const char *what, struct lw_text *text)
{
    from = from > seam ? from - seam : 0;
    if (tile && tile < size - seam && to > seam && (to - seam - 1) / tile > from / tile)
        lw_text_format(text, "%severy %llu %s%s", text->length ? ", " : "",
                       (unsigned long long)tile, what, tile == 1 ? "" : "s");
}

void lw_fetch_meaning(const struct lw_view *view, const struct lw_export_options *options,
                      struct lw_text *text)
{
    const struct lw_dims *in = &view->subject->map.in;
    struct lw_text tiles = {0};
    uint64_t rows, cols;
    lw_fetch_sense(view, text);
    lw_view_tiles(view, &rows, &cols);
    put_tiles(options->row_from, options->row_to, view->seam_rows, view->page_rows, rows, "row",
              &tiles);
    put_tiles(options->col_from, options->col_to, view->seam_cols, view->cols, cols, "column",
              &tiles);
    if (tiles.length) {
        lw_text_format(text, "%sheavier lines: %s", text->length ? "; " : "",
                       lw_text_string(&tiles));
        if (lw_dims_find(in, "lane") >= 0 || lw_dims_find(in, "thread") >= 0)
            lw_text_add(text, " the lanes start again");
        if (lw_dims_size(in, "warp") > 1 || lw_dims_size(in, "thread") > view->subject->lanes)
            lw_text_add(text, "; heaviest: another warp begins");
    }
    lw_text_free(&tiles);
}

const char *lw_figure_about(const struct lw_view *view, const struct lw_export_options *options)
{
    const char *about = view->subject->about;
    return options->head && !options->no_about && about ? about : "";
}

void lw_write_lines(FILE *stream, const char *prefix, const char *lines)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_output_print(stream, "%s%.*s\n", prefix, (int)length, lines);
    }
}
