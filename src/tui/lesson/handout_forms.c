/* Lessons on paper as text, Markdown and HTML. No grid is cut: in text a wide one is continued below, in HTML it is a
 * drawing that is as wide as the page. */

#include "tui/lesson/handout.h"

#include "core/array_count.h"
#include "export/legend.h"
#include "export/output.h"
#include "laneway/export.h"

#include <string.h>

/* Calls `put` for each line of a text. */
static void each_line(FILE *out, const char *text, void (*put)(FILE *out, const char *line))
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, text, length);
        put(out, lw_text_string(&line));
        lw_text_free(&line);
        text += length + (text[length] == '\n');
    }
}

/* ---- Text ---- */

static void no_begin(FILE *out, const char *title)
{
    (void)out;
    (void)title;
}

static void no_end(FILE *out)
{
    (void)out;
}

static void text_heading(FILE *out, int level, const char *text)
{
    struct lw_text line = {0};
    lw_text_format(&line, "%s%s\n", level == 1 ? "" : "\n", text);
    lw_text_repeat(&line, level == 1 ? '=' : '-', lw_text_width(text));
    lw_text_add(&line, "\n\n");
    lw_output_text(out, &line);
    lw_text_free(&line);
}

static void text_paragraph(FILE *out, const char *mark, const char *text)
{
    struct lw_text whole = {0}, wrapped = {0};
    lw_text_format(&whole, "%s%s", mark, text);
    lw_text_paragraphs(&wrapped, lw_text_string(&whole));
    lw_output_text(out, &wrapped);
    lw_text_free(&whole);
    lw_text_free(&wrapped);
}

static void text_code(FILE *out, const char *text)
{
    lw_output_print(out, "  %s\n", text);
}

/* The number of columns of a view that fit, with their labels, in a line of `columns` characters. */
static uint64_t columns_that_fit(const struct lw_view *view, size_t columns)
{
    struct lw_text label = {0};
    size_t width = view->type->width(view);
    if (view->type->col_label && view->cols)
        view->type->col_label(view, view->cols - 1, &label);
    size_t labels = lw_text_width(lw_text_string(&label));
    lw_text_free(&label);
    width = width > labels ? width : labels;
    return width + 2 < columns ? columns / (width + 2) : 1;
}

static void show(struct lw_explorer *ex, struct lw_view_pane *pane, enum lw_detail detail)
{
    pane->detail = detail;
    lw_pane_reopen(ex, pane);
}

/* Chooses the cells for paper, independent of the screen: short ones if others are too wide. */
static void show_on_paper(struct lw_explorer *ex, struct lw_view_pane *pane, size_t columns)
{
    show(ex, pane, LW_DETAIL_FULL);
    if (columns_that_fit(&pane->view, columns) < pane->view.cols)
        show(ex, pane, LW_DETAIL_SHORT);
}

/* Whether a grid would need many pages: then only a note is written. */
static bool is_too_large(FILE *out, const struct lw_explorer *ex, const struct lw_view *view)
{
    enum { MOST = 64 };
    if (view->rows <= MOST && view->cols <= MOST)
        return false;
    struct lw_text name = {0};
    lw_text_format(&name,
                   "(%llu rows by %llu columns, too large for a page: 'laneway learn %s' shows "
                   "it, and -o lesson.html draws it.)",
                   (unsigned long long)view->rows, (unsigned long long)view->cols,
                   ex->options->lesson ? ex->options->lesson : ex->lesson->name);
    text_paragraph(out, "", lw_text_string(&name));
    lw_text_free(&name);
    return true;
}

/* The cells that the step sets, if one fits in a line; else as for other grids. */
static void show_in_text(struct lw_explorer *ex, struct lw_view_pane *pane, size_t columns)
{
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    if (!step || !step->zoom.name)
        show_on_paper(ex, pane, columns);
    else
        lw_zoom_set(ex, pane, step->zoom.name);
}

/* Writes as many columns as fit, and the next ones below. */
static bool text_grid(FILE *out, struct lw_explorer *ex, struct lw_view_pane *pane,
                      struct lw_error *err)
{
    enum { COLUMNS = 70 };
    struct lw_export_options options = {.labels = true, .bare_labels = true, .style = "plain"};
    enum lw_detail before = pane->detail;
    bool good = true;
    show_in_text(ex, pane, COLUMNS);
    const struct lw_view *view = &pane->view;
    uint64_t cols = columns_that_fit(view, COLUMNS);
    lw_output_print(out, "\n%s:\n", view->type->title);
    bool too_large = is_too_large(out, ex, view);
    for (uint64_t from = 0; good && !too_large && from < view->cols; from += cols) {
        options.row_to = view->rows;
        options.col_from = from;
        options.col_to = from + cols < view->cols ? from + cols : view->cols;
        good = lw_export(view, lw_format_find("text"), &options, out, err);
        lw_output_print(out, "\n");
    }
    show(ex, pane, before);
    return good;
}

/* ---- Markdown ---- */

static void markdown_heading(FILE *out, int level, const char *text)
{
    lw_output_print(out, "\n%s %s\n\n", level == 1 ? "#" : "##", text);
}

static void markdown_paragraph(FILE *out, const char *mark, const char *text)
{
    int length = (int)strlen(mark);
    while (length && mark[length - 1] == ' ') /* after a blank, ** does not end emphasis */
        length--;
    if (length)
        lw_output_print(out, "**%.*s** ", length, mark);
    for (; *text; text++) {
        char piece[3] = {*text, '\0', '\0'};
        if (*text == '\n') {
            piece[1] = '\n';
        } else if (strchr("*_<|`", *text)) {
            piece[0] = '\\';
            piece[1] = *text;
        }
        lw_output_print(out, "%s", piece);
    }
    lw_output_print(out, "\n\n");
}

static void markdown_code(FILE *out, const char *text)
{
    lw_output_print(out, "    %s\n\n", text);
}

static bool markdown_grid(FILE *out, struct lw_explorer *ex, struct lw_view_pane *pane,
                          struct lw_error *err)
{
    const struct lw_export_options options = {.labels = true, .bare_labels = true};
    const enum lw_detail before = pane->detail;
    show(ex, pane, LW_DETAIL_FULL);
    bool good = lw_export(&pane->view, lw_format_find("markdown"), &options, out, err);
    show(ex, pane, before);
    lw_output_print(out, "\n");
    return good;
}

/* ---- HTML ---- */

static void put_element(FILE *out, const char *name, const char *text)
{
    lw_output_print(out, "<%s>", name);
    lw_put_markup(out, text);
    lw_output_print(out, "</%.*s>\n", (int)strcspn(name, " "), name);
}

static void html_begin(FILE *out, const char *title)
{
    lw_output_print(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"generator\" content=\"laneway\"/>\n");
    put_element(out, "title", title);
    lw_output_print(out, "<style>\n"
                         "body{max-width:52em;margin:2em auto;padding:0 1em;"
                         "font:16px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff}\n"
                         "svg{display:block;max-width:100%%;height:auto;margin:1em 0;"
                         "color-scheme:light}\n"
                         "code{font:14px ui-monospace,Menlo,Consolas,monospace;"
                         "background:#f3f4f6;padding:.1em .3em}\n"
                         "h2{margin-top:2em;border-top:1px solid #d1d9e0;padding-top:.6em}\n"
                         "@media print{h2{break-after:avoid}svg,li{break-inside:avoid}"
                         "svg{max-height:90vh}}\n"
                         "</style>\n</head>\n<body>\n");
}

static void html_heading(FILE *out, int level, const char *text)
{
    put_element(out, level == 1 ? "h1" : "h2", text);
}

static void html_line(FILE *out, const char *line)
{
    put_element(out, "p", line);
}

static void html_paragraph(FILE *out, const char *mark, const char *text)
{
    if (!*mark) {
        each_line(out, text, html_line);
        return;
    }
    lw_output_print(out, "<p>");
    put_element(out, "b", mark);
    lw_put_markup(out, text);
    lw_output_print(out, "</p>\n");
}

static void html_code(FILE *out, const char *text)
{
    lw_output_print(out, "<p>");
    put_element(out, "code", text);
    lw_output_print(out, "</p>\n");
}

static bool html_grid(FILE *out, struct lw_explorer *ex, struct lw_view_pane *pane,
                      struct lw_error *err)
{
    enum { COLUMNS = 170, PIXELS = 1600 }; /* of a landscape page */
    struct lw_export_options options = {.labels = true, .bare_labels = true, .width = PIXELS};
    const enum lw_detail before = pane->detail;
    show_on_paper(ex, pane, COLUMNS);
    const struct lw_view *view = &pane->view;
    uint64_t longer = view->cols > view->rows ? view->cols : view->rows;
    options.any_width = columns_that_fit(view, COLUMNS) < view->cols;
    if (options.any_width) /* colours are easier to read than bands of numbers */
        options.cell_size = (unsigned)(PIXELS / (longer < PIXELS ? longer + 1 : PIXELS));
    bool good = lw_export(view, lw_format_find("svg"), &options, out, err);
    show(ex, pane, before);
    return good;
}

static void html_end(FILE *out)
{
    lw_output_print(out, "</body>\n</html>\n");
}

/* ---- The table ---- */

static const struct lw_handout_form forms[] = {
    {"text", "txt", no_begin, text_heading, text_paragraph, text_code, text_grid, no_end},
    {"markdown", "md", no_begin, markdown_heading, markdown_paragraph, markdown_code, markdown_grid,
     no_end},
    {"html", "html", html_begin, html_heading, html_paragraph, html_code, html_grid, html_end},
};

const struct lw_handout_form *lw_handout_form_of(const char *path, struct lw_error *err)
{
    const char *dot = path ? strrchr(lw_base_name(path), '.') : NULL;
    for (size_t i = 0; dot && i < LW_COUNT(forms); i++)
        if (!strcmp(dot + 1, forms[i].extension) || !strcmp(dot + 1, forms[i].name))
            return &forms[i];
    if (!dot)
        return &forms[0];
    lw_error_set(err, LW_ERROR_NAME,
                 "-o %.80s: a lesson is written as .txt, .md or .html; browsers print the last as "
                 "PDF",
                 path);
    return NULL;
}
