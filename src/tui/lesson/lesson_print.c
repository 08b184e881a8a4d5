/* A lesson as text, for use without a terminal: each step with its grid. */

#include "tui/lesson/lesson_run.h"

#include "export/output.h"
#include "laneway/export.h"

#include <string.h>

static void put_paragraphs(FILE *out, const char *paragraphs)
{
    struct lw_text text = {0};
    lw_text_paragraphs(&text, paragraphs);
    lw_output_text(out, &text);
    lw_text_free(&text);
}

/* How many columns of a view, with their labels, fit in a line of text. */
static uint64_t columns_that_fit(const struct lw_view *view)
{
    enum { COLUMNS = 62 };
    struct lw_text label = {0};
    size_t width = view->type->width(view);
    if (view->type->col_label && view->cols)
        view->type->col_label(view, view->cols - 1, &label);
    size_t labels = lw_text_width(lw_text_string(&label));
    lw_text_free(&label);
    width = width > labels ? width : labels;
    return width + 2 < COLUMNS ? COLUMNS / (width + 2) : 1;
}

static bool put_grid(const struct lw_view_pane *pane, FILE *out, struct lw_error *err)
{
    enum { ROWS_MAX = 16 };
    const struct lw_view *view = &pane->view;
    struct lw_export_options options = {.labels = true, .bare_labels = true, .style = "plain"};
    if (!pane->has_view)
        return true;
    uint64_t cols = columns_that_fit(view);
    options.row_to = view->rows < ROWS_MAX ? view->rows : ROWS_MAX;
    options.col_to = view->cols < cols ? view->cols : cols;
    lw_output_print(out, "\n%s", view->type->title);
    if (options.row_to < view->rows || options.col_to < view->cols)
        lw_output_print(out, " (the first %llu of %llu rows, %llu of %llu columns)",
                        (unsigned long long)options.row_to, (unsigned long long)view->rows,
                        (unsigned long long)options.col_to, (unsigned long long)view->cols);
    lw_output_print(out, ":\n");
    return lw_export(view, lw_format_find("text"), &options, out, err);
}

static bool put_step(struct lw_explorer *ex, FILE *out, struct lw_error *err)
{
    struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    bool good = true;
    lw_lesson_wait(ex);
    lw_output_print(out, "\nStep %zu of %zu\n\n", run->step + 1, run->lesson.step_count);
    put_paragraphs(out, lw_text_string(&run->text));
    for (int i = 0; good && i < ex->panes.count; i++)
        good = put_grid(&ex->panes.all[i], out, err);
    lw_output_print(out, "\n");
    put_paragraphs(out, lw_text_string(&run->task));
    for (size_t i = 0; i < step->solution_count; i++) {
        lw_output_print(out, "  :%s\n", step->solution[i]);
        lw_lesson_solve(ex, step->solution[i]);
    }
    lw_lesson_wait(ex);
    put_paragraphs(out, lw_text_string(&run->done));
    return good;
}

bool lw_lesson_print(const char *source, FILE *out, struct lw_error *err)
{
    struct lw_explorer ex;
    struct lw_tui_options options = {.lesson = source, .writes_nothing = true};
    if (!lw_explorer_init(&ex, &options, err))
        return false;
    bool good = lw_lesson_begin(&ex, source, err);
    const struct lw_lesson *lesson = good ? &ex.lesson->lesson : NULL;
    if (good) {
        lw_output_print(out, *lesson->about ? "Lesson%s%.0d: %s\n\n" : "Lesson%s%.0d: %s\n",
                        ex.lesson->number ? " " : "", ex.lesson->number, lesson->title);
        if (*lesson->about)
            put_paragraphs(out, lesson->about);
    }
    while (good && lw_lesson_step(ex.lesson)) {
        good = put_step(&ex, out, err);
        ex.lesson->reached = true;
        lw_lesson_next(&ex, 0);
    }
    if (good) {
        lw_output_print(out, "\nSummary\n\n");
        put_paragraphs(out, lesson->learnt);
        lw_output_print(out, lesson->read_count ? "\nFurther reading\n\n" : "");
        for (size_t i = 0; i < lesson->read_count; i++)
            put_paragraphs(out, lesson->read[i]);
    }
    lw_explorer_free(&ex);
    return good;
}
