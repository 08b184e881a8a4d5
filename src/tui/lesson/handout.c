/* A lesson on paper: each step with its grid, its task and a line to answer on; or a sheet with only the answers. The
 * parts of each step go to Markdown, HTML or JSON. No grid is cut: in HTML it is a drawing as wide as the page; a grid
 * that needs several pages is named. */

#include "core/array_count.h"
#include "core/base_name.h"
#include "tui/lesson/lesson_screen.h"
#include "tui/picture/picture.h"
#include "export/legend.h"
#include "export/output.h"
#include "laneway/export.h"

#include <stdlib.h>
#include <string.h>

/* ---- Grids ---- */

enum { PAGE_COLUMNS = 150, PAGE_ROWS = 64, PIXELS = 1600 };

/* Opens the view that a layout screen shows, with full cells, or with threads or columns alone where those would not
 * fit on a page. */
static bool open_view(struct lw_view *view, const struct lw_screen *layout, struct lw_error *err)
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
    if (view->cols * (type->width(view) + 2) <= PAGE_COLUMNS || !type->formatted ||
        !lw_format_check(brief, subject, NULL))
        return true;
    lw_view_close(view);
    options.cell = brief;
    return lw_view_open(view, type, subject, &options, err);
}

/* ---- Markdown and HTML ---- */

static void markdown_heading(FILE *out, int level, const char *text)
{
    lw_output_print(out, "\n%s %s\n\n", level == 1 ? "#" : "##", text);
}

static void markdown_line(FILE *out, const char *mark, const char *text)
{
    lw_output_print(out, *mark ? "**%s** " : "%s", mark);
    for (; *text; text++)
        lw_output_print(out, "%s%c", strchr("*_<|`", *text) ? "\\" : "", *text);
    lw_output_print(out, "\n\n");
}

static bool markdown_grid(FILE *out, const struct lw_view *view, const char *caption,
                          struct lw_error *err)
{
    const struct lw_export_options options = {.labels = true, .bare_labels = true};
    markdown_line(out, "", caption);
    bool good = lw_export(view, lw_format_find("markdown"), &options, out, err);
    lw_output_print(out, "\n");
    return good;
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

static void html_line(FILE *out, const char *mark, const char *text)
{
    lw_output_print(out, "<p>");
    if (*mark)
        put_element(out, "b", mark);
    lw_put_markup(out, text);
    lw_output_print(out, "</p>\n");
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
    const char *extension;                                       /* of files */
    void (*heading)(FILE *out, int level, const char *text);     /* level 1 begins the sheet */
    void (*line)(FILE *out, const char *mark, const char *text); /* a paragraph */
    bool (*grid)(FILE *out, const struct lw_view *view, const char *caption, struct lw_error *err);
    const char *end;
} forms[] = {
    {"md", markdown_heading, markdown_line, markdown_grid, ""},
    {"html", html_heading, html_line, html_grid, "</body>\n</html>\n"},
};

static const struct form *form_of(const char *path, struct lw_error *err)
{
    const char *dot = path ? strrchr(lw_base_name(path), '.') : NULL;
    for (size_t i = 0; dot && i < LW_COUNT(forms); i++)
        if (!strcmp(dot + 1, forms[i].extension))
            return &forms[i];
    if (!dot)
        return &forms[0];
    lw_error_set(err, LW_ERROR_NAME,
                 "-o %.80s: a lesson is written as .md or .html; browsers print the last as PDF",
                 path);
    return NULL;
}

/* ---- The parts of a lesson ---- */

struct sheet {
    FILE *out;
    const struct form *form; /* NULL: JSON */
    struct lw_lesson_screen *lesson;
    bool has_tasks, answers;
    struct lw_error *err;
};

enum part { ABOUT, TEXT, TASK, CHOICES, GOALS, ANSWER, SOLUTION, DONE, LEARNT, READ };

static const struct {
    const char *key;  /* in JSON */
    const char *mark; /* on paper, before the text; of a list before each line */
    bool is_list;     /* a line for each item */
} parts[] = {
    [ABOUT] = {"about", "", false},
    [TEXT] = {"text", "", false},
    [TASK] = {"do", "Task:", false},
    [CHOICES] = {"choices", "Choice:", true},
    [GOALS] = {"goals", "Goal:", true},
    [ANSWER] = {"answer", "Answer:", false},
    [SOLUTION] = {"solution", "Command:", true},
    [DONE] = {"done", "", false},
    [LEARNT] = {"learnt", "", false},
    [READ] = {"read", "Read on:", true},
};

/* Writes a part; on paper each line of its text is a paragraph. */
static void put(const struct sheet *sheet, enum part part, const char *text)
{
    const bool is_list = parts[part].is_list;
    struct lw_text json = {0}, line = {0};
    lw_text_format(&json, ",\"%s\":%s", parts[part].key, is_list ? "[" : "");
    if (!sheet->form && !is_list)
        lw_text_json_string(&json, text);
    for (size_t i = 0; *text && (sheet->form || is_list); i++) {
        const size_t length = strcspn(text, "\n");
        lw_text_clear(&line);
        lw_text_bytes(&line, text, length);
        if (sheet->form)
            sheet->form->line(sheet->out, i && !is_list ? "" : parts[part].mark,
                              lw_text_string(&line));
        lw_text_add(&json, i ? "," : "");
        lw_text_json_string(&json, lw_text_string(&line));
        text += length + (text[length] == '\n');
    }
    lw_text_add(&json, is_list ? "]" : "");
    if (!sheet->form)
        lw_output_text(sheet->out, &json);
    lw_text_free(&line);
    lw_text_free(&json);
}

static void put_lines(const struct sheet *sheet, enum part part, const struct lw_strings *lines)
{
    struct lw_text text = {0};
    for (size_t i = 0; i < lines->count; i++)
        lw_text_format(&text, "%s\n", lines->lines[i]);
    put(sheet, part, lw_text_string(&text));
    lw_text_free(&text);
}

/* Draws what the layout screen shows, unless it would answer the question. */
static bool put_grid(const struct sheet *sheet)
{
    struct lw_view view;
    if (!lw_lesson_shows_layout(sheet->lesson))
        return true;
    if (!open_view(&view, sheet->lesson->layout, sheet->err))
        return false;
    const struct lw_model *model = lw_layout_model(sheet->lesson->layout);
    struct lw_text caption = {0};
    lw_text_format(&caption, "%s of ", view.type->title);
    if (model->doc.notation == LW_NOTATION_CUDA)
        lw_text_add(&caption, lw_text_string(&model->text));
    else
        lw_document_print_short(&caption, &model->doc);
    bool good = true;
    if (view.rows > PAGE_ROWS || view.cols > PAGE_ROWS) {
        lw_text_add(&caption, ": too large for a page; 'laneway learn' shows it on a terminal");
        sheet->form->line(sheet->out, "", lw_text_string(&caption));
    } else {
        good = sheet->form->grid(sheet->out, &view, lw_text_string(&caption), sheet->err);
    }
    lw_text_free(&caption);
    lw_view_close(&view);
    return good;
}

/* The task of a step, and a line to answer on. */
static void put_task(const struct sheet *sheet)
{
    const struct lw_step *step = lw_lesson_step(sheet->lesson);
    struct lw_lesson_state state;
    struct lw_text text = {0};
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_lesson_put_choice(sheet->lesson, &text, i);
        lw_text_char(&text, '\n');
    }
    put(sheet, CHOICES, lw_text_string(&text));
    lw_text_clear(&text);
    lw_lesson_state(sheet->lesson, &state);
    state.is_paper = true;
    lw_text_add(&text, step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_goal_put(&text, &state, &step->goal.items[i]);
        lw_text_char(&text, '\n');
    }
    put(sheet, GOALS, lw_text_string(&text));
    lw_text_free(&text);
    if (sheet->form && sheet->lesson->task.length)
        put(sheet, ANSWER, "..................................................");
}

static void put_answers(const struct sheet *sheet)
{
    const struct lw_step *step = lw_lesson_step(sheet->lesson);
    struct lw_text text = {0};
    if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(sheet->lesson, &text))
        put(sheet, ANSWER, lw_text_string(&text));
    put_lines(sheet, SOLUTION, &step->solution);
    lw_text_free(&text);
}

static bool put_step(const struct sheet *sheet)
{
    struct lw_lesson_screen *lesson = sheet->lesson;
    bool good = true;
    size_t kinds;
    if (sheet->has_tasks)
        put(sheet, TEXT, lw_text_string(&lesson->text));
    if (sheet->has_tasks && sheet->form)
        good = put_grid(sheet);
    put(sheet, TASK,
        sheet->form && !lesson->task.length ? "this step needs the explorer"
                                            : lw_text_string(&lesson->task));
    if (sheet->has_tasks)
        put_task(sheet);
    if (sheet->answers)
        put_answers(sheet);
    if (!sheet->form)
        lw_output_print(sheet->out, ",\"kind\":\"%s\"",
                        lw_step_kinds(&kinds)[lw_lesson_step(lesson)->kind].name);
    lw_lesson_solve_step(lesson);
    if (sheet->answers)
        put(sheet, DONE, lw_text_string(&lesson->done));
    return good;
}

static void put_title(const struct sheet *sheet)
{
    const struct lw_lesson *lesson = &sheet->lesson->lesson;
    struct lw_text text = {0};
    if (sheet->form) {
        lw_text_add(&text, sheet->answers ? "Answers of lesson" : "Lesson");
        if (sheet->lesson->number)
            lw_text_format(&text, " %d", sheet->lesson->number);
        lw_text_format(&text, ": %s", lesson->title);
        if (lesson->case_count > 1)
            lw_text_format(&text, " (seed %llu)", (unsigned long long)lesson->seed);
        sheet->form->heading(sheet->out, 1, lw_text_string(&text));
    } else {
        lw_text_add(&text, "{\"lesson\":");
        lw_text_json_string(&text, lesson->title);
        lw_text_add(&text, ",\"name\":");
        lw_text_json_string(&text, sheet->lesson->name);
        if (sheet->lesson->number)
            lw_text_format(&text, ",\"number\":%d", sheet->lesson->number);
        if (lesson->case_count > 1)
            lw_text_format(&text, ",\"seed\":%llu", (unsigned long long)lesson->seed);
        lw_output_text(sheet->out, &text);
    }
    lw_text_free(&text);
}

static bool put_lesson(const struct sheet *sheet)
{
    const struct lw_lesson *lesson = &sheet->lesson->lesson;
    bool good = true;
    put_title(sheet);
    if (sheet->has_tasks)
        put(sheet, ABOUT, lesson->about);
    for (size_t i = 0; good && i < lesson->step_count; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "Step %zu of %zu", i + 1, lesson->step_count);
        if (sheet->form)
            sheet->form->heading(sheet->out, 2, heading);
        else
            lw_output_print(sheet->out, "%s{\"step\":%zu", i ? "}," : ",\"steps\":[", i + 1);
        good = put_step(sheet);
        lw_lesson_enter(sheet->lesson, i + 1);
    }
    if (!sheet->form)
        lw_output_print(sheet->out, "}]");
    else if (sheet->has_tasks)
        sheet->form->heading(sheet->out, 2, "Summary");
    if (sheet->has_tasks) {
        put(sheet, LEARNT, lesson->learnt);
        put_lines(sheet, READ, &lesson->read);
    }
    lw_output_print(sheet->out, "%s", sheet->form ? sheet->form->end : "}\n");
    return good;
}

bool lw_lesson_print(const struct lw_handout *handout, FILE *out, struct lw_error *err)
{
    const struct lw_tui_options options = {.lesson = handout->source,
                                           .writes_nothing = true,
                                           .seed_is_set = handout->seed_is_set,
                                           .seed = handout->seed};
    struct sheet sheet = {.out = out,
                          .err = err,
                          .has_tasks = handout->json || !handout->answers,
                          .answers = handout->answers};
    if (!handout->json && !(sheet.form = form_of(handout->path, err)))
        return false;
    struct lw_app *app = calloc(1, sizeof *app);
    if (!app)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    bool good = lw_app_open(app, &options, err);
    if (good) {
        sheet.lesson = lw_lesson_of(lw_app_top(app));
        sheet.lesson->is_paper = !handout->json;
        lw_lesson_go(sheet.lesson, 0);
        good = put_lesson(&sheet);
    }
    lw_app_close(app);
    free(app);
    return good;
}
