/* ansi: the view with its labels, in the 256 colours of terminals. */

#include "export/legend.h"

/* Black or white on a full colour of the palette for dark backgrounds. */
static void put_fill(FILE *stream, const struct lw_ink_color *ink)
{
    fprintf(stream, "\x1b[38;5;%d;48;5;%dm", lw_palette_letters(ink->rgb) ? 231 : 16, ink->cube);
}

static void put_color(FILE *stream, const struct lw_cell *cell)
{
    const struct lw_palette *palette = lw_palette_find("dark");
    switch (cell->ink) {
    case LW_INK_INDEX:
    case LW_INK_DIM:
        put_fill(stream, &palette->inks[lw_palette_ink(cell->shade)]);
        return;
    case LW_INK_RAMP:
        put_fill(stream, &palette->ramp[lw_palette_level(cell->shade)]);
        return;
    case LW_INK_FAINT:
    case LW_INK_HOLE:
        fputs("\x1b[2m", stream);
        return;
    case LW_INK_HEAD:
        fputs("\x1b[1m", stream);
        return;
    case LW_INK_GOOD:
        fputs("\x1b[32m", stream);
        return;
    case LW_INK_BAD:
        fputs("\x1b[1;31m", stream);
        return;
    case LW_INK_PLAIN:
        return;
    }
}

static void put_blanks(FILE *stream, size_t width, const char *string)
{
    for (size_t used = lw_text_width(string); used < width; used++)
        fputc(' ', stream);
}

struct ansi {
    const struct lw_view *view;
    struct lw_export_options options; /* with the columns of one group */
    FILE *stream;
    struct lw_text text;
    struct lw_measure widths;
    bool left;  /* lists of names and values are aligned at the left */
    bool block; /* one coloured character a cell: no gaps */
};

static void put_faint(struct ansi *a, size_t width, bool left)
{
    const char *string = lw_text_string(&a->text);
    if (!left)
        put_blanks(a->stream, width, string);
    if (*string)
        fprintf(a->stream, "\x1b[2m%s\x1b[0m", string);
    if (left)
        put_blanks(a->stream, width, string);
}

static void put_header(struct ansi *a)
{
    if (!a->options.labels || a->block)
        return;
    for (size_t i = 0; i < a->widths.label; i++)
        fputc(' ', a->stream);
    for (uint64_t col = a->options.col_from; col < a->options.col_to; col++) {
        lw_fetch_col_label(a->view, col, &a->text);
        fputs("  ", a->stream);
        bool last = col + 1 == a->options.col_to;
        put_faint(a, a->left && last ? 0 : lw_measure_cell(&a->widths, col), a->left);
    }
    fputc('\n', a->stream);
}

/* The colours of a marked cell, which are those of the explorer. */
static const char mark[] = "\x1b[1;4;38;5;231;48;5;63m";

static void put_cell(struct ansi *a, uint64_t row, uint64_t col)
{
    const struct lw_export_options *o = &a->options;
    struct lw_cell cell = {0};
    lw_fetch_cell(a->view, row, col, &a->text, &cell);
    const char *string = lw_text_string(&a->text);
    bool last = col + 1 == o->col_to;
    size_t width = lw_measure_cell(&a->widths, col);
    if (!a->left)
        put_blanks(a->stream, width, string);
    bool marked = *string && o->marked && o->marked(o->marked_context, a->view, row, col);
    if (marked)
        fputs(mark, a->stream);
    else
        put_color(a->stream, &cell);
    fputs(string, a->stream);
    if (marked || cell.ink != LW_INK_PLAIN)
        fputs("\x1b[0m", a->stream);
    if (a->left && !last)
        put_blanks(a->stream, width, string);
}

static void put_row(struct ansi *a, uint64_t row)
{
    bool first = true;
    if (a->options.labels) {
        lw_fetch_row_label(a->view, row, &a->text);
        put_faint(a, a->widths.label, a->left);
        first = false;
    }
    for (uint64_t col = a->options.col_from; col < a->options.col_to; col++) {
        if (!first && (!a->block || col == a->options.col_from))
            fputs("  ", a->stream);
        put_cell(a, row, col);
        first = false;
    }
    fputc('\n', a->stream);
}

/* The end of the columns that fit side by side, from the first one of the options on: all the others, else a power of
 * two of them, at least one. */
static uint64_t group_end(const struct ansi *a, uint64_t all_end)
{
    uint64_t from = a->options.col_from, count = 0, power = 1;
    size_t used = a->options.labels ? a->widths.label : 0;
    if (!a->options.fit || a->left || a->block)
        return all_end;
    for (; from + count < all_end; count++) {
        used += lw_measure_cell(&a->widths, from + count) + (count || a->options.labels ? 2 : 0);
        if (used > a->options.fit)
            break;
    }
    if (from + count == all_end)
        return all_end;
    while (power * 2 <= count)
        power *= 2;
    return from + power;
}

/* Rows of one page, in groups of columns. */
static void put_page(struct ansi *a, const struct lw_export_options *all, uint64_t row,
                     uint64_t end)
{
    for (uint64_t from = all->col_from; from < all->col_to; from = a->options.col_to) {
        a->options.col_from = from;
        a->options.col_to = group_end(a, all->col_to);
        if (row > all->row_from || from > all->col_from)
            fputc('\n', a->stream);
        put_header(a);
        for (uint64_t i = row; i < end && !ferror(a->stream); i++)
            put_row(a, i);
    }
}

static bool write_ansi(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    struct ansi a = {.view = view,
                     .options = *options,
                     .stream = stream,
                     .left = view->cols <= 2,
                     .block = view->options.detail == LW_DETAIL_CHAR};
    if (!lw_measure(&a.widths, view, options, !a.block, err))
        return false;
    lw_write_head(view, options, stream);
    for (uint64_t row = options->row_from, end; row < options->row_to && !ferror(stream);
         row = end) {
        end = lw_page_end(view, options, row);
        put_page(&a, options, row, end);
    }
    lw_write_caption(view, options, stream);
    bool failed = a.text.failed;
    lw_text_free(&a.text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_ansi = {
    .name = "ansi",
    .extension = "ans",
    .help = "text with the colours of a terminal",
    .between = "\n",
    .marks = true,
    .write = write_ansi,
};
