/* The pane of a lesson. Its text is laid out on a separate surface, as high as the inside of the pane; rows
 * above and below are only counted. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TWO_COLUMNS = 112 };
enum { LOW = 16 }; /* a screen with fewer rows shows the task first */

/* The position of the next line. */
struct column {
    struct lw_surface *page;
    int row, col, width;
};

/* Puts a paragraph for each line of the text, with the mark before it. */
static void put(struct column *column, enum lw_pen_kind pen, const char *mark, const char *text)
{
    int indent = (int)lw_text_width(mark);
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        struct lw_rect rect = {column->row, column->col + indent, INT_MAX, column->width - indent};
        lw_put(column->page, column->row, column->col, indent, lw_pen(pen), mark);
        if (line)
            column->row += lw_put_wrapped(column->page, rect, lw_pen(pen), line);
        free(line);
        text += length + (text[length] == '\n');
    }
}

static void put_line(struct column *column, bool good, const char *line)
{
    put(column, good ? LW_PEN_GOOD : LW_PEN_LABEL, good ? "● " : "○ ", line);
}

static void put_goals(struct column *column, const struct lw_explorer *ex,
                      struct lw_lesson_state *state, const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    struct lw_text disallowed = {0};
    if (*step->aim && !run->met)
        put_line(column, false, step->aim);
    for (int i = 0; i < step->goal.count && !run->met && !*step->aim; i++) {
        struct lw_text text = {0};
        bool met = lw_goal_met(state, &step->goal.items[i]);
        lw_text_add(&text, "Goal: ");
        lw_goal_put(&text, state, &step->goal.items[i]);
        put(column, met ? LW_PEN_GOOD : LW_PEN_LABEL, met ? "● " : "○ ", lw_text_string(&text));
        lw_text_free(&text);
    }
    if (!run->met && lw_lesson_disallowed_change(ex, &disallowed))
        put(column, LW_PEN_CHANGED, "○ ", lw_text_string(&disallowed));
    lw_text_free(&disallowed);
}

/* Puts the choices of a question: in one line if they fit, else a line each. */
static void put_choices(struct column *column, const struct lw_explorer *ex,
                        const struct lw_step *step)
{
    struct lw_text line = {0}, text = {0};
    char mark[32];
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_text_format(&line, "%s%zu  ", i ? "    " : "", i + 1);
        lw_lesson_put_choice(ex, &line, i);
    }
    if ((int)lw_text_width(lw_text_string(&line)) + 2 <= column->width)
        put(column, LW_PEN_TEXT, "  ", lw_text_string(&line));
    else
        for (size_t i = 0; i < step->choices.count; i++) {
            snprintf(mark, sizeof mark, "  %zu  ", i + 1);
            lw_text_clear(&text);
            lw_lesson_put_choice(ex, &text, i);
            put(column, LW_PEN_TEXT, mark, lw_text_string(&text));
        }
    lw_text_free(&line);
    lw_text_free(&text);
}

/* Puts the choices of a question, the keys that are to be used, and why the last answer is wrong. */
static void put_kind(struct column *column, const struct lw_explorer *ex,
                     const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    struct lw_text text = {0};
    if (!run->met)
        put_choices(column, ex, step);
    if (step->kind == LW_STEP_PREDICT && !run->met)
        put_line(column, false,
                 step->choices.count ? "Type the number of your answer, and press Enter."
                                     : "Type your answer, and press Enter.");
    for (size_t i = 0; i < step->use.count && !run->met; i++) {
        const struct lw_key_action *action = lw_key_action_find(ex, step->use.lines[i]);
        const struct lw_view_type *view = lw_view_type_find(step->use.lines[i]);
        lw_text_clear(&text);
        if (action)
            lw_text_format(&text, "Key %.*s: %s", (int)strcspn(action->keys, " "), action->keys,
                           action->help);
        else if (view)
            lw_text_format(&text, "Key %c: the view %s", view->key, view->title);
        put_line(column, lw_lesson_is_used(run, i), lw_text_string(&text));
    }
    if (run->reply.length && !run->met)
        put(column, LW_PEN_CHANGED, "! ", lw_text_string(&run->reply));
    lw_text_free(&text);
}

static void put_step(struct column *column, const struct lw_explorer *ex,
                     struct lw_lesson_state *state, const struct lw_step *step)
{
    const struct lw_lesson_run *run = ex->lesson;
    const char *hint = lw_text_string(&run->hint_lines);
    put(column, LW_PEN_LABEL_ON, "▸ ", lw_text_string(&run->task));
    put_kind(column, ex, step);
    put_goals(column, ex, state, step);
    for (size_t i = 0; i < run->hints && *hint; i++) {
        size_t length = strcspn(hint, "\n");
        bool shown = !run->last_hint_only || i + 1 == run->hints;
        char *line = shown ? strndup(hint, length) : NULL;
        put(column, LW_PEN_CHANGED, "? ", line ? line : "");
        free(line);
        hint += length + 1;
    }
    if (run->met)
        put(column, LW_PEN_GOOD, "● ", lw_text_string(&run->done));
    else if (lw_lesson_is_done(run))
        put(column, LW_PEN_FAINT, "● ",
            run->reached ? "Done before, but not with this layout (u undoes, Ctrl-R redoes)."
                         : "Done before: Enter goes on.");
}

static void put_end(struct column *left, struct column *right, const struct lw_lesson_run *run)
{
    const struct lw_lesson *lesson = &run->lesson;
    const struct lw_progress_row *row = lw_progress_find(&run->progress, run->key);
    unsigned long long assisted = row ? row->assisted : 0;
    struct lw_text text = {0};
    lw_text_add(&text, "All steps of this lesson are done");
    if (row && row->has_seed && row->steps >= row->retried)
        lw_text_format(
            &text,
            ": %llu of %zu, %llu at the first try, %llu assisted (the last hint, or a search)",
            (unsigned long long)row->steps, lesson->step_count,
            (unsigned long long)(row->steps - row->retried), assisted);
    else if (assisted)
        lw_text_format(&text, ", %llu of them with the last hint or a search", assisted);
    lw_text_add(&text, ". Summary:");
    put(left, LW_PEN_GOOD, "● ", lw_text_string(&text));
    lw_text_free(&text);
    put(left, LW_PEN_TEXT, "  ", lesson->learnt);
    if (lesson->read.count)
        put(right, LW_PEN_LABEL_ON, "", "Further reading:");
    for (size_t i = 0; i < lesson->read.count; i++)
        put(right, LW_PEN_TEXT, "· ", lesson->read.lines[i]);
}

/* Puts the steps before and the keys, on a large screen. */
static void put_more(struct column *column, struct lw_lesson_run *run)
{
    static const char *const keys[][2] = {{"L     ", "a hint"},
                                          {"Enter ", "the next step, once the goal is reached"},
                                          {"p     ", "the step before"},
                                          {"R     ", "restart this step"},
                                          {"z     ", "hide or show this"},
                                          {"< >   ", "scroll the text"},
                                          {"Tab   ", "the parameters"},
                                          {":     ", "a command, such as :set maxPhase=8"}};
    if (run->log.length) {
        column->row++;
        put(column, LW_PEN_TITLE, "", "So far");
        put(column, LW_PEN_FAINT, "● ", lw_text_string(&run->log));
    } else if (*run->lesson.about) {
        column->row++;
        put(column, LW_PEN_TITLE, "", "About this lesson");
        put(column, LW_PEN_FAINT, "", run->lesson.about);
    }
    column->row++;
    put(column, LW_PEN_TITLE, "", "Keys");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int row = column->row;
        put(column, LW_PEN_TEXT, "       ", keys[i][1]);
        lw_put(column->page, row, column->col, 6, lw_pen(LW_PEN_KEY), keys[i][0]);
    }
}

/* The parts of a lesson. */
enum part { PART_TEXT = 1, PART_STEP = 2, PART_ALL = 3 };

static bool is_airy(const struct lw_explorer *ex, int width)
{
    return width < TWO_COLUMNS && ex->screen.width >= 160;
}

/* Puts the text above the task, or left of it; on a low screen below it. */
static void put_parts(struct column *left, struct column *right, const struct lw_explorer *ex,
                      struct lw_lesson_state *state, enum part part)
{
    struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    bool low = ex->screen.height < LOW, airy = left == right && ex->screen.width >= 160;
    bool text = (part & PART_TEXT) && !run->folded;
    if (low && (part & PART_STEP))
        put_step(left, ex, state, step);
    if (text)
        put(left, LW_PEN_TEXT, "", lw_text_string(&run->text));
    if (low || !(part & PART_STEP))
        return;
    right->row += airy && text;
    put_step(run->folded ? left : right, ex, state, step);
    if (airy)
        put_more(right, run);
}

/* Lays out a part of the lesson in `width` columns, with row `top` at the top of the page; returns the number of its
 * rows, also of those outside the page. */
static int lay_out(const struct lw_explorer *ex, struct lw_surface *page, enum part part, int top,
                   int height, int width)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_lesson_state state;
    bool two = width >= TWO_COLUMNS, airy = is_airy(ex, width);
    int column = width * 11 / 20; /* of the text, with the task beside it */
    struct column left = {page, -top, 0, two && !run->folded ? column : width};
    struct column beside = {page, -top, column + 3, width - column - 3};
    struct column *right = two ? &beside : &left;
    if (width < 4 || !lw_surface_resize(page, height, width))
        return 0;
    lw_lesson_state(ex, &state);
    if (lw_lesson_step(run))
        put_parts(&left, right, ex, &state, part);
    else
        put_end(&left, right, run);
    if (!lw_lesson_step(run) && airy && run->log.length) {
        left.row++;
        put(&left, LW_PEN_TITLE, "", "So far");
        put(&left, LW_PEN_FAINT, "● ", lw_text_string(&run->log));
    }
    return top + (left.row > right->row ? left.row : right->row);
}

/* The width of the text in the pane. */
static int text_width(int pane)
{
    return pane - 4;
}

/* Fits the views to their new height. With `stay`, when a hint needs rows, the cells keep their size. */
static void give_rows(struct lw_explorer *ex, bool stay)
{
    struct lw_panes panes;
    if (!stay) {
        lw_refresh(ex, LW_CHANGED_VIEW);
        return;
    }
    for (int i = 0; i < ex->panes.count; i++)
        lw_pane_scroll(ex, &ex->panes.all[i]);
    lw_panes(ex, &panes);
    memcpy(ex->panes.fitted, panes.view, sizeof panes.view);
}

void lw_lesson_refresh(struct lw_explorer *ex)
{
    struct lw_surface page = {0};
    if (!lw_lesson_is_on(ex))
        return;
    lw_lesson_check_goal(ex);
    struct lw_lesson_run *run = ex->lesson;
    bool met = run->met, reached = run->reached;
    run->last_hint_only = false;
    /* The pane has enough rows for the text before and after the goal is met, so that its height does not change. */
    int rows = lay_out(ex, &page, PART_ALL, 0, 1, text_width(ex->screen.width));
    run->reached = true;
    for (int k = 0; k < 2 && lw_lesson_step(run); k++) {
        run->met = k == 1;
        int other = lay_out(ex, &page, PART_ALL, 0, 1, text_width(ex->screen.width));
        rows = rows > other ? rows : other;
    }
    run->met = met;
    run->reached = reached;
    rows += 2;
    lw_surface_free(&page);
    if (ex->screen.width == run->wanted_width && rows < run->wanted_height)
        rows = run->wanted_height; /* within a step it does not shrink */
    if (rows == run->wanted_height)
        return;
    bool grows = run->wanted_height && ex->screen.width == run->wanted_width;
    run->wanted_height = rows;
    run->wanted_width = ex->screen.width;
    give_rows(ex, grows);
}

void lw_lesson_show_hint(struct lw_explorer *ex)
{
    struct lw_panes panes;
    struct lw_lesson_run *run = ex->lesson;
    const char *hint = lw_text_string(&run->hint_lines);
    struct lw_surface page = {0};
    lw_lesson_refresh(ex); /* computes the height of the pane */
    lw_panes(ex, &panes);
    for (size_t i = 1; i < run->hints; i++)
        hint += strcspn(hint, "\n") + 1;
    run->top = LW_LESSON_END;
    bool seen = panes.lesson.height > 2;
    if (seen && ex->screen.height < LOW) /* the task is first, and the hint may be below the pane */
        seen = lay_out(ex, &page, PART_STEP, 0, 1, text_width(panes.lesson.width)) <=
               panes.lesson.height - 2;
    lw_surface_free(&page);
    if (!seen)
        lw_explorer_set_message(ex, false, "%.*s", (int)strcspn(hint, "\n"), hint);
}

/* "Lesson 7: Swizzling, step 2 of 6" */
static void put_title(struct lw_text *text, const struct lw_lesson_run *run)
{
    lw_text_add(text, run->number ? "Lesson " : "Lesson: ");
    if (run->number)
        lw_text_format(text, "%d: ", run->number);
    lw_text_add(text, run->lesson.title);
    if (run->lesson.case_count > 1)
        lw_text_format(text, " (seed %llu)", (unsigned long long)run->lesson.seed);
    if (lw_lesson_step(run))
        lw_text_format(text, ", step %zu of %zu", run->step + 1, run->lesson.step_count);
    else
        lw_text_add(text, ": done");
}

/* On the lower border: keys, and whether the text continues. */
static void put_keys(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect,
                     int max)
{
    static const char more[] = " > more ", read[] = " > the rest of the text ";
    const struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    int row = rect.row + rect.height - 1, col = rect.col + 2, end = rect.col + rect.width - 2;
    struct lw_text text = {0};
    if (step && lw_lesson_is_done(run))
        lw_text_add(&text, " Enter: next step ");
    else if (step && step->kind == LW_STEP_PREDICT)
        lw_text_add(&text, " Enter: answer ");
    if (!step)
        lw_text_add(&text, lw_lesson_after(ex) ? " Enter: next lesson " : " the last lesson ");
    else if (!run->met && run->hints < step->hints.count)
        lw_text_format(&text, " L: %s %zu of %zu ", run->hints ? "next hint," : "hint",
                       run->hints + 1, step->hints.count);
    col += lw_put(surface, row, col, end - col, lw_pen(LW_PEN_KEY), lw_text_string(&text));
    if (run->top > 0 && col + 12 < end)
        col += lw_put(surface, row, col + 1, end - col, lw_pen(LW_PEN_LABEL), " < back up ");
    /* What follows a solved step is the next one: what is hidden is text from before the task. */
    bool solved = step && lw_lesson_is_done(run);
    int width = (int)strlen(solved ? read : more);
    if (run->top < max && col + width + 6 < end)
        lw_put(surface, row, end - width - 3, width, lw_pen(solved ? LW_PEN_LABEL : LW_PEN_CHANGED),
               solved ? read : more);
    lw_text_free(&text);
}

/* Copies a page into the pane, from one of its rows on. */
static void copy_page(struct lw_surface *surface, struct lw_rect inside,
                      const struct lw_surface *page, int rows)
{
    for (int r = 0; r < rows && r < inside.height && r < page->height; r++)
        memcpy(&surface->tiles[(inside.row + r) * surface->width + inside.col + 1],
               &page->tiles[r * page->width], (size_t)page->width * sizeof *page->tiles);
}

/* The rows for the task if the text above it does not fit; 0 if all fits, or if the two are not one above the other. */
static int rows_of_task(struct lw_explorer *ex, struct lw_surface *page, struct lw_rect inside,
                        int width)
{
    enum { TEXT_MIN = 2 };
    struct lw_lesson_run *run = ex->lesson;
    bool above = width < TWO_COLUMNS && ex->screen.height >= LOW && !run->folded;
    int room = above ? inside.height - TEXT_MIN : inside.height;
    run->last_hint_only = false;
    if (!lw_lesson_step(run) || is_airy(ex, width) ||
        lay_out(ex, page, PART_ALL, 0, 1, width) <= inside.height)
        return 0;
    run->last_hint_only = lay_out(ex, page, PART_STEP, 0, 1, width) > room;
    int task = lay_out(ex, page, PART_STEP, 0, 1, width);
    return !above ? 0 : task < room ? task : room;
}

/* Draws a part of the lesson in rows of the pane, scrolled to `top`; returns how far it can be scrolled. */
static int draw_part(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside,
                     enum part part, int *top)
{
    struct lw_surface page = {.ascii = surface->ascii};
    int width = inside.width - 2, from = *top > 0 ? *top : 0;
    int rows = lay_out(ex, &page, part, from, inside.height, width);
    int max = rows > inside.height ? rows - inside.height : 0;
    *top = from < max ? from : max;
    if (*top != from)
        lay_out(ex, &page, part, *top, inside.height, width);
    copy_page(surface, inside, &page, inside.height < rows ? inside.height : rows);
    lw_surface_free(&page);
    return max;
}

void lw_draw_hidden(struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_rect inside = lw_put_frame(surface, rect, "Hidden", false);
    int row = inside.row + (inside.height > 2 ? inside.height / 2 : 0);
    if (inside.height > 0)
        lw_put(surface, row, inside.col + 1, inside.width - 1, lw_pen(LW_PEN_FAINT),
               "shown when the question is answered");
}

void lw_draw_lesson(struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_lesson_run *run = ex->lesson;
    struct lw_surface page = {.ascii = surface->ascii};
    struct lw_text title = {0};
    put_title(&title, run);
    struct lw_rect inside =
        lw_put_frame(surface, rect, lw_text_string(&title), ex->focus == LW_FOCUS_LESSON);
    int task = rows_of_task(ex, &page, inside, text_width(rect.width)), end = LW_LESSON_END, max;
    if (task > 0) { /* the task is fixed, and the text above it scrolls */
        struct lw_rect above = inside, below = inside;
        above.height -= task;
        below.row += above.height;
        below.height = task;
        run->top = run->top >= LW_LESSON_END ? 0 : run->top;
        max = draw_part(ex, surface, above, PART_TEXT, &run->top);
        draw_part(ex, surface, below, PART_STEP, &end);
    } else {
        if (run->top >= LW_LESSON_END && ex->screen.height < LOW)
            run->top = 0;
        max = draw_part(ex, surface, inside, PART_ALL, &run->top);
    }
    put_keys(ex, surface, rect, max);
    lw_surface_free(&page);
    lw_text_free(&title);
}
