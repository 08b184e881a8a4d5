/* A lesson on paper, as Markdown or HTML: each step with its grid, its task and a line to answer on; or a sheet with
 * only the answers. No grid is cut: in HTML it is a drawing as wide as the page; a grid that needs several pages is
 * named. */

#include "tui/lesson/lesson_screen.h"

#include "core/base_name.h"
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
    if (!subject) /* the accesses of the model could not be computed */
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
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

struct sheet {
    FILE *out;
    bool is_html;
    bool answers; /* it has them alone */
    struct lw_lesson_screen *lesson;
    struct lw_error *err;
};

static void put_element(const struct sheet *sheet, const char *name, const char *text)
{
    lw_output_print(sheet->out, "<%s>", name);
    lw_put_markup(sheet->out, text);
    lw_output_print(sheet->out, "</%s>\n", name);
}

static void put_heading(const struct sheet *sheet, int level, const char *text)
{
    const char name[] = {'h', (char)('0' + level), '\0'};
    if (sheet->is_html)
        put_element(sheet, name, text);
    else
        lw_output_print(sheet->out, "\n%s %s\n\n", level == 1 ? "#" : "##", text);
}

static void put_head(const struct sheet *sheet, const char *title)
{
    static const char page[] =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"generator\" content=\"laneway\"/>\n";
    static const char style[] =
        "<style>\n"
        "body{max-width:52em;margin:2em auto;padding:0 1em;"
        "font:16px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff}\n"
        "svg{display:block;max-width:100%;height:auto;color-scheme:light}\n"
        "figure{margin:1em 0}figcaption{color:#57606a;font-size:14px;margin-bottom:.4em}\n"
        "h2{margin-top:2em;border-top:1px solid #d1d9e0;padding-top:.6em}\n"
        "@media print{h2{break-after:avoid}figure,p{break-inside:avoid}svg{max-height:85vh}}\n"
        "</style>\n</head>\n<body>\n";
    if (sheet->is_html) {
        lw_output_print(sheet->out, "%s", page);
        put_element(sheet, "title", title);
        lw_output_print(sheet->out, "%s", style);
    }
    put_heading(sheet, 1, title);
}

/* Writes each line of a text as a paragraph, with a mark before the first. */
static void put(const struct sheet *sheet, const char *mark, const char *text)
{
    struct lw_text line = {0};
    for (; *text; mark = "") {
        const size_t length = strcspn(text, "\n");
        lw_text_clear(&line);
        for (size_t i = 0; i < length; i++) {
            lw_text_add(&line, !sheet->is_html && strchr("*_<|`", text[i]) ? "\\" : "");
            lw_text_char(&line, text[i]);
        }
        if (sheet->is_html) {
            lw_output_print(sheet->out, "<p>");
            if (*mark)
                put_element(sheet, "b", mark);
            lw_put_markup(sheet->out, lw_text_string(&line));
            lw_output_print(sheet->out, "</p>\n");
        } else {
            lw_output_print(sheet->out, *mark ? "**%s** " : "%s", mark);
            lw_output_print(sheet->out, "%s\n\n", lw_text_string(&line));
        }
        text += length + (text[length] == '\n');
    }
    lw_text_free(&line);
}

/* ---- The parts of a lesson ---- */

/* Draws what the layout screen shows, unless it would answer the question. */
static bool put_grid(const struct sheet *sheet)
{
    struct lw_view view;
    struct lw_text caption = {0};
    const bool is_html = sheet->is_html;
    const struct lw_export_options options = {
        .labels = true, .bare_labels = true, .width = is_html ? PIXELS : 0, .any_width = is_html};
    if (!lw_lesson_shows_layout(sheet->lesson))
        return true;
    if (!open_view(&view, sheet->lesson->layout, sheet->err))
        return false;
    const struct lw_model *model = lw_layout_model(sheet->lesson->layout);
    const bool fits = view.rows <= PAGE_ROWS && view.cols <= PAGE_ROWS;
    bool good = true;
    lw_text_format(&caption, "%s of ", view.type->title);
    if (model->doc.notation == LW_NOTATION_CUDA)
        lw_text_add(&caption, lw_text_string(&model->text));
    else
        lw_document_print_short(&caption, &model->doc);
    if (!fits)
        lw_text_add(&caption, ": too large for a page; 'laneway learn' shows it on a terminal");
    if (fits && is_html) {
        lw_output_print(sheet->out, "<figure>\n");
        put_element(sheet, "figcaption", lw_text_string(&caption));
    } else {
        put(sheet, "", lw_text_string(&caption));
    }
    if (fits) {
        good = lw_export(&view, lw_format_find(is_html ? "svg" : "markdown"), &options, sheet->out,
                         sheet->err);
        lw_output_print(sheet->out, is_html ? "</figure>\n" : "\n");
    }
    lw_text_free(&caption);
    lw_view_close(&view);
    return good;
}

/* What belongs to the task of a step, and a line to answer on. */
static void put_task(const struct sheet *sheet)
{
    const struct lw_step *step = lw_lesson_step(sheet->lesson);
    struct lw_lesson_state state;
    struct lw_text text = {0};
    lw_lesson_state(sheet->lesson, &state);
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_text_clear(&text);
        lw_lesson_put(sheet->lesson, &text, step->choices.lines[i]);
        put(sheet, "Choice:", lw_text_string(&text));
    }
    put(sheet, "Goal:", step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&text);
        lw_goal_put(&text, &state, &step->goal.items[i]);
        put(sheet, "Goal:", lw_text_string(&text));
    }
    lw_text_free(&text);
    if (sheet->lesson->task.length)
        put(sheet, "Answer:", "..................................................");
}

static bool put_step(const struct sheet *sheet)
{
    struct lw_lesson_screen *lesson = sheet->lesson;
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_text answer = {0};
    bool good = true;
    if (!sheet->answers) {
        put(sheet, "", lw_text_string(&lesson->text));
        good = put_grid(sheet);
    }
    put(sheet, "Task:",
        lesson->task.length ? lw_text_string(&lesson->task) : "this step needs the explorer");
    if (!sheet->answers)
        put_task(sheet);
    else if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(lesson, &answer))
        put(sheet, "Answer:", lw_text_string(&answer));
    for (size_t i = 0; i < step->solution.count && sheet->answers; i++)
        put(sheet, "Command:", step->solution.lines[i]);
    lw_lesson_solve_step(lesson);
    if (sheet->answers)
        put(sheet, "", lw_text_string(&lesson->done));
    lw_text_free(&answer);
    return good;
}

static bool put_lesson(struct lw_lesson_screen *screen, void *context, struct lw_error *err)
{
    struct sheet *sheet = context;
    const struct lw_lesson *lesson = &screen->lesson;
    struct lw_text title = {0};
    bool good = true;
    sheet->lesson = screen;
    sheet->err = err;
    screen->is_paper = true;
    lw_lesson_go(screen, 0);
    lw_text_add(&title, sheet->answers ? "Answers of lesson" : "Lesson");
    if (screen->number)
        lw_text_format(&title, " %d", screen->number);
    lw_text_format(&title, ": %s", lesson->title);
    if (lesson->case_count > 1)
        lw_text_format(&title, " (seed %llu)", (unsigned long long)lesson->seed);
    put_head(sheet, lw_text_string(&title));
    lw_text_free(&title);
    if (!sheet->answers)
        put(sheet, "", lesson->about);
    for (size_t i = 0; good && i < lesson->step_count; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "Step %zu of %zu", i + 1, lesson->step_count);
        put_heading(sheet, 2, heading);
        good = put_step(sheet);
        lw_lesson_enter(screen, i + 1);
    }
    if (!sheet->answers) {
        put_heading(sheet, 2, "Summary");
        put(sheet, "", lesson->learnt);
        for (size_t i = 0; i < lesson->read.count; i++)
            put(sheet, "Read on:", lesson->read.lines[i]);
    }
    lw_output_print(sheet->out, "%s", sheet->is_html ? "</body>\n</html>\n" : "");
    return good;
}

bool lw_lesson_print(const struct lw_handout *handout, FILE *out, struct lw_error *err)
{
    const char *dot = handout->path ? strrchr(lw_base_name(handout->path), '.') : NULL;
    struct sheet sheet = {
        .out = out, .is_html = dot && !strcmp(dot, ".html"), .answers = handout->answers};
    if (dot && !sheet.is_html && strcmp(dot, ".md") != 0)
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.80s: a lesson is written as .md or .html; browsers print the "
                            "last as PDF",
                            handout->path);
    return lw_lesson_visit(handout->source, handout->seed, put_lesson, &sheet, err);
}
