/* A lesson: going from step to step, questions and their answers, progress; then its
 * screen: the text, the task and its goals beside the layout, or above it on a narrow screen. */

#include "tui/lesson/lesson_screen.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/text_rows.h"
#include "core/unused.h"
#include "kernel/kernel_folder.h"
#include "tui/command/command.h"
#include "tui/picture/picture.h"
#include "tui/keep/keep_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Reading a lesson: a built-in one, or a file ---- */

bool lw_name_is_file(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".json"));
}

/* The built-in lesson; NULL: it is a file, or there is none of that name. */
static const struct lw_gallery_entry *built_in(const char *source)
{
    return lw_name_is_file(source) ? NULL : lw_lesson_find(source, NULL);
}

void lw_lesson_key(char key[LW_LESSON_KEY_MAX], const char *source)
{
    const struct lw_gallery_entry *entry = built_in(source);
    char *path = entry ? NULL : realpath(source, NULL);
    snprintf(key, LW_LESSON_KEY_MAX, "%s", entry ? lw_lesson_name(entry) : path ? path : source);
    free(path);
}

bool lw_lesson_text(struct lw_text *text, const char *source, struct lw_error *err)
{
    if (lw_name_is_file(source))
        return lw_file_read(source, text, err) ||
               (err && err->code == LW_OK &&
                lw_error_set(err, LW_ERROR_IO, "%s", strerror(ENOENT)));
    const struct lw_gallery_entry *entry = lw_lesson_find(source, err);
    lw_text_add(text, entry ? entry->text : "");
    return entry;
}

bool lw_lesson_open(struct lw_lesson *lesson, const char *source, uint64_t seed,
                    struct lw_error *err)
{
    size_t count;
    struct lw_text text = {0};
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    bool good = lw_lesson_text(&text, source, err) &&
                lw_lesson_read(lesson, lw_text_string(&text), text.length, seed, kinds, count, err);
    lw_text_free(&text);
    return good;
}

const char *lw_lesson_at(const struct lw_app *app, size_t i)
{
    const struct lw_kernel_folder *course = app->options->course;
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    if (course)
        return i < course->count ? course->files[i].path : NULL;
    return i < count ? lw_lesson_name(&lessons[i]) : NULL;
}

const struct lw_step *lw_lesson_step(const struct lw_lesson_screen *lesson)
{
    return lesson->step < lesson->lesson.step_count ? &lesson->lesson.steps[lesson->step] : NULL;
}

static bool is_done(const struct lw_lesson_screen *lesson)
{
    return lesson->reached || lesson->step < lesson->done_steps;
}

bool lw_lesson_has_question(const struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    return step && step->kind == LW_STEP_PREDICT && !lesson->answered;
}

bool lw_lesson_shows_layout(const struct lw_lesson_screen *lesson)
{
    return lw_lesson_step(lesson)->view.name || !lw_lesson_has_question(lesson);
}

/* ---- The state that goals and texts are computed from ---- */

bool lw_lesson_put_key(const struct lw_lesson_screen *lesson, struct lw_text *text,
                       const char *name)
{
    const struct lw_app *app = lesson->screen.app;
    const size_t length = strlen(name);
    const struct lw_screen_action *action = lw_action_named(app, &lw_layout_screen, name, length);
    if (!action)
        action = lw_action_named(app, lesson->screen.type, name, length);
    if (action)
        lw_text_bytes(text, action->keys, strcspn(action->keys, " "));
    return action || lw_layout_put_view_key(lesson->layout, text, name);
}

void lw_lesson_state(const struct lw_lesson_screen *lesson, struct lw_lesson_state *state)
{
    const struct lw_model *model = lw_layout_model(lesson->layout);
    const struct lw_hardware *hardware = lesson->screen.app->opening.hardware;
    *state = (struct lw_lesson_state){
        .lesson = lesson,
        .put_key = lw_lesson_put_key,
        .own = model ? lw_model_own(model) : NULL,
        .lanes = (hardware ? hardware : lw_hardware_default())->lanes,
    };
    for (int i = 0; model && i < LW_SIDES; i++)
        state->sides[i] = lw_model_at(model, (enum lw_side)i);
    if (!lw_layout_spot(lesson->layout, &state->spot, &state->pointed))
        state->pointed = NULL;
}

void lw_lesson_put(struct lw_lesson_screen *lesson, struct lw_text *text, const char *template)
{
    struct lw_lesson_state state;
    struct lw_text paper = {0};
    lw_lesson_state(lesson, &state);
    if (lesson->is_paper) {
        lw_lesson_put_for_paper(&paper, template);
        template = lw_text_string(&paper);
    }
    if (!lw_lesson_fill(text, template, &state) && !lesson->no_value[0])
        memcpy(lesson->no_value, state.no_value, sizeof lesson->no_value);
    lw_text_free(&paper);
}

/* ---- Questions ---- */

bool lw_lesson_right_answer(const struct lw_lesson_screen *lesson, struct lw_text *text)
{
    struct lw_lesson_state state;
    lw_lesson_state(lesson, &state);
    return lw_lesson_fill(text, lw_lesson_step(lesson)->answer, &state);
}

/* Whether an answer is the right one or, unless that is NULL, the same as a wrong one. Layouts are compared as
 * functions; then *err has the reason. */
static bool is_answer(const struct lw_lesson_screen *lesson, const char *answer, const char *wrong,
                      struct lw_error *err)
{
    struct lw_lesson_state state;
    struct lw_text right = {0};
    const struct lw_lesson_system *system = lw_lesson_system_of(lw_lesson_step(lesson)->answer);
    lw_lesson_state(lesson, &state);
    if (system)
        return lw_lesson_is_layout(&state, system, answer, wrong, err);
    if (wrong)
        return lw_lesson_same_answer(wrong, answer);
    const bool is = lw_lesson_right_answer(lesson, &right) &&
                    lw_lesson_same_answer(answer, lw_text_string(&right));
    lw_text_free(&right);
    return is;
}

/* With choices "2" is the second one. */
void lw_lesson_answer(struct lw_lesson_screen *lesson, const char *typed)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_text meant = {0};
    struct lw_error why = {0};
    char *end;
    typed += strspn(typed, " ");
    lw_text_clear(&lesson->reply);
    if (!*typed || !lw_lesson_has_question(lesson))
        return;
    const unsigned long number = isdigit((unsigned char)*typed) ? strtoul(typed, &end, 10) : 0;
    if (number && number <= step->choices.count && !*end)
        lw_lesson_put(lesson, &meant, step->choices.lines[number - 1]);
    else
        lw_text_add(&meant, typed);
    const char *answer = lw_text_string(&meant);
    lesson->answered = is_answer(lesson, answer, NULL, &why);
    lesson->answered_at = lesson->answered ? lw_now_ms() : 0;
    if (!lesson->answered) {
        size_t i = 0;
        while (i < step->wrong.count && !is_answer(lesson, answer, step->wrong.items[i].name, NULL))
            i++;
        lw_text_format(&lesson->reply, "Not %s. ", answer);
        if (i < step->wrong.count)
            lw_lesson_put(lesson, &lesson->reply, step->wrong.items[i].text);
        else
            lw_text_format(&lesson->reply, "%s%sTry again.", why.message, *why.message ? ". " : "");
    } else {
        const struct lw_picture_type *view =
            step->reveal.name ? lw_picture_named(step->reveal.name) : NULL;
        if (view)
            lw_layout_set_view(lesson->layout, view);
        lw_layout_hide_answers(lesson->layout, false);
    }
    lw_text_free(&meant);
}

/* ---- Goals ---- */

/* A name of its `use` was used: an action, or a view. */
static void use(struct lw_lesson_screen *lesson, const char *name)
{
    const struct lw_strings *names = &lw_lesson_step(lesson)->use;
    for (size_t i = 0; name && i < names->count && i < 64; i++)
        if (!strcmp(names->lines[i], name))
            lesson->used |= UINT64_C(1) << i;
}

static bool is_used(const struct lw_lesson_screen *lesson, size_t i)
{
    return i < 64 && (lesson->used >> i & 1);
}

static bool is_met(struct lw_lesson_screen *lesson, const struct lw_step *step)
{
    struct lw_lesson_state state;
    for (size_t i = 0; i < step->use.count; i++)
        if (!is_used(lesson, i))
            return false;
    if (step->kind == LW_STEP_PREDICT && !lesson->answered)
        return false;
    lw_lesson_state(lesson, &state);
    for (int i = 0; i < step->goal.count; i++)
        if (!lw_goal_met(&state, &step->goal.items[i]))
            return false;
    return true;
}

/* A step that is done is written down. */
void lw_lesson_check_goal(struct lw_lesson_screen *lesson, const char *ran)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_app *app = lesson->screen.app;
    if (!step)
        return;
    use(lesson, ran);
    use(lesson, lw_layout_view(lesson->layout));
    lesson->assisted = lesson->assisted || (ran && !strcmp(ran, "best"));
    lesson->met = is_met(lesson, step);
    if (!lesson->met)
        return;
    lw_text_clear(&lesson->done);
    lw_lesson_put(lesson, &lesson->done, *step->done ? step->done : "Done.");
    if (lesson->reached)
        return;
    lesson->reached = true;
    lesson->assisted_steps += lesson->assisted;
    if (lesson->done_steps <= lesson->step)
        lesson->done_steps = lesson->step + 1;
    if (lesson->done_steps <= lesson->kept_steps || !app->has_terminal ||
        app->options->writes_nothing)
        return;
    lesson->kept_steps = lesson->done_steps;
    const struct lw_value done = lw_value_integer((int64_t)lesson->step + 1);
    struct lw_error err = {0};
    if (!lw_keep_set(&lw_progress_file, lesson->key, &done, &err))
        lw_app_problem(app, &err);
}

/* ---- Steps ---- */

static bool open_layout(struct lw_lesson_screen *lesson, const struct lw_step *step,
                        struct lw_error *err)
{
    struct lw_app *app = lesson->screen.app;
    struct lw_text text = {0};
    app->opening.hardware =
        step->hardware.name ? lw_hardware_find(step->hardware.name) : lesson->hardware;
    if (step->open.notation == LW_NOTATION_CUDA)
        lw_text_add(&text, step->open.text);
    else
        lw_document_print_access(&text, &step->open);
    struct lw_screen *layout = lw_layout_of_document(app, &step->open, lw_text_string(&text), err);
    lw_text_free(&text);
    if (!layout)
        return false;
    if (lesson->layout)
        lesson->layout->type->close(lesson->layout);
    lesson->layout = layout;
    return true;
}

/* Shows what the step names, and the layout to reach beside the present one, that of its goal, where the view is that
 * of the owners. */
static void show_views(struct lw_lesson_screen *lesson, const struct lw_step *step)
{
    const struct lw_picture_type *view = step->view.name ? lw_picture_named(step->view.name) : NULL;
    const bool is_drawn = !step->view.name || !strcmp(step->view.name, "owners");
    struct lw_document target = {0};
    if (view)
        lw_layout_set_view(lesson->layout, view);
    if (step->access.name)
        lw_layout_choose_access(lesson->layout, strcmp(step->access.name, "store") != 0
                                                    ? LW_ACCESS_LOAD
                                                    : LW_ACCESS_STORE);
    for (int i = 0; i < step->goal.count && !target.encoding && is_drawn; i++)
        target = step->goal.items[i].layout;
    if (target.encoding && target.tensor.rank < 0)
        target.tensor = lw_model_own(lw_layout_model(lesson->layout))->tensor;
    lw_layout_compare_document(lesson->layout, target.encoding ? &target : NULL, "the target");
    lw_layout_hide_answers(lesson->layout, step->kind == LW_STEP_PREDICT);
}

void lw_lesson_enter(struct lw_lesson_screen *lesson, size_t number)
{
    struct lw_error err = {0};
    lesson->step = number;
    lesson->met = lesson->reached = lesson->answered = lesson->assisted = false;
    lesson->used = lesson->hints = 0;
    lesson->no_value[0] = '\0';
    lw_input_set(&lesson->answer, "");
    lw_text_clear(&lesson->reply);
    lw_text_clear(&lesson->text);
    lw_text_clear(&lesson->task);
    const struct lw_step *step = lw_lesson_step(lesson);
    if (!step)
        return;
    if (step->open.encoding && !open_layout(lesson, step, &err)) {
        lw_app_problem(lesson->screen.app, &err);
        return;
    }
    show_views(lesson, step);
    lw_lesson_put(lesson, &lesson->text, step->text);
    lw_lesson_put(lesson, &lesson->task, step->task);
    lesson->screen.app->ran = NULL;
}

void lw_lesson_go(struct lw_lesson_screen *lesson, size_t number)
{
    const size_t count = lesson->lesson.step_count;
    size_t from = number < count ? number : count - 1;
    /* A step that goes on with the layout of the step before is reached by solving that one. */
    while (from > 0 && !lesson->lesson.steps[from].open.encoding)
        from--;
    for (; from < number; from++) {
        lw_lesson_enter(lesson, from);
        if (!lesson->layout)
            return;
        lw_lesson_solve_step(lesson);
    }
    lw_lesson_enter(lesson, number);
}

bool lw_lesson_solve(struct lw_lesson_screen *lesson, const char *line, struct lw_error *err)
{
    struct lw_app *app = lesson->screen.app;
    app->ran = NULL;
    bool good = lw_app_run(app, line) || lw_command_run(app, line, err);
    lw_lesson_check_goal(lesson, app->ran);
    return good;
}

void lw_lesson_solve_step(struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_text answer = {0};
    struct lw_error err = {0};
    for (size_t i = 0; i < step->solution.count; i++)
        lw_lesson_solve(lesson, step->solution.lines[i], &err);
    for (size_t i = 0; i < step->use.count && !step->solution.count; i++) {
        const struct lw_picture_type *view = lw_picture_named(step->use.lines[i]);
        if (view && lw_layout_set_view(lesson->layout, view))
            lw_lesson_check_goal(lesson, NULL);
        else
            lw_lesson_solve(lesson, step->use.lines[i], &err);
    }
    if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(lesson, &answer))
        lw_lesson_answer(lesson, lw_text_string(&answer));
    lw_lesson_check_goal(lesson, NULL);
    lw_text_free(&answer);
}

/* ---- Beginning and ending ---- */

static void close_lesson(struct lw_screen *screen)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    struct lw_text *const texts[] = {&lesson->reply, &lesson->text, &lesson->task, &lesson->done};
    for (size_t i = 0; i < LW_COUNT(texts); i++)
        lw_text_free(texts[i]);
    if (lesson->layout)
        lesson->layout->type->close(lesson->layout);
    lesson->screen.app->opening.hardware = lesson->hardware;
    lw_input_free(&lesson->answer);
    lw_lesson_free(&lesson->lesson);
    free(lesson);
}

static void put_title(const struct lw_lesson_screen *lesson, struct lw_text *text)
{
    lw_text_add(text, lesson->number ? "Lesson " : "Lesson: ");
    if (lesson->number)
        lw_text_format(text, "%d: ", lesson->number);
    lw_text_add(text, lesson->lesson.title);
    if (lesson->lesson.case_count > 1)
        lw_text_format(text, " (seed %llu)", (unsigned long long)lesson->lesson.seed);
    if (lw_lesson_step(lesson))
        lw_text_format(text, ", step %zu of %zu", lesson->step + 1, lesson->lesson.step_count);
    else
        lw_text_add(text, ": done");
}

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

/* All from the task on: the choices, the keys and views that are to be used, the goals, each with whether it is met, a
 * hint, the line where the answer is typed. */
static void put_step(struct column *column, struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    struct lw_lesson_state state;
    struct lw_text line = {0};
    put(column, LW_TONE_TITLE, "\xe2\x96\xb8 ", lw_text_string(&lesson->task));
    if (lesson->met) {
        put(column, LW_TONE_GOOD, "\xe2\x97\x8f ", lw_text_string(&lesson->done));
        return;
    }
    for (size_t i = 0; i < step->choices.count; i++) {
        lw_text_format(&line, "%s%zu  ", i ? "    " : "", i + 1);
        lw_lesson_put(lesson, &line, step->choices.lines[i]);
    }
    put(column, LW_TONE_TEXT, "  ", lw_text_string(&line));
    for (size_t i = 0; i < step->use.count; i++) {
        lw_text_clear(&line);
        lw_text_format(&line, "Use %s: key ", step->use.lines[i]);
        lw_lesson_put_key(lesson, &line, step->use.lines[i]);
        put_mark(column, is_used(lesson, i), lw_text_string(&line));
    }
    if (*step->aim)
        put_mark(column, false, step->aim);
    lw_lesson_state(lesson, &state);
    for (int i = 0; i < step->goal.count && !*step->aim; i++) {
        lw_text_clear(&line);
        lw_text_add(&line, "Goal: ");
        lw_goal_put(&line, &state, &step->goal.items[i]);
        put_mark(column, lw_goal_met(&state, &step->goal.items[i]), lw_text_string(&line));
    }
    lw_text_clear(&line);
    if (lesson->hints)
        lw_lesson_put(lesson, &line, step->hints.lines[lesson->hints - 1]);
    put(column, LW_TONE_KEY, "? ", lw_text_string(&line));
    lw_text_free(&line);
    if (lw_lesson_has_question(lesson)) {
        const char *label = step->choices.count ? "your choice: " : "your answer: ";
        const int wide = (int)strlen(label), row = column->rect.row + column->row++;
        const struct lw_rect rect = {row, column->rect.col + wide, 1, column->rect.width - wide};
        if (column->surface && column->row <= column->rect.height) {
            lw_put(column->surface, row, column->rect.col, wide, lw_tone(LW_TONE_KEY), label);
            lw_input_draw(&lesson->answer, column->surface, rect, lw_tone(LW_TONE_TITLE), NULL, -1);
        }
    }
    put(column, LW_TONE_BAD, "! ", lw_text_string(&lesson->reply));
    if (is_done(lesson) && !lesson->reached)
        put(column, LW_TONE_FAINT, "\xe2\x97\x8f ", "Done before: Enter goes on.");
}

/* The page after the last step. */
static void put_end(struct column *column, const struct lw_lesson_screen *lesson)
{
    const struct lw_lesson *all = &lesson->lesson;
    struct lw_text text = {0};
    lw_text_add(&text, "Every step is done");
    if (lesson->assisted_steps)
        lw_text_format(&text, ", %zu with the last hint or the list of the best S",
                       lesson->assisted_steps);
    lw_text_add(&text, ". What you know now:");
    put(column, LW_TONE_GOOD, "\xe2\x97\x8f ", lw_text_string(&text));
    put(column, LW_TONE_TEXT, "  ", all->learnt);
    put(column, LW_TONE_TITLE, "", all->read.count ? "Further reading" : "");
    for (size_t i = 0; i < all->read.count; i++)
        put(column, LW_TONE_TEXT, "  ", all->read.lines[i]);
    lw_text_free(&text);
}

/* The lines of the title, of the whole text unless it is folded, and of all from the task on. */
static int lines_of_page(struct lw_lesson_screen *lesson, struct lw_rect rect, int *of_text)
{
    struct column column = {NULL, rect, 1};
    const bool has_text = lesson->shows != LW_LESSON_PICTURE;
    *of_text = has_text ? lw_wrapped_rows(lw_text_string(&lesson->text), rect.width) : 0;
    put_step(&column, lesson);
    return column.row + *of_text;
}

static void draw_page(struct lw_lesson_screen *lesson, struct lw_surface *surface,
                      struct lw_rect rect)
{
    struct lw_text title = {0};
    struct column column = {surface, rect, 1};
    int of_text;
    put_title(lesson, &title);
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_LABEL), lw_text_string(&title));
    lw_text_free(&title);
    if (!lw_lesson_step(lesson)) {
        put_end(&column, lesson);
        return;
    }
    const int need = lines_of_page(lesson, rect, &of_text);
    const int cut = need > rect.height ? need - rect.height : 0;
    if (of_text > cut) { /* lines without room are cut from the text */
        column.rect.height = 1 + of_text - cut;
        put(&column, LW_TONE_TEXT, "", lw_text_string(&lesson->text));
        column.row = column.rect.height;
        if (cut)
            lw_put_padded(surface, rect.row + column.row - 1, rect.col + rect.width - 20, 20,
                          lw_tone(LW_TONE_KEY), "\xe2\x80\xa6 F: the whole text", true);
        column.rect.height = rect.height;
    }
    put_step(&column, lesson);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    lw_lesson_check_goal(lesson, NULL);
    const bool is_beside = rect.width >= BESIDE && lesson->shows == LW_LESSON_BOTH;
    if (lesson->shows == LW_LESSON_TEXT || !lw_lesson_step(lesson) ||
        (!is_beside && !lw_lesson_shows_layout(lesson))) {
        draw_page(lesson, surface, rect);
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
        int of_text, need = lines_of_page(lesson, rect, &of_text);
        int most = rect.height - LAYOUT_HEIGHT - 1;
        most = most < rect.height / 3 ? rect.height / 3 : most;
        page.height = need < most ? need : most;
        layout.row += page.height + 1;
        layout.height -= page.height + 1;
        lw_put_repeated(surface, rect.row + page.height, rect.col, rect.width,
                        lw_tone(LW_TONE_RULE), "\xe2\x94\x80");
    }
    /* The page is drawn last: the terminal's cursor is where the answer is typed. */
    if (layout.height >= 3 && lw_lesson_shows_layout(lesson))
        lw_layout_screen.draw(lesson->layout, surface, layout);
    else if (layout.height >= 3)
        lw_put(surface, layout.row + layout.height / 2, layout.col + 2, layout.width - 2,
               lw_tone(LW_TONE_FAINT), "the picture is shown with the answer");
    if (lw_lesson_has_question(lesson))
        surface->cursor_row = surface->cursor_col = -1;
    draw_page(lesson, surface, page);
}

/* ---- Keys ---- */

/* Checks an answer, goes to the next step, or to the next lesson. A question of a step that was done before needs no
 * answer. */
static void next(struct lw_screen *screen, LW_UNUSED int argument)
{
    enum { AGAIN = 400 }; /* ms in which a second Enter still belongs to the answer */
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    struct lw_app *app = screen->app;
    if (lw_lesson_has_question(lesson) && (lesson->answer.text.length || !is_done(lesson))) {
        if (!lesson->answer.text.length)
            lw_app_message(app, "type an answer, then Enter; Tab shows a hint");
        lw_lesson_answer(lesson, lw_input_text(&lesson->answer));
        lw_input_set(&lesson->answer, "");
        return;
    }
    if (app->has_terminal && lw_now_ms() - lesson->answered_at < AGAIN)
        return;
    if (lw_lesson_step(lesson)) {
        lw_lesson_enter(lesson, lesson->step + 1);
        return;
    }
    const char *after = NULL, *source;
    char key[LW_LESSON_KEY_MAX];
    for (size_t i = 0; (source = lw_lesson_at(app, i)) && !after; i++) {
        lw_lesson_key(key, source);
        after = strcmp(key, lesson->key) ? NULL : lw_lesson_at(app, i + 1);
    }
    struct lw_error err = {0};
    if (!after) {
        lw_app_message(app, "that was the last lesson");
        return;
    }
    lw_app_pop(app);
    if (!lw_lesson_begin(app, after, &err))
        lw_app_problem(app, &err);
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
    const bool is_typing = lw_screen_state(lesson->layout) & LW_TYPING;
    unsigned state = 0;
    if (lw_lesson_has_question(lesson))
        state |= QUESTION | LW_TYPING;
    else if (is_typing)
        state |= LW_TYPING;
    else
        state |= DOING | (step ? IN_STEP : 0) | (!step || is_done(lesson) ? DONE : 0);
    if (step && !lesson->met && lesson->hints < step->hints.count && !is_typing)
        state |= HINTS;
    return state;
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const unsigned state = state_of(screen);
    if ((key == '\r' || key == '\n') && state & (QUESTION | DONE))
        return false;       /* its actions; else it belongs to the layout */
    if (state & QUESTION) { /* every character goes into the answer */
        const bool is_text = key < LW_KEY_FIRST && !lw_text_is_control(key);
        bool changed;
        if (lesson->answer.text.length && key == 27) {
            lw_input_set(&lesson->answer, "");
            return true;
        }
        if (is_text || lesson->answer.text.length ? lw_input_key(&lesson->answer, key, &changed)
                                                  : key == LW_KEY_BACKSPACE || key == 127)
            return true;
        if (key < LW_KEY_FIRST) /* only moving is left: other keys could show the answer */
            return false;
    }
    if (state & DOING && key < 128 && strchr("LRpF", (int)key))
        return false;
    struct lw_app *app = screen->app;
    const int depth = app->depth;
    app->ran = NULL;
    const bool on = lw_screen_key(lesson->layout, key);
    if (app->depth >= depth) /* else Esc closed it */
        lw_lesson_check_goal(lesson, app->ran);
    return on;
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    return !lw_lesson_has_question(lesson) && lw_layout_screen.mouse(lesson->layout, event);
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    if (lw_lesson_has_question(lesson)) {
        lw_input_insert(&lesson->answer, text);
        return true;
    }
    return lw_layout_screen.paste(lesson->layout, text);
}

static struct lw_screen *layout_of(struct lw_screen *screen)
{
    return lw_lesson_of(screen)->layout;
}

static void back(struct lw_screen *screen, int by)
{
    struct lw_lesson_screen *lesson = lw_lesson_of(screen);
    const bool assisted = !by && lesson->assisted; /* a repeated step is no first try */
    if (by && !lesson->step) {
        lw_app_message(screen->app, "this is the first step");
        return;
    }
    lw_lesson_go(lesson, lesson->step - (size_t)by);
    lesson->assisted = assisted;
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

static void leave(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_app_pop(screen->app);
}

static const struct lw_screen_action lesson_actions[] = {
    {"answer", "Enter", "Enter answer", "check the answer", next, 0, QUESTION},
    {"next", "Enter", "Enter next", "the next step, when the goal is reached", next, 0, DONE},
    {"hint", "Tab", "Tab hint", "a hint: a question, then the way, then the answer", hint, 0,
     QUESTION | HINTS},
    {"hint", "L", "L hint", "a hint: a question, then the way, then the answer", hint, 0,
     DOING | HINTS},
    {"again", "R", "R again", "begin this step again", back, 0, IN_STEP},
    {"again", "C-r", NULL, "begin this step again", back, 0, QUESTION},
    {"previous-step", "p", "p step before", "the step before", back, 1, DOING},
    {"previous-step", "C-b", "C-b step before", "the step before", back, 1, QUESTION},
    {"fold", "F", "F text", "the text, the task or both", fold, 0, DOING},
    {"fold", "C-f", "C-f text", "the text, the task or both", fold, 0, QUESTION},
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
    .layout = layout_of,
    .close = close_lesson,
};

/* The cases are those of the seed that was set, which is another try, or of the day. */
bool lw_lesson_begin(struct lw_app *app, const char *source, struct lw_error *err)
{
    enum { DAY = 24 * 60 * 60 };
    const bool is_set = app->options->seed_is_set;
    const uint64_t day = app->has_terminal ? (uint64_t)time(NULL) / DAY : 0;
    struct lw_lesson_screen *lesson = lw_screen_new(app, &lw_lesson_screen, sizeof *lesson);
    struct lw_kept progress = {0};
    size_t count;
    if (!lesson)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_lesson_open(&lesson->lesson, source, is_set ? app->options->seed : day, err)) {
        free(lesson);
        return false;
    }
    lw_lesson_key(lesson->key, source);
    lesson->hardware = app->opening.hardware;
    if (app->has_terminal && !app->options->writes_nothing)
        lw_keep_load(&lw_progress_file, &progress, NULL);
    lesson->kept_steps = lw_progress_of(&progress, lesson->key);
    lw_kept_free(&progress);
    if (lesson->kept_steps < lesson->lesson.step_count &&
        !(is_set && lesson->lesson.case_count > 1))
        lesson->done_steps = lesson->kept_steps;
    lesson->number = built_in(source) ? (int)(built_in(source) - lw_lessons(&count)) + 1 : 0;
    lw_app_push(app, &lesson->screen);
    if (lw_app_top(app) != &lesson->screen)
        return lw_error_set(err, LW_ERROR_LIMIT, "%s", app->message);
    lw_lesson_go(lesson, lesson->done_steps);
    if (!lesson->layout) {
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s", app->message);
        lw_app_pop(app);
        return false;
    }
    if (lesson->done_steps)
        lw_app_message(app, "continued at step %zu", lesson->step + 1);
    return true;
}
