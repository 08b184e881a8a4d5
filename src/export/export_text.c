/* text: tables as Python's tabulate prints them, and the printers of Triton and CuTe; which style is which. ansi: a
 * table without lines, in the 256 colours of terminals. markdown and rst: tables between paragraphs; the two differ in
 * their escapes, and in that the table of reStructuredText is drawn. */

#include "core/text_rows.h"
#include "export/export_parts.h"
#include "export/output.h"
#include "export/table.h"
#include "view/palette.h"

#include <ctype.h>
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

/* ---- Documents: paragraphs, and a table for each grid of a stack ---- */

enum form { TEXT, ANSI, MARKDOWN, RST };

/* A document; with labels, column 0 of its tables holds those of the rows. */
struct page {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    enum form form;
    bool labels;
    uint64_t row; /* the first one of the table */
    struct lw_text text, line, shown;
};

/* ---- Escapes of markup ---- */

/* The characters of inline markup. */
static const char *const signs[] = {[MARKDOWN] = "\\*`|<", [RST] = "\\*`|_"};

/* Appends text in which nothing is inline markup. */
static void put_escaped(const struct page *page, const char *string, struct lw_text *out)
{
    for (size_t plain; *string; string += plain + (string[plain] != '\0')) {
        plain = strcspn(string, signs[page->form]);
        lw_text_bytes(out, string, plain);
        if (string[plain])
            lw_text_format(out, "\\%c", string[plain]);
    }
}

/* Appends a line that begins a paragraph: as its first character nothing is markup either. In Markdown that is the
 * sign of a heading, a list, a quotation, a fence, a rule, a definition or a formula, or the sign after the number of a
 * list; in reStructuredText anything but a word, which is no word where it ends as the number of a list does. */
static void put_paragraph(const struct page *page, const char *line, struct lw_text *out)
{
    line += strspn(line, " \t");
    size_t word = strcspn(line, " \t"), digits = strspn(line, "0123456789");
    bool rst = page->form == RST, inline_sign = *line && strchr(signs[page->form], *line);
    if (rst && *line && !inline_sign &&
        (!isalpha((unsigned char)*line) || strchr(".)", line[word - 1]))) {
        lw_text_char(out, '\\');
    } else if (!rst && *line && strchr("#>-+=~:[$_", *line)) {
        lw_text_char(out, '\\');
    } else if (!rst && digits && strchr(".)", line[digits])) {
        lw_text_bytes(out, line, digits);
        lw_text_char(out, '\\');
        line += digits;
    }
    put_escaped(page, line, out);
    size_t length = out->length;
    if (rst && length > 1 && out->data[length - 1] == ':' && out->data[length - 2] == ':') {
        lw_text_cut(out, length - 1); /* of "::", after which a literal block would begin */
        lw_text_add(out, "\\:");
    }
}

/* ---- Paragraphs ---- */

/* Writes the lines of a text; of markup each as a paragraph, with characters that are not printable escaped. */
static void put_lines(struct page *page, const char *before, const char *lines, const char *after)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        if (page->form <= ANSI) {
            lw_output_print(page->stream, "%.*s\n", (int)length, lines);
            continue;
        }
        lw_text_clear(&page->line);
        lw_text_clear(&page->shown);
        lw_text_bytes(&page->line, lines, length);
        lw_text_shown(&page->shown, lw_text_string(&page->line));
        lw_text_clear(&page->line);
        (strcmp(before, "**") ? put_paragraph : put_escaped)(page, lw_text_string(&page->shown),
                                                             &page->line);
        fprintf(page->stream, "%s%s%s", before, lw_text_string(&page->line), after);
    }
}

/* Writes page->text in paragraphs, for terminals in lines of their width. */
static void put_paragraphs(struct page *page, const char *before, const char *after)
{
    struct lw_text lines = {0};
    if (page->form <= ANSI)
        lw_text_paragraphs(&lines, lw_text_string(&page->text));
    else
        lw_text_add(&lines, lw_text_string(&page->text));
    page->text.failed = page->text.failed || lines.failed;
    put_lines(page, before, lw_text_string(&lines), after);
    lw_text_free(&lines);
}

/* ---- Tables ---- */

/* Appends a cell of the table, between stars if it is marked and has no colours. Markdown has a header without labels
 * too, an empty one. */
static void cell_of(const void *context, uint64_t row, uint64_t col, struct lw_text *out)
{
    struct page *page = (struct page *)context;
    const struct lw_export_options *o = page->options;
    const bool header = row == LW_TABLE_HEADER;
    const uint64_t at = o->col_from + col - page->labels;
    const char *mark = "";
    row = header ? LW_LABEL_CORNER : page->row + row;
    lw_text_clear(&page->text);
    if (page->labels && col == 0) {
        lw_fetch_row_label(page->view, row, &page->text);
    } else if (header && page->labels) {
        lw_fetch_col_label(page->view, at, &page->text);
    } else if (!header) {
        lw_fetch_cell(page->view, row, at, &page->text, NULL);
        if (page->text.length && o->marked && o->marked(o->marked_context, page->view, row, at))
            mark = page->form == TEXT ? "*" : page->form == ANSI ? "" : "**";
    }
    lw_text_add(out, mark);
    if (page->form <= ANSI)
        lw_text_add(out, lw_text_string(&page->text));
    else
        put_escaped(page, lw_text_string(&page->text), out);
    lw_text_add(out, mark);
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
    const struct lw_ink_color *fill = cell.ink == LW_INK_INDEX || cell.ink == LW_INK_DIM
                                          ? &palette->inks[lw_palette_ink(cell.shade)]
                                      : cell.ink == LW_INK_RAMP
                                          ? &palette->ramp[lw_palette_level(cell.shade)]
                                          : NULL;
    if (!label && o->marked && o->marked(o->marked_context, page->view, page->row + row, at))
        lw_text_add(look, "\x1b[1;4;38;5;231;48;5;63m");
    else if (fill) /* black or white on a full colour of the palette for dark backgrounds */
        lw_text_format(look, "\x1b[38;5;%d;48;5;%dm", lw_palette_letters(fill->rgb) ? 231 : 16,
                       fill->cube);
    else
        lw_text_add(look, looks[cell.ink] ? looks[cell.ink] : "");
}

static void put_markdown_row(struct page *page, uint64_t row, uint64_t cols)
{
    lw_text_clear(&page->line);
    for (uint64_t col = 0; col < cols; col++) {
        lw_text_add(&page->line, "| ");
        cell_of(page, row, col, &page->line);
        lw_text_char(&page->line, ' ');
    }
    fprintf(page->stream, "%s|\n", lw_text_string(&page->line));
}

static bool put_table(struct page *page, const struct lw_ruling *ruling, uint64_t end,
                      struct lw_error *err)
{
    const struct lw_export_options *o = page->options;
    const struct lw_table table = {.ruling = ruling,
                                   .rows = end - page->row,
                                   .cols = o->col_to - o->col_from + page->labels,
                                   .header = page->labels,
                                   .tight = o->tight || page->form != TEXT,
                                   .fit = page->form <= ANSI ? o->fit : 0,
                                   .context = page,
                                   .cell = cell_of,
                                   .look = page->form == ANSI ? look_of : NULL};
    if (page->form != MARKDOWN)
        return lw_table_write(&table, page->stream, err);
    put_markdown_row(page, LW_TABLE_HEADER, table.cols);
    for (uint64_t col = 0; col < table.cols; col++)
        fputs("| --- ", page->stream);
    fputs("|\n", page->stream);
    for (uint64_t i = 0; i < table.rows && !ferror(page->stream); i++)
        put_markdown_row(page, i, table.cols);
    return true;
}

/* ---- All of it ---- */

static bool write_document(struct page page, const struct lw_ruling *ruling, struct lw_error *err)
{
    const struct lw_view *view = page.view;
    const struct lw_export_options *o = page.options;
    const bool markup = page.form > ANSI;
    const char *title = markup ? lw_figure_title(view, o) : o->title ? o->title : "";
    page.labels = o->labels;
    if (page.form == TEXT && !o->bare_labels && view->type->bare && lw_is_whole(view, o))
        page.labels = false; /* a part of a view always has them, to show which part it is */
    put_lines(&page, "**", title, "**\n\n");
    lw_fetch_head(view, o, markup ? title : "", &page.text);
    put_lines(&page, "", lw_text_string(&page.text), "\n\n");
    if (o->head && (markup || (page.labels && page.form == TEXT))) {
        lw_fetch_sense(view, &page.text);
        put_paragraphs(&page, "", "\n\n");
    }
    bool good = true;
    for (uint64_t end; good && page.row < o->row_to && !ferror(page.stream); page.row = end) {
        end = lw_page_end(view, o, page.row);
        fputs(page.form != TEXT && page.row > o->row_from ? "\n" : "", page.stream);
        good = put_table(&page, ruling, end, err);
    }
    lw_text_clear(&page.text);
    lw_text_add(&page.text, lw_figure_about(view, o));
    fputs(!markup && page.text.length ? "\n" : "", page.stream);
    put_paragraphs(&page, "\n", "\n");
    put_lines(&page, "\n", o->caption ? o->caption : "", "\n");
    if (good && (page.text.failed || page.line.failed || page.shown.failed))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_text_free(&page.text);
    lw_text_free(&page.line);
    lw_text_free(&page.shown);
    return good;
}

static struct page open_page(const struct lw_view *view, const struct lw_export_options *options,
                             FILE *stream, enum form form)
{
    return (struct page){
        .view = view, .options = options, .stream = stream, .form = form, .row = options->row_from};
}

static bool write_text(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_style *style = lw_style_find(options->style ? options->style : "simple_grid");
    if (!style->ruling && options->highlight)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "--highlight: the style %s has no marks",
                            style->name);
    return style->ruling
               ? write_document(open_page(view, options, stream, TEXT), style->ruling, err)
               : style->write(view, options, stream, err);
}

static bool write_ansi(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    static const struct lw_ruling gaps = {.row = {"", NULL, "  ", ""}};
    return write_document(open_page(view, options, stream, ANSI), &gaps, err);
}

static bool write_markdown(const struct lw_view *view, const struct lw_export_options *options,
                           FILE *stream, struct lw_error *err)
{
    return write_document(open_page(view, options, stream, MARKDOWN), NULL, err);
}

static bool write_rst(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    return write_document(open_page(view, options, stream, RST), lw_style_find("grid")->ruling,
                          err);
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

const struct lw_format lw_format_markdown = {
    .name = "markdown",
    .marks = true,
    .extension = "md",
    .help = "a pipe table, as GitHub and most tools read it",
    .between = "\n",
    .write = write_markdown,
};

const struct lw_format lw_format_rst = {
    .name = "rst",
    .marks = true,
    .extension = "rst",
    .help = "a grid table of reStructuredText",
    .between = "\n",
    .write = write_rst,
};
