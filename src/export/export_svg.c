/* svg: a picture for documents. It has its own background, light or dark as the reader's scheme is, so that
 * it can be read on any page; in programs that ignore the style for dark schemes, it is light. Lines are at
 * half pixels, which makes them sharp. */

#include "export/legend.h"

#include <string.h>

enum {
    COLUMN = 8, /* of text of 13 pixels, a little more than it takes */
    ROW = 24,
    BASE = 16, /* of the text in a row */
    PAD = 8,   /* on both sides of a text */
    MARGIN = 12,
    GAP = 16,    /* between the pages of a stack */
    LEAST = 360, /* wide, when there are words above the grid */
    SWATCH = 14,
};

struct svg {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
    struct lw_measure measure;
    uint64_t label;         /* the width of row labels */
    uint64_t width, height; /* of all */
    uint64_t y;             /* where the next thing goes */
};

static uint64_t cell_width(const struct svg *s, uint64_t col)
{
    return lw_measure_cell(&s->measure, col) * COLUMN + 2 * PAD;
}

/* Where a column begins; where the last one ends. */
static uint64_t column_at(const struct svg *s, uint64_t col)
{
    uint64_t from = s->options->col_from;
    uint64_t before = col == from       ? 0
                      : s->measure.list ? cell_width(s, from)
                                        : (col - from) * cell_width(s, from);
    if (s->measure.list && col - from == 2)
        before += cell_width(s, from + 1);
    return MARGIN + s->label + before;
}

/* ---- Lines of words, which are drawn or only counted ---- */

static void put_line(struct svg *s, bool draw, const char *class, const char *string, size_t length)
{
    if (draw) {
        struct lw_text line = {0};
        lw_text_bytes(&line, string, length);
        fprintf(s->stream, "<text class=\"%s\" x=\"%d\" y=\"%llu\">", class, MARGIN,
                (unsigned long long)s->y + BASE - 4);
        lw_put_markup(s->stream, lw_text_string(&line));
        fputs("</text>\n", s->stream);
        lw_text_free(&line);
    }
    s->y += ROW - 4;
}

/* Breaks at a new line, between words, or where the line is full. */
static void put_string(struct svg *s, bool draw, const char *class, const char *string)
{
    size_t room = (size_t)(s->width - 2 * MARGIN) / COLUMN;
    while (*string) {
        size_t length = 0, columns = 0, blank = 0;
        for (int bytes; string[length] && string[length] != '\n' && columns < room;
             length += (size_t)bytes, columns++) {
            lw_text_decode(string + length, &bytes);
            if (string[length] == ' ' && columns > room / 2)
                blank = length;
        }
        if (string[length] && !strchr(" \n", string[length]) && blank)
            length = blank;
        put_line(s, draw, class, string, length);
        string += length + (string[length] == ' ' || string[length] == '\n');
    }
}

static void put_introduction(struct svg *s, bool draw)
{
    const char *title = lw_picture_title(s->view, s->options);
    s->y = MARGIN;
    if (!s->options->head)
        return;
    put_string(s, draw, "t", title);
    lw_fetch_head(s->view, s->options, title, &s->text);
    put_string(s, draw, "w", lw_text_string(&s->text));
    s->y += PAD;
}

static void put_caption(struct svg *s, bool draw)
{
    if (!s->options->head || !s->options->caption)
        return;
    s->y += PAD;
    put_string(s, draw, "w", s->options->caption);
}

static void put_legend(struct svg *s, bool draw)
{
    uint8_t classes[LW_CLASS_COUNT];
    int count = lw_legend_entries(&s->measure.legend, classes);
    const char *title = lw_legend_title(&s->measure.legend, s->view);
    uint64_t x = MARGIN;
    if (!count)
        return;
    s->y += PAD;
    if (title) {
        if (draw)
            fprintf(s->stream, "<text class=\"l\" x=\"%llu\" y=\"%llu\">%s</text>\n",
                    (unsigned long long)x, (unsigned long long)s->y + BASE, title);
        x += lw_text_width(title) * COLUMN + PAD;
    }
    for (int i = 0; i < count; i++) {
        lw_legend_explanation(&s->measure.legend, s->view, classes[i], &s->text);
        uint64_t width = SWATCH + 6 + lw_text_width(lw_text_string(&s->text)) * COLUMN + PAD;
        if (x > MARGIN && x + width > s->width - MARGIN) {
            x = MARGIN;
            s->y += ROW - 4;
        }
        if (draw) {
            fprintf(s->stream,
                    "<rect class=\"c%u\" x=\"%llu\" y=\"%llu\" width=\"%d\" height=\"%d\"/>",
                    classes[i], (unsigned long long)x, (unsigned long long)s->y + BASE - 11, SWATCH,
                    SWATCH);
            fprintf(s->stream, "<text class=\"l\" x=\"%llu\" y=\"%llu\">",
                    (unsigned long long)x + SWATCH + 6, (unsigned long long)s->y + BASE);
            lw_put_markup(s->stream, lw_text_string(&s->text));
            fputs("</text>\n", s->stream);
        }
        x += width;
    }
    s->y += ROW;
}

/* ---- The grid ---- */

static void put_text_at(struct svg *s, const char *anchor, uint64_t x, uint64_t y)
{
    if (!s->text.length)
        return;
    fprintf(s->stream, "<text%s x=\"%llu\" y=\"%llu\">", anchor, (unsigned long long)x,
            (unsigned long long)y);
    lw_put_markup(s->stream, lw_text_string(&s->text));
    fputs("</text>", s->stream);
}

/* The middle of a column, or where the words of a list begin. */
static uint64_t text_at(const struct svg *s, uint64_t col)
{
    return column_at(s, col) + (s->measure.list ? PAD : cell_width(s, col) / 2);
}

static void put_header(struct svg *s)
{
    if (!s->options->labels)
        return;
    fprintf(s->stream, "<g class=\"%s\">", s->measure.list ? "l" : "l m");
    for (uint64_t col = s->options->col_from; col < s->options->col_to; col++) {
        lw_fetch_col_label(s->view, col, &s->text);
        put_text_at(s, "", text_at(s, col), s->y + BASE);
    }
    fputs("</g>\n", s->stream);
    s->y += ROW;
}

/* Neighbours of one class are one group. */
static void put_row(struct svg *s, uint64_t row)
{
    unsigned group = LW_CLASS_COUNT;
    if (s->options->labels) {
        lw_fetch_row_label(s->view, row, &s->text);
        put_text_at(s, " class=\"l e\"", MARGIN + s->label - PAD, s->y + BASE);
    }
    for (uint64_t col = s->options->col_from; col < s->options->col_to; col++) {
        struct lw_cell cell = {0};
        lw_fetch_cell(s->view, row, col, &s->text, &cell);
        unsigned class = lw_palette_class(&cell);
        if (class != group)
            fprintf(s->stream, "%s<g class=\"c%u%s\">", group == LW_CLASS_COUNT ? "" : "</g>",
                    class, s->measure.list ? "" : " m");
        group = class;
        fprintf(s->stream, "<rect x=\"%llu\" y=\"%llu\" width=\"%llu\" height=\"%d\"/>",
                (unsigned long long)column_at(s, col), (unsigned long long)s->y,
                (unsigned long long)cell_width(s, col), ROW);
        put_text_at(s, "", text_at(s, col), s->y + BASE);
    }
    fputs("</g>\n", s->stream);
    s->y += ROW;
}

static void put_grid(struct svg *s)
{
    const struct lw_export_options *o = s->options;
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(s->stream); row++) {
        bool page = row % s->view->page_rows == 0;
        if (row == o->row_from || page) {
            s->y += row == o->row_from ? 0 : GAP;
            put_header(s);
        }
        put_row(s, row);
    }
}

/* ---- Around it ---- */

static void measure_all(struct svg *s)
{
    const struct lw_export_options *o = s->options;
    uint64_t pages = (o->row_to - 1) / s->view->page_rows - o->row_from / s->view->page_rows + 1;
    s->label = o->labels && s->measure.label ? s->measure.label * COLUMN + 2 * PAD : 0;
    s->width = column_at(s, o->col_to) + MARGIN;
    if (o->head && s->width < LEAST)
        s->width = LEAST;
    put_introduction(s, false);
    s->y += (o->row_to - o->row_from) * ROW + (pages - 1) * GAP + (o->labels ? pages * ROW : 0);
    put_legend(s, false);
    put_caption(s, false);
    s->height = s->y + MARGIN;
}

static void put_colors(FILE *stream, const bool *seen, const char *name)
{
    const struct lw_palette *palette = lw_palette_find(name);
    fprintf(stream,
            ".laneway .p{fill:#%06x;stroke:#%06x}.laneway rect{stroke:#%06x}"
            ".laneway .t,.laneway .w{fill:#%06x}",
            (unsigned)palette->paper, (unsigned)palette->rule, (unsigned)palette->rule,
            (unsigned)palette->letters);
    fputs(".laneway .l{fill:", stream);
    lw_put_rgb(stream, lw_palette_tint(palette, LW_INK_HEAD).letters);
    fputs("}\n", stream);
    for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
        if (!seen[class])
            continue;
        struct lw_tint tint = lw_palette_tint(palette, class);
        fprintf(stream, ".laneway rect.c%u,.laneway .c%u rect{fill:", class, class);
        lw_put_rgb(stream, tint.fill);
        fprintf(stream, "}.laneway .c%u text{fill:", class);
        lw_put_rgb(stream, tint.letters);
        fputs("}\n", stream);
    }
}

static void put_opening(struct svg *s)
{
    const struct lw_export_options *o = s->options;
    const struct lw_export_palette *palette = lw_find_palette(o->palette);
    const char *title = lw_picture_title(s->view, o), *about = s->view->subject->about;
    fprintf(s->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"laneway\" width=\"%llu\" "
            "height=\"%llu\" viewBox=\"0 0 %llu %llu\" role=\"img\" xml:space=\"preserve\">\n"
            "<title>",
            (unsigned long long)s->width, (unsigned long long)s->height,
            (unsigned long long)s->width, (unsigned long long)s->height);
    lw_put_markup(s->stream, *title ? title : s->view->type->title);
    lw_fetch_head(s->view, o, title, &s->text);
    fputs(s->text.length ? ": " : "", s->stream);
    lw_put_markup(s->stream, lw_text_string(&s->text));
    fprintf(s->stream,
            "</title>\n<desc>%llu x %llu cells: ", (unsigned long long)(o->row_to - o->row_from),
            (unsigned long long)(o->col_to - o->col_from));
    lw_put_markup(s->stream, s->view->type->help);
    fputs(about && *about ? ". " : "", s->stream);
    lw_put_markup(s->stream, about ? about : "");
    fputs("</desc>\n<style>\n"
          ".laneway text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans "
          "Mono',monospace}\n"
          ".laneway .t{font-weight:bold}.laneway .m{text-anchor:middle}"
          ".laneway .e{text-anchor:end}\n",
          s->stream);
    put_colors(s->stream, s->measure.legend.seen, palette->light);
    if (palette->dark) {
        fputs("@media (prefers-color-scheme:dark){\n", s->stream);
        put_colors(s->stream, s->measure.legend.seen, palette->dark);
        fputs("}\n", s->stream);
    }
    fprintf(s->stream,
            "</style>\n<g transform=\"translate(.5 .5)\">\n"
            "<rect class=\"p\" width=\"%llu\" height=\"%llu\" rx=\"6\"/>\n",
            (unsigned long long)s->width - 1, (unsigned long long)s->height - 1);
}

static bool write_svg(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct svg s = {.view = view, .options = options, .stream = stream};
    if (!lw_measure(&s.measure, view, options, true, err))
        return false;
    measure_all(&s);
    put_opening(&s);
    put_introduction(&s, true);
    put_grid(&s);
    put_legend(&s, true);
    put_caption(&s, true);
    fputs("</g>\n</svg>\n", stream);
    bool failed = s.text.failed;
    lw_text_free(&s.text);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_svg = {
    .name = "svg",
    .extension = "svg",
    .help = "a picture for documents, light or dark",
    .cells = (uint64_t)1 << 16,
    .write = write_svg,
};
