/* text: tables as Python's tabulate prints them, and the printers of Triton and CuTe; which style is which. ansi: a
 * table without lines, in the 256 colours of terminals. */

#include "core/text_rows.h"
#include "export/export_parts.h"
#include "export/output.h"
#include "export/table.h"
#include "view/palette.h"

#include <string.h>

/* ---- Styles: the rules that tabulate draws around and between cells ---- */

/* clang-format off */
#define LINE(begin, fill, between, end) {begin, fill, between, end}
#define NONE LINE(NULL, NULL, NULL, NULL)
#define CELLS(edge) {edge, NULL, edge, edge}
#define DASHES LINE("", "-", "  ", "")
#define ASCII_LINE LINE("+", "-", "+", "+")
#define ASCII_HEAD LINE("+", "=", "+", "+")
#define THIN_TOP LINE("┌", "─", "┬", "┐")
#define THIN_LINE LINE("├", "─", "┼", "┤")
#define THIN_END LINE("└", "─", "┴", "┘")
#define ROUND_TOP LINE("╭", "─", "┬", "╮")
#define ROUND_END LINE("╰", "─", "┴", "╯")
#define HEAVY_TOP LINE("┏", "━", "┳", "┓")
#define HEAVY_LINE LINE("┣", "━", "╋", "┫")
#define HEAVY_END LINE("┗", "━", "┻", "┛")
#define MIXED_TOP LINE("┍", "━", "┯", "┑")
#define MIXED_LINE LINE("┝", "━", "┿", "┥")
#define MIXED_END LINE("┕", "━", "┷", "┙")
#define DOUBLE_TOP LINE("╔", "═", "╦", "╗")
#define DOUBLE_LINE LINE("╠", "═", "╬", "╣")
#define DOUBLE_END LINE("╚", "═", "╩", "╝")
#define FANCY_TOP LINE("╒", "═", "╤", "╕")
#define FANCY_LINE LINE("╞", "═", "╪", "╡")
#define FANCY_END LINE("╘", "═", "╧", "╛")

/* The lines above, under the header, between rows and below; a row; the padding. */
#define RULING(...) &(const struct lw_ruling){__VA_ARGS__}, NULL, NULL

static const struct lw_style styles[] = {
    {"simple_grid", "thin lines around every cell",
     RULING(THIN_TOP, THIN_LINE, THIN_LINE, THIN_END, CELLS("│"), 1, false)},
    {"plain", "no lines at all",
     RULING(NONE, NONE, NONE, NONE, LINE("", NULL, "  ", ""), 0, false)},
    {"grid", "every cell framed, in ASCII",
     RULING(ASCII_LINE, ASCII_HEAD, ASCII_LINE, ASCII_LINE, CELLS("|"), 1, false)},
    {"rounded_grid", "thin lines, round corners",
     RULING(ROUND_TOP, THIN_LINE, THIN_LINE, ROUND_END, CELLS("│"), 1, false)},
    {"mixed_grid", "thick horizontal lines outside",
     RULING(MIXED_TOP, MIXED_LINE, THIN_LINE, MIXED_END, CELLS("│"), 1, false)},
    {"double_grid", "double lines",
     RULING(DOUBLE_TOP, DOUBLE_LINE, DOUBLE_LINE, DOUBLE_END, CELLS("║"), 1, false)},
    {"fancy_grid", "double horizontal lines outside",
     RULING(FANCY_TOP, FANCY_LINE, THIN_LINE, FANCY_END, CELLS("│"), 1, false)},
    {"outline", "a frame in ASCII, no lines between rows",
     RULING(ASCII_LINE, ASCII_HEAD, NONE, ASCII_LINE, CELLS("|"), 1, false)},
    {"simple_outline", "a thin frame, no lines between rows",
     RULING(THIN_TOP, THIN_LINE, NONE, THIN_END, CELLS("│"), 1, false)},
    {"mixed_outline", "a frame thick above and below",
     RULING(MIXED_TOP, MIXED_LINE, NONE, MIXED_END, CELLS("│"), 1, false)},
    {"presto", "bars between columns",
     RULING(NONE, LINE("", "-", "+", ""), NONE, NONE, LINE("", NULL, "|", ""), 1, false)},
    {"simple", "dashes above and below",
     RULING(DASHES, DASHES, NONE, DASHES, LINE("", NULL, "  ", ""), 0, true)},
    {"psql", "a frame as psql draws it",
     RULING(ASCII_LINE, LINE("|", "-", "+", "|"), NONE, ASCII_LINE, CELLS("|"), 1, false)},
    {"heavy_grid", "thick lines around every cell",
     RULING(HEAVY_TOP, HEAVY_LINE, HEAVY_LINE, HEAVY_END, CELLS("┃"), 1, false)},
    {"rounded_outline", "a thin frame with round corners",
     RULING(ROUND_TOP, THIN_LINE, NONE, ROUND_END, CELLS("│"), 1, false)},
    {"heavy_outline", "a thick frame",
     RULING(HEAVY_TOP, HEAVY_LINE, NONE, HEAVY_END, CELLS("┃"), 1, false)},
    {"double_outline", "a double frame",
     RULING(DOUBLE_TOP, DOUBLE_LINE, NONE, DOUBLE_END, CELLS("║"), 1, false)},
    {"fancy_outline", "a frame double above and below",
     RULING(FANCY_TOP, FANCY_LINE, NONE, FANCY_END, CELLS("│"), 1, false)},
    {"triton", "the exact text of Triton's printers", NULL, lw_write_triton, NULL},
    {"brackets", "[ 0 1 ; 32 33 ]: rows of blocks and warps, in Triton's documentation",
     NULL, lw_write_brackets, NULL},
    {"warps", "[ 0   1 ...... 31 ] below a brace over the warp", NULL, lw_write_brackets, NULL},
    {"rows", "[ 0,  1], one row a line", NULL, lw_write_brackets, NULL},
    {"phases", "the same with the phases of a swizzle as comments",
     NULL, lw_write_brackets, NULL},
    {"spaced_rows", "[ 0,  1 ], no comma after it", NULL, lw_write_brackets, NULL},
    {"matrix", "[0  1 ], below each other behind the title: L = [0  1 ]",
     NULL, lw_write_brackets, NULL},
    {"sets", "[ {0, 8}, {1, 9} ]: sets of owners, in one pair of brackets",
     NULL, lw_write_brackets, NULL},
    {"slices", "[{0, 4, 8}, {1, 5, 9}]: the same, numbers as wide as they are",
     NULL, lw_write_brackets, NULL},
    {"cute", "the exact text of CuTe's print_layout and print_latex; latex of view mma: that of a "
             "tiled MMA, of view conversion from S to D: that of a tiled copy",
     NULL, lw_write_cute, lw_write_cute_latex},
};
/* clang-format on */

enum { STYLE_COUNT = sizeof styles / sizeof *styles };

const struct lw_style *lw_styles(size_t *count)
{
    *count = STYLE_COUNT;
    return styles;
}

const struct lw_style *lw_style_find(const char *name)
{
    for (size_t i = 0; i < STYLE_COUNT; i++)
        if (!strcmp(styles[i].name, name))
            return &styles[i];
    return NULL;
}

static bool is_ascii(const char *string)
{
    for (; string && *string; string++)
        if (*string & 0x80)
            return false;
    return true;
}

/* All lines of a style are ASCII when those around and in a row are. */
bool lw_style_is_ascii(const struct lw_style *style)
{
    const struct lw_ruling *r = style->ruling;
    return !r || (is_ascii(r->above.fill) && is_ascii(r->under_header.fill) &&
                  is_ascii(r->between_rows.fill) && is_ascii(r->row.between));
}

/* ---- A page of a view as a table; with labels, column 0 holds those of the rows ---- */

struct page {
    const struct lw_view *view;
    const struct lw_export_options *options;
    uint64_t row;
    bool labels, colors;
};

/* Appends the text of a cell, between stars if it is marked and has no colours. */
static void cell_of(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    const struct page *page = context;
    const struct lw_export_options *o = page->options;
    uint64_t at = o->col_from + col - page->labels;
    if (page->labels && col == 0)
        lw_fetch_row_label(page->view, row == LW_TABLE_HEADER ? LW_LABEL_CORNER : page->row + row,
                           text);
    else if (row == LW_TABLE_HEADER)
        lw_fetch_col_label(page->view, at, text);
    else if (lw_fetch_marked(page->view, o, page->row + row, at, text) && !page->colors) {
        struct lw_text marked = {0};
        lw_text_format(&marked, "*%s*", lw_text_string(text));
        lw_text_free(text);
        *text = marked;
    }
}

/* ---- Colours ---- */

/* Black or white on a full colour of the palette for dark backgrounds. */
static void put_fill(struct lw_text *look, const struct lw_ink_color *ink)
{
    lw_text_format(look, "\x1b[38;5;%d;48;5;%dm", lw_palette_letters(ink->rgb) ? 231 : 16,
                   ink->cube);
}

/* The colours of a cell; those of a marked one are those of the explorer. */
static void look_of(const void *context, uint64_t row, uint64_t col, struct lw_text *look)
{
    static const char *const looks[] = {
        [LW_INK_FAINT] = "\x1b[2m", [LW_INK_HOLE] = "\x1b[2m",   [LW_INK_HEAD] = "\x1b[1m",
        [LW_INK_GOOD] = "\x1b[32m", [LW_INK_BAD] = "\x1b[1;31m", [LW_INK_RAMP] = NULL};
    const struct page *page = context;
    const struct lw_export_options *o = page->options;
    const struct lw_palette *palette = lw_palette_find("dark");
    struct lw_cell cell = {.ink = LW_INK_FAINT}; /* of labels */
    struct lw_text ignored = {0};
    uint64_t at = o->col_from + col - page->labels;
    bool label = row == LW_TABLE_HEADER || (page->labels && col == 0);
    if (!label)
        lw_fetch_cell(page->view, page->row + row, at, &ignored, &cell);
    lw_text_free(&ignored);
    if (!label && o->marked && o->marked(o->marked_context, page->view, page->row + row, at))
        lw_text_add(look, "\x1b[1;4;38;5;231;48;5;63m");
    else if (cell.ink == LW_INK_INDEX || cell.ink == LW_INK_DIM)
        put_fill(look, &palette->inks[lw_palette_ink(cell.shade)]);
    else if (cell.ink == LW_INK_RAMP)
        put_fill(look, &palette->ramp[lw_palette_level(cell.shade)]);
    else
        lw_text_add(look, looks[cell.ink] ? looks[cell.ink] : "");
}

/* ---- All of it ---- */

/* Writes a text in paragraphs, and frees it; one that has failed makes the stream fail. */
static void put_paragraphs(FILE *stream, struct lw_text *text)
{
    struct lw_text lines = {0};
    lw_text_paragraphs(&lines, lw_text_string(text));
    if (text->failed || lines.failed)
        lw_output_fail(stream);
    lw_write_lines(stream, "", lw_text_string(&lines));
    lw_text_free(&lines);
    lw_text_free(text);
}

/* Writes the grids of a stack, between the head and what the document is about; ruling NULL: in colours. Labels: a part
 * of a view always has them, to show which part it is. */
static bool write_tables(const struct lw_view *view, const struct lw_export_options *options,
                         const struct lw_ruling *ruling, FILE *stream, struct lw_error *err)
{
    static const struct lw_ruling gaps = {.row = {"", NULL, "  ", ""}};
    bool labels = options->labels && (!ruling || options->bare_labels || !view->type->bare ||
                                      !lw_is_whole(view, options));
    struct lw_text head = {0}, sense = {0}, about = {0};
    lw_write_lines(stream, "", options->title ? options->title : "");
    lw_fetch_head(view, options, "", &head);
    lw_write_lines(stream, "", lw_text_string(&head));
    if (head.failed)
        lw_output_fail(stream);
    lw_text_free(&head);
    if (labels && ruling && options->head)
        lw_fetch_sense(view, &sense);
    put_paragraphs(stream, &sense);
    for (uint64_t row = options->row_from, end; row < options->row_to && !ferror(stream);
         row = end) {
        end = lw_page_end(view, options, row);
        struct page page = {view, options, row, labels, !ruling};
        struct lw_table table = {.ruling = ruling ? ruling : &gaps,
                                 .rows = end - row,
                                 .cols = options->col_to - options->col_from + labels,
                                 .header = labels,
                                 .tight = options->tight || !ruling,
                                 .fit = options->fit,
                                 .context = &page,
                                 .cell = cell_of,
                                 .look = ruling ? NULL : look_of};
        fputs(!ruling && row > options->row_from ? "\n" : "", stream);
        if (!lw_table_write(&table, stream, err))
            return false;
    }
    lw_text_add(&about, lw_figure_about(view, options));
    fputs(about.length ? "\n" : "", stream);
    put_paragraphs(stream, &about);
    lw_write_lines(stream, "", options->caption ? options->caption : "");
    return true;
}

static bool write_text(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = lw_style_find(options->style ? options->style : "simple_grid");
    if (!style->ruling && options->highlight)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "--highlight: the style %s has no marks",
                            style->name);
    return style->ruling ? write_tables(view, options, style->ruling, stream, err)
                         : style->write(view, options, stream, err);
}

static bool write_ansi(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    return write_tables(view, options, NULL, stream, err);
}

const struct lw_format lw_format_text = {
    .name = "text",
    .extension = "txt",
    .help = "a table of text, in one of the styles",
    .between = "\n",
    .marks = true,
    .write = write_text,
};

const struct lw_format lw_format_ansi = {
    .name = "ansi",
    .extension = "ans",
    .help = "text with the colours of a terminal",
    .between = "\n",
    .marks = true,
    .write = write_ansi,
};
