/* markdown and rst: a table for each grid of a stack, between paragraphs. The two differ in their escapes, and in that
 * the table of reStructuredText is drawn. */

#include "export/export_parts.h"
#include "export/table.h"

#include <ctype.h>
#include <string.h>

struct markup {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    bool rst;
    uint64_t row; /* the first one of the table */
    struct lw_text text, line;
};

/* ---- Escapes ---- */

/* Appends text in which nothing is inline markup. */
static void put_escaped(const struct markup *m, const char *string, struct lw_text *out)
{
    const char *signs = m->rst ? "\\*`|_" : "\\*`|<";
    for (size_t plain; *string; string += plain + (string[plain] != '\0')) {
        plain = strcspn(string, signs);
        lw_text_bytes(out, string, plain);
        if (string[plain])
            lw_text_format(out, "\\%c", string[plain]);
    }
}

/* Appends a line that begins a paragraph: as its first character nothing is markup either. In Markdown that is the
 * sign of a heading, a list, a quotation, a fence, a rule, a definition or a formula, or the sign after the number of a
 * list; in reStructuredText anything but a word, which is no word where it ends as the number of a list does. */
static void put_paragraph(const struct markup *m, const char *line, struct lw_text *out)
{
    line += strspn(line, " \t");
    size_t word = strcspn(line, " \t"), digits = strspn(line, "0123456789");
    bool inline_sign = *line && strchr(m->rst ? "\\*`|_" : "\\*`|<", *line);
    if (m->rst && *line && !inline_sign &&
        (!isalpha((unsigned char)*line) || strchr(".)", line[word - 1]))) {
        lw_text_char(out, '\\');
    } else if (!m->rst && *line && strchr("#>-+=~:[$_", *line)) {
        lw_text_char(out, '\\');
    } else if (!m->rst && digits && strchr(".)", line[digits])) {
        lw_text_bytes(out, line, digits);
        lw_text_char(out, '\\');
        line += digits;
    }
    put_escaped(m, line, out);
    size_t length = out->length;
    if (m->rst && length > 1 && out->data[length - 1] == ':' && out->data[length - 2] == ':') {
        lw_text_cut(out, length - 1); /* of "::", after which a literal block would begin */
        lw_text_add(out, "\\:");
    }
}

/* ---- Paragraphs ---- */

/* Writes each line of a text as a paragraph, with characters that are not printable escaped. */
static void put_lines(struct markup *m, const char *before, const char *lines, const char *after)
{
    struct lw_text shown = {0};
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_text_clear(&m->line);
        lw_text_clear(&shown);
        lw_text_bytes(&m->line, lines, length);
        lw_text_shown(&shown, lw_text_string(&m->line));
        lw_text_clear(&m->line);
        (strcmp(before, "**") ? put_paragraph : put_escaped)(m, lw_text_string(&shown), &m->line);
        fprintf(m->stream, "%s%s%s", before, lw_text_string(&m->line), after);
    }
    m->text.failed = m->text.failed || shown.failed;
    lw_text_free(&shown);
}

/* ---- Tables ---- */

/* Appends a cell of the table; with labels, column 0 holds those of the rows. */
static void cell_of(const void *context, uint64_t row, uint64_t col, struct lw_text *out)
{
    struct markup *m = (struct markup *)context;
    const struct lw_export_options *o = m->options;
    bool header = row == LW_TABLE_HEADER, label = o->labels && col == 0, marked = false;
    uint64_t at = o->col_from + col - o->labels;
    row = header ? LW_LABEL_CORNER : m->row + row;
    lw_text_clear(&m->text);
    if (header && !o->labels)
        lw_text_add(&m->text,
                    ""); /* a table must have a header; without labels it is an empty one */
    else if (label)
        lw_fetch_row_label(m->view, row, &m->text);
    else if (header)
        lw_fetch_col_label(m->view, at, &m->text);
    else
        marked = lw_fetch_marked(m->view, o, row, at, &m->text);
    lw_text_add(out, marked ? "**" : "");
    put_escaped(m, lw_text_string(&m->text), out);
    lw_text_add(out, marked ? "**" : "");
}

static void put_markdown_row(struct markup *m, uint64_t row, uint64_t cols)
{
    lw_text_clear(&m->line);
    for (uint64_t col = 0; col < cols; col++) {
        lw_text_add(&m->line, "| ");
        cell_of(m, row, col, &m->line);
        lw_text_char(&m->line, ' ');
    }
    fprintf(m->stream, "%s|\n", lw_text_string(&m->line));
}

static bool put_table(struct markup *m, uint64_t row, uint64_t end, struct lw_error *err)
{
    static const struct lw_ruling drawn = {
        .above = {"+", "-", "+", "+"},
        .under_header = {"+", "=", "+", "+"},
        .between_rows = {"+", "-", "+", "+"},
        .below = {"+", "-", "+", "+"},
        .row = {"|", NULL, "|", "|"},
        .padding = 1,
    };
    const struct lw_export_options *o = m->options;
    uint64_t cols = o->col_to - o->col_from + o->labels;
    const struct lw_table table = {.ruling = &drawn,
                                   .rows = end - row,
                                   .cols = cols,
                                   .header = o->labels,
                                   .tight = true,
                                   .context = m,
                                   .cell = cell_of};
    m->row = row;
    if (m->rst)
        return lw_table_write(&table, m->stream, err);
    put_markdown_row(m, LW_TABLE_HEADER, cols);
    for (uint64_t col = 0; col < cols; col++)
        fputs("| --- ", m->stream);
    fputs("|\n", m->stream);
    for (uint64_t i = 0; i < end - row && !ferror(m->stream); i++)
        put_markdown_row(m, i, cols);
    return true;
}

static bool write_all(struct markup m, struct lw_error *err)
{
    struct lw_text head = {0};
    const char *title = lw_figure_title(m.view, m.options);
    put_lines(&m, "**", title, "**\n\n");
    lw_fetch_head(m.view, m.options, title, &head);
    put_lines(&m, "", lw_text_string(&head), "\n\n");
    if (m.options->head)
        lw_fetch_sense(m.view, &head);
    put_lines(&m, "", m.options->head ? lw_text_string(&head) : "", "\n\n");
    m.text.failed = m.text.failed || head.failed;
    lw_text_free(&head);
    bool good = true;
    for (uint64_t row = m.options->row_from, end;
         good && row < m.options->row_to && !ferror(m.stream); row = end) {
        end = lw_page_end(m.view, m.options, row);
        fputs(row > m.options->row_from ? "\n" : "", m.stream);
        good = put_table(&m, row, end, err);
    }
    put_lines(&m, "\n", lw_figure_about(m.view, m.options), "\n");
    put_lines(&m, "\n", m.options->caption ? m.options->caption : "", "\n");
    if (good && (m.text.failed || m.line.failed))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_text_free(&m.text);
    lw_text_free(&m.line);
    return good;
}

static bool write_markdown(const struct lw_view *view, const struct lw_export_options *options,
                           FILE *stream, struct lw_error *err)
{
    return write_all((struct markup){.view = view, .options = options, .stream = stream}, err);
}

static bool write_rst(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    return write_all(
        (struct markup){.view = view, .options = options, .stream = stream, .rst = true}, err);
}

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
