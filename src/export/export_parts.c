/* What the formats share. */

#include "export/export_parts.h"

#include "core/text_escape.h"
#include "core/text_mark.h"
#include "export/output.h"

#include <ctype.h>
#include <string.h>

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
    if (view->type->row_label)
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

uint64_t lw_page_end(const struct lw_view *view, const struct lw_export_options *options,
                     uint64_t row)
{
    uint64_t left = view->page_rows - row % view->page_rows;
    return options->row_to - row < left ? options->row_to : row + left;
}

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
    if (!view->type->caption)
        return;
    lw_text_add(text, text->length ? "\n" : "");
    view->type->caption(view, text);
}

enum { TILES_MAX = 4096 }; /* the most tiles that are searched for another warp */

/* Whether a tile begins there with another warp. */
static bool is_warp_line(const struct lw_view *view, uint64_t at, bool across)
{
    return lw_view_warp_changes(view, view->seam_rows + (across ? 0 : at),
                                view->seam_cols + (across ? at : 0), across);
}

/* "every 8 rows the lanes start again" */
static void put_every(uint64_t size, bool across, const char *what, struct lw_text *text)
{
    lw_text_add(text, text->length ? ", every " : "every ");
    if (size > 1)
        lw_text_format(text, "%llu ", (unsigned long long)size);
    lw_text_format(text, "%s%s%s", across ? "column" : "row", size > 1 ? "s" : "", what);
}

/* Whether the drawn rows or columns have a line: of every `warp`, or of the other tiles. */
static bool is_drawn(const struct lw_view *view, const struct lw_export_options *o, bool across,
                     uint64_t tile, uint64_t warp, bool heaviest)
{
    uint64_t to = across ? o->col_to : o->row_to;
    uint64_t seam = across ? view->seam_cols : view->seam_rows;
    for (uint64_t i = (across ? o->col_from : o->row_from) + 1; i < to; i++) {
        uint64_t at = across ? i : i % view->page_rows;
        if (at > seam && (at - seam) % tile == 0 && ((at - seam) % warp == 0) == heaviest)
            return true;
    }
    return false;
}

/* The tiles along rows or columns, and those of them that begin with another warp. */
static void put_tile(const struct lw_view *view, const struct lw_export_options *o, uint64_t tile,
                     bool across, struct lw_text *tiles, struct lw_text *warps)
{
    uint64_t size = across ? view->cols - view->seam_cols : view->rows - view->seam_rows;
    const struct lw_dims *in = &view->subject->map.in;
    bool lanes = lw_dims_find(in, "lane") >= 0 || lw_dims_find(in, "thread") >= 0;
    if (!tile || tile >= size)
        return;
    uint64_t warp = tile, most = size < TILES_MAX * tile ? size : TILES_MAX * tile;
    while (lanes && warp < most && !is_warp_line(view, warp, across))
        warp += tile;
    if (!lanes || warp >= most)
        warp = UINT64_MAX;
    if (is_drawn(view, o, across, tile, warp, false))
        put_every(tile, across, lanes ? " the lanes start again" : "", tiles);
    if (is_drawn(view, o, across, tile, warp, true))
        put_every(warp, across, " another warp begins", warps);
}

static void put_tiles(const struct lw_view *view, const struct lw_export_options *o,
                      struct lw_text *text)
{
    struct lw_text tiles = {0}, warps = {0};
    uint64_t rows, cols;
    lw_view_tiles(view, &rows, &cols);
    put_tile(view, o, rows, false, &tiles, &warps);
    put_tile(view, o, cols, true, &tiles, &warps);
    if (tiles.length || warps.length)
        lw_text_format(text, "%sheavier lines: %s%s%s", text->length ? "; " : "",
                       lw_text_string(&tiles), tiles.length && warps.length ? "; heaviest: " : "",
                       lw_text_string(&warps));
    lw_text_free(&tiles);
    lw_text_free(&warps);
}

/* Writes the meaning of a format that is not the usual one: "cells: lane in warp"; fields have braces when one
 * follows a letter, as in w{warp}. */
static void put_format(const struct lw_view *view, struct lw_text *text)
{
    const char *format = view->options.cell;
    bool letters = false;
    if (!view->type->formatted || !format ||
        !strcmp(format, lw_format_default(view->subject, LW_DETAIL_FULL)) ||
        !strcmp(format, "{offset}"))
        return;
    for (const char *c = format; *c; c++)
        letters = letters || (*c == '{' && c > format && isalpha((unsigned char)c[-1]));
    lw_text_add(text, text->length ? "; cells: " : "cells: ");
    for (const char *c = format; *c; c++)
        if (letters || (*c != '{' && *c != '}'))
            lw_text_char(text, *c);
}

void lw_fetch_sense(const struct lw_view *view, struct lw_text *text)
{
    struct lw_text more = {0};
    lw_text_clear(text);
    if (view->type->axes)
        view->type->axes(view, text);
    put_format(view, text);
    if (view->type->legend)
        view->type->legend(view, &more);
    lw_text_add(text, text->length && more.length ? "; " : "");
    lw_text_add(text, lw_text_string(&more));
    lw_text_free(&more);
}

void lw_fetch_meaning(const struct lw_view *view, const struct lw_export_options *options,
                      struct lw_text *text)
{
    lw_fetch_sense(view, text);
    put_tiles(view, options, text);
}

/* Writes lines, each with characters that are not printable escaped. */
void lw_write_lines(FILE *stream, const char *prefix, const char *lines)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_output_print(stream, "%s%.*s\n", prefix, (int)length, lines);
    }
}

void lw_write_head(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream)
{
    struct lw_text text = {0};
    if (options->title)
        lw_write_lines(stream, "", options->title);
    lw_fetch_head(view, options, "", &text);
    if (lw_text_is_mark(lw_text_string(&text)))
        lw_output_fail(stream);
    lw_write_lines(stream, "", lw_text_string(&text));
    lw_text_free(&text);
}

void lw_write_sense(const struct lw_view *view, const struct lw_export_options *options,
                    FILE *stream)
{
    struct lw_text text = {0}, lines = {0};
    if (options->head)
        lw_fetch_sense(view, &text);
    lw_text_paragraphs(&lines, lw_text_string(&text));
    if (text.failed || lines.failed)
        lw_output_fail(stream);
    lw_write_lines(stream, "", lw_text_string(&lines));
    lw_text_free(&lines);
    lw_text_free(&text);
}

enum { LAYOUTS_MAX = 3 }; /* of a view of several layouts */

void lw_fetch_summary(const struct lw_view *view, struct lw_text *text)
{
    static const char *const letters[LW_SIDES] = {
        [LW_SIDE_A] = "A: ", [LW_SIDE_S] = "S: ", [LW_SIDE_B] = "B: "};
    lw_text_clear(text);
    for (int i = 0; view->type->access && i < LW_SIDES; i++) {
        const struct lw_subject *side = lw_subject_at(view->subject, (enum lw_side)i);
        if (!side)
            continue;
        lw_text_format(text, "%s%s", text->length ? "; " : "", letters[i]);
        lw_summary(text, side);
    }
    for (int i = 1; view->type->layout && i <= LAYOUTS_MAX; i++) {
        const char *name;
        const struct lw_subject *layout = lw_view_layout(view, i, &name);
        if (!layout)
            continue;
        lw_text_format(text, "%s%s: ", text->length ? "; " : "", name);
        lw_summary(text, layout);
    }
    if (!text->length)
        lw_summary(text, view->subject);
}

const char *lw_figure_about(const struct lw_view *view, const struct lw_export_options *options)
{
    const char *about = view->subject->about;
    return options->head && !options->no_about && about ? about : "";
}

void lw_write_caption(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream)
{
    const char *about = lw_figure_about(view, options);
    struct lw_text text = {0};
    lw_text_add(&text, *about ? "\n" : "");
    lw_text_paragraphs(&text, about);
    if (text.failed)
        lw_output_fail(stream);
    lw_write_lines(stream, "", lw_text_string(&text));
    lw_text_free(&text);
    if (options->caption)
        lw_write_lines(stream, "", options->caption);
}
