/* The screen of a lesson: the text, the task and its goals beside the layout, or above it on a narrow screen. */

#include "tui/lesson/lesson_screen.h"
#include "core/text_rows.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- The text ---- */

enum { BESIDE = 140, TEXT_WIDTH = 52, LAYOUT_HEIGHT = 13 };

/* Where the next line goes. Nothing is drawn on a surface of NULL, only counted. */
struct column {
    struct lw_surface *surface;
    struct lw_rect rect;
    int row; /* from rect.row */
};

/* Puts a paragraph for each line of a text, with a mark before it. */
static void put(struct column *column, enum lw_tone tone, const char *mark, const char *text)
{
    const int indent = (int)lw_text_width(mark), width = column->rect.width - indent;
    while (*text && width > 0) {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        const int rows = line ? lw_wrapped_rows(line, width) : 0;
        const int left = column->rect.height - column->row;
        const struct lw_rect rect = {column->rect.row + column->row, column->rect.col + indent,
                                     rows < left ? rows : left, width};
        if (column->surface && left > 0) {
            lw_put(column->surface, rect.row, column->rect.col, indent, lw_tone(tone), mark);
            lw_put_wrapped(column->surface, rect, lw_tone(tone), line ? line : "");
        }
        column->row += rows;
        free(line);
        text += length + (text[length] == '\n');
    }
}

static void put_mark(struct column *column, bool good, const char *line)
{
    put(column, good ? LW_TONE_GOOD : LW_TONE_LABEL, good ? "\xe2\x97\x8f " : "\xe2\x97\x8b ",
        line);
}

/* The goals, each with what it is now, and a change that the step does not allow. */
static void put_goals(struct column *column, const struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_lesson_state state;
    struct lw_spot spot;
    struct lw_text text = {0};
    lw_lesson_state(lesson, &state);
    if (lesson->layout && lw_layout_spot(lesson->layout, &spot, &state.pointed))
        state.spot = &spot;
    if (*step->aim)
        put_mark(column, false, step->aim);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&text);
        lw_text_add(&text, "Goal: ");
        lw_goal_put(&text, &state, &step->goal.items[i]);
        put_mark(column, lw_goal_met(&state, &step->goal.items[i]), lw_text_string(&text));
    }
    lw_text_clear(&text);
    if (lw_lesson_wrong_change(lesson, &text))
        put(column, LW_TONE_BAD, "\xe2\x97\x8b ", lw_text_string(&text));
    lw_text_free(&text);
}

static void put_choices(struct column *column, const struct lw_lesson_screen *lesson)
{
    struct lw_text line = {0};
    for (size_t i = 0; i < lw_lesson_step(lesson)->choices.count; i++) {
        lw_text_format(&line, "%s%zu  ", i ? "    " : "", i + 1);
        lw_lesson_put_choice(lesson, &line, i);
    }
    put(column, LW_TONE_TEXT, "  ", lw_text_string(&line));
    lw_text_free(&line);
}

/* The line where the answer is typed. */
static void put_answer(struct column *column, struct lw_lesson_screen *lesson)
{
    const char *label = lw_lesson_step(lesson)->choices.count ? "your choice: " : "your answer: ";
    const int wide = (int)strlen(label), row = column->rect.row + column->row;
    column->row++;
    if (!column->surface || column->row > column->rect.height)
        return;
    lw_put(column->surface, row, column->rect.col, wide, lw_tone(LW_TONE_KEY), label);
    lw_input_draw(&lesson->answer, column->surface,
                  (struct lw_rect){row, column->rect.col + wide, 1, column->rect.width - wide},
                  lw_tone(LW_TONE_TITLE), NULL, -1);
}

/* The first `count` hints; those before the last one only where there is room for all. */
static void put_hints(struct column *column, const struct lw_lesson_screen *lesson)
{
    const char *hint = lw_text_string(&lesson->hint_lines);
    for (size_t i = 0; i < lesson->hints && *hint; i++) {
        const size_t length = strcspn(hint, "\n");
        char *line = strndup(hint, length);
        if (i + 1 == lesson->hints || column->rect.height > 30)
            put(column, LW_TONE_KEY, "? ", line ? line : "");
        free(line);
        hint += length + 1;
    }
}

/* The keys and views that are to be used. */
static void put_uses(struct column *column, const struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    for (size_t i = 0; i < step->use.count; i++) {
        struct lw_text text = {0};
        struct lw_lesson_state state;
        lw_lesson_state(lesson, &state);
        lw_text_add(&text, "Use ");
        lw_text_add(&text, step->use.lines[i]);
        lw_text_add(&text, ": key ");
        state.put_key(&text, state.keys, step->use.lines[i]);
        put_mark(column, lw_lesson_is_used(lesson, i), lw_text_string(&text));
        lw_text_free(&text);
    }
}

/* All from the task on. */
static void put_step(struct column *column, struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    put(column, LW_TONE_TITLE, "\xe2\x96\xb8 ", lw_text_string(&lesson->task));
    if (lesson->met) {
        put(column, LW_TONE_GOOD, "\xe2\x97\x8f ", lw_text_string(&lesson->done));
        return;
    }
    put_choices(column, lesson);
    put_uses(column, lesson);
    put_goals(column, lesson);
    put_hints(column, lesson);
    if (step->kind == LW_STEP_PREDICT && !lesson->answered)
        put_answer(column, lesson);
    put(column, LW_TONE_BAD, "! ", lw_text_string(&lesson->reply));
    if (lw_lesson_is_done(lesson) && !lesson->reached)
        put(column, LW_TONE_FAINT, "\xe2\x97\x8f ", "Done before: Enter goes on.");
}

static void put_end(struct column *column, const struct lw_lesson_screen *lesson)
{
    struct lw_text text = {0};
    lw_text_format(&text, "All %zu steps are done", lesson->lesson.step_count);
    if (lesson->lesson.case_count > 1 && lesson->done_steps >= lesson->retried_steps)
        lw_text_format(&text, ", %zu at the first try",
                       lesson->done_steps - (size_t)lesson->retried_steps);
    if (lesson->assisted_steps)
        lw_text_format(&text, ", %llu with the last hint or the list of the best S",
                       (unsigned long long)lesson->assisted_steps);
    lw_text_add(&text, ". What you know now:");
    put(column, LW_TONE_GOOD, "\xe2\x97\x8f ", lw_text_string(&text));
    lw_text_free(&text);
    put(column, LW_TONE_TEXT, "  ", lesson->lesson.learnt);
    if (lesson->lesson.read.count)
        put(column, LW_TONE_TITLE, "", "Further reading");
    for (size_t i = 0; i < lesson->lesson.read.count; i++)
        put(column, LW_TONE_TEXT, "  ", lesson->lesson.read.lines[i]);
}

/* Lines from the task on, in a width. */
static int lines_of_step(struct lw_lesson_screen *lesson, struct lw_rect rect)
{
    struct column column = {NULL, rect, 0};
    put_step(&column, lesson);
    return column.row;
}

/* Draws a text in the lines that are left above the task; what does not fit ends in an ellipsis. */
static void draw_text(struct lw_lesson_screen *lesson, struct lw_surface *surface,
                      struct lw_rect rect)
{
    struct column column = {surface, rect, 0};
    const int need = lw_wrapped_rows(lw_text_string(&lesson->text), rect.width);
    if (rect.height <= 0)
        return;
    put(&column, LW_TONE_TEXT, "", lw_text_string(&lesson->text));
    if (need > rect.height)
        lw_put_padded(surface, rect.row + rect.height - 1, rect.col + rect.width - 20, 20,
                      lw_tone(LW_TONE_KEY), "\xe2\x80\xa6 F: the whole text", true);
}

static void draw_page(struct lw_lesson_screen *lesson, struct lw_surface *surface,
                      struct lw_rect rect, bool is_roomy)
{
    struct lw_text title = {0};
    struct lw_rect rest = {rect.row + 1 + is_roomy, rect.col, rect.height - 1 - is_roomy,
                           rect.width};
    lw_lesson_put_title(lesson, &title);
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_LABEL), lw_text_string(&title));
    lw_text_free(&title);
    if (!lw_lesson_step(lesson)) {
        struct column column = {surface, rest, 0};
        put_end(&column, lesson);
        return;
    }
    if (lesson->shows != LW_LESSON_PICTURE) {
        const int step = lines_of_step(lesson, rest) + is_roomy;
        const int need = lw_wrapped_rows(lw_text_string(&lesson->text), rest.width);
        struct lw_rect text = rest;
        text.height = need < rest.height - step ? need : rest.height - step;
        draw_text(lesson, surface, text);
        if (text.height > 0) {
            rest.row += text.height + is_roomy;
            rest.height -= text.height + is_roomy;
        }
    }
    struct column column = {surface, rest, 0};
    put_step(&column, lesson);
}

static void draw_layout(struct lw_lesson_screen *lesson, struct lw_surface *surface,
                        struct lw_rect rect)
{
    if (rect.height < 3)
        return;
    if (lw_lesson_shows_layout(lesson))
        lw_layout_screen.draw(lesson->layout, surface, rect);
    else
        lw_put(surface, rect.row + rect.height / 2, rect.col + 2, rect.width - 2,
               lw_tone(LW_TONE_FAINT), "the picture is shown with the answer");
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    lw_lesson_check_goal(lesson, NULL);
    const bool is_beside = rect.width >= BESIDE && lesson->shows == LW_LESSON_BOTH;
    if (lesson->shows == LW_LESSON_TEXT || !lw_lesson_step(lesson) ||
        (!is_beside && !lw_lesson_shows_layout(lesson))) {
        draw_page(lesson, surface, rect, rect.height > 30);
        return;
    }
    struct lw_rect page = rect, layout = rect;
    if (is_beside) {
        page.width = TEXT_WIDTH;
        layout.col += TEXT_WIDTH + 3;
        layout.width -= TEXT_WIDTH + 3;
        for (int row = 0; row < rect.height; row++)
            lw_put(surface, rect.row + row, rect.col + TEXT_WIDTH + 1, 1, lw_tone(LW_TONE_RULE),
                   "\xe2\x94\x82");
    } else {
        const bool has_text = lesson->shows == LW_LESSON_BOTH;
        int need = 1 + lines_of_step(lesson, rect) +
                   (has_text ? lw_wrapped_rows(lw_text_string(&lesson->text), rect.width) : 0);
        int most = rect.height - LAYOUT_HEIGHT - 1;
        most = most < rect.height / 3 ? rect.height / 3 : most;
        page.height = need < most ? need : most;
        layout.row += page.height + 1;
        layout.height -= page.height + 1;
        lw_put_repeated(surface, rect.row + page.height, rect.col, rect.width,
                        lw_tone(LW_TONE_RULE), "\xe2\x94\x80");
    }
    /* The page is drawn last: the terminal's cursor is where the answer is typed. */
    draw_layout(lesson, surface, layout);
    if (lw_lesson_has_question(lesson))
        surface->cursor_row = surface->cursor_col = -1;
    draw_page(lesson, surface, page, is_beside);
}

/* ---- Keys ---- */

/* What was done on the layout may reach the goal. */
static void check(struct lw_lesson_screen *lesson)
{
    lw_lesson_check_goal(lesson, lesson->screen.app->ran);
}

static bool is_typing_in_layout(const struct lw_lesson_screen *lesson)
{
    return lesson->layout && lw_screen_state(lesson->layout) & LW_TYPING;
}

/* Enter checks an answer, goes to the next step, or to the next lesson. It belongs to the layout while that is
 * edited, or while the goal is not met. */
static bool enter(struct lw_lesson_screen *lesson)
{
    enum { AGAIN = 400 }; /* ms in which a second Enter still belongs to the answer */
    struct lw_app *app = lesson->screen.app;
    const struct lw_step *step = lw_lesson_step(lesson);
    if (lw_lesson_has_question(lesson)) {
        if (!lesson->answer.length)
            lw_app_message(app, "type an answer, then Enter; Tab shows a hint");
        lw_lesson_answer(lesson, lw_input_text(&lesson->answer));
        lw_input_set(&lesson->answer, "");
        return true;
    }
    if (is_typing_in_layout(lesson))
        return false;
    if (app->has_terminal && lw_now_ms() - lesson->answered_at < AGAIN)
        return true;
    if (step && lw_lesson_is_done(lesson)) {
        lw_lesson_enter(lesson, lesson->step + 1);
        return true;
    }
    if (step)
        return false;
    const char *next = lw_lesson_after(lesson);
    struct lw_error err = {0};
    if (!next) {
        lw_app_message(app, "that was the last lesson");
        return true;
    }
    lw_app_pop(app);
    if (!lw_lesson_begin(app, next, &err))
        lw_app_problem(app, &err);
    return true;
}

/* While a question is open, every character goes into the answer. */
static bool type_answer(struct lw_lesson_screen *lesson, uint32_t key)
{
    bool changed;
    const bool is_text = key < LW_KEY_FIRST && !lw_text_is_control(key);
    if (key == 27 && lesson->answer.length) {
        lw_input_set(&lesson->answer, "");
        return true;
    }
    if (is_text || lesson->answer.length)
        return lw_input_key(&lesson->answer, key, &changed);
    return key == LW_KEY_BACKSPACE || key == 127;
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    if ((key == '\r' || key == '\n') && enter(lesson))
        return true;
    if (lw_lesson_has_question(lesson)) {
        if (type_answer(lesson, key))
            return true;
        /* Only moving is left: other keys could show the answer. */
        if (key == 27 || key < LW_KEY_FIRST)
            return false;
    }
    const bool is_own = !is_typing_in_layout(lesson) && key < 128 && strchr("LRpF", (int)key);
    if (is_own || !lesson->layout)
        return false;
    screen->app->ran = NULL;
    const bool on = lw_screen_key(lesson->layout, key);
    check(lesson);
    return on;
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    if (!lesson->layout || lw_lesson_has_question(lesson))
        return false;
    const bool on = lw_layout_screen.mouse(lesson->layout, event);
    check(lesson);
    return on;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    if (lw_lesson_has_question(lesson)) {
        lw_input_insert(&lesson->answer, text);
        return true;
    }
    const bool on = lesson->layout && lw_layout_screen.paste(lesson->layout, text);
    check(lesson);
    return on;
}

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const bool good = lesson->layout && lw_layout_screen.find(lesson->layout, text, err);
    check(lesson);
    return good;
}

static struct lw_screen *layout_of(struct lw_screen *screen)
{
    return lw_lesson_of(screen)->layout;
}

static int64_t tick_at(const struct lw_screen *screen)
{
    const struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    return lesson->layout ? lw_layout_screen.tick_at(lesson->layout) : 0;
}

static void tick(struct lw_screen *screen)
{
    if (lw_lesson_of(screen)->layout)
        lw_layout_screen.tick(lw_lesson_of(screen)->layout);
}

static void next(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    if (!enter(lesson))
        lw_app_message(screen->app, "the goal is not reached yet: L shows a hint");
}

static void back(struct lw_screen *screen, int by)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const bool assisted = !by && lesson->assisted, retried = !by && lesson->retried;
    if (by && !lesson->step) {
        lw_app_message(screen->app, "this is the first step");
        return;
    }
    lw_lesson_go(lesson, lesson->step - (size_t)by);
    lesson->assisted = assisted; /* a repeated step is not a first try */
    lesson->retried = retried;
    if (!by)
        lw_app_message(screen->app, "this step begins again");
}

static void hint(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const size_t count = lw_lesson_step(lesson)->hints.count;
    lesson->hints++;
    if (count > 1 && lesson->hints == count)
        lesson->assisted = true;
}

static void fold(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    lesson->shows = (enum lw_lesson_shows)((lesson->shows + LW_LESSON_SHOWS - 1) % LW_LESSON_SHOWS);
}

static void close_lesson(struct lw_screen *screen)
{
    lw_lesson_end(lw_lesson_of(screen));
}

static void leave(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_app_pop(screen->app);
}

enum {
    QUESTION = 1 << 0, /* a question is open */
    DOING = 1 << 1,    /* none is, and the layout is not edited */
    IN_STEP = 1 << 2,
    DONE = 1 << 3, /* the step, or there is none */
    HINTS = 1 << 4 /* there are more */
};

static unsigned state_of(const struct lw_screen *screen)
{
    const struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const struct lw_step *step = lw_lesson_step(lesson);
    const bool is_typing = is_typing_in_layout(lesson);
    unsigned state = 0;
    if (lw_lesson_has_question(lesson))
        state |= QUESTION | LW_TYPING;
    else if (is_typing)
        state |= LW_TYPING;
    else
        state |= DOING | (step ? IN_STEP : 0) | (!step || lw_lesson_is_done(lesson) ? DONE : 0);
    if (step && !lesson->met && lesson->hints < step->hints.count && !is_typing)
        state |= HINTS;
    return state;
}

static const struct lw_screen_action lesson_actions[] = {
    {"answer", "Enter", "answer", "check the answer", next, 0, QUESTION},
    {"next", "Enter", "next", "the next step, when the goal is reached", next, 0, DONE},
    {"hint", "Tab", "hint", "a hint: a question, then the way, then the answer", hint, 0,
     QUESTION | HINTS},
    {"hint", "L", "hint", "a hint: a question, then the way, then the answer", hint, 0,
     DOING | HINTS},
    {"again", "R", "again", "begin this step again", back, 0, IN_STEP},
    {"again", "C-r", NULL, "begin this step again", back, 0, QUESTION},
    {"previous-step", "p", "step before", "the step before", back, 1, DOING},
    {"previous-step", "C-b", "step before", "the step before", back, 1, QUESTION},
    {"fold", "F", "text", "the text, the task or both", fold, 0, DOING},
    {"fold", "C-f", "text", "the text, the task or both", fold, 0, QUESTION},
    {"leave", "Esc", NULL, "leave the lesson: what is done is kept", leave, 0, 0},
};

const struct lw_screen_type lw_lesson_screen = {
    .name = "lesson",
    .actions = lesson_actions,
    .action_count = LW_COUNT(lesson_actions),
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .paste = on_paste,
    .state = state_of,
    .find = find,
    .find_help = "3,5  t17  w1 l3  r4  bank 7",
    .layout = layout_of,
    .tick_at = tick_at,
    .tick = tick,
    .close = close_lesson,
};

bool lw_lesson_begin(struct lw_app *app, const char *source, struct lw_error *err)
{
    struct lw_lesson_screen *lesson = lw_screen_new(app, &lw_lesson_screen, sizeof *lesson);
    if (!lesson)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_lesson_start(lesson, source, err)) {
        free(lesson);
        return false;
    }
    lw_app_push(app, &lesson->screen);
    if (lw_app_top(app) != &lesson->screen)
        return lw_error_set(err, LW_ERROR_LIMIT, "%s", app->message);
    lw_lesson_go(lesson, lesson->done_steps);
    if (lesson->done_steps)
        lw_app_message(app, "continued at step %zu: p is the step before", lesson->step + 1);
    return true;
}
