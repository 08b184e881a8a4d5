/* A lesson on paper: each step with its grid, its task and a line to answer on; or a sheet with only the answers.
 * As text, Markdown, HTML, JSON. No grid is cut: in text a wide one goes on below, in HTML it is a drawing as wide
 * as the page; one that needs several pages is named. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/text_rows.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/picture/picture.h"
#include "export/legend.h"
#include "export/output.h"
#include "laneway/export.h"

#include <stdlib.h>
#include <string.h>

/* ---- Grids ---- */

enum { TEXT_COLUMNS = 130, PAGE_COLUMNS = 150, PAGE_ROWS = 64, PIXELS = 1600 };

/* Opens the view that a layout screen shows, with full cells, or with threads or columns alone where those would not
 * fit in a line of `columns`. */
static bool open_view(struct lw_view *view, const struct lw_screen *layout, size_t columns,
                      struct lw_error *err)
{
    const struct lw_model *model = lw_layout_model(layout);
    const char *name = lw_layout_view(layout);
    const struct lw_picture_type *picture = lw_picture_named(name);
    const struct lw_subject *subject =
        picture && picture->subject ? picture->subject(model, model->side) : lw_model_own(model);
    const bool is_path = !strcmp(name, "path"); /* on paper its memory, with 32 banks in a row */
    const struct lw_view_type *type = lw_view_type_find(is_path                 ? "memory"
                                                        : !strcmp(name, "text") ? "bases"
                                                                                : name);
    if (!type)
        type = lw_view_type_find("owners");
    struct lw_view_options options = {0};
    if (is_path)
        subject = lw_model_memory(model);
    if (!lw_view_open(view, type, subject, &options, err))
        return false;
    const char *brief = type->indices ? "{column}" : "{thread}";
    if (view->cols * (type->width(view) + 2) <= columns || !type->formatted ||
        !lw_format_check(brief, subject, NULL))
        return true;
    lw_view_close(view);
    options.cell = brief;
    return lw_view_open(view, type, subject, &options, err);
}

/* ---- Texts ---- */

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

static void markdown_heading(FILE *out, int level, const char *text)
{
    lw_output_print(out, "\n%s %s\n\n", level == 1 ? "#" : "##", text);
}

static void markdown_paragraph(FILE *out, const char *mark, const char *text)
{
    size_t length = strlen(mark);
    while (length && mark[length - 1] == ' ') /* after a blank, ** does not end emphasis */
        length--;
    if (length)
        lw_output_print(out, "**%.*s** ", (int)length, mark);
    for (; *text; text++) {
        const char *before = *text == '\n' ? "\n" : strchr("*_<|`", *text) ? "\\" : "";
        lw_output_print(out, "%s%c", before, *text);
    }
    lw_output_print(out, "\n\n");
}

static void put_element(FILE *out, const char *name, const char *text)
{
    lw_output_print(out, "<%s>", name);
    lw_put_markup(out, text);
    lw_output_print(out, "</%s>\n", name);
}

static void html_heading(FILE *out, int level, const char *text)
{
    if (level == 1) {
        lw_output_print(out,
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                        "<meta name=\"generator\" content=\"laneway\"/>\n");
        put_element(out, "title", text);
        lw_output_print(
            out, "<style>\n"
                 "body{max-width:52em;margin:2em auto;padding:0 1em;"
                 "font:16px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff}\n"
                 "svg{display:block;max-width:100%%;height:auto;color-scheme:light}\n"
                 "figure{margin:1em 0}figcaption{color:#57606a;font-size:14px;margin-bottom:.4em}\n"
                 "h2{margin-top:2em;border-top:1px solid #d1d9e0;padding-top:.6em}\n"
                 "@media print{h2{break-after:avoid}figure,p{break-inside:avoid}"
                 "svg{max-height:85vh}}\n"
                 "</style>\n</head>\n<body>\n");
    }
    put_element(out, level == 1 ? "h1" : "h2", text);
}

static void html_paragraph(FILE *out, const char *mark, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        lw_output_print(out, "<p>");
        if (*mark)
            put_element(out, "b", mark);
        lw_put_markup(out, line ? line : "");
        lw_output_print(out, "</p>\n");
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* ---- Figures ---- */

/* The number of columns that fit, with their labels, in a line of text. */
static uint64_t columns_that_fit(const struct lw_view *view)
{
    struct lw_text label = {0};
    size_t width = view->type->width(view);
    if (view->type->col_label && view->cols)
        view->type->col_label(view, view->cols - 1, &label);
    size_t labels = lw_text_width(lw_text_string(&label));
    lw_text_free(&label);
    width = (width > labels ? width : labels) + 2;
    return width < TEXT_COLUMNS ? TEXT_COLUMNS / width : 1;
}

/* As many columns as fit, and the next ones below. */
static bool text_grid(FILE *out, const struct lw_view *view, const char *caption,
                      struct lw_error *err)
{
    const uint64_t cols = columns_that_fit(view);
    bool good = true;
    text_paragraph(out, "", caption);
    for (uint64_t from = 0; good && from < view->cols; from += cols) {
        const struct lw_export_options options = {.labels = true,
                                                  .bare_labels = true,
                                                  .style = "plain",
                                                  .row_to = view->rows,
                                                  .col_from = from,
                                                  .col_to = from + cols < view->cols ? from + cols
                                                                                     : view->cols};
        good = lw_export(view, lw_format_find("text"), &options, out, err);
        lw_output_print(out, "\n");
    }
    return good;
}

static bool markdown_grid(FILE *out, const struct lw_view *view, const char *caption,
                          struct lw_error *err)
{
    const struct lw_export_options options = {.labels = true, .bare_labels = true};
    markdown_paragraph(out, "", caption);
    bool good = lw_export(view, lw_format_find("markdown"), &options, out, err);
    lw_output_print(out, "\n");
    return good;
}

static bool html_grid(FILE *out, const struct lw_view *view, const char *caption,
                      struct lw_error *err)
{
    const struct lw_export_options options = {
        .labels = true, .bare_labels = true, .width = PIXELS, .any_width = true};
    lw_output_print(out, "<figure>\n");
    put_element(out, "figcaption", caption);
    bool good = lw_export(view, lw_format_find("svg"), &options, out, err);
    lw_output_print(out, "</figure>\n");
    return good;
}

static const struct form {
    const char *name, *extension;                                     /* of files */
    void (*heading)(FILE *out, int level, const char *text);          /* level 1 begins the sheet */
    void (*paragraph)(FILE *out, const char *mark, const char *text); /* its lines are paragraphs */
    bool (*grid)(FILE *out, const struct lw_view *view, const char *caption, struct lw_error *err);
    size_t columns; /* of a grid with full cells */
    const char *end;
} forms[] = {
    {"text", "txt", text_heading, text_paragraph, text_grid, PAGE_COLUMNS, ""},
    {"markdown", "md", markdown_heading, markdown_paragraph, markdown_grid, PAGE_COLUMNS, ""},
    {"html", "html", html_heading, html_paragraph, html_grid, PAGE_COLUMNS, "</body>\n</html>\n"},
};

static const struct form *form_of(const char *path, struct lw_error *err)
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

/* ---- Steps ---- */

struct paper {
    FILE *out;
    const struct form *form;
    struct lw_lesson_screen *lesson;
    bool answers;
    struct lw_error *err;
};

/* What the layout screen shows, unless it would answer the question. */
static bool put_grid(const struct paper *paper)
{
    struct lw_view view;
    if (!lw_lesson_shows_layout(paper->lesson))
        return true;
    if (!open_view(&view, paper->lesson->layout, paper->form->columns, paper->err))
        return false;
    const struct lw_model *model = lw_layout_model(paper->lesson->layout);
    struct lw_text caption = {0};
    const bool too_large = view.rows > PAGE_ROWS || view.cols > PAGE_ROWS;
    lw_text_format(&caption, "%s of ", view.type->title);
    if (model->doc.notation == LW_NOTATION_CUDA)
        lw_text_add(&caption, lw_text_string(&model->text));
    else
        lw_document_print_short(&caption, &model->doc);
    bool good = true;
    if (too_large) {
        lw_text_add(&caption, ": too large for a page; 'laneway learn' shows it on a terminal");
        paper->form->paragraph(paper->out, "", lw_text_string(&caption));
    } else {
        good = paper->form->grid(paper->out, &view, lw_text_string(&caption), paper->err);
    }
    lw_text_free(&caption);
    lw_view_close(&view);
    return good;
}

static void put_task(const struct paper *paper)
{
    const struct lw_step *step = lw_lesson_step(paper->lesson);
    struct lw_lesson_state state;
    struct lw_text text = {0};
    for (size_t i = 0; i < step->choices.count; i++) {
        char mark[32];
        snprintf(mark, sizeof mark, "%zu  ", i + 1);
        lw_text_clear(&text);
        lw_lesson_put_choice(paper->lesson, &text, i);
        paper->form->paragraph(paper->out, mark, lw_text_string(&text));
    }
    lw_lesson_state(paper->lesson, &state);
    if (*step->aim)
        paper->form->paragraph(paper->out, "Goal: ", step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&text);
        lw_goal_put(&text, &state, &step->goal.items[i]);
        paper->form->paragraph(paper->out, "Goal: ", lw_text_string(&text));
    }
    paper->form->paragraph(paper->out,
                           "Answer: ", "..................................................");
    lw_text_free(&text);
}

static void put_answer(const struct paper *paper)
{
    const struct lw_step *step = lw_lesson_step(paper->lesson);
    struct lw_text text = {0};
    if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(paper->lesson, &text))
        paper->form->paragraph(paper->out, "Answer: ", lw_text_string(&text));
    for (size_t i = 0; i < step->solution.count; i++) {
        lw_text_clear(&text);
        lw_text_format(&text, ":%s", step->solution.lines[i]);
        paper->form->paragraph(paper->out, "Type: ", lw_text_string(&text));
    }
    lw_text_free(&text);
}

static bool put_step(const struct paper *paper)
{
    struct lw_lesson_screen *lesson = paper->lesson;
    struct lw_text heading = {0};
    bool good = true;
    lw_text_format(&heading, "Step %zu of %zu", lesson->step + 1, lesson->lesson.step_count);
    paper->form->heading(paper->out, 2, lw_text_string(&heading));
    lw_text_free(&heading);
    if (!paper->answers) {
        if (lesson->text.length)
            paper->form->paragraph(paper->out, "", lw_text_string(&lesson->text));
        lw_output_print(paper->out, "\n");
        good = put_grid(paper);
    }
    if (lesson->task.length) {
        paper->form->paragraph(paper->out, "Task: ", lw_text_string(&lesson->task));
        (paper->answers ? put_answer : put_task)(paper);
    } else { /* only keys were to be pressed */
        paper->form->paragraph(paper->out, "", "The task of this step needs the explorer.");
    }
    lw_lesson_solve_step(lesson);
    if (paper->answers)
        paper->form->paragraph(paper->out, "", lw_text_string(&lesson->done));
    return good;
}

static bool put_sheet(const struct paper *paper)
{
    struct lw_lesson_screen *lesson = paper->lesson;
    const struct lw_lesson *read = &lesson->lesson;
    struct lw_text title = {0};
    bool good = true;
    lw_text_add(&title, paper->answers ? "Answers of lesson" : "Lesson");
    if (lesson->number)
        lw_text_format(&title, " %d", lesson->number);
    lw_text_format(&title, ": %s", read->title);
    if (read->case_count > 1)
        lw_text_format(&title, " (seed %llu)", (unsigned long long)read->seed);
    paper->form->heading(paper->out, 1, lw_text_string(&title));
    lw_text_free(&title);
    if (!paper->answers)
        paper->form->paragraph(paper->out, "", read->about);
    for (size_t i = 0; good && i < read->step_count; i++) {
        good = put_step(paper);
        lw_lesson_enter(lesson, i + 1);
    }
    if (!paper->answers) {
        paper->form->heading(paper->out, 2, "Summary");
        paper->form->paragraph(paper->out, "", read->learnt);
        for (size_t i = 0; i < read->read.count; i++)
            paper->form->paragraph(paper->out, "Read on: ", read->read.lines[i]);
    }
    lw_output_print(paper->out, "%s", paper->form->end);
    return good;
}

/* ---- JSON ---- */

static void put_member(struct lw_text *json, const char *name, const char *value)
{
    lw_text_format(json, ",\"%s\":", name);
    lw_text_json_string(json, value);
}

static void put_lines(struct lw_text *json, const char *name, const char *const *lines,
                      size_t count)
{
    lw_text_format(json, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lines[i]);
    }
    lw_text_char(json, ']');
}

static void put_json_step(struct lw_text *json, const struct paper *paper)
{
    struct lw_lesson_screen *lesson = paper->lesson;
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_lesson_state state;
    struct lw_text part = {0};
    size_t count;
    lw_lesson_state(lesson, &state);
    state.is_paper = true;
    lw_text_format(json, "%s{\"step\":%zu", lesson->step ? "," : "", lesson->step + 1);
    put_member(json, "kind", lw_step_kinds(&count)[step->kind].name);
    put_member(json, "text", lw_text_string(&lesson->text));
    put_member(json, "do", lw_text_string(&lesson->task));
    lw_text_add(json, ",\"goals\":[");
    if (*step->aim)
        lw_text_json_string(json, step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&part);
        lw_goal_put(&part, &state, &step->goal.items[i]);
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lw_text_string(&part));
    }
    lw_text_char(json, ']');
    if (step->choices.count)
        lw_text_add(json, ",\"choices\":[");
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_text_clear(&part);
        lw_lesson_put_choice(lesson, &part, i);
        lw_text_add(json, i ? "," : "");
        lw_text_json_string(json, lw_text_string(&part));
    }
    if (step->choices.count)
        lw_text_char(json, ']');
    lw_text_clear(&part);
    if (paper->answers && step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(lesson, &part))
        put_member(json, "answer", lw_text_string(&part));
    if (paper->answers)
        put_lines(json, "solution", step->solution.lines, step->solution.count);
    lw_text_free(&part);
    lw_lesson_solve_step(lesson);
    if (paper->answers)
        put_member(json, "done", lw_text_string(&lesson->done));
    lw_text_char(json, '}');
}

static void put_json(const struct paper *paper)
{
    struct lw_lesson_screen *lesson = paper->lesson;
    struct lw_text json = {0};
    lw_text_add(&json, "{\"lesson\":");
    lw_text_json_string(&json, lesson->lesson.title);
    put_member(&json, "name", lesson->name);
    if (lesson->number)
        lw_text_format(&json, ",\"number\":%d", lesson->number);
    if (lesson->lesson.case_count > 1)
        lw_text_format(&json, ",\"seed\":%llu", (unsigned long long)lesson->lesson.seed);
    put_member(&json, "about", lesson->lesson.about);
    lw_text_add(&json, ",\"steps\":[");
    for (size_t i = 0; i < lesson->lesson.step_count; i++) {
        put_json_step(&json, paper);
        lw_lesson_enter(lesson, i + 1);
    }
    lw_text_char(&json, ']');
    put_member(&json, "learnt", lesson->lesson.learnt);
    put_lines(&json, "read", lesson->lesson.read.lines, lesson->lesson.read.count);
    lw_text_add(&json, "}\n");
    lw_output_text(paper->out, &json);
    lw_text_free(&json);
}

bool lw_lesson_print(const struct lw_handout *handout, FILE *out, struct lw_error *err)
{
    const struct lw_tui_options options = {.lesson = handout->source,
                                           .writes_nothing = true,
                                           .seed_is_set = handout->seed_is_set,
                                           .seed = handout->seed};
    struct paper paper = {.out = out,
                          .form = form_of(handout->json ? NULL : handout->path, err),
                          .err = err,
                          .answers = handout->answers};
    struct lw_app *app = paper.form ? calloc(1, sizeof *app) : NULL;
    if (!app)
        return !paper.form ? false : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    bool good = lw_app_open(app, &options, err);
    if (good) {
        paper.lesson = lw_lesson_of(lw_app_top(app));
        paper.lesson->is_paper = !handout->json;
        lw_lesson_go(paper.lesson, 0);
        if (handout->json)
            put_json(&paper);
        else
            good = put_sheet(&paper);
    }
    lw_app_close(app);
    free(app);
    return good;
}
