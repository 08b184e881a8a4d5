/* Tables of markup languages: markdown, asciidoc, org, typst and rst, one for each grid of a stack and one for each
 * layout of a view of several. A language is a row of strings and escapes; reStructuredText, whose tables are drawn,
 * uses a text table. */

#include "export/export_parts.h"
#include "export/table.h"
#include "core/text_escape.h"
#include "view/operand/operands.h"

#include <string.h>

/* A character of a text and how the language writes it. */
struct escape {
    char character;
    const char *written;
};

/* The text before and after a part of a document. */
struct around {
    const char *before, *after;
};

struct language {
    const struct escape *escapes; /* the last has no character */
    struct around title, head;    /* above the tables: the title, and each line of notation, */
    struct around sense;          /* and the meaning of rows, columns and cells */
    struct around caption;        /* below them */
    bool title_below;             /* the title belongs to the table: below the notation */
    struct around table;          /* a grid; "#" before is the number of columns, "\\#" a # */
    struct around header, row;    /* a line of cells */
    struct around header_cell, label, cell;
    struct around marked; /* a cell that has a mark */
    const char *rule;     /* after the header, for each column; NULL: nothing */
    const char *rule_end;
};

static void put_escaped(const struct language *language, const char *string, FILE *stream)
{
    for (const char *c = string; *c; c++) {
        const struct escape *escape = language->escapes;
        while (escape->character && escape->character != *c)
            escape++;
        if (escape->character)
            fputs(escape->written, stream);
        else
            fputc(*c, stream);
    }
}

static void put(const struct language *language, struct around around, const char *string,
                FILE *stream)
{
    fputs(around.before, stream);
    put_escaped(language, string, stream);
    fputs(around.after, stream);
}

struct markup {
    const struct language *language;
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text;
    bool apart; /* a table for each of the view's layouts; */
    int part;   /* that of this one */
    /* Writes the table of these rows; only one that is drawn can fail. */
    bool (*put_table)(struct markup *m, uint64_t row, uint64_t end, struct lw_error *err);
};

/* Writes each line of a text, with characters that are not printable escaped. */
static void put_lines(struct markup *m, struct around around, const char *lines)
{
    struct lw_text line = {0};
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        lw_text_clear(&m->text);
        lw_text_clear(&line);
        lw_text_bytes(&m->text, lines, length);
        lw_text_shown(&line, lw_text_string(&m->text));
        put(m->language, around, lw_text_string(&line), m->stream);
    }
    m->text.failed = m->text.failed || line.failed;
    lw_text_free(&line);
}

/* Fetches the meaning of cells; for layouts in separate tables without their arrangement in one grid. */
static void fetch_sense(const struct markup *m, struct lw_text *text)
{
    struct lw_text arrangement = {0};
    lw_fetch_sense(m->view, text);
    if (m->apart)
        lw_operands_legend(m->view, &arrangement);
    const char *all = lw_text_string(text), *at = strstr(all, lw_text_string(&arrangement));
    if (m->apart && at && !arrangement.failed && !text->failed)
        lw_text_cut(text, (size_t)(at - all) > 2 ? (size_t)(at - all) - 2 : 0);
    text->failed = text->failed || arrangement.failed;
    lw_text_free(&arrangement);
}

static void put_introduction(struct markup *m)
{
    struct lw_text head = {0};
    const char *title = lw_figure_title(m->view, m->options);
    if (!m->language->title_below)
        put_lines(m, m->language->title, title);
    lw_fetch_head(m->view, m->options, title, &head);
    put_lines(m, m->language->head, lw_text_string(&head));
    if (m->options->head)
        fetch_sense(m, &head);
    if (m->options->head)
        put_lines(m, m->language->sense, lw_text_string(&head));
    if (m->language->title_below && !m->apart)
        put_lines(m, m->language->title, title);
    m->text.failed = m->text.failed || head.failed;
    lw_text_free(&head);
}

/* Writes what the document is about, then the caption of the options. */
static void put_caption(struct markup *m)
{
    const char *about = lw_figure_about(m->view, m->options);
    if (*about)
        put_lines(m, m->language->caption, about);
    if (m->options->caption)
        put_lines(m, m->language->caption, m->options->caption);
}

static bool finish(struct markup *m, struct lw_error *err)
{
    bool failed = m->text.failed;
    lw_text_free(&m->text);
    return !failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* ---- Languages whose tables are marked up ---- */

/* A table must have a header; without labels it is an empty one. */
static void put_header(struct markup *m)
{
    const struct language *l = m->language;
    const struct lw_export_options *o = m->options;
    fputs(l->header.before, m->stream);
    if (o->labels)
        put(l, l->header_cell, m->view->type->corner ? m->view->type->corner : "", m->stream);
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        lw_fetch_col_label(m->view, col, &m->text);
        put(l, l->header_cell, o->labels ? lw_text_string(&m->text) : "", m->stream);
    }
    fputs(l->header.after, m->stream);
    for (uint64_t col = o->col_from; l->rule && col < o->col_to + o->labels; col++)
        fputs(l->rule, m->stream);
    fputs(l->rule ? l->rule_end : "", m->stream);
}

/* Fetches the label of a row in the table of one layout: in one grid a row may belong to several layouts. */
static void fetch_part_label(struct markup *m, uint64_t row)
{
    lw_text_clear(&m->text);
    m->view->type->part_label(m->view, m->part, row - m->options->row_from, &m->text);
    lw_text_escape_all(&m->text);
}

static bool has_mark(const struct markup *m, uint64_t row, uint64_t col)
{
    return m->options->marked && m->text.length &&
           m->options->marked(m->options->marked_context, m->view, row, col);
}

static void put_row(struct markup *m, uint64_t row)
{
    const struct language *l = m->language;
    const struct lw_export_options *o = m->options;
    fputs(l->row.before, m->stream);
    if (o->labels) {
        if (m->apart)
            fetch_part_label(m, row);
        else
            lw_fetch_row_label(m->view, row, &m->text);
        put(l, l->label, lw_text_string(&m->text), m->stream);
    }
    for (uint64_t col = o->col_from; col < o->col_to; col++) {
        lw_fetch_cell(m->view, row, col, &m->text, NULL);
        put(l, has_mark(m, row, col) ? l->marked : l->cell, lw_text_string(&m->text), m->stream);
    }
    fputs(l->row.after, m->stream);
}

static void open_table(const struct markup *m)
{
    uint64_t columns = m->options->col_to - m->options->col_from + m->options->labels;
    for (const char *c = m->language->table.before; *c; c++)
        if (*c == '\\')
            fputc(*++c, m->stream);
        else if (*c == '#')
            fprintf(m->stream, "%llu", (unsigned long long)columns);
        else
            fputc(*c, m->stream);
}

static bool put_table(struct markup *m, uint64_t row, uint64_t end, struct lw_error *err)
{
    (void)err;
    open_table(m);
    put_header(m);
    for (; row < end; row++)
        put_row(m, row);
    fputs(m->language->table.after, m->stream);
    return true;
}

/* Whether a view of several layouts is written whole. */
static bool is_apart(const struct lw_view *view, const struct lw_export_options *options)
{
    return view->type->part && options->labels && !options->row_from && !options->col_from &&
           options->row_to == view->rows && options->col_to == view->cols;
}

/* Writes a table for each layout, with its name above it; in a language whose titles belong to a table, with the view's
 * title before the name. */
static bool put_parts(struct markup *m, struct lw_error *err)
{
    const struct lw_export_options *whole = m->options;
    const char *title = m->language->title_below ? lw_figure_title(m->view, whole) : "";
    struct lw_view_part part;
    struct lw_text name = {0};
    bool good = true;
    for (; good && m->view->type->part(m->view, m->part, &part) && !ferror(m->stream); m->part++) {
        struct lw_export_options own = *whole;
        own.row_from = part.row;
        own.row_to = part.row + part.rows;
        own.col_from = part.col;
        own.col_to = part.col + part.cols;
        m->options = &own;
        lw_text_clear(&name);
        lw_text_format(&name, "%s%s%s", title, *title ? ": " : "", part.name);
        fputs(m->part ? "\n" : "", m->stream);
        put_lines(m, m->language->title, lw_text_string(&name));
        good = m->put_table(m, part.row, part.row + part.rows, err);
    }
    m->options = whole;
    m->text.failed = m->text.failed || name.failed;
    lw_text_free(&name);
    return good;
}

static bool put_pages(struct markup *m, struct lw_error *err)
{
    const struct lw_export_options *o = m->options;
    bool good = true;
    for (uint64_t row = o->row_from, end; good && row < o->row_to && !ferror(m->stream);
         row = end) {
        end = lw_page_end(m->view, o, row);
        fputs(row > o->row_from ? "\n" : "", m->stream);
        good = m->put_table(m, row, end, err);
    }
    return good;
}

static bool write_all(struct markup *m, struct lw_error *err)
{
    put_introduction(m);
    if (!(m->apart ? put_parts : put_pages)(m, err))
        return finish(m, NULL) && false;
    put_caption(m);
    return finish(m, err);
}

static bool write_tables(const struct language *language, const struct lw_view *view,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct markup m = {language, view, options, stream, {0}, is_apart(view, options), 0, put_table};
    return write_all(&m, err);
}

/* ---- Markdown ---- */

static const struct escape markdown_escapes[] = {{'|', "\\|"}, {'\\', "\\\\"}, {'*', "\\*"},
                                                 {'`', "\\`"}, {'<', "\\<"},   {0, NULL}};

static const struct language markdown = {
    .escapes = markdown_escapes,
    .title = {"**", "**\n\n"},
    .head = {"", "\n\n"},
    .sense = {"", "\n\n"},
    .caption = {"\n", "\n"},
    .table = {"", ""},
    .header = {"", "|\n"},
    .header_cell = {"| ", " "},
    .label = {"| ", " "},
    .row = {"", "|\n"},
    .cell = {"| ", " "},
    .marked = {"| **", "** "},
    .rule = "| --- ",
    .rule_end = "|\n",
};

static bool write_markdown(const struct lw_view *view, const struct lw_export_options *options,
                           FILE *stream, struct lw_error *err)
{
    return write_tables(&markdown, view, options, stream, err);
}

const struct lw_format lw_format_markdown = {
    .name = "markdown",
    .marks = true,
    .extension = "md",
    .help = "a pipe table, as GitHub and most tools read it",
    .between = "\n",
    .write = write_markdown,
};

/* ---- reStructuredText: a grid table, whose cells are literals ---- */

static const struct escape rst_escapes[] = {{'\\', "\\\\"}, {'*', "\\*"}, {'`', "\\`"},
                                            {'|', "\\|"},   {'_', "\\_"}, {0, NULL}};

static const struct language rst = {
    .escapes = rst_escapes,
    .title = {"**", "**\n\n"},
    .head = {"", "\n\n"},
    .sense = {"", "\n\n"},
    .caption = {"\n", "\n"},
};

static const struct lw_ruling rst_ruling = {
    .above = {"+", "-", "+", "+"},
    .under_header = {"+", "=", "+", "+"},
    .between_rows = {"+", "-", "+", "+"},
    .below = {"+", "-", "+", "+"},
    .row = {"|", NULL, "|", "|"},
    .padding = 1,
};

struct rst_page {
    struct markup *markup;
    uint64_t row;
};

static void rst_cell(const void *context, uint64_t row, uint64_t col, struct lw_text *text)
{
    const struct rst_page *page = context;
    struct markup *m = page->markup;
    bool label = m->options->labels && col == 0, header = row == LW_TABLE_HEADER;
    uint64_t at = m->options->col_from + col - m->options->labels;
    lw_text_clear(&m->text);
    if (header && label)
        lw_text_add(&m->text, m->view->type->corner ? m->view->type->corner : "");
    else if (header)
        lw_fetch_col_label(m->view, at, &m->text);
    else if (label && m->apart)
        fetch_part_label(m, page->row + row);
    else if (label)
        lw_fetch_row_label(m->view, page->row + row, &m->text);
    else
        lw_fetch_cell(m->view, page->row + row, at, &m->text, NULL);
    bool marked = !header && !label && has_mark(m, page->row + row, at);
    lw_text_add(text, marked ? "**" : "");
    for (const char *c = lw_text_string(&m->text); *c; c++) {
        if (strchr("\\*`|_", *c))
            lw_text_char(text, '\\');
        lw_text_char(text, *c);
    }
    lw_text_add(text, marked ? "**" : "");
}

static bool put_rst_table(struct markup *m, uint64_t row, uint64_t end, struct lw_error *err)
{
    struct rst_page page = {m, row};
    struct lw_table table = {.ruling = &rst_ruling,
                             .rows = end - row,
                             .cols = m->options->col_to - m->options->col_from + m->options->labels,
                             .header = m->options->labels,
                             .tight = true,
                             .context = &page,
                             .cell = rst_cell};
    return lw_table_write(&table, m->stream, err);
}

static bool write_rst(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream, struct lw_error *err)
{
    struct markup m = {&rst, view, options, stream, {0}, is_apart(view, options), 0, put_rst_table};
    return write_all(&m, err);
}

const struct lw_format lw_format_rst = {
    .name = "rst",
    .marks = true,
    .extension = "rst",
    .help = "a grid table of reStructuredText",
    .between = "\n",
    .write = write_rst,
};
