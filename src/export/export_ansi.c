/* ansi: the view with its labels, in the 256 colours of terminals. Lines that are longer than the terminal are cut. */

#include "export/export_parts.h"
#include "view/palette.h"

#include <stdlib.h>

struct ansi {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
    size_t label;    /* the width of row labels; 0: none */
    size_t *widths;  /* of the columns of the range */
    uint64_t shown;  /* the columns that fit */
    bool left;       /* lists of names and values are aligned at the left */
    const char *gap; /* between columns: none where a cell is one coloured character */
    size_t gap_width;
};

/* ---- Colours ---- */

/* Black or white on a full colour of the palette for dark backgrounds. */
static void put_fill(FILE *stream, const struct lw_ink_color *ink)
{
    fprintf(stream, "\x1b[38;5;%d;48;5;%dm", lw_palette_letters(ink->rgb) ? 231 : 16, ink->cube);
}

/* Sets the colours of a cell; false: it has none. */
static bool put_color(FILE *stream, const struct lw_cell *cell)
{
    static const char *const looks[] = {[LW_INK_FAINT] = "\x1b[2m",
                                        [LW_INK_HOLE] = "\x1b[2m",
                                        [LW_INK_HEAD] = "\x1b[1m",
                                        [LW_INK_GOOD] = "\x1b[32m",
                                        [LW_INK_BAD] = "\x1b[1;31m"};
    const struct lw_palette *palette = lw_palette_find("dark");
    if (cell->ink == LW_INK_PLAIN)
        return false;
    if (cell->ink == LW_INK_INDEX || cell->ink == LW_INK_DIM)
        put_fill(stream, &palette->inks[lw_palette_ink(cell->shade)]);
    else if (cell->ink == LW_INK_RAMP)
        put_fill(stream, &palette->ramp[lw_palette_level(cell->shade)]);
    else
        fputs(looks[cell->ink], stream);
    return true;
}

/* ---- Lines ---- */

static void put_blanks(const struct ansi *a, size_t width)
{
    size_t used = lw_text_width(lw_text_string(&a->text));
    fprintf(a->stream, "%*s", (int)(width > used ? width - used : 0), "");
}

/* Writes the text, aligned, with what sets and resets its look around it. */
static void put_aligned(const struct ansi *a, size_t width, const struct lw_cell *cell, bool marked)
{
    static const char mark[] = "\x1b[1;4;38;5;231;48;5;63m"; /* as in the explorer */
    const char *string = lw_text_string(&a->text);
    bool look = marked;
    if (!a->left)
        put_blanks(a, width);
    if (marked)
        fputs(mark, a->stream);
    else if (*string || a->gap_width == 0)
        look = put_color(a->stream, cell);
    fprintf(a->stream, look ? "%s\x1b[0m" : "%s", string);
    if (a->left)
        put_blanks(a, width);
}

/* One row, or with LW_LABEL_CORNER the labels of columns. */
static void put_row(struct ansi *a, uint64_t row)
{
    static const struct lw_cell faint = {.ink = LW_INK_FAINT};
    const struct lw_export_options *o = a->options;
    bool header = row == LW_LABEL_CORNER;
    if (o->labels) {
        lw_text_clear(&a->text);
        if (!header)
            lw_fetch_row_label(a->view, row, &a->text);
        put_aligned(a, a->label, &faint, false);
    }
    for (uint64_t i = 0; i < a->shown; i++) {
        uint64_t col = o->col_from + i;
        bool last = col + 1 == o->col_to, marked = false;
        struct lw_cell cell = faint;
        fputs(i ? a->gap : o->labels ? "  " : "", a->stream);
        if (header)
            lw_fetch_col_label(a->view, col, &a->text);
        else
            lw_fetch_cell(a->view, row, col, &a->text, &cell);
        if (!header && a->text.length && o->marked)
            marked = o->marked(o->marked_context, a->view, row, col);
        put_aligned(a, a->left && last ? 0 : a->widths[i], &cell, marked);
    }
    fputs(o->col_from + a->shown < o->col_to ? "\xe2\x80\xa6\n" : "\n", a->stream);
}

/* ---- All of it ---- */

static void widen(size_t *width, const struct lw_text *text)
{
    size_t here = lw_text_width(lw_text_string(text));
    *width = here > *width ? here : *width;
}

/* Sets the widths, and how many columns fit beside an ellipsis; the first one is written in any case. */
static void measure(struct ansi *a)
{
    const struct lw_export_options *o = a->options;
    for (uint64_t row = o->row_from; row < o->row_to; row++) {
        if (o->labels)
            lw_fetch_row_label(a->view, row, &a->text);
        if (o->labels)
            widen(&a->label, &a->text);
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            lw_fetch_cell(a->view, row, col, &a->text, NULL);
            widen(&a->widths[col - o->col_from], &a->text);
        }
    }
    size_t used = a->label + (o->labels ? 2 : 0);
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        size_t *width = &a->widths[col - o->col_from];
        bool last = col + 1 == o->col_to;
        lw_fetch_col_label(a->view, col, &a->text);
        if (o->labels && a->gap_width)
            widen(width, &a->text);
        used += *width + (a->shown ? a->gap_width : 0);
        if (o->fit && a->shown && used + !last > o->fit)
            break;
        a->shown++;
    }
}

static bool write_ansi(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const bool block = view->options.detail == LW_DETAIL_CHAR;
    struct ansi a = {.view = view,
                     .options = options,
                     .stream = stream,
                     .left = view->cols <= 2,
                     .gap = block ? "" : "  ",
                     .gap_width = block ? 0 : 2};
    a.widths = calloc((size_t)(options->col_to - options->col_from), sizeof *a.widths);
    if (!a.widths)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    measure(&a);
    lw_write_head(view, options, stream);
    for (uint64_t row = options->row_from; row < options->row_to && !ferror(stream); row++) {
        bool begins = row == options->row_from || row % view->page_rows == 0;
        fputs(begins && row > options->row_from ? "\n" : "", stream);
        if (begins && options->labels && !block)
            put_row(&a, LW_LABEL_CORNER);
        put_row(&a, row);
    }
    lw_write_caption(view, options, stream);
    bool failed = a.text.failed;
    lw_text_free(&a.text);
    free(a.widths);
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
